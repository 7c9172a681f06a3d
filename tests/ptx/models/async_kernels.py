# SPDX-License-Identifier: GPL-3.0-or-later
"""What kernels of copies that go on by themselves, of barriers in memory and of clusters have in common."""
from files import bits, file, number, width

FOLDER = "async/"
BLACKWELL = {"target": "sm_100", "version": "8.6", "arch": "sm_100"}
N = 32
WORDS = [(k * 2654435761 + 12345) & 0xffffffff for k in range(512)]


def kernel(model, form, params, body, cluster=0, name="", **more):
    """(path, text) of a file of tests/ptx/async."""
    more.setdefault("version", "8.0")
    text = file(form, model, params, body, **more)
    if cluster:
        text = text.replace(")\n{", f")\n.explicitcluster\n.reqnctapercluster {cluster}, 1, 1\n{{", 1)
    return FOLDER + (name or form) + ".ptx", text


START = """.reg .u32 %t, %r, %v, %w, %n, %bar, %buf, %peer, %peerbar;
.reg .u64 %rd, %a, %o, %pol, %tok, %x;
.reg .pred %p, %q, %done;
mov.u32 %t, %tid.x;
mov.u32 %buf, buf;
mov.u32 %bar, bar;
"""
SHARED = ".shared .align 128 .b8 buf[2048];\n.shared .align 8 .b64 bar[2];"


def pointer(register, parameter, scale=4, index="%t"):
    return f"""ld.param.u64 {register}, [{parameter}];
mul.wide.u32 %rd, {index}, {scale};
add.u64 {register}, {register}, %rd;
"""


def store(parameter, register, index="%t", type_="u32"):
    return pointer("%o", parameter, width(type_) // 8, index) + f"st.global.{type_} [%o], {register};\n"


def spin(label, wait):
    return f"{label}:\n{wait}\n@!%done bra {label};\n"


WAIT0 = spin("W0", "mbarrier.try_wait.parity.shared::cta.b64 %done, [%bar], 0;")
INIT1 = "setp.eq.u32 %p, %t, 0;\n@%p mbarrier.init.shared::cta.b64 [%bar], 1;\nbar.sync 0;\n"
END = "ret;"



def reduced(op, type_, old, value):
    n = width(type_)
    a, b = number(old, type_), number(value, type_)
    if op == "add":
        return (old + value) & ((1 << n) - 1)
    if op in ("min", "max"):
        return bits((min if op == "min" else max)(a, b), type_)
    if op == "inc":
        return 0 if old >= value else old + 1
    if op == "dec":
        return value if old == 0 or old > value else old - 1
    return {"and": old & value, "or": old | value, "xor": old ^ value}[op]
