// Handling of fatal LLVM errors, the compiler's only report of memory
// exhaustion or bugs.
#ifndef TILEGPT_COMPILER_CRASH_H
#define TILEGPT_COMPILER_CRASH_H

namespace tilegpt::compiler {

/// Installs handlers: a fatal error of LLVM ends the process with a one-line
/// message and its own exit code, and a crash asks for a bug report. Later
/// calls change the name.
/// \param tool a literal: "tilegpt-opt".
void reportCrashesOf(const char *tool);

} // namespace tilegpt::compiler

#endif // TILEGPT_COMPILER_CRASH_H
