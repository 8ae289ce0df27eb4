#!/usr/bin/python3
"""Frozen vectors: vectors.tsv holds what pscan wrote for fixed inputs, so that no release changes a bit unnoticed.

    frozen.py inputs DIR               makes every input of the table in DIR
    frozen.py check DIR DEVICE...      compares. DEVICE: none, a value of -D, or cpu:cpu or cpu:gpu for a kernel shape
    frozen.py grid                     prints the version of the grid in the table
    frozen.py rows                     prints operator and type of every row
    frozen.py regenerate               makes all hashes anew; refuses what the oracles in tests/tools do not confirm

A row is grid, generator, seed, count, exit status, SHA-256 of the input and of the output (before gzip), options. To
add a row, write it with - for the hashes and the status, and regenerate. $PSCAN is the program.
"""
import functools
import hashlib
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import inputs

HERE = Path(__file__).resolve().parent
TABLE = HERE / "vectors.tsv"
PSCAN = os.environ.get("PSCAN", str(HERE.parent.parent / "build/pscan"))
LIMIT_S = 1200  # a device compiles its kernels within this, however slow the machine is


class Row(NamedTuple):
    """A line of the table, all texts."""

    grid: str
    generator: str
    seed: str
    count: str
    code: str
    input_sum: str
    output_sum: str
    options: str

    @property
    def file(self):
        """The name of its input."""
        return f"{self.generator}.{self.seed}.{self.count}".replace(":", "_")

    @property
    def host_only(self):
        """Whether no device can do it."""
        return "sequential" in self.options

    def make(self):
        """The bytes of its input."""
        return inputs.make(self.generator, int(self.seed), int(self.count))


def read_table():
    """The table's comment lines and its rows."""
    comments, rows = [], []
    for line in TABLE.read_text(encoding="ascii").splitlines():
        if line.startswith("#"):
            comments.append(line)
        else:
            rows.append(Row(*line.split("\t")))
    return comments, rows


def sha256(data):
    """The sum as text."""
    return hashlib.sha256(data).hexdigest()


# --- Checking --------------------------------------------------------------------------------------------------------

@functools.cache
def machine_is_big():
    """Whether the program's own byte order, that of a type without one, is big-endian: the number that it writes says
    so."""
    one = subprocess.run([PSCAN, "-D", "none", "-t", "u16", "--output-format=binary"], input=b"1\n", capture_output=True, timeout=LIMIT_S,
                         check=True).stdout
    return one == b"\0\1"


def options_here(row):
    """The row's options; where the machine is big-endian, types that the table gives no order are little-endian."""
    words = row.options.split(" ")
    if machine_is_big():
        types = words.index("-t") + 1 if "-t" in words else 0
        if types:
            words[types] = re.sub(r"^([iuf]\d+)(?=:|$)", r"\1le", words[types])
    return words


def run_row(row, path, device, more=()):
    """The finished process."""
    name, _, shape = device.partition(":") if device in ("cpu:cpu", "cpu:gpu") else (device, "", "")
    environment = {k: v for k, v in os.environ.items() if k not in ("PSCAN_DEVICE", "PSCAN_SHAPE")}
    if shape:
        environment["PSCAN_SHAPE"] = shape
    return subprocess.run([PSCAN, "-D", name, *options_here(row), *more, path], stdin=subprocess.DEVNULL,
                          capture_output=True, env=environment, timeout=LIMIT_S, check=False)


def check_row(row, path, device, more):
    """What is wrong with a row on a device, or None."""
    done = run_row(row, path, device, more)
    told = f"pscan -D {device} {row.options} {' '.join(more)} < {row.generator} {row.seed} {row.count}"
    if str(done.returncode) != row.code:
        return f"{told}: exit {done.returncode}, not {row.code}: {done.stderr.decode(errors='replace').strip()}"
    if sha256(done.stdout) != row.output_sum:
        return f"{told}: other bytes"
    return None


def command_check(folder, *devices):
    """Compares every row on every device; the host with two sizes of chunks. On PoCL, where each row has kernels to
    compile, a third of the rows for each shape, unless EVERY_ROW is set (make check-device has all of them)."""
    _, rows = read_table()
    wrong = []
    for path in sorted({(row.file, row.input_sum) for row in rows}):
        if sha256((Path(folder) / path[0]).read_bytes()) != path[1]:
            wrong.append(f"the input {path[0]} has changed")
    for device in devices:
        chosen = [row for row in rows if device == "none" or not row.host_only]
        third = {"cpu:cpu": 0, "cpu:gpu": 1}.get(device)
        if third is not None and not os.environ.get("EVERY_ROW"):
            chosen = chosen[third::3]
        ways = ((), ("--chunk-size=1", "-T", "3")) if device == "none" else ((),)
        with ThreadPoolExecutor(4) as pool:
            found = pool.map(lambda case, device=device: check_row(case[0], os.path.join(folder, case[0].file), device, case[1]),
                             [(row, more) for more in ways for row in chosen])
            wrong += [text for text in found if text]
        print(f"{len(chosen)} rows on {device}")
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return 1 if wrong else 0


