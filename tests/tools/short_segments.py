#!/usr/bin/env python3
"""Tables with short segments and some longer ones, compared with Python's decimals and floats: running and exclusive
results and totals, with numbers that do not fit, have other decimals or are missing, with a seed, or with a limit of
elements a segment.

Usage: short_segments.py SEED CASES. PSCAN: the program.
"""
import decimal
import os
import random
import subprocess
import sys
import tempfile

PSCAN = os.environ["PSCAN"]
HOSTS = ["a", "b", "host1.example.net", "host2.example.net", "", 'say "so"', "x,y", "h" * 70]
RUN = 16
FIRST_LINE = 2  # after the header


class Exact:
    """Exact decimals as they are written: a sum has the digits of the number that had the most."""
    decimals = decimal.Context(prec=80)

    def read(self, text):
        """The number, and its digits after the point."""
        value = decimal.Decimal(text)
        return value, -value.as_tuple().exponent

    def write(self, number):
        """Without a sign where it is zero."""
        value, scale = number
        return f"{abs(value) if value == 0 else value:.{scale}f}"

    def combine(self, name, before, now):
        """Two results, or a result and an element."""
        if name == "sum":
            return self.decimals.add(before[0], now[0]), max(before[1], now[1])
        return now if name == "last" or (now[0] > before[0] if name == "max" else now[0] < before[0]) else before

    def fits(self, number):
        """There is always room."""
        return number is not None


class Integer(Exact):
    """i32."""

    def fits(self, number):
        """Whether it has a place in 32 bits."""
        return -2**31 <= number[0] < 2**31


class Float(Exact):
    """f64, from left to right."""

    def read(self, text):
        """The number as its bits."""
        return float(text), 0

    def write(self, number):
        """The shortest text of it."""
        text = repr(number[0])
        return text[:-2] if text.endswith(".0") else text

    def combine(self, name, before, now):
        """Two floats."""
        if name == "sum":
            return before[0] + now[0], 0
        return super().combine(name, before, now)


def number(rng, kind):
    """A number as it is written."""
    if kind == "cents":
        text = f"{rng.randrange(-999, 999) / 100:.2f}"
    elif kind == "mixed":
        text = f"{rng.randrange(-999, 999) / 100:.{2 if rng.random() < 0.99 else rng.randrange(5)}f}"
    elif kind == "large":
        return str(rng.choice([4, -4]) * 10**18 + rng.randrange(100))
    elif kind == "eighths":
        return repr(rng.randrange(-80000, 80000) / 8)
    elif kind == "thirds":
        return repr(rng.uniform(-1e6, 1e6))
    elif kind == "edge":
        return str(rng.choice([rng.randrange(-99, 99)] * 400 + [2**31 - 5]))
    else:
        text = str(rng.randrange(-99, 99))
    return text.lstrip("-") if float(text) == 0 else text


