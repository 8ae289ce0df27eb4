#!/usr/bin/python3
"""cliffs.py [PSCAN [LINES [ROUNDS]]]: what each operator costs for each kind of table, beside the plainest case: the
running sum of a field. Prints a table, and what is required of some jobs beside their plainer neighbours. Draws the
table as a heat map, results/cliffs.svg.

A figure is processor time over that of the plainest case: the median of the rounds, in each of which all cases run
once, in a random order, with one thread, from memory to /dev/null. Two results are twice the work. "-": the two do not
go together.
"""
import os
import random
import statistics
import subprocess
import sys
import tempfile
from xml.sax.saxutils import escape

from machine import HERE, cpu_model, git

OPERATORS = {
    "sum": "-op sum", "max": "-op max", "mean": "-op mean", "var": "-op var", "ema": "-op ema:0.1", "lag": "-op lag",
    "argmax": "-op argmax", "sum and max": "-op sum,max", "exclusive sum": "-e -op sum", "sum in f64": "-t f64 -op sum",
    "expression": "-op a+b", "one mapped": "--map=x*2", "one emitted": "--emit=s/n",
}
TABLES = {
    "a field": "-f bytes", "decimals": "-f ms", "two fields": "-f bytes,ms", "a key": "-f bytes -g host",
    "two keys": "-f bytes -g host,status", "a day's": "-f bytes -g time:day", "sessions": "-f bytes -g host --reset-gap=time:60",
    "resets": "-f bytes --reset-on=time:hour", "window 100": "-f bytes --window=100",
    "key, window": "-f bytes -g host --window=100", "an hour": "-f bytes --window=time:1h",
    "totals": "-f bytes -g host --total", "reversed": "-f bytes --reverse", "missing": "-f bytes --missing=skip",
    "key, two fields": "-f bytes,ms -g host", "quoted": "-f bytes -g host", "quoted field": "-f bytes",
    "JSON": "--json -f bytes -g host",
}
NAMES = ("time", "host", "status", "bytes", "ms")
Cell = tuple[str, str]  # operator, table
Ratios = dict[Cell, float | None]
FIELD, KEY = ("sum", "a field"), ("sum", "a key")
# Jobs, their plainer neighbours, and at most how many times the neighbour's time a job should take: must and stretch.
MUSTS: tuple[tuple[Cell, Cell, float, float], ...] = (
    *(((operator, "a key"), KEY, 1.4, 1.2)
      for operator in ("mean", "ema", "sum in f64", "exclusive sum", "sum and max")),
    *((("sum", table), KEY, 1.4, 1.2) for table in ("two keys", "key, two fields", "sessions")),
    *(((operator, "window 100"), (operator, "a field"), 1.25, 1.1) for operator in ("max", "mean")),
    (("sum", "key, window"), KEY, 1.25, 1.1),
    (("sum", "quoted field"), FIELD, 1.4, 1.15),
    (("sum", "quoted"), KEY, 1.4, 1.15),
)
# Jobs with two results a line. Their time is divided by how many times the neighbour's output they write.
TWO_RESULTS = (("sum and max", "a key"), ("sum", "key, two fields"))
CELL, LEFT, TOP = (62, 22), 110, 84


def write_tables(lines: int) -> dict[str, str]:
    """The same records as CSV, as CSV with quotes and as JSON: by the names in TABLES, "" for all others."""
    rng = random.Random(36)
    with open("plain.csv", "w", encoding="ascii") as plain, open("quoted.csv", "w", encoding="ascii") as quoted, \
            open("lines.json", "w", encoding="ascii") as members:
        plain.write(",".join(NAMES) + "\n")
        quoted.write(",".join(f'"{name}"' for name in NAMES) + "\n")
        for i in range(lines):
            second = i // 20
            row = (f"2024-05-{1 + second // 86400:02}T{second // 3600 % 24:02}:{second // 60 % 60:02}:{second % 60:02}Z",
                   f"host{rng.randrange(1000):03}.example", str(rng.choice((200, 304, 404))), str(rng.randrange(100000)),
                   f"{rng.randrange(100000) / 100:.2f}")
            plain.write(",".join(row) + "\n")
            quoted.write(",".join(f'"{cell}"' for cell in row) + "\n")
            members.write(f'{{"time":"{row[0]}","host":"{row[1]}","status":{row[2]},"bytes":{row[3]},"ms":{row[4]}}}\n')
    return {"": "plain.csv", "quoted": "quoted.csv", "quoted field": "quoted.csv", "JSON": "lines.json"}


def processor_time(command: list[str]) -> float | None:
    """Seconds, or None if the program refuses its options."""
    process = os.fork()
    if process == 0:
        null = os.open(os.devnull, os.O_RDWR)
        os.dup2(null, 1)
        os.dup2(null, 2)
        os.execv(command[0], command)
    _, status, usage = os.wait4(process, 0)
    code = os.waitstatus_to_exitcode(status)
    if code not in (0, 2):
        raise SystemExit(f"{' '.join(command)}: exit {code}")
    return usage.ru_utime + usage.ru_stime if code == 0 else None


def output_bytes(command: list[str]) -> int:
    """How much the program writes."""
    return len(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)


