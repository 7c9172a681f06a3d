# SPDX-License-Identifier: GPL-3.0-or-later
"""Arithmetic of whole numbers: PTX ISA, "Integer Arithmetic Instructions" and "Extended-Precision Integer Arithmetic"."""
from files import In, Out, bits, draws, edges, lanewise, number, pairs, width

MODEL = "integers"
ALL = ("u16", "u32", "u64", "s16", "s32", "s64")
FOLDER = "arithmetic/"


def quotient(a, b):
    """Towards zero, as the ISA asks for signed division."""
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


def clamp(v, type_):
    n = width(type_)
    low, high = (-(1 << (n - 1)), (1 << (n - 1)) - 1) if type_[0] == "s" else (0, (1 << n) - 1)
    return max(low, min(high, v))


def double(type_):
    return f"{type_[0]}{2 * width(type_)}"


def of(form, types, result, columns, function, code=""):
    """A file whose lanes compute d = function(a, b, ...) of numbers; columns are bits."""
    names = "abcd"[:len(columns)] if len(columns) < 4 else "abce"
    out = [bits(function(*[number(v, t) for v, t in zip(row, types)]), result) for row in zip(*columns)]
    ins = [In(n, t, c) for n, t, c in zip(names, types, columns)]
    code = code or f"{form} %d, {', '.join('%' + n for n in names)};"
    return FOLDER + form + ".ptx", lanewise(form, MODEL, ins, [Out("d", result, out)], code)


def binary():
    operations = {
        "add": lambda a, b: a + b,
        "sub": lambda a, b: a - b,
        "min": min,
        "max": max,
    }
    for type_ in ALL:
        a, b = pairs(type_, "binary")
        for name, function in operations.items():
            yield of(f"{name}.{type_}", [type_] * 2, type_, [a, b], function)
        # Division by zero and the quotient that does not fit are left open.
        n = width(type_)
        kept = [(x, y) for x, y in zip(a, b)
                if number(y, type_) != 0 and not (type_[0] == "s" and number(x, type_) == -(1 << (n - 1))
                                                  and number(y, type_) == -1)]
        kept += [(bits(x, type_), bits(y, type_)) for x in (100, -100, 7, -7) for y in (1, 9, -9, 100, -3)
                 if type_[0] == "s" or (x > 0 and y > 0)]
        x, y = [k[0] for k in kept], [k[1] for k in kept]
        yield of(f"div.{type_}", [type_] * 2, type_, [x, y], quotient)
        yield of(f"rem.{type_}", [type_] * 2, type_, [x, y], lambda p, q: p - q * quotient(p, q))
    a, b = pairs("s32", "saturating")
    yield of("add.sat.s32", ["s32"] * 2, "s32", [a, b], lambda x, y: clamp(x + y, "s32"))
    yield of("sub.sat.s32", ["s32"] * 2, "s32", [a, b], lambda x, y: clamp(x - y, "s32"))
    yield of("min.relu.s32", ["s32"] * 2, "s32", [a, b], lambda x, y: max(0, min(x, y)))
    yield of("max.relu.s32", ["s32"] * 2, "s32", [a, b], lambda x, y: max(0, x, y))


def unary():
    for type_ in ("s16", "s32", "s64"):
        a = edges(type_) + draws("unary", 20, type_)
        lowest = 1 << (width(type_) - 1)  # abs of it is left open
        yield of(f"abs.{type_}", [type_], type_, [[v for v in a if v != lowest]], abs)
        yield of(f"neg.{type_}", [type_], type_, [a], lambda x: -x)


