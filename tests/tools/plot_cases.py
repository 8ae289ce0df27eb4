"""The SVG files of --plot, compared with a model: results computed here, and the least and the greatest result of each
range. The numbers at the picture's own axes give the meaning of its coordinates.
"""
import itertools
import os
import re
import subprocess
import sys
import tempfile
from fractions import Fraction
from html import unescape
from pathlib import Path

import numpy as np

from running import PSCAN

RANGES = 2048
CURVES = 10
KEY_RANGES = 1 << 19  # of all keys' curves together, besides one of each
NONE = float("nan")
MANY = os.environ.get("MANY") == "1"  # twice as many lines of the most keys


class Picture:
    """Curves as lists of pieces, each a list of points; axes as functions from number to coordinate."""

    def __init__(self, text, has_numbers=True):
        """has_numbers: numbers are along the picture, not times."""
        self.text = text
        assert text.startswith("<svg xmlns=") and text.endswith("</svg>\n"), text[:80]
        body, _, legend = text.rpartition("</desc>")[2].partition('h16"/>')
        self.names = [unescape(name) for name in re.findall(r'h16"/><text[^>]*>([^<]*)<', text)]
        assert unescape(re.search("<title[^>]*>(.*)</title>", text)[1]) == ", ".join(self.names)
        self.note = (re.findall(r'</text>\n<text[^>]*>(\([^<]*\))</text>\n</svg>', text) or [None])[0]
        self.along = has_numbers and self.axis(re.findall(r'class="along" x="([0-9.]+)" y="\d+">([^<]*)<', text))
        self.up = self.axis(re.findall(r'class="up" x="\d+" y="([0-9.]+)">([^<]*)<', text), 4)
        self.curves = {}
        for number, band, path in re.findall(r'<path class="c(\d)( band)?" d="(M[^"]*)"/>\n', text):
            for piece in re.findall("M[^M]*", path):
                self.curves.setdefault(int(number), []).append(self.piece(piece, bool(band)))
        for pieces in self.curves.values():
            pieces.sort()

    def up_one(self, number):
        return float(self.up(np.array([float(number)]))[0])

    @staticmethod
    def axis(ticks, shift=0):
        """From the coordinates and the numbers of its ticks, the first and the last of which are far apart. It takes an
        array of numbers."""
        places = [(Fraction(number), float(place) - shift) for place, number in ticks]
        (a, x), (b, y) = places[0], places[-1]

        def place_of(numbers):
            largest = max([abs(a), abs(b), Fraction(float(np.abs(numbers).max()))])
            if largest < 10**300 and abs(b - a) > largest / 10**6:  # floats have digits enough
                return x + (numbers - float(a)) / float(b - a) * (y - x)
            return np.array([x + float((Fraction(number) - a) / (b - a)) * (y - x) for number in numbers.tolist()])
        for number, place in places:
            assert abs(x + float((number - a) / (b - a)) * (y - x) - place) < 0.011, ticks
        return place_of

    @staticmethod
    def piece(path, is_band):
        """Its points: x, y of the greatest, y of the least."""
        place = r"\d+(?:\.\d\d?)?"
        assert re.fullmatch(f"M{place} {place}(?:L{place} {place})*Z?", path), path
        points = [tuple(map(float, point.split(" "))) for point in re.split("[MLZ]", path) if point]
        if not is_band:
            assert path.endswith("Z") == (len(points) == 1), path
            return [(x, y, y) for x, y in points]
        half = len(points) // 2
        assert path.endswith("Z") and len(points) == 2 * half, path
        return [(x, y, below) for (x, y), (_, below) in zip(points[:half], reversed(points[half:]))]


def ranges_of(results, width, end):
    """Of results (NaN: none) the middle index, the greatest and the least of each range, as rows of an array, and which
    ranges are gaps. The longest curve has indices up to end."""
    results = np.asarray(results, dtype=float)
    firsts = np.arange(0, len(results), width)
    finite = np.isfinite(results)
    if len(results) == 0:
        return np.zeros((0, 3)), np.zeros(0, bool)
    greatest = np.maximum.reduceat(np.where(finite, results, -np.inf), firsts)
    least = np.minimum.reduceat(np.where(finite, results, np.inf), firsts)
    return np.stack([(firsts + np.minimum(firsts + width, end) - 1) / 2, greatest, least], 1), greatest < least


