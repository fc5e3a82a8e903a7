#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Packs a build into a Debian package, whose engine runs on the distribution's own libtorch (CPU), and the portable archive.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
    cat <<'TEXT'
packaging/package.sh OUTDIR [--build DIR] [--no-build] [--no-portable]

Builds the release preset and writes into OUTDIR:
  ridgepoint_VERSION_ARCH.deb     program, engine, catalogue, samples, desktop file, AppStream data, icon, manual page
  ridgepoint-portable.tar.xz      what packaging/portable.sh makes: it runs from any folder, Qt within
  --build DIR    from that build folder (a CPU build, configured already)
  --no-build     what lies there is packed as it is
  --no-portable  the Debian package alone

DEBFULLNAME and DEBEMAIL are put down as the package's maintainer, as Debian's own tools do. Without them it names the authors, at an
address that no mail is delivered to (.invalid is reserved for that).
TEXT
}

outdir='' from=$BUILD compile=1 portable=1
while [ $# -gt 0 ]; do
    case $1 in
    --build)
        [ $# -ge 2 ] || die "--build needs a folder; packaging/package.sh --help lists the options"
        from=$2 && shift 2
        ;;
    --no-build) compile= && shift ;;
    --no-portable) portable= && shift ;;
    --help | -h) usage && exit 0 ;;
    -*) die "'$1' is no option of packaging/package.sh; --help lists them" ;;
    *)
        [ -z "$outdir" ] || die "one OUTDIR only; '$1' is a second"
        outdir=$1 && shift
        ;;
    esac
done
[ -n "$outdir" ] || die "OUTDIR is missing; packaging/package.sh --help tells the use"
mkdir -p "$outdir" && outdir=$(cd "$outdir" && pwd) || die "$outdir cannot be made; choose another folder"
for tool in dpkg-deb dpkg-shlibdeps strip gzip; do command -v "$tool" >/dev/null || die "$tool is needed and is not here; install dpkg-dev and binutils"; done
if [ -n "$compile" ]; then
    if [ "$from" = "$BUILD" ]; then
        install_packages
        build --target program
    else
        cmake --build "$from" --parallel "$(nproc)" --target program >&2 || die "the build failed; the reason stands above"
    fi
fi
from=$(cd "$from" 2>/dev/null && pwd) || die "there is no build folder $from"
[ -x "$from/ridgepoint" ] || die "there is no program at $from/ridgepoint: leave --no-build out"
[ -e "$from/engine/ridgepoint-engine.so" ] || die "$from has no engine, and the package is to measure: install libtorch-dev and libopenblas0-pthread and build again"
! readelf -d "$from/engine/ridgepoint-engine.so" | grep -qE 'NEEDED.*(libtorch_cuda|libc10_cuda|libcudart)' \
    || die "$from is a CUDA build; the Debian package stands on the distribution's libtorch. Name a CPU build by --build"

version=$(sed -n 's/^project(ridgepoint VERSION \([0-9.]*\).*/\1/p' "$ROOT/CMakeLists.txt")
arch=$(dpkg --print-architecture)
# The same source gives the same package: every file has the date of the commit.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$ROOT" log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
stage=$work/stage
DESTDIR='' cmake --install "$from" --prefix "$stage/usr" >"$work/install.log" 2>&1 || { cat "$work/install.log" >&2; die "the build could not be installed into $stage"; }
# One folder of modules whatever the prefix of the build was: the program looks for ../lib/ridgepoint.
if [ ! -d "$stage/usr/lib/ridgepoint" ]; then
    mv "$stage"/usr/lib*/*/ridgepoint "$stage/usr/lib/ridgepoint" && find "$stage/usr" -type d -empty -delete
fi
find "$stage/usr/bin" "$stage/usr/lib" -type f -exec strip --strip-unneeded {} +
gzip -9n "$stage"/usr/share/man/man1/*.1
doc=$stage/usr/share/doc/ridgepoint
mkdir -p "$doc" "$stage/DEBIAN" "$work/debian"
cat >"$doc/copyright" <<TEXT
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Ridgepoint

Files: *
Copyright: The Ridgepoint authors
License: GPL-3.0-or-later
 On Debian systems the text of the GNU General Public License, version 3, is in /usr/share/common-licenses/GPL-3.
TEXT

foreign=$(find "$stage" -type f -printf '%f\n' | grep -E '^(libtorch|libc10|libcud|libcublas|libnccl|libnv)' || true)
[ -z "$foreign" ] || die "libtorch or CUDA got into the package, which must not carry them: $foreign"

printf 'Source: ridgepoint\n\nPackage: ridgepoint\nArchitecture: any\n' >"$work/debian/control"
depends=$(cd "$work" && dpkg-shlibdeps -O --ignore-missing-info "$stage/usr/bin/ridgepoint" "$stage"/usr/lib/ridgepoint/*.so 2>"$work/shlibdeps.log" \
    | sed -n 's/^shlibs:Depends=//p')
[ -n "$depends" ] || { cat "$work/shlibdeps.log" >&2; die "dpkg-shlibdeps found no libraries"; }
cat >"$stage/DEBIAN/control" <<TEXT
Package: ridgepoint
Version: $version
Architecture: $arch
Maintainer: ${DEBFULLNAME:-The Ridgepoint authors} <${DEBEMAIL:-noreply@ridgepoint.invalid}>
Installed-Size: $(du -ks --exclude=DEBIAN "$stage" | cut -f1)
Depends: $depends, libopenblas0-pthread
Recommends: fonts-dejavu-core, qt6-wayland, qt6-translations-l10n
Section: science
Priority: optional
Description: predict, measure and explain the speed of LLM decode
 Ridgepoint lays what a device's data sheet promises, what its measured
 ceilings allow and what a decode step of a language model takes on one axis:
 a window with charts, and the same as command line verbs.
 .
 This package measures on the CPU, through the distribution's libtorch.
TEXT
(cd "$stage" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$stage/DEBIAN/md5sums"
find "$stage" -type d -exec chmod 755 {} + && find "$stage/usr" -type f ! -path '*/bin/*' -exec chmod 644 {} +
find "$stage" -exec touch --no-dereference -d "@$SOURCE_DATE_EPOCH" {} +
deb=$outdir/ridgepoint_${version}_$arch.deb
dpkg-deb --root-owner-group -Zxz --build "$stage" "$deb" >/dev/null || die "$deb could not be written"
say "$deb, $(($(stat -c %s "$deb") / 1000)) kB; depends on $depends, libopenblas0-pthread"
[ -z "$portable" ] || "$ROOT/packaging/portable.sh" "$outdir" --build "$from"
