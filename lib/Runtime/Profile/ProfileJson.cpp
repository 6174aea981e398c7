// The JSON form of a profile.
#include "TileGPT/Runtime/Data/Json.h"
#include "TileGPT/Runtime/Profile/StepProfile.h"
#include <cstdio>

using namespace tilegpt;
using namespace tilegpt::runtime;

namespace {

/// Writes the members of an object.
class Members {
public:
  Members &add(std::string_view key, double value) {
    char number[32];
    std::snprintf(number, sizeof(number), "%.9g", value);
    return addRaw(key, number);
  }
  Members &add(std::string_view key, std::string_view value) {
    return addRaw(key, quoteJson(value));
  }
  Members &add(std::string_view key, bool value) {
    return addRaw(key, value ? "true" : "false");
  }
  Members &addRaw(std::string_view key, std::string_view value) {
    text += concat(text.empty() ? "" : ", ", quoteJson(key), ": ", value);
    return *this;
  }
  std::string object() const { return "{" + text + "}"; }

private:
  std::string text;
};

} // namespace

template <typename Item, typename Format>
static std::string listOf(const std::vector<Item> &items,
                          const Format &format) {
  std::string text = "[";
  for (const Item &item : items)
    text += (text.size() > 1 ? ",\n  " : "\n  ") + format(item);
  return text + (items.empty() ? "]" : "\n]");
}

static std::string formatKernel(const KernelProfile &kernel) {
  Members members;
  members.add("kernel", std::string_view(kernel.kernel))
      .add("label", std::string_view(kernel.label))
      .add("launches", double(kernel.launches))
      .add("blocks", double(kernel.blocks))
      .add("ns", kernel.seconds * 1e9);
  if (kernel.work) {
    const LaunchWork &work = *kernel.work;
    members.add("read_bytes", work.readBytes)
        .add("written_bytes", work.writtenBytes)
        .add("narrow_product_ops", work.narrowOps)
        .add("wide_product_ops", work.wideOps)
        .add("padded_product_ops", work.paddedOps)
        .add("element_ops", work.elementOps)
        .add("is_estimate", work.isEstimate)
        .add("bound_ns", kernel.boundSeconds * 1e9)
        .add("bound",
             std::string_view(kernel.isMemoryBound ? "memory" : "arithmetic"));
  }
  return members.add("why", std::string_view(kernel.why)).object();
}

static std::string formatAdvice(const Advice &advice) {
  return Members()
      .add("what", std::string_view(advice.what))
      .add("because", std::string_view(advice.because))
      .add("saved_ns", advice.savedSeconds * 1e9)
      .object();
}

std::string runtime::profileAsJson(const StepProfile &profile) {
  const MachineRates &rates = profile.rates;
  const std::string bounds = Members()
                                 .add("origin", std::string_view(rates.origin))
                                 .add("bytes_per_s", rates.bytesPerSec)
                                 .add("wide_ops_per_s", rates.wideOpsPerSec)
                                 .add("narrow_ops_per_s", rates.narrowOpsPerSec)
                                 .add("launch_ns", rates.launchSeconds * 1e9)
                                 .add("lanes", double(rates.lanes))
                                 .object();
  return Members()
      .add("step", std::string_view(profile.name))
      .add("step_ns", profile.stepSeconds * 1e9)
      .add("launches_ns", profile.launchSeconds * 1e9)
      .addRaw("bounds", bounds)
      .addRaw("kernels", listOf(profile.kernels, formatKernel))
      .addRaw("advice", listOf(profile.advice, formatAdvice))
      .object();
}
