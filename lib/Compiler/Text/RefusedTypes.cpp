// Names what models of other architectures need.
#include "RefusedTypes.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

StringRef tilegpt::compiler::reasonToRefuse(StringRef modelType) {
  constexpr StringRef recurrent =
      "some of its layers carry a recurrent state instead of the keys and "
      "values of every position";
  constexpr StringRef encoded =
      "it has an encoder, whose results its decoder attends to";
  constexpr StringRef bidirectional = "its tokens attend to later ones, too";
  constexpr StringRef indexed =
      "its attention reads only keys that an indexer selects";
  constexpr StringRef layered =
      "its layers share keys and values, differ in the width of heads, and "
      "have embeddings of their own";
  return llvm::StringSwitch<StringRef>(modelType)
      .Cases({"mamba",
              "mamba2",
              "falcon_mamba",
              "rwkv",
              "rwkv5",
              "rwkv6",
              "rwkv7",
              "xlstm",
              "jamba",
              "bamba",
              "zamba",
              "zamba2",
              "zaya",
              "falcon_h1",
              "nemotron_h",
              "recurrent_gemma",
              "qwen3_next",
              "qwen3_5",
              "qwen3_5_text",
              "qwen3_5_moe",
              "qwen3_5_moe_text",
              "kimi_linear",
              "minimax",
              "olmo_hybrid",
              "bailing_hybrid",
              "retnet"},
             recurrent)
      .Cases({"t5",
              "mt5",
              "umt5",
              "longt5",
              "bart",
              "mbart",
              "pegasus",
              "pegasus_x",
              "marian",
              "m2m_100",
              "led",
              "blenderbot",
              "blenderbot-small",
              "fsmt",
              "prophetnet",
              "whisper",
              "t5gemma",
              "t5gemma2",
              "switch_transformers",
              "nllb-moe",
              "plbart",
              "mvp",
              "bigbird_pegasus",
              "trocr",
              "encoder-decoder"},
             encoded)
      .Cases({"bert",       "roberta",  "xlm-roberta",   "xlm-roberta-xl",
              "camembert",  "electra",  "deberta",       "deberta-v2",
              "distilbert", "albert",   "modernbert",    "mpnet",
              "nomic_bert", "big_bird", "megatron-bert", "roformer",
              "rembert",    "ernie",    "esm",           "paligemma"},
             bidirectional)
      .Cases({"deepseek_v32", "deepseek_v4", "glm_moe_dsa"}, indexed)
      .Cases({"gemma3n", "gemma3n_text", "gemma4", "gemma4_text",
              "gemma4_unified", "gemma4_unified_text"},
             layered)
      .Case("bitnet", "it rounds activations to 8 bits in every product")
      .Case("ctrl", "the bias of its head has no weights of its own")
      .Case("dbrx", "its experts' weights are transposed tensors of all "
                    "experts")
      .Default("");
}
