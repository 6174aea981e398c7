// Items, strings and constants.
#include "Pools.h"
#include "TileGPT/Dialect/CudaTile/IR/TypeChecks.h"

using namespace mlir;

namespace tilegpt::target::cudatile {

Items::Items(ByteReader section, unsigned width)
    : source(&section.getSource()) {
  size_t count = section.count("items", 1);
  section.align(width);
  if (count > section.getRemaining() / width) {
    section.fail("expected " + Twine(count) + " offsets, found " +
                 Twine(section.getRemaining()) + " bytes");
    return;
  }
  std::vector<uint64_t> offsets(count);
  for (uint64_t &offset : offsets)
    offset = section.fixed(width);
  size_t base = section.getOffset(), size = section.getRemaining();
  for (auto [index, offset] : llvm::enumerate(offsets)) {
    if (offset > size || (index > 0 && offset < offsets[index - 1])) {
      section.fail("expected offsets that ascend, at most " + Twine(size) +
                   ", found " + Twine(offset));
      begins.clear();
      return;
    }
    begins.push_back(base + offset);
  }
  if (count > 0)
    begins.push_back(base + size);
}

ByteReader Items::operator[](size_t index) const {
  return ByteReader(*source, begins[index], begins[index + 1] - begins[index]);
}

StringAttr Strings::read(ByteReader &reader) {
  MLIRContext *context = reader.getSource().getContext();
  uint64_t index = reader.index("the number of a string", items.size());
  if (reader.getSource().hasFailed())
    return StringAttr::get(context);
  StringAttr &string = known[index];
  if (!string) {
    ByteReader item = items[index];
    string = StringAttr::get(context, item.take(item.getRemaining()));
  }
  bytes += string.size();
  if (bytes > mostStringBytes)
    reader.fail("expected strings of at most " + Twine(mostStringBytes) +
                " bytes, counted at each use");
  return string;
}

/// Clears bits of memory that elements do not use, so that equal constants are
/// the same attribute.
static DenseIntOrFPElementsAttr
withoutUnusedBits(DenseIntOrFPElementsAttr constant) {
  const ShapedType type = constant.getType();
  if (type.getElementTypeBitWidth() % 8 == 0)
    return constant;
  // A splat has a single value, however large its type.
  auto cleanOf = [&]<typename T>(T) {
    return constant.isSplat()
               ? DenseElementsAttr::get(type, constant.getSplatValue<T>())
               : DenseElementsAttr::get(
                     type, llvm::to_vector(constant.getValues<T>()));
  };
  DenseElementsAttr clean = isa<FloatType>(type.getElementType())
                                ? cleanOf(APFloat(0.0))
                                : cleanOf(APInt());
  return cast<DenseIntOrFPElementsAttr>(clean);
}

DenseIntOrFPElementsAttr Constants::read(ByteReader &reader,
                                         cuda_tile::TileType type) {
  uint64_t index = reader.index("the number of a constant", items.size());
  if (reader.getSource().hasFailed() || !type)
    return {};
  if (!cuda_tile::isLiteral(type.getElementType())) {
    reader.fail("expected a constant of numbers");
    return {};
  }
  DenseIntOrFPElementsAttr &constant = known[{index, type}];
  if (constant)
    return constant;
  ByteReader item = items[index];
  StringRef bytes = item.take(item.count("bytes of elements"));
  ArrayRef<char> raw(bytes.data(), bytes.size());
  // A splat is a single element, with i1 packed eight per byte, as in MLIR.
  bool isSplat = false;
  if (!DenseElementsAttr::isValidRawBuffer(type, raw, isSplat)) {
    item.fail("expected the elements of the constant's tile, found " +
              Twine(bytes.size()) + " bytes");
    return {};
  }
  constant = withoutUnusedBits(cast<DenseIntOrFPElementsAttr>(
      DenseElementsAttr::getFromRawBuffer(type, raw)));
  return constant;
}

} // namespace tilegpt::target::cudatile
