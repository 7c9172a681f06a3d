#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the files of tests/ptx that the models work out. Short ones are kept there; of the others only a hash is kept, in
made.txt, and the build writes them into its own folder.

  generate.py            writes what is kept: short files that changed, and the hashes of the others
  generate.py FOLDER     writes all of them there
  generate.py --whole PATH   prints a file with all values where it says a hash
  generate.py --check FOLDER   ends with 1 if a file there is not the one that is kept, or has another hash, or if a file that
                         is kept names a model that does not make it
"""
import hashlib
import importlib
import multiprocessing
import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
HASHES = os.path.join(ROOT, "made.txt")
SOURCE = "// source: model: tests/ptx/models/"
KEPT_BYTES = 2000
sys.path.insert(0, HERE)


def is_kept(text):
    return len(text.encode()) <= KEPT_BYTES


def hash_of(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def models():
    """Names of the modules here that have files()."""
    names = sorted(name for name in os.listdir(HERE) if name.endswith(".py") and name not in ("generate.py", "files.py"))
    return [name for name in names if hasattr(importlib.import_module(name[:-3]), "files")]


def made_by(name):
    """[(path, text)]"""
    return list(importlib.import_module(name[:-3]).files())


def made():
    """{path: (model, text)}"""
    found = {}
    names = models()
    with multiprocessing.get_context("fork").Pool() as pool:  # which have WHOLE, too
        for name, files in zip(names, pool.map(made_by, names, chunksize=1)):
            for path, text in files:
                if path in found:
                    sys.exit(f"{path} is made by {found[path][0]} and by {name}")
                found[path] = (name, text)
    return found


def present(root):
    """{path: text} of the files that are there and name a model."""
    found = {}
    for folder, _, names in os.walk(root):
        if os.path.relpath(folder, root).split(os.sep)[0] in ("data", "models"):
            continue
        for name in names:
            if name.endswith(".ptx"):
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8") as file:
                    text = file.read()
                if SOURCE in text:
                    found[os.path.relpath(path, root)] = text
    return found


def hashes():
    """{path: hash} of the files that are not kept."""
    with open(HASHES, encoding="utf-8") as file:
        return {path: hash_ for hash_, path in (line.split() for line in file if not line.startswith("#"))}


def check(wanted):
    """wanted: {path: text} of what the models have made."""
    kept, hashed = present(ROOT), hashes()
    wrong = [f"{path}: not kept, and made.txt has no hash of it" for path in wanted
             if path not in kept and path not in hashed]
    wrong += [f"{path}: not what its model makes" for path in kept if wanted.get(path, kept[path]) != kept[path]]
    wrong += [f"{path}: made.txt has another hash" for path, hash_ in hashed.items()
              if path in wanted and hash_of(wanted[path]) != hash_]
    wrong += [f"{path}: no model makes it" for path in hashed if path not in wanted]
    ours = models()
    for path, text in kept.items():
        model = text.split(SOURCE, 1)[1].split("\n", 1)[0].split()[0]
        if path not in wanted and model in ours:
            wrong.append(f"{path}: models/{model} does not make it")
        elif not os.path.exists(os.path.join(HERE, model)):
            wrong.append(f"{path}: there is no models/{model}")
    return wrong


def write(root, files):
    """files: {path: text}, of which those that are there already stay as they are."""
    there = present(root)
    for path, text in files.items():
        if there.get(path) != text:
            os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
            with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                file.write(text)


def main():
    if "--whole" in sys.argv[1:-1]:
        importlib.import_module("files").WHOLE = True
        print(made()[sys.argv[-1]][1], end="")
        return 0
    if "--check" in sys.argv[1:-1]:
        wanted = present(sys.argv[-1])
        wrong = check(wanted)
        print("\n".join(sorted(wrong)) or f"{len(wanted)} files are what is kept of them")
        return 1 if wrong else 0
    wanted = {path: text for path, (_, text) in made().items()}
    if len(sys.argv) == 2:
        write(sys.argv[1], wanted)
        for path in set(present(sys.argv[1])) - set(wanted):
            os.remove(os.path.join(sys.argv[1], path))
    else:
        write(ROOT, {path: text for path, text in wanted.items() if is_kept(text)})
        for path in set(present(ROOT)) & set(wanted):
            if not is_kept(wanted[path]):
                os.remove(os.path.join(ROOT, path))
        with open(HASHES, "w", encoding="utf-8") as file:
            file.write("# What models/generate.py makes beyond the files that are kept: the first 16 digits of SHA-256, the path.\n")
            file.writelines(f"{hash_of(text)} {path}\n" for path, text in sorted(wanted.items()) if not is_kept(text))
    print(f"{len(wanted)} files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
