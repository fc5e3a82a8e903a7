#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# For a rented notebook or server: builds the command line with CUDA from the Python torch and the CUDA toolkit that are there
# (no Qt, no root), runs the default sweep and leaves its session. See docs/rented-gpu.md.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
BUILD=$ROOT/build/headless
DEPS=$ROOT/build/headless-deps # what the machine lacks, unpacked here instead of installed
OUT=$BUILD
RUN=1
MODEL=() DTYPE=() EXTRA=()

usage() {
    cat <<'TEXT'
packaging/headless.sh [--out DIR] [--no-run] [--model NAME|FOLDER] [--dtype fp16|bf16|fp32] [-- OPTIONS OF ridgepoint sweep]

Builds build/headless/ridgepoint with CUDA where a GPU's torch and toolkit are found, else for the CPU, and runs the sweep in
the modes eager and graph (eager alone on the CPU). The session is DIR/ridgepoint-sweep.json (DIR: build/headless).

  --out DIR    where the session goes
  --no-run     build only
  --model, --dtype, and all after --: handed to `ridgepoint sweep` (--batch 1,4,16 --prompt 128 --mode eager ...)

Environment: PYTHON (the Python whose torch is used; python3), CUDA_HOME (the toolkit), CXX (the compiler),
RIDGEPOINT_CUDA_ARCHITECTURES (as in "75;90"; the card's own otherwise), RIDGEPOINT_CPU=1 (build for the CPU).
TEXT
}

while [ $# -gt 0 ]; do
    case $1 in
    --out | --model | --dtype)
        [ $# -ge 2 ] || die "$1 needs a value; packaging/headless.sh --help lists the options"
        case $1 in
        --out) OUT=$2 ;;
        --model) MODEL=(--model "$2") ;;
        --dtype) DTYPE=(--dtype "$2") ;;
        esac
        shift 2
        ;;
    --no-run) RUN= && shift ;;
    --help | -h) usage && exit 0 ;;
    --) shift && EXTRA=("$@") && break ;;
    *) die "'$1' is no option of packaging/headless.sh; options of the sweep follow after --. --help lists them" ;;
    esac
done
case $OUT in /*) ;; *) OUT=$PWD/$OUT ;; esac
mkdir -p "$BUILD" "$OUT" 2>/dev/null || die "$BUILD or $OUT cannot be written; choose another --out, or a checkout that is yours"
[ -w "$BUILD" ] && [ -w "$OUT" ] || die "$BUILD or $OUT cannot be written; choose another --out, or a checkout that is yours"

# version_at_least HAVE WANT
version_at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }

# --- torch ---------------------------------------------------------------------------------------------------------------
PYTHON=${PYTHON:-python3}
command -v "$PYTHON" >/dev/null || die "there is no $PYTHON here: install Python 3 and torch, or name a Python that has it by PYTHON=..."
torch=$("$PYTHON" - 2>&1 <<'PY'
import torch
flags = ""
try:
    flags = torch._C._cuda_getArchFlags() or ""
except Exception:
    pass
print("RIDGEPOINT", torch.utils.cmake_prefix_path, torch.__version__, torch.version.cuda or "-",
      int(torch._C._GLIBCXX_USE_CXX11_ABI), flags.replace(" ", ","), sep="|")
PY
) || die "$PYTHON cannot import torch: ${torch##*$'\n'}. Install it (pip install torch) or name a Python that has it by PYTHON=..."
IFS='|' read -r _ TORCH_PREFIX TORCH_VERSION TORCH_CUDA _ TORCH_ARCHS <<<"$(grep '^RIDGEPOINT|' <<<"$torch")"
if [ ! -e "$TORCH_PREFIX/Torch/TorchConfig.cmake" ]; then
    # Debian's python3-torch has them in libtorch-dev.
    for candidate in /usr/lib/*/cmake/Torch/TorchConfig.cmake; do
        if [ -e "$candidate" ]; then TORCH_PREFIX=$(dirname "$(dirname "$candidate")"); fi
    done
fi
[ -e "$TORCH_PREFIX/Torch/TorchConfig.cmake" ] || die "the torch $TORCH_VERSION of $PYTHON has no CMake files at $TORCH_PREFIX: it is no complete package. Install torch by pip, or libtorch-dev beside Debian's python3-torch"
version_at_least "$TORCH_VERSION" 2.0 || say "torch $TORCH_VERSION is older than the 2.0 that this script was made for; trying all the same"

