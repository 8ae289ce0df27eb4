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
	run_pscan -r -t i64 -op delta < <(printf '%s\n' 1 4 9)
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
	run_pscan -r -g 1 -f 2 < <(printf '%s\n' 'a 1' 'b 2' 'c 3' 'b 4')
	assert_scanned 'a 1 b 6 c 3 b 4'
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
	run_pscan -r --window=1:3 -f 2 < <(printf '%s\n' '9 1' '4 2' '3 4' '1 8')
	assert_scanned '1 6 12 8'
	run_pscan -r --window=1:3 -f 2 < <(printf '%s\n' '1 1' '2 1')
	assert_equal "$code $err" \
		'1 pscan: standard input: line 1, field 1: --window: the time is before that of a later line (with -r the newest is the first)'
	run_pscan -r --reset-gap=1:5 -f 2 < <(printf '%s\n' '1 1' '2 1' '9 1' '10 1')
	assert_scanned '2 1 2 1'
}

@test "totals of thousands of keys come in the order of their last records" {
	seq 20000 | awk '{ print ($1 * 7919) % 9001, $1 }' >in
	tac in | awk '!($1 in sum) { order[++keys] = $1 } { sum[$1] += $2 } END { for (i = 1; i <= keys; i++) print order[i], sum[order[i]] }' |
		tac >want
	run_pscan -r -T 4 -g 1 -f 2 --total in
	assert_equal "$code $err" '0 '
	cmp out want
}

@test "missing numbers: a result is held from below" {
	run_pscan -r --missing=hold < <(printf '%s\n' - 1 - 3 -)
	assert_scanned '4 4 3 3 -'
	run_pscan -r --missing=keep < <(printf '%s\n' 1 - 3)
	assert_scanned '4 - 3'
	run_pscan -r --missing=skip -f 1,2 < <(printf '%s\n' '1 -' '- 2' '3 4')
	assert_scanned '4 - - 6 3 4'
	run_pscan -r --missing=skip -g 1 -f 2,3 < <(printf '%s\n' 'a - 1' 'b 2 2' 'a 3 3' 'a 5 5' 'b 4 4')
	assert_scanned 'a - 9 b 6 6 a 8 8 a 5 5 b 4 4'
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
	run_pscan -r -t i8 -f 1 --invalid=warn < <(printf '%s\n' 100 x 100 100 y 1)
	assert_equal "$code $out $err" \
		$'1  pscan: warning: standard input: line 5, field 1: not a number: "y"\npscan: standard input: line 3, field 1: the sum does not fit i8 (see -t i8:i64, --overflow=wrap)'
	run_pscan -r -t u8 < <(printf '%s\n' 200 1 100 100 2)
	assert_equal "$code $out $err" '1  pscan: standard input: line 1: the sum does not fit u8 (see -t u8:i64, --overflow=wrap)'
}

@test "-v says of which field exact decimals end" {
	run_pscan -r -v -f 1,2 < <(printf '%s\n' '1 2' '1e40 3')
	assert_contains "$err" 'standard input: exact decimals end, field 1; the scan goes on in f64'
}

@test "what --reverse does not go with is refused" {
	local other
	for other in --state=s --plot=p.svg; do
		run_pscan -r "$other" < <(echo 1)
		assert_equal "$code $err" "2 pscan: --reverse with ${other%=*}: not supported yet (see LIMITS in man pscan)"
	done
	run_pscan -r --emit='s / t' < <(echo 1)
	assert_equal "$code $err" "2 pscan: --reverse with t in --emit: not supported yet (see LIMITS in man pscan)"
}

@test "random tables, tokens, raw numbers and errors are those of the records in the reverse order" {
	run "$PYTHON" "$TOOLS/reverse_model.py" "$PSCAN" "$TMP" 2026 "$(cases 150)"
	assert_equal "$status $output" "0 $(cases 150) cases, 0 wrong"
}

