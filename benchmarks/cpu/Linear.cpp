// f32 linear layers through the compiler beside oneDNN, in turns, on the same
// memory and threads.
#include "LinearPlan.h"
#include "Report.h"
#include "TileGPT/Runtime/Cpu/Memory.h"
#include "TileGPT/Runtime/Cpu/ThreadPool.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <sstream>
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

/// \returns our speed as a share of oneDNN's.
static double compare(bench::Report &report, const bench::LinearShape &shape,
                      unsigned threads, double seconds, bool best,
                      bench::Clock clock, const std::string &params) {
  const bench::LinearData data(shape);
  bench::LinearPlan plan(data, threads, params);
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

  const auto times =
      bench::secondsOfCalls({[&] { plan.run(y); }, [&] { peer.run(expected); }},
                            seconds, best ? 0 : 0.5, clock);
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
  return times[1] / times[0];
}

/// Shapes of 1…1024 rows and 64…4096 inputs and outputs, whose logarithms are
/// even, of at most 4 GFLOP: half of the sizes are multiples of 64, as those of
/// models are, and half are any numbers.
static std::vector<bench::LinearShape> drawShapes(unsigned count,
                                                  unsigned seed) {
  std::mt19937 random(seed);
  const auto draw = [&](double least, double most) {
    std::uniform_real_distribution<double> exponent(std::log(least),
                                                    std::log(most));
    const auto size = int64_t(std::lround(std::exp(exponent(random))));
    constexpr int64_t step = 64;
    return random() % 2 && size >= step ? size / step * step : size;
  };
  std::vector<bench::LinearShape> shapes;
  while (shapes.size() < count) {
    const bench::LinearShape shape{draw(1, 1024), draw(64, 4096),
                                   draw(64, 4096)};
    constexpr int64_t mostProducts = 2'000'000'000;
    if (shape.rows * shape.outputs * shape.inputs <= mostProducts)
      shapes.push_back(shape);
  }
  return shapes;
}

/// A shape as the command line has it: `512x2304x768`.
static bench::LinearShape parseShape(const std::string &text) {
  std::istringstream in(text);
  bench::LinearShape shape{};
  char first = 0, second = 0;
  in >> shape.rows >> first >> shape.outputs >> second >> shape.inputs;
  if (!in || !in.eof() || first != 'x' || second != 'x' ||
      std::min({shape.rows, shape.outputs, shape.inputs}) < 1)
    throw std::runtime_error("--shapes: expected ROWSxOUTPUTSxINPUTS, found '" +
                             text + "'");
  return shape;
}

/// The geometric mean, the worst and how many are below 0.9.
static void summarise(bench::Report &report, unsigned threads,
                      const std::vector<double> &ratios) {
  double logs = 0;
  for (double ratio : ratios)
    logs += std::log(ratio);
  report.add("all shapes, speed as a share of oneDNN's",
             {{"threads", threads},
              {"shapes", ratios.size()},
              {"geometric mean", std::exp(logs / double(ratios.size()))},
              {"worst", *std::min_element(ratios.begin(), ratios.end())},
              {"below 0.9", std::count_if(ratios.begin(), ratios.end(),
                                          [](double r) { return r < 0.9; })}});
}

int main(int argc, char **argv) try {
  std::vector<unsigned> threads;
  double seconds = 2;
  std::vector<std::string> texts;
  bool best = false, cpuTime = false;
  unsigned drawn = 0, seed = 1;
  std::string json, params;
  CLI::App app("f32 linear layers beside oneDNN");
  app.add_option("--threads", threads, "1,2,…")->delimiter(',');
  app.add_option("--seconds", seconds, "to measure each shape");
  app.add_option("--params", params, "of the launch: \"BM = 256, BK = 128\"");
  app.add_flag("--best", best,
               "the fastest calls instead of the medians, on a busy machine");
  app.add_flag("--cpu-time", cpuTime,
               "CPU time instead of wall time, of one thread");
  app.add_option("--shapes", texts, "ROWSxOUTPUTSxINPUTS,…")->delimiter(',');
  app.add_option("--random", drawn, "number of shapes to draw");
  app.add_option("--seed", seed, "of the shapes to draw");
  app.add_option("--json", json, "file for the results");
  CLI11_PARSE(app, argc, argv);
  if (cpuTime && threads.empty())
    threads = {1};
  if (cpuTime && threads != std::vector<unsigned>{1})
    throw std::runtime_error("--cpu-time: expected --threads 1: the other "
                             "threads' time is not counted");
  if (threads.empty())
    for (unsigned each = 1; each <= cpu::ThreadPool().threads(); each *= 2)
      threads.push_back(each);

  bench::Report report;
  std::vector<bench::LinearShape> shapes = drawShapes(drawn, seed);
  for (const std::string &text : texts)
    shapes.push_back(parseShape(text));
  if (shapes.empty())
    shapes = {{512, 2304, 768}, {1024, 1024, 1024}, {512, 768, 768},
              {512, 3072, 768}, {512, 768, 3072},   {1024, 4800, 1600}};
  std::vector<std::vector<double>> ratios(threads.size());
  for (const bench::LinearShape &shape : shapes)
    for (size_t i = 0; i < threads.size(); ++i)
      ratios[i].push_back(
          compare(report, shape, threads[i], seconds, best,
                  cpuTime ? bench::Clock::Thread : bench::Clock::Wall, params));
  for (size_t i = 0; i < threads.size(); ++i)
    summarise(report, threads[i], ratios[i]);
  if (!json.empty())
    report.save(json);
  return 0;
} catch (const std::exception &error) {
  std::fprintf(stderr, "bench-cpu-linear: error: %s\n", error.what());
  return 1;
}
