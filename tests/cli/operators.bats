#!/usr/bin/env bats
# shellcheck disable=SC2154 # code, out and err are set by run_pscan
# The operators beyond the plain folds, against their definitions (tests/tools/operators.py).

load helper

@test "count and range are what their definitions say on the host, for every type, mode and seed, and of exact decimals" {
	"$PYTHON" "$TOOLS/operators.py" host
}

# bats test_tags=long
@test "count and range are what their definitions say on PoCL, in both shapes" {
	"$PYTHON" "$TOOLS/operators.py" cpu
	"$PYTHON" "$TOOLS/operators.py" gpu
}

@test "sequential and Hillis-Steele scans of count and range have the grid's results" {
	seq 1 7 70000 >"$TMP/in"
	for op in count range; do
		"$PSCAN" -D none -op $op "$TMP/in" >"$TMP/want"
		for algorithm in sequential hillis-steele; do
			"$PSCAN" -D none -op $op --algorithm=$algorithm "$TMP/in" | cmp - "$TMP/want"
		done
	done
}

@test "an operator without an identity needs a seed for -e, and has no total of nothing" {
	run_pscan -D none -op range -e < <(seq 3)
	assert_equal "$code $err" '2 pscan: -e: range has no identity (see --seed)'
	run_pscan -D none -op range --include-initial < <(seq 3)
	assert_equal "$code $err" '2 pscan: --include-initial: range has no identity (see --seed)'
	run_pscan -D none -op range --total </dev/null
	assert_equal "$code $out" '0 -'
	run_pscan -D none -op range --total -t i32 --format=binary </dev/null
	assert_equal "$code $out $err" '1  pscan: standard input: no elements: there is no range'
	run_pscan -D none -op range --total --seed=5 </dev/null
	assert_equal "$code $out" '0 0'
	run_pscan -D none -op count --total </dev/null
	assert_equal "$code $out" '0 0'
}

@test "count takes no seed" {
	run_pscan -D none -op count --seed=3 < <(seq 3)
	assert_equal "$code $err" '2 pscan: --seed: count takes none'
}

@test "a range past its type names the element, and 128 bits of decimals go on in f64" {
	run_pscan -D none -op range -t i64 < <(printf '%s\n' 9223372036854775807 3 -1 7)
	assert_equal "$code $out" $'1 0\n9223372036854775804'
	assert_contains "$err" 'element 3: the range does not fit i64 (see -t i64:f64, --overflow=wrap)'
	run_pscan -D none -op range < <(printf '%s\n' 9223372036854775807 -1 170141183460469231731687303715884105727 5)
	assert_equal "$code $out" $'0 0\n9223372036854775808\n1.7014118346046923e+38\n1.7014118346046923e+38'
}

@test "--list-operators names each operator with what it takes and gives, on a line" {
	run_pscan --list-operators
	assert_equal "$code $err" '0 '
	assert_contains "$out" 'sum      +  x -> ACC  total (default)'
	assert_contains "$out" 'count       x -> u64  elements so far'
	[ "$(echo "$out" | cut -d ' ' -f 1 | sort | uniq -d | wc -l)" -eq 0 ]
}
