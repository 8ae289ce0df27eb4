"""What the fault loops run: options, input, and the expected output by oracles that share nothing with pscan."""
import bz2
import csv
import gzip
import io
import lzma
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib
from typing import NamedTuple, Optional

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from grid_oracle import Scan, outcome, text_outcome  # noqa: E402  pylint: disable=wrong-import-position

HOST = ("-D", "none", "-T", "2", "--chunk-size=16K")
DEVICE = ("-D", "cpu", "-T", "2", "--chunk-size=16K")
GPUS = ("-D", "gpus", "-T", "2", "--chunk-size=16K")
# Chunks of text with a whole tile or more in each.
DEVICE_TEXT = ("-D", "cpu", "-T", "2", "--chunk-size=512K")
TEXT_SCALE = 8
AUTO = ("-T", "2", "--chunk-size=16K")
# Exact decimals are scanned on the host: text for a device has a type.
DEVICE_NUMBERS = (*DEVICE_TEXT, "-t", "i64")
AUTO_NUMBERS = ("-T", "2", "--chunk-size=512K", "-t", "i64")


class Scenario(NamedTuple):
    """A run. inputs: files by name, which options may hold as {name}. stdin: a file's name. feed: how it comes: from
    the file itself, through a pipe, or in two parts, the second when the device is ready. out: where the results go: a
    pipe, a file (in place), or -o. old: what the file of -o held before; state: the same of {state}. zstd: with -o
    alone. code: of the fault-free run. program: the operator is the user's, which only a device can do, named or not.
    """

    name: str
    options: tuple
    inputs: dict
    expected: bytes
    stdin: Optional[str] = None
    feed: str = "file"
    out: str = "pipe"
    old: Optional[bytes] = None
    state: Optional[bytes] = None
    gzip: bool = False
    zstd: bool = False
    code: int = 0
    environment: dict = {}
    program: bool = False

    @property
    def device(self):
        """Which device the run uses: none, named or auto."""
        if "none" in self.options:
            return "none"
        return "named" if "-D" in self.options or self.program else "auto"


def generator(name):
    """A generator that depends on the name only."""
    return np.random.default_rng(list(name.encode()))


def floats(count=19000):
    """Elements of about five chunks."""
    return generator("floats").standard_normal(count).astype("<f4").tobytes()


def integers(count, dtype, low, high):
    """Random integers of a type."""
    return generator(dtype).integers(low, high, count).astype(dtype)


def lines(numbers):
    """One number a line."""
    return "".join(f"{x}\n" for x in numbers).encode()


def decimals(change, count=3400):
    """About five chunks of text; change(place, number) is the token at that place from 0 to 1."""
    return lines(change(i / count, int(x)) for i, x in enumerate(generator("decimals").integers(-4000, 9000, count)))


def exact(data, op="sum", **settings):
    """What exact decimals give."""
    return text_outcome(Scan(op, "num", **settings), [data])


def grid(data, op, types, **settings):
    """What raw elements give."""
    return outcome(Scan(op, types, **settings), data).data


def bgzf(data, size=6000):
    """gzip members that say their sizes."""
    members = []
    for i in range(0, len(data), size):
        part = data[i:i + size]
        deflater = zlib.compressobj(6, zlib.DEFLATED, -15)
        body = deflater.compress(part) + deflater.flush()
        members.append(b"\x1f\x8b\x08\x04\0\0\0\0\0\xff\6\0BC\2\0" + struct.pack("<H", 25 + len(body)) + body
                       + struct.pack("<II", zlib.crc32(part), len(part)))
    return b"".join(members)


def packed_by(tool, data):
    """What a tool, or Python's module of its format, makes of data; None where there is neither."""
    modules = {"xz": lzma.compress, "bzip2": bz2.compress}
    if tool in modules:
        return modules[tool](data)
    return subprocess.run([tool, "-c"], input=data, stdout=subprocess.PIPE, check=True).stdout if shutil.which(tool) else None


def pscan(*options, data=b""):
    """The program's output, without faults."""
    program = os.environ.get("PSCAN", os.path.join(os.environ.get("BUILD", "build"), "pscan"))
    return subprocess.run([program, *options], input=data, stdout=subprocess.PIPE, check=True).stdout