def measure(program: str, lines: int, rounds: int) -> tuple[Ratios, dict[Cell, int]]:
    """The ratio of each operator and table; None: they do not go together. And what jobs write whose output matters."""
    files = write_tables(lines)
    cases = {}
    for table, fields in TABLES.items():
        for operator, options in OPERATORS.items():
            kind = [] if "--json" in fields else ["--csv"]
            output = [] if "--total" in fields else ["-a"]
            cases[operator, table] = [program, "-T", "1", *kind, *fields.split(), *options.split(), *output,
                                      files.get(table, files[""])]
    times: dict[Cell, list[float | None]] = {case: [] for case in cases}
    for number in range(rounds):
        # In another order each time: the first case that reads a file waits for memory.
        order = random.Random(number).sample(list(cases), len(cases))
        for case in order:
            times[case].append(processor_time(cases[case]) if None not in times[case] else None)
    medians = {case: None if None in all_of_it else statistics.median(all_of_it) for case, all_of_it in times.items()}
    ratios = {case: None if median is None else median / medians[FIELD] for case, median in medians.items()}
    return ratios, {case: output_bytes(cases[case]) for case in (KEY, *TWO_RESULTS)}


def options_of(cell: Cell) -> str:
    """A job as Markdown."""
    operator, table = cell
    options = " ".join(filter(None, (TABLES[table], OPERATORS[operator] if operator != "sum" else "")))
    return ("all cells quoted, " if table.startswith("quoted") else "") + f"`{options}`"


def must_rows(ratios: Ratios, written: dict[Cell, int]) -> list[str]:
    """What is required, as rows of Markdown."""
    rows = []
    for job, beside, must, stretch in MUSTS:
        ratio = ratios[job] / ratios[beside]
        if job in TWO_RESULTS:
            ratio *= written[beside] / written[job]
        missed = " (missed)" if ratio > must else ""
        bound = f"<= {must}, stretch <= {stretch}{missed}"
        rows.append(f"| {options_of(job)} | {options_of(beside)} | {ratio:.2f} | {bound} |")
    return rows


def colour(ratio: float | None) -> str:
    """From white at 1 to dark orange at 4 and more; grey where there is no figure."""
    if ratio is None:
        return "#dddddd"
    part = min(max(ratio - 1, 0) / 3, 1)
    return f"#{255 - int(42 * part):02x}{255 - int(161 * part):02x}{255 - int(255 * part):02x}"


def draw(ratios: Ratios, caption: str) -> str:
    """The heat map as SVG."""
    width, height = LEFT + CELL[0] * len(TABLES) + 10, TOP + CELL[1] * len(OPERATORS) + 30
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" '
             f'font-size="12"><rect width="100%" height="100%" fill="white"/>'
             f'<text x="10" y="20" font-size="14">Processor time beside the running sum of a field</text>']
    for x, table in enumerate(TABLES):
        at = LEFT + CELL[0] * x + CELL[0] // 2
        parts.append(f'<text x="{at}" y="{TOP - 8}" transform="rotate(-35 {at} {TOP - 8})">{escape(table)}</text>')
    for y, operator in enumerate(OPERATORS):
        top = TOP + CELL[1] * y
        parts.append(f'<text x="{LEFT - 6}" y="{top + 15}" text-anchor="end">{escape(operator)}</text>')
        for x, table in enumerate(TABLES):
            ratio, left = ratios[operator, table], LEFT + CELL[0] * x
            text = "-" if ratio is None else f"{ratio:.1f}"
            parts.append(f'<rect x="{left}" y="{top}" width="{CELL[0] - 1}" height="{CELL[1] - 1}" fill="{colour(ratio)}"/>'
                         f'<text x="{left + CELL[0] // 2}" y="{top + 15}" text-anchor="middle">{text}</text>')
    parts.append(f'<text x="10" y="{height - 8}" font-size="11">{escape(caption)}</text></svg>')
    return "\n".join(parts) + "\n"


def main() -> None:
    """Measures, prints and draws."""
    default = os.path.join(HERE, "../..", os.environ.get("BUILD", "build"), "pscan")
    program = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else default)
    lines = int(sys.argv[2]) if len(sys.argv) > 2 else 300000
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    memory = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with tempfile.TemporaryDirectory(dir=memory) as directory:
        os.chdir(directory)
        ratios, written = measure(program, lines, rounds)
        os.chdir(HERE)
    print("| operator | " + " | ".join(TABLES) + " |\n|" + "---|" * (len(TABLES) + 1))
    for operator in OPERATORS:
        cells = ("-" if ratios[operator, table] is None else f"{ratios[operator, table]:.2f}" for table in TABLES)
        print(f"| {operator} | " + " | ".join(cells) + " |")
    print("\n| job | beside | ratio | must |\n|" + "---|" * 4)
    print(*must_rows(ratios, written), sep="\n")
    with open(os.path.join(HERE, "results/cliffs.svg"), "w", encoding="utf-8") as file:
        commit = (git("rev-parse", "HEAD") or "unknown")[:10]
        file.write(draw(ratios, f"{cpu_model()}, one thread, {lines} lines, median of {rounds} rounds, commit {commit}"))


if __name__ == "__main__":
    main()
