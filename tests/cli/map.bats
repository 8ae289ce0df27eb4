#!/usr/bin/env bats
# --map of text, which the host evaluates: names of fields, exact decimals, types, missing numbers, and messages.
# Nothing here needs OpenCL.
# shellcheck disable=SC2154 # code, out and err are set by run_pscan

load helper

setup() {
	cd "$TMP" || return
	export PSCAN_DEVICE=none
	cat >bank.csv <<-'END'
		date,account,credit,debit
		2024-01-01,a,100.10,0.20
		2024-01-02,b,0.30,0.1
		2024-01-03,a,5,0.05
		2024-01-04,b,,12.345
	END
	head -4 bank.csv >full.csv
}

# prints OPTION... FILE = LINE...: what comes out, its lines joined by blanks.
prints() {
	local arguments=()
	while [ "$1" != = ]; do
		arguments+=("$1")
		shift
	done
	shift
	run_pscan "${arguments[@]}"
	assert_scanned "$*" "${arguments[*]}"
}

# refuses CODE MESSAGE OPTION... [<INPUT]: the whole message.
refuses() {
	local status=$1 message=$2
	shift 2
	run_pscan "$@"
	assert_equal "$*: $code $err" "$*: $status pscan: $message"
}

# --- Exact decimals of named fields

@test "cents are exact, and each line has its balance" {
	run_pscan --csv --map='credit - debit' -a --as=balance full.csv
	assert_equal "$code $err" '0 '
	assert_equal "$out" 'date,account,credit,debit,balance
2024-01-01,a,100.10,0.20,99.90
2024-01-02,b,0.30,0.1,100.10
2024-01-03,a,5,0.05,105.05'
	# 0.1 + 0.2 of floats is not 0.3.
	prints --map='x0 + x1' -f 1,2 <(echo '0.1 0.2') = 0.3
	prints --csv --map='credit * debit' full.csv = sum 20.0200 20.0500 20.3000
	prints --csv --map='credit * 0.19' full.csv = credit_sum 19.0190 19.0760 20.0260
	prints --csv --map='-credit' full.csv = credit_sum -100.10 -100.40 -105.40
	prints --csv --map='floor(credit) + (debit > 0.1 ? 1 : 0)' full.csv = sum 101 101 106
	prints --csv --map='min(credit, max(debit, abs(-1.5))) + round(debit) + ceil(debit) + trunc(credit)' full.csv = sum 102.5 103.80 111.30
}

@test "what is not exact is computed as f64" {
	"$PYTHON" -c '
x = 0
for credit, debit in ((100.10, 0.20), (0.30, 0.1), (5.0, 0.05)):
    x += credit / debit
    print(repr(x))' >right
	run_pscan --csv --map='credit / debit' full.csv
	assert_equal "$code $err$(tail -n +2 <<<"$out")" "0 $(cat right)"
	# What is scanned as floats is the exact numbers: 0.3 - 0.1 of floats is 0.19999999999999998.
	prints --csv --map='a - b' -op ema:1 <(printf 'a,b\n0.3,0.1\n') = ema:1 0.2
	prints --csv --map='credit - debit' -op mean,sum,max full.csv = mean,sum,max 99.9,99.90,99.90 50.05,100.10,99.90 35.016666666666666,105.05,99.90
}

@test "random decimals are those of Python, whatever the chunks and threads" {
	"$PYTHON" - <<-'END'
		import random
		from fractions import Fraction
		rng = random.Random(5)
		def number():
		    scale = rng.choice((0, 0, 1, 2, 2, 2, 4))
		    digits = str(rng.randrange(10 ** rng.choice((1, 3, 6))))
		    text = digits if scale == 0 else digits.rjust(scale + 1, "0")[:-scale] + "." + digits.rjust(scale + 1, "0")[-scale:]
		    return rng.choice(("", "", "-")) + text
		total = Fraction(0)
		places = 0
		with open("in", "w") as data, open("right", "w") as right:
		    data.write("n,a,b,c\n")
		    right.write("n,a,b,c,sum\n")
		    for n in range(20000):
		        a, b, c = number(), number(), number()
		        total += Fraction(a) * Fraction(b) - Fraction(c)
		        scales = [len(t.partition(".")[2]) for t in (a, b, c)]
		        places = max(places, scales[0] + scales[1], scales[2])
		        whole = int(total * 10 ** places)
		        text = str(abs(whole)).rjust(places + 1, "0")
		        text = ("-" if whole < 0 else "") + (text if places == 0 else text[:-places] + "." + text[-places:])
		        data.write(f"{n},{a},{b},{c}\n")
		        right.write(f"{n},{a},{b},{c},{text}\n")
	END
	local options
	for options in '' --chunk-size=1 '--chunk-size=100 -T 3' '-T 1'; do
		# shellcheck disable=SC2086 # several words
		"$PSCAN" --csv --map='a * b - c' -a $options in | cmp - right
	done
	"$PSCAN" --csv --map='a * b - c' -a <in | cmp - right
	gzip -k in
	"$PSCAN" --csv --map='a * b - c' -a in.gz | cmp - right
}

