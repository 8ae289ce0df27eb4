#!/usr/bin/python3
"""Runs one stream that changes engines: reads the layer's log, feeds input while the device is held back, and checks
what must hold in every run.
"""
import contextlib
import fcntl
import itertools
import json
import os
import re
import shlex
import subprocess
import tempfile
import threading
import time
import zlib
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, Optional

PSCAN = os.environ.get("PSCAN", "build/pscan")
LIMIT_S = 900  # what takes that long hangs, however busy the machine is
QUIET_S = 0.05
PIPE_BYTES = 1 << 20
COMMANDS = re.compile(r"clEnqueue\w+|clWaitForEvents|clFlush|clSetKernelArg")


def shape_of(row):
    """The kernels' shape. A device folds in the GPU shape only."""
    return ("gpu", "cpu")[zlib.crc32(row.name.encode()) % 2]


class Wrong(Exception):
    """What a run did that it must not do."""


def need(condition, text):
    """Raises Wrong unless the condition holds."""
    if not condition:
        raise Wrong(text)


# --- The layer's log -------------------------------------------------------------------------------------------------

class Log:
    """The lines that the layer wrote so far."""

    def __init__(self, path):
        self.lines = []
        with contextlib.suppress(FileNotFoundError), open(path, encoding="ascii") as file:
            self.lines = file.read().splitlines()

    @property
    def loaded(self):
        """Whether the layer ran at all."""
        return self.lines[:1] == ["loaded"]

    def of(self, kind):
        """The lines of a kind, as tuples (index, name, number)."""
        found = []
        for index, line in enumerate(self.lines):
            words = line.split()
            if words[0] == kind:
                found.append((index, words[1], int(words[2])))
        return found

    @property
    def injected(self):
        """The calls that were made to fail."""
        return [name for _, name, _ in sorted(self.of("failed") + self.of("dropped"))]

    @property
    def settled(self):
        """Whether the device was used and no call is under way."""
        calls = self.of("call")
        used = self.injected or any(name == "clEnqueueNDRangeKernel" for _, name, _ in calls)
        return bool(used) and len(calls) == len(self.of("done"))

    def after(self, start):
        """name: the numbers of its calls after the line start that commands of the stream depend on."""
        calls = [call for call in self.of("call") if call[0] >= start and COMMANDS.fullmatch(call[1])]
        last = max((index for index, name, _ in calls if name == "clFlush"), default=0)
        numbers = {}
        over = set()
        for index, name, number in calls:
            if name in over or (index > last and name != "clWaitForEvents"):
                continue
            numbers.setdefault(name, []).append(number)
            if index > last:
                over.add(name)  # later ones clear up
        return numbers


# --- One run ---------------------------------------------------------------------------------------------------------

class Run(NamedTuple):
    """The outcome of a run."""

    command: str
    code: int
    out: bytes
    messages: list
    stats: Optional[dict]
    log: Log
    ready: int  # lines of the log when the device was ready


class Settings(NamedTuple):
    """Of one run. hold: the function in which the bring-up waits until split bytes have become results. lie: of the
    layer."""

    row: object
    device: str = "auto"
    fail: str = ""
    hold: str = ""
    split: int = 0
    lie: str = "gpu"


class Collector(threading.Thread):
    """Reads everything from a pipe, so that the program never waits for its reader."""

    def __init__(self, stream):
        super().__init__(daemon=True)
        self.stream = stream
        self.parts = []
        self.size = 0
        self.start()

    def run(self):
        while part := os.read(self.stream.fileno(), 1 << 16):
            self.parts.append(part)
            self.size += len(part)

    @property
    def data(self):
        """All of it, after join."""
        return b"".join(self.parts)


def wait_for(condition, what, limit=LIMIT_S):
    """Waits until the condition holds."""
    end = time.monotonic() + limit
    while not condition():
        need(time.monotonic() < end, f"no end of waiting for {what}")
        time.sleep(0.003)


def wait_until_settled(path):
    """Waits until the device is ready: no call is under way and none comes. Returns the length of the log."""
    seen = -1
    end = time.monotonic() + LIMIT_S
    while True:
        log = Log(path)
        if len(log.lines) == seen and log.settled:
            return seen
        need(time.monotonic() < end, "the device never was ready")
        seen = len(log.lines)
        time.sleep(QUIET_S)


