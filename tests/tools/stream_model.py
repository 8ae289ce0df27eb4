"""What a whole run of pscan must write: text or raw elements in, text or raw results out, fields, marks and formats.

The arithmetic is that of grid_oracle.py (the grid) and decimal_oracle.py (exact decimals), and the lines are those of
lines.py. This module only joins them. Nothing here is shared with pscan.
"""
import re
from dataclasses import dataclass, field
from decimal import Decimal, localcontext
from typing import NamedTuple, Optional

import numpy as np

import lines
from decimal_oracle import MARKS, NUMBER, Decimals
from grid_oracle import (OPERATORS, RUNS, Masked, Scan, arrange, canonical, combine, convert, format_number, inclusive,
                         parse_number, parse_types, scan_elements)

EXACT_TYPES = ("num", "dec")


@dataclass
class Stream:
    """The options that decide what comes out. scan.type may be num or dec for text."""

    scan: Scan = field(default_factory=Scan)
    text: bool = False
    text_out: Optional[bool] = None  # None: as the input
    algorithm: str = "blelloch"
    number_format: Optional[str] = None
    missing: Optional[str] = None  # None: a mark is an error
    invalid: Optional[str] = None  # None: what is no number is an error
    rules: Optional[object] = None  # of lines.py

    def arguments(self):
        """The options for pscan."""
        options = self.scan.arguments()
        if self.scan.type == "num":
            at = options.index("-t")
            del options[at:at + 2]
        options += ["--format=text" if self.text else "--format=binary"]
        if self.text_out is not None:
            options += ["--output-format=text" if self.text_out else "--output-format=binary"]
        options += [f"--algorithm={self.algorithm}"] if self.algorithm != "blelloch" else []
        options += [f"-F{self.number_format}"] if self.number_format is not None else []
        options += [f"--missing={self.missing}"] if self.missing is not None and self.rules is None else []
        options += [f"--invalid={self.invalid}"] if self.invalid is not None and self.rules is None else []
        return options

    def results(self, elements):
        """Of an array."""
        return results_by(self.algorithm, self.scan, elements)


class Answer(NamedTuple):
    """What must be written, the element or token (from 0, in all files) that is an error or None, and how many bytes at
    least."""

    data: bytes
    error: Optional[int]
    least: int


# --- Other orders of combination -------------------------------------------------------------------------------------

def hillis_steele(op, run_totals):
    """E and the tile totals by Hillis and Steele's scan: at distances 1, 2, 4 .. every run takes in the node before it.
    """
    node = Masked(run_totals.value.copy(), run_totals.present.copy())
    distance = 1
    while distance < RUNS:
        value, present = combine(op, Masked(node.value[:, :-distance], node.present[:, :-distance]),
                                 Masked(node.value[:, distance:], node.present[:, distance:]))
        node = Masked(np.concatenate((node.value[:, :distance], value), axis=1),
                      np.concatenate((node.present[:, :distance], present), axis=1))
        distance *= 2
    prefix = Masked(np.zeros_like(node.value), np.zeros_like(node.present))
    prefix.value[:, 1:], prefix.present[:, 1:] = node.value[:, :-1], node.present[:, :-1]
    return prefix, node.value[:, -1]


def left_to_right(op, elements, seed=None):
    """Strictly one after the other, each result rounded to the type."""
    results = elements.copy()
    before = None if seed is None else np.array([seed])
    with np.errstate(all="ignore"):
        for i in range(len(elements)):
            x = elements[i:i + 1]
            before = x if before is None else OPERATORS[op](before, x)
            results[i] = before[0]
    return canonical(results)


def results_by(algorithm, scan, elements):
    """The results of elements with another algorithm than Blelloch's."""
    results = scan_elements(scan, elements)
    if algorithm == "blelloch":
        return results
    converted, _ = convert(elements, parse_types(scan.type).accumulator)
    seed = None if scan.seed is None else results.initial
    if algorithm == "sequential":
        return results._replace(inclusive=left_to_right(scan.op, converted, seed))
    return results._replace(inclusive=inclusive(scan.op, converted, seed, hillis_steele))


# --- Number formats --------------------------------------------------------------------------------------------------

FORMAT = re.compile(r"(?P<before>[^%]*)%(?P<flags>[-+ 0]*)(?P<width>\d*)(?:\.(?P<precision>\d+))?"
                    r"(?P<kind>[fegd])(?P<after>[^%]*)")


