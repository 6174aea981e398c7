// Recognizes the errors by the texts of the verifiers.
#include "Text/ExplainOperand.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tilegpt::compiler {

/// The op of the other kind of elements, such as arith.addf of arith.addi;
/// empty if there is none.
static std::string counterpartOf(StringRef op, StringRef suffix,
                                 MLIRContext &context) {
  const std::string other = (op.drop_back() + suffix).str();
  return RegisteredOperationName::lookup(other, &context) ? other : "";
}

std::string adviseOnOperand(StringRef error, MLIRContext &context) {
  auto [before, found] = error.split(", but got '");
  StringRef op = before.split('\'').second.split('\'').first;
  if (error.contains("incorrect number of indices for extract_element"))
    return "it takes one index for each axis of the tile";
  if (error == "elements literal type must have static shape")
    return "tile.splat makes a tile whose sizes are parameters";
  if (error.ends_with("are cast incompatible") &&
      (op == "arith.extf" || op == "arith.truncf"))
    return "arith.extf widens floats, arith.truncf narrows them, tile.cast "
           "does both to tiles";
  if (found.empty())
    return "";
  if (op == "tile.reduce" && before.contains(" result #") &&
      !found.starts_with("tensor<"))
    return ("the result is a tile, tensor<" + found.rtrim('\'') +
            "> without axes; tensor.extract reads its element")
        .str();
  if (found == "index'")
    return "arith.index_cast converts an index to i32 or i64";
  if (before.ends_with("must be a pointer to an element in global memory") &&
      found.starts_with("!tile.view<"))
    return "tile.base makes a pointer to the first element of a view";
  if (before.ends_with("must be a typed, strided view of global memory") &&
      found.starts_with("tensor<"))
    return op == "tile.transpose" ? "tile.permute permutes the axes of a tile"
           : op == "tile.dim"     ? "the sizes of a tile are in its type; "
                                    "tile.param reads a parameter"
                                  : "";
  StringRef wanted = before.ends_with("must be signless-integer-like") ? "f"
                     : before.ends_with("must be floating-point-like") ? "i"
                                                                       : "";
  const std::string other =
      wanted.empty() ? "" : counterpartOf(op, wanted, context);
  if (other.empty())
    return "";
  return other + (wanted == "f" ? " takes floats" : " takes integers");
}

} // namespace tilegpt::compiler
