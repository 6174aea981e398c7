// The two streams of the tool: stdout for requested output, stderr for one
// error, progress on a terminal, and timings.
#ifndef TILEGPT_TOOLS_RUN_CONSOLE_H
#define TILEGPT_TOOLS_RUN_CONSOLE_H

#include "TileGPT/Runtime/Error.h"
#include <string_view>

namespace tilegpt::run {

/// Writes to stdout, unbuffered, so text streams.
/// \returns false if the reader has closed the pipe, which is no error: the
/// caller just stops; Failure if writing fails (full disk, closed stdout).
runtime::Result<bool> writeOutput(std::string_view text);

/// Call it first. A reader that goes away is seen by writeOutput() instead of
/// killing the process, and no file that is opened later takes the place of a
/// standard stream that is closed.
void prepareStreams();

/// Shows progress on one line that the next call replaces; only if stderr is a
/// terminal.
class Progress {
public:
  ~Progress() { clear(); }
  void show(std::string_view what);
  void clear();

private:
  bool shown = false;
};

/// "tilegpt-run: error: …" on stderr.
/// \returns the exit code for the error.
int reportError(const runtime::Error &error);

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_CONSOLE_H