@test "raw numbers: elements are turned, columns as records, and a file is written in place" {
	need_same_byte_order
	"$PYTHON" -c 'import array, sys
array.array("d", (i * 0.1 for i in range(100000))).tofile(sys.stdout.buffer)' >in
	"$PYTHON" -c 'import array, sys
array.array("d", (i * 0.1 for i in reversed(range(100000)))).tofile(sys.stdout.buffer)' >back
	"$PSCAN" -t f64 back >back.out
	"$PYTHON" -c 'import array, sys
out = array.array("d", open("back.out", "rb").read())
out.reverse()
out.tofile(sys.stdout.buffer)' >want
	"$PSCAN" -r -t f64 in >out
	cmp out want
	"$PSCAN" -r -t f64 -o out2 <in
	cmp out2 want
	"$PSCAN" -r -t f64 --format=binary < <(cat in) | cmp - want
	head -c 80 in >small
	{ printf head && "$PSCAN" -r -t f64 small; } >out
	[ "$(wc -c <out)" = 84 ]
	printf '\1\2\3\4\5\6' >bytes
	run_pscan -r -t u8 -c 2 --format=binary --output-format=text bytes
	assert_scanned '9 12 8 10 5 6'
	run_pscan -r -t u8 -c 2 -g 1 -f 2 --format=binary --output-format=text < <(printf '\1\2\3\4\1\6')
	assert_scanned '1 8 3 4 1 6'
	run_pscan -r -t u8 --nan=fail --format=binary -o nothing < <(printf '\200\200')
	assert_equal "$code $err" '1 pscan: standard input: element 1: the sum does not fit u8 (see -t u8:i64, --overflow=wrap)'
	[ ! -e nothing ]
}

@test "results past what is kept in memory go through a temporary file, and nothing stays in TMPDIR" {
	seq 700000 >in
	"$PSCAN" -r in >out
	[ "$(head -n 1 out) $(tail -n 1 out) $(wc -l <out)" = '245000350000 700000 700000' ]
	"$PSCAN" -r < <(cat in) | cmp - out
	"$PSCAN" -r -z < <(gzip -c in) | gzip -dc | cmp - out
	assert_equal "$(ls -A temporary)" ''
	TMPDIR=$TMP/nowhere run_pscan -r in
	assert_equal "$code $out $err" "3  pscan: $TMP/nowhere: a temporary file: No such file or directory (see TMPDIR)"
	TMPDIR=$TMP/nowhere run_pscan -r < <(cat in)
	assert_equal "$code $out $err" "3  pscan: $TMP/nowhere: a temporary file: No such file or directory (see TMPDIR)"
	head -n 3000 in >small
	TMPDIR=$TMP/nowhere run_pscan -r --chunk-size=1K small
	assert_equal "$code $(head -n 1 "$TMP/out")" '0 4501500'
}

@test "files that are damaged or not there: no results; bytes after a member are a warning" {
	seq 5 >one
	gzip -k one
	head -c 20 one.gz >cut.gz
	run_pscan -r one cut.gz
	assert_equal "$code $out" '1 '
	assert_contains "$err" 'pscan: cut.gz: byte 20 of the compressed file: damaged gzip data'
	run_pscan -r one nothing
	assert_equal "$code $out $err" '3  pscan: nothing: No such file or directory'
	{ cat one.gz && echo more; } >more.gz
	run_pscan -r more.gz one
	assert_equal "$code ${out//$'\n'/ }" '1 30 29 27 24 20 15 14 12 9 5'
	assert_contains "$err" 'more.gz: byte'
	run_pscan -r -t f32 --format=binary < <(printf '1234567')
	assert_equal "$code $out $err" '1  pscan: standard input: byte 4: 3 bytes left over, float32 needs 4'
	run_pscan -r -H -f x /dev/null one
	assert_equal "$code $out $err" '1  pscan: one: line 1: no field is called "x" (there is "1")'
}

@test "windows and segments by time go backwards in files whose newest line is the first" {
	printf 't v\n2024-05-09T12:00 4\n2024-05-02T12:00 2\n2024-05-02T11:00 8\n2024-05-01T10:00 1\n' >in
	run_pscan -r -H -f v --window=t:7d -a in
	assert_equal "$code $err $(cut -d ' ' -f 2- out | paste -sd ,)" '0  v v_sum,4 4,2 11,8 9,1 1'
	run_pscan -r -H -f v --window=t:8d --chunk-size=64 -a in
	assert_equal "$code $err $(cut -d ' ' -f 2- out | paste -sd ,)" '0  v v_sum,4 14,2 11,8 9,1 1'
	run_pscan -r -H -f v --reset-on=t:day -a in
	assert_equal "$code $err $(cut -d ' ' -f 2- out | paste -sd ,)" '0  v v_sum,4 4,2 10,8 8,1 1'
	run_pscan -H -f v --window=t:7d -a in
	assert_equal "$code $(tail -n 1 out)" '1 2024-05-09T12:00 4 4'
}
