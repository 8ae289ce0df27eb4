"""Records of several results: random tables and binary records through pscan, compared with the definitions of the
lanes.

A lane is one field under one operator. Its results are computed here for the lane alone (numpy, Python's integers and
fractions, grid_oracle.py, decimal_oracle.py and operators.py's DEFINITIONS), and a small model puts them into lines and
records. The tables are made together with their meaning, so nothing here parses text. For some lanes pscan must give
the same results from the lane's own numbers alone.

    lanes.py ENGINE [SORT NUMBER]     host, or cpu (PoCL, both of its shapes); one case: SORT is text or binary
"""
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import List, NamedTuple, Optional

import numpy as np

from decimal_oracle import Decimals
from grid_oracle import (DTYPES, FLOATS, TILE, Scan, canonical, convert, format_decimal, format_number, parse_number,
                         parse_types, scan_elements)
from operator_facts import BITWISE, COMMON, where, with_factor
from operators import DEFINITIONS, FACTOR, FOLDS, decimal_lines, with_seed

PSCAN = os.environ["PSCAN"]
EMA = f"ema:{FACTOR}"
MARKS = ("", "-", "NA", "N/A", "null", "Null", "none", "\\N")
INVALID = ("x", "1x", "2.5.1", "é", "--5", "1e")
ENDS = ("0.1234567890123456789", "-1e300", "2.5e-19", "inf", "9" * 45)  # of exactness
NO_IDENTITY = with_factor(where(lambda facts: facts.identity == "NONE"), FACTOR)  # -e and --include-initial need a seed
UNSEEDED = where(lambda facts: not facts.seeded)
EMITS_INPUTS = where(lambda facts: facts.emits_inputs)  # of an exclusive scan, too, the next result is not known before its element
CASES = {"host": {"text": 110, "binary": 80}, "cpu": {"text": 4, "binary": 4}}
ROWS = {"host": (0, 1, 2, 30, 300, 1500, 4097, 6000), "cpu": (3, 700, 4500)}
RECORDS = {"host": (0, 1, 2, 17, 700, TILE - 1, TILE + 1, 3 * TILE + 5), "cpu": (2, TILE + 1, 9000)}


# --- Lanes -----------------------------------------------------------------------------------------------------------

class Lane(NamedTuple):
    """What a lane gives: a result for each element (None: absent), what is before them, and what stops it."""

    initial: object
    total: object
    shown: list
    stop: Optional[int]  # so many of the results can be written
    bad: Optional[int]  # the element (from 1) that an error names
    out: Optional[np.dtype]


def definition_of(op):
    """The operator's definition."""
    return DEFINITIONS["ema:A" if op == EMA else op]


def is_near(op, texts, numbers, seed, kind):
    """Whether smoothed floats are near the definition's, whose order is open."""
    close = definition_of(op).close["f32" if kind == "f32" else "f64"]
    values = np.array(([] if seed is None else [float(seed)]) + [float(x) for x in numbers])
    wanted = definition_of(op).results(values)[0 if seed is None else 1:] if len(numbers) > 0 else []
    if not np.isfinite(values).all():
        return True
    return len(texts) == len(wanted) and np.allclose([float(t) for t in texts], wanted, 0, close * np.abs(values).max(initial=0))


def decimal_lane(op, mode, tokens, seed):
    """A lane of exact decimals, its results as text."""
    if op in FOLDS:
        stream = Decimals(op, seed).scan(tokens)
        assert stream.error is None, (op, tokens[stream.error])
        initial, results = stream.initial, stream.results
        exclusive = [initial] + results[:-1]
    else:
        definition = definition_of(op)
        before = [] if seed is None else [seed]
        exact = next((i for i, token in enumerate(tokens) if token in ENDS), len(tokens))
        if op == "mean":
            stream = Decimals("sum")
            while stream.combined(tokens[len(stream.results)]) if len(stream.results) < exact else False:
                stream.total, stream.scale = stream.combined(tokens[len(stream.results)])
                stream.results.append("")
            exact = len(stream.results)
        results = decimal_lines_from(definition, definition.results, before + tokens, exact + len(before))
        initial = results[0] if before else definition.identity
        initial = None if initial is None else str(initial)
        results = results[len(before):]
        exclusive = ([initial] + results)[:len(results)]
        if definition.exclusive and before and tokens:
            exclusive = decimal_lines_from(definition, definition.exclusive, before + tokens, exact + 1)[1:]
    shown = exclusive[:len(results)] if mode == "-e" else results
    return Lane(initial, results[-1] if results else initial, shown, None, None, None)


def decimal_lines_from(definition, compute, tokens, exact):
    """decimal_lines(), also of no tokens and of none that are exact."""
    if not tokens:
        return []
    if exact == 0:
        if definition.out == "u64":
            return [str(x) for x in compute([float(t) for t in tokens])]
        floats = np.array([float(t) for t in tokens])
        if definition.resumed:
            return [format_number(x) for x in definition.results(floats)]
        return [None if x is None else format_number(x) for x in compute(floats)]
    return decimal_lines(definition, compute, tokens, exact)


