// Collectives in a step, and waiting for steps that depend on other ranks.
#include "TileGPT/Runtime/Cuda/Executor.h"
#include <algorithm>
#include <chrono>
#include <thread>

using namespace tilegpt;
using namespace tilegpt::cuda;
using bundle::Collective;
using runtime::Result;

/// Allocates memory for the contributions of all ranks to an all_gather.
/// \param words  two views [rows, columns]: address, sizes, strides.
Result<void> Executor::prepareExchange(PreparedLaunch &launch,
                                       const uint64_t *words) {
  constexpr size_t viewWords = 5;
  const bundle::Kernel &kernel = bundle->kernel(*launch.launch);
  Exchange &exchange = launch.exchange.emplace();
  exchange.kind = kernel.collective;
  exchange.type = bundle->parameters(kernel)[0].type;
  exchange.in = words[0];
  exchange.out = words[viewWords];
  exchange.rows = int64_t(words[1]);
  exchange.columns = int64_t(words[2]);
  exchange.allColumns = int64_t(words[viewWords + 2]);
  if (exchange.kind == Collective::AllReduce)
    return {};
  const int64_t part = exchange.rows * exchange.columns;
  if (exchange.rows == 1 && exchange.columns * ranks == exchange.allColumns)
    return {};
  const auto bytes = size_t(part * ranks * bundle::byteWidth(exchange.type));
  if (gathered.empty() || gathered.back().size() < bytes) {
    // Graphs still use the previous memory.
    auto larger =
        DeviceMemory::allocate(device, bytes, "the exchange between ranks");
    if (!larger)
      return tl::unexpected(larger.error());
    gathered.push_back(std::move(*larger));
  }
  exchange.gathered = gathered.back().address();
  return {};
}

Result<void> Executor::issueExchange(const Exchange &exchange,
                                     const Stream &stream) const {
  if (exchange.kind == Collective::AllReduce)
    return collectives->allReduce(exchange.type, exchange.in, exchange.out,
                                  exchange.rows * exchange.columns, stream);
  const int64_t width = bundle::byteWidth(exchange.type);
  const int64_t part = exchange.rows * exchange.columns;
  if (exchange.gathered == 0)
    return collectives->allGather(exchange.type, exchange.in, exchange.out,
                                  part, stream);
  if (auto done = collectives->allGather(exchange.type, exchange.in,
                                         exchange.gathered, part, stream);
      !done)
    return done;
  CUdeviceptr from = exchange.gathered;
  for (int64_t first = 0; first < exchange.allColumns;
       first += exchange.columns) {
    const int64_t columns =
        std::min(exchange.columns, exchange.allColumns - first);
    if (auto done =
            stream.copyRows(exchange.out + CUdeviceptr(first * width),
                            size_t(exchange.allColumns * width), from,
                            size_t(exchange.columns * width),
                            size_t(columns * width), size_t(exchange.rows));
        !done)
      return done;
    from += CUdeviceptr(part * width);
  }
  return {};
}

/// Waits for an event; if it depends on other ranks, only as long as they are
/// alive.
template <typename Moment>
Result<void> Executor::waitFor(const Moment &moment,
                               const runtime::Step &step) {
  CUresult status = CUDA_ERROR_NOT_READY;
  if (collectives) {
    constexpr std::chrono::milliseconds lookEvery{1};
    auto nextLook = std::chrono::steady_clock::now() + lookEvery;
    while ((status = moment.query()) == CUDA_ERROR_NOT_READY) {
      if (std::chrono::steady_clock::now() < nextLook) {
        std::this_thread::yield();
        continue;
      }
      if (auto there = collectives->check(); !there) {
        // Nothing waits for other ranks from here on.
        (void)moment.synchronize();
        return there;
      }
      nextLook = std::chrono::steady_clock::now() + lookEvery;
    }
  }
  if (status == CUDA_ERROR_NOT_READY)
    status = moment.synchronize();
  if (status != CUDA_SUCCESS)
    return tl::unexpected(kernelFailed(step, status));
  return {};
}

template Result<void> Executor::waitFor(const Stream &moment,
                                        const runtime::Step &step);
template Result<void> Executor::waitFor(const Event &moment,
                                        const runtime::Step &step);
