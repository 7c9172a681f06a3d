# SPDX-License-Identifier: GPL-3.0-or-later
"""atom, red and fences: PTX ISA, "Parallel Synchronization and Communication Instructions"."""
import random

import ieee
from files import In, InOut, Out, bits, draws, edges, file as whole_file, number, width
from ieee import F32, F64

MODEL = "atomics"
FOLDER = "atomic/"
COUNT = 32


def wraps_up(old, limit):
    return 0 if old >= limit else old + 1


def wraps_down(old, limit):
    return limit if old == 0 or old > limit else old - 1


def integer(function):
    return lambda t, old, b, c: bits(function(number(old, t), number(b, t)), t)


def of_floats(t, old, b, _):
    return ieee.add(F32 if t == "f32" else F64, old, b, "rn")


OPERATIONS = {
    "add": (("u32", "s32", "u64"), integer(lambda a, b: a + b)), "min": (("u32", "s32", "u64", "s64"), integer(min)),
    "max": (("u32", "s32", "u64", "s64"), integer(max)), "inc": (("u32",), integer(wraps_up)),
    "dec": (("u32",), integer(wraps_down)), "and": (("b32", "b64"), integer(lambda a, b: a & b)),
    "or": (("b32", "b64"), integer(lambda a, b: a | b)), "xor": (("b32", "b64"), integer(lambda a, b: a ^ b)),
    "exch": (("b32", "b64"), integer(lambda a, b: b)),
    "cas": (("b32", "b64"), lambda t, old, b, c: c if old == b else old),
}


def each():
    for name, (types, function) in OPERATIONS.items():
        for t in types:
            yield name, t, function
    for t in ("f32", "f64"):
        yield "add", t, of_floats


def operands(name, t):
    """Old values and operands, with every case that the operation tells apart."""
    if t[0] == "f":
        f = F32 if t == "f32" else F64
        one = f.bias << f.fraction
        source = random.Random(f"atomic {t}")
        def some():  # far from subnormal numbers, which global memory may flush
            return source.getrandbits(1) << (f.width - 1) | (f.bias + source.randint(-12, 12)) << f.fraction | \
                source.getrandbits(f.fraction)
        old = [0, one, one | f.sign, f.infinity, f.largest, f.infinity, f.nan, one] + [some() for _ in range(24)]
        b = [one, one, one, f.infinity | f.sign, f.largest, one, one, f.infinity] + [some() for _ in range(24)]
        return old, b, b
    old = (edges(t) + draws(f"atomic {name} old", COUNT, t))[:COUNT]
    b = draws(f"atomic {name}", COUNT, t)
    c = draws(f"atomic {name} c", COUNT, t)
    if name in ("inc", "dec"):
        old = [0, 1, 5, 6, 7, 0xffffffff, 0x80000000, 100] * 4
        b = [6] * 8 + [0] * 8 + [0xffffffff] * 8 + [100] * 8
    if name == "cas":
        b = [x if k % 2 else y for k, (x, y) in enumerate(zip(old, b))]
    return old, b, c


PLACE = [".reg .u32 %t;", ".reg .u64 %m, %x, %y, %o;", "mov.u32 %t, %tid.x;"]


def at(name, size, register):
    return [f"ld.param.u64 {register}, [{name}];", f"mul.wide.u32 %o, %t, {size};", f"add.u64 {register}, {register}, %o;"]


def own_cells(form, name, t, function, space, returns):
    """Each lane has a cell of its own: the old value comes back, the new one stays."""
    old, b, c = operands(name, t)
    size, raw = width(t) // 8, f"b{width(t)}"
    new = [function(t, *row) for row in zip(old, b, c)]
    body = [*PLACE, f".reg .{t} %b, %c, %d, %e;"] + at("m", size, "%m") + at("b", size, "%x")
    body += [f"ld.global.{t} %b, [%x];"]
    params = [InOut("m", t, old, new), In("b", t, b)]
    if name == "cas":
        params.append(In("c", t, c))
        body += at("c", size, "%x") + [f"ld.global.{t} %c, [%x];"]
    where = "%m"
    if "shared" in space:
        body += [f".shared .align 8 .b8 room[{size * COUNT}];", f"mul.wide.u32 %o, %t, {size};", "mov.u64 %y, room;",
                 "add.u64 %y, %y, %o;", f"ld.global.{raw} %e, [%m];", f"st.shared.{raw} [%y], %e;"]
        where = "%y"
        if "generic" in space:
            body += ["cvta.shared.u64 %x, %y;"]
            where = "%x"
    more = ", %c" if name == "cas" else ""
    body.append(f"{form} %d, [{where}], %b{more};" if returns else f"{form} [{where}], %b{more};")
    if "shared" in space:
        body += [f"ld.shared.{raw} %e, [%y];", f"st.global.{raw} [%m], %e;"]
    if returns:
        params.append(Out("d", t, old))
        body += at("d", size, "%x") + [f"st.global.{t} [%x], %d;"]
    file_name = form.replace("::", "_") + (".shared" if space == "shared generic" else "")
    return FOLDER + file_name + ".ptx", whole_file(form, MODEL, params, "\n".join(body + ["ret;"]), version="8.1")


