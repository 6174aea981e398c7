// fork and exec: ranks are processes, so that a crash does not affect the
// memory of others, and that one host behaves like several.
#include "Ranks/Launch.h"
#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <netinet/in.h>
#include <optional>
#include <string>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace tilegpt;
using namespace tilegpt::run;
using runtime::ErrorCode;
using runtime::makeError;
using runtime::Result;

namespace {

using Clock = std::chrono::steady_clock;

/// How long ranks have to detect the failure of another one.
constexpr std::chrono::seconds graceTime{9};

/// An unused port of this host; 0 if there is none.
uint16_t freePort() {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  auto *raw = reinterpret_cast<sockaddr *>(&address);
  const bool found = fd >= 0 && ::bind(fd, raw, size) == 0 &&
                     ::getsockname(fd, raw, &size) == 0;
  if (fd >= 0)
    ::close(fd);
  return found ? ntohs(address.sin_port) : uint16_t(0);
}

struct Process {
  pid_t id = -1;
  bool ends = false; ///< has ended
  int code = 0;
};

int exitCodeOf(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// Becomes rank `rank`; does not return.
[[noreturn]] void become(unsigned rank, unsigned ranks, char **argv) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  const std::string number = std::to_string(rank);
  ::setenv("RANK", number.c_str(), 1);
  ::setenv("LOCAL_RANK", number.c_str(), 1);
  ::setenv("WORLD_SIZE", std::to_string(ranks).c_str(), 1);
  ::execv("/proc/self/exe", argv);
  ::_exit(exitCode(ErrorCode::Failure));
}

class Processes {
public:
  Result<void> start(unsigned ranks, char **argv) {
    for (unsigned rank = 0; rank < ranks; ++rank) {
      const pid_t id = ::fork();
      if (id == 0)
        become(rank, ranks, argv);
      if (id < 0) {
        end();
        return makeError(ErrorCode::Device, "ranks: cannot start rank ", rank,
                         ": ", std::strerror(errno));
      }
      all.push_back({id});
    }
    return {};
  }

  int wait() {
    while (std::ranges::any_of(all, [](auto &one) { return !one.ends; })) {
      int status = 0;
      const pid_t id = ::waitpid(-1, &status, firstFailure ? WNOHANG : 0);
      if (id > 0)
        note(id, exitCodeOf(status));
      else if (id < 0 && errno != EINTR)
        break;
      else if (firstFailure && Clock::now() > *firstFailure + graceTime)
        end();
      else if (firstFailure)
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return all.front().code != 0 ? all.front().code : code;
  }

private:
  void note(pid_t id, int ended) {
    for (Process &process : all)
      if (process.id == id) {
        process.ends = true;
        process.code = ended;
      }
    if (ended == 0 || firstFailure)
      return;
    firstFailure = Clock::now();
    code = ended;
  }

  void end() {
    for (const Process &process : all)
      if (!process.ends)
        ::kill(process.id, SIGKILL);
  }

  std::vector<Process> all;
  std::optional<Clock::time_point> firstFailure;
  int code = 0;
};

} // namespace

Result<int> run::launchRanks(unsigned ranks, char **argv) {
  ::setenv("MASTER_ADDR", "127.0.0.1", 0);
  if (!std::getenv("MASTER_PORT"))
    ::setenv("MASTER_PORT", std::to_string(freePort()).c_str(), 1);
  Processes processes;
  // A terminal sends Ctrl-C to the ranks directly; this process waits for them.
  std::signal(SIGINT, SIG_IGN);
  if (auto started = processes.start(ranks, argv); !started)
    return tl::unexpected(started.error());
  return processes.wait();
}
