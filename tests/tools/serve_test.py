# SPDX-License-Identifier: GPL-3.0-or-later
"""`warpglass-record serve` as an agent's client sees it: what it offers and answers, and what it does not let through."""
import json
import os
import queue
import random
import signal
import subprocess
import sys
import threading
import time

from common import HERE, RECORD, SOURCE, SPIN, equal, find_nvcc, record, scratch

SECRET = "xyzzy_nobody_may_read_this"
# It counts to 2^40, which takes the emulator hours.
ENDLESS = """.version 8.0
.target sm_75
.address_size 64
.visible .entry count(.param .u64 out)
{
  .reg .b64 %rd<3>; .reg .pred %p<2>;
  mov.u64 %rd1, 0;
again:
  add.u64 %rd1, %rd1, 1;
  setp.lt.u64 %p1, %rd1, 1099511627776;
  @%p1 bra again;
  ret;
}
"""
LONG = {"source": ENDLESS, "grid": [1], "block": [32], "args": ["out:u64[1]=0"], "max_instructions": 10**15}


class Client:
    """A process of it, and its messages; a line of standard output that is none is an error."""

    def __init__(self, folder, *options):
        self.server = subprocess.Popen([RECORD, "serve", *options], cwd=folder, stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.heard, self.kept, self.last = queue.Queue(), {}, 0
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        for line in self.server.stdout:
            message = json.loads(line)
            equal(message["jsonrpc"], "2.0", "version of a message")
            assert ("result" in message) != ("error" in message), message
            self.heard.put(message)

    def write(self, data):
        self.server.stdin.write(data)
        self.server.stdin.flush()

    def send(self, method, params=None, **more):
        message = {"jsonrpc": "2.0", "method": method, **more}
        if params is not None:
            message["params"] = params
        self.write(json.dumps(message).encode() + b"\n")

    def ask(self, method, params=None):
        self.last += 1
        self.send(method, params, id=self.last)
        return self.last

    def next(self, timeout=120):
        return self.heard.get(timeout=timeout)

    def answer(self, number, timeout=120):
        while number not in self.kept:
            message = self.next(timeout)
            self.kept[message["id"]] = message
        return self.kept.pop(number)

    def call(self, tool, **arguments):
        return self.answer(self.ask("tools/call", {"name": tool, "arguments": arguments}))["result"]

    def found(self, tool, **arguments):
        result = self.call(tool, **arguments)
        assert not result["isError"], result["content"][0]["text"]
        equal(json.loads(result["content"][0]["text"]), result["structuredContent"], "the text beside the object")
        return result["structuredContent"]

    def refused(self, tool, **arguments):
        result = self.call(tool, **arguments)
        assert result["isError"] and "structuredContent" not in result, result
        return result["content"][0]["text"]

    def children(self):
        found = []
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{name}/stat", encoding="utf-8") as file:
                    fields = file.read().rsplit(") ", 1)[1].split()
            except (OSError, IndexError):
                continue
            if int(fields[1]) == self.server.pid and fields[0] != "Z":
                found.append(int(name))
        return found

    def child(self, wanted=1):
        for _ in range(600):
            if len(self.children()) >= wanted:
                return self.children()[0]
            time.sleep(0.05)
        raise AssertionError("no call runs")

    def close(self):
        self.server.stdin.close()
        equal(self.server.wait(timeout=120), 0, "status when its input ends")


def check_shape(client):
    begun = client.answer(client.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                                    "clientInfo": {"name": "test", "version": "1"}}))["result"]
    equal((begun["protocolVersion"], begun["serverInfo"]["name"]), ("2025-06-18", "warpglass"), "who answers")
    assert "tools" in begun["capabilities"], begun
    later = client.answer(client.ask("initialize", {"protocolVersion": "2999-01-01"}))["result"]["protocolVersion"]
    equal(later, "2025-11-25", "of a version that it does not know: its newest")
    client.send("notifications/initialized")
    equal(client.answer(client.ask("ping"))["result"], {}, "ping")
    tools = {t["name"]: t for t in client.answer(client.ask("tools/list"))["result"]["tools"]}
    assert {"run", "why", "who", "sass", "metrics", "occupancy", "hang"} <= set(tools), sorted(tools)
    assert "program" not in tools, "a tool that runs programs is offered"
    offered = set(tools["run"]["inputSchema"]["properties"])
    equal({"kernel", "file", "source", "entry", "grid", "block", "args", "defines", "include_folders", "size", "set", "timing",
           "checks", "output"} - offered, set(), "arguments that run lacks")
    assert "word" in tools["who"]["inputSchema"]["required"] and "timing" not in tools["sass"]["inputSchema"]["properties"]
    for name, tool in tools.items():
        equal((tool["inputSchema"]["type"], tool["inputSchema"]["additionalProperties"]), ("object", False), name)
        equal(tool["outputSchema"]["type"], "object", f"what {name} answers")
        text = json.dumps(tool["outputSchema"])
        for part in text.split('"#/$defs/')[1:]:
            assert part.split('"')[0] in tool["outputSchema"]["$defs"], f"{name} refers to what it does not tell"
    return tools


