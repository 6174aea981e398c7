#!/usr/bin/env python3
"""Writes tiny random models of model families with transformers' results: the last eleven of test/data/families.tar.xz
and all of test/data/more-families.tar.xz.

    make_families.py FOLDER [NAME…]

Families that transformers lacks are families it has under other names (RENAMED), with the same results.

Needs torch, transformers and safetensors. A model's folder has config.json, model.safetensors (bf16), reference.json (four
prompts with greedy tokens, and the largest error of transformers in bf16) and reference_logits.safetensors (`logits.0` …,
f32, at every position).
"""

import json
import os
import re
import sys

import torch
import transformers
from safetensors.torch import load_file, save_file

SIZES = dict(hidden_size=64, num_attention_heads=4, num_key_value_heads=2, num_hidden_layers=2, intermediate_size=48,
             vocab_size=259, max_position_embeddings=128, tie_word_embeddings=True, bos_token_id=1, eos_token_id=2,
             pad_token_id=None)
WINDOW = dict(SIZES, num_hidden_layers=4, sliding_window=16)
EXPERTS = dict(num_experts=4, num_experts_per_tok=2)

FAMILIES = {
    "olmo": ("Olmo", SIZES),
    "olmo2": ("Olmo2", SIZES),
    "olmo3": ("Olmo3", dict(WINDOW, rope_parameters={
        "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0},
        "full_attention": {"rope_type": "yarn", "rope_theta": 10000.0, "factor": 4.0,
                           "original_max_position_embeddings": 32, "beta_fast": 32.0, "beta_slow": 1.0,
                           "attention_factor": 1.1}})),
    "granite": ("Granite", dict(SIZES, embedding_multiplier=3.0, attention_multiplier=0.125, residual_multiplier=0.5,
                                logits_scaling=2.0)),
    "arcee": ("Arcee", dict(SIZES, head_dim=16)),
    "nemotron": ("Nemotron", dict(SIZES, head_dim=16)),
    "cohere": ("Cohere", dict(SIZES, logit_scale=0.25)),
    "cohere2": ("Cohere2", dict(WINDOW, logit_scale=0.25)),
    "opt": ("OPT", dict(hidden_size=64, num_attention_heads=4, num_hidden_layers=2, ffn_dim=48, vocab_size=259,
                        word_embed_proj_dim=64, max_position_embeddings=128, bos_token_id=1, eos_token_id=2,
                        pad_token_id=None)),
    "bloom": ("Bloom", dict(hidden_size=96, n_head=12, n_layer=2, vocab_size=259, seq_length=128, bos_token_id=1,
                            eos_token_id=2, pad_token_id=None)),
    "mpt": ("Mpt", dict(d_model=56, n_heads=7, n_layers=2, vocab_size=259, max_seq_len=128, bos_token_id=1,
                        eos_token_id=2, attn_config=dict(clip_qkv=1.5))),
}
FAMILIES |= {
    "falcon_grouped": ("Falcon", dict(hidden_size=64, num_attention_heads=4, num_kv_heads=2, num_hidden_layers=2,
                                      vocab_size=259, max_position_embeddings=128, new_decoder_architecture=True,
                                      bos_token_id=1, eos_token_id=2)),
    "falcon_grouped-one-norm": ("Falcon", dict(hidden_size=64, num_attention_heads=4, num_kv_heads=2,
                                               num_hidden_layers=2, vocab_size=259, max_position_embeddings=128,
                                               new_decoder_architecture=True, num_ln_in_parallel_attn=1,
                                               ffn_hidden_size=48, bias=True, bos_token_id=1, eos_token_id=2)),
    "granitemoehybrid": ("GraniteMoeHybrid", dict(SIZES, num_local_experts=0, num_experts_per_tok=0,
                                                  shared_intermediate_size=48, position_embedding_type="rope",
                                                  layer_types=["attention"] * 2, embedding_multiplier=3.0,
                                                  attention_multiplier=0.125, residual_multiplier=0.5,
                                                  logits_scaling=2.0)),
    "exaone": ("Llama", SIZES),
    "internlm2": ("Llama", dict(SIZES, tie_word_embeddings=False)),
    "internlm3": ("Llama", dict(SIZES, head_dim=24)),
    "minicpm": ("Granite", dict(SIZES, embedding_multiplier=12.0, attention_multiplier=0.25,
                                residual_multiplier=1.4 / 2 ** 0.5, logits_scaling=4.0)),
}
# Smaller ones, whose numbers take fewer bits.
SMALL = dict(SIZES, hidden_size=32, intermediate_size=48)
SHARED = dict(SMALL, moe_intermediate_size=16, head_dim=8)
LATENT = dict(SMALL, num_key_value_heads=4, qk_nope_head_dim=8, qk_rope_head_dim=4, v_head_dim=6, kv_lora_rank=12,
              moe_intermediate_size=16)
