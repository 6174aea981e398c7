// Results of the micro-kernels: contractions of every form, type and edge are
// compiled, run and compared with a plain loop, for each vector width.
#include "TileGPT/Conversion/TileToCPU/Passes.h"
#include "TileGPT/Target/Host/HostImage.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <random>
#include <sys/mman.h>
#include <unistd.h>

using namespace tilegpt;

namespace {

struct Case {
  const char *lhs, *rhs, *acc;
  int64_t m, n, k;
  bool transposedLhs = false, transposedRhs = false;
  bool isUnsigned = false;
  int64_t batch = 0; // 0: no batch axis
  /// The front of the tiles that is needed, known at run time; 0: all of it.
  int64_t rows = 0, columns = 0, depth = 0;

  int64_t wantedRows() const { return rows ? rows : m; }
  int64_t wantedColumns() const { return columns ? columns : n; }
  int64_t wantedDepth() const { return depth ? depth : k; }
  std::string name() const {
    return llvm::formatv("{0}_{1}_{2}_{3}x{4}x{5}{6}{7}{8}_b{9}_{10}x{11}x{12}",
                         lhs, rhs, acc, m, n, k, transposedLhs ? "_tl" : "",
                         transposedRhs ? "_tr" : "", isUnsigned ? "_u" : "",
                         batch, rows, columns, depth);
  }
};

/// Rows of a matrix are this many elements longer than the part in use.
constexpr int64_t padding = 3;

/// A [batch, rows, cols] operand of a case.
struct Shape {
  int64_t batch, rows, cols;
  int64_t stride() const { return cols + padding; }
  int64_t size() const { return std::max<int64_t>(batch, 1) * rows * stride(); }
  std::string type(llvm::StringRef element) const {
    if (batch == 0)
      return llvm::formatv("memref<{0}x{1}x{2}, strided<[{3}, 1]>>", rows, cols,
                           element, stride());
    return llvm::formatv("memref<{0}x{1}x{2}x{3}, strided<[{4}, {5}, 1]>>",
                         batch, rows, cols, element, rows * stride(), stride());
  }
};

Shape lhsShape(const Case &c) {
  return c.transposedLhs ? Shape{c.batch, c.k, c.m} : Shape{c.batch, c.m, c.k};
}
Shape rhsShape(const Case &c) {
  return c.transposedRhs ? Shape{c.batch, c.n, c.k} : Shape{c.batch, c.k, c.n};
}
Shape accShape(const Case &c) { return {c.batch, c.m, c.n}; }

std::string functionText(const Case &c) {
  const char *b = c.batch ? "b, " : "";
  auto map = [&](const char *first, const char *second) -> std::string {
    return llvm::formatv("affine_map<({0}m, n, k) -> ({0}{1}, {2})>", b, first,
                         second);
  };
  std::string lhs = lhsShape(c).type(c.lhs), rhs = rhsShape(c).type(c.rhs),
              acc = accShape(c).type(c.acc), fronts, l = lhs, r = rhs, a = acc;
  std::string maps = (c.transposedLhs ? map("k", "m") : map("m", "k")) + ", " +
                     (c.transposedRhs ? map("n", "k") : map("k", "n")) + ", " +
                     map("m", "n");
  // Fronts of the operands; the arguments give their sizes.
  auto front = [&](char name, std::string &type, const Shape &shape,
                   const char *element, bool firstIsWhole, const char *first,
                   bool secondIsWhole, const char *second) {
    if (firstIsWhole && secondIsWhole)
      return;
    auto size = [](bool isWhole, int64_t size, const char *argument) {
      return isWhole ? std::to_string(size) : std::string(argument);
    };
    std::string result =
        llvm::formatv("memref<{0}x{1}x{2}, strided<[{3}, 1]>>",
                      firstIsWhole ? std::to_string(shape.rows) : "?",
                      secondIsWhole ? std::to_string(shape.cols) : "?", element,
                      shape.stride());
    fronts += llvm::formatv(
        "%{0}f = memref.subview %{0}[0, 0] [{1}, {2}] [1, 1] : {3} to {4}\n",
        name, size(firstIsWhole, shape.rows, first),
        size(secondIsWhole, shape.cols, second), type, result);
    type = result;
  };
  const bool m = c.rows == 0, n = c.columns == 0, k = c.depth == 0;
  if (c.transposedLhs)
    front('l', l, lhsShape(c), c.lhs, k, "%k", m, "%m");
  else
    front('l', l, lhsShape(c), c.lhs, m, "%m", k, "%k");
  if (c.transposedRhs)
    front('r', r, rhsShape(c), c.rhs, n, "%n", k, "%k");
  else
    front('r', r, rhsShape(c), c.rhs, k, "%k", n, "%n");
  front('a', a, accShape(c), c.acc, m, "%m", n, "%n");
  return llvm::formatv(
      R"(func.func @"{0}"(%l: {1}, %r: {2}, %a: {3}, %m: index, %n: index, %k: index) {{
        {4}
        linalg.contract indexing_maps = [{5}]
          {{ cast = #linalg.type_fn<{6}> }
          ins({7}, {8} : {9}, {10}) outs({11} : {12})
        return
      })",
      c.name(), lhs, rhs, acc, fronts, maps,
      c.isUnsigned ? "cast_unsigned" : "cast_signed", l == lhs ? "%l" : "%lf",
      r == rhs ? "%r" : "%rf", l, r, a == acc ? "%a" : "%af", a);
}

/// Elements of some type in memory, read and written as doubles.
class Buffer {
public:
  Buffer(llvm::StringRef type, int64_t size)
      : type(type), width(type.ends_with("64")   ? 8
                          : type.ends_with("32") ? 4
                          : type.ends_with("16") ? 2
                                                 : 1),
        bytes(size * width) {}

