// A whole file, mapped read-only. If another program truncates it, the process
// ends with a message instead of an unexplained SIGBUS.
#ifndef TILEGPT_RUNTIME_DATA_MAPPEDFILE_H
#define TILEGPT_RUNTIME_DATA_MAPPEDFILE_H

#include "TileGPT/Runtime/Error.h"
#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

namespace tilegpt::runtime {

/// Move-only; bytes() keeps its address when the object is moved.
///
/// The last pages of a file that was truncated after it was mapped cannot be
/// read. checkIntact() reports that as an error that the caller can handle. For
/// accesses in between, and for weights that kernels read directly from the
/// mapping, open() installs a SIGBUS handler: a fault inside a mapping prints
/// one line with the file's name and ends the process with exit code 3 (bad
/// input); any other fault is passed to the previous handler.
class MappedFile {
public:
  /// \param room  starts the messages: "weights", "tokenizer".
  /// \returns BadInput if the file cannot be opened, is not a regular file,
  /// cannot be mapped or is a pointer of Git LFS. An empty file has no bytes.
  static Result<MappedFile> open(const std::filesystem::path &path,
                                 std::string_view room);

  MappedFile(MappedFile &&other) noexcept;
  MappedFile &operator=(MappedFile &&other) noexcept;
  ~MappedFile();

  std::span<const std::byte> bytes() const { return content; }
  std::string_view text() const {
    return {reinterpret_cast<const char *>(content.data()), content.size()};
  }

  /// \returns BadInput if the file is shorter now than when it was opened.
  Result<void> checkIntact() const;

private:
  struct Guard;
  MappedFile() = default;

  std::span<const std::byte> content;
  int descriptor = -1;
  Guard *guard = nullptr;
};

/// Whether a path exists, or cannot be checked: opening it then reports the
/// reason.
bool mayExist(const std::filesystem::path &path);

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_DATA_MAPPEDFILE_H
