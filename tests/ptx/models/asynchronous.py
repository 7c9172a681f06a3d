# SPDX-License-Identifier: GPL-3.0-or-later
"""Copies that go on by themselves, and barriers in memory: PTX ISA, "Data Movement and Conversion Instructions:
Asynchronous copy" and "Parallel Synchronization and Communication Instructions: mbarrier".

What comes out is data that was moved, counts and phases, which follow from the ISA's text. Tokens of mbarriers are opaque
there, and are never stored. A kernel waits as it must, so that only one outcome is right.
"""
from functools import partial

from async_kernels import BLACKWELL, END, INIT1, N, SHARED, START, WAIT0, WORDS, kernel, pointer, reduced, spin, store
from files import In, InOut, Out, bits, draws, float_bits, width

made = partial(kernel, "asynchronous")


# ---- cp.async ----

def lane_copies():
    def copy(form, bytes_, extra="", setup="", take=None, name="", finish="cp.async.wait_all;", registers=""):
        """Each thread copies bytes_ of its own; what it reads back is summed into words."""
        count = bytes_ // 4
        words = WORDS[:N * count]
        out = []
        for lane in range(N):
            taken = bytes_ if take is None else take(lane)
            raw = b"".join(w.to_bytes(4, "little") for w in words[lane * count:(lane + 1) * count])
            raw = raw[:taken] + bytes(bytes_ - taken)
            out += [int.from_bytes(raw[4 * k:4 * k + 4], "little") for k in range(count)]
        body = START + registers + setup + pointer("%a", "a", bytes_)
        body += f"mad.lo.u32 %r, %t, {bytes_}, %buf;\n"
        # Something else is there before, so that zeros are seen to be written.
        for k in range(count):
            body += f"st.shared.u32 [%r+{4 * k}], 0xdeadbeef;\n"
        body += f"bar.sync 0;\n{form} [%r], [%a], {bytes_}{extra};\n{finish}\nbar.sync 0;\n"
        body += pointer("%o", "d", bytes_)
        for k in range(count):
            body += f"ld.shared.u32 %v, [%r+{4 * k}];\nst.global.u32 [%o+{4 * k}], %v;\n"
        return made(form, [In("a", "u32", words), Out("d", "u32", out)], body + END, outside=SHARED,
                    name=name or f"{form}.{bytes_}")
    for b in (4, 8, 16):
        yield copy("cp.async.ca.shared.global", b)
        yield copy("cp.async.ca.shared.global", b, ", %n", f"rem.u32 %n, %t, {b + 1};\n", lambda lane, b=b: lane % (b + 1),
                   name=f"cp.async.ca.shared.global.{b}.source_bytes")
        yield copy("cp.async.ca.shared.global", b, ", %q", "and.b32 %n, %t, 1;\nsetp.eq.u32 %q, %n, 1;\n",
                   lambda lane, b=b: 0 if lane % 2 else b, name=f"cp.async.ca.shared.global.{b}.ignore_source")
    yield copy("cp.async.cg.shared.global", 16)
    yield copy("cp.async.cg.shared::cta.global", 16)
    yield copy("cp.async.cg.shared.global", 16, ", %n", "rem.u32 %n, %t, 17;\n", lambda lane: lane % 17,
               name="cp.async.cg.shared.global.16.source_bytes")
    yield copy("cp.async.cg.shared.global", 16, ", %q", "and.b32 %n, %t, 3;\nsetp.ne.u32 %q, %n, 1;\n",
               lambda lane: 16 if lane % 4 == 1 else 0, name="cp.async.cg.shared.global.16.ignore_source")
    for hint in ("L2::64B", "L2::128B", "L2::256B"):
        yield copy(f"cp.async.ca.shared.global.{hint}", 16)
        yield copy(f"cp.async.cg.shared.global.{hint}", 16)
    yield copy("cp.async.ca.shared.global.L2::cache_hint", 8, ", %pol",
               "createpolicy.fractional.L2::evict_last.b64 %pol, 0f3F800000;\n")
    yield copy("cp.async.cg.shared.global.L2::cache_hint", 16, ", %pol",
               "createpolicy.fractional.L2::evict_first.b64 %pol, 0f3F000000;\n")
    yield copy("cp.async.ca.shared.global", 4, name="cp.async.wait_group.0",
               finish="cp.async.commit_group;\ncp.async.wait_group 0;")
    # Of two groups the older one must be there.
    body = START + pointer("%a", "a") + """shl.b32 %r, %t, 2;
add.u32 %r, %r, %buf;
cp.async.ca.shared.global [%r], [%a], 4;
cp.async.commit_group;
cp.async.ca.shared.global [%r+128], [%a+128], 4;
cp.async.commit_group;
cp.async.wait_group 1;
bar.sync 0;
xor.b32 %n, %t, 31;
shl.b32 %n, %n, 2;
add.u32 %n, %n, %buf;
ld.shared.u32 %v, [%n];
cp.async.wait_group 0;
bar.sync 0;
ld.shared.u32 %w, [%n+128];
add.u32 %v, %v, %w;
""" + store("d", "%v") + END
    yield made("cp.async.wait_group", [In("a", "u32", WORDS[:64]),
                                       Out("d", "u32", [bits(WORDS[31 - k] + WORDS[63 - k], "u32") for k in range(N)])],
               body, outside=SHARED, name="cp.async.wait_group.1")
    for suffix, count in (("", 1), (".noinc", 33)):
        # Without .noinc the copies' arrivals are counted in by themselves; with it they are among the 33 expected.
        body = START + f"""setp.eq.u32 %p, %t, 0;
@%p mbarrier.init.shared::cta.b64 [%bar], {count};
bar.sync 0;
""" + pointer("%a", "a") + f"""shl.b32 %r, %t, 2;
add.u32 %r, %r, %buf;
cp.async.ca.shared.global [%r], [%a], 4;
cp.async.mbarrier.arrive{suffix}.shared::cta.b64 [%bar];
bar.sync 0;
@%p mbarrier.arrive.shared::cta.b64 %tok, [%bar];
""" + WAIT0 + """xor.b32 %n, %t, 31;
shl.b32 %n, %n, 2;
add.u32 %n, %n, %buf;
ld.shared.u32 %v, [%n];
""" + store("d", "%v") + END
        yield made(f"cp.async.mbarrier.arrive{suffix}.shared::cta.b64",
                   [In("a", "u32", WORDS[:N]), Out("d", "u32", WORDS[:N][::-1])], body, outside=SHARED)


