# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiles one Triton kernel of a Python file to PTX, without a GPU, by the Triton that this Python has.

compile_triton.py REQUEST ANSWER, both JSON. REQUEST:
  file         the Python file
  text         its text as it is being written; null = what is on the disk
  kernel       name of the kernel; "" = the only one
  arguments    [[name, type, value or null]]: "*fp32", "i32", ...; value of a whole number
  definitions  {name: text}: constexpr parameters, and num_warps, num_stages, num_ctas, maxnreg
  arch         90
ANSWER: {ptx, ttgir, entry, parameters, warps, shared, scratch, triton} or {error, line}. parameters: those that are left in the
PTX, in its order; shared: bytes of dynamic shared memory; scratch: of global memory, for each program of the grid.

Of the file only what defines is run: imports, functions, classes, assignments of names. What launches or trains is not.
"""
import ast
import json
import linecache
import os
import re
import sys
import traceback

OPTIONS = ("num_warps", "num_stages", "num_ctas", "maxnreg", "debug", "enable_fp_fusion", "launch_pdl")


def text_of(request):
    if request.get("text") is not None:
        return request["text"]
    with open(request["file"], encoding="utf-8") as file:
        return file.read()


class Absent:
    """Stands for a module that is not here: all that is asked of it is itself."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *words, **named):
        return words[0] if len(words) == 1 and callable(words[0]) and not named else self


def alone(body):
    """Statements, an import for each name: one that is not here leaves the others."""
    for node in body:
        if isinstance(node, ast.Import):
            yield from (ast.copy_location(ast.Import([alias]), node) for alias in node.names)
        else:
            yield node


def defined(path, text):
    """What the file's definitions make, by name."""
    linecache.cache[path] = (len(text), None, text.splitlines(True), path)  # where Triton looks for a function's source
    sys.path.insert(0, os.path.dirname(path))  # as if it were run
    tree = ast.parse(text, path)
    names = {"__name__": "kernels", "__file__": path}
    defining = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign)
    for node in alone(tree.body):
        if not isinstance(node, defining):
            continue
        try:
            exec(compile(ast.Module([node], []), path, "exec"), names)
        except Exception:  # a module that is not here, or a value that a GPU would give
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                for alias in node.names:
                    names[alias.asname or alias.name.split(".")[0]] = Absent()
    return names


def kernels(names):
    """The Triton kernels of the file, by name, each with the first set of options that it is tuned over."""
    from triton.runtime.jit import JITFunction

    found = {}
    for name, value in names.items():
        first = {}
        while not isinstance(value, (JITFunction, Absent)) and hasattr(value, "fn"):
            for config in getattr(value, "configs", [])[:1]:
                first = dict(config.kwargs, num_warps=config.num_warps, num_stages=config.num_stages, **first)
            value = value.fn
        if isinstance(value, JITFunction):
            found[name] = (value, first)
    return found


def number(text):
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def specialised(index, kind, value):
    """What Triton's own launcher would tell the compiler of an argument: pointers and numbers that 16 divides."""
    if kind.startswith("*") or (isinstance(value, int) and value % 16 == 0):
        return {(index,): [["tt.divisibility", 16]]}
    return {}


def compiled(request):
    try:
        import triton
        from triton.backends.compiler import GPUTarget
        from triton.compiler import ASTSource
    except ImportError as error:
        return {"error": f"this Python has no Triton: {error}", "line": 0}
    # All that the file defines stays alive with its names: kernels look up what they call there.
    everyone = kernels(defined(request["file"], text_of(request)))
    called = {f for f in everyone if f == request["kernel"] or not request["kernel"]}
    if len(called) != 1:
        has = ", ".join(sorted(everyone)) or "none"
        return {"error": f"--kernel names one of the file's Triton kernels: {has}", "line": 0}
    function, options = everyone[called.pop()]
    options = dict(options, **{name: number(text) for name, text in request["definitions"].items()})
    given = {name: (kind, value) for name, kind, value in request["arguments"]}
    signature, constants, facts, left = {}, {}, {}, []
    for index, parameter in enumerate(function.params):
        name = parameter.name
        if name in given and not parameter.is_constexpr:
            kind, value = given.pop(name)
            if value == 1 and not kind.startswith(("*", "f", "b")):  # Triton makes a constant of it
                signature[name], constants[name] = "constexpr", 1
                continue
            signature[name] = kind
            facts.update(specialised(index, kind, value))
            left.append(name)
        elif name in options:
            signature[name], constants[name] = "constexpr", options.pop(name)
        elif parameter.has_default:
            signature[name], constants[name] = "constexpr", parameter.default
        else:
            what = f"-D {name}=VALUE" if parameter.is_constexpr else f"--arg {name}:TYPE..."
            return {"error": f"parameter {name} has no value: give {what}", "line": 0}
    if given:
        return {"error": f"the kernel has no parameter {', '.join(given)}", "line": 0}
    strange = [name for name in options if name not in OPTIONS]
    if strange:
        return {"error": f"neither the kernel nor Triton has {', '.join(strange)}", "line": 0}
    source = ASTSource(function, signature, constants, facts)
    kernel = triton.compile(source, target=GPUTarget("cuda", request["arch"], 32), options=options)
    made = kernel.metadata
    return {
        "ptx": kernel.asm["ptx"],
        "ttgir": str(kernel.asm.get("ttgir", "")),
        "entry": made.name,
        "parameters": left,
        "warps": made.num_warps * getattr(made, "num_ctas", 1),
        "shared": made.shared,
        "scratch": getattr(made, "global_scratch_size", 0) * getattr(made, "num_ctas", 1),
        "triton": triton.__version__,
    }


