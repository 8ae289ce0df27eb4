#!/usr/bin/env bats
# Expressions on the host: values by hand, and random ones against a model (tests/tools/compare_expressions.py). There
# is no OpenCL unless a test says otherwise.
# shellcheck disable=SC2030,SC2031,SC2154 # each test has its own environment; code, out and err are set by run_pscan
load helper

setup() {
	cd "$TMP" || return
	export PSCAN_DEVICE=none
	VENDORS=${OCL_ICD_VENDORS-unset}
	export OCL_ICD_VENDORS=/nonexistent
}

# maps TYPE EXPRESSION ELEMENTS EXPECTED: the value for each element.
maps() {
	# shellcheck disable=SC2086 # several elements
	run_pscan -t "$1" -op last --map="$2" < <(printf '%s\n' $3)
	assert_scanned "$4" "$1 $2"
}

# scans EXPRESSION ELEMENTS EXPECTED OPTION...: the inclusive results, or what options make of them.
scans() {
	# shellcheck disable=SC2086 # several elements
	run_pscan -op "$1" "${@:4}" < <(printf '%s\n' $2)
	assert_scanned "$3" "$1 ${*:4}"
}

# stops_at NUMBER EXPECTED OPTION...: exit 1 at this element (and line) of standard input, after the results before it.
stops_at() {
	run_pscan -q "${@:3}"
	assert_equal "${*:3}: $code ${out//$'\n'/ }" "${*:3}: 1 $2"
	[[ $err =~ (element|line)\ $1:\  ]]
	assert_equal "$(wc -l <"$TMP/err")" 1
}

@test "an operator of one's own, without OpenCL" {
	scans 'a*b % 1000003' '1 2 3 4 5 6 7 8 9 10' '1 2 6 24 120 720 5040 40320 362880 628791' -t u64
	scans 'a + b' '0.1 0.2' '0.1 0.30000000000000004' -t f64
	scans 'a > b ? a : b' '3 -1 7 5' '3 3 7 7' -t i16
	scans 'a ^ b ^ 5' '1 2 4' '1 6 7' -t u8
	for type in i8 u8 i16 u16 i32 u32 i64 u64 f32 f64; do
		scans 'a + b' '1 2 3' '1 3 6' -t $type
		scans 'max(a, b)' '2 1 3' '2 2 3' -t $type
	done
}

@test "an operator of one's own is exact for decimals" {
	scans 'a + b' '0.1 0.2 -0.30 1' '0.1 0.3 0.00 1.00'
	scans 'max(a, b)' '1.50 1.5 1 2 2.000' '1.50 1.50 1.50 2 2'
	scans 'b < a ? b : a' '1.50 1.5 01 2' '1.50 1.50 1 1'
	scans 'a * b' '1.5 1.10 -2 1e1' '1.5 1.650 -3.300 -33.000'
	scans 'a + b + 0.005' '1 2' '1 3.005'
	scans 'a + b' '92233720368547758.07 0.01 1e20' '92233720368547758.07 92233720368547758.08 100092233720368547758.08'
	{
		echo 9000000000000000000
		yes 0.01 | head -n 40
	} >in
	run_pscan --total --chunk-size=64 -op 'a + b' in
	assert_equal "$out" 9000000000000000000.40
	# What else is in the expression makes it f64; so do windows.
	scans 'a + b / 1' '0.1 0.2' '0.1 0.30000000000000004'
	scans 'a + b' '0.1 0.2' '0.1 0.30000000000000004' --window=2
	scans 'a + b' '0.1 0.2 x 0.3' '0.1 0.3 0.6' --invalid=ignore -t dec
	# A seed and a key's sum of more than 64 bits, before small numbers.
	run_pscan -op 'a + b' --seed=9223372036854775808 < <(printf '1\n2\n')
	assert_equal "$code ${out//$'\n'/ }" '0 9223372036854775809 9223372036854775811'
	{ printf 'a 9223372036854775807\na 1\n' && yes 'b 1' | head -n 99 && printf 'a 1\na 2\n'; } >in
	run_pscan -op 'a + b' -g 1 -f 2 --chunk-size=64 in
	assert_equal "$code $(grep '^a' out | cut -d ' ' -f 2 | paste -sd ' ')" \
		'0 9223372036854775807 9223372036854775808 9223372036854775809 9223372036854775811'
}

@test "where exactness of an operator of one's own ends" {
	# 1e-19 needs 19 decimals. The scan goes on from the nearest f64 to 0.50.
	scans 'a + b' '0.25 0.25 1e-19 1.00 -2' '0.25 0.50 0.5 1.5 -0.5'
	scans 'a + b' 'inf 1 1' 'inf inf inf'
	scans 'a * b' '0.1 1e-10 1e-8 2' '0.1 0.00000000001 1e-19 2e-19'
	scans 'a + b' '170141183460469231731687303715884105727 1 5' '170141183460469231731687303715884105727 1.7014118346046923e+38 1.7014118346046923e+38'
	run_pscan -t dec -op 'a + b' < <(printf '%s\n' 0.1 0.2 1e-19 5)
	assert_equal "$code $out" $'1 0.1\n0.3'
	assert_contains "$err" 'line 3: cannot stay exact: "1e-19"'
	run_pscan -t dec -op 'a * b' < <(printf '%s\n' 1e-10 1e-9)
	assert_equal "$code $out" '1 0.0000000001'
	run_pscan -v -op 'a + b' < <(printf '%s\n' 0.1 inf)
	assert_contains "$err" 'exact decimals end at element 2; the scan goes on in f64'
	run_pscan -F %d -op 'a + b + 0.5' < <(printf '%s\n' 1 2)
	assert_equal "$code $out" '1 1'
	assert_contains "$err" 'not an integer, which -F %d needs'
	# With keys each scan for itself, in whatever chunks.
	for ((i = 0; i < 300; i++)); do
		printf 'a 0.10\nb 0.25\n'
		[ $i != 150 ] || echo 'b 1e-30'
	done >in
	"$PSCAN" -f 2 -g 1 -op 'a + b' --chunk-size=64 in >got
	assert_equal "$(sed -n '301,304p' got | tr '\n' ' ') $(tail -n 2 got | tr '\n' ' ')" 'a 15.10 b 37.75 b 37.75 a 15.20  a 30.00 b 75 '
}

