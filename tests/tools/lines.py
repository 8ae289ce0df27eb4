"""Random lines with fields, scanned by pscan with options for lines, and by a few lines of Python below. Every byte
must be equal.

    lines.py PSCAN SEED COUNT

Fields are found by regular expressions, numbers are Python's decimals. Prints the number of cases.
"""
import random
import re
import subprocess
import sys
import tempfile
from decimal import Decimal, getcontext
from pathlib import Path

NAMES = 5  # in the header
MISSING = ["", "-", "NA", "N/A", "null"]
OPERATORS = {"sum": lambda a, b: a + b, "max": max, "min": min}
IDENTITY = {"sum": "0", "max": "-inf", "min": "inf"}


class Rules:
    """One case's options."""

    def __init__(self, rng):
        self.mode = rng.choice(["blanks", "delimiter", "csv"])
        self.delimiter = {"blanks": " ", "delimiter": rng.choice(",;|\t"), "csv": rng.choice(",,,;")}[self.mode]
        self.field = rng.randint(1, 4)
        self.header = rng.choice([0, 0, 1, 1, 2])
        # (Names between blanks, and those that do not line up with the fields, are names_model.py's.)
        self.named = self.header > 0 and self.mode != "blanks" and rng.random() < 0.5
        self.comment = rng.choice([None, None, "#", "//"])
        self.lines = rng.choice(["none", "append", "replace"])
        self.name = rng.choice([None, "tot", 'a "b"' if self.mode == "csv" else "a_b"])
        if self.header == 0:
            self.name = None
        self.missing = rng.choice(["skip", "keep", "zero", "-7"])
        self.exclusive = rng.random() < 0.3
        self.operator = rng.choice(list(OPERATORS))
        self.crlf = rng.random() < 0.3
        self.decimals = rng.random() < 0.4

    def options(self):
        """The command line."""
        words = ["-op", self.operator, f"--missing={self.missing}", "--invalid=ignore",
                 "-f", f"name{self.field}" if self.named else str(self.field)]
        if self.mode != "blanks":
            words += ["-d", self.delimiter]
        if self.mode == "csv":
            words.append("--csv")
        if self.header:
            words.append(f"--header={self.header}")
        elif self.mode == "csv":
            words.append("--no-header")
        if self.comment:
            words.append(f"--comment={self.comment}")
        if self.lines != "none":
            words.append("-a" if self.lines == "append" else "--replace")
        if self.name:
            words.append(f"--as={self.name}")
        if self.exclusive:
            words.append("-e")
        return words


def random_field(rng, rules, number):
    """A field's text; number: it may be one."""
    if number and rng.random() < 0.75:
        text = str(rng.randint(-99, 99999))
        if rules.decimals and rng.random() < 0.01:
            text += "." + "".join(rng.choice("0123456789") for _ in range(rng.randint(1, 12)))
    elif number and rng.random() < 0.6:
        text = rng.choice(MISSING)
    else:
        text = rng.choice(["x", "ab", "1x", "2.5.1", "é", "Z" * rng.randint(1, 60)])
    if rules.mode == "csv" and rng.random() < 0.3:
        if not number and rng.random() < 0.5:
            text += rng.choice(['""', "\n", rules.delimiter, "\r\n", '"",""'])
        return f'"{text}"' + rng.choice(["", "", "", " " if rules.delimiter == "\t" else "\t "])
    if rules.mode != "blanks" and rng.random() < 0.1:
        text = f" {text}\t" if rules.delimiter != "\t" else f" {text} "
    if rules.mode == "blanks":
        return text or "-"
    if not number and rules.mode != "csv" and rng.random() < 0.1:
        text += '"'
    return text


