// A file being written by one of the writers here: errors are kept until the
// end, and a file that could not be completed is removed.
#ifndef TILEGPT_LIB_RUNTIME_DATA_OUTPUTFILE_H
#define TILEGPT_LIB_RUNTIME_DATA_OUTPUTFILE_H

#include "TileGPT/Runtime/Error.h"
#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

namespace tilegpt::runtime {

/// Writes straight to `path`, so that a device or a pipe will do, too.
class OutputFile {
public:
  explicit OutputFile(std::filesystem::path target);
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;
  ~OutputFile();

  /// Does nothing after an error.
  void write(std::span<const std::byte> bytes);

  /// Must be called for the file to stay.
  /// \param room  starts the message: "npy".
  /// \returns Failure with the system's reason if anything could not be
  /// written.
  Result<void> finish(std::string_view room);

private:
  std::filesystem::path path;
  int descriptor;
  int error; ///< errno of the first failure, or 0
  bool removeAtEnd;
};

} // namespace tilegpt::runtime

#endif // TILEGPT_LIB_RUNTIME_DATA_OUTPUTFILE_H
