# SPDX-License-Identifier: GPL-3.0-or-later
"""What a Python file says of its Triton kernels, without Triton: their parameters, and what each would usually get.

read_triton.py REQUEST ANSWER, both JSON. REQUEST: {file, text}: text as it is being written, or null for what is on the disk.
ANSWER: {kernels: [{name, line, parameters}]} or {error, line}. A parameter is {name, kind, element, usual, scales}:
  kind     pointer, int, float or constexpr; num_warps, which every kernel has, is a constexpr
  element  of a pointer or number: fp32, i32, ...
  usual    of a pointer its elements, else its value; "" = nobody knows, or Triton's tuning says it
  scales   that is for each program of the grid

Nothing of the file is run. Triton's parameters have no types; where they are not told by what the code does with them, they
are guessed, and a person says what is right.
"""
import ast
import json
import sys

ACCESSES = {"load", "store", "make_block_ptr", "make_tensor_descriptor", "atomic_add", "atomic_max", "atomic_min",
            "atomic_cas", "atomic_xchg", "atomic_and", "atomic_or", "atomic_xor"}
ELEMENTS = {"float16": "fp16", "bfloat16": "bf16", "float32": "fp32", "float64": "fp64", "int8": "i8", "int16": "i16",
            "int32": "i32", "int64": "i64", "uint8": "u8", "uint32": "u32", "int1": "u8"}
FLOATS = ("eps", "epsilon", "scale", "sm_scale", "qk_scale", "alpha", "beta", "lr", "p", "p_drop", "dropout_p", "momentum")
INDICES = ("idx", "index", "indices", "label", "labels", "target", "targets", "ids", "seqlens", "lengths", "offsets")
COUNTS = ("n", "num", "size", "count", "numel", "len", "length", "total")


