# SPDX-License-Identifier: GPL-3.0-or-later
"""Registers of 128 bits, vectors of registers, and loads and stores of up to 32 bytes.

What comes out is what went in, in an order that the instruction says.
"""
from files import In, InOut, Out, draws, file, lanewise

MODEL = "wide"
FOLDER = "wide/"
LANES = 32


def address(name, bytes_, register="%at"):
    """Of the lane's own bytes in the buffer; %t is %tid.x."""
    return f"""ld.param.u64 {register}, [{name}];
        mul.wide.u32 %off, %t, {bytes_};
        add.u64 {register}, {register}, %off;"""


HEAD = """.reg .u32 %t;
    .reg .u64 %off, %at, %to;
    mov.u32 %t, %tid.x;"""


def kernel(name, form, params, body, **more):
    return FOLDER + name + ".ptx", file(form, MODEL, params, HEAD + "\n" + body.strip("\n") + "\nret;", **more)


def packing():
    low, high = draws("low", LANES, "u64"), draws("high", LANES, "u64")
    yield FOLDER + "mov.b128.pack.ptx", lanewise(
        "mov.b128 of two b64, and back in turn", MODEL, [In("a", "b64", low), In("b", "b64", high)],
        [Out("d", "b64", high), Out("e", "b64", low)], """mov.b128 %q, {%a, %b};
        mov.b128 {%e, %d}, %q;""", registers=".reg .b128 %q;", version="8.3")
    yield FOLDER + "mov.b128.ptx", lanewise(
        "mov.b128", MODEL, [In("a", "b64", low), In("b", "b64", high)],
        [Out("d", "b64", low), Out("e", "b64", high)], """mov.b128 %q, {%a, %b};
        mov.b128 %r, %q;
        mov.b128 %q, {%b, %a};
        mov.b128 {%d, %e}, %r;""", registers=".reg .b128 %q, %r;", version="8.3")
    yield FOLDER + "mov.b128.guarded.ptx", lanewise(
        "mov.b128 in half of the lanes", MODEL, [In("a", "b64", low), In("b", "b64", high)],
        [Out("d", "b64", [x if k < 16 else y for k, (x, y) in enumerate(zip(low, high))])],
        """mov.b128 %q, {%a, %b};
        mov.b128 %r, {%b, %a};
        setp.lt.u32 %p, %tid_, 16;
        @%p mov.b128 %r, %q;
        mov.b128 {%d, _}, %r;""", registers=".reg .b128 %q, %r;\n.reg .pred %p;", version="8.3")


def memory_of_128():
    data = draws("sixteen bytes", 4 * LANES, "u32")
    turned = [data[4 * lane + k] for lane in range(LANES) for k in (2, 3, 0, 1)]
    same = data[:4] * LANES
    for cache in ("", ".ca", ".cg", ".cs", ".lu", ".cv", ".nc", ".relaxed.gpu", ".volatile"):
        yield kernel(f"ld.global{cache}.b128", f"ld.global{cache}.b128", [In("a", "b32", data), Out("d", "b32", data)],
                     f"""{address('a', 16)}
            .reg .b128 %q;
            ld.global{cache}.b128 %q, [%at];
            {address('d', 16, '%to')}
            st.global.b128 [%to], %q;""", version="8.3")
    for cache in (".wb", ".cg", ".cs", ".wt"):
        yield kernel(f"st.global{cache}.b128", f"st.global{cache}.b128", [In("a", "b32", data), Out("d", "b32", data)],
                     f"""{address('a', 16)}
            .reg .b128 %q;
            ld.global.b128 %q, [%at];
            {address('d', 16, '%to')}
            st.global{cache}.b128 [%to], %q;""", version="8.3")
    yield kernel("ldu.global.b128", "ldu.global.b128", [In("a", "b32", data), Out("d", "b32", data)],
                 f"""{address('a', 16)}
        .reg .b128 %q;
        ldu.global.b128 %q, [%at];
        {address('d', 16, '%to')}
        st.global.b128 [%to], %q;""", version="8.3")
    yield kernel("ld.global.b128.uniform", "ld.global.b128 of one place", [In("a", "b32", data), Out("d", "b32", same)],
                 f"""ld.param.u64 %at, [a];
        .reg .b128 %q;
        ld.global.b128 %q, [%at];
        {address('d', 16, '%to')}
        st.global.b128 [%to], %q;""", version="8.3")
    for space, declared, base in (("shared", ".shared .align 16 .b8 room[512];", "%t16"), ("local", "", "")):
        inside = """.reg .b64 %low, %high;
            mov.b128 {%low, %high}, %q;
            mov.b128 %q, {%high, %low};"""
        if space == "shared":
            body = f"""{address('a', 16)}
                .reg .b128 %q;
                .reg .u32 %s;
                ld.global.b128 %q, [%at];
                mov.u32 %s, room;
                mad.lo.u32 %s, %t, 16, %s;
                st.shared.b128 [%s], %q;
                bar.sync 0;
                ld.shared.b128 %q, [%s];"""
        else:
            body = f"""{address('a', 16)}
                .reg .b128 %q;
                .reg .u64 %s;
                .local .align 16 .b8 own[32];
                ld.global.b128 %q, [%at];
                mov.u64 %s, own;
                st.local.b128 [%s+16], %q;
                ld.local.b128 %q, [%s+16];"""
        yield kernel(f"ld.{space}.b128", f"ld.{space}.b128 and st.{space}.b128",
                     [In("a", "b32", data), Out("d", "b32", turned)], body + inside + f"""
            {address('d', 16, '%to')}
            st.global.b128 [%to], %q;""", outside=declared, version="8.3")
    yield kernel("ld.b128", "ld.b128 and st.b128 of a generic address", [In("a", "b32", data), Out("d", "b32", data)],
                 f"""{address('a', 16)}
        .reg .b128 %q;
        ld.b128 %q, [%at];
        {address('d', 16, '%to')}
        st.b128 [%to], %q;""", version="8.3")