def random_file(rng, rules, header):
    """A file's bytes; header: its lines."""
    newline = "\r\n" if rules.crlf else "\n"
    out = []
    left = list(header)
    for _ in range(rng.randint(0, rng.choice([20, 60, 2000]))):
        if rules.comment and rng.random() < 0.1:
            out.append(rules.comment + rng.choice(["", " note", ' "open', ' 1 2 3 4']))
        elif left:
            out.append(left.pop(0))
        else:
            least = 0 if rng.random() < 0.2 else 1
            if rules.mode == "blanks" and rules.lines == "replace" and rules.missing not in ("skip", "keep"):
                least = rules.field  # an absent field cannot be replaced
            count = rng.randint(least, NAMES if rules.named else NAMES + 1)
            count = 0 if rng.random() < 0.05 else count
            blank = rng.choice([" ", "  ", "\t"]) if rules.mode == "blanks" else rules.delimiter
            out.append(blank.join(random_field(rng, rules, i + 1 == rules.field) for i in range(count)))
            if rules.mode == "blanks" and rng.random() < 0.1:
                out[-1] = " " + out[-1]
            elif count == 0:
                out[-1] += rng.choice(["", "", " ", "\t "])
    if left:
        out += left[:rng.randint(0, len(left))] if rng.random() < 0.3 else left
    text = newline.join(out)
    if out and rng.random() < 0.8:
        text += newline
    return text


def records(text, rules):
    """Yields each record as its text and its line end."""
    quoted = r'"(?:[^"]|"")*"' + f"[^{re.escape(rules.delimiter)}\n]*"
    plain = f"[^{re.escape(rules.delimiter)}\n]*"
    record = re.compile(rf'(?:{quoted}|(?!"){plain})(?:{re.escape(rules.delimiter)}(?:{quoted}|(?!"){plain}))*')
    at = 0
    while at < len(text):
        is_comment = rules.comment and text.startswith(rules.comment, at)
        if rules.mode == "csv" and not is_comment:
            end = record.match(text, at).end()
        else:
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
        following = min(end + 1, len(text))
        body, line_end = text[at:end], text[end:following]
        if body.endswith("\r"):
            body, line_end = body[:-1], "\r" + line_end
        yield body, line_end
        at = following


def spans(body, rules):
    """The fields' places in a record."""
    if rules.mode == "blanks":
        return [m.span() for m in re.finditer(r"[^ \t]+", body)]
    if rules.mode == "delimiter":
        pattern = f"[^{re.escape(rules.delimiter)}]*"
    else:
        pattern = r'"(?:[^"]|"")*"' + f"[^{re.escape(rules.delimiter)}]*|[^{re.escape(rules.delimiter)}]*"
    found, at = [], 0
    while True:
        m = re.compile(pattern).match(body, at)
        found.append(m.span())
        if m.end() >= len(body):
            return found
        at = m.end() + 1


def is_blank(body, rules):
    """Whether a record is nothing but blanks that are no delimiters."""
    return not body.strip(" \t".replace(rules.delimiter, "") if rules.mode != "blanks" else " \t")


def token_of(raw, rules):
    """What a field says."""
    raw = raw.strip(" \t")
    if rules.mode == "csv" and len(raw) >= 2 and raw[0] == raw[-1] == '"':
        raw = raw[1:-1]
    return raw.strip(" \t")


def replaced(body, place, text):
    """The record with a text in the field's place, between the blanks around it."""
    begin, end = place
    raw = body[begin:end]
    if raw.strip(" \t"):
        end = begin + len(raw.rstrip(" \t"))
    begin = end - len(body[begin:end].lstrip(" \t"))
    return body[:begin] + text + body[end:]


