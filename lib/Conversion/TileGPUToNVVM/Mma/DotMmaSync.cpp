// A dot by `mma.sync` on fragments of both operands.
#include "Mma/MmaFragments.h"
#include "Mma/WidenF8.h"
#include "Thread/InlinePtx.h"
#include "Thread/PipeAddress.h"
#include "Thread/RegisterVector.h"
#include "Thread/SharedTile.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotLayouts.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "TileGPT/Target/NVVM/FindTarget.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace tilegpt::tilegpu {
namespace {

/// K steps that f8 instructions may accumulate by themselves.
constexpr int64_t fastSteps = mostFastTerms / mmaStepBytes;
/// More instructions than this become a loop.
constexpr int64_t mostUnrolled = 128;

class MmaSync {
public:
  MmaSync(OpBuilder &builder, DotOp op, const std::optional<DotOperand> &lhs,
          ValueRange lhsRegisters, const DotOperand &rhs)
      : builder(builder), op(op), loc(op.getLoc()), lhs(lhs),
        lhsRegisters(lhsRegisters), rhs(rhs),
        type(cast<RankedTensorType>(op.getAcc().getType())),
        layout(LayoutAttr::of(type)), element(rhs.type.getElementType()),
        target(target::lookUpTarget(PlanAttr::of(op).getTarget())),
        steps(rhs.getSumLength() * memoryBytes(element) / mmaStepBytes) {}

  SmallVector<Value> run(ValueRange acc) {
    SmallVector<Value> sums(acc);
    int64_t count = layout.getNumRegisters() / 4 * steps;
    int64_t chunk = chunkSteps();
    if (!lhs || count <= mostUnrolled || steps <= chunk) {
      addSteps(lhs ? lhs->buffer : Value(), rhs.buffer, steps, sums);
      return sums;
    }
    int64_t chunks = steps / chunk;
    auto loop = scf::ForOp::create(builder, loc, constant(0), constant(chunks),
                                   constant(1), sums);
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(loop.getBody());
      SmallVector<Value> inner(loop.getRegionIterArgs());
      Value number = loop.getInductionVar();
      addSteps(advance(*lhs, number, chunk), advance(rhs, number, chunk), chunk,
               inner);
      scf::YieldOp::create(builder, loc, inner);
    }
    sums.assign(loop.result_begin(), loop.result_end());
    if (int64_t rest = steps - chunks * chunk)
      addSteps(advance(*lhs, constant(chunks), chunk),
               advance(rhs, constant(chunks), chunk), rest, sums);
    return sums;
  }

private:
  Value constant(int64_t value) { return indexConstant(builder, loc, value); }

  /// K steps per iteration of the loop: whole panels of both buffers.
  int64_t chunkSteps() const {
    int64_t chunk = 4;
    for (const DotOperand *operand : {lhs ? &*lhs : &rhs, &rhs})
      if (operand->isContiguousAlongSum() && operand->type.getSwizzle())
        chunk = std::min(chunk, operand->type.getSwizzle() / mmaStepBytes);
    return chunk;
  }

  /// The address of an operand after `number` times `chunk` K steps.
  Value advance(const DotOperand &operand, Value number, int64_t chunk) {
    SharedType shared = operand.type;
    int64_t bytes = chunk * mmaStepBytes;
    if (operand.isContiguousAlongSum()) {
      // From panel to panel, as chunks are whole panels.
      if (shared.getSwizzle())
        bytes *= operand.getFreeSize();
    } else {
      int64_t rows = bytes / memoryBytes(element);
      bytes = rows * (shared.getSwizzle() ? shared.getSwizzle()
                                          : shared.getStride(operand.sumAxis) *
                                                memoryBytes(element));
    }
    Value distance = arith::IndexCastOp::create(
        builder, loc, builder.getI32Type(),
        arith::MulIOp::create(builder, loc, number, constant(bytes)));
    return bytesBehind(builder, loc, operand.buffer, distance);
  }

