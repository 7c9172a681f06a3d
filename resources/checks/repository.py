#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What no compiler checks. Each check prints what is wrong and the program ends with 1 if anything was.

  repository.py docs            every path named in README.md and docs/ exists, and every test named in docs/faults.md
  repository.py messages        every message of the catalogue is said somewhere, and whose errors have one have all of them there;
                                no number is put into a text of a file
  repository.py spdx FILE...    a source begins with its licence
  repository.py size FILE...    nothing over 3 MiB is committed
"""
import csv
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDERS = ("app", "gpu", "views", "tests", "resources", "docs")
LARGEST = 3 * 1024 * 1024
SOURCES = (".cpp", ".h", ".cu", ".py", ".cmake", ".awk", ".inl", ".in", "CMakeLists.txt")


def named_paths(text):
    """Paths from the root, as `views/lanes/lanes_view.cpp`, and targets of links; those with a placeholder are none."""
    for match in re.finditer(r"`([^`\s]+)`|\]\(([^)#\s]+)[^)]*\)", text):
        quoted, link = match.groups()
        if quoted and quoted.split("/")[0] in FOLDERS and "/" in quoted and not re.search(r"[A-Z]{3}|[*{}<>]", quoted):
            yield quoted.rstrip("/"), False
        elif link and not re.match(r"[a-z]+:", link):
            yield link, True


def places_of_a_machine(text):
    """Absolute paths that end in one of ours: where somebody's copy lay. /path/to is everybody's."""
    for whole, ours in re.findall(rf"(?<![\w.~<>$-])(/(?!path/to/)(?:[\w.-]+/)+?((?:{'|'.join(FOLDERS)})/[\w./-]+))", text):
        if os.path.exists(os.path.join(ROOT, ours.rstrip("."))):
            yield whole


def check_docs():
    documents = ["README.md"] + sorted(
        os.path.join("docs", name) for name in os.listdir(os.path.join(ROOT, "docs")) if name.endswith(".md"))
    wrong, seen = [], 0
    for document in documents:
        with open(os.path.join(ROOT, document), encoding="utf-8") as file:
            text = file.read()
        for path, is_link in named_paths(text):
            seen += 1
            base = os.path.dirname(document) if is_link else ""
            if not os.path.exists(os.path.join(ROOT, base, path)):
                wrong.append(f"{document}: there is no {path}")
        wrong += [f"{document}: {whole} is a place on one machine" for whole in places_of_a_machine(text)]
    if seen < 10:
        wrong.append(f"only {seen} paths were found in {', '.join(documents)}: are they still read rightly?")
    return (wrong + pairs_untold() + tests_missing() + places_unchecked() + emulator_reached() + layout_untold()
            + features_entangled() + rooms_upside_down())


def all_tests():
    """Every `Suite.test`, `Suite.*`, and `test_file: slot` of the window's."""
    known = set()
    for folder, _, names in os.walk(os.path.join(ROOT, "tests")):
        for name in names:
            if not name.endswith(".cpp"):
                continue
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                text = file.read()
            for suite, test in re.findall(r"^TEST(?:_[FP])?\((\w+), (\w+)\)", text, re.M):
                known |= {f"{suite}.{test}", f"{suite}.*"}
            known |= {f"{name[:-4]}: {slot}" for slot in re.findall(r"^    void (\w+)\(\)", text, re.M)}
    return known


def tests_missing():
    """What docs/faults.md names as a test is one."""
    known = all_tests()
    with open(os.path.join(ROOT, "docs", "faults.md"), encoding="utf-8") as file:
        rows = [line for line in file if line.startswith("| ") and not line.startswith("| given")]
    wrong = []
    for row in rows:
        named = re.findall(r"`(\w+(?:\.|: )[\w*]+)`", row.split("|")[3])
        if not named:
            wrong.append(f"docs/faults.md: no test for {row.split('|')[1].strip()}")
        wrong += [f"docs/faults.md: there is no test {test}" for test in named if test not in known]
    if len(rows) < 20:
        wrong.append(f"docs/faults.md: only {len(rows)} faults were found: are they still read rightly?")
    return wrong


