# SPDX-License-Identifier: GPL-3.0-or-later
"""mma and mma.sp on registers. Whole numbers, so that any order of adding gives the same, but for `cut` files: those hold
the published model of Hopper's tensor cores (arXiv:2511.10909) against what comes out.
"""
import random
from fractions import Fraction

from files import In, Out, file
from ieee import OF
from matrix_layouts import (BITS, a_of, b_of, c_of, clamp, cut, drawn, encode, f32_bits, metadata, pack, product, quad_a,
                            quad_b, quad_c, scattered, tensor_sum, wrap)

MODEL = "matrix"
FOLDER = "matrix/"


def registers(name, count, words, wide):
    type_, size = ("b64", 256) if wide else ("b32", 128)
    lines = [f".reg .{type_} %{name}<{count}>;", f"ld.param.u64 %p, [{name}];",
             f"mul.wide.u32 %o, %t, {size // 32};", "add.u64 %p, %p, %o;"]
    verb = "st" if words == "st" else "ld"
    for r in range(count):
        lines.append(f"ld.global.{type_} %{name}{r}, [%p+{size * r}];" if verb == "ld"
                     else f"st.global.{type_} [%p+{size * r}], %{name}{r};")
    return lines


def braces(name, count):
    return "{" + ", ".join(f"%{name}{r}" for r in range(count)) + "}"


def kernel(form, ins, d, tail="", arch="sm_90", version="8.0"):
    """ins: [(name, type, words)] in the order a, b, c (and e); d: (type, words)."""
    wide = {"b64": True, "b32": False}
    lines = [".reg .u32 %t;", ".reg .u64 %p, %o;", "mov.u32 %t, %tid.x;"]
    operands, params = [], []
    for name, type_, words in ins:
        count = len(words) // 32
        lines += registers(name, count, "ld", wide[type_])
        operands.append(f"%{name}0" if name == "e" else braces(name, count))
        params.append(In(name, type_, words))
    count = len(d[1]) // 32
    stores = registers("d", count, "st", wide[d[0]])
    lines.append(stores[0])
    lines.append(f"{form} {braces('d', count)}, {', '.join(operands)}{tail};")
    lines += stores[1:] + ["ret;"]
    params.append(Out("d", d[0], d[1]))
    return file(form, MODEL, params, "\n".join(lines), arch=arch, version=version)


def word_type(type_):
    return "b64" if type_ == "f64" else "b32"


def dense(m, k, d_type, a_type, b_type, c_type, word="", largest=None):
    n = 8
    form = f"mma.sync.aligned.m{m}n{n}k{k}.row.col{word if word == '.satfinite' else ''}.{d_type}.{a_type}.{b_type}.{c_type}"
    if word not in ("", ".satfinite"):
        form += word
    a = drawn(form + "a", m, k, a_type, largest)
    b = drawn(form + "b", k, n, b_type, largest)
    c = drawn(form + "c", m, n, c_type)
    if word == ".satfinite":
        c = [[(1 << 31) - 1 - v % 999 if (i + j) % 2 else -(1 << 31) + v % 999 for j, v in enumerate(line)]
             for i, line in enumerate(c)]
    if a_type == "b1":
        both = (lambda x, y: x ^ y) if "xor" in word else (lambda x, y: x & y)
        d = [[c[i][j] + sum(both(a[i][q], b[q][j]) for q in range(k)) for j in range(n)] for i in range(m)]
    else:
        d = product(a, b, c)
    if d_type == "s32":
        d = [[clamp(v) if word == ".satfinite" else wrap(v) for v in line] for line in d]
    return FOLDER + form + ".ptx", kernel(form, [
        ("a", word_type(a_type), pack(cells_a(m, k, a_type), a_type, a)),
        ("b", word_type(b_type), pack(cells_b(k, b_type), b_type, b)),
        ("c", word_type(c_type), pack(cells_c(m, c_type), c_type, c))],
        (word_type(d_type), pack(cells_c(m, d_type), d_type, d)), **of_fp8(a_type))


def rounded(mode):
    """One product for each sum, of doubles with all their digits, so that it is rounded once."""
    form = f"mma.sync.aligned.m8n8k4.row.col.{mode}.f64.f64.f64.f64"
    source, double = random.Random(form), OF["f64"]

    def number():
        return Fraction(source.choice((-1, 1)) * source.randint(1 << 52, (1 << 53) - 1)) * Fraction(2) ** source.randint(-56, -50)
    a = [[number() if q == i % 4 else Fraction(0) for q in range(4)] for i in range(8)]
    b, c = [[number() for _ in range(8)] for _ in range(4)], [[number() for _ in range(8)] for _ in range(8)]
    d = [[double.value(double.round(a[i][i % 4] * b[i % 4][j] + c[i][j], mode)) for j in range(8)] for i in range(8)]
    return FOLDER + form + ".ptx", kernel(form, [
        ("a", "b64", pack(cells_a(8, 4, "f64"), "f64", a)), ("b", "b64", pack(cells_b(4, "f64"), "f64", b)),
        ("c", "b64", pack(cells_c(8, "f64"), "f64", c))], ("b64", pack(cells_c(8, "f64"), "f64", d)))


