#!/usr/bin/env python3
"""Keys and segments of text that is many chunks long, compared with plain sums: what is carried from one chunk to the
next.

Usage: many_chunks.py SEED CASES. PSCAN: the program.
"""
import decimal
import os
import random
import subprocess
import sys

import cases

PSCAN = os.environ["PSCAN"]


def number(rng, kind):
    """A number as it is written."""
    if kind == "wide":
        return str(rng.randrange(-10**25, 10**25))
    if kind == "large":
        return str(rng.randrange(4 * 10**18, 9 * 10**18))
    if kind in ("alike", "mixed"):
        text = f"{rng.randrange(-999, 999) / 100:.{2 if kind == 'alike' else rng.randrange(3)}f}"
        return text.lstrip("-") if float(text) == 0 else text  # a zero has no sign among exact decimals
    return str(rng.randrange(-1000, 1000))


def table(rng):
    """Rows of (key, what resets go by, number): stretches of numbers of one kind, segments of one length or of any."""
    rows = []
    keys = rng.choice([1, 2, 30, 3000])
    lengths = rng.choice([(1, 1), (3, 3), (1, 5), (1, 400), (3000, 9000)])
    kinds = rng.sample(["wide", "large", "alike", "mixed", "whole"], rng.randrange(1, 4))
    reset = 0
    while len(rows) < 12000:
        kind = rng.choice(kinds)
        for _ in range(rng.choice([1, 20, 2000])):
            length = rng.randint(*lengths)
            reset += 1
            rows += [(f"k{rng.randrange(keys)}", str(reset % 7), number(rng, kind)) for _ in range(length)]
            if len(rows) >= 12000:
                break
    return rows


class Sum:
    """Exact decimals, with the digits of the number that had the most."""

    def __init__(self):
        self.total, self.scale = decimal.Decimal(0), 0

    def take(self, text):
        """The result with one more number."""
        self.total += decimal.Decimal(text)
        self.scale = max(self.scale, -decimal.Decimal(text).as_tuple().exponent)
        return f"{abs(self.total) if self.total == 0 else self.total:.{self.scale}f}"


class Greatest:
    """As it was written, of equal ones the earliest."""

    def __init__(self):
        self.text = None

    def take(self, text):
        """The result with one more number."""
        if self.text is None or decimal.Decimal(text) > decimal.Decimal(self.text):
            self.text = text
        return self.text


class Count:
    """How many."""

    def __init__(self):
        self.count = 0

    def take(self, _):
        """The result with one more number."""
        self.count += 1
        return str(self.count)


def wanted(rows, has_keys, resets, every, operator, total, exclusive):
    """The lines of results (exclusive ones are sums), or of totals: of segments as they end, of the last ones key by
    key."""
    scans, lines, before, length, last = {}, [], {}, {}, {}
    for key, reset, text in rows:
        key = key if has_keys else ""
        name = [key] * has_keys + [before.get(key, "")] * resets
        ends = key in scans and ((resets and before[key] != reset) or length[key] == every)
        if ends and total:
            lines.append(" ".join([*name, last[key]]))
        if ends or key not in scans:
            scans[key], length[key], last[key] = operator(), 0, "0"
        result = last[key] if exclusive else None
        last[key] = scans[key].take(text)
        length[key] += 1
        before[key] = reset
        if not total:
            lines.append(" ".join([key] * has_keys + [result or last[key]]))
    if total:
        lines += [" ".join([key] * has_keys + [before[key]] * resets + [last[key]]) for key in scans]
    return lines


def case(rng):
    """One table under one set of options."""
    rows = table(rng)
    has_keys = rng.random() < 0.5
    resets = rng.random() < (0.4 if has_keys else 0.7)
    every = rng.choice([0, 0, 0, 3, 64, 1000]) if resets or has_keys else rng.choice([1, 3, 64, 1000])
    operator, name = rng.choice([(Sum, "sum"), (Sum, "sum"), (Greatest, "max"), (Count, "count")])
    total = rng.random() < 0.3
    exclusive = operator is Sum and not total and rng.random() < 0.2
    options = ["-f", "3", "-op", name, "--chunk-size=" + rng.choice(["4K", "32K", "256K"]), "-T", str(rng.randint(1, 3))]
    options += ["-g", "1"] * has_keys + ["--reset-on=2"] * resets + [f"--reset-every={every}"] * (every > 0) + ["--total"] * total + ["-e"] * exclusive
    text = "".join(" ".join(row) + "\n" for row in rows)
    ended = subprocess.run([PSCAN, *options], input=text, capture_output=True, text=True, check=False)
    want = wanted(rows, has_keys, resets, every, operator, total, exclusive)
    got = ended.stdout.splitlines()
    first = next((i for i, (a, b) in enumerate(zip(got, want)) if a != b), min(len(got), len(want)))
    assert ended.returncode == 0 and got == want, (options, ended.stderr, first, got[first:first + 3], want[first:first + 3])


if __name__ == "__main__":
    decimal.getcontext().prec = 60
    sys.exit(cases.run(case))
