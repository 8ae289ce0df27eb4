#!/usr/bin/env bats
# Known answers from other people's tests, and real data, in $PSCAN_DATA_DIR. Each test reports how many cases passed,
# and how many were skipped and why.
load helper

setup() {
	need_data
}

# suite NAME: the cases of data_cases.py; its one line goes to the test's report.
suite() {
	local line
	line=$("$PYTHON" "$TOOLS/data_cases.py" "$1")
	echo "# $1: $line" >&3
}

@test "the vectors of numpy, pandas, Arrow, Thrust, Julia, Octave, polars and others give their answers" {
	suite peers
}

@test "gzip files that every gunzip reads give their content, from files and pipes" {
	suite gzip-good
}

@test "damaged gzip files give their sound part, then exit 1 with the place" {
	suite gzip-bad
}

@test "bytes behind a gzip member are accepted if NUL, else a warning and exit 1" {
	suite gzip-trailing
}

@test "arrays of every type in both byte orders give numpy's answers" {
	suite arrays
}

@test "--include-initial turns row counts into the offsets of sparse matrices" {
	suite offsets
}

@test "NIST's columns have their exact decimal sums, and in f64 the grid's bits" {
	suite numbers
}

@test "literals of the parse-number torture sets are read to the right bits, or refused past the type" {
	suite literals
}

@test "a publisher's column, cumulated country by country, has its bits" {
	suite series
}

# bats test_tags=long
@test "columns of real logs have their known running sums and extremes, also key by key and run by run of a key" {
	suite logs
}
