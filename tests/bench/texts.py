"""Text inputs with a fixed seed, and their expected running sums.

Exact sums are expected as numpy's integers give them, f64 sums as pscan itself computes them for the same values in
binary on the host with one thread, written as Python writes floats. There are FULL_LINES lines where BENCH_SIZE is 1G,
and proportionally many elsewhere.
"""
import gzip
import json
import os
import re
import subprocess
import zlib
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np

import everyday
from pipeline import Failure, Pipeline, parse, run

SEED = 3
FULL_SIZE = 1 << 30
FULL_LINES = 5_000_000
FULL_COPIES = 60  # of the log
MILLION = 10**6
FULL_ROWS = 4_000_000
KEYS = {"keys_1000.csv": 1000, "keys_million.csv": 1_000_000, "segments.csv": 0}
LOG = "apache.log.gz"
ZSTD = "integers.txt.zst"
EVENTS = "events.json"
BANK = "bank.csv"
TEXTS = ("integers.txt", "decimals.txt", "table.txt", LOG, ZSTD, EVENTS, BANK, *KEYS, *everyday.NAMES)
# What libraries compute of inputs of everyday work: operator and window.
FRAMES = {everyday.TIMES: ("max", "time:1h"), everyday.USERS: ("distinct", "")}
COMPRESSORS = ("pigz", "igzip")


@dataclass(frozen=True)
class TextScan:
    """The running sums of a text, exact or in f64."""
    source: str
    in_f64: bool
    op: str = "sum"  # or, of the table, sum,max of two fields; or an expression for the sum
    keyed: bool = False  # by host
    total: bool = False
    mapped: bool = False  # of the bank: the balance, in place of each field's sum
    window: str = ""


def is_data_frames(pipeline: Pipeline) -> bool:
    """True for a library that does what pscan does, which it must do as well."""
    return any(os.path.basename(word) == "data_frames.py" for word in pipeline.words())


def text_scan_of(pipeline: Pipeline) -> TextScan | None:
    """The scan in a pipeline with pscan in it, or a library; None if there is none, or of no text."""
    sources = [word for word in pipeline.words() if word in TEXTS]
    if sources and is_data_frames(pipeline):
        op, window = FRAMES.get(sources[0], ("sum", ""))
        return TextScan(sources[0], False, op, sources[0] in KEYS, mapped=sources[0] == BANK, window=window)
    stages = [stage for stage in pipeline.stages if "pscan" in map(os.path.basename, stage[:4])]
    if not sources or not stages:
        return None
    keyed = "-g" in stages[0] or "--reset-on=host" in stages[0]
    op = stages[0][stages[0].index("-op") + 1] if "-op" in stages[0] else "sum"
    mapped = any(word.startswith("--map=") for word in stages[0])
    window = next((word.partition("=")[2] for word in stages[0] if word.startswith("--window=")), "")
    return TextScan(sources[0], "f64" in stages[0], op, keyed, "--total" in stages[0], mapped, window)


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
    if name in ("integers.txt", ZSTD):
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


def events(size: int) -> list[int]:
    """The bytes of lines of JSON."""
    return np.random.default_rng(SEED).integers(0, 100_000, scaled(FULL_ROWS, size)).tolist()


def write_events(size: int, path: str) -> None:
    """Lines of JSON."""
    with open(path, "w", encoding="ascii") as file:
        for i, served in enumerate(events(size)):
            file.write(f'{{"host":"h{i * 7919 % 1000}","bytes":{served},"time":"2024-01-01T{i // 3600 % 24:02}:{i // 60 % 60:02}:{i % 60:02}.123Z"}}\n')


def write_table_results(scan: TextScan, size: int, path: str) -> None:
    """The lines with the sum of the second field, or sum and maximum of the second and fourth ones."""
    lines, cents, numbers = table(size)
    columns = [np.cumsum(cents)]
    if "," in scan.op:
        columns += [np.maximum.accumulate(cents), np.cumsum(numbers), np.maximum.accumulate(numbers)]
    with open(path, "w", encoding="ascii") as file:
        for line, *results in zip(lines, *(column.tolist() for column in columns)):
            decimals = [f"{result // 100}.{result % 100:02}" for result in results[:2]]
            file.write(" ".join([line, *decimals, *map(str, results[2:])]) + "\n")


