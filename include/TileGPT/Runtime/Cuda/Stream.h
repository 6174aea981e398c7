// Streams, events and captured graphs of a GPU.
#ifndef TILEGPT_RUNTIME_CUDA_STREAM_H
#define TILEGPT_RUNTIME_CUDA_STREAM_H

#include "TileGPT/Runtime/Cuda/Device.h"
#include <utility>

namespace tilegpt::cuda {

/// A handle of the driver with the function that destroys it.
template <typename Handle, CUresult (*Driver::*destroy)(Handle)>
class Owned {
public:
  Owned() = default;
  Owned(std::shared_ptr<Device> device, Handle handle)
      : device(std::move(device)), handle(handle) {}
  Owned(Owned &&other) noexcept { swap(other); }
  Owned &operator=(Owned &&other) noexcept {
    swap(other);
    return *this;
  }
  ~Owned() {
    if (device)
      (device->driver().*destroy)(handle);
  }

  Handle get() const { return handle; }
  explicit operator bool() const { return device != nullptr; }
  const Driver &driver() const { return device->driver(); }

private:
  void swap(Owned &other) noexcept {
    std::swap(device, other.device);
    std::swap(handle, other.handle);
  }

  std::shared_ptr<Device> device;
  Handle handle{};
};

using Module = Owned<CUmodule, &Driver::moduleUnload>;
using GraphExec = Owned<CUgraphExec, &Driver::graphExecDestroy>;

/// A point in a stream.
class Event {
public:
  Event() = default;
  /// \param timing whether since() will be called.
  static runtime::Result<Event> create(std::shared_ptr<Device> device,
                                       bool timing);

  CUevent get() const { return event.get(); }
  const Driver &driver() const { return event.driver(); }
  /// Waits for the event.
  /// \returns the first error of the preceding work, including kernels.
  CUresult synchronize() const;
  /// Like synchronize(), but returns CUDA_ERROR_NOT_READY instead of waiting.
  CUresult query() const;
  /// Milliseconds since an earlier event; both must have completed.
  runtime::Result<float> since(const Event &begin) const;

private:
  Owned<CUevent, &Driver::eventDestroy> event;
};

class Stream {
public:
  Stream() = default;
  /// A new stream, which does not synchronize with the default stream.
  static runtime::Result<Stream> create(std::shared_ptr<Device> device);

  CUstream get() const { return stream.get(); }

  runtime::Result<void> copyToDevice(CUdeviceptr to, const void *from,
                                     size_t bytes) const;
  runtime::Result<void> copyToHost(void *to, CUdeviceptr from,
                                   size_t bytes) const;
  /// Copies `rows` rows of `bytes` each, `fromPitch` and `toPitch` bytes apart,
  /// on the device.
  runtime::Result<void> copyRows(CUdeviceptr to, size_t toPitch,
                                 CUdeviceptr from, size_t fromPitch,
                                 size_t bytes, size_t rows) const;
  runtime::Result<void> fillZero(CUdeviceptr address, size_t bytes) const;
  runtime::Result<void> record(const Event &event) const;
  /// Makes later work wait for the last recording of `event`. If that is part
  /// of a graph capture, this stream joins the capture until the other one
  /// waits for it.
  runtime::Result<void> wait(const Event &event) const;
  runtime::Result<void> launch(const GraphExec &graph) const;
  /// Waits for all work so far.
  /// \returns its first error, including kernels.
  CUresult synchronize() const;
  /// Like synchronize(), but returns CUDA_ERROR_NOT_READY instead of waiting.
  CUresult query() const;

  /// Starts a graph capture of what this thread enqueues on the stream.
  runtime::Result<void> beginCapture() const;
  /// Ends the capture.
  /// \returns the captured graph, ready to launch.
  runtime::Result<GraphExec> endCapture() const;

private:
  std::shared_ptr<Device> device;
  Owned<CUstream, &Driver::streamDestroy> stream;
};

} // namespace tilegpt::cuda

#endif // TILEGPT_RUNTIME_CUDA_STREAM_H
