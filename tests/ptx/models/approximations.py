# SPDX-License-Identifier: GPL-3.0-or-later
"""Instructions that the PTX ISA gives an error: what must come out is the exact result, rounded; `within` is that error.

Exact results are worked out with decimal numbers of sixty digits: logarithms and exponentials by decimal itself, sine and
cosine by their series.
"""
from decimal import Decimal, getcontext
from fractions import Fraction

from files import In, Out, lanewise
from floats import corners, drawn
from ieee import F32, F64, divide, root

MODEL = "approximations"
FOLDER = "arithmetic/"
getcontext().prec = 60
LN2 = Decimal(2).ln()
PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899")


def decimal(v):
    return Decimal(v.numerator) / Decimal(v.denominator)


def fraction(v):
    return Fraction(v)


def sine(x, cosine=False):
    x -= 2 * PI * (x / (2 * PI)).to_integral_value()
    term = Decimal(1) if cosine else x
    total, k = term, 0 if cosine else 1
    while term and (abs(term) > Decimal(10) ** -50 or k < 8):
        term = -term * x * x / ((k + 1) * (k + 2))
        total += term
        k += 2
    return total


def file(form, type_, rows, within):
    return FOLDER + form + ".ptx", lanewise(
        form, MODEL, [In("a", type_, [r[0] for r in rows])], [Out("d", type_, [r[1] for r in rows])],
        f"{form} %d, %a;", within=within)


def table(form, values, special, exact, within, ftz, type_="f32"):
    """special: what the ISA lists for a value, or None; exact: the result of a finite number as a fraction."""
    f = F32 if type_ == "f32" else F64
    rows = []
    for v in values:
        seen = f.flushed(v) if ftz else v
        out = f.nan if f.is_nan(v) else special(seen)
        if out is None:
            result = exact(f.value(seen))
            if ftz and result != 0 and abs(result) < f.tiny * Fraction(101, 100):
                continue  # at the edge of what is flushed
            out = f.round(result, "rn", f.is_negative(seen))
        rows.append((v, out))
    return file(form, type_, rows, within)


SIGN, INF, NAN, ONE = F32.sign, F32.infinity, F32.nan, F32.bias << 23
VALUES = corners(F32) + drawn(F32, "approximate", 60)


def reciprocals():
    for ftz in (False, True):
        dot = ".ftz" * ftz

        def of_zero_or_infinity(v):
            if F32.is_zero(v):
                return v | INF
            return v & SIGN if F32.is_infinite(v) else None
        # A reciprocal that is subnormal, or too large for f32, is left to rcp.rn.
        values = [v for v in VALUES if F32.is_nan(v) or F32.is_infinite(v) or F32.is_zero(v)
                  or Fraction(1, 1 << 125) < abs(F32.value(v)) < 1 << 125]
        yield table(f"rcp.approx{dot}.f32", values, of_zero_or_infinity, lambda v: 1 / v, "1 ulp", ftz)

        def of_root(v):
            if F32.is_zero(v) or v == INF:
                return v
            return NAN if F32.is_negative(v) else None
        # A negative subnormal number is in no row of the ISA's table.
        positive = [v for v in VALUES if not (F32.is_subnormal(v) and F32.is_negative(v))]
        yield table(f"sqrt.approx{dot}.f32", positive, of_root, lambda v: F32.value(root(F32, F32.round(v), "rn")),
                    "2^-22.9 relative", ftz)

        def of_inverse_root(v):
            if F32.is_zero(v):
                return v | INF
            return 0 if v == INF else NAN if F32.is_negative(v) else None
        yield table(f"rsqrt.approx{dot}.f32", positive, of_inverse_root,
                    lambda v: fraction(1 / decimal(v).sqrt()), "2^-22.9 relative", ftz)
    # rsqrt.approx.f64 is given no error; one unit in 2^20 holds even for one made from the upper word alone.
    big = F64.infinity

    def of_double(v):
        if F64.is_zero(v):
            return v | big
        return 0 if v == big else F64.nan if F64.is_negative(v) else None
    values = [v for v in corners(F64) + drawn(F64, "rsqrt", 40) if not F64.is_subnormal(v)]
    yield table("rsqrt.approx.f64", values, of_double, lambda v: fraction(1 / decimal(v).sqrt()), "2^-50 relative",
                False, "f64")


def upper_words():
    """rcp and rsqrt .approx.ftz.f64 read and write the upper 32 bits alone; the lower ones of the result are zero."""
    values = [v for v in corners(F64) + drawn(F64, "gross", 40)]
    for name in ("rcp", "rsqrt"):
        rows = []
        for v in values:
            if F64.is_nan(v):
                continue
            seen = F64.flushed(v & ~0xffffffff)
            if F64.is_zero(seen):
                out = v & F64.sign | F64.infinity
            elif F64.is_infinite(seen):
                out = v & F64.sign if name == "rcp" else (F64.nan if F64.is_negative(v) else 0)
            elif name == "rsqrt" and F64.is_negative(seen):
                out = F64.nan
            else:
                size = F64.value(seen)
                result = 1 / size if name == "rcp" else fraction(1 / decimal(size).sqrt())
                if abs(result) < F64.tiny * 2:
                    continue
                out = F64.round(result)
            rows.append((v, out))
        form = f"{name}.approx.ftz.f64"
        zeros = [0] * len(rows)
        yield FOLDER + form + ".ptx", lanewise(
            form, MODEL, [In("a", "f64", [r[0] for r in rows])],
            [Out("d", "f64", [r[1] for r in rows]), Out("low", "u32", zeros)],
            f"{form} %d, %a;\nmov.b64 {{%low, %high}}, %d;\nsetp.nan.f64 %p, %d, %d;\n@%p mov.u32 %low, 0;",
            registers=".reg .u32 %high;\n.reg .pred %p;", within="2^-19 relative")


