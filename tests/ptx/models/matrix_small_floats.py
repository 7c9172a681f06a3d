# SPDX-License-Identifier: GPL-3.0-or-later
"""mma on floats of four, six and eight bits, with and without block scales, and ldmatrix and stmatrix of bytes: PTX ISA,
"Matrix fragments for mma.m16n8k32" and ".m16n8k64", "Block Scaling for mma.sync", "Matrix fragments for sparse mma",
"ldmatrix". Elements and scales are drawn so that all sums
are exact in f32, whatever order hardware adds in.
"""
import random
from fractions import Fraction

from files import In, Out, file
from matrix_layouts import a_of, b_of, c_of, f32_bits, metadata, scattered, small_float

MODEL = "matrix_small_floats"
FOLDER = "matrix/"
FORMATS = {"e4m3": (4, 3), "e5m2": (5, 2), "e2m3": (2, 3), "e3m2": (3, 2), "e2m1": (2, 1)}
BLACKWELL = {"target": "sm_120a", "version": "8.7", "arch": "sm_120a"}


def element(value, type_, in_byte):
    """Its bits; four bits in a byte stand in its middle, from bit 2 on."""
    found = small_float(value, *FORMATS[type_])
    return found << 2 if in_byte and type_ == "e2m1" else found


def drawn(seed, rows, columns):
    """Values that every format holds."""
    source = random.Random(seed)
    return [[source.choice([0, 1, -1, 2, -2, 3, -3, 4, Fraction(1, 2), Fraction(-3, 2)]) for _ in range(columns)]
            for _ in range(rows)]