def command_inputs(folder):
    """Makes every input once."""
    for row in {row.file: row for row in read_table()[1]}.values():
        (Path(folder) / row.file).write_bytes(row.make())
    return 0


def command_grid():
    """The grid's version, which is the same in all rows."""
    print(*sorted({row.grid for row in read_table()[1]}))
    return 0


def command_rows():
    """What the rows are about."""
    for row in read_table()[1]:
        words = row.options.split(" ")
        print(words[words.index("-op") + 1] if "-op" in words else "sum", words[words.index("-t") + 1] if "-t" in words else "-")
    return 0


# --- Making it anew --------------------------------------------------------------------------------------------------

VALUES = {"-op": "op", "-t": "type", "--seed": "seed", "-F": "number_format", "--missing": "missing", "--algorithm": "algorithm",
          "--format": "format", "--output-format": "output", "-f": "field", "-d": "delimiter", "--as": "name",
          "--overflow": "overflow", "--chunk-size": "", "-T": "", "--invalid": "invalid", "-c": "columns"}
FLAGS = {"-e": "exclusive", "--include-initial": "include_initial", "--total": "total", "-a": "append", "--replace": "replace",
         "--csv": "csv", "-H": "header"}


def parse_options(options):
    """The options of a row by name, or None if there are some that the oracles do not know."""
    found = {}
    words = iter(options.split(" "))
    for word in words:
        name, equals, value = word.partition("=")
        if word in FLAGS:
            found[FLAGS[word]] = True
        elif name in VALUES and word.startswith("--") and equals:
            found[VALUES[name]] = value
        elif word in VALUES and not word.startswith("--"):
            found[VALUES[word]] = next(words)
        elif word.startswith("-F"):
            found["number_format"] = word[2:]
        else:
            return None
    return found


def rules_of(found, data):
    """What lines.py must know of a row."""
    delimiter = found.get("delimiter", "," if "csv" in found else " ")
    name = found["field"]
    names = data.split(b"\n", 1)[0].decode().split(delimiter)
    return SimpleNamespace(
        mode="csv" if "csv" in found else "delimiter" if "delimiter" in found else "blanks", delimiter=delimiter,
        field=int(name) if name.isdigit() else names.index(name) + 1,
        named=False, header=int("header" in found or not name.isdigit()),
        comment=None, lines="append" if "append" in found else "replace" if "replace" in found else "none",
        name=found.get("name"), missing=found["missing"], exclusive="exclusive" in found, operator=found.get("op", "sum"))


def stream_of(row, data):
    """The model of a row, or None."""
    from grid_oracle import Scan
    from stream_model import Stream
    found = parse_options(row.options)
    if found is None:
        return None
    text = ":" not in row.generator
    scan = Scan(found.get("op", "sum"), found.get("type", "num" if text else "f32"), "exclusive" in found,
                "include_initial" in found, "total" in found, found.get("seed"), found.get("overflow") == "wrap")
    return Stream(scan, text, {"text": True, "binary": False, None: None}[found.get("output")],
                  found.get("algorithm", "blelloch"), found.get("number_format"), found.get("missing"), found.get("invalid"),
                  rules_of(found, data) if "field" in found else None)


def is_of_lanes(found):
    """Whether the options are of several fields or operators."""
    return "columns" in found or "," in found.get("op", "") or re.search("[,-]", found.get("field", "")) is not None


def expand(fields):
    """The numbers of a list of fields."""
    ends = [item.split("-") for item in fields.split(",")]
    return [number for first, *last in ends for number in range(int(first), int(last[0] if last else first) + 1)]


def lane_answers(row, found, columns):
    """What the model of one lane says of each column under each operator."""
    from stream_model import answer
    left = re.sub(r"(^| )(-c|-f|-op) \S+|(^| )-a\b", "", row.options).strip()
    for column in columns:
        for op in found.get("op", "sum").split(","):
            alone = row._replace(options=f"{left} -op {op}".strip())
            yield answer(stream_of(alone, column), [column])


