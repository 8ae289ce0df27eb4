#!/usr/bin/python3
"""Makes every call that can fail do so, one by one, in every scenario (tests/fault/scenarios.py).

    BUILD=build loops.py [--short] [--gate] [--host] [--jobs N] [--mode MODE] [NAME...]

A test is a scenario in a mode. In a mode each call is made to fail at each of its occurrences; each of these is a fault
point. The layers' logs must prove that the call failed. NAME chooses the scenarios with that text in their names. With
--short calls fail at some of their occurrences only, such that over all scenarios each call fails at its first, middle
and last one. --gate takes one of GATE_STRIDE scenarios. PSCAN names another build of the program, but not one with
AddressSanitizer, whose run-time library must be loaded first. The preloaded library counts blocks and descriptors
itself.
"""
import argparse
import errno
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, Optional

from attempt import DEVICE, SYSTEM, Bench, Wrong, check, need
from program_scenarios import program_scenarios
from scenarios import all_scenarios

# How calls of the C library fail; those in LASTING also from then on.
ERRNOS = {
    "malloc": ["ENOMEM"], "calloc": ["ENOMEM"], "realloc": ["ENOMEM"], "aligned_alloc": ["ENOMEM"], "strdup": ["ENOMEM"],
    "realpath": ["ENOMEM"], "library_malloc": ["ENOMEM"],
    "read": ["EIO", "EAGAIN"], "pread": ["EIO"], "write": ["ENOSPC", "EIO", "EAGAIN"], "pwrite": ["ENOSPC"],
    "write_stderr": ["ENOSPC"], "poll": ["ENOMEM"], "lseek": ["EINVAL"], "ftruncate": ["EIO"], "fsync": ["EIO"],
    "flock": ["ENOLCK"],
    "open": ["EMFILE", "EACCES"], "openat": ["EMFILE"], "fopen": ["EMFILE"], "fdopen": ["ENOMEM"], "opendir": ["EMFILE"], "fdopendir": ["ENOMEM"],
    "mkstemp": ["EACCES", "ENOSPC"], "pipe": ["EMFILE"], "fcntl": ["EINVAL"], "close": ["EIO"], "fclose": ["ENOSPC"],
    "dup": ["EMFILE"], "dup2": ["EMFILE"], "mmap": ["ENOMEM"], "fstat": ["EIO"], "stat": ["EIO"], "lstat": ["EIO"],
    "access": ["EACCES"], "faccessat": ["EACCES"], "readlink": ["EIO"], "rename": ["EIO"], "mkdir": ["ENOSPC"],
    "mkdtemp": ["EACCES"], "fchmod": ["EPERM"], "fchown": ["EPERM"], "setenv": ["ENOMEM"], "sched_getaffinity": ["EINVAL"],
    "getrandom": ["ENOSYS"],
    "pthread_create": ["EAGAIN"], "fork": ["EAGAIN"], "socketpair": ["EMFILE"], "syscall": ["EPERM"], "prctl": ["EINVAL"],
}
# Functions of the C library that cannot fail, whose failure says nothing, or that fail with one of those above.
HARMLESS = """exit assert_fail clock_gettime closedir dladdr errno_location ferror fgets fprintf fputs fputc free fscanf fwrite getc getenv
    geteuid getuid getegid getgid getopt_long getauxval getpagesize isatty libc_start_main memchr memcmp memcpy memmove mempcpy
    memrchr memset munmap madvise mprotect nanosleep pthread_cond_broadcast pthread_cond_destroy pthread_cond_init
    pthread_cond_signal pthread_cond_timedwait pthread_cond_clockwait pthread_condattr_init pthread_condattr_setclock
    pthread_condattr_destroy pthread_cond_wait pthread_join pthread_detach pthread_mutex_destroy pthread_mutex_init
    pthread_mutex_lock pthread_mutex_unlock pthread_once pthread_self pthread_sigmask raise readdir sched_cpucount sched_yield
    secure_getenv sigaction sigemptyset sigfillset sigaddset signal sysv_signal snprintf stack_chk_fail stpcpy strcasecmp strcasestr
    strchr strcmp strcpy strcspn strerror strerror_r strlen strncmp strncpy strndup strnlen strpbrk strrchr strspn strstr strtod strtof
    strtok_r strtol strtold strtoul strtoull sysconf umask unlink unlinkat vsnprintf cxa_finalize gmon_start memcpy_chk
    ctype_b_loc strncasecmp cxa_atexit fstatat libc_current_sigrtmax pause rmdir sigismember statvfs time getpid alarm
    getpgrp ioctl register_atfork tcgetpgrp
    cxa_at_quick_exit kill waitpid send fmax fmin floor ceil frexp sqrt trunc shutdown getppid setrlimit fread dlopen dlerror dirfd qsort
    strptime timegm
    atan2 atan2f cos cosf exp expf fma fmaf hypot hypotf ldexp log log10 log10f log2 log2f logf pow powf round sin sinf tan
    tanf""".split()
