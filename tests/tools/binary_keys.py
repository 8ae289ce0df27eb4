"""Random binary records with keys, resets and NaNs: pscan's output is compared with plain loops over Python's numbers.
All values are small whole numbers, so sums are exact in every type.

    binary_keys.py SEED COUNT
"""

import math
import os
import random
import subprocess
import sys
from typing import NamedTuple

import cases
import numpy as np

PSCAN = os.environ.get("PSCAN", "build/pscan")
NAN = math.nan


class Lane:
    """One scan: of sum, max, count-like indices; what it gives for its next element, inclusive or exclusive."""

    def __init__(self, op):
        self.op = op
        self.begin()

    def begin(self):
        """A new segment."""
        self.index = 0
        self.value = {"sum": 0, "max": -math.inf, "argmax": NAN}[self.op]
        self.best = None
        self.has_last = False

    def take(self, x, exclusive):
        """Takes an element in."""
        before = self.value
        if self.op == "sum":
            self.value += x
        elif self.op == "max":
            self.value = max(self.value, x)
        elif self.best is None or x > self.best:
            self.best, self.value = x, self.index
        self.index += 1
        self.has_last = True
        return before if exclusive else self.value

    def hold(self, how, exclusive):
        """What stands for a NaN that is kept or held; it takes its index."""
        self.index += 1
        if how == "keep":
            return NAN
        return self.value if exclusive or self.has_last else NAN


class Case(NamedTuple):
    """A random case. Columns count from 0; gap is a pair of a column and a number."""

    fields: list
    keys: list
    on: list
    every: int
    at: int
    gap: tuple
    ops: list
    exclusive: bool
    nan: str


class Key:
    """A key's scans, and the record that it saw last."""

    def __init__(self, c):
        self.lanes = [Lane(op) for _ in c.fields for op in c.ops]
        self.before = None
        self.name = None  # of its segment, if that has a total
        self.past = None  # the total of the segment before, of which the line has not come
        self.order = None  # when its first total began

    def begins(self, c, record):
        """Whether the record begins segments of all lanes."""
        if self.before is None:
            return False
        changed = any(record[k] != self.before[k] for k in c.on)
        return changed or (c.gap is not None and abs(record[c.gap[0]] - self.before[c.gap[0]]) >= c.gap[1])


