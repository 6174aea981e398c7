// Plain system calls: they report a full disk when it happens, which buffered
// streams hide until someone asks.
#include "OutputFile.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace tilegpt::runtime;

OutputFile::OutputFile(std::filesystem::path target)
    : path(std::move(target)),
      descriptor(
          ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)),
      error(descriptor < 0 ? errno : 0) {
  // Half a file must not stay; a device or a pipe does.
  struct stat status;
  removeAtEnd = descriptor >= 0 && ::fstat(descriptor, &status) == 0 &&
                S_ISREG(status.st_mode);
}

OutputFile::~OutputFile() {
  if (descriptor >= 0)
    ::close(descriptor);
  if (removeAtEnd)
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

Result<void> OutputFile::finish(std::string_view room) {
  if (error == 0 && ::close(std::exchange(descriptor, -1)) != 0)
    error = errno;
  if (error != 0)
    return makeError(ErrorCode::Failure, room, ": cannot write '",
                     path.string(), "': ", std::strerror(error));
  removeAtEnd = false;
  return {};
}
