// Finds and checks a weight and converts it on first use. CheckWeights.cpp
// compares all weights with the checkpoint beforehand.
#include "TileGPT/Runtime/Weights/WeightStore.h"
#include "Convert.h"
#include "WeightNames.h"
#include <algorithm>
#include <cstring>

using namespace tilegpt;
using namespace tilegpt::runtime;
using bundle::ElementType;
namespace fs = std::filesystem;

namespace {

int64_t countOf(std::span<const int64_t> shape) {
  int64_t count = 1;
  for (const int64_t size : shape)
    count *= size;
  return count;
}

} // namespace

WeightStore::WeightStore(Checkpoint files, const WeightTable &table,
                         const Options &options)
    : files(std::move(files)), table(table), rank(options.rank),
      asked(options.layout), layout(options.layout), pool(options.threads) {}

Result<std::unique_ptr<WeightStore>> WeightStore::open(const fs::path &path,
                                                       const WeightTable &table,
                                                       const Options &options) {
  auto files =
      Checkpoint::open(path, table.strip, table.split, table.transposedExperts);
  if (!files)
    return tl::unexpected(std::move(files.error()));
  return std::unique_ptr<WeightStore>(
      new WeightStore(std::move(*files), table, options));
}

bool WeightStore::isHeadTied() const {
  return std::ranges::none_of(table.tied, [&](const auto &pair) {
    return files.find(pair.first + ".weight");
  });
}

void WeightStore::bring(std::string_view name, const Checkpoint::Entry &entry,
                        ElementType type, std::byte *to) {
  const StoredTensor &tensor = *entry.tensor;
  const std::byte *from = entry.bytes().data();
  const int64_t count = countOf(tensor.shape);
  if (isTransposed(name) && tensor.shape.size() == 2)
    return convertTransposed(tensor.type, from, type, to, tensor.shape[0],
                             tensor.shape[1], pool);
  if (!interleavingOf(name) && skippedRows(name) == 0 && entry.isPlain())
    return convert(tensor.type, from, type, to, count, pool);
  const int64_t rows = rowsOf(name, tensor), columns = count / rows;
  bringBlock(name, entry, {0, rows - skippedRows(name), 0, columns}, type, to,
             columns);
}

/// The position in the file of row `row` of [out, in].
static int64_t storedRow(const Interleaving *order, int64_t row) {
  if (!order)
    return row;
  const int64_t local = row % order->groupRows(), first = row - local;
  if (local >= order->groupRows() - order->rest)
    return row;
  const int64_t inner = local % order->inner;
  int64_t run = local / order->inner, before = 0;
  for (const int64_t size : order->parts) {
    if (run < order->outer * size)
      return first +
             (run / size * order->runs() + before + run % size) * order->inner +
             inner;
    run -= order->outer * size;
    before += size;
  }
  return row;
}

/// Numbers from `first` on of an f8 matrix with scales.
/// \param alone   a pool of the calling thread.
/// \param scales  scratch memory.
static void expandScaled(const Checkpoint::Entry &entry, int64_t first,
                         std::span<float> numbers, cpu::ThreadPool &alone,
                         std::vector<float> &scales) {
  const StoredTensor &tensor = *entry.tensor, &stored = *entry.scales;
  const auto toFloats = [&](const StoredTensor &from, const std::byte *bytes,
                            int64_t at, std::span<float> to) {
    convert(from.type, bytes + at * byteWidth(from.type), ElementType::F32,
            reinterpret_cast<std::byte *>(to.data()), int64_t(to.size()),
            alone);
  };
  toFloats(tensor, entry.bytes().data(), first, numbers);
  const int64_t columns = tensor.shape[1];
  scales.resize(
      size_t((columns + entry.blockColumns - 1) / entry.blockColumns));
  int64_t ready = -1; // the row of scales
  while (!numbers.empty()) {
    const int64_t row = first / columns / entry.blockRows;
    const int64_t column = first % columns;
    if (row != ready)
      toFloats(stored, entry.scalesFile->bytes(stored).data(),
               row * int64_t(scales.size()), scales);
    ready = row;
    const int64_t run =
        std::min({int64_t(numbers.size()), columns - column,
                  entry.blockColumns - column % entry.blockColumns});
    const float scale = scales[size_t(column / entry.blockColumns)];
    for (float &number : numbers.first(size_t(run)))
      number *= scale;
    numbers = numbers.subspan(size_t(run));
    first += run;
  }
}

