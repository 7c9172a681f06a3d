# SPDX-License-Identifier: GPL-3.0-or-later
"""tcgen05: which cell of tensor memory which register of a thread means ("Matrix fragments" and the shapes of .cp), and products
in each layout of d ("Data path layout organization"), with a and b as descriptors name them, in tensor memory, and with block
scales. What shared and tensor memory hold is given as it lies there, and tensor memory is read as a whole behind each. The
fragments are written down as the ISA's figures draw them, not as formulas of the program.
"""
import math
import random
import struct
from fractions import Fraction
from zlib import crc32

from files import In, Out, file, stream
import matrix_layouts
from matrix_layouts import drawn, product, small_float, wrap

MODEL = "tensor_memory"
FOLDER = "tensor/"
BLACKWELL = {"target": "sm_100a", "version": "8.8", "arch": "sm_100a"}
WIDTH = {0: 0, 1: 128, 2: 128, 4: 64, 6: 32}
LANES = 128
SMALL = {"e2m1": (2, 1), "e2m3": (2, 3), "e3m2": (3, 2)}
BITS = {**matrix_layouts.BITS, "e2m1": 4, "e2m3": 6, "e3m2": 6}


def encode(value, type_):
    return small_float(value, *SMALL[type_]) if type_ in SMALL else matrix_layouts.encode(value, type_)


