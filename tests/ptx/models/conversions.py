# SPDX-License-Identifier: GPL-3.0-or-later
"""cvt between whole numbers and f32, f64: PTX ISA, "Data Movement and Conversion Instructions: cvt"."""
import math
from fractions import Fraction

from files import In, Out, bits, draws, edges, lanewise, number, width
from floats import corners, drawn
from ieee import OF

MODEL = "conversions"
FOLDER = "convert/"
WHOLE = ("u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64")


def clamp(v, t):
    n = width(t)
    low, high = (-(1 << (n - 1)), (1 << (n - 1)) - 1) if t[0] == "s" else (0, (1 << n) - 1)
    return max(low, min(high, v))


def file(form, ins, outs, code, registers=""):
    return FOLDER + form + ".ptx", lanewise(form, MODEL, ins, outs, code, registers)


def result_type(t):
    """Results narrower than 32 bits go to a register of 32 and are extended there by their sign."""
    return t if width(t) >= 32 else f"{t[0]}32"


def whole_to_whole():
    for source in WHOLE:
        a = edges(source) + draws("cvt", 20, source)
        for to in WHOLE:
            for sat in (False, True):
                if sat and all(clamp(number(v, source), to) == number(v, source) for v in edges(source)):
                    continue  # PTX has no .sat where everything fits
                form = f"cvt{'.sat' * sat}.{to}.{source}"
                out = []
                for v in a:
                    v = number(v, source)
                    v = clamp(v, to) if sat else number(v & ((1 << width(to)) - 1), to)
                    out.append(bits(v, result_type(to)))
                yield file(form, [In("a", source, a)], [Out("d", result_type(to), out)], f"{form} %d, %a;")


ROUND = {
    "rni": round,  # of a fraction: to nearest, ties to even
    "rzi": lambda v: int(v), "rmi": math.floor, "rpi": math.ceil,
}


def float_values(t):
    f = OF[t]
    near = []
    for limit in (1 << 7, 1 << 8, 1 << 15, 1 << 16, 1 << 31, 1 << 32, 1 << 63, 1 << 64):
        for v in (limit - 1, limit, limit + 1, -limit, -limit - 1, limit - Fraction(1, 2)):
            near.append(f.round(v))
    halves = [f.round(Fraction(k, 4)) for k in (1, 2, 3, 5, 6, 7, 9, 10, 11, -1, -2, -3, -5, -6, -7, -10)]
    return list(dict.fromkeys(corners(f) + near + halves + drawn(f, "to whole", 12)))


def to_whole(v, source, to, mode, ftz=False):
    f = OF[source]
    if f.is_nan(v):  # the highest bit alone if either side has 64 bits
        return 1 << (width(to) - 1) if source == "f64" or width(to) == 64 else 0
    v = f.flushed(v) if ftz else v
    if f.is_infinite(v):
        return clamp(-(1 << 70) if f.is_negative(v) else 1 << 70, to)
    return clamp(ROUND[mode](f.value(v)), to)


def float_to_whole():
    for source in ("f32", "f64"):
        a = float_values(source)
        for to in WHOLE:
            for mode in ROUND:
                if width(to) < 32 and mode in ("rmi", "rpi"):
                    continue
                for words in ("", "ftz", "sat"):
                    if words == "ftz" and (source == "f64" or to not in ("s32", "u64")):
                        continue
                    if words == "sat" and (to not in ("u8", "s16", "s32", "u64") or mode != "rzi"):
                        continue
                    # Whether a NaN becomes 0 in eight and sixteen bits of a double is told for registers of that width.
                    kept = [v for v in a if not (OF[source].is_nan(v) and width(to) < 32)]
                    form = ".".join(w for w in ("cvt", mode, words, to, source) if w)
                    out = [bits(number(to_whole(v, source, to, mode, words == "ftz"), to), result_type(to))
                           for v in kept]
                    yield file(form, [In("a", source, kept)], [Out("d", result_type(to), out)], f"{form} %d, %a;")


