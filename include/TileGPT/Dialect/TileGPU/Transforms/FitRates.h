// Fits the rates of a device's cost model to measured times of matmuls.
#ifndef TILEGPT_DIALECT_TILEGPU_TRANSFORMS_FITRATES_H
#define TILEGPT_DIALECT_TILEGPU_TRANSFORMS_FITRATES_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Runtime/Tuning/Records.h"
#include "TileGPT/Target/NVVM/GpuModel.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace tilegpt::tilegpu {

struct MeasuredChoice {
  runtime::Choice choice;
  double microseconds;
};

/// How well estimates agree with times, as fractions.
struct FitQuality {
  /// Of |estimate / time - 1|, over all times: the median and the 95th
  /// percentile.
  double medianError = 0, highError = 0;
  /// The time of the choice with the lowest estimate, of those that the
  /// compiler may make, over that of the fastest, minus 1, over launches with
  /// several choices: the mean and the 95th percentile.
  double meanRegret = 0, highRegret = 0;
};

struct FittedRate {
  std::string name; ///< "launchCycles", "copyCycles[16]"
  double before, after;
  bool isUsed; ///< whether the estimate of any time depends on it
};

struct RateFit {
  target::GpuModel model;
  std::vector<FittedRate> rates; ///< those of matmuls that can be fitted
};

/// Measured times of choices for launches on one device.
class ProductTimes {
public:
  ProductTimes(const target::GpuTarget &target, int64_t multiprocessors);
  ~ProductTimes();
  ProductTimes(ProductTimes &&) noexcept;

  /// Adds times of a launch, which is like those that rankChoices() ranks.
  /// \param skip  receives, for each time that the cost model has no estimate
  /// for, the reason.
  void add(tile::LaunchOp launch, tile::KernelOp kernel,
           llvm::ArrayRef<MeasuredChoice> choices,
           llvm::function_ref<void(llvm::StringRef reason)> skip);

  size_t size() const;     ///< times
  size_t launches() const; ///< launches with at least one time

  FitQuality qualityOf(const target::GpuModel &model) const;

  /// Fits rates; those of `from` are where the search starts, and what rates
  /// stay near where times say little.
  /// \returns an error if there are less than three times for each rate that
  /// they depend on.
  llvm::Expected<RateFit> fit(const target::GpuModel &from) const;

private:
  struct Times;
  std::unique_ptr<Times> times;
};

} // namespace tilegpt::tilegpu

#endif // TILEGPT_DIALECT_TILEGPU_TRANSFORMS_FITRATES_H
