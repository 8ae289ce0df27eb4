#!/usr/bin/env bats
# Text or binary: how the format is chosen, foreign formats, leftover bytes, empty input, and conversions, compared with
# Python's struct.
# shellcheck disable=SC2154 # code, out and err are set by run_pscan

load helper

setup() {
	export PSCAN_DEVICE=none
}

# A python prologue: run(data, option...) gives (status, output, messages); is_binary(data, option...) tells what pscan
# chose.
# shellcheck disable=SC2034 # python uses it
PROLOGUE='
import itertools
import os
import struct
import subprocess
import sys
import time

from running import run


def is_binary(data, *options):
    """Whether pscan takes data (whole float32 numbers, none of them a text of numbers) for binary. (Without a type it might refuse it.)"""
    assert len(data) % 4 == 0
    status, output, messages = run(data, "-t", "f32", *options)
    if status == 0 and len(output) == len(data):
        return True
    assert status == 1 and ": line " in messages, (data[-20:], status, messages)
    return False


'

# --- The first block decides

@test "numbers as text are text, raw numbers are binary" {
	run_pscan < <(printf '1 2 3 ')
	assert_equal "$code $out" $'0 1\n3\n6'
	python 'assert run(struct.pack("<3f", 1, 2, 3)) == (0, struct.pack("<3f", 1, 3, 6), "")'
}

@test "a control byte means binary, white space does not" {
	python '
for byte in [*range(32), 127]:
    status, output, _ = run(b"1 2" + bytes([byte]) + b"4567\n" + b" " * 3, "-t", "f32")
    if byte in b"\t\n\v\f\r":
        assert (status, output) == (0, b"1\n3\n4570\n"), byte
    else:
        assert status == 0 and len(output) == 12, (byte, status, output)
'
}

@test "well-formed UTF-8 is text, ill-formed is binary" {
	python '
# Twelve bytes each; the texts are no numbers, so they fail as text and pass as binary.
for text in ["é", "£", "€", "\ufeff", "\ud7ff", "\ue000", "\uffff", "\U00010000", "𝄞", "\U0010ffff", "\u07ff", "\u0800"]:
    data = b"1 " + text.encode()
    assert not is_binary(data + b" " * (-len(data) % 4)), text
for bad in [b"\x80", b"\xbf", b"\xc0\x80", b"\xc1\xbf", b"\xc3 ", b"\xe0\x80\x80", b"\xe0\x9f\xbf", b"\xe2\x82 ",
            b"\xed\xa0\x80", b"\xed\xbf\xbf", b"\xf0\x80\x80\x80", b"\xf0\x8f\xbf\xbf", b"\xf0\x9d\x84 ", b"\xf4\x90\x80\x80",
            b"\xf5\x80\x80\x80", b"\xff", b"\xfe", b"\xc3\xc3", b"\xe2\x82\xc3"]:
    data = b"1 " + bad + b" "
    assert is_binary(data + b" " * (-len(data) % 4)), bad
'
}

