#!/usr/bin/python3
"""What pscan must output for text without -t: exact decimals, and after the end of exactness the f64 grid.

The exact part is computed in Python's integers; the part after the restart in f64 is grid_oracle.inclusive().

    decimal_oracle.py scan OPTION... < TOKENS               prints the expected results
    decimal_oracle.py check OPTION... -- TOKENS = RESULTS   oracle and pscan agree with RESULTS (which may be left out
                                                            with the =). Also with neutral elements strewn between the
                                                            TOKENS, so that changes fall on other tiles and chunks. On
                                                            the host, and in one kernel shape on PoCL. A last result
                                                            "!" stands for an error (exit status 1) at that place
    decimal_oracle.py checks < LINES                        the same for each line, whose arguments end with tabs
    decimal_oracle.py random SEED COUNT                     pscan against the oracle on COUNT random streams, on the
                                                            host and in both shapes

OPTIONs are pscan's: -op OP, -e, --include-initial, --total, --seed=V, -t dec. $PSCAN is the program.
"""
import math
import os
import random
import re
import subprocess
import sys
import tempfile
import zlib
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from fractions import Fraction
from typing import List, NamedTuple, Optional

SCALE_MAX = 18
LEAST, GREATEST = -(1 << 127), (1 << 127) - 1
FINITE = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
NUMBER = re.compile(r"[+-]?((\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|inf|infinity|nan)", re.IGNORECASE)
MARKS = ("NA", "N/A", "null", "-", "na", "#N/A", "None", "\\N")


def is_missing(token):
    """Whether it stands for no number: a mark or a NaN."""
    return token in MARKS or token.lower().lstrip("+-") == "nan"


# --- Numbers ---------------------------------------------------------------------------------------------------------

def decimal_text(mantissa, scale):
    """mantissa * 10^-scale with scale decimals."""
    digits = str(abs(mantissa)).rjust(scale + 1, "0")
    sign = "-" if mantissa < 0 else ""
    return sign + (f"{digits[:-scale]}.{digits[-scale:]}" if scale else digits)


def float_texts(values):
    """Floats as pscan writes them."""
    from grid_oracle import format_number, np  # numpy takes longer to start than most checks to run
    return [format_number(np.float64(x)) for x in values]


def scan_floats(op, values, seed):
    """The inclusive results on the f64 grid."""
    from grid_oracle import inclusive, np
    return inclusive(op, np.array(values, np.float64), None if seed is None else np.float64(seed)).tolist()


def parse_exact(token):
    """Returns (mantissa, scale) of a token, or None if it is not an exact decimal."""
    if FINITE.fullmatch(token) is None:
        return None
    number, _, exponent = token.lower().partition("e")
    held = max(-9999, min(9999, int(exponent or 0)))  # more is past 128 bits too, or no multiple of 1e-18
    sign, digits, exponent = Decimal(f"{number}e{held}").as_tuple()
    mantissa = int("".join(map(str, digits))) * 10 ** max(exponent, 0)
    scale = max(-exponent, 0)
    if scale > SCALE_MAX:
        mantissa, rest = divmod(mantissa, 10 ** (scale - SCALE_MAX))
        if rest:
            return None
    return -mantissa if sign else mantissa, min(scale, SCALE_MAX)


def parse_float(token):
    """The f64 of a token, or None for a finite literal that rounds to infinity."""
    value = float(token)
    return None if math.isinf(value) and "n" not in token.lower() else value


# --- Exact decimals --------------------------------------------------------------------------------------------------

EXACT = {
    "sum": lambda a, b: a + b, "prod": lambda a, b: a * b, "max": max, "min": min,
    "and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b,
}
IDENTITY = {"sum": "0", "prod": "1", "max": "-inf", "min": "inf", "and": "-1", "or": "0", "xor": "0"}
BITWISE = ("and", "or", "xor")


