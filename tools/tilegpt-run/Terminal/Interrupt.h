// Ctrl-C and SIGTERM while text is generated: the first one requests a clean
// end, the second one kills.
#ifndef TILEGPT_TOOLS_RUN_INTERRUPT_H
#define TILEGPT_TOOLS_RUN_INTERRUPT_H

namespace tilegpt::run {

/// Catches the two signals as long as it lives; there must be only one.
class InterruptGuard {
public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard &) = delete;
  InterruptGuard &operator=(const InterruptGuard &) = delete;

  /// A signal has come.
  bool requested() const { return exitCode() != 0; }
  /// 128 + the signal's number, as a shell reports it; 0 if none has come.
  int exitCode() const;
};

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_INTERRUPT_H
