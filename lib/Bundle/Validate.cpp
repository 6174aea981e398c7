// Checks every table of a bundle before its indices are used. A malformed table
// with a valid checksum is a compiler error, so the messages name the entry and
// give no advice.
#include "Validate.h"
#include "ValidateCollective.h"
#include "ValidateDevice.h"
#include "ValidateExpression.h"
#include <cmath>
#include <unordered_set>

using namespace tilegpt;
using namespace tilegpt::bundle;
using runtime::concat;

namespace {

/// Bounds that keep all size arithmetic far from overflow.
constexpr int64_t maxRows = int64_t(1) << 31;
constexpr int64_t maxBytes = int64_t(1) << 46;

/// Bytes of a buffer at N = rows, B = sequences, or -1 if more than maxBytes.
/// All coefficients are >= 0.
int64_t bytesAt(const Buffer &buffer, int64_t rows, int64_t sequences) {
  unsigned __int128 bytes = uint64_t(byteWidth(buffer.type));
  bool empty = false;
  for (unsigned i = 0; i < buffer.rank; ++i) {
    const Extent &extent = buffer.shape[i];
    const __int128 size = __int128(extent.constant) +
                          __int128(extent.perRow) * rows +
                          __int128(extent.perSequence) * sequences;
    if (size > maxBytes)
      return -1;
    empty |= size == 0;
    // Saturating a nonzero product at maxBytes makes the next multiplication
    // safe.
    bytes = size == 0 ? bytes
                      : std::min(bytes * uint64_t(size),
                                 (unsigned __int128)(maxBytes) + 1);
  }
  return bytes > uint64_t(maxBytes) ? -1 : empty ? 0 : int64_t(bytes);
}

/// Finds the first error. Every check returns false once `problem` describes
/// it.
class Validator {
public:
  explicit Validator(const Bundle &bundle) : bundle(bundle) {}

  bool all() {
    return forEach("message", bundle.messages(), &Validator::message) &&
           forEach("parameter", bundle.parameters(), &Validator::parameter) &&
           forEach("tensor map", bundle.tensorMaps(), &Validator::tensorMap) &&
           target() &&
           forEach("kernel", bundle.kernels(), &Validator::kernel) && code() &&
           forEach("expression", bundle.expressions(),
                   &Validator::expression) &&
           forEach("requirement", bundle.requirements(),
                   &Validator::requirement) &&
           forEach("buffer", bundle.buffers(), &Validator::buffer) &&
           forEach("argument", bundle.arguments(), &Validator::argument) &&
           forEach("launch", bundle.launches(), &Validator::launch) &&
           plans() && model();
  }

  std::string problem;

private:
  template <typename... Parts>
  bool fail(const Parts &...parts) {
    problem = concat("is malformed: ", where, ": ", parts...);
    return false;
  }

  template <typename T>
  bool forEach(const char *what, std::span<const T> table,
               bool (Validator::*check)(const T &)) {
    for (size_t i = 0; i < table.size(); ++i) {
      where = concat(what, " ", i);
      if (!(this->*check)(table[i]))
        return false;
    }
    return true;
  }

  bool inside(const char *what, Range range, size_t tableSize) {
    if (uint64_t(range.first) + range.count <= tableSize)
      return true;
    return fail(what, " refers to entries ", range.first, " to ",
                uint64_t(range.first) + range.count, " of ", tableSize);
  }

  bool text(const char *what, Range range, bool mayBeEmpty = false) {
    if (!inside(what, range, bundle.strings().size()))
      return false;
    if (bundle.string(range).find('\0') != std::string_view::npos)
      return fail(what, " contains a zero byte");
    return mayBeEmpty || range.count > 0 || fail(what, " is empty");
  }

  bool kindTypeRank(uint8_t kind, uint8_t kinds, ElementType type,
                    uint8_t rank) {
    if (kind >= kinds)
      return fail("unknown kind ", kind);
    if (uint8_t(type) >= elementTypeCount)
      return fail("unknown element type ", uint8_t(type));
    return rank <= maxRank ||
           fail("expected a rank of at most ", maxRank, ", got ", rank);
  }

  bool message(const Range &range) {
    return text("text", range, /*mayBeEmpty=*/true);
  }

