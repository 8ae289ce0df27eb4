"""One run of pscan with the fault layers loaded, and what must hold for it whatever call failed."""
import collections
import contextlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import threading
import time
import zlib
from typing import NamedTuple

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from handover_stage import Collector, Log  # noqa: E402  pylint: disable=wrong-import-position

LIMIT_S = 900  # what takes that long hangs, however busy the machine is
QUIET_S = 0.04
SILENT_S = 1.0
READY_S = 300.0
SYSTEM, DEVICE = 3, 4
# The last line of --progress, which is no message.
PROGRESS = re.compile(r"pscan: (\d+%, )?\d+ bytes, \d+ elements, [0-9.]+ [kMG]?B/s, in \d+:\d\d")


class Wrong(Exception):
    """What a run did that it must not do."""


def need(condition, text):
    """Raises Wrong unless the condition holds."""
    if not condition:
        raise Wrong(text)


class LibcLog:
    """The lines that the preloaded library wrote."""

    def __init__(self, path):
        lines = []
        with contextlib.suppress(FileNotFoundError), open(path, encoding="utf-8", errors="replace") as file:
            lines = [line.split() for line in file]
        self.loaded = lines[:1] == [["loaded"]]
        self.ended = ["end"] in lines
        self.failed = [line[1:] for line in lines if line[0] == "failed"]
        self.counts = {line[1]: int(line[2]) for line in lines if line[0] == "count"}
        self.blocks = collections.Counter(line[1] for line in lines if line[0] == "block")
        self.descriptors = collections.Counter(
            re.sub(r":\[\d+\]", "", os.path.basename(line[1])) for line in lines if line[0] == "descriptor")
        self.changed = sum(int(line[1]) for line in lines if line[0] in ("interrupted", "shortened"))


class Run(NamedTuple):
    """What a run left behind. out: what came through the pipe or stands in the file, None if there is no file. state:
    the same of --state's file."""

    command: str
    code: int
    out: bytes
    state: bytes
    messages: list
    libc: LibcLog
    device: Log
    left: list  # names of files that were not there before
    seconds: float


