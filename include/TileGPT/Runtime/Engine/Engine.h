// The device that runs the steps of a session: it has the kernels of a bundle,
// its weights, the KV cache and all other memory of a step. A session handles
// tokens and plans; an engine handles memory and launches.
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

/// One run of a plan over tokens of neighbouring sequences.
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
  /// Of its launches on a device with a clock of its own.
  std::optional<Duration> device;
};

/// Created for one bundle, which outlives it; then loaded once; then run as
/// often as wanted, one step at a time. After an error of run() the cache may
/// hold anything for the tokens of that step, and nothing else has changed.
class Engine {
public:
  virtual ~Engine() = default;

  /// Finds row-major elements for a weight buffer, by its index in the bundle:
  /// constant, aligned to bundle::bufferAlignment and alive as long as the
  /// engine.
  using FindWeight = std::function<Result<const void *>(uint32_t buffer)>;

  /// Finds all weights and makes room for a cache of `sequences` sequences,
  /// zeros, and for the largest step of any plan.
  /// \returns errors of `find`; Device if there is not enough memory.
  virtual Result<void> load(int64_t sequences, const FindWeight &find) = 0;

  /// Where the caller puts the inputs of the next step: the ids of its N rows,
  /// and for each of its B sequences the position of the first new token.
  /// Large enough for every plan.
  virtual std::span<int32_t> ids() = 0;
  virtual std::span<int32_t> positions() = 0;
  /// The same for a step that samples: bundle::sampleValues numbers for each of
  /// its sequences. Empty if no plan samples.
  virtual std::span<float> draws() = 0;

  /// Runs a step to its end. Allocates nothing when a step of the same shape
  /// was run before.
  /// \returns the output "logits" as the plan shapes it, widened to f32 where
  /// it is narrower, valid until the next run; OutOfRange for sizes outside of
  /// the plan's; Failure if a launch reaches outside of a buffer (nothing has
  /// run then) or a kernel's assert fails (the message names kernel, place and
  /// assert); Device if the device fails.
  virtual Result<std::span<const float>> run(const Step &step) = 0;

  /// Runs a step `times` times, after a first one that does not count, and
  /// leaves its output where it is: what crosses a bus is not measured.
  /// \returns the time of each; errors of run().
  virtual Result<std::vector<StepTime>> measure(const Step &step,
                                                unsigned times) = 0;

  /// Steps that may have been started and not finished.
  static constexpr size_t mostStarted = 4;

  /// Starts a step of a plan that samples, after those started before, without
  /// waiting. The inputs may be overwritten at once.
  /// \param follows whether the ids are the tokens that the previously started
  /// step, of the same sequences, samples; otherwise they are those of ids().
  /// \returns as run(); after an error nothing more is started.
  virtual Result<void> start(const Step &step, bool follows) = 0;

  /// Waits for the oldest step that was started and not finished.
  /// \returns the token chosen for each of its sequences, valid until the next
  /// start(); errors as of run(): then nothing is started any more.
  virtual Result<std::span<const int32_t>> finish() = 0;

  /// Observes every later launch; null to stop.
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
