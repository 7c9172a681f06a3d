# SPDX-License-Identifier: GPL-3.0-or-later
"""Blocks of a cluster in each other's memory: PTX ISA, "Distributed Shared Memory", st.async, red.async, barrier.cluster, mapa,
and clusterlaunchcontrol, by which a block asks for another one's work.

Addresses in other blocks are opaque, and are never stored.
"""
from functools import partial

from async_kernels import BLACKWELL, END, INIT1, N, SHARED, START, WAIT0, WORDS, kernel, pointer, reduced, spin, store
from files import In, Out, bits, draws, width

made = partial(kernel, "clusters")

PEER = """mov.u32 %w, %cluster_ctarank;
xor.b32 %w, %w, 1;
mov.u32 %n, %ctaid.x;
mad.lo.u32 %n, %n, 32, %t;
"""
SYNC = "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n"


def remote_values():
    def send(form, type_, vector, expected, old=None, op=""):
        each = width(type_) // 8 * vector
        total = each * N
        regs = [f"%e{k}" for k in range(vector)]
        body = START + f".reg .b{width(type_)} {', '.join(regs)};\n" + INIT1 + PEER
        body += f"mad.lo.u32 %r, %t, {each}, %buf;\n"
        if old is not None:
            body += pointer("%a", "c", each, "%n")
            body += f"ld.global.b{width(type_)} %e0, [%a];\nst.shared.b{width(type_)} [%r], %e0;\n"
        body += pointer("%a", "a", each, "%n")
        load = f"ld.global.v{vector}" if vector > 1 else "ld.global"
        many = "{" + ", ".join(regs) + "}" if vector > 1 else "%e0"
        body += f"{load}.b{width(type_)} {many}, [%a];\n"
        body += f"""@%p mbarrier.arrive.expect_tx.shared::cta.b64 _, [%bar], {total};
{SYNC}mapa.shared::cluster.u32 %peer, %r, %w;
mapa.shared::cluster.u32 %peerbar, %bar, %w;
{form} [%peer], {many}, [%peerbar];
""" + WAIT0 + f"ld.shared{'.v%d' % vector if vector > 1 else ''}.b{width(type_)} {many}, [%r];\n"
        body += pointer("%o", "d", each, "%n")
        body += f"st.global{'.v%d' % vector if vector > 1 else ''}.b{width(type_)} [%o], {many};\n" + SYNC + END
        plain = f"b{width(type_)}"
        values = expected["a"]
        params = [In("a", plain, values)]
        if old is not None:
            params.append(In("c", plain, old))
        params.append(Out("d", plain, expected["d"]))
        return made(form, params, body, cluster=2, grid="2", outside=SHARED, version="8.1")

    for type_ in ("b32", "b64", "u32", "u64", "s32", "s64", "f32", "f64"):
        for vector in (1, 2, 4):
            if width(type_) * vector > 128 or (vector > 1 and type_ not in ("b32", "b64", "f32")):
                continue
            a = draws(f"st.async {type_} {vector}", 2 * N * vector, f"b{width(type_)}")
            half = N * vector
            form = "st.async.shared::cluster.mbarrier::complete_tx::bytes" + (f".v{vector}" if vector > 1 else "")
            yield send(f"{form}.{type_}", type_, vector, {"a": a, "d": a[half:] + a[:half]})
    for op, types in {"add": "u32 s32 u64", "min": "u32 s32", "max": "u32 s32", "inc": "u32", "dec": "u32", "and": "b32",
                      "or": "b32", "xor": "b32"}.items():
        for type_ in types.split():
            a = draws(f"red.async {op} {type_}", 2 * N, type_)
            old = draws(f"red.async {op} {type_} old", 2 * N, type_)
            if op in ("inc", "dec"):
                a, old = [1 + v % 7 for v in a], [v % 9 for v in old]
            sent = a[N:] + a[:N]
            new = [reduced(op, type_, x, y) for x, y in zip(old, sent)]
            form = f"red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.{op}.{type_}"
            yield send(form, type_, 1, {"a": a, "d": new}, old)


