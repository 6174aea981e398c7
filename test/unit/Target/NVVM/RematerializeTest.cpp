// Values that live through loops, recomputed after them.
#include "Rematerialize.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include <gmock/gmock.h>

using testing::HasSubstr;
using testing::Not;

/// A persistent kernel: a loop over tiles with an inner loop and a store to an
/// address that is computed before both.
static std::string kernel(llvm::StringRef address, llvm::StringRef inner) {
  return (R"(
    declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    define void @kernel(ptr %base, i32 %count) {
    entry:
      %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %number = load i32, ptr %base
      )" + address +
          R"(
      br label %tiles
    tiles:
      %tile = phi i32 [ 0, %entry ], [ %following, %epilogue ]
      br label %inner
    inner:
      %step = phi i32 [ 0, %tiles ], [ %next, %inner ]
      )" + inner +
          R"(
      %next = add i32 %step, 1
      %more = icmp slt i32 %next, %count
      br i1 %more, label %inner, label %epilogue
    epilogue:
      %place = getelementptr i32, ptr %base, i32 %address
      store i32 %tile, ptr %place
      %following = add i32 %tile, 1
      %again = icmp slt i32 %following, %count
      br i1 %again, label %tiles, label %exit
    exit:
      ret void
    })")
      .str();
}

/// The epilogue of a kernel after the pass, or "unchanged".
static std::string epilogueOf(llvm::StringRef text) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  auto module = llvm::parseAssemblyString(text, error, context);
  if (!module)
    return error.getMessage().str();
  if (!tilegpt::target::rematerialize(*module))
    return "unchanged";
  EXPECT_FALSE(llvm::verifyModule(*module, &llvm::errs()));
  std::string after;
  llvm::raw_string_ostream stream(after);
  module->print(stream, nullptr);
  return after.substr(after.find("\nepilogue:"));
}

TEST(Rematerialize, ComputesAddressesAgainAfterLoops) {
  const std::string epilogue = epilogueOf(kernel("%low = and i32 %thread, 15\n"
                                                 "%address = shl i32 %low, 4",
                                                 ""));
  EXPECT_THAT(epilogue, HasSubstr("asm sideeffect \"mov.u32 $0, %tid.x;\""));
  EXPECT_THAT(epilogue, HasSubstr("and i32"));
  EXPECT_THAT(epilogue, HasSubstr("shl i32"));
  EXPECT_THAT(epilogue, Not(HasSubstr("%address")));
}

TEST(Rematerialize, KeepsWhatTheLoopUses) {
  EXPECT_EQ(epilogueOf(kernel("%address = and i32 %thread, 15",
                              "%use = add i32 %step, %address")),
            "unchanged");
}

TEST(Rematerialize, KeepsWhatIsLoadedOrDivided) {
  EXPECT_EQ(epilogueOf(kernel("%address = add i32 %number, 15", "")),
            "unchanged");
  EXPECT_EQ(epilogueOf(kernel("%address = udiv i32 %thread, 3", "")),
            "unchanged");
}

TEST(Rematerialize, KeepsWhatNoLoopSeparatesFromItsUse) {
  EXPECT_EQ(epilogueOf(R"(
    declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    define void @kernel(ptr %base) {
      %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %address = shl i32 %thread, 4
      br label %epilogue
    epilogue:
      %place = getelementptr i32, ptr %base, i32 %address
      store i32 1, ptr %place
      ret void
    })"),
            "unchanged");
}
