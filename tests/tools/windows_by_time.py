"""Windows by time (--window=time:7d) by their definition: a record's window holds the records up to it whose times are
less than N before its own. Values are Python's decimals; for floats the blocks and the grid are those of windows.py's
models. Nothing is taken from pscan.

    windows_by_time.py tables SEED COUNT   random tables: keys, resets, missing numbers, several fields and operators
    windows_by_time.py bits SEED COUNT     floats, to the bit
    windows_by_time.py order SEED COUNT    times that fall
"""
import datetime
import decimal
import re
import sys
from fractions import Fraction

import numpy as np

import cases
import windows
from grid_oracle import DTYPES, canonical, format_number, inclusive
from grid_states import OPERATORS, elements_of, states

SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
SCALED = ("sum", "range", "delta", "drawdown")
PLACES = {"first": lambda w: 0, "last": lambda w: len(w) - 1, "lag": lambda w: len(w) - 2, "max": lambda w: w.index(max(w)),
          "min": lambda w: w.index(min(w)), "argmax": lambda w: w.index(max(w)), "argmin": lambda w: w.index(min(w))}
IDENTITY = {"sum": "0", "count": "0", "mean": "nan", "max": "-inf", "min": "inf"}
EXCLUSIVE = ("sum", "mean", "count", "max", "min", "argmax", "argmin", "lag")
OPS = ("sum", "mean", "count", *SCALED[1:], *PLACES)


def firsts_of(times, length):
    """The first record of each record's window."""
    firsts = []
    for i, time in enumerate(times):
        firsts.append(next(j for j in range(firsts[-1] if firsts else 0, i + 1) if time - times[j] < length))
    return firsts


class Lane:
    """The scan of one field under one operator, of one key between two resets."""

    def __init__(self, op, length, min_count, indices_count_all, exclusive):
        self.exclusive = exclusive
        self.op, self.length, self.min_count, self.counts_all = op, length, min_count, indices_count_all
        self.times, self.values, self.tokens, self.indices = [], [], [], []
        self.records = self.scale = 0
        self.shown = ""

    def take(self, time, token):
        """The result of the next number."""
        value = decimal.Decimal(token)
        before = self.result_of([t for t in self.times if time - t < self.length])
        self.times.append(time)
        self.values.append(value)
        self.tokens.append(token)
        self.indices.append(self.records if self.counts_all else len(self.indices))
        self.records += 1
        self.scale = max(self.scale, -value.as_tuple().exponent)
        self.shown = before if self.exclusive else self.result_of([t for t in self.times if time - t < self.length])
        return self.shown

    def result_of(self, window):
        """Of as many of the last numbers as there are times in the window."""
        if not window:
            return IDENTITY.get(self.op, "") if self.min_count == 0 else ""
        first = len(self.times) - len(window)
        return self.result(first, self.values[first:])

    def result(self, first, window):
        """Of a window."""
        if len(window) < self.min_count or (self.op in ("lag", "delta") and len(window) < 2):
            return ""
        if self.op == "count":
            return str(len(window))
        if self.op == "mean":
            return format_number(np.float64(float(Fraction(sum(window)) / len(window))))
        if self.op in SCALED:
            text = f"{windows.EXACT[self.op](first, window):.{self.scale}f}"
            return text.lstrip("-") if decimal.Decimal(text) == 0 else text
        at = first + PLACES[self.op](window)
        if self.op.startswith("arg"):
            return str(self.indices[at])
        return self.tokens[at]

    def lack(self, token, how):
        """What stands for the result of a record without a number."""
        self.records += 1
        return {"skip": "", "keep": token, "hold": self.shown or token}[how]


def draw_times(rng, count, unit):
    """Times as text, and as numbers of the kind that N is: seconds, or anything."""
    at = rng.randrange(978307200, 1924992000) if unit else rng.randint(-50, 10 ** 6)
    form = rng.choice(["iso", "iso", "fraction", "log", "epoch", "milliseconds", "two"]) if unit else "number"
    # (Times may stand still, and leap.)
    steps = rng.choice([[0, 1, 1, 2, 3], [0, 0, 0, 1], [1], [1, 59, 60, 61, 3600], [1, 1, 1, 1, 1, 5000, 90000], [3599, 3600, 3601, 86400]])
    texts, times = [], []
    for _ in range(count):
        at += rng.choice(steps) if unit or rng.random() < 0.9 else 0
        part = rng.randrange(1000) if form in ("fraction", "milliseconds") else 0
        time = Fraction(at) + Fraction(part, 1000)
        if times and time < times[-1]:
            time, at, part = times[-1], int(times[-1]), int(times[-1] % 1 * 1000)
        when = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=at)
        text = {"iso": lambda: when.isoformat(rng.choice("T ")) + rng.choice(["", "Z", "+00:00"]),
                "fraction": lambda: when.isoformat() + rng.choice([".", ","]).replace(",", ".") + f"{part:03d}",
                "log": lambda: when.strftime("%d/%b/%Y:%H:%M:%S +0000"), "epoch": lambda: str(at),
                "milliseconds": lambda: str(at * 1000 + part), "two": lambda: when.strftime("%Y-%m-%d,%H:%M:%S"),
                "number": lambda: str(at)}[form]()
        texts.append(text)
        times.append(time)
    return form, texts, times


