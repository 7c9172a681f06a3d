#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads a .wgt file with nothing of Warpglass: sqlite3, zstandard and numpy (Debian: python3-zstandard, python3-numpy).

    read_wgt.py launch.wgt      the branches of a launch: how often, with how many lanes, and where they divided
    read_wgt.py program.wgt     the launches of a program: which kernel, what shape, how long, recorded or not
    read_wgt.py FILE --json     the same as one JSON object

What lies where is told in docs/trace_format.md. Take what you need: each function below stands alone.
"""
import argparse
import json
import os
import sqlite3
import sys
import tempfile

import numpy as np
import zstandard

TRACE, PROGRAM = 0x57475431, 0x57475031  # PRAGMA application_id: "WGT1", "WGP1"
NONE = 0xFFFFFFFF
EVENT_KINDS = ("entry", "branch", "barrier_arrive", "barrier_leave", "access", "shuffle", "launch", "exit", "path")
EVENTS_A_CHUNK = 1 << 14
OPERATION_KINDS = ("launch", "copy", "fill", "allocate", "free", "wait", "record", "host",
                   "behind")
OPERATION = np.dtype([(name, "<i8") for name in ("start", "end")] +
                     [(name, "<u8") for name in ("to", "from", "bytes", "arguments")] +
                     [(name, "<u4") for name in ("stream", "kernel", "shape", "recording", "error")] +
                     [(name, "u1") for name in ("kind", "direction", "memory", "timed")] +
                     [(name, "<i8") for name in ("called", "returned",  # from format 2 on
                                               "duration")])  # from format 3 on
SHAPE = np.dtype([("grid", "<u4", 3), ("block", "<u4", 3), ("cluster", "<u4", 3), ("shared_bytes", "<u4"),
                  ("cooperative", "<u4")])


def open_database(path):
    """The file, for reading alone, and which of the two kinds it is."""
    if not os.path.isfile(path):
        raise ValueError(f"{path}: there is no such file")
    database = sqlite3.connect(f"file:{os.path.abspath(path)}?mode=ro", uri=True)
    database.row_factory = sqlite3.Row
    try:
        kind = database.execute("PRAGMA application_id").fetchone()[0]
        version = database.execute("PRAGMA user_version").fetchone()[0]
    except sqlite3.DatabaseError as error:
        raise ValueError(f"{path}: {error}") from error
    if kind not in (TRACE, PROGRAM):
        raise ValueError(f"{path}: no Warpglass recording")
    if kind == TRACE and not 3 <= version <= 10 or kind == PROGRAM and not 1 <= version <= 4:
        raise ValueError(f"{path}: format {version} is not known here")
    return database, kind


def unpack(data):
    return np.frombuffer(zstandard.ZstdDecompressor().decompress(data), dtype=np.uint8)


def planes(plain, at, count, rows):
    """Numbers split into planes of bytes, the lowest first, and where the next begin."""
    numbers = np.zeros(rows, dtype=np.uint64)
    for plane in range(count):
        numbers |= plain[at:at + rows].astype(np.uint64) << np.uint64(8 * plane)
        at += rows
    return numbers, at


def unzigzag(numbers):
    return (numbers >> np.uint64(1)).astype(np.int64) ^ -(numbers & np.uint64(1)).astype(np.int64)


def columns(database, table, count):
    """Chunk by chunk: the columns of a large table, still as differences."""
    for chunk in database.execute("SELECT row_count, data FROM chunks WHERE name = ? ORDER BY number", (table,)):
        plain, rows, at, result = unpack(chunk["data"]), chunk["row_count"], count, []
        for column in range(count):
            numbers, at = planes(plain, at, int(plain[column]), rows)
            result.append(numbers)
        yield result


def read_warps(database):
    """Of each warp: its block, its place in it, its lanes that hold a thread, start, end, and its rows of events."""
    parts = {name: [] for name in ("block", "warp", "lanes", "start", "end", "first_event", "events")}
    for n in columns(database, "warps", 11):
        start = np.cumsum(unzigzag(n[5]))
        events = np.cumsum(unzigzag(n[8]))
        before = np.concatenate(([0], events[:-1]))
        parts["block"].append(np.cumsum(unzigzag(n[0])))
        parts["warp"].append(np.cumsum(unzigzag(n[1])))
        parts["lanes"].append(n[4].astype(np.uint32))
        parts["start"].append(start)
        parts["end"].append(start + unzigzag(n[6]))
        parts["first_event"].append(np.cumsum(unzigzag(n[7]) + before))
        parts["events"].append(events)
    return {name: np.concatenate(part) if part else np.zeros(0, np.int64) for name, part in parts.items()}


def read_events(database, warps):
    """Of each event: its warp, time, site, kind, lanes that were on, and lanes that jumped (of a branch)."""
    owner = np.repeat(np.arange(len(warps["events"])), warps["events"])
    parts = {name: [] for name in ("time", "site", "kind", "active", "taken")}
    for chunk in database.execute(
            "SELECT first_row, row_count, data FROM chunks WHERE name = 'events' ORDER BY number"):
        plain, rows = unpack(chunk["data"]), chunk["row_count"]
        words = int(plain[2]) + 256 * int(plain[3]) + 1
        passed, at = planes(plain, 4, int(plain[0]), rows)
        word, at = planes(plain, at, int(plain[1]), rows)
        fields = []
        for _ in range(3):
            field, at = planes(plain, at, 4, words)
            fields.append(field.astype(np.uint32)[word.astype(np.int64)])
        # Times count from each warp's start, and again from there where a chunk begins in the middle of a warp.
        of = owner[chunk["first_row"]:chunk["first_row"] + rows]
        sums = np.cumsum(passed.astype(np.int64))
        first = np.concatenate(([True], of[1:] != of[:-1]))
        base = np.where(first, sums - passed.astype(np.int64), 0)
        base = np.maximum.accumulate(base)
        parts["time"].append(sums - base + warps["start"][of])
        parts["site"].append(fields[0] & np.uint32(0x0FFFFFFF))
        parts["kind"].append(fields[0] >> np.uint32(28))
        parts["active"].append(fields[1])
        parts["taken"].append(fields[2])
    events = {name: np.concatenate(part) if part else np.zeros(0, np.uint32) for name, part in parts.items()}
    events["warp"] = owner
    return events


def lanes(masks):
    """How many bits of each 32-bit mask are set."""
    return np.unpackbits(masks.astype("<u4").view(np.uint8)).reshape(-1, 32).sum(axis=1)


def branches(database):
    """Each branch of a launch that ran: its line, how often warps came there, and with which lanes."""
    warps = read_warps(database)
    events = read_events(database, warps)
    sites = database.execute("SELECT ptx_line, instruction FROM sites").fetchall()
    places = {row["site"]: row["line"] for row in
              database.execute("SELECT site, line FROM site_places ORDER BY rowid DESC")}  # the innermost comes first
    is_branch = events["kind"] == EVENT_KINDS.index("branch")
    result = []
    for site in np.unique(events["site"][is_branch]):
        here = is_branch & (events["site"] == site)
        active, taken = lanes(events["active"][here]), lanes(events["taken"][here])
        result.append({
            "site": int(site), "line": places.get(int(site)), "ptx_line": sites[site]["ptx_line"],
            "instruction": sites[site]["instruction"], "executions": len(active), "lanes": int(active.sum()),
            "taken_lanes": int(taken.sum()), "divergent": int(((taken > 0) & (taken < active)).sum())})
    return {"warps": len(warps["events"]), "events": len(events["kind"]), "branches": result}


def rows_of(database, table):
    return [json.loads(row["row"]) for row in database.execute(f"SELECT row FROM {table} ORDER BY number")]


def read_operations(database):
    """What a program did, in order, as a numpy array of OPERATION."""
    parts = []
    for chunk in database.execute("SELECT rows, data FROM chunks WHERE name = 'operations' ORDER BY number"):
        rows = chunk["rows"]
        stored = unpack(chunk["data"]).reshape(-1, rows)
        plain = np.zeros((rows, OPERATION.itemsize), np.uint8)
        plain[:, :len(stored)] = stored.T
        part = plain.view(OPERATION).reshape(rows)
        part["start"] = np.cumsum(part["start"])
        part["end"] += part["start"]
        part["called"] += part["start"]
        part["returned"] += part["end"]
        part["arguments"] = np.cumsum(part["arguments"])
        parts.append(part)
    return np.concatenate(parts) if parts else np.zeros(0, OPERATION)


def launches(database):
    """The launches of a program and a sum for each of its kernels."""
    kernels, recordings = rows_of(database, "kernels"), rows_of(database, "recordings")
    packed = database.execute("SELECT data FROM chunks WHERE name = 'shapes'").fetchone()
    shapes = unpack(packed["data"]).view(SHAPE) if packed else np.zeros(0, SHAPE)
    operations = read_operations(database)
    result = []
    for number in np.flatnonzero(operations["kind"] == OPERATION_KINDS.index("launch")):
        o = operations[number]
        recorded = int(o["recording"]) != NONE
        launch = {"operation": int(number),
                  "kernel": kernels[o["kernel"]]["name"] if o["kernel"] != NONE else None,
                  "start_ns": int(o["start"]), "end_ns": int(o["end"]), "called_ns": int(o["called"]),
                  "returned_ns": int(o["returned"]), "recorded": recorded, "error": int(o["error"])}
        if o["shape"] != NONE:
            shape = shapes[o["shape"]]
            launch.update(grid=shape["grid"].tolist(), block=shape["block"].tolist())
        if recorded:
            launch["trace"] = recordings[o["recording"]]["file"]
        result.append(launch)
    info = rows_of(database, "program")[0]
    measured = info["backend"] == "cuda"  # else by the timing model, or estimated from counts, if at all
    sums = [{"name": k["name"], "launches": 0, "recorded": 0, "duration_ns": 0} for k in kernels]
    of_kernels = operations[(operations["kind"] == OPERATION_KINDS.index("launch")) & (operations["kernel"] != NONE)]
    for o in of_kernels:
        total = sums[o["kernel"]]
        total["launches"] += 1
        total["recorded"] += int(o["recording"] != NONE)
        total["duration_ns"] += int(o["end"] - o["start"] if measured else o["duration"])
    return {"command": info["command"], "exit_status": info["exit_status"], "operations": len(operations),
            "kernels": sums, "launches": result}


def trace_of(path, database, recording):
    """The trace of a launch that a program's file holds or names: (database, kind)."""
    file = rows_of(database, "recordings")[recording]["file"]
    if file:
        return open_database(os.path.join(os.path.dirname(os.path.abspath(path)), file))
    data = database.execute("SELECT data FROM traces WHERE recording = ?", (recording,)).fetchone()["data"]
    with tempfile.NamedTemporaryFile(suffix=".wgt") as copy:
        copy.write(data)
        copy.flush()
        return open_database(copy.name)  # which stays open without its name