def fitted(results, out, wrap):
    """Integers in the type, modulo its size, and the first index that does not fit."""
    if out.kind == "f":
        return [None if x is None else canonical(np.array([x], out))[0] for x in results], None
    limits = np.iinfo(out)
    least, size = int(limits.min), 2 ** (8 * out.itemsize)
    unfit = next((i for i, x in enumerate(results) if x is not None and not least <= x <= limits.max), None)
    return [None if x is None else out.type((int(x) - least) % size + least) for x in results], None if wrap else unfit


def typed_lane(op, mode, elements, kind, seed, wrap):
    """A lane of numbers of a type; elements: of the type IN."""
    types = parse_types(kind)
    accumulator = types.accumulator
    if op in FOLDS:
        results = scan_elements(Scan(op, kind, seed=seed, wrap=wrap), elements)
        initial, inclusive, unfit, out = results.initial, list(results.inclusive), results.stop, accumulator
        exclusive, special = None, False
    else:
        definition = definition_of(op)
        converted = convert(elements, accumulator)[0]
        name = next(name for name, dtype in DTYPES.items() if dtype == accumulator)
        out = DTYPES[name if definition.out == "f64" and name in FLOATS else definition.out or name]
        if name not in FLOATS:
            converted = np.array([int(x) for x in converted], object)
        start = None if seed is None else parse_number(seed, accumulator)
        start = start if start is None or name in FLOATS else int(start)
        initial, inclusive = with_seed(definition, converted, start, definition.results)
        inclusive, unfit = fitted(inclusive[:len(elements)], out, wrap)
        initial = None if initial is None else out.type(initial)
        special = bool(definition.exclusive) and mode == "-e"
        if special:
            exclusive, unfit = fitted(with_seed(definition, converted, start, definition.exclusive)[1], out, wrap)
    if mode == "-e" and not special:
        exclusive = [initial] + inclusive[:-1]
    shown = exclusive[:len(inclusive)] if mode == "-e" else inclusive
    stop = unfit if unfit is None or special or mode != "-e" else unfit + 1
    if stop is not None and stop >= len(inclusive):
        stop = None
    return Lane(initial, inclusive[-1] if inclusive else initial, shown, stop, None if stop is None else unfit + 1, out)


def as_text(lane):
    """The lane with texts for results."""
    def text(x):
        return None if x is None else format_number(x)
    return lane._replace(initial=text(lane.initial), total=text(lane.total), shown=[text(x) for x in lane.shown])


# --- pscan -----------------------------------------------------------------------------------------------------------

class Engine:
    """Runs pscan, and tells what differs."""

    def __init__(self, name):
        self.name = name
        self.shape = ""
        self.runs = self.wrong = 0
        self.folder = None
        self.times = 2 if name == "host" else 1  # each case

    def start(self, arguments, data, from_file, host=False):
        """The finished process."""
        command = [PSCAN, "-D", "none" if host or self.name == "host" else "cpu", *arguments]
        environment = dict(os.environ, PSCAN_SHAPE="" if host else self.shape)
        if not from_file:
            return subprocess.run(command, input=data, capture_output=True, env=environment, timeout=1200, check=False)
        with tempfile.TemporaryFile() as file:
            file.write(data)
            file.seek(0)
            return subprocess.run(command, stdin=file, capture_output=True, env=environment, timeout=1200, check=False)

    def check(self, label, arguments, data, expected, code=0, told=None, from_file=False):
        """One run. told: what the messages must hold, or None: there is none."""
        done = self.start(arguments, data, from_file)
        message = done.stderr.decode("utf-8", "replace")
        self.runs += 1
        if done.returncode == code and done.stdout == expected and (not message if told is None else told in message):
            return
        self.wrong += 1
        if self.wrong >= 20:
            return
        if self.folder is None:
            self.folder = Path(tempfile.mkdtemp(prefix="lanes"))
        (self.folder / f"in{self.wrong}").write_bytes(data)
        (self.folder / f"want{self.wrong}").write_bytes(expected)
        words = " ".join(repr(word) if set(word) & set(" |;\t\"'\\#") else word for word in arguments)
        print(f"{label}: {self.shape and 'PSCAN_SHAPE=' + self.shape} pscan -D {'none' if self.name == 'host' else 'cpu'} "
              f"{words} {'<' if from_file else '< <(cat'} {self.folder}/in{self.wrong}{'' if from_file else ')'} "
              f"(expected: want{self.wrong})")
        print(f"   exit {done.returncode}, expected {code}; says {message[:300]!r}, expected {told!r}")
        at = next((i for i, (a, b) in enumerate(zip(done.stdout, expected)) if a != b),
                  min(len(done.stdout), len(expected)))
        if done.stdout != expected:
            near = slice(max(0, at - 40), at + 60)
            print(f"   {len(done.stdout)} bytes, expected {len(expected)}; at byte {at} {done.stdout[near]!r}, "
                  f"expected {expected[near]!r}")

    def alone(self, op, mode, seed, kind, data):
        """What pscan's host says of a lane alone, as lines."""
        arguments = ["-op", op, *([mode] if mode else []), *([] if seed is None else [f"--seed={seed}"])]
        arguments += [] if kind is None else ["-t", kind]
        return self.start([*arguments, "--format=text"], data, False, True).stdout.decode().split("\n")[:-1]