  void set(int64_t i, double value) {
    uint64_t bits = 0;
    if (type[0] == 'i') {
      bits = int64_t(value);
    } else {
      llvm::APFloat number(value);
      bool lossy;
      number.convert(semantics(), llvm::APFloat::rmNearestTiesToEven, &lossy);
      bits = number.bitcastToAPInt().getZExtValue();
    }
    std::memcpy(&bytes[i * width], &bits, width);
  }
  double get(int64_t i, bool isUnsigned = false) const {
    uint64_t bits = 0;
    std::memcpy(&bits, &bytes[i * width], width);
    if (type[0] == 'i')
      return isUnsigned ? double(bits)
                        : double(llvm::SignExtend64(bits, width * 8));
    llvm::APFloat number(semantics(), llvm::APInt(width * 8, bits));
    bool lossy;
    number.convert(llvm::APFloat::IEEEdouble(),
                   llvm::APFloat::rmNearestTiesToEven, &lossy);
    return number.convertToDouble();
  }
  void *data() { return bytes.data(); }
  int64_t elementBytes() const { return width; }

private:
  const llvm::fltSemantics &semantics() const {
    return type == "bf16"  ? llvm::APFloat::BFloat()
           : type == "f16" ? llvm::APFloat::IEEEhalf()
           : type == "f32" ? llvm::APFloat::IEEEsingle()
                           : llvm::APFloat::IEEEdouble();
  }

