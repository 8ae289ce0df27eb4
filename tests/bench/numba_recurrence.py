#!/usr/bin/python3
"""numba_recurrence.py IN OUT: the recurrence y = a y + b of pairs of f64, compiled by numba.

Prints the seconds of a second scan, from reading the file to having written the results, so that compiling does not
count.
"""
import sys
import time

import numba
import numpy as np


@numba.njit
def scan(pairs, results):
    """One loop."""
    y = 0.0
    for i in range(results.size):
        y = pairs[2 * i] * y + pairs[2 * i + 1]
        results[i] = y


def scan_file(source: str, target: str) -> float:
    """Seconds that a file took."""
    begin = time.monotonic()
    pairs = np.fromfile(source)
    results = np.empty(pairs.size // 2)
    scan(pairs, results)
    with open(target, "wb") as file:
        results.tofile(file)
    return time.monotonic() - begin


scan(np.zeros(2), np.zeros(1))
print(f"{scan_file(sys.argv[1], sys.argv[2]):.6f}")
