# SPDX-License-Identifier: GPL-3.0-or-later
"""What every command prints under --json keeps resources/schema, which knows no more and no fewer commands than there are."""
import copy
import glob
import json
import os
import re

from common import HERE, RECORD, SOURCE, SPIN, equal, record, record_driver_program, scratch, with_modules

with_modules("jsonschema")
from jsonschema import Draft202012Validator

SCHEMA = os.path.join(SOURCE, "resources", "schema", "warpglass.schema.json")
SCALE = os.path.join(SOURCE, "tests", "record", "scale.ptx")
VARIABLES = os.path.join(SOURCE, "tests", "emulator", "data", "variables.ptx")
REPORT = os.path.join(SOURCE, "tests", "profilers", "data", "raw.csv")
TTGIR = os.path.join(SOURCE, "tests", "ttgir", "data", "rowsum.ttgir")
# Words that are no enumeration's of the sources, but a few of one, or of several.
OWN_WORDS = [{"reached", "missed", "not_judged"}, {"measured", "modelled", "estimate", "none"},
             {"load", "store", "atomic", "shuffle"}]


def commands_with_json():
    help_text = record("--help").stdout
    names = re.findall(r"^  ([a-z]+) {2,}\S", help_text[help_text.index("Subcommands"):], re.M)
    assert len(names) >= 15, names
    return [name for name in names if re.search(r"^  --json\b", record(name, "--help").stdout, re.M)]


def words_of(folder):
    """For each command what is asked of it: so that each part of its object is there at least once."""
    spin, recording, other = (os.path.join(folder, n) for n in ("spin.ptx", "r.wgt", "o.wgt"))
    with open(spin, "w", encoding="utf-8") as file:
        file.write(SPIN)
    record("run", "transpose_smem", "--size", "64", "--accesses", "-o", recording)
    record("run", "reduceNeighbored", "--size", "1024", "--block", "64", "--accesses", "-o", other)
    wrong = os.path.join(folder, "wrong.ptx")  # the exercise's goals are missed
    with open(wrong, "w", encoding="utf-8") as file:
        file.write(SPIN)
    program = record_driver_program(os.path.join(folder, "program"))
    spec = os.path.join(folder, "budgets.toml")
    with open(spec, "w", encoding="utf-8") as file:
        file.write('[[kernel]]\nname = "s"\nrun = "transpose_smem --size 64"\nbudget.gld_transactions = 1\nbudget.shared_bank_conflicts = ">= 0"\n')
    launch = [SCALE, "--kernel", "scale", "--grid", "2", "--block", "64", "--arg", "in:f32[128]=iota"]
    more = ["--arg", "n:u32=128", "--arg", "step:f32=2"]
    scale, beyond = launch + ["--arg", "x:f32[128]=0"] + more, launch + ["--arg", "x:f32[8]=0"] + more
    variable = [VARIABLES, "--kernel", "sums", "--grid", "1", "--block", "4", "--arg", "in:i32[16]=iota", "--arg", "out:i32[4]=0",
                "--arg", "n:i32=100", "--word", "sum of block 0 thread 1"]
    return {
        "devices": [[], ["--device", "a100"]],
        "list": [[]],
        "run": [["mathKernel1", "--mode", "as-written"],
                ["reduceNeighbored", "--size", "4096", "--block", "128", "--timing"],
                scale, ["reduceNeighbored", "--size", "1024", "--block", "64", "--against", other],
                ["reduceInterleaved", "--size", "1024", "--block", "64", "--against", other],
                [spin, "--kernel", "spin", "--grid", "1", "--block", "32", "--arg", "flag:i32[1]=0",
                 "--max-instructions", "10000"],
                beyond, beyond + ["--on-fault", "report", "--check", "race,finite"], scale + ["--against", "twin"]],
        "why": [["transpose_naive", "--size", "64"]],
        "who": [scale + ["--word", "x[3]"], variable],
        "sweep": [["reduceNeighbored", "--size", "1024", "--block", "64,2048"]],
        "expect": [[spec]],
        "rank": [scale + ["--variant", "--block 64", "--variant", "--block 32"]],
        "metrics": [[recording], [recording, "--beside", REPORT, "--beside-launch", "1"]],
        "occupancy": [[], ["--cc", "8.0", "--registers", "255", "--threads", "1024"]],
        "swizzle": [[], [recording]],
        "layouts": [[TTGIR, "--lane", "3", "--element", "5,13"]],
        "grade": [["--list"], [wrong, "--exercise", "no-bank-conflict"]],
        "check": [["--document", "D4"]],
        "sass": [[recording], [recording, "--against", other]],
        "launches": [[program]],
    }


