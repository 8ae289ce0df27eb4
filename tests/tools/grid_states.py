"""The grid (shared by every engine) over states of any kind: the exact bits of operators whose combine is only nearly
associative.

Combinations are written out in numpy's scalars, one after the other, in the order that kernels/tile.h defines. Nothing
is taken from pscan.

    grid_states.py DEVICE               none, or cpu: pscan on raw elements of f32 and f64, in both of PoCL's shapes
    grid_states.py cpu expressions      the same for operators of users; one of them and types may follow
"""
import os
import subprocess
import sys

import numpy as np

from grid_oracle import DTYPES, RUN, TILE, canonical

PSCAN = os.environ.get("PSCAN", "pscan")
RUNS = TILE // RUN
FACTOR = 0.0625  # of ema; exact
SIZES = (1, 2, 15, 17, 4095, 4097, 9000)


class Ema:
    """y = factor x + (1 - factor) y: states are (first, weight, rest)."""

    inputs = 1

    def __init__(self, kind):
        self.number = kind.type
        self.factor = kind.type(FACTOR)

    def lift(self, x):
        """An element's state."""
        return x, self.number(1), self.number(0)

    def combine(self, a, b):
        """a is the earlier one."""
        kept = self.number(1) - self.factor
        return a[0], b[1] * (kept * a[1]), b[1] * (kept * a[2] + self.factor * b[0]) + b[2]

    def emit(self, s):
        """Its result."""
        return s[1] * s[0] + s[2]


class Increase:
    """The growth of a counter, which begins again at 0 where it falls: states are (first, last, grown)."""

    inputs = 1

    def __init__(self, kind):
        self.number = kind.type

    def lift(self, x, grown=0):
        """The state of an element, or of several that end with it."""
        return x, x, x if np.isnan(x) else self.number(grown)

    def combine(self, a, b):
        """a is the earlier one."""
        step = b[0] if b[0] < a[1] else b[0] - a[1]
        return a[0], b[1], a[2] + (step + b[2])

    def emit(self, s):
        """Its result."""
        return s[2]


class Linrec:
    """y = a y + b: states are (weight, rest)."""

    inputs = 2

    def __init__(self, kind):
        del kind

    def lift(self, a, b):
        """An element's state."""
        return a, b

    def combine(self, a, b):
        """a is the earlier one."""
        return b[0] * a[0], b[0] * a[1] + b[1]

    def emit(self, s):
        """Its result."""
        return s[1]


class Var:
    """Chan, Golub and LeVeque's combination in f64, the mean a pair: states are (mean, low, squares, count)."""

    inputs = 1

    def __init__(self, kind):
        self.number = kind.type

    def lift(self, x):
        """An element's state."""
        return np.float64(x), np.float64(0), np.float64(0), 1

    def combine(self, a, b):
        """a is the earlier one."""
        distance = (b[0] - a[0]) + (b[1] - a[1])
        share = np.float64(b[3]) / np.float64(a[3] + b[3])
        step = distance * share
        total = a[0] + step
        part = total - a[0]
        low = a[1] + ((a[0] - (total - part)) + (step - part))
        squares = a[2] + b[2] + distance * distance * (np.float64(a[3]) * share)
        mean = total + low
        return mean, low - (mean - total), squares, a[3] + b[3]

    def variance(self, s):
        """In f64."""
        return s[1] if np.isnan(s[1]) else s[2] / np.float64(s[3] - 1)

    def emit(self, s):
        """Its result."""
        return self.number(self.variance(s))


class Std(Var):
    """Its square root."""

    def emit(self, s):
        """Its result."""
        return self.number(np.sqrt(self.variance(s)))


class Prod:
    """Products whose states are a mantissa from 0.5 up to 1, and an exponent without limits."""

    inputs = 1

    def __init__(self, kind):
        self.kind = kind

    def lift(self, x):
        """An element's state."""
        mantissa, exponent = np.frexp(x)
        return mantissa, int(exponent) if np.isfinite(x) and x != 0 else 0

    def combine(self, a, b):
        """a is the earlier one."""
        mantissa, exponent = self.lift(a[0] * b[0])
        return mantissa, exponent + a[1] + b[1] if np.isfinite(mantissa) and mantissa != 0 else 0

    def emit(self, s):
        """Its result, rounded once."""
        return np.ldexp(s[0], np.int32(max(-5000, min(5000, s[1]))))


OPERATORS = {"prod": Prod, f"ema:{FACTOR}": Ema, "increase": Increase, "linrec": Linrec, "var": Var, "std": Std}



class Expression:
    """States are elements, which an expression combines."""

    inputs = 1

    def __init__(self, kind):
        self.number = kind.type

    def lift(self, x):
        """An element's state."""
        return x

    def emit(self, s):
        """Its result."""
        return s


class Product(Expression):
    """Rounded where it is."""

    def combine(self, a, b):
        """a is the earlier one."""
        return a * b


class Sum(Expression):
    """Carried as it is, not wider as the library's."""

    def combine(self, a, b):
        """a is the earlier one."""
        return a + b


class Either(Expression):
    """The probability of one or the other."""

    def combine(self, a, b):
        """a is the earlier one."""
        return a + b - a * b


EXPRESSIONS = {"a*b": Product, "a + b": Sum, "a + b - a*b": Either}


def block_totals(combine, totals):
    """Of a tile's run totals: level by level those of aligned blocks of 1, 2, 4, ... runs, as far as they are whole."""
    levels = [totals]
    while len(levels[-1]) > 1:
        last = levels[-1]
        levels.append([combine(last[i], last[i + 1]) for i in range(0, len(last) - 1, 2)])
    return levels