  /// Adds `count` K steps, from the given addresses of the buffers on.
  void addSteps(Value left, Value right, int64_t count,
                SmallVectorImpl<Value> &sums) {
    int64_t rank = type.getRank(), row = rank - 2, column = rank - 1;
    // Start of the warp's part: the layout without lanes and registers.
    LayoutAttr warps =
        LayoutAttr::get(type.getContext(), ArrayRef<LayoutMode>(),
                        LayoutMode::replicate(warpLanes), layout.getWarps());
    ThreadTile warp(builder, loc, type.cloneWithEncoding(warps));

    // The first register of each fragment, by batch, row and column.
    llvm::MapVector<int64_t,
                    llvm::MapVector<int64_t, llvm::MapVector<int64_t, int64_t>>>
        fragments;
    for (int64_t reg = 0; reg < layout.getNumRegisters(); reg += 4) {
      SmallVector<int64_t> offset = layout.getRegisterOffset(reg, rank);
      int64_t batch = rank == 3 ? offset[0] : 0;
      if (offset[row] < type.getDimSize(row) &&
          offset[column] < type.getDimSize(column))
        fragments[batch][offset[row]][offset[column]] = reg;
    }
    for (auto &[batch, rows] : fragments) {
      Value tile;
      if (rank == 3) {
        tile = arith::AddIOp::create(builder, loc, warp.getBase(0),
                                     constant(batch));
        if (layout.getCoveredSize(0) > type.getDimSize(0))
          tile = arith::MinUIOp::create(builder, loc, tile,
                                        constant(type.getDimSize(0) - 1));
      }
      std::optional<FragmentReader> leftReader;
      if (lhs)
        leftReader.emplace(builder, loc, *lhs, /*isLhs=*/true,
                           warp.getBase(row), tile, layout.getCoveredSize(row));
      FragmentReader rightReader(builder, loc, rhs, /*isLhs=*/false,
                                 warp.getBase(column), tile,
                                 layout.getCoveredSize(column));
      SmallVector<int64_t> columns;
      for (auto [offset, reg] : rows.front().second)
        columns.push_back(offset);
      SmallVector<Value> started; // sums of the products of a few steps
      for (int64_t step = 0; step < count; ++step) {
        if (isFast() && step % fastSteps == 0)
          started.assign(sums.size(), zero());
        SmallVectorImpl<Value> &into = isFast() ? started : sums;
        llvm::MapVector<int64_t, SmallVector<Value>> lefts;
        for (auto &[offset, registers] : rows)
          lefts[offset] = prepare(
              leftReader ? leftReader->read(left, offset, step, /*matrices=*/4)
                         : packLeft(offset, step),
              lhs ? lhs->type.getElementType() : element);
        auto rights = readColumns(rightReader, right, columns, step);
        for (auto &[offset, registers] : rows)
          for (auto [at, reg] : registers)
            multiply(lefts[offset], rights[at], into, reg);
        if (isFast() &&
            (step % fastSteps == fastSteps - 1 || step + 1 == count))
          for (auto &[offset, registers] : rows)
            for (auto [at, reg] : registers)
              add(started, sums, reg);
      }
    }
  }