def print_branches(answer):
    print(f"{answer['events']} events of {answer['warps']} warps\n")
    print("  line  PTX line   times   lanes on  that jump   divided  instruction")
    for b in answer["branches"]:
        print(f"{b['line'] or '':>6} {b['ptx_line']:>9} {b['executions']:>7} {b['lanes'] / b['executions']:>10.2f} "
              f"{b['taken_lanes'] / b['executions']:>10.2f} {b['divergent']:>9}  {b['instruction']}")


def print_launches(answer):
    print(f"{answer['command']}: {answer['operations']} operations, exit status {answer['exit_status']}\n")
    for k in answer["kernels"]:
        print(f"{k['launches']:>8} launches {k['duration_ns'] * 1e-6:>12.3f} ms  {k['recorded']:>4} recorded  {k['name']}")
    print()
    for launch in answer["launches"]:
        shape = " x ".join("".join(str(launch.get(w, "?")).split()) for w in ("grid", "block"))
        print(f"{launch['operation']:>8} {launch['start_ns'] * 1e-6:>12.3f} ms  {launch['kernel']} {shape}"
              f"{'  recorded' if launch['recorded'] else ''}{'  error ' + str(launch['error']) if launch['error'] else ''}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    words = parser.parse_args()
    try:
        database, kind = open_database(words.file)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    answer = branches(database) if kind == TRACE else launches(database)
    if words.json:
        print(json.dumps(answer))
    elif kind == TRACE:
        print_branches(answer)
    else:
        print_launches(answer)
    return 0


if __name__ == "__main__":
    sys.exit(main())
