// A file being written: a reader never sees half of one, and errors are kept
// until the end.
#ifndef TILEGPT_RUNTIME_DATA_OUTPUTFILE_H
#define TILEGPT_RUNTIME_DATA_OUTPUTFILE_H

#include "TileGPT/Runtime/Error.h"
#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

namespace tilegpt::runtime {

/// Writes to a file beside the one it will replace, which it becomes at the
/// end; symbolic links are followed. A device or a pipe is written to directly.
class OutputFile {
public:
  explicit OutputFile(const std::filesystem::path &target);
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;
  /// Keeps the previous contents unless finish() has succeeded.
  ~OutputFile();

  /// Does nothing after an error.
  void write(std::span<const std::byte> bytes);

  /// Must be called for the file to stay.
  /// \param room    starts the message: "npy".
  /// \param durable whether it must outlast a crash of the machine as well.
  /// \returns Failure with the system's reason if anything could not be
  /// written.
  Result<void> finish(std::string_view room, bool durable = false);

  /// Whether a file could be written to `target` now; leaves it as it is.
  /// \returns the error of finish().
  static Result<void> check(const std::filesystem::path &target,
                            std::string_view room);

private:
  void open();
  bool publish(bool durable);
  Error failure(std::string_view room) const;

  std::filesystem::path named;  ///< by the caller
  std::filesystem::path target; ///< after resolving links
  std::filesystem::path path;   ///< of the temporary file
  int descriptor = -1;
  int error = 0;            ///< errno of the first failure, or 0
  bool isTemporary = false; ///< `path` is to be renamed or removed
};

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_DATA_OUTPUTFILE_H
