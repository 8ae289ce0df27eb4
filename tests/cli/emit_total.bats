#!/usr/bin/env bats
# shellcheck disable=SC2154 # code, out and err are set by run_pscan
# t of --emit, the scan's total: the input is read twice.

load helper

setup() {
	cd "$TMP" || return
	export PSCAN_DEVICE=none
	mkdir temporary
	export TMPDIR=$TMP/temporary
	printf '%s\n' day,account,amount 1,a,1 2,b,2 3,a,3 4,b,6 >book.csv
}

@test "t is the total: cumulative percentages of the input, of each key, of each segment" {
	run_pscan --emit='100 * s / t' < <(printf '%s\n' 1 2 3 4)
	assert_scanned '10 30 60 100'
	run_pscan --csv -f amount -g account -a --emit='100 * s / t' book.csv
	assert_scanned 'day,account,amount,amount_sum 1,a,1,25 2,b,2,25 3,a,3,100 4,b,6,100'
	run_pscan --csv -f amount --reset-on account --emit='t' <book.csv
	assert_scanned 'amount_sum 1 2 3 6'
	run_pscan --reset-every=2 --emit='s / t' < <(printf '%s\n' 1 3 2 2 5)
	assert_scanned '0.25 1 0.5 1 1'
	run_pscan --reset-at=0 --emit='t' < <(printf '%s\n' 1 3 0 2 0 5)
	assert_scanned '4 4 2 2 5 5'
	run_pscan --csv -f amount -g account --reset-gap=day:9 --emit='t' book.csv
	assert_scanned 'account,amount_sum a,4 b,8 a,4 b,8'
}

@test "t is inclusive and has the type of s, also with -e, seeds, other operators, --map and several of them" {
	run_pscan -e --emit='s / t' < <(printf '%s\n' 1 3)
	assert_scanned '0 0.25'
	run_pscan -e --seed=4 --emit='s / t' < <(printf '%s\n' 1 3)
	assert_scanned '0.5 0.625'
	run_pscan -op max,'a + b' --emit='s * 100 + t' < <(printf '%s\n' 1 7 3)
	assert_scanned '107 111 707 811 707 1111'
	run_pscan -t u8:u32 --emit='t / 2' < <(printf '%s\n' 200 101)
	assert_scanned '150 150'
	run_pscan -t i64 -op mean --emit='t * 2' < <(printf '%s\n' 1 2)
	assert_scanned '3 3'
	printf '%s\n' credit,debit 5,1 2,2 3,0.5 >bank.csv
	run_pscan --csv --map='credit - debit' --emit='t - s' bank.csv
	assert_scanned 'sum 2.5 2.5 0.0'
	run_pscan --json -f a -a --emit='s / t' < <(printf '%s\n' '{"a":1}' '{"a":3}')
	assert_scanned '{"a":1,"a_sum":0.25} {"a":3,"a_sum":1}'
	run_pscan --check-associative -op 'a - b' --emit='s / t' < <(printf '%s\n' 1 2 3)
	assert_equal "$code $out" '1 '
	assert_contains "$err" 'element 3: expr is not associative'
	run_pscan --emit='s / t' /dev/null
	assert_scanned ''
}

@test "random records, options, files and pipes give the totals of a model, and nothing stays in TMPDIR" {
	run "$PYTHON" "$TOOLS/emit_total.py" "$PSCAN" "$TMP" 2026 "$(cases 60)"
	assert_equal "$status $output" "0 $(cases 60) cases, 0 wrong"
}