def clusters():
    swapped = WORDS[32:64] + WORDS[:32]
    begin = START + PEER + pointer("%a", "a", 4, "%n") + """ld.global.u32 %v, [%a];
shl.b32 %r, %t, 2;
add.u32 %r, %r, %buf;
st.shared.u32 [%r], %v;
"""
    params = [In("a", "u32", WORDS[:64]), Out("d", "u32", swapped)]
    for arrive, wait in ((".aligned", ".aligned"), ("", ""), (".release.aligned", ".acquire.aligned"),
                         (".release", ".acquire"), (".relaxed.aligned", ".aligned"), (".relaxed", "")):
        fence = "fence.acq_rel.cluster;\n" if "relaxed" in arrive else ""
        form = f"barrier.cluster.arrive{arrive}"
        body = begin + fence + f"{form};\nbarrier.cluster.wait{wait};\n" + fence
        body += "mapa.shared::cluster.u32 %peer, %r, %w;\nld.shared::cluster.u32 %v, [%peer];\n"
        yield made(form, params, body + store("d", "%v", "%n") + SYNC + END, cluster=2, grid="2", outside=SHARED,
                   name=form + ".wait" + wait)
    reads = {
        "mapa.shared::cluster.u64": """cvt.u64.u32 %x, %r;
mapa.shared::cluster.u64 %x, %x, %w;
ld.shared::cluster.u32 %v, [%x];""",
        "mapa.u64": """cvt.u64.u32 %x, %r;
cvta.shared.u64 %x, %x;
mapa.u64 %x, %x, %w;
ld.u32 %v, [%x];""",
        "ld.shared::cluster.u32": "mapa.shared::cluster.u32 %peer, %r, %w;\nld.shared::cluster.u32 %v, [%peer];",
        "ld.relaxed.cluster.shared::cluster.u32":
            "mapa.shared::cluster.u32 %peer, %r, %w;\nld.relaxed.cluster.shared::cluster.u32 %v, [%peer];",
        "ld.shared::cluster.u16": """.reg .u16 %h0, %h1;
mapa.shared::cluster.u32 %peer, %r, %w;
ld.shared::cluster.u16 %h0, [%peer];
ld.shared::cluster.u16 %h1, [%peer+2];
mov.b32 %v, {%h0, %h1};""",
        "cvta.shared::cluster.u64": """mapa.shared::cluster.u32 %peer, %r, %w;
cvt.u64.u32 %x, %peer;
cvta.shared::cluster.u64 %x, %x;
ld.u32 %v, [%x];""",
        "cvta.to.shared::cluster.u64": """cvt.u64.u32 %x, %r;
cvta.shared.u64 %x, %x;
mapa.u64 %x, %x, %w;
cvta.to.shared::cluster.u64 %x, %x;
ld.shared::cluster.u32 %v, [%x];""",
        "atom.shared::cluster.add.u32":
            "mapa.shared::cluster.u32 %peer, %r, %w;\natom.relaxed.cluster.shared::cluster.add.u32 %v, [%peer], 5;",
        "atom.shared::cluster.exch.b32":
            "mapa.shared::cluster.u32 %peer, %r, %w;\natom.shared::cluster.exch.b32 %v, [%peer], 5;",
        "atom.shared::cluster.cas.b32":
            "mapa.shared::cluster.u32 %peer, %r, %w;\natom.shared::cluster.cas.b32 %v, [%peer], 5, 6;",
    }
    for form, read in reads.items():
        yield made(form, params, begin + SYNC + read + "\n" + store("d", "%v", "%n") + SYNC + END, cluster=2, grid="2",
                   outside=SHARED)
    # Written into the other block.
    writes = {
        "st.shared::cluster.u32": ("st.shared::cluster.u32 [%peer], %v;", swapped),
        "st.release.cluster.shared::cluster.u32": ("st.release.cluster.shared::cluster.u32 [%peer], %v;", swapped),
        "red.shared::cluster.add.u32":
            ("red.relaxed.cluster.shared::cluster.add.u32 [%peer], %v;",
             [bits(WORDS[k] + swapped[k], "u32") for k in range(64)]),
        "red.shared::cluster.xor.b32":
            ("red.shared::cluster.xor.b32 [%peer], %v;", [WORDS[k] ^ swapped[k] for k in range(64)]),
        "red.shared::cluster.max.u32":
            ("red.shared::cluster.max.u32 [%peer], %v;", [max(WORDS[k], swapped[k]) for k in range(64)]),
    }
    for form, (write, out) in writes.items():
        body = begin + SYNC + "mapa.shared::cluster.u32 %peer, %r, %w;\n" + write + "\n" + SYNC
        body += "ld.shared.u32 %v, [%r];\n" + store("d", "%v", "%n") + END
        yield made(form, [In("a", "u32", WORDS[:64]), Out("d", "u32", out)], body, cluster=2, grid="2", outside=SHARED)
    ranks = {
        "getctarank.shared::cluster.u32": "mapa.shared::cluster.u32 %peer, %r, %w;\ngetctarank.shared::cluster.u32 %v, %peer;",
        "getctarank.shared::cluster.u64":
            "cvt.u64.u32 %x, %r;\nmapa.shared::cluster.u64 %x, %x, %w;\ngetctarank.shared::cluster.u64 %v, %x;",
        "getctarank.u64": "cvt.u64.u32 %x, %r;\ncvta.shared.u64 %x, %x;\nmapa.u64 %x, %x, %w;\ngetctarank.u64 %v, %x;",
    }
    for form, read in ranks.items():
        out = [r for block in range(4) for r in [(block % 4) ^ 1] * N]
        yield made(form, [Out("d", "u32", out)], START + "mov.u32 %r, %buf;\n" + PEER + read + "\n"
                   + store("d", "%v", "%n") + END, cluster=4, grid="4", outside=SHARED)
    for space, own, other in (("shared::cluster", 1, 1), ("shared::cta", 1, 0), ("shared", 1, 0), ("global", 0, 0)):
        form = f"isspacep.{space}"
        body = START + PEER + f"""cvt.u64.u32 %x, %buf;
cvta.shared.u64 %x, %x;
isspacep.{space} %q, %x;
selp.u32 %v, 2, 0, %q;
mapa.u64 %x, %x, %w;
isspacep.{space} %q, %x;
selp.u32 %r, 1, 0, %q;
add.u32 %v, %v, %r;
""" + store("d", "%v", "%n") + END
        yield made(form, [Out("d", "u32", [2 * own + other] * 64)], body, cluster=2, grid="2", outside=SHARED,
                   name=form + ".in_cluster")
    # An mbarrier in another block: arrivals, bytes.
    for form in ("mbarrier.arrive.shared::cluster.b64", "mbarrier.arrive.release.cluster.shared::cluster.b64"):
        body = START + """setp.eq.u32 %p, %t, 0;
@%p mbarrier.init.shared::cta.b64 [%bar], 32;
""" + PEER + SYNC + "mapa.shared::cluster.u32 %peerbar, %bar, %w;\n" + f"{form} _, [%peerbar];\n" + spin(
            "W0", "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %done, [%bar], 0;")
        body += "add.u32 %v, %n, 7;\n" + store("d", "%v", "%n") + SYNC + END
        yield made(form, [Out("d", "u32", [k + 7 for k in range(64)])], body, cluster=2, grid="2", outside=SHARED)
    body = START + INIT1 + PEER + SYNC + """mapa.shared::cluster.u32 %peerbar, %bar, %w;
@%p mbarrier.expect_tx.relaxed.cluster.shared::cluster.b64 [%peerbar], 24;
@%p mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%peerbar], 24;
@%p mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%peerbar];
""" + WAIT0 + "add.u32 %v, %n, 9;\n" + store("d", "%v", "%n") + SYNC + END
    yield made("mbarrier.expect_tx.relaxed.cluster.shared::cluster.b64", [Out("d", "u32", [k + 9 for k in range(64)])],
               body, cluster=2, grid="2", outside=SHARED)


