"""lag:N and delta:N on random tables, by their definitions over lists of records: keys, resets, missing numbers,
several fields and operators, windows beside them, --min-count, cuts of --state, chunks of all sizes. Nothing is taken
from pscan.

    lag_model.py SEED COUNT
"""
import os
import random
import subprocess
import sys
import tempfile
from decimal import Decimal, getcontext
import cases
from typing import NamedTuple

PSCAN = os.environ.get("PSCAN", "build/pscan")
MARK = "NA"
getcontext().prec = 100


class Case(NamedTuple):
    """Random options. window: of --window, or 0; least: of --min-count, or 0."""

    kind: str
    fields: int
    ops: list
    how: str
    keys: bool
    on: bool
    every: int
    window: int
    limit: int
    least: int


def draw(rng):
    """A case."""
    ops = [rng.choice(["lag", "delta", "lag", "sum", "last"]) for _ in range(rng.randint(1, 3))]
    ops = [f"{op}:{rng.choice([1, 1, 2, 3, 5, 12, 40])}" if op in ("lag", "delta") else op for op in ops]
    how = rng.choice(["fail", "keep", "hold", "keep", "hold", "skip"])
    fields = 1 if how == "skip" else rng.randint(1, 3)
    limit = rng.choice([0, 0, 1, 2]) if how == "hold" else 0
    window = rng.choice([0, 0, 2, 7]) if "last" not in ops else 0
    least = rng.choice([0, 0, 1, 2, 4, 9])
    if window and "sum" in ops:
        least = min(least, window)  # More is refused.
    return Case(rng.choice(["num", "num", "i32", "f64"]), fields, ops, how, rng.random() < 0.5, rng.random() < 0.3,
                rng.choice([0, 0, 0, 3, 10]), window, limit, least)


def token(rng, case):
    """A number, or none."""
    if case.how != "fail" and rng.random() < 0.25:
        return MARK
    if case.kind != "num":
        return str(rng.randint(-10 ** 6, 10 ** 6))
    width = 10 ** 25 if rng.random() < 0.01 else 10 ** 5
    digits = rng.choice([0, 0, 0, 1, 2, 5]) if rng.random() < 0.3 else 2
    return f"{Decimal(rng.randint(-width, width)).scaleb(-digits):.{digits}f}"


def decimals(text):
    """How many a token has."""
    return len(text.partition(".")[2])


class Lane:
    """One field under one operator, in one segment."""

    def __init__(self, op, case):
        self.op, _, n = op.partition(":")
        self.back = int(n) if n else 0
        self.window = case.window if self.op == "sum" else 0
        self.least = case.least
        self.records = []  # tokens, of missing numbers too
        self.result = None

    def take(self, text):
        """The result of a record with a number; None: there is none."""
        self.records.append(text)
        self.result = self.computed(text)
        return self.result

    def computed(self, text):
        """By the definition."""
        of = self.records[-self.window:]  # All, if there is no window.
        if sum(t != MARK for t in of) < self.least:
            return None
        if self.op == "last":
            return text
        scale = max(decimals(t) for t in self.records if t != MARK)
        if self.op == "sum":
            return f"{sum(Decimal(t) for t in of if t != MARK):.{scale}f}"
        before = self.records[-1 - self.back] if len(self.records) > self.back else MARK
        if before == MARK:
            return None
        return before if self.op == "lag" else f"{Decimal(text) - Decimal(before):.{scale}f}"


class Key:
    """The scans of one key."""

    def __init__(self, case):
        self.case = case
        self.begin()
        self.on = None

    def begin(self):
        """A segment."""
        self.lanes = [[Lane(op, self.case) for op in self.case.ops] for _ in range(self.case.fields)]
        self.counts = [0] * self.case.fields
        self.in_row = [0] * self.case.fields

    def pass_over(self, on):
        """A record, which may begin a segment whether it comes out or not."""
        if self.case.on and self.on not in (None, on):
            self.begin()
        self.on = on

    def take(self, tokens):
        """The results of a record."""
        results = []
        for i, text in enumerate(tokens):
            if self.case.every and self.counts[i] == self.case.every:
                self.lanes[i] = [Lane(op, self.case) for op in self.case.ops]
                self.counts[i] = self.in_row[i] = 0
            self.counts[i] += 1
            if text != MARK:
                self.in_row[i] = 0
                results += [r if r is not None else "" for r in (lane.take(text) for lane in self.lanes[i])]
                continue
            self.in_row[i] += 1
            holds = self.case.how == "hold" and not 0 < self.case.limit < self.in_row[i]
            for lane in self.lanes[i]:
                results.append(lane.result if holds and lane.result is not None else MARK)
                lane.records.append(MARK)
        return results


def expected(case, records):
    """All lines, or the totals of keys in their order."""
    keys = {}
    lines = []
    for key, on, *tokens in records:
        name = key if case.keys else ""
        scans = keys.setdefault(name, Key(case))
        scans.pass_over(on)
        if case.how == "skip" and tokens == [MARK]:
            continue
        results = scans.take(tokens)
        lines.append(";".join([key, on, *tokens, *results]))
    return lines


def run(options, text):
    """Exit code, lines and messages."""
    done = subprocess.run([PSCAN, *options], input=text.encode(), capture_output=True, check=False)
    return done.returncode, done.stdout.decode().splitlines(), done.stderr.decode()


def check(rng, directory):
    """One case; returns what is wrong."""
    case = draw(rng)
    count = rng.choice([0, 1, 5, 50, 50, 400])
    records = [[rng.choice("abc"), str(rng.random() < 0.1), *(token(rng, case) for _ in range(case.fields))] for _ in range(count)]
    options = ["-d", ";", "-f", ",".join(str(3 + i) for i in range(case.fields)), "-op", ",".join(case.ops), "-a", f"--missing={case.how}"]
    options += [] if case.kind == "num" else ["-t", f"{case.kind}:f64" if case.kind == "i32" and rng.random() < 0.3 else case.kind]
    options += ["-g", "1"] * case.keys + ["--reset-on=2"] * case.on
    options += [f"--reset-every={case.every}"] * (case.every > 0) + [f"--window={case.window}"] * (case.window > 0)
    options += [f"--fill-limit={case.limit}"] * (case.limit > 0) + [f"--min-count={case.least}"] * (case.least > 0)
    options += [f"--chunk-size={rng.choice(['64', '1K', '1M'])}"] * (rng.random() < 0.7)
    lines = [";".join(r) for r in records]
    want = expected(case, records)
    got = []
    cuts = sorted(rng.randrange(count + 1) for _ in range(rng.choice([0, 0, 1, 3])))
    state = os.path.join(directory, "state")
    if os.path.exists(state):
        os.unlink(state)
    for first, end in zip([0, *cuts], [*cuts, count]):
        text = "".join(f"{line}\n" for line in lines[first:end])
        code, out, err = run([*options, *([f"--state={state}"] if cuts else [])], text)
        got += out
        if code != 0:
            return f"{options}: {code} {err}"
    if case.how == "skip":
        got = [line for line in got if line.split(";")[2] != MARK]
    wrong = [(i, g, w) for i, (g, w) in enumerate(zip(got, want)) if g != w]
    if len(got) != len(want) or wrong:
        return f"{options} {cuts}: {len(got)} lines of {len(want)}: {wrong[:3]}\n{lines[:30]}"
    return None


def case(rng):
    """One case."""
    with tempfile.TemporaryDirectory() as directory:
        wrong = check(rng, directory)
    assert not wrong, wrong


if __name__ == "__main__":
    sys.exit(cases.run(case))
