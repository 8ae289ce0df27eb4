"""Input files with a fixed seed, and pscan's expected results.

Files live in the working directory. Integer results and maxima are expected as numpy computes them; floating-point sums
as pscan itself computes them on the host with one thread.
"""
import mmap
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from pipeline import BLOCK_BYTES, Failure, Pipeline, parse, run, to_pipe
from programs import MODULUS, check_of, check_program
from texts import (TEXTS, TextScan, compare_balances, is_compressed, is_data_frames, make_text, text_scan_of,
                   write_expected)

SEED = 2
BLOCK_ELEMENTS = 1 << 22
ONES_IN_BYTES = 200  # so that a running sum of u8 stays within its type
OUTPUT = "out.bin"
TEXT_OUTPUT = "out.gz"
TABLE_OUTPUT = "out.csv"


def fill_floats(rng, dtype, count: int) -> np.ndarray:
    """Uniform from 0 to 1."""
    return rng.random(count, dtype=dtype)


def fill_integers(rng, dtype, count: int) -> np.ndarray:
    """Uniform from -1000 to 1000: running sums stay far within 32 bits."""
    return rng.integers(-1000, 1000, count, dtype=dtype, endpoint=True)


def fill_pairs(rng, dtype, count: int) -> np.ndarray:
    """Coefficients a from -0.9 to 0.9 and addends b from 0 to 1 of a recurrence, in turn."""
    numbers = rng.random(count, dtype=dtype)
    numbers[::2] = 1.8 * numbers[::2] - 0.9
    return numbers


def fill_residues(rng, dtype, count: int) -> np.ndarray:
    """From 1 to a prime less 1: no product of them is 0 modulo the prime."""
    return rng.integers(1, MODULUS, count, dtype=dtype)


@dataclass(frozen=True)
class Input:
    """One input file: its size as a multiple of BENCH_SIZE, whole records, and how its blocks are made (None: a hole).
    """
    dtype: str
    scale: Fraction = Fraction(1)
    fill: Callable | None = None
    record_bytes: int = 8
    raw: str | None = None  # numpy's header before the numbers of this other input


INPUTS = {
    "f32.bin": Input("f4", fill=fill_floats),
    "f32.npy": Input("f4", fill=fill_floats, raw="f32.bin"),
    "columns.bin": Input("f4", fill=fill_floats, record_bytes=12000),
    "f64.bin": Input("f8", fill=fill_floats),
    "expensive.bin": Input("f8", Fraction(1, 8), fill=fill_floats),
    "pairs.bin": Input("f8", fill=fill_pairs, record_bytes=16),
    "i32.bin": Input("i4", fill=fill_integers),
    "i64.bin": Input("i8", fill=fill_integers),
    "residues.bin": Input("u8", Fraction(1, 4), fill=fill_residues),
    "u8.bin": Input("u1"),
    "zeros.bin": Input("f4"),
    "zeros_64th.bin": Input("f4", Fraction(1, 64)),
    "zeros_4th.bin": Input("f4", Fraction(1, 4)),
    "zeros_8times.bin": Input("f4", Fraction(8)),
}


def input_bytes(name: str, size: int) -> int:
    """The size of an input where BENCH_SIZE is size: whole elements of every type; of a text as it was made."""
    if name in TEXTS:
        return os.path.getsize(name)
    kind = INPUTS[name]
    return int(kind.scale * size) // kind.record_bytes * kind.record_bytes


