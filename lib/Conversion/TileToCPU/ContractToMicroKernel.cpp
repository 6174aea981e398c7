//===- ContractToMicroKernel.cpp - linalg.contract to vector code --------===//
//
// The pass `cpu-contract-to-micro-kernel`: recognises a contraction on memrefs,
// brings its operands into one of the storage orders the micro-kernels read,
// and picks the form that suits its shape.

#include "MicroKernel/MicroKernel.h"
#include "TileGPT/Conversion/TileToCPU/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace tilegpt::cpu {
#define GEN_PASS_DEF_CONTRACTTOMICROKERNEL
#include "TileGPT/Conversion/TileToCPU/Passes.h.inc"
} // namespace tilegpt::cpu

using namespace mlir;
using namespace tilegpt::cpu;

namespace {

/// The role of each loop of the op's iteration space; batch is -1 for a 2-D
/// product.
struct Loops {
  int64_t batch = -1, m = -1, n = -1, k = -1;
};

/// An operand whose axes are [batch,] and two more.
struct Operand {
  Value memref;
  /// Whether the last axis is the requested one (k for a factor, n for the
  /// accumulator).
  bool innerLast = true;
  /// Whether elements of the last axis are contiguous.
  bool contiguous = true;
};

/// The loop that indexes each axis of an operand.
SmallVector<int64_t> loopsOf(AffineMap map) {
  return llvm::map_to_vector(map.getResults(), [](AffineExpr expr) -> int64_t {
    return cast<AffineDimExpr>(expr).getPosition();
  });
}

/// The roles of the loops; nothing if a loop has none or two have the same.
std::optional<Loops> classify(linalg::ContractOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<int64_t> lhs = loopsOf(maps[0]), rhs = loopsOf(maps[1]),
                       acc = loopsOf(maps[2]);
  Loops loops;
  for (int64_t loop = 0; loop < maps[0].getNumDims(); ++loop) {
    bool inLhs = llvm::is_contained(lhs, loop);
    bool inRhs = llvm::is_contained(rhs, loop);
    bool inAcc = llvm::is_contained(acc, loop);
    int64_t *part = nullptr;
    if (inLhs && inRhs)
      part = inAcc ? &loops.batch : &loops.k;
    else if (inAcc)
      part = inLhs ? &loops.m : &loops.n;
    if (!part || *part != -1)
      return std::nullopt;
    *part = loop;
  }
  if (loops.m == -1 || loops.n == -1 || loops.k == -1)
    return std::nullopt;
  return loops;
}

/// Whether elements along an axis are contiguous.
bool isContiguousAlong(MemRefType type, int64_t axis) {
  SmallVector<int64_t> strides;
  int64_t offset;
  return succeeded(type.getStridesAndOffset(strides, offset)) &&
         (strides[axis] == 1);
}

/// Moves the batch axis first and, if possible, a contiguous axis last.
Operand arrange(OpBuilder &builder, Location loc, Value memref, AffineMap map,
                const Loops &loops, int64_t outer, int64_t inner) {
  auto type = cast<MemRefType>(memref.getType());
  SmallVector<int64_t> indexedBy = loopsOf(map);
  auto axisOf = [&](int64_t loop) -> unsigned {
    return llvm::find(indexedBy, loop) - indexedBy.begin();
  };
  unsigned first = axisOf(outer), last = axisOf(inner);
  Operand operand;
  operand.innerLast = first < last;
  if (!isContiguousAlong(type, std::max(first, last)) &&
      isContiguousAlong(type, std::min(first, last)))
    operand.innerLast = !operand.innerLast;
  if (!operand.innerLast)
    std::swap(first, last);
  operand.contiguous = isContiguousAlong(type, last);

  SmallVector<unsigned> order;
  if (loops.batch != -1)
    order.push_back(axisOf(loops.batch));
  order.append({first, last});
  AffineMap permutation =
      AffineMap::getPermutationMap(order, builder.getContext());
  operand.memref =
      permutation.isIdentity()
          ? memref
          : memref::TransposeOp::create(builder, loc, memref,
                                        AffineMapAttr::get(permutation));
  return operand;
}

/// The types of `tile.dot`: operands that the accumulator's type represents
/// exactly.
bool isWidened(Type from, Type to) {
  if (isa<FloatType>(from) != isa<FloatType>(to) || !from.isIntOrFloat())
    return false;
  return from == to ||
         from.getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth();
}

/// A tile in memory and its relevant part.
struct Part {
  Value tile;
  SmallVector<OpFoldResult> sizes;
};

/// All of a memref of static sizes, or nothing.
std::optional<Part> wholeOf(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  if (!type.hasStaticShape())
    return std::nullopt;
  return Part{memref,
              getAsIndexOpFoldResult(type.getContext(), type.getShape())};
}

/// The memref of static sizes that `memref` is the front of, or nothing.
std::optional<Part> sourceOfFront(Value memref) {
  auto window = memref.getDefiningOp<memref::SubViewOp>();
  if (!window || !window.getSourceType().hasStaticShape() ||
      window.getSourceType().getRank() != window.getType().getRank())
    return std::nullopt;
  const auto are = [](ArrayRef<OpFoldResult> all, int64_t value) {
    return llvm::all_of(all, [&](OpFoldResult each) {
      return getConstantIntValue(each) == value;
    });
  };
  if (!are(window.getMixedOffsets(), 0) || !are(window.getMixedStrides(), 1))
    return std::nullopt;
  return Part{window.getSource(), window.getMixedSizes()};
}

/// The maximum trip count of a loop, and its actual one if less.
struct Range {
  int64_t size = 0;
  OpFoldResult extent;
};

/// An op on whole tiles, or on the fronts of some.
struct Tiles {
  /// One per operand.
  SmallVector<Value, 3> memrefs;
  SmallVector<Range> ranges;

