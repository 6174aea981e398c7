//===- Passes.td - Conversion of gpt ops to launches --------------*- tablegen -*-===//

#ifndef TILEGPT_CONVERSION_GPTTOTILE_PASSES_TD
#define TILEGPT_CONVERSION_GPTTOTILE_PASSES_TD

include "mlir/Pass/PassBase.td"

def GptToTilePass : Pass<"gpt-to-tile", "::mlir::ModuleOp"> {
  let summary = "Lower gpt ops to launches of the kernels that implement them";
  let description = [{
    Every op of the functions of a `gpt.model`, and every elementwise op on tensors there, becomes a `tile.launch`. Sizes
    except rows must be static (`--gpt-configure`) and layers unrolled (`--gpt-unroll-layers`). The operands and results of
    a launch, by op (N rows, B sequences):

    | op | ins → outs |
    |---|---|
    | `gpt.embed` | ids [N], pos [B], tokens [V, C], positions [S, C], the indices of their first rows i32 [1], or [0] for 0 → [N, C] |
    | `gpt.embed {scale}`, without positions | ids [N], tokens [V, C], scale : f32, the index of its first row i32 [1], or [0] for 0 → [N, C] |
    | `gpt.positions` | x [N, C], pos [B], table [S, C] → [N, C] |
    | `gpt.sinusoids` | x [N, C], pos [B], frequencies [C/2], first : i32 → [N, C] |
    | `gpt.layer_norm` | x [N, C], weight [C], bias [C], eps : f32 → [N, C] |
    | `gpt.layer_norm {offset}`, without a bias or with an offset | x [N, C], weight [C], or [0] for 0, bias [C], or [0] if absent, eps, offset : f32 → [N, C] |
    | `gpt.rms_norm` | x [N, C], weight [C], eps, offset : f32 → [N, C] |
    | `gpt.linear` | x [N, K], weight [O, K], bias [O], or [0] if absent (, residual [N, O]) → [N, O] |
    | `gpt.linear {…, glu}` | x [N, K], weight [2F, K] → [N, F]; without a kernel for it, `gpt.linear` without a bias and `gpt.glu` |
    | `gpt.gelu` | x [N, C] → [N, C] |
    | `gpt.relu`, `gpt.relu {squared}` | x [N, C] → [N, C] |
    | `gpt.glu` | x [N, 2F] → [N, F] |
    | `gpt.head_norm` | x [N, (H + 2K)·D], weights of queries and keys [D], eps, offset : f32, H, H + K : i32 → as x |
    | `gpt.qk_norm` | x [N, (H + 2K)·D], weights of queries [H·D] and keys [K·D], eps : f32 → as x |
    | `gpt.latent_heads` | queries [N, H·D], latent [N, H·(D − R + V)], turned [N, R], the feature of a query's head that each feature becomes [D] → [N, 3·H·D] |
    | `gpt.columns` | x [N, G·D], D, the first column, F : i32 → [N, G·F] |
    | `gpt.rotary {part = "angles"}` | pos [B], frequencies [R/2], or [0] if derived from rate, stretch, constant, linear and frequency : f32, amplitude : f32 → cos [N, D], sin [N, R], both f32 |
    | `gpt.rotary {part = "turn"}` | x [N, (H + 2K)·D], cos, sin, H + K : i32 → as x |
    | `gpt.attention {part = "append"}` | qkv [N, (H + 2K)·D], weights of the norms of queries and keys [D], or [0] if absent, eps, offset : f32, cos [N, D] and sin [N, R], or [N, 0], pos [B] → k, v [B, K, S, D], updated, q [N, H·D], or [N, 0] if queries are unchanged |
    | `gpt.attention {part = "attend"}` | q or qkv, k, v, pos, factor : f32, window : i32, cap : f32, where 0 means 1/√D, no window and no cap → [N, H·D] |
    | `gpt.attention {part = "attend", alibi}`, with slopes | q or qkv, k, v, pos, factor : f32, where 0 means 1/√D, the slopes of all heads f32 [≥ H], the index of the first of these i32 [1], or [0] for 0 → [N, H·D] |
    | `gpt.attention {part = "attend", sinks}`, with sinks | q or qkv, k, v, pos, factor : f32, window : i32, where 0 means 1/√D and no window, sinks [H] → [N, H·D] |
    | `gpt.short_conv {part = "append"}` | x [N, 3C], pos [B] → u [B, 1, S, C], updated |
    | `gpt.short_conv {part = "convolve"}` | x [N, 3C], u, pos, weight [C, L], bias [C], or [0] if absent → [N, C] |
    | `gpt.route` | logits [N, E], normalize : f32 → ids i32, shares f32 [N, T] |
    | `gpt.route {scores}`, with scores of another kind, a bias or a scale | logits [N, E], normalize : f32, bias [E], or [0] if absent, sigmoid, scale : f32 → ids i32, shares f32 [N, T] |
    | `gpt.route {scores, groups}`, from some groups | as `gpt.route {scores}`, a vector with an element for each group [G], the number of chosen groups : i32 → ids i32, shares f32 [N, T] |
    | `gpt.experts {part = "units"}` | x [N, C], ids [N, T], weight [E·2F, C] → [N, T·F] |
    | `gpt.experts {part = "sum"}` | units [N, T·F], ids, shares, weight [E·C, F] → [N, C] |
    | `gpt.experts {part = "units", clamped}`, with biases | x [N, C], ids [N, T], weight [E·2F, C], bias [E·2F], slope, limit : f32 → [N, T·F] |
    | `gpt.experts {part = "sum", biased}` | units [N, T·F], ids, shares, weight [E·C, F], bias [E, C] → [N, C] |
    | `gpt.softcap` | x [N, C], cap : f32 → [N, C] |
    | `gpt.clamp` | x [N, C], limit : f32 → [N, C] |
    | `gpt.scale` | x [N, C], factor : f32 → [N, C] |
    | `gpt.gate`, `gpt.gate {linear}` | x [N, C], logits [N, 1] → [N, C] |
    | `gpt.gate {features}` | x, logits [N, C] → [N, C] |
    | `gpt.last_rows` | x [N, C], pos [B] → [B, C] |
    | `gpt.unembed` | x [N, C], weight [V, C] → [N, V]; without a kernel for it, `gpt.linear` without a bias |
    | `gpt.sample {part = "order"}` | logits [B, V] → sorted, ids [B, V'], V' the multiple of 256 from V on |
    | `gpt.sample {part = "draw"}` | sorted, ids [B, V'], how [B, 5] → [B] |
    | elementwise | the operands → the results |

    Weights become `tile.global`s of the model, matrices of the element type `weights`, vectors f32; a KV cache becomes two states
    of `capacity` tokens. Activations that matmuls multiply, caches store or ranks sum, and the inputs of gates and GELU that
    produce them, have the element type `activations`, and so do the caches; all others are f32: the residual stream, the result
    of a norm that is added, router logits. A kernel that uses one type for both gets its f32 rows rounded by `arith.truncf`,
    which a kernel implements. Logits are f32, except those of a plan that scores, which have the element type `logits`; if that
    is another type, `gpt.unembed`'s result must be returned directly.

    The kernel is chosen among those of the module that declare `implements(…)` with the op's attributes and whose `where`
    conditions hold for all rows of the function's plan (`tile.rows`, `gpt.sequences`; any number without). User kernels take
    precedence over the library's (`tile.library`), then kernels with conditions over those without; two remaining candidates
    are an error. A linear layer with an activation or residual that no kernel supports is expanded into several launches.
    Library kernels without launches are dropped at the end.

    QK norms and a rotation whose only use is attention are fused into it. Rotations of one kind share their angles. A matrix of
    several weights is one `tile.global`, named after all of them: `a.weight+b.weight`.

    Launches are not fused here: `--tile-fuse-launches` does that.

    Example: `%y = gpt.gelu %x : …` becomes
    `%y = tile.launch @gelu ins(%x) outs(%e) {tile.label = "gelu"} : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect",
                           "::tilegpt::tile::TileDialect"];
  let options = [
    Option<"weights", "weights", "std::string", "\"f32\"", "element type of weight matrices: f32, bf16 or f16">,
    Option<"activations", "activations", "std::string", "\"f32\"",
           "element type of caches and of matmul inputs: f32, bf16 or f16">,
    Option<"logits", "logits", "std::string", "\"f32\"",
           "element type of the logits of plans that score: f32, bf16 or f16">,
    Option<"capacity", "capacity", "int64_t", "0", "tokens a KV cache holds; 0 takes the model's context, or what rotation of the kind longrope was trained with">];
  let statistics = [Statistic<"numLaunches", "launches", "launches made">];
}

#endif