def places_unchecked():
    """Each row of docs/security.md's "Numbers that become places" names a file that has the check, the type that only the check makes, and a
    test."""
    with open(os.path.join(ROOT, "docs", "security.md"), encoding="utf-8") as file:
        text = file.read()
    section = re.search(r"^## Numbers that become places\n(.*?)^## ", text, re.M | re.S).group(1)
    rows = [line.split("|")[1:-1] for line in section.splitlines() if line.startswith("| ") and "checked in" not in line]
    sources = [os.path.join(folder, name) for folder, _, names in os.walk(os.path.join(ROOT, "gpu")) for name in names]
    with open(os.path.join(ROOT, "tests", "emulator", "within_test.cpp"), encoding="utf-8") as file:
        held = file.read()
    known, wrong, types = all_tests(), [], 0
    for number, checked, _, carried, tests in rows:
        for name, where in re.findall(r"`(\w+)` \(`([^`]+)`\)", carried):
            types += 1
            with open(os.path.join(ROOT, "gpu", "emulator", where), encoding="utf-8") as file:
                if not re.search(rf"^class {name} {{", file.read(), re.M) or not re.search(rf"\b{name}\b", held):
                    wrong.append(f"docs/security.md: {number.strip()}: {where} has no class {name}, or within_test.cpp does not hold it")
        content = None
        for word in re.findall(r"`([^`]+)`", checked):
            if word.endswith((".cpp", ".h")):
                found = [path for path in sources if path.endswith("/" + word)]
                if len(found) != 1:
                    wrong.append(f"docs/security.md: {len(found)} files are {word}")
                content = "".join(open(path, encoding="utf-8").read() for path in found)
            elif content is None or not re.search(rf"\b{word}\b", content):
                wrong.append(f"docs/security.md: {number.strip()}: no {word} in the file that is named before it")
        named = re.findall(r"`(\w+\.\w+)`", tests)
        if content is None or not named:
            wrong.append(f"docs/security.md: {number.strip()}: no file or no test")
        wrong += [f"docs/security.md: there is no test {test}" for test in named if test not in known]
    if len(rows) < 15 or types < 8:
        wrong.append(f"docs/security.md: only {len(rows)} places and {types} types were found: are they still read rightly?")
    return wrong


def emulator_reached():
    """The emulator is started by the cage, by the one place that knows whose a kernel is, and by programs' own library."""
    may = ("gpu/emulator/", "gpu/virtual/", "gpu/cage/process/", "app/session/session.cpp",
           "app/session/uncounted.cpp")  # the last for names of functions
    wrong = []
    for top in ("app", "gpu", "views"):
        for folder, _, names in os.walk(os.path.join(ROOT, top)):
            for path in (os.path.relpath(os.path.join(folder, name), ROOT) for name in names):
                if path.endswith((".cpp", ".h")) and not path.startswith(may):
                    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
                        if re.search(r'^#include "gpu/emulator/', file.read(), re.M):
                            wrong.append(f"{path}: names the emulator, which docs/security.md keeps to {', '.join(may)}")
    return wrong


def rooms_upside_down():
    """A room of the emulator includes headers of those alone that its line in CMakeLists.txt names, and of what these name."""
    emulator = os.path.join(ROOT, "gpu", "emulator")
    with open(os.path.join(emulator, "CMakeLists.txt"), encoding="utf-8") as file:
        lines = re.findall(r"^emulator_room\((\w+) LINK ([^)]*)\)", file.read(), re.M)
    reaches, wrong = {}, []
    for room, link in lines:
        own = [word for word in link.split() if not word.startswith("wg_") and "::" not in word]
        wrong += [f"gpu/emulator/CMakeLists.txt: {room} stands before {other}" for other in own if other not in reaches]
        reaches[room] = {room}.union(*(reaches.get(other, set()) for other in own))
    for folder, _, names in os.walk(emulator):
        room = os.path.relpath(folder, emulator).split(os.sep)[0]
        if room != "." and room not in reaches:
            wrong.append(f"gpu/emulator/{room}: no room of CMakeLists.txt")
        for name in (name for name in names if room in reaches and name.endswith((".cpp", ".h"))):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                included = re.findall(r'^#include "gpu/emulator/(?:(\w+)/)?[\w/]+\.h"', file.read(), re.M)
            wrong += [f"gpu/emulator/{room}/{name}: reaches up to {other or 'the emulator itself'}"
                      for other in sorted(set(included) - reaches[room])]
    return wrong + ([] if len(lines) > 10 else ["gpu/emulator: few rooms were found: are they still read rightly?"])


