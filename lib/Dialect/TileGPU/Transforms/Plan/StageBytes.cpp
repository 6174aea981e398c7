// Sums the tiles that a producer copies per iteration.
#include "Plan/StageBytes.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mlir;

namespace tilegpt::tilegpu {

int64_t stageBytesOf(ArrayRef<Mainloop> matches, bool copiesAll) {
  SmallVector<SmallVector<SharedType>> rings;
  int64_t bytes = 0;
  for (const Mainloop &match : matches) {
    SmallVector<SharedType> types;
    int64_t stage = 0;
    auto add = [&](const StreamLoad &stream) {
      types.push_back(stream.getRingType(/*stages=*/1));
      stage += stream.getBytes();
    };
    llvm::for_each(match.streams, add);
    if (copiesAll)
      llvm::for_each(match.copyable, add);
    if (llvm::is_contained(rings, types))
      continue;
    rings.push_back(std::move(types));
    bytes += stage;
  }
  return bytes;
}

int64_t stagesForLatency(int64_t stageBytes, int64_t least, int64_t most) {
  constexpr int64_t latencyBytes = 64 << 10;
  return std::clamp(1 + int64_t(llvm::divideCeil(latencyBytes, stageBytes)),
                    least, most);
}

} // namespace tilegpt::tilegpu
