# SPDX-License-Identifier: GPL-3.0-or-later
"""What is installed works from where it is put: the programs find their companions in lib/warpglass, a program of
somebody else's finds the libraries by find_package(), and the desktop's files speak of what is there."""
import configparser
import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as xml

from common import HERE, RECORD, SOURCE, equal, run, scratch, skip

BUILD = os.path.dirname(os.path.dirname(RECORD))
NAMES = {"s": "http://www.freedesktop.org/standards/shared-mime-info"}


def install(prefix, component):
    run("cmake", "--install", BUILD, "--prefix", prefix, "--component", component)


def files_of(prefix):
    return sorted(os.path.relpath(os.path.join(folder, f), prefix) for folder, _, files in os.walk(prefix) for f in files)


def check_record(prefix, folder):
    """Recording a program needs the virtual device, which is a package of its own."""
    recorder = os.path.join(prefix, "bin", "warpglass-record")
    words = [recorder, "program", "-o", os.path.join(folder, "one.wgt"), "--", sys.executable,
             os.path.join(HERE, "driver_program.py")]
    refused = run(*words, expect=2)
    assert "warpglass-virtual" in refused.stderr, refused.stderr
    install(prefix, "virtual")
    run(*words)
    launches = json.loads(run(recorder, "launches", os.path.join(folder, "one.wgt"), "--json").stdout)
    assert any(o["kind"] == "launch" and o["recorded"] for o in launches["operations"]), launches
    # Who compiles without nvcc starts a process of ours.
    source = os.path.join(folder, "k.cu")
    with open(source, "w", encoding="utf-8") as file:
        file.write('extern "C" __global__ void k(int* x) { x[threadIdx.x] = 1; }\n')
    bare = {k: v for k, v in os.environ.items() if k not in ("CUDA_HOME", "CUDA_PATH")}
    bare["PATH"] = "/usr/bin:/bin"
    said = run(recorder, "run", source, "--arg", "x:i32[32]=0", expect=None, env=bare)
    assert "no part for GPUs" not in said.stderr, said.stderr


def check_library(prefix, folder):
    install(prefix, "library")
    tree = os.path.join(folder, "emulate")
    run("cmake", "-S", os.path.join(SOURCE, "resources", "examples", "emulate"), "-B", tree,
        f"-DCMAKE_PREFIX_PATH={prefix}")
    cache = open(os.path.join(tree, "CMakeCache.txt"), encoding="utf-8").read()
    equal(re.search(r"^WARPGLASS_RECORD:FILEPATH=(.*)$", cache, re.M).group(1),
          os.path.join(prefix, "bin", "warpglass-record"), "the recorder that find_package() found")
    run("cmake", "--build", tree)
    for file in files_of(os.path.join(prefix, "lib", "cmake")):
        text = open(os.path.join(prefix, "lib", "cmake", file), encoding="utf-8").read()
        assert SOURCE not in text and "-Werror" not in text, file + " knows where it was built, or how"
    file = os.path.join(folder, "out.wgt")
    printed = dict(re.findall(r"^(\w+) = (\S+)", run(os.path.join(tree, "emulate"), "reduceNeighbored", file).stdout, re.M))
    told = json.loads(run(os.path.join(prefix, "bin", "warpglass-record"), "metrics", file, "--json").stdout)["metrics"]
    for name in ("branch_efficiency", "warp_execution_efficiency", "gld_transactions"):
        value = told[name]["value"]
        assert abs(float(printed[name]) - value) <= 1e-5 * max(1, abs(value)), (name, printed[name], value)


def check_window(prefix):
    install(prefix, "window")
    share = os.path.join(prefix, "share")
    entry = configparser.ConfigParser(interpolation=None, strict=False)
    entry.optionxform = str
    name = "org.warpglass.Warpglass"
    entry.read(os.path.join(share, "applications", name + ".desktop"), encoding="utf-8")
    entry = entry["Desktop Entry"]
    program, argument = entry["Exec"].split()
    equal(argument, "%f", "what the desktop entry gives the program")
    equal(run(os.path.join(prefix, "bin", program), "--version").stdout,
          run(os.path.join(prefix, "bin", "warpglass-record"), "--version").stdout, "versions")
    icons = os.path.join(share, "icons", "hicolor", "scalable")
    assert os.path.exists(os.path.join(icons, "apps", entry["Icon"] + ".svg"))
    kind = xml.parse(os.path.join(share, "mime", "packages", name + ".xml")).getroot().find("s:mime-type", NAMES)
    equal(entry["MimeType"], kind.get("type") + ";", "the type of file")
    equal(kind.find("s:glob", NAMES).get("pattern"), "*.wgt", "its ending")
    assert os.path.exists(os.path.join(icons, "mimetypes", kind.get("type").replace("/", "-") + ".svg"))
    about = xml.parse(os.path.join(share, "metainfo", name + ".metainfo.xml")).getroot()
    equal(about.find("id").text, name, "the application's name")
    equal(about.find("launchable").text, name + ".desktop", "what starts it")
    equal(about.find("provides/mediatype").text, kind.get("type"), "what it opens")
    # The magic numbers are those that stand in our files.
    marks = [m.get("value") for m in kind.findall("s:magic/s:match/s:match", NAMES)]
    recordings = os.path.join(SOURCE, "resources", "recordings")
    for file in os.listdir(recordings):
        with open(os.path.join(recordings, file), "rb") as data:
            start = data.read(72)
        assert start.startswith(b"SQLite format 3") and start[68:].decode() in marks, file


def check_descriptions(prefix, program):
    page = os.path.join(prefix, "share", "man", "man1", program + ".1.gz")
    assert b".TH" in subprocess.run(["gzip", "-dc", page], capture_output=True, check=True).stdout
    for place in ("bash-completion/completions/" + program, "zsh/site-functions/_" + program,
                  "fish/vendor_completions.d/" + program + ".fish"):
        assert os.path.getsize(os.path.join(prefix, "share", place)) > 100, place


def main():
    if not os.path.exists(os.path.join(BUILD, "descriptions", "warpglass-record.1.gz")):
        skip("the target installed is not built")
    with scratch() as folder:
        first, prefix = os.path.join(folder, "first"), os.path.join(folder, "moved")
        install(first, "record")
        shutil.move(first, prefix)  # nothing knows where it was installed
        equal(sorted(f for f in files_of(prefix) if f.startswith(("bin/", "lib/warpglass/"))),
              ["bin/warpglass-record", "lib/warpglass/warpglass-cage", "lib/warpglass/warpglass-nvrtc"], "the programs of the package")
        check_record(prefix, folder)
        check_library(prefix, folder)
        check_descriptions(prefix, "warpglass-record")
        if os.path.exists(os.path.join(BUILD, "bin", "warpglass")):
            check_window(prefix)
            check_descriptions(prefix, "warpglass")


main()
