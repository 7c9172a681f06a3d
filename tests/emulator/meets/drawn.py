#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernels drawn at random to see where their lanes meet, and what a GPU's counters say of them.

  drawn.py draw SEED COUNT > k.cu          nested conditions, loops, switches, jumps out, early ends, calls
  drawn.py counts k.cu NCU.csv SASS.json   k.tsv: kernel, seed, PTX line of a branch, times it was executed by warps, lanes

The second takes the source page that Nsight Compute prints and what `warpglass-record sass k.cubin --json` says of the same code:

  nvcc -arch=sm_90 -lineinfo -cubin -o k.cubin k.cu && nvcc -arch=sm_90 -lineinfo -o k k.cu
  ncu --metrics inst_executed,thread_inst_executed -o k ./k
  ncu --import k.ncu-rep --csv --page source --print-source sass > k.csv

Branches that the compiler has copied, or moved to another line, are left out.
"""
import csv
import json
import random
import re
import sys

HEAD = """\
#include <cstdio>
#include <vector>
__device__ __noinline__ unsigned part0(const unsigned* in, unsigned x, unsigned y) { unsigned s = x; \
for (unsigned i = 0; i < (y & 3); ++i) s += in[(s + i) & 127]; return s; }
__device__ __noinline__ unsigned part1(const unsigned* in, unsigned x, unsigned y) { if (x & 1) return in[y & 127] * 3u; \
if (y & 2) return x ^ 77u; return in[x & 127]; }
__device__ __noinline__ unsigned part2(const unsigned* in, unsigned x, unsigned y) { for (unsigned k = 0; k < 9 && (x & 12); ++k) \
{ x = x * 5u + (y & 3); if (x & 64) break; x >>= 1; } return x; }
__device__ __forceinline__ unsigned mix(unsigned x) { x ^= x >> 7; return x * 2654435761u >> 13; }"""
MAIN = """\
int main() {
    std::vector<unsigned> in(128); unsigned x = 12345; for (auto& v : in) { x = x * 1664525u + 1013904223u; v = x >> 6; }
    unsigned *d, *o; cudaMalloc(&d, 512); cudaMalloc(&o, 8192); cudaMemcpy(d, in.data(), 512, cudaMemcpyHostToDevice);"""


class Kernel:
    def __init__(self, rng, calls):
        self.rng, self.calls, self.lines, self.depth, self.loops = rng, calls, [], 1, 0
        self.budget = rng.randint(2, 10)

    def put(self, text):
        self.lines.append("    " * self.depth + text)

    def value(self):
        return self.rng.choice(["a", "b", "c", "t", "(a >> 3)", "(b >> 5)", "(a ^ c)", "(b + t)", "acc", "(acc >> 2)"])

    def condition(self, deep=0):
        r = self.rng
        kind = r.random()
        if deep < 2 and kind < .22:
            return f"({self.condition(deep + 1)} {r.choice(['&&', '||'])} {self.condition(deep + 1)})"
        if kind < .5:
            return f"({self.value()} & {r.choice([1, 2, 3, 4, 7, 12])}) {r.choice(['==', '!='])} {r.choice([0, 1, 2])}"
        if kind < .7:
            return f"({self.value()} & {r.choice([15, 31, 63])}) {r.choice(['<', '>'])} {r.randint(1, 24)}u"
        if kind < .8:
            return f"t % {r.choice([2, 3, 4, 5, 8])} {r.choice(['==', '!='])} {r.randint(0, 1)}"
        if kind < .9:
            return f"threadIdx.x {r.choice(['<', '>='])} {r.randint(1, 60)}"
        return f"mix({self.value()}) & {r.choice([1, 2, 4])}" if self.calls else f"{self.value()} & 8"

    def work(self):
        r = self.rng
        kind = r.random()
        if kind < .3:
            self.put(f"acc += {self.value()} * {r.randint(3, 99)}u;")
        elif kind < .45:
            self.put(f"acc ^= in[(acc + {r.randint(0, 9)}u) & 127];")
        elif kind < .6:
            self.put(f"out[t * 8 + {r.randint(0, 6)}] = acc;")
        elif kind < .7:
            self.put(f"atomicAdd(&out[{r.randint(2000, 2040)}], acc & 7);")
        elif kind < .78:
            self.put(f"b = b * {r.choice([5, 9, 13])}u + a;")
        elif kind < .86:
            self.put(f"a ^= acc >> {r.randint(1, 9)};")
        elif kind < .93 and self.calls:
            self.put(f"acc += part{r.randint(0, 2)}(in, acc, {self.value()});")
        else:
            self.put(f"c += acc & {r.choice([3, 7, 255])};")

    def block(self, most=4):
        for _ in range(self.rng.randint(1, most)):
            self.statement()

    def inside(self, fill):
        self.depth += 1
        fill()
        self.depth -= 1

    def statement(self):
        r = self.rng
        if self.budget <= 0 or self.depth > 5:
            return self.work()
        kind = r.random()
        if kind < .3:
            return self.work()
        self.budget -= 1
        if kind < .52:
            self.put(f"if ({self.condition()}) {{")
            self.inside(self.block)
            if r.random() < .5:
                self.put("} else {")
                self.inside(self.block)
            self.put("}")
        elif kind < .72 and self.loops < 2:
            self.loop()
        elif kind < .82 and self.loops:
            self.put(f"if ({self.condition()}) {r.choice(['break', 'break', 'continue'])};")
        elif kind < .87:
            self.put(f"if ({self.condition()}) {{")
            self.inside(self.leave)
            self.put("}")
        elif kind < .95:
            self.switch()
        elif self.calls:
            self.put(f"acc = {self.condition()} ? part{r.randint(0, 2)}(in, acc, a) : acc + {self.value()};")
        else:
            self.put(f"acc = {self.condition()} ? acc * 3u : acc + {self.value()};")

    def leave(self):
        self.work()
        self.put("out[t * 8 + 7] = acc;")
        self.put("return;")

    def loop(self):
        r = self.rng
        i, kind = f"i{len(self.lines)}", r.random()
        if kind < .5:
            self.put(f"for (unsigned {i} = 0; {i} < ({self.value()} & {r.choice([3, 7])}) + {r.randint(0, 2)}u; ++{i}) {{")
        elif kind < .75:
            self.put(f"for (unsigned {i} = {self.value()} & 15; {i} != 0; {i} >>= 1) {{")
        elif kind < .9:
            self.put(f"for (unsigned {i} = 0; {i} < {r.randint(3, 9)}u; ++{i}) {{")
        else:
            self.put(f"unsigned {i} = {r.randint(2, 6)}u; do {{")
        self.loops += 1
        self.inside(self.block)
        self.loops -= 1
        self.put("}" if kind < .9 else f"}} while (--{i} != 0 && {self.condition()});")

    def switch(self):
        r = self.rng
        self.put(f"switch ({self.value()} & {r.choice([3, 7])}) {{")
        for case in range(r.randint(2, 5)):
            self.put(f"case {case}:")
            self.inside(self.block)
            if r.random() < .75:
                self.inside(lambda: self.put("break;"))
        if r.random() < .6:
            self.put("default:")
            self.inside(self.block)
        self.put("}")

    def text(self, name):
        self.block(6)
        while self.budget > 3:
            self.block(6)
        return "\n".join([f'extern "C" __global__ void {name}(const unsigned* in, unsigned* out, unsigned seed)', "{",
                          "    const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;",
                          "    unsigned a = in[t & 127] ^ seed, b = in[(t + 7) & 127] >> 4, c = t, acc = a;"] + self.lines +
                         ["    out[t * 8 + 7] = acc + a + b + c;", "}"])


def draw(seed, count):
    names = [f"d{i:03d}" for i in range(count)]
    print(HEAD)
    for i, name in enumerate(names):
        print(Kernel(random.Random(f"{seed}/{i}"), i % 3 == 0).text(name))
    print(MAIN)
    for name in names:
        print(f"    cudaMemset(o, 0, 8192); {name}<<<2, 64>>>(d, o, {random.Random(name).randint(0, 255)}u); "
              f"if (auto e = cudaDeviceSynchronize()) {{ printf(\"{name} %s\\n\", cudaGetErrorString(e)); return 1; }}")
    print('    puts("done");\n}')


def counts(source, counted, listed):
    with open(source, encoding="utf-8") as file:
        seeds = dict(re.findall(r"(\w+)<<<2, 64>>>\(d, o, (\d+)u\)", file.read()))
    with open(listed, encoding="utf-8") as file:
        code = {f["name"]: f["instructions"] for f in json.load(file)["functions"]}
    rows, kernel = {}, None
    with open(counted, encoding="utf-8") as file:
        for row in csv.reader(file):
            if row and row[0] == "Kernel Name":
                kernel = rows.setdefault(row[1], [])
            elif row and row[0].startswith("0x"):
                kernel.append((row[1].split(), row[2], row[3]))
    print("kernel\tseed\tline\texecutions\tlanes")
    for name, instructions in code.items():
        if name not in rows or name not in seeds:
            continue
        at = {}
        for instruction, (words, executions, lanes) in zip(instructions, rows[name]):
            opcode = next(word for word in words if not word.startswith("@"))
            if opcode.split(".")[0] != instruction["opcode"].split(".")[0]:
                sys.exit(f"{name}: {opcode} is counted where {instruction['opcode']} stands")
            if instruction["opcode"] == "BRA" and words[0].startswith("@") and ".DIV" not in opcode:
                at.setdefault(instruction.get("ptx"), []).append((executions, lanes))
        for line, found in sorted(at.items()):
            if len(found) == 1:
                print(name, seeds[name], line, *found[0], sep="\t")


if __name__ == "__main__":
    if sys.argv[1:2] == ["draw"] and len(sys.argv) == 4:
        draw(sys.argv[2], int(sys.argv[3]))
    elif sys.argv[1:2] == ["counts"] and len(sys.argv) == 5:
        counts(*sys.argv[2:])
    else:
        sys.exit(__doc__)
