// Resolving a plan for the sizes of a step, and running what was resolved.
// Resolving checks that no launch can reach outside of its buffers, so running
// has nothing left to check but what kernels report.
#include "TileGPT/Runtime/Cpu/Executor.h"
#include "Evaluate.h"
#include <atomic>

using namespace tilegpt;
using namespace tilegpt::cpu;
using namespace tilegpt::bundle;
using runtime::concat;
using runtime::ErrorCode;
using runtime::makeError;
using runtime::Result;

/// Fills a ResolvedPlan, launch by launch.
class Executor::Resolver {
public:
  Resolver(const Executor &executor, const Plan &plan, ResolvedPlan &out)
      : executor(executor), bundle(*executor.bundle), plan(plan), out(out) {}

  Result<void> run() {
    out.words.clear();
    out.addresses.clear();
    out.launches.clear();
    for (const Launch &launch : bundle.launches(plan))
      if (auto done = resolve(launch); !done)
        return done;
    return {};
  }

private:
  template <typename... Parts>
  tl::unexpected<runtime::Error> fail(const Launch &launch,
                                      const Parts &...parts) const {
    return makeError(ErrorCode::Failure, "cpu: plan '",
                     bundle.string(plan.name), "' at ", out.rows, " rows of ",
                     out.sequences, " sequences: launch of '",
                     bundle.string(bundle.kernel(launch).name), "' (",
                     bundle.string(launch.label), "): ", parts...);
  }

  Result<void> resolve(const Launch &launch) {
    ResolvedLaunch resolved{
        executor.functions[launch.kernel], &launch, out.words.size(), {}, 1};
    const auto arguments = bundle.arguments(launch);
    firstWord.clear();
    for (size_t i = 0; i < arguments.size(); ++i) {
      firstWord.push_back(uint32_t(out.words.size()));
      if (arguments[i].kind == ArgumentKind::Scalar)
        out.words.push_back(arguments[i].bits);
      else if (const auto bad = pushView(arguments[i]); !bad.empty())
        return fail(launch, "argument ", i, " ", bad);
    }
    for (unsigned axis = 0; axis < 3; ++axis) {
      const auto size = evaluate(bundle.expression(launch.grid[axis]),
                                 {arguments, firstWord, out.words});
      if (!size || *size < 0 ||
          __builtin_mul_overflow(resolved.blocks, *size, &resolved.blocks))
        return fail(launch, "axis ", axis,
                    " of the grid is negative, divides by zero or overflows");
      resolved.grid[axis] = *size;
    }
    if (resolved.blocks > 0)
      out.launches.push_back(resolved);
    return {};
  }

  /// Appends address, sizes and strides of a view.
  /// \returns what is wrong with it; empty if nothing.
  std::string pushView(const Argument &view) {
    const auto offset = at(view.offset);
    const size_t address = out.words.size();
    out.words.push_back(0);
    for (unsigned i = 0; i < view.rank; ++i)
      out.words.push_back(uint64_t(at(view.shape[i]).value_or(-1)));
    for (unsigned i = 0; i < view.rank; ++i)
      out.words.push_back(uint64_t(at(view.strides[i]).value_or(-1)));
    const std::span<const uint64_t> sizes =
        std::span(out.words).subspan(address + 1, view.rank);
    const std::span<const uint64_t> strides =
        std::span(out.words).subspan(address + 1 + view.rank, view.rank);

    bool empty = false;
    int64_t last = offset.value_or(-1); // the furthest element the view reaches
    bool bad = last < 0;
    for (unsigned i = 0; i < view.rank; ++i) {
      int64_t reach;
      bad |= int64_t(sizes[i]) < 0 || int64_t(strides[i]) < 0 ||
             __builtin_mul_overflow(int64_t(sizes[i]) - 1, int64_t(strides[i]),
                                    &reach) ||
             __builtin_add_overflow(last, reach, &last);
      empty |= sizes[i] == 0;
    }
    if (bad)
      return "has a negative size, stride or offset, or overflows";
    const Buffer &buffer = bundle.buffers()[view.buffer];
    int64_t elements = 1; // cannot overflow: Bundle checked the largest shape
    for (unsigned i = 0; i < buffer.rank; ++i)
      elements *= at(buffer.shape[i]).value_or(0);
    if (!empty && last >= elements)
      return concat("reaches element ", last, " of '",
                    bundle.string(buffer.name), "', which has ", elements);
    out.addresses.push_back({uint32_t(address), view.buffer,
                             empty ? 0 : *offset * byteWidth(view.type)});
    return {};
  }

