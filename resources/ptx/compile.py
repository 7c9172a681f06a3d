#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiles gpu/kernels/*.cu into resources/ptx, in both compile modes.

  compile.py            writes optimised/NAME.ptx, as-written/NAME.ptx and registers.json
  compile.py --check    compiles anew and compares with what is there; exit status 1 if a file differs, 77 if it cannot
                        be told (no nvcc, or another version than the committed files were made with)
  compile.py NAME...    only these

as-written is nvcc -G, which keeps every branch of the source. Its debug sections hold the paths of the machine that
compiled; they are replaced by the smallest that ptxas takes for a module marked as debug. Line tables (.loc, .file) stay.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
KERNELS = "gpu/kernels"
TARGET = "compute_75"
TARGETS = {"pipeline": "compute_80", "warpgroup": "compute_90a"}  # what their instructions ask for
MODES = {
    "optimised": (["-O3", "-lineinfo"], []),
    "as-written": (["-G"], ["-g", "--dont-merge-basicblocks", "--return-at-end"]),
}
NESTED = {"nested"}  # device-side launches need relocatable code

# One compile unit without children: producer "nvcc", language C++, name "kernel".
DEBUG_STUB = """\t.section\t.debug_abbrev
\t{
.b8 1, 17, 0, 37, 8, 19, 5, 3, 8, 16, 6, 0, 0, 0
\t}
\t.section\t.debug_info
\t{
.b32 26
.b8 2, 0
.b32 .debug_abbrev
.b8 8, 1, 110, 118, 99, 99, 0, 4, 0, 107, 101, 114, 110, 101, 108, 0
.b32 .debug_line
\t}
"""


def tool(name):
    found = shutil.which(name)
    if found:
        return found
    home = os.environ.get("CUDA_HOME", "/usr/local/cuda")
    path = os.path.join(home, "bin", name)
    return path if os.path.exists(path) else None


def without_hash(name):
    """The compiler puts hashes of the machine's path into the names of static functions and unnamed namespaces."""
    name = re.sub(r"_INTERNAL_[0-9a-f]{8}_", "_INTERNAL_00000000_", name)
    return re.sub(r"_GLOBAL__N__[0-9a-f]{8}_", "_GLOBAL__N__00000000_", name)


def clean_string(lines):
    """The same for a string written as numbers: one run of .b8 lines."""
    numbers = [int(n) for line in re.findall(r"^\.b8 (.*)$", lines.group(0), re.M) for n in line.split(",")]
    string = without_hash(bytes(numbers).decode("latin-1")).encode("latin-1")
    return "".join(".b8 " + ",".join(str(b) for b in string[i : i + 40]) + "\n" for i in range(0, len(string), 40))


def clean(text, mode):
    """PTX without anything of the machine that made it."""
    text = re.sub(r'(\.file\s+\d+\s+")[^"]*?/(gpu/kernels/[^"]+")', r"\1\2", text)
    text = re.sub(r'(\.file\s+\d+\s+")[^"]*/include/([^"]+")', r"\1include/\2", text)
    text = without_hash(text)
    if mode == "as-written":
        start = re.search(r"^\t\.section\s", text, re.M)
        if start:
            text = text[: start.start()] + DEBUG_STUB
    elif (start := text.find(".debug_str")) >= 0:
        text = text[:start] + re.sub(r"(^\.b8 [0-9,]+\n)+", clean_string, text[start:], flags=re.M)
    return text


def version(text):
    """The compiler that wrote a PTX file, as its head says."""
    found = re.search(r"release (\d+\.\d+)", text)
    return found.group(1) if found else ""


def compile_one(nvcc, name, mode):
    flags = ["-rdc=true"] if name in NESTED else []
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.ptx")
        command = [nvcc, "-ptx", f"-arch={TARGETS.get(name, TARGET)}", *MODES[mode][0], *flags, f"{KERNELS}/{name}.cu", "-o", out]
        subprocess.run(command, cwd=ROOT, check=True)
        with open(out) as file:
            return clean(file.read(), mode)


def registers(ptxas, path, name, mode):
    """{entry: {registers, shared, local, spill_stores, spill_loads}} for compute capability 9.0."""
    with tempfile.TemporaryDirectory() as folder:
        whole = ["-c"] if name in NESTED else []
        target = "sm_90a" if TARGETS.get(name) == "compute_90a" else "sm_90"
        command = [ptxas, f"-arch={target}", "-v", *MODES[mode][1], *whole, path, "-o", os.path.join(folder, "out")]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            sys.exit(f"{path}: ptxas says: {done.stdout}")
        lines = done.stdout.splitlines()
    table, entry, row = {}, None, {}
    for line in lines:
        if found := re.search(r"Compiling entry function '(\S+)'", line):
            entry, row = found.group(1), {}
        elif found := re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", line):
            if entry:
                row.update(local=int(found.group(1)), spill_stores=int(found.group(2)), spill_loads=int(found.group(3)))
        elif (found := re.search(r"Used (\d+) registers", line)) and entry:
            shared = re.search(r"(\d+) bytes smem", line)
            row.update(registers=int(found.group(1)), shared=int(shared.group(1)) if shared else 0)
            table[entry] = row
            entry = None
    return table


def read(path):
    try:
        with open(path) as file:
            return file.read()
    except OSError:
        return None


def main():
    arguments = sys.argv[1:]
    check = "--check" in arguments
    sources = sorted(f[:-3] for f in os.listdir(os.path.join(ROOT, KERNELS)) if f.endswith(".cu"))
    names = [a for a in arguments if not a.startswith("-")] or sources
    nvcc, ptxas = tool("nvcc"), tool("ptxas")
    if not nvcc or not ptxas:
        print("no nvcc here: nothing was compiled")
        return 77 if check else 1
    wrong = []
    table_path = os.path.join(HERE, "registers.json")
    table = json.loads(read(table_path) or "{}")
    for mode in MODES:
        for name in names:
            path = os.path.join(HERE, mode, name + ".ptx")
            text = compile_one(nvcc, name, mode)
            if check:
                old = read(path)
                if old is not None and version(old) != version(text):
                    print(f"the committed PTX is of nvcc {version(old)}, here is {version(text)}: not compared")
                    return 77
                if old != text:
                    wrong.append(f"{mode}/{name}.ptx")
                continue
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as file:
                file.write(text)
            table.setdefault(mode, {})[name] = registers(ptxas, path, name, mode)
    if check:
        for name in wrong:
            print(f"{name} is not what gpu/kernels gives: run resources/ptx/compile.py and commit")
        return 1 if wrong else 0
    for mode in table:
        table[mode] = {name: table[mode][name] for name in sorted(table[mode]) if name in sources}
    with open(table_path, "w") as file:
        json.dump(table, file, indent=1, sort_keys=True)
        file.write("\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
