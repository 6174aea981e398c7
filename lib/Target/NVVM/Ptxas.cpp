// Runs ptxas on in-memory files: input, output and messages do not touch the
// file system.
#include "TileGPT/Target/NVVM/Ptxas.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Program.h"
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tilegpt;
using namespace tilegpt::target;
using llvm::StringRef;

extern char **environ;

static llvm::Error systemError(llvm::StringRef action, int number = errno) {
  const std::error_code code(number, std::generic_category());
  return llvm::createStringError(code, "ptxas: cannot " + action + ": " +
                                           code.message());
}

namespace {

/// An in-memory file with the lifetime of this object.
class MemoryFile {
public:
  MemoryFile() : descriptor(::memfd_create("tilegpt-ptxas", MFD_CLOEXEC)) {}
  MemoryFile(const MemoryFile &) = delete;
  MemoryFile &operator=(const MemoryFile &) = delete;
  ~MemoryFile() {
    if (descriptor >= 0)
      ::close(descriptor);
  }

  int get() const { return descriptor; }
  /// A path under which a child that inherits the descriptor opens the file.
  std::string path() const {
    return "/proc/self/fd/" + llvm::itostr(descriptor);
  }

  bool write(StringRef content) {
    while (!content.empty()) {
      const ssize_t count = ::write(descriptor, content.data(), content.size());
      if (count < 0 && errno != EINTR)
        return false;
      content = content.drop_front(size_t(std::max<ssize_t>(count, 0)));
    }
    return true;
  }

  /// The entire content; the unreadable rest is missing.
  template <typename Container>
  Container read() const {
    struct stat status = {};
    ::fstat(descriptor, &status);
    Container content;
    content.resize(size_t(status.st_size));
    size_t filled = 0;
    while (filled < content.size()) {
      const ssize_t count = ::pread(descriptor, content.data() + filled,
                                    content.size() - filled, off_t(filled));
      if (count < 0 && errno == EINTR)
        continue;
      if (count <= 0)
        break;
      filled += size_t(count);
    }
    content.resize(filled);
    return content;
  }

private:
  int descriptor;
};

/// Attributes and file actions of a child process.
class SpawnActions {
public:
  SpawnActions() { ::posix_spawn_file_actions_init(&actions); }
  SpawnActions(const SpawnActions &) = delete;
  SpawnActions &operator=(const SpawnActions &) = delete;
  ~SpawnActions() { ::posix_spawn_file_actions_destroy(&actions); }

  /// Maps `from` to descriptor `to` in the child.
  void give(int from, int to) {
    ::posix_spawn_file_actions_adddup2(&actions, from, to);
  }
  const posix_spawn_file_actions_t *get() const { return &actions; }

private:
  posix_spawn_file_actions_t actions;
};

} // namespace

/// Runs a program to completion; `inherited` descriptors keep their numbers.
/// \returns its status as reported by waitpid().
static llvm::Expected<int> runProgram(llvm::ArrayRef<std::string> arguments,
                                      llvm::ArrayRef<int> inherited,
                                      const MemoryFile &printed) {
  SpawnActions actions;
  actions.give(printed.get(), STDOUT_FILENO);
  actions.give(printed.get(), STDERR_FILENO);
  for (int descriptor : inherited)
    actions.give(descriptor, descriptor);
  llvm::SmallVector<char *> pointers;
  for (const std::string &argument : arguments)
    pointers.push_back(const_cast<char *>(argument.c_str()));
  pointers.push_back(nullptr);

  pid_t child;
  if (const int error = ::posix_spawn(&child, pointers[0], actions.get(),
                                      nullptr, pointers.data(), environ))
    return systemError("start " + arguments[0], error);
  int status;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return systemError("wait for " + arguments[0]);
  return status;
}

/// "by signal 9" or "with exit code 255", for error messages.
static std::string describe(int status) {
  return WIFSIGNALED(status)
             ? "by signal " + llvm::itostr(WTERMSIG(status))
             : "with exit code " + llvm::itostr(WEXITSTATUS(status));
}

llvm::Expected<Ptxas> Ptxas::open(StringRef path) {
  MemoryFile printed;
  if (printed.get() < 0)
    return systemError("create a file in memory");
  llvm::Expected<int> status =
      runProgram({path.str(), "--version"}, {}, printed);
  if (!status)
    return status.takeError();
  const std::string text = printed.read<std::string>();
  // "Cuda compilation tools, release 13.0, V13.0.88"
  const StringRef version =
      StringRef(text).split(", V").second.split('\n').first;
  if (*status != 0 || version.empty() || !llvm::isDigit(version.front()))
    return llvm::createStringError("ptxas: '" + path +
                                   " --version' does not answer as ptxas does");
  return Ptxas(path.str(), version.trim().str());
}

llvm::Expected<std::optional<Ptxas>> Ptxas::find() {
  std::string path;
  if (const char *chosen = ::getenv("TILEGPT_PTXAS"); chosen && *chosen) {
    if (StringRef(chosen) == "off")
      return std::nullopt;
    path = chosen;
  } else if (auto found = llvm::sys::findProgramByName("ptxas")) {
    path = std::move(*found);
  } else if (auto installed = llvm::sys::findProgramByName(
                 "ptxas", {"/usr/local/cuda/bin"})) {
    path = std::move(*installed);
  } else {
    return std::nullopt;
  }
  llvm::Expected<Ptxas> opened = open(path);
  if (!opened)
    return opened.takeError();
  return std::optional(std::move(*opened));
}

llvm::Expected<Ptxas::Output> Ptxas::assemble(StringRef ptx,
                                              StringRef architecture) const {
  MemoryFile input, output, printed;
  if (input.get() < 0 || output.get() < 0 || printed.get() < 0)
    return systemError("create a file in memory");
  if (!input.write(ptx))
    return systemError("write a file in memory");
  std::vector<std::string> command = {path, "-arch=" + architecture.str(),
                                      "-v", input.path(),
                                      "-o", output.path()};
  if (ptx.contains("\t.loc\t"))
    command.emplace_back("-lineinfo");
  llvm::Expected<int> status =
      runProgram(command, {input.get(), output.get()}, printed);
  if (!status)
    return status.takeError();
  const std::string text = printed.read<std::string>();
  Output result{output.read<Cubin>(), parsePtxasReport(text)};
  if (*status != 0 || result.cubin.empty())
    return llvm::createStringError("ptxas: " + path + " " + getVersion() +
                                   " ended " + describe(*status) + ":\n" +
                                   StringRef(text).trim());
  return result;
}
