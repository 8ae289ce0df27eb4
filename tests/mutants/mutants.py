"""Puts faults into the program on purpose, one by one, and checks that the test that should notice does.

The tables in this folder (*.tsv) hold one fault a line; their heads explain the columns. For each job the working tree
and its build are copied to a temporary directory. There a fault is put in, the changed files are built, and its test is
run. Every test is first run without a fault: a test that fails then proves nothing. Faults after which few objects are
compiled come first; SIGTERM or ^C ends the run with the score of those that were tried. A fault whose test took too
long is listed by itself: on a busy machine the test may just be slow (--limit).

    mutants.py [--short] [--gate] [--only PATTERN]... [--jobs N] [--limit SECONDS] [--list] [--check]
"""

import argparse
import collections
import fnmatch
import os
import pathlib
import queue
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLES = pathlib.Path(__file__).resolve().parent
BUILD = os.environ.get("BUILD", "build")
SHORT_COUNT = 12
# A test with a fault may take so many seconds and this many times what it takes without: then it hangs, which is
# noticed, too.
LIMIT_LEAST_S = 20
LIMIT_FACTOR = 5

Mutant = collections.namedtuple("Mutant", "group name file original replacement test equivalent")
Outcome = collections.namedtuple("Outcome", "mutant result seconds detail")
PASSED, HANGS, FAILED, SKIPPED = "noticed", "noticed (hangs)", "NOT NOTICED", "equivalent"


