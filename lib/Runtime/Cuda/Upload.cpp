// Double buffering: two staging buffers, each with an event that marks it free.
#include "TileGPT/Runtime/Cuda/Upload.h"
#include <algorithm>
#include <cstring>

using namespace tilegpt;
using namespace tilegpt::cuda;
using runtime::Result;

Result<Uploader> Uploader::create(const std::shared_ptr<Device> &device,
                                  const Stream &stream, size_t bufferBytes) {
  Uploader uploader(stream);
  for (Buffer &buffer : uploader.buffers) {
    auto memory =
        PinnedMemory::allocate(device, bufferBytes, "copies to the device");
    if (!memory)
      return tl::unexpected(memory.error());
    auto copied = Event::create(device, /*timing=*/false);
    if (!copied)
      return tl::unexpected(copied.error());
    buffer.memory = std::move(*memory);
    buffer.copied = std::move(*copied);
  }
  return uploader;
}

Result<Uploader::Buffer *> Uploader::nextBuffer() {
  Buffer &buffer = buffers[next];
  next = (next + 1) % std::size(buffers);
  if (buffer.inFlight)
    if (auto done = buffer.copied.driver().check(buffer.copied.synchronize(),
                                                 "cannot wait for a copy");
        !done)
      return tl::unexpected(done.error());
  buffer.inFlight = false;
  return &buffer;
}

Result<void> Uploader::upload(CUdeviceptr to, const void *from, size_t bytes) {
  const std::byte *source = static_cast<const std::byte *>(from);
  while (bytes > 0) {
    const auto buffer = nextBuffer();
    if (!buffer)
      return tl::unexpected(buffer.error());
    const PinnedMemory &staging = (*buffer)->memory;
    const size_t piece = std::min(bytes, staging.size());
    std::memcpy(staging.data(), source, piece);
    if (auto done = stream->copyToDevice(to, staging.data(), piece); !done)
      return done;
    if (auto done = stream->record((*buffer)->copied); !done)
      return done;
    (*buffer)->inFlight = true;
    source += piece;
    to += piece;
    bytes -= piece;
  }
  return {};
}

Result<void> Uploader::finish() {
  for (size_t i = 0; i < std::size(buffers); ++i)
    if (auto buffer = nextBuffer(); !buffer)
      return tl::unexpected(buffer.error());
  return {};
}
