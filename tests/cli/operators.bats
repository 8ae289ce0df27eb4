#!/usr/bin/env bats
# shellcheck disable=SC2154 # code, out and err are set by run_pscan
# The operators beyond the plain folds, against their definitions (tests/tools/operators.py).

load helper

@test "operators are what their definitions say on the host, for every type, mode and seed, and of exact decimals" {
	"$PYTHON" "$TOOLS/operators.py" host
}

# bats test_tags=long
@test "operators are what their definitions say on PoCL, in both shapes" {
	"$PYTHON" "$TOOLS/operators.py" cpu
	"$PYTHON" "$TOOLS/operators.py" gpu
}

@test "sequential and Hillis-Steele scans of integers have the grid's results" {
	awk 'BEGIN { for (i = 0; i < 10000; i++) print (i * 7919) % 10007 - 5000 }' >"$TMP/in"
	for op in $("$PSCAN" --list-operators | cut -d ' ' -f 1); do
		[ "$op" != prod ] || continue # ends in f64
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

@test "elements as they were written keep their own decimals, on the way into f64 too" {
	printf '%s\n' 1.50 2 -0.125 30 4.0 >"$TMP/in"
	run_pscan -D none -op last "$TMP/in"
	assert_equal "$code $out" $'0 1.50\n2\n-0.125\n30\n4.0'
	run_pscan -D none -op last -e --seed=7.000 "$TMP/in"
	assert_equal "$code $out" $'0 7.000\n1.50\n2\n-0.125\n30'
	run_pscan -D none -op lag "$TMP/in"
	assert_equal "$code $out" $'0 1.50\n2\n-0.125\n30'
	run_pscan -D none -op lag --seed=7.000 --total < <(head -n 1 "$TMP/in")
	assert_equal "$code $out" '0 7.000'
	run_pscan -D none -op first "$TMP/in"
	assert_equal "$code $out" $'0 1.50\n1.50\n1.50\n1.50\n1.50'
	run_pscan -D none -op first --seed=7.0 --include-initial < <(echo 1)
	assert_equal "$code $out" $'0 7.0\n7.0'
	run_pscan -D none -op lag < <(printf '%s\n' 1.50 2e0 3)
	assert_equal "$code $out" $'0 1.5\n2'
	run_pscan -D none -op last -F '%.2f' "$TMP/in"
	assert_equal "$code $out" $'0 1.50\n2.00\n-0.12\n30.00\n4.00'
	run_pscan -D none -op last --csv -d . -f 1 -a < <(printf '%s\n' 1 2)
	assert_equal "$code $out" $'0 1.1\n2.2'
}

@test "a result that is absent is no line, an empty new field, a field that stays, NaN among raw floats, and - as a total" {
	printf '%s\n' 'a;5' 'b;3' 'c;9' >"$TMP/in"
	run_pscan -D none -op lag -d ';' -f 2 "$TMP/in"
	assert_equal "$code $out" $'0 5\n3'
	run_pscan -D none -op delta -d ';' -f 2 -a "$TMP/in"
	assert_equal "$code $out" $'0 a;5;\nb;3;-2\nc;9;6'
	run_pscan -D none -op delta -d ';' -f 2 --replace "$TMP/in"
	assert_equal "$code $out" $'0 a;5\nb;-2\nc;6'
	run_pscan -D none -op lag -d ';' -f 2 -a -e --seed=1 "$TMP/in"
	assert_equal "$code $out" $'0 a;5;\nb;3;1\nc;9;5'
	run_pscan -D none -op delta -d ';' -f 2 -a --seed=1 "$TMP/in"
	assert_equal "$code $out" $'0 a;5;4\nb;3;-2\nc;9;6'
	run_pscan -D none -op lag -d ';' -f 2 --missing=keep < <(printf '%s\n' 'a;-' 'b;3' 'c;-' 'd;4')
	assert_equal "$code $out" $'0 -\n-\n3'
	run_pscan -D none -op lag --include-initial --seed=4 < <(seq 2)
	assert_equal "$code $out" $'0 4\n1'
	run_pscan -D none -op lag --total < <(echo 5)
	assert_equal "$code $out" '0 -'
	run_pscan -D none -op lag --total -t i32 --format=binary < <(printf 'abcd')
	assert_equal "$code $out $err" '1  pscan: standard input: one element: there is no lag'
	run_pscan -D none -op lag -t i32 --format=binary </dev/null
	assert_equal "$code $err" '2 pscan: lag: the first result is absent, for which i32 has no value (see --seed)'
	assert_equal "$(printf 'abcdefgh' | "$PSCAN" -D none -op lag -t f32 --format=binary | od -An -tx4 | tr -d '\n')" ' 7fc00000 64636261'
	assert_equal "$(printf 'abcdefgh' | "$PSCAN" -D none -op lag -t i32 --format=binary --seed=1 | od -An -tx4 | tr -d '\n')" ' 00000001 64636261'
}

@test "an exclusive drawdown is the greatest before the element minus the element" {
	run_pscan -D none -op drawdown -e --seed=4 < <(printf '%s\n' 3 9 2.5)
	assert_equal "$code $out" $'0 1\n-5\n6.5'
	run_pscan -D none -op drawdown -e --seed=4 --total < <(printf '%s\n' 3 9 2.5)
	assert_equal "$code $out" '0 6.5'
	run_pscan -D none -op drawdown -e < <(seq 3)
	assert_equal "$code $err" '2 pscan: -e: drawdown has no identity (see --seed)'
	run_pscan -D none -op drawdown -e --seed=0 -t u8 < <(printf '%s\n' 0 1)
	assert_equal "$code $out" '1 0'
	assert_contains "$err" 'element 2: the drawdown does not fit u8 (see -t u8:i64, --overflow=wrap)'
}

@test "--list-operators names each operator with what it takes and gives, on a line" {
	run_pscan --list-operators
	assert_equal "$code $err" '0 '
	assert_contains "$out" 'sum      +  x -> ACC  total (default)'
	assert_contains "$out" 'count       x -> u64  elements so far'
	[ "$(echo "$out" | cut -d ' ' -f 1 | sort | uniq -d | wc -l)" -eq 0 ]
}
