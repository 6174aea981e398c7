// LLVM's handlers are global; they run in contexts that cannot allocate.
#include "TileGPT/Compiler/Crash.h"
#include "TileGPT/Runtime/Error.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/PrettyStackTrace.h"
#include <atomic>
#include <new>
#include <string_view>
#include <unistd.h>

using tilegpt::runtime::ErrorCode;

static std::atomic<const char *> toolName = "tilegpt";

static void say(std::string_view text) {
  // A failure here cannot be handled.
  [[maybe_unused]] const ssize_t written =
      ::write(STDERR_FILENO, text.data(), text.size());
}

[[noreturn]] static void giveUp(std::string_view why, ErrorCode code) {
  say(toolName.load());
  say(": error: ");
  say(why);
  say("\n");
  ::_exit(exitCode(code));
}

static void onFatalError(void *, const char *reason, bool) {
  giveUp(reason, ErrorCode::Failure);
}

static void onBadAlloc(void *, const char *, bool) {
  giveUp("out of memory", ErrorCode::Device);
}

static void onNewFailure() { giveUp("out of memory", ErrorCode::Device); }

void tilegpt::compiler::reportCrashesOf(const char *tool) {
  toolName = tool;
  static const bool installed [[maybe_unused]] = [] {
    llvm::setBugReportMsg("This is a bug of TileGPT. Please report it with the "
                          "command line and the input that led to it.\n");
    llvm::install_fatal_error_handler(onFatalError);
    llvm::install_bad_alloc_error_handler(onBadAlloc);
    std::set_new_handler(onNewFailure);
    return true;
  }();
}
