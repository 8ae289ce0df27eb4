#!/bin/sh
# Runs the unit tests and the bats files on the program in $BUILD and prints the totals as the last line. The TAP of all
# tests goes to $BUILD/check.tap; failures are shown.
set -u
BUILD=$(cd "${BUILD:-build}" && pwd)
PSCAN=${PSCAN:-$BUILD/pscan}
PSCAN_DEVICE=cpu
export BUILD PSCAN PSCAN_DEVICE
tap=$BUILD/check.tap
: >"$tap"
for test in "$BUILD"/unit/*_test; do
	[ -x "$test" ] || continue
	echo "# ${test##*/}" >>"$tap"
	"$test" >>"$tap" 2>&1
	code=$?
	[ $code -eq 0 ] || grep -q '^not ok' "$tap" || echo "not ok - ${test##*/} ended with $code" >>"$tap"
done
for file in ${TESTS:-tests/cli/*.bats}; do
	echo "# $file" >>"$tap"
	bats --tap "$file" >>"$tap" 2>&1
	code=$?
	[ $code -le 1 ] || echo "not ok - $file ended with $code" >>"$tap"
done
grep -nE -A 12 '^not ok' "$tap"
passed=$(grep -E '^ok ' "$tap" | grep -vc '# skip')
skipped=$(grep -cE '^ok .*# skip' "$tap")
failed=$(grep -cE '^not ok' "$tap")
grep -E '^ok .*# skip' "$tap" | sed 's/.*# skip/skipped:/' | sort | uniq -c
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
