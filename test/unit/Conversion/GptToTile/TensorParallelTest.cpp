// Models interpreted by several ranks give what one rank gives: the families in
// the gpt dialect and as launches, and models whose heads and features do not
// divide evenly.
#include "ModelProgram.h"
#include "StoredWeights.h"
#include "TileGPT/Bundle/LiteralWeight.h"
#include "TileGPT/Bundle/WeightShard.h"
#include <barrier>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <thread>

namespace tilegpt {
namespace {

using bundle::WeightShard;
using reference::Element;
using reference::Tensor;
using reference::TensorRef;

/// A barrier between the threads of all ranks.
class Meeting {
public:
  explicit Meeting(int64_t ranks) : parts(size_t(ranks)), barrier(ranks) {}

  reference::Exchange exchangeOf(int64_t rank) {
    return [this, rank](const TensorRef &mine) {
      parts[size_t(rank)] = mine;
      barrier.arrive_and_wait();
      std::vector<TensorRef> all = parts;
      barrier.arrive_and_wait();
      return all;
    };
  }

private:
  std::vector<TensorRef> parts;
  std::barrier<> barrier;
};

/// The shard of a matrix or vector that `rank` holds.
Tensor partOf(const Tensor &whole, const WeightShard &shard, bundle::Rank rank,
              llvm::ArrayRef<int64_t> shape) {
  Tensor part = llvm::cantFail(Tensor::zeros(bundle::ElementType::F32, shape));
  if (shard.axis == WeightShard::Axis::First)
    return rank.number == 0 ? whole : part;
  bool byRows = shard.axis == WeightShard::Axis::Rows;
  int64_t columns = shape.size() == 2 ? shape[1] : 1;
  int64_t wholeColumns = whole.rank() == 2 ? whole.shape()[1] : 1;
  for (const WeightShard::Run &run : shard.runsOf(rank))
    for (int64_t i = 0; i < (byRows ? run.count : shape[0]); ++i)
      for (int64_t j = 0; j < (byRows ? columns : run.count); ++j)
        part.store(byRows ? (run.at + i) * columns + j
                          : i * columns + run.at + j,
                   whole[byRows ? (run.first + i) * wholeColumns + j
                                : i * wholeColumns + run.first + j]);
  return part;
}

/// Finds an unsharded weight.
using FindWeight =
    std::function<Tensor(llvm::StringRef name, llvm::ArrayRef<int64_t> shape)>;

void bindWeights(ModelProgram &program, ModelProgram &asked,
                 const FindWeight &find, bundle::Rank rank) {
  for (auto global : asked.model().getBody().getOps<tile::GlobalOp>()) {
    if (global.getKind() != tile::GlobalKind::Weight ||
        bundle::isLiteralWeight(global.getSymName()))
      continue;
    auto type = mlir::cast<mlir::RankedTensorType>(global.getType());
    auto name = bundle::parseShardedName(global.getSymName());
    ASSERT_TRUE(name);
    std::vector<int64_t> shape = type.getShape().vec();
    if (name->shard && name->shard->axis == WeightShard::Axis::Begin) {
      Tensor begin =
          llvm::cantFail(Tensor::zeros(bundle::ElementType::I32, shape));
      begin.store(0, Element::of(name->shard->beginOf(rank)));
      program.interpreter().bind(global.getSymName(), begin);
      continue;
    }
    if (!name->shard) {
      program.interpreter().bind(global.getSymName(), find(name->whole, shape));
      continue;
    }
    if (name->shard->axis != WeightShard::Axis::First) {
      size_t axis = name->shard->axis == WeightShard::Axis::Rows ? 0 : 1;
      EXPECT_EQ(shape[axis], name->shard->partSize());
      shape[axis] = name->shard->wholeSize();
    }
    program.interpreter().bind(
        global.getSymName(),
        partOf(find(name->whole, shape), *name->shard, rank, type.getShape()));
  }
}

/// Logits of a prompt and then of single tokens, row by row.
struct Work {
  std::vector<int64_t> prompt, tokens;
};

std::vector<double> runRank(const std::string &text,
                            const std::string &settings, const FindWeight &find,
                            bundle::Rank rank, bool asLaunches,
                            Meeting *meeting, const Work &work) {
  std::string sharded =
      "gpt-link-base,gpt.model(gpt-configure{settings=\"" + settings +
      "\"},gpt-unroll-layers,gpt-shard{ranks=" + std::to_string(rank.count) +
      "},gpt-fuse)";
  std::string launches = sharded + ",tile-link-library,gpt-to-tile";
  ModelProgram program(text, asLaunches ? launches : sharded);
  ModelProgram asked(text, launches);
  bindWeights(program, asked, find, rank);
  if (meeting)
    program.interpreter().setExchange(meeting->exchangeOf(rank.number));
  std::vector<double> logits = program.run("forward", work.prompt, {0});
  int64_t at = int64_t(work.prompt.size());
  for (int64_t token : work.tokens)
    llvm::append_range(logits, program.run("forward", {token}, {at++}));
  return logits;
}

/// Runs every rank in a thread and expects the same results from all.
std::vector<double> runRanks(const std::string &text,
                             const std::string &settings,
                             const FindWeight &find, int64_t ranks,
                             bool asLaunches, const Work &work) {
  Meeting meeting(ranks);
  std::vector<std::vector<double>> logits(static_cast<size_t>(ranks));
  std::vector<std::thread> threads;
  for (int64_t rank = 0; rank < ranks; ++rank)
    threads.emplace_back([&, rank] {
      logits[size_t(rank)] =
          runRank(text, settings, find, {rank, ranks}, asLaunches,
                  ranks > 1 ? &meeting : nullptr, work);
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::vector<double> &other : logits)
    EXPECT_EQ(other, logits.front());
  return logits.front();
}

constexpr double tolerance = 2e-4;
constexpr size_t vocabulary = 259;

using Parameters = std::tuple<test::Family, int, bool>;
class TensorParallel : public testing::TestWithParam<Parameters> {};

TEST_P(TensorParallel, FamiliesAgreeWithTransformers) {
  const auto &[family, ranks, asLaunches] = GetParam();
  std::ifstream file(family.folder() / "reference.json");
  auto prompts = nlohmann::json::parse(file)["prompts"];
  auto reference = runtime::Safetensors::open(
      family.folder() / "reference_logits.safetensors", "test");
  ASSERT_TRUE(reference) << reference.error().message;
  // 24 tokens exceed the window of 16.
  constexpr size_t number = 2, few = 3;
  auto ids = prompts[number]["ids"].get<std::vector<int64_t>>();
  auto greedy = prompts[number]["greedy_ids"].get<std::vector<int64_t>>();
  const auto *tensor = reference->find("logits." + std::to_string(number));
  ASSERT_NE(tensor, nullptr);
  const auto *expected =
      reinterpret_cast<const float *>(reference->bytes(*tensor).data());

  ModelProgram configured(builtinModel(family.model),
                          "gpt-link-base,gpt.model(gpt-configure{settings=\"" +
                              std::string(family.settings) + "\"})");
  StoredWeights weights(family, configured.model());
  auto find = [&](llvm::StringRef name, llvm::ArrayRef<int64_t> shape) {
    return weights.find(name, shape);
  };
  Work work{ids,
            {greedy.begin() + int64_t(ids.size()),
             greedy.begin() + int64_t(ids.size() + few)}};
  std::vector<double> logits =
      runRanks(builtinModel(family.model), family.settings, find, ranks,
               asLaunches, work);
  ASSERT_EQ(logits.size(), (ids.size() + few) * vocabulary);
  for (size_t i = 0; i < ids.size() * vocabulary; ++i)
    ASSERT_NEAR(logits[i], expected[i], tolerance) << "logit " << i;
  for (size_t row = ids.size() - 1; row < ids.size() + few; ++row) {
    auto first = logits.begin() + int64_t(row * vocabulary);
    EXPECT_EQ(std::max_element(first, first + vocabulary) - first,
              greedy[row + 1])
        << "token " << row + 1;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Ops, TensorParallel,
    testing::Combine(testing::ValuesIn(test::familiesThatSplit()),
                     testing::Values(1, 2, 4), testing::Values(false)),
    [](const auto &info) {
      return std::get<0>(info.param).identifier() + "_" +
             std::to_string(std::get<1>(info.param));
    });
INSTANTIATE_TEST_SUITE_P(
    Launches, TensorParallel,
    testing::Combine(testing::Values(test::families[0], test::families[11]),
                     testing::Values(2), testing::Values(true)),
    [](const auto &info) { return std::get<0>(info.param).identifier(); });

/// A model with random weights, and the number of ranks that run it.
struct Uneven {
  const char *name, *model, *settings;
  int ranks;
};

constexpr const char *eightHeads =
    "layers=2 heads=8 kv_heads=8 head_dim=8 width=48 inner=72 context=32 "
    "vocab=50";

class UnevenRanks : public testing::TestWithParam<Uneven> {};

TEST_P(UnevenRanks, AgreeWithOne) {
  const Uneven &uneven = GetParam();
  auto find = [](llvm::StringRef name, llvm::ArrayRef<int64_t> shape) {
    Tensor tensor =
        llvm::cantFail(Tensor::zeros(bundle::ElementType::F32, shape));
    uint64_t state = llvm::hash_value(name);
    for (int64_t i = 0; i < tensor.size(); ++i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      tensor.store(i, Element::of(double(state >> 40) / double(1 << 24) - 0.5));
    }
    return tensor;
  };
  Work work{{3, 17, 5, 30, 8}, {1, 2}};
  std::string text = builtinModel(uneven.model);
  auto one = runRanks(text, uneven.settings, find, 1, false, work);
  auto several =
      runRanks(text, uneven.settings, find, uneven.ranks, false, work);
  ASSERT_EQ(one.size(), several.size());
  for (size_t i = 0; i < one.size(); ++i)
    ASSERT_NEAR(one[i], several[i], 1e-4) << "logit " << i;
}

INSTANTIATE_TEST_SUITE_P(
    All, UnevenRanks,
    testing::Values(
        // 25 heads on 2 ranks are 13 and 12, as in the largest GPT-2.
        Uneven{"oddHeads", "gpt2",
               "layers=2 heads=5 width=40 inner=72 context=16 vocab=33", 2},
        Uneven{"eightRanks", "gpt2",
               "layers=2 heads=8 width=64 inner=200 context=16 vocab=50", 8},
        Uneven{"oddGroups", "llama",
               "layers=1 heads=6 kv_heads=3 head_dim=8 width=36 inner=50 "
               "context=16 vocab=35",
               2},
        Uneven{"oneSharedHead", "llama",
               "layers=1 heads=8 kv_heads=1 head_dim=8 width=32 inner=64 "
               "context=16 vocab=35",
               8},
        // Tied embeddings, windows, caps and experts, on more ranks than the
        // checkpoints of FamiliesAgreeWithTransformers have heads for.
        Uneven{"gemma2", "gemma2", eightHeads, 8},
        Uneven{"gemma3", "gemma3", eightHeads, 8},
        Uneven{"mistral", "mistral", eightHeads, 8},
        Uneven{"mixtral", "mixtral", eightHeads, 8},
        Uneven{"gptNeox", "gpt-neox",
               "layers=2 heads=8 width=64 inner=96 context=32 vocab=50", 8},
        Uneven{"phi3", "phi3", eightHeads, 8},
        Uneven{"qwen2", "qwen2", eightHeads, 8},
        Uneven{"qwen3", "qwen3", eightHeads, 8},
        Uneven{"qwen3Moe", "qwen3-moe", eightHeads, 8},
        Uneven{"smollm3", "smollm3", eightHeads, 8}),
    [](const auto &info) { return info.param.name; });

} // namespace
} // namespace tilegpt
