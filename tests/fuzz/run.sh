#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh SECONDS [BUILD [READER...]]: builds the fuzz programs (clang with libFuzzer where it is, else g++ with driver.cpp), runs each
# (or those named) for SECONDS, two at a time (JOBS), and prints what each did. Fails when one found something; what ended it is left
# in BUILD as READER-crash-*, READER-timeout-*. The corpus in BUILD grows from run to run. LAUNCHER: put before the compiler (ccache); CXX: takes
# that compiler.
set -euo pipefail
seconds=${1:?Usage: run.sh SECONDS [BUILD [READER...]]}
cd "$(dirname "$0")/../.."
root=$PWD
build=$(realpath -m "${2:-$root/build/fuzz}")
wanted=("${@:3}")
if [ ! -e "$build/build.ninja" ]; then
    compiler=${CXX:-g++}
    if [ -z "${CXX:-}" ] && command -v clang++ >/dev/null &&
        echo 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char *, unsigned long) { return 0; }' |
        clang++ -x c++ -fsanitize=fuzzer,address - -o /dev/null 2>/dev/null; then
        compiler=clang++
    fi
    mkdir -p "$build"
    cmake -S . -B "$build" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" ${LAUNCHER:+-DCMAKE_CXX_COMPILER_LAUNCHER="$LAUNCHER"} \
        -DRIDGEPOINT_FUZZ=ON -DRIDGEPOINT_GUI=OFF -DRIDGEPOINT_ENGINE=OFF -DRIDGEPOINT_TESTS=OFF -DCMAKE_BUILD_TYPE=RelWithDebInfo \
        -DCMAKE_CXX_FLAGS_RELWITHDEBINFO="-O1 -g1" >"$build/configure.log" 2>&1 || { cat "$build/configure.log"; exit 1; }
fi
cmake --build "$build" --parallel "${JOBS:-2}" --target fuzz_programs >"$build/build.log" 2>&1 || { tail -n 40 "$build/build.log"; exit 1; }
if [ ${#wanted[@]} -eq 0 ]; then
    mapfile -t wanted < <(cd "$build/tests/fuzz" && find . -maxdepth 1 -name 'fuzz_*' -type f -perm -u+x -printf '%f\n' | sed 's/^fuzz_//' | sort)
fi

corpus=$build/corpus
mkdir -p "$corpus"
cp -r tests/fuzz/corpus/. "$corpus/"
for reader in "${wanted[@]}"; do mkdir -p "$corpus/$reader"; done
put() { mkdir -p "$corpus/$1" && cp "$2" "$corpus/$1/${3:-$(basename "$2")}"; }
for file in tests/fixtures/line/*.csv; do put line "$file"; done
for file in tests/fuzz/corpus/import/*; do put import_options "$file"; done
for file in tests/fuzz/corpus/import/*.json tests/fuzz/corpus/tokenizer/*.json tests/fuzz/corpus/session/*.json; do put json "$file"; done
for folder in tests/fixtures/families/*; do
    name=$(basename "$folder")
    put config "$folder/config.json" "$name.json"
    if [ -e "$folder/model.safetensors.index.json" ]; then put checkpoint "$folder/model.safetensors.index.json"; fi
done
put safetensors tests/fixtures/families/llama-f16/reference.safetensors
for name in t4 h200 cpu; do put catalog "resources/hardware/$name.json" "hardware-$name.json"; done
for name in gemma-3-1b qwen3-8b; do put catalog "resources/models/$name.json"; done
for file in resources/lessons/*; do put lesson "$file"; done
for file in resources/glossary*.md; do put glossary "$file"; done
# Names and words of the formats, for libFuzzer.
grep -rhoaE '"[A-Za-z0-9_@/ .-]{1,40}"' "$root"/tests/fuzz/corpus tests/fixtures/families/*/config.json | sort -u |
    sed 's/^"\(.*\)"$/"\\"\1\\""/' >"$build/words.dict"
printf '"%s"\n' NaN Infinity null true ',' ';' '|' '\xef\xbb\xbf' '\x0d\x0a' '\\u0000' '\\ud800' '{{' '}}' '```setup' '```question' \
    '```answer' '1e999' 'tpot_floor' 'batch=' '## ' 'also:' >>"$build/words.dict"

export RIDGEPOINT_RESOURCES=$root/resources ASAN_OPTIONS=allocator_may_return_null=0 UBSAN_OPTIONS=print_stacktrace=1
if [ -w /dev/shm ]; then export TMPDIR=/dev/shm; fi # several readers read files
cd "$build"

one() {
    local reader=$1 program=$build/tests/fuzz/fuzz_$1 began=$SECONDS status=0
    if grep -aq "libFuzzer: " "$program"; then
        "$program" -max_total_time="$seconds" -rss_limit_mb=2048 -max_len=262144 -timeout=20 -print_final_stats=1 -dict=words.dict \
            -artifact_prefix="$build/$reader-" "corpus/$reader" >"$reader.log" 2>&1 || status=$?
        if [ $status -eq 0 ]; then
            printf '%-15s %9s executions in %4s s, %6s edges, %6s inputs kept, peak %4s MB\n' "$reader" \
                "$(sed -n 's/^stat::number_of_executed_units: *//p' "$reader.log")" $((SECONDS - began)) \
                "$(sed -n 's/.*cov: \([0-9]*\).*/\1/p' "$reader.log" | tail -n 1)" \
                "$(sed -n 's/.*corp: \([0-9]*\).*/\1/p' "$reader.log" | tail -n 1)" \
                "$(sed -n 's/^stat::peak_rss_mb: *//p' "$reader.log")"
            return 0
        fi
    else
        "$program" "corpus/$reader" "$seconds" >"$reader.log" 2>&1 || status=$?
        if [ $status -eq 0 ]; then
            printf '%-15s %s\n' "$reader" "$(tail -n 1 "$reader.log")"
            return 0
        fi
    fi
    printf '%-15s FOUND SOMETHING, see %s\n' "$reader" "$build/$reader.log"
    grep -a -E 'ERROR|runtime error|SUMMARY|terminate|what\(\)|Test unit written|The input is in' "$reader.log" | head -8
    return 1
}

pids=() failed=0
for reader in "${wanted[@]}"; do
    while [ "$(jobs -rp | wc -l)" -ge "${JOBS:-2}" ]; do wait -n || failed=1; done
    one "$reader" &
    pids+=($!)
done
for pid in "${pids[@]}"; do wait "$pid" || failed=1; done
exit $failed