class Decimals:
    """One stream. After scan(): the inclusive results and error, the index of the token that ended it, or None."""

    def __init__(self, op, seed=None, strict=False):
        self.op = op
        self.strict = strict or op in BITWISE
        self.integers_only = op == "prod" or op in BITWISE
        self.total = None  # the mantissa of all so far
        self.scale = 0
        self.written = None  # of max and min: the earliest element that is the total, as (mantissa, scale)
        self.seed = None  # of the f64 grid
        self.exact = True
        self.results: List[str] = []
        self.error: Optional[int] = None
        self.initial = IDENTITY[op] if seed is None else self.take_seed(seed)

    def take_seed(self, text):
        """Begins with the seed and returns its text."""
        result = self.combined(text)
        if result is not None:
            return self.take(text, result)
        self.exact = False
        self.seed = parse_float(text)
        return float_texts([self.seed])[0]

    def combined(self, token):
        """The exact result with one more token as (mantissa, scale), or None if there is none: token, total or result
        need more than 128 bits at the scale of both."""
        exact = parse_exact(token)
        if exact is None or (self.integers_only and exact[1] > 0):
            return None
        scale = max(self.scale, exact[1])
        parts = [exact[0] * 10 ** (scale - exact[1])]
        if self.total is not None:
            parts.append(self.total * 10 ** (scale - self.scale))
            parts.append(EXACT[self.op](parts[1], parts[0]))
        return (parts[-1], scale) if all(LEAST <= part <= GREATEST for part in parts) else None

    def take(self, token, result):
        """Takes a token in, with which the exact result is that; returns its text."""
        self.total, self.scale = result
        if self.op not in ("max", "min"):
            return decimal_text(*result)
        if self.written is None or Fraction(self.written[0], 10**self.written[1]) != Fraction(result[0], 10**result[1]):
            self.written = parse_exact(token)
        return decimal_text(*self.written)

    def scan(self, tokens):
        """Takes all tokens up to the first that is an error."""
        for index, token in enumerate(tokens):
            result = self.combined(token) if self.exact else None
            if result is None:
                self.end_exact(tokens, index)
                break
            self.results.append(self.take(token, result))
        return self

    def end_exact(self, tokens, index):
        """The rest in f64, on a grid that begins at this element."""
        if self.exact and self.strict:
            self.error = index
            return
        if self.exact and self.total is not None:
            self.seed = float(Fraction(self.total, 10 ** self.scale))
        values = [parse_float(token) for token in tokens[index:]]
        if None in values:
            values = values[:values.index(None)]
            self.error = index + len(values)
        self.results += float_texts(scan_floats(self.op, values, self.seed))


class Expected(NamedTuple):
    """What pscan writes, and the index of the token that is an error, or None."""

    lines: List[str]
    error: Optional[int]


class Options:
    """pscan's options that name the computation."""

    def __init__(self, arguments):
        self.arguments = list(arguments)
        self.op = "sum"
        self.mode = "inclusive"
        self.seed = None
        self.strict = False
        rest = iter(self.arguments)
        for argument in rest:
            if argument == "-op":
                self.op = next(rest)
            elif argument == "-t":
                self.strict = next(rest) == "dec"
            elif argument.startswith("--seed="):
                self.seed = argument[len("--seed="):]
            elif argument == "-e":
                self.mode = "exclusive"
            elif argument in ("--include-initial", "--total"):
                self.mode = argument[2:]
            else:
                raise SystemExit("decimal_oracle.py: unknown option " + argument)

    def expected(self, tokens):
        """The results of tokens, with the marks (--missing=keep) at their places."""
        numbers = [index for index, token in enumerate(tokens) if not is_missing(token)]
        stream = Decimals(self.op, self.seed, self.strict).scan([tokens[index] for index in numbers])
        error = None if stream.error is None else numbers[stream.error]
        results = stream.results
        if self.mode == "total":
            return Expected(([stream.initial] + results)[-1:] if error is None else [], error)
        if self.mode == "exclusive":
            results = ([stream.initial] + results)[:len(results)]
        first = [stream.initial] if self.mode == "include-initial" else []
        left = iter(results)
        return Expected(first + [t if is_missing(t) else next(left) for t in tokens[:error]], error)


# --- pscan -----------------------------------------------------------------------------------------------------------

class Engine(NamedTuple):
    """Where pscan scans, and how it gets its input."""

    name: str
    device: str
    shape: str
    from_file: bool


ENGINES = (Engine("host", "none", "", True), Engine("CPU shape", "cpu", "cpu", False),
           Engine("GPU shape", "cpu", "gpu", False))


