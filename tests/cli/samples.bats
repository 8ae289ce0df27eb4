#!/usr/bin/env bats
# The samples, run unchanged. Samples with fixed input have an expected output that was worked out without pscan; those
# on the machine's own data are compared with exact arithmetic on these data.

load helper

setup() {
	export TMPDIR=$TMP/scratch
	mkdir "$TMPDIR"
}

# Runs a sample and compares its output with the expected one.
assert_expected() {
	sh "$ROOT/samples/$1.sh" >"$TMP/actual"
	diff "$ROOT/samples/$1.expected" "$TMP/actual"
}

@test "every sample is an executable shell script with a test in this file" {
	count=0
	for script in "$ROOT"/samples/*.sh; do
		[ "${script##*/}" != demo.sh ] || continue # checks itself: make demo
		name=$(basename "$script" .sh)
		[ -x "$script" ]
		assert_equal "$(head -n 1 "$script")" '#!/bin/sh'
		grep -qE "^@test .sample $name:" "$BATS_TEST_FILENAME"
		count=$((count + 1))
	done
	[ "$count" -ge 5 ]
}

@test "an expected output without a sample does not stay behind" {
	for expected in "$ROOT"/samples/*.expected; do
		[ -f "${expected%.expected}.sh" ]
	done
}

@test "sample balance: a running balance is exact to the cent" {
	assert_expected balance
}

@test "sample offsets: an exclusive scan of counts finds each group" {
	assert_expected offsets
}

@test "sample rotation: every line of a log that grows and is rotated counts once" {
	assert_expected rotation
}

@test "sample sensor: raw float32 is summed up, and its greatest drop is found" {
	assert_expected sensor
}

@test "sample traffic: gzip in and gzip out keep the line of every request" {
	PSCAN_DEVICE=none assert_expected traffic # t in --emit is for the host
}

@test "sample packages: sizes of installed packages agree with exact arithmetic" {
	command -v dpkg-query >/dev/null || skip "there is no dpkg-query"
	PSCAN_DEVICE=none sh "$ROOT/samples/packages.sh" >"$TMP/actual" # t in --emit is for the host
	# shellcheck disable=SC2016 # dpkg's own variables
	dpkg-query -W -f '${Package}\t${Installed-Size}\n' >"$TMP/list"
	"$PYTHON" - "$TMP/list" >"$TMP/expected" <<-'PYTHON'
		"""The running sizes of the ten largest packages, in integers."""
		import sys

		def rounded(numerator, denominator):
		    """A quotient to one decimal, as C's printf rounds the double nearest to it."""
		    return "%.1f" % (numerator / denominator)

		rows = [line.rstrip("\n").split("\t") for line in open(sys.argv[1])]
		sizes = sorted(((-int(size or 0), name) for name, size in rows))
		total = -sum(size for size, _ in sizes)
		running = 0
		for size, name in sizes[:10]:
		    running -= size
		    print("%-36s %8s %8s %5s%%" % (name, rounded(-size, 1024), rounded(running, 1024),
		                                   rounded(100 * running, total)))
	PYTHON
	diff "$TMP/expected" "$TMP/actual"
}

@test "the samples print the same on the host" {
	for expected in "$ROOT"/samples/*.expected; do
		PSCAN_DEVICE=none assert_expected "$(basename "$expected" .expected)"
	done
}

@test "the samples leave no temporary file" {
	for script in "$ROOT"/samples/*.sh; do
		[ "${script##*/}" != demo.sh ] || continue
		PSCAN_DEVICE=none sh "$script" >"$TMP/actual" || [ "${script##*/}" = packages.sh ]
	done
	assert_equal "$(ls -A "$TMPDIR")" ""
}

@test "a sample fails when pscan fails" {
	printf '#!/bin/sh\nexit 1\n' >"$TMP/failing"
	chmod +x "$TMP/failing"
	for script in "$ROOT"/samples/*.sh; do
		[ "${script##*/}" != demo.sh ] || continue
		code=0
		PSCAN=$TMP/failing sh "$script" >"$TMP/actual" 2>"$TMP/err" </dev/null || code=$?
		[ "$code" -ne 0 ]
	done
	assert_equal "$(ls -A "$TMPDIR")" ""
}
