// Converts specialized kernels to functions on memrefs whose tiles are tensors:
// one function is one block of the grid. The patterns of the ops are in the
// other files; this one converts the kernel itself and defines legality.
#include "TileToLinalg.h"
#include "TileGPT/Conversion/TileToCPU/Passes.h"
#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"

namespace tilegpt::cpu {
#define GEN_PASS_DEF_TILETOLINALG
#include "TileGPT/Conversion/TileToCPU/Passes.h.inc"
} // namespace tilegpt::cpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::cpu;

static constexpr unsigned numGridArguments = 6;

MemRefType cpu::memoryType(tile::ViewType view) {
  // No offset is in bounds of an axis of size 0, so a subview at a constant
  // offset would not verify.
  SmallVector<int64_t> shape(view.getShape());
  llvm::replace(shape, int64_t(0), int64_t(ShapedType::kDynamic));
  return MemRefType::get(shape, view.getElementType(),
                         StridedLayoutAttr::get(view.getContext(),
                                                ShapedType::kDynamic,
                                                view.getKnownStrides()));
}

Value cpu::castMemref(OpBuilder &builder, Location loc, Value value,
                      MemRefType type) {
  if (value.getType() == type)
    return value;
  if (memref::CastOp::areCastCompatible(value.getType(), type))
    return memref::CastOp::create(builder, loc, type, value);
  // The types may disagree about the stride of an axis of one element, which is
  // never used.
  auto parts = memref::ExtractStridedMetadataOp::create(builder, loc, value);
  SmallVector<OpFoldResult> sizes, strides;
  for (auto [axis, stride] :
       llvm::enumerate(type.getStridesAndOffset().first)) {
    sizes.push_back(
        type.isDynamicDim(unsigned(axis))
            ? OpFoldResult(parts.getSizes()[axis])
            : builder.getIndexAttr(type.getDimSize(unsigned(axis))));
    strides.push_back(ShapedType::isDynamic(stride)
                          ? OpFoldResult(parts.getStrides()[axis])
                          : builder.getIndexAttr(stride));
  }
  return memref::ReinterpretCastOp::create(
      builder, loc, type, parts.getBaseBuffer(),
      OpFoldResult(parts.getOffset()), sizes, strides);
}