void WeightStore::bringBlock(std::string_view name,
                             const Checkpoint::Entry &entry, const Block &block,
                             ElementType type, std::byte *to, int64_t stride) {
  const StoredTensor &tensor = *entry.tensor;
  const std::byte *from = entry.bytes().data();
  const int64_t stored = byteWidth(tensor.type);
  const int64_t width = bundle::byteWidth(type);
  if (isTransposed(name) && tensor.shape.size() == 2) {
    // Stored as [in, out]: select the part, then transpose.
    const int64_t pitch = tensor.shape[1];
    std::vector<std::byte> piece(size_t(block.rows * block.columns * stored));
    std::vector<std::byte> turned(size_t(block.rows * block.columns * width));
    for (int64_t i = 0; i < block.columns; ++i)
      std::memcpy(piece.data() + i * block.rows * stored,
                  from + ((block.firstColumn + i) * pitch + block.firstRow) *
                             stored,
                  size_t(block.rows * stored));
    convertTransposed(tensor.type, piece.data(), type, turned.data(),
                      block.columns, block.rows, pool);
    for (int64_t i = 0; i < block.rows; ++i)
      std::memcpy(to + i * stride * width,
                  turned.data() + i * block.columns * width,
                  size_t(block.columns * width));
    return;
  }
  if (entry.isTransposed)
    return bringTurned(name, entry, block, type, to, stride);
  const Interleaving *order = interleavingOf(name);
  const int64_t pitch = countOf(tensor.shape) /
                        (block.stored ? block.stored : rowsOf(name, tensor));
  const int64_t skipped = skippedRows(name);
  if (entry.scales) {
    const std::byte *scales = entry.scalesFile->bytes(*entry.scales).data();
    pool.run(block.rows, [&](int64_t begin, int64_t end) {
      cpu::ThreadPool alone(1);
      std::vector<float> row(static_cast<size_t>(pitch)), blockScales;
      for (int64_t i = begin; i < end; ++i) {
        const int64_t at = storedRow(order, block.firstRow + i) * pitch;
        if (entry.blockRows == 0)
          expandMxfp4(from + at / 2, scales + at / mxfp4Block, row.data(),
                      pitch);
        else
          expandScaled(entry, at, row, alone, blockScales);
        convert(
            StoredType::F32,
            reinterpret_cast<const std::byte *>(row.data() + block.firstColumn),
            type, to + i * stride * width, block.columns, alone);
      }
    });
    return;
  }
  pool.run(block.rows, [&](int64_t begin, int64_t end) {
    cpu::ThreadPool alone(1);
    for (int64_t i = begin; i < end; ++i)
      convert(tensor.type,
              from + (entry.storedRow(skipped +
                                      storedRow(order, block.firstRow + i)) *
                          pitch +
                      block.firstColumn) *
                         stored,
              type, to + i * stride * width, block.columns, alone);
  });
}

/// Transposes expert after expert.
void WeightStore::bringTurned(std::string_view name,
                              const Checkpoint::Entry &entry,
                              const Block &block, ElementType type,
                              std::byte *to, int64_t stride) {
  const StoredTensor &tensor = *entry.tensor;
  const int64_t outs = tensor.shape[1], ins = tensor.shape[2];
  const int64_t width = bundle::byteWidth(type);
  const Interleaving *order = interleavingOf(name);
  std::vector<std::byte> turned(size_t(outs * ins * width));
  int64_t ready = -1;
  for (int64_t i = 0; i < block.rows; ++i) {
    const int64_t row = storedRow(order, block.firstRow + i);
    if (row / outs != ready) {
      ready = row / outs;
      convertTransposed(tensor.type,
                        entry.bytes().data() +
                            ready * outs * ins * byteWidth(tensor.type),
                        type, turned.data(), ins, outs, pool);
    }
    std::memcpy(to + i * stride * width,
                turned.data() + (row % outs * ins + block.firstColumn) * width,
                size_t(block.columns * width));
  }
}

