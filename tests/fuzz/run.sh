#!/bin/sh
# Runs the fuzz targets in $BUILD/fuzz, JOBS (default 1) at a time, and prints the totals as the last line. FUZZ_SECONDS
# or MINUTES: how long each runs (default a minute), with a corpus that stays in $BUILD/fuzz/corpus. Or RUNS: how many
# inputs each gets, always the same ones, from the seeds alone. FUZZ: only targets whose names match this pattern.
# Inputs that break a promise are kept as $BUILD/fuzz/TARGET-crash-* and shown.
#
# Only the built targets, a shell and Python are needed: they can be run on another machine (make FUZZ_STATIC=1
# fuzz-programs).
set -u
if [ ! -d "${BUILD:-build}/fuzz" ]; then
	echo 'fuzz: skipped: the targets are not built, there is no libFuzzer'
	echo '0 passed, 0 failed, 1 skipped'
	exit 0
fi
fuzz=$(cd "${BUILD:-build}/fuzz" && pwd) || exit 1
here=$(cd "$(dirname "$0")" && pwd)
PYTHON=${PYTHON:-/usr/bin/python3}
command -v "$PYTHON" >/dev/null || PYTHON=python3
export ASAN_OPTIONS="detect_leaks=1:allocator_may_return_null=1:quarantine_size_mb=16"
export UBSAN_OPTIONS="print_stacktrace=1:halt_on_error=1"

# run_target NAME: its seeds, its run, what came of it.
run_target() {
	target=$1
	"$PYTHON" "$here/seeds.py" "$target" "$work/$target" || return 1
	set -- -dict="$work/$target.dict" -artifact_prefix="$fuzz/$target-" -print_final_stats=1 -max_len=4096 -timeout=20
	if [ -n "${RUNS:-}" ]; then
		runs=$RUNS
		case $target in csv | lanes | pipeline | state) runs=$((runs / 8)) ;; esac # whole programs
		set -- "$@" -runs="$runs" -seed=1 "$work/$target"
	else
		mkdir -p "$fuzz/corpus/$target"
		seconds=${FUZZ_SECONDS:-$((${MINUTES:-1} * 60))}
		set -- "$@" -max_total_time="$seconds" "$fuzz/corpus/$target" "$work/$target"
	fi
	if "$fuzz/${target}_fuzz" "$@" >"$work/$target.log" 2>&1; then
		sed -n "s/^Done \(.*\)/fuzz: $target: \1, nothing found/p" "$work/$target.log"
		return 0
	fi
	{
		echo "not ok - fuzz: $target"
		grep -avE '^#[0-9]+.*(NEW|REDUCE|INITED|pulse)|^INFO:' "$work/$target.log" | tail -n 60
	} >"$work/$target.found"
	cat "$work/$target.found"
	return 1
}

# As a job of the loop below: one target.
if [ $# -eq 1 ]; then
	work=$FUZZ_WORK
	if run_target "$1"; then touch "$work/$1.passed"; else touch "$work/$1.failed"; fi
	exit 0
fi

# In memory: a target's files are synced.
work=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export FUZZ_WORK="$work"
for program in "$fuzz"/*_fuzz; do
	target=$(basename "$program" _fuzz)
	[ -x "$program" ] && echo "$target" | grep -e "${FUZZ:-.}"
done | xargs -r -P "${JOBS:-1}" -n 1 sh "$0"
passed=$(find "$work" -name '*.passed' | wc -l)
failed=$(find "$work" -name '*.failed' | wc -l)
echo "$((passed)) passed, $((failed)) failed, 0 skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
