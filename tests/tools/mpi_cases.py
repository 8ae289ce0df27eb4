#!/usr/bin/env python3
"""Random scans by several ranks of MPI, compared with the single program, whose bits other tests compare with oracles:
the output, the messages and the exit status must be equal, and no further file may be left.

Usage: mpi_cases.py SEED CASES [CASE]. PSCAN: the single program, PSCAN_MPI: the one for mpirun.
"""
import gzip
import itertools
import os
import random
import struct
import subprocess
import sys
import tempfile
import zlib
from concurrent.futures import ThreadPoolExecutor

from operator_facts import BITWISE, COMMON

PSCAN = os.environ["PSCAN"]
PSCAN_MPI = os.environ["PSCAN_MPI"]
TILE = 4096
RANKS = [1, 2, 3, 7]
SIZES = {"i8": 1, "u8": 1, "i16": 2, "u16": 2, "i32": 4, "u32": 4, "i64": 8, "u64": 8, "f32": 4, "f64": 8}
OF_FLOATS = ["ema:0.125"]
TAKE_SEED = ["sum", "prod", "max", "min", "and", "or", "xor"]
# So many launchers at a time: they wait for more than half of theirs.
JOBS = 2 * len(os.sched_getaffinity(0))
LAUNCH = ["mpirun", "--oversubscribe", "--bind-to", "none"]
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_btl": "self,vader", "HWLOC_COMPONENTS": "-opencl,-gl", "PSCAN_DEVICE": "none"}


def outcome(command, output):
    """Exit code, pscan's messages (the launcher has its own), standard output, and the output's bytes or None."""
    done = subprocess.run(command, capture_output=True, check=False, timeout=1200, env=ENVIRONMENT, stdin=subprocess.DEVNULL)
    messages = [line for line in done.stderr.decode(errors="replace").splitlines() if line.startswith("pscan: ")]
    content = None
    if os.path.exists(output):
        with open(output, "rb") as file:
            content = file.read()
        os.remove(output)
    return done.returncode, messages, done.stdout, content


