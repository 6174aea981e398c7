// Threads and a queue.
#include "LaunchTuning/CompilePool.h"
#include <algorithm>

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

void CompilePool::drop(const LaunchText &text) {
  const std::lock_guard lock(mutex);
  std::erase_if(jobs, [&](const Job &job) { return job.text == &text; });
}

void CompilePool::finish(std::chrono::steady_clock::time_point until) {
  std::unique_lock lock(mutex);
  if (!changed.wait_until(lock, until, [&] { return jobs.empty(); })) {
    for (Job &job : jobs)
      job.outcome.set_value(tl::unexpected(
          LaunchCompiler::Refused{Refusal::IsLate, "the budget is over"}));
    jobs.clear();
  }
  changed.wait(lock, [&] { return busy == 0; });
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