def running_options(rng):
    """Chunks and threads."""
    size = rng.choice((None, "1", "4K", "32K", "32K", "64K", "1M"))
    return [*([] if size is None else [f"--chunk-size={size}"]), *rng.choice(([], ["-T", "1"], ["-T", "2"], ["-T", "5"]))]


def random_operators(rng, integers, mode, seeded):
    """A list of operators that all go with the mode and the seed."""
    pool = ["sum", *[name for name in COMMON if name not in ("prod", "std", "var")], EMA]
    if integers:
        pool += ["prod", *BITWISE]
        pool.remove(EMA)
    if seeded:
        pool = [op for op in pool if op not in UNSEEDED]
        if mode == "-e" and rng.random() < 0.6:  # whose exclusive results are made in a way of their own
            return rng.sample(["drawdown", rng.choice(pool)], 2)
    elif mode in ("-e", "--include-initial"):
        pool = [op for op in pool if op not in NO_IDENTITY]
    return [rng.choice(pool) for _ in range(rng.choice((1, 1, 2, 2, 3, 5)))]


def random_seeds(rng, lanes, make):
    """Returns seeds for this number of lanes, and the option for them."""
    if rng.random() < 0.4:
        seeds = [make() for _ in range(lanes)]
        return seeds, [f"--seed={','.join(seeds)}"]
    seed = make()
    return [seed] * lanes, [f"--seed={seed}"]


# --- Text ------------------------------------------------------------------------------------------------------------

class Cell(NamedTuple):
    """A field: before + core + after is its text, token what it says. sort: number, missing, invalid or word."""

    before: str
    core: str
    after: str
    token: str
    sort: str

    def text(self):
        """All of it."""
        return self.before + self.core + self.after


class Column:
    """How the numbers of a field are made."""

    def __init__(self, rng, rows, kind, policy):
        self.rng = rng
        self.kind = kind
        self.scale = 0
        self.growth = rng.choice((0, 0, 4 / (rows + 1), 0.001))
        self.wide = rng.choice((0, 0, 0.002, 0.02))
        self.end = rng.randrange(rows + 1) if kind is None and rng.random() < 0.35 else None
        self.missing = 0 if policy.missing == "fail" else rng.choice((0, 0.02, 0.3, 1))
        self.invalid = 0 if policy.invalid == "abort" else rng.choice((0, 0.02, 0.2))
        self.small = rng.random() < 0.5

    def number(self, row):
        """A number's text."""
        rng = self.rng
        if self.kind is not None:
            element = parse_types(self.kind).element
            if element.kind == "f":
                return format_decimal(rng.randrange(-10 ** 7, 10 ** 7), rng.randrange(5))
            limits = np.iinfo(element)
            bound = 3 if self.small else 10 ** 9
            return str(rng.randrange(max(int(limits.min), -bound), min(int(limits.max), bound) + 1))
        if row == self.end:
            return rng.choice(ENDS)
        self.scale += rng.random() < self.growth and self.scale < 17
        width = 10 ** 20 if rng.random() < self.wide else 10 ** rng.choice((1, 4, 7))
        return format_decimal(rng.randrange(-width, width), rng.randrange(self.scale + 1))


class Policy:
    """How tokens that are not numbers are treated."""

    def __init__(self, rng, kind, lines):
        self.missing = rng.choice(("fail", "skip", "skip", "keep", "keep", "hold", "hold", "value"))
        self.invalid = rng.choice(("abort", "abort", "ignore", "fail", "warn"))
        self.value = rng.choice(("0", "7", "3") if kind is not None else ("0", "7", "-2.50"))
        self.written = "zero" if self.value == "0" and rng.random() < 0.5 else self.value
        self.lines = lines

    def options(self):
        """Those that are not the defaults."""
        words = []
        if self.missing != "fail":
            words.append(f"--missing={self.written if self.missing == 'value' else self.missing}")
        if self.invalid != "abort":
            words.append(f"--invalid={self.invalid}")
        return words


