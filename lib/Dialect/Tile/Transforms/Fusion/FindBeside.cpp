// Several tensors between two launches.
#include "Fusion/FindBeside.h"
#include "Normalize/TensorSizes.h"

using namespace mlir;
using llvm::Error;

namespace tilegpt::tile {

static bool isSameTensor(Value tensor, Value other) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return other.getType() == type &&
         llvm::all_of(llvm::seq(type.getRank()), [&](int64_t axis) {
           return originOfSize(other, axis) == originOfSize(tensor, axis);
         });
}

/// Whether an argument is loaded, or stored once, in the tiles of another
/// access, and has no other uses.
static bool hasSameTiles(const TileFootprint &footprint, unsigned argument,
                         const AccessFootprint &like) {
  BlockArgument view = footprint.getKernel().getArguments()[argument];
  auto same = footprint.accessesOf(argument, like.isStore);
  return view.getType() == like.argument.getType() && !same.empty() &&
         (!like.isStore || same.size() == 1) &&
         footprint.accessesOf(argument, !like.isStore).empty() &&
         llvm::all_of(view.getUsers(),
                      llvm::IsaPred<LoadOp, StoreOp, DimOp, NumTilesOp>) &&
         llvm::all_of(same, [&](const AccessFootprint *access) {
           return !access->isMasked && !access->isPermuted &&
                  access->isUnconditional && access->indices == like.indices &&
                  llvm::all_of_zip(
                      access->axes, like.axes,
                      [](const AxisFootprint &lhs, const AxisFootprint &rhs) {
                        return lhs.size == rhs.size;
                      });
         });
}

Error findBeside(Fusion &fusion, const TileFootprint &host,
                 const TileFootprint &guest, const AccessFootprint &store) {
  LaunchOp producer = fusion.edge.producer, consumer = fusion.edge.consumer;
  const AccessFootprint &load =
      *guest.accessesOf(fusion.guestArgument(), /*stores=*/false).front();
  for (OpOperand &operand : consumer->getOpOperands()) {
    auto other = dyn_cast<OpResult>(operand.get());
    unsigned read = operand.getOperandNumber();
    if (!other || other.getOwner() != producer || read == fusion.edge.operand)
      continue;
    unsigned made = producer.getIns().size() + other.getResultNumber();
    if (!isSameTensor(fusion.edge.tensor(), other) ||
        !hasSameTiles(host, made, store) || !hasSameTiles(guest, read, load))
      return llvm::createStringError("the consumer also uses another result of "
                                     "the producer, with different tiles");
    fusion.beside.push_back({other.getResultNumber(), read});
  }
  return Error::success();
}

} // namespace tilegpt::tile
