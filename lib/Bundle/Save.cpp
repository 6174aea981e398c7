// Writes a bundle so that a reader never sees half of one, not even after a
// crash or on a full disk.
#include "TileGPT/Bundle/Bundle.h"
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

using namespace tilegpt;
using namespace tilegpt::bundle;
using runtime::ErrorCode;

namespace {

/// A file under construction: removed again unless it was renamed to its name.
class TemporaryFile {
public:
  explicit TemporaryFile(const std::filesystem::path &target)
      : path(target.string() + ".XXXXXX"),
        descriptor(mkostemp(path.data(), O_CLOEXEC)) {}
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

  /// Makes the content durable and gives the file its name and the mode the
  /// umask allows (mkostemp's is 0600).
  bool publish(const std::filesystem::path &target) {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    if (::fchmod(descriptor, 0666 & ~mask) != 0 || ::fsync(descriptor) != 0 ||
        !close() || ::rename(path.c_str(), target.c_str()) != 0)
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
