# SPDX-License-Identifier: GPL-3.0-or-later
"""Recordings as objects: arrays, metrics, views."""
import functools
import os
import shutil
import sqlite3
import tempfile

import numpy as np

from . import wgt
from .programs import ask
from .views import table, view_of


class Trace:
    """The recording of a launch. Arrays are read when they are asked for, from the file alone; times are in `time_unit`
    ("ns", or "steps" of one warp instruction each)."""

    def __init__(self, path=None, database=None, program=None):
        self._database = database or wgt.open_database(path)[0]
        self._path, self._program = path, program

    @property
    def path(self):
        """The file; one of its own is made for a launch that lies in a program's recording."""
        if self._path is None:
            self._kept = tempfile.TemporaryDirectory(prefix="warpglass-")
            self._path = os.path.join(self._kept.name, "launch.wgt")
            copy = sqlite3.connect(self._path)
            self._database.backup(copy)
            copy.close()
        return self._path

    def rows(self, name):
        """A small table (docs/trace_format.md) as a list of dictionaries: rows("launches"), rows("counts")."""
        known = [row[0] for row in self._database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
                 if row[0] not in ("chunks", "texts", "kernel_texts")]
        if name not in known:
            raise KeyError(f"a recording has no small table {name}; it has {', '.join(known)}")
        if name == "kernels":
            return wgt.read_kernels(self._database)
        return [dict(row) for row in self._database.execute(f"SELECT * FROM {name} ORDER BY rowid")]

    @functools.cached_property
    def info(self):
        return self.rows("trace")[0]

    @property
    def time_unit(self):
        return self.info["time_unit"]

    @functools.cached_property
    def blocks(self):
        return wgt.read_blocks(self._database)

    @functools.cached_property
    def warps(self):
        return wgt.read_warps(self._database)

    @functools.cached_property
    def states(self):
        return wgt.read_states(self._database)

    @functools.cached_property
    def events(self):
        return wgt.read_events(self._database, self.warps)

    @functools.cached_property
    def _accesses(self):
        return wgt.read_accesses(self._database)

    @property
    def accesses(self):
        return self._accesses[0]

    def addresses(self, access):
        """Byte addresses of an access, one a lane that was on."""
        first, events = self.accesses["first_address"], self.events
        count = int(wgt.lanes(events["active"][self.accesses["event"][access:access + 1]])[0])
        return self._accesses[1][first[access]:first[access] + count]

    def values(self, access):
        """Its values as raw bits: an array (lanes that were on, elements)."""
        a = self.accesses
        count = int(wgt.lanes(self.events["active"][a["event"][access:access + 1]])[0])
        elements = int(a["elements"][access])
        begin = int(a["first_value"][access])
        return self._accesses[2][begin:begin + count * elements].reshape(count, elements)

    def branches(self):
        """Each branch that ran: its line, how often warps came there, and with which lanes. A list of dictionaries."""
        events, sites = self.events, self.rows("sites")
        places = {row["site"]: row["line"] for row in reversed(self.rows("site_places"))}  # the innermost comes first
        is_branch = events["kind"] == wgt.EVENT_KINDS.index("branch")
        result = []
        for site in np.unique(events["site"][is_branch]):
            here = is_branch & (events["site"] == site)
            active, taken = wgt.lanes(events["active"][here]), wgt.lanes(events["taken"][here])
            result.append({
                "site": int(site), "line": places.get(int(site)), "ptx_line": sites[site]["ptx_line"],
                "instruction": sites[site]["instruction"], "executions": len(active), "lanes": int(active.sum()),
                "taken_lanes": int(taken.sum()), "divergent": int(((taken > 0) & (taken < active)).sum())})
        return result

    @functools.cached_property
    def answer(self):
        """What `warpglass-record metrics --json` says of it (docs/json.md)."""
        return ask("metrics", self.path)

    @property
    def metrics(self):
        """Values by name; None where nothing says."""
        return {name: metric["value"] for name, metric in self.answer["metrics"].items()}

    def view(self, name, compare=None, **options):
        """A view (lanes, timeline, memory, source, why, ...) that plays in a notebook; compare: another recording beside it."""
        return view_of(self.path, name, compare=getattr(compare, "path", compare), **options)

    def save(self, path):
        shutil.copyfile(self.path, path)
        return path

    def _repr_html_(self):
        answer = self.answer
        rows = [(name, m["value"], "" if m["unit"] == "1" else m["unit"], m["origin"])
                for name, m in answer["metrics"].items() if m["value"] is not None]
        launch = answer.get("launch", {})
        return table(("metric", "value", "unit", "origin"), rows,
                     f"{answer.get('kernel', '')} <<<{launch.get('grid')}, {launch.get('block')}>>> on {answer.get('device', '')}")

    def __repr__(self):
        return f"<Trace {self._path or 'of a program'}: {len(self.warps['block'])} warps, {len(self.events['kind'])} events>"


