// tile.load, store, gather and scatter as loads and stores of a thread, without
// branches: out-of-bounds loads read some other address and return the pad
// value, out-of-bounds stores are predicated.
#include "Access/TileAccess.h"
#include "TileGPT/Conversion/TileToArith/PadValue.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Relabel.h"
#include "TileGPT/Dialect/TileGPU/IR/KernelAttributes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilegpt::tilegpu {

static LayoutAttr canonical(LayoutAttr layout) {
  return LayoutAttr::getCanonical(layout.getContext(), layout.getRegisters(),
                                  layout.getLanes(), layout.getWarps());
}

/// A mask must have the layout of its tile.
static LogicalResult verifyMaskLayout(Operation *op,
                                      const AccessOperands &operands) {
  if (!operands.mask)
    return success();
  LayoutAttr expected = LayoutAttr::of(operands.tile),
             found = LayoutAttr::of(operands.mask.getType());
  if (canonical(expected) == canonical(found))
    return success();
  return op->emitOpError("expected the mask in the layout of the tile, ")
         << expected << ", found " << found
         << "; run --tile-gpu-assign-layouts";
}

/// Which register of the index tile holds the index of each register of the
/// tile. Threads must hold their own indices: the layout of the index tile is
/// that of the tile without its other axes.
static FailureOr<SmallVector<int64_t>>
mapIndexRegisters(Operation *op, const AccessOperands &operands) {
  int64_t axis = *operands.indexedAxis, rank = operands.tile.getRank();
  LayoutAttr layout = LayoutAttr::of(operands.tile);
  LayoutAttr expected = layoutOfIndices(layout, rank, axis),
             found = canonical(LayoutAttr::of(operands.indexTile.getType()));
  llvm::DenseMap<int64_t, int64_t> registerAt;
  for (int64_t reg = 0; reg < found.getNumRegisters(); ++reg)
    registerAt.try_emplace(found.getRegisterOffset(reg, 1)[0], reg);
  bool isOwn = expected.getLanes() == found.getLanes() &&
               expected.getWarps() == found.getWarps();
  SmallVector<int64_t> registers;
  for (int64_t reg = 0; isOwn && reg < layout.getNumRegisters(); ++reg) {
    auto it = registerAt.find(layout.getRegisterOffset(reg, rank)[axis]);
    isOwn = it != registerAt.end();
    if (isOwn)
      registers.push_back(it->second);
  }
  if (isOwn)
    return registers;
  return op->emitOpError("expected the index tile in the layout of axis ")
         << axis << " of the tile, " << expected << ", found " << found
         << "; run --tile-gpu-assign-layouts";
}

/// The entries selected by the registers of an index tile. Treated as unsigned,
/// a negative index is out of range as well.
static IndexedEntries makeEntries(OpBuilder &builder, Location loc,
                                  ArrayRef<int64_t> registers,
                                  ValueRange indexTile, Value size) {
  llvm::DenseMap<int64_t, std::pair<Value, Value>> made;
  IndexedEntries entries;
  for (int64_t reg : registers) {
    auto [it, isNew] = made.try_emplace(reg);
    auto &[index, exists] = it->second;
    if (isNew) {
      Value entry = indexTile[reg];
      // Indices are 32-bit on a device; a wider entry is compared before
      // truncation.
      if (entry.getType().isInteger(64))
        exists = arith::CmpIOp::create(
            builder, loc, arith::CmpIPredicate::ult, entry,
            arith::IndexCastOp::create(builder, loc, entry.getType(), size));
      index = arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                         entry);
      if (!exists)
        exists = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                       index, size);
    }
    entries.index.push_back(index);
    entries.exists.push_back(exists);
  }
  return entries;
}

/// The first user of an op's result if all users are in the op's block; else
/// null.
static Operation *firstUserBeside(Operation *op) {
  Operation *first = nullptr;
  for (Operation *user : op->getUsers()) {
    if (user->getBlock() != op->getBlock())
      return nullptr;
    if (!first || user->isBeforeInBlock(first))
      first = user;
  }
  return first;
}

namespace {
/// Common base of the four patterns: access facts, derived while the kernel was
/// still on tiles.
template <typename OpT>
struct MemoryPattern : OpConversionPattern<OpT> {
  using OneToNOpAdaptor = typename OpConversionPattern<OpT>::OneToNOpAdaptor;
  MemoryPattern(const TypeConverter &converter, MLIRContext *context,
                const AccessTable &table)
      : OpConversionPattern<OpT>(converter, context), table(table) {}

