#!/usr/bin/env bats
# gzip in and out. The oracles are python's zlib and gzip, and gunzip.
# shellcheck disable=SC2154 # code, out and err are set by run_pscan

load helper

setup() {
	export PSCAN_DEVICE=none
}

# A python prologue: run(data, option...) gives (status, output, messages); totals(text) is the right output.
# shellcheck disable=SC2034 # python uses it
PROLOGUE='
import gzip
import itertools
import os
import struct
import subprocess
import sys
import zlib

from running import run, totals


def inflated(data):
    """All that zlib can inflate from the front of one member."""
    try:
        return zlib.decompressobj(31).decompress(data)
    except zlib.error:
        return None


'

# A python prologue: bgzf(data) packs it so; check(packed, text) runs the program on a file and on a pipe, where no
# thread helps, and compares with what is sound.
BGZF='
import random
import tempfile
random.seed(7)


def member(data, size=None):
    deflater = zlib.compressobj(6, zlib.DEFLATED, -15)
    body = deflater.compress(data) + deflater.flush()
    size = 18 + len(body) + 8 if size is None else size
    return (b"\x1f\x8b\x08\x04\x00\x00\x00\x00\x00\xff\x06\x00BC\x02\x00" + struct.pack("<H", size - 1) + body
            + struct.pack("<II", zlib.crc32(data), len(data)))


def bgzf(data, step=20000):
    return [member(data[i:i + step]) for i in range(0, len(data), step)] + [member(b"")]


text = b"".join(b"%d\n" % random.randrange(10**6) for _ in range(200000))


def check(packed, sound, status, place=None):
    right = totals(sound[:sound.rfind(b"\n") + 1])
    with tempfile.NamedTemporaryFile(dir=os.environ["TMP"]) as file:
        file.write(packed)
        file.flush()
        for options in (), ("--chunk-size=32K", "-T", "4"), ("--chunk-size=32K", "-T", "1"):
            done = subprocess.run([os.environ["PSCAN"], *options, file.name], capture_output=True)
            messages = done.stderr.decode("utf-8", "replace").replace(file.name, "standard input")
            assert (done.returncode, done.stdout == right) == (status, True), (options, done.returncode, len(done.stdout), len(right))
            assert place is None or "byte %d of the compressed file" % place in messages, (place, messages)
            assert (done.returncode, done.stdout, messages) == run(packed, *options), (options, messages)
'

# --- In

@test "gzip is recognised by its magic bytes, from file and pipe" {
	seq 5 | gzip >"$TMP/a.txt"
	run_pscan "$TMP/a.txt"
	assert_equal "$code $err ${out//$'\n'/ }" '0  1 3 6 10 15'
	run_pscan < <(cat "$TMP/a.txt")
	assert_equal "$code $err ${out//$'\n'/ }" '0  1 3 6 10 15'
	run_pscan <"$TMP/a.txt"
	assert_equal "$code $err ${out//$'\n'/ }" '0  1 3 6 10 15'
}

@test "what begins as gzip and cannot be read is an error with its place, no numbers" {
	python '
# Reserved flags, another method, cut within the header.
cases = [(b"\x1f\x8b\x08\x20" + bytes(4), "byte 4 ", "unknown header flags set"),
         (b"\x1f\x8b\x08\x80" + bytes(20), "byte 4 ", "unknown header flags set"),
         (b"\x1f\x8b\x07\x00" + bytes(4), "byte 4 ", "unknown compression method"),
         (b"\x1f\x8b12\n34", "byte 4 ", "unknown compression method")]
whole = gzip.compress(b"1 2 3\n")
cases += [(whole[:size], f"byte {size} ", "unexpected end of file") for size in range(2, 12)]
for data, place, reason in cases:
    want = f"pscan: standard input: {place}of the compressed file: damaged gzip data: {reason}\n"
    for options in [], ["--output-format=text"], ["-f", "1"], ["--format=text"], ["-t", "i8", "-f", "1"]:
        assert run(data, *options) == (1, b"", want), (data, options, run(data, *options))
    # Also as a later file.
    path = sys.argv[1] + "/second"
    open(path, "wb").write(data)
    assert run(b"5\n", "-", path) == (1, b"5\n", want.replace("standard input", path)), data
# Anything else is not gzip.
assert run(b"\x1f") == (1, b"", "pscan: standard input: byte 0: 1 byte left over, float32 needs 4\n")
assert run(b"\x1f\x8a\x08\0", "-q", "-t", "f32")[:2] == (0, b"\x1f\x8a\x08\0")
' "$TMP"
}

@test "bytes that only begin as gzip are elements where -t or --format=binary says so, good gzip is gzip" {
	python '
data = b"\x1f\x8b\x08\xff\1\2\3\4"
want = "".join(f"{v}\n" for v in itertools.accumulate(data)).encode()
for options in ["-t", "u8:u64"], ["-t", "u8:u64", "--format=binary"]:
    assert run(data, "--output-format=text", *options) == (0, want, ""), options
assert run(data, "--format=binary")[0] == 0
packed = gzip.compress(bytes(range(50)))
for options in [], ["--format=binary"]:
    assert run(packed, "-t", "u8:u64", "--total", "--output-format=text", *options) == (0, b"1225\n", ""), options
'
}

