#!/usr/bin/env python3
"""The memory of a rank of MPI does not grow with the data, except by the totals of tiles.

Usage: mpi_memory.py [CASES]: runs the first CASES only. PSCAN_MPI: the program.
"""
import os
import subprocess
import sys
import tempfile

from mpi_cases import ENVIRONMENT, LAUNCH, PSCAN_MPI

# Options, and a few bytes of input that are written over and over.
CASES = [
    (["-t", "f64"], b"1.25\n-3.5\n2\n"),
    ([], b"1.25\n-3.5\n2\n"),
    (["--csv", "-f", "1,2", "-a", "-op", "max,var"], b'1,2.5,"a\n""b"\n3,-4,c\n'),
    (["-t", "f64", "--format=binary"], bytes(range(1, 121))),
]
RANKS = 3
SMALL = 6 << 20
TIMES = 8
# What memory is taken in: pieces, not bytes.
SLACK = 6 << 20


def peaks(directory, options, piece, size):
    """The peak of the memory of the rank that took most."""
    source = os.path.join(directory, "in")
    with open(source, "wb") as file:
        file.write(piece * (size // len(piece)))
    tool = os.path.join(os.path.dirname(__file__), "../bench/peak_memory.py")
    # (What ranks print may be mixed up.)
    wrapper = ["sh", "-c", f'"$@" > {directory}/peak.$OMPI_COMM_WORLD_RANK', "sh", sys.executable, tool]
    command = [*LAUNCH, "-n", str(RANKS), *wrapper, PSCAN_MPI, "-T", "1", "--chunk-size", "256K", *options, "-o", os.path.join(directory, "out"), source]
    subprocess.run(command, check=True, env=ENVIRONMENT, stdin=subprocess.DEVNULL)
    found = []
    for rank in range(RANKS):
        with open(os.path.join(directory, f"peak.{rank}"), encoding="ascii") as file:
            found.append(int(file.read()))
    return max(found)


def main():
    failures = 0
    cases = CASES[:int(sys.argv[1])] if len(sys.argv) > 1 else CASES
    with tempfile.TemporaryDirectory() as directory:
        for options, piece in cases:
            small = peaks(directory, options, piece, SMALL)
            large = peaks(directory, options, piece, TIMES * SMALL)
            if large > small + SLACK:
                print(f"{' '.join(options)}: {small} bytes for {SMALL}, {large} for {TIMES * SMALL}")
                failures += 1
            elif os.environ.get("VERBOSE"):
                print(f"{' '.join(options)}: {small} bytes for {SMALL}, {large} for {TIMES * SMALL}")
    print(f"{len(cases) - failures} passed, {failures} failed")
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