SMALL_FAMILIES = {
    "stablelm-12b": ("StableLm", dict(SMALL, qk_layernorm=True, use_parallel_residual=True)),
    "cohere-plus": ("Cohere", dict(SMALL, logit_scale=0.25, use_qk_norm=True)),
    "phi-norms": ("Phi", dict(SMALL, tie_word_embeddings=False, qk_layernorm=True)),
    "persimmon": ("Persimmon", dict(SMALL, num_key_value_heads=4)),
    "apertus": ("Apertus", dict(SMALL, rope_parameters={"rope_type": "llama3", "rope_theta": 10000.0, "factor": 8.0,
                                                        "original_max_position_embeddings": 32, "low_freq_factor": 1.0,
                                                        "high_freq_factor": 4.0})),
    "hunyuan_v1_dense": ("HunYuanDenseV1", dict(SMALL, head_dim=16, rope_parameters={
        "rope_type": "dynamic", "rope_theta": 10000.0, "alpha": 50.0, "factor": 1.0, "beta_fast": 32, "beta_slow": 1,
        "mscale": 1.0, "mscale_all_dim": 1.0})),
    "glm4_moe": ("Glm4Moe", dict(SHARED, n_routed_experts=5, num_experts_per_tok=2, routed_scaling_factor=1.5,
                                 use_qk_norm=True, attention_bias=True)),
    "ernie4_5_moe": ("Ernie4_5_Moe", dict(SHARED, moe_num_experts=6, moe_k=2, moe_num_shared_experts=2)),
    "codegen": ("CodeGen", dict(n_embd=32, n_head=4, n_layer=2, n_positions=128, n_ctx=128, rotary_dim=4, n_inner=48,
                                vocab_size=259, bos_token_id=1, eos_token_id=2)),
    "deepseek_v2": ("DeepseekV2", dict(LATENT, q_lora_rank=None, n_routed_experts=6, num_experts_per_tok=3, n_group=3,
                                       topk_group=2, topk_method="group_limited_greedy", routed_scaling_factor=1.5,
                                       first_k_dense_replace=0)),
    "deepseek_v3": ("DeepseekV3", dict(LATENT, q_lora_rank=10, n_routed_experts=8, num_experts_per_tok=3, n_group=4,
                                       topk_group=2, n_shared_experts=1, first_k_dense_replace=1, rope_parameters={
                                           "rope_type": "yarn", "rope_theta": 10000.0, "factor": 4.0, "beta_fast": 32,
                                           "beta_slow": 1, "original_max_position_embeddings": 32, "mscale": 0.9,
                                           "mscale_all_dim": 0.7})),
    "lfm2": ("Lfm2", dict(SMALL, layer_types=["conv", "full_attention"], conv_L_cache=3, conv_bias=True,
                          block_multiple_of=8, num_hidden_layers=2)),
    "gpt-oss": ("GptOss", dict(SMALL, head_dim=8, num_local_experts=5, num_experts_per_tok=2, intermediate_size=16,
                               sliding_window=8, swiglu_limit=1.25, rope_parameters={
                                   "rope_type": "yarn", "rope_theta": 10000.0, "factor": 4.0, "beta_fast": 32.0,
                                   "beta_slow": 1.0, "original_max_position_embeddings": 32, "truncate": False})),
    "lfm2_moe": ("Lfm2Moe", dict(SMALL, layer_types=["conv", "full_attention"], conv_L_cache=4, num_dense_layers=1,
                                 moe_intermediate_size=16, num_experts=5, num_experts_per_tok=2)),
    "glm4_moe_lite": ("Glm4MoeLite", dict(LATENT, q_lora_rank=10, v_head_dim=12, n_routed_experts=5,
                                          num_experts_per_tok=2, mlp_layer_types=["dense", "sparse"])),
    "cwm": ("Cwm", dict(SMALL, head_dim=8, sliding_window=8, layer_types=["full_attention", "sliding_attention"])),
    "mixtral": ("Mixtral", dict(SMALL, num_local_experts=4, num_experts_per_tok=2, intermediate_size=16,
                                tie_word_embeddings=False)),
    "qwen3-moe": ("Qwen3Moe", dict(SHARED, num_experts=8, num_experts_per_tok=2, norm_topk_prob=True,
                                   tie_word_embeddings=False)),
    "qwen2-moe": ("Qwen2Moe", dict(SMALL, **EXPERTS, moe_intermediate_size=16, shared_expert_intermediate_size=24)),
    "granitemoe": ("GraniteMoe", dict(SMALL, num_local_experts=4, num_experts_per_tok=2, intermediate_size=16,
                                      embedding_multiplier=3.0, attention_multiplier=0.25, residual_multiplier=0.5,
                                      logits_scaling=2.0)),
    "olmoe": ("Olmoe", dict(SMALL, **EXPERTS, num_key_value_heads=4, intermediate_size=16)),
    "ministral3": ("Ministral3", dict(SMALL, head_dim=8, rope_parameters={
        "rope_type": "yarn", "type": "yarn", "rope_theta": 10000.0, "factor": 4.0, "beta_fast": 32.0, "beta_slow": 1.0,
        "original_max_position_embeddings": 64, "mscale": 1.0, "mscale_all_dim": 1.0, "llama_4_scaling_beta": 0.1})),
    "jais2": ("Jais2", dict(SMALL, head_dim=8)),
    "granitemoeshared": ("GraniteMoeShared", dict(SMALL, num_local_experts=5, num_experts_per_tok=2, intermediate_size=16,
                                                  shared_intermediate_size=24, embedding_multiplier=3.0,
                                                  attention_multiplier=0.25, residual_multiplier=0.5,
                                                  logits_scaling=2.0)),
    "dots1": ("Dots1", dict(SHARED, n_routed_experts=5, num_experts_per_tok=2, n_shared_experts=1, n_group=1,
                            topk_group=1, first_k_dense_replace=1, norm_topk_prob=True, routed_scaling_factor=1.5,
                            sliding_window=8, layer_types=["full_attention", "sliding_attention"])),
    "minimax_m2": ("MiniMaxM2", dict(SMALL, head_dim=8, intermediate_size=16, num_local_experts=5,
                                     num_experts_per_tok=2, rotary_dim=4)),
    "solar_open": ("SolarOpen", dict({key: size for key, size in SHARED.items() if key != "intermediate_size"},
                                     n_routed_experts=5, num_experts_per_tok=2, n_shared_experts=1,
                                     routed_scaling_factor=1.5)),
    "youtu": ("Youtu", dict({key: size for key, size in LATENT.items() if key != "moe_intermediate_size"},
                            q_lora_rank=10)),
    "hyperclovax": ("HyperCLOVAX", dict(SMALL, head_dim=8, embedding_multiplier=3.0, attention_multiplier=0.25,
                                        residual_multiplier=0.5, logits_scaling=0.5)),
    "vaultgemma": ("VaultGemma", dict(SMALL, head_dim=16, query_pre_attn_scalar=12, sliding_window=8,
                                      attn_logit_softcapping=5.0, final_logit_softcapping=30.0,
                                      layer_types=["sliding_attention", "full_attention"])),
    "hunyuan_v1_moe": ("HunYuanMoEV1", dict(SMALL, head_dim=8, intermediate_size=16, num_experts=5, moe_topk=2,
                                            rope_parameters={
                                                "rope_type": "dynamic", "rope_theta": 10000.0, "alpha": 50.0,
                                                "factor": 1.0, "beta_fast": 32, "beta_slow": 1, "mscale": 1.0,
                                                "mscale_all_dim": 1.0})),
    "exaone_moe": ("ExaoneMoe", dict(SHARED, num_experts=5, num_experts_per_tok=2, num_shared_experts=1, sliding_window=8,
                                     layer_types=["sliding_attention", "full_attention"],
                                     mlp_layer_types=["dense", "sparse"], routed_scaling_factor=1.5)),
    "granite_swa": ("GraniteSWA", dict(SMALL, sliding_window=8, layer_types=["full_attention", "sliding_attention"],
                                       layer_rope_theta=[0, 10000.0], embedding_multiplier=3.0,
                                       attention_multiplier=0.25, residual_multiplier=0.5, logits_scaling=2.0)),
    "minicpm3": ("MiniCPM3", dict({key: size for key, size in LATENT.items() if key != "moe_intermediate_size"},
                                  q_lora_rank=10, scale_emb=3, scale_depth=1.4, dim_model_base=16)),
    "openai-gpt": ("OpenAIGPT", dict(n_embd=32, n_head=4, n_layer=2, n_positions=128, vocab_size=259, bos_token_id=1,
                                     eos_token_id=2)),
    "opt-projected": ("OPT", dict(hidden_size=32, num_attention_heads=4, num_hidden_layers=2, ffn_dim=48, vocab_size=259,
                                  word_embed_proj_dim=24, max_position_embeddings=128, do_layer_norm_before=False,
                                  bos_token_id=1, eos_token_id=2, pad_token_id=None)),
    "xglm": ("XGLM", dict(d_model=32, attention_heads=4, num_layers=2, ffn_dim=48, vocab_size=259,
                          max_position_embeddings=128, bos_token_id=1, eos_token_id=2, pad_token_id=1)),
    "biogpt": ("BioGpt", dict(hidden_size=32, num_attention_heads=4, num_hidden_layers=2, intermediate_size=48,
                              vocab_size=259, max_position_embeddings=128, bos_token_id=1, eos_token_id=2,
                              pad_token_id=1)),
    "afmoe": ("Afmoe", dict(SHARED, num_hidden_layers=3, num_dense_layers=1, num_experts=5, num_experts_per_tok=2,
                            num_shared_experts=1, route_scale=1.5, mup_enabled=True, tie_word_embeddings=False,
                            sliding_window=8,
                            layer_types=["sliding_attention", "full_attention", "sliding_attention"])),
    "mellum": ("Mellum", dict(SHARED, num_local_experts=5, num_experts_per_tok=2, sliding_window=8,
                              layer_types=["full_attention", "sliding_attention"], mlp_layer_types=["sparse", "dense"],
                              rope_parameters={
                                  "full_attention": {"rope_type": "yarn", "rope_theta": 500000.0, "factor": 4.0,
                                                     "original_max_position_embeddings": 32, "beta_fast": 32.0,
                                                     "beta_slow": 1.0},
                                  "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0}})),
    "nanochat": ("NanoChat", dict(SMALL, tie_word_embeddings=False)),
    "phimoe": ("Phimoe", dict(SMALL, intermediate_size=16, num_local_experts=5, num_experts_per_tok=2,
                              router_jitter_noise=0.05, attention_bias=True, lm_head_bias=True,
                              tie_word_embeddings=False, rope_parameters={
                                  "rope_type": "longrope", "rope_theta": 10000.0, "short_factor": [1.0, 1.5, 2.0, 3.0],
                                  "long_factor": [1.0, 2.0, 4.0, 8.0], "short_mscale": 1.25, "long_mscale": 1.25,
                                  "original_max_position_embeddings": 64, "factor": 2.0})),
    "llama4_text": ("Llama4Text", dict(SMALL, head_dim=8, num_hidden_layers=4, intermediate_size=16,
                                       intermediate_size_mlp=48, num_local_experts=4, num_experts_per_tok=1,
                                       interleave_moe_layer_step=2, attention_chunk_size=128, floor_scale=128)),
    "flex_olmo": ("FlexOlmo", dict(SMALL, num_key_value_heads=4, intermediate_size=16, num_experts=5,
                                   num_experts_per_tok=2)),
}
FAMILIES |= SMALL_FAMILIES
LLAMA_KEYS = ["attention_bias", "mlp_bias", "pretraining_tp"]


class Renamed:
    """What a family calls the weights (patterns) and the keys of another one, without those that are None. With head_dim
    it has one matrix of queries, keys and values."""

    def __init__(self, weights, keys, added, head_dim=0):
        self.weights, self.keys, self.added, self.head_dim = weights, keys, added, head_dim

    def write(self, place, family):
        path = os.path.join(place, "model.safetensors")
        tensors = {}
        for name, tensor in load_file(path).items():
            for pattern, new in self.weights:
                name = re.sub(pattern, new, name)
            tensors[name] = tensor
        if self.head_dim:
            pack(tensors, self.head_dim)
        save_file(tensors, path)
        path = os.path.join(place, "config.json")
        with open(path) as file:
            config = json.load(file)
        for old, new in self.keys.items():
            value = config.pop(old, None)
            if new is not None:
                config[new] = value
        config |= dict(self.added, model_type=family)
        with open(path, "w") as file:
            json.dump(config, file, indent=2)


def pack(tensors, head_dim):
    """One matrix of queries, keys and values, in the order of the groups of heads."""
    for name in [name for name in tensors if name.endswith("q_proj.weight")]:
        heads = [tensors.pop(name.replace("q_proj", part)).unflatten(0, (-1, head_dim)) for part in ("q_proj", "k_proj", "v_proj")]
        groups = [each.unflatten(0, (len(heads[1]), -1)) for each in heads]
        tensors[name.replace("q_proj", "wqkv")] = torch.cat(groups, 1).flatten(0, 2).contiguous()


RENAMED = {
    "exaone": Renamed(
        [("^model.norm", "model.ln_f"), ("^model", "transformer"), ("embed_tokens", "wte"), ("layers", "h"),
         ("input_layernorm", "ln_1"), ("post_attention_layernorm", "ln_2"), ("self_attn", "attn.attention"),
         ("o_proj", "out_proj"), ("gate_proj", "c_fc_0"), ("up_proj", "c_fc_1"), ("down_proj", "c_proj")],
        dict.fromkeys(LLAMA_KEYS) | dict(num_hidden_layers="num_layers", rms_norm_eps="layer_norm_epsilon",
                                         hidden_act="activation_function"),
        dict(embed_dropout=0.0)),
    "internlm2": Renamed(
        [("embed_tokens", "tok_embeddings"), ("lm_head", "output"), ("input_layernorm", "attention_norm"),
         ("post_attention_layernorm", "ffn_norm"), ("self_attn", "attention"), ("o_proj", "wo"),
         ("mlp.gate_proj", "feed_forward.w1"), ("mlp.up_proj", "feed_forward.w3"), ("mlp.down_proj", "feed_forward.w2")],
        dict.fromkeys(LLAMA_KEYS + ["head_dim"]), dict(bias=False, attn_implementation="eager"), head_dim=16),
    "internlm3": Renamed([], dict.fromkeys(LLAMA_KEYS), dict(bias=False, qkv_bias=False)),
    "minicpm": Renamed(
        [], dict.fromkeys(["embedding_multiplier", "attention_multiplier", "residual_multiplier", "logits_scaling", "mlp_bias"]),
        dict(scale_emb=12, scale_depth=1.4, dim_model_base=16)),
}
PROMPT_SIZES = [1, 5, 24, 40]
SMALL_PROMPT_SIZES = [1, 5, 20, 24]
NEW_TOKENS = 16


def randomize(model, seed, offset, is_small):
    """Weights whose activations stay near 1, rounded to bf16."""
    generator = torch.Generator().manual_seed(seed)
    stored = model.state_dict()
    buffers = [(name, buffer) for name, buffer in model.named_buffers() if name in stored]
    with torch.no_grad():
        for name, weight in list(model.named_parameters()) + buffers:
            if name.endswith(("act_fn.beta", "act_fn.eps")):
                weight.copy_(weight.bfloat16().float())
                continue
            kept = "embed_scale" if is_small else "embed_(positions|scale)"
            if "inv_freq" in name or re.search(kept, name) or not torch.is_floating_point(weight):
                continue
            noise = torch.randn(weight.shape, generator=generator)
            if is_small:
                noise = (4 * noise).round() / 4
            if weight.dim() == 1 or re.search("e_score_correction_bias|expert_bias", name):
                base = 1 - offset if re.search(r"norm(_\w)?\.weight|ln_\w\.weight", name) else 0
                weight.copy_(base + 0.2 * noise)
            elif "embed" in name or name.endswith("wte.weight"):
                weight.copy_(noise)
            else:
                weight.copy_(1.3 * noise / weight.shape[-1] ** 0.5)
            weight.copy_(weight.bfloat16().float())


def logits_of(model, ids):
    with torch.no_grad():
        return model(torch.tensor([ids]), use_cache=False).logits[0].float()


def is_steady(model, prompts):
    """Whether weights that differ in their ninth bit make no token select other experts: they change no logit by more than
    a tenth of the spread of all."""
    wanted = [logits_of(model, ids) for ids in prompts]
    weights = {name: weight.clone() for name, weight in model.state_dict().items() if torch.is_floating_point(weight)}
    generator = torch.Generator().manual_seed(0)
    for _ in range(6):
        changed = {name: weight * (1 + (torch.rand(weight.shape, generator=generator) - 0.5) / 2 ** 8)
                   for name, weight in weights.items()}
        model.load_state_dict(changed, strict=False)
        steady = all((logits_of(model, ids) - logits).abs().max() < 0.1 * wanted[-1].std()
                     for ids, logits in zip(prompts, wanted))
        model.load_state_dict(weights, strict=False)
        if not steady:
            return False
    return True


def make(folder, name, seed):
    kind, sizes = FAMILIES[name]
    config = getattr(transformers, kind + "Config")(**sizes)
    model = transformers.AutoModelForCausalLM.from_config(config, dtype=torch.float32, attn_implementation="eager").eval()
    is_small = name in SMALL_FAMILIES
    has_experts = any("experts" in key and size for key, size in sizes.items())
    while True:
        randomize(model, seed, 1 if kind in ("Nemotron", "VaultGemma") else 0, is_small)
        generator = torch.Generator().manual_seed(seed + 1)
        inputs = [torch.randint(3, sizes["vocab_size"], (size,), generator=generator).tolist()
                  for size in (SMALL_PROMPT_SIZES if is_small else PROMPT_SIZES)]
        if not has_experts or is_steady(model, inputs):
            break
        seed += 1000
    prompts, logits = [], {}
    for number, ids in enumerate(inputs):
        logits[f"logits.{number}"] = logits_of(model, ids).contiguous()
        if is_small:  # tests allow for 2e-4
            logits[f"logits.{number}"] = (2 ** 14 * logits[f"logits.{number}"]).round() / 2 ** 14
        greedy = list(ids)
        for _ in range(NEW_TOKENS):
            greedy.append(int(logits_of(model, greedy)[-1].argmax()))
        prompts.append({"ids": ids, "greedy_ids": greedy})
    place = os.path.join(folder, name)
    model.bfloat16().save_pretrained(place)
    rounded = transformers.AutoModelForCausalLM.from_pretrained(place, dtype=torch.bfloat16, attn_implementation="eager")
    rounded.eval()
    error = max(float((logits_of(rounded, prompt["ids"]) - logits[f"logits.{number}"]).abs().max())
                for number, prompt in enumerate(prompts))
    if has_experts and error > 0.1 * float(logits["logits.3"].std()):
        make(folder, name, seed + 1000)
        return
    if name in RENAMED:
        RENAMED[name].write(place, name)
    if os.path.exists(os.path.join(place, "generation_config.json")):
        os.remove(os.path.join(place, "generation_config.json"))
    save_file(logits, os.path.join(place, "reference_logits.safetensors"))
    with open(os.path.join(place, "reference.json"), "w") as file:
        json.dump({"prompts": prompts, "bf16_error": round(error, 4)}, file)
    print(name, "bf16_error", round(error, 4), "std", float(logits["logits.3"].std()))


if __name__ == "__main__":
    torch.set_num_threads(1)
    for name in sys.argv[2:] or FAMILIES:
        make(sys.argv[1], name, 100 + list(FAMILIES).index(name))
