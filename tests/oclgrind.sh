#!/bin/sh
# Both kernel shapes in Oclgrind's simulator, with its checks for data races, uninitialised memory and API misuse. Its
# exit status is not used: the log must be empty, and the results must be the host's.
#
# The CPU shape does whole tiles in vectors. Oclgrind 21.10 wrongly reports their prefixes as uninitialised, although
# they are made of elements and constants only. So uninitialised memory is looked for only in partial tiles there.
set -u
pscan=${PSCAN:-${BUILD:-build}/pscan}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# simulated SHAPE CHECK ARGUMENT...: with the host's output and exit status, and nothing in the log.
simulated() {
	shape=$1
	check=$2
	shift 2
	: >"$work/log"
	"$pscan" -D none "$@" >"$work/host" 2>/dev/null
	wanted=$?
	PSCAN_SHAPE=$shape oclgrind "$check" --check-api --log "$work/log" \
		"$pscan" -D cpu "$@" >"$work/device" 2>"$work/err"
	code=$?
	if [ $code -eq $wanted ] && [ ! -s "$work/log" ] && cmp -s "$work/host" "$work/device" && ! grep -q 'pscan: device' "$work/err"; then
		passed=$((passed + 1))
		echo "ok - oclgrind, $shape shape: $*"
	else
		failed=$((failed + 1))
		echo "not ok - oclgrind, $shape shape: $*"
		head -n 12 "$work/log" "$work/err"
	fi
}

head -c 70001 /dev/zero | tr '\0' 'x' >"$work/bytes"
awk 'BEGIN { srand(3); for (i = 0; i < 5000; i++) printf "%d\n", rand() * 100000 - 30000 }' >"$work/integers"
awk 'BEGIN { for (i = 0; i < 700; i++) printf "%s\n", i == 300 ? "99999999999999999999.5" : i }' >"$work/decimals"
head -n 4096 "$work/integers" | awk '{ print; print $1 - 30000 }' >"$work/tiles"
# cases SHAPE CHECK
cases() {
	# Several chunks have several threads, one at a time in OpenCL; Oclgrind's look for uninitialised memory crashes
	# on a second.
	chunk=32K
	[ "$2" != --uninitialized ] || chunk=1M
	simulated "$1" "$2" -t f32 --chunk-size=$chunk "$work/integers" --output-format=binary
	simulated "$1" "$2" -t i32 -e "$work/integers"
	simulated "$1" "$2" -t i32:i64 -op max "$work/integers"
	simulated "$1" "$2" -t f64 -op min "$work/integers"
	simulated "$1" "$2" -t u8 -op xor --format=binary --output-format=binary "$work/bytes"
	simulated "$1" "$2" -t u8 --format=binary --output-format=binary "$work/bytes"
	simulated "$1" "$2" "$work/decimals"
	# Borders of tiles, results that do not fit, and the other tree.
	simulated "$1" "$2" -t i64 -e --chunk-size=$chunk "$work/tiles"
	simulated "$1" "$2" -t f64 -op max -e "$work/tiles"
	simulated "$1" "$2" -t i32:i16 "$work/tiles"
	simulated "$1" "$2" -t i32:i64 -op prod "$work/tiles"
	simulated "$1" "$2" -t f32:i32 "$work/tiles"
	simulated "$1" "$2" -t f32 --algorithm=hillis-steele "$work/tiles"
	simulated "$1" "$2" -t i32 --algorithm=hillis-steele "$work/tiles"
}
cases cpu --data-races
cases gpu --data-races
cases gpu --uninitialized
head -c 4000 "$work/bytes" >"$work/few" && mv "$work/few" "$work/bytes"
for name in integers tiles; do
	head -n 4000 "$work/$name" >"$work/few" && mv "$work/few" "$work/$name"
done
cases cpu --uninitialized
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
