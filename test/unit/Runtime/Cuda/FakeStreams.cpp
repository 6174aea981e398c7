// The fake's streams, graphs and events.
#include "FakeDriver.h"
#include <algorithm>
#include <iterator>
#include <utility>

using namespace tilegpt::cuda;
using namespace tilegpt::test;

static constexpr CUresult captureError = CUresult(900);

extern "C" {

CUresult cuStreamCreate(CUstream *stream, unsigned) {
  const CUresult status = enterContext("cuStreamCreate");
  if (status != CUDA_SUCCESS)
    return status;
  *stream = new CUstream_st();
  streams.insert(*stream);
  ++state.liveObjects;
  return CUDA_SUCCESS;
}

CUresult cuStreamDestroy_v2(CUstream stream) {
  drain(stream);
  streams.erase(stream);
  return destroy("cuStreamDestroy_v2", stream);
}

CUresult cuStreamSynchronize(CUstream stream) {
  const CUresult status = enterContext("cuStreamSynchronize");
  if (status != CUDA_SUCCESS)
    return status;
  if (stream->recording)
    return captureError;
  drain(stream);
  return fault;
}

CUresult cuStreamQuery(CUstream stream) {
  const CUresult status = enterContext("cuStreamQuery");
  if (status != CUDA_SUCCESS)
    return status;
  if (state.stuck)
    return CUDA_ERROR_NOT_READY;
  drain(stream);
  return fault;
}

/// Also checks the driver's rule that streams which join a capture must rejoin
/// its origin stream before it ends.
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned) {
  const CUresult status = enterContext("cuStreamWaitEvent");
  if (status != CUDA_SUCCESS || !event->stream)
    return status;
  if (!event->isInRecording) {
    enqueue(stream, [event, time = event->recorded] {
      drain(event->stream, [&] { return event->reached >= time; });
    });
    return CUDA_SUCCESS;
  }
  CUstream other = event->stream;
  if (!other->recording)
    return captureError;
  if (!stream->recording) {
    stream->recording.emplace();
    stream->origin = other;
    stream->moved = 0;
  } else if (other->origin == stream) {
    // Moves the work as late as possible: when it is waited for.
    auto &from = *other->recording;
    const auto end = from.begin() + std::ptrdiff_t(event->mark - other->moved);
    std::move(from.begin(), end, std::back_inserter(*stream->recording));
    from.erase(from.begin(), end);
    other->moved = event->mark;
  }
  return CUDA_SUCCESS;
}

CUresult cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode) {
  const CUresult status = enterContext("cuStreamBeginCapture_v2");
  if (status == CUDA_SUCCESS)
    stream->recording.emplace();
  stream->moved = 0;
  return status;
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph) {
  const CUresult status = enterContext("cuStreamEndCapture");
  if (!stream->recording)
    return captureError;
  std::vector<Work> work = std::move(*stream->recording);
  stream->recording.reset();
  for (const CUstream other : streams)
    if (std::exchange(other->origin, nullptr) == stream) {
      const bool isJoined = other->recording->empty();
      other->recording.reset();
      if (!isJoined)
        return CUresult(904); // unjoined
    }
  if (status != CUDA_SUCCESS)
    return status;
  *graph = new CUgraph_st{std::move(work)};
  ++state.liveObjects;
  return CUDA_SUCCESS;
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec *executable, CUgraph graph,
                                     unsigned long long) {
  const CUresult status = enterContext("cuGraphInstantiateWithFlags");
  if (status != CUDA_SUCCESS)
    return status;
  *executable = new CUgraphExec_st{graph->work};
  ++state.liveObjects;
  return CUDA_SUCCESS;
}

CUresult cuGraphLaunch(CUgraphExec executable, CUstream stream) {
  const CUresult status = enterContext("cuGraphLaunch");
  if (status != CUDA_SUCCESS)
    return status;
  ++state.graphLaunches;
  for (const Work &work : executable->work)
    if (state.eager)
      work();
    else
      enqueue(stream, work);
  return CUDA_SUCCESS;
}

CUresult cuGraphExecDestroy(CUgraphExec executable) {
  return destroy("cuGraphExecDestroy", executable);
}
CUresult cuGraphDestroy(CUgraph graph) {
  return destroy("cuGraphDestroy", graph);
}

CUresult cuEventCreate(CUevent *event, unsigned) {
  const CUresult status = enterContext("cuEventCreate");
  if (status != CUDA_SUCCESS)
    return status;
  *event = new CUevent_st();
  ++state.liveObjects;
  return CUDA_SUCCESS;
}

CUresult cuEventDestroy_v2(CUevent event) {
  if (event->stream)
    drain(event->stream);
  return destroy("cuEventDestroy_v2", event);
}

CUresult cuEventRecord(CUevent event, CUstream stream) {
  const CUresult status = enterContext("cuEventRecord");
  if (status != CUDA_SUCCESS)
    return status;
  event->stream = stream;
  event->isInRecording = stream->recording.has_value();
  const int time = ++event->recorded;
  enqueue(stream, [event, time] { event->reached = time; });
  event->mark =
      event->isInRecording ? stream->moved + stream->recording->size() : 0;
  return CUDA_SUCCESS;
}

CUresult cuEventSynchronize(CUevent event) {
  const CUresult status = enterContext("cuEventSynchronize");
  if (status == CUDA_SUCCESS && !event->hasPassed())
    drain(event->stream);
  return status;
}

CUresult cuEventQuery(CUevent event) {
  const CUresult status = enterContext("cuEventQuery");
  if (status == CUDA_SUCCESS && state.stuck)
    return CUDA_ERROR_NOT_READY;
  if (status == CUDA_SUCCESS && !event->hasPassed())
    drain(event->stream);
  return status;
}

CUresult cuEventElapsedTime(float *milliseconds, CUevent begin, CUevent end) {
  *milliseconds = begin == end ? 0 : 0.5f;
  const CUresult status = enterContext("cuEventElapsedTime");
  if (!begin->hasPassed() || !end->hasPassed())
    return CUDA_ERROR_INVALID_VALUE;
  return status;
}
}