def cancelling():
    """Of a grid of one block (or one cluster) that asks for another block's work there is none to be had: the barrier's
    phase ends with the answer's 16 bytes, and the answer is no, in each block that it goes to."""
    questions = {"is_canceled.pred.b128": "%done, %ans", "get_first_ctaid.v4.b32.b128": "{%v, %w, %n, _}, %ans"}
    questions |= {f"get_first_ctaid::{c}.b32.b128": "%v, %ans" for c in "xyz"}
    for to_all in ("", ".multicast::cluster::all"):
        for space in (".shared::cta", "") if not to_all else (".shared::cta",):
            form = f"clusterlaunchcontrol.try_cancel.async{space}.mbarrier::complete_tx::bytes{to_all}.b128"
            generic = "" if space else "cvt.u64.u32 %x, %buf;\ncvta.shared.u64 %x, %x;\ncvt.u64.u32 %a, %bar;\ncvta.shared.u64 %a, %a;\n"
            operands = "[%buf], [%bar]" if space else "[%x], [%a]"
            together = "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n" if to_all else ""
            body = START + INIT1 + generic + "mov.u32 %n, %ctaid.x;\nmad.lo.u32 %n, %n, 32, %t;\n" + """.reg .b128 %ans;
@%p mbarrier.arrive.expect_tx.shared::cta.b64 _, [%bar], 16;
""" + together + ("mov.u32 %w, %cluster_ctarank;\nsetp.eq.and.u32 %p, %w, 0, %p;\n" if to_all else "")
            body += f"@%p {form} {operands};\n" + WAIT0 + """ld.shared.b128 %ans, [%buf];
clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %done, %ans;
selp.u32 %v, 77, 55, %done;
""" + store("d", "%v", "%n") + together + END
            blocks = 2 if to_all else 1
            yield made(form, [Out("d", "u32", [55] * N * blocks)], body, outside=SHARED, grid=str(blocks),
                       cluster=blocks if to_all else 0,
                       **(BLACKWELL | {"target": "sm_100a", "arch": "sm_100a"} if to_all else BLACKWELL))
    for question, operands in questions.items():
        # Only an answer of yes has a block; asked behind the test, nothing is left to read.
        form = f"clusterlaunchcontrol.query_cancel.{question}"
        body = START + INIT1 + """.reg .b128 %ans;
@%p mbarrier.arrive.expect_tx.shared::cta.b64 _, [%bar], 16;
@%p clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%buf], [%bar];
""" + WAIT0 + """ld.shared.b128 %ans, [%buf];
mov.u32 %r, 9;
clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %q, %ans;
""" + f"@%q {form} {operands};\n@%q mov.u32 %r, 1;\n" + store("d", "%r") + END
        yield made(form, [Out("d", "u32", [9] * N)], body, outside=SHARED, **BLACKWELL)


def files():
    for part in (remote_values, clusters, cancelling):
        yield from part()
