#!/usr/bin/python3
"""Random expressions on random numbers: what pscan writes with --map, --emit and -op EXPR on the host, against
expressions.py and the grid (grid_states.py), bit for bit and text for text.

    compare_expressions.py [--cases=N] [--seed=N] [--case=N] [--only=WORD]   on the host
    compare_expressions.py --engines=none,cpu,gpu ...   and the same commands on PoCL, in its shapes
    compare_expressions.py --engines=none,device ...    and on the first GPU

A case is made of the seed and its number, so that it can be run again: --case=N. The inputs of those that differ are
kept, and their commands printed. --only: the cases of a sort (SORTS). Exit status 1: something differs.
"""
import argparse
import collections
import itertools
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

import grid_states
import windows
from expressions import (FLOATS, WIDTHS, Bad, Decimals, Expression, Refused, TooWide, Undefined, exponent_form, fitted, is_float,
                         rounded, wrap)
from grid_oracle import DTYPES, canonical, format_decimal, format_number, inclusive
from random_expressions import ExactMaker, Maker, constant, number

PSCAN = os.environ.get("PSCAN", "build/pscan")
KINDS = [*WIDTHS, *FLOATS]
COUNTS = (1, 2, 5, 16, 17, 33, 100, 256, 300, 700)
LONG_COUNTS = (4095, 4096, 4097, 4200, 8500)
CHUNKS = ("4K", "48K", "1M")
LIMIT_S = 600
# Few random expressions are associative.
GROUPING = re.compile(r"^pscan: warning: -op '.*' is not associative: elements \d+ to \d+(?: of key .*)? give .*\n", re.M)
BAD = object()  # stands for a state without a value (None is no state, in grid_states)
COUNTED = re.compile(r"\b[in]\b")


@dataclass
class Run:
    """One call of pscan. bad: the number from 1 of the element that has no value, or None."""

    arguments: list
    data: bytes
    want: bytes
    bad: int = None
    zeros_are_alike: bool = False  # -0 is 0


# --- The scan --------------------------------------------------------------------------------------------------------

class Combine:
    """An expression of a and b, as grid_states wants it. What is made of what has no value has none."""

    inputs = 1

    def __init__(self, text, kind, strict=False, rules="C"):
        self.expression = Expression(text, {"a": kind, "b": kind}, kind, strict, rules)

    def lift(self, x):
        """An element's state."""
        return x

    def combine(self, a, b):
        """a is the earlier one."""
        if a is BAD or b is BAD:
            return BAD
        try:
            return self.expression.value((a, b))
        except Bad:
            return BAD

    def emit(self, s):
        """Its result."""
        return s


def extreme(sign):
    """The greatest or least of two; a NaN is before all."""
    def chosen(a, b):
        if a != a or b != b:
            return a if a != a else b
        if a == b == 0 and isinstance(a, np.floating):
            return a if (np.signbit(a) != np.signbit(b)) == (np.signbit(a) == (sign < 0)) else b
        return a if sign * a >= sign * b else b
    return chosen


FOLDS = {"last": lambda a, b: b, "first": lambda a, b: a, "max": extreme(1), "min": extreme(-1), "xor": lambda a, b: a ^ b,
         "and": lambda a, b: a & b, "or": lambda a, b: a | b}


def folded(op, kind, elements, seed):
    """The inclusive results of an operator of the table."""
    if op == "sum" and is_float(kind):
        with np.errstate(all="ignore"):
            return list(inclusive("sum", np.array(elements, DTYPES[kind]), seed)) if elements else []
    combine = (lambda a, b: wrap(kind, a + b)) if op == "sum" else FOLDS[op]
    results = []
    state = seed
    for x in elements:
        state = x if state is None else combine(state, x)
        results.append(state)
    return results


