#!/usr/bin/env python3
"""Random scans of text by several ranks of MPI, compared with the single program: the output, the messages and the exit
status must be equal, and no further file may be left. All kinds of lines meet the edges of slices and tiles: short and
long ones, CSV with quotes, headers, comments, missing and invalid numbers, and files without a last newline.

Usage: mpi_text.py SEED CASES [CASE]. PSCAN: the single program, PSCAN_MPI: the one for mpirun.
"""
import os

from mpi_cases import RANKS, TILE, bgzf, damaged, run_cases
from operator_facts import BITWISE, COMMON, where

EVERY = [name for name in COMMON if name not in ("drawdown", "prod")]
OF_INTEGERS = ["prod", *BITWISE]
OF_FLOATS = ["drawdown", "prod", "ema:0.125"]
TAKE_SEED = where(lambda facts: facts.seeded and facts.inputs == 1)
NUMBERS = [f"{i % 7}.{i % 100:02}" for i in range(9000)]


def with_line(number_of_line, text, lines=NUMBERS):
    """The lines with another one in the place of that, from 1."""
    return lines[:number_of_line - 1] + [text] + lines[number_of_line:]


# Options, and files as lists of lines: what random cases seldom are. On 2, 3 or 7 ranks.
FIXED = [
    (["-f", "1"], [with_line(8000, "bad")]),
    (["-t", "f64"], [NUMBERS, with_line(4000, "bad")]),
    (["--invalid=fail"], [with_line(4444, "1x")]),
    (["--invalid=warn", "-t", "f64"], [with_line(10, "1x"), with_line(8888, "1x")]),
    (["--csv", "-f", "1", "-H"], [["a,b"] + ['1,"x']  + NUMBERS + ['"']]),
    (["--csv", "-f", "1", "-a"], [[f'{n},"' + '""\n' * (i % 9) + '"' for i, n in enumerate(NUMBERS)]]),
    (["--csv", "-f", "a", "--header=2", "-a"], [['"of\ntwo lines"', "a"] + NUMBERS, ['"of\ntwo lines"', "a"] + NUMBERS]),
    (["--csv", "-f", "a", "-H"], [["a"] + NUMBERS, ["b"] + NUMBERS]),
    # The result that does not fit is the last of a slice's, and counts if an element follows.
    (["-t", "i8", "-e"], [["1"] * 256]),
    (["-t", "i8", "-e", "--comment", "#"], [["1"] * 128 + ["#"] * 128]),
    (["-t", "i8"], [["1"] * 127 + ["#"], ["1"]]),
    (["-op", "max,last,lag"], [["1.50", "1.5", "1.500", "1"] * 3000]),
    (["-op", "sum,mean"], [["99999999999999999999999999999", "0.1", "-99999999999999999999999999999"] * 3000]),
    (["-op", "prod"], [["3"] * 100]),
    (["--json", "-f", "n", "-a"], [[f'{{"n": {n}, "s": "\\"x"}}' for n in NUMBERS]]),
    (["-t", "f64"], [["1"], [], ["2"], [" ".join(NUMBERS)], ["3"]]),
    (["-t", "f64", "-op", "sum,var", "-f", "1,2", "--missing=skip"], [[f"{n} NA" for n in NUMBERS] + ["1 2"] * 6000]),
    # The last slices have no numbers: the total is that of a joined scan.
    (["--total", "-op", "sum,drawdown", "--comment", "#"], [NUMBERS[:3000] + ["# words"] * 9000]),
    (["--total", "-op", "delta"], [["5"]]),
    # Integers that are joined: the element that does not fit is named.
    (["--min-count=3", "-t", "i64"], [[*map(str, range(8000)), "9223372036854775807"]]),
]


