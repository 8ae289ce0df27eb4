#!/usr/bin/python3
"""What pscan must answer, computed from the definition of the grid alone.

Runs of 16 elements, Blelloch's tree over the 256 run totals of a tile, tiles folded left to right:

    result = combine(combine(P(k), E(r)), L(j))

P is the carry-in of tile k, E the exclusive tree scan of the run totals, L the scan of the run. Absent elements are
carried as a mask, so that combining with nothing is written once, in combine(). Nothing here is shared with pscan.

As a command it takes pscan's own options and writes the bytes that pscan must write. Where the scan must stop, it names
the element on standard error and exits with 1:

    grid_oracle.py [-op OP] [-t IN[:ACC]] [-e] [--seed V] [--total] ... [--format text] FILE...
"""
import argparse
import sys
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple, Optional

import numpy as np

RUN = 16
RUNS = 256
TILE = RUN * RUNS

INTEGERS = ("i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64")
FLOATS = ("f32", "f64")
DTYPES = {
    "i8": np.dtype(np.int8), "u8": np.dtype(np.uint8), "i16": np.dtype(np.int16), "u16": np.dtype(np.uint16),
    "i32": np.dtype(np.int32), "u32": np.dtype(np.uint32), "i64": np.dtype(np.int64), "u64": np.dtype(np.uint64),
    "f32": np.dtype(np.float32), "f64": np.dtype(np.float64),
}
OVERFLOWING = ("sum", "prod")
BITWISE = ("and", "or", "xor")
CANONICAL_NAN = {4: 0x7FC00000, 8: 0x7FF8000000000000}


# --- Operators -------------------------------------------------------------------------------------------------------

def maximum(a, b):
    """IEEE 754-2019 maximum: a NaN wins, -0 < +0."""
    if a.dtype.kind != "f":
        return np.maximum(a, b)
    larger = np.where(a == b, np.where(np.signbit(a), b, a), np.where(a < b, b, a))
    return np.where(np.isnan(a) | np.isnan(b), a.dtype.type(np.nan), larger)


def minimum(a, b):
    """IEEE 754-2019 minimum: a NaN wins, -0 < +0."""
    if a.dtype.kind != "f":
        return np.minimum(a, b)
    smaller = np.where(a == b, np.where(np.signbit(a), a, b), np.where(b < a, b, a))
    return np.where(np.isnan(a) | np.isnan(b), a.dtype.type(np.nan), smaller)


def normal(m, e):
    """States of a product of floats: a mantissa from 0.5 up to 1 and an exponent that has no limit; of 0, inf and nan
    there is none."""
    m, more = np.frexp(m)
    states = np.zeros(m.shape, [("m", m.dtype), ("e", np.int64)])
    states["m"] = m
    states["e"] = np.where(np.isfinite(m) & (m != 0), e + more, 0)
    return states


def multiply(a, b):
    """Products: of integers, or of such states."""
    return np.multiply(a, b) if a.dtype.names is None else normal(a["m"] * b["m"], a["e"] + b["e"])


def lift(op, elements):
    """Elements as states."""
    return normal(elements, 0) if op == "prod" and elements.dtype.kind == "f" else elements


def lower(states):
    """States as results: those with an exponent of their own are rounded once."""
    if states.dtype.names is None:
        return states
    return np.ldexp(states["m"], np.clip(states["e"], -5000, 5000).astype(np.int32))


OPERATORS = {
    "sum": np.add, "prod": multiply, "max": maximum, "min": minimum,
    "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor,
}


def identity(op, dtype):
    """The operator's identity as a number of the type."""
    is_float = dtype.kind == "f"
    info = None if is_float else np.iinfo(dtype)
    value = {
        "sum": 0, "prod": 1, "or": 0, "xor": 0,
        "max": -np.inf if is_float else info.min,
        "min": np.inf if is_float else info.max,
        "and": None if is_float else (info.max if info.min == 0 else -1),
    }[op]
    return dtype.type(value)


# --- The grid --------------------------------------------------------------------------------------------------------

class Masked(NamedTuple):
    """An array of states, some of which are absent."""

    value: np.ndarray
    present: np.ndarray