def check(picture, curves, names, width=1, note=None):
    """width: the least one of a range."""
    assert picture.names == names, (picture.names, names)
    assert picture.note == note, (picture.note, note)
    end = max(map(len, curves))
    while end > RANGES * width:
        width *= 2
    for number, results in enumerate(curves):
        ranges, gaps = ranges_of(results, width, end)
        pieces = [piece[1:] if gap else piece for piece, gap in zip(
            np.split(ranges, np.flatnonzero(gaps)), [False] + [True] * int(gaps.sum()))]
        pieces = [piece for piece in pieces if len(piece)]
        drawn = picture.curves.get(number, [])
        assert [len(p) for p in drawn] == [len(p) for p in pieces], (number, [len(p) for p in drawn], [len(p) for p in pieces])
        for one, other in zip(map(np.array, drawn), pieces):
            places = np.stack([picture.along(other[:, 0]), picture.up(other[:, 1]), picture.up(other[:, 2])], 1)
            assert np.allclose(one, places, rtol=0, atol=0.011), (number, one[:5], places[:5])
            x, high, low = one.T
            assert (x >= 90).all() and (x <= 780).all() and (high <= low).all() and (low <= 360).all(), one


def draw(options, data, results=None):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "picture.svg"
        run = subprocess.run([PSCAN, f"--plot={file}", *options], input=data, capture_output=True)
        assert run.returncode == 0 and run.stderr == b"", (options, run.returncode, run.stderr)
        assert results is None or run.stdout == results, (options, run.stdout[:200])
        assert [p.name for p in Path(folder).iterdir()] == ["picture.svg"]
        return file.read_text(encoding="utf-8")


def lines(numbers):
    return "".join(f"{n}\n" for n in numbers).encode()


