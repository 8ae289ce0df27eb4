#!/usr/bin/env bats
# shellcheck disable=SC2154,SC2086 # code, out and err are set by run_pscan
# The operators beyond the plain folds, against their definitions (tests/tools/operators.py).

load helper

@test "operators are what their definitions say on the host, for every type, mode and seed, and of exact decimals" {
	"$PYTHON" "$TOOLS/operators.py" host 18
}

# bats test_tags=long
@test "operators are what their definitions say on the host, in six times as many runs" {
	"$PYTHON" "$TOOLS/operators.py" host
}

# bats test_tags=long
@test "operators are what their definitions say on PoCL, in the CPU shape" {
	"$PYTHON" "$TOOLS/operators.py" cpu
}

# bats test_tags=long
@test "operators are what their definitions say on PoCL, in the GPU shape" {
	"$PYTHON" "$TOOLS/operators.py" gpu
}

@test "prod, ema, linrec, var and std have the very bits that the grid gives their states on the host" {
	"$PYTHON" "$TOOLS/grid_states.py" none
}

# bats test_tags=long
@test "prod, ema, linrec, var and std have the very bits that the grid gives their states on PoCL, in both shapes" {
	"$PYTHON" "$TOOLS/grid_states.py" cpu
}

@test "prod of floats is infinite, 0 or nan only where the exact product is, and else near it" {
	"$PYTHON" "$TOOLS/products.py" 700
}

# bats test_tags=long
@test "prod of floats is infinite, 0 or nan only where the exact product is, and else near it, of many streams" {
	"$PYTHON" "$TOOLS/products.py" 20000
}

# products ARGUMENT...: of 2^100 or 2^1000 twice and once with a minus, of the inverse three times, of the least number
# twice, of two more.
products() {
	local big=$1 small=$2 least=$3
	run_pscan "${@:4}" < <(printf '%s\n' "$big" "$big" "-$big" "$small" "$small" "$small" "$least" "$least" "$big" "$big")
}

@test "prod of floats comes back from beyond the range, from either side, and keeps its sign; 0 stays 0" {
	local f32=(1267650600228229401496703205376 7.888609052210118e-31 1.401298464324817e-45)
	local f64=(1.0715086071862673e301 9.332636185032189e-302 5e-324)
	for args in '' --algorithm=sequential --algorithm=hillis-steele --chunk-size=1 '-D cpu'; do
		# shellcheck disable=SC2086 # words
		products "${f32[@]}" -D none -t f32 -op prod $args
		assert_equal "$code ${out//$'\n'/ }" '0 1.2676506e+30 inf -inf -inf -1.2676506e+30 -1 -1e-45 -0 -0 -3.1554436e-30'
		# shellcheck disable=SC2086 # words
		products "${f64[@]}" -D none -t f64 -op prod $args
		assert_equal "$code ${out//$'\n'/ }" \
			'0 1.0715086071862673e+301 inf -inf -inf -1.0715086071862673e+301 -1 -5e-324 -0 -0 -2.802596928649634e-45'
		for type in f32 f64; do
			# shellcheck disable=SC2086 # words
			run_pscan -D none -t $type -op prod --total $args < <(echo 0 && yes 2.5 | head -n 5000)
			assert_equal "$code $out" '0 0'
		done
	done
	products "${f64[@]}" -D none -op prod
	assert_contains "$out" -2.802596928649634e-45
	products "${f64[@]}" -D none -t f64 -op prod --window=3
	assert_equal "$code ${out//$'\n'/ }" \
		'0 1.0715086071862673e+301 inf -inf -1.0715086071862673e+301 -9.332636185032189e-302 0 0 0 0 5.67251933470834e+278'
	run_pscan -D none -t f64 -g 1 -f 2 -op prod < <(printf '%s\n' a b a b a b a b | paste -d ' ' - <(
		printf '%s\n' "${f64[0]}" "${f64[1]}" "${f64[0]}" "${f64[1]}" "${f64[1]}" "${f64[0]}" "${f64[1]}" "${f64[0]}"))
	assert_equal "$code ${out//$'\n'/ }" \
		"0 a ${f64[0]/e/e+} b ${f64[1]} a inf b 0 a ${f64[0]/e/e+} b ${f64[1]} a 1 b 1"
}