# ---- mbarrier ----

class Barrier:
    """The object as the ISA describes it: counts of the phase at hand."""

    def __init__(self, count):
        self.expected = self.pending = count
        self.tx = 0
        self.phase = 0

    def end(self):
        if self.pending == 0 and self.tx == 0:
            self.phase += 1
            self.pending = self.expected

    def arrive(self, count=1, tx=0, drop=False):
        before = self.pending
        self.tx += tx
        if drop:
            self.expected -= count
        self.pending -= count
        self.end()
        return before

    def expect(self, tx):
        self.tx += tx
        self.end()

    def complete(self, tx):
        self.tx -= tx
        self.end()

    def over(self, parity):
        return int(self.phase % 2 != parity)


def barriers():
    def steps(form, count, actions, name="", **more):
        """One thread does the actions; after each, whether phases of parity 0 and 1 are over is stored."""
        barrier, out = Barrier(count), []
        body = START + f"""setp.ne.u32 %p, %t, 0;
@%p bra END;
ld.param.u64 %o, [d];
mbarrier.init.shared::cta.b64 [%bar], {count};
"""
        for text, do in actions:
            result = do(barrier)
            body += text + "\n"
            if result is not None:
                out.append(result)
                body += "st.global.u32 [%o], %v;\nadd.u64 %o, %o, 4;\n"
            for parity in (0, 1):
                out.append(barrier.over(parity))
                body += f"""mbarrier.test_wait.parity.shared::cta.b64 %done, [%bar], {parity};
selp.u32 %w, 1, 0, %done;
st.global.u32 [%o], %w;
add.u64 %o, %o, 4;
"""
        body += "END:\nret;"
        return made(form, [Out("d", "u32", out)], body, outside=SHARED, name=name, **more)

    one = lambda b: b.arrive() and None  # noqa: E731
    for space in ("", ".shared", ".shared::cta"):
        address = "[%x]" if not space else "[%bar]"
        setup = "cvt.u64.u32 %x, %bar;\ncvta.shared.u64 %x, %x;\n" if not space else ""
        yield steps(f"mbarrier.arrive{space}.b64", 2,
                    [(setup + f"mbarrier.arrive{space}.b64 %tok, {address};", one)] * 3)
    for order in (".release.cta", ".release.cluster", ".relaxed.cta", ".relaxed.cluster"):
        version = "9.0" if "relaxed" in order else "8.0"
        yield steps(f"mbarrier.arrive{order}.shared::cta.b64", 1,
                    [(f"mbarrier.arrive{order}.shared::cta.b64 %tok, [%bar];", one)] * 2, version=version)
    yield steps("mbarrier.arrive.shared::cta.b64", 7,
                [(f"mbarrier.arrive.shared::cta.b64 %tok, [%bar], {n};", lambda b, n=n: b.arrive(n) and None)
                 for n in (3, 4, 7, 2, 5)], name="mbarrier.arrive.shared::cta.b64.count")
    yield steps("mbarrier.arrive.shared::cta.b64", 2, [("mbarrier.arrive.shared::cta.b64 _, [%bar];", one)] * 4,
                name="mbarrier.arrive.shared::cta.b64.sink")
    yield steps("mbarrier.arrive.noComplete.shared::cta.b64", 9,
                [(f"mbarrier.arrive.noComplete.shared::cta.b64 %tok, [%bar], {n};\nmbarrier.pending_count.b64 %v, %tok;",
                  lambda b, n=n: b.arrive(n)) for n in (1, 3, 4)], name="mbarrier.pending_count.b64")
    yield steps("mbarrier.arrive_drop.noComplete.shared::cta.b64", 9,
                [("mbarrier.arrive_drop.noComplete.shared::cta.b64 %tok, [%bar], 4;\nmbarrier.pending_count.b64 %v, %tok;",
                  lambda b: b.arrive(4, drop=True)),
                 ("mbarrier.arrive.shared::cta.b64 _, [%bar], 5;", lambda b: b.arrive(5) and None),
                 ("mbarrier.arrive.shared::cta.b64 _, [%bar], 5;", lambda b: b.arrive(5) and None)])
    yield steps("mbarrier.arrive_drop.shared::cta.b64", 3,
                [("mbarrier.arrive_drop.shared::cta.b64 %tok, [%bar];", lambda b: b.arrive(drop=True) and None)]
                + [("mbarrier.arrive.shared::cta.b64 %tok, [%bar];", one)] * 5)
    yield steps("mbarrier.arrive_drop.release.cta.shared::cta.b64", 6,
                [("mbarrier.arrive_drop.release.cta.shared::cta.b64 %tok, [%bar], 4;",
                  lambda b: b.arrive(4, drop=True) and None)]
                + [("mbarrier.arrive.shared::cta.b64 %tok, [%bar];", one)] * 4)
    yield steps("mbarrier.expect_tx.relaxed.cta.shared::cta.b64", 1,
                [("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%bar], 48;", lambda b: b.expect(48)),
                 ("mbarrier.arrive.shared::cta.b64 _, [%bar];", one),
                 ("mbarrier.complete_tx.shared::cta.b64 [%bar], 16;", lambda b: b.complete(16)),
                 ("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%bar], 32;", lambda b: b.complete(32)),
                 ("mbarrier.arrive.shared::cta.b64 _, [%bar];", one)])
    yield steps("mbarrier.arrive.expect_tx.shared::cta.b64", 2,
                [("mbarrier.arrive.expect_tx.shared::cta.b64 %tok, [%bar], 100;", lambda b: b.arrive(tx=100) and None),
                 ("mbarrier.complete_tx.shared::cta.b64 [%bar], 60;", lambda b: b.complete(60)),
                 ("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %tok, [%bar], 4;",
                  lambda b: b.arrive(tx=4) and None),
                 ("mbarrier.complete_tx.shared::cta.b64 [%bar], 44;", lambda b: b.complete(44))])
    yield steps("mbarrier.arrive_drop.expect_tx.shared::cta.b64", 2,
                [("mbarrier.arrive_drop.expect_tx.shared::cta.b64 %tok, [%bar], 8;",
                  lambda b: b.arrive(tx=8, drop=True) and None),
                 ("mbarrier.arrive.shared::cta.b64 _, [%bar];", one),
                 ("mbarrier.complete_tx.shared::cta.b64 [%bar], 8;", lambda b: b.complete(8)),
                 ("mbarrier.arrive.shared::cta.b64 _, [%bar];", one)])
    # Bytes may come before somebody expects them, while arrivals are missing.
    yield steps("mbarrier.complete_tx.shared::cta.b64", 1,
                [("mbarrier.complete_tx.shared::cta.b64 [%bar], 16;", lambda b: b.complete(16)),
                 ("mbarrier.expect_tx.shared::cta.b64 [%bar], 16;", lambda b: b.expect(16)),
                 ("mbarrier.arrive.shared::cta.b64 _, [%bar];", one)])

    def anew(b):
        b.__init__(2)
    yield steps("mbarrier.inval.shared::cta.b64", 1,
                [("mbarrier.arrive.shared::cta.b64 _, [%bar];", one),
                 ("mbarrier.inval.shared::cta.b64 [%bar];\nmbarrier.init.shared::cta.b64 [%bar], 2;", anew),
                 ("mbarrier.arrive.shared::cta.b64 _, [%bar];", one),
                 ("mbarrier.arrive.shared::cta.b64 _, [%bar];", one)])
    # Waits: 64 threads write, arrive, wait, and read what another warp wrote, three times over.
    for form, token in [(f"mbarrier.{w}{p}{s}.shared::cta.b64", not p) for w in ("test_wait", "try_wait")
                        for p in ("", ".parity") for s in ("", ".acquire.cta", ".acquire.cluster")] + [
                            ("mbarrier.try_wait.parity.shared::cta.b64", False),
                            ("mbarrier.try_wait.shared::cta.b64", True)]:
        hint = ""
        name = ""
        if form in waits_seen:
            hint, name = ", 1000", form + ".hint"
        waits_seen.add(form)
        body = START + """setp.eq.u32 %p, %t, 0;
@%p mbarrier.init.shared::cta.b64 [%bar], 64;
bar.sync 0;
shl.b32 %r, %t, 2;
add.u32 %r, %r, %buf;
xor.b32 %n, %t, 63;
shl.b32 %n, %n, 2;
add.u32 %n, %n, %buf;
""" + pointer("%a", "a") + "ld.global.u32 %v, [%a];\n"
        for phase in range(3):
            body += f"st.shared.u32 [%r+{256 * phase}], %v;\n"
            body += "mbarrier.arrive.shared::cta.b64 %tok, [%bar];\n"
            what = "%tok" if token else str(phase % 2)
            body += spin(f"W{phase}", f"{form} %done, [%bar], {what}{hint};")
            body += f"ld.shared.u32 %w, [%n+{256 * phase}];\nmul.lo.u32 %w, %w, 3;\nadd.u32 %v, %v, %w;\n"
        values = WORDS[:64]
        for _ in range(3):
            values = [bits(values[k] + 3 * values[63 - k], "u32") for k in range(64)]
        yield made(form, [In("a", "u32", WORDS[:64]), Out("d", "u32", values)], body + store("d", "%v") + END,
                   outside=SHARED, block="64", name=name)


