// libFuzzer's mutations of bytecode of CUDA Tile IR: they change the parts of a
// file and leave the lengths, counts and offsets right, which random changes
// would break first.
#include "CudaTileFile.h"
#include <algorithm>
#include <cstring>
#include <random>

using namespace tilegpt::fuzz;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

using Random = std::minstd_rand;

static size_t pick(Random &random, size_t count) {
  return std::uniform_int_distribution<size_t>(0, count - 1)(random);
}

/// libFuzzer's own mutations, by a few bytes at most.
static void mutateBytes(std::string &item) {
  constexpr size_t growth = 16;
  const size_t size = item.size();
  item.resize(size + growth);
  item.resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t *>(item.data()), size,
                               item.size()));
}

/// Most bytes are numbers of types, values, ops and cases of enumerations:
/// small ones.
static void mutateNumber(Random &random, std::string &item) {
  if (item.empty())
    return;
  char &byte = item[pick(random, item.size())];
  switch (pick(random, 3)) {
  case 0:
    byte = char(pick(random, 128));
    break;
  case 1:
    byte = char(pick(random, 12));
    break;
  default:
    byte = char(byte + (pick(random, 2) == 0 ? 1 : -1));
  }
}

/// Moves, repeats or overwrites: bytes of one item get to another.
static void copyRange(Random &random, const std::string &from,
                      std::string &to) {
  if (from.empty())
    return;
  const size_t begin = pick(random, from.size());
  const std::string range = from.substr(begin, 1 + pick(random, 24));
  const size_t at = pick(random, to.size() + 1);
  const bool isInserted = pick(random, 2) == 0;
  to.replace(at, isInserted ? 0 : range.size(), range);
}

/// Repeats, drops or swaps items of a section: functions with their heads.
static void mutateItems(Random &random, CudaTileSection &section) {
  auto &items = section.items;
  const bool isPairs = section.form == CudaTileSection::Form::Functions;
  const size_t unit = isPairs ? 2 : 1, count = items.size() / unit;
  const auto from = items.begin() + ptrdiff_t(pick(random, count) * unit);
  switch (section.form == CudaTileSection::Form::Raw ? 2 : pick(random, 3)) {
  case 0: {
    const std::vector<std::string> copy(from, from + ptrdiff_t(unit));
    items.insert(items.begin() + ptrdiff_t(pick(random, count + 1) * unit),
                 copy.begin(), copy.end());
    break;
  }
  case 1:
    if (count > 1)
      items.erase(from, from + ptrdiff_t(unit));
    break;
  default:
    std::iter_swap(from, items.begin() + ptrdiff_t(pick(random, count) * unit));
  }
}

static void mutate(Random &random, CudaTileFile &file) {
  CudaTileSection &section = file.sections[pick(random, file.sections.size())];
  std::string &item = section.items[pick(random, section.items.size())];
  switch (pick(random, 16)) {
  case 0: // another version
    file.header[9] = char(1 + pick(random, 5));
    break;
  case 1:
  case 2:
    mutateItems(random, section);
    break;
  case 3:
  case 4:
  case 5:
    copyRange(random, item, section.items[pick(random, section.items.size())]);
    break;
  case 6:
  case 7:
  case 8:
    if (const size_t size = item.size())
      item.erase(pick(random, size), 1 + pick(random, 8));
    break;
  case 9:
  case 10:
  case 11:
    mutateBytes(item);
    break;
  default:
    mutateNumber(random, item);
  }
}

/// Copies a file to libFuzzer's buffer. \returns its size, 0 if it is too big.
static size_t write(const CudaTileFile &file, uint8_t *out, size_t maxSize) {
  const std::string bytes = file.join();
  if (bytes.size() > maxSize)
    return 0;
  std::memcpy(out, bytes.data(), bytes.size());
  return bytes.size();
}

static std::optional<CudaTileFile> read(const uint8_t *data, size_t size) {
  return CudaTileFile::split({reinterpret_cast<const char *>(data), size});
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  Random random(seed);
  auto file = read(data, size);
  // The container itself is fuzzed, too.
  if (!file || pick(random, 16) == 0)
    return LLVMFuzzerMutate(data, size, maxSize);
  for (size_t left = 1 + pick(random, 3); left > 0; --left)
    mutate(random, *file);
  const size_t written = write(*file, data, maxSize);
  return written > 0 ? written : LLVMFuzzerMutate(data, size, maxSize);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t *first,
                                            size_t firstSize,
                                            const uint8_t *second,
                                            size_t secondSize, uint8_t *out,
                                            size_t maxSize, unsigned seed) {
  Random random(seed);
  auto file = read(first, firstSize);
  auto other = read(second, secondSize);
  if (!file || !other)
    return 0;
  const CudaTileSection &source =
      other->sections[pick(random, other->sections.size())];
  for (CudaTileSection &section : file->sections) {
    if (section.id != source.id)
      continue;
    const std::string &from = source.items[pick(random, source.items.size())];
    std::string &to = section.items[pick(random, section.items.size())];
    if (section.form == CudaTileSection::Form::Table && pick(random, 2) == 0)
      section.items.push_back(from);
    else if (pick(random, 2) == 0)
      to = from;
    else
      copyRange(random, from, to);
  }
  return write(*file, out, maxSize);
}
