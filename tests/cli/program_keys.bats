#!/usr/bin/env bats
# shellcheck disable=SC2154 # code, out and err are set by run_pscan
# Keys and resets with operators of users, for which the host has no code.

load helper

setup() {
	cd "$TMP" || return
	printf '%s\n' 'a 1' 'b 2.5' 'a 3' 'b 1' 'c 7' 'a 0.25' >table
}

@test "operators of users: a device takes each key's and each segment's elements in" {
	run_pscan -D cpu -g 1 -f 2 -a -op 'a + b' table
	assert_equal "$code $(cat out)" $'0 a 1 1\nb 2.5 2.5\na 3 4\nb 1 3.5\nc 7 7\na 0.25 4.25'
	run_pscan -D cpu -g 1 -f 2 --total -op "@$ROOT/samples/mean_deviation.cl,sum" -F %.4f table
	assert_equal "$code $(cat out)" $'0 a 1.4167 1.4216 4.2500\nb 1.7500 1.0607 3.5000\nc 7.0000 nan 7.0000'
	run_pscan -D cpu --reset-every=2 --total -op 'a + b' < <(printf '%s\n' 60 70 80 90 7)
	assert_equal "$code $(paste -sd ' ' out)" '0 130 170 7'
	run_pscan -D cpu --reset-at=0 -e --seed=100 -op 'a + b' < <(printf '%s\n' 1 2 0 5 0)
	assert_equal "$code $(paste -sd ' ' out)" '0 100 101 100 100 100'
	"$PYTHON" -c 'import array, sys; array.array("d", range(12)).tofile(sys.stdout.buffer)' >pairs
	run_pscan -D cpu --format=binary --output-format=text --reset-every=3 -op "@$ROOT/samples/recurrence.cl" pairs
	assert_equal "$code $(paste -sd ' ' out)" '0 1 5 25 7 65 661'
	# What is held has the result before, or that the next element would get; it is one of the segment's records.
	printf '%s\n' 'a 1' 'b -' 'a -' 'b 2.5' 'a 3' 'b 1' 'a -' 'c -' 'b -' 'a 0.25' 'c 7' >held
	run_pscan -D cpu -g 1 -f 2 --missing=hold -op 'a + b' held
	assert_equal "$code $(paste -sd ' ' out)" '0 a 1 b - a 1 b 2.5 a 4 b 3.5 a 4 c - b 3.5 a 4.25 c 7'
	run_pscan -D cpu -g 1 -f 2 --missing=hold -e --seed=100 -op 'a + b' held
	assert_equal "$code $(paste -sd ' ' out)" '0 a 100 b 100 a 101 b 100 a 101 b 102.5 a 104 c 100 b 103.5 a 104 c 100'
	run_pscan -D cpu -g 1 -f 2 --missing=hold --reset-every=2 -op 'a + b' held
	assert_equal "$code $(paste -sd ' ' out)" '0 a 1 b - a 1 b 2.5 a 3 b 1 a 3 c - b 1 a 0.25 c 7'
	run_pscan -D cpu -g 1 -f 2 --missing=hold -t f64:i32 -op 'a + b' < <(printf '%s\n' 'x 1' 'y -' 'x -' 'x 3e9')
	assert_equal "$code $(paste -sd ' ' out) $err" \
		'1 x 1 y - x 1 pscan: standard input: line 4, field 2: key "x": 3000000000 does not fit i32 (see -t)'
	# What converts to no element ends them all there.
	run_pscan -D cpu -t f64:i32 -g 1 -f 2 -op 'a + b' < <(printf '%s\n' 'x 1' 'y 2' 'x 3e9' 'y 5')
	assert_equal "$code $(paste -sd ' ' out) $err" \
		'1 x 1 y 2 pscan: standard input: line 3, field 2: key "x": 3000000000 does not fit i32 (see -t)'
}

@test "what is held after all of a segment's elements is what the next one begins with, as of the program's own" {
	printf '%s\n' 5 NA 3 4 NA NA 1 NA 2 NA 7 NA >held
	"$PSCAN" -t i64 --show-operator=sum >sum.cl
	local way place every
	for way in hold keep; do
		for place in -i -e '-e --seed=100'; do
			for every in 1 3 100; do
				# shellcheck disable=SC2086 # options
				run_pscan -D none -t i64 -op sum --overflow=wrap --missing=$way $place --reset-every=$every held
				own="$code $out"
				# shellcheck disable=SC2086 # options
				run_pscan -D cpu -op @sum.cl --overflow=wrap --missing=$way $place --reset-every=$every held
				assert_equal "$way $place $every: $code $out" "$way $place $every: $own"
			done
		done
	done
	run_pscan -D cpu -op @sum.cl --overflow=wrap --missing=hold -e --reset-every=3 held
	assert_equal "$code $(paste -sd ' ' out)" '0 0 5 5 0 4 4 0 1 1 0 0 7'
}

# each_key_alone CASES SEED OTHER: CASES random cases of SEED in the CPU shape, and of OTHER in the GPU shape.
each_key_alone() {
	assert_equal "$(PSCAN_SHAPE=cpu "$PYTHON" "$TOOLS/keys_cases.py" "$2" "$1" cpu)" "$1 cases, 0 wrong"
	assert_equal "$(PSCAN_SHAPE=gpu "$PYTHON" "$TOOLS/keys_cases.py" "$3" "$1" cpu)" "$1 cases, 0 wrong"
}

@test "what a key's records alone would give, by operators of users in both shapes" {
	# Keys and segments of two fields, exclusive; keys and segments of one, with missing values that are held: by
	# one program.
	each_key_alone 1 2255 2216
}

