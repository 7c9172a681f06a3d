# SPDX-License-Identifier: GPL-3.0-or-later
"""The example that reads files by itself finds what warpglass-record says of them."""
import json
import os
import subprocess
import sys

from common import SOURCE, equal, record, record_driver_program, run, scratch, skip

EXAMPLE = os.path.join(SOURCE, "resources", "examples", "read_wgt.py")


def python():
    """One that has what the example needs."""
    for program in (sys.executable, "/usr/bin/python3", "python3"):
        try:
            if subprocess.run([program, "-c", "import numpy, zstandard"], capture_output=True).returncode == 0:
                return program
        except OSError:
            pass
    skip("python3-numpy and python3-zstandard are missing")
    return None


PYTHON = python()


def read(file):
    return json.loads(run(PYTHON, EXAMPLE, file, "--json").stdout)


def bits(mask):
    return bin(int(mask, 16)).count("1")


def check_launch(folder, name, *words):
    file = os.path.join(folder, name + ".wgt")
    record("run", *words, "-o", file)
    found = read(file)
    record("export", file, "--format", "json", "-o", file + ".json")
    with open(file + ".json", encoding="utf-8") as text:
        exported = json.load(text)
    equal(found["events"], len(exported["events"]), f"{name}: events")
    equal(found["warps"], len(exported["warps"]), f"{name}: warps")
    sums = {}
    for event in exported["events"]:
        if event["kind"] != "branch":
            continue
        active, taken = bits(event["active"]), bits(event["taken"])
        total = sums.setdefault(event["site"], [0, 0, 0, 0])
        for n, more in enumerate((1, active, taken, 0 < taken < active)):
            total[n] += more
    expected = [[site, *total] for site, total in sorted(sums.items())]
    equal([[b["site"], b["executions"], b["lanes"], b["taken_lanes"], b["divergent"]] for b in found["branches"]],
          expected, f"{name}: branches")
    for b in found["branches"]:
        site = exported["sites"][b["site"]]
        equal((b["ptx_line"], b["instruction"]), (site["ptx_line"], site["instruction"]), f"{name}: place")
    return found


def check_times(folder):
    """Times of events, too, which branches do not show; in chunks that begin within a warp."""
    file = os.path.join(folder, "times.wgt")
    record("run", "reduceInterleaved", "--size", "262144", "--block", "128", "--detail", "all", "-o", file)
    record("export", file, "--format", "json", "-o", file + ".json")
    with open(file + ".json", encoding="utf-8") as text:
        exported = json.load(text)
    assert len(exported["events"]) > 3 * 16384, "several chunks"
    script = ("import sys, json; sys.path.insert(0, sys.argv[1]); import read_wgt; "
              "d, _ = read_wgt.open_database(sys.argv[2]); w = read_wgt.read_warps(d); e = read_wgt.read_events(d, w); "
              "print(json.dumps({k: v.tolist() for k, v in e.items()}))")
    events = json.loads(run(PYTHON, "-c", script, os.path.dirname(EXAMPLE), file).stdout)
    for key in ("time", "warp", "site"):
        equal(events[key], [e[key] for e in exported["events"]], f"events: {key}")
    equal(events["active"], [int(e["active"], 16) for e in exported["events"]], "events: lanes")


def check_program(folder):
    for name in ("beside", "inside.wgt"):
        file = record_driver_program(os.path.join(folder, name))
        found, said = read(file), json.loads(record("launches", file, "--json").stdout)
        equal(found["command"], said["command"], "command")
        equal(found["operations"], len(said["operations"]), "operations")
        keys = ("name", "launches", "recorded", "duration_ns")
        equal([[k[key] for key in keys] for k in found["kernels"]], [[k[key] for key in keys] for k in said["kernels"]],
              "sums of kernels")
        equal([k["duration_origin"] for k in said["kernels"]], ["estimate"] * 2, "origin of durations")
        keys = ("operation", "kernel", "grid", "block", "start_ns", "end_ns", "called_ns", "returned_ns", "recorded",
                "error")
        equal([[launch[k] for k in keys] for launch in found["launches"]],
              [[o[k] for k in keys] for o in said["operations"] if o["kind"] == "launch"], "launches")
        # The trace of the first launch: threads 40 to 63 of 64 jump over the store, and the second warp divides.
        script = ("import sys, json; sys.path.insert(0, sys.argv[1]); import read_wgt; "
                  "d, _ = read_wgt.open_database(sys.argv[2]); t, _ = read_wgt.trace_of(sys.argv[2], d, 0); "
                  "print(json.dumps(read_wgt.branches(t)['branches'][0]))")
        branch = json.loads(run(PYTHON, "-c", script, os.path.dirname(EXAMPLE), file).stdout)
        equal((branch["executions"], branch["lanes"], branch["taken_lanes"], branch["divergent"]), (2, 64, 24, 1),
              "the first launch's branch")


def main():
    with scratch() as folder:
        # mathKernel1 sends even threads one way and odd threads the other: each of its warps divides.
        found = check_launch(folder, "math", "mathKernel1", "--mode", "as-written")
        assert any(b["divergent"] == b["executions"] for b in found["branches"]), found["branches"]
        check_launch(folder, "reduce", "reduceNeighbored", "--size", "65536", "--block", "512")
        check_times(folder)
        check_program(folder)
        equal(run(PYTHON, EXAMPLE, EXAMPLE, expect=2).stdout, "", "of no recording")
        run(PYTHON, EXAMPLE, os.path.join(folder, "math.wgt"))
        run(PYTHON, EXAMPLE, os.path.join(folder, "beside", "program.wgt"))


main()
