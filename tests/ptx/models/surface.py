# SPDX-License-Identifier: GPL-3.0-or-later
"""Surfaces, and what textures and surfaces answer about themselves, from the PTX ISA's text: unformatted accesses count
bytes, formatted ones texels; beyond the border .trap is a fault, .clamp takes the nearest place, .zero none."""
import math
import struct

from files import In, Out, file, words
from texture import FOLDER, TYPES, VECTOR, float_word, image, spelt, with_object

# --- questions

def queries():
    texture = "2d:24x10:u16x2:linear,wrap/border,normalized,float"
    answers = {"width": 24, "height": 10, "filter_mode": 1, "addr_mode_0": 0, "addr_mode_1": 4, "normalized_coords": 1,
               "num_mipmap_levels": 1, "channel_data_type": 0x10D3, "channel_order": 0x10B2}
    for query, answer in answers.items():
        left_open = query in ("channel_data_type", "channel_order", "filter_mode", "addr_mode_0", "addr_mode_1",
                              "normalized_coords", "num_mipmap_levels")
        yield question("txq", query, "texture", texture, answer,
                       "what the driver keeps for objects without a reference" if left_open else "")
    for query, answer in {"width": 24, "height": 10, "channel_data_type": 0x10D8, "channel_order": 0x10B5}.items():
        yield question("suq", query, "surface", "2d:24x10:s16x4", answer,
                       "what the driver keeps for objects without a reference" if query.startswith("channel") else "")


def question(opcode, query, what, spec, answer, skip):
    body = f""".reg .u32 %r;
    .reg .u64 %p<2>;
    ld.param.u64 %p0, [img];
    {opcode}.{query}.b32 %r, [%p0];
    ld.param.u64 %p1, [d];
    st.global.u32 [%p1], %r;
    ret;"""
    text = file(f"{opcode}.{query}.b32", "surface", [Out("d", "u32", [answer])], body, block="1", skip=skip)
    return f"{FOLDER}{opcode}.{query}.ptx", with_object(text, what, "img", spec, True)


# --- surfaces

def channel_bytes(type_, values):
    return b"".join(struct.pack("<" + TYPES[type_], v) for v in values)


def channel_values(type_, raw):
    letter = {"f32": "I", "f16": "H"}.get(type_, TYPES[type_])
    return [v[0] for v in struct.iter_unpack("<" + letter, raw)]


def surface_words(type_, raw):
    shown = {"f16": "b16", "f32": "f32"}.get(type_, type_)
    return words([v & 0xffffffff for v in channel_values(type_, raw)], shown)


SURFACES = {"1d": ("1d", [16]), "2d": ("2d", [16, 4]), "3d": ("3d", [16, 4, 2]), "a1d": ("1dlayered", [16, 3]),
            "a2d": ("2dlayered", [16, 4, 3])}


def surface_place(size, geometry, texel_bytes, columns, layer, k, bytes_, mode):
    """Byte in the array of thread k's access; None if there is none."""
    width = size[0] * texel_bytes
    bounds = [width - bytes_] + [s - 1 for s in size[1:len(columns)]]
    at = [c[k] for c in columns]
    slices = size[-1] if geometry in ("a1d", "a2d") else 1
    beyond = any(not 0 <= a <= b for a, b in zip(at, bounds)) or (layer is not None and layer >= slices)
    if beyond and mode == "zero":
        return None
    assert not beyond or mode == "clamp"
    at = [min(max(a, 0), b) for a, b in zip(at, bounds)]
    rows = size[1] if len(columns) > 1 else 1
    slice_ = min(layer, slices - 1) if layer is not None else at[2] if len(at) == 3 else 0
    row = at[1] if len(at) > 1 else 0
    return (slice_ * rows + row) * width + at[0]


def surfaces():
    for geometry, mode, vector, bits in (("1d", "trap", 1, 32), ("2d", "trap", 4, 32), ("3d", "trap", 1, 32),
                                         ("a1d", "trap", 2, 32), ("a2d", "trap", 1, 32), ("2d", "zero", 1, 32),
                                         ("2d", "clamp", 1, 32), ("2d", "trap", 1, 8), ("2d", "trap", 2, 16),
                                         ("2d", "trap", 2, 64), ("1d", "clamp", 4, 8), ("1d", "zero", 1, 64),
                                         ("2d", "clamp", 2, 8), ("a2d", "zero", 1, 16)):
        for loads in (True, False):
            yield surface(geometry, mode, vector, bits, loads)