TRIES = 3
# Memory that is shared is the host's own: a bit of it that flips cannot be told from the input.
COPYING = {"PSCAN_MEMORY": "copy"}
HANDED_OVER = 4  # a device that had chunks ran more kernels than this
GATE_STRIDE = 4
SHORT_LASTING = 4  # scenarios a call fails for good in, with --short
PLACES = 3
# Without their cache kernels are compiled anew, for seconds.
COLD = {"access", "lstat", "mkdir", "mkdtemp", "setenv"}


class Mode(NamedTuple):
    """How calls fail. layer: OpenCL's or the C library's. lasting: from then on too."""

    name: str
    layer: str
    lasting: bool
    suffix: str = ""


MODES = (
    Mode("OpenCL once", "opencl", False, ":-5:once"),
    Mode("OpenCL from then on", "opencl", True, ":-5:sticky"),
    Mode("device lost", "opencl", True, ":-36:lost"),
    Mode("OpenCL hangs", "hang", True),
    Mode("a bit is flipped", "flip", False),
    Mode("C library once", "libc", False, ""),
    Mode("C library from then on", "libc", True, ":sticky"),
    Mode("interrupted", "eintr", False),
    Mode("short transfers", "short", False),
)


class Point(NamedTuple):
    """One fault: the N-th call of a name."""

    name: str
    number: int
    error: Optional[str] = None


