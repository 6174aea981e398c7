// A folder for the files of one test, deleted with this object.
#ifndef TILEGPT_TEST_UNIT_RUNTIME_TEMPORARYFOLDER_H
#define TILEGPT_TEST_UNIT_RUNTIME_TEMPORARYFOLDER_H

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace tilegpt {

class TemporaryFolder {
public:
  TemporaryFolder() {
    std::string pattern =
        std::filesystem::temp_directory_path() / "tilegpt-test-XXXXXX";
    path = mkdtemp(pattern.data());
  }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  ~TemporaryFolder() { std::filesystem::remove_all(path); }

  /// Writes a file and returns its path.
  std::filesystem::path write(std::string_view name,
                              std::string_view content) const {
    const auto file = path / name;
    std::ofstream(file, std::ios::binary) << content;
    return file;
  }

  std::filesystem::path path;
};

} // namespace tilegpt

#endif // TILEGPT_TEST_UNIT_RUNTIME_TEMPORARYFOLDER_H
