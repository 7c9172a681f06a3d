#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes docs/conformance.md of tests/ptx/h200.tsv, the table that test_conformance wrote on an NVIDIA H200 or H100.

  page.py            writes the page
  page.py --check    ends with 1 if the page is not what the table makes

Why an answer of the hardware differs from what is expected is said in tests/ptx/h200_reasons.txt, "FILE: REASON" a line.
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PAGE = os.path.join(HERE, "..", "..", "docs", "conformance.md")
TABLE = os.path.join(HERE, "h200.tsv")
REASONS = os.path.join(HERE, "h200_reasons.txt")


END = """
This page is made by `tests/ptx/page.py` from the table that a run writes:

    WARPGLASS_CONFORMANCE_TABLE=tests/ptx/h200.tsv build/bin/test_conformance
    tests/ptx/page.py
"""


def rows():
    with open(TABLE, encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file][1:]
    return [dict(zip(("form", "file", "emulator", "gpu", "difference"), line)) for line in lines]


def reasons():
    if not os.path.exists(REASONS):
        return {}
    with open(REASONS, encoding="utf-8") as file:
        return dict(line.rstrip("\n").split(": ", 1) for line in file if ": " in line and not line.startswith("#"))


def count(table, column, word):
    return sum(row[column] == word for row in table)


def page():
    table, why = rows(), reasons()
    ran = [row for row in table if row["gpu"] in ("equal", "differs")]
    text = """# Conformance

Each instruction form has small kernels in `tests/ptx` with what goes in and what must come out, worked out by models that
share no code with the program, by hand, or taken from the hardware. `test_conformance` runs them on the emulator, in both
ways to reconverge, and on a GPU if there is one; results are compared bit by bit, but where the PTX ISA documents an error.
`tests/ptx/README.md` says how a file looks.

"""
    if not table:
        return text + "The table of a run waits to be made.\n" + END
    text += f"{len({row['form'] for row in table})} forms in {len(table)} files. The emulator gives what is expected in " \
            f"{count(table, 'emulator', 'equal')} of them"
    if ran:
        text += f", a GPU of compute capability 9.0 in {count(ran, 'gpu', 'equal')} of the {len(ran)} that it can run: an " \
                "NVIDIA H100 the last time, an H200 before, with the same answers.\n\n"
    else:
        text += "; the column of the H200 waits for a run there.\n\n"
    text += "| family | forms | files | emulator equal | H200 equal | H200 differs | not for the H200 |\n|---|---|---|---|---|---|---|\n"
    for family in sorted({row["file"].split("/")[0] for row in table}):
        part = [row for row in table if row["file"].split("/")[0] == family]
        equal, differs = count(part, "gpu", "equal"), count(part, "gpu", "differs")
        cells = [family, len({row["form"] for row in part}), len(part), count(part, "emulator", "equal")]
        cells += [equal, differs, len(part) - equal - differs] if ran else ["", "", ""]
        text += "| " + " | ".join(map(str, cells)) + " |\n"
    wrong = [row for row in table if "differs" in (row["emulator"], row["gpu"])]
    if wrong:
        text += "\n## Where they differ\n\n| file | what | why |\n|---|---|---|\n"
        for row in wrong:
            what = row["difference"].replace("|", "\\|")[:200]
            text += f"| {row['file']} | {what} | {why.get(row['file'], 'not explained yet')} |\n"
    left = [row for row in table if row["gpu"].startswith(("needs", "left open"))]
    if left:
        text += "\n## What an H200 does not run\n\n| file | why |\n|---|---|\n"
        text += "".join(f"| {row['file']} | {row['gpu']} |\n" for row in left)
    return text + END


def main():
    made = page()
    if "--check" in sys.argv[1:]:
        with open(PAGE, encoding="utf-8") as file:
            if file.read() != made:
                print("docs/conformance.md is not what tests/ptx/h200.tsv makes: run tests/ptx/page.py")
                return 1
        return 0
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(made)
    return 0


if __name__ == "__main__":
    sys.exit(main())
