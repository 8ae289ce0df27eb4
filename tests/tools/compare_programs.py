#!/usr/bin/python3
"""Random commands through two builds of pscan: output, exit status and whether there are messages must be equal.

    compare_programs.py OLD NEW SEED COUNT [JOBS] [--seconds=N] [--case=N] [--no-device]

Cases are made from SEED and their number (compare_cases.py), so that each can be run again: --case=N keeps its
inputs in a directory and shows both outputs. What a later version changed on purpose is left out there or is
recognised by a rule here, which is counted. --seconds ends the run earlier. Exit status 1: something differs.
"""
import argparse
import collections
import csv
import dataclasses
import gzip
import io
import multiprocessing
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
import zlib

import compare_cases

BATCH = 50  # cases that a worker takes at once
LIMIT_S = 120  # a run that takes longer hangs
KEPT = 200  # differences that are printed


# --- Rules -----------------------------------------------------------------------------------------------------------

def without_keys(case, output):
    """What -g without whole lines gives, without the key fields that begin each line since 0.1.1."""
    if "--header=2" in case.options:
        case = dataclasses.replace(case, options=[])
        top, newline, rest = output.partition(b"\n")
        return top + newline + without_keys(case, rest)
    count = case.facts["keys"]
    form = case.facts.get("form")
    if form == "json":
        return re.sub(rb'^\{("(key|group)":"[^"]*",)+', b"{", output, flags=re.M)
    if form == "csv":
        rows = csv.reader(io.StringIO(output.decode(), newline=""))
        return "".join(",".join(row[count:] if len(row) > count else row) + "\n" for row in rows).encode()
    separator = compare_cases.SEPARATORS.get(form, " ").encode()
    return b"\n".join(line if line.startswith(b"#") or not line.strip() else separator.join(line.split(separator)[count:])
                      for line in output.split(b"\n"))


def has_keys_first(case):
    """Whether each line of the new program's results has the keys in front."""
    return "keys" in case.facts and writes_text(case) and not case.facts["total"] and not {"-a", "--replace"} & set(case.options)


def writes_text(case):
    """Whether results are lines."""
    return "--output-format=text" in case.options or case.facts["is_text"] and "--output-format=binary" not in case.options


def absent_totals(case, old, new):
    """Of several totals those that are absent are empty since 0.1.1; alone in its line one is a mark."""
    if not case.facts["total"] or old[0] != new[0]:
        return False
    return re.sub(rb"(?<![^\s,;])-(?![^\s,;])", b"", old[1]) == re.sub(rb"(?<![^\s,;])-(?![^\s,;])", b"", new[1])


def absent_total_in_binary(case, old, new):
    """A total that is absent is NaN in binary floats since 0.1.1; before, it was an error."""
    return case.facts["total"] and old[0] == 1 and new[0] == 0 and b"no elements: there is no" in old[2]


def total_of_nothing_before(case, old, new):
    """-e --total needs no identity since 0.1.1."""
    return case.facts["exclusive"] and case.facts["total"] and old[0] == 2 and new[0] != 2


def header_of_totals(case, old, new):
    """-g --total begins with a header where the input has one, since 0.1.1."""
    return "keys" in case.facts and case.facts["total"] and "header" in case.facts and old[0] == new[0] and \
        new[1].split(b"\n", 1)[-1] == old[1]


def lost_rows(case, old, new):
    """A line without a result before a segment's first number was lost under hold until 0.1.1."""
    lines, old_lines = iter([*new[1].split(b"\n")[:-1], "end"]), [*old[1].split(b"\n")[:-1], "end"]
    if "hold" not in (case.facts["missing"], case.facts["nan"]) or not {"keys", "resets"} & set(case.facts) or old[0] != new[0]:
        return False
    for wanted in old_lines:
        for line in lines:
            if line == wanted:
                break
            if line == "end" or re.sub(rb'"[^"]*":(null|"")?', b"", line).strip(b"{},;\t ") not in (b"", b"-"):
                return False
        else:
            return False
    return next(lines, None) is None


