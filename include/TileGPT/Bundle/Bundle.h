// A validated, read-only bundle: spans over the tables of an image. Opening
// validates every byte, index, range and size, so code that holds a Bundle need
// not check again.
#ifndef TILEGPT_BUNDLE_BUNDLE_H
#define TILEGPT_BUNDLE_BUNDLE_H

#include "TileGPT/Bundle/Format.h"
#include "TileGPT/Runtime/Error.h"
#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

namespace tilegpt::bundle {

/// Move-only; spans and string views stay valid as long as the bundle, also
/// when it is moved.
class Bundle {
public:
  /// Reads and checks a `.tgb` file. The file may change or vanish afterwards.
  /// \returns BadInput for a file that is not a bundle, of another version,
  /// truncated, or damaged; the message starts
  ///          with the path.
  static runtime::Result<Bundle> open(const std::filesystem::path &path);

  /// Checks an image in memory and takes it over.
  static runtime::Result<Bundle> fromBytes(std::vector<std::byte> image);

  /// Checks an image owned by the caller, who keeps it alive. It must be
  /// aligned to 8 bytes.
  static runtime::Result<Bundle> view(std::span<const std::byte> image);

  Bundle(Bundle &&) = default;
  Bundle &operator=(Bundle &&) = default;

  /// The whole image, ready to be saved.
  std::span<const std::byte> bytes() const { return image; }

  std::string_view string(Range range) const {
    return stringTable.substr(range.first, range.count);
  }
  // The tables, whole.
  std::string_view strings() const { return stringTable; }
  std::span<const Range> messages() const { return messageTable; }
  std::span<const Parameter> parameters() const { return parameterTable; }
  std::span<const TensorMap> tensorMaps() const { return tensorMapTable; }
  std::span<const Kernel> kernels() const { return kernelTable; }
  std::span<const Expression> expressions() const { return expressionTable; }
  std::span<const Requirement> requirements() const { return requirementTable; }
  std::span<const Argument> arguments() const { return argumentTable; }
  std::span<const Launch> launches() const { return launchTable; }
  std::span<const Buffer> buffers() const { return bufferTable; }
  std::span<const Plan> plans() const { return planTable; }
  const ModelInfo &model() const { return *modelInfo; }
  const Target &target() const { return *targetInfo; }
  /// The ELF shared object; empty if there are no kernels or they run on
  /// another device.
  std::span<const std::byte> hostCode() const { return hostBytes; }
  /// The images of all kernels; empty if they run on the host.
  std::span<const std::byte> deviceCode() const { return deviceBytes; }

  // What one entry refers to.
  std::span<const Launch> launches(const Plan &plan) const {
    return slice(launchTable, plan.launches);
  }
  std::span<const Buffer> buffers(const Plan &plan) const {
    return slice(bufferTable, plan.buffers);
  }
  std::span<const Parameter> parameters(const Kernel &kernel) const {
    return slice(parameterTable, kernel.parameters);
  }
  std::span<const Range> messages(const Kernel &kernel) const {
    return slice(messageTable, kernel.messages);
  }
  std::span<const TensorMap> tensorMaps(const Kernel &kernel) const {
    return slice(tensorMapTable, kernel.device.tensorMaps);
  }
  /// The device image that holds a kernel; empty for a kernel of the host.
  std::span<const std::byte> deviceImage(const Kernel &kernel) const {
    return deviceBytes.subspan(kernel.device.imageOffset,
                               kernel.device.imageBytes);
  }
  std::span<const Argument> arguments(const Launch &launch) const {
    return slice(argumentTable, launch.arguments);
  }
  std::span<const Expression> expression(Range range) const {
    return slice(expressionTable, range);
  }
  std::span<const Requirement> requirements(const Launch &launch) const {
    return slice(requirementTable, launch.requirements);
  }
  const Kernel &kernel(const Launch &launch) const {
    return kernelTable[launch.kernel];
  }

private:
  Bundle() = default;
  static runtime::Result<Bundle> check(std::span<const std::byte> image);

  template <typename T>
  static std::span<const T> slice(std::span<const T> table, Range range) {
    return table.subspan(range.first, range.count);
  }

  std::vector<std::byte> owned;
  std::span<const std::byte> image;
  std::string_view stringTable;
  std::span<const Range> messageTable;
  std::span<const Parameter> parameterTable;
  std::span<const TensorMap> tensorMapTable;
  std::span<const Kernel> kernelTable;
  std::span<const Expression> expressionTable;
  std::span<const Requirement> requirementTable;
  std::span<const Argument> argumentTable;
  std::span<const Launch> launchTable;
  std::span<const Buffer> bufferTable;
  std::span<const Plan> planTable;
  const ModelInfo *modelInfo = nullptr;
  const Target *targetInfo = nullptr;
  std::span<const std::byte> hostBytes;
  std::span<const std::byte> deviceBytes;
};

/// Writes an image such that `path` contains either its previous contents or
/// the whole image: a temporary file beside it, fsync, rename.
/// \returns Failure with the system's reason (full disk, no permission);
/// removes the temporary file.
runtime::Result<void> save(std::span<const std::byte> image,
                           const std::filesystem::path &path);

} // namespace tilegpt::bundle

#endif // TILEGPT_BUNDLE_BUNDLE_H
