# SPDX-License-Identifier: GPL-3.0-or-later
"""Loads and stores: PTX ISA, "Data Movement and Conversion Instructions: ld, ld.global.nc, ldu, st"."""
from files import In, InOut, Out, Value, bits, draws, file as whole_file, number, width

MODEL = "memories"
FOLDER = "memory/"
TYPES = ("b8", "b16", "b32", "b64", "u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "f32", "f64")
COUNT = 32


def wide(t):
    """A register wider than the type, where PTX has one: results are extended to it, by sign if the type has one."""
    return {"b8": "b32", "u8": "u32", "s8": "s64", "b16": "b32", "u16": "u64", "s16": "s32", "u32": "u64", "s32": "s64",
            "b32": "b64"}.get(t, t)


def raw(t):
    return f"b{width(t)}"


def extended(v, t):
    """What the register of wide(t) holds behind a load."""
    return bits(number(v, t if t[0] != "f" else raw(t)), raw(wide(t)))


def lane(name, size, register="%x"):
    return [f"ld.param.u64 {register}, [{name}];", f"mul.wide.u32 %o, %t, {size};", f"add.u64 {register}, {register}, %o;"]


HEAD = [".reg .u32 %t;", ".reg .u64 %o, %x, %y, %s;", "mov.u32 %t, %tid.x;"]
# A lane's place in an array of this space, whose lanes are SIZE bytes apart, in %s; and what is declared for it.
SPACES = {
    "shared": lambda size: [f".shared .align 16 .b8 room[{size * COUNT}];", f"mul.wide.u32 %o, %t, {size};",
                            "mov.u64 %s, room;", "add.u64 %s, %s, %o;"],
    "local": lambda size: [f".local .align 16 .b8 room[{size}];", "mov.u64 %s, room;"],
}


def put_there(space, size, raw_type, register):
    """Lines that bring %x's elements to the lane's place in the space, byte by byte as they stand."""
    return SPACES[space](size) + [f"ld.global.{raw_type} {register}, [%x];", f"st.{space}.{raw_type} [%s], {register};"]


def single_loads():
    for t in TYPES:
        size = width(t) // 8
        a = draws(f"load {t}", COUNT, raw(t))
        a[:4] = [(1 << width(t)) - 1, 1 << (width(t) - 1), 0, (1 << (width(t) - 1)) - 1]
        out = [extended(v, t) for v in a]
        to = wide(t)
        rt = f".reg .{to} %v;\n.reg .{'b16' if size == 1 else raw(t)} %w;"
        # Floats go through registers of their own kind; 64 bits as they are.
        for space in ("global", "shared", "local", "const", "param", "generic", "shared_generic", "local_generic"):
            body, outside, params = [*HEAD, rt], "", [In("a", raw(t), a), Out("d", raw(to), out)]
            load = f"ld{'' if 'generic' in space else '.' + space}.{t}"
            if space in ("global", "generic"):
                body += lane("a", size) + [f"{load} %v, [%x];"]
            elif space == "const":
                listed = ", ".join(str(v) for v in a)
                if t[0] == "f":
                    listed = ", ".join(f"0{'f' if size == 4 else 'd'}{v:0{2 * size}X}" for v in a)
                outside = f".const .align 8 .{t} table[{COUNT}] = {{{listed}}};"
                params = params[1:]
                body += ["mov.u64 %s, table;", f"mul.wide.u32 %o, %t, {size};", "add.u64 %s, %s, %o;", f"{load} %v, [%s];"]
            elif space == "param":
                params = [Value("p", t, a[0]), Value("q", t, a[1]), Out("d", raw(to), [out[0]] * 16 + [out[1]] * 16)]
                body += [".reg .pred %p;", f"{load} %v, [p];", "setp.lt.u32 %p, %t, 16;", f"@!%p {load} %v, [q];"]
            else:
                plain = space.split("_")[0]
                body += lane("a", size) + put_there(plain, size, raw(t), "%w")
                if "generic" in space:
                    body.append(f"cvta.{plain}.u64 %s, %s;")
                body.append(f"{load} %v, [%s];")
            body += lane("d", width(to) // 8, "%y") + [f"st.global.{raw(to)} [%y], %v;", "ret;"]
            name = load if "_" not in space else f"{load}.{space.split('_')[0]}"
            yield FOLDER + name + ".ptx", whole_file(load, MODEL, params, "\n".join(body), outside=outside)


def vector_loads():
    for t in TYPES:
        size = width(t) // 8
        for n in (2, 4):
            if size * n > 16:
                continue
            a = draws(f"vector {t}", COUNT * n, raw(t))
            register = "b16" if size == 1 else raw(t) if t[0] != "f" else t
            names = ", ".join(f"%v{k}" for k in range(n))
            for space in ("global", "shared", "local", "const", "generic"):
                body = [*HEAD, f".reg .{register} %v<{n}>;"]
                load = f"ld{'' if space == 'generic' else '.' + space}.v{n}.{t}"
                outside, params = "", [In("a", raw(t), a), Out("d", raw(t), a[::-1][:0] or [
                    a[lane_ * n + n - 1 - k] for lane_ in range(COUNT) for k in range(n)])]
                if space in ("global", "generic"):
                    body += lane("a", size * n) + [f"{load} {{{names}}}, [%x];"]
                elif space == "const":
                    listed = ", ".join(f"0{'f' if size == 4 else 'd'}{v:0{2 * size}X}" if t[0] == "f" else str(v) for v in a)
                    outside = f".const .align 16 .{t} table[{COUNT * n}] = {{{listed}}};"
                    params = params[1:]
                    body += ["mov.u64 %s, table;", f"mul.wide.u32 %o, %t, {size * n};", "add.u64 %s, %s, %o;",
                             f"{load} {{{names}}}, [%s];"]
                else:
                    body += SPACES[space](size * n) + lane("a", size * n)
                    body.append(f".reg .{register} %w;")
                    for k in range(n):
                        body += [f"ld.global.{raw(t)} %w, [%x+{size * k}];", f"st.{space}.{raw(t)} [%s+{size * k}], %w;"]
                    body += [f"{load} {{{names}}}, [%s];"]
                body += lane("d", size * n, "%y")
                body += [f"st.global.{raw(t)} [%y+{size * (n - 1 - k)}], %v{k};" for k in range(n)]
                yield FOLDER + load + ".ptx", whole_file(load, MODEL, params, "\n".join(body + ["ret;"]), outside=outside)


def stores():
    """Every other element is written, from a register with bits above the type: neighbours stay as they are."""
    for t in TYPES:
        size = width(t) // 8
        source = {"b8": "b32", "u8": "u32", "s8": "s64", "b16": "b32", "u16": "u64", "s16": "s32"}.get(t, t)
        a = draws(f"store {t}", COUNT, raw(source))
        before = draws(f"before {t}", COUNT * 2, raw(t))
        after = list(before)
        after[::2] = [v & ((1 << width(t)) - 1) for v in a]
        for space in ("global", "shared", "local", "generic", "shared_generic", "local_generic"):
            plain = space.split("_")[0]
            store = f"st{'' if 'generic' in space else '.' + space}.{t}"
            body = [*HEAD, f".reg .{source} %v;", f".reg .{'b16' if size == 1 else raw(t)} %w;"]
            body += lane("a", width(source) // 8) + [f"ld.global.{raw(source)} %v, [%x];"] + lane("d", 2 * size, "%y")
            if plain in ("global", "generic"):
                body += [f"{store} [%y], %v;"]
            else:
                body += SPACES[plain](2 * size)
                body += [f"ld.global.{raw(t)} %w, [%y+{size}];", f"st.{plain}.{raw(t)} [%s+{size}], %w;"]
                if "generic" in space:
                    body += ["mov.u64 %x, %s;", f"cvta.{plain}.u64 %x, %x;", f"{store} [%x], %v;"]
                else:
                    body += [f"{store} [%s], %v;"]
                body += [f"ld.{plain}.{raw(t)} %w, [%s];", f"st.global.{raw(t)} [%y], %w;",
                         f"ld.{plain}.{raw(t)} %w, [%s+{size}];", f"st.global.{raw(t)} [%y+{size}], %w;"]
            name = store if "_" not in space else f"{store}.{plain}"
            yield FOLDER + name + ".ptx", whole_file(store, MODEL, [In("a", raw(source), a), InOut("d", raw(t), before, after)],
                                                     "\n".join(body + ["ret;"]))
        for n in (2, 4):
            if size * n > 16:
                continue
            a = draws(f"vector store {t}", COUNT * n, raw(t))
            register = "b16" if size == 1 else raw(t) if t[0] != "f" else t
            names = ", ".join(f"%v{k}" for k in range(n))
            for space in ("global", "shared", "local", "generic"):
                store = f"st{'' if space == 'generic' else '.' + space}.v{n}.{t}"
                body = [*HEAD, f".reg .{register} %v<{n}>;"] + lane("a", size * n)
                body += [f"ld.global.{raw(t)} %v{k}, [%x+{size * (n - 1 - k)}];" for k in range(n)] + lane("d", size * n, "%y")
                if space in ("global", "generic"):
                    body += [f"{store} [%y], {{{names}}};"]
                else:
                    body += SPACES[space](size * n) + [f"{store} [%s], {{{names}}};", f".reg .{register} %w;"]
                    for k in range(n):
                        body += [f"ld.{space}.{raw(t)} %w, [%s+{size * k}];", f"st.global.{raw(t)} [%y+{size * k}], %w;"]
                out = [a[lane_ * n + n - 1 - k] for lane_ in range(COUNT) for k in range(n)]
                yield FOLDER + store + ".ptx", whole_file(store, MODEL, [In("a", raw(t), a), Out("d", raw(t), out)],
                                                          "\n".join(body + ["ret;"]))


LOAD_WORDS = [
    "global.ca", "global.cg", "global.cs", "global.lu", "global.cv", "global.nc", "global.ca.nc", "global.cg.nc",
    "global.cs.nc", "shared.ca", "local.lu", "const.ca", "weak.global", "weak.shared", "weak", "volatile.global", "volatile.shared",
    "volatile", "relaxed.cta.global", "relaxed.cluster.global", "relaxed.gpu.global",
    "relaxed.sys.global", "acquire.cta.global", "acquire.cluster.global", "acquire.gpu.global", "acquire.sys.global",
    "relaxed.cta.shared", "acquire.cta.shared", "relaxed.gpu", "acquire.sys", "mmio.relaxed.sys.global", "mmio.relaxed.sys",
    "global.L1::evict_normal", "global.L1::evict_unchanged", "global.L1::evict_first", "global.L1::evict_last",
    "global.L1::no_allocate", "global.L2::64B", "global.L2::128B", "global.L2::256B", "global.nc.L1::no_allocate",
    "global.nc.L1::evict_last.L2::128B", "global.nc.L2::256B", "relaxed.gpu.global.L1::no_allocate.L2::64B",
    "shared::cta", "shared::cluster", "acquire.cluster.shared::cluster", "L1::evict_last", "L2::128B",
]
STORE_WORDS = [
    "global.wb", "global.cg", "global.cs", "global.wt", "shared.wb", "local.cs", "weak.global", "weak.shared", "weak",
    "volatile.global", "volatile.shared", "volatile", "relaxed.cta.global", "relaxed.cluster.global",
    "relaxed.gpu.global", "relaxed.sys.global", "release.cta.global", "release.cluster.global", "release.gpu.global",
    "release.sys.global", "relaxed.cta.shared", "release.cta.shared", "relaxed.gpu", "release.sys",
    "mmio.relaxed.sys.global", "mmio.relaxed.sys", "global.L1::evict_normal", "global.L1::evict_unchanged", "global.L1::evict_first",
    "global.L1::evict_last", "global.L1::no_allocate", "release.gpu.global.L1::no_allocate", "shared::cta",
    "shared::cluster", "release.cluster.shared::cluster",
]


def words_of_access():
    """What orders, caches and hints change is not the value: a lane reads its own word."""
    a = draws("words", COUNT, "b32")
    for words in LOAD_WORDS:
        form = f"ld.{words}.u32"
        space = next((s for s in ("shared", "local", "const") if s in words.split("::")[0].split(".")), "global")
        outside, params = "", [In("a", "u32", a), Out("d", "u32", a)]
        body = [*HEAD, ".reg .u32 %v;"]
        if "shared" in words:
            space = "shared"
        if space == "const":
            outside = ".const .u32 table[32] = {" + ", ".join(map(str, a)) + "};"
            params = params[1:]
            body += ["mov.u64 %s, table;", "mul.wide.u32 %o, %t, 4;", "add.u64 %s, %s, %o;"]
        elif space == "global":
            body += lane("a", 4) + ["mov.u64 %s, %x;"]
        else:
            body += lane("a", 4) + put_there(space, 4, "u32", "%v")
            if words == "volatile":
                body.append("cvta.shared.u64 %s, %s;")
        body += [f"{form} %v, [%s];"] + lane("d", 4, "%y") + ["st.global.u32 [%y], %v;", "ret;"]
        yield FOLDER + form.replace("::", "_") + ".ptx", whole_file(form, MODEL, params, "\n".join(body), outside=outside,
                                                                    version="8.2")
    for words in STORE_WORDS:
        form = f"st.{words}.u32"
        space = "shared" if "shared" in words else "local" if "local" in words else "global"
        body = [*HEAD, ".reg .u32 %v;"] + lane("a", 4) + ["ld.global.u32 %v, [%x];"] + lane("d", 4, "%y")
        if space == "global":
            body += [f"{form} [%y], %v;", "ret;"]
        else:
            body += SPACES[space](4) + [f"{form} [%s], %v;", f"ld.{space}.u32 %v, [%s];", "st.global.u32 [%y], %v;", "ret;"]
        yield FOLDER + form.replace("::", "_") + ".ptx", whole_file(
            form, MODEL, [In("a", "u32", a), Out("d", "u32", a)], "\n".join(body), version="8.2")
    for t, n in [(t, 1) for t in TYPES] + [("u32", 2), ("f32", 4), ("b64", 2), ("s8", 4)]:
        values = draws("ldu", COUNT * n, raw(t))
        form = f"ldu.global.{f'v{n}.' if n > 1 else ''}{t}"
        register = "b16" if width(t) == 8 else raw(t) if t[0] != "f" else t
        size = width(t) // 8
        names = "%v0" if n == 1 else "{" + ", ".join(f"%v{k}" for k in range(n)) + "}"
        body = [*HEAD, f".reg .{register} %v<{n}>;"] + lane("a", size * n) + [f"{form} {names}, [%x];"]
        body += lane("d", size * n, "%y") + [f"st.global.{raw(t)} [%y+{size * k}], %v{k};" for k in range(n)] + ["ret;"]
        yield FOLDER + form + ".ptx", whole_file(form, MODEL, [In("a", raw(t), values), Out("d", raw(t), values)], "\n".join(body))


def hints():
    """Words that change nothing but time."""
    a = draws("hints", COUNT, "u32")
    lines = ["prefetch.global.L1 [%x];", "prefetch.global.L2 [%x];", "prefetch.global.L2::evict_last [%x];",
             "prefetch.global.L2::evict_normal [%x];", "prefetch.L1 [%x];", "prefetch.L2 [%x];", "prefetchu.L1 [%x];",
             "prefetch.local.L1 [%s];", "prefetch.local.L2 [%s];", "applypriority.global.L2::evict_normal [%w], 128;",
             "nanosleep.u32 20;", "pmevent 3;", "pmevent.mask 5;", "griddepcontrol.wait;", "griddepcontrol.launch_dependents;"]
    for line in lines:
        form = line.split(" ")[0].rstrip(";")
        local = [".local .align 4 .u32 room[4];", "mov.u64 %s, room;", "st.local.u32 [%s], %t;"] if "local" in line else []
        first = [".reg .u64 %w;", "ld.param.u64 %w, [a];"] if "%w" in line else []
        body = [*HEAD, ".reg .u32 %v;", *local, *first] + lane("a", 4) + [line, "ld.global.u32 %v, [%x];"] + lane("d", 4, "%y")
        yield FOLDER + form.replace("::", "_") + ".ptx", whole_file(
            form, MODEL, [In("a", "u32", a), Out("d", "u32", a)], "\n".join(body + ["st.global.u32 [%y], %v;", "ret;"]))
    for line in ("setmaxnreg.dec.sync.aligned.u32 40;", "setmaxnreg.inc.sync.aligned.u32 48;"):
        both = ["setmaxnreg.dec.sync.aligned.u32 40;"] + ([line] if ".inc" in line else [])
        many = draws("setmaxnreg", 128, "u32")
        body = [*HEAD, ".reg .u32 %v;", *both] + lane("a", 4) + ["ld.global.u32 %v, [%x];"] + lane("d", 4, "%y")
        path, text = FOLDER + line.split(" ")[0] + ".ptx", whole_file(
            line.split(" ")[0], MODEL, [In("a", "u32", many), Out("d", "u32", many)],
            "\n".join(body + ["st.global.u32 [%y], %v;", "ret;"]), block="128", arch="sm_90a")
        yield path, text.replace(")\n{", ")\n.maxntid 128, 1, 1\n.maxnreg 64\n{", 1)
    # discard gives up what the line held; what is written afterwards counts.
    body = [*HEAD, ".reg .u32 %v;"] + lane("a", 4) + ["ld.global.u32 %v, [%x];", ".reg .pred %p;", "setp.eq.u32 %p, %t, 0;",
                                                      "ld.param.u64 %s, [d];", "@%p discard.global.L2 [%s], 128;",
                                                      "bar.sync 0;"] + lane("d", 4, "%y")
    yield FOLDER + "discard.global.L2.ptx", whole_file(
        "discard.global.L2", MODEL, [In("a", "u32", a), Out("d", "u32", a)], "\n".join(body + ["st.global.u32 [%y], %v;", "ret;"]))


def long_vectors():
    """Thirty-two bytes at once, with the words for the second cache: compute capability 10.0."""
    for t, n in (("b32", 8), ("f32", 8), ("u64", 4)):
        size = width(t) // 8
        a = draws(f"long {t}", COUNT * n, raw(t))
        for word in ("evict_first", "evict_last", "evict_normal"):
            register = raw(t) if t[0] != "f" else t
            names = "{" + ", ".join(f"%v{k}" for k in range(n)) + "}"
            load, store = (f"{opcode}.global.L2::{word}.v{n}.{t}" for opcode in ("ld", "st"))
            body = [*HEAD, f".reg .{register} %v<{n}>;"] + lane("a", size * n) + [f"{load} {names}, [%x];"]
            body += lane("d", size * n, "%y") + [f"{store} [%y], {names};", "ret;"]
            yield FOLDER + f"{load.replace('::', '_')}.ptx", whole_file(
                f"{load}, {store}", MODEL, [In("a", raw(t), a), Out("d", raw(t), a)], "\n".join(body), target="sm_100",
                version="8.8", arch="sm_100")


def parameters_of_functions():
    """What st.param leaves is what ld.param of the function finds, and the other way round for the result."""
    for t in TYPES:
        size = width(t) // 8
        a = draws(f"param {t}", COUNT, raw(t))
        register = "b16" if size == 1 else raw(t) if t[0] != "f" else t
        for dot, version in (("", "8.0"), ("::func", "8.3")):
            if dot and t not in ("b8", "u16", "s32", "f64"):
                continue
            n = 2 if t in ("u32", "f32", "s16") else 1
            names = "%v0" if n == 1 else "{%v0, %v1}"
            vector = "" if n == 1 else ".v2"
            form = f"st.param{dot}{vector}.{t}, ld.param{dot}{vector}.{t}"
            body = [*HEAD, f".reg .{register} %v<2>;"] + lane("a", size)
            body += [f"ld.global.{raw(t)} %v0, [%x];"] + ([f"mov.{register} %v1, %v0;"] if n == 2 else [])
            body += ["{", f".param .align 8 .b8 there[{size * n + 8}];", f".param .align 8 .b8 back[{size}];",
                     f"st.param{dot}{vector}.{t} [there+8], {names};", "call.uni (back), pass, (there);",
                     f"ld.param{dot}.{t} %v0, [back];", "}"] + lane("d", size, "%y") + [f"st.global.{raw(t)} [%y], %v0;", "ret;"]
            last = "%v0" if n == 1 else "%v1"
            outside = f""".func (.param .align 8 .b8 back[{size}]) pass(.param .align 8 .b8 there[{size * n + 8}])
{{
    .reg .{register} %v<2>;
    ld.param{dot}{vector}.{t} {names}, [there+8];
    st.param{dot}.{t} [back], {last};
    ret;
}}"""
            yield FOLDER + f"st.param{dot.replace('::', '_')}{vector}.{t}.ptx", whole_file(
                form, MODEL, [In("a", raw(t), a), Out("d", raw(t), a)], "\n".join(body), outside=outside, version=version)
    a = 0x1122334455667788
    body = [*HEAD, ".reg .u32 %v;", "ld.param::entry.u32 %v, [p+4];"] + lane("d", 4, "%y") + ["st.global.u32 [%y], %v;", "ret;"]
    yield FOLDER + "ld.param_entry.u32.ptx", whole_file(
        "ld.param::entry.u32", MODEL, [Value("p", "u64", a), Out("d", "u32", [a >> 32] * COUNT)], "\n".join(body), version="8.3")


def files():
    for family in (long_vectors, parameters_of_functions, single_loads, vector_loads, stores, words_of_access, hints):
        yield from family()
