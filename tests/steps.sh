# Functions for gate.sh and check_all.sh: they run steps. A step is a command; the totals of all steps are added up.
# This file is sourced; BUILD and PYTHON may be set.
# shellcheck shell=sh
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

# step NAME COMMAND...: counts what the tests say on their last line of totals, and 1 for the step if it fails. Its
# output is kept in $BUILD/ci; a step that fails is counted and the rest goes on.
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
	BUILD=$BUILD PYTHON=$PYTHON TAGS='root,!long' TESTS="$(grep -l '^# bats test_tags=.*root' tests/cli/*.bats)" sh tests/run.sh
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

# The README's second command, as an ordinary user; and if this is not one, what only root can test.
check_steps() {
	if [ "$(id -u)" -eq 0 ]; then
		step 'check as an ordinary user' ordinary_user
		step 'tests for root' root_tests
	else
		step check target check
	fi
}

# What failed, once more where it is seen, and the totals as the last line; fails unless all is well. (Faults that were
# noticed name the test that failed for them.)
conclude() {
	[ "$failed" -eq 0 ] || grep -hE '(^|: )not ok|^failed: |^error: |ERROR: |MISMATCH|NOT NOTICED|== .*: FAILED' "$logs"/*.log |
		grep -v '^noticed ' | sort -u | tail -n 40
	echo "$passed passed, $failed failed, $skipped skipped" | tee "$logs/totals"
	[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
