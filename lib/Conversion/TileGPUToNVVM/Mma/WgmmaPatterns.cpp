// Lowers dots in flight to wgmma: descriptors of swizzled buffers, accumulators
// as the registers of a warp group.
#include "Thread/InlinePtx.h"
#include "Thread/PipeAddress.h"
#include "Thread/ThreadPatterns.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotLayouts.h"
#include "TileGPT/Dialect/TileGPU/Analysis/WarpGroups.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/InterleavedRange.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// wgmma's name of an operand's element type.
static NVVM::WGMMATypes wgmmaType(Type type, bool isUnsigned) {
  if (type.isBF16())
    return NVVM::WGMMATypes::bf16;
  if (type.isInteger(8))
    return isUnsigned ? NVVM::WGMMATypes::u8 : NVVM::WGMMATypes::s8;
  if (tile::isF8(type))
    return isa<Float8E4M3FNType>(type) ? NVVM::WGMMATypes::e4m3
                                       : NVVM::WGMMATypes::e5m2;
  return type.isF16() ? NVVM::WGMMATypes::f16 : NVVM::WGMMATypes::tf32;
}

/// The matrix descriptor of a buffer: address, panel stride (only for an
/// MN-major buffer), stride of 8 rows and swizzle, in units of 16 bytes (PTX
/// ISA, "Matrix Descriptor Format").
static Value matrixDescriptor(OpBuilder &builder, Location loc, Value address,
                              int64_t swizzle, int64_t panelBytes = 16) {
  constexpr int64_t unitBytes = 16, rowsOfCore = 8;
  constexpr unsigned leadingShift = 16, strideShift = 32, swizzleShift = 62;
  const uint64_t mode = swizzle == 128 ? 1 : swizzle == 64 ? 2 : 3;
  const uint64_t fields = uint64_t(panelBytes / unitBytes) << leadingShift |
                          uint64_t(rowsOfCore * swizzle / unitBytes)
                              << strideShift |
                          mode << swizzleShift;
  // The field holds 14 bits of the address, which cover a block's shared
  // memory. In a cluster the block's rank is above them.
  constexpr int64_t addressUnits = (1 << 14) - 1;
  Value units = arith::AndIOp::create(
      builder, loc,
      arith::ShRUIOp::create(builder, loc, address,
                             i32Constant(builder, loc, 4)),
      i32Constant(builder, loc, addressUnits));
  Value wide =
      arith::ExtUIOp::create(builder, loc, builder.getI64Type(), units);
  return arith::OrIOp::create(
      builder, loc, wide,
      arith::ConstantIntOp::create(builder, loc, int64_t(fields), 64));
}

/// A descriptor advanced by `bytes`.
static Value moveDescriptor(OpBuilder &builder, Location loc, Value descriptor,
                            int64_t bytes) {
  constexpr int64_t unitBytes = 16;
  if (bytes == 0)
    return descriptor;
  return arith::AddIOp::create(
      builder, loc, descriptor,
      arith::ConstantIntOp::create(builder, loc, bytes / unitBytes, 64));
}

/// Inline PTX whose first results are the registers of its last operands.
static SmallVector<Value> tiedAssembly(OpBuilder &builder, Location loc,
                                       const Twine &code, ValueRange tied,
                                       ValueRange inputs,
                                       StringRef inputConstraints) {
  std::string constraints;
  llvm::raw_string_ostream text(constraints);
  for (Value reg : tied)
    text << (reg.getType().isF32() ? "=f," : "=r,");
  text << inputConstraints << (inputs.empty() ? "" : ",")
       << llvm::interleaved(llvm::seq<size_t>(0, tied.size()), ",");
  auto type = LLVM::LLVMStructType::getLiteral(
      builder.getContext(), llvm::to_vector(tied.getTypes()));
  SmallVector<Value> operands(inputs);
  operands.append(tied.begin(), tied.end());
  Value all = inlinePtx(builder, loc, type, operands, code.str(), constraints)
                  .getResult(0);
  SmallVector<Value> registers;
  for (size_t reg = 0; reg < tied.size(); ++reg)
    registers.push_back(LLVM::ExtractValueOp::create(builder, loc, all, reg));
  return registers;
}

