// Writes a bundle so that a reader never sees half of one, not even after a
// crash or on a full disk.
#include "TileGPT/Bundle/Bundle.h"
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <unistd.h>
#include <utility>

using namespace tilegpt;
using namespace tilegpt::bundle;
using runtime::ErrorCode;

namespace {

/// A file under construction, beside the one it will replace: removed again
/// unless it was renamed.
class TemporaryFile {
public:
  explicit TemporaryFile(const std::filesystem::path &target)
      : path(target.string() + "." + std::to_string(::getpid()) + "." +
             std::to_string(
                 std::chrono::steady_clock::now().time_since_epoch().count())),
        descriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                          0666)) {}
  ~TemporaryFile() {
    close();
    if (exists)
      ::unlink(path.c_str());
  }

  bool isOpen() const { return descriptor >= 0; }

  bool write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR)
        continue;
      if (written < 0)
        return false;
      bytes = bytes.subspan(size_t(written));
    }
    return true;
  }

  /// Makes the content durable and gives the file its name.
  bool publish(const std::filesystem::path &target) {
    if (::fsync(descriptor) != 0 || !close() ||
        ::rename(path.c_str(), target.c_str()) != 0)
      return false;
    exists = false;
    return true;
  }

private:
  bool close() {
    const int closing = std::exchange(descriptor, -1);
    return closing < 0 || ::close(closing) == 0;
  }

  std::string path;
  int descriptor;
  bool exists = descriptor >= 0;
};

} // namespace

runtime::Result<void> tilegpt::bundle::save(std::span<const std::byte> image,
                                            const std::filesystem::path &path) {
  const auto failed = [&] {
    return runtime::makeError(ErrorCode::Failure,
                              "bundle: cannot write '" + path.string() +
                                  "': " + std::strerror(errno));
  };
  TemporaryFile file(path);
  if (!file.isOpen() || !file.write(image) || !file.publish(path))
    return failed();
  return {};
}
