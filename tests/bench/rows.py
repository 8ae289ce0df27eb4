"""Stored results: tab-separated rows under a header line, one file for each kind of run.

A row belongs to a machine and a commit. A new measurement of the same case on the same machine and commit replaces it.
"""
import os

RUN = ("machine", "cores", "device", "driver", "date", "commit")
COST_COLUMNS = RUN + ("case", "size_bytes", "rounds", "unit", "median", "min", "max", "peer", "peer_median", "ratio",
                      "must", "reached")
CHUNK_COLUMNS = RUN + ("chunk_bytes", "size_bytes", "rounds", "unit", "median", "min", "max")
CURVE_COLUMNS = ("machine", "device", "date", "commit", "algorithm", "n", "seconds", "type", "runs", "least", "greatest")
KEYS = ("machine", "cores", "device", "commit", "case", "size_bytes", "chunk_bytes", "algorithm", "n")
COST_FILES = ("cost.tsv", "lanes.tsv", "memory.tsv", "flat.tsv", "text.tsv", "json.tsv", "programs.tsv", "keys.tsv",
              "expressions.tsv", "everyday.tsv", "gpu.tsv")

Row = dict[str, str]


def number(value: float) -> str:
    """Four significant digits, never an exponent for what is measured here."""
    digits = f"{value:.4g}"
    return digits if "e" not in digits else f"{value:.0f}" if value > 1 else f"{value:.9f}"


def human_bytes(value: int) -> str:
    """A size in the greatest unit that divides it, such as 16 MiB."""
    for shift, unit in ((30, "GiB"), (20, "MiB"), (10, "KiB")):
        if value and value % (1 << shift) == 0:
            return f"{value >> shift} {unit}"
    return f"{value} B"


def read_rows(path: str) -> list[Row]:
    """The rows of a file, oldest first; none if there is no file."""
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return parse_rows(file.read())


def parse_rows(text: str) -> list[Row]:
    """Rows from text whose first line is the header."""
    header, *lines = text.splitlines() or [""]
    names = header.split("\t")
    return [dict(zip(names, line.split("\t"))) for line in lines if line]


def key(row: Row) -> tuple[str, ...]:
    """What rows have in common that replace each other."""
    return tuple(row.get(name, "") for name in KEYS)


def store_rows(path: str, columns: tuple[str, ...], new: list[Row]) -> None:
    """Adds rows to a file, in place of those that they replace."""
    keys = {key(row) for row in new}
    rows = [row for row in read_rows(path) if key(row) not in keys] + new
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + ".new", "w", encoding="utf-8") as file:
        print(*columns, sep="\t", file=file)
        for row in rows:
            print(*(" ".join(row.get(name, "").split()) for name in columns), sep="\t", file=file)
    os.replace(path + ".new", path)


def newest(rows: list[Row], *names: str) -> list[Row]:
    """Of the rows that agree in the named columns the newest, where the first of them stood."""
    found: dict[tuple[str, ...], Row] = {}
    for row in rows:
        place = tuple(row.get(name, "") for name in names)
        if place not in found or row["date"] >= found[place]["date"]:
            found[place] = row
    return list(found.values())


def device_label(row: Row) -> str:
    """A device's name, short enough for a legend."""
    name = row["device"]
    # PoCL's devices are named after its drivers and the processor.
    return "PoCL" if name.startswith(("pthread", "basic", "cpu-")) else name
