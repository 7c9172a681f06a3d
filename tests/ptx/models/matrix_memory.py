# SPDX-License-Identifier: GPL-3.0-or-later
"""ldmatrix, stmatrix, movmatrix, and wmma from memory to memory.

wmma's fragments are opaque: a file loads three matrices, multiplies and stores the fourth, in the layouts that its
instructions name; strides are longer than lines, and what lies between lines must stay as it is.
"""
import random
from fractions import Fraction

from files import In, Out, file
from matrix_layouts import BITS, clamp, drawn, encode, product, wrap

MODEL = "matrix_memory"
FOLDER = "matrix/"


def halves(seed, count):
    source = random.Random(seed)
    return [[source.randint(0, 65535) for _ in range(8)] for _ in range(count)]


def row_words(row):
    return [row[2 * w] | row[2 * w + 1] << 16 for w in range(4)]


def rows_file(form, count, trans, store, generic):
    """Lane l names row 8 * count - 1 - l: rows need not follow each other."""
    rows = halves(form, 8 * count)  # as they lie in memory
    named = [rows[8 * count - 1 - lane] for lane in range(8 * count)]
    words = []
    for matrix in range(count):
        for lane in range(32):
            r, c = lane // 4, 2 * (lane % 4)
            part = named[8 * matrix:8 * matrix + 8]
            low, high = (part[c][r], part[c + 1][r]) if trans else (part[r][c], part[r][c + 1])
            words.append(low | high << 16)
    memory = [w for row in rows for w in row_words(row)]
    lines = [f".shared .align 16 .b8 s[{128 * count}];", ".reg .u32 %t, %u, %w, %s;", ".reg .u64 %p, %o, %g;",
             f".reg .b32 %r<{count}>;", "mov.u32 %t, %tid.x;", "mul.wide.u32 %o, %t, 4;", "shl.b32 %u, %t, 2;",
             "mov.u32 %s, s;", "add.u32 %u, %u, %s;", "ld.param.u64 %p, [a];", "add.u64 %p, %p, %o;"]
    at = [f"and.b32 %t, %t, {8 * count - 1};", f"sub.u32 %t, {8 * count - 1}, %t;", "shl.b32 %t, %t, 4;",
          "add.u32 %s, %s, %t;"]
    where = "%s"
    if generic:
        at += ["cvt.u64.u32 %g, %s;", "cvta.shared.u64 %g, %g;"]
        where = "%g"
    braces = "{" + ", ".join(f"%r{k}" for k in range(count)) + "}"
    each = range(count)
    if store:
        lines += [f"ld.global.b32 %r{k}, [%p+{128 * k}];" for k in each] + at + [
            f"{form} [{where}], {braces};", "bar.warp.sync -1;"]
        tail = [f"ld.shared.b32 %r{k}, [%u+{128 * k}];" for k in each]
    else:
        for k in each:
            lines += [f"ld.global.b32 %w, [%p+{128 * k}];", f"st.shared.b32 [%u+{128 * k}], %w;"]
        lines += ["bar.warp.sync -1;"] + at + [f"{form} {braces}, [{where}];"]
        tail = []
    lines += tail + ["ld.param.u64 %p, [d];", "add.u64 %p, %p, %o;"]
    lines += [f"st.global.b32 [%p+{128 * k}], %r{k};" for k in each] + ["ret;"]
    a, d = (words, memory) if store else (memory, words)
    return FOLDER + form.replace("::", "_") + ".ptx", file(form, MODEL, [In("a", "b32", a), Out("d", "b32", d)], "\n".join(lines))


def movmatrix():
    form = "movmatrix.sync.aligned.m8n8.trans.b16"
    rows = halves(form, 8)
    before = [w for row in rows for w in row_words(row)]
    after = [w for row in [[rows[c][r] for c in range(8)] for r in range(8)] for w in row_words(row)]
    body = """.reg .u32 %t, %a, %d;
        .reg .u64 %p, %o;
        mov.u32 %t, %tid.x;
        mul.wide.u32 %o, %t, 4;
        ld.param.u64 %p, [a];
        add.u64 %p, %p, %o;
        ld.global.b32 %a, [%p];
        movmatrix.sync.aligned.m8n8.trans.b16 %d, %a;
        ld.param.u64 %p, [d];
        add.u64 %p, %p, %o;
        st.global.b32 [%p], %d;
        ret;"""
    return FOLDER + form + ".ptx", file(form, MODEL, [In("a", "b32", before), Out("d", "b32", after)], body)


def in_memory(matrix, type_, layout, stride):
    """Words of a matrix whose lines (rows or columns) begin `stride` elements apart."""
    lines = matrix if layout == "row" else [list(column) for column in zip(*matrix)]
    bits = BITS[type_]
    whole = 0
    for k, line in enumerate(lines):
        for j, v in enumerate(line):
            whole |= encode(v, type_) << ((k * stride + j) * bits)
    count = len(lines) * stride * bits // 32
    return [whole >> (32 * w) & 0xffffffff for w in range(count)]


