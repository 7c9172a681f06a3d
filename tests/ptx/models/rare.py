# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole-number forms that few compilers write, and hints, which change nothing."""
from files import In, Out, bits, draws, edges, lanewise, number, pairs, signed

MODEL = "rare"
FOLDER = "rare/"
LANES = 32


def of(name, form, ins, outs, code, registers="", **more):
    return FOLDER + name + ".ptx", lanewise(form, MODEL, ins, outs, code, registers=registers, **more)


def lop3_on_predicates():
    a, b = pairs("u32", "lop3", LANES)
    c = draws("lop3 c", LANES, "u32")
    c[::3] = [0] * len(c[::3])

    def table(bits_, x, y, z):
        r = 0
        for k in range(32):
            row = (x >> k & 1) << 2 | (y >> k & 1) << 1 | z >> k & 1
            r |= (bits_ >> row & 1) << k
        return r
    ins = [In("a", "b32", a), In("b", "b32", b), In("c", "b32", c)]
    for word, join in (("and", lambda p, q: p and q), ("or", lambda p, q: p or q)):
        for t in (0x80, 0x28, 0xC0):
            for turned in (False, True):
                r = [table(t, *v) for v in zip(a, b, c)]
                q = [(k % 4 < 2) != turned for k in range(LANES)]
                sign = "!" if turned else ""
                yield of(f"lop3.{word}.b32.{t:02x}" + (".not" if turned else ""), f"lop3.{word}.b32 d|p", ins,
                         [Out("d", "b32", r), Out("e", "u32", [int(join(v != 0, w)) for v, w in zip(r, q)])],
                         f"""and.b32 %k, %tid_, 3;
                    setp.lt.u32 %q, %k, 2;
                    lop3.{word}.b32 %d|%p, %a, %b, %c, {t}, {sign}%q;
                    selp.u32 %e, 1, 0, %p;""", registers=".reg .pred %p, %q;\n.reg .u32 %k;", version="8.2")
        r = [table(0x96, *v) for v in zip(a, b, c)]
        yield of(f"lop3.{word}.b32.sink", f"lop3.{word}.b32 _|p", ins,
                 [Out("e", "u32", [int(join(v != 0, True)) for v in r])], f"""setp.lt.u32 %q, %tid_, 32;
            lop3.{word}.b32 _|%p, %a, %b, %c, 0x96, %q;
            selp.u32 %e, 1, 0, %p;""", registers=".reg .pred %p, %q;", version="8.2")


def short_differences():
    for type_ in ("u16", "s16"):
        a, b = pairs(type_, "sad", 64)
        c = draws("sad c", 64, type_)
        d = [bits(z + abs(number(x, type_) - number(y, type_)), type_) for x, y, z in zip(a, b, c)]
        yield of(f"sad.{type_}", f"sad.{type_}", [In("a", type_, a), In("b", type_, b), In("c", type_, c)],
                 [Out("d", type_, d)], f"sad.{type_} %d, %a, %b, %c;")
    a, b = pairs("s32", "mad24", 64)
    c = pairs("s32", "mad24 c", 64)[1]
    d = [bits(max(-2**31, min(2**31 - 1, (signed(x, 24) * signed(y, 24) >> 16) + signed(z, 32))), "s32")
         for x, y, z in zip(a, b, c)]
    yield of("mad24.hi.sat.s32", "mad24.hi.sat.s32", [In("a", "s32", a), In("b", "s32", b), In("c", "s32", c)],
             [Out("d", "s32", d)], "mad24.hi.sat.s32 %d, %a, %b, %c;")


def constants():
    for type_ in ("u32", "s32", "u64", "s64", "u16", "s16"):
        cases = [("eq", 3, 3), ("ne", 3, 3), ("lt", 2, 3), ("ge", 2, 3)]
        if type_[0] == "s":
            cases += [("lt", -1, 1), ("gt", -1, 1)]
        truth = {"eq": lambda x, y: x == y, "ne": lambda x, y: x != y, "lt": lambda x, y: x < y,
                 "gt": lambda x, y: x > y, "ge": lambda x, y: x >= y}
        word = sum(int(truth[c](x, y)) << k for k, (c, x, y) in enumerate(cases))
        code = "mov.u32 %d, 0;\n" + "\n".join(f"""setp.{c}.{type_} %p, {x}, {y};
            @%p or.b32 %d, %d, {1 << k};""" for k, (c, x, y) in enumerate(cases))
        yield of(f"setp.{type_}.constants", f"setp.{type_} of constants", [In("a", "u32", range(LANES))],
                 [Out("d", "u32", [word] * LANES)], code, registers=".reg .pred %p;")


