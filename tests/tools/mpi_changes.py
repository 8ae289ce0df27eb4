#!/usr/bin/env python3
"""Input that becomes shorter or longer while ranks read it. Success means that the output is the results of the old
input or those of the new input, never a mixture.

Usage: mpi_changes.py SEED CASES. PSCAN and PSCAN_MPI: the programs.
"""
import os
import random
import subprocess
import sys
import tempfile
import time

from mpi_cases import ENVIRONMENT, LAUNCH, PSCAN, PSCAN_MPI
from mpi_kills import children

ELEMENTS = 8 << 20


def results(options, output, names):
    """What one process makes of the files."""
    subprocess.run([PSCAN, *options, "-o", output, *names], check=True, env=ENVIRONMENT)
    with open(output, "rb") as file:
        return file.read()


def case(rng, directory):
    """Returns what is wrong, or None, and whether the change was noticed."""
    names = [os.path.join(directory, name) for name in ("first", "second")]
    output = os.path.join(directory, "out")
    options = ["-t", "f32", "-T", "1"]
    for name in names:
        with open(name, "wb") as file:
            file.write(NUMPY.random.default_rng(1).normal(size=ELEMENTS).astype("f4").tobytes())
    before = results(options, output, names)
    os.remove(output)
    ranks = rng.choice([2, 3])
    command = [*LAUNCH, "-n", str(ranks), PSCAN_MPI, *options, "-o", output, *names]
    begin = time.monotonic()
    subprocess.run(command, check=True, env=ENVIRONMENT)
    duration = time.monotonic() - begin
    os.remove(output)
    launcher = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=ENVIRONMENT)
    while len(children(launcher.pid)) < ranks and launcher.poll() is None:
        time.sleep(0.002)
    time.sleep(rng.uniform(0.2, 0.9) * duration)
    os.truncate(names[0], rng.choice([0, 4 * (ELEMENTS // 2), 4 * (ELEMENTS - 1), 4 * (ELEMENTS + 1)]))
    messages = launcher.communicate(timeout=1200)[1].decode(errors="replace")
    content = None
    if os.path.exists(output):
        with open(output, "rb") as file:
            content = file.read()
    after = results(options, os.path.join(directory, "after"), names)
    left = [name for name in os.listdir(directory) if name.startswith(".")]
    if left:
        return f"{left} is left", False
    if launcher.returncode == 0:
        return None if content in (before, after) else "success with other results", False
    if launcher.returncode != 3 or content is not None or "pscan: " + names[0] not in messages:
        return f"{launcher.returncode}: {messages[:200]}", False
    return None, True


def main():
    rng = random.Random(int(sys.argv[1]))
    cases = int(sys.argv[2])
    failures = 0
    noticed = 0
    for number in range(cases):
        with tempfile.TemporaryDirectory() as directory:
            failure, was_noticed = case(rng, directory)
        noticed += was_noticed
        if failure is not None:
            print(f"case {number}: {failure}")
            failures += 1
    if cases >= 20 and noticed == 0:
        print("no change came while the files were read")
        failures += 1
    print(f"{cases - failures} passed, {failures} failed")
    sys.exit(failures > 0)


if __name__ == "__main__":
    import numpy as NUMPY
    main()