@test "--emit is exact for decimals, with all names" {
	local ten=(0.1 0.1 0.1 0.1 0.1 0.1 0.1 0.1 0.1 0.1)
	scans sum '0.10 0.25 3' '0.00 0.10 0.35' --emit='s - x'
	scans sum '0.10 0.25 3' '3.25 3.00 0.00' --emit='t - s'
	scans sum '0.10 0.25 3' '1.10 12.35 26.35' --emit='s + n + 10 * i'
	scans 'a + b' '0.10 0.25 3' '3.25 3.00 0.00' --emit='t - s'
	scans count '0.1 0.2' '1 0' --emit='t - s'
	scans max '1.50 1.5 1 2.25' '0.00 0.00 0.50 0.00' --emit='s - x'
	# The operator's own result stays the one before, and the seed is no number.
	scans sum '0.10 0.25 3' '0.60 0.85 3.85' --emit='s + x' -e --seed=0.50
	scans sum '0.10 0.25 3' '0 1 2' --emit='n' -e
	# (An operator that needs the element itself for its exclusive results, too.)
	scans drawdown '5 6 3 9' '0 1 2 3' --emit='n' -e --seed=3
	scans drawdown '0.5 6 3 9' '0 1 0 1' --emit='n' -e --seed=3 --reset-every=2
	scans sum '0.10 0.25 3 0.01' '0.35 0.35 3.01 3.01' --emit='t' --reset-every=2
	scans sum '0.10 - 3' '1.10 - 5.10' --emit='s + n' --missing=keep
	scans sum '0.10 - 3' '0.10 - 5.10' --emit='s + i' --missing=keep
	scans sum '0.10 0.25 3' '1.10 2.35 5.25' --emit='s + n' --window=2
	scans sum '0.10 inf 3' '0.00 nan inf' --emit='s - x'
	scans sum '170141183460469231731687303715884105727 1' '3.402823669209385e+38 1.7014118346046923e+38' --emit='s + x'
	# What is not exact makes it f64, as does what the manual lists.
	scans sum '0.1 0.2' '0.1 0.15000000000000002' --emit='s / n'
	scans sum '0.1 0.2' '0.10000000000000003' --emit='s - x' --total
	# The sum in f64 of ten times 0.1 is less than 1.
	scans sum "${ten[*]}" 1 --emit='trunc(s)' --total
	scans sum "${ten[*]}" 1 --emit='(float)s' --total
	scans sum "${ten[*]}" 0 --emit='(int)s' --total
	scans last '1 2 3' '0 0.001 0.002' --emit='i * 0.001' --map='x / 1'
	scans last '1 2 3' '0.000 0.001 0.002' --emit='i * 0.001' --map='x * 1'
	run_pscan --csv -f v -g k -a --as=left --emit='t - s' < <(printf 'k,v\nx,0.10\ny,1\nx,0.25\ny,2.5\n')
	assert_equal "$out" $'k,v,left\nx,0.10,0.25\ny,1,2.5\nx,0.25,0.00\ny,2.5,0.0'
	for tokens in '0.10 0.25' '3'; do
		# shellcheck disable=SC2086 # several tokens
		"$PSCAN" --emit='s - x + 10 * i' --state=state < <(printf '%s\n' $tokens) >>got
	done
	assert_equal "$(tr '\n' ' ' <got)" '0.00 10.10 20.35 '
}

@test "--nan and --reset-at apply to what --map gives, or to x where it is a part of the operator" {
	run_pscan --map='sqrt(x)' --nan=9 -op last < <(printf '1\n-1\nnan\n')
	assert_scanned '1 9 3'
	run_pscan --map='sqrt(x) + i*0' --nan=9 -op last < <(printf '1\n-1\nnan\n')
	assert_scanned '1 nan 3'
	run_pscan --map='x*2' --reset-at=2 < <(printf '1\n2\n1\n2\n')
	assert_scanned '2 6 2 6'
	run_pscan --map='x*2 + i*0' --reset-at=2 < <(printf '1\n2\n1\n2\n')
	assert_scanned '2 4 6 4'
	run_pscan -t u8 --format=binary --output-format=text --map='x*2' --reset-at=2 < <(printf '\1\2\1\2')
	assert_scanned '2 4 6 4'
}

@test "an exact operator of one's own with all that goes with it" {
	scans 'a + b' '0.1 0.2 0.3' '0.50 0.60 0.80' -e --seed=0.50
	scans 'a + b' '0.1 0.2 0.3' '0.50 0.60 0.80 1.10' --include-initial --seed=0.50
	scans 'a + b' '0.1 0.2 0.3' '0.6' --total
	scans 'a + b' '0.1 0.2 0.3 0.05' '0.1 0.3 0.3 0.35' --reset-every=2
	scans 'a + b' '0.1 0.2 0.3 0.05' '0.3 0.35' --reset-every=2 --total
	# -e, seeds and resets together: each segment begins with the seed, and is exact again.
	scans 'a + b' '0.1 0.2 0.3 0.05' '0.60 0.80 0.80 0.85' --seed=0.50 --reset-every=2
	scans 'a + b' '0.1 0.2 0.3 0.05' '0.50 0.60 0.50 0.80' -e --seed=0.50 --reset-every=2
	scans 'a * b' '1.5 -2 0.10 3' '2.0 3.00 2.0 0.200' -e --seed=2.0 --reset-every=2
	scans 'max(a, b)' '1.5 2.50 0.1 9' '2 2 2 2' -e --seed=2 --reset-every=2
	scans 'a + b' '0.1 1e-19 0.2 0.25' '0.50 0.60 0.50 0.70' -e --seed=0.50 --reset-every=2
	scans 'a + b' '0.1 1e-19 0.2 0.25' '0.60 0.6 0.70 0.95' --seed=0.50 --reset-every=2
	scans 'a + b' '0.1 0.2 0.3 0.05' '0.80 0.85' --seed=0.50 --reset-every=2 --total
	run_pscan -g 1 -f 2 -op 'a + b' -e --seed=0.50 --reset-every=2 < <(printf '%s\n' 'x 0.1' 'y 1' 'x 0.25' 'x 3' 'y 2' 'y 7.125' 'x 1')
	assert_scanned 'x 0.50 y 0.50 x 0.60 x 0.50 y 1.50 y 0.50 x 3.50' 'keys, -e, a seed and resets'
	scans 'a + b' '0.1 - 0.2' '0.1 0.1 0.3' --missing=hold
	scans 'a + b' '0.1 - 0.2' '0.1 - 0.3' --missing=keep
	scans 'a + b' '0.1 0.2 0.3' '0.3 0.6' --min-count=2
	scans 'a + b' '0.1 0.2 0.3' '0.2 0.6 1.2' --map='x * 2'
	scans 'a + b' '0.1 0.2 0.3' '0.2 0.6 1.2' --emit='s * 2'
	scans 'a + b' '0.1 0.2 0.3' '0.1 0.3 0.6' --check-associative
	scans 'sum,a + b' '0.1 0.2' '0.1 0.1 0.3 0.3'
	run_pscan -op 'a - b' --check-associative < <(seq 3)
	assert_contains "$code $err" '1 pscan: standard input: element 3: expr is not associative'
	run_pscan --csv -f v,w -g k -a -op 'a + b' < <(printf 'k,v,w\nx,0.1,1\ny,0.25,2\nx,0.2,3\n')
	assert_equal "$out" $'k,v,w,v_expr,w_expr\nx,0.1,1,0.1,1\ny,0.25,2,0.25,2\nx,0.2,3,0.3,4'
	run_pscan --output-format=binary -op 'a + b' < <(seq 3)
	assert_equal "$code $err" '2 pscan: exact decimals have no binary form: name a type for --output-format=binary, such as -t f64'
	run_pscan --output-format=npy < <(seq 3)
	assert_equal "$code $err" '2 pscan: exact decimals have no binary form: name a type for --output-format=npy, such as -t f64'
	# A state goes on, also after the end of exactness.
	for tokens in '0.10 0.25' '1 1e-20' '0.5 -7'; do
		# shellcheck disable=SC2086 # several tokens
		"$PSCAN" -op 'a + b' --state=state < <(printf '%s\n' $tokens) >>got
	done
	assert_equal "$(tr '\n' ' ' <got)" '0.10 0.35 1.35 1.35 1.85 -5.15 '
}

@test "every NaN is written as the same one, at each place, and other numbers stay" {
	printf '\001\0\300\177\0\0\300\377\0\0\200\077\002\0\200\177\003\0\300\377\0\0\0\300' >f32
	printf '\001\0\0\0\0\0\370\177\0\0\0\0\0\0\360\077\002\0\0\0\0\0\370\377' >f64
	# Words of 4 bytes, the first one first.
	words() { od -An -v -t x1 -w4 | tr -d ' ' | paste -sd' '; }
	for options in --map=-x --emit=-s; do
		written=$("$PSCAN" -t f32le --format=binary -op last "$options" f32 | words)
		assert_equal "$options: $written" "$options: 0000c07f 0000c07f 000080bf 0000c07f 0000c07f 00000040"
		written=$("$PSCAN" -t f64le --format=binary -op last "$options" f64 | words)
		assert_equal "$options: $written" "$options: 00000000 0000f87f 00000000 0000f0bf 00000000 0000f87f"
	done
}

