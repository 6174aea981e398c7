// A launch compiled with a choice: its code and operands.
#ifndef TILEGPT_LIB_COMPILER_LAUNCHTUNING_COMPILEDLAUNCH_H
#define TILEGPT_LIB_COMPILER_LAUNCHTUNING_COMPILEDLAUNCH_H

#include "LaunchTuning/LaunchTexts.h"
#include "TileGPT/Bundle/ElementType.h"
#include "TileGPT/Compiler/GpuKernels.h"
#include "TileGPT/Target/Host/HostImage.h"
#include "TileGPT/Target/Host/HostTarget.h"

namespace tilegpt::compiler {

/// One operand of a launch: a dense tensor, or a number.
struct LaunchOperand {
  bundle::ElementType type = bundle::ElementType::F32;
  std::vector<int64_t> shape; ///< empty for a number and for a tensor of one
  bool isTensor = true;
  bool isWritten = false; ///< it is one of the launch's outs
  bool isRead = true;     ///< its elements count before the launch

  size_t bytes() const;
  /// The number of argument words for the kernel.
  size_t words() const { return isTensor ? 1 + 2 * shape.size() : 1; }
};

/// Appends the argument words of an operand at an address.
void addWords(std::vector<uint64_t> &words, const LaunchOperand &operand,
              uint64_t address);

struct CompiledLaunch {
  std::string kernel; ///< its name, for messages
  std::vector<LaunchOperand> operands;
  std::array<int64_t, 3> grid = {1, 1, 1};
  std::optional<target::GpuKernel> gpu; ///< else the host's:
  target::HostImage host;
  std::string entry; ///< in it
};

/// Why a choice is rejected.
enum class Refusal { DoesNotFit, IsSlow, DoesNotCompile, IsLate };

struct LaunchCompiler {
  PhaseOptions phases;
  /// For a GPU, otherwise null.
  const target::GpuTarget *gpu = nullptr;
  const target::Ptxas *ptxas = nullptr;
  target::CodeCache *cache = nullptr; ///< may be null

  struct Refused {
    Refusal why;
    std::string what;
  };

  /// Compiles a launch with a choice. May be called by several threads.
  /// \param choice  null for the compiler's default, which may be slow; a
  /// choice that spills registers or whose plan does not fit is rejected.
  tl::expected<CompiledLaunch, Refused>
  compile(const LaunchText &text, const runtime::Choice *choice) const;
};

} // namespace tilegpt::compiler

#endif
