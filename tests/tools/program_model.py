"""Operators of users and their expected results: programs in files, expressions, and --map and --emit around operators
of the table.

What each computes is written a second time here: in Python's integers, combined from the first element to the last, and
for floats in numpy's scalars, combined in the grid's order (grid_states.py). Only the samples' text is shared with
pscan.
"""
import itertools
import os
import subprocess
import sys
from dataclasses import dataclass, field
from typing import Callable, Optional

import numpy as np

import grid_states
from grid_oracle import DTYPES, Scan, canonical, format_number, scan_elements

SAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "samples")


def sample(name):
    """The text of a sample."""
    with open(os.path.join(SAMPLES, name + ".cl"), encoding="ascii") as file:
        return file.read()


def record(*types):
    """Numbers packed: of an element, or of a result."""
    return np.dtype([(f"f{i}", t) for i, t in enumerate(types)])


@dataclass
class Operator:
    """lift(x, i), combine(a, b) and emit(s, x, i, n) are on tuples of numbers; begin is the lift of a seed. text: of a
    program, whose file the option names as {program}. exact: in any order of combination the same."""

    name: str
    options: tuple
    inputs: np.dtype
    results: np.dtype
    lift: Callable
    combine: Callable
    emit: Callable
    identity: Optional[tuple] = None
    text: Optional[str] = None
    exact: bool = True
    emits_inputs: bool = False
    begin: Optional[Callable] = None
    low: int = 0  # elements are whole numbers from low to below high
    high: int = 250
    scale: float = 1.0  # of floats, which are normal
    shown: tuple = field(default=())  # names of the results, in a header

    def begun(self, seed):
        """The state of a seed."""
        return (self.begin or self.lift)(seed, 0)

    def elements(self, generator, count):
        """Returns an array of this number of records."""
        out = np.zeros(count, self.inputs)
        for name in self.inputs.names:
            if self.inputs[name].kind == "f" and not self.exact:
                out[name] = generator.normal(0, self.scale, count)
            else:
                low = max(self.low, int(np.iinfo(self.inputs[name]).min) if self.inputs[name].kind != "f" else self.low)
                out[name] = generator.integers(low, self.high, count)
        return out

    def states(self, elements, seed):
        """The states of elements 0 to i."""
        lifted = [self.lift(x, i) for i, x in enumerate(elements)]
        begun = [] if seed is None else [self.begun(seed)]
        return list(itertools.accumulate(begun + lifted, self.combine))[len(begun):]

    def states_before(self, elements, seed):
        """Those of the elements before i."""
        return ([self.initial(seed)] + self.states(elements, seed))[:-1]

    def initial(self, seed):
        """The state of no elements."""
        return self.identity if seed is None else self.begun(seed)


class OfFloats(Operator):
    """What depends on the order of combination."""

    def states(self, elements, seed):
        class Grid:
            """As grid_states wants it."""
            lift, combine = self.lift, self.combine

        with np.errstate(all="ignore"):
            begun = None if seed is None else (seed, 0)
            return list(grid_states.states(Grid, list(zip(elements, range(len(elements)))), begun))


class OfTable(Operator):
    """--map and --emit around an operator of the table whose carry is wider than its state: combine is its name."""

    def states(self, elements, seed):
        scan, values = self.table(elements, seed)
        return [(x,) for x in scan_elements(scan, values).inclusive]

    def initial(self, seed):
        return (scan_elements(*self.table([], seed)).initial,)

    def table(self, elements, seed):
        """The scan, and its elements, which are mapped."""
        values = np.array([self.lift(x, i)[0] for i, x in enumerate(elements)], self.inputs["f0"])
        return Scan(self.combine, {4: "f32", 8: "f64"}[values.itemsize], seed=None if seed is None else str(seed[0])), values


def rows(array):
    """Records as tuples: of numpy's floats, and of Python's integers."""
    columns = [array[name] if array[name].dtype.kind == "f" else array[name].tolist() for name in array.dtype.names]
    return list(zip(*columns))