@test "operators bind as they do in C" {
	maps i32 '2 + 3 * x' 4 14
	maps i32 '(2 + 3) * x' 4 20
	maps i32 'x - 2 - 1' 10 7
	maps i32 '100 / x / 5' 10 2
	maps i32 'x << 1 + 1' 3 12
	maps i32 'x & 1 == 0' 3 0
	maps i32 'x | 1 ^ 3 & 2' 4 7
	maps i32 '3 - x < 2 + x' '0 1' '0 1'
	maps i32 'x == 1 || x == 2 && 0' '1 2 3' '1 0 0'
	maps i32 'x > 2 ? 10 : x > 1 ? 20 : 30' '1 2 3' '30 20 10'
	maps i32 'x ? 1 : 0 ? 2 : 3' '0 1' '3 1'
	maps i32 '-x % 3' 7 -1
	maps i32 '!x + 1' '0 5' '2 1'
	maps i32 '- -x' 5 5
	maps i32 '~-x' 5 4
	maps f64 '-(float)x * 2' 0.1 -0.20000000298023224
}

@test "integers are of C's types, and signed ones wrap, too" {
	maps i32 'x / 2 * 2' '-7 7 8' '-6 6 8'
	maps i32 'x % 3' '-7 7' '-1 1'
	maps i32 '7 / x' '-2 2' '-3 3'
	maps u32 'x - 1' '0 1' '4294967295 0'
	maps u32 'x * x' '65537 3' '131073 9'
	maps i8 'x + x' '100 -100 64' '-56 56 -128'
	maps i8 '(x + x) / 2' 100 100
	maps u16 'x * x > 0' 65535 0
	maps u8 '~x' '0 1' '255 254'
	maps u8 '~x / 2' 0 0
	maps i32 'x + 1' 2147483647 -2147483648
	maps i32 '-x' -2147483648 -2147483648
	maps i64 'x + 2147483647 + 1' 0 2147483648
	maps i64 '2147483647 + (x + 1)' 0 2147483648
	maps i64 '2147483648 - x' 1 2147483647
	maps i64 '4294967295u + 1u + x' 5 5
	maps i64 '4294967295u + 1l + x' 5 4294967301
	maps i64 'x + (-1 < 0u)' 7 7
	maps i64 'x + (-1 < 0ul)' 7 7
	maps i64 'x + (-1 < 0)' 7 8
	maps i64 'x + (-1 < 0x7fffffff)' 7 8
	maps i64 'x + (-1 < 0x80000000)' 7 7
	maps i32 '0x10 + 010 + x' 1 25
	maps u64 'x + 18446744073709551615ul' 3 2
	maps i64 '(char)x' '127 128 -129' '127 -128 127'
	maps i64 '(uchar)x' '255 256 -1' '255 0 255'
	maps i64 '(ushort)x + (short)x' '65535 32768' '65534 0'
	maps i64 '(uint)x' -1 4294967295
	maps i64 'x < 0 ? -1 : 1u' '-5 5' '4294967295 1'
	maps f64 'x < 0 ? -1 : 1ul' '-5 5' '18446744073709552000 1'
}

@test "shifts look at the lowest bits of their count" {
	maps i32 'x << 33' '1 3' '2 6'
	maps i64 'x << 33' 1 8589934592
	maps i32 '1 << x' '31 32 33 -1' '-2147483648 1 2 -2147483648'
	maps i32 'x << 33l' 1 2
	maps i8 'x << 9' 1 0
	maps i8 '(x << 31) != 0' 1 1
	maps i32 'x >> 1' '-5 5' '-3 2'
	maps u32 'x >> 1' 4294967295 2147483647
	maps u32 'x >> 32' 7 7
	maps u64 'x >> 63' 18446744073709551615 1
	maps u64 'x >> 64' 7 7
}

@test "floats are of C's types" {
	maps f32 'x / 3' 1 0.33333334
	maps f64 'x / 3' 1 0.3333333333333333
	maps f32 '(x + 1e8f) - 1e8f' 1 0
	maps f32 '(x + 1e8) - 1e8' 1 1
	maps f32 'x + 16777216 - 16777216' 1 0
	maps f64 '4 / 2 + x' 0.5 2.5
	maps f64 '1 / 2. + x' 0.5 1
	maps f64 '(float)x' 0.1 0.10000000149011612
	maps f64 '(int)x' '-1.9 1.9' '-1 1'
	maps f64 '1.5f + .5 + 2. + 1e1 + x' 0 14
	maps f64 'x / 0' '1 -1 0' 'inf -inf nan'
	maps f64 'x == x' 'nan 1' '0 1'
	maps f64 'x ? 1 : 2' '0 -0 0.5 nan' '2 2 1 1'
	maps f64 '!x' '0 -0 0.5 nan' '1 1 0 0'
	maps i32 'x * 0.5' '7 -7' '3 -3'
}

# of_num EXPRESSION ELEMENTS EXPECTED OPTION...: the values for text without -t.
of_num() {
	# shellcheck disable=SC2086 # several elements
	run_pscan -op last --map="$1" "${@:4}" < <(printf '%s\n' $2)
	assert_scanned "$3" "$1 ${*:4}"
}

# refused MESSAGE OPTION...: the message after "pscan: ", with exit status 2 and before any result.
refused() {
	run_pscan "${@:2}" < <(seq 3)
	assert_equal "${*:2}: $code $err$out" "${*:2}: 2 pscan: $1"
}

# values NAME=VALUES EXPRESSION: what Python gives for each of the values.
values() {
	/usr/bin/python3 -c 'import sys
from math import *
name, numbers = sys.argv[1].split("=")
print(*(repr(eval(sys.argv[2], globals(), {name: float(x)})).removesuffix(".0") for x in numbers.split()))' "$@"
}

@test "of text without -t integers have 64 bits and a sign, and their quotients are floats" {
	of_num '5/9 * (x - 32)' '212 32 50 33' "$(values 'x=212 32 50 33' '5/9 * (x - 32)')"
	of_num 'pow(x, 1/3)' '8 27' "$(values 'x=8 27' 'pow(x, 1/3)')"
	of_num 'x / (1024*1024*1024*2)' '1 2' "$(values 'x=1 2' 'x / (1024*1024*1024*2)')"
	of_num '1 << 40' 1 "$((1 << 40))"
	of_num '7 % 4 + 6 / 4 + (x > 1) * 100000 * 100000 / 1' '1 2' '4.5 10000000004.5'
	of_num '~1u / 1 + x' 0 -2
	of_num '(int)x / 2' '7 -7' '3.5 -3.5'
	of_num '-x / (float)2 / 3' 1 -0.16666666666666666
	of_num '9223372036854775807 / x' 1 9223372036854776000
	of_num '(x > 1 ? 1 : 2) / 4' '1 2' '0.5 0.25'
	for number in num dec; do
		run_pscan -t $number --map='x + 100000*100000' < <(seq 1)
		assert_scanned 10000000001 $number
	done
	run_pscan --csv --map='3600*24*365*70/a' < <(printf 'a,b\n3,2\n')
	assert_scanned "a_sum $((3600 * 24 * 365 * 70 / 3))" csv
	scans sum '1 2' '10000000000 30000000000' --emit='100000*100000*s/1'
	scans sum '1 2 3' '-2.5 -2 -1.5' --emit='(i - 5) / 2'
	scans sum '1 2 3' '0.5 1 1.5' --emit='n / 2'
	scans sum '1 2 3' '-2.5 -3 -3.5' --emit='(abs(i - 5) - 10) / 2'
	scans count '1 2 3' '-4.5 -4 -3.5' --emit='(s - 10) / 2'
	scans 'a + b * (1/2)' '1 2 4' '1 2 4' -q
	scans 'a + b + 100000 * 100000 / 2' '1 2' '1 5000000003'
	scans last '1 2 3' '-9.5 -9 -8.5' --map='(i - 19) / 2'
}

