#!/usr/bin/env python3
"""Days of a log that is read with --state, as cron does it. The log grows, is rotated by rename and by copytruncate,
and ends in half a line; rotated logs are compressed, often into the inode of an empty one; other files come compressed,
and runs are killed. Each line must count exactly once.
Otherwise the run must report why not, and leave the state as it was.

Usage: state_days.py SEED DAYS. PSCAN: the program. The expected result is kept here as numbers alone, independent of
the files.
"""
import gzip
import lzma
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

PSCAN = os.environ["PSCAN"]
ROTATED = 3  # log.1 to log.3 are kept
ENDS = ["", ".gz", ".xz"]  # of their names


class World:
    """A folder with a log, from its first day on."""

    def __init__(self, rng, folder):
        self.rng, self.folder = rng, folder
        self.whole_lines = rng.random() < 0.6
        self.standard = rng.random() < 0.15  # the log comes as standard input
        self.serial = rng.randrange(10**6)
        self.written = []  # the values of all lines that are complete
        self.taken = (0, 0)  # how many there were, and their sum, when a run last took them
        self.half = None  # the line that the log ends in without its end
        self.spoilt = None  # what was taken of a half line
        self.is_new = {f"log.{i}": False for i in range(1, ROTATED + 1)}  # whether that file may have lines that were not taken
        self.archives = self.compressed = 0
        self.days = 0
        self.kills = self.refusals = self.doubts = 0
        self.write(b"")

    def path(self, name):
        """A file's path."""
        return os.path.join(self.folder, name)

    def write(self, data):
        """Appends to the log."""
        with open(self.path("log"), "ab") as file:
            file.write(data)

    def line(self):
        """A line, and its value."""
        self.serial += self.rng.randrange(1, 5)
        value = self.rng.randrange(10, 10**12)
        return f"{self.serial:012d} {value} {'x' * self.rng.choice([0, 0, 5, 60])}\n".encode(), value

    def end_half(self):
        """The log's last line gets its end."""
        if self.half is not None:
            line, value, written = self.half
            self.write(line[written:])
            if line[written:] == b"\n":
                self.spoilt = None  # it was whole but for that
            self.written.append(value)
            self.half = None

    def grow(self):
        """Some lines; perhaps a half one at the end."""
        self.end_half()
        lines = [self.line() for _ in range(self.rng.choice([0, 1, 3, 40, 400]))]
        self.write(b"".join(line for line, _ in lines))
        self.written += [value for _, value in lines]
        if self.rng.random() < 0.3:
            line, value = self.line()
            written = self.rng.randrange(1, len(line))
            self.write(line[:written])
            self.half = (line, value, written)

    def rotate(self):
        """The log is log.1, in one way or the other. What is gone then was taken, or nothing is done."""
        if self.is_new[f"log.{ROTATED}"]:
            return
        self.end_half()
        for i in range(ROTATED, 1, -1):
            for end in ENDS:
                if i == ROTATED and os.path.exists(self.path(f"log.{i}{end}")):
                    os.remove(self.path(f"log.{i}{end}"))
                if os.path.exists(self.path(f"log.{i - 1}{end}")):
                    os.replace(self.path(f"log.{i - 1}{end}"), self.path(f"log.{i}{end}"))
            self.is_new[f"log.{i}"] = self.is_new[f"log.{i - 1}"]
        self.is_new["log.1"] = True
        if self.rng.random() < 0.5:
            os.replace(self.path("log"), self.path("log.1"))
            self.write(b"")
        else:
            shutil.copyfile(self.path("log"), self.path("log.1"))
            os.truncate(self.path("log"), 0)

    def compress(self):
        """A rotated log that was taken, as gzip and xz do it: the new file is there before the old one is removed. It
        may get an inode that was used before: the one of an empty file that a run has seen."""
        names = [name for name, is_new in self.is_new.items() if not is_new and os.path.exists(self.path(name))]
        if not names:
            return
        name = self.rng.choice(names)
        end = self.rng.choice(ENDS[1:])
        with open(self.path(name), "rb") as file:
            data = file.read()
        if os.path.exists(self.path("empty")) and self.rng.random() < 0.5:
            os.replace(self.path("empty"), self.path(name + end))
        with open(self.path(name + end), "wb") as file:
            file.write(gzip.compress(data) if end == ".gz" else lzma.compress(data))
        os.remove(self.path(name))
        self.compressed += 1

    def archive(self):
        """A file that comes compressed."""
        lines = [self.line() for _ in range(self.rng.choice([1, 30, 600]))]
        self.archives += 1
        with gzip.open(self.path(f"archive{self.archives:04d}.gz"), "wb") as file:
            file.write(b"".join(line for line, _ in lines))
        self.written += [value for _, value in lines]

    def inputs(self):
        """What a run is given: everything that is there."""
        archives = sorted(name for name in os.listdir(self.folder) if name.startswith("archive"))
        if self.rng.random() < 0.3:
            archives = archives[-3:]  # older ones were taken
        logs = [f"log.{i}{end}" for i in range(ROTATED, 0, -1) for end in ENDS if os.path.exists(self.path(f"log.{i}{end}"))]
        empty = ["empty"] if os.path.exists(self.path("empty")) else []
        return [*archives, *empty, *logs, "-" if self.standard else "log"]

    def command(self):
        """One run."""
        options = ["--whole-lines"] if self.whole_lines else []
        return [PSCAN, "-D", "none", "-q", "-f", "2", "-op", "count,sum", "-t", "i64", *options, "--state=state", "-o", "out", *self.inputs()]

    def start(self, command):
        """Starts it."""
        with open(self.path("log"), "rb") as log:
            return subprocess.Popen(command, cwd=self.folder, stdin=log, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def state(self):
        """Count and sum in the state."""
        shown = subprocess.run([PSCAN, "--show-state=state"], cwd=self.folder, capture_output=True, check=False)
        results = [int(line.split(b"\t")[1]) if b"-" not in line else 0 for line in shown.stdout.splitlines()
                   if line.startswith(b"result\t")]
        return tuple(results) if shown.returncode == 0 else (0, 0)

    def half_value(self):
        """What a run takes of the half line: None: nothing; "": it has no number."""
        if self.half is None or self.whole_lines:
            return None
        fields = self.half[0][:self.half[2]].split()
        return int(fields[1]) if len(fields) > 1 else ""

    def is_part_of_first_line(self):
        """Whether the log is a part of a line, which may be a part of another file's first line, too."""
        with open(self.path("log"), "rb") as file:
            return self.half is not None and self.half[2] < 13 and b"\n" not in file.read()

    def expect(self):
        """Exit code, and what the state holds then."""
        wanted = (len(self.written), sum(self.written))
        half = self.half_value()
        if self.spoilt is not None and self.half is None:
            return 2, self.taken
        if half == "" and self.spoilt is None:
            return 1, self.taken
        if half is not None:
            wanted = (wanted[0] + 1, wanted[1] + half)
        return 0, wanted

    def run(self):
        """A day's run, which may be killed and run again. Whether the world goes on."""
        code, wanted = self.expect()
        before = self.taken
        while self.rng.random() < 0.25:
            process = self.start(self.command())
            time.sleep(self.rng.uniform(0, 0.02))
            process.send_signal(signal.SIGKILL)
            process.communicate()
            self.kills += process.returncode == -signal.SIGKILL
            assert self.state() in (before, wanted), f"day {self.days}: killed: {self.state()}, not {before} or {wanted}"
        process = self.start(self.command())
        said = process.communicate()[1].decode()
        got = (process.returncode, self.state())
        alike = "another log that begins alike" in said or "begin with the same bytes, which were read before" in said
        if got == (2, before) and alike and self.is_part_of_first_line():
            self.refusals += 1
            return True
        if got == (2, before) and "another log that begins alike" in said:
            # Copied, renamed and cut between two runs: here all that begins alike is a copy.
            process = self.start([*self.command(), "--alike=copy"])
            said = process.communicate()[1].decode()
            got = (process.returncode, self.state())
            self.doubts += 1
        assert got == (code, wanted), f"day {self.days}: {got}, not {(code, wanted)}: {said}"
        if code == 2:
            assert "before it was complete" in said and "--whole-lines" in said, said
            self.refusals += 1
            return False
        if code == 0:
            self.taken = wanted
            self.spoilt = None if self.half_value() is None else self.half
            self.is_new = {name: False for name in self.is_new}
        return True

    def day(self):
        """What happens, and then the run."""
        self.days += 1
        for _ in range(self.rng.choice([1, 1, 2, 3])):
            happens = self.rng.random()
            if happens < 0.6:
                if self.spoilt is None:
                    self.grow()
                elif self.rng.random() < 0.5:
                    self.end_half()
            elif happens < 0.85 and self.spoilt is None:
                self.rotate()
            elif happens < 0.9:
                self.archive()
            elif happens < 0.96:
                self.compress()
            else:
                with open(self.path("empty"), "wb"):
                    pass
        return self.run()


def main():
    """Tries random worlds until this number of days has passed."""
    rng = random.Random(sys.argv[1])
    days = worlds = compressed = kills = refusals = doubts = 0
    while days < int(sys.argv[2]):
        with tempfile.TemporaryDirectory() as folder:
            world = World(rng, folder)
            last = rng.choice([5, 30, 60])
            worlds += 1
            while world.days < last and world.day():
                pass
            days += world.days
            compressed += world.compressed
            kills += world.kills
            refusals += world.refusals
            doubts += world.doubts
    print(f"{days} days of {worlds} logs, {compressed} compressed, {kills} runs killed, {refusals} refused, {doubts} in doubt: each line counted once")


if __name__ == "__main__":
    main()