@test "totals of many segments go to a temporary file" {
	"$PYTHON" -c 'import array, sys
array.array("q", (i * i % 1000 for i in range(300000))).tofile(sys.stdout.buffer)' >in
	need_same_byte_order
	local every
	for every in 1 3 5000; do
		run_pscan -t i64 --reset-every=$every --emit=t in
		"$PYTHON" - "$every" <<-'EOF'
			import array, sys
			every = int(sys.argv[1])
			numbers = array.array("q", open("in", "rb").read())
			sums = [sum(numbers[i : i + every]) for i in range(0, len(numbers), every)]
			right = array.array("q", (sums[i // every] for i in range(len(numbers))))
			assert open("out", "rb").read() == right.tobytes(), every
		EOF
		assert_equal "$code $err $(ls -A temporary)" '0  '
	done
}

@test "totals of many segments of many fields go to one temporary file" {
	"$PYTHON" -c 'for i in range(9000): print(*(i * k % 1000 for k in range(1, 41)))' >in
	(ulimit -n 40 && "$PSCAN" -t i64 -f "$(seq -s, 40)" --reset-every=1 --emit=t in) >out
	cmp out in
	assert_equal "$(ls -A temporary)" ''
}

@test "exact totals of as many segments as a block of the temporary file holds, and one more" {
	local count
	for count in 8191 8192 8193 16384; do
		"$PYTHON" -c 'import sys
for i in range(int(sys.argv[1])): print(f"{i * 7 % 1000}.25\n0.50")' $count >in
		run_pscan --reset-every=2 --emit='t - s' in
		"$PYTHON" -c 'import sys
for i in range(int(sys.argv[1])): print("0.50\n0.00")' $count >want
		cmp out want
		assert_equal "$code $err $(ls -A temporary)" '0  '
	done
}

@test "t of a file from its middle, of a file named twice, and of a pipe named twice" {
	printf '%s\n' 0.25 0.50 1 >in
	run_pscan --emit='t - s' < <(cat in)
	assert_scanned '1.50 1.00 0.00'
	(read -r _ && "$PSCAN" --emit='t - s') <in >out
	assert_equal "$(tr '\n' ' ' <out)" '1.00 0.00 '
	run_pscan --emit='t - s' in in
	assert_scanned '3.25 2.75 1.75 1.50 1.00 0.00'
	run_pscan --emit='t - s' - - < <(cat in)
	assert_scanned '1.50 1.00 0.00'
	gzip -k in
	run_pscan --emit='t - s' in.gz
	assert_scanned '1.50 1.00 0.00'
	run_pscan --emit='t - s' < <(cat in.gz)
	assert_scanned '1.50 1.00 0.00'
	run_pscan --emit='t - s' < <(printf '1\n2.5')
	assert_scanned '2.5 0.0'
}

@test "an error in the data ends with 1 before any result, and warnings come once" {
	run_pscan --emit='s / t' < <(printf '%s\n' 1 x 3)
	assert_equal "$code $out $err" '1  pscan: standard input: line 2: not a number: "x" (see --invalid)'
	run_pscan --invalid=fail --emit='s / t' < <(printf '%s\n' 1 x 3)
	assert_equal "$code ${out//$'\n'/ } $err" '1 0.25 1 pscan: warning: standard input: line 2: not a number: "x"'
	run_pscan --emit='s / t' book.csv nothing
	assert_equal "$code $out" '1 '
	run_pscan --emit='s / t' <(echo 1) nothing
	assert_equal "$code $out $err" '3  pscan: nothing: No such file or directory'
	run_pscan -t i32 --emit='s / t' < <(printf '%s\n' 1 -1)
	assert_equal "$code $out" '1 '
}

@test "what t does not go with is refused" {
	run_pscan --emit='s / t' --total book.csv
	assert_equal "$code $err" '2 pscan: t in --emit with --total: not supported yet (see LIMITS in man pscan)'
	run_pscan --emit='s / t' --include-initial book.csv
	assert_equal "$code $err" '2 pscan: t in --emit with --include-initial: not supported yet (see LIMITS in man pscan)'
	run_pscan --emit='s / t' --state=state book.csv
	assert_equal "$code $err" '2 pscan: t in --emit with --state: not supported yet (see LIMITS in man pscan)'
	run_pscan --emit='s / t' -D cpu book.csv
	assert_equal "$code $err" \
		'2 pscan: t in --emit is for the host: -D none, and the usual --algorithm (see --help)'
	run_pscan --emit='s / t' --window=3 book.csv
	assert_equal "$code $err" '2 pscan: --window with t in --emit: not supported yet (see LIMITS in man pscan)'
	run_pscan --map=t --emit='s / t' < <(echo 1)
	assert_equal "$code" 2
	echo 'double combine(double a, double b) { return a + b; }' >add.cl
	run_pscan -op @add.cl --emit='s / t' < <(echo 1)
	assert_equal "$code" 2
}

@test "without a directory for temporary files pipes end with 3, and files do not need one" {
	printf '%s\n' 1 3 >in
	TMPDIR=$TMP/nowhere run_pscan --emit='s / t' in
	assert_scanned '0.25 1'
	TMPDIR=$TMP/nowhere run_pscan --emit='s / t' < <(cat in)
	assert_equal "$code $out $err" \
		"3  pscan: $TMP/nowhere: cannot create a temporary file: No such file or directory (see TMPDIR)"
}

@test "a file that changes between the two readings, or during the second one, ends with 3" {
	local reader writer
	printf '%s\n' 1 3 >in
	mkfifo pipe
	"$PSCAN" --emit='s / t' in pipe >out 2>err &
	exec {writer}>pipe
	echo 4 >>in
	echo 5 >&"$writer"
	exec {writer}>&-
	code=0
	wait $! || code=$?
	assert_equal "$code $(cat out err)" '3 pscan: in: the file changed while it was read twice'
	# The output is not read until the file has grown.
	seq 100000 >in
	mkfifo results
	"$PSCAN" --emit='s / t' in >results 2>err &
	exec {reader}<results
	head -c 1 <&"$reader" >/dev/null
	echo 4 >>in
	cat <&"$reader" >/dev/null
	exec {reader}<&-
	code=0
	wait $! || code=$?
	assert_equal "$code $(cat err)" '3 pscan: in: the file changed while it was read twice'
}

@test "a signal during the first reading leaves no temporary file" {
	local writer
	mkfifo pipe
	"$PSCAN" --emit='s / t' -o made pipe 2>err &
	exec {writer}>pipe
	seq 1000 >&"$writer"
	kill -TERM $!
	code=0
	wait $! || code=$?
	exec {writer}>&-
	assert_equal "$code $(ls -A temporary)" '143 '
	[ ! -e made ]
	rm pipe
	assert_equal "$(ls -A)" $'book.csv\nerr\ntemporary'
}