# bats test_tags=long
@test "lanes of random tables and records are what each gives alone on PoCL, in both shapes" {
	"$PYTHON" "$TOOLS/lanes.py" cpu
}

@test "sequential and Hillis-Steele scans of integers have the grid's results" {
	awk 'BEGIN { for (i = 0; i < 10000; i++) print (i * 7919) % 10007 - 5000 }' >"$TMP/in"
	for op in $("$PSCAN" --list-operators | cut -d ' ' -f 1); do
		case $op in prod | var | std | linrec | distinct | *:*) continue ;; esac # in f64, or of texts
		"$PSCAN" -D none -op "$op" "$TMP/in" >"$TMP/want"
		for algorithm in sequential hillis-steele; do
			"$PSCAN" -D none -op "$op" --algorithm=$algorithm "$TMP/in" | cmp - "$TMP/want"
		done
	done
}

@test "a mean is the exact sum divided by the count, rounded once; of nothing it is nan" {
	run_pscan -D none -op mean < <(printf '%s\n' 1 2 2)
	assert_equal "$code $out" $'0 1\n1.5\n1.6666666666666667'
	run_pscan -D none -op mean -e < <(printf '%s\n' 0.1 0.2 5)
	assert_equal "$code $out" $'0 nan\n0.1\n0.15'
	run_pscan -D none -op mean --total </dev/null
	assert_equal "$code $out" '0 nan'
	# In f64 the sum would be rounded on the way: wide sums, by Python's fractions.
	python '
import fractions, os, random, subprocess
random.seed(5)
tokens = ["%d.%0*d" % (random.randrange(10**17), s, random.randrange(10**s)) for s in (1, 4, 9, 18) for _ in range(300)]
done = subprocess.run([os.environ["PSCAN"], "-D", "none", "-op", "mean"], input="\n".join(tokens).encode(), stdout=subprocess.PIPE)
total = fractions.Fraction(0)
want = []
for i, token in enumerate(tokens):
    total += fractions.Fraction(token)
    want.append(float(total / (i + 1)))
assert [float(x) for x in done.stdout.split()] == want
'
	run_pscan -D none -op mean --seed=1 < <(seq 3)
	assert_equal "$code $err" '2 pscan: --seed: mean does not take a start value'
	run_pscan -D none -op mean -F %d < <(seq 3)
	assert_equal "$code $err" '2 pscan: -F: %d is for integers, not for f64'
	run_pscan -D none -op mean -t i8 < <(printf '%s\n' -128 127 127)
	assert_equal "$code $out" $'0 -128\n-0.5\n42'
}

@test "a mean counts its elements over the edges of tiles" {
	local type
	for type in f32 f64 i32; do
		run_pscan -D none -op mean -t "$type" < <(seq 1 2 20001)
		assert_equal "$type: $code $(sed -n '5p;9000p;$p' "$TMP/out" | tr '\n' ' ')" "$type: 0 5 9000 10001 "
	done
}

@test "a mean on a device follows the decimals as their scale grows" {
	awk 'BEGIN { for (i = 0; i < 90000; i++) printf "%.*f\n", int(i / 30000), (i * 7919) % 10007 / 4 }' >"$TMP/in"
	"$PSCAN" -D none -op mean "$TMP/in" >"$TMP/want"
	# Of a chunk with fewer than a tile's elements a device would see none.
	"$PSCAN" -D cpu --chunk-size=1M -op mean "$TMP/in" | cmp - "$TMP/want"
}

