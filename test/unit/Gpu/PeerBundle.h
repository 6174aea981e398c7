// A bundle with only the kernels that exchange data through peer memory.
#ifndef TILEGPT_TEST_UNIT_GPU_PEERBUNDLE_H
#define TILEGPT_TEST_UNIT_GPU_PEERBUNDLE_H

#include "TileGPT/Bundle/Builder.h"
#include "TileGPT/Bundle/Bundle.h"
#include "TileGPT/Dialect/Tile/Transforms/Passes.h"
#include "TileGPT/Target/Bundle/BundlePlans.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include <functional>
#include <gtest/gtest.h>

namespace tilegpt::test {

/// Adds the images of a module's kernels to a builder.
using AddImages = std::function<void(
    bundle::Builder &, const std::map<std::string, uint32_t> &indices,
    mlir::ModuleOp)>;

/// The kernels that tile-link-peers adds for exchanges of f32, bf16 and f16.
/// \param symbols  whether kernels have the names of host kernels.
inline bundle::Bundle peerBundle(mlir::MLIRContext &context,
                                 const std::string &architecture,
                                 bundle::TargetKind symbols,
                                 const AddImages &addImages) {
  std::string text;
  for (const std::string kind : {"reduce", "gather"})
    for (const std::string type : {"f32", "bf16", "f16"})
      text += "tile.kernel @" + kind + "_" + type + "(%x: !tile.view<?x?x" +
              type + ">) outs(%y: !tile.view<?x?x" + type +
              ">) grid [1] attributes {tile.collective = \"all_" + kind +
              "\"} {}\n";
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  mlir::PassManager passes(&context);
  passes.addPass(tile::createLinkPeersPass());
  EXPECT_TRUE(succeeded(passes.run(*module)));

  bundle::Builder builder;
  bundle::ModelInfo info;
  info.layers = info.heads = info.width = 1;
  info.context = info.capacity = info.vocabulary = 1;
  builder.setModel("peers", info);
  builder.setCudaTarget(architecture);
  target::BundlePlans plans(builder, symbols);
  for (auto kernel :
       llvm::make_early_inc_range(module->getOps<tile::KernelOp>()))
    if (kernel.getSymName().starts_with("peer_"))
      EXPECT_TRUE(succeeded(plans.addKernel(kernel)));
    else
      kernel.erase();
  EXPECT_EQ(plans.getKernels().size(), 6u);
  addImages(builder, plans.getKernels(), *module);
  return bundle::Bundle::fromBytes(builder.finish().value()).value();
}

} // namespace tilegpt::test

#endif // TILEGPT_TEST_UNIT_GPU_PEERBUNDLE_H
