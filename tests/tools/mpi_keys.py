#!/usr/bin/env python3
"""Random scans by key (-g) by several ranks of MPI, of text and of binary elements, compared with the single program:
the output, the messages and the exit status must be equal, and no further file may be left. Keys are few or many, rare
or in one part of the input alone.

Usage: mpi_keys.py SEED CASES [CASE]. PSCAN: the single program, PSCAN_MPI: the one for mpirun.
"""
import os
import struct

from mpi_cases import TILE, run_cases
from operator_facts import BITWISE, COMMON, where

RANKS = [1, 2, 3, 4, 5]
# What slices are joined exactly of.
OF_DECIMALS = [name for name in COMMON if name not in ("drawdown", "prod", "var", "std")]
OF_INTEGERS = ["sum", "max", "min", "count", "first", "last", "lag", "argmax", "argmin", "mean", *BITWISE]
OF_FLOATS = ["max", "min", "count", "first", "last", "lag", "delta", "range", "argmax", "argmin"]
TAKE_SEED = where(lambda facts: facts.seeded and facts.inputs == 1)
LINES = [f"k{i * i % 97} {i % 7}.{i % 100:02} {i % 5 - 2}" for i in range(9000)]
SUM_0 = ["b -1", "b 1"] * 250
TIMES = [f"{1700000000 + 1000 * i} 1" for i in range(6000)]


def with_line(number, text, lines=LINES):
    """The lines with another one in the place of that, from 0."""
    return lines[:number] + [text] + lines[number + 1:]


