//===- TileDialect.td - The tile dialect --------------------------*- tablegen -*-===//
//
// Declarative kernels: which tiles are loaded, combined and stored, without threads, shared memory
// or barriers. Tiles are builtin tensors; memory is accessed through `!tile.view`.
//
//===------------------------------------------------------------------------------===//

#ifndef TILEGPT_DIALECT_TILE_IR_TILEDIALECT_TD
#define TILEGPT_DIALECT_TILE_IR_TILEDIALECT_TD

include "mlir/IR/DialectBase.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let cppNamespace = "::tilegpt::tile";
  let summary = "declarative kernels on tiles";
  let description = [{
    A kernel runs once for every block of a grid. A block loads tiles of views (`tile.load`), combines them as
    immutable values with `tile`, `arith`, `math` and `scf` ops, and stores tiles (`tile.store`). Tiles are builtin
    tensors, so upstream's elementwise ops, folders and analyses work on them unchanged.

    Memory accesses of a block take effect in program order; blocks are independent and may run in any order.
    Out-of-bounds elements of a load read the pad value, out-of-bounds elements of a store are dropped: a kernel is
    correct for data of any size.

    Tile sizes are parameters declared by the kernel (`params {BM = 64 in [16, 64]}`); tiles sized by them are
    `tensor<?x?x…>` until `--tile-specialize` binds them. Element types of views may be variables
    (`!tile.elt<W>`), bound by the tensors of a launch.
  }];
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerTypes();
    void registerAttributes();
    /// Rejects ops that the dialect does not have, with a suggestion.
    std::optional<ParseOpHook> getParseOperationHook(llvm::StringRef name) const override;
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

#endif
