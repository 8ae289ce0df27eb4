"""An operator of two inputs over records of several fields: random tables and binary records through pscan, compared
with the recurrence computed one element after the other. All numbers are small integers, so results are exact in any
order.

    pairs.py DEVICE     none, or cpu: both shapes of PoCL's kernels
"""
import os
import random
import subprocess
import sys

import numpy as np

from grid_oracle import DTYPES, TILE

PSCAN = os.environ["PSCAN"]
MARKS = ("", "-", "NA", "null")
OPTIONS = ((), ("-e",), ("--seed=7",), ("-e", "--seed=3,7"), ("--total",), ("--algorithm=sequential",),
           ("--algorithm=hillis-steele",), ("--include-initial",))
COUNTS = (0, 1, 2, 16, 17, 700, TILE - 1, TILE, TILE + 1, 3 * TILE + 5)


def recurrence(pairs, options):
    """The results that are written of elements, a pair each, or None for those that lack a number."""
    y = 7.0 if any(option.startswith("--seed") for option in options) else 0.0
    initial, results = y, []
    for pair in pairs:
        if pair is None:
            results.append(None)
            continue
        before, y = y, pair[0] * y + pair[1]
        results.append(before if "-e" in options else y)
    return [y] if "--total" in options else [initial] * ("--include-initial" in options) + results


def run(device, shape, arguments, data):
    """What pscan writes."""
    done = subprocess.run([PSCAN, "-D", device, "-op", "linrec", *arguments], input=data, stdout=subprocess.PIPE,
                          env=dict(os.environ, PSCAN_SHAPE=shape), check=False)
    return done.stdout if done.returncode == 0 else done.returncode


def choose_fields(generator, columns):
    """Two fields a result, some of them twice."""
    return [generator.randrange(columns) for _ in range(2 * generator.randrange(1, 4))]


def binary_case(generator, device, shape):
    """Columns of records; two alone are scanned where they were read. The arguments, or None: all is well."""
    columns = generator.choice((2, 2, 4, 5))
    fields = list(range(columns)) if columns % 2 == 0 else choose_fields(generator, columns)
    options = generator.choice(OPTIONS)
    kind, out = generator.choice((("f64", "f64"), ("f32", "f32"), ("i16:f64", "f64"), ("u8:f32", "f32")))
    count = generator.choice(COUNTS)
    low = 0 if kind[0] == "u" else -1
    table = np.array([[generator.randrange(low, 2) for _ in range(columns)] for _ in range(count)]).reshape(count, columns)
    want = [recurrence(list(zip(table[:, a].tolist(), table[:, b].tolist())), options)
            for a, b in zip(fields[::2], fields[1::2])]
    arguments = ["-t", kind, "-c", str(columns), "--format=binary", *options, f"--chunk-size={generator.choice((1, 64, 4096))}K"]
    if columns % 2 == 1:
        arguments += ["-f", ",".join(str(field + 1) for field in fields)]
    expected = np.array(want, DTYPES[out]).T.tobytes()
    data = table.astype(DTYPES[kind.split(":")[0]]).tobytes()
    return None if run(device, shape, arguments, data) == expected else arguments


def text_of(result):
    """A small integer, as text."""
    return str(int(result))


def text_case(generator, device, shape):
    """Fields of lines, some of them marks. The arguments, or None: all is well."""
    columns = generator.randrange(2, 6)
    fields = choose_fields(generator, columns)
    count = generator.choice(COUNTS[1:])
    marked = generator.choice((0, 0.01, 0.3))
    missing = generator.choice(("skip", "keep", "1"))
    options = generator.choice(OPTIONS[:4])
    appends = generator.random() < 0.5
    table = [[generator.choice(MARKS) if generator.random() < marked else str(generator.randrange(-1, 2))
              for _ in range(columns)] for _ in range(count)]
    blocks, marks = [], []
    for a, b in zip(fields[::2], fields[1::2]):
        pairs, texts = [], []
        for line in table:
            tokens = [line[a], line[b]]
            lacking = [token for token in tokens if token in MARKS]
            if missing == "1":
                tokens, lacking = [token if token not in MARKS else "1" for token in tokens], []
            pairs.append(None if lacking else (float(tokens[0]), float(tokens[1])))
            texts.append(lacking[0] if lacking and missing == "keep" else "")
        blocks.append(recurrence(pairs, options))
        marks.append(texts)
    expected = ""
    for i, line in enumerate(table):
        results = [marks[k][i] if block[i] is None else text_of(block[i]) for k, block in enumerate(blocks)]
        gone = all(block[i] is None for block in blocks) and missing == "skip" and not appends
        expected += "" if gone else ",".join((line if appends else []) + results) + "\n"
    arguments = ["-d", ",", "-f", ",".join(str(field + 1) for field in fields), f"--missing={missing}", *options]
    arguments += ["-a"] if appends else []
    data = "".join(",".join(line) + "\n" for line in table).encode()
    return None if run(device, shape, arguments, data) == expected.encode() else arguments


def main():
    """Runs random cases, which are equal in every run."""
    device = sys.argv[1]
    cases = wrong = 0
    for shape in ("",) if device == "none" else ("cpu", "gpu"):
        for number in range(60 if device == "none" else 6):
            for case in (binary_case, text_case):
                failed = case(random.Random(f"{case.__name__} {number}"), device, shape)
                cases += 1
                wrong += failed is not None
                if failed is not None and wrong < 10:
                    print(f"{case.__name__} {number}: {' '.join(failed)}")
    print(f"{cases} cases, {wrong} wrong")
    return 0 if cases > 0 and wrong == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