# Ranks, options, and a file as lines: what random cases seldom are.
FIXED = [
    # The message of a later slice names the line; of several the first is given.
    (3, ["-g", "1", "-f", "2"], with_line(7000, "k1 bad 0")),
    (3, ["-g", "1", "-f", "2", "--invalid=warn"], with_line(100, "k1 bad 0", with_line(8000, "k2 worse 0"))),
    # A sum does not fit in the second slice, or only where what is before the slice is known, or shows nowhere.
    (2, ["-g", "1", "-f", "2", "-t", "i8"], ["a 1", "b 1"] * 120 + ["a 8"]),
    (2, ["-g", "1", "-f", "2", "-t", "i8"], ["a 1", "b 1"] * 60 + ["a 5", "b -5"] * 60),
    (3, ["-g", "1", "-f", "2", "-t", "i8", "-e"], ["a 100", *SUM_0, "a 28", *SUM_0]),
    (3, ["-g", "1", "-f", "2", "-t", "i8", "-e"], ["a 100", *SUM_0, "a 28", *SUM_0, "a 0"]),
    (3, ["-g", "1", "-f", "2", "-t", "i8", "-e"], ["a 0", *SUM_0, "a 100", "a 28", *SUM_0, "a 0"]),
    (3, ["-g", "1", "-f", "2", "-t", "i8", "-op", "prod,max"], ["a -8", "b 1"] + ["b -1", "b 1"] * 300 + ["a 16"] + ["b 2", "c 3"]),
    (3, ["-g", "1", "-f", "2", "-t", "i8", "-op", "prod,sum", "--overflow=wrap"], ["a 3", "b -7", "c 2"] * 400),
    # Decimals of 128 bits, and of more: those of one key go on in f64.
    (3, ["-g", "1", "-f", "2"], ["a 9e18", "b 0.001"] * 400),
    (3, ["-g", "1", "-f", "2"], ["a 9e37", "b 0.001"] * 400),
    (3, ["-g", "1", "-f", "2"], with_line(4400, "k1 1e300 0")),
    (3, ["-g", "1", "-f", "2", "-t", "dec"], ["a 9e37", "b 0.001"] * 400),
    (3, ["-g", "1", "-f", "2", "-op", "first,last,max,min,sum", "--total"], ["a 1.50", "b 1.5", "a 1.500", "c 7", "a 1", "b 1.5000"] * 300),
    # Few lines, and a long one: ranks between others have none.
    (5, ["-g", "1", "-f", "2", "--total"], ["a 1", "b 2", "a 3"]),
    (3, ["-g", "1", "-f", "2", "--total"], ["a 1"] * 30 + ["b 2 " + "x" * 296] + ["c 3"] * 30),
    # No key of the first slice is in the last one; a slice has comments alone; no key has a number.
    (4, ["-g", "1", "-f", "2", "--total", "--comment", "#"], ["b 1", "a 2"] * 99 + ["# words"] * 500 + ["c 3"]),
    (4, ["-g", "1", "-f", "2", "--total", "--missing=skip"], ["b NA", "a 2"] * 99 + ["b NA"] * 500 + ["b 3"]),
    (3, ["-g", "1", "-f", "2", "--total", "--missing=skip"], ["b NA"] * 500),
    # A reset is a slice's first element of its key, or there is none, or it has a seed before it.
    (5, ["-g", "1", "-f", "3", "--reset-at=2", "--total"], LINES),
    (5, ["-g", "1", "-f", "3", "--reset-at=2"], [f"u{i * i % 1009} 1 {i % 3}" for i in range(4000)]),
    (3, ["-g", "1", "-f", "3", "--reset-at=7", "-op", "sum,delta"], LINES),
    (3, ["-g", "1", "-f", "3", "--reset-at=1", "--seed=0.5"], LINES),
    (3, ["-g", "1", "-f", "2", "--reset-at=nan", "-t", "f64", "--nan=propagate", "-op", "last,count"], with_line(5000, "k1 nan 0")),
    # Counts of numbers, and what has no result before a second one.
    (3, ["-g", "1", "-f", "2", "--min-count=150", "-op", "mean,sum"], LINES),
    (3, ["-g", "1", "-f", "2", "--min-count=90", "-op", "max,sum", "-e"], LINES),
    (3, ["-g", "1", "-f", "3", "-op", "delta,lag,argmax", "-t", "i16", "--overflow=wrap"], [f"u{i} 1 {i % 9}" for i in range(900)] * 3),
    (3, ["-g", "1", "-f", "2", "--emit=100 * s + n"], LINES),
    (3, ["-g", "1", "-f", "3", "-t", "i64", "--map=2*x - 1", "-op", "sum,max"], LINES),
    (3, ["-g", "1", "--map=a - b", "-op", "sum", "--csv", "-H"], ["k,a,b"] + [f"k{i % 7},{i % 11}.5,{i % 3}" for i in range(3000)]),
    # The scans of so many keys are sent in several parts.
    (2, ["-g", "1", "-f", "2", "--total"], [f"key{i * 7 % 90000} {i}" for i in range(180000)]),
    # Keys of units of time: as one process says where their kinds differ, in the first slice or a later one.
    (3, ["-g", "1:day", "-f", "2", "--total"], TIMES),
    (3, ["-g", "1:day", "-f", "2", "--total"], TIMES[:5000] + ["1700000000000 1"] + TIMES[5000:]),
    (3, ["-g", "1:day", "-f", "2"], TIMES[:1000] + ["1700000000000 1"] + TIMES[5000:]),
    (3, ["-g", "1:day", "-f", "2", "--comment", "#", "--chunk-size=1K"], TIMES[:900] + ["#"] * 18000 + ["1700000000000 1"] * 900),
    (3, ["--json", "-g", "k", "-f", "n", "--total"], [f'{{"k": "{i % 50}", "n": {i}}}' for i in range(3000)]),
    (3, ["--json", "-g", "k", "-f", "n", "--reset-at=4"], [f'{{"k": "{i % 50}", "n": {i % 8}}}' for i in range(3000)]),
    (3, ["--csv", "-H", "-g", "k", "-f", "n", "--total"], ["k,n"] + [f'"a{i % 30}\n",{i}' for i in range(3000)]),
]


def key_of(rng, shape, part):
    """A key: one of few or many, some only in one part of the input."""
    if rng.random() < 0.1:
        return f"only{part}"
    return f"k{int(rng.expovariate(1) * shape)}"


def number(rng, kind):
    """A token."""
    if kind[0] in "iu":
        return str(rng.choice([0, 1, 1, 2] if kind[0] == "u" or rng.random() < 0.5 else [0, -1, 1, -2, 2]))
    if kind == "f64":
        return repr(rng.choice([rng.uniform(-9, 9), 0.0, -0.0, 7.0]))
    return f"{rng.uniform(-100, 100):.{rng.choice([2, 2, 2, 2, 0, 3])}f}" if rng.random() < 0.9 else "7"


def operators(rng, kind):
    known = OF_DECIMALS if kind == "num" else OF_FLOATS if kind[0] == "f" else OF_INTEGERS
    return rng.sample(known, rng.choice([1, 1, 1, 2, 3]))


