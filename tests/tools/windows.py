"""Windows by their definitions: slices of elements where results are exact, in Python's integers and fractions; for
floats the grid of the element's block and its mirror image over the block before (grid_oracle.py, grid_states.py).
Nothing is taken from pscan.

    windows.py exact SEED COUNT      random integers of every type, and floats where operators are exact
    windows.py grid                  operators that are only nearly associative, to the bit
    windows.py decimals SEED COUNT   exact decimals of any scale, to the end of exactness
    windows.py segments SEED COUNT   keys and resets: some segments leave exactness, the next ones begin exact again
"""
import decimal
import functools
import operator
import os
import subprocess
import sys
import tempfile
from fractions import Fraction

import numpy as np

import cases
from grid_oracle import DTYPES, FLOATS, INTEGERS, TILE, canonical, format_number, inclusive
from grid_states import FACTOR, OPERATORS, elements_of, states
from operator_facts import BITWISE, where

PSCAN = os.environ.get("PSCAN", "build/pscan")
LENGTHS = (1, 2, 3, 15, 16, 17, 256, 1000, TILE, 2 * TILE + 40)
LEVELS = ("grid", "baseline", "v3", "v4")
SHORT_VECTORS = 16  # windows of fewer are put together of shorter ones


def run(data, *options, level=LEVELS[-1]):
    """Status, output and messages of pscan with such instructions, or the best that there are."""
    done = subprocess.run([PSCAN, "-D", "none", *options], input=data, capture_output=True, check=False, env={**os.environ, "PSCAN_CPU": level})
    return done.returncode, done.stdout, done.stderr.decode()


def windows(elements, length):
    """Of each element: the index of its window's first one, and the window."""
    for i in range(len(elements)):
        first = max(0, i + 1 - length)
        yield first, elements[first:i + 1]


def rank(x):
    """What decides between elements, the greatest first: a NaN is before all, and -0 is less than 0."""
    if isinstance(x, float):
        return (1, 0, 0) if x != x else (0, x, np.copysign(1, x))
    return (0, x, 0)


def greatest(window):
    """The earliest of equal ones, a NaN before all."""
    return max(window, key=rank)


def least(window):
    """The same."""
    return min(window, key=lambda x: (-rank(x)[0], *rank(x)[1:]))


def place(choose):
    """Where it is in the lane."""
    def of_window(first, window):
        ranks = [rank(x) for x in window]
        return first + ranks.index(rank(choose(window)))
    return of_window


def of(function):
    """A function of the window alone."""
    return lambda first, window: function(window)


EXACT = {
    "sum": of(sum),
    "prod": of(lambda w: functools.reduce(operator.mul, w)),
    "max": of(greatest),
    "min": of(least),
    "and": of(lambda w: functools.reduce(operator.and_, w)),
    "or": of(lambda w: functools.reduce(operator.or_, w)),
    "xor": of(lambda w: functools.reduce(operator.xor, w)),
    "count": of(len),
    "first": of(lambda w: w[0]),
    "last": of(lambda w: w[-1]),
    "lag": of(lambda w: w[-2] if len(w) > 1 else None),
    "delta": of(lambda w: w[-1] - w[-2] if len(w) > 1 else None),
    "increase": of(lambda w: sum(x if x < before else x - before for before, x in zip(w, w[1:]))),
    "range": of(lambda w: greatest(w) - least(w)),
    "drawdown": of(lambda w: greatest(w) - w[-1]),
    "argmax": place(greatest),
    "argmin": place(least),
    "mean": of(lambda w: float(Fraction(sum(w), len(w)))),
}
# Every operator of one number has a definition, here or in grid_states.py.
assert set(where(lambda facts: facts.inputs == 1)) <= set(EXACT) | {name.split(":")[0] for name in OPERATORS}, "an operator has no definition of its windows"
OVERFLOWING = where(lambda facts: facts.overflows)
OF_FLOATS = ("max", "min", "first", "last", "lag", "argmax", "argmin", "count")


def exact_results(op, elements, length):
    """One for each element."""
    return [EXACT[op](first, window) for first, window in windows(elements, length)]


def limits(kind):
    """Of an integer type."""
    info = np.iinfo(DTYPES[kind])
    return int(info.min), int(info.max)


def draw_length(rng, size, level, lengths):
    """Of windows of elements of so many bytes: one of those, or about the first that is not short."""
    if rng.random() < 0.7 or level == "grid":
        return rng.choice(lengths)
    return SHORT_VECTORS * (16 << LEVELS.index(level) - 1) // size + rng.choice([-1, 0, 1])