@test "ema takes a factor, which 1 makes last" {
	run_pscan -D none -op ema:0.25 < <(printf '%s\n' 8 4 -4)
	assert_equal "$code $out" $'0 8\n7\n4.25'
	run_pscan -D none -op ema:0.5 --seed=1 -e < <(printf '%s\n' 3 5 9)
	assert_equal "$code $out" $'0 1\n2\n3.5'
	run_pscan -D none -op ema:1 < <(printf '%s\n' 8 inf -4 2)
	assert_equal "$code $out" $'0 8\ninf\n-4\n2'
	assert_equal "$({ echo inf && seq 20000; } | "$PSCAN" -D none -op ema:0.5 --total)" inf
	for bad in ema ema: ema:0 ema:1.5 ema:x ema:-1 ema:nan; do
		run_pscan -D none -op $bad < <(seq 3)
		assert_equal "$code" 2
		assert_contains "$err" "-op: \"$bad\" is not ema:A with 0 < A <= 1, as in ema:0.1"
	done
	run_pscan -D none -op sum:1 < <(seq 3)
	assert_contains "$code $err" '2 pscan: -op: sum takes no parameter'
	run_pscan -D none -op eme < <(seq 3)
	assert_equal "$code $err" '2 pscan: -op: "eme" is not an operator: perhaps ema:A (see --list-operators)'
	run_pscan -D none -op smooth < <(seq 3)
	assert_contains "$err" ' std, ema:A, linrec (see --list-operators)'
	# 2^-149 is the least f32, and 2^-150 the first that rounds to 0.
	run_pscan -D none -op ema:1.5e-45 -t f32 < <(seq 2)
	assert_scanned '1 1' 'the least factor of f32'
	for type in f32 f64:f32 i32:f32; do
		run_pscan -D none -op ema:7e-46 -t $type < <(seq 2)
		assert_equal "$code $err" '2 pscan: -op: ema: the number after its name rounds to 0 in f32'
	done
	run_pscan -D none -op ema:7e-46 -t f32:f64 < <(seq 2)
	assert_scanned '1 1' 'a small factor of f64'
	run_pscan --show-operator=ema:7e-46 -t f32
	assert_equal "$code $err" '2 pscan: --show-operator: ema: the number after its name rounds to 0 in f32'
	run_pscan -D none -op ema:0.5 -t i32 < <(seq 3)
	assert_equal "$code $err" '2 pscan: ema needs floats: name a float accumulator, such as -t i32:f64'
	run_pscan -D none -op ema:0.5 -t dec < <(seq 3)
	assert_equal "$code $err" '2 pscan: -t: "dec" is exact, but the operator is not'
}

@test "linrec takes two numbers of a record, of text, columns and named fields" {
	run_pscan -D none -f 1,2 -op linrec < <(printf '%s\n' '9 1' '2 3' '-1 0.5')
	assert_equal "$code $out" $'0 1\n5\n-4.5'
	run_pscan -D none -c 4 -op linrec,linrec --total < <(printf '%s\n' '0 1 0 2' '3 0 5 0')
	assert_equal "$code $out" '0 3 3 10 10'
	run_pscan -D none -H -d , -f b,a,c,b -op linrec -a < <(printf '%s\n' a,b,c 2,1,4 3,1,5)
	assert_equal "$code $out" $'0 a,b,c,b_linrec,c_linrec\n2,1,4,2,1\n3,1,5,5,6'
	run_pscan -D none -f 1,2 -op linrec --seed=10 -e < <(printf '%s\n' '2 1' '3 1')
	assert_equal "$code $out" $'0 10\n21'
	run_pscan -D none -c 4 -op linrec --seed=5,10,5,20 --include-initial < <(printf '%s\n' '2 1 2 1')
	assert_equal "$code $out" $'0 10 20\n21 41'
	# Raw records that are no elements as they stand, and others' byte order.
	printf '%s\n' '9 1' '2 3' '-1 0.5' >"$TMP/in"
	"$PSCAN" -D none -c 2 -op last -t f64be --output-format=binary "$TMP/in" >"$TMP/raw"
	run_pscan -D none -c 2 -f 2,1 -t f64be -op linrec --output-format=text "$TMP/raw"
	assert_equal "$code $out" $'0 9\n29\n13.5'
	run_pscan -D none -c 2 -t f64be -op linrec --output-format=text "$TMP/raw"
	assert_equal "$code $out" $'0 1\n5\n-4.5'
	run_pscan -D none -f 1,2 -op linrec --total </dev/null
	assert_equal "$code $out" '0 0'
	# The fields that lack a number give no result, and change none; what becomes of the first one becomes of both.
	printf '%s\n' '2 1' 'NA 3' '3 -' 'x 4' '1 5' '2' >"$TMP/in"
	run_pscan -D none -f 1,2 -op linrec --missing=keep --invalid=ignore -a "$TMP/in"
	assert_equal "$code $out" $'0 2 1 1\nNA 3 NA\n3 - -\nx 4 \n1 5 6\n2 '
	run_pscan -D none -f 1,2 -op linrec --missing=skip --invalid=ignore -t f64 --output-format=binary "$TMP/in"
	assert_equal "$code $(od -An -tf8 -w8 "$TMP/out" | tr -d ' ' | paste -s -d ' ')" '0 1 6'
	run_pscan -D none -f 1,2 -op linrec --missing=skip --invalid=ignore --output-format=binary "$TMP/in"
	assert_equal "$code $(od -An -tf8 -w8 "$TMP/out" | tr -d ' ' | paste -s -d ' ')" '0 1 6'
	run_pscan -D none -f 1,2 -op linrec "$TMP/in"
	assert_equal "$code $out $err" "1 1 pscan: $TMP/in: line 2, field 1: missing: \"NA\" (see --missing=skip, --missing=0)"
}

