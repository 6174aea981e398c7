//===- Passes.td - From gpt ops to launches -----------------------*- tablegen -*-===//

#ifndef TILEGPT_CONVERSION_GPTTOTILE_PASSES_TD
#define TILEGPT_CONVERSION_GPTTOTILE_PASSES_TD

include "mlir/Pass/PassBase.td"

def GptToTilePass : Pass<"gpt-to-tile", "::mlir::ModuleOp"> {
  let summary = "lower gpt ops to launches of the kernels that implement them";
  let description = [{
    Every op of the functions of a `gpt.model`, and every elementwise op on tensors there, becomes a `tile.launch`. Sizes
    must be static but for rows (`--gpt-configure`) and layers written out (`--gpt-unroll-layers`). What a launch takes
    and gives, by op (N rows, B sequences):

    | op | ins → outs |
    |---|---|
    | `gpt.embed` | ids [N], pos [B], tokens [V, C], positions [S, C], the numbers of their first rows i32 [1], or [0] for 0 → [N, C] |
    | `gpt.embed {scale}`, without positions | ids [N], tokens [V, C], scale : f32, the number of its first row i32 [1], or [0] for 0 → [N, C] |
    | `gpt.layer_norm` | x [N, C], weight [C], bias [C], eps : f32 → [N, C] |
    | `gpt.rms_norm` | x [N, C], weight [C], eps, offset : f32 → [N, C] |
    | `gpt.linear` | x [N, K], weight [O, K], bias [O], or [0] where there is none (, residual [N, O]) → [N, O] |
    | `gpt.linear {…, glu}` | x [N, K], weight [2F, K] → [N, F]; without a kernel for it, as `gpt.linear` without a bias and `gpt.glu` |
    | `gpt.gelu` | x [N, C] → [N, C] |
    | `gpt.glu` | x [N, 2F] → [N, F] |
    | `gpt.head_norm` | x [N, (H + 2K)·D], weights of queries and keys [D], eps, offset : f32, H, H + K : i32 → as x |
    | `gpt.rotary {part = "angles"}` | pos [B], frequencies [R/2], or [0] where they follow from rate, stretch, constant, linear and frequency : f32, amplitude : f32 → cos [N, D], sin [N, R], both f32 |
    | `gpt.rotary {part = "turn"}` | x [N, (H + 2K)·D], cos, sin, H + K : i32 → as x |
    | `gpt.attention {part = "append"}` | qkv [N, (H + 2K)·D], weights of norms of queries and keys [D], or [0] where there are none, eps, offset : f32, cos [N, D] and sin [N, R], or [N, 0], pos [B] → k, v [B, K, S, D], updated, q [N, H·D], or [N, 0] where queries stay as they are |
    | `gpt.attention {part = "attend"}` | q or qkv, k, v, pos, factor : f32, window : i32, cap : f32, each 0 for 1/√D, none and none → [N, H·D] |
    | `gpt.route` | logits [N, E], normalize : f32 → ids i32, shares f32 [N, T] |
    | `gpt.experts {part = "units"}` | x [N, C], ids [N, T], weight [E·2F, C] → [N, T·F] |
    | `gpt.experts {part = "sum"}` | units [N, T·F], ids, shares, weight [E·C, F] → [N, C] |
    | `gpt.softcap` | x [N, C], cap : f32 → [N, C] |
    | `gpt.last_rows` | x [N, C], pos [B] → [B, C] |
    | `gpt.unembed` | x [N, C], weight [V, C] → [N, V]; without a kernel for it, as `gpt.linear` without a bias |
    | `gpt.sample {part = "order"}` | logits [B, V] → sorted, ids [B, V'], V' the multiple of 256 from V on |
    | `gpt.sample {part = "draw"}` | sorted, ids [B, V'], how [B, 5] → [B] |
    | elementwise | the operands → the results |

    Weights become `tile.global`s of the model, matrices of the element type `weights`, vectors f32; a KV cache becomes
    two states of `capacity` tokens. Rows that products multiply, caches keep or ranks add
    up, and what gates and GELU make such rows of, have the element type `activations`, and so have the caches; all
    others are f32: sums of residuals, what a norm gives to an addition, logits of a router. A kernel that has one type
    for both is given rows that `arith.truncf` rounds, which a kernel implements. Logits are f32, but those of a plan that scores have the element type `logits`; they must be returned as
    `gpt.unembed` gives them where that is another.

    A kernel is chosen among those of the module that say `implements(…)` with the op's attributes and whose `where`
    conditions hold for all rows of the function's plan (`tile.rows`, `gpt.sequences`; any number without). The user's
    own win over the library's (`tile.library`), then those with conditions over those without; two that are left are
    an error. A linear layer whose activation or residual no kernel takes is written out as several launches. Kernels of
    the library that nothing launches are dropped at the end.

    Norms of heads and a rotation that only attention reads are left to it. Rotations of one kind share their angles. A
    matrix of several weights is one `tile.global`, named after all of them: `a.weight+b.weight`.

    Launches become one by rule (`--tile-fuse-launches`).

    Example: `%y = gpt.gelu %x : …` becomes
    `%y = tile.launch @gelu ins(%x) outs(%e) {tile.label = "gelu"} : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect",
                           "::tilegpt::tile::TileDialect"];
  let options = [
    Option<"weights", "weights", "std::string", "\"f32\"", "element type of matrices: f32, bf16 or f16">,
    Option<"activations", "activations", "std::string", "\"f32\"",
           "element type of caches and of rows that products multiply: f32, bf16 or f16">,
    Option<"logits", "logits", "std::string", "\"f32\"",
           "element type of the logits of plans that score: f32, bf16 or f16">,
    Option<"capacity", "capacity", "int64_t", "0", "tokens a KV cache holds; 0 takes the model's context, or what rotation of the kind longrope was trained with">];
  let statistics = [Statistic<"numLaunches", "launches", "launches made">];
}

#endif