class Bench:
    """Where runs are made: the program, the layers, and a directory."""

    def __init__(self, build, directory):
        self.pscan = os.path.abspath(os.environ.get("PSCAN", f"{build}/pscan"))
        self.layer = os.path.abspath(f"{build}/fault/opencl_layer.so")
        self.preload = os.path.abspath(f"{build}/fault/libc_faults.so")
        self.directory = os.path.abspath(directory)
        self.cache = os.path.join(self.directory, "cache")
        os.makedirs(self.cache, exist_ok=True)
        self.mutex = threading.Lock()
        self.number = 0
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("PSCAN", "FAULT", "OPENCL", "LD_", "POCL", "XDG"))}
        self.environment = {**kept, "LC_ALL": "C"}

    def inputs(self, scenario):
        """Writes the scenario's input files, which stay, and returns their names by what the options call them."""
        directory = os.path.join(self.directory, "inputs", re.sub(r"\W+", "-", scenario.name))
        os.makedirs(directory, exist_ok=True)
        names = {name: os.path.join(directory, name) for name in scenario.inputs}
        for name, data in scenario.inputs.items():
            with open(names[name], "wb") as file:
                file.write(data)
        return names

    def attempt(self, scenario, faults):
        """Runs a scenario with these settings of the layers."""
        with self.mutex:
            self.number += 1
            base = os.path.join(self.directory, f"run-{os.getpid()}-{self.number}")
        os.makedirs(os.path.join(base, "tmp"))
        try:
            return self.run_in(base, scenario, faults)
        finally:
            shutil.rmtree(base)

    def run_in(self, base, scenario, faults):
        """The same in a directory of its own."""
        names = self.inputs_of(scenario)
        target, state = os.path.join(base, "out"), os.path.join(base, "state")
        arguments = [self.pscan, *(option.format(**names, state=state, picture=os.path.join(base, "picture")) for option in scenario.options)]
        arguments += ["-o", target] if scenario.out == "-o" else []
        chosen = {"PSCAN_AUTO": "eager", "PSCAN_TRIAL": "off", "PSCAN_DEVICE_TIMEOUT": str(LIMIT_S), **scenario.environment, **faults,
                  "FAULT_LIBC_LOG": f"{base}/libc.log", "LD_PRELOAD": self.preload, "XDG_CACHE_HOME": self.cache, "TMPDIR": f"{base}/tmp",
                  "PSCAN_SANDBOX_ALLOW": f"{self.directory}:{os.path.dirname(self.layer)}"}
        if scenario.device != "none":
            chosen.update(OPENCL_LAYERS=self.layer, FAULT_LOG=f"{base}/layer.log")
        for path, before in ((target, scenario.old), (state, scenario.state)):
            if before is not None:
                with open(path, "wb") as file:
                    file.write(before)
        begin = time.monotonic()
        with contextlib.ExitStack() as stack:
            stdout = subprocess.PIPE if scenario.out == "pipe" else subprocess.DEVNULL
            if scenario.out == "file":
                stdout = stack.enter_context(open(target, "wb"))
            stdin = subprocess.DEVNULL
            if scenario.stdin is not None:
                stdin = stack.enter_context(open(names[scenario.stdin], "rb"))
            code, out, messages = self.start(arguments, {**self.environment, **chosen}, scenario, stdin, stdout)
        if scenario.out != "pipe":
            out = content_of(target)
        left = [name for name in os.listdir(base) if name not in ("out", "state", "picture", "tmp", "libc.log", "layer.log")]
        return Run(command_line(chosen, arguments, scenario, names), code, out, content_of(state), messages, LibcLog(f"{base}/libc.log"),
                   Log(f"{base}/layer.log"), left + os.listdir(f"{base}/tmp"), time.monotonic() - begin)

    def inputs_of(self, scenario):
        """The names of the input files, which were written."""
        directory = os.path.join(self.directory, "inputs", re.sub(r"\W+", "-", scenario.name))
        return {name: os.path.join(directory, name) for name in scenario.inputs}

    def start(self, arguments, environment, scenario, stdin, stdout):
        """Starts the program, feeds it and waits for it. Returns the exit code (None: it hung), output and messages."""
        piped = scenario.feed != "file"
        with subprocess.Popen(arguments, stdin=subprocess.PIPE if piped else stdin, stdout=stdout, stderr=subprocess.PIPE,
                              env=environment) as process:
            hung = threading.Event()
            killer = threading.Timer(LIMIT_S, lambda: (hung.set(), process.kill()))
            killer.start()
            err = Collector(process.stderr)
            out = Collector(process.stdout) if process.stdout else None
            if piped:
                with contextlib.suppress(BrokenPipeError), process.stdin as pipe:
                    self.feed(pipe, stdin.read(), scenario, environment.get("FAULT_LOG"))
            process.wait()
            killer.cancel()
            err.join()
            if out:
                out.join()
        # What clang says within PoCL is not the program's.
        lines = [line for line in err.data.decode(errors="replace").splitlines()
                 if not line.endswith(" generated.") and not PROGRESS.fullmatch(line)]
        return None if hung.is_set() else process.returncode, out.data if out else b"", lines

    def feed(self, pipe, data, scenario, log_path):
        """Writes the input, in two parts if the scenario says so: the second one when the device is ready."""
        if scenario.feed == "parts":
            half = len(data) // 16 * 8
            if "--format=binary" not in scenario.options:
                half = data.rindex(b"\n", 0, half) + 1
            pipe.write(data[:half])
            pipe.flush()
            wait_until_quiet(log_path)
            data = data[half:]
        pipe.write(data)


def content_of(path):
    """A file's, or None if there is none."""
    with contextlib.suppress(FileNotFoundError), open(path, "rb") as file:
        return file.read()
    return None


def wait_until_quiet(path):
    """Waits until the device is ready, or is known not to be: a call hangs, or none comes any more."""
    seen, since = -1, 0.0
    end = time.monotonic() + READY_S
    while time.monotonic() < end:
        log = Log(path)
        if len(log.lines) != seen:
            seen, since = len(log.lines), time.monotonic()
        elif log.settled or log.of("hung"):
            return
        elif time.monotonic() > since + SILENT_S and len(log.of("call")) == len(log.of("done")):
            return
        time.sleep(QUIET_S)


def command_line(chosen, arguments, scenario, names):
    """What to type to see it again. (What is fed in two parts is not quite the same then.)"""
    settings = " ".join(f"{k}={shlex.quote(v)}" for k, v in chosen.items() if k not in ("TMPDIR", "FAULT_LOG", "FAULT_LIBC_LOG"))
    logs = "FAULT_LOG=/tmp/layer.log FAULT_LIBC_LOG=/tmp/libc.log"
    text = f"env {logs} {settings} {shlex.join(arguments)}"
    if scenario.stdin is not None:
        name = shlex.quote(names[scenario.stdin])
        text = f"{text} <{name}" if scenario.feed == "file" else f"cat {name} | {text}"
    return text + (" >out" if scenario.out == "file" else "")


