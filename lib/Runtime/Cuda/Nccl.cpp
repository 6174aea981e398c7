// Loads the NCCL library and its functions and checks its version.
#include "TileGPT/Runtime/Cuda/Nccl.h"
#include <dlfcn.h>

using namespace tilegpt;
using namespace tilegpt::cuda;
using runtime::concat;
using runtime::ErrorCode;
using runtime::makeError;
using runtime::Result;

std::string cuda::ncclVersionText(int version) {
  return concat(version / 10000, ".", version / 100 % 100, ".", version % 100);
}

Result<void> Nccl::check(ncclResult_t status, ncclComm_t comm,
                         std::string_view what) const {
  if (status == ncclSuccess)
    return {};
  const char *text = getErrorString(status);
  const char *last = getLastError ? getLastError(comm) : nullptr;
  return makeError(ErrorCode::Device, "nccl: ", what, ": ",
                   text ? text : "unknown error",
                   last && *last ? concat(" (", last, ")") : "",
                   "; set NCCL_DEBUG=WARN for details");
}

Result<std::shared_ptr<const Nccl>> Nccl::load(const std::string &library) {
  void *handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return makeError(ErrorCode::Device, "nccl: cannot load NCCL (", ::dlerror(),
                     "); install libnccl2, or pass --collectives host");
  auto nccl = std::make_shared<Nccl>();
  const char *missing = nullptr;
  const auto find = [&](auto &function, const char *symbol) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
        ::dlsym(handle, symbol));
    if (!function && !missing)
      missing = symbol;
  };
  find(nccl->getLastError, "ncclGetLastError");
  missing = nullptr; // older ones do without
  find(nccl->getVersion, "ncclGetVersion");
  find(nccl->getUniqueId, "ncclGetUniqueId");
  find(nccl->commInitRank, "ncclCommInitRank");
  find(nccl->commDestroy, "ncclCommDestroy");
  find(nccl->commAbort, "ncclCommAbort");
  find(nccl->commGetAsyncError, "ncclCommGetAsyncError");
  find(nccl->allReduce, "ncclAllReduce");
  find(nccl->allGather, "ncclAllGather");
  find(nccl->getErrorString, "ncclGetErrorString");
  if (missing)
    return makeError(ErrorCode::Device, "nccl: '", library,
                     "' is not a supported NCCL: it lacks ", missing);
  if (auto asked = nccl->check(nccl->getVersion(&nccl->version), nullptr,
                               "cannot query the version");
      !asked)
    return tl::unexpected(asked.error());
  if (nccl->version < minVersion)
    return makeError(ErrorCode::Device, "nccl: expected NCCL ",
                     ncclVersionText(minVersion), " or newer, found ",
                     ncclVersionText(nccl->version),
                     "; update libnccl2, or pass --collectives host");
  return nccl;
}
