"""--reset-gap by its definition: the forms of a time as regular expressions, and days as Python counts them. Nothing is
taken from pscan.

times_model.py SEED COUNT compares pscan's segments of random tables of times and gaps
"""
import datetime
import os
import re
import subprocess
import sys
from fractions import Fraction

import cases

PSCAN = os.environ.get("PSCAN", "build/pscan")
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
DAY = 86400
EPOCH = datetime.date(1970, 1, 1).toordinal()
CLOCK = r"(?P<h>[01]\d|2[0-3]):(?P<mi>[0-5]\d)(:(?P<s>[0-5]\d|60)([.,](?P<f>\d+))?)?"
ZONE = r"( ?(?P<z>Z|z|UTC|GMT|[+-]([01]\d|2[0-3])(:?[0-5]\d)?|[A-Za-z]\S*))?"
FORMS = (
    re.compile(r"(?P<y>\d{4})-(?P<mo>\d\d)-(?P<d>\d\d)([T ]" + CLOCK + ZONE + ")?"),
    re.compile(r"(?P<d>\d\d)/(?P<mon>[A-Za-z]{3})/(?P<y>\d{4})([: ]" + CLOCK + ZONE + ")?"),
    re.compile(r"(?P<y>\d{4})(?P<mo>\d\d)(?P<d>\d\d)[T ]" + CLOCK + ZONE),
)
MAGNITUDES = ((10 ** 17, 10 ** 9, "nanoseconds"), (10 ** 14, 10 ** 6, "microseconds"), (10 ** 11, 10 ** 3, "milliseconds"))


class Refused(Exception):
    """What a message about the line must hold."""


def day_of(y, mo, d):
    """Seconds of a day's beginning."""
    try:
        return (datetime.date(int(y), int(mo), int(d)).toordinal() - EPOCH) * DAY
    except ValueError:
        raise Refused("neither a number nor a time") from None


def is_leap(seconds):
    """Whether a day's first second is that after a leap second: of January or July."""
    at = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=int(seconds))
    return at.timetuple()[1:6] in ((1, 1, 0, 0, 0), (7, 1, 0, 0, 0))


def time_of(text, gap):
    """Returns the seconds of a text, or None if it is not a time."""
    text = re.sub(r"^\[", "", text)
    text = re.sub(r"\]$", "", text)
    for form in FORMS:
        m = form.fullmatch(text)
        if m is None:
            continue
        g = m.groupdict()
        if g.get("mon") and g["mon"].lower() not in MONTHS:
            return None
        month = MONTHS.index(g["mon"].lower()) + 1 if g.get("mon") else g["mo"]
        seconds = Fraction(day_of(g["y"], month, g["d"]))
        if g["h"] is None:
            if gap < DAY:
                raise Refused("has no time of day")
            return seconds
        seconds += int(g["h"]) * 3600 + int(g["mi"]) * 60 + int(g["s"] or 0)
        fraction = Fraction(int(((g["f"] or "") + "0" * 9)[:9]), 10 ** 9)
        zone = g["z"] or "Z"
        if zone[0] in "+-":
            digits = zone[1:].replace(":", "")
            seconds -= (1 if zone[0] == "+" else -1) * (int(digits[:2]) * 3600 + int(digits[2:] or 0) * 60)
        elif zone in ("AM", "PM", "am", "pm"):
            return None
        elif zone not in ("Z", "z", "UTC", "GMT"):
            raise Refused("time zone")
        if g["s"] == "60" and not is_leap(seconds):
            raise Refused("neither a number nor a time")
        return seconds + fraction
    return None


def in_digits(digits):
    """Whether digits are a day, and what follows is of it."""
    try:
        datetime.datetime(int(digits[:4]), int(digits[4:6]), int(digits[6:8]))
    except ValueError:
        return False
    parts = [int(digits[i:i + 2]) for i in range(8, len(digits), 2)]
    is_last = digits[4:12] in ("06302359", "12312359")
    return all(part <= most for part, most in zip(parts, (23, 59, 60 if is_last else 59)))


def doubt(value, has_point):
    """Refuses a number that is not in eight or 14 digits alone, and may be a time in digits."""
    digits = str(int(value))
    if value < 0:
        return
    if len(digits) in (8, 14):
        raise Refused("may be a date in digits" if in_digits(digits) else "neither a number nor a time")
    if len(digits) in (10, 12) and not has_point and "1970" <= digits < "2200" and in_digits(digits):
        raise Refused("may be a date and time in digits")


