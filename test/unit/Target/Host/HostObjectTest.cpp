// Translation, optimisation and emission, one step at a time.
#include "TileGPT/Target/Host/HostObject.h"
#include "ParseModule.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include <gmock/gmock.h>

using namespace tilegpt;
using namespace tilegpt::test;
using testing::AnyOf;
using testing::HasSubstr;

static std::string assemblyOf(llvm::StringRef text, llvm::StringRef cpu) {
  ParsedModule parsed(text);
  llvm::LLVMContext context;
  const auto host = hostTarget(cpu);
  const auto module =
      llvm::cantFail(target::translateToLLVM(*parsed.module, host, context));
  target::optimize(*module, host);
  llvm::SmallString<0> assembly;
  llvm::raw_svector_ostream stream(assembly);
  const std::unique_ptr<llvm::TargetMachine> machine = host.createMachine();
  llvm::legacy::PassManager passes;
  EXPECT_FALSE(machine->addPassesToEmitFile(
      passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile));
  passes.run(*module);
  return assembly.str().str();
}

constexpr llvm::StringLiteral addVectors = R"(
  llvm.func @add(%a: !llvm.ptr, %b: !llvm.ptr) {
    %x = llvm.load %a : !llvm.ptr -> vector<16xf32>
    %y = llvm.load %b : !llvm.ptr -> vector<16xf32>
    %sum = llvm.fadd %x, %y : vector<16xf32>
    llvm.store %sum, %a : vector<16xf32>, !llvm.ptr
    llvm.return
  })";

TEST(HostObject, VectorsAreAsWideAsTheTargetAllows) {
  EXPECT_THAT(assemblyOf(addVectors, "x86-64-v4"), HasSubstr("zmm0"));
  EXPECT_THAT(assemblyOf(addVectors, "x86-64-v3"), HasSubstr("ymm0"));
  EXPECT_THAT(assemblyOf(addVectors, "x86-64"), HasSubstr("xmm0"));
}

TEST(HostObject, OneElementOfATruncatedVectorIsStoredByItself) {
  const std::string assembly = assemblyOf(R"(
    llvm.func @store(%v: vector<4xi32>, %p: !llvm.ptr) {
      %mask = llvm.mlir.constant(dense<[false, false, true, false]> : vector<4xi1>) : vector<4xi1>
      %narrow = llvm.trunc %v : vector<4xi32> to vector<4xi8>
      llvm.intr.masked.store %narrow, %p, %mask {alignment = 1 : i32} : vector<4xi8>, vector<4xi1> into !llvm.ptr
      llvm.return
    })",
                                          "x86-64-v4");
  EXPECT_THAT(assembly, HasSubstr(", 2(%rdi)"));
  EXPECT_THAT(assembly, AnyOf(HasSubstr("vpextrb"), HasSubstr("movb")));
}

TEST(HostObject, OpsOfOtherDialectsAreReported) {
  ParsedModule parsed("llvm.func @f() { %c = arith.constant 1 : i32 "
                      "llvm.return }");
  std::string diagnostic;
  mlir::ScopedDiagnosticHandler handler(
      &parsed.context,
      [&](mlir::Diagnostic &report) { diagnostic = report.str(); });
  llvm::LLVMContext context;
  auto module = target::translateToLLVM(*parsed.module, hostTarget(), context);
  ASSERT_FALSE(bool(module));
  EXPECT_EQ(llvm::toString(module.takeError()),
            "host: the module does not translate to LLVM IR");
  EXPECT_THAT(diagnostic, HasSubstr("arith.constant"));
}

TEST(HostObject, ObjectIsAnElfFile) {
  ParsedModule parsed(addVectors);
  llvm::LLVMContext context;
  const auto host = hostTarget();
  const auto module =
      llvm::cantFail(target::translateToLLVM(*parsed.module, host, context));
  const auto object = llvm::cantFail(target::emitObject(*module, host));
  EXPECT_TRUE(
      llvm::StringRef(object.data(), object.size()).starts_with("\177ELF"));
}
