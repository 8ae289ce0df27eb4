#!/usr/bin/env bats
# shellcheck disable=SC2154 # code, out and err are set by run_pscan
# --reverse: the scan runs from the last record to the first.

load helper

setup() {
	cd "$TMP" || return
	export PSCAN_DEVICE=none
	mkdir temporary
	export TMPDIR=$TMP/temporary
}

@test "results stand in the order of the input, those of tokens, fields and columns" {
	run_pscan -r < <(printf '%s\n' 1 2 3 4)
	assert_scanned '10 9 7 4'
	run_pscan --reverse < <(printf '1 2\n\n3 4')
	assert_scanned '10 9 7 4'
	run_pscan -er < <(printf '%s\n' 1 2 3 4)
	assert_scanned '9 7 4 0'
	run_pscan -r -f 2,1 -op sum,max < <(printf '1 10\r\n5 20\r\n2 30\r\n')
	assert_scanned '60 30 8 5 50 30 7 5 30 30 2 2'
	run_pscan -r --include-initial --seed=100 < <(printf '%s\n' 1 2)
	assert_scanned '103 102 100'
	run_pscan -r -op delta < <(printf '%s\n' 1 4 9)
	assert_scanned '-3 -5'
	run_pscan -r --total < <(printf '%s\n' 1 2 3)
	assert_scanned '6'
	run_pscan -r </dev/null
	assert_scanned ''
}

@test "headers, comments and blank lines stay where they are, in every file" {
	printf '%s\n' '# first' day,amount 1,10 '# middle' '' 2,20 >one
	printf '%s\n' day,amount 3,30 4,40 '# last' >two
	run_pscan -r --csv -f amount -a --comment='#' one two
	assert_equal "$code $err" '0 '
	printf '%s\n' '# first' day,amount,amount_sum 1,10,100 '# middle' '' 2,20,90 3,30,70 4,40,40 '# last' >want
	cmp out want
	run_pscan -r --csv -f amount --replace --comment='#' one two
	printf '%s\n' '# first' day,amount 1,100 '# middle' '' 2,90 3,70 4,40 '# last' >want
	assert_equal "$code $err" '0 '
	cmp out want
	run_pscan -r -H -f 2 < <(printf '%s\n' 'a b' '1 2' 'a b' '3 4')
	assert_scanned 'b_sum 6 4'
}

@test "keys, segments and windows begin at the end" {
	printf '%s\n' a,1,1 b,2,1 a,3,2 b,4,2 a,5,2 >in
	run_pscan -r --csv --no-header -f 2 -g 1 -a in
	assert_scanned 'a,1,1,9 b,2,1,6 a,3,2,8 b,4,2,4 a,5,2,5'
	run_pscan -r --csv --no-header -f 2 -g 1 --total in
	assert_scanned 'b,6 a,9'
	run_pscan -r --csv --no-header -f 2 --reset-on=3 in
	assert_scanned '3 2 12 9 5'
	run_pscan -r --csv --no-header -f 2 --reset-on=3 --total in
	assert_scanned '1,3 2,12'
	run_pscan -r --reset-every=2 < <(printf '%s\n' 1 2 3 4 5)
	assert_scanned '1 5 3 9 5'
	run_pscan -r --reset-at=0 < <(printf '%s\n' 1 0 2 0 3)
	assert_scanned '1 0 2 0 3'
	run_pscan -r --window=2 -op max < <(printf '%s\n' 1 7 2 3)
	assert_scanned '7 7 3 3'
	run_pscan -r --reset-gap=1:5 -f 2 < <(printf '%s\n' '1 1' '2 1' '9 1' '10 1')
	assert_scanned '2 1 2 1'
}

@test "missing numbers: a result is held from below" {
	run_pscan -r --missing=hold < <(printf '%s\n' - 1 - 3 -)
	assert_scanned '4 4 3 3 -'
	run_pscan -r --missing=keep < <(printf '%s\n' 1 - 3)
	assert_scanned '4 - 3'
	run_pscan -r --missing=skip -f 1,2 < <(printf '%s\n' '1 -' '- 2' '3 4')
	assert_scanned '4 - - 6 3 4'
	run_pscan -r --missing=hold --fill-limit=1 < <(printf '%s\n' - - 3)
	assert_scanned '- 3 3'
}

@test "quoted newlines, JSON, logfmt and logs" {
	printf 'n,v\n"a\nb",1\n"c ""d\n,",2\ne,3\n' >in.csv
	for size in 64 65536; do
		run_pscan -r --csv -f v -a --chunk-size=$size in.csv
		assert_equal "$code $err" '0 '
		printf 'n,v,v_sum\n"a\nb",1,6\n"c ""d\n,",2,5\ne,3,3\n' | cmp - out
	done
	run_pscan -r --json -f a -a < <(printf '%s\n' '{"a":1}' '{"a":2}')
	assert_scanned '{"a":1,"a_sum":3} {"a":2,"a_sum":2}'
	run_pscan -r --logfmt -f a -a < <(printf '%s\n' a=1 a=2)
	assert_scanned 'a=1 a_sum=3 a=2 a_sum=2'
	run_pscan -r --log -f bytes < <(printf '1.1.1.1 - - [01/Jan/2024:00:00:00 +0000] "GET /" 200 %d\n' 1 2)
	assert_scanned '3 2'
}

@test "an error ends with 1 before any result; lines count from the beginning" {
	run_pscan -r < <(printf '%s\n' 1 x 3 y 5)
	assert_equal "$code $out $err" '1  pscan: standard input: line 4: not a number: "y" (see --invalid)'
	run_pscan -r --invalid=fail < <(printf '%s\n' 1 x 3 y 5)
	assert_equal "$code ${out//$'\n'/ } $err" \
		$'1 9 8 5 pscan: warning: standard input: line 4: not a number: "y"\npscan: warning: standard input: line 2: not a number: "x"'
	run_pscan -r -t u8 < <(printf '%s\n' 200 1 100 100 2)
	assert_equal "$code $out $err" '1  pscan: standard input: line 1: the sum does not fit u8 (see -t u8:i64, --overflow=wrap)'
}

@test "what --reverse does not go with is refused" {
	local other
	for other in --state=s --plot=p.svg; do
		run_pscan -r "$other" < <(echo 1)
		assert_equal "$code $err" "2 pscan: --reverse with ${other%=*}: not yet (see LIMITS in man pscan)"
	done
	run_pscan -r --emit='s / t' < <(echo 1)
	assert_equal "$code $err" "2 pscan: --reverse with t in --emit: not yet (see LIMITS in man pscan)"
}
