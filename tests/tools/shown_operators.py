"""Operators that --show-operator prints, run as programs, compared with the operators of the table on the host: every
type, numbers of all kinds, several tiles, both kernel shapes.

    shown_operators.py DIRECTORY [OP[:A],... [TYPE,...]]

JOBS: how many run at once. PSCAN: the program. PSCAN_DEVICE: the device. TREES=1 leaves out the kernels of the other
tree.
"""

import concurrent.futures
import os
import subprocess
import sys

import numpy as np

from operator_facts import BITWISE, FACTS, where

PSCAN = os.environ["PSCAN"]
TYPES = {"i8": "i1", "u8": "u1", "i16": "i2", "u16": "u2", "i32": "i4", "u32": "u4", "i64": "i8", "u64": "u8", "f32": "f4", "f64": "f8"}
PARTS = 20001  # five tiles, and a part of one
OF_FLOATS = where(lambda facts: facts.of_floats or facts.lacks_first)  # as integers the latter have no program
WITHOUT_SEED = where(lambda facts: not facts.seeded)
WITH_IDENTITY = where(lambda facts: facts.identity not in ("NONE", "ABSENT"))


def listed():
    """The operators' names; of one with a parameter with one. Those of texts have no program."""
    text = subprocess.run([PSCAN, "--list-operators"], stdout=subprocess.PIPE, check=True).stdout.decode()
    names = [line.split()[0] for line in text.splitlines()]
    return [name.replace(":A", ":0.3") for name in names if name.split(":")[0] in FACTS]


def has(op, name):
    """Whether an operator has a program of a type."""
    op = op.split(":")[0]
    is_float = name.startswith("f")
    return is_float if op in OF_FLOATS else not (is_float and op in BITWISE)


def inputs(directory):
    """Writes the elements: of floats some that are rounded differently in every order, and a part with infinities, NaNs
    and zeros of both signs; of integers all bits. Pairs for linrec do not grow."""
    rng = np.random.default_rng(17)
    for name, dtype in TYPES.items():
        if name.startswith("f"):
            x = (rng.standard_normal(PARTS) * 10.0 ** rng.integers(-3, 4, PARTS)).astype(dtype)
            special = x.copy()
            special[100:200] = -0.0
            special[9000] = np.inf
            special[17000] = np.nan
            special[:3] = (-0.0, 0.0, np.finfo(dtype).smallest_subnormal)
            special.tofile(os.path.join(directory, f"special.{name}"))
            pairs = np.stack([rng.uniform(-1, 1, PARTS), rng.standard_normal(PARTS)], 1).astype(dtype)
            pairs.tofile(os.path.join(directory, f"pairs.{name}"))
        else:
            x = np.frombuffer(rng.bytes(PARTS * np.dtype(dtype).itemsize), dtype)
        x.tofile(os.path.join(directory, f"numbers.{name}"))


def modes(op):
    """Options of both, and the kernel shape of the program."""
    name = op.split(":")[0]
    given = [("cpu", []), ("gpu", ["--chunk-size=64K"]), ("cpu", ["--total"])]
    if os.environ.get("TREES") != "1":
        given.append(("cpu", ["--algorithm=hillis-steele"]))
    if name in WITH_IDENTITY:
        given.append(("gpu", ["-e"]))
    if name not in WITHOUT_SEED:
        seed = "--seed=0.5,3" if name == "linrec" else "--seed=7"
        given += [("cpu", [seed]), ("cpu", ["-e", seed])]
    return given


def run(arguments, shape=None):
    """Exit code, output and messages."""
    environment = {**os.environ, **({"PSCAN_SHAPE": shape} if shape and os.environ.get("PSCAN_DEVICE", "cpu") == "cpu" else {})}
    done = subprocess.run([PSCAN, *arguments], capture_output=True, check=False, env=environment)
    return done.returncode, done.stdout, done.stderr.decode()


def compare(directory, op, name):
    """Returns the number of runs of one operator and type, and what is wrong."""
    file = os.path.join(directory, f"{op.split(':')[0]}_{name}.cl")
    code, text, err = run(["-t", name, f"--show-operator={op}"])
    if code != 0:
        return 1, [f"{op} {name}: exit {code}: {err}"]
    with open(file, "wb") as f:
        f.write(text)
    wrong = []
    runs = 0
    data = ["pairs"] if op == "linrec" else ["numbers", "special"] if name.startswith("f") else ["numbers"]
    pair = ["-c", "2"] if op == "linrec" else []
    for kind in data:
        elements = os.path.join(directory, f"{kind}.{name}")
        for shape, options in modes(op) if kind != "special" else modes(op)[:2]:
            runs += 1
            right = run(["-D", "none", "--format=binary", "--overflow=wrap", "-t", name, "-op", op, *pair, *options, elements])
            given = run(["--format=binary", "-op", "@" + file, *pair, *options, elements], shape)
            if right[0] != 0 or given != (0, right[1], ""):
                wrong.append(f"{op} {kind} {name} {shape} {options}: exit {right[0]} {right[2]}, {given[0]} {given[2]}")
    return runs, wrong


def main():
    """Prints what is wrong, and the number of runs."""
    directory = sys.argv[1]
    ops = sys.argv[2].split(",") if len(sys.argv) > 2 else listed()
    names = sys.argv[3].split(",") if len(sys.argv) > 3 else list(TYPES)
    inputs(directory)
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", "1"))) as pool:
        results = list(pool.map(lambda case: compare(directory, *case), [(o, n) for o in ops for n in names if has(o, n)]))
    for _, wrong in results:
        print(*wrong, sep="\n", end="\n" if wrong else "")
    print(f"{sum(runs for runs, _ in results)} runs, {sum(len(wrong) for _, wrong in results)} wrong")


if __name__ == "__main__":
    main()
