// Data exchange between the interpreters of several ranks, and the collective
// ops built on it.
#ifndef TILEGPT_REFERENCE_EXCHANGE_H
#define TILEGPT_REFERENCE_EXCHANGE_H

#include "TileGPT/Reference/Tensor.h"
#include <functional>
#include <vector>

namespace tilegpt::reference {

/// Gives a rank's tensor to all ranks.
/// \returns those of all ranks, in their order; an error when a rank is gone.
/// Called by all ranks in the same order.
using Exchange =
    std::function<llvm::Expected<std::vector<TensorRef>>(const TensorRef &)>;

/// The sum of tensors of one shape, rounded once.
llvm::Expected<Tensor> sumOf(llvm::ArrayRef<TensorRef> parts);

/// The rows [N, C] of all parts side by side, as far as `columns` go.
llvm::Expected<Tensor> sideBySide(llvm::ArrayRef<TensorRef> parts,
                                  int64_t columns);

} // namespace tilegpt::reference

#endif // TILEGPT_REFERENCE_EXCHANGE_H