@dataclass
class Scan:
    """What is computed. op: an operator's name, or an expression. Texts of map and emit, or None."""

    kind: str
    op: str
    map: str = None
    emit: str = None
    seed: object = None
    exclusive: bool = False
    total: bool = False
    every: int = None
    window: int = None
    strict: bool = False

    def is_own(self):
        """Whether the operator is an expression."""
        return self.op not in FOLDS and self.op != "sum"

    def mapped(self, elements, inputs):
        """The elements, each a tuple of the inputs, up to the first that has no value."""
        if self.map is None:
            return [x[0] for x in elements]
        expression = Expression(self.map, {**inputs, "i": "u64"}, self.kind, self.strict)
        results = []
        for i, x in enumerate(elements):
            try:
                results.append(expression.value((*x, i)))
            except Bad:
                break
        return results

    def states(self, elements):
        """The inclusive results of mapped elements, or BAD."""
        if self.is_own():
            combine = Combine(self.op, self.kind, self.strict)
            tuples = [(x,) for x in elements]
            if self.window:
                return windows.grid_of_states(combine, tuples, self.window, BAD)
            return grid_states.scan(combine, tuples, None if self.seed is None else (self.seed,), BAD)
        if self.window and self.op == "sum" and is_float(self.kind) and elements:
            return list(windows.grid_of_sums(np.array(elements, DTYPES[self.kind]), self.window))
        if self.window:
            return [folded(self.op, self.kind, list(w), None)[-1] for _, w in windows.windows(elements, self.window)]
        return folded(self.op, self.kind, elements, self.seed)

    def segment(self, elements, inputs):
        """The results of one segment up to the first that has no value, as -e has them if it is asked for."""
        mapped = self.mapped(elements, inputs)
        states = list(itertools.takewhile(lambda state: state is not BAD, self.states(mapped)))
        if self.exclusive and len(states) < len(elements):
            raise Refused  # the result of that element does not need it: it may come or not
        if self.exclusive and not self.total:
            states = [self.seed, *states][:len(mapped)]
        if self.emit is None:
            return states
        expression = Expression(self.emit, {"s": self.kind, **inputs, "i": "u64", "n": "u64"}, self.kind, self.strict)
        results = []
        for i, state in enumerate(states):
            covered = i if self.exclusive and not self.total else min(i + 1, self.window or i + 1)
            try:
                results.append(expression.value((state, *elements[i], i, covered)))
            except Bad:
                if self.total:
                    raise Refused from None  # whether those before the last one are computed is open
                break
        return results

    def results(self, elements, inputs):
        """All results, and the number from 1 of the element where they end too early, or None."""
        size = self.every or max(len(elements), 1)
        results = []
        with np.errstate(all="ignore"):
            for begin in range(0, len(elements), size):
                segment = elements[begin:begin + size]
                given = self.segment(segment, inputs)
                if len(given) < len(segment):
                    return results + ([] if self.total else given), begin + len(given) + 1
                results += given[-1:] if self.total else given
        return results, None

    def options(self):
        """Of pscan."""
        options = ["-op", self.op, *([f"--map={self.map}"] if self.map else []), *([f"--emit={self.emit}"] if self.emit else [])]
        options += [] if self.seed is None else [f"--seed={constant(self.kind, self.seed)}"]
        options += ["-e"] if self.exclusive else []
        options += ["--total"] if self.total else []
        options += [f"--reset-every={self.every}"] if self.every else []
        options += [f"--window={self.window}"] if self.window else []
        return options


def as_bytes(kind, results):
    """Raw numbers."""
    return canonical(np.array(results, DTYPES[kind])).tobytes()


def as_text(kind, result):
    """One number."""
    return format_number(DTYPES[kind].type(result)) if is_float(kind) else str(result)


# --- Cases -----------------------------------------------------------------------------------------------------------

