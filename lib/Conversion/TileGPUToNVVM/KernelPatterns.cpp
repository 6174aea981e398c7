// The kernel itself, its grid, its assertions, and block-level ops: barriers
// and buffers in shared memory.
#include "Thread/InlinePtx.h"
#include "Thread/PipeAddress.h"
#include "Thread/ThreadPatterns.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"
#include "TileGPT/Dialect/Tile/IR/LaunchView.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "TileGPT/Dialect/TileGPU/IR/KernelAttributes.h"
#include "TileGPT/Dialect/TileGPU/IR/LeastResidents.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilegpt::tilegpu {

static constexpr unsigned numGridArguments = 4;
static constexpr StringLiteral sharedMemoryName = "tilegpt_shared";

/// TMA descriptors of a function; they are its last arguments.
static unsigned numTensorMaps(func::FuncOp function) {
  auto maps = function->getAttrOfType<ArrayAttr>(tensorMapsName);
  return maps ? maps.size() : 0;
}

Value gridArgument(Operation *op, GridArgument which) {
  auto function = op->getParentOfType<func::FuncOp>();
  return function.getArgument(function.getNumArguments() -
                              numTensorMaps(function) - numGridArguments +
                              unsigned(which));
}

Value tensorMapArgument(Operation *op, unsigned number) {
  auto function = op->getParentOfType<func::FuncOp>();
  return function.getArgument(function.getNumArguments() -
                              numTensorMaps(function) + number);
}

/// The block's shared memory: an array whose size is set by the launch.
static LLVM::GlobalOp getSharedMemory(OpBuilder &builder, Operation *op) {
  auto module = op->getParentOfType<ModuleOp>();
  if (auto global = module.lookupSymbol<LLVM::GlobalOp>(sharedMemoryName))
    return global;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(module.getBody());
  constexpr unsigned alignment = 1024;
  return LLVM::GlobalOp::create(
      builder, op->getLoc(), LLVM::LLVMArrayType::get(builder.getI8Type(), 0),
      /*isConstant=*/false, LLVM::Linkage::External, sharedMemoryName,
      Attribute(), alignment, sharedSpace);
}

/// A pointer into shared memory.
static Value sharedPointer(OpBuilder &builder, Operation *op, int64_t offset) {
  LLVM::GlobalOp memory = getSharedMemory(builder, op);
  auto type = LLVM::LLVMPointerType::get(builder.getContext(), sharedSpace);
  Value start = LLVM::AddressOfOp::create(builder, op->getLoc(), type,
                                          memory.getSymNameAttr());
  return bytesBehind(builder, op->getLoc(), start, offset);
}

/// Offsets a pointer into the first team's shared memory to the shared memory
/// of this thread's team.
static Value moveToTeam(OpBuilder &builder, Operation *op, Value start) {
  auto function = op->getParentOfType<func::FuncOp>();
  PlanAttr plan = PlanAttr::of(op);
  if (!plan || plan.getTeams() == 1)
    return start;
  Location loc = op->getLoc();
  auto bytes = function->getAttrOfType<IntegerAttr>(scratchBytesName);
  Value behind =
      Arithmetic(builder, loc)
          .mul(teamNumber(builder, loc, plan), bytes ? bytes.getInt() : 0);
  return bytesBehind(builder, loc, start, behind);
}

Value scratchPointer(OpBuilder &builder, Operation *op) {
  auto function = op->getParentOfType<func::FuncOp>();
  auto offset = function->getAttrOfType<IntegerAttr>(scratchName);
  return moveToTeam(builder, op,
                    sharedPointer(builder, op, offset ? offset.getInt() : 0));
}

