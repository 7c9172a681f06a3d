# SPDX-License-Identifier: GPL-3.0-or-later
"""Arithmetic of floats that is rounded rightly: PTX ISA, "Floating Point Instructions"."""
import random

import ieee
from ieee import OF
from files import In, Out, lanewise

MODEL = "floats"
FOLDER = "arithmetic/"
MODES = ("rn", "rz", "rm", "rp")


def corners(f):
    one = f.bias << f.fraction
    positive = [0, 1, (1 << f.fraction) - 1, 1 << f.fraction, (1 << f.fraction) + 1, one - 1, one, one + 1,
                one + (1 << (f.fraction - 1)), one + (1 << f.fraction), f.largest, f.largest - 1, f.infinity, f.nan]
    return [v | s for v in positive for s in (0, f.sign)]


def drawn(f, seed, count):
    """Numbers near one another, so that sums cancel and round; some are subnormal, some huge."""
    source = random.Random(f"{seed} {f.name}")
    out = []
    for k in range(count):
        spread = f.bias - 2 if k % 4 == 3 else f.fraction
        e = f.bias + source.randint(-spread, spread)
        out.append(source.getrandbits(1) << (f.width - 1) | max(0, e) << f.fraction | source.getrandbits(f.fraction))
    return out


def rows(f, seed, columns, count=96):
    """Corners against corners, thinned out, then ties and drawn numbers."""
    all_corners = corners(f)
    source = random.Random(f"{seed} {f.name} rows")
    chosen = [tuple(source.choice(all_corners) for _ in range(columns)) for _ in range(count // 2)]
    one = f.bias << f.fraction
    half_unit = (f.bias - f.fraction - 1) << f.fraction  # half a unit in the last place of 1: a tie
    ties = [(one, half_unit), (one + 1, half_unit), (one + 1, half_unit | f.sign), (one, half_unit + 1),
            (f.largest, (2 * f.bias - f.fraction - 1) << f.fraction)]
    if columns == 2:
        chosen += ties
    elif columns == 3:
        chosen += [(x, one, y) for x, y in ties]
    lists = [drawn(f, f"{seed} {k}", count - len(chosen)) for k in range(columns)]
    return chosen + list(zip(*lists))


class Rounded:
    """One instruction: its exact function of (format, bits ..., mode), with .ftz and .sat around it."""

    def __init__(self, name, columns, function):
        self.name, self.columns, self.function = name, columns, function

    def result(self, f, row, mode, ftz, sat):
        """None: left open."""
        if ftz:
            row = [f.flushed(v) for v in row]
        out = self.function(f, *row, mode)
        if ftz:
            # Whether a result is small is asked before or after rounding: where that differs, neither is right.
            if f.is_subnormal(out):
                out &= f.sign
            elif out & (f.sign - 1) == 1 << f.fraction and not self.exact(f, row, out):
                return None
        if sat:
            if f.is_nan(out):
                return 0
            if out == f.sign:
                return None  # the sign of a zero that was clamped
            one = f.bias << f.fraction
            out = 0 if f.is_negative(out) else min(out, one)
        return out

    def exact(self, f, row, out):
        return all(self.function(f, *row, mode) == out for mode in MODES)

    def file(self, type_, mode, ftz=False, sat=False, spelt=None):
        f = OF[type_]
        words = [self.name, mode if spelt is None else spelt, "ftz" * ftz, "sat" * sat, type_]
        form = ".".join(w for w in words if w)
        kept = []
        for row in rows(f, self.name, self.columns):
            out = self.result(f, row, mode, ftz, sat)
            if out is not None:
                kept.append((*row, out))
        names = "abc"[:self.columns]
        ins = [In(n, type_, [k[i] for k in kept]) for i, n in enumerate(names)]
        code = f"{form} %d, {', '.join('%' + n for n in names)};"
        return FOLDER + form + ".ptx", lanewise(form, MODEL, ins, [Out("d", type_, [k[-1] for k in kept])], code)


ADD = Rounded("add", 2, ieee.add)
SUB = Rounded("sub", 2, lambda f, a, b, mode: ieee.add(f, a, ieee.negated(f, b), mode))
MUL = Rounded("mul", 2, ieee.multiply)
FMA = Rounded("fma", 3, ieee.fused)
MAD = Rounded("mad", 3, ieee.fused)
DIV = Rounded("div", 2, ieee.divide)
RCP = Rounded("rcp", 1, lambda f, a, mode: ieee.divide(f, f.bias << f.fraction, a, mode))
SQRT = Rounded("sqrt", 1, ieee.root)


def rounded():
    for op in (ADD, SUB, MUL, FMA):
        for mode in MODES:
            yield op.file("f32", mode)
            yield op.file("f32", mode, ftz=True)
            yield op.file("f32", mode, sat=True)
            yield op.file("f64", mode)
        yield op.file("f32", "rn", ftz=True, sat=True)
        if op is not FMA:  # without a rounding it is to nearest, and may be fused with a neighbour
            yield op.file("f32", "rn", spelt="")
            yield op.file("f64", "rn", spelt="")
    for mode in MODES:
        yield MAD.file("f32", mode)
        yield MAD.file("f64", mode)
    yield MAD.file("f32", "rn", ftz=True)
    yield MAD.file("f32", "rn", sat=True)
    for op in (DIV, RCP, SQRT):
        for mode in MODES:
            yield op.file("f32", mode)
            yield op.file("f32", mode, ftz=True)
            yield op.file("f64", mode)


def ordered(f, v):
    """Key of a number in order; -0 below +0."""
    return -(v & (f.sign - 1)) - 1 if v & f.sign else v


def smaller_or_larger(f, values, larger, nan, xorsign):
    sign = 0
    if xorsign:
        for v in values:
            sign ^= v & f.sign
        values = [v & ~f.sign for v in values]
    numbers = [v for v in values if not f.is_nan(v)]
    if not numbers or (nan and len(numbers) < len(values)):
        return f.nan
    out = (max if larger else min)(numbers, key=lambda v: ordered(f, v))
    return out ^ sign if xorsign else out


def choices():
    for name in ("min", "max"):
        for type_, words in (("f32", ""), ("f32", "ftz"), ("f32", "NaN"), ("f32", "ftz.NaN"), ("f32", "xorsign.abs"),
                             ("f32", "NaN.xorsign.abs"), ("f32", "ftz.NaN.xorsign.abs"), ("f64", "")):
            f = OF[type_]
            form = ".".join(w for w in (name, words, type_) if w)
            kept = []
            for row in rows(f, "choice", 2) + [(0, f.sign), (f.sign, 0), (f.nan, 0), (f.sign, f.nan), (f.nan, f.nan)]:
                seen = [f.flushed(v) for v in row] if "ftz" in words else list(row)
                kept.append((*row, smaller_or_larger(f, seen, name == "max", "NaN" in words, "xorsign" in words)))
            yield FOLDER + form + ".ptx", lanewise(
                form, MODEL, [In("a", type_, [k[0] for k in kept]), In("b", type_, [k[1] for k in kept])],
                [Out("d", type_, [k[2] for k in kept])], f"{form} %d, %a, %b;")


def three_choices():
    """min and max of three, which need compute capability 10.0."""
    f = OF["f32"]
    for name in ("min", "max"):
        for words in ("", "ftz", "NaN", "abs", "ftz.NaN.abs"):
            form = ".".join(w for w in (name, words, "f32") if w)
            kept = []
            for row in rows(f, "three", 3):
                seen = [f.flushed(v) for v in row] if "ftz" in words else list(row)
                if "abs" in words:
                    seen = [v & ~f.sign for v in seen]
                kept.append((*row, smaller_or_larger(f, seen, name == "max", "NaN" in words, False)))
            ins = [In(n, "f32", [k[i] for k in kept]) for i, n in enumerate("abc")]
            yield FOLDER + form + ".three.ptx", lanewise(
                form + " of three", MODEL, ins, [Out("d", "f32", [k[3] for k in kept])], f"{form} %d, %a, %b, %c;",
                target="sm_100", version="8.8", arch="sm_100")


def signs():
    for type_ in ("f32", "f64"):
        f = OF[type_]
        a = corners(f) + drawn(f, "signs", 36)
        numbers = [v for v in a if not f.is_nan(v)]  # the sign of a NaN's result does not matter; that it is one does
        for ftz in (False, True):
            if ftz and type_ == "f64":
                continue
            for name, function in (("abs", lambda v: v & ~f.sign), ("neg", lambda v: v ^ f.sign)):
                form = f"{name}{'.ftz' * ftz}.{type_}"
                out = [function(f.flushed(v) if ftz else v) for v in a]
                yield FOLDER + form + ".ptx", lanewise(form, MODEL, [In("a", type_, a)], [Out("d", type_, out)],
                                                       f"{form} %d, %a;")
        b = numbers[7:] + numbers[:7]
        out = [y & ~f.sign | x & f.sign for x, y in zip(numbers, b)]
        yield FOLDER + f"copysign.{type_}.ptx", lanewise(
            f"copysign.{type_}", MODEL, [In("a", type_, numbers), In("b", type_, b)], [Out("d", type_, out)],
            f"copysign.{type_} %d, %a, %b;")


def files():
    for family in (rounded, choices, three_choices, signs):
        yield from family()