def features_entangled():
    """A feature of the window knows another only where it is built upon it, never in a circle; what all of them stand on
    knows none of them; and app/window/features.cpp names them all."""
    window = os.path.join(ROOT, "app", "window")
    parts = ("top/top_bar", "play/transport_bar", "sides/side_dock")  # of the frame, which has them built before any feature
    knows, wrong = {}, []
    for folder, _, names in os.walk(window):
        room = os.path.relpath(folder, window)
        for name in (name for name in names if name.endswith((".cpp", ".h"))):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                included = re.findall(r'^#include "app/window/(\w+)/(\w+)\.h"', file.read(), re.M)
            for other, header in included:
                feature = other not in ("model", "panels", room)
                if room not in (".", "model", "panels") and feature:
                    knows.setdefault(room, set()).add(other)
                elif feature and name not in ("features.cpp", "main.cpp") and f"{other}/{header}" not in parts:
                    wrong.append(f"app/window/{os.path.normpath(os.path.join(room, name))}: knows the feature {other}")
    with open(os.path.join(window, "features.cpp"), encoding="utf-8") as file:
        listed = set(re.findall(r'^#include "app/window/(\w+)/', file.read(), re.M))
    there = {room for room in os.listdir(window) if os.path.isfile(os.path.join(window, room, f"{room}_feature.h"))}
    wrong += [f"app/window/features.cpp: its list and the folders differ in {room}" for room in sorted(listed ^ there)]
    while ends := [room for room in knows if not knows[room] & knows.keys()
                   or not any(room in others for others in knows.values())]:
        for room in ends:
            del knows[room]
    wrong += [f"app/window/{room}: in a circle with {', '.join(sorted(knows[room] & knows.keys()))}" for room in sorted(knows)]
    return wrong + ([] if len(there) > 15 else ["app/window: few features were found: are they still read rightly?"])


def layout_untold():
    """Every room of gpu stands in README's layout and in architecture.md's table, which also has app's; nothing else does. All
    views are in README's table, every word of ./dev in its list, and a newcomer reads it to the end."""
    def folders(under):
        return {name for name in os.listdir(os.path.join(ROOT, under)) if os.path.isfile(os.path.join(ROOT, under, name, "CMakeLists.txt"))}

    def read(path):
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            return file.read()
    readme, architecture, wrong = read("README.md"), read("docs/architecture.md"), []
    told = set(re.findall(r"^  ([a-z]\w*) {2,}", readme.split("```\napp/")[1].split("```")[0], re.M))
    wrong += [f"README.md: its layout and gpu/ differ in {name}" for name in sorted(told ^ folders("gpu"))]
    rows = set(re.findall(r"^\| `([a-z_]+/[a-z_]+)`", architecture, re.M))
    there = {f"{top}/{name}" for top in ("gpu", "app") for name in folders(top)}
    wrong += [f"docs/architecture.md: its table lacks {name}" for name in sorted(there - rows)]
    views = folders("views") - {"common"}
    shown = len(re.findall(r"^\| [A-Z][a-z ]+ \|", readme.split("| view |")[1].split("\n\n")[0], re.M))
    if shown != len(views):
        wrong.append(f"README.md: its table tells {shown} views, and there are {len(views)}")
    words = {word for line in re.findall(r"^#   \./dev ([a-z |]+)", read("dev"), re.M) for word in line.split("|")[0].split()[:1]
             + [part.split()[0] for part in line.split("|")[1:] if part.split()]}
    wrong += [f"README.md: there is no word of ./dev's {word}" for word in sorted(words) if f"`{word}`" not in readme]
    if len(readme.encode()) > 8 * 1024:
        wrong.append("README.md: over 8 KiB")
    return wrong


