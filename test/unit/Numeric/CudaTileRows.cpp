// Lists every op of CUDA Tile IR that occurs in a body.
#include "CudaTileRows.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::formatv;

namespace tilegpt::numeric {

namespace {
class Rows {
public:
  void add(const std::string &name, const std::string &body,
           const std::string &result = "!T") {
    rows.push_back({group, name, body, result});
  }
  /// Ops that take one, two or three tiles and return one of the same type.
  void addAlike(std::initializer_list<const char *> ops, const char *operands,
                const char *behind = "") {
    for (const char *op : ops)
      add(std::string(op) + behind,
          formatv("%r = {0} {1}{2} : tile<8x!T>", op, operands, behind));
  }

  std::string group;
  std::vector<OpRow> rows;
};
} // namespace

static void addArithmetic(Rows &rows) {
  rows.group = "floating-point arithmetic";
  rows.addAlike(
      {"addf", "subf", "mulf", "divf", "maxf", "minf", "remf", "pow", "atan2"},
      "%x, %u");
  rows.addAlike({"fma"}, "%x, %u, %v");
  rows.addAlike({"addf", "mulf", "divf"}, "%x, %u", " rounding<zero>");
  rows.addAlike({"fma"}, "%x, %u, %v", " rounding<positive_inf>");
  rows.addAlike({"sqrt"}, "%x", " rounding<negative_inf>");
  rows.addAlike({"mulf"}, "%x, %u", " flush_to_zero");
  rows.addAlike({"divf"}, "%x, %u", " rounding<approx>");
  rows.addAlike({"maxf"}, "%x, %u", " propagate_nan");
  rows.addAlike({"absf", "negf", "ceil", "floor", "sqrt", "rsqrt", "exp",
                 "exp2", "log", "log2", "sin", "cos", "tan", "sinh", "cosh",
                 "tanh"},
                "%x");
  rows.add("cmpf",
           "%r = cmpf less_than ordered %x, %u : tile<8x!T> -> "
           "tile<8xi1>",
           "i1");
  rows.add("fpowi", "%r = fpowi %x, %n : tile<8x!T>, tile<8xi32>");

  rows.group = "integer arithmetic";
  rows.addAlike(
      {"addi", "subi", "muli", "mulhii", "shli", "andi", "ori", "xori"},
      "%x, %u");
  rows.addAlike({"divi", "remi", "maxi", "mini", "shri"}, "%x, %u", " signed");
  rows.addAlike({"divi", "remi", "maxi", "mini", "shri"}, "%x, %u",
                " unsigned");
  rows.addAlike({"divi"}, "%x, %u", " signed rounding<negative_inf>");
  rows.addAlike({"absi", "negi"}, "%x");
  rows.add("cmpi",
           "%r = cmpi less_than %x, %u, signed : tile<8x!T> -> "
           "tile<8xi1>",
           "i1");

  rows.group = "conversions";
  for (const char *to : {"i4", "i8", "i32", "i64"})
    rows.add(formatv("exti to {0}", to),
             formatv("%r = exti %x signed : tile<8x!T> -> tile<8x{0}>", to),
             to);
  for (const char *to : {"i1", "i4", "i8", "i32"})
    rows.add(formatv("trunci to {0}", to),
             formatv("%r = trunci %x : tile<8x!T> -> tile<8x{0}>", to), to);
  for (const char *to : {"f4E2M1FN", "f8E5M3FNU", "f8E4M3FN", "f8E5M2", "f16",
                         "bf16", "tf32", "f32", "f64"}) {
    rows.add(formatv("ftof to {0}", to),
             formatv("%r = ftof %x : tile<8x!T> -> tile<8x{0}>", to), to);
    rows.add(formatv("itof to {0}", to),
             formatv("%r = itof %x signed : tile<8x!T> -> tile<8x{0}>", to),
             to);
  }
  rows.add("ftof to f8E8M0FNU",
           "%r = ftof %x rounding<zero> : tile<8x!T> -> tile<8xf8E8M0FNU>",
           "f8E8M0FNU");
  for (const char *to : {"i1", "i8", "i32", "i64"})
    rows.add(formatv("ftoi to {0}", to),
             formatv("%r = ftoi %x unsigned : tile<8x!T> -> tile<8x{0}>", to),
             to);
  rows.add("ftoi saturating",
           "%r = ftoi %x signed saturating : tile<8x!T> -> tile<8xi32>", "i32");
  for (const char *to : {"i8", "i32", "f64"})
    rows.add(formatv("bitcast to {0}", to),
             formatv("%r = bitcast %x : tile<8x!T> -> tile<8x{0}>", to), to);
  for (int bytes : {1, 4, 16, 32, 64})
    rows.add(formatv("pack, unpack of {0} bytes", bytes),
             formatv("%bytes = pack %x : tile<8x!T> -> tile<{0}xi8>\n"
                     "    %r = unpack %bytes : tile<{0}xi8> -> tile<8x!T>",
                     bytes));
}

static void addTiles(Rows &rows) {
  rows.group = "tiles";
  rows.add("select", "%r = select %p, %x, %u : tile<8xi1>, tile<8x!T>");
  rows.add("iota", "%r = iota : tile<8x!T>");
  rows.add("constant of integers", "%r = constant <!T: 1> : tile<8x!T>");
  rows.add("constant of floats", "%r = constant <!T: 1.0> : tile<8x!T>");
  rows.add("reshape, permute",
           "%x2 = reshape %x : tile<8x!T> -> tile<2x4x!T>\n"
           "    %x3 = permute %x2 [1, 0] : tile<2x4x!T> -> tile<4x2x!T>\n"
           "    %r = reshape %x3 : tile<4x2x!T> -> tile<8x!T>");
  rows.add("broadcast",
           "%x2 = reshape %x : tile<8x!T> -> tile<8x1x!T>\n"
           "    %x3 = broadcast %x2 : tile<8x1x!T> -> tile<8x2x!T>\n"
           "    %x4 = reshape %x3 : tile<8x2x!T> -> tile<16x!T>\n"
           "    %r = extract %x4[%zero] : tile<16x!T> -> tile<8x!T>");
  rows.add("cat, extract",
           "%x2 = cat %x, %u dim = 0 : tile<8x!T>, tile<8x!T> -> "
           "tile<16x!T>\n"
           "    %r = extract %x2[%zero] : tile<16x!T> -> tile<8x!T>");
  rows.add("insert", "%x2 = extract %x[%zero] : tile<8x!T> -> tile<4x!T>\n"
                     "    %r = insert %x2, %u[%zero] : tile<4x!T>, tile<8x!T>");
  for (const auto &[op, one] :
       {std::pair{"addf", "0.0"}, {"maxf", "0.0"}, {"addi", "0"}}) {
    rows.add(formatv("reduce {0}", op),
             formatv("%s = reduce %x dim=0 identities=[{1} : !T] : tile<8x!T> "
                     "-> tile<!T> (%e: tile<!T>, %t: tile<!T>) {{\n"
                     "      %w = {0} %e, %t : tile<!T>\n"
                     "      yield %w : tile<!T>\n    }\n"
                     "    %s1 = reshape %s : tile<!T> -> tile<1x!T>\n"
                     "    %r = broadcast %s1 : tile<1x!T> -> tile<8x!T>",
                     op, one));
    rows.add(formatv("scan {0}", op),
             formatv("%r = scan %x dim=0 reverse=false identities=[{1} : !T] "
                     ": tile<8x!T> -> tile<8x!T> (%e: tile<!T>, %t: tile<!T>) "
                     "{{\n"
                     "      %w = {0} %e, %t : tile<!T>\n"
                     "      yield %w : tile<!T>\n    }",
                     op, one));
  }

  rows.group = "products";
  auto product = [&](const std::string &name, const std::string &op,
                     const std::string &sums, const std::string &behind) {
    rows.add(name,
             formatv("%l = reshape %x : tile<8x!T> -> tile<2x4x!T>\n"
                     "    %q = reshape %u : tile<8x!T> -> tile<4x2x!T>\n"
                     "    %z = constant <{1}: {2}> : tile<2x2x{1}>\n"
                     "    %d = {0} %l, %q, %z{3} : tile<2x4x!T>, tile<4x2x!T>, "
                     "tile<2x2x{1}>\n"
                     "    %d1 = reshape %d : tile<2x2x{1}> -> tile<4x{1}>\n"
                     "    %r = cat %d1, %d1 dim = 0 : tile<4x{1}>, "
                     "tile<4x{1}> -> tile<8x{1}>",
                     op, sums, sums == "i32" ? "0" : "0.0", behind),
             sums);
  };
  for (const char *sums : {"f16", "f32", "f64"})
    product(formatv("mmaf onto {0}", sums), "mmaf", sums, "");
  product("mmaf fast_acc onto f32", "mmaf", "f32", " fast_acc");
  product("mmai", "mmai", "i32", " signed unsigned");
  for (const auto &[scale, block] : {std::pair{"f8E8M0FNU", 16},
                                     {"f8E8M0FNU", 32},
                                     {"f8E5M3FNU", 16},
                                     {"f8E4M3FN", 16}})
    rows.add(
        formatv("mmaf_scaled, a {0} for {1}", scale, block),
        formatv("%x1 = reshape %x : tile<8x!T> -> tile<2x4x!T>\n"
                "    %x2 = reshape %x1 : tile<2x4x!T> -> tile<2x4x1x!T>\n"
                "    %x3 = broadcast %x2 : tile<2x4x1x!T> -> "
                "tile<2x4x8x!T>\n"
                "    %l = reshape %x3 : tile<2x4x8x!T> -> tile<2x32x!T>\n"
                "    %q = reshape %l : tile<2x32x!T> -> tile<32x2x!T>\n"
                "    %fl = constant <f32: 2.0> : tile<2x{1}xf32>\n"
                "    %fq = constant <f32: 0.5> : tile<{1}x2xf32>\n"
                "    %sl = ftof %fl{2} : tile<2x{1}xf32> -> tile<2x{1}x{0}>\n"
                "    %sq = ftof %fq{2} : tile<{1}x2xf32> -> tile<{1}x2x{0}>\n"
                "    %z = constant <f32: 0.0> : tile<2x2xf32>\n"
                "    %d = mmaf_scaled %l, %q, %z, %sl, %sq : tile<2x32x!T>, "
                "tile<32x2x!T>, tile<2x2xf32>, tile<2x{1}x{0}>, "
                "tile<{1}x2x{0}>\n"
                "    %d1 = reshape %d : tile<2x2xf32> -> tile<4xf32>\n"
                "    %r = cat %d1, %d1 dim = 0 : tile<4xf32>, tile<4xf32> -> "
                "tile<8xf32>",
                scale, 32 / block,
                llvm::StringRef(scale) == "f8E8M0FNU" ? " rounding<zero>" : ""),
        "f32");
}

static void addMemory(Rows &rows) {
  rows.group = "memory";
  const std::string doubled =
      "\n    %r = cat %h, %h dim = 0 : tile<4x!T>, tile<4x!T> -> tile<8x!T>";
  rows.add("load_view_tko, store_view_tko",
           "%h, %hk = load_view_tko weak %av[%zero] : partition_view<tile=(4), "
           "tensor_view<8x!T, strides=[1]>>, tile<i32> -> tile<4x!T>, token" +
               doubled);
  rows.add("load_view_tko acquire",
           "%h, %hk = load_view_tko acquire device %av[%zero] : "
           "partition_view<tile=(4), tensor_view<8x!T, strides=[1]>>, "
           "tile<i32> -> tile<4x!T>, token" +
               doubled);
  rows.add("load_view_tko of a strided_view",
           "%sv = make_strided_view %xs : strided_view<tile=(4), "
           "traversal_strides=[2], tensor_view<8x!T, strides=[1]>>\n"
           "    %h, %hk = load_view_tko weak %sv[%zero] : "
           "strided_view<tile=(4), traversal_strides=[2], tensor_view<8x!T, "
           "strides=[1]>>, tile<i32> -> tile<4x!T>, token" +
               doubled);
  for (const char *order : {"weak", "relaxed device"})
    rows.add(
        formatv("load_view_tko {0} of a gather_scatter_view", order),
        formatv("%t2 = make_tensor_view %a, shape = [2, 4], strides = [4, 1] : "
                "tensor_view<2x4x!T, strides=[4, 1]>\n"
                "    %gv = make_gather_scatter_view %t2 : "
                "gather_scatter_view<tile=(2x4), tensor_view<2x4x!T, "
                "strides=[4, 1]>, sparse_dim = 0>\n"
                "    %rows = iota : tile<2xi32>\n"
                "    %h, %hk = load_view_tko {0} %gv[%rows, %zero] : "
                "gather_scatter_view<tile=(2x4), tensor_view<2x4x!T, "
                "strides=[4, 1]>, sparse_dim = 0>, tile<2xi32>, tile<i32> -> "
                "tile<2x4x!T>, token\n"
                "    %r = reshape %h : tile<2x4x!T> -> tile<8x!T>",
                order));
  rows.add("load_ptr_tko, store_ptr_tko",
           "%w, %wk = load_ptr_tko weak %ps, %p : tile<8xptr<!T>>, tile<8xi1> "
           "-> tile<8x!T>, token\n"
           "    %r = reshape %w : tile<8x!T> -> tile<8x!T>");
  rows.add("ptr_to_int, int_to_ptr",
           "%i = ptr_to_int %ps : tile<8xptr<!T>> -> tile<8xi64>\n"
           "    %q = int_to_ptr %i : tile<8xi64> -> tile<8xptr<!T>>\n"
           "    %r, %rk0 = load_ptr_tko weak %q : tile<8xptr<!T>> -> "
           "tile<8x!T>, token");
  rows.add("ptr_to_ptr",
           "%q = ptr_to_ptr %ps : tile<8xptr<!T>> -> tile<8xptr<i8>>\n"
           "    %r, %rk0 = load_ptr_tko weak %q : tile<8xptr<i8>> -> "
           "tile<8xi8>, token",
           "i8");
  rows.add("select of pointers",
           "%q1 = reshape %b : tile<ptr<!T>> -> tile<1xptr<!T>>\n"
           "    %q8 = broadcast %q1 : tile<1xptr<!T>> -> tile<8xptr<!T>>\n"
           "    %q = select %p, %ps, %q8 : tile<8xi1>, tile<8xptr<!T>>\n"
           "    %r, %rk0 = load_ptr_tko weak %q : tile<8xptr<!T>> -> "
           "tile<8x!T>, token");
  for (const char *mode : {"add", "addf", "max", "umax", "and", "xchg"})
    rows.add(formatv("atomic_rmw_tko {0}", mode),
             formatv("%r, %rk0 = atomic_rmw_tko relaxed device %ps, {0}, %u : "
                     "tile<8xptr<!T>>, tile<8x!T> -> tile<8x!T>, token",
                     mode));
  rows.add("atomic_cas_tko",
           "%r, %rk0 = atomic_cas_tko acq_rel device %ps, %u, %v : "
           "tile<8xptr<!T>>, tile<8x!T> -> tile<8x!T>, token");
  for (const char *mode : {"add", "addf"})
    rows.add(formatv("atomic_red_view_tko {0}", mode),
             formatv("%h = extract %u[%zero] : tile<8x!T> -> tile<4x!T>\n"
                     "    %hk = atomic_red_view_tko relaxed device %av[%zero], "
                     "{0}, %h : tile<4x!T>, partition_view<tile=(4), "
                     "tensor_view<8x!T, strides=[1]>>, tile<i32> -> token\n"
                     "    %r = reshape %u : tile<8x!T> -> tile<8x!T>",
                     mode));
  for (const char *reach : {"", " global"})
    rows.add(
        formatv("alloca{0}", reach),
        formatv(
            "%m = alloca num_elem = 8, alignment = 64{0} : tile<ptr<!T>>\n"
            "    %m1 = reshape %m : tile<ptr<!T>> -> tile<1xptr<!T>>\n"
            "    %m8 = broadcast %m1 : tile<1xptr<!T>> -> tile<8xptr<!T>>\n"
            "    %ms = offset %m8, %n : tile<8xptr<!T>>, tile<8xi32> -> "
            "tile<8xptr<!T>>\n"
            "    %mk = store_ptr_tko weak %ms, %u : tile<8xptr<!T>>, "
            "tile<8x!T> -> token\n"
            "    %r, %rk0 = load_ptr_tko weak %ms token=%mk : tile<8xptr<!T>> "
            "-> tile<8x!T>, token",
            reach));
  rows.add("get_global",
           "%g = get_global @table : tile<ptr<i32>>\n"
           "    %gv, %gk = load_ptr_tko weak %g : tile<ptr<i32>> -> "
           "tile<i32>, token\n"
           "    %g1 = reshape %gv : tile<i32> -> tile<1xi32>\n"
           "    %r = broadcast %g1 : tile<1xi32> -> tile<8xi32>",
           "i32");
  rows.add("memory_fence_alias_tko",
           "%t0 = make_token : token\n"
           "    %t1 = memory_fence_alias_tko %t0\n"
           "    %r = reshape %x : tile<8x!T> -> tile<8x!T>");
  rows.add("gdc_wait_tko, gdc_launch_dependents_tko",
           "%t0 = gdc_wait_tko -> token\n"
           "    %t1 = gdc_launch_dependents_tko token = %t0 -> token\n"
           "    %r = reshape %x : tile<8x!T> -> tile<8x!T>");
  const std::string tensor =
      "tensor_view<8x!T, strides=[1], #cuda_tile.ptr_attr<multicast>>";
  const std::string multicast =
      "%mp = ptr_to_ptr %a : tile<ptr<!T>> -> tile<ptr<!T, <multicast>>>\n"
      "    %mt = make_tensor_view %mp, shape = [8], strides = [1] : "
      "tile<ptr<!T, <multicast>>> -> " +
      tensor +
      "\n    %mv = make_partition_view %mt : partition_view<tile=(4), " +
      tensor + ">\n    ";
  rows.add("multimem_load_reduce_view_tko",
           multicast +
               "%h, %hk = multimem_load_reduce_view_tko relaxed device "
               "%mv[%zero] : partition_view<tile=(4), " +
               tensor + ">, tile<i32> -> tile<4x!T>, token" + doubled);

  rows.group = "control";
  rows.add("for", "%one = constant <i32: 1> : tile<i32>\n"
                  "    %eight = constant <i32: 8> : tile<i32>\n"
                  "    %r = for %i in (%zero to %eight, step %one) : tile<i32> "
                  "iter_values(%w = %x) -> (tile<8x!T>) {\n"
                  "      continue %u : tile<8x!T>\n    }");
  rows.add("loop, break",
           "%r = loop iter_values(%w = %x) : tile<8x!T> -> tile<8x!T> {\n"
           "      break %w : tile<8x!T>\n    }");
  rows.add("if",
           "%is = cmpi equal %zero, %zero, signed : tile<i32> -> tile<i1>\n"
           "    %r = if %is -> (tile<8x!T>) {\n"
           "      yield %x : tile<8x!T>\n    } else {\n"
           "      yield %u : tile<8x!T>\n    }");
  rows.add("print_tko of integers",
           "%t0 = print_tko \"%d\", %x : tile<8x!T> -> token\n"
           "    %r = reshape %x : tile<8x!T> -> tile<8x!T>");
  rows.add("print_tko of floats",
           "%t0 = print_tko \"%f\", %x : tile<8x!T> -> token\n"
           "    %r = reshape %x : tile<8x!T> -> tile<8x!T>");
}

std::vector<OpRow> cudaTileRows() {
  Rows rows;
  addArithmetic(rows);
  addTiles(rows);
  addMemory(rows);
  return std::move(rows.rows);
}

} // namespace tilegpt::numeric
