# SPDX-License-Identifier: GPL-3.0-or-later
"""mov, addresses and their spaces: PTX ISA, "Data Movement and Conversion Instructions: mov, cvta, isspacep"."""
from files import In, Out, Value, draws, file as whole_file, lanewise, width

MODEL = "moves"
FOLDER = "move/"
TYPES = ("b16", "b32", "b64", "u16", "u32", "u64", "s16", "s32", "s64", "f32", "f64")


def lanes(name, form, ins, outs, code, registers="", **more):
    return FOLDER + name + ".ptx", lanewise(form, MODEL, ins, outs, code, registers=registers, **more)


def registers_and_constants():
    for t in TYPES:
        raw = f"b{width(t)}"
        a = draws("mov", 32, raw)
        constant = {"f32": ("0f40490FDB", 0x40490fdb), "f64": ("0d400921FB54442D18", 0x400921fb54442d18)}.get(
            t, ("-2" if t[0] == "s" else "0xfedc", (1 << width(t)) - 2 if t[0] == "s" else 0xfedc))
        yield lanes(f"mov.{t}", f"mov.{t}", [In("a", raw, a)],
                    [Out("d", raw, a), Out("e", raw, [constant[1]] * 32)],
                    f"""mov.{t} %x, %a;
                    mov.{t} %d, %x;
                    mov.{t} %x, {constant[0]};
                    mov.{raw} %e, %x;""".replace(f"mov.{t} %d", f"mov.{raw} %d"), f".reg .{t} %x;")
    a = [0, 1] * 16
    yield lanes("mov.pred", "mov.pred", [In("a", "u32", a)], [Out("d", "u32", a)], """setp.ne.u32 %p, %a, 0;
        mov.pred %q, %p;
        selp.u32 %d, 1, 0, %q;""", ".reg .pred %p, %q;")


def parts():
    """A register from parts and back, low part first."""
    for whole, part, count in (("b16", "b8", 2), ("b32", "b8", 4), ("b32", "b16", 2), ("b64", "b16", 4),
                               ("b64", "b32", 2), ("b64", "f32", 2)):
        n = width(part)
        a = draws(f"parts {part}", 32, whole)
        pieces = [[v >> n * k & ((1 << n) - 1) for v in a] for k in range(count)]
        names = "pqrs"[:count]
        inner = "b8" if part == "b8" else part
        if part == "b8":  # PTX has no mov for bytes: a vector of eight bits takes registers of sixteen
            continue
        registers = f".reg .{inner} " + ", ".join(f"%{n}" for n in names) + f";\n.reg .{whole} %w;"
        listed = ", ".join(f"%{n}" for n in names)
        yield lanes(f"mov.{whole}.from.{count}x{part}", f"mov.{whole} of {count} {part}",
                    [In(f"i{k}", part, v) for k, v in enumerate(pieces)], [Out("d", whole, a)],
                    "\n".join(f"mov.{part} %{x}, %i{k};" for k, x in enumerate(names))
                    + f"\nmov.{whole} %d, {{{listed}}};", registers)
        yield lanes(f"mov.{whole}.to.{count}x{part}", f"mov.{whole} to {count} {part}", [In("a", whole, a)],
                    [Out(f"d{k}", part, v) for k, v in enumerate(pieces)],
                    f"mov.{whole} {{{listed}}}, %a;\n"
                    + "\n".join(f"mov.{part} %d{k}, %{x};" for k, x in enumerate(names)), registers)
        sink = ["_"] * (count - 1) + ["%p"]
        yield lanes(f"mov.{whole}.sink.{count}x{part}", f"mov.{whole} to {count} {part} with sinks", [In("a", whole, a)],
                    [Out("d", part, pieces[-1])], f"mov.{whole} {{{', '.join(sink)}}}, %a;\nmov.{part} %d, %p;", registers)


GRID, BLOCK = (2, 3, 2), (5, 3, 4)  # 60 threads: the second warp is not full


