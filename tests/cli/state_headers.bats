#!/usr/bin/env bats
# --state and headers: the columns of every run are those of one run over all of it.
# shellcheck disable=SC2154,SC2086 # code, out and err are set by run_pscan; options are words

load helper

setup() {
	export PSCAN_DEVICE=none
	cd "$TMP" || return 1
}

# assert_rotated HEADER RECORDS RESULTS OPTION...: the log is a header alone at the first run, then it is rotated.
assert_rotated() {
	local header=$1 records=$2 results=$3
	shift 3
	rm -f log log.1 state
	printf '%b' "$header" >log
	run_pscan --state=state "$@" log
	assert_equal "$code $err" '0 '
	mv log log.1
	printf '%b' "$header$records" >log
	run_pscan --state=state "$@" log.1 log
	assert_equal "$* $code $err $(paste -s -d ' ' out)" "$* 0  $results"
}

@test "a log of which only the header was seen before it was rotated does not move its names to other fields" {
	assert_rotated 'x,y\n' 'a,1,2\nb,3,4\n' '2 6' --csv -f y
	assert_rotated 'x,y\n' 'a,1,2\nb,3,4\n' '1 4' --csv -f x
	assert_rotated '#Software: s\n#Fields:\tdate\tx\ty\n' 'd\t1\t2\nd\t3\t4\n' '2 6' --header=2 --tsv -f y
	assert_rotated '#s\n#fields\tx\ty\n#types\tn\tn\n' '1\t2\n3\t4\n' '1 4' --header=3 --header-names=2 --tsv -f x
	assert_rotated '#Fields: date x y\n' 'd 1 2\nd 3 4\n' '2 6' -H -f y
	assert_rotated '     total  used\n' 'Mem:   10     2\nMem:   30     4\n' '2 6' -H -f used
	assert_rotated 'x,y\n' '1,2,\n3,4,\n' '1,2,,2 3,4,,6' --csv -f y -a
	assert_rotated 'x,y\n' '1,2\n3,4\n' '2 6' --csv -f y
}

@test "what a file that goes on is read by is its own header, which is the stream's, or the run ends" {
	printf 'x,y\n1,10\n' >a
	printf 'y,x\n20,2\n' >b
	for file in a b; do
		run_pscan --csv -f y --state=state $file
		assert_equal "$code $err" '0 '
	done
	cp state before
	printf '3,30\n' >>a
	printf '40,4\n' >>b
	run_pscan --csv -f y --state=state a b
	assert_equal "$code $err" '1 pscan: b: line 1: the header is not that of the first file: "y,x"'
	cmp state before
	run_pscan --csv -f y --state=state b
	assert_equal "$code $(cat out)" '0 70' # 10 + 20 + 40
	run_pscan --csv -f y --state=state a
	assert_equal "$code $(cat out)" '0 100'
}
