"""Random tables in which some numbers are missing: pscan's output is compared with plain loops over Python's numbers.

    missing_model.py SEED COUNT

A record that is kept or held has an index: windows, --reset-every, argmax and argmin count it. All values are small
whole numbers, so sums are exact in every type.
"""

import json
import math
import os
import random
import struct
import subprocess
import sys
import tempfile
from typing import NamedTuple

import cases

PSCAN = os.environ.get("PSCAN", "build/pscan")
# What operators give of the numbers of a scan, or of a window: pairs of an index and a number.
OPERATORS = {
    "sum": lambda of: sum(x for _, x in of),
    "max": lambda of: max(x for _, x in of),
    "min": lambda of: min(x for _, x in of),
    "argmax": lambda of: min(i for i, x in of if x == max(y for _, y in of)),
    "argmin": lambda of: min(i for i, x in of if x == min(y for _, y in of)),
    "count": len,
    "mean": lambda of: sum(x for _, x in of) / len(of),
    "first": lambda of: of[0][1],
    "last": lambda of: of[-1][1],
    "lag": lambda of: of[-2][1] if len(of) > 1 else None,
    "increase": lambda of: sum(y if y < x else y - x for (_, x), (_, y) in zip(of, of[1:])),
    "range": lambda of: max(x for _, x in of) - min(x for _, x in of),
}
# Of nothing, before an exclusive scan's first number.
IDENTITIES = {"sum": 0, "count": 0, "increase": 0, "max": -math.inf, "min": math.inf}
TOTALS_OF_NONE = {**IDENTITIES, "mean": math.nan}
ABSENT = object()


class Case(NamedTuple):
    """A random case."""

    layout: str
    how: str
    fields: int
    ops: list
    keys: bool
    on: bool
    every: int
    at: str
    window: int
    least: int
    limit: int
    exclusive: bool


class Scan:
    """One field of one key's segment."""

    def __init__(self, c):
        self.c = c
        self.begin()
        self.lacked = False

    def begin(self):
        """A new segment."""
        self.numbers = []
        self.count = 0
        self.in_row = 0
        self.of_shown = []
        self.shown = {op: IDENTITIES.get(op) if self.c.exclusive else None for op in self.c.ops}

    def covered(self):
        """The numbers that the result is of after the last record."""
        return [(i, x) for i, x in self.numbers if self.c.window == 0 or i > self.count - 1 - self.c.window]

    def is_short(self, of):
        """Whether these are too few."""
        return self.c.least > 0 and len(of) < self.c.least

    def total(self, op):
        """The last result, of no numbers the identity."""
        return None if self.is_short(self.of_shown) else self.shown[op] if self.numbers else TOTALS_OF_NONE.get(op)

    def result(self, op, of):
        """What an operator gives of them."""
        if not of:
            return None if self.numbers or self.count > 0 and self.c.window > 0 else IDENTITIES.get(op)
        return OPERATORS[op](of)

    def take(self, x):
        """A record: its results; None where there is none, ABSENT where the mark stands."""
        c = self.c
        given = {}
        for op in c.ops:
            old = None if self.is_short(self.of_shown) else self.shown[op]
            given[op] = old
        if x is not None:
            self.numbers.append((self.count, x))
        self.count += 1
        after = self.covered()
        if x is not None:
            self.in_row = 0
            for op in c.ops:
                self.shown[op] = self.result(op, after)
                if not c.exclusive:
                    given[op] = None if self.is_short(after) else self.shown[op]
            self.of_shown = after
        else:
            self.in_row += 1
            for op in c.ops:
                if c.how == "keep" or (given[op] is not None and 0 < c.limit < self.in_row):
                    given[op] = ABSENT
                elif given[op] is None and not c.exclusive:
                    given[op] = ABSENT
                # What is left in the window is what the next record gets.
                if c.exclusive and c.window > 0 and (after or c.how == "keep"):
                    self.shown[op] = self.result(op, after)
            if c.exclusive and c.window > 0:
                self.of_shown = after
        return [given[op] for op in c.ops]


def begins(c, scan, row, before, x):
    """Whether the record begins a segment of the field."""
    if scan.count == 0:
        return False
    if (c.on and before is not None and row[1] != before[1]) or (c.every and scan.count == c.every):
        return True
    if c.at == "missing":
        return scan.lacked
    return c.at not in ("", "missing") and x is not None and x == int(c.at)


