# SPDX-License-Identifier: GPL-3.0-or-later
"""python3 -m warpglass FILE [--json]: the branches of a launch, or the launches of a program, read without Warpglass's programs."""
import argparse
import json
import sys

from . import recording


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
    parser = argparse.ArgumentParser(prog="python3 -m warpglass", description=__doc__)
    parser.add_argument("file")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    words = parser.parse_args()
    try:
        found = recording.open(words.file)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    if isinstance(found, recording.Program):
        answer = {"command": found.info["command"], "exit_status": found.info["exit_status"],
                  "operations": len(found.operations), "kernels": found.sums(), "launches": found.launches}
    else:
        answer = {"warps": len(found.warps["block"]), "events": len(found.events["kind"]), "branches": found.branches()}
    if words.json:
        print(json.dumps(answer))
    elif isinstance(found, recording.Program):
        print_launches(answer)
    else:
        print_branches(answer)
    return 0


if __name__ == "__main__":
    sys.exit(main())