def with_more_members(answer, at=0):
    """The answer with one more member in an object: in the whole, and in each that a list or member of it holds first."""
    if isinstance(answer, dict):
        for name, inner in answer.items():
            if isinstance(inner, (dict, list)) and inner and at < 3:
                for changed in with_more_members(inner, at + 1):
                    yield {**answer, name: changed}
        yield {**answer, "undocumented": 1}
    elif isinstance(answer, list) and isinstance(answer[0], (dict, list)):
        for changed in with_more_members(answer[0], at):
            yield [changed, *answer[1:]]


def check_words(schema):
    """An enumeration of the schema has the words that the program's has."""
    known = []
    for path in glob.glob(os.path.join(SOURCE, "gpu", "**", "*.h"), recursive=True):
        with open(path, encoding="utf-8") as file:
            for words in re.findall(r"EnumWords\([^{;]*\{([^}]*)\}", file.read()):
                known.append(set(re.findall(r'"([^"]*)"', words)))
    for path in glob.glob(os.path.join(SOURCE, "app", "**", "*.cpp"), recursive=True):  # of commands alone
        with open(path, encoding="utf-8") as file:
            for words in re.findall(r"string_view names\[\] = \{([^}]*)\}", file.read()):
                known.append(set(re.findall(r'"([^"]*)"', words)))
    found = []

    def collect(part):
        if isinstance(part, dict):
            words = {w for w in part.get("enum", []) if isinstance(w, str)}
            if len(words) > 2:
                found.append(words)
            part = list(part.values())
        if isinstance(part, list):
            for inner in part:
                collect(inner)

    collect(schema)
    assert len(found) > 8, found
    for words in found:
        assert words in known or words in OWN_WORDS, f"no enumeration has the words {sorted(words)}"


def main():
    with open(SCHEMA, encoding="utf-8") as file:
        schema = json.load(file)
    Draft202012Validator.check_schema(schema)
    equal(json.loads(record("schema").stdout), schema, "what the command schema prints")
    check_words(schema["$defs"])
    with open(os.path.join(SOURCE, "docs", "json.md"), encoding="utf-8") as file:
        table = file.read().split("\n## ")[1]
    documented = re.findall(r"^\| `([a-z]+)` \|", table, re.M)
    commands = commands_with_json()
    equal(sorted(documented), sorted(commands), "commands in docs/json.md and those that take --json")
    with scratch() as folder:
        asked = words_of(folder)
        equal(sorted(asked), sorted(commands), "commands that are tried here and those that take --json")
        for command in commands:
            assert command in schema["$defs"], f"{command} has no object in {SCHEMA}"
            keeps = Draft202012Validator({"$ref": f"#/$defs/{command}", "$defs": schema["$defs"]})
            for words in asked[command]:
                done = record(command, *words, "--json", expect=None)
                assert done.returncode in (0, 1) and done.stdout, f"{command} {words}: {done.stderr}"
                answer = json.loads(done.stdout)
                for error in keeps.iter_errors(answer):
                    raise AssertionError(f"{command} {words}: at {list(error.absolute_path)}: {error.message[:400]}")
                # What the schema does not tell is not taken: of a map by names everything is told alike.
                assert not keeps.is_valid({**copy.deepcopy(answer), "undocumented": 1}), f"{command} takes any member"
                refused = [not keeps.is_valid(more) for more in with_more_members(answer)]
                assert all(refused[-1:]) and sum(refused) >= 0.8 * len(refused), f"{command}: {refused}"


main()
