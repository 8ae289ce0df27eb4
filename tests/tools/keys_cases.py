"""Random tables with keys, resets and windows. What pscan outputs for a key, or for a segment, must have the bits that
pscan outputs for those lines alone, which are picked here. Where the arithmetic is exact, the results are computed here
as well.

    keys_cases.py SEED COUNT             operators of the table
    keys_cases.py SEED COUNT DEVICE      operators of users, on DEVICE
"""

import csv
import datetime
import decimal
import io
import os
import subprocess
import sys
from typing import NamedTuple

import cases
from operator_facts import COMMON, where, with_factor

PSCAN = os.environ.get("PSCAN", "build/pscan")
OPERATORS = with_factor([*COMMON, "ema"], 0.25)
GAPS = {"0": 0, "59.5": 59.5, "60": 60, "1m": 60, "30m": 1800, "0.5h": 1800}
SAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../samples")
PROGRAMS = [["-op", "a + b"], ["-op", "a < b ? b : a", "-t", "f32"], ["-op", "a + b,max"], ["-op", f"@{SAMPLES}/mean_deviation.cl"],
            ["-op", f"sum,@{SAMPLES}/mean_deviation.cl"], ["-op", "sum", "--map=x*i"], ["-op", "mean", "--emit=s - x", "-t", "f32"],
            ["-op", "a + b - a*b/1000", "-t", "f64"]]
NO_IDENTITY = {"delta", *with_factor(where(lambda facts: facts.identity == "NONE"), 0.25)}
NO_SEED = set(where(lambda facts: not facts.seeded))


def run(arguments, text):
    """What pscan writes; it must succeed."""
    r = subprocess.run([PSCAN, *arguments], input=text, capture_output=True, check=False)
    if r.returncode != 0 or r.stderr:
        raise AssertionError(f"{arguments}: {r.returncode} {r.stderr.decode()}")
    return r.stdout


def number(rng, kind):
    """A number as text."""
    if kind == "integers":
        return str(rng.randint(-1000, 1000))
    if kind == "cents":
        return f"{rng.randint(-10**6, 10**6) / 100:.2f}"
    if rng.random() < 0.7:
        digits = rng.randint(0, 6)
        return f"{rng.randint(-10**7, 10**7) / 10**digits:.{digits}f}"
    return rng.choice([str(rng.randint(-2**63, 2**63 - 1)), f"{rng.randint(1, 9)}{'0' * rng.randint(15, 30)}", "-0", "0.000",
                       f"0.{rng.randint(1, 10**18):018d}", f"-{rng.randint(10**20, 10**21)}.5"])


def as_time(rng, clock):
    """Seconds since 1970 as a log or a table has them, in some zone."""
    offset = rng.choice([0, 0, 3600, -12600])
    there = datetime.datetime.fromtimestamp(clock, datetime.timezone(datetime.timedelta(seconds=offset)))
    text = rng.choice([there.isoformat(), there.strftime("%Y-%m-%dT%H:%M:%S%z"), there.strftime("%d/%b/%Y:%H:%M:%S%z"),
                       there.strftime("%Y-%m-%dT%H:%M:%S.000%z")])
    return text.replace("+0000", "Z") if rng.random() < 0.5 else text


def seconds(text):
    """What as_time was given, or the number."""
    if text.isdigit():
        return int(text)
    text = text.replace("Z", "+0000")
    for form in ("%Y-%m-%dT%H:%M:%S%z", "%d/%b/%Y:%H:%M:%S%z", "%Y-%m-%dT%H:%M:%S.%f%z"):
        try:
            return datetime.datetime.strptime(text, form).timestamp()
        except ValueError:
            pass
    raise AssertionError(text)


def table(rng, kind, fields, with_csv, missing, is_small=False, timed=None):
    """Returns rows of two keys, numbers, and a time: as text if timed is true, in seconds if false, one of both if
    None."""
    names = [f"host{i}" for i in range(rng.choice([1, 3] if is_small else [1, 3, 40, 3000]))]
    if with_csv:
        names += ["", 'a "quoted" one', "x,y", "one \"", "two\nlines"]
    weights = [1 / (i + 1) for i in range(len(names))]
    rows = []
    clock = 1700000000
    timed = rng.random() < 0.5 if timed is None else timed
    for name in rng.choices(names, weights, k=rng.choice([1, 60] if is_small else [1, 50, 4000])):
        numbers = [number(rng, kind) if rng.random() > missing else rng.choice(["-", "NA"]) for _ in range(fields)]
        clock += rng.choice([-5, 0, 1, 30, 60, 61, 3600])
        rows.append([name, rng.choice(["k", "l"]), *numbers, as_time(rng, clock) if timed else str(clock)])
    return rows


