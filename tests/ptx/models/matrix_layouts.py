# SPDX-License-Identifier: GPL-3.0-or-later
"""Fragments of matrices as the PTX ISA lists them ("Matrix Fragments for mma"), shape by shape, and number formats.

No rule is drawn from the lists: each is written down as it stands there. g is groupID (lane / 4), t is threadID_in_group
(lane % 4), i the number of the element in the lane.
"""
import random
import struct
from fractions import Fraction

BITS = {"f16": 16, "bf16": 16, "tf32": 32, "f32": 32, "f64": 64, "s32": 32, "s8": 8, "u8": 8, "s4": 4, "u4": 4, "b1": 1,
        "e4m3": 8, "e5m2": 8, "e3m2": 8, "e2m3": 8, "e2m1": 4}


def a_of(m, k, bits, lane, i):
    """(row, column) of a's element i; k as it is stored: half of a sparse one."""
    g, t = lane >> 2, lane & 3
    low = {
        (16, 8): lambda: (g if i < 2 else g + 8, 2 * t + (i & 1)),
        (16, 16): lambda: (g if i < 2 or 4 <= i < 6 else g + 8, 2 * t + (i & 1) + (8 if i >= 4 else 0)),
        (32, 4): lambda: (g if i == 0 else g + 8, t),
        (32, 8): lambda: (g if i in (0, 2) else g + 8, t + (4 if i >= 2 else 0)),
        (64, 4): lambda: (g if i == 0 else g + 8, t),
        (64, 8): lambda: (g if i in (0, 2) else g + 8, t + (4 if i >= 2 else 0)),
        (64, 16): lambda: (g if i % 2 == 0 else g + 8, t + 4 * (i // 2)),
        (8, 16): lambda: (g if i < 4 else g + 8, 4 * t + (i & 3)),
        (8, 32): lambda: (g if i < 4 or 8 <= i < 12 else g + 8, 4 * t + (i & 3) + (16 if i >= 8 else 0)),
        (4, 32): lambda: (g if i < 8 else g + 8, 8 * t + (i & 7)),
        (4, 64): lambda: (g if i < 8 or 16 <= i < 24 else g + 8, 8 * t + (i & 7) + (32 if i >= 16 else 0)),
        (1, 128): lambda: (g if i < 32 else g + 8, 32 * t + (i & 31)),
        (1, 256): lambda: (g if i < 32 or 64 <= i < 96 else g + 8, 32 * t + (i & 31) + (128 if i >= 64 else 0)),
    }
    if m == 8:
        return {64: (g, t), 8: (g, 4 * t + i), 4: (g, 8 * t + i), 1: (g, 32 * t + i)}[bits]
    return low[bits, k]()


def b_of(k, bits, lane, i):
    g, t = lane >> 2, lane & 3
    rows = {
        (16, 8): lambda: 2 * t + i,
        (16, 16): lambda: 2 * t + (i & 1) + (8 if i >= 2 else 0),
        (16, 32): lambda: 2 * t + (i & 1) + (0 if i < 2 else 8 if i < 4 else 16 if i < 6 else 24),
        (32, 4): lambda: t,
        (32, 8): lambda: t + 4 * i,
        (32, 16): lambda: t + 4 * i,
        (64, 4): lambda: t,
        (64, 8): lambda: t + 4 * i,
        (64, 16): lambda: t + 4 * i,
        (8, 16): lambda: 4 * t + i,
        (8, 32): lambda: 4 * t + (i & 3) + (16 if i >= 4 else 0),
        (8, 64): lambda: 4 * t + (i & 3) + (0 if i < 4 else 16 if i < 8 else 32 if i < 12 else 48),
        (4, 32): lambda: 8 * t + i,
        (4, 64): lambda: 8 * t + (i & 7) + (32 if i >= 8 else 0),
        (4, 128): lambda: 8 * t + (i & 7) + (0 if i < 8 else 32 if i < 16 else 64 if i < 24 else 96),
        (1, 128): lambda: 32 * t + i,
        (1, 256): lambda: 32 * t + (i & 31) + (128 if i >= 32 else 0),
    }
    return rows[bits, k](), g


def c_of(m, lane, i):
    g, t = lane >> 2, lane & 3
    return (g if i < 2 or m == 8 else g + 8), 2 * t + (i & 1)


def quad_a(row_major, lane, i):
    if row_major:
        return (lane % 4 if lane < 16 else lane % 4 + 4), i
    return (i % 4 if lane < 16 else i % 4 + 4), lane % 4


def quad_b(row_major, lane, i):
    if row_major:
        return lane % 4, (i if lane < 16 else i + 4)
    return i, (lane % 4 if lane < 16 else lane % 4 + 4)


def quad_c(type_, lane, i):
    if type_ == "f16":
        return (lane % 4 if lane < 16 else lane % 4 + 4), i
    x = (lane & 0b1) + (i & 0b10)
    return (x if lane < 16 else x + 4), (i & 0b100) + (lane & 0b10) + (i & 0b1)


def small_float(value, exponent_bits, fraction_bits):
    """The bits of a number that the format holds exactly."""
    sign = 1 if value < 0 else 0
    value, bias = abs(Fraction(value)), (1 << (exponent_bits - 1)) - 1
    if value == 0:
        return sign << (exponent_bits + fraction_bits)
    e = 0
    while value >= 2:
        value, e = value / 2, e + 1
    while value < 1:
        value, e = value * 2, e - 1
    if e < 1 - bias:
        value, biased = value / (1 << (1 - bias - e)), 0
    else:
        value, biased = value - 1, e + bias
    fraction = value * (1 << fraction_bits)
    assert fraction.denominator == 1 and biased < (1 << exponent_bits), value
    return sign << (exponent_bits + fraction_bits) | biased << fraction_bits | int(fraction)


FORMATS = {"f16": (5, 10), "bf16": (8, 7), "tf32": (8, 10), "f32": (8, 23), "f64": (11, 52), "e4m3": (4, 3),
           "e5m2": (5, 2)}


def encode(value, type_):
    if type_ in FORMATS:
        bits = small_float(value, *FORMATS[type_])
        return bits << 13 if type_ == "tf32" else bits
    return int(value) & ((1 << BITS[type_]) - 1)


def pack(cells, type_, matrix):
    """cells[lane]: places of its elements -> registers, [register * 32 + lane]."""
    bits = BITS[type_]
    each = max(1, 32 // bits)
    registers = len(cells[0]) // each
    return [sum(encode(matrix[r][c], type_) << (bits * j)
                for j, (r, c) in enumerate(cells[lane][reg * each:(reg + 1) * each]))
            for reg in range(registers) for lane in range(32)]


def drawn(seed, rows, columns, type_, largest=None):
    """A matrix whose products and sums every format of a result holds exactly."""
    source = random.Random(f"{seed} {rows} {columns} {type_}")
    if largest is None:
        ranges = {"s8": (-128, 127), "u8": (0, 255), "s4": (-8, 7), "u4": (0, 15), "b1": (0, 1), "s32": (-100000, 100000)}
        low, high = ranges.get(type_, (-4, 4))
    else:
        low, high = -largest, largest
    return [[source.randint(low, high) for _ in range(columns)] for _ in range(rows)]


def product(a, b, c):
    return [[c[i][j] + sum(a[i][k] * b[k][j] for k in range(len(b))) for j in range(len(b[0]))] for i in range(len(a))]


def scattered(source, there, k, type_):
    """What is there of sparse rows, two of four elements (tf32: one of two; four bits: two of four pairs) -> the rows of k
    elements, and the metadata of each, its first group lowest."""
    full, rows = [[0] * k for _ in there], [0] * len(there)
    for row, elements in enumerate(there):
        if type_ == "tf32":
            for q in range(k // 2):
                place = source.randint(0, 1)
                full[row][2 * q + place] = elements[q]
                rows[row] |= (0b1110 if place else 0b0100) << (4 * q)
        else:
            pair = 2 if BITS[type_] == 4 else 1
            for q in range(k // (4 * pair)):
                first, second = sorted(source.sample(range(4), 2))
                rows[row] |= (first | second << 2) << (4 * q)
                for j in range(pair):
                    full[row][(4 * q + first) * pair + j] = elements[2 * q * pair + j]
                    full[row][(4 * q + second) * pair + j] = elements[(2 * q + 1) * pair + j]
    return full, rows


def metadata(rows, k, type_, selector):
    """Of sixteen rows, in the lanes of a warp. Lanes that are not asked hold words that would be wrong."""
    e = [0x4e4ee4e4 ^ lane for lane in range(32)]
    wide = BITS[type_] >= 16
    bits_of_row = k * (2 if type_ == "tf32" else 1) * 4 // (4 if BITS[type_] > 4 else 8)
    for g in range(8):
        if wide and bits_of_row == 16:
            e[4 * g + selector] = rows[g] | rows[g + 8] << 16
        elif wide:
            for part in range(2):
                e[4 * g + 2 * selector + part] = rows[g] >> (16 * part) & 0xffff | (rows[g + 8] >> (16 * part) & 0xffff) << 16
        elif bits_of_row == 32:
            e[4 * g + 2 * selector], e[4 * g + 2 * selector + 1] = rows[g], rows[g + 8]
        else:
            for part in range(2):
                e[4 * g + 2 * part] = rows[g] >> (32 * part) & 0xffffffff
                e[4 * g + 2 * part + 1] = rows[g + 8] >> (32 * part) & 0xffffffff
    return e


def wrap(v):
    return (v + (1 << 31)) % (1 << 32) - (1 << 31)


def clamp(v):
    return max(-(1 << 31), min((1 << 31) - 1, v))


def exponent(v, least):
    """Of a fraction, as a format whose smallest normal number has the exponent `least` has it."""
    v, e = abs(v), 0
    while v >= 2:
        v, e = v / 2, e + 1
    while v < 1:
        v, e = v * 2, e - 1
    return max(e, least)


def tensor_sum(pairs, c, fraction, least):
    """Products and accumulator as a tensor core adds them: cut at `fraction` bits below the largest exponent."""
    terms = [(x * y, exponent(x, least) + exponent(y, least)) for x, y in pairs if x and y]
    if c:
        terms.append((c, exponent(c, -126)))
    if not terms:
        return Fraction(0)
    unit = Fraction(2) ** (max(e for _, e in terms) - fraction)
    return sum(int(v / unit) for v, _ in terms) * unit


def cut(v, bits):
    """Towards zero, with so many bits behind the point."""
    if v == 0:
        return v
    unit = Fraction(2) ** (exponent(v, -126) - bits)
    return int(v / unit) * unit


def f32_bits(v):
    return struct.unpack("<I", struct.pack("<f", float(v)))[0]
