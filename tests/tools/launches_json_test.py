# SPDX-License-Identifier: GPL-3.0-or-later
"""`warpglass-record launches --json` is what docs/programs.md says, read by Python's own parser."""
import json
import os
import re
import sys

from common import HERE, SOURCE, equal, record, record_driver_program, scratch


def documented():
    """Keys of the objects, and of operations by their kind, from the documentation."""
    with open(os.path.join(SOURCE, "docs", "programs.md"), encoding="utf-8") as file:
        text = file.read()
    block = re.search(r"--json` prints one object:\n\n```\n(.*?)```", text, re.S).group(1)
    whole = {}
    for name, inside in re.findall(r'"(\w+)": \[\{([^}]*)\}\]', block):
        whole[name] = set(re.findall(r'"(\w+)"', inside))
    top = set(re.findall(r'"(\w+)"', re.sub(r"\[\{[^}]*\}\]", "", block)))
    kinds = {kind: set(re.findall(r"`(\w+)`", more)) for kind, more in re.findall(
        r"^\| (\w+) \| ?(.*?)\|$", text[text.index("| kind | has also |"):], re.M) if kind != "kind"}
    return top, whole, kinds


def main():
    top, whole, kinds = documented()
    equal(sorted(whole), ["collectives", "devices", "graphs", "kernels", "messages", "operations", "processes", "streams"],
          "lists that are documented")
    equal(len(kinds), 9, "kinds that are documented")
    with scratch() as folder:
        file = record_driver_program(folder, "--launches", "1,3")
        text = record("launches", file, "--json").stdout
        equal(record("launches", folder, "--json").stdout, text, "of the folder")
        inside = json.loads(record("launches", record_driver_program(os.path.join(folder, "one.wgt")), "--json").stdout)
    answer = json.loads(text)
    equal(set(answer), top, "keys")
    equal(answer["exit_status"], 0, "exit status")
    equal(answer["lost"], 0, "lost operations")
    for stream in answer["streams"]:
        equal(set(stream), whole["streams"], "keys of a stream")
    equal(answer["processes"], [], "processes where there is one")
    equal((answer["graphs"], answer["collectives"]), ([], []), "graphs and collectives where there are none")
    equal([(d["process"], d["device"], d["launches"], d["copies"]) for d in answer["devices"]], [(0, 0, 5, 1)], "devices")
    for device in answer["devices"]:
        equal(set(device), whole["devices"], "keys of a device")
        assert 0 < device["busy_ns"] <= device["length_ns"], device
    for kernel in answer["kernels"]:
        equal(set(kernel), whole["kernels"], "keys of a kernel")
    for number, operation in enumerate(answer["operations"]):
        equal(operation["operation"], number, "number of an operation")
        assert operation["start_ns"] <= operation["end_ns"], operation
        always, more = whole["operations"], kinds[operation["kind"]]
        optional = {"hang"} | ({"trace"} if not operation.get("recorded") else set())
        equal(set(operation) | optional, always | more | optional, f"keys of a {operation['kind']}")
    # What driver_program.py does, in order.
    equal([o["kind"] for o in answer["operations"]],
          ["allocate", "fill"] + ["launch"] * 5 + ["copy", "free"], "operations")
    launches = [o for o in answer["operations"] if o["kind"] == "launch"]
    equal([o["launch"] for o in launches], [0, 1, 2, 3, 4], "numbers of launches")
    equal([o["kernel"] for o in launches], ["doubles"] * 3 + ["nothing"] * 2, "kernels")
    equal([o["grid"] for o in launches], [[1, 1, 1]] * 3 + [[2, 1, 1], [3, 1, 1]], "grids")
    equal([o["block"][0] for o in launches], [64] * 3 + [96] * 2, "blocks")
    equal([o["recorded"] for o in launches], [False, True, False, True, False], "recorded")
    equal([o["arguments"][1]["value"] for o in launches[:3]], ["40", "64", "3"], "the number handed over")
    for o in launches[:3]:
        pointer = o["arguments"][0]
        equal(set(pointer), {"type", "value", "allocation"}, "keys of a pointer")
        equal(set(pointer["allocation"]), {"address", "bytes", "offset", "memory"}, "keys of an allocation")
        equal((pointer["allocation"]["bytes"], pointer["allocation"]["offset"]), (256, 0), "allocation")
    equal([(k["name"], k["launches"], k["recorded"]) for k in answer["kernels"]],
          [("doubles", 3, 1), ("nothing", 2, 1)], "sums")
    for k in answer["kernels"]:  # how long the emulator worked is no kernel's time
        own = [o for o in launches if o["kernel"] == k["name"]]
        equal((k["duration_ns"], k["duration_origin"]), (sum(o["duration_ns"] for o in own), "estimate"), "time")
    # Each takes what a launch takes at least (650 ns behind others), and next to nothing more.
    for o in launches:
        assert 650 < o["duration_ns"] < 5000 and o["duration_origin"] == "estimate", o
    assert 0 < answer["estimate_error"] < 0.5, answer["estimate_error"]
    copy = answer["operations"][7]
    equal((copy["bytes"], copy["direction"]), (256, "dtoh"), "the copy")
    equal([o.get("trace") for o in inside["operations"] if o["kind"] == "launch" and o["recorded"]], ["", ""],
          "traces in the file itself")
    equal([o for o in launches if "hang" in o], [], "launches that hang")
    for chosen in ([], ["--detail", "none"]):  # one of two arrivals is missing, in a launch that was to be recorded or not
        with scratch() as folder:
            record("program", "-o", folder, *chosen, "--", sys.executable, os.path.join(HERE, "hanging_program.py"),
                   expect=None)
            operations = json.loads(record("launches", folder, "--json").stdout)["operations"]
        hang = next(o for o in operations if o["kind"] == "launch")["hang"]
        equal([(w["kind"], w["arrivals"]) for w in hang["waits"]], [("mbarrier", {"missing": 1, "expected": 2})], "the hang")


main()