def exact_digits(kind, precision, value):
    """The magnitude of a Decimal as C's %f, %e or %g would write it, rounded half to even."""
    with localcontext() as context:
        context.prec = 400
        if kind == "f":
            return f"{value:.{precision}f}"
        if kind == "e":
            mantissa, _, exponent = f"{value:.{precision}e}".partition("e")
            return f"{mantissa}e{exponent[0]}{exponent[1:].zfill(2)}"
        precision = max(1, precision)
        exponent = int(f"{value:.{precision - 1}e}".partition("e")[2]) if value else 0
        if precision > exponent >= -4:
            text = f"{value:.{precision - 1 - exponent}f}"
        else:
            text = exact_digits("e", precision - 1, value)
        digits, e, rest = text.partition("e")
        return (digits.rstrip("0").rstrip(".") if "." in digits else digits) + e + rest


def format_result(number_format, text, is_float):
    """A result as -F writes it. text: the result without -F; is_float: it is an f64 or f32, else an exact decimal."""
    if number_format is None:
        return text
    match = FORMAT.fullmatch(number_format)
    flags, width, kind = match["flags"], int(match["width"] or 0), match["kind"]
    finite = "n" not in text
    if not finite:
        body = text.lstrip("-")
    elif kind == "d":
        body = str(abs(int(text)))
    elif is_float or not Decimal(text):
        body = f"%.{match['precision'] or 6}{kind}" % abs(float(text))
    else:
        # abs() would round to the context's digits.
        body = exact_digits(kind, int(match["precision"] or 6), Decimal(text.lstrip("-")))
    sign = "-" if text.startswith("-") else "+" if "+" in flags else " " if " " in flags else ""
    if "-" in flags:
        body = (sign + body).ljust(width)
    elif "0" in flags and finite:
        body = sign + body.rjust(width - len(sign), "0")
    else:
        body = (sign + body).rjust(width)
    return match["before"] + body + match["after"]


# --- Results of tokens -----------------------------------------------------------------------------------------------

class Series(NamedTuple):
    """Inclusive results of a sequence of tokens, before anything is left out or moved."""

    initial: object
    results: list
    error: Optional[int]
    why: str = ""  # parse: the token is no such number; convert: it does not fit the accumulator; else its result does not


class ExactStream(Decimals):
    """Remembers where exactness ends."""

    def __init__(self, op, seed, strict):
        super().__init__(op, seed, strict)
        self.exact_count = None if self.exact else 0

    def end_exact(self, tokens, index):
        """The rest is f64."""
        if self.exact:
            self.exact_count = index
        super().end_exact(tokens, index)


def exact_series(stream, tokens):
    """Tokens as num or dec."""
    scan = stream.scan
    one = ExactStream(scan.op, scan.seed, scan.type == "dec")
    initial_is_float = not one.exact
    one.scan(tokens)
    count = len(one.results) if one.exact_count is None else one.exact_count
    texts = [format_result(stream.number_format, text, i >= count) for i, text in enumerate(one.results)]
    return Series(format_result(stream.number_format, one.initial, initial_is_float), texts, one.error, "parse")


def parse_tokens(tokens, dtype):
    """An array of the tokens before the first that the type cannot hold."""
    values = []
    for token in tokens:
        if dtype.kind != "f":
            number = int(token, 0) if re.fullmatch(r"[+-]?(0[xX][0-9a-fA-F]+|[0-9]+)", token) else None
            limits = np.iinfo(dtype)
            if number is None or not limits.min <= number <= limits.max:
                break
            values.append(number)
        else:
            number = parse_number(token, dtype)
            if np.isinf(number) and "n" not in token.lower():
                break
            values.append(number)
    return np.array(values, dtype)


def fast_text(x):
    """format_number(x); repr() is as short, and faster."""
    if x.dtype.kind == "f":
        text = repr(float(x)) if x.dtype.itemsize == 8 else str(x)
        if "e" not in text and "n" not in text:
            return text[:-2] if text.endswith(".0") else text
    return format_number(x)


def value_text(stream, x):
    """One result of a type as text."""
    if x.dtype.kind == "f" and stream.number_format is not None:
        x = np.float64(x)  # -F shows the value itself
    return format_result(stream.number_format, fast_text(x), x.dtype.kind == "f")


def typed_series(stream, tokens):
    """Tokens as numbers of a type."""
    return element_series(stream, parse_tokens(tokens, parse_types(stream.scan.type).element), len(tokens))


def element_series(stream, elements, count):
    """An array of the first ones of so many elements: the next is no number. Results are texts, or bytes if the output
    is binary."""
    results = stream.results(elements)
    stop = results.stop
    error = stop if stop is not None else len(elements) if len(elements) < count else None
    why = "parse" if stop is None else "convert" if results.must_stop else ""
    kept = results.inclusive[:len(elements) if stop is None else stop]
    if stream.text_out is False:
        stored = np.concatenate((np.array([results.initial]), kept))
        raw = stored.astype(stored.dtype.newbyteorder(results.order)).tobytes()
        size = stored.itemsize
        pieces = [raw[i:i + size] for i in range(0, len(raw), size)]
        return Series(pieces[0], pieces[1:], error, why)
    return Series(value_text(stream, results.initial), [value_text(stream, x) for x in kept], error, why)