def forms():
    for name, t, function in each():
        for opcode in ("atom", "red"):
            if opcode == "red" and name in ("exch", "cas"):
                continue
            for space in ("global", "shared", "generic", "shared generic"):
                dot = "" if "generic" in space else "." + space
                yield own_cells(f"{opcode}{dot}.{name}.{t}", name, t, function, space, opcode == "atom")


def subnormal():
    """PTX ISA: add.f32 on global memory flushes subnormal numbers to zero of their sign, on shared memory it does not."""
    old = [0x00000001, 0x80000001, 0x007fffff, 0x00400000, 0x00800000, 0x80800001, 0x00000000, 0x3f800000] * 4
    b = [0x00000000] * 4 + [0x80000000] * 4 + [0x00000001] * 4 + [0x00300000] * 4 + [0x80000001] * 4 + [0x00800000] * 4
    b += [0x80400000] * 8

    def flushing(t, x, y, _):
        return F32.flushed(ieee.add(F32, F32.flushed(x), F32.flushed(y), "rn"))
    for space, function in (("global", flushing), ("shared", of_floats)):
        form = f"red.{space}.add.f32"
        kept = [(x, y) for x, y in zip(old, b) if F32.value(x) + F32.value(y) == 0 or
                abs(F32.value(x) + F32.value(y)) != F32.tiny]
        body = [*PLACE, ".reg .f32 %b, %e;"] + at("m", 4, "%m") + at("b", 4, "%x") + ["ld.global.f32 %b, [%x];"]
        where = "%m"
        if space == "shared":
            body += [f".shared .align 8 .b8 room[{4 * COUNT}];", "mov.u64 %y, room;", "add.u64 %y, %y, %o;",
                     "ld.global.f32 %e, [%m];", "st.shared.f32 [%y], %e;"]
            where = "%y"
        body.append(f"{form} [{where}], %b;")
        if space == "shared":
            body += ["ld.shared.f32 %e, [%y];", "st.global.f32 [%m], %e;"]
        new = [function("f32", x, y, 0) for x, y in kept]
        yield FOLDER + form + ".subnormal.ptx", whole_file(
            form, MODEL, [InOut("m", "f32", [k[0] for k in kept], new), In("b", "f32", [k[1] for k in kept])],
            "\n".join(body + ["ret;"]), block=str(len(kept)))


def orders():
    for words in ("relaxed.cta", "relaxed.cluster", "relaxed.gpu", "relaxed.sys", "acquire.cta", "acquire.gpu", "release.cta",
                  "release.gpu", "release.sys", "acq_rel.cta", "acq_rel.cluster", "acq_rel.gpu", "acq_rel.sys", "cta", "gpu", "sys"):
        for name, t in (("add", "u32"), ("cas", "b64"), ("exch", "b32"), ("max", "s64")):
            if name != "add" and words in ("relaxed.sys", "acquire.cta", "release.sys", "acq_rel.cluster", "cta"):
                continue
            yield own_cells(f"atom.{words}.global.{name}.{t}", name, t, OPERATIONS[name][1], "global", True)
        yield own_cells(f"atom.{words}.shared.add.s32", "add", "s32", OPERATIONS["add"][1], "shared", True)
        if not words.startswith("acq"):
            yield own_cells(f"red.{words}.global.add.u64", "add", "u64", OPERATIONS["add"][1], "global", False)
            yield own_cells(f"red.{words}.shared.or.b32", "or", "b32", OPERATIONS["or"][1], "shared", False)
    for space in ("shared::cta", "shared::cluster"):
        yield own_cells(f"red.{space}.xor.b32", "xor", "b32", OPERATIONS["xor"][1], space, False)
        yield own_cells(f"atom.{space}.add.u32", "add", "u32", OPERATIONS["add"][1], space, True)
        yield own_cells(f"atom.{space}.cas.b32", "cas", "b32", OPERATIONS["cas"][1], space, True)
        yield own_cells(f"red.{space}.max.s32" if space == "shared::cta" else f"red.{space}.min.u32", "max" if space == "shared::cta" else "min",
                        "s32" if space == "shared::cta" else "u32",
                        OPERATIONS["max" if space == "shared::cta" else "min"][1], space, False)