@test "a name says nothing about gzip" {
	seq 5 >"$TMP/plain.gz"
	run_pscan "$TMP/plain.gz"
	assert_equal "$code $err ${out//$'\n'/ }" '0  1 3 6 10 15'
}

@test "gzip is recognised per file" {
	seq 3 >"$TMP/plain"
	seq 4 5 | gzip >"$TMP/packed"
	run_pscan "$TMP/plain" "$TMP/packed" - "$TMP/packed" < <(cat "$TMP/packed")
	assert_equal "$code $err ${out//$'\n'/ }" '0  1 3 6 10 15 19 24 28 33'
	run_pscan "$TMP/packed" "$TMP/plain"
	assert_equal "$code $err ${out//$'\n'/ }" '0  4 9 10 12 15'
}

@test "lines in gzip are counted after inflation, per file" {
	printf '1\n2\n' | gzip >"$TMP/a"
	printf '3\nx\n' | gzip >"$TMP/b"
	run_pscan "$TMP/a" "$TMP/b"
	assert_equal "$code ${out//$'\n'/ }" '1 1 3 6'
	assert_equal "$err" "pscan: $TMP/b: line 2: not a number: \"x\" (see --invalid)"
}

@test "raw numbers come out of gzip" {
	need_same_byte_order
	python '
data = struct.pack("<5000f", *[1.0] * 5000)
right = struct.pack("<5000f", *range(1, 5001))
for options in (), ("--chunk-size=1", "-T", "4"):
    assert run(gzip.compress(data), *options) == (0, right, "")
'
}

@test "big gzip input is all there, on every chunking" {
	seq 300000 >"$TMP/in"
	gzip -1 <"$TMP/in" >"$TMP/in.gz"
	awk '{ printf "%.0f\n", s += $1 }' "$TMP/in" >"$TMP/right"
	local options
	for options in '' '--chunk-size=32K -T 4' '--no-mmap -T 1'; do
		# shellcheck disable=SC2086 # words
		run_pscan $options "$TMP/in.gz"
		assert_equal "$code $err" '0 '
		cmp "$TMP/out" "$TMP/right"
	done
}

@test "an empty file is not gzip and no error" {
	: >"$TMP/empty.gz"
	run_pscan "$TMP/empty.gz"
	assert_equal "$code $out$err" '0 '
}

@test "gzip of nothing gives no results" {
	gzip </dev/null >"$TMP/in"
	run_pscan "$TMP/in"
	assert_equal "$code $out$err" '0 '
}

@test "every header field is accepted" {
	python '
text = b"1 2 3\n"
whole = gzip.compress(text, mtime=0)
body = whole[10:]
for flags in range(32):
    header = b"\x1f\x8b\x08" + bytes([flags]) + b"\x01\x02\x03\x04\x00\x03"
    header += b"\x05\x00\x1f\x8b\x08\x00\x00" if flags & 4 else b""
    header += b"name\x00" if flags & 8 else b""
    header += b"comment\x00" if flags & 16 else b""
    header += struct.pack("<H", zlib.crc32(header) & 0xffff) if flags & 2 else b""
    assert run(header + body) == (0, b"1\n3\n6\n", ""), flags
    assert run(2 * (header + body)) == (0, b"1\n3\n6\n7\n9\n12\n", ""), flags
'
}

@test "a wrong header checksum is damage" {
	python '
header = b"\x1f\x8b\x08\x02\x00\x00\x00\x00\x00\x03"
good = struct.pack("<H", zlib.crc32(header) & 0xffff)
body = gzip.compress(b"1 2 3\n")[10:]
assert run(header + good + body) == (0, b"1\n3\n6\n", "")
status, output, messages = run(header + bytes([good[0] ^ 1, good[1]]) + body)
assert (status, output) == (1, b"") and "byte " in messages, (status, output, messages)
'
}

# --- Members, padding, trailing bytes

@test "members join, a token may span them" {
	python '
text = b"12 345\n6789\n10\n"
for cut in range(len(text) + 1):
    data = gzip.compress(text[:cut]) + gzip.compress(text[cut:])
    assert run(data) == (0, totals(text), ""), cut
    assert run(data, "--chunk-size=1") == (0, totals(text), ""), cut
data = b"".join(gzip.compress(text[i:i + 1]) for i in range(len(text)))
assert run(data) == (0, totals(text), "")
'
}

@test "an element of raw numbers may span members" {
	python '
data = struct.pack("<4i", 1, 2, 3, 4)
right = struct.pack("<4i", 1, 3, 6, 10)
for cut in range(len(data) + 1):
    packed = gzip.compress(data[:cut]) + gzip.compress(data[cut:])
    assert run(packed, "--format=binary", "-t", "i32") == (0, right, ""), cut
'
}

