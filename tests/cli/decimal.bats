#!/usr/bin/env bats
# Exact decimals ("num", the default for text), compared with an oracle of unlimited integers and the f64 grid, on the
# host and on PoCL with the kernels in one shape or the other. Each check also runs with neutral elements between the
# tokens and one tile to a chunk, so that changes of scale, width and type fall into runs, tiles and chunks of their
# own.
# shellcheck disable=SC2154 # code, out and err are set by run_pscan

load helper

# check OPTION... -- TOKEN... = RESULT...: see decimal_oracle.py. On the host; with DECIMAL_DEVICES=1 on PoCL, too.
# Those of a test are done at its end, by one process.
check() {
	printf '%s\t' "$@" >>"$TMP/checks"
	echo >>"$TMP/checks"
}

teardown() {
	[ ! -e "$TMP/checks" ] || "$PYTHON" "$TOOLS/decimal_oracle.py" checks <"$TMP/checks"
}

# repeat COUNT TEXT: the text so often.
repeat() {
	printf "%$1s" '' | sed "s/ /$2/g"
}

GREATEST=170141183460469231731687303715884105727
LEAST=-170141183460469231731687303715884105728

# --- Sums while they are exact

@test "cents add up exactly" {
	check -- 0.10 0.20 0.30 -0.05 19.99 = 0.10 0.30 0.60 0.55 20.54
}

@test "results have as many decimals as the longest fraction so far" {
	check -- 1 2.5 3.25 -1 .5 5. +7.1 = 1 3.5 6.75 5.75 6.25 11.25 18.35
}

@test "zeros at a fraction's end count as decimals" {
	check -- 1 1.000 1 0.50 = 1 2.000 3.000 3.500
}

@test "the scale may grow 18 times in a stream" {
	check -- 1 .1 .01 .001 .0001 .00001 .000001 .0000001 .00000001 .000000001 .0000000001 .00000000001 .000000000001 \
		.0000000000001 .00000000000001 .000000000000001 .0000000000000001 .00000000000000001 .000000000000000001 -1 = \
		1 1.1 1.11 1.111 1.1111 1.11111 1.111111 1.1111111 1.11111111 1.111111111 1.1111111111 1.11111111111 \
		1.111111111111 1.1111111111111 1.11111111111111 1.111111111111111 1.1111111111111111 1.11111111111111111 \
		1.111111111111111111 0.111111111111111111
}

@test "negative totals and the zeros between have their decimals" {
	check -- -0.05 0.05 -0 -0.00 0.001 -1 = -0.05 0.00 0.00 0.00 0.001 -0.999
}

@test "a total is no -0" {
	check -- -0 -0.0 0 = 0 0.0 0.0
}

@test "leading zeros and plus signs change nothing" {
	check -- +007.50 "$(repeat 300 0)1" -0001.5 = 7.50 8.50 7.00
}

# --- 128 bits

@test "a result past 64 bits stays exact" {
	check -- 9223372036854775807 1 -9223372036854775808 -9223372036854775808 -1 = \
		9223372036854775807 9223372036854775808 0 -9223372036854775808 -9223372036854775809
}

@test "a token past 64 bits stays exact" {
	check -- 1 9223372036854775808 -9223372036854775809 -9223372036854775808 = \
		1 9223372036854775809 0 -9223372036854775808
	check -- 0.25 99999999999999999999 1 = 0.25 99999999999999999999.25 100000000000000000000.25
	check -- 0.25 99999999999999999999.5 1 = 0.25 99999999999999999999.75 100000000000000000000.75
}

@test "a scale that needs more than 64 bits stays exact" {
	check -- 9223372036854775807 0.5 0.000000000000000001 = \
		9223372036854775807 9223372036854775807.5 9223372036854775807.500000000000000001
}

@test "totals are exact up to the last value of 128 bits" {
	check -- 170141183460469231731687303715884105726 1 -1 "-$GREATEST" "-$GREATEST" -1 = \
		170141183460469231731687303715884105726 "$GREATEST" 170141183460469231731687303715884105726 \
		-1 "$LEAST" -1.7014118346046923e+38
}

