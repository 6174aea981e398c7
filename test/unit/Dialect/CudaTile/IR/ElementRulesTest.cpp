// The element types, roundings and modes that each op accepts: parses every
// combination and expects exactly those of the table, which restates the
// language, to be accepted. Errors must point at the op.
#include "TileGPT/Dialect/CudaTile/IR/CudaTileDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include <gmock/gmock.h>
#include <set>

using namespace mlir;
using namespace tilegpt;

namespace {

using Names = std::vector<std::string>;
using Set = std::set<std::string>;

const Names allTypes = {
    "i1",     "i4",        "i8",        "i16",      "i32",     "i64",
    "f16",    "bf16",      "f32",       "f64",      "tf32",    "f8E4M3FN",
    "f8E5M2", "f8E8M0FNU", "f8E5M3FNU", "f4E2M1FN", "ptr<f32>"};
const Set integers = {"i1", "i8", "i16", "i32", "i64"};
const Set floats = {"f16", "bf16", "f32", "f64"};
const Set anyFloats = {"f16",       "bf16",     "f32",    "f64",
                       "tf32",      "f8E4M3FN", "f8E5M2", "f8E8M0FNU",
                       "f8E5M3FNU", "f4E2M1FN"};
const Names roundings = {"nearest_even",        "zero",        "negative_inf",
                         "positive_inf",        "approx",      "full",
                         "nearest_int_to_zero", "nearest_away"};
const Set directed = {"nearest_even", "zero", "negative_inf", "positive_inf"};

unsigned widthOf(const std::string &type) {
  const size_t digits = type.find_first_of("0123456789");
  return type == "tf32" ? 19 : unsigned(std::stoul(type.substr(digits)));
}

class ElementRules : public testing::Test {
protected:
  ElementRules() {
    context.loadDialect<cuda_tile::CudaTileDialect>();
    context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
      error = diagnostic.str();
      if (auto loc =
              dyn_cast<FileLineColLoc>(LocationAttr(diagnostic.getLocation())))
        line = loc.getLine();
      return success();
    });
  }

  /// Expects an op, the second line of a function, to be accepted exactly if it
  /// should be.
  void expect(const std::string &arguments, const std::string &op,
              bool isLegal) {
    const std::string text =
        "cuda_tile.testing$func @f(" + arguments + ") {\n" + op + "\n}";
    error.clear();
    line = 0;
    const bool isAccepted = bool(parseSourceString<ModuleOp>(text, &context));
    EXPECT_EQ(isAccepted, isLegal) << text << "\n" << error;
    if (!isLegal) {
      EXPECT_EQ(line, 2u) << text << "\n" << error;
      EXPECT_THAT(error, testing::AnyOf(testing::HasSubstr("expected"),
                                        testing::HasSubstr("must be")))
          << text;
    }
  }

  /// Checks ops on tiles of one type, which `T` stands for.
  void expectTypes(const Names &ops, const std::string &form,
                   const Set &accepted) {
    for (const std::string &op : ops)
      for (const std::string &type : allTypes) {
        const std::string tile = "tile<8x" + type + ">";
        std::string text = form;
        for (auto [name, value] :
             {std::pair<std::string, std::string>{"OP", op}, {"TILE", tile}})
          for (size_t at; (at = text.find(name)) != text.npos;)
            text.replace(at, name.size(), value);
        expect("%a: " + tile + ", %b: " + tile, text, accepted.contains(type));
      }
  }

  MLIRContext context;
  std::string error;
  unsigned line = 0;
};

TEST_F(ElementRules, Arithmetic) {
  expectTypes({"addi", "subi", "muli", "shli", "andi", "ori", "xori", "mulhii"},
              "%0 = OP %a, %b : TILE", integers);
  expectTypes({"divi", "remi", "maxi", "mini", "shri"},
              "%0 = OP %a, %b unsigned : TILE", integers);
  expectTypes({"absi", "negi"}, "%0 = OP %a : TILE", integers);
  expectTypes(
      {"addf", "subf", "mulf", "divf", "maxf", "minf", "remf", "pow", "atan2"},
      "%0 = OP %a, %b : TILE", floats);
  expectTypes({"absf", "negf", "ceil", "floor", "cos", "cosh", "exp", "exp2",
               "log", "log2", "rsqrt", "sin", "sinh", "sqrt", "tan", "tanh"},
              "%0 = OP %a : TILE", floats);
  expectTypes({"fma"}, "%0 = OP %a, %b, %a : TILE", floats);
  expectTypes({"cmpi"}, "%0 = OP equal %a, %b, signed : TILE -> tile<8xi1>",
              integers);
  expectTypes({"cmpf"}, "%0 = OP equal ordered %a, %b : TILE -> tile<8xi1>",
              floats);
  // One bit cannot hold a count of eight.
  Set counts = integers;
  counts.erase("i1");
  expectTypes({"iota"}, "%0 = OP : TILE", counts);
}

