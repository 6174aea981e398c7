// A launch on a device, on data made for it, with the choices that are compared
// on it.
#ifndef TILEGPT_LIB_COMPILER_LAUNCHTUNING_LAUNCHBENCH_H
#define TILEGPT_LIB_COMPILER_LAUNCHTUNING_LAUNCHBENCH_H

#include "LaunchTuning/CompiledLaunch.h"
#include "TileGPT/Runtime/Cuda/Device.h"

namespace tilegpt::compiler {

/// What a launch has written, an out after the other: of large ones some pieces
/// that lie evenly spread.
using Results = std::vector<std::vector<std::byte>>;

class LaunchBench {
public:
  virtual ~LaunchBench() = default;

  /// Takes in a choice; all have the same operands.
  /// \returns its number.
  virtual runtime::Result<size_t> add(CompiledLaunch launch) = 0;

  /// Launches once where nothing has been written yet.
  /// \returns an error also for an assertion that fails.
  virtual runtime::Result<Results> run(size_t number) = 0;

  /// Seconds of a launch, of many behind each other whose data no cache holds
  /// any more.
  virtual runtime::Result<double> time(size_t number) = 0;
};

/// On a GPU: launches of a graph that overlap as those of a model do.
runtime::Result<std::unique_ptr<LaunchBench>>
makeGpuBench(std::shared_ptr<cuda::Device> device,
             const std::vector<LaunchOperand> &operands);

/// On the CPU, with so many threads.
runtime::Result<std::unique_ptr<LaunchBench>>
makeCpuBench(unsigned threads, const std::vector<LaunchOperand> &operands);

/// Numbers for an operand: uniform in [-1, 1) for floats, zeros for integers,
/// which may be places.
/// \param elements  how many.
std::vector<std::byte> makeData(bundle::ElementType type, size_t elements,
                                uint64_t seed);

/// The bits of a number that is an operand: 1 for floats, 0 for integers.
uint64_t numberBits(bundle::ElementType type);

/// Whether results agree but for the order of sums: to a thousandth of the
/// largest number of f32, to a hundredth of 16 bits, a tenth of 8. Elements
/// that neither has written agree.
bool agree(const std::vector<LaunchOperand> &operands, const Results &lhs,
           const Results &rhs);

} // namespace tilegpt::compiler

#endif
