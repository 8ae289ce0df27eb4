#!/usr/bin/env python3
"""A stream that is cut into several runs with --state must give the bytes of one run.

Usage: state_cuts.py SEED CASES [DEVICE]. PSCAN: the program. With a DEVICE some runs are on it and others on the host,
and programs of users are tried as well.
"""
import os
import random
import struct
import subprocess
import sys
import tempfile

import cases

PSCAN = os.environ["PSCAN"]
DEVICE = sys.argv[3] if len(sys.argv) > 3 else None
OPERATORS = ["sum", "sum", "sum", "max", "min", "prod", "count", "mean", "var", "std", "first", "last", "lag", "argmax", "argmin", "ema:0.25"]
TYPES = {"i8": "b", "u8": "B", "i16": "h", "u16": "H", "i32": "i", "u32": "I", "i64": "q", "u64": "Q", "f32": "f", "f64": "d"}
PROGRAMS = ["a*b % 1000003", "a+b", "a > b ? a : b"]


def run(options, data):
    """Exit code, output, messages."""
    done = subprocess.run([PSCAN, *options], input=data, capture_output=True, check=False, timeout=1200)
    return done.returncode, done.stdout, done.stderr.decode(errors="replace")


def number(rng, kind):
    """A number as it is written."""
    if kind == "wide":
        return str(rng.randrange(-10**25, 10**25))
    if kind == "large":
        return str(rng.randrange(10**18, 9 * 10**18))
    if kind == "decimal":
        return f"{rng.randrange(-99999, 99999) / 100:.{rng.randrange(4)}f}"
    if kind == "float":
        return rng.choice(["1e-25", "0.1234567890123456789", "1e30", "2.5"])
    return str(rng.randrange(-99, 99))


