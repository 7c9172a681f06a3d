#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the machine code of the catalogue's kernels for sm_90, which the program ships: resources/machine/MODE/NAME.cubin.zst.

    ship.py build/bin/warpglass-record        of each PTX text in resources/ptx; needs ptxas and zstd

To be run again whenever resources/ptx/compile.py has changed a text: a test holds the lines that the code names against the
text, and its registers against resources/ptx/registers.json.
"""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PTX = os.path.join(os.path.dirname(HERE), "ptx")


def arch(path):
    """What an instruction asks for may be of one architecture alone."""
    with open(path, encoding="utf-8") as file:
        return "sm_90a" if ".target sm_90a" in file.read() else "sm_90"


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    record, whole = os.path.abspath(sys.argv[1]), 0
    for mode in ("optimised", "as-written"):
        os.makedirs(os.path.join(HERE, mode), exist_ok=True)
        for name in sorted(os.listdir(os.path.join(PTX, mode))):
            text = os.path.join(PTX, mode, name)
            out = os.path.join(HERE, mode, name[:-len(".ptx")] + ".cubin.zst")
            with tempfile.TemporaryDirectory() as folder:
                cubin = os.path.join(folder, "code.cubin")
                subprocess.run([record, "sass", text, "--arch", arch(text), "-o", cubin], check=True)
                subprocess.run(["zstd", "--quiet", "--force", "-19", cubin, "-o", out], check=True)
            whole += os.path.getsize(out)
            print(f"{os.path.getsize(out):8} {os.path.relpath(out, HERE)}")
    print(f"{whole:8} bytes together")
    return 0


if __name__ == "__main__":
    sys.exit(main())
