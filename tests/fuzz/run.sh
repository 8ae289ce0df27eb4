#!/bin/sh
# Runs the fuzz targets in $BUILD/fuzz and prints the totals as the last line. MINUTES: how long each (default 1), with a corpus
# that stays in $BUILD/fuzz/corpus; or RUNS: so many inputs each, the same every time, from the seeds alone. FUZZ: only targets
# whose names match this pattern. What breaks a promise is kept as $BUILD/fuzz/TARGET-crash-* and shown.
set -u
if [ ! -d "${BUILD:-build}/fuzz" ]; then
	echo 'fuzz: skipped: the targets are not built, there is no libFuzzer'
	echo '0 passed, 0 failed, 1 skipped'
	exit 0
fi
fuzz=$(cd "${BUILD:-build}/fuzz" && pwd) || exit 1
here=$(cd "$(dirname "$0")" && pwd)
PYTHON=${PYTHON:-/usr/bin/python3}
passed=0
failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export ASAN_OPTIONS="detect_leaks=1:allocator_may_return_null=1:quarantine_size_mb=16"
export UBSAN_OPTIONS="print_stacktrace=1:halt_on_error=1"

for program in "$fuzz"/*_fuzz; do
	[ -x "$program" ] || continue
	target=$(basename "$program" _fuzz)
	echo "$target" | grep -q -e "${FUZZ:-.}" || continue
	"$PYTHON" "$here/seeds.py" "$target" "$work/$target"
	set -- -dict="$work/$target.dict" -artifact_prefix="$fuzz/$target-" -print_final_stats=1 -max_len=4096
	if [ -n "${RUNS:-}" ]; then
		set -- "$@" -runs="$RUNS" -seed=1 "$work/$target"
	else
		mkdir -p "$fuzz/corpus/$target"
		set -- "$@" -max_total_time=$((${MINUTES:-1} * 60)) -timeout=20 "$fuzz/corpus/$target" "$work/$target"
	fi
	if "$program" "$@" >"$work/log" 2>&1; then
		passed=$((passed + 1))
		sed -n "s/^Done \(.*\)/fuzz: $target: \1, nothing found/p" "$work/log"
	else
		failed=$((failed + 1))
		echo "not ok - fuzz: $target"
		grep -vE '^#[0-9]+.*(NEW|REDUCE|INITED|pulse)|^INFO:' "$work/log" | tail -n 60
	fi
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
