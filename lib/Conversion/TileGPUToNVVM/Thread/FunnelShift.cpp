// Shifts by whole words are selects, by the remaining bytes funnel shifts.
#include "Thread/FunnelShift.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace tilegpt::tilegpu {

SmallVector<Value> funnelShift(OpBuilder &builder, Location loc,
                               SmallVector<Value> words, Value bytes,
                               int64_t vector, int64_t step) {
  constexpr int64_t wordBytes = 4;
  Arithmetic math(builder, loc);
  const int64_t count = int64_t(words.size()) - vector;
  // By whole words, following the binary digits of their number.
  for (int64_t digit = vector / 2; digit > 0; digit /= 2) {
    Value stays = math.isEqual(math.bitAnd(bytes, digit * wordBytes), 0);
    SmallVector<Value> moved;
    for (int64_t number = 0;
         number + digit < int64_t(words.size()) && number < count + digit;
         ++number)
      moved.push_back(arith::SelectOp::create(
          builder, loc, stays, words[number], words[number + digit]));
    words = std::move(moved);
  }
  if (step % wordBytes == 0) {
    words.truncate(count);
    return words;
  }
  Value bits = math.mul(math.bitAnd(bytes, wordBytes - 1), 8);
  SmallVector<Value> shifted;
  for (int64_t number = 0; number < count; ++number)
    shifted.push_back(LLVM::FshrOp::create(builder, loc, words[number + 1],
                                           words[number], bits));
  return shifted;
}

} // namespace tilegpt::tilegpu
