// Lists the arguments of a kernel and how it uses pointers.
#include "DescribeKernel.h"
#include "TileGPT/Dialect/Tile/Analysis/PointerUses.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace tilegpt::compiler {

/// Axes of the view that a kernel creates from a pointer, if the parameters
/// after it can be sizes and strides in cuTile's convention.
static int64_t axesOfArray(BlockArgument pointer) {
  int64_t axes = 0;
  tilegpu::forEachAlias(pointer, [&](Value alias) {
    for (Operation *user : alias.getUsers())
      if (auto view = dyn_cast<tile::ViewAtOp>(user))
        axes = std::max(axes, view.getType().getRank());
  });
  auto behind =
      pointer.getOwner()->getArguments().drop_front(pointer.getArgNumber() + 1);
  const bool fits =
      int64_t(behind.size()) >= 2 * axes &&
      llvm::all_of(behind.take_front(2 * axes), [](BlockArgument number) {
        return number.getType().isInteger(32) || number.getType().isInteger(64);
      });
  return fits ? axes : 0;
}

/// Whether a number becomes a pointer, by ops without regions.
static bool becomesPointer(Value number) {
  return llvm::any_of(number.getUsers(), [](Operation *user) {
    return isa<tile::IntToPtrOp>(user) ||
           (user->getNumRegions() == 0 &&
            llvm::any_of(user->getResults(), becomesPointer));
  });
}

/// Whether a kernel uses numbers that it loads through a pointer as addresses.
static bool isTable(BlockArgument pointer) {
  bool found = false;
  tilegpu::forEachAlias(pointer, [&](Value alias) {
    for (Operation *user : alias.getUsers())
      if (isa<tile::LoadAtOp, tile::LoadOp>(user))
        found |= becomesPointer(user->getResult(0));
  });
  return found;
}

static void describeArgument(llvm::raw_ostream &stream, tile::KernelOp kernel,
                             BlockArgument argument) {
  Type type = argument.getType();
  stream << "  " << argument.getArgNumber() << "  ";
  if (auto view = dyn_cast<tile::ViewType>(type)) {
    for (int64_t size : view.getShape())
      if (ShapedType::isDynamic(size))
        stream << "?x";
      else
        stream << size << 'x';
    stream << view.getElementType()
           << (kernel.isOut(argument.getArgNumber()) ? "  written" : "  read");
  } else if (auto pointer = dyn_cast<tile::PtrType>(type)) {
    stream << "ptr:" << pointer.getPointee()
           << (tilegpu::isWritten(argument) ? "  written" : "  read");
    if (const int64_t axes = axesOfArray(argument))
      stream << "; with the next " << 2 * axes << " an array of " << axes
             << (axes == 1 ? " axis" : " axes");
    if (isTable(argument))
      stream << "; holds addresses";
  } else {
    stream << type;
  }
  stream << '\n';
}

std::string describeKernel(tile::KernelOp kernel) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << kernel.getSymName()
         << (kernel.isRaw() ? "  grid of the launch\n" : "\n");
  for (BlockArgument argument : kernel.getArguments())
    describeArgument(stream, kernel, argument);
  return text;
}

} // namespace tilegpt::compiler
