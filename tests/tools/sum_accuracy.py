#!/usr/bin/python3
"""Running sums of 2^22 positive floats, compared with exact ones: at most 3 ulp off, and most of them correctly
rounded.

The exact sums are integers: the floats' mantissas, shifted to a common exponent. With the argument "some" one kind of
each type is tried.
"""
import operator
import os
import subprocess
import sys
import tempfile

import numpy as np

PSCAN = os.environ.get("PSCAN", os.path.join(os.path.dirname(__file__), "../../build/pscan"))
COUNT = 1 << 22
TILE = 4096
SPREAD = 1021
ULP_MAX = 3
ROUNDED_LEAST = 0.64  # of the results: two thirds, with room for chance


def exact_sums(elements, indices):
    """Exact running sums at the indices, as integers, and the exponent of the power of two that scales them."""
    fractions, exponents = np.frexp(elements.astype(np.float64))
    mantissas = np.ldexp(fractions, 53).astype(np.int64)
    shifts = exponents - 53
    unit = int(shifts.min())
    sums, total, start = [], 0, 0
    for index in indices:
        block = slice(start, index + 1)
        total += sum(map(operator.lshift, mantissas[block].tolist(), (shifts[block] - unit).tolist()))
        sums.append(total)
        start = index + 1
    return sums, unit


def error_in_ulp(result, exact, unit, digits):
    """|result - exact * 2^unit| in units of the last place of a float with so many digits near exact."""
    numerator, denominator = float(result).as_integer_ratio()
    scaled = numerator << -unit
    ulp = 1 << max(0, exact.bit_length() - digits)
    return abs(scaled - exact * denominator) / (ulp * denominator)


def measure(name, elements, path):
    """Prints the errors of one running sum; true if they are within the limits."""
    elements.tofile(path)
    kind = f"f{8 * elements.itemsize}"
    command = [PSCAN, "-D", "none", "--format=binary", "-t", kind, path]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    results = np.frombuffer(done.stdout, elements.dtype)
    if len(results) != len(elements):
        print(f"{kind} {name}: {len(results)} results")
        return False
    # 1021 is a prime: every place in a run and in a tile has its turn. The last tile is looked at whole.
    indices = sorted({*range(0, COUNT, SPREAD), *range(COUNT - TILE, COUNT)})
    sums, unit = exact_sums(elements, indices)
    digits = np.finfo(elements.dtype).nmant + 1
    errors = np.array([error_in_ulp(results[i], s, unit, digits) for i, s in zip(indices, sums)])
    rounded = np.mean([error <= 0.5 for i, error in zip(indices, errors) if i % SPREAD == 0])
    print(f"{kind} {name}: at most {errors.max():.2f} ulp, {rounded:.1%} correctly rounded")
    return errors.max() <= ULP_MAX and rounded >= ROUNDED_LEAST


def main():
    """Uniform floats, and floats over twelve decades."""
    rng = np.random.default_rng(22)
    good = True
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "floats")
        for dtype in (np.float32, np.float64):
            if len(sys.argv) == 1 or dtype == np.float32:
                good &= measure("uniform", rng.random(COUNT, dtype=dtype), path)
            if len(sys.argv) == 1 or dtype == np.float64:
                good &= measure("decades", (10.0 ** rng.uniform(-6, 6, COUNT)).astype(dtype), path)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