def atomics_of_128():
    before, given = draws("before", 2, "u64"), draws("given", 2, "u64")
    read = """.reg .b128 %q, %w, %o;
        .reg .b64 %low, %high;
        ld.param.u64 %at, [a];
        ld.global.b128 %w, [%at];
        ld.param.u64 %at, [b];"""
    write = """ld.param.u64 %to, [d];
        mov.b128 {%low, %high}, %o;
        st.global.v2.b64 [%to], {%low, %high};"""
    yield kernel("atom.exch.b128", "atom.exch.b128", [In("a", "b64", given), InOut("b", "b64", before, given),
                                                     Out("d", "b64", before)],
                 read + "\natom.global.exch.b128 %o, [%at], %w;\n" + write, block="1", version="8.4")
    for fits in (True, False):
        expected = before if fits else [before[0], before[1] ^ 1]
        yield kernel("atom.cas.b128." + ("equal" if fits else "different"), "atom.cas.b128",
                     [In("a", "b64", given), InOut("b", "b64", before, given if fits else before),
                      In("c", "b64", expected), Out("d", "b64", before)],
                     read + """
            ld.param.u64 %to, [c];
            ld.global.b128 %q, [%to];
            atom.global.cas.b128 %o, [%at], %q, %w;
            """ + write, block="1", version="8.4")


def long_vectors():
    data = draws("thirty-two bytes", 8 * LANES, "u32")
    back = [data[8 * lane + 7 - k] for lane in range(LANES) for k in range(8)]
    for type_ in ("b32", "u32", "s32", "f32"):
        for hint in ("", ".nc.L1::no_allocate.L2::256B") if type_ == "b32" else ("",):
            yield kernel(f"ld.global{hint.replace('::', '_')}.v8.{type_}", f"ld.global{hint}.v8.{type_} and st.global.v8.{type_}",
                         [In("a", "b32", data), Out("d", "b32", back)], f"""{address('a', 32)}
                .reg .{type_} %r<8>;
                ld.global{hint}.v8.{type_} {{%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}}, [%at];
                {address('d', 32, '%to')}
                st.global.v8.{type_} [%to], {{%r7, %r6, %r5, %r4, %r3, %r2, %r1, %r0}};""",
                         version="8.8", arch="sm_100", target="sm_100")
    data = draws("four words", 4 * LANES, "u64")
    back = [data[4 * lane + 3 - k] for lane in range(LANES) for k in range(4)]
    for type_ in ("b64", "u64", "s64", "f64"):
        yield kernel(f"ld.global.v4.{type_}", f"ld.global.v4.{type_}", [In("a", "b64", data), Out("d", "b64", back)],
                     f"""{address('a', 32)}
            .reg .{type_} %r<4>;
            ld.global.v4.{type_} {{%r0, %r1, %r2, %r3}}, [%at];
            {address('d', 32, '%to')}
            st.global.v4.{type_} [%to], {{%r3, %r2, %r1, %r0}};""", version="8.8", arch="sm_100", target="sm_100")