def state_after(data, *options, from_file=False):
    """What --state keeps of a first run, of a pipe or of a file."""
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "state")
        name = os.path.join(directory, "in")
        with open(name, "wb") as file:
            file.write(data)
        pscan("-D", "none", *options, f"--state={path}", *([name] if from_file else []), data=b"" if from_file else data)
        with open(path, "rb") as file:
            return file.read()


def state_scenarios():
    """The second of two runs, with and without a file of its own for the results; and a first one."""
    first = whole_lines(TEXT[:10000])
    keyed_in, keyed_out = keyed()
    keyed_first = whole_lines(keyed_in[:9000])
    before = keyed_first.count(b"\n")
    rest = b"".join(keyed_out.splitlines(True)[before:])
    keys = ("-g", "1", "-f", "2", "-a")
    return [
        Scenario("a first state", (*HOST, "--state={state}", "{in}"), {"in": TEXT}, sums(TEXT), out="-o"),
        Scenario("a state gone on from", (*HOST, "--state={state}", "{in}"), {"in": TEXT[len(first):]}, sums(TEXT)[len(sums(first)):],
                 out="-o", old=b"yesterday\n", state=state_after(first)),
        Scenario("a state of keys, through pipes", (*HOST, *keys, "--state={state}"), {"in": keyed_in[len(keyed_first):]}, rest, stdin="in",
                 feed="pipe", state=state_after(keyed_first, *keys)),
        Scenario("a file that goes on, in whole lines", (*HOST, "--whole-lines", "--state={state}", "--alike=copy", "{in}"), {"in": TEXT + b"17"},
                 sums(TEXT)[len(sums(first)):], out="-o", old=b"yesterday\n", state=state_after(first, from_file=True)),
        Scenario("a compressed file and one that was taken", (*HOST, "--state={state}", "--alike=copy", "{in}", "{more}"),
                 {"in": first, "more": gzip.compress(TEXT[len(first):])}, sums(TEXT)[len(sums(first)):], out="-o",
                 state=state_after(first, from_file=True)),
    ]


def named_fields(count=2500):
    """Lines of JSON, and what --json -f n makes of them; and the same of logfmt."""
    json, results, logfmt, totals, total = [], [], [], [], 0
    for i, x in enumerate(generator("names").integers(-50, 99, count)):
        total += int(x)
        json.append(f'{{"k": "a{i}", "n": {x}}}\n')
        results.append(f'{{"n_sum":{total}}}\n')
        logfmt.append(f"k=a{i} n={x}\n")
        totals.append(f"{total}\n")
    return ["".join(part).encode() for part in (json, results, logfmt, totals)]


def array_scenarios():
    """numpy's arrays, as files and in pipes."""
    numbers = integers(12000, "<i4", -1000, 1000).reshape(3, -1)
    given, wanted = io.BytesIO(), io.BytesIO()
    np.save(given, numbers)
    np.save(wanted, np.cumsum(numbers, axis=1, dtype="<i4"))
    options = (*HOST, "--axis=1")
    return [
        Scenario("an array", (*options, "{in}"), {"in": given.getvalue()}, wanted.getvalue(), out="-o"),
        Scenario("an array through pipes", options, {"in": given.getvalue()}, wanted.getvalue(), stdin="in", feed="pipe"),
    ]


def format_scenarios():
    """Lines that name their fields, arrays, and zstd where this build has it."""
    json, results, logfmt, totals = named_fields()
    found = [Scenario("lines of JSON", (*HOST, "--json", "-f", "n", "{in}"), {"in": json}, results),
             Scenario("lines of logfmt", (*HOST, "--logfmt", "-f", "n", "{in}"), {"in": logfmt}, totals), *array_scenarios()]
    if "no zstd" not in pscan("--version").decode() and shutil.which("zstd"):
        found.append(Scenario("zstd out", (*HOST, "--zstd", "{in}"), {"in": TEXT}, sums(TEXT), out="-o", zstd=True))
    return found