@test "results of linrec are written in place where lines before them gave none" {
	printf 'NA 1\n' >"$TMP/a"
	printf '%s\n' '1 1' '1 -' '1 1' >"$TMP/b"
	"$PSCAN" -D none -f 1,2 -op linrec --missing=skip -t f64 --output-format=binary "$TMP/a" "$TMP/b" >"$TMP/raw"
	assert_equal "$(od -An -tf8 -w8 "$TMP/raw" | tr -d ' ' | paste -s -d ' ')" '1 2'
	# Chunks of a few hundred lines, of which every third gives nothing.
	awk 'BEGIN { for (i = 0; i < 60000; i++) print 1, i % 3 ? 1 : "-" }' >"$TMP/in"
	"$PSCAN" -D none -f 1,2 -op linrec --missing=skip -t f64 --output-format=binary --chunk-size=4K -o "$TMP/raw" "$TMP/in"
	od -An -v -tf8 -w8 "$TMP/raw" | awk '$1 != NR { wrong = 1 } END { exit wrong || NR != 40000 }'
}

@test "linrec of random records is the recurrence computed one after the other on the host" {
	"$PYTHON" "$TOOLS/pairs.py" none
}

# bats test_tags=long
@test "linrec of random records is the recurrence computed one after the other on PoCL, in both shapes" {
	"$PYTHON" "$TOOLS/pairs.py" cpu
}

@test "an operator of two numbers is refused where there are not two" {
	for arguments in '' '-t f32'; do
		# shellcheck disable=SC2086 # several words
		run_pscan -D none -op linrec $arguments </dev/null
		assert_equal "$arguments: $code $err" "$arguments: 2 pscan: -op: linrec takes 2 numbers of a record (see -f, -c)"
	done
	for arguments in '-f 1' '-f 1,2,3' '-c 3'; do
		# shellcheck disable=SC2086 # several words
		run_pscan -D none -op linrec $arguments </dev/null
		assert_equal "$arguments: $code $err" \
			"$arguments: 2 pscan: -op: linrec needs 2 numbers of a record at a time, but ${arguments: -1} are chosen (see -f, -c)"
	done
	run_pscan -D none -f 1,2 -op sum,linrec </dev/null
	assert_equal "$code $err" '2 pscan: -op: sum takes 1 number of a record, but linrec takes 2'
	run_pscan -D none -f 1,2 -op linrec --replace </dev/null
	assert_equal "$code $err" '2 pscan: --replace: linrec makes one result of 2 fields (see -a)'
	run_pscan -D none -f 1,2 -op linrec --seed=1,2,3 </dev/null
	assert_equal "$code $err" '2 pscan: --seed: 3 values: linrec takes 2 for all results, or 2 for each'
	run_pscan -D none -f 1,2 -op linrec --seed=1,x </dev/null
	assert_equal "$code $err" '2 pscan: --seed: "x" is not a value of f64 (see --help=seed)'
	run_pscan -D none -c 2 -t i32 -op linrec </dev/null
	assert_equal "$code $err" '2 pscan: linrec needs floats: name a float accumulator, such as -t i32:f64'
	run_pscan -D none -c 2 -t f64 -op linrec < <(head -c 24 /dev/zero)
	assert_equal "$code $err" '1 pscan: standard input: byte 16: 8 bytes left over, a record needs 16'
}