def register_count(role, shape, type_):
    m, n, k = shape
    if type_ == "f16" and role in "ab":
        return 8
    elements = {"a": m * k, "b": k * n}.get(role, m * n) // 32
    return max(1, elements * BITS[type_] // 32) if BITS[type_] < 64 else elements


def wmma(shape, a_layout, b_layout, c_layout, d_type, c_type, a_type, b_type=None, word="", space="global", plain=False):
    m, n, k = shape
    b_type = b_type or a_type
    name = f"m{m}n{n}k{k}"
    types = f"{d_type}.{c_type}" if a_type == "f16" else f"{d_type}.{a_type}.{b_type}.{c_type}"
    if word.endswith("popc"):
        form = f"wmma.mma{word}.sync.aligned.{a_layout}.{b_layout}.{name}.{types}"
    elif word == ".satfinite":
        form = f"wmma.mma.sync.aligned.{a_layout}.{b_layout}.{name}.{types}{word}"
    else:
        form = f"wmma.mma.sync.aligned.{a_layout}.{b_layout}.{name}{word}.{types}"
    a, b, c = drawn(form + "a", m, k, a_type), drawn(form + "b", k, n, b_type), drawn(form + "c", m, n, c_type)
    limits = {"f16": 65504, "f32": (2 - Fraction(1, 1 << 23)) * Fraction(2) ** 127}
    if word == ".satfinite" and d_type in limits:  # at the edge, and away from it: the sum stays there
        sums = product(a, b, [[0] * n for _ in range(m)])
        c = [[(limits[c_type] if sums[i][j] >= 0 else -limits[c_type]) if (i * j) % 3 else v
              for j, v in enumerate(line)] for i, line in enumerate(c)]
    elif word == ".satfinite":
        c = [[(1 << 31) - 1 - v % 99 if (i + j) % 2 else -(1 << 31) + v % 99 for j, v in enumerate(line)]
             for i, line in enumerate(c)]
    if a_type == "b1":
        both = (lambda x, y: x ^ y) if "xor" in word else (lambda x, y: x & y)
        d = [[c[i][j] + sum(both(a[i][q], b[q][j]) for q in range(k)) for j in range(n)] for i in range(m)]
    else:
        d = product(a, b, c)
    if d_type == "s32":
        d = [[clamp(v) if word == ".satfinite" else wrap(v) for v in line] for line in d]
    elif word == ".satfinite":
        d = [[max(-limits[d_type], min(limits[d_type], v)) for v in line] for line in d]
    strides, words = {}, {}
    for role, matrix, layout, type_ in (("a", a, a_layout, a_type), ("b", b, b_layout, b_type), ("c", c, c_layout, c_type),
                                        ("d", d, c_layout, d_type)):
        length = len(matrix[0]) if layout == "row" else len(matrix)
        # Lines begin on 16 bytes; one in two files has none between them and no stride in the text.
        unit = 128 // BITS[type_]
        strides[role] = length if plain else (length + unit - 1) // unit * unit + unit
        words[role] = in_memory(matrix, type_, layout, strides[role])
    suffix = "" if space == "generic" else "." + space
    lines = [".reg .u32 %t;", ".reg .u64 %p<4>;", ".reg .b32 %n;", "mov.u32 %n, " + str(strides["a"]) + ";"]
    for role, type_ in (("a", a_type), ("b", b_type), ("c", c_type), ("d", d_type)):
        register = "f64" if type_ == "f64" else "f32" if type_ == "f32" else "b32"
        lines.append(f".reg .{register} %{role}<{register_count(role, shape, type_)}>;")

    def braces(role, type_):
        return "{" + ", ".join(f"%{role}{r}" for r in range(register_count(role, shape, type_))) + "}"

    shared_bytes = 0
    for index, (role, type_) in enumerate((("a", a_type), ("b", b_type), ("c", c_type))):
        lines.append(f"ld.param.u64 %p{index}, [{role}];")
        if space == "shared" and role != "c":  # by way of shared memory
            count = len(words[role])
            lines += [f".shared .align 16 .b8 s{role}[{4 * count}];", f".reg .u32 %i{role}, %s{role};",
                      f".reg .u64 %g{role};", f".reg .b32 %w{role};", f".reg .pred %q{role};", f"mov.u32 %i{role}, %tid.x;",
                      f"L{role}:", f"shl.b32 %s{role}, %i{role}, 2;", f"cvt.u64.u32 %g{role}, %s{role};",
                      f"add.u64 %g{role}, %g{role}, %p{index};", f"ld.global.b32 %w{role}, [%g{role}];",
                      f"mov.u32 %t, s{role};", f"add.u32 %s{role}, %s{role}, %t;", f"st.shared.b32 [%s{role}], %w{role};",
                      f"add.u32 %i{role}, %i{role}, 32;", f"setp.lt.u32 %q{role}, %i{role}, {count};",
                      f"@%q{role} bra L{role};", "bar.warp.sync -1;"]
    for index, (role, type_, layout) in enumerate((("a", a_type, a_layout), ("b", b_type, b_layout),
                                                   ("c", c_type, c_layout))):
        stride = "" if plain else ", %n" if role == "a" else f", {strides[role]}"
        where, at = (".shared", f"s{role}") if space == "shared" and role != "c" else (
            ("" if space == "generic" else ".global"), f"%p{index}")
        lines.append(f"wmma.load.{role}.sync.aligned.{layout}.{name}{where}.{type_} {braces(role, type_)}, [{at}]{stride};")
    lines.append(f"{form} {braces('d', d_type)}, {braces('a', a_type)}, {braces('b', b_type)}, {braces('c', c_type)};")
    stride = "" if plain else f", {strides['d']}"
    lines += ["ld.param.u64 %p3, [d];", f"wmma.store.d.sync.aligned.{c_layout}.{name}"
              f"{'' if space == 'generic' else '.global'}.{d_type} [%p3], {braces('d', d_type)}{stride};", "ret;"]
    params = [In(role, "b32", words[role]) for role in "abc"] + [Out("d", "b32", words["d"])]
    extra = "" if space == "global" else "." + space
    old = word == ".satfinite" and d_type in limits
    return f"{FOLDER}{form}{extra}.ptx", file(form, MODEL, params, "\n".join(lines), **(OLD if old else {}))


# The last version with it; ptxas warns that newer devices may not do what it says.
OLD = {"version": "6.4", "arch": "sm_75", "skip": "ptxas has it do unexpected things from sm_70 on"}
SHAPES = ((16, 16, 16), (8, 32, 16), (32, 8, 16))


def files():
    for count in (1, 2, 4):
        for trans in (False, True):
            middle = f"m8n8.x{count}{'.trans' if trans else ''}"
            yield rows_file(f"ldmatrix.sync.aligned.{middle}.shared.b16", count, trans, False, False)
            yield rows_file(f"stmatrix.sync.aligned.{middle}.shared.b16", count, trans, True, False)
    yield rows_file("ldmatrix.sync.aligned.m8n8.x4.trans.b16", 4, True, False, True)
    yield rows_file("stmatrix.sync.aligned.m8n8.x2.b16", 2, False, True, True)
    yield rows_file("ldmatrix.sync.aligned.m8n8.x2.shared::cta.b16", 2, False, False, False)
    yield movmatrix()
    for shape in SHAPES:
        for a_layout in ("row", "col"):
            for b_layout in ("row", "col"):
                yield wmma(shape, a_layout, b_layout, a_layout, "f32", "f32", "f16")
        yield wmma(shape, "row", "col", "col", "f16", "f16", "f16")
        yield wmma(shape, "row", "col", "row", "f32", "f32", "bf16")
        yield wmma(shape, "col", "row", "row", "s32", "s32", "s8")
        yield wmma(shape, "row", "col", "row", "s32", "s32", "u8")
    yield wmma((16, 16, 16), "row", "row", "row", "f32", "f32", "f16", space="shared")
    yield wmma((16, 16, 16), "col", "col", "row", "f32", "f32", "f16", space="generic")
    yield wmma((16, 16, 16), "row", "row", "row", "f32", "f16", "f16", plain=True)
    yield wmma((16, 16, 16), "row", "row", "row", "f16", "f32", "f16", plain=True)
    yield wmma((16, 16, 16), "col", "row", "col", "f32", "f32", "bf16", plain=True)
    yield wmma((16, 16, 16), "row", "col", "row", "s32", "s32", "s8", word=".satfinite")
    yield wmma((16, 16, 16), "row", "col", "row", "f16", "f16", "f16", word=".satfinite")
    yield wmma((16, 16, 16), "row", "row", "row", "f32", "f32", "f16", word=".satfinite")
    yield wmma((16, 16, 8), "row", "col", "row", "f32", "f32", "tf32")
    yield wmma((16, 16, 8), "col", "row", "col", "f32", "f32", "tf32")
    yield wmma((8, 8, 4), "row", "col", "row", "f64", "f64", "f64")
    yield wmma((8, 8, 4), "col", "row", "col", "f64", "f64", "f64")
    for rounding in ("rn", "rz", "rm", "rp"):
        yield wmma((8, 8, 4), "row", "col", "row", "f64", "f64", "f64", word="." + rounding)
    yield wmma((8, 8, 32), "row", "col", "row", "s32", "s32", "s4")
    yield wmma((8, 8, 32), "row", "col", "row", "s32", "s32", "u4")
    yield wmma((8, 8, 128), "row", "col", "row", "s32", "s32", "b1", word=".xor.popc")
    yield wmma((8, 8, 128), "row", "col", "col", "s32", "s32", "b1", word=".and.popc")
