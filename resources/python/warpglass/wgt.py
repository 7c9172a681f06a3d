# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads .wgt files (docs/trace_format.md) into numpy arrays, with sqlite3 and zstd and without Warpglass's programs."""
import json
import os
import sqlite3
import tempfile

import numpy as np

from .zstd import decompress

TRACE, PROGRAM = 0x57475431, 0x57475031  # PRAGMA application_id: "WGT1", "WGP1"
FORMATS = {TRACE: range(3, 12), PROGRAM: range(1, 8)}  # PRAGMA user_version
NONE = 0xFFFFFFFF
EVENT_KINDS = ("entry", "branch", "barrier_arrive", "barrier_leave", "access", "shuffle", "launch", "exit", "path")
OPERATION_KINDS = ("launch", "copy", "fill", "allocate", "free", "wait", "record", "host", "behind", "library")
OPERATION = np.dtype([(name, "<i8") for name in ("start", "end")] +
                     [(name, "<u8") for name in ("to", "from", "bytes", "arguments")] +
                     [(name, "<u4") for name in ("stream", "kernel", "shape", "recording", "error")] +
                     [(name, "u1") for name in ("kind", "direction", "memory", "timed")] +
                     [(name, "<i8") for name in ("called", "returned",  # from format 2 on
                                                 "duration")] +  # from format 3 on
                     [("row_bytes", "<u8")])  # from format 7 on
SHAPE = np.dtype([("grid", "<u4", 3), ("block", "<u4", 3), ("cluster", "<u4", 3), ("shared_bytes", "<u4"),
                  ("cooperative", "<u4")])


def open_database(path):
    """The file, for reading alone, and which of the two kinds it is: (database, TRACE or PROGRAM).

    Raises ValueError for what is no recording, or one of a format that is not known here.
    """
    if not os.path.isfile(path):
        raise ValueError(f"{path}: there is no such file")
    database = sqlite3.connect(f"file:{os.path.abspath(path)}?mode=ro", uri=True)
    database.row_factory = sqlite3.Row
    try:
        kind = database.execute("PRAGMA application_id").fetchone()[0]
        version = database.execute("PRAGMA user_version").fetchone()[0]
    except sqlite3.DatabaseError as error:
        raise ValueError(f"{path}: {error}") from error
    if kind not in FORMATS:
        raise ValueError(f"{path}: no Warpglass recording")
    if version not in FORMATS[kind]:
        raise ValueError(f"{path}: format {version} is not known here")
    return database, kind


def unpack(data):
    return np.frombuffer(decompress(data), dtype=np.uint8)


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


def _sum(numbers):
    return np.cumsum(unzigzag(numbers))


def _behind(first, counts):
    """Where the rows of an owner begin, told as the difference to where those of the owner before end."""
    return np.cumsum(unzigzag(first) + np.concatenate(([0], counts[:-1])))


def _joined(parts, names, kind=np.int64):
    return {name: np.concatenate(parts[name]) if parts[name] else np.zeros(0, kind) for name in names}


def read_blocks(database):
    """Of each block: launch, linear index, start, end, first warp, warps, SM; times in the trace's unit."""
    names = ("launch", "index", "start", "end", "first_warp", "warps", "sm")
    parts = {name: [] for name in names}
    for n in columns(database, "blocks", 7):
        start, warps = _sum(n[2]), _sum(n[5])
        for name, value in zip(names, (_sum(n[0]), _sum(n[1]), start, start + unzigzag(n[3]), _behind(n[4], warps), warps,
                                       n[6].astype(np.int64))):
            parts[name].append(value)
    return _joined(parts, names)


def read_warps(database):
    """Of each warp: its block, its place in it, its lanes that hold a thread (a mask), start, end, slot and scheduler, and
    its rows of events and states."""
    names = ("block", "warp", "slot", "scheduler", "lanes", "start", "end", "first_event", "events", "first_state", "states")
    parts = {name: [] for name in names}
    for n in columns(database, "warps", 11):
        start, events, states = _sum(n[5]), _sum(n[8]), _sum(n[10])
        for name, value in zip(names, (_sum(n[0]), _sum(n[1]), _sum(n[2]), n[3].astype(np.int64), n[4].astype(np.uint32),
                                       start, start + unzigzag(n[6]), _behind(n[7], events), events,
                                       _behind(n[9], states), states)):
            parts[name].append(value)
    return _joined(parts, names)