def products():
    for type_ in ALL:
        n = width(type_)
        a, b = pairs(type_, "products")
        c = draws("addend", len(a), type_)
        yield of(f"mul.lo.{type_}", [type_] * 2, type_, [a, b], lambda x, y: x * y)
        yield of(f"mul.hi.{type_}", [type_] * 2, type_, [a, b], lambda x, y: (x * y) >> n)
        yield of(f"mad.lo.{type_}", [type_] * 3, type_, [a, b, c], lambda x, y, z: x * y + z)
        yield of(f"mad.hi.{type_}", [type_] * 3, type_, [a, b, c], lambda x, y, z: ((x * y) >> n) + z)
        if n < 64:
            wide = double(type_)
            yield of(f"mul.wide.{type_}", [type_] * 2, wide, [a, b], lambda x, y: x * y)
            yield of(f"mad.wide.{type_}", [type_] * 2 + [wide], wide, [a, b, draws("wide", len(a), wide)],
                     lambda x, y, z: x * y + z)
    a, b = pairs("s32", "saturating products")
    c = pairs("s32", "saturating addend")[1]
    yield of("mad.hi.sat.s32", ["s32"] * 3, "s32", [a, b, c], lambda x, y, z: clamp(((x * y) >> 32) + z, "s32"))
    for type_ in ("u32", "s32"):
        # Of 24-bit numbers; a signed one is sign-extended from bit 23. The upper bits of a register do not count.
        def low24(v):
            v &= 0xffffff
            return v - (1 << 24) if type_ == "s32" and v >> 23 else v
        a, b = pairs(type_, "24 bits")
        a = [v ^ (k << 20) & 0xffffffff for k, v in enumerate(a)]
        c = draws("24 bits c", len(a), type_)
        yield of(f"mul24.lo.{type_}", [type_] * 2, type_, [a, b], lambda x, y: low24(x) * low24(y))
        yield of(f"mul24.hi.{type_}", [type_] * 2, type_, [a, b], lambda x, y: (low24(x) * low24(y)) >> 16)
        yield of(f"mad24.lo.{type_}", [type_] * 3, type_, [a, b, c], lambda x, y, z: low24(x) * low24(y) + z)
        yield of(f"mad24.hi.{type_}", [type_] * 3, type_, [a, b, c], lambda x, y, z: ((low24(x) * low24(y)) >> 16) + z)


def differences():
    for type_ in ("u32", "u64", "s32", "s64"):
        a, b = pairs(type_, "sad")
        c = draws("sad c", len(a), type_)
        yield of(f"sad.{type_}", [type_] * 3, type_, [a, b, c], lambda x, y, z: z + abs(x - y))


def dot_products():
    def parts(v, size, count, kind, first=0):
        return [number(v >> (size * (first + k)), f"{kind}{size}") for k in range(count)]
    for p in "us":
        for q in "us":
            a, b = pairs("u32", f"dot {p}{q}")
            a, b = [v ^ 0x80 for v in a], [v * 0x01010101 & 0xffffffff if k % 2 else v for k, v in enumerate(b)]
            result = "u32" if p == q == "u" else "s32"
            c = draws(f"dot {p}{q}", len(a), result)

            def file(form, products):
                out = [bits(products(x, y) + number(z, result), result) for x, y, z in zip(a, b, c)]
                return FOLDER + form + ".ptx", lanewise(
                    form, MODEL, [In("a", "u32", a), In("b", "u32", b), In("c", result, c)], [Out("d", result, out)],
                    f"{form} %d, %a, %b, %c;")
            yield file(f"dp4a.{p}32.{q}32", lambda x, y: sum(
                m * n for m, n in zip(parts(x, 8, 4, p), parts(y, 8, 4, q))))
            for half, first in (("lo", 0), ("hi", 2)):
                yield file(f"dp2a.{half}.{p}32.{q}32", lambda x, y: sum(
                    m * n for m, n in zip(parts(x, 16, 2, p), parts(y, 8, 2, q, first))))


