// Maps files and handles the SIGBUS of a file that was truncated in the
// meantime. A signal handler reads the list of mappings, so the list consists
// of atomics and its nodes are never freed.
#include "TileGPT/Runtime/Data/MappedFile.h"
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace tilegpt::runtime;

/// A mapping registered with the signal handler. `begin` is null while the node
/// is free; the message of a node in use does not change.
struct MappedFile::Guard {
  std::atomic<const std::byte *> begin = nullptr;
  std::atomic<size_t> size = 0;
  std::string message;
  Guard *next = nullptr;

  static std::atomic<Guard *> all;
  static std::mutex writing;
  static struct sigaction previous;

  static void handle(int signal, siginfo_t *info, void *context);
  static void installOnce();
  static Guard *add(std::span<const std::byte> content, std::string message);
};

std::atomic<MappedFile::Guard *> MappedFile::Guard::all = nullptr;
std::mutex MappedFile::Guard::writing;
struct sigaction MappedFile::Guard::previous;

void MappedFile::Guard::handle(int signal, siginfo_t *info, void *context) {
  const auto address = reinterpret_cast<uintptr_t>(info->si_addr);
  for (Guard *guard = all.load(std::memory_order_acquire); guard;
       guard = guard->next) {
    const auto begin = reinterpret_cast<uintptr_t>(
        guard->begin.load(std::memory_order_acquire));
    if (begin == 0 || address - begin >= guard->size.load())
      continue;
    // Nothing more can be reported if stderr is closed.
    [[maybe_unused]] const ssize_t written =
        ::write(STDERR_FILENO, guard->message.data(), guard->message.size());
    ::_exit(exitCode(ErrorCode::BadInput));
  }
  if (previous.sa_flags & SA_SIGINFO)
    return previous.sa_sigaction(signal, info, context);
  if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN)
    return previous.sa_handler(signal);
  // Not one of these mappings: fault again on return, with the default action.
  ::signal(SIGBUS, SIG_DFL);
  ::raise(SIGBUS);
}

void MappedFile::Guard::installOnce() {
  static const bool installed [[maybe_unused]] = [] {
    struct sigaction action = {};
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    ::sigemptyset(&action.sa_mask);
    return ::sigaction(SIGBUS, &action, &previous) == 0;
  }();
}

MappedFile::Guard *MappedFile::Guard::add(std::span<const std::byte> content,
                                          std::string message) {
  installOnce();
  const std::lock_guard lock(writing);
  Guard *guard = all.load();
  while (guard && guard->begin.load())
    guard = guard->next;
  const bool isNew = !guard;
  if (isNew)
    guard = new Guard;
  guard->message = std::move(message);
  guard->size.store(content.size());
  guard->begin.store(content.data(), std::memory_order_release);
  if (isNew) {
    guard->next = all.load();
    all.store(guard, std::memory_order_release);
  }
  return guard;
}

Result<MappedFile> MappedFile::open(const std::filesystem::path &path,
                                    std::string_view room) {
  const auto failed = [&](std::string_view reason) {
    return makeError(ErrorCode::BadInput, room, ": cannot open '",
                     path.string(), "': ", reason);
  };
  MappedFile file;
  // O_NONBLOCK: opening a pipe without a writer would wait forever.
  file.descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat status;
  if (file.descriptor < 0 || ::fstat(file.descriptor, &status) != 0)
    return failed(std::strerror(errno));
  if (!S_ISREG(status.st_mode))
    return failed("not a regular file");
  if (status.st_size == 0)
    return file;
  const auto size = size_t(status.st_size);
  void *mapped =
      ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.descriptor, 0);
  if (mapped == MAP_FAILED)
    return failed(std::strerror(errno));
  file.content = {static_cast<const std::byte *>(mapped), size};
  file.guard = Guard::add(
      file.content,
      concat(
          room, ": '", path.string(),
          "' was truncated while it was in use; restore it and run again\n"));
  if (file.text().starts_with("version https://git-lfs"))
    return makeError(ErrorCode::BadInput, room, ": '", path.string(),
                     "' is a pointer of Git LFS to the file, not the file; get "
                     "it with 'git lfs pull' or 'hf download'");
  return file;
}

MappedFile::MappedFile(MappedFile &&other) noexcept
    : content(std::exchange(other.content, {})),
      descriptor(std::exchange(other.descriptor, -1)),
      guard(std::exchange(other.guard, nullptr)) {}

MappedFile &MappedFile::operator=(MappedFile &&other) noexcept {
  std::swap(content, other.content);
  std::swap(descriptor, other.descriptor);
  std::swap(guard, other.guard);
  return *this;
}

MappedFile::~MappedFile() {
  if (guard)
    guard->begin.store(nullptr, std::memory_order_release);
  if (!content.empty())
    ::munmap(const_cast<std::byte *>(content.data()), content.size());
  if (descriptor >= 0)
    ::close(descriptor);
}

bool tilegpt::runtime::mayExist(const std::filesystem::path &path) {
  std::error_code ignored;
  return status(path, ignored).type() != std::filesystem::file_type::not_found;
}

Result<void> MappedFile::checkIntact() const {
  struct stat status;
  if (content.empty() || (::fstat(descriptor, &status) == 0 &&
                          size_t(status.st_size) >= content.size()))
    return {};
  // Without the newline that the handler needs.
  return makeError(
      ErrorCode::BadInput,
      std::string_view(guard->message).substr(0, guard->message.size() - 1));
}
