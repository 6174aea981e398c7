// Compiles choices on all cores, ahead of their measurement.
#ifndef TILEGPT_LIB_COMPILER_LAUNCHTUNING_COMPILEPOOL_H
#define TILEGPT_LIB_COMPILER_LAUNCHTUNING_COMPILEPOOL_H

#include "LaunchTuning/CompiledLaunch.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <thread>

namespace tilegpt::compiler {

class CompilePool {
public:
  using Outcome = tl::expected<CompiledLaunch, LaunchCompiler::Refused>;

  /// \param threads at least 1.
  CompilePool(const LaunchCompiler &compiler, unsigned threads);
  /// Drops pending jobs and waits for the running ones.
  ~CompilePool();
  CompilePool(const CompilePool &) = delete;
  CompilePool &operator=(const CompilePool &) = delete;

  /// Compiles a launch, which must stay alive, with or without a choice; urgent
  /// jobs go first.
  std::future<Outcome> submit(const LaunchText &text,
                              std::optional<runtime::Choice> choice,
                              bool isUrgent);
  /// Rejects the pending choices of a launch.
  void drop(const LaunchText &text);
  /// Waits until all jobs are complete; once `isOver` returns true, pending
  /// jobs are rejected, except launches without a choice.
  void waitForAll(const std::function<bool()> &isOver);

private:
  struct Job {
    const LaunchText *text;
    std::optional<runtime::Choice> choice;
    std::promise<Outcome> outcome;
  };
  void work();
  void refuseIf(llvm::function_ref<bool(const Job &)> isRefused);

  const LaunchCompiler &compiler;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Job> jobs;
  unsigned busy = 0;
  bool stopping = false;
  std::vector<std::thread> threads;
};

} // namespace tilegpt::compiler

#endif
