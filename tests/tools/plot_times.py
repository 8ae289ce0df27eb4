"""Pictures of --plot against times, compared with a model: each tick is where the time that its text says is, and
curves have the least and the greatest result of each range of 2^k microseconds.
"""
import datetime as dt
import random
import re
import sys

from plot_cases import CURVES, RANGES, Picture, draw, lines

YEAR_1 = dt.datetime(1, 1, 1)
LEFT, WIDTH = 90, 690
LOG = '{key} - - [{time:%d/%b/%Y:%H:%M:%S} +0530] "GET /" 200 {number}\n'


def micros(time):
    return (time - YEAR_1) // dt.timedelta(microseconds=1)


def time_of_tick(text, below):
    """The time that a tick says, and its text in full."""
    if re.fullmatch(r"\d+", text):
        return dt.datetime(int(text), 1, 1)
    if re.fullmatch("[A-Z][a-z][a-z]", text):
        return dt.datetime.strptime(f"1 {text} {below}", "%d %b %Y")
    if re.fullmatch(r"\d+ [A-Z][a-z][a-z]", text):
        return dt.datetime.strptime(f"{text} {below}", "%d %b %Y")
    form = "%H:%M" + (":%S" if text.count(":") == 2 else "") + (".%f" if "." in text else "")
    return dt.datetime.strptime(f"{below} {text}", f"%d %b %Y {form}")


def check_ticks(svg, first, last, wanted):
    """wanted: the texts, with what stands below them after a slash."""
    below = re.findall(r'class="along" x="([0-9.]+)" y="394">([^<]*)<', svg)
    marks = [float(x) for x in re.findall(r"M([0-9.]+) 360v5", svg)]
    ticks = re.findall(r'class="along" x="([0-9.]+)" y="380">([^<]*)<', svg)
    assert len(ticks) == len(marks) and 1 <= len(marks) <= 8, (ticks, marks)
    texts = []
    date = ""
    for mark, (x, text) in zip(marks, ticks):
        under = [other for place, other in below if abs(float(place) - mark) < 40]
        texts.append("/".join([text, *under]))
        date = under[0] if under else date
        time = micros(time_of_tick(text, date))
        assert abs(LEFT + (time - first) / (last - first) * WIDTH - mark) < 0.02, (text, date, mark)
        assert abs(float(x) - mark) < 0.011 or float(x) + 3.5 * len(text) > 797, (text, x, mark)
    assert wanted is None or " ".join(texts) == wanted, texts


def model(records, columns):
    """records: pairs of a time, or None, and as many results as there are columns. Returns the points of each curve."""
    times = [micros(time) for time, _ in records if time is not None]
    first, last = min(times), max(times)
    shift = 0
    while (last >> shift) - (first >> shift) >= RANGES:
        shift += 1
    curves = [{} for _ in range(columns)]
    for time, results in records:
        for curve, result in zip(curves, results) if time is not None else []:
            if result is not None:
                curve.setdefault(micros(time) >> shift, []).append(result)
    width = max(last - first, 1)
    return first, last, [
        [(LEFT + ((max(number << shift, first) + min((number + 1 << shift) - 1, last)) / 2 - first) / width * WIDTH,
          max(results), min(results)) for number, results in sorted(curve.items())] for curve in curves]


def check(name, options, data, names, records, note=None, wanted=None):
    svg = draw(options, data)
    first, last, curves = model(records, len(names))
    check_ticks(svg, first, last, wanted)
    # Of the picture's own axes only that of results has numbers.
    picture = Picture(re.sub(r'(class="along" x="[0-9.]+" y="380">)[^<]*', r"\1 0", svg), has_numbers=False)
    assert picture.names == names and picture.note == note, (name, picture.names, picture.note)
    for number, points in enumerate(curves):
        pieces = picture.curves.get(number, [])
        assert len(pieces) == (len(points) > 0), (name, number, len(pieces))
        for drawn, (x, high, low) in zip(pieces[0] if pieces else [], points):
            assert abs(drawn[0] - x) < 0.011, (name, drawn, x)
            assert max(abs(drawn[1] - picture.up_one(high)), abs(drawn[2] - picture.up_one(low))) < 0.011, (name, drawn, high, low)
        assert len(pieces[0] if pieces else []) == len(points), (name, number)


def running(numbers):
    total = 0
    for number in numbers:
        total += number
        yield total


def of_keys(rows):
    """Records of the ten keys with most rows, each with a column of its own: rows of time, key and number."""
    counts, totals, columns = {}, {}, {}
    for _, key, _ in rows:
        counts[key] = counts.get(key, 0) + 1
    chosen = sorted(counts, key=lambda key: -counts[key])[:CURVES]
    records = []
    for time, key, number in rows:
        totals[key] = totals.get(key, 0) + number
        records.append((time, [totals[key] if key == other else None for other in chosen]))
    note = f"({len(chosen)} of {len(counts)} keys)" if len(chosen) < len(counts) else None
    return chosen, records, note


