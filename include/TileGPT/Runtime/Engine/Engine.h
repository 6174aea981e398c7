// The device that runs the steps of a session: it holds the kernels of a
// bundle, its weights, the KV cache and all other memory of a step. A session
// handles tokens and plans, an engine memory and launches.
#ifndef TILEGPT_RUNTIME_ENGINE_ENGINE_H
#define TILEGPT_RUNTIME_ENGINE_ENGINE_H

#include "TileGPT/Bundle/Bundle.h"
#include "TileGPT/Runtime/Engine/LaunchObserver.h"
#include "TileGPT/Runtime/Error.h"
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tilegpt::runtime {

/// One run of a plan over tokens of consecutive sequences.
struct Step {
  const bundle::Plan *plan = nullptr; ///< of the engine's bundle
  int64_t rows = 1;                   ///< N, in the plan's range
  int64_t sequences = 1;              ///< B, at most maxSequences of the plan
  int64_t firstSequence = 0; ///< of those in the cache; the others follow it
};

/// How long a step took.
struct StepTime {
  using Duration = LaunchObserver::Clock::duration;
  Duration host{}; ///< from the call to the end of the step
  /// The time of its launches, on a device with its own clock.
  std::optional<Duration> device;
};

/// Created for one bundle, which must outlive it; then loaded once; then run
/// any number of times, one step at a time. After an error of run() the cache
/// contents for the tokens of that step are undefined; nothing else has
/// changed.
class Engine {
public:
  virtual ~Engine() = default;

  /// Returns row-major elements of a weight buffer, given its index in the
  /// bundle: constant, aligned to bundle::bufferAlignment and valid as long as
  /// the engine.
  using FindWeight = std::function<Result<const void *>(uint32_t buffer)>;

  /// Finds all weights and allocates a zeroed cache for `sequences` sequences
  /// and the memory of the largest step of any plan.
  /// \returns errors of `find`; Device if there is not enough memory.
  virtual Result<void> load(int64_t sequences, const FindWeight &find) = 0;

  /// Where the caller writes the inputs of the next step: the ids of its N
  /// rows, and the position of the first new token of each of its B sequences.
  /// Large enough for every plan.
  virtual std::span<int32_t> ids() = 0;
  virtual std::span<int32_t> positions() = 0;
  /// The same for a step that samples: bundle::sampleValues numbers for each of
  /// its sequences. Empty if no plan samples.
  virtual std::span<float> draws() = 0;

  /// Runs a step to its end. Does not allocate if a step of the same shape was
  /// run before.
  /// \returns the output "logits" in the shape of the plan, widened to f32 if
  /// narrower, valid until the next run; OutOfRange for sizes outside of the
  /// plan's ranges; Failure if a launch exceeds a buffer (nothing has run then)
  /// or an assertion of a kernel fails (the message names the kernel, the
  /// location and the assertion); Device if the device fails.
  virtual Result<std::span<const float>> run(const Step &step) = 0;

  /// Runs a step `times` times, after a warm-up run, and leaves its output on
  /// the device: transfers are not measured.
  /// \returns the time of each run; errors of run().
  virtual Result<std::vector<StepTime>> measure(const Step &step,
                                                unsigned times) = 0;

  /// The maximum number of steps in flight.
  static constexpr size_t mostStarted = 4;

  /// Starts a step of a plan that samples, after those already started, without
  /// waiting. The inputs may be overwritten immediately.
  /// \param follows whether the ids are the tokens sampled by the previously
  /// started step for the same sequences; otherwise they are those of ids().
  /// \returns as run(); after an error no further step is started.
  virtual Result<void> start(const Step &step, bool follows) = 0;

  /// Waits for the oldest step in flight.
  /// \returns the token sampled for each of its sequences, valid until the next
  /// start(); errors as for run(), after which no further step is started.
  virtual Result<std::span<const int32_t>> finish() = 0;

  /// Observes all later launches; null to stop.
  virtual void setObserver(LaunchObserver *observer) = 0;

  /// Bytes of all weights.
  virtual int64_t weightBytes() const = 0;
  /// Bytes of the KV cache of all sequences.
  virtual int64_t stateBytes() const = 0;
  /// A description of the device for users: "4 threads".
  virtual std::string describe() const = 0;
};

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_ENGINE_ENGINE_H
