// The conditions under which a producer can feed the dots of a loop.
#include "TileGPT/Dialect/TileGPU/Analysis/Mainloop.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotLayouts.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotSchedule.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/TileGPU/IR/KernelAttributes.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// Granularity of the depth of an asynchronous dot, in bytes.
static constexpr int64_t depthUnitBytes = 16;

bool Mainloop::hasWholeStages() const {
  constexpr int64_t alignment = 1024;
  return llvm::all_of(streams, [](const StreamLoad &stream) {
    return stream.getBytes() % alignment == 0;
  });
}

Value iterationAt(OpBuilder &builder, MainloopOp loop, Value from, Value to,
                  Value counter) {
  if (!loop->hasAttr(descendingName))
    return counter;
  Location loc = loop.getLoc();
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value sum = arith::AddIOp::create(builder, loc, from, to);
  Value last = arith::SubIOp::create(builder, loc, sum, one);
  return arith::SubIOp::create(builder, loc, last, counter);
}

namespace {
/// The analysis of one loop.
class Analysis {
public:
  Analysis(scf::ForOp loop, Refusal *refusal)
      : loop(loop), body(*loop.getBody()), refusal(refusal) {}

  std::optional<Mainloop> run() {
    match.loop = loop;
    llvm::append_range(match.dots, body.getOps<tile::DotOp>());
    if (match.dots.empty())
      return no(loop, "the loop has no dot");
    if (!checkLoops())
      return std::nullopt;
    for (tile::DotOp dot : match.dots)
      if (!checkInstruction(dot) || !addOperand(dot, dot.getRhsMutable()) ||
          !addOperand(dot, dot.getLhsMutable()))
        return std::nullopt;
    if (match.streams.empty())
      return no(loop, "no operand of a dot is loaded in the loop");
    if (!checkRest())
      return std::nullopt;
    addCopyable();
    match.staged = findStaged(body, loop.getRegionIterArgs());
    return match;
  }

private:
  std::nullopt_t no(Operation *op, const Twine &reason) {
    if (refusal)
      *refusal = {op, reason.str()};
    return std::nullopt;
  }
  bool refuse(Operation *op, const Twine &reason) {
    no(op, reason);
    return false;
  }

  /// The loop, and those around it, must run in the producer as well.
  bool checkLoops() {
    for (Operation *around = loop; !isa<tile::KernelOp>(around);
         around = around->getParentOp()) {
      if (auto outer = dyn_cast<scf::WhileOp>(around)) {
        if (!outer.getAfter().isAncestor(loop->getParentRegion()))
          return refuse(outer, "the loop is nested in a loop's condition");
        if (!canReproduce(outer.getConditionOp().getCondition()))
          return refuse(outer, "the condition of a loop depends on more than "
                               "sizes and single elements of inputs");
        continue;
      }
      auto outer = dyn_cast<scf::ForOp>(around);
      if (!outer)
        return refuse(around, "the loop is nested in an op that is not a loop");
      for (Value bound :
           {outer.getLowerBound(), outer.getUpperBound(), outer.getStep()})
        if (!canReproduce(bound))
          return refuse(outer, "a bound of a loop depends on more than sizes "
                               "and single elements of inputs");
    }
    return true;
  }

