#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh SECONDS [BUILD]: builds the fuzz programs (clang with libFuzzer where it is, else g++ with the driver here), runs each
# for SECONDS and prints what it did. What ends one is left in BUILD as crash-*.
set -euo pipefail
seconds=${1:?Usage: run.sh SECONDS [BUILD]}
cd "$(dirname "$0")/../.."
root=$PWD
build=${2:-$root/build/fuzz}
readers="session journal import line config safetensors tokenizer catalog"
if [ ! -e "$build/build.ninja" ]; then
    compiler=g++
    if command -v clang++ >/dev/null && echo 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char *, unsigned long) { return 0; }' |
        clang++ -x c++ -fsanitize=fuzzer,address - -o /dev/null 2>/dev/null; then
        compiler=clang++
    fi
    cmake -S . -B "$build" -G Ninja -DCMAKE_CXX_COMPILER=$compiler -DRIDGEPOINT_FUZZ=ON -DRIDGEPOINT_GUI=OFF \
        -DRIDGEPOINT_ENGINE=OFF -DRIDGEPOINT_TESTS=OFF -DCMAKE_BUILD_TYPE=RelWithDebInfo \
        -DCMAKE_CXX_FLAGS_RELWITHDEBINFO="-O1 -g1" >/dev/null
fi
# shellcheck disable=SC2086
cmake --build "$build" --target $(printf 'fuzz_%s ' $readers) >/dev/null

corpus=$build/corpus
for reader in $readers; do mkdir -p "$corpus/$reader"; done
cp tests/fixtures/made_up_gpu_session.json "$corpus/session/"
cp tests/fuzz/corpus/journal/* "$corpus/journal/"
cp tests/fuzz/corpus/import/* "$corpus/import/"
cp tests/fixtures/line/*.csv "$corpus/line/"
for folder in tests/fixtures/families/*; do
    name=$(basename "$folder")
    [ -e "$folder/config.json" ] && cp "$folder/config.json" "$corpus/config/$name.json"
    for file in "$folder"/*.safetensors; do [ -e "$file" ] && head -c 65536 "$file" >"$corpus/safetensors/$name.safetensors"; done
    [ -e "$folder/tokenizer.json" ] && cp "$folder/tokenizer.json" "$corpus/tokenizer/$name.json"
done
cp tests/fuzz/corpus/tokenizer/* "$corpus/tokenizer/"
cp resources/hardware/t4.json resources/hardware/h200.json resources/models/gemma-3-1b.json resources/models/qwen3-8b.json "$corpus/catalog/"

export RIDGEPOINT_RESOURCES=$root/resources ASAN_OPTIONS=allocator_may_return_null=0
cd "$build"
found=0
for reader in $readers; do
    program=$(find . -name "fuzz_$reader" -type f | head -1)
    if grep -aq "libFuzzer: " "$program"; then
        command=("$program" -max_total_time="$seconds" -rss_limit_mb=2048 -max_len=65536 -timeout=20 -print_final_stats=1 "corpus/$reader")
    else
        command=("$program" "corpus/$reader" "$seconds")
    fi
    if "${command[@]}" >"$reader.log" 2>&1; then
        printf '%-12s %s\n' "$reader" "$(grep -a -E 'number_of_executed_units|inputs, no finding' "$reader.log" | tail -1)"
    else
        found=1
        printf '%-12s FOUND SOMETHING, see %s\n' "$reader" "$build/$reader.log"
        grep -a -E 'ERROR|runtime error|SUMMARY|terminate|what\(\)' "$reader.log" | head -5
    fi
done
exit $found
