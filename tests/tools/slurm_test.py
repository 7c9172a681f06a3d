# SPDX-License-Identifier: GPL-3.0-or-later
"""The job array in docs/sweeps.md does what it says on a Slurm of one node, also after one of its jobs was requeued."""
import getpass
import os
import re
import shutil
import signal
import socket
import subprocess
import time

from common import RECORD, SOURCE, equal, record, run, scratch, skip

CONFIGURATION = """
ClusterName=one
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
AuthType=auth/none
AuthInfo=cred_expire=5
CredType=cred/none
CryptoType=crypto/none
MpiDefault=none
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerParameters=sched_interval=1,bf_interval=1
SwitchType=switch/none
KillWait=1
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SlurmdParameters=config_overrides
NodeName={host} NodeAddr=127.0.0.1 CPUs=4 RealMemory=16000 State=UNKNOWN
PartitionName=main Nodes={host} Default=YES State=UP
"""
SIZES = "65536,131072,262144,524288,1048576"


def free_ports():
    with socket.socket() as first, socket.socket() as second:
        first.bind(("127.0.0.1", 0))
        second.bind(("127.0.0.1", 0))
        return first.getsockname()[1], second.getsockname()[1]


def wait_for(what, condition, seconds=60):
    end = time.time() + seconds
    while not condition():
        if time.time() > end:
            raise AssertionError(f"{what} did not happen within {seconds} s")
        time.sleep(0.05)


def lines_of(path):
    try:
        with open(path, "rb") as file:
            return file.read().count(b"\n")
    except FileNotFoundError:
        return 0


def use(folder, environment):
    """The job as documented, with fewer parts and other sizes; its first part is requeued when it has begun."""
    with open(os.path.join(SOURCE, "docs", "sweeps.md"), encoding="utf-8") as file:
        job = re.search(r"^#!/bin/bash\n#SBATCH.*?(?=^```)", file.read(), re.M | re.S).group(0)
    for documented, here in (("--array=1-16", "--array=1-3"), ("--cpus-per-task=4", "--cpus-per-task=1"),
                             ("65536,1048576", SIZES)):
        equal(job.count(documented), 1, documented + " in the job")
        job = job.replace(documented, here)
    with open(os.path.join(folder, "sweep.sh"), "w", encoding="utf-8") as file:
        file.write(job)
    waiting = subprocess.Popen(["sbatch", "--wait", "sweep.sh"], cwd=folder, env=environment,
                               stdout=subprocess.PIPE, text=True)
    number = re.match(r"Submitted batch job (\d+)", waiting.stdout.readline()).group(1)
    begun = os.path.join(folder, "part-1.unfinished")
    # A heading and two launches.
    wait_for("the first part", lambda: lines_of(begun) >= 3 or os.path.exists(os.path.join(folder, "part-1")))
    run("scontrol", "requeue", number + "_1", env=environment)
    equal(waiting.wait(timeout=150), 0, "the job's exit status")
    with open(os.path.join(folder, f"slurm-{number}_1.out"), encoding="utf-8") as file:
        told = re.search(r"part 1/3: (\d+) launches, (\d+) of them run before", file.read())
    if int(told.group(2)) < 2:
        raise AssertionError("the requeued part began anew: " + told.group(0))
    words = re.search(r"warpglass-record (sweep .*?) --threads", job).group(1).split()
    parts = [os.path.join(folder, f"part-{n}") for n in (1, 2, 3)]
    record("sweep", "--merge", *parts, "--csv", os.path.join(folder, "merged.csv"))
    record(*words, "--csv", os.path.join(folder, "whole.csv"))
    with open(os.path.join(folder, "merged.csv"), "rb") as merged, open(os.path.join(folder, "whole.csv"), "rb") as whole:
        equal(merged.read(), whole.read(), "the merged table")


def main():
    path = os.environ["PATH"] + ":/usr/sbin"
    controller, node = shutil.which("slurmctld", path=path), shutil.which("slurmd", path=path)
    if not controller or not node or not shutil.which("sbatch"):
        skip("Slurm is not found")
    with scratch() as folder:
        for name in ("state", "spool"):
            os.mkdir(os.path.join(folder, name))
        configuration = os.path.join(folder, "slurm.conf")
        with open(configuration, "w", encoding="utf-8") as file:
            file.write(CONFIGURATION.format(host=socket.gethostname().split(".")[0], user=getpass.getuser(),
                                            folder=folder, ports=free_ports()))
        environment = dict(os.environ, SLURM_CONF=configuration,
                           PATH=os.path.dirname(RECORD) + ":" + os.environ["PATH"])
        daemons = []
        try:
            for daemon in (controller, node):
                with open(os.path.join(folder, os.path.basename(daemon) + ".out"), "wb") as said:
                    daemons.append(subprocess.Popen([daemon, "-D", "-f", configuration], env=environment, stdout=said,
                                                    stderr=said))
            idle = ["sinfo", "--noheader", "--format=%T"]
            wait_for("a node that is idle",
                     lambda: run(*idle, expect=None, env=environment).stdout.strip() == "idle")
            use(folder, environment)
        finally:
            for daemon in reversed(daemons):
                daemon.send_signal(signal.SIGTERM)
            for daemon in reversed(daemons):
                daemon.wait()


main()
