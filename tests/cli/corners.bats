#!/usr/bin/env bats
# Corner cases that the other files do not reach: the ends of the exact decimals, gzip headers in pieces, headers that
# differ by one byte, types of one width.
# shellcheck disable=SC2094,SC2154,SC2030,SC2031 # files that are read and written on purpose; run_pscan sets variables; tests are subshells

load helper

setup() {
	export PSCAN_DEVICE=none
	cd "$TMP" || return
}

# decimals OPERATOR INPUT EXPECTED: the last running result of the words of INPUT.
decimals() {
	run_pscan -op "$1" < <(tr ' ' '\n' <<<"$2")
	assert_equal "$1 of ${2:0:40}: $code $(tail -n 1 <<<"$out")" "$1 of ${2:0:40}: 0 $3"
}

@test "products stay exact up to both ends of 128 bits, and are f64 behind them" {
	"$PYTHON" - "$PSCAN" <<-'END'
		import subprocess, sys
		from math import prod
		pairs = [(2**64 + 1, 2**62), (2**62, 2**64 + 1), (2**64 + 1, 2**64 + 1), (2**100, 2**40), (2**40, 2**100),
		         (2**63, 2**63), (-2**64, 2**63), (2**64, -2**63), (-2**64, -2**63), (2**64, 2**63), (-2**65, 2**63),
		         (3 * 2**62, 2**64), (2**64 - 1, 2**63 + 1), (-(2**64 - 1), 2**63), (2**64 - 1, 2**64 - 1),
		         (-2**126, 2), (-2**126, -2), (2**127 - 1, 1), (-2**127, 1), (-2**127, -1), (2**127 - 1, -1),
		         (2**64 + 2**63, 2**63), (-2**127, 0), (0, -2**127), (5 * 2**64 + 2**63 + 7, 2**60 - 1),
		         (2**96 + 2**64 - 1, 2**31), (2**66 - 1, 2**61 + 2**60),
		         # Whose middle part alone passes 128 bits.
		         (27670116110564327424, 2**64 - 1), (2**64 - 1, 27670116110564327424), (-27670116110564327424, 2**64 - 1)]
		for a, b in pairs:
		    if not all(-2**127 <= x < 2**127 for x in (a, b)):
		        raise ValueError((a, b))
		    want = a * b
		    want = str(want) if -2**127 <= want < 2**127 else repr(float(a) * float(b))
		    made = subprocess.run([sys.argv[1], "-op", "prod"], input=f"{a}\n{b}\n", capture_output=True, text=True, check=True)
		    assert made.stdout == f"{a}\n{want}\n", (a, b, made.stdout, want)
	END
	decimals prod "$(yes -- -2 | head -n 127 | tr '\n' ' ')" -170141183460469231731687303715884105728
	decimals prod "$(yes 2 | head -n 127 | tr '\n' ' ')" 1.7014118346046923e+38
}

@test "max, min and sums of decimals are right around 2^64" {
	decimals max '-18446744073709551616 0 5' 5
	decimals max '18446744073709551616 5' 18446744073709551616
	decimals max '5 18446744073709551616 18446744073709551617' 18446744073709551617
	decimals min '18446744073709551616 -18446744073709551616 0' -18446744073709551616
	decimals sum '-18446744073709551616 0 5' -18446744073709551611
	decimals sum '18446744073709551616 -36893488147419103232' -18446744073709551616
	# The low words alone differ, by their sign bit too.
	decimals max '27670116110564327424 18446744073709551617' 27670116110564327424
	decimals min '27670116110564327424 18446744073709551617' 18446744073709551617
	decimals max '-18446744073709551617 -27670116110564327424' -18446744073709551617
}

@test "infinities are the greatest and the least of the floats, and no NaN" {
	local type algorithm
	for type in f32 f64; do
		for algorithm in blelloch hillis-steele sequential; do
			run_pscan -t $type -op max --algorithm=$algorithm < <(echo -inf 1 inf 2)
			assert_scanned '-inf 1 inf inf' "$type $algorithm max"
			run_pscan -t $type -op min --algorithm=$algorithm < <(echo inf 1 -inf 2)
			assert_scanned 'inf 1 -inf -inf' "$type $algorithm min"
		done
	done
}

@test "-F %d refuses seeds and elements that are no integers, and sums that cannot stay exact" {
	local value
	run_pscan -F %d --seed=nan < <(echo 1)
	assert_contains "$code $err" '2 pscan: --seed: not an integer, which -F %d needs: "nan"'
	for value in 1.5 1e-400 inf; do
		run_pscan -F %d --seed=$value < <(echo 1)
		assert_equal "$code $out" '2 '
		assert_contains "$err" "not an integer, which -F %d needs: \"$value\""
		run_pscan -F %d < <(echo 7 $value)
		assert_equal "$code $out" '1 7'
		assert_contains "$err" "not an integer, which -F %d needs: \"$value\""
	done
	run_pscan --seed=1e400 < <(echo 1)
	assert_equal "$code $out" '2 '
	assert_contains "$err" 'too large for f64: "1e400"'
	value=99999999999999999999999999999999999999
	run_pscan -F %d < <(echo $value $value)
	assert_equal "$code $out" "1 $value"
	assert_contains "$err" 'cannot stay exact'
	# With a fraction as the first operand of bits there is nothing exact to go on with.
	run_pscan -op or --seed=1.5 < <(echo 1)
	assert_equal "$code $out" '2 '
}

