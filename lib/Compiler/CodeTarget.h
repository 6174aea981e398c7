// The processor or GPU that a bundle's code is for.
#ifndef TILEGPT_LIB_COMPILER_CODETARGET_H
#define TILEGPT_LIB_COMPILER_CODETARGET_H

#include "DeviceCode.h"
#include "TileGPT/Compiler/CompileOptions.h"
#include "TileGPT/Runtime/Tuning/Records.h"
#include "TileGPT/Target/Host/HostTarget.h"
#include <variant>

namespace tilegpt::compiler {

using CodeTarget = std::variant<target::HostTarget, DeviceTarget>;

/// The processor or GPU selected by the options.
/// \returns Usage for one that is unknown.
runtime::Result<CodeTarget> findCodeTarget(const CompileOptions &options);

/// The device that tuning records must match.
runtime::TuningDevice tuningDeviceOf(const CompileOptions &options,
                                     const CodeTarget &target);

/// Identifies the processor, or the GPU and its assembler, and the tuning
/// records for it, in the key of a cached model.
std::string describeTarget(const CompileOptions &options,
                           const CodeTarget &target);

} // namespace tilegpt::compiler

#endif