@test "empty members change nothing" {
	python '
empty = gzip.compress(b"")
assert run(empty * 3 + gzip.compress(b"1 2") + empty + gzip.compress(b"3\n") + empty) == (0, b"1\n24\n", "")
'
}

@test "hundreds of members are one stream" {
	python '
text = b"".join(b"%d\n" % i for i in range(3000))
data = b"".join(gzip.compress(text[i:i + 37], 1) for i in range(0, len(text), 37))
assert run(data, "--chunk-size=1", "-T", "4") == (0, totals(text), "")
'
}

@test "NUL padding at the end is accepted" {
	python '
packed = gzip.compress(b"1 2 3\n")
for size in 1, 2, 3, 512, 4096, 1000000:
    assert run(packed + b"\x00" * size) == (0, b"1\n3\n6\n", ""), size
'
}

@test "a later member with flags that nobody knows is damage" {
	python '
packed = gzip.compress(b"1 2 3\n")
for flag in 0x20, 0x40, 0x80:
    second = packed[:3] + bytes([flag]) + packed[4:]
    status, output, messages = run(packed + second)
    assert (status, output) == (1, b"1\n3\n6\n") and "unknown header flags set" in messages, (flag, status, output, messages)
'
}

@test "other trailing bytes: results kept, a warning, exit 1" {
	python '
packed = gzip.compress(b"1 2 3\n")
for trailing in b"x", b"xyz", b"\n", b"garbage" * 100000, b"\x1f\x8b\xff\xff", b"\x1f\x20", b"\x1f\x00", b"\x1f\x8b\x00\x00", b"\x00\x00x", b"\x00" * 700 + b"\x1f\x8b\x08":
    status, output, messages = run(packed + trailing)
    assert (status, output) == (1, b"1\n3\n6\n"), (trailing[:8], status, output)
    assert messages.startswith("pscan: warning: standard input: ") and messages.count("\n") == 1, messages
    assert "byte %d" % (len(packed) + len(trailing) - len(trailing.lstrip(b"\x00"))) in messages or trailing[0] == 0x1f, messages
'
}

@test "with trailing bytes the last result is there, newline or not" {
	python '
assert run(gzip.compress(b"1 2 3") + b"trailing")[:2] == (1, b"1\n3\n6\n")
assert run(gzip.compress(b"1 2 3") + b"trailing", "--total")[:2] == (1, b"6\n")
assert run(gzip.compress(b"a,1\nb,2") + b"trailing", "-f", "2", "-d", ",")[:2] == (1, b"1\n3\n")
'
}

@test "with trailing bytes the -o file is kept too" {
	{
		seq 5 | gzip
		echo trailing
	} >"$TMP/in"
	run_pscan -o "$TMP/made" "$TMP/in"
	assert_equal "$code $out" '1 '
	assert_contains "$err" warning
	assert_equal "$(tr '\n' ' ' <"$TMP/made")" '1 3 6 10 15 '
}

@test "trailing bytes in one file do not end the stream" {
	{
		seq 2 | gzip
		echo trailing
	} >"$TMP/a"
	seq 3 4 >"$TMP/b"
	run_pscan "$TMP/a" "$TMP/b"
	assert_equal "$code ${out//$'\n'/ }" '1 1 3 6 10'
	assert_contains "$err" "warning: $TMP/a: "
}

# --- Damage

# bats test_tags=many
@test "text cut at every byte of the gzip keeps the sound part and cuts no token" {
	python '
text = b"".join(b"%d\n" % (i * i * 7919) for i in range(1, 120))
right = totals(text).splitlines(True)
packed = gzip.compress(text)
for size in range(len(packed) + 1):
    data = packed[:size]
    status, output, messages = run(data)
    sound = (inflated(data) or b"") if size > 2 else b""
    lines = sound.count(b"\n")
    assert output == b"".join(right[:lines]), (size, lines, output[-50:])
    if size in (0, len(packed)):
        assert (status, messages) == (0, ""), (size, status, messages)
    else:
        assert status == 1 and messages.count("\n") == 1, (size, status, messages)
        assert size < 3 or "byte " in messages, (size, messages)
'
}

# bats test_tags=many
@test "raw numbers cut at every byte of the gzip keep the sound part" {
	python '
data = struct.pack("<60q", *[i * i * 7919 for i in range(60)])
right = struct.pack("<60q", *itertools.accumulate(i * i * 7919 for i in range(60)))
packed = gzip.compress(data)
for size in range(3, len(packed)):
    status, output, messages = run(packed[:size], "--format=binary", "-t", "i64le")
    sound = len(inflated(packed[:size])) // 8 * 8
    assert (status, output) == (1, right[:sound]), (size, sound, len(output))
    assert messages.count("\n") == 1 and "byte " in messages, (size, messages)
'
}

