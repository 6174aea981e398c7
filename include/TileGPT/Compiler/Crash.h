// What a tool says when LLVM gives up: the compiler half has no other way to
// report that memory has run out, or a bug.
#ifndef TILEGPT_COMPILER_CRASH_H
#define TILEGPT_COMPILER_CRASH_H

namespace tilegpt::compiler {

/// From now on, a fatal error of LLVM ends the process with one line in the
/// tool's name and an exit code of its own, and a crash asks to report it to
/// us. Later calls change the name.
/// \param tool a literal: "tilegpt-opt".
void reportCrashesOf(const char *tool);

} // namespace tilegpt::compiler

#endif // TILEGPT_COMPILER_CRASH_H