# --- the toolkit and the card --------------------------------------------------------------------------------------------
NVCC=
for candidate in "${CUDA_HOME:+$CUDA_HOME/bin/nvcc}" "$(command -v nvcc || true)" /usr/local/cuda/bin/nvcc; do
    if [ -n "$candidate" ] && [ -x "$candidate" ]; then NVCC=$candidate && break; fi
done
toolkit_version() { "$1" --version 2>/dev/null | sed -n 's/.*release \([0-9.]*\).*/\1/p'; }
want=${TORCH_CUDA%%.*}
if [ "$TORCH_CUDA" != - ] && [ -z "${CUDA_HOME:-}" ]; then
    # Several toolkits may lie side by side: the one of torch's own major version is the one that fits.
    if [ -z "$NVCC" ] || [ "$(toolkit_version "$NVCC" | cut -d. -f1)" != "$want" ]; then
        for candidate in $(printf '%s\n' /usr/local/cuda-"$want"*/bin/nvcc /opt/cuda-"$want"*/bin/nvcc | sort -rV); do
            if [ -x "$candidate" ]; then NVCC=$candidate && break; fi
        done
    fi
fi
CARDS=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | grep -E '^[0-9]+\.[0-9]+$' | tr -d . | sort -un | tr '\n' ';' || true)
CARDS=${CARDS%;}

CUDA=ON
if [ -n "${RIDGEPOINT_CPU:-}" ]; then
    CUDA=OFF && say "RIDGEPOINT_CPU is set: building for the CPU"
elif [ "$TORCH_CUDA" = - ]; then
    [ -z "$CARDS" ] || die "there is a GPU here, but the torch $TORCH_VERSION of $PYTHON was built without CUDA: install one with it (pip install torch), or build for the CPU by RIDGEPOINT_CPU=1"
    CUDA=OFF && say "the torch $TORCH_VERSION of $PYTHON was built without CUDA: building for the CPU. Nothing measured will be of a GPU"
elif [ -z "$NVCC" ]; then
    [ -z "$CARDS" ] || die "torch $TORCH_VERSION needs a CUDA toolkit $want to build against, and no nvcc was found on PATH or under /usr/local. Install the toolkit $want.x (a notebook image marked 'devel' has it), or name it by CUDA_HOME=..."
    CUDA=OFF && say "no GPU and no CUDA toolkit here: building for the CPU. Nothing measured will be of a GPU"
fi
options=(-DRIDGEPOINT_CUDA="$CUDA" -DCMAKE_PREFIX_PATH="$TORCH_PREFIX;$DEPS/usr" -DPython_EXECUTABLE="$(command -v "$PYTHON")")
if [ "$CUDA" = ON ]; then
    TOOLKIT=$(toolkit_version "$NVCC")
    [ -n "$TOOLKIT" ] || die "$NVCC does not tell its version: the CUDA toolkit there is damaged. Install it anew, or name another by CUDA_HOME=..."
    [ "${TOOLKIT%%.*}" = "$want" ] || die "torch $TORCH_VERSION was built with CUDA $TORCH_CUDA, the toolkit at $NVCC is $TOOLKIT; both must be of the same major version. Either install the toolkit $want.x and name it by CUDA_HOME=..., or install a torch for CUDA ${TOOLKIT%%.*} (pip install torch --index-url https://download.pytorch.org/whl/cu${TOOLKIT//./}, or the cu${TOOLKIT%%.*}x nearest to it; pytorch.org lists them)"
    PATH=$(dirname "$NVCC"):$PATH
    export PATH
    known=$("$NVCC" --list-gpu-arch 2>/dev/null | sed -n 's/^compute_\([0-9]*\)[af]*$/\1/p' | sort -un)
    if [ -n "${RIDGEPOINT_CUDA_ARCHITECTURES:-}" ]; then
        ARCHS=$RIDGEPOINT_CUDA_ARCHITECTURES
    elif [ -n "$CARDS" ]; then
        ARCHS=$CARDS
        for arch in ${ARCHS//;/ }; do
            grep -qx "$arch" <<<"$known" || die "the card here has compute capability ${arch%?}.${arch#"${arch%?}"}, which the toolkit $TOOLKIT cannot compile for (it knows $(tr '\n' ' ' <<<"$known")). Use a toolkit, and a torch, that do"
            [ "$arch" -ge 75 ] || say "the card here is older than compute capability 7.5, which this program is made for; trying all the same"
            case ",$TORCH_ARCHS," in
            *,sm_"$arch"[,af]* | *,compute_"$arch",* | ,,) ;;
            *) say "torch $TORCH_VERSION lists no kernels for this card's compute capability ($TORCH_ARCHS); if the run fails, use a torch that has them" ;;
            esac
        done
    else
        ARCHS=
        for arch in $(tr ',' '\n' <<<"$TORCH_ARCHS" | sed -n 's/^sm_\([0-9]*\)[af]*$/\1/p'); do
            # From 7.5 on, which the kernels are written for.
            if [ "$arch" -ge 75 ] && grep -qx "$arch" <<<"$known"; then ARCHS=${ARCHS:+$ARCHS;}$arch; fi
        done
        ARCHS=${ARCHS:-75;90}
        say "no GPU is in sight (nvidia-smi names none): compiling for those of torch ($ARCHS)"
    fi
    options+=(-DCMAKE_CUDA_ARCHITECTURES="$ARCHS" -DCMAKE_CUDA_COMPILER="$NVCC")
