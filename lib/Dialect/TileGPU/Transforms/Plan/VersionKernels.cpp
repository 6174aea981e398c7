// Versions raw kernels for launches with aligned arguments.
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/Tile/Transforms/Raw/AlignedArguments.h"
#include "TileGPT/Dialect/Tile/Transforms/Raw/AssumeArguments.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "TileGPT/Target/NVVM/FindTarget.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_VERSIONKERNELS
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {
using Facts = std::vector<tile::ArgumentFacts>;

struct VersionKernels : tilegpu::impl::VersionKernelsBase<VersionKernels> {
  using VersionKernelsBase::VersionKernelsBase;

  void runOnOperation() override {
    SmallVector<tile::KernelOp> kernels(
        getOperation().getOps<tile::KernelOp>());
    for (tile::KernelOp kernel : kernels)
      if (kernel.isRaw() && !kernel->hasAttr(tile::versionOfAttr) &&
          failed(version(kernel)))
        return signalPassFailure();
  }

private:
  LogicalResult version(tile::KernelOp kernel) {
    const target::GpuTarget *known = target::findTarget(kernel, target);
    if (!known)
      return failure();
    int64_t ops = 0;
    bool multiplies = false;
    kernel.walk([&](Operation *op) {
      ++ops;
      multiplies |= isa<tile::DotOp>(op);
    });
    constexpr int64_t vectorBytes = 16, wordBytes = 4;
    // TMA clips rows of any length, but only kernels with dots use it.
    const Facts vectors = tile::alignedFacts(kernel, vectorBytes,
                                             known->hasTma && multiplies),
                words = tile::alignedFacts(kernel, wordBytes,
                                           /*clipsRows=*/false),
                none(vectors.size());
    if (vectors == none)
      return success();
    if (ops > maxOps) {
      explainMissed(kernel, "version")
          << "no version for aligned arguments: the kernel has "
          << remark::add("{0} ops, the limit is {1}", ops, int64_t(maxOps));
      return success();
    }
    Operation *last = addVersion(kernel, kernel, "$aligned", vectors);
    // cp.async copies whole words only.
    if (multiplies && words != none && words != vectors)
      addVersion(kernel, last, "$words", words);
    return success();
  }

  /// Adds a version after an op, and returns it.
  Operation *addVersion(tile::KernelOp kernel, Operation *last,
                        StringRef suffix, const Facts &facts) {
    tile::KernelOp version = kernel.clone();
    version.setSymName((kernel.getSymName() + suffix).str());
    version->setAttr(tile::versionOfAttr, kernel.getSymNameAttr());
    tile::assumeArguments(version, facts);
    SymbolTable(getOperation()).insert(version, std::next(last->getIterator()));
    explainPassed(kernel, "version")
        << "@" << version.getSymName() << " is for launches with "
        << conditions(facts);
    ++numVersions;
    return version;
  }

  /// "arguments 0, 5 a multiple of 16; argument 4 a multiple of 8; …".
  static std::string conditions(ArrayRef<tile::ArgumentFacts> facts) {
    llvm::MapVector<tile::ArgumentFacts, SmallVector<size_t>,
                    std::map<tile::ArgumentFacts, unsigned>>
        groups;
    for (auto [number, fact] : llvm::enumerate(facts))
      if (fact != tile::ArgumentFacts())
        groups[fact].push_back(number);
    std::string text;
    llvm::raw_string_ostream stream(text);
    llvm::interleave(
        groups, stream,
        [&](const auto &group) {
          const auto &[fact, numbers] = group;
          stream << "argument" << (numbers.size() > 1 ? "s " : " ");
          llvm::interleaveComma(numbers, stream);
          if (fact.value)
            stream << " = " << *fact.value;
          else
            stream << " divisible by " << fact.divisor;
        },
        "; ");
    return text;
  }
};
} // namespace
