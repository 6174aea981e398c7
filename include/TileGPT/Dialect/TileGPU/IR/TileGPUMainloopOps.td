//===- TileGPUMainloopOps.td - The main loop of a kernel ------------*- tablegen -*-===//

#ifndef TILEGPT_DIALECT_TILEGPU_IR_TILEGPUMAINLOOPOPS_TD
#define TILEGPT_DIALECT_TILEGPU_IR_TILEGPUMAINLOOPOPS_TD

include "TileGPT/Dialect/TileGPU/IR/TileGPUOpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/LoopLikeInterface.td"

def TileGPU_YieldOp : TileGPU_Op<"yield", [Pure, Terminator, ReturnLike, HasParent<"::tilegpt::tilegpu::MainloopOp">]> {
  let summary = "terminates a region of a main loop";
  let description = [{
    In `produce`: the tiles that the iteration streams. In `consume`: the loop-carried values of the next iteration.

    Example:
    ```mlir
    tile_gpu.yield %k, %v : tensor<128x64xbf16>, tensor<128x64xbf16>
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let builders = [SeparateParamBuilder<results, arguments, regions, traits>,
                  OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

def TileGPU_MainloopOp : TileGPU_Op<"mainloop", [AttrSizedOperandSegments, RecursiveMemoryEffects,
    SingleBlockImplicitTerminator<"::tilegpt::tilegpu::YieldOp">,
    DeclareOpInterfaceMethods<LoopLikeOpInterface, ["getInitsMutable", "getLoopResults", "getRegionIterArgs",
      "getLoopInductionVars", "getLoopLowerBounds", "getLoopSteps", "getLoopUpperBounds", "getYieldedValuesMutable"]>]> {
  let summary = "a matrix product loop whose operands are loaded ahead by a producer";
  let description = [{
    An `scf.for` whose loads are separated from its computation. `produce` computes the addresses of the tiles of an
    iteration and loads them: scalars and `tile.load`, only operations that another warp can execute as well.
    `consume` holds the rest: dots, and arithmetic on tiles before, between and after them.

    - *streams*, yielded by `produce` and arguments of `consume`: the tiles of one iteration. The producer copies
      them to ring buffers in shared memory by TMA. Dots read them there; arithmetic reads them into registers.
    - `residents`: loop-invariant tiles that dots read in every iteration. The producer copies a `tile.load` once; a
      computed tile is written to shared memory by the threads that computed it.
    - `initArgs`: the initial loop-carried values, as in `scf.for`.

    The argument of `produce` is the induction variable; those of `consume` are the induction variable, the streams,
    the residents and the loop-carried values. `--tile-gpu-form-mainloop` creates the op,
    `--tile-gpu-specialize-roles` splits it between the warps. The uses of the tiles of a stage determine where the
    stage is awaited and released.

    Example:
    ```mlir
    %sum = tile_gpu.mainloop %c0 to %steps step %c1 init (%zero : tensor<128x96xf32>) produce {
    ^bb0(%k: index):
      %x = tile.load %a[%m, %k] [128, 64] : !A -> tensor<128x64xbf16>
      %w = tile.load %b[%n, %k] [96, 64] : !B -> tensor<96x64xbf16>
      tile_gpu.yield %x, %w : tensor<128x64xbf16>, tensor<96x64xbf16>
    } consume {
    ^bb0(%k: index, %x: tensor<128x64xbf16>, %w: tensor<96x64xbf16>, %acc: tensor<128x96xf32>):
      %next = tile.dot %x, %w, %acc transpose_b
          : tensor<128x64xbf16>, tensor<96x64xbf16>, tensor<128x96xf32> -> tensor<128x96xf32>
      tile_gpu.yield %next : tensor<128x96xf32>
    } -> tensor<128x96xf32>
    ```
  }];
  let arguments = (ins Index:$lowerBound, Index:$upperBound, Index:$step, Variadic<Tile_Tile>:$residents,
                       Variadic<AnyType>:$initArgs);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$produce, SizedRegion<1>:$consume);
  let assemblyFormat = [{
    $lowerBound `to` $upperBound `step` $step (`residents` `(` $residents^ `:` type($residents) `)`)?
    (`init` `(` $initArgs^ `:` type($initArgs) `)`)? `produce` $produce `consume` $consume attr-dict
    (`->` type($results)^)?
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block *getProduceBlock() { return &getProduce().front(); }
    ::mlir::Block *getConsumeBlock() { return &getConsume().front(); }
    /// The tiles that an iteration loads: the operands of the yield of `produce`.
    ::mlir::OperandRange getStreams();
    /// Arguments of `consume`.
    ::mlir::BlockArgument getIterationArg() { return getConsumeBlock()->getArgument(0); }
    ::mlir::Block::BlockArgListType getStreamArgs();
    ::mlir::Block::BlockArgListType getResidentArgs();
    /// The loop-carried values that `consume` yields.
    ::mlir::OperandRange getConsumeYield();
    /// Whether the trip count is known to be at least 1.
    bool runsAlways();
  }];
}

#endif