def read_tables():
    """All rows of all tables, in the order of their files."""
    mutants = []
    for path in sorted(TABLES.glob("*.tsv")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if not line.strip() or line.startswith("#"):
                continue
            fields = line.split("\t")
            if len(fields) not in (5, 6):
                sys.exit(f"{path.name}:{number}: {len(fields)} columns, not 5 or 6")
            mutants.append(Mutant(path.stem, *fields, *[""] * (6 - len(fields))))
    names = collections.Counter(m.name for m in mutants)
    twice = [name for name, count in names.items() if count > 1]
    if twice:
        sys.exit(f"more than one fault has the name {', '.join(twice)}")
    return mutants


def place(mutant, text):
    """Where the fragment is in the text, as (begin, end); None unless it is there exactly once. A space stands for any
    white space, so that a fragment may go over several lines."""
    pattern = r"\s+".join(re.escape(word) for word in mutant.original.split())
    places = [m.span() for m in re.finditer(pattern, text)]
    return places[0] if len(places) == 1 else None


def stale_rows(mutants):
    """What is wrong with rows whose fragment is not there exactly once, or whose test has another name now."""
    tests = {path.name: re.findall(r'^@test "(.*)" \{', path.read_text(), re.MULTILINE)
             for path in (ROOT / "tests" / "cli").glob("*.bats")}
    for mutant in mutants:
        path = ROOT / mutant.file
        if not path.is_file() or place(mutant, path.read_text()) is None:
            yield f"{mutant.name}: {mutant.file} does not hold the fragment exactly once: {mutant.original}"
        kind, _, name = mutant.test.partition(":")
        if mutant.equivalent:
            continue
        if kind == "unit" and not (ROOT / "tests" / "unit" / f"{name}.c").is_file() or \
                kind.endswith(".bats") and not any(re.search(name, test) for test in tests.get(kind, ())):
            yield f"{mutant.name}: there is no test {mutant.test}"


def is_quick(mutant):
    """Whether a fault is tried soon: not where the grid's text or all objects are compiled anew, nor of programs of
    users, for which kernels are, nor by dozens of random scans of MPI's ranks."""
    return not mutant.equivalent and mutant.group != "programs" and not re.match("mpi:[a-z]+ ", mutant.test) and \
        not any(part in mutant.file for part in (".h", "kernels/", "program", "rows/", ".inc"))


def dependents(mutants):
    """How many objects of the build depend on each file that the faults are in."""
    files = {m.file for m in mutants}
    counts = collections.Counter()
    for path in (ROOT / BUILD).rglob("*.d"):
        counts.update(files & set(path.read_text().replace(":", " ").split()))
    return counts


def choose(mutants, arguments):
    """The rows that are to be run, the quick ones first. A short run takes the middle one of each of SHORT_COUNT equal
    parts of those that are quick, the gate the middle one of each table."""
    if arguments.only:
        mutants = [m for m in mutants if any(fnmatch.fnmatch(part, pattern) for pattern in arguments.only
                                             for part in (m.name, m.group, m.file))]
    able = [m for m in mutants if is_quick(m)]
    if arguments.gate:
        groups = collections.defaultdict(list)
        for mutant in able:
            groups[mutant.group].append(mutant)
        mutants = [group[len(group) // 2] for group in groups.values()]
    elif arguments.short:
        step = len(able) / SHORT_COUNT
        mutants = [able[int((i + 0.5) * step)] for i in range(SHORT_COUNT)] if step >= 1 else able
    counts = dependents(mutants)
    return sorted(mutants, key=lambda m: (not is_quick(m), counts[m.file]))


def kill_session(leader):
    """Ends all processes of a session: those that a test left behind, too."""
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            if int(fields[3]) == leader:
                os.kill(int(entry.name), signal.SIGKILL)
        except (OSError, IndexError):
            continue


def tree_files():
    """The names of the tree's files; without git all that are not below the build directory."""
    try:
        files = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                               check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        return list(filter(None, files.decode().split("\0")))
    except (OSError, subprocess.CalledProcessError):
        names = (path.relative_to(ROOT) for path in ROOT.rglob("*") if path.is_file())
        return [str(name) for name in names if name.parts[0] not in (BUILD, ".git")]


class Copy:
    """A copy of the tree that faults are put into. Used by one thread at a time."""

    def __init__(self, directory):
        self.directory = directory
        self.environment = dict(os.environ, BUILD=str(directory / BUILD), PSCAN=str(directory / BUILD / "pscan"),
                                PSCAN_MPI=str(directory / BUILD / "pscan-mpi"),
                                PSCAN_DEVICE="cpu", XDG_CACHE_HOME=str(directory.parent / "cache"),
                                TMPDIR=str(directory / "tmp"))
        for name in "MAKEFLAGS", "EXTRA_CFLAGS":  # a fault may well be warned of
            self.environment.pop(name, None)
        for name in tree_files():
            source = ROOT / name
            if source.is_file():
                (directory / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, directory / name, follow_symlinks=False)
        (directory / "tmp").mkdir()
        self.session = None
        self.copy_build()

    def copy_build(self):
        """Objects and programs that are there already; whatever is missing or old is made."""
        for name in self.build_directories():
            source = ROOT / BUILD / name
            (self.directory / BUILD / name).mkdir(parents=True, exist_ok=True)
            for file in source.iterdir() if source.is_dir() else ():
                if file.is_file():
                    shutil.copy2(file, self.directory / BUILD / name / file.name)
        # The flags differ, but the objects can be used.
        self.make(f"{BUILD}/flags")
        os.utime(self.directory / BUILD / "flags", (0, 0))

    @staticmethod
    def build_directories():
        """Those of the build that a fault or its test can change, below the build directory."""
        return ["", "operators", "unit", "fault", *(entry.name for entry in (ROOT / "src").iterdir() if entry.is_dir())]

    def restore(self, name):
        """Takes the fault out of a file. What was built with it is as in the tree again, so that it need not be
        compiled anew."""
        shutil.copy2(ROOT / name, self.directory / name)
        for directory in self.build_directories():
            for file in (self.directory / BUILD / directory).iterdir():
                source = ROOT / BUILD / directory / file.name
                if not file.is_file() or file == self.directory / BUILD / "flags":
                    continue
                if not source.is_file():
                    file.unlink()
                elif source.stat().st_mtime_ns != file.stat().st_mtime_ns:
                    file.unlink()  # a program that still runs cannot be written to
                    shutil.copy2(source, file)

    def run(self, command, limit=None):
        """Runs a command in a session of its own: (code, output); code None if it took longer than limit seconds."""
        with tempfile.TemporaryFile() as output:
            process = subprocess.Popen(command, cwd=self.directory, env=self.environment, stdin=subprocess.DEVNULL,
                                       stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
            self.session = process.pid
            try:
                code = process.wait(limit)
            except subprocess.TimeoutExpired:
                code = None
            kill_session(process.pid)
            process.wait()
            output.seek(0)
            return code, output.read().decode(errors="replace")

    def make(self, *targets):
        """Builds; (code, output). With the original's directory in the flags, so that its objects are as good; the
        loops of what is built anew need not be fast."""
        return self.run(["make", "-s", f"CURDIR={ROOT}", f"BUILD={BUILD}", "SCAN_CFLAGS=-O1", *targets])

    def write(self, name, text):
        """Changes a file, also for make."""
        path = self.directory / name
        path.write_text(text)
        os.utime(path)

    def targets(self, test):
        """What make must build for a test."""
        kind, _, name = test.partition(":")
        if kind == "mpi":
            return ["all", "mpi", f"{BUILD}/fault/mpi_kill.so"]
        return [f"{BUILD}/unit/{name}"] if kind == "unit" else ["all", "fault-layer", f"{BUILD}/fault/libc_faults.so"]

    def test(self, test, limit):
        """Runs a test: (is_green, why), why in a few words."""
        kind, _, name = test.partition(":")
        if kind == "unit":
            code, output = self.run([f"{BUILD}/unit/{name}"], limit)
            ran = 1
        elif kind.endswith(".bats"):
            code, output = self.run(["bats", "--tap", "-f", f"({name})", f"tests/cli/{kind}"], limit)
            ran = len(re.findall(r"^(?:not )?ok (?!.*# skip)", output, re.MULTILINE))
        elif kind == "faults":
            mode, _, scenario = name.partition(":")
            code, output = self.run([sys.executable, "tests/fault/loops.py", "--mode", mode, scenario], limit)
            ran = 1
        elif kind == "mpi":
            script, *rest = name.split()
            code, output = self.run([sys.executable, f"tests/tools/mpi_{script}.py", *rest], limit)
            ran = 1
        elif kind == "sh":
            code, output = self.run(["sh", "-c", name], limit)
            ran = 1
        else:
            return True, f"no such kind of test: {test}"
        if code is None:
            return False, f"hangs: more than {limit:.0f} s"
        if code == 0 and ran == 0:
            return True, "no test was run"
        red = re.search(r"^not ok.*|.*(?:FAIL|Assertion|runtime error).*", output, re.MULTILINE)
        return code == 0, red.group(0).strip() if red else f"exit {code}"


class Baseline:
    """How long each test takes without a fault, and whether it is green then. Any thread."""

    def __init__(self, least):
        self.least = least
        self.lock = threading.Lock()
        self.known = {}

    def limit(self, copy, test):
        """(seconds that the test may take, None), or (None, what is wrong with it). The copy has no fault."""
        with self.lock:
            known = self.known.setdefault(test, {"lock": threading.Lock()})
        with known["lock"]:
            if "answer" not in known:
                known["answer"] = self.measure(copy, test)
            return known["answer"]

    def measure(self, copy, test):
        """The answer of limit."""
        code, output = copy.make(*copy.targets(test))
        if code != 0:
            return None, "the tree does not build: " + last_line(output)
        begin = time.monotonic()
        green, why = copy.test(test, None)
        if not green or why == "no test was run" or why.startswith("no such"):
            return None, f"no good without a fault: {test}: {why}"
        return self.least + LIMIT_FACTOR * (time.monotonic() - begin), None


def last_line(text):
    """The last error of a compiler, or the last line."""
    errors = [line for line in text.splitlines() if "error" in line]
    return (errors or text.splitlines() or [""])[-1].strip()


def try_mutant(mutant, copy, baseline):
    """Puts one fault in, and takes it out again: (result, detail)."""
    path = copy.directory / mutant.file
    text = path.read_text() if path.is_file() else ""
    where = place(mutant, text)
    if where is None:
        return "STALE", f"{mutant.file} does not hold the fragment exactly once: {mutant.original}"
    if mutant.equivalent:
        return SKIPPED, mutant.equivalent
    limit, wrong = baseline.limit(copy, mutant.test)
    if wrong:
        return "NO TEST", wrong
    try:
        copy.write(mutant.file, text[:where[0]] + mutant.replacement + text[where[1]:])
        code, output = copy.make(*copy.targets(mutant.test))
        if code != 0:
            return "DOES NOT COMPILE", last_line(output)
        green, why = copy.test(mutant.test, limit)
    finally:
        copy.restore(mutant.file)
    result = FAILED if green else HANGS if why.startswith("hangs: ") else PASSED
    return result, mutant.test if green else f"{mutant.test}: {why}"


def work(waiting, copy, baseline, outcomes, stopped):
    """A job: takes faults until there are no more, or it is stopped, with its test."""
    while True:
        try:
            mutant = waiting.get_nowait()
        except queue.Empty:
            return
        begin = time.monotonic()
        try:
            result, detail = try_mutant(mutant, copy, baseline)
        except Exception as error:  # pylint: disable=broad-except
            result, detail = "ERROR", repr(error)
        if stopped.is_set():
            return
        outcome = Outcome(mutant, result, time.monotonic() - begin, detail)
        print(f"{result:16} {mutant.name:34} {mutant.file:28} {outcome.seconds:5.1f} s  {detail[:160]}", flush=True)
        outcomes.append(outcome)


def stop(waiting, copies, threads, stopped):
    """Ends what still runs, if this program was interrupted."""
    stopped.set()
    while not waiting.empty():
        waiting.get()
    while any(thread.is_alive() for thread in threads):
        for copy in copies:
            if copy.session is not None:
                kill_session(copy.session)
        time.sleep(0.1)


def print_score(outcomes):
    """Noticed faults of those that can be, by table and file."""
    scores = collections.defaultdict(lambda: collections.defaultdict(lambda: [0, 0]))
    for outcome in outcomes:
        if outcome.result != SKIPPED:
            score = scores[outcome.mutant.group][pathlib.Path(outcome.mutant.file).name]
            score[0] += outcome.result in (PASSED, HANGS)
            score[1] += 1
    for group, files in sorted(scores.items()):
        passed = sum(score[0] for score in files.values())
        count = sum(score[1] for score in files.values())
        print(f"{group:8} {passed:3} of {count:3}   " +
              ", ".join(f"{file} {score[0]}/{score[1]}" for file, score in sorted(files.items())))
    hangs = [outcome.mutant.name for outcome in outcomes if outcome.result == HANGS]
    if hangs:
        print(f"noticed by a hang alone: {' '.join(sorted(hangs))}")
    passed = sum(o.result in (PASSED, HANGS) for o in outcomes)
    skipped = sum(o.result == SKIPPED for o in outcomes)
    print(f"{passed} passed, {len(outcomes) - passed - skipped} failed, {skipped} skipped", flush=True)


def main():
    parser = argparse.ArgumentParser(description="Puts faults into the program, and sees whether its tests notice.")
    parser.add_argument("--short", action="store_true", help=f"about {SHORT_COUNT} of them")
    parser.add_argument("--gate", action="store_true", help="one of each table")
    parser.add_argument("--only", metavar="PATTERN", action="append", help="those with this name, table or file")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="so many at a time")
    parser.add_argument("--limit", metavar="SECONDS", type=int, default=LIMIT_LEAST_S,
                        help=f"a test hangs after {LIMIT_FACTOR} times its usual time and so many seconds (default: {LIMIT_LEAST_S})")
    parser.add_argument("--list", action="store_true", help="name them and do nothing")
    parser.add_argument("--check", action="store_true", help="only see whether all fragments and tests are there")
    arguments = parser.parse_args()
    if arguments.check:
        wrong = list(stale_rows(read_tables()))
        print("\n".join(wrong), end="\n" if wrong else "")
        return 1 if wrong else 0
    mutants = choose(read_tables(), arguments)
    if not mutants:
        sys.exit("no such fault")
    if arguments.list:
        print("\n".join(f"{m.name:34} {m.file:28} {m.test}" for m in mutants))
        return 0
    waiting = queue.SimpleQueue()
    for mutant in mutants:
        waiting.put(mutant)
    outcomes = []
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with tempfile.TemporaryDirectory(prefix="pscan-mutants-") as scratch:
        if (ROOT / BUILD / "cache").is_dir():
            shutil.copytree(ROOT / BUILD / "cache", pathlib.Path(scratch, "cache"),
                            ignore=shutil.ignore_patterns("damaged", "tempfile_*"))
        baseline = Baseline(arguments.limit)
        jobs = min(arguments.jobs, len(mutants))
        copies = [Copy(pathlib.Path(scratch, f"job{i}")) for i in range(jobs)]
        stopped = threading.Event()
        threads = [threading.Thread(target=work, args=(waiting, copy, baseline, outcomes, stopped)) for copy in copies]
        for thread in threads:
            thread.start()
        try:
            for thread in threads:
                thread.join()
        finally:
            stop(waiting, copies, threads, stopped)
            print_score(outcomes)
    return 0 if outcomes and all(o.result in (PASSED, HANGS, SKIPPED) for o in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
