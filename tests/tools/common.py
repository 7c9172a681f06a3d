# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of this folder share: where things are, programs that run, and leaving with a word."""
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile

RECORD, SOURCE = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
HERE = os.path.dirname(os.path.abspath(__file__))
SKIPPED = 77
SPIN = """// waits for a flag that nobody sets
.version 8.0
.target sm_75
.address_size 64
.visible .entry spin(.param .u64 flag)
{
  .reg .b32 %r<2>; .reg .b64 %rd<2>; .reg .pred %p<2>;
  ld.param.u64 %rd1, [flag];
again:
  ld.volatile.global.u32 %r1, [%rd1];
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra again;
  ret;
}
"""


def skip(why):
    print("skipped:", why)
    sys.exit(SKIPPED)


def run(*words, expect=0, **more):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=240, **more)
    if expect is not None and done.returncode != expect:
        raise AssertionError(f"{' '.join(map(str, words))}\nended with {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def record(*words, **more):
    return run(RECORD, *words, **more)


def find_nvcc():
    for folder in [os.path.join(os.environ.get(v, "/nowhere"), "bin") for v in ("CUDA_HOME", "CUDA_PATH")]:
        if os.access(os.path.join(folder, "nvcc"), os.X_OK):
            return os.path.join(folder, "nvcc")
    return shutil.which("nvcc")


def needs_nvcc():
    return find_nvcc() or skip("nvcc is not found")


def with_modules(*names):
    """Goes on where Python has these modules: in another one if this one has not, else it leaves with a word."""
    if all(importlib.util.find_spec(name) for name in names):
        return
    for program in ("/usr/bin/python3", "python3"):
        asked = "import " + ", ".join(names)
        if not os.environ.get("WARPGLASS_TEST_PYTHON") and shutil.which(program) and \
                subprocess.run([program, "-c", asked], capture_output=True, check=False).returncode == 0:
            os.environ["WARPGLASS_TEST_PYTHON"] = program
            os.execvp(program, [program, *sys.argv])
    skip("Python has no " + " or no ".join(names))


def scratch():
    return tempfile.TemporaryDirectory(prefix="warpglass-tools-")


def record_driver_program(output, *options):
    """A program without a compiler: Python that calls the driver's interface. Returns its recording."""
    record("program", *options, "-o", output, "--", sys.executable, os.path.join(HERE, "driver_program.py"))
    return output if output.endswith(".wgt") else os.path.join(output, "program.wgt")


def equal(found, expected, what):
    if found != expected:
        raise AssertionError(f"{what}: {found!r}, and {expected!r} was expected")