@test "constants that do not fit, and divisions of constants with a remainder, are refused" {
	for type in i8 u32 i64 f32 f64; do
		refused "--map: '5/9 * x': '5/9' divides integers and gives 0: write 5.0/9" -t $type --map='5/9 * x'
		refused "--emit: 's * (1+2) / (-1 - 6/4)': '6/4' divides integers and gives 1: write 6.0/4" \
			-t $type --emit='s * (1+2) / (-1 - 6/4)'
		refused "--map: 'x + 100000*100000': '100000*100000' does not fit in 32 bits: write 100000L*100000" \
			-t $type --map='x + 100000*100000'
		refused "-op: 'a + (3 - 10)/-2*b': '(3 - 10)/-2' divides integers and gives 3: write (3.0 - 10)/-2" \
			-t $type -op 'a + (3 - 10)/-2*b'
		refused "--map: '1/0 + x': '1/0' divides by 0" -t $type --map='1/0 + x'
		refused "--map: '5 % (2 - 2) + x': '5 % (2 - 2)' divides by 0" -t $type --map='5 % (2 - 2) + x'
		refused "--map: '(1 << 31) + x': '1 << 31' does not fit in 32 bits: write 1L << 31" -t $type --map='(1 << 31) + x'
		refused "--map: 'x - (-2147483647 - 2)': '-2147483647 - 2' does not fit in 32 bits: write -2147483647L - 2" \
			-t $type --map='x - (-2147483647 - 2)'
	done
	refused "--map: 'x + 5u/9u': '5u/9u' divides integers and gives 0: write a number of it with .0" -t f64 --map='x + 5u/9u'
	refused "--map: 'x + (int)5/9': '(int)5/9' divides integers and gives 0: write (int)5/9.0" -t f64 --map='x + (int)5/9'
	refused "--map: 'x + (1u << 40)': '1u << 40' does not fit in 32 bits: write a number of it with L" -t f64 --map='x + (1u << 40)'
	refused "--map: '9223372036854775807L + 1': '9223372036854775807L + 1' does not fit in 64 bits" -t i64 --map='9223372036854775807L + 1'
	refused "--map: 'x / (9223372036854775807 + 1)': '9223372036854775807 + 1' does not fit in 64 bits: write 9223372036854775807.0 + 1" \
		--map='x / (9223372036854775807 + 1)'
	refused "--map: 'x / 9223372036854775808': 9223372036854775808 does not fit in 64 bits: write 9223372036854775808.0" \
		--map='x / 9223372036854775808'
	refused "--map: 'x / (1 << 64)': '1 << 64' does not fit in 64 bits" --map='x / (1 << 64)'
	# Exact decimals have more digits, and C's unsigned integers wrap.
	of_num 'x * 100000 * 100000 * 100000 * 100000' 3 300000000000000000000
	of_num 'x + 10000000000 * 10000000000' 3 100000000000000000003
	maps u64 '4294967295u + 1u + x' 5 5
	maps i64 'x + (long)100000 * 100000' 1 10000000001
	maps i64 'x + 6/3 + -7/7 + 7%4' 1 5
	maps i32 'x / 2 + (x > 1 ? 5 : 6) / 4' '1 2' '1 2'
}

@test "a comparison of a comparison is refused everywhere, but not in brackets" {
	for options in '' '-t i32' '-t f64'; do
		# shellcheck disable=SC2086 # several options
		{
			refused "--map: '1 < x < 2': '1 < x < 2' compares a comparison: write 1 < x && x < 2" $options --map='1 < x < 2'
			refused "-op: 'a == b == 1': 'a == b == 1' compares a comparison: write a == b && b == 1" $options -op 'a == b == 1'
			refused "--emit: '1 + (0 <= s + (n) != 7)': '0 <= s + (n) != 7' compares a comparison: write 0 <= s + (n) && s + (n) != 7" \
				$options --emit='1 + (0 <= s + (n) != 7)'
			refused "--map: '1 == x < 2': '1 == x < 2' compares a comparison: put brackets around one of them, or write two of them with &&" \
				$options --map='1 == x < 2'
		}
	done
	of_num '(1 < x) == (x < 3)' '1 2 3' '0 1 0'
	of_num '1 < x && x < 3' '1 2 3' '0 1 0'
	maps i32 'abs(x < 2) == 1' '1 2' '1 0'
}

@test "on a device constants of text without -t mean the same, or are refused" {
	need_opencl
	export OCL_ICD_VENDORS=$VENDORS
	[ "$VENDORS" != unset ] || unset OCL_ICD_VENDORS
	export PSCAN_DEVICE=cpu
	scans 'a + b*5/9 + 100000*100000 + 0x10 + 010 + (1 << 40)' '212 32' \
		"212 $(values 'b=32' '212 + b*5/9 + 100000*100000 + 0x10 + 0o10 + (1 << 40)')"
	scans sum '1 2 3' '-11.5 -10 -8.5' --emit='(i - 5) / 2.0 + (n - 10)'
	scans count '1 2 3' '-4.5 -4 -3.5' --emit='(s - 10) / 2.0'
	scans last '1 8' '100000000000 200000000000' --map='cbrt(x) * (1000000 * 100000)'
	refused "-op: 'a + b*(5/9)': '5/9' divides integers on a device: write 5.0/9" -op 'a + b*(5/9)'
	refused "--emit: '(n - 5) / 2': '(n - 5) / 2' divides integers on a device: write (n - 5.0) / 2" --emit='(n - 5) / 2'
	refused "--map: 'cbrt(x) * (1/3)': '1/3' divides integers on a device: write 1.0/3" --map='cbrt(x) * (1/3)'
	refused "--emit: 'abs(i - 5) / 2.0': 'abs(i - 5)' has no sign on a device: write fabs((double)(...))" --emit='abs(i - 5) / 2.0'
	refused "-op: 'a + b * (1 < a < 2)': '1 < a < 2' compares a comparison: write 1 < a && a < 2" -op 'a + b * (1 < a < 2)'
	refused "-op: 'a + b + 3/2': '3/2' divides integers and gives 1: write 3.0/2" -t f64 -op 'a + b + 3/2'
	refused "--map: 'cbrt(x) + 65536 * 65536': '65536 * 65536' does not fit in 32 bits: write 65536L * 65536" \
		-t f64 --map='cbrt(x) + 65536 * 65536'
	refused "-op: 'a + b + 9223372036854775808': 9223372036854775808 does not fit in 64 bits: write 9223372036854775808.0" \
		-op 'a + b + 9223372036854775808'
}

