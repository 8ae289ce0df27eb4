#!/usr/bin/python3
"""pictures.py [DIRECTORY]: draws the stored results with gnuplot, as SVG beside them.

Each series is the newest run of its kind. The host and PoCL come from one machine, GPUs from whichever has them; the
caption names machine, commit and date of each.
"""
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable

from machine import HERE
from pipeline import Failure
from rows import Row, device_label, newest, read_rows

# Colours that colour-blind readers can tell apart (Okabe and Ito), and dashes.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
ALGORITHMS = {"naive": "naive, O(n²)", "sequential": "sequential", "hillis-steele": "Hillis-Steele",
              "blelloch": "Blelloch"}
DASHES = 5
ON_THE_CPU = ("PoCL", "host")

Series = tuple[str, int, int, list[tuple[str, str]]]  # title, colour, dash, points


def home_machine(rows: list[Row]) -> str:
    """The machine whose host and PoCL are shown: the last one that has PoCL, or else any."""
    for label in ON_THE_CPU:
        there = [row for row in rows if device_label(row) == label]
        if there:
            return max(there, key=lambda row: row["date"])["machine"]
    return ""


def newest_runs(rows: list[Row], *names: str) -> dict[tuple[str, ...], list[Row]]:
    """The rows by the named columns and the device's label, each from the newest run's machine and commit alone."""
    groups: dict[tuple[str, ...], list[Row]] = {}
    home = home_machine(rows)
    for row in rows:
        label = device_label(row)
        if label not in ON_THE_CPU or row["machine"] == home:
            groups.setdefault((*(row[name] for name in names), label), []).append(row)
    for place, group in groups.items():
        last = max(group, key=lambda row: row["date"])
        groups[place] = [row for row in group if (row["machine"], row["commit"]) == (last["machine"], last["commit"])]
    return groups


def caption(groups: dict[tuple[str, ...], list[Row]]) -> str:
    """One line for each machine and commit: the devices that were measured there, and when."""
    labels: dict[tuple[str, str], list[str]] = {}
    dates: dict[tuple[str, str], str] = {}
    for place, rows in groups.items():
        cores = f", {rows[0]['cores']} cores" if "cores" in rows[0] else ""
        origin = (rows[0]["machine"] + cores, rows[0]["commit"])
        if place[-1] not in labels.setdefault(origin, []):
            labels[origin].append(place[-1])
        dates[origin] = max(dates.get(origin, ""), rows[-1]["date"])
    return "\n".join(f"{', '.join(sorted(names, key=label_order))}: {origin[0]}, commit {origin[1]}, {dates[origin][:10]}"
                     for origin, names in sorted(labels.items()))


def points(rows: list[Row], x: str, y: str) -> list[tuple[str, str]]:
    """Two columns, by rising x."""
    return sorted(((row[x], row[y]) for row in newest(rows, x)), key=lambda point: float(point[0]))


def chunk_series(rows: list[Row]) -> tuple[list[Series], str]:
    """The rate against the chunk size: one series a device."""
    groups = newest_runs(rows)
    series = [(place[0], index, 1, points(group, "chunk_bytes", "median"))
              for index, (place, group) in enumerate(sorted(groups.items(), key=lambda item: label_order(item[0][-1])))]
    return series, caption(groups)


def label_order(label: str) -> tuple[int, str]:
    """The host first, then OpenCL on the CPU, then the rest by name."""
    return (-1 - ON_THE_CPU.index(label) if label in ON_THE_CPU else 0, label)


def curve_series(rows: list[Row]) -> tuple[list[Series], str]:
    """Time against n: a colour for each algorithm, a dash for each device."""
    groups = newest_runs(rows, "algorithm")
    known = list(ALGORITHMS)
    algorithms = known + sorted({place[0] for place in groups} - set(known))
    labels = sorted({place[-1] for place in groups}, key=label_order)
    order = sorted(groups, key=lambda place: (algorithms.index(place[0]), labels.index(place[-1])))
    series = [(f"{ALGORITHMS.get(place[0], place[0])}, {place[-1]}", algorithms.index(place[0]),
               1 + labels.index(place[-1]) % DASHES, points(groups[place], "n", "seconds")) for place in order]
    return series, caption(groups)


def plain(text: str) -> str:
    """Text that gnuplot takes as it is between quotes."""
    return text.replace('"', "").replace("\\", "").replace("\t", " ")


def draw(script: str, series: list[Series], note: str, output: str) -> None:
    """Hands the series to a gnuplot script: blocks of points under their titles, colours, dashes and the caption."""
    with tempfile.TemporaryDirectory() as directory:
        data = os.path.join(directory, "data")
        with open(data, "w", encoding="utf-8") as file:
            for title, _, _, block in series:
                file.write(f'"{plain(title)}"\n' + "".join(f"{x}\t{y}\n" for x, y in block) + "\n\n")
        variables = {"data": data, "output": os.path.abspath(output), "caption": plain(note).replace("\n", "\\n"),
                     "colours": " ".join(COLOURS[colour % len(COLOURS)] for _, colour, _, _ in series),
                     "dashes": " ".join(str(dash) for _, _, dash, _ in series)}
        settings = "; ".join(f'{name} = "{value}"' for name, value in variables.items())
        settings += f"; series = {len(series)}; lines = {len(note.splitlines())}"
        done = subprocess.run(["gnuplot", "-d", "-e", settings, os.path.join(HERE, script)], check=False,
                              env=os.environ | {"LC_ALL": "C.UTF-8"})
    if done.returncode != 0:
        raise Failure(f"gnuplot {script}: ended with {done.returncode}")


PICTURES: tuple[tuple[str, str, Callable[[list[Row]], tuple[list[Series], str]]], ...] = (
    ("chunks.tsv", "chunks", chunk_series),
    ("curves.tsv", "complexity", curve_series),
)


def draw_all(directory: str) -> None:
    """Every picture that there are rows for."""
    for table, name, make_series in PICTURES:
        rows = read_rows(os.path.join(directory, table))
        if not rows:
            continue
        if not shutil.which("gnuplot"):
            print(f"{name}.svg: not drawn: there is no gnuplot")
            continue
        series, note = make_series(rows)
        draw(f"{name}.gp", series, note, os.path.join(directory, f"{name}.svg"))


def main() -> int:
    """Draws what is stored."""
    try:
        draw_all(sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "results"))
    except Failure as failure:
        print(failure, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
