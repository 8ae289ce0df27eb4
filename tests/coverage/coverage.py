"""Branch coverage of the program's own code, from the counters of a build with gcc --coverage.

usage: coverage.py BUILD [--minimum=PERCENT] [--all]

Every branch of src/ and kernels/ that gcov knows is counted (the host compiles the kernels' text too), without
optimisation, so that each operand of && and || is a branch of its own. Code that is compiled several times, such as the
rows for each type and operator or the functions of a header, counts once for each line: a branch is taken if one of the
copies took it. A branch that is left out must match a line of exclusions.txt, which gives the reason; a line there that
matches nothing is an error. Untested branches that look like the answer to a failing call (FAULT) are listed
separately: fault runs take those.
"""
import argparse
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
OWN = ("src/", "kernels/")
WORST = 12

# The copies of a row's function are named for the operator and the types.
COPY = re.compile(r"(_(sum|prod|max|min|and|or|xor|i8|u8|i16|u16|i32|u32|i64|u64|i128|f32|f64|recent|interval"
                  r"|4|8|1|2|16))+$")

# A line that asks whether something failed.
FAULT = re.compile(r"[!=]= STATUS_OK|[!=]= NULL\b(?! &&)|CL_SUCCESS|\bfailed\b|errno|< 0\b|pthread_|!= 0\)|[!=]= Z_OK"
                   r"|Z_STREAM_END|COMP_OK|out of memory|!(add_edit|add_mark|mark_line|pass_line|edit_line|replace_field"
                   r"|keep_log|inflater_fall_back)\(")