@test "functions" {
	maps f64 'floor(x)' '-2.5 -0.5 0.5 2.5' '-3 -1 0 2'
	maps f64 'ceil(x)' '-2.5 -0.5 0.5 2.5' '-2 -0 1 3'
	maps f64 'trunc(x)' '-2.5 -0.5 0.5 2.5' '-2 -0 0 2'
	maps f64 'round(x)' '-2.5 -0.5 0.49999999999999994 2.5' '-3 -1 0 3'
	maps f64 'abs(x)' '-2.5 -0 nan' '2.5 0 nan'
	maps i32 'abs(x)' '-5 5 -2147483648' '5 5 -2147483648'
	maps i64 'abs((int)x)' -2147483648 2147483648
	maps i32 'abs(x) - 10 < 0' 5 0
	maps i8 'abs(x) > 127' '-128 -127' '1 0'
	maps i8 'abs(x) - 10 < 0' 5 1
	maps i32 'min(x, 3)' '1 5' '1 3'
	maps i32 'max(x, 3)' '1 5' '3 5'
	maps f64 'min(x, 3)' '1.5 5' '1.5 3'
	maps i64 'max(x, 0u)' '-1 1' '0 1'
	maps i32 'max(x, 0u)' '-1 1' '-1 1'
	maps f64 'min(x, 1)' 'nan 3' 'nan 1'
	maps f64 'min(1, x)' 'nan 3' '1 1'
	maps i32 'sqrt(x)' '16 2' '4 1'
	maps f32 'sqrt(x)' 2 1.4142135
	maps f64 'fma(x, x, -1)' 1.0000000000000007 1.3322676295501882e-15
	maps f64 'x * x - 1' 1.0000000000000007 1.3322676295501878e-15
	maps f64 'isnan(x) + 2 * isnan(1)' 'nan 1' '1 0'
	maps f64 'hypot(x, 4)' 3 5
	maps f64 'pow(x, 2)' 3 9
	maps f64 'log2(x) + 10 * log10(x)' 1 0
	maps f64 'exp(x) + cos(x) + sin(x) + tan(x) + atan2(x, 1)' 0 2
	maps f64 'log(x)' '1 0' '0 -inf'
}

@test "what && || ?: leave out is not computed" {
	maps i32 'x != 0 ? 100 / x : -1' '5 0 3' '20 -1 33'
	maps i32 'x == 0 ? -1 : 100 % x' '7 0 3' '2 -1 1'
	maps i32 'x && 100 / x > 30' '5 0 3' '0 0 1'
	maps i32 'x == 0 || 100 % x' '0 3 50' '1 1 0'
	maps i32 'x > 5 ? 0 : (x < 0 ? 0 : 10 / (x + 1 - (x == 9)))' '-1 0 9 6' '0 10 0 0'
	maps i64 'x < 10 ? (int)(x * 1e9) : 0' '1 20' '1000000000 0'
	scans 'b == 0 ? a : a / b' '100 5 0 2' '100 20 20 10' -t i32 -q
}

@test "what has no value ends the scan at its element, after all results before it" {
	stops_at 3 '20 50' -t i32 -op last --map='100 / x' < <(printf '%s\n' 5 2 0 4)
	stops_at 3 '0 0' -t i64 -op last --map='100 % x' < <(printf '%s\n' 5 2 0 4)
	stops_at 2 2147483647 -t i32 -op last --map='x / -1' < <(printf '%s\n' -2147483647 -2147483648)
	maps i32 'x % -1' '-2147483648 7' '0 0'
	stops_at 2 0 -t i32 -op last --map='x * 1e10' < <(printf '%s\n' 0 1)
	stops_at 2 255 -t f64 -op last --map='(uchar)x' < <(printf '%s\n' 255.5 256)
	stops_at 3 '100 20' -t i32 -op 'a / b' < <(printf '%s\n' 100 5 0 2)
	stops_at 3 '50 100' -t i32 -op last --emit='100 / (3 - n)' < <(printf '%s\n' 1 1 1 1)
	for place in 1 2 16 17 4096 4097 5000 9999; do
		seq 10000 | sed "${place}s/.*/0/" >in
		run_pscan -t i64 -op last --map='x / x * x' in
		assert_equal "$code $(wc -l <out)" "1 $((place - 1))"
		[[ $err =~ (element|line)\ $place:\  ]]
		cmp out <(seq $((place - 1)))
	done
	# At the first element of all nothing is combined.
	for place in 2 16 17 4096 4097 5000 9999; do
		yes 1 | head -n 10000 | sed "${place}s/.*/0/" >in
		run_pscan -t i64 -op 'b == 0 ? 1 / b : a + b' -T 2 in
		assert_equal "$code $(wc -l <out)" "1 $((place - 1))"
		[[ $err =~ (element|line)\ $place:\  ]]
		cmp out <(seq $((place - 1)))
	done
}

@test "the last element of a run has no value if the total of runs that end there has none" {
	# All results are 0. The elements of runs 2 and 3 make 65536 * 65536, which only element 65 would need.
	zeros=$(yes 0 | head -n 63 | paste -sd ' ' -)
	{ echo 0 && yes 1 | head -n 99; } | sed '40s/1/65536/; 50s/1/65536/' >in
	for options in '' -T3 '--chunk-size=4K -T1' --window=64 --window=90; do
		# shellcheck disable=SC2086 # several options
		stops_at 64 "$zeros" -t i32 -op 'a * 1.0 * b' $options in
	done
	run_pscan -q -t i32 -g 1 -f 2 -op 'a * 1.0 * b' < <(sed 's/.*/j 0/' in && sed 's/^/k /' in)
	assert_equal "$code $(sort out | uniq -c | xargs)" '1 100 j 0 63 k 0'
	assert_contains "$err" 'line 164, '
	# Tiles before and after it.
	{ yes 0 | head -n 4096 && cat in && yes 1 | head -n 9000; } >tiles
	for options in -T1 -T3; do
		run_pscan -q -t i32 -op 'a * 1.0 * b' "$options" tiles
		assert_equal "$options: $code $(sort out | uniq -c | xargs)" "$options: 1 4159 0"
		assert_contains "$err" ' 4160: '
	done
}

@test "--emit has s, x, i and n" {
	run_pscan -t f64 --map='x*x' --emit='sqrt(s / n)' < <(printf '%s\n' 1 7 5)
	assert_scanned '1 5 5' 'a root of the mean square'
	run_pscan -t i64 --emit='s * 100 + x * 10 + i' < <(printf '%s\n' 1 2 3)
	assert_scanned '110 321 632' 'all of them'
	scans 'a + b' '1 2 3' '11 32 63' -t i64 --emit='s * 10 + n'
	scans 'a + b' '1 2 3' '100 111 132' -t i64 --emit='s * 10 + n' -e --seed=10
	scans 'a + b' '1 2 3' '101 112 133' -t i64 --emit='s * 10 + x' -e --seed=10
	scans 'a + b' '1 2 3' 63 -t i64 --emit='s * 10 + x' --total
}

@test "seeds, -e, --include-initial, resets, totals and keys" {
	scans 'a + b' '1 2 3' '11 13 16' -t i32 --seed=10
	scans 'a + b' '1 2 3' '10 11 13' -t i32 --seed=10 -e
	scans 'a + b' '1 2 3' '10 11 13 16' -t i32 --seed=10 --include-initial
	scans 'a*10 + b' '1 2 3 4 5' '1 12 3 34 5' -t i32 --reset-every=2
	scans 'a + b' '1 2 3 4 5' '10 12 12 16 14' -t i32 --reset-every=2 --seed=9
	scans 'a*10 + b' '1 2 3 4 5' '12 34 5' -t i32 --reset-every=2 --total
	scans last '1 2 3 4 5' '1 102 3 104 5' -t i64 --map='x + i * 100' --reset-every=2
	scans 'a*10 + b' '1 2 3' 123 -t i32 --total -q
	scans 'a + b' '1 2 3' '12 32 62' -t i32 --map='x * 10' --seed=2
	printf '%s\n' 'a 1' 'b 2' 'a 3' 'b 4' >in
	run_pscan -t i32 -g 1 -f 2 -op 'a*10 + b' in
	assert_scanned 'a 1 b 2 a 13 b 24' keys
	run_pscan -t i32 -g 1 -f 2 -op 'a*10 + b' --total in
	assert_scanned 'a 13 b 24' "keys' totals"
	run_pscan -t i64 -g 1 -f 2 -op last --map='x * 100 + i' in
	assert_scanned 'a 100 b 200 a 301 b 401' "keys' indices"
	run_pscan -t i32 -c 2 -op 'a*10 + b' < <(printf '%s\n' '1 2' '3 4')
	assert_scanned '1 2 13 24' columns
}

