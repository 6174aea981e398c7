// mlir-opt with TileGPT's dialects and passes.
#include "TileGPT/Pipelines/Registration.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  tilegpt::registerDialects(registry);
  tilegpt::registerPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "TileGPT optimizer driver\n", registry));
}
