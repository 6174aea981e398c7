// Finds the writers and readers of each buffer of the arena.
#include "Measure/LaunchPairs.h"
#include "TileGPT/Runtime/Engine/MemoryNeeds.h"
#include <algorithm>
#include <map>

using namespace tilegpt;
using namespace tilegpt::run;

namespace {
/// The launches that access a buffer.
struct Users {
  std::vector<const bundle::Launch *> writers, readers;
};
} // namespace

static std::map<uint32_t, Users> usersOf(const bundle::Bundle &bundle,
                                         const bundle::Plan &plan) {
  std::map<uint32_t, Users> users;
  for (const bundle::Launch &launch : bundle.launches(plan)) {
    const auto arguments = bundle.arguments(launch);
    const auto parameters = bundle.parameters(bundle.kernel(launch));
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (arguments[i].kind != bundle::ArgumentKind::View)
        continue;
      Users &of = users[arguments[i].buffer];
      (parameters[i].access == bundle::Access::Read ? of.readers : of.writers)
          .push_back(&launch);
    }
  }
  return users;
}

/// "linear" of the instance "linear_0".
static std::string_view textOf(std::string_view instance) {
  const size_t end = instance.find_last_not_of("0123456789");
  return end != instance.npos && end + 1 < instance.size() &&
                 instance[end] == '_'
             ? instance.substr(0, end)
             : instance;
}

std::vector<runtime::LaunchPair>
run::findPairs(const bundle::Bundle &bundle, const bundle::Plan &plan,
               int64_t rows, int64_t sequences,
               const std::vector<runtime::KernelRemark> &remarks) {
  std::vector<runtime::LaunchPair> pairs;
  for (const auto &[index, users] : usersOf(bundle, plan)) {
    const bundle::Buffer &buffer = bundle.buffers()[index];
    if (buffer.kind != bundle::BufferKind::Arena || users.writers.size() != 1 ||
        users.readers.size() != 1)
      continue;
    const auto nameOf = [&](const bundle::Launch *launch) {
      return textOf(bundle.string(bundle.kernel(*launch).name));
    };
    const std::string_view first = nameOf(users.writers.front()),
                           second = nameOf(users.readers.front());
    const std::string subject =
        runtime::concat("@", first, " and @", second, ": ");
    const auto remark = std::ranges::find_if(remarks, [&](const auto &each) {
      return each.kernel.empty() && each.text.starts_with(subject);
    });
    if (remark == remarks.end())
      continue;
    const auto known = std::ranges::find_if(pairs, [&](const auto &pair) {
      return pair.first == first && pair.second == second;
    });
    const auto bytes = double(runtime::bytesOf(buffer, rows, sequences));
    if (known != pairs.end()) {
      // The tensor between them may differ from pair to pair.
      known->bytes = (known->bytes * double(known->count) + bytes) /
                     double(known->count + 1);
      ++known->count;
      continue;
    }
    pairs.push_back({std::string(first), std::string(second), 1, bytes,
                     remark->text.substr(subject.size())});
  }
  return pairs;
}
