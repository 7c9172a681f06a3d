# SPDX-License-Identifier: GPL-3.0-or-later
"""What the lanes of a warp do together: PTX ISA, shfl.sync, vote.sync, match.sync, redux.sync, elect.sync, activemask.

Every kernel runs 64 threads: two warps with other numbers.
"""
from files import In, Out, bits, draws, file as whole_file, number, width

MODEL = "warps"
FOLDER = "warp/"
THREADS = 64

HEAD = """.reg .u32 %t, %lane, %m;
.reg .u64 %o, %x;
.reg .pred %p<4>;
mov.u32 %t, %tid.x;
mov.u32 %lane, %laneid;
"""


def at(name, size):
    return f"ld.param.u64 %x, [{name}];\nmul.wide.u32 %o, %t, {size};\nadd.u64 %x, %x, %o;\n"


def kernel(name, form, ins, outs, code, registers="", threads=THREADS, **more):
    body = HEAD
    for p in list(ins) + list(outs):
        body += f".reg .{p.type} %{p.name};\n"
    body += registers
    for p in ins:
        body += at(p.name, width(p.type) // 8) + f"ld.global.{p.type} %{p.name}, [%x];\n"
    body += code.strip("\n") + "\n"
    for p in outs:
        body += at(p.name, width(p.type) // 8) + f"st.global.{p.type} [%x], %{p.name};\n"
    return FOLDER + name + ".ptx", whole_file(form, MODEL, list(ins) + list(outs), body + "ret;", block=str(threads), **more)


def source_lane(mode, lane, b, c):
    """The ISA's rule: (lane to read, whether it is in range)."""
    bound, segment = c & 31, c >> 8 & 31
    top = lane & segment | bound & ~segment & 31
    first = lane & segment
    b &= 31
    if mode == "up":
        j = lane - b
        inside = j >= top
    elif mode == "down":
        j = lane + b
        inside = j <= top
    elif mode == "bfly":
        j = lane ^ b
        inside = j <= top
    else:
        j = first | b & ~segment & 31
        inside = j <= top
    return (j if inside else lane), inside


def shuffles():
    a = draws("shfl", THREADS, "b32")
    for mode in ("up", "down", "bfly", "idx"):
        # (what b is: a constant or a register of its own for each lane; c)
        for name, columns, c in (("near", [1] * 32, 0 if mode == "up" else 31), ("far", [17] * 32, 0 if mode == "up" else 31),
                                 ("segments", [3] * 32, 0x1800 if mode == "up" else 0x181f),
                                 ("clamped", [2] * 32, 0x1003 if mode == "up" else 0x100b),
                                 ("over", [0x25] * 32, 0 if mode == "up" else 31),
                                 ("own", [(7 * k + 3) % 32 for k in range(32)], 0 if mode == "up" else 31)):
            b = (columns * 2)[:THREADS]
            rows = [source_lane(mode, t % 32, b[t], c) for t in range(THREADS)]
            out = [a[t - t % 32 + j] for t, (j, _) in enumerate(rows)]
            form = f"shfl.sync.{mode}.b32"
            yield kernel(f"{form}.{name}", form, [In("a", "b32", a), In("b", "u32", b)],
                         [Out("d", "b32", out), Out("e", "u32", [int(k) for _, k in rows])],
                         f"{form} %d|%p0, %a, %b, {c}, 0xffffffff;\nselp.u32 %e, 1, 0, %p0;")
            if name == "near":
                yield kernel(f"{form}.plain", form, [In("a", "b32", a)], [Out("d", "b32", out)],
                             f"{form} %d, %a, {columns[0]}, {c}, -1;")
    # Two halves in two branches, each with a mask of its own.
    out = []
    for t in range(THREADS):
        lane = t % 32
        if lane < 16:
            out.append(a[t - lane + (lane ^ 5)])
        else:
            j, _ = source_lane("down", lane, 3, 31)
            out.append(a[t - lane + j] if j != lane else a[t])
    yield kernel("shfl.sync.members", "shfl.sync of some lanes", [In("a", "b32", a)], [Out("d", "b32", out)], """
        setp.lt.u32 %p0, %lane, 16;
        @!%p0 bra HIGH;
        shfl.sync.bfly.b32 %d, %a, 5, 31, 0x0000ffff;
        bra END;
        HIGH:
        shfl.sync.down.b32 %d, %a, 3, 31, 0xffff0000;
        END:""")
    # All lanes, from two places of the code.
    out = [a[t ^ 1] + 1000 * (t % 2) & 0xffffffff for t in range(THREADS)]
    yield kernel("shfl.sync.full_warp_sum", "shfl.sync in a reduction", [In("a", "u32", a)],
                 [Out("d", "u32", [bits(sum(a[t - t % 32:t - t % 32 + 32]), "u32") for t in range(THREADS)])], "mov.u32 %d, %a;\n" + "\n".join(
                     f"shfl.sync.bfly.b32 %m, %d, {k}, 31, -1;\nadd.u32 %d, %d, %m;" for k in (16, 8, 4, 2, 1)))

    def scan(t):
        first = t - t % 32
        return bits(sum(a[first:t + 1]), "u32")
    yield kernel("shfl.sync.scan", "shfl.sync.up in a scan", [In("a", "u32", a)], [Out("d", "u32", [scan(t) for t in range(THREADS)])],
                 "mov.u32 %d, %a;\n" + "\n".join(
                     f"shfl.sync.up.b32 %m|%p0, %d, {k}, 0, -1;\n@%p0 add.u32 %d, %d, %m;" for k in (1, 2, 4, 8, 16)))


# Which lanes take part, and how they are told apart: (name, mask of the branch, lanes)
GROUPS = [("all", 0xffffffff), ("low", 0x0000ffff), ("even", 0x55555555), ("few", 0x80010010), ("one", 0x00000400)]


def grouped(form_name, form, a, function, code, result="u32", extra=None):
    """For each group of lanes: those lanes run the instruction with their mask, the others nothing; d is 77 for them."""
    for name, mask in GROUPS:
        if name == "all":
            lines = code.replace("MASK", "0xffffffff")
        else:
            lines = f"""mov.u32 %m, {mask:#x};
                shr.u32 %m, %m, %lane;
                and.b32 %m, %m, 1;
                setp.eq.u32 %p3, %m, 0;
                @%p3 bra END;
                {code.replace('MASK', f'{mask:#010x}')}
                END:"""
        out, second = [], []
        for t in range(THREADS):
            first, lane = t - t % 32, t % 32
            members = [k for k in range(32) if mask >> k & 1]
            if lane in members:
                r = function(lane, members, [a[first + k] for k in range(32)])
                out.append(r[0] if extra else r)
                second.append(r[1] if extra else 0)
            else:
                out.append(77)
                second.append(77)
        outs = [Out("d", result, [bits(v, result) for v in out])] + ([Out("e", "u32", second)] if extra else [])
        type_ = extra_type(form)
        yield kernel(f"{form_name}.{name}", form, [In("a", type_, a)], outs,
                     f"mov.{result} %d, 77;\n" + ("mov.u32 %e, 77;\n" if extra else "") + lines)


def extra_type(form):
    last = form.split(".")[-1]
    return last if last in ("b64", "s32", "u32", "b32") and "ballot" not in form else "u32"


def votes():
    for kind, a in (("mixed", [int(t % 3 == 0) for t in range(THREADS)]), ("yes", [1] * THREADS), ("no", [0] * THREADS)):
        def wanted(values, members):
            return [values[k] for k in members]
        forms = [("all", lambda l, m, v: int(all(wanted(v, m)))), ("any", lambda l, m, v: int(any(wanted(v, m)))),
                 ("uni", lambda l, m, v: int(len(set(wanted(v, m))) == 1))]
        for mode, function in forms:
            yield from grouped(f"vote.sync.{mode}.pred.{kind}", f"vote.sync.{mode}.pred", a, function, f"""
                setp.ne.u32 %p0, %a, 0;
                vote.sync.{mode}.pred %p1, %p0, MASK;
                selp.u32 %d, 1, 0, %p1;""")
        yield from grouped(f"vote.sync.ballot.b32.{kind}", "vote.sync.ballot.b32", a,
                           lambda l, m, v: sum(1 << k for k in m if v[k]), """
                           setp.ne.u32 %p0, %a, 0;
                           vote.sync.ballot.b32 %d, %p0, MASK;""")
    a = [int(t % 3 == 0) for t in range(THREADS)]
    yield from grouped("vote.sync.ballot.b32.negated", "vote.sync.ballot.b32", a,
                       lambda l, m, v: sum(1 << k for k in m if not v[k]), """
                       setp.ne.u32 %p0, %a, 0;
                       vote.sync.ballot.b32 %d, !%p0, MASK;""")


def matches():
    for t in ("b32", "b64"):
        many = [(7 * k % 5) << (width(t) - 8) | k % 2 for k in range(THREADS)]
        same = [0xabcdef01] * THREADS
        for kind, a in (("groups", many), ("same", same)):
            yield from grouped(f"match.any.sync.{t}.{kind}", f"match.any.sync.{t}", a,
                               lambda l, m, v: sum(1 << k for k in m if v[k] == v[l]), f"match.any.sync.{t} %d, %a, MASK;")

            def every(l, m, v):
                equal = len({v[k] for k in m}) == 1
                return (sum(1 << k for k in m) if equal else 0, int(equal))
            yield from grouped(f"match.all.sync.{t}.{kind}", f"match.all.sync.{t}", a, every, f"""
                match.all.sync.{t} %d|%p0, %a, MASK;
                selp.u32 %e, 1, 0, %p0;""", extra=True)


def reductions():
    operations = {"add": sum, "min": min, "max": max}
    for t in ("u32", "s32"):
        a = draws(f"redux {t}", THREADS, t)
        for name, function in operations.items():
            yield from grouped(f"redux.sync.{name}.{t}", f"redux.sync.{name}.{t}", a,
                               lambda l, m, v: function([number(v[k], t) for k in m]), f"redux.sync.{name}.{t} %d, %a, MASK;",
                               result=t)
    a = draws("redux bits", THREADS, "b32")
    for name, start, function in (("and", 0xffffffff, lambda x, y: x & y), ("or", 0, lambda x, y: x | y), ("xor", 0, lambda x, y: x ^ y)):
        def fold(l, m, v):
            out = start
            for k in m:
                out = function(out, v[k])
            return out
        yield from grouped(f"redux.sync.{name}.b32", f"redux.sync.{name}.b32", a, fold, f"redux.sync.{name}.b32 %d, %a, MASK;",
                           result="b32")


def leaders():
    a = [0] * THREADS
    # The ISA leaves open which lane is elected: one is, and all are told the same one, a member.
    for name, mask in GROUPS:
        members = [k for k in range(32) if mask >> k & 1]
        code = f"""elect.sync %d|%p0, {mask:#010x};
            selp.u32 %e, 1, 0, %p0;
            setp.eq.u32 %p1, %d, %lane;
            selp.u32 %f, 1, 0, %p1;
            xor.b32 %g, %e, %f;
            vote.sync.ballot.b32 %e, %p0, {mask:#010x};
            popc.b32 %e, %e;
            mov.u32 %f, {mask:#010x};
            shr.u32 %f, %f, %d;
            and.b32 %f, %f, 1;
            redux.sync.min.u32 %m, %d, {mask:#010x};
            setp.eq.u32 %p1, %m, %d;
            selp.u32 %d, 1, 0, %p1;"""
        if name != "all":
            code = f"""mov.u32 %m, {mask:#x};
                shr.u32 %m, %m, %lane;
                and.b32 %m, %m, 1;
                setp.eq.u32 %p3, %m, 0;
                @%p3 bra END;
                {code}
                END:"""
        inside = [t % 32 in members for t in range(THREADS)]
        first = "mov.u32 %d, 77;\nmov.u32 %e, 77;\nmov.u32 %f, 77;\nmov.u32 %g, 77;\n"
        yield kernel(f"elect.sync.{name}", "elect.sync", [],
                     [Out(n, "u32", [v if k else 77 for k in inside]) for n, v in (("d", 1), ("e", 1), ("f", 1), ("g", 0))],
                     first + code)
    # In code that all lanes of the warp run, and behind the exit of some.
    yield kernel("activemask.all", "activemask.b32", [], [Out("d", "b32", [0xffffffff] * THREADS)], "activemask.b32 %d;")
    yield kernel("activemask.part", "activemask.b32", [], [Out("d", "b32", [0xffffffff] * 32 + [0xff] * 8)], "activemask.b32 %d;",
                 threads=40)
    yield kernel("activemask.exited", "activemask.b32", [], [Out("d", "b32", [0 if t % 2 else 0x55555555 for t in range(THREADS)])], """
        and.b32 %m, %lane, 1;
        setp.eq.u32 %p0, %m, 1;
        @%p0 exit;
        bar.warp.sync 0x55555555;
        activemask.b32 %d;""")


def files():
    for family in (shuffles, votes, matches, reductions, leaders):
        yield from family()