def make_input(name: str, size: int) -> None:
    """Writes an input unless it is there."""
    if os.path.exists(name):
        return
    if name in TEXTS:
        make_text(name, size)
        return
    kind = INPUTS[name]
    dtype = np.dtype(kind.dtype)
    total = input_bytes(name, size)
    rng = np.random.default_rng(SEED)
    with open(name, "wb") as file:
        file.truncate(total)
        if kind.raw:
            shape = (total // dtype.itemsize,)
            np.lib.format.write_array_header_1_0(file, {"descr": dtype.str, "fortran_order": False, "shape": shape})
        left = total // dtype.itemsize if kind.fill else 0
        while left > 0:
            count = min(left, BLOCK_ELEMENTS)
            kind.fill(rng, dtype, count).tofile(file)
            left -= count
        if name == "u8.bin":
            for place in rng.integers(0, total, ONES_IN_BYTES).tolist():
                file.seek(place)
                file.write(b"\1")


@dataclass(frozen=True)
class Scan:
    """What a pscan command computes of which input."""
    source: str
    op: str = "sum"
    element: str = "f32"
    result: str = "f32"
    exclusive: bool = False
    columns: int = 1
    every: int = 0  # elements of a segment
    total: bool = False  # of each segment
    window: int = 0

    def result_bytes(self, size: int) -> int:
        """The size of the output."""
        if self.total:
            return -(-input_bytes(self.source, size) * 8 // int(self.element[1:]) // self.every) * int(self.result[1:]) // 8
        return input_bytes(self.source, size) // int(self.element[1:]) * int(self.result[1:])

    def is_zeros(self) -> bool:
        """True if the results are nothing but zero bytes."""
        return INPUTS[self.source].fill is None and self.source != "u8.bin" and self.op == "sum"


def inputs_of(pipeline: Pipeline) -> list[str]:
    """The input files that a pipeline reads."""
    return [word for word in pipeline.words() if word in INPUTS or word in TEXTS]


def without_taskset(stage: list[str]) -> list[str]:
    """The command itself."""
    return stage[3:] if os.path.basename(stage[0]) == "taskset" else stage


def scan_of(pipeline: Pipeline) -> Scan | None:
    """The scan of binary in a pipeline, by pscan's options, or a library's; None if neither is in it or it reads no
    such file."""
    sources = [INPUTS[word].raw or word for word in inputs_of(pipeline) if word in INPUTS]
    if sources and is_data_frames(pipeline):
        return Scan(sources[0], "max", "f64", "f64", window=1000)
    stages = [[os.path.basename(stage[0]), *stage[1:]] for stage in (without_taskset(stage) for stage in pipeline.stages)]
    stages = [stage for stage in stages if stage[0] == "pscan"]
    if not stages or not sources:
        return None
    options = stages[0][1:]
    op = options[options.index("-op") + 1] if "-op" in options else "sum"
    types = options[options.index("-t") + 1] if "-t" in options else "f32"
    element, _, result = types.partition(":")
    columns = int(options[options.index("-c") + 1]) if "-c" in options else 1
    every = next((int(option.partition("=")[2]) for option in options if option.startswith("--reset-every=")), 0)
    window = next((int(option.partition("=")[2]) for option in options if option.startswith("--window=")), 0)
    return Scan(sources[0], op, element, result or element, "-e" in options, columns, every, "--total" in options, window)


def identity(op: str, dtype: np.dtype):
    """What an exclusive scan starts with."""
    if op == "sum":
        return dtype.type(0)
    return dtype.type(-np.inf) if dtype.kind == "f" else np.iinfo(dtype).min


def write_with_numpy(scan: Scan, path: str) -> None:
    """Integer sums and any maxima, block by block."""
    dtype = np.dtype(f"{scan.result[0]}{int(scan.result[1:]) // 8}")
    element = np.dtype(INPUTS[scan.source].dtype)
    combine = {"sum": np.add, "max": np.maximum}[scan.op]
    carry = identity(scan.op, dtype)
    with open(scan.source, "rb") as source, open(path, "wb") as file:
        while (block := np.fromfile(source, element, BLOCK_ELEMENTS)).size:
            results = combine(combine.accumulate(block.astype(dtype), dtype=dtype), carry)
            before, carry = carry, results[-1]
            if scan.exclusive:
                results = np.concatenate((np.array([before], dtype), results[:-1]))
            results.tofile(file)


def write_segments(scan: Scan, path: str) -> None:
    """Running sums of integers in segments of a size."""
    dtype = np.dtype(INPUTS[scan.source].dtype)
    with open(scan.source, "rb") as source, open(path, "wb") as file:
        while (block := np.fromfile(source, dtype, BLOCK_ELEMENTS // scan.every * scan.every)).size:
            whole = block[:len(block) // scan.every * scan.every].reshape(-1, scan.every)
            np.cumsum(whole, axis=1, dtype=dtype).tofile(file)
            np.cumsum(block[whole.size:], dtype=dtype).tofile(file)


def write_segment_totals(scan: Scan, path: str) -> None:
    """Sums of segments of some runs of the grid, whose totals are added one after the other as long as they are four.
    """
    dtype = np.dtype(INPUTS[scan.source].dtype)
    assert scan.every == 64
    with open(scan.source, "rb") as source, open(path, "wb") as file:
        while (block := np.fromfile(source, dtype, BLOCK_ELEMENTS // 64 * 64)).size:
            runs = np.cumsum(block.reshape(-1, 4, 16), axis=2, dtype=dtype)[:, :, -1]
            np.cumsum(runs, axis=1, dtype=dtype)[:, -1].tofile(file)


def write_windows(scan: Scan, path: str) -> None:
    """Maxima of windows: in blocks of their length, prefixes of one and suffixes of the one before."""
    dtype = np.dtype(INPUTS[scan.source].dtype)
    before = np.full(scan.window, -np.inf, dtype)
    with open(scan.source, "rb") as source, open(path, "wb") as file:
        while (part := np.fromfile(source, dtype, BLOCK_ELEMENTS // scan.window * scan.window)).size:
            blocks = np.full(-(-len(part) // scan.window) * scan.window, -np.inf, dtype)
            blocks[:len(part)] = part
            blocks = blocks.reshape(-1, scan.window)
            previous = np.vstack((before[None], blocks[:-1]))
            suffixes = np.maximum.accumulate(previous[:, ::-1], axis=1)[:, ::-1]
            results = np.maximum.accumulate(blocks, axis=1)
            results[:, :-1] = np.maximum(results[:, :-1], suffixes[:, 1:])
            results.reshape(-1)[:len(part)].tofile(file)
            before = blocks[-1]


def write_columns(scan: Scan, path: str, programs: dict[str, str]) -> None:
    """A scan of the columns of records: each scanned for itself or, of many, two halves that are chosen."""
    records = np.fromfile(scan.source, INPUTS[scan.source].dtype).reshape(-1, scan.columns)
    results = np.empty_like(records)
    half = scan.columns // 2
    parts = [(k, k + 1) for k in range(scan.columns)] if scan.columns < 10 else [(0, half), (half, scan.columns)]
    for first, end in parts:
        options = f"-c {scan.columns} -f {first + 1}-{end} {scan.source}"
        if end - first == 1:
            records[:, first].tofile("column.tmp")
            options = "column.tmp"
        output = run(parse(f"pscan -D none -T 1 -t {scan.element} {options}", programs)).output
        results[:, first:end] = np.frombuffer(output, records.dtype).reshape(-1, end - first)
    results.tofile(path)
    if os.path.exists("column.tmp"):
        os.unlink("column.tmp")


class Expected:
    """Expected outputs, each computed once and kept as a file until it is dropped."""

    def __init__(self, programs: dict[str, str], size: int):
        self.programs = programs
        self.size = size
        self.paths: dict[Scan | TextScan, str] = {}
        self.checked: set[str] = set()

    def path(self, scan: Scan | TextScan) -> str:
        """The file with a scan's expected output."""
        if scan not in self.paths:
            path = f"expected-{len(self.paths)}.bin"
            if isinstance(scan, TextScan):
                write_expected(scan, self.size, path, self.programs)
            elif scan.columns > 1:
                write_columns(scan, path, self.programs)
            elif scan.total:
                write_segment_totals(scan, path)
            elif scan.every > 0:
                write_segments(scan, path)
            elif scan.window > 0:
                write_windows(scan, path)
            elif scan.op == "max" or scan.result[0] != "f":
                write_with_numpy(scan, path)
            else:
                run(parse(f"pscan -D none -T 1 -op {scan.op} -t {scan.element}:{scan.result} {scan.source} > {path}",
                          self.programs))
            self.paths[scan] = path
        return self.paths[scan]

    def check(self, pipeline: Pipeline) -> None:
        """Runs a pipeline with pscan in it, once, and compares its whole output; raises Failure if it is wrong."""
        scan = scan_of(pipeline)
        if pipeline.command in self.checked:
            return
        sources = [name for name in inputs_of(pipeline) if name in INPUTS]
        if sources and check_of(pipeline):
            check_program(pipeline, sources[0], INPUTS[sources[0]].dtype)
            self.checked.add(pipeline.command)
            return
        if scan is None:
            self.check_text(pipeline)
            return
        comparison = Comparison(pipeline.command, None if scan.is_zeros() else self.path(scan))
        if OUTPUT in (pipeline.target, *pipeline.words()):
            run(pipeline)
            comparison.read(OUTPUT)
        else:
            run(to_pipe(pipeline), comparison.update)
        comparison.finish(scan.result_bytes(self.size))
        self.checked.add(pipeline.command)

    def check_text(self, pipeline: Pipeline) -> None:
        """The same for a pipeline that reads text, or no input file; what comes out of it as gzip is inflated."""
        scan = text_scan_of(pipeline)
        if scan is None:
            return
        if scan.mapped and is_data_frames(pipeline):
            run(pipeline)
            compare_balances(pipeline.command, self.path(scan), TABLE_OUTPUT)
            self.checked.add(pipeline.command)
            return
        stages = pipeline.stages + ([self.gunzip()] if is_compressed(pipeline) else [])
        comparison = Comparison(pipeline.command, self.path(scan))
        if TABLE_OUTPUT in pipeline.words():
            run(pipeline)
            comparison.read(TABLE_OUTPUT)
        else:
            run(replace(pipeline, stages=stages, target=None), comparison.update)
        comparison.finish(os.path.getsize(self.path(scan)))
        self.checked.add(pipeline.command)

    def gunzip(self) -> list[str]:
        """A stage that inflates."""
        return parse("gzip -dc", self.programs).stages[0]

    def drop_all_but(self, needed: list[Pipeline]) -> None:
        """Removes the files, inputs too, that none of the pipelines needs."""
        sources = {name for pipeline in needed for name in inputs_of(pipeline)}
        scans = {scan_of(pipeline) or text_scan_of(pipeline) for pipeline in needed if pipeline.command not in self.checked}
        for scan in [scan for scan in self.paths if scan not in scans]:
            os.unlink(self.paths.pop(scan))
        for name in (*INPUTS, *TEXTS):
            if name not in sources and os.path.exists(name):
                os.unlink(name)
        remove_output()


class Comparison:
    """Compares a stream of blocks with a file, or with zeros."""

    def __init__(self, command: str, path: str | None):
        self.command = command
        self.position = 0
        self.zeros = bytes(BLOCK_BYTES)
        self.map = None
        if path:
            with open(path, "rb") as file:
                self.map = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)

    def update(self, block: bytes) -> None:
        """Compares the next block; raises Failure at the first that differs."""
        end = self.position + len(block)
        expected = self.map[self.position:end] if self.map else self.zeros[:len(block)]
        if block != expected:
            raise Failure(f"{self.command}: wrong output between bytes {self.position} and {end}")
        self.position = end

    def read(self, name: str) -> None:
        """Compares a file."""
        with open(name, "rb") as output:
            while block := output.read(BLOCK_BYTES):
                self.update(block)

    def finish(self, size: int) -> None:
        """Raises Failure unless the stream had the size."""
        if self.map:
            self.map.close()
        if self.position != size:
            raise Failure(f"{self.command}: {self.position} bytes of output instead of {size}")


def remove_output() -> None:
    """Removes the file that the last run wrote."""
    for name in (OUTPUT, TEXT_OUTPUT, TABLE_OUTPUT):
        if os.path.exists(name):
            os.unlink(name)
