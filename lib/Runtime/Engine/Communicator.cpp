// Functions common to all communicators.
#include "TileGPT/Runtime/Engine/Communicator.h"

using namespace tilegpt;
using namespace tilegpt::runtime;

Result<void> runtime::checkRanks(const bundle::Bundle &bundle,
                                 const Communicator *ranks) {
  const int64_t compiled = bundle.model().ranks;
  const int64_t found = ranks ? ranks->rank().count : 1;
  if (compiled == found)
    return {};
  return makeError(ErrorCode::Usage, "ranks: the model is compiled for ",
                   compiled, compiled == 1 ? " rank" : " ranks", ", got ",
                   found, "; run it with --tp ", compiled,
                   " or compile it again");
}
