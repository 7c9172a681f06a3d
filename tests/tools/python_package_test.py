# SPDX-License-Identifier: GPL-3.0-or-later
"""The Python package: what it reads of files is what warpglass-record says of them, and its notebook gives what stands in it."""
import ast
import glob
import json
import os
import re
import sqlite3
import sys

from common import RECORD, SOURCE, equal, record, record_driver_program, run, scratch, skip, with_modules

with_modules("numpy")
PACKAGE = os.path.join(SOURCE, "resources", "python")
sys.path.insert(0, PACKAGE)
os.environ.update(WARPGLASS_RECORD=RECORD, PYTHONPATH=PACKAGE)
import numpy as np
import warpglass
from warpglass import wgt, zstd


# Columns of large tables: as the package has them, and as `export --format json` does.
EXPORTED = {
    "blocks": {name: name for name in ("launch", "index", "start", "end", "first_warp", "warps", "sm")},
    "warps": {"warp": "warp_in_block", **{name: name for name in (
        "block", "slot", "scheduler", "start", "end", "first_event", "events", "first_state", "states")}},
    "states": {name: name for name in ("begin", "end", "ptx_line")},
    "accesses": {"event": "event", "element_bytes": "bytes_per_element", "elements": "elements", "is_shuffle": "shuffle",
                 "is_float": "is_float", "first_address": "first_lane", "first_value": "first_value"},
}


def bits(mask):
    return bin(int(mask, 16)).count("1")


def exported(file):
    record("export", file, "--format", "json", "-o", file + ".json")
    with open(file + ".json", encoding="utf-8") as text:
        return json.load(text)


def check_tables(folder):
    """Every large table against the export, row by row; events in several chunks, some of which begin within a warp."""
    file = os.path.join(folder, "run.wgt")
    record("run", "reduceInterleaved", "--size", "262144", "--block", "128", "--detail", "all", "--timing", "-o", file)
    accesses = os.path.join(folder, "accesses.wgt")
    record("run", "transpose_padded", "--size", "64", "--accesses", "-o", accesses)
    for trace, said in ((warpglass.open(file), exported(file)), (warpglass.open(accesses), exported(accesses))):
        for key, ours in (("time", trace.events["time"]), ("warp", trace.events["warp"]), ("site", trace.events["site"])):
            equal(ours.tolist(), [e[key] for e in said["events"]], f"events: {key}")
        equal(trace.events["active"].tolist(), [int(e["active"], 16) for e in said["events"]], "events: lanes")
        equal([wgt.EVENT_KINDS[k] for k in trace.events["kind"]], [e["kind"] for e in said["events"]], "events: kind")
        for name, keys in EXPORTED.items():
            ours = getattr(trace, name)
            equal(len(next(iter(ours.values()))), len(said[name]), f"{name}: rows")
            for key, theirs in keys.items():
                equal(ours[key].tolist(), [row[theirs] for row in said[name]], f"{name}: {key}")
        equal(trace.warps["lanes"].tolist(), [int(w["live_lanes"], 16) for w in said["warps"]], "warps: lanes")
        for name in ("source", "ptx", "ttgir"):
            equal([k[name] for k in trace.rows("kernels")], [k[name] for k in said["kernels"]], f"kernels: {name}")
        for name, ours in zip(("access_addresses", "access_values"), trace._accesses[1:]):
            equal(ours.tolist(), [row["number"] for row in said[name]], name)
    assert len(said["accesses"]) > 100 and len(warpglass.open(file).events["kind"]) > 3 * 16384, "enough of both"
    # 64 x 64 floats are copied once: all that is stored to global memory is what was loaded from it.
    a, values = trace.accesses, {}
    for kind in (0, 1):
        rows = np.flatnonzero((a["kind"] == kind) & (a["space"] == 0) & ~a["is_shuffle"])
        equal(sum(len(trace.addresses(n)) for n in rows), 64 * 64, "lanes that access global memory")
        values[kind] = sorted(int(v) for n in rows for v in trace.values(n).ravel())
    equal(values[0], values[1], "values that are loaded and stored")


