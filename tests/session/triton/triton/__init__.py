# SPDX-License-Identifier: GPL-3.0-or-later
"""Stands in for Triton in a test: its classes as far as compile_triton.py asks for them. compile() compiles nothing; it
gives the PTX that Triton 3.6.0 made of the test's kernel, with what it was asked for above."""
import os
from types import SimpleNamespace

from . import errors
from .runtime.jit import JITFunction as jit  # noqa: F401

__version__ = "3.6.0"


class Config:
    def __init__(self, kwargs, num_warps=4, num_stages=3):
        self.kwargs, self.num_warps, self.num_stages = kwargs, num_warps, num_stages


def autotune(configs, key):
    return lambda fn: SimpleNamespace(fn=fn, configs=configs)


def compile(source, target, options):
    errors.find(source.fn, source.fn.fn.__code__.co_filename)
    with open(os.path.join(os.path.dirname(__file__), "add_kernel.ptx"), encoding="utf-8") as file:
        ptx = file.read()
    ttgir = (
        "#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>\n"
        'module attributes {"ttg.num-warps" = 4 : i32} {\n'
        "  %3 = tt.load %2 : tensor<1024x!tt.ptr<f32>, #blocked> loc(#loc1)\n}\n"
        '#loc1 = loc("add.py":12:15)\n'
    )
    asked = f"// {source.signature} {source.constants} {source.attrs} {target.arch} {options}\n"
    scratch = 384 if source.fn.__name__ == "described" else 0
    metadata = SimpleNamespace(name=source.fn.__name__, num_warps=4, num_ctas=1, shared=0, global_scratch_size=scratch)
    return SimpleNamespace(asm={"ptx": asked + ptx.replace("add_kernel", source.fn.__name__), "ttgir": ttgir}, metadata=metadata)
