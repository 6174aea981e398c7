// NVIDIA's assembler as a child process: where it is, which version it has, and
// PTX in, cubin and report out. A machine without it is a normal case.
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
  /// Looks at $TILEGPT_PTXAS (a path, or "off"), then for `ptxas` in PATH, then
  /// in /usr/local/cuda/bin.
  /// \returns nothing when there is none or it is off; an error when
  /// $TILEGPT_PTXAS or what was found does not answer as ptxas does.
  static llvm::Expected<std::optional<Ptxas>> find();

  /// \returns an error that names `path` unless `path --version` answers as
  /// ptxas does.
  static llvm::Expected<Ptxas> open(llvm::StringRef path);

  llvm::StringRef getPath() const { return path; }
  /// As it says of itself: "13.0.88".
  llvm::StringRef getVersion() const { return version; }

  struct Output {
    Cubin cubin;
    PtxasReport report;
  };
  /// Assembles one module. Safe to call from several threads; leaves no file
  /// behind.
  /// \param architecture "sm_90a".
  /// \returns an error with ptxas' own words.
  llvm::Expected<Output> assemble(llvm::StringRef ptx,
                                  llvm::StringRef architecture) const;

private:
  Ptxas(std::string path, std::string version)
      : path(std::move(path)), version(std::move(version)) {}

  std::string path, version;
};

} // namespace tilegpt::target

#endif // TILEGPT_TARGET_NVVM_PTXAS_H
