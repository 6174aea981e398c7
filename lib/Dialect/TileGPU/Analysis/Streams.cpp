// TMA parameters of a load, and the conditions under which TMA can perform it.
#include "TileGPT/Dialect/TileGPU/Analysis/Streams.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Dialect/Tile/Analysis/IndexFacts.h"
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "TileGPT/Dialect/Tile/IR/LaunchView.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilegpt::tilegpu {

static int64_t bytesOf(Type element) {
  return element.getIntOrFloatBitWidth() / 8;
}

SmallVector<int64_t> divisorsOfStrides(Value root) {
  if (!root.getDefiningOp<tile::ViewAtOp>())
    return tile::divisorsOfStrides(root);
  IndexFacts facts;
  return llvm::map_to_vector(
      facts.ofView(root).strides,
      [](const IntegerFacts &stride) { return stride.divisor; });
}

bool suitsTma(Value root) {
  constexpr int64_t unitBytes = 16, maxRank = 5;
  auto view = cast<tile::ViewType>(root.getType());
  if (root.getDefiningOp<tile::ViewAtOp>() &&
      IndexFacts().ofView(root).alignment % unitBytes != 0)
    return false;
  if (view.getRank() < 1 || view.getRank() > maxRank ||
      !view.getElementType().isIntOrFloat())
    return false;
  int64_t elementBytes = bytesOf(view.getElementType());
  SmallVector<int64_t> strides = divisorsOfStrides(root);
  return elementBytes != 0 && view.getKnownStrides().back() == 1 &&
         llvm::all_of(ArrayRef(strides).drop_back(), [&](int64_t stride) {
           return stride * elementBytes % unitBytes == 0;
         });
}

/// The widest swizzle whose panels make up rows of this many bytes. Rows that
/// would need 32-byte panels get wider, padded ones: TMA takes as long for 32
/// bytes as for 128.
static int64_t swizzleOf(int64_t rowBytes) {
  constexpr int64_t widest = 128, middle = 64, narrowest = 32;
  if (rowBytes % widest == 0)
    return widest;
  if (rowBytes % middle == 0)
    return middle;
  return rowBytes <= narrowest ? narrowest
         : rowBytes < middle   ? middle
                               : widest;
}

int64_t operandRowBytes(int64_t columns, Type element) {
  int64_t bytes = columns * bytesOf(element);
  return llvm::alignTo(bytes, swizzleOf(bytes));
}

SharedType bufferOfOperand(RankedTensorType tile) {
  Type element = tile.getElementType();
  int64_t bytes = bytesOf(element), columns = tile.getDimSize(1);
  return SharedType::get(
      tile.getContext(),
      {tile.getDimSize(0), operandRowBytes(columns, element) / bytes}, element,
      swizzleOf(columns * bytes), /*padding=*/0);
}

SharedType StreamLoad::getBufferType() const {
  return bufferOfOperand(tile::LoadOp(load).getType());
}

int64_t StreamLoad::getSwizzle() const { return getBufferType().getSwizzle(); }

int64_t StreamLoad::getColumns() const { return getBufferType().getShape()[1]; }

int64_t StreamLoad::getBytes() const {
  SharedType buffer = getBufferType();
  return buffer.getShape()[0] * buffer.getShape()[1] *
         bytesOf(buffer.getElementType());
}

TensorMapType StreamLoad::getMapType(int64_t blocks) const {
  SharedType buffer = getBufferType();
  SmallVector<int64_t> box(start.size(), 1);
  box[rowAxis] = buffer.getShape()[0] / blocks;
  box.back() = buffer.getSwizzle() / bytesOf(buffer.getElementType());
  return TensorMapType::get(buffer.getContext(), box, buffer.getElementType(),
                            buffer.getSwizzle());
}