namespace {
/// One `tile_gpu.async_dot`: the instructions of one warp group.
class Wgmma {
public:
  Wgmma(OpBuilder &builder, AsyncDotOp op, ValueRange lhs, Value rhs)
      : builder(builder), loc(op.getLoc()), op(op), lhs(llvm::to_vector(lhs)),
        rhsType(op.getRhs().getType()), element(rhsType.getElementType()),
        elementBytes(element.getIntOrFloatBitWidth() / 8) {
    PlanAttr plan = PlanAttr::of(op);
    RankedTensorType tile = op.getResult().getType().getTile();
    int64_t groups = groupsOfTeam(plan);
    sum = tile.getElementType();
    rows = tile.getDimSize(0);
    parts = op.getAlongN() || isLhsInRegisters()
                ? 1
                : countColumnParts(tile.getDimSize(1), groups);
    columns = tile.getDimSize(1) / parts;
    blocks = llvm::divideCeil(rows, groups * groupRows);
    depth = op.getNumProducts();
    right = descriptorOf(rhsType, addressOf(rhs), op.getAlongN());
    if (isLhsInRegisters())
      return;
    // A warp group's rows of the left operand; the right one is shared.
    lhsType = cast<SharedType>(op.getLhs().getType());
    Value address = addressOf(lhs.front());
    if (groups > 1)
      address = arith::AddIOp::create(
          builder, loc, address,
          arith::MulIOp::create(
              builder, loc, groupInTeam(builder, loc, plan),
              i32Constant(builder, loc, bytesOfRows(rows / groups))));
    left = descriptorOf(lhsType, address, op.getAlongM());
  }

  /// \param acc  registers of the accumulator; none if it is overwritten.
  SmallVector<Value> run(SmallVector<Value> acc) {
    int64_t count = columns / 2, steps = depth * elementBytes / mmaStepBytes;
    fence(acc);
    // A part of the columns of a block each.
    SmallVector<SmallVector<Value>> sums;
    for (int64_t number = 0; number < blocks * parts; ++number)
      sums.push_back(acc.empty() ? undefined(count)
                                 : SmallVector<Value>(ArrayRef(acc).slice(
                                       number * count, count)));
    for (int64_t step = 0; step < steps; ++step)
      for (auto [number, each] : llvm::enumerate(sums))
        each = multiply(step, number / parts, number % parts, each,
                        /*overwrites=*/step == 0 && acc.empty());
    NVVM::WgmmaGroupSyncAlignedOp::create(builder, loc);
    SmallVector<Value> registers;
    for (ArrayRef<Value> part : sums)
      registers.append(part.begin(), part.end());
    return registers;
  }

private:
  static constexpr int64_t unitBytes = 16;

  /// Orders register writes before the wgmma. A left operand in registers, and
  /// computed initial accumulators, pass through the fence: otherwise LLVM
  /// writes some of them after it, and ptxas injects additional fences (C7519)
  /// or serializes the wgmma (C7513).
  void fence(SmallVector<Value> &acc) {
    bool isSumComputed = llvm::any_of(acc, [](Value reg) {
      Operation *op = reg.getDefiningOp();
      return op && !isa<LLVM::ExtractValueOp>(op) &&
             !op->hasTrait<OpTrait::ConstantLike>();
    });
    if (!isSumComputed && !isLhsInRegisters()) {
      NVVM::WgmmaFenceAlignedOp::create(builder, loc);
      return;
    }
    SmallVector<Value> written;
    if (isSumComputed)
      written = acc;
    if (isLhsInRegisters())
      written.append(lhs.begin(), lhs.end());
    written = tiedAssembly(builder, loc, "wgmma.fence.sync.aligned;", written,
                           {}, "");
    if (isSumComputed)
      acc.assign(written.begin(), written.begin() + acc.size());
    if (isLhsInRegisters())
      lhs.assign(written.end() - lhs.size(), written.end());
  }