def wrote_past_the_end(case, old, _new):
    """Windows of exact decimals could write past a buffer's end until 0.1.1, and end by a signal."""
    return case.facts["type"] in ("num", "dec") and "window" in case.facts and isinstance(old[0], int) and old[0] < 0


RULES = (lost_rows, wrote_past_the_end, total_of_nothing_before, header_of_totals, absent_totals, absent_total_in_binary)


# --- Runs ------------------------------------------------------------------------------------------------------------

def arguments(case, is_new, run, to_file):
    """What a program is given in one of the runs."""
    given = [*case.options, *(case.new_options if is_new else [])]
    given += [f"--state={('old', 'new')[is_new]}.state"] if case.with_state else []
    given += ["-o", to_file] if case.to == "-o" else []
    return given + ([] if case.through_pipe else [f"in.{run}.{i}" for i in range(len(case.parts[run]))])


def unpacked(case, output):
    """The output; what -z has compressed as it was before."""
    if "-z" not in case.options:
        return output
    try:
        return gzip.decompress(output)
    except (OSError, EOFError, zlib.error):
        return output


def run_program(case, program, is_new, directory, environment):
    """Status, output and whether there are messages, of each run."""
    results = []
    for run in range(len(case.parts)):
        name = f"out.{('old', 'new')[is_new]}.{run}"
        path = os.path.join(directory, name)
        argv = [program, *arguments(case, is_new, run, name)]
        settings = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "cwd": directory, "env": environment, "timeout": LIMIT_S}
        settings |= {"input": case.parts[run][0]} if case.through_pipe else {"stdin": subprocess.DEVNULL}
        try:
            if case.to == "file":
                with open(path, "wb") as file:
                    done = subprocess.run(argv, check=False, **{**settings, "stdout": file})
            else:
                done = subprocess.run(argv, check=False, **settings)
        except subprocess.TimeoutExpired:
            return [*results, ("hangs", b"", b"")]
        output = done.stdout
        if case.to != "pipe" and os.path.exists(path):
            with open(path, "rb") as file:
                output = file.read()
            os.unlink(path)
        results.append((done.returncode, unpacked(case, output or b""), done.stderr))
    return results


def write_inputs(case, directory):
    """The inputs as files."""
    for run, files in enumerate(case.parts):
        for i, data in enumerate(files):
            with open(os.path.join(directory, f"in.{run}.{i}"), "wb") as file:
                file.write(data)


def same(old, new):
    """What is compared."""
    return old[:2] == new[:2] and (old[2] == b"") == (new[2] == b"")


def judge(case, old, new):
    """What differs, or None; and the rules that were used."""
    used = []
    for run, (a, b) in enumerate(zip(old, new)):
        if same(a, b):
            continue
        if has_keys_first(case):
            used.append("keys_first")
            b = b[0], without_keys(case, b[1]), b[2]
            if same(a, b):
                continue
        rule = next((rule for rule in RULES if rule(case, a, b)), None)
        if rule is None:
            kind = "status" if a[0] != b[0] else "output" if a[1] != b[1] else "messages"
            return f"{kind} of run {run}: {a[0]}, {len(a[1])} bytes; {b[0]}, {len(b[1])} bytes", used
        used.append(rule.__name__)
        if a[0] != b[0]:
            break  # (Later runs go on from another state.)
    return None, used


