"""A scan without resets, one with a reset that never comes and one with a key that never changes are the same scan:
their results must be equal to the byte, for every operator, type and option.

    one_road.py SEED COUNT [DEVICE]

Errors that all three share are for other tests to find.
"""
import os
import random
import subprocess
import sys
import tempfile

import cases
import numpy as np
from operator_facts import FACTS, with_factor

PSCAN = os.environ.get("PSCAN", "build/pscan")
NEVER = "--reset-every=4000000000"
INTEGERS = ("i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64")
FLOATS = ("f32", "f64")
LENGTHS = (0, 1, 2, 15, 16, 17, 255, 256, 300, 5000)
GAPS = ("skip", "keep", "hold", "0", "7")


def choose_operators(rng, type_name):
    """One or several that a type has, with what they give of gaps."""
    names = [name for name, facts in FACTS.items() if not (facts.bitwise and type_name in (*FLOATS, "num", "dec")) and
             not (facts.of_floats and type_name not in (*FLOATS, "num"))]
    pairs = rng.random() < 0.1
    names = [name for name in names if (FACTS[name].inputs == 2) == pairs] or ["sum"]
    return with_factor(rng.choices(names, k=rng.choice((1, 1, 1, 2, 3))), rng.choice(("0.5", "0.1")))


def choose_options(rng, operators, is_text):
    """Those of the scan; the three ways share them."""
    options = ["-op", ",".join(operators)]
    options += ["-e"] if rng.random() < 0.3 else []
    seeded = all(FACTS[name.split(":")[0]].seeded for name in operators)
    if rng.random() < 0.25:
        options += [f"--window={rng.choice((1, 2, 3, 16, 100, 4096))}"]
    else:
        options += [f"--seed={rng.choice((0, 1, 3, 100))}"] if seeded and rng.random() < 0.3 else []
        options += [f"--algorithm={rng.choice(('hillis-steele', 'sequential'))}"] if rng.random() < 0.1 else []
    options += ["--overflow=wrap"] if rng.random() < 0.3 else []
    options += ["--total"] if rng.random() < 0.15 else []
    options += [f"--chunk-size={rng.choice((16, 100, 1000, 4096, 65536))}"] if rng.random() < 0.7 else []
    options += [f"-T{rng.choice((1, 2, 3))}"] if rng.random() < 0.5 else []
    options += [f"--nan={rng.choice(('propagate', 'keep', 'hold', 'skip') if is_text else ('propagate', 'keep', 'hold'))}"] if rng.random() < 0.3 else []
    options += [f"--min-count={rng.choice((1, 2, 5))}"] if rng.random() < 0.1 else []
    if is_text:
        options += [f"--missing={rng.choice(GAPS)}"] if rng.random() < 0.5 else []
        options += ["-F", rng.choice(("%.3f", "%10.2e", "%.0f"))] if rng.random() < 0.1 else []
        options += ["--fill-limit=2"] if "hold" in options[-1] else []
        options += [f"--invalid={rng.choice(('fail', 'ignore'))}"] if rng.random() < 0.1 else []
    return options


def token(rng, type_name, wild):
    """A number as people write them, or one that is missing."""
    if rng.random() < 0.05 * wild:
        return rng.choice(("", "NA", "-"))
    if type_name in INTEGERS:
        return str(rng.randrange(0 if type_name[0] == "u" else -5, 10))
    if rng.random() < 0.03 * wild:
        return rng.choice(("nan", "1e300", "-1e-300", "1e25", "99999999999999999999", "0.1234567890123456789"))
    return rng.choice((str(rng.randrange(-99, 100)), f"{rng.uniform(-9, 9):.2f}", f"{rng.uniform(-9, 9):.{rng.randrange(6)}f}"))


def text_input(rng, type_name, fields):
    """Lines of a key and the fields."""
    wild = rng.choice((0, 0, 1))
    count = rng.choice(LENGTHS)
    rows = [[token(rng, type_name, wild) for _ in range(fields)] for _ in range(count)]
    return "".join(",".join(("k", *row)) + "\n" for row in rows).encode()