def keyed(keys, columns, *names):
    """What check is to be given of results (a list of each column) of records with keys: those with most of them."""
    results = {}
    for key, record in zip(keys, zip(*columns)):
        results.setdefault(key, []).append(record)
    greatest = sorted(results, key=lambda key: -len(results[key]))[:CURVES // len(columns)]
    width = 1
    while sum((len(records) - 1) // width for records in results.values()) > KEY_RANGES // len(columns):
        width *= 2
    curves = [column for key in greatest for column in zip(*results[key])]
    note = f"({len(greatest)} of {len(results)} keys)" if len(greatest) < len(results) else None
    return curves, [f"{key}: {name}" if names else str(key) for key in greatest for name in names or [""]], width, note


def sums_of_keys(keys, numbers):
    totals = {}
    for key, number in zip(keys, numbers):
        totals[key] = totals.get(key, 0) + number
        yield totals[key]


def cases_of_keys():
    rng = np.random.default_rng(61)
    g = ["-g", "1", "-f", "2"]
    yield "keys", g, b"a 1\nb 2\na 3\nc 9\nb 5\na -2\n", [[1, 4, 2], [2, 7], [9]], ["a", "b", "c"]
    yield "as many of several keys", g, b"z 1\ny 2\nx 3\ny 4\nz 5\n", [[1, 6], [2, 6], [3]], ["z", "y", "x"]
    yield "no keys", g, b"", [[]], ["no keys"]
    for count, key_count, more in (11, 11, []), (30000, 15, []), (30000, 15, ["--chunk-size=4K", "-T3"]), (40000, 7000, ["--chunk-size=4K"]):
        keys = np.minimum(rng.geometric(0.2, count) if key_count < 20 else rng.integers(0, key_count, count), key_count).tolist()
        keys = list(range(11)) if count == 11 else keys
        numbers = rng.integers(-99, 99, count).tolist()
        text = "".join(f"{k} {n}\n" for k, n in zip(keys, numbers)).encode()
        sums = list(sums_of_keys(keys, numbers))
        yield f"{key_count} keys of {count} lines{more}", [*g, *more], text, *keyed(keys, [sums])
        if count == 30000:
            greatest = {}
            tops = [greatest.setdefault(k, n) if k not in greatest else greatest.update({k: max(n, greatest[k])}) or greatest[k] for k, n in zip(keys, numbers)]
            yield f"two operators{more}", [*g, "-op", "sum,max", *more], text, *keyed(keys, [sums, tops], "sum", "max")
            yield f"six results{more}", ["-g", "1", "-f", "2,2,2", "-op", "sum,max", *more], text, *keyed(keys, [sums, tops] * 3, *["2_sum", "2_max"] * 3)
            columns = np.array([keys, numbers]).T
            for order in "<>":
                yield f"columns {order}{more}", ["--format=binary", "-c2", "-t", f"{order}i8", *g, *more], columns.astype(f"{order}i8").tobytes(), *keyed(keys, [sums])
    yield "exclusive", [*g, "-e"], b"a 1\nb 2\na 3\nb 5\na -2\n", [[0, 1, 4], [0, 2]], ["a", "b"]
    yield "first of a key has none", [*g, "-op", "delta"], b"a 1\nb 2\na 3\nb 5\na -2\n", [[NONE, 2, -5], [NONE, 3]], ["a", "b"]
    yield "decimals of keys", g, b"a 0.5\nb 1e300\na 0.125\nb 1\na -1e-7\n", [[0.5, 0.625, 0.6249999], [1e300, 1e300]], ["a", "b"]
    yield "window of keys", [*g, "--window=2"], b"a 1\nb 2\na 3\na -2\n", [[1, 4, 1], [2]], ["a", "b"]
    yield "resets of keys", [*g, "--reset-every=2"], b"a 1\nb 2\na 3\na -2\n", [[1, 4, -2], [2]], ["a", "b"]
    f = ["-g", "1", "-f", "2,3"]
    lacking = b"a - -\nb 1 2\na - -\na 3 -\nb - -\na - 4\na 5 6\nb 7 -\n"
    for more in [], ["--chunk-size=4K"]:
        text = b"" if not more else b"".join(b"x%d 1 1\n" % (n % 500) for n in range(3000)) + lacking * 300
        names = [f"{k}: {n}" for k in "ba" for n in ("2_sum", "3_sum")]  # the first is the one that began first
        if not more:
            yield "absent of keys", [*f, "--missing=skip"], lacking, [[1, NONE, 8], [2, NONE, NONE], [3, NONE, 8], [NONE, 4, 10]], names
            yield "held of keys", [*f, "--missing=hold"], lacking, [
                [NONE, NONE, 3, 3, 8], [NONE, NONE, NONE, 4, 10], [1, 1, 8], [2, 2, 2]], names[2:] + names[:2]
        else:
            for missing in "skip", "hold":
                yield f"absent of keys in chunks, {missing}", [*f, f"--missing={missing}", *more], text, *lacking_in_chunks(missing)
    yield "names of keys", ["--csv", "-H", "-g", "1", "-f", "2"], b'k,v\n"a,""b""",1\n<i>&,2\n\x1b[1m,3\nx\0y,4\n' + b"l" * 99 + b",5\n\xc3\xa9,6\n\xff,7\n", [
        [n] for n in range(1, 8)], ['"a,""b"""', "<i>&", "\\x1b[1m", "x\\x00y", "l" * 40 + "...", "\u00e9", "\\xff"]
    yield "keys of two fields", ["-g", "1,2", "-f", "3"], b"a b 1\na c 2\na b 3\n", [[1, 4], [2]], ["a b", "a c"]
    yield "keys of members", ["--json", "-g", "k", "-f", "v"], b'{"k":"a","v":1}\n{"k":2,"v":5}\n', [[1], [5]], ['"a"', "2"]
    count = 1200000 if MANY else 600000
    keys = rng.integers(0, 1000, count)
    numbers = rng.integers(-99, 99, count)
    order = np.argsort(keys, kind="stable")
    keys, numbers = keys.tolist(), numbers.tolist()
    text = "".join(f"{k} {n}\n" for k, n in zip(keys, numbers)).encode()
    expected = keyed(keys, [list(sums_of_keys(keys, numbers))])
    assert expected[2] == (4 if MANY else 2)
    yield "more ranges than there is room for", g, text, *expected
    if not MANY:
        return
    text = "".join(f"{keys[i]} {numbers[i]}\n" for i in order).encode()
    yield "the same, key by key", [*g, "-T1"], text, *keyed([keys[i] for i in order], [list(sums_of_keys([keys[i] for i in order], [numbers[i] for i in order]))])


def lacking_in_chunks(missing):
    """Of keys a and b, 300 times the lines above, after 3000 of 500 other keys."""
    results = {"a": [], "b": []}
    totals = {key: [None, None] for key in results}
    lines = [("a", None, None), ("b", 1, 2), ("a", None, None), ("a", 3, None), ("b", None, None), ("a", None, 4), ("a", 5, 6), ("b", 7, None)]
    for key, *numbers in lines * 300:
        if not results[key] and numbers == [None, None] and missing == "skip":
            continue  # no key begins by such a record
        for i, number in enumerate(numbers):
            if number is not None:
                totals[key][i] = (totals[key][i] or 0) + number
        results[key].append([t if t is not None and (number is not None or missing == "hold") else NONE for t, number in zip(totals[key], numbers)])
    others = [[range(1, 7)] * 2 for _ in range(3)]
    curves = [column for key in "ab" for column in zip(*results[key])] + [list(column) for pair in others for column in pair]
    return curves, [f"{key}: {name}" for key in ("a", "b", "x0", "x1", "x2") for name in ("2_sum", "3_sum")], 1, "(5 of 502 keys)"


def cases():
    rng = np.random.default_rng(16)
    few = [3, -1, 4, 1, -5, 9, 2, 6]
    yield "ten", [], lines(few), [np.cumsum(few)], ["sum"]
    yield "one", ["-op", "max"], b"-7.25\n", [[-7.25]], ["max"]
    yield "constant", ["-op", "last"], lines([5] * 30), [[5] * 30], ["last"]
    yield "zero", [], lines([0] * 3000), [[0] * 3000], ["sum"]
    yield "negative", [], lines([-1.5] * 100), [-1.5 * np.arange(1, 101)], ["sum"]
    for count in 2047, 2048, 2049, 4096, 4097, 100003:
        numbers = rng.integers(-1000, 1000, count)
        yield f"{count} lines", [], lines(numbers), [np.cumsum(numbers)], ["sum"]
        yield f"{count} lines in chunks", ["--chunk-size=4K", "-T3"], lines(numbers), [np.cumsum(numbers)], ["sum"]
    raw = rng.standard_normal(300001).astype("<f4")
    raw[::1000] = [np.nan, np.inf, -np.inf, 1][0]
    raw[5:9000] = np.inf
    raw[20000:21000] = -np.inf
    binary = ["--format=binary", "-op", "last"]
    yield "floats", [*binary, "-t", "f32"], raw.tobytes(), [raw], ["last"]
    yield "floats of the other order", [*binary, "-t", "f32be"], raw.byteswap().tobytes(), [raw], ["last"]
    yield "doubles in chunks", [*binary, "-t", "f64", "--chunk-size=64K"], raw.astype("f8").tobytes(), [raw], ["last"]
    yield "only infinities", [*binary, "-t", "f64"], np.full(5, np.inf).tobytes(), [[NONE] * 5], ["last"]
    for kind in "i1 u1 i2 u2 i4 u4 i8 u8".split():
        limits = np.iinfo(kind)
        numbers = rng.integers(limits.min, limits.max, 5000, dtype=kind, endpoint=True)
        yield kind, [*binary, "-t", f"<{kind}"], numbers.tobytes(), [numbers.astype(float)], ["last"]
    yield "the greatest doubles", [*binary, "-t", "f64"], np.array([1.7e308, -1.7e308, 0]).tobytes(), [[1.7e308, -1.7e308, 0]], ["last"]
    tail = np.arange(20) % 7
    yield "exclusive", ["-e", "-T1"], lines(tail), [np.concatenate([[0], np.cumsum(tail)[:-1]])], ["sum"]
    swapped = tail.astype(">i4")
    yield "exclusive, raw", ["-e", "--format=binary", "-t", "i32be"], swapped.tobytes(), [np.concatenate([[0], np.cumsum(tail)[:-1]])], ["sum"]
    yield "initial", ["--include-initial", "--seed=3"], lines(tail), [np.concatenate([[3], 3 + np.cumsum(tail)])], ["sum"]
    yield "initial, raw", ["--include-initial", "--format=binary", "-t", "<i4"], tail.astype("<i4").tobytes(), [np.concatenate([[0], np.cumsum(tail)])], ["sum"]
    yield "first has none", ["-op", "delta"], lines(tail), [np.concatenate([[NONE], np.diff(tail)])], ["delta"]
    yield "first two have none", ["-op", "delta", "-e"], lines(tail), [np.concatenate([[NONE, NONE], np.diff(tail)[:-1]])], ["delta"]
    growing = ["1", "2.5", "0.125", "-3", "1e-7", "5", "99999999999999999999", "0.25", "1e300", "7"] * 2
    exact = np.cumsum([float(n) for n in growing])
    yield "decimals that change", ["--chunk-size=4K"], lines(growing), [exact], ["sum"]
    turning = [*map(str, rng.integers(-9, 9, 1500)), "0.5", "0.125", *map(str, rng.integers(-9, 9, 1500)), "1e-7", *["2"] * 1500]
    exact = [float(s) for s in itertools.accumulate(Fraction(n) for n in turning)]
    yield "decimals that change, in chunks", ["--chunk-size=4K"], lines(turning), [exact], ["sum"]
    yield "initial, in chunks", ["--chunk-size=4K", "--include-initial"], lines(turning), [[0, *exact]], ["sum"]
    cents = [f"{n / 100:.2f}" for n in rng.integers(-999, 999, 5000)]
    yield "decimals", ["-op", "sum,max"], lines(cents), [np.cumsum([round(float(c) * 100) for c in cents]) / 100,
                                                       np.maximum.accumulate([float(c) for c in cents])], ["sum", "max"]
    longer = ["0.5", "0.123456789012345678", "12345678901234567890.5", "-1"]
    yield "wide decimals", [], lines(longer), [np.cumsum([float(n) for n in longer])], ["sum"]
    window = np.array([sum(tail[max(0, i - 2):i + 1]) for i in range(20)])
    yield "window", ["--window=3"], lines(tail), [window], ["sum"]
    yield "resets", ["--reset-every=5"], lines(tail), [np.concatenate([np.cumsum(tail[i:i + 5]) for i in range(0, 20, 5)])], ["sum"]
    table = rng.integers(-50, 50, (3000, 3))
    text = "".join(f"{a} {b} {c}\n" for a, b, c in table).encode()
    sums = np.cumsum(table, axis=0)
    yield "fields", ["-f", "3,1"], text, [sums[:, 2], sums[:, 0]], ["3_sum", "1_sum"]
    yield "fields and operators", ["-f", "2-3", "-op", "sum,min"], text, [
        sums[:, 1], np.minimum.accumulate(table[:, 1]), sums[:, 2], np.minimum.accumulate(table[:, 2])], ["2_sum", "2_min", "3_sum", "3_min"]
    for order in "<>":
        for more in [], ["--chunk-size=4K"], ["-e"]:
            expected = np.vstack([np.zeros(3), sums[:-1]]) if more == ["-e"] else sums
            yield f"columns {order}{more}", ["--format=binary", "-c3", "-t", f"{order}i4", *more], table.astype(f"{order}i4").tobytes(), list(expected.T), [
                "1_sum", "2_sum", "3_sum"]
    yield "columns of two operators", ["--format=binary", "-c3", "-t", "<i4", "-op", "sum,mean", "-f", "2"], table.astype("<i4").tobytes(), [
        sums[:, 1], sums[:, 1] / np.arange(1, 3001)], ["sum", "mean"]
    gaps = b"1 10\n- 20\n3 -\n4 40\n- -\n5 50\n"
    yield "absent", ["-f", "1,2", "--missing=skip"], gaps, [[1, NONE, 4, 8, NONE, 13], [10, 30, NONE, 70, NONE, 120]], ["1_sum", "2_sum"]
    yield "held", ["-f", "1,2", "--missing=hold"], gaps, [[1, 1, 4, 8, 8, 13], [10, 30, 30, 70, 70, 120]], ["1_sum", "2_sum"]
    yield "held, exclusive", ["-e", "-f", "1,2", "--missing=hold"], gaps, [[0, 1, 1, 4, 8, 8], [0, 10, 30, 30, 70, 70]], ["1_sum", "2_sum"]
    yield "missing in one field", ["-f", "1", "--missing=keep"], gaps, [[1, NONE, 4, 8, NONE, 13]], ["sum"]
    table = b"day,<a>,b & c\nx,1,2\ny,3,4\n"
    yield "names of a header", ["--csv", "-f", "<a>,b & c", "-a"], table, [[1, 4], [2, 6]], ["<a>_sum", "b & c_sum"]
    yield "names given", ["--csv", "-H", "-f", "2,3", "-a", "--as=this,that"], table, [[1, 4], [2, 6]], ["this", "that"]
    yield "names of members", ["--json", "-f", "x.y"], b'{"x":{"y":1}}\n{"x":{"y":5}}\n', [[1, 6]], ["x.y_sum"]
    yield "a long name", ["--json", "-f", "x" * 99], b'{"' + b"x" * 99 + b'":2}\n', [[2]], ["x" * 40 + "..."]
    yield "nothing", [], b"", [[]], ["sum"]


def main():
    chosen = sys.argv[1:]
    count = 0
    for name, options, data, *expected in itertools.chain(cases(), cases_of_keys()):
        if chosen and name not in chosen:
            continue
        try:
            plain = subprocess.run([PSCAN, *options], input=data, capture_output=True)
            assert plain.returncode == 0, plain.stderr
            check(Picture(draw(options, data, plain.stdout)), *expected)
        except AssertionError as error:
            raise AssertionError(f"{name}: {options}") from error
        count += 1
    assert count > 0
    print(f"{count} pictures")


if __name__ == "__main__":
    main()