# bats test_tags=many
@test "fields cut at every byte of the gzip give no part of a line" {
	python '
text = b"".join(b"row%d,%d\n" % (i, i * i * 7919) for i in range(1, 40))
right = totals(b" ".join(line.split(b",")[1] for line in text.splitlines())).splitlines(True)
packed = gzip.compress(text)
for size in range(3, len(packed)):
    status, output, messages = run(packed[:size], "-f", "2", "-d", ",")
    lines = inflated(packed[:size]).count(b"\n")
    assert (status, output) == (1, b"".join(right[:lines])), (size, lines, output)
'
}

@test "two members cut at every byte keep the sound part" {
	python '
text = b"12 34\n56\n"
first, second = gzip.compress(text[:4]), gzip.compress(text[4:])
for size in range(3, len(first + second) + 1):
    sound = inflated(first[:size]) + (inflated(second[:size - len(first)]) or b"" if size > len(first) else b"")
    if size in (len(first), len(first + second)):
        right = 0, totals(sound)
    else:
        right = 1, totals(sound[:max(sound.rfind(b"\n"), sound.rfind(b" ")) + 1])
    assert run((first + second)[:size])[:2] == right, (size, right)
'
}

@test "cut gzip of many chunks keeps the sound part, from file and pipe" {
	python '
import random
random.seed(1)
text = b"".join(b"%d\n" % random.randrange(10**9) for _ in range(60000))
right = totals(text).splitlines(True)
packed = gzip.compress(text, 1)
for size in len(packed) // 3, len(packed) // 2 + 1, len(packed) - 1:
    lines = inflated(packed[:size]).count(b"\n")
    for options in (), ("--chunk-size=32K", "-T", "4"):
        status, output, messages = run(packed[:size], *options)
        assert (status, output) == (1, b"".join(right[:lines])), (size, status, len(output))
        assert messages.startswith("pscan: standard input: ") and "byte %d" % size in messages, messages
'
}

@test "--total of cut gzip prints nothing" {
	python '
packed = gzip.compress(b"1 2 3\n")
for size in range(3, len(packed)):
    assert run(packed[:size], "--total")[:2] == (1, b""), size
'
}

@test "after cut gzip the -o file is not made" {
	seq 1000 | gzip | head -c 1000 >"$TMP/in"
	run_pscan -o "$TMP/made" "$TMP/in"
	assert_equal "$code $out" '1 '
	[ ! -e "$TMP/made" ]
	assert_equal "$(find "$TMP" -name '.*' -type f)" ''
}

@test "cut gzip ends the stream: no later file is read" {
	seq 1000 | gzip | head -c 1000 >"$TMP/a"
	run_pscan "$TMP/a" "$TMP/missing"
	assert_equal "$code $(wc -l <"$TMP/err")" '1 1'
	assert_contains "$err" "$TMP/a: "
}

@test "a bad checksum or length is damage, found behind the results" {
	python '
packed = gzip.compress(b"1 2 3\n")
for at in range(len(packed) - 8, len(packed)):
    data = bytearray(packed)
    data[at] ^= 0x10
    status, output, messages = run(bytes(data))
    assert (status, output) == (1, b"1\n3\n6\n"), (at, status, output)
    assert "byte " in messages and messages.count("\n") == 1, messages
'
}

@test "no flipped bit of a gzip body goes unnoticed" {
	python '
text = b"".join(b"%d\n" % (i * i) for i in range(20))
packed = gzip.compress(text)
for at in range(10, len(packed)):
    data = bytearray(packed)
    data[at] ^= 1 << at % 8
    status, _, messages = run(bytes(data), "-t", "i64", "--format=text")
    assert status == 1 and messages.startswith("pscan: "), (at, status, messages)
'
}