def whole_to_float():
    for source in WHOLE:
        a = edges(source) + draws("to float", 30, source)
        n = width(source)
        a += [bits(v, source) for k in (23, 24, 25, 52, 53, 54) for v in ((1 << k) + 1, (1 << k) - 1, (1 << k) + (1 << (k // 2)))
              if k < n - 1]
        for to in ("f32", "f64"):
            for mode in ("rn", "rz", "rm", "rp"):
                if n < 32 and mode != "rn" and (source, mode) not in (("u8", "rz"), ("s16", "rm")):
                    continue  # exact whatever the rounding
                form = f"cvt.{mode}.{to}.{source}"
                out = [OF[to].round(number(v, source), mode) for v in a]
                yield file(form, [In("a", source, a)], [Out("d", to, out)], f"{form} %d, %a;")
    a = [0, 1, 2, 0xffffffff, 0x80000000, 5, 0x7fffffff, 0xfffffff0]
    for source in ("s32", "u32"):
        for to in ("f32", "f64"):
            form = f"cvt.rn.sat.{to}.{source}"
            yield file(form, [In("a", source, a)],
                       [Out("d", to, [OF[to].round(max(0, min(1, number(v, source)))) for v in a])], f"{form} %d, %a;")


def saturated(f, v):
    if f.is_nan(v):
        return 0
    if v == f.sign:
        return None  # the sign of a zero that was clamped
    return 0 if f.is_negative(v) else min(v, f.bias << f.fraction)


def float_to_float():
    single, double = OF["f32"], OF["f64"]

    def resized(v, source, to, mode):
        if source.is_nan(v):
            return to.nan
        sign = to.sign if source.is_negative(v) else 0
        return sign | to.infinity if source.is_infinite(v) else to.round(source.value(v), mode, bool(sign))
    a = float_values("f32")
    for words in ("", "ftz", "sat"):
        form = ".".join(w for w in ("cvt", words, "f64.f32") if w)
        rows = []
        for v in a:
            out = resized(single.flushed(v) if words == "ftz" else v, single, double, "rn")
            out = saturated(double, out) if words == "sat" else out
            if out is not None:
                rows.append((v, out))
        yield file(form, [In("a", "f32", [r[0] for r in rows])], [Out("d", "f64", [r[1] for r in rows])],
                   f"{form} %d, %a;")
    # Doubles between two floats, at ties, at the edges of what f32 holds.
    a = float_values("f64")
    for base in (1, Fraction(3, 2), Fraction(1, 1 << 126), Fraction(1, 1 << 130), Fraction(1, 1 << 149), (1 << 128) - (1 << 104)):
        unit = single.value(single.round(base) + 1) - single.value(single.round(base)) if base < 1 << 127 else 1 << 104
        for part in (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), Fraction(1, 2) + Fraction(1, 1 << 20)):
            for sign in (1, -1):
                a.append(double.round(sign * (base + unit * part)))
                a.append(double.round(sign * (base + unit * (1 + part))))
    a = list(dict.fromkeys(a))
    for mode in ("rn", "rz", "rm", "rp"):
        for words in ("", "ftz", "sat"):
            form = ".".join(w for w in ("cvt", mode, words, "f32.f64") if w)
            rows = []
            for v in a:
                out = resized(v, double, single, mode)
                if words == "ftz":
                    if out & (single.sign - 1) == 1 << 23 and double.value(v) != single.value(out):
                        continue  # small before rounding, not after it
                    out = single.flushed(out)
                if words == "sat":
                    out = saturated(single, out)
                if out is not None:
                    rows.append((v, out))
            yield file(form, [In("a", "f64", [r[0] for r in rows])], [Out("d", "f32", [r[1] for r in rows])],
                       f"{form} %d, %a;")
    # To whole numbers that stay floats.
    for t in ("f32", "f64"):
        f = OF[t]
        for mode, function in ROUND.items():
            for words in ("", "ftz", "sat"):
                if words == "ftz" and t == "f64":
                    continue
                form = ".".join(w for w in ("cvt", mode, words, t, t) if w)
                rows = []
                for v in float_values(t):
                    if f.is_nan(v):
                        out = f.nan
                    elif f.is_infinite(v):
                        out = v
                    else:
                        seen = f.flushed(v) if words == "ftz" else v
                        out = f.round(function(f.value(seen)), "rn", f.is_negative(v))
                    out = saturated(f, out) if words == "sat" else out
                    if out is not None:
                        rows.append((v, out))
                yield file(form, [In("a", t, [r[0] for r in rows])], [Out("d", t, [r[1] for r in rows])], f"{form} %d, %a;")


def small_floats():
    """Between f16, bf16 and the larger ones; raw registers of sixteen bits."""
    raw = {"f16": "b16", "bf16": "b16"}

    def one(mode, words, to, source):
        of, into = OF[source], OF[to]
        form = ".".join(w for w in ("cvt", mode, words, to, source) if w)
        rows = []
        for v in corners(of) + drawn(of, form, 40):
            if of.is_nan(v):
                continue  # which NaN comes is told for each type elsewhere
            sign = into.sign if of.is_negative(v) else 0
            # An infinity stays one, and everything else is rounded.
            out = sign | into.infinity if of.is_infinite(v) else into.round(of.value(v), mode or "rn", bool(sign))
            out = saturated(into, out) if words == "sat" else out
            if out is not None:
                rows.append((v, out))
        return file(form, [In("a", raw.get(source, source), [r[0] for r in rows])],
                    [Out("d", raw.get(to, to), [r[1] for r in rows])], f"{form} %d, %a;")
    for mode in ("rm", "rp"):
        yield one(mode, "", "bf16", "f32")
    for to in ("f32", "f64"):
        for mode in ("rn", "rz", "rm", "rp"):
            yield one(mode, "", to, "bf16")
    yield one("", "sat", "f16", "f16")
    yield one("rn", "sat", "f16", "f64")
    yield one("", "sat", "f32", "f16")
    yield one("", "sat", "f64", "f16")
    a = edges("u8")
    yield file("cvt.rn.ftz.f32.u8", [In("a", "u8", a)], [Out("d", "f32", [OF["f32"].round(v) for v in a])],
               "cvt.rn.ftz.f32.u8 %d, %a;")


def files():
    for family in (whole_to_whole, float_to_whole, whole_to_float, float_to_float, small_floats):
        yield from family()