# bats test_tags=long
@test "the same in more cases" {
	each_key_alone 12 2026 2027
}

# bats test_tags=long
@test "lag and delta around which there is an expression: no result for the first element of a key or a segment" {
	printf 'a,5\na,7\nb,9\nb,4\n' >in
	local option
	for option in '-g 1' --reset-on=1; do
		# shellcheck disable=SC2086 # two words
		run_pscan -D cpu -d , -f 2 -a -t i64 -op lag --emit=s $option in
		assert_equal "$option: $code $(paste -sd ' ' out)" "$option: 0 a,5, a,7,5 b,9, b,4,9"
		# shellcheck disable=SC2086 # two words
		run_pscan -D cpu -d , -f 2 -a -t i64 -op delta --map='x*2' $option in
		assert_equal "$option: $code $(paste -sd ' ' out)" "$option: 0 a,5, a,7,4 b,9, b,4,-10"
		# shellcheck disable=SC2086 # two words
		run_pscan -D cpu -d , -f 2 --total -t i64 -op delta --map='x*2' $option in
		assert_equal "$option: $code $(paste -sd ' ' out)" "$option: 0 a,4 b,-10"
	done
	run_pscan -D cpu -d , -f 2 --total -t i64 -op delta --map='x*2' --reset-every=3 in
	assert_equal "$code $(paste -sd ' ' out)" '0 4 -'
	# A segment of one element has no total either, whatever follows it.
	printf 'a,5\nb,9\nb,4\nc,1\nd,2\nd,3\n' >alone
	run_pscan -D cpu -d , -f 2 --total -t i64 -op delta --map='x*2' --reset-on=1 alone
	assert_equal "$code $(paste -sd ' ' out)" '0 a, b,-10 c, d,2'
	run_pscan -D cpu -d , -f 2 --total -t i64 -op lag --emit=s --reset-every=1 alone
	assert_equal "$code $(paste -sd ' ' out)" '0 - - - - - -'
	run_pscan -D cpu -d , -f 2 -t i64 -op lag --emit=s --seed=3 -g 1 -a in
	assert_equal "$code $(paste -sd ' ' out)" '0 a,5,3 a,7,5 b,9,3 b,4,9'
	# In chunks of one record, and with numbers that take no part.
	run_pscan -D cpu --chunk-size=1 -d , -f 2 -t i64 -op lag --emit=s -g 1 -a --missing=hold < <(printf 'a,\na,5\nb,9\na,\na,7\nb,4\n')
	assert_equal "$code $(paste -sd ' ' out)" '0 a,, a,5, b,9, a,, a,7,5 b,4,9'
	"$PYTHON" -c 'import array, sys; array.array("d", [5, 7, 9, 4]).tofile(sys.stdout.buffer)' >f8
	run_pscan -D cpu --format=binary --output-format=text -t f64 -op lag --emit=s --reset-every=2 f8
	assert_equal "$code $(paste -sd ' ' out)" '0 5 9'
	run_pscan -D cpu --format=binary -t f64 -op lag --emit=s --reset-every=2 f8
	assert_equal "$code $(od -An -tf8 out | xargs)" '0 nan 5 nan 9'
}

# bats test_tags=long
@test "around lag and delta one expression alone, and floats as text" {
	printf 'a,5\na,7\nb,9\nb,4\n' >in
	run_pscan -D cpu -d , -f 2 -a -t f64 -op lag --emit=s -g 1 in
	assert_equal "$code $(paste -sd ' ' out)" '0 a,5, a,7,5 b,9, b,4,9'
	run_pscan -D cpu -d , -f 2 -a -t i64 -op delta --emit='s*2' -g 1 in
	assert_equal "$code $(paste -sd ' ' out)" '0 a,5, a,7,4 b,9, b,4,-10'
	run_pscan -D cpu -d , -f 2 --total -t i64 -op delta --map='x+1' --reset-every=3 in
	assert_equal "$code $(paste -sd ' ' out)" '0 2 -'
}

@test "--check-associative tries the elements of each key and segment, in whatever chunks they come" {
	printf '%s\n' 'a 1' 'b 3' 'a 2' 'b 3' 'c 9' 'a 5' 'b 3' >in
	local chunk option
	for chunk in 1 64K; do
		run_pscan -D cpu --chunk-size=$chunk -f 2 -t f64 -op 'a - b' --check-associative -g 1 in
		assert_equal "$code $(paste -sd ' ' out)" '1 a 1 b 3 a -1 b 0 c 9'
		assert_equal "$err" 'pscan: in: line 6, field 2: key "a": expr is not associative: with the two before it, (a b) c is -6, but a (b c) is 4'
		run_pscan -D cpu --chunk-size=$chunk -f 2 -t f64 -op 'a - b' --check-associative --reset-every=3 in
		assert_equal "$code $(paste -sd ' ' out)" '1 1 -2'
		assert_contains "$err" 'line 3, field 2: expr is not associative'
		for option in '-g 1' --reset-on=1 --reset-every=2; do
			# shellcheck disable=SC2086 # two words
			run_pscan -D cpu --chunk-size=$chunk -f 2 -t f64 -op 'a + b' --check-associative $option in
			assert_equal "$option: $code $err" "$option: 0 "
		done
		# No segment has three.
		run_pscan -D cpu --chunk-size=$chunk -f 2 -t f64 -op 'a - b' --check-associative --reset-on=1 in
		assert_equal "$code $err" '0 '
	done
}
