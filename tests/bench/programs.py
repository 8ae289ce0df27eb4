"""Operators of users: the expected results of commands with them, and of the programs that are their peers.

Results are compared with what numpy computes from the inputs and from the results themselves: each result follows from
the one before it, and the first from the first element. pscan takes no part in this.
"""
import os
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from pipeline import Failure, Pipeline, run

CHECKED = "checked.bin"
BLOCK = 1 << 22
EXPENSIVE_COMPARED = 1 << 14
FIXED_POINT = (1.5 - (1.5**2 - 0.4)**0.5) / 2
MODULUS = 1000003
WINDOW = 1000


def combine_expensive(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The operator of samples/expensive.cl."""
    for _ in range(250):
        a = a * a - 0.5 * a + 0.1
        b = b * b - 0.5 * b + 0.1
    return a + b


def is_expensive(x: np.ndarray, y: np.ndarray) -> bool:
    """The first results follow from each other; after so many all are the fixed point, twice."""
    head = min(len(x), EXPENSIVE_COMPARED)
    follows = np.allclose(y[1:head], combine_expensive(y[:head - 1], x[1:head]), rtol=1e-12, atol=0)
    return len(x) == len(y) and y[0] == x[0] and follows and np.allclose(y[1:], 2 * FIXED_POINT, rtol=1e-12, atol=0)


def is_recurrence(pairs: np.ndarray, y: np.ndarray) -> bool:
    """y = a y + b, everywhere; an error does not grow, as |a| < 1."""
    if len(pairs) != 2 * len(y) or y[0] != pairs[1]:
        return False
    for first in range(1, len(y), BLOCK):
        a, b = pairs[2 * first:2 * (first + BLOCK)].reshape(-1, 2).T
        after = y[first:first + BLOCK]
        if not np.allclose(after, a * y[first - 1:first - 1 + len(after)] + b, rtol=1e-12, atol=1e-12):
            return False
    return True


def is_sum_of_floats(x: np.ndarray, y: np.ndarray, map_element=lambda x: x, emit=lambda s, n: s) -> bool:
    """Within what the type can give for positive numbers; perhaps of mapped elements, or with a result made of the
    sum and the number of elements."""
    total = 0.0
    tolerance = 1e-4 if y.dtype == np.float32 else 1e-11
    for first in range(0, len(x), BLOCK):
        sums = total + np.cumsum(map_element(x[first:first + BLOCK]), dtype=np.float64)
        wanted = emit(sums, np.arange(first + 1, first + 1 + len(sums)))
        if not np.allclose(y[first:first + BLOCK], wanted, rtol=tolerance, atol=0):
            return False
        total = sums[-1]
    return len(x) == len(y)


def is_sum_of_squares(x: np.ndarray, y: np.ndarray) -> bool:
    """What --map='x*x' gives."""
    return is_sum_of_floats(x, y, map_element=np.square)


def is_root_of_mean(x: np.ndarray, y: np.ndarray) -> bool:
    """What --emit='sqrt(s / n)' gives."""
    return is_sum_of_floats(x, y, emit=lambda s, n: np.sqrt(s / n))


def is_hundredfold(x: np.ndarray, y: np.ndarray) -> bool:
    """What --emit='100 * s' gives."""
    return is_sum_of_floats(x, y, emit=lambda s, n: 100 * s)


def is_percentage(x: np.ndarray, y: np.ndarray) -> bool:
    """What --emit='100 * s / t' gives."""
    total = np.sum(x, dtype=np.float64)
    return is_sum_of_floats(x, y, emit=lambda s, n: 100 * s / total) and y[-1] == 100


def is_sum_of_windows(x: np.ndarray, y: np.ndarray) -> bool:
    """Of that many elements, of the first ones fewer: differences of running sums."""
    for first in range(0, len(x), BLOCK):
        before = min(first, WINDOW)
        sums = np.concatenate(([0], np.cumsum(x[first - before:first + BLOCK], dtype=np.float64)))
        ends = np.arange(before + 1, len(sums))
        wanted = sums[ends] - sums[np.maximum(ends - WINDOW, 0)]
        if not np.allclose(y[first:first + BLOCK], wanted, rtol=1e-9, atol=0):
            return False
    return len(x) == len(y)


def is_sum_from_the_end(x: np.ndarray, y: np.ndarray) -> bool:
    """What --reverse gives."""
    return is_sum_of_floats(x[::-1], y[::-1])


def is_product_of_residues(x: np.ndarray, y: np.ndarray) -> bool:
    """Each result times the next element, modulo a number so small that no product leaves the type."""
    return len(x) == len(y) and y[0] == x[0] and np.array_equal(y[1:], y[:-1] * x[1:] % MODULUS)


def is_sum_of_integers(x: np.ndarray, y: np.ndarray) -> bool:
    """Modulo the type."""
    return np.array_equal(np.cumsum(x, dtype=x.dtype), y)


def is_maximum(x: np.ndarray, y: np.ndarray) -> bool:
    """The running maximum."""
    return np.array_equal(np.maximum.accumulate(x), y)


# By words of the command that read a binary file, what holds of its results, which have the elements' type.
CHECKS: tuple[tuple[set[str], Callable[[np.ndarray, np.ndarray], bool]], ...] = (
    ({"expensive.bin"}, is_expensive),
    ({"f64.bin", "--reverse"}, is_sum_from_the_end),
    ({"pairs.bin"}, is_recurrence),
    ({"residues.bin"}, is_product_of_residues),
    ({"--window=1000", "a + b"}, is_sum_of_windows),
    ({"--window=1000", "sum"}, is_sum_of_windows),
    ({"--map=x*x"}, is_sum_of_squares),
    ({"--emit=sqrt(s / n)"}, is_root_of_mean),
    ({"--emit=100 * s"}, is_hundredfold),
    ({"--emit=100 * s / t"}, is_percentage),
    ({"a + b"}, is_sum_of_floats),
    ({"(a + b)"}, is_sum_of_integers),
    ({"a > b ? a : b"}, is_maximum),
    ({"f64.bin", "sum"}, is_sum_of_floats),
)


def check_of(pipeline: Pipeline) -> Callable[[np.ndarray, np.ndarray], bool] | None:
    """What must hold of a command's results; None if that is not known here."""
    words = set(pipeline.words())
    return next((holds for wanted, holds in CHECKS if wanted <= words), None)


def check_program(pipeline: Pipeline, source: str, dtype: str) -> None:
    """Runs a command whose results would go nowhere and looks at them; raises Failure if they are wrong. The dtype is
    numpy's, of elements and results."""
    holds = check_of(pipeline)
    assert holds
    to_file = replace(pipeline, stages=[[CHECKED if word == os.devnull else word for word in stage] for stage in pipeline.stages],
                      target=CHECKED if pipeline.target else None)
    run(to_file)
    size = os.path.getsize(CHECKED)
    whole = size > 0 and size % np.dtype(dtype).itemsize == 0
    good = whole and holds(np.memmap(source, dtype, "r"), np.memmap(CHECKED, dtype, "r"))
    os.unlink(CHECKED)
    if not good:
        raise Failure(f"{pipeline.command}: wrong results")
