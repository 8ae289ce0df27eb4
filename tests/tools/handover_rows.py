#!/usr/bin/python3
"""The streams of the hand-over tests: options, input, and the expected output by the oracle that knows only the grid.
"""
import functools
from typing import NamedTuple

import numpy as np

from grid_oracle import TILE, Scan, outcome, parse_types, text_outcome

CHUNKS = 24
CHUNK_BYTES = 16384  # rounded up to whole tiles by pscan
TEXT_CHUNK = 16 * TILE  # bytes, for elements of up to 16: of two tiles or more


class Row(NamedTuple):
    """A stream. chunk: bytes of input that one chunk takes."""

    name: str
    options: tuple
    data: bytes
    expected: bytes
    code: int
    chunk: int
    unit: int  # bytes of an element, or 0 for text
    result_unit: int

    @property
    def count(self):
        """Its elements."""
        return len(self.data) // self.unit if self.unit else len(self.data.split())

    def cut(self, size):
        """The greatest number of bytes up to size that is whole elements."""
        return size - size % self.unit if self.unit else self.data.rindex(b"\n", 0, size) + 1

    def results_of(self, size):
        """How many bytes of results the first size bytes of input (whole elements) give."""
        if self.unit:
            return size // self.unit * self.result_unit
        lines = self.data.count(b"\n", 0, size)
        return len(b"".join(self.expected.splitlines(keepends=True)[:lines]))


def generator(name):
    """A generator that depends on the name only."""
    return np.random.default_rng(list(name.encode()))


def binary(name, scan, elements, code=0):
    """A row of raw elements."""
    types = parse_types(scan.type)
    data = elements.astype(types.element.newbyteorder(types.in_order)).tobytes()
    size = types.element.itemsize
    tiles = -(-CHUNK_BYTES // (TILE * size))
    options = ("--format=binary", f"--chunk-size={CHUNK_BYTES}", *scan.arguments())
    return Row(name, options, data, outcome(scan, data).data, code, tiles * TILE * size, size, types.accumulator.itemsize)


def text(name, tokens, element_type, op="sum"):
    """A row of numbers of a type, one a line. A slot for n elements takes n bytes of text."""
    data = "".join(token + "\n" for token in tokens).encode()
    scan = Scan(op, element_type)
    size = parse_types(element_type).accumulator.itemsize
    return Row(name, ("-op", op, "-t", element_type, f"--chunk-size={TEXT_CHUNK * size}"), data, text_outcome(scan, [data]), 0,
               TEXT_CHUNK, 0, 0)


def count_for(size):
    """Returns a number of elements for which the last chunk is part of a tile."""
    tiles = -(-CHUNK_BYTES // (TILE * size))
    return (CHUNKS - 1) * tiles * TILE + 1234


def overflowing():
    """Small integers whose sum leaves the type in the last chunk."""
    elements = generator("overflow").integers(-1000, 1000, count_for(4))
    elements[-600:-598] = 2 ** 31 - 1
    return binary("i32 sum that overflows", Scan("sum", "i32"), elements, code=1)


def numbers(name, element_type, change, op="sum"):
    """About CHUNKS chunks of text; change(i, number) is token i."""
    drawn = generator(name).integers(-4000, 9000, CHUNKS * TEXT_CHUNK // 6)
    return text(name, [change(i / len(drawn), int(x)) for i, x in enumerate(drawn)], element_type, op)


def growing_scale(place, number):
    """Decimals get longer from quarter to quarter."""
    places = int(place * 4)
    return f"{number}.{abs(number) % 10 ** places:0{places}d}" if places else str(number)


ROWS = {
    "f32-sum": lambda: binary("f32-sum", Scan("sum", "f32"), generator("a").standard_normal(count_for(4))),
    "f64-sum": lambda: binary("f64-sum", Scan("sum", "f64"), generator("b").standard_normal(count_for(8)) * 1e3),
    "i32-sum": lambda: binary("i32-sum", Scan("sum", "i32"), generator("c").integers(-1000, 1000, count_for(4))),
    "i32-overflow": overflowing,
    "u8-max": lambda: binary("u8-max", Scan("max", "u8"), np.minimum(
        generator("d").integers(0, 9, count_for(1)) + np.arange(count_for(1)) // 2000, 255)),
    "f32-min": lambda: binary("f32-min", Scan("min", "f32"), generator("e").random(count_for(4)) / np.arange(
        1, count_for(4) + 1)),
    "i64-xor": lambda: binary("i64-xor", Scan("xor", "i64"), generator("f").integers(-2 ** 62, 2 ** 62, count_for(8))),
    "f32-prod": lambda: binary("f32-prod", Scan("prod", "f32"), 1 + generator("g").uniform(-1, 1, count_for(4)) / 512),
    "f32-exclusive": lambda: binary("f32-exclusive", Scan("sum", "f32", exclusive=True, seed="0.1"),
                                    generator("h").standard_normal(count_for(4))),
    "f64be-sum": lambda: binary("f64be-sum", Scan("sum", "f64be"), generator("i").standard_normal(count_for(8))),
    "i16-to-i64": lambda: binary("i16-to-i64", Scan("sum", "i16:i64"), generator("j").integers(-2 ** 15, 2 ** 15,
                                                                                               count_for(2))),
    "text-f64": lambda: numbers("text-f64", "f64", growing_scale),
    "text-i64": lambda: numbers("text-i64", "i64", lambda place, x: str(x)),
    "text-f32-max": lambda: numbers("text-f32-max", "f32", lambda place, x: f"{x + place * 1000:.3f}", op="max"),
}


@functools.lru_cache(maxsize=None)
def row(name):
    """The row of that name."""
    return ROWS[name]()