def special_registers():
    threads = BLOCK[0] * BLOCK[1] * BLOCK[2]
    blocks = GRID[0] * GRID[1] * GRID[2]
    every = [(b, t) for b in range(blocks) for t in range(threads)]

    def place(k, size):
        return k % size[0], k // size[0] % size[1], k // (size[0] * size[1])
    values = {
        "laneid": [t % 32 for _, t in every], "nwarpid": None, "WARP_SZ": [32] * len(every),
        "lanemask_eq": [1 << t % 32 for _, t in every], "lanemask_lt": [(1 << t % 32) - 1 for _, t in every],
        "lanemask_le": [(2 << t % 32) - 1 for _, t in every],
        "lanemask_gt": [0xffffffff & ~((2 << t % 32) - 1) for _, t in every],
        "lanemask_ge": [0xffffffff & ~((1 << t % 32) - 1) for _, t in every],
        "dynamic_smem_size": [256] * len(every),
    }
    for k, axis in enumerate("xyz"):
        values[f"tid.{axis}"] = [place(t, BLOCK)[k] for _, t in every]
        values[f"ntid.{axis}"] = [BLOCK[k]] * len(every)
        values[f"ctaid.{axis}"] = [place(b, GRID)[k] for b, _ in every]
        values[f"nctaid.{axis}"] = [GRID[k]] * len(every)
        values[f"cluster_ctaid.{axis}"] = [0] * len(every)
        values[f"cluster_nctaid.{axis}"] = [1] * len(every)
        values[f"clusterid.{axis}"] = values[f"ctaid.{axis}"]
        values[f"nclusterid.{axis}"] = [GRID[k]] * len(every)
    values["cluster_ctarank"] = [0] * len(every)
    values["cluster_nctarank"] = [1] * len(every)
    for name in ("tid", "ntid", "ctaid", "nctaid", "clusterid", "nclusterid", "cluster_ctaid", "cluster_nctaid"):
        values[f"{name}.w"] = [0] * len(every)
        together = [values[f"{name}.{axis}"][k] for k in range(len(every)) for axis in "xyzw"]
        body = f"""{PLACE}
            .reg .u32 %q<4>;
            mov.v4.u32 {{%q0, %q1, %q2, %q3}}, %{name};
            mul.lo.u64 %o, %o, 3;
            add.u64 %d, %d, %o;
            st.global.v4.u32 [%d], {{%q0, %q1, %q2, %q3}};
            ret;"""
        yield FOLDER + f"mov.v4.u32.{name}.ptx", whole_file(
            f"mov.v4.u32 of %{name}", MODEL, [Out("d", "u32", together)], body, grid=",".join(map(str, GRID)),
            block=",".join(map(str, BLOCK)))
    for name, out in values.items():
        if out is None:  # warps of a block may have other numbers, and an SM more of them, than the block has
            continue
        source = name if name == "WARP_SZ" else "%" + name
        body = f"""{PLACE}
            mov.u32 %r0, {source};
            st.global.u32 [%d], %r0;
            ret;"""
        yield FOLDER + f"mov.u32.{name}.ptx", whole_file(
            f"mov.u32 of {source}", MODEL, [Out("d", "u32", out)], body, grid=",".join(map(str, GRID)),
            block=",".join(map(str, BLOCK)), shared=256)
    # Clocks go on, and never back.
    for name, type_ in (("clock", "u32"), ("clock64", "u64"), ("clock_hi", "u32"), ("globaltimer", "u64"),
                        ("globaltimer_lo", "u32"), ("globaltimer_hi", "u32")):
        late = "sub" if name in ("clock", "globaltimer_lo") else None
        zero = "mov.u32 %r1, 0;\nLOOP:\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p, %r1, 50;\n@%p bra LOOP;"
        compare = (f"sub.u32 %s2, %s1, %s0;\nsetp.lt.s32 %q, %s2, 0;" if late else
                   f"setp.lt.{type_} %q, %s1, %s0;")
        body = f"""{PLACE}
            .reg .pred %p, %q;
            .reg .{type_} %s<3>;
            mov.{type_} %s0, %{name};
            {zero}
            mov.{type_} %s1, %{name};
            {compare}
            selp.u32 %r0, 1, 0, %q;
            st.global.u32 [%d], %r0;
            ret;"""
        yield FOLDER + f"mov.{type_}.{name}.ptx", whole_file(
            f"mov.{type_} of %{name}", MODEL, [Out("d", "u32", [0] * 32)], body)


# The address of this thread's word of d, by the numbers of its block and thread.
PLACE = """.reg .u32 %r<8>;
.reg .u64 %d, %o;
mov.u32 %r0, %ctaid.z;
mov.u32 %r1, %nctaid.y;
mov.u32 %r2, %ctaid.y;
mad.lo.u32 %r0, %r0, %r1, %r2;
mov.u32 %r1, %nctaid.x;
mov.u32 %r2, %ctaid.x;
mad.lo.u32 %r0, %r0, %r1, %r2;
mov.u32 %r1, %ntid.z;
mov.u32 %r2, %tid.z;
mad.lo.u32 %r0, %r0, %r1, %r2;
mov.u32 %r1, %ntid.y;
mov.u32 %r2, %tid.y;
mad.lo.u32 %r0, %r0, %r1, %r2;
mov.u32 %r1, %ntid.x;
mov.u32 %r2, %tid.x;
mad.lo.u32 %r0, %r0, %r1, %r2;
ld.param.u64 %d, [d];
mul.wide.u32 %o, %r0, 4;
add.u64 %d, %d, %o;"""

DECLARE = {
    "global": ".global .align 4 .u32 here[2] = {11, 12};", "const": ".const .align 4 .u32 here[2] = {11, 12};",
    "shared": "", "local": "", "param": "",
}
INSIDE = {"shared": ".shared .align 4 .u32 here[2];", "local": ".local .align 4 .u32 here[2];"}


def generic_address(space, to="%g"):
    """Lines that put the generic address of a variable of the space into a register, its contents being 11 and 12."""
    lines = []
    if space == "param":
        return ["mov.b64 %w, here;", f"cvta.param.u64 {to}, %w;"]
    if space in INSIDE:
        lines += ["mov.u32 %v, 11;", f"st.{space}.u32 [here], %v;", "mov.u32 %v, 12;", f"st.{space}.u32 [here+4], %v;"]
    return lines + ["mov.u64 %w, here;", f"cvta.{space}.u64 {to}, %w;"]


