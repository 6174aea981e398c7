// Converts kernels on tiles to the code of one thread. The patterns of the ops
// are in the other files; this one has the type conversion and the overall
// order.
#include "Mma/RoundTF32.h"
#include "Thread/InlinePtx.h"
#include "Thread/PipeAddress.h"
#include "Thread/ThreadPatterns.h"
#include "TileGPT/Conversion/TileGPUToNVVM/Passes.h"
#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"
#include "TileGPT/Dialect/TileGPU/Analysis/ExplainAccess.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Layouts.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Scratch.h"
#include "TileGPT/Dialect/TileGPU/IR/KernelAttributes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_TOTHREADS
#include "TileGPT/Conversion/TileGPUToNVVM/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

ThreadTypeConverter::ThreadTypeConverter(MLIRContext *context) {
  addConversion([](Type type) { return type; });
  addConversion(
      [](RankedTensorType type,
         SmallVectorImpl<Type> &types) -> std::optional<LogicalResult> {
        LayoutAttr layout = LayoutAttr::of(type);
        if (!layout)
          return failure();
        types.append(layout.getNumRegisters(), type.getElementType());
        return success();
      });
  addConversion(
      [context](tile::ViewType type,
                SmallVectorImpl<Type> &types) -> std::optional<LogicalResult> {
        types.push_back(LLVM::LLVMPointerType::get(context, globalSpace));
        types.append(2 * type.getRank(), IndexType::get(context));
        return success();
      });
  addConversion([context](tile::PtrType) -> Type {
    return LLVM::LLVMPointerType::get(context, globalSpace);
  });
  addConversion([context](SharedType) -> Type {
    return LLVM::LLVMPointerType::get(context, sharedSpace);
  });
  addConversion([context](PipeType) -> Type {
    return LLVM::LLVMPointerType::get(context, sharedSpace);
  });
  addConversion([context](TensorMapType) -> Type {
    return LLVM::LLVMPointerType::get(context);
  });
  // A stage, and the parity of the round.
  addConversion(
      [context](CursorType,
                SmallVectorImpl<Type> &types) -> std::optional<LogicalResult> {
        types.append(2, IntegerType::get(context, 32));
        return success();
      });
  addConversion(
      [context](PackedType type,
                SmallVectorImpl<Type> &types) -> std::optional<LogicalResult> {
        LayoutAttr layout = LayoutAttr::of(type.getTile());
        if (!layout)
          return failure();
        constexpr unsigned wordBits = 32;
        unsigned perWord = wordBits / type.getTile().getElementTypeBitWidth();
        types.append(layout.getNumRegisters() / perWord,
                     IntegerType::get(context, wordBits));
        return success();
      });
  addConversion(
      [this](PendingType type,
             SmallVectorImpl<Type> &types) -> std::optional<LogicalResult> {
        return convertType(type.getTile(), types);
      });
}

namespace {
struct ToThreads : tilegpu::impl::ToThreadsBase<ToThreads> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    WalkResult verified =
        getOperation().walk<WalkOrder::PreOrder>([](Operation *op) {
          if (auto kernel = dyn_cast<tile::KernelOp>(op))
            return WalkResult(verifyLayouts(kernel));
          return WalkResult(verifyNotOfHost(op));
        });
    if (verified.wasInterrupted())
      return signalPassFailure();
    // Existing functions are not kernels of ours.
    llvm::DenseSet<Operation *> others;
    for (auto function : getOperation().getOps<func::FuncOp>())
      others.insert(function);

    for (auto kernel : getOperation().getOps<tile::KernelOp>()) {
      markReleases(kernel);
      markFirstExchange(kernel);
    }
    AccessTable accesses;
    analyzeAccesses(getOperation(), accesses);
    OffsetTable offsets;
    analyzeOffsets(getOperation(), offsets, withoutConversions);
    for (auto kernel : getOperation().getOps<tile::KernelOp>())
      explainAccesses(kernel, accesses, offsets);
    ThreadTypeConverter converter(context);
    ConversionTarget target(*context);
    target.addIllegalDialect<tile::TileDialect, TileGPUDialect>();
    // On scalars it is for `tile-gpu-expand-functions` and `cpu-expand-math`.
    target.addDynamicallyLegalOp<tile::RoundedOp>([](tile::RoundedOp op) {
      return !isa<RankedTensorType>(op.getType());
    });
    target.markUnknownOpDynamicallyLegal([](Operation *op) {
      // Pointers may be selected, and loop-carried.
      auto isTile = [](Type type) {
        return isa<RankedTensorType, tile::PtrType>(type);
      };
      return llvm::none_of(op->getOperandTypes(), isTile) &&
             llvm::none_of(op->getResultTypes(), isTile);
    });

    RewritePatternSet patterns(context);
    populateKernelPatterns(converter, patterns);
    populateElementwisePatterns(converter, patterns);
    populatePrintPatterns(converter, patterns);
    populateConstantPatterns(converter, patterns);
    populateViewPatterns(converter, patterns);
    populateWorkspacePatterns(converter, patterns);
    populateSharedPatterns(converter, patterns);
    populateCopyPatterns(converter, patterns);
    populateDotPatterns(converter, patterns);
    populateReducePatterns(converter, patterns);
    populateScanPatterns(converter, patterns);
    populateShapePatterns(converter, patterns);
    populateMemoryPatterns(converter, patterns, accesses);
    populateConsecutivePatterns(converter, patterns);
    populateOffsetPatterns(converter, patterns, offsets);
    populateAtomicPatterns(converter, patterns, offsets);
    populatePipePatterns(converter, patterns);
    populateNextTilePatterns(converter, patterns);
    populateTmaPatterns(converter, patterns);
    populateMapPatterns(converter, patterns);
    populateTmaStorePatterns(converter, patterns);
    populateRowStorePatterns(converter, patterns);
    populatePartsPatterns(converter, patterns);
    populateBlockExchangePatterns(converter, patterns);
    populateWgmmaPatterns(converter, patterns);
    populatePackPatterns(converter, patterns);
    populateGroupPatterns(converter, patterns);
    populateMatchRangePatterns(converter, patterns);
    populateCoveringPatterns(converter, patterns);
    populateUnitPatterns(converter, patterns);
    populateCoveringLoadPatterns(converter, patterns);
    populateSumShiftedPatterns(converter, patterns);
    populateRunPatterns(converter, patterns);
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                         target);
    // Nothing is rolled back: a kernel that cannot be converted is an error.
    ConversionConfig config;
    config.allowPatternRollback = false;
    if (failed(applyFullConversion(getOperation(), target, std::move(patterns),
                                   config)))
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!others.contains(function)) {
        hideConstants(function);
        roundToTF32ByInstruction(function);
        widenArguments(function);
      }
  }

