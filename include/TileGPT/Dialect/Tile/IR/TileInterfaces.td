//===- TileInterfaces.td - What the ops of the dialect have in common -*- tablegen -*-===//

#ifndef TILEGPT_DIALECT_TILE_IR_TILEINTERFACES_TD
#define TILEGPT_DIALECT_TILE_IR_TILEINTERFACES_TD

include "mlir/IR/OpBase.td"

def Tile_TypeRefinementOpInterface : OpInterface<"TypeRefinementOpInterface"> {
  let cppNamespace = "::tilegpt::tile";
  let description = [{
    An op whose result types follow from its operand types and attributes. The verifier holds the declared types
    against them, and `--tile-specialize` narrows the declared types to them once parameters are bound.
  }];
  let methods = [
    InterfaceMethod<[{
      Appends the most static result types that the operands and attributes allow, or emits an error that names
      operand, axis, both shapes and the fix.
    }], "::mlir::LogicalResult", "inferResultTypes", (ins "::llvm::SmallVectorImpl<::mlir::Type> &":$types)>
  ];
  let verify = [{ return ::tilegpt::tile::detail::verifyRefinedTypes($_op); }];
}

def Tile_RunOpInterface : OpInterface<"RunOpInterface"> {
  let cppNamespace = "::tilegpt::tile";
  let description = [{
    An op whose result is a view of `length` neighbours of a dense view, the run of this number, or of as many as there
    are left.
  }];
  let methods = [
    InterfaceMethod<"The dense view.", "::mlir::Value", "getSource">,
    InterfaceMethod<"The number of the run.", "::mlir::Value", "getNumber">,
    InterfaceMethod<"Elements of a run.", "int64_t", "getLength">
  ];
}

#endif
