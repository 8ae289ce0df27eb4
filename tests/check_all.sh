#!/bin/sh
# What a change must pass, one tool after the other, each in its short form (make check-all); what takes long is for the night (make
# check-long, check-guards, and the same targets as here without SHORT=1). Root has an ordinary user run `make check`, and
# runs itself the files in which some tests are for root only. Each step's output
# is shown and kept in $BUILD/ci; a step that fails is counted and the rest goes on. The last line has the totals of all.
set -u
BUILD=${BUILD:-build}
PYTHON=${PYTHON:-/usr/bin/python3}
logs=$BUILD/ci
mkdir -p "$logs" && rm -f "$logs"/*
passed=0
failed=0
skipped=0
# Kernels are compiled once for all builds.
TEST_CACHE=$(cd "$BUILD" && pwd)/cache
XDG_CACHE_HOME=$TEST_CACHE
mkdir -p "$TEST_CACHE"
export TEST_CACHE XDG_CACHE_HOME
# In every build, so that none is built twice.
export EXTRA_CFLAGS=-Werror

# step NAME COMMAND...: counts what the tests say on their last line of totals, and 1 for the step if it fails.
step() {
	name=$1
	log=$logs/$(echo "$1" | tr ' ' '-').log
	start=$(date +%s)
	shift
	echo "== $name"
	{
		"$@" 2>&1
		echo $? >"$logs/status"
	} | tee "$log"
	if [ "$(cat "$logs/status")" -eq 0 ]; then
		echo "== $name: passed in $(($(date +%s) - start)) s"
	else
		echo "== $name: FAILED after $(($(date +%s) - start)) s"
		failed=$((failed + 1))
	fi
	# shellcheck disable=SC2046 # three numbers
	set -- $(sed -nE 's/^([0-9]+) passed, ([0-9]+) failed(, ([0-9]+) skipped)?$/\1 \2 0\4/p' "$log" | tail -n 1)
	passed=$((passed + ${1:-0}))
	failed=$((failed + ${2:-0}))
	skipped=$((skipped + $(echo "${3:-0}" | sed 's/^0*\(.\)/\1/')))
}

# target ARGUMENT...: make, without a word on directories, which could come after the totals.
target() {
	make --no-print-directory BUILD="$BUILD" PYTHON="$PYTHON" "$@"
}

# What only root may do: others' rights, and file systems and namespaces that are made for the test.
root_tests() {
	BUILD=$BUILD PYTHON=$PYTHON TAGS='root,!long' TESTS="$(echo tests/cli/*.bats)" sh tests/run.sh
}

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

# A copy of the tree with what is built in it belongs to an ordinary user, who checks it.
ordinary_user() {
	copy=$(mktemp -d) || return 1
	mkdir "$copy/home" "$copy/tree" "$copy/tmp"
	# shellcheck disable=SC2046 # one option a directory: what belongs to other steps
	tar -c $(printf -- ' --exclude=./build/%s' asan cache ci clang coverage fuzz guards tsan zlib) . | tar -x -C "$copy/tree"
	chown -R 65534:65534 "$copy"
	(
		cd "$copy/tree" && env -u BUILD -u TEST_CACHE -u XDG_CACHE_HOME -u MAKEFLAGS -u MFLAGS -u MAKEOVERRIDES HOME="$copy/home" TMPDIR="$copy/tmp" \
			setpriv --reuid=65534 --regid=65534 --clear-groups make --no-print-directory PYTHON="$PYTHON" check
	)
	code=$?
	# What that user's run has compiled the other steps need not compile again.
	[ ! -d "$copy/tree/build/cache" ] || cp -R "$copy/tree/build/cache/." "$TEST_CACHE"
	rm -rf "$copy"
	return $code
}

step deps target deps
# What clang has to say it says whatever it optimises.
step clang target -j2 CC=clang BUILD="$BUILD/clang" SCAN_CFLAGS=-O1 GRID_CFLAGS=-O0 all
step gcc target -j2 all test-programs
step lint target lint
step demo target demo
if [ "$(id -u)" -eq 0 ]; then
	step 'check as an ordinary user' ordinary_user
	step 'tests for root' root_tests
else
	step check target check
fi
step sanitizers target check-sanitizers SHORT=1
step zlib target check-zlib
step mpi target check-mpi SHORT=1
step faults target check-faults SHORT=1
step soak target soak SECONDS=20 SEED=1
step 'valgrind and oclgrind' simulators
step foreign target check-foreign SHORT=1
step reproducible target check-reproducible SHORT=1
[ ! -e tests/mutants/mutants.py ] || step mutants target check-mutants SHORT=1

# What failed, once more where it is seen. (Faults that were noticed name the test that failed for them.)
[ "$failed" -eq 0 ] || grep -hE '(^|: )not ok|^failed: |^error: |ERROR: |MISMATCH|NOT NOTICED|== .*: FAILED' "$logs"/*.log | grep -v '^noticed ' |
	sort -u | tail -n 40
echo "$passed passed, $failed failed, $skipped skipped" | tee "$logs/totals"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