def text_records(rng, count, fields):
    """Lines of fields: keys and what resets go by in the first two, then numbers."""
    kinds = [rng.choice(["whole", "decimal", "decimal", "large", "wide", "float"]) for _ in range(3)]
    kinds = [rng.choice(["whole", "decimal"]), *kinds] if rng.random() < 0.5 else ["whole"]
    missing = rng.choice([0, 0, 0.2])
    keys = rng.choice([1, 3, 40])
    lines = []
    reset = 0
    for i in range(count):
        kind = kinds[i * len(kinds) // count]
        reset += rng.random() < 0.3
        numbers = [rng.choice(["", "-", "nan"]) if rng.random() < missing else number(rng, kind) for _ in range(fields)]
        lines.append(",".join([f"k{rng.randrange(keys)}", str(reset), *numbers]) + "\n")
    return [line.encode() for line in lines], missing > 0


def segments(rng, options, by_fields):
    """Options by which scans begin anew, or are of windows. Whether there are some."""
    before = len(options)
    if by_fields and rng.random() < 0.5:
        options += ["-g", "1"]
    if by_fields and rng.random() < 0.3:
        options += ["--reset-on", "2"]
    if by_fields and rng.random() < 0.2:
        options += ["--reset-gap", f"2:{rng.choice([0, 1])}"]
    if rng.random() < 0.2:
        options += [f"--reset-every={rng.choice([1, 3, 16, 50, 5000])}"]
    if rng.random() < 0.1:
        options += ["--reset-at=3"]
    if rng.random() < 0.3 and len(options) == before or rng.random() < 0.1:
        options += [f"--window={rng.choice([1, 2, 7, 100, 600])}"]
    return len(options) > before


def text_case(rng, count):
    """Options and records of text."""
    fields = rng.choice([1, 1, 2])
    records, has_missing = text_records(rng, count, fields)
    operators = rng.sample(OPERATORS, rng.choice([1, 1, 2]))
    options = ["-d,", "-f", "3" if fields == 1 else "3,4", "-op", ",".join(operators)]
    options += rng.choice([[], [], [], ["-t", "f64"], ["-t", "i64"], ["-t", "dec"]])
    options += [f"--missing={rng.choice(['skip', 'keep', 'zero', 'hold'])}"] if has_missing else []
    segments(rng, options, True)
    options += rng.choice([[], [], ["-a"], ["--replace"]]) if len(operators) == 1 else []
    return options, records


def binary_case(rng, count):
    """Options and records of raw numbers."""
    name = rng.choice(list(TYPES))
    columns = rng.choice([1, 1, 1, 3])
    is_float = name[0] == "f"
    low, high = (0, 20) if name[0] == "u" else (-20, 20)
    values = [rng.choice([0.1, 1e10, -3.25, float("nan") if rng.random() < 0.02 else 7.5]) if is_float
              else rng.randint(low, high) for _ in range(count * columns)]
    data = struct.pack(f"<{len(values)}{TYPES[name]}", *values)
    size = struct.calcsize(TYPES[name]) * columns
    accumulator = rng.choice(["", "", ":f64" if is_float else ":i64"])
    operators = rng.sample(OPERATORS, rng.choice([1, 1, 2]))
    options = ["--format=binary", "-t", name + accumulator, "-op", ",".join(operators), "--output-format=text"]
    options += ["-c", str(columns)] if columns > 1 else []
    if not segments(rng, options, False):
        options += rng.choice([[], [], ["--algorithm=hillis-steele"], ["--algorithm=sequential"]])
    options += ["--overflow=wrap"] if not is_float and rng.random() < 0.5 else []
    return options, [data[i:i + size] for i in range(0, len(data), size)]


def program_case(rng, count):
    """Options and records for an operator of the user's."""
    options, records = ["--format=binary", "-t", "u64", "--output-format=text", "-op", rng.choice(PROGRAMS)], []
    records = [struct.pack("<Q", rng.randrange(1, 1000)) for _ in range(count)]
    if rng.random() < 0.5:
        options += [f"--reset-every={rng.choice([3, 50])}"]
    return options, records


def cut(rng, records):
    """The same in some parts, or one by one."""
    if len(records) < 40 and rng.random() < 0.3:
        return [[r] for r in records]
    places = sorted(rng.choices(range(len(records) + 1), k=rng.choice([1, 2, 5])))
    return [records[a:b] for a, b in zip([0, *places], [*places, len(records)])]


def device(rng, is_program):
    """The options that say who scans."""
    if is_program:
        return ["-D", DEVICE]
    return ["-D", DEVICE] if DEVICE and rng.random() < 0.4 else ["-D", "none"]


def case(rng):
    """One."""
    is_program = DEVICE is not None and rng.random() < 0.3
    count = rng.choice([1, 5, 30, 30, 300, 5000, 20000])
    draw = program_case if is_program else text_case if rng.random() < 0.6 else binary_case
    options, records = draw(rng, count)
    options += ["-e"] if rng.random() < 0.3 else []
    options += [f"--seed={rng.choice(['0', '3', '7'])}"] if rng.random() < 0.2 else []
    options += ["--include-initial"] if rng.random() < 0.1 and "-a" not in options and "--replace" not in options else []
    sequential = "--algorithm=sequential" in options
    whole_code, whole, message = run([*options, "-D", DEVICE if is_program else "none"], b"".join(records))
    if whole_code == 2:
        return
    parts = cut(rng, records)
    with tempfile.TemporaryDirectory() as folder:
        state = os.path.join(folder, "state")
        given = b""
        code = 0
        for part in parts:
            who = ["-D", "none"] if sequential else device(rng, is_program)
            here = [*options, f"--state={state}", *who, f"-T{rng.choice([1, 3])}", f"--chunk-size={rng.choice(['4K', '1M'])}"]
            code, out, said = run(here, b"".join(part))
            given += out
            if code != 0:
                break
        assert os.listdir(folder) in ([], ["state"]), os.listdir(folder)
    where = f"{options} in {[len(p) for p in parts]}"
    assert code == whole_code, f"{where}: exit {code}, not {whole_code}: {said} {message}"
    assert given == whole, f"{where}: {len(given)} bytes, not {len(whole)}: {first_difference(given, whole)}"


def first_difference(a, b):
    """The first lines that differ."""
    for i, (x, y) in enumerate(zip(a.split(b"\n"), b.split(b"\n"))):
        if x != y:
            return f"line {i + 1}: {x!r}, not {y!r}"
    return "one is shorter"


if __name__ == "__main__":
    sys.exit(cases.run(case))