@test "exactness ends where Python's integers would need more than 128 bits or 18 places" {
	prints --map='x0 * x1' -f 1,2 <(echo '0.0000000001 0.0000000001') = 1.0000000000000001e-20
	prints --map='x * x' <(echo 99999999999999999999) = 1e+40
	prints --map='x * x' <(echo 9999999999999999999) = 99999999999999999980000000000000000001
	refuses 1 'standard input: line 1: cannot stay exact (see -t)' -t dec -f 1,2 --map='x0 * x1' < <(echo '0.0000000001 0.0000000001')
}

# --- Which fields

@test "names stand for fields wherever -f takes names" {
	prints --tsv --map='a-b' <(printf 'a\tb\n5\t3\n') = sum 2
	prints -d ';' --map='a-b' <(printf 'a;b\n5;3\n') = sum 2
	prints --map='total-used' <(printf 'disk total used\nroot 10 3\n') = sum 7
	prints --map='a-b' <(printf 'a,b\n5,3\n') = sum 2
	prints --json --map='price * volume' <(printf '{"price":1.5,"volume":2}\n{"volume":4,"price":0.25}\n') = '{"sum":3.0}' '{"sum":4.00}'
	prints --json -a --map='{a.b} - c' <(echo '{"a":{"b":3},"c":1}') = '{"a":{"b":3},"c":1,"sum":2}'
	prints --json --map='{"a.b"} + {/c}' <(echo '{"a.b":3,"c":1}') = '{"sum":4}'
	prints --logfmt -a --map='in - out' <(printf 'out=1 in=5\nin=2 out=2.5\n') = 'out=1 in=5 sum=4' 'in=2 out=2.5 sum=3.5'
	prints --log --map='bytes / 1024.0' -t f64 <(echo 'h - - [01/Jan/2024:00:00:00 +0000] "GET / HTTP/1.1" 200 512') = 0.5
}

@test "names in braces are any names" {
	prints --csv --map='{net sales} - {2020} - {"q"}' <(printf 'net sales,2020,"""q"""\n10,3,1\n') = sum 6
	prints --csv --map='{a,b}*{min} + min({max}, 1)' <(printf '"a,b",min,max\n5,2,7\n') = sum 11
	prints --csv --map='{é}+ñ' <(printf 'é,ñ\n5,2\n') = sum 7
	# The same field by two names.
	prints --csv --map='a + {a}' <(printf 'a\n5\n') = sum 10
}

@test "x and i are fields of the header where there are such" {
	prints --csv --map='x * y' <(printf 'x,y\n3,4\n5,6\n') = sum 12 42
	prints --csv --map='x * i' <(printf 'i,x\n3,4\n5,6\n') = sum 12 42
	prints --csv --map='x * 2' <(printf 'i,x\n3,4\n5,6\n') = x_sum 8 20
	prints --json --map='x*x0' <(printf '{"x":2,"x0":4}\n') = '{"sum":8}'
	# -f says which field x is.
	prints --csv -f y --map='x * 2' <(printf 'x,y\n3,4\n5,6\n') = y_sum 8 20
}

@test "x is each field of -f, and x0, x1, ... are all of them" {
	prints --map='x * 2' <(seq 4) = 2 6 12 20
	prints --csv -f 3,4 --map='x * 2' full.csv = credit_sum,debit_sum 200.20,0.40 200.80,0.60 210.80,0.70
	prints --csv -f 3,4 --map='x0 - x1' full.csv = sum 99.90 100.10 105.05
	prints --csv -f debit,credit --map='x1 - x0' full.csv = sum 99.90 100.10 105.05
	prints -d, -f 2- --map='x0 * x2' <(printf '9,2,z,4\n9,3,,5\n') = 8 23
	prints -f -1,1 --map='x0 - x1' <(printf '1 2 3\n4 5 9\n') = 2 7
	prints -c 2 --map='x * 2' <(printf '1 2\n3 4\n') = '2 4' '8 12'
	prints -c 2 --map='x0 * x1' <(printf '1 2\n3 4\n') = 2 14
	# An operator of two numbers has an expression for each.
	prints -f 1,2 -op linrec --map='x0 * 2, x1 + 1' <(printf '1 2\n3 4\n') = 3 23
	prints --csv -op linrec --map='credit - credit + 1, credit - debit' full.csv = linrec 99.9 100.10000000000001 105.05000000000001
	prints -f 1,2,3 -op linrec --map='x2, x0 + x1' <(printf '1 2 3\n3 4 5\n') = 3 22
}

