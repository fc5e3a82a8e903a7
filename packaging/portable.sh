#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Packs a build into one archive that opens the window on a machine without Qt: the program, its engine, Qt's libraries and
# plugins, a font, a start script. libtorch and CUDA stay the user's own: the start script finds the torch of python3.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
    cat <<'TEXT'
packaging/portable.sh OUTDIR [--build DIR] [--with-screenshots] [--with TEST]...

Writes OUTDIR/ridgepoint-portable.tar.xz from a build that is there already (build/cuda where that exists, else build/release).
  --with-screenshots  with tests/app/screenshots (target screenshots)
  --with TEST         with the test or program of that name

There: tar xf ridgepoint-portable.tar.xz, then ridgepoint-portable/ridgepoint [SESSION | VERB ...], or
ridgepoint-portable/run PROGRAM [...] for what came by --with. With no display Qt's offscreen platform is used.
TEXT
}

outdir='' from='' extras=()
while [ $# -gt 0 ]; do
    case $1 in
    --build | --with)
        [ $# -ge 2 ] || die "$1 needs a value; packaging/portable.sh --help lists the options"
        if [ "$1" = --build ]; then from=$2; else extras+=("$2"); fi
        shift 2
        ;;
    --with-screenshots) extras+=(screenshots) && shift ;;
    --help | -h) usage && exit 0 ;;
    -*) die "'$1' is no option of packaging/portable.sh; --help lists them" ;;
    *)
        [ -z "$outdir" ] || die "one OUTDIR only; '$1' is a second"
        outdir=$1 && shift
        ;;
    esac
done
[ -n "$outdir" ] || die "OUTDIR is missing; packaging/portable.sh --help tells the use"
mkdir -p "$outdir" && outdir=$(cd "$outdir" && pwd) || die "$outdir cannot be made; choose another folder"
if [ -z "$from" ]; then
    from=$ROOT/build/release
    if [ -x "$ROOT/build/cuda/ridgepoint" ]; then from=$ROOT/build/cuda; fi
fi
[ -x "$from/ridgepoint" ] || die "there is no program at $from/ridgepoint: build a preset first (cmake --preset cuda ..., or packaging/run.sh), or name the build by --build"
from=$(cd "$from" && pwd)
for tool in ldd readelf strip xz cmake; do command -v "$tool" >/dev/null || die "$tool is needed for packing and is not here; install it (apt-get install binutils xz-utils cmake)"; done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/ridgepoint-portable
mkdir -p "$root/bin/engine" "$root/lib" "$root/plugins" "$root/share/ridgepoint" "$root/share/fonts"

