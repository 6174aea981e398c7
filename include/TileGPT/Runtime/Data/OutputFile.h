// Writes a file atomically and reports errors at the end.
#ifndef TILEGPT_RUNTIME_DATA_OUTPUTFILE_H
#define TILEGPT_RUNTIME_DATA_OUTPUTFILE_H

#include "TileGPT/Runtime/Error.h"
#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

namespace tilegpt::runtime {

/// Writes to a temporary file in the same directory, which replaces the target
/// at the end; symbolic links are followed. A device or a pipe is written to
/// directly.
class OutputFile {
public:
  explicit OutputFile(const std::filesystem::path &target);
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;
  /// Keeps the previous contents unless finish() has succeeded.
  ~OutputFile();

  /// Does nothing after an error.
  void write(std::span<const std::byte> bytes);

  /// Completes the file; without this call it is removed.
  /// \param room    starts the message: "npy".
  /// \param durable whether it must survive a crash of the machine.
  /// \returns Failure with the system's reason if anything could not be
  /// written.
  Result<void> finish(std::string_view room, bool durable = false);

  /// Whether a file could be written to `target` now; does not change it.
  /// \returns the error of finish().
  static Result<void> check(const std::filesystem::path &target,
                            std::string_view room);

private:
  void open();
  bool publish(bool durable);
  Error failure(std::string_view room) const;

  std::filesystem::path named;  ///< as given by the caller
  std::filesystem::path target; ///< after resolving links
  std::filesystem::path path;   ///< of the temporary file
  int descriptor = -1;
  int error = 0;            ///< errno of the first failure, or 0
  bool isTemporary = false; ///< `path` is to be renamed or removed
};

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_DATA_OUTPUTFILE_H