@test "an operator without an identity needs a seed for -e, and has no total of nothing" {
	run_pscan -D none -op range -e < <(seq 3)
	assert_equal "$code $err" '2 pscan: -e: range has no start value of its own (see --seed)'
	run_pscan -D none -op range --include-initial < <(seq 3)
	assert_equal "$code $err" '2 pscan: --include-initial: range has no start value of its own (see --seed)'
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
	assert_equal "$code $err" '2 pscan: --seed: count does not take a start value'
}

@test "a range past its type names the element, and 128 bits of decimals go on in f64" {
	run_pscan -D none -op range -t i64 < <(printf '%s\n' 9223372036854775807 3 -1 7)
	assert_equal "$code $out" $'1 0\n9223372036854775804'
	assert_contains "$err" 'element 3: the range does not fit i64 (see -t num, -t i64:f64, --overflow=wrap)'
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
	run_pscan -D none -op lag < <(printf '%s\n' 1.50 1e-19 3)
	assert_equal "$code $out" $'0 1.5\n1e-19'
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
	# Without a seed, exclusive: of no elements and of one, also where each line is a chunk.
	for option in --threads=2 --line-buffered; do
		run_pscan -D none -op lag -d ';' -f 2 -a -e $option "$TMP/in"
		assert_equal "$code $out" $'0 a;5;\nb;3;\nc;9;5'
		run_pscan -D none -op delta -d ';' -f 2 -e $option < <(cat "$TMP/in")
		assert_equal "$code $out" '0 -2'
	done
	run_pscan -D none -op lag --total < <(echo 5)
	assert_equal "$code $out" '0 -'
	run_pscan -D none -op lag --total -t i32 --format=binary < <(printf 'abcd')
	assert_equal "$code $out $err" '1  pscan: standard input: one element: there is no lag'
	run_pscan -D none -op lag -t i32 --format=binary </dev/null
	assert_equal "$code $err" '2 pscan: lag: the first result is missing, and i32 has no value for that (see --seed)'
	assert_equal "$(printf 'abcdefgh' | "$PSCAN" -D none -op lag -t f32 --format=binary | od -An -tx4 | tr -d '\n')" ' 7fc00000 64636261'
	assert_equal "$(printf 'abcdefgh' | "$PSCAN" -D none -op lag -t i32 --format=binary --seed=1 | od -An -tx4 | tr -d '\n')" ' 00000001 64636261'
}

@test "an exclusive drawdown is the greatest before the element minus the element" {
	run_pscan -D none -op drawdown -e --seed=4 < <(printf '%s\n' 3 9 2.5)
	assert_equal "$code $out" $'0 1\n-5\n6.5'
	# Beside others, whose results are moved one place, in records of raw numbers too.
	printf '%s\n' 3 1 5 2 | "$PSCAN" -D none -op last -t f32 --output-format=binary >"$TMP/raw"
	for ops in max,drawdown drawdown,max; do
		"$PSCAN" -D none -op $ops -e --seed=4 -t f32 --format=binary "$TMP/raw" >"$TMP/records"
		run_pscan -D none -c 2 -op last -t f32 --format=binary --output-format=text "$TMP/records"
		found=$out
		[ $ops = max,drawdown ] || found=$(echo "$out" | awk '{ print $2, $1 }')
		assert_equal "$code $found" $'0 4 1\n4 3\n4 -1\n5 3'
	done
	run_pscan -D none -op drawdown -e --seed=4 --total < <(printf '%s\n' 3 9 2.5)
	assert_equal "$code $out" '0 6.5'
	run_pscan -D none -op drawdown -e < <(seq 3)
	assert_equal "$code $err" '2 pscan: -e: drawdown has no start value of its own (see --seed)'
	run_pscan -D none -op drawdown -e --seed=0 -t u8 < <(printf '%s\n' 0 1)
	assert_equal "$code $out" '1 0'
	assert_contains "$err" 'element 2: the drawdown does not fit u8 (see -t u8:i64, --overflow=wrap)'
}

