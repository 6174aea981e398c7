// Checks the constraints of the hardware, for which the driver only reports
// "invalid value".
#include "TileGPT/Runtime/Cuda/TensorMap.h"
#include <algorithm>

using namespace tilegpt;
using namespace tilegpt::cuda;
using bundle::ElementType;
using runtime::ErrorCode;
using runtime::makeError;
using runtime::Result;

/// The element type of a descriptor; only its width and the fill of
/// out-of-bounds elements matter.
static CUtensorMapDataType dataType(ElementType type) {
  switch (type) {
  case ElementType::I1:
  case ElementType::I8:
  case ElementType::F8E4M3FN:
  case ElementType::F8E5M2:
    return CU_TENSOR_MAP_DATA_TYPE_UINT8;
  case ElementType::I16:
    return CU_TENSOR_MAP_DATA_TYPE_UINT16;
  case ElementType::I32:
    return CU_TENSOR_MAP_DATA_TYPE_INT32;
  case ElementType::I64:
    return CU_TENSOR_MAP_DATA_TYPE_INT64;
  case ElementType::F16:
    return CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
  case ElementType::BF16:
    return CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
  case ElementType::F32:
    return CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
  case ElementType::F64:
    return CU_TENSOR_MAP_DATA_TYPE_FLOAT64;
  }
  __builtin_unreachable();
}

Result<CUtensorMap> cuda::encodeTensorMap(const Driver &driver,
                                          const bundle::TensorMap &map,
                                          const uint64_t *view) {
  constexpr uint64_t pieceBytes = 16;
  constexpr uint64_t mostElements = uint64_t(1) << 32;
  const unsigned rank = map.rank;
  const uint64_t width = uint64_t(byteWidth(map.type));
  const uint64_t *const viewSizes = view + 1, *const viewStrides =
                                                  view + 1 + rank;
  if (view[0] % pieceBytes != 0)
    return makeError(ErrorCode::Failure,
                     "expected an address that is a "
                     "multiple of ",
                     pieceBytes, " bytes, got ", view[0] % pieceBytes,
                     " bytes more");
  if (viewSizes[rank - 1] > 1 && viewStrides[rank - 1] != 1)
    return makeError(ErrorCode::Failure,
                     "expected elements of the last axis side by side, got a "
                     "stride of ",
                     viewStrides[rank - 1]);

  const bool empty =
      std::find(viewSizes, viewSizes + rank, 0) != viewSizes + rank;
  uint64_t sizes[bundle::maxTensorMapRank], strides[bundle::maxTensorMapRank];
  uint32_t ones[bundle::maxTensorMapRank];
  for (unsigned i = 0; i < rank; ++i) {
    const unsigned axis = rank - 1 - i; // fastest first
    sizes[i] = empty ? 1 : viewSizes[axis];
    ones[i] = 1;
    if (sizes[i] > mostElements)
      return makeError(ErrorCode::Failure, "expected at most ", mostElements,
                       " elements along axis ", axis, ", got ", sizes[i]);
    if (i == 0)
      continue;
    // The stride of an axis of size 1 is unused but must be valid.
    uint64_t &stride = strides[i - 1];
    stride = viewStrides[axis] * width;
    if (sizes[i] == 1)
      stride = std::max(stride / pieceBytes, uint64_t(1)) * pieceBytes;
    if (stride % pieceBytes != 0 || stride == 0)
      return makeError(ErrorCode::Failure, "expected a stride along axis ",
                       axis, " of a multiple of ", pieceBytes, " bytes, got ",
                       stride);
  }

  // NOLINTNEXTLINE(performance-no-int-to-ptr): a device address
  void *const address = reinterpret_cast<void *>(view[0]);
  CUtensorMap encoded;
  if (auto done = driver.check(
          driver.tensorMapEncodeTiled(&encoded, dataType(map.type), rank,
                                      address, sizes, strides, map.box, ones,
                                      CU_TENSOR_MAP_INTERLEAVE_NONE,
                                      CUtensorMapSwizzle(map.swizzle),
                                      CUtensorMapL2promotion(map.l2Promotion),
                                      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE),
          "cannot encode a tensor map");
      !done)
    return tl::unexpected(done.error());
  return encoded;
}