def may_be_else(text, kind, number, cuts):
    """Whether a number, as the first value, may be something else. cuts: only a unit of the time counts."""
    if kind == "nanoseconds":
        return 12 * 10 ** 16 <= number < 14 * 10 ** 16 or 62 * 10 ** 16 <= number < 66 * 10 ** 16
    whole = str(int(number))
    return cuts and bool(
        re.match(r"[+-]?0\d", text) or re.fullmatch(r"[12]\d{3}", whole) or re.fullmatch(r"[12]\d{3}(0[1-9]|1[0-2])", whole))


def first_of(text, gap, has_unit, cuts=False):
    """place_of for the first value, which may be refused."""
    at, kind = place_of(text, gap, has_unit)
    if kind in ("seconds", "nanoseconds") and may_be_else(text, kind, Fraction(text), cuts):
        raise Refused("the value may be")
    return at, kind


def place_of(text, gap, has_unit):
    """Where a field is, and in which way it says so."""
    if has_unit and re.fullmatch(r"\d{8}", text):
        if gap < DAY:
            day_of(text[:4], text[4:6], text[6:])
            raise Refused("has no time of day")
        return Fraction(day_of(text[:4], text[4:6], text[6:])), "day"
    m = re.fullmatch(r"(\d{14})([.,](\d+))?", text)
    if has_unit and m:
        if not in_digits(m[1]):
            raise Refused("neither a number nor a time")
        seconds = day_of(text[:4], text[4:6], text[6:8]) + int(text[8:10]) * 3600 + int(text[10:12]) * 60 + int(text[12:14])
        return seconds + Fraction(int(((m[3] or "") + "0" * 9)[:9]), 10 ** 9), "day and time"
    if re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", text):
        number = Fraction(text)
        if not has_unit:
            return number, "number"
        doubt(number, "." in text and "e" not in text.lower())
        for least, parts, name in MAGNITUDES:
            if abs(number) >= least:
                return number / parts, name
        return number, "seconds"
    seconds = time_of(text, gap)
    if seconds is None:
        raise Refused("neither a number nor a time")
    return seconds, "time"


def segments(places, gap, has_unit):
    """The running counts, and what the line after them is refused for."""
    counts = []
    kind = before = None
    for text in places:
        try:
            at, now = (first_of if kind is None else place_of)(text, gap, has_unit)
            if kind not in (None, now):
                raise Refused("the first value is")
        except Refused as refused:
            return counts, str(refused)
        counts.append(counts[-1] + 1 if before is not None and abs(at - before) < gap else 1)
        kind, before = now, at
    return counts, None


def write_time(rng, seconds, form):
    """A time as a log has it: date and time of day."""
    fraction = rng.choice(["", "", f".{rng.randrange(1000):03d}", f",{rng.randrange(10 ** 6):06d}"])
    zone, offset = rng.choice([("", 0), ("Z", 0), (" UTC", 0), (" GMT", 0), ("+01:00", 3600), ("-0730", -27000), (" +05", 18000)])
    at = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=seconds + offset)
    clock = at.strftime("%H:%M:%S") + fraction + zone
    if form == "log":
        return f"{at.day:02d}/{MONTHS[at.month - 1].capitalize()}/{at.year:04d}", clock
    return (f"{at.year:04d}{at.month:02d}{at.day:02d}" if form == "digits" else at.date().isoformat()), clock


STRANGE = ("", "x", "12:00", "2024-13-01 10:00:00", "2023-02-29 10:00:00", "24-1-5", "2024-01-0110:00:00", "2024-01-01 10:00:61", "2024-01-01 10:00:60", "2024-06-30 23:59:60.5",
           "2025-01-01T01:29:60+01:30", "2025-01-01T01:29:60", "20241231235960", "20241231225960", "133485408000000000", "638400000000000000", "661000000000000000",
           "2024-01-01T10:00.5", "2024-01-01 10:00:00 PST", "2024-01-01 10:00 CET", "2024-01-01", "20240101", "17145576", "1714557600",
           "1714557600000", "-5", "29/February/2024:10:00:00", "2024-01-01 10:00 PM", "1e5x", "2024-01-01  10:00",
           "20240101.0", "+20240101", "020240101", "2.0240101e7", "20241301.5", "-20240101", "20240101120000", "20240101250000", "+20240101120000",
           "20240101120000.5", "2024010112", "2024010112.0", "2.024010112e9", "+202401011230", "202401011260", "1.7145576e9", "01714557600")