def compressed_scenarios():
    """Each format that a library reads, as two frames, where this build has the library."""
    version = pscan("--version").decode()
    found = []
    for tool in ("zstd", "xz", "bzip2", "lz4"):
        first = whole_lines(TEXT[:10000])
        packed = packed_by(tool, first) if f"{tool} " in version and f"no {tool}" not in version else None
        if packed is None:
            continue
        packed += packed_by(tool, TEXT[len(first):])
        found.append(Scenario(f"{tool} in", (*HOST, "{in}"), {"in": packed}, sums(TEXT)))
        found.append(Scenario(f"{tool} in, cut off, through a pipe", HOST, {"in": packed[:-1]}, sums(TEXT), stdin="in", feed="pipe", code=1))
    return found


def table(count=1500):
    """A table and what --csv -f units -a makes of it."""
    given, wanted = io.StringIO(), io.StringIO()
    total = 0
    given.write("shop,units\n")
    wanted.write("shop,units,units_sum\n")
    for i, x in enumerate(generator("csv").integers(-50, 99, count)):
        total += int(x)
        shop = f'"shop ""{i}"", {"north" if i % 3 else "south"}"' if i % 2 else f"shop {i}"
        given.write(f"{shop},{x}\n")
        wanted.write(f"{shop},{x},{total}\n")
    rows = list(csv.reader(io.StringIO(wanted.getvalue())))
    assert all(len(row) == 3 for row in rows)
    return given.getvalue().encode(), wanted.getvalue().encode()


def keyed(count=2500):
    """Lines with keys, a few and then ever more, and what -g 1 -f 2 -a makes of them."""
    given, wanted, totals = [], [], {}
    for i, x in enumerate(generator("keys").integers(-50, 99, count)):
        key = f"key{i % 7 if i < count // 2 else i}"
        totals[key] = totals.get(key, 0) + int(x)
        given.append(f"{key} {x}\n")
        wanted.append(f"{key} {x} {totals[key]}\n")
    return "".join(given).encode(), "".join(wanted).encode()


def in_cents(cents):
    """A decimal with two places."""
    return f"{'-' if cents < 0 else ''}{abs(cents) // 100}.{abs(cents) % 100:02d}"


def expression_scenarios(count=2500):
    """Expressions of exact decimals: of keys, with --emit, and to the end of exactness."""
    numbers = [int(x) for x in generator("expressions").integers(-90000, 99999, count)]
    keyed_lines, keyed_sums, before, totals = [], [], [], {0: 0}
    for i, x in enumerate(numbers):
        key = f"key{i % 7 if i < count // 2 else i}"
        totals[key] = totals.get(key, 0) + x
        keyed_lines.append(f"{key} {in_cents(x)}\n")
        keyed_sums.append(f"{key} {in_cents(totals[key])}\n")
        before.append(in_cents(totals[0]))
        totals[0] += x
    ending = [*map(in_cents, numbers), "inf", *map(in_cents, numbers)]
    greatest = [*map(in_cents, np.maximum.accumulate(numbers)), *["inf"] * (count + 1)]
    data = "".join(keyed_lines).encode()
    return [
        Scenario("exact decimals by an expression, by key", (*HOST, "-g", "1", "-f", "2", "-op", "a + b", "{in}"), {"in": data},
                 "".join(keyed_sums).encode()),
        Scenario("exact decimals by an expression, with --emit", (*HOST, "-f", "2", "-op", "a + b", "--emit=s - x"), {"in": data},
                 lines(before), stdin="in", feed="pipe"),
        Scenario("exact decimals by an expression, to their end", (*HOST, "-op", "max(a, b)", "{in}"), {"in": lines(ending)},
                 lines(greatest)),
    ]


def windowed(count=2500):
    """Lines with keys, and the sums of their key's last three numbers."""
    given, wanted, last = [], [], {}
    for i, x in enumerate(generator("windows").integers(-50, 99, count)):
        last.setdefault(i % 3, []).append(int(x))
        given.append(f"{i % 3} {x}\n")
        wanted.append(f"{sum(last[i % 3][-3:])}\n")
    return "".join(given).encode(), "".join(wanted).encode()


