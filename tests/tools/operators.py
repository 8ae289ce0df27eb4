"""The operators that are not plain folds of elements, by their definitions: over arrays of numpy and Python's integers,
without grids and states. An operator that --list-operators names and that has no definition here is a failure.

    operators.py ENGINE [N]     host, cpu or gpu (PoCL's shapes). Raw elements of every type (on PoCL: of some types)
                                and exact decimals. One in N of the runs, and fewer streams of decimals where N > 3
"""
import itertools
import os
import random
import subprocess
import sys
from fractions import Fraction

import numpy as np

from grid_oracle import DTYPES, FLOATS, TILE, canonical, format_decimal, format_number, inclusive
from grid_states import Increase, scan
from operator_facts import FACTS

PSCAN = os.environ["PSCAN"]
FOLDS = ("sum", "prod", "max", "min", "and", "or", "xor")  # grid_oracle.py has those
SIZES = (1, 2, 16, 17, 257, TILE - 1, TILE, TILE + 1, 3 * TILE + 5)
FACTOR = 0.0625  # exact
MODES = ((), ("-e",), ("--include-initial",), ("--total",))


def spread(elements):
    """The greatest so far minus the least so far."""
    if elements.dtype == object:
        return np.maximum.accumulate(elements) - np.minimum.accumulate(elements)
    with np.errstate(all="ignore"):
        return np.maximum.accumulate(elements) - np.minimum.accumulate(elements) + elements.dtype.type(0)


def numbers(elements):
    """How many so far."""
    return np.arange(1, len(elements) + 1, dtype=object)


def shifted(elements):
    """Returns the element before each element, and None for the first."""
    return [None, *elements[:-1]]


def differences(elements):
    """Each element minus the one before it."""
    with np.errstate(all="ignore"):
        return [None, *(elements[1:] - elements[:-1])]


def fallen(elements):
    """The greatest so far minus the element."""
    with np.errstate(all="ignore"):
        return np.maximum.accumulate(elements) - elements


def fallen_from_before(elements):
    """The greatest before the element minus the element."""
    with np.errstate(all="ignore"):
        return [None, *(np.maximum.accumulate(elements)[:-1] - elements[1:])]


def growths(elements):
    """What a counter has grown since its first element. Where it falls it begins again at 0."""
    steps = [x if x < before else x - before for before, x in zip(elements, elements[1:])]
    first = elements[0]
    return list(itertools.accumulate([first if first != first else type(first)(0), *steps]))


def resumed_growths(tokens, rest):
    """Those of the rest in f64, after the exact growth of the tokens before it, rounded."""
    before = (np.float64(tokens[-1]), np.float64(float(growths([Fraction(token) for token in tokens])[-1])))
    return scan(Increase(DTYPES["f64"]), [(np.float64(x),) for x in rest], before)


def means(elements):
    """Exact sums of integers divided by their number, rounded once; of floats the grid's sums, divided."""
    if elements.dtype == object:
        return [float(Fraction(int(s), i + 1)) for i, s in enumerate(itertools.accumulate(elements))]
    with np.errstate(all="ignore"):
        sums = inclusive("sum", elements).astype(np.float64)
        return list((sums / np.arange(1, len(elements) + 1)).astype(elements.dtype))


def decimal_means(tokens):
    """Means of exact decimals."""
    sums = itertools.accumulate(Fraction(token) for token in tokens)
    return [format_number(np.float64(float(s / (i + 1)))) for i, s in enumerate(sums)]


def resumed_means(tokens, rest):
    """Those of the rest in f64: the exact sum of the tokens before it, rounded, is the seed of the grid's sums."""
    total = np.float64(float(sum(map(Fraction, tokens))))
    return list(inclusive("sum", np.array(rest), total) / np.arange(len(tokens) + 1, len(tokens) + len(rest) + 1))


def smoothed(elements):
    """One after the other, with FACTOR."""
    results = [elements[0]]
    for x in elements[1:]:
        results.append(FACTOR * x + (1 - FACTOR) * results[-1])
    return results


