#!/usr/bin/env bats
# Hostile input: every cut and every flipped bit, numbers and lines without end, bombs, bytes that do not belong in
# text. The oracles are zlib, Python's numbers and plain readings of lines in Python.
# shellcheck disable=SC2154 # code, out and err are set by run_pscan

load helper

setup() {
	export PSCAN_DEVICE=none
	cd "$TMP" || return
}

# A python prologue. Inputs of many megabytes are files, so that this process stays small: a child's peak counts from
# its birth.
# shellcheck disable=SC2034 # python uses it
PROLOGUE='
import gzip
import itertools
import os
import random
import re
import struct
import subprocess
import sys
import zlib

from running import PSCAN, run, totals

MIB = 1 << 20


def peak(*arguments, right=0, output="/dev/null"):
    """The most memory in MiB that pscan had, which must end with this status."""
    with open(output, "wb") as out, open("err", "wb") as err:
        child = subprocess.Popen([PSCAN, *arguments], stdout=out, stderr=err)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == right, (arguments, child.returncode, open("err", "rb").read(500))
    return usage.ru_maxrss / 1024


def one_message(text):
    """Whether the text is one short line of a message."""
    return text.startswith("pscan: ") and text.endswith("\n") and text.count("\n") == 1 and len(text) < 1000


'

# A sanitizer's own memory would be counted too.
needs_plain_memory() {
	[ -z "${ASAN_OPTIONS:-}${TSAN_OPTIONS:-}" ] || skip 'memory is not measured under a sanitizer'
}

# --- Damaged gzip

# Members of every kind: named with extra bytes and a header checksum, stored, empty, fixed codes, dynamic codes.
MEMBERS='
def member(data, level, strategy=zlib.Z_DEFAULT_STRATEGY, header=b"\x1f\x8b\x08\0\0\0\0\0\0\xff"):
    """One gzip member."""
    deflater = zlib.compressobj(level, zlib.DEFLATED, -15, 8, strategy)
    body = deflater.compress(data) + deflater.flush()
    return header + body + struct.pack("<II", zlib.crc32(data), len(data))


def full_header():
    """Extra field, name, comment and header checksum."""
    header = b"\x1f\x8b\x08\x1e\1\2\3\4\2\3" + struct.pack("<H", 6) + b"ab\2\0xy" + b"name\0" + b"comment\0"
    return header + struct.pack("<H", zlib.crc32(header) & 0xffff)


def members(data):
    """The data in members of every kind."""
    at = [0, 7, 30, 30, 61, len(data)]
    parts = [data[a:b] for a, b in zip(at, at[1:])]
    return (member(parts[0], 9, header=full_header()), member(parts[1], 0), member(parts[2], 6),
            member(parts[3], 6, zlib.Z_FIXED), member(parts[4], 9))


def sound(data):
    """What zlib inflates of the members, and whether they are whole."""
    out = b""
    while data:
        inflater = zlib.decompressobj(31)
        try:
            out += inflater.decompress(data)
        except zlib.error:
            return out, False
        if not inflater.eof:
            return out, False
        data = inflater.unused_data
    return out, True


'