def bgzf(data, rng):
    """The data as bgzip packs them: members of at most 64 KiB that say their sizes, and an empty one."""
    packed = b""
    parts = []
    while data:
        size = rng.choice([65280, 65280, 3000, 100000 // (1 + len(parts))])
        parts.append(data[:min(size, 65280)])
        data = data[len(parts[-1]):]
    for part in parts + [b""]:
        compressor = zlib.compressobj(wbits=-15)
        body = compressor.compress(part) + compressor.flush()
        packed += (b"\x1f\x8b\x08\x04\0\0\0\0\0\xff\x06\0BC\x02\0" + struct.pack("<H", len(body) + 25) + body
                   + struct.pack("<II", zlib.crc32(part), len(part)))
    return packed


def damaged(packed, rng):
    """BGZF with a wrong byte, cut off, or with something after it: what is wrong is for one process to say, or nothing
    is."""
    how = rng.randrange(6)
    at = rng.randrange(len(packed))
    if how == 0:
        return packed[:at] + bytes([packed[at] ^ 255]) + packed[at + 1:]
    if how == 1:
        return packed[:max(1, at)]
    if how == 2:
        return packed[:-1 - rng.randrange(min(60, len(packed) - 1))]
    return packed + [bytes(700), b"no member\n", gzip.compress(b"1\n2\n3\n4\n" * 2)][how - 3]


def random_bytes(rng, kind, count):
    """Elements of a type, of which sums do not soon overflow; sometimes any bytes at all."""
    if rng.random() < 0.1:
        return rng.randbytes(count * SIZES[kind])
    if kind in ("f32", "f64"):
        numpy_kind = "f4" if kind == "f32" else "f8"
        values = NUMPY.random.default_rng(rng.randrange(2**32)).normal(size=count) * 10.0 ** rng.randrange(-3, 9)
        if count > 0 and rng.random() < 0.1:
            values[rng.randrange(count)] = rng.choice([float("nan"), float("inf"), -0.0])
        return values.astype(numpy_kind).tobytes()
    low, high = (0, 2) if rng.random() < 0.5 else (0 if kind[0] == "u" else -2, 3)
    return NUMPY.random.default_rng(rng.randrange(2**32)).integers(low, high, size=count).astype(kind.replace("i", "int").replace("u", "uint")).tobytes()


def with_nans(rng, kind, data):
    """Returns the numbers with NaNs among them, few ones or long stretches."""
    elements = NUMPY.frombuffer(data, {"f32": "<f4", "f64": "<f8", "f32be": ">f4", "f64be": ">f8"}[kind]).copy()
    for _ in range(rng.choice([0, 1, 5, 100])):
        at = rng.randrange(len(elements) + 1)
        elements[at:at + rng.choice([1, 1, 1, 2 * TILE])] = float("nan")
    return elements.tobytes()


def random_count(rng):
    """Sizes around tiles, and of none and a few."""
    return max(0, rng.choice([0, 1, 5, TILE, 2 * TILE, 3 * TILE, 7 * TILE, 8 * TILE, rng.randrange(20 * TILE), rng.randrange(20 * TILE)]) + rng.choice([-1, 0, 0, 1]))


def draw_elements(rng, directory):
    """Options and the names of the files, which are written."""
    kind = rng.choice(list(SIZES))
    operators = COMMON + (OF_FLOATS if kind[0] == "f" else BITWISE)
    chosen = rng.sample(operators, rng.choice([1, 1, 1, 2, 3]))
    columns = rng.choice([1, 1, 1, 2, 3, 5, 13, 40])
    if kind[0] == "f" and rng.random() < 0.1:
        chosen, columns = ["linrec"], 2
    order = rng.choice(["", "", "", "be"]) if SIZES[kind] > 1 else ""
    options = ["-t", kind + order, "-op", ",".join(chosen)]
    if rng.random() < 0.2 and kind in ("i8", "u8", "i16", "u16", "i32", "f32"):
        options[1] += rng.choice([":i64", ":f64"]) if kind[0] != "f" else ":f64"
    if columns > 1:
        options += ["-c", str(columns)]
        if rng.random() < 0.2:
            options += ["-f", "2"]
    options += rng.choice([[], [], ["-e"], ["-e"], ["--include-initial"]])
    if rng.random() < 0.3 and all(op in TAKE_SEED for op in chosen):
        options += ["--seed", rng.choice(["0", "1", "3"])]
    if rng.random() < 0.2:
        options += ["--total"]
    elif rng.random() < 0.1 and "--include-initial" not in options:
        options += [f"--reset-every={rng.choice([1, 3, 100, TILE, 5000, 10**15])}"]
    spoils = kind[0] == "f" and not {"argmax", "argmin"} & set(chosen) and rng.random() < 0.3
    if spoils:
        options += [f"--nan={rng.choice(['keep', 'keep', 'hold', 'hold', 'fail', '7', 'propagate'])}"]
    if rng.random() < 0.5:
        options += ["--overflow=wrap"]
    if rng.random() < 0.15:
        options += ["--algorithm=hillis-steele"]
    if rng.random() < 0.3:
        options += ["--chunk-size", rng.choice(["1K", "32K", "100K"])]
    if rng.random() < 0.1 and order == "":
        options += ["--output-format=text"]
    options += ["-T", str(rng.choice([1, 2, 3]))]
    records = min(random_count(rng), 4 * TILE if columns > 5 else 20 * TILE)
    if records < 1000 or rng.random() < 0.2:
        options += ["--format=binary"]  # a few bytes may look like text
    data = random_bytes(rng, kind, records * columns)
    if spoils:
        data = with_nans(rng, kind + order, data)
    if len(data) < TILE or rng.random() < 0.5:
        options += ["--format=binary"]  # a few bytes may be text
    cuts = sorted(rng.randrange(records + 1) * columns * SIZES[kind] for _ in range(rng.choice([0, 0, 0, 1, 2])))
    names = []
    for i, (begin, end) in enumerate(zip([0] + cuts, cuts + [len(data)])):
        part = data[begin:end] + (b"x" if end > begin and rng.random() < 0.03 else b"")
        names.append(os.path.join(directory, f"in{i}"))
        if rng.random() < 0.1:
            part = bgzf(part, rng)
            if rng.random() < 0.3:
                part = damaged(part, rng)
        with open(names[-1], "wb") as file:
            file.write(part)
    if rng.random() < 0.03:
        names.insert(rng.randrange(len(names) + 1), os.path.join(directory, "nothing"))
    return options, names


def draw_arrays(rng, directory):
    """The same of .npy files."""
    kind = rng.choice(["int32", "int64", "float32", "float64", ">f8", ">i4"])
    options = ["-op", ",".join(rng.sample(["sum", "max", "count", "mean", "argmax", "delta"], rng.choice([1, 1, 2])))]
    options += rng.choice([[], [], ["-e"], ["--include-initial"], ["--total"]])
    resets = [] if "--total" in options else ["--reset-every=1000", "--reset-at=1"]  # how many totals there are shows in the end
    options += rng.choice([[], [], [], *([word] for word in ["--axis=0", "--axis=-1", "--output-format=binary", "--output-format=text", *resets])])
    if rng.random() < 0.3:
        options += ["--chunk-size", rng.choice(["1K", "32K"])]
    rest = rng.choice([(), (), (1,), (3,), (2, 2), (40,)])
    names = []
    for i in range(rng.choice([1, 1, 2, 3])):
        array = NUMPY.random.default_rng(rng.randrange(2**32)).normal(size=(random_count(rng) // (1 + len(rest) * 2), *rest)) * 100
        names.append(os.path.join(directory, f"in{i}"))
        with open(names[-1], "wb") as file:
            NUMPY.save(file, array.astype(kind) if rng.random() < 0.97 else array.astype("f2"))
            if rng.random() < 0.1:
                file.write(b"after it")
            if rng.random() < 0.1:
                file.truncate(rng.randrange(file.tell()))
    if rng.random() < 0.1:
        with open(names[0], "wb") as file:
            file.write(random_bytes(rng, "f32", max(1, random_count(rng))))  # of nothing the number of results is "not supported yet"
        return [*options, "-t", "f32", "--format=binary", "--output-format=npy"], names[:1]
    return options, names


def draw(rng, directory):
    """One of both."""
    return (draw_arrays if rng.random() < 0.2 else draw_elements)(rng, directory)


def differ(ranks, options, names, output, wanted, is_same):
    """Returns what is wrong with the ranks' outcome, or None."""
    got = outcome([*LAUNCH, "-n", str(ranks), PSCAN_MPI, *options, "-o", output, *names], output)
    left = [name for name in os.listdir(os.path.dirname(output)) if name.startswith(".")]
    if is_same(wanted, got) and not left:
        return None
    shown = [(code, messages[:3], out[:80], None if content is None else len(content)) for code, messages, out, content in (wanted, got)]
    return f"{ranks} ranks: {' '.join(options)} of {len(names)} files: wanted {shown[0]}, got {shown[1]}, left {left}"


def side_by_side(function, items):
    """What the function gives for each item, in their order, several at a time."""
    with ThreadPoolExecutor(JOBS) as pool:
        yield from pool.map(function, items)


def end(failures, cases):
    """Prints the failures and how many cases passed and failed, and ends."""
    failed = 0
    for failure in filter(None, failures):
        print(failure, flush=True)
        failed += 1
    print(f"{cases - failed} passed, {failed} failed")
    sys.exit(failed > 0)


def too_few(codes):
    """Reports exit codes of the single program that are seldom 0: most random cases are to be scans that succeed, or
    nothing was tested."""
    if len(codes) >= 20 and codes.count(0) <= len(codes) / 2:
        yield f"exit codes of the single program: {codes}"


def single(options, names, output):
    """The outcome of the single program."""
    return outcome([PSCAN, *options, "-o", output, *names], output)


def fixed_case(directory, is_same, ranks, options, *files):
    """What differs in a case whose files are lists of lines, or None."""
    names = [os.path.join(directory, f"in{i}") for i in range(len(files))]
    for name, lines in zip(names, files):
        with open(name, "wb") as file:
            file.write("".join(line + "\n" for line in lines).encode())
    output = os.path.join(directory, "out")
    wanted = single(options, names, output)
    if wanted[0] == 2:
        return f"{' '.join(options)}: refused: {wanted[1]}"
    return differ(ranks, options, names, output, wanted, is_same)


def random_case(directory, is_same, ranks, draw, rng, takes_refused):
    """How the single program ended in a random case, and what differs or None. Command lines that it refuses are drawn
    again unless takes_refused."""
    output = os.path.join(directory, "out")
    while True:
        options, names = draw(rng, directory)
        wanted = single(options, names, output)
        if wanted[0] != 2 or takes_refused:
            return wanted[0], differ(ranks, options, names, output, wanted, is_same)
        for name in os.listdir(directory):
            os.remove(os.path.join(directory, name))


def equal(wanted, got):
    """Whether outcomes are equal."""
    return wanted == got


def run_cases(fixed, draw, ranks, is_same=equal):
    """Runs fixed and random cases as the arguments `SEED CASES [ONLY]` say, prints what differs, and ends. ONLY: the
    number of the one random case to run.

    fixed: arguments of fixed_case, from ranks on. draw(rng, directory) writes files there, and returns options and the
    names of the files. ranks: how many, which random cases take in turn. is_same(wanted, got) compares outcomes."""
    rng = random.Random(int(sys.argv[1]))
    drawn = [(number, rng.randrange(2**32)) for number in range(int(sys.argv[2]))]
    if len(sys.argv) > 3:
        fixed, drawn = [], [drawn[int(sys.argv[3])]]
    codes = []

    def run_fixed(case):
        with tempfile.TemporaryDirectory() as directory:
            return fixed_case(directory, is_same, *case)

    def run_random(number, seed):
        with tempfile.TemporaryDirectory() as directory:
            code, failure = random_case(directory, is_same, ranks[number % len(ranks)], draw, random.Random(seed), number % 21 == 0)
        codes.append(code)
        return failure and f"case {number}: {failure}"

    tasks = [*(lambda case=case: run_fixed(case) for case in fixed), *(lambda case=case: run_random(*case) for case in drawn)]
    end(itertools.chain(side_by_side(lambda task: task(), tasks), too_few(codes)), len(tasks))


if __name__ == "__main__":
    import numpy as NUMPY
    run_cases([], draw, RANKS)
