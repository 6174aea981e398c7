// Finds the product of a kernel that has its parameters still: of tiles of
// arguments, or summed up in a loop of tiles of their entries and windows.
#include "TileGPT/Dialect/Tile/Analysis/LoadedMatrix.h"
#include "Tiling/LoadedProduct.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// The axis of the argument that an axis of a matrix runs along, when a
/// parameter tiles it and the view is an argument, an entry or a window of it.
/// A window counts as long as the argument.
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

/// Whether a loop sums up what a dot makes: then its result is the kernel's.
static bool isCarried(tile::DotOp dot) {
  Value sum = dot.getAcc();
  while (auto inner = sum.getDefiningOp<tile::DotOp>())
    sum = inner.getAcc();
  auto argument = dyn_cast<BlockArgument>(sum);
  return argument && argument.getArgNumber() != 0 &&
         isa<scf::ForOp>(argument.getOwner()->getParentOp());
}

/// Whether an iteration computes an operand of another dot from what a dot
/// makes, as attention does from its scores.
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

/// Whether the sums of a dot take few columns, however wide tiles are, as those
/// of a factor of low rank do: too few to make other tiles smaller.
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
    // Scores of windows are no product of their own (chooseWindowTiles).
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