  Value zero() {
    return arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(0));
  }
  /// Adds the four elements of a fragment.
  void add(ArrayRef<Value> from, SmallVectorImpl<Value> &to, int64_t first) {
    for (int64_t reg = first; reg < first + 4; ++reg)
      to[reg] = arith::AddFOp::create(builder, loc, to[reg], from[reg]);
  }

  /// The fragment of lhs at row offset `row` for a K step, from the registers
  /// of two adjacent accumulator fragments with the same elements: adjacent
  /// elements share a register.
  SmallVector<Value> packLeft(int64_t row, int64_t step) {
    LayoutAttr held =
        LayoutAttr::of(cast<RankedTensorType>(op.getLhs().getType()));
    SmallVector<Value> packed;
    for (int64_t half = 0; half < 2; ++half) {
      SmallVector<int64_t> place = {row, (2 * step + half) * fragmentColumns};
      int64_t first = 0;
      while (held.getRegisterOffset(first, /*rank=*/2) != place)
        first += 4;
      for (int64_t reg = first; reg < first + 4; reg += 2)
        packed.push_back(
            packHalves(builder, loc, lhsRegisters[reg], lhsRegisters[reg + 1]));
    }
    return packed;
  }

  /// The fragments of rhs at these columns; adjacent ones are read two at a
  /// time.
  llvm::MapVector<int64_t, SmallVector<Value>>
  readColumns(FragmentReader &reader, Value buffer, ArrayRef<int64_t> columns,
              int64_t step) {
    llvm::MapVector<int64_t, SmallVector<Value>> fragments;
    while (!columns.empty()) {
      int64_t column = columns.front();
      bool isPair =
          columns.size() > 1 && columns[1] == column + fragmentColumns;
      SmallVector<Value> registers =
          reader.read(buffer, column, step, isPair ? 4 : 2);
      ArrayRef<Value> first = ArrayRef(registers).take_front(2),
                      second = ArrayRef(registers).drop_front(2);
      fragments[column] = prepare(first, element);
      if (isPair)
        fragments[column + fragmentColumns] = prepare(second, element);
      columns = columns.drop_front(isPair ? 2 : 1);
    }
    return fragments;
  }

  /// Registers of `type` as the instruction expects them.
  SmallVector<Value> prepare(ArrayRef<Value> registers, Type type) {
    if (tile::isF8(type) && !isFast())
      return widenRegisters(registers, type);
    SmallVector<Value> prepared(registers);
    if (type.isF16()) {
      Type pair = VectorType::get(2, type);
      for (Value &value : prepared)
        value = LLVM::BitcastOp::create(builder, loc, pair, value);
    } else if (type.isF32()) {
      for (Value &value : prepared)
        value = NVVM::ConvertFloatToTF32Op::create(
            builder, loc, builder.getI32Type(),
            LLVM::BitcastOp::create(builder, loc, type, value),
            roundingToTF32());
    }
    return prepared;
  }

  /// The first two elements of every register, then the other two, as f16: the
  /// fragments of two instructions. Both operands are split alike, so that
  /// products pair the same elements.
  SmallVector<Value> widenRegisters(ArrayRef<Value> registers, Type type) {
    SmallVector<Value> halves[2];
    for (Value four : registers)
      for (auto [half, pair] : llvm::zip_equal(
               halves, widenF8(builder, loc, four, type,
                               /*hasInstruction=*/target && target->hasFp8)))
        half.push_back(pair);
    llvm::append_range(halves[0], halves[1]);
    return halves[0];
  }

  /// Whether f8 operands are multiplied directly. Targets with wgmma have no f8
  /// `mma.sync`: ptxas widens the operands to f16 as well.
  bool isFast() {
    return op.getPrecision() == tile::Precision::Fast && target &&
           target->hasFp8 && !target->hasWgmma;
  }

  /// To nearest; ties to even from sm_90 on, away from zero before.
  NVVM::FPRoundingMode roundingToTF32() const {
    constexpr unsigned firstWithTiesToEven = 90;
    return target && target->capability >= firstWithTiesToEven
               ? NVVM::FPRoundingMode::RN
               : NVVM::FPRoundingMode::RNA;
  }

  /// The instruction's name for an operand type.
  NVVM::MMATypes nameOf(Type type, bool isUnsigned) {
    using NVVM::MMATypes;
    if (type.isInteger(8))
      return isUnsigned ? MMATypes::u8 : MMATypes::s8;
    if (type.isF16() || (tile::isF8(type) && !isFast()))
      return MMATypes::f16;
    if (type.isBF16())
      return MMATypes::bf16;
    if (tile::isF8(type))
      return isa<Float8E4M3FNType>(type) ? MMATypes::e4m3 : MMATypes::e5m2;
    return MMATypes::tf32;
  }

  /// Adds the products of a K step: of one instruction, or of as many as the
  /// fragment of rhs has pairs of registers.
  void multiply(ArrayRef<Value> left, ArrayRef<Value> right,
                SmallVectorImpl<Value> &sums, int64_t reg) {
    constexpr size_t leftCount = 4, rightCount = 2;
    const int64_t parts = right.size() / rightCount;
    const std::array<NVVM::MMATypes, 2> types = {
        nameOf(lhs ? lhs->type.getElementType() : element, op.getUnsignedLhs()),
        nameOf(element, op.getUnsignedRhs())};
    std::optional<NVVM::MMAIntOverflow> overflow;
    if (element.isInteger(8))
      overflow = NVVM::MMAIntOverflow::wrapped;
    for (int64_t part = 0; part < parts; ++part)
      multiplyOnce(left.slice(part * leftCount, leftCount),
                   right.slice(part * rightCount, rightCount), types, overflow,
                   mmaStepBytes / memoryBytes(element) / parts, sums, reg);
  }

  void multiplyOnce(ArrayRef<Value> left, ArrayRef<Value> right,
                    std::array<NVVM::MMATypes, 2> types,
                    std::optional<NVVM::MMAIntOverflow> overflow, int64_t depth,
                    SmallVectorImpl<Value> &sums, int64_t reg) {
    auto result = LLVM::LLVMStructType::getLiteral(
        builder.getContext(), SmallVector<Type>(4, type.getElementType()));
    ArrayRef<Value> acc = ArrayRef<Value>(sums).slice(reg, 4);
    Value product;
    if (types[0] == NVVM::MMATypes::e4m3 || types[0] == NVVM::MMATypes::e5m2) {
      // NVVM's op does not support these types.
      std::string code =
          ("mma.sync.aligned.m16n8k32.row.col.f32." +
           NVVM::stringifyMMATypes(types[0]) + "." +
           NVVM::stringifyMMATypes(types[1]) +
           ".f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$10, $11, "
           "$12, $13};")
              .str();
      SmallVector<Value> operands(left);
      llvm::append_range(operands, right);
      llvm::append_range(operands, acc);
      product = inlinePtx(builder, loc, result, operands, code,
                          "=f,=f,=f,=f,r,r,r,r,r,r,f,f,f,f", /*isPure=*/true)
                    .getResult(0);
    } else {
      product = NVVM::MmaOp::create(
          builder, loc, result, left, right, acc,
          ArrayRef<int64_t>{fragmentRows, fragmentColumns, depth}, std::nullopt,
          overflow, types,
          std::array<NVVM::MMALayout, 2>{NVVM::MMALayout::row,
                                         NVVM::MMALayout::col});
    }
    for (int64_t number = 0; number < 4; ++number)
      sums[reg + number] =
          LLVM::ExtractValueOp::create(builder, loc, product, number);
  }

  OpBuilder &builder;
  DotOp op;
  Location loc;
  const std::optional<DotOperand> &lhs;
  ValueRange lhsRegisters; ///< where lhs is no buffer
  const DotOperand &rhs;
  RankedTensorType type;
  LayoutAttr layout;
  Type element;
  const target::GpuTarget *target;
  int64_t steps;
};
} // namespace

SmallVector<Value> multiplyMatrices(OpBuilder &builder, DotOp op,
                                    const std::optional<DotOperand> &lhs,
                                    ValueRange lhsRegisters,
                                    const DotOperand &rhs, ValueRange acc) {
  return MmaSync(builder, op, lhs, lhsRegisters, rhs).run(acc);
}

} // namespace tilegpt::tilegpu