def expected(c, rows):
    """The results of each row, and the totals of segments that end, then of the last ones."""
    scans, rows_before, results = {}, {}, []
    for row in rows:
        key = row[0] if c.keys else ""
        fields = scans.setdefault(key, [Scan(c) for _ in range(c.fields)])
        line = []
        for scan, x in zip(fields, row[2:]):
            if begins(c, scan, row, rows_before.get(key), x):
                scan.begin()
            line.append(scan.take(x))
            scan.lacked = x is None
        rows_before[key] = row
        results.append(line)
    last = {key: [[None if scan.is_short(scan.of_shown) else scan.shown[op] for op in c.ops] for scan in fields]
            for key, fields in scans.items() if all(scan.numbers for scan in fields)}
    first = sorted(last, key=lambda key: next(i for i, row in enumerate(rows) if (row[0] if c.keys else "") == key and any(x is not None for x in row[2:])))
    return results, [(key, last[key]) for key in first]


def segment_totals(c, rows):
    """The totals of segments of one field: a key, --reset-on's field and the results each. With --reset-every and
    --reset-at each segment has one, and it comes where the next one begins. Otherwise those with a number have one, and
    it comes at the first number of the next such segment. Then those of the last segments."""
    need = not (c.every or c.at)
    scans, before, early, named, numbered, lines = {}, {}, {}, {}, {}, []

    def end(key, scan):
        if scan.numbers or (not need and scan.count > 0):
            lines.append((key, named[key], [scan.total(op) for op in c.ops]))

    for place, row in enumerate(rows):
        key, x = row[0] if c.keys else "", row[2]
        scan = scans.setdefault(key, Scan(c))
        earlier = early.setdefault(key, [])  # records without a number, of a segment that has none yet
        changes = c.on and key in before and row[1] != before[key]
        before[key] = row[1]
        if need and (changes or earlier):
            if changes:
                earlier.clear()
            earlier.append(x)
            if x is None:
                continue
            end(key, scan)
            scan.begin()
            for given in earlier:
                scan.take(given)
            earlier.clear()
        else:
            if begins(c, scan, row, [None, row[1] if not changes else None], x):
                end(key, scan)
                scan.begin()
            scan.take(x)
        scan.lacked = x is None
        if x is not None or not need:
            named[key] = row[1]
        if x is not None:
            numbered.setdefault(key, place)
    for key in sorted(scans, key=lambda key: numbered.get(key, len(rows))):
        end(key, scans[key])
    return lines


def shown(value):
    """Returns a result as text, or None if it is missing."""
    if value is None or value is ABSENT:
        return value
    if isinstance(value, float) and math.isnan(value):
        return "nan"
    if isinstance(value, float) and math.isinf(value):
        return "inf" if value > 0 else "-inf"
    if isinstance(value, float) and value != int(value):
        return repr(value)
    return str(int(value))


def write(c, rows, rng):
    """The input, and the mark of each missing number."""
    lines, marks = [], []
    for row in rows:
        own = [rng.choice(["NA", "", "null"] if c.layout == "csv" else ["NA", "-", "null"]) for _ in row[2:]]
        marks.append(own)
        texts = [m if x is None else str(x) for x, m in zip(row[2:], own)]
        if c.layout == "json":
            lines.append(json.dumps({"k": row[0], "r": row[1], **{f"v{i}": (x if x is not None else None) for i, x in enumerate(row[2:])}}))
            marks[-1] = ["null"] * c.fields
        else:
            lines.append(("," if c.layout == "csv" else " ").join([row[0], row[1], *texts]))
    return "".join(line + "\n" for line in lines).encode(), marks


def options_of(c):
    """The command line, but for how lines come out."""
    fields = ",".join(f"v{i}" if c.layout == "json" else str(3 + i) for i in range(c.fields))
    options = ["-f", fields, "-op", ",".join(c.ops), f"--missing={c.how}"]
    options += {"csv": ["--csv", "--no-header"], "json": ["--json"], "blanks": []}[c.layout]
    options += ["-g", "k" if c.layout == "json" else "1"] if c.keys else []
    options += [f"--reset-on={'r' if c.layout == 'json' else 2}"] if c.on else []
    options += [f"--reset-every={c.every}"] if c.every else []
    options += [f"--reset-at={c.at}"] if c.at else []
    options += [f"--window={c.window}"] if c.window else []
    options += [f"--min-count={c.least}"] if c.least else []
    options += [f"--fill-limit={c.limit}"] if c.limit else []
    return options + (["-e"] if c.exclusive else [])