def recurrences(elements):
    """y = a y + b, from 0."""
    results = []
    y = 0.0
    for a, b in elements:
        y = a * y + b
        results.append(y)
    return results


def rank(x, sign):
    """What decides between elements: a NaN is before all, and -0 is less than 0."""
    if isinstance(x, (float, np.floating)):
        return (1, 0, 0) if np.isnan(x) else (0, sign * float(x), sign * np.copysign(1, x))
    return (0, sign * x, 0)


def places(sign):
    """Where the greatest so far is, or with sign -1 the least; the earliest of equal ones."""
    def results(elements):
        ranks = [rank(x, sign) for x in elements]
        best = [0]
        for i in range(1, len(ranks)):
            best.append(i if ranks[i] > ranks[best[-1]] else best[-1])
        return best
    return results


def resumed_places(sign):
    """Those of floats after exact decimals, of which the greatest or least is rounded."""
    def results(tokens, rest):
        values = [Fraction(token) for token in tokens]
        best = places(sign)(values)[-1]
        found = places(sign)([float(values[best]), *rest])[1:]
        return [best if place == 0 else len(tokens) + place - 1 for place in found]
    return results


def variances(elements):
    """Of a sample, exact: from the sums of the elements and of their squares as integers."""
    total = squares = 0
    results = []
    for n, x in enumerate(elements, 1):
        scaled = int(Fraction(float(x)) * 2 ** 200)
        total += scaled
        squares += scaled * scaled
        results.append(float(Fraction(n * squares - total * total, n * (n - 1) * 2 ** 400)) if n > 1 else float("nan"))
    return results


class Definition:
    """results(elements) are the inclusive ones, None where there is none; of integers they are exact. out: the type of
    the results, or None. written(tokens): of exact decimals each result as a token's text, or None: at the common
    scale. resumed(tokens, rest): those of the rest, floats, after exact decimals, or None: as if all were floats.
    close: how far a result may be from the definition's, relative to the greatest, where the definition leaves the
    order open; exact: those of integers and of exact decimals are the definition's all the same.
    exclusive(seed and elements): the exclusive results after a None, or None: they are the inclusive ones,
    moved one place. inputs: numbers of an element; if several, elements are rows of an array, and a seed is the last
    after zeros."""

    def __init__(self, results, out=None, identity=None, seeded=True, written=None, exclusive=None,
                 resumed=None, close=None, exact=False, inputs=1):
        self.results = results
        self.out = out
        self.identity = identity
        self.seeded = seeded
        self.written = written
        self.exclusive = exclusive
        self.resumed = resumed
        self.close = close
        self.exact = exact or not close
        self.inputs = inputs


DEFINITIONS = {
    "count": Definition(numbers, "u64", 0, False),
    "range": Definition(spread),
    "first": Definition(lambda x: x[:1].repeat(len(x)), written=lambda t: t[:1] * len(t)),
    "last": Definition(lambda x: x, written=lambda t: t),
    "lag": Definition(shifted, written=shifted),
    "drawdown": Definition(fallen, exclusive=fallen_from_before),
    "mean": Definition(means, "f64", np.float64("nan"), False, decimal_means, resumed=resumed_means),
    "ema:A": Definition(smoothed, close={"f32": 1e-5, "f64": 1e-13}),
    "delta": Definition(differences),
    "increase": Definition(growths, identity=0, resumed=resumed_growths, close={"f32": 1e-4, "f64": 1e-12}, exact=True),
    "linrec": Definition(recurrences, identity=0.0, close={"f32": 1e-5, "f64": 1e-13}, inputs=2),
    "argmax": Definition(places(1), "u64", None, False, resumed=resumed_places(1)),
    "argmin": Definition(places(-1), "u64", None, False, resumed=resumed_places(-1)),
    "var": Definition(variances, "f64", np.float64("nan"), False, close={"f32": 1e-6, "f64": 1e-13, "i16": 1e-13}),
    "std": Definition(lambda x: list(np.sqrt(variances(x))), "f64", np.float64("nan"), False,
                      close={"f32": 1e-6, "f64": 1e-13, "i64": 1e-13}),
}


