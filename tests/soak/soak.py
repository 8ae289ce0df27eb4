#!/usr/bin/python3
"""Random scenarios through pscan for a given time; every outcome must be what the oracles in tests/tools expect.

    PSCAN=build/pscan soak.py [--minutes N | --seconds N | --count N] [--seed S] [--jobs N] [--scenario N]
            [--device D]... [--without-pocl]

Types, operators, engines, chunks, threads, pipes, files, gzip and faults are drawn at random. Scenario N of seed S is
always the same one (--scenario plays that one alone) on machines with the same tools and devices. After a failure the
inputs, the command line and both outputs are kept in $BUILD/soak. --device names a further device, as -D takes it.
Needs python3 and numpy. Without PoCL or the layer of tests/fault the scenarios that need them are left out.
"""
import argparse
import itertools
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests/tools"))
sys.dont_write_bytecode = True

try:
    import numpy  # noqa: F401  pylint: disable=unused-import
except ModuleNotFoundError:
    sys.exit(f"soak: {sys.executable} has no numpy, which the oracles need; PYTHON= names another python3")

from play import Tools, play  # noqa: E402  pylint: disable=wrong-import-position


def find_tools(devices, without_pocl):
    """What there is to play with."""
    build = Path(os.environ.get("BUILD", ROOT / "build")).resolve()
    pscan = os.environ.get("PSCAN", str(build / "pscan"))
    if os.path.dirname(pscan):
        pscan = os.path.abspath(pscan)
    layer = build / "fault/opencl_layer.so"
    cache = build / "soak/cache"
    cache.mkdir(mode=0o700, parents=True, exist_ok=True)

    def works(*options):
        return subprocess.run([pscan, *options], input=b"1\n", capture_output=True, check=False).returncode == 0

    options = tuple(option for option in ("--verify", "--no-sandbox") if works("-D", "none", option))
    return build, Tools(pscan, str(cache), str(layer) if layer.exists() else None, not without_pocl and works("-D", "cpu"),
                        tuple(devices), options)


class Tally:
    """Counts what was played."""

    def __init__(self):
        self.kinds, self.engines = Counter(), Counter()
        self.passed = self.failed = self.faults = self.elements = 0
        self.slowest = (0.0, 0)

    def take(self, result):
        """One more."""
        self.kinds[result.kind] += 1
        self.engines[result.engine] += 1
        self.faults += result.fault
        self.elements += result.elements
        self.slowest = max(self.slowest, (result.seconds, result.number))
        if result.problem is None:
            self.passed += 1
        else:
            self.failed += 1
            print("not ok -", result.problem, flush=True)

    def report(self, seed):
        """The last lines."""
        for counter in (self.kinds, self.engines):
            print(", ".join(f"{name}: {count}" for name, count in sorted(counter.items())))
        print(f"slowest: scenario {self.slowest[1]}, {self.slowest[0]:.1f} s")
        print(f"{self.passed + self.failed} scenarios, {self.elements} elements, {self.faults} faults, seed {seed}, "
              f"{self.failed} failed")


def soak(given, tools, work, kept):
    """Plays until the time is over; the tally."""
    tally = Tally()
    end = time.monotonic() + given.seconds
    numbers = [given.scenario] if given.scenario is not None else range(given.count) if given.count else itertools.count()
    numbers = iter(numbers)
    with ProcessPoolExecutor(given.jobs) as pool:
        running = set()
        try:
            while True:
                while len(running) < 2 * given.jobs and time.monotonic() < end and (number := next(numbers, None)) is not None:
                    running.add(pool.submit(play, given.seed, number, tools, work, kept))
                if not running:
                    return tally
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for one in done:
                    tally.take(one.result())
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
            print("interrupted")
            return tally


def main():
    """Soaks."""
    parser = argparse.ArgumentParser(description="Random scenarios through pscan.")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--count", type=int, help="so many scenarios at most")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--jobs", type=int, default=1 + (os.cpu_count() or 1))
    parser.add_argument("--scenario", type=int)
    parser.add_argument("--device", action="append", default=[])
    parser.add_argument("--without-pocl", action="store_true", help="no scenarios on PoCL, whose start is most of the time")
    given = parser.parse_args()
    if given.seconds is None:
        given.seconds = 60 * given.minutes
    build, tools = find_tools(given.device, given.without_pocl)
    left_out = (["PoCL"] if not tools.has_cpu else []) + (["the OpenCL layer"] if tools.layer is None else [])
    print(f"seed {given.seed}, {given.jobs} jobs" + "".join(f"; without {name}" for name in left_out), flush=True)
    with tempfile.TemporaryDirectory(prefix="soak-") as work:
        tally = soak(given, tools, work, build / "soak")
    tally.report(given.seed)
    print(f"{tally.passed} passed, {tally.failed} failed, {len(left_out)} skipped")
    return 0 if tally.failed == 0 and tally.passed > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