def check_tools(client, folder, tools):
    equal(client.found("occupancy", threads=256, registers=40),
          json.loads(record("occupancy", "--threads", "256", "--registers", "40", "--json").stdout), "occupancy")
    # 1024 elements in blocks of 64; the recording says of itself what the run said of it.
    ran = client.found("run", kernel="reduceNeighbored", size=1024, block=[64], timing=True, output="r.wgt")
    equal((ran["launch"]["grid"], ran["launch"]["block"], ran["check"]), ([16, 1, 1], [64, 1, 1], "ok"), "run")
    equal(client.found("metrics", file="r.wgt")["metrics"], ran["metrics"], "metrics of the recording")
    assert client.found("sass", file="r.wgt")["functions"][0]["instructions"], "machine code"
    assert client.found("why", kernel="transpose_naive", size=64)["limits"], "limits"
    with open(os.path.join(SOURCE, "tests", "record", "scale.ptx"), encoding="utf-8") as file:
        scale = file.read()
    who = client.found("who", source=scale, entry="scale", grid=[2], block=[64], word="x[3]",
                       args=["in:f32[128]=iota", "x:f32[128]=0", "n:u32=128", "step:f32=2"])
    equal([u["does"] for u in who["uses"]], ["writes"], "who uses x[3]")
    spins = {"source": SPIN, "grid": [1], "block": [32], "args": ["flag:i32[1]=0"], "max_instructions": 10000}
    hang = client.found("hang", **spins)
    equal((hang["hangs"], hang["hang"]["waits"][0]["kind"], hang["hang"]["waits"][0]["lanes"]), (True, "word", 32), "hang")
    spins["args"] = ["flag:i32[1]=1"]
    equal(client.found("hang", **spins), {"kernel": "spin", "hangs": False}, "of a launch that ends")
    if "jsonschema" in sys.modules or subprocess.run([sys.executable, "-c", "import jsonschema"], capture_output=True,
                                                     check=False).returncode == 0:
        from jsonschema import Draft202012Validator
        for name, answer in (("run", ran), ("who", who), ("hang", hang)):
            Draft202012Validator.check_schema(tools[name]["inputSchema"])
            Draft202012Validator(tools[name]["outputSchema"]).validate(answer)
        Draft202012Validator(tools["hang"]["inputSchema"]).validate(spins)
    # Of a fault the object says what it is, and is an answer; a sentence stands beside it.
    spins["args"] = ["flag:i8[1]=0"]
    fault = client.call("run", **spins)
    assert not fault["isError"] and fault["structuredContent"]["fault"] in fault["content"][1]["text"], fault["content"]
    assert client.found("list")["kernels"], "the catalogue"