fi

# --- compiler, CMake, Ninja ----------------------------------------------------------------------------------------------
# The first that compiles C++20 and, with CUDA, that nvcc accepts: each toolkit knows compilers up to some version only.
probe=$(mktemp -d)
trap 'rm -rf "$probe"' EXIT
printf '#include <barrier>\n#include <span>\n#include <stop_token>\nint main() { return std::stop_token().stop_requested(); }\n' >"$probe/a.cpp"
printf '__global__ void k() {}\nint main() { return 0; }\n' >"$probe/a.cu"
compiler_fits() {
    command -v "$1" >/dev/null || return 1
    "$1" -std=c++20 -pthread "$probe/a.cpp" -o "$probe/a" >"$probe/why" 2>&1 || return 1
    [ "$CUDA" = OFF ] || "$NVCC" -ccbin "$(command -v "$1")" -std=c++20 -c "$probe/a.cu" -o "$probe/a.o" >"$probe/why" 2>&1
}
COMPILER=
for candidate in ${CXX:-c++ g++ g++-14 g++-13 g++-12 g++-11 clang++}; do
    if compiler_fits "$candidate"; then COMPILER=$(command -v "$candidate") && break; fi
done
if [ -z "$COMPILER" ]; then
    [ ! -s "$probe/why" ] || tail -n 3 "$probe/why" >&2
    die "no C++ compiler fits${CXX:+ (CXX is $CXX)}: it must know C++20 (gcc 11 or newer)$([ "$CUDA" = OFF ] || echo " and be one that the toolkit $TOOLKIT accepts"). Install one, as in apt-get install g++-12, and start again"
fi
options+=(-DCMAKE_CXX_COMPILER="$COMPILER")
# The C compiler of the same kind, where it is installed: CMake wants one as well.
twin=$(sed 's,g++,gcc,;s,clang++,clang,;s,/c++$,/cc,' <<<"$COMPILER")
if command -v "$twin" >/dev/null; then options+=(-DCMAKE_C_COMPILER="$twin"); fi
[ "$CUDA" = OFF ] || options+=(-DCMAKE_CUDA_HOST_COMPILER="$COMPILER")

# pip_tool NAME: its program out of PyPI's package, into DEPS.
pip_tool() {
    say "fetching $1 by pip into build/headless-deps"
    retry "$PYTHON" -m pip install --quiet --upgrade --no-deps --target "$DEPS/tools" "$1" || return 1
}
CMAKE=
for candidate in cmake "$DEPS/tools/cmake/data/bin/cmake"; do
    have=$("$candidate" --version 2>/dev/null | sed -n 's/^cmake version \([0-9.]*\).*/\1/p' || true)
    if [ -n "$have" ] && version_at_least "$have" 3.25; then CMAKE=$candidate && break; fi
done
if [ -z "$CMAKE" ]; then
    # Below 4: TorchConfig of older torch uses what CMake 4 has removed.
    pip_tool 'cmake>=3.25,<4' || die "CMake 3.25 or newer is needed and pip could not fetch it; install it (pip install 'cmake<4') and start again"
    CMAKE=$DEPS/tools/cmake/data/bin/cmake
fi
generator=()
if command -v ninja >/dev/null; then
    :
elif [ -x "$DEPS/tools/ninja/data/bin/ninja" ] || [ -x "$DEPS/tools/bin/ninja" ]; then
    generator=(-DCMAKE_MAKE_PROGRAM="$(ls "$DEPS"/tools/ninja/data/bin/ninja "$DEPS"/tools/bin/ninja 2>/dev/null | head -n 1)")
elif command -v make >/dev/null; then
    generator=(-G "Unix Makefiles")
