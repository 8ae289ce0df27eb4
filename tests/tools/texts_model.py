"""first, last, lag, lag:N, count and distinct of texts, and max and min of times, in random tables, by lists: keys,
resets, windows, missing texts, several fields and operators, seeds, exclusive results, totals, --replace, --reverse,
states cut in two, chunks of all sizes. Nothing is taken from pscan.

    texts_model.py SEED COUNT
"""
import csv
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import cases
from typing import NamedTuple, Optional

PSCAN = os.environ.get("PSCAN", "build/pscan")
MARK = "NA"
NAMES = ["x", "y", "z"]
WORDS = ["a", "b", "Bonn", "N1", "x" * 23, "x" * 24, "x" * 25, "y" * 60 + "1", "y" * 60 + "2", "nano", "\u00e4", "inform", "e1", "+"]
NUMBERS = ["1", "1.0", "01", "1e0", "-1", "0", "inf", "+5"]
TIMES = {"2024-05-01": 1714521600, "01/May/2024": 1714521600, "2024-05-01T02:00:00+02:00": 1714521600, "2024-05-01T00:00:00.5Z": 1714521600.5,
         "29/Feb/2024:12:00:00": 1709208000, "2024-05-01T00:00:00.25": 1714521600.25, "2024-05-01T00:00:00.50": 1714521600.5,
         "1969-12-31T23:59:57Z": -3, "1969-12-31": -86400}
SPECIAL = ['say "a"', "a,b", "a\\b", "two words"]


class Case(NamedTuple):
    """Random options."""

    layout: str
    fields: int
    ops: list
    how: str  # --missing
    keys: bool
    on: bool
    every: int
    window: int
    exclusive: bool
    seed: Optional[str]
    least: int
    limit: int
    mode: str  # plain, append, replace, total
    reverse: bool
    state: bool
    asked: bool  # -t text
    times: bool


def draw(rng):
    """A case."""
    layout = rng.choice(["csv", "csv", "tsv", "json", "logfmt", "blanks"])
    mode = rng.choice(["plain", "append", "append", "replace", "total"])
    window = rng.choice([0, 0, 0, 1, 2, 7])
    exclusive = rng.random() < 0.25 and window == 0 and mode != "total"
    times = rng.random() < 0.3
    seed = rng.choice(list(TIMES) if times else ["seed", "a"]) if exclusive and rng.random() < 0.7 else None
    if seed is not None:
        choices = ["first", "last", "lag"]
    elif exclusive:
        choices = ["lag", "count", "distinct"]
    else:
        choices = ["first", "last", "lag", "count", "lag:1", "lag:3"] + ["distinct"] * (window == 0)
    if times and window == 0 and (seed is not None or not exclusive):
        choices = ["max", "min"] + choices
    ops = rng.sample(choices, 1 if mode == "replace" else rng.randint(1, min(3, len(choices))))
    how = rng.choice(["fail", "keep", "hold", "hold", "skip", "7"])
    state = rng.random() < 0.3 and "distinct" not in ops and mode != "total"
    reverse = rng.random() < 0.15 and not state and mode != "total"
    return Case(layout, rng.randint(1, 3), ops, how, rng.random() < 0.5, rng.random() < 0.25 and mode != "total",
                0 if mode == "total" else rng.choice([0, 0, 0, 3, 10]), window, exclusive, seed,
                rng.choice([0, 0, 2]) if mode != "total" and window != 1 and not any(op[-1] in "1" for op in ops) else 0,
                rng.choice([0, 1, 3]) if how == "hold" else 0, mode, reverse, state, not times and rng.random() < 0.5, times)


def json_value(rng, text):
    """A string, some of its characters escaped by chance."""
    return json.dumps(text) if rng.random() < 0.7 else '"' + "".join(f"\\u{ord(c):04x}" if rng.random() < 0.5 or c in '"\\' else c for c in text) + '"'


def csv_field(rng, text):
    """A field of CSV, in quotes where it needs them or by chance."""
    if any(c in text for c in ',"') or rng.random() < 0.2:
        return '"' + text.replace('"', '""') + '"'
    return text


def line_of(rng, layout, record):
    """A record as it is written. Its first two fields are the key and what segments go by."""
    names = ["k", "s", *NAMES]
    if layout == "csv":
        return ",".join(csv_field(rng, t) if t != MARK else t for t in record)
    if layout == "tsv":
        return "\t".join(record)
    if layout == "blanks":
        return rng.choice([" ", "  "]).join(record)
    if layout == "json":
        return "{" + ", ".join(f'"{n}": {json_value(rng, t) if t != MARK else "null"}' for n, t in zip(names, record)) + "}"
    return " ".join(f"{n}={json.dumps(t, ensure_ascii=False)}" if re.search(r'[ "=\\]', t) or rng.random() < 0.2 else f"{n}={t}" for n, t in zip(names, record))


