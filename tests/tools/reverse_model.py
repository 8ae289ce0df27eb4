"""Compares --reverse with its definition, over random records, formats, options and kinds of input.

Usage: reverse_model.py PSCAN DIRECTORY SEED COUNT [FIRST]

FIRST is the number of the first case; the files of the last one stay in the directory.

Every case is scanned with --reverse, and the records in the reverse order without it: the results must be the same, to
the byte, in the reverse order. Where the options are simple enough, a model in Python gives the results, too. The
directory is for temporary files. TMPDIR, below it, must be empty after every run. Prints the first differences, and the
number of cases; ends with 1 if there are differences.
"""

import array
import bz2
import gzip
import itertools
import os
import random
import re
import subprocess
import sys

SIZES = {"i8": "b", "u16": "H", "i32": "i", "i64": "q", "f32": "f", "f64": "d"}


def run(command, environment, **given):
    return subprocess.run(command, env=environment, capture_output=True, timeout=600, **given)


# The model: records are (key, tag, value), values are integers.


def combine(name, covered):
    """The result of an operator over the elements that it covers, the first one first; None: there is none."""
    if name == "count":
        return len(covered)
    if not covered:
        return {"sum": 0}.get(name)
    if name == "delta":
        return covered[-1] - covered[-2] if len(covered) > 1 else None
    functions = {"sum": sum, "max": max, "min": min, "first": lambda c: c[0], "last": lambda c: c[-1]}
    return functions[name](covered)


def model(records, options):
    """The results of every record, in the order of the records: lists of integers or None."""
    segments = {}
    results = []
    for key, tag, value in records:
        key = key if options["keys"] else ""
        tags, elements = segments.get(key, ([], []))
        begins = (
            (options["on"] and tags and tags[-1] != tag)
            or (options["every"] and len(elements) == options["every"])
            or (options["at"] is not None and value == options["at"])
        )
        if begins:
            elements = []
        before = list(elements)
        elements.append(value)
        segments[key] = ([tag], elements)
        covered = before if options["exclusive"] else elements
        if options["window"]:
            covered = covered[-options["window"] :]
        results.append([combine(name, covered) for name in options["operators"]])
    return results


# Texts


def units(text, quotes):
    """The lines of a text, with their ends; a newline within quotes ends none."""
    lines = []
    begun = b""
    for line in text.splitlines(keepends=True) if not quotes else text.split(b"\n"):
        if quotes:
            line += b"\n"
        begun += line
        if not quotes or begun.count(b'"') % 2 == 0:
            lines.append(begun)
            begun = b""
    if quotes:
        lines[-1] = lines[-1][:-1]
        lines = [line for line in lines if line]
    return lines


def split_lines(text):
    return [line for line in text.replace(b"\n", b"\n\0").split(b"\0") if line]


