"""Plays a scenario: runs pscan as the scenario describes and reports what is wrong."""
import contextlib
import os
import shlex
import shutil
import signal
import subprocess
import threading
import time
import zlib
from pathlib import Path
from typing import NamedTuple, Optional

import packing
import programs
import scenario as scenarios

HANG_S = 900  # what takes that long hangs, however busy the machine is
OLD = b"what was there before\n"
NAMES = {"new": "out", "old": "out", "file": "out", "in-place": "in0"}


class Tools(NamedTuple):
    """What this machine has. devices: more ones for -D."""

    pscan: str
    cache: str  # in place of ~/.cache: others may clear that one
    layer: Optional[str]
    has_cpu: bool
    devices: tuple
    options: tuple  # of those that a program may not have yet

    @property
    def has_layer(self):
        """Whether calls of OpenCL can be made to fail; as a GPU only a CPU device can pose."""
        return self.layer is not None and self.has_cpu


class Ended(NamedTuple):
    """A finished run."""

    code: int
    out: bytes  # as it was written
    messages: list
    seconds: float


class Wrong(Exception):
    """What a run did that it must not do."""


def need(condition, text):
    """Raises Wrong unless the condition holds."""
    if not condition:
        raise Wrong(text)


# --- The run ---------------------------------------------------------------------------------------------------------

def command_of(one, tools):
    """The command line."""
    rules = one.stream.rules
    options = one.stream.arguments() if rules is None else ["-t", one.stream.scan.type] + rules.options()
    words = [tools.pscan, "-D", one.device, *one.running, *options]
    if one.sink in ("new", "old", "in-place"):
        words += ["-o", NAMES[one.sink]]
    names = [f"in{i}" for i in range(len(one.contents))]
    if one.source != "file":
        names[0] = "-"
    words += [] if names == ["-"] else names
    if one.fault == "limit":
        words = ["sh", "-c", "trap '' XFSZ; ulimit -f \"$0\"; exec \"$@\"", one.detail, *words]
    return words


def environment_of(one, tools, folder):
    """What is set beyond the environment of the soak."""
    chosen = {"TMPDIR": str(folder / "tmp"), "XDG_CACHE_HOME": tools.cache, "PSCAN_AUTO": "eager"}
    if one.shape:
        chosen["PSCAN_SHAPE"] = one.shape
    if one.lie or one.fault == "opencl":
        chosen.update(OPENCL_LAYERS=tools.layer, FAULT_LOG=str(folder / "log"),
                      PSCAN_SANDBOX_ALLOW=f"{folder}:{os.path.dirname(tools.layer)}")
    if one.lie:
        chosen["FAULT_LIE"] = "gpu"
    if one.fault == "opencl":
        chosen.update(FAULT_FAIL=one.detail, PSCAN_TRIAL="off")
    return chosen


class Feeder(threading.Thread):
    """Writes into the pipe, in pieces, with pauses."""

    def __init__(self, stream, one):
        super().__init__(daemon=True)
        self.stream = stream
        self.data = one.contents[0]
        self.rng = scenarios.random.Random(f"writes {one.number}")
        self.writes = one.writes
        self.pause = one.pause
        self.start()

    def run(self):
        at = 0
        pauses = [self.pause / 4] * 4 if self.pause else []
        with contextlib.suppress(BrokenPipeError), self.stream:
            while at < len(self.data):
                size = self.rng.randint(1, self.writes)
                self.stream.write(self.data[at:at + size])
                self.stream.flush()
                at += size
                if pauses and self.rng.random() < 8 * size / len(self.data):
                    time.sleep(pauses.pop())
            if pauses:
                time.sleep(sum(pauses))


def read_some(stream, size):
    """So many bytes, or what there is, and then the reader goes away."""
    out = b""
    while len(out) < size and (part := os.read(stream.fileno(), size - len(out))):
        out += part
    stream.close()
    return out


def finish(process, one, feeder):
    """Waits for the program; its output and messages."""
    messages = []
    listener = threading.Thread(target=lambda: messages.append(process.stderr.read()), daemon=True)
    listener.start()
    hung = threading.Timer(HANG_S, process.kill)
    hung.start()
    if one.fault == "signal":
        after = threading.Timer(float(one.detail), process.send_signal, (signal.SIGTERM,))
        after.daemon = True
        after.start()
    out = b""
    if one.fault == "reader":
        out = read_some(process.stdout, int(one.detail))
    elif process.stdout is not None:
        out = process.stdout.read()
    code = process.wait()
    hung.cancel()
    listener.join()
    if feeder is not None:
        feeder.join(HANG_S)
    return code, out, messages[0].decode(errors="replace").splitlines()


