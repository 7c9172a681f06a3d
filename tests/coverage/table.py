#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests run of each folder, and the files of which they run least, from gcovr's summary.

    table.py SUMMARY.json [--markdown] [--worst N]
"""
import argparse
import json
from collections import defaultdict


def folder_of(name):
    """app/window/export/film.cpp belongs to app/window/export, gpu/emulator/ops/arith.cpp to gpu/emulator."""
    parts = name.split("/")[:-1]
    deep = 3 if parts[:2] == ["app", "window"] else 2
    return "/".join(parts[:deep])


def percent(run, lines):
    return 100.0 * run / lines if lines else 100.0


def table(rows, markdown):
    head = ("folder", "lines", "run", "not run", "percent")
    if markdown:
        out = ["| " + " | ".join(head) + " |", "|---|---:|---:|---:|---:|"]
        return out + ["| " + " | ".join(row) + " |" for row in rows]
    widths = [max(len(row[n]) for row in [head] + rows) for n in range(len(head))]
    return ["  ".join(c.ljust(w) if n == 0 else c.rjust(w) for n, (c, w) in enumerate(zip(row, widths)))
            for row in [head] + rows]


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("summary")
    arguments.add_argument("--markdown", action="store_true")
    arguments.add_argument("--worst", type=int, default=20, metavar="N", help="files with the most lines not run")
    given = arguments.parse_args()
    with open(given.summary, encoding="utf-8") as file:
        files = {f["filename"]: (f["line_total"], f["line_covered"]) for f in json.load(file)["files"]}

    folders = defaultdict(lambda: [0, 0])
    for name, counts in files.items():
        for key in (folder_of(name), "all"):
            folders[key][0] += counts[0]
            folders[key][1] += counts[1]
    everything = folders.pop("all", [0, 0])
    rows = [(name, str(lines), str(run), str(lines - run), f"{percent(run, lines):.1f}")
            for name, (lines, run) in [*sorted(folders.items()), ("all", everything)]]
    print("\n".join(table(rows, given.markdown)))

    if given.worst:
        print()
        worst = sorted(files.items(), key=lambda item: item[1][1] - item[1][0])[:given.worst]
        for name, (lines, run) in worst:
            print(f"{lines - run:5d} of {lines:5d} lines not run ({percent(run, lines):5.1f} % are): {name}")


if __name__ == "__main__":
    main()