def rewrite(rng, text):
    """A number in another way."""
    way = rng.randrange(4)
    if way == 0:
        return "+" + text
    if way == 1:
        return "0" * rng.randint(1, 2) + text
    if way == 2:
        return text + rng.choice([".", ".0", "e0", "E+00"])
    return f"{text[0]}.{text[1:]}e{len(text) - 1}"


def draw(rng, has_unit):
    """Fields of one table, and whether a date and its time of day stand in two of them."""
    kind = rng.choice(["time", "time", "two", "day", "seconds", "milliseconds", "microseconds", "nanoseconds", "fraction", "elapsed"])
    if not has_unit and kind not in ("time", "two"):
        kind = "number"
    at = rng.randrange(978307200, 1924992000) if kind != "elapsed" else rng.choice([0, rng.randrange(4000), rng.randrange(300000)])
    direction = rng.choice([1, 1, -1])
    places = []
    parts = dict((name, parts) for _, parts, name in MAGNITUDES)
    form = rng.choice(["iso", "iso", "log", "digits"])
    for _ in range(rng.randrange(1, 30)):
        at += direction * rng.choice([0, 1, 30, 59, 60, 61, 1799, 1800, 1801, 3600, 86399, 86400, 86401, 700000])
        if kind == "time":
            places.append(rng.choice(["T", " "] if form != "log" else [":", " "]).join(write_time(rng, at, form)))
        elif kind == "two":
            places.append(" ".join(write_time(rng, at, form)))
        elif kind == "day":
            places.append(datetime.datetime.fromtimestamp(at, datetime.timezone.utc).strftime("%Y%m%d"))
        elif kind in parts:
            places.append(str(at * parts[kind] + rng.randrange(parts[kind])))
        elif kind == "elapsed":
            places.append(rng.choice(["{}", "{}", "0{}", "{}.5", "+{}"]).format(max(at, 0)))
        elif kind == "fraction":
            places.append(f"{at}.{rng.randrange(1000):03d}")
        else:
            places.append(str(at if kind == "seconds" else rng.choice([0, 1, 2, 60, 61, -60, 1800])))
    if rng.random() < 0.2:
        at = rng.randrange(len(places))
        places[at] = rewrite(rng, places[at]) if re.fullmatch(r"\d{2,}", places[at]) else places[at]
    if rng.random() < 0.25:
        places[rng.randrange(len(places))] = rng.choice(STRANGE)
    return places, kind == "two"


def check(rng):
    """One run."""
    amount = rng.choice(["0", "1", "1.5", "30", "60", "1800", "24", "86400"])
    unit = rng.choice(["", "s", "m", "h", "d", "m"])
    gap = Fraction(amount) * UNITS.get(unit, 1)
    places, is_two = draw(rng, unit != "")
    # A header's names, numbers of fields, or one in the middle; a date and its time of day stand in one field or in
    # two.
    split = is_two and all(" " in p for p in places)
    rows = [p.split(" ", 1) if split else [p] for p in places]
    # (Blanks around a field are not of it.)
    places = [" ".join(part.strip(" ") for part in row) for row in rows]
    has_names = rng.random() < 0.5
    first = rng.choice([1, 2])
    names = ["x"] * (first - 1) + (["day", "clock"] if split else ["when"]) + ["n"]
    field = (("day+clock" if split else "when") if has_names else (f"{first}+{first + 1}" if split else str(first)))
    lines = [";".join(["q"] * (first - 1) + row + ["1"]) for row in rows]
    header = [";".join(names)] if has_names else []
    options = ["-d", ";", "-f", "n" if has_names else str(len(names)), f"--reset-gap={field}:{amount}{unit}",
               f"--chunk-size={rng.choice(['1', '4K', '1M'])}"]
    data = "".join(line + "\n" for line in header + lines).encode()
    counts, refused = segments(places, gap, unit != "")
    done = subprocess.run([PSCAN, "-D", "none", *options], input=data, capture_output=True, check=False)
    got = done.stdout.decode().split()[1 if has_names else 0:]
    err = done.stderr.decode()
    about = f"{options} {lines}\n{got} {err}\n{counts} {refused}"
    assert got == [str(c) for c in counts], about
    assert done.returncode == (1 if refused else 0) and (refused or "") in err, about
    assert refused is None or f"line {len(header) + len(counts) + 1}, field {first}:" in err, about


if __name__ == "__main__":
    sys.exit(cases.run(check))
