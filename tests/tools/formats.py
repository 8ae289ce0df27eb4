#!/usr/bin/python3
"""formats.py CAPTURE [OPTION]...: compares pscan, with the OPTIONs on the text in CAPTURE, with awk and Python.

awk picks the fields, and Python's integers do the arithmetic on exact decimals. OPTIONs are pscan's -f (a name too),
-d, -e, -op (sum, max, min), --comment, --missing and --invalid. Also fails if no field is a number, because then
nothing was tested. $PSCAN is the program.
"""
import argparse
import os
import re
import subprocess
import sys

DECIMAL = re.compile(rb"([+-]?)(\d+\.?\d*|\.\d+)")
NUMBER = re.compile(rb"[+-]?((\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|inf|infinity|nan)", re.IGNORECASE)
MARKS = (b"", b"-", b"NA", b"N/A", b"null")
SCALE_MAX = 18
COMBINE = {"sum": lambda a, b: a + b, "max": max, "min": min}


def parse_options(words):
    """The options that matter here."""
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("-f", default="0")
    parser.add_argument("--comment")
    parser.add_argument("-d")
    parser.add_argument("-e", action="store_true")
    parser.add_argument("-op", default="sum", choices=sorted(COMBINE))
    parser.add_argument("--missing", default="fail")
    parser.add_argument("--invalid", default="abort")
    return parser.parse_args(words)


def number_of_field(header, options):
    """-f as a number; a name is looked up in the header."""
    if options.f.isdigit():
        return int(options.f)
    names = header.split() if options.d is None else header.split(options.d.replace("\\t", "\t"))
    return names.index(options.f) + 1


def fields_of(path, header, options):
    """(line, field) as awk has them, without the blanks around a field; of blank lines none."""
    number = number_of_field(header, options)
    solid = "/[^ ]/" if options.d == "\\t" else "/[^ \\t]/"
    program = f"{solid} {{ print NR, ${number} }}" if number else "{ for (i = 1; i <= NF; i++) print NR, $i }"
    separator = [] if options.d is None else ["-F", options.d]
    output = subprocess.run(["awk", *separator, program, path], stdout=subprocess.PIPE, check=True).stdout
    pairs = (line.split(b" ", 1) for line in output.split(b"\n")[:-1])
    return [(int(line), field.strip(b" \t")) for line, field in pairs]


def decimal_text(mantissa, scale):
    """mantissa * 10^-scale with scale decimals."""
    digits = str(abs(mantissa)).rjust(scale + 1, "0")
    sign = "-" if mantissa < 0 else ""
    return sign + (f"{digits[:-scale]}.{digits[-scale:]}" if scale else digits)


class Scan:
    """Running results of exact decimals."""

    def __init__(self, options):
        self.combine = COMBINE[options.op]
        self.exclusive = options.e
        self.result = 0 if options.e else None  # an exclusive scan is tried with sum alone
        self.scale = 0
        self.lines = []

    def take(self, token):
        """One element."""
        sign, digits = DECIMAL.fullmatch(token).groups()
        whole, _, fraction = digits.partition(b".")
        if len(fraction) > SCALE_MAX:
            sys.exit(f"formats: {token!r} has too many decimals to be tried here")
        if self.exclusive:
            self.lines.append(decimal_text(self.result, self.scale))
        scale = max(self.scale, len(fraction))
        mantissa = int(sign + whole + fraction) * 10 ** (scale - len(fraction))
        before = None if self.result is None else self.result * 10 ** (scale - self.scale)
        self.result = mantissa if before is None else self.combine(before, mantissa)
        self.scale = scale
        if not self.exclusive:
            self.lines.append(decimal_text(self.result, scale))


def expect(path, options):
    """(results, lines with an invalid field)."""
    scan = Scan(options)
    invalid = []
    numbers = 0
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        texts = file.read().split("\n")
    for line, field in fields_of(path, texts[0], options):
        is_header = line == 1 and not options.f.isdigit()
        if is_header:
            scan.lines.append(f"{options.f}_{options.op}")
            continue
        if options.comment and texts[line - 1].startswith(options.comment):
            scan.lines.append(texts[line - 1])
            continue
        if field in MARKS:
            if options.missing == "keep":
                scan.lines.append(field.decode())
            if options.missing in ("keep", "skip"):
                continue
            field = b"0" if options.missing == "zero" else options.missing.encode()
        if DECIMAL.fullmatch(field):
            scan.take(field)
            numbers += 1
        elif NUMBER.fullmatch(field):
            sys.exit(f"formats: {field!r} is no exact decimal and cannot be tried here")
        else:
            invalid.append(line)
    if numbers == 0:
        sys.exit("formats: there is no number in that field")
    return scan.lines, invalid


def main():
    """0 if pscan agrees."""
    path, words = sys.argv[1], sys.argv[2:]
    options = parse_options(words)
    results, invalid = expect(path, options)
    done = subprocess.run([os.environ["PSCAN"], *words, path], capture_output=True, check=False, timeout=1200)
    assert done.stdout.decode(errors="surrogateescape").split("\n")[:-1] == results, (done.stdout[-200:], results[-5:], done.stderr[:400])
    wants_exit_1 = options.invalid == "fail" and invalid
    assert done.returncode == (1 if wants_exit_1 else 0), (done.returncode, done.stderr[:400])
    if options.invalid in ("warn", "fail"):
        warned = [int(number) for number in re.findall(rb": line (\d+)[,:]", done.stderr)]
        assert warned == invalid, (warned[:10], invalid[:10], len(warned), len(invalid))
    else:
        assert done.stderr == b"" and (options.invalid == "ignore" or not invalid), done.stderr[:400]
    print(f"{len(results)} results, {len(invalid)} invalid fields, the last result {results[-1]}")


if __name__ == "__main__":
    main()
