# SPDX-License-Identifier: GPL-3.0-or-later
"""wgmma: matrices in shared memory in each layout that a descriptor can name ("Matrix descriptor", "Shared memory matrix
layout" of the PTX ISA), a from registers too, and sparse. Four warps; what shared memory holds is given as it lies there.
"""
import random

from files import In, Out, file
from matrix_layouts import BITS, a_of, clamp, drawn, encode, metadata, product, scattered, wrap

MODEL = "matrix_async"
FOLDER = "matrix/"
WIDTH = {0: 0, 1: 128, 2: 64, 3: 32}


def swizzled(width, row, byte):
    """Where the byte of a row of `width` bytes lies, from the start of the rows: sixteen bytes change places."""
    piece = byte // 16
    piece ^= {128: row % 8, 64: row // 2 % 4, 32: row // 4 % 2}[width]
    return row * width + piece * 16 + byte % 16


def along_k(matrix, type_, mode, at=0):
    """rows x k (b: transposed), K-major -> (bytes by place, leading, stride, size). at: bytes of k before it in the pattern."""
    bits, width = BITS[type_], WIDTH[mode]
    rows, placed = len(matrix), {}
    for r, line in enumerate(matrix):
        whole = sum(encode(v, type_) << (bits * j) for j, v in enumerate(line))
        for byte in range(len(line) * bits // 8):
            if width == 0:  # eight rows of sixteen bytes are one piece; all of a half of k, then the other
                place = byte // 16 * (rows // 8 * 128) + r // 8 * 128 + r % 8 * 16 + byte % 16
            else:
                place = swizzled(width, r, byte + at)
            placed[place] = whole >> (8 * byte) & 255
    if width == 0:
        return placed, rows // 8 * 128, 128, rows * len(matrix[0]) * bits // 8
    return placed, 16, 8 * width, rows * width


def along_rows(matrix, type_, mode):
    """rows x k, turned: for each k, pieces along the rows."""
    width = WIDTH[mode]
    rows, k, placed = len(matrix), len(matrix[0]), {}
    for r in range(rows):
        for j in range(k):
            bits = encode(matrix[r][j], type_)
            for part in range(2):
                byte = 2 * r + part
                if width == 0:  # a piece is eight k of eight rows
                    place = byte // 16 * 128 + j // 8 * (rows // 8 * 128) + j % 8 * 16 + byte % 16
                else:
                    place = byte // width * (k * width) + swizzled(width, j, byte % width)
                placed[place] = bits >> (8 * part) & 255
    if width == 0:
        return placed, rows // 8 * 128, 128, rows * k * 2
    return placed, k * width, 8 * width, rows * k * 2


def words(placed, size):
    image = [0] * ((size + 1023) // 1024 * 1024)
    for place, byte in placed.items():
        image[place] = byte
    return [int.from_bytes(bytes(image[k:k + 4]), "little") for k in range(0, len(image), 4)]


def d_of(lane, i):
    """Of a thread of the four warps."""
    return 16 * (lane // 32) + lane % 32 // 4 + (8 if i // 2 % 2 else 0), 8 * (i // 4) + 2 * (lane % 4) + i % 2


def in_registers(matrix, type_, cells):
    each = 32 // BITS[type_]
    count = len(cells[0]) // each
    return [sum(encode(matrix[r][c], type_) << (BITS[type_] * j)
                for j, (r, c) in enumerate(cells[lane][reg * each:(reg + 1) * each]))
            for reg in range(count) for lane in range(128)]


def wgmma(n, d_type, a_type, b_type, name, modes=(0, 0), turned=(0, 0), registers=False, scale_d=True, signs=(1, 1),
          word="", advance=0, largest=None, selector=None):
    """selector: of sparse products; None: dense."""
    bits, sparse = BITS[a_type], selector is not None
    k = (512 if sparse else 256) // bits
    sp = ".sp" if sparse else ""
    form = f"wgmma.mma_async{sp}.sync.aligned.m64n{n}k{k}.{d_type}.{a_type}.{b_type}{word}"
    if word == ".satfinite":
        form = f"wgmma.mma_async{sp}.sync.aligned.m64n{n}k{k}.satfinite.{d_type}.{a_type}.{b_type}"
    seed = form + name
    stored = k // 2 if sparse else k  # columns of a
    a, b = drawn(seed + "a", 64, stored, a_type, largest), drawn(seed + "b", k, n, b_type, largest)
    c = drawn(seed + "c", 64, n, d_type)
    if word == ".satfinite":
        c = [[(1 << 31) - 1 - v % 99 if (i + j) % 2 else -(1 << 31) + v % 99 for j, v in enumerate(line)]
             for i, line in enumerate(c)]
    full, rows = scattered(random.Random(seed), a, k, a_type) if sparse else (a, None)
    sign = signs[0] * signs[1]
    start = c if scale_d else [[0] * n for _ in range(64)]
    if a_type == "b1":
        d = [[start[i][j] + sum(a[i][q] & b[q][j] for q in range(k)) for j in range(n)] for i in range(64)]
    else:
        d = product([[sign * v for v in line] for line in full], b, start)
    if d_type == "s32":
        d = [[clamp(v) if word == ".satfinite" else wrap(v) for v in line] for line in d]

    columns = [list(column) for column in zip(*b)]
    images, leading, stride = {}, {}, {}
    for index, (key, matrix, type_) in enumerate((("a", a, a_type), ("b", columns, b_type))):
        placed, leading[key], stride[key], size = (
            along_rows(matrix, type_, modes[index]) if turned[index] else along_k(matrix, type_, modes[index], advance))
        images[key] = words(placed, size)
    if registers:
        warp_cells = [[(16 * (lane // 32) + r, col) for r, col in
                       (a_of(16, stored, bits, lane % 32, i) for i in range(16 * stored // 32))] for lane in range(128)]
        images["a"] = in_registers(a, a_type, warp_cells)
    d_cells = [[d_of(lane, i) for i in range(n // 2)] for lane in range(128)]
    c_words, d_words = in_registers(c, d_type, d_cells), in_registers(d, d_type, d_cells)

    count = len(d_words) // 128
    a_bytes = 0 if registers else 4 * len(images["a"])
    lines = [f".shared .align 1024 .b8 s[{a_bytes + 4 * len(images['b'])}];", ".reg .u32 %t, %u, %w, %s, %i;",
             ".reg .u64 %p, %o, %q, %da, %db;", ".reg .pred %more, %add;", f".reg .b32 %d<{count}>;",
             ".reg .b32 %a<4>;", "mov.u32 %t, %tid.x;", "mul.wide.u32 %o, %t, 4;", "mov.u32 %s, s;"]
    offset = 0
    for key in "ab":
        lines += [f"ld.param.u64 %p, [{key}];", "add.u64 %p, %p, %o;"]
        if key == "a" and registers:
            lines += [f"ld.global.b32 %a{r}, [%p+{512 * r}];" for r in range(4)]
            continue
        lines += ["mov.u32 %i, %t;", f"copy_{key}:", "ld.global.b32 %w, [%p];", "shl.b32 %u, %i, 2;",
                  "add.u32 %u, %u, %s;", f"st.shared.b32 [%u+{offset}], %w;", "add.u64 %p, %p, 512;",
                  "add.u32 %i, %i, 128;", f"setp.lt.u32 %more, %i, {len(images[key])};", f"@%more bra copy_{key};"]
        high = (leading[key] >> 4) << 16 | (stride[key] >> 4) << 32 | modes["ab".index(key)] << 62
        lines += [f"add.u32 %u, %s, {offset + advance};", "shr.u32 %u, %u, 4;", f"cvt.u64.u32 %d{key}, %u;",
                  f"or.b64 %d{key}, %d{key}, 0x{high:x};"]
        offset += 4 * len(images[key])
    lines += ["ld.param.u64 %p, [c];", "add.u64 %p, %p, %o;"]
    lines += [f"ld.global.b32 %d{r}, [%p+{512 * r}];" for r in range(count)]
    if sparse:
        lines += [".reg .b32 %e;", "ld.param.u64 %p, [e];", "add.u64 %p, %p, %o;", "ld.global.b32 %e, [%p];"]
    lines += ["fence.proxy.async;", "bar.sync 0;", f"setp.{'ge' if scale_d else 'lt'}.s32 %add, %t, 0;",
              "wgmma.fence.sync.aligned;"]
    first = "{%a0, %a1, %a2, %a3}" if registers else "%da"
    meta = f", %e, {selector}" if sparse else ""
    tail = "" if d_type == "s32" else f", {signs[0]}, {signs[1]}"
    if bits == 16:
        tail += f", {turned[1]}" if registers else f", {turned[0]}, {turned[1]}"
    lines += [f"{form} {{{', '.join(f'%d{r}' for r in range(count))}}}, {first}, %db{meta}, %add{tail};",
              "wgmma.commit_group.sync.aligned;", "wgmma.wait_group.sync.aligned 0;", "ld.param.u64 %p, [d];",
              "add.u64 %p, %p, %o;"]
    lines += [f"st.global.b32 [%p+{512 * r}], %d{r};" for r in range(count)] + ["ret;"]
    params = [In("a", "b32", images["a"]), In("b", "b32", images["b"]), In("c", "b32", c_words)]
    if sparse:
        params.append(In("e", "b32", [word for warp in range(4)
                                      for word in metadata(rows[16 * warp:16 * warp + 16], k, a_type, selector)]))
    params.append(Out("d", "b32", d_words))
    return f"{FOLDER}{form}{'.' + name if name else ''}.ptx", file(
        form, MODEL, params, "\n".join(lines), block="128", arch="sm_90a", version="8.7")


def files():
    for mode in range(4):
        width = WIDTH[mode] or "no"
        yield wgmma(16, "f32", "f16", "f16", f"swizzle_{width}", (mode, mode))
        yield wgmma(64, "f32", "bf16", "bf16", f"turned_swizzle_{width}", (mode, mode), (1, 1))
    yield wgmma(64, "f32", "f16", "f16", "turned_b", (1, 2), (0, 1))
    yield wgmma(8, "f16", "f16", "f16", "", (1, 1))
    yield wgmma(24, "f32", "bf16", "bf16", "", (2, 3))
    yield wgmma(16, "f32", "f16", "f16", "second_k", (1, 1), advance=32)
    yield wgmma(16, "f32", "f16", "f16", "not_added", (1, 1), scale_d=False)
    yield wgmma(16, "f32", "f16", "f16", "negative", (1, 1), signs=(-1, 1))
    yield wgmma(16, "f16", "f16", "f16", "both_negative", (1, 1), signs=(-1, -1))
    yield wgmma(32, "f32", "f16", "f16", "registers", (0, 1), registers=True)
    yield wgmma(32, "f32", "bf16", "bf16", "registers_turned", (0, 2), (0, 1), registers=True)
    yield wgmma(8, "f32", "tf32", "tf32", "", (1, 1))
    yield wgmma(16, "f32", "tf32", "tf32", "registers", (0, 3), registers=True)
    for a_type, b_type in (("e4m3", "e4m3"), ("e4m3", "e5m2"), ("e5m2", "e4m3"), ("e5m2", "e5m2")):
        yield wgmma(16, "f32", a_type, b_type, "", (1, 0), largest=2)
        yield wgmma(8, "f16", a_type, b_type, "", (3, 3), largest=2)
    yield wgmma(8, "f32", "e4m3", "e4m3", "registers", (0, 1), registers=True, largest=2)
    for a_type, b_type in (("s8", "s8"), ("s8", "u8"), ("u8", "s8"), ("u8", "u8")):
        yield wgmma(32, "s32", a_type, b_type, "", (1, 1))
    yield wgmma(16, "s32", "s8", "s8", "", (2, 2), word=".satfinite")
    yield wgmma(8, "s32", "u8", "s8", "registers", (0, 1), registers=True)
    yield wgmma(16, "s32", "b1", "b1", "", (1, 1), word=".and.popc")
    yield wgmma(8, "s32", "b1", "b1", "registers", (0, 0), registers=True, word=".and.popc")
    for mode in (0, 1, 2):
        yield wgmma(16, "f32", "f16", "f16", f"swizzle_{WIDTH[mode] or 'no'}", (3 if mode else 0, mode), selector=mode % 2)
        yield wgmma(64, "f32", "bf16", "bf16", f"turned_swizzle_{WIDTH[mode] or 'no'}", (mode, mode), (1, 1),
                    selector=1 - mode % 2)
    yield wgmma(8, "f16", "f16", "f16", "", (1, 1), selector=0)
    yield wgmma(32, "f32", "f16", "f16", "registers", (0, 1), signs=(-1, 1), registers=True, selector=1)
    yield wgmma(8, "f32", "tf32", "tf32", "", (2, 1), selector=0)
    yield wgmma(16, "f32", "tf32", "tf32", "registers", (0, 2), registers=True, scale_d=False, selector=1)
    for a_type, b_type in (("e4m3", "e4m3"), ("e4m3", "e5m2"), ("e5m2", "e4m3"), ("e5m2", "e5m2")):
        yield wgmma(16, "f32", a_type, b_type, "", (1, 0), largest=2, selector=0)
        yield wgmma(8, "f16", a_type, b_type, "", (3, 2), largest=2, selector=0)
    for a_type, b_type in (("s8", "s8"), ("s8", "u8"), ("u8", "s8"), ("u8", "u8")):
        yield wgmma(32, "s32", a_type, b_type, "", (1, 1), selector=0)
    yield wgmma(16, "s32", "s8", "s8", "", (2, 2), word=".satfinite", selector=0)
    yield wgmma(8, "s32", "u8", "s8", "registers", (0, 1), registers=True, selector=0)
    yield wgmma(144, "s32", "s8", "s8", "wide", (1, 1), selector=0)