def listed():
    """The operators of --list-operators that are no folds, but those of texts."""
    text = subprocess.run([PSCAN, "--list-operators"], stdout=subprocess.PIPE, check=True).stdout.decode()
    names = [line.split()[0] for line in text.splitlines()]
    assert set(FOLDS) <= set(names), names
    return [name for name in names if name not in FOLDS and name.split(":")[0] in FACTS]


def arranged(mode, initial, results):
    """What is written of inclusive results and of what is before them."""
    if mode == ("-e",):
        return ([initial] + results)[:len(results)]
    if mode == ("--include-initial",):
        return [initial] + results
    return results[-1:] if mode == ("--total",) else results


class Engine:
    """Runs pscan, and tells what differs."""

    def __init__(self, name, one_in):
        self.on_host = name == "host"
        self.one_in = one_in or (3 if self.on_host else 24)
        self.options = ["-D", "none" if name == "host" else "cpu"]
        self.environment = dict(os.environ, PSCAN_SHAPE="" if name == "host" else name)
        self.runs = self.wrong = 0

    def passes_over(self, generator):
        """Whether one of the runs is left out here: by random numbers, the same ones every time; on a device a few for
        each kernel do. (Sanitizers make every run five times as long.)"""
        return generator.integers(0, self.one_in) > 0

    def run(self, arguments, data):
        """The finished process."""
        return subprocess.run([PSCAN, *self.options, *arguments], input=data, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, env=self.environment, check=False)

    def check_close(self, arguments, data, expected, kind, relative):
        """One run whose results are near the definition's, and the very bits of the host's."""
        done = self.run(arguments, data)
        host = subprocess.run([PSCAN, "-D", "none", *arguments], input=data, stdout=subprocess.PIPE, check=False)
        self.runs += 1
        near = False
        if done.returncode == 0 and done.stdout == host.stdout and not done.stderr:
            out = DTYPES[kind if kind in FLOATS else "f64"]
            results = np.array(done.stdout.split(), float) if kind is None else np.frombuffer(done.stdout, out)
            greatest = np.nanmax(np.abs([0, *expected]))
            near = len(results) == len(expected) and np.allclose(results, expected, 0, relative * greatest, True)
        if near:
            return
        self.wrong += 1
        print(f"{' '.join(arguments)}: exit {done.returncode}, not near: {done.stderr.decode()}")

    def check(self, arguments, data, expected, bad=None, refused=None):
        """One run; bad: the element (from 1) whose result does not fit; refused: the exit code where nothing can be
        given."""
        done = self.run(arguments, data)
        message = done.stderr.decode()
        code = refused or (0 if bad is None else 1)
        told = f"element {bad}:" in message if bad else (refused is not None) == bool(message)
        self.runs += 1
        if done.returncode == code and done.stdout == expected and told:
            return
        self.wrong += 1
        if self.wrong < 10:
            print(f"{' '.join(arguments)}: exit {done.returncode}, {len(done.stdout)} bytes of {len(expected)}: {message}")


def with_seed(definition, elements, seed, compute):
    """Initial and other results of elements after a seed, if there is one."""
    if seed is None:
        return definition.identity, list(compute(elements))
    kind = object if elements.dtype == object else elements.dtype
    first = np.zeros((1, *elements.shape[1:]), kind)
    first[0, ...] = [0] * (first.size - 1) + [seed] if elements.ndim > 1 else seed
    results = list(compute(np.concatenate((first, elements))))
    return results[0], results[1:]


def raw_elements(generator, kind, count):
    """Any bits, or small numbers, which fit longer."""
    if generator.integers(0, 2) == 0:
        return np.frombuffer(generator.bytes(count * DTYPES[kind].itemsize), DTYPES[kind])
    return generator.integers(0, 100, count).astype(DTYPES[kind])


