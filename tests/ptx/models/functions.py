# SPDX-License-Identifier: GPL-3.0-or-later
"""Functions, indexed branches, memory taken from the stack: what a computation gives that goes through them."""
from files import In, Out, bits, draws, lanewise

MODEL = "functions"
FOLDER = "functions/"
LANES = 32
A = draws("first", LANES, "u32")
B = draws("second", LANES, "u32")
W = draws("wide", LANES, "u64")
SMALL = [k * 5 % 23 for k in range(LANES)]


def low(values, type_="u32"):
    return [bits(v, type_) for v in values]


def of(name, form, ins, outs, code, outside="", registers="", **more):
    return FOLDER + name + ".ptx", lanewise(form, MODEL, ins, outs, code, registers=registers, outside=outside, **more)


def results():
    yield of("param.one", "call with one result", [In("a", "u32", A), In("b", "u32", B)],
             [Out("d", "u32", low(3 * x + y for x, y in zip(A, B)))], """{
        .param .b32 p0;
        .param .b32 p1;
        .param .b32 r0;
        st.param.b32 [p0], %a;
        st.param.b32 [p1], %b;
        call (r0), f, (p0, p1);
        ld.param.b32 %d, [r0];
        }""", outside=""".func (.param .b32 r) f(.param .b32 x, .param .b32 y)
{
    .reg .u32 %x, %y;
    ld.param.u32 %x, [x];
    ld.param.u32 %y, [y];
    mad.lo.u32 %x, %x, 3, %y;
    st.param.u32 [r], %x;
    ret;
}""")
    yield of("param.array", "call with an array as result", [In("a", "u32", A), In("b", "u32", B)],
             [Out("d", "u32", low(x - y for x, y in zip(A, B))), Out("e", "u32", low(x + y for x, y in zip(A, B)))], """{
        .param .align 8 .b8 p0[8];
        .param .align 8 .b8 r0[8];
        st.param.v2.b32 [p0], {%a, %b};
        call (r0), f, (p0);
        ld.param.b32 %d, [r0+4];
        ld.param.b32 %e, [r0];
        }""", outside=""".func (.param .align 8 .b8 r[8]) f(.param .align 8 .b8 x[8])
{
    .reg .u32 %x, %y, %s;
    ld.param.u32 %x, [x];
    ld.param.u32 %y, [x+4];
    add.u32 %s, %x, %y;
    sub.u32 %x, %x, %y;
    st.param.v2.u32 [r], {%s, %x};
    ret;
}""")
    yield of("reg.one", "call with registers as parameters", [In("a", "u32", A), In("b", "u64", W)],
             [Out("d", "u64", low((x + y for x, y in zip(A, W)), "u64"))], """cvt.u64.u32 %w, %a;
        call (%d), f, (%w, %b);""", registers=".reg .u64 %w;",
             outside=""".func (.reg .u64 %sum) f(.reg .u64 %x, .reg .u64 %y)
{
    add.u64 %sum, %x, %y;
    ret;
}""")
    yield of("reg.predicate", "call with a number and a predicate as results", [In("a", "u32", A), In("b", "u32", B)],
             [Out("d", "u32", low(x + 1 for x in A)), Out("e", "u32", [int(x < y) for x, y in zip(A, B)])],
             """call (%d, %p), f, (%a, %b);
        selp.u32 %e, 1, 0, %p;""", registers=".reg .pred %p;",
             outside=""".func (.reg .u32 %n, .reg .pred %less) f(.reg .u32 %x, .reg .u32 %y)
{
    add.u32 %n, %x, 1;
    setp.lt.u32 %less, %x, %y;
    ret;
}""")
    yield of("reg.vector", "call with a vector as parameter and as result", [In("a", "u32", A), In("b", "u32", B)],
             [Out("d", "u32", B), Out("e", "u32", low(x ^ y for x, y in zip(A, B)))], """mov.v2.u32 %v, {%a, %b};
        call (%v), f, (%v);
        mov.v2.u32 {%d, %e}, %v;""", registers=".reg .v2 .u32 %v;",
             outside=""".func (.reg .v2 .u32 out) f(.reg .v2 .u32 in)
{
    mov.u32 out.x, in.y;
    xor.b32 out.y, in.x, in.y;
    ret;
}""")
    yield of("reg.divergent", "a call in half of the lanes", [In("a", "u32", A)],
             [Out("d", "u32", low(x * x if x % 2 else x for x in A))], """and.b32 %low, %a, 1;
        setp.eq.u32 %p, %low, 1;
        mov.u32 %d, %a;
        @%p call (%d), f, (%a);""", registers=".reg .pred %p;\n.reg .u32 %low;",
             outside=""".func (.reg .u32 %r) f(.reg .u32 %x)
{
    mul.lo.u32 %r, %x, %x;
    ret;
}""")