def scan(operator, elements, exclusive=False, include_initial=False, total=False, seed=None):
    """The results, records; exclusive, include_initial and total as the options have it."""
    given = rows(elements)
    first = 0
    if total and not given:
        states, given = [operator.initial(seed)], [None]
    elif include_initial:
        states, given = [operator.initial(seed)] + operator.states(given, seed), [None] + given
    elif exclusive and not total:
        states = operator.states_before(given, seed)
    else:
        states, first = operator.states(given, seed), 1
    places = range(len(given))[-1:] if total else range(len(given))
    with np.errstate(all="ignore"):
        results = [operator.emit(states[i], given[i], i, i + first) for i in places]
    out = np.zeros(len(results), operator.results)
    for k, name in enumerate(operator.results.names):
        out[name] = canonical(np.array([r[k] for r in results], operator.results[name]))
    return out


def texts(array):
    """Records as lists of texts."""
    return [[format_number(number) for number in row] for row in zip(*(array[name] for name in array.dtype.names))]


def as_lines(array, delimiter=" "):
    """A line for each record."""
    return "".join(delimiter.join(row) + "\n" for row in texts(array)).encode()


def beside(arrays):
    """Records of as many numbers as all of them have, one array's after the other's."""
    types = [array.dtype[name] for array in arrays for name in array.dtype.names]
    out = np.zeros(len(arrays[0]), record(*types))
    columns = [array[name] for array in arrays for name in array.dtype.names]
    for name, column in zip(out.dtype.names, columns):
        out[name] = column
    return out


