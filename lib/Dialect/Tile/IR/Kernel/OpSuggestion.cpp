// Unknown ops of the dialect: an error that names the op that was likely meant.
#include "TileGPT/Dialect/Tile/IR/Kernel/OpSuggestion.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "llvm/ADT/STLExtras.h"
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
      .Cases(
          {"zeros", "ones", "full", "zeros_like", "full_like", "fill", "empty"},
          "arith.constant dense<…>' or 'tile.splat")
      .Cases({"dot_scaled", "mma", "mmaf", "mmai", "matmul", "gemm", "bmm",
              "einsum", "outer"},
             "tile.dot")
      .Cases({"trans", "swap_axes"}, "tile.permute")
      .Cases({"view", "ravel", "flatten", "squeeze", "expand_shape",
              "collapse_shape"},
             "tile.reshape")
      .Cases({"unsqueeze", "expand"}, "tile.expand_dims")
      .Cases({"broadcast_to", "broadcast_in_dim", "repeat", "tile"},
             "tile.broadcast")
      .Cases({"concat", "concatenate", "join", "interleave"}, "tile.cat")
      .Case("stack", "tile.cat' of 'tile.expand_dims")
      .Cases({"split", "chunk", "narrow"}, "tile.extract")
      .Cases({"where", "if_then_else", "masked_fill"}, "arith.select")
      .Cases({"eye", "diag", "tril", "triu", "one_hot"},
             "arith.cmpi' of 'tile.iota")
      .Case("sum", "tile.reduce add")
      .Case("prod", "tile.reduce mul")
      .Case("xor_sum", "tile.reduce xor")
      .Cases({"reduce_or", "any"}, "tile.reduce or")
      .Case("all", "tile.reduce and")
      .Cases({"mean", "average"}, "tile.reduce add' with 'arith.divf")
      .Cases({"var", "std", "norm"}, "tile.reduce add' of 'arith.mulf")
      .Case("logsumexp", "math.log' of 'tile.reduce add")
      .Case("softmax", "tile.reduce max', 'math.exp' and 'tile.reduce add")
      .Case("argmax", "tile.reduce argmax")
      .Case("argmin", "tile.reduce argmin")
      .Cases({"max", "maximum"}, "arith.maximumf' or 'tile.reduce max")
      .Cases({"min", "minimum"}, "arith.minimumf' or 'tile.reduce min")
      .Case("cumsum", "tile.scan add")
      .Case("cumprod", "tile.scan mul")
      .Case("cummax", "tile.scan max")
      .Case("cummin", "tile.scan min")
      .Cases({"associative_scan", "prefix_sum"}, "tile.scan")
      .Case("abs", "math.absf' or 'math.absi")
      .Cases({"exp_f32", "fast_exp"}, "math.exp")
      .Cases({"sigmoid", "silu", "swish"}, "math.exp' with 'arith.divf")
      .Case("gelu", "math.erf' or 'math.tanh")
      .Case("sign", "math.copysign")
      .Cases({"popcount", "popc"}, "math.ctpop")
      .Case("clz", "math.ctlz")
      .Cases({"umulhi", "mulhi"}, "arith.mului_extended")
      .Case("relu", "arith.maximumf")
      .Cases({"clamp", "clip"}, "arith.minimumf' of 'arith.maximumf")
      .Cases({"cdiv", "ceildiv"}, "arith.ceildivui")
      .Case("mod", "arith.remf' or 'arith.remui")
      .Case("divi", "arith.divsi' or 'arith.divui")
      .Cases({"remi", "modi"}, "arith.remsi' or 'arith.remui")
      .Case("maxi", "arith.maxsi' or 'arith.maxui")
      .Case("mini", "arith.minsi' or 'arith.minui")
      .Cases({"shr", "shri"}, "arith.shrsi' or 'arith.shrui")
      .Case("not", "arith.xori' with 'arith.constant dense<true>")
      .Case("negi", "arith.subi' from 'arith.constant dense<0>")
      .Cases({"to", "astype", "convert"}, "tile.cast")
      .Case("bitcast", "arith.bitcast")
      .Case("neg", "arith.negf")
      .Cases({"eq", "ne", "lt", "le", "gt", "ge", "cmp"},
             "arith.cmpf' or 'arith.cmpi")
      .Case("constant", "arith.constant")
      .Cases({"load_tile", "copy", "load_ptr", "async_copy", "cp_async",
              "tma_load"},
             "tile.load")
      .Cases({"take", "index_select"}, "tile.gather")
      .Cases({"gather_elements", "take_along_axis"}, "tile.load_at")
      .Cases({"scatter_add", "index_add", "histogram", "bincount"},
             "tile.atomic_rmw add")
      .Cases({"alloc", "alloca", "shared", "local_array"}, "tile.scratch")
      .Case("store_tile", "tile.store")
      .Cases({"size", "shape", "get_shape"}, "tile.dim")
      .Cases({"make_block_ptr", "make_tensor_view", "make_tensor_descriptor",
              "make_tensor", "make_view"},
             "tile.view_at")
      .Cases({"make_partition_view", "local_tile", "slice"}, "tile.subview")
      .Case("extract_slice", "tile.extract' or 'tile.subview")
      .Case("insert_slice", "tile.insert")
      .Cases({"atomic_cas_tko"}, "tile.atomic_cas")
      .StartsWith("atomic_", "tile.atomic_rmw")
      .Cases({"device_print", "printf"}, "tile.print")
      .Cases({"device_assert", "static_assert"}, "tile.assert")
      .Cases({"if", "else"}, "scf.if")
      .Cases({"for", "static_range", "loop", "parallel", "forall"}, "scf.for")
      .Case("while", "scf.while")
      .Cases({"func", "jit", "entry"}, "tile.kernel")
      .Case("multiple_of", "tile.assume")
      .Default("");
}

