#!/usr/bin/env python3
"""Random raw floats and arrays whose NaNs are kept or held, scanned by operators of users, and by argmax and argmin in
windows. pscan's output is compared with plain loops over Python's numbers; single scans also with pscan's output for
the same numbers as text. All values are small whole numbers, so sums are exact in every type and order.

    binary_nans.py SEED COUNT [DEVICE]

DEVICE (default cpu) scans by operators of users. Other operators sometimes run on the host. PSCAN: the program.
"""
import math
import os
import random
import struct
import subprocess
import sys
import tempfile

PSCAN = os.environ.get("PSCAN", "build/pscan")
NAN = math.nan
# Where there is no result: what stands there is no number; or nothing does.
MARK, NOTHING = "nan", None

EXTREMES = """typedef struct { double low, high; } state;
state lift(double x) { state s = {x, x}; return s; }
state combine(state a, state b) { state s = {fmin(a.low, b.low), fmax(a.high, b.high)}; return s; }
state emit(state s) { return s; }
"""
# Of two numbers of an element; neither is commutative.
RECURRENCE = """typedef struct { float a, b; } state;
state lift(float a, float b) { state s = {a, b}; return s; }
state combine(state x, state y) { state s = {y.a * x.a, y.a * x.b + y.b}; return s; }
float emit(state s) { return s.b; }
state identity(void) { state s = {1, 0}; return s; }
"""
PLACES = """typedef struct { long from, to; } state;
state lift(double x, ulong i) { state s = {(long)i, (long)i}; return s; }
state combine(state a, state b) { state s = {a.from, b.to}; return s; }
typedef struct { double length; long to; } result;
result emit(state s) { result r = {s.to - s.from + 1, s.to}; return r; }
"""


class Operator:
    """An operator: step takes a state, None at first, an element and its index, of those that take part, or if indexed
    of all, and gives the next state; results are a state's."""

    def __init__(self, words, step, results, identity=None, types=("f32", "f64"), inputs=1, count=1, floats=True, indexed=False, takes_seed=False):
        self.words, self.step, self.results, self.identity, self.types = words, step, results, identity, types
        self.inputs, self.count, self.floats, self.indexed, self.takes_seed = inputs, count, floats, indexed, takes_seed


def itself(state):
    """Of states that are results."""
    return [state]


def programs(directory):
    """Operators of users."""
    return [
        Operator(["-op", "a + b"], lambda s, x, i: (s or 0) + x, itself, takes_seed=True),
        Operator(["-op", "b + 0*a"], lambda s, x, i: x, itself, takes_seed=True),
        Operator(["--map=x + i % 3"], lambda s, x, i: (s or 0) + x + i % 3, itself, [0], indexed=True),
        Operator(["-op", "max", "--emit=s + n"], lambda s, x, i: (x if i == 0 else max(s[0], x), i + 1), lambda s: [s[0] + s[1]], [-math.inf]),
        Operator(["-op", f"@{directory}/extremes.cl"], lambda s, x, i: (min(s[0], x), max(s[1], x)) if s else (x, x), list, types=("f64",), count=2),
        Operator(["-op", f"@{directory}/recurrence.cl"], lambda s, x, i: x[0] * (s or 0) + x[1], itself, [0], ("f32",), 2),
        Operator(["-op", f"@{directory}/places.cl"], lambda s, x, i: (s[0] if s else i, i), lambda s: [s[1] - s[0] + 1, s[1]], types=("f64",), count=2,
                 floats=False, indexed=True),
    ]


def step_of(name):
    """One of the table's."""
    def greater(s, x, i):
        return (i, x) if s is None or x > s[1] else s

    def less(s, x, i):
        return (i, x) if s is None or x < s[1] else s
    return {"argmax": greater, "argmin": less, "max": lambda s, x, i: x if s is None else max(s, x), "sum": lambda s, x, i: (s or 0) + x,
            "count": lambda s, x, i: (s or 0) + 1}[name]


