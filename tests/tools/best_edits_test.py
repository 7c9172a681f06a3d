# SPDX-License-Identifier: GPL-3.0-or-later
"""The loop of docs/expect.md: of ten edits of a transpose it takes the three that help, by `rank` and `why` alone.

What they are, from the programming guide and not from the model: rows of the result written side by side (a warp's store
touches 4 sectors and not 32), rows of 33 in shared memory (a column lies in 32 banks and not in one), one barrier in place of
four. An H200 agrees (docs/expect.md)."""
import os

from common import RECORD, SOURCE, equal, needs_nvcc, run, scratch

import sys


def main():
    needs_nvcc()
    with scratch() as folder:
        script = os.path.join(SOURCE, "resources", "examples", "rank", "best_edits.py")
        said = run(sys.executable, script, RECORD, folder, "512").stdout
        best = [line for line in said.splitlines() if line.startswith("best: ")]
        equal(len(best), 1, said)
        equal(set(best[0][len("best: "):].split("; ")[0].split(", ")), {"write by rows", "rows of 33", "one barrier"}, said)
        assert "never taken: read the neighbour: out[0] is 1, and 0 with " in said, said
        with open(os.path.join(folder, "best.cu"), encoding="utf-8") as file:
            text = file.read()
        equal(text.count("__syncthreads()"), 1, text)


main()