@test "-F %d takes an --emit that makes integers of integers, and refuses any other" {
	local emit
	for emit in 's*2.5' 's + n*0.5' 't > 9 ? s : 1.50' 'min(s, 2.5)' -0.5; do
		run_pscan -F %d --emit="$emit" < <(echo 1 2 4)
		assert_equal "$emit: $code $out" "$emit: 2 "
		assert_contains "$err" '-F: %d is for integers, but this --emit may give fractions'
	done
	for emit in 'sqrt(s)' 's/2' '(float)s'; do
		run_pscan -F %d -f 2 -g 1 --total --emit="$emit" < <(echo a 1)
		assert_equal "$emit: $code $out" "$emit: 2 "
		assert_contains "$err" '-F: %d is for integers, but this --emit gives f64'
	done
	for emit in 's|1 3 7' '-1e2*s + i|-100 -299 -698' 'floor(s*0.5)|0 1 3' 's > 1.5|0 1 1' '!s + (s > 2.5 ? t - s : abs(s))|1 4 0'; do
		run_pscan -F %d --emit="${emit%|*}" < <(echo 1 2 4)
		assert_scanned "${emit##*|}" "$emit"
	done
}

@test "a header that differs by one byte, or goes on, is not the first file's" {
	printf 'ab,c\n1,2\n' >first
	local other
	for other in 'ab,' 'ab,cc' 'ab,d' '' 'ab,c '; do
		printf '%s\n5,7\n' "$other" >second
		run_pscan --csv -H -f 1 first second
		assert_equal "$other: $code $out" "$other: 1 ab_sum"$'\n1'
		assert_contains "$err" 'the header differs from that of the first file'
	done
	cp first second
	run_pscan --csv -H -f 1 first second
	assert_equal "$code $out" $'0 ab_sum\n1\n2'
}

@test "a field's name is found behind doubled quotes, or not" {
	printf '"a""b",c\n1,2\n3,4\n' >in
	run_pscan --csv -f 'a"b' in
	assert_equal "$code $out" $'0 "a""b_sum"\n1\n4'
	local name
	for name in 'a"' a 'a"bc' 'a""b' b; do
		run_pscan --csv -f "$name" in
		assert_equal "$name: $code $out" "$name: 1 "
	done
}

@test "unsigned elements of the accumulator's width must fit its positive half" {
	need_opencl
	local type top
	for type in 8 16 32 64; do
		top=$("$PYTHON" -c "print(2**($type - 1) - 1)")
		run_pscan -t "u$type:i$type" < <(echo "$top")
		assert_equal "$code $out" "0 $top"
		top=$("$PYTHON" -c "print(2**($type - 1))")
		run_pscan -t "u$type:i$type" < <(echo "$top")
		assert_equal "$code $out" '1 '
		assert_contains "$err" "$top does not fit i$type"
	done
	local device
	for device in none cpu; do
		printf '\177\200' >in
		run_pscan -D $device -op max -t u8:i8 --format=binary --output-format=text in
		assert_equal "$device: $code $out" "$device: 1 127"
		assert_contains "$err" 'in: element 2: 128 does not fit i8'
	done
	run_pscan -t u8:i16 < <(echo 255 255)
	assert_equal "$code $out" $'0 255\n510'
}

# bats test_tags=long
@test "of several elements that do not fit the first is named, and floats must fit with --overflow=wrap too" {
	need_opencl
	local device
	"$PYTHON" -c '
import struct
open("integers", "wb").write(struct.pack("<10000i", *[300 if i in (10, 20, 3000, 5000, 9000) else 0 for i in range(10000)]))
open("floats", "wb").write(struct.pack("<10000f", *[3e9 if i in (4100, 9000) else 1 for i in range(10000)]))
open("sums", "wb").write(struct.pack("<3f", 2e9, 2e9, 1))'
	for device in none cpu; do
		run_pscan -D $device -t i32:i8 --format=binary integers
		assert_equal "$device $code $(wc -c <out)" "$device 1 10"
		assert_contains "$err" 'integers: element 11: 300 does not fit i8'
		run_pscan -D $device -t f32:i32 --overflow=wrap --format=binary floats
		assert_equal "$device $code $(wc -c <out)" "$device 1 16400"
		assert_contains "$err" 'floats: element 4101: 3000000000 does not fit i32'
		# Each of these fits; the sums of them do not.
		run_pscan -D $device -t f32:i32 --overflow=wrap --format=binary --output-format=text sums
		assert_equal "$device $code ${out//$'\n'/ }$err" "$device 0 2000000000 -294967296 -294967295"
	done
}

