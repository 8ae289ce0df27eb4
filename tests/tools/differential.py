#!/usr/bin/python3
"""Random inputs through pscan and through grid_oracle.py: the bytes must be equal.

    PSCAN=build/pscan differential.py [--engine host|cpu|gpu] [--seed N] [--some] SUITE...

The engines are the host, and PoCL with the kernels in their CPU or GPU shape. Inputs are made from --seed and the name
of the case, so a run can be repeated. --some tests fewer sizes and places of every row. Every mismatch is printed with
the command that shows it (its input is kept), and the exit status is 1.
"""
import argparse
import functools
import itertools
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import zlib
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from grid_oracle import (BITWISE, DTYPES, FLOATS, INTEGERS, OPERATORS, OVERFLOWING, RUN, RUNS, TILE, Outcome, Scan,
                         arrange, inclusive, lift, lower, parse_types, scan_elements)
from random_inputs import (FLOAT_INPUTS, fitting_elements, floats_near_one, floats_zero, inputs_of, overflow_at,
                           random_between, random_bits, running_sums, small_sums)

PSCAN = os.environ.get("PSCAN", os.path.join(os.path.dirname(__file__), "../../build/pscan"))

CHUNK = 2 * TILE  # elements in a chunk
FULL = 3 * CHUNK + 17
SIZES = (0, 1, 2, 15, 16, 17, 255, 4095, 4096, 4097, CHUNK - 1, CHUNK, CHUNK + 1, FULL)
SOME_SIZES = (0, 17, FULL)
KEPT_MAX = 20  # inputs of mismatches that are kept
ROWS = [(op, kind) for op in OPERATORS for kind in DTYPES if op not in BITWISE or kind in INTEGERS]
EVERY_OUTPUT = ({}, {"exclusive": True}, {"include_initial": True}, {"total": True})
# One or two rows of every family of kernels.
FAMILIES = (("sum", "f32"), ("sum", "f64"), ("sum", "i32"), ("prod", "u8"), ("max", "f64"), ("min", "f32"),
            ("max", "i16"), ("xor", "u64"))


# --- Running pscan ---------------------------------------------------------------------------------------------------

class Case(NamedTuple):
    """One run of pscan and what it must give."""

    name: str
    scan: Scan
    data: bytes
    expected: Outcome


