// Unbuffered system calls: they report a full disk immediately.
#include "TileGPT/Runtime/Data/OutputFile.h"
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace tilegpt::runtime;

/// Resolves a path that may be a link to a file that does not exist yet.
static std::filesystem::path followLinks(std::filesystem::path path) {
  constexpr int mostLinks = 40; // as many as the system follows
  std::error_code error;
  for (int i = 0; i < mostLinks; ++i) {
    const auto next = std::filesystem::read_symlink(path, error);
    if (error)
      break;
    path = path.parent_path() / next;
  }
  return path;
}

OutputFile::OutputFile(const std::filesystem::path &target)
    : named(target), target(followLinks(target)) {
  open();
}

void OutputFile::open() {
  struct stat status;
  const bool exists = ::stat(target.c_str(), &status) == 0;
  if (exists && !S_ISREG(status.st_mode)) {
    path = target;
    descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    static std::atomic<unsigned> count;
    // A process on another machine that shares the folder may have the same id.
    do {
      path = target;
      path += "." + std::to_string(::getpid()) + "." + std::to_string(count++);
      descriptor =
          ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (descriptor < 0 && errno == EEXIST);
    isTemporary = descriptor >= 0;
    if (isTemporary && exists)
      ::fchmod(descriptor, status.st_mode & 07777);
  }
  if (descriptor < 0)
    error = errno;
}

OutputFile::~OutputFile() {
  if (descriptor >= 0)
    ::close(descriptor);
  if (isTemporary)
    ::unlink(path.c_str());
}

void OutputFile::write(std::span<const std::byte> bytes) {
  while (error == 0 && !bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written >= 0)
      bytes = bytes.subspan(size_t(written));
    else if (errno != EINTR)
      error = errno;
  }
}

/// Closes the file and renames it to its final name.
bool OutputFile::publish(bool durable) {
  if (durable && isTemporary && ::fsync(descriptor) != 0)
    return false;
  if (::close(std::exchange(descriptor, -1)) != 0 ||
      (isTemporary && ::rename(path.c_str(), target.c_str()) != 0))
    return false;
  isTemporary = false;
  return true;
}

Error OutputFile::failure(std::string_view room) const {
  return {ErrorCode::Failure, concat(room, ": cannot write '", named.string(),
                                     "': ", std::strerror(error))};
}

Result<void> OutputFile::finish(std::string_view room, bool durable) {
  if (error == 0 && !publish(durable))
    error = errno;
  if (error != 0)
    return tl::unexpected(failure(room));
  return {};
}

Result<void> OutputFile::check(const std::filesystem::path &target,
                               std::string_view room) {
  std::error_code ignored;
  if (std::filesystem::is_fifo(target, ignored))
    return {}; // opening one waits for its reader
  const OutputFile file(target);
  if (file.error != 0)
    return tl::unexpected(file.failure(room));
  return {};
}