@test "a window of an expression" {
	scans 'a + b + a*b' '1 2 3 4 5' '1 5 23 59 119' -t i32 --window=3
	scans 'max(a, b)' '3 1 2 1 1' '3 3 2 2 1' -t i32 --window=2
	scans 'a*b % 1000003' '10 20 30 40' '10 200 600 1200' -t u64 --window=2
	scans 'a + b' '1 2 3 4' '1 3 5 7' -t f64 --window=2
	scans 'a + b' '1 2 3 4' '1 1.5 2 3' -t f64 --window=3 --emit='s / n'
	scans sum '1 2 3 4' '1 5 13 25' -t i64 --window=2 --map='x*x'
}

@test "--check-associative" {
	run_pscan -t i32 -op 'a - b' --check-associative < <(seq 5)
	assert_equal "$code ${out//$'\n'/ }" '1 1 -1'
	assert_contains "$err" 'element 3: '
	scans 'a*b % 7' '1 2 3 4' '1 2 6 3' -t u64 --check-associative
}

# warned FROM TO LEFT RIGHT OPTION... <INPUT: exit 0, and this warning of -op '(a + b) / 2' alone. TO may be followed by
# a key.
warned() {
	run_pscan -op '(a + b) / 2' "${@:5}"
	local text="-op '(a + b) / 2' is not associative: elements $1 to $2 give $3 from the left, $4 from the right"
	assert_equal "${*:5}: $code $err" "${*:5}: 0 pscan: warning: $text; results depend on the grid (for smoothing see ema:A and linrec)"
}

# silent OPTION... <INPUT: exit 0 and no message.
silent() {
	run_pscan "$@"
	assert_equal "$*: $code $err" "$*: 0 "
}

@test "an operator of one's own that is not associative is warned of once, whose results stay" {
	# ((1+2)/2 + 3)/2 and (1 + (2+3)/2)/2
	warned 1 3 2.25 1.75 < <(seq 100)
	assert_equal "$(head -n 3 <<<"$out" | paste -sd ' ')" '1 1.5 2.25'
	warned 1 3 2.25 1.75 -t f32 --total < <(seq 3)
	warned 1 3 4.5 3.5 --map='2 * x' -t f64 < <(seq 100)
	warned 1 3 2.25 1.75 --emit='s * 10' < <(seq 100)
	warned 1 3 6.75 5.25 --emit='s * n' < <(seq 100)
	warned 1 3 0.72 0.56 --emit='s / t' < <(seq 4)
	warned 1 3 2.25 1.75 --window=2 < <(seq 100)
	warned 1 3 2.25 1.75 --window=2 -t f64 < <(seq 100)
	warned 1 3 99.25 98.75 -r < <(seq 98 100 | tac)
	# Elements that come one by one, and the first scan that has three.
	warned 2 4 2.5 1.75 --chunk-size=64 < <(printf '%060d\n' 1 1 1 4 5)
	warned 1 '3 of key "b"' 2.25 1.75 -g 1 -f 2 < <(printf '%s\n' 'a 7' 'b 1' 'b 2' 'b 3')
	warned 1 '3 of key "a"' 2.25 1.75 -g 1 -f 2 --chunk-size=64 < <(printf '%s\n' {c,d,e}' 1' a\ {1..9})
	warned 1 3 2.25 1.75 --reset-every=3 < <(printf '%s\n' 1 2 3 4 5 6)
	warned 62 64 1.5 1.25 < <(yes 1 | head -n 63; seq 2 100)
	silent -op '(a + b) / 2' < <(yes 1 | head -n 64; seq 100)
	silent -op '(a + b) / 2' < <(seq 2)
	silent -op '(a + b) / 2' --reset-every=2 < <(seq 100)
	silent -q -op '(a + b) / 2' < <(seq 100)
	run_pscan -t i32 -op 'a - b' < <(seq 3)
	assert_equal "$code $err" "0 pscan: warning: -op 'a - b' is not associative: elements 1 to 3 give -4 from the left, 2 from the right; results depend on the grid"
	# What is associative but for rounding, and exact decimals, as long as they are.
	silent -t f32 -op 'a + b + a*b' < <(seq -1 .01 1)
	silent -t f64 -op 'a + b' < <(printf '%s\n' 1e16 1 -1e16 1e-3 7)
	silent -t f64 -op 'a * b' < <(printf '%s\n' 1e200 1e200 1e-200 1)
	silent -op 'a - b' < <(seq 100)
	silent -op '0.9 * a + 0.1 * b' < <(seq 16)
	# 18 decimals are exact; from the 20th element on it is f64, which is combined by the grid.
	run_pscan -op '0.9 * a + 0.1 * b' < <(seq 100)
	assert_contains "$code $err" "0 pscan: warning: -op '0.9 * a + 0.1 * b' is not associative: elements 20 to 22 give"
	run_pscan -op '(a + b) / 2' --check-associative < <(seq 100)
	assert_contains "$code $err" '1 pscan: standard input: element 3: expr is not associative'
}

# Oracle: the triple of that key, in Python.
@test "the warning names the key whose elements it shows, also from the last record on" {
	python '
import random
import re
from running import run
random.seed(5)
text = re.compile(r"pscan: warning: -op .a - b. is not associative: elements (\d+) to (\d+) of key \"(.)\" give (\S+) from the left, (\S+) from the right; .*\n")
for case in range(120):
    rows = [(random.choice("abc"), random.randrange(10**6)) for _ in range(random.choice([7, 40, 2000]))]
    options = random.choice([[], ["-r"]]) + random.choice([["-t", "i64"], ["-t", "f64"], ["-t", "i64", "--window=3"]]) + random.choice([[], ["--chunk-size=4K"], ["-T", "1"]])
    status, _, messages = run("".join(f"{k} {v}\n" for k, v in rows).encode(), "-g", "1", "-f", "2", "-op", "a - b", *options)
    match = text.fullmatch(messages)
    assert status == 0 and match, (options, messages)
    values = [v for k, v in (rows[::-1] if "-r" in options else rows) if k == match[3]]
    first = int(match[1]) - 1
    x, y, z = values[first:first + 3]
    assert int(match[2]) == first + 3 and (int(match[4]), int(match[5])) == (x - y - z, x - (y - z)), (options, messages, values[:9])
'
}

@test "a scan in two halves, by a state" {
	for expression in 'a*b % 1000003' 'a + b' 'max(a, b)'; do
		rm -f state
		"$PSCAN" -t u64 -op "$expression" < <(seq 5000) >want
		"$PSCAN" -t u64 -op "$expression" --state=state < <(seq 4321) >got
		"$PSCAN" -t u64 -op "$expression" --state=state < <(seq 4322 5000) >>got
		cmp got want
	done
	# Exclusive results that need the elements are made of the last result before the cut, wherever that is.
	for cut in 1 2 15 16 17 4095 4096 4097; do
		rm -f state
		"$PSCAN" -t u64 -op 'a + b' --seed=4 -e --emit='s * 2 + x + i' < <(seq 5000) >want
		"$PSCAN" -t u64 -op 'a + b' --seed=4 -e --emit='s * 2 + x + i' --state=state < <(seq $cut) >got
		"$PSCAN" -t u64 -op 'a + b' --seed=4 -e --emit='s * 2 + x + i' --state=state < <(seq $((cut + 1)) 5000) >>got
		cmp got want
	done
	assert_equal "$(head -n 3 want | tr '\n' ' ')" '9 13 19 '
}