def apart(array, dtype, count):
    """So many arrays, of which beside() makes this one."""
    out = [np.zeros(len(array), dtype) for _ in range(count)]
    for k, name in enumerate(array.dtype.names):
        out[k // len(dtype.names)][dtype.names[k % len(dtype.names)]] = array[name]
    return out


# --- Programs in files -----------------------------------------------------------------------------------------------

U32, U64 = 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF
FILE = ("-op", "@{program}")

AFFINE = """typedef struct { uint a, b; } state;
state lift(uint a, uint b) { state s = {a, b}; return s; }
state combine(state p, state q) { state s = {p.a * q.a, q.a * p.b + q.b}; return s; }
uint emit(state s) { return s.b; }
state identity(void) { state s = {1, 0}; return s; }
"""


def affine(p, q):
    """Of 32 bits: composed, not commutative."""
    return p[0] * q[0] & U32, q[0] * p[1] + q[1] & U32


MIXED = """/* Members of every size, and gaps between them. */
typedef struct { char seen; double weight; short low; uint a, b; ulong first; } state;
typedef struct { short low; double weight; ulong length; uint value; } shown;
state lift(short x, ulong i, uint y)
{
	state s = {1, y % 256u, x, 2u * y + 1u, (uint)x, i};
	return s;
}
state combine(state p, state q)
{
	state s = {p.seen & q.seen, p.weight + q.weight, min(p.low, q.low), p.a * q.a, q.a * p.b + q.b, p.first};
	return s;
}
shown emit(state s, short x, uint y, ulong n, ulong i)
{
	shown r = {s.seen ? s.low : x, s.weight, i - s.first + 1000 * n, s.b ^ y};
	return r;
}
"""


def mixed_combine(p, q):
    """As MIXED has it; the sums of doubles are whole numbers."""
    a, b = affine((p[2], p[3]), (q[2], q[3]))
    return p[0] + q[0], min(p[1], q[1]), a, b, p[4]


def matrices(p, q):
    """2x2, modulo the prime of the sample."""
    return tuple((p[2 * row] * q[column] + p[2 * row + 1] * q[2 + column]) % 998244353 for row in range(2) for column in range(2))


def parentheses(p, q):
    """States are how many are closed and how many open."""
    met = min(p[1], q[0])
    return p[0] + q[0] - met, p[1] + q[1] - met


def settled(a, b, rounds):
    """As samples/expensive.cl, with so many rounds."""
    half, tenth = np.float64(0.5), np.float64(0.1)
    for _ in range(rounds):
        a = a * a - half * a + tenth
        b = b * b - half * b + tenth
    return a + b


ROUNDS = 6
SETTLED_OF_TWO = sample("expensive").replace("i < 250", f"i < {ROUNDS}").split("double emit")[0] + """
typedef struct { double state, here; } pair;
pair emit(state s, double x, ulong i) { pair p = {s.x, x + i}; return p; }
"""


def linear(p, q):
    """y = a y + b of floats."""
    return q[0] * p[0], q[0] * p[1] + q[1]


def programs():
    """Those in files, by name."""
    listed = [
        Operator("affine", FILE, record("u4", "u4"), record("u4"), lambda x, i: x, affine, lambda s, *_: (s[1],), identity=(1, 0),
                 text=AFFINE, high=10 ** 9),
        Operator("mixed", FILE, record("i2", "u4"), record("i2", "f8", "u8", "u4"),
                 lambda x, i: (x[1] % 256, x[0], 2 * x[1] + 1 & U32, x[0] & U32, i), mixed_combine,
                 lambda s, x, i, n: (s[1], s[0], i - s[4] + 1000 * n & U64, s[3] ^ x[1]), text=MIXED, emits_inputs=True,
                 low=-9999, high=9999, shown=("low", "weight", "length", "value")),
        Operator("fibonacci", FILE, record("u8", "u8", "u8", "u8"), record("u8", "u8", "u8", "u8"),
                 lambda x, i: tuple(v % 998244353 for v in x), matrices, lambda s, *_: s, identity=(1, 0, 0, 1),
                 text=sample("fibonacci"), high=10 ** 12, shown=("a", "b", "c", "d")),
        Operator("hash", FILE, record("u1"), record("u8"), lambda x, i: (911382323, x[0] + 1),
                 lambda p, q: (p[0] * q[0] % 2147483647, (p[1] * q[0] + q[1]) % 2147483647), lambda s, *_: (s[1],),
                 identity=(1, 0), text=sample("polynomial_hash"), high=256),
        Operator("parentheses", FILE, record("u1"), record("u4", "u4"), lambda x, i: (int(x[0] == 41), int(x[0] == 40)), parentheses,
                 lambda s, *_: (s[1], s[0]), identity=(0, 0), text=sample("parentheses"), low=36, high=44,
                 shown=("depth", "unmatched")),
        OfFloats("recurrence", FILE, record("f8", "f8"), record("f8"), lambda x, i: x, linear, lambda s, *_: (s[1],),
                 identity=(np.float64(1), np.float64(0)), text=sample("recurrence"), exact=False),
        OfFloats("channel", FILE, record("f4", "f4", "f4"), record("f4"), lambda x, i: x[:2], linear, lambda s, x, *_: (x[2] * s[1],),
                 text=sample("state_space"), exact=False, emits_inputs=True),
        OfFloats("settled", FILE, record("f8"), record("f8"), lambda x, i: x, lambda p, q: (settled(p[0], q[0], ROUNDS),),
                 lambda s, *_: s, text=sample("expensive").replace("i < 250", f"i < {ROUNDS}"), exact=False, scale=0.3),
        OfFloats("settled of two", FILE, record("f8"), record("f8", "f8"), lambda x, i: x, lambda p, q: (settled(p[0], q[0], ROUNDS),),
                 lambda s, x, i, n: (s[0], x[0] + i), text=SETTLED_OF_TWO, exact=False, emits_inputs=True, scale=0.3),
    ]
    return {one.name: one for one in listed}


# --- Expressions -----------------------------------------------------------------------------------------------------

def wrapped(dtype, value):
    """An integer modulo the type's size."""
    bits = 8 * dtype.itemsize
    value &= (1 << bits) - 1
    return value - (1 << bits) if dtype.kind == "i" and value >> (bits - 1) else value


def of_integers(kind, text, combine, **settings):
    """An expression of two integers."""
    dtype = DTYPES[kind]
    one = record(dtype)
    return Operator(f"{text} of {kind}", ("-t", kind, "-op", text), one, one, lambda x, i: x,
                    lambda a, b: (wrapped(dtype, combine(a[0], b[0])),), lambda s, *_: s, **settings)


def of_floats(kind, text, combine, **settings):
    """One of two floats."""
    one = record(DTYPES[kind])
    return OfFloats(f"{text} of {kind}", ("-t", kind, "-op", text), one, one, lambda x, i: x,
                    lambda a, b: (combine(a[0], b[0]),), lambda s, *_: s, exact=False, **settings)


def quotient(a, b):
    """What a / b is built on: near enough the same in every order, to the bit in none."""
    return a + b - a * b / (a * a + type(a)(2))


def expressions():
    """Of every type."""
    whole = [of_integers("u64", "a*b % 1000003", lambda a, b: a * b % 1000003, low=1, high=10 ** 9),
             of_integers("i64", "a + b - 7", lambda a, b: a + b - 7, low=-10 ** 9, high=10 ** 9)]
    for kind in ("i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"):
        whole.append(of_integers(kind, "a ^ b ^ 5", lambda a, b: a ^ b ^ 5, high=100))
        whole.append(of_integers(kind, "max(a, b)", max, high=100))
    for kind in ("f32", "f64"):
        whole.append(of_floats(kind, "a*b", lambda a, b: a * b))
        whole.append(of_floats(kind, "a + b", lambda a, b: a + b))
        whole.append(of_floats(kind, "a + b - a*b", lambda a, b: a + b - a * b, scale=0.1))
        whole.append(of_floats(kind, "a + b - a*b / (a*a + 2)", quotient))
    return whole


# --- Around the table ------------------------------------------------------------------------------------------------

def mapped(kind, op, combine, identity):
    """Of integers, with the index in the map and the element in the result."""
    dtype = DTYPES[kind]
    one = record(dtype)
    cast = {"u64": "i", "i64": "(long)i", "i32": "(int)i", "u32": "(uint)i"}[kind]
    return Operator(f"mapped {op} of {kind}", ("-t", kind, "-op", op, f"--map=x*x - {cast}", "--emit=s*2 + x"), one, one,
                    lambda x, i: (wrapped(dtype, x[0] * x[0] - wrapped(dtype, i)),),
                    lambda a, b: (wrapped(dtype, combine(a[0], b[0])),),
                    lambda s, x, i, n: (wrapped(dtype, s[0] * 2 + x[0]),),
                    identity=(identity,), begin=lambda x, i: x, emits_inputs=True, high=30000)


def around_table():
    """--map and --emit."""
    listed = [mapped("i64", "sum", lambda a, b: a + b, 0), mapped("u32", "sum", lambda a, b: a + b, 0),
              mapped("i32", "max", max, -2 ** 31), mapped("u64", "xor", lambda a, b: a ^ b, 0)]
    for kind in ("f32", "f64"):
        number = DTYPES[kind].type
        one = record(DTYPES[kind])
        listed.append(OfTable(f"mapped sum of {kind}", ("-t", kind, "-op", "sum", "--map=x*x", "--emit=s / (n + 1) - x"), one, one,
                              lambda x, i: (x[0] * x[0],), "sum",
                              lambda s, x, i, n, number=number: (s[0] / number(n + 1) - x[0],),
                              emits_inputs=True, begin=lambda x, i: x, exact=False))
    return listed



# --- The same bits ---------------------------------------------------------------------------------------------------

CHUNKS = ("1", "48K", "100K", "1M")


def run(operator, program, source, shape, options, seed):
    """What pscan writes, or its messages."""
    arguments = [os.environ["PSCAN"], "--format=binary", *(option.format(program=program) for option in operator.options), *options]
    arguments += [] if seed is None else [f"--seed={','.join(str(x) for x in seed)}"]
    with open(source, "rb") as file:
        piped = {"input": file.read()} if "piped" in options else {"stdin": file}
        arguments = [word for word in arguments if word != "piped"]
        done = subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                              env={**os.environ, "PSCAN_SHAPE": shape}, **piped)
    return done.stdout if done.returncode == 0 else done.stderr