  bool checkInstruction(tile::DotOp dot) {
    constexpr int64_t rowStep = 8, maxColumns = 256;
    RankedTensorType lhs = dot.getLhs().getType(), rhs = dot.getRhs().getType(),
                     acc = dot.getAcc().getType();
    if (acc.getRank() != 2)
      return refuse(dot,
                    "the dot is batched; make the batch an axis of the grid");
    if (!suitTensorCores(lhs.getElementType(), rhs.getElementType(),
                         dot.getPrecision()) ||
        !(lhs.getElementType().isInteger() ? acc.getElementType().isInteger(32)
                                           : acc.getElementType().isF32()))
      return refuse(dot, "wgmma does not multiply " +
                             describe(lhs.getElementType()) + " by " +
                             describe(rhs.getElementType()) + " to " +
                             describe(acc.getElementType()) +
                             hintOfPrecision(lhs.getElementType()));
    int64_t rows = acc.getDimSize(0), columns = acc.getDimSize(1);
    if (rows % (rows < groupRows ? rowStep : groupRows) ||
        columns % columnStepOf(lhs.getElementType(), columns) ||
        columns > maxColumns)
      return refuse(
          dot, "wgmma needs a multiple of 64 rows, or of 8 below 64, and a "
               "multiple of 8 columns up to 256 (of 16 above 32 for integers)");
    if (dot.getTransposeA() && rows < groupRows)
      return refuse(dot, "a left operand that is contiguous along M has " +
                             Twine(rows) + " rows; use 64 or more");
    int64_t depth = depthOf(dot);
    int64_t rest =
        depth * lhs.getElementTypeBitWidth() / 8 % AsyncDotOp::stepBytes;
    if (rest != 0 && rest != depthUnitBytes)
      return refuse(dot, "a sum of " + Twine(depth) +
                             " elements is not a multiple of 16 bytes");
    if (rest != 0 && !canPad(dot))
      return refuse(dot,
                    "a sum of " + Twine(depth) +
                        " elements is not a multiple of 32 bytes, which is "
                        "supported only for K-major operands in shared memory");
    if (tile::isF8(lhs.getElementType()) && depth > mostFastTerms)
      return refuse(dot, "an f8 dot at full precision may accumulate 128 "
                         "products in the tensor cores, this one has " +
                             Twine(depth));
    constexpr unsigned halfBits = 16;
    bool alongRows = dot.getTransposeA() || !dot.getTransposeB();
    if (alongRows && lhs.getElementTypeBitWidth() != halfBits)
      return refuse(dot, "operands of " + describe(lhs.getElementType()) +
                             " must be contiguous along K");
    return true;
  }

  /// A hint if a faster dot with reduced precision exists for the operands.
  static StringRef hintOfPrecision(Type element) {
    if (tile::isF8(element))
      return " at full precision; allow reduced precision with --fast-f8, or "
             "precision(fast) on the dot";
    if (element.isF32())
      return " at full precision; allow 10 of 23 bits with --tf32, or "
             "precision(tf32) on the dot";
    return "";
  }

  /// Whether both operands can be zero-padded along K.
  bool canPad(tile::DotOp dot) {
    auto isComputed = [&](Value operand) {
      return !loop.isDefinedOutsideOfLoop(operand) &&
             !operand.getDefiningOp<tile::LoadOp>();
    };
    return !isComputed(dot.getLhs()) && !isComputed(dot.getRhs()) &&
           !dot.getTransposeA() && dot.getTransposeB();
  }

  static std::string describe(Type type) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return text;
  }

  bool addOperand(tile::DotOp dot, OpOperand &operand) {
    Value tile = operand.get();
    bool isLhs = &operand == &dot.getLhsMutable();
    Operation *op = tile.getDefiningOp();
    if (loop.isDefinedOutsideOfLoop(tile))
      return addResident(dot, tile, isLhs);
    if (auto load = tile.getDefiningOp<tile::LoadOp>();
        load && load->getBlock() == &body)
      return addStream(load);
    if (isStaged(operand, body, loop.getRegionIterArgs()))
      return !op || addSources(op);
    if (!op || op->getBlock() != &body)
      return refuse(dot, "the left operand is loop-carried");
    if (isa<tile::GatherOp>(op))
      return refuse(op, "the rows of a left operand are gathered, which TMA "
                        "does not support");
    Type element = cast<RankedTensorType>(tile.getType()).getElementType();
    if (!(element.isBF16() || element.isF16() || element.isF32()))
      return refuse(dot, "a left operand that is computed in the loop must be "
                         "bf16, f16 or f32");
    return addSources(op);
  }

  bool addStream(tile::LoadOp load) {
    if (llvm::any_of(match.streams,
                     [&](StreamLoad &other) { return other.load == load; }))
      return true;
    std::string reason;
    std::optional<StreamLoad> stream = matchStream(load, &reason);
    if (!stream)
      return refuse(load, reason);
    if (!loop.isDefinedOutsideOfLoop(stream->root))
      return refuse(load, "the view of a tile is made in the loop");
    if (!stream->isReproducible())
      return refuse(load, "the index of a tile depends on more than sizes and "
                          "single elements of inputs");
    match.streams.push_back(*stream);
    return true;
  }

  /// Loads from which an operand is computed: streams if possible.
  bool addSources(Operation *computed) {
    llvm::SetVector<Operation *> slice;
    BackwardSliceOptions options;
    options.filter = [&](Operation *op) { return op->getBlock() == &body; };
    options.inclusive = true;
    if (failed(getBackwardSlice(computed, &slice, options)))
      return refuse(
          computed,
          "an operand depends on an op that the analysis does not support");
    // A tile combined with the result of a dot is needed late, and large.
    if (llvm::any_of(slice, llvm::IsaPred<tile::DotOp>))
      return true;
    for (Operation *op : slice)
      if (auto load = dyn_cast<tile::LoadOp>(op))
        if (isLarge(load))
          if (std::optional<StreamLoad> stream = matchStream(load);
              stream && stream->isReproducible())
            addStream(load);
    return true;
  }

