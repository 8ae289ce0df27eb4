#!/bin/sh
# The whole test suite with AddressSanitizer and UndefinedBehaviorSanitizer, then the host's tests, the tests of the
# hand-over, and runs with many threads, with ThreadSanitizer.
#
# BUILD holds both builds (make check-sanitizers). A sanitizer's finding ends the program with status 99, which no test
# expects. SHORT=1 leaves out three kinds of tests: those that are long or run the program thousands of times (it starts
# a dozen times as slowly there, and the fuzzers also try damaged input), some files that take long or test the device
# more than the program, and, with ThreadSanitizer, files in which little more than one thread runs. SHORT=gate is
# shorter still, for gate.sh: one file for each kind of input, output and engine, and no fuzz targets.
set -u
root=$(pwd)
build=$(cd "${BUILD:-build}" && pwd)
work=$(mktemp -d)
chmod 755 "$work" # for what tests run as another user
trap 'rm -rf "$work"' EXIT

# A driver that LLVM is in puts a signal stack of its own on the thread that loads it; AddressSanitizer would unmap that
# one.
asan="exitcode=99:use_sigaltstack=0:log_path=$work/asan"
export UBSAN_OPTIONS="print_stacktrace=1:halt_on_error=1"
export LSAN_OPTIONS="suppressions=$root/tests/lsan.supp:print_suppressions=0"
passed=0
failed=0
skipped=0

# The sanitizers write logs and look into /proc.
export PSCAN_SANDBOX_ALLOW=/

# add_totals TOTALS: "N passed, N failed, N skipped" is added to the totals.
add_totals() {
	passed=$((passed + $(echo "$1" | awk '{ print $1 + 0 }')))
	failed=$((failed + $(echo "$1" | awk '{ print $3 + 0 }')))
	skipped=$((skipped + $(echo "$1" | awk '{ print $5 + 0 }')))
}

# suite KIND NAME: tests/run.sh with the build of that kind, asan or tsan, and its settings in the environment; adds to
# the totals.
suite() {
	BUILD=$build/$1 PSCAN=$build/$1/pscan sh tests/run.sh 2>&1 | tee "$work/suite.$1"
	totals=$(tail -n 1 "$work/suite.$1")
	echo "$1, $2: $totals"
	add_totals "$totals"
}

# LeakSanitizer itself crashes now and then when it stops the threads of a driver that come and go: where tests use
# devices, leaks are looked for in the runs below only, which are taken again then. Kernels are not instrumented, so the
# differential suite's device runs would say nothing new: only its host runs.
files=$(find tests/cli -name '*.bats' ! -name differential.bats ! -name bits.bats ! -name build.bats | sort)
# shellcheck disable=SC2086 # a list of names
TESTS="$(cd "$build/asan/unit" && echo *_test | sed 's/engine_test//') $(grep -l '^	export PSCAN_DEVICE=none' $files)"
[ -z "${SHORT:-}" ] ||
	TESTS=$(echo "$TESTS" | tr ' ' '\n' | grep -vE '/(hostile|hints|manners)\.bats$|^(cursor|gzip)_test$')
[ "${SHORT:-}" != gate ] ||
	TESTS=$(echo "$TESTS" | tr ' ' '\n' | grep -E '/(compressed|corners|json|lanes|npy|state|windows)\.bats$|_test$')
export TESTS
[ -z "${SHORT:-}" ] || export TAGS='!long,!many' FEWER=6
ASAN_OPTIONS=$asan:detect_leaks=1 suite asan 'the unit tests and the suite on the host, and leaks'
# shellcheck disable=SC2086
TESTS="$(grep -L '^	export PSCAN_DEVICE=none' $files) engine_test"
[ -z "${SHORT:-}" ] ||
	TESTS="engine_test $(printf 'tests/cli/%s.bats ' faults handover hostile_programs plot progress)"