def places(rows, mode):
    """rows: lists of bytes, K-major -> ({place: byte}, leading, stride, size)."""
    width, count = WIDTH[mode], len(rows)
    placed = {}
    for r, line in enumerate(rows):
        for byte, value in enumerate(line):
            if width == 0:
                place = byte // 16 * (count // 8 * 128) + r // 8 * 128 + r % 8 * 16 + byte % 16
            else:
                place = r * width + (byte // 16 ^ {128: r % 8, 64: r // 2 % 4, 32: r // 4 % 2}[width]) * 16 + byte % 16
            placed[place] = value
    if width == 0:
        return placed, count // 8 * 128, 128, count * len(rows[0])
    return placed, 16, 8 * width, count * width


def turned_places(rows, size, mode):
    """The same where the rows follow each other for each k; size: bytes of an element."""
    width, count, k, placed = WIDTH[mode], len(rows), len(rows[0]) // size, {}
    for r, line in enumerate(rows):
        for j in range(k):
            for part in range(size):
                byte = r * size + part
                if width == 0:
                    place = byte // 16 * 128 + j // 8 * (count * size // 16 * 128) + j % 8 * 16 + byte % 16
                elif mode == 1:  # 32 bytes keep together
                    inside = byte % 128
                    place = byte // 128 * (k * 128) + j * 128 + (inside // 32 ^ j % 4) * 32 + inside % 32
                else:
                    inside = byte % width
                    piece = inside // 16 ^ {128: j % 8, 64: j // 2 % 4, 32: j // 4 % 2}[width]
                    place = byte // width * (k * width) + j * width + piece * 16 + inside % 16
                placed[place] = line[j * size + part]
    if width == 0:
        return placed, count * size // 16 * 128, 128, count * k * size
    return placed, k * width, (4 if mode == 1 else 8) * width, (count * size + width - 1) // width * k * width


def image(placed, size):
    data = [0] * ((size + 1023) // 1024 * 1024)
    for place, byte in placed.items():
        data[place] = byte
    return [int.from_bytes(bytes(data[k:k + 4]), "little") for k in range(0, len(data), 4)]


def row_bytes(line, type_, padded):
    """One row's elements as bytes. padded: sixteen of less than a byte lie in sixteen bytes, packed, with room behind."""
    bits = BITS[type_]
    if not padded or bits >= 8:
        whole = sum(encode(v, type_) << (bits * j) for j, v in enumerate(line))
        return list(whole.to_bytes(len(line) * bits // 8, "little"))
    out = []
    for k in range(0, len(line), 16):
        whole = sum(encode(v, type_) << (bits * j) for j, v in enumerate(line[k:k + 16]))
        out += list(whole.to_bytes(16, "little"))
    return out


def container_bytes(line, type_):
    """In tensor memory small elements have a byte each: four bits stand above two zeros."""
    if BITS[type_] >= 8:
        return row_bytes(line, type_, False)
    return [encode(v, type_) << (2 if BITS[type_] == 4 else 0) for v in line]


def kernel(columns, images, middle, waits=True, registers=""):
    """Tensor memory is filled with c, `middle` runs (in one thread if it is waited for), and all of it is read to d."""
    total = sum(4 * len(words) for words in images.values())
    allocated = max(32, columns)
    lines = [f".shared .align 1024 .b8 s[{max(total, 16)}];", ".shared .align 8 .b64 bar;", ".shared .align 4 .b32 slot;",
             ".reg .b32 %t, %u, %w, %s, %i, %base, %place;", ".reg .b64 %p, %o, %da, %db;",
             ".reg .pred %more, %one, %add;", f".reg .b32 %c<{columns}>;", ".reg .b32 %desc;", registers,
             "mov.u32 %t, %tid.x;", "mul.wide.u32 %o, %t, 4;", "mov.u32 %s, s;"]
    offset = 0
    for key, words in images.items():
        lines += [f"ld.param.u64 %p, [{key}];", "add.u64 %p, %p, %o;", "mov.u32 %i, %t;", f"copy_{key}:",
                  "ld.global.b32 %w, [%p];", "shl.b32 %u, %i, 2;", "add.u32 %u, %u, %s;",
                  f"st.shared.b32 [%u+{offset}], %w;", "add.u64 %p, %p, 512;", "add.u32 %i, %i, 128;",
                  f"setp.lt.u32 %more, %i, {len(words)};", f"@%more bra copy_{key};"]
        offset += 4 * len(words)
    lines += ["setp.ne.u32 %one, %t, 0;", "@%one bra ready;", "mbarrier.init.shared::cta.b64 [bar], 1;", "ready:",
              "setp.ge.u32 %more, %t, 32;", "@%more bra allocated;",
              f"tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], {allocated};",
              "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;", "allocated:", "fence.proxy.async;",
              "bar.sync 0;", "ld.shared.b32 %base, [slot];", "and.b32 %place, %t, 96;", "shl.b32 %place, %place, 16;",
              "add.u32 %place, %place, %base;", "ld.param.u64 %p, [c];", f"mul.wide.u32 %o, %t, {4 * columns};",
              "add.u64 %p, %p, %o;"]
    lines += [f"ld.global.b32 %c{n}, [%p+{4 * n}];" for n in range(columns)]
    vector = "{" + ", ".join(f"%c{n}" for n in range(columns)) + "}"
    lines += [f"tcgen05.st.sync.aligned.32x32b.x{columns}.b32 [%place], {vector};", "tcgen05.wait::st.sync.aligned;",
              "tcgen05.fence::before_thread_sync;", "bar.sync 0;", "tcgen05.fence::after_thread_sync;"]
    if waits:
        lines += ["@%one bra asked;", *middle,
                  "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [bar];", "asked:",
                  "mbarrier.try_wait.parity.shared::cta.b64 %more, [bar], 0;", "@!%more bra asked;",
                  "tcgen05.fence::after_thread_sync;"]
    else:
        lines += middle
    lines += [f"tcgen05.ld.sync.aligned.32x32b.x{columns}.b32 {vector}, [%place];", "tcgen05.wait::ld.sync.aligned;",
              "ld.param.u64 %p, [d];", f"mul.wide.u32 %o, %t, {4 * columns};", "add.u64 %p, %p, %o;"]
    lines += [f"st.global.b32 [%p+{4 * n}], %c{n};" for n in range(columns)]
    lines += ["bar.sync 0;", "setp.ge.u32 %more, %t, 32;", "@%more bra end;",
              f"tcgen05.dealloc.cta_group::1.sync.aligned.b32 %base, {allocated};", "end:", "ret;"]
    return "\n".join(line for line in lines if line)


def number_of(seed):
    """Of a text, for `random(...)`."""
    return crc32(seed.encode())


def cells_of(seed, columns):
    drawn = stream(number_of(seed), LANES * columns)
    return [[word & 0xffffffff for word in drawn[k:k + columns]] for k in range(0, len(drawn), columns)]


def flat(cells):
    return [word for line in cells for word in line]


# Figures of the ISA, one register after the other: {shape: [(lane, column) of a thread]}. Rows of sixteen lanes.
def figure_64(thread):
    upper = [(0, 0), (8, 0), (0, 1), (8, 1)]
    row, column = upper[thread % 4]
    return [(row + thread // 4, column)]


def figure_128(thread):
    return [(thread // 4, thread % 4), (8 + thread // 4, thread % 4)]


def figure_256(thread):
    row, pair = thread // 4, 2 * (thread % 4)
    return [(row, pair), (row, pair + 1), (row + 8, pair), (row + 8, pair + 1)]


FIGURES = {"16x64b": (figure_64, 2), "16x128b": (figure_128, 4), "16x256b": (figure_256, 8)}


def cell(shape, thread, register, split):
    if shape == "32x32b":
        return thread, register
    if shape == "16x32bx2":
        return thread % 16, register + (split if thread >= 16 else 0)
    figure, width = FIGURES[shape]
    one = figure(thread)
    lane, column = one[register % len(one)]
    return lane, column + register // len(one) * width


def move(shape, times, word, upper=0, split=0):
    """st and ld of one shape; upper: the upper sixteen lanes of the quarter. ld's registers are stored to e."""
    columns, halves = 32, word != ""
    registers = times * {"16x128b": 2, "16x256b": 4}.get(shape, 1)
    for loads in (True, False):
        op = "ld" if loads else "st"
        packs = "" if not halves else ".pack::16b" if loads else ".unpack::16b"
        form = f"tcgen05.{op}.sync.aligned.{shape}.x{times}{packs}.b32"
        cells = cells_of(form, columns)
        drawn = stream(number_of(form + "values"), 128 * registers)
        values = [[word & 0xffffffff for word in drawn[k:k + 128]] for k in range(0, len(drawn), 128)]
        out = [[0] * 128 for _ in range(registers)]
        after = [list(line) for line in cells]
        for t in range(128):
            for r in range(registers):
                lane, column = cell(shape, t % 32, r, 0 if halves else split)
                lane += 32 * (t // 32) + 16 * upper
                if halves:
                    column = 2 * column + (split if shape == "16x32bx2" and t % 32 >= 16 else 0)
                    out[r][t] = (cells[lane][column] & 0xffff) | (cells[lane][column + 1] & 0xffff) << 16
                    if not loads:
                        after[lane][column], after[lane][column + 1] = values[r][t] & 0xffff, values[r][t] >> 16
                else:
                    out[r][t] = cells[lane][column]
                    if not loads:
                        after[lane][column] = values[r][t]
        names = "{" + ", ".join(f"%v{r}" for r in range(registers)) + "}"
        between = f", {split}" if shape == "16x32bx2" else ""
        lines = [f"add.u32 %u, %place, {(16 * upper) << 16};", "ld.param.u64 %p, [e];", "mul.wide.u32 %o, %t, 4;",
                 "add.u64 %p, %p, %o;"]
        if loads:
            lines += [f"{form} {names}, [%u]{between};", "tcgen05.wait::ld.sync.aligned;"]
            lines += [f"st.global.b32 [%p+{512 * r}], %v{r};" for r in range(registers)]
            params = [In("c", "b32", flat(cells), number_of(form)), Out("e", "b32", [w for line in out for w in line]),
                      Out("d", "b32", flat(cells))]
        else:
            lines += [f"ld.global.b32 %v{r}, [%p+{512 * r}];" for r in range(registers)]
            lines += [f"{form} [%u]{between}, {names};", "tcgen05.wait::st.sync.aligned;"]
            params = [In("c", "b32", flat(cells), number_of(form)),
                      In("e", "b32", [w for line in values for w in line], number_of(form + "values")),
                      Out("d", "b32", flat(after))]
        yield f"{FOLDER}{form.replace('::', '_')}{'.upper' if upper else ''}.ptx", file(
            form, MODEL, params, kernel(columns, {}, lines, False, f".reg .b32 %v<{registers}>;"), block="128", **BLACKWELL)


def less(a, b, nan):
    """The lesser of two f32: a number beats NaN, unless NaN is asked for; -0 is less than +0."""
    if math.isnan(a) or math.isnan(b):
        return math.nan if nan or (math.isnan(a) and math.isnan(b)) else b if math.isnan(a) else a
    return a if (a, math.copysign(1, a)) <= (b, math.copysign(1, b)) else b


def reduced(op, words, type_, times, shape="32x32b", split=0):
    """ld.red: what a thread loads, and the least or greatest of it."""
    form = f"tcgen05.ld.red.sync.aligned.{shape}.x{times}.{op}{words}.{type_}"
    source = random.Random(form)
    floats = [0x7fc00000, 0x80000000, 0, 0x7f800000, 0xff800000, 0x3f800000, 0xbf800000, 0x00000001, 0xffc00001]
    cells = [[source.choice(floats) if type_ == "f32" and source.random() < 0.7 else source.getrandbits(32) for _ in range(32)]
             for _ in range(LANES)]
    taken = []  # by threads
    for t in range(LANES):
        lane, first = (t, 0) if shape == "32x32b" else (t // 32 * 32 + t % 16, split * (t % 32 // 16))
        taken.append(cells[lane][first:first + times])
    out = []
    for line in taken:
        if type_ == "f32":
            values = [struct.unpack("<f", struct.pack("<I", w & (0x7fffffff if ".abs" in words else ~0)))[0] for w in line]
            best = values[0] if op == "min" else -values[0]
            for v in values[1:]:
                best = less(best, v if op == "min" else -v, ".NaN" in words)
            best = best if op == "min" else -best
            out.append(0x7fffffff if math.isnan(best) else struct.unpack("<I", struct.pack("<f", best))[0])
        else:
            numbers = [w - (1 << 32) if type_ == "s32" and w >> 31 else w for w in line]
            out.append((min if op == "min" else max)(numbers) & 0xffffffff)
    names = "{" + ", ".join(f"%v{r}" for r in range(times)) + "}"
    between = f", {split}" if split else ""
    lines = ["ld.param.u64 %p, [e];", "mul.wide.u32 %o, %t, 4;", "add.u64 %p, %p, %o;",
             f"{form} {names}, %u, [%place]{between};", "tcgen05.wait::ld.sync.aligned;", "st.global.b32 [%p], %u;"]
    lines += [f"st.global.b32 [%p+{512 * (r + 1)}], %v{r};" for r in range(times)]
    loaded = [line[r] for r in range(times) for line in taken]
    params = [In("c", "b32", flat(cells)), Out("e", "b32", out + loaded), Out("d", "b32", flat(cells))]
    return f"{FOLDER}{form}.ptx", file(form, MODEL, params, kernel(32, {}, lines, False, f".reg .b32 %v<{times}>;"), block="128",
                                      target="sm_103a", version="8.8", arch="sm_103a")


def zero_columns(m, n, start, first, skip, use):
    """The descriptor's fields as the ISA's examples read them -> (descriptor, which columns of b count as zero)."""
    descriptor = 1 << 39 | skip << 40 | use << 48
    zero = []
    for part in range(128 // m):
        descriptor |= start[part] << (8 * part) | first[part] << (32 + part)
        spans = [[True] * (skip + 1), [False] * (use + 1)]
        endless = (spans if first[part] else spans[::-1]) * n
        zero += [z for span in endless for z in span][start[part]:start[part] + n * m // 128]
    return descriptor, zero


def copy(shape, word, rows, size, target, packed=0):
    """target: row -> the lanes that get it. packed: bits of an element in shared memory."""
    form = f"tcgen05.cp.cta_group::1.{shape}{word}"
    cells, source = cells_of(form, 32), random.Random(form + "s")
    matrix = [[source.getrandbits(8) for _ in range(size)] for _ in range(rows)]
    placed, leading, stride, total = places(matrix, 0)
    if rows == 4:  # one piece of eight rows, of which four are there
        placed = {byte // 16 * 128 + r * 16 + byte % 16: v for r, line in enumerate(matrix) for byte, v in enumerate(line)}
        leading, stride, total = 128, 128, 256
    after = [list(line) for line in cells]
    for r, line in enumerate(matrix):
        if packed:
            spread = []
            for k in range(0, size, 16):
                whole = int.from_bytes(bytes(line[k:k + 16]), "little")
                spread += [(whole >> (packed * j) & ((1 << packed) - 1)) << (2 if packed == 4 else 0) for j in range(16)]
            line = spread
        for lane in target(r):
            for w in range(size // 4):
                after[lane][4 + w] = int.from_bytes(bytes(line[4 * w:4 * w + 4]), "little")
    images = {"a": image(placed, total)}
    high = (leading >> 4) << 16 | (stride >> 4) << 32 | 1 << 46
    lines = ["shr.u32 %u, %s, 4;", "cvt.u64.u32 %da, %u;", f"or.b64 %da, %da, 0x{high:x};", "add.u32 %u, %base, 4;",
             f"{form} [%u], %da;"]
    params = [In("a", "b32", images["a"]), In("c", "b32", flat(cells), number_of(form)), Out("d", "b32", flat(after))]
    return f"{FOLDER}{form.replace('::', '_')}.ptx", file(form, MODEL, params, kernel(32, images, lines), block="128",
                                                         **BLACKWELL)


# Where row m and column n of d lie: as the figures of the layouts have them, from the number of rows.
def plain(m, n, columns):
    return m, n


def sixteens(m, n, columns):
    return 32 * (m // 16) + m % 16, n


def halves_beside(m, n, columns):
    return (m, n) if n < columns // 2 else (m + 64, n - columns // 2)


def quarters_beside(m, n, columns):
    return m + 32 * (n // (columns // 4)), n % (columns // 4)


def metadata(source, there, k, type_, pair, cells, column):
    """The dense rows; puts the bits that say where its elements stand into tensor memory ("Sparse matrices"): four for each
    four elements, two of tf32, or, where four bits are packed, four pairs. Of halves and tf32, lanes 0 to 7 of sixteen have
    the first half of k of rows 0 to 7, and above it in the word that of rows 8 to 15; lanes 8 to 15 the same of the second half."""
    group, full = (2 if type_ == "tf32" else 4 * pair), []
    for r, line in enumerate(there):
        dense, taken = [0] * k, 0
        for g in range(k // group):
            if type_ == "tf32":
                place = source.randrange(2)
                bits = 14 if place else 4
                dense[2 * g + place] = line[taken]
                taken += 1
            else:
                first, second = sorted(source.sample(range(4), 2))
                bits = first | second << 2
                for place in (first, second):
                    for i in range(pair):
                        dense[g * group + place * pair + i] = line[taken]
                        taken += 1
            if BITS[type_] >= 16:
                lane = r // 16 * 16 + r % 8 + (8 if g >= 4 else 0)  # eight groups a row
                shift, word = (16 if r % 16 >= 8 else 0) + 4 * (g % 4), column
            else:
                lane, shift, word = r, 4 * g % 32, column + 4 * g // 32
            cells[lane][word] = cells[lane][word] & ~(15 << shift) | bits << shift
        full.append(dense)
    return full


KINDS = {"f16": 16, "tf32": 8, "f8f6f4": 32, "i8": 32, "mxf8f6f4": 32, "mxf4": 64, "mxf4nvf4": 64}
NUMBERS = {"f16": 0, "bf16": 1, "tf32": 2, "e4m3": 0, "e5m2": 1, "e2m3": 3, "e3m2": 4, "e2m1": 5, "u8": 0, "s8": 1}
RESULTS = {"f16": 0, "f32": 1, "s32": 2}
SCALES = {"ue8m0": [(126, Fraction(1, 2)), (127, Fraction(1)), (128, Fraction(2)), (129, Fraction(4))],
          "ue4m3": [(0x30, Fraction(1, 2)), (0x38, Fraction(1)), (0x3c, Fraction(3, 2)), (0x40, Fraction(2))]}


def mma(kind, d_type, a_type, b_type, name="", m=128, n=16, modes=(2, 2), turned=(0, 0), from_tensor=False, adds=True,
        signs=(0, 0), ws=False, skipped=None, shift=None, scale=None, vector=0, ids=(0, 0), words="", saturates=False,
        sparse=None, zero=None):
    """sparse: which column of the metadata's pair; None: a is dense."""
    k, small = KINDS[kind] * (1 if sparse is None else 2), kind.endswith("f8f6f4")
    where = {128: plain, 64: halves_beside if ws else sixteens, 32: quarters_beside}[m]
    form = f"tcgen05.mma{'.ws' if ws else ''}{'' if sparse is None else '.sp'}.cta_group::1.kind::{kind}{words}"
    seed = form + d_type + a_type + b_type + name
    largest = 2 if BITS[a_type] < 16 and a_type not in ("u8", "s8") else None
    stored = k if sparse is None else k // 2
    a = drawn(seed + "a", m, stored, a_type, largest)
    b = drawn(seed + "b", k, n, b_type, largest)
    columns = 32 if n <= 16 and not from_tensor and sparse is None else 64
    cells = cells_of(seed, columns)
    c = [[0] * n for _ in range(m)]  # all bits of a whole number, else one of the values that products and sums are exact with
    values = [] if d_type == "s32" else range(-4, 5)
    picks = stream(number_of(seed), LANES * columns)
    choices = [encode(v, d_type) for v in values]
    for i in range(m):
        for j in range(n):
            lane, column = where(i, j, n)
            word = cells[lane][column]
            if values:
                chosen = picks[lane * columns + column] % len(values)
                c[i][j], cells[lane][column] = values[chosen], choices[chosen]
            else:
                c[i][j] = wrap(word)
    at_a, at_scales = 32, (n if n <= 16 else 32)
    if from_tensor:
        for i in range(m):
            bytes_ = container_bytes(a[i], a_type)
            for w in range(8):
                cells[where(i, 0, n)[0]][at_a + w] = int.from_bytes(bytes(bytes_[4 * w:4 * w + 4]), "little")
    full = a
    if sparse is not None:
        full = metadata(random.Random(seed + "metadata"), a, k, a_type, 2 if kind.startswith("mxf4") else 1, cells, 48 + sparse)
    left, right = [[Fraction(v) for v in line] for line in full], [[Fraction(v) for v in line] for line in b]
    mask = ""
    if zero:
        descriptor, columns_of_b = zero_columns(m, n, *zero)
        right = [[Fraction(0) if columns_of_b[j] else v for j, v in enumerate(line)] for line in right]
        mask = ", %o"
    if scale:
        source = random.Random(seed + "scales")
        for matrix, rows, at, first in ((left, m, at_scales, ids[0]), (list(zip(*right)), n, at_scales + 4, ids[1])):
            for r in range(rows):
                word = source.getrandbits(32)
                spans = vector if sparse is None else 2 * vector
                for s in range(k // spans):
                    byte, value = source.choice(SCALES[scale])
                    place = 8 * (first + s)
                    word = word & ~(255 << place) | byte << place
                    for j in range(s * spans, (s + 1) * spans):
                        if rows == m and matrix is left:
                            left[r][j] *= value
                        else:
                            right[j][r] *= value
                for quarter in range(4):
                    cells[32 * quarter + r % 32][at + r // 32] = word
    sign = -1 if signs[0] != signs[1] else 1
    start = [[Fraction(v, 1 << (shift or 0)) if adds else Fraction(0) for v in line] for line in c]
    d = product([[sign * v for v in line] for line in left], right, start)
    if d_type == "s32":
        d = [[max(-(1 << 31), min((1 << 31) - 1, int(v))) if saturates else wrap(int(v)) for v in line] for line in d]
    after = [list(line) for line in cells]
    for i in range(m):
        for j in range(n):
            lane, column = where(i, j, n)
            if not skipped or not skipped[lane // 32] >> lane % 32 & 1:
                after[lane][column] = encode(d[i][j], d_type)

    images, highs = {}, {}
    for index, (key, matrix, type_) in enumerate((("a", a, a_type), ("b", list(zip(*b)), b_type))):
        if key == "a" and from_tensor:
            continue
        rows = [row_bytes(line, type_, small) for line in matrix]
        placed, leading, stride, size = (turned_places(rows, BITS[type_] // 8, modes[index]) if turned[index]
                                         else places(rows, modes[index]))
        images[key] = image(placed, size)
        highs[key] = (leading >> 4) << 16 | (stride >> 4) << 32 | 1 << 46 | modes[index] << 61
    four = kind in ("mxf4", "mxf4nvf4")
    desc = ((1 if four else NUMBERS[a_type]) << 7 | (1 if four else NUMBERS[b_type]) << 10 | signs[0] << 13 | signs[1] << 14 |
            turned[0] << 15 | turned[1] << 16 | (n // 8) << 17 | (m // 16) << 24)
    if sparse is not None:
        desc |= 4 | sparse
    if scale:
        desc |= (scale == "ue8m0") << 23 | ids[0] << 29 | ids[1] << 4
    else:
        desc |= RESULTS[d_type] << 4 | int(saturates) << 3
    lines, offset = [], 0
    for key, words_ in images.items():
        lines += [f"add.u32 %u, %s, {offset};", "shr.u32 %u, %u, 4;", f"cvt.u64.u32 %d{key}, %u;",
                  f"or.b64 %d{key}, %d{key}, 0x{highs[key]:x};"]
        offset += 4 * len(words_)
    lines += [f"mov.b32 %desc, {desc};", f"setp.{'eq' if adds else 'ne'}.u32 %add, %t, 0;"]
    first = "%da"
    if from_tensor:
        lines.append(f"add.u32 %i, %base, {at_a};")
        first = "[%i]"
    tail = ""
    if scale:
        lines += [f"add.u32 %u, %base, {at_scales};", f"add.u32 %w, %base, {at_scales + 4};"]
        tail = ", [%u], [%w]"
    if skipped:
        lines += [f"mov.b32 %k{q}, {skipped[q]};" for q in range(4)]
        tail = ", {%k0, %k1, %k2, %k3}"
    meta = ""
    if sparse is not None:
        lines.append("add.u32 %i, %base, 48;")
        meta = ", [%i]"
    if zero:
        lines.append(f"mov.b64 %o, 0x{descriptor:x};")
    lines.append(f"{form} [%base], {first}, %db{meta}, %desc{tail}, %add{mask if shift is None else f', {shift}'};")
    params = [In(key, "b32", words_) for key, words_ in images.items()]
    params += [In("c", "b32", flat(cells), number_of(seed), choices), Out("d", "b32", flat(after))]
    title = f"{form}.{d_type}.{a_type}.{b_type}".replace("::", "_") + (f".m{m}" if m != 128 else "")
    return f"{FOLDER}{title}{'.' + name if name else ''}.ptx", file(
        form, MODEL, params, kernel(columns, images, lines, registers=".reg .b32 %k<4>;"), block="128", **BLACKWELL)


def files():
    for shape, times in (("32x32b", 1), ("32x32b", 8), ("32x32b", 16), ("32x32b", 32), ("16x64b", 1), ("16x64b", 4),
                         ("16x128b", 1), ("16x128b", 4), ("16x256b", 1), ("16x256b", 4)):
        yield from move(shape, times, "")
    for shape, times in (("32x32b", 4), ("16x64b", 2), ("16x128b", 2), ("16x256b", 1)):
        yield from move(shape, times, "halves")
    yield from move("16x256b", 2, "", upper=1)
    yield from move("16x32bx2", 4, "", split=16)
    yield from move("16x32bx2", 2, "halves", split=8)
    for op, words, type_, times in (("max", "", "f32", 8), ("min", "", "f32", 4), ("max", ".abs", "f32", 2), ("min", ".NaN", "f32", 8),
                                    ("min", ".abs.NaN", "f32", 16), ("max", "", "u32", 4), ("min", "", "u32", 2),
                                    ("max", "", "s32", 2), ("min", "", "s32", 32)):
        yield reduced(op, words, type_, times)
    yield reduced("max", "", "f32", 4, "16x32bx2", 16)
    yield reduced("min", "", "s32", 8, "16x32bx2", 8)
    yield copy("128x256b", "", 128, 32, lambda r: [r])
    yield copy("128x128b", "", 128, 16, lambda r: [r])
    yield copy("4x256b", "", 4, 32, lambda r: [32 * r])
    yield copy("64x128b", ".warpx2::02_13", 64, 16, lambda r: [r, r + 64])
    yield copy("64x128b", ".warpx2::01_23", 64, 16, lambda r: [r % 32 + r // 32 * 64, r % 32 + r // 32 * 64 + 32])
    yield copy("32x128b", ".warpx4", 32, 16, lambda r: [r, r + 32, r + 64, r + 96])
    yield copy("128x256b", ".b8x16.b4x16_p64", 128, 32, lambda r: [r], packed=4)
    yield copy("128x128b", ".b8x16.b6x16_p32", 128, 16, lambda r: [r], packed=6)
    for mode in (0, 2, 4, 6):
        width = WIDTH[mode] or "no"
        yield mma("f16", "f32", "f16", "f16", f"swizzle_{width}", modes=(mode, mode))
        yield mma("f16", "f32", "bf16", "bf16", f"turned_swizzle_{width}", m=64, n=64 if mode else 16, modes=(mode, mode),
                  turned=(1, 1))
        yield mma("f8f6f4", "f32", "e4m3", "e5m2", f"turned_swizzle_{width}", n=32, m=128, modes=(mode, 6 if mode else 0),
                  turned=(1, 1))
    yield mma("tf32", "f32", "tf32", "tf32", "turned_by_32", n=32, modes=(1, 1), turned=(1, 1))
    yield mma("f16", "f32", "f16", "bf16", "other_types", m=64, modes=(2, 0))
    yield mma("f16", "f16", "f16", "f16", "halves")
    yield mma("f16", "f32", "f16", "f16", "not_added", adds=False)
    yield mma("f16", "f32", "f16", "f16", "negative", signs=(1, 0))
    yield mma("f16", "f32", "f16", "f16", "both_negative", signs=(1, 1), m=64)
    yield mma("f16", "f32", "f16", "f16", "skipped_lanes", skipped=(0xf, 0, 0x80000001, 0xffff0000))
    yield mma("f16", "f32", "f16", "f16", "divided", shift=3)
    yield mma("tf32", "f32", "tf32", "tf32", "", modes=(2, 4))
    yield mma("i8", "s32", "s8", "u8", "", n=32)
    yield mma("i8", "s32", "u8", "s8", "turned", modes=(6, 6), m=64, n=32, turned=(0, 1))
    for kind, type_ in (("f16", "bf16"), ("tf32", "tf32"), ("f8f6f4", "e4m3"), ("f8f6f4", "e2m1"), ("i8", "s8")):
        yield mma(kind, "s32" if kind == "i8" else "f32", type_, type_, "from_tensor", from_tensor=True)
    yield mma("f16", "f32", "f16", "f16", "from_tensor", m=64, from_tensor=True)
    for a_type, b_type in (("e4m3", "e2m1"), ("e2m1", "e5m2"), ("e2m3", "e3m2"), ("e3m2", "e2m3"), ("e5m2", "e4m3")):
        yield mma("f8f6f4", "f32", a_type, b_type)
    yield mma("f8f6f4", "f16", "e4m3", "e4m3", "halves")
    for m in (32, 64, 128):
        yield mma("f16", "f32", "f16", "f16", "", m=m, n=64, ws=True, modes=(2, 2))
    yield mma("i8", "s32", "s8", "s8", "", m=32, n=64, ws=True)
    yield mma("f16", "f32", "f16", "f16", "no_mask", m=32, n=64, ws=True, shift=0)  # the descriptor of a mask of no column
    # The second to the fourth of the ISA's examples, and one with longer spans.
    yield mma("f16", "f32", "f16", "f16", "zero_columns", m=128, n=64, ws=True, zero=((0,), (0,), 2, 3))
    yield mma("f16", "f32", "f16", "f16", "zero_columns", m=64, n=64, ws=True, zero=((0, 0), (1, 0), 2, 3))
    yield mma("f16", "f32", "f16", "f16", "zero_columns", m=32, n=64, ws=True, zero=((0, 1, 2, 1), (1, 1, 0, 0), 2, 3))
    yield mma("i8", "s32", "s8", "s8", "zero_columns", m=64, n=64, ws=True, zero=((5, 9), (0, 1), 10, 6))
    yield mma("f16", "f32", "f16", "f16", "", ws=True, sparse=0)
    for a_type, b_type, ids in (("e4m3", "e4m3", (0, 3)), ("e2m1", "e5m2", (2, 1)), ("e3m2", "e2m3", (1, 0))):
        yield mma("mxf8f6f4", "f32", a_type, b_type, "", scale="ue8m0", vector=32, ids=ids, words=".block_scale")
    yield mma("mxf4", "f32", "e2m1", "e2m1", "", scale="ue8m0", vector=32, ids=(2, 0), words=".block_scale.scale_vec::2X")
    yield mma("mxf4nvf4", "f32", "e2m1", "e2m1", "", scale="ue4m3", vector=16, words=".block_scale.scale_vec::4X")
    yield mma("mxf4nvf4", "f32", "e2m1", "e2m1", "", scale="ue8m0", vector=32, ids=(0, 2), words=".block_scale.block32")
    for type_ in ("f16", "bf16"):
        yield mma("f16", "f32", type_, type_, "", modes=(6, 4), sparse=int(type_ == "bf16"))
    yield mma("tf32", "f32", "tf32", "tf32", "", modes=(2, 2), sparse=0)
    yield mma("f8f6f4", "f32", "e4m3", "e5m2", "", modes=(4, 2), sparse=0)
    yield mma("f8f6f4", "f32", "e2m1", "e3m2", "", sparse=0)
    yield mma("i8", "s32", "s8", "u8", "", sparse=0)
    yield mma("mxf8f6f4", "f32", "e4m3", "e2m3", "", scale="ue8m0", vector=32, ids=(1, 2), words=".block_scale", sparse=0)
    yield mma("mxf4nvf4", "f32", "e2m1", "e2m1", "", scale="ue4m3", vector=16, words=".block_scale.scale_vec::4X", sparse=0)
    for word in ("fill", "use", "lastuse", "discard"):
        yield mma("f16", "f32", "f16", "f16", "", words=f".collector::a::{word}")
        for buffer in range(4):
            yield mma("f16", "f32", "f16", "f16", "", m=32, n=64, ws=True, words=f".collector::b{buffer}::{word}")
    yield mma("mxf4nvf4", "f32", "e2m1", "e2m1", "", scale="ue4m3", vector=16, words=".block_scale.block16")
    yield mma("mxf8f6f4", "f32", "e4m3", "e4m3", "", scale="ue8m0", vector=32, words=".block_scale.scale_vec::1X")
