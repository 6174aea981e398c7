// Checks the conditions of wgmma in loops whose operands all threads copy or
// write to shared memory.
#include "Plan/WarpGroupDots.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotLayouts.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotSchedule.h"
#include "TileGPT/Dialect/TileGPU/Analysis/ExplainPlan.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Streams.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// Why wgmma cannot compute a dot; empty if it can.
static std::string findObstacle(tile::DotOp dot, int64_t warps) {
  constexpr int64_t maxColumns = 256, mostRegisters = 208;
  RankedTensorType acc = dot.getAcc().getType();
  std::optional<MmaOperands> types = mmaOperands(dot);
  if (acc.getRank() != 2)
    return "it is batched";
  if (types && types->lhs.isF32())
    return "wgmma truncates f32 operands, but tf32 must be rounded";
  if (!types || types->lhs != types->rhs || tile::isF8(types->lhs))
    return "wgmma does not support its types at full precision";
  int64_t groups = warps / groupWarps, rows = acc.getDimSize(0),
          columns = acc.getDimSize(1);
  if (warps % groupWarps || rows % (groups * groupRows) ||
      columns % columnStepOf(types->lhs, columns) || columns > maxColumns)
    return "wgmma needs a multiple of 64 rows, and a multiple of 8 columns up "
           "to 256 (of 16 above 32 for integers)";
  if (rows * columns > mostRegisters * warpLanes * warps)
    return "its accumulator does not fit the registers of the warp groups";
  int64_t bytes = types->lhs.getIntOrFloatBitWidth() / 8;
  if (depthOf(dot) * bytes % AsyncDotOp::stepBytes)
    return "its K is not a multiple of 32 bytes";
  constexpr int64_t halfBytes = 2;
  if (bytes != halfBytes && (dot.getTransposeA() || !dot.getTransposeB()))
    return "integers must be contiguous along K";
  for (Value operand : {dot.getLhs(), dot.getRhs()}) {
    auto type = cast<RankedTensorType>(operand.getType());
    RankedTensorType wide = RankedTensorType::get(type.getShape(), types->lhs);
    if (bufferOfOperand(wide).getShape() != wide.getShape())
      return "rows of an operand are not swizzle panels of 32, 64 or 128 bytes";
  }
  return {};
}

int64_t warpsForProduct(int64_t elements, bool isMultiplyAdd) {
  constexpr int64_t side = 128, large = side * side;
  return elements > large || (elements == large && !isMultiplyAdd) ? 8 : 4;
}

bool suitsWarpGroups(tile::DotOp dot, int64_t warps) {
  return findObstacle(dot, warps).empty();
}

void markWarpGroupDots(tile::KernelOp kernel, PlanAttr plan) {
  SmallVector<tile::DotOp> dots;
  kernel.walk([&](scf::ForOp loop) {
    auto inner = llvm::to_vector(loop.getBody()->getOps<tile::DotOp>());
    if (llvm::all_of(inner,
                     [&](tile::DotOp dot) { return isSumOfLoop(loop, dot); }))
      llvm::append_range(dots, inner);
  });
  for (tile::DotOp dot : dots) {
    if (!whyNoMatrixInstruction(dot).empty())
      continue;
    if (std::string obstacle = findObstacle(dot, plan.getWarps());
        !obstacle.empty()) {
      explainMissed(dot, "dot") << "mma.sync instead of wgmma: " << obstacle;
      continue;
    }
    dot->setAttr(wgmmaName, UnitAttr::get(dot.getContext()));
  }
}

} // namespace tilegpt::tilegpu