@test "a total that comes back from 128 to 64 bits is still exact" {
	check -- 99999999999999999999.99 -99999999999999999999.98 0.005 = \
		99999999999999999999.99 0.01 0.015
}

@test "a number of more than 128 bits at the common scale ends exactness, even if the total would fit" {
	check -- -400000000000000000000 400000000000000000000.000000000000000001 5 = -400000000000000000000 0 0
	check -- -400000000000000000000 0.000000000000000001 5 = -400000000000000000000 -400000000000000000000 -400000000000000000000
	check -- 170 -0.000000000000000001 5 = 170 169.999999999999999999 174.999999999999999999
}

@test "a total that needs 128 bits only at a new scale stays exact" {
	check -- 9000000000000000000 0.5 1 = 9000000000000000000 9000000000000000000.5 9000000000000000001.5
	check -op max -- 9000000000000000000 0.5 = 9000000000000000000 9000000000000000000
}

@test "products are exact up to 128 bits" {
	check -op prod -- 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 -22 23 = \
		1 2 6 24 120 720 5040 40320 362880 3628800 39916800 479001600 6227020800 87178291200 1307674368000 \
		20922789888000 355687428096000 6402373705728000 121645100408832000 2432902008176640000 51090942171709440000 \
		-1124000727777607680000 -25852016738884976640000
}

@test "a number of more than 128 bits ends exactness, even if the product is 0" {
	check -t dec -op prod -- 7 0 "$GREATEST" 5 = 7 0 0 0
	check -t dec -op prod -- 7 0 340282366920938463463374607431768211456 5 = 7 0 !
	check -op prod -- 7 0 "1$(repeat 70 0)" 5 = 7 0 0 0
}

# --- The restart in f64

@test "a token with an exponent is as exact as its value" {
	check -- 0.1 0.1 0.1 0e0 1E-1 = 0.1 0.2 0.3 0.3 0.4
	check -- 1e-3 2.5e6 1.50e1 = 0.001 2500000.001 2500015.001
	check -- 1.50e1 25e-1 +1E+2 = 15.0 17.5 117.5
	check -t dec -- 1000e-20 0.1000000000000000000e-1 0e-400 0e400 = \
		0.000000000000000010 0.010000000000000010 0.010000000000000010 0.010000000000000010
	check -t dec -- 17e37 141183460469231731687303715884105727e0 1 = 170000000000000000000000000000000000000 \
		170141183460469231731687303715884105727 !
	check -t dec -op prod -- 2e3 -3e0 0.5e1 0.5 = 2000 -6000 -30000 !
	check -t dec -op xor -- 1e1 25e-1 = 10 !
	check -t dec -op xor -- 1e1 25e0 = 10 19
}

@test "past 128 bits or 18 digits a token with an exponent ends exactness" {
	check -- 0.5 2e38 = 0.5 2e+38
	check -- 0.5 15e-19 0.5 = 0.5 0.5 1
	check -t dec -- 0.5 18e37 = 0.5 !
	check -t dec -- 0.5 1e-19 = 0.5 !
	check -t dec -- 0.5 1e99999999999999999999 = 0.5 !
}

@test "what ends exactness does so after a total that was exact" {
	check -- 0.1 0.1 0.1 1e-19 1E-1 = 0.1 0.2 0.3 0.3 0.4
}

@test "the exact total goes into f64 with one rounding" {
	check -- 9007199254740993 0.000000000000000001 1e-19 = \
		9007199254740993 9007199254740993.000000000000000001 9007199254740994
}

@test "infinities end exactness, and a NaN is a missing number" {
	check -- 1.5 inf 1 -Infinity 1 = 1.5 inf inf nan nan
	check -- 1.5 NAN 1 -nan = 1.5 NAN 2.5 -nan
	check -- -inf 0.1 = -inf -inf
}

@test "more than 18 digits behind the point end exactness" {
	check -- 1 0.0000000000000000001 0.1 = 1 1 1.1
	check -- 0.10 1.0000000000000000001 = 0.10 1.1
	check -- 0.10 1.0000000000000000000 = 0.10 1.100000000000000000
}

