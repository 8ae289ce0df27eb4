#!/usr/bin/python3
"""numpy_cumsum.py IN OUT [COLUMNS]: numpy's running sum of raw float32, file to file; prints the seconds of the work
alone.

The interpreter's and numpy's own start are not counted.
"""
import sys
import time

import numpy as np


def main() -> int:
    """Reads, sums, writes, and prints how long that took."""
    start = time.perf_counter()
    elements = np.fromfile(sys.argv[1], np.float32)
    if len(sys.argv) > 3:
        elements = elements.reshape(-1, int(sys.argv[3]))
    np.cumsum(elements, axis=0, dtype=np.float32).tofile(sys.argv[2])
    print(time.perf_counter() - start)
    return 0


if __name__ == "__main__":
    sys.exit(main())
