#!/usr/bin/env bats
# Input compressed with zstd, xz, bzip2 and lz4. It is made by the tools themselves and by Python's modules.
# shellcheck disable=SC2154 # code, out and err are set by run_pscan

load helper

setup() {
	export PSCAN_DEVICE=none
	case $BATS_TEST_DESCRIPTION in
	*'without its library'*) ;;
	*) [ -n "$(formats)" ] || skip 'this build reads no such format, or there is no tool' ;;
	esac
}

# The formats that this build reads and a tool can make.
formats() {
	local format
	for format in zstd xz bzip2 lz4; do
		! is_built "$format" || ! command -v "$format" >/dev/null || echo "$format"
	done
}

is_built() {
	"$PSCAN" --version | grep -qE "(^|, )$1 [0-9]"
}

# need FORMAT: skips the test where it cannot be read or made.
need() {
	is_built "$1" || skip "this build does not read $1"
	command -v "$1" >/dev/null || skip "no $1"
}

# A python prologue: run(data, option...) gives (status, output, messages); totals(text) is the right output;
# packed(format, data, option...) is what the tool makes of data.
# shellcheck disable=SC2034 # python uses it
PROLOGUE='
import bz2
import gzip
import itertools
import lzma
import os
import re
import shutil
import struct
import subprocess
import sys
import time

from running import PSCAN, run, start, totals

VERSION = subprocess.run([PSCAN, "--version"], stdout=subprocess.PIPE, check=True).stdout.decode()
FORMATS = [f for f in ("zstd", "xz", "bzip2", "lz4") if re.search(rf"(^|, ){f} \d", VERSION, re.M) and shutil.which(f)]
UNIT = {"zstd": "frame", "xz": "stream", "bzip2": "stream", "lz4": "frame"}
HEAD = {"zstd": 4, "xz": 6, "bzip2": 3, "lz4": 4}
SKIPPING = [f for f in FORMATS if f in ("zstd", "lz4")]


def packed(form, data, *options):
    return subprocess.run([form, "-c", "-q", *options], input=data, stdout=subprocess.PIPE, check=True).stdout


def skippable(size, kind=0):
    return struct.pack("<II", 0x184D2A50 + kind, size) + bytes(size)


def lines(count, begin=1):
    return b"".join(b"%d\n" % (i * i * 7919) for i in range(begin, begin + count))


def sound(form, data):
    """What Python decodes of the front of one stream, as far as it gets."""
    decoder = lzma.LZMADecompressor() if form == "xz" else bz2.BZ2Decompressor()
    return decoder.decompress(data)


'

# --- What is recognised

# reads FORMAT: it is, from file and pipe.
reads() {
	need "$1"
	seq 5 | "$1" -c >"$TMP/a.txt"
	run_pscan "$TMP/a.txt"
	assert_scanned '1 3 6 10 15' file
	run_pscan < <(cat "$TMP/a.txt")
	assert_scanned '1 3 6 10 15' pipe
	run_pscan <"$TMP/a.txt"
	assert_scanned '1 3 6 10 15' 'standard input'
	"$1" -c </dev/null >"$TMP/empty"
	run_pscan "$TMP/empty"
	assert_scanned '' nothing
}

@test "zstd is recognised by its magic bytes" {
	reads zstd
}

@test "xz is recognised by its magic bytes" {
	reads xz
}

@test "bzip2 is recognised by its magic bytes" {
	reads bzip2
}

@test "lz4 is recognised by its magic bytes" {
	reads lz4
}

@test "files of every compression are one stream" {
	local format sum=0 want='' i=0
	set --
	for format in $(formats) cat gzip; do
		i=$((i + 1))
		seq $i $((i + 1)) | case $format in cat) cat ;; *) "$format" -c ;; esac >"$TMP/$format"
		want="$want $((sum + i)) $((sum + 2 * i + 1))"
		sum=$((sum + 2 * i + 1))
		set -- "$@" "$TMP/$format"
	done
	run_pscan "$@"
	assert_scanned "${want# }" "$@"
	: >"$TMP/none"
	run_pscan "$TMP/none" "$1" --total
	assert_scanned 3 'after an empty file'
}

