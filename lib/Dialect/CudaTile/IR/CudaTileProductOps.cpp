// What matrix products check.
#include "TileGPT/Dialect/CudaTile/IR/CudaTileOps.h"

using namespace mlir;
using namespace tilegpt::cuda_tile;

/// The sizes of a product.
namespace {
struct Sizes {
  TileType type;
  unsigned batched; ///< 1 where axis 0 is a batch, else 0
  int64_t rows() const { return type.getDimSize(batched); }
  int64_t columns() const { return type.getDimSize(batched + 1); }
};
} // namespace

static LogicalResult verifyEqual(Operation *op, StringRef what, TileType a,
                                 int64_t sizeOfA, TileType b, int64_t sizeOfB) {
  if (sizeOfA == sizeOfB)
    return success();
  return op->emitOpError("expected one ")
         << what << ", found " << sizeOfA << " of " << a << " and " << sizeOfB
         << " of " << b;
}

/// Ranks, batches and the three sizes agree.
template <typename Op>
static LogicalResult verifySizes(Op op) {
  TileType lhs = op.getLhs().getType(), rhs = op.getRhs().getType();
  TileType acc = op.getAcc().getType();
  int64_t rank = lhs.getRank();
  if (rank != 2 && rank != 3)
    return op.emitOpError("expected tiles of rank 2 or 3, found ") << lhs;
  for (TileType other : {rhs, acc}) {
    if (other.getRank() != rank)
      return op.emitOpError("expected tiles of one rank, found ")
             << lhs << " and " << other;
    if (rank == 3 && failed(verifyEqual(op, "batch", lhs, lhs.getDimSize(0),
                                        other, other.getDimSize(0))))
      return failure();
  }
  if (lhs.getElementType() != rhs.getElementType())
    return op.emitOpError("expected factors of one type, found ")
           << lhs << " and " << rhs;
  unsigned batched = rank == 3;
  Sizes l{lhs, batched}, r{rhs, batched}, a{acc, batched};
  return success(
      succeeded(verifyEqual(op, "K", lhs, l.columns(), rhs, r.rows())) &&
      succeeded(verifyEqual(op, "M", lhs, l.rows(), acc, a.rows())) &&
      succeeded(verifyEqual(op, "N", rhs, r.columns(), acc, a.columns())));
}

LogicalResult MmaFOp::verify() {
  if (failed(verifySizes(*this)))
    return failure();
  Type factor = getLhs().getType().getElementType();
  Type sum = getAcc().getType().getElementType();
  bool known = isa<Float16Type, Float8E4M3FNType, Float8E5M2Type>(factor)
                   ? isa<Float16Type, Float32Type>(sum)
               : isa<BFloat16Type, FloatTF32Type, Float32Type>(factor)
                   ? sum.isF32()
               : factor.isF64() ? sum.isF64()
                                : false;
  if (known)
    return success();
  return emitOpError("expected f8 or f16 summed in f16 or f32, bf16, tf32 or "
                     "f32 summed in f32, or f64 summed in f64; found ")
         << factor << " summed in " << sum;
}

LogicalResult MmaIOp::verify() { return verifySizes(*this); }

/// How many elements along K share a scale, of a type of elements and of
/// scales; empty if the two do not go together.
static ArrayRef<int64_t> getScaleBlocks(Type element, Type scale) {
  static constexpr int64_t ofF8[] = {32}, ofF4[] = {16, 32},
                           ofF4ByFloat[] = {16};
  if (isa<Float8E8M0FNUType>(scale)) {
    if (isa<Float8E4M3FNType, Float8E5M2Type>(element))
      return ofF8;
    if (isa<Float4E2M1FNType>(element))
      return ofF4;
  }
  if (isa<Float8E4M3FNType, Float8E5M3FNUType>(scale) &&
      isa<Float4E2M1FNType>(element))
    return ofF4ByFloat;
  return {};
}

LogicalResult MmaFScaledOp::verify() {
  if (failed(verifySizes(*this)))
    return failure();
  TileType lhs = getLhs().getType(), rhs = getRhs().getType();
  TileType lhsScale = getLhsScale().getType();
  TileType rhsScale = getRhsScale().getType();
  if (!getAcc().getType().getElementType().isF32())
    return emitOpError("expected sums in f32, found ") << getAcc().getType();
  Type element = lhs.getElementType(), scale = lhsScale.getElementType();
  if (scale != rhsScale.getElementType())
    return emitOpError("expected scales of one type, found ")
           << lhsScale << " and " << rhsScale;
  unsigned batched = lhs.getRank() == 3;
  for (auto [factor, scales] : {std::pair(lhs, lhsScale), {rhs, rhsScale}}) {
    if (scales.getRank() != factor.getRank())
      return emitOpError("expected scales of rank ")
             << factor.getRank() << ", found " << scales;
    if (batched &&
        failed(verifyEqual(*this, "batch", factor, factor.getDimSize(0), scales,
                           scales.getDimSize(0))))
      return failure();
  }
  Sizes l{lhs, batched}, r{rhs, batched};
  Sizes ls{lhsScale, batched}, rs{rhsScale, batched};
  if (failed(verifyEqual(*this, "M", lhs, l.rows(), lhsScale, ls.rows())) ||
      failed(
          verifyEqual(*this, "N", rhs, r.columns(), rhsScale, rs.columns())) ||
      failed(verifyEqual(*this, "number of scales along K", lhsScale,
                         ls.columns(), rhsScale, rs.rows())))
    return failure();
  ArrayRef<int64_t> blocks = getScaleBlocks(element, scale);
  if (blocks.empty())
    return emitOpError("expected f8E4M3FN, f8E5M2 or f4E2M1FN scaled by "
                       "f8E8M0FNU, or f4E2M1FN scaled by f8E4M3FN or "
                       "f8E5M3FNU; found ")
           << element << " scaled by " << scale;
  if (l.columns() % ls.columns() != 0 ||
      !llvm::is_contained(blocks, l.columns() / ls.columns())) {
    InFlightDiagnostic error = emitOpError("expected a scale for every ");
    llvm::interleave(blocks, error, " or ");
    return error << " elements along K, found " << ls.columns() << " scales of "
                 << l.columns() << " elements";
  }
  return success();
}
