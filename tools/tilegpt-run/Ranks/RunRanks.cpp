// Coordination of several processes in one run: roles, agreement on inputs, and
// output.
#include "Ranks/RunRanks.h"
#include "Ranks/Launch.h"
#include "TileGPT/Bundle/Format.h"
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <random>
#include <sched.h>
#include <sstream>
#include <unistd.h>

using namespace tilegpt;
using namespace tilegpt::run;
using runtime::concat;
using runtime::ErrorCode;
using runtime::Group;
using runtime::makeError;
using runtime::RankEnvironment;
using runtime::Result;

namespace {

/// Prefixes messages of ranks other than the first with the rank.
std::string tagged(const bundle::Rank &rank, const std::string &message) {
  return message.starts_with("ranks: ")
             ? message
             : concat("rank ", rank.number, ": ", message);
}

/// Only rank 0 prints and handles Ctrl-C.
void beSilent() {
  const int nowhere = ::open("/dev/null", O_WRONLY);
  if (nowhere >= 0) {
    ::dup2(nowhere, STDOUT_FILENO);
    ::close(nowhere);
  }
  std::signal(SIGINT, SIG_IGN);
}

/// CPUs of this process for each of the ranks on its host.
unsigned shareOfThreads(int64_t ranks) {
  cpu_set_t set;
  const int cpus =
      ::sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;
  return unsigned(std::max<int64_t>(1, cpus / ranks));
}

Result<void> checkOptions(const Options &options) {
  if (options.talks())
    return makeError(ErrorCode::Usage,
                     "ranks: an interactive chat reads standard input, which "
                     "only one process has; pass a prompt to --chat");
  if (options.usesGpu() && options.device->ordinal &&
      options.collectives == cuda::CollectiveLibrary::Nccl)
    return makeError(ErrorCode::Usage,
                     "ranks: expected --device cuda, which gives each rank its "
                     "own GPU, got cuda:",
                     *options.device->ordinal,
                     "; --collectives peer lets ranks share one");
  return {};
}

/// The values that must agree for ranks to run the same steps.
std::string stepsOf(const Options &options) {
  std::ostringstream text;
  const runtime::SamplerOptions &sampler = options.sampler;
  text << "-n " << options.predict << " --temp " << sampler.temperature
       << " --top-k " << sampler.topK << " --top-p " << sampler.topP
       << " --min-p " << sampler.minP << " --repeat-penalty "
       << sampler.repeatPenalty << " --repeat-last-n " << sampler.repeatLastN
       << " --presence-penalty " << sampler.presencePenalty
       << " --frequency-penalty " << sampler.frequencyPenalty;
  for (const auto &[id, bias] : sampler.logitBias)
    text << " -l " << id << "+" << bias;
  for (const std::string &stop : options.reversePrompts)
    text << " -r '" << stop << "'";
  for (const BenchTest &test : options.bench)
    text << " --bench " << test.name();
  if (!options.bench.empty())
    text << " --repetitions " << options.repetitions;
  if (options.perplexity)
    text << " --perplexity";
  if (options.ignoreEndOfText)
    text << " --ignore-eos";
  if (!options.dumpLogits.empty())
    text << " --dump-logits";
  if (options.usesGpu())
    text << " --collectives " << int(options.collectives)
         << " --overlap-exchanges " << options.overlapKib;
  return text.str();
}

using RunModel = std::function<Result<int>(const Options &, Group *)>;

Result<int> runAsRank(Options options, const RankEnvironment &environment,
                      const RunModel &runModel) {
  const bundle::Rank rank = environment.rank;
  if (rank.number != 0)
    beSilent();
  if (options.threads == 0 && !options.usesGpu())
    options.threads = shareOfThreads(rank.count);
  if (options.usesGpu() && !options.device->ordinal)
    options.device->ordinal = int(environment.localRank);
  else if (options.usesGpu() &&
           options.collectives == cuda::CollectiveLibrary::Auto)
    // NCCL does not support two ranks on one GPU.
    options.collectives = cuda::CollectiveLibrary::Peer;
  runtime::GroupOptions join;
  join.lost = [](const std::string &message) {
    std::fprintf(stderr, "tilegpt-run: error: %s\n", message.c_str());
    ::_exit(exitCode(ErrorCode::Device));
  };
  auto group = Group::join(environment, std::move(join));
  if (!group)
    return tl::unexpected(group.error());
  auto agreed = (*group)->agree("version", TILEGPT_VERSION);
  if (agreed)
    agreed = (*group)->agree("flags", stepsOf(options));
  Result<int> code =
      agreed ? runModel(options, group->get()) : tl::unexpected(agreed.error());
  if (code)
    return code;
  // Rank 0 itself reports why it stopped.
  if (rank.number != 0 && (*group)->firstHasLeft())
    return 0;
  code.error().message = tagged(rank, code.error().message);
  return code;
}

} // namespace