def line_of(error, path, text):
    """Line of the file that an exception is about; 0 if none is."""
    node, function = getattr(error, "node", None), getattr(error, "src", None)
    if node is not None and function:  # of Triton's own errors; the node's lines are the function's
        begin = text.find(function.splitlines()[0])
        return text[:begin].count("\n") + getattr(node, "lineno", 0) if begin >= 0 else 0
    line = getattr(error, "lineno", 0) or 0
    for frame in traceback.extract_tb(error.__traceback__):
        line = frame.lineno if frame.filename == path else line
    return line


def sentence_of(error):
    """What an exception says, in one line: Triton's own carry the source around it, and other exceptions as Python writes them."""
    said = getattr(error, "error_message", None)
    if said is None:
        said = "" if hasattr(error, "src") else str(error)
    inner = re.fullmatch(r"\w+\((['\"])(.*)\1\)", said.strip(), re.S)
    said = (inner.group(2) if inner else said).replace("\\'", "'").strip()
    if not said and isinstance(error, AssertionError):  # of Triton's own code: what does not hold
        frames = traceback.extract_tb(error.__traceback__)
        said = f"Triton needs that {frames[-1].line.removeprefix('assert ')}" if frames and frames[-1].line else ""
    return said.splitlines()[-1].strip() if said else ""


def of_ptxas(error, path):
    """What ptxas says of a line of PTX (inline assembly), at the line of the file that the PTX names above it; None: nothing."""
    told = re.search(r"ptxas [^\n]*, line (\d+);\s*error\s*:\s*([^\n]*)", str(error))
    if not told:
        return None
    ptx = ""
    for frame, _ in traceback.walk_tb(error.__traceback__):  # Triton deletes the file, but holds the text
        for value in frame.f_locals.values():
            if isinstance(value, str) and ".version" in value and ".target" in value:
                ptx = value
    line = 0
    own = {number for number, name in re.findall(r'^\s*\.file\s+(\d+) "([^"]*)"', ptx, re.M)
           if os.path.basename(name) == os.path.basename(path)}
    for text in ptx.splitlines()[: int(told.group(1))]:
        loc = re.match(r"\s*\.loc\s+(\d+) (\d+)", text)
        line = int(loc.group(2)) if loc and loc.group(1) in own else line
    return {"error": f"ptxas: {told.group(2).strip()}"[:300], "line": line}


def told(error, path, text):
    """The innermost of the exceptions that says something, at the innermost line of the file."""
    chain = [error]
    while chain[-1].__cause__ is not None and len(chain) < 20:
        chain.append(chain[-1].__cause__)
    for one in chain:
        if answer := of_ptxas(one, path):
            return answer
    sentence = next((s for s in map(sentence_of, reversed(chain)) if s), type(error).__name__)
    lines = [n for n in (line_of(one, path, text) for one in chain if hasattr(one, "src")) if n]
    line = lines[-1] if lines else line_of(error, path, text)
    if len(lines) > 1 and lines[0] != line:
        sentence += f" (called in line {lines[0]})"
    return {"error": sentence[:300], "line": line}


def main(request_file, answer_file):
    with open(request_file, encoding="utf-8") as file:
        request = json.load(file)
    try:
        answer = compiled(request)
    except Exception as error:  # the user's code, or Triton's
        answer = told(error, request["file"], text_of(request))
    with open(answer_file, "w", encoding="utf-8") as file:
        json.dump(answer, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
