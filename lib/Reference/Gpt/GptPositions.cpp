// Evaluators of the ops that add positions to rows, in double.
#include "GptContext.h"
#include <cmath>

using namespace mlir;
using llvm::Expected;

namespace tilegpt::reference {

/// The position of row `i`.
static int64_t positionOf(const Tensor &pos, int64_t tokens, int64_t i) {
  return pos[i / tokens].i + i % tokens;
}

static llvm::Error evaluatePositions(gpt::PositionsOp op, Frame &frame,
                                     const GptContext &context) {
  const Tensor &x = frame.tensor(op.getInput());
  const Tensor &pos = frame.tensor(op.getPos());
  const int64_t rows = x.shape()[0], columns = x.shape()[1];
  const int64_t places = gpt::getModel(op).getContext();
  Expected<int64_t> tokens = tokensPerSequence(op, rows, pos.size());
  if (!tokens)
    return tokens.takeError();
  Expected<TensorRef> table = context.weight(
      op, frame, (op.getWeights() + ".weight").str(), {places, columns});
  if (!table)
    return table.takeError();
  for (int64_t i = 0; i < rows; ++i)
    if (const int64_t place = positionOf(pos, *tokens, i);
        place < 0 || place >= places)
      return fail(op, llvm::formatv("row {0} is at position {1}, outside the "
                                    "context of {2}",
                                    i, place, places));
  return defineResult(
      op, frame, makeRows(rows, columns, [&](int64_t i, int64_t j) {
        return x[i * columns + j].f +
               (**table)[positionOf(pos, *tokens, i) * columns + j].f;
      }));
}

static llvm::Error evaluateSinusoids(gpt::SinusoidsOp op, Frame &frame,
                                     const GptContext &) {
  const Tensor &x = frame.tensor(op.getInput());
  const Tensor &pos = frame.tensor(op.getPos());
  const int64_t rows = x.shape()[0], columns = x.shape()[1];
  Expected<int64_t> tokens = tokensPerSequence(op, rows, pos.size());
  if (!tokens)
    return tokens.takeError();
  FailureOr<SmallVector<double>> frequencies = op.getFrequencies();
  FailureOr<int64_t> first = op.getFirstPosition();
  if (failed(frequencies) || failed(first))
    return fail(op, "has a value that is not known");
  return defineResult(
      op, frame, makeRows(rows, columns, [&](int64_t i, int64_t j) {
        const bool isSine = j < columns / 2;
        const double angle =
            double(positionOf(pos, *tokens, i) + *first) *
            (*frequencies)[size_t(isSine ? j : j - columns / 2)];
        return x[i * columns + j].f +
               (isSine ? std::sin(angle) : std::cos(angle));
      }));
}

void addGptPositionEvaluators(Registry &registry,
                              std::shared_ptr<GptContext> context) {
  registry.add<gpt::PositionsOp>([context](gpt::PositionsOp op, Frame &frame) {
    return evaluatePositions(op, frame, *context);
  });
  registry.add<gpt::SinusoidsOp>([context](gpt::SinusoidsOp op, Frame &frame) {
    return evaluateSinusoids(op, frame, *context);
  });
}

} // namespace tilegpt::reference