def check_branches(folder, *words):
    file = os.path.join(folder, "branches.wgt")
    record("run", *words, "-o", file)
    said = exported(file)
    sums = {}
    for event in said["events"]:
        if event["kind"] != "branch":
            continue
        active, taken = bits(event["active"]), bits(event["taken"])
        total = sums.setdefault(event["site"], [0, 0, 0, 0])
        for n, more in enumerate((1, active, taken, 0 < taken < active)):
            total[n] += more
    found = json.loads(run(sys.executable, "-m", "warpglass", file, "--json").stdout)
    equal([[b["site"], b["executions"], b["lanes"], b["taken_lanes"], b["divergent"]] for b in found["branches"]],
          [[site, *total] for site, total in sorted(sums.items())], "branches")
    for b in found["branches"]:
        site = said["sites"][b["site"]]
        equal((b["ptx_line"], b["instruction"]), (site["ptx_line"], site["instruction"]), "place of a branch")
    run(sys.executable, "-m", "warpglass", file)
    return found["branches"]


def check_program(folder):
    texts = []
    for name in ("beside", "inside.wgt"):
        file = record_driver_program(os.path.join(folder, name))
        found, said = warpglass.open(os.path.join(folder, name)), json.loads(record("launches", file, "--json").stdout)
        equal(found.info["command"], said["command"], "command")
        equal(len(found.operations), len(said["operations"]), "operations")
        keys = ("name", "launches", "recorded", "duration_ns")
        equal([[k[key] for key in keys] for k in found.sums()], [[k[key] for key in keys] for k in said["kernels"]],
              "sums of kernels")
        keys = ("operation", "kernel", "grid", "block", "start_ns", "end_ns", "called_ns", "returned_ns", "recorded",
                "error")
        equal([[launch[k] for k in keys] for launch in found.launches],
              [[o[k] for k in keys] for o in said["operations"] if o["kind"] == "launch"], "launches")
        # Of the first launch threads 40 to 63 of 64 jump over the store, and the second warp divides.
        trace = found.launch(0)
        branch = trace.branches()[0]
        equal((branch["executions"], branch["lanes"], branch["taken_lanes"], branch["divergent"]), (2, 64, 24, 1),
              "the first launch's branch")
        recorded = [n for n, launch in enumerate(found.launches) if launch["recorded"]]
        texts.append([found.launch(n).rows("kernels")[0]["ptx"] for n in recorded])
        # Of a launch that lies in the program's file a file is made that our own program takes.
        assert trace.metrics["branch_efficiency"] is not None and "<table>" in trace._repr_html_()
        run(sys.executable, "-m", "warpglass", file)
    # Within the program's file a launch is packed behind one with the same texts, and unpacks to what lies beside.
    equal(texts[0], texts[1], "texts of recorded launches")
    packed = sqlite3.connect(os.path.join(folder, "inside.wgt"))
    behind = packed.execute("SELECT count(*) FROM traces WHERE base != ?", (wgt.NONE,)).fetchone()[0]
    equal(behind, len(texts[1]) - len(set(texts[1])), "launches that are packed behind another one")
    own = warpglass.record([sys.executable, os.path.join(SOURCE, "tests", "tools", "driver_program.py")], launches="1")
    equal([launch["recorded"] for launch in own.launches], [False, True, False, False, False], "launches that are recorded")


def check_zstd():
    """Each way to unpack that is here gives the same; a damaged frame is an error."""
    frame = bytes.fromhex("28b52ffd2003190000616263")  # a raw block of 3 bytes, by RFC 8878: header 0x03 << 3 | last
    ways = [zstd._by_library(), zstd._find()]
    for way in ways:
        equal(way(frame, b""), b"abc", "a frame")
    for damaged in (frame[:-1], b"", b"no frame at all", frame[:4] + b"\xff" + frame[5:]):
        try:
            zstd.decompress(damaged)
        except ValueError:
            continue
        raise AssertionError(damaged)