@test "increase is the growth of a counter that begins again at 0 where it falls" {
	gives() { # INPUT OUTPUT OPTION...
		run_pscan -D none -op increase "${@:3}" < <(printf '%s\n' $1)
		assert_equal "$code $(paste -sd ' ' <<<"$out") $err" "0 $2 "
	}
	gives '10 20 15 40' '0 10 25 50'
	gives '10 20 15 40' '0 0 10 25' -e
	gives '10 20 15 40' '10 20 35 60' --seed=0
	gives '10 20 15 40' '50' --total
	gives '10 20 15 40' '0 10 15 25' --window=2
	gives '10 20 15 40' '0 10 25 40' --window=3
	gives '10.5 NA 20 15.25 NA 40' '0.0 NA 9.5 24.75 NA 49.50' --missing=keep
	gives '10 20 15 40' '0 10 0 25' --reset-every=2
	gives '1 nan 2 1' '0 nan nan nan' -t f64
	gives 'nan 2' 'nan nan' -t f64
	gives '' '0' --total
	# What does not fit on the way may fit in the end: -128, then 255 more.
	gives '0 -128 127' '0 -128 127' -t i8
	gives '200 255 3 255' '0 55 58 54' -t u8 --overflow=wrap
	run_pscan -D none -op increase -t u8 < <(printf '%s\n' 200 255 3 255)
	assert_equal "$code $(paste -sd ' ' <<<"$out")" '1 0 55 58'
	assert_contains "$err" 'element 4: the increase does not fit u8'
	run_pscan -D none -op increase -f 2 -g 1 -a < <(printf '%s\n' 'a 5' 'b 7' 'a 6' 'b 2' 'a 1')
	assert_equal "$code $out" $'0 a 5 0\nb 7 0\na 6 1\nb 2 2\na 1 2'
}

@test "distinct counts the different texts of a field so far" {
	gives() { # INPUT OUTPUT OPTION...
		run_pscan -op distinct "${@:3}" < <(printf '%b' "$1")
		assert_equal "$code $(paste -sd ' ' <<<"$out") $err" "0 $2 "
	}
	gives 'b\na\nb\n1\n1.0\n01\n1\n' '1 2 2 3 4 5 5' -f 1
	gives 'b a b\na c\n' '1 2 2 2 3'
	gives 'b\na\nb\nc\n' '0 1 2 2' -f 1 -e
	gives 'b\na\nb\nc\n' '3' -f 1 --total
	gives '' '0' -f 1 --total
	gives 'x a\ny a\nx b\nx a\ny b\n' 'x 1 y 1 x 2 x 2 y 2' -f 2 -g 1
	gives 'x a\nx b\ny a\ny a\nx a\n' '1 2 1 1 1' -f 2 --reset-on=1
	gives 'a\nb\na\na\nb\n' '1 2 1 1 1' -f 1 --reset-every=2
	gives 'a\nNA\n\nb\n' '1 NA 2' -f 1 --missing=keep
	gives 'a\nNA\nb\n0\n' '1 2 3 3' -f 1 --missing=0
	gives 'x,"a"\ny,a\nx,"a""b"\ny,"a,b"\nx,"a""b"\n' 'x,1 y,1 x,2 y,2 x,2' --csv --no-header -f 2 -g 1
	gives 'k,user\nx,a\ny,b\n' 'k,user,user_distinct x,a,1 y,b,2' --csv -f user -a
	gives '{"u":"a"}\n{"u":1}\n{"u":"1"}\n{"u":"\\u0061"}\n' '{"u_distinct":1} {"u_distinct":2} {"u_distinct":3} {"u_distinct":3}' --json -f u
	gives 'u="a b"\nu=ab\nu="ab"\n' '1 2 2' --logfmt -f u
	# Beside numbers of the same field, and of two fields.
	gives '1\n1.0\n1\n' '1 1 2 2.0 2 3.0' -f 1 -op sum
	gives 'a b\na a\nb a\n' '1 1 1 2 2 2' -f 1,2
	# Many, some of which hash to the same places; chunks know each other's.
	run_pscan -op distinct --total -f 1 --chunk-size=4K < <(seq 30000 && seq 15000 45000)
	assert_equal "$code $out $err" '0 45000 '
	run_pscan -op distinct --total -f 1 -g 2 -d, --chunk-size=4K < <(seq 9000 | awk '{ print $1 % 100 "," $1 % 7 }')
	assert_equal "$code $(paste -sd ' ' <<<"$out") $err" '0 1,100 2,100 3,100 4,100 5,100 6,100 0,100 '
}