@test "a result past 128 bits ends exactness at that element" {
	check -- "$GREATEST" 1 1 = "$GREATEST" 1.7014118346046923e+38 1.7014118346046923e+38
	check -- "$LEAST" -1 = "$LEAST" -1.7014118346046923e+38
	check -- 1 999999999999999999999999999999999999999 = 1 1e+39
}

@test "a scale at which the total needs more than 128 bits ends exactness" {
	check -- 200000000000000000000000000000000000000 = 2e+38
	check -- 20000000000000000000000000000000000000 0.1 = 20000000000000000000000000000000000000 2e+37
	check -- 10000000000000000000000000000000000000 0.1 0.01 = \
		10000000000000000000000000000000000000 10000000000000000000000000000000000000.1 1e+37
}

@test "a product past 128 bits ends exactness" {
	check -op prod -- 18446744073709551616 9223372036854775807 2 = \
		18446744073709551616 170141183460469231713240559642174554112 3.402823669209385e+38
}

@test "a product's first fraction ends exactness" {
	check -op prod -- 3 5 0.5 2 = 3 15 7.5 15
}

@test "a first token that is a float begins in f64" {
	check -- 1001e-21 0.1 = 1.001e-18 0.1
	check -op max -- -1e-19 -0.5 = -1e-19 -1e-19
	check -- -0e0 = 0
	check -- 0.0000000000000000001 = 1e-19
}

@test "behind the end of exactness the grid of f64 begins anew" {
	local tokens=() i
	for ((i = 0; i < 70; i++)); do tokens+=("0.$((i * 7919 % 9973))"); done
	check -- 0.5 1e-19 "${tokens[@]}"
	check -op prod -- 5 1.5 "${tokens[@]/#0/1}"
}

@test "a finite literal that rounds to infinity is an error, at the end of exactness and behind it" {
	check -- 1 1e400 2 = 1 !
	check -- 1 1e39 -2e308 2 = 1 1e+39 !
	check -- 1 "$(repeat 400 9)" 2 = 1 !
	local type
	for type in num dec f64; do
		run_pscan -t $type < <(echo 1e400)
		assert_equal "$code $err" '1 pscan: standard input: line 1: too large for a float: "1e400" (beyond 1.8e308)'
	done
}

@test "-v says at which element exact decimals end, and nothing says it otherwise" {
	printf '1 2.5\n1e-19 1\n' >"$TMP/in"
	run_pscan -v -D none "$TMP/in"
	assert_equal "$code" 0
	assert_contains "$err" "element 3"
	assert_contains "$err" "f64"
	run_pscan -D none "$TMP/in"
	assert_equal "$err" ""
}

# says_end INPUT TEXT OPTION...: with -v one line is about exact decimals, "pscan: TEXT; the scan goes on in f64".
says_end() {
	local input=$1 text=$2 chunk
	shift 2
	for chunk in 16 4K; do
		# shellcheck disable=SC2059
		run_pscan -v -D none --chunk-size=$chunk "$@" < <(printf "$input")
		assert_equal "$* $code $(grep 'exact decimals' "$TMP/err")" "$* 0 pscan: $text; the scan goes on in f64"
	done
}

@test "-v names the file, the field and the operator whose exact decimals end, and counts records of several fields" {
	local i='standard input: exact decimals'
	says_end '1 2\n3 4\n5 1e-19\n6 7\n' "$i end at record 3, field 2" -f 1,2
	says_end '1 2\n3 4\n1e-19 5\n6 7\n' "$i end at record 3, field 1" -f 2,1
	says_end '1 2\n3 4\n5 1e-19\n6 7\n' "$i end at element 3" -f 2
	says_end '1\n-\n1e-19\n' "$i end at element 2" -f 1 --missing=skip
	says_end '1\n-\n1e-19\n' "$i end at element 3" -f 1 --missing=keep
	says_end '{"a":1,"b":2}\n{"a":1,"b":1e-19}\n' "$i end at record 2, field \"b\"" --json -f a,b
	# (2^127 - 1, the greatest mantissa, twice.)
	says_end '170141183460469231731687303715884105727 170141183460469231731687303715884105727\n' "$i of sum end at element 2" -op sum,max
	seq 2000 >"$TMP/first"
	(seq 500 && echo 1e-19 && seq 600) >"$TMP/second"
	cd "$TMP" || return 1
	says_end '' 'second: exact decimals end at element 501' first second
	says_end '' 'second: exact decimals end at element 501' -f 1 first second
	(echo 1 && echo 1e-19) >later
	says_end '' 'later: exact decimals end at element 2' first later
	"$PSCAN" --state=state first >rest
	echo 1e-19 >>first
	run_pscan -v -D none --state=state first
	assert_contains "$err" 'pscan: first: exact decimals end at element 1 of this run; the scan goes on in f64'
}