def counters(build):
    """gcov's records of all objects below build: dictionaries of a source file with its functions and lines each."""
    objects = sorted(os.path.join(folder, name) for folder, _, names in os.walk(os.path.abspath(build))
                     for name in names if name.endswith(".gcno"))
    if not objects:
        sys.exit(f"{build}: no .gcno: not a build with --coverage")
    # Which object a file of gcov's is about is in the file, so each object has a folder of its own.
    for path in objects:
        with tempfile.TemporaryDirectory() as work:
            done = subprocess.run(["gcov", "--json-format", "--branch-probabilities", path], cwd=work, check=False,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            made = [os.path.join(work, name) for name in os.listdir(work)]
            if done.returncode != 0 or not made:
                sys.exit(f"gcov {path}: {done.stderr}")
            for name in made:
                with gzip.open(name, "rt") as file:
                    record = json.load(file)
                for source in record["files"]:
                    full = os.path.join(record["current_working_directory"], source["file"])
                    source["file"] = os.path.relpath(os.path.realpath(full), ROOT)
                    yield source


def merged(build):
    """{(file, line): {(function, copy's number of branches): [count, ...]}} of the own code."""
    lines = defaultdict(dict)
    for source in counters(build):
        if not source["file"].startswith(OWN):
            continue
        reach = {f["name"]: (f["start_line"], f["end_line"]) for f in source["functions"]}
        for line in source["lines"]:
            if not line["branches"]:
                continue
            first, last = reach.get(line.get("function_name"), (0, -1))
            # What is inlined by force goes by the function it is in: it belongs to none.
            inside = first <= line["line_number"] <= last
            function = COPY.sub("", line["function_name"]) if inside else ""
            copies = lines[source["file"], line["line_number"]]
            key = function, len(line["branches"])
            counts = copies.setdefault(key, [0] * len(line["branches"]))
            for i, branch in enumerate(line["branches"]):
                counts[i] += branch["count"]
    return lines


class Exclusion:
    """One line of exclusions.txt: file, function, pattern of the line's text, reason, between tabs."""

    def __init__(self, text, place):
        parts = re.split(r"\t+", text)
        if len(parts) != 4:
            sys.exit(f"{place}: wants file, function, pattern and reason")
        self.file, self.function, pattern, self.reason = parts
        self.pattern = re.compile(pattern)
        self.place = place
        self.matches = 0
        self.branches = 0

    def covers(self, file, function, text):
        """Whether a branch of this line is left out."""
        return self.file == file and self.function in ("*", function) and self.pattern.search(text) is not None


def read_exclusions(path):
    """The exclusions that the file holds."""
    with open(path, encoding="utf-8") as file:
        return [Exclusion(line.rstrip("\n"), f"{os.path.relpath(path, ROOT)}:{number}")
                for number, line in enumerate(file, 1) if line.strip() and not line.startswith("#")]


def function_names(text):
    """The function that each line of a source text is in, found by its head at the left margin."""
    names = []
    name = ""
    for line in text:
        head = re.match(r"[a-z].*?\b(?:(?:ROW|GRID)\()?(?!__attribute__|PRINTF_LIKE)(\b\w+)\)?\(", line)
        if head and not line.rstrip().endswith(";") and "=" not in line.split("(")[0]:
            name = head.group(1)
        names.append(name)
        if line.startswith("}"):
            name = ""
    return names


class Report:
    """Sums over the merged lines."""

    def __init__(self, lines, exclusions):
        self.files = defaultdict(lambda: [0, 0, 0])  # branches, taken, left out
        self.missing = []  # file, line, text, missing, branches, fault
        for (file, number), copies in sorted(lines.items()):
            with open(os.path.join(ROOT, file), encoding="utf-8") as source:
                text = source.read().split("\n")
            function = function_names(text)[number - 1]
            line = text[number - 1].strip()
            branches = sum(len(counts) for counts in copies.values())
            taken = sum(1 for counts in copies.values() for count in counts if count > 0)
            matching = [e for e in exclusions if e.covers(file, function, line)]
            for exclusion in matching:
                exclusion.matches += 1
                exclusion.branches += branches - taken
            left_out = branches - taken if matching else 0
            sums = self.files[file]
            for i, amount in enumerate((branches, taken, left_out)):
                sums[i] += amount
            if taken + left_out < branches:
                fault = FAULT.search(line) is not None
                self.missing.append((file, number, function, line, branches - taken, branches, fault))
        self.branches, self.taken, self.left_out = (sum(s[i] for s in self.files.values()) for i in range(3))
        self.faults = sum(m[4] for m in self.missing if m[6])

    def percent(self):
        """Of the branches that are not left out."""
        return 100 * self.taken / (self.branches - self.left_out)

    def print_files(self):
        """A line for each of the worst files."""
        print(f"{'file':<28} {'branches':>8} {'taken':>6} {'left out':>8} {'%':>6}  missing")
        worst = sorted(self.files.items(), key=lambda item: item[1][1] + item[1][2] - item[1][0])
        for file, (branches, taken, left_out) in worst:
            missing = branches - left_out - taken
            if missing > 0:
                share = 100 * taken / (branches - left_out)
                print(f"{file:<28} {branches:>8} {taken:>6} {left_out:>8} {share:>6.1f}  {missing}")

    def print_missing(self, everything):
        """The branches that no test took; those that look like answers to failing calls only if everything is wanted.
        """
        for file, number, function, line, missing, branches, fault in self.missing:
            if everything or not fault:
                print(f"{'fault ' if fault else ''}{file}:{number} {function}: {missing} of {branches}: {line}")


def main():
    """Prints the report; ends with 1 below the minimum or with exclusions that match nothing."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("build")
    parser.add_argument("--minimum", type=float, default=95)
    parser.add_argument("--all", action="store_true", help="also the branches that fault runs take")
    options = parser.parse_args()
    exclusions = read_exclusions(os.path.join(HERE, "exclusions.txt"))
    report = Report(merged(options.build), exclusions)
    report.print_missing(options.all)
    report.print_files()
    stale = [e for e in exclusions if e.matches == 0]
    for exclusion in exclusions:
        if exclusion.matches == 0:
            print(f"{exclusion.place}: matches no branch: {exclusion.pattern.pattern}")
        elif exclusion.branches == 0:
            print(f"{exclusion.place}: not needed this time: {exclusion.pattern.pattern}")
    whole = report.branches - report.left_out
    print(f"branches: {report.taken} of {whole} taken, {report.left_out} more left out by exclusions.txt; "
          f"{report.faults} of the {whole - report.taken} others answer failing calls")
    print(f"branch coverage: {report.percent():.2f} %, at least {options.minimum:g} % wanted; "
          f"{100 * report.taken / report.branches:.2f} % with nothing left out, "
          f"{100 * (report.taken + report.faults) / whole:.2f} % were every failing call provoked")
    return 1 if stale or report.percent() < options.minimum else 0


if __name__ == "__main__":
    sys.exit(main())
