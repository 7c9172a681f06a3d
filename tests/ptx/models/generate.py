#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the files of tests/ptx that the models work out.

  generate.py            writes those that changed
  generate.py --whole PATH   prints a file below tests/ptx with all values where it says a hash
  generate.py --check    ends with 1 if a file is not what its model makes, or if a file names a model that does not make it
"""
import importlib
import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
SOURCE = "// source: model: tests/ptx/models/"


def models():
    """Every module here that has files()."""
    sys.path.insert(0, HERE)
    for name in sorted(os.listdir(HERE)):
        if name.endswith(".py") and name not in ("generate.py", "files.py"):
            module = importlib.import_module(name[:-3])
            if hasattr(module, "files"):
                yield name, module


def made():
    """{path: (model, text)}"""
    found = {}
    for name, module in models():
        for path, text in module.files():
            if path in found:
                sys.exit(f"{path} is made by {found[path][0]} and by {name}")
            found[path] = (name, text)
    return found


def present():
    """{path: text} of the files that are there and name a model."""
    found = {}
    for folder, _, names in os.walk(ROOT):
        if os.path.relpath(folder, ROOT).split(os.sep)[0] in ("data", "models"):
            continue
        for name in names:
            if name.endswith(".ptx"):
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8") as file:
                    text = file.read()
                if SOURCE in text:
                    found[os.path.relpath(path, ROOT)] = text
    return found


def check(wanted, there):
    wrong = [f"{path}: missing" for path in wanted if path not in there]
    wrong += [f"{path}: not what models/{wanted[path][0]} makes" for path in there
              if path in wanted and there[path] != wanted[path][1]]
    ours = {name for name, _ in models()}
    for path, text in there.items():
        model = text.split(SOURCE, 1)[1].split("\n", 1)[0].split()[0]
        if path not in wanted and model in ours:
            wrong.append(f"{path}: models/{model} does not make it")
        elif not os.path.exists(os.path.join(HERE, model)):
            wrong.append(f"{path}: there is no models/{model}")
    return wrong


def main():
    if "--whole" in sys.argv[1:-1]:
        importlib.import_module("files").WHOLE = True
        print(made()[sys.argv[-1]][1], end="")
        return 0
    wanted, there = made(), present()
    if "--check" in sys.argv[1:]:
        wrong = check(wanted, there)
        print("\n".join(sorted(wrong)) or f"{len(wanted)} files are what the models make")
        return 1 if wrong else 0
    for path, (_, text) in wanted.items():
        if there.get(path) != text:
            os.makedirs(os.path.dirname(os.path.join(ROOT, path)), exist_ok=True)
            with open(os.path.join(ROOT, path), "w", encoding="utf-8") as file:
                file.write(text)
    print(f"{len(wanted)} files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
