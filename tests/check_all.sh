#!/bin/sh
# Runs all tests, tool after tool (make check-all): for the night, and before a version is called done. gate.sh runs
# what every change must pass. What takes hours is not here: check-guards, and the full runs of the targets that have
# SHORT=1 here.
set -u
. tests/steps.sh

# Each takes one processor and no more, so both run at once.
simulators() {
	target check-valgrind SHORT=1 >"$logs/valgrind" 2>&1 &
	target check-oclgrind >"$logs/oclgrind" 2>&1
	code=$?
	wait $! || code=$?
	cat "$logs/valgrind" "$logs/oclgrind"
	tail -qn 1 "$logs/valgrind" "$logs/oclgrind" |
		awk '{ passed += $1; failed += $3; skipped += $5 } END { print passed + 0 " passed, " failed + 0 " failed, " skipped + 0 " skipped" }'
	return $code
}

step deps target deps-all
# What clang has to say it says whatever it optimises.
step clang target -j2 CC=clang BUILD="$BUILD/clang" SCAN_CFLAGS=-O1 GRID_CFLAGS=-O0 all
step gcc target -j2 all test-programs
step lint target lint
step demo target demo
check_steps
step long target check-long
step sanitizers target check-sanitizers SHORT=1
step zlib target check-zlib
step mpi target check-mpi SHORT=1
step faults target check-faults SHORT=1
step soak target soak SECONDS=20 SEED=1
step 'valgrind and oclgrind' simulators
step foreign target check-foreign SHORT=1
step reproducible target check-reproducible SHORT=1
[ ! -e tests/mutants/mutants.py ] || step mutants target check-mutants SHORT=1

conclude
