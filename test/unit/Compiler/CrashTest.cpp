// LLVM's fatal errors are reported in our name, with our exit codes.
#include "TileGPT/Compiler/Crash.h"
#include "llvm/Support/ErrorHandling.h"
#include <gtest/gtest.h>
#include <new>

using testing::ExitedWithCode;

static void reportCrashes() { tilegpt::compiler::reportCrashesOf("some-tool"); }

TEST(CrashDeathTest, FatalErrorsAreOneLine) {
  EXPECT_EXIT(
      {
        reportCrashes();
        llvm::report_fatal_error("no such register");
      },
      ExitedWithCode(1), "^some-tool: error: no such register\n$");
}

TEST(CrashDeathTest, MemoryThatRunsOutIsAnErrorOfTheMachine) {
  EXPECT_EXIT(
      {
        reportCrashes();
        llvm::report_bad_alloc_error("a table");
      },
      ExitedWithCode(4), "^some-tool: error: out of memory\n$");
  EXPECT_EXIT(
      {
        reportCrashes();
        std::get_new_handler()();
      },
      ExitedWithCode(4), "^some-tool: error: out of memory\n$");
}
