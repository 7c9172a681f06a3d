# SPDX-License-Identifier: GPL-3.0-or-later
"""Textures and surfaces, from the formulas of the CUDA C++ Programming Guide ("Texture Fetching", "Cubemap Textures") and
the PTX ISA's tables. Coordinates and weights are real numbers here: what the texture unit rounds (a weight has 8 bits
behind the point) is the tolerance of a file, 1/256 of the values' range for each filtered axis but the first two, which
share one."""
import math
import struct

from files import In, Out, file, wrapped

TYPES = {"u8": "B", "u16": "H", "u32": "I", "s8": "b", "s16": "h", "s32": "i", "f32": "f", "f16": "e"}


def single(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def float_word(value):
    return struct.unpack("<I", struct.pack("<f", value))[0]


class Texels:
    """An array as a spec says it; values: one for each channel of each texel, in order."""

    def __init__(self, shape, size, format_, values, options="", levels=1):
        self.shape, self.size, self.options, self.levels = shape, size, options, levels
        self.format = format_
        self.type, _, channels = format_.partition("x")
        self.channels = int(channels or 1)
        self.values = [single(v) if self.type == "f32" else v for v in values]

    def spec(self):
        values = ",".join(repr(v) if self.type[0] == "f" else str(v) for v in self.values)
        parts = [self.shape, "x".join(str(s) for s in self.size), self.format]
        if self.options:
            parts.append(self.options)
        return ":".join(parts + [values])

    def extent(self, level=0):
        def half(n):
            return max(1, n >> level)
        w = half(self.size[0])
        if self.shape in ("1d", "linear"):
            return w, 1, 1
        if self.shape == "1dlayered":
            return w, 1, self.size[1]
        if self.shape == "cube":
            return w, w, 6
        if self.shape == "cubelayered":
            return w, w, 6 * self.size[2]
        if self.shape == "2dlayered":
            return w, half(self.size[1]), self.size[2]
        if self.shape == "3d":
            return w, half(self.size[1]), half(self.size[2])
        return w, half(self.size[1]), 1

    def raw(self, x, y, z, level=0):
        base = 0
        for before in range(level):
            w, h, d = self.extent(before)
            base += w * h * d
        w, h, _ = self.extent(level)
        at = (base + (z * h + y) * w + x) * self.channels
        return self.values[at:at + self.channels]


class Sampler:
    def __init__(self, modes=("clamp",), linear=False, normalized=False, as_float=False, border=(0, 0, 0, 0),
                 mip_linear=False):
        self.modes, self.linear, self.normalized, self.as_float = modes, linear, normalized, as_float
        self.border, self.mip_linear = border, mip_linear

    def mode(self, axis):
        mode = self.modes[min(axis, len(self.modes) - 1)]
        return mode if self.normalized or mode == "border" else "clamp"

    def options(self):
        said = ["linear" if self.linear else "point", "/".join(self.modes)]
        said += ["normalized"] * self.normalized + ["float"] * self.as_float
        if any(self.border):
            said.append("border=" + ";".join(repr(b) for b in self.border))
        return ",".join(said)


def readable(texels, sampler, raw):
    """A texel's channels as numbers."""
    scale = {"u8": 255.0, "u16": 65535.0, "s8": 127.0, "s16": 32767.0}.get(texels.type)
    if sampler.as_float:
        return [max(v / scale, -1.0) for v in raw]
    return list(raw)


def filled(texels, sampler, channels):

    return channels + [0] * (4 - texels.channels)


def folded(i, n, mode):
    if 0 <= i < n:
        return i
    if mode == "clamp":
        return min(max(i, 0), n - 1)
    if mode == "wrap":
        return i % n
    if mode == "mirror":
        while not 0 <= i < n:
            i = -1 - i if i < 0 else 2 * n - 1 - i
        return i
    return None


def texel(texels, sampler, index, layer, level):
    sizes = texels.extent(level)
    at = [folded(i, sizes[axis], sampler.mode(axis)) for axis, i in enumerate(index)]
    if None in at:
        return filled(texels, sampler, list(sampler.border[:texels.channels]))
    at += [0] * (3 - len(at))
    if layer is not None:
        at[2] = layer
    return filled(texels, sampler, readable(texels, sampler, texels.raw(*at, level)))


def fetch(texels, sampler, at, layer=None, level=0):
    """at: real coordinates of each axis."""
    sizes = texels.extent(level)
    u = [c * sizes[axis] if sampler.normalized else c for axis, c in enumerate(at)]
    if not sampler.linear:
        return texel(texels, sampler, [math.floor(c) for c in u], layer, level)
    low = [math.floor(c - 0.5) for c in u]
    part = [c - 0.5 - math.floor(c - 0.5) for c in u]
    total = [0.0] * 4
    for corner in range(1 << len(u)):
        weight, index = 1.0, []
        for axis in range(len(u)):
            up = corner >> axis & 1
            weight *= part[axis] if up else 1 - part[axis]
            index.append(low[axis] + up)
        for k, value in enumerate(texel(texels, sampler, index, layer, level)):
            total[k] += weight * value
    return total


def face_of(x, y, z):
    """The table of "Cubemap Textures": face, and the two coordinates in it from 0 to 1."""
    if abs(x) >= abs(y) and abs(x) >= abs(z):
        face, m, s, t = (0, x, -z, -y) if x >= 0 else (1, -x, z, -y)
    elif abs(y) >= abs(z):
        face, m, s, t = (2, y, x, z) if y >= 0 else (3, -y, x, -z)
    else:
        face, m, s, t = (4, z, x, -y) if z >= 0 else (5, -z, -x, -y)
    return face, ((s / m + 1) / 2, (t / m + 1) / 2)


# --- kernels: thread k fetches with the k-th coordinates and stores what it gets

VECTOR = {"1d": "{{{0}}}", "2d": "{{{0}, {1}}}", "3d": "{{{0}, {1}, {2}, {2}}}", "a1d": "{{%layer, {0}}}",
          "a2d": "{{%layer, {0}, {1}, {1}}}", "cube": "{{{0}, {1}, {2}, {2}}}", "acube": "{{%layer, {0}, {1}, {2}}}"}


def kernel(form, name, texels, sampler, coordinates, results, result="f32", integer=False, layers=None, more="", within="",
           reference=False, behind="", extra=(), skip="", kept=0):
    """form: up to the types ("tex.2d.v4"). coordinates: a list an axis. results: 4 channels a thread, of which those that
    the format has are compared, or `kept`: what stands in the others is said nowhere."""
    kept = kept or texels.channels
    count = len(coordinates[0])
    geometry = next(word for word in form.split(".") if word in VECTOR)
    texels.options = sampler.options()
    kind = "s32" if integer else "f32"
    axes = "xyz"[:len(coordinates)]
    held = {"f32": "f32", "u32": "u32", "s32": "s32"}[result]
    ins = [In(axis, kind, [c & 0xffffffff if integer else float_word(c) for c in column])
           for axis, column in zip(axes, coordinates)]
    if layers:
        ins.append(In("layer", "u32", layers))
    ins += [In(n, t, v) for n, t, v in extra]
    flat = [v for texel_ in results for v in texel_[:kept]]
    out = Out("d", held, [float_word(single(v)) if held == "f32" else int(v) & 0xffffffff for v in flat])
    lines = [".reg .u32 %t;", ".reg .u64 %p<3>;", ".reg .u64 %tex;", ".reg .pred %in;",
             f".reg .{result} %r<4>;"] + [f".reg .{p.type} %{p.name};" for p in ins]
    lines += ["mov.u32 %t, %tid.x;", "mul.wide.u32 %p1, %t, 4;"]
    for p in ins:
        lines += [f"ld.param.u64 %p0, [{p.name}];", "add.u64 %p0, %p0, %p1;", f"ld.global.{p.type} %{p.name}, [%p0];"]
    where = "img"
    if not reference:
        lines.append("ld.param.u64 %tex, [img];")
        where = "%tex"
    vector = VECTOR[geometry].format(*[f"%{a}" for a in axes])
    lines.append(f"{form}.{result}.{kind} {{%r0, %r1, %r2, %r3}}{more}, [{where}, {vector}]{behind};")
    names = ", ".join(f"%r{k}" for k in range(kept))
    stored = f"st.global.{result} [%p0], {names};" if kept == 1 else f"st.global.v{kept}.{result} [%p0], {{{names}}};"
    lines += ["ld.param.u64 %p0, [d];", f"mul.wide.u32 %p1, %t, {4 * kept};", "add.u64 %p0, %p0, %p1;", stored, "ret;"]
    text = file(f"{form}.{result}.{kind}", "texture", ins + [out], "\n".join(lines), block=str(count), within=within,
                outside=".global .texref img;" if reference else "", skip=skip)
    return name, with_object(text, "texture", "img", texels.spec(), not reference)


def spelt(files_):
    """Long heads over several lines."""
    for path, text in files_:
        lines = text.split("\n")
        yield path, "\n".join(wrapped(line.replace(",", ", ")) if line.startswith(("// texture", "// surface")) else line
                              for line in lines)


def with_object(text, what, name, spec, parameter):
    """Adds a texture or surface to a file: its line in the head and, perhaps, the kernel's first parameter."""
    head, rest = text.split("\n.version", 1)
    lines = head.split("\n")
    at = next(k for k, line in enumerate(lines) if line.startswith(("// in ", "// out ", "// inout ", "// value ",
                                                                    "// surface ", "// texture ")))
    lines.insert(at, f"// {what} {name}: {spec}")
    if parameter:
        rest = rest.replace("k(", f"k(.param .u64 {name}, ", 1)
    return "\n".join(lines) + "\n.version" + rest


def image(count, type_="f32", seed=7):
    """Values without a pattern that a wrong address could repeat."""
    top = {"u8": 256, "s8": 256, "u16": 65536, "s16": 65536, "u32": 1 << 32, "s32": 1 << 32}.get(type_)
    values, state = [], seed
    for _ in range(count):
        state = (state * 1103515245 + 12345) & 0x7fffffff
        draw = state >> 7
        if top is None:
            values.append(draw % 256 - 128 if type_ == "f32" else (draw % 64 - 32) / 4)
        else:
            draw = (draw * 2654435761) % top
            values.append(draw - top if type_[0] == "s" and draw >= top // 2 else draw)
    return values


# Inside a texel, well away from its edges; beyond every border as well.
POINTS = [-9.3, -4.6, -1.4, -0.7, -0.2, 0.3, 0.6, 1.4, 2.55, 3.3, 3.7, 4.4, 5.6, 7.2, 7.8, 8.3, 9.4, 12.7, 16.6, 23.3]
# Of linear filters: centres, edges, and between.
BLENDS = [-3.25, -1.0, -0.5, 0.0, 0.125, 0.5, 0.75, 1.0, 1.5, 1.875, 2.5, 3.0, 3.3, 4.625, 6.5, 7.0, 7.5, 7.9, 8.0, 9.75]


def grid(columns):
    """One coordinate a thread and axis: neighbours in a list are met with others in the next."""
    n = len(columns[0])
    return [[column[(k * (2 * axis + 1) + axis) % n] for k in range(n)] for axis, column in enumerate(columns)]


def scaled(column, size):
    return [single(c / size) for c in column]


def fetches(texels, sampler, columns, layers=None):
    count = len(columns[0])
    depth = texels.extent()[2]
    return [fetch(texels, sampler, [c[k] for c in columns], min(layers[k], depth - 1) if layers else None)
            for k in range(count)]


FOLDER = "texture/"


def points_and_filters():
    shapes = {"1d": ("1d", [8]), "2d": ("2d", [8, 4]), "3d": ("3d", [8, 4, 2])}
    for geometry, (shape, size) in shapes.items():
        count = math.prod(size)
        for normalized, modes in ((False, ("clamp",)), (False, ("border",)), (True, ("clamp",)), (True, ("wrap",)),
                                  (True, ("mirror",)), (True, ("border",))):
            for linear in (False, True):
                border = (0.5, 0, 0, 0) if modes[0] == "border" and linear else (0, 0, 0, 0)
                sampler = Sampler(modes, linear, normalized, border=border)
                texels = Texels(shape, size, "f32", image(count))
                columns = grid([BLENDS if linear else POINTS] * len(size))
                if normalized:
                    columns = [scaled(c, s) for c, s in zip(columns, size)]
                within = f"{(2 if geometry == '3d' else 1) * 256 / 256} absolute" if linear else ""
                name = f"{geometry}.{'linear' if linear else 'point'}.{modes[0]}{'.normalized' if normalized else ''}"
                yield kernel(f"tex.{geometry}.v4", f"{FOLDER}tex.{name}.ptx", texels, sampler, columns,
                             fetches(texels, sampler, columns), within=within)


def formats():
    for type_, channels, as_float in (("u8", 4, False), ("u8", 4, True), ("s8", 2, False), ("s8", 2, True),
                                      ("u16", 1, False), ("u16", 4, True), ("s16", 2, False), ("s16", 1, True),
                                      ("u32", 2, False), ("s32", 4, False), ("f16", 1, False), ("f16", 4, False),
                                      ("f32", 2, False), ("f32", 4, False)):
        format_ = type_ + (f"x{channels}" if channels > 1 else "")
        texels = Texels("2d", [4, 4], format_, image(16 * channels, type_, 3))
        sampler = Sampler(as_float=as_float)
        columns = [[k % 4 + 0.5 for k in range(16)], [k // 4 + 0.5 for k in range(16)]]
        result = "f32" if as_float or type_[0] == "f" else "s32" if type_[0] == "s" else "u32"
        yield kernel("tex.2d.v4", f"{FOLDER}tex.2d.{format_}{'.as-float' if as_float else ''}.ptx", texels, sampler,
                     columns, fetches(texels, sampler, columns), result)
    texels = Texels("2d", [4, 4], "u8x4", image(64, "u8", 5))
    sampler = Sampler(linear=True, as_float=True)
    columns = grid([[c / 2 for c in BLENDS]] * 2)
    yield kernel("tex.2d.v4", f"{FOLDER}tex.2d.u8x4.as-float.linear.ptx", texels, sampler, columns,
                 fetches(texels, sampler, columns), within="0.00390625 absolute")


def layered_and_cubes():
    layers = [k * 3 % 5 for k in range(20)]  # the last of them is beyond an array of four
    for geometry, shape, size in (("a1d", "1dlayered", [8, 4]), ("a2d", "2dlayered", [8, 4, 4])):
        for linear in (False, True):
            sampler = Sampler(("clamp", "clamp"), linear)
            texels = Texels(shape, size, "f32", image(math.prod(size)))
            columns = grid([BLENDS if linear else POINTS] * (len(size) - 1))
            yield kernel(f"tex.{geometry}.v4", f"{FOLDER}tex.{geometry}.{'linear' if linear else 'point'}.ptx", texels,
                         sampler, columns, fetches(texels, sampler, columns, layers), layers=layers,
                         within="1 absolute" if linear else "")
    directions = [(1, .3, -.2), (-1, .3, -.2), (.3, 1, .6), (.3, -1, .6), (.1, -.7, 1), (.1, -.7, -1), (2, .9, 1.7),
                  (-3, -2.1, -.4), (.2, 4, -3.3), (-.7, -5, 2.2), (.6, .5, .7), (-.6, -.5, -.7), (1, 0.1, 0.1),
                  (.9, 0.1, 1), (.3, .2, -.8), (-.55, .1, .2)]
    columns = [[single(d[axis]) for d in directions] for axis in range(3)]
    for geometry, shape, size in (("cube", "cube", [4, 4]), ("acube", "cubelayered", [4, 4, 2])):
        cubes = size[2] if len(size) == 3 else 1
        for linear in (False, True):
            sampler = Sampler(("clamp", "clamp"), linear, True)
            texels = Texels(shape, size, "f32", image(96 * cubes))
            which = [k % 3 for k in range(len(directions))] if cubes == 2 else None
            results = []
            for k in range(len(directions)):
                face, at = face_of(*[c[k] for c in columns])
                cube = min(which[k], cubes - 1) if which else 0
                results.append(fetch(texels, sampler, at, 6 * cube + face))
            yield kernel(f"tex.{geometry}.v4", f"{FOLDER}tex.{geometry}.{'linear' if linear else 'point'}.ptx", texels,
                         sampler, columns, results, layers=which, within="1 absolute" if linear else "")


def whole_numbers():
    """Whole numbers go past the sampler: what is outside is 0. Of one dimension only linear memory is read; of an array an
    H200 answers 0 everywhere."""
    index = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, -1, -2, 100, -100, 15, 6]
    for geometry, shape, size in (("1d", "linear", [8]), ("1d", "1d", [8]), ("2d", "2d", [8, 4]), ("3d", "3d", [8, 4, 2]),
                                  ("2d", "pitch", [8, 4])):
        texels = Texels(shape, size, "f32", image(math.prod(size)))
        sampler = Sampler(("border",) if shape == "linear" else ("clamp",))
        columns = grid([index] * len(size))
        results = [[0] * 4 if shape == "1d" else texel(texels, Sampler(("border",)), [c[k] for c in columns], None, 0)
                   for k in range(16)]
        yield kernel(f"tex.{geometry}.v4", f"{FOLDER}tex.{shape}.whole.ptx", texels, sampler, columns, results,
                     integer=True)
    texels = Texels("linear", [8], "s16x2", image(16, "s16"))
    sampler = Sampler(("border",))
    yield kernel("tex.1d.v4", f"{FOLDER}tex.linear.s16x2.whole.ptx", texels, sampler, [list(range(8))],
                 [texel(texels, sampler, [k], None, 0) for k in range(8)], "s32", integer=True)


def other_forms():
    sampler = Sampler()
    columns = grid([POINTS] * 2)
    texels = Texels("2d", [8, 4], "f32", image(32))
    plain = fetches(texels, sampler, columns)
    yield kernel("tex.2d.v4", f"{FOLDER}tex.2d.texref.ptx", texels, sampler, columns, plain, reference=True)
    yield kernel("tex.base.2d.v4", f"{FOLDER}tex.base.2d.ptx", texels, sampler, columns, plain)
    yield kernel("tex.2d.v4", f"{FOLDER}tex.2d.resident.ptx", texels, sampler, columns, plain, more="|%in")
    shifted = [[c + o for c in column] for column, o in zip(columns, (2, -1))]
    yield kernel("tex.2d.v4", f"{FOLDER}tex.2d.offset.ptx", texels, sampler, columns, fetches(texels, sampler, shifted),
                 behind=", {2, -1}")
    linear = Sampler(linear=True)
    blends = grid([BLENDS] * 2)
    yield kernel("tex.2d.v4", f"{FOLDER}tex.pitch.linear.ptx", Texels("pitch", [8, 4], "f32", image(32)), linear, blends,
                 fetches(texels, linear, blends), within="1 absolute")
    # Two modes at once.
    both = Sampler(("wrap", "mirror"), False, True)
    normal = [scaled(c, s) for c, s in zip(columns, (8, 4))]
    yield kernel("tex.2d.v4", f"{FOLDER}tex.2d.wrap-mirror.ptx", texels, both, normal, fetches(texels, both, normal))
    for channel, letter in enumerate("rgba"):
        coloured = Texels("2d", [8, 4], "f32x4", image(128))
        results = []
        for k in range(20):
            i, j = (math.floor(c[k] - 0.5) for c in columns)
            results.append([texel(coloured, sampler, [i + a, j + b], None, 0)[channel]
                            for a, b in ((0, 1), (1, 1), (1, 0), (0, 0))])
        yield kernel(f"tld4.{letter}.2d.v4", f"{FOLDER}tld4.{letter}.2d.ptx", coloured, sampler, columns, results,
                     kept=4)
    # Channels that the format lacks are 0 on an H200.
    for type_, result in (("f32", "f32"), ("u8", "u32")):
        lacking = Texels("2d", [8, 4], type_, image(32, type_))
        yield kernel("tex.2d.v4", f"{FOLDER}tex.2d.{type_}.missing-channels.ptx", lacking, sampler, columns,
                     fetches(lacking, sampler, columns), result, kept=4)


def levels():
    """Each level holds values far from those of the others."""
    values = [k % 7 for k in range(64)] + [100 + k % 5 for k in range(16)] + [200 + k for k in range(4)] + [300]
    lods = [0.0, 0.2, 0.7, 1.0, 1.3, 1.75, 2.0, 2.5, 2.75, 3.0, 4.0, -1.0]
    columns = [[single((k * 3 % 8 + 0.5) / 8) for k in range(12)], [single((k * 5 % 8 + 0.5) / 8) for k in range(12)]]
    lods[7] = 2.25
    for mip_linear in (False, True):
        sampler = Sampler(("clamp",), False, True, mip_linear=mip_linear)
        texels = Texels("2d", [8, 8], "f32", values, levels=4)

        def at(k, level):
            return fetch(texels, sampler, [c[k] for c in columns], None, level)
        results = []
        for k, lod in enumerate(lods):
            lod = min(max(lod, 0), 3)
            if mip_linear:
                low = math.floor(lod)
                high, part = min(low + 1, 3), lod - low
                results.append([a * (1 - part) + b * part for a, b in zip(at(k, low), at(k, high))])
            else:
                results.append(at(k, math.floor(lod + 0.5)))
        name, text = kernel("tex.level.2d.v4", f"{FOLDER}tex.level.2d.{'mip-linear' if mip_linear else 'mip-point'}.ptx",
                            texels, sampler, columns, results, behind=", %lod",
                            extra=[("lod", "f32", [float_word(v) for v in lods])],
                            within="1.5 absolute" if mip_linear else "")
        yield name, text.replace("normalized:", f"normalized,levels=4,mip={'linear' if mip_linear else 'point'}:")
    # The footprint's longer side is 2^n texels of the base level.
    sampler = Sampler(("clamp",), False, True)
    texels = Texels("2d", [8, 8], "f32", values, levels=4)
    sides = [single(2.0 ** (k % 4) / 8) for k in range(12)]
    results = [fetch(texels, sampler, [c[k] for c in columns], None, k % 4) for k in range(12)]
    name, text = kernel("tex.grad.2d.v4", f"{FOLDER}tex.grad.2d.ptx", texels, sampler, columns, results,
                        behind=", {%side, 0f00000000}, {0f00000000, %side}",
                        extra=[("side", "f32", [float_word(v) for v in sides])])
    yield name, text.replace("normalized:", "normalized,levels=4:")


def files():
    for family in (points_and_filters, formats, layered_and_cubes, whole_numbers, other_forms, levels):
        yield from spelt(family())