# --- What must hold --------------------------------------------------------------------------------------------------

def payload(scenario, out, whole):
    """The results within the output. whole: a gzip member must be complete."""
    if scenario.zstd:
        return subprocess.run(["zstd", "-dcq"], input=out, stdout=subprocess.PIPE, check=True).stdout
    if not scenario.gzip or not out:
        return out
    inflater = zlib.decompressobj(31)
    try:
        data = inflater.decompress(out)
    except zlib.error as error:
        raise Wrong(f"damaged gzip output: {error}") from error
    need(not whole or (inflater.eof and not inflater.unused_data), "gzip output without an end")
    return data


def check_output(scenario, run):
    """All of it, a correct prefix of it, or the old file."""
    whole = run.code == scenario.code
    if scenario.out == "-o" and any("directory could not be synced" in line for line in run.messages):
        whole = True  # it has its name by then, but that may not outlive a crash of the machine
    if scenario.out == "-o" and any("--state=" in option for option in scenario.options):
        whole = run.out != scenario.old  # the state is kept when the results are
    if scenario.out == "-o" and not whole:
        need(run.out == scenario.old, "the file of -o is neither the old one nor the new one")
        return
    need(run.out is not None, "there is no output file")
    found = payload(scenario, run.out, whole)
    if whole:
        need(found == scenario.expected, f"exit {run.code} with wrong output, {len(found)} bytes of {len(scenario.expected)}")
    else:
        need(scenario.expected.startswith(found), f"what was written is no prefix ({len(found)} bytes)")


def check_state(scenario, run, base):
    """That of the fault-free run, or the one before."""
    has_name = any(": --state: " in line and "it was written, but its directory could not be synced" in line for line in run.messages)
    need(run.state == (base.state if run.code == scenario.code or has_name else scenario.state),
         f"exit {run.code}, and the state is neither the old one nor the new one")


def check_messages(scenario, run, base, silent, reasons):
    """Exactly one line when it fails, at most a warning when it does not; and what is wrong with the data. (Where a
    device fails that nobody named, for instance for want of memory, one line may say so. Where the data are bad, one
    may tell of what failed behind the place, which another thread has come to.)"""
    need(all(line.startswith("pscan: ") and len(line) > 12 for line in run.messages), "messages")
    told = [line for line in run.messages if line not in base.messages]
    warnings = [line for line in told if line.startswith("pscan: warning: ")]
    errors = [line for line in told if line not in warnings]
    if run.code == scenario.code:
        need(silent or set(base.messages) <= set(run.messages), "the data's own message is not there")
        need(len(told) <= 1 and (not errors or scenario.code != 0 or scenario.device == "auto"), "messages")
        return
    need(len(errors) == 1 and not warnings, "not one message")
    need(run.code != SYSTEM or reasons is None or any(reason in errors[0] for reason in reasons),
         f"the message does not say: {reasons}")


def check_leaks(scenario, run, base, must_end):
    """Nothing is left that the fault-free run gave back."""
    need(not run.left, f"left behind: {run.left}")
    need(run.libc.ended or not must_end or scenario.device == "auto", "it did not end by exit")
    if not must_end:
        return  # what a driver still has cannot be given back
    if run.libc.ended:
        need(not run.libc.blocks - base.libc.blocks, f"memory leaked, from {dict(run.libc.blocks - base.libc.blocks)}")
        more = run.libc.descriptors - base.libc.descriptors
        need(not more, f"descriptors leaked: {dict(more)}")
    kept = [line for line in run.device.lines if line.startswith("kept ")]
    need(not kept, f"OpenCL objects leaked or released twice: {kept}")


def check(scenario, run, base, codes, silent=False, reasons=None, must_end=True):
    """What holds for every run. codes: how it may fail. silent: standard error failed. reasons: one is part of the
    message. must_end: by exit, for only then is known what was not given back."""
    need(run.code is not None, f"it hung for {LIMIT_S} s")
    need(run.code >= 0, f"killed by signal {-run.code}")
    need(run.libc.loaded, "the library was not preloaded")
    need(run.code == scenario.code or run.code in codes, f"exit {run.code}")
    check_output(scenario, run)
    check_state(scenario, run, base)
    check_messages(scenario, run, base, silent, reasons)
    check_leaks(scenario, run, base, must_end)