# What every machine has (glibc, and the compiler's runtime, which must be the newest of any library in the process), and what
# is the user's own.
left_out='^(ld-linux.*|libc|libm|libdl|librt|libpthread|libresolv|libutil|libstdc\+\+|libgcc_s|libtorch.*|libc10.*|libcaffe2.*|libshm|libcu.*|libnv.*|libnccl|libopenblas.*|libblas|liblapack|libdnnl|libmkl.*)\.so'
# libraries_of FILE [direct]: name and path of each; direct: only those it names itself.
libraries_of() {
    local name path needed=
    if [ "${2:-}" = direct ]; then needed=$(readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'); fi
    ldd "$1" | sed -n 's/^\t\([^ ]*\) => \(.*\)$/\1 \2/p' | while read -r name path; do
        if [[ $name =~ $left_out ]] || { [ "${2:-}" = direct ] && ! grep -qxF "$name" <<<"$needed"; }; then continue; fi
        [ "$path" != "not found" ] || { echo "$name needed by $1" >>"$work/lost" && continue; }
        printf '%s %s\n' "$name" "${path% (*}"
    done
}
take_libraries() {
    local name path
    libraries_of "$@" | while read -r name path; do [ -e "$root/lib/$name" ] || cp -L "$path" "$root/lib/$name"; done
}

cp "$from/ridgepoint" "$root/bin/"
for module in "$from"/engine/*.so; do
    if [ -e "$module" ]; then cp "$module" "$root/bin/engine/" && take_libraries "$module" direct; fi
done
[ -e "$root/bin/engine/ridgepoint-engine.so" ] || say "this build has no engine: the window will predict and open sessions, but not measure"
for name in "${extras[@]}"; do
    found=$(find "$from" -type f -name "$name" -perm -u+x -print -quit)
    [ -n "$found" ] || die "there is no program '$name' in $from: build it first (cmake --build $from --target $name)"
    cp "$found" "$root/bin/"
done
for program in "$root"/bin/*; do if [ -f "$program" ]; then
    # A test that links the engine's parts needs libtorch, and by it much that is not ours to carry.
    if ldd "$program" | grep -q libtorch; then take_libraries "$program" direct; else take_libraries "$program"; fi
fi; done

plugins=$({ qmake6 -query QT_INSTALL_PLUGINS || qtpaths6 --query QT_INSTALL_PLUGINS; } 2>/dev/null || true)
[ -d "$plugins" ] || plugins=$(dirname "$(ls -d /usr/lib/*/qt6/plugins/platforms /usr/lib/qt6/plugins/platforms 2>/dev/null | head -n 1)")
[ -e "$plugins/platforms/libqoffscreen.so" ] || die "Qt's plugin platforms/libqoffscreen.so was not found (looked in $plugins); install qt6-base-dev or qt6-qpa-plugins"
for plugin in platforms/libqoffscreen.so platforms/libqxcb.so iconengines/libqsvgicon.so imageformats/libqsvg.so; do
    if [ -e "$plugins/$plugin" ]; then
        mkdir -p "$root/plugins/$(dirname "$plugin")"
        cp "$plugins/$plugin" "$root/plugins/$plugin"
        take_libraries "$plugins/$plugin"
    fi
done
[ ! -s "$work/lost" ] || die "these libraries were not found on this machine: $(sort -u "$work/lost" | paste -sd ';'). Install them and pack again"

font=$(fc-match --format '%{file}' 'DejaVu Sans' 2>/dev/null || true)
case $font in */DejaVuSans*.ttf) ;; *) font=/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf ;; esac
[ -e "$font" ] || die "the font DejaVu Sans was not found; install fonts-dejavu-core"
cp "$font" "$root/share/fonts/"
for cut in DejaVuSans-Bold.ttf DejaVuSansMono.ttf; do [ ! -e "$(dirname "$font")/$cut" ] || cp "$(dirname "$font")/$cut" "$root/share/fonts/"; done
cat >"$root/share/fonts.conf" <<'XML'
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
  <alias><family>sans-serif</family><prefer><family>DejaVu Sans</family></prefer></alias>
  <alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
</fontconfig>
XML
for folder in hardware models samples lessons; do [ ! -d "$ROOT/resources/$folder" ] || cp -r "$ROOT/resources/$folder" "$root/share/ridgepoint/"; done
cp "$ROOT"/resources/glossary*.md "$root/share/ridgepoint/"
cp "$ROOT/LICENSE" "$root/"
# Which torch the engine was linked against; another version may not load.
torch_lib=$(ldd "$from/engine/ridgepoint-engine.so" 2>/dev/null | sed -n 's/.*libtorch_cpu.so => \(.*\)\/libtorch_cpu.so.*/\1/p' || true)
sed -n 's/^set(PACKAGE_VERSION "\(.*\)").*/\1/p' "$torch_lib/../share/cmake/Torch/TorchConfigVersion.cmake" >"$root/share/torch-version" 2>/dev/null || rm -f "$root/share/torch-version"

