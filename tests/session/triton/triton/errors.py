# SPDX-License-Identifier: GPL-3.0-or-later
"""Mistakes that the stand-in finds, raised as Triton 3.6.0 raises them. In a kernel mistake(TEXT) is one of its language's; fails() breaks
an assertion of Triton's own code; assembly(TEXT) is what ptxas does not take. What a kernel calls is looked into, too."""
import ast
import inspect
import re


class CompilationError(Exception):
    def __init__(self, src, node, error_message=None):
        self.src, self.node, self.error_message = src, node, error_message
        lines = "\n".join(src.splitlines()[: node.lineno])
        place = f"at {node.lineno}:{node.col_offset}:\n{lines}\n{' ' * node.col_offset}^"
        super().__init__(place + (f"\n{error_message}" if error_message else ""))


class PTXASError(Exception):
    pass


def check_types(acc, wanted):
    assert acc == wanted


def make_cubin(src, said):
    number = next(n for n, line in enumerate(src.splitlines(), 1) if "nonsense" in line)
    raise PTXASError(f"PTXAS error: Internal Triton PTX codegen error\n`ptxas` stderr:\n"
                     f"ptxas /tmp/tmp1.ptx, line {number}; error   : {said}\n"
                     f"ptxas fatal   : Ptx assembly aborted due to errors\n\nRepro command: ptxas -v /tmp/tmp1.ptx\n")


def find(kernel, path):
    """Raises what is wrong with a kernel or what it calls."""
    whole = inspect.getsource(kernel.fn)
    src = whole[re.search(r"^def\s", whole, re.M).start():]
    for node in ast.walk(ast.parse(src)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        said = ast.literal_eval(node.args[0]) if node.args and isinstance(node.args[0], ast.Constant) else None
        if node.func.id == "mistake":
            raise CompilationError(src, node, said)
        if node.func.id == "assembly":
            line = kernel.fn.__code__.co_firstlineno + 1 + node.lineno - 1
            make_cubin(f'.version 8.7\n.target sm_90a\n.file 1 "{path}"\n.file 2 "core.py"\n.loc 1 {line} 4\nmov.b32 %r1, %r2;\n'
                       f".loc 2 9 4\nnonsense.b32 %r1;\n", said)
        try:
            if node.func.id == "fails":
                check_types("int32", "float32")
            called = kernel.fn.__globals__.get(node.func.id)
            if hasattr(called, "fn"):
                find(called, path)
        except Exception as error:
            raise CompilationError(src, node) from error
