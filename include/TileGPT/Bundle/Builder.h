// Collects the tables of a bundle and lays them out as one image; used by the
// last step of the compiler. Strings, expressions and messages are
// deduplicated.
#ifndef TILEGPT_BUNDLE_BUILDER_H
#define TILEGPT_BUNDLE_BUILDER_H

#include "TileGPT/Bundle/Format.h"
#include "TileGPT/Runtime/Error.h"
#include <array>
#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilegpt::bundle {

class Builder {
public:
  /// Interns text (UTF-8).
  Range addString(std::string_view text);

  /// Adds a kernel; returns its index.
  uint32_t addKernel(std::string_view name, std::string_view symbol,
                     std::span<const Parameter> parameters,
                     std::span<const std::string> messages = {},
                     Collective collective = Collective::None);

  /// Adds a buffer. Weights and states are global and shared by name: adding
  /// one again returns the same handle (the compiler must ask for the same type
  /// and shape, or finish() fails). The other kinds join the open plan.
  /// \returns a handle for view(); finish() decides the index in the table.
  uint32_t addBuffer(std::string_view name, BufferKind kind, ElementType type,
                     std::span<const Extent> shape, uint64_t arenaOffset = 0);

  /// Interns an expression in postfix order.
  Range addExpression(std::span<const Expression> postfix);

  /// An argument that is a view of `buffer`, a handle from addBuffer().
  static Argument view(uint32_t buffer, ElementType type, Extent offset,
                       std::span<const Extent> shape,
                       std::span<const Extent> strides);
  /// An argument that is a scalar; `bits` is zero-extended.
  static Argument scalar(ElementType type, uint64_t bits);

  /// Opens a plan; addLaunch() and plan-owned buffers go to it until endPlan().
  void beginPlan(std::string_view name, PlanKind kind, int64_t minRows,
                 int64_t maxRows, int64_t maxSequences);
  void addLaunch(uint32_t kernel, std::string_view label,
                 std::span<const Argument> arguments,
                 const std::array<Range, 3> &grid,
                 std::span<const Requirement> requirements = {});
  void endPlan(uint64_t arenaBytes);

  /// `info.name` is set from `name`, `info.tables` from `tables`.
  void setModel(std::string_view name, ModelInfo info,
                std::string_view tables = {});
  /// Code for this machine, in setHostCode().
  void setTarget(std::string_view architecture, std::string_view cpu,
                 uint64_t features);
  /// Code for NVIDIA GPUs, in setDeviceImage().
  /// \param architecture as ptxas names it, e.g. "sm_90a".
  void setCudaTarget(std::string_view architecture);
  /// \param image an ELF shared object that exports every kernel's symbol.
  void setHostCode(std::vector<std::byte> image);
  /// \param kernel     index from addKernel().
  /// \param image      a cubin, or PTX without a final zero byte, with this
  ///                   kernel alone.
  /// \param launch     how to launch it; offset, size and tensor maps are set
  ///                   here.
  /// \param tensorMaps its descriptors, in the order of its parameters.
  void setDeviceImage(uint32_t kernel, std::span<const std::byte> image,
                      DeviceKernel launch,
                      std::span<const TensorMap> tensorMaps = {});

  /// Lays out the image and checks it with Bundle's own rules. The builder is
  /// spent afterwards.
  runtime::Result<std::vector<std::byte>> finish();

private:
  struct PlanDraft {
    Plan plan;
    std::vector<uint32_t> buffers; // handles, in the order they were added
  };

  /// Remembers what finish() will report; only the first one counts.
  void mistake(std::string message);

  std::string strings;
  std::map<std::string, Range, std::less<>> internedStrings;
  std::vector<Range> messages;
  std::vector<Parameter> parameters;
  std::vector<TensorMap> tensorMaps;
  std::vector<Kernel> kernels;
  std::vector<Expression> expressions;
  std::vector<Requirement> requirements;
  std::vector<Argument> arguments;
  std::vector<Launch> launches;
  std::vector<Buffer> buffers;
  std::vector<uint32_t> globalBuffers;
  std::map<std::string, uint32_t, std::less<>> globalsByName;
  std::vector<PlanDraft> plans;
  bool planIsOpen = false;
  ModelInfo model;
  Target target;
  std::vector<std::byte> hostCode;
  std::vector<std::byte> deviceCode;
  std::string firstMistake; // reported by finish()
};

} // namespace tilegpt::bundle

#endif // TILEGPT_BUNDLE_BUILDER_H