@test "what damage makes of numbers is told as damage, with where the member begins, and not as a wrong token" {
	TMP=$TMP python "$BGZF"'
lines = [b"%d\n" % random.randrange(10**6) for _ in range(3000)]


def flip(data, at):
    return data[:at] + bytes([data[at] ^ 1 << random.randrange(8)]) + data[at + 1:]


# Deflate data that can be inflated, and is no list of numbers any more. Oracle: zlib.
# Small ones are wholly inflated before a wrong token is found; of the large ones the token comes first.
small, large = gzip.compress(b"".join(lines)), gzip.compress(b"".join(b"%d\n" % random.randrange(10**6) for _ in range(400000)))
garbage = []
while len(garbage) < 8:
    packed, end = (small, len(small) - 8) if len(garbage) < 4 else (large, 4000)
    data = flip(packed, random.randrange(20, end))
    try:
        made = zlib.decompressobj(-15).decompress(data[10:])
    except zlib.error:
        continue
    if any(not line.isdigit() for line in made.split(b"\n")[:-1]):
        garbage.append(data)
first = gzip.compress(b"1\n2\n")
for data in garbage:
    for before, sums in (b"", b""), (first, b"1\n3\n"):
        with open(os.environ["TMP"] + "/garbage", "wb") as file:
            file.write(before + data + first)
        place = len(before) + len(data) - 4
        want = f"byte {place} of the compressed file: damaged gzip data: incorrect data check (the data from byte {len(before)} on may be wrong)\n"
        for options in ["--chunk-size=4K", "-T", "3"], []:
            status, output, messages = run(b"", *options, os.environ["TMP"] + "/garbage")
            assert (status, messages) == (1, "pscan: " + os.environ["TMP"] + "/garbage: " + want), (options, status, messages)
            assert output.startswith(sums), output
        # Of a pipe no more is read to tell.
        assert len(data) > 100000 or run(before + data + first)[2] == f"pscan: standard input: {want}"
# A member of many that say their size.
members = bgzf(b"".join(lines), 5000)
for _ in range(40):
    bad = random.randrange(len(members) - 1)
    at = random.randrange(18, len(members[bad]) - 8)
    data = b"".join(members[:bad]) + flip(members[bad], at) + b"".join(members[bad + 1:])
    with open(os.environ["TMP"] + "/garbage", "wb") as file:
        file.write(data)
    status, output, messages = run(b"", os.environ["TMP"] + "/garbage")
    sound = b"".join(lines)[:5000 * bad]
    assert status == 1 and output.startswith(totals(sound[:sound.rfind(b"\n") + 1])), (bad, at, status)
    assert "damaged gzip data" in messages and messages.count("\n") == 1, (bad, at, messages)
# A wrong token in a sound file is one, before and behind a checksum.
for data in gzip.compress(b"1\nx\n"), gzip.compress(b"1\nx\n" + b"2\n" * 3000000), gzip.compress(b"1\n") + gzip.compress(b"x\n2\n"):
    with open(os.environ["TMP"] + "/token", "wb") as file:
        file.write(data)
    status, output, messages = run(b"", os.environ["TMP"] + "/token")
    assert (status, output) == (1, b"1\n") and "line 2: not a number: \"x\"" in messages, (status, output[:20], messages)
'
}

@test "data whose checksum is right are not said to be wrong, and a wrong token in them is reported" {
	TMP=$TMP python '
def damage(packed, at):
    return packed[:at] + bytes([packed[at] ^ 1]) + packed[at + 1:]


numbers = b"".join(b"%d\n" % i for i in range(300000))
for text, options in (b"1\n2\n", []), (numbers, ["--chunk-size=64K"]):
    for token in b"", b"x\n":
        packed = gzip.compress(token + text)
        faults = {damage(packed, len(packed) - 4): "incorrect length check\n", packed[:-3]: "unexpected end of file\n"}
        if options:
            # The damaged member begins in a later chunk.
            faults[packed + damage(gzip.compress(numbers), 1000)] = "damaged gzip data: "
        for data, fault in faults.items():
            with open(os.environ["TMP"] + "/checked", "wb") as file:
                file.write(data)
            status, output, messages = run(b"", *options, os.environ["TMP"] + "/checked")
            assert status == 1 and messages.count("\n") == 1, (status, messages)
            if token:
                assert output == b"" and ": line 1: not a number: \"x\"" in messages, messages
            else:
                assert output.startswith(totals(text)) and fault in messages, messages
                assert ("may be wrong" in messages) == (fault[-1] != "\n"), messages
                assert "may be wrong" not in messages or f"from byte {len(packed)} on" in messages, messages
'
}

