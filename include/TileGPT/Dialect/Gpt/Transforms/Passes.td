//===- Passes.td - Passes within the gpt dialect ------------------*- tablegen -*-===//

#ifndef TILEGPT_DIALECT_GPT_TRANSFORMS_PASSES_TD
#define TILEGPT_DIALECT_GPT_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def LinkBasePass : Pass<"gpt-link-base", "::mlir::ModuleOp"> {
  let summary = "give a preset the body of the model it is like";
  let description = [{
    A `gpt.model` that is `like "gpt2"` gets a copy of the body of the model in `gpt2.mlir`, and its settings and tables
    where it has none of its own; sizes and epsilon stay its own. The file is looked for in `dir`, which is the folder of the preset's own file unless given, then among the models that
    are built in.

    Example: `gpt.model @"gpt2-xl" like "gpt2" {layers = 48, heads = 25, …}` becomes a model of 48 layers.
  }];
  let options = [Option<"dir", "dir", "std::string", "\"\"", "folder of the base models">];
  let dependentDialects = ["::tilegpt::gpt::GptDialect"];
}

def ConfigurePass : Pass<"gpt-configure", "::tilegpt::gpt::ModelOp"> {
  let summary = "set the sizes and settings of a model and make its types static";
  let description = [{
    The options are settings of the model, by the names its text gives them, which are replaced; then every type that
    follows from the model's sizes is narrowed: `tensor<?x?xf32>` becomes `tensor<?x768xf32>`. A size that the text of
    the model states itself must agree. A setting that nothing in the model names is an error.

    Two settings have a meaning of their own. Where `tied` is true, heads take the weights that the table
    `weights = {tied = {lm_head = "wte"}}` puts in the place of theirs. `activation`, `gelu_tanh` or `gelu_erf`, replaces
    the kind of every GELU.

    Example: `--gpt-configure="layers=6 heads=4 width=256 context=512 vocab=2048 sliding=[1,0]"`.
  }];
  let options = [
    Option<"settings", "settings", "std::string", "\"\"", "settings, as NAME=VALUE; `settings=` may be left away">];
}

def UnrollLayersPass : Pass<"gpt-unroll-layers", "::tilegpt::gpt::ModelOp"> {
  let summary = "write out the layers of a model";
  let description = [{
    Replaces `gpt.layers` by as many copies of its body as the model has layers. `{l}` in the names of weights and caches
    becomes the number of the layer, and values in settings become literals: those of the layer where a setting is a
    pattern over the layers. A `tile.global` with `{l}` in its name is declared once for each layer, so that a
    launch within the layers can read weights of its own.

    Example: `weights("h.{l}.ln_1")` becomes `weights("h.0.ln_1")`, `weights("h.1.ln_1")`, …
  }];
}

def ShardPass : Pass<"gpt-shard", "::tilegpt::gpt::ModelOp"> {
  let summary = "split a model among ranks: tensor parallelism";
  let description = [{
    Makes of a model one that `ranks` ranks run together, each on its part of the weights and of the cache: one text for
    all, with the sizes of one rank. As in Megatron-LM, products that heads or inner features come from are split by
    outputs, those that read them by inputs, and `gpt.all_reduce` adds up what the ranks get. Embedding and head are split
    by tokens, positions likewise: `gpt.all_reduce` adds up the rows that each rank finds in its part, `gpt.all_gather`
    puts the logits side by side, and a head that is tied to the embedding shares its part of the table. Norms, residuals
    and the choice of experts are computed by all ranks; experts are split by inner features. `shard(…)` of an op says
    which part of a weight a rank holds; its bias is added by rank 0 alone where results are added up.

    Ranks that get fewer heads or features than others compute with zeros for the rest. A head of keys and values goes to
    several ranks where there are fewer than ranks, which then must share them evenly. A number of ranks that would leave
    one without a head is an error.

    Runs behind `--gpt-unroll-layers` and before `--gpt-fuse`; with one rank it changes nothing.

    Example: `--gpt-shard="ranks=2"` makes `to 3072` of the MLP `to 1536 shard("rows 384*8/2")`.

    Not bit-preserving: sums over inputs are added up in another order.
  }];
  let options = [Option<"ranks", "ranks", "int64_t", "1", "number of ranks">];
}

def FusePass : Pass<"gpt-fuse", "::tilegpt::gpt::ModelOp"> {
  let summary = "bring activations, gates and residual additions into linear layers";
  let description = [{
    A `gpt.gelu` of a `gpt.linear` becomes its `activation`, a `gpt.glu` of one without a bias makes it `gated`, an
    `arith.addf` with a `gpt.linear` becomes its `residual`, where nothing else reads the linear layer's result. A linear
    layer takes one of the three: there is no kernel for two. Values must be literals (`--gpt-unroll-layers`).

    Example: `gpt.gelu (gpt.linear %x …)` becomes `gpt.linear %x … activation(gelu_tanh)`.

    Not bit-preserving where a fused kernel rounds less often.
  }];
  let statistics = [
    Statistic<"numActivations", "activations", "activations fused">,
    Statistic<"numGates", "gates", "gated units fused">,
    Statistic<"numResiduals", "residuals", "residual additions fused">];
}

def MakePlansPass : Pass<"gpt-make-plans", "::tilegpt::gpt::ModelOp"> {
  let summary = "instantiate the forward function for ranges of rows";
  let description = [{
    Replaces the function `forward` by copies, one for each plan, named `decode_1`, `decode_2_16`, `prefill_17_512`, ….
    A plan is written KIND:LO-HI:

    - `decode`: one token for each sequence, so N = B; logits of every row.
    - `sample`: as decode, but takes how to draw tokens ([B, 5], see `gpt.sample`) and gives the next token of every row.
    - `prefill`: logits of the last row of each sequence (`--gpt-select-last-rows` puts them in).
    - `score`: logits of every row.

    LO and HI bound N; `sequences` bounds B of prefill and score. A range of one size makes the types static. The ranges
    are kept as attributes of the function (`tile.rows`, `gpt.sequences`); kernels are chosen by them.

    The function must take ids and positions and return logits. A model without it that holds plans already is left as
    it is.

    Example: `--gpt-make-plans="plans=decode:1-1,prefill:2-512"`.
  }];
  let options = [
    ListOption<"plans", "plans", "std::string", "plans to make, each KIND:LO-HI">,
    Option<"sequences", "sequences", "int64_t", "1", "largest number of sequences in a prefill or score step">,
    Option<"function", "function", "std::string", "\"forward\"", "the function to instantiate">];
}

def SelectLastRowsPass : Pass<"gpt-select-last-rows", "::tilegpt::gpt::ModelOp"> {
  let summary = "compute logits only for the last row of each sequence";
  let description = [{
    Works on `prefill` plans, and on functions that are no plan, once (`gpt.last_rows` marks them). Every result becomes
    its last rows, and the op `gpt.last_rows` moves up through the ops that treat rows alone (norms, linear, GELU, gated
    units, unembed and elementwise ops) as far as nobody needs the other rows. In `decode` plans every row is the last of its
    sequence, so the op vanishes; `score` plans stay as they are.

    Example: in `gpt.unembed (gpt.layer_norm %x …)` the rows are selected from `%x`.
  }];
  let statistics = [Statistic<"numMoved", "moved", "ops that now compute last rows only">];
}

#endif