def number(rng, kind):
    """A token."""
    if kind == "bits":
        return str(rng.choice([0, 1, 3, -1, 2]))
    if kind in ("i8", "i32", "i64", "u16"):
        return str(rng.choice([0, 1, 1, 2] if kind[0] == "u" or rng.random() < 0.5 else [0, -1, 1, -2, 2]))
    if kind in ("f32", "f64"):
        return repr(rng.uniform(-100, 100))
    digits = rng.choice([0, 0, 1, 2, 3]) if rng.random() < 0.2 else 2
    return f"{rng.uniform(-100, 100):.{digits}f}"


def count_of_records(rng):
    """Sizes around tiles, and of none and a few."""
    return max(0, rng.choice([0, 1, 2, 5, 30, TILE, 2 * TILE, 3 * TILE, rng.randrange(5 * TILE), rng.randrange(5 * TILE)]) + rng.choice([-1, 0, 0, 1]))


def quoted(rng, csv):
    """A field of words."""
    if not csv or rng.random() < 0.5:
        return rng.choice(["a", "xyz", "é", "a-long-word-of-some-bytes"])
    return rng.choice(['"a,b"', '"line\nend"', '""', '"he said ""x"""', 'in"ner', '"\n\n"', '"# no comment"'])


class Shape:
    """What lines look like, and the options that say so."""

    def __init__(self, rng):
        self.kind = rng.choice(["num", "num", "num", "num", "bits", "i8", "i32", "i64", "u16", "f32", "f64"])
        self.fields = rng.choice([0, 0, 0, 1, 1, 2, 3])
        self.csv = self.fields > 0 and rng.random() < 0.5
        self.json = self.fields > 0 and not self.csv and rng.random() < 0.15
        self.header = self.fields > 0 and not self.json and rng.random() < 0.4
        self.comment = not self.json and rng.random() < 0.2
        self.crlf = not self.json and rng.random() < 0.15
        self.missing = rng.choice(["", "", "skip", "keep", "hold", "0"]) if self.fields > 0 else ""
        self.wide = rng.random() < 0.1
        self.odd_header = rng.random() < 0.3  # its names have a newline
        self.many = self.fields == 0 and rng.random() < 0.2  # numbers in a line
        self.operators = self.choose(rng)

    def choose(self, rng):
        special = OF_INTEGERS if self.kind in ("bits", "i8", "i32", "i64", "u16") else OF_FLOATS if self.kind in ("f32", "f64") else []
        return rng.sample(EVERY + special, rng.choice([1, 1, 1, 2, 3]))

    def options(self, rng):
        given = ["-op", ",".join(self.operators)]
        if self.kind not in ("num", "bits"):
            given += ["-t", self.kind]
        elif rng.random() < 0.1 and not {"var", "std"} & set(self.operators):
            given += ["-t", "dec"]
        if self.csv:
            given += ["--csv"]
        if self.json:
            given += ["--json"]
        if self.header:
            given += ["-H"]
        elif self.csv:
            given += ["--no-header"]
        names = [f"n{i}" if (self.header and self.name) or self.json else str(2 * i + 1) for i in range(self.fields)]
        if self.fields > 0:
            given += ["-f", ",".join(names)]
            given += rng.choice([[], ["-a"], ["--replace"] if len(self.operators) == 1 else ["-a"]])
        if self.comment:
            given += ["--comment", "#"]
        if self.missing:
            given += [f"--missing={self.missing}"]
        given += rng.choice([[], [], ["-e"], ["--include-initial"] if "-a" not in given and "--replace" not in given else []])
        if rng.random() < 0.2 and all(op in TAKE_SEED for op in self.operators):
            given += ["--seed", rng.choice(["0", "1", "3"] if self.kind != "num" else ["0", "1.5", "2.25"])]
        if rng.random() < 0.15 and "-a" not in given and "--replace" not in given:
            given += ["--total"]
        if rng.random() < 0.3:
            given += ["--overflow=wrap"]
        if rng.random() < 0.1:
            given += [f"--invalid={rng.choice(['ignore', 'warn', 'fail'])}"]
        if rng.random() < 0.1:
            given += [f"--nan={rng.choice(['skip', 'keep', 'hold', 'fail', '7'])}"]
        if rng.random() < 0.05:
            given += ["-F", "%.3f" if self.kind in ("num", "f32", "f64") else "%5d"]
        if rng.random() < 0.3:
            given += ["--chunk-size", rng.choice(["1K", "32K"])]
        if rng.random() < 0.1 and self.kind in ("f64", "i64", "f32") and self.fields == 0 and "--include-initial" not in given:
            given += ["--output-format=binary"]
        return given + ["--format=text", "-T", str(rng.choice([1, 2]))]

    def line(self, rng):
        if self.comment and rng.random() < 0.02:
            return '# "a comment' + ("" if rng.random() < 0.8 else " of many words" * 40)
        if self.fields == 0:
            count = rng.randrange(1, 12) if self.many else 1
            return " ".join(number(rng, self.kind) for _ in range(count))
        numbers = [number(rng, self.kind) for _ in range(self.fields)]
        if self.missing and rng.random() < 0.3:
            numbers[rng.randrange(self.fields)] = "null" if self.json else rng.choice(["NA", "" if self.csv else "-"])
        if self.json:
            return "{" + ", ".join(f'"n{i}": {n}' for i, n in enumerate(numbers)) + (', "s": "a b"' if rng.random() < 0.5 else "") + "}"
        words = [quoted(rng, self.csv) for _ in numbers]
        return ("," if self.csv else " ").join(field for pair in zip(numbers, words) for field in pair)

    def text(self, rng, records):
        """The bytes of a file."""
        end = "\r\n" if self.crlf else "\n"
        lines = []
        if self.header:
            delimiter = "," if self.csv else " "
            last = '"w\nx"' if self.csv and self.odd_header else "w"
            lines.append(delimiter.join(f"n{i}{delimiter}{last}" for i in range(self.fields)))
        lines += [self.line(rng) for _ in range(records)]
        if self.wide and records > 2 and self.fields == 0:
            lines[rng.randrange(len(lines))] = " ".join(number(rng, self.kind) for _ in range(20000))
        if records > 2 and rng.random() < 0.2:
            spoilt = rng.randrange(1, len(lines))
            token = rng.choice(["bad", "1e400", "1x", "", "127", "nan", "0.5", "99999999999999999999"])
            at = lines[spoilt].find("," if self.csv else " ")
            lines[spoilt] = token + (lines[spoilt][at:] if at >= 0 and not self.json else "")
        text = end.join(lines) + (end if lines and rng.random() < 0.85 else "")
        mark = "\ufeff" if rng.random() < 0.05 else ""
        return (mark + text).encode()


def draw(rng, directory):
    """Options and the names of the files, which are written."""
    shape = Shape(rng)
    shape.name = rng.random() < 0.5
    names = []
    for i in range(rng.choice([1, 1, 1, 2, 3])):
        names.append(os.path.join(directory, f"in{i}"))
        with open(names[-1], "wb") as file:
            text = shape.text(rng, count_of_records(rng))
            if rng.random() < 0.2:
                text = bgzf(text, rng)
                if rng.random() < 0.3:
                    text = damaged(text, rng)
            file.write(text)
    if rng.random() < 0.03:
        names.insert(rng.randrange(len(names) + 1), os.path.join(directory, "nothing"))
    return shape.options(rng), names


def is_same(wanted, got):
    """Whether that is what is promised: where the single program goes on in f64, or cannot even do that, several ranks
    may say that decimals cannot stay exact."""
    refused = got[0] == 1 and any("several ranks" in message for message in got[1])
    return got == wanted or (wanted[0] in (0, 1) and refused)


if __name__ == "__main__":
    run_cases([(RANKS[1 + number % 3], options, *files) for number, (options, files) in enumerate(FIXED)], draw, RANKS, is_same)
