"""Random arrays through pscan, compared with numpy's own scans: types, byte orders, versions, shapes up to 4-D with
sizes of 0 and 1, all axes, files, pipes and redirections.

Usage: npy_cases.py SEED COUNT [OPTION...]
"""
import io
import os
import random
import subprocess
import sys

import numpy as np

SIZES = (0, 1, 1, 2, 3, 5, 7, 13, 40)
TYPES = "i1 u1 i2 u2 i4 u4 i8 u8 f4 f8".split()
KINDS = ("sum", "max", "min", "xor", "exclusive", "total")


def accumulate(kind, array, axis, is_reversed):
    """Returns numpy's result, of --reverse if is_reversed. Numbers are small integers, also as floats, so every order
    of adding gives one result."""
    native = array.dtype.newbyteorder("=")
    flat = array.reshape(-1) if axis is None else array
    along = 0 if axis is None else axis
    if kind == "total":
        return np.asarray(np.sum(array, axis=axis, dtype=native))
    if is_reversed:
        return np.flip(accumulate(kind, np.flip(flat, along), along, False), along).reshape(array.shape)
    ufunc = {"max": np.maximum, "min": np.minimum, "xor": np.bitwise_xor}.get(kind, np.add)
    result = ufunc.accumulate(flat.astype(native), axis=along, dtype=native)
    if kind == "exclusive":
        result = result - flat.astype(native)
    return result.reshape(array.shape)


def run(pscan, options, data, how):
    """Status, output and messages, of an array from a file, a pipe, to a redirection, or to -o."""
    with open("in.npy", "wb") as file:
        file.write(data)
    if how == "pipe":
        result = subprocess.run([pscan] + options, input=data, capture_output=True, check=False)
        return result.returncode, result.stdout, result.stderr.decode()
    if how == "file":
        result = subprocess.run([pscan] + options + ["in.npy"], capture_output=True, check=False)
        return result.returncode, result.stdout, result.stderr.decode()
    arguments = [pscan] + options + (["-o", "out.npy"] if how == "output" else []) + ["in.npy"]
    with open("out.npy" if how == "redirection" else os.devnull, "wb") as out:
        result = subprocess.run(arguments, stdout=out, stderr=subprocess.PIPE, check=False)
    with open("out.npy", "rb") as file:
        return result.returncode, file.read(), result.stderr.decode()


def try_one(choose, pscan, more):
    """Tries one array. Returns what is wrong, or None."""
    shape = tuple(choose.choice(SIZES) for _ in range(choose.randint(0, 4)))
    dtype = np.dtype(choose.choice("<>") + choose.choice(TYPES))
    values = [choose.randint(0 if dtype.kind == "u" else -50, 50) for _ in range(int(np.prod(shape, dtype=int)))]
    array = np.array(values).reshape(shape).astype(dtype)
    axis = choose.choice([None] + list(range(-len(shape), len(shape)))) if shape else None
    kind = choose.choice([k for k in KINDS if k != "xor" or dtype.kind != "f"])
    how = choose.choice(("file", "pipe", "redirection", "output"))
    options = ["-op", "sum" if kind in ("exclusive", "total") else kind, "--overflow=wrap", "-T", str(choose.randint(1, 4)),
               "--chunk-size", choose.choice(("1", "4K", "1M"))] + more
    options += {"exclusive": ["-e"], "total": ["--total"]}.get(kind, []) + ([] if axis is None else [f"--axis={axis}"])
    is_reversed = choose.random() < 0.25
    options += ["-r"] if is_reversed else []
    file = io.BytesIO()
    np.lib.format.write_array(file, array, version=choose.choice(((1, 0), (2, 0), (3, 0))))
    status, output, messages = run(pscan, options, file.getvalue(), how)
    case = f"{dtype.str} {shape} {how} {' '.join(options)}"
    if status != 0 or messages != "":
        return f"{case}: {status} {messages}"
    want = accumulate(kind, array, axis, is_reversed)
    got = np.load(io.BytesIO(output))
    if (got.dtype, got.shape) != (dtype, want.shape) or not np.array_equal(got, want):
        return f"{case}: {got.dtype.str} {got.shape}, wanted {want.shape}"
    # The numbers begin where numpy aligns them.
    return None if (len(output) - want.nbytes) % 64 == 0 else f"{case}: {len(output)} bytes"


def main():
    choose = random.Random(int(sys.argv[1]))
    count = int(sys.argv[2])
    np.seterr(all="ignore")
    wrong = [w for w in (try_one(choose, os.environ["PSCAN"], sys.argv[3:]) for _ in range(count)) if w is not None]
    print("\n".join(wrong), file=sys.stderr)
    print(f"{count} arrays, {len(wrong)} wrong")


if __name__ == "__main__":
    main()