class Table:
    """A random table of text with a key, a tag and a value, as lines, and the options that read it."""

    def __init__(self, random):
        self.random = random
        self.kind = random.choice(["blanks", "csv", "csv", "tsv", "semicolon", "json", "logfmt"])
        self.has_header = self.kind in ("csv", "tsv", "semicolon", "blanks") and random.random() < 0.7
        self.is_crlf = self.kind not in ("json", "logfmt") and random.random() < 0.2
        self.has_comments = random.random() < 0.3
        self.lacks = random.choice([0, 0, 0, 0.1, 0.5])
        self.is_decimal = random.random() < 0.3
        self.is_wide = random.random() < 0.05
        keys = random.choice([1, 3, 50])
        count = random.choice([0, 1, 2, 3, 5, 9, 30, 100, 600, 3000])
        self.records = []
        for place in itertools.accumulate(random.choice([0, 1, 1, 5]) for _ in range(count)):
            value = random.randrange(-50, 100) * (10 ** 17 if self.is_wide and random.random() < 0.1 else 1)
            self.records.append((f"k{random.randrange(keys)}", random.randrange(3), value, place))
        self.lines = [self.line_of(*record) for record in self.records]
        self.mixed = self.mix()

    def number(self, value):
        if self.random.random() < self.lacks:
            return self.random.choice({"json": ["null"], "blanks": ["-"]}.get(self.kind, ["", "NA"]))
        if self.is_decimal and self.random.random() < 0.5:
            return f"{value}.{self.random.randrange(100):02}"
        return str(value)

    def line_of(self, key, tag, value, place):
        number = self.number(value)
        if self.kind == "json":
            return f'{{"key":"{key}","tag":{tag},"value":{number},"place":{place}}}'
        if self.kind == "logfmt":
            return f"key={key} tag={tag} value={number} place={place}"
        if self.kind == "csv" and self.random.random() < 0.3:
            key = '"' + key + '"'
        if self.kind == "csv" and self.random.random() < 0.1:
            number = f'"{number}"'
        note = self.random.choice(["", "x", '"a\nb"', '"c ""d"", e"']) if self.kind == "csv" else "x"
        delimiter = {"blanks": " ", "csv": ",", "tsv": "\t", "semicolon": ";"}[self.kind]
        return delimiter.join([key, str(tag), number, str(place), note])

    def mix(self):
        """The lines with comments, blank lines and repeated headers between them: (is a record, line)."""
        mixed = []
        for line in self.lines:
            if self.has_comments and self.random.random() < 0.1:
                mixed.append((False, self.random.choice(["# comment", "#", "# a,b"])))
            if self.random.random() < 0.02:
                mixed.append((False, ""))
            if self.has_header and self.random.random() < 0.02:
                mixed.append((False, self.header()))
            mixed.append((True, line))
        return mixed

    def header(self):
        return {"blanks": " ", "csv": ",", "tsv": "\t", "semicolon": ";"}[self.kind].join(
            ["key", "tag", "value", "place", "note"]
        )

    def text(self, lines, header=True):
        end = "\r\n" if self.is_crlf else "\n"
        given = ([self.header()] if self.has_header and header else []) + lines
        return "".join(line + end for line in given).encode()

    def options(self):
        words = {
            "blanks": [],
            "csv": ["--csv"],
            "tsv": ["--tsv"],
            "semicolon": ["-d;"],
            "json": ["--json"],
            "logfmt": ["--logfmt"],
        }[self.kind]
        if self.has_comments:
            words = words + ["--comment=#"]
        if self.has_header:
            return words + ["-H"]
        return words + (["--no-header"] if self.kind in ("csv", "tsv") else [])

    def field(self, name):
        if self.has_header or self.kind in ("json", "logfmt"):
            return name
        return {"key": "1", "tag": "2", "value": "3", "place": "4"}[name]


def random_scan(random, table):
    """Options of the scan, and what the model needs to know of them."""
    known = {"keys": False, "on": False, "every": 0, "at": None, "window": 0, "exclusive": False}
    words = []
    names = ["sum", "max", "min", "count", "last", "first", "delta", "mean", "ema:0.3", "argmax", "lag:2", "delta:3", "increase"]
    operators = random.sample(names, random.choice([1, 1, 1, 2, 3]))
    known["operators"] = operators
    known["is_simple"] = not set(operators) - {"sum", "max", "min", "count", "last", "first", "delta"} and not table.is_decimal
    if random.random() < 0.4:
        known["keys"] = True
        words += ["-g", table.field("key")]
    kind = random.choice(["none", "none", "every", "on", "gap", "at"])
    if kind == "every":
        known["every"] = random.choice([1, 2, 7, 100])
        words += [f"--reset-every={known['every']}"]
    if kind == "on":
        known["on"] = True
        words += ["--reset-on", table.field("tag")]
    if kind == "gap":
        known["is_simple"] = False
        words += [f"--reset-gap={table.field('place')}:5"]
    if kind == "at":
        known["at"] = random.randrange(-5, 10)
        words += [f"--reset-at={known['at']}"]
    if random.random() < 0.25:
        known["window"] = random.choice([1, 2, 5, 100])
        words += [f"--window={known['window']}"]
    if random.random() < 0.2 and not set(operators) - {"sum", "count"}:
        known["exclusive"] = True
        words += ["-e"]
    if random.random() < 0.1 and operators == ["sum"]:
        known["is_simple"] = False
        words += ["--seed=17"]
    if table.lacks > 0:
        known["is_simple"] = False
        how = random.choice(["skip", "keep", "hold", "7", "hold", "keep"])
        words += [f"--missing={how}"]
        if how == "hold" and random.random() < 0.4:
            words += [f"--fill-limit={random.choice([1, 2])}"]
        if random.random() < 0.2:
            words += [f"--min-count={random.choice([1, 2, 3])}"]
    if random.random() < 0.15 and "argmax" not in operators:
        known["is_simple"] = False
        words += ["--emit", random.choice(["s * 2", "s + i", "s * 2 + x"])]
    fields = [table.field("value")]
    if random.random() < 0.08:
        known["is_simple"] = False
        fields, operators = [table.field("key")], ["distinct"]
    if random.random() < 0.3 and operators != ["distinct"]:
        known["is_simple"] = False
        fields.insert(random.randrange(2), table.field("place"))
    words += ["-op", ",".join(operators), "-f", ",".join(fields)]
    form = random.choice(["results", "append", "append", "replace", "total", "initial", "binary", "f64", "wrap"])
    if form == "append":
        words += ["-a"]
    if form == "replace" and len(operators) == 1:
        words += ["--replace"]
    if form == "total":
        words += ["--total"]
    if form == "initial":
        words += ["--include-initial"]
    if form in ("binary", "f64", "wrap") and operators == ["distinct"]:
        form = "results"
    if form == "binary" and table.lacks == 0 and not known["keys"]:
        words += ["-t", "f64", "--output-format=binary"]
    if form == "f64":
        words += ["-t", "f64"]
    if form == "wrap":
        words += ["-t", "i32", "--overflow=wrap"]
    known["is_simple"] = known["is_simple"] and form == "append"
    known["form"] = form
    known["operators"] = operators
    return words, known


