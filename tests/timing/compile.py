#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiles the microbenchmarks of tests/timing/kernels, and the kernels that the timing model has not seen
(tests/model/kernels), to PTX beside them, and writes down the registers that ptxas gives the kernels of tests.

  compile.py          writes NAME.ptx for each NAME.cu
  compile.py --check  compiles anew and compares; exit status 1 if a file differs, 77 if it cannot be told (no nvcc, or
                      another version than the committed files were made with)
"""

import importlib.util
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDERS = [os.path.join(ROOT, "tests", room, "kernels") for room in ("timing", "model")]

spec = importlib.util.spec_from_file_location("compile_kernels", os.path.join(ROOT, "resources", "ptx", "compile.py"))
kernels = importlib.util.module_from_spec(spec)
spec.loader.exec_module(kernels)

# Kernels whose registers are compared with the estimate: tests/ptx/register_estimate_test.cpp.
COUNTED = ["tests/model/kernels/looked_at.ptx", "tests/model/kernels/kept_aside.ptx", "tests/own_kernels/own_kernels_75.ptx",
           "tests/own_kernels/own_matrix_80.ptx", "tests/own_kernels/own_waiting_75.ptx"]


def count_registers():
    ptxas = kernels.tool("ptxas")
    if not ptxas:
        return
    counts = {}
    for path in COUNTED:
        unit = "nested" if "own_kernels_" in path else path  # it launches from the device, too
        table = kernels.registers(ptxas, os.path.join(ROOT, path), unit, "optimised")
        counts[path] = {entry: row["registers"] for entry, row in table.items()}
    with open(os.path.join(ROOT, "tests", "ptx", "registers.json"), "w") as file:
        json.dump(counts, file, indent=1, sort_keys=True)
        file.write("\n")


def main():
    check = "--check" in sys.argv[1:]
    nvcc = kernels.tool("nvcc")
    if not nvcc:
        print("no nvcc here: nothing was compiled")
        return 77 if check else 1
    wrong = []
    for place, name in sorted((d, f[:-3]) for d in FOLDERS for f in os.listdir(d) if f.endswith(".cu")):
        path = os.path.join(place, name + ".ptx")
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "out.ptx")
            subprocess.run([nvcc, "-ptx", f"-arch={kernels.TARGET}", "-O3", name + ".cu", "-o", out], cwd=place, check=True)
            with open(out) as file:
                text = file.read()
        if not check:
            with open(path, "w") as file:
                file.write(text)
            continue
        old = kernels.read(path)
        if old is not None and kernels.version(old) != kernels.version(text):
            print(f"the committed PTX is of nvcc {kernels.version(old)}, here is {kernels.version(text)}: not compared")
            return 77
        if old != text:
            wrong.append(name)
    if not check:
        count_registers()
    for name in wrong:
        print(f"{name}.ptx is not what {name}.cu gives: run tests/timing/compile.py and commit")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