def as_lines(rows, with_csv):
    """Each row as the text of a line."""
    lines = []
    for row in rows:
        out = io.StringIO()
        if with_csv:
            csv.writer(out, lineterminator="\n").writerow(row)
            lines.append(out.getvalue())
        else:
            lines.append(" ".join(row) + "\n")
    return lines


def split(rows, keys):
    """The rows' indices by key, in the order of first appearance."""
    parts = {}
    for i, row in enumerate(rows):
        parts.setdefault(tuple(row[k] for k in keys), []).append(i)
    return parts


def is_element(text, options):
    """Whether a field's text is an element."""
    return text not in ("-", "NA") or "--missing=7" in options


def comes_out(options):
    """Whether a record without a number does."""
    return bool({"--missing=keep", "--missing=hold"} & set(options))


class Resets(NamedTuple):
    """What begins segments: a change of the second column, so many elements, an element that is a number, a gap in the
    last column."""

    on: bool
    every: int
    at: str
    gap: str

    def options(self, column):
        """On the command line."""
        return (["--reset-on=2"] if self.on else []) + ([f"--reset-every={self.every}"] if self.every else []) + \
            ([f"--reset-at={self.at}"] if self.at else []) + ([f"--reset-gap={column}:{self.gap}"] if self.gap else [])

    def split(self, rows, indices, options):
        """A key's rows as segments: lists of indices, of which each but the first comes with the row that begins it."""
        segments = [[]]
        count = 0
        before = None
        changed = False
        for i in indices:
            row = rows[i]
            if before is not None:
                changed = changed or (self.on and row[1] != before[1])
                changed = changed or (self.gap and abs(seconds(row[-1]) - seconds(before[-1])) >= GAPS[self.gap])
            before = row
            if not any(is_element(n, options) for n in row[2:-1]):
                # What comes out counts.
                if comes_out(options):
                    if count > 0 and (changed or count == self.every):
                        segments.append([])
                        count = 0
                    changed = False
                    count += 1
                segments[-1].append(i)
                continue
            value = 7 if row[2] in ("-", "NA") else decimal.Decimal(row[2])
            if count > 0 and (changed or count == self.every or (self.at and value == decimal.Decimal(self.at))):
                segments.append([])
                count = 0
            changed = False
            segments[-1].append(i)
            count += 1
        return segments


class Segment(NamedTuple):
    """Rows of a key that are scanned together; of the line with their total, if they have elements: what orders it
    among others, and what it begins with."""

    key: tuple
    rows: list
    elements: list
    place: tuple
    names: list


def segments_of(rows, keys, resets, options):
    """Every key's, one after the other. Totals come as segments end, at the next one's first record that has an
    element, or comes out where records are counted, then the last ones in the order of the keys' first elements."""
    found = []
    counted = (resets.every > 0 or resets.at) and comes_out(options)
    for key, indices in split(rows, keys).items():
        parts = resets.split(rows, indices, options)
        elements = [[i for i in part if any(is_element(n, options) for n in rows[i][2:-1])] for part in parts]
        first = next((i for part in elements for i in part), None)
        for number, part in enumerate(parts):
            rest = parts[number + 1:] if counted else elements[number + 1:]
            later = next((i for other in rest for i in other), None)
            place = (1, len(rows) + indices[0] if first is None else first) if later is None else (0, later)
            own = part if counted else elements[number]
            names = [*key, *([rows[own[0]][1]] if resets.on and own else [])]
            found.append(Segment(key, part, own, place, names))
    return found


def ends_of_records(text, with_csv):
    """Lines of an output; of CSV those that end outside quotes."""
    lines = []
    open_quotes = False
    for line in text.decode().splitlines(keepends=True):
        if open_quotes:
            lines[-1] += line
        else:
            lines.append(line)
        open_quotes ^= with_csv and line.count('"') % 2 == 1
    return lines


def check_sum(rows, keys, got):
    """The running totals of exact decimals, by Python's."""
    totals = {}
    for row, line in zip(rows, got):
        key = tuple(row[k] for k in keys)
        totals[key] = totals.get(key, 0) + decimal.Decimal(row[2])
        assert decimal.Decimal(line.rstrip("\n").split(" ")[-1]) == totals[key], line