class Checker:
    """Runs cases on one engine, two at a time, and tells what differs."""

    def __init__(self, engine, seed, has_some):
        self.engine = engine
        self.has_some = has_some
        self.on_host = engine == "host"
        self.seed = seed
        self.environment = {k: v for k, v in os.environ.items() if k not in ("PSCAN_DEVICE", "PSCAN_SHAPE")}
        self.device = ["-D", "none"]
        if not self.on_host:
            self.device = ["-D", "cpu"]
            self.environment["PSCAN_SHAPE"] = engine
        self.temporary = tempfile.TemporaryDirectory(prefix="differential-")
        self.directory = self.temporary.name
        self.kept = None
        self.run_count = 0
        self.mismatches = 0
        self.pool = ThreadPoolExecutor(2)

    def random(self, *names):
        """A generator that depends on the seed and the names only."""
        return np.random.default_rng([self.seed, zlib.crc32(" ".join(map(str, names)).encode())])

    def check(self, cases):
        """Runs all the cases. Those of one row follow each other, so that its kernels are compiled once."""
        running = []
        for _, row in itertools.groupby(cases, lambda case: (case.scan.op, case.scan.type, case.scan.wrap)):
            cases_of_row = list(row)
            self.run_count += len(cases_of_row)
            running.append(self.pool.submit(self.run_row, cases_of_row, len(running)))
            if len(running) > 4:
                running[-4].result()
        for one in running:
            one.result()

    def run_row(self, cases, number):
        """Runs cases one after the other."""
        for index, case in enumerate(cases):
            self.run(case, os.path.join(self.directory, f"{number}-{index}"))

    def run(self, case, path):
        """Runs one case on an input file made for it."""
        with open(path, "wb") as file:
            file.write(case.data)
        size = parse_types(case.scan.type).element.itemsize
        arguments = [*self.device, "--format=binary", f"--chunk-size={CHUNK * size}", *case.scan.arguments()]
        done = subprocess.run([PSCAN, *arguments, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              stdin=subprocess.DEVNULL, env=self.environment, check=False)
        problem = difference(case, done)
        if problem:
            self.tell(case, arguments, path, problem)
        os.unlink(path)

    def tell(self, case, arguments, path, problem):
        """Prints a mismatch, with a command that shows it."""
        self.mismatches += 1
        if self.kept is None:
            self.kept = tempfile.mkdtemp(prefix="pscan-mismatch-")
        kept = os.path.join(self.kept, os.path.basename(path))
        if self.mismatches <= KEPT_MAX:
            shutil.copyfile(path, kept)
        else:
            kept = f"(input of {len(case.data)} bytes, not kept)"
        shape = "" if self.on_host else f"PSCAN_SHAPE={self.engine} "
        print(f"MISMATCH {case.name}: {problem}\n    {shape}{shlex.join([PSCAN, *arguments])} {kept}", flush=True)

    def close(self):
        """Tells how much was run; true if all was as it must be."""
        self.pool.shutdown()
        self.temporary.cleanup()
        print(f"{self.engine}: {self.run_count} runs, {self.mismatches} mismatches")
        return self.mismatches == 0 and self.run_count > 0


def difference(case, done):
    """Returns what is wrong with a finished run, or None."""
    expected = case.expected
    message = done.stderr.decode(errors="replace").strip()
    code = 0 if expected.element is None else 1
    if done.returncode != code:
        return f"exit status {done.returncode}, not {code}: {message}"
    if expected.element is None and message:
        return f"not quiet: {message}"
    if expected.element is not None and f"element {expected.element}:" not in message:
        return f"element {expected.element} is to be named: {message}"
    if expected.data.startswith(done.stdout) and len(done.stdout) >= expected.least:
        return None
    size = parse_types(case.scan.type).accumulator.itemsize
    for first in range(0, max(len(done.stdout), len(expected.data)), size):
        here, there = done.stdout[first:first + size], expected.data[first:first + size]
        if here != there:
            return f"result {first // size} is {here.hex() or 'absent'}, not {there.hex() or 'absent'}"
    return "?"


ANYWHERE = -1  # where a scan may end


def cases_of(checker, scan, name, make, sizes, ends_at=None):
    """The cases of one scan over prefixes of one input.

    The input is made so that the scan ends at a certain element, or at none: that is tested here, lest a test miss its
    point."""
    types = parse_types(scan.type)
    elements = make(checker.random(scan.op, scan.type, name), max(sizes))
    results = scan_elements(scan, elements)
    if ends_at not in (ANYWHERE, results.stop):
        raise ValueError(f"{scan} {name}: the input was made to end at {ends_at}, not {results.stop}")
    stored = elements.astype(elements.dtype.newbyteorder(types.in_order))
    for size in sizes:
        yield Case(f"{scan.op} {scan.type} {name} n={size}", scan, stored[:size].tobytes(),
                   arrange(scan, results, size))


# --- Suites: rows ----------------------------------------------------------------------------------------------------

def rows(checker, exclusive):
    """Every operator and type. On the host every input at every size; elsewhere, where a start is dear, less: a row of
    every family, unless EVERY_ROW is set."""
    for op, kind in ROWS if checker.on_host or os.environ.get("EVERY_ROW") else FAMILIES:
        inputs = inputs_of(op, kind)
        if not checker.on_host and exclusive:
            inputs = inputs[-1:]
        for turn, (name, wrap, make) in enumerate(inputs):
            scan = Scan(op, kind, exclusive=exclusive, wrap=wrap)
            sizes = (17, FULL) if turn == 0 else (FULL,)
            if checker.on_host:
                sizes = SOME_SIZES if checker.has_some else SIZES
            yield from cases_of(checker, scan, name, make, sizes)


def suite_inclusive(checker):
    """Inclusive scans, every row."""
    yield from rows(checker, False)


def suite_exclusive(checker):
    """Exclusive scans, every row."""
    yield from rows(checker, True)


def suite_sizes(checker):
    """Every size around a run, a tile and a chunk, for a row of every family."""
    for op, kind in FAMILIES:
        name, _, make = inputs_of(op, kind)[-1 if kind in FLOATS else 0]
        for exclusive in (False, True) if checker.on_host or op == "sum" else (False,):
            yield from cases_of(checker, Scan(op, kind, exclusive=exclusive), name, make, SIZES)


def suite_carry(checker):
    """A hundred tiles, so that the carry has something to lose."""
    for kind in FLOATS:
        for name in ("unit", "wide", "huge", "tiny"):
            make = FLOAT_INPUTS[name]

            def make_tiles(rng, count, make=make, dtype=DTYPES[kind]):
                return make(rng, dtype, count)
            for options in ({}, {"seed": "12345.678"}):
                yield from cases_of(checker, Scan("sum", kind, **options), name, make_tiles, (100 * TILE + 5,))


def suite_wrap(checker):
    """Sums and products modulo 2^n."""
    for op in OVERFLOWING:
        for kind in INTEGERS:
            make = inputs_of(op, kind)[1][2]
            for options in ({}, {"exclusive": True}, {"seed": "77"}, {"total": True}):
                yield from cases_of(checker, Scan(op, kind, wrap=True, **options), "wild", make, (1, 100, FULL))


def suite_byte_order(checker):
    """Either byte order in and out, by suffix and by numpy's names."""
    for kind in DTYPES:
        for text in (f"{kind}be", f"{kind}le", f"{kind}be:{kind}le", f"{kind}le:{kind}be", f"{kind}:{kind}be"):
            for op, exclusive in (("sum", False), ("max", True)):
                name, wrap, make = inputs_of(op, kind)[0]
                scan = Scan(op, text, exclusive=exclusive, wrap=wrap)
                yield from cases_of(checker, scan, name, make, (FULL,) if checker.has_some else (0, 1, FULL))
    for text, kind in ((">f4", "f32"), ("<f8", "f64"), (">i8", "i64"), (">u2", "u16"), ("float32", "f32"),
                       ("int64", "i64"), (">i2:<f8", "i16"), ("uint8:f64be", "u8")):
        name, _, make = inputs_of("sum", kind)[0]
        for options in ({"include_initial": True}, {"total": True}, {"exclusive": True}):
            yield from cases_of(checker, Scan("sum", text, **options), name, make, (0, 1, FULL))


# --- Suites: accumulators --------------------------------------------------------------------------------------------

def suite_accumulators(checker):
    """Every element type into every other accumulator on the host, a choice of them elsewhere."""
    pairs = [(a, b) for a in DTYPES for b in DTYPES if a != b]
    if not checker.on_host:
        names = ("i32:i64 u8:f64 f32:f64 u8:u64 i64:i32 f64:i32 u64:f32 i16:u16 f32:u8 f64:u64 i8:i64 f64:f32 i64:f32 "
                 "u64:i64 f32:i64 u32:i8").split()
        pairs = [tuple(name.split(":")) for name in names]
    for index, (source, accumulator) in enumerate(pairs):
        ops = ["sum", "max"] + (["xor"] if accumulator in INTEGERS else ["prod"])
        ops = ops[index % 2::2] if checker.has_some else ops
        for op in ops if checker.on_host else ops[:2]:
            # What fits is not enough for a sum: that of integers is made to fit as well, that of floats wraps.
            maker = small_sums if op == "sum" and source in INTEGERS and accumulator in INTEGERS else fitting_elements

            def make(rng, count, maker=maker, a=DTYPES[source], b=DTYPES[accumulator]):
                return maker(rng, a, b, count)
            wrap = op == "sum" and source in FLOATS and accumulator in INTEGERS
            scan = Scan(op, f"{source}:{accumulator}", exclusive=op == "max", wrap=wrap)
            yield from cases_of(checker, scan, "fits", make, (FULL,) if checker.has_some else (17, FULL))


def suite_narrowing_wrap(checker):
    """Integers that do not fit the accumulator are taken modulo 2^n."""
    for source, accumulator in (("i64", "i32"), ("u64", "i8"), ("i8", "u64"), ("i32", "u16"), ("u32", "i32")):
        for op in ("sum", "max", "and"):
            def make(rng, count, dtype=DTYPES[source]):
                return random_bits(rng, dtype, count)
            scan = Scan(op, f"{source}:{accumulator}", wrap=True)
            yield from cases_of(checker, scan, "wild", make, (1, FULL))


def suite_unfit(checker):
    """The first element that does not fit the accumulator ends the scan."""
    bad = (("i64", "i32", 2 ** 31), ("i32", "u64", -1), ("u64", "i64", 2 ** 63), ("u16", "u8", 256),
           ("f64", "i32", 2.0 ** 31), ("f32", "u8", -1.0), ("f64", "u64", 2.0 ** 64), ("f32", "i64", float("nan")),
           ("f64", "i8", float("-inf")))
    places = (0, 5, 16, TILE, CHUNK - 1, CHUNK, 2 * CHUNK + 100)
    for source, accumulator, value in bad:
        for place in places if checker.on_host else (5, 2 * CHUNK + 100):
            def make(_rng, count, dtype=DTYPES[source], value=value, place=place):
                elements = np.zeros(count, dtype)
                elements[place::1000] = value
                return elements
            for options in EVERY_OUTPUT if checker.on_host else EVERY_OUTPUT[:2]:
                for wrap in (False, True) if source in FLOATS else (False,):
                    scan = Scan("max", f"{source}:{accumulator}", wrap=wrap, **options)
                    yield from cases_of(checker, scan, f"unfit at {place}", make, (place + 1, FULL), place)


# --- Suites: options -------------------------------------------------------------------------------------------------

def seeds_of(op, kind):
    """Seeds worth trying; small ones where the results must fit."""
    if kind in FLOATS:
        return ("0.1", "-0", "1e30", "-inf", "nan", "1e-45", "16777217")
    limits = np.iinfo(DTYPES[kind])
    if op in OVERFLOWING:
        return ("0", "1") if op == "prod" else ("0", "3")
    return (str(limits.min), str(limits.max), "5")


def seeded_elements(op, kind, rng, count):
    """Elements that leave room for the seed."""
    if op == "sum" and kind in INTEGERS:
        return running_sums(rng, DTYPES[kind], count, greatest=int(np.iinfo(DTYPES[kind]).max) - 3)
    return inputs_of(op, kind)[0][2](rng, count)


def suite_seed(checker):
    """A seed is what the scan starts from."""
    for op, kind in ROWS if checker.on_host else FAMILIES:
        def make(rng, count, op=op, kind=kind):
            return seeded_elements(op, kind, rng, count)
        for seed in seeds_of(op, kind):
            for exclusive in (False, True) if checker.on_host else (False,):
                scan = Scan(op, kind, exclusive=exclusive, seed=seed)
                sizes = (0, 1, 17, FULL) if checker.on_host else (FULL,)
                yield from cases_of(checker, scan, f"seed {seed}", make, sizes)
    for seed, kind in itertools.product(("-0", "0"), FLOATS):
        def make_zeros(rng, count, dtype=DTYPES[kind]):
            return floats_zero(rng, dtype, count)
        yield from cases_of(checker, Scan("sum", kind, seed=seed), f"zeros from {seed}", make_zeros, (1, FULL))


def with_option(checker, **option):
    """Every row with an option, with and without a seed and -e."""
    for op, kind in ROWS:
        for seed, exclusive in ((None, False), (None, True), (seeds_of(op, kind)[-1], False)):
            def make(rng, count, op=op, kind=kind):
                return seeded_elements(op, kind, rng, count)
            scan = Scan(op, kind, exclusive=exclusive, seed=seed, **option)
            yield from cases_of(checker, scan, f"seed {seed}", make, (0, 1, 17, TILE, CHUNK, CHUNK + 1, FULL))


def suite_total(checker):
    """--total is the last inclusive result."""
    yield from with_option(checker, total=True)


def suite_include_initial(checker):
    """--include-initial is the seed or identity, then the inclusive results."""
    yield from with_option(checker, include_initial=True)


# --- Suites: overflow ------------------------------------------------------------------------------------------------

def overflows(checker, op):
    """The element at which a sum or product leaves its type is named, and all before it is written."""
    everywhere = (3, 15, 16, 100, TILE - 1, TILE, TILE + 5, CHUNK - 1, CHUNK, 2 * CHUNK + TILE, FULL - 2, FULL - 1)
    places = (15, CHUNK + 20)
    if checker.on_host:
        places = (3, TILE, CHUNK - 1, FULL - 1) if checker.has_some else everywhere
    for kind in INTEGERS:
        signed = np.iinfo(DTYPES[kind]).min < 0
        for place in places:
            for downwards in (False, True) if signed else (False,):
                make = overflow_at(op, kind, place, downwards)
                for options in EVERY_OUTPUT if checker.on_host else EVERY_OUTPUT[:1]:
                    yield from cases_of(checker, Scan(op, kind, **options), f"overflow at {place} {downwards}",
                                        make, (FULL,), place)


def suite_overflow_sum(checker):
    """Sums that overflow."""
    yield from overflows(checker, "sum")


def suite_overflow_prod(checker):
    """Products that overflow."""
    yield from overflows(checker, "prod")


def suite_overflow_random(checker):
    """Random elements: wherever the exact result leaves the type."""
    for op in OVERFLOWING:
        for kind in INTEGERS:
            for turn in (0, 3, 4, 6) if checker.has_some else range(8):
                limits = np.iinfo(DTYPES[kind])
                step = int(limits.max) // (1, 3, 40, 1000, 9000, 1, 3, 40)[turn]

                def make(rng, count, op=op, dtype=DTYPES[kind], limits=limits, step=max(1, step)):
                    if op == "sum":
                        return random_between(rng, dtype, -step if limits.min else 0, step, count)
                    factors = np.where(rng.random(count) < 1e-3, rng.integers(-3 if limits.min else 1, 4, count), 1)
                    return np.where(factors == 0, 2, factors).astype(dtype)

                for seed in (None, "1"):
                    scan = Scan(op, kind, seed=seed, exclusive=turn >= 5)
                    yield from cases_of(checker, scan, f"turn {turn}", make, (17, FULL), ANYWHERE)


def suite_overflow_seed(checker):
    """The seed belongs to the exact value: the very first element may be too much."""
    sizes = (1, 21, CHUNK + 1) if checker.has_some else (1, 2, 21, 22, CHUNK + 1)
    for kind in INTEGERS:
        limits = np.iinfo(DTYPES[kind])
        for op, seed, element, place in (("sum", limits.max, 1, 0), ("prod", limits.max, 2, 0),
                                         ("sum", limits.max - 20, 1, 20)):
            def make(_rng, count, dtype=DTYPES[kind], element=element):
                return np.full(count, element, dtype)
            for options in ({}, {"exclusive": True}, {"include_initial": True}):
                scan = Scan(op, kind, seed=str(seed), **options)
                yield from cases_of(checker, scan, "from the limit", make, sizes, place)


def suite_overflow_last(checker):
    """Under -e the last element does not count, wherever it stands; with --total it does."""
    everywhere = (3, 15, 16, TILE - 1, TILE, CHUNK - 1, CHUNK, 2 * CHUNK - 1, FULL - 1)
    places = (3, TILE - 1, CHUNK, FULL - 1) if checker.has_some else everywhere
    for op in OVERFLOWING:
        for kind in ("i8", "u16", "i32", "u64"):
            for place in places:
                make = overflow_at(op, kind, place)
                for options in ({"exclusive": True}, {}, {"exclusive": True, "total": True}):
                    yield from cases_of(checker, Scan(op, kind, **options), f"last at {place}", make,
                                        (place + 1, place + 2), place)


def suite_overflow_tree(checker):
    """Partial sums and products inside the tree may leave the type as long as no result does."""
    for kind in ("i8", "i16", "i32", "i64"):
        limits = np.iinfo(DTYPES[kind])

        def swings(_rng, count, dtype=DTYPES[kind], limits=limits):
            # From one end of the type to the other and back: a run of the way up alone is twice the greatest number.
            period = np.concatenate((np.full(16, limits.max // 8), np.full(16, -(limits.max // 8)))).astype(dtype)
            return np.resize(period, count)

        for seed in (str(limits.min), str(limits.min + 5)):
            yield from cases_of(checker, Scan("sum", kind, seed=seed), f"swings from {seed}", swings, (16, 40, FULL))
    for kind in INTEGERS:
        def zero_first(rng, count, dtype=DTYPES[kind]):
            elements = random_bits(rng, dtype, count)
            elements[:1] = 0
            return elements
        for options in ({}, {"exclusive": True}):
            yield from cases_of(checker, Scan("prod", kind, **options), "zero first", zero_first, (1, 17, FULL))
            yield from cases_of(checker, Scan("prod", kind, seed="0", **options), "zero seed",
                                inputs_of("prod", kind)[1][2], (17, FULL))


# --- The oracle itself -----------------------------------------------------------------------------------------------

def defined_results(op, elements, seed):
    """The grid once more, one number at a time. E(r) is put together from the tree's nodes at the set bits of r."""
    def both(a, b):
        return b if a is None else OPERATORS[op](a, b)

    def node(first, count):
        if (first, count) not in nodes:
            if count > 1:
                total = both(node(first, count // 2), node(first + count // 2, count // 2))
            else:
                total = functools.reduce(both, tile[RUN * first:RUN * (first + 1)])
            nodes[first, count] = total
        return nodes[first, count]

    results, carry = [], seed
    for start in range(0, len(elements), TILE):
        tile = [elements[i:i + 1] for i in range(start, min(start + TILE, len(elements)))]
        nodes = {}
        for r in range(-(-len(tile) // RUN)):
            before, first = None, 0
            for bit in reversed(range(8)):
                if r >> bit & 1:
                    before = both(before, node(first, 1 << bit))
                    first += 1 << bit
            prefix = carry if before is None else both(carry, before)
            local = None
            for x in tile[RUN * r:RUN * (r + 1)]:
                local = both(local, x)
                results.append(local if prefix is None else both(prefix, local))
        if len(tile) == TILE:
            carry = both(carry, node(0, RUNS))
    return np.concatenate(results)


def suite_definition(checker):
    """The oracle's arrays against the definition, number by number (rows whose carry is of their own type)."""
    for op, kind in (("prod", "f32"), ("prod", "f64"), ("max", "f32"), ("sum", "i8")):
        for seed in (None, DTYPES[kind].type(3)):
            rng = checker.random(op, kind, "definition")
            elements = (rng.standard_normal(TILE + 1003) * 3).astype(DTYPES[kind])
            if op == "prod":
                elements = floats_near_one(rng, DTYPES[kind], TILE + 1003)
            with np.errstate(all="ignore"):
                slow = lower(defined_results(op, lift(op, elements), None if seed is None else lift(op, np.array([seed]))))
            checker.run_count += 1
            if slow.tobytes() != inclusive(op, elements, seed).tobytes():
                checker.mismatches += 1
                print(f"MISMATCH the oracle itself: {op} {kind} seed {seed}")
    return ()


SUITES = {name[len("suite_"):].replace("_", "-"): function for name, function in list(globals().items())
          if name.startswith("suite_")}


def main():
    """Runs the suites that are named."""
    parser = argparse.ArgumentParser(description="Random inputs through pscan and an oracle.")
    parser.add_argument("--engine", choices=("host", "cpu", "gpu"), default="host")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--some", action="store_true")
    parser.add_argument("suites", nargs="+", choices=list(SUITES))
    given = parser.parse_args()
    checker = Checker(given.engine, given.seed, given.some)
    checker.check(itertools.chain.from_iterable(SUITES[name](checker) for name in given.suites))
    return 0 if checker.close() else 1


if __name__ == "__main__":
    sys.exit(main())