def long_numbers(type_, seed, limbs, count=64):
    """Numbers of several words, so that carries run through all of them; as lists of words, low one first."""
    n = width(type_)
    corners = edges(type_)
    columns = [draws(f"{seed} {k}", count, type_) for k in range(limbs)]
    for row in range(count // 2):
        for k in range(limbs):
            columns[k][row] = corners[(row * (k + 2) + row // 3) % len(corners)]
    whole = [sum(columns[k][row] << (n * k) for k in range(limbs)) for row in range(count)]
    return columns, whole


def split(values, type_, limbs):
    n = width(type_)
    return [[v >> (n * k) & ((1 << n) - 1) for v in values] for k in range(limbs)]


def carries():
    for type_ in ("u32", "s32", "u64", "s64"):
        n = width(type_)
        (a0, a1, a2), a = long_numbers(type_, "carry a", 3)
        (b0, b1, b2), b = long_numbers(type_, "carry b", 3)
        ins = [In(f"a{k}", type_, v) for k, v in enumerate((a0, a1, a2))]
        ins += [In(f"b{k}", type_, v) for k, v in enumerate((b0, b1, b2))]
        for name, c, sign in (("add", "addc", 1), ("sub", "subc", -1)):
            total = [x + sign * y for x, y in zip(a, b)]
            d = split(total, type_, 4)  # the fourth word: the carry, or minus the borrow
            code = f"""{name}.cc.{type_} %d0, %a0, %b0;
                {c}.cc.{type_} %d1, %a1, %b1;
                {c}.cc.{type_} %d2, %a2, %b2;
                {c}.{type_} %d3, %z, %z;"""
            yield FOLDER + f"{c}.cc.{type_}.ptx", lanewise(
                f"{name}.cc.{type_}, {c}.cc.{type_}", MODEL, ins, [Out(f"d{k}", type_, v) for k, v in enumerate(d)], code,
                registers=f".reg .{type_} %z;\nmov.{type_} %z, 0;")
        # A number of two words times one word, plus a number of three: the product by mad.lo and mad.hi.
        (m0, m1), m = long_numbers(type_, "factor", 2)
        (f0,), f = long_numbers(type_, "times", 1)
        if type_[0] == "s":  # the words below the top are without sign
            continue
        total = [x * y + z for x, y, z in zip(m, f, a)]
        d = split(total, type_, 4)
        code = f"""mad.lo.cc.{type_} %d0, %m0, %f, %a0;
            madc.lo.cc.{type_} %d1, %m1, %f, %a1;
            addc.cc.{type_} %d2, %a2, 0;
            addc.{type_} %d3, %z, 0;
            mad.hi.cc.{type_} %d1, %m0, %f, %d1;
            madc.hi.cc.{type_} %d2, %m1, %f, %d2;
            addc.{type_} %d3, %d3, 0;"""
        yield FOLDER + f"madc.hi.cc.{type_}.ptx", lanewise(
            f"madc.hi.cc.{type_}", MODEL,
            [In("m0", type_, m0), In("m1", type_, m1), In("f", type_, f0)] + ins[:3],
            [Out(f"d{k}", type_, v) for k, v in enumerate(d)], code,
            registers=f".reg .{type_} %z;\nmov.{type_} %z, 0;")


def single_carries():
    """madc of each half and sign: one step with a carry in from c + c, and the carry out of it."""
    for type_ in ("u32", "s32", "u64", "s64"):
        n = width(type_)
        a, b = pairs(type_, "madc", 64)
        c, g = pairs(type_, "madc c", 64)
        for half in ("lo", "hi"):
            low, high, plain = [], [], []
            for x, y, z, w in zip(a, b, c, g):
                product = number(x, type_) * number(y, type_)
                part = (product >> n if half == "hi" else product) & ((1 << n) - 1)
                carry = (w + w) >> n
                total = part + z + carry
                low.append(total & ((1 << n) - 1))
                high.append(total >> n)
                plain.append(total & ((1 << n) - 1))
            code = f"""add.cc.{type_} %t, %g, %g;
                madc.{half}.cc.{type_} %d, %a, %b, %c;
                addc.{type_} %e, %z, %z;
                add.cc.{type_} %t, %g, %g;
                madc.{half}.{type_} %f, %a, %b, %c;
                mad.{half}.cc.{type_} %t, %a, %b, %c;
                addc.{type_} %h, %z, %z;"""
            alone = [((number(x, type_) * number(y, type_) >> (n if half == "hi" else 0)) & ((1 << n) - 1)) + z >> n
                     for x, y, z in zip(a, b, c)]
            yield FOLDER + f"madc.{half}.{type_}.ptx", lanewise(
                f"mad.{half}.cc.{type_}, madc.{half}.{type_}", MODEL,
                [In("a", type_, a), In("b", type_, b), In("c", type_, c), In("g", type_, g)],
                [Out("d", type_, low), Out("e", type_, high), Out("f", type_, plain), Out("h", type_, alone)], code,
                registers=f".reg .{type_} %t, %z;\nmov.{type_} %z, 0;")


def files():
    for family in (binary, unary, products, differences, dot_products, carries, single_carries):
        yield from family()
