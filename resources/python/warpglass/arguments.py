# SPDX-License-Identifier: GPL-3.0-or-later
"""What a kernel is given, from Python's values to words of warpglass-record's command line."""
import os

import numpy as np

from .programs import WarpglassError

TYPES = {"f": "f", "i": "i", "u": "u"}  # of numpy's kinds


def type_word(dtype):
    """numpy's float32 is "f32".

    Raises WarpglassError for a type that no kernel takes, such as complex numbers.
    """
    dtype = np.dtype(dtype)
    if dtype.kind not in TYPES or dtype.itemsize > 8:
        raise WarpglassError(f"an argument of type {dtype} is not possible: numbers of 1 to 8 bytes are")
    return f"{TYPES[dtype.kind]}{8 * dtype.itemsize}"


def _scalar(name, value):
    if isinstance(value, bool):
        return f"{name}:i32={int(value)}"
    if isinstance(value, int):
        return f"{name}:{'i32' if -2**31 <= value < 2**31 else 'i64'}={value}"
    if isinstance(value, float):
        return f"{name}:f32={value!r}"
    return f"{name}:{type_word(value.dtype)}={value.item()!r}"


def words_of(args, folder):
    """Options --arg for a dictionary of arguments, in its order; arrays go by files in the folder.

    A value is an array (a buffer), an int or float (i32 and f32; a numpy scalar has its own type), or a text as the command
    line has it: "f32[512]=iota", "i32=5".
    """
    words = []
    for name, value in args.items():
        if isinstance(value, str):
            word = f"{name}:{value}"
        elif isinstance(value, np.ndarray):
            file = os.path.join(folder, f"in-{len(words)}.bin")
            value = np.ascontiguousarray(value)
            value.astype(value.dtype.newbyteorder("<"), copy=False).tofile(file)
            word = f"{name}:{type_word(value.dtype)}[{value.size}]=file:{file}"
        elif isinstance(value, (int, float, np.number)):
            word = _scalar(name, value)
        else:
            raise WarpglassError(f"{name}: neither an array, a number nor a text")
        words += ["--arg", word]
    return words


def shape_word(shape):
    """7, (7,) or (7, 2) as the command line writes shapes; a text, "7x2", as it is."""
    if isinstance(shape, str):
        return shape
    return ",".join(str(int(n)) for n in (shape if isinstance(shape, (tuple, list)) else (shape,)))


def launch_words(entry=None, grid=None, block=None, cluster=None, shared_bytes=None, size=None, set=None, device=None,
                 mode=None, defines=None, includes=(), arch=None, buffers=(), check=(), **flags):
    """Options that run, why and rank share. A flag is an option by its name, True or with its value: cold_code=True,
    max_instructions=10000."""
    words = []
    for option, value in (("--kernel", entry), ("--shared", shared_bytes), ("--size", size), ("--device", device),
                          ("--mode", mode), ("--arch", arch)):
        words += [option, value] if value is not None else []
    for option, value in (("--grid", grid), ("--block", block), ("--cluster", cluster)):
        words += [option, shape_word(value)] if value is not None else []
    for name, value in (set or {}).items():
        words += ["--set", f"{name}={value}"]
    for name, value in (defines.items() if isinstance(defines, dict) else ((d, None) for d in defines or ())):
        words += ["-D", name if value is None else f"{name}={value}"]
    for option, values in (("-I", includes), ("--buffer", buffers), ("--check", [check] if isinstance(check, str) else check)):
        for value in values:
            words += [option, value]
    for name, value in flags.items():
        option = "--" + name.replace("_", "-")
        words += [option] if value is True else [] if value in (None, False) else [option, value]
    return words
