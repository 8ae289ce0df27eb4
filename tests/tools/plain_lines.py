"""Tables of plain lines, short or long, with a few other lines among them: quoted, blank, commented, much longer ones,
and ones with a carriage return or blanks. Their running sums, per key or between changes of a field, must be those of
Python's integers.

    plain_lines.py SEED COUNT    prints how many tables were scanned
"""

import io
import os
import random
import subprocess
import sys
import tempfile

PSCAN = os.environ.get("PSCAN", "build/pscan")
LONG = "a long one that no sixty-four bytes hold and so is not looked at at once"
KEYS = ["a", "b", "host1.example.net", "host2.example.net", "host1.example.ne", "a key of over 24 bytes: 1", "a key of over 24 bytes: 2",
        "", LONG]


class Table:
    """Lines of a key, a number and another field, and what they must come out as."""

    def __init__(self, rng):
        self.rng = rng
        self.is_csv = rng.random() < 0.6
        self.delimiter = rng.choice(",,;\t|")
        self.first = rng.choice([1, 2])  # the number's field; the key's is the other one
        self.told_by = rng.choice([None, "key", "reset"])
        self.lines = rng.choice(["", "-a", "--replace"])
        self.comment = rng.choice([None, "#", "//"])
        self.type = rng.choice([None, "i64", "f64", "i32"])
        self.header = rng.random() < 0.3
        self.odd = rng.choice([0, 0.02, 0.3])
        self.stays = rng.choice([0, 0, 0.7, 0.95])  # how many records have the key of the one before
        self.pad = rng.choice([0, 0, 0, 50, 150])  # bytes after each key
        self.rest = rng.choice([60, 60, 220])  # bytes of another field
        self.text = io.StringIO()
        self.expected = io.StringIO()
        self.sums = {}
        self.before = None
        self.key = None

    def arguments(self):
        """pscan's, without files."""
        words = ["-d", self.delimiter, "-f", str(self.first), "--missing=zero"]
        words += ["--csv"] if self.is_csv else []
        words += [] if self.told_by is None else ["-g" if self.told_by == "key" else "--reset-on", str(3 - self.first)]
        words += [self.lines] if self.lines else []
        words += [f"--comment={self.comment}"] if self.comment else []
        words += ["-t", self.type] if self.type else []
        words += ["--header"] if self.header else ["--no-header"] * self.is_csv
        return words

    def pass_line(self, line):
        """Adds a line that is not a record. It comes out unchanged."""
        self.text.write(line)
        self.expected.write(line)

    def quoted(self, field):
        """A field as it may be written."""
        if self.is_csv and (any(c in field for c in self.delimiter + '"\n') or self.rng.random() < self.odd / 2):
            return '"' + field.replace('"', '""') + '"'
        blanks = [" " * self.rng.randint(0, 2) if self.rng.random() < self.odd else "" for _ in range(2)]
        return field.join(blanks)

    def shown(self, key):
        """A key at the beginning of a line of results."""
        is_special = self.is_csv and any(c in key for c in self.delimiter + '"\r\n')
        return '"' + key.replace('"', '""') + '"' if is_special else key

    def other_field(self):
        """A field that is not read. In CSV quotes may be around it, or in it as ordinary characters."""
        text = self.rng.choice(["", "rest", "r" * self.rng.randint(0, self.rest)])
        if not self.is_csv or self.rng.random() > self.odd:
            return text
        return self.rng.choice([f'"{text}{self.delimiter}""{text}"', f'r"{text}'])

    def add_record(self):
        """A record, and what becomes of it."""
        is_odd = self.rng.random() < self.odd
        value = self.rng.choice([self.rng.randint(-9, 9), self.rng.randint(-99999, 99999)])
        key = self.rng.choice(KEYS if is_odd else KEYS[:5]) + "~" * self.pad
        if is_odd and self.is_csv:
            key = self.rng.choice([key, key + self.delimiter, f'say "{key}"', f"two\n{key}"])
        key = self.key = self.key if self.key is not None and self.rng.random() < self.stays else key
        number = self.rng.choice([f"+{abs(value)}", f"{value:+020}", ""]) if is_odd and self.rng.random() < 0.5 else str(value)
        value = int(number or 0)
        fields = [self.quoted(number), self.quoted(key)]
        fields = fields if self.first == 1 else fields[::-1]
        rest = [self.other_field() for _ in range(self.rng.randint(0, 2))]
        if self.header and not self.sums:
            rest = []  # by the first record fields have the names above them
        if is_odd and not self.lines and self.sums and fields[0].strip() and self.rng.random() < 0.2:
            rest, value, key = [], value if self.first == 1 else 0, "" if self.first == 1 else key
            del fields[1]  # it is absent
        self.put_record(fields + rest, value, key.strip(" \t"))

    def put_record(self, fields, value, key):
        """Adds a line to the input, and the line with its sum to the expected output."""
        if self.told_by == "key":
            self.sums[key] = total = self.sums.get(key, 0) + value
        else:
            begins = self.told_by == "reset" and key != self.before
            total = self.sums["all"] = value + (0 if begins else self.sums.get("all", 0))
            self.before = key
        end = self.rng.choice(["\r\n", "\n"]) if self.rng.random() < self.odd else "\n"
        line = self.delimiter.join(fields)
        self.text.write(line + end)
        if not self.lines:
            self.expected.write(f"{self.shown(key) + self.delimiter if self.told_by == 'key' else ''}{total}\n")
            return
        if self.lines == "-a":
            self.expected.write(f"{line}{self.delimiter}{total}{end}")
            return
        before = fields[self.first - 1]
        blank = before.strip() == "" and '"' not in before
        left = len(before) - len(before.lstrip(" ")) if not blank else len(before)
        right = len(before) - len(before.rstrip(" ")) if not blank else 0
        fields[self.first - 1] = " " * left + str(total) + " " * right
        self.expected.write(self.delimiter.join(fields) + end)

    def fill(self, count):
        """Adds this number of records, with other lines between them."""
        if self.header:
            fields = ["n", "key"] if self.first == 1 else ["key", "n"]
            line = self.delimiter.join(fields)
            self.text.write(line + "\n")
            self.expected.write(line + (self.delimiter + "n_sum\n" if self.lines == "-a" else "\n") if self.lines else
                                "key" * (self.told_by == "key") + self.delimiter * (self.told_by == "key") + "n_sum\n")
        for _ in range(count):
            if self.rng.random() < self.odd:
                line = self.rng.choice(["\n", "  \n"] + ([f"{self.comment} 1,2;3\n"] if self.comment else []))
                if not line.isspace() or self.lines:
                    self.pass_line(line)
                else:
                    self.text.write(line)
            self.add_record()


def main():
    """Scans the tables."""
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    for i in range(count):
        rng = random.Random(seed * 1000003 + i)
        table = Table(rng)
        table.fill(rng.choice([5, 300, 3000]))
        arguments = [PSCAN, *table.arguments(), "-T", str(rng.randint(1, 3)), "--chunk-size", rng.choice(["8K", "64K", "4M"])]
        text = table.text.getvalue().encode()
        r = subprocess.run(arguments, input=text, capture_output=True, check=False)
        if r.returncode != 0 or r.stderr or r.stdout != table.expected.getvalue().encode():
            path = os.path.join(tempfile.gettempdir(), "plain_lines.txt")
            with open(path, "wb") as file:
                file.write(text)
            got, want = r.stdout.split(b"\n"), table.expected.getvalue().encode().split(b"\n")
            at = next((j for j, pair in enumerate(zip(got, want)) if pair[0] != pair[1]), min(len(got), len(want)))
            raise AssertionError(f"seed {seed}, table {i}: {arguments}: exit {r.returncode} {r.stderr!r}, line {at + 1}:"
                                 f" {got[at:at + 1]}, not {want[at:at + 1]}; {path} has the input")
    print(count)


if __name__ == "__main__":
    main()
