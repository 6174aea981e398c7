// A dot by the matrix instructions of a warp: fragments of both operands, which
// `mma.sync` multiplies.
#include "MmaFragments.h"
#include "SharedTile.h"
#include "TileGPT/Target/NVVM/GpuTarget.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace tilegpt::tilegpu {
namespace {

/// Along the sum, every `mma.sync` takes 32 bytes of each operand: 16 elements
/// of bf16, 8 of tf32, 32 of i8.
constexpr int64_t stepBytes = 32;
/// Where more instructions than that would follow each other, they are a loop.
constexpr int64_t mostUnrolled = 128;
/// Rows of the fragment of lhs, columns of that of rhs.
constexpr int64_t fragmentRows = 16, fragmentColumns = 8;

class MmaSync {
public:
  MmaSync(OpBuilder &builder, DotOp op, const std::optional<DotOperand> &lhs,
          ValueRange lhsRegisters, const DotOperand &rhs)
      : builder(builder), op(op), loc(op.getLoc()), lhs(lhs),
        lhsRegisters(lhsRegisters), rhs(rhs),
        type(cast<RankedTensorType>(op.getAcc().getType())),
        layout(LayoutAttr::of(type)), element(rhs.type.getElementType()),
        steps(rhs.getSumLength() * memoryBytes(element) / stepBytes) {}

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

  /// Steps of a trip of the loop over the sum: whole panels of both buffers.
  int64_t chunkSteps() const {
    int64_t chunk = 4;
    for (const DotOperand *operand : {lhs ? &*lhs : &rhs, &rhs})
      if (operand->isContiguousAlongSum() && operand->type.getSwizzle())
        chunk = std::min(chunk, operand->type.getSwizzle() / stepBytes);
    return chunk;
  }

  /// Where an operand goes on after `number` times `chunk` steps.
  Value advance(const DotOperand &operand, Value number, int64_t chunk) {
    SharedType shared = operand.type;
    int64_t bytes = chunk * stepBytes;
    if (operand.isContiguousAlongSum()) {
      // From panel to panel, chunks being whole ones.
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
    return LLVM::GEPOp::create(builder, loc, operand.buffer.getType(),
                               builder.getI8Type(), operand.buffer,
                               ArrayRef<LLVM::GEPArg>(distance));
  }

  /// Adds `count` steps of the sum, from the given places of the buffers on.
  void addSteps(Value left, Value right, int64_t count,
                SmallVectorImpl<Value> &sums) {
    int64_t rank = type.getRank(), row = rank - 2, column = rank - 1;
    // Where the warp's part begins: the layout without lanes and registers.
    constexpr int64_t warpLanes = 32;
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
      for (int64_t step = 0; step < count; ++step) {
        llvm::MapVector<int64_t, SmallVector<Value>> lefts;
        for (auto &[offset, registers] : rows)
          lefts[offset] = prepare(
              leftReader ? leftReader->read(left, offset, step, /*matrices=*/4)
                         : packLeft(offset, step));
        auto rights = readColumns(rightReader, right, columns, step);
        for (auto &[offset, registers] : rows)
          for (auto [at, reg] : registers)
            multiply(lefts[offset], rights[at], sums, reg);
      }
    }
  }

  /// The fragment of lhs at row offset `row` for a step of the sum, from the
  /// registers of two fragments of an accumulator beside each other, which hold
  /// the same elements: neighbours share a register.
  SmallVector<Value> packLeft(int64_t row, int64_t step) {
    LayoutAttr held =
        LayoutAttr::of(cast<RankedTensorType>(op.getLhs().getType()));
    Type pair = VectorType::get(2, element);
    auto position = [&](int64_t number) {
      return LLVM::ConstantOp::create(builder, loc,
                                      builder.getI32IntegerAttr(number));
    };
    SmallVector<Value> packed;
    for (int64_t half = 0; half < 2; ++half) {
      SmallVector<int64_t> place = {row, (2 * step + half) * fragmentColumns};
      int64_t first = 0;
      while (held.getRegisterOffset(first, /*rank=*/2) != place)
        first += 4;
      for (int64_t reg = first; reg < first + 4; reg += 2) {
        Value both = LLVM::PoisonOp::create(builder, loc, pair);
        for (int64_t number = 0; number < 2; ++number)
          both = LLVM::InsertElementOp::create(
              builder, loc, both, lhsRegisters[reg + number], position(number));
        packed.push_back(
            LLVM::BitcastOp::create(builder, loc, builder.getI32Type(), both));
      }
    }
    return packed;
  }

