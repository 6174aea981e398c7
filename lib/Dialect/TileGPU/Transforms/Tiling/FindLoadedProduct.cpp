// Finds the product of a kernel with open parameters: of tiles of arguments, or
// accumulated in a loop over tiles of their entries and windows.
#include "TileGPT/Dialect/Tile/Analysis/LoadedMatrix.h"
#include "Tiling/LoadedProduct.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// The argument axis that a matrix axis runs along, if a parameter tiles it and
/// the view is an argument, or an entry or window of one. A window counts as
/// long as the argument.
static std::optional<TiledAxis> tiledAxisOf(const tile::LoadedMatrix &matrix,
                                            unsigned number) {
  tile::LoadOp load = matrix.load;
  unsigned axis = matrix.axes[number];
  auto parameter = dyn_cast<StringAttr>(load.getSizes()[axis]);
  if (!parameter || load.getOrder())
    return std::nullopt;
  Value view = load.getView();
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
    auto lhs = tile::findMatrix(dot.getLhs()),
         rhs = tile::findMatrix(dot.getRhs());
    // Attention scores are left to chooseWindowTiles.
    if (!lhs || !rhs || (rhs->load.getSizes().size() > 2 && leadsToDot(dot)))
      return WalkResult::advance();
    bool areArguments = isa<BlockArgument>(lhs->load.getView()) &&
                        isa<BlockArgument>(rhs->load.getView());
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
    auto rows = tiledAxisOf(*lhs, dot.getTransposeA() ? 1 : 0),
         depth = tiledAxisOf(*lhs, dot.getTransposeA() ? 0 : 1),
         columns = tiledAxisOf(*rhs, dot.getTransposeB() ? 0 : 1);
    if (!rows || !depth || !columns)
      return WalkResult::advance();
    product = LoadedProduct{*rows,
                            *columns,
                            *depth,
                            dot.getPrecision(),
                            /*hasTileOperand=*/false,
                            products,
                            /*rowsRunAcross=*/dot.getTransposeA(),
                            /*columnsRunAcross=*/!dot.getTransposeB()};
    kernel.walk([&](tile::LoadOp load) {
      product->hasTileOperand |=
          !isMultiplied(load) && tile::longSizes(load.getSizes()).size() > 1;
    });
    return WalkResult::interrupt();
  });
  return product;
}

} // namespace tilegpt::tilegpu
