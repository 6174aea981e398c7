// The table of ops.
#include "OpTable.h"
#include "TileGPT/Dialect/CudaTile/IR/CudaTileDialect.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mlir;

namespace tilegpt::target::cudatile {

namespace {
/// A row in the textual form below.
struct Row {
  unsigned code;
  StringLiteral name;
  StringLiteral since;
  /// The number of results; for `V` the file stores it.
  StringLiteral results;
  /// Names of flag bits, bit 0 first: of optional attributes and operands,
  /// otherwise of unit attributes.
  StringLiteral flags;
  /// `name:kind`, the kind in lower case or the name of an enumeration; `?` is
  /// optional, `@13.4` the version that added it if later than the op, `=0` the
  /// default before.
  StringLiteral attributes;
  /// Fixed: `a b`. Counted: `N a b*`. Grouped: `S a b* c?`.
  StringLiteral operands;
  unsigned regions = 0;
};
} // namespace

#define ACCESS "memory_ordering_semantics:Order memory_scope?:Scope "
#define ATOMIC "memory_ordering_semantics:Order memory_scope:Scope "
#define HINTS "optimization_hints?:hints "

static constexpr Row rows[] = {
    {0, "absf", "13.1", "1", "", "", "source"},
    {1, "absi", "13.1", "1", "", "", "source"},
    {2, "addf", "13.1", "1", "flush_to_zero", "rounding_mode:Rounding",
     "lhs rhs"},
    {3, "addi", "13.1", "1", "", "overflow:Overflow", "lhs rhs"},
    {4, "andi", "13.1", "1", "", "", "lhs rhs"},
    {5, "assert", "13.1", "0", "", "message:string", "condition"},
    {6, "assume", "13.1", "1", "", "predicate:predicate", "value"},
    {7, "atomic_cas_tko", "13.1", "2", "mask token", ATOMIC,
     "S pointers cmp val mask? token?"},
    {8, "atomic_rmw_tko", "13.1", "2", "mask token", ATOMIC "mode:Mode",
     "S pointers arg mask? token?"},
    {9, "bitcast", "13.1", "1", "", "", "source"},
    {10, "break", "13.1", "V0", "", "", "N operands*"},
    {11, "broadcast", "13.1", "1", "", "", "source"},
    {12, "cat", "13.1", "1", "", "dim:i64", "lhs rhs"},
    {13, "ceil", "13.1", "1", "", "", "source"},
    {14, "cmpf", "13.1", "1", "",
     "comparison_predicate:Predicate comparison_ordering:Ordering", "lhs rhs"},
    {15, "cmpi", "13.1", "1", "",
     "comparison_predicate:Predicate signedness:Signedness", "lhs rhs"},
    {16, "constant", "13.1", "1", "", "value:dense", ""},
    {17, "continue", "13.1", "V0", "", "", "N operands*"},
    {18, "cos", "13.1", "1", "", "", "source"},
    {19, "cosh", "13.1", "1", "", "", "source"},
    {20, "divf", "13.1", "1", "flush_to_zero", "rounding_mode:Rounding",
     "lhs rhs"},
    {21, "divi", "13.1", "1", "", "signedness:Signedness rounding:Rounding",
     "lhs rhs"},
    {23, "exp", "13.1", "1", "", "rounding_mode:Rounding@13.3=5", "source"},
    {24, "exp2", "13.1", "1", "flush_to_zero", "", "source"},
    {37, "exti", "13.1", "1", "", "signedness:Signedness", "from"},
    {38, "extract", "13.1", "V1", "", "", "N source indices*"},
    {39, "floor", "13.1", "1", "", "", "source"},
    {40, "fma", "13.1", "1", "flush_to_zero", "rounding_mode:Rounding",
     "lhs rhs acc"},
    {41, "for", "13.1", "V", "unsignedCmp@13.2", "",
     "N lowerBound upperBound step initValues*", 1},
    {42, "ftof", "13.1", "1", "", "rounding_mode:Rounding", "from"},
    {43, "ftoi", "13.1", "1", "saturating@13.4",
     "signedness:Signedness rounding_mode:Rounding", "from"},
    {44, "get_global", "13.1", "1", "", "name:symbol", ""},
    {45, "get_index_space_shape", "13.1", "V", "", "", "src"},
    {46, "get_num_tile_blocks", "13.1", "3", "", "", ""},
    {47, "get_tensor_shape", "13.1", "V", "", "", "src"},
    {48, "get_tile_block_id", "13.1", "3", "", "", ""},
    {50, "if", "13.1", "V", "", "", "condition", 2},
    {51, "int_to_ptr", "13.1", "1", "", "", "source"},
    {58, "iota", "13.1", "1", "", "", ""},
    {59, "itof", "13.1", "1", "",
     "signedness:Signedness rounding_mode:Rounding", "from"},
    {60, "join_tokens", "13.1", "V1", "", "", "N tokens*"},
    {61, "load_ptr_tko", "13.1", "2",
     "memory_scope optimization_hints mask paddingValue token", ACCESS HINTS,
     "S source mask? paddingValue? token?"},
    {62, "load_view_tko", "13.1", "V2", "memory_scope optimization_hints token",
     ACCESS HINTS "inbounds:bools@13.4", "S view index* token?"},
    {63, "log", "13.1", "1", "", "", "source"},
    {64, "log2", "13.1", "1", "", "", "source"},
    {65, "loop", "13.1", "V", "", "", "N initValues*", 1},
    {66, "make_partition_view", "13.1", "1", "", "", "tensor_view"},
    {67, "make_tensor_view", "13.1", "V1", "", "",
     "S base dynamicShape* dynamicStrides*"},
    {68, "make_token", "13.1", "1", "", "", ""},
    {69, "maxf", "13.1", "1", "propagate_nan flush_to_zero", "", "lhs rhs"},
    {70, "maxi", "13.1", "1", "", "signedness:Signedness", "lhs rhs"},
    {71, "minf", "13.1", "1", "propagate_nan flush_to_zero", "", "lhs rhs"},
    {72, "mini", "13.1", "1", "", "signedness:Signedness", "lhs rhs"},
    {73, "mmaf", "13.1", "1", "fast_acc@13.3", "", "lhs rhs acc"},
    {74, "mmai", "13.1", "1", "",
     "signedness_lhs:Signedness signedness_rhs:Signedness", "lhs rhs acc"},
    {76, "mulf", "13.1", "1", "flush_to_zero", "rounding_mode:Rounding",
     "lhs rhs"},
    {77, "mulhii", "13.1", "1", "", "", "x y"},
    {78, "muli", "13.1", "1", "", "overflow:Overflow", "lhs rhs"},
    {79, "negf", "13.1", "1", "", "", "source"},
    {80, "negi", "13.1", "1", "", "overflow:Overflow@13.2=0", "source"},
    {81, "offset", "13.1", "1", "", "", "ptr offset"},
    {82, "ori", "13.1", "1", "", "", "lhs rhs"},
    {83, "permute", "13.1", "1", "", "permutation:ints32", "source"},
    {84, "pow", "13.1", "1", "", "", "source exponent"},
    {85, "print_tko", "13.1", "V1@13.2", "token@13.2", "str:string",
     "S args* token?"},
    {86, "ptr_to_int", "13.1", "1", "", "", "source"},
    {87, "ptr_to_ptr", "13.1", "1", "", "", "source"},
    {88, "reduce", "13.1", "V", "", "dim:i32 identities:array", "N operands*",
     1},
    {89, "remf", "13.1", "1", "", "", "lhs rhs"},
    {90, "remi", "13.1", "1", "", "signedness:Signedness", "lhs rhs"},
    {91, "reshape", "13.1", "1", "", "", "source"},
    {92, "return", "13.1", "V0", "", "", "N operands*"},
    {93, "rsqrt", "13.1", "1", "flush_to_zero", "", "source"},
    {94, "scan", "13.1", "V", "", "dim:i32 reverse:bool identities:array",
     "N operands*", 1},
    {95, "select", "13.1", "1", "", "", "cond val_if_true val_if_false"},
    {96, "shli", "13.1", "1", "", "overflow:Overflow", "lhs rhs"},
    {97, "shri", "13.1", "1", "", "signedness:Signedness", "lhs rhs"},
    {98, "sin", "13.1", "1", "", "", "source"},
    {99, "sinh", "13.1", "1", "", "", "source"},
    {100, "sqrt", "13.1", "1", "flush_to_zero", "rounding_mode:Rounding",
     "source"},
    {101, "store_ptr_tko", "13.1", "1",
     "memory_scope optimization_hints mask token", ACCESS HINTS,
     "S destination value mask? token?"},
    {102, "store_view_tko", "13.1", "V1",
     "memory_scope optimization_hints token",
     ACCESS HINTS "inbounds:bools@13.4", "S tile view index* token?"},
    {103, "subf", "13.1", "1", "flush_to_zero", "rounding_mode:Rounding",
     "lhs rhs"},
    {104, "subi", "13.1", "1", "", "overflow:Overflow", "lhs rhs"},
    {105, "tan", "13.1", "1", "", "", "source"},
    {106, "tanh", "13.1", "1", "", "rounding_mode:Rounding@13.2=5", "source"},
    {107, "trunci", "13.1", "1", "", "overflow:Overflow", "from"},
    {108, "xori", "13.1", "1", "", "", "lhs rhs"},
    {109, "yield", "13.1", "V0", "", "", "N operands*"},
    {110, "atan2", "13.2", "1", "", "", "x y"},
    {111, "pack", "13.3", "1", "", "", "source"},
    {112, "unpack", "13.3", "1", "", "", "source"},
    {113, "alloca", "13.3", "1", "global", "num_elem:i64 alignment:i64", ""},
    {114, "mmaf_scaled", "13.3", "1", "", "",
     "lhs rhs acc lhs_scale rhs_scale"},
    {115, "make_gather_scatter_view", "13.3", "1", "", "", "tensor_view"},
    {116, "make_strided_view", "13.3", "1", "", "", "tensor_view"},
    {117, "atomic_red_view_tko", "13.3", "V1", "token",
     ATOMIC "mode:Mode inbounds:bools@13.5", "S view index* value token?"},
    {118, "insert", "13.4", "V1", "", "", "N source destination indices*"},
    {119, "gdc_launch_dependents_tko", "13.4", "1", "", "", "N token?"},
    {120, "gdc_wait_tko", "13.4", "1", "", "", "N token?"},
    {121, "fpowi", "13.4", "1", "", "", "source exponent"},
    {122, "memory_fence_alias_tko", "13.4", "1", "", "", "token"},
    {123, "multimem_load_reduce_view_tko", "13.5", "V2", "memory_scope token",
     ACCESS "reduction:Multimem inbounds:bools", "S view index* token?"},
    {124, "multimem_reduce_view_tko", "13.5", "V1", "token",
     ATOMIC "reduction:Multimem inbounds:bools", "S view tile index* token?"},
    {125, "multimem_store_view_tko", "13.5", "V1", "memory_scope token",
     ACCESS "inbounds:bools", "S view tile index* token?"},
};

#undef ACCESS
#undef ATOMIC
#undef HINTS

//===----------------------------------------------------------------------===//
// Enumerations
//===----------------------------------------------------------------------===//

template <typename Attr, auto symbolize>
static constexpr EnumCodec codec(StringLiteral name) {
  return {name,
          [](MLIRContext *context, uint64_t number) -> Attribute {
            if (number > 255)
              return {};
            auto value = symbolize(uint32_t(number));
            return value ? Attribute(Attr::get(context, *value)) : Attribute();
          },
          [](Attribute attribute) {
            return uint64_t(cast<Attr>(attribute).getValue());
          }};
}
#define CODEC(name, type)                                                      \
  codec<cuda_tile::type##Attr,                                                 \
        static_cast<std::optional<cuda_tile::type> (*)(uint32_t)>(             \
            cuda_tile::symbolize##type)>(name)
static constexpr EnumCodec codecs[] = {
    CODEC("Rounding", Rounding),
    CODEC("Overflow", Overflow),
    CODEC("Signedness", Signedness),
    CODEC("Predicate", ComparisonPredicate),
    CODEC("Ordering", ComparisonOrdering),
    CODEC("Order", MemoryOrder),
    CODEC("Scope", MemoryScope),
    CODEC("Mode", AtomicMode),
    CODEC("Multimem", MultimemReduction),
};
#undef CODEC

//===----------------------------------------------------------------------===//
// Parsing of rows
//===----------------------------------------------------------------------===//

/// Splits `name@13.4=0` into its parts.
static StringRef splitSince(StringRef text, Version usual, Version &since,
                            std::optional<uint64_t> &fallback) {
  auto [head, value] = text.split('=');
  auto [name, version] = head.split('@');
  since = version.empty() ? usual : *Version::parse(version);
  uint64_t number = 0;
  if (!value.empty() && !value.getAsInteger(10, number))
    fallback = number;
  return name;
}

static SmallVector<StringRef> words(StringRef text) {
  SmallVector<StringRef> all;
  text.split(all, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  return all;
}

static AttrField makeAttribute(StringRef word, Version opSince) {
  AttrField field;
  auto [name, rest] = word.split(':');
  field.optional = name.consume_back("?");
  field.name = name;
  StringRef kind = splitSince(rest, opSince, field.since, field.fallback);
  if (const auto *codec = llvm::find_if(
          codecs, [&](const EnumCodec &it) { return it.name == kind; });
      codec != std::end(codecs)) {
    field.kind = AttrKind::Enum;
    field.codec = codec;
    return field;
  }
  static constexpr std::pair<StringLiteral, AttrKind> kinds[] = {
      {"i32", AttrKind::Int32},          {"i64", AttrKind::Int64},
      {"bool", AttrKind::Bool},          {"string", AttrKind::String},
      {"symbol", AttrKind::Symbol},      {"ints32", AttrKind::Ints32},
      {"bools", AttrKind::Bools},        {"array", AttrKind::Array},
      {"hints", AttrKind::Hints},        {"dense", AttrKind::Dense},
      {"predicate", AttrKind::Predicate}};
  for (auto [text, value] : kinds)
    if (text == kind) {
      field.kind = value;
      return field;
    }
  llvm_unreachable("no kind of attribute in the table of ops");
}

/// The attribute or operand that a flag name refers to.
static Flag makeFlag(StringRef word, const OpLayout &op) {
  Flag flag;
  std::optional<uint64_t> none;
  flag.name = splitSince(word, op.since, flag.since, none);
  for (auto [index, attribute] : llvm::enumerate(op.attributes))
    if (attribute.optional && attribute.name == flag.name) {
      flag.of = Flag::Attribute;
      flag.index = index;
      return flag;
    }
  for (auto [index, operand] : llvm::enumerate(op.fields))
    if (operand.arity == OperandField::Maybe && operand.name == flag.name) {
      flag.of = Flag::Operand;
      flag.index = index;
      return flag;
    }
  flag.of = Flag::Unit;
  return flag;
}

static OpLayout makeLayout(const Row &row) {
  OpLayout op;
  op.code = row.code;
  op.name = ("cuda_tile." + row.name).str();
  op.since = *Version::parse(row.since);
  op.regions = row.regions;

  std::optional<uint64_t> none;
  StringRef results = splitSince(row.results, op.since, op.resultsSince, none);
  op.countsResults = results.consume_front("V");
  unsigned count = 0;
  if (!results.getAsInteger(10, count))
    op.results = count;

  StringRef operands = row.operands;
  op.operands = operands.consume_front("N ")   ? OpLayout::Operands::Counted
                : operands.consume_front("S ") ? OpLayout::Operands::Grouped
                                               : OpLayout::Operands::Plain;
  for (StringRef word : words(operands)) {
    OperandField::Arity arity = word.consume_back("?")   ? OperandField::Maybe
                                : word.consume_back("*") ? OperandField::Many
                                                         : OperandField::One;
    op.fields.push_back({word, arity});
  }
  for (StringRef word : words(row.attributes))
    op.attributes.push_back(makeAttribute(word, op.since));
  for (StringRef word : words(row.flags))
    op.flags.push_back(makeFlag(word, op));
  return op;
}

bool OpLayout::hasFlags(Version version) const {
  return llvm::any_of(flags,
                      [&](const Flag &flag) { return flag.since <= version; });
}

unsigned OpLayout::leastOperands() const {
  return llvm::count_if(fields, [](const OperandField &field) {
    return field.arity == OperandField::One;
  });
}

ArrayRef<OpLayout> allOps() {
  static const std::vector<OpLayout> ops(
      llvm::map_iterator(std::begin(rows), makeLayout),
      llvm::map_iterator(std::end(rows), makeLayout));
  return ops;
}

const OpLayout *findOp(uint64_t code) {
  static const std::vector<const OpLayout *> byCode = [] {
    std::vector<const OpLayout *> table(allOps().back().code + 1);
    for (const OpLayout &op : allOps())
      table[op.code] = &op;
    return table;
  }();
  return code < byCode.size() ? byCode[code] : nullptr;
}

const OpLayout *findOp(StringRef name) {
  static const llvm::StringMap<const OpLayout *> byName = [] {
    llvm::StringMap<const OpLayout *> map;
    for (const OpLayout &op : allOps())
      map[op.name] = &op;
    return map;
  }();
  return byName.lookup(name);
}

} // namespace tilegpt::target::cudatile