@test "big input is all there, on every chunking" {
	# Two blocks of bzip2.
	seq 180000 >"$TMP/in"
	awk '{ printf "%.0f\n", s += $1 }' "$TMP/in" >"$TMP/right"
	local options format
	for format in $(formats); do
		"$format" -c <"$TMP/in" >"$TMP/packed"
		for options in '' '--chunk-size=32K -T 4' '--no-mmap -T 1' '--format=text' '-t i64 -f 1'; do
			# shellcheck disable=SC2086 # words
			run_pscan $options "$TMP/packed"
			assert_equal "$format $options: $code $err" "$format $options: 0 "
			cmp "$TMP/out" "$TMP/right"
		done
	done
}

@test "options that say that it is text, or raw numbers, change nothing" {
	python '
values = range(-2000, 3000)
raw = struct.pack("<5000i", *values)
right = struct.pack("<5000i", *itertools.accumulate(values))
log = b"".join(b"h - - [01/Jan/2000:00:00:00 +0000] \"GET / HTTP/1.0\" 200 %d\n" % v for v in range(1000))
table = b"name,amount\n" + b"".join(b"\"a, %d\",%d\n" % (v, v) for v in range(1000))
sums = totals(b"\n".join(b"%d" % v for v in range(1000)))
for form in FORMATS:
    for options in ["-t", "i32"], ["-t", "i32", "--format=binary"], ["--format=binary", "-t", "i32", "-T", "4", "--chunk-size=1"]:
        assert run(packed(form, raw), *options) == (0, right, ""), (form, options)
    assert run(packed(form, log), "--log", "-f", "bytes") == (0, sums, ""), form
    assert run(packed(form, table), "--csv", "-f", "amount") == (0, b"amount_sum\n" + sums, ""), form
    assert run(packed(form, table), "--csv", "-H", "-f", "2", "--invalid=ignore") == (0, b"amount_sum\n" + sums, ""), form
'
}

@test "bytes that only begin as a format are elements where --format=binary says so, and else refused" {
	python '
for data in [b"\x28\xb5\x2f\xfd\x08\1\2\3", b"\xfd7zXZ\0\1\4", b"\4\"M\x18\x20\x40\1\2", b"\4\"M\x18\x60\x30\1\2"]:
    want = "".join(f"{v}\n" for v in itertools.accumulate(data)).encode()
    assert run(data, "--output-format=text", "-t", "u8:u64", "--format=binary") == (0, want, ""), data
    assert run(data, "-t", "u8:u64")[:2] in [(1, b""), (2, b"")] and run(data)[:2] in [(1, b""), (2, b"")], data
'
}

@test "what is compressed twice is refused" {
	python '
for form in FORMATS:
    for wrapped in packed(form, packed(form, b"1 2\n")), gzip.compress(packed(form, b"1 2\n")):
        assert run(wrapped) == (2, b"", f"pscan: standard input: it is {form}: use {form} -dc F | pscan\n"), (form, run(wrapped))
'
}

# --- Frames, padding, trailing bytes

@test "frames join, a token may span them" {
	python '
text = b"12 345\n6789\n10\n"
for form in FORMATS:
    parts = {cut: (packed(form, text[:cut]), packed(form, text[cut:])) for cut in range(len(text) + 1)}
    for cut, (first, second) in parts.items():
        assert run(first + second) == (0, totals(text), ""), (form, cut)
    assert run(parts[3][0] + parts[0][0] * 3 + parts[3][1] + parts[0][0]) == (0, totals(text), ""), form
    data = b"".join(packed(form, text[i:i + 1]) for i in range(len(text)))
    assert run(data, "--chunk-size=1", "-T", "4") == (0, totals(text), ""), form
'
}

