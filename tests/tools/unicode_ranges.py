#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes core/checkpoint/unicode_ranges.inc: the code points of the general categories L and N as ranges.

    unicode_ranges.py > core/checkpoint/unicode_ranges.inc

Uses the package `regex`, whose Unicode version is newer than that of Python's own unicodedata.
"""

import sys

import regex


def ranges(pattern):
    matcher = regex.compile(pattern)
    first, found = None, []
    for code in range(0x110000 + 1):
        inside = code < 0x110000 and not 0xD800 <= code < 0xE000 and matcher.match(chr(code)) is not None
        if inside and first is None:
            first = code
        elif not inside and first is not None:
            found.append((first, code - 1))
            first = None
    return found


def main():
    print("// SPDX-License-Identifier: GPL-3.0-or-later")
    print("// Written by tests/tools/unicode_ranges.py.")
    for name, pattern in (("kLetterRanges", r"\p{L}"), ("kNumberRanges", r"\p{N}")):
        print(f"constexpr CodeRange {name}[] = {{")
        line = "   "
        for first, last in ranges(pattern):
            item = f" {{0x{first:X}, 0x{last:X}}},"
            if len(line) + len(item) > 120:
                print(line)
                line = "   "
            line += item
        print(line)
        print("};")
    print(f"regex {regex.__version__}", file=sys.stderr)


if __name__ == "__main__":
    main()
