#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# manual.sh PROGRAM VERSION: the manual page in roff, from what the program says of its verbs and options by --help, so that they
# cannot differ. Written to standard output.
set -eu
program=$1 version=$2

# Help of one verb as roff: its first line, the synopsis, positionals and options.
section() {
    awk '
        function roff(text) { gsub(/\\/, "\\e", text); gsub(/-/, "\\-", text); sub(/^[.\047]/, "\\\\\\&&", text); return text }
        /^Usage: / { sub(/^Usage: /, ""); print ".PP\n.B " roff($0); inside = 1; next }
        /^(Positionals|Options|Subcommands):/ { next }
        /^$/ { next }
        !inside { print roff($0); next }
        /^  [^ ]/ {
            line = substr($0, 3)
            at = match(line, /  +/)
            name = at ? substr(line, 1, at - 1) : line
            text = at ? substr(line, at + RLENGTH) : ""
            sub(/ REQUIRED/, "", name); sub(/ TEXT( \.\.\.)?$/, "", name); sub(/,/, ", ", name)
            print ".TP\n.B " roff(name)
            if (text != "") print roff(text)
            next
        }
        /^   / { sub(/^ +/, ""); print roff($0); next }
        { exit }'
}

cat <<ROFF
.\\" SPDX-License-Identifier: GPL-3.0-or-later
.\\" Made by packaging/manual.sh from the program's own help.
.TH RIDGEPOINT 1 "" "Ridgepoint $version" "User Commands"
.SH NAME
ridgepoint \\- predict, measure and explain the speed of LLM decode
.SH SYNOPSIS
.B ridgepoint
.RI [ SESSION ]
.br
.B ridgepoint \\-\\-replay
.I SESSION
.br
.B ridgepoint
.I VERB
.RI [ OPTIONS ]
.SH DESCRIPTION
Ridgepoint lays what a device's data sheet promises, what its measured ceilings allow and what a decode step of a language model takes
on one axis.
Without a verb the window opens, with that session where one is named; with
.B \\-\\-replay
it plays the recorded session again and measures nothing.
A verb needs no display.
.PP
Numbers are SI base units: bytes, seconds, FLOP.
Results go to standard output, progress to standard error.
.SH VERBS
ROFF
verbs=$("$program" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z][a-z]*\) .*/\1/p')
[ -n "$verbs" ] || { echo "manual.sh: $program --help lists no verbs" >&2; exit 1; }
for verb in $verbs; do
    printf '.SS %s\n' "$verb"
    "$program" "$verb" --help | section
done
cat <<'ROFF'
.SH ENVIRONMENT
.TP
.B RIDGEPOINT_ENGINE
The engine module to load in place of the one that belongs to the program.
.TP
.B RIDGEPOINT_RESOURCES
The folder with the catalogue in place of the one that ships with the program.
.TP
.B XDG_DATA_HOME
Below it the folder ridgepoint holds devices and models of your own.
.SH EXIT STATUS
0 done, 1 failed, 2 bad usage, 3 compare found something slower, 130 interrupted.
.SH COPYRIGHT
GNU General Public License, version 3 or later.
ROFF
