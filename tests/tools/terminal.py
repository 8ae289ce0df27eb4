"""Runs pscan on a terminal of its own and reads what its user sees there; and sends questions to a running pscan."""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time

import running

# The line of --progress and SIGUSR1, as its parts: percent, bytes, elements, rate, time left, time in all.
LINE = re.compile(r"pscan: (?:(\d+)%, )?(\d+) bytes, (\d+) elements, (\d+(?:\.\d+)? [kMGTPE]?B/s)"
                  r"(?:, ((?:\d+:)?\d+:\d\d) left)?(?:, in ((?:\d+:)?\d+:\d\d))?")


def parts_of(line):
    """Percent (or None), bytes and elements of a line, which must be nothing but such a line."""
    match = LINE.fullmatch(line)
    assert match, line
    return match[1] and int(match[1]), int(match[2]), int(match[3])


class Screen:
    """A terminal that knows what is printed and CR, LF and BS, and no escape sequence. Lines that it wraps are noted.
    """

    def __init__(self, columns):
        self.columns = columns
        self.rows = [""]
        self.column = 0
        self.wrapped = False
        self.raw = b""

    def feed(self, data):
        self.raw += data
        for byte in data:
            if byte == 0x0d:
                self.column = 0
            elif byte == 0x0a:
                self.rows.append("")
                self.column = 0
            elif byte == 0x08:
                assert self.column > 0, "before the first column"
                self.column -= 1
            else:
                assert 0x20 <= byte < 0x7f, byte
                self.put(chr(byte))

    def drawn(self):
        """What was drawn and written so far, a whole line each, in order. (A terminal may give a line in pieces, so
        what stands in a row at some moment may be parts of two.)"""
        lines = re.split(b"[\r\n]", self.raw)[:-1]
        return [text for line in lines if (text := line.decode("ascii").rstrip(" \b"))]

    def put(self, character):
        if self.column == self.columns:
            self.wrapped = True
            self.rows.append("")
            self.column = 0
        row = self.rows[-1]
        self.rows[-1] = row[:self.column] + character + row[self.column + 1:]
        self.column += 1

    def text(self):
        """The rows without the blanks at their ends, and without empty ones at the end of all."""
        return "\n".join(row.rstrip() for row in self.rows).rstrip("\n").split("\n")


class OnTerminal:
    """pscan with its messages on a terminal that controls it; other descriptors as the settings say. One at a time.
    This process leads the session: at the end of one that leads the kernel drops what is on its way to the terminal's
    reader."""

    def __init__(self, *arguments, columns=80, results_too=False, **settings):
        self.screen = Screen(columns)
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("4H", 24, columns, 0, 0))
        if results_too:
            settings["stdout"] = slave
        self.slave = slave
        if os.getsid(0) != os.getpid():
            os.setsid()
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)

        def come_to_the_foreground():
            os.setpgrp()
            os.tcsetpgrp(slave, os.getpid())
            signal.signal(signal.SIGTTOU, signal.SIG_DFL)
            running.default_signals()

        settings = {"stdin": running.subprocess.PIPE, "stdout": running.subprocess.PIPE, **settings}
        self.process = running.subprocess.Popen([running.PSCAN, *arguments], bufsize=0, stderr=slave,
                                                preexec_fn=come_to_the_foreground, **settings)

    def resize(self, columns):
        """As a user does who pulls at the window, which has no wide rows then."""
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("4H", 24, columns, 0, 0))
        self.screen.columns = columns

    def look(self, seconds=0.02):
        """Takes in what comes within that time."""
        while select.select([self.master], [], [], seconds)[0]:
            try:
                self.screen.feed(os.read(self.master, 4096))
            except OSError:
                return

    def look_until(self, condition, seconds=running.LIMIT_S):
        """Looks until the condition, a function of the screen, holds."""
        end = time.monotonic() + seconds
        while not condition(self.screen):
            assert time.monotonic() < end, self.screen.rows
            self.look()

    def finish(self):
        """Waits for the end. Returns the status and what is on the screen then."""
        status = None
        while status is None:
            self.look()
            status = self.process.poll()
        self.look()
        fcntl.ioctl(self.slave, termios.TIOCNOTTY)
        os.close(self.slave)
        self.look()  # until the terminal says that this was all
        os.close(self.master)
        return status, self.screen.text()


def answers(process):
    """Waits until the process would answer SIGUSR1, or has ended."""
    def has_handler():
        with open(f"/proc/{process.pid}/status", encoding="ascii") as file:
            caught = int(re.search(r"^SigCgt:\t(.*)$", file.read(), re.M)[1], 16)
        return caught >> signal.SIGUSR1 - 1 & 1
    running.wait_for(lambda: process.poll() is not None or has_handler())


def ask(process):
    """The line that a pscan with its messages in a pipe answers to SIGUSR1."""
    process.send_signal(signal.SIGUSR1)
    line = b""
    while not line.endswith(b"\n"):
        byte = os.read(process.stderr.fileno(), 1)
        assert byte, line
        line += byte
    return line.decode("ascii").rstrip("\n")


def ask_until(process, wanted, seconds=running.LIMIT_S):
    """Asks until percent, bytes and elements are those, or are what the function says of the line: a result may be seen
    a moment before it is counted, and bytes a moment before elements. Returns all answers."""
    is_wanted = wanted if callable(wanted) else lambda line: parts_of(line) == wanted
    seen = []
    end = time.monotonic() + seconds
    while not seen or not is_wanted(seen[-1]):
        assert time.monotonic() < end, (seen[-1], wanted)
        seen.append(ask(process))
    return seen