@test "--replace puts what is mapped into its field" {
	prints --csv --map='credit * 2' --replace full.csv = date,account,credit,debit 2024-01-01,a,200.20,0.20 2024-01-02,b,200.80,0.1 2024-01-03,a,210.80,0.05
	prints -f 2,1 --map='x + 1' --replace <(printf '1 x\n1 5\n' | sed 's/x/9/') = '2 10' '4 16'
	refuses 2 "--replace: --map makes one number of 2 fields (see -a)" --csv --map='credit - debit' --replace full.csv
}

# --- What follows the map

@test "keys, segments, windows, totals and exclusive results are those of the mapped numbers" {
	prints --csv --map='credit - debit' -g account full.csv = account,sum a,99.90 b,0.20 a,104.85
	prints --csv --map='credit - debit' -g account --total -op sum,max full.csv = account,sum,max a,104.85,99.90 b,0.20,0.20
	prints --csv --map='credit - debit' --reset-every=2 full.csv = sum 99.90 100.10 4.95
	prints --csv --map='credit - debit' --reset-on=account full.csv = sum 99.90 0.20 4.95
	prints --csv --map='credit - debit' --reset-at=0.2 full.csv = sum 99.90 0.20 5.15
	prints --csv --map='credit - debit' --window=2 full.csv = sum 99.90 100.10 5.15
	prints --csv --map='credit - debit' --total full.csv = 105.05
	prints --csv --map='credit - debit' -e --seed=0.5 full.csv = sum 0.5 100.40 100.60
	prints --csv --map='credit - debit' -op argmin,lag,delta full.csv = argmin,lag,delta 0,, 1,99.90,-99.70 1,0.20,4.75
	prints -t f64 --csv --map='credit > 1' -op count,max full.csv = credit_count,credit_max 1,1 2,1 3,1
	prints --csv --map='credit - debit' -F %.1f full.csv = sum 99.9 100.1 105.0
}

@test "a scan goes on over files and in another run" {
	(head -1 full.csv; tail -n +3 full.csv) >second.csv
	head -2 full.csv >first.csv
	run_pscan --csv --map='credit - debit' -a full.csv
	cp out right
	"$PSCAN" --csv --map='credit - debit' -a first.csv second.csv | cmp - right
	"$PSCAN" --csv --map='credit - debit' -a --state=S first.csv >parts
	"$PSCAN" --csv --map='credit - debit' -a --state=S second.csv | tail -n +2 >>parts
	cmp parts right
	refuses 2 'S: it has --map="credit - debit" in the state, "--map=credit" now' --csv --map=credit -a --state=S second.csv || true
	[ "$code" = 2 ]
}

# --- Missing numbers and invalid ones

@test "an element lacks its number if one of its fields does" {
	refuses 1 'bank.csv: line 5, field 3: empty or absent: "" (see --missing)' --csv --map='credit - debit' bank.csv
	prints --csv --map='credit - debit' --missing=skip bank.csv = sum 99.90 100.10 105.05
	prints --csv --map='credit - debit' --missing=keep -op sum,argmax bank.csv = sum,argmax 99.90,0 100.10,0 105.05,0 ,
	prints --csv --map='debit - credit' --missing=hold bank.csv = sum -99.90 -100.10 -105.05 -105.05
	prints --csv --map='credit - debit' --missing=0 bank.csv = sum 99.90 100.10 105.05 92.705
	run_pscan --csv --map='credit - debit' --missing=skip -a bank.csv
	assert_equal "$code $(tail -1 out)" '0 2024-01-04,b,,12.345,'
	run_pscan --csv --map='credit - debit' --missing=hold -a bank.csv
	assert_equal "$code $(tail -1 out)" '0 2024-01-04,b,,12.345,105.05'
	# What is not plain in a line is read again with the numbers before it.
	prints --csv --map='a - b * c' <(printf 'a,b,c\n5,1,1\n7,"2",1\n9,3,1\n8,1," 2"\n9,3,1\n') = sum 4 9 15 21 27
	# A field that is not used may lack its number.
	prints --csv -f 3,4 --map='x1' bank.csv = debit_sum 0.20 0.30 0.35 12.695
	prints --csv -f 3,4 --map='x0 * 0 + x1' --missing=skip bank.csv = sum 0.20 0.30 0.35
	# The zeros in the place of a missing number divide nothing.
	prints --csv -t i64 --map='a / b' --missing=hold <(printf 'a,b\n6,3\n5,\n,0\n8,2\n') = sum 2 2 2 6
	run_pscan -t i64 --csv --map='a / b' --missing=skip --output-format=binary <(printf 'a,b\n6,3\n5,\n8,2\n')
	assert_equal "$code $err$(od -An -td8 out | xargs)" '0 2 6'
}

