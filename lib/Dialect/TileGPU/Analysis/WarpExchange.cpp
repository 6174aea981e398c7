// Groups the registers of a warp and moves them through its shared memory.
#include "TileGPT/Dialect/TileGPU/Analysis/WarpExchange.h"
#include "TileGPT/Dialect/TileGPU/IR/SharedAccess.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include <map>

using namespace mlir;

namespace tilegpt::tilegpu {

/// Calls `visit` with the warp-relative coordinates of every element that a
/// warp holds in a register.
static void forEachLane(RankedTensorType type, int64_t reg,
                        function_ref<void(ArrayRef<int64_t>)> visit) {
  LayoutAttr layout = LayoutAttr::of(type);
  int64_t rank = type.getRank();
  SmallVector<int64_t> offset = layout.getRegisterOffset(reg, rank);
  for (int64_t lane = 0; lane < warpLanes; ++lane) {
    SmallVector<int64_t> element = layout.getThreadOffset(lane, 0, rank);
    for (int64_t axis = 0; axis < rank; ++axis)
      element[axis] += offset[axis];
    visit(element);
  }
}

static bool isInside(ArrayRef<int64_t> element, ArrayRef<int64_t> shape) {
  return llvm::all_of(llvm::zip_equal(element, shape), [](auto pair) {
    return std::get<0>(pair) < std::get<1>(pair);
  });
}

std::optional<WarpExchange> WarpExchange::between(RankedTensorType source,
                                                  RankedTensorType result) {
  if (source.getRank() == 0 ||
      LayoutAttr::of(source).getWarps() != LayoutAttr::of(result).getWarps())
    return std::nullopt;
  WarpExchange exchange(source, result);
  // Adjacent elements of one access stay together.
  exchange.writeVector =
      LayoutAttr::of(source).getVectorSize(source.getRank() - 1);
  exchange.readVector =
      LayoutAttr::of(result).getVectorSize(source.getRank() - 1);
  if (!exchange.findPieces())
    return std::nullopt;
  exchange.chooseBuffer();
  return exchange;
}

bool WarpExchange::findPieces() {
  int64_t numWritten = LayoutAttr::of(source).getNumRegisters(),
          numRead = LayoutAttr::of(result).getNumRegisters();
  // Registers of the result are numbered after those of the source.
  llvm::EquivalenceClasses<int64_t> classes;
  std::map<SmallVector<int64_t>, int64_t> writerOf;
  for (int64_t reg = 0; reg < numWritten; ++reg) {
    classes.unionSets(reg, reg - reg % writeVector);
    forEachLane(source, reg, [&](ArrayRef<int64_t> element) {
      writerOf.try_emplace(SmallVector<int64_t>(element), reg);
    });
  }
  bool isComplete = true;
  for (int64_t reg = 0; reg < numRead; ++reg) {
    classes.unionSets(numWritten + reg, numWritten + reg - reg % readVector);
    forEachLane(result, reg, [&](ArrayRef<int64_t> element) {
      auto writer = writerOf.find(SmallVector<int64_t>(element));
      if (writer != writerOf.end())
        classes.unionSets(writer->second, numWritten + reg);
      else if (isInside(element, source.getShape()))
        isComplete = false;
    });
  }
  // In the order of the result's registers.
  std::map<int64_t, size_t> pieceOf;
  for (int64_t reg = 0; reg < numRead; ++reg) {
    auto [it, isNew] = pieceOf.try_emplace(
        classes.getLeaderValue(numWritten + reg), pieces.size());
    if (isNew)
      pieces.emplace_back();
    pieces[it->second].read.push_back(reg);
  }
  for (int64_t reg = 0; reg < numWritten; ++reg)
    if (auto it = pieceOf.find(classes.getLeaderValue(reg));
        it != pieceOf.end())
      pieces[it->second].written.push_back(reg);
  // Pieces that are entirely padding are skipped.
  llvm::erase_if(pieces,
                 [](const Piece &piece) { return piece.written.empty(); });
  return isComplete;
}

SmallVector<int64_t> WarpExchange::placePiece(Piece &piece) const {
  SmallVector<int64_t> last;
  auto include = [&](ArrayRef<int64_t> element) {
    if (last.empty()) {
      piece.origin.assign(element.begin(), element.end());
      last.assign(element.begin(), element.end());
    }
    for (auto [first, end, coordinate] :
         llvm::zip_equal(piece.origin, last, element)) {
      first = std::min(first, coordinate);
      end = std::max(end, coordinate);
    }
  };
  for (int64_t reg : piece.written)
    forEachLane(source, reg, include);
  for (int64_t reg : piece.read)
    forEachLane(result, reg, include);
  // Accesses are aligned in the tile, so align them in the box.
  constexpr int64_t widest = 16;
  piece.origin.back() -= piece.origin.back() % widest;
  SmallVector<int64_t> box;
  for (auto [first, end] : llvm::zip_equal(piece.origin, last))
    box.push_back(end - first + 1);
  return box;
}

void WarpExchange::chooseBuffer() {
  SmallVector<int64_t> shape(source.getRank(), 1);
  for (Piece &piece : pieces)
    for (auto [size, needed] : llvm::zip_equal(shape, placePiece(piece)))
      size = std::max(size, needed);
  auto box = RankedTensorType::get(shape, source.getElementType());
  LayoutAttr writer = LayoutAttr::of(source), reader = LayoutAttr::of(result);
  buffer = getExchangeBuffer(box, writer, reader);
  writeVector = getAccessVector(writer, buffer, shape.back());
  readVector = getAccessVector(reader, buffer, shape.back());
}

int64_t WarpExchange::getBytes(PlanAttr plan) const {
  return plan.getWarps() * buffer.getNumBytes();
}

} // namespace tilegpt::tilegpu
