// The ops of the gpt dialect.
#ifndef TILEGPT_DIALECT_GPT_IR_GPTOPS_H
#define TILEGPT_DIALECT_GPT_IR_GPTOPS_H

#include "TileGPT/Bundle/Format.h"
#include "TileGPT/Dialect/Gpt/IR/GptDialect.h"
#include "TileGPT/Dialect/Gpt/IR/Values.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tilegpt::gpt {
class YieldOp;
} // namespace tilegpt::gpt

#define GET_OP_CLASSES
#include "TileGPT/Dialect/Gpt/IR/GptOps.h.inc"

namespace tilegpt::gpt {

/// Placeholder for the layer index in the names of weights and caches.
inline constexpr llvm::StringLiteral layerPlaceholder = "{l}";

/// Placeholder for the expert index in the names of weights.
inline constexpr llvm::StringLiteral expertPlaceholder = "{e}";

/// Placeholder for the head index in the names of weights.
inline constexpr llvm::StringLiteral headPlaceholder = "{h}";

/// Whether `op` extends a cache that nothing else reads: without readers of its
/// result it has no effect.
bool ownsCache(mlir::Operation *op);

/// Number of sampling parameters of gpt.sample.
using bundle::sampleValues;

/// The enclosing model of an op, the op itself if it is one, or null.
ModelOp getModel(mlir::Operation *op);

/// The name under which a rank reads its part of a weight:
/// "c_fc.weight[rows 3072/2]"; `whole` itself without a shard.
std::string partName(const llvm::Twine &whole,
                     std::optional<llvm::StringRef> shard);

/// Columns of a row that holds all heads of queries, keys and values:
/// (H + 2K)·D.
int64_t getHeadColumns(ModelOp model);

} // namespace tilegpt::gpt

#endif
