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
    | `gpt.embed` | ids [N], pos [B], tokens [V, C], positions [S, C] → [N, C] |
    | `gpt.layer_norm` | x [N, C], weight [C], bias [C], eps : f32 → [N, C] |
    | `gpt.linear` | x [N, K], weight [O, K], bias [O] (, residual [N, O]) → [N, O] |
    | `gpt.gelu` | x [N, C] → [N, C] |
    | `gpt.attention {part = "append"}` | qkv [N, 3C], pos [B] → k, v [B, H, S, D], updated |
    | `gpt.attention {part = "attend"}` | qkv [N, 3C], k, v [B, H, S, D], pos [B] → [N, C] |
    | `gpt.last_rows` | x [N, C], pos [B] → [B, C] |
    | `gpt.unembed` | x [N, C], weight [V, C] → [N, V] |
    | `gpt.sample {part = "order"}` | logits [B, V] → sorted, ids [B, V'], V' the multiple of 256 from V on |
    | `gpt.sample {part = "draw"}` | sorted, ids [B, V'], how [B, 5] → [B] |
    | elementwise | the operands → the results |

    Weights become `tile.global`s of the model, matrices of the element type `weights`, vectors f32; a KV cache becomes
    two states of `capacity` tokens. What launches hand to each other, and the caches, have the element type
    `activations`. Logits are f32, but those of a plan that scores have the element type `logits`; they must be returned as
    `gpt.unembed` gives them where that is another.

    A kernel is chosen among those of the module that say `implements(…)` with the op's attributes and whose `where`
    conditions hold for all rows of the function's plan (`tile.rows`, `gpt.sequences`; any number without). The user's
    own win over the library's (`tile.library`), then those with conditions over those without; two that are left are
    an error. A linear layer whose activation or residual no kernel takes is written out as several launches. Kernels of
    the library that nothing launches are dropped at the end.

    With `fuse-launches`, where a kernel says so and its conditions hold: a layer norm that only linear layers read is left
    to them (`implements(gpt.linear {…, norm})`, whose ins end in weight, bias and eps of the norm), and the two parts of
    attention become one launch (`part = "whole"`: qkv, pos → k, v, y). A launch costs a GPU more than the sums of a norm.

    Example: `%y = gpt.gelu %x : …` becomes
    `%y = tile.launch @gelu ins(%x) outs(%e) {tile.label = "gelu"} : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect",
                           "::tilegpt::tile::TileDialect"];
  let options = [
    Option<"weights", "weights", "std::string", "\"f32\"", "element type of matrices: f32, bf16 or f16">,
    Option<"activations", "activations", "std::string", "\"f32\"",
           "element type of rows and caches: f32, bf16 or f16">,
    Option<"logits", "logits", "std::string", "\"f32\"",
           "element type of the logits of plans that score: f32, bf16 or f16">,
    Option<"fuseLaunches", "fuse-launches", "bool", "false",
           "use kernels that do the work of several launches where there are some">,
    Option<"capacity", "capacity", "int64_t", "0", "tokens a KV cache holds; 0 takes the model's context">];
  let statistics = [Statistic<"numLaunches", "launches", "launches made">];
}

#endif