def fields(count=2500):
    """Lines with marks in field 2, and what --missing=keep makes of them."""
    given, wanted, total = [], [], 0
    for i, x in enumerate(generator("fields").integers(0, 999, count)):
        mark = i % 7 == 3
        total += 0 if mark else int(x)
        given.append(f"/page{i} {'-' if mark else x} end\n")
        wanted.append("-\n" if mark else f"{total}\n")
    return "".join(given).encode(), "".join(wanted).encode()


def sums(data):
    """The running totals of lines of integers."""
    return lines(np.cumsum(np.array(data.split(), dtype=np.int64)))


def whole_lines(text):
    """Up to the last newline."""
    return text[:text.rindex(b"\n") + 1]


TEXT = decimals(lambda place, x: x)
BINARY = ("--format=binary",)


def text_scenarios(base, prefix, scale=1):
    """Text in and out on an engine, so many times as much; base are its options."""
    keep_in, keep_out = fields(2500 * scale)
    csv_in, csv_out = table(1500 * scale)
    count = 3400 * scale
    text = decimals(lambda place, x: x, count)
    scales = decimals(lambda place, x: f"{x}.{abs(x) % 10 ** int(1 + place * 3):0{int(1 + place * 3)}d}", count)
    widening = decimals(lambda place, x: f"{abs(x)}00000000000000", count)
    restart = decimals(lambda place, x: f"{x}e-3" if place > 0.55 else f"{x}.25", count)
    return [
        Scenario(f"{prefix}text from a file", (*base, "{in}"), {"in": text}, sums(text)),
        Scenario(f"{prefix}text, and how far it is", (*base, "--progress", "{in}"), {"in": text}, sums(text)),
        Scenario(f"{prefix}text, and a picture of it", (*base, "--plot={picture}", "{in}"), {"in": text}, sums(text)),
        Scenario(f"{prefix}growing decimals", (*base, "{in}"), {"in": scales}, exact(scales)),
        Scenario(f"{prefix}widening decimals, exclusive", (*base, "-e", "{in}"), {"in": widening},
                 exact(widening, exclusive=True)),
        Scenario(f"{prefix}decimals that end in f64", (*base, "{in}"), {"in": restart}, exact(restart)),
        Scenario(f"{prefix}CSV with results appended", (*base, "--csv", "-f", "units", "-a", "{in}"), {"in": csv_in}, csv_out),
        Scenario(f"{prefix}fields with marks kept", (*base, "-f", "2", "--missing=keep"), {"in": keep_in}, keep_out,
                 stdin="in"),
    ]


def binary_scenarios(base, prefix):
    """Raw elements in and out on an engine."""
    counts = integers(19000, "<i2", -2 ** 15, 2 ** 15).tobytes()
    doubles = generator("doubles").standard_normal(9000).astype(">f8").tobytes()
    totals = np.cumsum(np.frombuffer(counts, "<i2").astype("<i8")).astype("<i8").tobytes()
    return [
        Scenario(f"{prefix}f32 from a file", (*base, *BINARY, "{in}"), {"in": floats()}, grid(floats(), "sum", "f32")),
        Scenario(f"{prefix}f32 exclusive with a seed", (*base, *BINARY, "-e", "--seed=0.1", "{in}"), {"in": floats()},
                 grid(floats(), "sum", "f32", exclusive=True, seed="0.1")),
        Scenario(f"{prefix}conversion in place to a file", (*base, *BINARY, "-t", "i16:i64"), {"in": counts}, totals,
                 stdin="in", out="file"),
        Scenario(f"{prefix}big-endian f64", (*base, *BINARY, "-t", "f64be", "{in}"), {"in": doubles},
                 grid(doubles, "sum", "f64be")),
    ]


