// Addresses and writes marked words.
#include "Pipe/MarkedWords.h"
#include "Thread/InlinePtx.h"
#include "Thread/PipeAddress.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilegpt::tilegpu {

Value wordsOfGroup(OpBuilder &builder, Location loc, tile::ViewType workspace,
                   Value pointer, int64_t exchange, Value group) {
  Arithmetic math(builder, loc);
  ArrayRef<int64_t> shape = workspace.getShape();
  Value bytes = arith::IndexCastOp::create(
      builder, loc, builder.getI64Type(),
      math.mul(math.add(group, exchange * shape[1]), shape[2] * markedBytes));
  return bytesBehind(builder, loc, pointer, bytes);
}

void sendWord(OpBuilder &builder, Location loc, Value pointer, Value number,
              Value mark) {
  inlinePtx(builder, loc, TypeRange(), {pointer, number, mark},
            "{\n.reg .b64 word;\nmov.b64 word, {$1, $2};\n"
            "st.relaxed.gpu.global.b64 [$0], word;\n}",
            "l,r,r,~{memory}");
}

SmallVector<Value> awaitWords(OpBuilder &builder, Location loc,
                              ArrayRef<Value> pointers, Value mark) {
  const size_t count = pointers.size();
  std::string code = "{\n.reg .pred wait;\n", constraints;
  llvm::raw_string_ostream text(code), kinds(constraints);
  text << ".reg .b64 word<" << count << ">;\n.reg .b32 high<" << count
       << ">;\n.reg .b32 late;\nAWAIT_WORDS:\n";
  for (size_t number = 0; number < count; ++number) {
    text << "ld.relaxed.gpu.global.b64 word" << number << ", [$"
         << count + number << "];\n";
    kinds << "=&r,";
  }
  text << "mov.b32 late, 0;\n";
  for (size_t number = 0; number < count; ++number) {
    text << "mov.b64 {$" << number << ", high" << number << "}, word" << number
         << ";\nxor.b32 high" << number << ", high" << number << ", $"
         << 2 * count << ";\nor.b32 late, late, high" << number << ";\n";
    kinds << "l,";
  }
  text << "setp.ne.u32 wait, late, 0;\n@wait bra AWAIT_WORDS;\n}";
  kinds << "r,~{memory}";
  Type i32 = builder.getI32Type();
  Type result = count == 1
                    ? i32
                    : Type(LLVM::LLVMStructType::getLiteral(
                          builder.getContext(), SmallVector<Type>(count, i32)));
  SmallVector<Value> operands(pointers);
  operands.push_back(mark);
  Value all =
      inlinePtx(builder, loc, result, operands, code, constraints).getResult(0);
  if (count == 1)
    return {all};
  SmallVector<Value> numbers;
  for (size_t number = 0; number < count; ++number)
    numbers.push_back(LLVM::ExtractValueOp::create(builder, loc, all, number));
  return numbers;
}

} // namespace tilegpt::tilegpu
