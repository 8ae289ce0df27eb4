"""Pipelines of processes, written as in a shell, started by posix_spawn and timed as a whole.

A command is text such as `cat f32.bin | pscan -e -op max | cat > /dev/null`: programs, arguments, `|`, `<` and `>` as
separate words, and quotes. `echo TEXT |` at the beginning is not a process: the text is in the pipe before the clock
starts. `NAME=VALUE` before a program is put into the environment of all of them. Without `>` the output is kept. No
shell takes part.
"""
import contextlib
import fcntl
import os
import shlex
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

BLOCK_BYTES = 1 << 20


class Failure(Exception):
    """A command that failed, an output that was wrong, or something that is missing."""


class NotInstalled(Failure):
    """A program that is not there."""


@dataclass(frozen=True)
class Pipeline:
    """A parsed command; programs are absolute paths."""
    command: str
    stages: list[list[str]] = field(default_factory=list)
    text: bytes = b""  # what is in the first stage's standard input, if source is None
    source: str | None = None
    target: str | None = None  # None: the output is kept
    environment: dict[str, str] = field(default_factory=dict)  # in place of what was inherited

    def words(self) -> list[str]:
        """Every argument of every stage, and the file that `<` names."""
        return [word for stage in self.stages for word in stage] + ([self.source] if self.source else [])


@dataclass(frozen=True)
class Run:
    """What one run of a pipeline took and gave."""
    seconds: float
    output: bytes


def find_program(name: str, programs: dict[str, str]) -> str:
    """The path of a program: ours by the table, others by PATH."""
    path = programs.get(name) or shutil.which(name)
    if not path:
        raise NotInstalled(f"{name} is not installed")
    return path


def split_stages(words: list[str]) -> list[list[str]]:
    """The words between the bars."""
    stages: list[list[str]] = [[]]
    for word in words:
        if word == "|":
            stages.append([])
        else:
            stages[-1].append(word)
    return stages


def take_redirection(stage: list[str], sign: str) -> str | None:
    """Removes `< FILE` or `> FILE` from a stage; FILE, or None."""
    if sign not in stage:
        return None
    at = stage.index(sign)
    name = stage[at + 1]
    del stage[at:at + 2]
    return name


def take_assignments(stage: list[str], programs: dict[str, str]) -> dict[str, str]:
    """Removes `NAME=VALUE` before a stage's program; all of them by name."""
    taken = {}
    while "=" in stage[0]:
        word = stage.pop(0)
        name, _, value = programs.get(word, word).partition("=")
        taken[name] = value
    return taken


def parse(command: str, programs: dict[str, str]) -> Pipeline:
    """A pipeline from text; words that are keys of programs (scripts too) become their paths."""
    stages = split_stages(shlex.split(command))
    text = b""
    if stages[0][0] == "echo" and len(stages) > 1:
        text = (" ".join(stages.pop(0)[1:]) + "\n").encode()
    source = take_redirection(stages[0], "<")
    target = take_redirection(stages[-1], ">")
    environment = {name: value for stage in stages for name, value in take_assignments(stage, programs).items()}
    paths = [[find_program(stage[0], programs)] + [programs.get(word, word) for word in stage[1:]] for stage in stages]
    return Pipeline(command, paths, text, source, target, environment)


def to_pipe(pipeline: Pipeline) -> Pipeline:
    """The same pipeline with its output kept instead of thrown away."""
    return replace(pipeline, target=None)


def child_environment() -> dict[str, str]:
    """The environment without what changes pscan, in the C locale."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PSCAN_")}
    return kept | {"LC_ALL": "C"}


def open_input(pipeline: Pipeline) -> int:
    """A descriptor for the first stage's standard input."""
    if pipeline.source or not pipeline.text:
        return os.open(pipeline.source or "/dev/null", os.O_RDONLY)
    reader, writer = os.pipe()
    os.write(writer, pipeline.text)  # shorter than a pipe holds
    os.close(writer)
    return reader


def open_output(pipeline: Pipeline) -> tuple[int, int | None]:
    """A descriptor for the last stage's standard output, and the one to read it from if it is kept."""
    if pipeline.target:
        return os.open(pipeline.target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666), None
    reader, writer = os.pipe()
    return writer, reader


@contextlib.contextmanager
def signals_held() -> Iterator[set[int]]:
    """Holds back the signals that end a benchmark, so that none arrives between a process and the note of its id."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
    try:
        yield before
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def start_stages(pipeline: Pipeline, reader: int, output: int, children: list[int]) -> None:
    """Starts every stage, left to right, and appends their ids to children; closes both descriptors.

    The stages are one process group, so that `stop` also ends what they have started themselves.
    """
    environment = child_environment() | pipeline.environment
    try:
        for index, stage in enumerate(pipeline.stages):
            last = index == len(pipeline.stages) - 1
            next_reader, writer = (-1, output) if last else os.pipe()
            actions = [(os.POSIX_SPAWN_DUP2, reader, 0), (os.POSIX_SPAWN_DUP2, writer, 1)]
            with signals_held() as mask:
                # Python ignores these two, and children would inherit that.
                children.append(os.posix_spawn(stage[0], stage, environment, file_actions=actions, setsigmask=mask,
                                               setpgroup=children[0] if children else 0,
                                               setsigdef=[signal.SIGPIPE, signal.SIGXFSZ]))
            os.close(reader)
            reader = next_reader
            if not last:
                os.close(writer)
    finally:
        if reader >= 0:
            os.close(reader)
        os.close(output)


def wait_for(pipeline: Pipeline, children: list[int]) -> None:
    """Waits for every stage, removing its id; raises Failure if one did not end with 0."""
    codes = []
    while children:
        _, status = os.waitpid(children[0], 0)
        del children[0]
        codes.append(os.waitstatus_to_exitcode(status))
    if any(codes):
        raise Failure(f"{pipeline.command}: ended with {' '.join(map(str, codes))}")


def stop(children: list[int]) -> None:
    """Ends what still runs after a failure or an interruption."""
    with signals_held():
        if children:
            os.killpg(os.getpgid(children[0]), signal.SIGKILL)
        while children:
            os.waitpid(children.pop(), 0)


def run(pipeline: Pipeline, consume: Callable[[bytes], None] | None = None) -> Run:
    """Runs a pipeline; kept output goes block by block to consume, or is returned."""
    reader = open_input(pipeline)
    writer, kept = open_output(pipeline)
    blocks: list[bytes] = []
    children: list[int] = []
    take = consume or blocks.append
    try:
        if consume and kept is not None:
            fcntl.fcntl(kept, fcntl.F_SETPIPE_SZ, BLOCK_BYTES)
        start = time.perf_counter()
        start_stages(pipeline, reader, writer, children)
        while kept is not None and (block := os.read(kept, BLOCK_BYTES)):
            take(block)
        wait_for(pipeline, children)
        seconds = time.perf_counter() - start
    finally:
        stop(children)
        if kept is not None:
            os.close(kept)
    return Run(seconds, b"".join(blocks))