private:
  /// Fails on the output of the CPU branch.
  static LogicalResult verifyNotOfHost(Operation *op) {
    if (op->getName().getDialectNamespace() != "linalg")
      return success();
    return op->emitOpError("is the code of a kernel for the CPU; run passes "
                           "for a GPU on the kernel itself");
  }

  /// How a stage is released depends on the other releases around it.
  static void markReleases(tile::KernelOp kernel) {
    int64_t pipes = 0;
    kernel.walk([&](PipeOp) { ++pipes; });
    if (pipes > 1)
      kernel.walk([](ReleaseOp op) {
        op->setAttr(oneOfSeveralName, UnitAttr::get(op.getContext()));
      });
  }

  /// The first op that uses the scratch area, unless a loop repeats it.
  static void markFirstExchange(tile::KernelOp kernel) {
    kernel.walk<WalkOrder::PreOrder>([](Operation *op) {
      if (scratchBytes(op) == 0)
        return WalkResult::advance();
      if (!op->getParentOfType<LoopLikeOpInterface>())
        op->setAttr(firstExchangeName, UnitAttr::get(op->getContext()));
      return WalkResult::interrupt();
    });
  }

  /// A loop of dots that may not run is in a branch, which yields its
  /// accumulators or constants. LLVM would sink code that uses either into both
  /// branches, since it knows the constants; ptxas then waits for every wgmma
  /// of the loop (C7514). The constants are therefore hidden from LLVM.
  static void hideConstants(func::FuncOp function) {
    function.walk([](scf::IfOp branch) {
      if (branch.getElseRegion().empty() || !multiplies(branch))
        return;
      scf::YieldOp yield = branch.elseYield();
      OpBuilder builder(yield);
      llvm::DenseMap<Attribute, Value> hidden;
      for (OpOperand &operand : yield->getOpOperands()) {
        auto constant = operand.get().getDefiningOp<arith::ConstantOp>();
        if (!constant || !constant.getType().isF32())
          continue;
        Value &number = hidden[constant.getValue()];
        if (!number)
          number = inlinePtx(builder, yield.getLoc(), constant.getType(),
                             ValueRange(constant), "mov.b32 $0, $1;", "=f,f",
                             /*isPure=*/true)
                       .getResult(0);
        operand.set(number);
      }
    });
  }

  /// Whether there are asynchronous MMA instructions.
  static bool multiplies(scf::IfOp branch) {
    return branch.getThenRegion()
        .walk([](LLVM::InlineAsmOp ptx) {
          return ptx.getAsmString().contains("wgmma.") ? WalkResult::interrupt()
                                                       : WalkResult::advance();
        })
        .wasInterrupted();
  }

  /// Words are 64 bits wide, regardless of the width of an index; a scalar is
  /// in the low bits of its word. Scalars of raw kernels are separate
  /// parameters.
  static void widenArguments(func::FuncOp function) {
    // Sizes and strides that are required to be equal are merged.
    if (auto equal = dyn_cast_or_null<DenseI64ArrayAttr>(
            function->removeAttr(tile::equalWordsAttr)))
      for (auto [number, first] : llvm::enumerate(equal.asArrayRef()))
        if (int64_t(number) != first)
          function.getArgument(number).replaceAllUsesWith(
              function.getArgument(first));
    OpBuilder builder = OpBuilder::atBlockBegin(&function.front());
    Location loc = function.getLoc();
    Type word = builder.getI64Type();
    int64_t numRaw = 0;
    if (auto raw = dyn_cast_or_null<IntegerAttr>(
            function->removeAttr(rawArgumentsName)))
      numRaw = raw.getInt();
    for (BlockArgument argument : function.getArguments()) {
      Type type = argument.getType();
      bool isDeclared = argument.getArgNumber() < numRaw && !type.isIndex();
      if (isa<LLVM::LLVMPointerType>(type) || type == word || isDeclared)
        continue;
      Operation *first;
      Value value;
      if (type.isIndex()) {
        value = arith::IndexCastOp::create(builder, loc, type, argument);
        first = value.getDefiningOp();
      } else {
        unsigned bits = type.getIntOrFloatBitWidth();
        value = argument;
        first = nullptr;
        if (bits < word.getIntOrFloatBitWidth()) {
          value = arith::TruncIOp::create(
              builder, loc, builder.getIntegerType(bits), argument);
          first = value.getDefiningOp();
        }
        if (isa<FloatType>(type)) {
          value = arith::BitcastOp::create(builder, loc, type, value);
          first = first ? first : value.getDefiningOp();
        }
      }
      argument.replaceAllUsesExcept(value, first);
      argument.setType(word);
    }
    function.setType(builder.getFunctionType(
        function.front().getArgumentTypes(), TypeRange()));
  }
};
} // namespace