waits_seen = set()


# ---- bulk copies ----

def fill(count=16):
    """Threads write 16 bytes each from a into buf; a fence for the unit that copies."""
    return pointer("%a", "a", 16) + """.reg .b32 %q<4>;
shl.b32 %r, %t, 4;
add.u32 %r, %r, %buf;
ld.global.v4.b32 {%q0, %q1, %q2, %q3}, [%a];
st.shared.v4.b32 [%r], {%q0, %q1, %q2, %q3};
fence.proxy.async.shared::cta;
bar.sync 0;
"""


def bulk():
    for space, version in (("shared::cluster", "8.0"), ("shared::cta", "8.6")):
        for hint in ("", ".L2::cache_hint"):
            form = f"cp.async.bulk.{space}.global.mbarrier::complete_tx::bytes{hint}"
            policy = "createpolicy.fractional.L2::evict_last.b64 %pol, 0f3F800000;\n" if hint else ""
            body = START + policy + INIT1 + f"""ld.param.u64 %a, [a];
@%p mbarrier.arrive.expect_tx.shared::cta.b64 _, [%bar], 512;
@%p {form} [%buf], [%a], 512, [%bar]{', %pol' if hint else ''};
""" + WAIT0 + """mov.u32 %n, 127;
sub.u32 %n, %n, %t;
shl.b32 %n, %n, 2;
add.u32 %n, %n, %buf;
ld.shared.u32 %v, [%n];
""" + store("d", "%v") + END
            yield made(form, [In("a", "u32", WORDS[:128]), Out("d", "u32", WORDS[:128][::-1])], body, outside=SHARED,
                       block="128", version=version)
    for hint in ("", ".L2::cache_hint"):
        for wait in ("", ".read"):
            form = f"cp.async.bulk.global.shared::cta.bulk_group{hint}"
            policy = "createpolicy.fractional.L2::evict_last.b64 %pol, 0f3F800000;\n" if hint else ""
            body = START + policy + fill() + f"""setp.eq.u32 %p, %t, 0;
ld.param.u64 %o, [d];
@%p {form} [%o], [%buf], 512{', %pol' if hint else ''};
@%p cp.async.bulk.commit_group;
@%p cp.async.bulk.wait_group{wait} 0;
""" + END
            yield made(form, [In("a", "u32", WORDS[:128]), Out("d", "u32", WORDS[:128])], body, outside=SHARED,
                       name=form + (".wait_group.read" if wait else ""))
    body = START + """setp.eq.u32 %p, %t, 0;
ld.param.u64 %a, [a];
@%p cp.async.bulk.prefetch.L2.global [%a], 128;
""" + pointer("%a", "a") + "ld.global.u32 %v, [%a];\n" + store("d", "%v") + END
    yield made("cp.async.bulk.prefetch.L2.global", [In("a", "u32", WORDS[:N]), Out("d", "u32", WORDS[:N])], body,
               outside=SHARED)
    # To the other block of a cluster of two, and to both.
    form = "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes"
    index = "mov.u32 %n, %ctaid.x;\nmad.lo.u32 %n, %n, 32, %t;\n"
    body = START + INIT1 + """mov.u32 %w, %cluster_ctarank;
xor.b32 %w, %w, 1;
mapa.shared::cluster.u32 %peer, %buf, %w;
mapa.shared::cluster.u32 %peerbar, %bar, %w;
add.u32 %peer, %peer, 1024;
@%p mbarrier.arrive.expect_tx.shared::cta.b64 _, [%bar], 128;
""" + index + pointer("%a", "a", 4, "%n") + f"""shl.b32 %r, %t, 2;
add.u32 %r, %r, %buf;
ld.global.u32 %v, [%a];
st.shared.u32 [%r], %v;
fence.proxy.async.shared::cta;
barrier.cluster.arrive.release.aligned;
barrier.cluster.wait.acquire.aligned;
@%p {form} [%peer], [%buf], 128, [%peerbar];
""" + WAIT0 + "ld.shared.u32 %v, [%r+1024];\n" + store("d", "%v", "%n") + """barrier.cluster.arrive.aligned;
barrier.cluster.wait.aligned;
ret;"""
    yield made(form, [In("a", "u32", WORDS[:64]), Out("d", "u32", WORDS[32:64] + WORDS[:32])], body, cluster=2, grid="2",
               outside=SHARED)
    form = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"
    body = START + INIT1 + """.reg .b16 %mask;
mov.b16 %mask, 3;
@%p mbarrier.arrive.expect_tx.shared::cta.b64 _, [%bar], 128;
barrier.cluster.arrive.aligned;
barrier.cluster.wait.aligned;
mov.u32 %w, %cluster_ctarank;
setp.eq.and.u32 %q, %w, 1, %p;
ld.param.u64 %a, [a];
""" + f"@%q {form} [%buf], [%a], 128, [%bar], %mask;\n" + WAIT0 + """shl.b32 %r, %t, 2;
add.u32 %r, %r, %buf;
ld.shared.u32 %v, [%r];
""" + index + store("d", "%v", "%n") + """barrier.cluster.arrive.aligned;
barrier.cluster.wait.aligned;
ret;"""
    yield made(form, [In("a", "u32", WORDS[:32]), Out("d", "u32", WORDS[:32] * 2)], body, cluster=2, grid="2",
               outside=SHARED)