def run_pscan(engine, arguments, text):
    """The finished process."""
    command = [os.environ["PSCAN"], "-D", engine.device] + arguments
    environment = dict(os.environ, PSCAN_SHAPE=engine.shape) if engine.shape else os.environ
    if not engine.from_file:
        return subprocess.run(command, input=text.encode(), capture_output=True, env=environment, check=False)
    with tempfile.TemporaryFile() as file:
        file.write(text.encode())
        file.seek(0)
        return subprocess.run(command, stdin=file, capture_output=True, env=environment, check=False)


def difference(got, want):
    """The first place at which two lists differ, or None."""
    for index, (g, w) in enumerate(zip(got, want)):
        if g != w:
            return f"result {index} is {g}, not {w}"
    return None if len(got) == len(want) else f"{len(got)} results, not {len(want)}"


def compare(engine, arguments, text, expected, error_line):
    """Runs pscan and prints what is wrong. Returns whether nothing is. error_line: the line that the message must name,
    or None."""
    done = run_pscan(engine, arguments, text)
    messages = done.stderr.decode()
    problem = difference(done.stdout.decode().split("\n"), expected.lines + [""])
    if problem is None and done.returncode != (0 if expected.error is None else 1):
        problem = f"exit {done.returncode}: {messages}"
    if problem is None and expected.error is None and messages:
        problem = "says: " + messages
    if problem is None and error_line is not None and not re.search(rf"\bline {error_line}\b", messages):
        problem = f"names another line than {error_line}: {messages}"
    if problem is not None:
        print(f"{engine.name}: pscan {' '.join(arguments)}: {problem}", file=sys.stderr)
    return problem is None


def compare_all(engines, arguments, text, expected, error_line=None):
    """Whether pscan is right on every engine."""
    with ThreadPoolExecutor(len(engines)) as pool:
        return all(list(pool.map(lambda engine: compare(engine, arguments, text, expected, error_line), engines)))


NEUTRAL = {"sum": "0", "prod": "1", "and": "-1", "or": "0", "xor": "0"}
# So many neutral elements stand before each of the first tokens: changes fall on the first and last elements of runs
# and of tiles, several into one chunk, and chunks apart.
GAPS = (0, 15, 1, 4079, 0, 2050, 3, 4096, 700)


def strew(op, tokens):
    """The tokens with elements between them that change no result. (max and min: the first one again.)"""
    strewn = []
    for index, token in enumerate(tokens):
        gap = GAPS[index] if index < len(GAPS) else index % 7
        strewn += [NEUTRAL.get(op, tokens[0])] * gap + [token]
    return strewn


# --- Random streams --------------------------------------------------------------------------------------------------

def random_digits(generator, least, greatest):
    """Returns a text of least to greatest digits."""
    return "".join(generator.choice("0123456789") for _ in range(generator.randint(least, greatest)))


def random_profile(generator, op):
    """Returns the probabilities of the kinds of tokens. Tokens that end exactness are rare; otherwise most results
    would be f64."""
    bitwise = op in BITWISE
    return {
        "mark": generator.choice((0, 0, 0.05)),
        "float": 0 if bitwise else generator.choice((0, 0, 0.0002, 0.001)),
        "large": generator.choice((0, 0.0005, 0.005)),
        "digits": generator.choice((19, 30, 37) if bitwise else (19, 30, 37, 41)),
        "whole": generator.choice((1, 4, 12)),
        "fraction": 0 if bitwise else 0.001 if op == "prod" else generator.choice((0, 0.001, 0.3)),
        "scale": generator.choice((2, 4, 18)),
    }


def random_token(generator, profile):
    """A number of any kind, or a mark."""
    kind = generator.random()
    sign = generator.choice(("", "", "", "+", "-", "-"))
    if kind < profile["mark"]:
        return generator.choice(MARKS)
    kind -= profile["mark"]
    if kind < profile["float"]:
        return sign + generator.choice(("1e39", "2.5e-18", "inf", "nan", "1.0000000000000000001", "7E+200", "3e-320"))
    if kind < profile["float"] + profile["large"]:
        return sign + random_digits(generator, 15, profile["digits"])
    whole = random_digits(generator, 1, profile["whole"])
    if generator.random() >= profile["fraction"]:
        return sign + whole
    number = f"{sign}{whole}.{random_digits(generator, 1, profile['scale'])}"
    return number if generator.random() < 0.9 else f"{number}e{generator.randint(-2, 4)}"