def contended():
    """All threads of three blocks of 48 at four cells: only the end is told, which no order changes."""
    blocks, threads, cells = 3, 48, 4
    for name, t, function in each():
        if name in ("exch", "cas"):
            continue
        n = blocks * threads
        if t[0] == "f":  # whole numbers: every sum is exact
            f = F32 if t == "f32" else F64
            b = [f.round(k % 17 - 5) for k in range(n)]
            start = [f.round(1000 * k) for k in range(cells)]
        else:
            b = draws(f"contended {name}", n, t)
            start = draws(f"contended {name} start", cells, t)
            if name in ("inc", "dec"):
                b, start = [10] * n, [0, 3, 10, 11]
        end = list(start)
        for k in range(n):
            end[k % cells] = function(t, end[k % cells], b[k], 0)
        size = width(t) // 8
        for opcode in ("atom", "red"):
            for space in ("global", "shared"):
                form = f"{opcode}.{space}.{name}.{t}"
                body = [*PLACE, f".reg .{t} %b, %d;", ".reg .u32 %r, %q;", ".reg .pred %p;", "mov.u32 %r, %ctaid.x;",
                        f"mad.lo.u32 %q, %r, {threads}, %t;", "ld.param.u64 %x, [b];", f"mul.wide.u32 %o, %q, {size};",
                        "add.u64 %x, %x, %o;", f"ld.global.{t} %b, [%x];", "and.b32 %q, %q, 3;", "ld.param.u64 %m, [m];",
                        f"mul.wide.u32 %o, %q, {size};", "add.u64 %m, %m, %o;"]
                where, end_values, grid = "%m", end, str(blocks)
                if space == "shared":
                    grid, end_values = "", list(start)
                    for k in range(threads):
                        end_values[k % cells] = function(t, end_values[k % cells], b[k], 0)
                    body += [f".shared .align 8 .b8 room[{cells * size}];", "mov.u64 %y, room;", "add.u64 %y, %y, %o;",
                             "setp.lt.u32 %p, %t, 4;", f"@%p ld.global.b{8 * size} %d, [%m];",
                             f"@%p st.shared.b{8 * size} [%y], %d;", "bar.sync 0;"]
                    where = "%y"
                body.append(f"{form} %d, [{where}], %b;" if opcode == "atom" else f"{form} [{where}], %b;")
                if space == "shared":
                    body += ["bar.sync 0;", f"@%p ld.shared.b{8 * size} %d, [%y];", f"@%p st.global.b{8 * size} [%m], %d;"]
                yield FOLDER + form + ".contended.ptx", whole_file(
                    form, MODEL, [InOut("m", t, start, end_values), In("b", t, b[:threads] if space == "shared" else b)],
                    "\n".join(body + ["ret;"]), block=str(threads), grid=grid)