def read_states(database):
    """Of each state of a warp (timing model, counters): begin, end in cycles of an SM, state, PTX line."""
    names = ("begin", "end", "state", "ptx_line")
    parts = {name: [] for name in names}
    for n in columns(database, "states", 3):
        begin_less, length, word = unzigzag(n[0]), unzigzag(n[1]), n[2]
        # begin is told from the end before, end from the begin.
        end = np.cumsum(begin_less + length)
        for name, value in zip(names, (end - length, end, (word & np.uint64(255)).astype(np.int64),
                                       (word >> np.uint64(8)).astype(np.int64))):
            parts[name].append(value)
    return _joined(parts, names)


def read_events(database, warps):
    """Of each event: its warp, time, site, kind (of EVENT_KINDS), lanes that were on, and lanes that jumped (of a branch)."""
    owner = np.repeat(np.arange(len(warps["events"])), warps["events"])
    names = ("time", "site", "kind", "active", "taken")
    parts = {name: [] for name in names}
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
    events = _joined(parts, names, np.uint32)
    events["warp"] = owner
    return events


def read_accesses(database):
    """Of each recorded access: its event, memory space, kind, bytes of an element, elements a lane, whether it is a shuffle
    and of floating point, and its first rows of the addresses and values, which stand beside: (accesses, addresses, values)."""
    names = ("event", "space", "kind", "element_bytes", "elements", "is_shuffle", "is_float", "first_address", "first_value")
    parts = {name: [] for name in names}
    for n in columns(database, "accesses", 4):
        word = n[1]
        fields = [((word >> np.uint64(8 * k)) & np.uint64(255)).astype(np.int64) for k in range(4)]
        flags = [((word >> np.uint64(bit)) & np.uint64(1)).astype(bool) for bit in (32, 33)]
        for name, value in zip(names, (_sum(n[0]), *fields, *flags, _sum(n[2]), _sum(n[3]))):
            parts[name].append(value)
    plain = [[_sum(n[0]).astype(np.uint64) for n in columns(database, f"access_{name}", 1)]
             for name in ("addresses", "values")]
    return (_joined(parts, names), *(np.concatenate(p) if p else np.zeros(0, np.uint64) for p in plain))


def lanes(masks):
    """How many bits of each 32-bit mask are set."""
    return np.unpackbits(masks.astype("<u4").view(np.uint8)).reshape(-1, 32).sum(axis=1)


def rows_of(database, table):
    return [json.loads(row["row"]) for row in database.execute(f"SELECT row FROM {table} ORDER BY number")]


def read_kernels(database):
    """The kernels of a trace as dictionaries, with their texts: source, ptx, ttgir (of Triton's; from format 11 on)."""
    kernels = [dict(row) for row in database.execute("SELECT * FROM kernels ORDER BY rowid")]
    if database.execute("PRAGMA user_version").fetchone()[0] >= 11:  # each text once
        texts = [decompress(row["data"]).decode(errors="replace")
                 for row in database.execute("SELECT data FROM texts ORDER BY number")]
        for kernel, row in zip(kernels, database.execute("SELECT * FROM kernel_texts ORDER BY rowid")):
            kernel.update((name, texts[row[name]]) for name in row.keys())
    return kernels


def read_operations(database):
    """What a program did, in order, as an array of OPERATION."""
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


def read_shapes(database):
    packed = database.execute("SELECT data FROM chunks WHERE name = 'shapes'").fetchone()
    stored = unpack(packed["data"]) if packed else np.zeros(0, np.uint8)
    return stored.view(SHAPE) if len(stored) % SHAPE.itemsize == 0 else np.zeros(0, SHAPE)


def trace_database(path, database, recording):
    """The trace of a launch that a program's file holds or names."""
    file = rows_of(database, "recordings")[recording]["file"]
    if file:
        if os.path.basename(file) != file:
            raise ValueError(f"{path}: a trace lies elsewhere")
        return open_database(os.path.join(os.path.dirname(os.path.abspath(path)), file))[0]
    row = database.execute("SELECT * FROM traces WHERE recording = ?", (recording,)).fetchone()
    data = row["data"]
    if database.execute("PRAGMA user_version").fetchone()[0] >= 6:
        other = database.execute("SELECT data FROM traces WHERE recording = ? AND base = ?", (row["base"], NONE)).fetchone()
        if row["base"] != NONE and not other:
            raise ValueError(f"{path}: a trace is damaged")
        data = decompress(data, decompress(other["data"]) if other else b"")  # packed behind another one
    with tempfile.NamedTemporaryFile(suffix=".wgt") as copy:
        copy.write(data)
        copy.flush()
        return open_database(copy.name)[0]  # which stays open without its name
