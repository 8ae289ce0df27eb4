#!/usr/bin/env python3
"""The files of JSONTestSuite, each as a member of a line that pscan --json reads. What RFC 8259 allows must be scanned;
what it does not allow must be an error of that line.

    json_suite.py PSCAN DIRECTORY

The name of a file says what it is: y_ is JSON, n_ is not, i_ is up to the reader. Files with line feeds are left out,
because a line is a record; so are those in UTF-16 and UTF-32, which RFC 8259 no longer allows. Prints how many files of
each kind there were.
"""
import subprocess
import sys
from collections import Counter
from pathlib import Path


def main():
    """Tries each file together with a line that is JSON."""
    pscan, directory = sys.argv[1:]
    count = Counter()
    for path in sorted(Path(directory).glob("[yni]_*.json")):
        value = path.read_bytes().removesuffix(b"\n")
        kind = path.name[0]
        if b"\n" in value or "utf16" in path.name or "utf32" in path.name:
            continue
        done = subprocess.run([pscan, "--json", "-f", "n"], input=b'{"n":2}\n{"v":' + value + b',"n":5}\n', capture_output=True,
                              check=False)
        is_read = done.returncode == 0 and done.stdout == b'{"n_sum":2}\n{"n_sum":7}\n' and not done.stderr
        is_refused = done.returncode == 1 and done.stdout == b'{"n_sum":2}\n' and b": line 2, column " in done.stderr
        assert is_read or is_refused, (path.name, done)
        assert kind == "i" or is_read == (kind == "y"), (path.name, done)
        count[kind] += 1
    print(", ".join(f"{count[kind]} {kind}" for kind in "yni"))


if __name__ == "__main__":
    main()
