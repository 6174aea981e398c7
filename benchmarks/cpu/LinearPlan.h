// `kernels/linear.mlir` compiled for one shape by the compiler's own passes and
// run by the runtime's own executor.
#ifndef TILEGPT_BENCHMARKS_CPU_LINEARPLAN_H
#define TILEGPT_BENCHMARKS_CPU_LINEARPLAN_H

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tilegpt::bench {

/// y = x·wᵀ + b in f32.
struct LinearShape {
  int64_t rows, outputs, inputs;
};

/// Memory of one problem, filled with random numbers between -1 and 1.
struct LinearData {
  explicit LinearData(const LinearShape &shape);

  LinearShape shape;
  std::vector<float> x; ///< [rows, inputs]
  std::vector<float> w; ///< [outputs, inputs]
  std::vector<float> b; ///< [outputs]
};

/// Throws std::runtime_error for what does not compile or run.
class LinearPlan {
public:
  /// \param params  of the launch, as its text has them: "BM = 256, BK = 128".
  /// Those that are not given are chosen.
  LinearPlan(const LinearData &data, unsigned threads,
             const std::string &params);
  ~LinearPlan();

  /// \param y [rows, outputs], aligned to 64 bytes.
  void run(float *y);

private:
  struct State;
  std::unique_ptr<State> state;
};

/// oneDNN's matmul on the same memory.
class LinearPeer {
public:
  LinearPeer(const LinearData &data, unsigned threads);
  ~LinearPeer();

  void run(float *y);

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace tilegpt::bench

#endif // TILEGPT_BENCHMARKS_CPU_LINEARPLAN_H
