//===- TileKernelOps.td - Kernels, launches, globals, the grid ----*- tablegen -*-===//

#ifndef TILEGPT_DIALECT_TILE_IR_TILEKERNELOPS_TD
#define TILEGPT_DIALECT_TILE_IR_TILEKERNELOPS_TD

include "TileGPT/Dialect/Tile/IR/TileOpBase.td"

def Tile_KernelOp : Tile_Op<"kernel", [
    IsolatedFromAbove, Symbol, SingleBlockImplicitTerminator<"ReturnOp">]> {
  let summary = "a kernel: what one block of a grid loads, computes and stores";
  let description = [{
    Arguments are views and scalars; those of `outs` are written. A kernel has no results.

    - `implements(gpt.linear {activation = "gelu"})` offers the kernel for a graph op with these attributes;
      `where(dim(%x, 0) <= 16)` restricts the offer. Among matching kernels, one with conditions takes precedence
      over one without.
    - `requires(dim(%a, 0) == dim(%b, 0))` states preconditions on the sizes and scalars of every launch:
      comparisons like those of `where`, over arguments and parameters. A statically known violation is an error on
      the `tile.launch`, any other an error before the kernel runs. The compiler treats sizes that are declared
      equal as one size.
    - `params {BM = 64 in [16, 64, 128], D = dim(%k, 3), W: type = f32 in [f32, bf16]}` declares parameters with a
      default and candidates.
    - `grid [ceildiv(dim(%y, 0), BM)]` is the number of blocks along up to three axes.
    - `grid launch` leaves the grid to the launch, along three axes. Such a kernel is raw: its arguments are
      pointers and scalars exactly as declared, none is an out, and no `tile.launch` of a graph refers to it; a
      caller that knows the addresses launches it (docs/CudaTile.md). Its body creates views with `tile.view_at`.
      `tile.alias_classes = array<i64: …>` assigns an alias class to each pointer argument: pointers of the same
      class may alias; pointers of different classes do not alias where one of them is written and the order of the
      accesses matters; class -1 may alias any. Without the attribute, memory read through a pointer that the kernel
      never writes through must not have been written through another pointer before.

    Example:
    ```mlir
    !V = !tile.view<?x!tile.elt<X>>
    tile.kernel @add(%a: !V, %b: !V) outs(%y: !V)
        requires(dim(%a, 0) == dim(%y, 0), dim(%b, 0) == dim(%y, 0))
        params {BN = 1024 in [256, 1024], X: type = f32 in [f32, bf16]}
        grid [ceildiv(dim(%y, 0), BN)] {
      %n = tile.block_id 0
      %0 = tile.load %a[%n] [BN] : !V -> tensor<?x!tile.elt<X>>
      %1 = tile.load %b[%n] [BN] : !V -> tensor<?x!tile.elt<X>>
      %2 = tile.cast %0 : tensor<?x!tile.elt<X>> to tensor<?xf32>
      %3 = tile.cast %1 : tensor<?x!tile.elt<X>> to tensor<?xf32>
      %4 = arith.addf %2, %3 : tensor<?xf32>
      %5 = tile.cast %4 : tensor<?xf32> to tensor<?x!tile.elt<X>>
      tile.store %5, %y[%n] : tensor<?x!tile.elt<X>>, !V
    }
    tile.kernel @raw_negate(%x: !tile.ptr<f32>, %n: i32) grid launch {
      %b = tile.block_id 0
      %size = arith.index_cast %n : i32 to index
      %v = tile.view_at %x sizes [%size] : !tile.ptr<f32> -> !tile.view<?xf32>
      %0 = tile.load %v[%b] [1024] : !tile.view<?xf32> -> tensor<1024xf32>
      %1 = arith.negf %0 : tensor<1024xf32>
      tile.store %1, %v[%b] : tensor<1024xf32>, !tile.view<?xf32>
    }
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    I64Attr:$num_outs,
    OptionalAttr<Tile_ImplementsAttr>:$implements,
    OptionalAttr<TypedArrayAttrBase<Tile_ConditionAttr, "conditions">>:$conditions,
    OptionalAttr<TypedArrayAttrBase<Tile_ConditionAttr, "requirements">>:$requirements,
    DefaultValuedAttr<TypedArrayAttrBase<Tile_ParamAttr, "parameters">, "{}">:$params,
    TypedArrayAttrBase<Tile_ExprAttr, "grid">:$grid);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block *getEntryBlock() { return &getBody().front(); }
    ::mlir::Block::BlockArgListType getArguments() { return getEntryBlock()->getArguments(); }
    unsigned getNumIns() { return getArguments().size() - getNumOuts(); }
    ::mlir::Block::BlockArgListType getIns() { return getArguments().take_front(getNumIns()); }
    ::mlir::Block::BlockArgListType getOuts() { return getArguments().take_back(getNumOuts()); }
    bool isOut(unsigned argument) { return argument >= getNumIns(); }
    /// Whether the grid comes from the launch: `grid` says nothing of it then.
    bool isRaw() { return getGrid().empty(); }
    /// What a raw kernel says of the views that its launch makes, which are its last arguments; empty for others.
    ::mlir::ArrayAttr getLaunchViews();
    /// Axes of the grid.
    unsigned getGridRank() { return isRaw() ? 3 : getGrid().size(); }
    /// The declaration of a parameter, or null.
    ParamAttr lookupParam(::llvm::StringRef name);
    /// The default of a type parameter: where it follows another, that one's.
    ::mlir::Type getDefaultType(::llvm::StringRef name);
  }];
}

def Tile_ReturnOp : Tile_Op<"return", [Pure, Terminator, HasParent<"KernelOp">]> {
  let summary = "terminator of a kernel";
  let description = [{
    Terminates the body of every kernel; the textual form omits it.

    Example:
    ```mlir
    tile.kernel @nothing() grid [1] {
      tile.return
    }
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def Tile_ParamOp : Tile_Op<"param", [Pure]> {
  let summary = "the value of a size parameter";
  let description = [{
    The value bound to `name`, a size parameter of the enclosing kernel. Becomes a constant when the kernel is
    specialized.

    Example:
    ```mlir
    %bm = tile.param BM
    ```
  }];
  let arguments = (ins StrAttr:$name);
  let results = (outs Index:$value);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Tile_BlockIdOp : Tile_Op<"block_id", [Pure]> {
  let summary = "index of this block along an axis of the grid";
  let description = [{
    The position of this block in the grid: 0 ≤ `value` < `tile.num_blocks` of the same `axis`. Axis 0 varies
    fastest, but blocks may run in any order.

    Example:
    ```mlir
    tile.kernel @where() grid [4, 2] {
      %m = tile.block_id 0
      %n = tile.block_id 1
    }
    ```
  }];
  let arguments = (ins I64Attr:$axis);
  let results = (outs Index:$value);
  let assemblyFormat = "$axis attr-dict";
  let hasVerifier = 1;
}

def Tile_NumBlocksOp : Tile_Op<"num_blocks", [Pure]> {
  let summary = "number of blocks along an axis of the grid";
  let description = [{
    The value of the `grid` expression of the kernel for `axis`, at least 0; in a raw kernel, the value given by the
    launch.

    Example:
    ```mlir
    tile.kernel @how_many(%x: !tile.view<?xf32>) grid [ceildiv(dim(%x, 0), 64)] {
      %n = tile.num_blocks 0
    }
    ```
  }];
  let arguments = (ins I64Attr:$axis);
  let results = (outs Index:$value);
  let assemblyFormat = "$axis attr-dict";
  let hasVerifier = 1;
}

def Tile_LaunchOp : Tile_Op<"launch", [
    AttrSizedOperandSegments, DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "runs a kernel over its grid on tensors";
  let description = [{
    Operands are the kernel arguments in order: `ins`, then `outs`; tensors for views, scalars for scalars. An
    operand of `outs` is either a `tensor.empty` (every element read afterwards must have been stored) or a tensor
    that is updated in place (state); each has one result, its value after the launch. The element types and static
    sizes of the tensors bind the type variables and dynamic sizes of the kernel. `params {BM = 32}` overrides
    declared defaults. `--tile-link-library` looks up a kernel that is not in the module in the library.

    Example:
    ```mlir
    %y = tile.launch @linear ins(%x, %w, %b) outs(%e) params {BM = 32}
        : (tensor<?x768xf32>, tensor<2304x768xbf16>, tensor<2304xf32>, tensor<?x2304xf32>) -> tensor<?x2304xf32>
    ```
  }];
  let arguments = (ins
    FlatSymbolRefAttr:$kernel,
    Variadic<AnyTypeOf<[AnyRankedTensor, Tile_Scalar]>>:$ins,
    Variadic<AnyRankedTensor>:$outs,
    OptionalAttr<DictionaryAttr>:$params);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    $kernel `ins` `(` $ins `)` `outs` `(` $outs `)` (`params` $params^)? attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutsMutable(); }
  }];
}

def Tile_GlobalOp : Tile_Op<"global", [Symbol]> {
  let summary = "a named tensor that persists across steps: a weight, or state such as a KV cache";
  let description = [{
    A `weight` has a static shape and is bound by name to a tensor that the runtime loads. `state` is initialized
    with zeros; its first axis may be `?`, with one entry per sequence.

    Example:
    ```mlir
    tile.global @wte weight : tensor<50257x768xbf16>
    tile.global @h.0.k state : tensor<?x12x1024x64xf32>
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, Tile_GlobalKindAttr:$kind,
                       TypeAttrOf<AnyRankedTensor>:$type);
  let assemblyFormat = "$sym_name custom<Word>($kind) `:` $type attr-dict";
  let hasVerifier = 1;
}

def Tile_GetGlobalOp : Tile_Op<"get_global", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>, Pure]> {
  let summary = "the value of a global at the start of a step";
  let description = [{
    The tensor named `name`: the loaded value of a weight, or the state left by the previous step.

    Example:
    ```mlir
    tile.global @wte weight : tensor<50257x768xbf16>
    func.func @step() {
      %w = tile.get_global @wte : tensor<50257x768xbf16>
      return
    }
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$name);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$name attr-dict `:` type($result)";
}

#endif