class Oracle:
    """Scans files as pscan should."""

    def __init__(self, rules):
        self.rules = rules
        self.total = None
        self.scale = 0
        self.last = IDENTITY[rules.operator]
        self.out = []
        self.header_count = 0  # lines that an earlier file had
        self.one_column = None  # of CSV: blank lines are records

    def result(self, value):
        """The result of one element."""
        before = self.last
        self.scale = max(self.scale, -value.as_tuple().exponent)
        self.total = value if self.total is None else OPERATORS[self.rules.operator](self.total, value)
        # The greatest and least are written as they were, of equal ones the first: Python's max and min give that, too.
        self.last = f"{self.total:.{self.scale}f}" if self.rules.operator == "sum" else f"{self.total:f}"
        return before if self.rules.exclusive else self.last

    def header(self, body, line_end, last):
        """A header line that no file had before."""
        r = self.rules
        places = spans(body, r)
        if last:
            raw = body[slice(*places[r.field - 1])] if r.field <= len(places) else ""
            name = r.name
            if name is None:
                quoted = r.mode == "csv" and raw.startswith('"')
                name = raw[:-1] + f'_{r.operator}"' if quoted else f"{raw.strip(' 	')}_{r.operator}"
            elif r.mode == "csv" and '"' in name:
                name = '"' + name.replace('"', '""') + '"'
            if r.lines == "none":
                body, line_end = name, "\n"
            elif r.lines == "append":
                body += r.delimiter + name
            elif r.name is not None and r.field <= len(places):
                body = replaced(body, places[r.field - 1], name)
        self.out.append(body + (line_end if r.lines != "none" or "\r" in line_end else "\n"))

    def line(self, body, line_end):
        """A line of data."""
        r = self.rules
        if is_blank(body, r) and not self.one_column:
            self.out += [body + line_end] if r.lines != "none" else []
            return
        places = spans(body, r)
        present = r.field <= len(places)
        token = token_of(body[slice(*places[r.field - 1])], r) if present else ""
        value = mark = None
        if token in MISSING:
            if r.missing == "keep":
                mark = token
            elif r.missing != "skip":
                value = Decimal(0 if r.missing == "zero" else r.missing)
        elif re.fullmatch(r"[+-]?[0-9]+([.][0-9]+)?", token):
            value = Decimal(token)
        result = None if value is None else self.result(value)
        if r.lines == "none":
            if result is not None or mark is not None:
                self.out.append((mark if result is None else result) + "\n")
        elif r.lines == "append":
            lacking = NAMES - len(places) if r.named else 0
            self.out.append(body + r.delimiter * (lacking + 1) + (result or mark or "") + line_end)
        elif result is None:
            self.out.append(body + line_end)
        elif present:
            self.out.append(replaced(body, places[r.field - 1], result) + line_end)
        else:
            self.out.append(body + r.delimiter * (r.field - len(places)) + result + line_end)

    def file(self, text):
        """One file."""
        r = self.rules
        left = r.header
        begin = len(self.out)
        if self.one_column is None and text:
            bodies = (body for body, _ in records(text, r)
                      if not (r.comment and body.startswith(r.comment)))
            first = next(bodies, None)
            self.one_column = (r.mode == "csv" and r.header == 0 and first is not None and
                               not is_blank(first, r) and len(spans(first, r)) == 1)
        for body, line_end in records(text, r):
            if r.comment and body.startswith(r.comment):
                self.out.append(body + (line_end or "\n"))
            elif left:
                left -= 1
                if r.header - left > self.header_count:
                    self.header_count += 1
                    self.header(body, line_end or "\n", left == 0)
            else:
                self.line(body, line_end)
        if len(self.out) > begin and not self.out[-1].endswith("\n"):
            self.out[-1] += "\n"


def run_case(pscan, rng, folder):
    """One case; returns the command that failed, or None."""
    rules = Rules(rng)
    header = []
    for i in range(rules.header):
        names = [f"name{k}" if i == rules.header - 1 else f"title{k}" for k in range(1, NAMES + 1)]
        if rules.mode == "csv":
            names = [f'"{n}"' if rng.random() < 0.3 else n for n in names]
        if rules.mode != "blanks":
            names = [f" {n} " if n[0] != '"' and rng.random() < 0.2 else n for n in names]
        header.append(rules.delimiter.join(names))
    files = []
    oracle = Oracle(rules)
    for i in range(rng.choice([1, 1, 1, 2, 3])):
        text = random_file(rng, rules, header)
        path = folder / f"in{i}"
        path.write_bytes(text.encode())
        files.append(str(path))
        oracle.file(text)
    want = "".join(oracle.out).encode()
    for running in (["-T", "1"], ["--chunk-size=1", "-T", "3"]):
        command = [pscan, "-D", "none", *running, *rules.options(), *files]
        done = subprocess.run(command, capture_output=True, timeout=1200, check=False)
        if done.returncode != 0 or done.stdout != want or done.stderr:
            at = next((k for k, (a, b) in enumerate(zip(want, done.stdout)) if a != b), min(len(want), len(done.stdout)))
            near = slice(max(0, at - 60), at + 60)
            return (f"{' '.join(command)}: exit {done.returncode}, {done.stderr[:200]!r}, byte {at}: "
                    f"want {want[near]!r}, got {done.stdout[near]!r}")
    return None


def main():
    """Runs the cases."""
    getcontext().prec = 100
    pscan, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    for i in range(count):
        with tempfile.TemporaryDirectory() as folder:
            failure = run_case(pscan, random.Random(seed * 1000003 + i), Path(folder))
        if failure is not None:
            sys.exit(f"case {i}: {failure}")
    print(count, "cases")


if __name__ == "__main__":
    main()