def left_out():
    """Stores of 32 bytes in which some elements are not written."""
    for type_, names in (("v8.b32", ("_", "%r0", "%r1", "_", "%r2", "_", "_", "%r3")), ("v4.b64", ("%r0", "_", "_", "%r1"))):
        element = type_[3:]
        count = len(names)
        a = draws(type_, 8 * count, element)
        before = draws(type_ + "before", 8 * count, element)
        after = list(before)
        for t in range(8):
            for k, name in enumerate(names):
                if name != "_":
                    after[t * count + k] = a[t * count + int(name[2:])]
        loads = "\n".join(f"ld.global.{element} %r{k}, [%at+{int(element[1:]) // 8 * k}];"
                          for k in range(sum(n != "_" for n in names)))
        yield kernel(f"st.global.{type_}.left_out", f"st.global.{type_}", [In("a", element, a), InOut("d", element, before, after)],
                     f"""{address('a', 32)}
            .reg .{element} %r<4>;
            {loads}
            {address('d', 32, '%to')}
            st.global.{type_} [%to], {{{', '.join(names)}}};""", block="8", version="8.8", arch="sm_100", target="sm_100")


def unified():
    a = draws("unified", LANES, "b32")
    yield kernel("ld.global.b32.unified", "ld.global.b32", [In("a", "b32", a), Out("d", "b32", a)],
                 f"""{address('a', 4)}
        .reg .b32 %r;
        ld.global.b32 %r, [%at].unified;
        {address('d', 4, '%to')}
        st.global.b32 [%to], %r;""")


def vector_registers():
    a, b = draws("x", LANES, "u32"), draws("y", LANES, "u32")
    ins = [In("a", "b32", a), In("b", "b32", b)]
    yield FOLDER + "reg.v2.parts.ptx", lanewise(
        ".reg .v2: parts", MODEL, ins, [Out("d", "b32", b), Out("e", "b32", a)], """mov.b32 %v.x, %a;
        mov.b32 %v.y, %b;
        mov.b32 %d, %v.y;
        mov.b32 %e, %v.x;""", registers=".reg .v2 .b32 %v;")
    yield FOLDER + "reg.v4.colours.ptx", lanewise(
        ".reg .v4: parts by colour", MODEL, ins,
        [Out("d", "b32", [(x + y) & 0xFFFFFFFF for x, y in zip(a, b)]), Out("e", "b32", b)], """mov.u32 %v.r, %a;
        mov.u32 %v.g, %b;
        add.u32 %v.b, %v.x, %v.y;
        mov.u32 %v.a, %v.g;
        mov.u32 %d, %v.z;
        mov.u32 %e, %v.w;""", registers=".reg .v4 .u32 %v;")
    yield FOLDER + "mov.v2.b32.ptx", lanewise(
        "mov.v2.b32 between vectors and braces", MODEL, ins, [Out("d", "b32", b), Out("e", "b32", a)],
        """mov.v2.b32 %v, {%a, %b};
        mov.v2.b32 %w, {%v.y, %v.x};
        mov.v2.b32 {%d, %e}, %w;""", registers=".reg .v2 .b32 %v, %w;")
    yield FOLDER + "mov.v4.b32.ptx", lanewise(
        "mov.v4.b32 in turn", MODEL, ins, [Out("d", "b32", b), Out("e", "b32", a)],
        """mov.v4.b32 {%r0, %r1, %r2, %r3}, {%a, %b, %a, %b};
        mov.v4.b32 {%r0, %r1, %r2, %r3}, {%r3, %r2, %r1, %r0};
        mov.b32 %d, %r0;
        mov.b32 %e, %r3;""", registers=".reg .b32 %r<4>;")
    data = draws("vectors", 4 * LANES, "u32")
    turned = [data[4 * lane + k] for lane in range(LANES) for k in (3, 0, 2, 1)]
    yield kernel("ld.v4.b32.vector", "ld.v4.b32 and st.v4.b32 of a vector",
                 [In("a", "b32", data), Out("d", "b32", turned)], f"""{address('a', 16)}
        .reg .v4 .b32 %v, %w;
        ld.global.v4.b32 %v, [%at];
        mov.v4.b32 %w, {{%v.w, %v.x, %v.z, %v.y}};
        {address('d', 16, '%to')}
        st.global.v4.b32 [%to], %w;""")
    yield FOLDER + "mov.b64.vector.ptx", lanewise(
        "mov.b64 of a vector of two", MODEL, ins,
        [Out("d", "b64", [x | y << 32 for x, y in zip(a, b)])], """mov.b32 %v.x, %a;
        mov.b32 %v.y, %b;
        mov.b64 %d, %v;""", registers=".reg .v2 .b32 %v;")


def files():
    for family in (packing, memory_of_128, atomics_of_128, long_vectors, left_out, unified, vector_registers):
        yield from family()
