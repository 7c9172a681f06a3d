# SPDX-License-Identifier: GPL-3.0-or-later
"""Arithmetic and comparison of f16 and bf16, one or two to a register: PTX ISA, "Half Precision Floating Point
Instructions" and "Half Precision Comparison Instructions". Every result is worked out from exact fractions."""
import itertools
import math
import operator
from fractions import Fraction

import ieee
from files import In, Out, lanewise
from floats import corners, drawn, smaller_or_larger
from ieee import OF

MODEL = "halves"
CANONICAL = 0x7fff
OUT_OF_BOUNDS = 0x7ff7


def canonical(f, v):
    return CANONICAL if f.is_nan(v) else v


def rows(f, seed, columns, count=110):
    """Corners against corners, ties and overflows, then numbers near one another."""
    edge = corners(f) + [CANONICAL, f.infinity | 1, f.sign | f.infinity | 1]
    step = max(1, len(edge) ** columns // (count * 2 // 3))
    out = list(itertools.islice(itertools.product(*[edge[k:] + edge[:k] for k in range(columns)]), 0, None, step))
    one, half_unit = f.bias << f.fraction, (f.bias - f.fraction - 1) << f.fraction
    top_tie = (2 * f.bias - f.fraction - 1) << f.fraction  # half a unit above the largest number
    ties = [(one, half_unit), (one + 1, half_unit), (one + 1, half_unit | f.sign), (f.largest, top_tie),
            (f.largest, top_tie - 1), (f.largest | f.sign, top_tie | f.sign)]
    if columns == 3:
        out += [(a, one, b) for a, b in ties]
        # A product whose last bits decide a tie: (1 + u)(1 - u) = 1 - u^2, beside half a unit.
        out += [(one + 1, one - 2, half_unit), (one + 1, one - 2, half_unit | f.sign), (one + 1, one - 1, one | f.sign),
                (one + 3, one + 5, half_unit), (half_unit + 1, one + 1, one), (half_unit, one + 1, one),
                (half_unit - 1, one + 1, one + 1), (one - 1, half_unit + 1, one + 1), (1, one - 1, one), (1, 1, one),
                (1, 1 | f.sign, one), (1, 1, 1), (f.largest, f.largest, f.largest | f.sign),
                (f.largest, one + (1 << f.fraction), f.largest | f.sign)]
    else:
        out += ties
    out += zip(*[drawn(f, f"half {seed} {k}", count // 3) for k in range(columns)])
    return out


def operation(name, f, row):
    if name == "add":
        return ieee.add(f, *row, "rn")
    if name == "sub":
        return ieee.add(f, row[0], row[1] ^ f.sign, "rn")
    return ieee.multiply(f, *row, "rn") if name == "mul" else ieee.fused(f, *row, "rn")


def around(f, words, row, function):
    """.ftz, .sat, .relu and .oob around an operation. None: the ISA leaves it open."""
    seen = [f.flushed(v) for v in row] if "ftz" in words else row
    out = canonical(f, function(seen))
    if "ftz" in words:
        if not f.is_nan(out) and out & (f.sign - 1) == 1 << f.fraction:
            return None  # whether a result is small is asked before or after rounding
        out = f.flushed(out)
    if "relu" in words and not f.is_nan(out) and f.is_negative(out):
        out = 0
    if "sat" in words:
        if out == f.sign:
            return None
        out = 0 if f.is_nan(out) or f.is_negative(out) else min(out, f.bias << f.fraction)
    if "oob" in words and OUT_OF_BOUNDS in row[:2]:
        out = 0
    return out


def packed(columns):
    """Two numbers to a register: each beside the one that comes two places later."""
    count = len(columns[0])
    return [[c[k] | c[(k + 2) % count] << 16 for k in range(count)] for c in columns]


def file(folder, form, columns, result, pair, code, registers="", outs="b32", **more):
    """columns: what goes in, as halves; result: of each row."""
    kind = "b32" if pair else "b16"
    columns = packed(columns) if pair else columns
    ins = [In(n, kind, c) for n, c in zip("abc", columns)]
    if ".oob" in form:
        more["version"] = "8.1"
    return f"{folder}/{form}.ptx", lanewise(form, MODEL, ins, [Out("d", outs, result)], code, registers, **more)


def arithmetic_file(form, f, kept, columns, pair):
    ins = [list(c) for c in zip(*[k[0] for k in kept])]
    out = [k[1] for k in kept]
    out = packed([out])[0] if pair else out
    code = f"{form} %d, {', '.join('%' + n for n in 'abc'[:columns])};"
    return file("half", form, ins, out, pair, code, outs="b32" if pair else "b16")


def arithmetic():
    words = {"f16": {"add": ("", "rn", "rn.ftz", "rn.sat", "rn.ftz.sat"),
                     "fma": ("rn", "rn.ftz", "rn.sat", "rn.ftz.sat", "rn.relu", "rn.ftz.relu", "rn.oob", "rn.oob.relu")},
             "bf16": {"add": ("", "rn"), "fma": ("rn", "rn.relu", "rn.oob", "rn.oob.relu")}}
    for type_, pair in itertools.product(("f16", "bf16"), (False, True)):
        f = OF[type_]
        for name in ("add", "sub", "mul", "fma"):
            columns = 3 if name == "fma" else 2
            for word in words[type_]["fma" if name == "fma" else "add"]:
                form = ".".join(w for w in (name, word, type_ + "x2" * pair) if w)
                chosen = rows(f, name, columns)
                if "oob" in word:
                    one = f.bias << f.fraction
                    chosen += [(OUT_OF_BOUNDS, one, one), (one, OUT_OF_BOUNDS, one), (OUT_OF_BOUNDS, CANONICAL, 0),
                               (OUT_OF_BOUNDS, OUT_OF_BOUNDS, one | f.sign)]
                kept = [(row, around(f, word.split("."), row, lambda r, n=name: operation(n, f, r))) for row in chosen]
                yield arithmetic_file(form, f, [k for k in kept if k[1] is not None], columns, pair)


def choices():
    for type_, pair, name in itertools.product(("f16", "bf16"), (False, True), ("min", "max")):
        f = OF[type_]
        for word in ("", "NaN", "xorsign.abs", "NaN.xorsign.abs") + (("ftz", "ftz.NaN.xorsign.abs") if type_ == "f16" else ()):
            form = ".".join(w for w in (name, word, type_ + "x2" * pair) if w)
            chosen = rows(f, "choice", 2) + [(0, f.sign), (f.sign, 0), (f.nan, 0), (f.sign, f.nan)]
            kept = []
            for row in chosen:
                seen = [f.flushed(v) for v in row] if "ftz" in word else list(row)
                if "xorsign" in word and "NaN" not in word and any(f.is_nan(v) for v in seen):
                    continue  # whose sign the result takes
                out = smaller_or_larger(f, seen, name == "max", "NaN" in word, "xorsign" in word)
                kept.append((row, canonical(f, out)))
            yield arithmetic_file(form, f, kept, 2, pair)


def signs():
    for type_, pair, name in itertools.product(("f16", "bf16"), (False, True), ("abs", "neg")):
        f = OF[type_]
        for word in ("", "ftz") if type_ == "f16" else ("",):
            form = ".".join(w for w in (name, word, type_ + "x2" * pair) if w)
            a = [v for v in corners(f) + drawn(f, "signs", 40) if not f.is_nan(v)]
            seen = [f.flushed(v) if word else v for v in a]
            kept = [((v,), s & ~f.sign if name == "abs" else s ^ f.sign) for v, s in zip(a, seen)]
            yield arithmetic_file(form, f, kept, 1, pair)


RELATION = {"eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le, "gt": operator.gt,
            "ge": operator.ge}


def extended(f, v):
    if f.is_infinite(v):
        return Fraction(-1 if f.is_negative(v) else 1) * Fraction(2) ** 2000
    return f.value(v)


def holds(f, compare, a, b, ftz=False):
    if f.is_nan(a) or f.is_nan(b):
        return compare in ("equ", "neu", "ltu", "leu", "gtu", "geu", "nan")
    if compare in ("num", "nan"):
        return compare == "num"
    a, b = (f.flushed(a), f.flushed(b)) if ftz else (a, b)
    return RELATION[compare[:2]](extended(f, a), extended(f, b))


COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan")
COMBINE = {"": lambda r, c: r, "and": lambda r, c: r and c, "or": lambda r, c: r or c, "xor": lambda r, c: r != c}


def compared(f):
    edge = corners(f)
    chosen = list(itertools.islice(itertools.product(edge, edge), 0, None, 7)) + [(v, v) for v in edge]
    return chosen + [(0, f.sign), (f.sign, 0), (1, 0), (f.sign | 1, 1)]


def to_predicate():
    for type_, pair in itertools.product(("f16", "bf16"), (False, True)):
        f = OF[type_]
        for k, compare in enumerate(COMPARISONS):
            combine, ftz = ("", "and", "or", "xor")[k % 4], type_ == "f16" and k % 3 == 2
            words = ("setp", compare, combine, "ftz" * ftz, type_ + "x2" * pair)
            form = ".".join(w for w in words if w)
            chosen = compared(f)
            a, b = [r[0] for r in chosen], [r[1] for r in chosen]
            count = len(chosen)
            low = [holds(f, compare, *r, ftz) for r in chosen]
            third = [(k * 5 >> 2) & 1 for k in range(count)]
            negated = compare in ("lt", "neu")
            merged = [COMBINE[combine](v, bool(c) != negated) for v, c in zip(low, third)]
            # The third operand is the same for both halves; the upper half holds the row two places later.
            upper = [COMBINE[combine](low[(k + 2) % count], bool(third[k]) != negated) for k in range(count)]
            columns = packed([a, b]) if pair else [a, b]
            kind = "b32" if pair else "b16"
            ins = [In("a", kind, columns[0]), In("b", kind, columns[1]), In("c", "u32", third)]
            out = [int(v) + 2 * int(u) * pair for v, u in zip(merged, upper)]
            target = "%p|%q" if pair else "%p"
            last = f", {'!' * negated}%r" if combine else ""
            code = f"setp.ne.u32 %r, %c, 0;\n{form} {target}, %a, %b{last};\nselp.u32 %d, 1, 0, %p;"
            if pair:
                code += "\nselp.u32 %e, 2, 0, %q;\nadd.u32 %d, %d, %e;"
            registers = ".reg .pred %p, %q, %r;\n.reg .u32 %e;"
            yield f"half/{form}.ptx", lanewise(form, MODEL, ins, [Out("d", "u32", out)], code, registers)


def to_number():
    one = {"f16": 0x3c00, "bf16": 0x3f80, "f32": 0x3f800000, "u16": 0xffff, "s16": 0xffff, "u32": 0xffffffff, "s32": 0xffffffff}
    for type_ in ("f16", "bf16"):
        f = OF[type_]
        for pair, results in ((False, ("f16", "bf16", "u16", "s16", "u32", "s32")), (True, (type_ + "x2", "u32", "s32"))):
            for k, result in enumerate(results):
                if (type_, result) == ("bf16", "f16"):
                    continue  # PTX has it only the other way round
                compare, combine = COMPARISONS[(k * 5 + pair) % len(COMPARISONS)], ("", "and", "xor", "or")[k % 4]
                ftz = type_ == "f16" and k % 3 == 1 and result != "bf16"
                form = ".".join(w for w in ("set", compare, combine, "ftz" * ftz, result, type_ + "x2" * pair) if w)
                chosen = compared(f)
                count = len(chosen)
                low = [holds(f, compare, *r, ftz) for r in chosen]
                third = [(k * 5 >> 2) & 1 for k in range(count)]
                merged = [COMBINE[combine](v, bool(c)) for v, c in zip(low, third)]
                upper = [COMBINE[combine](low[(k + 2) % count], bool(third[k])) for k in range(count)]
                a, b = [r[0] for r in chosen], [r[1] for r in chosen]
                columns = packed([a, b]) if pair else [a, b]
                if pair:
                    yes = one[type_] if result.endswith("x2") else 0xffff
                    out = [yes * int(v) | yes * int(u) << 16 for v, u in zip(merged, upper)]
                else:
                    out = [one[result] * int(v) for v in merged]
                kind, narrow = "b32" if pair else "b16", not pair and result in ("f16", "bf16", "u16", "s16")
                ins = [In("a", kind, columns[0]), In("b", kind, columns[1]), In("c", "u32", third)]
                code = f"setp.ne.u32 %r, %c, 0;\n{form} %d, %a, %b{', %r' * bool(combine)};"
                yield f"half/{form}.ptx", lanewise(form, MODEL, ins, [Out("d", "b16" if narrow else "b32", out)], code,
                                                   ".reg .pred %r;")


def set_of_others():
    """set of what is no half: 1.0 or all bits."""
    single = OF["f32"]
    floats = [(a, b) for a, b in itertools.islice(itertools.product(corners(single), corners(single)), 0, None, 9)]
    whole = [(v, w) for v in (0, 1, 2, 0x7fffffff, 0x80000000, 0xffffffff) for w in (0, 1, 0x80000000, 0xfffffffe, 5)]
    signed = [(v - (v >> 31 << 32), w - (w >> 31 << 32)) for v, w in whole]
    for result, form, chosen, answers in (
            ("u32", "set.lt.u32.f32", floats, [holds(single, "lt", *r) for r in floats]),
            ("f32", "set.leu.f32.f32", floats, [holds(single, "leu", *r) for r in floats]),
            ("s32", "set.ne.ftz.s32.f32", floats, [holds(single, "ne", *r, True) for r in floats]),
            ("f32", "set.gt.f32.s32", whole, [a > b for a, b in signed]),
            ("u32", "set.hi.u32.u32", whole, [a > b for a, b in whole]),
            ("u32", "set.eq.u32.b32", whole, [a == b for a, b in whole])):
        yes = 0x3f800000 if result == "f32" else 0xffffffff
        kind = "f32" if form.endswith("f32") else "b32"
        ins = [In("a", kind, [r[0] for r in chosen]), In("b", kind, [r[1] for r in chosen])]
        yield f"half/{form}.ptx", lanewise(form, MODEL, ins, [Out("d", "b32", [yes * int(v) for v in answers])],
                                           f"{form} %d, %a, %b;")


def functions():
    """ex2 and tanh in their documented error. The kernel widens both halves, so that the error is one of floats."""
    for type_, pair, name in itertools.product(("f16", "bf16"), (False, True), ("ex2", "tanh")):
        f = OF[type_]
        word = "approx.ftz" if name == "ex2" and type_ == "bf16" else "approx"
        form = f"{name}.{word}.{type_}{'x2' * pair}"
        values = [f.round(Fraction(k, 16)) for k in range(-96, 97, 5)] + [f.sign, 1 << f.fraction, f.infinity]
        want = []
        for v in values:
            x = float("inf") if f.is_infinite(v) else float(f.value(v))
            r = 2.0 ** x if name == "ex2" else math.tanh(x)
            want.append(0x7f800000 if r == float("inf") else OF["f32"].round(Fraction(r)))
        want[values.index(f.sign)] = want[values.index(f.sign)] if name == "ex2" else 0x80000000
        count = len(values)
        ins = packed([values])[0] if pair else values
        widen = "cvt.f32.f16 %{}, %{};" if type_ == "f16" else "mov.b32 %{}, {{%zero, %{}}};"
        outs = [Out("d", "f32", want)]
        code = "mov.b16 %zero, 0;\n"
        if pair:
            outs.append(Out("e", "f32", [want[(k + 2) % count] for k in range(count)]))
            code += f"{form} %w, %a;\nmov.b32 {{%l, %h}}, %w;\n" + widen.format("d", "l") + "\n" + widen.format("e", "h")
        else:
            code += f"{form} %l, %a;\n" + widen.format("d", "l")
        # PTX ISA: relative 2^-9.9 and 2^-7, absolute 2^-10.987 and 2^-8.
        bound = {("ex2", "f16"): "0.001047 relative", ("ex2", "bf16"): "0.0078125 relative",
                 ("tanh", "f16"): "0.00049269 absolute", ("tanh", "bf16"): "0.00390625 absolute"}
        yield f"half/{form}.ptx", lanewise(
            form, MODEL, [In("a", "b32" if pair else "b16", ins)], outs, code,
            ".reg .b16 %l, %h, %zero;\n.reg .b32 %w;", within=bound[name, type_])


def files():
    for family in (arithmetic, choices, signs, to_predicate, to_number, set_of_others, functions):
        yield from family()