def draw(rng, kind, op, count):
    """Elements, of which some windows leave the type."""
    low, high = limits(kind)
    near = rng.choice([1, 3, 10, 1000, high])
    if op == "prod":
        pool = [0, 0, 1, 1, 1, 2, 3, high, low] if rng.random() < 0.5 else [1, 1, 1, 2, max(low, -1)]
        return [rng.choice(pool) for _ in range(count)]
    return [rng.randint(max(low, -near), min(high, near)) for _ in range(count)]


def as_text(result):
    """Of an integer; a record without any is no line."""
    return "" if result is None else f"{result}\n"


def check_integers(rng):
    """Results as far as they fit, and the message about the first that does not."""
    kind = rng.choice(INTEGERS)
    op = rng.choice([o for o in EXACT if o != "mean"])
    wraps = op in OVERFLOWING and rng.random() < 0.3
    level = rng.choice(LEVELS)
    # Where results are looked at numbers of 64 bits are scanned.
    size = 8 if op in OVERFLOWING and not wraps else np.dtype(DTYPES[kind]).itemsize
    length = draw_length(rng, size, level, [1, 2, 3, 5, 16, 40, 300])
    elements = draw(rng, kind, op, rng.choice([1, 2, 5, 40, 2 * length + 100]))
    exclusive = op not in ("first", "last", "delta", "range", "drawdown") and rng.random() < 0.2
    results = exact_results(op, elements, length)
    low, high = limits(kind)
    if wraps:
        results = [None if r is None else (r - low) % (high - low + 1) + low for r in results]
    of_type = op in OVERFLOWING
    bad = next((i for i, r in enumerate(results) if of_type and r is not None and not low <= r <= high), None)
    if exclusive:
        first = {"sum": 0, "prod": 1, "max": low, "min": high, "and": high if low == 0 else -1, "or": 0, "xor": 0, "count": 0, "increase": 0}.get(op)
        results = [first, *results[:-1]]
        bad = bad + 1 if bad is not None and bad + 1 < len(results) else None
    options = ["-t", kind, "-c", "1", "-op", op, f"--window={length}", f"--chunk-size={rng.choice(['4K', '1M'])}",
               *(["--overflow=wrap"] if wraps else []), *(["-e"] if exclusive else [])]
    code, out, err = run("".join(f"{x}\n" for x in elements).encode(), *options, level=level)
    want = "".join(as_text(r) for r in results[:bad])
    assert out.decode() == want and code == (0 if bad is None else 1), f"{level} {options} {elements}: {code} {err}"
    assert (f"the {op} does not fit {kind}" in err) == (bad is not None), err


def check_floats(rng):
    """Those of floats whose results are elements, or places."""
    kind = rng.choice(FLOATS)
    op = rng.choice(OF_FLOATS)
    level = rng.choice(LEVELS)
    length = draw_length(rng, np.dtype(DTYPES[kind]).itemsize, level, [1, 2, 3, 16, 300])
    pool = [0.0, -0.0, 1.5, -1.5, float("nan"), float("inf"), -float("inf"), 2.0 ** -140]
    elements = [rng.choice(pool) if rng.random() < 0.5 else rng.randint(-9, 9) / 4 for _ in range(rng.choice([1, 5, 2 * length + 100]))]
    results = [float("nan") if r is None else r for r in exact_results(op, elements, length)]
    of_places = op in ("argmax", "argmin", "count")
    want = np.array(results, np.uint64) if of_places else canonical(np.array(results, DTYPES[kind]))
    options = ["--format=binary", "-t", kind, "-op", op, f"--window={length}", "--chunk-size=16K"]
    code, out, err = run(np.array(elements, DTYPES[kind]).tobytes(), *options, level=level)
    assert (code, out) == (0, want.tobytes()), f"{level} {options}: {elements} {err}"


class Mirrored:
    """An operator's elements from the last one back."""

    def __init__(self, of_operator):
        self.operator = of_operator

    def lift(self, *x):
        """An element's state."""
        return self.operator.lift(*x)

    def combine(self, a, b):
        """b is the earlier one."""
        return self.operator.combine(b, a)


def grid_of_sums(elements, length):
    """Sums, carried as the grid carries them."""
    results = []
    suffixes = None
    with np.errstate(all="ignore"):
        for begin in range(0, len(elements), length):
            block = elements[begin:begin + length]
            prefixes = inclusive("sum", block)
            combined = prefixes.copy()
            if suffixes is not None:
                n = min(len(block), length - 1)
                rest = suffixes[1:n + 1]
                combined[:n] = canonical(rest + prefixes[:n])
            results.append(combined)
            suffixes = inclusive("sum", block[::-1])[::-1] if len(block) == length else None
    return np.concatenate(results)


