# SPDX-License-Identifier: GPL-3.0-or-later
"""The line for GNU parallel in docs/sweeps.md does what it says, also after one of its processes was killed."""
import os
import re
import shutil
import signal
import subprocess
import time

from common import RECORD, SOURCE, equal, record, run, scratch, skip


def main():
    parallel = shutil.which("parallel")
    if not parallel or "GNU" not in run(parallel, "--version", expect=None).stdout:
        skip("GNU parallel is not found")
    with open(os.path.join(SOURCE, "docs", "sweeps.md"), encoding="utf-8") as file:
        line = re.search(r"^seq \d+ \| parallel .*$", file.read(), re.M).group(0)
    # Fewer and smaller launches; the words stay.
    line = line.replace("seq 16", "seq 3").replace("/16", "/3").replace("65536,1048576", "4096,8192")
    line = line.replace("parallel ", "parallel --will-cite -j 2 ", 1)
    words = re.search(r"warpglass-record (sweep .*?) --part", line).group(1).split()
    with scratch() as folder:
        environment = dict(os.environ, HOME=folder, PATH=os.path.dirname(RECORD) + ":" + os.environ["PATH"])
        # A part that is killed as soon as it has begun; parallel then goes on with it.
        part = [RECORD, *words, "--part", "2/3", "-o", "part-2"]
        begun = subprocess.Popen(part, cwd=folder, stdout=subprocess.DEVNULL)
        unfinished = os.path.join(folder, "part-2.unfinished")
        for _ in range(1000):
            if os.path.exists(unfinished) or begun.poll() is not None:
                break
            time.sleep(0.01)
        begun.send_signal(signal.SIGKILL)
        begun.wait()
        run("sh", "-c", line, cwd=folder, env=environment)
        equal(sorted(f for f in os.listdir(folder) if f.startswith("part")), ["part-1", "part-2", "part-3"], "the parts")
        record("sweep", "--merge", *[os.path.join(folder, f"part-{n}") for n in (1, 2, 3)], "--csv",
               os.path.join(folder, "merged.csv"))
        record(*words, "--csv", os.path.join(folder, "whole.csv"))
        with open(os.path.join(folder, "merged.csv"), "rb") as merged, open(os.path.join(folder, "whole.csv"), "rb") as whole:
            equal(merged.read(), whole.read(), "the merged table")


main()