  /// Adds an operand; \returns whether its sizes match the others.
  bool add(unsigned operand, const std::optional<Part> &part, AffineMap map) {
    if (!part)
      return false;
    auto type = cast<MemRefType>(part->tile.getType());
    SmallVector<Range> old = ranges;
    for (auto [axis, loop] : llvm::enumerate(loopsOf(map))) {
      Range &range = ranges[loop];
      const int64_t size = type.getDimSize(axis);
      if (range.size != 0 && range.size != size) {
        ranges = old;
        return false;
      }
      if (range.size == 0 || getConstantIntValue(range.extent) == size)
        range = {size, part->sizes[axis]};
    }
    memrefs[operand] = part->tile;
    return true;
  }
};

/// The tiles of an op; nothing if they differ in size along a loop.
std::optional<Tiles> tilesOf(linalg::ContractOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  Tiles tiles;
  tiles.memrefs.resize(maps.size());
  tiles.ranges.resize(maps[0].getNumDims());
  const auto isWhole = [&](unsigned number) {
    return cast<MemRefType>(op->getOperand(number).getType()).hasStaticShape();
  };
  // Fronts first: their tiles disambiguate the others.
  for (auto [number, map] : llvm::enumerate(maps))
    if (!isWhole(number) &&
        !tiles.add(number, sourceOfFront(op->getOperand(number)), map))
      return std::nullopt;
  for (auto [number, map] : llvm::enumerate(maps))
    if (isWhole(number) &&
        !tiles.add(number, wholeOf(op->getOperand(number)), map) &&
        !tiles.add(number, sourceOfFront(op->getOperand(number)), map))
      return std::nullopt;
  return tiles;
}

/// Why the op is skipped, or nothing.
std::optional<StringRef> whyNot(linalg::ContractOp op) {
  for (Value operand : op->getOperands()) {
    auto type = dyn_cast<MemRefType>(operand.getType());
    if (!type)
      return "expected operands in memory; bufferize first";
    if (!type.hasStaticShape() && !sourceOfFront(operand))
      return "expected static sizes, or the front of tiles that have them";
    SmallVector<int64_t> strides;
    int64_t offset;
    if (failed(type.getStridesAndOffset(strides, offset)))
      return "expected strided operands";
  }
  Type acc = getElementTypeOrSelf(op.getOutputs()[0].getType());
  if (!acc.isF32() && !acc.isF64() && !acc.isInteger(32))
    return "expected an f32, f64 or i32 accumulator";
  for (Value input : op.getInputs())
    if (!isWidened(getElementTypeOrSelf(input.getType()), acc))
      return "expected operands that the accumulator's type holds exactly";
  std::optional<Loops> loops = classify(op);
  if (!loops)
    return "expected one loop each of m, n and k and at most one of a batch";
  std::optional<Tiles> tiles = tilesOf(op);
  if (!tiles)
    return "expected fronts of tiles of equal sizes";
  if (loops->batch != -1) {
    const Range &batch = tiles->ranges[loops->batch];
    if (getConstantIntValue(batch.extent) != batch.size)
      return "expected the whole batch";
  }
  return std::nullopt;
}

/// A fill of acc with zeros that only the accumulating op reads.
struct ZeroStart {
  linalg::FillOp fill;
  /// The loop in whose first iteration it is relevant; null if the op runs
  /// once.
  scf::ForOp loop;
};

/// All ops that may access a buffer, through any subview.
SmallVector<Operation *> usersOf(Value buffer) {
  SmallVector<Operation *> users;
  SmallVector<Value> views = {buffer};
  while (!views.empty())
    for (Operation *user : views.pop_back_val().getUsers()) {
      users.push_back(user);
      llvm::copy_if(
          user->getResults(), std::back_inserter(views),
          [](Value result) { return isa<MemRefType>(result.getType()); });
    }
  return users;
}

/// Whether a loop is known to run at least once.
bool runs(scf::ForOp loop) {
  const auto begin = getConstantIntValue(loop.getLowerBound()),
             end = getConstantIntValue(loop.getUpperBound());
  return begin && end && *begin < *end;
}

/// Whether the op accumulates into zeros stored before it, or before its
/// enclosing loop.
std::optional<ZeroStart> findZeroStart(linalg::ContractOp op, Value acc) {
  auto buffer = acc.getDefiningOp<memref::AllocaOp>();
  if (!buffer)
    return std::nullopt;
  const SmallVector<Operation *> users = usersOf(acc);
  // Loops and branches that forward the buffer have other values for it.
  if (llvm::any_of(users, llvm::IsaPred<RegionBranchOpInterface>))
    return std::nullopt;
  const auto firstTouches = [&](Operation *op, linalg::FillOp fill) {
    return llvm::none_of(users, [&](Operation *user) {
      Operation *there = op->getBlock()->findAncestorOpInBlock(*user);
      return there && user != fill && !isMemoryEffectFree(user) &&
             there->isBeforeInBlock(op) &&
             (fill->getBlock() != op->getBlock() ||
              fill->isBeforeInBlock(there));
    });
  };
  for (Operation *user : users) {
    auto fill = dyn_cast<linalg::FillOp>(user);
    if (!fill || fill.getOutputs().front() != acc ||
        !(matchPattern(fill.getInputs().front(), m_PosZeroFloat()) ||
          matchPattern(fill.getInputs().front(), m_Zero())))
      continue;
    if (fill->getBlock() == op->getBlock() && fill->isBeforeInBlock(op) &&
        firstTouches(op, fill))
      return ZeroStart{fill, nullptr};
    auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
    if (loop && runs(loop) && fill->getBlock() == loop->getBlock() &&
        fill->isBeforeInBlock(loop) && firstTouches(loop, fill) &&
        firstTouches(op, fill))
      return ZeroStart{fill, loop};
  }
  return std::nullopt;
}

enum class Form { Inner, Outer };

/// For each row of rhs, the inner form sums the lanes of m registers, and the
/// outer form packs k elements.
Form chooseForm(const Contraction &op) {
  /// Elements that are packed in the time of one such sum.
  constexpr int64_t packedPerSum = 8;
  const bool isWhole = !op.rows && !op.columns && !op.depth;
  return op.transposedRhs && isWhole && op.m <= maxInnerRows &&
                 op.k > packedPerSum * op.m
             ? Form::Inner
             : Form::Outer;
}

/// Replaces the op by loops; fails if its accumulator is not [m, n] with
/// contiguous rows.
FailureOr<Form> lower(linalg::ContractOp op, VectorUnit unit) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Loops loops = *classify(op);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  const Tiles tiles = *tilesOf(op);
  auto arranged = [&](unsigned operand, int64_t outer, int64_t inner) {
    return arrange(builder, loc, tiles.memrefs[operand], maps[operand], loops,
                   outer, inner);
  };
  Operand acc = arranged(2, loops.m, loops.n);
  if (!acc.innerLast || !acc.contiguous)
    return op.emitRemark("not lowered to a micro-kernel: expected an "
                         "accumulator [m, n] with contiguous rows");
  Operand lhs = arranged(0, loops.m, loops.k);
  Operand rhs = arranged(1, loops.n, loops.k);

