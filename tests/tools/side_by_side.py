"""Runs the tables "Coming from ..." of a page: side_by_side.py PAGE. Both sides of each row must give the same.

awk and Miller are commands: the same lines, in any order where awk lists an array. An expression of SQL, pandas or
numpy gives the column that pscan appends, or the array that it writes. What is not installed is left out, except that
pscan must take its command. Prints the rows that differ and, at last, how many rows there were and were compared.
"""
import csv
import importlib.util
import io
import math
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

import numpy as np


def shell(command):
    """What a command prints."""
    done = subprocess.run(["sh", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        return f"exit {done.returncode}: ".encode() + done.stdout
    return done.stdout


def last_column(output):
    """The column that pscan appended: numbers, NaN where there is none."""
    rows = list(csv.reader(io.StringIO(output.decode())))
    return [float(row[-1] or "nan") for row in rows[1:]]


def numbers(values):
    """Numbers of any library, NaN where there is none."""
    return [math.nan if value is None else float(value) for value in values]


def close(left, right):
    """Whether two columns are equal but for the last bits."""
    return len(left) == len(right) and np.allclose(left, right, rtol=1e-12, atol=0, equal_nan=True)


def cells(output):
    """The cells of all lines, numbers as such."""
    return [[float(cell) if re.fullmatch(r"-?[0-9.]+", cell) else cell for cell in re.split("[ ,]", line)]
            for line in output.decode().splitlines()]


def command(theirs, output):
    """awk or Miller: -7.0 is as good as -7."""
    is_array = "for (k in s)" in theirs
    theirs, ours = cells(shell(theirs)), cells(output)
    return sorted(theirs) == sorted(ours) if is_array else theirs == ours


def sql(theirs, output):
    """An expression over the table t."""
    base = sqlite3.connect(":memory:")
    base.execute("create table t (n integer, who text, amount real)")
    with open("t.csv", encoding="utf-8") as file:
        base.executemany("insert into t values (?, ?, ?)", list(csv.reader(file))[1:])
    ours = last_column(output)
    theirs = numbers(value for value, in base.execute(f"select {theirs} from t order by t.n"))
    return close(theirs, ours)


def pandas(theirs, output):
    """An expression of the data frames df, gaps and days."""
    import pandas as pd  # pylint: disable=import-outside-toplevel,import-error
    frames = {"df": pd.read_csv("t.csv"), "gaps": pd.read_csv("gaps.csv"), "days": pd.read_csv("days.csv", parse_dates=["time"])}
    return close(numbers(eval(theirs, frames)), last_column(output))  # pylint: disable=eval-used


def numpy(theirs, output):
    """An expression of the arrays."""
    arrays = {name: np.load(f"{name}.npy") for name in ("x", "y", "m", "mask", "small")}
    theirs = eval(theirs, {"np": np, **arrays})  # pylint: disable=eval-used
    ours = np.load(io.BytesIO(output))
    return ours.shape == theirs.shape and close(theirs.ravel().tolist(), ours.ravel().tolist())


def compare(tool):
    """The function for a tool that is here, or None."""
    return {"awk": command, "Miller": command if shutil.which("mlr") else None, "SQL": sql, "numpy": numpy,
            "pandas": pandas if importlib.util.find_spec("pandas") else None, "xan": None}[tool]


def main():
    """All tables of a page."""
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    count = compared = failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        for name, content in re.findall(r"^`(t\.[a-z]+|gaps\.csv|days\.csv)`:\n\n```\n(.*?)^```$", text, re.M | re.S):
            with open(name, "w", encoding="utf-8") as file:
                file.write(content)
        np.save("x.npy", np.array([3.0, 1.0, 4.0, 1.0, 5.0]))
        np.save("y.npy", np.array([3.0, np.nan, 4.0]))
        np.save("small.npy", np.array([2**31 - 1, 1, 5], dtype=np.int32))
        np.save("m.npy", np.arange(6.0).reshape(2, 3))
        np.save("mask.npy", np.array([True, False, True]))
        for tool, rows in re.findall(r"^\| job \| (\w+) \| pscan \|\n\|---\|---\|---\|\n((?:\|.*\n)+)", text, re.M):
            for job, theirs, ours in re.findall(r"^\| (.*?) \| `(.*)` \| `(.*)` \|$", rows, re.M):
                output = shell(ours.replace(r"\|", "|"))
                same = compare(tool)
                count += 1
                compared += same is not None
                if output.startswith(b"exit ") or (same and not same(theirs.replace(r"\|", "|"), output)):
                    failed += 1
                    print(f"{tool}, {job}: {theirs}\n{ours}:\n{output.decode(errors='replace')}")
    print(f"{count} rows, {compared} compared, {failed} differ")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
