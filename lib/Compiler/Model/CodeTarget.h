// The processor or GPU that a model is compiled for.
#ifndef TILEGPT_LIB_COMPILER_MODEL_CODETARGET_H
#define TILEGPT_LIB_COMPILER_MODEL_CODETARGET_H

#include "DeviceCode.h"
#include "TileGPT/Compiler/CompileOptions.h"
#include "TileGPT/Target/Host/HostTarget.h"
#include <string>
#include <variant>

namespace tilegpt::compiler {

/// The target of a bundle's code.
using CodeTarget = std::variant<target::HostTarget, DeviceTarget>;

/// The processor or GPU selected by the options.
/// \returns Usage for an unknown name, Failure if ptxas does not run.
runtime::Result<CodeTarget> findTarget(const CompileOptions &options);

/// The device that tuning records must match.
runtime::TuningDevice deviceOf(const CompileOptions &options,
                               const CodeTarget &target);

/// Identifies the processor, or the GPU and its assembler, and the records for
/// it, in the key of a compiled model.
std::string identify(const CompileOptions &options, const CodeTarget &target);

} // namespace tilegpt::compiler

#endif
