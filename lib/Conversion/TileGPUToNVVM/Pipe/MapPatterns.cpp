// TMA descriptors that a kernel encodes itself, in global memory.
#include "Thread/InlinePtx.h"
#include "Thread/KernelMemory.h"
#include "Thread/PipeAddress.h"
#include "Thread/ThreadPatterns.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// Claims that blocks can hold at a time: more than a device has blocks with a
/// producer. A power of two.
static constexpr int64_t claims = 512;
static constexpr int64_t descriptorBytes = 128;

/// The word of a claim: 1 while a block holds it.
static Value claimWord(OpBuilder &builder, Operation *op, Value slot) {
  Type i32 = builder.getI32Type();
  Value words = kernelMemory(builder, op, "_map_claims", i32, claims);
  return LLVM::GEPOp::create(builder, op->getLoc(), words.getType(), i32, words,
                             ArrayRef<LLVM::GEPArg>(slot));
}

namespace {
struct LowerClaimMaps : OpConversionPattern<ClaimMapsOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ClaimMapsOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type i32 = rewriter.getI32Type();
    // Other lanes of a producer that is a warp use no descriptor.
    auto leader = scf::IfOp::create(
        rewriter, loc, i32,
        isThread(rewriter, loc, PlanAttr::of(op).getConsumerThreads()),
        /*withElseRegion=*/true);
    {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(leader.elseBlock());
      scf::YieldOp::create(rewriter, loc, i32Constant(rewriter, loc, 0));
      rewriter.setInsertionPointToStart(leader.thenBlock());
      scf::YieldOp::create(rewriter, loc, claim(rewriter, op));
    }
    rewriter.replaceOpWithNewOp<arith::IndexCastUIOp>(
        op, rewriter.getIndexType(), leader.getResult(0));
    return success();
  }

private:
  /// Tries one claim after another, beginning with the block's number.
  static Value claim(OpBuilder &builder, ClaimMapsOp op) {
    Location loc = op.getLoc();
    Type i32 = builder.getI32Type();
    Arithmetic math(builder, loc);
    Value number = NVVM::BlockIdXOp::create(builder, loc, i32);
    auto loop = scf::WhileOp::create(
        builder, loc, TypeRange(i32),
        ValueRange(math.bitAnd(number, claims - 1)), nullptr, nullptr);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBeforeBody());
    Value slot = loop.getBeforeArguments().front();
    Value held = inlinePtx(builder, loc, i32, claimWord(builder, op, slot),
                           "atom.acquire.gpu.global.cas.b32 $0, [$1], 0, 1;",
                           "=r,l,~{memory}")
                     .getResult(0);
    Value isHeld = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                         held, i32Constant(builder, loc, 0));
    scf::ConditionOp::create(builder, loc, isHeld, slot);
    builder.setInsertionPointToStart(loop.getAfterBody());
    scf::YieldOp::create(
        builder, loc,
        math.bitAnd(math.add(loop.getAfterArguments().front(), 1), claims - 1));
    return loop.getResult(0);
  }
};

struct LowerReleaseMaps : OpConversionPattern<ReleaseMapsOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ReleaseMapsOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    ProducerLeader leader(rewriter, op);
    Value slot = arith::IndexCastUIOp::create(
        rewriter, loc, rewriter.getI32Type(), adaptor.getSlot().front());
    inlinePtx(rewriter, loc, TypeRange(), claimWord(rewriter, op, slot),
              "st.release.gpu.global.b32 [$0], 0;", "l,~{memory}");
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

/// Sets a field of a descriptor.
/// \param field  with the number of an axis behind the address, if any.
static void replace(OpBuilder &builder, Location loc, Value map,
                    StringRef field, StringRef axis, Value value) {
  unsigned bits = value.getType().getIntOrFloatBitWidth();
  inlinePtx(builder, loc, TypeRange(), {map, value},
            llvm::formatv("tensormap.replace.tile.{0}.global.b1024.b{1} "
                          "[$0]{2}, $1;",
                          field, bits, axis)
                .str(),
            bits == 64 ? "l,l,~{memory}" : "l,r,~{memory}");
}

/// The number of an axis, counted from the fastest, as PTX expects it.
static std::string behind(size_t axis) { return ", " + std::to_string(axis); }

