//===- TileInterfaces.td - What the ops of the dialect have in common -*- tablegen -*-===//

#ifndef TILEGPT_DIALECT_TILE_IR_TILEINTERFACES_TD
#define TILEGPT_DIALECT_TILE_IR_TILEINTERFACES_TD

include "mlir/IR/OpBase.td"

def Tile_TypeRefinementOpInterface : OpInterface<"TypeRefinementOpInterface"> {
  let cppNamespace = "::tilegpt::tile";
  let description = [{
    An op whose result types are inferred from its operand types and attributes. The verifier checks the declared types
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

def Tile_CombinerOpInterface : OpInterface<"CombinerOpInterface"> {
  let cppNamespace = "::tilegpt::tile";
  let description = [{
    An op that combines the elements of `sources` along `axis`, two at a time: by a named kind, or by a region that takes
    as many accumulators as there are sources, then an element of each, and yields new accumulators.
  }];
  let methods = [
    InterfaceMethod<"Tiles of the same shape.", "::mlir::Operation::operand_range", "getSources">,
    InterfaceMethod<"The axis along which elements are combined.", "uint64_t", "getAxis">,
    InterfaceMethod<"The name; std::nullopt with a region.", "::std::optional<::tilegpt::tile::ReduceKind>", "getKind">,
    InterfaceMethod<"With a region, one identity per source.", "::std::optional<::mlir::ArrayAttr>", "getIdentities">,
    InterfaceMethod<"How max and min treat NaN.", "::tilegpt::tile::NaNPolicy", "getNanPolicy">,
    InterfaceMethod<"The region; empty when the op is named.", "::mlir::Region &", "getCombiner">
  ];
}

def Tile_RunOpInterface : OpInterface<"RunOpInterface"> {
  let cppNamespace = "::tilegpt::tile";
  let description = [{
    An op whose result is a view of a contiguous range of a dense view: `length` elements, clipped to the view.
  }];
  let methods = [
    InterfaceMethod<"The dense view.", "::mlir::Value", "getSource">,
    InterfaceMethod<"The index of the range.", "::mlir::Value", "getNumber">,
    InterfaceMethod<"The number of elements of a range.", "int64_t", "getLength">
  ];
}

#endif