elif pip_tool ninja; then
    generator=(-DCMAKE_MAKE_PROGRAM="$(ls "$DEPS"/tools/ninja/data/bin/ninja "$DEPS"/tools/bin/ninja 2>/dev/null | head -n 1)")
else
    die "neither ninja nor make is here; install one (pip install ninja) and start again"
fi

# --- header packages -----------------------------------------------------------------------------------------------------
# Asked by the file that CMake looks for, since they may have come by any way.
has_package() {
    local place
    for place in /usr/share/cmake /usr/lib/cmake /usr/lib/*/cmake /usr/local/share/cmake /usr/local/lib/cmake /usr/local/lib/*/cmake \
        "$DEPS"/usr/share/cmake "$DEPS"/usr/lib/cmake "$DEPS"/usr/lib/*/cmake ${CONDA_PREFIX:+"$CONDA_PREFIX"/lib/cmake "$CONDA_PREFIX"/share/cmake}; do
        if ls "$place/$1"/*[Cc]onfig.cmake >/dev/null 2>&1; then return 0; fi
    done
    return 1
}
declare -A debian=([nlohmann_json]=nlohmann-json3-dev [CLI11]=libcli11-dev [fmt]=libfmt-dev [boost]=libboost-dev)
lacking() {
    local name place found=
    for place in /usr/include /usr/local/include "$DEPS/usr/include" ${CONDA_PREFIX:+"$CONDA_PREFIX/include"}; do
        if [ -e "$place/boost/math/distributions/students_t.hpp" ]; then found=1; fi
    done
    [ -n "$found" ] || echo boost
    for name in nlohmann_json CLI11 fmt; do
        has_package "$name" || { [ "$name" = fmt ] && [ -e "$DEPS/cmake/fmt/fmt-config.cmake" ]; } || echo "$name"
    done
}
# A package for CMake made of a folder with fmt's headers: no library is needed with them.
fmt_from() {
    mkdir -p "$DEPS/cmake/fmt"
    cat >"$DEPS/cmake/fmt/fmt-config.cmake" <<CMAKE
if(NOT TARGET fmt::fmt)
  add_library(fmt::fmt INTERFACE IMPORTED)
  set_target_properties(fmt::fmt PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "$1" INTERFACE_COMPILE_DEFINITIONS FMT_HEADER_ONLY=1)
endif()
CMAKE
}
# unpack_packages NAMES...: an ordinary user's way: apt's own lists and downloads, in folders of ours, unpacked.
unpack_packages() {
    command -v apt-get >/dev/null && command -v dpkg >/dev/null || return 1
    local apt=$DEPS/apt
    mkdir -p "$apt/lists/partial" "$apt/archives/partial"
    local as_user=(-o Dir::State::Lists="$apt/lists" -o Dir::Cache="$apt" -o Dir::Cache::archives="$apt/archives" -o Debug::NoLocking=1 -o APT::Sandbox::User= -o Acquire::Retries=3)
    retry apt-get "${as_user[@]}" update -qq || return 1
    # libboost-dev is a name for the package of the current version, which has the headers.
    local name wanted=()
    for name in "$@"; do
        if [ "$name" = libboost-dev ]; then
            name=$(apt-cache "${as_user[@]}" depends libboost-dev | sed -n 's/.*Depends: \(libboost[0-9.]*-dev\)$/\1/p' | head -n 1)
        fi
        wanted+=("${name:-libboost-dev}")
    done
    set -- "${wanted[@]}"
    (cd "$apt/archives" && retry apt-get "${as_user[@]}" download -qq "$@") || return 1
    local file
    for file in "$apt"/archives/*.deb; do dpkg -x "$file" "$DEPS" || return 1; done
    rm -rf "$apt"
}
mapfile -t missing < <(lacking)
if [ ${#missing[@]} -gt 0 ] && [[ " ${missing[*]} " == *" fmt "* ]] && [ -e "$TORCH_PREFIX/../../include/fmt/format.h" ]; then
    say "taking fmt from torch's own headers"
    fmt_from "$(cd "$TORCH_PREFIX/../../include" && pwd)"
    mapfile -t missing < <(lacking)
fi
if [ ${#missing[@]} -gt 0 ]; then
    wanted=()
    for name in "${missing[@]}"; do wanted+=("${debian[$name]}"); done
    say "header packages are missing here: ${wanted[*]}"
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null && retry apt-get -o Acquire::Retries=3 update -qq \
        && DEBIAN_FRONTEND=noninteractive retry apt-get -o Acquire::Retries=3 install -y -qq --no-install-recommends "${wanted[@]}" >"$BUILD/apt.log" 2>&1; then
        :
    elif unpack_packages "${wanted[@]}"; then
        say "unpacked into build/headless-deps, nothing was installed"
        if [ -e "$DEPS/usr/include/fmt/format.h" ]; then
            rm -rf "$DEPS"/usr/lib/*/cmake/fmt # it names a library that is not there; the headers are enough
            fmt_from "$DEPS/usr/include"
        fi
    else
        die "the header packages ${wanted[*]} are missing and could be neither installed nor fetched by apt-get. Install them as root (apt-get install ${wanted[*]}), or from conda-forge (nlohmann_json cli11 fmt libboost-headers), and start again"
    fi
    mapfile -t missing < <(lacking)
    [ ${#missing[@]} -eq 0 ] || die "still not found after that: ${missing[*]}. Install ${wanted[*]} and start again"
fi
[ ! -e "$DEPS/cmake/fmt/fmt-config.cmake" ] || options+=(-Dfmt_DIR="$DEPS/cmake/fmt")

# --- build ---------------------------------------------------------------------------------------------------------------
cd "$ROOT"
# Another torch, toolkit or compiler than last time: what CMake remembers of the old one must not stay.
chosen="${options[*]} ${generator[*]} $TORCH_VERSION $("$COMPILER" -dumpfullversion 2>/dev/null || true) ${TOOLKIT:-}"
if [ -e "$BUILD/CMakeCache.txt" ] && [ "$(cat "$BUILD/chosen" 2>/dev/null)" != "$chosen" ]; then
    say "the torch, toolkit or compiler is another than at the last build: configuring anew"
    rm -rf "$BUILD/CMakeCache.txt" "$BUILD/CMakeFiles"
fi
printf '%s\n' "$chosen" >"$BUILD/chosen"
if [ "$CUDA" = ON ]; then
    say "configuring: torch $TORCH_VERSION (CUDA $TORCH_CUDA), toolkit $TOOLKIT, architectures $ARCHS, $(basename "$COMPILER") $("$COMPILER" -dumpfullversion 2>/dev/null || true)"
else
    say "configuring for the CPU: torch $TORCH_VERSION, $(basename "$COMPILER") $("$COMPILER" -dumpfullversion 2>/dev/null || true)"
fi
"$CMAKE" --preset headless "${generator[@]}" "${options[@]}" >"$BUILD/configure.log" 2>&1 || {
    tail -n 40 "$BUILD/configure.log" >&2
    die "CMake could not configure; the reason stands above (all of it in build/headless/configure.log)"
}
# A compiler of this size takes about 2 GB with libtorch's headers: no more of them at once than memory allows.
jobs=$(nproc)
memory=$(($(sed -n 's/^MemAvailable: *\([0-9]*\).*/\1/p' /proc/meminfo 2>/dev/null || echo 4000000) / 2000000))
[ "$memory" -ge "$jobs" ] || jobs=$((memory > 1 ? memory : 1))
say "building with $jobs at once (the first time takes some minutes)"
"$CMAKE" --build "$BUILD" --parallel "$jobs" --target program >"$BUILD/build.log" 2>&1 || {
    grep -E -A 5 'error|FAILED' "$BUILD/build.log" | head -n 40 >&2
    die "the build failed; the reason stands above (all of it in build/headless/build.log)"
}
say "built $BUILD/ridgepoint"

# --- run -----------------------------------------------------------------------------------------------------------------
[ -n "$RUN" ] || exit 0
session=$OUT/ridgepoint-sweep.json
modes=eager,graph
if [ "$CUDA" = OFF ] || [ -z "$CARDS" ]; then
    modes=eager
    say "no GPU is used in this run: the sweep is of the CPU"
else
    say "the card: $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | paste -sd ';')"
fi
case " ${EXTRA[*]-} " in *" --mode"*) mode=() ;; *) mode=(--mode "$modes") ;; esac
code=0
"$BUILD/ridgepoint" sweep "${MODEL[@]}" "${DTYPE[@]}" "${mode[@]}" --out "$session" "${EXTRA[@]}" || code=$?
[ -e "$session" ] || { [ "$code" -ne 0 ] || code=1; die "the sweep left no session (exit code $code); what it said stands above"; }
say "the session is $session (exit code of the sweep: $code)"
say "to look at it, copy that one file to a machine with the window and open it there: ridgepoint ridgepoint-sweep.json"
exit "$code"