def feed(command, environment, parts, how, directory, random):
    """Runs the command with the parts of the input as files, or through pipes."""
    pack = {"gz": gzip.compress, "bz2": bz2.compress}.get(how.split()[0], lambda part: part)
    packed = [pack(part) for part in parts]
    names = []
    for number, part in enumerate(packed):
        names.append(os.path.join(directory, f"part{number}"))
        with open(names[-1], "wb") as file:
            file.write(part)
    if how.endswith("file"):
        return run(command + names, environment, input=b"")
    if how == "stdin":
        with open(names[0], "wb") as file:
            file.write(b"not this\n" + parts[0])
        with open(names[0], "rb") as file:
            os.lseek(file.fileno(), len(b"not this\n"), os.SEEK_SET)
            return run(command, environment, stdin=file)
    if how == "mixed":
        quoted = " ".join(f"<(cat '{name}')" if number % 2 else f"'{name}'" for number, name in enumerate(names))
        line = " ".join("'" + word.replace("'", "'\\''") + "'" for word in command) + " " + quoted
        return run(["bash", "-c", line], environment, input=b"")
    return run(command, environment, input=b"".join(packed))


def told(*what):
    print(*what)
    return True


def both(pscan, directory, random, words, parts, reversed_text, how, turn, clean=lambda out: out):
    """Scans the parts with --reverse, and the text without it. Returns whether they differ, and the output."""
    temporary = os.path.join(directory, "temporary")
    os.makedirs(temporary, exist_ok=True)
    environment = dict(os.environ, TMPDIR=temporary, PSCAN_DEVICE="none")
    running = [f"-T{random.choice([1, 2, 4])}"]
    running += random.choice([[], ["--chunk-size=64"], ["--chunk-size=1K"], ["--chunk-size=64K"]])
    command = [pscan, "-r", "-q"] + running + words
    done = feed(command, environment, parts, how, directory, random)
    with open(os.path.join(directory, "reversed"), "wb") as file:
        file.write(reversed_text)
    plain = run([pscan, "-q"] + running[:1] + words, environment, input=reversed_text)
    left = os.listdir(temporary)
    if (done.returncode == 0) != (plain.returncode == 0) or left:
        return told(how, command, "status", done, plain.returncode, plain.stderr[:300], left), b""
    if done.returncode != 0:
        is_wrong = done.stdout != b"" and told(how, command, "results after an error", done.stderr, done.stdout[:300])
        return is_wrong or (done.returncode != plain.returncode and told(command, done, plain)), b""
    right = turn(plain.stdout)
    out = clean(done.stdout)
    if out == right:
        return False, out
    a, b = out.split(b"\n"), right.split(b"\n")
    at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
    print(how, " ".join(command))
    print(f"  {len(a)} lines for {len(b)}; line {at + 1}:", a[at : at + 3], "for", b[at : at + 3])
    return True, out


