// Evaluates the sizes, offsets and grids of a plan for a step, and performs the
// checks that depend on them: that every view lies within its buffer.
#include "TileGPT/Runtime/Engine/ResolvedPlan.h"
#include "TileGPT/Runtime/Engine/Evaluate.h"

using namespace tilegpt;
using namespace tilegpt::bundle;
using namespace tilegpt::runtime;

namespace {

/// Fills a ResolvedPlan, launch by launch.
class Resolver {
public:
  Resolver(const Bundle &bundle, const Plan &plan, std::string_view subject,
           ResolvedPlan &out)
      : bundle(bundle), plan(plan), subject(subject), out(out) {}

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
  tl::unexpected<Error> fail(const Launch &launch,
                             const Parts &...parts) const {
    return tl::unexpected(cannotLaunch(bundle,
                                       {&plan, out.rows, out.sequences, 0},
                                       launch, subject, concat(parts...)));
  }

  Result<void> resolve(const Launch &launch) {
    ResolvedLaunch resolved{&launch, out.words.size(), 0, {}, 1};
    const auto arguments = bundle.arguments(launch);
    firstWord.clear();
    for (size_t i = 0; i < arguments.size(); ++i) {
      firstWord.push_back(uint32_t(out.words.size()));
      if (arguments[i].kind == ArgumentKind::Scalar)
        out.words.push_back(arguments[i].bits);
      else if (const auto bad = pushView(arguments[i]); !bad.empty())
        return fail(launch, "argument ", i, " ", bad);
    }
    resolved.wordCount = out.words.size() - resolved.firstWord;
    const LaunchWords words = {arguments, firstWord, out.words};
    for (const Requirement &required : bundle.requirements(launch))
      if (const auto bad = broken(required, words); !bad.empty())
        return fail(launch, bad);
    for (unsigned axis = 0; axis < 3; ++axis) {
      const auto size = evaluate(bundle.expression(launch.grid[axis]), words);
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

  /// \returns a description of a violated requirement; empty if all hold.
  std::string broken(const Requirement &required, const LaunchWords &words) {
    const auto lhs = evaluate(bundle.expression(required.lhs), words),
               rhs = evaluate(bundle.expression(required.rhs), words);
    const auto lhsText = bundle.string(required.lhsText),
               rhsText = bundle.string(required.rhsText);
    if (!lhs || !rhs)
      return concat("what it requires of ", lhsText,
                    " divides by zero or overflows");
    const auto order = *lhs <=> *rhs;
    static constexpr std::string_view signs[] = {"==", "<", "<=", ">", ">="};
    static_assert(std::size(signs) == relationCount);
    switch (required.relation) {
    case Relation::Equal:
      return order == 0 ? ""
                        : concat("expected ", lhsText, " to be ", *rhs,
                                 rhsText.empty() ? "" : " (", rhsText,
                                 rhsText.empty() ? "" : ")", ", found ", *lhs);
    case Relation::Less:
      if (order < 0)
        return "";
      break;
    case Relation::LessEqual:
      if (order <= 0)
        return "";
      break;
    case Relation::Greater:
      if (order > 0)
        return "";
      break;
    case Relation::GreaterEqual:
      if (order >= 0)
        return "";
      break;
    }
    return concat("expected ", lhsText, " ", signs[uint8_t(required.relation)],
                  " ",
                  rhsText.empty() ? std::to_string(*rhs) : std::string(rhsText),
                  ", found ", *lhs, " and ", *rhs);
  }

  /// Appends address, sizes and strides of a view.
  /// \returns an error text; empty if the view is valid.
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

  const Bundle &bundle;
  const Plan &plan;
  const std::string_view subject;
  ResolvedPlan &out;
  std::vector<uint32_t> firstWord;
};

} // namespace

Result<void> runtime::checkSizes(const Bundle &bundle, const Plan &plan,
                                 int64_t rows, int64_t sequences,
                                 std::string_view subject) {
  if (rows >= plan.minRows && rows <= plan.maxRows && sequences >= 1 &&
      sequences <= plan.maxSequences)
    return {};
  return makeError(ErrorCode::OutOfRange, subject, ": plan '",
                   bundle.string(plan.name), "' expected ", plan.minRows,
                   " to ", plan.maxRows, " rows of at most ", plan.maxSequences,
                   " sequences, got ", rows, " of ", sequences);
}

Result<void> runtime::resolve(const Bundle &bundle, const Plan &plan,
                              int64_t rows, int64_t sequences,
                              std::string_view subject,
                              ResolvedPlan &resolved) {
  resolved.rows = rows;
  resolved.sequences = sequences;
  auto done = Resolver(bundle, plan, subject, resolved).run();
  if (!done)
    resolved.rows = 0;
  return done;
}

Error runtime::cannotLaunch(const Bundle &bundle, const Step &step,
                            const Launch &launch, std::string_view subject,
                            std::string_view problem) {
  return {ErrorCode::Failure,
          concat(subject, ": plan '", bundle.string(step.plan->name), "' at ",
                 step.rows, " rows of ", step.sequences,
                 " sequences: launch of '",
                 bundle.string(bundle.kernel(launch).name), "' (",
                 bundle.string(launch.label), "): ", problem)};
}

Error runtime::assertFailed(const Bundle &bundle, const Launch &launch,
                            int32_t status, std::string_view subject) {
  const Kernel &kernel = bundle.kernel(launch);
  const auto messages = bundle.messages(kernel);
  const bool known = status > 0 && size_t(status) <= messages.size();
  return {ErrorCode::Failure,
          concat(subject, ": kernel '", bundle.string(kernel.name), "' (",
                 bundle.string(launch.label), ") failed: ",
                 known
                     ? std::string(bundle.string(messages[size_t(status - 1)]))
                     : concat("status ", status))};
}
