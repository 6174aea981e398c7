// A model ready to run: loaded kernels, weights, and a KV cache for a number of
// sequences. A session handles tokens and positions; callers handle text,
// engines devices.
#ifndef TILEGPT_RUNTIME_MODEL_SESSION_H
#define TILEGPT_RUNTIME_MODEL_SESSION_H

#include "TileGPT/Bundle/Bundle.h"
#include "TileGPT/Runtime/Engine/Engine.h"
#include "TileGPT/Runtime/Model/Sampler.h"
#include "TileGPT/Runtime/Model/WeightProvider.h"
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tilegpt::runtime {

struct SessionOptions {
  int64_t sequences = 1; ///< maximum number in the KV cache
  unsigned threads = 0;  ///< of the CPU; 0: every CPU this process may run on
};

/// The next token of one sequence.
struct SequenceToken {
  int64_t sequence = 0;
  int32_t id = 0;
};

/// The same number of tokens for each of the first sequences, as one step.
struct Batch {
  /// The output: the logits after the last token of every sequence or, for
  /// Score, after each token. Decode takes one token per sequence.
  bundle::PlanKind kind = bundle::PlanKind::Prefill;
  int64_t sequences = 1;
  std::span<const int32_t> ids; ///< [sequences, tokens]

  int64_t tokens() const { return int64_t(ids.size()) / sequences; }
};

/// Functions that append tokens check them first: an id outside of the
/// vocabulary is BadInput, more tokens than the cache holds is OutOfRange, and
/// nothing is written in either case. After any other error the sequences keep
/// their previous lengths. Logits are valid until the next call.
class Session {
public:
  /// A session on this machine's CPUs. Bundle and weights must outlive it.
  /// \returns Device if the bundle cannot run here or memory runs out; BadInput
  /// if the bundle is no language model or a weight does not match; Usage for
  /// invalid options.
  static Result<Session> create(const bundle::Bundle &bundle,
                                WeightProvider &weights,
                                const SessionOptions &options);

  /// A session on any engine that is not loaded yet.
  static Result<Session> create(const bundle::Bundle &bundle,
                                WeightProvider &weights,
                                std::unique_ptr<Engine> engine,
                                int64_t sequences);

  /// Appends tokens to one sequence, in as few steps as the plans allow.
  /// \param ids at least one.
  /// \returns the logits after the last token, [V].
  Result<std::span<const float>> prefill(int64_t sequence,
                                         std::span<const int32_t> ids);

  /// Appends one token to each of several sequences, which may be at different
  /// positions; consecutive sequences run as one batch. Does not allocate if
  /// the batch has the shape of the previous one.
  /// \param tokens ordered by sequence, at most one for each.
  /// \returns logits, [tokens.size(), V].
  Result<std::span<const float>> decode(std::span<const SequenceToken> tokens);

  /// The maximum number of steps in flight.
  static constexpr size_t mostStarted = Engine::mostStarted;

  /// Whether the engine can sample the tokens after these: the bundle has a
  /// plan for it, and their sequences are consecutive.
  bool choosesAfter(std::span<const SequenceToken> tokens) const;

  /// Starts a step that appends one token to each of several sequences and
  /// samples the next, without waiting. finishStep() must follow; nothing else
  /// may be appended before.
  /// \param tokens as for decode(), such that choosesAfter(tokens).
  /// \param draws  how to sample, one for each.
  Result<void> startStep(std::span<const SequenceToken> tokens,
                         std::span<const DrawValues> draws);

  /// Starts another step after the last one, on the tokens that it samples.
  Result<void> startNextStep(std::span<const DrawValues> draws);

  /// Waits for the oldest step in flight; then its tokens are in the cache.
  /// \returns the tokens it has sampled, in the order of the sequences, valid
  /// until the next step is started. After an error no further step is started.
  Result<std::span<const int32_t>> finishStep();

  /// Receives the logits [rows, V] after tokens first, first + 1, … of the ids
  /// given to score(). An error stops the scoring.
  using ScoreSink =
      std::function<Result<void>(int64_t first, std::span<const float> logits)>;

  /// Appends tokens to one sequence and passes on the logits after each of
  /// them, a few rows at a time.
  Result<void> score(int64_t sequence, std::span<const int32_t> ids,
                     const ScoreSink &sink);

  /// Appends a batch.
  /// \returns logits, [sequences, V], of Score [sequences, tokens, V]; Usage if
  /// the model is compiled for smaller steps.
  Result<std::span<const float>> append(const Batch &batch);

  /// Runs the step that appends a batch, as Engine::measure does. The sequences
  /// stay as they are.
  Result<std::vector<StepTime>> measure(const Batch &batch, unsigned times);

  /// Drops all tokens of a sequence after the first `length`; a greater length
  /// changes nothing.
  void truncate(int64_t sequence, int64_t length);

  int64_t sequences() const { return int64_t(lengths.size()); }
  /// Tokens of a sequence in the cache.
  int64_t length(int64_t sequence) const { return lengths[size_t(sequence)]; }
  /// The maximum number of tokens of a sequence: S.
  int64_t capacity() const { return bundle->model().capacity; }
  int64_t vocabulary() const { return bundle->model().vocabulary; }
  /// A lower bound of the bytes that a decoding step reads, which bounds its
  /// speed.
  int64_t weightBytes() const { return engine->weightBytes(); }
  /// Bytes of the KV cache of all sequences.
  int64_t stateBytes() const { return engine->stateBytes(); }
  /// A description of the engine for users.
  std::string describeEngine() const { return engine->describe(); }

  /// Observes all later launches; null to stop.
  void setObserver(LaunchObserver *observer) { engine->setObserver(observer); }

private:
  Session(const bundle::Bundle &bundle, std::unique_ptr<Engine> engine,
          int64_t sequences);

  Result<void> checkPlan(const bundle::Plan &plan) const;
  Result<void> checkPlans() const;
  Result<void> load(WeightProvider &weights);
  Result<const void *> literal(std::string_view name, bundle::ElementType type,
                               std::span<const int64_t> shape);

  Result<void> checkAppend(int64_t sequence,
                           std::span<const int32_t> ids) const;
  Result<void> checkTokens(std::span<const SequenceToken> tokens) const;
  const bundle::Plan *findSamplePlan(int64_t rows) const;
  const bundle::Plan *findPlan(bundle::PlanKind kind, int64_t rows,
                               int64_t sequences = 1) const;
  int64_t largestStep(bundle::PlanKind kind, int64_t rows) const;
  Result<Step> makeStep(const Batch &batch) const;
  void place(const Step &step, int64_t ahead = 0);
  Result<std::span<const float>> run(const Step &step);
  Result<void> start(bool follows, std::span<const DrawValues> draws);
  Result<std::span<const float>> append(bundle::PlanKind kind, int64_t sequence,
                                        std::span<const int32_t> ids,
                                        const ScoreSink *sink);

  /// The elements of literal weights, aligned as other weights are.
  struct alignas(64) Line {
    float values[16];
  };

  const bundle::Bundle *bundle;
  std::deque<std::vector<Line>> literals; // read in place by the engine
  std::unique_ptr<Engine> engine;
  std::vector<int64_t> lengths; // by sequence
  // Logits of a batch that takes several steps.
  std::vector<float> gathered;
  Step choosing;          // the argument of startStep()
  int64_t unfinished = 0; // steps
};

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_MODEL_SESSION_H