def host_scenarios():
    """Everything else that has to do with files, on the host."""
    small = lines(range(500))
    bytes_in = integers(150000, "u1", 0, 256).tobytes()
    wide = np.cumsum(np.frombuffer(bytes_in, "u1").astype("<u8")).astype("<u8").tobytes()
    packed = gzip.compress(TEXT, 6)
    cut = packed[:len(packed) * 2 // 3]
    sound = zlib.decompressobj(31).decompress(cut)
    words = integers(19000, "<i4", -1000, 1000).tobytes()
    good = whole_lines(TEXT[:15000])
    bad = good + b"oops\n" + TEXT[len(good):]
    first = whole_lines(TEXT[:10000])
    header = b"number\n"
    return [
        Scenario("text through a pipe", HOST, {"in": TEXT}, sums(TEXT), stdin="in", feed="pipe"),
        Scenario("input of one chunk", ("{in}",), {"in": small}, sums(small)),
        Scenario("i32 maximum through pipes", (*HOST, *BINARY, "-t", "i32", "-op", "max"), {"in": words},
                 np.maximum.accumulate(np.frombuffer(words, "<i4")).tobytes(), stdin="in", feed="pipe"),
        Scenario("gzip in", (*HOST, "{in}"), {"in": packed}, sums(TEXT)),
        Scenario("gzip in through a pipe", HOST, {"in": packed}, sums(TEXT), stdin="in", feed="pipe"),
        Scenario("BGZF in", (*HOST, "{in}"), {"in": bgzf(TEXT)}, sums(TEXT)),
        Scenario("truncated gzip", (*HOST, "{in}"), {"in": cut}, sums(whole_lines(sound)), code=1),
        Scenario("gzip out", (*HOST, *BINARY, "-t", "u8:u64", "-z", "{in}"), {"in": bytes_in}, wide, gzip=True),
        Scenario("gzip out at level 6", (*HOST, "--gzip=6", "{in}"), {"in": TEXT}, sums(TEXT), gzip=True),
        Scenario("a new file", (*HOST, "{in}"), {"in": TEXT}, sums(TEXT), out="-o"),
        Scenario("a file replaced", (*HOST, *BINARY, "-t", "i32", "{in}"), {"in": words},
                 np.cumsum(np.frombuffer(words, "<i4"), dtype="<i4").tobytes(), out="-o", old=b"old contents\n"),
        Scenario("a gzip file replaced", (*HOST, "-z", "{in}"), {"in": TEXT}, sums(TEXT), out="-o", old=b"old\n", gzip=True),
        Scenario("total only", (*HOST, "--total", "{in}"), {"in": TEXT}, sums(TEXT).splitlines(True)[-1]),
        Scenario("several lanes", (*HOST, "-f", "1,1", "-op", "sum,last", "{in}"), {"in": TEXT},
                 b"".join(b" ".join((total, x) * 2) + b"\n" for total, x in zip(sums(TEXT).split(), TEXT.split()))),
        Scenario("columns", (*HOST, *BINARY, "-t", "i32", "-c", "2", "--overflow=wrap", "{in}"), {"in": words},
                 np.cumsum(np.frombuffer(words, "<i4").reshape(-1, 2), axis=0, dtype="<i4").tobytes()),
        Scenario("keys", (*HOST, "-g", "1", "-f", "2", "-a", "{in}"), {"in": keyed()[0]}, keyed()[1]),
        Scenario("different texts", (*HOST[:-1], "--chunk-size=64K", "-f", "1", "-op", "distinct", "{in}"),
                 {"in": b"".join(b"w%d\n" % i for i in range(9000))}, lines(range(1, 9001))),
        Scenario("a picture of keys", (*HOST, "-g", "1", "-f", "2", "-a", "--plot={picture}", "{in}"), {"in": keyed()[0]}, keyed()[1]),
        Scenario("resets", (*HOST, "--reset-on=1", "-f", "2", "--total", "{in}"), {"in": b"a 1\na 2\nb 3\n" * 900},
                 b"a 3\nb 3\n" * 900),
        Scenario("windows", (*HOST, "-g", "1", "-f", "2", "--window=3", "{in}"), {"in": windowed()[0]}, windowed()[1]),
        Scenario("the total in --emit through a pipe", (*HOST, "--emit=t - s"), {"in": TEXT},
                 b"".join(b"%d\n" % (int(sums(TEXT).split()[-1]) - int(x)) for x in sums(TEXT).split()),
                 stdin="in", feed="pipe"),
        Scenario("totals of segments in --emit", (*HOST, *BINARY, "-t", "i32", "--reset-every=1", "--emit=t", "{in}"),
                 {"in": words}, words),
        Scenario("totals of keys and segments in --emit",
                 (*HOST, "-g", "1", "--reset-every=2", "-f", "2", "--emit=t", "{in}"),
                 {"in": b"a 1\nb 2\na 3\n" * 900},
                 b"".join(b"%s %d\n" % (key, total) for key, total in [(b"a", 4), (b"b", 4), (b"a", 4)] * 900)),
        Scenario("backwards from a pipe", (*HOST, "-r", "-op", "last"), {"in": TEXT}, TEXT, stdin="in", feed="pipe"),
        Scenario("backwards from a compressed file", (*HOST, "-r", "-op", "last", "{in}"), {"in": gzip.compress(TEXT)}, TEXT),
        Scenario("backwards in place", (*HOST, *BINARY, "-r", "-t", "i32", "-op", "last", "{in}"), {"in": words}, words, out="file"),
        Scenario("several files", (*HOST, "-H", "-f", "1", "{one}", "{two}", "-"),
                 {"one": header + first, "two": gzip.compress(header + small),
                  "three": header + small},
                 b"number_sum\n" + sums(first + small + small), stdin="three"),
        Scenario("a bad number", (*HOST, "{in}"), {"in": bad}, sums(good), code=1),
        Scenario("a bad number in a pipe", HOST, {"in": bad}, sums(good), stdin="in", feed="pipe", code=1),
        Scenario("initial result and formats", (*HOST, "--include-initial", "-F", "%+.2f", "{in}"), {"in": TEXT},
                 b"".join(b"%+d.00\n" % int(x) for x in [0, *sums(TEXT).split()])),
        Scenario("lines at once", (*HOST, "--line-buffered", "{in}"), {"in": small}, sums(small)),
        *expression_scenarios(),
    ]


def with_environment(scenarios, prefix, **environment):
    """The same scenarios in another environment."""
    return [s._replace(name=prefix + s.name, environment=environment) for s in scenarios]


def device_scenarios():
    """PoCL in both shapes, with memory shared and copied, two devices of it, and hand-over to a device."""
    binary = binary_scenarios(DEVICE, "")
    text = text_scenarios(DEVICE_NUMBERS, "", TEXT_SCALE)
    long_floats = floats(90000)
    long_text = decimals(lambda place, x: x, 3400 * TEXT_SCALE)
    feed = {"stdin": "in", "feed": "parts", "environment": {"FAULT_LIE": "gpu"}}
    numbers = decimals(lambda place, x: x, 12000 * TEXT_SCALE)
    return [
        *with_environment([binary[0], text[0], text[2]], "PoCL: "),
        *with_environment([binary[1], binary[2], text[0]], "PoCL, copying: ", PSCAN_MEMORY="copy"),
        *with_environment([binary[0], binary[3], text[1]], "PoCL, GPU shape: ", PSCAN_SHAPE="gpu", PSCAN_MEMORY="copy"),
        *with_environment(binary_scenarios(GPUS, "")[:1], "two GPUs: ", FAULT_LIE="gpu", POCL_DEVICES="pthread pthread", PSCAN_MEMORY="copy"),
        Scenario("PoCL: gzip in and out", (*DEVICE_NUMBERS, "-z", "{in}"), {"in": gzip.compress(long_text)}, sums(long_text), gzip=True),
        Scenario("PoCL: total only", (*DEVICE, *BINARY, "--total", "{in}"), {"in": floats()},
                 grid(floats(), "sum", "f32")[-4:]),
        Scenario("PoCL: traced", (*DEVICE, *BINARY, "--trace=/dev/null", "{in}"), {"in": floats()},
                 grid(floats(), "sum", "f32")),
        Scenario("hand-over of f32", (*AUTO, *BINARY), {"in": long_floats}, grid(long_floats, "sum", "f32"), **feed),
        Scenario("hand-over of text", AUTO_NUMBERS, {"in": numbers}, sums(numbers), **feed),
    ]


def all_scenarios():
    """Those on the host, then those with devices."""
    return [*host_scenarios(), *state_scenarios(), *format_scenarios(), *compressed_scenarios(),
            *text_scenarios(HOST, "host: "), *binary_scenarios(HOST, "host: "), *device_scenarios()]
