# SPDX-License-Identifier: GPL-3.0-or-later
"""atom and red of halves and of vectors: PTX ISA, "Parallel Synchronization and Communication Instructions: atom". Every
thread has cells of its own, so that no order matters; one file adds ones to a single cell, which is exact in any order."""
import itertools

import ieee
from files import In, InOut, Out, file
from floats import corners, drawn, smaller_or_larger
from halves import CANONICAL, canonical
from ieee import F32, OF

MODEL = "half_atomics"
FOLDER = "atomics/"


def kernel(form, returns, kind, cells, operands, results, elements=1, space="global", more="", turned=False):
    """One access of a thread. cells, operands: elements of kind; operands of cas in a second list."""
    bits = int(kind[1:])
    size = bits // 8
    count = len(cells) // elements
    params = [InOut("m", kind, cells, results)]
    params += [In(n, kind, o) for n, o in zip("bc", operands)]
    if returns:
        params.append(Out("d", kind, cells))
    names = {n: [f"%{n}{k}" for k in range(elements)] for n in "bcd"}
    if turned:  # what was there goes to the operand's registers, the other way round
        names["d"] = names["b"][::-1]
    body = [".reg .u32 %t;", ".reg .u64 %at<5>;"]
    body += [f".reg .{kind} {', '.join(v)};" for n, v in names.items() if not (turned and n == "d")]
    body.append("mov.u32 %t, %tid.x;")
    for k, p in enumerate(params):
        body += [f"ld.param.u64 %at{k}, [{p.name}];", f"mul.wide.u32 %at4, %t, {size * elements};", f"add.u64 %at{k}, %at{k}, %at4;"]
        if p.name in "bc":
            body += [f"ld.global.{kind} {r}, [%at{k}+{size * e}];" for e, r in enumerate(names[p.name])]

    def group(n):
        return names[n][0] if elements == 1 else "{" + ", ".join(names[n]) + "}"
    place = "[%at0]"
    if space == "shared":
        body += [f".shared .align 16 .b8 cells[{size * len(cells)}];", ".reg .u32 %s;", f".reg .{kind} %x;",
                 f"mul.lo.u32 %t, %t, {size};", "mov.u32 %s, cells;", "add.u32 %s, %s, %t;",
                 f"ld.global.{kind} %x, [%at0];", f"st.shared.{kind} [%s], %x;"]
        place = "[%s]"
    last = ", ".join(group(n) for n, _ in zip("bc", operands))
    body.append(f"{form} {group('d') + ', ' if returns else ''}{place}, {last};")
    if space == "shared":
        body += [f"ld.shared.{kind} %x, [%s];", f"st.global.{kind} [%at0], %x;"]
    if returns:
        body += [f"st.global.{kind} [%at{len(params) - 1}+{size * e}], {r};" for e, r in enumerate(names["d"])]
    body.append("ret;")
    name = form.replace("::", "-") + ".turned" * turned
    return FOLDER + name + ".ptx", file(form, MODEL, params, "\n".join(body), block=str(count), version="8.1")


def updated(f, op, a, b):
    return canonical(f, ieee.add(f, a, b, "rn") if op == "add" else smaller_or_larger(f, [a, b], op == "max", False, False))


def numbers(f, count):
    edge = corners(f) + drawn(f, "atomics", 200)
    a = [edge[k % len(edge)] for k in range(count)]
    b = [edge[(k * 7 + 3) % len(edge)] for k in range(count)]
    return a, b


def halves():
    for type_, pair in itertools.product(("f16", "bf16"), (False, True)):
        f = OF[type_]
        name = type_ + "x2" * pair
        kind = "b32" if pair else "b16"

        def cells(op, count, f=f, pair=pair):
            a, b = numbers(f, count * (2 if pair else 1))
            r = [updated(f, op, x, y) for x, y in zip(a, b)]
            if pair:
                return [[v[2 * k] | v[2 * k + 1] << 16 for k in range(count)] for v in (a, b, r)]
            return a, b, r
        for returns, space in itertools.product((True, False), ("global", "shared")):
            a, b, r = cells("add", 128)
            form = f"{'atom' if returns else 'red'}.{space}.add.noftz.{name}"
            yield kernel(form, returns, kind, a, [b], r, space=space)
        for returns, op, elements in itertools.product((True, False), ("add", "min", "max"), (2, 4, 8)):
            if pair and elements == 8:
                continue
            a, b, r = cells(op, 32 * elements)
            form = f"{'atom' if returns else 'red'}.global.{op}.noftz.v{elements}.{name}"
            yield kernel(form, returns, kind, a, [b], r, elements)
            if returns and op == "add":
                yield kernel(form, returns, kind, a, [b], r, elements, turned=True)


def singles():
    for returns, elements in itertools.product((True, False), (2, 4)):
        # Of normal numbers with normal sums: what becomes of others is told for single ones only.
        a = [v for v in drawn(F32, "vectors", 160) if not F32.is_subnormal(v)]
        a = a[:32 * elements]
        b = a[9:] + a[:9]
        r = [ieee.add(F32, x, y, "rn") for x, y in zip(a, b)]
        form = f"{'atom' if returns else 'red'}.global.add.v{elements}.f32"
        yield kernel(form, returns, "f32", a, [b], r, elements)
        if returns:
            yield kernel(form, returns, "f32", a, [b], r, elements, turned=True)


def compare_and_swap():
    a = [(k * 0x9e37 + 1) & 0xffff for k in range(64)]
    b = [v if k % 3 else v ^ 1 for k, v in enumerate(a)]
    c = [(v * 5 + 9) & 0xffff for v in a]
    r = [z if x == y else x for x, y, z in zip(a, b, c)]
    for space in ("global", "shared"):
        yield kernel(f"atom.{space}.cas.b16", True, "b16", a, [b, c], r, space=space)


def into_one_cell():
    """256 threads add 1.0 and 0.5 to two halves: 256 and 128, exact at every step."""
    for type_, one, half, sums in (("f16", 0x3c00, 0x3800, (0x5c00, 0x5800)), ("bf16", 0x3f80, 0x3f00, (0x4380, 0x4300))):
        body = f""".reg .u64 %at;
        .reg .b32 %b;
        ld.param.u64 %at, [m];
        mov.b32 %b, {hex(half << 16 | one)};
        red.global.add.noftz.{type_}x2 [%at], %b;
        ret;"""
        form = f"red.global.add.noftz.{type_}x2"
        yield f"{FOLDER}{form}.one.cell.ptx", file(form, MODEL, [InOut("m", "b32", [0], [sums[1] << 16 | sums[0]])], body,
                                                   block="256", version="8.1")


def files():
    assert CANONICAL == 0x7fff
    for family in (halves, singles, compare_and_swap, into_one_cell):
        yield from family()
