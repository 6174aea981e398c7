// Predicated loads and stores as PTX: values are split into the registers that
// the instructions take.
#include "Access/PredicatedAccess.h"
#include "Thread/InlinePtx.h"
#include "Thread/RegisterVector.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
/// The registers that an access moves.
struct Words {
  explicit Words(Type type) {
    bytes = memoryBytes(getElementTypeOrSelf(type));
    if (auto vector = dyn_cast<VectorType>(type))
      bytes *= vector.getNumElements();
    wordBytes = std::min<int64_t>(bytes, 4);
    count = bytes / wordBytes;
  }
  /// ".v2.b32"
  std::string suffix() const {
    return (count > 1 ? ".v" + std::to_string(count) : "") + ".b" +
           std::to_string(8 * wordBytes);
  }
  /// "{$2, $3}"
  std::string registers(int64_t first) const {
    std::string text = count > 1 ? "{" : "";
    for (int64_t number = 0; number < count; ++number)
      text += (number ? ", $" : "$") + std::to_string(first + number);
    return text + (count > 1 ? "}" : "");
  }
  /// The smallest register has 16 bits.
  bool isByte() const { return wordBytes == 1; }
  StringRef constraint() const { return wordBytes < 4 ? "h" : "r"; }
  Type getWord(Builder &builder) const {
    return builder.getIntegerType(8 * wordBytes);
  }
  Type getRegister(Builder &builder) const {
    return isByte() ? builder.getI16Type() : getWord(builder);
  }

  int64_t bytes, wordBytes, count;
};
} // namespace

void storeIf(OpBuilder &builder, Location loc, Value guard, Value stored,
             Value pointer, int64_t offset) {
  Words words(stored.getType());
  Type word = words.getWord(builder);
  SmallVector<Value> values;
  if (words.count == 1) {
    values.push_back(builder.createOrFold<LLVM::BitcastOp>(loc, word, stored));
    if (words.isByte())
      values.front() =
          arith::ExtUIOp::create(builder, loc, builder.getI16Type(), values[0]);
  } else {
    Value split = LLVM::BitcastOp::create(builder, loc,
                                          vectorOf(word, words.count), stored);
    values = unpackVector(builder, loc, split);
  }

  // "@$0 st.global.v2.b32 [$1+64], {$2, $3};"
  if (!llvm::isInt<32>(offset)) {
    Value bytes =
        arith::ConstantIntOp::create(builder, loc, offset, /*width=*/64);
    pointer = LLVM::GEPOp::create(builder, loc, pointer.getType(),
                                  builder.getI8Type(), pointer,
                                  ArrayRef<LLVM::GEPArg>(bytes));
    offset = 0;
  }
  std::string text = "@$0 st.global" + words.suffix() + " [$1+" +
                     std::to_string(offset) + "], " + words.registers(2) + ";";
  std::string constraints = "b,l";
  for (int64_t i = 0; i < words.count; ++i)
    (constraints += ",") += words.constraint();
  SmallVector<Value> arguments = {guard, pointer};
  arguments.append(values);
  inlinePtx(builder, loc, TypeRange(), arguments, text, constraints);
}

Value loadIf(OpBuilder &builder, Location loc, Value guard, Value pointer,
             Type type, TypedAttr pad) {
  Words words(type);
  auto real = dyn_cast<FloatAttr>(pad);
  APInt bits = real ? real.getValue().bitcastToAPInt()
                    : cast<IntegerAttr>(pad).getValue();
  APInt all = APInt::getSplat(
      std::max<unsigned>(8 * words.bytes, bits.getBitWidth()), bits);

  // "mov.b32 $0, 0; mov.b32 $1, 0; @$2 ld.global.v2.b32 {$0, $1}, [$3];"
  std::string text, constraints;
  llvm::raw_string_ostream os(text);
  int64_t registerBytes = words.isByte() ? 2 : words.wordBytes;
  for (int64_t i = 0; i < words.count; ++i) {
    os << "mov.b" << 8 * registerBytes << " $" << i << ", "
       << all.extractBitsAsZExtValue(8 * words.wordBytes,
                                     8 * words.wordBytes * i)
       << "; ";
    (constraints += "=&") += words.constraint();
    constraints += ",";
  }
  os << "@$" << words.count << " ld.global" << words.suffix() << ' '
     << words.registers(0) << ", [$" << words.count + 1 << "];";
  constraints += "b,l";
  Type single = words.getRegister(builder), result = single;
  if (words.count > 1)
    result = LLVM::LLVMStructType::getLiteral(
        builder.getContext(), SmallVector<Type>(words.count, single));
  Value loaded =
      inlinePtx(builder, loc, result, {guard, pointer}, text, constraints)
          .getRes();
  Type word = words.getWord(builder);
  if (words.count == 1) {
    if (words.isByte())
      loaded = arith::TruncIOp::create(builder, loc, word, loaded);
    return builder.createOrFold<LLVM::BitcastOp>(loc, type, loaded);
  }
  SmallVector<Value> values;
  for (int64_t i = 0; i < words.count; ++i)
    values.push_back(LLVM::ExtractValueOp::create(builder, loc, loaded, i));
  return LLVM::BitcastOp::create(builder, loc, type,
                                 packVector(builder, loc, values));
}

} // namespace tilegpt::tilegpu
