"""Random commands for compare_programs.py: options that go together, and small inputs that suit them.

What a later version changed on purpose is mostly left out here; each place says so.
"""
import bz2
import gzip
import json
import lzma
import random
import struct
from dataclasses import dataclass, field

from operator_facts import FACTS, with_factor

INTEGERS = ("i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64")
FLOATS = ("f32", "f64")
CODES = dict(zip((*INTEGERS, *FLOATS), "bBhHiIqQfd"))
LENGTHS = (*(0, 1, 2, 3, 5, 15, 16, 17, 40, 100, 255, 256, 257) * 3, 300, 500, 1000, 1000, 4096, 4097, 5000)
# With a device: few programs, so that the driver's cache of kernels serves.
DEVICE_OPERATORS = ("sum", "max")
EXPRESSIONS = ("a+b", "a*b", "a > b ? a : b")
SEPARATORS = {"blank": " ", "comma": ",", "semicolon": ";", "tsv": "\t", "csv": ","}


@dataclass
class Case:
    """One scan, in one run or, with --state, in several."""
    options: list  # of both programs
    parts: list = field(default_factory=list)  # for each run the inputs: bytes
    new_options: list = field(default_factory=list)  # of the newer program alone: they change nothing
    through_pipe: bool = False  # input
    to: str = "pipe"  # or file, -o
    with_state: bool = False
    facts: dict = field(default_factory=dict)  # what rules ask


def limits(type_name):
    """The least and the greatest integer of a type."""
    bits = int(type_name[1:])
    return (0, 2 ** bits - 1) if type_name[0] == "u" else (-2 ** (bits - 1), 2 ** (bits - 1) - 1)