def combine(op, earlier, later):
    """Combines elementwise; combining with nothing changes nothing."""
    both = earlier.present & later.present
    one = np.where(earlier.present, earlier.value, later.value)
    return Masked(np.where(both, OPERATORS[op](earlier.value, later.value), one), earlier.present | later.present)


def scan_runs(op, runs):
    """L: every run of shape (tiles, RUNS, RUN), left to right."""
    value = np.empty_like(runs.value)
    present = np.empty_like(runs.present)
    so_far = Masked(runs.value[:, :, 0], runs.present[:, :, 0])
    value[:, :, 0], present[:, :, 0] = so_far
    for j in range(1, RUN):
        so_far = combine(op, so_far, Masked(runs.value[:, :, j], runs.present[:, :, j]))
        value[:, :, j], present[:, :, j] = so_far
    return Masked(value, runs.present)


def tree(op, run_totals):
    """E and the tile totals: Blelloch's exclusive scan of run totals of shape (tiles, RUNS)."""
    total = Masked(run_totals.value.copy(), run_totals.present.copy())
    distance = 1
    while distance < RUNS:
        left, right = slice(distance - 1, None, 2 * distance), slice(2 * distance - 1, None, 2 * distance)
        total.value[:, right], total.present[:, right] = combine(
            op, Masked(total.value[:, left], total.present[:, left]),
            Masked(total.value[:, right], total.present[:, right]))
        distance *= 2
    prefix = Masked(np.zeros_like(total.value), np.zeros_like(total.present))
    while distance > 1:
        distance //= 2
        left, right = slice(distance - 1, None, 2 * distance), slice(2 * distance - 1, None, 2 * distance)
        handed = Masked(prefix.value[:, right].copy(), prefix.present[:, right].copy())
        prefix.value[:, left], prefix.present[:, left] = handed
        prefix.value[:, right], prefix.present[:, right] = combine(
            op, handed, Masked(total.value[:, left], total.present[:, left]))
    return prefix, total.value[:, -1]


class PlainCarry:
    """The carry in the row's own type."""

    def __init__(self, op, first):
        self.op = op
        self.state = np.array([first])

    def add(self, total):
        """Takes in the next tile's total."""
        self.state = OPERATORS[self.op](self.state, np.array([total]))

    def prefix(self):
        """P for the next tile."""
        return self.state[0]


class DoubleCarry:
    """A float32 sum is carried in double."""

    def __init__(self, first):
        self.state = np.float64(first)

    def add(self, total):
        """Takes in the next tile's total."""
        self.state += np.float64(total)

    def prefix(self):
        """P for the next tile."""
        return np.float32(self.state)


class PairCarry:
    """A float64 sum is carried as a pair of doubles."""

    def __init__(self, first):
        self.high = np.float64(first)
        self.low = np.float64(0)

    def add(self, total):
        """TwoSum of high and total, then the low parts, then FastTwoSum."""
        total = np.float64(total)
        s = self.high + total
        seen = s - self.high
        e = (self.high - (s - seen)) + (total - seen)
        low = self.low + e
        if not (np.isfinite(s) and np.isfinite(e)) or low == 0:
            self.high, self.low = s, np.float64(0)
            return
        self.high = s + low
        self.low = low - (self.high - s)

    def prefix(self):
        """P for the next tile."""
        return self.high


def begin_carry(op, first):
    """The carry of a seed or a first total."""
    if op == "sum" and first.dtype == np.float32:
        return DoubleCarry(first)
    if op == "sum" and first.dtype == np.float64:
        return PairCarry(first)
    return PlainCarry(op, first)


def fold(op, totals, seed):
    """P: the carry-in of every tile."""
    value = np.zeros(len(totals), totals.dtype)
    present = np.zeros(len(totals), bool)
    carry = None if seed is None else begin_carry(op, seed)
    for k, total in enumerate(totals):
        if carry is None:
            carry = begin_carry(op, total)
            continue
        value[k], present[k] = carry.prefix(), True
        carry.add(total)
    return Masked(value, present)


def canonical(results):
    """Results with every NaN replaced by the one that pscan writes."""
    if results.dtype.kind != "f":
        return results
    bits = results.copy().view(f"u{results.itemsize}")
    bits[np.isnan(results)] = CANONICAL_NAN[results.itemsize]
    return bits.view(results.dtype)


