// Nonlinear least squares with bounds: fits the rates of cost models to times.
#ifndef TILEGPT_RUNTIME_TUNING_LEASTSQUARES_H
#define TILEGPT_RUNTIME_TUNING_LEASTSQUARES_H

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace tilegpt::runtime {

/// An unknown of a fit.
struct Unknown {
  double start;
  double least, most; ///< bounds of the solution; `start` lies within
  double scale;       ///< a typical size, positive: the unit of steps
};

/// Computes the residuals of a vector of unknowns.
using ResidualFunction = std::function<void(std::span<const double> unknowns,
                                            std::span<double> residuals)>;

/// Minimizes the soft L1 loss of the residuals, Σ 2·s²·(√(1 + (r/s)²) − 1), by
/// the method of Levenberg and Marquardt with projection onto the bounds.
/// Derivatives are finite differences, so residuals may have kinks but no
/// jumps. Finds a local minimum.
/// \param count  residuals.
/// \param softness  the residual s beyond which loss grows linearly: an outlier
/// pulls no harder than a residual of this size.
std::vector<double> fitLeastSquares(std::span<const Unknown> unknowns,
                                    size_t count,
                                    const ResidualFunction &residualsOf,
                                    double softness);

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_TUNING_LEASTSQUARES_H