  /// The fragments of rhs at these columns; neighbours are read two at a time.
  llvm::MapVector<int64_t, SmallVector<Value>>
  readColumns(FragmentReader &reader, Value buffer, ArrayRef<int64_t> columns,
              int64_t step) {
    llvm::MapVector<int64_t, SmallVector<Value>> fragments;
    while (!columns.empty()) {
      int64_t column = columns.front();
      bool isPair =
          columns.size() > 1 && columns[1] == column + fragmentColumns;
      SmallVector<Value> registers =
          prepare(reader.read(buffer, column, step, isPair ? 4 : 2));
      fragments[column].assign(registers.begin(), registers.begin() + 2);
      if (isPair)
        fragments[column + fragmentColumns].assign(registers.begin() + 2,
                                                   registers.end());
      columns = columns.drop_front(isPair ? 2 : 1);
    }
    return fragments;
  }

  /// Registers as the instruction takes them.
  SmallVector<Value> prepare(SmallVector<Value> registers) {
    if (element.isF16()) {
      Type pair = VectorType::get(2, element);
      for (Value &value : registers)
        value = LLVM::BitcastOp::create(builder, loc, pair, value);
    } else if (element.isF32()) {
      for (Value &value : registers)
        value = NVVM::ConvertFloatToTF32Op::create(
            builder, loc, builder.getI32Type(),
            LLVM::BitcastOp::create(builder, loc, element, value),
            roundingToTF32());
    }
    return registers;
  }

  /// To nearest; ties to even from sm_90 on, away from zero before.
  NVVM::FPRoundingMode roundingToTF32() {
    constexpr unsigned firstWithTiesToEven = 90;
    auto target = target::GpuTarget::find(PlanAttr::of(op).getTarget());
    if (!target) {
      llvm::consumeError(target.takeError());
      return NVVM::FPRoundingMode::RNA;
    }
    return target->capability >= firstWithTiesToEven
               ? NVVM::FPRoundingMode::RN
               : NVVM::FPRoundingMode::RNA;
  }

  void multiply(ArrayRef<Value> left, ArrayRef<Value> right,
                SmallVectorImpl<Value> &sums, int64_t reg) {
    using NVVM::MMATypes;
    std::array<MMATypes, 2> types;
    std::optional<NVVM::MMAIntOverflow> overflow;
    if (element.isInteger(8)) {
      types = {op.getUnsignedLhs() ? MMATypes::u8 : MMATypes::s8,
               op.getUnsignedRhs() ? MMATypes::u8 : MMATypes::s8};
      overflow = NVVM::MMAIntOverflow::wrapped;
    } else {
      MMATypes both = element.isBF16()  ? MMATypes::bf16
                      : element.isF16() ? MMATypes::f16
                                        : MMATypes::tf32;
      types = {both, both};
    }
    auto result = LLVM::LLVMStructType::getLiteral(
        builder.getContext(), SmallVector<Type>(4, type.getElementType()));
    Value product = NVVM::MmaOp::create(
        builder, loc, result, left, right, ArrayRef<Value>(sums).slice(reg, 4),
        ArrayRef<int64_t>{fragmentRows, fragmentColumns,
                          stepBytes / memoryBytes(element)},
        std::nullopt, overflow, types,
        std::array<NVVM::MMALayout, 2>{NVVM::MMALayout::row,
                                       NVVM::MMALayout::col});
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
