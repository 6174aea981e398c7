// Vector widths and bank conflicts of shared memory accesses.
#include "TileGPT/Dialect/TileGPU/IR/SharedAccess.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <array>
#include <numeric>
#include <set>

using namespace mlir;

namespace tilegpt::tilegpu {

static constexpr int64_t numBanks = 32, bankBytes = 4;
static constexpr int64_t maxAccessBytes = 16;

int64_t getLargestVector(SharedType buffer, int64_t alignment) {
  if (buffer.getRank() == 0)
    return 1;
  // Rows of panels are whole 16-byte units.
  const int64_t row = buffer.getShape().back() + buffer.getPadding();
  const int64_t common =
      std::gcd(alignment, buffer.getSwizzle() ? maxAccessBytes
                                              : std::gcd(row, maxAccessBytes));
  return std::min(std::gcd(common, maxAccessBytes),
                  maxAccessBytes / memoryBytes(buffer.getElementType()));
}

int64_t getAccessVector(LayoutAttr layout, SharedType buffer,
                        int64_t alignment) {
  if (buffer.getRank() == 0)
    return 1;
  const int64_t size = layout.getVectorSize(buffer.getRank() - 1);
  return getLargestVector(buffer, std::gcd(size, alignment));
}

int64_t getSharedVector(SharedType type) {
  int64_t size = sharedUnitBytes / memoryBytes(type.getElementType());
  // Swizzled rows are whole units.
  if (type.getSwizzle())
    return size;
  for (int64_t axis = 0; axis + 1 < type.getRank(); ++axis)
    size = std::gcd(size, type.getStride(axis));
  return size;
}

int64_t countPasses(ArrayRef<int64_t> addresses, int64_t bytes) {
  // Wide accesses are served in groups of lanes that move 128 bytes together.
  size_t group = std::min(warpLanes, numBanks * bankBytes / bytes);
  int64_t passes = 0;
  for (; !addresses.empty();
       addresses = addresses.drop_front(std::min(group, addresses.size()))) {
    std::array<std::set<int64_t>, numBanks> words;
    size_t most = 0;
    for (int64_t address : addresses.take_front(group)) {
      if (address < 0)
        continue;
      for (int64_t word = address / bankBytes;
           word <= (address + bytes - 1) / bankBytes; ++word) {
        std::set<int64_t> &bank = words[word % numBanks];
        bank.insert(word);
        most = std::max(most, bank.size());
      }
    }
    passes += most;
  }
  return passes;
}

int64_t countPasses(LayoutAttr layout, SharedType buffer, int64_t vector) {
  // Registers and warps offset all lanes equally, which rotates banks without
  // adding conflicts.
  int64_t rank = buffer.getRank(), bytes = memoryBytes(buffer.getElementType());
  SmallVector<int64_t> addresses;
  for (int64_t lane = 0; lane < warpLanes; ++lane) {
    SmallVector<int64_t> offset = layout.getThreadOffset(lane, 0, rank);
    bool isInside = true;
    int64_t element = 0;
    for (int64_t axis = 0; axis < rank; ++axis) {
      isInside &= offset[axis] < buffer.getShape()[axis];
      element += offset[axis] * buffer.getStride(axis);
    }
    addresses.push_back(isInside ? element * bytes : -1);
  }
  return countPasses(addresses, vector * bytes);
}

SharedType getExchangeBuffer(RankedTensorType tile, LayoutAttr writer,
                             LayoutAttr reader) {
  ArrayRef<int64_t> shape = tile.getShape();
  Type element = tile.getElementType();
  auto padded = [&](int64_t padding) {
    return SharedType::get(tile.getContext(), shape, element, /*swizzle=*/0,
                           padding);
  };
  // Every access is also an instruction.
  auto cost = [&](LayoutAttr layout, SharedType buffer) {
    int64_t vector = getAccessVector(layout, buffer, shape.back());
    return (countPasses(layout, buffer, vector) + 1) *
           (layout.getNumRegisters() / vector);
  };
  SharedType best = padded(0);
  if (shape.size() < 2)
    return best;
  int64_t least = cost(writer, best) + cost(reader, best);
  // Paddings beyond the 128 bytes of all banks repeat.
  static_assert(mostExchangePadding == numBanks * bankBytes / 2);
  int64_t last = mostExchangePadding / memoryBytes(element);
  for (int64_t padding = 1; padding <= last; padding *= 2) {
    SharedType buffer = padded(padding);
    int64_t total = cost(writer, buffer) + cost(reader, buffer);
    if (total < least) {
      least = total;
      best = buffer;
    }
  }
  return best;
}

} // namespace tilegpt::tilegpu