class Chooser:
    """What is random of a case."""

    def __init__(self, rng, for_device):
        self.rng = rng
        self.for_device = for_device

    def size(self):
        """Of an expression."""
        return self.rng.choice((1, 1, 2, 2, 3, 4, 5, 7, 9))

    def text(self, names, must_use=()):
        """An expression of names, a dictionary to types."""
        return Maker(self.rng, names, for_device=self.for_device).text(self.size(), must_use)

    def count(self, costly=True):
        """How many elements."""
        return self.rng.choice(LONG_COUNTS if self.rng.random() < (0.1 if costly else 0.03) else COUNTS)

    def elements(self, kind, count, inputs=1):
        """Tuples; sometimes all small, so that combinations do not leave the type at once."""
        small = self.rng.random() < 0.3
        if small:
            return [tuple(FLOATS.get(kind, int)(self.rng.randint(0, 5)) for _ in range(inputs)) for _ in range(count)]
        return [tuple(number(self.rng, kind) for _ in range(inputs)) for _ in range(count)]

    def operator(self, kind):
        """An operator's name or an expression."""
        if self.rng.random() < 0.5:
            return self.text({"a": kind, "b": kind}, ("a", "b"))
        return self.rng.choice(("last", "max", "min", "sum", "first", *(() if is_float(kind) else ("xor", "and", "or"))))

    def scan(self, kind, inputs, must_map=False):
        """What is computed. (There is no index beside fields that are called by their names.)"""
        rng = self.rng
        index = {"i": "u64"} if set(inputs) <= {"x", "x0", "x1"} else {}
        scan = Scan(kind, self.operator(kind), strict=self.for_device)
        if must_map or rng.random() < (0.3 if scan.is_own() else 0.8):
            scan.map = self.text({**inputs, **index}, tuple(inputs) if must_map else ("x",))
        if (not scan.is_own() and scan.map is None) or rng.random() < 0.25:
            scan.emit = self.text({"s": kind, **inputs, "i": "u64", "n": "u64"}, ("s",))
        way = rng.random()
        if way < 0.15:
            scan.every = rng.choice((1, 3, 16, 100, 5000))
        elif way < 0.35 and not self.for_device:
            scan.window = rng.choice((1, 2, 3, 16, 17, 100, 1000))
        if scan.window is None and rng.random() < 0.35:
            scan.seed = number(rng, kind)
            scan.exclusive = rng.random() < 0.6
        scan.total = rng.random() < 0.15
        return scan


def common(rng, scan):
    """Options that change no result."""
    options = [f"-T{rng.choice((1, 3))}"] if rng.random() < 0.5 else []
    options += [f"--chunk-size={rng.choice(CHUNKS)}"] if rng.random() < 0.5 else []
    return options + (["--overflow=wrap"] if scan.op == "sum" and not is_float(scan.kind) else [])


def of_binary(chooser):
    """Raw numbers of every type."""
    rng = chooser.rng
    kind = rng.choice(KINDS)
    scan = chooser.scan(kind, {"x": kind})
    elements = chooser.elements(kind, chooser.count())
    results, bad = scan.results(elements, {"x": kind})
    arguments = ["--format=binary", "-t", kind, *scan.options(), *common(rng, scan)]
    return [Run(arguments, np.array(elements, DTYPES[kind]).tobytes(), as_bytes(kind, results), bad)]


def of_state(chooser):
    """The same scan, whose input is cut in two."""
    rng = chooser.rng
    while True:
        kind = rng.choice(KINDS)
        scan = chooser.scan(kind, {"x": kind})
        scan.total = False
        elements = chooser.elements(kind, chooser.count())
        results, bad = scan.results(elements, {"x": kind})
        if bad is None:
            break
    cut = rng.randint(0, len(elements))
    arguments = ["--format=binary", "-t", kind, *scan.options(), *common(rng, scan), "--state={directory}/state"]
    return [Run(arguments, np.array(part, DTYPES[kind]).tobytes(), as_bytes(kind, wanted))
            for part, wanted in ((elements[:cut], results[:cut]), (elements[cut:], results[cut:]))]


def of_keys(chooser):
    """Text with a key in each line: a scan for each key."""
    rng = chooser.rng
    kind = rng.choice(KINDS)
    scan = chooser.scan(kind, {"x": kind})
    scan.total = False
    elements = chooser.elements(kind, chooser.count(False))
    keys = [rng.choice("abcdefg"[:rng.randint(1, 7)]) for _ in elements]
    lines = [""] * len(elements)
    bad = None
    for key in set(keys):
        places = [place for place, one in enumerate(keys) if one == key]
        results, ends = scan.results([elements[place] for place in places], {"x": kind})
        if ends is not None:
            bad = min(bad or len(keys), places[ends - 1] + 1)
        for place, result in zip(places, results):
            lines[place] = f"{key} {as_text(kind, result)}\n"
    data = "".join(f"{key} {as_text(kind, x[0])}\n" for key, x in zip(keys, elements))
    arguments = ["-t", kind, "-g", "1", "-f", "2", *scan.options(), *common(rng, scan)]
    return [Run(arguments, data.encode(), "".join(lines[:None if bad is None else bad - 1]).encode(), bad)]


