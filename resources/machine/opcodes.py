#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes gpu/machine/opcodes.inl and tests/machine/data/instructions.tsv from listings of machine code.

  opcodes.py FOLDER    a folder of NAME.sm_90a.sass and the like, each what `cuobjdump -sass` says of a cubin

What both files have already stays: one folder has not every instruction that another had.
It ends with status 1 if two names share an opcode on one architecture.
"""

import collections
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FIRST = re.compile(r"^\s*/\*([0-9a-f]{4,})\*/\s+(.*?)\s*;?\s*/\* 0x([0-9a-f]{16}) \*/")
SECOND = re.compile(r"^\s*/\* 0x([0-9a-f]{16}) \*/")
GUARD = re.compile(r"^@(!?)(U?P(?:\d|T))\s+")
GOES = {"BRA", "BSSY", "CALL", "WARPSYNC"}  # of these several are kept: where they go is computed
HEAD = """// SPDX-License-Identifier: GPL-3.0-or-later
// Opcodes of machine code: the lower 12 bits of an instruction, the first architecture (90 for sm_90) that was seen with them,
// and their name without modifiers, as nvdisasm 13.0 names them. Made from listings of the kernels in tests/ptx,
// resources/ptx and tests/timing (FCHK, which checks a division's range: NVIDIA's "CUDA Binary Utilities" names it), compiled by
// ptxas 13.0 for sm_75, sm_80, sm_90a, sm_100a and sm_120a: resources/machine/opcodes.py FOLDER
"""
TABLE = os.path.join(ROOT, "gpu/machine/opcodes.inl")
LISTED = os.path.join(ROOT, "tests/machine/data/instructions.tsv")


def instructions(folder):
    """Architecture, place, text, lower and upper 64 bits of each."""
    for name in sorted(os.listdir(folder)):
        arch = re.search(r"\.?sm_(\d+)", name)
        if not name.endswith(".sass") or not arch:
            continue
        begun = None
        with open(os.path.join(folder, name), encoding="utf8", errors="replace") as lines:
            for line in lines:
                first, second = FIRST.match(line), SECOND.match(line)
                if first:
                    begun = (int(arch[1]), int(first[1], 16), first[2], int(first[3], 16))
                elif second and begun:
                    yield begun + (int(second[1], 16),)
                    begun = None


def kind_of(arch, low, text):
    guard = GUARD.match(text)
    mnemonic = text[guard.end() if guard else 0:].split()[0]
    name = mnemonic.split(".")[0]
    return name, (arch, low & 0xFFF, mnemonic if name in GOES else "", guard and guard[1])


def main(folder):
    names = collections.defaultdict(dict)  # [opcode][architecture]
    kept, seen = [], collections.Counter()
    with open(TABLE, encoding="utf8") as table:
        for opcode, arch, name in re.findall(r"OPCODE\((\w+), (\d+), (\w+)\)", table.read()):
            names[int(opcode, 16)][int(arch)] = name
    with open(LISTED, encoding="utf8") as listed:
        for line in listed:
            if not line.startswith("#"):
                arch, place, low, high, text = line.rstrip("\n").split("\t")
                kept.append((int(arch), int(place, 16), low, high, text))
                seen[kind_of(int(arch), int(low, 16), text)[1]] += 1
    for arch, place, text, low, high in instructions(folder):
        name, kind = kind_of(arch, low, text)
        if names[low & 0xFFF].setdefault(arch, name) != name:
            sys.exit(f"sm_{arch}: opcode {low & 0xFFF:#x} is {names[low & 0xFFF][arch]} and {name}")
        if seen[kind] < (6 if name in GOES else 1):
            seen[kind] += 1
            kept.append((arch, place, f"{low:016x}", f"{high:016x}", text))
    with open(TABLE, "w", encoding="utf8") as out:
        out.write(HEAD)
        for opcode in sorted(names):
            last = None
            for arch in sorted(names[opcode]):
                if names[opcode][arch] != last:
                    last = names[opcode][arch]
                    out.write(f"OPCODE(0x{opcode:03x}, {arch}, {last})\n")
    with open(LISTED, "w", encoding="utf8") as out:
        out.write("# architecture, place, bits 0 to 63, bits 64 to 127, what nvdisasm 13.0 says\n")
        for arch, place, low, high, text in sorted(kept):
            out.write(f"{arch}\t{place:x}\t{low}\t{high}\t{text}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
