# SPDX-License-Identifier: GPL-3.0-or-later
"""Comparison and choice: PTX ISA, "Comparison and Selection Instructions"; testp of "Floating Point Instructions"."""
import random

from files import In, Out, draws, lanewise, number, pairs, width
from floats import corners, drawn
from ieee import OF

MODEL = "comparisons"
FOLDER = "compare/"

EXACT = {"eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b,
         "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b}
UNSIGNED = {"lo": EXACT["lt"], "ls": EXACT["le"], "hi": EXACT["gt"], "hs": EXACT["ge"]}


def file(form, ins, outs, code, registers="", name="", **more):
    return FOLDER + (name or form) + ".ptx", lanewise(form, MODEL, ins, outs, code, registers=registers, **more)


def float_pairs(type_):
    f = OF[type_]
    source = random.Random(f"compare {type_}")
    every = corners(f)
    a = [source.choice(every) for _ in range(56)] + drawn(f, "compare", 8)
    b = [source.choice(every) for _ in range(40)] + a[40:48] + [v ^ f.sign for v in a[48:56]] + drawn(f, "compare b", 8)
    return a, b


def float_compare(type_, name, ftz=False):
    f = OF[type_]
    unordered = name[:-1] if name in ("equ", "neu", "ltu", "leu", "gtu", "geu") else ""

    def compare(a, b):
        nan = f.is_nan(a) or f.is_nan(b)
        if name == "num":
            return not nan
        if name == "nan":
            return nan
        if nan:
            return bool(unordered)
        def value(v):
            v = f.flushed(v) if ftz else v
            big = f.value(f.largest) * 2
            return (-big if f.is_negative(v) else big) if f.is_infinite(v) else f.value(v)
        return EXACT[unordered or name](value(a), value(b))
    return compare


def compared(form, type_, a, b, function):
    """d: the result; e: the second one, which is its negation."""
    out = [int(function(x, y)) for x, y in zip(a, b)]
    return file(form, [In("a", type_, a), In("b", type_, b)],
                [Out("d", "u32", out), Out("e", "u32", [1 - v for v in out])],
                f"""{form} %p|%q, %a, %b;
                selp.u32 %d, 1, 0, %p;
                selp.u32 %e, 1, 0, %q;""", ".reg .pred %p, %q;")


def setp():
    for n in (16, 32, 64):
        for sign in "bus":
            t = f"{sign}{n}"
            a, b = pairs(t, "compare", 48)
            b = [x if k % 6 == 5 else y for k, (x, y) in enumerate(zip(a, b))]
            names = dict(list(EXACT.items())[:2]) if sign == "b" else {**EXACT, **(UNSIGNED if sign == "u" else {})}
            for name, function in names.items():
                yield compared(f"setp.{name}.{t}", t, a, b,
                               lambda x, y: function(number(x, t), number(y, t)))
    names = list(EXACT) + ["equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"]
    for t in ("f32", "f64"):
        a, b = float_pairs(t)
        for name in names:
            yield compared(f"setp.{name}.{t}", t, a, b, float_compare(t, name))
    a, b = float_pairs("f32")
    for name in names:
        yield compared(f"setp.{name}.ftz.f32", "f32", a, b, float_compare("f32", name, True))


def combined():
    """setp.OP.BOOL p|q, a, b, c: p = (a OP b) BOOL c, q = !(a OP b) BOOL c; c may be negated."""
    bools = {"and": lambda p, c: p & c, "or": lambda p, c: p | c, "xor": lambda p, c: p ^ c}
    for t, op in (("s32", "lt"), ("u64", "ge"), ("b16", "ne"), ("f32", "leu"), ("f64", "gt"), ("u16", "hi")):
        if t[0] == "f":
            a, b = float_pairs(t)
            function = float_compare(t, op)
        else:
            a, b = pairs(t, "combine", 64)
            plain = {**EXACT, **UNSIGNED}[op]
            function = lambda x, y: plain(number(x, t), number(y, t))
        c = [k // 3 % 2 for k in range(len(a))]
        for name, join in bools.items():
            first = [int(function(x, y)) for x, y in zip(a, b)]
            form = f"setp.{op}.{name}.{t}"
            yield file(form, [In("a", t, a), In("b", t, b), In("c", "u32", c)],
                       [Out("d", "u32", [join(p, k) for p, k in zip(first, c)]),
                        Out("e", "u32", [join(1 - p, k) for p, k in zip(first, c)]),
                        Out("f", "u32", [join(p, 1 - k) for p, k in zip(first, c)])],
                       f"""setp.ne.u32 %s, %c, 0;
                       {form} %p|%q, %a, %b, %s;
                       {form} %r, %a, %b, !%s;
                       selp.u32 %d, 1, 0, %p;
                       selp.u32 %e, 1, 0, %q;
                       selp.u32 %f, 1, 0, %r;""", ".reg .pred %p, %q, %r, %s;")


def sets():
    """set: the same comparisons with all bits, or 1.0, as result."""
    for t in ("b16", "b32", "b64", "u16", "u32", "u64", "s16", "s32", "s64", "f32", "f64"):
        if t[0] == "f":
            a, b = float_pairs(t)
            names = list(EXACT) + ["equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"]
        else:
            a, b = pairs(t, "set", 48)
            b = [x if k % 6 == 5 else y for k, (x, y) in enumerate(zip(a, b))]
            names = list(EXACT)[:2] if t[0] == "b" else list(EXACT) + (list(UNSIGNED) if t[0] == "u" else [])

        def answers(name):
            if t[0] == "f":
                function = float_compare(t, name)
                return [int(function(x, y)) for x, y in zip(a, b)]
            function = {**EXACT, **UNSIGNED}[name]
            return [int(function(number(x, t), number(y, t))) for x, y in zip(a, b)]
        c = [k // 3 % 2 for k in range(len(a))]
        bools = {"and": lambda p, q: p & q, "or": lambda p, q: p | q, "xor": lambda p, q: p ^ q}
        for to, yes in (("u32", 0xffffffff), ("s32", 0xffffffff), ("f32", 0x3f800000)):
            chosen = names if to == "u32" else names[:2]
            outs = [(f"set.{name}.{to}.{t} %z, %a, %b;", answers(name)) for name in chosen]
            outs += [(f"set.{chosen[1]}.{word}.{to}.{t} %z, %a, %b, %p;", [join(p, q) for p, q in zip(answers(chosen[1]), c)])
                     for word, join in bools.items()]
            code = "setp.ne.u32 %p, %c, 0;\n" + "".join(f"{line}\nmov.b32 %d{k}, %z;\n" for k, (line, _) in enumerate(outs))
            yield file(f"set.{to}.{t}", [In("a", t, a), In("b", t, b), In("c", "u32", c)],
                       [Out(f"d{k}", "b32", [yes * v for v in out]) for k, (_, out) in enumerate(outs)], code,
                       f".reg .pred %p;\n.reg .{to} %z;")


TYPES = ("b16", "b32", "b64", "u16", "u32", "u64", "s16", "s32", "s64", "f32", "f64")


def choices():
    for t in TYPES:
        raw = f"b{width(t)}"
        a, b = draws("select a", 32, raw), draws("select b", 32, raw)
        p = [k // 2 % 2 for k in range(32)]
        yield file(f"selp.{t}", [In("a", raw, a), In("b", raw, b), In("c", "u32", p)],
                   [Out("d", raw, [x if k else y for x, y, k in zip(a, b, p)])],
                   f"""setp.ne.u32 %p, %c, 0;
                   mov.b{width(t)} %x, %a;
                   mov.b{width(t)} %y, %b;
                   selp.{t} %z, %x, %y, %p;
                   mov.b{width(t)} %d, %z;""", f".reg .pred %p;\n.reg .{t} %x, %y, %z;")
        c = [0, 1, 0xffffffff, 0x80000000, 0x7fffffff, 5, 0xfffffffb, 2] * 4
        yield file(f"slct.{t}.s32", [In("a", raw, a), In("b", raw, b), In("c", "s32", c)],
                   [Out("d", raw, [x if k < 1 << 31 else y for x, y, k in zip(a, b, c)])],
                   f"""mov.b{width(t)} %x, %a;
                   mov.b{width(t)} %y, %b;
                   slct.{t}.s32 %z, %x, %y, %c;
                   mov.b{width(t)} %d, %z;""", f".reg .{t} %x, %y, %z;")
        f = OF["f32"]
        c = (corners(f) + corners(f))[:32]
        for ftz in (False, True):
            def first(k):
                if f.is_nan(k):
                    return False
                k = f.flushed(k) if ftz else k
                return not f.is_negative(k) or f.is_zero(k)
            if ftz and width(t) == 16:
                continue
            form = f"slct{'.ftz' * ftz}.{t}.f32"
            yield file(form, [In("a", raw, a), In("b", raw, b), In("c", "f32", c)],
                       [Out("d", raw, [x if first(k) else y for x, y, k in zip(a, b, c)])],
                       f"""mov.b{width(t)} %x, %a;
                       mov.b{width(t)} %y, %b;
                       {form} %z, %x, %y, %c;
                       mov.b{width(t)} %d, %z;""", f".reg .{t} %x, %y, %z;")


def properties():
    for t in ("f32", "f64"):
        f = OF[t]
        a = corners(f) + drawn(f, "testp", 12)
        kinds = {
            "finite": lambda v: not f.is_nan(v) and not f.is_infinite(v), "infinite": f.is_infinite,
            "number": lambda v: not f.is_nan(v), "notanumber": f.is_nan,
            # Both zeros count as normal.
            "normal": lambda v: not f.is_nan(v) and not f.is_infinite(v) and not f.is_subnormal(v),
            "subnormal": f.is_subnormal,
        }
        for name, function in kinds.items():
            form = f"testp.{name}.{t}"
            yield file(form, [In("a", t, a)], [Out("d", "u32", [int(function(v)) for v in a])],
                       f"{form} %p, %a;\nselp.u32 %d, 1, 0, %p;", ".reg .pred %p;")


def files():
    for family in (setp, sets, combined, choices, properties):
        yield from family()
