// Estimates every measured time by the cost model that chooses tiles, and moves
// its rates until the estimates agree.
#include "TileGPT/Dialect/TileGPU/Transforms/FitRates.h"
#include "TileGPT/Runtime/Tuning/LeastSquares.h"
#include "Tiling/LoadedProduct.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <numeric>

using namespace mlir;
using llvm::createStringError;
using llvm::Expected;
using tilegpt::target::ByAlignment;
using tilegpt::target::GpuModel;
using tilegpt::target::ProductRates;

namespace tilegpt::tilegpu {

namespace {

/// A time and the cost model's view of what took it.
struct ProductTime {
  TiledProduct product;
  ProductCost way;
  double microseconds;
  size_t launch;
  bool isChoice; ///< one that the compiler may make
};

/// An unknown of the fit. Rates by alignment are sums of unknowns, so that no
/// rows are copied faster than better aligned ones.
struct FittedUnknown {
  double least, most;
  double typical; ///< scale, if the rate is 0
  double *rate;   ///< in the model
  /// The rate that the unknown is added to, if any; it comes earlier.
  const double *base = nullptr;
};

} // namespace

struct ProductTimes::Times {
  const target::GpuTarget &target;
  int64_t multiprocessors;
  std::vector<ProductTime> all;
  size_t launches = 0;