def expected(c, records):
    """Results of each record, and totals as lists of (name, results)."""
    # Where keys and other fields alone begin segments, those without a number have no total and end no other one.
    by_numbers = c.nan != "" and c.every == 0 and c.at is None
    keys, results, ended = {}, [], []
    for record in records:
        name = tuple(record[k] for k in c.keys)
        key = keys.setdefault(name, Key(c))
        changed = key.begins(c, record)
        key.before = record
        given = []
        for number, lane in enumerate(key.lanes):
            x = record[c.fields[number // len(c.ops)]]
            if lane.index > 0 and (changed or lane.index == c.every or (c.at is not None and x == c.at)):
                if number == 0 and key.name is not None:
                    key.past = (key.name, [of.value for of in key.lanes])
                    key.name = None
                lane.begin()
            given.append(lane.take(x, c.exclusive) if x == x else lane.hold(c.nan, c.exclusive))
        has_number = any(record[field] == record[field] for field in c.fields)
        if key.order is None and has_number:
            key.order = len(results)
        if not by_numbers or has_number:
            key.name = (*name, *(record[k] for k in c.on))
            if key.past is not None:
                ended.append(key.past)
                key.past = None
        results.append(given)
    # Keys come in the order of their first numbers.
    last = sorted((key for key in keys.values() if not by_numbers or key.order is not None), key=lambda key: (key.order is None, key.order))
    return results, ended + [key.past if key.name is None else (key.name, [lane.value for lane in key.lanes]) for key in last]


def draw(rng, columns, is_float):
    """Returns a random case for records with this number of columns."""
    numbers = list(range(columns))
    rng.shuffle(numbers)
    fields = numbers[:rng.choice([1, 1, 2])]
    keys = rng.choice([[], numbers[2:3], numbers[2:4]])
    on = rng.choice([[], [], numbers[3:4], numbers[3:5]])
    single = len(fields) == 1
    nan = rng.choice(["", "keep", "hold"]) if is_float else ""
    ops = rng.sample(["sum", "max", "argmax"], rng.choice([1, 1, 2]))
    exclusive = rng.random() < 0.3 and "argmax" not in ops
    case = Case(fields=fields, keys=keys, on=on, every=rng.choice([0, 0, 1, 3, 64]), at=rng.choice([None, None, 0]) if single else None,
                gap=rng.choice([None, None, (numbers[-1], rng.choice([1, 2]))]), ops=ops, exclusive=exclusive, nan=nan)
    if not (case.keys or case.on or case.every or case.gap or case.at is not None):
        return case._replace(every=5)
    return case


def options_of(c, columns, spec, rng):
    """The command line."""
    def listed(numbers):
        return ",".join(str(n + 1) for n in numbers)
    options = ["--format=binary", "-t", spec, "-c", str(columns), "-f", listed(c.fields), "-op", ",".join(c.ops)]
    options += ["-g", listed(c.keys)] if c.keys else []
    options += [f"--reset-on={listed(c.on)}"] if c.on else []
    options += [f"--reset-every={c.every}"] if c.every else []
    options += [f"--reset-at={c.at}"] if c.at is not None else []
    options += [f"--reset-gap={c.gap[0] + 1}:{c.gap[1]}"] if c.gap else []
    options += ["-e"] if c.exclusive else []
    options += [f"--nan={c.nan}"] if c.nan else []
    return options + ["-T", rng.choice("124"), f"--chunk-size={rng.choice(['1K', '16K', '1M'])}"]


def run(arguments, data):
    """What pscan writes; it must succeed."""
    r = subprocess.run([PSCAN, *arguments], input=data, capture_output=True, check=False)
    assert (r.returncode, r.stderr) == (0, b""), f"{arguments}: {r.returncode} {r.stderr.decode()}"
    return r.stdout


def same(got, want):
    """Numbers that are equal, or both NaN."""
    return len(got) == len(want) and all(a == b or (a != a and b != b) for a, b in zip(got, want))


def check_totals(c, table, options, want):
    """Checks the totals as lines, and as bytes: keys, then results, in the input's byte order."""
    lines = run([*options, "--output-format=text"], table.tobytes()).decode().split("\n")[:-1]
    want = [["-" if v != v else v for v in values] for values in want]
    got = [[v if v == "-" else float(v) for v in line.split(" ")] for line in lines]
    at = next((i for i, (g, w) in enumerate(zip(got, want)) if g != w), min(len(got), len(want)))
    assert got == want, f"{options}: {len(got)} totals, not {len(want)}, from {at}: {got[at:at + 9]}, not {want[at:at + 9]}"
    if "argmax" not in c.ops:
        width = len(c.keys) + len(c.on) + len(c.fields) * len(c.ops)
        got = np.frombuffer(run(options, table.tobytes()), table.dtype).reshape(-1, width).tolist()
        assert got == want, f"{options} in bytes: {got[:9]}"


def case(rng):
    """One table and one command line."""
    kind = rng.choice(["<i4", ">i4", "<f8", ">f8", "<f4", "<u2"])
    columns = rng.choice([5, 6, 9])
    c = draw(rng, columns, kind[1] == "f")
    table = np.random.default_rng(rng.randrange(2**32)).integers(0, rng.choice([2, 4]), (rng.choice([1, 40, 3000]), columns)).astype(kind)
    # Integers of bytes have nothing that stands for an index that is absent, nor have they -inf.
    for field in c.fields if c.nan else []:
        others = [*c.keys, *c.on, *([c.gap[0]] if c.gap else [])]
        if field not in others:
            table[np.random.default_rng(rng.randrange(2**32)).random(len(table)) < rng.choice([0.1, 0.8]), field] = NAN
    records = table.tolist()
    results, totals = expected(c, records)
    options = options_of(c, columns, kind, rng)
    lines = run([*options, "--output-format=text"], table.tobytes()).decode().split("\n")[:-1]
    lowest = {"i": -2**31, "u": 0, "f": -math.inf}[kind[1]]
    def shown(values):
        return [lowest if v == -math.inf else v for v in values]
    assert len(lines) == len(records), f"{options}: {len(lines)} lines"
    for i, line in enumerate(lines):
        got = [float(v) for v in line.split(" ")]
        want = [records[i][k] for k in c.keys] + shown(results[i])
        assert same(got, want), f"{options}: record {i}: {got}, not {want}"
    data = run(options, table.tobytes()) if "argmax" not in c.ops else None
    got = np.frombuffer(data, kind).reshape(len(records), -1).tolist() if data is not None else []
    for i, values in enumerate(got):
        assert same(values, shown(results[i])), f"{options} in bytes: record {i}: {values}"
    if len(c.fields) > 1 and (c.at is not None or (c.nan and (c.on or c.gap))):
        refused = subprocess.run([PSCAN, *options, "--total"], input=table.tobytes(), capture_output=True, check=False)
        assert refused.returncode == 2, f"{options} --total: {refused}"
        return
    check_totals(c, table, [*options, "--total"], [[*name, *shown(values)] for name, values in totals])


sys.exit(cases.run(case))
