// Unknown ops of the dialect: an error that names the op that was likely meant.
#include "TileGPT/Dialect/Tile/IR/Kernel/OpSuggestion.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace tilegpt::tile;

/// The counterpart of a name of Triton, CUTLASS or cuTile, or nothing.
static StringRef getCounterpart(StringRef name) {
  return llvm::StringSwitch<StringRef>(name)
      .Cases({"program_id", "bid", "block_idx", "blockIdx"}, "tile.block_id")
      .Cases({"num_programs", "num_blocks_along", "grid_dim", "gridDim"},
             "tile.num_blocks")
      .Cases({"arange", "make_range", "range"}, "tile.iota")
      .Cases({"zeros", "ones", "full", "zeros_like", "full_like", "fill"},
             "arith.constant dense<…>' or 'tile.splat")
      .Cases({"dot_scaled", "mma", "mmaf", "mmai", "matmul", "gemm"},
             "tile.dot")
      .Cases({"trans", "swap_axes"}, "tile.permute")
      .Cases({"view", "ravel", "flatten", "squeeze"}, "tile.reshape")
      .Cases({"unsqueeze", "expand"}, "tile.expand_dims")
      .Cases({"broadcast_to", "broadcast_in_dim"}, "tile.broadcast")
      .Cases({"concat", "concatenate", "join", "interleave"}, "tile.cat")
      .Cases({"where", "if_then_else"}, "arith.select")
      .Case("sum", "tile.reduce add")
      .Case("prod", "tile.reduce mul")
      .Case("xor_sum", "tile.reduce xor")
      .Case("reduce_or", "tile.reduce or")
      .Case("argmax", "tile.reduce argmax")
      .Case("argmin", "tile.reduce argmin")
      .Cases({"max", "maximum"}, "arith.maximumf' or 'tile.reduce max")
      .Cases({"min", "minimum"}, "arith.minimumf' or 'tile.reduce min")
      .Case("cumsum", "tile.scan add")
      .Case("cumprod", "tile.scan mul")
      .Cases({"associative_scan", "prefix_sum"}, "tile.scan")
      .Case("abs", "math.absf' or 'math.absi")
      .Cases({"exp_f32", "fast_exp"}, "math.exp")
      .Case("sigmoid", "math.exp' with 'arith.divf")
      .Case("relu", "arith.maximumf")
      .Cases({"clamp", "clip"}, "arith.minimumf' of 'arith.maximumf")
      .Cases({"cdiv", "ceildiv"}, "arith.ceildivui")
      .Case("mod", "arith.remf' or 'arith.remui")
      .Cases({"to", "astype", "convert"}, "tile.cast")
      .Case("bitcast", "arith.bitcast")
      .Case("neg", "arith.negf")
      .Cases({"eq", "ne", "lt", "le", "gt", "ge", "cmp"},
             "arith.cmpf' or 'arith.cmpi")
      .Case("constant", "arith.constant")
      .Cases({"load_tile", "copy", "load_ptr"}, "tile.load")
      .Case("store_tile", "tile.store")
      .Cases({"size", "shape", "get_shape"}, "tile.dim")
      .Cases({"make_block_ptr", "make_tensor_view", "make_tensor_descriptor",
              "make_tensor", "make_view"},
             "tile.view_at")
      .Cases({"make_partition_view", "local_tile", "slice", "extract_slice"},
             "tile.subview")
      .Case("insert_slice", "tile.insert")
      .Cases({"atomic_cas_tko"}, "tile.atomic_cas")
      .StartsWith("atomic_", "tile.atomic_rmw")
      .Cases({"device_print", "printf"}, "tile.print")
      .Cases({"device_assert", "static_assert"}, "tile.assert")
      .Cases({"if", "else"}, "scf.if")
      .Cases({"for", "static_range", "loop"}, "scf.for")
      .Case("while", "scf.while")
      .Cases({"func", "jit", "entry"}, "tile.kernel")
      .Case("multiple_of", "tile.assume")
      .Default("");
}

/// An op called `name`, or `name` with the letter of its operand types, in one
/// of the dialects that kernels use.
static std::string findOp(StringRef name, MLIRContext &context) {
  for (StringRef dialect : {"tile", "math", "arith", "scf"}) {
    context.getOrLoadDialect(dialect);
    std::string found;
    for (StringRef suffix : {"", "f", "i", "ui"}) {
      const std::string op = (dialect + "." + name + suffix).str();
      if (RegisteredOperationName::lookup(op, &context))
        found += (found.empty() ? "" : "' or '") + op;
    }
    if (!found.empty())
      return found;
  }
  return "";
}

/// The `tile` op that differs from `name` by at most two letters, or nothing.
static std::string findSimilarOp(StringRef name, MLIRContext &context) {
  constexpr unsigned most = 2;
  std::string similar;
  unsigned least = most + 1;
  for (RegisteredOperationName op : context.getRegisteredOperations()) {
    const unsigned distance = op.getDialectNamespace() == "tile"
                                  ? name.edit_distance(op.stripDialect())
                                  : least;
    if (distance >= least || 2 * distance >= name.size())
      continue;
    least = distance;
    similar = op.getStringRef().str();
  }
  return similar;
}

std::string tilegpt::tile::suggestOp(StringRef name, MLIRContext &context) {
  std::string meant = getCounterpart(name).str();
  if (meant.empty())
    meant = findOp(name, context);
  // An op with the letter of another type: arith.maxf.
  if (meant.empty() && name.size() > 1 &&
      (name.back() == 'f' || name.back() == 'i'))
    meant = getCounterpart(name.drop_back()).str();
  if (meant.empty())
    meant = findSimilarOp(name, context);
  return meant.empty() ? "" : "; did you mean '" + meant + "'?";
}

static ParseResult rejectOp(OpAsmParser &parser, OperationState &result) {
  // The parser puts "custom op 'tile.exp' " in front.
  return parser.emitError(parser.getNameLoc(), "is unknown")
         << suggestOp(result.name.stripDialect(), *parser.getContext());
}

std::optional<Dialect::ParseOpHook>
TileDialect::getParseOperationHook(StringRef) const {
  return ParseOpHook(rejectOp);
}