def packed(matrix, place, count, bits, type_):
    """Words of 32 lanes, register by register; place(lane, i) is the element's row and column."""
    each = 32 // bits
    words = [[0] * 32 for _ in range(count // each)]
    for lane in range(32):
        for i in range(count):
            row, column = place(lane, i)
            words[i // each][lane] |= element(matrix[row][column], type_, bits == 8) << (bits * (i % each))
    return [w for register in words for w in register]


def loads(name, count):
    lines = [f".reg .b32 %{name}<{count}>;", f"ld.param.u64 %p, [{name}];", "add.u64 %p, %p, %o;"]
    return lines + [f"ld.global.b32 %{name}{r}, [%p+{128 * r}];" for r in range(count)]


def braces(name, count):
    return "{" + ", ".join(f"%{name}{r}" for r in range(count)) + "}"


HEAD = [".reg .u32 %t;", ".reg .u64 %p, %o;", "mov.u32 %t, %tid.x;", "mul.wide.u32 %o, %t, 4;"]


def stores(count):
    lines = ["ld.param.u64 %p, [d];", "add.u64 %p, %p, %o;"]
    return lines + [f"st.global.b32 [%p+{128 * r}], %d{r};" for r in range(count)] + ["ret;"]


def f32_words(matrix):
    words = [[0] * 32 for _ in range(4)]
    for lane in range(32):
        for i in range(4):
            row, column = c_of(16, lane, i)
            words[i][lane] = f32_bits(matrix[row][column])
    return [w for register in words for w in register]


def sparse_of(form, a, k, bits):
    """a holds half of each row -> its rows of k elements, and the metadata of the lanes. In bytes all types count as such."""
    full, rows = scattered(random.Random(form + "e"), a, k, "e2m1" if bits == 4 else "e4m3")
    return full, metadata(rows, k, "e2m1" if bits == 4 else "e4m3", 0)


def in_halves(k, a_type, b_type, sp=""):
    """c and d are f16: two neighbours of a row in a word. sp: "sp" or "sp::ordered_metadata" of sparse products."""
    form = f"mma.{sp + '.' if sp else ''}sync.aligned.m16n8k{k}.row.col.kind::f8f6f4.f16.{a_type}.{b_type}.f16"
    stored = k // 2 if sp else k
    a, b, c = drawn(form + "a", 16, stored), drawn(form + "b", k, 8), drawn(form + "c", 16, 8)
    full, e = sparse_of(form, a, k, 8) if sp else (a, None)
    d = [[c[i][j] + sum(full[i][q] * b[q][j] for q in range(k)) for j in range(8)] for i in range(16)]

    def words(matrix):
        return [sum(small_float(matrix[row][column], 5, 10) << 16 * half
                    for half, (row, column) in enumerate((c_of(16, lane, 2 * r), c_of(16, lane, 2 * r + 1))))
                for r in range(2) for lane in range(32)]

    params = [In("a", "b32", packed(a, lambda lane, i: a_of(16, stored, 8, lane, i), stored // 2, 8, a_type)),
              In("b", "b32", packed(b, lambda lane, i: b_of(k, 8, lane, i), k // 4, 8, b_type)),
              In("c", "b32", words(c))]
    lines = HEAD + loads("a", stored // 8) + loads("b", k // 16) + loads("c", 2) + [".reg .b32 %d<2>;"]
    if sp:
        params.append(In("e", "b32", e))
        lines += loads("e", 1)
    params.append(Out("d", "b32", words(d)))
    lines.append(f"{form} {braces('d', 2)}, {braces('a', stored // 8)}, {braces('b', k // 16)}, {braces('c', 2)}"
                 f"{', %e0, 0' if sp else ''};")
    return FOLDER + form.replace("::ordered", "_ordered") + ".ptx", file(form, MODEL, params, "\n".join(lines + stores(2)), **BLACKWELL)


def scaled(kind, vector, k, a_type, b_type, scale_type, byte_a, lanes_a, byte_b, lanes_b, name="", sp=""):
    """vector: scales of a row; 0: no scales. sp: "sp" or "sp::ordered_metadata" of sparse products."""
    bits = 8 if "f8f6f4" in kind else 4
    word = f".kind::{kind}" + (f".block_scale.scale_vec::{vector}X" if vector else "")
    form = (f"mma.{sp + '.' if sp else ''}sync.aligned.m16n8k{k}.row.col{word}.f32.{a_type}.{b_type}.f32"
            + (f".{scale_type}" if vector else ""))
    stored = k // 2 if sp else k
    a, b, c = drawn(form + name + "a", 16, stored), drawn(form + name + "b", k, 8), drawn(form + name + "c", 16, 8)
    full, e = sparse_of(form, a, k, bits) if sp else (a, None)
    source = random.Random(form + name)
    choice = [Fraction(1, 2), 1, 2, 4] if scale_type == "ue8m0" else [Fraction(1, 2), 1, Fraction(3, 2), 3]
    scales_a = [[source.choice(choice) for _ in range(max(vector, 1))] for _ in range(16)]
    scales_b = [[source.choice(choice) for _ in range(max(vector, 1))] for _ in range(8)]
    block = k // max(vector, 1)
    one = [[1]] * 16
    d = [[c[i][j] + sum(full[i][q] * b[q][j] * (scales_a if vector else one)[i][q // block]
                        * (scales_b if vector else one)[j][q // block] for q in range(k)) for j in range(8)]
         for i in range(16)]
    params = [In("a", "b32", packed(a, lambda lane, i: a_of(16, stored, bits, lane, i), stored // 2, bits, a_type)),
              In("b", "b32", packed(b, lambda lane, i: b_of(k, bits, lane, i), k // 4, bits, b_type)),
              In("c", "b32", f32_words(c))]
    count_a, count_b = stored * bits // 64, k * bits // 128
    lines = HEAD + loads("a", count_a) + loads("b", count_b) + loads("c", 4) + [".reg .b32 %d<4>;"]
    tail = ""
    if sp:
        params.append(In("e", "b32", e))
        lines += loads("e", 1)
        tail = ", {%e0}, 0x0" if vector else ", %e0, 0"  # as they are written where there are scales
    if vector:
        def encoded(value):
            if scale_type == "ue8m0":
                exponent = 127
                while value > 1:
                    value, exponent = Fraction(value) / 2, exponent + 1
                while value < 1:
                    value, exponent = Fraction(value) * 2, exponent - 1
                return exponent
            return small_float(value, 4, 3)

        # Whatever is not selected is a scale of 2^16 or 256, which would be seen.
        other = 0x8f if scale_type == "ue8m0" else 0x78
        words_a, words_b = [other * 0x01010101] * 32, [other * 0x01010101] * 32

        def put(words, lane, byte, values):
            for n, value in enumerate(values):
                shift = 8 * (byte + n)
                words[lane] = words[lane] & ~(0xff << shift) | encoded(value) << shift

        for g in range(8):  # a: the first of the pair has row g, the second row g + 8
            put(words_a, 4 * g + 2 * lanes_a, byte_a, scales_a[g])
            put(words_a, 4 * g + 2 * lanes_a + 1, byte_a, scales_a[g + 8])
            put(words_b, 4 * g + lanes_b, byte_b, scales_b[g])
        params += [In("sa", "b32", words_a), In("sb", "b32", words_b)]
        lines += loads("sa", 1) + loads("sb", 1)
        tail += f", {{%sa0}}, {{{byte_a}, {lanes_a}}}, {{%sb0}}, {{{byte_b}, {lanes_b}}}"
    lines.append(f"{form} {braces('d', 4)}, {braces('a', count_a)}, {braces('b', count_b)}, {braces('c', 4)}{tail};")
    params.append(Out("d", "b32", f32_words(d)))
    return FOLDER + form.replace("::ordered", "_ordered") + name + ".ptx", file(
        form, MODEL, params, "\n".join(lines + stores(4)), **BLACKWELL)


def lines_of(seed, count, bits):
    """Lines of 16 elements -> the lines, and memory that begins with each line's elements and holds 16 bytes of it."""
    source = random.Random(seed)
    rows = [[source.randrange(1 << bits) for _ in range(16)] for _ in range(count)]
    memory = []
    for row in rows:
        line = sum(v << (bits * i) for i, v in enumerate(row)) | 0xdeadbeefcafef00d << 16 * bits
        memory += [line >> 32 * w & 0xffffffff for w in range(4)]
    return rows, memory


def loading(form, memory, words, lanes):
    """Lane l of the first `lanes` names line l."""
    count = len(words) // 32
    lines = HEAD + [f".reg .b32 %d<{count}>;", ".reg .u32 %s, %v;", ".reg .pred %q;", "mov.u32 %s, buf;",
                    "ld.param.u64 %p, [a];", "add.u64 %p, %p, %o;", "mad.lo.u32 %v, %t, 4, %s;"]
    lines.append(".reg .b32 %w;")
    for r in range(len(memory) // 32):
        lines += [f"ld.global.b32 %w, [%p+{128 * r}];", f"st.shared.b32 [%v+{128 * r}], %w;"]
    lines += ["bar.sync 0;", f"rem.u32 %v, %t, {lanes};", "mad.lo.u32 %s, %v, 16, %s;",
              f"{form} {braces('d', count)}, [%s];"]
    params = [In("a", "b32", memory), Out("d", "b32", words)]
    return FOLDER + form + ".ptx", file(form, MODEL, params, "\n".join(lines + stores(count)),
                                        outside=".shared .align 16 .b8 buf[512];", **BLACKWELL)


def unpacking(count, packing, bits):
    """Lane 8 * n + r gives row r of matrix n: 16 elements in its first bytes. Lane 4 * g + t gets those from 4 * t on."""
    form = f"ldmatrix.sync.aligned.m8n16.x{count}.shared.b8x16.{packing}"
    rows, memory = lines_of(form, 8 * count, bits)
    words = [sum(rows[8 * n + lane // 4][4 * (lane % 4) + i] << 8 * i for i in range(4))
             for n in range(count) for lane in range(32)]
    return loading(form, memory, words, 8 * count)


def sixteen_loaded(count, word, bits):
    """m16n16 of bytes, turned: a lane has four columns and two rows of each turned matrix, a register a row."""
    form = f"ldmatrix.sync.aligned.m16n16.x{count}.trans.shared.{word}"
    rows, memory = lines_of(form, 16 * count, bits)
    words = []
    for n in range(count):
        turned = [[rows[16 * n + c][r] for c in range(16)] for r in range(16)]
        for half in range(2):
            words += [sum(turned[8 * half + lane // 4][4 * (lane % 4) + i] << 8 * i for i in range(4))
                      for lane in range(32)]
    return loading(form, memory, words, 16 * count)


def sixteen_stored(count):
    """m16n8 of bytes, turned: line n of memory is column n. A lane has two neighbours of row g, and of row g + 8."""
    form = f"stmatrix.sync.aligned.m16n8.x{count}.trans.shared.b8"
    rows, memory = lines_of(form, 8 * count, 8)
    words = [sum(rows[8 * n + 2 * (lane % 4) + i % 2][lane // 4 + 8 * (i // 2)] << 8 * i for i in range(4))
             for n in range(count) for lane in range(32)]
    lines = HEAD + loads("a", count) + [f".reg .b32 %d<{count}>;", ".reg .u32 %s, %v;", "mov.u32 %s, buf;",
                                        f"rem.u32 %v, %t, {8 * count};", "mad.lo.u32 %v, %v, 16, %s;",
                                        f"{form} [%v], {braces('a', count)};", "bar.warp.sync -1;",
                                        "mad.lo.u32 %v, %t, 4, %s;"]
    lines += [f"ld.shared.b32 %d{r}, [%v+{128 * r}];" for r in range(count)]
    params = [In("a", "b32", words), Out("d", "b32", memory)]
    return FOLDER + form + ".ptx", file(form, MODEL, params, "\n".join(lines + stores(count)),
                                        outside=".shared .align 16 .b8 buf[512];", **BLACKWELL)


def files():
    small = ("e4m3", "e5m2", "e3m2", "e2m3", "e2m1")
    for a_type in small:
        for b_type in small:
            if a_type == b_type or "e2m1" in (a_type, b_type):
                yield scaled("f8f6f4", 0, 32, a_type, b_type, "", 0, 0, 0, 0)
    for a_type, b_type in (("e2m1", "e2m3"), ("e3m2", "e2m1"), ("e2m3", "e3m2")):
        yield in_halves(32, a_type, b_type)
    for n, (a_type, b_type) in enumerate(zip(small, small[1:] + small[:1])):
        yield scaled("mxf8f6f4", 1, 32, a_type, b_type, "ue8m0", n % 4, n % 2, 3 - n % 4, n % 4)
    yield scaled("mxf4", 2, 64, "e2m1", "e2m1", "ue8m0", 0, 1, 2, 3)
    yield scaled("mxf4nvf4", 2, 64, "e2m1", "e2m1", "ue8m0", 2, 0, 0, 2)
    yield scaled("mxf4nvf4", 4, 64, "e2m1", "e2m1", "ue4m3", 0, 1, 0, 1)
    ordered = "sp::ordered_metadata"
    for n, a_type in enumerate(small):
        yield scaled("f8f6f4", 0, 64, a_type, small[n - 1], "", 0, 0, 0, 0, sp=ordered)
        yield in_halves(64, a_type, small[n - 2], sp=ordered)
        yield scaled("mxf8f6f4", 1, 64, a_type, small[n - 3], "ue8m0", n % 4, n % 2, 3 - n % 4, n % 4, sp=ordered)
    yield scaled("mxf4", 2, 128, "e2m1", "e2m1", "ue8m0", 2, 1, 0, 3, sp=ordered)
    yield scaled("mxf4nvf4", 2, 128, "e2m1", "e2m1", "ue8m0", 0, 0, 2, 2, sp=ordered)
    yield scaled("mxf4nvf4", 4, 128, "e2m1", "e2m1", "ue4m3", 0, 1, 0, 1, sp=ordered)
    for count in (1, 2, 4):
        yield unpacking(count, "b4x16_p64", 4)
        yield unpacking(count, "b6x16_p32", 6)
        yield sixteen_stored(count)
    for count in (1, 2):
        yield sixteen_loaded(count, "b8", 8)
        yield sixteen_loaded(count, "b8x16.b4x16_p64", 4)
        yield sixteen_loaded(count, "b8x16.b6x16_p32", 6)