def listed(names):
    """Operators of the table, one after the other."""
    steps = [step_of(name) for name in names]
    begin = {"argmax": NOTHING, "argmin": NOTHING, "max": -math.inf, "sum": 0, "count": 0}

    def step(states, x, i):
        return [each(s, x, i) for each, s in zip(steps, states or [None] * len(steps))]
    return Operator(["-op", ",".join(names)], step, lambda states: [s[0] if isinstance(s, tuple) else s for s in states], [begin[name] for name in names],
                    count=len(names), floats=not set(names) & {"argmax", "argmin", "count"}, indexed=True)


class Scan:
    """A column's scan."""

    def __init__(self, c):
        self.c = c
        self.begin()

    def begin(self):
        """A new segment."""
        self.count, self.part, self.state = 0, [], self.c.seed
        first = [self.c.seed] if self.c.seed is not None else self.c.op.identity
        self.last = self.first = self.total = first if first is not None else [NOTHING] * self.c.op.count

    def push(self, x):
        """An element that takes part."""
        op, window = self.c.op, self.c.window
        i = self.count - 1 if op.indexed else len(self.part)
        self.part.append((x, i, self.count - 1))
        if window:
            self.look()
        else:
            self.state = op.step(self.state, x, i)
            self.last = op.results(self.state)
        self.total = self.last  # what a record without a number leaves in a window is no total

    def look(self):
        """What the window holds after the last record: of nothing no result is held."""
        op, state = self.c.op, None
        for x, i, place in self.part:
            if place > self.count - 1 - self.c.window:
                state = op.step(state, x, i)
        if state is not None:
            self.last = op.results(state)
        elif self.c.how == "keep" and self.part:
            self.last = [NOTHING] * op.count

    def resets(self, x):
        """Whether an element begins a segment."""
        c = self.c
        return self.count > 0 and (self.count == c.every or (c.at is not None and x == (c.at,)))

    def take(self, x):
        """What stands at the next element."""
        c = self.c
        there = not any(math.isnan(n) for n in x)
        before = self.last
        self.count += 1
        if there:
            self.push(x if c.op.inputs > 1 else x[0])
            return before if c.exclusive else self.last
        if c.exclusive and c.window:
            self.look()
        if c.how == "keep":
            return [MARK] * c.op.count
        if c.exclusive:
            return before
        return before if self.part else [MARK] * c.op.count


