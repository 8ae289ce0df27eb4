"""What a stored row reports of its origin: machine, device, driver, date, commit."""
import os
import subprocess
import sys
import time

from rows import Row

HERE = os.path.dirname(os.path.abspath(__file__))


def cpu_model() -> str:
    """The processor's name."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        for line in file:
            name, _, value = line.partition(":")
            if name.strip() in ("model name", "Model"):
                return " ".join(value.split())
    return os.uname().machine


def git(*arguments: str) -> str | None:
    """What a git command prints about this tree; None if it fails or there is no git."""
    try:
        done = subprocess.run(["git", "-C", HERE, *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              check=False)
    except FileNotFoundError:
        return None
    return done.stdout.decode().strip() if done.returncode == 0 else None


def commit() -> str:
    """The commit, with -dirty if the tree differs (results apart); BENCH_COMMIT where there is no repository."""
    named = os.environ.get("BENCH_COMMIT")
    if named:
        return named
    head = git("rev-parse", "--short=10", "HEAD")
    if not head:
        return "unknown"
    changes = git("status", "--porcelain", "--", ":/", ":(exclude,top)tests/bench/results")
    return head if changes == "" else head + "-dirty"


class Machine:
    """This machine, its OpenCL devices and the program's commit, looked up once."""

    def __init__(self) -> None:
        script = os.path.join(HERE, "opencl_devices.py")
        done = subprocess.run([sys.executable, script], stdout=subprocess.PIPE, check=True)
        self.devices = [line.split("\t") for line in done.stdout.decode().splitlines()]
        self.name = cpu_model()
        self.cores = len(os.sched_getaffinity(0))
        self.commit = commit()

    def has(self, device: str) -> bool:
        """True if the device that -D takes by this name is there."""
        return device in ("none", "auto") or any(kind == device for kind, _, _ in self.devices)

    def facts(self, device: str) -> Row:
        """The columns that every row begins with."""
        name, driver = {"none": "host", "auto": "auto"}.get(device, device), "-"
        for kind, device_name, device_driver in self.devices:
            if kind == device:
                name, driver = device_name, device_driver
                break
        return {"machine": self.name, "cores": str(self.cores), "device": name, "driver": driver,
                "date": time.strftime("%Y-%m-%dT%H:%MZ", time.gmtime()), "commit": self.commit}