def integer(rng, type_name, profile):
    """One element: small, at an end of the type now and then, or anything."""
    least, greatest = limits(type_name)
    if profile == "wild":
        return rng.randint(least, greatest)
    if profile == "edge" and rng.random() < 0.02:
        return rng.choice((least, greatest, least + 1, greatest - 1, 0, greatest // 2))
    if profile == "bits":
        return min(greatest, 1 << rng.randrange(int(type_name[1:])))
    return rng.randint(0 if type_name[0] == "u" else -1, 1 if profile == "tiny" else 2)


def float_number(rng, type_name, profile):
    """One element. near_one: products of these stay within the type's range."""
    if profile == "near_one":
        return rng.choice((1, 1, 1, 1, -1, 1.0009765625, 0.9990234375, 1.5, 1 / 1.5))
    if profile == "edge" and rng.random() < 0.03:
        big = 3e38 if type_name == "f32" else 1e308
        return rng.choice((float("inf"), float("-inf"), 0.0, -0.0, big, -big, 1e-45 if type_name == "f32" else 5e-324, 1e-38, 16777217.0, 0.1))
    if profile == "wild":
        return rng.choice((1, -1)) * 10 ** rng.uniform(-30, 30)
    return rng.choice((rng.uniform(-9, 9), float(rng.randrange(-9, 10)), 0.5, rng.gauss(0, 100)))


def text_number(rng, type_name, profile):
    """One element as people write it."""
    if type_name in INTEGERS:
        value = integer(rng, type_name, profile)
        return hex(value) if value >= 0 and rng.random() < 0.01 else f"+{value}" if value >= 0 and rng.random() < 0.01 else str(value)
    if type_name in FLOATS:
        value = float_number(rng, type_name, profile)
        if type_name == "f32":
            value = struct.unpack("f", struct.pack("f", value))[0]
        return rng.choice((repr(value), f"{value:.2f}" if abs(value) < 1e6 else repr(value), f"{value:.7g}"))
    if profile == "near_one":
        return rng.choice(("1", "1", "1", "-1", "1.5", "0.5", "2"))
    if profile == "whole":
        return str(rng.choice((1, 1, 1, -1, 2, 1)))
    if profile == "edge" and rng.random() < 0.03:
        return rng.choice(("9223372036854775807", "-9223372036854775808", "1e-18", "0.000000000000000001", "1e3", "2.5e6", "-0", "0.00",
                           "170141183460469231731687303715884105727", "99999999999999999999", "12345678901234567.89", "5.", ".5", "+7"))
    if profile == "wild" and rng.random() < 0.01:
        return rng.choice(("inf", "-inf", "1e300", "1e-30", "0.1234567890123456789", "1e40"))
    return rng.choice((str(rng.randrange(-99, 100)), f"{rng.uniform(-9, 9):.2f}", f"{rng.uniform(-999, 999):.{rng.randrange(6)}f}"))


def choose_operators(rng, type_name, known):
    """Some that the type has; all take as many inputs."""
    names = [name for name, facts in FACTS.items() if name in known and not (facts.bitwise and type_name in (*FLOATS, "num", "dec")) and
             not (facts.of_floats and type_name not in (*FLOATS, "num"))]
    pairs = rng.random() < 0.06
    names = [name for name in names if (FACTS[name].inputs == 2) == pairs] or ["sum"]
    if pairs:
        return with_factor(rng.choices(names, k=1), "0.5")
    weights = [3 if name in ("sum", "prod", "mean", "max") else 1 for name in names]
    return with_factor(rng.choices(names, weights, k=rng.choice((1, 1, 1, 2, 3))), rng.choice(("0.5", "0.1", "1")))


def choose_profile(rng, type_name, operators):
    """What the elements are like. Products of floats stay in range: others have other bits since grid 2."""
    if "prod" in operators:
        return rng.choice(("tiny", "tiny", "small", "edge")) if type_name in INTEGERS else rng.choice(("near_one", "whole")) \
            if type_name in ("num", "dec") else "near_one"
    return rng.choice(("small", "small", "tiny", "bits", "edge", "wild")) if type_name in INTEGERS else \
        rng.choice(("small", "small", "edge", "wild"))


def choose_scan(rng, case, type_name, operators, is_text):
    """Options of the scan itself."""
    plain = [name.split(":")[0] for name in operators]
    options = case.options
    options += ["-op", ",".join(operators)] if operators != ["sum"] or rng.random() < 0.5 else []
    seeded = all(FACTS[name].seeded for name in plain)
    inputs = FACTS[plain[0]].inputs
    exclusive = rng.random() < 0.25
    if rng.random() < 0.25:
        options += [f"--window={rng.choice((1, 2, 3, 7, 16, 100, 4096, 10000))}"]
        case.facts["window"] = True
    elif seeded and rng.random() < (0.6 if exclusive else 0.2):
        options += ["--seed=" + ",".join(rng.choice("0135") for _ in range(inputs))]
    options += ["-e"] if exclusive else ["-i"] if rng.random() < 0.02 else []
    options += [f"--algorithm={rng.choice(('hillis-steele', 'sequential', 'blelloch'))}"] if rng.random() < 0.08 else []
    options += [f"--overflow={rng.choice(('wrap', 'wrap', 'error'))}"] if rng.random() < 0.3 else []
    options += [f"--chunk-size={rng.choice((16, 17, 64, 100, 1000, 4096, 16384, 65536))}"] if rng.random() < 0.7 else []
    options += [f"-T{rng.choice((1, 2, 3))}"] if rng.random() < 0.5 else []
    options += ["-q"] if rng.random() < 0.2 else []
    options += ["--line-buffered"] if rng.random() < 0.01 else []
    case.facts.update(exclusive=exclusive, plain=plain, type=type_name, is_text=is_text)
    case.facts["total"] = rng.random() < 0.12
    options += ["--total"] if case.facts["total"] else []
    if not case.facts["total"] and rng.random() < 0.03 and (seeded or "window" in case.facts):
        options += ["--include-initial"]
        case.facts["initial"] = True


def choose_gaps(rng, case):
    """What becomes of numbers that are missing, and whether there are any.

    With keep and hold, indices count records since 0.1.1, and totals of such records were changed: then nothing is
    missing here."""
    facts = case.facts
    is_float = facts["type"].split(":")[0] in (*FLOATS, "num")
    facts["missing"] = rng.choice((None, None, "skip", "keep", "hold", "hold", "zero", "7"))
    facts["nan"] = rng.choice((None, None, None, "propagate", "keep", "hold", "skip", "fail", "3")) if is_float or rng.random() < 0.1 else None
    if not facts["is_text"]:
        facts["missing"] = None
        facts["nan"] = None if facts["nan"] in ("skip", "fail", "3") and rng.random() < 0.8 else facts["nan"]
    case.options += [f"--missing={facts['missing']}"] if facts["missing"] else []
    case.options += [f"--nan={facts['nan']}"] if facts["nan"] and is_float else []
    facts["nan"] = facts["nan"] if is_float else None
    stands = {"keep", "hold"} & {facts["missing"], facts["nan"]}
    counts = facts.get("window") or facts["total"] or \
        facts["is_text"] and ({"argmax", "argmin"} & set(facts["plain"]) or facts.get("every"))
    facts["gaps"] = rng.random() < (0.6 if facts["missing"] else 0.04) and not (stands and counts)
    facts["nans"] = is_float and rng.random() < 0.3 and not (stands and counts)
    if "hold" in stands and rng.random() < 0.3:
        case.new_options += ["--fill-limit=4000000000"]
    if not stands and not facts["exclusive"] and not facts["total"] and "initial" not in facts and facts["is_text"] and rng.random() < 0.1:
        case.new_options += ["--min-count=1"]
    if facts["is_text"] and rng.random() < 0.05:
        case.options += ["--missing-marks=" + rng.choice(("NA,-", "null,N/A,NA", "NA"))]
    facts["invalid"] = None
    if facts["is_text"] and rng.random() < 0.12:
        facts["invalid"] = rng.choice(("abort", "fail", "warn", "ignore", ""))
        case.options += [f"--invalid={facts['invalid']}"] if facts["invalid"] else []


def token(rng, facts, profile):
    """A number, one that is missing, a NaN, or none at all. The bytes of a log are digits or -: since 0.1.1 other lines
    are no log's."""
    if facts["form"] == "log":
        digits = "".join(c for c in text_number(rng, facts["type"].split(":")[0], profile) if c.isdigit())
        return "-" if facts["gaps"] and rng.random() < 0.05 else digits or "0"
    if facts["gaps"] and rng.random() < 0.05:
        return rng.choice(("", "NA", "-", "null", "N/A") if facts["form"] not in ("tokens", "blank", "columns") else ("NA", "-", "null"))
    if facts["nans"] and rng.random() < 0.04:
        return rng.choice(("nan", "NaN"))
    if facts["invalid"] is not None and rng.random() < 0.01:
        return rng.choice(("abc", "1.2.3", "1e", "--5", "12kg", "1_000", "0x"))
    return text_number(rng, facts["type"].split(":")[0], profile)


def quoted(rng, cell, separator):
    """A cell of CSV."""
    if separator in cell or '"' in cell or "\n" in cell or rng.random() < 0.05:
        return '"' + cell.replace('"', '""') + '"'
    return cell


def record(rng, facts, names, cells):
    """A line without its end."""
    form = facts["form"]
    if form == "json":
        def value(name, cell):
            return cell if name.startswith("v") and is_json_number(cell) else "null" if cell == "null" else json.dumps(cell)
        gone = facts["gaps"] and rng.random() < 0.02
        return "{" + ", ".join(f'"{n}": {value(n, c)}' for n, c in zip(names, cells) if not (gone and n == names[-1])) + "}"
    if form == "logfmt":
        return " ".join(f"{n}={c}" if c and " " not in c else f'{n}="{c}"' for n, c in zip(names, cells))
    if form == "log":
        return f'{cells[0]} - {cells[1]} [{clf_time(int(cells[2]))}] "GET /{cells[1]} HTTP/1.1" 200 {cells[3]}'
    if form == "csv":
        return ",".join(quoted(rng, cell, ",") for cell in cells)
    if form == "blank":
        blanks = " " if rng.random() < 0.9 else "   "
        return blanks.join(cells)
    return SEPARATORS[form].join(cells)


def is_json_number(cell):
    """What JSON takes for a number."""
    try:
        return isinstance(json.loads(cell), (int, float)) and cell.lower() not in ("nan", "infinity", "-infinity")
    except ValueError:
        return False


def clf_time(seconds):
    """A time of the Common Log Format, on one day."""
    return f"10/Oct/2023:{seconds // 3600 % 24:02}:{seconds // 60 % 60:02}:{seconds % 60:02} +0000"


def iso_time(seconds):
    """A time as in ISO 8601, on one day."""
    return f"2023-10-10T{seconds // 3600 % 24:02}:{seconds // 60 % 60:02}:{seconds % 60:02}Z"


def make_rows(rng, facts, values, profile):
    """Cells of records: a key, a name that stays for a while, a time that rises, and the values."""
    count = rng.choice(LENGTHS) // rng.choice((1, 1, 1, values))
    keys = rng.choice((["k"], ["a", "b"], ["a", "b", "c", "dd", "e5", "7"], [f"key{i}" for i in range(200)]))
    if facts["form"] == "csv" and rng.random() < 0.3:
        keys = ["a,b", 'say "x"', "two\nlines", "plain"]
    rows, group, time = [], 0, 0
    for _ in range(count):
        group += rng.random() < 0.1
        time += 60 * rng.choice((0, 1, 1, 1, 2, 3)) if time < 80000 else 0
        stamp = iso_time(time) if facts["times"] == "iso" else str(time)
        row = [rng.choice(keys), f"g{group}", stamp, *(token(rng, facts, profile) for _ in range(values))]
        if facts["ragged"] and rng.random() < 0.03:
            row = row[:rng.randrange(3, len(row) + 1)]
        rows.append(row)
    return rows


def choose_resets(rng, case, names, by_name):
    """Keys and resets."""
    facts = case.facts
    place = (lambda i: names[i]) if by_name else (lambda i: str(i + 1))
    if rng.random() < 0.4:
        chosen = rng.choice(((0,), (0,), (1,), (0, 1), (1, 0)))
        case.options += [rng.choice(("-g", "--by", "--group")), ",".join(place(i) for i in chosen)]
        facts["keys"] = len(chosen)
    if rng.random() < 0.2:
        case.options += [f"--reset-on={place(1)}"]
        facts["resets"] = True
    if rng.random() < 0.15:
        # Since 0.1.1 a gap is N or more, in either direction: here none is N exactly, and times rise.
        case.options += [f"--reset-gap={place(2)}:{'90s' if facts['times'] in ('iso', 'clf') else rng.choice(('90', '90.5', '150.25'))}"]
        facts["resets"] = True
    choose_counted_resets(rng, case)


def choose_counted_resets(rng, case):
    """Resets of every kind of input."""
    if rng.random() < 0.12:
        case.options += [f"--reset-every={rng.choice((1, 2, 3, 7, 16, 100, 5000))}"]
        case.facts["resets"] = case.facts["every"] = True
    if rng.random() < 0.08 and "--axis=0" not in case.options:
        places = (0, 1, 2, -1, 0.5) if case.facts["type"] in (*FLOATS, "num") else (0, 1, 2)
        case.options += [f"--reset-at={rng.choice(places)}"]
        case.facts["resets"] = True
    if case.facts.get("resets") and "initial" in case.facts:
        case.options.remove("--include-initial")


def end_lines(rng, facts, lines):
    """The lines as bytes: ends of lines, blank lines, comments, no newline at the end."""
    end = "\r\n" if facts["crlf"] else "\n"
    text = ""
    for i, line in enumerate(lines):
        if i == 0 and "header" in facts:
            text += line + end  # (Before it nothing may stand.)
            continue
        if facts["blank_lines"] and rng.random() < 0.03:
            text += rng.choice(("", " ", "\t") if facts["form"] not in ("tsv",) else ("",)) + end
        if facts["comments"] and rng.random() < 0.03:
            text += "# 5 of them" + end
        text += line + end
    if facts["no_end"] and text:
        text = text[:-len(end)]
    return text.encode()


def split(rng, items, count):
    """The items in so many parts, none empty if there are enough."""
    if len(items) < count:
        return [items]
    places = sorted(rng.sample(range(1, len(items)), count - 1))
    return [items[a:b] for a, b in zip((0, *places), (*places, len(items)))]


def choose_places(rng, case):
    """Where input comes from and output goes to, and how many runs there are. Returns parts of a run's files."""
    case.through_pipe = rng.random() < 0.4
    case.to = rng.choice(("pipe", "file", "file", "-o"))
    case.with_state = rng.random() < 0.15
    if case.with_state and rng.random() < 0.8:
        case.through_pipe = True
    case.options += ["-z"] if rng.random() < 0.06 else []
    return rng.choice((1, 2, 3)) if case.with_state else 1


def text_case(rng, known, device):
    """Lines of text."""
    form = rng.choice(("tokens", "blank", "comma", "comma", "semicolon", "tsv", "csv", "csv", "json", "logfmt", "log", "columns"))
    type_name = rng.choice(("num", "num", "num", "dec", *INTEGERS, *FLOATS, *FLOATS))
    operators = [rng.choice(DEVICE_OPERATORS)] if device else choose_operators(rng, type_name, known)
    case = Case(["-D", "cpu" if device else "none"])
    case.options += ["-t", type_name] if type_name != "num" or rng.random() < 0.3 else []
    if type_name in (*INTEGERS, "f32") and rng.random() < 0.1:
        accumulator = rng.choice(("i64", "f64"))
        if accumulator == "i64" or not any(FACTS[name.split(":")[0]].bitwise for name in operators):
            type_name = f"{type_name}:{accumulator}"
            case.options[-1] = type_name
    choose_scan(rng, case, type_name, operators, True)
    facts = case.facts
    facts.update(form=form, ragged=False, crlf=rng.random() < 0.05, no_end=rng.random() < 0.1, blank_lines=rng.random() < 0.1,
                 comments=rng.random() < 0.05, times={"log": "clf"}.get(form) or rng.choice(("seconds", "seconds", "iso")))
    profile = choose_profile(rng, type_name.split(":")[0], facts["plain"])
    inputs = FACTS[facts["plain"][0]].inputs
    count = choose_places(rng, case)
    if form in ("tokens", "columns"):
        parts = token_lines(rng, case, profile, count, inputs)
    else:
        parts = record_lines(rng, case, profile, count, inputs)
    if rng.random() < 0.08:
        case.options += ["-F", rng.choice(("%.3f", "%10.2e", "%.0f", "%g", "%d", "<%8.1f>"))]
    if facts["comments"]:
        case.options += ["--comment=#"]
    elif rng.random() < 0.03:
        case.options += [f"--output-format={rng.choice(('binary', 'text'))}"]
    case.options += ["--format=text"] if rng.random() < 0.03 else []
    files = [[end_lines(rng, facts, lines) for lines in files] for files in parts]
    return pack(rng, case, files)


def pack(rng, case, files):
    """The case with its inputs; some are compressed."""
    if case.facts["is_text"] and rng.random() < 0.02:
        files = [[b"\xef\xbb\xbf" + data for data in some] for some in files]
    if rng.random() < 0.08:
        compress = rng.choice((lambda data: gzip.compress(data, 1, mtime=0), bz2.compress, lzma.compress))
        files = [[compress(data) for data in some] for some in files]
        if rng.random() < 0.1:
            files = [[data[:rng.randrange(1, len(data))] for data in some] for some in files]
            case.facts["damaged"] = True
    case.parts = [[b"".join(some)] for some in files] if case.through_pipe and "header" not in case.facts else files
    # Since 0.1.1 a state knows files that were taken: no part may begin as another does.
    flat = [data for some in case.parts for data in some]
    if case.with_state and not case.through_pipe and any(a[:4096].startswith(b[:4096]) or b[:4096].startswith(a[:4096]) for i, a in enumerate(flat) for b in flat[:i]):
        case.through_pipe = True
    if case.through_pipe and any(len(some) > 1 for some in case.parts):
        case.parts = [some[:1] for some in case.parts]
    return case


def token_lines(rng, case, profile, count, inputs):
    """Numbers between blanks without -f, or columns of them."""
    facts = case.facts
    columns = 1
    if facts["form"] == "columns":
        columns = inputs * rng.choice((1, 2, 3))
        facts["times"] = None
        case.options += ["-c", str(columns)]
        facts["crlf"] = False
    elif inputs > 1:
        facts["form"] = "columns"
        columns = inputs
        case.options += ["-c", str(inputs)]
    choose_counted_resets(rng, case)
    choose_gaps(rng, case)
    length = rng.choice(LENGTHS) // columns
    rows = [" ".join(token(rng, facts, profile) for _ in range(columns)) for _ in range(length)]
    if columns == 1:
        wide = rng.choice((1, 1, 4))
        rows = [rng.choice((" ", "  ", "\t")).join(rows[i:i + wide]) for i in range(0, length, wide)]
    return [split(rng, part, rng.choice((1, 1, 1, 2))) for part in split(rng, rows, count)]


def record_lines(rng, case, profile, count, inputs):
    """Records of several fields, with or without a header."""
    facts = case.facts
    form = facts["form"]
    values = inputs if form == "log" else inputs * rng.choice((1, 1, 1, 2, 3))
    if form == "log" and inputs > 1:
        form = facts["form"] = "comma"
    names = ["host", "user", "time", "bytes"] if form == "log" else ["key", "group", "when", *(f"v{i}" for i in range(values))]
    header = form in SEPARATORS and rng.random() < 0.5
    by_name = form in ("json", "logfmt", "log") or header and rng.random() < 0.6
    facts["ragged"] = not by_name and form in ("blank", "comma") and facts.get("missing") is not None and rng.random() < 0.2
    case.options += {"comma": ["-d,"], "semicolon": ["-d", ";"], "tsv": ["--tsv"], "blank": []}.get(form, [f"--{form}"])
    if form in ("csv", "tsv") and not header:
        case.new_options += ["--no-header"]
    if header:
        case.options += [rng.choice(("-H", "--header"))] if not by_name or form in ("csv", "tsv") or rng.random() < 0.5 else []
        facts["header"] = True
    chosen = names[3:] if rng.random() < 0.7 or len(names[3:]) == inputs else names[3:3 + inputs]
    if by_name:
        case.options += ["-f", ",".join(chosen)]
    else:
        case.options += ["-f", "4" if len(chosen) == 1 else f"4-{3 + len(chosen)}"]
    facts["fields"] = len(chosen)
    choose_resets(rng, case, names, by_name)
    choose_gaps(rng, case)
    facts["ragged"] = facts["ragged"] and facts["gaps"] and "-f" in case.options
    if not facts["total"] and "initial" not in facts:
        case.options += rng.choice(([], [], ["-a"], ["-a"], ["--replace"] if len(facts["plain"]) == 1 and inputs == 1 else []))
    if header and "-a" in case.options and rng.random() < 0.3:
        names_count = len(facts["plain"]) * len(chosen) // inputs
        case.options += ["--as=" + ",".join(f"r{i}" for i in range(names_count))]
    rows = make_rows(rng, facts, values, profile)
    if form == "log":
        rows = [[*row[:2], str(60 * i), row[3]] for i, row in enumerate(rows[:1400])]
    lines = [record(rng, facts, names, row) for row in rows]
    # (Headers alone settle nothing since 0.1.1.)
    case.with_state = case.with_state and (lines != [] or not header)
    top = [SEPARATORS[form].join(names)] if header else []
    if header and rng.random() < 0.1:
        case.options = [o for o in case.options if o not in ("-H", "--header")] + ["--header=2"]
        top = [SEPARATORS[form].join(f"t{i}" for i in range(len(names)))] + top
    return [[top + some for some in split(rng, part, rng.choice((1, 1, 1, 2)))] for part in split(rng, lines, count)]


def npy_header(type_name, shape):
    """The header of a .npy file."""
    kind = {"i": "i", "u": "u", "f": "f"}[type_name[0]]
    said = f"{{'descr': '{'|' if type_name[1:] == '8' else '<'}{kind}{int(type_name[1:]) // 8}', 'fortran_order': False, 'shape': {shape}, }}"
    said += " " * (-(len(said) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(said)) + said.encode()


def binary_case(rng, known, device):
    """Raw numbers, or an array of numpy."""
    type_name = rng.choice(("f32", "i32", "f64")) if device else rng.choice((*INTEGERS, *FLOATS, *FLOATS))
    operators = [rng.choice((*DEVICE_OPERATORS, *EXPRESSIONS))] if device else choose_operators(rng, type_name, known)
    expression = operators[0] if operators[0] in EXPRESSIONS else None
    case = Case(["-D", "cpu" if device else "none"])
    is_npy = rng.random() < 0.15
    accumulator = ""
    if not device and type_name in (*INTEGERS, "f32") and rng.random() < 0.15:
        accumulator = rng.choice(("i64", "f64", "i32", "u8"))
        if accumulator == "f64" and any(FACTS[name.split(":")[0]].bitwise for name in operators):
            accumulator = "i64"
        accumulator = f":{accumulator}"
    swapped = not is_npy and rng.random() < 0.1 and type_name[1:] != "8"
    case.options += ["-t", f"{type_name}{'be' if swapped else ''}{accumulator}"] if not is_npy else []
    if device and not expression and rng.random() < 0.3:
        case.options += rng.choice((["--map=x*x"], ["--emit=s+1"], ["--map=x+i"]))
        expression = operators[0]
    if expression:
        case.options += ["-op", expression]
        case.facts.update(exclusive=False, plain=["sum"], type=type_name, is_text=False, total=False)
        profile = "small"
    else:
        choose_scan(rng, case, f"{type_name}{accumulator}", operators, False)
        profile = choose_profile(rng, type_name, case.facts["plain"])
    inputs = FACTS[case.facts["plain"][0]].inputs
    count = choose_places(rng, case)
    columns = inputs * rng.choice((1, 1, 2, 3))
    key = 0
    if is_npy:
        case.options += rng.choice(([], ["--axis=0"])) if columns > 1 else []
    elif rng.random() < 0.25 and not expression:
        key = 1
        case.options += ["-g", "1"]
        case.facts["keys"] = 1
    if columns + key > 1 and not is_npy:
        case.options += ["-c", str(columns + key)]
        case.options += ["-f", f"{1 + key}-{columns + key}"] if key or rng.random() < 0.2 else []
    choose_counted_resets(rng, case)
    choose_gaps(rng, case)
    if rng.random() < 0.1:
        case.options += [f"--output-format={rng.choice(('text', 'text', 'npy'))}"]
    length = rng.choice(LENGTHS) // (columns + key)
    rows = [binary_record(rng, case.facts, type_name, profile, columns, key) for _ in range(length)]
    pack_row = struct.Struct(("<", ">")[swapped] + CODES[type_name] * (columns + key)).pack
    files = []
    for part in split(rng, rows, count):
        some = split(rng, part, rng.choice((1, 1, 1, 2)) if not case.through_pipe else 1)
        shapes = [(len(file),) if columns == 1 else (len(file), columns) for file in some]
        files.append([(npy_header(type_name, shape) if is_npy else b"") + b"".join(pack_row(*row) for row in file)
                      for shape, file in zip(shapes, some)])
    return pack(rng, case, files)


def binary_record(rng, facts, type_name, profile, columns, key):
    """The numbers of one record, the key first if there is one."""
    keys = [rng.randrange(5)] * key
    if type_name in INTEGERS:
        return keys + [integer(rng, type_name, profile) for _ in range(columns)]
    return keys + [rng.choice((float("nan"), -float("nan"))) if facts["nans"] and rng.random() < 0.04 else
                   clamped(float_number(rng, type_name, profile), type_name) for _ in range(columns)]


def clamped(value, type_name):
    """A number that struct can pack."""
    return value if type_name == "f64" or abs(value) < 3.4e38 or value in (float("inf"), float("-inf")) else 3e38


def make(seed, number, known, has_device):
    """The case of a number; known are the operators of the older program."""
    rng = random.Random(f"{seed} {number}")
    device = has_device and number % 50 == 0
    return (text_case if rng.random() < 0.65 else binary_case)(rng, known, device)