@test "an invalid token is reported with its line and field" {
	sed 's/0.30/zz/' full.csv >bad.csv
	refuses 1 'bad.csv: line 3, field 3: not a number: "zz" (another field? see -f)' --csv --map='credit - debit' bad.csv
	assert_equal "$out" $'sum\n99.90'
	run_pscan --csv --map='credit - debit' -a --invalid=warn bad.csv
	assert_equal "$code $(paste -sd ' ' out)" '0 date,account,credit,debit,sum 2024-01-01,a,100.10,0.20,99.90 2024-01-02,b,zz,0.1, 2024-01-03,a,5,0.05,104.85'
	refuses 1 'standard input: line 2, field "b": not a number: "x" (another field? see -f)' --json --map='a-b' < <(printf '{"a":1,"b":2}\n{"a":1,"b":"x"}\n')
}

# --- Types

@test "with -t numbers are of that type, and converted to the accumulator first" {
	prints -t i64 --csv --map='a / b' <(printf 'a,b\n7,2\n-7,2\n') = sum 3 0
	prints -t i32:f64 --csv --map='a / b' <(printf 'a,b\n7,2\n-7,2\n') = sum 3.5 0
	prints -t f64:i32 --csv --map='a / b' <(printf 'a,b\n7.9,2.9\n-7,2\n') = sum 3 0
	prints -t u8 --overflow=wrap --csv --map='a - b' <(printf 'a,b\n1,2\n') = sum 255
	prints -t u32 --map='x & 6 | x << 4' <(printf '5\n') = 84
	prints -t f32 --map='x * 0.1f' <(printf '1\n3\n') = 0.1 0.4
	refuses 1 'standard input: line 2, field 1: not an integer: "1.5" (see -t)' -t i64 --csv --map='a' < <(printf 'a\n1.5\n')
	refuses 1 'standard input: line 3: a number does not fit in i8 (see -t)' -t i64:i8 --csv --map='a-b' < <(printf 'a,b\n1,2\n3,1000\n')
	refuses 2 "--map: 'x & 1': & needs integers" --map='x & 1' </dev/null
	refuses 2 'and needs integers, not f64' --map='sqrt(x)' -op and </dev/null
	refuses 2 "--map: 'x / 2': / has no exact decimal result (see -t f64)" -t dec --map='x / 2' </dev/null
}

@test "an element without a value ends the scan at its line" {
	local message='the expression has no value: a division of integers by 0 (or of the least integer by -1), or a float that does not fit its integer type'
	printf 'a,b\n6,2\n\n9,3\n5,0\n8,4\n' >in
	local size
	for size in 1 8 100000; do
		refuses 1 "in: line 5: $message" -t i64 --csv --map='a / b' -a --chunk-size=$size in
		assert_equal "$(paste -sd ' ' out)" 'a,b,sum 6,2,3  9,3,6'
	done
	refuses 1 "in: line 5: $message" -t i64 --csv --map='a % b' -g a in
	refuses 1 "in: line 5: $message" -t i64 --csv --map='a / b' -op sum,max,mean in
	refuses 1 "standard input: line 2, field 1: $message" -t i64 -f 1 --map='1 / x' < <(printf '1\n0\n')
	refuses 1 "standard input: line 2: $message" -t i64 --map='1 / x' < <(printf '1 1\n1 0 1\n')
	assert_equal "$out" $'1\n2\n3'
	refuses 1 "standard input: line 1: $message" -t f64 --map='(int)x' < <(printf '1e10\n')
	refuses 1 "standard input: line 4: $message" -t i64 --csv --missing=skip --map='a / b' < <(printf 'a,b\n1,1\n,\n1,0\n')
	# What is not evaluated has no value to lack.
	prints -t i64 --csv --map='b == 0 ? 0 : a / b' in = sum 3 6 6 8
}

@test "a division of floats by 0 is infinite or NaN, which --nan decides" {
	printf 'a,b\n6,2\n1,0\n0,0\n8,4\n' >in
	prints --csv --map='a / b' -op max,last in = max,last 3,3 inf,inf nan,nan nan,2
	prints --csv --map='a / b' -op last --nan=hold in = last 3 inf inf 2
	prints --csv --map='a / b' -op last --nan=keep in = last 3 inf nan 2
	prints --csv --map='a / b' -op last --nan=0 in = last 3 inf 0 2
	prints --csv --map='a / b' -op last,count --nan=skip in = last,count 3,1 inf,2 2,3
	run_pscan --csv --map='a / b' -op last,argmax -a --nan=skip in
	assert_equal "$code $(paste -sd ' ' out)" '0 a,b,last,argmax 6,2,3,0 1,0,inf,1 0,0,, 8,4,2,1'
	# Tokens, a field alone, and segments.
	prints -t f64 --map='x / x' --nan=skip <(printf '0 2\n0 0 5\n0\n') = 1 2
	prints -t f64 -f 1 --map='x / x' --nan=skip -op count,sum --chunk-size=1 <(printf '0\n2\n0\n0\n5\n0\n') = '1 1' '2 2'
	prints -t f64 -f 1 -g 2 --map='x / x' --nan=skip <(printf '0 a\n2 b\n0 a\n0 b\n5 b\n5 a\n') = 'b 1' 'b 2' 'a 1'
	prints -t f64 -f 1,2 --map='x / x' --nan=skip -a <(printf '0 1\n2 0\n0 0\n5 5\n') = '0 1 - 1' '2 0 1 -' '0 0 - -' '5 5 2 2'
	prints -t f64 -op sum --map='x / x' --nan=skip --overflow=error --total <(printf '0 1\n2 0\n') = 2
	refuses 1 'in: line 4: --map gives a NaN (see --nan)' --csv --map='a / b' --nan=fail in
	assert_equal "$out" $'sum\n3\ninf'
}