def main():
    """program_model.py DIRECTORY: programs of floats of + - * / in both shapes, from a file and a pipe, in chunks of
    every size, against this. Prints how many runs there were and how many were wrong."""
    directory = sys.argv[1]
    runs = wrong = 0
    for number, operator in enumerate(one for one in [*programs().values(), *expressions(), *around_table()] if not one.exact):
        generator = np.random.default_rng(number)
        elements = operator.elements(generator, 20001)
        program, source = os.path.join(directory, "program.cl"), os.path.join(directory, "in")
        with open(program, "w", encoding="ascii") as file:
            file.write(operator.text or "")
        elements.tofile(source)
        seed = rows(operator.elements(generator, 1))[0]
        for exclusive in (False, True):
            want = scan(operator, elements, exclusive=exclusive, seed=seed if exclusive else None).tobytes()
            for shape in ("cpu", "gpu"):
                for k, chunk in enumerate(CHUNKS):
                    options = ["-e"] * exclusive + [f"--chunk-size={chunk}"] + ["piped"] * ((k + exclusive + (shape == "gpu")) % 2)
                    runs += 1
                    if run(operator, program, source, shape, options, seed if exclusive else None) != want:
                        wrong += 1
                        print(f"{operator.name}, {shape} shape, {' '.join(options)}: other bytes")
    print(f"{runs} runs, {wrong} wrong")
    return 0 if runs > 0 and wrong == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
