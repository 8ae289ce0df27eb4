#!/bin/sh
# Runs the unit tests and the bats files on the program in $BUILD, several at once. Prints a line when each begins and
# ends, a line every few seconds with the progress of the running ones, and failures as they come (SHOW=all: every
# test). The totals are the last line. The TAP of all tests goes to $BUILD/check.tap. TESTS: the bats files and unit
# tests (row_test) to run (default: all). FILTER: a pattern that the names of the bats files' tests must match. TAGS:
# the tags that these must have (bats --filter-tags): '!long' leaves out what takes long.
set -u

# As a job of the loop below, in the directory of the parts: one bats file or unit test.
if [ $# -eq 1 ]; then
	name=${1##*/}
	part=$PARTS/$name
	start=$(date +%s)
	printf '  %-24s ...\n' "$name"
	{
		case $name in
		*.bats) timeout -k 10 "$FILE_TIMEOUT" bats --tap -T -f "${FILTER:-.}" ${TAGS:+--filter-tags "$TAGS"} "$1" 2>&1 ;;
		*) timeout -k 10 "$FILE_TIMEOUT" "$BUILD/unit/$name" 2>&1 ;;
		esac
		echo $? >"$part.code"
	} | tee "$part.tap" | awk -v name="$name" -v all="${SHOW:-}" '
		/^not ok/ { left = 13 }
		/^ok/ { left = all == "all" }
		left-- > 0 { print name ": " $0; fflush() }'
	code=$(cat "$part.code")
	planned=$(sed -n 's/^1\.\.\([0-9]*\)$/\1/p' "$part.tap")
	ended=$(grep -cE '^(not )?ok' "$part.tap")
	failed=$(grep -c '^not ok' "$part.tap")
	skipped=$(grep -cE '^ok .*# skip' "$part.tap")
	passed=$((ended - failed - skipped))
	if [ "${planned:-none}" != "$ended" ] || { [ "$code" -ne 0 ] && [ "$failed" -eq 0 ]; }; then
		echo "not ok - $name ended with $code after $ended of ${planned:-?} tests" | tee -a "$part.tap"
		failed=$((failed + 1))
	fi
	# Where FILTER and TAGS leave nothing there is nothing to say.
	[ "$ended$failed" = 00 ] || printf '  %-24s %3d passed, %d failed, %d skipped, %d s\n' "$name" $passed "$failed" "$skipped" $(($(date +%s) - start))
	mv "$part.tap" "$part"
	exit 0
fi

BUILD=$(cd "${BUILD:-build}" && pwd) || exit 1
# A file that hangs is a failure, not an end of everything. (bats has a time for each test as well, but its clock can
# outlive a test of a few milliseconds, and bats waits for it.)
FILE_TIMEOUT=${FILE_TIMEOUT:-7200}
PSCAN=${PSCAN:-$BUILD/pscan}
PSCAN_DEVICE=cpu
# Compiled kernels are kept with what is built, so that a test that has a driver crash spoils nobody's; check_all.sh
# names one place for all its builds.
XDG_CACHE_HOME=${TEST_CACHE:-$BUILD/cache}
mkdir -p "$XDG_CACHE_HOME"
# PoCL compiles in half the time what it does not optimise. What is compiled as usual is for the night, bits.bats and
# frozen.bats.
case ${TAGS:-} in
*'!long'*) export POCL_EXTRA_BUILD_FLAGS="${POCL_EXTRA_BUILD_FLAGS--cl-opt-disable}" ;;
esac
PARTS=$(mktemp -d)
teller=
trap 'rm -rf "$PARTS"; [ -z "$teller" ] || kill "$teller" 2>/dev/null' EXIT
export BUILD FILE_TIMEOUT PSCAN PSCAN_DEVICE PARTS XDG_CACHE_HOME

all() {
	for test in tests/cli/*.bats; do
		echo "$test"
	done
	for test in "$BUILD"/unit/*_test; do
		[ ! -x "$test" ] || echo "${test##*/}"
	done
}
wanted=$(echo "${TESTS:-$(all)}" | tr ' ' '\n')
# The longest first, so that the last one does not keep the others' processors waiting.
first() {
	for test in program_files programs decimal gpus program_keys missing plot differential documentation faults handover hostile_programs \
		keys operators compressed bits state hostile build gzip manners lanes; do
		echo "$wanted" | grep -x "tests/cli/$test.bats"
	done
	echo "$wanted" | grep -xE '(gzip|engine)_test'
}
tests=$({
	first
	echo "$wanted"
} | awk 'NF && !seen[$0]++')
case $tests in
*.bats*) command -v bats >/dev/null || {
	echo "${0##*/}: there is no bats (make deps-check installs it)" >&2
	exit 1
} ;;
esac

# How many tests of each file that runs have ended.
progress() {
	awk -v seconds=$(($(date +%s) - start)) '
		function add() { if (name != "") line = line (line == "" ? "" : ", ") name " " ended " of " planned }
		FNR == 1 { add(); name = FILENAME; gsub(/^.*\/|\.tap$/, "", name); ended = 0; planned = "?" }
		/^1\.\.[0-9]+$/ { planned = substr($0, 4) }
		/^(not )?ok/ { ended++ }
		END { add(); if (line != "") print "  " seconds " s: " line }' "$PARTS"/*.tap 2>/dev/null
}
if [ -x "$BUILD/tools/compile_kernels" ] && [ -z "${FILTER:-}" ] && [ "${TAGS:-}" != long ]; then
	# shellcheck disable=SC2086 # a list of names
	sh src/tools/alive.sh sh tests/kernels.sh $tests
fi

start=$(date +%s)
tell() {
	pause=
	trap 'kill $pause 2>/dev/null; exit' TERM
	while kill -0 $$ 2>/dev/null; do
		sleep "${PROGRESS_SECONDS:-8}" >/dev/null 2>&1 &
		pause=$!
		wait $pause
		progress
	done
}
tell &
teller=$!
# One more than there are processors: while a test waits another one computes.
echo "$tests" | xargs -n 1 -P $(($(nproc) + 1)) sh "$0"
kill "$teller" 2>/dev/null
wait "$teller" 2>/dev/null
teller=

tap=$BUILD/check.tap
: >"$tap"
for test in $tests; do
	part=$PARTS/${test##*/}
	echo "# ${test##*/}" >>"$tap"
	if [ -e "$part" ]; then
		cat "$part" >>"$tap"
	else
		echo "not ok - ${test##*/} did not come to its end" | tee -a "$tap"
	fi
done
passed=$(grep -E '^ok ' "$tap" | grep -vc '# skip')
skipped=$(grep -cE '^ok .*# skip' "$tap")
failed=$(grep -cE '^not ok' "$tap")
grep -E '^ok .*# skip' "$tap" | sed 's/.*# skip/skipped:/' | sort | uniq -c
awk '/^# [a-z_]*(\.bats|_test)$/ { name = $2 } /^not ok/ { sub(/^not ok [0-9]* ?(- )?/, ""); print "failed: " name ": " $0 }' "$tap"
[ $((passed + failed + skipped)) -gt 0 ] || echo "no test matches${FILTER:+ FILTER=$FILTER}${TAGS:+ TAGS=$TAGS}"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
