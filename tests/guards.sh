#!/bin/sh
# Scans with a build in which every block of memory lies between two inaccessible pages (src/base/memory.c): with the
# host's own rows, and with PoCL, whose kernels work in the host's memory, in both shapes. An access beyond a block ends
# the program with a signal. BUILD/guards holds that build (make check-guards). The expected output was computed without
# pscan.
set -u
build=$(cd "${BUILD:-build}" && pwd)
python=${PYTHON:-/usr/bin/python3}
PSCAN=$build/guards/pscan
export PSCAN
unset PSCAN_DEVICE PSCAN_SHAPE
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# result NAME CODE LOG: counts a check; CODE is 0 if it is as it must be.
result() {
	if [ "$2" -eq 0 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "not ok - guard pages: $1"
		head -n 12 "$3"
	fi
}

# scans ENGINE EXPECTED ARGUMENT...: exit 0, silence, and the bytes of EXPECTED; in small chunks by several threads.
scans() {
	engine=$1
	expected=$2
	shift 2
	device=cpu shape=$engine
	[ "$engine" != host ] || device=none shape=
	PSCAN_SHAPE=$shape timeout 60 "$PSCAN" -D $device -T 3 --chunk-size=32K "$@" >"$work/out" 2>"$work/err"
	code=$?
	[ $code -ne 0 ] || cmp "$work/out" "$expected" >>"$work/err" 2>&1 || code=1
	[ $code -ne 0 ] || [ ! -s "$work/err" ] || code=1
	echo "exit $code" >>"$work/err"
	result "$engine: $*" $code "$work/err"
}

# Inputs, and what their running sums are: n integers as text and as i64, with n around a tile and a chunk; sums that
# outgrow 64 bits; compressed, and in members that say their sizes (BGZF).
"$python" - "$work" <<'END_OF_SCRIPT'
import gzip
import itertools
import os
import random
import struct
import sys
import zlib

os.chdir(sys.argv[1])
random.seed(7)


def put(name, text):
    with open(name, "wb") as file:
        file.write(text)


def lines(values):
    return "".join(f"{v}\n" for v in values).encode()


def bgzf(text):
    for i in range(0, len(text), 30000):
        part = text[i:i + 30000]
        deflater = zlib.compressobj(6, zlib.DEFLATED, -15)
        body = deflater.compress(part) + deflater.flush()
        yield (b"\x1f\x8b\x08\x04\0\0\0\0\0\xff\6\0BC\2\0" + struct.pack("<H", 25 + len(body)) + body
               + struct.pack("<II", zlib.crc32(part), len(part)))


for n in 1, 15, 17, 4095, 4096, 4097, 8191, 12289, 50001:
    values = [random.randrange(-10**9, 10**9) for _ in range(n)]
    sums = list(itertools.accumulate(values))
    put(f"text{n}", lines(values))
    put(f"sums{n}", lines(sums))
    put(f"before{n}", lines([0] + sums[:-1]))
    put(f"binary{n}", struct.pack(f"={n}q", *values))
    put(f"binary-sums{n}", struct.pack(f"={n}q", *sums))
    put(f"text{n}.gz", gzip.compress(lines(values)))
    put(f"binary{n}.gz", b"".join(bgzf(struct.pack(f"={n}q", *values))))
values = [9 * 10**15 + random.randrange(100) for _ in range(9001)]
put("wide", lines(values))
put("wide-sums", lines(itertools.accumulate(values)))
# The first record says what its field is: it ends with the bytes that are read first, or close to their end.
for n in 4080, 4095, 4096:
    word = "x" * (n - len('{"a":""}\n'))
    put(f"member{n}", b"".join(b'{"a":"%s"}\n' % word.encode() for _ in range(2)))
    put(f"last-member{n}", b"".join(b'{"a_last":"%s"}\n' % word.encode() for _ in range(2)))
    put(f"field{n}", b"\na " + word.encode() + b"12345\nb y\n")
    put(f"last-field{n}", lines([word + "12345", "y"]))
put("blank", b"\n")
END_OF_SCRIPT

for engine in host cpu gpu; do
	for n in 1 15 17 4095 4096 4097 8191 12289 50001; do
		scans "$engine" "$work/binary-sums$n" -t i64 --format=binary "$work/binary$n"
		scans "$engine" "$work/sums$n" "$work/text$n"
		[ $n -gt 4000 ] || continue
		scans "$engine" "$work/before$n" -t i64 -e "$work/text$n"
		scans "$engine" "$work/sums$n" -t i64 "$work/text$n.gz"
		scans "$engine" "$work/binary-sums$n" -t i64 --format=binary "$work/binary$n.gz"
		PSCAN_MEMORY=copy scans "$engine" "$work/binary-sums$n" -t i64 --format=binary "$work/binary$n"
	done
	scans "$engine" "$work/wide-sums" "$work/wide"
	timeout 300 "$python" tests/tools/differential.py --engine "$engine" sizes >"$work/log" 2>&1
	result "$engine: a row of every family, sizes around runs, tiles and chunks" $? "$work/log"
done
for n in 4080 4095 4096; do
	scans host "$work/last-member$n" --json -f a -op last "$work/member$n"
	scans host "$work/last-member$n" --json -f a -op last "$work/blank" "$work/member$n"
	scans host "$work/last-field$n" -f 2 -op last "$work/field$n"
	scans host "$work/last-field$n" -f 2 -op last "$work/blank" "$work/field$n"
done
"$PSCAN" -D none -z "$work/text50001" | gzip -dc >"$work/out"
cmp "$work/out" "$work/sums50001" >"$work/log" 2>&1
result 'deflated' $? "$work/log"

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
