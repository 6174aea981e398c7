// Threads and a queue.
#include "LaunchTuning/CompilePool.h"
#include <algorithm>
#include <chrono>

namespace tilegpt::compiler {

CompilePool::CompilePool(const LaunchCompiler &compiler, unsigned count)
    : compiler(compiler) {
  for (unsigned i = 0; i < std::max(count, 1u); ++i)
    threads.emplace_back([this] { work(); });
}

CompilePool::~CompilePool() {
  {
    const std::lock_guard lock(mutex);
    stopping = true;
    jobs.clear();
  }
  changed.notify_all();
  for (std::thread &thread : threads)
    thread.join();
}

std::future<CompilePool::Outcome>
CompilePool::submit(const LaunchText &text,
                    std::optional<runtime::Choice> choice, bool isUrgent) {
  Job job{&text, std::move(choice), {}};
  std::future<Outcome> outcome = job.outcome.get_future();
  {
    const std::lock_guard lock(mutex);
    if (isUrgent)
      jobs.push_front(std::move(job));
    else
      jobs.push_back(std::move(job));
  }
  changed.notify_all();
  return outcome;
}

/// Holds the lock.
void CompilePool::refuseIf(llvm::function_ref<bool(const Job &)> isRefused) {
  for (Job &job : jobs)
    if (isRefused(job))
      job.outcome.set_value(tl::unexpected(
          LaunchCompiler::Refused{Refusal::IsLate, "its time is over"}));
  std::erase_if(jobs, isRefused);
}

void CompilePool::drop(const LaunchText &text) {
  const std::lock_guard lock(mutex);
  refuseIf([&](const Job &job) { return job.text == &text && job.choice; });
}

void CompilePool::waitForAll(const std::function<bool()> &isOver) {
  constexpr std::chrono::milliseconds step(20);
  std::unique_lock lock(mutex);
  while (
      !changed.wait_for(lock, step, [&] { return jobs.empty() && busy == 0; }))
    if (isOver())
      refuseIf([](const Job &job) { return job.choice.has_value(); });
}

void CompilePool::work() {
  std::unique_lock lock(mutex);
  for (;;) {
    changed.wait(lock, [&] { return stopping || !jobs.empty(); });
    if (stopping)
      return;
    Job job = std::move(jobs.front());
    jobs.pop_front();
    ++busy;
    lock.unlock();
    job.outcome.set_value(
        compiler.compile(*job.text, job.choice ? &*job.choice : nullptr));
    lock.lock();
    --busy;
    changed.notify_all();
  }
}

} // namespace tilegpt::compiler
