# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of tests/ptx as the models make them: heads, values and kernels.

A model is a module with a function files() that yields (path below tests/ptx, text). It works out what must come out with
Python's whole numbers and fractions, which are exact, from the PTX ISA's definition of the instruction; it shares
nothing with the program. generate.py writes the files and holds them, or their hashes, against what is checked in.
"""
import random
import struct

BITS = {"8": 8, "16": 16, "32": 32, "64": 64}


def width(type_):
    """Of an element in bits: 32 of s32."""
    return int(type_.lstrip("busf"))


def signed(bits, n):
    """The low n bits as a two's complement number."""
    bits &= (1 << n) - 1
    return bits - (1 << n) if bits >> (n - 1) else bits


def number(bits, type_):
    """What the bits mean as a whole number of the type."""
    n = width(type_)
    return signed(bits, n) if type_[0] == "s" else bits & ((1 << n) - 1)


def bits(value, type_):
    return value & ((1 << width(type_)) - 1)


def word(element, type_):
    """One element in the head of a file. Floats are given by their bits."""
    n = width(type_)
    if type_[0] == "f":
        return f"0{'f' if n == 32 else 'd'}{element:0{n // 4}X}"
    if type_[0] == "b":
        return f"0x{element & ((1 << n) - 1):0{n // 4}x}"
    return str(number(element, type_))


def stream(seed, count):
    """The numbers that `random(SEED)` stands for in a file: SplitMix64 (Steele, Lea, Flood 2014), 64 bits each."""
    ones, drawn = (1 << 64) - 1, []
    for place in range(1, count + 1):
        z = (seed + place * 0x9e3779b97f4a7c15) & ones
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9 & ones
        z = (z ^ z >> 27) * 0x94d049bb133111eb & ones
        drawn.append(z ^ z >> 31)
    return drawn


def words(elements, type_, drawn=None, choices=()):
    """Elements with repeats as V*N, counting ones as A..B; those that are `drawn` as ?, those that it chooses as !."""
    out, k = [], 0
    elements = list(elements)

    def same_as(text, of):
        last = k
        while last < len(elements) and elements[last] == of(last):
            last += 1
        if last > k:
            out.append(text + (f"*{last - k}" if last - k > 1 else ""))
        return last

    ones = (1 << width(type_)) - 1
    while k < len(elements):
        if drawn:
            start, k = k, same_as("?", lambda n: drawn[n] & ones)
            if choices:
                k = same_as("!", lambda n: choices[drawn[n] % len(choices)])
            if k > start:
                continue
        same = k
        while same < len(elements) and elements[same] == elements[k]:
            same += 1
        up = k + 1
        if type_[0] in "us":
            while up < len(elements) and number(elements[up], type_) == number(elements[up - 1], type_) + 1:
                up += 1
        if same - k > 1:
            out.append(f"{word(elements[k], type_)}*{same - k}")
            k = same
        elif up - k > 3:
            out.append(f"{word(elements[k], type_)}..{word(elements[up - 1], type_)}")
            k = up
        else:
            out.append(word(elements[k], type_))
            k += 1
    return " ".join(out)


def wrapped(line):
    lines = []
    while len(line) > 118:
        blank = line.rfind(" ", 0, 116)
        if not line[:blank].strip(" /"):
            break  # one long word
        lines.append(line[:blank] + " \\")
        line = "//   " + line[blank + 1:]
    return "\n".join(lines + [line])


WHOLE = False  # write all of what comes out


def outcome(values, type_):
    """The words of what comes out: of more than 1 KB of text the first sixteen, and how many more with their hash (FNV-1a)."""
    text = words(values, type_)
    if WHOLE or len(text) <= 1024 or len(values) <= 32 or type_[0] == "f":
        return text
    found = 0xcbf29ce484222325
    for value in values[16:]:
        found = (found ^ bits(value, type_)) * 0x100000001b3 & (1 << 64) - 1
    return f"{words(values[:16], type_)} +{len(values) - 16}#{found:016x}"


class In:
    """seed: values that are those of its stream are written as such; choices: so are those that it chooses of these."""
    def __init__(self, name, type_, values, seed=None, choices=()):
        self.name, self.type, self.values = name, type_, list(values)
        drawn, source = None, ""
        if seed is not None:
            drawn = stream(seed, len(self.values))
            source = "random(" + ",".join([str(seed), *(word(c, type_) for c in choices)]) + ") "
        self.head = f"in {name} {type_}: {source}{words(self.values, type_, drawn, choices)}"
        self.param = ".u64"

    def declaration(self):
        return f".param {self.param} {self.name}"


class Out(In):
    def __init__(self, name, type_, values):
        super().__init__(name, type_, values)
        self.head = f"out {name} {type_}: {outcome(self.values, type_)}"


