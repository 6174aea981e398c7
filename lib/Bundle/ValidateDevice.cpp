// Checks device kernels against limits common to all CUDA devices; the runtime
// checks the limits of a specific device.
#include "ValidateDevice.h"

using namespace tilegpt;
using namespace tilegpt::bundle;
using runtime::concat;

namespace {

/// Limits that no CUDA device exceeds so far.
constexpr uint32_t maxThreads = 1024;
constexpr uint32_t maxClusterSize = 8;
constexpr uint32_t maxSharedBytes = 227 * 1024;
/// The limit of every axis of a TMA box.
constexpr uint32_t maxBox = 256;
/// The granularity of TMA copies in bytes.
constexpr uint64_t pieceBytes = 16;

std::string imageProblem(const Bundle &bundle, const Kernel &kernel) {
  const DeviceKernel &device = kernel.device;
  const uint64_t codeBytes = bundle.deviceCode().size();
  if (uint8_t(device.imageKind) >= imageKindCount)
    return concat("unknown image kind ", uint8_t(device.imageKind));
  if (device.imageOffset % deviceCodeAlignment != 0)
    return concat("image offset ", device.imageOffset, " is not a multiple of ",
                  deviceCodeAlignment);
  if (device.imageOffset > codeBytes ||
      device.imageBytes > codeBytes - device.imageOffset)
    return concat("image of ", device.imageBytes, " bytes at ",
                  device.imageOffset, " reaches past the device code of ",
                  codeBytes, " bytes");
  const auto image = bundle.deviceImage(kernel);
  if (device.imageKind == ImageKind::Cubin)
    return isElf(image) ? "" : "expected a cubin, which is an ELF image";
  return !image.empty() &&
                 std::ranges::find(image, std::byte{0}) == image.end() - 1
             ? ""
             : "expected PTX with one zero byte, at its end";
}

std::string launchProblem(const DeviceKernel &device) {
  if (device.flags & ~deviceFlagMask)
    return concat("unknown flags ", device.flags);
  if (device.threads < 1 || device.threads > maxThreads)
    return concat("expected 1 to ", maxThreads, " threads, got ",
                  device.threads);
  if (device.clusterSize < 1 || device.clusterSize > maxClusterSize)
    return concat("expected a cluster of 1 to ", maxClusterSize,
                  " blocks, got ", device.clusterSize);
  if (device.sharedBytes > maxSharedBytes)
    return concat("expected at most ", maxSharedBytes,
                  " bytes of shared memory, got ", device.sharedBytes);
  if (device.has(DeviceFlag::Persistent) !=
      (device.blocksPerMultiprocessor > 0))
    return concat("expected blocks for each multiprocessor of a persistent "
                  "kernel and of no other, got ",
                  device.blocksPerMultiprocessor);
  return "";
}

std::string argumentProblem(const Bundle &bundle, const Kernel &kernel) {
  const auto formals = bundle.parameters(kernel);
  const auto maps = bundle.tensorMaps(kernel);
  for (size_t i = 0; i < maps.size(); ++i) {
    const TensorMap &map = maps[i];
    if (map.argument >= formals.size() ||
        formals[map.argument].kind != ArgumentKind::View)
      return concat("tensor map ", i, " describes argument ", map.argument,
                    ", which is not a view");
    const Parameter &formal = formals[map.argument];
    if (map.rank != formal.rank)
      return concat("tensor map ", i, " has rank ", map.rank, ", but argument ",
                    map.argument, " has rank ", formal.rank);
    if (byteWidth(map.type) != byteWidth(formal.type))
      return concat("tensor map ", i, " moves ", name(map.type),
                    ", but argument ", map.argument, " has elements of type ",
                    name(formal.type));
  }
  return "";
}

} // namespace

std::string bundle::deviceKernelProblem(const Bundle &bundle,
                                        const Kernel &kernel) {
  std::string problem = imageProblem(bundle, kernel);
  if (problem.empty())
    problem = launchProblem(kernel.device);
  return problem.empty() ? argumentProblem(bundle, kernel) : problem;
}

std::string bundle::tensorMapProblem(const TensorMap &map) {
  if (uint8_t(map.type) >= elementTypeCount)
    return concat("unknown element type ", uint8_t(map.type));
  if (uint8_t(map.swizzle) >= tensorSwizzleCount)
    return concat("unknown swizzle ", uint8_t(map.swizzle));
  if (uint8_t(map.l2Promotion) >= l2PromotionCount)
    return concat("unknown L2 promotion ", uint8_t(map.l2Promotion));
  if (map.rank < 1 || map.rank > maxTensorMapRank)
    return concat("expected a rank of 1 to ", maxTensorMapRank, ", got ",
                  map.rank);
  for (unsigned i = 0; i < map.rank; ++i)
    if (map.box[i] < 1 || map.box[i] > maxBox)
      return concat("expected size ", i, " of the box in [1, ", maxBox,
                    "], got ", map.box[i]);
  const uint64_t rowBytes = map.box[0] * uint64_t(byteWidth(map.type));
  if (rowBytes % pieceBytes != 0)
    return concat("expected rows of a multiple of ", pieceBytes, " bytes, got ",
                  rowBytes);
  const uint64_t span = pieceBytes << uint8_t(map.swizzle);
  if (map.swizzle != TensorSwizzle::None && rowBytes > span)
    return concat("expected rows of at most ", span,
                  " bytes, the span of the swizzle, got ", rowBytes);
  return "";
}
