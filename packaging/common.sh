#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Shared by run.sh and test.sh: installs what is missing, configures, builds. Sourced, not run.
set -euo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
PRESET=${RIDGEPOINT_PRESET:-release}
BUILD=$ROOT/build/$PRESET

say() { printf '%s\n' "ridgepoint: $*" >&2; }
die() { say "$*"; exit 1; }

# as_root COMMAND...: runs it as root; where that needs sudo, the caller has said why.
as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        die "packages are missing and neither root nor sudo is at hand. As root, run: $*"
    fi
}

# retry COMMAND...: three tries, since a download can break off.
retry() {
    local try
    for try in 1 2 3; do
        if "$@"; then return 0; fi
        say "try $try of 3 failed: $*"
        sleep $((try * 5))
    done
    return 1
}

installed() { dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null | grep -qx installed; }
available() { [ -n "$(apt-cache --quiet=0 policy "$1" 2>/dev/null | sed -n 's/^ *Candidate: *//p' | grep -v '(none)')" ]; }

# The packages, one line a purpose. "a|b": the first that the distribution has.
packages() {
    cat <<'LIST'
build-essential cmake ninja-build pkg-config git ca-certificates
qt6-base-dev libqt6svg6-dev|qt6-svg-dev qt6-tools-dev qt6-tools-dev-tools qt6-l10n-tools libgl1-mesa-dev
libqcustomplot-dev nlohmann-json3-dev libcli11-dev libfmt-dev libboost-dev
libtorch-dev libopenblas0-pthread
libsentencepiece-dev
fonts-dejavu-core qt6-translations-l10n
LIST
}

install_packages() {
    command -v apt-get >/dev/null || {
        say "no apt-get here: expecting these to be installed already: $(packages | tr '\n' ' ')"
        return 0
    }
    local item alternative missing=()
    for item in $(packages); do
        local found=
        for alternative in ${item//|/ }; do
            if installed "$alternative"; then found=1; break; fi
        done
        [ -n "$found" ] || missing+=("$item")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    say "these packages are missing and will be installed by apt-get (compiler, Qt 6, chart library, libtorch): ${missing[*]}"
    [ "$(id -u)" = 0 ] || say "that needs root, so sudo may ask for your password"
    retry as_root apt-get -o Acquire::Retries=3 update -qq || die "apt-get update failed; check the network and /etc/apt, then start again"
    local wanted=()
    for item in "${missing[@]}"; do
        local chosen=
        for alternative in ${item//|/ }; do
            if available "$alternative"; then chosen=$alternative; break; fi
        done
        if [ -n "$chosen" ]; then
            wanted+=("$chosen")
        elif [ "$item" = libtorch-dev ]; then
            say "this distribution has no libtorch-dev: a Python torch will be looked for instead"
        elif [ "$item" = libopenblas0-pthread ] || [ "$item" = libsentencepiece-dev ]; then
            say "this distribution has no $item: going on without it"
        else
            die "this distribution has no package $item. Debian 12 or Ubuntu 24.04 and newer have it (on Ubuntu, enable the universe component)"
        fi
    done
    [ ${#wanted[@]} -gt 0 ] || return 0
    retry as_root env DEBIAN_FRONTEND=noninteractive apt-get -o Acquire::Retries=3 install -y -qq --no-install-recommends "${wanted[@]}" \
        || die "apt-get could not install: ${wanted[*]}"
}

# Prints the CMake options that say where libtorch is: the distribution's needs none.
torch_options() {
    if [ -n "${RIDGEPOINT_TORCH:-}" ]; then
        printf '%s\n' "-DCMAKE_PREFIX_PATH=$RIDGEPOINT_TORCH"
        return
    fi
    local config
    for config in /usr/lib/*/cmake/Torch/TorchConfig.cmake /usr/share/cmake/Torch/TorchConfig.cmake; do
        if [ -e "$config" ]; then return; fi
    done
    local prefix
    if prefix=$(python3 -c 'import torch; print(torch.utils.cmake_prefix_path)' 2>/dev/null); then
        printf '%s\n' "-DCMAKE_PREFIX_PATH=$prefix"
    else
        say "no libtorch was found: building without the engine. The program then predicts but cannot measure; install libtorch-dev, or torch by pip, and start again"
        printf '%s\n' "-DRIDGEPOINT_ENGINE=OFF"
    fi
}

# build TARGETS...: configures once (again only when CMake asks for it) and builds.
build() {
    cd "$ROOT"
    if [ ! -f "$BUILD/build.ninja" ]; then
        local options=()
        mapfile -t options < <(torch_options)
        say "configuring into build/$PRESET"
        mkdir -p build
        cmake --preset "$PRESET" "${options[@]}" >"build/configure-$PRESET.log" 2>&1 || {
            cat "build/configure-$PRESET.log" >&2
            die "CMake could not configure; the reason stands above"
        }
    fi
    say "building (the first time takes some minutes)"
    cmake --build "$BUILD" --parallel "$(nproc)" "$@" >&2 || die "the build failed; the reason stands above"
}
