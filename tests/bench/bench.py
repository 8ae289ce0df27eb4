#!/usr/bin/python3
"""Measures pscan and its peers, and stores the figures; `make bench` runs it.

Environment: BENCH_SIZE (bytes of input, default 1G), BENCH_ROUNDS (default 5, after one round to warm up), BENCH_GROUPS
(default all but gpu), BENCH_RESULTS (a directory; default: results in this folder, but a directory in BUILD for a size
other than 1G or fewer rounds, so that trials do not mix with figures), BENCH_COMMIT (where there is no repository),
PSCAN_DATA_DIR (has the log for text), BUILD, PSCAN. Exits with 1 if a command failed or an output was wrong. Slowness
is not a failure.
"""
import glob
import importlib.util
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass

import pictures
from cases import CACHE, CACHES, CASES, CHUNK_BYTES, RATE, Case, Metric, chunk_command
from inputs import OUTPUT, TEXT_OUTPUT, Expected, input_bytes, inputs_of, make_input, remove_output, scan_of
from machine import HERE, Machine
from pipeline import Failure, NotInstalled, Pipeline, parse, run
from rows import (CHUNK_COLUMNS, COST_COLUMNS, CURVE_COLUMNS, Row, device_label, human_bytes, number, parse_rows,
                  store_rows)
from texts import LOG, log_path

GROUPS = ("cost", "lanes", "memory", "flat", "text", "json", "programs", "keys", "expressions", "everyday", "chunks",
          "curves", "expensive", "gpu")
# Room on the tmpfs, in multiples of BENCH_SIZE: inputs, output, what it is compared with. Holes fill up when mapped.
ROOM = {"cost": 5, "lanes": 7, "memory": 8, "flat": 9, "text": 1, "json": 2, "programs": 5, "keys": 2, "expressions": 4,
        "everyday": 3, "chunks": 2, "curves": 0, "expensive": 0, "gpu": 3}
# The library that a program of data_frames.py uses, where it is not named after it.
LIBRARIES = {"rolling": "pandas", "json": "duckdb", "map": "polars", "polars_hour": "polars", "duckdb_hour": "duckdb",
             "duckdb_distinct": "duckdb"}
FULL_SIZE = 1 << 30
FULL_ROUNDS = 5


@dataclass(frozen=True)
class Settings:
    """What the environment asks for; directories and programs are absolute."""
    size: int
    rounds: int
    groups: tuple[str, ...]
    results: str
    programs: dict[str, str]


def parse_size(text: str) -> int:
    """Bytes, with K, M or G for powers of 1024."""
    shift = {"K": 10, "M": 20, "G": 30}.get(text[-1:].upper(), 0)
    digits = text[:-1] if shift else text
    if not digits.isdigit() or int(digits) << shift < 1 << 16:
        raise Failure(f"BENCH_SIZE: not a size of at least 64K: {text}")
    return int(digits) << shift


def read_settings() -> Settings:
    """Settings from the environment."""
    size = parse_size(os.environ.get("BENCH_SIZE") or "1G")
    rounds = os.environ.get("BENCH_ROUNDS") or str(FULL_ROUNDS)
    groups = tuple((os.environ.get("BENCH_GROUPS") or " ".join(GROUPS[:-1])).split())
    if not rounds.isdigit() or int(rounds) < 1:
        raise Failure(f"BENCH_ROUNDS: not a number of rounds: {rounds}")
    if set(groups) - set(GROUPS):
        raise Failure(f"BENCH_GROUPS: the groups are {' '.join(GROUPS)}")
    build = os.path.abspath(os.environ.get("BUILD") or os.path.join(HERE, "../../build"))
    trial = size != FULL_SIZE or int(rounds) < FULL_ROUNDS
    results = os.environ.get("BENCH_RESULTS") or (os.path.join(build, "bench/results") if trial
                                                  else os.path.join(HERE, "results"))
    # What seq counts to for four times as many bytes, in lines of ten.
    last = str(100000000 + 4 * size // 10)
    programs = {"last_of_4times": last, "pscan": os.path.abspath(os.environ.get("PSCAN") or os.path.join(build, "pscan")),
                "python3": sys.executable, "peers_python3": os.path.join(build, "bench/peers/bin/python3"), "read_file": os.path.join(build, "bench/read_file"),
                **{name: os.path.join(build, "bench", name)
                   for name in ("curves", "expensive", "expensive_peer", "modular_peer", "recurrence_peer")},
                **{f"@{name}": "@" + os.path.join(HERE, "../../samples", name) for name in ("expensive.cl", "recurrence.cl")},
                "expensive.cl": os.path.join(HERE, "../../samples/expensive.cl"),
                "data_frames.py": os.path.join(HERE, "data_frames.py"),
                "numba_recurrence.py": os.path.join(HERE, "numba_recurrence.py"),
                "numpy_cumsum.py": os.path.join(HERE, "numpy_cumsum.py"),
                "peak_memory.py": os.path.join(HERE, "peak_memory.py")}
    return Settings(size, int(rounds), groups, os.path.abspath(results), programs)


def library_version(python3: str, name: str) -> str:
    """The version of a library in the environment that a python3 is of; empty if it is not there."""
    found = glob.glob(os.path.join(os.path.dirname(python3), f"../lib*/python3*/site-packages/{name}-*.dist-info"))
    return os.path.basename(found[0])[len(name) + 1:-len(".dist-info")] if found else ""


def is_tmpfs(directory: str) -> bool:
    """True if the directory lies on a tmpfs."""
    done = subprocess.run(["stat", "-f", "-c", "%T", directory], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          check=False)
    return done.stdout.strip() == b"tmpfs"


def available_memory() -> int:
    """Bytes that the kernel could give."""
    with open("/proc/meminfo", encoding="utf-8") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("MemAvailable"))


