// Runs a fuzz target on mutations of a corpus without coverage, several times
// as fast as libFuzzer: fuzz-NAME-bulk RUNS SEED FOLDER…. Run n depends on SEED
// and n only; a crash writes its input to crash-SEED-n.
#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <sys/time.h>
#include <unistd.h>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed);
extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t *first,
                                            size_t firstSize,
                                            const uint8_t *second,
                                            size_t secondSize, uint8_t *out,
                                            size_t maxSize, unsigned seed);
extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

namespace {
constexpr size_t mostBytes = 4096;
constexpr time_t mostSeconds = 60; ///< of CPU time between two messages

std::minstd_rand random_;
size_t pick(size_t count) { return random_() % count; }

/// What runs now, for the handler of signals.
struct {
  uint8_t bytes[mostBytes];
  size_t size = 0;
  unsigned long seed = 0, number = 0;
} current;
} // namespace

/// Changes, inserts or removes bytes.
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize) {
  constexpr uint8_t edges[] = {0, 1, 0x7f, 0x80, 0xff};
  const size_t at = size == 0 ? 0 : pick(size);
  switch (pick(5)) {
  case 0:
    if (size > 1) {
      std::memmove(data + at, data + at + 1, size - at - 1);
      return size - 1;
    }
    break;
  case 1:
    if (size < maxSize) {
      std::memmove(data + at + 1, data + at, size - at);
      data[at] = uint8_t(random_());
      return size + 1;
    }
    break;
  case 2:
    if (size > 0)
      data[at] = edges[pick(std::size(edges))];
    break;
  case 3:
    if (size > 0)
      data[at] = uint8_t(random_());
    break;
  default:
    if (size > 0)
      data[at] ^= uint8_t(1u << pick(8));
  }
  return size;
}

static void reportCrash(int signal) {
  char name[64];
  std::snprintf(name, sizeof name, "crash-%lu-%lu", current.seed,
                current.number);
  if (FILE *file = std::fopen(name, "wb")) {
    std::fwrite(current.bytes, 1, current.size, file);
    std::fclose(file);
  }
  std::fprintf(stderr, "signal %d in run %lu; input in %s\n", signal,
               current.number, name);
  _exit(1);
}

static std::vector<std::string> readFiles(char **begin, char **end) {
  std::vector<std::string> inputs;
  for (char **folder = begin; folder != end; ++folder)
    for (const auto &entry : std::filesystem::directory_iterator(*folder)) {
      std::ifstream file(entry.path(), std::ios::binary);
      std::string input{std::istreambuf_iterator<char>(file), {}};
      if (!input.empty() && input.size() <= mostBytes)
        inputs.push_back(std::move(input));
    }
  std::sort(inputs.begin(), inputs.end());
  return inputs;
}

/// Makes the next input from one or two of the corpus.
static void mutate(const std::vector<std::string> &inputs) {
  const std::string &from = inputs[pick(inputs.size())];
  std::memcpy(current.bytes, from.data(), from.size());
  current.size = from.size();
  if (pick(8) == 0) {
    const std::string &other = inputs[pick(inputs.size())];
    static uint8_t crossed[mostBytes];
    if (size_t size = LLVMFuzzerCustomCrossOver(
            current.bytes, current.size,
            reinterpret_cast<const uint8_t *>(other.data()), other.size(),
            crossed, mostBytes, unsigned(random_()))) {
      std::memcpy(current.bytes, crossed, size);
      current.size = size;
    }
  }
  current.size = LLVMFuzzerCustomMutator(current.bytes, current.size, mostBytes,
                                         unsigned(random_()));
}

int main(int argc, char **argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: %s RUNS SEED FOLDER...\n", argv[0]);
    return 2;
  }
  const unsigned long runs = std::strtoul(argv[1], nullptr, 10);
  current.seed = std::strtoul(argv[2], nullptr, 10);
  const std::vector<std::string> inputs = readFiles(argv + 3, argv + argc);
  if (inputs.empty()) {
    std::fprintf(stderr, "%s: the corpus is empty\n", argv[0]);
    return 2;
  }
  for (int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGVTALRM})
    std::signal(signal, reportCrash);
  for (; current.number < runs; ++current.number) {
    if (current.number % (1 << 18) == 0) {
      std::printf("%lu runs\n", current.number);
      std::fflush(stdout);
      const itimerval limit = {{0, 0}, {mostSeconds, 0}};
      setitimer(ITIMER_VIRTUAL, &limit, nullptr);
    }
    random_.seed(unsigned((current.seed * 0x9E3779B97F4A7C15 +
                           current.number * 0xD1B54A32D192ED03) >>
                          32));
    mutate(inputs);
    LLVMFuzzerTestOneInput(current.bytes, current.size);
  }
  std::printf("%lu runs\n", runs);
  return 0;
}
