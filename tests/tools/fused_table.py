#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of docs/fused.md in one command: a decode step in Ridgepoint's modes and in transformers, on one GPU.

    fused_table.py --mode-table PROGRAM [--rows SHAPE:BATCH:CONTEXT,...] [--no-transformers] [--compiled 1] [--models FOLDER]
                   [--out FILE]

Runs mode_table (target mode_table of a CUDA build; PROGRAM may be a command, "run mode_table") over all rows, then
transformers_decode.py over those of TinyLlama at the shortest context, and compiled over the batches that --compiled
names (each compiles for a minute or more). Prints what comes as it comes and at the end the whole in Markdown; what
failed is named in its cell.
"""

import argparse
import json
import pathlib
import re
import shlex
import subprocess
import sys

ROWS = (
    "tinyllama-1.1b:1:264,tinyllama-1.1b:16:264,tinyllama-1.1b:128:264,qwen2.5-0.5b:1:264,qwen2.5-1.5b:1:264,"
    "qwen3-0.6b:1:264,llama-2-7b:1:264,tinyllama-1.1b:128:2048"
)
COMPARED = "tinyllama-1.1b"
HERE = pathlib.Path(__file__).resolve().parent


def own_modes(program, rows):
    table, head = {}, None
    process = subprocess.Popen([*shlex.split(program), "--rows", rows], stdout=subprocess.PIPE, text=True)
    for line in process.stdout:
        print(line, end="", flush=True)
        if found := re.match(r"(\S+) b=(\d+) n=(\d+): .*?([\d.]+) ms at", line):
            head = f"{found[1]}:{found[2]}:{found[3]}"
            table[head] = {"floor": found[4]}
        elif found := re.match(r"\s+(\w+)\s+([\d.]+) ms a step,\s+([\d.]+) ms back to back.*; tokens ([^;]*); ?(.*)", line):
            table[head][found[1]] = f"{float(found[2]):.3f} / {float(found[3]):.3f}"
            table[head].setdefault("tokens", []).append(found[4])
            if chosen := re.search(r"products: (.*?) \(tried", found[5]):
                table[head]["chosen"] = chosen[1]
    if process.wait():
        sys.exit(f"{program} ended with {process.returncode} after {len(table)} rows")
    return table


def peers(models, batches, compiled, context):
    found = {}
    for name, flags, which in (("transformers", [], batches), ("compiled", ["--compiled"], compiled)):
        for batch in which:
            command = [sys.executable, str(HERE / "transformers_decode.py"), "--config", str(models / f"{COMPARED}.json"), "--device", "cuda",
                       "--dtype", "fp16", "--batch", str(batch), "--prompt", str(context - 40), "--warmup", "20", "--steps", "40", *flags]
            try:
                process = subprocess.run(command, capture_output=True, text=True, timeout=150)
                last = process.stdout.strip().splitlines()[-1:] or [""]
                found[batch, name] = f"{json.loads(last[0])['step_ms']:.2f}" if process.returncode == 0 else "failed: " + process.stderr.strip()[-80:]
            except (subprocess.TimeoutExpired, ValueError) as fault:
                found[batch, name] = f"failed: {type(fault).__name__}"
            print(f"{name} batch {batch}: {found[batch, name]}", flush=True)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mode-table", required=True)
    parser.add_argument("--rows", default=ROWS)
    parser.add_argument("--models", type=pathlib.Path, default=HERE.parent.parent / "resources" / "models")
    parser.add_argument("--no-transformers", action="store_true")
    parser.add_argument("--compiled", default="1", help="batches, separated by commas; empty: none")
    parser.add_argument("--out", type=pathlib.Path)
    options = parser.parse_args()
    table = own_modes(options.mode_table, options.rows)
    same = [key.split(":") for key in table if key.startswith(COMPARED + ":")]
    context = min((int(n) for _, _, n in same), default=0)
    others = {} if options.no_transformers or not same else peers(
        options.models, [int(b) for _, b, n in same if int(n) == context], [int(b) for b in options.compiled.split(",") if b], context
    )
    lines = [
        "| shape, fp16 | batch | context | floor | eager | graph | fused | transformers | its static cache compiled | fused ran as |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for key, row in table.items():
        shape, batch, at = key.split(":")
        peer = [others.get((int(batch), name), "-") if shape == COMPARED and int(at) == context else "-" for name in ("transformers", "compiled")]
        cells = [shape, batch, at, row["floor"], *(row.get(mode, "-") for mode in ("eager", "graph", "fused")), *peer, row.get("chosen", "-")]
        lines.append("| " + " | ".join(cells) + " |")
    parted = [key for key, row in table.items() if "other" in row.get("tokens", [])]
    lines.append("")
    lines.append("Greedy tokens over eight steps: " + ("the same in all modes of each row." if not parted else "not the same in " + ", ".join(parted) + "."))
    text = "\n".join(lines) + "\n"
    print(text, end="")
    if options.out:
        options.out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
