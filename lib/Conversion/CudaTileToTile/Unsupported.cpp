// Finds everything in CUDA Tile IR without a counterpart in the tile dialect;
// the patterns convert the rest.
#include "MemoryOrders.h"
#include "PackedViews.h"
#include "Stages.h"
#include "TileTypes.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tilegpt::cuda_tile {

/// The element type without a counterpart; null if there is none.
static Type missingElement(Type type) {
  Type element = type;
  if (auto tile = dyn_cast<TileType>(type))
    element = tile.getElementType();
  else if (auto tensor = dyn_cast<TensorViewType>(type))
    element = tensor.getElementType();
  else if (auto view = dyn_cast<TileView>(type))
    element = view.getTensor().getElementType();
  else
    return {};
  if (auto pointer = dyn_cast<PointerType>(element))
    element = pointer.getPointeeType();
  return convertElement(element) ? Type() : element;
}

/// A launch passes pointers and numbers.
static std::string missingFor(EntryOp op) {
  for (Type type : op.getArgumentTypes())
    if (!isa<TileType>(type))
      return llvm::formatv("arguments of type {0}; launches pass pointers and "
                           "numbers",
                           type);
  return {};
}

static std::string missingFor(GlobalOp op) {
  constexpr int64_t most = int64_t(1) << 20; // of tile.data
  const int64_t alignment = op.getAlignment();
  if (alignment <= most)
    return {};
  return llvm::formatv("memory of a module that begins at multiples of {0} "
                       "bytes, more than {1}",
                       alignment, most);
}

/// Half bytes are accessed in pairs.
static std::string missingFor(MakeTensorViewOp op) {
  TensorViewType tensor = op.getResult().getType();
  if (convertView(tensor))
    return {};
  return llvm::formatv("tensors of {0} but with an axis of stride 1 and an "
                       "even size, and other strides that are even",
                       tensor.getElementType());
}

static std::string missingTiles(TileView view) {
  Type element = view.getTensor().getElementType();
  if (!isHalfByte(element) || packTiles(view))
    return {};
  return llvm::formatv(
      "tiles with an odd number of {0}, or at odd steps, along "
      "the axis of stride 1",
      element);
}

static std::string missingPointee(TileType pointers) {
  Type pointee = cast<PointerType>(pointers.getElementType()).getPointeeType();
  if (!isHalfByte(pointee))
    return {};
  return llvm::formatv("pointers to the second {0} of a byte", pointee);
}

static std::string missingPadding(TileView view) {
  Attribute padding = view.getPadding();
  Type element = view.getTensor().getElementType();
  if (convertPadding(padding, element))
    return {};
  return llvm::formatv(
      "a {0} of {1}", stringifyEnum(cast<PaddingValueAttr>(padding).getValue()),
      element);
}

template <typename Op>
static std::string missingAccess(Op op) {
  auto view = cast<TileView>(op.getView().getType());
  for (std::string missing : {missingTiles(view), missingPadding(view)})
    if (!missing.empty())
      return missing;
  return {};
}

/// What the tile dialect lacks to represent an op; empty if it can.
static std::string missingFor(Operation *op) {
  using Text = std::string;
  return llvm::TypeSwitch<Operation *, Text>(op)
      .Case<LoadViewTkoOp, StoreViewTkoOp>(
          [](auto access) { return missingAccess(access); })
      .Case([](MakeTensorViewOp op) { return missingFor(op); })
      .Case([](GetIndexSpaceShapeOp op) {
        return missingTiles(cast<TileView>(op.getSrc().getType()));
      })
      .Case([](OffsetOp op) { return missingPointee(op.getPtr().getType()); })
      .Case([](GlobalOp global) { return missingFor(global); })
      .Case([](EntryOp entry) { return missingFor(entry); })
      .Case([](MemoryFenceAliasTkoOp) -> Text {
        return "two addresses of one memory";
      })
      .Case<MultimemLoadReduceViewTkoOp, MultimemReduceViewTkoOp,
            MultimemStoreViewTkoOp>([](auto) -> Text {
        return "multicast memory, which no target below sm_100 has";
      })
      .Case(
          [](TestingFuncOp) -> Text { return "functions that are no kernels"; })
      .Default(Text());
}

/// Checks a constant step; others are the program's promise.
static LogicalResult checkStep(ForOp op) {
  auto constant = op.getStep().getDefiningOp<ConstantOp>();
  if (!constant)
    return success();
  const auto step = constant.getValue().getSplatValue<APInt>();
  if (op.getUnsignedCmp() ? !step.isZero() : step.isStrictlyPositive())
    return success();
  return op.emitOpError("expected a positive step, found ")
         << step.getSExtValue();
}

static LogicalResult check(Operation *op) {
  if (auto loop = dyn_cast<ForOp>(op); loop && failed(checkStep(loop)))
    return failure();
  if (std::string missing = missingFor(op); !missing.empty())
    return op->emitOpError("cannot be compiled: the tile dialect lacks ")
           << missing;
  auto checkTypes = [&](TypeRange types) -> LogicalResult {
    for (Type type : types)
      if (Type element = missingElement(type))
        return op->emitOpError("cannot be compiled: the tile dialect has no "
                               "type ")
               << element;
    return success();
  };
  if (failed(checkTypes(op->getOperandTypes())) ||
      failed(checkTypes(op->getResultTypes())))
    return failure();
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (failed(checkTypes(block.getArgumentTypes())))
        return failure();
  return success();
}

LogicalResult checkSupported(Operation *root) {
  bool isSupported = true;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa_and_present<CudaTileDialect>(op->getDialect()))
      isSupported &= succeeded(check(op));
  });
  return success(isSupported);
}

} // namespace tilegpt::cuda_tile