def draw(rng):
    """A case."""
    exclusive = rng.random() < 0.25
    window = rng.choice([0, 0, 1, 2, 3, 7, 16, 40])
    ops = rng.sample(list(IDENTITIES) if exclusive else list(OPERATORS), rng.choice([1, 1, 2, 3]))
    how = rng.choice(["keep", "hold"])
    at = rng.choice(["", "", "0", "missing"])
    return Case(layout=rng.choice(["csv", "blanks", "json"]), how=how, fields=rng.choice([1, 1, 2]), ops=ops, keys=rng.random() < 0.4,
                on=rng.random() < 0.2, every=rng.choice([0, 0, 0, 1, 3, 20]), at=at, window=window,
                least=rng.choice([0, 0, 1, 2, 5]) if window == 0 else rng.randint(0, min(window, 4)), limit=rng.choice([0, 0, 1, 3]) if how == "hold" else 0,
                exclusive=exclusive)


def run(options, data):
    """The output."""
    done = subprocess.run([PSCAN, "-D", "none", *options], input=data, capture_output=True, check=False)
    assert done.returncode == 0 and not done.stderr, f"{options}: {done.returncode} {done.stderr.decode()}"
    return done.stdout


def lines_of(c, rows, results, marks):
    """What -a writes after each line."""
    absent = {"csv": "", "blanks": "-", "json": "null"}[c.layout]
    several = c.fields * len(c.ops) > 1
    out = []
    for own, line in zip(marks, results):
        texts = []
        for mark, given in zip(own, line):
            for value in given:
                text = shown(value)
                if text is ABSENT:
                    text = mark or absent
                texts.append(text if text is not None else absent if several or c.layout == "json" else "")
        out.append(texts)
    return out


def check_bytes(c, rows, results, options, rng):
    """Checks a case with raw floats."""
    data = b"".join(struct.pack("<d", math.nan if row[2] is None else row[2]) for row in rows)
    options = [o.replace("--missing", "--nan") for o in options[2:] if o not in ("--csv", "--no-header", "--json")]
    got = run([*options, "--format=binary", "-t", "<f8", f"--chunk-size={rng.choice(['32K', '64K'])}"], data)
    for i, (value, line) in enumerate(zip(struct.iter_unpack(f"<{len(c.ops)}d", got), results)):
        for x, given in zip(value, line[0]):
            want = math.nan if given is None or given is ABSENT else given
            assert x == want or (x != x and want != want), f"{options}: record {i}: {x}, not {want}"
    assert len(got) == 8 * len(c.ops) * len(rows), f"{options}: {len(got)} bytes"


def check_segment_totals(c, rows, options, more, text):
    """The lines of --total, by the chunk size that is in more."""
    least, greatest = ("-9223372036854775808", "9223372036854775807") if "i64" in more else ("-inf", "inf")
    separator, alone = {"csv": (",", ""), "blanks": (" ", "-")}[c.layout]
    want = []
    for key, name, results in segment_totals(c, rows):
        texts = [{"-inf": least, "inf": greatest}.get(shown(v), shown(v)) for v in results]
        fields = [key] * c.keys + [name] * c.on
        absent = alone if fields or len(texts) > 1 else "-"
        want.append(separator.join([*fields, *(absent if t is None else t for t in texts)]))
    hows = [c.how]
    if not (c.every or c.at or c.window or c.limit or {"argmax", "argmin"} & set(c.ops)):
        hows.append("skip")  # Neither lines nor their order depend on what is missing.
    for how in hows:
        now = [f"--missing={how}" if option == f"--missing={c.how}" else option for option in options]
        got = run([*now, *more, "--total"], text).decode().splitlines()
        assert got == want, f"{now} {more} --total: {got[:9]}, not {want[:9]}"


def check_state(options, text, got):
    """A run in two parts."""
    lines = text.splitlines(keepends=True)
    cut = len(lines) // 2
    with tempfile.TemporaryDirectory() as directory:
        state = f"--state={directory}/state"
        parts = [run([*options, state], b"".join(part)) for part in (lines[:cut], lines[cut:])]
    assert b"".join(parts) == got, f"{options} in two parts"