def recursion():
    def fibonacci(n):
        x, y = 0, 1
        for _ in range(n):
            x, y = y, x + y
        return x
    yield of("recursion", "a function that calls itself", [In("a", "u32", [n % 12 for n in SMALL])],
             [Out("d", "u32", [fibonacci(n % 12) for n in SMALL])], """{
        .param .b32 p0;
        .param .b32 r0;
        st.param.b32 [p0], %a;
        call (r0), fib, (p0);
        ld.param.b32 %d, [r0];
        }""", outside=""".func (.param .b32 r) fib(.param .b32 n);
.func (.param .b32 r) fib(.param .b32 n)
{
    .reg .u32 %n, %s, %t;
    .reg .pred %p;
    ld.param.u32 %n, [n];
    setp.lt.u32 %p, %n, 2;
    @%p bra small;
    sub.u32 %t, %n, 1;
    {
    .param .b32 p0;
    .param .b32 r0;
    st.param.b32 [p0], %t;
    call (r0), fib, (p0);
    ld.param.b32 %s, [r0];
    }
    sub.u32 %t, %n, 2;
    {
    .param .b32 p0;
    .param .b32 r0;
    st.param.b32 [p0], %t;
    call (r0), fib, (p0);
    ld.param.b32 %t, [r0];
    }
    add.u32 %s, %s, %t;
    st.param.u32 [r], %s;
    ret;
small:
    st.param.u32 [r], %n;
    ret;
}""")


def indirect():
    functions = "\n".join(f""".func (.param .b32 r) {name}(.param .b32 x)
{{
    .reg .u32 %x;
    ld.param.u32 %x, [x];
    {code}
    st.param.u32 [r], %x;
    ret;
}}""" for name, code in (("twice", "add.u32 %x, %x, %x;"), ("square", "mul.lo.u32 %x, %x, %x;"),
                         ("turned", "not.b32 %x, %x;")))
    results = (lambda x: 2 * x, lambda x: x * x, lambda x: ~x)
    expected = low(results[k % 3](x) for k, x in enumerate(A))
    yield of("indirect.registers", "call through a register", [In("a", "u32", A)], [Out("d", "u32", expected)], """
        prototype: .callprototype (.param .b32 _) _ (.param .b32 _);
        rem.u32 %k, %tid_, 3;
        mov.u64 %f, twice;
        setp.eq.u32 %p, %k, 1;
        @%p mov.u64 %f, square;
        setp.eq.u32 %p, %k, 2;
        @%p mov.u64 %f, turned;
        {
        .param .b32 p0;
        .param .b32 r0;
        st.param.b32 [p0], %a;
        call (r0), %f, (p0), prototype;
        ld.param.b32 %d, [r0];
        }""", registers=".reg .u32 %k;\n.reg .u64 %f;\n.reg .pred %p;", outside=functions)
    yield of("indirect.table", "call through a table of functions, with its targets named", [In("a", "u32", A)],
             [Out("d", "u32", expected)], """
        targets: .calltargets twice, square, turned;
        rem.u32 %k, %tid_, 3;
        mul.wide.u32 %o, %k, 8;
        mov.u64 %f, table;
        add.u64 %f, %f, %o;
        ld.global.u64 %f, [%f];
        {
        .param .b32 p0;
        .param .b32 r0;
        st.param.b32 [p0], %a;
        call (r0), %f, (p0), targets;
        ld.param.b32 %d, [r0];
        }""", registers=".reg .u32 %k;\n.reg .u64 %f, %o;",
             outside=functions + "\n.global .align 8 .u64 table[3] = {twice, square, turned};")
    yield of("brx.idx", "brx.idx", [In("a", "u32", A)], [Out("d", "u32", expected)], """
        targets: .branchtargets L0, L1, L2;
        rem.u32 %k, %tid_, 3;
        brx.idx %k, targets;
        L0:
        add.u32 %d, %a, %a;
        bra done;
        L1:
        mul.lo.u32 %d, %a, %a;
        bra done;
        L2:
        not.b32 %d, %a;
        done:""", registers=".reg .u32 %k;")