# --- -t dec

@test "-t dec gives the same results while they are exact" {
	check -t dec -- 1 2.5 9223372036854775807 -0.125 = 1 3.5 9223372036854775810.5 9223372036854775810.375
}

@test "-t dec makes an error of what cannot be exact" {
	check -t dec -- 1 2.5 1e39 4 = 1 3.5 !
	check -t dec -- 1 2.5 inf = 1 3.5 !
	check -t dec -- 1 2.5 nan = 1 3.5 nan
	check -t dec -- 1 2.5 0.0000000000000000001 = 1 3.5 !
}

@test "-t dec makes an error of a result past 128 bits" {
	check -t dec -- "$GREATEST" 1 1 = "$GREATEST" !
	check -t dec -- 20000000000000000000000000000000000000 0.1 = 20000000000000000000000000000000000000 !
}

@test "-t dec makes an error of a product's first fraction" {
	check -t dec -op prod -- 3 5 0.5 2 = 3 15 !
}

@test "-t dec takes max and min of any fractions" {
	check -t dec -op max -- 1.5 -3 2.25 = 1.5 1.5 2.25
}

@test "the error of -t dec names the line and quotes the token" {
	printf '1\n2.5\n1e39\n4\n' >"$TMP/in"
	run_pscan -D none -t dec "$TMP/in"
	assert_equal "$code" 1
	assert_equal "$out" $'1\n3.5'
	assert_contains "$err" "$TMP/in: line 3"
	assert_contains "$err" '"1e39"'
	assert_contains "$err" "-t"
}

@test "-t dec --total gives no total of a part" {
	check -t dec --total -- 1 2.5 1e39 = !
}

# --- The seed

@test "a seed is an exact decimal" {
	check --seed=0.50 -- 0.25 1 = 0.75 1.75
	check --seed=-0.1 -- 0.1 0.2 = 0.0 0.2
	check -t dec --seed=1e3 -- 0.5 0.25 = 1000.5 1000.75
	check -t dec --seed=1.250e1 -- 1 = 13.50
}

@test "the decimals of the seed count" {
	check --seed=0.50 -- 1 2 = 1.50 3.50
}

@test "a seed may have 128 bits, or push the total past them" {
	check --seed=9223372036854775808 -- 1 = 9223372036854775809
	check "--seed=$GREATEST" -- -1 2 = 170141183460469231731687303715884105726 1.7014118346046923e+38
}

@test "a seed that is a float begins in f64" {
	check --seed=1e20 -- 0.5 1e-19 = 100000000000000000000.5 100000000000000000000
	check --seed=1e-19 -- 0.5 0.25 = 0.5 0.75
	check --seed=0.0000000000000000001 -- 0 1 = 1e-19 1
	check --seed=inf -- 1 = inf
}

@test "a product's seed with a fraction begins in f64" {
	check -op prod --seed=0.5 -- 3 4 = 1.5 6
	check -op prod --seed=-3 -- 3 4 = -9 -36
}

@test "max, min and the bit operators take a seed" {
	check -op max --seed=1.50 -- 1 2 1.125 = 1.50 2 2
	check -op min --seed=-1e-1 -- 1 -2 = -0.1 -2
	check -op xor --seed=6 -- 3 -1 = 5 -6
}

@test "a seed that cannot be taken is a usage error" {
	local options
	for options in --seed=x --seed= --seed=1e400 "-t dec --seed=1e-19" "-t dec --seed=nan" "-op and --seed=0.5" \
		"-op or --seed=inf"; do
		# shellcheck disable=SC2086 # words
		run_pscan -D none $options </dev/null
		assert_equal "$options: $code" "$options: 2"
		assert_contains "$err" "--seed"
	done
}