def check_float_totals(rng):
    """The total of windows of floats has the bits of the last result, whatever segments begin with: which sums are made
    first depends on the windows' blocks, and a record without a number has its place there."""
    rows, gap = [], 0
    for _ in range(rng.randint(2, 40)):
        gap += rng.choice([0, 0, 0, 9])
        rows.append([None if rng.random() < 0.4 else rng.randint(-99, 99) / 10, rng.choice([1, 1, 2]) if rng.random() < 0.4 else rows[-1][1] if rows else 1, gap])
    rows.append([1.1, *rows[-1][1:]])
    how, is_text = rng.choice(["keep", "hold"]), rng.random() < 0.7
    options = ["-f", "1", f"--window={rng.randint(2, 9)}", "-op", rng.choice(["sum", "sum", "mean", "var"])]
    resets = rng.sample(["--reset-on=2", "--reset-gap=3:5", f"--reset-every={rng.randint(2, 12)}"], rng.randint(1, 3))
    options += [*resets, *(["-g", "4"] if rng.random() < 0.3 else [])]
    if is_text:
        data = "".join(f"{'NA' if x is None else x} {r} {t} k\n" for x, r, t in rows).encode()
        options += [f"--missing={how}", *(["-t", "f64"] if rng.random() < 0.7 else [])]
        results, totals = ([line.split()[-1] for line in run([*options, more], data).splitlines()] for more in ("-q", "--total"))
    else:
        data = b"".join(struct.pack("<4d", math.nan if x is None else x, r, t, 7) for x, r, t in rows)
        options += [f"--nan={how}", "--format=binary", "-t", "<f8", "-c", "4"]
        results, totals = ([value.hex() for value, in struct.iter_unpack("<d", run([*options, *more], data))] for more in ([], ["--total"]))
    assert results[-1] == totals[-1], f"{options}: {totals[-1]}, not {results[-1]}"


def case(rng):
    """One table and one command line."""
    c = draw(rng)
    check_float_totals(random.Random(rng.random()))
    share = rng.choice([0.05, 0.3, 0.7])
    rows = []
    count = rng.choice([1, 5, 60, 500])
    end = rng.choice([count, count, count // 3])  # of what is missing
    for place in range(count):
        numbers = [rng.randint(-3, 9) if place >= end or rng.random() > share else None for _ in range(c.fields)]
        rows.append([rng.choice("ab") if rng.random() < 0.9 else rng.choice("cd"), rng.choice("rrrs"), *numbers])
    results, totals = expected(c, rows)
    text, marks = write(c, rows, rng)
    options = options_of(c)
    has_infinity = c.exclusive and {"max", "min"} & set(c.ops)
    more = ["-t", "f64" if has_infinity else rng.choice(["i64", "f64"])] if not {"mean"} & set(c.ops) and rng.random() < 0.3 else []
    more += ["-T", rng.choice("13"), f"--chunk-size={rng.choice(['1K', '64K'])}"]
    got = run([*options, *more, "-a"], text)
    separator = {"csv": ",", "blanks": " "}.get(c.layout)
    want = lines_of(c, rows, results, marks)
    for i, (line, texts) in enumerate(zip(got.decode().splitlines(), want)):
        if c.layout == "json":
            names = [f"v{f}_{op}" for f in range(c.fields) for op in c.ops]
            given = json.loads(line)
            assert [given[n] for n in names] == [None if "inf" in t else json.loads(t) for t in texts], f"{options} {more}: line {i}: {line}, not {texts}"
        else:
            own = line.split(separator)[-len(texts):]
            assert own == texts, f"{options} {more}: line {i}: {line!r}, not {texts}"
    assert got.count(b"\n") == len(rows), f"{options}: {got.count(b'%c' % 10)} lines of {len(rows)}"
    if rng.random() < 0.3:
        check_state([*options, *more, "-a"], text, got)
    if c.fields == 1 and not c.keys and not c.on and not {"argmax", "argmin", "count"} & set(c.ops):
        check_bytes(c, rows, results, options, rng)
    if not c.exclusive and c.fields == 1 and (c.on or c.every or c.at) and c.layout != "json":
        check_segment_totals(c, rows, options, more, text)
    if not c.exclusive and not (c.on or c.every or c.at) and c.layout != "json":
        got = run([*options, *more, "--total"], text).decode()
        want = [separator.join(([key] if c.keys else []) + [("" if c.layout == "csv" and (c.keys or c.fields * len(c.ops) > 1) else "-") if v is None else shown(v)
                                                            for given in fields for v in given]) for key, fields in totals]
        if c.keys and c.fields == 1 or totals:
            assert c.fields > 1 or got.splitlines() == want, f"{options} {more} --total: {got.splitlines()[:5]}, not {want[:5]}"


if __name__ == "__main__":
    sys.exit(cases.run(case))