  bool parameter(const Parameter &parameter) {
    if (!kindTypeRank(uint8_t(parameter.kind), argumentKindCount,
                      parameter.type, parameter.rank))
      return false;
    if (parameter.kind == ArgumentKind::Scalar && parameter.rank != 0)
      return fail("expected a scalar to have rank 0, got ", parameter.rank);
    return (uint8_t(parameter.access) >= 1 && uint8_t(parameter.access) <= 3) ||
           fail("unknown access ", uint8_t(parameter.access));
  }

  bool kernel(const Kernel &kernel) {
    if (!text("name", kernel.name) || !text("symbol", kernel.symbol) ||
        !inside("parameters", kernel.parameters, bundle.parameters().size()) ||
        !inside("messages", kernel.messages, bundle.messages().size()))
      return false;
    where += concat(" ('", bundle.string(kernel.name), "')");
    if (!collective(kernel))
      return false;
    if (bundle.target().kind == TargetKind::Cuda)
      return deviceKernel(kernel);
    if (kernel.device != DeviceKernel())
      return fail("has a device image, but the target is the host");
    return symbols.insert(bundle.string(kernel.symbol)).second ||
           fail("symbol '", bundle.string(kernel.symbol), "' is used twice");
  }

  bool collective(const Kernel &kernel) {
    const std::string problem = collectiveProblem(bundle, kernel);
    return problem.empty() || fail(problem);
  }

  bool deviceKernel(const Kernel &kernel) {
    if (!inside("tensor maps", kernel.device.tensorMaps,
                bundle.tensorMaps().size()))
      return false;
    const std::string problem = deviceKernelProblem(bundle, kernel);
    return problem.empty() || fail(problem);
  }

  bool tensorMap(const TensorMap &map) {
    const std::string problem = tensorMapProblem(map);
    return problem.empty() || fail(problem);
  }

  bool code() {
    const bool onHost = bundle.target().kind == TargetKind::Host;
    where = "device code";
    if (onHost && !bundle.deviceCode().empty())
      return fail("expected none for the host, got ",
                  bundle.deviceCode().size(), " bytes");
    where = "host code";
    if (!onHost && !bundle.hostCode().empty())
      return fail("expected none for a device, got ", bundle.hostCode().size(),
                  " bytes");
    const bool needed = onHost && !bundle.kernels().empty();
    return (!needed && bundle.hostCode().empty()) || isElf(bundle.hostCode()) ||
           fail("expected an ELF image");
  }

  bool expression(const Expression &expression) {
    return uint8_t(expression.op) < expressionOpCount ||
           fail("unknown operation ", uint8_t(expression.op));
  }

  bool buffer(const Buffer &buffer) {
    if (!kindTypeRank(uint8_t(buffer.kind), bufferKindCount, buffer.type,
                      buffer.rank) ||
        !text("name", buffer.name))
      return false;
    where += concat(" ('", bundle.string(buffer.name), "')");
    for (unsigned i = 0; i < buffer.rank; ++i) {
      const Extent &extent = buffer.shape[i];
      if (extent.constant < 0 || extent.perRow < 0 || extent.perSequence < 0)
        return fail("size ", i, " may be negative");
      if (buffer.kind == BufferKind::Weight && !extent.isConstant())
        return fail("size ", i, " of a weight is not constant");
      if (buffer.kind == BufferKind::State &&
          (i == 0 ? extent != Extent::sequences() : !extent.isConstant()))
        return fail(
            "expected a state to have shape [B, constant…], got another size ",
            i);
    }
    if (buffer.kind == BufferKind::State && buffer.rank == 0)
      return fail("expected a state to have shape [B, constant…], got rank 0");
    if (buffer.kind != BufferKind::Arena && buffer.arenaOffset != 0)
      return fail("has an arena offset but is not in the arena");
    if (buffer.arenaOffset % bufferAlignment != 0)
      return fail("arena offset ", buffer.arenaOffset, " is not a multiple of ",
                  bufferAlignment);
    if (!isGlobal(buffer.kind))
      return true;
    if (&buffer != bundle.buffers().data() + globalCount)
      return fail("expected weights and states before all other buffers");
    ++globalCount;
    if (!globalNames.insert(bundle.string(buffer.name)).second)
      return fail("the name is used twice");
    return bytesAt(buffer, 0, 1) >= 0 ||
           fail("is larger than ", maxBytes, " bytes");
  }

