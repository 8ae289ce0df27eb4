#!/usr/bin/python3
"""peak_memory.py COMMAND [ARGUMENT]...: runs the command into /dev/null and prints its peak resident memory in bytes.

A process of its own, without numpy, because a child's peak begins with what its parent held when it was started.
"""
import os
import signal
import sys


def main() -> int:
    """Prints the peak; the exit status is the command's."""
    output = (os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)
    child = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ, file_actions=[output],
                            setsigdef=[signal.SIGPIPE, signal.SIGXFSZ])
    _, status, usage = os.wait4(child, 0)
    print(usage.ru_maxrss * 1024)
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main())
