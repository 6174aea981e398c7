//===- GptOps.td - The ops of the gpt dialect ---------------------*- tablegen -*-===//

#ifndef TILEGPT_DIALECT_GPT_IR_GPTOPS_TD
#define TILEGPT_DIALECT_GPT_IR_GPTOPS_TD

include "TileGPT/Dialect/Gpt/IR/GptDialect.td"
include "TileGPT/Dialect/SeparateParamBuilder.td"
include "TileGPT/Dialect/Tile/IR/TileInterfaces.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

/// Text creates ops generically. The one builder, which tablegen asks for, replaces seven or so default builders per op.
class Gpt_Op<string mnemonic, list<Trait> traits = []> : Op<Gpt_Dialect, mnemonic, traits> {
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::mlir::TypeRange":$types, "::mlir::ValueRange":$values), [{
    $_state.addTypes(types);
    $_state.addOperands(values);
  }]>];
}

/// An op on activations. It stands in a gpt.model, whose sizes decide the types of its results.
class Gpt_LayerOp<string mnemonic, list<Trait> traits = []>
    : Gpt_Op<mnemonic, !listconcat(traits, [
        DeclareOpInterfaceMethods<Tile_TypeRefinementOpInterface>])>;

/// One that C++ creates by name.
class Gpt_BuiltLayerOp<string mnemonic, list<Trait> traits = []> : Gpt_LayerOp<mnemonic, traits> {
  let builders = [SeparateParamBuilder<results, arguments, regions, traits>];
}

/// Activations [N, C].
def Gpt_Activations : 2DTensorOf<[F32]>;
/// Token ids [N] or positions [B].
def Gpt_Ints : 1DTensorOf<[I32]>;
/// Numbers of experts [N, T].
def Gpt_IntRows : 2DTensorOf<[I32]>;

//===------------------------------------------------------------------------------===//
// Structure
//===------------------------------------------------------------------------------===//

