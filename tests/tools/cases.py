"""Runs random cases for the tools in this folder. Each of these has one function that runs one case."""
import random
import sys
import tempfile


def run(case, first=1):
    """Argument number `first`: the seed; the next one: how many cases. case(rng) raises AssertionError where the
    program is wrong. Returns the exit status."""
    seed, count = int(sys.argv[first]), int(sys.argv[first + 1])
    for i in range(count):
        try:
            case(random.Random(f"{seed} {i}"))
        except AssertionError as e:
            print(f"case {i}: {str(e)[:3000]}")
            return 1
    print(f"{count} cases, 0 wrong")
    return 0


def scan(rng, program, options, header, lines):
    """What program(data, *options) returns for a text: exit code, output, messages. By chance its lines come to a file
    bit by bit, and a run with --state reads what is new. The header comes with the first ones."""
    if rng.random() < 0.6 or "--total" in options:
        return program("".join([*header, *lines]).encode(), *options)
    places = sorted(rng.choices(range(len(lines) + 1), k=rng.choice([1, 1, 3])))
    output, messages = b"", ""
    with tempfile.TemporaryDirectory() as folder:
        for i, end in zip([0, *places], [*places, len(lines)]):
            with open(f"{folder}/in", "ab") as file:
                file.write("".join([*(header if file.tell() == 0 else []), *lines[i:end]]).encode())
            code, out, err = program(b"", *options, f"--state={folder}/state", f"{folder}/in")
            output += out
            messages += "".join(line for line in err.splitlines(True) if "nothing to do" not in line)
            if code != 0:
                break
    return code, output, messages