def cut(random, items, how):
    places = sorted(random.randrange(len(items) + 1) for _ in range(0 if how == "stdin" else random.choice([0, 0, 1, 2])))
    return [items[a:b] for a, b in zip([0] + places, places + [len(items)])]


def one_text(pscan, directory, random):
    table = Table(random)
    words, known = random_scan(random, table)
    words = table.options() + words
    how = random.choice(["file", "gz file", "pipe", "gz pipe", "bz2 file", "mixed", "stdin"])
    lines = [line for _, line in table.mixed]
    pieces = cut(random, lines, how)
    parts = [table.text(piece, header=number == 0 or "pipe" not in how) for number, piece in enumerate(pieces)]
    reversed_lines = list(reversed(lines))
    reversed_text = table.text(reversed_lines)
    if lines and random.random() < 0.3 and parts[-1] and pieces[-1]:
        # The last line has no newline. (A carriage return before it would be a part of the line.)
        end = 2 if table.is_crlf else 1
        parts[-1] = parts[-1][:-end]
        first = len(table.text([]))
        text = lines[-1].encode()
        reversed_text = reversed_text[:first] + text + b"\n" + reversed_text[first + len(text) + end :]
        if lines[-1] == "":
            return False
    is_binary = "--output-format=binary" in words

    def turn(out):
        if is_binary:
            fields = words[words.index("-f") + 1].count(",") + 1
            size = 8 * len(known["operators"]) * fields
            if "argmax" in known["operators"] or "count" in known["operators"]:
                size = 8 * len(known["operators"]) * fields
            return b"".join(reversed([out[i : i + size] for i in range(0, len(out), size)]))
        found = units(out, table.kind == "csv")
        # The header of the results is their first line, if there is one.
        has_header = table.has_header and not (known["form"] == "total" and "-g" not in words)
        head = found[:1] if has_header else []
        return b"".join(head + list(reversed(found[len(head) :])))

    wrong, out = both(pscan, directory, random, words, parts, reversed_text, how, turn)
    if wrong or not known["is_simple"] or out == b"" or table.kind in ("json", "logfmt"):
        return wrong
    records = [(key, tag, value) for key, tag, value, _ in table.records]
    right = list(reversed(model(list(reversed(records)), known)))
    found = units(out, table.kind == "csv")[1 if table.has_header else 0 :]
    delimiter = {"blanks": b" ", "csv": b",", "tsv": b"\t", "semicolon": b";"}[table.kind]
    head = table.header().encode()
    shown = [line.rstrip(b"\r\n").rsplit(delimiter, len(known["operators"]))[1:] for line in found]
    shown = [
        results
        for results, line in zip(shown, found)
        if line.rstrip(b"\r\n") and not line.startswith(b"#") and not line.startswith(head)
    ]
    absent = "-" if table.kind == "blanks" else ""
    if len(known["operators"]) == 1:
        absent = ""
    wanted = [[absent if r is None else str(r) for r in results] for results in right]
    if table.kind == "blanks" and len(known["operators"]) == 1 and "delta" in known["operators"]:
        return False  # (An absent result adds nothing between blanks.)
    got = [[text.decode() for text in results] for results in shown]
    if got != wanted:
        at = next((i for i, (a, b) in enumerate(zip(got, wanted)) if a != b), min(len(got), len(wanted)))
        return told("model:", words, len(got), len(wanted), "at", at, got[at : at + 3], wanted[at : at + 3])
    return False