  /// Whether a tile is large enough for a separate copy.
  static bool isLarge(tile::LoadOp load) {
    constexpr int64_t leastElements = 512;
    return load.getType().getNumElements() >= leastElements;
  }

  /// The other loaded tiles, such as a bias of the scores.
  void addCopyable() {
    for (auto load : body.getOps<tile::LoadOp>()) {
      if (!isLarge(load) || llvm::any_of(match.streams, [&](StreamLoad &other) {
            return other.load == load;
          }))
        continue;
      std::string reason;
      std::optional<StreamLoad> stream = matchStream(load, &reason);
      if (!stream || !loop.isDefinedOutsideOfLoop(stream->root) ||
          !stream->isReproducible())
        explainMissed(load, "copy")
            << "a tile that the loop computes with is loaded to registers: "
            << (stream ? "its index depends on more than sizes and single "
                         "elements of inputs"
                       : StringRef(reason));
      else if (load->hasAttr(copiedAheadName))
        match.streams.push_back(*stream);
      else
        match.copyable.push_back(*stream);
    }
  }

  bool addResident(tile::DotOp dot, Value tile, bool isLhs) {
    if (llvm::is_contained(match.residents, tile))
      return true;
    auto load = tile.getDefiningOp<tile::LoadOp>();
    std::string reason;
    std::optional<StreamLoad> stream =
        load ? matchStream(load, &reason) : std::nullopt;
    if (!stream || !stream->isOfArgument() || !stream->isReproducible()) {
      if (!isLhs)
        return refuse(dot,
                      "the right operand of a dot is computed before the loop");
      if (dot.getTransposeA() ||
          dot.getAcc().getType().getDimSize(0) % groupRows)
        return refuse(dot, "a left operand that is computed before the loop "
                           "must have a multiple of 64 rows");
    }
    match.residents.push_back(tile);
    return true;
  }

  /// Whether an op reads by offset from memory that no other block modifies
  /// meanwhile.
  static bool isPlainLoadAt(Operation *op) {
    auto load = dyn_cast<tile::LoadAtOp>(op);
    return load && load.getOrder() == tile::MemoryOrder::Weak;
  }

  /// Everything else must have no side effects; other loads are the consumers'.
  bool checkRest() {
    Operation *culprit = nullptr;
    body.walk([&](Operation *op) {
      if (isa<tile::DotOp>(op) && op->getBlock() != &body)
        culprit = op;
      bool isAllowed = isa<tile::DotOp, tile::LoadOp, tile::GatherOp, AnyOp,
                           LimitIterationsOp>(op) ||
                       isPlainLoadAt(op) ||
                       (isa<tile::StoreOp>(op) && op->getBlock() == &body) ||
                       op->hasTrait<OpTrait::IsTerminator>() ||
                       op->getNumRegions() != 0 || isMemoryEffectFree(op);
      if (!isAllowed)
        culprit = op;
      return culprit ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (!culprit)
      return true;
    return refuse(
        culprit,
        isa<tile::DotOp>(culprit)
            ? "a dot is nested in a branch or an inner loop"
            : "the loop has ops other than loads, dots, arithmetic and stores");
  }

  scf::ForOp loop;
  Block &body;
  Refusal *refusal;
  Mainloop match;
};
} // namespace

std::optional<Mainloop> analyzeMainloop(scf::ForOp loop, Refusal *refusal) {
  return Analysis(loop, refusal).run();
}

SmallVector<Mainloop> analyzeMainloops(tile::KernelOp kernel,
                                       Refusal *refusal) {
  SmallVector<Mainloop> found;
  bool isRefused = false;
  kernel.walk([&](scf::ForOp loop) {
    if (isRefused || loop.getBody()->getOps<tile::DotOp>().empty())
      return;
    if (std::optional<Mainloop> match = analyzeMainloop(loop, refusal))
      found.push_back(*match);
    else
      isRefused = true;
  });
  if (isRefused)
    found.clear();
  else if (found.empty() && refusal)
    *refusal = {kernel, "it has no loop with a dot"};
  return found;
}

} // namespace tilegpt::tilegpu
