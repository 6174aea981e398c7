// A launch on a device with generated data, and the choices compared on it.
#ifndef TILEGPT_LIB_COMPILER_LAUNCHTUNING_LAUNCHBENCH_H
#define TILEGPT_LIB_COMPILER_LAUNCHTUNING_LAUNCHBENCH_H

#include "LaunchTuning/CompiledLaunch.h"
#include "TileGPT/Runtime/Cuda/Device.h"

namespace tilegpt::compiler {

/// The outputs of a launch, one after the other; for large ones, evenly spaced
/// pieces.
using Results = std::vector<std::vector<std::byte>>;

class LaunchBench {
public:
  virtual ~LaunchBench() = default;

  /// Adds a choice; all have the same operands.
  /// \returns its index.
  virtual runtime::Result<size_t> add(CompiledLaunch launch) = 0;

  /// Launches once on uninitialized outputs.
  /// \returns an error, also for a failed assertion.
  virtual runtime::Result<Results> run(size_t number) = 0;

  /// Seconds per launch, of many consecutive ones whose data is not cached.
  virtual runtime::Result<double> time(size_t number) = 0;
};

/// On a GPU: graph launches that overlap like those of a model.
runtime::Result<std::unique_ptr<LaunchBench>>
makeGpuBench(std::shared_ptr<cuda::Device> device,
             const std::vector<LaunchOperand> &operands);

/// On the CPU, with this many threads.
runtime::Result<std::unique_ptr<LaunchBench>>
makeCpuBench(unsigned threads, const std::vector<LaunchOperand> &operands);

/// Values for an operand: uniform in [-1, 1) for floats, zeros for integers,
/// which may be indices.
/// \param elements  how many.
std::vector<std::byte> makeData(bundle::ElementType type, size_t elements,
                                uint64_t seed);

/// The bits of a scalar operand: 1 for floats, 0 for integers.
uint64_t numberBits(bundle::ElementType type);

/// Whether results agree up to the order of sums: within a thousandth of the
/// largest value for f32, a hundredth for 16-bit types, a tenth for 8-bit
/// types. Elements that neither wrote agree.
bool agree(const std::vector<LaunchOperand> &operands, const Results &lhs,
           const Results &rhs);

} // namespace tilegpt::compiler

#endif
