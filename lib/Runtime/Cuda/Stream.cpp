// Thin wrappers: one driver call and its error message each.
#include "TileGPT/Runtime/Cuda/Stream.h"

using namespace tilegpt;
using namespace tilegpt::cuda;
using runtime::Result;

Result<Event> Event::create(std::shared_ptr<Device> device, bool timing) {
  const Driver &driver = device->driver();
  CUevent handle = nullptr;
  if (auto done = driver.check(
          driver.eventCreate(&handle, timing ? CU_EVENT_DEFAULT
                                             : CU_EVENT_DISABLE_TIMING),
          "cannot create an event");
      !done)
    return tl::unexpected(done.error());
  Event result;
  result.event = {std::move(device), handle};
  return result;
}

CUresult Event::synchronize() const {
  return event.driver().eventSynchronize(event.get());
}

CUresult Event::query() const { return event.driver().eventQuery(event.get()); }

Result<float> Event::since(const Event &begin) const {
  const Driver &driver = event.driver();
  float milliseconds = 0;
  if (auto done = driver.check(
          driver.eventElapsedTime(&milliseconds, begin.get(), get()),
          "cannot measure time");
      !done)
    return tl::unexpected(done.error());
  return milliseconds;
}

Result<Stream> Stream::create(std::shared_ptr<Device> device) {
  const Driver &driver = device->driver();
  CUstream handle = nullptr;
  if (auto done =
          driver.check(driver.streamCreate(&handle, CU_STREAM_NON_BLOCKING),
                       "cannot create a stream");
      !done)
    return tl::unexpected(done.error());
  Stream result;
  result.device = device;
  result.stream = {std::move(device), handle};
  return result;
}

Result<void> Stream::copyToDevice(CUdeviceptr to, const void *from,
                                  size_t bytes) const {
  const Driver &driver = stream.driver();
  return driver.check(driver.memcpyHtoDAsync(to, from, bytes, get()),
                      "cannot copy ", bytes, " bytes to the device");
}

Result<void> Stream::copyToHost(void *to, CUdeviceptr from,
                                size_t bytes) const {
  const Driver &driver = stream.driver();
  return driver.check(driver.memcpyDtoHAsync(to, from, bytes, get()),
                      "cannot copy ", bytes, " bytes to the host");
}

Result<void> Stream::fillZero(CUdeviceptr address, size_t bytes) const {
  const Driver &driver = stream.driver();
  return driver.check(driver.memsetD8Async(address, 0, bytes, get()),
                      "cannot clear ", bytes, " bytes on the device");
}

Result<void> Stream::record(const Event &event) const {
  const Driver &driver = stream.driver();
  return driver.check(driver.eventRecord(event.get(), get()),
                      "cannot record an event");
}

Result<void> Stream::wait(const Event &event) const {
  const Driver &driver = stream.driver();
  return driver.check(driver.streamWaitEvent(get(), event.get(), /*flags=*/0),
                      "cannot wait for an event");
}

Result<void> Stream::launch(const GraphExec &graph) const {
  const Driver &driver = stream.driver();
  return driver.check(driver.graphLaunch(graph.get(), get()),
                      "cannot launch a graph");
}

CUresult Stream::synchronize() const {
  return stream.driver().streamSynchronize(get());
}

Result<void> Stream::beginCapture() const {
  const Driver &driver = stream.driver();
  return driver.check(
      driver.streamBeginCapture(get(), CU_STREAM_CAPTURE_MODE_THREAD_LOCAL),
      "cannot record a graph");
}

Result<GraphExec> Stream::endCapture() const {
  const Driver &driver = stream.driver();
  CUgraph graph = nullptr;
  if (auto done = driver.check(driver.streamEndCapture(get(), &graph),
                               "cannot record a graph");
      !done)
    return tl::unexpected(done.error());
  CUgraphExec executable = nullptr;
  auto done =
      driver.check(driver.graphInstantiate(&executable, graph, /*flags=*/0),
                   "cannot instantiate a graph");
  driver.graphDestroy(graph);
  if (!done)
    return tl::unexpected(done.error());
  return GraphExec(device, executable);
}

CUresult Stream::query() const { return stream.driver().streamQuery(get()); }

Result<void> Stream::copyRows(CUdeviceptr to, size_t toPitch, CUdeviceptr from,
                              size_t fromPitch, size_t bytes,
                              size_t rows) const {
  const Driver &driver = stream.driver();
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = from;
  copy.srcPitch = fromPitch;
  copy.dstDevice = to;
  copy.dstPitch = toPitch;
  copy.WidthInBytes = bytes;
  copy.Height = rows;
  return driver.check(driver.memcpy2DAsync(&copy, get()), "cannot copy ", rows,
                      " rows of ", bytes, " bytes on the device");
}
