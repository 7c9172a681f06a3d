#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The loop of a program that improves a kernel: try edits, keep the best, by `rank` and `why` alone.

    best_edits.py [WARPGLASS_RECORD [FOLDER [SIZE]]]

Of transpose.cu beside this file, over SIZE * SIZE numbers (1024, a multiple of 32); without a GPU. Each round ranks what there is with every edit that is left, and takes the
fastest as long as one is faster by more than the model's error; a wrong result is ranked last and never taken. `why` says of each step what it is good for.
The candidates are left in FOLDER, the best one as best.cu."""
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
N = int(sys.argv[3]) if len(sys.argv) > 3 else 1024
LAUNCH = ["--kernel", "transpose", "--grid", f"{N // 32}x{N // 32}", "--block", "32x8",
          "--arg", f"out:f32[{N * N}]=0", "--arg", f"in:f32[{N * N}]=iota", "--arg", f"n:i32={N}"]

WRITE = "out[(left + threadIdx.x) * n + top + j] = tile[j][threadIdx.x];"
EDITS = {  # name: what is replaced, by what; those that help are not marked
    "one barrier": ("        __syncthreads();\n    }", "    }\n    __syncthreads();"),
    "rows of 33": ("tile[32][32]", "tile[32][33]"),
    "write by rows": (WRITE, "out[(left + j) * n + top + threadIdx.x] = tile[threadIdx.x][j];"),
    "no barrier": ("        __syncthreads();\n", ""),
    "doubles": ("__shared__ float", "__shared__ double"),
    "volatile": ("__shared__ float", "__shared__ volatile float"),
    "a fence": ("    for (int j = threadIdx.y; j < 32; j += 8)\n", "    __threadfence();\n    for (int j = threadIdx.y; j < 32; j += 8)\n"),
    "read the neighbour": ("left + threadIdx.x];", "left + (threadIdx.x ^ 1)];"),
    "not unrolled": ("    for (int j = threadIdx.y; j < 32; j += 8)\n", "#pragma unroll 1\n    for (int j = threadIdx.y; j < 32; j += 8)\n"),
    "64-bit indices": ("(top + j) * n", "(long long)(top + j) * n"),
}


def ask(record, *words):
    done = subprocess.run([record, *words, "--json"], stdout=subprocess.PIPE, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words[:2])} ended with {done.returncode}")
    return json.loads(done.stdout)


def main():
    record = sys.argv[1] if len(sys.argv) > 1 else "warpglass-record"
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    text, taken, left = (HERE / "transpose.cu").read_text(), [], dict(EDITS)
    while True:
        candidates = {"as it is": text}
        for name, (old, new) in left.items():
            if old in text:
                candidates[name] = text.replace(old, new, 1)
        files = {}
        for name, source in candidates.items():
            path = folder / f"{len(taken)}-{name.replace(' ', '-')}.cu"
            path.write_text(source)
            files[str(path)] = name
        order = ask(record, "rank", *files, *LAUNCH)["order"]
        best, now = order[0], next(row for row in order if files[row["name"]] == "as it is")
        if best["duration_ns"] >= now["duration_ns"] or now["name"] in best["tied_with"]:
            break
        name = files[best["name"]]
        limit = ask(record, "why", next(f for f, n in files.items() if n == "as it is"), *LAUNCH)["limits"][0]
        print(f"{name}: {now['duration_ns']:.0f} -> {best['duration_ns']:.0f} ns. {limit['sentence']}")
        text = candidates[name]
        taken.append(name)
        del left[name]
    for row in order:
        if row["result"] != "ok":
            print(f"never taken: {files[row['name']]}: {row['why']}")
    (folder / "best.cu").write_text(text)
    print(f"best: {', '.join(taken)}; {folder / 'best.cu'}")


if __name__ == "__main__":
    main()
