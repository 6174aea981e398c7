// The module of CUDA Tile IR around the op of a row.
#include "CudaTileRows.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::formatv;

namespace tilegpt::numeric {

/// The memory type that holds eight elements of a type, how many elements of
/// it, and the values that represent eight ones.
struct Memory {
  std::string type;
  int64_t count;
  std::string ones;
};

static Memory memoryOf(const std::string &type) {
  if (type == "i4")
    return {"i8", 4, "17"};
  if (type == "f4E2M1FN")
    return {"i8", 4, "34"};
  if (type == "f8E8M0FNU")
    return {"i8", 8, "127"};
  if (type == "f8E5M3FNU")
    return {"i8", 8, "120"};
  if (type == "tf32")
    return {"f32", 8, "1"};
  return {type, 8, "1"};
}

/// Loads `%name`, eight elements, from `%pointer`. i4 cannot be stored in
/// memory, so its tiles are unpacked.
static std::string loadTile(const char *name, const char *pointer,
                            const std::string &type) {
  const bool isPacked = type == "i4";
  const std::string element = isPacked ? "i8" : type;
  const int size = isPacked ? 4 : 8;
  std::string text = formatv(
      R"(    %{0}s = make_tensor_view %{1}, shape = [{2}], strides = [1] : tensor_view<{2}x{3}, strides=[1]>
    %{0}w = make_partition_view %{0}s : partition_view<tile=({2}), tensor_view<{2}x{3}, strides=[1]>>
    %{0}{4}, %{0}k = load_view_tko weak %{0}w[%zero] : partition_view<tile=({2}), tensor_view<{2}x{3}, strides=[1]>>, tile<i32> -> tile<{2}x{3}>, token
)",
      name, pointer, size, element, isPacked ? "b" : "");
  if (isPacked)
    text +=
        formatv("    %{0} = unpack %{0}b : tile<4xi8> -> tile<8xi4>\n", name);
  return text;
}

static std::string storeTile(const std::string &type) {
  const bool isPacked = type == "i4";
  std::string text =
      isPacked ? "    %rb = pack %r : tile<8xi4> -> tile<4xi8>\n" : "";
  return text +
         formatv(
             R"(    %rs = make_tensor_view %y, shape = [{0}], strides = [1] : tensor_view<{0}x{1}, strides=[1]>
    %rw = make_partition_view %rs : partition_view<tile=({0}), tensor_view<{0}x{1}, strides=[1]>>
    %rk = store_view_tko weak %r{2}, %rw[%zero] : tile<{0}x{1}>, partition_view<tile=({0}), tensor_view<{0}x{1}, strides=[1]>>, tile<i32> -> token
)",
             isPacked ? 4 : 8, isPacked ? "i8" : type, isPacked ? "b" : "")
             .str();
}

NumericCase makeCudaTileCase(const OpRow &row, const std::string &type) {
  NumericCase test;
  test.file = "cuda-tile-matrix";
  test.kernel = "k";
  test.types = type;
  test.grid = {1, 1, 1};
  const std::string result = row.result == "!T" ? type : row.result;
  auto pointee = [](const std::string &of) {
    return of == "i4" ? std::string("i8") : of;
  };
  std::string text =
      formatv("cuda_tile.module @m {{\n"
              "  global @table <i32: [1, 2]> : tile<2xi32>\n"
              "  entry @k(%a: tile<ptr<{0}>>, %b: tile<ptr<{0}>>, "
              "%c: tile<ptr<{0}>>, %y: tile<ptr<{1}>>) {{\n"
              "    %zero = constant <i32: 0> : tile<i32>\n"
              "    %n = iota : tile<8xi32>\n"
              "    %four = constant <i32: 4> : tile<8xi32>\n"
              "    %p = cmpi less_than %n, %four, signed : tile<8xi32> -> "
              "tile<8xi1>\n",
              pointee(type), pointee(result));
  text += loadTile("x", "a", type) + loadTile("u", "b", type) +
          loadTile("v", "c", type);
  if (row.body.find("%av") != std::string::npos)
    text += "    %av = make_partition_view %xs : partition_view<tile=(4), "
            "tensor_view<8x!T, strides=[1]>>\n";
  if (row.body.find("%ps") != std::string::npos)
    text += "    %p1 = reshape %a : tile<ptr<!T>> -> tile<1xptr<!T>>\n"
            "    %p8 = broadcast %p1 : tile<1xptr<!T>> -> tile<8xptr<!T>>\n"
            "    %ps = offset %p8, %n : tile<8xptr<!T>>, tile<8xi32> -> "
            "tile<8xptr<!T>>\n";
  text += "    " + row.body + "\n" + storeTile(result) + "  }\n}\n";
  for (size_t at; (at = text.find("!T")) != std::string::npos;)
    text.replace(at, 2, type);
  test.source = std::move(text);
  const Memory in = memoryOf(type), out = memoryOf(result);
  const std::string ones =
      formatv("{0}x{1}={2}", in.count, in.type, in.ones).str();
  // For i1, where 1 means -1, use a dividend whose quotient does not overflow.
  test.ins = {type == "i1" ? "8xi1=0" : ones, ones, ones, "out0"};
  test.expected = {formatv("{0}x{1}", out.count, out.type).str()};
  test.before = {""};
  return test;
}

} // namespace tilegpt::numeric