TEST_F(ElementRules, Modes) {
  struct Row {
    std::string form;
    Set modes;
    Set forF32; ///< accept the modes
  };
  const auto with = [](Set set, const Set &more) {
    set.insert(more.begin(), more.end());
    return set;
  };
  const Row rows[] = {
      {"addf %a, %b", directed, {}},
      {"subf %a, %b", directed, {}},
      {"mulf %a, %b", directed, {}},
      {"fma %a, %b, %a", directed, {}},
      {"divf %a, %b", with(directed, {"approx", "full"}), {"approx", "full"}},
      {"sqrt %a", with(directed, {"approx"}), {"approx"}},
      {"exp %a", {"approx", "full"}, {"approx"}},
      {"tanh %a", {"approx", "full"}, {"approx"}},
  };
  for (const Row &row : rows)
    for (const std::string &type : floats)
      for (const std::string &mode : roundings) {
        const std::string tile = "tile<8x" + type + ">";
        expect("%a: " + tile + ", %b: " + tile,
               "%0 = " + row.form + " rounding<" + mode + "> : " + tile,
               row.modes.contains(mode) &&
                   (type == "f32" || !row.forF32.contains(mode)));
      }
  for (const std::string form :
       {"addf %a, %b", "subf %a, %b", "mulf %a, %b", "divf %a, %b",
        "fma %a, %b, %a", "sqrt %a", "exp2 %a", "rsqrt %a", "maxf %a, %b",
        "minf %a, %b"})
    for (const std::string &type : floats) {
      const std::string tile = "tile<8x" + type + ">";
      expect("%a: " + tile + ", %b: " + tile,
             "%0 = " + form + " flush_to_zero : " + tile, type == "f32");
    }
  for (const std::string sign : {"signed", "unsigned"})
    for (const std::string &mode : roundings)
      expect("%a: tile<8xi32>",
             "%0 = divi %a, %a " + sign + " rounding<" + mode +
                 "> : tile<8xi32>",
             mode == "zero" || mode == "positive_inf" ||
                 (mode == "negative_inf" && sign == "signed"));
}

TEST_F(ElementRules, Casts) {
  const auto cast = [&](const std::string &op, const std::string &from,
                        const std::string &to, const std::string &how,
                        bool isLegal) {
    expect("%a: tile<8x" + from + ">",
           "%0 = " + op + " %a" + how + " : tile<8x" + from + "> -> tile<8x" +
               to + ">",
           isLegal);
  };
  Set withI4 = integers;
  withI4.insert("i4");
  for (const std::string &from : allTypes)
    for (const std::string &to : allTypes) {
      const bool areIntegers = withI4.contains(from) && withI4.contains(to);
      cast("exti", from, to, " signed",
           areIntegers && widthOf(from) < widthOf(to));
      cast("trunci", from, to, "", areIntegers && widthOf(from) > widthOf(to));
      cast("ftoi", from, to, " signed",
           anyFloats.contains(from) && integers.contains(to));
      cast("itof", from, to, " signed",
           integers.contains(from) && anyFloats.contains(to) &&
               to != "f8E8M0FNU");
      const bool areFloats = anyFloats.contains(from) && anyFloats.contains(to);
      cast("ftof", from, to, "", areFloats && from != to && to != "f8E8M0FNU");
      // Widening loses no digits and accepts all of IEEE 754; f16 lacks the
      // exponents of scales.
      const bool isCast = areFloats && from != to,
                 isWide = isCast && widthOf(to) > 8,
                 isScale = from == "f8E8M0FNU" || from == "f8E5M3FNU",
                 isWidening = isWide && widthOf(from) < widthOf(to) &&
                              !(isScale && to == "f16");
      cast("ftof", from, to, " rounding<zero>",
           isWide || (isCast && to == "f8E8M0FNU"));
      cast("ftof", from, to, " rounding<positive_inf>",
           isWidening || (isCast && (to == "f8E8M0FNU" || to == "f32")));
      cast("ftof", from, to, " rounding<negative_inf>",
           isWidening || (isCast && to == "f32"));
      cast("ftof", from, to, " rounding<nearest_away>",
           isWidening || (from == "f32" && to == "tf32"));
    }
}