def requests(name: str, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Hosts, by their ranks in Zipf's law or three lines of each in turn, and bytes."""
    rng = np.random.default_rng(SEED)
    count = scaled(FULL_LINES, size)
    if KEYS[name] == 0:
        return np.arange(count) // 3, rng.integers(0, 100_000, count)
    chances = np.cumsum(1 / np.arange(1, KEYS[name] + 1))
    return np.searchsorted(chances, rng.random(count) * chances[-1]), rng.integers(0, 100_000, count)


def write_requests(name: str, size: int, path: str, results: list[int] | None, op: str = "sum") -> None:
    """A table of them, perhaps with results of an operator."""
    hosts, numbers = requests(name, size)
    with open(path, "w", encoding="ascii") as file:
        file.write("host,bytes\n" if results is None else f"host,bytes,bytes_{'sum' if op == 'sum' else 'expr'}\n")
        lines = (f"host{host}.example.net,{number}" for host, number in zip(hosts.tolist(), numbers.tolist()))
        if results is not None:
            lines = (f"{line},{result}" for line, result in zip(lines, results))
        file.writelines(f"{line}\n" for line in lines)


def running_requests(scan: TextScan, size: int) -> list[int]:
    """The running totals, of all or host by host."""
    hosts, numbers = requests(scan.source, size)
    if not scan.keyed:
        return np.cumsum(numbers).tolist()
    totals: dict[int, int] = {}
    results = []
    for host, number in zip(hosts.tolist(), numbers.tolist()):
        totals[host] = totals.get(host, 0) + number
        results.append(totals[host])
    return results


def bank(size: int) -> tuple[list[str], np.ndarray, np.ndarray]:
    """The lines of bank statements below their header, and the cents of credit and debit. One of the two is 0.
    """
    rng = np.random.default_rng(SEED)
    count = scaled(FULL_LINES, size)
    cents, is_credit = rng.integers(1, 10**6, count), rng.random(count) < 0.5
    credit, debit = np.where(is_credit, cents, 0), np.where(is_credit, 0, cents)
    first = np.datetime64("2024-01-01")
    days = [str(first + day) for day in range(366)]
    lines = [f"{days[i * 366 // count]},card payment {i * 7919 % 100000},{decimal(out)},{decimal(into)}"
             for i, (out, into) in enumerate(zip(debit.tolist(), credit.tolist()))]
    return lines, credit, debit


def decimal(cents: int) -> str:
    """Hundredths as a decimal."""
    return f"{'-' * (cents < 0)}{abs(cents) // 100}.{abs(cents) % 100:02}"


def write_bank(size: int, path: str, scan: TextScan | None) -> None:
    """A bank's table, perhaps with results: the balance, or the sums of both columns."""
    lines, credit, debit = bank(size)
    sums = [] if scan is None else [credit - debit] if scan.mapped else [credit, debit]
    columns = [np.cumsum(column).tolist() for column in sums]
    names = "" if scan is None else ",sum" if scan.mapped else ",credit_sum,debit_sum"
    with open(path, "w", encoding="ascii") as file:
        file.write(f"date,text,debit,credit{names}\n")
        for line, *results in zip(lines, *columns):
            file.write(",".join([line, *map(decimal, results)]) + "\n")


def compare_balances(command: str, expected: str, path: str) -> None:
    """Raises Failure unless a table in floats has the lines of an exact one, and balances that round to its cents."""
    with open(expected, encoding="ascii") as exact, open(path, encoding="ascii") as floats:
        for number, (line, other) in enumerate(zip_longest(exact, floats, fillvalue=""), 1):
            *fields, balance = line.rstrip("\n").split(",")
            *others, rounded = other.rstrip("\n").split(",")
            same = line == other if number == 1 else (
                fields[:2] == others[:2] and list(map(float, fields[2:])) == list(map(float, others[2:]))
                and abs(float(balance) - float(rounded)) < 0.005)
            if not same:
                raise Failure(f"{command}: wrong output in line {number}: {other!r}")


def write_host_totals(size: int, path: str) -> None:
    """The bytes of each host of the log, in the order in which they come."""
    totals: dict[bytes, int] = {}
    for line in log_text().splitlines():
        host, served = line.split(b" ")[0], re.search(rb'" \d+ (\d+|-)', line)
        totals[host] = totals.get(host, 0) + (0 if served[1] == b"-" else int(served[1]))
    with open(path, "wb") as file:
        file.writelines(b"%s %d\n" % (host, total * scaled(FULL_COPIES, size)) for host, total in totals.items())


def make_text(name: str, size: int) -> None:
    """Writes a text."""
    if name in everyday.NAMES:
        everyday.write(name, everyday.lines_of(name, scaled(FULL_LINES, size)))
        return
    if name in KEYS:
        write_requests(name, size, name, None)
        return
    if name == BANK:
        write_bank(size, name, None)
        return
    if name == "table.txt":
        with open(name, "w", encoding="ascii") as file:
            file.write("\n".join(table(size)[0]) + "\n")
        return
    if name == EVENTS:
        write_events(size, name)
        return
    if name == ZSTD:
        with open(name, "wb") as file:
            subprocess.run(["zstd", "-q", "-c"], input=lines_of(name, integers(name, size)).encode(), stdout=file, check=True)
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
    if scan.source in everyday.NAMES:
        count = scaled(FULL_LINES, size)
        everyday.write(path, everyday.outputs_of(scan.source, scan.op, scan.window, scan.keyed, count))
        return
    if scan.source in KEYS:
        write_requests(scan.source, size, path, running_requests(scan, size), scan.op)
        return
    if scan.source == BANK:
        write_bank(size, path, scan)
        return
    if scan.source == EVENTS:
        with open(path, "w", encoding="ascii") as file:
            file.writelines(f'{{"bytes_sum":{total}}}\n' for total in np.cumsum(events(size)).tolist())
        return
    if scan.total:
        write_host_totals(size, path)
        return
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