@test "of several columns the earliest element without a value ends the scan" {
	local message='the expression has no value: a division of integers by 0 (or of the least integer by -1), or a float that does not fit its integer type'
	# Line n is "1 1", but for the line and the column given: 10 / 1 = 10 in each line before.
	ones() { "$PYTHON" -c '
import sys
lines = [["1", "1"] for i in range(1200)]
for place in sys.argv[1:]:
    line, field, token = place.split(":")
    lines[int(line) - 1][int(field) - 1] = token
print("\n".join(map(" ".join, lines)))' "$@" >in; }
	local options
	for options in '' '-g 1' --chunk-size=700; do
		ones 1000:1:0 500:2:0
		# shellcheck disable=SC2086 # several words
		refuses 1 "in: line 500, field 2: $message" -f 1,2 -t i64 --map='10 / x' $options in
		assert_equal "$(wc -l <out) $(tail -1 out | sed 's/^1 //')" '499 4990 4990'
		ones 900:1:-1 400:2:-1
		# shellcheck disable=SC2086
		refuses 1 'in: line 400, field 2: --map gives a NaN (see --nan)' -f 1,2 -t f64 --map='sqrt(x)' --nan=fail $options in
		assert_equal "$(wc -l <out) $(tail -1 out | sed 's/^1 //')" '399 399 399'
	done
	# A NaN before a division by 0, and one after it.
	ones 700:1:0 300:2:-1
	refuses 1 'in: line 300, field 2: --map gives a NaN (see --nan)' -f 1,2 -t f64 --map='x < 0 ? sqrt(x) : 10 / (int)x' --nan=fail in
	ones 300:1:0 700:2:-1
	refuses 1 "in: line 300, field 1: $message" -f 1,2 -t f64 --map='x < 0 ? sqrt(x) : 10 / (int)x' --nan=fail in
	refuses 1 "in: line 300, field 1: $message" -f 1,2 -t f64 --map='x < 0 ? sqrt(x) : 10 / (int)x' --nan=skip in
	assert_equal "$(tail -1 out)" '2990 2990'
	# Of one record the first element.
	refuses 1 "standard input: line 2, field 1: $message" -f 1,2 -t i64 --map='10 / x' < <(printf '1 1\n0 0\n')
	refuses 1 "standard input: line 2, field 1: $message" -f 1,2 -t f64 --map='x < 0 ? sqrt(x) : 10 / (int)x' --nan=fail < <(printf '1 1\n0 -1\n')
	refuses 1 'standard input: line 2, field 1: --map gives a NaN (see --nan)' -f 1,2 -t f64 --map='x < 0 ? sqrt(x) : 10 / (int)x' --nan=fail < <(printf '1 1\n-1 0\n')
	# Missing numbers before it have no value to lack, and NaNs that are left out do not change its line.
	refuses 1 "standard input: line 3, field 1: $message" -t i64 -f 1 --map='1 / x' --missing=keep < <(printf -- '-\n-\n0\n1\n')
	assert_equal "$(paste -sd ' ' out)" '- -'
	refuses 1 "standard input: line 5, field 1: $message" -t i64 -f 1 --map='1 / x' --missing=keep < <(printf -- '-\n-\n1\n-\n0\n')
	assert_equal "$(paste -sd ' ' out)" '- - 1 -'
	for options in '-f 1' '-f 1 -g 1' ''; do
		# shellcheck disable=SC2086
		refuses 1 "standard input: line 4${options:+, field 1}: $message" $options -t f64 --nan=skip --map='x < 0 ? sqrt(x) : 10 / (int)x' \
			< <(printf '1\n-1\n-1\n0\n1\n')
	done
	assert_equal "$out" 10
	"$PYTHON" -c 'print("inf\n" * 600 + "2\n" + "inf\n" * 600 + "0.0000000001\n3")' >in
	refuses 1 'in: line 1202: cannot stay exact (see -t)' -t dec --nan=skip --map='x * x + x - x * x' in
	assert_equal "$out" 2
}

@test "--nan is about NaNs of exact decimals and of several numbers, too" {
	# The elements are 1, NaN (inf - inf) and 1.00.
	printf '1\ninf\n2.25\n' >exact
	prints --map='x - x + 1' -op sum,last,mean exact = '1 1 1' 'nan nan nan' 'nan 1 nan'
	prints --map='x - x + 1' -op sum,last,mean --nan=skip exact = '1 1 1' '2.00 1.00 1'
	prints --map='x - x + 1' -op sum,last,argmin --nan=keep exact = '1 1 0' 'nan nan nan' '2.00 1.00 0'
	prints --map='x - x + 1' -op sum,last,mean --nan=hold exact = '1 1 1' '1 1 1' '2.00 1.00 1'
	prints --map='x - x + 1' -op sum,last,mean --nan=7.50 exact = '1 1 1' '8.50 7.50 4.25' '9.50 1.00 3.1666666666666665'
	prints --map='x - x + 1' -op last,max --nan=99999999999999999999 exact = '1 1' '99999999999999999999 99999999999999999999' '1.00 99999999999999999999'
	prints --map='x - x + 1' -op last,max --nan=-inf exact = '1 1' '-inf 1' '1 1'
	prints --map='x - x + 1' -op last,max --nan=-0 exact = '1 1' '0 1' '1.00 1'
	prints -f 1 -g 1 --map='x - x + 1' --nan=skip exact = '1 1' '2.25 1.00'
	run_pscan -f 1 -a --map='x - x + 1' --nan=skip exact
	assert_equal "$code $(paste -sd , out)" '0 1 1,inf ,2.25 2.00'
	refuses 1 'exact: line 2: --map gives a NaN (see --nan)' --map='x - x + 1' --nan=fail exact
	assert_equal "$out" 1
	refuses 1 'exact: line 2: --map gives a NaN (see --nan)' --map='x - x + 1' -op mean --nan=fail exact
	# linrec is r = a * r + b: 2, then without the NaN 2 * 2 + 5 = 9; with 0.25 in its place 0.25 * 2 + 4 = 4.5
	# and 2 * 4.5 + 5 = 14.
	printf '1 2\n-1 4\n4 5\n' >pairs
	prints -f 1,2 -t f64 -op linrec --map='sqrt(x0), x1' pairs = 2 nan nan
	local options
	for options in '-t f64 --map=sqrt(x0),x1 pairs' '--map=(x0<0?0/(x0-x0):x0==4?2:x0),x1 pairs' '-t f32 --map=sqrt(x0),x1 pairs'; do
		# shellcheck disable=SC2086 # several words
		{
			prints -f 1,2 -op linrec --nan=skip $options = 2 9
			prints -f 1,2 -op linrec --nan=keep $options = 2 nan 9
			prints -f 1,2 -op linrec --nan=hold $options = 2 2 9
			prints -f 1,2 -op linrec --nan=0.25 $options = 2 4.5 14
			refuses 1 'pairs: line 2: --map gives a NaN (see --nan)' -f 1,2 -op linrec --nan=fail $options
			assert_equal "$out" 2
		}
	done
	# Both numbers are NaNs: one element. And only the second.
	prints -f 1,2 -t f64 -op linrec --nan=hold --map='sqrt(x0), sqrt(x1)' <(printf '1 4\n-1 -1\n4 25\n') = 2 2 9
	prints -f 1,2 -t f64 -op linrec --nan=3 --map='sqrt(x0), sqrt(x1)' <(printf '1 4\n-1 -1\n4 25\n') = 2 9 23
	prints -f 1,2 -t f64 -op linrec --nan=skip --map='x0, sqrt(x1)' <(printf '1 4\n3 -1\n2 25\n') = 2 9
}

@test "many NaNs among missing numbers are those of Python" {
	"$PYTHON" - <<-'END'
		import random
		import itertools
		rng = random.Random(11)
		lines = [[rng.choice(("-", "-3", "-1", "1", "2", "3")) for field in range(2)] for line in range(3000)]
		lines[700:1500] = [["-1", "-1"], ["-", "-1"]] * 400
		with open("in", "w") as data:
		    data.writelines(" ".join(line) + "\n" for line in lines)
		def scan(tokens, missing, nan):
		    """sum and argmax of a field: what comes out for each line"""
		    total, most, place, index, before = 0, None, None, 0, None
		    for token in tokens:
		        how = missing if token == "-" else nan if int(token) < 0 else None
		        number = None if how in ("skip", "keep", "hold") else int(how if how is not None else token)
		        if number is not None:
		            total += number
		            if most is None or number > most:
		                most, place = number, index
		            before = f"{total} {place}"
		            yield before
		        elif how == "hold" and before is not None:
		            yield before
		        else:
		            word = "-" if how == "skip" or token == "-" else "nan"
		            yield f"{word} {word}"
		        index += how != "skip"
		for missing, nan in itertools.product(("skip", "keep", "hold", "5"), repeat=2):
		    fields = [list(scan([line[field] for line in lines], missing, nan)) for field in range(2)]
		    with open(f"right.{missing}.{nan}", "w") as right:
		        right.writelines(" ".join((*line, a, b)) + "\n" for line, a, b in zip(lines, *fields))
	END
	local missing nan options
	for missing in skip keep hold 5; do
		for nan in skip keep hold 5; do
			for options in '-t f64 --map=x<0?sqrt(x):x' '--map=x<0?0/(x-x):x -T 3' '-t f64 --map=x<0?sqrt(x):x --chunk-size=900 -T 1'; do
				# shellcheck disable=SC2086 # several words
				"$PSCAN" -f 1,2 -op sum,argmax -a --missing=$missing --nan=$nan $options in >out
				cmp out right.$missing.$nan || { echo "$missing $nan $options"; return 1; }
			done
		done
	done
	# Tokens: 1 / x of integers, with missing numbers before, among and after the others.
	"$PYTHON" -c 'print("- " * 600 + "1 " + "- - 1 1 - " * 200 + "- " * 300)' >tokens
	run_pscan -t i64 --map='1 / x' --missing=skip -op sum --total tokens
	assert_equal "$code $err$out" '0 401'
	run_pscan -t i64 --map='1 / x' --missing=keep -op sum,argmax tokens
	assert_equal "$code $err$(wc -l <out) $(grep -c '^- -$' out) $(grep -v '^-' out | tail -1)" '0 1901 1500 401 600'
}

# --- Messages

@test "messages point into the expression" {
	refuses 2 "--map: 'credit - debt': no field is called \"debt\": perhaps \"debit\" (there are \"date\", \"account\", \"credit\", \"debit\")" \
		--csv --map='credit - debt' bank.csv
	refuses 2 "--map: '(credit': ) is missing at the end" --csv --map='(credit' bank.csv
	refuses 2 "--map: 'credit debit': expected an operator here" --csv --map='credit debit' bank.csv
	refuses 2 "--map: 'credit - x': no field can be called by its name beside a field of -f" --csv --map='credit - x' bank.csv
	refuses 2 "--map: 'x * 2': this is a field of -f, which is not given" --csv --map='x * 2' bank.csv
	refuses 2 "--map: 'credit * x': \"credit\" is not known: -f chooses the fields x, or x0, x1, ...; without -f they are called by their names" \
		--csv -f 3 --map='credit * x' bank.csv
	refuses 2 "--map of several fields, or of names beside i, on a device: not supported yet (see LIMITS in man pscan)" \
		-D cpu --csv --map='credit * i' bank.csv
	refuses 2 "--map: 'x0 + x2': there are fewer fields (see -f)" --csv -f 3,4 --map='x0 + x2' bank.csv
	refuses 2 "--map: 'x + x1': x is the only field of -f, and x0, x1, ... are its fields: one or the other" --csv -f 3,4 --map='x + x1' bank.csv
	refuses 2 '-f "a": columns of binary records have no names' --format=binary -c 2 --map='a - b' bank.csv
	refuses 2 '--map: 1 expression for the 2 inputs of linrec' --csv --map='credit - debit' -op linrec bank.csv
	PSCAN_DEVICE=auto refuses 2 "--emit: x, where --map calls fields by their names: not supported yet (see LIMITS in man pscan)" --csv --map='credit - debit' --emit='s - x' bank.csv
	local long
	long=$(printf 'credit+%.0s' $(seq 40))
	run_pscan --csv --map="$long" bank.csv
	assert_equal "$code $err" "2 pscan: --map: ...'dit+credit+credit+credit+credit+': a value is missing at the end"
}

@test "braces that touch a word, and bytes that no expression has" {
	printf 'a,b,a},\n1,2,3,4\n' >c.csv
	refuses() {
		run_pscan --csv --map="$2" c.csv
		assert_equal "$2: $code $err" "$2: 2 pscan: --map: '$2': $1"
	}
	refuses 'an operator is missing beside this name' '{a}{b}'
	refuses 'an operator is missing beside this name' '{a}b'
	refuses 'an operator is missing beside this name' 'b{a}'
	refuses 'this cannot be in an expression' '{a}}'
	refuses 'this cannot be in an expression' 'a // c'
	refuses 'this cannot be in an expression' 'a;b'
	refuses 'this cannot be in an expression' '"a" - b'
	for compared in 'a == "IN"' 'a=="IN" ? 1 : 0' '"IN" != a' '"IN"  < a' 'a > "IN' '1 + (a <= "x y")'; do
		refuses 'texts cannot be compared' "$compared"
	done
	refuses '{ is not closed' '{a'
	refuses '{} names no field' '{}'
	run_pscan --csv --map='{a}+{b}' c.csv
	assert_scanned 'sum 3'
	run_pscan --csv --map='a + b' < <(printf 'a,a,b\n1,2,3\n')
	assert_equal "$code $err" '1 pscan: standard input: line 1: several fields are called "a": 1, 2 (choose one by its number)'
}

@test "words that are no names of fields" {
	printf 'long,price\n1,2.5\n3,0.5\n' >c.csv
	refuses() {
		run_pscan "${@:2}" c.csv
		assert_equal "${*:2}: $code $err" "${*:2}: 2 pscan: $1"
	}
	refuses "--map: 'long - price': this is a type; in --map a field of this name is {long}" --csv --map='long - price'
	refuses "--map: 'round2(price)': the host has no function of this name: perhaps round" --csv --map='round2(price)'
	refuses "--map: 'fmax(price, 1)': the host has no function of this name: perhaps max" --csv --map='fmax(price, 1)'
	refuses "--map: 'cbrt(price)': the host has no function of this name" --csv --map='cbrt(price)'
	refuses "--map: 'i': no field is in it: -f chooses the numbers" --csv --map=i
	run_pscan --csv --map='{long} - price' c.csv
	assert_scanned 'sum -1.5 1.0'
	run_pscan --csv -f price --map=i c.csv
	assert_scanned 'price_sum 0 1'
}

@test "on a terminal a line below the message points to the place" {
	"$PYTHON" - <<-'END'
		import os, pty, subprocess
		def shown(*arguments):
		    master, slave = pty.openpty()
		    subprocess.run([os.environ["PSCAN"], *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=slave)
		    os.close(slave)
		    text = b""
		    try:
		        while part := os.read(master, 4096):
		            text += part
		    except OSError:
		        pass
		    return text.decode().replace("\r\n", "\n").splitlines()
		for expression, place, size in (("credit - debt", 9, 4), ("é*credit +", 10, 0), ("{x}+1", 0, 3)):
		    message, below = shown("--csv", "--map=" + expression, "bank.csv")
		    begin = len("pscan: --map: '") + place
		    assert below == " " * begin + "^" + "~" * (size - 1), (message, below)
	END
}

@test "names of fields are for --map: in --emit s, n, t and i are the result's, whatever fields are called" {
	printf 's,n,t,i\n1,2,3,4\n3,4,5,6\n5,6,7,8\n' >named.csv
	# The sums of s * n are 2, 14 and 44; with the index, 2, 15 and 47.
	local map
	for map in 's * n' 's * n + 0 * t' 's * n + 0 * i'; do
		prints --csv -t i64 --map="$map" --emit=s named.csv = sum 2 14 44
		prints --csv -t i64 --map="$map" --emit='s * 10 + n' named.csv = sum 21 142 443
		prints --csv -t i64 --map="$map" --emit='t - s' named.csv = sum 42 30 0
		prints --csv -t i64 --map="$map" --emit='s * 10 + i' named.csv = sum 20 141 442
	done
	cut -d, -f1,2 named.csv >plain.csv
	prints --csv -t i64 --map='s * n + i' --emit=s plain.csv = sum 2 15 47
	prints --csv -t i64 --map='s * n + i' --emit='s * 10 + n' plain.csv = sum 21 152 473
	prints --csv -t i64 --map='s * n + i' -e --emit='s * 10 + i' plain.csv = sum 0 21 152
	prints --csv -t i64 --map='s * n + i' --emit='t - s' plain.csv = sum 45 32 0
	printf 'a,b\n1,2\n' >ab.csv
	for map in 'a * b' 'a * b + i'; do
		refuses 2 "--emit: 's + b': this name means nothing here" --csv -t i64 --map="$map" --emit='s + b' ab.csv
	done
}

@test "the seed has no element" {
	printf '1 2 3\n4 5 6\n' >numbers
	prints -f 1,2,3 -t i64 --map='x0 * x1 * x2 + i' -e --seed=5 --emit='s * 1000 + 100 * x0 + 10 * x1 + x2' numbers = 5123 11456
	prints -f 1,2,3 -t i64 --map='x0 * x1 * x2 + i' --include-initial --seed=5 --emit='s * 10 + n' numbers = 50 111 1322
	refuses 2 '--emit: the initial result has no element: with --include-initial only s and n can be used where --map makes one number of several' \
		-f 1,2,3 -t i64 --map='x0 * x1 * x2 + i' --include-initial --emit='s + x1' numbers
}

@test "the index i beside fields that are called by their names" {
	printf 'a,b,i\n1,10,7\n2,20,8\n3,30,9\n' >named.csv
	run_pscan --csv --map='(a + b) * ({i} - 6)' named.csv
	assert_equal "$code $out" '0 sum
11
55
154'
	cut -d, -f1,2 named.csv >plain.csv
	run_pscan --csv --map='a * 100 + i * {b}' -op last plain.csv
	assert_equal "$code $out" '0 last
100
220
360'
	run_pscan --csv --map='a * 100 + i' -op max -g b -a plain.csv
	assert_equal "$code $out" '0 a,b,a_max
1,10,100
2,20,200
3,30,300'
	# A field that is called i wins.
	run_pscan --csv --map='a * i' -op last named.csv
	assert_equal "$code $out" '0 last
7
16
27'
}