def random_tokens(generator, op, count):
    """A stream; that of prod is mostly ones, so that it lasts."""
    profile = random_profile(generator, op)
    return [generator.choice(("1", "-1", "1", "+1")) if op == "prod" and generator.random() < 0.98
            else random_token(generator, profile) for _ in range(count)]


def random_options(generator):
    """An operator, a mode, perhaps strictness and a seed."""
    op = generator.choice(("sum", "sum", "sum", "max", "min", "prod", "and", "or", "xor"))
    arguments = ["-op", op] + generator.choice(([], [], [], ["-e"], ["--include-initial"], ["--total"]))
    strict = "-e" not in arguments and generator.random() < 0.15
    arguments += ["-t", "dec"] if strict else []
    if generator.random() < 0.3:
        seeds = ("7", "-3", "98765432109876543210")
        seeds += () if strict or op in BITWISE else ("0.50", "-1.125", "1e3", "1.5")
        arguments.append("--seed=" + generator.choice(seeds))
    return Options(arguments)


def random_lines(generator, tokens):
    """The tokens as text, one or several a line or in the second field of each, and the options for that."""
    style = generator.randrange(3)
    if style == 0:
        return "".join(token + "\n" for token in tokens), []
    if style == 1:
        return "".join(token + generator.choice(("\n", " ", "\t", " \n\n", "\r\n")) for token in tokens), []
    return "".join(f"key {token} {'x' * generator.randrange(9)}\n" for token in tokens), ["-f", "2"]


def check_random(seed):
    """One random stream on every engine."""
    generator = random.Random(seed)
    options = random_options(generator)
    tokens = random_tokens(generator, options.op, generator.choice((40, 2000, 9000, 14000)))
    text, layout = random_lines(generator, tokens)
    chunk = generator.choice(("32K", "512K", "512K", "4M"))
    arguments = options.arguments + layout + ["--missing=keep", "--chunk-size=" + chunk, "-T", generator.choice("123")]
    expected = options.expected(tokens)
    good = compare_all(ENGINES, arguments, text, expected)
    if not good:
        print(f"(random stream {seed})", file=sys.stderr)
    return good


# --- Commands --------------------------------------------------------------------------------------------------------

def command_scan(arguments):
    """Prints the expected results."""
    expected = Options(arguments).expected(sys.stdin.read().split())
    print("\n".join(expected.lines))
    return 0 if expected.error is None else 1


def command_check(arguments):
    """Compares the oracle, the literal results and pscan on every engine."""
    split = arguments.index("--")
    options = Options(arguments[:split])
    given, literal, results = " ".join(arguments[split + 1:]).partition("=")
    tokens = given.split()
    expected = options.expected(tokens)
    found = expected.lines + (["!"] if expected.error is not None else [])
    if literal and found != results.split():
        print("the oracle gives", *found, file=sys.stderr)
        return 1
    good = True
    # One of the shapes at most: starting a device is most of the time.
    strewn_on = ENGINES[:1]
    if os.environ.get("DECIMAL_DEVICES"):
        strewn_on += (ENGINES[1 + zlib.crc32(given.encode()) % 2],)
    for spread, engines in ((tokens, ENGINES[:1]), (strew(options.op, tokens), strewn_on)):
        expected = options.expected(spread)
        line = None if expected.error is None else expected.error + 1
        text = "".join(token + "\n" for token in spread)
        extra = ["--chunk-size=32K"] + (["--missing=keep"] if any(map(is_missing, tokens)) else [])
        good = compare_all(engines, options.arguments + extra, text, expected, line) and good
    return 0 if good else 1


def command_checks(_arguments):
    """Checks every line."""
    good = True
    for line in sys.stdin:
        arguments = line.split("\t")[:-1]
        if command_check(arguments) != 0:
            print("check", *arguments, file=sys.stderr)
            good = False
    return 0 if good else 1


def command_random(arguments):
    """Compares pscan and the oracle on random streams."""
    first, count = (int(argument) for argument in arguments)
    return 0 if all([check_random(seed) for seed in range(first, first + count)]) else 1


def main():
    """Runs a command."""
    commands = {"scan": command_scan, "check": command_check, "checks": command_checks, "random": command_random}
    if len(sys.argv) < 2 or sys.argv[1] not in commands:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    return commands[sys.argv[1]](sys.argv[2:])


if __name__ == "__main__":
    sys.exit(main())