@test "windows of an expression by key go on from a state, wherever it was cut" {
	# Lines of a key and a number, and the products modulo 1000003 of the last five of each key.
	"$PYTHON" -c '
import itertools, math, random
rng = random.Random(5)
last = {}
with open("in", "w") as given, open("want", "w") as want:
    for _ in range(400):
        key, x = rng.choice("abc"), rng.randrange(1000003)
        window = last[key] = (last.get(key, []) + [x])[-5:]
        print(key, x, file=given)
        print(key, math.prod(window) % 1000003 if len(window) > 1 else x, file=want)'
	for cut in 1 4 15 100 399; do
		rm -f state
		for part in "1,${cut}p" "$((cut + 1)),\$p"; do
			"$PSCAN" -t u64 -g 1 -f 2 -op 'a*b % 1000003' --window=5 --state=state < <(sed -n "$part" in)
		done >got
		cmp got want
	done
	# Of text without a type they are f64.
	for part in 1,2p "3,\$p"; do
		"$PSCAN" -g 1 -f 2 -op 'a + b' --window=2 --state=decimals < <(printf '%s\n' 'x 0.5' 'y 1.25' 'x 2.25' 'x 1' 'y 0.25' 'y 4' | sed -n "$part")
	done >got
	assert_equal "$(tr '\n' ' ' <got)" 'x 0.5 y 1.25 x 2.75 x 3.25 y 1.5 y 4.25 '
}

@test "elements of several fields, by name or number" {
	printf '%s\n' credit,debit,'due date' 0.30,0.10,1 0.10,0.00,2 0.00,0.25,3 >in
	run_pscan --csv --map='credit - debit' -a --as=balance in
	assert_scanned 'credit,debit,due date,balance 0.30,0.10,1,0.20 0.10,0.00,2,0.30 0.00,0.25,3,0.05' balance
	run_pscan --csv --map='{due date} * 10 + credit' --as=r -op last in
	assert_scanned 'r 10.30 20.10 30.00' 'any name'
	run_pscan -t i32 -f 1,2 --map='x0 - x1' < <(printf '%s\n' '5 3' '1 4')
	assert_scanned '2 -1' 'sums of x0 - x1'
	run_pscan -t i32 -f 2 --map='x * x' < <(printf '%s\n' '5 3' '1 4')
	assert_scanned '9 25' 'sums of squares'
}

@test "exact decimals" {
	# exactly EXPRESSION ELEMENTS EXPECTED OPERATOR
	exactly() {
		# shellcheck disable=SC2086 # several elements
		run_pscan -op "${4:-last}" --map="$1" < <(printf '%s\n' $2)
		assert_scanned "$3" "$1 $4"
	}
	exactly 'x * 0.19' '1.50 2' '0.2850 0.38'
	exactly 'x + 1' '0.1 0.20' '1.1 1.20'
	exactly 'x * 3' '0.1' '0.3'
	exactly 'x * 3' '0.1 0.20' '0.3 0.90' sum
	exactly 'x - 0.30' '0.1 0.2' '-0.20 -0.10'
	exactly 'round(x)' '2.5 -2.5 0.49' '3 -3 0'
	exactly 'floor(x)' '2.5 -2.5' '2 -3'
	exactly 'ceil(x)' '2.5 -2.5' '3 -2'
	exactly 'trunc(x)' '2.5 -2.5' '2 -2'
	exactly 'abs(x)' '2.50 -2.5' '2.50 2.5'
	exactly 'max(x, 0.30)' '0.3 0.1 0.5' '0.3 0.30 0.5'
	exactly 'x > 0.2 ? x : 0' '0.10 0.20 0.30' '0 0 0.30'
	exactly 'x == 0.1' '0.10 0.2' '1 0'
	exactly 'x * x' '99999999999.99' '9999999999998000000000.0001'
	exactly 'x * 010' '0.5' '4.0'
	exactly 'x / 4' '1 0.3' '0.25 0.075'
	exactly 'sqrt(x)' '2.25' '1.5'
}

@test "text that only a device may know goes to one, and what is wrong for all does not" {
	export PSCAN_DEVICE=auto
	for map in '(unsigned int)x + i' '(half)x * i' '(double2)(x, i).s0' '(float4)(x).x + i'; do
		run_pscan -f 1 --map="$map" < <(echo 1)
		assert_equal "$map: $code $err" \
			"$map: 4 pscan: no OpenCL device, which an operator of your own needs: install pocl-opencl-icd or a GPU's driver"
	done
	run_pscan -t u32 -op '(a*b) % (unsigned int)7' < <(seq 3)
	assert_equal "$code" 4
	run_pscan -op 'a + b +' < <(seq 3)
	assert_equal "$code $err" "2 pscan: -op: 'a + b +': a value is missing at the end"
}

@test "the least integer divided by -1 has no value, at any place, unless it is left out" {
	local type least level count
	for type in i32 i64; do
		least=-2147483648
		[ $type = i32 ] || least=-9223372036854775808
		for level in baseline v3 v4; do
			export PSCAN_CPU=$level
			for count in 1 255 256 257; do
				{
					seq $((count - 1))
					echo $least
				} >in
				for map in 'x / -1' 'x / (x < 0 ? -1 : 2)' 'x > 0 || x / -1'; do
					run_pscan -t $type -op last --map="$map" in
					assert_equal "$level $map: $code $(wc -l <out)" "$level $map: 1 $((count - 1))"
					assert_contains "$err" "line $count: "
				done
				run_pscan -t $type -op last --map="x == ($least + 0) ? 7 : x / -1" --total in
				assert_equal "$level: $code $out" "$level: 0 7"
				run_pscan -t $type -op last --map="x > 0 && x / -1" --total in
				assert_equal "$level: $code $out" "$level: 0 0"
				run_pscan -t $type -op last --map='x % -1' --total in
				assert_equal "$level: $code $out" "$level: 0 0"
			done
		done
	done
}

@test "quotients by constants are those of python" {
	"$PYTHON" - "$PSCAN" <<-'EOF'
		import subprocess, sys
		for kind, bits, signed in (("u32", 32, 0), ("i32", 32, 1), ("u64", 64, 0), ("i64", 64, 1)):
		    least, end = (-(1 << bits - 1), 1 << bits - 1) if signed else (0, 1 << bits)
		    edges = {e + d for k in (0, 1, 2, 15, 16, 31, 32, 33, 63) for e in (1 << k, -(1 << k)) for d in (-2, -1, 0, 1, 2)}
		    edges |= {least, least + 1, end - 1, end - 2, 3, 7, 10, 1000003}
		    numbers = sorted(x for x in edges if least <= x < end)
		    for divisor in sorted(x for x in edges if least <= x < end and x not in (0, -1)):
		        text = f"({divisor}{'ul' if kind == 'u64' else 'u' if kind == 'u32' else ''})" if divisor != least or not signed else f"({least + 1} - 1)"
		        def quotient(x):
		            q = abs(x) // abs(divisor)
		            return -q if (x < 0) != (divisor < 0) else q
		        data = "".join(f"{x}\n" for x in numbers).encode()
		        for sign, want in (("/", map(quotient, numbers)), ("%", (x - quotient(x) * divisor for x in numbers))):
		            done = subprocess.run([sys.argv[1], "-t", kind, "-op", "last", f"--map=x {sign} {text}"], input=data, capture_output=True)
		            assert done.stdout == "".join(f"{x}\n" for x in want).encode(), (kind, divisor, sign, done.stderr)
	EOF
}