class Table:
    """Records of (host, number), some without one, and what is asked of them."""

    def __init__(self, rng):
        self.rng = rng
        self.kind = rng.choice(["cents", "mixed", "large", "eighths", "thirds", "edge", "whole"])
        self.type = {"eighths": "f64", "thirds": "f64", "edge": "i32"}.get(self.kind)
        self.numbers = {None: Exact, "f64": Float, "i32": Integer}[self.type]()
        names = ["sum", "max", "min", "last"]
        self.names = rng.choice([["sum"], rng.sample(names, rng.choice([1, 2, 4]))])
        self.form = rng.choice(["results", "-a", "-e", "--total"])
        if self.form == "-e" or self.kind == "edge" and self.form == "--total":
            self.names = ["sum"]
        self.lacks = rng.choice([0, 0, 0.05])
        self.seed = "7" if self.names == ["sum"] and self.kind != "thirds" and rng.random() < 0.3 else None
        self.every = rng.choice([None, None, None, None, 1, 2, 5])
        lengths = [(1, 1), (3, 3), (2, 2), (1, 5), (RUN - 1, RUN), (1, RUN)]
        if self.kind != "thirds":  # whose order counts beyond a run
            lengths += [(RUN, RUN + 1), (1, 40)]
        lengths = rng.choice(lengths)
        self.records = []
        count = rng.choice([3, 700, 700])
        while len(self.records) < count:
            host = rng.choice([h for h in HOSTS if not self.records or h != self.records[-1][0]])
            for _ in range(rng.randint(*lengths) if rng.random() < 0.99 or self.kind == "thirds" else 900):
                self.records.append((host, "" if rng.random() < self.lacks else number(rng, self.kind)))

    def line(self, record):
        """As CSV."""
        host, text = record
        if any(c in host for c in '",') or self.rng.random() < 0.02:
            host = '"' + host.replace('"', '""') + '"'
        return f"{host},{text}"

    def arguments(self, chunk, threads):
        """pscan's."""
        words = [PSCAN, "--csv", "-f", "n", "--reset-on=host", "-op", ",".join(self.names), f"--chunk-size={chunk}", "-T", threads]
        words += ["-t", self.type] if self.type else []
        words += ["--missing=skip"] if self.lacks else []
        words += [f"--seed={self.seed}"] if self.seed else []
        words += [f"--reset-every={self.every}"] if self.every else []
        return words + ([self.form] if self.form != "results" else [])

    def expected(self, lines):
        """What comes out, and the number of the line at which it ends, or None."""
        out = []
        names = ",".join(f"n_{name}" for name in self.names)
        if self.form != "--total":
            out.append(f"host,n,{names}" if self.form == "-a" else names)
        first = [self.numbers.read(self.seed)] if self.seed else None
        before, results, count = None, None, 0
        for i, (host, text) in enumerate(self.records):
            if host != before or (text and count == self.every):
                if self.form == "--total" and count > 0:
                    out.append(self.total(before, results))
                exclusive, results, before, count = [self.seed or "0"], first, host, 0
            if not text:
                if self.form == "-a":
                    out.append(lines[i] + "," * len(self.names))
                continue
            now = self.numbers.read(text)
            count += 1
            results = [self.numbers.combine(name, r, now) for name, r in zip(self.names, results)] if results else [now] * len(self.names)
            if not all(map(self.numbers.fits, results)):
                if self.form != "-e":
                    return out, i + FIRST_LINE
                out.append(exclusive[0])
                end = next((j for j in range(i, len(self.records)) if self.records[j][0] != host), len(self.records))
                goes_on = next((j for j in range(i + 1, end) if self.records[j][1]), None)
                if goes_on is not None and count != self.every:
                    return out, goes_on + FIRST_LINE
                continue
            written = [self.numbers.write(r) for r in results]
            given = exclusive if self.form == "-e" else written
            exclusive = written
            if self.form != "--total":
                out.append(",".join([lines[i]] * (self.form == "-a") + given))
        if self.form == "--total" and count > 0:
            out.append(self.total(before, results))
        return out, None

    def total(self, host, results):
        """A segment's line."""
        quoted = '"' + host.replace('"', '""') + '"' if any(c in host for c in '",') else host
        return ",".join([quoted] + [self.numbers.write(r) for r in results])


def check(rng):
    """Checks one table. Returns what is wrong, or None."""
    table = Table(rng)
    lines = [table.line(record) for record in table.records]
    text = "\n".join(["host,n", *lines]) + "\n"
    arguments = table.arguments(rng.choice(["256", "1K", "5000", "4M"]), str(rng.choice([1, 2])))
    r = subprocess.run(arguments, input=text.encode(), capture_output=True, check=False)
    want, at = table.expected(lines)
    message = "" if at is None else (f"pscan: standard input: line {at}, field 2: the sum does not fit i32"
                                     " (see -t i32:i64, --overflow=wrap)\n")
    if r.stdout.decode().splitlines() != want or r.returncode != (at is not None) or r.stderr.decode() != message:
        with open(os.path.join(tempfile.gettempdir(), "short_segments.txt"), "w", encoding="utf-8") as file:
            file.write(text)
        got = r.stdout.decode().splitlines()
        line = next((i for i, pair in enumerate(zip(got, want)) if pair[0] != pair[1]), min(len(got), len(want)))
        return f"{arguments}: exit {r.returncode} {r.stderr!r}, line {line + 1}: {got[line:line + 1]}, not {want[line:line + 1]}, {message!r}"
    return None


def main():
    """All cases, each by its own number."""
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    wrong = 0
    for i in range(count):
        fault = check(random.Random(seed * 1000003 + i))
        if fault is not None:
            wrong += 1
            print(f"seed {seed}, case {i}: {fault}")
    print(f"{count} cases, {wrong} wrong")


if __name__ == "__main__":
    main()
