#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the checkpoints of tests/fixtures/families: tiny random models, one a family and quirk, as transformers writes them,
each with what transformers computes from that very folder.

    python tests/tools/make_family_fixtures.py tests/fixtures/families

needs torch, transformers and safetensors (written with torch 2.11 and transformers 5.24). A folder holds config.json and the
weights, and beside them
    reference.safetensors   "logits" [25, vocab], fp32: after the prompt and after each of 24 cached greedy steps
    reference.json          the prompt, the greedy tokens, and how far transformers' own bf16 and fp16 logits are from its
                            fp32 ones over the same tokens: largest difference over largest logit
"""
import inspect
import json
import pathlib
import shutil
import sys

import safetensors.torch
import torch
import transformers
from transformers import AutoModelForCausalLM

STEPS = 24
PROMPT = 20
# Greedy choices must not hang on the last bits: the margin of every step, over the largest logit.
MARGIN = 2e-3

SIZES = dict(vocab_size=160, hidden_size=32, intermediate_size=64, num_hidden_layers=3, num_attention_heads=4,
             num_key_value_heads=2, max_position_embeddings=512)
GEMMA = {**SIZES, "num_hidden_layers": 5, "num_attention_heads": 2, "num_key_value_heads": 1, "head_dim": 32,
         "query_pre_attn_scalar": 24, "sliding_window": 9}
LLAMA3 = dict(rope_type="llama3", factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0,
              original_max_position_embeddings=64, rope_theta=500.0)


def older_rope(config):
    """As config.json was written before rope_parameters."""
    parameters = config.pop("rope_parameters")
    config["rope_theta"] = parameters.pop("rope_theta")
    if parameters.get("rope_type", "default") != "default":
        config["rope_scaling"] = parameters


def older_gemma(config):
    config.pop("layer_types")
    parameters = config.pop("rope_parameters")
    config["sliding_window_pattern"] = 3
    config["rope_theta"] = parameters["full_attention"].pop("rope_theta")
    config["rope_local_base_freq"] = parameters["sliding_attention"]["rope_theta"]
    config["rope_scaling"] = None


# name: (configuration class, fields, stored dtype, what is done to config.json afterwards, shard size)
FIXTURES = {
    "llama-untied": ("LlamaConfig", dict(tie_word_embeddings=False), torch.float32, None, None),
    "llama-tied-llama3": ("LlamaConfig", dict(tie_word_embeddings=True, rope_parameters=LLAMA3), torch.float32, None, None),
    "llama-linear": ("LlamaConfig", dict(rope_parameters=dict(rope_type="linear", factor=4.0, rope_theta=1000.0)),
                     torch.float32, older_rope, None),
    "llama-bias": ("LlamaConfig", dict(attention_bias=True, mlp_bias=True, head_dim=16), torch.bfloat16, None, None),
    "llama-sharded": ("LlamaConfig", dict(tie_word_embeddings=False), torch.float32, older_rope, "40KB"),
    "llama-f16": ("LlamaConfig", dict(num_key_value_heads=4), torch.float16, None, None),
    "mistral-window": ("MistralConfig", dict(sliding_window=9), torch.float32, None, None),
    "qwen2-bias": ("Qwen2Config", dict(tie_word_embeddings=True), torch.float32, None, None),
    "qwen2-window": ("Qwen2Config", dict(use_sliding_window=True, sliding_window=9, max_window_layers=1), torch.bfloat16,
                     None, None),
    "qwen3": ("Qwen3Config", dict(head_dim=16, tie_word_embeddings=True), torch.float32, None, None),
    "qwen3-bf16": ("Qwen3Config", dict(head_dim=64), torch.bfloat16, None, None),
    "gemma3-layer-types": ("Gemma3TextConfig", dict(GEMMA, layer_types=["sliding_attention", "full_attention",
                                                                       "sliding_attention", "sliding_attention",
                                                                       "full_attention"],
                                                    rope_parameters=dict(
                                                        full_attention=dict(rope_type="linear", factor=8.0, rope_theta=1e6),
                                                        sliding_attention=dict(rope_type="default", rope_theta=1e4))),
                           torch.float32, None, None),
    "gemma3-pattern": ("Gemma3TextConfig", dict(GEMMA, sliding_window_pattern=3), torch.bfloat16, older_gemma, None),
    "gemma3-bf16": ("Gemma3TextConfig", dict(GEMMA, head_dim=64, query_pre_attn_scalar=64, num_hidden_layers=4),
                    torch.bfloat16, None, None),
}


def randomised(model, seed):
    """Weights that make every part show: sharp attention, norms and biases far from their neutral values."""
    random = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            values = torch.randn(parameter.shape, generator=random)
            if name.endswith("norm.weight"):
                middle = 0.0 if "Gemma3" in type(model).__name__ else 1.0
                parameter.copy_(middle + 0.3 * values)
            elif name.endswith("bias"):
                parameter.copy_(0.3 * values)
            elif name.endswith("embed_tokens.weight"):
                # Small against what a layer adds, or a tied head only repeats the token it was given.
                scale = getattr(model.model.embed_tokens, "scalar_embed_scale", 1.0)
                parameter.copy_(0.3 / scale * values)
            else:
                parameter.copy_(1.2 * values / parameter.shape[-1] ** 0.5)
    return model


def run(folder, dtype, prompt, forced=None):
    """Logits [STEPS + 1, vocab] in fp32 of a cached decode, greedy or along `forced`, and its tokens."""
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=dtype, attn_implementation="eager").eval()
    key = "cache" if "cache" in inspect.signature(model.forward).parameters else "past_key_values"
    cache = transformers.DynamicCache(config=model.config)
    ids, rows, tokens = torch.tensor([prompt]), [], []
    with torch.no_grad():
        for step in range(STEPS + 1):
            row = model(ids, use_cache=True, **{key: cache}).logits[0, -1].float()
            rows.append(row)
            tokens.append(forced[step] if forced else int(row.argmax()))
            ids = torch.tensor([[tokens[-1]]])
        logits = torch.stack(rows)
        whole = model(torch.tensor([prompt + tokens[:-1]]), use_cache=False).logits[0, len(prompt) - 1:].float()
    if dtype == torch.float32 and error(whole, logits) > 1e-5:
        raise SystemExit(f"{folder}: transformers' cached decode is not its full forward ({error(whole, logits):.2g})")
    return logits, tokens


def error(got, wanted):
    return float((got - wanted).abs().max() / wanted.abs().max())


def make(folder, config_class, fields, stored, rewrite, shard):
    config = getattr(transformers, config_class)(**{**SIZES, **fields})
    for seed in range(1, 200):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        model = randomised(AutoModelForCausalLM.from_config(config).float(), seed).to(stored)
        model.save_pretrained(folder, **(dict(max_shard_size=shard) if shard else {}))
        (folder / "generation_config.json").unlink(missing_ok=True)
        if rewrite:
            text = json.loads((folder / "config.json").read_text())
            rewrite(text)
            (folder / "config.json").write_text(json.dumps(text, indent=2) + "\n")
        random = torch.Generator().manual_seed(seed)
        prompt = torch.randint(3, config.vocab_size, (PROMPT,), generator=random).tolist()
        logits, tokens = run(folder, torch.float32, prompt)
        top = logits.topk(2).values
        margin = float(((top[:, 0] - top[:, 1]) / logits.abs().max()).min())
        if margin >= MARGIN and len(set(tokens)) > STEPS // 3:
            break
    else:
        raise SystemExit(f"{folder}: no seed gives clear greedy choices")
    safetensors.torch.save_file({"logits": logits}, folder / "reference.safetensors")
    own = {name: error(run(folder, dtype, prompt, tokens)[0], logits)
           for name, dtype in (("bf16", torch.bfloat16), ("fp16", torch.float16))}
    (folder / "reference.json").write_text(json.dumps(
        {"made_with": f"transformers {transformers.__version__}, torch {torch.__version__.split('+')[0]}", "seed": seed,
         "prompt": prompt, "tokens": tokens, "bf16_error": own["bf16"], "fp16_error": own["fp16"]}, indent=1) + "\n")
    size = sum(file.stat().st_size for file in folder.iterdir())
    print(f"{folder.name:20} seed {seed:3}  margin {margin:.1e}  own error bf16 {own['bf16']:.1e} fp16 {own['fp16']:.1e}  "
          f"{size / 1e3:.0f} kB", flush=True)
    return size


def main():
    torch.set_num_threads(1)
    root = pathlib.Path(sys.argv[1])
    wanted = sys.argv[2:] or list(FIXTURES)
    total = sum(make(root / name, *FIXTURES[name]) for name in wanted)
    print(f"{total / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