def in_divergence():
    """Lanes that are off take no part; a guard is divergence, too."""
    body = [*PLACE, ".reg .u32 %b, %d;", ".reg .pred %p, %q;", "ld.param.u64 %m, [m];", "and.b32 %b, %t, 3;",
            "setp.eq.u32 %p, %b, 1;", "@%p atom.global.add.u32 %d, [%m], 1;", "setp.lt.u32 %q, %t, 20;", "@!%q bra ELSE;",
            "red.global.add.u32 [%m+4], %t;", "bra.uni END;", "ELSE:", "red.global.max.u32 [%m+8], %t;", "END:",
            "atom.global.add.u32 %d, [%m+12], 1;", "ret;"]
    yield FOLDER + "atom.divergent.ptx", whole_file(
        "atom in divergent code", MODEL, [InOut("m", "u32", [100, 0, 0, 0], [108, 190, 31, 32])], "\n".join(body))
    # What exchanges return, and what stays, are the same numbers as were there and went in, whatever the order.
    body = [*PLACE, ".reg .u32 %b, %d;", "ld.param.u64 %m, [m];", "add.u32 %b, %t, 1;",
            "atom.global.exch.b32 %d, [%m], %b;", "red.global.add.u32 [%m+4], %d;", "bar.sync 0;", ".reg .pred %p;",
            "setp.eq.u32 %p, %t, 0;", "@%p ld.volatile.global.u32 %d, [%m];", "@%p red.global.add.u32 [%m+4], %d;",
            "@%p mov.u32 %d, 0;", "@%p st.global.u32 [%m], %d;", "ret;"]
    yield FOLDER + "atom.exch.sum.ptx", whole_file(
        "atom.global.exch.b32 by all", MODEL, [InOut("m", "u32", [1000, 0], [0, 1000 + sum(range(1, 65))])], "\n".join(body),
        block="64")
    # A counter by compare and swap: each thread adds its number, however often it must try.
    body = [*PLACE, ".reg .u32 %old, %new, %got;", ".reg .pred %p;", "ld.param.u64 %m, [m];", "ld.volatile.global.u32 %old, [%m];",
            "AGAIN:", "add.u32 %new, %old, %t;", "atom.global.cas.b32 %got, [%m], %old, %new;", "setp.ne.u32 %p, %got, %old;",
            "mov.u32 %old, %got;", "@%p bra AGAIN;", "ret;"]
    yield FOLDER + "atom.cas.loop.ptx", whole_file(
        "atom.global.cas.b32 in a loop", MODEL, [InOut("m", "u32", [5], [5 + sum(range(96))])], "\n".join(body), block="96")


FENCES = ["membar.cta", "membar.gl", "membar.sys", "fence.sc.cta", "fence.sc.cluster", "fence.sc.gpu", "fence.sc.sys",
          "fence.acq_rel.cta", "fence.acq_rel.cluster", "fence.acq_rel.gpu", "fence.acq_rel.sys", "fence.proxy.alias",
          "fence.proxy.async", "fence.proxy.async.global", "fence.proxy.async.shared::cta", "fence.mbarrier_init.release.cluster",
          "fence.proxy.async.shared::cluster", "fence.proxy.tensormap::generic.release.gpu",
          "fence.acquire.sync_restrict::shared::cluster.cluster", "fence.release.sync_restrict::shared::cta.cluster",
          "fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster",
          "fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster",
          "fence.acquire.cta", "fence.release.gpu", "fence.acquire.sys", "fence.release.cluster"]


def fences():
    """The second warp waits for the first one's flag, and finds what was written before it."""
    for fence in FENCES:
        between = [fence + ";"]
        version = "8.6" if "acquire" in fence or "release" in fence else "8.0"
        if "proxy" in fence or "mbarrier" in fence or "acquire" in fence or "release" in fence:
            between.append("fence.acq_rel.gpu;")  # for the order itself, where this one gives none or half of it
        body = [*PLACE, ".reg .u32 %f, %v;", ".reg .pred %p;", "ld.param.u64 %m, [m];", "ld.param.u64 %x, [d];",
                "setp.ge.u32 %p, %t, 32;", "@%p bra WAIT;", "mul.wide.u32 %o, %t, 4;", "add.u64 %y, %m, %o;",
                "mul.lo.u32 %v, %t, 3;", "st.relaxed.gpu.global.u32 [%y+4], %v;", *between, "bar.warp.sync -1;",
                "setp.ne.u32 %p, %t, 0;", "@%p ret;", "mov.u32 %f, 1;", *between, "st.relaxed.gpu.global.u32 [%m], %f;", "ret;",
                "WAIT:", "ld.relaxed.gpu.global.u32 %f, [%m];", "setp.eq.u32 %p, %f, 0;", "@%p bra WAIT;", *between,
                "sub.u32 %f, %t, 32;", "mul.wide.u32 %o, %f, 4;", "add.u64 %y, %m, %o;", "ld.relaxed.gpu.global.u32 %v, [%y+4];",
                "add.u64 %x, %x, %o;", "st.global.u32 [%x], %v;", "ret;"]
        zeros, after = [0] * 33, [1] + [3 * k for k in range(32)]
        yield FOLDER + fence.replace("::", "_") + ".ptx", whole_file(
            fence, MODEL, [InOut("m", "u32", zeros, after), Out("d", "u32", after[1:])], "\n".join(body), block="64",
            version=version)


def files():
    for family in (forms, subnormal, orders, contended, in_divergence, fences):
        yield from family()