def one_tokens(pscan, directory, random):
    """Tokens without fields; the records are tokens."""
    count = random.choice([0, 1, 2, 7, 100, 3000])
    has_comments = random.random() < 0.2
    lacks = random.choice([0, 0, 0.2])
    tokens = ["-" if random.random() < lacks else str(random.randrange(-20, 100)) for _ in range(count)]
    gaps = [random.choice(["\n", "\n", " ", "  ", "\t", "\n\n", "\r\n"]) for _ in tokens]
    text = "".join(token + gap for token, gap in zip(tokens, gaps))
    if has_comments:
        text = "".join(random.choice([line, line, "# c\n" + line]) for line in text.splitlines(keepends=True))
    how = random.choice(["file", "gz file", "pipe", "mixed", "stdin"])
    lines = split_lines(text.encode())
    parts = [b"".join(piece) for piece in cut(random, lines, how)]
    turned = []
    for line in text.split("\n"):
        turned += [line] if line.startswith("#") else line.split()
    reversed_text = "".join(token + "\n" for token in reversed(turned)).encode()
    words = ["--comment=#"] if has_comments else []
    words += ["-op", random.choice(["sum", "max", "mean", "delta", "first", "count"])]
    words += random.choice([[], [], ["--reset-every=3"], ["--window=4"], ["--reset-at=0"], ["-t", "f32"], ["-t", "i64"]])
    words += random.choice([[], [], ["-a"], ["--total"], ["--include-initial"], ["--output-format=binary"]])
    if lacks:
        words += [f"--missing={random.choice(['skip', 'keep', 'hold', '3'])}"]
    size = 4 if "f32" in words else 8

    def turn(out):
        if "--output-format=binary" in words:
            return b"".join(reversed([out[i : i + size] for i in range(0, len(out), size)]))
        return b"".join(reversed(split_lines(out)))

    def clean(out):
        # (Blank lines before a file's first token, or after a comment, are lines of their own under -a.)
        return b"".join(line for line in split_lines(out) if line.strip()) if "-a" in words else out

    if "--output-format=binary" in words and not ({"f32", "i64"} & set(words)):
        words += ["-t", "f64"]
    if "--output-format=binary" in words and "count" in words:
        return False
    return both(pscan, directory, random, words, parts, reversed_text, how, turn, clean)[0]


def one_binary(pscan, directory, random):
    kind = random.choice(list(SIZES))
    columns = random.choice([1, 1, 1, 1, 2, 3, 13])
    count = random.choice([0, 1, 2, 100, 4095, 4096, 4097, 20000, 90000]) // (columns if columns > 3 else 1)
    size = array.array(SIZES[kind]).itemsize * columns
    if kind[0] == "f":
        values = [random.choice([random.random(), 1e6 * random.random(), float(random.randrange(9))]) for _ in range(count * columns)]
    else:
        values = [random.randrange(0, 100) for _ in range(count * columns)]
    if kind[0] == "f" and random.random() < 0.2:
        values = [float("nan") if random.random() < 0.05 else value for value in values]
    data = array.array(SIZES[kind], values).tobytes()
    records = [data[i : i + size] for i in range(0, len(data), size)]
    words = ["-t", kind, "--format=binary", "--overflow=wrap"]
    if columns > 1:
        words += [f"-c{columns}"]
        if random.random() < 0.4:
            words += ["-f", str(random.randrange(1, columns + 1))]
            if random.random() < 0.5 and kind[0] != "f":
                words += ["-g", str(random.randrange(1, columns + 1))]
    operator = random.choice(["sum", "max", "last", "first", "sum", "sum,max", "xor" if kind[0] != "f" else "mean", "mean"])
    words += ["-op", operator]
    words += random.choice([[], [], [], ["--reset-every=5"], ["--reset-every=5000"], ["--window=7"], ["--reset-at=3"]])
    words += random.choice([[], [], [], ["--include-initial"] if operator in ("sum", "max") else [], ["--total"]])
    words += ["-e"] if operator == "sum" and random.random() < 0.2 else []
    words += ["--output-format=text"] if random.random() < 0.3 or "--total" in words else []
    if kind[0] == "f" and random.random() < 0.3:
        words += [f"--nan={random.choice(['keep', 'hold', 'fail', '2'])}"]
    how = random.choice(["file", "file", "gz file", "pipe", "mixed", "stdin"])
    parts = [b"".join(piece) for piece in cut(random, records, how)]

    def turn(out):
        if "--output-format=text" in words:
            return b"".join(reversed(split_lines(out)))
        # As many results as records, and perhaps the initial one.
        results = len(records) + ("--include-initial" in words)
        width = len(out) // results if results else 1
        return b"".join(reversed([out[i : i + width] for i in range(0, len(out), width or 1)]))

    if random.random() < 0.5 and how != "stdin":
        # Written in place.
        path = os.path.join(directory, "out")
        environment = dict(os.environ, PSCAN_DEVICE="none", TMPDIR=os.path.join(directory, "temporary"))
        os.makedirs(environment["TMPDIR"], exist_ok=True)
        done = feed([pscan, "-r", "-q", "-o", path] + words, environment, parts, how, directory, random)
        plain = run([pscan, "-q"] + words, environment, input=b"".join(reversed(records)))
        if (done.returncode == 0) != (plain.returncode == 0):
            return told(how, words, done, plain.returncode, plain.stderr)
        if done.returncode != 0:
            return os.path.exists(path) and told(how, words, "a file after an error")
        with open(path, "rb") as file:
            out = file.read()
        os.unlink(path)
        return out != turn(plain.stdout) and told(how, words, "in place: differs", len(out), len(plain.stdout))
    return both(pscan, directory, random, words, parts, b"".join(reversed(records)), how, turn)[0]