def grid_of_states(of_operator, elements, length, lacking=None):
    """Of other operators. lacking: as grid_states.states has it."""
    results = []
    suffixes = None
    for begin in range(0, len(elements), length):
        block = elements[begin:begin + length]
        prefixes = list(states(of_operator, block, None, lacking))
        for i, prefix in enumerate(prefixes):
            whole = suffixes is None or i + 1 == length
            results.append(of_operator.emit(prefix if whole else of_operator.combine(suffixes[i + 1], prefix)))
        suffixes = list(states(Mirrored(of_operator), block[::-1], None, lacking))[::-1]
    return results


def check_grid():
    """The bits of floats."""
    runs = wrong = 0
    for kind in FLOATS:
        for length in LENGTHS:
            for op in ("sum", "mean", *OPERATORS):
                if length >= TILE and op not in ("sum", "ema:0.0625"):
                    continue
                inputs = 2 if op == "linrec" else 1
                count = 2 * length + 40 if length >= TILE else 2500
                elements = elements_of(DTYPES[kind], inputs, count, length, op)
                numbers = np.array(elements, DTYPES[kind])
                with np.errstate(all="ignore"):
                    if op == "sum":
                        want = grid_of_sums(numbers.reshape(-1), length)
                    elif op == "mean":
                        sums = grid_of_sums(numbers.reshape(-1), length).astype(np.float64)
                        want = (sums / np.minimum(np.arange(1, count + 1), length)).astype(DTYPES[kind])
                    else:
                        of_operator = OPERATORS[op](DTYPES[kind])
                        want = np.array(grid_of_states(of_operator, elements, length), DTYPES[kind])
                for options in (["--chunk-size=4K"], ["--chunk-size=1M"]):
                    runs += 1
                    code, out, err = run(numbers.tobytes(), "--format=binary", "-t", kind, "-op", op, "-c", str(inputs), f"--window={length}",
                                         *options)
                    if (code, out) != (0, canonical(want).tobytes()):
                        wrong += 1
                        print(f"{kind} {op} in windows of {length} {options}: other bytes {err}")
    print(f"{runs} runs, {wrong} wrong")
    return runs > 0 and wrong == 0


def token(rng, scale):
    """A decimal as text."""
    digits = rng.randint(0, scale)
    return f"{rng.randint(-10 ** (digits + 2), 10 ** (digits + 2)) / 10 ** digits:.{digits}f}"


