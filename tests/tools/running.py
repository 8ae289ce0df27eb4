"""Runs pscan as tests need it: on data from a pipe, or with a shell's signal settings and watched while it runs."""
import itertools
import os
import signal
import subprocess
import time

PSCAN = os.environ["PSCAN"]
# What takes that long hangs, however slow and busy the machine is.
LIMIT_S = 1200


def run(data, *options):
    """Status, output and messages of pscan on data from a pipe."""
    done = subprocess.run([PSCAN, *options], input=data, capture_output=True, timeout=LIMIT_S)
    return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace")


def default_signals():
    """Sets signals as a shell sets them, whatever the caller has set."""
    for number in signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGPIPE:
        signal.signal(number, signal.SIG_DFL)


def start(*arguments, **settings):
    """Begins pscan with a pipe at each end, unless the settings say otherwise."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen([PSCAN, *arguments], bufsize=0, preexec_fn=default_signals, **{**pipes, **settings})


def wait_for(condition, seconds=LIMIT_S):
    """Waits until the condition holds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.005)


def totals(text):
    """The running totals of integers, a line each."""
    return b"".join(b"%d\n" % total for total in itertools.accumulate(map(int, text.split())))
