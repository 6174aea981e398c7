// Evaluators of ops that query parameters and the grid, and of assertions,
// assumptions and prints.
#include "TileGPT/Dialect/Tile/IR/PrintFormat.h"
#include "TileGPT/Reference/Frame.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstdio>

using namespace mlir;
using llvm::formatv;

namespace tilegpt::reference {

static llvm::Error evaluateParam(tile::ParamOp op, Frame &frame) {
  frame.defineIndex(op, frame.kernel()->sizes.lookup(op.getName()));
  return llvm::Error::success();
}

static llvm::Error evaluateBlockId(tile::BlockIdOp op, Frame &frame) {
  frame.defineIndex(op, frame.blockId(op.getAxis()));
  return llvm::Error::success();
}

static llvm::Error evaluateNumBlocks(tile::NumBlocksOp op, Frame &frame) {
  frame.defineIndex(op, frame.kernel()->grid[op.getAxis()]);
  return llvm::Error::success();
}

static llvm::Error evaluateAssert(tile::AssertOp op, Frame &frame) {
  const Tensor &condition = frame.tensor(op.getCondition());
  for (int64_t i = 0; i < condition.size(); ++i)
    if (!condition[i].i)
      return fail(op, formatv("failed: {0}", op.getMessage()));
  return llvm::Error::success();
}

/// A compiler may build on a promise; the interpreter holds the kernel to it.
static llvm::Error evaluateAssume(tile::AssumeOp op, Frame &frame) {
  if (isa<tile::PtrType>(op.getType())) {
    // Addresses depend on the machine.
    frame.define(op, frame.value(op.getValue()));
    return llvm::Error::success();
  }
  const Tensor &operand = frame.tensor(op.getValue());
  int64_t value = signedValue(operand.item().i, operand.type());
  if (std::optional<uint64_t> divisor = op.getDivBy())
    if (value % static_cast<int64_t>(*divisor) != 0)
      return fail(op, formatv("promises a multiple of {0}, found {1}", *divisor,
                              value));
  if (std::optional<ArrayRef<int64_t>> range = op.getBounded())
    if (value < range->front() || value > range->back())
      return fail(op, formatv("promises a value in [{0}, {1}], found {2}",
                              range->front(), range->back(), value));
  frame.define(op, frame.value(op.getValue()));
  return llvm::Error::success();
}

/// Formats `value` by a piece of a format string that ends in its conversion.
/// Measures the text first: a width or precision can make it any length.
template <typename T>
static std::string formatted(const std::string &piece, T value) {
  int length = std::snprintf(nullptr, 0, piece.c_str(), value);
  std::string text(length + 1, '\0');
  std::snprintf(text.data(), text.size(), piece.c_str(), value);
  text.pop_back();
  return text;
}

static std::string printElement(const std::string &piece, Element value,
                                ElementType type) {
  if (isFloat(type))
    return formatted(piece, value.f);
  bool isSigned = piece.back() == 'd' || piece.back() == 'i';
  int64_t number = isSigned
                       ? signedValue(value.i, type)
                       : static_cast<int64_t>(unsignedValue(value.i, type));
  if (bitWidth(type) == 64)
    return formatted(piece, static_cast<long long>(number));
  return formatted(piece, static_cast<int>(number));
}

/// Prints one line per element, in row-major order, in a single write.
static llvm::Error evaluatePrint(tile::PrintOp op, Frame &frame) {
  SmallVector<std::string> pieces = tile::printfPieces(op);
  ArrayRef<int64_t> shape;
  for (mlir::Value value : op.getValues())
    if (frame.tensor(value).rank() != 0)
      shape = frame.tensor(value).shape();
  std::string text, rest;
  // The last piece is text, in which a percent sign is doubled.
  for (size_t i = 0; i < pieces.back().size(); ++i) {
    rest += pieces.back()[i];
    i += pieces.back()[i] == '%';
  }
  int64_t number = 0;
  forEachIndex(shape, [&](ArrayRef<int64_t> index) {
    const std::string *piece = pieces.begin();
    for (int64_t coordinate : index)
      text += formatted(*piece++, static_cast<int>(coordinate));
    for (mlir::Value value : op.getValues()) {
      const Tensor &tensor = frame.tensor(value);
      text += printElement(*piece++, tensor[tensor.rank() == 0 ? 0 : number],
                           tensor.type());
    }
    text += rest;
    ++number;
  });
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
  return llvm::Error::success();
}

void populateTileGridEvaluators(Registry &registry) {
  registry.add<tile::ParamOp>(evaluateParam);
  registry.add<tile::BlockIdOp>(evaluateBlockId);
  registry.add<tile::NumBlocksOp>(evaluateNumBlocks);
  registry.add<tile::AssertOp>(evaluateAssert);
  registry.add<tile::AssumeOp>(evaluateAssume);
  registry.add<tile::PrintOp>(evaluatePrint);
}

} // namespace tilegpt::reference