def check_errors(folder):
    for wrong in (lambda: warpglass.open(os.path.join(PACKAGE, "pyproject.toml")), lambda: warpglass.open("/nowhere.wgt")):
        try:
            wrong()
        except ValueError:
            continue
        raise AssertionError("what is no recording was opened")
    for wrong, word in ((lambda: warpglass.run("no_such_kernel"), "catalogue"), (lambda: warpglass.run(), "source"),
                        (lambda: warpglass.run("warmup", args={"x": 1j}), "neither"),
                        (lambda: warpglass.record([]), "")):
        try:
            wrong()
        except (warpglass.WarpglassError, IndexError) as error:
            assert word in str(error), error
            continue
        raise AssertionError("nothing was refused")
    equal(run(sys.executable, "-m", "warpglass", __file__, expect=2).stdout, "", "of no recording")
    if not re.search(r"^  rank ", record("--help").stdout, re.M):
        return
    ranking = warpglass.rank({n: open(os.path.join(SOURCE, "tests", "record", "scale.ptx"), encoding="utf-8").read()
                              for n in ("one", "two")}, entry="scale", grid=2, block=64,
                             args={"in": "f32[128]=iota", "x": "f32[128]=0", "n": "u32=128", "step": 2.0})
    equal(len(ranking.order), 2, "versions")


def displayed(value):
    """What a notebook keeps of a cell's last value: its HTML, or its text as it is wrapped there."""
    return value._repr_html_() if hasattr(value, "_repr_html_") else repr(value)


def check_notebook(path):
    """Its cells in order, by a few lines instead of Jupyter; what stands in it as output is what comes out."""
    with open(path, encoding="utf-8") as file:
        notebook = json.load(file)
    names, compared, shown = {"__name__": "__main__"}, 0, []
    for number, cell in enumerate(c for c in notebook["cells"] if c["cell_type"] == "code"):
        body = ast.parse("".join(cell["source"])).body
        last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
        exec(compile(ast.Module(body, []), f"cell {number}", "exec"), names)
        if last is None:
            continue
        found = displayed(eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), names))
        if cell["outputs"]:
            kept = "".join(cell["outputs"][0]["data"]["text/plain"])
            equal(found.split(), kept.split(), f"{os.path.basename(path)}, cell {number}")
            compared += 1
        else:
            shown.append(found)
    assert compared >= 5, compared
    table, view = shown
    assert table.startswith("<table>") and "gst_efficiency" in table, table
    assert view.startswith('<iframe srcdoc="') and view.endswith("</iframe>") and view.count("<") == 2, view[:200]
    assert "http://" not in view.replace("http://www.w3.org/", "") and len(view) > 10000, "it needs a network, or is empty"


def check_version():
    with open(os.path.join(SOURCE, "CMakeLists.txt"), encoding="utf-8") as file:
        ours = re.search(r"VERSION (\d+\.\d+\.\d+)", file.read()).group(1)
    with open(os.path.join(PACKAGE, "pyproject.toml"), encoding="utf-8") as file:
        equal(re.search(r'^version = "(.*)"', file.read(), re.M).group(1), ours, "version of the package")
    equal(warpglass.__version__, ours, "version that the package tells")


def main():
    check_version()
    check_zstd()
    with scratch() as folder:
        check_tables(folder)
        # mathKernel1 sends even threads one way and odd threads the other: each of its warps divides.
        assert any(b["divergent"] == b["executions"] for b in check_branches(folder, "mathKernel1", "--mode", "as-written"))
        check_branches(folder, "reduceNeighbored", "--size", "65536", "--block", "512")
        check_program(folder)
        check_errors(folder)
    if not os.access(os.path.join(os.path.dirname(RECORD), "warpglass"), os.X_OK):
        skip("the notebook's views need the window's program, which is not built")
    for notebook in glob.glob(os.path.join(PACKAGE, "examples", "*.ipynb")):
        check_notebook(notebook)


main()
