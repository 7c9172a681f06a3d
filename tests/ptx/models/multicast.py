# SPDX-License-Identifier: GPL-3.0-or-later
"""multimem: PTX ISA, "Data Movement and Conversion Instructions: multimem.ld_reduce, multimem.st, multimem.red". A multicast
address of a team of one device stands for one place: what is loaded is what lies there, whatever it is reduced by, and a store
or a reduction reaches that place alone. Every thread has cells of its own. Numbers of the sums are whole and small, so that
they are exact in every type."""
import itertools
import struct

from files import In, InOut, Out, draws, file

MODEL = "multicast"
FOLDER = "atomics/"
BITS = {"f16": 16, "bf16": 16, "f16x2": 32, "bf16x2": 32, "e4m3": 8, "e5m2": 8, "e4m3x2": 16, "e5m2x2": 16, "e4m3x4": 32,
        "e5m2x4": 32}
REGISTER = {8: "b8", 16: "b16", 32: "b32", 64: "b64"}
THREADS = 8


def bits_of(type_):
    return BITS.get(type_) or int(type_[1:])


def encoded(value, type_):
    """The bits of a small whole number; of a pair, of it and the next one."""
    if type_.endswith("x2"):
        return encoded(value, type_[:-2]) | encoded(value + 1, type_[:-2]) << 16
    if type_[0] in "usb" and type_ != "bf16":
        return value & ((1 << bits_of(type_)) - 1)
    if type_ == "bf16":
        return struct.unpack("<I", struct.pack("<f", value))[0] >> 16
    letter, whole = {"f16": "eH", "f32": "fI", "f64": "dQ"}[type_]
    return struct.unpack("<" + whole, struct.pack("<" + letter, value))[0]


OPERATIONS = {"add": lambda x, y: x + y, "min": min, "max": max, "and": lambda x, y: x & y, "or": lambda x, y: x | y,
              "xor": lambda x, y: x ^ y}


def instruction(kind, order, op, more, vector, type_):
    return ".".join(w for w in ("multimem", kind, order, "global", op, more, vector, type_) if w)


def kernel(form, params, type_, elements):
    register = REGISTER[bits_of(type_)]
    size = bits_of(type_) // 8 * elements
    body = [".reg .u32 %t;", ".reg .u64 %at<3>;", f".reg .{register} {', '.join(f'%v{e}' for e in range(elements))};",
            "mov.u32 %t, %tid.x;"]
    for k, p in enumerate(params):
        body += [f"ld.param.u64 %at{k}, [{p.name}];", f"mul.wide.u32 %at2, %t, {size};", f"add.u64 %at{k}, %at{k}, %at2;"]
    values = "%v0" if elements == 1 else "{" + ", ".join(f"%v{e}" for e in range(elements)) + "}"
    offset = bits_of(type_) // 8
    if "ld_reduce" in form:
        body.append(f"{form} {values}, [%at0];")
        body += [f"st.global.{register} [%at1+{offset * e}], %v{e};" for e in range(elements)]
    else:
        body += [f"ld.global.{register} %v{e}, [%at0+{offset * e}];" for e in range(elements)]
        body.append(f"{form} [%at1], {values};")
    body.append("ret;")
    small = type_[0] == "e" or "acc::f16" in form
    return FOLDER + form.replace("::", "_") + ".ptx", file(
        form, MODEL, params, "\n".join(body), block=str(THREADS), target="sm_100" if small else "",
        skip="" if small else "a multicast address needs a team of devices", version="8.8" if small else "8.2",
        arch="sm_100a" if small else "sm_90")


def vectors(type_):
    """Words and numbers of elements that make 4, 8 or 16 bytes."""
    for word, elements in (("", 1), ("v2", 2), ("v4", 4), ("v8", 8)):
        if bits_of(type_) * elements in (32, 64, 128) and not (word and (type_ == "f64" or type_[0] in "usb" and type_[:2] != "bf")):
            yield word, elements


def made(kind, orders, cases):
    """Each case once, with the orders in turn, and each order once."""
    cases = list(cases)
    for k in range(max(len(cases), len(orders))):
        op, more, type_, (vector, elements) = cases[k % len(cases)]
        form = instruction(kind, orders[k % len(orders)], op, more, vector, type_)
        count, held = THREADS * elements, "b" + REGISTER[bits_of(type_)][1:]
        if kind == "red":
            a = [(7 * n + 3) % 13 for n in range(count)]
            m = [(5 * n + 1) % 11 for n in range(count)]
            after = [encoded(OPERATIONS[op](x, y), type_) if not type_.endswith("x2") else
                     encoded(OPERATIONS[op](x, y), type_[:-2]) | encoded(OPERATIONS[op](x + 1, y + 1), type_[:-2]) << 16
                     for x, y in zip(m, a)]
            params = [In("a", held, [encoded(x, type_) for x in a]), InOut("m", held, [encoded(x, type_) for x in m], after)]
        else:
            a = draws(form, count, held)
            params = [In("a", held, a), Out("m", held, a)]
        yield kernel(form, params, type_, elements)


LOADS = ("", "weak", "relaxed.cta", "acquire.cluster", "relaxed.gpu", "acquire.sys")
STORES = ("", "weak", "relaxed.cta", "release.cluster", "relaxed.gpu", "release.sys")
REDUCTIONS = ("", "relaxed.cta", "release.cluster", "relaxed.gpu", "release.sys")


def cases(ops, types, more=("",)):
    return [(op, m, type_, v) for type_ in types for op, m in itertools.product(ops, more) for v in vectors(type_)]


def files():
    order = ("min", "max", "add")
    integers = ((order, ("u32", "s32", "u64")), (order[:2], ("s64",)), (("and", "or", "xor"), ("b32", "b64")))
    found = {}
    for ops, types in integers:
        found.update(made("ld_reduce", LOADS, cases(ops, types)))
        found.update(made("red", REDUCTIONS, cases(ops, types)))
    for types in (("f32",), ("f64",)):
        found.update(made("ld_reduce", LOADS, cases(("add",), types)))
        found.update(made("red", REDUCTIONS, cases(("add",), types)))
    for types in (("f16x2", "bf16x2"), ("f16", "bf16")):
        found.update(made("ld_reduce", LOADS, cases(order, types)))
        found.update(made("ld_reduce", LOADS[1:3], cases(("add",), types, ("acc::f32",))))
    found.update(made("red", REDUCTIONS, cases(("add",), ("f16x2", "bf16x2"))))
    found.update(made("red", REDUCTIONS, [c for c in cases(order[:2], ("f16x2", "bf16x2")) if c[3][0]]))
    found.update(made("red", REDUCTIONS, cases(order, ("f16", "bf16"))))
    small = ("e5m2", "e5m2x2", "e5m2x4", "e4m3", "e4m3x2", "e4m3x4")
    found.update(made("ld_reduce", LOADS, cases(order, small)))
    found.update(made("ld_reduce", LOADS[:2], cases(("add",), ("e4m3", "e5m2"), ("acc::f16",))))
    found.update(made("st", STORES, cases(("",), ("b32", "b64", "u32", "s32", "u64", "s64", "f64"))))
    found.update(made("st", STORES, cases(("",), ("f32", "f16", "f16x2", "bf16", "bf16x2") + small)))
    yield from found.items()