@test "skippable frames are skipped, at the start too" {
	python '
for form in SKIPPING:
    first, second = packed(form, b"1 2\n"), packed(form, b"3\n")
    for data in [skippable(0) + first + second, first + skippable(7, 15) + second, first + second + skippable(100000, 3),
                 skippable(3) + skippable(0, 9) + first + skippable(1) + skippable(2) + second + skippable(0)]:
        for options in [], ["-f", "1-", "--missing=skip"], ["--format=text"]:
            assert run(data, *options)[:2] == (0, b"1\n3\n6\n" if not options or options[0] != "-f" else run(b"1 2\n3\n", *options)[1]), (form, data[:9], options)
    assert run(skippable(9)) == (0, b"", ""), form
    for cut in 5, 8, 12:
        status, output, messages = run(first + skippable(9)[:cut])
        assert (status, output) == (1, b"1\n3\n") and f"byte {len(first) + cut} " in messages, (form, cut, messages)
'
}

@test "xz padding of a multiple of four NUL bytes is accepted" {
	need xz
	python '
first, second = lzma.compress(b"1 2\n"), lzma.compress(b"3\n")
for size in range(13):
    for data, right in (first + bytes(size), b"1\n3\n"), (first + bytes(size) + second, b"1\n3\n6\n"):
        status, output, messages = run(data)
        if size % 4 == 0:
            assert (status, output, messages) == (0, right, ""), (size, status, output, messages)
        else:
            assert (status, output) == (1, b"1\n3\n") and "warning" in messages, (size, status, output, messages)
'
}

@test "trailing bytes: results kept, a warning, exit 1" {
	python '
for form in FORMATS:
    whole = packed(form, b"1 2 3")
    for tail in [b"x", b"\n", b"garbage" * 100000, b"\x1f\x8b\x08\0"] + ([b"\0", bytes(700)] if form != "xz" else [bytes(8) + b"x"]):
        status, output, messages = run(whole + tail)
        place = len(whole) + (8 if tail[0] == 0 and form == "xz" else 0)
        article = "an" if form in ("xz", "lz4") else "a"
        want = f"pscan: warning: standard input: byte {place} of the compressed file: trailing bytes that are not {article} {form} {UNIT[form]}\n"
        assert (status, output, messages) == (1, b"1\n3\n6\n", want), (form, tail[:9], status, output, messages)
    made = sys.argv[1] + "/made"
    first, second = sys.argv[1] + "/first", sys.argv[1] + "/second"
    open(first, "wb").write(whole + b"x")
    open(second, "wb").write(packed(form, b"4\n"))
    status, output, _ = run(b"", "-o", made, first, second)
    assert (status, output, open(made, "rb").read()) == (1, b"", b"1\n3\n6\n10\n"), form
' "$TMP"
}

# --- Damage

# cut STEP: text that is cut at every STEPth byte, and at all near the frames' ends.
cut() {
	python '
for form in FORMATS:
    texts = [lines(12), lines(5, 13), lines(9, 18)]
    frames = [packed(form, text) for text in texts]
    data, right = b"".join(frames), totals(b"".join(texts)).splitlines(True)
    ends = list(itertools.accumulate(map(len, frames)))
    counts = list(itertools.accumulate(text.count(b"\n") for text in texts))
    for size in range(1, len(data)):
        if size in ends or size % int(sys.argv[1]) and all(abs(size - end) > 16 for end in [0, *ends]):
            continue
        status, output, messages = run(data[:size])
        whole = sum(end <= size for end in ends)
        least = counts[whole - 1] if whole else 0
        given = output.count(b"\n")
        assert status == 1 and messages.count("\n") == 1, (form, size, status, messages)
        if size < 15 and "compressed" not in messages:  # half a magic is none
            assert output == b"" and size < {"zstd": 4, "xz": 4, "bzip2": 11, "lz4": 4}[form], (form, size, output)
            continue
        assert output == b"".join(right[:given]) and least <= given <= counts[whole], (form, size, given, least)
        assert f"byte {size} of the compressed file: damaged {form} data: unexpected end of file" in messages, (form, size, messages)
        if form in ("xz", "bzip2") and size > HEAD[form] + (ends[whole - 1] if whole else 0):
            front = sound(form, data[ends[whole - 1] if whole else 0:size])
            assert given == least + front.count(b"\n"), (form, size, given)
' "$1"
}

# bats test_tags=many
@test "text cut at every byte near the ends of frames, and at one in five, keeps the sound part and cuts no token" {
	cut 5
}