Value cpu::indexConstant(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value cpu::memrefDim(OpBuilder &builder, Location loc, Value memref,
                     int64_t axis) {
  auto type = cast<MemRefType>(memref.getType());
  if (!type.isDynamicDim(axis))
    return indexConstant(builder, loc, type.getDimSize(axis));
  return memref::DimOp::create(builder, loc, memref, axis);
}

void cpu::forEachElement(OpBuilder &builder, Location loc,
                         ArrayRef<int64_t> shape,
                         function_ref<void(OpBuilder &, ValueRange)> body) {
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Value> indices;
  for (int64_t size : shape) {
    auto loop = scf::ForOp::create(builder, loc, indexConstant(builder, loc, 0),
                                   indexConstant(builder, loc, size),
                                   indexConstant(builder, loc, 1));
    builder.setInsertionPointToStart(loop.getBody());
    indices.push_back(loop.getInductionVar());
  }
  body(builder, indices);
}

Value cpu::gridArgument(Operation *op, unsigned number) {
  auto function = op->getParentOfType<func::FuncOp>();
  return function.getArgument(function.getNumArguments() - numGridArguments +
                              number);
}

/// The kernel argument that a view is a window of, or a pointer points into.
static Value rootOf(Value view) {
  while (Operation *op = view.getDefiningOp()) {
    // A pointer to elsewhere in the same memory (cpu-offsets-to-views).
    if (isa<tile::IntToPtrOp>(op))
      if (auto sum = op->getOperand(0).getDefiningOp<arith::AddIOp>())
        if (auto start = sum.getLhs().getDefiningOp<tile::PtrToIntOp>()) {
          view = start.getPointer();
          continue;
        }
    if (!isa<tile::SubviewOp, tile::SelectOp, tile::TransposeOp, tile::BaseOp,
             tile::ViewAtOp, tile::AssumeOp>(op))
      break;
    view = op->getOperand(0);
  }
  return view;
}

/// Whether an op or its regions write memory that others read.
static bool writesMemory(Operation *op) {
  return op
      ->walk([](Operation *nested) {
        return isa<tile::StoreOp, tile::ScatterOp, tile::StoreAtOp,
                   tile::AtomicRMWOp, tile::AtomicCASOp>(nested)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether a load's result is consumed before anything is written: its block
/// writes nothing, and forwards no tile that contains the loaded elements.
static bool isUsedBeforeWrites(tile::LoadOp load) {
  if (llvm::any_of(*load->getBlock(),
                   [](Operation &op) { return writesMemory(&op); }))
    return false;
  SmallVector<Operation *> pending = {load};
  while (!pending.empty())
    for (Operation *user : pending.pop_back_val()->getUsers()) {
      if (user->hasTrait<OpTrait::IsTerminator>() ||
          user->getBlock() != load->getBlock())
        return false;
      bool computes =
          isa<arith::ArithDialect, math::MathDialect>(user->getDialect()) ||
          isa<tile::DotOp, tile::ReduceOp>(user);
      if (!computes)
        pending.push_back(user);
    }
  return true;
}

/// The loads of arguments that the kernel never stores to. Outputs do not alias
/// inputs, so the memory of such a load does not change while the block runs;
/// pointers may alias, so data read through one must be consumed before
/// anything is written.
static LoadSet findReadOnlyLoads(tile::KernelOp kernel) {
  llvm::DenseSet<Value> written;
  kernel.walk([&](Operation *op) {
    if (auto store = dyn_cast<tile::StoreOp>(op))
      written.insert(rootOf(store.getView()));
    else if (auto scatter = dyn_cast<tile::ScatterOp>(op))
      written.insert(rootOf(scatter.getView()));
    else if (isa<tile::StoreAtOp, tile::AtomicRMWOp, tile::AtomicCASOp>(op))
      for (Value operand : op->getOperands())
        if (isa<tile::PtrType>(operand.getType()))
          written.insert(rootOf(operand));
  });
  LoadSet loads;
  kernel.walk([&](tile::LoadOp load) {
    Value root = rootOf(load.getView());
    // Shared memory may be written by name elsewhere.
    auto data = root.getDefiningOp<tile::DataOp>();
    if (!written.contains(root) && !(data && data.getShared()) &&
        (!kernel.isRaw() || isUsedBeforeWrites(load)))
      loads.insert(load);
  });
  return loads;
}

namespace {
using BlockOrders = DenseMap<Operation *, SmallVector<int64_t>>;

struct LowerKernel : OpConversionPattern<tile::KernelOp> {
  LowerKernel(const TypeConverter &converter, MLIRContext *context,
              const BlockOrders &orders)
      : OpConversionPattern(converter, context), orders(orders) {}

  LogicalResult
  matchAndRewrite(tile::KernelOp op, OpAdaptor /*adaptor*/,
                  ConversionPatternRewriter &rewriter) const override {
    Block *body = op.getEntryBlock();
    TypeConverter::SignatureConversion signature(body->getNumArguments());
    if (failed(getTypeConverter()->convertSignatureArgs(
            body->getArgumentTypes(), signature)))
      return rewriter.notifyMatchFailure(op, "an argument has no host type");
    for (unsigned i = 0; i < numGridArguments; ++i)
      signature.addInputs(rewriter.getIndexType());
    auto function = func::FuncOp::create(
        rewriter, op.getLoc(), (op.getSymName() + ".block").str(),
        rewriter.getFunctionType(signature.getConvertedTypes(),
                                 rewriter.getI32Type()));
    // Information for `cpu-kernel-abi` after memrefs are decomposed.
    SmallVector<int64_t> ranks;
    for (Type type : op.getEntryBlock()->getArgumentTypes()) {
      auto view = dyn_cast<tile::ViewType>(type);
      ranks.push_back(view                       ? view.getRank()
                      : isa<tile::PtrType>(type) ? pointerRank
                                                 : scalarRank);
    }
    function->setAttr("tilegpt.ranks", rewriter.getDenseI64ArrayAttr(ranks));
    if (op.getRequirementsAttr())
      function->setAttr(tile::equalWordsAttr, rewriter.getDenseI64ArrayAttr(
                                                  tile::firstEqualWords(op)));
    if (const SmallVector<int64_t> &order = orders.at(op);
        !llvm::is_sorted(order))
      function->setAttr(cpu::blockOrderAttr,
                        rewriter.getDenseI64ArrayAttr(order));
    rewriter.inlineRegionBefore(op.getBody(), function.getBody(),
                                function.end());
    rewriter.applySignatureConversion(&function.getBody().front(), signature,
                                      getTypeConverter());
    rewriter.eraseOp(op);
    return success();
  }

private:
  const BlockOrders &orders;
};

struct LowerReturn : OpConversionPattern<tile::ReturnOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::ReturnOp op, OpAdaptor /*adaptor*/,
                  ConversionPatternRewriter &rewriter) const override {
    Value passed =
        arith::ConstantIntOp::create(rewriter, op.getLoc(), 0, /*width=*/32);
    rewriter.replaceOpWithNewOp<func::ReturnOp>(op, passed);
    return success();
  }
};

struct TileToLinalg : cpu::impl::TileToLinalgBase<TileToLinalg> {
  void runOnOperation() override {
    LoadSet inPlace;
    DotEdges edges;
    BlockOrders orders;
    for (auto kernel : getOperation().getOps<tile::KernelOp>()) {
      if (failed(tile::verifySpecialized(kernel)) ||
          failed(tile::verifyNoLayouts(kernel)))
        return signalPassFailure();
      LoadSet loads = findReadOnlyLoads(kernel);
      inPlace.insert(loads.begin(), loads.end());
      DotEdges found = findDotEdges(kernel);
      edges.insert(found.begin(), found.end());
      orders[kernel] = chooseBlockOrder(kernel);
    }

    const LoadEdges loadEdges = findLoadEdges(edges);

    TypeConverter converter;
    converter.addConversion([](Type type) { return type; });
    converter.addConversion(
        [](tile::ViewType view) -> Type { return memoryType(view); });
    converter.addConversion([](tile::PtrType pointer) -> Type {
      return memoryType(tile::ViewType::get(pointer.getContext(), {},
                                            pointer.getPointee(), {}));
    });

    ConversionTarget target(getContext());
    target.addIllegalDialect<tile::TileDialect>();
    // Elementwise like those of arith, until numbers are expanded.
    target.addLegalOp<tile::RoundedOp>();
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    target.addDynamicallyLegalOp<arith::SelectOp>(
        [&](arith::SelectOp op) { return converter.isLegal(op.getType()); });

    RewritePatternSet patterns(&getContext());
    patterns.add<LowerKernel>(converter, &getContext(), orders);
    patterns.add<LowerReturn>(converter, &getContext());
    populateViewPatterns(converter, patterns);
    populateLoadPatterns(converter, patterns, inPlace, loadEdges);
    populateStorePatterns(converter, patterns);
    populateGatherPatterns(converter, patterns);
    populateShapePatterns(converter, patterns);
    populatePointerPatterns(converter, patterns);
    populateReducePatterns(converter, patterns);
    populateScanPatterns(converter, patterns);
    populateDotPatterns(converter, patterns, edges);
    populateMathPatterns(converter, patterns);
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                         target);
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