@test "a bad code in the middle keeps every result before it" {
	python '
import random
random.seed(1)
text = b"".join(b"%d\n" % random.randrange(10**9) for _ in range(3000))
packed = gzip.compress(text)
tried = 0
for at in range(1000, len(packed) - 1000, len(packed) // 50):
    data = packed[:at] + bytes([packed[at] ^ 0xff, packed[at + 1] ^ 0xff]) + packed[at + 2:]
    # Fed byte by byte, zlib gives all that stands before the bad code.
    member, sound, bad = zlib.decompressobj(31), b"", False
    try:
        for i in range(len(data)):
            sound += member.decompress(data[i:i + 1])
    except zlib.error:
        bad = True
    lines = sound[:sound.rfind(b"\n") + 1]
    if not bad or len(sound) > len(text) or any(not line.isdigit() or len(line) > 18 for line in lines.splitlines()):
        continue
    tried += 1
    for options in (), ("--chunk-size=32K", "-T", "4"):
        status, output, messages = run(data, *options)
        assert (status, output) == (1, totals(lines)), (at, status, len(output), len(totals(lines)))
        assert "byte " in messages and messages.count("\n") == 1, (at, messages)
assert tried > 5, tried
'
}

@test "a damaged second file leaves the results of the first" {
	seq 3 >"$TMP/a"
	seq 1000 | gzip | head -c 12 >"$TMP/b"
	run_pscan "$TMP/a" "$TMP/b"
	assert_equal "$code ${out//$'\n'/ }" '1 1 3 6'
	assert_contains "$err" "$TMP/b: "
}

@test "good torture files and those with a tail inflate to the published bytes" {
	need_data
	DATA=$DATA python '
import hashlib
import json
data = os.environ["DATA"]
for case in json.load(open(data + "/cases/gzip.json")):
    if case["expect"] == "error":
        continue
    right = case.get("expected_sha256") or case["observed_gnu_gzip"]["out_sha256"]
    # The running xor of bytes can be undone.
    command = [os.environ["PSCAN"], "--format=binary", "-t", "u8", "-op", "xor", data + "/" + case["file"]]
    done = subprocess.run(command, capture_output=True)
    plain = bytes(a ^ b for a, b in zip(done.stdout, b"\x00" + done.stdout))
    status = 1 if "1f8bffff" in case["name"] else 0
    assert done.returncode == status and bool(done.stderr) == bool(status), (case["name"], done.returncode, done.stderr)
    assert hashlib.sha256(plain).hexdigest() == right, case["name"]
'
}

@test "bad torture files give their sound part and exit 1" {
	need_data
	DATA=$DATA python '
import json
data = os.environ["DATA"]
for case in json.load(open(data + "/cases/gzip.json")):
    if case["expect"] != "error" or open(data + "/" + case["file"], "rb").read(2) != b"\x1f\x8b":
        continue
    command = [os.environ["PSCAN"], "--format=binary", "-t", "u8", "-op", "xor", data + "/" + case["file"]]
    done = subprocess.run(command, capture_output=True)
    plain = bytes(a ^ b for a, b in zip(done.stdout, b"\x00" + done.stdout))
    assert done.returncode == 1, (case["name"], done)
    assert b"pscan: " in done.stderr, (case["name"], done)
    if "prefix_hex" in case:
        assert plain == bytes.fromhex(case["prefix_hex"]), (case["name"], plain)
'
}

# --- Members that say their sizes

# bats test_tags=long
@test "members that say their sizes are one stream, on any threads" {
	TMP=$TMP python "$BGZF"'
check(b"".join(bgzf(text)), text, 0)
check(b"".join(bgzf(text, 3000)), text, 0)
check(b"".join(bgzf(text, 60000)) * 8, text * 8, 0)
check(b"".join(bgzf(text)) + b"\x00" * 100, text, 0)
check(b"".join(bgzf(text)) + gzip.compress(b"1\n2\n") + b"".join(bgzf(b"3\n")), text + b"1\n2\n3\n", 0)
'
}

# bats test_tags=long
@test "such members among others, with damage or cut off, are told of with the place" {
	TMP=$TMP python "$BGZF"'
members = bgzf(text)
for bad in 0, 3, 40, len(members) - 2:
    before = b"".join(members[:bad])
    after = b"".join(members[bad + 1:])
    good = members[bad]
    whole = text[:20000 * bad + 20000]
    check(before + good[:-8] + bytes([good[-8] ^ 1]) + good[-7:] + after, whole, 1, len(before) + len(good) - 4)
    check(before + good[:-4] + bytes([good[-4] ^ 1]) + good[-3:] + after, whole, 1, len(before) + len(good))
    check(before + good[:-9], text[:20000 * bad] + zlib.decompressobj(-15).decompress(good[18:-9]), 1, len(before) + len(good) - 9)
    check(before + good[:17], text[:20000 * bad], 1, len(before) + 17)
    check(before + good + b"x" + after, whole + b"\n", 1, len(before) + len(good))
    # A byte more before the checksum, in the size that the member says, too.
    longer = good[:16] + struct.pack("<H", len(good)) + good[18:-8] + b"x" + good[-8:]
    check(before + longer + after, whole, 1)
'
}

@test "a member that lies about its size is read all the same" {
	TMP=$TMP python "$BGZF"'
members = bgzf(text)
for size in 27, 500, 65536:
    check(b"".join(members[:30]) + member(b"77\n", size) + b"".join(members[30:]), text[:600000] + b"77\n" + text[600000:], 0)
check(b"".join(members[:30]) + member(b"1\n" * 100000) + b"".join(members[30:]), text[:600000] + b"1\n" * 100000 + text[600000:], 0)
'
}

@test "such members are read from the descriptor's offset, which is left at the end" {
	TMP=$TMP python "$BGZF"'
path = os.environ["TMP"] + "/in"
with open(path, "wb") as file:
    file.write(b"line\n" + b"".join(bgzf(text)))
with open(path, "rb", buffering=0) as file:
    file.seek(5)
    done = subprocess.run([os.environ["PSCAN"], "--chunk-size=32K"], stdin=file, capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, totals(text), b"")
    assert file.tell() == os.path.getsize(path)
'
}

# --- Out

@test "-z goes through gunzip at every level, in one member" {
	seq 30000 >"$TMP/in"
	awk '{ printf "%.0f\n", s += $1 }' "$TMP/in" >"$TMP/right"
	local option
	for option in -z --gzip --gzip=1 --gzip=2 --gzip=3 --gzip=4 --gzip=5 --gzip=6 --gzip=7 --gzip=8 --gzip=9; do
		run_pscan "$option" "$TMP/in"
		assert_equal "$option: $code $err" "$option: 0 "
		gunzip -c <"$TMP/out" | cmp - "$TMP/right"
		"$PYTHON" - "$TMP/out" "$TMP/right" <<-'END'
			import sys
			import zlib
			member = zlib.decompressobj(31)
			data, right = (open(name, "rb").read() for name in sys.argv[1:])
			assert member.decompress(data) == right and member.eof and member.unused_data == b""
			assert len(data) < len(right) / 2
		END
	done
}

@test "level 9 is smaller than level 1, the default near level 6" {
	seq 100000 >"$TMP/in"
	local level size=()
	for level in 1 6 9; do
		run_pscan --gzip="$level" "$TMP/in"
		size[level]=$(wc -c <"$TMP/out")
	done
	run_pscan -z "$TMP/in"
	size[0]=$(wc -c <"$TMP/out")
	[ "${size[9]}" -lt "${size[1]}" ]
	[ "${size[6]}" -lt "${size[1]}" ]
	[ $((size[0] * 10)) -lt $((size[6] * 12)) ]
	# Their headers say so: 2 for the smallest, 4 for the fastest (RFC 1952).
	for level in 1:4 5:0 9:2; do
		run_pscan --gzip="${level%:*}" "$TMP/in"
		assert_equal "$level: $(od -An -tu1 -j 8 -N 1 "$TMP/out" | tr -d ' ')" "$level: ${level#*:}"
	done
}

# bats test_tags=long
@test "-z of many blocks goes through gunzip, on any threads" {
	seq 1500000 >"$TMP/in"
	awk '{ printf "%.0f\n", s += $1 }' "$TMP/in" >"$TMP/right"
	for threads in 1 2 3 4; do
		run_pscan -z -T $threads "$TMP/in"
		assert_equal "$threads: $code $err" "$threads: 0 "
		gunzip -c <"$TMP/out" | cmp - "$TMP/right"
	done
}

@test "-z gives the same bytes whatever the chunks and threads" {
	seq 250000 >"$TMP/in"
	awk '{ printf "%.0f\n", s += $1 }' "$TMP/in" >"$TMP/right"
	local option first options sum
	for option in --gzip=1 -z --gzip=4; do
		first=
		for options in '' '-T 1' '--chunk-size=32K -T 4' '--chunk-size=1M -T 2' '--no-mmap --chunk-size=333K -T 3'; do
			# shellcheck disable=SC2086 # words
			run_pscan "$option" $options "$TMP/in"
			assert_equal "$options: $code $err" "$options: 0 "
			sum=$(sha256sum <"$TMP/out")
			assert_equal "$options: $sum" "$options: ${first:=$sum}"
		done
		gunzip -c <"$TMP/out" | cmp - "$TMP/right"
		run_pscan "$option" --chunk-size=64K < <(cat "$TMP/in")
		assert_equal "pipe: $(sha256sum <"$TMP/out")" "pipe: $first"
	done
}

@test "-z finds in a block what the one before it ends with" {
	python '
import random
random.seed(3)
# Of random bytes, the same ones every 20000: without what is before it each block would hold them again.
period = bytes(random.randrange(256) for _ in range(19999))
period += bytes([-sum(period) % 256])
for option in "-z", "--gzip=6":
    status, output, messages = run(period * 300, option, "--format=binary", "-t", "u8", "--overflow=wrap", "-T", "3")
    assert (status, messages) == (0, "") and len(gzip.decompress(output)) == 6000000
    assert len(output) < 90000, (option, len(output))
'
}

# bats test_tags=long
@test "blocks cost at most a hundredth more than one run of zlib" {
	python '
text = b"".join(b"%d\n" % (i * 7919 % 1000003) for i in range(600000))
right = totals(text)
for level in 4, 6, 9:
    status, output, _ = run(text, "--gzip=%d" % level, "-T", "3")
    assert status == 0 and gzip.decompress(output) == right
    deflater = zlib.compressobj(level, zlib.DEFLATED, 31, 9)
    assert len(output) <= 1.01 * len(deflater.compress(right) + deflater.flush()), level
'
}

@test "compressed output that cannot be written ends the run, whoever deflates" {
	seq 700000 >"$TMP/in"
	local options ended
	for options in '-T 1' '-T 4 --chunk-size=64K'; do
		ended=0
		# shellcheck disable=SC2086 # words
		timeout 1200 "$PSCAN" -z $options "$TMP/in" >/dev/full 2>"$TMP/err" || ended=$?
		assert_equal "$ended $(cat "$TMP/err")" '3 pscan: standard output: No space left on device'
		# shellcheck disable=SC2086 # words
		timeout 1200 "$PSCAN" -z $options "$TMP/in" | head -c 1000000 >"$TMP/out"
		gunzip -c <"$TMP/out" 2>/dev/null | head -n 1000 >"$TMP/made" || true
		awk 'NR <= 1000 { printf "%.0f\n", s += $1 }' "$TMP/in" | cmp - "$TMP/made"
	done
}

# bats test_tags=long
@test "--stats says how many bytes of gzip were read and written, besides those of the numbers" {
	python '
import json
text = b"".join(b"%d\n" % (i * 7919 % 1000003) for i in range(200000))
right = totals(text)
members = b""
for i in range(0, len(text), 50000):  # BGZF
    part = text[i:i + 50000]
    deflater = zlib.compressobj(6, zlib.DEFLATED, -15)
    body = deflater.compress(part) + deflater.flush()
    members += b"\x1f\x8b\x08\x04\0\0\0\0\0\xff\6\0BC\2\0" + struct.pack("<H", 25 + len(body)) + body
    members += struct.pack("<II", zlib.crc32(part), len(part))
inputs = {"plain": text, "gzip": gzip.compress(text), "members": members, "both": gzip.compress(text) + members,
          "after": members + gzip.compress(text)}
for name, data in inputs.items():
    whole = text if data == text else gzip.decompress(data)
    read = 0 if data == text else len(data)
    path = os.environ["BATS_TEST_TMPDIR"] + "/" + name
    with open(path, "wb") as file:
        file.write(data)
    for options in (), ("-T", "4", "--chunk-size=64K"):
        for pack in (), ("-z",):
            status, output, messages = run(b"", "--stats=json", *options, *pack, path)
            stats = json.loads(messages)
            written = len(output) if pack else 0
            found = [stats[key] for key in ("bytes_in", "bytes_out", "compressed_in", "compressed_out")]
            assert (status, found) == (0, [len(whole), len(totals(whole)), read, written]), (name, options, pack, found)
        status, output, messages = run(data, "--stats", "-z", *options)
        lines = messages.splitlines()
        assert lines[1] == "bytes in    %d" % len(whole) + (" (%d compressed)" % read if read else ""), lines
        assert lines[2] == "bytes out   %d (%d compressed)" % (len(totals(whole)), len(output)), lines
'
}

@test "-z is never flushed on a pause" {
	run_pscan -z < <(printf '1\n2\n')
	cp "$TMP/out" "$TMP/fast"
	python '
from running import start
from terminal import answers, ask_until
p = start("-z", "--stats")
answers(p)
p.stdin.write(b"1\n")
ask_until(p, (None, 2, 1))  # the pause was noticed
output, messages = p.communicate(b"2\n")
assert p.returncode == 0 and b"chunks      2 on the host" in messages, messages
assert output == open(sys.argv[1], "rb").read(), output' "$TMP/fast"
}

@test "-z of empty input is one empty member" {
	local option
	for option in -z --gzip=1 --gzip=9; do
		run_pscan "$option" </dev/null
		assert_equal "$code $err" '0 '
		"$PYTHON" - "$TMP/out" <<-'END'
			import sys
			import zlib
			data = open(sys.argv[1], "rb").read()
			member = zlib.decompressobj(31)
			assert member.decompress(data) == b"" and member.eof and member.unused_data == b"", data
		END
	done
}

@test "-z of exactly one block and of one byte around it ends well" {
	python '
for size in (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3 << 20:
    data = b"\x01" + b"\x00" * (size - 1)
    status, output, _ = run(data, "-t", "u8", "-z", "--format=binary")
    assert status == 0 and gzip.decompress(output) == b"\x01" * size, size
'
}

@test "-z of raw numbers goes through gunzip" {
	need_same_byte_order
	python '
data = struct.pack("<5000f", *[1.0] * 5000)
status, output, messages = run(data, "-z")
assert (status, messages) == (0, "") and gzip.decompress(output) == struct.pack("<5000f", *range(1, 5001))
'
}

@test "-z and -o together make a complete gzip file" {
	run_pscan -z -o "$TMP/made.gz" < <(seq 5)
	assert_equal "$code $out$err" '0 '
	assert_equal "$(gunzip -c "$TMP/made.gz" | tr '\n' ' ')" '1 3 6 10 15 '
}

@test "what pscan packs pscan reads" {
	seq 1000 | "$PSCAN" -z >"$TMP/packed"
	run_pscan "$TMP/packed"
	assert_equal "$code $(tail -n 1 "$TMP/out")" "0 $((1000 * 1001 * 1002 / 6))"
}

@test "-z before an error holds the results before it" {
	python '
text = b"".join(b"%d\n" % i for i in range(20000))
status, output, messages = run(text + b"bad\n1\n", "-z", "--chunk-size=32K", "-T", "4")
assert status == 1 and "line 20001" in messages, (status, messages)
assert zlib.decompressobj(31).decompress(output) == totals(text)
'
}

@test "-z cut short by an error is still one complete member" {
	run_pscan -z < <(printf '1 2 bad')
	assert_equal "$code $(gunzip -c "$TMP/out" | tr '\n' ' ')" '1 1 3 '
}
