// Compiles a handwritten kernel with LLVM and, if there is one, ptxas.
#include "TileGPT/Target/NVVM/CompileKernel.h"
#include "DeviceModule.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include <gmock/gmock.h>

using namespace tilegpt;
using namespace tilegpt::test;
using target::GpuKernel;
using target::GpuTarget;
using testing::HasSubstr;
using testing::Not;

static GpuKernel compiled(llvm::StringRef text, const GpuTarget &target,
                          const target::Ptxas *ptxas = nullptr) {
  DeviceModule parsed(text);
  return llvm::cantFail(target::compileKernel(*parsed.module, target, ptxas));
}

static std::string errorOf(llvm::StringRef text, std::string *said = nullptr) {
  DeviceModule parsed(text);
  auto kernel = target::compileKernel(*parsed.module, gpuTarget(), nullptr);
  if (said)
    *said = parsed.said;
  return kernel ? "no error" : llvm::toString(kernel.takeError());
}

TEST(CompileKernel, PtxNamesItsVersionAndArchitecture) {
  for (const GpuTarget &target : GpuTarget::all()) {
    const GpuKernel kernel = compiled(reverseKernel, target);
    EXPECT_THAT(kernel.ptx, HasSubstr((".target " + target.name).str()));
    EXPECT_THAT(kernel.ptx,
                HasSubstr(".version " + std::to_string(target.ptxVersion / 10) +
                          "." + std::to_string(target.ptxVersion % 10)));
    EXPECT_THAT(kernel.ptx, HasSubstr(".visible .entry kernel_reverse("));
    EXPECT_THAT(kernel.ptx, HasSubstr(".reqntid 128"));
  }
}

TEST(CompileKernel, SharedMemoryIsAddressedWith32Bits) {
  const std::string ptx = compiled(reverseKernel, gpuTarget()).ptx;
  EXPECT_THAT(ptx, HasSubstr("mov.b32 \t%r"));
  EXPECT_THAT(ptx, HasSubstr(", tilegpt_shared;"));
  EXPECT_THAT(ptx, HasSubstr("st.shared.b32 \t[%r"));
  EXPECT_THAT(ptx, Not(HasSubstr("cvta")));
}

TEST(CompileKernel, SharedMemoryIsAddressedAlikeOnceHostCodeIsLinked) {
  const std::string before = compiled(reverseKernel, gpuTarget()).ptx;
  // lld resets options before it parses its own.
  llvm::cl::ResetAllOptionOccurrences();
  EXPECT_EQ(compiled(reverseKernel, gpuTarget()).ptx, before);
}

TEST(CompileKernel, ModulesHaveTheLayoutOfTheBackend) {
  DeviceModule parsed(reverseKernel);
  llvm::LLVMContext context;
  auto module =
      llvm::cantFail(target::translateToLLVM(*parsed.module, context));
  const llvm::DataLayout before = module->getDataLayout();
  // The backend rejects a module whose data layout is not its own.
  llvm::cantFail(target::emitPtx(*module, gpuTarget()));
  EXPECT_EQ(before.getStringRepresentation(), GpuTarget::dataLayout);
  EXPECT_EQ(before.getPointerSizeInBits(3), 32u);
  EXPECT_EQ(before.getPointerSizeInBits(0), 64u);
}

TEST(CompileKernel, WithoutPtxasTheImageIsPtx) {
  const GpuKernel kernel = compiled(reverseKernel, gpuTarget());
  EXPECT_EQ(kernel.symbol, "kernel_reverse");
  EXPECT_EQ(kernel.launch.imageKind, bundle::ImageKind::Ptx);
  EXPECT_EQ(kernel.image().size(), kernel.ptx.size());
  EXPECT_TRUE(kernel.cubin.empty());
  EXPECT_EQ(kernel.launch.threads, 128u);
  EXPECT_EQ(kernel.launch.sharedBytes, 512u);
  EXPECT_EQ(kernel.launch.clusterSize, 1u);
  EXPECT_EQ(kernel.launch.registers, 0u);
}

TEST(CompileKernel, EqualModulesGiveEqualText) {
  EXPECT_EQ(compiled(reverseKernel, gpuTarget()).ptx,
            compiled(reverseKernel, gpuTarget()).ptx);
}

TEST(CompileKernel, PtxasTakesEveryTarget) {
  const std::optional<target::Ptxas> ptxas =
      llvm::cantFail(target::Ptxas::find());
  if (!ptxas)
    GTEST_SKIP() << "no ptxas in $TILEGPT_PTXAS, PATH or /usr/local/cuda/bin";
  for (const GpuTarget &target : GpuTarget::all()) {
    const GpuKernel kernel = compiled(reverseKernel, target, &*ptxas);
    EXPECT_EQ(kernel.launch.imageKind, bundle::ImageKind::Cubin);
    EXPECT_EQ(
        std::string(reinterpret_cast<const char *>(kernel.cubin.data()), 4),
        "\177ELF");
    EXPECT_GT(kernel.launch.registers, 0u);
    EXPECT_EQ(kernel.report.barriers, 1u);
    llvm::cantFail(target::checkPerformance(kernel));
  }
}