def literals():
    """Decimal constants among what is added to, and results that nobody wants."""
    path, text = dense(16, 8, "f32", "f16", "f16", "f32")
    form = "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32"
    a, b = drawn(form + "a", 16, 8, "f16"), drawn(form + "b", 8, 8, "f16")
    c = drawn(form + "c", 16, 8, "f32")
    d = product(a, b, [[Fraction(1, 2) if i < 8 and j % 2 else Fraction(0) if j % 2 else c[i][j] for j in range(8)]
                       for i in range(16)])
    words = pack(cells_c(16, "f32"), "f32", d)
    words[96:] = [0] * 32  # the fourth register stays as it is
    made = kernel(form, [("a", "b32", pack(cells_a(16, 8, "f16"), "f16", a)), ("b", "b32", pack(cells_b(8, "f16"), "f16", b)),
                         ("c", "b32", pack(cells_c(16, "f32"), "f32", c))], ("b32", words))
    line = next(x for x in made.split("\n") if x.strip().startswith(form + " "))
    changed = line.replace("%d3", "_").replace("%c1", "0.5").replace("%c3", "0.")
    assert line != changed
    return path.replace(".ptx", ".literals.ptx"), made.replace(line, "    mov.b32 %d3, 0;\n" + changed)


def of_fp8(type_):
    return {"version": "8.7"} if type_ in ("e4m3", "e5m2") else {}


