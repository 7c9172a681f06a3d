# SPDX-License-Identifier: GPL-3.0-or-later
"""The tasks in docs/editors.md are JSON that an editor reads, their commands run, and their patterns find the problems."""
import json
import os
import re
import subprocess
import time

from common import RECORD, SOURCE, equal, find_nvcc, run, scratch, skip

GOOD = """
__global__ void write(int* x) {
    x[threadIdx.x + 16] = 1;
}
int main() {
    int* x;
    cudaMalloc(&x, 128);
    write<<<1, 32>>>(x);
    return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 0 : 1;
}
"""
BAD = "__global__ void write(int* x) {\n    *x = y;\n}\nint main() {\n    z();\n}\n"


def tasks():
    with open(os.path.join(SOURCE, "docs", "editors.md"), encoding="utf-8") as file:
        return json.loads(re.search(r"```json\n(.*?)```", file.read(), re.S).group(1))


def words_of(task, file):
    folder, name = os.path.split(file)
    put = {"${file}": file, "${fileDirname}": folder, "${fileBasenameNoExtension}": os.path.splitext(name)[0]}
    words = [os.path.join(os.path.dirname(RECORD), task["command"])] + task["args"]
    for variable, value in put.items():
        words = [w.replace(variable, value) for w in words]
    assert not any("${" in w for w in words), words
    return words


def problems(task, text):
    found = []
    for matcher in task["problemMatcher"]:
        pattern = matcher["pattern"]
        for line in text.splitlines():
            if match := re.match(pattern["regexp"], line):
                found.append((os.path.basename(match[pattern["file"]]), int(match[pattern["line"]]),
                              match[pattern["message"]]))
    return found


def main():
    all_of_them = tasks()
    equal(all_of_them["version"], "2.0.0", "version of the tasks")
    record, look, pad = all_of_them["tasks"]
    equal(look["dependsOn"], record["label"], "what has to be recorded first")
    with scratch() as folder:
        file = os.path.join(folder, "my app.cu")
        with open(file, "w", encoding="utf-8") as text:
            text.write(GOOD)
        window = os.path.join(os.path.dirname(RECORD), "warpglass")
        if os.access(window, os.X_OK): # an empty folder in place of the user's settings
            environment = dict(os.environ, QT_QPA_PLATFORM="offscreen", XDG_CONFIG_HOME=folder)
            shown = subprocess.Popen(words_of(pad, file), env=environment, stderr=subprocess.DEVNULL)
            time.sleep(2)
            equal(shown.poll(), None, "the window is open")
            shown.terminate()
            shown.wait(20)
        if not find_nvcc():
            skip("the tasks are sound, and nvcc is not found to run them")
        done = run(*words_of(record, file))
        recorded = words_of(look, file)[1]
        assert os.path.exists(recorded), recorded
        faults = problems(record, done.stderr)
        equal([p[:2] for p in faults], [("my app.cu", 3)], "the fault's place, of\n" + done.stderr)
        assert "16" in faults[0][2] or "past the end" in faults[0][2], faults
        with open(file, "w", encoding="utf-8") as text:
            text.write(BAD)
        done = run(*words_of(record, file), expect=2)
        found = problems(record, done.stderr)
        equal([p[:2] for p in found], [("my app.cu", 2), ("my app.cu", 5)], "the compiler's errors, of\n" + done.stderr)
        assert '"y" is undefined' in found[0][2] and '"z" is undefined' in found[1][2], found


main()