class Case:
    """A random case."""

    def __init__(self, rng, directory, number):
        self.directory = directory
        is_program = number % 3 > 0
        self.op = programs(directory)[number % 7] if is_program else None
        if not is_program:
            names = [rng.choice(["argmax", "argmin"])] + rng.sample(["argmax", "argmin", "max", "sum", "count"], rng.choice([0, 0, 1, 2]))
            self.op = listed(names)
        self.is_program = is_program
        self.window = 0 if is_program else rng.choice([0, 1, 2, 3, 17, 300, 10**6])
        self.type = rng.choice(self.op.types)
        self.columns = rng.choice([1, 1, 2, 3]) * self.op.inputs
        self.how = rng.choice(["keep", "hold"])
        self.seed = 7 if self.op.takes_seed and rng.random() < 0.5 else None
        self.exclusive = rng.random() < 0.4 and (self.op.identity is not None or self.seed is not None)
        self.total = rng.random() < 0.2
        self.every = rng.choice([0, 0, 0, 1, 3, 50, 4096, 7001])
        self.at = rng.choice([None, None, 3]) if self.op.inputs == 1 and (self.columns == 1 or not self.total) else None
        self.writes_text = not self.op.floats or rng.random() < 0.4
        self.is_npy = self.columns == 1 and rng.random() < 0.3
        self.has_keys = not self.is_npy and rng.random() < 0.25
        # After this many records the scan continues in another process.
        self.is_cut = not self.is_npy and not self.total and rng.random() < 0.25
        count = rng.choice([0, 1, 2, 30, 300, 5000, 9000])
        rate = rng.choice([0.001, 0.1, 0.5, 0.97])
        width = rng.choice([2, 50])
        self.records = [[self.draw(rng, i % self.op.inputs, rate, width) for i in range(self.columns)] for _ in range(count)]
        for _ in range(rng.choice([0, 1, 2])):  # whole stretches
            first = rng.randrange(count + 1)
            for record in self.records[first:first + rng.choice([5, 4500])]:
                record[rng.randrange(self.columns) if count < 1000 else 0] = NAN
        self.keys = [rng.randrange(4) if self.has_keys else 0 for _ in self.records]
        self.cut = rng.randrange(count + 1)
        self.extra = ["--chunk-size=" + rng.choice(["1K", "20K", "1M"]), "-T", rng.choice("123")]
        self.device = ["-D", DEVICE if is_program or rng.random() < 0.1 else "none"]
        self.shape = rng.choice(["cpu", "gpu"]) if is_program else ""

    def draw(self, rng, place, rate, width):
        """A number of an element; the first of two is a small factor."""
        if rng.random() < rate:
            return NAN
        return rng.randrange(-1, 2) if self.op.inputs > 1 and place == 0 else rng.randrange(-width, width + 1)

    def options(self):
        """But for what names the formats."""
        words = [*self.op.words, "--nan=" + self.how, *self.extra, *self.device]
        words += [] if self.op.words[-1].startswith("@") else ["-t", self.type]
        words += ["-e"] if self.exclusive else []
        words += [f"--seed={self.seed}"] if self.seed is not None else []
        words += ["--total"] if self.total else []
        words += [f"--reset-every={self.every}"] if self.every else []
        words += [f"--reset-at={self.at}"] if self.at is not None else []
        words += [f"--window={self.window}"] if self.window else []
        if self.has_keys:
            return [*words, "-g", "1", "-f", "2-", "-c", str(self.columns + 1)]
        return words + (["-c", str(self.columns)] if self.columns > 1 else [])

    def expected(self):
        """A list of results for each record, or of each total, after its key if there are keys."""
        lanes = self.columns // self.op.inputs
        keys, rows, totals = {}, [], []

        def total_of(key):
            return ([key] if self.has_keys else []) + [x for s in keys[key] for x in s.total]
        for key, record in zip(self.keys, self.records):
            elements = [tuple(record[i * self.op.inputs:(i + 1) * self.op.inputs]) for i in range(lanes)]
            scans = keys.setdefault(key, [Scan(self) for _ in range(lanes)])
            ends = [s.resets(x) for s, x in zip(scans, elements)]
            if any(ends):
                totals.append(total_of(key))
            for s, end in zip(scans, ends):
                if end:
                    s.begin()
            rows.append([x for s, element in zip(scans, elements) for x in s.take(element)])
        if self.is_one() and not keys:
            keys[0] = [Scan(self) for _ in range(lanes)]
        return totals + [total_of(key) for key in keys] if self.total else rows

    def is_one(self):
        """Whether all is one segment."""
        return not self.every and self.at is None and not self.has_keys

    def shown(self, rows):
        """As text."""
        def text(x):
            return "-" if x is NOTHING else x if x == MARK else "-inf" if x == -math.inf else str(int(x))
        begins = [[key] for key in self.keys] if self.has_keys and not self.total else [[]] * len(rows)
        return "".join(" ".join(map(text, begin + row)) + "\n" for begin, row in zip(begins, rows)
                       if self.total or any(x is not NOTHING for x in row))

    def packed(self, rows):
        """As bytes; a NaN is the canonical one."""
        code, none = ("f", b"\0\0\xc0\x7f") if self.type == "f32" else ("d", b"\0\0\0\0\0\0\xf8\x7f")
        return b"".join(none if x in (MARK, NOTHING) else struct.pack("<" + code, x) for row in rows for x in row)

    def write(self, name):
        """The input."""
        code = "f" if self.type == "f32" else "d"
        numbers = [x for key, record in zip(self.keys, self.records) for x in ([key] if self.has_keys else []) + record]
        head = b""
        if self.is_npy:
            text = f"{{'descr': '<f{struct.calcsize(code)}', 'fortran_order': False, 'shape': ({len(numbers)},), }}".ljust(117) + "\n"
            head = b"\x93NUMPY\1\0" + struct.pack("<H", len(text)) + text.encode()
        with open(name, "wb") as file:
            file.write(head + struct.pack(f"<{len(numbers)}{code}", *numbers))

    def run(self, words, given=None):
        """Exit code, standard output and error."""
        done = subprocess.run([PSCAN, *words], input=given, capture_output=True, check=False, env={**os.environ, "PSCAN_SHAPE": self.shape})
        return done.returncode, done.stdout, done.stderr.decode()

    def run_cut(self, words, name):
        """The same of two processes, through pipes: one file that begins as the one before it would be the same, and go
        on."""
        size = (self.columns + self.has_keys) * int(self.type[1:]) // 8
        with open(name, "rb") as file:
            content = file.read()
        done = []
        for part in content[:self.cut * size], content[self.cut * size:]:
            done.append(self.run(words, part))
        os.remove(os.path.join(self.directory, "state"))
        return max(done[0][0], done[1][0]), done[0][1] + done[1][1], done[0][2] + done[1][2]

    def compare(self):
        """Returns what is wrong, or None."""
        name = os.path.join(self.directory, "in")
        self.write(name)
        rows = self.expected()
        words = [*self.options(), *([] if self.is_npy else ["--format=binary"])]
        wanted = 0, self.shown(rows).encode() if self.writes_text else self.packed(rows), ""
        words.append("--output-format=" + ("text" if self.writes_text else "binary"))
        got = self.run([*words, name])
        if got == wanted and self.is_cut:
            words.append("--state=" + os.path.join(self.directory, "state"))
            got = self.run_cut(words, name)
        if got != wanted:
            return f"{' '.join(words)}: {got[0]} {got[2]} {difference(got[1], wanted[1])}"
        if self.window or not self.is_program or self.every or self.has_keys or not self.writes_text:
            return None
        with open(name, "w", encoding="ascii") as file:
            file.writelines(" ".join(map(str, record)) + "\n" for record in self.records)
        fields = ["-f", "1-" + str(self.columns)] if self.columns > 1 else []
        text = self.options()[:-2] if self.columns > 1 else self.options()
        got = self.run([*text, *fields, "--format=text", name])
        return None if got[:2] == wanted[:2] else f"as text: {' '.join(text)}: {got[0]} {got[2]} {difference(got[1], wanted[1])}"


def difference(got, wanted):
    """Where two outputs differ, in few words."""
    lines = got.split(b"\n"), wanted.split(b"\n")
    for i, (a, b) in enumerate(zip(*lines)):
        if a != b:
            return f"line {i + 1}: {a[:80]}, not {b[:80]}"
    return f"{len(got)} bytes, not {len(wanted)}"


def main():
    rng = random.Random(int(sys.argv[1]))
    count = int(sys.argv[2])
    wrong = 0
    with tempfile.TemporaryDirectory() as directory:
        for name, text in (("extremes", EXTREMES), ("recurrence", RECURRENCE), ("places", PLACES)):
            with open(os.path.join(directory, name + ".cl"), "w", encoding="ascii") as file:
                file.write(text)
        for number in range(count):
            told = Case(rng, directory, number).compare()
            if told is not None:
                wrong += 1
                print(f"case {number}: {told}")
    print(f"{count} cases, {wrong} wrong")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    DEVICE = sys.argv[3] if len(sys.argv) > 3 else "cpu"
    main()