def check_near(engine, name, definition):
    """All sizes and modes of an operator of floats, of raw elements and of text, with and without a seed."""
    generator = np.random.default_rng(len(name))
    for kind, count, mode, seed in itertools.product((*definition.close, None), SIZES, MODES, (None, 7.0)):
        if engine.passes_over(generator) or (seed is not None and not definition.seeded):
            continue
        if seed is None and definition.identity is None and mode in (("-e",), ("--include-initial",)):
            continue
        elements = generator.normal(0, 1e3, count).astype(DTYPES[kind or "f64"])
        if definition.inputs > 1:  # the factors come first, and keep sums finite
            factors = generator.uniform(-1, 1, (count, definition.inputs - 1))
            elements = np.column_stack((factors, elements)).astype(elements.dtype)
        initial, results = with_seed(definition, elements.astype(float), seed, definition.results)
        arguments = ["-op", name.replace(":A", f":{FACTOR}"), *mode]
        arguments += [] if kind is None else ["--format=binary", "-t", kind]
        arguments += [] if seed is None else [f"--seed={seed}"]
        arguments += [] if definition.inputs == 1 else ["-c", str(definition.inputs)]
        lines = elements.reshape(count, -1).tolist()
        data = elements.tobytes() if kind else "".join(" ".join(map(repr, line)) + "\n" for line in lines).encode()
        engine.check_close(arguments, data, arranged(mode, initial, results), kind, definition.close[kind or "f64"])


def check_raw(engine, name, kind):
    """All sizes and modes of one type, with and without a seed."""
    definition = DEFINITIONS[name]
    generator = np.random.default_rng([len(name), *kind.encode()])
    out = DTYPES[kind if definition.out == "f64" and kind in FLOATS else definition.out or kind]
    for count, mode, seed in itertools.product(SIZES, MODES, (None, 7)):
        if engine.passes_over(generator):
            continue
        if seed is None and definition.identity is None and mode in (("-e",), ("--include-initial",)):
            continue
        if seed is not None and not definition.seeded:
            continue
        data = raw_elements(generator, kind, count)
        elements = data if kind in FLOATS else np.array([int(x) for x in data], object)
        initial, results = with_seed(definition, elements, seed, definition.results)
        arguments = ["--format=binary", "-t", kind, "-op", name, f"--chunk-size={2 * TILE * data.itemsize}", *mode]
        arguments += [] if seed is None else [f"--seed={seed}"]
        if mode == ("-e",) and definition.exclusive:
            mode = ()
            initial, results = with_seed(definition, elements, seed, definition.exclusive)
        bad = None
        nothing = out.type("nan") if out.kind == "f" else None
        initial = nothing if initial is None else initial
        results = [nothing if x is None else x for x in results]
        if None in arranged(mode, initial, results):
            engine.check(arguments, data.tobytes(), b"", refused=1 if mode == ("--total",) else 2)
            continue
        results = [0 if x is None else x for x in results]  # which is not written
        if out.kind != "f":
            limits = np.iinfo(out)
            unfit = [i for i, x in enumerate(results) if not limits.min <= x <= limits.max]
            wrapped = [(int(x) - int(limits.min)) % 2 ** (8 * out.itemsize) + int(limits.min) for x in results]
            expected = np.array(arranged(mode, initial, wrapped), out).tobytes()
            engine.check([*arguments, "--overflow=wrap"], data.tobytes(), expected)
            if unfit and not (mode == ("-e",) and unfit[0] == count - 1):
                bad = unfit[0] + 1
                results = results[:bad if mode == ("-e",) else bad - 1]
                initial = [] if mode == ("--total",) else initial
                expected = b"" if mode == ("--total",) else np.array(
                    ([initial] + results)[:bad] if mode == ("-e",) else arranged(mode, initial, results), out).tobytes()
            elif unfit:
                results = results[:unfit[0]] + [0]  # which no result needs
        if bad is None:
            written = np.array(arranged(mode, initial, results), out)
            expected = canonical(written).tobytes()
        engine.check(arguments, data.tobytes(), expected, bad and bad + (mode == ("-e",)))


def random_tokens(generator, count):
    """Decimals whose scale and width grow."""
    scale = 0
    tokens = []
    for _ in range(count):
        scale += generator.random() < 20 / count and scale < 17
        width = 10 ** (20 if generator.random() < 5 / count else 6)  # with 17 decimals 128 bits
        tokens.append(format_decimal(generator.randrange(-width, width), generator.randrange(scale + 1)))
    return tokens


