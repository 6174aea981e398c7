// Writes a bundle atomically: no reader sees a partial bundle, even after a
// crash or on a full disk.
#include "TileGPT/Bundle/Bundle.h"
#include "TileGPT/Runtime/Data/OutputFile.h"

using namespace tilegpt;

runtime::Result<void> tilegpt::bundle::save(std::span<const std::byte> image,
                                            const std::filesystem::path &path) {
  runtime::OutputFile file(path);
  file.write(image);
  return file.finish("bundle", /*durable=*/true);
}