  double microsecondsOf(const ProductTime &time, const GpuModel &model) const {
    return cyclesOf(time.product, time.way, model, multiprocessors) /
           model.cyclesPerMicrosecond;
  }
};

/// The rates of a model that are fitted. Sums per cycle are the hardware's, and
/// what early starts save is measured with and without them.
static std::vector<FittedUnknown> unknownsOf(GpuModel &model) {
  ProductRates &rates = model.products;
  std::vector<FittedUnknown> unknowns;
  auto add = [&](double &rate, double least, double most, double typical) {
    unknowns.push_back({least, most, typical, &rate});
  };
  for (auto [copy, most] : {std::pair(&rates.copyCycles, 6.0),
                            std::pair(&rates.sharedCopyCycles, 8.0)}) {
    std::array<double, 4> &values = copy->values;
    add(values[3], .3, most, 1);
    for (size_t i = 3; i-- > 0;)
      unknowns.push_back({0, most, .5, &values[i], &values[i + 1]});
  }
  add(rates.outsideCopyCycles, 0, 25, 10);
  add(rates.receivedCycles, .2, 4, 1.5);
  add(rates.operandReadCycles, 0, 3, 1.3);
  add(rates.pairWaitCycles, 0, 400, 30);
  add(rates.singleWaitCycles, 0, 400, 40);
  add(rates.launchCycles, 200, 9000, 3000);
  add(rates.besideCycles, 0, 3000, 500);
  add(rates.besidePartsCycles, 0, 3000, 500);
  add(rates.storedPerCycle, 2, 400, 12);
  add(model.memoryBytesPerCycle, 300, 9000, 2000);
  add(rates.resultBytesPerCycle, 100, 9000, 1000);
  add(rates.exchangedPerCycle, .3, 60, 2);
  add(rates.sustainedSumsPerCycle, .4 * rates.sumsPerCycle, rates.sumsPerCycle,
      28);
  add(rates.multicastWaitCycles, 0, 400, 7);
  add(rates.multicastCycles, -500, 5000, 300);
  add(rates.clusterTileCycles, -300, 4000, 300);
  add(rates.meetCycles, 0, 9000, 2500);
  add(rates.sharedBytesPerCycle, 4, 400, 40);
  return unknowns;
}

namespace {
struct NamedRate {
  std::string name;
  double *value;
};
} // namespace

/// The same rates in the order of GpuModels.inc.
static std::vector<NamedRate> namedRatesOf(GpuModel &model) {
  ProductRates &rates = model.products;
  std::vector<NamedRate> named = {
      {"memoryBytesPerCycle", &model.memoryBytesPerCycle},
      {"sustainedSumsPerCycle", &rates.sustainedSumsPerCycle},
      {"operandReadCycles", &rates.operandReadCycles},
      {"singleWaitCycles", &rates.singleWaitCycles},
      {"pairWaitCycles", &rates.pairWaitCycles}};
  for (auto [name, copy] :
       {std::pair("copyCycles", &rates.copyCycles),
        std::pair("sharedCopyCycles", &rates.sharedCopyCycles)})
    for (size_t i = 0; i < copy->values.size(); ++i)
      named.push_back(
          {llvm::formatv("{0}[{1}]", name, 16 << i), &copy->values[i]});
  for (const NamedRate &each : std::initializer_list<NamedRate>{
           {"outsideCopyCycles", &rates.outsideCopyCycles},
           {"receivedCycles", &rates.receivedCycles},
           {"resultBytesPerCycle", &rates.resultBytesPerCycle},
           {"storedPerCycle", &rates.storedPerCycle},
           {"exchangedPerCycle", &rates.exchangedPerCycle},
           {"multicastWaitCycles", &rates.multicastWaitCycles},
           {"multicastCycles", &rates.multicastCycles},
           {"clusterTileCycles", &rates.clusterTileCycles},
           {"launchCycles", &rates.launchCycles},
           {"besideCycles", &rates.besideCycles},
           {"besidePartsCycles", &rates.besidePartsCycles},
           {"meetCycles", &rates.meetCycles},
           {"sharedBytesPerCycle", &rates.sharedBytesPerCycle}})
    named.push_back(each);
  return named;
}

/// How blocks share a product by a choice's plan.
static Expected<ProductCost> wayOf(const runtime::Choice &choice,
                                   bool isTransposed) {
  constexpr int64_t mostParts = 8;
  ProductCost way;
  int64_t blocks = 1, axis = 0;
  for (const auto &[name, value] : choice.plan) {
    if (name == "parts")
      way.parts = value;
    else if (name == "shares")
      way.shares = value;
    else if (name == "multicast")
      blocks = value;
    else if (name == "multicastAxis")
      axis = value;
    else if (name != "overlap")
      return createStringError("its plan sets " + name);
  }
  if (way.parts < 1 || way.shares < 1 || blocks < 1 || way.parts > mostParts)
    return createStringError("its plan has clusters of other than 1 to 8 "
                             "blocks");
  if (blocks == 1)
    return way;
  if (way.parts > 1)
    return createStringError("its plan has both parts and multicast");
  way.sharing = blocks;
  way.multicast =
      (axis == 1) != isTransposed ? Multicast::Left : Multicast::Right;
  if (axis == PlanAttr::bothAxes) {
    way.multicast = Multicast::Both;
    way.sharing = int64_t(std::lround(std::sqrt(double(blocks))));
  }
  if (way.getMulticastBlocks() != blocks || way.sharing > mostSharing)
    return createStringError("its plan multicasts in clusters that the "
                             "compiler does not choose");
  return way;
}

/// The compiler's view of a way to share a tile's product: whether it may
/// choose it and whether the launch then overlaps; nothing if its rules forbid
/// it.
static std::optional<ProductCost> findWay(const ProductCost &way,
                                          ArrayRef<ProductCost> valid) {
  const auto *found = llvm::find_if(valid, [&](const ProductCost &each) {
    return std::tuple(each.parts, each.shares, each.multicast) ==
               std::tuple(way.parts, way.shares, way.multicast) &&
           (way.multicast == Multicast::None || each.sharing == way.sharing);
  });
  return found == valid.end() ? std::nullopt : std::optional(*found);
}

ProductTimes::ProductTimes(const target::GpuTarget &target,
                           int64_t multiprocessors)
    : times(new Times{target, multiprocessors, {}}) {}
ProductTimes::~ProductTimes() = default;
ProductTimes::ProductTimes(ProductTimes &&) noexcept = default;

size_t ProductTimes::size() const { return times->all.size(); }
size_t ProductTimes::launches() const { return times->launches; }

void ProductTimes::add(tile::LaunchOp launch, tile::KernelOp kernel,
                       ArrayRef<MeasuredChoice> choices,
                       llvm::function_ref<void(StringRef)> skip) {
  OpenLaunch open(launch, kernel, times->target, times->multiprocessors,
                  /*tf32=*/false, /*fastF8=*/false);
  std::optional<LoadedProduct> product = findLoadedProduct(kernel);
  std::optional<PipedTiles> piped;
  if (product)
    piped = open.isComputed(product->depth.parameter)
                ? findPipedFewRows(open, *product)
                : findPipedTiles(open, *product);
  auto sizeIn = [&](const runtime::Choice &choice, StringAttr parameter) {
    auto found = choice.parameters.find(parameter.str());
    return found == choice.parameters.end()
               ? open.sizeNow(parameter)
               : std::optional<int64_t>(found->second);
  };
  size_t before = times->all.size();
  for (const MeasuredChoice &each : choices) {
    if (!piped) {
      skip("the kernel is no matmul that a producer can feed");
      continue;
    }
    std::optional<int64_t> rows = sizeIn(each.choice, product->rows.parameter),
                           columns =
                               sizeIn(each.choice, product->columns.parameter),
                           step = sizeIn(each.choice, product->depth.parameter);
    if (!rows || !columns || llvm::none_of(piped->tiles, [&](ResultTile tile) {
          return tile.rows == *rows && tile.columns == *columns;
        })) {
      skip("no producer can feed its tile");
      continue;
    }
    if (step && *step != piped->step &&
        !open.isComputed(product->depth.parameter)) {
      skip("its steps along the depth have another size than the compiler's");
      continue;
    }
    ResultTile tile{*rows, *columns};
    Expected<ProductCost> way =
        wayOf(each.choice, product->isTransposed(open, tile));
    if (!way) {
      skip(llvm::toString(way.takeError()));
      continue;
    }
    SmallVector<ProductCost> valid;
    for (auto &[unused, cost] :
         waysOfTiles(tile, *product, piped->sizes, piped->step, open))
      valid.push_back(cost);
    std::optional<ProductCost> known = findWay(*way, valid);
    if (auto overlap = each.choice.plan.find("overlap");
        known && overlap != each.choice.plan.end() &&
        bool(overlap->second) != known->overlaps) {
      skip("its launch overlaps and the compiler's would not, or the reverse");
      continue;
    }
    ProductTime time{
        cutProduct(*product, tile, piped->sizes, piped->step, open), *way,
        each.microseconds, times->launches, known && !known->isUncertain};
    if (!std::isfinite(
            times->microsecondsOf(time, GpuModel::of(times->target)))) {
      skip("no cluster of its size fits the device");
      continue;
    }
    times->all.push_back(time);
  }
  times->launches += times->all.size() > before;
}

/// A quantile of numbers, which are reordered; 0 of none.
static double quantileOf(MutableArrayRef<double> numbers, double fraction) {
  if (numbers.empty())
    return 0;
  llvm::sort(numbers);
  return numbers[std::min(numbers.size() - 1,
                          size_t(fraction * double(numbers.size())))];
}

FitQuality ProductTimes::qualityOf(const GpuModel &model) const {
  constexpr double half = .5, high = .95;
  struct Best {
    double estimate = HUGE_VAL, chosen = 0, fastest = HUGE_VAL;
    size_t choices = 0;
  };
  std::vector<Best> launches(times->launches);
  std::vector<double> errors, regrets;
  for (const ProductTime &time : times->all) {
    double estimate = times->microsecondsOf(time, model);
    errors.push_back(std::abs(estimate / time.microseconds - 1));
    // The compiler compares what it doubts at a higher price.
    estimate *= doubtOf(time.product, time.way, times->target);
    Best &best = launches[time.launch];
    ++best.choices;
    best.fastest = std::min(best.fastest, time.microseconds);
    if (time.isChoice && estimate < best.estimate) {
      best.estimate = estimate;
      best.chosen = time.microseconds;
    }
  }
  for (const Best &best : launches)
    if (best.choices > 1 && best.chosen > 0)
      regrets.push_back(best.chosen / best.fastest - 1);
  FitQuality quality;
  quality.medianError = quantileOf(errors, half);
  quality.highError = quantileOf(errors, high);
  if (!regrets.empty())
    quality.meanRegret = std::accumulate(regrets.begin(), regrets.end(), 0.0) /
                         double(regrets.size());
  quality.highRegret = quantileOf(regrets, high);
  return quality;
}

Expected<RateFit> ProductTimes::fit(const GpuModel &from) const {
  // Where times say little, a rate changes by a tenth of an error for each
  // change by its size. Errors beyond 7 % count linearly.
  constexpr double nearness = .1, softness = .07;
  constexpr size_t timesOfRate = 3;
  RateFit result{from, {}};
  GpuModel model = from;
  GpuModel before = from;
  std::vector<NamedRate> named = namedRatesOf(model);
  for (auto [rate, old] : llvm::zip_equal(named, namedRatesOf(before))) {
    constexpr double doubled = 2;
    *rate.value = *old.value == 0 ? 1 : doubled * *old.value;
    bool isUsed = llvm::any_of(times->all, [&](const ProductTime &time) {
      return times->microsecondsOf(time, model) !=
             times->microsecondsOf(time, from);
    });
    *rate.value = *old.value;
    result.rates.push_back({rate.name, *old.value, *old.value, isUsed});
  }
  size_t needed =
      timesOfRate * size_t(llvm::count_if(result.rates, [](const auto &rate) {
        return rate.isUsed;
      }));
  if (size() == 0 || size() < needed)
    return createStringError(llvm::formatv(
        "expected at least {0} times of matmuls to fit {1} "
        "rates, found {2}",
        std::max(needed, timesOfRate), needed / timesOfRate, size()));
  std::vector<FittedUnknown> unknowns = unknownsOf(model);
  std::vector<runtime::Unknown> starts;
  for (const FittedUnknown &each : unknowns) {
    double start = *each.rate - (each.base ? *each.base : 0);
    starts.push_back({std::clamp(start, each.least, each.most), each.least,
                      each.most, std::max(std::abs(start), each.typical)});
  }
  auto apply = [&](std::span<const double> values) {
    for (auto [each, value] : llvm::zip_equal(unknowns, values))
      *each.rate = value + (each.base ? *each.base : 0);
  };
  std::vector<double> found = runtime::fitLeastSquares(
      starts, times->all.size() + unknowns.size(),
      [&](std::span<const double> values, std::span<double> residuals) {
        apply(values);
        size_t next = 0;
        for (const ProductTime &time : times->all)
          residuals[next++] =
              std::log(times->microsecondsOf(time, model) / time.microseconds);
        for (auto [start, value] : llvm::zip_equal(starts, values))
          residuals[next++] = nearness * (value - start.start) / start.scale;
      },
      softness);
  apply(found);
  for (auto [rate, fitted] : llvm::zip_equal(named, result.rates))
    fitted.after = *rate.value;
  result.model = model;
  return result;
}

} // namespace tilegpt::tilegpu