Result<int> run::runRanks(Options options, char **argv,
                          const RunModel &runModel) {
  const auto environment = RankEnvironment::read(
      [](const char *name) -> const char * { return std::getenv(name); });
  if (!environment)
    return tl::unexpected(environment.error());
  if (!options.runs())
    return runModel(options, nullptr);
  if (!*environment || (*environment)->rank.count == 1) {
    if (options.ranks <= 1)
      return runModel(options, nullptr);
    if (auto checked = checkOptions(options); !checked)
      return tl::unexpected(checked.error());
    if (*environment)
      return makeError(ErrorCode::Usage, "ranks: --tp ", options.ranks,
                       ", but the launcher has started 1 rank");
    return launchRanks(options.ranks, argv);
  }
  const bundle::Rank rank = (*environment)->rank;
  if (options.ranks != 0 && int64_t(options.ranks) != rank.count)
    return makeError(ErrorCode::Usage, "ranks: --tp ", options.ranks,
                     ", but the launcher has started ", rank.count, " ranks");
  options.ranks = unsigned(rank.count);
  if (auto checked = checkOptions(options); !checked)
    return tl::unexpected(checked.error());
  return runAsRank(std::move(options), **environment, runModel);
}

Result<void> run::sharePrompt(Group *group, Options &options,
                              std::vector<int32_t> &prompt) {
  if (!group)
    return {};
  std::ostringstream mine;
  if (group->rank().number == 0) {
    if (!options.seed)
      options.seed = std::random_device()();
    mine << *options.seed;
    for (const int32_t id : prompt)
      mine << ' ' << id;
  }
  const auto all = group->gather(mine.str());
  if (!all)
    return tl::unexpected(all.error());
  std::istringstream first(all->front());
  uint64_t seed = 0;
  first >> seed;
  options.seed = seed;
  prompt.clear();
  for (int32_t id = 0; first >> id;)
    prompt.push_back(id);
  return {};
}

Result<void> run::agreeOnModel(Group *group, const bundle::Bundle &bundle,
                               const std::string &weights) {
  if (!group)
    return {};
  // Code may differ between hosts, but not the computed model.
  std::string text(bundle.string(bundle.model().tables));
  for (const bundle::Buffer &buffer : bundle.buffers())
    text += bundle.string(buffer.name);
  for (const bundle::Plan &plan : bundle.plans())
    text += bundle.string(plan.name);
  const std::string_view name = bundle.string(bundle.model().name);
  if (auto agreed = group->agree(
          "model", concat("'", name, "' (", std::hash<std::string>()(text),
                          ", context ", bundle.model().capacity, ")"));
      !agreed)
    return agreed;
  return group->agree("weights", weights);
}

Result<void> run::reportMemory(Group *group, const runtime::Session &session) {
  if (!group)
    return {};
  char line[96];
  std::snprintf(line, sizeof(line), "%.1f MB of weights, %.1f MB of cache",
                double(session.weightBytes()) / 1e6,
                double(session.stateBytes()) / 1e6);
  const auto lines = group->gather(line);
  if (!lines)
    return tl::unexpected(lines.error());
  if (group->rank().number == 0)
    for (size_t rank = 0; rank < lines->size(); ++rank)
      std::fprintf(stderr, "rank %-4zu %s\n", rank, (*lines)[rank].c_str());
  return {};
}

std::filesystem::path run::fileOfRank(const std::filesystem::path &path,
                                      const Group *group) {
  if (!group || group->rank().number == 0 || path.empty())
    return path;
  std::filesystem::path file = path.stem();
  file += concat("-rank", group->rank().number) + path.extension().string();
  return path.parent_path() / file;
}
