// Recording is one push_back per launch; text is generated later.
#include "TileGPT/Runtime/Engine/Trace.h"
#include "TileGPT/Runtime/Data/Json.h"
#include <algorithm>
#include <cstdio>

using namespace tilegpt;
using namespace tilegpt::runtime;

void Trace::launched(const bundle::Launch &launch, int64_t blocks,
                     Clock::time_point begin, Clock::time_point end) {
  events.push_back({&launch, blocks, begin, end});
}

std::vector<Trace::KernelTime> Trace::summary() const {
  std::vector<KernelTime> kernels;
  for (const Event &event : events) {
    const std::string_view name =
        bundle.string(bundle.kernel(*event.launch).name);
    auto kernel = std::ranges::find(kernels, name, &KernelTime::name);
    if (kernel == kernels.end())
      kernel = kernels.insert(kernels.end(), KernelTime{name});
    ++kernel->launches;
    kernel->blocks += event.blocks;
    kernel->time += event.end - event.begin;
  }
  std::ranges::sort(kernels, std::ranges::greater(), &KernelTime::time);
  return kernels;
}

std::string Trace::chromeTrace() const {
  std::string text = "{\"traceEvents\":[";
  for (const Event &event : events) {
    const auto micros = [](Clock::duration duration) {
      return std::chrono::duration<double, std::micro>(duration).count();
    };
    char times[96];
    std::snprintf(times, sizeof(times), "\"ts\":%.3f,\"dur\":%.3f",
                  micros(event.begin - events.front().begin),
                  micros(event.end - event.begin));
    text += &event == events.data() ? "\n" : ",\n";
    text += "{\"name\":" +
            quoteJson(bundle.string(bundle.kernel(*event.launch).name)) +
            ",\"ph\":\"X\"," + times +
            ",\"pid\":1,\"tid\":1,\"args\":{\"at\":" +
            quoteJson(bundle.string(event.launch->label)) +
            ",\"blocks\":" + std::to_string(event.blocks) + "}}";
  }
  return text + "\n]}\n";
}