def cells_a(m, k, type_):
    bits = BITS[type_]
    return [[a_of(m, k, bits, lane, i) for i in range(m * k // 32)] for lane in range(32)]


def cells_b(k, type_):
    return [[b_of(k, BITS[type_], lane, i) for i in range(8 * k // 32)] for lane in range(32)]


def cells_c(m, type_):
    return [[c_of(m, lane, i) for i in range(m * 8 // 32)] for lane in range(32)]


def quads(a_layout, b_layout, d_type, c_type):
    """Four products of lanes 4q..4q+3 and 4q+16..4q+19."""
    form = f"mma.sync.aligned.m8n8k4.{a_layout}.{b_layout}.{d_type}.f16.f16.{c_type}"
    words = {}
    for name, type_, count in (("a", "f16", 4), ("b", "f16", 4), ("c", c_type, 8), ("d", d_type, 8)):
        words[name] = [[0] * 32 for _ in range(count // (2 if type_ == "f16" else 1))]
    for quad in range(4):
        a, b, c = drawn(f"{form}{quad}a", 8, 4, "f16"), drawn(f"{form}{quad}b", 4, 8, "f16"), drawn(f"{form}{quad}c", 8, 8, "f16")
        d = product(a, b, c)
        for lane in [4 * quad + j for j in range(4)] + [4 * quad + 16 + j for j in range(4)]:
            for name, type_, matrix, count, place in (
                    ("a", "f16", a, 4, lambda i: quad_a(a_layout == "row", lane, i)),
                    ("b", "f16", b, 4, lambda i: quad_b(b_layout == "row", lane, i)),
                    ("c", c_type, c, 8, lambda i: quad_c(c_type, lane, i)),
                    ("d", d_type, d, 8, lambda i: quad_c(d_type, lane, i))):
                for i in range(count):
                    r, col = place(i)
                    bits = encode(matrix[r][col], type_)
                    if type_ == "f16":
                        words[name][i // 2][lane] |= bits << (16 * (i % 2))
                    else:
                        words[name][i][lane] = bits
    flat = {name: [w for row in rows for w in row] for name, rows in words.items()}
    return FOLDER + form + ".ptx", kernel(form, [(x, "b32", flat[x]) for x in "abc"], ("b32", flat["d"]))


def sparse(k, d_type, a_type, b_type, c_type, selector, word="sp::ordered_metadata", largest=None, sat=""):
    """a holds two of four elements of each row (tf32: one of two; four bits: two of four pairs)."""
    form = f"mma.{word}.sync.aligned.m16n8k{k}.row.col{sat}.{d_type}.{a_type}.{b_type}.{c_type}"
    source = random.Random(form)
    there = drawn(form + "a", 16, k // 2, a_type, largest)
    b, c = drawn(form + "b", k, 8, b_type, largest), drawn(form + "c", 16, 8, c_type)
    full, rows = scattered(source, there, k, a_type)
    e = metadata(rows, k, a_type, selector)
    d = product(full, b, c)
    path = f"{FOLDER}{form.replace('::', '_')}.{selector}.ptx"
    return path, kernel(form, [
        ("a", "b32", pack(cells_a(16, k // 2, a_type), a_type, there)), ("b", "b32", pack(cells_b(k, b_type), b_type, b)),
        ("c", "b32", pack(cells_c(16, c_type), c_type, c)), ("e", "b32", e)],
        ("b32", pack(cells_c(16, d_type), d_type, d)), tail=f", {selector}", version="8.7")


def cut_file(m, k, type_, spread):
    """Drawn numbers of many sizes: what is lost is what the model says."""
    form = f"mma.sync.aligned.m{m}n8k{k}.row.col.f32.{type_}.{type_}.f32"
    source = random.Random(form + "cut")
    digits = {"f16": 10, "bf16": 7, "tf32": 10}[type_]

    def number():
        return Fraction(source.choice((-1, 1)) * source.randint(1 << digits, (2 << digits) - 1)) * Fraction(2) ** source.randint(-spread, spread) / (1 << digits)
    a, b = [[number() for _ in range(k)] for _ in range(m)], [[number() for _ in range(8)] for _ in range(k)]
    c = [[cut(number() * Fraction(source.randint(1, 1 << 20), 1 << 20), 23) for _ in range(8)] for _ in range(m)]
    least = -14 if type_ == "f16" else -126
    d = [[cut(tensor_sum([(a[i][q], b[q][j]) for q in range(k)], c[i][j], 25, least), 23) for j in range(8)] for i in range(m)]
    as_words = [f32_bits(d[r][col]) for i in range(4) for lane in range(32) for r, col in [c_of(m, lane, i)]]
    return f"{FOLDER}{form}.cut.ptx", kernel(form, [
        ("a", "b32", pack(cells_a(m, k, type_), type_, a)), ("b", "b32", pack(cells_b(k, type_), type_, b)),
        ("c", "b32", pack(cells_c(m, "f32"), "f32", c))], ("b32", as_words))


def files():
    for k in (8, 16):
        yield dense(16, k, "f32", "f16", "f16", "f32")
        yield dense(16, k, "f16", "f16", "f16", "f16")
        yield dense(16, k, "f32", "bf16", "bf16", "f32")
        yield cut_file(16, k, "f16", 3)
        yield cut_file(16, k, "bf16", 6)
    for k in (4, 8):
        yield dense(16, k, "f32", "tf32", "tf32", "f32")
        yield cut_file(16, k, "tf32", 5)
    yield literals()
    yield dense(8, 4, "f64", "f64", "f64", "f64")
    for mode in ("rn", "rz", "rm", "rp"):
        yield rounded(mode)
    for k in (4, 8, 16):
        yield dense(16, k, "f64", "f64", "f64", "f64")
    for a_type, b_type in (("s8", "s8"), ("s8", "u8"), ("u8", "s8"), ("u8", "u8")):
        for m, k in ((8, 16), (16, 16), (16, 32)):
            yield dense(m, k, "s32", a_type, b_type, "s32")
            if a_type == b_type:
                yield dense(m, k, "s32", a_type, b_type, "s32", ".satfinite")
    for a_type, b_type in (("s4", "s4"), ("s4", "u4"), ("u4", "s4"), ("u4", "u4")):
        for m, k in ((8, 32), (16, 32), (16, 64)):
            yield dense(m, k, "s32", a_type, b_type, "s32")
    yield dense(16, 64, "s32", "s4", "s4", "s32", ".satfinite")
    for m, k in ((8, 128), (16, 128), (16, 256)):
        yield dense(m, k, "s32", "b1", "b1", "s32", ".xor.popc")
        yield dense(m, k, "s32", "b1", "b1", "s32", ".and.popc")
    for a_type, b_type in (("e4m3", "e4m3"), ("e4m3", "e5m2"), ("e5m2", "e4m3"), ("e5m2", "e5m2")):
        for k in (16, 32):
            yield dense(16, k, "f32", a_type, b_type, "f32")
            yield dense(16, k, "f16", a_type, b_type, "f16")
    for a_layout in ("row", "col"):
        for b_layout in ("row", "col"):
            for d_type, c_type in (("f32", "f32"), ("f16", "f16"), ("f32", "f16")):
                yield quads(a_layout, b_layout, d_type, c_type)
    for selector in range(4):
        yield sparse(16, "f32", "f16", "f16", "f32", selector)
    for selector in range(2):
        yield sparse(32, "f32", "f16", "f16", "f32", selector)
        yield sparse(32, "s32", "s8", "s8", "s32", selector)
        yield sparse(64, "s32", "s4", "u4", "s32", selector)
        yield sparse(16, "f32", "tf32", "tf32", "f32", selector)
    yield sparse(16, "f16", "f16", "f16", "f16", 1)
    yield sparse(32, "f16", "f16", "f16", "f16", 1)
    yield sparse(32, "f32", "f16", "f16", "f32", 1, "sp")
    yield sparse(16, "f32", "bf16", "bf16", "f32", 2)
    yield sparse(32, "f32", "bf16", "bf16", "f32", 0)
    yield sparse(8, "f32", "tf32", "tf32", "f32", 3)
    yield sparse(64, "s32", "u8", "s8", "s32", 0)
    yield sparse(32, "s32", "u8", "u8", "s32", 1, sat=".satfinite")
    yield sparse(128, "s32", "u4", "u4", "s32", 0)
    yield sparse(64, "f32", "e4m3", "e5m2", "f32", 0)
