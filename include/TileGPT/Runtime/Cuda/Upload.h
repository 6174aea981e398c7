// Large copies from ordinary memory to a GPU: through two page-locked buffers,
// so that one is filled while the other is on its way.
#ifndef TILEGPT_RUNTIME_CUDA_UPLOAD_H
#define TILEGPT_RUNTIME_CUDA_UPLOAD_H

#include "TileGPT/Runtime/Cuda/Memory.h"
#include "TileGPT/Runtime/Cuda/Stream.h"

namespace tilegpt::cuda {

class Uploader {
public:
  /// \param bufferBytes of each of the two buffers.
  /// \param stream      outlives the uploader.
  static runtime::Result<Uploader> create(const std::shared_ptr<Device> &device,
                                          const Stream &stream,
                                          size_t bufferBytes);

  /// Copies; `from` has been read when this returns, `to` is written when the
  /// stream gets there.
  runtime::Result<void> upload(CUdeviceptr to, const void *from, size_t bytes);

  /// Waits until everything has arrived; call it before the uploader goes.
  runtime::Result<void> finish();

private:
  struct Buffer {
    PinnedMemory memory;
    Event copied; ///< when its last copy is over
    bool inFlight = false;
  };

  explicit Uploader(const Stream &stream) : stream(&stream) {}

  /// The buffer that was used longest ago, free to be written.
  runtime::Result<Buffer *> nextBuffer();

  const Stream *stream;
  Buffer buffers[2];
  unsigned next = 0;
};

} // namespace tilegpt::cuda

#endif // TILEGPT_RUNTIME_CUDA_UPLOAD_H
