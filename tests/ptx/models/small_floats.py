# SPDX-License-Identifier: GPL-3.0-or-later
"""cvt from and to f16, bf16, tf32 and the floats of eight, six and four bits: PTX ISA, "Data Movement and Conversion
Instructions: cvt". A format is the sorted list of all its numbers; rounding looks for the two neighbours of a fraction."""
import bisect
import itertools
from fractions import Fraction

from files import In, Out, bits, draws, edges, lanewise, number, width
from floats import corners, drawn
from ieee import F32, F64, OF

MODEL = "small_floats"
FOLDER = "convert/"
ROUND = {"rni": round, "rzi": int, "rmi": lambda v: v.numerator // v.denominator, "rpi": lambda v: -(-v.numerator // v.denominator)}


class Small:
    """Codes in ascending order of their values, which are not negative. infinity and nan: codes, if there are any."""

    def __init__(self, name, exponent, fraction, bias, largest, infinity=None, nan=None):
        self.name, self.infinity, self.nan, self.largest = name, infinity, nan, largest
        self.width = 1 + exponent + fraction
        self.sign = 1 << (self.width - 1)
        self.values = []
        for code in range(largest + 1):
            e, m = code >> fraction, code & ((1 << fraction) - 1)
            self.values.append(Fraction(m, 1 << fraction) * Fraction(2) ** (1 - bias) if e == 0
                               else (1 + Fraction(m, 1 << fraction)) * Fraction(2) ** (e - bias))
        self.next = 2 * self.values[-1] - self.values[-2]  # what would follow the largest

    def magnitude(self, size, mode, negative, random=0, random_bits=16):
        """The code of a size; one above the largest for what lies beyond it."""
        k = bisect.bisect_right(self.values, size) - 1
        low = self.values[k]
        high = self.values[k + 1] if k < self.largest else self.next
        if size == low:
            return k
        if size >= high:
            return self.largest + 1
        part = (size - low) / (high - low)
        if mode == "rn":
            up = part > Fraction(1, 2) or (part == Fraction(1, 2) and k % 2 == 1)
        elif mode == "rna":
            up = part >= Fraction(1, 2)
        elif mode == "rs":  # the discarded bits and the random ones carry
            up = int(part * (1 << random_bits)) + random >= 1 << random_bits
        else:
            up = (mode == "rp" and not negative) or (mode == "rm" and negative)
        return k + up

    def encode(self, f, v, mode, relu=False, satfinite=False, random=0, random_bits=16):
        """The code for the number of format f with these bits."""
        if f.is_nan(v):
            return self.largest if self.nan is None else self.nan
        negative = f.is_negative(v)
        limit = self.largest if satfinite or self.infinity is None else self.infinity
        if f.is_infinite(v):
            code = limit
        else:
            code = self.magnitude(abs(f.value(v)), mode, negative, random, random_bits)
            if code > self.largest:
                away = mode in ("rn", "rna", "rs") or (mode == "rp" and not negative) or (mode == "rm" and negative)
                code = limit if away else self.largest
        return 0 if relu and negative else code | (self.sign if negative else 0)

    def number(self, code):
        """The code as bits of an f32."""
        size = code & (self.sign - 1)
        sign = F32.sign if code & self.sign else 0
        if self.nan is not None and size > self.largest and size != self.infinity:
            return F32.nan
        if size == self.infinity:
            return sign | F32.infinity
        return sign | F32.round(self.values[size])


E4M3 = Small("e4m3", 4, 3, 7, 0x7e, None, 0x7f)
E5M2 = Small("e5m2", 5, 2, 15, 0x7b, 0x7c, 0x7f)
E2M3 = Small("e2m3", 2, 3, 1, 0x1f)
E3M2 = Small("e3m2", 3, 2, 3, 0x1f)
E2M1 = Small("e2m1", 2, 1, 1, 0x7)
SMALL = {s.name: s for s in (E4M3, E5M2, E2M3, E3M2, E2M1)}
HALF = {"f16": Small("f16", 5, 10, 15, 0x7bff, 0x7c00, 0x7fff), "bf16": Small("bf16", 8, 7, 127, 0x7f7f, 0x7f80, 0x7fff)}
TF32 = Small("tf32", 8, 10, 127, 0x3fbff, 0x3fc00, 0x3ffff)


def near(small, count=40):
    """f32 around numbers of the format, their midpoints and its ends."""
    top = small.values
    picks = sorted({0, 1, 2, 3, len(top) - 1, len(top) - 2, *range(0, len(top), max(1, len(top) // count))})
    out = []
    for k in picks:
        low, high = top[k], top[k + 1] if k < small.largest else small.next
        middle = (low + high) / 2
        for v in (low, middle, middle * (1 - Fraction(1, 1 << 22)), middle * (1 + Fraction(1, 1 << 22))):
            out.append(F32.round(v))
    out = [v | s for v in dict.fromkeys(out) for s in (0, F32.sign)]
    ends = [F32.round(small.next), F32.round(small.next) - 1, F32.round(small.next * 2), F32.largest, F32.infinity, F32.nan,
            F32.infinity | 1]
    return out + [v | s for v in ends for s in (0, F32.sign)]


def thinned(values, count):
    step = max(1, len(values) // count)
    return values[::step] + values[-14:]


def words(*parts):
    return ".".join(p for p in parts if p)


def one(form, ins, out, kind, code=None, registers="", **more):
    if "satfinite" in form:
        more.setdefault("version", "8.1")
    return FOLDER + form + ".ptx", lanewise(form, MODEL, ins, [Out("d", kind, out)], code or f"{form} %d, %a;", registers, **more)


def single_to_half():
    for name, small in HALF.items():
        a = thinned(near(small), 180)
        for mode, relu, finite in itertools.product(("rn", "rz"), (False, True), (False, True)):
            form = words("cvt", mode, "relu" * relu, "satfinite" * finite, name, "f32")
            yield one(form, [In("a", "f32", a)], [small.encode(F32, v, mode, relu, finite) for v in a], "b16")
            form = words("cvt", mode, "relu" * relu, "satfinite" * finite, name + "x2", "f32")
            b = a[5:] + a[:5]
            out = [small.encode(F32, v, mode, relu, finite) << 16 | small.encode(F32, w, mode, relu, finite)
                   for v, w in zip(a, b)]
            yield one(form, [In("a", "f32", a), In("b", "f32", b)], out, "b32", f"{form} %d, %a, %b;")
    f16 = HALF["f16"]
    a = thinned(near(f16), 180)
    for mode in ("rm", "rp"):
        form = f"cvt.{mode}.f16.f32"
        yield one(form, [In("a", "f32", a)], [f16.encode(F32, v, mode) for v in a], "b16")
    form = "cvt.rn.ftz.f16.f32"
    yield one(form, [In("a", "f32", a)], [f16.encode(F32, F32.flushed(v), "rn") for v in a], "b16")
    form, kept = "cvt.rn.sat.f16.f32", [v for v in a if v != F32.sign]
    out = [0 if F32.is_nan(v) or F32.is_negative(v) else min(f16.encode(F32, v, "rn"), 0x3c00) for v in kept]
    yield one(form, [In("a", "f32", kept)], out, "b16")


def halves_of(name, count=60):
    f = OF[name]
    return corners(f) + [0x7fff, f.infinity | 1] + drawn(f, "cvt", count) + [f.round(Fraction(k, 4)) for k in range(-11, 12)]


def half_to_others():
    for name in HALF:
        f, a = OF[name], halves_of(name)

        def wider(v, to):
            if f.is_nan(v):
                return to.nan
            sign = to.sign if f.is_negative(v) else 0
            return sign | to.infinity if f.is_infinite(v) else to.round(f.value(v), "rn", bool(sign))
        for to in ("f32", "f64"):
            form = f"cvt.{to}.{name}"
            yield one(form, [In("a", "b16", a)], [wider(v, OF[to]) for v in a], to)
        form = f"cvt.ftz.f32.{name}"
        yield one(form, [In("a", "b16", a)], [F32.flushed(wider(v, F32)) for v in a], "f32")
        for to, mode in itertools.product(("u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"), ROUND):
            if (to in ("u8", "s16", "u64") and mode != "rzi") or (to in ("s8", "u16") and mode != "rni"):
                continue
            if name == "bf16" and width(to) == 8:
                continue  # takes no register that is wider than the result, and none has eight bits
            n = width(to)
            low, high = (-(1 << (n - 1)), (1 << (n - 1)) - 1) if to[0] == "s" else (0, (1 << n) - 1)
            out = []
            for v in a:
                if f.is_nan(v):
                    r = 1 << 63 if n == 64 else 0
                elif f.is_infinite(v):
                    r = low if f.is_negative(v) else high
                else:
                    r = max(low, min(high, ROUND[mode](f.value(v))))
                out.append(r)
            kind = to if n >= 32 or name == "bf16" else f"{to[0]}32"
            form = f"cvt.{mode}.{to}.{name}"
            yield one(form, [In("a", "b16", a)], [bits(r, kind) for r in out], kind)
        numbers = [v for v in a if not f.is_nan(v)]
        for mode in ROUND:
            form = f"cvt.{mode}.{name}.{name}"
            out = [v if f.is_infinite(v) else f.round(Fraction(ROUND[mode](f.value(v))), "rn", f.is_negative(v)) for v in numbers]
            yield one(form, [In("a", "b16", numbers)], out, "b16")
    a = halves_of("f16")
    for mode in ("rn", "rz", "rm", "rp"):
        form = f"cvt.{mode}.bf16.f16"
        yield one(form, [In("a", "b16", a)], [HALF["bf16"].encode(OF["f16"], v, mode) for v in a], "b16")
    a = halves_of("bf16")
    for mode in ("rn", "rz", "rm", "rp"):
        form = f"cvt.{mode}.f16.bf16"
        yield one(form, [In("a", "b16", a)], [HALF["f16"].encode(OF["bf16"], v, mode) for v in a], "b16")


def others_to_half():
    for name, small in HALF.items():
        for source in ("u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"):
            if name == "bf16" and width(source) == 8:
                continue
            a = edges(source) + draws("half", 30, source)
            for k in (8, 9, 11, 12, 16, 17):
                a += [bits(v, source) for v in ((1 << k) + 1, (1 << k) + (1 << (k - 8)), (1 << k) - 1, 65519, 65520, 65504)
                      if v < 1 << (width(source) - 1)]
            for mode in ("rn", "rz", "rm", "rp") if source in ("s32", "u64") else ("rn",):
                out = []
                for v in a:
                    v = number(v, source)
                    code = small.magnitude(Fraction(abs(v)), mode, v < 0)
                    if code > small.largest:
                        away = mode == "rn" or (mode == "rp" and v > 0) or (mode == "rm" and v < 0)
                        code = small.infinity if away else small.largest
                    out.append(code | (small.sign if v < 0 else 0))
                form = f"cvt.{mode}.{name}.{source}"
                yield one(form, [In("a", source, a)], out, "b16")
        # Doubles that lie beside a tie by less than an f32 can tell.
        a = [v for v in corners(F64) if not F64.is_nan(v)]
        for k in thinned(list(range(1, small.largest)), 24):
            middle = (small.values[k] + small.values[k + 1]) / 2
            a += [F64.round(middle * (1 + Fraction(s, 1 << 50))) | n for s in (-1, 0, 1) for n in (0, F64.sign)]
        a += [F64.round((small.values[-1] + small.next) / 2 * (1 + Fraction(s, 1 << 50))) for s in (-1, 0, 1)]
        for mode in ("rn", "rz", "rm", "rp"):
            form = f"cvt.{mode}.{name}.f64"
            yield one(form, [In("a", "f64", a)], [small.encode(F64, v, mode) for v in a], "b16")


def to_tf32():
    a = thinned(near(TF32, 30), 200)
    for mode, relu, finite in (("rna", 0, 0), ("rna", 0, 1), ("rn", 0, 0), ("rn", 1, 0), ("rz", 0, 0), ("rz", 1, 0), ("rn", 0, 1),
                               ("rz", 1, 1), ("rz", 0, 1), ("rn", 1, 1)):
        form = words("cvt", mode, "satfinite" * finite, "relu" * relu, "tf32.f32")
        kept = [v for v in a if not (mode == "rna" and F32.is_nan(v))]  # what .rna makes of a NaN is not told
        out = [TF32.encode(F32, v, mode, relu, finite) << 13 for v in kept]
        newer = {"target": "sm_100", "version": "8.6", "arch": "sm_100"} if finite and mode != "rna" else {"version": "8.1"}
        yield one(form, [In("a", "f32", kept)], out, "b32", f"{form} %d, %a;\nand.b32 %d, %d, 0xffffe000;", **newer)


NEW = {"target": "sm_100a", "version": "8.7", "arch": "sm_100a"}
NEWER = {"target": "sm_100f", "version": "9.1", "arch": "sm_100f"}


def stride(small):
    return 4 if small.width == 4 else 8


def result_of_pair(form, small, ins, out, code=None, **more):
    if small.width > 4:
        return one(form, ins, out, "b16", code or f"{form} %d, %a;", **more)
    code = (code or f"{form} %d, %a;").replace("%d", "%byte") + "\nmov.b16 %d, {%byte, 0};"
    return one(form, ins, out, "b16", code, ".reg .b8 %byte;", **more)


def singles_to_pairs():
    for small in SMALL.values():
        more = {} if small.width == 8 else NEW
        a = thinned(near(small), 150)
        b = a[3:] + a[:3]
        for relu in (False, True):
            form = words("cvt.rn.satfinite", "relu" * relu, small.name + "x2", "f32")
            out = [small.encode(F32, v, "rn", relu, True) << stride(small) | small.encode(F32, w, "rn", relu, True)
                   for v, w in zip(a, b)]
            yield result_of_pair(form, small, [In("a", "f32", a), In("b", "f32", b)], out, f"{form} %d, %a, %b;", **more)


def halves_to_pairs():
    for small, name in itertools.product(SMALL.values(), ("f16", "bf16")):
        f = OF[name]
        more = NEWER if name == "bf16" or small.width < 8 else {}
        a = halves_of(name, 20) + [HALF[name].encode(F32, v, "rn") for v in thinned(near(small, 20), 60)]
        pairs = [v << 16 | w for v, w in zip(a, a[3:] + a[:3])]
        for relu in (False, True):
            form = words("cvt.rn.satfinite", "relu" * relu, small.name + "x2", name + "x2")
            out = [small.encode(f, p >> 16, "rn", relu, True) << stride(small) | small.encode(f, p & 0xffff, "rn", relu, True)
                   for p in pairs]
            yield result_of_pair(form, small, [In("a", "b32", pairs)], out, **more)


def pairs_to_halves():
    f16 = HALF["f16"]
    for small in SMALL.values():
        codes = list(range(2 * small.sign))
        a = [v << stride(small) | w for v, w in zip(codes, codes[7:] + codes[:7])]
        for relu in (False, True):
            form = words("cvt.rn", "relu" * relu, "f16x2", small.name + "x2")

            def half(code, relu=relu, small=small):
                return f16.encode(F32, small.number(code), "rn", relu)
            out = [half(v) << 16 | half(w) for v, w in zip(codes, codes[7:] + codes[:7])]
            if small.width > 4:
                yield one(form, [In("a", "b16", a)], out, "b32", **({} if small.width == 8 else NEW))
            else:
                yield one(form, [In("a", "b16", a)], out, "b32",
                          f"mov.b16 {{%low, %high}}, %a;\n{form} %d, %low;", ".reg .b8 %low, %high;", **NEW)


def exponents():
    """ue8m0: a power of two, 2^(code - 127); 255 is NaN."""
    def encode(f, v, mode, finite):
        top = 254 if finite else 255
        if f.is_nan(v):
            return 255
        if f.is_infinite(v):
            return top
        size, code = abs(f.value(v)), 0
        if size == 0:
            return 0
        while code < 255 and Fraction(2) ** (code + 1 - 127) <= size:
            code += 1
        if mode == "rp" and size > Fraction(2) ** (code - 127):
            code += 1
        return min(code, top)
    singles = corners(F32) + [F32.round(Fraction(2) ** k * m) for k in (-149, -130, -127, -126, -125, -1, 0, 5, 126, 127)
                              for m in (1, Fraction(3, 2), Fraction(7, 4))] + drawn(F32, "exponents", 24)
    halves = halves_of("bf16", 30)
    for mode, finite in itertools.product(("rz", "rp"), (False, True)):
        form = words("cvt", mode, "satfinite" * finite, "ue8m0x2.f32")
        b = singles[3:] + singles[:3]
        yield one(form, [In("a", "f32", singles), In("b", "f32", b)],
                  [encode(F32, v, mode, finite) << 8 | encode(F32, w, mode, finite) for v, w in zip(singles, b)], "b16",
                  f"{form} %d, %a, %b;", **NEW)
        form = words("cvt", mode, "satfinite" * finite, "ue8m0x2.bf16x2")
        b = halves[3:] + halves[:3]
        yield one(form, [In("a", "b32", [v << 16 | w for v, w in zip(halves, b)])],
                  [encode(OF["bf16"], v, mode, finite) << 8 | encode(OF["bf16"], w, mode, finite)
                   for v, w in zip(halves, b)], "b16", **NEW)
    bf16 = OF["bf16"]
    codes = list(range(256))
    out = [0x7fff if c == 255 else bf16.round(Fraction(2) ** (c - 127)) for c in codes]
    yield one("cvt.rn.bf16x2.ue8m0x2", [In("a", "b16", [c << 8 | codes[c - 9] for c in codes])],
              [out[c] << 16 | out[c - 9] for c in codes], "b32", **NEW)


def reversed16(v):
    return int(f"{v & 0xffff:016b}"[::-1], 2)


def stochastic():
    random = [0, 0xffffffff, 0x80008000, 0x7fff7fff, 0x00010001, 0x12345678, 0xfedcba98, 0x00ff00ff, 0xff00ff00, 0x1fff0000,
              0x00001fff, 0xdeadbeef]
    for name, small in HALF.items():
        a = thinned(near(small), 150)
        b = a[3:] + a[:3]
        r = [random[k % len(random)] for k in range(len(a))]
        n = 13 if name == "f16" else 16
        mask = (1 << n) - 1
        for relu, finite in itertools.product((False, True), (False, True)):
            form = words("cvt.rs", "relu" * relu, "satfinite" * finite, name + "x2", "f32")
            out = [small.encode(F32, v, "rs", relu, finite, bits_ >> 16 & mask, n) << 16 |
                   small.encode(F32, w, "rs", relu, finite, bits_ & mask, n) for v, w, bits_ in zip(a, b, r)]
            yield one(form, [In("a", "f32", a), In("b", "f32", b), In("r", "b32", r)], out, "b32",
                      f"{form} %d, %a, %b, %r;", **NEW)
    for small in SMALL.values():
        a = thinned(near(small), 150)
        columns = [a[k:] + a[:k] for k in (0, 3, 5, 9)]
        r = [random[k % len(random)] for k in range(len(a))]
        for relu in (False, True):
            form = words("cvt.rs", "relu" * relu, "satfinite", small.name + "x4", "f32")
            out = []
            for row, v in zip(zip(*columns), r):
                if small.width == 4:  # a byte of each half for each pair
                    shared = (v >> 8 & 0xff) | (v >> 24) << 8, (v & 0xff) | (v >> 16 & 0xff) << 8
                else:
                    shared = v >> 16, v & 0xffff
                each = (reversed16(shared[0]), shared[0], reversed16(shared[1]), shared[1])
                code = 0
                for x, own in zip(row, each):
                    code = code << stride(small) | small.encode(F32, x, "rs", relu, True, own)
                out.append(code)
            ins = [In(n, "f32", c) for n, c in zip("abef", columns)] + [In("r", "b32", r)]
            yield one(form, ins, out, "b16" if small.width == 4 else "b32", f"{form} %d, {{%a, %b, %e, %f}}, %r;", **NEW)


def packs():
    a = [bits(v, "s32") for v in (0, 1, -1, 2, -2, 3, 7, -8, 8, -9, 15, 16, 127, 128, -128, -129, 255, 256, 32767, 32768, -32768,
                                  -32769, 65535, 65536, (1 << 31) - 1, -(1 << 31))]
    b = a[5:] + a[:5]
    c = [(v * 0x9e3779b1 + 7) & 0xffffffff for v in range(len(a))]
    for to in ("u16", "s16", "u8", "s8", "u4", "s4", "u2", "s2"):
        n = int(to[1:])
        low, high = (-(1 << (n - 1)), (1 << (n - 1)) - 1) if to[0] == "s" else (0, (1 << n) - 1)

        def field(v):
            return max(low, min(high, number(v, "s32"))) & ((1 << n) - 1)
        ins = [In("a", "s32", a), In("b", "s32", b)]
        if n == 16:
            form, code = f"cvt.pack.sat.{to}.s32", "%d, %a, %b;"
        else:
            form, code = f"cvt.pack.sat.{to}.s32.b32", "%d, %a, %b, %c;"
            ins.append(In("c", "b32", c))
        out = [((w << 2 * n if n < 16 else 0) | field(u) << n | field(v)) & 0xffffffff for u, v, w in zip(a, b, c)]
        yield one(form, ins, out, "b32", f"{form} {code}")


def files():
    for family in (single_to_half, half_to_others, others_to_half, to_tf32, singles_to_pairs, halves_to_pairs, pairs_to_halves,
                   exponents, stochastic, packs):
        yield from family()
