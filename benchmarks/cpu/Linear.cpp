// f32 linear layers through the compiler beside oneDNN, in turns, on the same
// memory and threads.
#include "LinearPlan.h"
#include "Report.h"
#include "TileGPT/Runtime/Cpu/Memory.h"
#include "TileGPT/Runtime/Cpu/ThreadPool.h"
#include <CLI/CLI.hpp>
#include <cmath>
#include <random>
#include <stdexcept>

using namespace tilegpt;

bench::LinearData::LinearData(const LinearShape &shape)
    : shape(shape), x(size_t(shape.rows * shape.inputs)),
      w(size_t(shape.outputs * shape.inputs)), b(size_t(shape.outputs)) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(-1, 1);
  for (std::vector<float> *values : {&x, &w, &b})
    for (float &value : *values)
      value = uniform(random);
}

/// The largest difference of two results.
static double difference(const float *a, const float *b, int64_t count) {
  double largest = 0;
  for (int64_t i = 0; i < count; ++i) {
    const double each = std::abs(double(a[i]) - double(b[i]));
    if (!(each <= largest))
      largest = each;
  }
  return largest;
}

static void compare(bench::Report &report, const bench::LinearShape &shape,
                    unsigned threads, double seconds) {
  const bench::LinearData data(shape);
  bench::LinearPlan plan(data, threads);
  bench::LinearPeer peer(data, threads);
  const int64_t count = shape.rows * shape.outputs;
  auto ours = cpu::Memory::allocate(size_t(count) * sizeof(float), "y");
  auto theirs = cpu::Memory::allocate(size_t(count) * sizeof(float), "y");
  if (!ours || !theirs)
    throw std::runtime_error("not enough memory");
  auto *y = reinterpret_cast<float *>(ours->data());
  auto *expected = reinterpret_cast<float *>(theirs->data());
  plan.run(y);
  peer.run(expected);
  const double error = difference(y, expected, count);
  if (!(error <= 1e-5 * double(shape.inputs)))
    throw std::runtime_error("results differ from oneDNN's by " +
                             std::to_string(error));

  const auto times = bench::medianSeconds(
      {[&] { plan.run(y); }, [&] { peer.run(expected); }}, seconds);
  const double gflop = 2e-9 * double(count) * double(shape.inputs);
  report.add("linear f32, y[rows, outputs] = x·wᵀ + b",
             {{"rows", shape.rows},
              {"outputs", shape.outputs},
              {"inputs", shape.inputs},
              {"threads", threads},
              {"ms", times[0] * 1e3},
              {"GFLOP/s", gflop / times[0]},
              {"oneDNN ms", times[1] * 1e3},
              {"oneDNN GFLOP/s", gflop / times[1]},
              {"of oneDNN", times[1] / times[0]},
              {"max difference", error}});
}

int main(int argc, char **argv) try {
  std::vector<unsigned> threads;
  double seconds = 2;
  std::string json;
  CLI::App app("f32 linear layers beside oneDNN");
  app.add_option("--threads", threads, "1,2,…")->delimiter(',');
  app.add_option("--seconds", seconds, "to measure each shape");
  app.add_option("--json", json, "file for the results");
  CLI11_PARSE(app, argc, argv);
  if (threads.empty())
    for (unsigned each = 1; each <= cpu::ThreadPool().threads(); each *= 2)
      threads.push_back(each);

  bench::Report report;
  const bench::LinearShape shapes[] = {{512, 2304, 768}, {1024, 1024, 1024},
                                       {512, 768, 768},  {512, 3072, 768},
                                       {512, 768, 3072}, {1024, 4800, 1600}};
  for (const bench::LinearShape &shape : shapes)
    for (unsigned each : threads)
      compare(report, shape, each, seconds);
  if (!json.empty())
    report.save(json);
  return 0;
} catch (const std::exception &error) {
  std::fprintf(stderr, "bench-cpu-linear: error: %s\n", error.what());
  return 1;
}