@test "a gzip header may come a byte at a time, with all of its fields" {
	"$PYTHON" - "$PSCAN" <<-'END'
		import struct, subprocess, sys, time, zlib
		data = b"1 2 3\n"
		body = zlib.compressobj(6, zlib.DEFLATED, -15)
		body = body.compress(data) + body.flush()
		tail = struct.pack("<II", zlib.crc32(data), len(data))
		for extra in b"", b"ab", b"BC\2\0\5\0":
		    head = b"\x1f\x8b\x08\x1e\0\0\0\0\0\xff" + struct.pack("<H", len(extra)) + extra + b"name\0" + b"comment\0"
		    head += struct.pack("<H", zlib.crc32(head) & 0xffff)
		    child = subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
		    for byte in head + body + tail:
		        child.stdin.write(bytes([byte]))
		        time.sleep(0.0005)
		    out = child.communicate()[0]
		    assert (child.returncode, out) == (0, b"1\n3\n6\n"), (extra, child.returncode, out)
	END
}

@test "a member that says it is smaller than a member can be is read as gzip all the same" {
	"$PYTHON" - <<-'END'
		import struct, zlib
		data = b"".join(b"%d\n" % i for i in range(20000))
		body = zlib.compressobj(6, zlib.DEFLATED, -15)
		body = body.compress(data) + body.flush()
		tail = struct.pack("<II", zlib.crc32(data), len(data))
		for size in 0, 5, 24, 25, 26, 65535:
		    head = b"\x1f\x8b\x08\x04\0\0\0\0\0\xff\6\0BC\2\0" + struct.pack("<H", size)
		    open(f"said{size}.gz", "wb").write(head + body + tail)
	END
	local file
	for file in said*.gz; do
		run_pscan -T 3 --total "$file"
		assert_equal "$file $code $out" "$file 0 199990000"
	done
}

@test "bytes that only begin as gzip do are none" {
	printf '\037\213\010\377\001\002\003\004' >in
	run_pscan -t u8:u64 --format=binary --output-format=text in
	assert_equal "$code ${out//$'\n'/ }" '0 31 170 178 433 434 436 439 443'
	# They may come before the flags, which tell.
	run_pscan -t u8:u64 --format=binary --output-format=text < <(
		printf '\037\213\010'
		sleep 0.2
		printf '\377\001'
	)
	assert_equal "$code ${out//$'\n'/ }" '0 31 170 178 433 434'
	printf '\037\213\010' >in
	run_pscan -t u8 --format=binary in
	assert_equal "$code" 1
}

@test "an empty file may be input and output if it is the only input, one with content not" {
	: >same
	run_pscan - <same
	"$PSCAN" same >>same
	assert_equal "$(cat same)" ''
	echo 1 >same
	"$PSCAN" - <same >>same 2>err || code=$?
	assert_equal "$code $(cat err)" '2 pscan: standard output is the file of standard input (to replace it: pscan -o FILE FILE)'
	assert_equal "$(cat same)" 1
	: >same
	code=0
	echo 1 | "$PSCAN" - same >>same 2>err || code=$?
	assert_equal "$code $(cat same err)" '2 pscan: standard output is the input file same (to replace it: -o same)'
}

@test "sums of negative zeros are negative zeros, however many tiles" {
	need_opencl
	local type
	for type in f32 f64; do
		"$PYTHON" -c "import numpy as np; np.full(5 * 4096 + 7, -0.0, {'f32': '<f4', 'f64': '<f8'}['$type']).tofile('in')"
		for options in '-T 1' '--chunk-size=1' '-T 4 --chunk-size=16K' '-D cpu'; do
			# LeakSanitizer itself crashes now and then where a driver's threads come and go.
			[ "$options" != '-D cpu' ] || local -x ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0
			# shellcheck disable=SC2086 # words
			run_pscan --format=binary -t "$type" $options in
			assert_equal "$type $options: $code" "$type $options: 0"
			cmp out in
		done
	done
}

@test "of several results that do not fit the first is named, wherever a chunk's tiles begin and end" {
	need_opencl
	# Chunks of 21845 numbers: the second has 2731 up to a tile's edge, four tiles, and 2730 after them.
	local device pair first second
	for device in none cpu; do
		for pair in '21855 21900' '21855 30000' '21855 43600' '26000 31000' '26000 43600' '43500 43600'; do
			first=${pair% *} second=${pair#* }
			awk -v a="$first" -v b="$second" \
				'BEGIN { for (i = 1; i <= 65000; i++) print i == 9 || i == a ? "99" : i == b ? "-99" : "+0" }' >numbers
			run_pscan -D "$device" -t i8 --chunk-size=65536 numbers
			assert_equal "$pair: $code $(wc -l <out)" "$pair: 1 $((first - 1))"
			assert_contains "$err" "element $first: the sum does not fit i8"
			run_pscan -D none -t i8 --algorithm=sequential --chunk-size=65536 numbers
			assert_contains "$err" "element $first: the sum does not fit i8"
		done
	done
}
