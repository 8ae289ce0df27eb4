"""Text inputs with a fixed seed, and the running sums that must come of them.

Exact sums are expected as numpy's integers give them, f64 sums as pscan itself computes them of the same values in binary on
the host with one thread, written as Python writes floats. Lines are as many as make FULL_LINES where BENCH_SIZE is 1G.
"""
import gzip
import json
import os
import zlib
from dataclasses import dataclass

import numpy as np

from pipeline import Failure, Pipeline, parse, run

SEED = 3
FULL_SIZE = 1 << 30
FULL_LINES = 5_000_000
FULL_COPIES = 60  # of the log
MILLION = 10**6
FULL_ROWS = 4_000_000
TEXTS = ("integers.txt", "decimals.txt", "table.txt", "apache.log.gz")
COMPRESSORS = ("pigz", "igzip")


@dataclass(frozen=True)
class TextScan:
    """The running sums of a text, exact or in f64."""
    source: str
    in_f64: bool
    several: bool = False  # of the table: sum and max of two fields


def text_scan_of(pipeline: Pipeline) -> TextScan | None:
    """The scan in a pipeline with pscan in it; None if there is none, or of no text."""
    sources = [word for word in pipeline.words() if word in TEXTS]
    stages = [stage for stage in pipeline.stages if "pscan" in map(os.path.basename, stage[:4])]
    return TextScan(sources[0], "f64" in stages[0], "-op" in stages[0]) if sources and stages else None


def is_compressed(pipeline: Pipeline) -> bool:
    """True if gzip comes out of a pipeline with pscan in it."""
    last = pipeline.stages[-1]
    return os.path.basename(last[0]) in COMPRESSORS or any(word == "-z" or word.startswith("--gzip") for word in last)


def log_path() -> str | None:
    """The gzipped log that the data's list of cases names; None without the data."""
    data = os.environ.get("PSCAN_DATA_DIR")
    if not data:
        return None
    with open(os.path.join(data, "cases/logs.json"), encoding="utf-8") as file:
        return os.path.join(data, json.load(file)[0]["gz"])


def log_text() -> bytes:
    """The log, once."""
    path = log_path()
    if path is None:
        raise Failure("PSCAN_DATA_DIR is not set")
    with gzip.open(path) as file:
        return file.read()


def scaled(full: int, size: int) -> int:
    """A number that belongs to a size of 1G, for another size."""
    return max(1, full * size // FULL_SIZE)


def integers(name: str, size: int) -> np.ndarray:
    """The values in a text, of decimals their millionths."""
    rng = np.random.default_rng(SEED)
    if name == "integers.txt":
        return rng.integers(0, 99999, scaled(FULL_LINES, size), endpoint=True)
    if name == "decimals.txt":
        return rng.integers(0, 1000 * MILLION, scaled(FULL_LINES, size))
    fields = [line.split()[9] for line in log_text().splitlines()]
    once = np.array([0 if field == b"-" else int(field) for field in fields])
    return np.tile(once, scaled(FULL_COPIES, size))


def lines_of(name: str, values: np.ndarray) -> str:
    """Values as a text has them, millionths with six decimals."""
    if name == "decimals.txt":
        return "".join(f"{value // MILLION}.{value % MILLION:06}\n" for value in values.tolist())
    return "".join(f"{value}\n" for value in values.tolist())


def table(size: int) -> tuple[list[str], np.ndarray, np.ndarray]:
    """Lines of four fields, the second ones in hundredths, and the fourth ones."""
    rng = np.random.default_rng(SEED)
    count = scaled(FULL_ROWS, size)
    cents, numbers = rng.integers(0, 10 * MILLION, count), rng.integers(0, MILLION, count)
    hosts = rng.integers(0, 1000, count)
    lines = [f"host{host} {cent // 100}.{cent % 100:02} x{host % 97} {number}"
             for host, cent, number in zip(hosts.tolist(), cents.tolist(), numbers.tolist())]
    return lines, cents, numbers


def write_table_results(scan: TextScan, size: int, path: str) -> None:
    """The lines with the sum of the second field, or sum and maximum of the second and fourth ones."""
    lines, cents, numbers = table(size)
    columns = [np.cumsum(cents)]
    if scan.several:
        columns += [np.maximum.accumulate(cents), np.cumsum(numbers), np.maximum.accumulate(numbers)]
    with open(path, "w", encoding="ascii") as file:
        for line, *results in zip(lines, *(column.tolist() for column in columns)):
            decimals = [f"{result // 100}.{result % 100:02}" for result in results[:2]]
            file.write(" ".join([line, *decimals, *map(str, results[2:])]) + "\n")


def make_text(name: str, size: int) -> None:
    """Writes a text."""
    if name == "table.txt":
        with open(name, "w", encoding="ascii") as file:
            file.write("\n".join(table(size)[0]) + "\n")
        return
    if name != "apache.log.gz":
        with open(name, "w", encoding="ascii") as file:
            file.write(lines_of(name, integers(name, size)))
        return
    text = log_text()
    member = zlib.compressobj(6, zlib.DEFLATED, 31)
    with open(name, "wb") as file:
        for _ in range(scaled(FULL_COPIES, size)):
            file.write(member.compress(text))
        file.write(member.flush())


def write_expected(scan: TextScan, size: int, path: str, programs: dict[str, str]) -> None:
    """Writes the output that a scan must have."""
    if scan.source == "table.txt":
        write_table_results(scan, size, path)
        return
    values = integers(scan.source, size)
    if not scan.in_f64:
        text = lines_of(scan.source, np.cumsum(values))
    else:
        (values / MILLION).tofile("f64.tmp")
        sums = np.frombuffer(run(parse("pscan -D none -T 1 -t f64 f64.tmp", programs)).output)
        os.unlink("f64.tmp")
        if sums[0] < 1e-4 or sums[-1] >= 1e16:
            raise Failure("Python writes these sums with an exponent, pscan does not")
        text = "".join(f"{sum_!r}\n" for sum_ in sums.tolist()).replace(".0\n", "\n")
    with open(path, "w", encoding="ascii") as file:
        file.write(text)