def pairs_untold():
    """The table of pairs of docs/model.md is that of resources/model/pairs.csv, which the program quotes."""
    with open(os.path.join(ROOT, "docs", "model.md"), encoding="utf-8") as file:
        lines = file.read().splitlines()
    with open(os.path.join(ROOT, "resources", "model", "pairs.csv"), encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    wrong = []
    for row in rows:
        first, second = row["first"].split()[0], row["second"].split()[0]
        told = f"| {row['measured_pct']} % | {row['predicted_pct']} % |"
        if not any(line.startswith(f"| {first}, {second}, ") and line.endswith(told) for line in lines):
            wrong.append(f"docs/model.md: its table of pairs lacks {first}, {second} ... {told}")
    if len(rows) < 10:
        wrong.append("resources/model/pairs.csv: fewer pairs than docs/model.md has had")
    return wrong


# Whose errors and notes all have an identifier: none is made of a text that stands in the code.
TYPED = ["app/session", "app/window", "gpu", "views"]
UNTYPED = re.compile(r"(?:\bError\{\s*|\.(?:message|remedy|reason) =\s*|"
                     r"\b(?:fail|refuse|refusal|wrong|tensorFault)\((?:[^()\";]*(?:\([^()]*\))?[^()\";]*, )?)"
                     r"(?:\"(?![\w-]+\",)|fmt::format\()")  # but for a function's or an option's name before the words


def messages_untold():
    """Each message of the catalogue is said somewhere; and what says something has a message of the catalogue."""
    folder = os.path.join(ROOT, "gpu", "base", "messages")
    known = {}
    for name in sorted(os.listdir(folder)):
        if name.endswith(".inl") and name != "declare.inl":
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                told = file.read().partition("\n// The same, as older recordings tell it\n")[0]
                for word in re.findall(r"^(?:SENTENCE|MESSAGE)\((\w+),", told, re.MULTILINE):
                    known[word] = name
    said, wrong = set(), []
    for top in ("gpu", "app", "views"):
        for at, _, names in os.walk(os.path.join(ROOT, top)):
            for name in names:
                if not name.endswith((".cpp", ".h")):
                    continue
                path = os.path.join(at, name)
                with open(path, encoding="utf-8") as file:
                    text = file.read()
                said.update(re.findall(r"\bsay::(\w+)", text))
                place = os.path.relpath(path, ROOT)
                if place.startswith(tuple(TYPED)) and not place.endswith("enum_words.h"):  # words of options stay English
                    for found in UNTYPED.finditer(text):
                        line = text.count("\n", 0, found.end()) + 1
                        wrong.append(f"{place}:{line}: is said without a message of gpu/base/messages")
    wrong += [f"gpu/base/messages/{known[word]}: nobody says {word}" for word in sorted(set(known) - said)]
    return wrong


# Words that stand for text out of a file, in what is put into a sentence.
OF_FILES = re.compile(r"csvField|QString::from|fileName|errorString|(?:->|\.|^)\w*(?:[nN]ame|title|label|text|instruction|kernel|category)\b(?!\()|\w*Name\(")


def chained_arguments():
    """x.arg(name).arg(n) puts n into a %2 of the name: a text goes in together with what follows it, x.arg(name, n)."""
    wrong = []
    for top in ("app", "views"):
        for at, _, names in os.walk(os.path.join(ROOT, top)):
            for path in sorted(os.path.join(at, name) for name in names if name.endswith((".cpp", ".h"))):
                with open(path, encoding="utf-8") as file:
                    text = file.read()
                for first in re.finditer(r"\.arg\(", text):
                    depth, end = 1, first.end()
                    while depth and end < len(text):
                        depth += {"(": 1, ")": -1}.get(text[end], 0)
                        end += 1
                    if re.match(r"\s*\.arg\(", text[end:]) and OF_FILES.search(text[first.end():end - 1]):
                        place = os.path.relpath(path, ROOT)
                        wrong.append(f"{place}:{text.count(chr(10), 0, end) + 1}: puts a number into a text of a file, which may hold %2")
    return wrong


def check_spdx(files):
    wrong = []
    for path in files:
        if not path.endswith(SOURCES):
            continue
        with open(path, encoding="utf-8", errors="replace") as file:
            if "SPDX-License-Identifier:" not in "".join(file.readlines()[:3]):
                wrong.append(f"{path}: no SPDX-License-Identifier in its first lines")
    return wrong


def check_size(files):
    return [f"{path}: over {LARGEST >> 20} MiB" for path in files if os.path.getsize(path) > LARGEST]


def main():
    what = sys.argv[1] if len(sys.argv) > 1 else ""
    if what == "docs":
        wrong = check_docs()
    elif what == "messages":
        wrong = messages_untold() + chained_arguments()
    elif what == "spdx":
        wrong = check_spdx(sys.argv[2:])
    elif what == "size":
        wrong = check_size(sys.argv[2:])
    else:
        print(__doc__)
        return 2
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
