// Text of plans, and of the conditions of chooseDot.
#include "TileGPT/Dialect/TileGPU/Analysis/ExplainPlan.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotLayouts.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/TileGPU/IR/Residents.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using llvm::formatv;

namespace tilegpt::tilegpu {

static std::string describe(tile::KernelOp kernel, PlanAttr plan) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (auto param : kernel.getParams().getAsRange<tile::ParamAttr>())
    if (auto size = dyn_cast<IntegerAttr>(param.getDefaultValue()))
      stream << param.getName().getValue() << " = " << size.getInt() << ", ";
  stream << countOf(plan.getWarps(), "warp");
  if (plan.getProducer())
    stream << " and a producer";
  if (int64_t blocks = residentsWithProducer(plan); blocks > 1)
    stream << ", " << blocks << " blocks in a multiprocessor";
  if (plan.getMulticast() > 1)
    stream << ", copies for " << plan.getMulticast() << " blocks of a cluster";
  if (plan.getStages() > 1)
    stream << ", at most " << countOf(plan.getStages(), "stage");
  return text;
}

void explainPlan(tile::KernelOp kernel) {
  PlanAttr plan = PlanAttr::of(kernel);
  explainAnalysis(kernel, "plan") << remark::detail::LazyTextBuild{
      "Plan", [&] { return describe(kernel, plan); }};
}

std::string whyNoMatrixInstruction(tile::DotOp dot) {
  // For m16n8.
  constexpr int64_t leastRows = 16, leastColumns = 8;
  RankedTensorType acc = dot.getAcc().getType();
  Type lhs = dot.getLhs().getType().getElementType(),
       rhs = dot.getRhs().getType().getElementType(),
       sum = acc.getElementType();
  const int64_t rank = acc.getRank(), rows = acc.getDimSize(rank - 2),
                columns = acc.getDimSize(rank - 1),
                depth = dot.getLhs().getType().getDimSize(
                    dot.getTransposeA() ? rank - 2 : rank - 1);
  std::optional<MmaOperands> operands = mmaOperands(dot);
  if (!operands && lhs.isF32() && rhs.isF32() && sum.isF32())
    return "f32 operands keep their full precision; allow precision(tf32), or "
           "use bf16 or f16";
  if (!operands && lhs != rhs)
    return formatv("operands of {0} and {1} are both converted to {2}; cast "
                   "one of them to the type of the other",
                   lhs, rhs, sum);
  if (!operands && lhs.isF64())
    return "products of f64 do not use tensor cores";
  if (!operands)
    return formatv("no MMA instruction multiplies {0} and accumulates in {1}; "
                   "use bf16 or f16 operands and an f32 accumulator, or i8 "
                   "operands and an i32 accumulator",
                   lhs, sum);
  if (depth % operands->depth != 0)
    return formatv("K = {0} is not a multiple of {1}, the K of an MMA "
                   "instruction; use such a tile, which is zero-padded",
                   depth, operands->depth);
  if (rows < leastRows || columns < leastColumns)
    return formatv("a result of {0} x {1} is smaller than the {2} x {3} of an "
                   "MMA instruction; use larger tiles",
                   rows, columns, leastRows, leastColumns);
  return "";
}

} // namespace tilegpt::tilegpu