def draw_token(rng, scale):
    """A number, or none."""
    if rng.random() < 0.15:
        return rng.choice(["", "NA"])
    digits = rng.randint(0, scale)
    text = f"{rng.randint(-10 ** (digits + 1), 10 ** (digits + 1)) / 10 ** digits:.{digits}f}"
    return text.lstrip("-") if decimal.Decimal(text) == 0 else text


def check_table(rng):
    """One table."""
    decimal.getcontext().prec = 80
    unit = rng.choice(["s", "m", "h", "d", ""])
    amount = rng.choice(["1", "2", "3", "10", "60", "0.5", "1.5", "100000"])
    length = Fraction(amount) * SECONDS.get(unit, 1)
    count = rng.choice([1, 5, 40, 300])
    form, texts, times = draw_times(rng, count, unit)
    fields = rng.choice([1, 1, 2])
    exclusive = rng.random() < 0.3
    ops = rng.sample(EXCLUSIVE if exclusive else OPS, rng.choice([1, 1, 2, 3]))
    how = rng.choice(["skip", "keep"] if exclusive else ["skip", "keep", "hold"])
    lacks = rng.random() < 0.5
    min_count = rng.choice([0, 0, 1, 2, 5])
    rows = []
    for i in range(count):
        tokens = [draw_token(rng, i // 60) for _ in range(fields)]
        rows.append([rng.choice("abc"), str(i * 3 // count), *(t if lacks or t not in ("", "NA") else "7" for t in tokens)])
    has_keys, has_resets, every = rng.random() < 0.4, rng.random() < 0.3, rng.choice([0, 0, 0, 7])
    every = 0 if lacks else every
    time = "t+u" if form == "two" else "t"
    names = (["t", "u"] if form == "two" else ["t"]) + ["k", "r"] + ["v", "w"][:fields]
    options = ["--csv", "-f", ",".join(names[-fields:]), "-op", ",".join(ops), "-a", f"--window={time}:{amount}{unit}",
               f"--chunk-size={rng.choice(['64', '4K', '1M'])}"]
    options += [f"--missing={how}"] if lacks or rng.random() < 0.3 else []
    options += [f"--min-count={min_count}"] if min_count else []
    options += ["-e"] if exclusive else []
    options += ["-g", "k"] if has_keys else []
    options += ["--reset-on=r"] if has_resets else []
    options += [f"--reset-every={every}"] if every else []
    lanes, before, want = {}, {}, []
    for text, at, row in zip(texts, times, rows):
        key = row[0] if has_keys else ""
        if has_resets and before.get(key, row[1]) != row[1]:
            lanes = {name: lane for name, lane in lanes.items() if name[0] != key}
        before[key] = row[1]
        cells = []
        for field, token in enumerate(row[2:]):
            for op in ops:
                name = (key, field, op)
                lane = lanes.get(name)
                if lane is None or (every and lane.records == every):
                    lane = lanes[name] = Lane(op, length, min_count, "--missing=skip" not in options and lacks, exclusive)
                cells.append(lane.lack(token, how) if token in ("", "NA") else lane.take(at, token))
        want.append(",".join([text, *row, *cells]))
    data = ",".join(names) + "\n" + "".join(",".join([text, *row]) + "\n" for text, row in zip(texts, rows))
    code, out, err = windows.run(data.encode(), *options)
    got = out.decode().splitlines()[1:]
    wrong = [(g, w) for g, w in zip(got, want) if g != w]
    assert code == 0 and len(got) == len(want) and not wrong, f"{options}\n{data}\n{code} {err} {len(got)} of {len(want)}\n{wrong[:5]}"


def blocks_of(firsts):
    """Where blocks begin: before the first record whose window does not hold the block's first one."""
    begins = [0]
    for i, first in enumerate(firsts):
        if first > begins[-1]:
            begins.append(i)
    return begins


def results_of(firsts, scan, mirrored, combine):
    """Suffixes of one block with prefixes of the next."""
    begins = blocks_of(firsts)
    results = []
    for number, begin in enumerate(begins):
        end = begins[number + 1] if number + 1 < len(begins) else len(firsts)
        prefixes = scan(begin, end)
        before = begins[number - 1] if number else begin
        suffixes = mirrored(before, begin)
        for i in range(begin, end):
            first = firsts[i]
            results.append(combine(suffixes[first - before], prefixes[i - begin]) if first < begin else prefixes[i - begin])
    return results


def check_bits(rng):
    """One array of times and numbers."""
    kind = rng.choice(["f32", "f64"])
    op = rng.choice(["sum", "sum", "mean", *(name for name in OPERATORS if name != "linrec")])
    count = rng.choice([1, 20, 300, 1500] if op in ("sum", "mean") else [1, 20, 100])
    length = rng.choice([1, 2, 16, 17, 100, 700])
    at, times = 0, []
    steps = rng.choice([[1], [0, 1, 1, 2], [0, 0, 1], [1, 1, 1, 40]])
    for _ in range(count):
        at += rng.choice(steps)
        times.append(at)
    firsts = firsts_of(times, length)
    elements = elements_of(DTYPES[kind], 1, count, rng.randrange(1000), op)
    numbers = np.array(elements, DTYPES[kind]).reshape(-1)
    with np.errstate(all="ignore"):
        if op in ("sum", "mean"):
            results = results_of(firsts, lambda b, e: inclusive("sum", numbers[b:e]),
                                 lambda b, e: inclusive("sum", numbers[b:e][::-1])[::-1] if e > b else [], lambda s, p: s + p)
            if op == "mean":
                results = [np.float64(r) / (i + 1 - firsts[i]) for i, r in enumerate(results)]
        else:
            of_operator = OPERATORS[op](DTYPES[kind])
            results = [of_operator.emit(s) for s in results_of(
                firsts, lambda b, e: list(states(of_operator, elements[b:e])),
                lambda b, e: list(states(windows.Mirrored(of_operator), elements[b:e][::-1]))[::-1] if e > b else [], of_operator.combine)]
        want = canonical(np.array(results, DTYPES[kind]))
    data = np.stack([np.array(times, DTYPES[kind]), numbers], 1).tobytes()
    options = ["--format=binary", "-t", kind, "-c", "2", "-f", "2", "-op", op, f"--window=1:{length}", f"--chunk-size={rng.choice(['64', '4K', '1M'])}"]
    code, out, err = windows.run(data, *options)
    got = np.frombuffer(out, DTYPES[kind])
    where = [i for i, (g, w) in enumerate(zip(got, want)) if g.tobytes() != w.tobytes()]
    assert code == 0 and len(got) == len(want) and not where, f"{options} {times}: {err} {where[:5]}"


def check_order(rng):
    """A time that falls ends the results before its record, if it is of the lane and segment of the one before."""
    count = rng.choice([2, 20, 200])
    times = [rng.randint(0, 5) + i for i in range(count)]
    keys = [rng.choice("ab") for _ in range(count)]
    has_keys = rng.random() < 0.5
    last, want, bad = {}, 0, None
    for i, (time, key) in enumerate(zip(times, keys)):
        key = key if has_keys else ""
        if time < last.get(key, time):
            bad = i
            break
        last[key] = time
        want += 1
    options = ["-f", "3", "--window=1:3", *(["-t", rng.choice(["f64", "i64"])] if rng.random() < 0.5 else []), *(["-g", "2"] if has_keys else []),
               "-op", rng.choice(["sum", "max", "argmin", "mean"]), f"--chunk-size={rng.choice(['64', '4K'])}"]
    data = "".join(f"{time} {key} {i % 5}\n" for i, (time, key) in enumerate(zip(times, keys)))
    code, out, err = windows.run(data.encode(), *options)
    assert len(out.splitlines()) == want and code == (0 if bad is None else 1), f"{options} {data}: {out} {err}"
    assert bad is None or re.search(rf"line {bad + 1}, field 1: --window: the time is before", err), f"{options} {data}: {err}"


if __name__ == "__main__":
    sys.exit(cases.run({"tables": check_table, "bits": check_bits, "order": check_order}[sys.argv[1]], 2))
