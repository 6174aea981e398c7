// Ops of single warps and warp groups: votes, turns, and clearing at the end of
// a window.
#include "Thread/PipeAddress.h"
#include "Thread/ThreadPatterns.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
struct LowerPublish : OpConversionPattern<PublishOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(PublishOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    publishToAsyncProxy(rewriter, op.getLoc());
    if (op.getToAll())
      emitBarrier(rewriter, op.getLoc());
    else
      synchronizeGroup(rewriter, op.getLoc(), PlanAttr::of(op));
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerClearRows : OpConversionPattern<ClearRowsOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ClearRowsOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Arithmetic math(rewriter, loc);
    constexpr int64_t unitBytes = 16;
    SharedType type = op.getBuffer().getType();
    int64_t rows = type.getShape()[0], rowUnits = type.getSwizzle() / unitBytes;
    Value thread = math.bitAnd(blockThread(rewriter, loc), groupThreads - 1);
    Value from = arith::IndexCastOp::create(
        rewriter, loc, rewriter.getI32Type(), adaptor.getFrom().front());
    Value buffer = adaptor.getBuffer().front();
    Value zero = LLVM::ZeroOp::create(
        rewriter, loc, VectorType::get(4, rewriter.getI32Type()));
    // The group clears this many rows at a time. Everything except a thread's
    // first row is constant: nothing must be kept for the next time.
    int64_t span = groupThreads / rowUnits;
    Value row = math.div(thread, rowUnits);
    Value left = math.sub(from, row);
    Value place =
        bytesBehind(rewriter, loc, buffer, math.mul(thread, unitBytes));
    auto compare = [&](arith::CmpIPredicate predicate, Value value,
                       int64_t number) -> Value {
      return arith::CmpIOp::create(rewriter, loc, predicate, value,
                                   i32Constant(rewriter, loc, number));
    };
    // A row's offset does not depend on the swizzle; panels are consecutive.
    int64_t panelBytes = rows * type.getSwizzle();
    for (int64_t first = 0; first < rows; first += span) {
      Value isCleared = compare(arith::CmpIPredicate::sle, left, first);
      if (first + span > rows)
        isCleared = arith::AndIOp::create(
            rewriter, loc, isCleared,
            compare(arith::CmpIPredicate::slt, row, rows - first));
      auto branch = scf::IfOp::create(rewriter, loc, isCleared);
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(branch.thenBlock());
      for (int64_t byte = first * type.getSwizzle(); byte < type.getNumBytes();
           byte += panelBytes)
        LLVM::StoreOp::create(rewriter, loc, zero,
                              bytesBehind(rewriter, loc, place, byte),
                              unitBytes);
    }
    publishToAsyncProxy(rewriter, loc);
    synchronizeGroup(rewriter, loc, PlanAttr::of(op));
    rewriter.eraseOp(op);
    return success();
  }
};