def last_name(node):
    """tl.load -> load, load -> load."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def literal(node, known):
    if isinstance(node, ast.Name) and node.id in known:
        return known[node.id]
    try:
        return ast.literal_eval(node)
    except ValueError:
        return None


def is_jit(function):
    return any(last_name(d.func if isinstance(d, ast.Call) else d) == "jit" for d in function.decorator_list)


class Kernel:
    def __init__(self, function, helpers):
        self.function, self.helpers = function, helpers
        words = function.args
        self.parameters = words.posonlyargs + words.args + words.kwonlyargs
        given = words.posonlyargs + words.args
        self.defaults = dict(zip([a.arg for a in given][len(given) - len(words.defaults):], words.defaults))
        self.names = [a.arg for a in self.parameters]
        self.values = {}  # of local names: what is assigned to them
        for node in ast.walk(function):
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                self.values.setdefault(node.targets[0].id, []).append(node.value)
        self.calls = [node for node in ast.walk(function) if isinstance(node, ast.Call)]

    def base(self, node, seen=()):
        """The parameter that an address begins with: the first term of its sum."""
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
            return self.base(node.left, seen) or self.base(node.right, seen)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "to":
            return self.base(node.func.value, seen)
        if not isinstance(node, ast.Name) or node.id in seen:
            return None
        for value in self.values.get(node.id, []):
            found = self.base(value, (*seen, node.id))
            if found:
                return found
        return node.id if node.id in self.names else None

    def accesses(self):
        """Each access: its name, the parameter that it begins with, the call."""
        for call in self.calls:
            name = last_name(call.func)
            where = call.args[0] if call.args else next((k.value for k in call.keywords if k.arg == "base"), None)
            if name in ACCESSES and where is not None:
                base = self.base(where)
                if base:
                    yield name, base, call

    def pointers(self, seen=()):
        found = {base for _, base, _ in self.accesses()}
        for call in self.calls:  # what is handed to a function that uses it so
            helper = self.helpers.get(last_name(call.func))
            if helper is None or helper in seen:
                continue
            theirs = helper.pointers((*seen, self))
            for parameter, argument in zip(helper.names, call.args):
                if parameter in theirs and self.base(argument):
                    found.add(self.base(argument))
        return found

    def stored(self):
        """Of what is written its type, where the code says it (c = acc.to(tl.float16)); of what is only written else f32."""
        found, reads = {}, {base for name, base, _ in self.accesses() if name != "store"}
        for name, base, call in self.accesses():
            if name != "store" or len(call.args) < 2:
                continue
            if base not in reads:
                found.setdefault(base, "fp32")
            values = [call.args[1]]
            if isinstance(values[0], ast.Name):
                values += self.values.get(values[0].id, [])
            for value in values:
                if isinstance(value, ast.Call) and last_name(value.func) == "to" and value.args:
                    own = last_name(value.args[0]) == "element_ty"  # Out.type.element_ty: as whatever else
                    found[base] = None if own else ELEMENTS.get(last_name(value.args[0]), found.get(base))
        return found

    def whole(self):
        """Pointers to whole numbers: what is loaded from them is a part of an address; or they count by whole numbers."""
        found = {}
        loaded = {}  # local names: from which pointer
        for name, values in self.values.items():
            for value in values:
                if isinstance(value, ast.Call) and last_name(value.func) == "load" and value.args and self.base(value.args[0]):
                    loaded[name] = self.base(value.args[0])
        for name, base, call in self.accesses():
            for node in ast.walk(call.args[0]) if call.args else ():
                if isinstance(node, ast.Name) and loaded.get(node.id, base) != base:
                    found[loaded[node.id]] = "i32"
            if name.startswith("atomic") and len(call.args) > 1 and isinstance(literal(call.args[1], {}), int):
                found[base] = "i32"
        return found

    def makes_half(self):
        """Whether it multiplies matrices in halves: of these, by the code of its own or of what it calls."""
        texts = ast.dump(self.function) + "".join(ast.dump(h.function) for n, h in self.helpers.items()
                                                  if any(last_name(c.func) == n for c in self.calls))
        if "attr='dot'" not in texts:
            return None
        return "fp16" if "attr='float16'" in texts else "bf16" if "attr='bfloat16'" in texts else None


def tuned(function):
    """Of the first configuration of @triton.autotune: its constants, if the file writes them out; and whether it is tuned."""
    first, is_tuned = {}, False
    for decorator in function.decorator_list:
        if not isinstance(decorator, ast.Call) or last_name(decorator.func) not in ("autotune", "heuristics"):
            continue
        is_tuned = is_tuned or last_name(decorator.func) == "autotune"
        for node in ast.walk(decorator):
            if isinstance(node, ast.Call) and last_name(node.func) == "Config" and node.args and not first:
                for key, value in zip(node.args[0].keys, node.args[0].values) if isinstance(node.args[0], ast.Dict) else ():
                    first[literal(key, {})] = literal(value, {})
                first.update((k.arg, literal(k.value, {})) for k in node.keywords)
    return {k: v for k, v in first.items() if v is not None}, is_tuned


def launched(tree, name, names, known):
    """What the file's first launch of the kernel gives, as far as it is written out."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Subscript) and last_name(node.func.value) == name:
            given = {n: literal(a, known) for n, a in zip(names, node.args)}
            given.update((k.arg, literal(k.value, known)) for k in node.keywords)
            return {n: v for n, v in given.items() if isinstance(v, (bool, int, float, str))}, True
    return {}, False


def usual_constant(name):
    if name in ("num_warps", "num_stages"):
        return 4 if name == "num_warps" else 2
    lower = name.lower()
    if "group" in lower:
        return 8
    if "ctx" in lower or "seq" in lower:
        return 128
    if "block" in lower or "size" in lower or "dim" in lower:
        return 32 if lower.endswith("_k") else 64 if lower[-2:] in ("_m", "_n", "_d") or "head" in lower else 1024
    return 1 if name.isupper() else True


def tile_of(constants):
    """Elements of the largest tile: the product of two sides, or the only one; and the sides by their letter."""
    sides = {name: v for name, v in constants.items() if isinstance(v, int) and not isinstance(v, bool) and v > 1
             and ("BLOCK" in name.upper() or "SIZE" in name.upper()) and "GROUP" not in name.upper()}
    rows = next((v for n, v in constants.items() if "CTX" in n.upper() or "SEQ" in n.upper()), None)
    width = next((v for n, v in constants.items() if "HEAD" in n.upper() and isinstance(v, int)), None)
    if rows and width:  # attention
        return rows * width, {"K": width, "N": width, "M": rows, "D": width}
    letters = {name[-1].upper(): v for name, v in sides.items() if name[-1].upper() in "MNKD" and len(name) > 1}
    largest = sorted(sides.values(), reverse=True)[:2]
    tile = 1
    for side in largest if len(letters) > 1 else largest[:1]:
        tile *= side
    return max(tile, 1), letters


