#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""page_test.py TABLE PAGE: what the table's program writes into a copy of docs/speed.md, from figures made up here."""
import json
import os
import shutil
import subprocess
import sys
import tempfile

table, page = sys.argv[1:]
BEGIN, END = "<!-- ./dev bench writes from here -->\n", "<!-- to here -->\n"


def run(folder, name):
    return subprocess.run([table, os.path.join(folder, "out.json"), "--page", os.path.join(folder, name),
                           os.path.join(folder, "in.json")], capture_output=True, text=True)


with tempfile.TemporaryDirectory() as folder:
    copy = os.path.join(folder, "speed.md")
    shutil.copy(page, copy)
    figure = "emulator_f64_warp_inst_per_s"  # must reach 60 M
    runs = [{"run_type": "iteration", figure: value, "real_time": 1.0} for value in (70e6, 59.5e6, 12e6)]
    runs.append({"run_type": "iteration", "event_bytes_disk": 2.05})  # must not exceed 3.1
    with open(os.path.join(folder, "in.json"), "w", encoding="utf-8") as file:
        json.dump({"benchmarks": runs}, file)
    for _ in range(2):  # the second time instead of the first
        done = run(folder, "speed.md")
        assert done.returncode == 0, done.stderr
    with open(page, encoding="utf-8") as file:
        before = file.read()
    with open(copy, encoding="utf-8") as file:
        after = file.read()
    # Of 70, 59.5 and 12 M the median is 59.5.
    assert f"| `{figure}` | 59.5 M | 1/s | 60 M | no |\n" in after, after
    assert "| `event_bytes_disk` | 2.05 | B | 3.1 | yes |\n" in after, after
    assert "real_time" not in after and after.count("| figure |") == 1, after
    assert before.split(BEGIN)[0] == after.split(BEGIN)[0] and before.split(END)[1] == after.split(END)[1]
    with open(os.path.join(folder, "bare.md"), "w", encoding="utf-8") as file:
        file.write("# No place for figures\n")
    done = run(folder, "bare.md")
    assert done.returncode == 2 and "bare.md" in done.stderr, done