def alike(rng, count):
    """Decimals with one scale, some of whose sums need more than 64 bits, as text."""
    scale, most = rng.choice([0, 2]), rng.choice([9, 10 ** 6, 2 ** 63 // 40, 2 ** 63 - 1])
    return [f"{decimal.Decimal(rng.randint(-most, most)).scaleb(-scale):f}" for _ in range(count)]


def decimal_results(op, tokens, length):
    """Of exact decimals: sums with the greatest scale so far, elements as they were written."""
    values = [decimal.Decimal(t) for t in tokens]
    results = []
    scale = 0
    for (first, window), value in zip(windows(values, length), values):
        scale = max(scale, -value.as_tuple().exponent)
        if op in ("count", "argmax", "argmin"):
            results.append(str(EXACT[op](first, window)))
        elif op in ("sum", "range"):
            results.append(f"{EXACT[op](first, window):.{scale}f}")
        elif op == "lag" and len(window) < 2:
            continue
        else:
            best = {"max": max, "min": min, "first": lambda w: w[0], "last": lambda w: w[-1], "lag": lambda w: w[-2]}[op](window)
            i = first + window.index(best) if op in ("max", "min") else first + {"first": 0, "last": len(window) - 1, "lag": len(window) - 2}[op]
            results.append(tokens[i])
    # A zero has no sign.
    return [r.lstrip("-") if decimal.Decimal(r) == 0 else r for r in results]


def check_decimals(rng):
    """Results of exact decimals; after an infinity everything in f64."""
    decimal.getcontext().prec = 80
    length = rng.choice([1, 2, 3, 16, 40])
    tokens = alike(rng, rng.choice([0, 0, 20, 3000]))  # (some chunks)
    for i in range(rng.choice([1, 5, 300])):
        tokens.append(token(rng, i // 40))
    if rng.random() < 0.3:
        tokens.insert(rng.randrange(len(tokens) + 1), str(rng.randint(2 ** 95, 2 ** 100)))
    op = rng.choice(["sum", "max", "min", "first", "last", "lag", "range", "count", "argmax", "argmin"])
    want = decimal_results(op, tokens, length)
    exact = len(tokens)
    if op in ("max", "min", "first", "last") and rng.random() < 0.5:
        tokens += ["inf" if op != "min" else "-inf", *(token(rng, 6) for _ in range(2 * length))]
        results = exact_results(op, [float(t) for t in tokens], length)
        want += [format_number(np.float64(r)) for r in results[exact:]]
    options = ["-op", op, "-c", "1", f"--window={length}", f"--chunk-size={rng.choice(['4K', '1M'])}"]
    code, out, err = run("".join(t + "\n" for t in tokens).encode(), *options)
    got = out.decode().splitlines()
    assert code == 0 and got == want, f"{options} {tokens}: {code} {err}\n" + str([(g, w) for g, w in zip(got, want) if g != w][:5])


def segment_of(rng, op, count, are_alike):
    """Tokens of one segment, and how many of them come before exactness ends."""
    ends = rng.random() < (0.1 if are_alike else 0.5)
    at = rng.randrange(count) if ends else count
    if op == "prod":
        tokens = [rng.choice(["1", "-1", "2"]) for _ in range(count)]
        return [rng.choice(["0.5", "2", "-1"]) if i > at else "0.5" if i == at else t for i, t in enumerate(tokens)], at
    tokens = [token(rng, 3) if rng.random() < 0.3 else str(rng.randint(-10 ** 6, 10 ** 6)) for _ in range(count)]
    if are_alike:
        tokens = [f"{rng.randint(-999, 999)}.{rng.choice((0, 5))}" for _ in tokens]
        other = rng.randrange(4 * count)
        tokens = tokens[:other] + ["0.25"] + tokens[other + 1:] if other < count else tokens
        tokens[at:at + 1] = ["inf"] if ends else []
    elif not ends:
        tokens = [str(rng.randint(-2 ** 90, 2 ** 90)) if rng.random() < 0.2 else t for t in tokens]
    else:
        tokens = [str(rng.randint(-9, 9) / 4) for _ in tokens]
        tokens[at] = "inf"
    return tokens, at


def segment_results(op, tokens, exact, length):
    """Exact ones up to the end of exactness, then those of f64, which are exact, too: the numbers are small."""
    if op == "prod":
        want = [str(r) for r in exact_results(op, [int(t) for t in tokens[:exact]], length)]
    else:
        want = decimal_results(op, tokens[:exact], length)
    results = exact_results(op, [float(t) for t in tokens], length)[exact:]
    return want + [format_number(np.float64(r)) if op != "count" else str(r) for r in results]


def check_segments(rng):
    """Keys' segments one after the other in the same memory, in one run, or in two with a state."""
    decimal.getcontext().prec = 80
    length = rng.choice([1, 2, 7, 16, 100])
    op = rng.choice(["sum", "max", "min", "first", "last", "count", "prod"])
    keys = rng.choice([1, 1, 3])
    are_alike = rng.random() < 0.4
    records = {k: [] for k in range(keys)}
    for k, of_key in records.items():
        for s in range(rng.randint(1, 4)):
            tokens, exact = segment_of(rng, op, rng.choice([1, 5, 120, 300]), are_alike)
            of_key += [(f"k{k} s{s} {t}\n", r) for t, r in zip(tokens, segment_results(op, tokens, exact, length))]
    order = [k for k, of_key in records.items() for _ in of_key]
    if rng.random() < 0.7:
        rng.shuffle(order)
    rest = {k: iter(of_key) for k, of_key in records.items()}
    lines, want = zip(*(next(rest[k]) for k in order))
    options = ["-f", "3", "--reset-on=2", "-op", op, f"--window={length}", f"--chunk-size={rng.choice(['4K', '1M'])}"]
    options += ["-g", "1"] if keys > 1 or rng.random() < 0.5 else []
    cut = rng.randrange(len(lines)) if rng.random() < 0.4 else 0
    got = []
    with tempfile.TemporaryDirectory() as directory:
        for piece in (lines[:cut], lines[cut:]) if cut else (lines,):
            code, out, err = run("".join(piece).encode(), *options, *([f"--state={directory}/state"] if cut else []))
            assert code == 0, f"{options}: {code} {err}"
            got += out.decode().splitlines()
    if "-g" in options:
        want = [f"{line.split()[0]} {result}" for line, result in zip(lines, want)]
    wrong = [(line, g, w) for line, g, w in zip(lines, got, want) if g != w]
    assert len(got) == len(want) and not wrong, f"{options} {cut}: {len(got)} results of {len(want)}\n{wrong[:5]}"


def check_any(rng):
    """Integers, or floats."""
    (check_floats if rng.random() < 0.3 else check_integers)(rng)


def main():
    """One of them."""
    if sys.argv[1] == "grid":
        return 0 if check_grid() else 1
    return cases.run({"exact": check_any, "decimals": check_decimals, "segments": check_segments}[sys.argv[1]], 2)


if __name__ == "__main__":
    sys.exit(main())