def mantissa(token, scale):
    """An integer at that scale."""
    whole, _, fraction = token.partition(".")
    return int(whole + fraction) * 10 ** (scale - len(fraction))


def decimal_lines(definition, compute, tokens, exact):
    """What is computed for each token as text, None where there is none; from token number exact on in f64."""
    scales = list(itertools.accumulate((len(t.partition(".")[2]) for t in tokens[:exact]), max))
    common = scales[-1]
    if definition.out == "u64":
        values = [Fraction(t) for t in tokens[:exact]]
        rest = [float(t) for t in tokens[exact:]]
        if definition.resumed and rest:
            return [str(x) for x in [*compute(values), *definition.resumed(tokens[:exact], rest)]]
        return [str(x) for x in compute([*values, *rest])]
    if definition.written:
        lines = list(definition.written(tokens[:exact]))
    else:
        results = compute(np.array([mantissa(t, common) for t in tokens[:exact]], object))
        lines = [None if x is None else format_decimal(int(x) // 10 ** (common - s), s) for x, s in zip(results, scales)]
    if definition.resumed and exact < len(tokens):
        return lines + [format_number(x) for x in definition.resumed(tokens[:exact], [float(t) for t in tokens[exact:]])]
    floats = [float(Fraction(mantissa(t, common), 10 ** common)) for t in tokens[:exact]]
    floats += [float(t) for t in tokens[exact:]]
    return lines + [format_number(x) for x in compute(np.array(floats))[exact:]]


def check_decimals(engine, name, number):
    """One stream of num, the last third of it perhaps in f64, perhaps with a seed."""
    definition = DEFINITIONS[name]
    generator = random.Random(f"{name} {number}")
    tokens = random_tokens(generator, generator.choice((30, 5000, 14000)))
    exact = len(tokens) * 2 // 3 if generator.random() < 0.4 else len(tokens)
    if exact < len(tokens):
        tokens[exact] = "1e-19"
    text = "".join(token + "\n" for token in tokens).encode()
    arguments = ["-op", name, f"--chunk-size={generator.choice(('32K', '512K', '4M'))}"]
    before = [definition.identity]
    if definition.seeded and number % 2 == 1:
        before = [format_decimal(generator.randrange(-999, 999), number % 3)]
        arguments.append(f"--seed={before[0]}")
        lines = decimal_lines(definition, definition.results, before + tokens, exact + 1)
        exclusive = lines[:-1]
        if definition.exclusive:
            exclusive = decimal_lines(definition, definition.exclusive, before + tokens, exact + 1)[1:]
        before, lines = lines[:1], lines[1:]
        has_initial = True
    else:
        lines = decimal_lines(definition, definition.results, tokens, exact)
        exclusive = before + lines[:-1]
        has_initial = definition.identity is not None
    engine.check(arguments, text, text_of(lines))
    engine.check([*arguments, "--total"], text, text_of(lines[-1:]))
    if has_initial:
        engine.check([*arguments, "-e"], text, text_of(exclusive))
        engine.check([*arguments, "--include-initial"], text, text_of(before + lines))


def text_of(lines):
    """A line for each that there is."""
    return "".join(f"{line}\n" for line in lines if line is not None).encode()


def main():
    """Every operator on one engine."""
    engine = Engine(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else None)
    for index, name in enumerate(listed()):
        assert name in DEFINITIONS, f"DEFINITIONS in {__file__} lacks {name}"
        if DEFINITIONS[name].close:
            check_near(engine, name, DEFINITIONS[name])
        if not DEFINITIONS[name].exact:
            continue
        # A kernel takes half a second to compile: on a device every operator has a few types (tests/device.sh: all).
        for kind in DTYPES if engine.on_host else list(DTYPES)[index % 4::4]:
            if kind not in (DEFINITIONS[name].close or ()):
                check_raw(engine, name, kind)
        for seed in range(8 if engine.on_host and engine.one_in <= 3 else 3):
            check_decimals(engine, name, seed)
    print(f"{engine.runs} runs, {engine.wrong} wrong")
    return 0 if engine.runs > 0 and engine.wrong == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