def lanes_answer(row, found, data):
    """The bytes that lanes must give, each scanned for itself, or None where some lane has an error."""
    if ":" in row.generator:
        size = int(re.search(r"\d+", row.generator)[0]) // 8
        count = int(found.get("columns", 1))
        records = [data[i:i + size * count] for i in range(0, len(data), size * count)]
        fields = expand(found.get("field", f"1-{count}"))
        columns = [b"".join(record[(f - 1) * size:f * size] for record in records) for f in fields]
        answers = list(lane_answers(row, found, columns))
        width = [len(lane.data) // len(records) for lane in answers]
        lines = [b"".join(lane.data[i * w:(i + 1) * w] for lane, w in zip(answers, width)) for i in range(len(records))]
        return None if any(lane.error for lane in answers) else b"".join(lines)
    lines = data.decode().splitlines()
    fields = expand(found.get("field", f"1-{found.get('columns')}"))
    columns = ["".join(line.split()[f - 1] + "\n" for line in lines).encode() for f in fields]
    answers = list(lane_answers(row, found, columns))
    if any(lane.error for lane in answers):
        return None
    results = zip(*(lane.data.decode().splitlines() for lane in answers))
    return "".join(" ".join(([line] if "append" in found else []) + list(of_line)) + "\n"
                   for line, of_line in zip(lines, results)).encode()


def library_answer(found, data):
    """The bytes that an operator which is no plain fold must give of raw elements, or None if it is none."""
    import numpy as np
    from grid_oracle import DTYPES, FLOATS, canonical
    from grid_states import OPERATORS, scan
    from operators import DEFINITIONS, with_seed
    op, kind = found.get("op"), found.get("type")
    if kind not in DTYPES or op not in (*OPERATORS, *DEFINITIONS):
        return None
    numbers = np.frombuffer(data, DTYPES[kind])
    seed = [DTYPES[kind].type(x) for x in found["seed"].split(",")] if "seed" in found else None
    if op in OPERATORS:
        operator, out = OPERATORS[op](DTYPES[kind]), DTYPES[kind]
        if seed:
            seed = [out.type(0)] * (operator.inputs - len(seed)) + seed
        initial = operator.emit(operator.lift(*seed)) if seed else out.type("nan" if op in ("var", "std") else 0)
        with np.errstate(all="ignore"):
            results = scan(operator, [tuple(x) for x in numbers.reshape(-1, operator.inputs)], seed)
    else:
        definition = DEFINITIONS[op]
        out = DTYPES[kind if definition.out == "f64" and kind in FLOATS else definition.out or kind]
        exclusive = "exclusive" in found and definition.exclusive
        elements = numbers if kind in FLOATS else np.array([int(x) for x in numbers], object)
        initial, results = with_seed(definition, elements, seed[0].item() if seed else None,
                                     definition.exclusive if exclusive else definition.results)
        if exclusive:
            return canonical(np.array(results, out)).tobytes()
    if "exclusive" in found:
        results = [initial, *results[:-1]]
    return canonical(np.array([out.type("nan") if x is None else x for x in results], out)).tobytes()


def confirmed(row, grid):
    """The row with new sums, or what is wrong with it, and whether an oracle confirmed it."""
    from stream_model import answer
    data = row.make()
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        done = run_row(row, file.name, "none")
    found = parse_options(row.options)
    expected = library_answer(found, data) if found is not None else None
    if expected is not None:
        if done.returncode != 0 or expected != done.stdout:
            return f"the definition gives other bytes, or exit {done.returncode}: {done.stderr.decode(errors='replace')}", True
        return row._replace(grid=grid, code="0", input_sum=sha256(data), output_sum=sha256(done.stdout)), True
    if found is not None and is_of_lanes(found):
        if done.returncode != 0 or lanes_answer(row, found, data) != done.stdout:
            return f"the lanes give other bytes, or exit {done.returncode}: {done.stderr.decode(errors='replace')}", True
        return row._replace(grid=grid, code="0", input_sum=sha256(data), output_sum=sha256(done.stdout)), True
    stream = stream_of(row, data)
    if stream is not None:
        expected = answer(stream, [data])
        code = 0 if expected.error is None else 1
        if done.returncode != code:
            return f"exit {done.returncode}, the oracle says {code}: {done.stderr.decode(errors='replace').strip()}", True
        if not (expected.data.startswith(done.stdout) and len(done.stdout) >= expected.least):
            return "the oracle says other bytes", True
    return row._replace(grid=grid, code=str(done.returncode), input_sum=sha256(data), output_sum=sha256(done.stdout)), \
        stream is not None


def command_regenerate():
    """Writes the table anew unless a row is refused."""
    sys.path.insert(0, str(HERE.parent / "tools"))
    version = subprocess.run([PSCAN, "--version"], capture_output=True, check=True, text=True).stdout
    grid = re.search(r"^grid (\d+)", version, re.MULTILINE)[1]
    comments, rows = read_table()
    made, refused, changed = [], 0, 0
    for row in rows:
        new, has_oracle = confirmed(row, grid)
        told = f"{row.generator} {row.seed} {row.count}: {row.options}"
        if isinstance(new, str):
            print(f"REFUSED {told}: {new}")
            refused += 1
            continue
        if not has_oracle:
            print(f"no oracle: {told}")
        changed += new != row
        made.append(new)
    print(f"{len(rows)} rows, {changed} changed, {refused} refused")
    if refused:
        return 1
    text = "".join(line + "\n" for line in comments + ["\t".join(row) for row in made])
    TABLE.write_text(text, encoding="ascii")
    return 0


def main():
    """Runs a command."""
    commands = {"inputs": command_inputs, "check": command_check, "grid": command_grid, "rows": command_rows,
                "regenerate": command_regenerate}
    if len(sys.argv) < 2 or sys.argv[1] not in commands:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    return commands[sys.argv[1]](*sys.argv[2:])


if __name__ == "__main__":
    sys.exit(main())
