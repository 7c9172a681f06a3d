# SPDX-License-Identifier: GPL-3.0-or-later
"""Video instructions: PTX ISA, "Scalar Video Instructions" and "SIMD Video Instructions".

Numbers are Python's, so that an intermediate result never loses a bit; what is written is its low 32 bits.
"""
from files import In, Out, bits, draws, lanewise, signed

MODEL = "video"
FOLDER = "video/"
U, S = "u32", "s32"
COUNT = 96


def column(seed):
    """Words whose bytes are corners of bytes, then corners of words, then drawn ones."""
    corner = [0x00, 0x01, 0x7F, 0x80, 0x81, 0xFF, 0x40, 0xFE]
    values = draws(seed, COUNT, "u32")
    for k in range(COUNT // 2):
        values[k] = sum(corner[(v >> (3 * byte)) & 7] << (8 * byte) for v in [values[k]] for byte in range(4))
    for k, v in enumerate((0, 1, 0xFFFFFFFF, 0x80000000, 0x7FFFFFFF, 0x8000FFFF, 0x7FFF8000, 0x00008000)):
        values[COUNT - 1 - (k * (len(seed) + 2)) % 24] = v
    return values


A, B, C = column("a"), column("bb"), column("ccc")
SHIFTS = [v & 63 if k % 3 else v for k, v in enumerate(B)]


def taken(word, part, type_):
    """A byte, half-word or the whole of a word as a number of the type."""
    if not part:
        return signed(word, 32) if type_ == S else word
    size = 8 if part[0] == "b" else 16
    field = word >> (size * int(part[1])) & ((1 << size) - 1)
    return signed(field, size) if type_ == S else field


def clamp(v, size, type_):
    low, high = (-(1 << (size - 1)), (1 << (size - 1)) - 1) if type_ == S else (0, (1 << size) - 1)
    return max(low, min(high, v))


def put(v, part, c):
    if not part:
        return v
    size = 8 if part[0] == "b" else 16
    shift, ones = size * int(part[1]), (1 << size) - 1
    return (c & ~(ones << shift)) | (v & ones) << shift


def second(operation, v, c, type_):
    c = signed(c, 32) if type_ == S else c
    return {"": lambda: v, "add": lambda: v + c, "min": lambda: min(v, c), "max": lambda: max(v, c)}[operation]()


def size_of(part):
    return 32 if not part else 8 if part[0] == "b" else 16


COMPARE = {
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b, "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b,
}


def average(a, b):
    """(a + b) / 2; a half is rounded away from zero."""
    total = a + b
    return (total + 1) // 2 if total >= 0 else -((-total + 1) // 2)


BINARY = {
    "vadd": lambda a, b: a + b,
    "vsub": lambda a, b: a - b,
    "vabsdiff": lambda a, b: abs(a - b),
    "vmin": min,
    "vmax": max,
    "vavrg": average,
}


def dotted(part):
    return "." + part if part else ""


def written(form, parts, values, b, third=True):
    """parts: of d, a, b. The name of the file says them in this order."""
    name = form + "".join("_" + p for p in (f"d{parts[0]}" if parts[0] else "", f"a{parts[1]}" if parts[1] else "",
                                            f"b{parts[2]}" if parts[2] else "") if p)
    ins = [In("a", "b32", A), In("b", "b32", b)] + ([In("c", "b32", C)] if third else [])
    code = f"{form} %d{dotted(parts[0])}, %a{dotted(parts[1])}, %b{dotted(parts[2])}{', %c' if third else ''};"
    result = [bits(v, "u32") for v in values]
    head = form + (" " + ", ".join(n + dotted(p) for n, p in zip("dab", parts)) if any(parts) else "")
    return FOLDER + name + ".ptx", lanewise(head, MODEL, ins, [Out("d", "b32", result)], code)


def scalar(name, function, types, parts=("", "", ""), sat=False, operation="", b=None, words=""):
    """types: of d, a, b; d's is missing for vset, which takes c for what a is (so does the code that ptxas makes)."""
    b = B if b is None else b
    result = types[0]
    values = []
    for x, y, z in zip(A, b, C):
        v = function(taken(x, parts[1], types[-2]), taken(y, parts[2], types[-1]))
        if sat:
            v = clamp(v, size_of(parts[0]), result)
        values.append(put(second(operation, v, z, result), parts[0], z))
    form = ".".join([name, *types] + ([words] if words else []))
    form += (".sat" if sat and name not in ("vshl", "vshr") else "") + (f".{operation}" if operation else "")
    if sat and name in ("vshl", "vshr"):  # .sat stands before the mode
        form = ".".join([name, *types, "sat", words] + ([operation] if operation else []))
    return written(form, parts, values, b, third=bool(operation or parts[0]))


def arithmetic():
    for name in ("vadd", "vsub", "vabsdiff", "vmin", "vmax"):
        f = BINARY[name]
        yield scalar(name, f, (U, U, U))
        yield scalar(name, f, (S, S, S), sat=True)
        yield scalar(name, f, (S, U, S), ("", "b1", "h0"), sat=True)
        yield scalar(name, f, (U, S, U), ("", "h1", "b3"), sat=True, operation="add")
        yield scalar(name, f, (S, S, S), ("", "b0", "b2"), operation="min")
        yield scalar(name, f, (U, U, U), ("", "h0", "h1"), sat=True, operation="max")
        yield scalar(name, f, (U, S, S), ("b2", "b3", "b0"), sat=True)
        yield scalar(name, f, (S, S, U), ("h1", "h0", "h0"), sat=True)
        yield scalar(name, f, (U, U, U), ("b0", "", "b1"))


def shifts():
    def left(wraps):
        return lambda a, n: a << (n & 31 if wraps else min(n, 32))

    def right(wraps):
        return lambda a, n: a >> (n & 31 if wraps else min(n, 32))
    for name, made in (("vshl", left), ("vshr", right)):
        yield scalar(name, made(False), (U, U, U), b=SHIFTS, words="clamp")
        yield scalar(name, made(True), (U, U, U), b=SHIFTS, words="wrap")
        yield scalar(name, made(False), (S, S, U), ("", "h1", "b0"), sat=True, b=SHIFTS, words="clamp")
        yield scalar(name, made(True), (S, S, U), ("", "b2", ""), b=SHIFTS, words="wrap", operation="add")
        yield scalar(name, made(True), (U, U, U), ("h0", "b3", "b0"), sat=True, b=SHIFTS, words="wrap")
        yield scalar(name, made(False), (U, S, U), ("", "b0", "b0"), sat=True, b=SHIFTS, words="clamp", operation="min")
        yield scalar(name, made(False), (S, U, U), ("", "b1", "b0"), sat=True, b=SHIFTS, words="clamp", operation="max")


def products():
    def of(types, parts=("", "", ""), minus=(False, False, False), one=False, sat=False, scale=0):
        final_signed = types[1] == S or types[2] == S or minus[0] != minus[1] or minus[2]
        values = []
        for x, y, z in zip(A, B, C):
            product = taken(x, parts[1], types[1]) * taken(y, parts[2], types[2])
            v = -product if minus[0] != minus[1] else product
            z = signed(z, 32) if final_signed else z
            v = (v + (-z if minus[2] else z) + one) >> scale
            if sat:
                v = clamp(v, 32, S if final_signed else U)
            values.append(v)
        form = ".".join(["vmad", *types]) + (".po" if one else "") + (".sat" if sat else "")
        form += f".shr{scale}" if scale else ""
        names = [("-" if m else "") + n + dotted(p) for m, n, p in zip(minus, "abc", (parts[1], parts[2], ""))]
        name = form + "".join("_" + n.replace("-", "minus").replace(".", "") for n in names if n not in "abc")
        code = f"{form} %d, {', '.join(n.replace(n.lstrip('-'), '%' + n.lstrip('-')) for n in names)};"
        ins = [In("a", "b32", A), In("b", "b32", B), In("c", "b32", C)]
        out = Out("d", "b32", [bits(v, "u32") for v in values])
        return FOLDER + name + ".ptx", lanewise(f"{form} d, {', '.join(names)}", MODEL, ins, [out], code)
    yield of((U, U, U))
    yield of((U, U, U), one=True)
    yield of((U, U, U), ("", "b1", "b2"), sat=True)
    yield of((U, U, U), ("", "h0", "h1"), sat=True, scale=7)
    yield of((S, S, S), ("", "h1", "h1"), sat=True, scale=15)
    yield of((S, S, U), ("", "b3", "h0"), scale=7)
    yield of((S, S, S), sat=True)
    yield of((S, S, S), minus=(True, False, False), sat=True)
    yield of((S, S, S), ("", "h0", "b0"), minus=(False, True, False))
    yield of((S, S, S), ("", "h0", "h0"), minus=(False, False, True), sat=True)
    yield of((S, U, S), ("", "b0", "h1"), one=True, scale=15)
    yield of((U, S, S), ("", "h0", "h1"))


def comparisons():
    for k, (name, f) in enumerate(COMPARE.items()):
        types = ((U, U), (S, S), (U, S), (S, U))[k % 4]
        parts = (("", "", ""), ("", "b0", "b1"), ("", "h1", "h0"))[k % 3]
        yield scalar("vset", lambda a, b, f=f: int(f(a, b)), types, parts, words=name)
    for operation in ("add", "min", "max"):
        yield scalar("vset", lambda a, b: int(a < b), (S, S), ("", "b3", "b0"), words="lt", operation=operation)
    yield scalar("vset", lambda a, b: int(a > b), (S, U), words="gt", operation="min")
    yield scalar("vset", lambda a, b: int(a <= b), (U, S), words="le", operation="max")
    yield scalar("vset", lambda a, b: int(a >= b), (U, U), ("b3", "h0", "h1"), words="ge")
    yield scalar("vset", lambda a, b: int(a != b), (S, U), ("h0", "b0", "b3"), words="ne")


def simd(name, function, elements, types, mask="", a_part="", b_part="", sat=False, add=False, words=""):
    size = 32 // elements
    letter = "h" if elements == 2 else "b"
    result = types[0] if len(types) == 3 else U
    first = [int(d) for d in reversed(a_part)] or list(range(elements))
    other = [int(d) for d in reversed(b_part)] or list(range(elements, 2 * elements))
    chosen = [int(d) for d in mask] if mask else range(elements)
    values = []
    for x, y, z in zip(A, B, C):
        both = x | y << 32

        def lane(place, type_):
            field = both >> (size * place) & ((1 << size) - 1)
            return signed(field, size) if type_ == S else field
        t = [function(lane(first[k], types[-2]), lane(other[k], types[-1])) for k in range(elements)]
        if sat:
            t = [clamp(v, size, result) for v in t]
        if add:
            values.append(z + sum(t[k] for k in chosen))
        else:
            d = z
            for k in chosen:
                d = put(t[k], f"{letter}{k}", d)
            values.append(d)
    form = ".".join([name + str(elements), *types] + ([words] if words else []))
    form += ".sat" if sat else ".add" if add else ""
    parts = [letter + p if p else "" for p in (mask, a_part, b_part)]
    return written(form, parts, values, B)


def parallel():
    for elements in (2, 4):
        masks = ("0", "1", "10") if elements == 2 else ("0", "310", "32", "21", "3", "20")
        picks = (("32", "10"), ("13", "02"), ("00", "31")) if elements == 2 else \
            (("7654", "3210"), ("0246", "1357"), ("3333", "7012"))
        for k, (name, f) in enumerate(BINARY.items()):
            yield simd(name, f, elements, (U, U, U))
            yield simd(name, f, elements, (S, S, S), sat=True)
            yield simd(name, f, elements, (U, S, U), masks[k % len(masks)], *picks[k % 3], sat=True)
            yield simd(name, f, elements, (S, U, U), sat=True)
            yield simd(name, f, elements, (S, S, S), masks[(k + 1) % len(masks)], *picks[(k + 1) % 3], add=True)
        for k, (name, f) in enumerate(COMPARE.items()):
            yield simd("vset", lambda a, b, f=f: int(f(a, b)), elements, ((U, U), (S, S), (U, S))[k % 3],
                       masks[k % len(masks)] if k % 2 else "", *(picks[k % 3] if k > 2 else ("", "")), add=k % 2 == 0,
                       words=name)


def files():
    for family in (arithmetic, shifts, products, comparisons, parallel):
        yield from family()