@contextmanager
def scratch_directory(room: int):
    """Works in a directory of its own on a tmpfs, and removes it, whatever happens."""
    parent = next((d for d in (os.environ.get("TMPDIR"), "/dev/shm") if d and is_tmpfs(d)), None)
    if parent is None:
        raise Failure("neither TMPDIR nor /dev/shm is a tmpfs")
    space = os.statvfs(parent)
    if min(space.f_bavail * space.f_frsize, available_memory()) < room:
        raise Failure(f"{parent}: less than {human_bytes(room)} of memory left (see BENCH_SIZE)")
    before = os.getcwd()
    directory = tempfile.mkdtemp(prefix="pscan-bench-", dir=parent)
    try:
        os.chdir(directory)
        yield
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # an impatient second one would leave gigabytes behind
        os.chdir(before)
        shutil.rmtree(directory)
        signal.signal(signal.SIGINT, signal.default_int_handler)


class Bench:
    """The runs of one invocation."""

    def __init__(self, settings: Settings):
        self.settings = settings
        self.machine = Machine()
        self.expected = Expected(settings.programs, settings.size)
        self.failures = 0
        self.missed = 0

    def parse(self, command: str) -> Pipeline:
        """A pipeline with our programs in it."""
        # pscan takes no relative directory.
        return parse(command, self.settings.programs | {f"{name}={CACHE}": f"{name}={os.path.abspath(CACHE)}" for name in CACHES})

    def source_bytes(self, pipeline: Pipeline) -> int:
        """The size of the input that a pipeline reads; 0 if that is no file."""
        sources = inputs_of(pipeline)
        return input_bytes(sources[0], self.settings.size) if sources else 0

    def sample_peak(self, pipeline: Pipeline) -> int:
        """The peak memory in bytes of a pipeline's last stage."""
        watcher = [self.settings.programs["python3"], "-I", "-S", self.settings.programs["peak_memory.py"]]
        stages = pipeline.stages[:-1] + [watcher + pipeline.stages[-1]]
        return int(run(Pipeline(pipeline.command, stages)).output)

    def sample(self, pipeline: Pipeline, metric: Metric, repeat: int, own_clock: bool, expects: bytes,
               cold: bool = False) -> float:
        """One value: the mean of so many runs in succession."""
        size = self.source_bytes(pipeline)
        if metric.of_memory:
            return metric.value(0.0, size, self.sample_peak(pipeline))
        scan = scan_of(pipeline)
        seconds = 0.0
        for _ in range(repeat):
            remove_output()
            if cold:
                shutil.rmtree(CACHE, ignore_errors=True)
            done = run(pipeline)
            seconds += float(done.output) if own_clock else done.seconds
            if expects and done.output != expects:
                raise Failure(f"{pipeline.command}: wrong output: {done.output!r}")
        if os.path.exists(OUTPUT):
            wanted = scan.result_bytes(self.settings.size) if scan else size
            if os.path.getsize(OUTPUT) != wanted:
                raise Failure(f"{pipeline.command}: {os.path.getsize(OUTPUT)} bytes of output instead of {wanted}")
        if metric.of_output:
            size = os.path.getsize(TEXT_OUTPUT)
        return metric.value(seconds / repeat, size, 0)

    def prepare(self, pipelines: list[Pipeline]) -> None:
        """Makes the inputs and looks at every output once."""
        for pipeline in pipelines:
            for name in inputs_of(pipeline):
                make_input(name, self.settings.size)
        for pipeline in pipelines:
            self.expected.check(pipeline)

    def measure(self, case: Case) -> tuple[list[float], list[float]]:
        """Values of the case and of its peer, in turn, after a round to warm up."""
        ours = self.parse(case.command)
        peer = self.parse(case.peer) if case.peer else None
        self.prepare([ours] + ([peer] if peer else []))
        values: list[float] = []
        peer_values: list[float] = []
        for _ in range(min(case.rounds or self.settings.rounds, self.settings.rounds) + 1):
            values.append(self.sample(ours, case.metric, case.repeat, False, case.expects,
                                      case.cold))
            if peer:
                peer_values.append(self.sample(peer, case.metric, case.peer_repeat, case.own_clock, case.expects))
        return values[1:], peer_values[1:]

    def case_row(self, case: Case, values: list[float], peer_values: list[float]) -> Row:
        """The row of a measured case."""
        median = statistics.median(values)
        peer_median = statistics.median(peer_values) if peer_values else None
        ratio = median / peer_median if peer_median else None
        row = self.machine.facts(case.device()) | self.spread(values) | {
            "case": case.name, "size_bytes": str(self.source_bytes(self.parse(case.command))),
            "unit": case.metric.unit, "peer": case.peer or "-",
            "peer_median": number(peer_median) if peer_median else "-", "ratio": number(ratio) if ratio else "-",
            "must": str(case.must or "-") + (f", stretch {case.stretch}" if case.stretch else ""), "reached": "-"}
        if case.must:
            held = ratio if ratio else max(values) if case.metric.of_memory else median
            row["reached"] = "no" if not case.must.holds(held) else (
                "stretch" if case.stretch and case.stretch.holds(held) else "yes")
            self.missed += row["reached"] == "no"
        return row

    def spread(self, values: list[float]) -> Row:
        """The columns that sum up the rounds."""
        return {"rounds": str(len(values)), "median": number(statistics.median(values)), "min": number(min(values)),
                "max": number(max(values))}

    def fail(self, name: str, failure: Failure) -> None:
        """Says what went wrong and goes on."""
        self.failures += 1
        print(f"{name}: FAILED: {failure}", flush=True)

    def store(self, name: str, columns: tuple[str, ...], rows: list[Row]) -> None:
        """Adds rows to a file of results."""
        if rows:
            store_rows(os.path.join(self.settings.results, name), columns, rows)

    def reason_to_skip(self, case: Case) -> str:
        """Why a case cannot be measured here; empty if it can."""
        if not self.machine.has(case.device()):
            return f"no OpenCL device of type {case.device()}"
        if self.machine.cores < case.least_cores:
            return f"fewer than {case.least_cores} cores"
        try:
            ours = self.parse(case.command)
            if case.peer:
                self.parse(case.peer)
        except NotInstalled as missing:
            return str(missing)
        if "data_frames.py" in case.peer and not self.library_of(case):
            return "the library is not there: no environment with it could be made"
        if case.peer and "numba_recurrence.py" in case.peer and not importlib.util.find_spec("numba"):
            return "python3-numba is not installed"
        if LOG in inputs_of(ours) and not log_path():
            return "PSCAN_DATA_DIR is not set"
        return ""

    def library_of(self, case: Case) -> str:
        """Name and version of the library that a case's peer is; empty if it is not there."""
        name = case.peer.partition("data_frames.py ")[2].split()[0]
        name = LIBRARIES.get(name, name)
        version = library_version(self.settings.programs["peers_python3"], name)
        return f"{name} {version}" if version else ""

    def run_cases(self, group: str) -> None:
        """Every case of a group, in the table's order; each is stored as soon as it is measured."""
        cases = []
        skipped: dict[str, list[str]] = {}
        for case in (case for case in CASES if case.group == group):
            if reason := self.reason_to_skip(case):
                skipped.setdefault(reason, []).append(case.name)
            else:
                cases.append(case)
        for reason, names in skipped.items():
            print(f"skipped: {reason}: {'; '.join(names)}")
        if libraries := dict.fromkeys(self.library_of(case) for case in cases if "data_frames.py" in case.peer):
            print(f"libraries: {', '.join(libraries)}, their starts and imports left out; pandas has one thread, the others two")
        print_row(COST_HEADER)
        for index, case in enumerate(cases):
            try:
                row = self.case_row(case, *self.measure(case))
                self.store(f"{group}.tsv", COST_COLUMNS, [row])
                print_row(cost_cells(row))
            except Failure as failure:
                self.fail(case.name, failure)
            later = [command for case in cases[index + 1:] for command in (case.command, case.peer) if command]
            self.expected.drop_all_but([self.parse(command) for command in later])

    def run_chunks(self, *devices: str) -> None:
        """The rate against the chunk size, all sizes and devices in turn."""
        points = [(device, chunk) for device in devices if self.machine.has(device) for chunk in CHUNK_BYTES]
        pipelines = [self.parse(chunk_command(device, chunk)) for device, chunk in points]
        self.prepare(pipelines)
        values: list[list[float]] = [[] for _ in points]
        for _ in range(self.settings.rounds + 1):
            for place, pipeline in enumerate(pipelines):
                values[place].append(self.sample(pipeline, RATE, 1, False, b""))
        print_row(CHUNK_HEADER)
        rows = []
        for (device, chunk), rates in zip(points, values):
            rows.append(self.machine.facts(device) | self.spread(rates[1:]) | {
                "chunk_bytes": str(chunk), "size_bytes": str(input_bytes("f32.bin", self.settings.size)),
                "unit": RATE.unit})
            print_row(chunk_cells(rows[-1]))
        self.store("chunks.tsv", CHUNK_COLUMNS, rows)

    def run_curves(self, program: str, options: str) -> None:
        """The curves that a program of its own measures and prints as rows, on the host and on PoCL."""
        if not os.path.exists(self.settings.programs[program]):
            print(f"{program}: skipped: there is no such program")
            return
        rows = []
        for device in ("none", "cpu"):
            if not self.machine.has(device):
                continue
            facts = self.machine.facts(device)
            output = run(self.parse(f"{program} -D {device} {options}")).output.decode()
            rows += [row | facts for row in parse_rows("\t".join(CURVE_COLUMNS) + "\n" + output)]
        self.store(f"{program}.tsv", CURVE_COLUMNS, rows)
        print(f"{program}: {len(rows)} points")

    def run_group(self, group: str) -> None:
        """One group; what fails outside a case fails the group."""
        print(f"\n{group}: {human_bytes(self.settings.size)}, {self.settings.rounds} rounds", flush=True)
        try:
            if group == "gpu" and not self.machine.has("gpu"):
                raise Failure("there is no OpenCL device of type gpu")
            if group == "curves":
                self.run_curves("curves", "")
            elif group == "expensive":
                self.run_curves("expensive", "-f expensive.cl")
            elif group == "chunks":
                self.run_chunks("none", "cpu")
            else:
                self.run_cases(group)
            if group == "gpu":
                self.run_chunks("gpu")
        except Failure as failure:
            self.fail(group, failure)
        self.expected.drop_all_but([])


