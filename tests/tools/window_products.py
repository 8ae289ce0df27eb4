#!/usr/bin/env python3
"""Windows of products of powers of two, whose exact product is a sum of exponents. A result must be exact if it is in
the type's range, and otherwise infinite or 0. The suffixes and prefixes of blocks as long as the window go near the
ends of the range in which products are combined directly (2^64, 2^512), beyond these, and beyond the type's own range,
and come back; their mean is 1 or far from it.

    window_products.py STREAMS      of each type
"""
import os
import random
import subprocess
import sys

import numpy as np

PSCAN = os.environ.get("PSCAN", "build/pscan")
TYPES = {"f32": (-149, 127, 64), "f64": (-1074, 1023, 512)}  # the least and the greatest power of two, and the range of plain products


def path(count, up, back, step):
    """count exponents whose sums go from 0 by one number in the middle, and then by another one."""
    ways = [max(1, min(count // 2, -(-abs(by) // step))) for by in (up, back)]
    parts = [[by // way + (i < by % way) for i in range(way)] for by, way in zip((up, back), ways)]
    before = count // 2 - ways[0]
    return [0] * before + parts[0] + parts[1] + [0] * (count - before - sum(ways))


def exponents_of(rng, plain, length):
    """A stream of blocks. Most are calm. The sums of a block's first elements and of the last ones of the block before
    meet in the middle."""
    peaks = [1, plain - 2, plain - 1, plain, plain + 1, plain * 3 // 2, plain * 7 // 4, plain * 2 - 1, plain * 2, plain * 3]
    step = rng.choice([1, 2, max(1, plain // 8), plain])
    drift = rng.choice([0, -1, -1, 1]) * rng.choice([20, 50, 100]) * plain / 64 / length  # of each element: the mean is as far from 1
    exponents = []
    how_wild = rng.choice([0.03, 0.1, 0.5])
    is_at_edge = rng.random() < 0.5
    up, back = 0, 0
    for _ in range(rng.choice([30, 70, 200])):
        if up != 0 and is_at_edge and back > 0:
            up, back = back, up  # two products at the end of the range of plain ones
        elif up != 0 and not is_at_edge and rng.random() < 0.8:
            up = rng.choice([-up, -up, up, up - plain // 2, up + plain // 2])  # or out of it, and together within the type's
            back = -up
        elif rng.random() >= how_wild:
            up, back = 0, 0
        elif is_at_edge:
            up, back = 4 - plain, plain + rng.choice([0, 0, -1])
        else:
            up = rng.choice([1, -1]) * rng.choice(peaks)
            back = -up
        exponents += path(length, up, back, step)
    return [x + int((i + 1) * drift) - int(i * drift) for i, x in enumerate(exponents)]


def wanted(exponents, length, kind):
    """The magnitudes of all windows' products."""
    least, greatest, _ = TYPES[kind]
    sums = np.concatenate([[0], np.cumsum(np.array(exponents, dtype=np.int64))])
    windows = sums[1:] - sums[np.maximum(np.arange(1, len(sums)) - length, 0)]
    with np.errstate(over="ignore", under="ignore"):
        values = np.ldexp(np.float64(1), np.clip(windows, -1080, 1023))
        return np.where(windows > greatest, np.inf, np.where(windows < least, 0, values)).astype(kind.replace("f", "float"))


def main():
    """Streams of both types, and what differs."""
    wrong = finite = 0
    for kind, (least, greatest, plain) in TYPES.items():
        for number in range(int(sys.argv[1])):
            rng = random.Random(f"{kind} {number}")
            length = rng.choice([65, 128, 256, 300, 512, 1000])
            exponents = np.clip(exponents_of(rng, plain, length), least, greatest).tolist()
            elements = np.ldexp(np.float64(1), exponents).astype(kind.replace("f", "float"))
            right = wanted(exponents, length, kind)
            signs = np.array([rng.choice([1, 1, -1]) for _ in exponents])
            turns = np.concatenate([[0], np.cumsum(signs < 0)])
            odd = (turns[1:] - turns[np.maximum(np.arange(1, len(turns)) - length, 0)]) % 2
            chunk = rng.choice([[], [], ["--chunk-size=64K"], [f"--chunk-size={rng.randrange(4096, 40000)}"]])
            done = subprocess.run([PSCAN, "-D", "none", "-t", kind, "-op", "prod", "-T", str(rng.choice([1, 2])), *chunk, f"--window={length}"],
                                  stdout=subprocess.PIPE, check=True, input=(elements * signs).astype(right.dtype).tobytes())
            got = np.frombuffer(done.stdout, dtype=right.dtype)
            expected = np.where(odd == 1, -right, right)
            finite += int((np.isfinite(expected) & (expected != 0)).sum())
            if len(got) != len(expected) or not (got == expected).all():
                place = int(np.argmax(got != expected)) if len(got) == len(expected) else -1
                print(f"{kind} stream {number}, window {length}: result {place} is {got[place]}, not {expected[place]}")
                wrong += 1
    print(f"{finite} finite results, {wrong} streams wrong")
    return 0 if wrong == 0 and finite > 1000 else 1


if __name__ == "__main__":
    sys.exit(main())
