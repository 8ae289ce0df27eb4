"""Shared by the suites of data_cases.py: the data, pscan, and the count of passed cases."""
import collections
import gzip
import hashlib
import json
import os
import subprocess
import sys

DATA = os.environ["PSCAN_DATA_DIR"]
HOST = ["-D", "none"]
DTYPES = {"i8": "int8", "u8": "uint8", "f32": "float32", "f64": "float64"}
DTYPES.update({sign + bits: name + bits for sign, name in (("i", "int"), ("u", "uint")) for bits in ("16", "32", "64")})


def path_of(name):
    """A file of the data."""
    return os.path.join(DATA, name)


def cases(name):
    """The cases of one file."""
    with open(path_of(f"cases/{name}.json"), encoding="utf-8") as file:
        return json.load(file)


def read_file(name):
    """The bytes of a file of the data, inflated if its name says so."""
    with (gzip.open if name.endswith(".gz") else open)(path_of(name), "rb") as file:
        return file.read()


def sha256(data):
    """The digest as the cases have it."""
    return hashlib.sha256(data).hexdigest()


def run(arguments, data=None):
    """pscan's exit code, output and messages."""
    done = subprocess.run([os.environ["PSCAN"]] + arguments, input=data, capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr.decode(errors="replace")


class Tally:
    """Counts what passed and what was skipped, and tells what failed."""

    def __init__(self):
        self.passed = 0
        self.failed = 0
        self.skipped = collections.Counter()

    def skip(self, reason, count=1):
        """Cases that pscan cannot express."""
        self.skipped[reason] += count

    def check(self, name, *problems):
        """One case; it passed if no problem is true."""
        problems = [problem for problem in problems if problem]
        if problems:
            self.failed += 1
            print(f"{name}: {problems[0]}", file=sys.stderr)
        else:
            self.passed += 1

    def summary(self):
        """The one line."""
        text = f"{self.passed} passed"
        text += f", {self.failed} failed" if self.failed else ""
        reasons = ", ".join(f"{reason}: {count}" for reason, count in sorted(self.skipped.items()))
        return text + (f", {sum(self.skipped.values())} skipped ({reasons})" if reasons else "")


def unlike(got, want, what):
    """A problem if two values differ."""
    return f"{what} is {str(got)[:200]}, not {str(want)[:200]}" if got != want else None
