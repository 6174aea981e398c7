//===- ContractToMicroKernel.cpp - linalg.contract to vector code --------===//
//
// The pass `cpu-contract-to-micro-kernel`: recognises a contraction on memrefs,
// brings its operands into one of the storage orders the micro-kernels read,
// and picks the form that suits its shape.

#include "MicroKernel.h"
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

/// Which loop of the op's iteration space plays which part; batch is -1 for a
/// 2-D product.
struct Loops {
  int64_t batch = -1, m = -1, n = -1, k = -1;
};

/// An operand whose axes are [batch,] and two more.
struct Operand {
  Value memref;
  /// The last axis is the one asked for (k for a factor, n for the
  /// accumulator).
  bool innerLast = true;
  /// Consecutive elements of the last axis are neighbours in memory.
  bool contiguous = true;
};

/// The loop that indexes each axis of an operand.
SmallVector<int64_t> loopsOf(AffineMap map) {
  return llvm::map_to_vector(map.getResults(), [](AffineExpr expr) -> int64_t {
    return cast<AffineDimExpr>(expr).getPosition();
  });
}

/// The parts of the loops, unless a loop plays none or two play the same.
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

/// Whether neighbours along an axis are neighbours in memory.
bool isContiguousAlong(MemRefType type, int64_t axis) {
  SmallVector<int64_t> strides;
  int64_t offset;
  return succeeded(type.getStridesAndOffset(strides, offset)) &&
         (strides[axis] == 1);
}

/// Brings the batch axis first and, where it can, a contiguous axis last.
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

/// The types of `tile.dot`: operands that the accumulator's type holds exactly.
bool isWidened(Type from, Type to) {
  if (isa<FloatType>(from) != isa<FloatType>(to) || !from.isIntOrFloat())
    return false;
  return from == to ||
         from.getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth();
}

/// Why the op is left alone, or nothing.
std::optional<StringRef> whyNot(linalg::ContractOp op) {
  for (Value operand : op->getOperands()) {
    auto type = dyn_cast<MemRefType>(operand.getType());
    if (!type)
      return "expected operands in memory; bufferize first";
    if (!type.hasStaticShape())
      return "expected static sizes";
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
  if (!classify(op))
    return "expected one loop each of m, n and k and at most one of a batch";
  return std::nullopt;
}

/// Inner products read rhs where it lies, which wins until rows share it often
/// enough to pay for packing it.
constexpr int64_t maxInnerRows = 16;

enum class Form { Inner, Outer };

Form chooseForm(const Contraction &op) {
  return op.transposedRhs && op.m <= maxInnerRows ? Form::Inner : Form::Outer;
}

/// Replaces the op by loops; fails if its accumulator is not [m, n] with
/// contiguous rows.
FailureOr<Form> lower(linalg::ContractOp op, VectorUnit unit) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Loops loops = *classify(op);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  auto arranged = [&](Value value, AffineMap map, int64_t outer,
                      int64_t inner) {
    return arrange(builder, loc, value, map, loops, outer, inner);
  };
  Operand acc = arranged(op.getOutputs()[0], maps[2], loops.m, loops.n);
  if (!acc.innerLast || !acc.contiguous)
    return op.emitRemark("not lowered to a micro-kernel: expected an "
                         "accumulator [m, n] with contiguous rows");
  Operand lhs = arranged(op.getInputs()[0], maps[0], loops.m, loops.k);
  Operand rhs = arranged(op.getInputs()[1], maps[1], loops.n, loops.k);

  Type accType = getElementTypeOrSelf(acc.memref.getType());
  auto function = op->getParentOfType<FunctionOpInterface>();
  MicroKernelBuilder kernel(builder, loc, accType, unit,
                            function.getFunctionBody().front());
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  bool isUnsigned = op.getCast() == linalg::TypeFn::cast_unsigned;
  Form form = Form::Outer;
  kernel.loop(
      0, loops.batch == -1 ? 1 : sizes[loops.batch], 1, [&](Value batch) {
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
                                .m = sizes[loops.m],
                                .n = sizes[loops.n],
                                .k = sizes[loops.k]};
        form = chooseForm(contraction);
        if (form == Form::Inner)
          emitInnerProduct(kernel, contraction);
        else
          emitOuterProduct(kernel, contraction);
      });
  op.erase();
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