/// The PTX of a kernel of 384 threads with this body, of which ptxas spills
/// whatever has a line that matches `pattern`.
static std::string assembledWithout(llvm::StringRef pattern,
                                    llvm::StringRef body) {
  llvm::SmallString<128> path;
  llvm::cantFail(llvm::errorCodeToError(
      llvm::sys::fs::createTemporaryFile("tilegpt-ptxas", "", path)));
  std::error_code error;
  llvm::raw_fd_ostream(path, error) << (R"(#!/bin/sh
[ "$1" = --version ] && echo 'release 13.0, V13.0.88' && exit 0
cat "$3" > "$5"
grep -q ')" + pattern +
                                        R"(' "$3" &&
  echo '    16 bytes stack frame, 8 bytes spill stores, 4 bytes spill loads'
exit 0
)");
  EXPECT_FALSE(error);
  EXPECT_FALSE(llvm::sys::fs::setPermissions(path, llvm::sys::fs::owner_all));
  const target::Ptxas ptxas =
      llvm::cantFail(target::Ptxas::open(path.str().str()));
  std::string ptx = compiled((R"(llvm.func @k() attributes {nvvm.kernel,
        nvvm.minctasm = 2 : i32, nvvm.reqntid = array<i32: 384>} {)" +
                              body + " llvm.return }")
                                 .str(),
                             gpuTarget(), &ptxas)
                        .ptx;
  llvm::sys::fs::remove(path);
  return ptx;
}

TEST(CompileKernel, KernelsThatSpillAreAssembledForFewerBlocks) {
  EXPECT_THAT(assembledWithout("minnctapersm 2", ""),
              HasSubstr(".minnctapersm 1\n"));
}

/// Warps that give registers away, and others that take them.
constexpr llvm::StringLiteral rolesOf24And240 = R"(
    nvvm.setmaxregister decrease 24
    nvvm.setmaxregister increase 240)";

TEST(CompileKernel, ProducersThatSpillGetRegistersOfTheConsumers) {
  // Eight of each of two warp groups.
  const std::string ptx =
      assembledWithout("setmaxnreg.dec.*24;\\|minnctapersm 1", rolesOf24And240);
  EXPECT_THAT(ptx, HasSubstr("setmaxnreg.dec.sync.aligned.u32 \t40;"));
  EXPECT_THAT(ptx, HasSubstr("setmaxnreg.inc.sync.aligned.u32 \t232;"));
  EXPECT_THAT(ptx, HasSubstr(".minnctapersm 2\n"));
}

TEST(CompileKernel, RolesKeepTheirRegistersIfTheOthersSpillAsMuch) {
  const std::string ptx = assembledWithout("setmaxnreg", rolesOf24And240);
  EXPECT_THAT(ptx, HasSubstr("setmaxnreg.dec.sync.aligned.u32 \t24;"));
  EXPECT_THAT(ptx, HasSubstr("setmaxnreg.inc.sync.aligned.u32 \t240;"));
}

TEST(CompileKernel, ProblemsNameTheKernel) {
  GpuKernel kernel;
  kernel.symbol = "kernel_f";
  kernel.report.stackBytes = 16;
  EXPECT_EQ(llvm::toString(target::checkPerformance(kernel)),
            "gpu: kernel 'kernel_f': 16 bytes of stack frame");
}

TEST(CompileKernel, ArgumentsOfPrintsAreNoProblem) {
  GpuKernel kernel;
  kernel.symbol = "kernel_f";
  kernel.ptx = ".extern .func (.param .b32 r) vprintf (.param .b64 f)";
  kernel.report.stackBytes = 16;
  EXPECT_TRUE(target::performanceProblems(kernel).empty());
  kernel.report.spillStoreBytes = 8;
  EXPECT_EQ(llvm::toString(target::checkPerformance(kernel)),
            "gpu: kernel 'kernel_f': 8 bytes of spill stores and 0 of spill "
            "loads at 0 registers");
}

TEST(CompileKernel, FunctionsWithoutABodyAreNamed) {
  EXPECT_EQ(errorOf(R"(
    llvm.func @expf(f32) -> f32
    llvm.func @k(%x: f32, %y: !llvm.ptr) attributes {nvvm.kernel, tile_gpu.launch = {threads = 32 : i32}} {
      %e = llvm.call @expf(%x) : (f32) -> f32
      llvm.store %e, %y : f32, !llvm.ptr
      llvm.return
    })"),
            "gpu: a kernel calls 'expf', which neither the module nor the "
            "hardware provides");
}

TEST(CompileKernel, ExactlyOneKernelIsExpected) {
  EXPECT_EQ(errorOf("llvm.func @f() { llvm.return }"),
            "gpu: expected one function with 'nvvm.kernel' in a device module, "
            "found 0");
}

TEST(CompileKernel, OpsThatDoNotTranslateAreReported) {
  std::string said;
  EXPECT_EQ(errorOf(R"(
    llvm.func @k() attributes {nvvm.kernel, tile_gpu.launch = {threads = 32 : i32}} {
      %c = builtin.unrealized_conversion_cast to i32
      llvm.return
    })",
                    &said),
            "gpu: the module does not translate to LLVM IR");
  EXPECT_THAT(said, HasSubstr("unrealized_conversion_cast"));
}