def surface(geometry, mode, vector, bits, loads):
    shape, size = SURFACES[geometry]
    bytes_ = vector * bits // 8
    texel_bytes = max(bytes_, 1)
    type_ = {1: "u8", 2: "u16", 4: "u32", 8: "u32", 16: "u32"}[texel_bytes]
    channels = texel_bytes // {"u8": 1, "u16": 2, "u32": 4}[type_]
    count = math.prod(size)
    before = image(count * channels, type_, 11)
    raw = bytearray(channel_bytes(type_, before))
    axes = 1 if geometry in ("1d", "a1d") else 3 if geometry == "3d" else 2
    threads = 16
    step = {"trap": 0, "zero": 7, "clamp": 7}[mode]
    columns = [[(k * texel_bytes if mode == "trap" else (k - 4) * 2 * texel_bytes) for k in range(threads)]]
    if axes > 1:
        columns.append([(k * 3 % 4) if mode == "trap" else k % step - 1 for k in range(threads)])
    if axes > 2:
        columns.append([k % 2 for k in range(threads)])
    layers = None
    if geometry in ("a1d", "a2d"):
        layers = [k % (3 if mode == "trap" else 5) for k in range(threads)]
    places = [surface_place(size, geometry, texel_bytes, columns, layers[k] if layers else None, k, bytes_, mode)
              for k in range(threads)]
    if not loads:  # no two threads may write to one place
        inside = [(x * texel_bytes, y) for y in range(4 if axes > 1 else 1) for x in range(size[0])]
        seen = set()
        for k, place in enumerate(places):
            while place is not None and place in seen:
                columns[0][k], y = inside.pop()
                if axes > 1:
                    columns[1][k] = y
                place = surface_place(size, geometry, texel_bytes, columns, layers[k] if layers else None, k, bytes_, mode)
            places[k] = place
            seen.add(place)
    element = f"b{bits}"
    register = "b16" if bits == 8 else element
    names = [f"%v{k}" for k in range(vector)]
    lines = [".reg .u32 %t;", ".reg .u64 %p<3>;", ".reg .u64 %s;", f".reg .{register} %v<{vector}>;",
             ".reg .u32 %x;", ".reg .u32 %y;", ".reg .u32 %z;", ".reg .u32 %layer;"]
    lines += ["ld.param.u64 %s, [img];", "mov.u32 %t, %tid.x;", "mul.wide.u32 %p1, %t, 4;"]
    ins = [In(a, "s32", [v & 0xffffffff for v in c]) for a, c in zip("xyz", columns)]
    if layers:
        ins.append(In("layer", "u32", layers))
    for p in ins:
        lines += [f"ld.param.u64 %p0, [{p.name}];", "add.u64 %p0, %p0, %p1;", f"ld.global.u32 %{p.name}, [%p0];"]
    place_text = VECTOR[geometry].format("%x", "%y", "%z")
    data = "{" + ", ".join(names) + "}" if vector > 1 else names[0]
    form = f"{'suld' if loads else 'sust'}.b.{geometry}{f'.v{vector}' if vector > 1 else ''}.{element}.{mode}"
    where = ["ld.param.u64 %p0, [d];", f"mul.wide.u32 %p1, %t, {bytes_};", "add.u64 %p0, %p0, %p1;"]
    vector_word = f".v{vector}" if vector > 1 else ""
    after = bytearray(raw)
    if loads:
        lines.append(f"{form} {data}, [%s, {place_text}];")
        lines += where + [f"st.global{vector_word}.{element} [%p0], {data};", "ret;"]
        got = b"".join(bytes(raw[p:p + bytes_]) if p is not None else bytes(bytes_) for p in places)
        ends = Out("d", element, [int.from_bytes(got[i:i + bits // 8], "little") for i in range(0, len(got), bits // 8)])
    else:
        lines += where + [f"ld.global{vector_word}.{element} {data}, [%p0];", f"{form} [%s, {place_text}], {data};", "ret;"]
        values = [(k * 0x9E3779B97F4A7C15 + 1) & ((1 << bits) - 1) for k in range(threads * vector)]
        for k, place in enumerate(places):
            for n in range(vector):
                if place is not None:
                    start = place + n * bits // 8
                    after[start:start + bits // 8] = values[k * vector + n].to_bytes(bits // 8, "little")
        ends = In("d", element, values)
    text = file(form, "surface", ins + [ends], "\n".join(lines), block=str(threads))
    format_ = type_ + (f"x{channels}" if channels > 1 else "")
    spec = f"{shape}:{'x'.join(str(s) for s in size)}:{format_}:" + ",".join(str(v) for v in before)
    spec += " -> " + surface_words(type_, bytes(after))
    return f"{FOLDER}{form}.ptx", with_object(text, "surface", "img", spec, True)


def formatted_stores():
    """sust.p: whole numbers that a channel cannot hold become its nearest end."""
    for type_, channels in (("u8", 4), ("s16", 2), ("f32", 1), ("f16", 4), ("u32", 2)):
        size, threads = [16, 2], 16
        count = 32 * channels
        if type_[0] == "f":
            given = [k * 0.25 - 3 for k in range(threads * channels)]
            stored = given
            bits = [float_word(v) for v in given]
        else:
            top = {"u8": (0, 255), "s16": (-32768, 32767), "u32": (0, 0xffffffff)}[type_]
            given = [(k * 37 - (300 if type_[0] == "s" else 0)) * (100 if type_ == "s16" else 1)
                     for k in range(threads * channels)]
            stored = [min(max(v, top[0]), top[1]) for v in given]
            bits = [v & 0xffffffff for v in given]
        after = bytearray(channel_bytes(type_, [0] * count))
        texel_bytes = len(after) // 32
        for k in range(threads):
            at = ((k % 2) * 16 + k) * texel_bytes
            after[at:at + texel_bytes] = channel_bytes(type_, stored[k * channels:(k + 1) * channels])
        names = [f"%v{k}" for k in range(channels)]
        data = "{" + ", ".join(names) + "}" if channels > 1 else names[0]
        vector = f".v{channels}" if channels > 1 else ""
        form = f"sust.p.2d{vector}.b32.trap"
        body = f""".reg .u32 %t<2>;
        .reg .u64 %p<3>;
        .reg .u64 %s;
        .reg .b32 %v<{channels}>;
        ld.param.u64 %s, [img];
        ld.param.u64 %p0, [d];
        mov.u32 %t0, %tid.x;
        and.b32 %t1, %t0, 1;
        mul.wide.u32 %p1, %t0, {4 * channels};
        add.u64 %p0, %p0, %p1;
        ld.global{vector}.b32 {data}, [%p0];
        {form} [%s, {{%t0, %t1}}], {data};
        ret;"""
        text = file(form, "surface", [In("d", "b32", bits)], body, block="16")
        format_ = type_ + (f"x{channels}" if channels > 1 else "")
        spec = f"2d:16x2:{format_} -> " + surface_words(type_, bytes(after))
        yield f"{FOLDER}{form}.{format_}.ptx", with_object(text, "surface", "img", spec, True)


def reductions():
    for operation, type_, formatted in (("add", "u32", False), ("min", "s32", False), ("max", "u32", False),
                                        ("and", "b32", False), ("or", "b32", False), ("add", "u64", False),
                                        ("min", "b32", True), ("max", "b32", True)):
        bytes_ = 8 if type_ == "u64" else 4
        format_ = "s32" if formatted or type_ == "s32" else "u32"
        channels = bytes_ // 4
        before = [0xf0f0f0f0 if operation == "and" else 5 if format_ == "u32" else -3 for _ in range(8 * channels)]
        values = [(k * 2654435761 + 12345) & 0xffffffff for k in range(32)]
        raw = bytearray(channel_bytes(format_, before))
        for k, value in enumerate(values):
            at = (k % 8) * bytes_
            old = int.from_bytes(raw[at:at + bytes_], "little")
            top = 1 << (8 * bytes_)

            def number(v):
                return v - top if format_ == "s32" and v >= top // 2 else v
            new = {"add": old + value, "and": old & value, "or": old | value,
                   "min": min(number(old), number(value)), "max": max(number(old), number(value))}[operation]
            raw[at:at + bytes_] = (new % top).to_bytes(bytes_, "little")
        form = f"sured.{'p' if formatted else 'b'}.{operation}.1d.{type_}.trap"
        register, load = ("u64", "cvt.u64.u32 %v, %w;") if bytes_ == 8 else ("b32", "mov.b32 %v, %w;")
        body = f""".reg .u32 %t<2>;
        .reg .b32 %w;
        .reg .u64 %p<3>;
        .reg .u64 %s;
        .reg .{register} %v;
        ld.param.u64 %s, [img];
        ld.param.u64 %p0, [d];
        mov.u32 %t0, %tid.x;
        mul.wide.u32 %p1, %t0, 4;
        add.u64 %p0, %p0, %p1;
        ld.global.b32 %w, [%p0];
        {load}
        and.b32 %t1, %t0, 7;
        mul.lo.u32 %t1, %t1, {1 if formatted else bytes_};
        {form} [%s, {{%t1}}], %v;
        ret;"""
        text = file(form, "surface", [In("d", "u32", values)], body)
        spec = f"1d:8:{format_}{'x2' if channels == 2 else ''}:" + ",".join(str(v) for v in before)
        spec += " -> " + surface_words(format_, bytes(raw))
        yield f"{FOLDER}{form}.ptx", with_object(text, "surface", "img", spec, True)


def files():
    for family in (queries, surfaces, formatted_stores, reductions):
        yield from spelt(family())