class Scan:
    """One field under one operator in one key."""

    def __init__(self, case, op):
        self.case = case
        self.op = op.split(":")[0]
        self.distance = int(op.split(":")[1]) if ":" in op else 0
        self.on = None
        self.begin()

    def begin(self):
        """A segment."""
        self.items = []  # of all records, None: none
        self.row = 0  # missing ones after the last text
        self.last = None

    def covered(self):
        """The texts that a result covers."""
        items = self.items[-self.case.window:] if self.case.window and not self.distance else self.items
        return [t for t in items if t is not None]

    def result(self):
        """Of what the segment has now; None: absent."""
        if self.distance:
            at = len(self.items) - 1 - self.distance
            few = sum(t is not None for t in self.items[-self.distance - 1:]) < self.case.least
            return None if at < 0 or few else self.items[at]
        texts = self.covered()
        if len(texts) < self.case.least:
            return None
        if self.op == "count":
            return str(len(texts))
        if self.op == "distinct":
            return str(len(set(texts)))
        seeds = [self.case.seed] if self.case.seed is not None else []
        texts = seeds + texts
        if self.op == "lag":
            return texts[-2] if len(texts) > 1 else None
        if not texts:
            return None
        if self.op in ("max", "min"):
            return {"max": max, "min": min}[self.op](texts, key=lambda t: 7 if t == "7" else TIMES[t])
        return texts[0] if self.op == "first" else texts[-1]

    def take(self, on, text):
        """A record's cell: a text, MARK or None for absent."""
        case = self.case
        if case.how == "skip" and text == MARK and not case.on:
            return None
        if (case.on and self.on not in (None, on)) or (case.every and len(self.items) == case.every):
            self.begin()
        self.on = on
        if case.how == "skip" and text == MARK:
            return None
        before = self.result()
        if text != MARK:
            self.items.append(text)
            self.row = 0
            self.last = self.result()
            return before if case.exclusive else self.last
        self.items.append(None)
        self.row += 1
        if case.how == "keep" or (case.limit and self.row > case.limit):
            # (What would have no result has none in place of the mark, either, where results are of what came before.)
            return MARK if case.how == "keep" or not case.exclusive or before is not None else None
        if case.exclusive:
            return before
        return self.last if self.last is not None else MARK


def expected(case, records):
    """The cells of all records, or the totals of keys."""
    scans = {}
    order = {}
    lines = []
    for key, on, *texts in reversed(records) if case.reverse else records:
        texts = ["7" if case.how == "7" and text == MARK else text for text in texts]
        name = key if case.keys else ""
        if any(text != MARK for text in texts):
            order[name] = True
        of_key = scans.setdefault(name, [[Scan(case, op) for op in case.ops] for _ in range(case.fields)])
        lines.append([scan.take(on, text) for of_field, text in zip(of_key, texts) for scan in of_field])
    if case.reverse:
        lines.reverse()
    if case.mode != "total":
        return lines
    empty = ["0" if op in ("count", "distinct") else None for op in case.ops] * case.fields
    totals = {key: [scan.last if any(t is not None for t in scan.items) else "0" if scan.op in ("count", "distinct") else None for of_field in scans[key] for scan in of_field] for key in order}
    return [[key, *cells] for key, cells in totals.items()] if case.keys else [totals.get("", empty)]


def options_of(rng, case):
    """The arguments, but the files."""
    named = case.layout in ("json", "logfmt")
    options = {"csv": ["--csv", "--no-header"], "tsv": ["-d", "\t"], "json": ["--json"], "logfmt": ["--logfmt"], "blanks": []}[case.layout]
    options = ["-op", ",".join(case.ops), *options, "-f", ",".join(NAMES[:case.fields] if named else [str(3 + i) for i in range(case.fields)])]
    options += ["-g", "k" if named else "1"] * case.keys + [f"--reset-on={'s' if named else 2}"] * case.on
    options += [f"--missing={case.how}"] * (case.how != "fail") + [f"--reset-every={case.every}"] * (case.every > 0)
    options += [f"--window={case.window}"] * (case.window > 0) + ["-e"] * case.exclusive + [f"--seed={case.seed}"] * (case.seed is not None)
    options += [f"--min-count={case.least}"] * (case.least > 0) + [f"--fill-limit={case.limit}"] * (case.limit > 0)
    options += {"plain": [], "append": ["-a"], "replace": ["--replace"], "total": ["--total"]}[case.mode] + ["-r"] * case.reverse
    options += ["-t", "text"] * case.asked + ["--accept=time"] * case.times
    return options + [f"--chunk-size={rng.choice(['64', '1K', '1M'])}"] * (rng.random() < 0.8) + [f"-T{rng.choice([1, 2, 4])}"]


def split(case, line):
    """The fields of a line of output: a list, or by name."""
    if case.layout == "json":
        return json.loads(line)
    if case.layout == "logfmt" and case.mode in ("plain", "total"):
        return [json.loads(value) if value[0] == '"' else value for value in re.findall(r'"(?:[^"\\]|\\.)*"|\S+', line)]
    if case.layout == "logfmt":
        pairs = re.findall(r'(\S+?)=("(?:[^"\\]|\\.)*"|\S*)', line)
        return {name: json.loads(value, strict=False) if value[:1] == '"' else value for name, value in pairs}
    if case.layout == "csv":
        return next(csv.reader([line]))
    return line.split("\t") if case.layout == "tsv" else line.split(" ") if case.mode in ("plain", "total") else line.split()