def one_error(pscan, directory, random):
    """Tokens that are no numbers, and sums that do not fit: the messages have the lines of the input."""
    count = random.choice([1, 2, 5, 40, 400, 3000])
    bad = random.choice([0, 0.002, 0.05, 0.5])
    lines = [
        f"k{random.randrange(3)} {random.choice(['x', '1..2', '-']) if random.random() < bad else random.randrange(9)}"
        for _ in range(count)
    ]
    words = ["-f", "2", f"--invalid={random.choice(['abort', 'abort', 'fail', 'warn', 'ignore'])}"]
    words += random.choice([[], ["-t", "i8"], ["-t", "u16"], ["--overflow=wrap", "-t", "i8"]])
    words += random.choice([[], [], ["-g", "1"], ["--reset-every=20"], ["--window=9"], ["-a"]])
    words += random.choice([["--missing=keep"], ["--missing=hold"], []])
    running = [f"-T{random.choice([1, 4])}"] + random.choice([[], ["--chunk-size=64"], ["--chunk-size=1K"]])
    path = os.path.join(directory, "lines")
    given = random.choice(["file", "pipe", "gz"])
    environment = dict(os.environ, PSCAN_DEVICE="none")
    text = "".join(line + "\n" for line in lines).encode()
    with open(path, "wb") as file:
        file.write(gzip.compress(text) if given == "gz" else text)
    command = [pscan, "-r"] + running + words
    done = run(command, environment, input=text) if given == "pipe" else run(command + [path], environment)
    back = "".join(line + "\n" for line in reversed(lines)).encode()
    plain = run([pscan] + running[:1] + words, environment, input=back)
    name = "standard input" if given == "pipe" else path
    messages = re.sub(
        r"standard input: line (\d+)", lambda m: f"{name}: line {count + 1 - int(m[1])}", plain.stderr.decode()
    )
    # (Of line 1 the hint is another one.)
    told_lines, messages = (re.sub(r" \((a header|another field).*\)", "", m) for m in (done.stderr.decode(), messages))
    is_fatal = any(not line.startswith("pscan: warning") for line in messages.splitlines())
    right = b"" if is_fatal else b"".join(reversed(split_lines(plain.stdout)))
    if (done.returncode, told_lines, done.stdout) == (plain.returncode, messages, right):
        return False
    return told(given, command, done.returncode, plain.returncode, done.stderr[:300], messages[:300], done.stdout == right)


def main():
    pscan, directory, seed, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    wrong = 0
    first = int(sys.argv[5]) if len(sys.argv) > 5 else 0
    for number in range(first, first + count):
        case = [one_text, one_binary, one_text, one_tokens, one_error][number % 5]
        is_wrong = bool(case(pscan, directory, random.Random(f"{seed} {number}")))
        if is_wrong:
            print(f"  in case {number} of seed {seed}")
        wrong += is_wrong
        if wrong == 5:
            break
    print(f"{count} cases, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