def of_text(chooser):
    """Text of a type: one token a line, or fields x0 and x1, or named columns."""
    rng = chooser.rng
    kind = rng.choice(KINDS)
    form = rng.choice(("tokens", "fields", "names"))
    names = {"tokens": ("x",), "fields": ("x0", "x1"), "names": ("credit", "debit", "{due date}")[:rng.randint(1, 3)]}[form]
    inputs = dict.fromkeys(names, kind)
    scan = chooser.scan(kind, inputs, must_map=True)
    scan.emit = None
    elements = chooser.elements(kind, chooser.count(False), len(names))
    results, bad = scan.results(elements, inputs)
    begins = scan.every and bad and bad % scan.every == 1 % scan.every
    if scan.total and begins and not COUNTED.search(scan.map) and not scan.mapped([elements[bad - 1]], inputs):
        # (An element that is refused while it is read does not end the segment before it.)
        results = results[:-1]
    want = "".join(as_text(kind, result) + "\n" for result in results)
    mark = "," if form == "names" else " "
    lines = [mark.join(as_text(kind, x) for x in line) + "\n" for line in elements]
    options = {"tokens": [], "fields": ["-f", "1,2"], "names": ["--csv", "--as=r"]}[form]
    if form == "names":
        lines.insert(0, mark.join(name.strip("{}") for name in names) + "\n")
        want = ("" if scan.total else "r\n") + want
        bad = bad and bad + 1
    return [Run(["-t", kind, *options, *scan.options(), *common(rng, scan)], "".join(lines).encode(), want.encode(), bad)]


def decimal(rng):
    """A token of num."""
    if rng.random() < 0.03:
        return rng.choice(("12345678901234567890123456", "-99999999999999999999999999999999999999", "0.000000000000000001", "0.0"))
    digits = rng.choice((0, 0, 1, 2, 2, 2, 3, 6))
    return format_decimal(rng.randint(-10 ** rng.randint(1, 9), 10 ** rng.randint(1, 9)), digits)


def decimal_results(op, values):
    """The results of values that are exact, (number, scale), or floats: the same. From the first float on all are
    floats."""
    exact = next((place for place, value in enumerate(values) if isinstance(value, float)), len(values))
    results = []
    state = None
    scale = 0
    for place, (value, own) in enumerate(values[:exact]):
        scale = max(scale, own)
        try:  # All of them have to fit at the greatest scale so far.
            if op == "sum":
                following = fitted(value + (state[0] if state else 0), scale)
            elif state is None or op == "last" or (value > state[0]) == (op == "max") and value != state[0]:
                following = value, own
            else:
                following = state
            for one in (value, following[0], state[0] if state else 0):
                fitted(one, scale)
        except TooWide:
            exact = place
            break
        state = following
        results.append((state[0], scale if op == "sum" else state[1]))
    rest = [as_double(value) for value in values[exact:]]
    seed = None if state is None else rounded(state[0], "f64")
    return results + [float(x) for x in folded(op, "f64", rest, seed)]


def as_double(value):
    """Of an exact value or a float."""
    return np.float64(value) if isinstance(value, float) else rounded(value[0], "f64")


def decimal_kinds(names):
    """The types of names where an expression of decimals is not exact."""
    return {name: "u64" if name in ("i", "n") else "f64" for name in names}


def is_exact_text(text, names):
    """Whether an expression of decimals is exact."""
    try:
        return Decimals(text, names) is not None
    except Refused:
        return False


def may_be_bad(text, names):
    """Whether an expression of decimals is not exact, and may have no value."""
    return not is_exact_text(text, names) and Expression(text, decimal_kinds(names), "f64", rules="num").may_be_bad


def evaluated(text, names, rows, may_be_exact=True):
    """The values of an expression of decimals, exact if it is, up to the first that has no value. i, n: integers."""
    if may_be_exact and is_exact_text(text, names):
        expression = Decimals(text, names)
        return [expression.value(row) for row in rows]
    expression = Expression(text, decimal_kinds(names), "f64", rules="num")
    values = []
    for row in rows:
        try:
            inputs = (int(x[0]) if name in ("i", "n") else as_double(x) for name, x in zip(names, row))
            values.append(float(expression.value(tuple(inputs))))
        except Bad:
            break
    return values


def decimal_text(value):
    """A line."""
    if isinstance(value, float):
        return format_number(np.float64(value)) + "\n"
    return format_decimal(int(value[0] * 10 ** value[1]), value[1]) + "\n"