class Setting:
    """What each worker needs: the programs, the operators of the older one, an environment."""

    def __init__(self, given):
        self.programs = [os.path.abspath(given.old), os.path.abspath(given.new)]
        self.seed = given.seed
        listed = subprocess.run([self.programs[0], "--list-operators"], capture_output=True, text=True, check=True).stdout
        self.known = {line.split()[0].split(":")[0] for line in listed.splitlines() if line.strip()}
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith("PSCAN")}
        self.environment |= {"LC_ALL": "C.UTF-8"}
        tried = subprocess.run([self.programs[0], "-q", "-D", "cpu"], input=b"1\n", capture_output=True, check=False, env=self.environment)
        self.has_device = tried.returncode == 0 and not given.no_device
        self.deadline = time.time() + given.seconds if given.seconds else float("inf")
        self.place = "/dev/shm" if os.path.isdir("/dev/shm") else None

    def run(self, number, directory):
        """The case, and what both programs gave."""
        case = compare_cases.make(self.seed, number, self.known, self.has_device)
        write_inputs(case, directory)
        return case, *(run_program(case, program, is_new, directory, self.environment)
                       for is_new, program in enumerate(self.programs))

    def command(self, case):
        """The last run as a shell takes it (of the newer program)."""
        runs = []
        for run in range(len(case.parts)):
            words = shlex.join(["pscan", *arguments(case, True, run, "out")])
            runs.append(words + (f" < in.{run}.0" if case.through_pipe else ""))
        return "; ".join(runs)


def work(task):
    """Runs a batch. Returns how many cases were run, their statuses, the rules used and the differences."""
    setting, numbers = task
    statuses, rules, found = collections.Counter(), collections.Counter(), []
    with tempfile.TemporaryDirectory(dir=setting.place, prefix="compare-") as directory:
        for number in numbers:
            if time.time() > setting.deadline:
                break
            for name in os.listdir(directory):
                os.unlink(os.path.join(directory, name))
            case, old, new = setting.run(number, directory)
            statuses[f"{old[-1][0]} {new[-1][0]}"] += 1
            difference, used = judge(case, old, new)
            rules.update(set(used))
            if difference:
                said = [one[2].decode(errors="replace").strip()[:200] for one in (old[-1], new[-1])]
                found.append((number, difference, setting.command(case), said))
    return statuses, rules, found


def show(setting, number):
    """Runs one case, keeps its inputs and outputs, and says where."""
    directory = tempfile.mkdtemp(prefix=f"compare-{setting.seed}-{number}-")
    case, old, new = setting.run(number, directory)
    for run, pair in enumerate(zip(old, new)):
        for name, (status, output, said) in zip(("old", "new"), pair):
            with open(os.path.join(directory, f"{name}.{run}"), "wb") as file:
                file.write(output)
            print(f"run {run}, {name}: status {status}, {len(output)} bytes, {said.decode(errors='replace').strip()}")
    print(setting.command(case), f"\ncd {directory}\n{judge(case, old, new)}")


def main():
    """Runs all the cases."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("old", "new"):
        parser.add_argument(name)
    for name in ("seed", "count"):
        parser.add_argument(name, type=int)
    parser.add_argument("jobs", type=int, nargs="?", default=os.cpu_count())
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--case", type=int)
    parser.add_argument("--no-device", action="store_true")
    given = parser.parse_args()
    setting = Setting(given)
    if given.case is not None:
        show(setting, given.case)
        return 0
    begun = said = time.time()
    statuses, rules, different = collections.Counter(), collections.Counter(), 0
    tasks = [(setting, range(i, min(i + BATCH, given.count))) for i in range(0, given.count, BATCH)]
    with multiprocessing.Pool(given.jobs) as pool:
        for some, used, found in pool.imap_unordered(work, tasks):
            statuses.update(some)
            rules.update(used)
            for number, difference, command, messages in found:
                different += 1
                if different <= KEPT:
                    print(f"case {given.seed}/{number}: {difference}\n    {command}\n    old: {messages[0]}\n    new: {messages[1]}", flush=True)
            if time.time() - said > 10:
                said = time.time()
                print(f"{statuses.total()} cases, {different} different, {said - begun:.0f} s", flush=True)
    print("exit statuses, old and new: " + ", ".join(f"{status}: {count}" for status, count in statuses.most_common()))
    print("rules: " + (", ".join(f"{name}: {count}" for name, count in rules.most_common()) or "none used"))
    print(f"{statuses.total()} cases, {different} different")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
