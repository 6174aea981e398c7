// Records launches: the time of a step by kernel, and a Chrome trace for
// Perfetto.
#ifndef TILEGPT_RUNTIME_ENGINE_TRACE_H
#define TILEGPT_RUNTIME_ENGINE_TRACE_H

#include "TileGPT/Bundle/Bundle.h"
#include "TileGPT/Runtime/Engine/LaunchObserver.h"
#include <string>
#include <vector>

namespace tilegpt::runtime {

class Trace : public LaunchObserver {
public:
  /// The bundle must outlive the trace.
  explicit Trace(const bundle::Bundle &bundle) : bundle(bundle) {}

  void launched(const bundle::Launch &launch, int64_t blocks,
                Clock::time_point begin, Clock::time_point end) override;

  struct KernelTime {
    std::string_view name;
    int64_t launches = 0;
    int64_t blocks = 0;
    Clock::duration time{};
  };
  /// Time by kernel name, the most expensive first.
  std::vector<KernelTime> summary() const;

  /// The launches in Chrome's trace event format: JSON with one complete event
  /// per launch, times in µs from the first.
  std::string chromeTrace() const;

private:
  struct Event {
    const bundle::Launch *launch;
    int64_t blocks;
    Clock::time_point begin, end;
  };

  const bundle::Bundle &bundle;
  std::vector<Event> events;
};

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_ENGINE_TRACE_H
