#!/usr/bin/python3
"""pictures.py [DIRECTORY]: draws the stored results with gnuplot, as SVG files next to them.

Each series is the newest run of its kind. The host and PoCL come from one machine. GPUs, with all the cores next to
them, come from any machine that has them. The caption names machine, commit and date of each. Where rows have a least
and a greatest value, a band lies between these.
"""
import glob
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable

from machine import HERE
from pipeline import Failure
from rows import CURVE_COLUMNS, Row, device_label, newest, parse_rows, read_rows

# Colours that colour-blind readers can tell apart (Okabe and Ito), and dashes.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
ALGORITHMS = {"naive": "naive, O(n²)", "sequential": "sequential", "hillis-steele": "Hillis-Steele",
              "blelloch": "Blelloch", "pscan": "pscan"}
DASHES = 5
ON_THE_CPU = ("PoCL", "host")

Series = tuple[str, int, int, list[tuple[str, ...]]]  # title, colour, dash, points, all with a band or none


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
        if label not in ON_THE_CPU or row["machine"] == home or row.get("algorithm", "").startswith("blelloch, "):
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


def points(rows: list[Row], *columns: str) -> list[tuple[str, ...]]:
    """Columns, by the rising first one; only as many of them as all rows have."""
    while not all(row.get(columns[-1]) for row in rows):
        columns = columns[:-1]
    return sorted((tuple(row[name] for name in columns) for row in newest(rows, columns[0])), key=lambda point: float(point[0]))


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
    """Time against n: a colour for each algorithm, a dash for each device and number of threads."""
    groups = newest_runs(rows, "algorithm")
    known = list(ALGORITHMS)

    def parts(place: tuple[str, ...]) -> tuple[str, str, str]:
        """The algorithm, ", THREADS threads" or nothing, and the device's label."""
        name, comma, threads = place[0].partition(",")
        return name, comma + threads, place[-1]

    known += sorted({parts(place)[0] for place in groups} - set(known))
    variants = sorted({parts(place)[1:] for place in groups},
                      key=lambda variant: (label_order(variant[1]), len(variant[0]), variant[0]))
    order = sorted(groups, key=lambda place: (known.index(parts(place)[0]), variants.index(parts(place)[1:])))
    series = []
    for place in order:
        name, threads, label = parts(place)
        series.append((f"{ALGORITHMS.get(name, name)}, {label}{threads}", known.index(name),
                       1 + variants.index((threads, label)) % DASHES,
                       points(groups[place], "n", "seconds", "least", "greatest")))
    return series, caption(groups)


def plain(text: str) -> str:
    """Text that gnuplot takes as it is between quotes."""
    return text.replace('"', "").replace("\\", "").replace("\t", " ")


def draw(script: str, title: str, series: list[Series], note: str, output: str) -> None:
    """Hands the series to a gnuplot script: blocks of points under their titles, colours, dashes and the caption."""
    with tempfile.TemporaryDirectory() as directory:
        data = os.path.join(directory, "data")
        with open(data, "w", encoding="utf-8") as file:
            for name, _, _, block in series:
                file.write(f'"{plain(name)}"\n' + "".join("\t".join(point) + "\n" for point in block) + "\n\n")
        variables = {"data": data, "output": os.path.abspath(output), "heading": title,
                     "caption": plain(note).replace("\n", "\\n"),
                     "colours": " ".join(COLOURS[colour % len(COLOURS)] for _, colour, _, _ in series),
                     "dashes": " ".join(str(dash) for _, _, dash, _ in series),
                     "bands": " ".join(str(place) for place, (_, _, _, block) in enumerate(series) if len(block[0]) == 4)}
        settings = "; ".join(f'{name} = "{value}"' for name, value in variables.items())
        settings += f"; series = {len(series)}; lines = {len(note.splitlines())}"
        done = subprocess.run(["gnuplot", "-d", "-e", settings, os.path.join(HERE, script)], check=False,
                              env=os.environ | {"LC_ALL": "C.UTF-8"})
    if done.returncode != 0:
        raise Failure(f"gnuplot {script}: ended with {done.returncode}")


# The table, the picture's name, its script and title, and what makes series.
PICTURES: tuple[tuple[str, str, str, str, Callable[[list[Row]], tuple[list[Series], str]]], ...] = (
    ("chunks.tsv", "chunks", "chunks.gp", "Rate of a running sum of float32, file to /dev/null, by chunk size", chunk_series),
    ("curves.tsv", "complexity", "curves.gp", "Time of a running sum of float32", curve_series),
    ("expensive.tsv", "expensive", "curves.gp", "Time of a scan with an operator of two thousand operations in float64",
     curve_series),
)


def rows_of(directory: str, table: str) -> list[Row]:
    """The rows of a table, and of the expensive operator's those that tests/bench/gpu.sh brought, in folders of their
    own."""
    rows = read_rows(os.path.join(directory, table))
    for path in sorted(glob.glob(os.path.join(glob.escape(directory), "*", "expensive.tsv"))) if table == "expensive.tsv" else ():
        with open(path, encoding="utf-8") as file:
            rows += parse_rows("\t".join(CURVE_COLUMNS) + "\n" + file.read())
    return rows


def draw_all(directory: str) -> None:
    """Every picture that there are rows for."""
    for table, name, script, title, make_series in PICTURES:
        rows = rows_of(directory, table)
        if not rows:
            continue
        if not shutil.which("gnuplot"):
            print(f"{name}.svg: not drawn: there is no gnuplot")
            continue
        series, note = make_series(rows)
        draw(script, title, series, note, os.path.join(directory, f"{name}.svg"))


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
