#!/usr/bin/env python3
"""Daily runs with --state and -o that are killed at random moments and run again: no day may be lost or counted twice.

Usage: state_kills.py SEED KILLS. PSCAN: the program.
"""
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

PSCAN = os.environ["PSCAN"]
DAY = 100000  # numbers: some milliseconds


def day_of(rng, folder, number):
    """A day's file, and its numbers."""
    numbers = [rng.randrange(-1000, 1000) for _ in range(DAY)]
    name = os.path.join(folder, f"day{number}")
    with open(name, "w", encoding="ascii") as file:
        file.write("\n".join(map(str, numbers)) + "\n")
    return name, numbers


def run_killed(rng, command, usual):
    """One run that is killed, perhaps, after a part of the usual time. Its exit code."""
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        time.sleep(rng.uniform(0, 1.3) * usual)
        process.kill()
        return process.wait()


def main():
    """Runs days until this number of kills has happened."""
    rng = random.Random(sys.argv[1])
    kills, wanted, days, total = 0, int(sys.argv[2]), 0, 0
    usual = 0.02
    with tempfile.TemporaryDirectory() as folder:
        state = os.path.join(folder, "state")
        while kills < wanted:
            days += 1
            day, numbers = day_of(rng, folder, days)
            out = os.path.join(folder, "out")
            command = [PSCAN, "-D", "none", f"--state={state}", "-o", out, day]
            code = -signal.SIGKILL
            while code == -signal.SIGKILL and kills < wanted:
                code = run_killed(rng, command, usual)
                kills += code == -signal.SIGKILL
            # Once more by mistake, or for the first time to its end.
            begin = time.monotonic()
            assert subprocess.run(command, check=False, stderr=subprocess.DEVNULL).returncode == 0
            usual = 0.9 * usual + 0.1 * (time.monotonic() - begin)
            with open(out, encoding="ascii") as file:
                got = list(map(int, file))
            for i, n in enumerate(numbers):
                total += n
                assert got[i] == total, f"day {days}, number {i}: {got[i]}, not {total}"
            assert len(got) == len(numbers)
            os.remove(day)
            # A run that is killed leaves the output that it was writing.
            for name in os.listdir(folder):
                if name.startswith(".pscan-"):
                    os.remove(os.path.join(folder, name))
            assert sorted(os.listdir(folder)) == ["out", "state"], os.listdir(folder)
    print(f"{days} days, {kills} kills, 0 wrong")


if __name__ == "__main__":
    main()