def default_signals():
    """Python ignores some."""
    for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def run(one, tools, folder):
    """The finished run, in that folder."""
    (folder / "tmp").mkdir()
    for i, data in enumerate(one.contents):
        if i > 0 or one.source != "pipe":
            (folder / f"in{i}").write_bytes(data)
    if one.sink == "old":
        (folder / "out").write_bytes(OLD)
    if one.is_program and one.stream.operator.text is not None:
        (folder / programs.FILE).write_text(one.stream.operator.text, encoding="ascii")
    environment = {k: v for k, v in os.environ.items() if k not in ("PSCAN_DEVICE", "PSCAN_SHAPE", "POCL_CACHE_DIR")}
    environment.setdefault("PSCAN_DEVICE_TIMEOUT", str(HANG_S))
    environment.update(environment_of(one, tools, folder))
    with contextlib.ExitStack() as stack:
        stdin = subprocess.PIPE if one.source == "pipe" else subprocess.DEVNULL
        if one.source == "stdin":
            stdin = stack.enter_context(open(folder / "in0", "rb"))
        stdout = subprocess.PIPE
        if one.sink == "file":
            stdout = stack.enter_context(open(folder / "out", "wb"))
        begin = time.monotonic()
        process = stack.enter_context(subprocess.Popen(
            command_of(one, tools), stdin=stdin, stdout=stdout, stderr=subprocess.PIPE, cwd=folder, env=environment))
        feeder = Feeder(process.stdin, one) if one.source == "pipe" else None
        process.stdin = None if feeder else process.stdin
        code, out, messages = finish(process, one, feeder)
        seconds = time.monotonic() - begin - one.pause
    if one.sink in NAMES:
        path = folder / NAMES[one.sink]
        out = path.read_bytes() if path.exists() else None
    return Ended(code, out, messages, seconds)


# --- What must hold --------------------------------------------------------------------------------------------------

def results_of(one, out, complete):
    """The output, inflated."""
    if not one.packed_out:
        return out
    if not out and not complete:
        return b""
    try:
        data, ended = packing.unpacked_part(out)
    except zlib.error as error:
        raise Wrong(f"the output is no gzip: {error}") from error
    need(ended or not complete, "the output is no complete gzip member")
    return data


def need_prefix(one, out):
    """What was written is a correct prefix."""
    need(one.answer.data.startswith(results_of(one, out, False)), "no correct prefix: " + difference(
        results_of(one, out, False), one.answer.data))


def difference(out, expected):
    """Where two byte strings part."""
    at = next((i for i, (a, b) in enumerate(zip(out, expected)) if a != b), min(len(out), len(expected)))
    near = slice(max(0, at - 20), at + 20)
    return f"{len(out)} bytes, expected {len(expected)}; byte {at}: {out[near]!r} instead of {expected[near]!r}"


def need_untouched(one, out):
    """The file of -o is as it was."""
    before = {"new": None, "old": OLD, "in-place": one.contents[0]}[one.sink]
    need(out == before, "the file of -o was touched")


def need_messages(ended, least, most):
    """So many lines, each pscan's."""
    need(least <= len(ended.messages) <= most, f"{len(ended.messages)} messages, {least} to {most} expected")
    need(all(line.startswith("pscan: ") for line in ended.messages), "a message is not pscan's")


def check_normal(one, ended):
    """No fault, or one of the data."""
    need(ended.code == one.code, f"exit {ended.code}, not {one.code}")
    both = one.fault == "trailing" or (one.device == "auto" and not one.is_program and one.fault == "opencl")
    need_messages(ended, one.code, one.code + 2 * both)
    if one.sink in ("new", "old", "in-place") and one.code != 0 and (one.fault != "trailing" or one.answer.error is not None):
        need_untouched(one, ended.out)
        return
    need(ended.out is not None, "there is no output")
    out = results_of(one, ended.out, True)
    expected = one.answer.data
    need(expected.startswith(out) and len(out) >= one.answer.least, difference(out, expected))
    element = scenarios.first_element(one)
    if element is not None and one.fault == "data":
        need(f"element {element}:" in ended.messages[0], f"element {element} is not named")


def check_flip(one, ended):
    """A flipped bit may go unnoticed until the checksum; zlib and ISA-L need not give up at the same code."""
    need(ended.code == 1, f"exit {ended.code}, not 1")
    need_messages(ended, 1, 1)
    if one.sink in ("new", "old", "in-place"):
        need_untouched(one, ended.out)
        return
    out = results_of(one, ended.out, True)
    common = min(len(out), len(one.answer.data))
    need(out[:common] == one.answer.data[:common], "no prefix: " + difference(out, one.answer.data))


def check_signal(one, ended):
    """Either SIGTERM came too late, or the program died of it."""
    if ended.code != -signal.SIGTERM:
        check_normal(one, ended)
        return
    need_messages(ended, 0, one.code)  # bad data may have been told of before
    if one.sink in ("new", "old", "in-place"):
        before = {"new": None, "old": OLD, "in-place": one.contents[0]}[one.sink]
        if ended.out == before:
            return  # else it came between the renaming and the end
        need(one.code == 0, "the file of -o was touched")
        need(results_of(one, ended.out, True) == one.answer.data, "the file of -o is incomplete")
        return
    need_prefix(one, ended.out)


