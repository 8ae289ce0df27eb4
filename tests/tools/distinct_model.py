"""Counts of different texts in random tables, by sets: keys, resets, missing texts, several fields, quotes of CSV, JSON
and logfmt, exclusive results, totals, chunks of all sizes. Nothing is taken from pscan.

    distinct_model.py SEED COUNT
"""
import json
import os
import random
import subprocess
import sys
import cases
from typing import NamedTuple

PSCAN = os.environ.get("PSCAN", "build/pscan")
MARK = "NA"


class Case(NamedTuple):
    """Random options."""

    layout: str
    fields: int
    how: str
    keys: bool
    on: bool
    every: int
    exclusive: bool
    least: int
    total: bool


def draw(rng):
    """A case."""
    how = rng.choice(["fail", "fail", "keep", "hold"])
    layout = rng.choice(["csv", "csv", "tsv", "json", "logfmt", "blanks"])
    total = rng.random() < 0.2 and layout != "logfmt"
    return Case(layout, rng.randint(1, 3), how, rng.random() < 0.5,
                rng.random() < 0.3 and not total, 0 if total else rng.choice([0, 0, 0, 3, 10]), rng.random() < 0.2,
                0, total)._replace(least=rng.choice([0, 0, 2]) if how == "fail" and not total else 0)


def texts_of(rng, layout):
    """A pool of texts that differ, some by little, and some that are written in several ways."""
    size = rng.choice([2, 5, 30])
    plain = ["a", "b", "1", "1.0", "01", "1e0", "user 1" if layout in ("csv", "tsv", "json", "logfmt") else "user1", "x" * 23, "x" * 24, "x" * 25, "y" * 60 + "1",
             "y" * 60 + "2", "nano", "ä", "-1", "0"]
    if layout in ("csv", "json"):
        plain += ['say "a"', 'say ""a""', "a,b", "a\\b"]
    return rng.sample(plain, min(size, len(plain)))


def csv_field(rng, text):
    """A field of CSV, in quotes where it needs them or by chance."""
    if any(c in text for c in ',"') or rng.random() < 0.2:
        return '"' + text.replace('"', '""') + '"'
    return text


def json_value(rng, text):
    """A string, some of its characters escaped by chance."""
    return json.dumps(text) if rng.random() < 0.7 else '"' + "".join(f"\\u{ord(c):04x}" if rng.random() < 0.5 or c in '"\\' else c for c in text) + '"'


def line_of(rng, layout, record):
    """A record as it is written. Its first two fields are the key and what segments go by."""
    names = ["k", "s", "x", "y", "z"]
    if layout == "csv":
        return ",".join(csv_field(rng, t) if t != MARK else t for t in record)
    if layout == "tsv":
        return "\t".join(record)
    if layout == "blanks":
        return rng.choice([" ", "  "]).join(record)
    if layout == "json":
        return "{" + ", ".join(f'"{n}": {json_value(rng, t) if t != MARK else "null"}' for n, t in zip(names, record)) + "}"
    return " ".join(f'{n}="{t}"' if " " in t or rng.random() < 0.2 else f"{n}={t}" for n, t in zip(names, record))


class Scan:
    """One field's count in one key."""

    def __init__(self):
        self.begin()
        self.on = None

    def begin(self):
        """A segment."""
        self.seen = set()
        self.numbers = 0
        self.records = 0
        self.last = None

    def shown(self, case):
        """The result that covers what the segment has now; None: there is none."""
        return len(self.seen) if self.numbers >= case.least else None

    def take(self, case, on, text):
        """A record's result, a mark, or None."""
        if (case.on and self.on not in (None, on)) or (case.every and self.records == case.every):
            self.begin()
        self.on = on
        self.records += 1
        before = self.shown(case)
        if text != MARK:
            self.seen.add(text)
            self.numbers += 1
            self.last = self.shown(case)
            return before if case.exclusive else self.last
        held = before if case.exclusive else self.last
        return held if case.how == "hold" and held is not None else MARK