SharedType StreamLoad::getRingType(int64_t stages) const {
  SharedType buffer = getBufferType();
  return SharedType::get(
      buffer.getContext(), {stages, buffer.getShape()[0], buffer.getShape()[1]},
      buffer.getElementType(), buffer.getSwizzle(), /*padding=*/0);
}

bool StreamLoad::isWholeWindow() {
  return isConstantIntValue(load.getIndices()[0], 0) &&
         getConstantIntValue(rows) == load.getType().getDimSize(0);
}

bool StreamLoad::isReproducible() {
  if (!isOfArgument() && !canReproduce(root))
    return false;
  bool startIs = llvm::all_of(start, [](ArrayRef<OpFoldResult> parts) {
    return llvm::all_of(parts, [](OpFoldResult part) {
      auto value = dyn_cast<Value>(part);
      return !value || canReproduce(value);
    });
  });
  auto end = dyn_cast_or_null<Value>(rows);
  return startIs && (!end || canReproduce(end)) &&
         llvm::all_of(load.getIndices(), canReproduce);
}

SmallVector<Value> StreamLoad::getFirstElement(OpBuilder &builder,
                                               IRMapping &known) {
  Location loc = load.getLoc();
  Arithmetic math(builder, loc);
  SmallVector<Value> place;
  for (auto [axis, parts] : llvm::enumerate(start)) {
    Value sum;
    auto add = [&](Value part) { sum = sum ? math.add(sum, part) : part; };
    auto addTiles = [&](int64_t tileAxis) {
      add(math.mul(reproduceScalar(builder, load.getIndices()[tileAxis], known),
                   load.getType().getDimSize(tileAxis)));
    };
    if (axis == rowAxis)
      addTiles(0);
    if (axis + 1 == start.size())
      addTiles(1);
    for (OpFoldResult part : parts)
      if (auto value = dyn_cast<Value>(part))
        add(reproduceScalar(builder, value, known));
      else
        add(arith::ConstantIndexOp::create(builder, loc,
                                           *getConstantIntValue(part)));
    place.push_back(sum);
  }
  return place;
}

std::optional<StreamLoad> matchStream(tile::LoadOp load, std::string *reason) {
  auto no = [&](StringRef why) {
    if (reason)
      *reason = why.str();
    return std::nullopt;
  };
  constexpr int64_t maxBoxRows = 256, rowStep = 8;
  RankedTensorType tile = load.getType();
  if (load.getMask())
    return no("a tile is loaded with a mask; apply the mask after the dot, or "
              "narrow the view with tile.subview");
  if (load.getOrder())
    return no("a tile is loaded with a permuted axis order");
  if (load.getPad() != tile::PadKind::Zero)
    return no("a tile is loaded with a pad value other than zero");
  if (tile.getRank() != 2 || !tile.hasStaticShape() ||
      !tile.getElementType().isIntOrFloat() ||
      tile.getElementTypeBitWidth() % 8 != 0)
    return no("a loaded tile is not a 2-D tile of whole bytes");
  if (tile.getDimSize(0) > maxBoxRows || tile.getDimSize(0) % rowStep != 0)
    return no("a loaded tile has more than 256 rows, or a number of rows that "
              "is not a multiple of 8");
  std::optional<Window> window =
      matchWindow(load.getView(), tile.getDimSize(1),
                  OpFoldResult(load.getIndices()[1]), reason);
  // A producer does not wait for stores of its own block.
  if (!window)
    return std::nullopt;
  if (!window->isOfArgument()) {
    if (!load->hasAttr(tile::settledAttr))
      return no("a tile is loaded from an address that the kernel may store "
                "to before");
  } else if (load->getParentOfType<tile::KernelOp>().isOut(
                 cast<BlockArgument>(window->root).getArgNumber())) {
    return no("a tile is loaded from an out, which the kernel may store to");
  }
  return StreamLoad{*window, load};
}

