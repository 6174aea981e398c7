// Lists every op that kernels are written with.
#include "OpRows.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::formatv;

namespace tilegpt::numeric {

static void addElementwise(std::vector<OpRow> &rows) {
  auto unary = [&](const char *group, const char *op) {
    rows.push_back({group, op, formatv("%r = {0} %x : tensor<4x!T>", op)});
  };
  auto binary = [&](const char *group, const char *op) {
    rows.push_back({group, op, formatv("%r = {0} %x, %u : tensor<4x!T>", op)});
  };
  for (const char *op :
       {"arith.addf", "arith.subf", "arith.mulf", "arith.divf", "arith.remf",
        "arith.maximumf", "arith.minimumf", "arith.maxnumf", "arith.minnumf"})
    binary("float arithmetic", op);
  unary("float arithmetic", "arith.negf");
  rows.push_back({"float arithmetic", "arith.cmpf",
                  "%r = arith.cmpf olt, %x, %u : tensor<4x!T>", "i1"});
  rows.push_back({"float arithmetic", "math.fma",
                  "%r = math.fma %x, %u, %v : tensor<4x!T>"});
  for (const char *kind : {"add", "sub", "mul", "div"})
    rows.push_back(
        {"float arithmetic", formatv("tile.rounded {0}", kind),
         formatv("%r = tile.rounded {0} %x, %u mode(down) : tensor<4x!T>",
                 kind)});
  rows.push_back({"float arithmetic", "tile.rounded fma",
                  "%r = tile.rounded fma %x, %u, %v mode(up) : tensor<4x!T>"});
  rows.push_back({"float arithmetic", "tile.rounded sqrt",
                  "%r = tile.rounded sqrt %x mode(zero) : tensor<4x!T>"});
  rows.push_back(
      {"float arithmetic", "tile.rounded … ftz",
       "%r = tile.rounded mul %x, %u mode(even) ftz : tensor<4x!T>"});
  for (const char *op :
       {"arith.addi", "arith.subi", "arith.muli", "arith.divsi", "arith.divui",
        "arith.remsi", "arith.remui", "arith.ceildivsi", "arith.ceildivui",
        "arith.floordivsi", "arith.maxsi", "arith.maxui", "arith.minsi",
        "arith.minui", "arith.andi", "arith.ori", "arith.xori"})
    binary("integer arithmetic", op);
  for (const char *op : {"arith.shli", "arith.shrsi", "arith.shrui"})
    rows.push_back({"integer arithmetic", op,
                    formatv("%zero = arith.subi %x, %x : tensor<4x!T>\n"
                            "  %r = {0} %x, %zero : tensor<4x!T>",
                            op)});
  for (const char *op : {"arith.mulsi_extended", "arith.mului_extended"})
    rows.push_back({"integer arithmetic", op,
                    formatv("%low, %r = {0} %x, %u : tensor<4x!T>", op)});
  rows.push_back({"integer arithmetic", "arith.cmpi",
                  "%r = arith.cmpi slt, %x, %u : tensor<4x!T>", "i1"});
  for (const char *op : {"math.absi", "math.ctlz", "math.cttz", "math.ctpop"})
    unary("integer arithmetic", op);
  rows.push_back({"any", "arith.select",
                  "%r = arith.select %p, %x, %u : tensor<4xi1>, tensor<4x!T>"});
}

static void addFunctions(std::vector<OpRow> &rows) {
  for (const char *op :
       {"absf",  "acos",  "acosh", "asin",  "asinh",     "atan",
        "atanh", "cbrt",  "ceil",  "cos",   "cosh",      "erf",
        "erfc",  "exp",   "exp2",  "expm1", "floor",     "log",
        "log10", "log1p", "log2",  "round", "roundeven", "rsqrt",
        "sin",   "sinh",  "sqrt",  "tan",   "tanh",      "trunc"})
    rows.push_back({"functions", formatv("math.{0}", op),
                    formatv("%r = math.{0} %x : tensor<4x!T>", op)});
  for (const char *op : {"atan2", "copysign", "powf"})
    rows.push_back({"functions", formatv("math.{0}", op),
                    formatv("%r = math.{0} %x, %u : tensor<4x!T>", op)});
  rows.push_back({"functions", "math.fpowi",
                  "%r = math.fpowi %x, %k : tensor<4x!T>, tensor<4xi32>"});
  for (const char *op : {"isfinite", "isinf", "isnan"})
    rows.push_back({"functions", formatv("math.{0}", op),
                    formatv("%r = math.{0} %x : tensor<4x!T>", op), "i1"});
}

static void addConversions(std::vector<OpRow> &rows) {
  auto convert = [&](const char *op, const char *to) {
    rows.push_back(
        {"conversions", formatv("{0} to {1}", op, to),
         formatv("%r = {0} %x : tensor<4x!T> to tensor<4x{1}>", op, to), to});
  };
  for (const char *to : {"f8E4M3FN", "f8E5M2", "f16", "bf16", "f32", "f64"})
    convert("tile.cast", to);
  for (const char *to : {"bf16", "f32", "f64"}) {
    convert("arith.sitofp", to);
    convert("arith.uitofp", to);
  }
  for (const char *to : {"i8", "i32", "i64"}) {
    convert("arith.fptosi", to);
    convert("arith.fptoui", to);
  }
  convert("arith.extsi", "i64");
  convert("arith.extui", "i64");
  convert("arith.trunci", "i1");
  convert("arith.trunci", "i8");
  convert("arith.bitcast", "i32");
  convert("arith.bitcast", "f64");
  rows.push_back({"conversions", "tile.bytes",
                  "%r = tile.bytes %x : tensor<4x!T> -> tensor<?xi8>", "i8",
                  "?"});
}

static void addTiles(std::vector<OpRow> &rows) {
  auto add = [&](const char *name, const char *body, const char *result = "!T",
                 const char *shape = "4") {
    rows.push_back({"tiles", name, body, result, shape});
  };
  add("tile.reshape",
      "%s = tile.reshape %x [2, 2] : tensor<4x!T> -> tensor<2x2x!T>\n"
      "  %r = tile.reshape %s [4] : tensor<2x2x!T> -> tensor<4x!T>");
  add("tile.expand_dims, broadcast, permute",
      "%e = tile.expand_dims %x, 1 : tensor<4x!T> -> tensor<4x1x!T>\n"
      "  %w = tile.broadcast %e [4, 2] : tensor<4x1x!T> -> tensor<4x2x!T>\n"
      "  %t = tile.permute %w [1, 0] : tensor<4x2x!T> -> tensor<2x4x!T>\n"
      "  %r = tile.reshape %t [8] : tensor<2x4x!T> -> tensor<8x!T>",
      "!T", "8");
  add("tile.iota", "%r = tile.iota [4] : tensor<4x!T>");
  add("tile.cat",
      "%r = tile.cat %x, %u axis 0 : tensor<4x!T>, tensor<4x!T> -> "
      "tensor<8x!T>",
      "!T", "8");
  add("tile.extract",
      "%r = tile.extract %x[%i] [2] : tensor<4x!T> -> tensor<2x!T>", "!T", "2");
  add("tile.insert",
      "%h = tile.extract %u[%i] [2] : tensor<4x!T> -> tensor<2x!T>\n"
      "  %r = tile.insert %h into %x[%i] : tensor<2x!T> into tensor<4x!T> -> "
      "tensor<4x!T>");
  for (const char *kind : {"add", "mul", "max", "min", "umax", "umin", "and",
                           "or", "xor", "argmax", "argmin"}) {
    bool isPlace = llvm::StringRef(kind).starts_with("arg");
    rows.push_back(
        {"reductions", formatv("tile.reduce {0}", kind),
         formatv("%r = tile.reduce {0} %x axis 0 keepdims : tensor<4x!T> -> "
                 "tensor<1x{1}>",
                 kind, isPlace ? "i32" : "!T"),
         isPlace ? "i32" : "!T", "1"});
    if (!isPlace)
      rows.push_back(
          {"reductions", formatv("tile.scan {0}", kind),
           formatv("%r = tile.scan {0} %x axis 0 : tensor<4x!T>", kind)});
  }
  for (const char *acc : {"i32", "f32", "f64"})
    rows.push_back(
        {"products", formatv("tile.dot onto {0}", acc),
         formatv(
             "%l = tile.reshape %x [2, 2] : tensor<4x!T> -> tensor<2x2x!T>\n"
             "  %o = arith.constant dense<0{1}> : tensor<2x2x{0}>\n"
             "  %d = tile.dot %l, %l, %o : tensor<2x2x!T>, tensor<2x2x!T>, "
             "tensor<2x2x{0}> -> tensor<2x2x{0}>\n"
             "  %r = tile.reshape %d [4] : tensor<2x2x{0}> -> tensor<4x{0}>",
             acc, acc[0] == 'f' ? ".0" : ""),
         acc});
}

static void addMemory(std::vector<OpRow> &rows) {
  auto add = [&](const char *name, std::string body,
                 const char *result = "!T") {
    rows.push_back({"memory", name, std::move(body), result, "4"});
  };
  add("tile.load mask, order",
      "%r = tile.load %a[%i] [4] order [0] mask(%p : tensor<4xi1>) : "
      "!tile.view<4x!T> -> tensor<4x!T>");
  add("tile.gather", "%r = tile.gather %a[] at %k axis 0 [4] : "
                     "!tile.view<4x!T>, tensor<4xi32> -> tensor<4x!T>");
  add("tile.scatter", "tile.scatter %x, %y[] at %k axis 0 : tensor<4x!T>, "
                      "!tile.view<4x!T>, tensor<4xi32>\n"
                      "  %r = tile.load %y[%i] [4] : !tile.view<4x!T> -> "
                      "tensor<4x!T>");
  const std::string pointer =
      "%q = tile.base %y : !tile.view<4x!T> -> !tile.ptr<!T>\n"
      "  tile.store %x, %y[%i] : tensor<4x!T>, !tile.view<4x!T>\n  ";
  add("tile.load_at, store_at",
      pointer + "tile.store_at %x, %q[%k] : tensor<4x!T>, !tile.ptr<!T>, "
                "tensor<4xi32>\n"
                "  %r = tile.load_at %q[%k] : !tile.ptr<!T>, tensor<4xi32> -> "
                "tensor<4x!T>");
  for (const char *kind : {"add", "max", "umax", "and", "xchg"})
    add(formatv("tile.atomic_rmw {0}", kind).str().c_str(),
        pointer +
            formatv("%r = tile.atomic_rmw {0} %q[%k], %u : !tile.ptr<!T>, "
                    "tensor<4xi32>, tensor<4x!T>",
                    kind)
                .str());
  add("tile.atomic_cas",
      pointer + "%r = tile.atomic_cas %q[%k], %x, %u : !tile.ptr<!T>, "
                "tensor<4xi32>, tensor<4x!T>");
  add("tile.view_at", pointer +
                          "%w = tile.view_at %q sizes [4] : !tile.ptr<!T> "
                          "-> !tile.view<4x!T>\n"
                          "  %r = tile.load %w[%i] [4] : "
                          "!tile.view<4x!T> -> tensor<4x!T>");
  add("tile.scratch",
      "%s = tile.scratch 4 : !tile.ptr<!T>\n"
      "  tile.store_at %x, %s[%k] : tensor<4x!T>, !tile.ptr<!T>, "
      "tensor<4xi32>\n"
      "  %r = tile.load_at %s[%k] : !tile.ptr<!T>, tensor<4xi32> -> "
      "tensor<4x!T>");
  add("tile.print of integers",
      "tile.print \"%d\\0A\", %x : tensor<4x!T>\n"
      "  %r = tile.load %a[%i] [4] : !tile.view<4x!T> -> tensor<4x!T>");
  add("tile.print of floats",
      "tile.print \"%f\\0A\", %x : tensor<4x!T>\n"
      "  %r = tile.load %a[%i] [4] : !tile.view<4x!T> -> tensor<4x!T>");
}

std::vector<OpRow> opRows() {
  std::vector<OpRow> rows;
  addElementwise(rows);
  addFunctions(rows);
  addConversions(rows);
  addTiles(rows);
  addMemory(rows);
  return rows;
}

} // namespace tilegpt::numeric