@test "what distinct does not do is refused" {
	refused() { # MESSAGE OPTION...
		run_pscan -op distinct "${@:2}" < <(seq 3)
		assert_equal "$code $err" "2 pscan: $1"
	}
	for option in --window=2 --map=x --emit=s --state="$TMP/state" --reset-at=1 --algorithm=sequential; do
		refused "-op distinct with ${option%%=*}: not supported yet (see LIMITS in man pscan)" -f 1 "$option"
	done
	refused '-op distinct of binary input: not supported yet (see LIMITS in man pscan)' --format=binary
	refused '--seed: distinct does not take a start value' -f 1 --seed=1
	refused '--show-operator: distinct is of texts, which no program takes' --show-operator=distinct -t i64
	refused 'standard input: line 1 may be a header: say -H or --no-header' --csv -f 1
}

@test "distinct of random tables counts as sets do" {
	run "$PYTHON" "$TOOLS/distinct_model.py" 2026 "$(cases 200)"
	assert_equal "$output" "$(cases 200) cases, 0 wrong"
}

# bats test_tags=long
@test "distinct of random tables counts as sets do, many" {
	run "$PYTHON" "$TOOLS/distinct_model.py" 7 20000
	assert_equal "$output" '20000 cases, 0 wrong'
}

@test "argmax and argmin give the index of the earliest, a NaN before all and 0 after -0; of nothing there is none" {
	run_pscan -D none -op argmax,argmin -t f64 -f 1 < <(printf '%s\n' 0 -0 0 -1 7 7 nan inf nan)
	assert_equal "$code $out" $'0 0 0\n0 1\n0 1\n0 3\n4 3\n4 3\n6 6\n6 6\n6 6'
	# In f64 the second and third would be equal.
	run_pscan -D none -op argmax < <(printf '%s\n' 1 9007199254740992.5 9007199254740992.75 1e300 9007199254740993)
	assert_equal "$code $out" $'0 0\n1\n2\n3\n3'
	run_pscan -D none -op argmin -e < <(printf '%s\n' 3 5 2 2 9)
	assert_equal "$code $out" $'0 0\n0\n2\n2'
	run_pscan -D none -f 1 -a -op argmin -e < <(printf '%s\n' 3 5)
	assert_equal "$code $out" $'0 3 \n5 0'
	run_pscan -D none -op argmax --total </dev/null
	assert_equal "$code $out" '0 -'
	run_pscan -D none -op argmax --seed=1 < <(seq 3)
	assert_equal "$code $err" '2 pscan: --seed: argmax does not take a start value'
	run_pscan -D none -op argmax -e --format=binary -t f32 < <(printf 'abcdefgh')
	assert_equal "$code $err" '2 pscan: argmax: the first result is missing, and u64 has no value for that (see --output-format=text)'
	# Over the edges of tiles and chunks.
	awk 'BEGIN { for (i = 0; i < 50000; i++) print (i * 7919) % 50021 }' >"$TMP/in"
	awk 'NR == 1 || $1 > m { m = $1; at = NR - 1 } { print at }' "$TMP/in" >"$TMP/want"
	"$PSCAN" -D none -op argmax --chunk-size=16K "$TMP/in" | cmp - "$TMP/want"
}

