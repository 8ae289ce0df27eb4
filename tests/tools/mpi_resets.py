#!/usr/bin/env python3
"""Random scans with resets (--reset-on, -at, -gap, -every) by several ranks of MPI, of text and of binary elements,
compared with the single program: the output, the messages and the exit status must be equal, and no further file may be
left. Segments have from one element up to the whole input.

Usage: mpi_resets.py SEED CASES [CASE]. PSCAN: the single program, PSCAN_MPI: the one for mpirun.
"""
import os

from mpi_cases import RANKS, TILE, run_cases
from operator_facts import COMMON

TEXT_OPERATORS = [name for name in COMMON if name not in ("prod", "std")]
LENGTHS = [1, 3, 100, 1000, TILE, 3 * TILE, 10**15]
NUMBERS = [f"{i % 5}.{i % 89:02}" for i in range(20000)]


def with_lines(changed, lines=NUMBERS):
    """The lines with others in the places of some, from 0."""
    return [changed.get(i, line) for i, line in enumerate(lines)]


# Options, and a file as lines: what random cases seldom are. On 3 ranks.
FIXED = [
    # By count alone: slices begin in the midst of segments, of which some numbers are missing.
    (["--reset-every=997"], NUMBERS),
    (["--reset-every=997", "--total", "-op", "max,delta"], NUMBERS),
    (["--reset-every=997", "-f", "2", "--missing=skip"], [f"x {n if i % 3 else 'NA'}" for i, n in enumerate(NUMBERS)]),
    (["--reset-every=15000"], NUMBERS),
    # What does not fit where segments are not those that they are.
    (["--reset-every=100", "-t", "i8"], (["2"] * 60 + ["-4"] * 40) * 201),
    (["--reset-at=7", "-t", "i8"], (["7"] + ["2"] * 50 + ["-2"] * 60) * 201),
    # No segment begins in the second slice, or in none.
    (["--reset-at=7"], with_lines({100: "7", 14000: "7"})),
    (["--reset-at=7", "-e"], with_lines({100: "7"})),
    (["--reset-at=7"], NUMBERS),
    (["--reset-at=7", "--reset-every=997"], with_lines({100: "7"})),
    (["-f", "2,3", "--reset-at=7"], [f"x 1 {n}" for n in with_lines({9000: "7", 19000: "7"})]),
    # A segment begins where a slice does, or does not.
    (["-f", "2", "--reset-on=1"], [f"{'abcdef'[i * 6 // 20001]} {i % 9}.25" for i in range(20001)]),
    (["-f", "2", "--reset-on=1", "--total"], [f"{'abcdef'[i * 6 // 20001]} {i % 9}.25" for i in range(20001)]),
    (["-f", "2", "--reset-gap=1:5"], [f"{i + i // 5000 * 100} {i % 9}" for i in range(20001)]),
    # Exact decimals end in one segment, and begin anew in the next one; drawdown has them, too.
    (["--reset-at=7", "-op", "sum,drawdown"], with_lines({100: "7", 5000: "1e30", 5001: "0.00000000000001", 9000: "7"})),
    # Places in messages.
    (["-f", "2", "--reset-on=1"], [f"{i // 1000} {'bad' if i == 17000 else i}" for i in range(20001)]),
    (["--reset-at=7", "--invalid=warn"], with_lines({10: "7", 15000: "bad", 19000: "worse"})),
]


def common(rng, directory):
    """Options of both kinds of input."""
    options = rng.choice([[], [], ["-e"], ["--include-initial"], ["--total"], ["--total"]])
    if rng.random() < 0.3:
        options = options + ["--overflow=wrap"]
    if rng.random() < 0.5:
        options = options + ["--chunk-size", rng.choice(["1K", "32K"])]
    return options + ["-T", str(rng.choice([1, 2]))]