def wrong_cells(case, record, cells, line):
    """What a line of output should be and is not."""
    found = split(case, line)
    named = isinstance(found, dict)
    empty = "-" if case.layout in ("blanks", "logfmt") else ""
    if case.layout == "json":
        cells = [int(cell) if cell == "7" or (cell not in (None, MARK) and op in ("count", "distinct")) else cell for cell, op in zip(cells, case.ops * case.fields)]
    if case.mode == "replace":
        wanted = [text if cell is None else cell for text, cell in zip(record[2:], cells)]
        got = [found[n] for n in NAMES[:case.fields]] if named else found[2:2 + case.fields]
    else:
        wanted = cells
        got = [found.get(f"{n}_{op}") for n in NAMES[:case.fields] for op in case.ops] if named else found[-len(cells):]
        if not named and case.mode == "append" and len(found) == len(record) and case.layout == "blanks" and cells == [None]:
            return None
    if case.layout == "json":
        wanted = [None if cell == MARK else cell for cell in wanted]
    elif named:
        wanted = [cell or "" for cell in wanted]
        got = [cell or "" for cell in got]
    else:
        if case.mode == "total" and len(cells) == 1 and not case.keys:
            empty = "-"
        wanted = [empty if cell is None else cell for cell in wanted]
    return None if wanted == got else f"{got} for {wanted}"


def run(options, lines, cut, case):
    """The output of all lines; of a state in two runs. Its errors, too."""
    data = ["".join(f"{line}\n" for line in part).encode() for part in (lines[:cut], lines[cut:])]
    if not case.state:
        done = subprocess.run([PSCAN, *options], input=b"".join(data), capture_output=True, check=False)
        return done.stdout.decode(), done.stderr.decode()
    out, err = "", ""
    with tempfile.TemporaryDirectory() as folder:
        for part in data:
            with open(f"{folder}/in", "ab") as file:
                file.write(part)
            done = subprocess.run([PSCAN, f"--state={folder}/state", *options, f"{folder}/in"], capture_output=True, check=False)
            out += done.stdout.decode()
            err += done.stderr.decode()
        shown = subprocess.run([PSCAN, f"--show-state={folder}/state"], capture_output=True, check=False)
        err += shown.stderr.decode()
    return out, err


def check(rng):
    """One case; returns what is wrong."""
    case = draw(rng)
    pool = WORDS + NUMBERS * case.asked + (SPECIAL if case.layout in ("csv", "json") else SPECIAL[3:4] if case.layout in ("tsv", "logfmt") else [])
    pool = rng.sample(pool, min(rng.choice([2, 5, 30]), len(pool)))
    if case.times:
        pool = rng.sample(list(TIMES), rng.choice([1, 3, len(TIMES)]))
    elif rng.random() < 0.1:  # many, of which most are soon forgotten
        pool = [f"text {i}".replace(" ", "_") * rng.choice([1, 9]) for i in range(3000)]
    count = rng.choice([1, 5, 60, 500, 4000] if len(pool) > 30 else [1, 5, 60, 500])
    records = [[rng.choice("abc"), str(rng.random() < 0.1), *(MARK if case.how != "fail" and rng.random() < 0.2 else rng.choice(pool) for _ in range(case.fields))]
               for _ in range(count)]
    if case.times:
        records[0][2:] = [rng.choice(list(TIMES)) for _ in range(case.fields)]
    elif not case.asked:
        records[0][2:] = [rng.choice([t for t in pool if t not in NUMBERS]) for _ in range(case.fields)]
    options = options_of(rng, case)
    lines = [line_of(rng, case.layout, record) for record in records]
    out, err = run(options, lines, rng.randint(1, count), case)
    err = "".join(line for line in err.splitlines(True) if "nothing to do" not in line)
    want = expected(case, records)
    if case.mode == "plain":
        shown = [any(cell is not None for cell in cells) for cells in want]
        records, want = [r for r, s in zip(records, shown) if s], [w for w, s in zip(want, shown) if s]
    got = out.splitlines()
    if err or len(got) != len(want):
        return f"{options}: {err} {len(got)} lines of {len(want)}\n{lines[:20]}\n{got[:20]}"
    for i, (line, cells) in enumerate(zip(got, want)):
        if case.mode == "total" and case.keys:
            cells = cells[1:]
        problem = wrong_cells(case, records[i] if case.mode != "total" else [], cells, line)
        if problem:
            return f"{options}: line {i}: {problem}\n{lines[:i + 1][-20:]}\n{got[:i + 1][-20:]}"
    return None


def case(rng):
    """One case."""
    wrong = check(rng)
    assert not wrong, wrong


if __name__ == "__main__":
    sys.exit(cases.run(case))