@test "var and std are those of a sample, also where the mean is far greater than they are" {
	run_pscan -D none -f 1 -op var,std < <(printf '%s\n' 2 4 4 4 5 5 7 9)
	assert_equal "$code $(head -n 2 <<<"$out" | tr '\n' ' ')" '0 nan nan 2 1.4142135623730951 '
	assert_equal "$(tail -n 1 <<<"$out")" '4.571428571428571 2.138089935299395'
	run_pscan -D none -op std -e -t i32 < <(printf '%s\n' 1 3 2)
	assert_equal "$code $out" $'0 nan\nnan\n1.4142135623730951'
	run_pscan -D none -op var -t f32 < <(printf '%s\n' 5 5 5)
	assert_equal "$code $out" $'0 nan\n0\n0'
	run_pscan -D none -op var -t dec < <(seq 3)
	assert_equal "$code" 2
	run_pscan -D none -op var -t f64 < <(printf '450359962737049%d\n' 7 8 9)
	assert_equal "$code $out" $'0 nan\n0.5\n1'
	# Of an infinity no distance is known; a square that is one stays one.
	run_pscan -D none -op var < <(printf '%s\n' inf 1 2)
	assert_equal "$code $out" $'0 nan\nnan\nnan'
	run_pscan -D none -op std < <(printf '%s\n' 1 2 -inf 3)
	assert_equal "$code $(echo "$out" | tr '\n' ' ')" '0 nan 0.7071067811865476 nan nan '
	run_pscan -D none -op var < <(printf '%s\n' 1e200 -1e200 0)
	assert_equal "$code $out" $'0 nan\ninf\ninf'
	# Against Python's exact rationals: the sum of squares minus the square of the sum would have no right digit.
	python '
import os, random, subprocess
from fractions import Fraction
random.seed(2)
elements = [1e12 + random.random() for _ in range(30000)]
text = "".join(f"{x!r}\n" for x in elements).encode()
found = [float(x) for x in subprocess.run([os.environ["PSCAN"], "-D", "none", "-op", "var"], input=text, stdout=subprocess.PIPE).stdout.split()]
total = squares = 0
for n, x in enumerate(elements, 1):
    scaled = int(Fraction(x) * 2 ** 60)
    total, squares = total + scaled, squares + scaled * scaled
    if n % 997 == 0:
        want = float(Fraction(n * squares - total * total, n * (n - 1) * 2 ** 120))
        assert abs(found[n - 1] / want - 1) < 1e-13, (n, found[n - 1], want)
assert len(found) == len(elements)
'
}

@test "--list-operators names each operator with what it takes and gives, on a line" {
	run_pscan --list-operators
	assert_equal "$code $err" '0 '
	assert_contains "$out" 'sum      +    x -> ACC  total (default)'
	assert_contains "$out" 'count         x -> u64  elements so far'
	assert_contains "$out" 'linrec      a b -> ACC  recurrence: a * previous result (at first 0) + b'
	[ "$(echo "$out" | cut -d ' ' -f 1 | sort | uniq -d | wc -l)" -eq 0 ]
}

@test "--total without numbers is the start value or the identity; of lag and delta it is absent" {
	local op
	for op in lag delta; do
		run_pscan -op $op --seed=7 --total </dev/null
		assert_equal "$op $code $out" "$op 0 -"
		run_pscan -op $op --total </dev/null
		assert_equal "$op $code $out" "$op 0 -"
	done
	for op in sum max min prod first last; do
		run_pscan -op $op --seed=7 --total </dev/null
		assert_equal "$op $code $out" "$op 0 7"
	done
}