  bool isLhsInRegisters() { return isa<PackedType>(op.getLhs().getType()); }

  Value addressOf(Value pointer) {
    return LLVM::PtrToIntOp::create(builder, loc, builder.getI32Type(),
                                    pointer);
  }

  SmallVector<Value> undefined(int64_t count) {
    Value value = LLVM::UndefOp::create(builder, loc, sum);
    return SmallVector<Value>(count, value);
  }

  SmallVector<Value> multiply(int64_t step, int64_t block, int64_t part,
                              ArrayRef<Value> sums, bool overwrites) {
    return isLhsInRegisters()
               ? multiplyRegisters(step, block, sums, overwrites)
               : multiplyBuffers(step, block, part, sums, overwrites);
  }

  /// \param acrossSum  whether the buffer is MN-major, so that its panels are
  /// adjacent along M or N.
  Value descriptorOf(SharedType buffer, Value address, bool acrossSum) {
    int64_t swizzle = buffer.getSwizzle();
    return matrixDescriptor(builder, loc, address, swizzle,
                            acrossSum ? buffer.getShape()[0] * swizzle
                                      : unitBytes);
  }

  /// The address of a byte in the first row of a buffer.
  static int64_t bytesOfColumn(SharedType buffer, int64_t byte) {
    int64_t swizzle = buffer.getSwizzle();
    return byte % swizzle + byte / swizzle * buffer.getShape()[0] * swizzle;
  }

  /// The start of row `row` of the left operand.
  int64_t bytesOfRows(int64_t row) {
    return op.getAlongM() ? bytesOfColumn(lhsType, row * elementBytes)
                          : row * lhsType.getSwizzle();
  }

  /// The start of a K step in an operand.
  int64_t bytesOfStep(SharedType buffer, int64_t step, bool acrossSum) {
    return acrossSum ? step * mmaStepBytes / elementBytes * buffer.getSwizzle()
                     : bytesOfColumn(buffer, step * mmaStepBytes);
  }
  Value rightOf(int64_t step, int64_t part = 0) {
    return moveDescriptor(builder, loc, right,
                          bytesOfStep(rhsType, step, op.getAlongN()) +
                              part * columns * rhsType.getSwizzle());
  }

  SmallVector<Value> multiplyBuffers(int64_t step, int64_t block, int64_t part,
                                     ArrayRef<Value> sums, bool overwrites) {
    auto type = LLVM::LLVMStructType::getLiteral(
        builder.getContext(), SmallVector<Type>(sums.size(), sum));
    Value acc = LLVM::UndefOp::create(builder, loc, type);
    if (!overwrites)
      for (auto [number, reg] : llvm::enumerate(sums))
        acc = LLVM::InsertValueOp::create(builder, loc, acc, reg, number);
    int64_t blockBytes = bytesOfRows(block * groupRows);
    auto shape = NVVM::MMAShapeAttr::get(builder.getContext(), groupRows,
                                         columns, mmaStepBytes / elementBytes);
    NVVM::WGMMATypes leftName =
                         wgmmaType(cast<SharedType>(op.getLhs().getType())
                                       .getElementType(),
                                   op.getUnsignedLhs()),
                     rightName = wgmmaType(element, op.getUnsignedRhs());
    acc = NVVM::WgmmaMmaAsyncOp::create(
        builder, loc, type, acc,
        moveDescriptor(builder, loc, left,
                       blockBytes + bytesOfStep(lhsType, step, op.getAlongM())),
        rightOf(step, part), shape, leftName, rightName,
        sum.isF32() ? NVVM::WGMMATypes::f32 : NVVM::WGMMATypes::s32,
        overwrites ? NVVM::WGMMAScaleOut::zero : NVVM::WGMMAScaleOut::one,
        NVVM::WGMMAScaleIn::one, NVVM::WGMMAScaleIn::one,
        op.getAlongM() ? NVVM::MMALayout::col : NVVM::MMALayout::row,
        op.getAlongN() ? NVVM::MMALayout::row : NVVM::MMALayout::col,
        NVVM::MMAIntOverflowAttr());
    SmallVector<Value> registers;
    for (size_t reg = 0; reg < sums.size(); ++reg)
      registers.push_back(LLVM::ExtractValueOp::create(builder, loc, acc, reg));
    return registers;
  }

