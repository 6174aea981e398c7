// The conditions under which a producer can feed all dots of a loop.
#include "TileGPT/Dialect/TileGPU/Analysis/FedLoops.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotLayouts.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tilegpt::tilegpu {

bool FedLoop::contains(tile::DotOp dot) { return dot->getParentOp() == loop; }

int64_t FedLoop::getTripBytes() {
  int64_t bytes = 0;
  for (LeadingDot &dot : leading)
    bytes += dot.rhs.getBytes();
  for (TrailingDot &dot : trailing)
    bytes += dot.rhs.getBytes();
  return bytes;
}

int64_t FedLoop::getStayingBytes() {
  int64_t bytes = 0;
  for (LeadingDot &dot : leading)
    bytes += dot.lhs.getBytes();
  return bytes;
}

int64_t FedLoop::getNumRows() {
  return trailing.front().dot.getAcc().getType().getDimSize(0);
}

bool FedLoop::runsAlways() {
  std::optional<int64_t> from = getConstantIntValue(loop.getLowerBound()),
                         to = getConstantIntValue(loop.getUpperBound());
  return from && to && *from < *to;
}

static bool isZeroTile(Value value) {
  if (auto splat = value.getDefiningOp<tile::SplatOp>())
    value = splat.getValue();
  return matchPattern(value, m_PosZeroFloat());
}

/// Why wgmma cannot compute a dot of 16-bit floats whose rhs is along K, or
/// along N; empty when it can.
static StringRef whyNotWgmma(tile::DotOp dot, bool alongN) {
  constexpr int64_t groupRows = 64, columnStep = 8, maxColumns = 256,
                    depth = 16;
  RankedTensorType lhs = dot.getLhs().getType(), rhs = dot.getRhs().getType(),
                   acc = dot.getAcc().getType();
  if (acc.getRank() != 2 || dot.getTransposeA() ||
      dot.getTransposeB() == alongN)
    return "a dot transposes its operands otherwise";
  if (!suitTensorCores(lhs.getElementType(), rhs.getElementType(),
                       tile::Precision::IEEE) ||
      !acc.getElementType().isF32())
    return "the operands of a dot are not both bf16 or f16, or its sum is not "
           "f32";
  if (acc.getDimSize(0) % groupRows || acc.getDimSize(1) % columnStep ||
      acc.getDimSize(1) > maxColumns || lhs.getDimSize(1) % depth)
    return "a dot has not a multiple of 64 rows, of 8 columns up to 256, and "
           "of "
           "16 along K";
  return {};
}

/// The number of the result of the loop that a value is, when nothing but the
/// end of the trip reads it.
static std::optional<unsigned> yieldedAs(Value value, scf::ForOp loop) {
  if (!value.hasOneUse() ||
      *value.getUsers().begin() != loop.getBody()->getTerminator())
    return std::nullopt;
  return value.getUses().begin()->getOperandNumber();
}

