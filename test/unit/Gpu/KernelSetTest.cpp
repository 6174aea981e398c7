// Every kernel of the library for every target and type, through the whole
// compiler and, if there is one, ptxas: no spills, and the expected
// instructions.
#include "KernelSet.h"
#include "InstructionFamilies.h"
#include "TileGPT/Dialect/Tile/Transforms/LinkLibrary.h"
#include "TileGPT/Pipelines/Registration.h"
#include "mlir/IR/DialectRegistry.h"
#include "gtest/gtest.h"
#include <set>

namespace tilegpt::test {
namespace {

using llvm::StringRef;
using target::GpuTarget;

//===----------------------------------------------------------------------===//
// What is expected
//===----------------------------------------------------------------------===//

/// A kernel with a known ptxas complaint. The list must only get shorter:
/// entries that are no longer needed fail the test.
struct KnownProblem {
  StringRef kernel; ///< the instance in the set
  StringRef types;  ///< all types that have the problem
  StringRef targets;
  StringRef reason;
};

constexpr KnownProblem knownProblems[] = {
    {"attention2_0", "bf16 f16", "sm_90a",
     "masks of a window beside sums that fill the registers: 4 bytes"},
    {"attention3_0", "bf16", "sm_86 sm_89",
     "caps beside sums 256 wide: 12 bytes"},
};

/// The instruction families a kernel must use, by its name in the library or,
/// if one instance differs, in the set. Names of several launches of the same
/// kernel are numbered in order.
struct Expectation {
  StringRef kernel;
  unsigned hopper; ///< 16-bit types on sm_90a
  unsigned narrow; ///< 16-bit types elsewhere
  unsigned wide;   ///< f32
};

constexpr unsigned streams = WideLoads | WideStores;

constexpr Expectation expectations[] = {
    {"linear", Wgmma | Tma, MmaSync | CpAsync, CpAsync},
    // f8 weights, which are widened when loaded.
    {"linear_2", Wgmma | Tma, MmaSync, None},
    {"linear.gelu", Wgmma | Tma, MmaSync | CpAsync, CpAsync},
    {"linear.add", Wgmma | Tma, MmaSync | CpAsync, CpAsync},
    {"linear.add2", Wgmma | Tma, MmaSync | CpAsync, CpAsync}, // sums in f32
    {"linear2", Wgmma | Tma, MmaSync | CpAsync, CpAsync},
    {"attention", Wgmma | Tma, MmaSync | CpAsync, CpAsync},
    // 128 features, which leaves some targets no shared memory for prefetching.
    {"attention_1", Wgmma | Tma, MmaSync | CpAsync, WideReads},
    {"attention_alibi", Wgmma | Tma, MmaSync | CpAsync, CpAsync},
    {"attention_alibi_1", Wgmma | Tma, MmaSync | CpAsync, WideReads},
    {"attention_alibi_decode", MmaSync | CpAsync, MmaSync | CpAsync, WideReads},
    {"attention_sinks", Wgmma | Tma, MmaSync | CpAsync, CpAsync},
    {"attention_sinks_decode", MmaSync | CpAsync, MmaSync | CpAsync, WideReads},
    {"attention_full", Wgmma | Tma, MmaSync | CpAsync, CpAsync},
    {"attention_full_1", Wgmma | Tma, MmaSync | CpAsync, WideReads},
    // A tile of the queries that share keys; f32 keeps full precision.
    {"attention_decode", MmaSync | CpAsync, MmaSync | CpAsync, WideReads},
    {"kv_append2.attention_decode", MmaSync | CpAsync, MmaSync | CpAsync,
     WideReads},
    {"linear_decode", WideReads, WideReads, WideReads},
    {"linear_decode_1", TensorCores | WideReads, MmaSync | CpAsync, CpAsync},
    {"linear_decode.gelu", WideReads, WideReads, WideReads},
    {"linear_decode.gelu_1", TensorCores | WideReads, MmaSync | CpAsync,
     CpAsync},
    {"linear_decode.add", WideReads, WideReads, WideReads},
    {"linear_decode.add2", WideReads, WideReads, WideReads}, // sums in f32
    {"linear_decode.add_1", TensorCores | WideReads, MmaSync | CpAsync,
     CpAsync},
    {"linear_decode2", WideReads, WideReads, WideReads},
    {"linear_decode2_1", TensorCores | WideReads, MmaSync | CpAsync, CpAsync},
    {"linear_decode2_2", TensorCores | WideReads, MmaSync | CpAsync, CpAsync},
    {"layer_norm.linear_decode", WideReads, WideReads, WideReads},
    {"layer_norm.linear_decode.gelu", WideReads, WideReads, WideReads},
    {"add", streams, streams, streams},
    {"all_gather", WideStores, WideStores, WideStores},
    {"all_reduce", WideStores, WideStores, WideStores},
    {"peer_all_reduce", None, None, None}, // bound by what it waits for
    {"peer_all_gather", None, None, None},
    {"gelu", streams, streams, streams},
    {"round", streams, streams, WideStores},
    {"gelu_exact", streams, streams, streams},
    {"softmax", streams, streams, streams},
    {"softmax_1", None, None, None}, // rows of 50257 are not aligned
    {"layer_norm", streams, streams, streams},
    {"add.layer_norm", streams, streams, streams},
    {"embed", streams, streams, streams},
    // Overlapping launches use asynchronous copies.
    {"kv_append", CpAsync | WideStores, streams, WideStores},
    {"rms_norm", streams, streams, streams},
    {"silu_glu", streams, streams, streams},
    {"gelu_glu", streams, streams, streams},
    {"embed_tokens", streams, streams, streams},
    {"linear2.silu_glu", Wgmma | Tma, MmaSync | CpAsync, CpAsync},
    {"linear2.gelu_glu", Wgmma | Tma, MmaSync | CpAsync, CpAsync},
    {"linear_decode2.silu_glu", WideReads, WideReads, WideReads},
    {"linear_decode2.silu_glu_2", Wgmma | Tma, MmaSync | CpAsync, CpAsync},
    {"linear_decode2.gelu_glu", WideReads, WideReads, WideReads},
    {"rms_norm.linear_decode2", WideReads, WideReads, WideReads},
    {"rms_norm.linear_decode2.silu_glu", WideReads, WideReads, WideReads},
    {"rms_norm.linear_decode2.gelu_glu", WideReads, WideReads, WideReads},
    {"attention2", Wgmma | Tma, MmaSync | CpAsync, CpAsync},
    {"attention_decode2", MmaSync | CpAsync, MmaSync | CpAsync, WideReads},
    {"kv_append.attention_decode", MmaSync | CpAsync, MmaSync | CpAsync,
     WideReads},
    {"kv_append.attention_decode2", MmaSync | CpAsync, MmaSync | CpAsync,
     WideReads},
    {"kv_append3.attention_decode", MmaSync | CpAsync, MmaSync | CpAsync,
     WideReads},
    {"kv_append3.attention_decode3", MmaSync | CpAsync, MmaSync | CpAsync,
     WideReads},
    // 256 features, which leaves no shared memory for prefetching.
    {"attention3", Wgmma | Tma, MmaSync, WideReads},
    {"attention_decode3", MmaSync | CpAsync, MmaSync | CpAsync, WideReads},
    {"softcap", streams, streams, streams},
    {"scale", streams, streams, streams},
    {"clamp", streams, streams, streams},
    {"relu", streams, streams, streams},
    {"relu_squared", streams, streams, streams},
    {"gate", streams, streams, streams},
    {"gate_linear", streams, streams, streams},
    {"gate_features", streams, streams, streams},
    {"positions", streams, streams, streams},
    // Halves of a row are computed together.
    {"sinusoids", None, None, None},
    {"qk_norm", streams, streams, streams},
    {"layer_norm_offset", streams, streams, streams},
    {"route", None, None, None}, // bound by its comparisons
    {"route_margin", None, None, None},
    {"route_scores", None, None, None},
    {"route_groups", None, None, None},
    // Features change places, element by element.
    {"latent_heads", None, None, None},
    {"columns", None, None, None},
    {"conv_append", None, None, None},
    {"conv_convolve", None, None, None},
    {"xielu", streams, streams, streams},
    {"experts_silu_glu", WideReads, WideReads, WideReads},
    {"experts_sum", WideReads, WideReads, WideReads},
    {"experts_clamped_glu", WideReads, WideReads, WideReads},
    {"experts_biased_sum", WideReads, WideReads, WideReads},
    // Each feature is rotated with its partner, element by element.
    {"rotary", None, None, None},
    {"head_norm", None, None, None},
    {"head_layer_norm", None, None, None},
    {"head_layer_norm2", None, None, None},
    {"kv_append2", None, None, None},
    {"kv_append3", None, None, None},
    {"rotary_angles", None, None, None}, // bound by its functions
    {"rotary_angles2", None, None, None},
    {"last_rows", None, None, None},    // a block has two elements a thread
    {"sample_order", None, None, None}, // columns of rows of 50257
    {"sample_draw", None, None, None},  // one block, bound by its rounds
};

/// Whether a list of words contains this one.
bool lists(StringRef words, StringRef word) {
  return llvm::is_contained(llvm::split(words, ' '), word);
}

const KnownProblem *findKnownProblem(StringRef kernel, StringRef target,
                                     StringRef type) {
  for (const KnownProblem &known : knownProblems)
    if (known.kernel == kernel && lists(known.targets, target) &&
        lists(known.types, type))
      return &known;
  return nullptr;
}

const Expectation *findExpectation(StringRef kernel) {
  for (StringRef name : {kernel, libraryName(kernel)})
    for (const Expectation &entry : expectations)
      if (entry.kernel == name)
        return &entry;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// The test
//===----------------------------------------------------------------------===//

struct SetCase {
  StringRef target, type;

  friend void PrintTo(const SetCase &test, std::ostream *os) {
    *os << test.target.str() << " " << test.type.str();
  }
};

class KernelSet : public testing::TestWithParam<SetCase> {
protected:
  KernelSet() : context(registry()) {}

  static mlir::DialectRegistry registry() {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    return registry;
  }

  void expectFamilies(StringRef name, const target::GpuKernel &kernel) {
    const auto [target, type] = GetParam();
    const Expectation *expected = findExpectation(name);
    ASSERT_TRUE(expected) << "say which instructions " << name.str()
                          << " should be made of";
    const unsigned wanted = type == "f32"        ? expected->wide
                            : target == "sm_90a" ? expected->hopper
                                                 : expected->narrow;
    const unsigned found = familiesOf(kernel.ptx);
    EXPECT_EQ(describeFamilies(wanted & ~found), "")
        << "are missing in " << name.str() << ", which has "
        << describeFamilies(found);
  }

  void expectPerformance(StringRef name, const target::GpuKernel &kernel) {
    const auto [target, type] = GetParam();
    const KnownProblem *known = findKnownProblem(name, target, type);
    const std::string problems =
        llvm::toString(target::checkPerformance(kernel));
    if (!known)
      EXPECT_EQ(problems, "");
    else
      EXPECT_NE(problems, "")
          << name.str() << " is right now: take it out of the known problems";
  }

  mlir::MLIRContext context;
};

TEST_P(KernelSet, CompilesToWhatWasPlanned) {
  const auto [name, type] = GetParam();
  const GpuTarget &target = llvm::cantFail(GpuTarget::find(name));
  auto module = kernelSet(context, target, type);
  ASSERT_TRUE(module);
  auto ptxas = llvm::cantFail(target::Ptxas::find());
  compiler::GpuCompilation compilation(target);
  compilation.ptxas = ptxas ? &*ptxas : nullptr;
  compilation.threads = 2;
  auto kernels = compiler::compileGpuKernels(*module, compilation);
  ASSERT_TRUE(mlir::succeeded(kernels));

  std::set<StringRef> seen;
  for (const auto &[instance, kernel] : *kernels) {
    seen.insert(libraryName(instance));
    expectFamilies(instance, kernel);
    if (ptxas)
      expectPerformance(instance, kernel);
  }
  auto files = tile::readKernelLibrary("", mlir::UnknownLoc::get(&context));
  ASSERT_TRUE(mlir::succeeded(files));
  auto library = tile::parseKernelLibrary(*files, &context);
  ASSERT_TRUE(library);
  for (tile::KernelOp text : library->getOps<tile::KernelOp>())
    EXPECT_TRUE(seen.count(text.getSymName()))
        << text.getSymName().str() << " is not launched";
}

TEST(InstructionFamilies, AreReadFromOpcodes) {
  EXPECT_EQ(
      familiesOf("\t@%p1 ld.global.nc.v4.b32 {%r1, %r2, %r3, %r4}, [%x];\n"
                 "\tst.global.v2.b32 [%x], {%r1, %r2};\n"),
      WideLoads | WideReads);
  EXPECT_EQ(familiesOf("// wgmma.mma_async\n"
                       "\tcp.async.ca.shared.global [%r1], [%x], 4;\n"),
            None);
  EXPECT_EQ(familiesOf("{ mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                       "{%f1}, {%r1}, {%r2}, {%f1}; }\n"),
            MmaSync | TensorCores);
}

/// Types that only differ in the instruction are compiled for two targets.
constexpr SetCase cases[] = {
    {"sm_80", "bf16"}, {"sm_80", "f16"},  {"sm_80", "f32"}, {"sm_86", "bf16"},
    {"sm_86", "f32"},  {"sm_89", "bf16"}, {"sm_89", "f32"}, {"sm_90a", "bf16"},
    {"sm_90a", "f16"}, {"sm_90a", "f32"}};

INSTANTIATE_TEST_SUITE_P(
    Targets, KernelSet, testing::ValuesIn(cases), [](const auto &info) {
      return (info.param.target + "_" + info.param.type).str();
    });

} // namespace
} // namespace tilegpt::test