def common(rng, kind, chosen):
    """Options of both kinds of input."""
    options = ["-op", ",".join(chosen)] + rng.choice([[], [], ["-e"]])
    if rng.random() < 0.2 and all(op in TAKE_SEED for op in chosen):
        options += ["--seed", rng.choice(["0", "1", "3"])]
    if rng.random() < 0.3:
        options += ["--overflow=wrap"]
        if kind[0] in "iu" and rng.random() < 0.5:
            options[1] += ",range"
    if rng.random() < 0.15:
        options += ["--reset-at=" + rng.choice(["7", "1"])]
    if rng.random() < 0.1:
        options += [f"--min-count={rng.choice([2, 20])}"]
    if rng.random() < 0.5:
        options += ["--chunk-size", rng.choice(["1K", "32K"])]
    return options + ["-T", str(rng.choice([1, 2]))]


def text_case(rng, directory):
    kind = rng.choice(["num", "num", "num", "i8", "i32", "i64", "u16", "f64"])
    keys = rng.choice([1, 1, 2])
    fields = rng.choice([1, 1, 2])
    delimiter, header, json = rng.choice([(" ", False, False), (" ", False, False), (",", True, False), (",", False, False), (" ", False, True)])
    named = header or json
    options = [] if kind == "num" else ["-t", kind]
    options += ["--json"] if json else (["--csv", "-H"] if header else ["--csv", "--no-header"]) if delimiter == "," else []
    names = [f"a{i}" if named else str(i + 1) for i in range(keys + fields)]
    options += ["-g", ",".join(names[:keys]), "-f", ",".join(names[keys:])]
    chosen = operators(rng, kind)
    options += common(rng, kind, chosen)
    options += rng.choice([[], [], ["--total"], ["-a"], ["--replace"] if len(chosen) == 1 else []])
    missing = rng.choice(["", "", "skip", "0"])
    options += [f"--missing={missing}"] if missing else []
    options += [f"--invalid={rng.choice(['ignore', 'warn', 'fail'])}"] if rng.random() < 0.1 else []
    shape = rng.choice([0.5, 3, 100, 10**4])
    paths = []
    for i in range(rng.choice([1, 1, 1, 2, 3])):
        lines = [delimiter.join(f"a{j}" for j in range(keys + fields))] if header else []
        records = rng.choice([0, 1, 7, 300, rng.randrange(8000), rng.randrange(8000)])
        for place in range(records):
            given = [key_of(rng, shape, place * 4 // records) for _ in range(keys)] + [number(rng, kind) for _ in range(fields)]
            if missing and rng.random() < 0.2:
                given[-1 - rng.randrange(fields)] = "null" if json else "NA"
            if rng.random() < 0.00005:
                given[-1] = rng.choice(["bad", "1e30", "0.00000001", "127"])
            lines.append("{" + ", ".join(f'"a{j}": ' + (f'"{v}"' if j < keys else v) for j, v in enumerate(given)) + "}" if json else delimiter.join(given))
        paths.append(os.path.join(directory, f"in{i}"))
        with open(paths[-1], "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + ("\n" if lines and rng.random() < 0.9 else ""))
    return options + ["--format=text"], paths


def binary_case(rng, directory):
    kind = rng.choice(["i32", "i64", "f64"])
    chosen = operators(rng, kind)
    options = ["-t", kind, "--format=binary", "-c", "3", "-g", rng.choice(["1", "1,3"]), "-f", "2"] + common(rng, kind, chosen)
    options += rng.choice([[], [], ["--total"], ["--output-format=text"], ["--output-format=text", "--total"]])
    letter = {"i32": "i", "i64": "q", "f64": "d"}[kind]
    shape = rng.choice([0.5, 3, 100])
    paths = []
    for i in range(rng.choice([1, 1, 2])):
        records = rng.choice([0, 1, TILE, rng.randrange(5 * TILE), rng.randrange(5 * TILE)])
        values = [x for _ in range(records) for x in (int(rng.expovariate(1) * shape), rng.choice([-2, -1, 0, 1, 2, 7]), rng.randrange(2))]
        paths.append(os.path.join(directory, f"in{i}"))
        with open(paths[-1], "wb") as file:
            file.write(struct.pack(f"<{len(values)}{letter}", *values) + (b"x" if rng.random() < 0.05 else b""))
    return options, paths


def draw(rng, directory):
    """Options and the names of the files, which are written."""
    return (text_case if rng.random() < 0.75 else binary_case)(rng, directory)


if __name__ == "__main__":
    run_cases(FIXED, draw, RANKS)