def of_decimals(chooser):
    """num: exact where the expression is, else f64."""
    rng = chooser.rng
    form = rng.choice(("tokens", "fields", "names"))
    names = {"tokens": ("x",), "fields": ("x0", "x1"), "names": ("credit", "debit", "{due date}")[:rng.randint(1, 3)]}[form]
    op = rng.choice(("last", "last", "sum", "max", "min"))
    shown = ("s", "i", "n") if op == "last" and rng.random() < 0.5 else ("s",)
    text, emit = ((ExactMaker if rng.random() < 0.5 else Maker)(rng, decimal_kinds(of), rules="num").text(chooser.size(), must)
                  for of, must in ((names, names), (shown, (rng.choice(shown),))))
    scan = Scan("f64", op, text, emit if rng.random() < 0.5 else None)
    elements = [[decimal(rng) for _ in names] for _ in range(chooser.count(False))]
    mark = "," if form == "names" else " "
    lines = [mark.join(line) + "\n" for line in elements]
    with np.errstate(all="ignore"):
        rows = ([(Fraction(t), len(t.partition(".")[2])) for t in line] for line in elements)
        values = evaluated(text, names, rows)
        has_zeros = any(not isinstance(value, float) and value[0] == 0 for value in values)
        if scan.emit and may_be_bad(emit, shown):  # Then the scan is one in f64.
            values = [float(as_double(value)) for value in values]
        results = decimal_results(op, values)
        if scan.emit and has_zeros and not is_exact_text(emit, shown) and any(isinstance(result, float) for result in results):
            raise Refused  # an exact 0 has a sign in f64, which is not known here
        if scan.emit:
            places = ((result, (Fraction(i), 0), (Fraction(i + 1), 0)) for i, result in enumerate(results))
            # (An index or a count is a decimal only if all else is.)
            may_be_exact = is_exact_text(text, names) or not COUNTED.search(emit)
            results = evaluated(emit, shown, (row[:len(shown)] for row in places), may_be_exact)
    want = [decimal_text(result) for result in results]
    bad = len(want) + 1 if len(want) < len(lines) else None
    options = {"tokens": [], "fields": ["-f", "1,2"], "names": ["--csv", "--as=r"]}[form]
    if form == "names":
        lines.insert(0, mark.join(name.strip("{}") for name in names) + "\n")
        want.insert(0, "r\n")
        bad = bad and bad + 1
    # (What is 0 has no sign while it is exact.)
    return [Run([*options, *scan.options(), *common(rng, scan)], "".join(lines).encode(), "".join(want).encode(), bad, True)]


def token_value(token):
    """A token of num: exact, (fraction, decimals), or a float."""
    if not re.search(r"\d", token):
        return float(token)
    number, scale = exponent_form(token) if "e" in token else (Fraction(token), len(token.partition(".")[2]))
    try:
        return fitted(number, scale)
    except TooWide:
        return float(rounded(number, "f64"))


def exact_scan(text, values, seed=None):
    """The inclusive results of an exact expression of a and b. Where one is no exact one, and at a float, a scan in f64
    begins, whose seed is the result before."""
    expression = Decimals(text, ["a", "b"])
    in_floats = Combine(text, "f64", rules="num")
    results = []
    state = seed
    for place, value in enumerate(values):
        following = value if state is None or isinstance(value, float) else expression.value((state, value))
        if isinstance(following, float):
            floats = [(as_double(one),) for one in values[place:]]
            begun = None if state is None else (as_double(state),)
            return results + [float(x) for x in grid_states.scan(in_floats, floats, begun)]
        state = following
        results.append(state)
    return results


def token_of_any(rng):
    """A token of num, which is seldom no exact decimal."""
    if rng.random() < 0.002:
        return rng.choice(("1e-20", "inf", "-inf", "170141183460469231731687303715884105728", "1e40"))
    return rng.choice(("1e2", "25e-2", "-0", "-0.00", "+3")) if rng.random() < 0.02 else decimal(rng)