# bats test_tags=long
@test "gzip of members of every kind, cut at every byte, keeps the sound part and says at which byte it ends" {
	python "$MEMBERS"'
text = b"".join(b"%d\n" % (i * i * 7919 % 100003) for i in range(90))
data = struct.pack("<60q", *[i * i * 7919 for i in range(60)])
for plain, options in (text, ("--format=text",)), (data, ("--format=binary", "-t", "i64le")):
    packed = b"".join(members(plain))
    borders = set(itertools.accumulate(map(len, members(plain))))
    for size in range(3, len(packed) + 1):
        whole = size in borders
        given, _ = sound(packed[:size])
        if options[0] == "--format=text":
            kept = given if whole else given[:given.rfind(b"\n") + 1]
            right = totals(kept)
        else:
            kept = given[:len(given) // 8 * 8]
            right = struct.pack("<%dq" % (len(kept) // 8), *itertools.accumulate(struct.unpack("<%dq" % (len(kept) // 8), kept)))
        status, output, messages = run(packed[:size], *options)
        assert output == right, (options, size, len(output), len(right))
        if whole and len(kept) == len(given):
            assert (status, messages) == (0, ""), (options, size, status, messages)
            continue
        assert status == 1 and one_message(messages), (options, size, status, messages)
        # A member may end within an element: then that is what is wrong.
        assert whole or "byte %d of the compressed file" % size in messages, (options, size, messages)
'
}

# bats test_tags=long
@test "each flipped bit of gzip is damage, or one that zlib does not mind either" {
	python "$MEMBERS"'
text = b"".join(b"%d\n" % (i * 7919 % 1003) for i in range(40))
packed = b"".join(members(text))
right = totals(text)
minded = unminded = 0
for bit in range(8 * len(packed)):
    data = bytearray(packed)
    data[bit // 8] ^= 1 << bit % 8
    given, whole = sound(bytes(data))
    status, output, messages = run(bytes(data), "--format=text", "-t", "i64")
    if whole:
        unminded += 1
        assert given == text and (status, output, messages) == (0, right, ""), (bit, status, messages)
    else:
        minded += 1
        assert status == 1 and one_message(messages), (bit, status, messages)
assert minded > 500 and unminded > 150, (minded, unminded)
'
}

# flipped STEP: every STEPth bit.
flipped() {
	python "$MEMBERS"'
random.seed(3)
data = struct.pack("<40Q", *[random.randrange(1 << 40) for _ in range(40)])
packed = member(data, 6)


def inflated(data):
    """All that zlib gives until it finds damage."""
    inflater, out = zlib.decompressobj(31), b""
    try:
        for byte in data:
            out += inflater.decompress(bytes([byte]))
    except zlib.error:
        pass
    return out


# Without the magic, or with a reserved flag, it is not taken for gzip and the bytes are numbers.
for bit in range(32, 8 * len(packed), int(sys.argv[1])):
    flipped = bytearray(packed)
    flipped[bit // 8] ^= 1 << bit % 8
    given = inflated(flipped)
    values = struct.unpack("<%dQ" % (len(given) // 8), given[:len(given) // 8 * 8])
    right = b"".join(struct.pack("<Q", total % 2**64) for total in itertools.accumulate(values))
    status, output, messages = run(bytes(flipped), "--format=binary", "-t", "u64le", "--overflow=wrap")
    assert (status, output) == (0 if sound(flipped)[1] else 1, right), (bit, status, len(output), len(right))
    assert status == 0 or one_message(messages), (bit, messages)
' "$1"
}

@test "a flipped bit among raw numbers is found, and the results are those of what zlib inflates before it" {
	flipped 7
}

# bats test_tags=long
@test "so is any other" {
	flipped 1
}

# --- Bombs

# bats test_tags=long
@test "a gzip bomb of a thousand to one takes no more memory than one a tenth as long" {
	needs_plain_memory
	python '
def bomb(name, unit):
    """Writes gzip of 20 MiB of the byte, and of ten times as much."""
    deflater = zlib.compressobj(9, zlib.DEFLATED, 31)
    packed = b"".join(deflater.compress(unit * MIB) for _ in range(20)) + deflater.flush()
    assert len(packed) * 1000 < 20 * MIB
    open("small", "wb").write(packed)
    open("large", "wb").write(packed * 10)


# Of what is read, inflated, scanned and encoded at once there are as many slots of at most a few MiB as threads: 128
# MiB bound two to four of them generously. What matters is the second bound.
for byte, cases in ((b"\0", (("-t", "u8"), ("-t", "u8:u64", "--total"))),
                    (b"\n", ((), ("-f", "1", "--missing=skip"))),
                    (b"\"", (("-t", "u8", "--format=binary", "--overflow=wrap"),))):
    bomb("bomb", byte)
    for options in cases:
        small = peak("-T", "2", *options, "small")
        large = peak("-T", "2", *options, "large")
        assert large < 128 and large < small * 1.25 + 8, (byte, options, small, large)
'
}

# --- Numbers without end

@test "numbers of a million digits have Python's value, or are an error" {
	python '
SIZE = 10**6
nines, zeros, threes = "9" * SIZE, "0" * SIZE, "3" * SIZE
half = "1.00000000000000011102230246251565404236316680908203125"  # 1 + 2^-53
cases = [
    # token, result in num, i64, f64; None: an error
    (nines, None, None, None),
    ("-" + nines, None, None, None),
    (zeros + "7", "7", "7", "7"),
    ("+" + zeros + "7", "7", "7", "7"),
    ("-" + zeros, "0", "0", "-0"),
    ("0." + threes, "float", None, "float"),
    (zeros + "." + threes, "float", None, "float"),
    ("1." + zeros, "1." + "0" * 18, None, "1"),
    ("0." + zeros + "1", "0", None, "0"),
    (half + zeros, "1", None, "1"),
    (half + zeros + "1", "float", None, "float"),
    ("1" + zeros + "e-%d" % SIZE, "1." + "0" * 18, None, "1"),
    ("12345" + zeros + "e-%d" % (SIZE + 2), "123.45" + "0" * 16, None, "123.45"),
    ("0." + zeros + "25e%d" % SIZE, "0.25", None, "0.25"),
    ("1e" + zeros + "5", "100000", None, "100000"),
    ("1e-" + zeros + "5", "0.00001", None, "0.00001"),
    ("1e-" + nines, "0", None, "0"),
    ("1e" + nines, None, None, None),
    ("0e" + nines, "0", None, "0"),
    ("0x" + zeros + "1f", None, "31", None),
    ("0x" + "f" * SIZE, None, None, None),
    (nines + "x", None, None, None),
]
sys.set_int_max_str_digits(0) if hasattr(sys, "set_int_max_str_digits") else None
for token, *rights in cases:
    for kind, right in zip(("num", "i64", "f64"), rights):
        context = token[:20], len(token), kind
        for options in (), ("-f", "1"):
            status, output, messages = run(token.encode() + b"\n", "-t", kind, *options)
            if right is None:
                assert (status, output) == (1, b"") and one_message(messages), (context, status, output[:50], messages[:200])
                continue
            assert (status, messages) == (0, ""), (context, status, messages)
            value = int(token, 16) if "x" in token else float(token)
            if right == "float":
                assert output == b"%r\n" % value or float(output) == value, (context, output[:50])
                assert len(output) < 30, (context, len(output))
            else:
                assert float(right) == value, context
                assert output.decode().strip() == right, (context, output[:50])
'
}

@test "a number of a million digits is one element among others, whatever the chunks" {
	python '
zeros = b"0" * 10**6
text = b"1\n" + zeros + b"2 " + zeros + b"3\n" + b"4\n"
for options in (), ("--chunk-size=1", "-T", "4"), ("-t", "i64"), ("--chunk-size=1", "-t", "f64"):
    assert run(text, *options) == (0, b"1\n3\n6\n10\n", ""), options
    status, output, messages = run(text + b"9" * 10**6 + b"x\n", *options)
    assert (status, output) == (1, b"1\n3\n6\n10\n") and "line 4:" in messages and one_message(messages), (options, messages)
'
}

@test "endless numbers and empty lines take no more memory than short ones" {
	needs_plain_memory
	python '
def write(name, piece, count):
    """Writes a file of so many pieces."""
    with open(name, "wb") as out:
        for _ in range(count):
            out.write(piece)
        out.write(b"1\n")


for piece in b"0" * 10**6 + b"7\n", b"\n" * 10**6:
    write("few", piece, 4)
    write("many", piece, 40)
    for options in (), ("-t", "i64"), ("-f", "1", "--missing=skip", "--replace"):
        few, many = peak("-T", "2", *options, "few"), peak("-T", "2", *options, "many")
        assert many < 128 and many < few * 1.25 + 8, (piece[:2], options, few, many)
'
}

# --- Lines without number, and lines without end

@test "ten million empty lines are passed over, or written, as the options say" {
	python '
with open("in", "wb") as out:
    for _ in range(10):
        out.write(b"\n" * 10**6)
    out.write(b"5\n6\n")


def outcome(*options):
    """Status, first bytes and size of the output, and message."""
    with open("out", "wb") as out:
        done = subprocess.run([PSCAN, *options, "in"], stdout=out, stderr=subprocess.PIPE, timeout=1200)
    with open("out", "rb") as out:
        out.seek(max(0, os.path.getsize("out") - 20))
        return done.returncode, os.path.getsize("out"), out.read(), done.stderr.decode()


assert outcome() == (0, 5, b"5\n11\n", "")
assert outcome("-f", "1", "--missing=skip") == (0, 5, b"5\n11\n", "")
assert outcome("-f", "1") == (0, 5, b"5\n11\n", "")
assert outcome("-f", "1", "--missing=skip", "--replace")[:3] == (0, 10**7 + 5, b"\n" * 15 + b"5\n11\n")
assert outcome("-f", "1", "--missing=skip", "--csv", "-a")[:3] == (0, 10**7 + 9, b"\n" * 11 + b"5,5\n6,11\n")
assert outcome("-f", "1", "--missing=zero", "--total")[:3] == (0, 3, b"11\n")
'
}

# Writes a line of 128 MiB (or as many as BIG_LINE_MIB says) in front of a short one, and lines of 1 MiB that are twice
# as much.
BIG_LINES='
BIG = int(os.environ.get("BIG_LINE_MIB", "128"))


def write_big(name, begin, end, size=BIG, unit=b"x" * MIB):
    """Writes a file of so many MiB of unit between begin and end."""
    with open(name, "wb") as out:
        out.write(begin)
        for _ in range(size):
            out.write(unit)
        out.write(end)


def tail(name, size):
    """The last bytes of a file."""
    with open(name, "rb") as file:
        file.seek(max(0, os.path.getsize(name) - size))
        return file.read()


'

# bats test_tags=long
@test "a line of 128 MiB takes memory of the order of that line" {
	needs_plain_memory
	python "$BIG_LINES"'
write_big("in", b"1 ", b" 7\n5 y 6\n")
# The buffer of the input doubles where a line does not fit; -a and --replace hold the edited line too; 64 MiB are the
# rest.
assert peak("-T", "2", "-f", "3", "in", output="out") < 2 * BIG + 64 and tail("out", 9) == b"7\n13\n"
assert peak("-T", "2", "-f", "3", "-a", "in", output="out") < 4 * BIG + 64 and tail("out", 14) == b" 7 7\n5 y 6 13\n"
assert os.path.getsize("out") == os.path.getsize("in") + 5
assert peak("-T", "2", "--csv", "-d", " ", "-f", "3", "--replace", "in", output="out") < 4 * BIG + 64
assert tail("out", 10) == b" 7\n5 y 13\n"
'
}

@test "many lines of 1 MiB do not add up" {
	needs_plain_memory
	python '
def write_lines(name, count):
    """Writes so many lines of 1 MiB."""
    with open(name, "wb") as out:
        for _ in range(count):
            out.write(b"1 " + b"x" * (MIB - 5) + b" 7\n")


write_lines("few", 16)
write_lines("many", 128)
for options in ("-f", "3"), ("-f", "1", "-a"), ("-f", "3", "--replace", "--csv", "-d", " "):
    few, many = peak("-T", "2", *options, "few"), peak("-T", "2", *options, "many")
    assert many < 128 and many < few * 1.5 + 32, (options, few, many)
'
}

# bats test_tags=long
@test "a number of 64 MiB takes memory of the order of that number" {
	needs_plain_memory
	python "$BIG_LINES"'
write_big("in", b"1 ", b"7 8\n", 64, b"0" * MIB)
for options in (), ("-t", "i64"), ("-t", "f64"):
    assert peak("-T", "2", *options, "in", output="out") < 2 * 64 + 64 and tail("out", 99) == b"1\n8\n16\n", options
'
}

# bats test_tags=long
@test "a quote that is not closed over 128 MiB is told with its line, in the memory of one record" {
	needs_plain_memory
	python "$BIG_LINES"'
write_big("in", b"1,a\n2,\"", b"", unit=b"x,\n" * (MIB // 4) + b"x" * (MIB // 4))
for options in ("-f", "1"), ("-f", "1", "-a"), ("-f", "1", "--replace"):
    assert peak("-T", "2", "--csv", *options, "in", right=1, output="out") < 4 * BIG + 64
    message = open("err").read()
    assert "in: line 2: a quoted field is not closed: " in message and one_message(message), message
    assert tail("out", 99) == {"-a": b"1,a,1\n", "--replace": b"1,a\n"}.get(options[-1], b"1\n"), options
'
}

@test "a header line without end passes, or is told to hold no such name" {
	needs_plain_memory
	python "$BIG_LINES"'
write_big("in", b"a,b", b"", 64)
assert peak("-T", "2", "-d", ",", "-H", "-f", "1", "in", output="out") < 4 * 64 + 64
assert open("out", "rb").read() == b"a_sum\n"
assert peak("-T", "2", "-d", ",", "-H", "-f", "1", "-a", "in", output="out") < 4 * 64 + 64
assert os.path.getsize("out") == os.path.getsize("in") + len(",a_sum\n") and tail("out", 9) == b"xx,a_sum\n"
peak("-T", "2", "-d", ",", "-f", "c", "in", right=1, output="out")
message = open("err").read()
assert "no field is called" in message and one_message(message), message
'
}

# --- Fields far out

@test "of thousands of columns the memory is that of the chunks, not of a tile of each" {
	needs_plain_memory
	python '
open("in", "wb").write(struct.pack("<f", 1) * (64 * 5000))
for more in (), ("-op", "range"), ("-op", "sum,max"), ("-f", "1-2500"):
    found = peak("-D", "none", "-T", "2", "-c", "5000", "--format=binary", *more, "in")
    assert found < 256, (more, found)
'
}

@test "field 10^6 is found, and field 2^64-1 is refused" {
	python '
line = b"".join(b"%d," % i for i in range(1, 10**6)) + b"7\n"
for options, right in (((), b"7\n14\n"), (("-a",), (line[:-1] + b",7\n" + line[:-1] + b",14\n")),
                       (("--replace",), line + line[:-2] + b"14\n"),
                       (("--csv", "-a",), (line[:-1] + b",7\n" + line[:-1] + b",14\n"))):
    assert run(line * 2, "-d", ",", "-f", "1000000", *options) == (0, right, ""), options
status, output, messages = run(line, "-d", ",", "-f", "1000001")
assert (status, output) == (1, b"") and "field 1000001: " in messages and one_message(messages), messages
for number in 2**64 - 1, 2**64, 2**63, 2**32 * 2**32 + 1, 10**30, 10**1000:
    status, output, messages = run(b"1,2\n", "-d", ",", "-f", str(number))
    assert (status, output) == (2, b"") and one_message(messages), (number, messages)
'
}

@test "lines of delimiters only have missing fields" {
	python '
text = (b"," * 20 + b"\n") * 50000
assert run(text, "-d", ",", "-f", "3", "--missing=skip") == (0, b"", "")
assert run(text, "-d", ",", "-f", "3", "--missing=1", "--total") == (0, b"50000\n", "")
assert run(text, "--csv", "-f", "3", "--missing=skip", "-a") == (0, text.replace(b"\n", b",\n"), "")
assert run(text, "--csv", "-f", "21", "--missing=skip", "--replace") == (0, text, "")
status, output, messages = run(text, "-d", ",", "-f", "3")
assert (status, output) == (1, b"") and "line 1, field 3: " in messages and one_message(messages), messages
line = b"," * 10**7 + b"4\n"
assert run(line, "-d", ",", "-f", "5000000", "--missing=3") == (0, b"3\n", "")
assert run(line, "--csv", "-f", "10000001", "-a") == (0, line[:-1] + b",4\n", "")
assert run(b"\"\"," * 10**6 + b"4\n", "--csv", "-f", "1000001") == (0, b"4\n", "")
assert run(b" \t" * 10**6 + b"\n 4\n", "-f", "1", "--missing=skip") == (0, b"4\n", "")
'
}

# --- Bytes that do not belong in text

# spoils BYTE...: each of these, anywhere in a line, spoils no other field and no other line.
spoils() {
	python '
lines = [b"a,1,x\n", b"b,22,\"y z\"\n", b"c,3,\n"]
text = b"".join(lines)
number = re.compile(rb"[ \t\r]*([+-]?[0-9]+)[ \t\r]*\Z")


def right(data, edit):
    """Status and output for -f 2 -d , with -a or --replace or neither."""
    total, out = 0, b""
    for line in data.split(b"\n")[:-1]:
        fields = line.split(b",")
        found = number.match(fields[1]) if len(fields) > 1 else None
        if not found:
            return 1, out
        total += int(found[1])
        if edit == "-a":
            out += line + b",%d\n" % total
        elif edit == "--replace":
            begin = len(fields[0]) + 1
            out += line[:begin + found.start(1)] + b"%d" % total + line[begin + found.end(1):] + b"\n"
        else:
            out += b"%d\n" % total
    return 0, out


for byte in map(bytes.fromhex, sys.argv[1:]):
    for at in range(len(text) + 1):
        data = text[:at] + byte + text[at:]
        if not data.endswith(b"\n"):
            continue
        for edit in "", "-a", "--replace":
            for csv in (), ("--csv", "--no-header"):
                if csv and at in (len(lines[0]) + 4, len(lines[0]) + 5, len(lines[0]) + 9):
                    continue  # next to a quote: what CSV makes of that is not the point here
                options = ["--format=text", "-d", ",", "-f", "2", *csv] + [edit] * (edit != "")
                status, output, messages = run(data, *options)
                assert (status, output) == right(data, edit), (data, options, status, output, messages)
                assert messages == "" if status == 0 else one_message(messages), (data, messages)
' "$@"
}

@test "a NUL, a control or a byte that is not UTF-8, anywhere in a line, spoils no other field and no other line" {
	spoils 00 1b ff
}

# bats test_tags=long
@test "nor do bytes that begin or go on with a letter of UTF-8, or stand for none" {
	spoils c3 80 eda080 f4908080
}

@test "NUL bytes and bytes that are not UTF-8 are no numbers and no white space, wherever they stand" {
	python '
for byte in b"\0", b"\xff", b"\xc2\xa0", b"\xe2\x80\x8b", b"\xc2\x85":
    for data, kept in ((b"1" + byte + b"2\n", b""), (byte + b"1\n", b""), (b"1\n2" + byte + b"\n", b"1\n"),
                       (b"1\n" + byte, b"1\n"), (b"1\n" + byte * 10**6 + b"\n3\n", b"1\n")):
        for options in (), ("-t", "i64"), ("-t", "f32"), ("-f", "1"):
            status, output, messages = run(data, "--format=text", *options)
            assert (status, output) == (1, kept) and one_message(messages), (data[:20], options, status, output, messages)
    status, output, _ = run((b"1\n" + byte + b"\n") * 30000, "--format=text", "--invalid=ignore", "--total", "-t", "i64")
    assert (status, output) == (0, b"30000\n"), (byte, status, output)
status, output, messages = run(bytes(10**6), "--format=text")
assert (status, output) == (1, b"") and one_message(messages), messages
'
}

@test "a file of CRs only is one line of white space between its numbers" {
	python '
text = b"".join(b"%d\r" % i for i in range(1, 30001))
for options in (), ("--chunk-size=1", "-T", "4"), ("-t", "i64"):
    assert run(text, *options) == (0, totals(text), ""), options
assert run(b"\r" * 10**6) == (0, b"", "")
assert run(b"\r\n" * 10**5 + b"\r", "-f", "1", "--missing=skip") == (0, b"", "")
for options in (), ("-a",), ("--replace",), ("--csv", "-a"):
    status, output, messages = run(text, "-f", "1", *options)
    assert (status, output) == (1, b"") and "line 1: a carriage return within the line" in messages and one_message(messages), (options, messages)
'
}

# --- Many files, hostile names, endless arguments

# bats test_tags=long
@test "a hundred thousand input files are one stream, with few descriptors" {
	echo 1 >f
	python '
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
files = ["f"] * 100000
done = subprocess.run([PSCAN, *files], capture_output=True, timeout=1200)
assert (done.returncode, done.stderr) == (0, b"") and done.stdout == totals(b"1 " * 100000)
done = subprocess.run([PSCAN, "-f", "1", "-a", "-T", "4", *files[:20000]], capture_output=True, timeout=1200)
assert (done.returncode, done.stderr) == (0, b"")
assert done.stdout == b"".join(b"1 %d\n" % i for i in range(1, 20001))
open("g", "wb").write(gzip.compress(b"1\n"))
done = subprocess.run([PSCAN, "--total", *["g", "f"] * 5000, "none"], capture_output=True, timeout=1200)
assert (done.returncode, done.stdout, done.stderr) == (3, b"", b"pscan: none: No such file or directory\n"), done
'
}

@test "files whose names hold controls are read and written like others" {
	python '
for name in b"\x1b[31m", b"new\nline", b"\r", b"\x01\x7f", b"\xff\xfe", b"-z", b" ", b"\xe2\x80\xae", b"n" * 255:
    open(name, "wb").write(b"1\n2\n")
    done = subprocess.run([PSCAN, "-o", b"./" + name, "--", name], capture_output=True, timeout=1200)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b""), (name, done)
    assert open(name, "rb").read() == b"1\n3\n", name
    os.remove(name)
assert [name for name in os.listdir(b".") if name.startswith(b".pscan")] == []
'
}

@test "arguments as long as the system lets them be are refused on one short line, or do what they say" {
	python '
SIZE = 131000  # the kernel takes 128 KiB an argument
options = ["--op", "--seed", "--overflow", "--format", "--output-format", "--type", "--missing", "--invalid", "--gzip", "--device",
           "--chunk-size", "--threads", "--delimiter", "--number-format", "--stats", "--algorithm", "--header", "--field",
           "--output", "--comment", "--as"]
for option in options:
    for unit in "a", "9", "\x1b", "%", ",":
        done = subprocess.run([PSCAN, option + "=" + unit * SIZE], input=b"1 2\n", capture_output=True, timeout=1200)
        text = done.stderr.decode()
        assert done.returncode in (1, 2, 3, 4) and done.stdout == b"", (option, unit, done.returncode, done.stdout[:50])
        assert len(text) < 1000 and text.startswith("pscan: ") and "\x1b" not in text, (option, unit, text[:300])
        assert text.count("\n") <= 2, (option, unit, text[:300])
long = "n" * SIZE
assert run(b"h\n1\n", "-H", "-f", "1", "-d", ",", "-a", "--as=" + long) == (0, b"h," + long.encode() + b"\n1,1\n", "")
assert run(b"h," + long.encode() + b"\n1,2\n", "-d", ",", "-f", long)[:2] == (0, long.encode() + b"_sum\n2\n")
comment = b"#" * 1000  # the longest that is taken
assert run(comment + b"x\n" + comment[1:] + b"\n", "--comment=" + comment.decode(), "--invalid=ignore") == (0, comment + b"x\n", "")
assert run(b"1\n", "--seed=" + "0" * SIZE + "5") == (0, b"6\n", "")
assert run(b"-\n", "--missing=" + "0" * SIZE + "5") == (0, b"5\n", "")
status, output, messages = run(b"1\n", "-F", long + "%d", "-t", "i64")
assert (status, output) == (2, b"") and one_message(messages), (status, messages[:200])
for name in long, "d/" * (SIZE // 2):
    for arguments in (name,), ("-o", name):
        done = subprocess.run([PSCAN, *arguments], input=b"1\n", capture_output=True, timeout=1200)
        assert done.returncode == 3 and one_message(done.stderr.decode()), (name[:9], arguments[0][:5], done.returncode)
'
}