class Stage:
    """Makes runs, two at a time, and tells which were wrong."""

    def __init__(self, layer, with_stats, named="gpu"):
        self.layer = os.path.abspath(layer)
        self.with_stats = with_stats
        self.named = named
        self.directory = tempfile.TemporaryDirectory(prefix="handover-")
        self.numbers = itertools.count()
        self.pool = ThreadPoolExecutor(2)
        self.waiting = []
        self.mutex = threading.Lock()
        self.run_count = 0
        self.wrong = 0

    def submit(self, name, check, *arguments):
        """Calls check(*arguments) in the background. A Wrong that it raises is reported under this name."""
        self.waiting.append(self.pool.submit(self.attempt, name, check, arguments))

    def attempt(self, name, check, arguments):
        """One call of a check."""
        try:
            check(*arguments)
        except Wrong as wrong:
            with self.mutex:
                self.wrong += 1
                print(f"WRONG {name}: {wrong}", flush=True)

    def close(self):
        """True if all was as it must be."""
        for one in self.waiting:
            one.result()
        self.pool.shutdown()
        self.directory.cleanup()
        print(f"{self.run_count} runs, {self.wrong} wrong")
        return self.wrong == 0 and self.run_count > 0

    def environment(self, settings, base):
        """The program's environment; base is a name for files of this run."""
        chosen = {k: v for k, v in os.environ.items() if k != "PSCAN_DEVICE"}
        chosen.update(PSCAN_SHAPE=shape_of(settings.row), PSCAN_AUTO="eager", PSCAN_TRIAL="off", OPENCL_LAYERS=self.layer, FAULT_LOG=f"{base}.log", PSCAN_SANDBOX_ALLOW=os.path.dirname(base))
        for name, value in (("FAULT_LIE", settings.lie), ("FAULT_FAIL", settings.fail)):
            if value:
                chosen[name] = value
        if settings.hold:
            chosen["FAULT_HOLD"] = f"{settings.hold}:{base}.go"
        return chosen

    def run(self, settings):
        """Runs pscan once. The layer must have been loaded."""
        base = os.path.join(self.directory.name, str(next(self.numbers)))
        with_stats = self.with_stats and settings.device == "auto"
        stats = ["--stats=json"] if with_stats else []
        arguments = [PSCAN, "-D", settings.device, *stats, *settings.row.options]
        told = " ".join(f"{k}={shlex.quote(v)}" for k, v in (("PSCAN_SHAPE", shape_of(settings.row)),
                                                             ("FAULT_LIE", settings.lie), ("FAULT_FAIL", settings.fail),
                                                             ("FAULT_HOLD", settings.hold)) if v)
        command = f"{told} {shlex.join(arguments)}"
        with self.mutex:
            self.run_count += 1
        with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env=self.environment(settings, base)) as process:
            killer = threading.Timer(2 * LIMIT_S, process.kill)
            killer.start()
            out, err = Collector(process.stdout), Collector(process.stderr)
            ready = 0
            try:
                with contextlib.suppress(BrokenPipeError):
                    ready = self.feed(process.stdin, settings, base, out)
                process.wait()
            except Wrong as wrong:
                process.kill()
                raise Wrong(f"{wrong}: {command}") from wrong
            finally:
                killer.cancel()
            out.join()
            err.join()
        lines = err.data.decode().splitlines()
        found = None
        if with_stats:
            need(lines and lines[-1].startswith("{"), f"no statistics: {command}\n{lines}")
            found = json.loads(lines.pop())
        run = Run(command, process.returncode, out.data, lines, found, Log(f"{base}.log"), ready)
        self.sound(run)
        return run

    def feed(self, stdin, settings, base, out):
        """Writes the input. Returns how long the log was when the device was ready."""
        row = settings.row
        fcntl.fcntl(stdin, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
        ready = 0
        with stdin:
            rest = row.data
            if settings.hold and self.with_stats:
                stdin.write(row.data[:settings.split])
                stdin.flush()
                wanted = row.results_of(settings.split)
                wait_for(lambda: out.size >= wanted, f"the host's results ({wanted} bytes) while the device is held")
                rest = row.data[settings.split:]
            if settings.hold:
                with open(f"{base}.go", "w", encoding="ascii"):
                    pass
            if settings.hold and self.with_stats:
                ready = wait_until_settled(f"{base}.log")
            stdin.write(rest)
        return ready

    def sound(self, run):
        """What holds for every run: the layer was there, it ended by itself, and one thread at a time was in OpenCL."""
        need(run.log.loaded, f"the layer was not loaded: {run.command}\n{run.messages}")
        need(run.code >= 0, f"killed by signal {-run.code}: {run.command}\n{run.messages}")
        need(not run.log.of("overlap"), f"two threads at once in OpenCL: {run.command}\n{run.log.of('overlap')[:3]}")

    # --- What must hold
    # --------------------------------------------------------------------------------------------------

    def same(self, run, row):
        """The output and the exit code are those of any other run."""
        need(run.code == row.code, f"exit {run.code}, not {row.code}: {run.command}\n{run.messages}")
        need(run.out == row.expected, f"other bytes: {run.command}\n{difference(run.out, row.expected)}")
        if run.stats is None or row.code != 0:
            return
        for name, value in (("elements", row.count), ("bytes_in", len(row.data)), ("bytes_out", len(row.expected))):
            need(run.stats[name] == value, f"{name} is {run.stats[name]}, not {value}: {run.command}")

    def outcome(self, run, *outcomes):
        """The statistics say one of these outcomes."""
        if run.stats is not None:
            found = run.stats["handover"]["outcome"]
            need(found in outcomes, f"outcome {found}, not {' or '.join(outcomes)}: {run.command}\n{run.messages}")

    def chunks(self, run, host, device):
        """Checks that each engine has scanned at least these numbers of chunks."""
        if run.stats is not None:
            found = run.stats["chunks"]
            need(found["host"] >= host and found["device"] >= device, f"{found}: {run.command}")

    def quiet(self, run, row):
        """Nothing on stderr but the data's own error."""
        need(len(run.messages) == row.code, f"messages: {run.command}\n{run.messages}")

    def one_notice(self, run, row):
        """One notice: it names the call that failed and says that the host goes on."""
        notices = run.messages[:len(run.messages) - row.code]
        told = "\n".join(notices)
        need(told.count("the host goes on") == 1 and len(re.findall(r"\bcl[A-Z]\w+", told)) == 1 and 1 <= len(notices) <= 2,
             f"not one notice: {run.command}\n{run.messages}")
        self.names_call(run, told)

    def names_call(self, run, told):
        """The message names the first call that failed; one that failed late is seen by whoever waits."""
        name = run.log.injected[0]
        late = not run.log.of("failed")
        need(re.search(r"\bcl[A-Z]\w+", told) if late else re.search(rf"\b{name}\b", told),
             f"{name} is not named: {run.command}\n{told}")


def difference(out, expected):
    """Where two byte strings part."""
    common = next((i for i, (a, b) in enumerate(zip(out, expected)) if a != b), min(len(out), len(expected)))
    return f"{len(out)} bytes, expected {len(expected)}; they part at byte {common}"
