// Finds the product of a kernel with open parameters: of tiles of arguments, or
// accumulated in a loop over tiles of their entries and windows.
#include "TileGPT/Dialect/Tile/Analysis/LoadedMatrix.h"
#include "Tiling/LoadedProduct.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// Whether a loop accumulates a dot, whose result is then the kernel's.
static bool isCarried(tile::DotOp dot) {
  Value sum = dot.getAcc();
  while (auto inner = sum.getDefiningOp<tile::DotOp>())
    sum = inner.getAcc();
  auto argument = dyn_cast<BlockArgument>(sum);
  return argument && argument.getArgNumber() != 0 &&
         isa<scf::ForOp>(argument.getOwner()->getParentOp());
}

/// Whether an iteration computes an operand of another dot from a dot's result,
/// as attention does from its scores.
static bool leadsToDot(tile::DotOp dot) {
  if (!isa<scf::ForOp>(dot->getParentOp()) || isCarried(dot))
    return false;
  llvm::SetVector<Operation *> slice;
  getForwardSlice(dot.getOperation(), &slice);
  return llvm::any_of(slice, [&](Operation *op) {
    return isa<tile::DotOp>(op) && op->getBlock() == dot->getBlock();
  });
}

/// The argument axis that an axis of a tile runs along, if a parameter tiles it
/// and the view is an argument, or an entry or window of one. A window counts
/// as long as the argument.
static std::optional<TiledAxis> tiledAxisOf(Value view, unsigned axis,
                                            Attribute size) {
  auto parameter = dyn_cast<StringAttr>(size);
  if (!parameter)
    return std::nullopt;
  while (Operation *op = view.getDefiningOp()) {
    if (auto select = dyn_cast<tile::SelectOp>(op)) {
      axis += select.getIndices().size();
      view = select.getSource();
    } else if (auto transpose = dyn_cast<tile::TransposeOp>(op)) {
      axis = transpose.getPermutation()[axis];
      view = transpose.getSource();
    } else if (auto window = dyn_cast<tile::SubviewOp>(op)) {
      view = window.getSource();
    } else {
      return std::nullopt;
    }
  }
  return TiledAxis{parameter, cast<BlockArgument>(view).getArgNumber(), axis};
}

static std::optional<TiledAxis> tiledAxisOf(tile::LoadOp load, unsigned axis) {
  return load.getOrder()
             ? std::nullopt
             : tiledAxisOf(load.getView(), axis, load.getSizes()[axis]);
}

namespace {
/// The rows and depth of a product's left operand.
struct LeftAxes {
  TiledAxis rows, depth;
  bool areArguments; ///< whether no view is an entry or window of one
  bool isGathered;
};
} // namespace

static std::optional<LeftAxes> axesOfMatrix(tile::DotOp dot) {
  std::optional<tile::LoadedMatrix> matrix = tile::findMatrix(dot.getLhs());
  if (!matrix)
    return std::nullopt;
  bool runsAcross = dot.getTransposeA();
  auto rows = tiledAxisOf(matrix->load, matrix->axes[runsAcross ? 1 : 0]),
       depth = tiledAxisOf(matrix->load, matrix->axes[runsAcross ? 0 : 1]);
  if (!rows || !depth)
    return std::nullopt;
  return LeftAxes{*rows, *depth, isa<BlockArgument>(matrix->load.getView()),
                  /*isGathered=*/false};
}

/// The axes of rows that are gathered at the numbers in an argument, or at
/// numbers computed from these.
static std::optional<LeftAxes> axesOfGather(tile::DotOp dot) {
  auto gather = dot.getLhs().getDefiningOp<tile::GatherOp>();
  constexpr size_t axesOfMatrix = 2;
  if (!gather || gather.getAxis() != 0 || dot.getTransposeA() ||
      gather.getSizes().size() != axesOfMatrix)
    return std::nullopt;
  Value numbers = gather.getIndex();
  while (Operation *op = numbers.getDefiningOp()) {
    if (isa<tile::LoadOp>(op) || op->getNumOperands() == 0)
      break;
    numbers = op->getOperand(0);
  }
  auto load = numbers.getDefiningOp<tile::LoadOp>();
  if (!load || load.getSizes().size() != 1)
    return std::nullopt;
  auto rows = tiledAxisOf(load, 0),
       depth = tiledAxisOf(gather.getView(), 1, gather.getSizes()[1]);
  if (!rows || !depth || rows->parameter != gather.getSizes()[0])
    return std::nullopt;
  return LeftAxes{*rows, *depth, isa<BlockArgument>(gather.getView()),
                  /*isGathered=*/true};
}

static bool isMultiplied(tile::LoadOp load) {
  return llvm::any_of(load->getUsers(), [](Operation *user) {
    return isa<tile::DotOp>(user) ||
           (isa<tile::ReshapeOp>(user) &&
            llvm::any_of(user->getUsers(), llvm::IsaPred<tile::DotOp>));
  });
}

/// Whether a dot has few columns at any tile size, such as one with a low-rank
/// factor: too few to shrink other tiles.
static bool hasFewColumns(tile::DotOp dot) {
  constexpr int64_t few = 32;
  int64_t columns = dot.getAcc().getType().getShape().back();
  return !ShapedType::isDynamic(columns) && columns <= few;
}

std::optional<LoadedProduct> findLoadedProduct(tile::KernelOp kernel) {
  std::optional<LoadedProduct> product;
  kernel.walk([&](tile::DotOp dot) {
    std::optional<LeftAxes> left = axesOfMatrix(dot);
    if (!left && isCarried(dot))
      left = axesOfGather(dot);
    auto rhs = tile::findMatrix(dot.getRhs());
    // Attention scores are left to chooseWindowTiles.
    if (!left || !rhs || (rhs->load.getSizes().size() > 2 && leadsToDot(dot)))
      return WalkResult::advance();
    bool areArguments =
        left->areArguments && isa<BlockArgument>(rhs->load.getView());
    int64_t all = 0, products = 0;
    for (auto other : dot->getBlock()->getOps<tile::DotOp>()) {
      if (other.getAcc().getDefiningOp<tile::DotOp>())
        continue;
      ++all;
      products += other == dot || !hasFewColumns(other);
    }
    // Several products of windows share an operand (chooseSharedLeft).
    if (!areArguments && (!isCarried(dot) || all != 1))
      return WalkResult::advance();
    auto columns =
        tiledAxisOf(rhs->load, rhs->axes[dot.getTransposeB() ? 0 : 1]);
    if (!columns)
      return WalkResult::advance();
    product = LoadedProduct{left->rows,
                            *columns,
                            left->depth,
                            dot.getPrecision(),
                            /*hasTileOperand=*/false,
                            products,
                            /*rowsRunAcross=*/dot.getTransposeA(),
                            /*columnsRunAcross=*/!dot.getTransposeB(),
                            left->isGathered,
                            findSplitProduct(kernel)};
    kernel.walk([&](tile::LoadOp load) {
      product->hasTileOperand |=
          !isMultiplied(load) && tile::longSizes(load.getSizes()).size() > 1;
    });
    return WalkResult::interrupt();
  });
  return product;
}

} // namespace tilegpt::tilegpu