class TextCase:
    """A random table and options for it."""

    def __init__(self, rng, engine):
        self.rng = rng
        self.layout = rng.choice(("blanks", "delimiter", "csv"))
        self.delimiter = {"blanks": " ", "delimiter": rng.choice(",;|\t"), "csv": rng.choice(",,;")}[self.layout]
        self.kind = rng.choice((None, None, None, "i64", "i32", "u8:i64", "i16:f64", "f32", "f64", "i8"))
        self.mode = rng.choice(("", "", "", "-e", "-e", "--include-initial", "--total"))
        self.lines = "none" if self.mode in ("--include-initial", "--total") else rng.choice(("none", "none", "-a", "--replace"))
        self.header = rng.choice((0, 1, 1, 2))
        self.width = rng.randint(1, 7)
        self.count = rng.choice(ROWS[engine.name])
        self.comment = "#" if self.mode != "--include-initial" and rng.random() < 0.3 else None
        self.policy = Policy(rng, self.kind, self.lines)
        self.newline = "\r\n" if self.lines != "none" and rng.random() < 0.3 else "\n"
        self.wrap = self.kind is not None and rng.random() < 0.5
        self.names = [f"n{k}" + rng.choice(("", "", ".x", "_y")) for k in range(1, self.width + 1)]
        self.columns = 0
        self.field_options = []
        self.fields = self.choose_fields()
        seeded = rng.random() < 0.4
        integers = self.kind is not None and parse_types(self.kind).accumulator.kind != "f"
        self.ops = random_operators(rng, integers, self.mode, seeded)[:1 if self.lines == "--replace" else None]
        lane_count = len(self.fields) * len(self.ops)
        self.seeds, self.seed_options = [None] * lane_count, []
        if seeded:
            self.seeds, self.seed_options = random_seeds(rng, lane_count, self.random_seed)
        self.as_names = None
        if self.header and rng.random() < 0.3:
            words = ("tot", "r", 'a "b"' if self.layout == "csv" else "a_b")
            self.as_names = [rng.choice(words) + str(k) for k in range(lane_count)]
        self.rows = self.make_rows()

    def random_seed(self):
        """A seed's text."""
        if self.kind is None:
            return self.rng.choice(("7", "-3", "0.50", "-1.125", "98765432109876543210"))
        return str(self.rng.randrange(0, 9))

    def choose_fields(self):
        """The fields from 0, as -f and -c say them."""
        rng = self.rng
        chosen = []
        if rng.random() < 0.3:
            self.columns = rng.randint(1, self.width)
        limit = self.columns or self.width
        if self.columns and rng.random() < 0.5:
            self.columns = self.width  # more fields than columns are an error where -f does not choose
            return list(range(self.columns))
        for _ in range(rng.choice((1, 1, 2))):
            items = []
            for _ in range(rng.choice((1, 1, 2, 3))):
                first = rng.randrange(limit)
                last = rng.randrange(first, limit)
                way = rng.choice(("number", "number", "range", "open", "name"))
                if way == "name" and self.header and not self.names[first][0].isdigit():
                    items.append(self.names[first])
                    last = first
                elif way == "range":
                    items.append(f"{first + 1}-{last + 1}")
                elif way == "open" and (self.columns or self.header or self.count > 0):
                    items.append(f"{first + 1}-")
                    last = limit - 1
                else:
                    items.append(str(first + 1))
                    last = first
                chosen.append(range(first, last + 1))
            self.field_options += rng.choice((["-f", ",".join(items)], ["--field=" + ",".join(items)]))
        fields = [field for part in chosen for field in part]
        if self.lines == "--replace" and len(set(fields)) < len(fields):
            fields = sorted(set(fields))
            self.field_options = ["-f", ",".join(str(field + 1) for field in fields)]
        return fields

    def options(self):
        """The command line."""
        words = ["-op", ",".join(self.ops), *self.policy.options(), *self.field_options, *self.seed_options]
        words += [] if self.layout == "blanks" else ["-d", self.delimiter.replace("\t", "\\t")]
        words += ["--csv"] if self.layout == "csv" else []
        words += ["-c", str(self.columns)] if self.columns else []
        words += [f"--header={self.header}"] if self.header else ["--no-header"] * (self.layout == "csv")
        words += [f"--comment={self.comment}"] if self.comment else []
        words += [self.lines] if self.lines != "none" else []
        words += [self.mode] if self.mode else []
        words += ["-t", self.kind] if self.kind else []
        words += ["--overflow=wrap"] if self.wrap else []
        words += [f"--as={','.join(self.as_names)}"] if self.as_names else []
        words.append("--format=text")
        return words

    # - The table

    def number_cell(self, column, row, at_first):
        """A field that is looked at."""
        rng = self.rng
        chance = rng.random()
        if chance < column.missing:
            token, sort = rng.choice(MARKS[1:] if self.layout == "blanks" or at_first else MARKS), "missing"
        elif rng.random() < column.invalid:
            token, sort = rng.choice(INVALID), "invalid"
        else:
            token, sort = column.number(row), "number"
        if self.layout == "csv" and rng.random() < 0.2:
            return Cell("", f'"{token}"', rng.choice(("", "", " ")), token, sort)
        if self.layout != "blanks" and rng.random() < 0.05 and token:
            return Cell(" ", token, rng.choice(("", " ")), token, sort)
        return Cell("", token, "", token, sort)

    def word_cell(self):
        """A field that is not."""
        rng = self.rng
        text = rng.choice(("x", "ab", "12", "é", "Z" * rng.randint(1, 40)))
        if self.layout == "csv" and rng.random() < 0.3:
            text += rng.choice(('""', self.delimiter, "\n", '"",""', "\r\n"))
            return Cell("", f'"{text}"', "", text, "word")
        return Cell("", text, "", text, "word")

    def make_rows(self):
        """Lists of cells, the first one of the full width, and comments, which are texts."""
        rng = self.rng
        columns = {field: Column(rng, self.count, self.kind, self.policy) for field in set(self.fields)}
        absent_fits = self.policy.missing in ("skip", "value", "keep", "hold") and (
            self.layout != "blanks" or self.policy.missing == "skip" or
            (self.policy.missing == "value" and self.lines != "--replace"))
        ragged = absent_fits and rng.random() < 0.4
        rows = []
        for row in range(self.count):
            if self.comment and rng.random() < 0.05:
                rows.append(rng.choice(("#", "# note", '#"open', "#1 2 3 4")))
            width = rng.randint(1, self.width) if ragged and row > 0 and rng.random() < 0.2 else self.width
            rows.append([self.number_cell(columns[field], row, field == 0) if field in columns else self.word_cell()
                         for field in range(width)])
        return rows

    def joined(self, texts):
        """A line's text without its end."""
        if self.layout != "blanks":
            return self.delimiter.join(texts)
        return self.rng.choice(("", "", "", " ")) + self.rng.choice((" ", "  ", "\t")).join(texts)

    def header_lines(self):
        """The lines before the data, and how they come out."""
        if not self.header:
            return [], []
        quoted = [self.layout == "csv" and self.rng.random() < 0.3 for _ in self.names]
        texts = [f'"{name}"' if q else name for name, q in zip(self.names, quoted)]
        title = self.delimiter.join(["title", "of it"] if self.layout == "csv" else ["title"])
        lines = [title] * (self.header - 1) + [self.delimiter.join(texts)]
        names = self.as_names
        if names is None:
            names = [f'"{self.names[f]}_{op}"' if quoted[f] else f"{self.names[f]}_{op}" for f in self.fields for op in self.ops]
        else:
            names = ['"' + name.replace('"', '""') + '"' if '"' in name else name for name in names]
        if self.lines == "-a":
            out = self.delimiter.join([lines[-1], *names])
        elif self.lines == "--replace":
            for field, name in zip(self.fields, names):
                texts[field] = name if self.as_names else texts[field]
            out = self.delimiter.join(texts)
        else:
            out = self.delimiter.join(names)
        return lines, lines[:-1] + [out]

    # - What must come out

    def tokens_of(self, field):
        """The field's elements as tokens."""
        tokens = []
        for row in self.rows:
            cell = self.cell(row, field)
            if cell is None:
                continue
            if cell.sort == "number":
                tokens.append(cell.token)
            elif cell.sort == "missing" and self.policy.missing == "value":
                tokens.append(self.policy.value)
        return tokens

    @staticmethod
    def cell(row, field):
        """The row's field; None in a comment."""
        if isinstance(row, str):
            return None
        return row[field] if field < len(row) else Cell("", "", "", "", "missing")

    def lane(self, engine, index):
        """A lane as texts, and the tokens. Indices are those of the records that come out."""
        lane, data = self.lane_of_numbers(engine, index)
        if self.ops[index % len(self.ops)] not in ("argmax", "argmin") or self.policy.missing not in ("keep", "hold"):
            return lane, data
        cells = [cell for cell in (self.cell(row, self.fields[index // len(self.ops)]) for row in self.rows) if cell is not None]
        sorts = [cell.sort for cell in cells if cell.sort in ("number", "missing")]
        places = [str(i) for i, sort in enumerate(sorts) if sort == "number"]

        def placed(text):
            return None if text is None else places[int(text)]
        return lane._replace(total=placed(lane.total), shown=[placed(text) for text in lane.shown]), data

    def lane_of_numbers(self, engine, index):
        """The same, of numbers alone."""
        op, seed = self.ops[index % len(self.ops)], self.seeds[index]
        tokens = self.tokens_of(self.fields[index // len(self.ops)])
        data = "".join(token + "\n" for token in tokens).encode()
        if op == EMA:
            texts = engine.alone(op, "", seed, self.kind, data)
            elements = tokens if self.kind is None else [parse_number(t, parse_types(self.kind).accumulator) for t in tokens]
            assert is_near(op, texts, elements, seed, self.kind), (self.options(), index)
            initial = None
            if seed is not None:
                seed_type = np.dtype(np.float64) if self.kind is None else parse_types(self.kind).accumulator
                initial = format_number(parse_number(seed, seed_type))
            shown = ([initial] + texts)[:len(texts)] if self.mode == "-e" else texts
            return Lane(initial, texts[-1] if texts else initial, shown, None, None, None), data
        if self.kind is None:
            return decimal_lane(op, self.mode, tokens, seed), data
        element = parse_types(self.kind).element
        elements = np.array([parse_number(token, element) for token in tokens], element)
        return as_text(typed_lane(op, self.mode, elements, self.kind, seed, self.wrap)), data

    def results_of(self, lanes, row, cursors):
        """Returns a row's results, with None for missing ones, and the first lane whose result does not fit, or None.
        """
        results = []
        bad = None
        for index, lane in enumerate(lanes):
            cell = self.cell(row, self.fields[index // len(self.ops)])
            if cell.sort == "number" or (cell.sort == "missing" and self.policy.missing == "value"):
                if lane.stop is not None and cursors[index] >= lane.stop and bad is None:
                    bad = index
                results.append(lane.shown[cursors[index]])
                cursors[index] += 1
            else:
                results.append(self.unscanned(cell, lanes, index, cursors))
        return results, bad

    def unscanned(self, cell, lanes, index, cursors):
        """What a field without a number gives."""
        lane, op, cursor = lanes[index], self.ops[index % len(self.ops)], cursors[index]
        if cell.sort != "missing" or self.policy.missing not in ("keep", "hold"):
            return None
        if self.policy.missing == "hold" and self.mode == "-e" and op not in EMITS_INPUTS:
            return lane.shown[cursor] if cursor < len(lane.shown) else lane.total
        if self.policy.missing == "hold" and cursor > 0:
            before = lane.shown[cursor - 1]
        else:
            before = lane.initial if self.policy.missing == "hold" and self.mode == "--include-initial" else None
        return cell.token if before is None else before

    def replaced(self, row, results):
        """The row's texts with its results."""
        texts = [cell.text() for cell in row]
        for field, result in zip(self.fields, results):
            cell = self.cell(row, field)
            if self.policy.missing == "hold" and field >= len(texts) and cell.sort == "missing":
                texts += [""] * (field + 1 - len(texts))
            if result is None or cell.sort == "missing" and (
                    self.policy.missing == "keep" or self.policy.missing == "hold" and result is cell.token):
                continue
            texts += [""] * (field + 1 - len(texts))
            texts[field] = cell.before + result + cell.after
        return texts

    def result_line(self, results):
        """Results as a line or the end of one."""
        absent = "-" if self.layout == "blanks" and len(results) > 1 else ""
        return self.delimiter.join(absent if result is None else result for result in results)

    def expected(self, lanes):
        """The input, the output, and what an error names."""
        lines, out = self.header_lines()
        end_of_header = "\n" if self.lines == "none" else self.newline
        given = [line + self.newline for line in lines]
        out = [line + end_of_header for line in out]
        if self.header and self.mode == "--total":
            out = []
        if self.mode == "--include-initial" and any(lane.initial is not None for lane in lanes):
            out.append(self.result_line([lane.initial for lane in lanes]) + "\n")
        cursors = [0] * len(lanes)
        told = None
        for row in self.rows:
            if isinstance(row, str):
                given.append(row + self.newline)
                if told is None and self.mode != "--total":
                    out.append(row + self.newline)
                continue
            results, bad = self.results_of(lanes, row, cursors)
            if bad is not None and told is None:
                line = sum(text.count("\n") for text in given) + 1
                told = f"line {line}, field {self.fields[bad // len(self.ops)] + 1}:"
            if self.layout != "blanks":
                given.append(self.delimiter.join(cell.text() for cell in row) + self.newline)
                replaced = self.delimiter.join(self.replaced(row, results))
            else:
                state = self.rng.getstate()
                given.append(self.joined([cell.text() for cell in row]) + self.newline)
                self.rng.setstate(state)
                replaced = self.joined(self.replaced(row, results))
            if told is not None or self.mode == "--total":
                continue
            if self.lines == "-a":
                out.append(given[-1][:-len(self.newline)] + self.delimiter + self.result_line(results) + self.newline)
            elif self.lines == "--replace":
                out.append(replaced + self.newline)
            elif any(result is not None for result in results):
                out.append(self.result_line(results) + "\n")
        if self.mode == "--total" and told is None:
            out.append(self.delimiter.join("-" if lane.total is None else lane.total for lane in lanes) + "\n")
        return "".join(given).encode(), "".join(out).encode(), told

    def code_and_message(self, told):
        """The exit code, and what the messages hold."""
        if told is not None:
            return 1, told
        invalid = {cell.token for row in self.rows if not isinstance(row, str)
                   for field, cell in enumerate(row) if field in self.fields and cell.sort == "invalid"}
        if not invalid or self.policy.invalid == "ignore":
            return 0, None
        return (1, "not a number") if self.policy.invalid == "fail" else (0, "not a number")


def check_text(engine, number):
    """One table: all lanes at once, and some alone."""
    rng = random.Random(f"text {number}")
    case = TextCase(rng, engine)
    both = [case.lane(engine, index) for index in range(len(case.fields) * len(case.ops))]
    lanes = [lane for lane, _ in both]
    options = case.options()
    given, wanted, told = case.expected(lanes)
    code, told = case.code_and_message(told)
    label = f"text {number}"
    for _ in range(engine.times):
        engine.check(label, running_options(rng) + options, given, wanted, code, told, rng.random() < 0.5)
    for index in rng.sample(range(len(lanes)), min(2, len(lanes))):
        lane, data = both[index]
        op, seed = case.ops[index % len(case.ops)], case.seeds[index]
        if op in ("argmax", "argmin") and case.policy.missing in ("keep", "hold"):
            continue  # among the records they have other indices
        shown = lane.shown[:lane.stop]
        if case.mode == "--include-initial":
            shown = [lane.initial, *shown]
        elif case.mode == "--total":
            shown = ["-" if lane.total is None else lane.total] if lane.stop is None else []
        arguments = ["-op", op, "--format=text", *([case.mode] if case.mode else [])]
        arguments += [] if seed is None else [f"--seed={seed}"]
        arguments += ["-t", case.kind] if case.kind else []
        arguments += ["--overflow=wrap"] if case.wrap else []
        alone = "".join(f"{x}\n" for x in shown if x is not None).encode()
        engine.check(f"{label} alone", arguments, data, alone, 0 if lane.stop is None else 1,
                     None if lane.stop is None else f"element {lane.bad}:")


# --- Binary ----------------------------------------------------------------------------------------------------------

def random_column(rng, generator, dtype, count, bound, least):
    """Elements of a column: any bits, or small numbers, from least on."""
    if bound is None:
        return np.frombuffer(generator.bytes(count * dtype.itemsize), dtype)
    low = max(least, 0 if dtype.kind == "u" else -bound)
    if dtype.kind == "f" and rng.random() < 0.7:
        return generator.normal(0, bound, count).astype(dtype)
    return generator.integers(low, bound, count).astype(dtype)


class BinaryCase:
    """Random records and options for them."""

    def __init__(self, rng, engine):
        self.rng = rng
        self.kind = rng.choice(tuple(DTYPES) + ("f32", "f64", "i32:i64", "u8:i64", "i16:f64", "f32:f64", "i8:f32", "i64:u8"))
        self.order = [rng.choice(("", "le", "be")) for _ in range(2)]
        element, _, accumulator = self.kind.partition(":")
        self.given_type = element + self.order[0] + (f":{accumulator}{self.order[1]}" if accumulator else "")
        self.types = parse_types(self.given_type)
        self.columns = rng.choice((1, 2, 2, 3, 7, 7, 100 if engine.name == "host" else 3))
        self.count = rng.choice([n for n in RECORDS[engine.name] if n * self.columns < 150000])
        self.mode = rng.choice(("", "", "-e", "-e", "--include-initial", "--total"))
        self.text_out = rng.random() < 0.15
        self.fields = list(range(self.columns))
        self.field_options = []
        if rng.random() < 0.4:
            self.fields = [rng.randrange(self.columns) for _ in range(rng.randint(1, 5))]
            self.field_options = ["-f", ",".join(str(field + 1) for field in self.fields)]
            if rng.random() < 0.3:
                first = rng.randrange(self.columns)
                self.fields += list(range(first, self.columns))
                self.field_options += ["-f", f"{first + 1}-" if rng.random() < 0.5 else f"{first + 1}-{self.columns}"]
        self.integers = self.types.accumulator.kind != "f"
        seeded = rng.random() < (0.8 if self.mode == "-e" else 0.5)
        self.ops = random_operators(rng, self.integers, self.mode, seeded)
        if self.mode == "--total" and self.count < 2:
            self.ops = ["sum", "max"]
        if self.integers and not self.text_out and not (seeded and self.mode in ("", "--total")):
            self.ops = [op for op in self.ops if op not in ("lag", "delta")] or ["sum"]
        if not self.text_out and self.mode in ("-e", "--include-initial"):
            self.ops = [op for op in self.ops if not op.startswith("arg")] or ["sum"]
        if self.columns == 100:
            self.ops = self.ops[:2]
        if EMA in self.ops and self.types.accumulator.kind == "f":
            self.ops = [op for op in self.ops if op != EMA] or ["sum"]
        lane_count = len(self.fields) * len(self.ops)
        self.seeds, self.seed_options = [None] * lane_count, []
        if seeded:
            self.seeds, self.seed_options = random_seeds(rng, lane_count, lambda: str(rng.randrange(9)))
        self.wrap = self.integers and rng.random() < 0.6
        same = self.types.element == self.types.accumulator
        bound = rng.choice((None, 3, 100) if same or self.wrap else (3, 100))
        generator = np.random.default_rng(rng.randrange(2 ** 32))
        least = 0 if self.types.accumulator.kind == "u" and not self.wrap else -100
        self.data = [random_column(rng, generator, self.types.element, self.count, bound, least) for _ in range(self.columns)]

    def options(self):
        """The command line."""
        words = ["-op", ",".join(self.ops), "-c", str(self.columns), "-t", self.given_type, *self.field_options, *self.seed_options]
        words += ["--format=binary"] + (["--output-format=text"] if self.text_out else [])
        words += [self.mode] if self.mode else []
        words += ["--overflow=wrap"] if self.wrap else []
        return words

    def packed(self):
        """The records."""
        order = self.types.element.newbyteorder(self.types.in_order)
        return np.array(self.data, self.types.element).T.astype(order).tobytes()

    def arranged(self, lanes):
        """Each lane's results, cut at the first record that has one that does not fit, and what an error names."""
        stops = [(lane.stop, index) for index, lane in enumerate(lanes) if lane.stop is not None]
        stop, bad = min(stops) if stops else (None, None)
        told = None
        if bad is not None:
            told = f"element {lanes[bad].bad}:"
            told = f"field {self.fields[bad // len(self.ops)] + 1}: {told}" if len(self.fields) > 1 else told
        shown = [lane.shown[:stop] for lane in lanes]
        if self.mode == "--include-initial":
            shown = [[lane.initial, *results] for lane, results in zip(lanes, shown)]
        elif self.mode == "--total":
            shown = [[lane.total] if stop is None else [] for lane in lanes]
        return shown, told

    def written(self, lanes, shown):
        """The results as records or lines."""
        count = len(shown[0])
        if self.text_out:
            texts = [["-" if x is None else format_number(x) for x in results] for results in shown]
            if self.mode != "--total":
                texts = [[x[row] for x in texts] for row in range(count) if any(y[row] is not None for y in shown)]
            else:
                texts = [[x[row] for x in texts] for row in range(count)]
            return "".join(" ".join(line) + "\n" for line in texts).encode()
        record = [(f"r{index}", lane.out.newbyteorder(self.types.out_order)) for index, lane in enumerate(lanes)]
        records = np.zeros(count, record)
        for index, (lane, results) in enumerate(zip(lanes, shown)):
            nothing = lane.out.type("nan") if lane.out.kind == "f" else None
            records[f"r{index}"] = canonical(np.array([nothing if x is None else x for x in results], lane.out))
        return records.tobytes()


def check_binary(engine, number):
    """Records: all lanes at once, and some alone."""
    rng = random.Random(f"binary {number}")
    case = BinaryCase(rng, engine)
    lanes = []
    for index, seed in enumerate(case.seeds):
        elements = case.data[case.fields[index // len(case.ops)]]
        lanes.append(typed_lane(case.ops[index % len(case.ops)], case.mode, elements, case.given_type, seed, case.wrap))
    shown, told = case.arranged(lanes)
    wanted = case.written(lanes, shown)
    label = f"binary {number}"
    for _ in range(engine.times):
        engine.check(label, running_options(rng) + case.options(), case.packed(), wanted, 0 if told is None else 1, told,
                     rng.random() < 0.5)
    for index in rng.sample(range(len(lanes)), min(2, len(lanes))):
        lane = lanes[index]
        elements = case.data[case.fields[index // len(case.ops)]]
        arguments = ["-op", case.ops[index % len(case.ops)], "-t", case.given_type, "--format=binary"]
        arguments += [case.mode] if case.mode else []
        arguments += ["--overflow=wrap"] if case.wrap else []
        arguments += [] if case.seeds[index] is None else [f"--seed={case.seeds[index]}"]
        results = lane.shown[:lane.stop]
        if case.mode == "--include-initial":
            results = [lane.initial, *results]
        elif case.mode == "--total":
            results = [lane.total] if lane.stop is None else []
        nothing = lane.out.type("nan") if lane.out.kind == "f" else None
        if nothing is None and lane.initial is None and arguments[1] in ("lag", "delta", "argmax", "argmin"):
            continue  # the first result is absent, or may be
        alone = canonical(np.array([nothing if x is None else x for x in results], lane.out))
        engine.check(f"{label} alone", arguments, elements.astype(elements.dtype.newbyteorder(case.types.in_order)).tobytes(),
                     alone.astype(lane.out.newbyteorder(case.types.out_order)).tobytes(), 0 if lane.stop is None else 1,
                     None if lane.stop is None else f"element {lane.bad}:")


CHECKS = {"text": check_text, "binary": check_binary}


def main():
    """All cases of an engine, or one."""
    engine = Engine(sys.argv[1])
    sorts: List[str] = list(CHECKS)
    for engine.shape in [""] if engine.name == "host" else ["cpu", "gpu"]:
        if len(sys.argv) > 2:
            CHECKS[sys.argv[2]](engine, int(sys.argv[3]))
            continue
        for sort in sorts:
            for number in range(0, CASES[engine.name][sort], int(os.environ.get("ONE_IN", "1"))):
                CHECKS[sort](engine, number)
    print(f"{engine.runs} runs, {engine.wrong} wrong")
    return 0 if engine.runs > 0 and engine.wrong == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
