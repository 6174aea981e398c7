//===- Passes.td - Transforms of the gpt dialect ------------------*- tablegen -*-===//

#ifndef TILEGPT_DIALECT_GPT_TRANSFORMS_PASSES_TD
#define TILEGPT_DIALECT_GPT_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def LinkBasePass : Pass<"gpt-link-base", "::mlir::ModuleOp"> {
  let summary = "Give a preset the body of its base model";
  let description = [{
    A `gpt.model` that is `like "gpt2"` gets a copy of the body of the model in `gpt2.mlir`, and its settings and tables unless
    it has its own; sizes and epsilon are the preset's. The file is searched in `dir`, by default the directory of the preset's
    file, then among the built-in models.

    Example: `gpt.model @"gpt2-xl" like "gpt2" {layers = 48, heads = 25, …}` becomes a model of 48 layers.
  }];
  let options = [Option<"dir", "dir", "std::string", "\"\"", "directory of the base models">];
  let dependentDialects = ["::tilegpt::gpt::GptDialect"];
}

def ConfigurePass : Pass<"gpt-configure", "::tilegpt::gpt::ModelOp"> {
  let summary = "Set the sizes and settings of a model and make its types static";
  let description = [{
    The options are settings of the model by name, whose values are replaced. Then every type that depends on the model's sizes
    is refined: `tensor<?x?xf32>` becomes `tensor<?x768xf32>`. An explicit size in the model must agree. An unused setting is an
    error.

    Two settings are special. If `tied` is true, heads use the weights that the table `weights = {tied = {lm_head = "wte"}}`
    substitutes for theirs. `activation`, `gelu_tanh` or `gelu_erf`, replaces the kind of every GELU.

    Example: `--gpt-configure="layers=6 heads=4 width=256 context=512 vocab=2048 sliding=[1,0]"`.
  }];
  let options = [
    Option<"settings", "settings", "std::string", "\"\"", "settings, as NAME=VALUE; `settings=` may be omitted">];
}

def UnrollLayersPass : Pass<"gpt-unroll-layers", "::tilegpt::gpt::ModelOp"> {
  let summary = "Unroll the layers of a model";
  let description = [{
    Replaces `gpt.layers` by one copy of its body per layer. `{l}` in the names of weights and caches becomes the layer's index,
    and expressions of settings become literals: those of the layer if a setting is a pattern over the layers. A
    `tile.global` with `{l}` in its name is declared once for each layer, so that a launch within the layers can read its own
    weights.

    Example: `weights("h.{l}.ln_1")` becomes `weights("h.0.ln_1")`, `weights("h.1.ln_1")`, …
  }];
}

def ShardPass : Pass<"gpt-shard", "::tilegpt::gpt::ModelOp"> {
  let summary = "Shard a model among ranks (tensor parallelism)";
  let description = [{
    Turns a model into one that `ranks` ranks run together, each on its part of the weights and of the cache: the same IR for all,
    with the sizes of one rank. As in Megatron-LM, matmuls that produce heads or inner features are split by outputs, those
    that consume them by inputs, and `gpt.all_reduce` sums the partial results. Embedding and head are split by tokens, positions
    likewise: `gpt.all_reduce` sums the rows that each rank finds in its part, `gpt.all_gather` concatenates the logits, and a
    head that is tied to the embedding shares its part of the table. Norms, residuals and expert routing are computed by all
    ranks; experts are split by inner features. `shard(…)` of an op describes the part of a weight that a rank holds; if results
    are summed, only rank 0 adds the bias.

    Ranks with fewer heads or features are zero-padded. If there are fewer KV heads than ranks, several ranks hold a copy, and
    must divide evenly. A number of ranks that would leave one without a head is an error.

    Runs after `--gpt-unroll-layers` and before `--gpt-fuse`; with one rank it changes nothing.

    Example: `--gpt-shard="ranks=2"` makes `to 3072` of the MLP `to 1536 shard("rows 384*8/2")`.

    Not bit-preserving: the order of sums over inputs changes.
  }];
  let options = [Option<"ranks", "ranks", "int64_t", "1", "number of ranks">];
}

def FusePass : Pass<"gpt-fuse", "::tilegpt::gpt::ModelOp"> {
  let summary = "Fuse activations, gates and residual additions into linear layers";
  let description = [{
    A `gpt.gelu` of a `gpt.linear` becomes its `activation`, a `gpt.glu` of one without a bias makes it `gated`, and an
    `arith.addf` with a `gpt.linear` becomes its `residual`, if the linear layer's result has no other use. A linear layer takes
    one of the three: no kernel supports two. Expressions must be literals (`--gpt-unroll-layers`).

    Example: `gpt.gelu (gpt.linear %x …)` becomes `gpt.linear %x … activation(gelu_tanh)`.

    Not bit-preserving if a fused kernel rounds less often.
  }];
  let statistics = [
    Statistic<"numActivations", "activations", "activations fused">,
    Statistic<"numGates", "gates", "gated units fused">,
    Statistic<"numResiduals", "residuals", "residual additions fused">];
}

def MakePlansPass : Pass<"gpt-make-plans", "::tilegpt::gpt::ModelOp"> {
  let summary = "Instantiate the forward function for ranges of rows";
  let description = [{
    Replaces the function `forward` by one copy per plan, named `decode_1`, `decode_2_16`, `prefill_17_512`, …. A plan is written
    KIND:LO-HI:

    - `decode`: one token per sequence, so N = B; logits of every row.
    - `sample`: like decode, but takes sampling parameters ([B, 5], see `gpt.sample`) and returns the next token of every row.
    - `prefill`: logits of the last row of each sequence (inserted by `--gpt-select-last-rows`).
    - `score`: logits of every row.

    LO and HI bound N; `sequences` bounds B of prefill and score. A range of one size makes the types static. The ranges are kept
    as attributes of the function (`tile.rows`, `gpt.sequences`), which determine the choice of kernels.

    The function must take ids and positions and return logits. A model without it that already has plans is unchanged.

    Example: `--gpt-make-plans="plans=decode:1-1,prefill:2-512"`.
  }];
  let options = [
    ListOption<"plans", "plans", "std::string", "plans to create, each KIND:LO-HI">,
    Option<"sequences", "sequences", "int64_t", "1", "maximum number of sequences in a prefill or score step">,
    Option<"function", "function", "std::string", "\"forward\"", "the function to instantiate">];
}

def SelectLastRowsPass : Pass<"gpt-select-last-rows", "::tilegpt::gpt::ModelOp"> {
  let summary = "Compute logits only for the last row of each sequence";
  let description = [{
    Applies once to `prefill` plans, and to functions that are not plans (`gpt.last_rows` marks them). Every result is reduced to
    its last rows, and the op `gpt.last_rows` moves up through rowwise ops (norms, linear, GELU, gated units, unembed and
    elementwise ops) as long as the other rows are unused. In `decode` plans every row is the last of its sequence, so the op
    folds away; `score` plans are unchanged.

    Example: in `gpt.unembed (gpt.layer_norm %x …)` the rows are selected from `%x`.
  }];
  let statistics = [Statistic<"numMoved", "moved", "ops that now compute last rows only">];
}

#endif