# --- Which results are written

@test "-e gives the seed or identity, then each result one place later with its own decimals" {
	check -e -- 1 2.5 3.25 4 = 0 1 3.5 6.75
	check -e --seed=0.50 -- 1 2.125 3 = 0.50 1.50 3.625
}

@test "-e goes over the end of exactness" {
	check -e -- 0.1 0.2 1e-19 10 2 3 = 0 0.1 0.3 0.3 10.3 12.3
	check -e -op prod -- 3 5 0.5 2 = 1 3 15 7.5
}

@test "--include-initial gives the seed or identity, then all results" {
	check --include-initial -- 1 0.5 1e-19 10 = 0 1 1.5 1.5 11.5
	check --include-initial --seed=-0.25 -- 1 = -0.25 0.75
}

@test "--total gives the last result with its decimals" {
	check --total -- 0.10 0.20 0.70 = 1.00
	check --total -- 0.10 1e-19 1 = 1.1
	check --total --seed=0.5 -- 1 = 1.5
}

@test "without numbers --total and --include-initial give the seed or identity" {
	check --total -- = 0
	check --total --seed=0.50 -- = 0.50
	check --include-initial -op prod -- = 1
	check -e -- =
}

@test "the identities are 0, 1, -inf, inf, -1, 0 and 0" {
	check -e -op sum -- 5 = 0
	check -e -op prod -- 5 = 1
	check -e -op max -- 5 0.5 = -inf 5
	check -e -op min -- 5 7 = inf 5
	check -e -op and -- 5 = -1
	check -e -op or -- 5 = 0
	check -e -op xor -- 5 = 0
}

# --- max and min

@test "max and min of decimals" {
	check -op max -- 0.5 2 1.25 -3 2.0001 = 0.5 2 2 2 2.0001
	check -op min -- 0.5 2 0.25 -3 -3.1 = 0.5 0.5 0.25 -3 -3.1
	# Of equal ones the earliest.
	check -op max -- 2.50 2.5 2.500 3 3.0 = 2.50 2.50 2.50 3 3
	check -op min --seed=1.0 -- 1 1.00 0.9 0.90 = 1.0 1.0 0.9 0.9
	check -op max -e --seed=1.0 -- 1 1.25 1.2 2 = 1.0 1.0 1.25 1.25
	check -op max -- 99999999999999999999.0 5 99999999999999999999.5 99999999999999999999.50 = \
		99999999999999999999.0 99999999999999999999.0 99999999999999999999.5 99999999999999999999.5
}

@test "max and min go on in f64 at a number of more than 128 bits, even if it is not the result" {
	check -op max -- 5.5 "-$(repeat 60 9)" 7 "-$(repeat 200 9).5" 6.25 = 5.5 5.5 7 7 7
	check -op min -- -5.5 "$(repeat 60 9)" -7 "$LEAST" = -5.5 -5.5 -7 -1.7014118346046923e+38
	check -op min -- 5 "$GREATEST" -6 = 5 5 -6
}

@test "max and min go on in f64 when the result has more than 128 bits" {
	check -op max -- 5.5 "1$(repeat 60 0)" 7 = 5.5 1e+60 1e+60
	check -op min -- 5.5 "-1$(repeat 60 0)" 7 = 5.5 -1e+60 -1e+60
}

@test "max and min take infinities as f64 does" {
	check -op max -- 5 -inf 7 inf 8 = 5 5 7 inf inf
	check -op min -- 5 inf 0.5 nan 7 = 5 5 0.5 nan 0.5
}

# --- Bit operators

@test "and, or and xor of integers" {
	check -op and -- 12 10 7 = 12 8 0
	check -op or -- 1 4 -8 = 1 5 -3
	check -op xor -- 5 3 -1 0 = 5 6 -7 -7
}

