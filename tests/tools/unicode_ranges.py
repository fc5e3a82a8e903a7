#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes core/checkpoint/unicode_ranges.inc: the code points of the general categories L and N as ranges.

    unicode_ranges.py > core/checkpoint/unicode_ranges.inc

They are asked of the package `tokenizers`, so that text is cut with the very tables of the reference implementation.
"""

from tokenizers import Regex, pre_tokenizers


def ranges(pattern):
    remover = pre_tokenizers.Split(Regex(pattern), "removed")
    first, found = None, []
    for code in range(0x110000 + 1):
        inside = code < 0x110000 and not 0xD800 <= code < 0xE000 and not remover.pre_tokenize_str(chr(code))
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


if __name__ == "__main__":
    main()