# bats test_tags=many,long
@test "so does text that is cut at every byte" {
	cut 1
}

# bats test_tags=many
@test "of blocks that are whole every result is given, from file and pipe" {
	python '
text = lines(100000)
right = totals(text).splitlines(True)
for form in FORMATS:
    data = packed(form, text, *{"zstd": ["-1"], "lz4": ["-B4"], "bzip2": ["-1"], "xz": ["-0"]}[form])
    name = sys.argv[1] + "/cut"
    for size in len(data) // 2, len(data) * 4 // 5, len(data) - 1:
        open(name, "wb").write(data[:size])
        front = subprocess.run([form, "-dc", "-q", name] if form not in ("xz", "bzip2") else [form, "-dc"], stdin=open(name, "rb"),
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout
        want = b"".join(right[:front.count(b"\n")])
        outputs = [run(b"", name), run(data[:size]), run(data[:size], "--chunk-size=32K", "-T", "4")]
        assert len(front) > 0 and all(status == 1 and len(output) >= len(want) for status, output, _ in outputs), (form, size, len(front))
        assert all(output == b"".join(right[:output.count(b"\n")]) for _, output, _ in outputs), (form, size)
        assert len({output for _, output, _ in outputs}) == 1, (form, size)
' "$TMP"
}

@test "a wrong header of a block leaves every result of the blocks before it" {
	python '
text = lines(100000)
for form, options, size, begin in ("zstd", ["-1"], 1 << 17, 6), ("lz4", ["-B4"], 1 << 16, 7):
    if form not in FORMATS:
        continue
    whole, at = packed(form, text, *options), begin
    for blocks in range(1, 8):
        header = int.from_bytes(whole[at:at + 4], "little")
        at += 3 + ((header & 0xffffff) >> 3) if form == "zstd" else 4 + (header & 0x7fffffff)
        data = whole[:at] + b"\xff\xff\xff\x7f" + whole[at + 4:]
        right = totals(text[:text[:blocks * size].rfind(b"\n")])
        for options in [], ["--chunk-size=32K", "-T", "4"], ["--format=text"]:
            status, output, messages = run(data, *options)
            assert (status, output) == (1, right), (form, blocks, options, len(output), len(right), messages)
            assert f"byte {at} of the compressed file: damaged {form} data: " in messages, (form, at, messages)
'
}

# flipped BITS STEP: of the bytes at every STEP-th place those bits, an expression of the place.
flipped() {
	python '
text = lines(60)
for form in FORMATS:
    data = packed(form, text)
    for at in range(HEAD[form], len(data), '"$2"'):
        for bit in '"$1"':
            flipped = bytearray(data)
            flipped[at] ^= 1 << bit
            status, output, messages = run(bytes(flipped), "--format=text")
            assert (status, output, messages) == (0, totals(text), "") or (status == 1 and (" compressed file: " in messages or "nearly those of" in messages)), (form, at, bit, status, messages)
'
}

# bats test_tags=many
@test "no flipped bit gives wrong results in silence" {
	flipped '{at // 2 % 8}' 2
}

# bats test_tags=many,long
@test "nor do two bits of every byte" {
	flipped '{at % 8, 7 - at % 3}' 1
}

# flipped_first MORE: flips each bit of the fixed bytes, and of MORE bytes after them.
flipped_first() {
	printf '\1\2\3\4' >"$TMP/first"
	python '
tmp, more, text, raw = sys.argv[1], int(sys.argv[2]), lines(60), struct.pack("<60i", *range(60))
right = struct.pack("<60i", *itertools.accumulate(range(60)))
for form, pack in [("gzip", gzip.compress)] + [(f, lambda data, f=f: packed(f, data)) for f in FORMATS]:
    said = f"nearly those of {form}: it is damaged, or see --format=binary"
    fixed = 2 if form == "gzip" else HEAD[form]
    packed_text, packed_raw = pack(text), pack(raw)
    for at, bit in itertools.product(range(16), range(8)):
        if at >= fixed and (bit - at) % 8 >= more:
            continue
        data = bytearray(packed_text)
        data[at] ^= 1 << bit
        status, output, messages = run(bytes(data))
        assert status != 0 or output == totals(text), (form, at, bit)
        assert at >= fixed or status == 1 and said in messages or (form, at) == ("bzip2", 3), (form, at, bit, messages)
        data = bytearray(packed_raw)
        data[at] ^= 1 << bit
        name = f"{tmp}/data" + {"gzip": ".gz", "zstd": ".zst", "xz": ".xz", "bzip2": ".bz2", "lz4": ".lz4"}[form]
        open(name, "wb").write(data)
        done = subprocess.run([PSCAN, "-t", "i32", name], capture_output=True)
        assert done.returncode != 0 or done.stdout == right, (form, at, bit)
        if at < fixed:
            done = subprocess.run([PSCAN, f"{tmp}/first", name], capture_output=True)
            assert done.returncode == 1 and said in done.stderr.decode() or form == "bzip2", (form, at, bit, done.stderr)
            done = subprocess.run([PSCAN, "-t", "u8", "--format=binary", "-op", "max", name], capture_output=True)
            assert done.returncode == 0 and len(done.stdout) == len(data), (form, at, bit)
' "$TMP" "$1"
}

# bats test_tags=many
@test "a flipped bit in a file's first bytes, of gzip too, never makes raw numbers of it: from pipe and file, with -t, as a later file" {
	flipped_first 1
}

# bats test_tags=many,long
@test "the same, with every bit of the bytes behind them" {
	flipped_first 8
}

@test "a compressed file's name with other bytes than text: refused, unless --format=binary says what they are" {
	local suffix format
	for suffix in gz/gzip zst/zstd xz/xz bz2/bzip2 lz4/lz4; do
		format=${suffix#*/} suffix=${suffix%/*}
		printf '\0\0\200\077' >"$TMP/in.$suffix"
		run_pscan "$TMP/in.$suffix"
		assert_equal "$code $out$err" "1 pscan: $TMP/in.$suffix: its name says $format, its first bytes do not: it is damaged, or see --format=binary"
		run_pscan -t f32 "$TMP/in.$suffix"
		assert_equal "$code" 1
		run_pscan --format=binary --output-format=text "$TMP/in.$suffix"
		assert_equal "$code $out$err" '0 1'
		# Text is read as what it is, and nothing is nothing.
		echo 1 2 >"$TMP/in.$suffix"
		run_pscan "$TMP/in.$suffix"
		assert_scanned '1 3' "$suffix"
		: >"$TMP/in.$suffix"
		run_pscan "$TMP/in.$suffix"
		assert_scanned '' "$suffix"
	done
}

@test "damage in a later frame leaves the results of those before it, and no file of -o" {
	python '
first, second = lines(40000), lines(40000, 7)
for form in FORMATS:
    front, damaged = packed(form, first), bytearray(packed(form, second))
    for at in range(len(damaged) // 2, len(damaged) // 2 + 40):
        damaged[at] ^= 0xff
    made = sys.argv[1] + "/made"
    for options in [], ["--chunk-size=32K", "-T", "4"], ["-o", made]:
        status, output, messages = run(front + damaged, *options)
        # Wrong bytes may come before their check does.
        assert status == 1 and messages.startswith("pscan: ") and messages.count("\n") == 1, (form, status, messages)
        assert options == ["-o", made] or output.startswith(totals(first)), form
    assert not os.path.exists(made), form
    place = re.search(r"byte (\d+) of the compressed file: damaged ", messages)
    assert place is None or len(front) <= int(place[1]) <= len(front) + len(damaged), (form, messages)
' "$TMP"
}

@test "--total of a cut file prints nothing" {
	python '
for form in FORMATS:
    data = packed(form, b"1 2 3\n")
    for size in range(15, len(data)):
        assert run(data[:size], "--total")[:2] == (1, b""), (form, size)
'
}

# --- Limits

@test "a zstd window of more than 128 MiB is refused" {
	need zstd
	seq 5 | zstd -c --long=27 >"$TMP/in"
	run_pscan "$TMP/in"
	assert_scanned '1 3 6 10 15' 'a window of 128 MiB'
	seq 5 | zstd -c --long=28 >"$TMP/in"
	run_pscan "$TMP/in"
	assert_equal "$code $out" '1 '
	assert_equal "$err" "pscan: $TMP/in: byte 4 of the compressed file: a window of more than 128 MiB: use zstd -dc --long=31 F | pscan"
}

@test "a zstd frame that needs a dictionary is refused" {
	need zstd
	run_pscan < <(printf '\050\265\057\375\001\130\007\001\0\0')
	assert_equal "$code $out" '1 '
	assert_contains "$err" 'zstd -dc -D DICTIONARY F | pscan'
}

@test "an xz dictionary of more than 128 MiB is refused" {
	need xz
	seq 5 | xz -c --lzma2=dict=128MiB >"$TMP/in"
	run_pscan "$TMP/in"
	assert_scanned '1 3 6 10 15' 'a dictionary of 128 MiB'
	seq 5 | xz -c --lzma2=dict=192MiB >"$TMP/in"
	run_pscan "$TMP/in"
	assert_equal "$code $out" '1 '
	assert_contains "$err" 'a dictionary of more than 128 MiB: use xz -dc F | pscan'
}

@test "few bytes that stand for many take little memory" {
	[ -z "${ASAN_OPTIONS:-}${TSAN_OPTIONS:-}" ] || skip 'memory is not measured under a sanitizer'
	python '
for form in FORMATS:
    data = packed(form, bytes(50 << 20), *{"xz": ["-0"], "bzip2": ["-1"]}.get(form, []))
    name = sys.argv[1] + "/in"
    open(name, "wb").write(data)
    command = [sys.executable, "-c", "import resource, subprocess, sys\nsubprocess.run(sys.argv[1:], check=True)\n"
               "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)", PSCAN, "-t", "u8", "--format=binary", "--total", "--output-format=text", name]
    total, kilobytes = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.split()
    assert total == b"0" and int(kilobytes) < 40000, (form, total, kilobytes)
' "$TMP"
}

# --- Pauses, figures

@test "results of whole frames come when the input pauses" {
	python '
for form in FORMATS:
    child = start("-D", "none")
    for number, total in (b"1\n", b"1\n"), (b"2\n", b"3\n"), (b"3\n", b"6\n"):
        child.stdin.write(packed(form, number))
        assert child.stdout.read(2) == total, form
    child.stdin.close()
    assert child.wait() == 0 and child.stdout.read() == b"" and child.stderr.read() == b"", form
'
}

@test "--stats counts compressed bytes" {
	local format
	for format in $(formats); do
		seq 1000 | "$format" -c >"$TMP/in"
		run_pscan --stats=json --total "$TMP/in"
		assert_equal "$format: $code $out" "$format: 0 500500"
		grep -q "\"compressed_in\": *$(wc -c <"$TMP/in")[,}]" "$TMP/err"
	done
}

# --- Without a library

# make check-zlib has none.
@test "a file of a format without its library is refused, whatever the options, as a later file too" {
	python '
samples = {"zstd": b"\x28\xb5\x2f\xfd\x24\x04\x21\0\0", "xz": lzma.compress(b"1 2\n"), "bzip2": bz2.compress(b"1 2\n"),
           "lz4": b"\4\"M\x18\x64\x40\xa7\4\0\0\x80"}
for form in FORMATS:
    del samples[form]
for form, data in samples.items():
    name = sys.argv[1] + "/in"
    open(name, "wb").write(data)
    want = f"the input is {form}: use {form} -dc F | pscan\n"
    assert f"no {form}" in VERSION, VERSION
    for options in [], ["-f", "2"], ["--csv", "-f", "1", "--invalid=ignore"], ["--format=text"], ["-t", "u8"], ["--format=binary"]:
        assert run(data, *options) == (2, b"", f"pscan: standard input: {want}"), (form, options, run(data, *options))
        made = sys.argv[1] + "/made"
        assert run(data, "-o", made, *options)[0] == 2 and not os.path.exists(made), (form, options)
    assert run(b"5\n", "-", name) == (2, b"5\n", f"pscan: {name}: {want}"), (form, run(b"5\n", "-", name))
' "$TMP"
}
