# SPDX-License-Identifier: GPL-3.0-or-later
"""Finding and running Warpglass's programs."""
import json
import os
import shutil
import subprocess


class WarpglassError(RuntimeError):
    """What a program refused or could not do, in its own words; status: its exit status (1 it failed, 2 wrong input)."""

    def __init__(self, text, status=2):
        super().__init__(text)
        self.status = status


def _found(variable, name, beside=None):
    named = os.environ.get(variable)
    if named:
        if os.access(named, os.X_OK):
            return named
        raise WarpglassError(f"{variable} names no program: {named}")
    for folder in (beside, None):
        program = shutil.which(name, path=folder)
        if program:
            return program
    raise WarpglassError(f"{name} is not on PATH: install Warpglass, or set {variable} to where it is")


def record_program():
    """Path of warpglass-record: by WARPGLASS_RECORD, else on PATH."""
    return _found("WARPGLASS_RECORD", "warpglass-record")


def window_program():
    """Path of warpglass, which paints: by WARPGLASS, beside warpglass-record, else on PATH."""
    try:
        beside = os.path.dirname(os.path.abspath(record_program()))
    except WarpglassError:
        beside = None
    return _found("WARPGLASS", "warpglass", beside)


def _sentence(done):
    """What a program said on standard error, without its name before each line."""
    name = os.path.basename(done.args[0]) + ": "
    return "\n".join(line.removeprefix(name) for line in done.stderr.splitlines()).strip()


def call(program, *words, statuses=(0,)):
    """Runs it, without a display. Returns what it ended with: returncode, stdout and stderr as texts.

    Raises WarpglassError for an exit status that is none of statuses.
    """
    settings = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True, encoding="utf-8",
                          errors="replace", env=settings, stdin=subprocess.DEVNULL, check=False)
    if done.returncode not in statuses:
        raise WarpglassError(_sentence(done) or f"it ended with {done.returncode}", done.returncode)
    return done


def ask(command, *words, statuses=(0,)):
    """The object that a command of warpglass-record prints under --json (docs/json.md)."""
    done = call(record_program(), command, *words, "--json", statuses=statuses)
    try:
        return json.loads(done.stdout)
    except ValueError:
        raise WarpglassError(_sentence(done) or "it printed no object", done.returncode) from None