  /// NVVM has no op for a left operand in registers. Four registers are 16 × 16
  /// elements of a warp: two adjacent accumulator fragments; or 16 × 8 of tf32
  /// (`leftOperandLayout`).
  SmallVector<Value> multiplyRegisters(int64_t step, int64_t block,
                                       ArrayRef<Value> sums, bool overwrites) {
    constexpr int64_t perStep = 4;
    int64_t count = sums.size();
    std::string code;
    llvm::raw_string_ostream text(code);
    auto list = [&](int64_t first, int64_t number) {
      text << '{';
      for (int64_t reg = first; reg < first + number; ++reg)
        text << (reg == first ? "$" : ", $") << reg;
      text << "}, ";
    };
    StringRef name = element.isF32()    ? "tf32"
                     : element.isBF16() ? "bf16"
                                        : "f16";
    int64_t stepDepth = mmaStepBytes / elementBytes;
    text << "wgmma.mma_async.sync.aligned.m64n" << columns << 'k' << stepDepth
         << ".f32." << name << '.' << name << ' ';
    list(0, count);
    list(count, perStep);
    text << '$' << count + perStep << ", " << (overwrites ? 0 : 1) << ", 1, 1";
    // Only 16-bit elements can be transposed.
    if (!element.isF32())
      text << ", " << (op.getAlongN() ? 1 : 0);
    text << ';';
    SmallVector<Value> inputs(ArrayRef(lhs).slice(
        (block * depth / stepDepth + step) * perStep, perStep));
    inputs.push_back(rightOf(step));
    return tiedAssembly(builder, loc, code, sums, inputs, "r,r,r,r,l");
  }

  OpBuilder &builder;
  Location loc;
  AsyncDotOp op;
  SmallVector<Value> lhs;      ///< a pointer, or packed registers
  SharedType lhsType, rhsType; ///< null where lhs is in registers
  Type element, sum;
  int64_t elementBytes, rows, blocks, depth;
  int64_t columns, parts; ///< columns of an instruction
  Value left, right;      ///< descriptors
};

struct LowerAsyncDot : OpConversionPattern<AsyncDotOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(AsyncDotOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType tile = op.getResult().getType().getTile();
    int64_t warps = PlanAttr::of(op).getWarps();
    if (LayoutAttr::of(tile) != accumulatorLayout(DotKind::Wgmma, tile, warps))
      return op.emitOpError("expected the layout of a wgmma accumulator on ")
             << warps << " warps, found " << tile;
    SmallVector<Value> registers =
        Wgmma(rewriter, op, adaptor.getLhs(), adaptor.getRhs().front())
            .run(llvm::to_vector(adaptor.getAcc()));
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }
};

struct LowerLimitDots : OpConversionPattern<LimitDotsOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(LimitDotsOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<NVVM::WgmmaWaitGroupSyncOp>(op, op.getCount());
    return success();
  }
};

struct LowerFinishDot : OpConversionPattern<FinishDotOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(FinishDotOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    // The registers pass through the wait, so that no use of them moves above
    // it; SSA form does not enforce this otherwise.
    std::string inputs =
        llvm::join(SmallVector<StringRef>(adaptor.getReads().size(), "r"), ",");
    SmallVector<Value> registers = tiedAssembly(
        rewriter, op.getLoc(),
        "wgmma.wait_group.sync.aligned " + Twine(op.getLater()) + ";",
        adaptor.getPending(), adaptor.getReads(), inputs);
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }
};
} // namespace

void populateWgmmaPatterns(const ThreadTypeConverter &converter,
                           RewritePatternSet &patterns) {
  patterns.add<LowerAsyncDot, LowerLimitDots, LowerFinishDot>(
      converter, patterns.getContext());
}

} // namespace tilegpt::tilegpu
