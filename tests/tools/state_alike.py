#!/usr/bin/env python3
"""Days of logs whose lines are often equal, read with --state. The logs grow, are cut, are rotated by rename, by
copytruncate and by a copy over the files of the day before, and are copied to a backup, whole or their first lines;
rotated logs and backups are compressed; inodes are used again. Each line must count exactly once. Otherwise the run
must name the file that it cannot identify, and --alike of that file decides; or a warning must name the file that was
taken for a copy.

Usage: state_alike.py SEED DAYS. PSCAN: the program. The expected result is kept here by the identity of the lines, not
by their text.

Cases that no program can recognise are left out: a file that was written anew between two runs and begins with all
that was read of it before; a file that has the name of a deleted one and begins with all that was read of that one (as
where a file is replaced); a file that begins with all that was read of a file that was cut since, as copytruncate
leaves its copy; and two copies that are both new, which are two files. But a file is no such case if what was read was
found in a compressed file since.
"""
import gzip
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

PSCAN = os.environ["PSCAN"]
ROTATED = 3


class Unseen(Exception):
    """Something that no program can see."""


class Undecided(Exception):
    """A run was refused, and neither value of --alike is right: a pipe must be used."""


class World:
    """A folder with a log, from its first day on."""

    def __init__(self, rng, folder):
        self.rng, self.folder = rng, folder
        self.lines = {}  # of each file: its lines, (identity, value)
        self.is_anew = {}  # whether a file was begun anew since a run took it
        self.taken = {}  # of each inode: the bytes that it had when a run last took it
        self.history = set()  # what was ever taken: (inode, bytes)
        self.compressed = 0  # how many files were
        self.named = {}  # of each name: that inode, when a run last took a file of that name
        self.counted = {}  # value of each line that counted, by identity
        self.serial = 0
        self.clock = 1577836800
        self.words = rng.choice([1, 2, 3])  # how many different lines there are
        self.days = self.doubts = self.warnings = 0
        self.write("log", [])

    def path(self, name):
        """A file's path."""
        return os.path.join(self.folder, name)

    def bytes(self, lines):
        """What lines are in a file."""
        return b"".join(b"n %d\n" % value for _, value in lines)

    def touch(self, name):
        """Time goes on."""
        self.clock += 60
        os.utime(self.path(name), (self.clock, self.clock))

    def write(self, name, lines):
        """A file's lines, in place."""
        with open(self.path(name), "wb") as file:
            file.write(gzip.compress(self.bytes(lines)) if name.endswith(".gz") else self.bytes(lines))
        self.touch(name)
        self.lines[name] = list(lines)
        self.is_anew[name] = True

    def grow(self):
        """The log gets some lines."""
        for _ in range(self.rng.choice([0, 1, 1, 2, 3])):
            self.serial += 1
            value = self.rng.randrange(1, self.words + 1) if self.rng.random() < 0.9 else 1000 + self.serial
            self.lines["log"].append((self.serial, value))
            with open(self.path("log"), "ab") as file:
                file.write(self.bytes(self.lines["log"][-1:]))
            self.touch("log")

    def are_counted(self, name):
        """Whether nothing is lost with a file."""
        return all(line in self.counted for line, _ in self.lines.get(name, []))

    def move(self, old, new):
        """Renames a file."""
        if old in self.lines:
            os.replace(self.path(old), self.path(new))
            self.lines[new] = self.lines.pop(old)
            self.is_anew[new] = self.is_anew.pop(old)

    def compress(self):
        """A rotated log is compressed; what is new in it, a run has taken."""
        names = [name for name in self.lines if re.fullmatch(r"log\.\d", name) and self.are_counted(name)]
        if names:
            name = self.rng.choice(names)
            self.write(f"{name}.gz", self.lines[name])
            os.remove(self.path(name))
            del self.lines[name]
            self.compressed += 1

    def rotate(self):
        """The log is log.1, in one way or another, perhaps compressed at once: then the new log has often its inode."""
        how = self.rng.choice(["rename", "rename", "copytruncate", "copytruncate", "copies", "gzip"])
        if not self.are_counted(f"log.{ROTATED}") or not self.are_counted(f"log.{ROTATED}.gz"):
            return
        if how == "gzip" and not self.are_counted("log"):
            return
        if how == "copies" and any(name.startswith("log.") and name.endswith(".gz") for name in self.lines):
            return
        if how == "copies":
            for i in range(ROTATED - 1, 0, -1):
                if f"log.{i}" in self.lines:
                    self.write(f"log.{i + 1}", self.lines[f"log.{i}"])
            self.write("log.1", self.lines["log"])
            self.write("log", [])
            return
        for name in [f"log.{i}{end}" for i in range(ROTATED, 0, -1) for end in ("", ".gz")]:
            if name.startswith(f"log.{ROTATED}") and name in self.lines:
                os.remove(self.path(name))
                del self.lines[name]
            elif name in self.lines:
                self.move(name, f"log.{int(name[4]) + 1}{name[5:]}")
        if how == "gzip":
            self.write("log.1.gz", self.lines["log"])
            os.remove(self.path("log"))
            self.compressed += 1
        elif how == "rename":
            self.move("log", "log.1")
        else:
            self.write("log.1", self.lines["log"])
        self.write("log", [])

    def happen(self):
        """Something."""
        what = self.rng.random()
        if what < 0.6:
            self.grow()
        elif what < 0.85:
            self.rotate()
        elif what < 0.92 and self.are_counted("log"):
            self.write("log", [])
        elif what < 0.95:
            part = len(self.lines["log"]) if self.rng.random() < 0.6 else self.rng.randrange(len(self.lines["log"]) + 1)
            self.write(self.rng.choice(["bak", "bak", "bak.gz"]), self.lines["log"][:part])
        elif what < 0.98:
            self.compress()

    def inode(self, name):
        """A file's inode."""
        return os.stat(self.path(name)).st_ino

    def forget(self, names):
        """What was taken of a file that is not as it was, and is now found in a compressed one, says no more of what
        follows with its inode or name. (Of several with the same lines no program knows which it was.)"""
        there = {self.inode(name): self.bytes(lines) for name, lines in self.lines.items()}
        for name in names:
            now = self.bytes(self.lines[name])
            had = {inode for inode, before in self.history if before == now and inode != self.inode(name)}
            if name.endswith(".gz") and self.is_anew[name] and len(had) == 1 and there.get(min(had)) != now:
                self.taken.pop(min(had), None)
                self.history -= {(inode, before) for inode, before in self.history if before == now}

    def check_seen(self, names):
        """Raises Unseen if one of them begins with what was taken of its inode, but was begun anew and those lines did
        not count."""
        self.forget(names)
        for name in names:
            before = self.taken.get(self.inode(name), b"")
            now = self.bytes(self.lines[name])
            if self.is_anew[name] and before and now.startswith(before):
                if not all(line in self.counted for line, _ in self.lines[name][:before.count(b"\n")]):
                    raise Unseen(name)
        there = {self.inode(name): self.bytes(lines) for name, lines in self.lines.items()}
        for name in names:
            for inode, before in self.history:
                was_cut = before and inode != self.inode(name) and inode in there and not there[inode].startswith(before)
                if was_cut and self.bytes(self.lines[name]).startswith(before):
                    if not all(line in self.counted for line, _ in self.lines[name][:before.count(b"\n")]):
                        raise Unseen(name)
        for name in names:
            before = self.taken.get(self.named.get(name), b"")
            if before and self.named[name] not in there and self.bytes(self.lines[name]).startswith(before):
                if not all(line in self.counted for line, _ in self.lines[name][:before.count(b"\n")]):
                    raise Unseen(name)
        new = [line for name in names for line, _ in self.lines[name] if line not in self.counted]
        for bak in [name for name in names if name.startswith("bak")]:
            if len(set(new)) < len(new):
                raise Unseen(bak)

    def state(self):
        """Count and sum in the state."""
        shown = subprocess.run([PSCAN, "--show-state=state"], cwd=self.folder, capture_output=True, check=False)
        results = [int(line.split(b"\t")[1]) if b"-" not in line else 0 for line in shown.stdout.splitlines() if line.startswith(b"result\t")]
        return tuple(results) if shown.returncode == 0 else (0, 0)

    def scan(self, names, alike=None):
        """Exit code, and message, of a run of these files."""
        option = [f"--alike={alike}"] if alike else []
        command = [PSCAN, "-D", "none", "-f", "2", "-op", "count,sum", "-t", "i64", *option, "--state=state", "-o", "out", *names]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, check=False)
        return done.returncode, done.stderr.decode()

    def expected(self, names):
        """Count and sum when each line of these files counts, too."""
        counted = self.counted | {line: value for name in names for line, value in self.lines[name]}
        return len(counted), sum(counted.values())

    def take(self, names):
        """A run has taken them."""
        for name in names:
            self.counted |= dict(self.lines[name])
            self.taken[self.inode(name)] = self.bytes(self.lines[name])
            self.history.add((self.inode(name), self.bytes(self.lines[name])))
            self.named[name] = self.inode(name)
            self.is_anew[name] = False

    def check_warnings(self, names, said, got):
        """A file that was taken for a copy is named. Raises Unseen if it is not a copy: the warning said so."""
        warned = re.findall(r"warning: (\S+): (?:decompressed, )?it (?:begins with|is) the \d+ bytes that were read from .* is taken for a copy of", said)
        if got != self.expected(names) and any(not self.are_counted(name) for name in warned):
            self.warnings += 1
            raise Unseen(warned)

    def decide(self, name, names):
        """One file is in doubt: with one of the two values of --alike each of its lines counts once, in a run that has
        the compressed files of before, too."""
        self.doubts += 1
        shutil.copy(self.path("state"), self.path("kept"))
        tried = []
        before = [other for other in names if other.endswith(".gz") and other != name and self.are_counted(other)]
        for alike, files in [(alike, files) for files in ([name], [*before, name]) for alike in ("new", "copy")]:
            code, said = self.scan(files, alike)
            tried.append((alike, code, self.state(), said))
            if code == 0 and self.state() == self.expected(files):
                self.take(files)
                return
            shutil.copy(self.path("kept"), self.path("state"))
        raise Undecided(f"day {self.days}: {name} in doubt: {tried}, not {self.expected([name])}")

    def run(self, names):
        """A run of these files, and what it refuses one by one."""
        known = dict(self.taken), set(self.history)
        self.check_seen(names)
        before = self.state()
        code, said = self.scan(names)
        if code == 2:
            self.taken, self.history = known  # it has not seen the compressed files
            assert self.state() == before, f"day {self.days}: changed by what was refused: {said}"
            one = re.search(r"pscan: (\S+): (?:it begins with|it may be|decompressed, it) .*--alike=new\)", said)
            two = re.search(r"pscan: (\S+) and (\S+) begin with the same bytes.*if one is a copy", said)
            assert one or two, said
            if one:
                self.decide(one[1], names)
            elif not any(line in self.counted for name in two.groups() for line, _ in self.lines[name]):
                # None is a copy.
                code, said = self.scan([two[1], two[2]], "new")
                if (code, self.state()) != (0, self.expected([two[1], two[2]])):
                    raise Undecided(f"day {self.days}: {two[1]} and {two[2]}: {code, self.state()}: {said}")
                self.take([two[1], two[2]])
            else:
                # The copy is the one of which more was counted, or which was.
                self.run([max(two[1], two[2], key=lambda name: sum(line in self.counted for line, _ in self.lines[name]))])
            self.run(names)
            return
        got = self.state()
        self.check_warnings(names, said, got)
        assert (code, got) == (0, self.expected(names)), f"day {self.days}: {code, got}, not {self.expected(names)}: {said}"
        self.take(names)

    def day(self):
        """What happens, and then the run."""
        for _ in range(self.rng.choice([1, 1, 2, 3])):
            self.happen()
        names = [name for i in range(ROTATED, 0, -1) for name in (f"log.{i}", f"log.{i}.gz") if name in self.lines] + ["log"]
        names += [name for name in ("bak", "bak.gz") if name in self.lines and self.rng.random() < 0.3]
        if self.rng.random() < 0.2:
            names = ["log"]
        self.run(names)
        self.days += 1


def main():
    """Tries random worlds until this number of days has passed."""
    rng = random.Random(sys.argv[1])
    days = worlds = compressed = doubts = warnings = unseen = undecided = 0
    while days < int(sys.argv[2]):
        with tempfile.TemporaryDirectory() as folder:
            world = World(rng, folder)
            last = rng.choice([5, 30, 60])
            worlds += 1
            try:
                while world.days < last:
                    world.day()
            except Unseen:
                unseen += 1
            except Undecided:
                undecided += 1
            days += world.days
            compressed += world.compressed
            doubts += world.doubts
            warnings += world.warnings
    print(f"{days} days of {worlds} logs that begin alike, {compressed} compressed: each line counted once; {doubts} files in doubt, {undecided} of them for a pipe; "
          f"left off where no program can see it: {unseen - warnings}, where a warning said so: {warnings}")


if __name__ == "__main__":
    main()
