#!/bin/sh
# Runs the unit tests and the bats files on the program in $BUILD, several files at once, and prints the totals as the last
# line. The TAP of all tests goes to $BUILD/check.tap; failures are shown. TESTS names the bats files (default: all), FILTER a
# pattern that their tests must match.
set -u
BUILD=$(cd "${BUILD:-build}" && pwd)
PSCAN=${PSCAN:-$BUILD/pscan}
PSCAN_DEVICE=cpu
export BUILD PSCAN PSCAN_DEVICE
tap=$BUILD/check.tap
parts=$(mktemp -d)
trap 'rm -rf "$parts"' EXIT

for test in "$BUILD"/unit/*_test; do
	[ -x "$test" ] || continue
	"$test" >"$parts/${test##*/}" 2>&1
	code=$?
	[ $code -eq 0 ] || grep -q '^not ok' "$parts/${test##*/}" || echo "not ok - ${test##*/} ended with $code" >>"$parts/${test##*/}"
done

# The longest first.
files=${TESTS:-$(echo tests/cli/differential.bats tests/cli/bits.bats tests/cli/*.bats | tr ' ' '\n' | awk '!seen[$0]++')}
# shellcheck disable=SC2016 # expanded by the inner shell
printf '%s\n' "$files" | tr ' ' '\n' | PARTS=$parts FILTER=${FILTER:-.} xargs -n 1 -P "$(nproc)" sh -c '
	part=$PARTS/$(basename "$0")
	bats --tap -f "$FILTER" "$0" >"$part" 2>&1
	code=$?
	[ $code -le 1 ] || echo "not ok - $0 ended with $code" >>"$part"'

: >"$tap"
for part in "$parts"/*; do
	echo "# ${part##*/}" >>"$tap"
	cat "$part" >>"$tap"
done
grep -nE -A 12 '^not ok' "$tap"
passed=$(grep -E '^ok ' "$tap" | grep -vc '# skip')
skipped=$(grep -cE '^ok .*# skip' "$tap")
failed=$(grep -cE '^not ok' "$tap")
grep -E '^ok .*# skip' "$tap" | sed 's/.*# skip/skipped:/' | sort | uniq -c
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
