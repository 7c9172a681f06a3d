# SPDX-License-Identifier: GPL-3.0-or-later
"""Branches, calls, barriers: PTX ISA, "Control Flow Instructions" and "Parallel Synchronization: bar, barrier".

Each kernel gives every thread one or more words; a function of its number in Python says which.
"""
from files import Out, file as whole_file

MODEL = "controls"
FOLDER = "control/"

HEAD = """.reg .u32 %t, %r<12>;
.reg .u64 %d, %o, %x<4>;
.reg .pred %p<6>;
mov.u32 %t, %tid.x;
ld.param.u64 %d, [d];
mul.wide.u32 %o, %t, 4;
add.u64 %d, %d, %o;
"""
STORE = "st.global.u32 [%d], %r0;\n"


def kernel(name, form, out, body, threads=32, outside="", **more):
    """out: word of thread t, or a list."""
    values = [out(t) & 0xffffffff for t in range(threads)] if callable(out) else out
    return FOLDER + name + ".ptx", whole_file(form, MODEL, [Out("d", "u32", values)], HEAD + body, block=str(threads),
                                              outside=outside, **more)


def branches():
    yield kernel("bra", "bra", lambda t: t * 3 if t < 13 else t + 100, """setp.lt.u32 %p0, %t, 13;
        @%p0 bra SMALL;
        add.u32 %r0, %t, 100;
        bra END;
        SMALL:
        mul.lo.u32 %r0, %t, 3;
        END:
        """ + STORE + "ret;")
    yield kernel("bra.uni", "bra.uni", lambda t: 7, """mov.u32 %r0, 7;
        bra.uni END;
        mov.u32 %r0, 8;
        END:
        """ + STORE + "ret;")
    yield kernel("bra.not", "bra with a negated guard", lambda t: 1 if t % 3 == 0 else 2, """rem.u32 %r1, %t, 3;
        setp.eq.u32 %p0, %r1, 0;
        mov.u32 %r0, 1;
        @!%p0 mov.u32 %r0, 5;
        @%p0 bra END;
        mov.u32 %r0, 2;
        END:
        """ + STORE + "ret;")
    yield kernel("bra.loop", "bra in a loop with other counts for each lane", lambda t: t * (t + 1) // 2, """mov.u32 %r0, 0;
        mov.u32 %r1, 0;
        LOOP:
        setp.ge.u32 %p0, %r1, %t;
        @%p0 bra END;
        add.u32 %r1, %r1, 1;
        add.u32 %r0, %r0, %r1;
        bra LOOP;
        END:
        """ + STORE + "ret;")

    def nested(t):
        out = 0
        for i in range(t % 5):
            for j in range(t % 7):
                if (i + j) % 3 == 1:
                    continue
                if j == 5:
                    break
                out += i * 10 + j
        return out
    yield kernel("bra.nested", "bra in nested loops with continue and break", nested, """mov.u32 %r0, 0;
        rem.u32 %r1, %t, 5;
        rem.u32 %r2, %t, 7;
        mov.u32 %r3, 0;
        OUTER:
        setp.ge.u32 %p0, %r3, %r1;
        @%p0 bra END;
        mov.u32 %r4, 0;
        INNER:
        setp.ge.u32 %p1, %r4, %r2;
        @%p1 bra NEXT;
        add.u32 %r5, %r3, %r4;
        rem.u32 %r5, %r5, 3;
        setp.eq.u32 %p2, %r5, 1;
        @%p2 bra SKIP;
        setp.eq.u32 %p3, %r4, 5;
        @%p3 bra NEXT;
        mad.lo.u32 %r0, %r3, 10, %r0;
        add.u32 %r0, %r0, %r4;
        SKIP:
        add.u32 %r4, %r4, 1;
        bra INNER;
        NEXT:
        add.u32 %r3, %r3, 1;
        bra OUTER;
        END:
        """ + STORE + "ret;", threads=48)

    def collatz(t):
        n, steps = t + 1, 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        return steps
    yield kernel("bra.collatz", "bra with two sides in a loop", collatz, """add.u32 %r1, %t, 1;
        mov.u32 %r0, 0;
        LOOP:
        setp.eq.u32 %p0, %r1, 1;
        @%p0 bra END;
        add.u32 %r0, %r0, 1;
        and.b32 %r2, %r1, 1;
        setp.eq.u32 %p1, %r2, 0;
        @%p1 bra EVEN;
        mad.lo.u32 %r1, %r1, 3, 1;
        bra LOOP;
        EVEN:
        shr.u32 %r1, %r1, 1;
        bra LOOP;
        END:
        """ + STORE + "ret;", threads=64)
    for uni in ("", ".uni"):
        choose = "and.b32 %r1, %t, 3;" if not uni else "mov.u32 %r1, 2;"
        yield kernel(f"brx.idx{uni}", f"brx.idx{uni}", (lambda t: [11, 22, 33, 22][t & 3]) if not uni else (lambda t: 33), f"""{choose}
            PLACES: .branchtargets A, B, C, B;
            brx.idx{uni} %r1, PLACES;
            A:
            mov.u32 %r0, 11;
            bra END;
            B:
            mov.u32 %r0, 22;
            bra END;
            C:
            mov.u32 %r0, 33;
            END:
            """ + STORE + "ret;")
    # Lanes leave early in every way; the rest goes on, and a barrier does not wait for those that are gone.
    for word in ("exit", "ret"):
        yield kernel(f"{word}.divergent", f"{word} in divergent code", lambda t: 9 if t % 2 == 0 else t if t < 20 else 0,
                     f"""and.b32 %r1, %t, 1;
            setp.eq.u32 %p0, %r1, 0;
            mov.u32 %r0, 9;
            @%p0 st.global.u32 [%d], %r0;
            @%p0 {word};
            setp.ge.u32 %p1, %t, 20;
            @!%p1 bra GO;
            {word};
            GO:
            mov.u32 %r0, %t;
            """ + STORE + f"{word};")
        yield kernel(f"{word}.before_barrier", f"{word} before bar.sync", lambda t: 0 if t < 32 else 5 * (t - 31), f"""setp.lt.u32 %p0, %t, 32;
            .shared .u32 room[96];
            mov.u64 %x0, room;
            add.u64 %x0, %x0, %o;
            @%p0 {word};
            sub.u32 %r1, %t, 31;
            mul.lo.u32 %r1, %r1, 5;
            st.shared.u32 [%x0], %r1;
            bar.sync 0;
            ld.shared.u32 %r0, [%x0];
            """ + STORE + f"{word};", threads=96)
    yield kernel("ret.uni", "ret.uni", lambda t: 4, "mov.u32 %r0, 4;\n" + STORE + "ret.uni;")
    # The last lane to leave a loop by a `ret` in its middle; the others are already behind it.
    yield kernel("ret.in_loop", "ret in a loop", lambda t: t + 1, """mov.u32 %r0, 0;
        LOOP:
        add.u32 %r0, %r0, 1;
        st.global.u32 [%d], %r0;
        setp.gt.u32 %p0, %r0, %t;
        @%p0 ret;
        bra.uni LOOP;""")


ADD = """.func (.reg .u32 %out) plus(.reg .u32 %a, .reg .u32 %b)
{
    add.u32 %out, %a, %b;
    ret;
}"""


def calls():
    yield kernel("call.reg", "call with registers", lambda t: t + 17, "call.uni (%r0), plus, (%t, 17);\n" + STORE + "ret;", outside=ADD)
    yield kernel("call", "call", lambda t: 3 * t if t % 2 else 0, """and.b32 %r1, %t, 1;
        setp.eq.u32 %p0, %r1, 1;
        mov.u32 %r0, 0;
        @%p0 call (%r0), thrice, (%t);
        """ + STORE + "ret;", outside="""
.func (.param .u32 out) thrice(.param .u32 a)
{
    .reg .u32 %r<3>;
    ld.param.u32 %r0, [a];
    mul.lo.u32 %r1, %r0, 3;
    st.param.u32 [out], %r1;
    ret;
}""")
    yield kernel("call.params", "call through .param", lambda t: (t - 100) * 2 + 7, """{
            .param .b32 first;
            .param .b64 second;
            .param .b32 back;
            st.param.b32 [first], %t;
            mov.u64 %x0, 7;
            st.param.b64 [second], %x0;
            call.uni (back), work, (first, second);
            ld.param.b32 %r0, [back];
        }
        """ + STORE + "ret;", outside="""
.func (.param .b32 out) work(.param .b32 a, .param .b64 b)
{
    .reg .s32 %r<5>;
    .reg .u64 %x;
    ld.param.s32 %r0, [a];
    ld.param.u64 %x, [b];
    cvt.u32.u64 %r1, %x;
    sub.s32 %r2, %r0, 100;
    shl.b32 %r2, %r2, 1;
    add.s32 %r3, %r2, %r1;
    st.param.b32 [out], %r3;
    ret;
}""")
    yield kernel("call.struct", "call with a struct by value", lambda t: t + 2 * (t + 1) + 3 * (t + 2) + 4 * (t + 3), """{
            .param .align 16 .b8 s[16];
            .param .b32 back;
            add.u32 %r1, %t, 1;
            add.u32 %r2, %t, 2;
            add.u32 %r3, %t, 3;
            st.param.v2.b32 [s], {%t, %r1};
            st.param.b32 [s+8], %r2;
            st.param.b32 [s+12], %r3;
            call.uni (back), weigh, (s);
            ld.param.b32 %r0, [back];
        }
        """ + STORE + "ret;", outside="""
.func (.param .b32 out) weigh(.param .align 16 .b8 s[16])
{
    .reg .u32 %r<6>;
    ld.param.v4.u32 {%r0, %r1, %r2, %r3}, [s];
    mad.lo.u32 %r4, %r1, 2, %r0;
    mad.lo.u32 %r4, %r2, 3, %r4;
    mad.lo.u32 %r4, %r3, 4, %r4;
    st.param.b32 [out], %r4;
    ret;
}""")
    yield kernel("call.returns", "call with several returns", lambda t: (t // 5) * 1000 + t % 5,
                 "call.uni (%r1, %r2), divide, (%t, 5);\nmad.lo.u32 %r0, %r1, 1000, %r2;\n" + STORE + "ret;", outside="""
.func (.reg .u32 %q, .reg .u32 %m) divide(.reg .u32 %a, .reg .u32 %b)
{
    div.u32 %q, %a, %b;
    rem.u32 %m, %a, %b;
    ret;
}""")
    yield kernel("call.constants", "call with constants", lambda t: t - 5 + 0x3f000000 + 9 - 2, """
        call.uni (%r0), mix, (%t, -5, 0.5, -2.0, 9);
        """ + STORE + "ret;", outside="""
.func (.reg .u32 %out) mix(.reg .u32 %a, .reg .s64 %b, .reg .f32 %c, .reg .f64 %e, .reg .u32 %g)
{
    .reg .u32 %r<4>;
    .reg .s64 %w<3>;
    cvt.rzi.s64.f64 %w0, %e;
    add.s64 %w0, %w0, %b;
    cvt.u64.u32 %w1, %a;
    add.s64 %w0, %w0, %w1;
    mov.b32 %r0, %c;
    cvt.u64.u32 %w1, %r0;
    add.s64 %w0, %w0, %w1;
    shr.s64 %w2, %w0, 32;
    cvt.u32.s64 %r1, %w0;
    cvt.u32.s64 %r2, %w2;
    add.u32 %r1, %r1, %r2;
    add.u32 %out, %r1, %g;
    ret;
}""")
    yield kernel("call.void", "call without a result", lambda t: t ^ 21, "xor.b32 %r0, %t, 21;\ncall.uni put, (%d, %r0);\nret;", outside="""
.func put(.reg .u64 %to, .reg .u32 %v)
{
    st.global.u32 [%to], %v;
    ret;
}""")
    yield kernel("call.noarguments", "call without arguments", lambda t: 1 if t == 0 else 0, """call.uni once;
        ld.global.u32 %r0, [seen];
        setp.ne.u32 %p0, %t, 0;
        @%p0 mov.u32 %r0, 0;
        """ + STORE + "ret;", outside="""
.global .u32 seen;
.func once()
{
    .reg .u32 %r;
    mov.u32 %r, 1;
    st.global.u32 [seen], %r;
    ret;
}""")

    def fibonacci(n):
        return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)
    yield kernel("call.recursive", "call of itself", lambda t: fibonacci(t % 11), """rem.u32 %r1, %t, 11;
        {
            .param .b32 n;
            .param .b32 back;
            st.param.b32 [n], %r1;
            call.uni (back), fibonacci, (n);
            ld.param.b32 %r0, [back];
        }
        """ + STORE + "ret;", outside="""
.func (.param .b32 out) fibonacci(.param .b32 n)
{
    .reg .u32 %r<8>;
    .reg .pred %p;
    ld.param.u32 %r0, [n];
    setp.lt.u32 %p, %r0, 2;
    @%p bra SMALL;
    sub.u32 %r1, %r0, 1;
    {
        .param .b32 m;
        .param .b32 back;
        st.param.b32 [m], %r1;
        call.uni (back), fibonacci, (m);
        ld.param.b32 %r2, [back];
    }
    sub.u32 %r1, %r0, 2;
    {
        .param .b32 m;
        .param .b32 back;
        st.param.b32 [m], %r1;
        call.uni (back), fibonacci, (m);
        ld.param.b32 %r3, [back];
    }
    add.u32 %r0, %r2, %r3;
    SMALL:
    st.param.b32 [out], %r0;
    ret;
}""")
    yield kernel("call.mutual", "calls of one another", lambda t: 100 + t % 2, """{
            .param .b32 n;
            .param .b32 back;
            st.param.b32 [n], %t;
            call.uni (back), even, (n);
            ld.param.b32 %r0, [back];
        }
        """ + STORE + "ret;", outside="\n".join([".func (.param .b32 out) odd(.param .b32 n);"] + [f"""
.func (.param .b32 out) {me}(.param .b32 n)
{{
    .reg .u32 %r<3>;
    .reg .pred %p;
    ld.param.u32 %r0, [n];
    setp.eq.u32 %p, %r0, 0;
    mov.u32 %r1, {answer};
    @%p bra DONE;
    sub.u32 %r0, %r0, 1;
    {{
        .param .b32 m;
        .param .b32 back;
        st.param.b32 [m], %r0;
        call.uni (back), {other}, (m);
        ld.param.b32 %r1, [back];
    }}
    DONE:
    st.param.b32 [out], %r1;
    ret;
}}""" for me, other, answer in (("even", "odd", 100), ("odd", "even", 101))]))
    functions = "\n".join(f"""
.func (.param .b32 out) {name}(.param .b32 a)
{{
    .reg .u32 %r<2>;
    ld.param.u32 %r0, [a];
    {line}
    st.param.b32 [out], %r1;
    ret;
}}""" for name, line in (("double", "shl.b32 %r1, %r0, 1;"), ("square", "mul.lo.u32 %r1, %r0, %r0;"),
                         ("next", "add.u32 %r1, %r0, 1;")))
    indirect = """{
            .param .b32 a;
            .param .b32 back;
            st.param.b32 [a], %t;
            WAY: .callprototype (.param .b32 _) _ (.param .b32 _);
            call (back), %x1, (a), WAY;
            ld.param.b32 %r0, [back];
        }
        """ + STORE + "ret;"
    yield kernel("call.indirect", "call through a register", lambda t: t * t, "mov.u64 %x1, square;\n" + indirect, outside=functions)
    yield kernel("call.table", "call through a table, other functions for each lane", lambda t: [2 * t, t * t, t + 1][t % 3], """rem.u32 %r1, %t, 3;
        mov.u64 %x0, table;
        mul.wide.u32 %x2, %r1, 8;
        add.u64 %x0, %x0, %x2;
        ld.global.u64 %x1, [%x0];
        """ + indirect, outside=functions + "\n.global .align 8 .u64 table[3] = {double, square, next};")
    yield kernel("call.targets", "call through a register with .calltargets", lambda t: 2 * t if t < 9 else t + 1, """setp.lt.u32 %p0, %t, 9;
        mov.u64 %x1, double;
        mov.u64 %x2, next;
        selp.u64 %x1, %x1, %x2, %p0;
        {
            .param .b32 a;
            .param .b32 back;
            st.param.b32 [a], %t;
            WAYS: .calltargets double, next;
            call (back), %x1, (a), WAYS;
            ld.param.b32 %r0, [back];
        }
        """ + STORE + "ret;", outside=functions)
    yield kernel("call.divergent_return", "ret at different places of a function", lambda t: 50 if t < 6 else 60 if t % 2 else 70, """{
            .param .b32 a;
            .param .b32 back;
            st.param.b32 [a], %t;
            call.uni (back), choose, (a);
            ld.param.b32 %r0, [back];
        }
        """ + STORE + "ret;", outside="""
.func (.param .b32 out) choose(.param .b32 a)
{
    .reg .u32 %r<4>;
    .reg .pred %p<2>;
    ld.param.u32 %r0, [a];
    setp.lt.u32 %p0, %r0, 6;
    mov.u32 %r1, 50;
    @%p0 st.param.b32 [out], %r1;
    @%p0 ret;
    and.b32 %r2, %r0, 1;
    setp.eq.u32 %p1, %r2, 0;
    mov.u32 %r1, 70;
    @%p1 bra PUT;
    mov.u32 %r1, 60;
    PUT:
    st.param.b32 [out], %r1;
    ret;
}""")
    yield kernel("call.exit", "exit in a function", lambda t: t if t >= 10 else 0, "call.uni leave, (%t);\nmov.u32 %r0, %t;\n" + STORE + "ret;", outside="""
.func leave(.reg .u32 %a)
{
    .reg .pred %p;
    setp.lt.u32 %p, %a, 10;
    @%p exit;
    ret;
}""")
    yield kernel("call.local", "local memory of a function in each of its calls", lambda t: sum(k * (t + k) for k in range(8)), """{
            .param .b32 a;
            .param .b32 back;
            st.param.b32 [a], %t;
            call.uni (back), table, (a);
            ld.param.b32 %r0, [back];
        }
        """ + STORE + "ret;", outside="""
.func (.param .b32 out) table(.param .b32 a)
{
    .local .align 4 .b32 room[8];
    .reg .u32 %r<6>;
    .reg .u64 %x<3>;
    .reg .pred %p;
    ld.param.u32 %r0, [a];
    mov.u64 %x0, room;
    mov.u32 %r1, 0;
    FILL:
    add.u32 %r2, %r0, %r1;
    mul.wide.u32 %x1, %r1, 4;
    add.u64 %x2, %x0, %x1;
    st.local.u32 [%x2], %r2;
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %p, %r1, 8;
    @%p bra FILL;
    mov.u32 %r3, 0;
    SUM:
    sub.u32 %r1, %r1, 1;
    mul.wide.u32 %x1, %r1, 4;
    add.u64 %x2, %x0, %x1;
    ld.local.u32 %r2, [%x2];
    mad.lo.u32 %r3, %r1, %r2, %r3;
    setp.gt.u32 %p, %r1, 0;
    @%p bra SUM;
    st.param.b32 [out], %r3;
    ret;
}""")


# Thread t leaves its number in shared memory; behind the barrier it takes that of the thread across.
ACROSS = """.shared .u32 room[128];
mov.u64 %x0, room;
add.u64 %x1, %x0, %o;
mul.lo.u32 %r1, %t, 3;
st.shared.u32 [%x1], %r1;
BARRIER
sub.u32 %r2, 127, %t;
mul.wide.u32 %x2, %r2, 4;
add.u64 %x2, %x0, %x2;
ld.shared.u32 %r0, [%x2];
"""


def barriers():
    for line in ("bar.sync 0;", "bar.cta.sync 0;", "barrier.sync 0;", "barrier.sync.aligned 0;", "barrier.cta.sync 0;",
                 "barrier.cta.sync.aligned 1;", "bar.sync 3, 128;", "bar.sync 15;", "barrier.sync 2, 128;", "bar.cta.sync 7, 128;",
                 "barrier.cta.sync 5, 128;"):
        name = line.rstrip(";").replace(" ", "_").replace(",", "").replace("_128", ".128")
        yield kernel(name, line.rstrip(";"), lambda t: 3 * (127 - t), ACROSS.replace("BARRIER", line) + STORE + "ret;", threads=128)
    yield kernel("bar.sync.register", "bar.sync with registers", lambda t: 3 * (127 - t), ACROSS.replace(
        "BARRIER", "mov.u32 %r5, 4;\nmov.u32 %r6, 128;\nbar.sync %r5, %r6;") + STORE + "ret;", threads=128)
    # Producers arrive, consumers wait: warps 0 and 1 write what warps 2 and 3 read.
    for arrive, sync in (("bar.arrive 1, 128;", "bar.sync 1, 128;"), ("barrier.arrive 1, 128;", "barrier.sync 1, 128;"),
                         ("bar.cta.arrive 6, 128;", "bar.cta.sync 6, 128;"),
                         ("barrier.cta.arrive.aligned 6, 128;", "barrier.cta.sync.aligned 6, 128;")):
        name = arrive.split(" ")[0]
        yield kernel(name, name, lambda t: 0 if t < 64 else 3 * (127 - t), f""".shared .u32 room[128];
            mov.u64 %x0, room;
            add.u64 %x1, %x0, %o;
            mov.u32 %r0, 0;
            setp.ge.u32 %p0, %t, 64;
            @%p0 bra TAKE;
            mul.lo.u32 %r1, %t, 3;
            st.shared.u32 [%x1], %r1;
            {arrive}
            bra.uni END;
            TAKE:
            {sync}
            sub.u32 %r2, 127, %t;
            mul.wide.u32 %x2, %r2, 4;
            add.u64 %x2, %x0, %x2;
            ld.shared.u32 %r0, [%x2];
            END:
            """ + STORE + "ret;", threads=128)
    # Two halves of a block at a barrier of their own each, many times.
    def turns(t):
        half, place = t // 64, t % 64
        values = [1000 * half + k for k in range(64)]
        for _ in range(10):
            values = [values[(k + 1) % 64] + 1 for k in range(64)]
        return values[place]
    yield kernel("bar.sync.two_halves", "bar.sync of two halves of a block", turns, """.shared .u32 room[128];
        mov.u64 %x0, room;
        add.u64 %x1, %x0, %o;
        shr.u32 %r5, %t, 6;
        and.b32 %r6, %t, 63;
        mad.lo.u32 %r0, %r5, 1000, %r6;
        add.u32 %r7, %r6, 1;
        and.b32 %r7, %r7, 63;
        mad.lo.u32 %r7, %r5, 64, %r7;
        mul.wide.u32 %x2, %r7, 4;
        add.u64 %x2, %x0, %x2;
        add.u32 %r5, %r5, 1;
        mov.u32 %r8, 0;
        LOOP:
        st.shared.u32 [%x1], %r0;
        bar.sync %r5, 64;
        ld.shared.u32 %r0, [%x2];
        add.u32 %r0, %r0, 1;
        bar.sync %r5, 64;
        add.u32 %r8, %r8, 1;
        setp.lt.u32 %p0, %r8, 10;
        @%p0 bra LOOP;
        """ + STORE + "ret;", threads=128)
    # Reductions over a block: thread t says yes where t % 3 == 0, and where `all` or `none` asks for it.
    for barrier in ("bar", "barrier", "bar.cta", "barrier.cta"):
        aligned = ".aligned" if barrier == "barrier" else ""
        for threads, more in ((96, ""), (64, ", 64")):
            if more and barrier != "bar":
                continue
            third = len([t for t in range(threads) if t % 3 == 0])
            yield kernel(f"{barrier}.red.popc{aligned}.u32{'.count' if more else ''}", f"{barrier}.red.popc{aligned}.u32",
                         lambda t: third * 1000000 + (threads - third) * 1000 + threads, f"""rem.u32 %r1, %t, 3;
                setp.eq.u32 %p0, %r1, 0;
                setp.ge.u32 %p1, %t, 0;
                {barrier}.red.popc{aligned}.u32 %r2, 0{more}, %p0;
                {barrier}.red.popc{aligned}.u32 %r3, 0{more}, !%p0;
                {barrier}.red.popc{aligned}.u32 %r4, 0{more}, %p1;
                mad.lo.u32 %r0, %r2, 1000000, %r4;
                mad.lo.u32 %r0, %r3, 1000, %r0;
                """ + STORE + "ret;", threads=threads)
            for name, results in (("and", (0, 1, 0)), ("or", (1, 1, 0))):
                yield kernel(f"{barrier}.red.{name}{aligned}.pred{'.count' if more else ''}", f"{barrier}.red.{name}{aligned}.pred",
                             lambda t: results[0] * 4 + results[1] * 2 + results[2], f"""setp.eq.u32 %p0, %t, 40;
                    setp.ge.u32 %p1, %t, 0;
                    {barrier}.red.{name}{aligned}.pred %p2, 0{more}, %p0;
                    {barrier}.red.{name}{aligned}.pred %p3, 0{more}, %p1;
                    {barrier}.red.{name}{aligned}.pred %p4, 0{more}, !%p1;
                    selp.u32 %r0, 4, 0, %p2;
                    @%p3 add.u32 %r0, %r0, 2;
                    @%p4 add.u32 %r0, %r0, 1;
                    """ + STORE + "ret;", threads=threads)
    # A warp's own barrier: lanes of both sides meet, and those of a mask apart from the others.
    yield kernel("bar.warp.sync", "bar.warp.sync", lambda t: 31 - t, """.shared .u32 room[32];
        mov.u64 %x0, room;
        add.u64 %x1, %x0, %o;
        st.shared.u32 [%x1], %t;
        bar.warp.sync 0xffffffff;
        sub.u32 %r2, 31, %t;
        mul.wide.u32 %x2, %r2, 4;
        add.u64 %x2, %x0, %x2;
        ld.shared.u32 %r0, [%x2];
        """ + STORE + "ret;")
    yield kernel("bar.warp.sync.mask", "bar.warp.sync of some lanes", lambda t: (15 - t if t < 16 else 47 - t), """.shared .u32 room[32];
        mov.u64 %x0, room;
        add.u64 %x1, %x0, %o;
        setp.lt.u32 %p0, %t, 16;
        @!%p0 bra HIGH;
        st.shared.u32 [%x1], %t;
        bar.warp.sync 0x0000ffff;
        sub.u32 %r2, 15, %t;
        mul.wide.u32 %x2, %r2, 4;
        add.u64 %x2, %x0, %x2;
        ld.shared.u32 %r0, [%x2];
        bra END;
        HIGH:
        st.shared.u32 [%x1], %t;
        bar.warp.sync 0xffff0000;
        sub.u32 %r2, 47, %t;
        mul.wide.u32 %x2, %r2, 4;
        add.u64 %x2, %x0, %x2;
        ld.shared.u32 %r0, [%x2];
        END:
        """ + STORE + "ret;")
    yield kernel("bar.warp.sync.both_sides", "bar.warp.sync in both branches", lambda t: 100 + (t ^ 1), """.shared .u32 room[32];
        mov.u64 %x0, room;
        add.u64 %x1, %x0, %o;
        xor.b32 %r2, %t, 1;
        mul.wide.u32 %x2, %r2, 4;
        add.u64 %x2, %x0, %x2;
        and.b32 %r3, %t, 1;
        setp.eq.u32 %p0, %r3, 0;
        add.u32 %r4, %t, 100;
        @%p0 bra EVEN;
        st.shared.u32 [%x1], %r4;
        bar.warp.sync 0xffffffff;
        ld.shared.u32 %r0, [%x2];
        bra END;
        EVEN:
        st.shared.u32 [%x1], %r4;
        bar.warp.sync 0xffffffff;
        ld.shared.u32 %r0, [%x2];
        END:
        """ + STORE + "ret;")


def files():
    for family in (branches, calls, barriers):
        yield from family()
