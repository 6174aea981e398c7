// Runs the score plans, which compute logits for every row.
#include "Measure/Score.h"
#include "TileGPT/Runtime/Data/Npy.h"

using namespace tilegpt;
using namespace tilegpt::run;
using runtime::Result;

Result<void> run::dumpLogits(runtime::Session &session,
                             std::span<const int32_t> prompt,
                             const std::filesystem::path &path) {
  std::vector<float> logits;
  logits.reserve(prompt.size() * size_t(session.vocabulary()));
  auto scored = session.score(
      0, prompt, [&](int64_t, std::span<const float> rows) -> Result<void> {
        logits.insert(logits.end(), rows.begin(), rows.end());
        return {};
      });
  session.truncate(0, 0);
  if (!scored)
    return scored;
  const int64_t shape[] = {int64_t(prompt.size()), session.vocabulary()};
  return runtime::writeNpy(path, runtime::StoredType::F32, shape,
                           std::as_bytes(std::span(logits)));
}
