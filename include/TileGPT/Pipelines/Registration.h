// Everything a tool must register before it can parse and transform TileGPT
// programs.
#ifndef TILEGPT_PIPELINES_REGISTRATION_H
#define TILEGPT_PIPELINES_REGISTRATION_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace tilegpt {

/// The dialects of every level, with the upstream interfaces the passes rely
/// on.
void registerDialects(mlir::DialectRegistry &registry);

/// TileGPT's passes and the upstream ones that are useful beside them on a
/// command line.
void registerPasses();

} // namespace tilegpt

#endif