void emitBarrier(OpBuilder &builder, Location loc) {
  PlanAttr plan = PlanAttr::of(builder.getInsertionBlock()->getParentOp());
  if (plan && plan.getTeams() > 1 && !plan.getProducer()) {
    // Packed blocks of one warp each.
    constexpr int64_t allLanes = -1;
    NVVM::SyncWarpOp::create(builder, loc, i32Constant(builder, loc, allLanes));
    return;
  }
  if (!plan || !plan.getProducer()) {
    NVVM::Barrier0Op::create(builder, loc);
    return;
  }
  // Producers do not participate: each team has its own barrier.
  constexpr int64_t barrier = 1;
  Value id = i32Constant(builder, loc, barrier);
  if (plan.getTeams() > 1)
    id = Arithmetic(builder, loc).add(teamNumber(builder, loc, plan), barrier);
  NVVM::BarrierOp::create(builder, loc, /*res=*/Type(), id,
                          i32Constant(builder, loc, plan.getComputeThreads()),
                          NVVM::BarrierReductionAttr(), Value());
}

void emitScratchBarrier(OpBuilder &builder, Operation *op) {
  if (!op->hasAttr(firstExchangeName))
    emitBarrier(builder, op->getLoc());
}

/// L2 promotion: two cache lines, since adjacent blocks read the rest. Rows
/// that start in the middle of a line touch two lines for 128 bytes anyway, and
/// four would be fetched.
static int32_t promotionOf(Value view) {
  constexpr int32_t lineBytes = 128;
  int64_t elementBytes =
      memoryBytes(cast<tile::ViewType>(view.getType()).getElementType());
  bool isAligned = llvm::all_of(
      ArrayRef(tile::divisorsOfStrides(view)).drop_back(),
      [&](int64_t stride) { return stride * elementBytes % lineBytes == 0; });
  return isAligned ? 2 * lineBytes : lineBytes;
}

/// Numbers the TMA descriptors of a kernel, and records how the runtime encodes
/// each: `tile_gpu.tensor_maps`.
static ArrayAttr numberTensorMaps(tile::KernelOp kernel) {
  Builder builder(kernel.getContext());
  SmallVector<Attribute> maps;
  kernel.getBody().walk<WalkOrder::PreOrder>([&](TensorMapOp op) {
    TensorMapType type = op.getResult().getType();
    auto box = llvm::map_to_vector(llvm::reverse(type.getBox()),
                                   llvm::StaticCastTo<int32_t>);
    auto entry = [&](StringRef name, Attribute value) {
      return builder.getNamedAttr(name, value);
    };
    Attribute map = builder.getDictionaryAttr(
        {entry("argument",
               builder.getI32IntegerAttr(
                   cast<BlockArgument>(op.getView()).getArgNumber())),
         entry("type", TypeAttr::get(type.getElementType())),
         entry("box", builder.getDenseI32ArrayAttr(box)),
         entry("swizzle", builder.getI32IntegerAttr(type.getSwizzle())),
         entry("l2_promotion",
               builder.getI32IntegerAttr(promotionOf(op.getView())))});
    auto *place = llvm::find(maps, map);
    op->setAttr(tensorMapNumberName,
                builder.getI32IntegerAttr(place - maps.begin()));
    if (place == maps.end())
      maps.push_back(map);
  });
  return builder.getArrayAttr(maps);
}

/// What the runtime needs to know about the views that a launch computes.
static ArrayAttr describeLaunchViews(tile::KernelOp kernel) {
  Builder builder(kernel.getContext());
  return builder.getArrayAttr(llvm::map_to_vector(
      kernel.getLaunchViews(), [&](Attribute entry) -> Attribute {
        tile::LaunchView view = *tile::LaunchView::parse(entry);
        return builder.getDictionaryAttr(
            {builder.getNamedAttr(
                 "pointer", builder.getI32IntegerAttr(int32_t(view.pointer))),
             builder.getNamedAttr("words", AffineMapAttr::get(view.words))});
      }));
}

