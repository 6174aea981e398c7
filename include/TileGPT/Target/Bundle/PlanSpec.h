// The purpose of a bundle's plan.
#ifndef TILEGPT_TARGET_BUNDLE_PLANSPEC_H
#define TILEGPT_TARGET_BUNDLE_PLANSPEC_H

#include "TileGPT/Bundle/Format.h"
#include <string>

namespace tilegpt::target {

/// The kind of a plan and the steps it serves.
struct PlanSpec {
  std::string name;
  bundle::PlanKind kind = bundle::PlanKind::Score;
  int64_t minRows = 1;      ///< smallest N
  int64_t maxRows = 1;      ///< largest N; sizes the arena
  int64_t maxSequences = 1; ///< largest B
};

} // namespace tilegpt::target

#endif