def hints():
    a = draws("hints", LANES, "u32")
    once = [In("a", "u32", a)], [Out("d", "u32", a)]
    for name, code, version, target in (
            ("prefetch.global.L1", "prefetch.global.L1 [%at_0];", "8.0", ""),
            ("prefetch.global.L2", "prefetch.global.L2 [%at_0];", "8.0", ""),
            ("prefetch.L1", "prefetch.L1 [%at_0];", "8.0", ""),
            ("prefetch.global.L2_evict_last", "prefetch.global.L2::evict_last [%at_0];", "8.0", ""),
            ("prefetch.global.L2_evict_normal", "prefetch.global.L2::evict_normal [%at_0];", "8.0", ""),
            ("prefetchu.L1", "prefetchu.L1 [%at_0];", "8.0", ""),
            ("applypriority", "ld.param.u64 %at_0, [d];\napplypriority.global.L2::evict_normal [%at_0], 128;", "8.0", ""),
            ("discard", "ld.param.u64 %at_0, [d];\ndiscard.global.L2 [%at_0], 128;\nbar.sync 0;", "8.0", ""),
            ("membar.proxy.alias", "membar.proxy.alias;", "8.0", ""),
            ("membar.cta", "membar.cta;", "8.0", ""),
            ("membar.gl", "membar.gl;", "8.0", ""),
            ("membar.sys", "membar.sys;", "8.0", ""),
            ("griddepcontrol.wait", "griddepcontrol.wait;", "8.0", ""),
            ("griddepcontrol.launch_dependents", "griddepcontrol.launch_dependents;", "8.0", ""),
            ("pmevent", "pmevent 7;", "8.0", ""),
            ("pmevent.mask", "pmevent.mask 3;", "8.0", ""),
            ("nanosleep.u32", "nanosleep.u32 100;", "8.0", ""),
            ("nanosleep.u32.register", "and.b32 %a, %a, %a;\nnanosleep.u32 %tid_;", "8.0", "")):
        yield of(name, name.replace("_evict", "::evict"), *once, code + "\nmov.u32 %d, %a;", version=version)
    policies = (("fractional.L2_evict_last", "createpolicy.fractional.L2::evict_last.b64 %o, 0.5;"),
                ("fractional.L2_evict_normal", "createpolicy.fractional.L2::evict_normal.b64 %o, 1.0;"),
                ("fractional.L2_evict_first", "createpolicy.fractional.L2::evict_first.b64 %o;"),
                ("fractional.both", "createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 %o, 0.25;"),
                ("range", "createpolicy.range.global.L2::evict_last.L2::evict_first.b64 %o, [%at_0], 0x100000, 0x200000;"))
    for name, made in policies:
        yield of(f"createpolicy.{name}", "createpolicy, and ld, st, atom and red with .L2::cache_hint", *once,
                 f"""ld.param.u64 %at_0, [a];
            mul.wide.u32 %at_1, %tid_, 4;
            {made}
            add.u64 %at_0, %at_0, %at_1;
            ld.global.L2::cache_hint.u32 %r, [%at_0], %o;
            ld.param.u64 %at_0, [d];
            add.u64 %at_0, %at_0, %at_1;
            st.global.L2::cache_hint.u32 [%at_0], %tid_, %o;
            atom.global.add.L2::cache_hint.u32 %s, [%at_0], %r, %o;
            red.global.add.L2::cache_hint.u32 [%at_0], 5, %o;
            sub.u32 %s, %s, %tid_;
            ld.global.u32 %d, [%at_0];
            sub.u32 %d, %d, %tid_;
            sub.u32 %d, %d, 5;
            add.u32 %d, %d, %s;""", registers=".reg .u64 %o;\n.reg .u32 %r, %s;")


def special_values():
    lanes = list(range(LANES))
    yield of("cvt.u32.u16.tid", "cvt of a special register", [In("a", "u32", lanes)],
             [Out("d", "u32", lanes), Out("e", "u64", [32] * LANES)], """cvt.u32.u16 %d, %tid.x;
        cvt.u64.u32 %e, %ntid.x;""")
    yield of("is_explicit_cluster", "mov.pred of %is_explicit_cluster", [In("a", "u32", lanes)],
             [Out("d", "u32", [0] * LANES)], """mov.pred %p, %is_explicit_cluster;
        selp.u32 %d, 1, 0, %p;""", registers=".reg .pred %p;")
    yield of("total_smem_size", "%total_smem_size, %dynamic_smem_size and %aggr_smem_size", [In("a", "u32", lanes)],
             [Out("d", "u32", [256] * LANES), Out("e", "u32", [128] * LANES), Out("f", "u32", [1264] * LANES)],
             """mov.u32 %d, room;
        st.shared.u32 [%d], 1;
        mov.u32 %d, %total_smem_size;
        mov.u32 %e, %dynamic_smem_size;
        mov.u32 %f, %aggr_smem_size;""", shared=128, outside=".shared .align 16 .b8 room[112];", version="8.1")


def files():
    for family in (lop3_on_predicates, short_differences, constants, hints, special_values):
        yield from family()