def binary_input(rng, type_name, fields):
    """Records of a key and the fields."""
    count = rng.choice(LENGTHS)
    if type_name in FLOATS:
        values = np.array([[rng.choice((1, 0.5, -0.25, rng.uniform(-9, 9))) for _ in range(fields)] for _ in range(count)], float)
        if rng.random() < 0.3 and count > 0:
            values[rng.randrange(count)] = rng.choice((np.nan, np.inf, -0.0))
    else:
        values = np.array([[rng.randrange(0, 4) for _ in range(fields)] for _ in range(count)])
    values = values.reshape(count, fields).astype(float)
    keyed = np.concatenate([np.full((count, 1), 3), values], axis=1)
    return keyed.astype({"i": "<i", "u": "<u", "f": "<f"}[type_name[0]] + str(int(type_name[1:]) // 8)).tobytes()


def run(path, options):
    """Status, output and messages."""
    done = subprocess.run([PSCAN, *options, path], stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=60)
    return done.returncode, done.stdout, done.stderr.decode()


def rest_of(output, separator):
    """The lines after the key, if there is one. (Beside it nothing may stand for what is absent; alone it is a mark.)
    """
    lines = (line.split(separator, 1)[-1] for line in output.splitlines())
    return [b"-" if line == b"" else line for line in lines]


def case(rng, device):
    """Raises AssertionError where one of the three gives other bytes, or ends otherwise."""
    is_text = rng.random() < 0.6
    type_name = rng.choice(("num", "num", "dec", *INTEGERS, *FLOATS) if is_text else (*INTEGERS, *FLOATS))
    operators = choose_operators(rng, type_name)
    is_pair = any(FACTS[name.split(":")[0]].inputs == 2 for name in operators)
    options = ["-q", "-D", device, "-t", type_name, *choose_options(rng, operators, is_text)]
    fields = 2 if is_pair else rng.choice((1, 1, 1, 2, 3))
    chosen = "2" if fields == 1 else f"2-{fields + 1}"
    if is_text:
        options += ["-d,", "-f", chosen, *rng.choice(([], ["-a"], ["--replace"] if len(operators) == 1 else []))]
        options = [o for o in options if o != "--total"] if {"-a", "--replace"} & set(options) else options
        data = text_input(rng, type_name, fields)
    else:
        options += ["-c", str(fields + 1), "-f", chosen]
        data = binary_input(rng, type_name, fields)
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        plain = run(file.name, options)
        keyed = run(file.name, [*options, "-g", "1"])
        every = run(file.name, [*options, NEVER])
    if is_text and not {"-a", "--replace"} & set(options):
        assert plain[0] == 2 or keyed[0] == 2 or keyed[1] == b"" or keyed[1].startswith(b"k,"), (options, keyed)
        same = rest_of(keyed[1], b",") == rest_of(plain[1], b"\n")
        keyed = keyed[0], plain[1] if same else keyed[1], keyed[2]
    others = [(NEVER, every), ("-g 1", keyed)]
    if not is_text and "--total" in options:
        others.pop()  # (Totals begin with the key's bytes.)
    for name, other in others:
        # (Without elements there is no segment that has a total. What is refused is for other tests.)
        if "--total" in options and (plain[0] == other[0] and not other[1] or ": no elements: " in plain[2]):
            continue
        if plain[0] == 2 or other[0] == 2:
            assert plain[0] != 2 or other[0] == 2 or plain[2].startswith("pscan: with"), (options, name, plain, other)
            continue
        assert plain[:2] == other[:2], f"{options} {name}: {len(data)} bytes {data[:300]!r}\n{plain}\n{other}"[:3000]


if __name__ == "__main__":
    DEVICE = sys.argv[3] if len(sys.argv) > 3 else "none"
    sys.exit(cases.run(lambda rng: case(rng, DEVICE)))
