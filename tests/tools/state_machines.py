#!/usr/bin/env python3
"""Scans that are cut into runs, each by the program of another machine, must give what one machine's program gives
alone: equal output, and equal bytes of the state after each run.

Usage: state_machines.py. PSCAN: the program. NATIVE: another one, for this machine (default: PSCAN).
"""
import os
import struct
import subprocess
import tempfile

from state_layout import LINES, SCANS

PSCAN = os.environ["PSCAN"]
NATIVE = os.environ.get("NATIVE", PSCAN)
TIMES = b"".join(b"%s,%d\n" % (t, i) for i, t in enumerate([b"2024-05-01 10:00:00", b"2024-05-01 10:20:00", b"2024-05-02 09:00:00",
                                                            b"2024-05-02 09:00:01", b"2024-05-01 08:00:00", b"2024-05-01 08:10:00"]))
WIDE = b"".join(b"%d.%02d,%d\n" % (7**i, i, i % 3) for i in range(40))
SPECIAL = b"".join(b"%s,%d\n" % (v, i % 2) for i, v in enumerate([b"1e30", b"1e35", b"-0", b"nan", b"inf", b"1e-40", b"-inf", b"3"] * 4))
OPERATORS = "sum,prod,max,min,count,first,last,lag,delta,increase,range,drawdown,argmax,argmin,mean,var,std,ema:0.25"


def numbers(code, values):
    """Raw numbers of a type; their byte order is one for all machines."""
    return struct.pack(f"<{len(values)}{code}", *values)


def scans():
    """Options, and pieces of input."""
    for options in SCANS:
        yield ["-d,", *options], LINES, b"\n"
    for data in (LINES, WIDE, SPECIAL):
        field = "2" if data is LINES else "1"
        for more in ([], ["-t", "f64"], ["-t", "f32"], ["-g", "2" if field == "1" else "1"], ["--window=5"], ["--reset-every=7", "-t", "f64"]):
            yield ["-d,", "-f", field, "--nan=keep", "-op", OPERATORS, *more], data, b"\n"
            if "--window=5" not in more:
                yield ["-d,", "-f", field, "--nan=keep", "-op", "sum,max", "-e", "--seed=2", *more], data, b"\n"
    yield ["-d,", "-f2", "--reset-gap=1:30m"], TIMES, b"\n"
    values = [((i * 2654435761) % 251) - 125 for i in range(9000)]
    for code, name in (("b", "i8"), ("h", "i16le"), ("i", "i32le"), ("q", "i64le"), ("f", "f32le"), ("d", "f64le")):
        data = numbers(code, values)
        for more in (["-op", "max,last"], ["-op", "sum", "--window=300"], ["-c", "3", "-op", "mean"], ["-op", "sum", "--reset-at=7"]):
            acc = name if more[1] == "max,last" else "f64le" if code in "fd" or more[1:2] == ["3"] else "i64le"
            yield ["--format=binary", "-t", f"{name}:{acc}", "--output-format=text", *more], data, 24


def cut(data, at):
    """Three pieces: after lines, or after so many bytes."""
    if isinstance(at, bytes):
        lines = data.splitlines(keepends=True)
        third = len(lines) // 3
        return [b"".join(lines[:third]), b"".join(lines[third:2 * third + 1]), b"".join(lines[2 * third + 1:])]
    third = len(data) // 3 // at * at
    return [data[:third], data[third:2 * third], data[2 * third:]]


def run(program, options, state, data):
    """Exit code, output and messages; the state."""
    done = subprocess.run([program, "-D", "none", *options, f"--state={state}"], input=data, capture_output=True, check=False)
    assert done.returncode == 0, f"{program}: {options}: {done.stderr.decode()}"
    with open(state, "rb") as file:
        return done.returncode, done.stdout, done.stderr, file.read()


def main():
    """All scans."""
    count = 0
    for options, data, at in scans():
        for programs in ((PSCAN, NATIVE, PSCAN), (NATIVE, PSCAN, NATIVE)):
            with tempfile.TemporaryDirectory() as folder:
                for i, piece in enumerate(cut(data, at)):
                    wanted = run(NATIVE, options, os.path.join(folder, "one"), piece)
                    got = run(programs[i], options, os.path.join(folder, "several"), piece)
                    assert got == wanted, f"{options}, run {i + 1}: {got[:3]}, not {wanted[:3]}; states alike: {got[3] == wanted[3]}"
            count += 1
    print(f"{count} scans of two machines' programs in turn")


if __name__ == "__main__":
    main()
