# SPDX-License-Identifier: GPL-3.0-or-later
"""Logic, shifts and bit fields: PTX ISA, "Logic and Shift Instructions" and the bit part of "Integer Arithmetic"."""
from files import In, Out, bits, draws, edges, lanewise, number, pairs, width

MODEL = "bit_tricks"
FOLDER = "bits/"


def of(form, types, result, columns, function, code="", name=""):
    names = "abce"[:len(columns)]
    out = [function(*row) & ((1 << width(result)) - 1) for row in zip(*columns)]
    ins = [In(n, t, c) for n, t, c in zip(names, types, columns)]
    code = code or f"{form} %d, {', '.join('%' + n for n in names)};"
    return FOLDER + (name or form) + ".ptx", lanewise(form, MODEL, ins, [Out("d", result, out)], code)


def logic():
    two = {"and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b}
    for n in (16, 32, 64):
        t = f"b{n}"
        a, b = pairs(t, "logic", 64)
        for name, function in two.items():
            yield of(f"{name}.{t}", [t, t], t, [a, b], function)
        yield of(f"not.{t}", [t], t, [a], lambda x: ~x)
        yield of(f"cnot.{t}", [t], t, [a], lambda x: int(x == 0))
    a, b = [0, 0, 1, 1] * 4, [0, 1, 0, 1] * 4
    for name, function in two.items():
        yield of(f"{name}.pred", ["u32", "u32"], "u32", [a, b], function, f"""setp.ne.u32 %p, %a, 0;
            setp.ne.u32 %q, %b, 0;
            {name}.pred %r, %p, %q;
            selp.u32 %d, 1, 0, %r;""".replace("setp.ne.u32 %p", ".reg .pred %p, %q, %r;\nsetp.ne.u32 %p", 1))
    yield of("not.pred", ["u32"], "u32", [a], lambda x: 1 - x, """.reg .pred %p, %r;
        setp.ne.u32 %p, %a, 0;
        not.pred %r, %p;
        selp.u32 %d, 1, 0, %r;""")


def three():
    # The table's bit for (a, b, c) is 4a + 2b + c.
    def lookup(table):
        def function(a, b, c):
            out = 0
            for k in range(32):
                at = (a >> k & 1) * 4 + (b >> k & 1) * 2 + (c >> k & 1)
                out |= (table >> at & 1) << k
            return out
        return function
    a, b = pairs("b32", "lop3", 48)
    c = draws("lop3 c", 48, "b32")
    for table in (0x80, 0xfe, 0x96, 0xe8, 0xca, 0x1b, 0x00, 0xff, 0x5a):
        yield of("lop3.b32", ["b32"] * 3, "b32", [a, b, c], lookup(table), f"lop3.b32 %d, %a, %b, %c, 0x{table:02x};",
                 f"lop3.b32.{table:02x}")


SHIFTS = [0, 1, 7, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 255, 256, 0x80000000, 0xffffffff]


def shifted(form, t, function, **more):
    values = [v for v in edges(t)[:8] + draws("shift", 4, t) for _ in SHIFTS][:17 * 8]
    counts = SHIFTS * 8
    return of(form, [t, "u32"], t, [values[:len(counts)], counts], function, **more)


def shifts():
    for t in ("b16", "b32", "b64"):
        yield shifted(f"shl.{t}", t, lambda a, n: a << min(n, 64))
    for t in ("b16", "b32", "b64", "u16", "u32", "u64", "s16", "s32", "s64"):
        yield shifted(f"shr.{t}", t, lambda a, n: number(a, t) >> min(n, 64))
    low, high = draws("funnel a", 51, "b32"), draws("funnel b", 51, "b32")
    counts = SHIFTS * 3
    for mode, amount in (("clamp", lambda n: min(n, 32)), ("wrap", lambda n: n & 31)):
        yield of(f"shf.l.{mode}.b32", ["b32", "b32", "u32"], "b32", [low, high, counts],
                 lambda a, b, n: ((b << 32 | a) << amount(n)) >> 32)
        yield of(f"shf.r.{mode}.b32", ["b32", "b32", "u32"], "b32", [low, high, counts],
                 lambda a, b, n: (b << 32 | a) >> amount(n))


def counting():
    for n in (32, 64):
        t = f"b{n}"
        a = edges(t) + draws("count", 52, t) + [1 << k for k in range(0, n, 5)]
        yield of(f"popc.{t}", [t], "u32", [a], lambda x: bin(x).count("1"))
        yield of(f"clz.{t}", [t], "u32", [a], lambda x: n - x.bit_length())
        yield of(f"brev.{t}", [t], t, [a], lambda x: int(f"{x:0{n}b}"[::-1], 2))
        for t in (f"u{n}", f"s{n}"):
            def leading(x):
                v = number(x, t)
                return (~v if v < 0 else v).bit_length() - 1
            yield of(f"bfind.{t}", [t], "u32", [a], leading)
            yield of(f"bfind.shiftamt.{t}", [t], "u32", [a], lambda x: -1 if leading(x) < 0 else n - 1 - leading(x))
    masks, bases, offsets = [], [], []
    for k, mask in enumerate([0, 0xffffffff, 0x80000001, 0xf0f0f0f0, 0x00010000, 0x12345678] * 2):
        for base in (0, 4, 16, 31):
            for offset in (0, 1, 2, -1, -2, 5, -5, 33) if k < 6 else (3, -3):
                masks.append(mask)
                bases.append(base)
                offsets.append(offset & 0xffffffff)

    def nth_set(mask, base, offset):
        offset = number(offset, "s32")
        if offset == 0:
            return base if mask >> base & 1 else -1
        places = [k for k in (range(base, 32) if offset > 0 else range(base, -1, -1)) if mask >> k & 1]
        return places[abs(offset) - 1] if len(places) >= abs(offset) else -1
    yield of("fns.b32", ["b32", "u32", "s32"], "u32", [masks, bases, offsets], nth_set)


def upto255(v, t):
    """The PTX ISA knows 0 to 255; of more, 32-bit forms take eight bits, 64-bit ones (an H200's shifts) all."""
    return min(v, 255) if t.endswith("64") else v & 255


PLACES = [0, 1, 5, 8, 16, 24, 31, 32, 40, 63, 64, 100, 255, 256, 0x101]


def fields():
    where = [(p, n) for p in PLACES for n in (0, 1, 4, 8, 31, 32, 33, 64, 255, 0x104)][::2]
    position, length = [w[0] for w in where], [w[1] for w in where]
    for t in ("u32", "u64", "s32", "s64"):
        n = width(t)
        a = draws("bfe", len(where), t)

        def extract(x, p, size):
            p, size = upto255(p, t), upto255(size, t)
            if size == 0:
                return 0
            part = x >> p & ((1 << size) - 1)
            top = x >> min(p + size - 1, n - 1) & 1
            if t[0] == "s" and top:
                kept = max(0, min(size, n - p))
                part |= -1 << kept
            return part
        yield of(f"bfe.{t}", [t, "u32", "u32"], t, [a, position, length], extract)
    for t in ("b32", "b64"):
        n = width(t)
        a, b = draws("bfi a", len(where), t), draws("bfi b", len(where), t)

        def insert(x, y, p, size):
            p, size = upto255(p, t), upto255(size, t)
            mask = (((1 << size) - 1) << p) & ((1 << n) - 1)
            return y & ~mask | (x << p) & mask
        yield of(f"bfi.{t}", [t, t, "u32", "u32"], t, [a, b, position, length], insert)


def extensions():
    amounts = [0, 1, 2, 8, 15, 16, 24, 31, 32, 33, 40, 64, 255, 0x80000000] * 4
    a = draws("szext", len(amounts), "b32")
    for mode in ("wrap", "clamp"):
        for t in ("u32", "s32"):
            def extend(x, n):
                if mode == "clamp" and n >= 32:
                    return x
                n &= 31
                part = x & ((1 << n) - 1)
                return part - (1 << n) if t == "s32" and n and part >> (n - 1) else part
            yield of(f"szext.{mode}.{t}", [t, "u32"], t, [a, amounts], extend)

        def mask(p, n):
            if mode == "clamp":
                if p >= 32:
                    return 0
                n = min(n, 32)
            else:
                p, n = p & 31, n & 31
            return (((1 << n) - 1) << p) & 0xffffffff
        first = [p for p in (0, 1, 8, 16, 31, 32, 33, 0xffffffff) for _ in range(8)]
        second = [0, 1, 8, 16, 31, 32, 33, 0xffffffff] * 8
        yield of(f"bmsk.{mode}.b32", ["u32", "u32"], "b32", [first, second], mask)


def permutations():
    a, b = draws("prmt a", 64, "b32"), draws("prmt b", 64, "b32")
    a[::3] = [0x83828180] * len(a[::3])
    b[::3] = [0x07868504] * len(b[::3])

    def pick(x, y, places):
        """Bytes of y:x, the lowest of the result first; from 8 on the sign of the byte eight below."""
        both = y << 32 | x
        out = 0
        for k, place in enumerate(places):
            byte = both >> 8 * (place & 7) & 255
            out |= (255 * (byte >> 7) if place & 8 else byte) << 8 * k
        return out
    chosen = [0x3210, 0x7654, 0x5410, 0x0123, 0xba98, 0xfedc, 0x8888, 0x7777, 0x4321, 0xf0e1, 0x12340000, 0x1f2e]
    c = (chosen * 6)[:64]
    yield of("prmt.b32", ["b32", "b32", "b32"], "b32", [a, b, c],
             lambda x, y, s: pick(x, y, [s >> 4 * k & 15 for k in range(4)]))
    # Of the selector the lowest two bits count. Bytes are named from the highest of the result to the lowest.
    tables = {
        "f4e": ("3210", "4321", "5432", "6543"), "b4e": ("5670", "6701", "7012", "0123"),
        "rc8": ("0000", "1111", "2222", "3333"), "ecl": ("3210", "3211", "3222", "3333"),
        "ecr": ("0000", "1110", "2210", "3210"), "rc16": ("1010", "3232", "1010", "3232"),
    }
    c = [0, 1, 2, 3, 4, 0xffffffff, 0x80000001, 6] * 8
    for mode, table in tables.items():
        yield of(f"prmt.b32.{mode}", ["b32", "b32", "b32"], "b32", [a, b, c],
                 lambda x, y, s: pick(x, y, [int(p) for p in reversed(table[s & 3])]))


def files():
    for family in (logic, three, shifts, counting, fields, extensions, permutations):
        yield from family()