/// A thread clears one unit of a row.
struct LowerClearColumns : OpConversionPattern<ClearColumnsOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ClearColumnsOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Arithmetic math(rewriter, loc);
    constexpr int64_t unitBytes = 16, stepBytes = 32, lineBytes = 128;
    SharedType type = op.getBuffer().getType();
    int64_t rows = type.getShape()[0], swizzle = type.getSwizzle();
    int64_t byte = int64_t(op.getFrom()) *
                   type.getElementType().getIntOrFloatBitWidth() / 8;
    Value buffer = adaptor.getBuffer().front();
    if (byte % stepBytes != 0) {
      Value thread = math.bitAnd(blockThread(rewriter, loc), groupThreads - 1);
      Value zero = LLVM::ZeroOp::create(
          rewriter, loc, VectorType::get(4, rewriter.getI32Type()));
      // A unit's address is its index in the row of its panel, xor the index of
      // the 128-byte line.
      int64_t panel = byte / swizzle * rows * swizzle,
              unit = byte % swizzle / unitBytes;
      for (int64_t first = 0; first < rows; first += groupThreads) {
        Value row = math.add(thread, first);
        Value line = math.bitAnd(math.div(row, lineBytes / swizzle),
                                 swizzle / unitBytes - 1);
        Value offset = math.add(math.mul(row, swizzle),
                                math.mul(math.bitXor(line, unit), unitBytes));
        Value isThere =
            arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt, row,
                                  i32Constant(rewriter, loc, rows));
        auto branch = scf::IfOp::create(rewriter, loc, isThere);
        OpBuilder::InsertionGuard guard(rewriter);
        rewriter.setInsertionPointToStart(branch.thenBlock());
        Value place =
            bytesBehind(rewriter, loc, buffer, math.add(offset, panel));
        LLVM::StoreOp::create(rewriter, loc, zero, place, unitBytes);
      }
    }
    publishToAsyncProxy(rewriter, loc);
    synchronizeGroup(rewriter, loc, PlanAttr::of(op));
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerAny : OpConversionPattern<AnyOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(AnyOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    constexpr int64_t allLanes = -1;
    Value any = adaptor.getCondition().front();
    for (Value condition : adaptor.getCondition().drop_front())
      any = arith::OrIOp::create(rewriter, loc, any, condition);
    rewriter.replaceOpWithNewOp<NVVM::VoteSyncOp>(
        op, rewriter.getI1Type(), i32Constant(rewriter, loc, allLanes), any,
        NVVM::VoteSyncKind::any);
    return success();
  }
};

struct LowerGroup : OpConversionPattern<GroupOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(GroupOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<arith::IndexCastUIOp>(
        op, rewriter.getIndexType(),
        groupInTeam(rewriter, op.getLoc(), PlanAttr::of(op)));
    return success();
  }
};

/// A named barrier for each warp group: its own threads wait, those of the
/// preceding group arrive.
class GroupTurns {
public:
  GroupTurns(OpBuilder &builder, Location loc, PlanAttr plan)
      : builder(builder), loc(loc), math(builder, loc),
        groups(groupsOfTeam(plan)), group(groupInTeam(builder, loc, plan)) {}

  void take() {
    NVVM::BarrierOp::create(builder, loc, /*res=*/Type(), barrierOf(group),
                            bothGroups(), NVVM::BarrierReductionAttr(),
                            Value());
  }
  void pass() {
    Value next = math.add(group, 1);
    arriveFor(arith::SelectOp::create(builder, loc, math.isEqual(next, groups),
                                      i32Constant(builder, loc, 0), next));
  }
  void open() {
    auto branch = scf::IfOp::create(builder, loc, math.isEqual(group, 0));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    arriveFor(group);
  }

private:
  void arriveFor(Value other) {
    NVVM::BarrierArriveOp::create(builder, loc, barrierOf(other), bothGroups());
  }
  Value barrierOf(Value other) { return math.add(other, firstTurnBarrier); }
  Value bothGroups() { return i32Constant(builder, loc, 2 * groupThreads); }

  OpBuilder &builder;
  Location loc;
  Arithmetic math;
  int64_t groups;
  Value group;
};

template <typename Op, void (GroupTurns::*step)()>
struct LowerTurn : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;
  LogicalResult
  matchAndRewrite(Op op, typename Op::Adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    PlanAttr plan = PlanAttr::of(op);
    // A single group always has the turn.
    if (groupsOfTeam(plan) > 1)
      (GroupTurns(rewriter, op.getLoc(), plan).*step)();
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void populateGroupPatterns(const ThreadTypeConverter &converter,
                           RewritePatternSet &patterns) {
  patterns.add<LowerPublish, LowerClearRows, LowerClearColumns, LowerAny,
               LowerGroup, LowerTurn<OpenGroupTurnsOp, &GroupTurns::open>,
               LowerTurn<TakeGroupTurnOp, &GroupTurns::take>,
               LowerTurn<PassGroupTurnOp, &GroupTurns::pass>>(
      converter, patterns.getContext());
}

} // namespace tilegpt::tilegpu
