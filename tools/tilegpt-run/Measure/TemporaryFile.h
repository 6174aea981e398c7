// A file that nothing but this process reads.
#ifndef TILEGPT_TOOLS_RUN_MEASURE_TEMPORARYFILE_H
#define TILEGPT_TOOLS_RUN_MEASURE_TEMPORARYFILE_H

#include "TileGPT/Runtime/Error.h"
#include <filesystem>
#include <unistd.h>

namespace tilegpt::run {

/// A name in the folder for temporary files; the file is deleted with the
/// object. One object per name at a time.
class TemporaryFile {
public:
  explicit TemporaryFile(std::string_view name)
      : file(std::filesystem::temp_directory_path() /
             runtime::concat(name, "-", ::getpid())) {}
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(file, ignored);
  }
  TemporaryFile(const TemporaryFile &) = delete;
  TemporaryFile &operator=(const TemporaryFile &) = delete;

  const std::filesystem::path &path() const { return file; }

private:
  std::filesystem::path file;
};

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_MEASURE_TEMPORARYFILE_H