  Type accType = getElementTypeOrSelf(acc.memref.getType());
  auto function = op->getParentOfType<FunctionOpInterface>();
  MicroKernelBuilder kernel(builder, loc, accType, unit,
                            function.getFunctionBody().front());
  ArrayRef<Range> ranges = tiles.ranges;
  auto extent = [&](int64_t loop) -> Value {
    auto [size, extent] = ranges[loop];
    if (getConstantIntValue(extent) == size)
      return {};
    return getValueOrCreateConstantIndexOp(builder, loc, extent);
  };
  std::optional<ZeroStart> zeros = findZeroStart(op, tiles.memrefs[2]);
  Value beginsAtZero;
  if (zeros && zeros->loop)
    beginsAtZero = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                         zeros->loop.getInductionVar(),
                                         zeros->loop.getLowerBound());
  else if (zeros)
    beginsAtZero =
        arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
  bool isUnsigned = op.getCast() == linalg::TypeFn::cast_unsigned;
  Form form = Form::Outer;
  kernel.loop(
      0, loops.batch == -1 ? 1 : ranges[loops.batch].size, 1, [&](Value batch) {
        auto matrix = [&](const Operand &operand) {
          Matrix result{operand.memref, {}, isUnsigned};
          if (loops.batch != -1)
            result.lead.push_back(batch);
          return operand.contiguous ? result : kernel.gatheredCopy(result);
        };
        Contraction contraction{.lhs = matrix(lhs),
                                .rhs = matrix(rhs),
                                .acc = matrix(acc),
                                .transposedLhs = !lhs.innerLast,
                                .transposedRhs = rhs.innerLast,
                                .m = ranges[loops.m].size,
                                .n = ranges[loops.n].size,
                                .k = ranges[loops.k].size,
                                .rows = extent(loops.m),
                                .columns = extent(loops.n),
                                .depth = extent(loops.k),
                                .beginsAtZero = beginsAtZero};
        form = chooseForm(contraction);
        if (form == Form::Inner)
          emitInnerProduct(kernel, contraction);
        else
          emitOuterProduct(kernel, contraction);
      });
  op.erase();
  // The other form reads acc.
  if (zeros && form == Form::Outer)
    zeros->fill->erase();
  return form;
}

struct ContractToMicroKernel
    : tilegpt::cpu::impl::ContractToMicroKernelBase<ContractToMicroKernel> {
  using ContractToMicroKernelBase::ContractToMicroKernelBase;

  void runOnOperation() override {
    SmallVector<linalg::ContractOp> ops;
    getOperation()->walk([&](linalg::ContractOp op) { ops.push_back(op); });
    for (linalg::ContractOp op : ops) {
      if (std::optional<StringRef> why = whyNot(op)) {
        op.emitRemark() << "not lowered to a micro-kernel: " << *why;
        continue;
      }
      FailureOr<Form> form =
          lower(op, {vectorBits, vectorRegisters, rowStreams});
      if (failed(form))
        continue;
      ++(*form == Form::Inner ? numInner : numOuter);
    }
  }
};

} // namespace
