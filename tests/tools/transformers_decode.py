#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times decode steps of `transformers`, to be set beside Ridgepoint's own sweep of the same shape.

    transformers_decode.py --config FOLDER_OR_CONFIG_JSON [--dtype fp32|bf16|fp16] [--device cpu|cuda] [--compiled] [--threads N]
                           [--batch 1,4,16] [--prompt 128] [--warmup 10] [--steps 40] [--attention sdpa|eager]

Random weights of the shape (time does not depend on their values), eager execution, DynamicCache, greedy choice of the
next token, the prompt prefilled once untimed with equal copies in the batch. With --compiled StaticCache and torch.compile,
mode "reduce-overhead". FOLDER_OR_CONFIG_JSON may be a model of Ridgepoint's catalogue. One JSON object a line on standard output:
batch, the context in the middle of the timed steps, step_ms (median), its 10th and 90th percentile, tokens_per_s, and
what it was run with. Needs the packages torch and transformers; nothing is downloaded.
"""

import argparse
import json
import os
import pathlib
import statistics
import sys
import time


def whole_numbers(text):
    values = [int(part) for part in text.split(",")]
    if not values or min(values) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a list of positive whole numbers")
    return values


def percentile(values, share):
    ordered = sorted(values)
    position = share * (len(ordered) - 1)
    low = int(position)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (position - low)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--config", type=pathlib.Path, required=True, help="config.json or the folder that holds it")
    parser.add_argument("--dtype", choices=["fp32", "bf16", "fp16"], default="bf16")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--compiled", action="store_true", help="StaticCache and torch.compile")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--batch", type=whole_numbers, default=[1, 4, 16])
    parser.add_argument("--prompt", type=whole_numbers, default=[128])
    parser.add_argument("--warmup", type=int, default=10)
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--attention", choices=["sdpa", "eager"], default="sdpa")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if options.threads < 1 or options.steps < 1 or options.warmup < 0:
        parser.error("--threads and --steps must be at least 1, --warmup at least 0")

    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("OMP_NUM_THREADS", str(options.threads))
    import torch
    import transformers
    from transformers import AutoConfig, AutoModelForCausalLM, DynamicCache

    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    file = options.config / "config.json" if options.config.is_dir() else options.config
    fields = json.loads(file.read_text(encoding="utf-8"))
    fields = fields.get("config", fields)  # as the catalogue has it
    if "model_type" not in fields:
        sys.exit(f"{file} has no model_type: give the config.json of a published model.")
    config = AutoConfig.for_model(**fields)
    dtype = {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}[options.dtype]
    with torch.device(options.device):
        model = AutoModelForCausalLM.from_config(config, dtype=dtype, attn_implementation=options.attention).eval()
    model = model.to(options.device)
    forward = torch.compile(model.forward, mode="reduce-overhead", fullgraph=True) if options.compiled else model
    wait = torch.cuda.synchronize if options.device == "cuda" else lambda: None
    # The keyword of the cache was renamed; take the one that this version knows.
    import inspect

    keywords = inspect.signature(type(model).forward).parameters
    cache_name = "past_key_values" if "past_key_values" in keywords else "cache"

    for prompt in options.prompt:
        for batch in options.batch:
            ids = torch.randint(0, config.vocab_size, (1, prompt), device=options.device).repeat(batch, 1)
            if options.compiled:
                from transformers import StaticCache

                cache = StaticCache(config=config, max_cache_len=prompt + options.warmup + options.steps)
            else:
                cache = DynamicCache(config=config)
            times = []
            with torch.inference_mode():
                keep = {"logits_to_keep": 1} if "logits_to_keep" in keywords else {}
                logits = model(ids, **{cache_name: cache}, use_cache=True, **keep).logits
                token = logits[:, -1:].argmax(-1)
                for step in range(options.warmup + options.steps):
                    where = {}
                    if options.compiled:
                        at = torch.tensor([prompt + step], device=options.device)
                        where = {"cache_position": at, "position_ids": at[None].expand(batch, 1)}
                        token = token.clone()  # the graph's own memory is written again
                    wait()
                    start = time.perf_counter()
                    logits = forward(token, **{cache_name: cache}, use_cache=True, **where).logits
                    token = logits[:, -1:].argmax(-1)
                    wait()
                    elapsed = time.perf_counter() - start
                    if step >= options.warmup:
                        times.append(elapsed)
            cached = int(cache.get_seq_length())
            if cached != prompt + options.warmup + options.steps:
                sys.exit(f"The cache holds {cached} tokens after the run: the steps were not decode steps.")
            median = statistics.median(times)
            print(
                json.dumps(
                    {
                        "batch": batch,
                        "prompt": prompt,
                        "context": prompt + options.warmup + options.steps / 2,
                        "steps": options.steps,
                        "step_ms": median * 1e3,
                        "step_p10_ms": percentile(times, 0.1) * 1e3,
                        "step_p90_ms": percentile(times, 0.9) * 1e3,
                        "tokens_per_s": batch / median,
                        "dtype": options.dtype,
                        "threads": torch.get_num_threads(),
                        "attention": options.attention,
                        "device": options.device,
                        "compiled": options.compiled,
                        "model": file.parent.name,
                        "transformers": transformers.__version__,
                        "torch": torch.__version__,
                    }
                ),
                flush=True,
            )


if __name__ == "__main__":
    main()