/// What to write instead of an op that has no counterpart, or nothing.
static StringRef getReplacement(StringRef name) {
  return llvm::StringSwitch<StringRef>(name)
      .Cases({"sort", "argsort", "topk", "top_k"},
             "no op sorts: repeat 'tile.reduce argmax' for the largest "
             "elements, or count those before each with 'tile.reduce add'")
      .Cases({"rand", "randn", "randint", "rand4x", "philox"},
             "no op draws random numbers: hash 'tile.iota' with 'arith.muli' "
             "and 'arith.xori'")
      .Cases({"barrier", "debug_barrier", "sync", "syncthreads", "fence"},
             "the memory accesses of a block take effect in program order "
             "without barriers")
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

/// By how many letters two names differ; exchanged letters count once.
static unsigned differenceOf(StringRef name, StringRef known) {
  std::string sorted = name.str(), knownSorted = known.str();
  llvm::sort(sorted);
  llvm::sort(knownSorted);
  return name != known && sorted == knownSorted ? 1 : name.edit_distance(known);
}

/// The op of a kernel's dialects that differs from `name` by at most two
/// letters, one of `tile` if several do; or nothing.
static std::string findSimilarOp(StringRef name, MLIRContext &context) {
  constexpr unsigned most = 2;
  std::string similar;
  unsigned least = most + 1;
  for (StringRef dialect : {"tile", "arith", "math"})
    for (RegisteredOperationName op : context.getRegisteredOperations()) {
      if (op.getDialectNamespace() != dialect)
        continue;
      const unsigned difference = differenceOf(name, op.stripDialect());
      if (difference >= least || 2 * difference >= name.size())
        continue;
      least = difference;
      similar = op.getStringRef().str();
    }
  return similar;
}

std::string tilegpt::tile::suggestOp(StringRef name, MLIRContext &context) {
  if (StringRef replacement = getReplacement(name); !replacement.empty())
    return ("; " + replacement).str();
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
