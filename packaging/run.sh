#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds, and starts the main job: the window; with no display, the same sweep to a report folder.
# Arguments go to the program: a session file for the window, or options of the sweep (--model, --batch, --out ...).
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
case ${1:-} in
--help | -h)
    cat <<'TEXT'
packaging/run.sh [SESSION | OPTION...]

Installs what is missing, builds, and opens the window (on SESSION). With no display (DISPLAY and WAYLAND_DISPLAY unset) it runs the sweep of
the window's first start on this machine and writes ridgepoint-report-DATE/, or $RIDGEPOINT_REPORT; OPTIONs are then those of
build/release/ridgepoint sweep, as --model smollm2-135m --batch 1,4 --prompt 64 --steps 10.
TEXT
    exit 0
    ;;
esac
install_packages
build --target program
if [ -n "${DISPLAY:-}" ] || [ -n "${WAYLAND_DISPLAY:-}" ]; then
    exec "$BUILD/ridgepoint" "$@"
fi
say "no display here (neither DISPLAY nor WAYLAND_DISPLAY is set): running a sweep into a report folder instead"
report=${RIDGEPOINT_REPORT:-$PWD/ridgepoint-report-$(date +%Y%m%d-%H%M%S)}
code=0
"$BUILD/ridgepoint" sweep --out "$report/session.json" "$@" || code=$?
if [ "$code" -ne 0 ]; then
    # A session that was stopped before its first point is written too, with what was calibrated: there is nothing to report.
    if grep -Eqs '"status": *"ok"' "$report/session.json"; then
        say "the sweep ended early; this makes a report of what was measured:"
        say "  $BUILD/ridgepoint report $report/session.json --out $report"
    fi
    exit "$code"
fi
"$BUILD/ridgepoint" report "$report/session.json" --out "$report"
say "the report is at $report/report.md"