def expected(case, records):
    """The results of all records, or the totals of keys."""
    scans = {}
    order = {}  # of keys with a text, by their first one
    lines = []
    for key, on, *texts in records:
        if any(text != MARK for text in texts):
            order[key if case.keys else ""] = True
        of_key = scans.setdefault(key if case.keys else "", [Scan() for _ in range(case.fields)])
        lines.append([scan.take(case, on, text) for scan, text in zip(of_key, texts)])
    if not case.total:
        return lines
    totals = {key: [scan.shown(case) for scan in scans[key]] for key in order}
    return [[key, *counts] for key, counts in totals.items()] if case.keys else [totals.get("", [0] * case.fields)]


def options_of(rng, case):
    """The arguments, but the operator's. Results are text in fields of their own."""
    names = ["x", "y", "z"][:case.fields]
    options = {"csv": ["--csv", "--no-header"], "tsv": ["-d", "\t"], "json": ["--json"], "logfmt": ["--logfmt"], "blanks": []}[case.layout]
    named = case.layout in ("json", "logfmt")
    options += ["-f", ",".join(names if named else [str(3 + i) for i in range(case.fields)])]
    options += ["-g", "k" if named else "1"] * case.keys + [f"--reset-on={'s' if named else 2}"] * case.on
    options += [f"--missing={case.how}"] + [f"--reset-every={case.every}"] * (case.every > 0) + ["-e"] * (case.exclusive and not case.total)
    options += [f"--min-count={case.least}"] * (case.least > 0) + ["--total"] * case.total
    return options + [f"--chunk-size={rng.choice(['64', '1K', '1M'])}"] * (rng.random() < 0.7) + [f"-T{rng.choice([1, 2, 4])}"]


def results_of(case, line):
    """The results of a line of output, as they are expected."""
    if case.layout == "json":
        fields = json.loads(line)
        wanted = (["k"] if case.total and case.keys else []) + [n + "_distinct" for n in ["x", "y", "z"][:case.fields]]
        return [fields.get(n, "") for n in wanted]
    if case.layout == "logfmt":
        return [f.split("=", 1)[1].strip('"') for f in line.split()]
    return line.split({"csv": ",", "tsv": "\t", "blanks": " " if case.total else None}[case.layout])


def check(rng):
    """One case; returns what is wrong."""
    case = draw(rng)
    pool = texts_of(rng, case.layout)
    marks = case.how != "fail"
    records = [[rng.choice("abc"), str(rng.random() < 0.1), *(MARK if marks and rng.random() < 0.2 else rng.choice(pool) for _ in range(case.fields))]
               for _ in range(rng.choice([1, 5, 60, 500]))]
    options = ["-op", "distinct", *options_of(rng, case)]
    appends = not case.total
    lines = [line_of(rng, case.layout, record) for record in records]
    done = subprocess.run([PSCAN, *options, *(["-a"] if appends else [])], input="".join(f"{line}\n" for line in lines).encode(), capture_output=True, check=False)
    got = done.stdout.decode().splitlines()
    want = expected(case, records)
    if done.returncode != 0 or done.stderr or len(got) != len(want):
        return f"{options}: {done.returncode} {done.stderr.decode()} {len(got)} lines of {len(want)}\n{lines[:20]}"
    for i, (line, of_record) in enumerate(zip(got, want)):
        if appends and not line.startswith(lines[i][:-1] if case.layout == "json" else lines[i]):
            return f"{options}: line {i}: {line} of {lines[i]}"
        written = "{" + line[len(lines[i]) - 1:].lstrip(", ") if case.layout == "json" and appends else line[len(lines[i]):].lstrip(",\t ") if appends else line
        found = results_of(case, written) if case.layout != "csv" or not appends else line[len(lines[i]) + 1:].split(",")
        if case.layout == "tsv" and appends:
            found = line[len(lines[i]) + 1:].split("\t")
        if case.layout in ("json", "logfmt", "blanks") and appends and None in of_record:
            continue  # (What is absent has no field there.)
        wanted = ["" if r is None else None if r == MARK and case.layout == "json" else r for r in of_record]
        if [str(f) for f in found] != [str(w) for w in wanted]:
            return f"{options}: line {i}: {found} for {wanted}\n{lines[:i + 1][-20:]}"
    return None


def case(rng):
    """One case."""
    wrong = check(rng)
    assert not wrong, wrong


if __name__ == "__main__":
    sys.exit(cases.run(case))