def check_refusals(client, folder):
    for name, arguments, word in (
            ("run", {}, "exactly one"), ("run", {"kernel": "warmup", "source": SPIN}, "exactly one"),
            ("run", {"kernel": "warmup", "shell": "id"}, "no argument"), ("run", {"kernel": "../x.ptx"}, "no name"),
            ("run", {"kernel": "--help"}, "no name"), ("run", {"kernel": "warmup", "grid": "4"}, "list of one to three"),
            ("run", {"kernel": "warmup", "grid": [1, 1, 1, 1]}, "list of one to three"),
            ("run", {"kernel": "warmup", "timing": "yes"}, "true or false"), ("run", {"kernel": 3}, "a text"),
            ("run", {"kernel": "warmup", "size": -1}, "whole number"),
            ("run", {"kernel": "warmup", "set": {"--help": 1}}, "whole number"),
            ("run", {"kernel": "warmup", "entry": "a\nb"}, "one line"),
            ("run", {"kernel": "warmup", "on_fault": "explode"}, "none of its words"),
            ("run", {"source": SPIN, "defines": ["A=$(id)"]}, "no definition"),
            ("run", {"kernel": "nothing_of_that_name"}, "no kernel"),
            ("run", {"kernel": "warmup", "output": "x.txt"}, ".wgt"),
            ("who", {"kernel": "warmup"}, "word"),
            ("metrics", {"file": "not_there.wgt"}, "not_there.wgt")):
        text = client.refused(name, **arguments)
        assert word in text, (name, arguments, text)
    # Out of the folder: by a path, a link, a value, an include.
    outside = os.path.join(os.path.dirname(folder), "secret.h")
    os.symlink(outside, os.path.join(folder, "link.ptx"))
    for path in ("../secret.h", outside, "link.ptx", "sub/../../secret.h"):
        text = client.refused("run", file=path)
        assert "outside" in text and SECRET not in text, text
    spins = {"source": SPIN, "grid": [1], "block": [32], "max_instructions": 10000}
    for value in (f"flag:i8[8]=file:{outside}", "flag:i8[8]=file:../secret.h", "flag:i8[8]=file:sub/../../secret.h"):
        assert "outside" in client.refused("run", args=[value], **spins)
    assert "outside" in client.refused("run", kernel="warmup", output="../x.wgt")
    with open(os.path.join(folder, "own.bin"), "wb") as file:
        file.write(bytes([1, 0, 0, 0]))
    assert not client.found("hang", args=["flag:i32[1]=file:own.bin"], **spins)["hangs"], "a file of the folder"
    walls = subprocess.run([RECORD, "serve"], input=b"", capture_output=True, check=True).stderr == b""  # none is missing
    print("a source that includes a file from outside:", "tried" if walls and find_nvcc() else "not tried")
    if walls and find_nvcc():
        text = client.refused("run", source=f'#include "{outside}"\n__global__ void k() {{}}')
        assert SECRET not in text, text
    # A Python file is the host's, and so is a program.
    with open(os.path.join(folder, "triton.py"), "w", encoding="utf-8") as file:
        file.write(f"open({os.path.join(folder, 'ran')!r}, 'w')\n")
    assert "--allow-programs" in client.refused("run", file="triton.py", entry="k", grid=[1])
    answer = client.answer(client.ask("tools/call", {"name": "program", "arguments": {
        "output": "p.wgt", "command": ["/bin/touch", os.path.join(folder, "ran")]}}))
    equal(answer["error"]["code"], -32602, "of a tool that is not offered")
    assert not os.path.exists(os.path.join(folder, "ran")), "a program of the host was run"


def check_protocol(client):
    """What is no request gets the error that JSON-RPC has for it, and the next request its answer."""
    for data, code in ((b"{", -32700), (b"\xff\xfe\n"[:2], -32700), (b"[" * 100000, -32700), (b"[]", -32600),
                       (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600), (b"3", -32600), (b'{"id":1}', -32600),
                       (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600),
                       (b'{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600),
                       (b'{"jsonrpc":"2.0","id":1,"method":7}', -32600), (b'{"jsonrpc":"2.0","id":"a","method":"x"}', -32601),
                       (b'{"jsonrpc":"2.0","id":"a","method":"tools/call","params":[]}', -32602),
                       (b'{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{}}', -32602),
                       (b'"' + b"x" * (1 << 20) + b'"', -32600), (b"x" * (5 << 20), -32600)):
        client.write(data + b"\n")
        equal(client.next()["error"]["code"], code, data[:60])
    for data in (b"", b"  \r", b'{"jsonrpc":"2.0","method":"notifications/other"}', b'{"jsonrpc":"2.0","id":1,"result":{}}',
                 b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}',
                 b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":7}'):
        client.write(data + b"\n")
    number = client.ask("ping")
    equal(client.next()["id"], number, "what is no request has no answer")


def check_damage(client):
    """Requests with bytes changed, left out and put in: each line has an answer or none, and the server lives on."""
    chance = random.Random(12)
    whole = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "occupancy", "arguments": {"threads": 64, "device": "a100", "shared_limit": "optin"}}}).encode()
    for _ in range(150):
        line = bytearray(whole)
        for _ in range(chance.randint(1, 4)):
            at = chance.randrange(len(line))
            line[at:at + chance.randint(0, 3)] = bytes(chance.choices(range(256), k=chance.randint(0, 3)))
        client.write(bytes(line).replace(b"\n", b" ") + b"\n")
    number = f"after-{chance.random()}"
    client.send("ping", id=number)
    answers = 0
    while True:
        message = client.next()
        answers += 1
        if message.get("id") == number:
            break
    assert answers > 100, answers