def usual_number(name, names, tile, letters):
    """Of a whole number: (value, whether that is for each program)."""
    lower = name.lower()
    if "stride" in lower:
        if lower.endswith("row_stride") or lower == "stride":
            return tile, False
        same = [n for n in names if "stride" in n.lower() and n[:-1] == name[:-1]]
        step = 1
        for later in same[same.index(name) + 1:]:
            step *= 1 if later[-1] in "hzb" else letters.get(later[-1].upper(), tile)
        return min(step, tile), False
    if name.upper() in letters:
        return letters[name.upper()], False
    if lower in ("n_rows", "rows", "m", "num_rows", "batch", "b", "z"):
        return 1, True
    if lower in ("n_cols", "cols", "num_cols") or (lower == "n" and any("stride" in n.lower() for n in names)):
        return tile, False
    return (tile, True) if lower.split("_")[0] in COUNTS or lower in COUNTS else (1, False)


def described(kernel, tree, known):
    function, names = kernel.function, kernel.names
    constants, is_tuned = tuned(function)
    given, is_launched = launched(tree, function.name, names, known)
    constant = [p.arg for p in kernel.parameters if p.annotation is not None and "constexpr" in ast.dump(p.annotation)]
    values = {}
    for name in [*constant, "num_warps"]:
        default = literal(kernel.defaults[name], known) if name in kernel.defaults else None
        value = constants.get(name, given.get(name, default))
        unknown = is_tuned and not constants  # by configurations that are not written out
        values[name] = value if value is not None or name in kernel.defaults or unknown else usual_constant(name)
    tile, letters = tile_of({n: usual_constant(n) if v is None else v for n, v in values.items()})
    pointers, stored, whole, half = kernel.pointers(), kernel.stored(), kernel.whole(), kernel.makes_half()
    answer = []
    for parameter in kernel.parameters:
        name, lower = parameter.arg, parameter.arg.lower()
        row = {"name": name, "kind": "constexpr", "element": "", "usual": "", "scales": False}
        if name in constant:
            row["usual"] = "" if values[name] is None else repr(values[name])
        elif name in pointers or lower.endswith("ptr"):
            index = any(word in lower.split("_") for word in INDICES)
            element = stored.get(name) or whole.get(name) or ("i64" if index else half or "fp32")
            row.update(kind="pointer", element=element, usual=str(tile), scales=True)
        elif lower in FLOATS or isinstance(given.get(name), float):
            usual = 1e-5 if lower.startswith("eps") else 0.5 if lower[:1] == "p" else 1
            row.update(kind="float", element="fp32", usual=str(given.get(name, usual)))
        else:
            usual, scales = usual_number(name, names, tile, letters)
            row.update(kind="int", element="i32", usual=str(given.get(name, usual)), scales=scales and name not in given)
        answer.append(row)
    answer.append({"name": "num_warps", "kind": "constexpr", "element": "", "scales": False,
                   "usual": "" if values["num_warps"] is None else str(values["num_warps"])})
    return {"name": function.name, "line": function.lineno, "parameters": answer, "launched": is_launched}


def kernels_of(text, path):
    tree = ast.parse(text, path)
    functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and is_jit(n)]
    helpers = {}
    found = [Kernel(f, helpers) for f in functions]
    helpers.update((k.function.name, k) for k in found)
    called = {last_name(c.func) for k in found for c in k.calls}
    known = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            value = literal(node.value, {})
            if isinstance(value, (bool, int, float)):
                known[node.targets[0].id] = value
    kernels = [described(k, tree, known) for k in found]
    outer = [k for k in kernels if k.pop("launched") or k["name"] not in called]  # else what kernels call
    return sorted(outer or kernels, key=lambda k: k["line"])


def main(request_file, answer_file):
    with open(request_file, encoding="utf-8") as file:
        request = json.load(file)
    try:
        text = request["text"]
        if text is None:
            with open(request["file"], encoding="utf-8") as file:
                text = file.read()
        answer = {"kernels": kernels_of(text, request["file"])}
    except (SyntaxError, ValueError) as error:  # also bytes that are no UTF-8
        answer = {"error": getattr(error, "msg", None) or str(error), "line": getattr(error, "lineno", 0) or 0}
    with open(answer_file, "w", encoding="utf-8") as file:
        json.dump(answer, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