  bool argument(const Argument &argument) {
    if (!kindTypeRank(uint8_t(argument.kind), argumentKindCount, argument.type,
                      argument.rank))
      return false;
    if (argument.kind == ArgumentKind::Scalar)
      return argument.rank == 0 ||
             fail("expected a scalar to have rank 0, got ", argument.rank);
    if (argument.buffer >= bundle.buffers().size())
      return fail("refers to buffer ", argument.buffer, " of ",
                  bundle.buffers().size());
    const Buffer &buffer = bundle.buffers()[argument.buffer];
    return buffer.type == argument.type ||
           fail("expected the buffer's element type ", name(buffer.type),
                ", got ", name(argument.type));
  }

  bool launch(const Launch &launch) {
    if (launch.kernel >= bundle.kernels().size())
      return fail("refers to kernel ", launch.kernel, " of ",
                  bundle.kernels().size());
    if (!text("label", launch.label, /*mayBeEmpty=*/true) ||
        !inside("arguments", launch.arguments, bundle.arguments().size()))
      return false;
    const Kernel &kernel = bundle.kernel(launch);
    where += concat(" ('", bundle.string(kernel.name), "')");
    const auto formals = bundle.parameters(kernel);
    const auto actuals = bundle.arguments(launch);
    if (formals.size() != actuals.size())
      return fail("expected ", formals.size(), " arguments, got ",
                  actuals.size());
    for (size_t i = 0; i < formals.size(); ++i) {
      const Parameter &formal = formals[i];
      const Argument &actual = actuals[i];
      if (formal.kind != actual.kind)
        return fail("argument ", i, " expected a ",
                    formal.kind == ArgumentKind::View ? "view" : "scalar");
      if (formal.type != actual.type || formal.rank != actual.rank)
        return fail("argument ", i, " expected ", name(formal.type),
                    " of rank ", formal.rank, ", got ", name(actual.type),
                    " of rank ", actual.rank);
      if (formal.kind == ArgumentKind::Scalar || formal.access == Access::Read)
        continue;
      const Buffer &buffer = bundle.buffers()[actual.buffer];
      if (buffer.kind == BufferKind::Weight || buffer.kind == BufferKind::Input)
        return fail("argument ", i, " writes '", bundle.string(buffer.name),
                    "', which is constant");
    }
    for (const Range &range : launch.grid)
      if (!evaluable("grid", range, actuals))
        return false;
    if (!inside("requirements", launch.requirements,
                bundle.requirements().size()))
      return false;
    for (const Requirement &required : bundle.requirements(launch))
      if (!evaluable("requirement", required.lhs, actuals) ||
          !evaluable("requirement", required.rhs, actuals))
        return false;
    return true;
  }

  bool requirement(const Requirement &required) {
    return (uint8_t(required.relation) < relationCount ||
            fail("unknown relation ", uint8_t(required.relation))) &&
           text("left side", required.lhsText) &&
           text("right side", required.rhsText, /*mayBeEmpty=*/true);
  }

  bool evaluable(const char *what, Range range,
                 std::span<const Argument> actuals) {
    if (!inside(what, range, bundle.expressions().size()))
      return false;
    const std::string problem =
        expressionProblem(bundle.expression(range), actuals);
    return problem.empty() || fail(what, " ", problem);
  }

  bool plans() {
    nextLaunch = 0;
    nextBuffer = globalCount;
    if (!forEach("plan", bundle.plans(), &Validator::plan))
      return false;
    where = "plans";
    if (nextLaunch != bundle.launches().size() ||
        nextBuffer != bundle.buffers().size())
      return fail("some launches or buffers belong to no plan");
    return true;
  }