def text_case(rng, directory):
    kind = rng.choice(["num", "num", "num", "f64", "i8", "i64"])
    options = ["--format=text"] + ([] if kind == "num" else ["-t", kind])
    options += ["-op", ",".join(rng.sample(TEXT_OPERATORS, rng.choice([1, 1, 2])))]
    length = rng.choice(LENGTHS)
    how = rng.sample(["every", "every", "on", "at", "gap"], rng.choice([1, 1, 1, 2]))
    by_field = "on" in how or "gap" in how or rng.random() < 0.5
    if "every" in how:
        options += [f"--reset-every={rng.choice(LENGTHS)}"]
    if "at" in how:
        options += ["--reset-at=7"]
    fields = rng.choice([1, 1, 2]) if by_field else 0
    comes_out = [] if "every" in how else ["keep", "hold"]
    missing = rng.choice(["", "", "skip", *comes_out, "0"]) if fields else ""
    if by_field:
        options += ["-f", "3,4"[:2 * fields - 1]]
    if "on" in how:
        options += ["--reset-on=1"]
    if "gap" in how:
        options += ["--reset-gap=2:10"]
    if missing:
        options += [f"--missing={missing}"]
    if by_field and rng.random() < 0.3:
        options += ["-a"]
    if rng.random() < 0.2:
        options += [f"--nan={rng.choice(['skip', *comes_out, 'fail', '7'])}"]
    if rng.random() < 0.2:
        options += ["--comment", "#"]
    names = []
    place = group = 0
    for i in range(rng.choice([1, 1, 2])):
        lines = []
        for _ in range(rng.choice([0, 5, 2000, rng.randrange(5 * TILE), rng.randrange(5 * TILE)])):
            if rng.random() < 1 / length or rng.random() < 0.0003:
                place += 100
                group += 1
            place += 1
            number = ["7"] if "at" in how and rng.random() < 0.0003 + 1 / length else [str(rng.choice([0, 1, -1, 2]))] if kind[0] == "i" else [f"{rng.uniform(-9, 9):.2f}"]
            if rng.random() < 0.00005:
                number = [rng.choice(["nan", "bad", "1e30", "0.00000001", "127"])]
            number += [rng.choice(["1", "NA", "-"]) if missing and rng.random() < 0.3 else "2"]
            lines.append(f"g{group} {place} {' '.join(number)}" if by_field else number[0])
            if "--comment" in options and rng.random() < 0.01:
                lines.append("# words")
        names.append(os.path.join(directory, f"in{i}"))
        with open(names[-1], "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + ("\n" if lines and rng.random() < 0.9 else ""))
    return options + common(rng, directory), names


def binary_case(rng, directory):
    kind = rng.choice(["f32", "f64", "i8", "i32", "i64"])
    columns = rng.choice([1, 1, 2, 3])
    options = ["-t", kind, "--format=binary", "-op", ",".join(rng.sample(TEXT_OPERATORS, rng.choice([1, 1, 2])))]
    how = rng.sample(["every", "every", "on", "at", "gap"], rng.choice([1, 1, 1, 2]))
    how = [h for h in how if columns == 3 or h in ("every", "at")] or ["every"]
    length = rng.choice(LENGTHS)
    if columns > 1:
        options += ["-c", str(columns)]
        if columns == 3:
            options += ["-f", rng.choice(["1", "1,2"])]
    if "every" in how:
        options += [f"--reset-every={rng.choice(LENGTHS)}"]
    if "at" in how:
        options += ["--reset-at=7"]
    if "on" in how:
        options += ["--reset-on=3"]
    if "gap" in how:
        options += ["--reset-gap=3:10"]
    if rng.random() < 0.1:
        options += ["--output-format=text"]
    if kind[0] == "f" and rng.random() < 0.3:
        options += [f"--nan={rng.choice(['keep', 'hold', 'fail', '7', 'propagate'])}"]
    names = []
    tag = 0
    for i in range(rng.choice([1, 1, 2])):
        records = NUMPY.random.default_rng(rng.randrange(2**32)).integers(-2, 3, size=(rng.choice([0, 1, 5, TILE, rng.randrange(8 * TILE), rng.randrange(8 * TILE)]), columns))
        records = records.astype({"f": "float", "i": "int"}[kind[0]] + kind[1:])
        for j in range(len(records)):
            if rng.random() < 1 / length:
                tag = (tag + 20) % 100
                records[j, 0] = 7 if "at" in how else records[j, 0]
            if columns == 3:
                records[j, 2] = tag
            if kind[0] == "f" and rng.random() < 0.001:
                records[j, rng.randrange(min(columns, 2))] = NUMPY.nan
        names.append(os.path.join(directory, f"in{i}"))
        with open(names[-1], "wb") as file:
            file.write(records.tobytes() + (b"x" if rng.random() < 0.05 else b""))
    return options + common(rng, directory), names


def draw(rng, directory):
    """Options and the names of the files, which are written."""
    return (text_case if rng.random() < 0.6 else binary_case)(rng, directory)


if __name__ == "__main__":
    import numpy as NUMPY
    run_cases([(3, *case) for case in FIXED], draw, RANKS)