TEST_F(ElementRules, Products) {
  const std::set<std::pair<std::string, std::string>> legal = {
      {"f8E4M3FN", "f16"}, {"f8E4M3FN", "f32"}, {"f8E5M2", "f16"},
      {"f8E5M2", "f32"},   {"f16", "f16"},      {"f16", "f32"},
      {"bf16", "f32"},     {"tf32", "f32"},     {"f32", "f32"},
      {"f64", "f64"}};
  for (const std::string &factor : allTypes)
    for (const std::string &sum : allTypes) {
      const std::string tiles = "tile<4x8x" + factor + ">, tile<8x2x" + factor +
                                ">, tile<4x2x" + sum + ">";
      const std::string arguments = "%a: tile<4x8x" + factor +
                                    ">, %b: tile<8x2x" + factor +
                                    ">, %c: tile<4x2x" + sum + ">";
      expect(arguments, "%0 = mmaf %a, %b, %c : " + tiles,
             legal.contains({factor, sum}));
      expect(arguments, "%0 = mmai %a, %b, %c signed signed : " + tiles,
             factor == "i8" && sum == "i32");
    }
}

TEST_F(ElementRules, Atomics) {
  const Set wholes = {"i32", "i64"}, words = {"i32", "i64", "f32", "f64"};
  const std::pair<std::string, Set> modes[] = {
      {"and", wholes},  {"or", wholes},  {"xor", wholes},  {"add", wholes},
      {"max", wholes},  {"min", wholes}, {"umax", wholes}, {"umin", wholes},
      {"addf", floats}, {"xchg", words}};
  for (const std::string &type : allTypes) {
    if (type == "i4" || type == "ptr<f32>" || type == "f4E2M1FN")
      continue; // which no tile of pointers leads to
    const std::string tile = "tile<8x" + type + ">",
                      pointers = "tile<8xptr<" + type + ">>";
    const std::string arguments = "%p: " + pointers + ", %a: " + tile;
    for (const auto &[mode, types] : modes)
      expect(arguments,
             "%0, %1 = atomic_rmw_tko relaxed device %p, " + mode +
                 ", %a : " + pointers + ", " + tile + " -> " + tile + ", token",
             types.contains(type));
    expect(arguments,
           "%0, %1 = atomic_cas_tko relaxed device %p, %a, %a : " + pointers +
               ", " + tile + " -> " + tile + ", token",
           words.contains(type));
  }
}

TEST_F(ElementRules, OrdersAndScopes) {
  const auto order = [&](const std::string &form, const Set &orders) {
    for (const std::string word :
         {"weak", "relaxed", "acquire", "release", "acq_rel"})
      for (const std::string scope : {"", " tl_blk", " device", " sys"}) {
        std::string text = form;
        text.replace(text.find("ORDER"), 5, word + scope);
        expect("%p: tile<8xptr<i32>>, %a: tile<8xi32>", text,
               orders.contains(word) && scope.empty() == (word == "weak"));
      }
  };
  order(
      "%0, %1 = load_ptr_tko ORDER %p : tile<8xptr<i32>> -> tile<8xi32>, token",
      {"weak", "relaxed", "acquire"});
  order("%0 = store_ptr_tko ORDER %p, %a : tile<8xptr<i32>>, tile<8xi32> -> "
        "token",
        {"weak", "relaxed", "release"});
  order("%0, %1 = atomic_rmw_tko ORDER %p, add, %a : tile<8xptr<i32>>, "
        "tile<8xi32> -> tile<8xi32>, token",
        {"relaxed", "acquire", "release", "acq_rel"});
  order("%0, %1 = atomic_cas_tko ORDER %p, %a, %a : tile<8xptr<i32>>, "
        "tile<8xi32> -> tile<8xi32>, token",
        {"relaxed", "acquire", "release", "acq_rel"});
}

} // namespace
