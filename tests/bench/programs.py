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


def is_sum_of_floats(x: np.ndarray, y: np.ndarray) -> bool:
    """Within what single precision can give for positive numbers."""
    total = 0.0
    for first in range(0, len(x), BLOCK):
        sums = total + np.cumsum(x[first:first + BLOCK], dtype=np.float64)
        if not np.allclose(y[first:first + BLOCK], sums, rtol=1e-4):
            return False
        total = sums[-1]
    return len(x) == len(y)


def is_sum_of_integers(x: np.ndarray, y: np.ndarray) -> bool:
    """Modulo the type."""
    return np.array_equal(np.cumsum(x, dtype=x.dtype), y)


def is_maximum(x: np.ndarray, y: np.ndarray) -> bool:
    """The running maximum."""
    return np.array_equal(np.maximum.accumulate(x), y)


# By a word of the command: the input's and the results' types, and what holds of them.
CHECKS: dict[str, tuple[str, str, Callable[[np.ndarray, np.ndarray], bool]]] = {
    "expensive.bin": ("f8", "f8", is_expensive),
    "pairs.bin": ("f8", "f8", is_recurrence),
    "a + b": ("f4", "f4", is_sum_of_floats),
    "(a + b)": ("u4", "u4", is_sum_of_integers),
    "a > b ? a : b": ("i4", "i4", is_maximum),
}


def check_of(pipeline: Pipeline) -> str:
    """The word of a command by which it is known what it must give; empty if it is not."""
    return next((word for word in pipeline.words() if word in CHECKS), "")


def check_program(pipeline: Pipeline, source: str) -> None:
    """Runs a command whose results would go nowhere and looks at them; raises Failure if they are wrong."""
    element, result, holds = CHECKS[check_of(pipeline)]
    to_file = replace(pipeline, stages=[[CHECKED if word == os.devnull else word for word in stage] for stage in pipeline.stages],
                      target=CHECKED if pipeline.target else None)
    run(to_file)
    good = holds(np.memmap(source, element, "r"), np.memmap(CHECKED, result, "r"))
    os.unlink(CHECKED)
    if not good:
        raise Failure(f"{pipeline.command}: wrong results")