  bool plan(const Plan &plan) {
    if (!text("name", plan.name))
      return false;
    where += concat(" ('", bundle.string(plan.name), "')");
    if (uint8_t(plan.kind) >= planKindCount)
      return fail("unknown kind ", uint8_t(plan.kind));
    if (plan.minRows < 1 || plan.maxRows < plan.minRows ||
        plan.maxRows > maxRows)
      return fail("expected 1 <= minRows <= maxRows <= ", maxRows, ", got ",
                  plan.minRows, " and ", plan.maxRows);
    if (plan.maxSequences < 1 || plan.maxSequences > plan.maxRows)
      return fail("expected 1 <= maxSequences <= ", plan.maxRows, ", got ",
                  plan.maxSequences);
    if (hasOneRowPerSequence(plan.kind) && plan.maxSequences != plan.maxRows)
      return fail(
          "expected a decode plan to have as many sequences as rows, got ",
          plan.maxSequences, " and ", plan.maxRows);
    if (plan.arenaBytes > uint64_t(maxBytes))
      return fail("arena is larger than ", maxBytes, " bytes");
    if (!inside("launches", plan.launches, bundle.launches().size()) ||
        !inside("buffers", plan.buffers, bundle.buffers().size()))
      return false;
    if (plan.launches.first != nextLaunch || plan.buffers.first != nextBuffer)
      return fail("expected its launches and buffers to follow those of the "
                  "plan before");
    nextLaunch += plan.launches.count;
    nextBuffer += plan.buffers.count;
    return planBuffers(plan) && planArguments(plan);
  }

  bool planBuffers(const Plan &plan) {
    std::unordered_set<std::string_view> names;
    for (const Buffer &buffer : bundle.buffers(plan)) {
      const auto name = bundle.string(buffer.name);
      const int64_t bytes = bytesAt(buffer, plan.maxRows, plan.maxSequences);
      if (bytes < 0)
        return fail("buffer '", name, "' is larger than ", maxBytes, " bytes");
      if (buffer.kind != BufferKind::Arena) {
        if (!names.insert(name).second)
          return fail("two inputs or outputs are named '", name, "'");
      } else if (buffer.arenaOffset > plan.arenaBytes ||
                 uint64_t(bytes) > plan.arenaBytes - buffer.arenaOffset) {
        return fail("buffer '", name, "' of ", bytes, " bytes at ",
                    buffer.arenaOffset, " does not fit the arena of ",
                    plan.arenaBytes, " bytes");
      }
    }
    return true;
  }

  bool planArguments(const Plan &plan) {
    for (const Launch &launch : bundle.launches(plan))
      for (const Argument &argument : bundle.arguments(launch))
        if (argument.kind == ArgumentKind::View &&
            argument.buffer >= globalCount &&
            (argument.buffer < plan.buffers.first ||
             argument.buffer - plan.buffers.first >= plan.buffers.count))
          return fail("a launch uses buffer ", argument.buffer,
                      " of another plan");
    return true;
  }

  bool model() {
    where = "model";
    const ModelInfo &info = bundle.model();
    if (!text("name", info.name) || !text("tables", info.tables, true))
      return false;
    const std::pair<const char *, int64_t> sizes[] = {
        {"layers", info.layers},     {"heads", info.heads},
        {"width", info.width},       {"context", info.context},
        {"capacity", info.capacity}, {"vocabulary", info.vocabulary},
        {"ranks", info.ranks}};
    for (const auto &[what, size] : sizes)
      if (size < 1 || size > maxRows)
        return fail("expected ", what, " in [1, ", maxRows, "], got ", size);
    if (info.capacity > info.context)
      return fail("capacity ", info.capacity, " is larger than the context ",
                  info.context);
    if (!std::isfinite(info.epsilon) || info.epsilon < 0)
      return fail("epsilon is not a number >= 0");
    return uint8_t(info.weightType) < elementTypeCount ||
           fail("unknown element type ", uint8_t(info.weightType));
  }

  bool target() {
    where = "target";
    const bundle::Target &target = bundle.target();
    if (uint8_t(target.kind) >= targetKindCount)
      return fail("unknown kind ", uint8_t(target.kind));
    if (!text("architecture", target.architecture) ||
        !text("cpu", target.cpu, /*mayBeEmpty=*/true))
      return false;
    if (target.kind == TargetKind::Cuda)
      return (target.cpu.count == 0 && target.features == 0) ||
             fail("expected a device to have neither cpu nor CPU features");
    return target.features >> cpuFeatureCount == 0 ||
           fail("needs a CPU feature this build does not know");
  }

  const Bundle &bundle;
  std::string where;
  std::unordered_set<std::string_view> symbols;
  std::unordered_set<std::string_view> globalNames;
  size_t globalCount = 0;
  size_t nextLaunch = 0;
  size_t nextBuffer = 0;
};

} // namespace

runtime::Result<void> bundle::validate(const Bundle &bundle) {
  Validator validator(bundle);
  if (!validator.all())
    return runtime::makeError(runtime::ErrorCode::BadInput, validator.problem);
  return {};
}
