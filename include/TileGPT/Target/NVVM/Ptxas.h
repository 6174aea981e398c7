// Runs ptxas as a child process: locates it, queries its version, and compiles
// PTX to a cubin and report. It may be absent.
#ifndef TILEGPT_TARGET_NVVM_PTXAS_H
#define TILEGPT_TARGET_NVVM_PTXAS_H

#include "TileGPT/Target/NVVM/PtxasReport.h"
#include "llvm/Support/Error.h"
#include <cstddef>
#include <optional>
#include <vector>

namespace tilegpt::target {

/// An ELF image for one architecture.
using Cubin = std::vector<std::byte>;

class Ptxas {
public:
  /// Searches $TILEGPT_PTXAS (a path, or "off"), then `ptxas` in PATH, then
  /// /usr/local/cuda/bin.
  /// \returns nothing if there is none or it is off; an error if $TILEGPT_PTXAS
  /// or the file found does not answer as ptxas does.
  static llvm::Expected<std::optional<Ptxas>> find();

  /// \returns an error that names `path` unless `path --version` answers as
  /// ptxas does.
  static llvm::Expected<Ptxas> open(llvm::StringRef path);

  llvm::StringRef getPath() const { return path; }
  /// Its reported version: "13.0.88".
  llvm::StringRef getVersion() const { return version; }

  struct Output {
    Cubin cubin;
    PtxasReport report;
  };
  /// Assembles one module. Thread-safe; leaves no file behind.
  /// \param architecture "sm_90a".
  /// \returns an error with ptxas' message.
  llvm::Expected<Output> assemble(llvm::StringRef ptx,
                                  llvm::StringRef architecture) const;

private:
  Ptxas(std::string path, std::string version)
      : path(std::move(path)), version(std::move(version)) {}

  std::string path, version;
};

} // namespace tilegpt::target

#endif // TILEGPT_TARGET_NVVM_PTXAS_H