  /// Calls `emit` with the access of `op`, or fails with an error.
  LogicalResult withAccess(OpT op, OneToNOpAdaptor adaptor,
                           ConversionPatternRewriter &rewriter,
                           function_ref<void(TileAccess &)> emit) const {
    Location loc = op.getLoc();
    AccessOperands operands(op);
    if (failed(verifyMaskLayout(op, operands)))
      return failure();
    ViewParts view(op.getView().getType(), adaptor.getView());
    SmallVector<Value> tileIndices;
    for (ValueRange index : adaptor.getIndices())
      tileIndices.push_back(index.front());
    IndexedEntries entries;
    if constexpr (std::is_same_v<OpT, tile::GatherOp> ||
                  std::is_same_v<OpT, tile::ScatterOp>) {
      FailureOr<SmallVector<int64_t>> registers =
          mapIndexRegisters(op, operands);
      if (failed(registers))
        return failure();
      entries = makeEntries(rewriter, loc, *registers, adaptor.getIndex(),
                            view.size(rewriter, loc, *operands.indexedAxis));
      tileIndices.insert(tileIndices.begin() + *operands.indexedAxis, Value());
    }
    SmallVector<Value> indices;
    for (int64_t axis : operands.viewAxis)
      indices.push_back(tileIndices[axis]);
    TileAccess access(rewriter, loc, operands, table.at(op), view, indices,
                      std::move(entries));
    emit(access);
    return success();
  }

private:
  const AccessTable &table;
};

template <typename OpT>
struct LowerMemoryRead : MemoryPattern<OpT> {
  using MemoryPattern<OpT>::MemoryPattern;
  LogicalResult
  matchAndRewrite(OpT op, typename MemoryPattern<OpT>::OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(op.getResult().getType());
    ValueRange mask = adaptor.getMask();
    Value pad = arith::ConstantOp::create(
        rewriter, loc, tile::padValue(op.getPad(), type.getElementType()));
    // Elements that no thread loads are undefined, but need a value.
    SmallVector<Value> registers(LayoutAttr::of(type).getNumRegisters(), pad);
    auto emit = [&](TileAccess &access) {
      if (op->hasAttr(realignedName))
        if (auto groups = access.makeUnalignedGroups(); !groups.empty()) {
          auto begun = access.startRealigned(groups);
          OpBuilder::InsertionGuard guard(rewriter);
          if (Operation *user = firstUserBeside(op))
            rewriter.setInsertionPoint(user);
          for (auto [group, elements] :
               llvm::zip_equal(groups, access.finishRealigned(begun)))
            for (auto [reg, element] : llvm::zip_equal(group, elements))
              registers[reg] = element;
          return;
        }
      SmallVector<TileAccess::Group> groups = access.makeGroups({});
      // All accesses, or those to this many bytes.
      auto limit = op->template getAttrOfType<IntegerAttr>(earlyLoadName);
      int64_t bytes = 0;
      auto loaded = llvm::map_to_vector(groups, [&](auto &group) {
        bytes += group.size() * memoryBytes(type.getElementType());
        bool isFixed =
            op->hasAttr(earlyLoadName) && (!limit || bytes <= limit.getInt());
        return access.load(group, op.getPad(), isFixed);
      });
      // LLVM sinks loads past branches that precede their use: in a loop, a
      // single branch for all loads keeps them in flight together. Outside
      // loops, a thread may have too many elements to load all of them one by
      // one.
      size_t atOnce = op->template getParentOfType<scf::ForOp>()
                          ? std::max<size_t>(1, groups.size())
                          : 1;
      for (size_t first = 0; first < groups.size(); first += atOnce)
        access.complete(ArrayRef(groups).slice(first, atOnce), op.getPad(),
                        MutableArrayRef(loaded).slice(first, atOnce));
      for (auto [group, elements] : llvm::zip_equal(groups, loaded)) {
        for (auto [reg, element] : llvm::zip_equal(group, elements))
          registers[reg] =
              mask.empty() ? element
                           : arith::SelectOp::create(rewriter, loc, mask[reg],
                                                     element, pad)
                                 .getResult();
      }
    };
    if (failed(this->withAccess(op, adaptor, rewriter, emit)))
      return failure();
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }
};

template <typename OpT>
struct LowerMemoryWrite : MemoryPattern<OpT> {
  using MemoryPattern<OpT>::MemoryPattern;
  LogicalResult
  matchAndRewrite(OpT op, typename MemoryPattern<OpT>::OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    ValueRange value = adaptor.getValue(), mask = adaptor.getMask();
    auto emit = [&](TileAccess &access) {
      for (const TileAccess::Group &group : access.makeGroups(mask)) {
        SmallVector<Value> elements;
        for (int64_t reg : group)
          elements.push_back(value[reg]);
        access.store(group, elements,
                     mask.empty() ? Value() : mask[group.front()]);
      }
    };
    if (failed(this->withAccess(op, adaptor, rewriter, emit)))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void populateMemoryPatterns(const ThreadTypeConverter &converter,
                            RewritePatternSet &patterns,
                            const AccessTable &table) {
  patterns
      .add<LowerMemoryRead<tile::LoadOp>, LowerMemoryRead<tile::GatherOp>,
           LowerMemoryWrite<tile::StoreOp>, LowerMemoryWrite<tile::ScatterOp>>(
          converter, patterns.getContext(), table);
}

} // namespace tilegpt::tilegpu