def of_exact(chooser):
    """-op EXPR and --emit on num, exact where the expressions are; with keys, resets, seeds, -e, --total and --map."""
    rng = chooser.rng
    known = ("a+b", "a + b", "max(a, b)", "min(a,b)", "a*b", "b - a", "a < b ? b : a", "abs(a) < abs(b) ? b : a", "a + b + a*b")
    text = rng.choice(known) if rng.random() < 0.5 else ExactMaker(rng, {"a": "f64", "b": "f64"}).text(chooser.size(), ("a", "b"))
    op = text if rng.random() < 0.7 else rng.choice(("sum", "max", "min", "last"))
    mapped = ExactMaker(rng, {"x": "f64"}).text(chooser.size(), ("x",)) if rng.random() < 0.3 else None
    count = chooser.count(False)
    tokens = [token_of_any(rng) for _ in range(count)]
    if rng.random() < 0.3:  # Products that stay exact for a while, and sums that leave 128 bits.
        tokens = [rng.choice(("1.00", "-1", "2", "0.5", "1.5", "10", "0.10")) for _ in range(count)]
    has_keys = rng.random() < 0.4
    every = rng.choice((1, 3, 16, 100)) if rng.random() < 0.2 else None
    seed = decimal(rng) if op == text and rng.random() < 0.3 else None
    exclusive = seed is not None and rng.random() < 0.5
    total = rng.random() < 0.15
    names = [name for name in "xint" if rng.random() < 0.4 and not (total or (name == "x" and mapped))]
    emit = ExactMaker(rng, dict.fromkeys(("s", *names), "f64")).text(chooser.size(), (rng.choice(("s", *names)),)) \
        if rng.random() < 0.5 else None
    keys = [rng.choice("abc") if has_keys else "" for _ in tokens]
    values = list(map(token_value, tokens))
    first = None if seed is None else token_value(seed)
    wanted = [None] * count
    totals = []
    segments = {}
    for place, key in enumerate(keys):
        segments.setdefault(key, []).append(place)
    for key, places in segments.items():
        for begin in range(0, len(places), every or count):
            part = places[begin:begin + (every or count)]
            elements = [values[place] for place in part]
            if mapped:
                elements = evaluated(mapped, ("x",), ([one] for one in elements))
            results = exact_scan(text, elements, first) if op == text else decimal_results(op, elements)
            last = results[-1]
            results = [first, *results[:-1]] if exclusive and not total else results
            if emit:
                rows = ({"s": s, "x": x, "i": (Fraction(i), 0), "n": (Fraction(i + (not exclusive)), 0), "t": last}
                        for i, (s, x) in enumerate(zip(results, (values[place] for place in part))))
                results = evaluated(emit, ("s", *names), ([row[name] for name in ("s", *names)] for row in rows))
            for place, result in zip(part, results):
                wanted[place] = f"{key} " * has_keys + decimal_text(result)
            # A total comes where its segment ends; those of the ends of keys come last, in the order of the keys.
            ends = len(part) == (every or count + 1) and begin + len(part) < len(places)
            totals.append((places[begin + len(part)] if ends else count + list(segments).index(key), wanted[part[-1]]))
    data = "".join(f"{key} " * has_keys + f"{token}\n" for key, token in zip(keys, tokens))
    options = ["-op", op, *(["-g", "1", "-f", "2"] if has_keys else []), *([f"--map={mapped}"] if mapped else []),
               *([f"--emit={emit}"] if emit else []), *([f"--reset-every={every}"] if every else []),
               *([f"--seed={seed}"] if seed else []), *(["-e"] if exclusive else []), *(["--total"] if total else [])]
    want = "".join(line for _, line in sorted(totals, key=lambda one: one[0])) if total else "".join(wanted)
    options += [f"-T{rng.choice((1, 3))}"] if rng.random() < 0.5 else []
    options += [f"--chunk-size={rng.choice(('64', '100', *CHUNKS))}"] if rng.random() < 0.5 else []
    return [Run(options, data.encode(), want.encode(), None, True)]


SORTS = {"binary": of_binary, "state": of_state, "keys": of_keys, "text": of_text, "decimals": of_decimals, "exact": of_exact}
FOR_DEVICES = ("binary", "keys")


def case(seed, place, sorts, for_device):
    """The sort and the runs of one case. For devices: of what OpenCL C leaves nothing open."""
    for attempt in range(10 ** 6):
        rng = random.Random(f"{seed} {place} {attempt}")
        sort = rng.choice(sorts)
        try:
            runs = SORTS[sort](Chooser(rng, for_device))
        except (Undefined, Refused):
            continue
        if not for_device or all(run.bad is None for run in runs):
            return sort, runs
    raise AssertionError("no such case")