namespace {
struct LowerKernel : OpConversionPattern<tile::KernelOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::KernelOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op->hasAttrOfType<PlanAttr>(PlanAttr::attrName))
      return op.emitOpError("has no plan; run --tile-gpu-make-plan first");
    Block *body = op.getEntryBlock();
    TypeConverter::SignatureConversion signature(body->getNumArguments());
    if (failed(getTypeConverter()->convertSignatureArgs(
            body->getArgumentTypes(), signature)))
      return rewriter.notifyMatchFailure(op, "an argument has no device type");
    Type index = rewriter.getIndexType();
    signature.addInputs(
        {index, index, index,
         LLVM::LLVMPointerType::get(getContext(), globalSpace)});
    ArrayAttr tensorMaps = numberTensorMaps(op);
    signature.addInputs(SmallVector<Type>(
        tensorMaps.size(), LLVM::LLVMPointerType::get(getContext())));

    // A function whose location has a scope gets a line table.
    Location loc = op.getLoc();
    if (Attribute scope = op->getAttr(tile::debugScopeAttr))
      loc = FusedLoc::get({loc}, scope, getContext());
    auto function = func::FuncOp::create(
        rewriter, loc, op.getSymName(),
        rewriter.getFunctionType(signature.getConvertedTypes(), {}));
    for (StringRef name :
         {PlanAttr::attrName, leastResidentsName, overlapsName, clusterName,
          gridOfClustersName, stagedRowsName, keepsBranchesName,
          producerWarpName, scratchName, scratchBytesName, sharedBytesName})
      if (Attribute value = op->getAttr(name))
        function->setAttr(name, value);
    if (op.isRaw())
      function->setAttr(
          rawArgumentsName,
          rewriter.getI64IntegerAttr(int64_t(body->getNumArguments()) -
                                     int64_t(op.getLaunchViews().size())));
    if (op.getRequirementsAttr())
      function->setAttr(tile::equalWordsAttr, rewriter.getDenseI64ArrayAttr(
                                                  tile::firstEqualWords(op)));
    if (!op.getLaunchViews().empty())
      function->setAttr(launchViewsName, describeLaunchViews(op));
    if (!tensorMaps.empty())
      function->setAttr(tensorMapsName, tensorMaps);
    SmallVector<Attribute> messages;
    op.getBody().walk<WalkOrder::PreOrder>([&](tile::AssertOp check) {
      check->setAttr("number", rewriter.getI32IntegerAttr(messages.size() + 1));
      messages.push_back(check.getMessageAttr());
    });
    if (!messages.empty())
      function->setAttr("tilegpt.asserts", rewriter.getArrayAttr(messages));

    rewriter.inlineRegionBefore(op.getBody(), function.getBody(),
                                function.end());
    rewriter.applySignatureConversion(&function.getBody().front(), signature,
                                      getTypeConverter());
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerReturn : OpConversionPattern<tile::ReturnOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::ReturnOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<func::ReturnOp>(op);
    return success();
  }
};

struct LowerBlockId : OpConversionPattern<tile::BlockIdOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::BlockIdOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type i32 = rewriter.getI32Type();
    Value id;
    bool isCluster =
        op->getParentOfType<func::FuncOp>()->hasAttr(gridOfClustersName);
    switch (op.getAxis()) {
    case 0:
      id = isCluster ? NVVM::ClusterIdXOp::create(rewriter, op.getLoc(), i32)
                           .getResult()
                     : NVVM::BlockIdXOp::create(rewriter, op.getLoc(), i32)
                           .getResult();
      break;
    case 1:
      id = NVVM::BlockIdYOp::create(rewriter, op.getLoc(), i32);
      break;
    default:
      id = NVVM::BlockIdZOp::create(rewriter, op.getLoc(), i32);
      break;
    }
    rewriter.replaceOpWithNewOp<arith::IndexCastUIOp>(
        op, rewriter.getIndexType(), id);
    return success();
  }
};

struct LowerWorker : OpConversionPattern<WorkerOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(WorkerOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value id =
        NVVM::BlockIdXOp::create(rewriter, op.getLoc(), rewriter.getI32Type());
    rewriter.replaceOpWithNewOp<arith::IndexCastUIOp>(
        op, rewriter.getIndexType(), id);
    return success();
  }
};

struct LowerNumWorkers : OpConversionPattern<NumWorkersOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(NumWorkersOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value count =
        NVVM::GridDimXOp::create(rewriter, op.getLoc(), rewriter.getI32Type());
    rewriter.replaceOpWithNewOp<arith::IndexCastUIOp>(
        op, rewriter.getIndexType(), count);
    return success();
  }
};

