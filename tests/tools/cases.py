"""Runs random cases for the tools in this folder. Each of these has one function that runs one case."""
import random
import sys


def run(case):
    """Argument 1: the seed; 2: how many cases. case(rng) raises AssertionError where the program is wrong. Returns the
    exit status."""
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    for i in range(count):
        try:
            case(random.Random(f"{seed} {i}"))
        except AssertionError as e:
            print(f"case {i}: {str(e)[:3000]}")
            return 1
    print(f"{count} cases, 0 wrong")
    return 0