def inclusive(op, elements, seed=None, tree_of=tree):
    """The inclusive results of an array in the accumulator's type; integers wrap. tree_of: the grid's or another."""
    tiles = -(-len(elements) // TILE)
    states = lift(op, elements)
    padded = np.zeros(tiles * TILE, states.dtype)
    padded[:len(elements)] = states
    present = np.arange(tiles * TILE) < len(elements)
    shape = (tiles, RUNS, RUN)
    with np.errstate(all="ignore"):
        local = scan_runs(op, Masked(padded.reshape(shape), present.reshape(shape)))
        # An absent element leaves the run's state as it was, so the last one holds the total.
        before, totals = tree_of(op, Masked(local.value[:, :, -1], local.present[:, :, 0]))
        carry_in = fold(op, totals, None if seed is None else lift(op, np.array([seed]))[0])
        before = combine(op, Masked(carry_in.value[:, None], carry_in.present[:, None]), before)
        results = combine(op, Masked(before.value[:, :, None], before.present[:, :, None]), local)
        return canonical(lower(results.value.reshape(-1)[:len(elements)]))


# --- Types and conversions -------------------------------------------------------------------------------------------

class Types(NamedTuple):
    """Element and accumulator types in the machine's byte order, and the orders of input and output."""

    element: np.dtype
    accumulator: np.dtype
    in_order: str
    out_order: str


def parse_name(name):
    """One type's name: its dtype and its byte order, or None."""
    if name[0] in "<>":
        return np.dtype(name).newbyteorder("="), name[0]
    order = {"le": "<", "be": ">"}.get(name[-2:])
    name = name[:-2] if order else name
    return DTYPES[name] if name in DTYPES else np.dtype(name), order


def parse_types(text):
    """IN[:ACC]: results inherit the byte order of IN unless ACC has its own."""
    first, _, second = text.partition(":")
    element, order = parse_name(first)
    accumulator, out_order = parse_name(second) if second else (element, None)
    return Types(element, accumulator, order or "=", out_order or order or "=")


def parse_number(text, dtype):
    """A decimal literal as a number of the type: rounded once, to nearest even."""
    if dtype.kind != "f":
        return dtype.type(int(text, 0))
    near = float(text)
    if dtype.itemsize == 8 or not np.isfinite(near):
        return dtype.type(near)
    exact = Fraction(text)
    middle = np.float32(near)
    with np.errstate(all="ignore"):
        around = [np.nextafter(middle, dtype.type(-np.inf)), middle, np.nextafter(middle, dtype.type(np.inf))]
    around = [x for x in around if np.isfinite(x)]
    return min(around, key=lambda x: (abs(Fraction(float(x)) - exact), int(x.view(np.uint32)) & 1))


def convert(elements, accumulator):
    """Elements in the accumulator's type (those that do not fit: wrapped, or 0 from floats), and which of them fit."""
    source = elements.dtype
    if source == accumulator or accumulator.kind == "f":
        with np.errstate(all="ignore"):
            return elements.astype(accumulator), np.ones(len(elements), bool)
    limits = np.iinfo(accumulator)
    if source.kind == "f":
        with np.errstate(all="ignore"):
            whole = np.trunc(elements.astype(np.float64))
            fits = (whole >= float(limits.min)) & (whole < float(limits.max + 1))
        numbers = [int(x) for x in np.where(fits, whole, 0).tolist()]
        return np.array(numbers, accumulator), fits
    least = max(int(limits.min), int(np.iinfo(source).min))
    greatest = min(int(limits.max), int(np.iinfo(source).max))
    fits = (elements >= source.type(least)) & (elements <= source.type(greatest))
    return elements.astype(accumulator), fits


def first_overflow(op, elements, seed):
    """Returns the first index whose exact result, seed included, is out of the type's range, or None."""
    if op not in OVERFLOWING or elements.dtype.kind == "f":
        return None
    limits = np.iinfo(elements.dtype)
    least, greatest = int(limits.min), int(limits.max)
    exact = None if seed is None else int(seed)
    for index, element in enumerate(elements.tolist()):
        if exact is None:
            exact = element
        elif op == "sum":
            exact += element
        else:
            exact *= element
        if not least <= exact <= greatest:
            return index
    return None


# --- What pscan writes -----------------------------------------------------------------------------------------------

@dataclass(frozen=True)
class Scan:
    """The options that name a computation."""

    op: str = "sum"
    type: str = "f32"
    exclusive: bool = False
    include_initial: bool = False
    total: bool = False
    seed: Optional[str] = None
    wrap: bool = False

    def arguments(self):
        """The options for pscan."""
        options = ["-op", self.op, "-t", self.type]
        options += ["-e"] if self.exclusive else []
        options += ["--include-initial"] if self.include_initial else []
        options += ["--total"] if self.total else []
        options += [f"--seed={self.seed}"] if self.seed is not None else []
        options += ["--overflow=wrap"] if self.wrap else []
        return options


class Results(NamedTuple):
    """The inclusive results of a scan, and the first index that ends it."""

    initial: np.generic
    inclusive: np.ndarray
    stop: Optional[int]
    must_stop: bool  # also where no result depends on that element
    order: str


class Outcome(NamedTuple):
    """The expected output, and the element (from 1) that an error names, or None."""

    data: bytes
    element: Optional[int]
    least: int  # so many of the bytes must be written


def scan_elements(scan, elements):
    """All inclusive results of elements in the machine's byte order."""
    types = parse_types(scan.type)
    seed = None if scan.seed is None else parse_number(scan.seed, types.accumulator)
    initial = identity(scan.op, types.accumulator) if seed is None else seed
    converted, fits = convert(elements, types.accumulator)
    from_float = types.element.kind == "f"
    unfit = None
    if (from_float or not scan.wrap) and not fits.all():
        unfit = int(np.argmin(fits))
    stop = None if scan.wrap else first_overflow(scan.op, converted, seed)
    if unfit is not None and (stop is None or unfit <= stop):
        stop = unfit
    return Results(canonical(np.array([initial]))[0], inclusive(scan.op, converted, seed), stop,
                   stop is not None and stop == unfit, types.out_order)


def arrange(scan, results, count):
    """What pscan writes for the first count elements. (No result depends on what comes later.)"""
    stop = results.stop if results.stop is not None and results.stop < count else None
    exclusive = scan.exclusive and not scan.include_initial
    if stop == count - 1 and exclusive and not scan.total and not results.must_stop:
        stop = None
    initial = np.array([results.initial])
    written = results.inclusive[:count if stop is None else stop]
    if scan.total:
        written = (np.concatenate((initial, written))[-1:] if stop is None else written[:0])
    elif scan.include_initial:
        written = np.concatenate((initial, written))
    elif exclusive:
        written = np.concatenate((initial, written))[:count]
    data = written.astype(written.dtype.newbyteorder(results.order)).tobytes()
    optional = written.itemsize if exclusive and results.must_stop and stop is not None and not scan.total else 0
    # What an exclusive scan cannot show stands at the element after the one that is too much.
    follows = exclusive and not scan.total and not results.must_stop
    return Outcome(data, None if stop is None else stop + 1 + follows, len(data) - optional)


def outcome(scan, data):
    """What pscan writes for raw binary input."""
    types = parse_types(scan.type)
    elements = np.frombuffer(data, types.element.newbyteorder(types.in_order)).astype(types.element)
    return arrange(scan, scan_elements(scan, elements), len(elements))


# --- Text ------------------------------------------------------------------------------------------------------------

def format_number(x):
    """Returns the text of an integer, or the shortest decimal that reads back to the float."""
    if x.dtype.kind != "f":
        return str(x)
    if not np.isfinite(x):
        return "nan" if np.isnan(x) else ("inf" if x > 0 else "-inf")
    if x == 0 or 1e-7 <= abs(float(x)) < 1e21:
        return np.format_float_positional(x, unique=True, trim="-")
    return np.format_float_scientific(x, unique=True, trim="-", exp_digits=2)


def format_decimal(mantissa, scale):
    """mantissa * 10^-scale with exactly scale decimals."""
    digits = str(abs(mantissa)).rjust(scale + 1, "0")
    sign = "-" if mantissa < 0 else ""
    return sign + (f"{digits[:-scale]}.{digits[-scale:]}" if scale else digits)


def combine_exact(op, a, b):
    """Python's integers: no limit."""
    return {"sum": lambda: a + b, "prod": lambda: a * b, "max": lambda: max(a, b), "min": lambda: min(a, b),
            "and": lambda: a & b, "or": lambda: a | b, "xor": lambda: a ^ b}[op]()


def split_decimal(token):
    """Returns mantissa and decimals of a token, or None if it has more than 18 decimals or is too large to be exact."""
    value = Decimal(token)
    if not value.is_finite() or value.as_tuple().exponent > 60:
        return None
    sign, digits, exponent = value.as_tuple()
    mantissa = int("".join(map(str, digits))) * 10 ** max(exponent, 0)
    decimals = max(-exponent, 0)
    while decimals > 18 and mantissa % 10 == 0:
        mantissa, decimals = (mantissa // 10, decimals - 1) if mantissa else (0, 18)
    return (-mantissa if sign else mantissa, decimals) if decimals <= 18 else None


def scan_decimals(op, tokens):
    """The inclusive results of "num" as text: exact while that lasts, then f64 on a grid that begins there."""
    lines = []
    total, scale = None, 0
    for index, token in enumerate(tokens):
        parts = split_decimal(token)
        exact = parts is not None and not (op == "prod" and parts[1])
        if exact:
            common = max(scale, parts[1])
            mantissa = parts[0] * 10 ** (common - parts[1])
            result = mantissa if total is None else combine_exact(op, total * 10 ** (common - scale), mantissa)
            exact = -2 ** 127 <= result < 2 ** 127
        if not exact:
            seed = None if total is None else np.float64(float(Fraction(total, 10 ** scale)))
            rest = np.array([float(t) for t in tokens[index:]])
            return lines + [format_number(x) for x in inclusive(op, rest, seed)]
        total, scale = result, common
        lines.append(format_decimal(total, scale))
    return lines


def text_outcome(scan, texts):
    """What pscan writes for text input; a file's end ends its last token. Without seed, nothing that overflows."""
    tokens = [token for text in texts for token in text.decode().split()]
    initial = []
    if scan.type == "num":
        lines = scan_decimals(scan.op, tokens)
        unlimited = np.dtype(np.float64 if scan.op in ("max", "min") else np.int64)
        initial = [format_number(identity(scan.op, unlimited))]
    else:
        types = parse_types(scan.type)
        elements = np.array([parse_number(token, types.element) for token in tokens], types.element)
        results = scan_elements(scan, elements)
        lines = [format_number(x) for x in results.inclusive]
        initial = [format_number(results.initial)]
    if scan.total:
        lines = (initial + lines)[-1:]
    elif scan.include_initial:
        lines = initial + lines
    elif scan.exclusive:
        lines = (initial + lines)[:len(lines)]
    return "".join(line + "\n" for line in lines).encode()


def main():
    """Writes what pscan must write."""
    parser = argparse.ArgumentParser(description="The expected output of pscan.")
    parser.add_argument("-op", "--op", default="sum", choices=list(OPERATORS))
    parser.add_argument("-t", "--type", default=None)
    parser.add_argument("-e", "--exclusive", action="store_true")
    parser.add_argument("--include-initial", action="store_true")
    parser.add_argument("--total", action="store_true")
    parser.add_argument("--seed")
    parser.add_argument("--overflow", choices=("error", "wrap"), default="error")
    parser.add_argument("--format", choices=("text", "binary"), default="binary")
    parser.add_argument("files", nargs="+")
    given = parser.parse_args()
    kind = given.type or ("num" if given.format == "text" else "f32")
    scan = Scan(given.op, kind, given.exclusive, given.include_initial, given.total, given.seed,
                given.overflow == "wrap")
    contents = []
    for name in given.files:
        with open(name, "rb") as file:
            contents.append(file.read())
    if given.format == "text":
        sys.stdout.buffer.write(text_outcome(scan, contents))
        return 0
    expected = outcome(scan, b"".join(contents))
    sys.stdout.buffer.write(expected.data)
    if expected.element is not None:
        print(f"element {expected.element}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