# --- pscan -----------------------------------------------------------------------------------------------------------

def apart(output, run):
    """What is compared of an output."""
    return re.sub(rb"(^|(?<= ))-0$", b"0", output, flags=re.M) if run.zeros_are_alike else output


def differs(done, run):
    """What is wrong with a finished process, or None."""
    message = GROUPING.sub("", done.stderr.decode("utf-8", "replace"))
    if done.returncode != (0 if run.bad is None else 1):
        return f"exit {done.returncode}: {message.strip()}"
    if apart(done.stdout, run) != apart(run.want, run):
        return "other results"
    if run.bad is None:
        return f"says {message.strip()}" if message else None
    of_seed = run.bad == 1 and "-e" in run.arguments and message.startswith("pscan: --seed: ")
    return None if of_seed or re.search(rf"\b(element|line|record) {run.bad}\b", message) else f"not at {run.bad}: {message.strip()}"


def first_difference(got, run):
    """Where outputs differ, in words."""
    arguments = run.arguments
    if "--format=binary" in arguments:
        kind = DTYPES[arguments[arguments.index("-t") + 1]]
        got = list(np.frombuffer(got[:len(got) // kind.itemsize * kind.itemsize], kind))
        want = list(np.frombuffer(run.want, kind))
        same = [np.array([a]).tobytes() == np.array([b]).tobytes() for a, b in zip(got, want)]
    else:
        got, want = (apart(one, run).decode().splitlines() for one in (got, run.want))
        same = [a == b for a, b in zip(got, want)]
    place = same.index(False) if False in same else len(same)
    shown = [str(x[place]) if place < len(x) else "nothing" for x in (want, got)]
    return f"result {place} of {len(want)}: expected {shown[0]}, got {shown[1]}"


def check(seed, place, given, ways):
    """Runs a case in some ways (none: on the host; PoCL's shapes; device: a GPU), and prints what differs. Whether
    nothing does."""
    for_device = ways != ["none"]
    sort, runs = case(seed, place, given.only or (FOR_DEVICES if for_device else tuple(SORTS)), for_device)
    for way in ways:
        device, shape = {"none": ("none", ""), "device": ("gpu", "")}.get(way, ("cpu", way))
        directory = tempfile.mkdtemp(prefix="expressions-")
        environment = {**os.environ, "PSCAN_SHAPE": shape}
        if device == "none":
            environment["OCL_ICD_VENDORS"] = "/nonexistent"
        for step, run in enumerate(runs):
            source = os.path.join(directory, f"in{step}")
            with open(source, "wb") as file:
                file.write(run.data)
            words = [PSCAN, "-D", device, *(word.replace("{directory}", directory) for word in run.arguments)]
            # (From a pipe: a state remembers files, and passes over what it has read.)
            done = subprocess.run(words, input=run.data, capture_output=True, timeout=LIMIT_S, check=False, env=environment)
            wrong = differs(done, run)
            if wrong:
                print(f"case {place} ({sort}): {wrong}\n  {first_difference(done.stdout, run)}\n  "
                      f"cat {source} | {'PSCAN_SHAPE=' + shape + ' ' if shape else ''}{shlex.join(words)}", flush=True)
                return sort, False
        subprocess.run(["rm", "-r", directory], check=True)
    return sort, True


def main():
    """Counts cases and differences."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--case", type=int)
    parser.add_argument("--only", action="append", choices=list(SORTS))
    parser.add_argument("--engines", default="none")
    given = parser.parse_args()
    ways = given.engines.split(",")
    places = range(given.cases) if given.case is None else [given.case]
    right = collections.Counter()
    sorts = collections.Counter()
    for place in places:
        sort, is_right = check(given.seed, place, given, ways)
        sorts[sort] += 1
        right[sort] += is_right
    wrong = sum(sorts.values()) - sum(right.values())
    print(", ".join(f"{sort} {right[sort]} of {sorts[sort]}" for sort in SORTS if sorts[sort]))
    print(f"{len(places)} cases, {wrong} wrong")
    return 1 if wrong or not sorts else 0


if __name__ == "__main__":
    sys.exit(main())