@test "and, or and xor of 128 bits" {
	check -op or -- 1 18446744073709551616 "$LEAST" = 1 18446744073709551617 -170141183460469231713240559642174554111
	check -op and -- -1 "$GREATEST" 18446744073709551615 = -1 "$GREATEST" 18446744073709551615
	check -op xor -- 9223372036854775808 9223372036854775808 "$GREATEST" = 9223372036854775808 0 "$GREATEST"
}

@test "and, or and xor make an error of what is no integer" {
	check -op xor -- 5 3 1.5 1 = 5 6 !
	check -op and -- 5 inf = 5 !
	check -op or -- 5 nan 2 = 5 nan 7
	check -op or -- 0.5 = !
}

@test "or and xor make an error of an integer past 128 bits" {
	check -op or -- 5 170141183460469231731687303715884105728 = 5 !
	check -op xor -- 5 "$(repeat 60 9)" = 5 !
}

@test "the error of a bit operator names the line and quotes the token" {
	printf '5\n3\n1.5\n' >"$TMP/in"
	run_pscan -D none -op xor "$TMP/in"
	assert_equal "$code" 1
	assert_equal "$out" $'5\n6'
	assert_contains "$err" "line 3"
	assert_contains "$err" '"1.5"'
}

# --- Around changes

@test "marks keep their places around changes" {
	check -- NA 1 NA 0.50 - null 1e-19 N/A 2 - = NA 1 NA 1.50 - null 1.5 N/A 3.5 -
	check -e -- NA 1 NA 0.50 - 1e-19 NA 2 = NA 0 NA 1 - 1.50 NA 1.5
}

@test "a number for missing fields may change the scale" {
	printf '1\nNA\n2\n' >"$TMP/in"
	run_pscan -D none --missing=0.125 "$TMP/in"
	assert_equal "$out" $'1\n1.125\n3.125'
}

@test "tokens that are no numbers are passed over around changes" {
	printf '1 x 0.50\ny 1e-19 z\n2 w\n' >"$TMP/in"
	run_pscan -D none --invalid=ignore "$TMP/in"
	assert_equal "$code:$out:$err" $'0:1\n1.50\n1.5\n3.5:'
}

@test "warnings around changes name their lines" {
	printf '1 x 0.50\ny 1e-19 z\n2 w\n' >"$TMP/in"
	run_pscan -D none --invalid=warn "$TMP/in"
	assert_equal "$code:$out" $'0:1\n1.50\n1.5\n3.5'
	assert_equal "$(sed 's/.*line \(.*\): not a number: \(.*\)/\1 \2/' "$TMP/err")" $'1 "x"\n2 "y"\n2 "z"\n3 "w"'
}

@test "marks before the end come out once" {
	printf '1 NA 2.5 - 1e39 NA\n' >"$TMP/in"
	run_pscan -D none -t dec --missing=keep "$TMP/in"
	assert_equal "$code:$out" $'1:1\nNA\n3.5\n-'
}

@test "the line of a bad token is right behind changes" {
	need_opencl
	{
		seq 1 3000
		printf '0.5\n\n1 0.25 9223372036854775807\n1e-19\n'
		seq 1 3000
		echo x
	} >"$TMP/in"
	local device
	for device in none cpu; do
		run_pscan -D "$device" --chunk-size=32K "$TMP/in"
		assert_equal "$code" 1
		assert_contains "$err" "line 6005: not a number"
		assert_equal "$(wc -l <"$TMP/out")" 6005
	done
}

@test "several files are one stream of decimals" {
	echo 0.25 >"$TMP/a"
	printf '1' >"$TMP/b"
	printf '0.1250\n1e-19\n' >"$TMP/c"
	run_pscan -D none "$TMP/a" "$TMP/b" "$TMP/c"
	assert_equal "$code:$out" $'0:0.25\n1.25\n1.3750\n1.375'
}

