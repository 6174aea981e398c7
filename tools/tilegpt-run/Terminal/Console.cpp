// Unbuffered write(2) on both streams: output is visible at once, and errno
// distinguishes a closed pipe from a full disk.
#include "Terminal/Console.h"
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <string>
#include <unistd.h>

using namespace tilegpt;
using namespace tilegpt::run;

runtime::Result<bool> run::writeOutput(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0 && errno == EPIPE)
      return false;
    if (written < 0)
      return runtime::makeError(runtime::ErrorCode::Failure,
                                "stdout: cannot write: ", std::strerror(errno));
    text.remove_prefix(size_t(written));
  }
  return true;
}

void run::prepareStreams() {
  std::signal(SIGPIPE, SIG_IGN);
  std::set_new_handler([] {
    std::fputs("tilegpt-run: error: out of memory\n", stderr);
    ::_exit(exitCode(runtime::ErrorCode::Device));
  });
  // A file that may not grow further is an error of write(2).
  std::signal(SIGXFSZ, SIG_IGN);
  // open() takes the lowest free number; reading from stdin or writing to the
  // others fails as it would on a closed stream.
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0)
      ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

void Progress::show(std::string_view what) {
  if (!::isatty(STDERR_FILENO))
    return;
  shown = true;
  std::fprintf(stderr, "\r\033[K%.*s", int(what.size()), what.data());
  std::fflush(stderr);
}

void Progress::clear() {
  if (std::exchange(shown, false))
    std::fputs("\r\033[K", stderr);
}

int run::reportError(const runtime::Error &error) {
  std::fprintf(stderr, "tilegpt-run: error: %s\n", error.message.c_str());
  return exitCode(error.code);
}