def cases():
    rng = random.Random(37)
    day = dt.datetime(2024, 5, 1)

    def times(count, seconds, begin=day, step=1):
        return [begin + step * dt.timedelta(seconds=round(seconds * i / (count - 1) / step)) for i in range(count)]

    def table(moments, numbers, form="%Y-%m-%d %H:%M:%S"):
        return b"time,n\n" + lines(f"{t.strftime(form)},{n}" for t, n in zip(moments, numbers))

    few = [3, -1, 4, 1, -5, 9, 2, 6]
    csv = ["--csv", "-f", "n", "--plot-time=time"]
    for seconds, wanted in (
            (7, "00:00:00/1 May 2024 00:00:01 00:00:02 00:00:03 00:00:04 00:00:05 00:00:06 00:00:07"),
            (60, "00:00:00/1 May 2024 00:00:10 00:00:20 00:00:30 00:00:40 00:00:50 00:01:00"),
            (3600, "00:00/1 May 2024 00:10 00:20 00:30 00:40 00:50 01:00"),
            (86400 * 1.5, "00:00/1 May 2024 06:00 12:00 18:00 00:00/2 May 2024 06:00 12:00"),
            (86400 * 6, "1 May/2024 2 May 3 May 4 May 5 May 6 May 7 May"),
            (86400 * 40, "6 May/2024 13 May 20 May 27 May 3 Jun 10 Jun"),
            (86400 * 200, "May/2024 Jun Jul Aug Sep Oct Nov"),
            (86400 * 500, "Jul/2024 Oct Jan/2025 Apr Jul"),
            (86400 * 366 * 5, "2025 2026 2027 2028 2029"),
            (86400 * 366 * 90, "2040 2060 2080 2100"),
    ):
        moments = times(8, seconds)
        yield f"{seconds} seconds", csv, table(moments, few), ["n_sum"], [*zip(moments, ([s] for s in running(few)))], None, wanted
    moments = times(3000, 86400 * 3)
    numbers = [rng.randrange(-9, 10) for _ in moments]
    shuffled = moments[:]
    rng.shuffle(shuffled)
    for name, order in ("in order", moments), ("backwards", moments[::-1]), ("in any order", shuffled):
        for more in [], ["-T3", "--chunk-size=4K"]:
            records = [*zip(order, ([s] for s in running(numbers)))]
            yield f"{name}{more}", [*csv, *more], table(order, numbers), ["n_sum"], records, None, None
            rows = [(t, f"k{n % 13}", abs(n)) for t, n in zip(order, numbers)]
            chosen, keyed, note = of_keys(rows)
            log = "".join(LOG.format(time=t, key=k, number=n) for t, k, n in rows).encode()
            yield f"keys {name}{more}", ["--log", "-f", "bytes", "-g", "host", *more], log, chosen, keyed, note, None
    yield "text of milliseconds", csv, table(times(8, 0.7, step=1 / 10), few, "%Y-%m-%dT%H:%M:%S.%f"), ["n_sum"], [
        *zip(times(8, 0.7, step=1 / 10), ([s] for s in running(few)))], None, (
            "00:00:00.000/1 May 2024 00:00:00.100 00:00:00.200 00:00:00.300 00:00:00.400 00:00:00.500 00:00:00.600 00:00:00.700")
    numbers = [rng.randrange(1000) for _ in range(500)]
    since = [1714521600000 + 1000 * rng.randrange(100000) for _ in numbers]
    yield "milliseconds since 1970, and two operators", [*csv, "-op", "sum,max"], b"time,n\n" + lines(f"{s},{n}" for s, n in zip(since, numbers)), [
        "n_sum", "n_max"], [(day + dt.timedelta(milliseconds=s - 1714521600000), [total, max(numbers[:i + 1])])
                            for i, (s, total) in enumerate(zip(since, running(numbers)))], None, None
    decimals = [n / 8 if i > 300 else n for i, n in enumerate(numbers)]
    moments = times(500, 5000)
    yield "decimals that change", [*csv, "--chunk-size=4K"], table(moments, decimals), ["n_sum"], [
        *zip(moments, ([s] for s in running(decimals)))], None, None
    yield "a window's times", ["--csv", "-f", "n", "--window=time:1s", "-op", "last"], table(moments[::9], numbers), ["n_last"], [
        *zip(moments[::9], ([n] for n in numbers))], None, None
    yield "a gap's times, of two fields", ["-f", "3", "--reset-gap=1+2:1h", "-op", "last"], lines(
        f"{t} {n}" for t, n in zip(moments, numbers)), ["last"], [*zip(moments, ([n] for n in numbers))], None, None
    gaps = [(day, 1), (None, 2), (day + dt.timedelta(hours=1), None), (day + dt.timedelta(hours=3), 4), (None, 5)]
    text = b"time,n\n" + lines(f"{t or 'soon'},{'-' if n is None else n}" for t, n in gaps)
    yield "records without a time or a result", [*csv, "--missing=keep"], text, ["n_sum"], [
        (t, [s]) for (t, n), s in zip(gaps, [1, 3, None, 7, 12])], "(2 records without a time)", None
    keyed = b"".join(b"%s,a,1\n" % t for t in (b"2024-05-01", b"-", b"2024-05-03"))
    skipped = [(t, n if n % 3 else None) for t, n in zip(moments, numbers)]
    yield "a field's missing numbers", [*csv, "--missing=skip", "-op", "last"], b"time,n\n" + lines(
        f"{t},{'' if n is None else n}" for t, n in skipped), ["n_last"], [(t, [n]) for t, n in skipped if n is not None], None, None
    yield "a key's record without a time", ["-d,", "-g2", "-f3", "--plot-time=1"], keyed, ["a"], [
        (day, [1]), (None, [2]), (day + dt.timedelta(days=2), [3])], "(1 record without a time)", None
    yield "members of JSON", ["--json", "-f", "n", "--plot-time=at"], b'{"n":1,"at":"2024-05-01T00:00:00Z"}\n{"n":2}\n{"at":"2024-05-01T02:00:00+02:00","n":5}\n', [
        "n_sum"], [(day, [1]), (None, [3]), (day + dt.timedelta(hours=2), [8])], "(1 record without a time)", None


def main():
    count = 0
    for case in cases():
        try:
            check(*case)
        except AssertionError as error:
            raise AssertionError(f"{case[0]}: {case[1]}") from error
        count += 1
    print(f"{count} pictures")


if __name__ == "__main__":
    sys.exit(main())
