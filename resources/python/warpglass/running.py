# SPDX-License-Identifier: GPL-3.0-or-later
"""Running kernels and programs, and comparing what they did."""
import builtins
import json
import os
import tempfile

import numpy as np

from .arguments import launch_words, words_of
from .programs import WarpglassError, ask, call, record_program
from .recording import Trace, open
from .views import table


class Run(Trace):
    """A launch that was just run: its recording, and `answer`, what `run --json` says of it. A fault, a race or a wrong result
    is no exception: it stands in `answer` ("fault", "diagnostics", "hang")."""

    def __init__(self, folder, answer, outputs):
        super().__init__(os.path.join(folder.name, "run.wgt"))
        self._folder, self.outputs = folder, outputs  # arrays that were asked for, by name
        self.__dict__["answer"] = answer

    @property
    def fault(self):
        return self.answer.get("fault")

    @property
    def hang(self):
        return self.answer.get("hang")


def _kernel_file(kernel, source, folder):
    """The word that names the kernel: a name, a path, or a file that is made of the text."""
    if (kernel is None) == (source is None):
        raise WarpglassError("either a kernel (a name or a file) or source is needed")
    if source is None:
        return os.fspath(kernel)
    is_ptx = any(line.startswith(".version") for line in source.splitlines())
    file = os.path.join(folder, "kernel.ptx" if is_ptx else "kernel.cu")
    with builtins.open(file, "w", encoding="utf-8") as text:
        text.write(source)
    return file


def run(kernel=None, *, source=None, args=None, outputs=(), **launch):
    """Runs a kernel on the emulator and records it.

    kernel: a name of the catalogue, a .cu or .ptx file, or a recording; source: the text of one instead.
    args: its arguments in their order (arguments.words_of): arrays are buffers.
    outputs: names of arguments whose buffers come back as arrays, in `outputs`, of the shape and type they went in with.
    launch: entry, grid, block, shared_bytes, size, set, defines, includes, device, and options of `warpglass-record run` by
    their names: timing=True, accesses=True, check="race".

    Raises WarpglassError where nothing could be run: no such kernel, wrong arguments, a compiler's error.
    """
    folder = tempfile.TemporaryDirectory(prefix="warpglass-")
    args = args or {}
    words = [_kernel_file(kernel, source, folder.name), *words_of(args, folder.name), *launch_words(**launch)]
    for name in outputs:
        words += ["--dump", f"{name}={os.path.join(folder.name, 'out-' + name + '.bin')}"]
    recording = os.path.join(folder.name, "run.wgt")
    answer = ask("run", *words, "-o", recording, statuses=(0, 1))
    found = {}
    for name in outputs:
        file, given = os.path.join(folder.name, "out-" + name + ".bin"), args.get(name)
        if os.path.exists(file):
            is_array = isinstance(given, np.ndarray)
            found[name] = np.fromfile(file, dtype=given.dtype.newbyteorder("<") if is_array else np.uint8)
            found[name] = found[name].reshape(given.shape) if is_array else found[name]
    return Run(folder, answer, found)


def why(kernel=None, *, source=None, args=None, **launch):
    """What a launch's time is spent on: the object of `warpglass-record why --json` (docs/json.md)."""
    with tempfile.TemporaryDirectory(prefix="warpglass-") as folder:
        return ask("why", _kernel_file(kernel, source, folder), *words_of(args or {}, folder), *launch_words(**launch))


def record(command, output=None, **options):
    """Runs a whole program on the virtual device (or, with backend="cuda", on a GPU) and records it: a Program.

    command: a list, or one .cu file, which is built. output: a folder or FILE.wgt; else one that goes away with the object.
    options: of `warpglass-record program` by their names: launches="0,3", timing=True.

    Raises WarpglassError where nothing was recorded. A program that fails is recorded all the same; info["exit_status"] says so.
    """
    command = [os.fspath(command)] if isinstance(command, (str, os.PathLike)) else [os.fspath(word) for word in command]
    kept = None
    if output is None:
        kept = tempfile.TemporaryDirectory(prefix="warpglass-")
        output = os.path.join(kept.name, "program.wgt")
    words = [*launch_words(**options), "-o", output]
    words = [command[0], *words, "--", *command[1:]] if command[0].endswith(".cu") else [*words, "--", *command]
    done = call(record_program(), "program", *words, statuses=range(256))
    file = os.path.join(output, "program.wgt") if os.path.isdir(output) else output
    if not os.path.exists(file):
        raise WarpglassError(done.stderr.strip(), done.returncode)
    program = open(file)
    program.stdout, program.stderr, program._kept = done.stdout, done.stderr, kept
    return program


class Comparison:
    """Two recordings beside each other: metrics that differ, and their views."""

    def __init__(self, a, b):
        self.a, self.b = (open(x) if isinstance(x, (str, os.PathLike)) else x for x in (a, b))

    @property
    def rows(self):
        """(metric, a, b, unit) for each that both have."""
        of_b = self.b.answer["metrics"]
        return [(name, m["value"], of_b[name]["value"], m["unit"]) for name, m in self.a.answer["metrics"].items()
                if m["value"] is not None and name in of_b and of_b[name]["value"] is not None]

    @property
    def changed(self):
        return [row for row in self.rows if row[1] != row[2]]

    def view(self, name, **options):
        return self.a.view(name, compare=self.b, **options)

    def _repr_html_(self):
        rows = [(name, a, b, "" if unit == "1" else unit, f"{100 * (b - a) / a:+.1f} %" if a else "")
                for name, a, b, unit in self.changed]
        return table(("metric", "A", "B", "unit", "B - A"), rows, "what differs" if rows else "nothing that is counted differs")


def compare(a, b):
    """Two recordings, or files of them."""
    return Comparison(a, b)


class Ranking:
    """Versions by modelled time; `order` as `warpglass-record rank --json` has it."""

    def __init__(self, answer):
        self.answer, self.order = answer, answer["order"]

    def _repr_html_(self):
        keys = list(self.order[0]) if self.order else []
        shown = [[v if isinstance(v, (int, float, str)) or v is None else ", ".join(map(str, v)) if isinstance(v, list)
                  else json.dumps(v) for v in row.values()] for row in self.order]
        return table(keys, shown, "the fastest first, by modelled time")


def rank(versions, *, args=None, **launch):
    """Orders versions of a kernel by modelled time.

    versions: files, or texts by their names. args, launch: as of run(), the same for all.
    """
    with tempfile.TemporaryDirectory(prefix="warpglass-") as folder:
        files = []
        for number, version in enumerate(versions):
            if isinstance(versions, dict):
                place = os.path.join(folder, str(number))
                os.mkdir(place)
                made = _kernel_file(None, versions[version], place)
                version = os.path.join(place, os.path.basename(version) + os.path.splitext(made)[1])
                os.rename(made, version)
            files.append(os.fspath(version))
        return Ranking(ask("rank", *files, *words_of(args or {}, folder), *launch_words(**launch), statuses=(0, 1)))