class InOut(In):
    def __init__(self, name, type_, before, after):
        super().__init__(name, type_, after)
        assert len(before) == len(after), (name, len(before), len(after))
        self.head = f"inout {name} {type_}: {words(before, type_)} -> {outcome(after, type_)}"


class Value(In):
    def __init__(self, name, type_, value):
        super().__init__(name, type_, [value])
        self.head = f"value {name} {type_}: {word(value, type_)}"
        self.param = "." + type_


class Map(In):
    """A tensor map of a buffer."""
    def __init__(self, name, spec):
        super().__init__(name, "b8", [])
        self.head = f"tensormap {name}: {spec}"

    def declaration(self):
        return f".param .align 64 .b8 {self.name}[128]"


def file(form, model, params, body, block="32", grid="", shared=0, within="", outside="", skip="", target="",
         version="8.0", arch="sm_90"):
    """The text of a file whose kernel has these lines as its body."""
    head = ["// SPDX-License-Identifier: GPL-3.0-or-later", f"// form: {form}"]
    if grid:
        head.append(f"// grid: {grid}")
    if block != "32":
        head.append(f"// block: {block}")
    if shared:
        head.append(f"// shared: {shared}")
    head += [wrapped("// " + p.head) for p in params]
    if within:
        head.append(f"// within: {within}")
    if skip:
        head.append(f"// skip hardware: {skip}")
    if target:
        head.append(f"// target: {target}")
    head.append(f"// source: model: tests/ptx/models/{model}.py")
    text = "\n".join(head) + f"\n.version {version}\n.target {arch}\n.address_size 64\n"
    if outside:
        text += "\n" + outside.strip("\n") + "\n"
    declared = ", ".join(p.declaration() for p in params)
    text += f"\n.visible .entry k({declared})\n{{\n"
    for line in body.strip("\n").split("\n"):
        line = line.strip()
        text += line + "\n" if line.endswith(":") else ("    " + line if line else "") + "\n"
    return text + "}\n"


REGISTER = {"b8": "b16", "u8": "u16", "s8": "s16"}


def lanewise(form, model, ins, outs, code, registers="", **more):
    """A thread for each element: %NAME holds the element of each input; %NAME of each output is stored."""
    count = len(ins[0].values)
    assert all(len(p.values) == count for p in list(ins) + list(outs)), form
    assert 0 < count <= 1024, (form, count)
    lines = [".reg .u32 %tid_;", ".reg .u64 %at_<2>;"]
    for p in list(ins) + list(outs):
        lines.append(f".reg .{REGISTER.get(p.type, p.type)} %{p.name};")
    lines += [line for line in registers.strip().split("\n") if line]
    lines.append("mov.u32 %tid_, %tid.x;")

    def address(p):
        return [f"ld.param.u64 %at_0, [{p.name}];", f"mul.wide.u32 %at_1, %tid_, {width(p.type) // 8};",
                "add.u64 %at_0, %at_0, %at_1;"]
    for p in ins:
        lines += address(p) + [f"ld.global.{p.type} %{p.name}, [%at_0];"]
    lines += code.strip().split("\n")
    for p in outs:
        lines += address(p) + [f"st.global.{p.type} [%at_0], %{p.name};"]
    lines.append("ret;")
    return file(form, model, list(ins) + list(outs), "\n".join(lines), block=str(count), **more)


def edges(type_):
    """Whole numbers at the corners of a type, as bits."""
    n = width(type_)
    top = 1 << (n - 1)
    return [bits(v, type_) for v in (0, 1, -1, 2, 7, -7, top - 1, top, top + 1, 2 * top - 2, 1 << (n // 2),
                                     (1 << (n // 2)) - 1)]


def draws(seed, count, type_):
    """Numbers of all magnitudes, always the same."""
    source = random.Random(f"{seed} {type_}")
    n = width(type_)
    return [source.getrandbits(source.randint(1, n)) | (source.getrandbits(1) << (n - 1)) for _ in range(count)]


def pairs(type_, seed, count=96, second=None):
    """Two columns: corners against corners, thinned out evenly, then drawn ones."""
    second = second or type_
    crossed = [(a, b) for a in edges(type_) for b in edges(second)]
    keep = count - count // 3
    step = len(crossed) / keep
    chosen = [crossed[int(k * step)] for k in range(keep)]
    chosen += list(zip(draws(f"{seed} a", count - keep, type_), draws(f"{seed} b", count - keep, second)))
    return [a for a, _ in chosen], [b for _, b in chosen]


def float_bits(value, type_="f32"):
    return struct.unpack("<I" if type_ == "f32" else "<Q", struct.pack("<f" if type_ == "f32" else "<d", value))[0]