def sums():
    for type_, values in (("u32", A), ("u64", W), ("u16", draws("short", LANES, "u16"))):
        yield of(f"sum.{type_}", f"a register plus a constant as operand of .{type_}", [In("a", type_, values)],
                 [Out("d", type_, low((2 * x + 4 for x in values), type_)),
                  Out("e", type_, low((x + 3 for x in values), type_))], f"""add.{type_} %d, %a+4, %a;
            mov.{type_} %e, %a + 3;""")


def stack():
    size = [8 * (n % 5 + 1) for n in SMALL]

    def filled(n, x):
        return sum((x + k) * (k + 1) for k in range(n // 4))
    loop = """mov.u32 %k, 0;
        mov.u64 %q, %m;
        fill:
        add.u32 %v, %a, %k;
        add.u32 %k1, %k, 1;
        mul.lo.u32 %v, %v, %k1;
        st.local.u32 [%q], %v;
        add.u64 %q, %q, 4;
        mov.u32 %k, %k1;
        shl.b32 %k1, %k, 2;
        setp.lt.u32 %p, %k1, %b;
        @%p bra fill;
        mov.u32 %d, 0;
        mov.u32 %k, 0;
        mov.u64 %q, %m;
        sum:
        ld.local.u32 %v, [%q];
        add.u32 %d, %d, %v;
        add.u64 %q, %q, 4;
        add.u32 %k, %k, 4;
        setp.lt.u32 %p, %k, %b;
        @%p bra sum;"""
    registers = """.reg .u32 %k, %k1, %v;
        .reg .u64 %m, %q, %n, %s, %s2;
        .reg .pred %p;"""
    expected = low(filled(n, x) for n, x in zip(size, A))
    ins = [In("a", "u32", A), In("b", "u32", size)]
    yield of("alloca.u64", "alloca.u64 of a size for each lane", ins, [Out("d", "u32", expected)],
             "cvt.u64.u32 %n, %b;\nalloca.u64 %m, %n;\n" + loop, registers=registers, version="8.0")
    for alignment in (16, 64):
        yield of(f"alloca.u64.{alignment}", f"alloca.u64 aligned to {alignment} bytes", ins,
                 [Out("d", "u32", expected), Out("e", "u32", [0] * LANES)], f"""cvt.u64.u32 %n, %b;
            alloca.u64 %m, 12;
            st.local.u32 [%m], %a;
            alloca.u64 %m, %n, {alignment};
            cvt.u32.u64 %e, %m;
            and.b32 %e, %e, {alignment - 1};
            """ + loop, registers=registers, version="8.0")
    yield of("stackrestore.u64", "stacksave.u64 and stackrestore.u64: the same place again", ins,
             [Out("d", "u32", expected), Out("e", "u64", [0] * LANES)], """cvt.u64.u32 %n, %b;
        stacksave.u64 %s;
        alloca.u64 %q, %n;
        stackrestore.u64 %s;
        alloca.u64 %m, %n;
        sub.u64 %e, %m, %q;
        """ + loop, registers=registers, version="8.0")
    yield of("alloca.function", "alloca in a function, with the caller's memory below it", ins,
             [Out("d", "u32", low(2 * f for f in expected)), Out("e", "u32", A)], """cvt.u64.u32 %n, %b;
        alloca.u64 %m, %n;
        st.local.u32 [%m], %a;
        call (%v), f, (%a, %b);
        mov.u32 %d, %v;
        call (%v), f, (%a, %b);
        add.u32 %d, %d, %v;
        ld.local.u32 %e, [%m];""", registers=registers, version="8.0",
             outside=f""".func (.reg .u32 %d) f(.reg .u32 %a, .reg .u32 %b)
{{
    {registers}
    cvt.u64.u32 %n, %b;
    alloca.u64 %m, %n;
    {loop}
    ret;
}}""")


def files():
    for family in (results, recursion, indirect, sums, stack):
        yield from family()