@test "a UTF-8 sequence cut by the end of the first block counts" {
	python '
for text in ["é", "€", "𝄞"]:
    sequence = text.encode()
    for inside in range(1, len(sequence)):
        lines = b"1\n" * ((4096 - inside) // 2) + b" " * ((4096 - inside) % 2)
        data = lines + sequence + b"\n"
        data += b" " * (-len(data) % 4)
        assert not is_binary(data), (text, inside)
        assert run(data)[1].count(b"\n") == (4096 - inside) // 2, (text, inside)
'
}

@test "a UTF-8 sequence cut by the end of input counts" {
	python '
for text in ["é", "€", "𝄞"]:
    sequence = text.encode()
    for inside in range(1, len(sequence)):
        assert not is_binary(b" " * (4 - inside) + sequence[:inside]), (text, inside)
'
}

@test "a sequence cut by the end of the block that could not go on well is binary" {
	python '
for bad in [b"\xe0\x80", b"\xed\xa0", b"\xf0\x80", b"\xf4\x90", b"\xf5", b"\xc0", b"\xf0\x9d\xc3"]:
    assert is_binary(b"1\n" * 2046 + b" " * (4 - len(bad)) + bad + b"1234"), bad
'
}

@test "what comes after 4096 bytes does not decide" {
	python '
head = b"1\n" * 2048
for byte in [b"\x00", b"\x01", b"\x80", b"\xff"]:
    assert not is_binary(head + byte + b"\n\n\n"), byte
    assert is_binary(head[:-1] + byte + b"\n\n\n\n"), byte
'
}

@test "the block ends at a pause after a complete line" {
	python '
child = subprocess.Popen([os.environ["PSCAN"]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
child.stdin.write(b"1\n")
child.stdin.flush()
assert child.stdout.readline() == b"1\n"
child.stdin.write(b"2\x003\n")
output, messages = child.communicate()
assert (child.returncode, output) == (1, b"") and b"line 2: not a number" in messages, (output, messages)
'
}

@test "a pause inside a line does not decide" {
	python '
child = subprocess.Popen([os.environ["PSCAN"]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
child.stdin.write(struct.pack("<I", 0x31323334))
child.stdin.flush()
time.sleep(0.3)
output, messages = child.communicate(struct.pack("<I", 0))
assert (child.returncode, len(output), messages) == (0, 8, b""), (output, messages)
'
}

@test "a bad number is an error, never a reason to choose binary" {
	run_pscan < <(printf '1 2 abcd')
	assert_equal "$code $out" $'1 1\n3'
	assert_contains "$err" '"abcd"'
}

@test "a text option means text, whatever the bytes" {
	python '
for option in ["-f1", "--missing=skip", "--invalid=ignore"]:
    status, output, messages = run(b"1\n\x80\x00\xff2\n", option)
    assert output == b"1\n", (option, output)
    assert (status, messages) == (0, "") if option == "--invalid=ignore" else status == 1 and "line 2" in messages, option
'
}

@test "the first file decides for all" {
	printf '1\n2\n' >"$TMP/text"
	python 'sys.stdout.buffer.write(struct.pack("<2f", 1, 2))' >"$TMP/binary"
	run_pscan "$TMP/text" "$TMP/binary"
	assert_equal "$code $out" $'1 1\n3'
	assert_contains "$err" "$TMP/binary: line 1: not a number"
	run_pscan --output-format=text "$TMP/binary" "$TMP/text"
	assert_equal "$code" 0
	assert_equal "$(wc -l <"$TMP/out")" 3
}

@test "the block is looked at after inflation" {
	python '
import gzip
assert run(gzip.compress(b"1 2 3 ")) == (0, b"1\n3\n6\n", "")
assert run(gzip.compress(struct.pack("<3f", 1, 2, 3))) == (0, struct.pack("<3f", 1, 3, 6), "")
'
}

# --- A header before raw numbers

@test "--skip-bytes passes over a header of each file, in files, pipes and what is compressed" {
	need_same_byte_order
	"$PYTHON" -c 'import sys
sys.stdout.buffer.write(bytes(range(200)) * 35 + b"".join(i.to_bytes(4, sys.byteorder) for i in range(20000)))' >"$TMP/a"
	{ printf 'h%.0s' {1..7000}; printf '\12\0\0\0'; } >"$TMP/b" # 10
	gzip -k "$TMP/a" "$TMP/b"
	# The sums by hand: i (i + 1) / 2, and 10 more.
	seq 0 19999 | awk '{ s += $1; printf "%d\n", s } END { printf "%d\n", s + 10 }' >"$TMP/want"
	head -n 20000 "$TMP/want" >"$TMP/want_a"
	run_pscan --skip-bytes=7000 -t i32:i64 --output-format=text "$TMP/a" "$TMP/b"
	assert_equal "$code $err" '0 '
	cmp "$TMP/out" "$TMP/want"
	run_pscan --skip-bytes=7000 -t i32:i64 --output-format=text --chunk-size=1 -T 3 "$TMP/a.gz" "$TMP/b"
	cmp "$TMP/out" "$TMP/want"
	run_pscan --skip-bytes=7000 -t i32:i64 --output-format=text < <(cat "$TMP/a")
	cmp "$TMP/out" "$TMP/want_a"
	run_pscan --skip-bytes=7000 -t i32:i64 --output-format=text "$TMP/b.gz" - < <(cat "$TMP/a.gz")
	assert_equal "$code $(tail -n 1 "$TMP/out")" "0 $(tail -n 1 "$TMP/want")"
	# From where a descriptor stands, and up to the header's end.
	{ head -c 4 >/dev/null; "$PSCAN" --skip-bytes=6996 -t i32:i64 --total --output-format=text; } <"$TMP/b" >"$TMP/out"
	assert_equal "$(cat "$TMP/out")" 10
	head -c 7000 "$TMP/b" >"$TMP/header"
	run_pscan --skip-bytes=7000 -t i32 --total --output-format=text "$TMP/header"
	assert_equal "$code $out$err" '0 0'
}

@test "--skip-bytes: a file that has fewer bytes, and bytes left over, are errors that count from the file's first" {
	printf 'abcd\1\0\0\0' >"$TMP/in"
	local message='the file has 8 bytes, fewer than --skip-bytes=9'
	run_pscan --skip-bytes=9 -t i32 "$TMP/in"
	assert_equal "$code $out$err" "1 pscan: $TMP/in: $message"
	run_pscan --skip-bytes=9 -t i32 < <(cat "$TMP/in")
	assert_equal "$code $out$err" "1 pscan: standard input: $message"
	run_pscan --skip-bytes=9 -t i32 < <(gzip <"$TMP/in")
	assert_equal "$code $out$err" "1 pscan: standard input: $message"
	# The results of the files before it are there.
	printf 'a' >"$TMP/short"
	run_pscan --skip-bytes=4 -t i32 --output-format=text "$TMP/in" "$TMP/short"
	assert_equal "$code $out$err" "1 1pscan: $TMP/short: the file has 1 byte, fewer than --skip-bytes=4"
	run_pscan --skip-bytes=3 -t i32 "$TMP/in"
	assert_equal "$code $err" "1 pscan: $TMP/in: byte 7: 1 byte left over, int32 needs 4"
}

@test "--skip-bytes is for raw binary alone" {
	local option
	for option in --csv '-f 1' --format=text --format=npy -H; do
		# shellcheck disable=SC2086 # words
		run_pscan --skip-bytes=4 $option < <(echo 1,2)
		assert_equal "$option: $code $out$err" \
			"$option: 2 pscan: --skip-bytes is for raw binary, not for text or .npy (see --help=skip-bytes)"
	done
	run_pscan --skip-bytes=4 -t i32 < <(printf '\1\2\3\4 12 34 56\n')
	assert_equal "$code $out$err" '2 pscan: --skip-bytes: what follows is text: --format=binary if it is raw numbers'
	run_pscan --skip-bytes=4 --format=binary -t u8 --output-format=text --total < <(printf '\1\2\3\4AB')
	assert_equal "$code $out$err" '0 131'
	echo 1 | "$PSCAN" -t i8 --output-format=npy >"$TMP/in.npy"
	run_pscan --skip-bytes=4 -t i8 < <(echo 123; cat "$TMP/in.npy")
	assert_equal "$code $out" '2 '
	assert_contains "$err" 'what follows is an array (.npy)'
	# After a header, integers without -t are not taken for floats either.
	run_pscan --skip-bytes=4 < <(printf 'head\1\0\0\0')
	assert_equal "$code $out" '2 '
}

@test "--skip-bytes: a state goes on after what was taken of a file with a header" {
	need_same_byte_order
	printf 'abc\1\0\0\0\2\0\0\0' >"$TMP/in"
	run_pscan --skip-bytes=3 -t i32 --output-format=text --state="$TMP/state" "$TMP/in"
	assert_equal "$code ${out//$'\n'/ }" '0 1 3'
	printf '\3\0\0\0' >>"$TMP/in"
	run_pscan --skip-bytes=3 -t i32 --output-format=text --state="$TMP/state" "$TMP/in"
	assert_equal "$code ${out//$'\n'/ }" '0 6'
	run_pscan --skip-bytes=4 -t i32 --state="$TMP/state" "$TMP/in"
	assert_equal "$code $out" '2 '
	assert_contains "$err" '"--skip-bytes=3" in the state, "--skip-bytes=4" now'
}

# --- Foreign formats

# foreign MAGIC PART...: input that begins with MAGIC (a printf format) exits 2 with a hint that holds the parts.
foreign() {
	local magic=$1 part
	shift
	# shellcheck disable=SC2059 # a format
	printf "$magic" >"$TMP/in"
	head -c 5000 /dev/zero >>"$TMP/in"
	run_pscan -o "$TMP/made" "$TMP/in"
	assert_equal "$code $out" '2 '
	[ ! -e "$TMP/made" ]
	for part in "$@"; do
		assert_contains "$err" "$part"
	done
	# From a pipe, and with one byte behind the magic that is in no text.
	# shellcheck disable=SC2059 # a format
	run_pscan < <(printf "$magic\377")
	assert_equal "$code $out" '2 '
	assert_contains "$err" "$1"
}

@test "zip is refused with a hint" {
	foreign 'PK\003\004' 'unzip -p F | pscan'
}

@test "HDF5 is refused with a hint" {
	foreign '\211HDF\r\n\032\n' HDF5
}

@test "Parquet is refused with a hint" {
	foreign 'PAR1' Parquet
}

@test "SQLite is refused with a hint" {
	foreign 'SQLite format 3\000' sqlite3
}

@test "what Python writes as zip, tar and SQLite is refused, packed by gzip too, and bzip2 and xz in gzip" {
	python '
import bz2
import gzip
import io
import lzma
import sqlite3
import tarfile
import zipfile

def tar(form, names):
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=form) as archive:
        for name in names:
            member = tarfile.TarInfo(name)
            member.size = 6
            archive.addfile(member, io.BytesIO(b"1\n2\n3\n"))
    return made.getvalue()

made = io.BytesIO()
with zipfile.ZipFile(made, "w") as archive:
    archive.writestr("numbers", "1 2 3\n")
base = sys.argv[1] + "/base"
connection = sqlite3.connect(base)
connection.execute("create table t (x)")
connection.commit()
numbers = b"1 2 3\n" * 1000
for word, data in [("bzip2: use bzip2 -dc F | pscan", bz2.compress(numbers)), ("bzip2: use bzip2 -dc F | pscan", bz2.compress(numbers, 1)),
                   ("bzip2: use bzip2 -dc F | pscan", bz2.compress(b"")), ("xz: use xz -dc F | pscan", lzma.compress(numbers)),
                   ("zip: use unzip -p F | pscan", made.getvalue()), ("tar: use tar -xOf F | pscan", tar(tarfile.USTAR_FORMAT, ["n"])),
                   ("tar: use tar -xOf F | pscan", tar(tarfile.GNU_FORMAT, ["n" * 150])),
                   ("tar: use tar -xOf F | pscan", tar(tarfile.PAX_FORMAT, ["\u00e9"])),
                   ("SQLite: use sqlite3 F ", open(base, "rb").read())]:
    for wrapped in [data, gzip.compress(data)][word[:2] in ("bz", "xz"):]:
        for options in [], ["-t", "i32"]:
            status, output, messages = run(wrapped, *options)
            assert (status, output) == (2, b"") and messages.startswith("pscan: standard input: it is " + word), (word, options, messages)
        assert messages.count("\n") == 1, messages
        assert run(wrapped, "--format=binary", "-t", "u8", "--total", "--overflow=wrap")[0] == 0, word
' "$TMP"
}

@test "a later file, and one that options take for text, is named as the format that it is" {
	need_same_byte_order
	python '
header = b"{\x27descr\x27: \x27<f8\x27, \x27fortran_order\x27: False, \x27shape\x27: (2,), }"
array = b"\x93NUMPY\1\0" + struct.pack("<H", 118) + header.ljust(117) + b"\n" + struct.pack("<2d", 1, 2)
os.chdir(sys.argv[1])
npy, utf16 = "an array (.npy), which is not text (see --format)", "UTF-16: use iconv -f UTF-16 -t UTF-8 F | pscan"
for name, data in ("a.npy", array), ("u16", "n\n1\n2\n".encode("utf-16")), ("x.zip", b"PK\3\4\0\0 5\n"), ("one", b"1\n2\n"), ("named", b"n\n1\n2\n"), \
        ("raw", struct.pack("<2f", 1, 2)):
    open(name, "wb").write(data)
for name, what in ("a.npy", npy), ("u16", utf16), ("x.zip", "zip: use unzip -p F | pscan"):
    for options in ["-f", "1"], ["--csv", "-f", "1"], ["-F", "%d"], ["-H", "-f", "n"], ["--json", "-f", "n"]:
        assert run(b"", *options, name) == (2, b"", f"pscan: {name}: it is {what}\n"), (name, options, run(b"", *options, name))
    for options, first, sums in ([], "one", b"1\n3\n"), (["-f", "1"], "one", b"1\n3\n"), (["-H"], "named", b"n\n1\n3\n"), \
            (["-f", "n"], "named", b"n_sum\n1\n3\n"), (["--csv", "-f", "1", "--no-header"], "one", b"1\n3\n"):
        assert run(b"", *options, first, name) == (1, sums, f"pscan: {name}: it is {what}\n"), (name, options, run(b"", *options, first, name))
        # (Of no line at all, and after it.)
        open("none", "wb").write(b"")
        assert run(open(name, "rb").read(), *options, first, "none", "-")[2] == f"pscan: standard input: it is {what}\n", (name, options)
assert run(b"", "raw", "x.zip") == (1, struct.pack("<2f", 1, 3), "pscan: x.zip: it is zip: use unzip -p F | pscan\n")
assert run(b"", "--invalid=ignore", "-f", "1", "one", "x.zip") == (0, b"1\n3\n", "")
' "$TMP"
}

@test "text that begins as Parquet or bzip2 does is text" {
	run_pscan -f 2 < <(printf 'BZhou 12\nLi 3\n')
	assert_equal "$code $out$err" $'0 12\n15'
	run_pscan --csv -f 2 < <(printf 'PAR1,12\nPAR2,3\n')
	assert_equal "$code $out$err" $'0 12\n15'
	run_pscan --invalid=ignore < <(printf 'BZh91AY&SY 1 2\n')
	assert_equal "$code $out$err" $'0 1\n3'
	local text
	for text in 'BZh91AY&SY 5\n' 'PAR1 5\n' 'BZh9\n'; do
		# shellcheck disable=SC2059 # a format
		run_pscan < <(printf "$text")
		assert_equal "$code $err" "1 pscan: standard input: line 1: not a number: \"${text%%[ \\]*}\" (a header? see -H)"
	done
}

@test "where an option says that it is text, no magic counts" {
	run_pscan -f 2 --invalid=ignore < <(printf 'PK\003\004 7\nb 8\n')
	assert_equal "$code $out$err" $'0 7\n15'
	run_pscan -F %d --invalid=ignore < <(printf '\377\376 7\nb 8\n')
	assert_equal "$code $out$err" $'0 7\n15'
}

@test "UTF-16 is refused with the iconv that helps" {
	python '
for text in ["12\n", "1.5 2\r\n-3\r\n", "name;n\n\u00e9\u4e2d\U0001d11e;3\n", "1\n" * 5000]:
    for code, name in [("utf-16-le", "UTF-16LE"), ("utf-16-be", "UTF-16BE")]:
        plain = text.encode(code)
        marked = "\ufeff".encode(code) + plain
        cases = [(marked, "UTF-16", [])] + [(marked, "UTF-16", ["-t", "i32"])] + ([(plain, name, [])] if text.isascii() else [])
        for data, encoding, options in cases:
            status, output, messages = run(data, *options)
            assert (status, output) == (2, b""), (text[:9], encoding, status, messages)
            assert messages == f"pscan: standard input: it is UTF-16: use iconv -f {encoding} -t UTF-8 F | pscan\n", messages
            converted = subprocess.run(["iconv", "-f", encoding, "-t", "UTF-8"], input=data, capture_output=True, check=True)
            assert converted.stdout.decode() == text, encoding
            assert run(data, "--format=binary", "-t", "u8", "--total", "--overflow=wrap")[0] == 0
'
}

@test "UTF-32 with its mark is refused, too" {
	python '
for text in ["12\n", "name;n\n\u00e9\U0001d11e;3\n", "1\n" * 3000]:
    for code in ("utf-32-le", "utf-32-be"):
        data = ("\ufeff" + text).encode(code)
        status, output, messages = run(data)
        assert (status, output, messages) == (2, b"", "pscan: standard input: it is UTF-32: use iconv -f UTF-32 -t UTF-8 F | pscan\n"), messages
        converted = subprocess.run(["iconv", "-f", "UTF-32", "-t", "UTF-8"], input=data, capture_output=True, check=True)
        assert converted.stdout.decode() == text, code
'
	printf 'a\nb\n' | iconv -f UTF-8 -t UTF-32 >"$TMP/in" # no numbers
	run_pscan --output-format=text "$TMP/in"
	[[ $err != *UTF-32* ]]
	printf '\xff\xfe\0\0005\0\0\0\0\xd8\0\0' >"$TMP/in" # half a pair is no character
	run_pscan --output-format=text "$TMP/in"
	[[ $err != *UTF-32* ]]
	# Integers of 32 bits that only begin so.
	printf '\xff\xfe\0\0\1\0\0\0' >"$TMP/in"
	run_pscan -t i32 --format=auto "$TMP/in"
	assert_equal "$code $(od -An -td4 "$TMP/out" | tr -s ' ')" '0  65279 65280'
}

@test "gzip within gzip is refused, whatever its size" {
	local i
	for i in 1 2 3 4 5 60; do
		seq $i | gzip | gzip >"$TMP/in"
		run_pscan "$TMP/in"
		assert_equal "$i: $code $out $err" "$i: 2  pscan: $TMP/in: it is gzip in gzip: use gzip -dc F | pscan"
	done
}

@test "an empty first file decides nothing" {
	: >"$TMP/empty"
	printf '\0\0\x80?\0\0\0@' >"$TMP/floats" # 1 and 2
	run_pscan --output-format=text "$TMP/empty" "$TMP/empty" "$TMP/floats"
	assert_equal "$code $(tr '\n' ' ' <"$TMP/out")" '0 1 3 '
	run_pscan "$TMP/empty" "$TMP/empty"
	assert_equal "$code $(wc -c <"$TMP/out") $err" '0 0 '
	run_pscan "$TMP/empty" "$TMP/missing"
	assert_equal "$code $err" "3 pscan: $TMP/missing: No such file or directory"
	printf 'PK\3\4' >"$TMP/zip"
	run_pscan "$TMP/empty" "$TMP/zip"
	assert_equal "$code $out $err" '2  pscan: the input is zip: use unzip -p F | pscan'
}

@test "a number with a NUL after it or before it is text with a NUL, not UTF-16" {
	for text in '5\0\n' '\0005\n'; do
		# shellcheck disable=SC2059 # a format
		run_pscan < <(printf "$text")
		assert_equal "$code $out" '2 '
		assert_equal "$err" "pscan: standard input: looks like text except for \\x00 in line 1: --format=text, or tr '\\000' ' '"
	done
}

@test "raw integers that could be UTF-16 are what -t says" {
	python '
values = list(range(48, 58)) + [10] * 6
for kind, code in ("u16le", "<H"), ("u16be", ">H"):
    data = b"".join(struct.pack(code, v) for v in values)
    want = "".join(f"{v}\n" for v in itertools.accumulate(values)).encode()
    assert run(data, "-t", kind, "--output-format=text") == (0, want, ""), kind
# Minus two, which looks like a byte order mark.
for values in [-2, 5, 7], [-2, 300, -2, 0], [-2]:
    data = struct.pack("<%dh" % len(values), *values)
    want = "".join(f"{v}\n" for v in itertools.accumulate(values)).encode()
    assert run(data, "-t", "i16le", "--output-format=text") == (0, want, ""), values
'
}

@test "what is in none of pscan's formats is refused by its magic, under -f and --csv too" {
	python '
import json
header = json.dumps({"w": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}).encode()
edf = b"0       " + b"x" * 160 + b"01.01.24" + b"10.00.00" + b"512     " + b" " * 44 + b"1       " + b"1       " + b"1   "
cases = {
    "Arrow": b"ARROW1\0\0\xff\xff\xff\xff" + bytes(40),
    "safetensors": struct.pack("<Q", len(header)) + header + bytes(8),
    "RIFF": b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0" + bytes(40),
    "EDF": edf + b" " * (512 - len(edf)) + bytes(range(100)),
    "BDF": b"\xffBIOSEMI" + b" " * 200,
    "Parquet": b"PAR1\x15\x04\x15" + bytes(40),
    "UTF-16": "a,b\n1,2\n".encode("utf-16"),
}
assert len(edf) == 256
for name, data in cases.items():
    for options in [], ["-f", "2"], ["--csv", "-f", "b"], ["--csv", "-f", "1"]:
        status, output, messages = run(data, *options)
        assert (status, output) == (2, b"") and messages.startswith(f"pscan: standard input: it is {name}"), (name, options, status, messages)
    assert run(data, "--format=text", "-f", "1")[0] == 1, name
# Text is not one of them.
assert run(b"PAR1 5\n", "-f", "2") == (0, b"5\n", "") and run(b"RIFF 7\n", "-f", "2") == (0, b"7\n", "")
assert run(b"0        5\n", "-f", "2") == (0, b"5\n", "")
'
}

@test "what does not look like float32 is taken for it with a warning, what looks like integers or text is refused" {
	python '
warning = "pscan: warning: standard input: taken for raw binary float32 (%s)\n"
latin = "fa\u00e7ade 12\nna\u00efve 34\n".encode("latin-1")
latin += b" " * (-len(latin) % 4)
integers = struct.pack("<500i", *range(-250, 250))
strange = struct.pack("<I", 0x04030201)
status, output, messages = run(strange)
assert (status, len(output), messages) == (0, 4, warning % "see --format"), (status, messages)
assert run(strange, "-q") == run(strange, "-t", "f32") == run(strange, "--format=binary") == (0, output, "")
text = "looks like text that is not UTF-8: --format=text, or iconv"
def refused(data, refusal):
    assert run(data) == (2, b"", f"pscan: standard input: {refusal}\n"), (data[:20], run(data))
for data, refusal in (latin, text), ("caf\u00e9 1\n".encode("latin-1"), text), ("\u0446\u0435\u043d\u0430 12\n".encode("koi8-r") * 9, text), \
        (integers, "looks like int32: -t i32 (or -t f32, if it is float32)"), (struct.pack("<I", 1), "looks like int32: -t i32 (or -t f32, if it is float32)"), \
        (struct.pack("<9q", *range(9)), "looks like int64: -t i64 (or -t f32, if it is float32)"):
    refused(data, refusal)
    assert run(data) == run(data, "-q"), data[:20]
    if len(data) % 4 == 0:
        status, output, messages = run(data, "-t", "f32")
        assert (status, len(output), messages) == (0, len(data), "") and run(data, "--format=binary") == (0, output, "")
assert run(latin.rstrip(), "-f2") == (0, b"12\n46\n", "")
# One byte that makes it no text, wherever it stands in the first block, and in short input that ends in a newline.
lines = b"".join(b"%d\n" % i for i in range(3000))
for line in 1, 2, 500, 1000:
    at = sum(len(b"%d\n" % i) for i in range(line - 1))
    for byte, octal in (b"\0", "000"), (b"\x1b", "033"):
        refused(lines[:at] + byte + lines[at:], "looks like text except for \\x%s in line %d: --format=text, or tr \x27\\%s\x27 \x27 \x27" % (byte.hex(), line, octal))
    refused(lines[:at] + b"\xe9" + lines[at:], text)
refused(b"5\0\n6\n7\n", "looks like text except for \\x00 in line 1: --format=text, or tr \x27\\000\x27 \x27 \x27")
for data in b"100\x00200\x00300\0", b"-1.5\0002e3\0", lines.replace(b"\n", b"\0"):
    refused(data, "looks like text except for \\x00 in line 1: --format=text, or tr \x27\\000\x27 \x27 \x27")
for data in b"1\n\xe9\n", b"\xe9\n", b"12\n3\xe9\n", "\u0446\u0435\u043d\u0430\n".encode("koi8-r"):
    refused(data, text)
assert run(lines[:at] + b"\0" + lines[at:], "--format=text")[2].endswith("""line 1000: not a number: "\\x00999" (see --invalid)\n""")
path = sys.argv[1] + "/ints"
open(path, "wb").write(integers)
assert subprocess.run([os.environ["PSCAN"], path], capture_output=True).stderr.decode() == f"pscan: {path}: looks like int32: -t i32 (or -t f32, if it is float32)\n"
' "$TMP"
}

# bats test_tags=long
@test "float32 is taken for it in silence" {
	python '
import random
rng = random.Random(3)
samples = [[rng.gauss(0, 10 ** rng.randint(-6, 6)) for _ in range(n)] for n in range(1, 60) for _ in range(20)]
samples += [[0.0] * 9, [0.0, 1e-30], [float("inf"), float("nan")], [float("nan")] * 5, [-0.0, 3.0], list(range(2000))]
for sample in samples:
    data = struct.pack("<%df" % len(sample), *sample)
    try:
        data.decode()
        continue  # text, perhaps
    except UnicodeDecodeError:
        status, output, messages = run(data)
    assert (status, len(output), messages) == (0, len(data), ""), (sample, messages)
'
}

@test "no float32 among the data is warned of" {
	need_data
	DATA=$DATA python '
import glob
tried = 0
for path in glob.glob(os.environ["DATA"] + "/binary/npy_by_numpy/*.npy"):
    file = open(path, "rb").read()
    end = file.find(b"\n") + 1
    if b"\x27<f4\x27" not in file[:end] or len(file) - end < 8 or "bad" in path:
        continue
    data = file[end:len(file) - (len(file) - end) % 4]
    status, output, messages = run(data, "-op", "max")
    assert (status, len(output), messages) == (0, len(data), ""), (path, messages)
    tried += 1
assert tried > 0
'
}

@test "half a magic is none" {
	python '
assert is_binary(b"\x93NUM")
assert is_binary(b"\x28\xb5\x2f\xfc")
assert not is_binary(b"PAR2")
'
}

# --- --format and --output-format

@test "--format=binary takes digits as bytes" {
	python 'assert run(b"1234abcd", "--format=binary", "-t", "u32le", "--output-format=text", "--overflow=wrap") == (
    0, b"%d\n%d\n" % (0x34333231, (0x34333231 + 0x64636261) % 2**32), "")'
}

@test "--format=text takes bytes as text" {
	python '
status, output, messages = run(b"7\x00\x00\x00", "--format=text")
assert (status, output) == (1, b"") and "line 1: not a number: \"7\\x00\\x00\\x00\"" in messages, messages
'
}

@test "the output's format is the input's" {
	python '
assert run(b"1 2\n", "-t", "f32") == (0, b"1\n3\n", "")
assert run(struct.pack("<2f", 1, 2), "-t", "f32") == (0, struct.pack("<2f", 1, 3), "")
'
}

@test "text becomes binary and binary text, for every type, as struct has it" {
	python '
codes = {"i8": "b", "u8": "B", "i16": "h", "u16": "H", "i32": "i", "u32": "I", "i64": "q", "u64": "Q", "f32": "f", "f64": "d"}
values = [3, 1, 4, 1, 5, 9, 2, 6, 5, 35, 0, 1]
totals = list(itertools.accumulate(values))
text = ("\n".join(map(str, values)) + "\n").encode()
text_totals = ("\n".join(map(str, totals)) + "\n").encode()
for kind, code in codes.items():
    for suffix, order in (("", "="), ("le", "<"), ("be", ">")):
        layout = order + str(len(values)) + code
        done = run(text, "--output-format=binary", "-t", kind + suffix)
        assert done == (0, struct.pack(layout, *totals), ""), (kind, suffix, done)
        done = run(struct.pack(layout, *values), "--format=binary", "--output-format=text", "-t", kind + suffix)
        assert done == (0, text_totals, ""), (kind, suffix, done)
'
}

@test "negative and fractional values survive both conversions" {
	python '
values = [-1.5, 0.25, -0.0, 1e10, -3e-5]
for kind, code in (("f64", "d"),):
    data = struct.pack("<5d", *values)
    assert run(data, "-op", "min", "-t", kind, "--format=binary", "--output-format=text") == (
        0, b"-1.5\n-1.5\n-1.5\n-1.5\n-1.5\n", "")
    assert run(data, "-op", "max", "-e", "-t", kind, "--format=binary", "--output-format=text") == (
        0, b"-inf\n-1.5\n0.25\n0.25\n10000000000\n", "")
assert run(b"-5 3 -100\n", "-t", "i16be", "--output-format=binary") == (0, struct.pack(">3h", -5, -2, -102), "")
'
}

@test "results inherit the byte order of IN unless ACC has its own" {
	python '
data = struct.pack(">3i", 1, 2, 300)
for kinds, layout in (("i32be", ">3i"), ("i32be:i64", ">3q"), ("i32be:i64le", "<3q"), ("i32be:i64be", ">3q"),
                      (">i4:f64", ">3d"), (">i4:<f8", "<3d"), (">i4:u16", ">3H"), ("i32be:u16le", "<3H")):
    done = run(data, "--format=binary", "-t", kinds)
    assert done == (0, struct.pack(layout, 1, 3, 303), ""), (kinds, done)
assert run(struct.pack("<3i", 1, 2, 300), "--format=binary", "-t", "i32le:i64be") == (0, struct.pack(">3q", 1, 3, 303), "")
'
}

@test "-e, --include-initial and --total hold for binary output in either byte order" {
	python '
data = struct.pack(">3h", 1, 2, 300)
for order in "<", ">":
    kinds = ("--format=binary", "-t", ">i2:" + order + "i4")
    assert run(data, "-e", *kinds) == (0, struct.pack(order + "3i", 0, 1, 3), "")
    assert run(data, "--include-initial", "--seed=7", *kinds) == (0, struct.pack(order + "4i", 7, 8, 10, 310), "")
    assert run(data, "--total", *kinds) == (0, struct.pack(order + "i", 303), "")
'
}

@test "long binary streams keep every element, on every chunking" {
	"$PYTHON" - "$TMP" <<-'END'
		import sys
		import numpy
		values = numpy.random.default_rng(1).integers(-1000, 1000, 100003).astype("<i2")
		values.tofile(sys.argv[1] + "/in")
		values.astype(">i2").tofile(sys.argv[1] + "/in.be")
		numpy.cumsum(values.astype("<i8")).tofile(sys.argv[1] + "/right")
		numpy.cumsum(values.astype("<i8")).astype(">i8").tofile(sys.argv[1] + "/right.be")
	END
	local options
	for options in '' '--chunk-size=32K -T 4' '--chunk-size=1 -T 1' '--no-mmap --chunk-size=32K -T 4'; do
		# shellcheck disable=SC2086 # words
		run_pscan --format=binary -t i16le:i64le $options "$TMP/in"
		assert_equal "$options: $code $err" "$options: 0 "
		cmp "$TMP/out" "$TMP/right"
		# shellcheck disable=SC2086 # words
		run_pscan --format=binary -t i16be:i64 $options < <(cat "$TMP/in.be")
		assert_equal "$options: $code $err" "$options: 0 "
		cmp "$TMP/out" "$TMP/right.be"
	done
}

@test "an element that two reads or chunks share is one element" {
	python '
values = list(range(20000))
data = struct.pack("<20000q", *values)
command = [os.environ["PSCAN"], "--format=binary", "-t", "i64le", "--chunk-size=32K", "-T", "4"]
for piece in 1001, 4099, 32771:
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    writer = os.fork()
    if writer == 0:
        for at in range(0, len(data), piece):
            child.stdin.write(data[at:at + piece])
        os._exit(0)
    child.stdin.close()
    output = child.stdout.read()
    os.waitpid(writer, 0)
    assert child.wait() == 0 and output == struct.pack("<20000q", *itertools.accumulate(values)), piece
'
}

# --- Leftover bytes

@test "leftover bytes name the file, the byte offset, their number and the type's size" {
	cd "$TMP"
	head -c 4099 /dev/zero >FILE
	run_pscan FILE
	assert_equal "$code $(wc -c <out)" '1 4096'
	assert_equal "$err" 'pscan: FILE: byte 4096: 3 bytes left over, float32 needs 4'
	run_pscan < <(cat FILE)
	assert_equal "$code $(wc -c <out)" '1 4096'
	assert_equal "$err" 'pscan: standard input: byte 4096: 3 bytes left over, float32 needs 4'
}

@test "one leftover byte is one byte, the type's name is numpy's" {
	cd "$TMP"
	local row
	for row in 'i16 int16 2' 'u32 uint32 4' 'i64 int64 8' 'f64 float64 8' 'i32be int32 4'; do
		read -r type name size <<<"$row"
		head -c $((size + 1)) /dev/zero >FILE
		run_pscan --format=binary -t "$type" FILE
		assert_equal "$row: $code $(wc -c <out)" "$row: 1 $size"
		assert_equal "$row: $err" "$row: pscan: FILE: byte $size: 1 byte left over, $name needs $size"
	done
}

@test "bytes too few for one element are left over" {
	run_pscan < <(printf '\001\002\003')
	assert_equal "$code $out" '1 '
	assert_equal "$err" 'pscan: standard input: byte 0: 3 bytes left over, float32 needs 4'
}

@test "leftover bytes behind many chunks have the right offset, everything before is written" {
	head -c 1000003 /dev/zero >"$TMP/in"
	local options
	for options in '' '--no-mmap'; do
		# shellcheck disable=SC2086 # words
		run_pscan --chunk-size=32K -T 4 $options "$TMP/in"
		assert_equal "$code $(wc -c <"$TMP/out")" '1 1000000'
		assert_contains "$err" ': byte 1000000: 3 bytes left over'
	done
	run_pscan --chunk-size=32K -T 4 < <(cat "$TMP/in")
	assert_equal "$code $(wc -c <"$TMP/out")" '1 1000000'
	assert_contains "$err" ': byte 1000000: 3 bytes left over'
}

@test "leftover bytes in any file are an error, counted from that file's start" {
	cd "$TMP"
	head -c 4000 /dev/zero >a
	head -c 4002 /dev/zero >b
	run_pscan a b a
	assert_equal "$code $(wc -c <out)" '1 8000'
	assert_equal "$err" 'pscan: b: byte 4000: 2 bytes left over, float32 needs 4'
	# An element does not go from one file to the next.
	run_pscan b b
	assert_equal "$code $(wc -c <out)" '1 4000'
}

@test "leftover bytes in gzip are counted after inflation" {
	head -c 100001 /dev/zero | gzip >"$TMP/in"
	run_pscan "$TMP/in"
	assert_equal "$code $(wc -c <"$TMP/out")" '1 100000'
	assert_contains "$err" ': byte 100000: 1 byte left over, float32 needs 4'
}

@test "bytes are never left over from one-byte types" {
	python 'assert run(b"\x01\x02\x00\x04\x05", "-t", "u8") == (0, b"\x01\x03\x03\x07\x0c", "")'
}

# --- Empty input

@test "empty input gives no results and exits 0" {
	local options
	: >"$TMP/empty"
	for options in '' '-e' '--format=text' '--format=binary' '--format=binary -t i64' '-f 2' '--output-format=text' \
		'-op max' '--seed=1' '-t f32' '--no-mmap'; do
		# shellcheck disable=SC2086 # words
		run_pscan $options </dev/null
		assert_equal "$options: $code $(wc -c <"$TMP/out") $err" "$options: 0 0 "
		# shellcheck disable=SC2086 # words
		run_pscan $options < <(:)
		assert_equal "$options: $code $(wc -c <"$TMP/out") $err" "$options: 0 0 "
		# shellcheck disable=SC2086 # words
		run_pscan $options "$TMP/empty" /dev/null "$TMP/empty"
		assert_equal "$options: $code $(wc -c <"$TMP/out") $err" "$options: 0 0 "
	done
}

@test "empty input on a device gives no results and exits 0" {
	need_opencl
	run_pscan -D cpu -t i64 </dev/null
	assert_equal "$code $out" '0 '
}

@test "an empty file among others changes nothing" {
	: >"$TMP/empty"
	printf '1 2' >"$TMP/a"
	run_pscan "$TMP/empty" "$TMP/a" "$TMP/empty" "$TMP/a" "$TMP/empty"
	assert_equal "$code $out $err" $'0 1\n3\n4\n6 '
	head -c 8 /dev/zero >"$TMP/b"
	run_pscan --format=binary "$TMP/empty" "$TMP/b" "$TMP/empty" "$TMP/b"
	assert_equal "$code $(wc -c <"$TMP/out") $err" '0 16 '
}

# --- -F

@test "-F writes every result as printf does" {
	local format
	cd "$TMP"
	# In ascending order the running maximum is each value itself.
	"$PYTHON" -c '
import math, random
random.seed(7)
values = [random.uniform(-1, 1) * 10.0 ** random.randint(-9, 25) for _ in range(2000)]
values += [k / 8 for k in range(-40, 40)] + [k + 0.5 for k in range(-20, 20)] + [-0.0, 0.0, 1e300, -1e300, 5e-324]
for v in sorted(values, key=lambda v: (v, math.copysign(1, v))): print(repr(v))' >in
	for format in %f %.0f %.1f %.2f %.3f %12.4f %-12.2fx %+.2f '% .2f' %012.3f %e %.0e %.10E %g %.12g %G %#.3g 'a%%b%fc' '%%%.1f%%'; do
		"$PSCAN" -t f64 -op max -F "$format" in >out
		"$PYTHON" -c '
import sys
for line in sys.stdin: print(sys.argv[1] % float(line))' "$format" <in >right
		cmp out right
		# Sums of integers, exactly.
		"$PSCAN" -t i64 -F "$format" < <(seq 1 1000000 90000000) >out
		"$PYTHON" -c '
import sys
total = 0
for i in range(1, 90000001, 1000000):
    total += i
    print(sys.argv[1] % total)' "$format" >right
		cmp out right
	done
}

@test "-F rounds exact decimals from their exact value, half to even" {
	cd "$TMP"
	"$PYTHON" -c '
import random
random.seed(5)
for _ in range(3000): print(f"{random.randint(-10**12, 10**12)}.{random.randrange(10**random.randint(1, 9))}")
for x in ("0.5", "0.05", "0.005", "0.015", "0.025", "99999999999999999999.995"): print(x)' >in
	for digits in 0 1 2 3 12; do
		"$PSCAN" -F "<%.${digits}f>" in >out
		"$PYTHON" -c '
import sys
from decimal import Decimal, ROUND_HALF_EVEN, getcontext
getcontext().prec = 100
total = Decimal(0)
for line in open("in"):
    total += Decimal(line.strip())
    print(f"<{total.quantize(Decimal(1).scaleb(-int(sys.argv[1])), ROUND_HALF_EVEN)}>")' "$digits" | sed 's/<-\(0[.0]*>\)/<-\1/' >right
		cmp out right
	done
}

@test "-F shows exact decimals exactly with %e and %g too" {
	cd "$TMP"
	"$PYTHON" -c '
import random
random.seed(6)
# As running maxima: in ascending order.
values = {int(random.uniform(1, 10) * 10 ** random.randint(0, 30)) for _ in range(1500)}
values |= {k * 10 ** e + 5 * 10 ** (e - 1) for k in range(1, 40) for e in (1, 5, 17, 30)} | {2**127 - 1, 17 * 10**37}
for v in sorted(values): print(v // 100, v % 100, sep=".") if v % 100 > 9 else print(v // 100)' >in
	local format
	for format in %e %.0e %.1e %.2e %.17e %.0g %.2g %g %.18g %#.5g %E %G; do
		"$PSCAN" -op max -F "$format" in >out
		"$PYTHON" -c '
import sys
from decimal import Decimal, ROUND_HALF_EVEN, getcontext
getcontext().prec = 100
form = sys.argv[1]
precision = int(form[form.index(".") + 1:-1]) if "." in form else 6
digits = precision + 1 if form[-1] in "eE" else max(precision, 1)
for line in open("in"):
    value = Decimal(line.strip())
    place = value.adjusted() - digits + 1
    rounded = value.quantize(Decimal(1).scaleb(place), ROUND_HALF_EVEN) if value != 0 else value
    exponent = rounded.adjusted()
    text = str(int(rounded.scaleb(digits - 1 - exponent))).ljust(digits, "0")
    if form[-1] in "eE":
        point = "." + text[1:] if precision > 0 else ""
        print(f"{text[0]}{point}{form[-1]}{exponent:+03d}")
    elif -4 <= exponent < digits:
        whole = text[:exponent + 1] if exponent >= 0 else "0"
        rest = text[exponent + 1:] if exponent >= 0 else "0" * (-exponent - 1) + text
        if "#" not in form: rest = rest.rstrip("0")
        print(whole + ("." + rest if rest or "#" in form else ""))
    else:
        rest = text[1:] if "#" in form else text[1:].rstrip("0")
        point = "." + rest if rest or "#" in form else ""
        print(f"{text[0]}{point}{chr(ord(form[-1]) - 2)}{exponent:+03d}")' "$format" >right
		cmp out right
	done
}

@test "-F %d is for integers" {
	assert_equal "$(seq 3 | "$PSCAN" -F %05d | paste -s -d ' ' -)" '00001 00003 00006'
	assert_equal "$(seq 3 | "$PSCAN" -t u8 -F '%+d' | paste -s -d ' ' -)" '+1 +3 +6'
	run_pscan -F %d < <(printf '1\n2.5\n')
	assert_equal "$code $out" '1 1'
	assert_equal "$err" 'pscan: standard input: line 2: not an integer, which -F %d needs: "2.5" (see -t)'
	run_pscan -F %d --seed=0.5 < <(echo 1)
	assert_equal "$code $out" '2 '
	run_pscan -F %d -t f64 < <(echo 1)
	assert_equal "$code $out" '2 '
}

@test "-F writes infinities and NaN as printf does" {
	assert_equal "$(printf 'inf\n-inf\n' | "$PSCAN" -t f64 -F '[%08.2f]' | paste -s -d ' ' -)" '[     inf] [     nan]'
	assert_equal "$(echo -inf | "$PSCAN" -t f32 -F %E)" -INF
}

@test "-F goes with lines, marks, totals and binary input" {
	assert_equal "$(printf 'a 1\nb -\nc 2\n' | "$PSCAN" -f 2 -a --missing=keep -F '$%.2f')" $'a 1 $1.00\nb - -\nc 2 $3.00'
	assert_equal "$(printf 'a 1\nb 2\n' | "$PSCAN" -f 2 --total -F %.1f)" 3.0
	assert_equal "$(printf '\1\2' | "$PSCAN" -t u8 --format=binary --output-format=text -F %03d | paste -s -d ' ' -)" '001 003'
	run_pscan -F %f --output-format=binary -t f64 < <(echo 1)
	assert_equal "$code $out" '2 '
}

@test "a format that is none is refused, with a hint to -d where there is no %" {
	local format
	for format in ',' '%' '%%' '%s' '%x' '%d%d' '%*d' '%ld' '%.f%' '%1001d' '%.1001f' "%'d" ''; do
		run_pscan -F "$format" < <(echo 1)
		assert_equal "$format: $code $out" "$format: 2 "
		assert_equal "$format: $(wc -l <"$TMP/err")" "$format: 1"
	done
	run_pscan -F , < <(echo 1)
	assert_contains "$err" '-d'
}

@test "text that ends as DOS files do, or in NULs, is not taken for raw numbers" {
	local text options
	for text in '1\n2\n\32' '1\n2\32' '1\n2\n\32\n' '1\r\n2\r\n\32' '10\n20\n30\n\32'; do
		for options in '' '-op count' '-t text -op last'; do
			# shellcheck disable=SC2059,SC2086 # a format; words
			run_pscan $options < <(printf "$text")
			assert_equal "$text $options: $code $out" "$text $options: 2 "
			assert_contains "$err" 'looks like text except for \x1a in line '
			assert_contains "$err" "(the end of a DOS file? tr -d '\\032')"
		done
	done
	for text in '1\n\0' '1\n\0\0' '1\n\0\0\0' '1\n\0\0\0\0' '123\n\0\0\0\0' '1\n2\n\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'; do
		# shellcheck disable=SC2059 # a format
		run_pscan < <(printf "$text")
		assert_equal "$text: $code $out" "$text: 2 "
		assert_contains "$err" 'looks like text except for \x00 in line '
	done
	# The advice works.
	assert_equal "$(printf '1\n2\n\0\0\0\0\0\0\0\0' | tr '\000' ' ' | "$PSCAN" --total)" 3
	# Raw numbers stay what they are.
	run_pscan --output-format=text < <(printf '\0\0\200\77\0\0\0\0\0\0\0\0')
	assert_equal "$code $(paste -s -d ' ' "$TMP/out")$err" '0 1 1 1'
}

@test "--as of logfmt is one key" {
	local name
	for name in 'x=y' 'x y' 'x"y'; do
		run_pscan --logfmt -f x -a --as="$name" <<<'x=1'
		assert_equal "$name: $code $out$err" "$name: 2 pscan: --as: the name would not be one field (see --help=as)"
	done
}