/// Whether tiles of `width` columns, starting with tile number `column`, end
/// with a window of `columns`, or earlier.
static bool staysInside(OpFoldResult columns, int64_t width,
                        OpFoldResult column) {
  std::optional<int64_t> known = getConstantIntValue(columns);
  if (!known)
    return false;
  return *known % width == 0 ||
         (*known >= width && isConstantIntValue(column, 0));
}

std::optional<Window> matchWindow(Value view, int64_t width,
                                  OpFoldResult column, std::string *reason) {
  auto no = [&](StringRef why) {
    if (reason)
      *reason = why.str();
    return std::nullopt;
  };
  Window match;
  match.start.resize(2);
  size_t columnAxis = 1;
  OpFoldResult columns;
  bool isWindow = false;
  while (Operation *op = view.getDefiningOp()) {
    if (isa<tile::ViewAtOp>(op))
      break;
    if (auto select = dyn_cast<tile::SelectOp>(op)) {
      SmallVector<SmallVector<OpFoldResult>> fixed;
      for (Value index : select.getIndices())
        fixed.push_back({index});
      match.start.insert(match.start.begin(), fixed.begin(), fixed.end());
      match.rowAxis += fixed.size();
      columnAxis += fixed.size();
      view = select.getSource();
      continue;
    }
    if (auto transpose = dyn_cast<tile::TransposeOp>(op)) {
      // Axis i of the result is axis permutation[i] of the source.
      ArrayRef<int64_t> permutation = transpose.getPermutation();
      match.start =
          applyPermutation(match.start, invertPermutationVector(permutation));
      match.rowAxis = permutation[match.rowAxis];
      columnAxis = permutation[columnAxis];
      view = transpose.getSource();
      continue;
    }
    auto window = dyn_cast<tile::SubviewOp>(op);
    if (!window)
      return no(
          "a tile is loaded from a view that is not a window of an argument");
    Builder builder(op->getContext());
    SmallVector<OpFoldResult> offsets =
                                  getMixedValues(window.getStaticOffsets(),
                                                 window.getOffsets(), builder),
                              sizes =
                                  getMixedValues(window.getStaticSizes(),
                                                 window.getSizes(), builder);
    for (auto [parts, offset] : llvm::zip_equal(match.start, offsets))
      if (!isConstantIntValue(offset, 0))
        parts.push_back(offset);
    if (!isWindow) {
      columns = sizes[columnAxis];
      match.rows = sizes[match.rowAxis];
      isWindow = true;
    }
    view = window.getSource();
  }
  match.root = view;
  if (!view.getDefiningOp() && !rootOf(view))
    return no(
        "a tile is loaded from a view that is not a window of an argument");
  auto type = cast<tile::ViewType>(match.root.getType());
  if (type.getRank() < 2 || size_t(type.getRank()) != match.start.size())
    return no("a tile is loaded from a 1-D view");
  if (columnAxis + 1 != match.start.size())
    return no("a tile is loaded from a transposed view whose rows are not "
              "contiguous");
  if (!suitsTma(match.root))
    return no("rows of a view are not known to start at multiples of 16 bytes");
  // A tile followed by others is followed by their columns.
  bool isWholeRow = match.start.back().empty() &&
                    isConstantIntValue(column, 0) &&
                    !ShapedType::isDynamic(type.getShape().back()) &&
                    width >= type.getShape().back();
  if (!isWindow) {
    match.hasZerosBehindColumns = isWholeRow;
    return match;
  }
  // A window that ends with the argument needs no clearing.
  if (match.start[match.rowAxis].empty() &&
      getConstantIntValue(match.rows) == type.getShape()[match.rowAxis])
    match.rows = {};
  bool endsWithArgument =
      match.start.back().empty() &&
      getConstantIntValue(columns) == type.getShape().back();
  if (!endsWithArgument && !staysInside(columns, width, column))
    return no("the columns of a window are not a multiple of the tile");
  match.hasZerosBehindColumns = isWholeRow && endsWithArgument;
  return match;
}

} // namespace tilegpt::tilegpu