def spaces():
    registers = ".reg .u64 %w, %g, %back;\n.reg .u32 %v;\n.reg .pred %p;"
    for space in DECLARE:
        params = [Out("d", "u32", [11, 12, 11, 1])]
        if space == "param":
            params.append(Value("here", "u64", 12 << 32 | 11))
        load = {"param": "ld.param.u32", "const": "ld.const.u32"}.get(space, f"ld.{space}.u32")
        body = "\n".join([registers, INSIDE.get(space, ""), ".reg .u64 %d;", *generic_address(space),
                          "ld.param.u64 %d, [d];",
                          "ld.u32 %v, [%g];", "st.global.u32 [%d], %v;", "ld.u32 %v, [%g+4];", "st.global.u32 [%d+4], %v;",
                          f"cvta.to.{space}.u64 %back, %g;", f"{load} %v, [%back];", "st.global.u32 [%d+8], %v;",
                          "setp.eq.u64 %p, %back, %w;", "selp.u32 %v, 1, 0, %p;", "st.global.u32 [%d+12], %v;", "ret;"])
        yield FOLDER + f"cvta.{space}.u64.ptx", whole_file(f"cvta.{space}.u64", MODEL, params, body, block="1",
                                                           outside=DECLARE[space])
    for space in ("shared::cta", "shared::cluster", "param::entry"):  # a block on its own: both are its shared memory
        plain = space.split("::")[0]
        params = [Out("d", "u32", [12, 1])] + ([Value("here", "u64", 12 << 32 | 11)] if plain == "param" else [])
        lines = [line.replace("cvta." + plain, "cvta." + space) for line in generic_address(plain)]
        body = "\n".join([registers, INSIDE.get(plain, ""), ".reg .u64 %d;", *lines, "ld.param.u64 %d, [d];",
                          "ld.u32 %v, [%g+4];", "st.global.u32 [%d], %v;", f"cvta.to.{space}.u64 %back, %g;",
                          "setp.eq.u64 %p, %back, %w;", "selp.u32 %v, 1, 0, %p;", "st.global.u32 [%d+4], %v;", "ret;"])
        yield FOLDER + f"cvta.{space.replace('::', '_')}.u64.ptx", whole_file(
            f"cvta.{space}.u64", MODEL, params, body, block="1", version="8.3")
    # Every window against every address.
    names = ("global", "shared", "local", "const", "shared::cta", "shared::cluster", "param", "param::entry")
    for window in names:
        expected, body = [], [registers, ".reg .u64 %d;", ".shared .align 4 .u32 s[2];", ".local .align 4 .u32 l[2];",
                              "ld.param.u64 %d, [d];"]
        for k, (space, variable) in enumerate((("global", "g"), ("shared", "s"), ("local", "l"), ("const", "c"),
                                               ("param", "here"))):
            if space == "param" and window in ("global", "const", "local"):
                continue  # where parameters lie is the implementation's affair
            body += [f"mov.{'b' if space == 'param' else 'u'}64 %w, {variable};", f"cvta.{space}.u64 %g, %w;",
                     f"isspacep.{window} %p, %g;", "selp.u32 %v, 1, 0, %p;", f"st.global.u32 [%d+{4 * len(expected)}], %v;"]
            expected.append(int(window.split("::")[0] == space))
        yield FOLDER + f"isspacep.{window.replace('::', '_')}.ptx", whole_file(
            f"isspacep.{window}", MODEL, [Out("d", "u32", expected), Value("here", "u64", 5)], "\n".join(body + ["ret;"]),
            version="8.3", block="1", outside=".global .align 4 .u32 g[2];\n.const .align 4 .u32 c[2] = {1, 2};")


def addresses():
    """Addresses of variables with offsets, as values and in initialisers."""
    body = """.reg .u64 %d, %a;
        .reg .u32 %v;
        ld.param.u64 %d, [d];
        mov.u64 %a, table+8;
        ld.global.u32 %v, [%a];
        st.global.u32 [%d], %v;
        ld.global.u32 %v, [table+12];
        st.global.u32 [%d+4], %v;
        ld.global.u64 %a, [pointer];
        ld.global.u32 %v, [%a];
        st.global.u32 [%d+8], %v;
        ld.global.u64 %a, [pointer+8];
        ld.u32 %v, [%a];
        st.global.u32 [%d+12], %v;
        ld.global.u64 %a, [pointer];
        ld.global.u32 %v, [%a+-4];
        st.global.u32 [%d+16], %v;
        ret;"""
    yield FOLDER + "mov.u64.symbol.ptx", whole_file(
        "mov.u64 of a symbol", MODEL, [Out("d", "u32", [30, 40, 20, 40, 10])], body, block="1",
        outside=".global .align 4 .u32 table[4] = {10, 20, 30, 40};\n"
                ".global .align 8 .u64 pointer[2] = {table+4, generic(table)+12};")


def files():
    for family in (registers_and_constants, parts, special_registers, spaces, addresses):
        yield from family()