/// Codes of PTX; only the width of an element matters to copies.
static int64_t codeOf(Type element) {
  constexpr int64_t u8 = 0, u16 = 1, u32 = 2, u64 = 4;
  switch (memoryBytes(element)) {
  case 1:
    return u8;
  case 2:
    return u16;
  case 4:
    return u32;
  default:
    return u64;
  }
}

static int64_t codeOfSwizzle(int64_t bytes) {
  constexpr int64_t unit = 16;
  int64_t code = 0;
  for (; bytes > unit; bytes /= 2)
    ++code;
  return code;
}

namespace {
struct LowerMakeMap : OpConversionPattern<MakeMapOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(MakeMapOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    TensorMapType type = op.getResult().getType();
    Value maps =
        kernelMemory(rewriter, op, llvm::formatv("_map_{0}", op.getNumber()),
                     rewriter.getI8Type(), claims * descriptorBytes);
    Value slot = arith::IndexCastUIOp::create(
        rewriter, loc, rewriter.getI64Type(), adaptor.getSlot().front());
    Value map =
        bytesBehind(rewriter, loc, maps,
                    Arithmetic(rewriter, loc).mul(slot, descriptorBytes));
    rewriter.replaceOpWithNewOp<LLVM::AddrSpaceCastOp>(
        op, LLVM::LLVMPointerType::get(rewriter.getContext()), map);
    ProducerLeader leader(rewriter, op);
    initialize(rewriter, loc, map, type);
    return success();
  }

private:
  static void initialize(OpBuilder &builder, Location loc, Value map,
                         TensorMapType type) {
    auto set = [&](StringRef field, StringRef axis, int64_t value) {
      inlinePtx(builder, loc, TypeRange(), map,
                llvm::formatv("tensormap.replace.tile.{0}.global.b1024.b32 "
                              "[$0]{1}, {2};",
                              field, axis, value)
                    .str(),
                "l,~{memory}");
    };
    size_t rank = type.getBox().size();
    set("rank", "", int64_t(rank) - 1);
    for (auto [axis, size] : llvm::enumerate(llvm::reverse(type.getBox()))) {
      set("box_dim", behind(axis), size);
      set("element_stride", behind(axis), 1);
    }
    set("elemtype", "", codeOf(type.getElementType()));
    set("interleave_layout", "", 0);
    set("swizzle_mode", "", codeOfSwizzle(type.getSwizzle()));
    set("fill_mode", "", 0);
  }
};

struct LowerEncodeMap : OpConversionPattern<EncodeMapOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(EncodeMapOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    ProducerLeader leader(rewriter, op);
    Arithmetic math(rewriter, loc);
    tile::ViewType type = op.getView().getType();
    ViewParts view(type, adaptor.getView());
    Type i32 = rewriter.getI32Type(), i64 = rewriter.getI64Type();
    Value map = LLVM::AddrSpaceCastOp::create(
        rewriter, loc,
        LLVM::LLVMPointerType::get(rewriter.getContext(), globalSpace),
        adaptor.getMap().front());
    replace(rewriter, loc, map, "global_address", "",
            LLVM::PtrToIntOp::create(rewriter, loc, i64, view.pointer));
    for (int64_t axis = 0; axis < type.getRank(); ++axis) {
      int64_t last = type.getRank() - 1;
      // The hardware has no empty axes; nothing is copied from them.
      Value size = arith::MaxUIOp::create(rewriter, loc,
                                          view.size(rewriter, loc, last - axis),
                                          indexConstant(rewriter, loc, 1));
      replace(rewriter, loc, map, "global_dim", behind(axis),
              arith::IndexCastOp::create(rewriter, loc, i32, size));
      if (axis == 0)
        continue;
      Value stride = math.mul(view.stride(rewriter, loc, last - axis),
                              memoryBytes(type.getElementType()));
      replace(rewriter, loc, map, "global_stride", behind(axis - 1),
              arith::IndexCastOp::create(rewriter, loc, i64, stride));
    }
    inlinePtx(rewriter, loc, TypeRange(), adaptor.getMap().front(),
              "fence.proxy.tensormap::generic.release.gpu;\n"
              "fence.proxy.tensormap::generic.acquire.gpu [$0], 128;",
              "l,~{memory}");
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void populateMapPatterns(const ThreadTypeConverter &converter,
                         RewritePatternSet &patterns) {
  patterns.add<LowerClaimMaps, LowerMakeMap, LowerEncodeMap, LowerReleaseMaps>(
      converter, patterns.getContext());
}

} // namespace tilegpt::tilegpu
