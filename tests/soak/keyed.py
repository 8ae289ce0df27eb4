"""Keys, resets and windows for the soak: which scan has which, and its expected output.

tests/tools/keys_cases.py picks the records of the segments. Each segment is a stream of its own (stream_model.py), or
one of windows (windows.py), and its results go back to the records' places.
"""
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

import keys_cases
import windows
from decimal_oracle import NUMBER
from grid_oracle import DTYPES, FLOATS, INTEGERS, OPERATORS, OVERFLOWING, Results, Scan, canonical, identity, parse_types
from keys_cases import Resets, Segment
from stream_model import EXACT_TYPES, Answer, Series, Stream, element_series, exact_series, moved, typed_series

NUMBER_COLUMN = 2  # of the rows that keys_cases.table makes: two keys, the number, a time
HEADER = ["host", "kind", "n", "time"]
MARKS = ("-", "NA")
NO_RESETS = Resets(False, 0, "", "")
LENGTHS = (1, 2, 3, 7, 15, 16, 17, 40, 255, 256, 1000)
FEW, MANY = 2500, 30000  # records, where a segment may be short and where it is long
BITWISE = ("and", "or", "xor")


class Outputs(NamedTuple):
    """Results by the places of their elements, and of totals by what orders them; how far they go if something is
    wrong, and at least."""

    results: dict
    totals: list
    stop: int
    sure: int
    error: int  # the place of the first element that is wrong; None if nothing is


