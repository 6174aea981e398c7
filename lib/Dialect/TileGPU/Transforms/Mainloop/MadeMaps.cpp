// Encodes TMA descriptors in the producer, as late as possible and only when
// views have changed.
#include "Mainloop/MadeMaps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilegpt::tilegpu {

static Value boolConstant(OpBuilder &builder, Location loc, bool value) {
  return arith::ConstantOp::create(builder, loc, builder.getBoolAttr(value));
}

MadeMaps::MadeMaps(OpBuilder &builder, KernelRings &rings,
                   SmallVector<Value> &cursors)
    : rings(rings) {
  for (LoopRings &loop : rings.loops)
    for (StreamUse &stream : loop.streams) {
      if (stream.map || find(stream))
        continue;
      Location loc = stream.load.root.getLoc();
      if (!slot)
        slot = ClaimMapsOp::create(builder, loc);
      TensorMapType type = stream.load.getMapType();
      Value map =
          MakeMapOp::create(builder, loc, type, slot, int64_t(entries.size()));
      entries.push_back({stream.load.root, map, type});
      cursors.push_back(boolConstant(builder, loc, true));
    }
}

std::optional<size_t> MadeMaps::find(const StreamUse &stream) const {
  const auto *found = llvm::find_if(entries, [&](const Entry &entry) {
    return entry.view == stream.load.root &&
           entry.type == stream.load.getMapType();
  });
  return !stream.map && found != entries.end()
             ? std::optional<size_t>(found - entries.begin())
             : std::nullopt;
}

Value MadeMaps::mapOf(const StreamUse &stream) const {
  std::optional<size_t> number = find(stream);
  return number ? entries[*number].map : stream.map;
}

bool MadeMaps::isView(Operation *op) const {
  return llvm::any_of(entries, [&](const Entry &entry) {
    return entry.view.getDefiningOp() == op;
  });
}

void MadeMaps::takeView(OpBuilder &builder, Value view, IRMapping &known,
                        SmallVector<Value> &cursors) const {
  reproduceScalar(builder, view, known);
  for (auto [number, entry] : llvm::enumerate(entries))
    if (entry.view == view)
      cursors[rings.groups.size() + number] =
          boolConstant(builder, view.getLoc(), true);
}

void MadeMaps::finishCopies(OpBuilder &builder, Location loc,
                            ArrayRef<Value> cursors) const {
  for (auto [group, cursor] :
       llvm::zip_equal(rings.groups, cursors.take_front(rings.groups.size())))
    FinishCopiesOp::create(builder, loc, group.barriers, cursor);
}

void MadeMaps::encode(OpBuilder &builder, LoopRings &loop, IRMapping &known,
                      SmallVector<Value> &cursors) const {
  llvm::SmallSetVector<size_t, 4> used;
  for (StreamUse &stream : loop.streams)
    if (std::optional<size_t> number = find(stream))
      used.insert(*number);
  if (used.empty())
    return;
  Location loc = loop.loop.getLoc();
  Value isStale;
  for (size_t number : used) {
    Value &state = cursors[rings.groups.size() + number];
    isStale =
        isStale ? arith::OrIOp::create(builder, loc, isStale, state) : state;
    state = boolConstant(builder, loc, false);
  }
  auto branch = scf::IfOp::create(builder, loc, isStale);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  finishCopies(builder, loc, cursors);
  for (size_t number : used)
    EncodeMapOp::create(builder, loc, entries[number].map,
                        known.lookup(entries[number].view));
}

void MadeMaps::release(OpBuilder &builder, ArrayRef<Value> cursors) const {
  if (!slot)
    return;
  finishCopies(builder, slot.getLoc(), cursors);
  ReleaseMapsOp::create(builder, slot.getLoc(), slot);
}

} // namespace tilegpt::tilegpu