cat >"$root/ridgepoint" <<'SH'
#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# ridgepoint [SESSION | VERB ...]   run PROGRAM [...]: a program of bin/ with Qt, the font and libtorch where they are.
here=$(cd "$(dirname "$0")" && pwd)
program=ridgepoint
if [ "$(basename "$0")" = run ]; then
    [ $# -ge 1 ] || { echo "run: name a program of $here/bin" >&2; exit 2; }
    program=$1
    shift
fi
# Not imported: that takes seconds. Its libraries come first, so that those which both have (OpenMP's) are torch's.
torch=$(${PYTHON:-python3} -c 'import importlib.util, re
spec = importlib.util.find_spec("torch")
if spec:
    place = spec.submodule_search_locations[0]
    found = re.search("__version__ = [^0-9]*([0-9][^ \"]*)", open(place + "/version.py").read().replace(chr(39), chr(34)))
    print(place + "/lib", found[1] if found else "", sep="|")' 2>/dev/null)
folder=${torch%%|*}
version=${torch#*|}
version=${version%%+*}
built=$(cat "$here/share/torch-version" 2>/dev/null)
measures=1
case ${1:-} in predict | hardware | models | errors | explain | import | compare | samples | report | -*) measures= ;; esac
if [ -n "$measures" ] && [ -e "$here/bin/engine/ridgepoint-engine.so" ]; then
    if [ -z "$folder" ]; then
        # The system's own libtorch does as well.
        absent=$(LD_LIBRARY_PATH="$here/lib" ldd "$here/bin/engine/ridgepoint-engine.so" 2>/dev/null | sed -n 's/^[[:space:]]*\(libtorch[^ ]*\) => not found.*/\1/p' | head -n 1)
        [ -z "$absent" ] || echo "ridgepoint: nothing can be measured: $absent is not here, and ${PYTHON:-python3} has no torch. Install torch${built:+ $built}, or name a Python that has it by PYTHON=..." >&2
    elif [ -n "$built" ] && [ -n "$version" ] && [ "${version%.*}" != "${built%.*}" ]; then
        echo "ridgepoint: the engine was built against torch $built, this one is $version: if it does not load, use torch $built, or build here by packaging/headless.sh" >&2
    fi
fi
export LD_LIBRARY_PATH="${folder:+$folder:}$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export QT_PLUGIN_PATH="$here/plugins"
export FONTCONFIG_FILE="${FONTCONFIG_FILE:-$here/share/fonts.conf}"
export RIDGEPOINT_RESOURCES="${RIDGEPOINT_RESOURCES:-$here/share/ridgepoint}"
if [ -z "${QT_QPA_PLATFORM:-}" ]; then
    if [ -n "${DISPLAY:-}" ] && [ -e "$here/plugins/platforms/libqxcb.so" ]; then
        export QT_QPA_PLATFORM=xcb
    else
        export QT_QPA_PLATFORM=offscreen
    fi
fi
[ -x "$here/bin/$program" ] || { echo "ridgepoint: there is no $program in $here/bin" >&2; exit 2; }
exec "$here/bin/$program" "$@"
SH
chmod +x "$root/ridgepoint"
cp "$root/ridgepoint" "$root/run"

# Paths of this machine must not be searched on the other one.
cat >"$work/rpath.cmake" <<'CMAKE'
file(GLOB files "${root}/bin/*" "${root}/bin/engine/*.so")
foreach(file IN LISTS files)
  if(NOT IS_DIRECTORY "${file}")
    file(RPATH_REMOVE FILE "${file}")
  endif()
endforeach()
CMAKE
cmake -D root="$root" -P "$work/rpath.cmake" || die "the search paths of this machine could not be removed from the programs"
find "$root/bin" "$root/lib" "$root/plugins" -type f -exec strip --strip-unneeded {} + || die "strip failed"

foreign=$(find "$root" -type f -printf '%f\n' | grep -E '^(libtorch|libc10|libcud|libcublas|libnccl|libnv)' || true)
[ -z "$foreign" ] || die "libtorch or CUDA got into the package, which must not carry them: $foreign"
archive=$outdir/ridgepoint-portable.tar.xz
tar -C "$work" --owner=0 --group=0 -cf - ridgepoint-portable | xz -T0 -6 >"$archive.part" && mv "$archive.part" "$archive" || die "$archive could not be written"
symbols() { find "$root" -type f \( -name '*.so*' -o -path '*/bin/*' \) -exec readelf -V {} + 2>/dev/null | grep -oE "$1_[0-9.]+" | sort -Vu | tail -n 1; }
say "$archive, $(($(stat -c %s "$archive") / 1000000)) MB; needs $(symbols GLIBC), $(symbols GLIBCXX)$([ ! -e "$root/share/torch-version" ] || echo ", torch $(cat "$root/share/torch-version")")"