def case(rng, device):
    """One table and one command line."""
    with_csv = rng.random() < 0.3 and device is None
    fields = rng.choice([1, 1, 2])
    missing = rng.choice([0, 0, 0.1])
    kind = rng.choice(["integers", "cents", "anything"])
    types = rng.choice([[], [], ["-t", "f64"], ["-t", "f32"], ["-t", "f32:f64"]] + ([["-t", "i64"], ["-t", "i32:i64"]] if kind == "integers" else []))
    keys = rng.choice([[0], [0], [1], [0, 1], [1, 0]])
    known = [op for op in OPERATORS if not (op.startswith("ema") and types[1:] in (["i64"], ["i32:i64"]))]
    operators = rng.sample(known, rng.choice([1, 1, 2, 3]))
    options = ["-op", ",".join(operators), "-f", ",".join(str(3 + i) for i in range(fields)), *types]
    if rng.random() < 0.3 and not NO_SEED & set(operators):
        options.append(f"--seed={rng.choice(['5', '-1', '1000'] if types[1:] in (['i64'], ['i32:i64']) else ['5', '2.50', '1e-19'])}")
    if rng.random() < 0.4 and (options[-1].startswith("--seed") or not NO_IDENTITY & set(operators)):
        options.append("-e")
    if missing:
        options.append(rng.choice(["--missing=skip", "--missing=keep", "--missing=7", *["--missing=hold"] * 2]))
    if "-t" not in options and rng.random() < 0.1:
        options.append("--algorithm=sequential")
    if not any(option.startswith(("--seed", "--algorithm")) for option in options) and rng.random() < 0.3:
        options.append(f"--window={rng.choice([1, 2, 7, 16, 40, 1000])}")
    if with_csv:
        options += ["--csv", "--no-header"]
    if types[1:] in (["i64"], ["i32:i64"]):
        options.append("--overflow=wrap")
    if device is not None:
        kind = rng.choice(["integers", "cents"])
        options = [*rng.choice(PROGRAMS), "-f", *(option for option in options if option.startswith(("3", "--missing"))), "-D", device]
        operators = options[1].split(",") if "," in options[1] else ["one"]
        if "@" not in options[1] and options[1] != "mean" and rng.random() < 0.5:
            options.append("--seed=5")
            options += rng.choice([[], ["-e"]])
    how = ["-T", str(rng.randint(1, 4)), rng.choice(["--chunk-size=4K", "--chunk-size=32K", "--chunk-size=1M"])]
    resets = Resets(False, 0, "", "")
    if rng.random() < 0.4:
        alone = fields == 1 or not missing
        resets = Resets(rng.random() < 0.5, rng.choice([0, 1, 2, 16, 100]) if alone else 0,
                        rng.choice(["", "0", "7", "-0.0"]) if fields == 1 and kind != "anything" and not types else "",
                        rng.choice(["", *GAPS]))
    reset_options = resets.options(3 + fields)
    keys = rng.choice([keys, []]) if reset_options else keys
    rows = table(rng, kind, fields, with_csv, missing, device is not None)
    # Each segment is scanned alone: by a device in a tenth of a second.
    rows = rows[:150 if device is None else 10] if reset_options else rows
    lines = as_lines(rows, with_csv)
    text = "".join(lines).encode()
    grouped = (["-g", ",".join(str(k + 1) for k in keys)] if keys else []) + [*reset_options, *options, *how]
    how_written = rng.choice(["-a", "-a", "--replace"]) if len(operators) == 1 and device is None else "-a"
    got = ends_of_records(run([*grouped, how_written], text), with_csv)
    assert len(got) == len(rows), f"{grouped}: {len(got)} lines of {len(rows)}"
    for segment in segments_of(rows, keys, resets, options):
        part = "".join(lines[i] for i in segment.rows).encode()
        want = ends_of_records(run([*options, how_written], part), with_csv)
        assert [got[i] for i in segment.rows] == want, f"{grouped}, key {segment.key}, rows {segment.rows}"
    totals = []
    for segment in segments_of(rows, keys, resets, [option for option in options if option != "-e"]):
        if not segment.elements:
            continue
        last_results = run([*options, "--total"], "".join(lines[i] for i in segment.rows).encode()).decode()
        if with_csv and segment.names:
            last_results = ",".join("" if result == "-" else result for result in last_results[:-1].split(",")) + "\n"
        totals.append((segment.place, as_lines([[*segment.names, "x"]], with_csv)[0][:-2] + last_results))
    if not (reset_options and fields > 1 and {"--missing=skip", "--missing=keep", "--missing=hold"} & set(options)):
        total = ends_of_records(run([*grouped, "--total"], text), with_csv)
        assert total == [line for _, line in sorted(totals)], f"{grouped} --total"
    if device is None and options[:2] == ["-op", "sum"] and options[4:] == [] and fields == 1 and kind != "anything" and not reset_options and how_written == "-a":
        check_sum(rows, keys, got)


if __name__ == "__main__":
    decimal.getcontext().prec = 60
    sys.exit(cases.run(lambda rng: case(rng, sys.argv[3] if len(sys.argv) > 3 else None)))
