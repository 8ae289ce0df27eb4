#!/usr/bin/env python3
"""Ranks that are killed at any moment. All ranks must end soon, with success only if everything was written, and the
output must be the old file or the whole new one. The launcher ends the other ranks by SIGTERM, and 2 ms later by
SIGKILL. A rank that did not run in between leaves its temporary file, which counts as a failure only if most do.
(Debian 12's launcher sometimes waits for itself for ever in PMIx_server_finalize after all ranks are gone. It is then
ended, and its exit status is ignored.)

Usage: mpi_kills.py SEED CASES. PSCAN and PSCAN_MPI: the programs.
"""
import collections
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

from mpi_cases import ENVIRONMENT, LAUNCH, PSCAN, PSCAN_MPI

ELEMENTS = 8 << 20
OLD = b"the old file"
# Kills a rank at one of its calls of MPI.
KILL = os.path.join(os.path.dirname(os.path.abspath(PSCAN_MPI)), "fault", "mpi_kill.so")
# The calls after the output got its name: those in which the ranks agree on the owner's status and on flaws, and the
# end.
LAST_CALLS = 5
# What a launcher takes to end the others after one was killed, and some, on a busy machine.
LIMIT_S = 600


Process = collections.namedtuple("Process", "pid begun")  # When it began tells it from a later one of the same number.


def read_stat(pid):
    """The fields of a process from its state on; None: it has ended."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as stat:
            return stat.read().rsplit(")", 1)[1].split()
    except OSError:
        return None


def children(pid):
    """The processes whose parent that is."""
    found = []
    for name in os.listdir("/proc"):
        stat = read_stat(name) if name.isdigit() else None
        if stat is not None and int(stat[1]) == pid:
            found.append(Process(int(name), stat[19]))
    return sorted(found)


def is_running(process):
    stat = read_stat(process.pid)
    return stat is not None and stat[0] != "Z" and stat[19] == process.begun


def find_ranks(launcher, ranks):
    """The ranks' processes, once all are there, if they come to be."""
    pids = []
    while len(pids) < ranks and launcher.poll() is None:
        pids = children(launcher.pid)
        time.sleep(0.002)
    return pids


def kill_one(rng, launcher, ranks, duration):
    """Kills a rank at a random moment. Which ones there were, and whether it was in time."""
    begin = time.monotonic()
    pids = find_ranks(launcher, ranks)
    moment = begin + rng.random() * duration
    while time.monotonic() < moment and launcher.poll() is None:
        time.sleep(0.001)
    if len(pids) < ranks or not is_running(victim := rng.choice(pids)):
        return pids, False
    os.kill(victim.pid, rng.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM]))
    return pids, True


def count_calls(directory, command):
    """How many calls of MPI each rank makes."""
    counts = os.path.join(directory, "calls")
    subprocess.run(command, check=True, env={**ENVIRONMENT, "LD_PRELOAD": KILL, "MPI_CALLS": counts})
    with open(counts, encoding="ascii") as file:
        calls = dict(map(int, line.split()) for line in file)
    os.remove(counts)
    return calls


def case(rng, directory, command, ranks, wanted, duration, left, call=None, may_be_over=False):
    """One run with a kill, at a random moment or at a call of MPI (RANK:NUMBER). What is wrong or None, and whether the
    kill was in time. may_be_over: the output may have its name then. What is left beside the output is added to
    left."""
    output = os.path.join(directory, "out")
    with open(output, "wb") as file:
        file.write(OLD)
    launcher = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                env={**ENVIRONMENT, **({"LD_PRELOAD": KILL, "MPI_KILL": call} if call else {})})
    pids, killed = kill_one(rng, launcher, ranks, duration) if call is None else (find_ranks(launcher, ranks), True)
    deadline = time.monotonic() + LIMIT_S
    while any(map(is_running, pids)) and time.monotonic() < deadline:
        time.sleep(0.01)
    still_run = any(map(is_running, pids))
    try:
        code = launcher.wait(timeout=60)
    except subprocess.TimeoutExpired:
        launcher.kill()
        code = launcher.wait()
    if still_run:
        return "a rank still runs", killed
    with open(output, "rb") as file:
        content = file.read()
    for name in os.listdir(directory):
        if name not in ("binary", "text", "out"):
            os.remove(os.path.join(directory, name))
            left.append(name)
    if content not in (OLD, wanted):
        return f"the output has {len(content)} bytes", killed
    # (The launcher that was ended has a negative status.)
    if call is not None and (code == 0 or (content != OLD and not may_be_over)):
        return f"it was not ended: {code}", killed
    if code == 0 and content != wanted:
        return "success without the output", killed
    return None, killed


def write_binary(name):
    """Writes a file, and gives the options for it."""
    with open(name, "wb") as file:
        file.write(NUMPY.random.default_rng(1).normal(size=ELEMENTS).astype("f4").tobytes())
    return ["-t", "f32", name]


def write_text(name):
    """Writes text, for both kinds of lanes."""
    with open(name, "wb") as file:
        file.write(b"".join(b"%d.%02d\n" % (i % 1000 - 500, i % 97) for i in range(ELEMENTS // 8)))
    return ["-op", "sum,var", name]


def main():
    rng = random.Random(int(sys.argv[1]))
    cases = int(sys.argv[2])
    failures = 0
    in_time = 0
    left = []
    with tempfile.TemporaryDirectory() as directory:
        output = os.path.join(directory, "out")
        kinds = [write_binary(os.path.join(directory, "binary")), write_text(os.path.join(directory, "text"))]
        wanted = []
        for options in kinds:
            options += ["-T", "1", "-o", output]
            subprocess.run([PSCAN, *options], check=True, env=ENVIRONMENT)
            with open(output, "rb") as file:
                wanted.append(file.read())
        durations = {}
        number = 0
        while number < cases or in_time < cases / 3:
            ranks = 2 + number % 2
            kind = number // 2 % 2
            command = [*LAUNCH, "-n", str(ranks), PSCAN_MPI, *kinds[kind]]
            if (kind, ranks) not in durations:
                begin = time.monotonic()
                subprocess.run(command, check=True, env=ENVIRONMENT)
                durations[kind, ranks] = time.monotonic() - begin
            failure, killed = case(rng, directory, command, ranks, wanted[kind], durations[kind, ranks], left)
            in_time += killed
            if not killed:
                durations[kind, ranks] *= 0.7  # the machine is less busy than it was
            if failure is not None:
                print(f"case {number}, {ranks} ranks: {failure}")
                failures += 1
            number += 1
        tried = number
        at_calls = 48 if cases > 20 else 8
        commands = [[*LAUNCH, "-n", "3", PSCAN_MPI, *options] for options in kinds]
        calls = [count_calls(directory, command) for command in commands]
        for number in range(at_calls):
            kind = number % 2
            victim = number // 2 % 3
            count = calls[kind][victim]
            call = 1 + (count - 1) * number // (at_calls - 1)  # from the first one to the last one
            failure, _ = case(rng, directory, commands[kind], 3, wanted[kind], 0, left, f"{victim}:{call}",
                              call > count - LAST_CALLS)
            if failure is not None:
                print(f"rank {victim} at call {call} of {count}: {failure}")
                failures += 1
    cases = tried + at_calls
    if len(left) > cases * 2 // 3:
        print(f"{len(left)} of {cases} left a file beside the output: {left}")
        failures += 1
    elif left:
        print(f"{len(left)} of {cases} left a temporary file, for the launcher was fast")
    print(f"{cases - failures} passed, {failures} failed")
    sys.exit(failures > 0)


if __name__ == "__main__":
    import numpy as NUMPY
    main()
