// The peer of the linear benchmark: oneDNN's matmul with a bias, weights as
// they are ([out, in]) so that neither side packs ahead of time.
#include "LinearPlan.h"
#include <dlfcn.h>
#include <dnnl.hpp>
#include <stdexcept>

namespace tilegpt::bench {

/// oneDNN takes its threads from the OpenMP runtime it is linked to.
static void setOpenMPThreads(unsigned threads) {
  auto *set = reinterpret_cast<void (*)(int)>(
      ::dlsym(RTLD_DEFAULT, "omp_set_num_threads"));
  if (!set)
    throw std::runtime_error("oneDNN: expected a build on OpenMP");
  set(int(threads));
}

struct LinearPeer::State {
  using Type = dnnl::memory::data_type;
  using Tag = dnnl::memory::format_tag;

  State(const LinearData &data, unsigned threads)
      : threads(threads), engine(dnnl::engine::kind::cpu, 0), stream(engine) {
    setOpenMPThreads(threads);
    const auto [rows, outputs, inputs] = data.shape;
    const dnnl::memory::desc x({rows, inputs}, Type::f32, Tag::ab);
    const dnnl::memory::desc w({inputs, outputs}, Type::f32, Tag::ba);
    const dnnl::memory::desc b({1, outputs}, Type::f32, Tag::ab);
    const dnnl::memory::desc y({rows, outputs}, Type::f32, Tag::ab);
    const dnnl::matmul::desc operation(x, w, b, y);
    matmul = dnnl::matmul(dnnl::matmul::primitive_desc(operation, engine));
    const auto memory = [&](const dnnl::memory::desc &layout,
                            const std::vector<float> &values) {
      return dnnl::memory(layout, engine, const_cast<float *>(values.data()));
    };
    result = dnnl::memory(y, engine, nullptr);
    arguments = {{DNNL_ARG_SRC, memory(x, data.x)},
                 {DNNL_ARG_WEIGHTS, memory(w, data.w)},
                 {DNNL_ARG_BIAS, memory(b, data.b)},
                 {DNNL_ARG_DST, result}};
  }

  unsigned threads;
  dnnl::engine engine;
  dnnl::stream stream;
  dnnl::matmul matmul;
  dnnl::memory result;
  std::unordered_map<int, dnnl::memory> arguments;
};

LinearPeer::LinearPeer(const LinearData &data, unsigned threads)
    : state(std::make_unique<State>(data, threads)) {}
LinearPeer::~LinearPeer() = default;

void LinearPeer::run(float *y) {
  setOpenMPThreads(state->threads);
  state->result.set_data_handle(y);
  state->matmul.execute(state->stream, state->arguments);
  state->stream.wait();
}

} // namespace tilegpt::bench
