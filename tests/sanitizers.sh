#!/bin/sh
# The whole test suite with AddressSanitizer and UndefinedBehaviorSanitizer, then the pipeline's threads with ThreadSanitizer.
# BUILD holds both builds (make check-sanitizers). A sanitizer's finding ends the program with 99, which no test expects.
set -u
root=$(pwd)
build=$(cd "${BUILD:-build}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A driver that LLVM is in puts a signal stack of its own on the thread that loads it; AddressSanitizer would unmap that one.
export ASAN_OPTIONS="exitcode=99:detect_leaks=1:use_sigaltstack=0:log_path=$work/asan"
export UBSAN_OPTIONS="print_stacktrace=1:halt_on_error=1"
export LSAN_OPTIONS="suppressions=$root/tests/lsan.supp:print_suppressions=0"
passed=0
failed=0
skipped=0

# suite NAME: tests/run.sh with its own settings in the environment; adds to the totals.
suite() {
	BUILD=$build/asan PSCAN=$build/asan/pscan sh tests/run.sh >"$work/suite" 2>&1
	grep -E -A 12 'not ok' "$work/suite" | head -n 200
	totals=$(tail -n 1 "$work/suite")
	echo "AddressSanitizer, UndefinedBehaviorSanitizer, $1: $totals"
	passed=$((passed + $(echo "$totals" | awk '{ print $1 + 0 }')))
	failed=$((failed + $(echo "$totals" | awk '{ print $3 + 0 }')))
	skipped=$((skipped + $(echo "$totals" | awk '{ print $5 + 0 }')))
}

# Kernels are not instrumented, so the differential suite's device runs would say nothing new: only its host runs.
TESTS=$(find tests/cli -name '*.bats' ! -name differential.bats ! -name bits.bats | sort)
export TESTS
suite 'the suite'
TESTS='tests/cli/differential.bats tests/cli/bits.bats'
export FILTER='on the host'
suite 'the differential suite on the host'
unset TESTS FILTER
for log in "$work"/asan.*; do
	[ -e "$log" ] || continue
	head -n 30 "$log"
	failed=$((failed + 1))
done

# PoCL is not instrumented: its own synchronisation cannot be seen.
printf 'called_from_lib:libpocl.so\nrace:libpocl.so\nrace:libLLVM\n' >"$work/tsan.supp"
export TSAN_OPTIONS="exitcode=99:halt_on_error=1:ignore_noninstrumented_modules=1:suppressions=$work/tsan.supp"
tsan=$build/tsan/pscan

# threads STATUS ARGUMENT...: must end with STATUS, write what the plain build writes, and race nowhere.
threads() {
	want=$1
	shift
	"$build/pscan" "$@" >"$work/plain" 2>/dev/null
	"$tsan" "$@" >"$work/out" 2>"$work/err"
	code=$?
	if [ $code -eq "$want" ] && ! grep -q ThreadSanitizer "$work/err" && cmp -s "$work/plain" "$work/out"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "not ok - ThreadSanitizer (exit $code, wanted $want): $*"
		head -n 30 "$work/err"
	fi
}

head -c 3000003 /dev/urandom | gzip -1 >"$work/bytes.gz"
awk 'BEGIN { for (i = 0; i < 200000; i++) printf "%d.%0*d %s\n", i, 1 + int(i / 60000), i % 10, i % 97 ? "x" : "-" }' >"$work/text"
sed '150000s/.*/oops/' "$work/text" >"$work/bad"
yes 9000000000000000 | head -n 50000 >"$work/widening"
# BGZF: members that say their sizes.
"${PYTHON:-/usr/bin/python3}" - "$work/text" "$work/members.gz" <<'END'
import struct
import sys
import zlib

data = open(sys.argv[1], "rb").read()
with open(sys.argv[2], "wb") as out:
    for i in range(0, len(data), 50000):
        part = data[i:i + 50000]
        deflater = zlib.compressobj(6, zlib.DEFLATED, -15)
        body = deflater.compress(part) + deflater.flush()
        out.write(b"\x1f\x8b\x08\x04\0\0\0\0\0\xff\6\0BC\2\0" + struct.pack("<H", 25 + len(body)) + body
                  + struct.pack("<II", zlib.crc32(part), len(part)))
END
head -c 100000 "$work/members.gz" >"$work/cut.gz"
for device in none cpu; do
	threads 0 -D $device -T 4 --chunk-size=64K -f 1 --gzip=6 "$work/members.gz" "$work/members.gz"
	threads 1 -D $device -T 4 --chunk-size=64K -f 1 -z "$work/cut.gz"
	threads 0 -D $device -T 3 --chunk-size=64K -t u8:u64 "$work/bytes.gz"
	threads 1 -D $device -T 3 --chunk-size=64K -t i8 --format=binary "$work/bytes.gz"
	threads 0 -D $device -T 4 --chunk-size=64K -f 1 -z "$work/text"
	threads 0 -D $device -T 4 --chunk-size=64K -f 1 -t f32 "$work/text" "$work/text"
	threads 1 -D $device -T 4 --chunk-size=64K -f 1 "$work/bad"
	threads 0 -D $device -T 4 --chunk-size=64K -e "$work/widening"
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