class Program:
    """The recording of a whole program: operations as an array of wgt.OPERATION, times in ns."""

    def __init__(self, path):
        self.path = path
        self._database, _ = wgt.open_database(path)
        self.info = wgt.rows_of(self._database, "program")[0]
        self.kernels = wgt.rows_of(self._database, "kernels")
        self.recordings = wgt.rows_of(self._database, "recordings")

    @functools.cached_property
    def operations(self):
        return wgt.read_operations(self._database)

    @functools.cached_property
    def answer(self):
        """What `warpglass-record launches --json` says of it (docs/json.md)."""
        return ask("launches", self.path)

    def _has_warps(self, operation):
        """Of a kernel without PTX a recording keeps the machine code alone."""
        known = operation["kernel"] != wgt.NONE and self.kernels[operation["kernel"]].get("unrecorded")
        return bool(operation["recording"] != wgt.NONE and not known)

    @functools.cached_property
    def launches(self):
        """A dictionary for each launch: kernel, grid, block, times, and whether it was recorded in detail."""
        shapes, result = wgt.read_shapes(self._database), []
        for number in np.flatnonzero(self.operations["kind"] == wgt.OPERATION_KINDS.index("launch")):
            o = self.operations[number]
            launch = {"operation": int(number),
                      "kernel": self.kernels[o["kernel"]]["name"] if o["kernel"] != wgt.NONE else None,
                      "start_ns": int(o["start"]), "end_ns": int(o["end"]), "called_ns": int(o["called"]),
                      "returned_ns": int(o["returned"]), "recorded": self._has_warps(o),
                      "error": int(o["error"])}
            if o["shape"] != wgt.NONE:
                launch.update(grid=shapes[o["shape"]]["grid"].tolist(), block=shapes[o["shape"]]["block"].tolist())
            if launch["recorded"]:
                launch["trace"] = self.recordings[o["recording"]]["file"]
            result.append(launch)
        return result

    def launch(self, number):
        """The trace of a launch, counted from 0; KeyError where it was not recorded in detail."""
        launches = self.launches
        if not 0 <= number < len(launches) or not launches[number]["recorded"]:
            known = ", ".join(str(n) for n, launch in enumerate(launches) if launch["recorded"])
            raise KeyError(f"launch {number} was not recorded in detail; recorded are {known or 'none'}")
        recording = int(self.operations[launches[number]["operation"]]["recording"])
        return Trace(database=wgt.trace_database(self.path, self._database, recording), program=self)

    def sums(self):
        """For each kernel its launches, how many were recorded, and their duration in ns: measured on a GPU, else modelled or
        estimated."""
        measured = self.info["backend"] == "cuda"
        sums = [{"name": k["name"], "launches": 0, "recorded": 0, "duration_ns": 0} for k in self.kernels]
        o = self.operations
        for row in o[(o["kind"] == wgt.OPERATION_KINDS.index("launch")) & (o["kernel"] != wgt.NONE)]:
            total = sums[row["kernel"]]
            total["launches"] += 1
            total["recorded"] += int(self._has_warps(row))
            total["duration_ns"] += int(row["end"] - row["start"] if measured else row["duration"])
        return sums

    def view(self, name="program", **options):
        return view_of(self.path, name, **options)

    def _repr_html_(self):
        rows = [(k["name"], k["launches"], k["recorded"], k["duration_ns"] * 1e-6) for k in self.sums()]
        return table(("kernel", "launches", "recorded", "ms"), rows, self.info["command"])

    def __repr__(self):
        return f"<Program {self.info['command']}: {len(self.operations)} operations, {len(self.launches)} launches>"


def open(path):
    """A Trace or a Program, whichever the file or the folder is.

    Raises ValueError for what is no recording.
    """
    path = os.fspath(path)
    file = os.path.join(path, "program.wgt") if os.path.isdir(path) else path
    database, kind = wgt.open_database(file)
    if kind == wgt.PROGRAM:
        database.close()
        return Program(file)
    return Trace(file, database)