struct LowerNumBlocks : OpConversionPattern<tile::NumBlocksOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::NumBlocksOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, gridArgument(op, GridArgument(op.getAxis())));
    return success();
  }
};

/// A thread that finds a condition false writes the assertion's number to the
/// status and continues: the launch's results are undefined then.
struct LowerAssert : OpConversionPattern<tile::AssertOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::AssertOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    ValueRange conditions = adaptor.getCondition();
    Value holds;
    auto require = [&](Value condition) {
      holds = holds ? arith::AndIOp::create(rewriter, loc, holds, condition)
                          .getResult()
                    : condition;
    };
    if (auto type = dyn_cast<RankedTensorType>(op.getCondition().getType())) {
      ThreadTile tile(rewriter, loc, type);
      Value yes = arith::ConstantIntOp::create(rewriter, loc, 1, /*width=*/1);
      for (auto [reg, condition] : llvm::enumerate(conditions)) {
        if (tile.isPadding(reg))
          continue;
        Value inside = tile.isInside(reg);
        require(inside ? arith::SelectOp::create(rewriter, loc, inside,
                                                 condition, yes)
                             .getResult()
                       : condition);
      }
    } else {
      require(conditions.front());
    }
    Value yes = arith::ConstantIntOp::create(rewriter, loc, 1, /*width=*/1);
    Value fails = arith::XOrIOp::create(rewriter, loc, holds, yes);
    auto number = op->getAttrOfType<IntegerAttr>("number");
    Value status = gridArgument(op, GridArgument::Status);
    auto then = scf::IfOp::create(rewriter, loc, fails);
    rewriter.setInsertionPointToStart(&then.getThenRegion().front());
    Value code = arith::ConstantOp::create(rewriter, loc, number);
    LLVM::StoreOp::create(rewriter, loc, code, status);
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerAssume : OpConversionPattern<tile::AssumeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::AssumeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getValue());
    return success();
  }
};

struct LowerBarrier : OpConversionPattern<BarrierOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(BarrierOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    emitBarrier(rewriter, op.getLoc());
    rewriter.eraseOp(op);
    return success();
  }
};

/// As inline assembly that is ordered with memory accesses: upstream's
/// intrinsics are marked as accessing no memory.
struct LowerAwaitLaunch : OpConversionPattern<AwaitLaunchOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(AwaitLaunchOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    inlinePtx(rewriter, op.getLoc(), TypeRange(), ValueRange(),
              "griddepcontrol.wait;", "~{memory}");
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerReleaseLaunch : OpConversionPattern<ReleaseLaunchOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ReleaseLaunchOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<NVVM::GriddepcontrolOp>(
        op, NVVM::GridDepActionKind::launch_dependents);
    return success();
  }
};

struct LowerAlloc : OpConversionPattern<AllocOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(AllocOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op.getOffset())
      return op.emitOpError(
          "has no place; run --tile-gpu-allocate-shared first");
    Value start = sharedPointer(rewriter, op, *op.getOffset());
    // A producer fills the buffers of all teams.
    if (PlanAttr plan = PlanAttr::of(op); plan && !plan.getProducer())
      start = moveToTeam(rewriter, op, start);
    rewriter.replaceOp(op, start);
    return success();
  }
};

struct RefuseScratch : OpConversionPattern<tile::ScratchOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tile::ScratchOp op, OpAdaptor,
                                ConversionPatternRewriter &) const override {
    return op.emitOpError("has no place; run --tile-gpu-place-scratch first");
  }
};
} // namespace

void populateKernelPatterns(const ThreadTypeConverter &converter,
                            RewritePatternSet &patterns) {
  patterns
      .add<LowerKernel, LowerReturn, LowerBlockId, LowerWorker, LowerNumWorkers,
           LowerNumBlocks, LowerAssert, LowerAssume, LowerBarrier,
           LowerAwaitLaunch, LowerReleaseLaunch, LowerAlloc, RefuseScratch>(
          converter, patterns.getContext());
}

} // namespace tilegpt::tilegpu