void WeightStore::bringPart(std::string_view name,
                            const bundle::WeightShard &shard,
                            const Parts &parts, ElementType type, std::byte *to,
                            std::span<const int64_t> shape) {
  const std::vector<std::string_view> names = partsOf(name);
  const int64_t width = bundle::byteWidth(type);
  const int64_t columns =
      shape.empty() ? 1 : countOf(shape) / std::max<int64_t>(shape[0], 1);
  int64_t top = 0; // the row of the whole that a part begins with
  for (size_t i = 0; i < parts.size(); ++i) {
    const StoredTensor &tensor = *parts[i]->tensor;
    const Interleaving *order = interleavingOf(names[i]);
    int64_t rows = shape.size() == 1 ? countOf(tensor.shape)
                                     : shapeAs(tensor, shape.size())[0];
    // The file may have several rows of a known order for each.
    int64_t stored = order ? order->rows() : rows;
    const int64_t finer = stored / std::max<int64_t>(rows, 1);
    if (isTransposed(names[i]) && shape.size() == 2)
      rows = matrixShape(tensor)[1];
    rows -= skippedRows(names[i]);
    for (const bundle::WeightShard::Run &run : shard.runsOf(rank)) {
      if (shard.axis == bundle::WeightShard::Axis::Columns) {
        bringBlock(names[i], *parts[i], {0, rows, run.first, run.count}, type,
                   to + (top * columns + run.at) * width, columns);
        continue;
      }
      const int64_t first = std::max(run.first, top);
      const int64_t end = std::min(run.first + run.count, top + rows);
      if (first < end)
        bringBlock(names[i], *parts[i],
                   {(first - top) * finer, (end - first) * finer, 0,
                    columns / finer, stored},
                   type, to + (run.at + first - run.first) * columns * width,
                   columns / finer);
    }
    top += rows;
  }
}

Result<const void *> WeightStore::find(std::string_view name, ElementType type,
                                       std::span<const int64_t> shape) {
  const auto whole = wholeOf(name, shape);
  if (!whole)
    return tl::unexpected(whole.error());
  if (whole->isBegin())
    return makeBegin(*whole, type, rank, memory);
  // Without a session, the first requested weight may determine the layout.
  const WeightNeed need{whole->name, type, whole->shape};
  if (auto decided = decideLayout({&need, 1}); !decided)
    return tl::unexpected(std::move(decided.error()));
  const auto parts = check(need);
  if (!parts)
    return tl::unexpected(parts.error());
  for (const Checkpoint::Entry *part : *parts)
    if (auto intact = part->file->checkIntact(); !intact)
      return tl::unexpected(std::move(intact.error()));

  const StoredTensor &first = *parts->front()->tensor;
  const std::byte *stored = parts->front()->bytes().data();
  if (parts->size() == 1 && !whole->shard && !isTransposed(name) &&
      !interleavingOf(name) && skippedRows(name) == 0 &&
      parts->front()->isPlain() && isSameType(first.type, type) &&
      reinterpret_cast<uintptr_t>(stored) % WeightMemory::alignment == 0)
    return stored;
  const auto [known, isNew] =
      converted.try_emplace({std::string(name), type}, nullptr);
  if (!isNew)
    return known->second;
  const auto target =
      memory.allocate(size_t(countOf(shape) * bundle::byteWidth(type)));
  if (!target) {
    converted.erase(known);
    return tl::unexpected(target.error());
  }
  known->second = *target;
  std::byte *to = *target;
  using Axis = bundle::WeightShard::Axis;
  if (whole->shard && whole->shard->axis != Axis::First) {
    bringPart(whole->name, *whole->shard, *parts, type, to, shape);
    return *target;
  }
  if (whole->shard && rank.number != 0)
    return *target;
  const std::vector<std::string_view> names = partsOf(whole->name);
  for (size_t i = 0; i < names.size(); ++i) {
    bring(names[i], *(*parts)[i], type, to);
    const std::vector<int64_t> stored = matrixShape(*(*parts)[i]->tensor);
    const int64_t rows = stored.empty() ? 1 : std::max<int64_t>(stored[0], 1);
    to += countOf(stored) / rows * (rows - skippedRows(names[i])) *
          bundle::byteWidth(type);
  }
  return *target;
}