@test "-F %d refuses a fraction wherever it is, and however alike the numbers are" {
	local numbers options
	for numbers in '-3.50\n' '1.5\n2.5\n3.5\n' '1.0\n2.0\n' '4\n5\n0.25\n' '1e-1\n' '1e300\n'; do
		for options in '' '-e' '-op max' '-op prod' '--window=2' '--total' '--reset-every=2' '--chunk-size=16' '--missing=skip'; do
			# shellcheck disable=SC2059,SC2086
			run_pscan -D none -F %d $options < <(printf -- "$numbers")
			assert_equal "$options:$code" "$options:1"
			[[ $err == *': not an integer, which -F %d needs: "'* ]]
			# shellcheck disable=SC2059,SC2086
			run_pscan -D none -F %d $options -f 2 -g 1 < <(printf -- "a $numbers" | sed '2,$s/^/a /')
			assert_equal "$options:$code" "$options:1"
			[[ $err == *': not an integer, which -F %d needs: "'* ]]
		done
	done
	run_pscan -D none -F %d < <(printf '1e3\n15\n')
	assert_equal "$code:$out" $'0:1000\n1015'
}

@test "a change in one chunk leaves the chunks behind it right" {
	need_opencl
	# Several chunks are under way when the one with the fraction is met.
	seq 1 72000 | sed '20000s/$/.5/; 20001s/$/.25/; 48000s/$/e-20/' >"$TMP/in"
	"$PYTHON" "$TOOLS/decimal_oracle.py" scan <"$TMP/in" >"$TMP/want"
	local shape
	for shape in cpu gpu; do
		PSCAN_SHAPE=$shape "$PSCAN" -D cpu --chunk-size=512K "$TMP/in" >"$TMP/got"
		cmp "$TMP/got" "$TMP/want"
	done
}

@test "the greatest number is written as it was where later chunks have other decimals" {
	{ printf '1.5\n2\n' && yes 1.5 | head -4000; } >"$TMP/in"
	{ printf '1.5\n' && yes 2 | head -4001; } >"$TMP/want"
	"$PSCAN" -D none -op max --chunk-size=4096 "$TMP/in" >"$TMP/got"
	cmp "$TMP/got" "$TMP/want"
}

@test "changes all along the stream leave the chunks behind them right, on any threads" {
	# The scale grows 18 times, each time with more chunks under way.
	seq 1 120000 | awk 'NR % 6000 == 3000 && NR < 111000 { digits++; $0 = $0 "." sprintf("%0*d", digits, 7) } 1' >"$TMP/in"
	"$PYTHON" -c '
import sys
total, scale = 0, 0
for line in open(sys.argv[1]):
    integer, _, fraction = line.strip().partition(".")
    if len(fraction) > scale:
        total *= 10 ** (len(fraction) - scale)
        scale = len(fraction)
    total += int(integer + fraction) * 10 ** (scale - len(fraction))
    digits = str(total).rjust(scale + 1, "0")
    print(digits[:len(digits) - scale] + ("." + digits[len(digits) - scale:] if scale else ""))' "$TMP/in" >"$TMP/want"
	# Chunks of text without a whole tile of numbers, and with several.
	local threads chunk
	for threads in 1 3 4 8; do
		for chunk in 32K 2M; do
			"$PSCAN" -D none -T "$threads" --chunk-size="$chunk" "$TMP/in" >"$TMP/got"
			cmp "$TMP/got" "$TMP/want"
		done
	done
}

@test "the first result of text that becomes bytes has their order too" {
	for options in '' '--chunk-size=32K'; do
		# shellcheck disable=SC2086
		seq 300 | "$PSCAN" -D none -t i32be --output-format=binary --include-initial $options >"$TMP/bytes"
		seq 0 300 | awk '{ s += $1; printf "%08x", s }' >"$TMP/want"
		assert_equal "$(od -An -v -tx1 "$TMP/bytes" | tr -d ' \n')" "$(cat "$TMP/want")"
	done
}

@test "results come as text only: --output-format=binary needs a type" {
	run_pscan -D none --output-format=binary <<<"1 2"
	assert_equal "$code" 2
	assert_contains "$err" "-t"
}

@test "random streams of all of this are right on every engine" {
	need_opencl
	"$PYTHON" "$TOOLS/decimal_oracle.py" random 12 "${DECIMAL_STREAMS:-2}"
}

# bats test_tags=long
@test "more random streams are right on every engine" {
	need_opencl
	"$PYTHON" "$TOOLS/decimal_oracle.py" random 13 8
}