[ "${SHORT:-}" != gate ] || TESTS='engine_test tests/cli/hostile_programs.bats tests/cli/plot.bats'
ASAN_OPTIONS=$asan:detect_leaks=0 suite asan 'the suite with devices'
unset TESTS
# leaks ARGUMENT...: must end with 0 and leak nothing. Leaks are looked for when drivers' exit handlers have run, as
# long as that takes.
leaks() {
	for _ in 1 2 3; do
		rm -f "$work"/leaks.*
		ASAN_OPTIONS="exitcode=99:use_sigaltstack=0:detect_leaks=1:log_path=$work/leaks" PSCAN_DEVICE_TIMEOUT=0 \
			"$build/asan/pscan" "$@" >/dev/null 2>"$work/err"
		code=$?
		cat "$work"/leaks.* >"$work/report" 2>/dev/null
		grep -q 'LeakSanitizer has encountered a fatal error' "$work/report" || break
	done
	if [ "$code" -eq 0 ] && [ ! -s "$work/report" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "not ok - leaks (exit $code): $*"
		head -n 30 "$work/err" "$work/report"
	fi
}

# PoCL is not instrumented: its own synchronisation cannot be seen.
printf 'called_from_lib:libpocl.so\nrace:libpocl.so\nrace:libLLVM\n' >"$work/tsan.supp"
export TSAN_OPTIONS="exitcode=99:halt_on_error=1:ignore_noninstrumented_modules=1:suppressions=$work/tsan.supp"
tsan=$build/tsan/pscan

# What a stream that has ended does not wait for is no leak.
# shellcheck disable=SC2086
TESTS="$(grep -l '^	export PSCAN_DEVICE=none' $files) tests/cli/handover.bats"
[ -z "${SHORT:-}" ] || TESTS='tests/cli/handover.bats tests/cli/gzip.bats'
[ "${SHORT:-}" != gate ] || TESTS=tests/cli/handover.bats
export TESTS
# One file that takes long, and three: at once.
differential='tests/cli/differential.bats tests/cli/bits.bats'
[ "${SHORT:-}" != gate ] || differential=tests/cli/differential.bats
TESTS=$differential FILTER='on the host' ASAN_OPTIONS=$asan:detect_leaks=1 \
	suite asan 'the differential suite on the host, and leaks' >"$work/differential" &
TSAN_OPTIONS="$TSAN_OPTIONS:report_thread_leaks=0:log_path=$work/tsan" suite tsan 'the suite on the host and the hand-over'
unset TESTS
wait
cat "$work/differential"
add_totals "$(sed -n 's/^asan, .*: \([0-9]* passed, .*\)/\1/p' "$work/differential")"
for log in "$work"/asan.*; do
	[ -e "$log" ] || continue
	# Blocks of absurd sizes are a unit test's.
	grep -qv 'WARNING: AddressSanitizer failed to allocate' "$log" || continue
	head -n 30 "$log"
	failed=$((failed + 1))
done

for log in "$work"/tsan.*; do
	case $log in *.supp | *'*') continue ;; esac
	head -n 40 "$log"
	failed=$((failed + 1))
done

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
{ echo 'number,"a ""b"""' && awk 'BEGIN { for (i = 0; i < 100000; i++) printf "%d,\"%d\n%d\"\n", i, i, i }'; } >"$work/table"
yes 9000000000000000 | head -n 50000 >"$work/widening"
# Threads share the keys of a chunk.
awk 'BEGIN { for (i = 0; i < 80000; i++) printf "k%d %d.%02d\n", i * 7919 % 30011, i, i % 100 }' >"$work/keys"
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
	leaks -D $device -T 3 --chunk-size=64K -t u8:u64 "$work/bytes.gz"
	leaks -D $device -T 4 --chunk-size=64K -f 1 -z "$work/text"
	leaks -D $device -T 4 --chunk-size=64K -e "$work/widening"
	threads 0 -D $device -T 4 --chunk-size=64K -f 1 --gzip=6 "$work/members.gz" "$work/members.gz"
	threads 1 -D $device -T 4 --chunk-size=64K -f 1 -z "$work/cut.gz"
	threads 0 -D $device -T 3 --chunk-size=64K -t u8:u64 "$work/bytes.gz"
	threads 1 -D $device -T 3 --chunk-size=64K -t i8 --format=binary "$work/bytes.gz"
	threads 0 -D $device -T 4 --chunk-size=64K -f 1 -z "$work/text"
	threads 0 -D $device -T 4 --chunk-size=64K -f 1 -t f32 "$work/text" "$work/text"
	threads 1 -D $device -T 4 --chunk-size=64K -f 1 "$work/bad"
	threads 0 -D $device -T 4 --chunk-size=64K --csv -f number -a "$work/table" "$work/table"
	threads 0 -D $device -T 4 --chunk-size=64K -e "$work/widening"
done

threads 0 -D none -T 4 -g 1 -f 2 -a "$work/keys"
threads 0 -D none -T 4 -g 1 -f 2 --total "$work/keys"

# A few seconds of each fuzz target, the same inputs every time.
if [ "${SHORT:-}" != gate ]; then
	BUILD=$build RUNS=10000 JOBS=2 sh tests/fuzz/run.sh >"$work/fuzz"
	cat "$work/fuzz"
	add_totals "$(tail -n 1 "$work/fuzz")"
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
