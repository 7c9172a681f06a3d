# SPDX-License-Identifier: GPL-3.0-or-later
"""Arithmetic on two floats or two whole numbers of a register, on f32 with halves, and the warp's least and largest f32:
PTX ISA, "Floating Point Instructions", "Mixed Precision Floating Point Instructions", "Integer Arithmetic Instructions"
and "redux.sync"."""
import itertools

import ieee
from files import In, Out, edges, draws, lanewise, number
from floats import corners, drawn, rows, smaller_or_larger
from ieee import F32, OF

MODEL = "pairs"
MODES = ("rn", "rz", "rm", "rp")
BLACKWELL = {"target": "sm_100", "version": "8.6", "arch": "sm_100"}


def result(name, row, mode, ftz=False):
    if ftz:
        row = [F32.flushed(v) for v in row]
    if name == "add":
        out = ieee.add(F32, *row, mode)
    elif name == "sub":
        out = ieee.add(F32, row[0], row[1] ^ F32.sign, mode)
    else:
        out = ieee.multiply(F32, *row, mode) if name == "mul" else ieee.fused(F32, *row, mode)
    if ftz and not F32.is_nan(out):
        if out & ~F32.sign == 1 << F32.fraction:
            return None  # whether a result is small is asked before or after rounding
        out = F32.flushed(out)
    return out


def two_floats():
    for name, ftz in itertools.product(("add", "sub", "mul", "fma"), (False, True)):
        columns = 3 if name == "fma" else 2
        for mode in MODES if not ftz else ("rn",):
            form = ".".join(w for w in (name, mode, "ftz" * ftz, "f32x2") if w)
            kept = [(row, result(name, row, mode, ftz)) for row in rows(F32, name + " pair", columns)]
            kept = [k for k in kept if k[1] is not None]
            count = len(kept)
            ins = []
            code = ""
            for k in range(columns):
                column = [row[k] for row, _ in kept]
                low, high = "abc"[k], "efg"[k]
                ins += [In(low, "f32", column), In(high, "f32", column[2:] + column[:2])]
                code += f"mov.b64 %w{k}, {{%{low}, %{high}}};\n"
            code += f"{form} %w3, {', '.join(f'%w{k}' for k in range(columns))};\nmov.b64 {{%d, %h}}, %w3;"
            out = [k[1] for k in kept]
            outs = [Out("d", "f32", out), Out("h", "f32", [out[(k + 2) % count] for k in range(count)])]
            yield f"half/{form}.ptx", lanewise(form, MODEL, ins, outs, code, ".reg .b64 %w<4>;", **BLACKWELL)


def mixed():
    """A half, or two, with an f32: the half is widened first, which is exact."""
    for name, type_, mode, sat in itertools.product(("add", "sub", "fma"), ("f16", "bf16"), MODES, (False, True)):
        if sat and mode != "rn":
            continue
        f = OF[type_]
        form = ".".join(w for w in (name, mode, "sat" * sat, "f32", type_) if w)

        def wide(v, f=f):
            if f.is_nan(v):
                return F32.nan
            sign = F32.sign if f.is_negative(v) else 0
            return sign | F32.infinity if f.is_infinite(v) else F32.round(f.value(v), "rn", bool(sign))
        narrow = corners(f) + drawn(f, "mixed", 60)
        single = corners(F32) + drawn(F32, "mixed", 70)
        second = narrow[11:] + narrow[:11]
        kept = []
        for a, b, c in zip(narrow, second, single):
            row = (wide(a), wide(b), c) if name == "fma" else (wide(a), c)
            out = result(name, row, mode)
            if sat:
                if out == F32.sign:
                    continue
                out = 0 if F32.is_nan(out) or F32.is_negative(out) else min(out, 0x3f800000)
            kept.append((a, b, c, out))
        ins = [In("a", "b16", [k[0] for k in kept])]
        if name == "fma":
            ins.append(In("b", "b16", [k[1] for k in kept]))
        ins.append(In("c", "f32", [k[2] for k in kept]))
        code = f"{form} %d, {', '.join('%' + p.name for p in ins)};"
        yield f"half/{form}.ptx", lanewise(form, MODEL, ins, [Out("d", "f32", [k[3] for k in kept])], code, **BLACKWELL)


def two_integers():
    for name, type_, relu in (("add", "u16", 0), ("add", "s16", 0), ("min", "u16", 0), ("min", "s16", 0), ("max", "u16", 0),
                              ("max", "s16", 0), ("min", "s16", 1), ("max", "s16", 1)):
        form = ".".join(w for w in (name, "relu" * relu, type_ + "x2") if w)
        values = list(itertools.product(edges(type_), edges(type_)))[::2] + list(zip(draws("x", 24, type_), draws("y", 24, type_)))
        out = []
        for a, b in values:
            a, b = number(a, type_), number(b, type_)
            r = a + b if name == "add" else min(a, b) if name == "min" else max(a, b)
            out.append((max(r, 0) if relu else r) & 0xffff)
        count = len(values)

        def both(column):
            return [column[k] | column[(k + 2) % count] << 16 for k in range(count)]
        ins = [In("a", "b32", both([v[0] for v in values])), In("b", "b32", both([v[1] for v in values]))]
        yield f"half/{form}.ptx", lanewise(form, MODEL, ins, [Out("d", "b32", both(out))], f"{form} %d, %a, %b;")


def least_and_largest():
    """redux.f32: two groups of a warp each have their own answer. A number beats NaN unless .NaN is there."""
    values = [v for v in corners(F32) if not F32.is_nan(v)][:20] + drawn(F32, "redux", 11)
    sets = {"numbers": values + [F32.largest], "one is none": values + [F32.nan]}
    for name, absolute, nan in itertools.product(("min", "max"), (False, True), (False, True)):
        form = ".".join(w for w in ("redux.sync", name, "abs" * absolute, "NaN" * nan, "f32") if w)
        a, out = [], []
        for warp in (sets["numbers"], sets["one is none"], [F32.nan] * 32, [0, F32.sign] * 16):
            a += warp
            seen = [v & ~F32.sign if absolute else v for v in warp]
            groups = (seen[:8], seen[8:])
            answers = [smaller_or_larger(F32, g, name == "max", nan, False) for g in groups]
            out += [answers[0]] * 8 + [answers[1]] * 24
        code = f"""
        and.b32 %t, %tid_, 31;
        setp.lt.u32 %p, %t, 8;
        selp.b32 %m, 0xff, 0xffffff00, %p;
        @!%p bra OTHERS;
        {form} %d, %a, %m;
        bra.uni DONE;
        OTHERS:
        {form} %d, %a, %m;
        DONE:"""
        yield f"half/{form}.ptx", lanewise(form, MODEL, [In("a", "f32", a)], [Out("d", "f32", out)], code,
                                           ".reg .pred %p;\n.reg .b32 %t, %m;", target="sm_100a", version="8.6", arch="sm_100a")


def files():
    for family in (two_floats, mixed, two_integers, least_and_largest):
        yield from family()