def check_reader(one, ended):
    """SIGPIPE, unless all had been written."""
    need(ended.code in (-signal.SIGPIPE, one.code), f"exit {ended.code}, not {one.code} or SIGPIPE")
    need_messages(ended, one.code * (ended.code == one.code), one.code)
    need_prefix(one, ended.out)


def check_limit(one, ended):
    """The limit on the length of files is a failed write."""
    limit = 512 * int(one.detail)
    fits = one.packed_out or len(one.answer.data) <= limit
    if ended.code == one.code and fits:
        check_normal(one, ended)
        return
    # Bad data may be found before results that precede it are written.
    need(ended.code == 3 or ended.code == one.code == 1, f"exit {ended.code}, not 3")
    need_messages(ended, 1, 2)
    if one.sink == "file":
        need_prefix(one, ended.out)
    else:
        need_untouched(one, ended.out)


def check_opencl(one, ended):
    """Under auto nothing is lost, if the host can do it; a device that was named may end the program."""
    if (one.device == "auto" and not one.is_program) or ended.code == one.code:
        check_normal(one, ended)
        return
    need(ended.code == 4, f"exit {ended.code}, not 4 or {one.code}")
    need_messages(ended, 1, 1)
    if one.sink in ("new", "old", "in-place"):
        need_untouched(one, ended.out)
    else:
        need_prefix(one, ended.out)


def check(one, ended, folder):
    """Raises Wrong if something is."""
    need(ended.seconds < HANG_S, f"hung for {HANG_S} s")
    if ended.code == -signal.SIGKILL:
        raise Wrong("killed")
    if one.fault == "gzip" and any("trailing bytes" in line for line in ended.messages):
        need(len(one.sound) > 0, "damage of the first member is no trailing bytes")
        scenarios.as_trailing(one)
    if one.fault == "gzip" and one.detail == "flip":
        check_flip(one, ended)
    else:
        checks = {"signal": check_signal, "reader": check_reader, "limit": check_limit, "opencl": check_opencl}
        checks.get(one.fault, check_normal)(one, ended)
    here = {f"in{i}" for i in range(len(one.contents)) if i > 0 or one.source != "pipe"} | {"tmp", "log", "out", programs.FILE}
    left = sorted(set(os.listdir(folder)) - here) + sorted(os.listdir(folder / "tmp"))
    need(not left, f"temporary files are left: {' '.join(left)}")


# --- A scenario ------------------------------------------------------------------------------------------------------

def describe(one, tools, folder, ended, problem):
    """What is kept of a failure, beside its inputs."""
    settings = " ".join(f"{k}={shlex.quote(v)}" for k, v in environment_of(one, tools, folder).items())
    line = shlex.join(command_of(one, tools))
    if one.source == "pipe":
        (folder / "in0").write_bytes(one.contents[0])
        line = f"cat in0 | {line}"
    elif one.source == "stdin":
        line += " < in0"
    if one.sink == "file":
        line += " > out"
    (folder / "command").write_text(f"{settings} {line}\n", encoding="utf-8")
    (folder / "expected").write_bytes(one.answer.data)
    if ended is not None and ended.out is not None:
        (folder / "got").write_bytes(ended.out)
    told = [problem, f"fault: {one.fault} {one.detail}", f"source: {one.source}, sink: {one.sink}, pause: {one.pause}"]
    told += [f"exit {ended.code} (without a fault: {one.code}), {ended.seconds:.1f} s", *ended.messages] if ended else []
    (folder / "report").write_text("\n".join(told) + "\n", encoding="utf-8")
    return f"{problem}\n    {settings} {line}"


class Result(NamedTuple):
    """What a scenario was."""

    number: int
    kind: str
    engine: str
    fault: bool
    elements: int
    seconds: float
    problem: Optional[str]


def play(seed, number, tools, work, kept):
    """Plays scenario number; a failure's folder goes to kept."""
    folder = Path(work) / f"scenario-{number}"
    folder.mkdir(parents=True)
    ended, problem = None, None
    try:
        one = scenarios.make(seed, number, tools)
    except Exception as error:  # of the model, which is a fault of the soak's
        shutil.rmtree(folder)
        return Result(number, "no model", "none", False, 0, 0, f"scenario {number} could not be made: {error!r}")
    try:
        ended = run(one, tools, folder)
        check(one, ended, folder)
    except Wrong as wrong:
        problem = f"scenario {number} ({one.kind}, {one.engine}): {wrong}"
    if problem is None:
        shutil.rmtree(folder)
    else:
        problem = describe(one, tools, folder, ended, problem)
        Path(kept).mkdir(parents=True, exist_ok=True)
        target = Path(kept) / f"seed-{seed}-scenario-{number}"
        shutil.rmtree(target, ignore_errors=True)
        shutil.move(folder, target)
        problem += f"\n    kept in {target}"
    return Result(number, one.kind, one.engine, bool(one.fault), one.elements, ended.seconds if ended else 0, problem)