def Gpt_ModelOp : Gpt_Op<"model", [
    IsolatedFromAbove, NoRegionArguments, NoTerminator, SingleBlock, Symbol, SymbolTable]> {
  let summary = "a model: its sizes, and the functions, globals and kernels it is made of";
  let description = [{
    The body holds `func.func`s of `gpt` ops and launches, and may contain `tile.global`s and `tile.kernel`s.

    | size | meaning | unless given |
    |---|---|---|
    | `layers`, `heads`, `width`, `context`, `vocab` | L, H, C, the positions it was trained for, V | an error |
    | `inner` | width within a feed-forward block | `4 * width` |
    | `kv_heads` | heads of keys and values, a divisor of `heads` | `heads` |
    | `head_dim` | D, the width of a head | `width / heads`, which must be whole |
    | `eps` | epsilon of the norms | 1e-5 |

    Every other name is a setting of this model: an integer, a float, a truth value, a string, or a list of one of these.
    A list is a pattern over the layers: layer l has element l modulo its length. Ops name sizes and settings where they
    take a value: `to (heads + 2 * kv_heads) * head_dim`. What is written here is the default and the type;
    `--gpt-configure` and a checkpoint's config.json replace it.

    Two names are tables, `config` (config.json to settings) and `weights` (a file's tensors to the names used here);
    docs/Models.md describes them.

    `like "gpt2"` takes the body, the settings and the tables of the model in `gpt2.mlir` beside this file, or else of
    the built-in one (`--gpt-link-base`), so a preset is one line; what it says itself counts.

    Example:
    ```mlir
    gpt.model @tiny {layers = 2, heads = 2, width = 8, context = 16, vocab = 32} {
      func.func @forward(%ids: tensor<?xi32>, %pos: tensor<?xi32>) -> tensor<?x?xf32> {
        %e = gpt.embed %ids at %pos weights("wte", "wpe") : tensor<?xi32>, tensor<?xi32> -> tensor<?x?xf32>
        %y = gpt.layers iter(%x = %e) : tensor<?x?xf32> {
          %n = gpt.layer_norm %x weights("h.{l}.ln_1") : tensor<?x?xf32> -> tensor<?x?xf32>
          %h = gpt.linear %n weights("h.{l}.fc") to width : tensor<?x?xf32> -> tensor<?x?xf32>
          %r = arith.addf %x, %h : tensor<?x?xf32>
          gpt.yield %r : tensor<?x?xf32>
        }
        %z = gpt.unembed %y weights("wte") : tensor<?x?xf32> -> tensor<?x?xf32>
        return %z : tensor<?x?xf32>
      }
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<StrAttr>:$base,
    I64Attr:$layers, I64Attr:$heads, I64Attr:$width, I64Attr:$context, I64Attr:$vocab,
    OptionalAttr<I64Attr>:$inner, OptionalAttr<I64Attr>:$kv_heads, OptionalAttr<I64Attr>:$head_dim,
    DefaultValuedAttr<F64Attr, "1.0e-5">:$eps);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// D, the width of one head.
    int64_t getHeadWidth() { return getHeadDim().value_or(getWidth() / getHeads()); }
    /// Heads of keys and values.
    int64_t getKvHeadCount() { return getKvHeads().value_or(getHeads()); }
    /// Width within a feed-forward block.
    int64_t getInnerWidth() { return getInner().value_or(4 * getWidth()); }
  }];
}

def Gpt_LayersOp : Gpt_Op<"layers", [
    RecursiveMemoryEffects, SingleBlock, DeclareOpInterfaceMethods<Tile_TypeRefinementOpInterface>]> {
  let summary = "a stack of layers with the same structure";
  let description = [{
    Runs the body once for each layer of the model. The first layer takes the values `inits`, every other layer
    those that the previous one yielded; the results are those that the last one yielded, of the same types. In the
    names of weights and caches in the body, `{l}` stands for the index of the layer, from 0. `--gpt-unroll-layers`
    unrolls the layers.

    Example:
    ```mlir
    %y = gpt.layers iter(%x = %e) : tensor<?x768xf32> {
      %h = gpt.linear %x weights("h.{l}.fc") to width : tensor<?x768xf32> -> tensor<?x768xf32>
      gpt.yield %h : tensor<?x768xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$inits);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block::BlockArgListType getIterArgs() { return getBody().front().getArguments(); }
    YieldOp getYield();
  }];
}

def Gpt_YieldOp : Gpt_Op<"yield", [Pure, Terminator, HasParent<"LayersOp">]> {
  let summary = "terminates a layer";
  let description = [{
    Yields one value for each iter value of the enclosing `gpt.layers`, of the same type, to the next layer.

    Example:
    ```mlir
    %y = gpt.layers iter(%x = %e) : tensor<?x768xf32> {
      gpt.yield %x : tensor<?x768xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$values);
  let assemblyFormat = "$values attr-dict `:` type($values)";
}

//===------------------------------------------------------------------------------===//
// Layers
//===------------------------------------------------------------------------------===//

def Gpt_EmbedOp : Gpt_LayerOp<"embed", [Pure]> {
  let summary = "token embedding, plus position embedding if there is one";
  let description = [{
    `y[b·T + t] = wte[ids[b·T + t]]·scale + wpe[pos[b] + t]`, where `T = N / B`.

    `ids` [N] are the tokens, sequence after sequence; `pos` [B] is the position of the first token of each
    sequence. The tables are `<tokens>.weight` [V, C] and `<positions>.weight` [context, C], which is optional;
    `scale`, 1 by default, is for an embedding without positions. An id outside the vocabulary or a position outside
    the context is an error before the step runs. The result is [N, C]; C is the width of the model unless `to` states
    the number of features.

    `shard("rows V/R")` assigns ⌈V/R⌉ tokens and ⌈context/R⌉ positions to each of R ranks; entries that a rank does
    not hold contribute zero to its result, so the sum over all ranks is y (`--gpt-shard`). A rank reads which rows
    it holds from one-element weights (`begin V/R`).

    Example:
    ```mlir
    %e = gpt.embed %ids at %pos weights("wte", "wpe") : tensor<?xi32>, tensor<?xi32> -> tensor<?x768xf32>
    %f = gpt.embed %ids at %pos weights("embed_tokens") scale(sqrt(width))
        : tensor<?xi32>, tensor<?xi32> -> tensor<?x768xf32>
    %g = gpt.embed %ids at %pos weights("embed_tokens") to 512 : tensor<?xi32>, tensor<?xi32> -> tensor<?x512xf32>
    ```
  }];
  let arguments = (ins Gpt_Ints:$ids, Gpt_Ints:$pos, StrAttr:$tokens, OptionalAttr<StrAttr>:$positions,
    OptionalAttr<Gpt_Value>:$scale, OptionalAttr<Gpt_Value>:$features, OptionalAttr<StrAttr>:$shard);
  let results = (outs Gpt_Activations:$result);
  let assemblyFormat = [{
    $ids `at` $pos `weights` `(` $tokens (`,` $positions^)? `)` (`scale` `(` custom<Value>($scale)^ `)`)?
    (`to` custom<Value>($features)^)? (`shard` `(` $shard^ `)`)? attr-dict
    `:` type($ids) `,` type($pos) `->` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// A table of which a rank may have some rows.
    struct Table {
      std::string weight;
      int64_t rows;
      /// The weight [1] that says which row is the first of them; empty: all are there.
      std::string begin;
    };
    Table getTokenTable();
    /// Of an op that has positions.
    Table getPositionTable();
  }];
}

def Gpt_PositionsOp : Gpt_LayerOp<"positions", [Pure]> {
  let summary = "adds a table's row for the position of every row";
  let description = [{
    `y[b·T + t] = input[b·T + t] + table[pos[b] + t]`, where `T = N / B`: position embeddings that are added after other
    work on the embedded tokens.

    `input` and the result are [N, C], `pos` [B] is the position of the first row of each sequence. The table is
    `<weights>.weight` [context, C].

    Example:
    ```mlir
    %y = gpt.positions %x at %pos weights("embed_positions") : tensor<?x1024xf32>, tensor<?xi32> -> tensor<?x1024xf32>
    ```
  }];
  let arguments = (ins Gpt_Activations:$input, Gpt_Ints:$pos, StrAttr:$weights);
  let results = (outs Gpt_Activations:$result);
  let assemblyFormat = [{
    $input `at` $pos `weights` `(` $weights `)` attr-dict `:` type($input) `,` type($pos) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Gpt_SinusoidsOp : Gpt_LayerOp<"sinusoids", [Pure]> {
  let summary = "adds sines and cosines of the position of every row";
  let description = [{
    Row `b·T + t` is at position `p = pos[b] + t + first`, where `first` is 0 by default. With `f(i) = theta^(−i / steps)`,
    `sin(p·f(i))` is added to feature i and `cos(p·f(i))` to feature i + C/2, for i < C/2. Angles are f32, whatever the
    type of the weights.

    `input` and the result are [N, C], C even; `pos` [B] is the position of the first row of each sequence.

    Example:
    ```mlir
    %y = gpt.sinusoids %x at %pos theta(10000.0) steps(width / 2 - 1) first(2)
        : tensor<?x1024xf32>, tensor<?xi32> -> tensor<?x1024xf32>
    ```
  }];
  let arguments = (ins Gpt_Activations:$input, Gpt_Ints:$pos, Gpt_Value:$theta, Gpt_Value:$steps,
    OptionalAttr<Gpt_Value>:$first);
  let results = (outs Gpt_Activations:$result);
  let assemblyFormat = [{
    $input `at` $pos `theta` `(` custom<Value>($theta) `)` `steps` `(` custom<Value>($steps) `)`
    (`first` `(` custom<Value>($first)^ `)`)? attr-dict `:` type($input) `,` type($pos) `->` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// f(i), i < C/2; fails with an error if a number is not allowed.
    ::mlir::FailureOr<::llvm::SmallVector<double>> getFrequencies();
    /// The position of a sequence's first row, less pos.
    ::mlir::FailureOr<int64_t> getFirstPosition();
  }];
}

def Gpt_LayerNormOp : Gpt_LayerOp<"layer_norm", [Pure]> {
  let summary = "layer normalization of every row";
  let description = [{
    `y = (x − mean(x)) / sqrt(var(x) + eps) · (weight + offset) + bias` along axis 1, with the biased variance, and
    `eps` of the model. `offset` is 0 by default; 1 is for checkpoints that store their weights minus one.

    `input` and the result are [N, C]. The weights are `<weights>.weight` [C] and `<weights>.bias` [C]; with `bias` 0
    there is no bias, and without `weights` neither, `y = (x − mean(x)) / sqrt(var(x) + eps)`.

    Example:
    ```mlir
    %n = gpt.layer_norm %x weights("ln_f") : tensor<?x768xf32> -> tensor<?x768xf32>
    %m = gpt.layer_norm %x weights("norm") bias(0) : tensor<?x768xf32> -> tensor<?x768xf32>
    ```
  }];
  let arguments = (ins Gpt_Activations:$input, OptionalAttr<StrAttr>:$weights, OptionalAttr<Gpt_Value>:$offset,
    OptionalAttr<Gpt_Value>:$bias);
  let results = (outs Gpt_Activations:$result);
  let assemblyFormat = [{
    $input (`weights` `(` $weights^ `)`)? (`offset` `(` custom<Value>($offset)^ `)`)?
    (`bias` `(` custom<Value>($bias)^ `)`)? attr-dict `:` type($input) `->` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Whether there is a bias; fails with an error on the op when `bias` is neither 0 nor 1.
    ::mlir::FailureOr<bool> hasBias();
  }];
}

def Gpt_RmsNormOp : Gpt_LayerOp<"rms_norm", [Pure]> {
  let summary = "RMS normalization of every row";
  let description = [{
    `y = x / sqrt(mean(x²) + eps) · (weight + offset)` along axis 1, with `eps` of the model unless given. `offset` is 0
    by default; 1 is for checkpoints that store their weights minus one.

    `input` and the result are [N, C]. The weight is `<weights>.weight` [C]; without `weights` the factor is 1.

    Example:
    ```mlir
    %n = gpt.rms_norm %x weights("norm") : tensor<?x768xf32> -> tensor<?x768xf32>
    %m = gpt.rms_norm %x : tensor<?x768xf32> -> tensor<?x768xf32>
    ```
  }];
  let arguments = (ins Gpt_Activations:$input, OptionalAttr<StrAttr>:$weights, OptionalAttr<Gpt_Value>:$offset,
    OptionalAttr<Gpt_Value>:$eps);
  let results = (outs Gpt_Activations:$result);
  let extraClassDeclaration = [{
    /// `eps`, or that of the model; fails with an error on the op for a value that is no number.
    ::mlir::FailureOr<double> getEpsilon();
  }];
  let assemblyFormat = [{
    $input (`weights` `(` $weights^ `)`)? (`offset` `(` custom<Value>($offset)^ `)`)?
    (`eps` `(` custom<Value>($eps)^ `)`)? attr-dict
    `:` type($input) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Gpt_HeadNormOp : Gpt_LayerOp<"head_norm", [Pure]> {
  let summary = "RMS normalization of every head of queries and keys";
  let description = [{
    `y = x / sqrt(mean(x²) + eps) · (weight + offset)` over the D features of each head of the queries, with the weight
    `<queries>.weight` [D], and of the keys, with `<keys>.weight` [D]; values stay as they are. `eps` and `offset` are
    those of `gpt.rms_norm`; without `weights` the factor is 1.

    `input` and the result are [N, (H + 2K)·D]: `[q | k | v]`, H heads of queries, K of keys and K of values.

    Example:
    ```mlir
    %n = gpt.head_norm %qkv weights("layers.0.self_attn.q_norm", "layers.0.self_attn.k_norm")
        : tensor<?x2304xf32> -> tensor<?x2304xf32>
    ```
  }];
  let arguments = (ins Gpt_Activations:$input, OptionalAttr<StrAttr>:$queries, OptionalAttr<StrAttr>:$keys,
    OptionalAttr<Gpt_Value>:$offset);
  let results = (outs Gpt_Activations:$result);
  let assemblyFormat = [{
    $input (`weights` `(` $queries^ `,` $keys `)`)? (`offset` `(` custom<Value>($offset)^ `)`)? attr-dict
    `:` type($input) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Gpt_HeadLayerNormOp : Gpt_LayerOp<"head_layer_norm", [Pure]> {
  let summary = "layer normalization of every head of queries and keys";
  let description = [{
    `y = (x − mean(x)) / sqrt(var(x) + eps) · weight + bias` over the D features of each head of the queries, with the
    weight `<queries>.weight` [D] and the bias `<queries>.bias` [D], and of the keys, with those of `<keys>`; values
    stay as they are. `eps` is that of the model; with `bias` 0 there is no bias.

    Names with `{h}`, which stands for the index of the head, are of weights that every head has for itself. So are
    those of one tensor for all heads, with `per_head`: `<queries>.weight` is then [H, D], `<keys>.weight` [K, D].

    With `shard` (`--gpt-shard`), H and K are those of one rank, and the text states which rows of the weights of all
    heads it has: `rows 12/2, 4/2`, of queries and of keys.

    `input` and the result are [N, (H + 2K)·D]: `[q | k | v]`, H heads of queries, K of keys and K of values.

    Example:
    ```mlir
    %n = gpt.head_layer_norm %qkv weights("layers.0.self_attn.q_layernorm", "layers.0.self_attn.k_layernorm")
        : tensor<?x2304xf32> -> tensor<?x2304xf32>
    %m = gpt.head_layer_norm %qkv weights("layers.0.self_attn.q_norm", "layers.0.self_attn.k_norm") per_head bias(0)
        : tensor<?x2304xf32> -> tensor<?x2304xf32>
    ```
  }];
  let arguments = (ins Gpt_Activations:$input, StrAttr:$queries, StrAttr:$keys, UnitAttr:$per_head,
    OptionalAttr<Gpt_Value>:$bias, OptionalAttr<StrAttr>:$shard);
  let results = (outs Gpt_Activations:$result);
  let assemblyFormat = [{
    $input `weights` `(` $queries `,` $keys `)` (`per_head` $per_head^)? (`bias` `(` custom<Value>($bias)^ `)`)?
    (`shard` `(` $shard^ `)`)? attr-dict `:` type($input) `->` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Whether there is a bias; fails with an error on the op when `bias` is neither 0 nor 1.
    ::mlir::FailureOr<bool> hasBias();
    /// Whether every head has weights of its own.
    bool hasOwnWeights();
    /// What heads of queries and of keys are multiplied by (".weight") or what is added (".bias"), head after head
    /// [H + K, D].
    ::std::string getJoined(::llvm::StringRef suffix);
  }];
}

def Gpt_QkNormOp : Gpt_LayerOp<"qk_norm", [Pure]> {
  let summary = "RMS normalization of all queries and of all keys of every row";
  let description = [{
    `y = x / sqrt(mean(x²) + eps) · weight` over the H·D features of all queries, with the weight `<queries>.weight`
    [H·D], and over the K·D features of all keys, with `<keys>.weight` [K·D]; values stay as they are. `gpt.head_norm`
    normalizes every head apart.

    `input` and the result are [N, (H + 2K)·D]: `[q | k | v]`, H heads of queries, K of keys and K of values.

    Example:
    ```mlir
    %n = gpt.qk_norm %qkv weights("layers.0.self_attn.q_norm", "layers.0.self_attn.k_norm")
        : tensor<?x2304xf32> -> tensor<?x2304xf32>
    ```
  }];
  let arguments = (ins Gpt_Activations:$input, StrAttr:$queries, StrAttr:$keys);
  let results = (outs Gpt_Activations:$result);
  let assemblyFormat = [{
    $input `weights` `(` $queries `,` $keys `)` attr-dict `:` type($input) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Gpt_LatentHeadsOp : Gpt_LayerOp<"latent_heads", [Pure]> {
  let summary = "heads of queries, keys and values of multi-head latent attention";
  let description = [{
    Puts together `[q | k | v]`, H heads each of D features, the first R of which `gpt.rotary` turns.

    `queries` [N, H·D] have D − R features of each head and then the R that turn. `latent` [N, H·(D − R + V)] has the
    D − R other features of the head's key and then the V of its value, and `turned` [N, R] those features of keys that
    turn, which all heads share. Values are filled up with zeros: V is at most D. With `interleaved`, 0 by default, 1,
    features 2i and 2i + 1 are the coordinates of a point, which become i and i + R/2.

    The result is [N, 3·H·D]; the model has as many heads of keys as of queries.

    Example:
    ```mlir
    %qkv = gpt.latent_heads %q, %kv, %k interleaved(1)
        : tensor<?x768xf32>, tensor<?x1152xf32>, tensor<?x32xf32> -> tensor<?x2304xf32>
    ```
  }];
  let arguments = (ins Gpt_Activations:$queries, Gpt_Activations:$latent, Gpt_Activations:$turned,
    OptionalAttr<Gpt_Value>:$interleaved);
  let results = (outs Gpt_Activations:$result);
  let extraClassDeclaration = [{
    /// The feature of a head of `queries` that is each of its features in the result. Fails with an error on the op if
    /// `interleaved` is neither 0 nor 1.
    ::mlir::FailureOr<::llvm::SmallVector<int64_t>> getOrder(Layer layer = {});
  }];
  let assemblyFormat = [{
    $queries `,` $latent `,` $turned (`interleaved` `(` custom<Value>($interleaved)^ `)`)? attr-dict
    `:` type($queries) `,` type($latent) `,` type($turned) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Gpt_ColumnsOp : Gpt_LayerOp<"columns", [Pure]> {
  let summary = "some columns of every group";
  let description = [{
    `y[n, g·F + i] = input[n, g·(C / G) + from + i]`, i < F, for the G groups of the columns: 1 group and from column 0 on
    unless given.

    `input` is [N, C], the result [N, G·F].

    Example:
    ```mlir
    %v = gpt.columns %a groups(heads) to 48 : tensor<?x768xf32> -> tensor<?x576xf32>
    %r = gpt.columns %k from(512) to 64 : tensor<?x576xf32> -> tensor<?x64xf32>
    ```
  }];
  let arguments = (ins Gpt_Activations:$input, OptionalAttr<Gpt_Value>:$groups, OptionalAttr<Gpt_Value>:$first,
    Gpt_Value:$features);
  let results = (outs Gpt_Activations:$result);
  let extraClassDeclaration = [{
    struct Groups {
      int64_t count, first, features;
    };
    /// The groups and which columns of each; fails with an error on the op for values out of range.
    ::mlir::FailureOr<Groups> getGroupColumns(Layer layer = {});
  }];
  let assemblyFormat = [{
    $input (`groups` `(` custom<Value>($groups)^ `)`)? (`from` `(` custom<Value>($first)^ `)`)?
    `to` custom<Value>($features) attr-dict `:` type($input) `->` type($result)
  }];
}

def Gpt_RotaryOp : Gpt_LayerOp<"rotary", [Pure]> {
  let summary = "rotary position embedding of queries and keys";
  let description = [{
    Row `b·T + t` is at position `p = pos[b] + t`. In each head of queries and of keys, features i and i + R/2 of the first
    R, for i < R/2, are the coordinates of a point that turns by `p·f(i)` radians, `f(i) = theta^(−2i/R)`:
    `y[i] = x[i]·cos − x[i + R/2]·sin`, `y[i + R/2] = x[i + R/2]·cos + x[i]·sin`. Values, and features from R on, stay as
    they are. R is `features`, D unless given and at most D; with 0 nothing turns. Angles are f32, whatever the type of
    the weights.

    `scaling` makes frequencies of f: `f·(m(i) + (1 − m(i)) / factor)`, where m(i), kept within 0 … 1, is

    | `scaling` | m(i) | takes |
    |---|---|---|
    | `"none"` (the default) | 1 | |
    | `"linear"` | 0 | `factor`, which may be negative: then everything turns the other way |
    | `"llama3"` | `(original·f(i)/2π − low) / (high − low)` | `factor`, `low`, `high`, `original` |
    | `"yarn"` | `1 − (i − lo) / (hi − lo)`, where `lo = ⌊d(high)⌋`, `hi = ⌈d(low)⌉` within 0 … R − 1 and f(d(n)) makes n turns in `original` positions; with `truncate` 0, `lo = d(high)`, `hi = d(low)` | the same, `truncate`, 1 by default |

    With `"longrope"` frequencies are `f(i) / factors[i]`. `factors` names two settings of the model, lists of R/2 numbers:
    the first one counts where the cache holds up to `original` tokens, else the second one.

    With `yarn` and `longrope` what turns is also multiplied by `amplitude`, which is `0.1·ln(factor) + 1` and
    `sqrt(1 + ln(factor) / ln(original))` where it is 0 or not given, and 1 where factor is at most 1.

    `input` and the result are [N, (H + 2K)·D]: `[q | k | v]`, H heads of queries, K of keys and K of values.

    Example:
    ```mlir
    %r = gpt.rotary %qkv at %pos theta(500000.0) scaling("llama3") factor(32.0) low(1.0) high(4.0) original(8192)
        : tensor<?x2304xf32>, tensor<?xi32> -> tensor<?x2304xf32>
    ```
  }];
  let arguments = (ins Gpt_Activations:$input, Gpt_Ints:$pos, Gpt_Value:$theta, OptionalAttr<Gpt_Value>:$features,
    OptionalAttr<Gpt_Value>:$scaling, OptionalAttr<Gpt_Value>:$factor, OptionalAttr<Gpt_Value>:$low,
    OptionalAttr<Gpt_Value>:$high, OptionalAttr<Gpt_Value>:$original, OptionalAttr<Gpt_Value>:$truncate,
    OptionalAttr<Gpt_Value>:$amplitude,
    OptionalAttr<StrAttr>:$short_factors, OptionalAttr<StrAttr>:$long_factors);
  let results = (outs Gpt_Activations:$result);
  let assemblyFormat = [{
    $input `at` $pos `theta` `(` custom<Value>($theta) `)` (`features` `(` custom<Value>($features)^ `)`)?
    (`scaling` `(` custom<Value>($scaling)^ `)`)? (`factor` `(` custom<Value>($factor)^ `)`)?
    (`low` `(` custom<Value>($low)^ `)`)? (`high` `(` custom<Value>($high)^ `)`)?
    (`original` `(` custom<Value>($original)^ `)`)? (`truncate` `(` custom<Value>($truncate)^ `)`)?
    (`amplitude` `(` custom<Value>($amplitude)^ `)`)?
    (`factors` `(` $short_factors^ `,` $long_factors `)`)? attr-dict
    `:` type($input) `,` type($pos) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Gpt_LinearOp : Gpt_LayerOp<"linear", [Pure]> {
  let summary = "linear layer with fused operations";
  let description = [{
    `y[n, o] = activation(Σ_k input[n, k] · weight[o, k] + bias[o]) + residual[n, o]`, or, with `gated` and without
    a bias, `y[n, o] = activation(Σ_k input[n, k] · weight[o, k]) · (Σ_k input[n, k] · weight[F + o, k])`

    `input` is [N, K] and the result [N, O]; the number of features O is an integer or an expression in settings of
    the model: `to 3 * width`, `to inner`. The weights are `<weights>.weight` [O, K] and `<weights>.bias` [O],
    omitted if `bias` is 0; with several names, their outputs are concatenated. `activation` is `none` (the
    default), `gelu_tanh`, `gelu_erf` or, in a gated layer, `silu`; `residual` [N, O] is optional. The result of a
    gated layer is [N, F], F = O / 2. `--gpt-fuse` fuses activation, residual and gate into the op.

    With `shard` (`--gpt-shard`), K and O are those of one rank, and the text states which part of the whole matrix
    it holds: `rows 3x768/2` is half of each of three groups of 768 outputs, and of the bias; `columns 3072/2` is
    half of the inputs, so that the results of all ranks have to be summed: only rank 0 then adds the bias. If fewer
    parts than ranks are written, adjacent ranks hold the same part.

    Example:
    ```mlir
    %f = gpt.linear %n weights("h.0.mlp.c_fc") to inner activation(gelu_tanh)
        : tensor<?x768xf32> -> tensor<?x3072xf32>
    %r = gpt.linear %f weights("h.0.mlp.c_proj") to width residual(%x : tensor<?x768xf32>)
        : tensor<?x3072xf32> -> tensor<?x768xf32>
    %q = gpt.linear %n weights("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj")
        to (heads + 2 * kv_heads) * head_dim bias(0) : tensor<?x768xf32> -> tensor<?x2304xf32>
    ```
  }];
  let arguments = (ins Gpt_Activations:$input, Optional<Gpt_Activations>:$residual, StrArrayAttr:$weights,
    Gpt_Value:$features, OptionalAttr<Gpt_Value>:$bias,
    DefaultValuedAttr<Gpt_ActivationAttr, "::tilegpt::gpt::Activation::None">:$activation, UnitAttr:$gated,
    OptionalAttr<StrAttr>:$shard);
  let results = (outs Gpt_Activations:$result);
  let extraClassDeclaration = [{
    /// O; fails with an error on the op when it is no positive number.
    ::mlir::FailureOr<int64_t> getFeatureCount();
    /// Whether there is a bias; fails with an error on the op when `bias` is neither 0 nor 1.
    ::mlir::FailureOr<bool> hasBias();
    /// What is called `suffix` of all weights, one after the other: `q.weight+k.weight` for `.weight`.
    ::std::string getJoined(::llvm::StringRef suffix);
    /// The names of the matrix and of the bias that this rank reads.
    ::std::string getWeightName();
    ::std::string getBiasName();
  }];
  let assemblyFormat = [{
    $input `weights` `(` custom<Names>($weights) `)` `to` custom<Value>($features)
    (`bias` `(` custom<Value>($bias)^ `)`)? (`gated` $gated^)?
    (`activation` `(` custom<Word>($activation)^ `)`)? (`shard` `(` $shard^ `)`)?
    (`residual` `(` $residual^ `:` type($residual) `)`)? attr-dict `:` type($input) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Gpt_GeluOp : Gpt_LayerOp<"gelu", [Pure]> {
  let summary = "GELU, elementwise";
  let description = [{
    `approximate` says which: `tanh` (the default, GPT-2's) is `0.5·x·(1 + tanh(√(2/π)·(x + 0.044715·x³)))`, `none` is
    `0.5·x·(1 + erf(x/√2))`. `input` and the result have one shape.

    Example:
    ```mlir
    %g = gpt.gelu %h approximate(none) : tensor<?x3072xf32> -> tensor<?x3072xf32>
    ```
  }];
  let arguments = (ins Gpt_Activations:$input,
    DefaultValuedAttr<Gpt_ApproximationAttr, "::tilegpt::gpt::Approximation::Tanh">:$approximate);
  let results = (outs Gpt_Activations:$result);
  let assemblyFormat = [{
    $input (`approximate` `(` custom<Word>($approximate)^ `)`)? attr-dict `:` type($input) `->` type($result)
  }];
}

def Gpt_ReluOp : Gpt_LayerOp<"relu", [Pure]> {
  let summary = "ReLU or its square, elementwise";
  let description = [{
    `y = max(x, 0)`; with `squared`, `y = max(x, 0)²`. `input` and the result have one shape.

    Example:
    ```mlir
    %r = gpt.relu %h : tensor<?x3072xf32> -> tensor<?x3072xf32>
    %s = gpt.relu %h squared : tensor<?x3072xf32> -> tensor<?x3072xf32>
    ```
  }];
  let arguments = (ins Gpt_Activations:$input, UnitAttr:$squared);
  let results = (outs Gpt_Activations:$result);
  let assemblyFormat = "$input (`squared` $squared^)? attr-dict `:` type($input) `->` type($result)";
}

def Gpt_XieluOp : Gpt_LayerOp<"xielu", [Pure]> {
  let summary = "xIELU, elementwise, with trained parameters";
  let description = [{
    `y = a·x² + b·x` where x > 0, otherwise `y = (exp(min(x, e)) − 1 − x)·(b + c) + b·x`, with `a = log(1 + exp(p))` and
    `c = log(1 + exp(n))`. The tensors `<weights>.alpha_p`, `<weights>.alpha_n`, `<weights>.beta` and `<weights>.eps`
    are the numbers p, n, b and e. `input` and the result have one shape.

    Example:
    ```mlir
    %g = gpt.xielu %h weights("layers.0.mlp.act_fn") : tensor<?x3072xf32> -> tensor<?x3072xf32>
    ```
  }];
  let arguments = (ins Gpt_Activations:$input, StrAttr:$weights);
  let results = (outs Gpt_Activations:$result);
  let assemblyFormat = "$input `weights` `(` $weights `)` attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
}

def Gpt_GluOp : Gpt_LayerOp<"glu", [Pure]> {
  let summary = "gated unit";
  let description = [{
    `y[n, f] = activation(input[n, f]) · input[n, F + f]`: `input` [N, 2F] holds `[gate | up]`, the result is [N, F].
    `activation` is `silu`, `x / (1 + exp(−x))`, or `gelu_tanh`.

    Example:
    ```mlir
    %g = gpt.glu %f activation(silu) : tensor<?x16384xf32> -> tensor<?x8192xf32>
    ```
  }];
  let arguments = (ins Gpt_Activations:$input, Gpt_ActivationAttr:$activation);
  let results = (outs Gpt_Activations:$result);
  let assemblyFormat = [{
    $input `activation` `(` custom<Word>($activation) `)` attr-dict `:` type($input) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Gpt_AttentionOp : Gpt_LayerOp<"attention", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "causal self-attention over the KV cache, which it extends";
  let description = [{
    Row `b·T + t` is at position `p = pos[b] + t`: its k and v are written to entry p of the caches, then `y =
    softmax(scale · q·kᵀ) · v` over the entries up to p, for each head: all of them, or the last `window` entries if
    `window` is given and not 0. `scale` is 1/√D by default. With a nonzero `softcap` c, scores s become
    `c·tanh(s/c)`. With a nonzero `alibi` m, scores decrease linearly with the distance of the key (ALiBi): that of entry
    s for head h is reduced by `alibi_scale · 2^(−m·e(h)) · (p − s)`, where `e(h) = (h + 1) / n` for the first n heads, n
    the largest power of two up to H, and `e(h) = (2·(h − n) + 1) / 2n` for the others. `alibi_scale` is 1 by default.
    `alibi` excludes `window` and `softcap`.

    `sinks` is the name of a tensor [H] with one more score for each head (an attention sink): it counts in the sum of the
    softmax, without a value, so that the weights of the entries sum to less than 1. It excludes `softcap` and `alibi`.

    `qkv` [N, (H + 2K)·D] holds `[q | k | v]`: H query heads, K key heads and K value heads, D features each; H / K
    consecutive query heads share a key and value head. `pos` [B] is the position of the first row of each sequence. The
    caches are `<cache>.k` and `<cache>.v` [B, K, S, D]; the caller ensures that `pos[b] + T ≤ S`. The result is [N,
    H·D].

    With `shard` (`--gpt-shard`), H is that of one rank, and the text states which of all heads it has: `rows 12/2`. A
    rank reads the sinks of these heads, and the index of the first one from a one-element weight (`begin 12/2`).

    Example:
    ```mlir
    %a = gpt.attention %qkv at %pos cache("h.0") : tensor<?x2304xf32>, tensor<?xi32> -> tensor<?x768xf32>
    %b = gpt.attention %r at %pos cache("layers.0") window(4096) scale(rsqrt(256)) softcap(50.0)
        : tensor<?x2304xf32>, tensor<?xi32> -> tensor<?x768xf32>
    %c = gpt.attention %qkv at %pos cache("h.0") alibi(8.0) : tensor<?x2304xf32>, tensor<?xi32> -> tensor<?x768xf32>
    %d = gpt.attention %r at %pos cache("layers.0") window(128) sinks("layers.0.self_attn.sinks")
        : tensor<?x2304xf32>, tensor<?xi32> -> tensor<?x768xf32>
    ```
  }];
  let arguments = (ins Gpt_Activations:$qkv, Gpt_Ints:$pos, StrAttr:$cache, OptionalAttr<Gpt_Value>:$window,
    OptionalAttr<Gpt_Value>:$scale, OptionalAttr<Gpt_Value>:$softcap, OptionalAttr<Gpt_Value>:$alibi,
    OptionalAttr<Gpt_Value>:$alibi_scale, OptionalAttr<StrAttr>:$sinks, OptionalAttr<StrAttr>:$shard);
  let results = (outs Gpt_Activations:$result);
  let extraClassDeclaration = [{
    /// The reduction of the scores of every head of the model for each position of distance, in the order of the heads;
    /// empty without `alibi`. Fails with an error on the op for values out of range.
    ::mlir::FailureOr<::llvm::SmallVector<double>> getSlopes(Layer layer = {});
    /// The weight [1] that says which of the slopes is that of the first head; empty: the first one.
    ::std::string getFirstSlopeName();
    /// The name of the sinks that this rank reads, one for each of its heads; of an op that has them.
    ::std::string getSinksName();
  }];
  let assemblyFormat = [{
    $qkv `at` $pos `cache` `(` $cache `)` (`window` `(` custom<Value>($window)^ `)`)?
    (`scale` `(` custom<Value>($scale)^ `)`)? (`softcap` `(` custom<Value>($softcap)^ `)`)?
    (`alibi` `(` custom<Value>($alibi)^ `)`)? (`alibi_scale` `(` custom<Value>($alibi_scale)^ `)`)?
    (`sinks` `(` $sinks^ `)`)?
    (`shard` `(` $shard^ `)`)? attr-dict
    `:` type($qkv) `,` type($pos) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Gpt_ShortConvOp : Gpt_LayerOp<"short_conv", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "gated causal convolution of every channel over the last rows, which a cache holds";
  let description = [{
    `input` [N, 3C] holds `[b | c | x]`. Row `b·T + t` is at position `p = pos[b] + t`: `u = b·x` is written to entry p of
    the cache, then `y = c · (Σ_j weight[c, j] · u at position p − L + 1 + j + bias)`, j < L, where L = `taps` and u is 0
    before position 0.

    The weights are `<weights>.weight` [C, L] and `<weights>.bias` [C]; with `bias` 0 there is no bias. The cache is
    `<cache>.u` [B, 1, S, C]; the caller ensures that `pos[b] + T ≤ S`. The result is [N, C].

    Example:
    ```mlir
    %y = gpt.short_conv %x at %pos cache("layers.0.conv") weights("layers.0.conv.conv") taps(3) bias(0)
        : tensor<?x6144xf32>, tensor<?xi32> -> tensor<?x2048xf32>
    ```
  }];
  let arguments = (ins Gpt_Activations:$input, Gpt_Ints:$pos, StrAttr:$cache, StrAttr:$weights, Gpt_Value:$taps,
    OptionalAttr<Gpt_Value>:$bias);
  let results = (outs Gpt_Activations:$result);
  let extraClassDeclaration = [{
    /// L; fails with an error on the op when it is no positive number.
    ::mlir::FailureOr<int64_t> getTapCount();
    /// Whether there is a bias; fails with an error on the op when `bias` is neither 0 nor 1.
    ::mlir::FailureOr<bool> hasBias();
  }];
  let assemblyFormat = [{
    $input `at` $pos `cache` `(` $cache `)` `weights` `(` $weights `)` `taps` `(` custom<Value>($taps) `)`
    (`bias` `(` custom<Value>($bias)^ `)`)? attr-dict `:` type($input) `,` type($pos) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Gpt_RouteOp : Gpt_LayerOp<"route", [Pure]> {
  let summary = "selects the experts of every row";
  let description = [{
    Experts have the scores `s = softmax(logits[n])`, or `1 / (1 + exp(−logits[n]))` with `sigmoid`. `ids[n]` are the
    indices of the T = `top` experts with the largest scores, in descending order, ties in the order of the indices;
    with `bias`, the name of a tensor [E], with the largest sums of score and bias. `shares[n, j]` is s at `ids[n, j]`;
    if `normalize`, 0 by default, is 1, the shares of a row are divided by their sum. They are multiplied by `scale`, 1
    by default.

    With `groups(n, k)` and n above 1, experts are n groups of adjacent ones, and only those of k groups are candidates:
    the groups with the largest scores, or with `bias` the largest sums of their two largest sums.

    With `margin(m)`, which excludes all of these but `top`, the share of expert j is that of its logit `l = logits[n, j]`
    in the softmax over itself and the experts i not chosen before it with `l − logits[n, i] ≤ m·max(|logits[n, i]|, l)`
    (a sparse mixer).

    `logits` are [N, E], of E experts, the results [N, T].

    Example:
    ```mlir
    %ids, %shares = gpt.route %z top(8) normalize(1) : tensor<?x128xf32> -> tensor<?x8xi32>, tensor<?x8xf32>
    %i, %s = gpt.route %z top(8) normalize(1) sigmoid bias("layers.3.mlp.gate.e_score_correction_bias") scale(2.5)
        : tensor<?x128xf32> -> tensor<?x8xi32>, tensor<?x8xf32>
    %e, %m = gpt.route %z top(2) margin(0.02) : tensor<?x128xf32> -> tensor<?x2xi32>, tensor<?x2xf32>
    ```
  }];
  let arguments = (ins Gpt_Activations:$logits, Gpt_Value:$top, OptionalAttr<Gpt_Value>:$normalize,
    UnitAttr:$sigmoid, OptionalAttr<StrAttr>:$bias, OptionalAttr<Gpt_Value>:$scale,
    OptionalAttr<Gpt_Value>:$groups, OptionalAttr<Gpt_Value>:$chosen_groups, OptionalAttr<Gpt_Value>:$margin);
  let results = (outs Gpt_IntRows:$ids, Gpt_Activations:$shares);
  let extraClassDeclaration = [{
    /// The groups of the experts, and how many of them are candidates. Fails with an error on the op for values out of
    /// range.
    ::mlir::FailureOr<std::pair<int64_t, int64_t>> getGroupCounts(Layer layer = {});
  }];
  let assemblyFormat = [{
    $logits `top` `(` custom<Value>($top) `)` (`normalize` `(` custom<Value>($normalize)^ `)`)? (`sigmoid` $sigmoid^)?
    (`bias` `(` $bias^ `)`)? (`scale` `(` custom<Value>($scale)^ `)`)?
    (`groups` `(` custom<Value>($groups)^ `,` custom<Value>($chosen_groups) `)`)?
    (`margin` `(` custom<Value>($margin)^ `)`)? attr-dict
    `:` type($logits) `->` type($ids) `,` type($shares)
  }];
  let hasVerifier = 1;
}

def Gpt_ExpertsOp : Gpt_LayerOp<"experts", [Pure]> {
  let summary = "mixture of gated feed-forward experts";
  let description = [{
    `y[n] = Σ_j shares[n, j] · D_e·(activation(G_e·input[n]) * (U_e·input[n]))` with `e = ids[n, j]`.

    `input` and the result are [N, C], `ids` and `shares` [N, T] as returned by `gpt.route`. In the names of the
    weights `{e}` stands for the index of the expert, 0 to E − 1, E = `experts`: G_e is `<gate>.weight` [F, C], U_e
    `<up>.weight` [F, C], D_e `<down>.weight` [C, F], F = `inner`. Two names are packed weights of all experts:
    `<units>.weight` [E, 2F, C], G_e above U_e, and `<down>.weight` [E, C, F]. `activation` is `silu`.

    With `clamped(limit, slope)` the product is `g / (1 + exp(−slope·g)) · (u + 1)`, where `g = min(G_e·input[n] + G'_e,
    limit)` and `u = U_e·input[n] + U'_e` within −limit … limit, and `D'_e` is added to `D_e·(…)`. `biases` names the
    tensors of all experts: the first [E, 2F], G'_e before U'_e, the second, of D'_e, [E, C].

    With `shard` (`--gpt-shard`), F is the part of one rank: `768/2` is half of 768 inner features. The results of
    all ranks have to be summed.

    Example:
    ```mlir
    %y = gpt.experts %x by %ids, %shares weights("experts.{e}.gate_proj", "experts.{e}.up_proj", "experts.{e}.down_proj")
        experts(128) inner(768) activation(silu)
        : tensor<?x2048xf32>, tensor<?x8xi32>, tensor<?x8xf32> -> tensor<?x2048xf32>
    %z = gpt.experts %x by %ids, %shares weights("moe.input_linear", "moe.output_linear")
        experts(32) inner(512) activation(silu)
        : tensor<?x2048xf32>, tensor<?x8xi32>, tensor<?x8xf32> -> tensor<?x2048xf32>
    %c = gpt.experts %x by %ids, %shares weights("experts.gate_up_proj", "experts.down_proj")
        experts(32) inner(512) activation(silu) biases("experts.gate_up_proj_bias", "experts.down_proj_bias")
        clamped(7.0, 1.702)
        : tensor<?x2048xf32>, tensor<?x8xi32>, tensor<?x8xf32> -> tensor<?x2048xf32>
    ```
  }];
  let arguments = (ins Gpt_Activations:$input, Gpt_IntRows:$ids, Gpt_Activations:$shares, StrArrayAttr:$weights,
    Gpt_Value:$experts, Gpt_Value:$inner, Gpt_ActivationAttr:$activation, OptionalAttr<StrAttr>:$units_bias,
    OptionalAttr<StrAttr>:$down_bias, OptionalAttr<Gpt_Value>:$limit, OptionalAttr<Gpt_Value>:$slope,
    OptionalAttr<StrAttr>:$shard);
  let results = (outs Gpt_Activations:$result);
  let extraClassDeclaration = [{
    /// E; fails with an error on the op when it is no positive number.
    ::mlir::FailureOr<int64_t> getExpertCount();
    /// F; fails with an error on the op when it is no positive number.
    ::mlir::FailureOr<int64_t> getInnerCount();
    /// Whether two tensors hold the weights of all experts.
    bool arePacked() { return getWeights().size() == 2; }
    /// G_0, U_0, G_1, U_1, … and D_0, D_1, …, one after the other, of `count` experts: what this rank reads of them.
    ::std::string getJoinedUnits(int64_t count);
    ::std::string getJoinedDown(int64_t count);
    /// The names of the biases that this rank reads; of an op that has them.
    ::std::string getUnitsBiasName(int64_t count);
    ::std::string getDownBiasName();
  }];
  let assemblyFormat = [{
    $input `by` $ids `,` $shares `weights` `(` custom<Names>($weights) `)` `experts` `(` custom<Value>($experts) `)`
    `inner` `(` custom<Value>($inner) `)` `activation` `(` custom<Word>($activation) `)`
    (`biases` `(` $units_bias^ `,` $down_bias `)`)?
    (`clamped` `(` custom<Value>($limit)^ `,` custom<Value>($slope) `)`)?
    (`shard` `(` $shard^ `)`)? attr-dict
    `:` type($input) `,` type($ids) `,` type($shares) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Gpt_SoftcapOp : Gpt_LayerOp<"softcap", [Pure]> {
  let summary = "smooth clamp to a range";
  let description = [{
    `y = cap · tanh(x / cap)`; x itself where `cap` is 0. `input` and the result are [N, C].

    Example:
    ```mlir
    %c = gpt.softcap %z cap(30.0) : tensor<?x256000xf32> -> tensor<?x256000xf32>
    ```
  }];
  let arguments = (ins Gpt_Activations:$input, Gpt_Value:$cap);
  let results = (outs Gpt_Activations:$result);
  let assemblyFormat = [{
    $input `cap` `(` custom<Value>($cap) `)` attr-dict `:` type($input) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Gpt_ClampOp : Gpt_LayerOp<"clamp", [Pure]> {
  let summary = "clamp to a range";
  let description = [{
    `y = min(max(x, −limit), limit)`; x itself where `limit` is 0. `input` and the result are [N, C].

    Example:
    ```mlir
    %c = gpt.clamp %qkv within(8.0) : tensor<?x2304xf32> -> tensor<?x2304xf32>
    ```
  }];
  let arguments = (ins Gpt_Activations:$input, Gpt_Value:$limit);
  let results = (outs Gpt_Activations:$result);
  let assemblyFormat = [{
    $input `within` `(` custom<Value>($limit) `)` attr-dict `:` type($input) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Gpt_ScaleOp : Gpt_LayerOp<"scale", [Pure]> {
  let summary = "product with a number";
  let description = [{
    `y = factor · x`. `input` and the result are [N, C].

    Example:
    ```mlir
    %s = gpt.scale %x by(0.22) : tensor<?x2048xf32> -> tensor<?x2048xf32>
    ```
  }];
  let arguments = (ins Gpt_Activations:$input, Gpt_Value:$factor);
  let results = (outs Gpt_Activations:$result);
  let assemblyFormat = [{
    $input `by` `(` custom<Value>($factor) `)` attr-dict `:` type($input) `->` type($result)
  }];
}

def Gpt_GateOp : Gpt_LayerOp<"gate", [Pure, AllTypesMatch<["input", "result"]>]> {
  let summary = "sigmoid gate of every row, or of every feature";
  let description = [{
    `y[n, c] = input[n, c] / (1 + exp(−logits[n, 0]))`; with `linear`, `y[n, c] = input[n, c] · logits[n, 0]`. Without
    `linear` every feature may have a gate of its own: `y[n, c] = input[n, c] / (1 + exp(−logits[n, c]))`.

    `input` and the result are [N, C], `logits` [N, 1] or [N, C].

    Example:
    ```mlir
    %g = gpt.gate %x by %z : tensor<?x2048xf32>, tensor<?x1xf32>
    %s = gpt.gate %x by %share linear : tensor<?x2048xf32>, tensor<?x1xf32>
    %f = gpt.gate %x by %y : tensor<?x2048xf32>, tensor<?x2048xf32>
    ```
  }];
  let arguments = (ins Gpt_Activations:$input, Gpt_Activations:$logits, UnitAttr:$linear);
  let results = (outs Gpt_Activations:$result);
  let assemblyFormat = "$input `by` $logits (`linear` $linear^)? attr-dict `:` type($input) `,` type($logits)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Whether every feature has a gate of its own.
    bool hasGatesOfFeatures() { return getLogits().getType().getDimSize(1) != 1; }
  }];
}

def Gpt_SelectOp : Gpt_LayerOp<"select", [Pure, AllTypesMatch<["lhs", "rhs", "result"]>]> {
  let summary = "one of two tensors, selected by a setting of the model";
  let description = [{
    `lhs` if `value`, a number, is not 0; otherwise `rhs`. All are [N, C]. The selection is made when layers are
    unrolled (`--gpt-unroll-layers`), so one text describes several kinds of checkpoints or layers. Where the sizes of
    the model give the tensors different widths, `--gpt-configure` makes it, and `value` must be the same in all layers.

    Example:
    ```mlir
    %n = gpt.select(parallel) %x, %x1 : tensor<?x768xf32>
    ```
  }];
  let arguments = (ins Gpt_Value:$value, Gpt_Activations:$lhs, Gpt_Activations:$rhs);
  let results = (outs Gpt_Activations:$result);
  let assemblyFormat = "`(` custom<Value>($value) `)` $lhs `,` $rhs attr-dict `:` type($result)";
}

def Gpt_LastRowsOp : Gpt_BuiltLayerOp<"last_rows", [Pure]> {
  let summary = "the last row of each sequence";
  let description = [{
    `y[b] = input[b·T + T − 1]`, where `T = N / B`.

    `input` is [N, C], the result [B, C]. Only the size of `pos` [B] is used. `--gpt-select-last-rows` inserts the
    op where only the next token is needed.

    Example:
    ```mlir
    %y = gpt.last_rows %x of %pos : tensor<?x768xf32>, tensor<?xi32> -> tensor<?x768xf32>
    ```
  }];
  let arguments = (ins Gpt_Activations:$input, Gpt_Ints:$pos);
  let results = (outs Gpt_Activations:$result);
  let assemblyFormat = "$input `of` $pos attr-dict `:` type($input) `,` type($pos) `->` type($result)";
}

def Gpt_UnembedOp : Gpt_LayerOp<"unembed", [Pure]> {
  let summary = "logits of every row";
  let description = [{
    `y[n, v] = Σ_c input[n, c] · weight[v, c]`

    `input` is [N, C], the result [N, V]. The weight is `<weights>.weight` [V, C]: the token table if the head is
    tied to it, otherwise `lm_head.weight`.

    `shard("rows V/R")` assigns ⌈V/R⌉ tokens to each of R ranks, and the result is [N, ⌈V/R⌉]; the rows that the
    last rank lacks are zero (`--gpt-shard`).

    Example:
    ```mlir
    %z = gpt.unembed %x weights("wte") : tensor<?x768xf32> -> tensor<?x50257xf32>
    ```
  }];
  let arguments = (ins Gpt_Activations:$input, StrAttr:$weights, OptionalAttr<StrAttr>:$shard);
  let results = (outs Gpt_Activations:$result);
  let assemblyFormat = [{
    $input `weights` `(` $weights `)` (`shard` `(` $shard^ `)`)? attr-dict `:` type($input) `->` type($result)
  }];
  let hasVerifier = 1;
}

//===------------------------------------------------------------------------------===//
// Several ranks
//===------------------------------------------------------------------------------===//

def Gpt_AllReduceOp : Gpt_BuiltLayerOp<"all_reduce", [Pure]> {
  let summary = "the sum over all ranks";
  let description = [{
    `y = Σ_r input of rank r`, bitwise identical on every rank. `ranks` is the number of ranks; with one rank the op
    folds. All ranks run the same ops in the same order. `input` and the result are [N, C].

    Example:
    ```mlir
    %p = gpt.linear %a weights("c_proj") to 768 shard("columns 768/2") : tensor<?x384xf32> -> tensor<?x768xf32>
    %s = gpt.all_reduce %p over 2 : tensor<?x768xf32> -> tensor<?x768xf32>
    ```
  }];
  let arguments = (ins Gpt_Activations:$input, ConfinedAttr<I64Attr, [IntPositive]>:$ranks);
  let results = (outs Gpt_Activations:$result);
  let assemblyFormat = "$input `over` $ranks attr-dict `:` type($input) `->` type($result)";
  let hasFolder = 1;
}

def Gpt_AllGatherOp : Gpt_BuiltLayerOp<"all_gather", [Pure]> {
  let summary = "concatenates the columns of all ranks";
  let description = [{
    `y[n, r·C + j] = input[n, j]` of rank r, for the first `to` columns: the last rank may hold fewer than the C
    columns of its `input` [N, C]. `ranks` is the number of ranks; with one rank all of whose columns are kept the
    op folds. The result is [N, to], the same on every rank.

    Example:
    ```mlir
    %z = gpt.unembed %x weights("wte") shard("rows 50257/2") : tensor<?x768xf32> -> tensor<?x25129xf32>
    %l = gpt.all_gather %z to 50257 over 2 : tensor<?x25129xf32> -> tensor<?x50257xf32>
    ```
  }];
  let arguments = (ins Gpt_Activations:$input, ConfinedAttr<I64Attr, [IntPositive]>:$columns,
    ConfinedAttr<I64Attr, [IntPositive]>:$ranks);
  let results = (outs Gpt_Activations:$result);
  let assemblyFormat = "$input `to` $columns `over` $ranks attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

//===------------------------------------------------------------------------------===//
// Sampling
//===------------------------------------------------------------------------------===//

def Gpt_SampleOp : Gpt_BuiltLayerOp<"sample", [Pure]> {
  let summary = "samples the next token of each sequence from its logits";
  let description = [{
    `logits` [B, V] are those after the last token of each sequence. A row of `how` [B, 5] holds the sampling
    parameters: temperature, k, p, the logarithm of min-p, and u, a random number in [0, 1).

    The candidates are all tokens with a logit above -infinity in descending order of logits, ties in the order of
    the ids. Filters apply in this order: candidates after the first k are dropped (k = 0: none); then candidates
    after the first one at which the cumulative weight `exp(l)` reaches p times the total weight of the remaining
    candidates; then candidates with a logit below the largest logit + log min-p. The result [B] is the first
    candidate at which the cumulative weight `exp(l / temperature)` exceeds u times its total. With temperature 0 it
    is the first candidate, regardless of the other parameters.

    No logit may be NaN or infinite, and one must be finite.

    Example:
    ```mlir
    %next = gpt.sample %z as %how : tensor<?x50257xf32>, tensor<?x5xf32> -> tensor<?xi32>
    ```
  }];
  let arguments = (ins Gpt_Activations:$logits, Gpt_Activations:$how);
  let results = (outs Gpt_Ints:$result);
  let assemblyFormat = "$logits `as` $how attr-dict `:` type($logits) `,` type($how) `->` type($result)";
  let hasVerifier = 1;
}

#endif