  std::string type;
  int64_t width;
  std::vector<char> bytes;
};

/// The front of a buffer, followed by memory that must not be touched.
class Guarded {
public:
  Guarded(Buffer &buffer, int64_t elements) {
    const size_t page = size_t(::sysconf(_SC_PAGESIZE)),
                 bytes = size_t(elements) * buffer.elementBytes();
    readable = llvm::alignTo(bytes, page);
    length = readable + page;
    base = static_cast<char *>(::mmap(nullptr, length, PROT_READ | PROT_WRITE,
                                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    EXPECT_NE(base, MAP_FAILED);
    EXPECT_EQ(::mprotect(base + readable, page, PROT_NONE), 0);
    start = base + readable - bytes;
    std::memcpy(start, buffer.data(), bytes);
  }
  ~Guarded() { ::munmap(base, length); }
  Guarded(const Guarded &) = delete;
  Guarded &operator=(const Guarded &) = delete;
  void *data() { return start; }

private:
  char *base, *start;
  size_t readable, length;
};

/// How many elements of an operand must exist.
int64_t existing(const Case &c, const Shape &shape, int64_t rows,
                 int64_t cols) {
  return (std::max<int64_t>(c.batch, 1) - 1) * shape.rows * shape.stride() +
         (rows - 1) * shape.stride() + cols;
}

using Function = void(void *lhs, void *rhs, void *acc, int64_t rows,
                      int64_t columns, int64_t depth);

struct Unit {
  unsigned bits, registers, rowStreams = 4;
};

/// The compiled functions of some cases, blocked for one vector width.
class Kernels {
public:
  Kernels(llvm::ArrayRef<Case> cases, const Unit &unit) {
    mlir::DialectRegistry registry;
    registry.insert<mlir::func::FuncDialect, mlir::linalg::LinalgDialect,
                    mlir::memref::MemRefDialect, mlir::arith::ArithDialect>();
    mlir::registerBuiltinDialectTranslation(registry);
    mlir::registerLLVMDialectTranslation(registry);
    mlir::MLIRContext context(registry);
    std::string text;
    for (const Case &c : cases)
      text += functionText(c) + "\n";
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    mlir::PassManager passes(&context);
    cpu::ContractToMicroKernelOptions options;
    options.vectorBits = unit.bits;
    options.vectorRegisters = unit.registers;
    options.rowStreams = unit.rowStreams;
    passes.addPass(cpu::createContractToMicroKernel(options));
    // Not every processor has instructions that round to bf16.
    passes.addNestedPass<mlir::func::FuncOp>(cpu::createExpandFloats());
    passes.addPass(cpu::createCarryFloatsAsBits());
    passes.addPass(mlir::createSCFToControlFlowPass());
    passes.addPass(mlir::memref::createExpandStridedMetadataPass());
    passes.addPass(mlir::createLowerAffinePass());
    passes.addPass(mlir::createConvertVectorToLLVMPass());
    passes.addPass(mlir::createFinalizeMemRefToLLVMConversionPass());
    mlir::ConvertFuncToLLVMPassOptions abi;
    abi.useBarePtrCallConv = true;
    passes.addPass(mlir::createConvertFuncToLLVMPass(abi));
    passes.addPass(mlir::createArithToLLVMConversionPass());
    passes.addPass(mlir::createConvertControlFlowToLLVMPass());
    passes.addPass(mlir::createReconcileUnrealizedCastsPass());
    EXPECT_TRUE(mlir::succeeded(passes.run(*module)));
    auto image = target::compileImage(
        *module, llvm::cantFail(target::HostTarget::create()));
    if (!image) {
      ADD_FAILURE() << llvm::toString(image.takeError());
      return;
    }
    descriptor = ::memfd_create("image", MFD_CLOEXEC);
    EXPECT_EQ(::write(descriptor, image->data(), image->size()),
              ssize_t(image->size()));
    std::string path = "/proc/self/fd/" + std::to_string(descriptor);
    handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    EXPECT_NE(handle, nullptr) << ::dlerror();
  }
  ~Kernels() {
    if (handle)
      ::dlclose(handle);
    ::close(descriptor);
  }
  Function *find(const Case &c) const {
    return reinterpret_cast<Function *>(::dlsym(handle, c.name().c_str()));
  }

private:
  int descriptor = -1;
  void *handle = nullptr;
};

class ContractToMicroKernel : public testing::TestWithParam<Unit> {
protected:
  Kernels compile(llvm::ArrayRef<Case> cases) const {
    return Kernels(cases, GetParam());
  }
};

/// Fills the matrix and poisons the gaps between its rows.
template <typename Value>
void fill(Buffer &buffer, const Shape &shape, double poison, Value value) {
  for (int64_t i = 0; i < shape.size(); ++i)
    buffer.set(i, i % shape.stride() < shape.cols ? value() : poison);
}

std::vector<Case> allCases() {
  std::vector<Case> cases;
  struct Size {
    int64_t m, n, k;
  };
  // Three rows of the last one take more than 12 KiB.
  const Size sizes[] = {{1, 1, 1},     {1, 16, 257},  {3, 7, 17},
                        {5, 48, 31},   {8, 23, 64},   {13, 19, 65},
                        {16, 31, 48},  {17, 33, 48},  {31, 65, 66},
                        {48, 96, 257}, {29, 208, 40}, {3, 23, 1031}};
  for (const Size &s : sizes)
    for (bool transposedRhs : {false, true})
      cases.push_back(
          {"f32", "f32", "f32", s.m, s.n, s.k, false, transposedRhs});
  // Fronts of tiles: along each axis alone and along all, one element and most
  // of it.
  struct Front {
    Size tile, front;
    bool transposedLhs = false;
  };
  const Front fronts[] = {
      {{29, 40, 33}, {5, 0, 0}},  {{29, 40, 33}, {0, 17, 0}},
      {{29, 40, 33}, {0, 0, 20}}, {{29, 40, 33}, {28, 39, 32}, true},
      {{48, 96, 64}, {1, 1, 1}},  {{48, 96, 64}, {47, 95, 63}},
      {{6, 70, 35}, {3, 24, 31}}, {{6, 70, 35}, {5, 69, 0}, true}};
  for (const auto &[tile, front, transposedLhs] : fronts)
    for (bool transposedRhs : {false, true})
      cases.push_back({"f32", "f32", "f32", tile.m, tile.n, tile.k,
                       transposedLhs, transposedRhs, false, 0, front.m, front.n,
                       front.k});
  for (bool transposedRhs : {false, true}) {
    cases.push_back({"bf16", "bf16", "f32", 48, 96, 64, false, transposedRhs,
                     false, 0, 25, 65, 33});
    cases.push_back({"f32", "f32", "f32", 29, 100, 509, false, transposedRhs,
                     false, 0, 27, 99, 500});
  }
  // Every remainder of rows after blocks of six and, in the last columns,
  // blocks of twelve.
  for (int64_t rows : {13, 20, 21, 22, 23})
    cases.push_back(
        {"f32", "f32", "f32", 24, 24, 9, false, true, false, 0, rows, 20, 0});
  const Size fewSizes[] = {{1, 9, 70}, {6, 21, 33}, {26, 37, 40}};
  for (const Size &s : fewSizes)
    for (bool transposedRhs : {false, true}) {
      auto add = [&](const char *lhs, const char *rhs, const char *acc,
                     bool transposedLhs = false, bool isUnsigned = false,
                     int64_t batch = 0) {
        cases.push_back({lhs, rhs, acc, s.m, s.n, s.k, transposedLhs,
                         transposedRhs, isUnsigned, batch});
      };
      add("f32", "f32", "f32", /*transposedLhs=*/true);
      add("f32", "f32", "f32", false, false, /*batch=*/3);
      add("bf16", "bf16", "f32", /*transposedLhs=*/true);
      add("f32", "bf16", "f32");
      add("f16", "f32", "f32");
      add("f64", "f64", "f64");
      add("f64", "f32", "f64");
      add("i8", "i8", "i32");
      add("i8", "i8", "i32", false, /*isUnsigned=*/true);
      add("i8", "i8", "i32", /*transposedLhs=*/true);
      add("i16", "i8", "i32");
      add("i16", "i16", "i32", /*transposedLhs=*/true);
      add("i16", "i16", "i32", false, /*isUnsigned=*/true);
      add("i32", "i16", "i32");
    }
  return cases;
}

} // namespace

// Multiples of 1/8 from -1 to 1 are exact in every type, and so are sums of
// their products: the results have to be equal.
TEST_P(ContractToMicroKernel, EqualsAPlainLoopAndTouchesNothingElse) {
  std::vector<Case> cases = allCases();
  Kernels kernels = compile(cases);
  std::mt19937 random(1);
  for (const Case &c : cases) {
    SCOPED_TRACE(c.name());
    bool isInteger = c.acc[0] == 'i';
    double nan = isInteger ? 99 : std::nan("");
    std::uniform_int_distribution<int> digit(-8, 8);
    auto value = [&] {
      return isInteger ? double(digit(random)) : digit(random) / 8.0;
    };
    Shape lhsIs = lhsShape(c), rhsIs = rhsShape(c), accIs = accShape(c);
    Buffer lhs(c.lhs, lhsIs.size()), rhs(c.rhs, rhsIs.size()),
        acc(c.acc, accIs.size());
    fill(lhs, lhsIs, nan, value);
    fill(rhs, rhsIs, nan, value);
    // Steps beyond the needed depth are not multiplied.
    for (int64_t k = c.wantedDepth(); k < c.k; ++k) {
      for (int64_t m = 0; m < c.m; ++m)
        lhs.set(c.transposedLhs ? k * lhsIs.stride() + m
                                : m * lhsIs.stride() + k,
                nan);
      for (int64_t n = 0; n < c.n; ++n)
        rhs.set(c.transposedRhs ? n * rhsIs.stride() + k
                                : k * rhsIs.stride() + n,
                nan);
    }
    fill(acc, accIs, 7, value);
    Buffer expected = acc;
    for (int64_t b = 0; b < std::max<int64_t>(c.batch, 1); ++b)
      for (int64_t m = 0; m < c.wantedRows(); ++m)
        for (int64_t n = 0; n < c.wantedColumns(); ++n) {
          auto at = [&](const Shape &shape, int64_t row, int64_t col) {
            return (b * shape.rows + row) * shape.stride() + col;
          };
          double sum = acc.get(at(accIs, m, n));
          for (int64_t k = 0; k < c.wantedDepth(); ++k)
            sum += lhs.get(c.transposedLhs ? at(lhsIs, k, m) : at(lhsIs, m, k),
                           c.isUnsigned) *
                   rhs.get(c.transposedRhs ? at(rhsIs, n, k) : at(rhsIs, k, n),
                           c.isUnsigned);
          expected.set(at(accIs, m, n), sum);
        }
    Function *kernel = kernels.find(c);
    ASSERT_NE(kernel, nullptr);
    // What is not needed need not exist, except in an lhs that is widened.
    const bool isWidened = llvm::StringRef(c.lhs) != c.acc;
    const int64_t m = isWidened ? c.m : c.wantedRows(),
                  k = isWidened ? c.k : c.wantedDepth();
    Guarded left(lhs, c.transposedLhs ? existing(c, lhsIs, k, m)
                                      : existing(c, lhsIs, m, k)),
        right(rhs,
              c.transposedRhs
                  ? existing(c, rhsIs, c.wantedColumns(), c.wantedDepth())
                  : existing(c, rhsIs, c.wantedDepth(), c.wantedColumns()));
    kernel(left.data(), right.data(), acc.data(), c.wantedRows(),
           c.wantedColumns(), c.wantedDepth());
    int64_t wrong = 0;
    for (int64_t i = 0; i < accIs.size(); ++i)
      if (acc.get(i) != expected.get(i) && ++wrong <= 3)
        ADD_FAILURE() << "element " << i / accIs.stride() << ", "
                      << i % accIs.stride() << ": expected " << expected.get(i)
                      << ", found " << acc.get(i);
  }
}

// Equal rows of lhs and equal columns of rhs give bitwise equal elements,
// wherever they lie in acc.
TEST_P(ContractToMicroKernel, SumsDoNotDependOnThePosition) {
  std::vector<Case> cases;
  for (int64_t m : {7, 16, 43})
    for (bool transposedRhs : {false, true})
      cases.push_back({"f32", "f32", "f32", m, 77, 131, false, transposedRhs});
  Kernels kernels = compile(cases);
  std::mt19937 random(2);
  std::normal_distribution<float> normal;
  for (const Case &c : cases) {
    SCOPED_TRACE(c.name());
    std::vector<float> left(c.k), right(c.k);
    std::generate(left.begin(), left.end(), [&] { return normal(random); });
    std::generate(right.begin(), right.end(), [&] { return normal(random); });
    Buffer lhs("f32", lhsShape(c).size()), rhs("f32", rhsShape(c).size()),
        acc("f32", accShape(c).size());
    for (int64_t m = 0; m < c.m; ++m)
      for (int64_t k = 0; k < c.k; ++k)
        lhs.set(m * lhsShape(c).stride() + k, left[k]);
    for (int64_t n = 0; n < c.n; ++n)
      for (int64_t k = 0; k < c.k; ++k)
        rhs.set(c.transposedRhs ? n * rhsShape(c).stride() + k
                                : k * rhsShape(c).stride() + n,
                right[k]);
    kernels.find(c)(lhs.data(), rhs.data(), acc.data(), c.m, c.n, c.k);
    for (int64_t m = 0; m < c.m; ++m)
      for (int64_t n = 0; n < c.n; ++n)
        ASSERT_EQ(acc.get(m * accShape(c).stride() + n), acc.get(0))
            << m << ", " << n;
  }
}

INSTANTIATE_TEST_SUITE_P(Units, ContractToMicroKernel,
                         testing::Values(Unit{128, 16}, Unit{256, 16},
                                         Unit{256, 16, /*rowStreams=*/1},
                                         Unit{512, 32},
                                         Unit{512, 32, /*rowStreams=*/1}),
                         [](const auto &info) {
                           return "Vectors" + std::to_string(info.param.bits) +
                                  "Bits" +
                                  (info.param.rowStreams == 1 ? "OneStream"
                                                              : "");
                         });
