#!/usr/bin/python3
"""Streams that change engines. They are fed through a pipe in pieces, while the layer in tests/fault holds the device
back or makes its calls fail, and are compared with an oracle that knows only the grid.

    PSCAN=build/pscan handover.py --layer build/fault/opencl_layer.so [--without-stats] [--named DEVICE] SUITE...

--without-stats is for a program that has no --stats=json and opens its device before the stream: only bytes, exit
statuses and messages are compared then. --named: the value of -D where the device is named (default gpu).
"""
import argparse
import itertools
import sys

from handover_rows import ROWS, row as make_row
from handover_stage import Settings, Stage, difference, need

BRING_UP = ("clGetPlatformIDs", "clGetDeviceIDs", "clCreateContext", "clCreateCommandQueue", "clCreateBuffer",
            "clCreateProgramWithSource", "clBuildProgram", "clCreateKernel")


def split_at(row, place):
    """How much of the input the host gets before the device is ready."""
    if place == "first":
        return row.cut(row.chunk)
    whole = (len(row.data) - 1) // row.chunk * row.chunk
    return row.cut(whole // row.chunk // 2 * row.chunk if place == "middle" else whole)


# --- Suites ----------------------------------------------------------------------------------------------------------

def check_handover(stage, row, place):
    """The device takes over at that place. Returns the run. On a busy machine it may seem ready before it is: then
    again."""
    for _ in range(3):
        run = stage.run(Settings(row, hold="clCreateContext", split=split_at(row, place)))
        stage.same(run, row)
        stage.quiet(run, row)
        if run.stats is None or run.stats["handover"]["outcome"] in ("kept", "returned"):
            break
    stage.outcome(run, "kept", "returned")
    stage.chunks(run, 1, 1)
    builds = [name for _, name, _ in run.log.of("call") if name == "clBuildProgram"]
    # The program that the bring-up built and warmed is the one that scans.
    need(run.stats is None or not row.unit or len(builds) == 1, f"built {len(builds)} times: {run.command}")
    return run


def number_at(numbers, place):
    """The number of the first, middle or last of the calls."""
    return {"first": numbers[0], "middle": numbers[len(numbers) // 2], "last": numbers[-1]}[place]


def run_with_failure(stage, settings, name, numbers, place, mode):
    """Makes one of the calls fail. A stream that ends or goes back to the host before that call is run again with an
    earlier one."""
    number = number_at(numbers, place)
    while True:
        run = stage.run(settings._replace(fail=f"{name}:{number}:{mode}"))
        if run.log.injected:
            return run
        made = [n for n in run.log.after(run.ready).get(name, []) if n < number]
        need(made, f"{name} {number} never was called: {run.command}")
        number = made[-1] if place == "last" else made[len(made) // 2]


def check_failure(stage, row, name, numbers, place, mode):
    """The call fails under auto: the host scans that chunk again and goes on."""
    settings = Settings(row, hold="clCreateContext", split=split_at(row, "first"))
    run = run_with_failure(stage, settings, name, numbers, place, mode)
    stage.same(run, row)
    stage.one_notice(run, row)
    stage.outcome(run, "failed")
    stage.chunks(run, 1, 0)


def check_named_failure(stage, row, name, numbers, place, mode):
    """The call fails on a device that was named: exit 4, a correct prefix, a message. (Where the data ends the stream
    the failure may come after that.)"""
    run = run_with_failure(stage, Settings(row, device=stage.named), name, numbers, place, mode)
    if row.code != 0 and run.code == row.code:
        stage.same(run, row)
        return
    need(run.code == 4, f"exit {run.code}, not 4: {run.command}\n{run.messages}")
    need(row.expected.startswith(run.out), f"no prefix: {run.command}\n{difference(run.out, row.expected)}")
    need(len(run.messages) == 1, f"not one message: {run.command}\n{run.messages}")
    if name not in ("clGetPlatformIDs", "clGetDeviceIDs"):
        stage.names_call(run, run.messages[0])


def modes_of(name):
    """The ways in which a call can fail."""
    return ("-5:once", "-36:lost") + (("-36:late",) if name.startswith("clEnqueue") else ())


def failures(numbers, every, turn):
    """(name, place, mode): all of them, or three, one a place, other ones for every turn."""
    places = ("first", "middle", "last")
    combined = [(name, place, mode) for name in sorted(numbers) for place in places for mode in modes_of(name)]
    if every:
        return [case for case in combined if case[1] == "middle" or case[2] == "-5:once"]
    return [[case for case in combined if case[1] == place][turn * 5 % (len(combined) // 3)] for place in places]


def suite_handover(stage):
    """Every row, at the first chunk, in the middle and at the last chunk."""
    for name in ROWS:
        for place in ("first", "middle", "last"):
            stage.submit(f"{name}, {place}", check_handover, stage, make_row(name), place)


def suite_failure(stage):
    """Every command fails in every way for one row, some for each other row."""
    def row_fails(turn, row):
        run = check_handover(stage, row, "first")
        numbers = run.log.after(run.ready)
        for name, place, mode in failures(numbers, turn == 0, turn):
            stage.attempt(f"{row.name}, {place} {name}", check_failure, (stage, row, name, numbers[name], place, mode))

    for turn, name in enumerate(ROWS):
        stage.submit(name, row_fails, turn, make_row(name))


def suite_named(stage):
    """Every row on a device that was named."""
    def row_is_right(row):
        run = stage.run(Settings(row, device=stage.named))
        stage.same(run, row)
        stage.quiet(run, row)

    for name in ROWS:
        stage.submit(name, row_is_right, make_row(name))


def suite_named_failure(stage):
    """Failures of a device that the user named."""
    def row_fails(turn, row):
        run = stage.run(Settings(row, device=stage.named))
        stage.same(run, row)
        stage.quiet(run, row)
        numbers = run.log.after(0)
        for name, place, mode in failures(numbers, turn == 0, turn):
            stage.attempt(f"{row.name}, {place} {name}", check_named_failure,
                          (stage, row, name, numbers[name], place, mode))

    for turn, name in enumerate(ROWS):
        stage.submit(name, row_fails, turn, make_row(name))


def suite_bring_up(stage):
    """Each step of the bring-up fails under auto: the stream never notices."""
    def step_fails(row, name, number):
        run = stage.run(Settings(row, hold=name, split=split_at(row, "middle"), fail=f"{name}:{number}"))
        need(run.log.injected == [name], f"{name} {number} never was called: {run.command}")
        stage.same(run, row)
        if name in ("clGetPlatformIDs", "clGetDeviceIDs"):
            stage.outcome(run, "none", "failed")
            need(len(run.messages) <= 1, f"messages: {run.command}\n{run.messages}")
        else:
            stage.outcome(run, "failed")
            stage.one_notice(run, row)

    for name, number in itertools.product(BRING_UP, (1, 2)):
        if number == 1 or name in ("clCreateBuffer", "clCreateCommandQueue", "clCreateKernel"):
            stage.submit(f"{name} {number}", step_fails, make_row("f32-sum"), name, number)
    stage.submit("clBuildProgram", step_fails, make_row("text-i64"), "clBuildProgram", 1)


def suite_named_bring_up(stage):
    """Each step of the bring-up of a named device fails."""
    for name in BRING_UP:
        stage.submit(name, check_named_failure, stage, make_row("f32-sum"), name, [1], "first", "-5:once")
    for name in ("clCreateBuffer", "clCreateCommandQueue", "clCreateKernel"):
        stage.submit(name, check_named_failure, stage, make_row("f32-sum"), name, [2], "first", "-5:once")


def suite_any_call(stage):
    """Whatever single call fails, under auto the stream is whole and a named device gives a prefix or everything."""
    def call_fails(row, number, total):
        run = stage.run(Settings(row, hold="clCreateContext", split=split_at(row, "first"), fail=f"any:{number}"))
        stage.same(run, row)
        run = stage.run(Settings(row, device=stage.named, fail=f"any:{number + total // 2}"))
        need(run.code in (0, 4), f"exit {run.code}: {run.command}\n{run.messages}")
        need(row.expected.startswith(run.out) and (run.code == 4 or run.out == row.expected),
             f"no prefix: {run.command}\n{difference(run.out, row.expected)}")

    def row_fails(row):
        total = len(stage.run(Settings(row, device=stage.named)).log.of("call"))
        for number in range(1, total // 2, max(1, total // 16)):
            stage.attempt(f"{row.name}, call {number}", call_fails, (row, number, total))

    for name in ("i32-sum", "text-f64"):
        stage.submit(name, row_fails, make_row(name))


SUITES = {name[len("suite_"):].replace("_", "-"): function for name, function in list(globals().items())
          if name.startswith("suite_")}


def main():
    """Runs the suites that are named."""
    parser = argparse.ArgumentParser(description="Streams that change engines.")
    parser.add_argument("--layer", required=True)
    parser.add_argument("--without-stats", action="store_true")
    parser.add_argument("--named", default="gpu")
    parser.add_argument("suites", nargs="+", choices=list(SUITES))
    given = parser.parse_args()
    stage = Stage(given.layer, not given.without_stats, given.named)
    for name in given.suites:
        SUITES[name](stage)
    return 0 if stage.close() else 1


if __name__ == "__main__":
    sys.exit(main())