@dataclass
class KeyedStream(Stream):
    """As Stream in stream_model.py, with what makes segments or windows."""

    layout: str = "raw"  # elements, tokens between white space, lines by blanks, lines of csv
    lanes: int = 1  # of raw records
    keys: tuple = ()
    resets: Resets = NO_RESETS
    window: int = 0
    lines: str = ""  # what becomes of them: nothing, -a, --replace
    header: bool = False
    rows: tuple = ()  # of text, in all files

    @property
    def unit(self):
        """The bytes of a raw record."""
        return parse_types(self.scan.type).element.itemsize * self.lanes

    @property
    def has_fields(self):
        """Whether lines have fields."""
        return self.layout in ("blanks", "csv")

    @property
    def is_segmented(self):
        """Whether there may be several segments."""
        return bool(self.keys) or self.resets != NO_RESETS

    def arguments(self):
        """The options for pscan."""
        options = super().arguments() + self.resets.options(NUMBER_COLUMN + 2)
        options += ["-g", ",".join(HEADER[k] if self.header else str(k + 1) for k in self.keys)] if self.keys else []
        options += [f"--window={self.window}"] if self.window else []
        options += [f"-f{NUMBER_COLUMN + 1}"] if self.has_fields else []
        options += ["--csv"] if self.layout == "csv" else []
        options += ["-H"] if self.header else ["--no-header"] * (self.layout == "csv")
        options += [self.lines] if self.lines else []
        options += [f"-c{self.lanes}"] if self.lanes > 1 else []
        return options

    # --- Results

    def results(self, elements):
        """Of an array: in windows each is by itself."""
        if not self.window:
            return super().results(elements)
        scan, dtype = self.scan, elements.dtype
        first = canonical(np.array([identity(scan.op, dtype)]))[0]
        order = parse_types(scan.type).out_order
        if dtype.kind == "f" and scan.op in OVERFLOWING:
            found = windows.grid_of_sums(scan.op, elements, self.window) if len(elements) else elements
            return Results(first, found, None, False, order)
        found = windows.exact_results(scan.op, elements.tolist(), self.window)
        if dtype.kind == "f":
            return Results(first, canonical(np.array(found, dtype)), None, False, order)
        low, high = windows.limits(scan.type[:3].rstrip("lb"))
        stop = next((i for i, x in enumerate(found) if not low <= x <= high), None)
        wrapped = [(x - low) % (high - low + 1) + low for x in found]
        return Results(first, np.array(wrapped, dtype), None if scan.wrap else stop, False, order)

    def series(self, elements):
        """Of one segment's elements, tokens or an array."""
        if self.layout == "raw":
            return element_series(self, elements, len(elements))
        if self.scan.type not in EXACT_TYPES:
            return typed_series(self, elements)
        if not self.window:
            return exact_series(self, elements)
        return Series(exact_series(self, []).initial, windows.decimal_results(self.scan.op, elements, self.window), None)

    def segments(self, rows, count):
        """All of them, with the places of their elements in the stream."""
        if not self.is_segmented:
            elements = [i for i in range(count) if self.layout == "raw" or self.is_element(rows[i])]
            return [Segment((), [], elements, (1, 0), [])]
        options = [f"--missing={self.missing}"]
        return [segment for segment in keys_cases.segments_of(rows, self.keys, self.resets, options) if segment.elements]

    def is_element(self, row):
        """Whether the row's number is one."""
        return keys_cases.is_element(row[NUMBER_COLUMN], [f"--missing={self.missing}"])

    def token(self, row):
        """What the row's number is."""
        return self.missing if row[NUMBER_COLUMN] in MARKS else row[NUMBER_COLUMN]

    def scan_segments(self, segments, values, end):
        """Every segment's results. values: of the elements at some places; end: how many records are sound."""
        results, totals, errors = {}, [], []
        stop, sure = end, end
        for segment in segments:
            places = segment.elements
            series = self.series(values(places))
            out, least, error = moved(self.scan, series, len(places))
            if self.scan.include_initial:
                results[-1] = out.pop(0)
                least -= 1
            if error is not None:
                after = [*places, places[-1] + 1]
                errors.append(places[error])
                sure = min(sure, after[least])
                stop = min(stop, after[len(out)], places[error] + 1 if series.why == "convert" else end)
            if self.scan.total:
                totals += [(segment.place, segment.names, out[0])] if out else []
            else:
                results.update(zip(places, out))
        return Outputs(results, totals, stop, sure, min(errors, default=None))

    # --- What is written

    def answer(self, files):
        """What pscan must write."""
        return self.raw_answer(b"".join(data[:len(data) - len(data) % self.unit] for data in files)) if self.layout == "raw" \
            else self.text_answer()

    def raw_answer(self, data):
        """Of raw elements, record by record."""
        types = parse_types(self.scan.type)
        elements = np.frombuffer(data, types.element.newbyteorder(types.in_order)).astype(types.element)
        segments = []
        for lane in range(self.lanes):
            mine = elements[lane::self.lanes].tolist()
            rows = [("", "", str(x) if self.resets.at else "0", "0") for x in mine]
            segments += [segment._replace(elements=[i * self.lanes + lane for i in segment.elements])
                         for segment in self.segments(rows, len(mine))]
        outputs = self.scan_segments(segments, lambda places: elements[places], len(elements))
        if self.lanes > 1:
            outputs = outputs._replace(sure=outputs.sure // self.lanes * self.lanes)
        return self.joined(outputs, lambda i: self.piece(outputs.results[i], " " if (i + 1) % self.lanes else "\n"), len(elements))

    def piece(self, result, end="\n"):
        """A result as it is written."""
        return (result + end).encode() if isinstance(result, str) else result

    def text_answer(self):
        """Of rows: up to the first whose number is none."""
        rows = self.rows
        end = next((i for i, row in enumerate(rows) if not is_number(row[NUMBER_COLUMN])), len(rows))
        segments = self.segments(rows[:end], end)
        outputs = self.scan_segments(segments, lambda places: [self.token(rows[i]) for i in places], end)
        error = min(outputs.stop, outputs.error) if outputs.error is not None else end if end < len(rows) else None
        head = b""
        if self.header and (self.keys or not self.scan.total):
            name = f"{HEADER[NUMBER_COLUMN]}_{self.scan.op}"
            names = [HEADER[k] for k in self.keys] + [HEADER[1]] * (self.scan.total and self.resets.on)
            names = {"": [*names, name], "-a": [*HEADER, name], "--replace": HEADER}[self.lines]
            head = self.line(names)
        return self.joined(outputs._replace(error=error), lambda i: self.row_piece(rows[i], outputs.results.get(i)), end, head)

    def line(self, row):
        """A row as a line."""
        return keys_cases.as_lines([row], self.layout == "csv")[0].encode()

    def row_piece(self, row, result):
        """What becomes of a row."""
        if isinstance(result, bytes):
            return result
        shown = result if result is not None else row[NUMBER_COLUMN] if self.missing == "keep" else None
        if self.lines == "-a":
            end = (" " if self.layout == "blanks" else ",") + (shown or "") + "\n"
            return self.line(row)[:-1] + end.encode()
        if self.lines == "--replace":
            return self.line([*row[:NUMBER_COLUMN], shown or row[NUMBER_COLUMN], *row[NUMBER_COLUMN + 1:]])
        return b"" if shown is None else self.total_piece([row[k] for k in self.keys], shown)

    def joined(self, outputs, piece, count, head=b""):
        """The whole output."""
        if self.scan.total:
            totals = [(place, self.total_piece(names, result)) for place, names, result in outputs.totals]
            if outputs.error is None:
                data = head + b"".join(part for _, part in sorted(totals))
                return Answer(data, None, len(data))
            # Of segments that ended before the error; how many of these are written is left open.
            ended = [part for place, part in sorted(totals) if place[0] == 0 and place[1] <= outputs.error]
            return Answer(head + b"".join(ended), outputs.error, 0)
        pieces = [piece(i) for i in range(min(outputs.stop, count))]
        head += self.piece(outputs.results[-1]) if -1 in outputs.results else b""
        return Answer(head + b"".join(pieces), outputs.error, len(head) + sum(map(len, pieces[:outputs.sure])))

    def total_piece(self, names, result):
        """The line of a segment's total."""
        if isinstance(result, bytes):
            return result
        return self.line([*names, "x"])[:-2] + self.piece(result)


def is_number(text):
    """Whether it is a number or missing."""
    return text in MARKS or NUMBER.fullmatch(text) is not None


# --- What is drawn ---------------------------------------------------------------------------------------------------

def draw_resets(rng, layout, kind, is_exact):
    """What begins segments. is_exact: an element is compared as it is."""
    by_fields = layout in ("blanks", "csv")
    is_compared = kind != "anything" and is_exact and rng.random() < 0.25
    return Resets(by_fields and rng.random() < 0.3, rng.choice((0, 0, 1, 2, 3, 16, 17, 100, 1000)),
                  rng.choice(("0", "7", "-0.0" if kind == "floats" else "1")) if is_compared else "",
                  rng.choice(list(keys_cases.GAPS)) if by_fields and rng.random() < 0.25 else "")


def draw_type(rng, layout):
    """A type, and an operator for it."""
    kind = rng.choice(list(DTYPES)) if layout == "raw" or rng.random() < 0.4 else rng.choice(("num", "num", "num", "dec"))
    return kind, rng.choice([op for op in OPERATORS if kind not in FLOATS or op not in BITWISE])


def draw_seed(rng, op, kind):
    """A seed that the type can hold."""
    if kind in INTEGERS or op in ("prod", *BITWISE):
        return rng.choice(("0", "1", "3", "100"))
    return rng.choice(("7", "-3", "0.50", "1e3", "-12.125"))


def draw_scan(rng, layout, random_mode):
    """A scan of elements of which kind, and in windows of what length: of decimals only of what was tried."""
    kind, op = draw_type(rng, layout)
    window = rng.choice(LENGTHS) if rng.random() < 0.4 and (kind not in EXACT_TYPES or op in ("sum", "max", "min")) else 0
    mode = random_mode(rng)
    if kind in EXACT_TYPES:
        elements = "integers" if kind == "dec" or op in BITWISE else rng.choice(("integers", "cents", "anything")) if not window else "cents"
    else:
        elements = "floats" if kind in FLOATS else "typed"
    seed = draw_seed(rng, op, kind) if not window and kind != "dec" and rng.random() < 0.25 else None
    name = kind
    if layout == "raw":
        name += rng.choice(("", "", "le", "be"))
        if not window and rng.random() < 0.15:
            accumulators = [name for name in DTYPES if name in INTEGERS or op not in BITWISE]
            name += ":" + rng.choice(accumulators)
            seed = None
    wrap = kind in INTEGERS and rng.random() < 0.7
    return Scan(op, name, seed=seed, wrap=wrap, **mode), elements, window


def draw_numbers(rng, stream, kind, count, number_tokens):
    """So many tokens, of which some may be missing, or one none."""
    types = stream.scan.type
    if kind in ("integers", "cents", "anything"):
        tokens = [keys_cases.number(rng, kind) if not stream.window else windows.token(rng, 4) for _ in range(count)]
    else:
        tokens = number_tokens(rng, types, count)
    small = [str(rng.choice((0, 1, 7))) if rng.random() < 0.1 else token for token in tokens]
    share = 0 if stream.missing is None else rng.choice((0.02, 0.1, 0.5))
    small = [rng.choice(MARKS) if rng.random() < share else token for token in small]
    if small and rng.random() < 0.05:
        small[rng.randrange(count)] = rng.choice(("1.2.3", "x", "--5"))
    return small


def draw_raw(rng, stream, kind, count):
    """An array's bytes."""
    generator = np.random.default_rng(rng.getrandbits(64))
    types = parse_types(stream.scan.type)
    dtype = types.element
    if kind == "floats":
        elements = np.round(generator.normal(0, 100, count), rng.choice((0, 1, 9))).astype(dtype)
        if rng.random() < 0.2 and count:
            elements[generator.integers(0, count, 1 + count // 50)] = rng.choice((np.nan, np.inf, -0.0))
    else:
        limits = np.iinfo(dtype)
        greatest = min(int(limits.max), rng.choice((1, 3, 100, int(limits.max))))
        elements = generator.integers(max(int(limits.min), -greatest), greatest, count, dtype, endpoint=True)
    return elements.astype(dtype.newbyteorder(types.in_order)).tobytes()


def draw_rows(rng, stream, kind, count, number_tokens):
    """A table, or tokens alone."""
    rows = []
    timed = rng.random() < 0.5  # gaps are of one kind
    while len(rows) < count:
        rows += keys_cases.table(rng, "integers", 1, stream.layout == "csv", 0, timed=timed)
    tokens = draw_numbers(rng, stream, kind, count, number_tokens)
    return [[*row[:NUMBER_COLUMN], token, *row[NUMBER_COLUMN + 1:]] for row, token in zip(rows, tokens)]


def needs_element(stream):
    """Whether there must be a number: how a total in windows of nothing is written is left open."""
    return stream.scan.total and stream.window > 0 and not stream.is_segmented


def random_stream(rng, count, random_mode, number_tokens):
    """A stream, and the parts that files may be cut between, with what stands at the head of each."""
    layout = rng.choice(("raw", "raw", "tokens", "blanks", "blanks", "csv"))
    scan, kind, window = draw_scan(rng, layout, random_mode)
    stream = KeyedStream(scan, layout != "raw", layout=layout, window=window)
    stream.keys = rng.choice(((0,), (1,), (0, 1), (1, 0), ())) if stream.has_fields else ()
    if not (window and rng.random() < 0.4):
        stream.resets = draw_resets(rng, layout, kind, ":" not in scan.type)
    if layout == "raw":
        stream.text_out = rng.random() < 0.2
        stream.lanes = 1 if scan.total or scan.include_initial else rng.choice((1, 1, 2, 3))
    if not (stream.is_segmented or window):
        stream.resets = NO_RESETS._replace(every=rng.choice((1, 5, 4096)))
    if stream.is_segmented and scan.include_initial:
        stream.scan = Scan(scan.op, scan.type, seed=scan.seed, wrap=scan.wrap)
    if not window and kind in ("floats", "typed") and rng.random() < 0.15:
        stream.algorithm = rng.choice(("hillis-steele", "sequential"))
    if stream.text and not needs_element(stream):
        stream.missing = rng.choice((None, None, "skip", "skip" if window else "keep", "7"))
    if stream.has_fields:
        stream.header = rng.random() < 0.3
        stream.lines = rng.choice(("", "-a", "-a", "--replace")) if not (scan.total or scan.include_initial) else ""
    count = choose_count(rng, stream, count)
    if layout == "raw":
        return stream, stream_parts(draw_raw(rng, stream, kind, count * stream.lanes), stream.unit), b""
    stream.rows = tuple(draw_rows(rng, stream, kind, count, number_tokens))
    if stream.has_fields:
        return stream, [stream.line(row) for row in stream.rows], stream.line(HEADER) if stream.header else b""
    ends = rng.choice((("\n",), ("\n", " ", "\t", "\r\n", "\n\n")))
    return stream, [(row[NUMBER_COLUMN] + rng.choice(ends)).encode() for row in stream.rows], b""


def choose_count(rng, stream, count):
    """How many records: few, unless segments are long."""
    if needs_element(stream):
        count = max(count, 1)
    if stream.is_segmented and (stream.keys or rng.random() < 0.7):
        return min(count, FEW)
    if stream.is_segmented:
        stream.resets = NO_RESETS._replace(every=rng.choice((1000, 4095, 4096, 5000, 20000)))
    return min(count, FEW if stream.window > 100 and stream.scan.op == "prod" else MANY)


def stream_parts(data, unit):
    """Records."""
    return [data[i:i + unit] for i in range(0, len(data), unit)]
