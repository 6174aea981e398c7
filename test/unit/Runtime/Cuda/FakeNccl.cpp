// The fake's implementation of NCCL. A rank's part of an exchange is a file
// that the others wait for; work runs when the fake driver's stream reaches it.
#include "FakeNccl.h"
#include "TileGPT/Runtime/FloatBits.h"
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>
#include <vector>

using namespace tilegpt::cuda;
using namespace tilegpt::test;
using tilegpt::runtime::BFloat;
using tilegpt::runtime::Half;

namespace tilegpt::cuda {
struct ncclComm {
  std::filesystem::path folder;
  int ranks, rank;
  int exchanges = 0;
};
} // namespace tilegpt::cuda

namespace {

// Without it no test could run.
// NOLINTNEXTLINE(bugprone-throwing-static-initialization)
FakeNccl state;

constexpr ncclResult_t internalError = ncclResult_t(3);

ncclResult_t enter(const char *function) {
  return state.failing == function ? internalError : ncclSuccess;
}

/// Enqueues work on a stream of the fake driver.
void enqueue(CUstream stream, const std::function<void()> &work) {
  static void *const library = ::dlopen(FAKE_CUDA, RTLD_NOW | RTLD_LOCAL);
  static auto *const put =
      reinterpret_cast<void (*)(CUstream, const std::function<void()> &)>(
          ::dlsym(library, "fakeCudaEnqueue"));
  put(stream, work);
}

/// Sends `mine` to all ranks. \returns the parts of all ranks
std::vector<std::vector<char>> exchange(ncclComm &comm, const char *mine,
                                        size_t bytes) {
  const int number = comm.exchanges++;
  const auto fileOf = [&](int rank) {
    return comm.folder / (std::to_string(number) + "-" + std::to_string(rank));
  };
  const std::filesystem::path file = fileOf(comm.rank);
  const std::filesystem::path unfinished = file.string() + ".part";
  std::ofstream(unfinished, std::ios::binary)
      .write(mine, std::streamsize(bytes));
  std::filesystem::rename(unfinished, file);
  std::vector<std::vector<char>> parts;
  for (int rank = 0; rank < comm.ranks; ++rank) {
    for (int tries = 0; !std::filesystem::exists(fileOf(rank)); ++tries) {
      if (tries == 10000)
        std::abort(); // nobody waits for ever in a test
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    parts.emplace_back(bytes);
    std::ifstream(fileOf(rank), std::ios::binary)
        .read(parts.back().data(), std::streamsize(bytes));
  }
  return parts;
}

float widen(float value) { return value; }
float widen(BFloat value) { return toFloat(value); }
float widen(Half value) { return toFloat(value); }
void narrow(float value, float &to) { to = value; }
void narrow(float value, BFloat &to) { to = tilegpt::runtime::toBFloat(value); }
void narrow(float value, Half &to) { to = tilegpt::runtime::toHalf(value); }

template <typename T>
void sum(ncclComm &comm, const void *in, void *out, size_t count) {
  const auto parts =
      exchange(comm, static_cast<const char *>(in), count * sizeof(T));
  for (size_t i = 0; i < count; ++i) {
    float total = 0;
    for (const std::vector<char> &part : parts) {
      T value;
      std::memcpy(&value, part.data() + i * sizeof(T), sizeof(T));
      total += widen(value);
    }
    T rounded;
    narrow(total, rounded);
    std::memcpy(static_cast<char *>(out) + i * sizeof(T), &rounded, sizeof(T));
  }
}

} // namespace

extern "C" {

FakeNccl *fakeNcclState() { return &state; }

ncclResult_t ncclGetVersion(int *version) {
  *version = state.version;
  return enter("ncclGetVersion");
}

ncclResult_t ncclGetUniqueId(ncclUniqueId *id) {
  std::string folder =
      (std::filesystem::temp_directory_path() / "fake-nccl-XXXXXX").string();
  if (!::mkdtemp(folder.data()))
    return internalError;
  std::memset(id, 0, sizeof(*id));
  std::memcpy(id->internal, folder.data(), folder.size());
  return enter("ncclGetUniqueId");
}

ncclResult_t ncclCommInitRank(ncclComm_t *comm, int ranks, ncclUniqueId id,
                              int rank) {
  const ncclResult_t status = enter("ncclCommInitRank");
  if (status != ncclSuccess)
    return status;
  *comm = new ncclComm{id.internal, ranks, rank};
  exchange(**comm, "", 0);
  ++state.liveComms;
  return ncclSuccess;
}

ncclResult_t ncclCommDestroy(ncclComm_t comm) {
  exchange(*comm, "", 0);
  if (comm->rank == 0) {
    // Keep the files until the other ranks have read it.
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    std::filesystem::remove_all(comm->folder);
  }
  delete comm;
  --state.liveComms;
  return ncclSuccess;
}

ncclResult_t ncclCommAbort(ncclComm_t comm) {
  delete comm;
  --state.liveComms;
  ++state.aborted;
  return ncclSuccess;
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t, ncclResult_t *status) {
  *status = state.asyncError;
  return ncclSuccess;
}

ncclResult_t ncclAllReduce(const void *in, void *out, size_t count,
                           ncclDataType_t type, ncclRedOp_t op, ncclComm_t comm,
                           CUstream stream) {
  const ncclResult_t status = enter("ncclAllReduce");
  if (status != ncclSuccess || op != ncclSum)
    return internalError;
  enqueue(stream, [=] {
    if (type == ncclBfloat16)
      sum<BFloat>(*comm, in, out, count);
    else if (type == ncclFloat16)
      sum<Half>(*comm, in, out, count);
    else
      sum<float>(*comm, in, out, count);
  });
  return ncclSuccess;
}

ncclResult_t ncclAllGather(const void *in, void *out, size_t count,
                           ncclDataType_t type, ncclComm_t comm,
                           CUstream stream) {
  const ncclResult_t status = enter("ncclAllGather");
  if (status != ncclSuccess || type != ncclUint8)
    return internalError;
  enqueue(stream, [=] {
    const auto parts = exchange(*comm, static_cast<const char *>(in), count);
    for (size_t rank = 0; rank < parts.size(); ++rank)
      std::memcpy(static_cast<char *>(out) + rank * count, parts[rank].data(),
                  count);
  });
  return ncclSuccess;
}

const char *ncclGetErrorString(ncclResult_t) { return "internal error"; }
const char *ncclGetLastError(ncclComm_t) { return "fake"; }
}
