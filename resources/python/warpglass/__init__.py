# SPDX-License-Identifier: GPL-3.0-or-later
"""Warpglass in Python: how CUDA kernels run, in a script or a notebook, without a GPU and without a display.

    import numpy as np, warpglass
    r = warpglass.run("k.cu", entry="scale", grid=2, block=64, args={"x": np.arange(128, dtype=np.float32), "n": 128})
    r.metrics["branch_efficiency"], r.events["time"], r.view("lanes")

It needs numpy, and the programs warpglass-record (WARPGLASS_RECORD or on PATH) and, to paint, warpglass. docs/python.md.
"""
from .programs import WarpglassError, ask
from .recording import Program, Trace, open
from .running import Comparison, Ranking, Run, compare, rank, record, run, why
from .views import View

__version__ = "0.1.0"
__all__ = ["Comparison", "Program", "Ranking", "Run", "Trace", "View", "WarpglassError", "ask", "compare", "open", "rank",
           "record", "run", "why"]