@test "an expression and an exclusive emit at the edges of tiles, and with narrow types" {
	"$PYTHON" - "$PSCAN" <<-'EOF'
		import itertools, subprocess, sys
		def run(data, *options):
		    return subprocess.run([sys.argv[1], *options], input="".join(f"{line}\n" for line in data).encode(), capture_output=True).stdout.decode().split("\n")[:-1]
		for count in (4095, 4096, 4097, 8192, 8193):
		    numbers = [i * i % 101 for i in range(count)]
		    sums = list(itertools.accumulate(numbers, initial=5))
		    got = run(numbers, "-t", "i64", "-op", "a + b", "--seed=5", "-e", "--emit=s * 1000 + x + i")
		    assert got == [str(s * 1000 + x + i) for i, (s, x) in enumerate(zip(sums, numbers))], count
		    for kind, bits in (("i8", 8), ("u16", 16)):
		        wrapped = [(s + (1 << 7) * (kind == "i8")) % (1 << bits) - (1 << 7) * (kind == "i8") for s in itertools.accumulate(numbers)]
		        lines = [f"{k} {x}" for x in numbers for k in "ab"]
		        got = run(lines, "-t", kind, "-g", "1", "-f", "2", "-op", "a + b")
		        assert got == [f"{k} {s}" for s in wrapped for k in "ab"], (kind, count)
	EOF
}

@test "--emit and --map around operators whose narrow integers are scanned as long ones" {
	python '
import itertools, random, subprocess, sys
pscan = sys.argv[1]
rng = random.Random(3)
def index_of(xs, best):
    return [next(i for i, x in enumerate(xs[:n]) if x == best(xs[:n])) for n in range(1, len(xs) + 1)]
def sums(xs):
    return list(itertools.accumulate(xs))
OPERATORS = {"argmax": lambda xs: index_of(xs, max), "argmin": lambda xs: index_of(xs, min),
             "count": lambda xs: list(range(1, len(xs) + 1)), "mean": lambda xs: [s // n for n, s in enumerate(sums(xs), 1)],
             "sum": sums, "max": lambda xs: list(itertools.accumulate(xs, max))}
for kind in ("i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"):
    for op, results in OPERATORS.items():
        rows = [(rng.choice("abc"), rng.randint(0, 3)) for _ in range(40)]
        text = "".join(f"{key} {x}\n" for key, x in rows)
        for grouped in ((), ("-g", "1")):
            for chunk in ("64", "1M"):
                want = [None] * len(rows)
                for key in {key if grouped else "" for key, _ in rows}:
                    places = [i for i, row in enumerate(rows) if not grouped or row[0] == key]
                    for i, result in zip(places, results([rows[i][1] for i in places])):
                        want[i] = result
                arguments = ["-D", "none", "-t", kind, *grouped, "-f", "2", "-op", op, "--emit=s", "-a", f"--chunk-size={chunk}"]
                got = subprocess.run([pscan, *arguments], input=text.encode(), capture_output=True, check=True).stdout
                assert [int(line.split()[2]) for line in got.decode().splitlines()] == want, (arguments, want)
' "$PSCAN"
}

@test "random expressions are what a model makes of them, on the host" {
	need_same_byte_order
	"$PYTHON" "$TOOLS/compare_expressions.py" --cases="$(cases 200)"
}

# bats test_tags=long
@test "random expressions are what a model makes of them, on the host, many" {
	need_same_byte_order
	"$PYTHON" "$TOOLS/compare_expressions.py" --cases="$(cases 10000)" --seed=2
}

# bats test_tags=long
@test "random expressions are what a model makes of them, on the host and on PoCL in both shapes" {
	need_opencl
	export OCL_ICD_VENDORS=$VENDORS
	[ "$VENDORS" != unset ] || unset OCL_ICD_VENDORS
	"$PYTHON" "$TOOLS/compare_expressions.py" --cases="$(cases 60)" --seed=3 --engines=none,cpu,gpu
}

@test "a state belongs to its expression" {
	seq 3 >in
	"$PSCAN" -op 'a + b' --state=state in >/dev/null
	run_pscan -op 'a * b' --state=state in
	assert_equal "$code $err" '2 pscan: --state: state: it belongs to a scan with other options: "-op a + b" in the state, "-op a * b" now'
	echo 4 >>in
	run_pscan -op 'a + b' --state=state in
	assert_equal "$code $out" '0 10'
}

@test "what is too long or too deep is refused, and what no element has is said" {
	local many
	many=$(printf '+1%.0s' $(seq 3000))
	run_pscan -op last --map="x$many" < <(echo 1)
	assert_equal "$code ${err##*: }" '2 the expression is too long'
	run_pscan -op last --map="$(printf '(%.0s' $(seq 1100))x" < <(echo 1)
	assert_equal "$code ${err##*: }" '2 it is nested too deeply'
	while IFS='|' read -r expression message; do
		run_pscan --map="$expression" < <(echo 1)
		assert_equal "$expression: $code $err" "$expression: 2 pscan: --map: '$expression': $message"
	done <<-'END'
		x)|a bracket is closed that is not open
		)x|a bracket is closed that is not open
		(x))|a bracket is closed that is not open
		x]|a bracket is closed that is not open
		(x|) is missing at the end
		(x]|expected ) here
		x++|an expression cannot assign (to compare, write ==)
		x = 5|an expression cannot assign (to compare, write ==)
		1.5 % 2|% needs integers
		1.5 << 2|<< needs integers
	END
	run_pscan -t dec --map='sqrt(x)' < <(echo 1)
	assert_equal "$code $err" "2 pscan: --map: 'sqrt(x)': sqrt has no exact decimal result (see -t f64)"
	run_pscan -t i32 -op 'a / b' < <(printf -- '-2147483648\n-1\n')
	assert_equal "$code $out $err" \
		'1 -2147483648 pscan: standard input: element 2: the expression has no value: a division of integers by 0 (or of the least integer by -1)'
	run_pscan -t i32 --emit='s / n' --total </dev/null
	assert_equal "$code $out" '0 -'
	run_pscan -t dec --emit='s * s' < <(echo 1)
	assert_equal "$code $err" '2 pscan: --emit with -t dec: not supported yet (see LIMITS in man pscan)'
	run_pscan --map='1e400 * x' < <(echo 1)
	assert_equal "$code $err" "2 pscan: --map: '1e400 * x': not a number, or one that fits in no type"
	run_pscan --emit=09 < <(echo 1)
	assert_equal "$code $err" "2 pscan: --emit: '09': a digit is not octal, as after a leading 0"
}

@test "exponents and octal digits of constants are exact, too" {
	run_pscan -op last --map='x * 1e-1 + 2.5E2 + 010' < <(echo 1.01)
	assert_equal "$code $out" '0 258.101'
}

@test "results of many keys are emitted together, each with its own count, index and total" {
	printf 'k,v\na,1\nb,10\na,2\nb,20\na,3\n' >keys.csv
	run_pscan --csv -f v -g k -a -op sum --emit='1000 * t + 100 * n + 10 * i + s' keys.csv
	assert_equal "$code $out" '0 k,v,v_sum
a,1,6101
b,10,30110
a,2,6213
b,20,30240
a,3,6326'
}

@test "an element in --emit stays a decimal where the scan does not, whatever the chunks" {
	local emit
	{ echo 1e40 && seq -f '%.0f.50' 1 2000; } >in
	for emit in x s-x 'x*0.5' 'i+x'; do
		"$PSCAN" -op max --emit="$emit" in >whole
		assert_equal "$emit: $("$PSCAN" -op max --emit="$emit" --chunk-size=4K in | cmp - whole && echo same)" "$emit: same"
	done
	assert_equal "$("$PSCAN" -op max --emit='x*0.5' --chunk-size=4K in | sed -n '2p;2001p' | paste -sd ' ')" '0.750 1000.250'
}

@test "a result that is absent stays so with --emit, whatever names that has" {
	printf '%s\n' 3 5 7 >in
	assert_equal "$("$PSCAN" -f 1 -op lag --emit=s+x -a in | paste -sd '|')" '3 |5 8|7 12'
	assert_equal "$("$PSCAN" -f 1 -op mean --min-count=2 --emit=s+i -a in | paste -sd '|')" '3 |5 5|7 7'
	assert_equal "$("$PSCAN" -f 1 -e -op lag --emit=s+i -a in | paste -sd '|')" '3 |5 |7 5'
}