def bulk_reductions():
    def values(type_, seed):
        if type_ in ("f16", "bf16", "f32", "f64"):  # small whole numbers: sums are exact
            source = draws(seed, 512 * 8 // width_of(type_), "u32")
            return [(s % 41) - 20 for s in source]
        return draws(seed, 512 * 8 // width(type_), type_)

    def width_of(type_):
        return {"f16": 16, "bf16": 16, "f32": 32, "f64": 64}.get(type_) or width(type_)

    def encoded(value, type_):
        if type_ == "f32" or type_ == "f64":
            return float_bits(float(value), type_)
        if type_ == "bf16":
            return float_bits(float(value)) >> 16
        return int.from_bytes(__import__("struct").pack("<e", float(value)), "little")

    def form_of(op, type_, kind):
        noftz = ".noftz" if type_ in ("f16", "bf16") and op == "add" else ""
        to = ("global.shared::cta.bulk_group" if kind == "global"
              else "shared::cluster.shared::cta.mbarrier::complete_tx::bytes")
        return f"cp.reduce.async.bulk.{to}.{op}{noftz}.{type_}"

    cases = [("global", op, t) for op, types in {
        "add": "u32 s32 u64 f16 bf16 f32 f64", "min": "u32 s32 u64 s64 f16 bf16", "max": "u32 s32 u64 s64 f16 bf16",
        "inc": "u32", "dec": "u32", "and": "b32 b64", "or": "b32 b64", "xor": "b32 b64"}.items() for t in types.split()]
    cases += [("cluster", op, t) for op, types in {
        "add": "u32 s32 u64", "min": "u32 s32", "max": "u32 s32", "inc": "u32", "dec": "u32", "and": "b32", "or": "b32",
        "xor": "b32"}.items() for t in types.split()]
    for kind, op, type_ in cases:
        a, old = values(type_, f"{op} a"), values(type_, f"{op} d")
        if op in ("inc", "dec"):
            a = [1 + v % 7 for v in a]
            old = [v % 9 for v in old]
        if type_ in ("f16", "bf16", "f32", "f64"):
            new = [encoded({"add": x + y, "min": min(x, y), "max": max(x, y)}[op], type_) for x, y in zip(old, a)]
            a, old = [encoded(v, type_) for v in a], [encoded(v, type_) for v in old]
            plain = {"f16": "b16", "bf16": "b16"}.get(type_, type_)
        else:
            new = [reduced(op, type_, x, y) for x, y in zip(old, a)]
            plain = type_
        form = form_of(op, type_, kind)
        if kind == "global":
            body = START + fill() + f"""setp.eq.u32 %p, %t, 0;
ld.param.u64 %o, [d];
@%p {form} [%o], [%buf], 512;
@%p cp.async.bulk.commit_group;
@%p cp.async.bulk.wait_group 0;
""" + END
            yield made(form, [In("a", plain, a), InOut("d", plain, old, new)], body, outside=SHARED)
        else:
            body = START + INIT1 + fill() + pointer("%o", "d", 16) + f"""ld.global.v4.b32 {{%q0, %q1, %q2, %q3}}, [%o];
st.shared.v4.b32 [%r+1024], {{%q0, %q1, %q2, %q3}};
fence.proxy.async.shared::cta;
bar.sync 0;
add.u32 %n, %buf, 1024;
mov.u32 %w, 0;
mapa.shared::cluster.u32 %peer, %n, %w;
mapa.shared::cluster.u32 %peerbar, %bar, %w;
@%p mbarrier.arrive.expect_tx.shared::cta.b64 _, [%bar], 512;
@%p {form} [%peer], [%buf], 512, [%peerbar];
""" + WAIT0 + """ld.shared.v4.b32 {%q0, %q1, %q2, %q3}, [%r+1024];
st.global.v4.b32 [%o], {%q0, %q1, %q2, %q3};
ret;"""
            yield made(form, [In("a", plain, a), InOut("d", plain, old, new)], body, outside=SHARED)


# ---- fences and hints ----

def hints():
    forms = ["fence.proxy.async", "fence.proxy.async.global", "fence.proxy.async.shared::cta", "fence.proxy.alias",
             "fence.mbarrier_init.release.cluster", "fence.acq_rel.cluster", "griddepcontrol.wait",
             "griddepcontrol.launch_dependents"]
    for form in forms:
        body = START + pointer("%a", "a") + f"ld.global.u32 %v, [%a];\n{form};\n" + store("d", "%v") + END
        yield made(form, [In("a", "u32", WORDS[:N]), Out("d", "u32", WORDS[:N])], body, outside=SHARED)
    policies = ["createpolicy.fractional.L2::evict_last.b64 %pol;",
                "createpolicy.fractional.L2::evict_normal.b64 %pol, 0f3F000000;",
                "createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 %pol, 0f3E800000;",
                "createpolicy.range.global.L2::evict_last.L2::evict_unchanged.b64 %pol, [%a], 64, 128;"]
    for text in policies:
        body = START + pointer("%a", "a") + text + "\nld.global.L2::cache_hint.u32 %v, [%a], %pol;\n"
        yield made(text.split()[0], [In("a", "u32", WORDS[:N]), Out("d", "u32", WORDS[:N])],
                   body + store("d", "%v") + END, outside=SHARED)


def zeros():
    """st.bulk: 64 bytes of zeros from byte 32 on, in shared memory that held numbers."""
    kept = [0 if 8 <= k < 24 else w for k, w in enumerate(WORDS[:N])]
    for space, prepare, at in ((".shared::cta", "add.u32 %r, %buf, 32;\n", "%r"),
                               ("", "cvt.u64.u32 %x, %buf;\ncvta.shared.u64 %x, %x;\nadd.u64 %x, %x, 32;\n", "%x")):
        form = f"st.bulk.weak{space}"
        body = START + pointer("%a", "a") + """ld.global.u32 %v, [%a];
shl.b32 %n, %t, 2;
add.u32 %n, %n, %buf;
st.shared.u32 [%n], %v;
bar.sync 0;
setp.eq.u32 %p, %t, 0;
mov.u64 %rd, 64;
""" + prepare + f"@%p {form} [{at}], %rd, 0;\nbar.sync 0;\nld.shared.u32 %v, [%n];\n" + store("d", "%v") + END
        yield made(form, [In("a", "u32", WORDS[:N]), Out("d", "u32", kept)], body, outside=SHARED, **BLACKWELL)


def files():
    waits_seen.clear()
    for part in (lane_copies, barriers, bulk, bulk_reductions, hints, zeros):
        yield from part()