def divisions():
    a = drawn(F32, "dividend", 70) + corners(F32)
    b = drawn(F32, "divisor", 70) + corners(F32)[5:] + corners(F32)[:5]
    for form, low, high in (("approx", -126, 126), ("full", -126, 128)):
        for ftz in (False, True):
            rows = []
            for x, y in zip(a, b):
                p, q = (F32.flushed(x), F32.flushed(y)) if ftz else (x, y)
                out = divide(F32, p, q, "rn")
                plain = not F32.is_nan(q) and not F32.is_infinite(q) and not F32.is_zero(q)
                if plain and not Fraction(2) ** low <= abs(F32.value(q)) <= Fraction(2) ** high:
                    continue
                if plain and form == "approx" and (F32.is_infinite(out) or F32.is_subnormal(out)
                                                   or F32.is_subnormal(p)):
                    continue  # the reciprocal in between may leave the range
                if ftz and F32.is_subnormal(out):
                    out &= SIGN
                if ftz and out & (SIGN - 1) == 1 << 23:
                    continue
                rows.append((x, y, out))
            name = f"div.{form}{'.ftz' * ftz}.f32"
            yield FOLDER + name + ".ptx", lanewise(
                name, MODEL, [In("a", "f32", [r[0] for r in rows]), In("b", "f32", [r[1] for r in rows])],
                [Out("d", "f32", [r[2] for r in rows])], f"{name} %d, %a, %b;", within="2 ulp")


def angles(limit):
    pi = Fraction("3.14159265358979323846264338327950288")
    out = [F32.round(pi * Fraction(k, 8)) for k in range(-8 * limit, 8 * limit + 1, max(1, limit // 4))]
    out += [F32.round(Fraction(k, 7) * limit / 3) for k in range(-20, 21)]
    return [v for v in out if abs(F32.value(v)) <= limit * pi] + [0, SIGN, INF, INF | SIGN, NAN]


def circles():
    for ftz in (False, True):
        for name in ("sin", "cos"):
            for limit, within in ((2, "2^-20.5 absolute"), (100, "2^-14.7 absolute")):
                def special(v):
                    if F32.is_infinite(v):
                        return NAN
                    return (v if name == "sin" else ONE) if F32.is_zero(v) else None
                form = f"{name}.approx{'.ftz' * ftz}.f32"
                path, text = table(form, angles(limit), special,
                                   lambda v: fraction(sine(decimal(v), name == "cos")), within, ftz)
                yield path.replace(".ptx", ".far.ptx") if limit > 2 else path, text


def logarithms():
    for ftz in (False, True):
        def special(v):
            if F32.is_zero(v):
                return INF | SIGN
            return v if v == INF else NAN if F32.is_negative(v) else None
        near = [F32.round(Fraction(k, 64)) for k in range(33, 128)]
        form = f"lg2.approx{'.ftz' * ftz}.f32"

        def log(v):
            return fraction(decimal(v).ln() / LN2)
        path, text = table(form, near, special, log, "2^-22 absolute", False)
        yield path.replace(".ptx", ".near_one.ptx"), text
        far = [v for v in VALUES if not (F32.is_subnormal(v) and F32.is_negative(v))
               and not (not F32.is_nan(v) and not F32.is_infinite(v) and Fraction(1, 2) < F32.value(v) < 2)]
        yield table(form, far, special, log, "2^-22 relative", ftz)

        def of_power(v):
            return (0 if F32.is_negative(v) else INF) if F32.is_infinite(v) else ONE if F32.is_zero(v) else None
        powers = [F32.round(Fraction(k, 16)) for k in range(-2400, 2080, 67)] + VALUES[:6] + [
            ONE, ONE | SIGN, INF, INF | SIGN, NAN, F32.round(127), F32.round(128), F32.round(-126), F32.round(-160)]
        rows = []
        for v in powers:
            if F32.is_nan(v) or of_power(v) is not None:
                rows.append((v, NAN if F32.is_nan(v) else of_power(v)))
                continue
            size = F32.value(F32.flushed(v) if ftz else v)
            out = F32.round(fraction((decimal(size) * LN2).exp()))
            if ftz and F32.is_subnormal(out):
                out = 0
            rows.append((v, out))
        yield file(f"ex2.approx{'.ftz' * ftz}.f32", "f32", rows, "2 ulp")


def hyperbolic():
    def special(v):
        if F32.is_infinite(v):
            return v & SIGN | ONE
        return v if F32.is_zero(v) else None

    def tanh(v):
        if abs(v) > 30:
            return Fraction(1 if v > 0 else -1)
        if abs(v) < Fraction(1, 1 << 40):
            return v
        e = (2 * decimal(v)).exp()
        return fraction((e - 1) / (e + 1))
    values = VALUES + [F32.round(Fraction(k, 5)) for k in range(-20, 21)]
    yield table("tanh.approx.f32", values, special, tanh, "2^-11 relative", False)


def files():
    for family in (reciprocals, upper_words, divisions, circles, logarithms, hyperbolic):
        yield from family()