std::optional<FedLoop> matchFedLoop(scf::ForOp loop, std::string *reason) {
  auto no = [&](StringRef why) {
    if (reason)
      *reason = why.str();
    return std::nullopt;
  };
  Block *body = loop.getBody();
  FedLoop match{loop, {}, {}};
  auto loadIn = [&](Value tile) -> tile::LoadOp {
    auto load = tile.getDefiningOp<tile::LoadOp>();
    return load && load->getBlock() == body && load->hasOneUse()
               ? load
               : tile::LoadOp();
  };
  for (auto dot : body->getOps<tile::DotOp>()) {
    tile::LoadOp right = loadIn(dot.getRhs());
    if (!right)
      return no(
          "the right operand of a dot is not loaded in the loop, for this "
          "dot alone");
    std::optional<WindowLoad> rhs = matchWindowLoad(right, reason);
    if (!rhs)
      return std::nullopt;
    if (std::optional<unsigned> number = yieldedAs(dot.getResult(), loop)) {
      if (StringRef why = whyNotWgmma(dot, /*alongN=*/true); !why.empty())
        return no(why);
      if (!dot.getLhs().getDefiningOp() ||
          dot.getLhs().getDefiningOp()->getBlock() != body ||
          isa<tile::LoadOp>(dot.getLhs().getDefiningOp()))
        return no("the left operand of the last dot is not made in the loop");
      match.trailing.push_back({dot, *rhs, *number});
      continue;
    }
    if (StringRef why = whyNotWgmma(dot, /*alongN=*/false); !why.empty())
      return no(why);
    auto left = dot.getLhs().getDefiningOp<tile::LoadOp>();
    if (!left || left->getBlock() != loop->getBlock() || !left->hasOneUse() ||
        !isZeroTile(dot.getAcc()))
      return no("a dot does not multiply a tile loaded in front of the loop, "
                "onto zeros");
    std::optional<WindowLoad> lhs = matchWindowLoad(left, reason);
    if (!lhs)
      return std::nullopt;
    match.leading.push_back({dot, *lhs, *rhs});
  }
  if (match.leading.empty() || match.trailing.empty())
    return no("the loop has not one dot whose result it computes with and one "
              "whose result it sums up");

  WalkResult walk = body->walk([&](Operation *op) {
    if (isa<tile::DotOp, AnyOp, LimitTripsOp>(op) || op->getNumRegions() != 0)
      return WalkResult::advance();
    if (auto load = dyn_cast<tile::LoadOp>(op)) {
      auto *user = load->hasOneUse() ? *load->getUsers().begin() : nullptr;
      auto dot = dyn_cast_or_null<tile::DotOp>(user);
      bool feeds =
          dot && load->getBlock() == body && dot.getRhs() == load.getResult();
      return feeds ? WalkResult::advance() : WalkResult::interrupt();
    }
    return isMemoryEffectFree(op) ? WalkResult::advance()
                                  : WalkResult::interrupt();
  });
  if (walk.wasInterrupted())
    return no("the loop does more than load operands of dots and compute");

  for (LeadingDot &dot : match.leading)
    if (dot.dot.getAcc().getType().getDimSize(0) != match.getNumRows() ||
        !dot.lhs.isReproducible() || !dot.rhs.isReproducible())
      return no("dots have different rows, or the place of an operand depends "
                "on more than sizes and single elements");
  for (TrailingDot &dot : match.trailing)
    if (dot.dot.getAcc().getType().getDimSize(0) != match.getNumRows() ||
        !dot.rhs.isReproducible())
      return no("dots have different rows, or the place of an operand depends "
                "on more than sizes and single elements");
  for (Operation *around = loop; !isa<tile::KernelOp>(around);
       around = around->getParentOp()) {
    auto outer = dyn_cast<scf::ForOp>(around);
    if (!outer)
      return no("the loop stands in something that is no loop");
    if (!canReproduce(outer.getLowerBound()) ||
        !canReproduce(outer.getUpperBound()) || !canReproduce(outer.getStep()))
      return no("a bound of a loop depends on more than sizes and single "
                "elements");
  }
  return match;
}

std::optional<FedLoop> findFedLoop(tile::KernelOp kernel, std::string *reason) {
  std::optional<FedLoop> found;
  int64_t count = 0;
  kernel.walk([&](scf::ForOp loop) {
    if (loop.getBody()->getOps<tile::DotOp>().empty())
      return;
    if (std::optional<FedLoop> match = matchFedLoop(loop, reason)) {
      found = match;
      ++count;
    }
  });
  return count == 1 ? found : std::nullopt;
}

std::optional<FedLoop> findPlannedFedLoop(tile::KernelOp kernel) {
  PlanAttr plan = PlanAttr::of(kernel);
  return plan && plan.getProducer() ? findFedLoop(kernel) : std::nullopt;
}

} // namespace tilegpt::tilegpu
