#!/usr/bin/python3
"""table.py [DIRECTORY]: prints the stored results as Markdown: the newest row of every case on every machine."""
import os
import sys

from machine import HERE
from rows import COST_FILES, Row, device_label, human_bytes, newest, read_rows

HEADER = ("case", "device", "pscan", "peer", "peer's", "ratio", "must", "commit")


def cell(text: str) -> str:
    """Text that does not end a table's cell."""
    return text.replace("|", "\\|")


def code(text: str) -> str:
    """A command as Markdown code, or a dash."""
    return text if text == "-" else f"`{cell(text)}`"


def with_unit(row: Row, name: str) -> str:
    """A figure with its unit, or a dash."""
    return row[name] if row[name] == "-" else f"{row[name]} {row['unit']}"


def case_name(row: Row) -> str:
    """The case and the size of its input."""
    size = int(row["size_bytes"])
    return f"{row['case']}, {human_bytes(size)}" if size else row["case"]


def line(row: Row) -> tuple[str, ...]:
    """One row's cells."""
    must = row["must"] + (" (missed)" if row["reached"] == "no" else "")
    return (cell(case_name(row)), cell(device_label(row)), with_unit(row, "median"), code(row["peer"]),
            with_unit(row, "peer_median"), row["ratio"], must, row["commit"])


def main() -> int:
    """One table for each machine."""
    directory = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "results")
    rows = [row for name in COST_FILES for row in read_rows(os.path.join(directory, name))]
    rows = newest(rows, "machine", "cores", "device", "case", "size_bytes")
    for machine, cores in dict.fromkeys((row["machine"], row["cores"]) for row in rows):
        mine = [row for row in rows if (row["machine"], row["cores"]) == (machine, cores)]
        dates = sorted({row["date"][:10] for row in mine})
        print(f"{machine}, {cores} cores, {' to '.join(dict.fromkeys((dates[0], dates[-1])))}:\n")
        print(f"| {' | '.join(HEADER)} |")
        print("|" + "---|" * len(HEADER))
        for row in mine:
            print(f"| {' | '.join(line(row))} |")
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