def check_ends(folder):
    """A call that is killed, that takes too long, that is cancelled, and more of them than may run at once."""
    client = Client(folder, "--calls", "2", "--time", "2")
    number = client.ask("tools/call", {"name": "run", "arguments": LONG})
    time.sleep(0.2)  # it is between fork and exec no longer
    os.kill(client.child(), signal.SIGKILL)
    result = client.answer(number)["result"]
    assert result["isError"] and "signal" in result["content"][0]["text"], result
    begun = time.monotonic()
    text = client.refused("run", **LONG)
    assert "2 s" in text and time.monotonic() - begun < 30, text
    first, second, third = (client.ask("tools/call", {"name": "run", "arguments": LONG}) for _ in range(3))
    client.child(2)
    time.sleep(0.3)
    equal(len(client.children()), 2, "calls at once")
    answer = client.answer(client.ask("ping"), timeout=10)  # other requests do not wait for calls
    equal(answer["result"], {}, "beside calls")
    for cancelled in (first, third):
        client.send("notifications/cancelled", {"requestId": cancelled, "reason": "test"})
    assert client.answer(second)["result"]["isError"]
    assert client.found("occupancy")["max_warps"] == 64
    client.close()
    assert first not in client.kept and third not in client.kept, "a cancelled call has an answer"
    client = Client(folder)
    client.ask("tools/call", {"name": "run", "arguments": LONG})
    child = client.child()
    client.server.kill()
    client.server.wait()
    for _ in range(200):
        if not os.path.exists(f"/proc/{child}"):
            break
        time.sleep(0.05)
    assert not os.path.exists(f"/proc/{child}"), "a call outlives its server"


def check_programs(folder):
    client = Client(folder, "--allow-programs")
    program = os.path.join(HERE, "driver_program.py")
    done = client.found("program", output="p.wgt", command=[sys.executable, program])
    equal(sum(o["kind"] == "launch" for o in done["operations"]), 5, "launches of the program")
    equal(client.found("launches", file="p.wgt")["command"], done["command"], "its recording")
    client.close()


def check_pipe(folder):
    """Without a client that waits: all that was asked is answered, then it ends."""
    lines = [{"jsonrpc": "2.0", "id": n, "method": "tools/call", "params": {"name": "occupancy", "arguments": {}}}
             for n in range(5)]
    done = subprocess.run([RECORD, "serve", "--root", folder], input="\n".join(map(json.dumps, lines)), text=True,
                          capture_output=True, timeout=120, check=True)
    equal(sorted(json.loads(line)["id"] for line in done.stdout.splitlines()), list(range(5)), "answers")
    equal(subprocess.run([RECORD, "serve", "--root", folder + "/nowhere"], input="", text=True, capture_output=True,
                         timeout=60, check=False).returncode, 2, "of a folder that is not there")


def main():
    with scratch() as whole:
        folder = os.path.join(whole, "root")
        os.makedirs(os.path.join(folder, "sub"))
        with open(os.path.join(whole, "secret.h"), "w", encoding="utf-8") as file:
            file.write(SECRET + "\n")
        client = Client(folder, "--line", "1")
        tools = check_shape(client)
        check_tools(client, folder, tools)
        check_refusals(client, folder)
        check_protocol(client)
        check_damage(client)
        client.close()
        check_ends(folder)
        check_programs(folder)
        check_pipe(folder)


main()