def moved(scan, series, count):
    """What is written of a series for count tokens, how much of it must be, and the token that is an error or None."""
    error, results = series.error, series.results
    exclusive = scan.exclusive and not scan.include_initial
    if error == count - 1 and exclusive and not scan.total and not series.why:
        error = None
    if scan.total:
        results = ([series.initial] + results)[-1:] if error is None else []
    elif scan.include_initial:
        results = [series.initial] + results
    elif exclusive:
        # The result beside the element that is too much does not depend on it; whether it is written before a float
        # that cannot be converted is left open.
        results = ([series.initial] + results)[:len(results) if series.why == "parse" else count]
        return results, len(results) - (error is not None and series.why == "convert"), error
    return results, len(results), error


def split_tokens(stream, files):
    """What each token is: (kind, token), kind being number, mark or bad. A file's end ends its last token."""
    items = []
    for data in files:
        for token in data.decode("utf-8-sig").split():
            kind = "mark" if token in MARKS else "number" if NUMBER.fullmatch(token) or token[:2].lower() == "0x" else "bad"
            if kind == "mark" and stream.missing not in (None, "keep", "skip"):
                kind, token = "number", "0" if stream.missing == "zero" else stream.missing
            items.append((kind, token))
    return items


def text_answer(stream, files):
    """Tokens between white space."""
    scan = stream.scan
    end, kept, numbers = None, [], []
    for index, (kind, token) in enumerate(split_tokens(stream, files)):
        if (kind == "bad" and stream.invalid is None) or (kind == "mark" and stream.missing is None):
            end = index
            break
        if kind == "number" or (kind == "mark" and stream.missing == "keep"):
            kept.append((kind, token))
            numbers += [index] if kind == "number" else []
    tokens = [token for kind, token in kept if kind == "number"]
    series = (exact_series if scan.type in EXACT_TYPES else typed_series)(stream, tokens)
    out, least, error = moved(scan, series, len(tokens))
    if scan.total:
        out, least = ([], 0) if end is not None else (out, least)
    elif stream.missing == "keep":
        left = iter(out)
        out = [next(left)] if scan.include_initial else []
        for kind, token in kept:
            if kind == "mark":
                out.append(token)
                continue
            result = next(left, None)
            if result is None:
                break
            out.append(result)
        least = len(out)
    pieces = out if stream.text_out is False else [(line + "\n").encode() for line in out]
    optional = 0 if least == len(pieces) else len(pieces[-1])
    data = b"".join(pieces)
    return Answer(data, numbers[error] if error is not None else end, len(data) - optional)


# --- Lines -----------------------------------------------------------------------------------------------------------

class Recorder(lines.Oracle):
    """Finds the numbers in lines, or puts results in their places."""

    def __init__(self, rules, results=None):
        super().__init__(rules)
        self.results = None if results is None else iter(results)
        self.tokens = []

    def result(self, value):
        """Stands in for the arithmetic."""
        if self.results is not None:
            return next(self.results)
        self.tokens.append(f"{value:f}")
        return "0"


def line_answer(stream, files):
    """Fields of lines, where nothing is an error."""
    recorder = Recorder(stream.rules)
    for data in files:
        recorder.file(data.decode())
    series = (exact_series if stream.scan.type in EXACT_TYPES else typed_series)(stream, recorder.tokens)
    if series.error is not None:
        raise ValueError("lines of an input with an error have no model")
    out, _, _ = moved(stream.scan, series, len(recorder.tokens))
    writer = Recorder(stream.rules, out)
    for data in files:
        writer.file(data.decode())
    data = "".join(writer.out).encode()
    return Answer(data, None, len(data))


# --- Raw elements ----------------------------------------------------------------------------------------------------

def binary_answer(stream, files):
    """Raw elements; text of them if asked for."""
    types = parse_types(stream.scan.type)
    data = b"".join(data[:len(data) - len(data) % types.element.itemsize] for data in files)
    elements = np.frombuffer(data, types.element.newbyteorder(types.in_order)).astype(types.element)
    found = arrange(stream.scan, results_by(stream.algorithm, stream.scan, elements), len(elements))
    out, least = found.data, found.least
    if stream.text_out:
        size = types.accumulator.itemsize
        results = np.frombuffer(out, types.accumulator.newbyteorder(types.out_order)).astype(types.accumulator)
        texts = [(value_text(stream, x) + "\n").encode() for x in results]
        out, least = b"".join(texts), sum(map(len, texts[:least // size]))
    return Answer(out, None if found.element is None else found.element - 1, least)


def answer(stream, files):
    """What pscan must write for the contents of these files."""
    if not stream.text:
        return binary_answer(stream, files)
    return text_answer(stream, files) if stream.rules is None else line_answer(stream, files)