  std::optional<int64_t> at(const Extent &extent) const {
    return evaluate(extent, out.rows, out.sequences);
  }

  const Executor &executor;
  const Bundle &bundle;
  const Plan &plan;
  ResolvedPlan &out;
  std::vector<uint32_t> firstWord;
};

Result<Executor> Executor::create(const Bundle &bundle, ThreadPool &pool) {
  if (auto runs = checkTarget(bundle); !runs)
    return tl::unexpected(runs.error());
  auto image = HostImage::load(bundle.hostCode());
  if (!image)
    return tl::unexpected(image.error());
  Executor executor(bundle, pool, std::move(*image));
  for (const Kernel &kernel : bundle.kernels()) {
    const auto function =
        executor.image.find(std::string(bundle.string(kernel.symbol)));
    if (!function)
      return tl::unexpected(function.error());
    executor.functions.push_back(*function);
  }
  return executor;
}

Result<void> Executor::launch(const ResolvedLaunch &launch,
                              const uint64_t *words) {
  std::atomic<int32_t> status{0};
  using Clock = LaunchObserver::Clock;
  const auto begin = observer ? Clock::now() : Clock::time_point();
  pool->run(launch.blocks, [&](int64_t first, int64_t end) {
    if (const int32_t result = launch.function(words, launch.grid, first, end);
        result != 0)
      status.store(result, std::memory_order_relaxed);
  });
  if (observer)
    observer->launched(*launch.launch, launch.blocks, begin, Clock::now());

  const int32_t failed = status.load(std::memory_order_relaxed);
  if (failed == 0)
    return {};
  const Kernel &kernel = bundle->kernel(*launch.launch);
  const auto messages = bundle->messages(kernel);
  const bool known = failed > 0 && size_t(failed) <= messages.size();
  return makeError(
      ErrorCode::Failure, "cpu: kernel '", bundle->string(kernel.name), "' (",
      bundle->string(launch.launch->label), ") failed: ",
      known ? std::string(bundle->string(messages[size_t(failed - 1)]))
            : concat("status ", failed));
}

Result<void> Executor::run(const Plan &plan, int64_t rows, int64_t sequences,
                           std::span<std::byte *const> addresses) {
  if (rows < plan.minRows || rows > plan.maxRows || sequences < 1 ||
      sequences > plan.maxSequences)
    return makeError(
        ErrorCode::OutOfRange, "cpu: plan '", bundle->string(plan.name),
        "' expected ", plan.minRows, " to ", plan.maxRows, " rows of at most ",
        plan.maxSequences, " sequences, got ", rows, " of ", sequences);
  ResolvedPlan &current = resolved[size_t(&plan - bundle->plans().data())];
  if (current.rows != rows || current.sequences != sequences) {
    current.rows = rows;
    current.sequences = sequences;
    if (auto done = Resolver(*this, plan, current).run(); !done) {
      current.rows = 0;
      return done;
    }
  }
  for (const AddressWord &address : current.addresses)
    current.words[address.word] = reinterpret_cast<uint64_t>(
        addresses[address.buffer] + address.byteOffset);
  for (const ResolvedLaunch &next : current.launches)
    if (auto done = launch(next, current.words.data() + next.firstWord); !done)
      return done;
  return {};
}