COST_HEADER = ("case", "median", "min", "max", "unit", "peer", "ratio", "must", "reached")
CHUNK_HEADER = ("device and chunk size", "median", "min", "max", "unit")
WIDTHS = (60, 8, 8, 8, 5, 8, 8, 22, 0)


def cost_cells(row: Row) -> tuple[str, ...]:
    """A measured case as it is printed."""
    size = int(row["size_bytes"])
    name = f"{row['case']}, {human_bytes(size)}" if size else row["case"]
    return (name, row["median"], row["min"], row["max"], row["unit"], row["peer_median"], row["ratio"], row["must"],
            row["reached"])


def chunk_cells(row: Row) -> tuple[str, ...]:
    """A chunk size's rate as it is printed."""
    return (f"{device_label(row)}, {human_bytes(int(row['chunk_bytes']))}", row["median"], row["min"], row["max"],
            row["unit"])


def print_row(cells: tuple[str, ...]) -> None:
    """One line of aligned cells: the first to the left, numbers to the right."""
    texts = [cell.ljust(width) if place in (0, 4, 8) else cell.rjust(width)
             for place, (cell, width) in enumerate(zip(cells, WIDTHS))]
    print(" ".join(texts).rstrip(), flush=True)


def main() -> int:
    """Runs the groups, draws the pictures and sums up."""
    for number_of_signal in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number_of_signal, lambda caught, frame: sys.exit(128 + caught))
    try:
        settings = read_settings()
        bench = Bench(settings)
        print(f"{bench.machine.name}, {bench.machine.cores} cores, commit {bench.machine.commit}")
        with scratch_directory(settings.size * max(ROOM[group] for group in settings.groups)):
            for group in settings.groups:
                bench.run_group(group)
        pictures.draw_all(settings.results)
    except Failure as failure:
        print(f"bench: {failure}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    print(f"\n{bench.failures} failures, {bench.missed} requirements missed; rows are in "
          f"{os.path.relpath(settings.results)}")
    return 1 if bench.failures else 0


if __name__ == "__main__":
    sys.exit(main())