def before_run(combine, levels, run):
    """Returns the state before a run within its tile. Larger blocks are combined first."""
    prefix, begin = None, 0
    for level in reversed(range(8)):
        if run >> level & 1:
            block = levels[level][begin >> level]
            prefix = block if prefix is None else combine(prefix, block)
            begin += 1 << level
    return prefix


def ended_totals(levels, run):
    """The totals of the blocks of two or more runs that end with this one."""
    return [levels[k][run >> k] for k in range(1, len(levels)) if (run + 1) % (1 << k) == 0]


def states(operator, elements, seed=None, lacking=None):
    """For each of elements, tuples of numbers, its inclusive state. lacking: the state without a value. The last
    element of a run has it if a total that is complete there has."""
    def joined(a, b):
        return b if a is None else operator.combine(a, b)

    carry = None if seed is None else operator.lift(*seed)
    for first in range(0, len(elements), TILE):
        tile = [operator.lift(*x) for x in elements[first:first + TILE]]
        locals_of_run = []
        for begin in range(0, len(tile), RUN):
            prefixes = [tile[begin]]
            for x in tile[begin + 1:begin + RUN]:
                prefixes.append(operator.combine(prefixes[-1], x))
            locals_of_run.append(prefixes)
        levels = block_totals(operator.combine, [prefixes[-1] for prefixes in locals_of_run])
        for run, prefixes in enumerate(locals_of_run):
            prefix = before_run(operator.combine, levels, run) if run > 0 else None
            base = carry if prefix is None else joined(carry, prefix)
            totals = ended_totals(levels, run) if len(prefixes) == RUN else []
            if run + 1 == RUNS and totals:
                carry = joined(carry, levels[8][0])
                totals.append(carry)
            yield from (joined(base, s) for s in prefixes[:-1])
            ends_badly = lacking is not None and any(total is lacking for total in totals)
            yield lacking if ends_badly else joined(base, prefixes[-1])


def scan(operator, elements, seed=None, lacking=None):
    """The inclusive results of elements, tuples of numbers."""
    return [operator.emit(state) for state in states(operator, elements, seed, lacking)]


def wild_factors(kind, count, generator, calm):
    """Factors of all magnitudes, subnormal ones too, whose products leave the range and come back; calm ones after so
    many of them, in turn."""
    limits = np.finfo(kind)
    exponents = generator.uniform(limits.minexp - limits.nmant, limits.maxexp, count)
    exponents[1::2] = -exponents[:-1:2] + generator.normal(0, 30, count // 2) if count > 1 else 0
    exponents = np.clip(exponents, limits.minexp - limits.nmant, limits.maxexp - 1)
    exponents = np.where(np.arange(count) // calm % 2, generator.normal(0, 1, count), exponents)
    factors = generator.uniform(1, 2, count) * generator.choice((-1, 1), count)
    return [(x,) for x in np.ldexp(factors, np.floor(exponents).astype(np.int32)).astype(kind)]


def elements_of(kind, inputs, count, seed, name=""):
    """Numbers whose recurrences neither vanish nor overflow, as tuples."""
    generator = np.random.default_rng([count, seed])
    if name == "prod":
        return wild_factors(kind, count, generator, 200 if seed % 2 else TILE)
    values = generator.normal(0, 1e3, (count, inputs))
    if inputs > 1:
        values[:, 0] = generator.uniform(-1.01, 1.01, count)
    return [tuple(row) for row in values.astype(kind)]


def check(name, kind_name, count, seeded, device, shape):
    """Whether pscan writes the very bits."""
    kind = DTYPES[kind_name]
    operator = (EXPRESSIONS if name in EXPRESSIONS else OPERATORS)[name](kind)
    elements = elements_of(kind, operator.inputs, count, seeded, name)
    seed = tuple(kind.type(x) for x in (0.5, 7)[-operator.inputs:]) if seeded else None
    with np.errstate(all="ignore"):
        want = canonical(np.array(scan(operator, elements, seed), kind)).tobytes()
    arguments = [PSCAN, "-D", device, "--format=binary", "-t", kind_name, "-op", name, "-c", str(operator.inputs), "--chunk-size=64K"]
    arguments += [f"--seed={','.join(str(x) for x in seed)}"] if seeded else []
    done = subprocess.run(arguments, input=np.array(elements, kind).tobytes(), stdout=subprocess.PIPE, check=False,
                          env=dict(os.environ, PSCAN_SHAPE=shape))
    return done.returncode == 0 and done.stdout == want


def main():
    """All of them."""
    device = sys.argv[1]
    of_users = sys.argv[2:3] == ["expressions"]
    chosen = sys.argv[3:]
    sizes = SIZES[1::2] + SIZES[-1:] if of_users else SIZES if device == "none" else SIZES[-1:]
    runs = wrong = 0
    for shape in ("",) if device == "none" else ("cpu", "gpu"):
        for name, operator in (EXPRESSIONS if of_users else OPERATORS).items():
            if chosen and name not in chosen:
                continue
            for kind in chosen[1:] or ("f32", "f64"):
                for number, count in enumerate(sizes):
                    seeded = number % 2 == 0 and not issubclass(operator, Var)
                    runs += 1
                    if not check(name, kind, count, seeded, device, shape):
                        wrong += 1
                        print(f"{name} {kind} of {count}: other bytes on {device} {shape}")
    print(f"{runs} runs, {wrong} wrong")
    return 0 if runs > 0 and wrong == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
