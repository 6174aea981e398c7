// Levenberg–Marquardt on the normal equations, which suffice for a few dozen
// unknowns.
#include "TileGPT/Runtime/Tuning/LeastSquares.h"
#include <algorithm>
#include <cmath>

using namespace tilegpt::runtime;

namespace {

class Fit {
public:
  Fit(std::span<const Unknown> unknowns, size_t count,
      const ResidualFunction &residualsOf, double softness)
      : unknowns(unknowns), residualsOf(residualsOf), softness(softness),
        size(unknowns.size()), residuals(count), trial(count),
        slopes(count * size) {
    for (const Unknown &each : unknowns)
      values.push_back(std::clamp(each.start, each.least, each.most));
  }

  std::vector<double> run();

private:
  double lossOf(std::span<const double> of) const;
  void differentiate();
  void formEquations();
  /// Solves the damped equations for the unknowns that may move; false if they
  /// are singular.
  bool solve(double damping, std::vector<double> &step) const;
  /// Whether a bound stops the descent of an unknown.
  bool isHeld(size_t i) const {
    return (values[i] <= unknowns[i].least && gradient[i] > 0) ||
           (values[i] >= unknowns[i].most && gradient[i] < 0);
  }

  std::span<const Unknown> unknowns;
  const ResidualFunction &residualsOf;
  double softness;
  size_t size;
  std::vector<double> values, residuals, trial;
  std::vector<double> slopes; ///< d residual / d (unknown / scale), by rows
  std::vector<double> curvature, gradient; ///< in units of the scales
};

} // namespace

double Fit::lossOf(std::span<const double> of) const {
  double sum = 0;
  for (const double each : of) {
    // √(1 + z²) − 1 without cancellation.
    const double z = each / softness;
    sum += 2 * each * each / (1 + std::sqrt(1 + z * z));
  }
  return sum;
}

void Fit::differentiate() {
  constexpr double relative = 1e-6;
  std::vector<double> moved = values;
  for (size_t i = 0; i < size; ++i) {
    double step = relative * unknowns[i].scale;
    if (values[i] + step > unknowns[i].most)
      step = -step;
    moved[i] = values[i] + step;
    residualsOf(moved, trial);
    for (size_t row = 0; row < residuals.size(); ++row)
      slopes[row * size + i] =
          (trial[row] - residuals[row]) / step * unknowns[i].scale;
    moved[i] = values[i];
  }
}

/// Weights each residual by the derivative of its loss.
void Fit::formEquations() {
  curvature.assign(size * size, 0);
  gradient.assign(size, 0);
  for (size_t row = 0; row < residuals.size(); ++row) {
    const double z = residuals[row] / softness,
                 weight = 1 / std::sqrt(1 + z * z);
    const double *slope = &slopes[row * size];
    for (size_t i = 0; i < size; ++i) {
      if (slope[i] == 0)
        continue;
      const double weighted = weight * slope[i];
      gradient[i] += weighted * residuals[row];
      for (size_t j = 0; j <= i; ++j)
        curvature[i * size + j] += weighted * slope[j];
    }
  }
}

bool Fit::solve(double damping, std::vector<double> &step) const {
  std::vector<size_t> free;
  for (size_t i = 0; i < size; ++i)
    if (!isHeld(i) && curvature[i * size + i] > 0)
      free.push_back(i);
  step.assign(size, 0);
  // Cholesky, in place in the lower triangle.
  const size_t n = free.size();
  std::vector<double> factor(n * n), right(n);
  for (size_t i = 0; i < n; ++i) {
    right[i] = -gradient[free[i]];
    for (size_t j = 0; j <= i; ++j)
      factor[i * n + j] = curvature[free[i] * size + free[j]];
    factor[i * n + i] *= 1 + damping;
  }
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j <= i; ++j) {
      double sum = factor[i * n + j];
      for (size_t k = 0; k < j; ++k)
        sum -= factor[i * n + k] * factor[j * n + k];
      if (i != j)
        factor[i * n + j] = sum / factor[j * n + j];
      else if (sum > 0)
        factor[i * n + i] = std::sqrt(sum);
      else
        return false;
    }
  for (size_t i = 0; i < n; ++i) {
    for (size_t k = 0; k < i; ++k)
      right[i] -= factor[i * n + k] * right[k];
    right[i] /= factor[i * n + i];
  }
  for (size_t i = n; i-- > 0;) {
    for (size_t k = i + 1; k < n; ++k)
      right[i] -= factor[k * n + i] * right[k];
    right[i] /= factor[i * n + i];
    step[free[i]] = right[i];
  }
  return true;
}

std::vector<double> Fit::run() {
  constexpr unsigned mostIterations = 200, mostAttempts = 20;
  constexpr double leastGain = 1e-9, eased = 0.3, raised = 4;
  double damping = 1e-3;
  residualsOf(values, residuals);
  double loss = lossOf(residuals);
  for (unsigned iteration = 0; iteration < mostIterations; ++iteration) {
    differentiate();
    formEquations();
    std::vector<double> step, moved(size);
    double gain = 0;
    for (unsigned attempt = 0; attempt < mostAttempts && !(gain > 0);
         ++attempt) {
      const bool isSolved = solve(damping, step);
      damping *= raised;
      if (!isSolved)
        continue;
      for (size_t i = 0; i < size; ++i)
        moved[i] = std::clamp(values[i] + step[i] * unknowns[i].scale,
                              unknowns[i].least, unknowns[i].most);
      residualsOf(moved, trial);
      gain = loss - lossOf(trial);
    }
    // Not a number is no gain.
    if (!(gain > 0))
      break;
    values = moved;
    residuals.swap(trial);
    loss -= gain;
    damping *= eased / raised;
    if (gain < leastGain * (loss + gain))
      break;
  }
  return values;
}

std::vector<double> tilegpt::runtime::fitLeastSquares(
    std::span<const Unknown> unknowns, size_t count,
    const ResidualFunction &residualsOf, double softness) {
  return Fit(unknowns, count, residualsOf, softness).run();
}