def places_of(count):
    """The first, the middle and the last of so many."""
    return (1, (count + 1) // 2, count)


class Plan:
    """A scenario, its fault-free run and what is to fail in it."""

    def __init__(self, bench, scenario):
        self.scenario = scenario
        self.base = bench.attempt(scenario, {})
        self.calls = {}
        for _, name, _ in self.base.device.of("call"):
            self.calls[name] = self.calls.get(name, 0) + 1
        self.downloads = 0
        # (What only a device can do --verify has nothing to compare with, and refuses it.)
        if scenario.device != "none" and not scenario.program:
            calls = bench.attempt(scenario, COPYING).device.of("call")
            self.downloads = sum(name in ("clEnqueueReadBuffer", "clEnqueueMapBuffer") for _, name, _ in calls)
        check(scenario, self.base, self.base, ())
        need(len(self.base.messages) == scenario.code, f"messages: {self.base.messages}")
        need(scenario.feed != "parts" or self.calls.get("clEnqueueNDRangeKernel", 0) > HANDED_OVER, "the device had no chunk")
        need(scenario.device == "none" or scenario.name == "input of one chunk" or self.base.device.loaded, "no layer")

    def names(self, mode):
        """How often which call is there to fail."""
        if mode.layer in ("opencl", "hang"):
            return dict(sorted(self.calls.items()))
        if mode.layer == "libc":
            return dict(sorted(self.base.libc.counts.items()))
        if mode.layer == "flip":
            return {"download": self.downloads} if self.downloads else {}
        if mode.layer == "short":
            return {"short": 1}
        transfers = sum(self.base.libc.counts.get(name, 0) for name in ("read", "pread", "write", "pwrite", "poll"))
        return {"every": min(3, (transfers - 1) // 2)}  # of so many at least one is interrupted

    def points(self, mode, chosen):
        """All fault points of a mode, or those at the chosen numbers."""
        found = []
        for name, count in self.names(mode).items():
            errors = [None]
            if mode.layer == "libc":
                errors = ERRNOS[name]
            if mode.lasting:
                errors = errors[:1]
            numbers = range(1, count + 1) if chosen is None else chosen.get(name, ())
            if mode.layer == "hang" and chosen is None:
                numbers = sorted(set(places_of(count)))  # a second each
            found += [Point(name, n, e) for n in numbers for e in errors]
        return found


def settings(mode, point):
    """The environment that makes a point fail."""
    if mode.layer == "opencl":
        return {"FAULT_FAIL": f"{point.name}:{point.number}{mode.suffix}"}
    if mode.layer == "hang":
        return {"FAULT_HANG": f"{point.name}:{point.number}", "PSCAN_DEVICE_TIMEOUT": "1"}
    if mode.layer == "flip":
        return {"FAULT_FLIP": str(point.number), **COPYING}
    if mode.layer == "libc":
        return {"FAULT_LIBC_FAIL": f"{point.name}:{point.number}:{getattr(errno, point.error)}{mode.suffix}"}
    # An odd number: of reads behind polls each can succeed.
    return {"FAULT_LIBC_EINTR": str(2 * point.number + 1)} if mode.layer == "eintr" else {"FAULT_LIBC_SHORT": "1"}


def was_reached(mode, run):
    """Whether the layers prove that the call failed."""
    if mode.layer in ("opencl", "hang", "flip"):
        return any(run.device.of(word) for word in ("failed", "hung", "flipped"))
    if mode.layer == "eintr":  # every so many transfers, of which a run may have fewer
        return run.libc.changed > 0
    return bool(run.libc.failed) if mode.layer == "libc" else True


def reasons_of(mode, point):
    """What a message must say, one of these. A file that could be read but cannot be opened is out of the sandbox."""
    if mode.layer != "libc" or point.error is None:
        return None
    if point.error == "ENOMEM":
        return ("memory",)
    return (os.strerror(getattr(errno, point.error)), *(("--no-sandbox",) if point.error == "EACCES" else ()))


def judge(plan, mode, point, run):
    """Raises Wrong if the run is not what it must be."""
    scenario = plan.scenario
    named = scenario.device == "named"
    silent = point.name == "write_stderr"
    if mode.layer in ("eintr", "short"):
        check(scenario, run, plan.base, ())
        need(run.libc.changed > 0, "nothing was changed")
        need(run.messages == plan.base.messages, "messages")
    elif mode.layer == "libc":
        check(scenario, run, plan.base, (SYSTEM, DEVICE) if named else (SYSTEM,), silent, reasons_of(mode, point))
    elif mode.layer in ("hang", "flip"):
        judge_mistrust(plan, mode, run, named)
    else:
        check(scenario, run, plan.base, (DEVICE,) if named else ())


def judge_mistrust(plan, mode, run, named):
    """A device that hangs or gives wrong results is found out."""
    scenario = plan.scenario
    check(scenario, run, plan.base, (DEVICE,) if named else (), must_end=mode.layer != "hang")
    told = " ".join(run.messages)
    if mode.layer == "hang" and (run.code == DEVICE or run.messages):
        need("no progress" in told, "the message does not say that there was no progress")
    if mode.layer == "flip" and (run.code == DEVICE or run.messages):
        need("--verify" in told or "does not exist" in told, "the message does not name --verify")


# --- The loops -------------------------------------------------------------------------------------------------------

class Loops:
    """Runs all tests and counts."""

    def __init__(self, bench, jobs):
        self.bench = bench
        self.pool = ThreadPoolExecutor(jobs)
        self.passed, self.failed, self.skipped = 0, 0, 0
        self.points, self.missed = 0, 0
        self.noticed = set()  # scenarios and modes in which the program said something

    def try_point(self, plan, mode, point):
        """Makes the call fail. Returns None, what was wrong, or "missed": another thread's luck let it not be made."""
        scenario = plan.scenario
        if mode.layer == "flip":
            scenario = scenario._replace(options=(*scenario.options, "--verify"))
        run = None
        try:
            for _ in range(TRIES):
                run = self.bench.attempt(scenario, settings(mode, point))
                if run.code is None or was_reached(mode, run):
                    judge(plan, mode, point, run)
                    if run.messages != plan.base.messages:
                        self.noticed.add((scenario.name, mode.name))
                    return None
                # A busy machine may be too slow for the watch over its device.
                slow = mode.layer == "hang" and "no progress" in " ".join(run.messages)
                check(scenario, run, plan.base, (DEVICE,) if slow else (), must_end=not slow)
            return "missed"
        except Wrong as wrong:
            return f"{point}: {wrong}\n  exit {run.code}, {run.messages}\n  {run.command}"

    def try_points(self, plan, mode, points):
        """The same for several calls."""
        return list(self.pool.map(lambda point: self.try_point(plan, mode, point), points))

    def test(self, plan, mode, chosen):
        """One scenario in one mode."""
        points = plan.points(mode, chosen)
        if not points:
            return
        begin = time.monotonic()
        answers = self.try_points(plan, mode, points)
        if answers.count("missed") == len(points):  # a sample of the last occurrences only, which come and go
            points = [point._replace(number=1) for point in points]
            answers = self.try_points(plan, mode, points)
        missed = answers.count("missed")
        wrong = [answer for answer in answers if answer not in (None, "missed")]
        # Where threads race, the last occurrences of a call come and go; a stream that changes engines even more.
        if missed > (len(points) // 4 + 2 if plan.scenario.device != "auto" else len(points) * 3 // 4 + 2):
            wrong.append(f"{missed} calls never were made to fail")
        elif missed == len(points) and (chosen is None or missed > 1):  # (One that only a busy machine's run had, when it was sampled.)
            wrong.append("no call was made to fail")
        if mode.layer == "flip" and (plan.scenario.name, mode.name) not in self.noticed:
            wrong.append("no flipped bit was noticed")
        self.points += len(points) - missed
        self.missed += missed
        self.passed += not wrong
        self.failed += bool(wrong)
        print(f"{'not ok' if wrong else 'ok'} - {plan.scenario.name}, {mode.name}: {len(points) - missed} fault points"
              f"{f', {missed} not reached' if missed else ''}, {time.monotonic() - begin:.1f} s", flush=True)
        for text in wrong[:20]:
            print(f"# {text}", flush=True)
        if len(wrong) > 20:
            print(f"# and {len(wrong) - 20} more", flush=True)

    def skip(self, plan, mode, why):
        """A test that cannot be made."""
        self.skipped += 1
        print(f"ok - {plan.scenario.name}, {mode.name} # skip {why}", flush=True)

    def totals(self):
        """The last lines."""
        print(f"fault points: {self.points} ({self.missed} not reached)")
        print(f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped")
        return self.failed == 0 and self.passed > 0


def choose(plans):
    """For --short, the numbers at which calls fail: (mode, plan) -> name -> numbers. A call fails once in every
    scenario and for good in some, at another place each time."""
    chosen = {}
    for mode in MODES:
        having = {}
        for i, plan in enumerate(plans):
            chosen[mode, i] = {}
            for name, count in plan.names(mode).items():
                having.setdefault(name, []).append((i, count))
        for name, where in having.items():
            if mode.lasting and len(where) > SHORT_LASTING:
                where = where[::-(-len(where) // SHORT_LASTING)]
            if name in COLD:
                where = where[:PLACES]
            for turn, (i, count) in enumerate(where):
                places = places_of(count)
                if mode.layer == "flip":  # several: not all bring what matters
                    chosen[mode, i][name] = sorted({count // 2 + 1, *range(max(1, count - 3), count + 1)})
                else:
                    chosen[mode, i][name] = sorted({places[turn % PLACES]} if len(where) >= PLACES else set(places))
    return chosen


def check_imports(bench):
    """Every function that the program imports is made to fail, or is known not to."""
    def symbols(path, *options):
        lines = subprocess.run(["nm", "-D", *options, path], check=True, capture_output=True, text=True).stdout
        return {line.split()[-1].split("@")[0] for line in lines.splitlines()}

    hooked = symbols(bench.preload, "--defined-only")
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "faults.h"), encoding="ascii") as file:
        layer = file.read()
    unknown = []
    for name in sorted(symbols(bench.pscan, "--undefined-only")):
        plain = name.strip("_").replace("isoc99_", "").replace("isoc23_", "")
        plain = plain[:-len("_chk")] if plain.endswith("_chk") and plain != "stack_chk_fail" else plain
        foreign = name.startswith(("cl", "isal_", "inflate", "deflate", "crc32", "zlib", "ZSTD_", "lzma_", "BZ2_", "LZ4", "_ITM", "__asan", "__ubsan", "__tsan"))
        if name.startswith("cl") and name[2:3].isupper():
            foreign = f"X({name}," in layer
        if not foreign and name not in hooked and plain not in HARMLESS:
            unknown.append(name)
    return unknown


def accepts_verify(bench):
    """Whether the program has --verify, and with it a watch over its device."""
    with tempfile.TemporaryFile() as file:
        return subprocess.run([bench.pscan, "-D", "none", "--verify"], stdin=file, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, check=False).returncode == 0


def main():
    """Runs the loops."""
    parser = argparse.ArgumentParser(description="Every call that can fail does.")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--gate", action="store_true", help=f"only one of {GATE_STRIDE} scenarios")
    parser.add_argument("--host", action="store_true", help="only scenarios without a device")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--mode", default="", help="only modes with that in their names")
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    build = os.environ.get("BUILD", "build")
    directory = os.path.join(build, "fault", "loops")  # its inputs stay, for the commands that are printed
    bench = Bench(build, directory)
    loops = Loops(bench, given.jobs)
    plans = []
    for scenario in [*all_scenarios(), *program_scenarios()][::GATE_STRIDE if given.gate else 1]:
        if given.names and not any(name in scenario.name for name in given.names):
            continue
        if given.host and scenario.device != "none":
            continue
        try:
            bench.inputs(scenario)
            plans.append(Plan(bench, scenario))
        except Wrong as wrong:
            loops.failed += 1
            print(f"not ok - {scenario.name}, nothing fails\n# {wrong}", flush=True)
    unknown = check_imports(bench)
    loops.passed += not unknown
    loops.failed += bool(unknown)
    print(f"{'not ok' if unknown else 'ok'} - every function of the C library that the program calls is known {unknown or ''}")
    chosen = choose(plans) if given.short else None
    verifies = accepts_verify(bench)
    for i, plan in enumerate(plans):
        for mode in MODES:
            if given.mode not in mode.name or not plan.names(mode):
                continue
            if mode.layer in ("hang", "flip") and not verifies:
                loops.skip(plan, mode, "the program has no --verify yet")
            else:
                loops.test(plan, mode, chosen and chosen[mode, i])
    return 0 if loops.totals() else 1


if __name__ == "__main__":
    sys.exit(main())
