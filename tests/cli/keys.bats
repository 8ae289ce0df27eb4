#!/usr/bin/env bats
# shellcheck disable=SC2154 # code, out and err are set by run_pscan
# Keys: a separate scan for every distinct value of some fields. Resets: scans that begin anew.

load helper

setup() {
	export PSCAN_DEVICE=none
	cd "$TMP" || return
	printf '%s\n' 'a 1' 'b 2.5' 'a 3' 'b 1' 'c 7' 'a 0.25' >table
}

# refuses PART OPTION...: a usage error, nothing written, and one line that holds PART.
refuses() {
	run_pscan "${@:2}" table
	assert_equal "$*: $code $out" "$*: 2 "
	assert_contains "$err" "$1"
	assert_equal "$*: $(wc -l <err)" "$*: 1"
}

@test "each key has its own total, its own decimals and its own place in the output" {
	run_pscan -g 1 -f 2 -a table
	assert_equal "$code $err" '0 '
	assert_equal "$(cat out)" $'a 1 1\nb 2.5 2.5\na 3 4\nb 1 3.5\nc 7 7\na 0.25 4.25'
	run_pscan -g 1 -f 2 table
	assert_equal "$(paste -sd , out)" 'a 1,b 2.5,a 4,b 3.5,c 7,a 4.25'
	run_pscan -g 1 -f 2 -e -a table
	assert_equal "$(paste -sd ' ' out)" 'a 1 0 b 2.5 0 a 3 1 b 1 2.5 c 7 0 a 0.25 4'
	run_pscan -g 1 -f 2 -e --seed=10 < <(printf '%s\n' 'a 1' 'b 2' 'a 3' 'b 4' 'a 5')
	assert_equal "$(paste -sd , out)" 'a 10,b 10,a 11,b 12,a 14'
	run_pscan --by=1 -f 2 -e --seed=10 -op prod,sum table
	assert_equal "$(paste -sd , out)" 'a 10 10,b 10 10,a 10 11,b 25 12.5,c 10 10,a 30 14'
}

@test "--total gives a line a key, in the order of their first records" {
	run_pscan -g 1 -f 2 --total table
	assert_equal "$(cat out)" $'a 4.25\nb 3.5\nc 7'
	run_pscan --group=1 -f 2 -op min,lag,count --total table
	assert_equal "$(cat out)" $'a 0.25 3 3\nb 1 2.5 2\nc 7 - 1'
	run_pscan -g 1 -f 2 --total </dev/null
	assert_equal "$code $out" '0 '
}

@test "keys of several fields, in any order, by name, with quotes, delimiters and line ends in them" {
	printf 'host,key,n\nx,"a,""q",1\ny,b,2\nx,"a,""q",3\n"x",b,4\n"x","",5\nx,,6\n"two\nlines",b,7\n' >in
	run_pscan --csv -g key,host -f n -a in
	assert_equal "$(tail -n +2 out)" $'x,"a,""q",1,1\ny,b,2,2\nx,"a,""q",3,4\n"x",b,4,4\n"x","",5,5\nx,,6,11\n"two\nlines",b,7,7'
	run_pscan --csv -g key,host -f n --total in
	assert_equal "$(cat out)" $'key,host,n_sum\n"a,""q",x,4\nb,y,2\nb,x,4\n,x,11\nb,"two\nlines",7'
	# Fields that together hold the same bytes are two keys.
	printf 'ab c 1\na bc 2\nab c 3\n' | run_pscan -g 1,2 -f 3
	assert_equal "$(paste -sd , out)" 'ab c 1,a bc 2,ab c 4'
	# A field that a line lacks is empty.
	printf '1;a\n2\n3;\n' | run_pscan -d ';' -g 2 -f 1
	assert_equal "$(paste -sd ' ' out)" 'a;1 ;2 ;5'
}

@test "keys of one to five fields of any length, plain and in quotes, with line ends, in many chunks: totals as a dictionary has them" {
	run -0 python3 - "$PSCAN" <<-'EOF'
	import csv, io, random, subprocess, sys
	rng = random.Random(7)
	texts = ["", "a", "\n", "\na", "a\n", "\1", "\2\1", "\0", "ab", "11", "a b", "x" * 11, "x" * 12, "x" * 23, "x" * 24, "y" * 40, "\1\0",
	         "a,b", 'q"q', "\n\n"]
	for fields in (1, 2, 3, 4, 5):
	    rows = [[rng.choice(texts[:rng.choice((4, 8, 20))]) for _ in range(fields)] for _ in range(3000)]
	    numbers = [rng.randint(-99, 99) for _ in rows]
	    file = io.StringIO()
	    file.write(",".join([f"k{i}" for i in range(fields)] + ["n"]) + "\n")
	    for row, number in zip(rows, numbers):
	        cells = ['"%s"' % c.replace('"', '""') if set(c) & set(',"\n') or rng.random() < 0.05 else c for c in row]
	        file.write(",".join([*cells, str(number)]) + "\n")
	    order = rng.sample(range(fields), fields)
	    keys = ",".join(f"k{i}" for i in order)
	    totals, want = {}, []
	    for row, number in zip(rows, numbers):
	        key = tuple(row[i] for i in order)
	        totals[key] = totals.get(key, 0) + number
	        want.append(str(totals[key]))
	    for chunk in ("64", "4K", "1M"):
	        done = subprocess.run([sys.argv[1], "--csv", "-g", keys, "-f", "n", "-a", f"--chunk-size={chunk}"],
	                              input=file.getvalue().encode(), capture_output=True, check=True)
	        records = csv.reader(io.StringIO(done.stdout.decode(), newline=""))
	        assert [record[-1] for record in records][1:] == want, (fields, chunk)
	EOF
}

@test "keys are bytes: of any length, with NUL, invalid UTF-8 and control bytes, and many" {
	python 'import sys
keys = [b"", b"\0", b"\0\0", b"\xff\xfe", b"\x1b[31m", b"k" * 100000, b"k" * 100001] + [b"%d" % i for i in range(20000)]
rows = [(k, i) for i in range(3) for k in keys]
open("in", "wb").write(b"".join(b"%s;%d\n" % (k, i + 1) for k, i in rows))
open("want", "wb").write(b"".join(b"%s;%d\n" % (k, [1, 3, 6][i]) for k, i in rows))'
	run_pscan --format=text -d ';' -g 1 -f 2 in
	assert_equal "$code $err" '0 '
	cmp out want
}

@test "what a key's records alone would give, to the bit: random tables, operators, types and chunks" {
	run "$PYTHON" "$TOOLS/keys_cases.py" 2026 "$(cases 12)"
	assert_equal "$output" "$(cases 12) cases, 0 wrong"
}

# bats test_tags=long
@test "what a key's records alone would give, to the bit: more random tables, operators, types and chunks" {
	run "$PYTHON" "$TOOLS/keys_cases.py" 2026 40
	assert_equal "$output" '40 cases, 0 wrong'
}

# bats test_tags=long
@test "the same, three hundred of them" {
	[ -z "${ASAN_OPTIONS:-}${TSAN_OPTIONS:-}" ] || skip 'a sanitizer sees the ones above'
	run "$PYTHON" "$TOOLS/keys_cases.py" 12 300
	assert_equal "$output" '300 cases, 0 wrong'
}

@test "--missing=hold gives a key's or segment's result before again, and before any the mark" {
	printf '%s\n' 'a 1' 'b NA' 'a NA' 'a 2.50' 'b 5' 'b -' 'a NA' 'c NA' >in
	run_pscan -g 1 -f 2 --missing=hold in
	assert_equal "$(paste -sd ' ' out)" 'a 1 b NA a 1 a 3.50 b 5 b 5 a 3.50 c NA'
	run_pscan -g 1 -f 2 --missing=hold -a in
	assert_equal "$(paste -sd , out)" 'a 1 1,b NA NA,a NA 1,a 2.50 3.50,b 5 5,b - 5,a NA 3.50,c NA NA'
	run_pscan -g 1 -f 2 --missing=hold --replace in
	assert_equal "$(paste -sd , out)" 'a 1,b NA,a 1,a 3.50,b 5,b 5,a 3.50,c NA'
	# What the next element would get.
	run_pscan -g 1 -f 2 --missing=hold -e in
	assert_equal "$(paste -sd ' ' out)" 'a 0 b 0 a 1 a 1 b 0 b 5 a 3.50 c 0'
	run_pscan -g 1 -f 2 --missing=hold -e --seed=10 in
	assert_equal "$(paste -sd ' ' out)" 'a 10 b 10 a 11 a 11 b 10 b 15 a 13.50 c 10'
	run_pscan -g 1 -f 2 --missing=hold -e -op lag --seed=7 in
	assert_equal "$(paste -sd ' ' out)" 'a 7 a 7 b 7 a 1'
	run_pscan -g 1 -f 2 --missing=hold -op max,lag -a in
	assert_equal "$(paste -sd , out)" 'a 1 1 -,b NA NA NA,a NA 1 NA,a 2.50 2.50 1,b 5 5 -,b - 5 -,a NA 2.50 1,c NA NA NA'
	# A key that has no element is no line of the totals.
	run_pscan -g 1 -f 2 --missing=hold --total in
	assert_equal "$(paste -sd , out)" 'a 3.50,b 5'
	gives 'b NA\na 1\nb 2\n' 'a 1\nb 2\n' -g 1 -f 2 --missing=hold --total
	# Where it is skipped it begins no key: a state does not know it before its first number.
	run_pscan -g 1 -f 2 --missing=skip --state=state <<<$'a 1\nb NA'
	run_pscan --show-state=state
	assert_equal "$(grep '^key' out | paste -sd ' ')" $'keys\t1 key\ta\t1'
	# It is one of those that are counted.
	gives '1 2 NA 3 NA\n' '1\n3\nNA\n3\nNA\n' --reset-every=2 --missing=hold
	gives '1 2 NA 3 NA\n' '0\n1\n0\n0\n0\n' --reset-every=2 --missing=hold -e
	gives '5 NA 0 NA 7\n' '5\n5\n0\n0\n7\n' --reset-at=0 --missing=hold
	gives '5 NA 1 2 NA 7\n' '5\n5\n1\n2\n2\n7\n' --window=2 -op max --missing=hold
	gives 'inf NA 1\n' 'inf\ninf\n1\n' --window=2 --missing=hold
	# Each record has its line, also where the mark is an empty field and the result stands alone.
	gives 'a,\na,1\nb,\nb,2\nb,\n' '\n1\n\n2\n2\n' -d, -f 2 --reset-on=1 --missing=hold
	gives 'a,\na,1\nb,\nb,2\nb,\n' '\n1\n\n2\n\n' -d, -f 2 --reset-every=2 --missing=hold
	# Marks are quoted as their fields were.
	run_pscan --csv -d ';' -g 1 -f 2,3 -a --missing=hold --missing-marks='n;o' < <(printf '%s\n' 'a;"n;o";1' 'a;2;"n;o"')
	assert_equal "$(cat out)" $'a;"n;o";1;"n;o";1\na;2;"n;o";2;1'
	# Of several numbers the first that is lacking says what becomes of all.
	run_pscan -g 1 -f 2,3 -op linrec -a --missing=hold --invalid=ignore < <(printf '%s\n' 'a NA 1' 'a 2 3' 'b 1 x' 'a 1 NA' 'b 1 1' 'a NA x' 'a x NA')
	assert_equal "$(paste -sd , out)" 'a NA 1 NA,a 2 3 3,b 1 x ,a 1 NA 3,b 1 1 1,a NA x 3,a x NA '
}

@test "max and min of a key are its elements as they were written, of equal ones the earliest" {
	local chunk
	printf '%s\n' 'a 1.50' 'b 2' 'a 1.5' 'b 2.00' 'a 3.0' 'b -1.250' 'a 3' 'b 2.000' >in
	for chunk in 4K 1M; do
		run_pscan -g 1 -f 2 -op max --chunk-size=$chunk in
		assert_equal "$(paste -sd ' ' out)" 'a 1.50 b 2 a 1.50 b 2 a 3.0 b 2 a 3.0 b 2'
	done
	run_pscan -g 1 -f 2 -op min --line-buffered < <(while read -r line; do echo "$line"; sleep 0.02; done <in)
	assert_equal "$(paste -sd ' ' out)" 'a 1.50 b 2 a 1.50 b 2 a 1.50 b -1.250 a 1.50 b -1.250'
	gives '1.0 1 1.00 0.5 0.50\n' '1.0\n1.0\n1.00\n1.00\n0.50\n' --reset-every=2 -op max
	# A stream of several chunks, and of pauses, remembers it too.
	awk 'BEGIN { for (i = 0; i < 9000; i++) print (i == 5 ? "7.50" : i % 2 ? "7.5" : "-3.125") }' >in
	run_pscan -op max --chunk-size=4K -T 3 in
	assert_equal "$(sort out | uniq -c | awk '{ printf "%s,", $2 "x" $1 }')" '-3.125x1,7.5x8999,'
	run_pscan -op max -e --chunk-size=4K -T 3 < <(sed '2,5d' in)
	assert_equal "$(uniq -c out | awk '{ printf "%s,", $2 "x" $1 }')" '-infx1,-3.125x1,7.50x8994,'
}

@test "where a line is invalid before the one that does not fit, that one is named, and nothing is lost" {
	local option
	for option in --reset-on=1 --reset-gap=3:9 '-g 1'; do
		# shellcheck disable=SC2086 # two words
		run_pscan -t dec $option -f 2 --invalid=warn -a < <(printf '%s\n' 'a 1e38 1' 'a x 1' 'a y 1' 'a 9e37 1' 'a 1 1')
		assert_equal "$option: $code $(paste -sd , out)" "$option: 1 a 1e38 1 100000000000000000000000000000000000000,a x 1 ,a y 1 "
		assert_equal "$(sed 's/key "a": //' err)" 'pscan: warning: standard input: line 2, field 2: not a number: "x"
pscan: warning: standard input: line 3, field 2: not a number: "y"
pscan: standard input: line 4, field 2: cannot stay exact: "9e37" (see -t)'
		# shellcheck disable=SC2086 # two words
		run_pscan -t i64 $option -f 2 --invalid=ignore -a < <(printf '%s\n' 'a 1 1' 'a x 1' 'a 9223372036854775807 1' 'a 2 1')
		assert_equal "$option: $code $(paste -sd , out)" "$option: 1 a 1 1 1,a x 1 "
		assert_contains "$err" 'standard input: line 3, field 2: '
	done
	run_pscan -t dec -g 1 -f 2 < <(printf 'k 1e38\nk 1.5\n')
	assert_equal "$err" 'pscan: standard input: line 2, field 2: key "k": cannot stay exact: "1.5" (see -t)'
	run_pscan -t dec --reset-on=1 --window=9 -f 2 < <(printf 'k 1e38\nk 1.5\n')
	assert_equal "$err" 'pscan: standard input: line 2, field 2: cannot stay exact: "1.5" (see -t)'
	run_pscan -g 1 -f 2 -op and < <(printf 'k 1\nk 1.5\n')
	assert_equal "$err" 'pscan: standard input: line 2, field 2: key "k": not an integer of 128 bits: "1.5" (see -t)'
}

@test "a line with a missing and an invalid number is a record, whatever --missing does" {
	for how in skip keep hold; do
		run_pscan -f 2,3 --reset-on=1 --invalid=ignore --missing=$how < <(printf 'a 1 1\nb x -\na 2 2\n')
		assert_equal "$how: $code $(tail -n 1 out)" "$how: 0 2 2"
		run_pscan -f 2,3 --reset-on=1 --invalid=ignore --missing=$how < <(printf 'a 1 1\nb x y\na 2 2\n')
		assert_equal "$how: $code $(tail -n 1 out)" "$how: 0 3 3"
	done
}

@test "an exclusive result that does not fit counts in its own segment alone" {
	gives '1\n4294967294\n19\nNA\n2\n' '0\n1\n4294967295\n0\n0\n' --reset-every=3 -t u32 -e --missing=hold
	run_pscan --reset-every=4 -t u32 -e --missing=hold < <(printf '%s\n' 1 4294967294 19 NA 2)
	assert_equal "$code $(paste -sd ' ' out)" '1 0 1 4294967295'
}

@test "two lanes of a key, whatever the bytes of the first one's cursor" {
	for type in i8 u16 f32 i64; do
		for ops in range,sum count,range,max lag,first,sum; do
			run_pscan -g 1 -f 2 -op $ops -t $type --algorithm=sequential --total < <(printf 'a 1\nb 7\na 3\n')
			case $ops in
			range*) assert_equal "$type: $(paste -sd , out)" "$type: a 2 4,b 0 7" ;;
			count*) assert_equal "$type: $(paste -sd , out)" "$type: a 2 2 3,b 1 0 7" ;;
			*) assert_equal "$type: $(head -n 1 out)" "$type: a 1 1 4" ;;
			esac
		done
	done
}

@test "--stats counts the numbers that take part" {
	printf 'a,1\na,\na,2\n' >in
	for option in -q '-g 1' --window=3 --reset-on=1; do
		for how in hold keep skip; do
			# shellcheck disable=SC2086 # two words
			run_pscan -d , -f 2 --missing=$how --stats $option in
			assert_contains "$option $how: $err" 'elements    2'
		done
	done
}

@test "the total is inclusive: an exclusive one needs no identity" {
	gives '4\n5\n' '4\n' -e --total -op first
	gives '4\n5\n' '4 4 5 1\n' -e --total -op first,lag,max,delta
	gives 'a 4\na 5\nb 1\n' 'a 4\nb 1\n' -e --total -op first -g 1 -f 2
	refuses '-e: first has no start value of its own (see --seed)' -e -op first
}

@test "a record without a number is one that resets look at" {
	printf '%s\n' 'd1 100 5' 'd1 120 -' 'd1 145 7' 'd2 150 -' 'd1 151 1' >in
	run_pscan --reset-gap=2:30 -f 3 -a --missing=skip in
	assert_equal "$(awk '{ printf "%s,", $4 }' out)" '5,,12,,13,'
	run_pscan --reset-on=1 -f 3 -a --missing=keep in
	assert_equal "$(awk '{ printf "%s,", $4 }' out)" '5,-,12,-,1,'
	run_pscan --reset-on=1 -f 3 -a --missing=hold in
	assert_equal "$(awk '{ printf "%s,", $4 }' out)" '5,5,12,-,1,'
	run_pscan --reset-on=1 -f 3 --missing=hold in
	assert_equal "$(paste -sd , out)" '5,5,12,-,1'
	run_pscan --reset-on=1 -f 3 -a --invalid=ignore --missing=zero < <(sed 's/ -/ x/' in)
	assert_equal "$(awk '{ printf "%s,", $4 }' out)" '5,,12,,13,'
	# A token that is not a number may have no such field, and is not an element.
	run_pscan --reset-gap=2:30 -f 3 -a --invalid=ignore < <(printf '%s\n' 'x x x' 'd1 100 5' 'this is garbage' 'd1 120 x' 'd1 145 7')
	assert_equal "$code $(paste -sd , out)" '0 x x x ,d1 100 5 5,this is garbage ,d1 120 x ,d1 145 7 7'
	run_pscan -g 1 --reset-on=2 -f 3,4 -a --invalid=ignore < <(printf '%s\n' 'x y z z' 'd1 1 5 6' 'garbage in q q' 'd1 1 7 x' 'd1 2 x 1')
	assert_equal "$code $(paste -sd , out)" '0 x y z z - -,d1 1 5 6 5 6,garbage in q q - -,d1 1 7 x 12 -,d1 2 x 1 - 1'
	# Totals are called by their own records.
	for missing in skip keep hold; do
		run_pscan --reset-on=1 -f 3 --total --missing=$missing in
		assert_equal "$missing $(paste -sd , out)" "$missing d1 12,d1 1"
		run_pscan -g 1 --reset-on=2 -f 3 --total --missing=$missing --chunk-size=4K < <(printf '%s\n' 'x 1 5' 'x 2 -' 'y 1 1' 'y 2 2' 'x 2 3')
		assert_equal "$missing $(paste -sd , out)" "$missing y 1 1,x 1 5,x 2 3,y 2 2"
		run_pscan -g 1 -f 2 --total --missing=$missing < <(printf '%s\n' 'x -' 'y 1' 'z NA' 'x 2')
		assert_equal "$missing $(paste -sd , out)" "$missing y 1,x 2"
		run_pscan -g 1 --reset-on=2 -f 3 --total --missing=$missing < <(printf '%s\n' 'x 1 5' 'y 1 3' 'x 2 -')
		assert_equal "$missing $(paste -sd , out)" "$missing x 1 5,y 1 3"
		run_pscan --reset-on=1 -f 3 --total --missing=$missing < <(head -n 4 in)
		assert_equal "$missing $(paste -sd , out)" "$missing d1 12"
		run_pscan --reset-on=1 -f 3 --total --missing=$missing --line-buffered < <(head -n 4 in; sleep 0.1; echo 'd2 1 1')
		assert_equal "$missing $(paste -sd , out)" "$missing d1 12,d2 1"
	done
	run_pscan --reset-on=1 -f 3 --total --missing=skip < <(echo 'd1 1 -')
	assert_equal "$code $(cat out)" '0 '
	# The first record is refused when a field of its own was found to be no number.
	run_pscan -d , -f 1,2 --reset-gap=2:1 -a --invalid=ignore < <(echo 5,a)
	assert_equal "$code $out$err" '1 pscan: standard input: line 1, field 2: neither a number nor a time: "a" (see --reset-gap)'
}

@test "keys, resets and NaNs of binary records, by plain loops" {
	run "$PYTHON" "$TOOLS/binary_keys.py" 2026 "$(cases 40)"
	assert_equal "$output" "$(cases 40) cases, 0 wrong"
}

# bats test_tags=long
@test "the same, a thousand of them" {
	[ -z "${ASAN_OPTIONS:-}${TSAN_OPTIONS:-}" ] || skip 'a sanitizer sees the ones above'
	run "$PYTHON" "$TOOLS/binary_keys.py" 12 1000
	assert_equal "$output" '1000 cases, 0 wrong'
}

@test "a scan, the same with a reset that never comes, and with one key, are one: any operator, type and options" {
	run "$PYTHON" "$TOOLS/one_road.py" 2026 "$(cases 120)"
	assert_equal "$output" "$(cases 120) cases, 0 wrong"
}

# bats test_tags=long
@test "the same, five thousand of them, and on a device" {
	[ -z "${ASAN_OPTIONS:-}${TSAN_OPTIONS:-}" ] || skip 'a sanitizer sees the ones above'
	run "$PYTHON" "$TOOLS/one_road.py" 12 5000
	assert_equal "$output" '5000 cases, 0 wrong'
	run "$PYTHON" "$TOOLS/one_road.py" 13 300 cpu
	assert_equal "$output" '300 cases, 0 wrong'
}

@test "keys of binary records are told apart by their bytes, and messages have them as numbers" {
	"$PYTHON" -c 'import array, sys; array.array("f", [0.0, 1, -0.0, 2, 0.0, 4]).tofile(sys.stdout.buffer)' >f4
	run_pscan --format=binary -c 2 -g 1 -f 2 --output-format=text f4
	assert_equal "$(paste -sd , out)" '0 1,-0 2,0 5'
	run_pscan --format=binary -c 2 -g 1 -f 2 --output-format=text --total f4
	assert_equal "$(paste -sd , out)" '0 5,-0 2'
	# The column that is scanned may be the key, too.
	run_pscan --format=binary -c 1 -g 1 -f 1 --output-format=text f4
	assert_equal "$(paste -sd ' ' out)" '0 0 1 1 -0 -0 2 2 0 0 4 4'
	"$PYTHON" -c 'import array, sys; array.array("i", [7, 0, 100, 7, 9, 100, 7, 10, 1]).tofile(sys.stdout.buffer)' >i4
	run_pscan --format=binary -t i32:i8 -c 3 -g 1 -f 3 --output-format=text i4
	assert_equal "$code $(cat out) $err" '1 7 100 pscan: i4: key "7": element 2: the sum does not fit i8 (see -t i32:i64, --overflow=wrap)'
	run_pscan --format=binary -t i32:i8 -c 3 -g 1,2 -f 3 --overflow=error < <(cat i4 i4)
	assert_equal "$code $err" '1 pscan: standard input: key "7 0": element 4: the sum does not fit i8 (see -t i32:i64, --overflow=wrap)'
	"$PYTHON" -c 'import array, sys; array.array("d", [1, 1, 2, 1, float("nan"), 1, 3, 1]).tofile(sys.stdout.buffer)' >f8
	run_pscan --format=binary -t f64 -c 2 --reset-gap=1:9 -f 2 --output-format=text f8
	assert_equal "$code $(paste -sd ' ' out) $err" '1 1 2 pscan: f8: field 1: element 3: no number for --reset-gap: nan'
	run_pscan --format=binary -t f64 --nan=fail --reset-every=3 --output-format=text f8
	assert_equal "$code $(paste -sd ' ' out) $err" '1 1 2 4 1 pscan: f8: element 5: a NaN (see --nan)'
}

@test "one key's end of exactness changes no other key's results" {
	printf '%s\n' 'a 0.1' 'b 0.1' 'b inf' 'a 0.2' 'c 1e400x' >in
	run_pscan -g 1 -f 2 --invalid=ignore in
	assert_equal "$(paste -sd ' ' out)" 'a 0.1 b 0.1 b inf a 0.3'
	# 128 bits and f64: the totals of awk -M, by bc.
	printf '%s\n' 'a 9223372036854775807' 'b 1' 'a 1' 'a 170141183460469231731687303715884105720' 'b 2' >in
	run_pscan -g 1 -f 2 in
	assert_equal "$(paste -sd ' ' out)" 'a 9223372036854775807 b 1 a 9223372036854775808 a 1.7014118346046923e+38 b 3'
}

@test "a key that the first line lacks is a wrong field, wherever its number stands; one that a later line lacks is empty" {
	printf '%s\n' 'a first field of some length,5' 'another of some length,6,k' >in
	local type
	for type in num i64; do
		run_pscan -d , -f 2 -g 3 -t $type in
		assert_equal "$code $out$err" '1 pscan: in: line 1, field 3: the line has 2 fields: "a first field of some length,5" (see -g)'
	done
	run_pscan -d , -f 2 -g 3 -a < <(tail -n 1 in; cat in in)
	assert_equal "$code $err$(paste -sd ' ' out)" '0 another of some length,6,k,6 a first field of some length,5,5 another of some length,6,k,12 a first field of some length,5,10 another of some length,6,k,18'
}

@test "an overflow names the key, the line and the field, and what came before is written" {
	printf '%s\n' 'n k v' '1 a 2000000000' '1 "b 5' '1 a 3' '1 "b 2147483647' '1 a 9' >in
	run_pscan -t i32 -g k -f n,v in
	assert_equal "$code $err" '1 pscan: in: line 5, field 3: key "\"b": the sum does not fit i32 (see -t i32:i64, --overflow=wrap)'
	assert_equal "$(paste -sd , out)" 'k n_sum v_sum,a 1 2000000000,"b 1 5,a 2 2000000003'
	# Under -e the last element counts only if another one of its key follows.
	printf '%s\n' 'a 2147483647' 'b 1' 'a 1' 'b 1' >in
	run_pscan -t i32 -e -g 1 -f 2 in
	assert_equal "$code $err$(paste -sd ' ' out)" '0 a 0 b 0 a 2147483647 b 1'
	echo 'a 0' >>in
	run_pscan -t i32 -e -g 1 -f 2 in
	assert_equal "$code $err" '1 pscan: in: line 5, field 2: key "a": the sum does not fit i32 (see -t i32:i64, --overflow=wrap)'
	assert_equal "$(paste -sd ' ' out)" 'a 0 b 0 a 2147483647 b 1'
	run_pscan -t i32 -e -g 1 -f 2 < <(printf 'a 2147483647\na 1\n' && sleep 0.3 && echo 'a 0')
	assert_equal "$code $(paste -sd ' ' out) $err" \
		'1 a 0 a 2147483647 pscan: standard input: line 3, field 2: key "a": the sum does not fit i32 (see -t i32:i64, --overflow=wrap)'
	# Of several the first of the stream.
	run_pscan -t i32 -g 1 -f 2 < <(printf '%s\n' 'a 2147483647' 'b 2147483647' 'a 1' 'b 1')
	assert_contains "$err" 'line 3, field 2: key "a"'
	run_pscan -t dec -g 1 -f 2 < <(printf '%s\n' 'a 1' 'b 1' 'a 1e-30' 'b 1')
	assert_equal "$code $err" '1 pscan: standard input: line 3, field 2: key "a": cannot stay exact: "1e-30" (see -t)'
	assert_equal "$(paste -sd ' ' out)" 'a 1 b 1'
}

@test "missing numbers are no elements of their key, and a line without any has none" {
	printf '%s\n' 'a 1 -' 'b - -' 'a - 2' 'a 3 4' >in
	run_pscan -g 1 -f 2,3 --missing=skip -a in
	assert_equal "$(paste -sd , out)" 'a 1 - 1 -,b - - - -,a - 2 - 2,a 3 4 4 6'
	run_pscan -g 1 -f 2,3 --missing=keep --total in
	assert_equal "$(cat out)" 'a 4 6'
	run_pscan -g 1 -f 2 --missing=keep in
	assert_equal "$(paste -sd ' ' out)" 'a 1 b - a - a 4'
	run_pscan -g 1 -f 2,3 --missing=zero --total in
	assert_equal "$(cat out)" $'a 4 6\nb 0 0'
}

@test "several files, gzip and pipes: one table of keys" {
	printf '%s\n' 'k;n' 'a;1' 'b;2' >one
	printf '%s\n' 'k;n' 'b;3' 'a;4' | gzip >two.gz
	run_pscan -d ';' -g k -f n -a one two.gz
	assert_equal "$(paste -sd ' ' out)" 'k;n;n_sum a;1;1 b;2;2 b;3;5 a;4;5'
	{ cat table && sleep 0.2 && cat table; } | run_pscan -g 1 -f 2 --total
	assert_equal "$(cat out)" $'a 8.50\nb 7.0\nc 14'
}

# bats test_tags=long
@test "a million keys: each has what awk gives it" {
	awk 'BEGIN { srand(7); for (i = 0; i < 1200000; i++) print int(rand() * 1000000) * 7919, i % 1000 }' >in
	awk '{ s[$1] += $2; print $1, s[$1] }' in >want
	run_pscan -g 1 -f 2 in
	cmp out want
}

@test "a device that is named leaves keys to the host, and -v says so" {
	need_opencl
	unset PSCAN_DEVICE
	run_pscan -v -D cpu -g 1 -f 2 --total table
	assert_equal "$code $(cat out)" $'0 a 4.25\nb 3.5\nc 7'
	assert_contains "$err" 'keys, resets, windows and exact decimals are scanned on the host'
}

@test "a key that no line has is an error, and an empty one is seen" {
	run_pscan --csv -g 7 -f bytes < <(printf 'host,bytes\na,5\n')
	assert_equal "$code $err" '1 pscan: standard input: line 2, field 7: the line has 2 fields: "a,5" (see -g)'
	run_pscan --reset-on=3 -f 2 < <(echo 1 2)
	assert_equal "$code $err" '1 pscan: standard input: line 1, field 3: the line has 2 fields: "1 2" (see --reset-on)'
	run_pscan --reset-gap=3:1 -f 2 < <(echo 1 2)
	assert_equal "$code $err" '1 pscan: standard input: line 1, field 3: the line has 2 fields: "1 2" (see --reset-gap)'
	printf '3 a\n5\n4 a\n' | run_pscan -g 2 -f 1 --total
	assert_equal "$(paste -sd , out)" 'a 7,- 5'
	printf '%s\n' 'h - - [x] "GET / HTTP/1.1" 200 1' 'h - - [x] "" 200 5' | run_pscan --log -g request,status -f bytes --total
	assert_equal "$(paste -sd , out)" '"GET / HTTP/1.1" 200 1,"" 200 5'
}

@test "an absent result of a key leaves its line as it is with --replace, and is empty in CSV" {
	run_pscan -g 1 -f 2 -op lag --replace < <(printf '1 2 3\n1 3 4\n')
	assert_equal "$(paste -sd , out)" '1 2 3,1 2 4'
	run_pscan -g 1 -f 2,3 -op lag < <(printf '1 2 3\n1 3 4\n')
	assert_equal "$(paste -sd , out)" '1 2 3'
	run_pscan --csv -g 1 -f 2 -op sum,lag --total < <(printf '1,2\n')
	assert_equal "$(cat out)" '1,2,'
}

@test "a tab in the header counts where only a key is named" {
	run_pscan -f 2 -g k -a < <(printf 'k\tv\tz\n\t5\t3\na\t1\t2\n')
	assert_equal "$(tail -n +2 out)" $'\t5\t3\t5\na\t1\t2\t1'
}

@test "-op count needs no numbers: it counts the lines of a key or a segment" {
	{
		echo 'name note'
		seq 20000 | awk '{ printf "%s %s\n", ($1 * 7919) % 101, $1 % 5 == 0 ? "y" : $1 % 3 == 0 ? "x" : $1 / 8 }'
	} >in
	tail -n +2 in >lines
	run_pscan -g 1 -op count lines
	awk '{ print $1, ++n[$1] }' lines | cmp - out
	assert_equal "$code $err" '0 '
	for chunk in 1 64K; do
		run_pscan --chunk-size=$chunk -g name -op count -a in
		awk 'NR == 1 { print $0, "count"; next } { print $0, ++n[$1] }' in | cmp - out
	done
	run_pscan -g name -op count --total in
	awk 'BEGIN { print "name count" } !n[$1]++ { order[++k] = $1 } END { for (i = 1; i <= k; i++) print order[i], n[order[i]] }' lines | cmp - out
	run_pscan -g 1 -op count,count -t i8 lines
	awk '{ n[$1]++; print $1, n[$1], n[$1] }' lines | cmp - out
	sort -n lines >sorted
	run_pscan --reset-on=1 -op count -e sorted
	awk '$1 != last { n = 0 } { print n++; last = $1 }' sorted | cmp - out
	run_pscan --reset-gap=1:1 --window=3 -op count sorted
	awk '$1 != last { n = 0 } { if (n < 3) n++; print n; last = $1 }' sorted | cmp - out
	# An empty key is one; blank lines are no records; others keep their rules.
	gives 'k,x\na,\n\n,1\na,"2\n"\n' 'k,x,hits\na,,1\n\n,1,1\na,"2\n",2\n' --csv -g k -op count -a --as=hits
	gives 'h - - [t] "GET /" 200 -\nx - - [t] "" -\nh - - [t] "GET /" 404 9\n' 'h 2\nx 1\n' --log -g host -op count --total
	gives 'h - - [t] "GET /" 200 -\na b c d e f g\n' 'h 1\n' --log -g host -op count --total --invalid=ignore
	refuses '--replace needs -f, the field of the numbers, or -c' -g 1 -op count --replace
	refuses '-g: there are 2 columns' -g 3 -op count --format=binary -c 2 -f 1
}

@test "lines per host of a log, and of clocks in milliseconds those within half an hour" {
	need_data
	zcat "$DATA/logs/elastic_apache_logs.log.gz" >log
	run_pscan --log -g host -op count --total log
	awk '!n[$1]++ { order[++k] = $1 } END { for (i = 1; i <= k; i++) print order[i], n[order[i]] }' log | cmp - out
	awk '{ print 1700000000000 + NR * NR * 100, $1 }' log >clock
	run_pscan -g 2 --reset-gap=1:1800000 -op count clock
	awk '{ n[$2] = $1 - last[$2] >= 1800000 ? 1 : n[$2] + 1; last[$2] = $1; print $2, n[$2] }' clock | cmp - out
}

@test "-v says that exact decimals end in a key's scan" {
	run_pscan -v -g 1 -f 2 < <(printf 'b 0.25\nb inf\n')
	assert_contains "$err" 'the exact decimals of some key or segment end'
}

@test "what does not go with keys is refused" {
	refuses '-g needs -f, the field of the numbers' -g 1
	refuses 'it cannot be combined with --include-initial' -g 1 -f 2 --include-initial
	refuses 'they need -c' -g 1 --format=binary -f 2
	refuses '-g: there are 2 columns' -g 3 --format=binary -c 2 -f 2
	refuses '--reset-on: there are 2 columns' --reset-on=3 --format=binary -c 2 -f 2
	refuses '--reset-on "host": columns of binary records have no names' --reset-on=host --format=binary -c 2 -f 2
	refuses '-g: a field is missing' -g '' -f 2
	refuses '-g' -g 0 -f 2
	run_pscan --csv -g nohost -f n < <(printf 'host,n\na,1\n')
	assert_equal "$code" 1
	assert_contains "$err" 'line 1: no field is called "nohost"'
}

# --- Resets

@test "--reset-every begins anew every so many elements, text and binary, and --total gives each its own" {
	gives '1 2 3 4 5 6 7\n' '1\n3\n6\n4\n9\n15\n7\n' --reset-every=3
	gives '1 2 3 4 5 6 7\n' '0\n1\n3\n0\n4\n9\n0\n' --reset-every=3 -e
	gives '1 2 3 4 5 6 7\n' '6\n15\n7\n' --reset-every=3 --total
	gives '1 2 3 4 5 6\n' '6\n15\n' --reset-every=3 --total
	gives '1 2\n3 4\n5 6\n' '1 2\n4 6\n5 6\n' -c 2 --reset-every=2
	gives '1.5 1.25 1\n' '1.5\n2.75\n1\n' --reset-every=2
	gives '5 3 9 9 1\n' '0\n1\n0\n0\n0\n' --reset-every=2 -op argmin
	gives '1 2 3\n' '1\n2\n3\n' --reset-every=1
	gives '1 2 3\n' '1\n3\n6\n' --reset-every=18446744073709551615
	run_pscan --reset-every=3 --total </dev/null
	assert_equal "$code $out" '0 '
	# Rows of a matrix, by numpy: left to right within a run of the grid.
	python 'import numpy as np
rng = np.random.default_rng(3)
for name, kind in (("f4", "<f4"), ("i4", "<i4"), ("f8", "<f8")):
    a = rng.integers(-1000, 1000, (5000, 7)).astype(kind)
    a.tofile(name)
    np.cumsum(a, axis=1, dtype=kind).tofile(name + ".want")
    a.sum(axis=1, dtype=kind).tofile(name + ".totals")'
	for type in f4:f32 i4:i32 f8:f64; do
		for size in 4K 64K 1M; do
			run_pscan -t "${type#*:}" --format=binary --chunk-size=$size --reset-every=7 "${type%:*}"
			cmp out "${type%:*}.want"
			run_pscan -t "${type#*:}" --format=binary --chunk-size=$size --reset-every=7 --total "${type%:*}"
			cmp out "${type%:*}.totals"
		done
	done
	# Columns: each counts its own elements.
	python 'import numpy as np
np.arange(12, dtype="<i4").tofile("in")'
	run_pscan -t i32 --format=binary -c 2 --reset-every=2 --output-format=text in
	assert_equal "$(paste -sd , out)" '0 1,2 4,4 5,10 12,8 9,18 20'
}

@test "segments of any length have the grid's bits, whatever the instructions" {
	local cpu
	python 'import numpy as np
import grid_oracle
rng = np.random.default_rng(5)
for kind in ("f4", "f8", "u1"):
    for n in (2, 15, 16, 17, 100, 4095, 4096, 4097, 20001):
        a = (rng.standard_normal(3 * n + 5) * 100).astype(kind)
        name = f"{kind}.{n}"
        a.tofile(name)
        parts = [grid_oracle.inclusive("sum", a[i:i + n]) for i in range(0, len(a), n)]
        np.concatenate(parts).tofile(name + ".want")'
	for name in f4.*.want f8.*.want u1.*.want; do
		name=${name%.want}
		for cpu in grid baseline v4; do
			PSCAN_CPU=$cpu run_pscan --format=binary -t "<${name%.*}" --overflow=wrap --reset-every="${name#*.}" --chunk-size=16K "$name"
			assert_equal "$name $cpu: $code $err" "$name $cpu: 0 "
			cmp out "$name.want"
		done
	done
	# Chunks of several tiles, which begin within a tile of the segment: there tiles are scanned at once.
	for name in f4.20001 f8.20001; do
		run_pscan --format=binary -t "<${name%.*}" --reset-every=20001 --chunk-size=96K "$name"
		assert_equal "$name $code $err" "$name 0 "
		cmp out "$name.want"
	done
	# An overflow in the midst of them.
	"$PYTHON" -c 'import array, sys; array.array("b", [50, 60, 70, 60, 60, 60, 1]).tofile(sys.stdout.buffer)' >bytes
	run_pscan --format=binary --output-format=text -t i8 --reset-every=2 bytes
	assert_equal "$code $(paste -sd ' ' out)" '1 50 110 70'
	assert_contains "$err" 'bytes: element 4: the sum does not fit i8'
}

@test "--reset-at begins anew at each element that is the number" {
	gives '1 1 0 1 1 1 0 0 1\n' '1\n2\n0\n1\n2\n3\n0\n0\n1\n' --reset-at=0
	gives '1 1 0.0 1 -0 1\n' '2\n1.0\n1\n' --reset-at=0 --total
	gives '1 2.50 1 2.5 2.500 2.51\n' '1\n2.50\n3.50\n2.5\n2.500\n5.010\n' --reset-at=2.5
	gives '1 0 -0 3\n' '1\n0\n-0\n3\n' --reset-at=0 -t f64
	gives '7 1 7 1\n' '7\n8\n7\n8\n' --reset-at=7 -t i8:i64
	# Every lane looks at its own element.
	gives '1 0\n0 1\n1 1\n' '1 0\n0 1\n1 2\n' -f 1,2 --reset-at=0
	gives '1 inf 1\n' '1\ninf\ninf\n' --reset-at=inf
}

@test "--reset-on begins anew where a field differs from the record before, alone and with keys" {
	printf '%s\n' 'a 1' 'a 2' 'b 3' 'b 0.5' 'a 4' >in
	run_pscan --reset-on=1 -f 2 -a in
	assert_equal "$(paste -sd , out)" 'a 1 1,a 2 3,b 3 3,b 0.5 3.5,a 4 4'
	run_pscan --reset-on=1 -f 2 --total in
	assert_equal "$(paste -sd , out)" 'a 3,b 3.5,a 4'
	printf '%s\n' 'x 1 5' 'x 2 6' 'y 1 7' 'y 1 8' 'x 2 9' 'x 3 1' >in
	run_pscan -g 1 --reset-on=2 -f 3 -a in
	assert_equal "$(paste -sd , out)" 'x 1 5 5,x 2 6 6,y 1 7 7,y 1 8 15,x 2 9 15,x 3 1 1'
	# Segments as they end, the last ones in key order.
	run_pscan -g 1 --reset-on=2 -f 3 --total in
	assert_equal "$(paste -sd , out)" 'x 1 5,x 2 15,x 3 1,y 1 15'
	printf '%s\n' 'x 1 5' 'y 2 7' 'x 12 6' >in
	run_pscan -g 1 --reset-on=2 -f 3 in
	assert_equal "$(paste -sd , out)" 'x 5,y 7,x 6'
	printf 'k;v\n"a";1\na;2\n"a""";3\n' | run_pscan --csv -d ';' --reset-on=k -f v --total
	assert_equal "$(cat out)" $'a;3\n"a""";3'
}

@test "--reset-on goes on from one chunk to the next, and after a pause" {
	python 'rows = [(i // 4567, i) for i in range(50000)]
open("in", "w").writelines(f"day{d} {i}\n" for d, i in rows)
totals = {}
with open("want", "w") as want:
    for d, i in rows:
        totals[d] = totals.get(d, 0) + i
        print(totals[d], file=want)
with open("want.total", "w") as want:
    for d, total in totals.items():
        print(f"day{d}", total, file=want)'
	for size in 4K 32K; do
		run_pscan --chunk-size=$size --reset-on=1 -f 2 in
		cmp out want
		run_pscan --chunk-size=$size --reset-on=1 -f 2 --total in
		cmp out want.total
	done
	{ echo 'a 1' && sleep 0.3 && echo 'a 2' && sleep 0.3 && echo 'b 3'; } | run_pscan --reset-on=1 -f 2
	assert_equal "$(paste -sd ' ' out)" '1 3 3'
}

@test "gaps of times, by a model: two fields, fractions, zones, days of eight digits, clocks of any magnitude, newest first" {
	run "$PYTHON" "$TOOLS/times_model.py" 2026 "$(cases 300)"
	assert_equal "$output" "$(cases 300) cases, 0 wrong"
}

# bats test_tags=long
@test "the same, a hundred thousand of them" {
	[ -z "${ASAN_OPTIONS-}${TSAN_OPTIONS-}" ] || skip 'too long under sanitizers'
	run "$PYTHON" "$TOOLS/times_model.py" 7 100000
	assert_equal "$output" '100000 cases, 0 wrong'
}

@test "what is no place in time is said to be what it is" {
	# gap MESSAGE OPTION TEXT: of a second line.
	gap() {
		run_pscan --csv -f 2 --reset-gap="$2" < <(printf '2024-05-01 10:00:00,1\n%s,1\n' "$3")
		assert_equal "$code $out $err" "1 1 pscan: standard input: line 2, field 1: $1"
	}
	gap '"2024-05-01" has no time of day (two fields? --reset-gap=1+2:30m)' 1:30m 2024-05-01
	gap '"2024-05-01" has no time of day (1800 is seconds; days? 1800d; two fields? --reset-gap=1+2:1800)' 1:1800 2024-05-01
	gap '"2024-05-01" has no time of day (two fields? --reset-gap=1+2:7.5)' 1:7.5 2024-05-01
	gap '"20240501" has no time of day (two fields? --reset-gap=1+2:23h)' 1:23h 20240501
	gap 'a time zone that is not UTC, GMT, Z or an offset such as +01:00: "2024-05-01 10:00:00 PST"' 1:30m '2024-05-01 10:00:00 PST'
	gap '--reset-gap: "1714557600" is in seconds, and the first value is a date' 1:30m 1714557600
	gap '--reset-gap: "20240501" is a date in digits, and the first value is a date' 1:1d 20240501
	gap '--reset-gap: "5" is a number, and the first value is a date' 1:1800 5
	gap 'neither a number nor a time: "20240230" (see --reset-gap)' 1:1d 20240230
	# Among many plain lines, too.
	run_pscan --csv -f 2 --reset-gap=1:1800 < <(printf '2024-05-01 10:00:00,1\n%.0s' {1..300} && echo 5,1)
	assert_equal "$code $err" '1 pscan: standard input: line 301, field 1: --reset-gap: "5" is a number, and the first value is a date'
	run_pscan --csv -f 2 --reset-gap=1:1800 < <(printf '2024-05-01 10:00:00,1\n%.0s' {1..300} && echo x,1)
	assert_equal "$code $err" '1 pscan: standard input: line 301, field 1: neither a number nor a time: "x" (see --reset-gap)'
	run_pscan -f 4 --reset-gap=1+2:30m -a < <(printf '%s\n' '2024-05-01 10:00:00,123 INFO 5' '2024-05-01 10:29:59 INFO 7' 'x y z 1')
	assert_equal "$code $(cut -d ' ' -f 5 out | paste -sd ' ')" '1 5 12'
	assert_equal "$err" 'pscan: standard input: line 3, field 1: neither a number nor a time: "x y" (see --reset-gap)'
	# A name with a plus sign is one.
	gives 'a+b,n\n1,5\n2,6\n9,7\n' 'n_sum\n5\n11\n7\n' --csv -H --reset-gap=a+b:2 -f n
}

@test "a time in digits that was written as a number is neither: signs, zeros in front, points, exponents" {
	local row
	# doubted MESSAGE TEXT...
	doubted() {
		for row in "${@:2}"; do
			run_pscan --csv -f 2 --reset-gap=1:1d < <(printf -- '%s,1\n' "$row")
			assert_equal "$row: $code $out $err" "$row: 1  pscan: standard input: line 1, field 1: \"$row\" $1"
		done
	}
	doubted 'may be a date in digits, or a number (write 2024-05-01, or N without a unit)' 20240101.0 20240101. 20240101.5 +20240101 \
		020240101 0020240101 2.0240101e7 2.0240101E+07 20240101e0 +20240101120000 020240101120000 2.02401011200000e13
	doubted 'may be a date and time in digits, or a number of seconds (write 2024-05-01 12:30, or N without a unit)' +2024010112 \
		02024010112 2.024010112e9
	doubted 'may be a date and time in digits, or a number of milliseconds (write 2024-05-01 12:30, or N without a unit)' +202401011230 \
		2.0240101123e11
	run_pscan --csv -f 2 --reset-gap=1:1d < <(printf '12345678.5,1\n')
	assert_equal "$code $err" '1 pscan: standard input: line 1, field 1: neither a number nor a time: "12345678.5" (see --reset-gap)'
	# What no time in digits is written as, seconds as np.savetxt writes them, and an N without a unit.
	gives '-20240101,1\n-20240042,1\n-20240000,1\n' '1\n1\n2\n' --csv -f 2 --reset-gap=1:43s
	gives '1.714557600e+09,1\n1.714559399e+09,1\n+1714561199,1\n01714561200.0,1\n' '1\n2\n1\n2\n' --csv -f 2 --reset-gap=1:30m
	gives '20240101.0,1\n+20240102,1\n2.0240104e7,1\n' '1\n2\n1\n' --csv -f 2 --reset-gap=1:2
}

@test "14 digits are a date and its time of day, and no milliseconds; ten or twelve that may be one are neither" {
	# 23:30, ten minutes more, half an hour more across midnight, and 29 minutes and 59.5 seconds more.
	text='20240229233000,1\n20240229234000,1\n20240301001000,1\n20240301003959.5,1\n'
	gives "$text" '1\n2\n1\n2\n' --csv -f 2 --reset-gap=1:30m
	gives "$text" '1\n2\n3\n4\n' --csv -f 2 --reset-gap=1:31m
	# 29 minutes and 59 seconds, and one second more.
	gives '20240229233001,1\n20240301000000,1\n20240301003000,1\n' '1\n2\n1\n' --csv -f 2 --reset-gap=1:30m
	# digits MESSAGE TEXT
	digits() {
		run_pscan --csv -f 2 --reset-gap=1:30m < <(printf '%s,1\n' "${@:2}")
		assert_equal "$code $err" "1 pscan: standard input: line $(($# - 1)), field 1: $1"
	}
	digits 'neither a number nor a time: "20240230000000" (see --reset-gap)' 20240230000000
	digits 'neither a number nor a time: "20240229250000" (see --reset-gap)' 20240229000000 20240229250000
	digits '--reset-gap: "1714557600" is in seconds, and the first value is a date and time in digits' 20240501100000 1714557600
	digits '"202405011230" may be a date and time in digits, or a number of milliseconds (write 2024-05-01 12:30, or N without a unit)' 202405011230
	digits '"2024050112" may be a date and time in digits, or a number of seconds (write 2024-05-01 12:30, or N without a unit)' 1714557600 2024050112
	# Numbers as before: without a unit, those that can be no time in digits, and with a fraction.
	gives '20240229233000,1\n20240229234000,1\n' '1\n1\n' --csv -f 2 --reset-gap=1:1000
	gives '202405011230,1\n202405011231,1\n' '1\n2\n' --csv -f 2 --reset-gap=1:2
	# Milliseconds of 2001; as a date they would be of the year 9844.
	gives '984403471233,1\n984404271234,1\n984407871235,1\n' '1\n2\n1\n' --csv -f 2 --reset-gap=1:1h
	digits '"219912312359" may be a date and time in digits, or a number of milliseconds (write 2024-05-01 12:30, or N without a unit)' 219912312359
	gives '220001010000,1\n220001010000,1\n' '1\n2\n' --csv -f 2 --reset-gap=1:1h
	gives '1714557600000,1\n1714559399999,1\n1714561199999,1\n' '1\n2\n1\n' --csv -f 2 --reset-gap=1:30m
	gives '202499011230,1\n202499011231,1\n' '1\n2\n' --csv -f 2 --reset-gap=1:30m
	gives '2024050112.5,1\n2024050113.0,1\n' '1\n2\n' --csv -f 2 --reset-gap=1:30m
}

@test "one clock, one magnitude: also where a chunk ends between two" {
	{
		seq 1714557600 1714558600 | sed 's/$/ 1/'
		echo 1714558601000 1
	} >in
	for chunk in 1 64K; do
		run_pscan --reset-gap=1:30m -f 2 --total --chunk-size=$chunk in
		assert_equal "$code $out" '1 '
		assert_contains "$err" 'pscan: in: line 1002, field 1: --reset-gap: '
		assert_contains "$err" ' is in milliseconds, and the first value is in seconds'
	done
}

@test "--reset-gap begins anew after a gap in numbers or times" {
	gives '1 1\n2.9 1\n3.5 1\n5.5 1\n5 1\n3 1\n100 1\n' '1\n2\n3\n1\n2\n1\n1\n' --reset-gap=1:2 -f 2
	printf '%s\n' 'a 2024-02-29T23:59:59Z 1' 'a 2024-03-01T00:29:58Z 2' 'b 2024-03-01T02:30:00+02:00 7' 'a 2024-03-01T00:59:59.5+00:00 3' \
		'b [01/Mar/2024:00:59:59 4' 'b 2024-03-01T00:30:00 1' >in
	run_pscan -g 1 --reset-gap=2:30m -f 3 -a in
	assert_equal "$(awk '{ printf "%s,", $NF }' out)" '1,3,7,3,11,12,'
	run_pscan -g 1 --reset-gap=2:1801 -f 3 --total in
	assert_equal "$(paste -sd , out)" 'a 3,a 3,b 12'
	run_pscan -g 1 --reset-gap=2:1801.5 -f 3 --total in
	assert_equal "$(paste -sd , out)" 'a 3,a 3,b 12'
	run_pscan -g 1 --reset-gap=2:18016e-1 -f 3 --total in
	assert_equal "$(paste -sd , out)" 'a 6,b 12'
	run_pscan --reset-gap=when:1d -d ';' -f n < <(printf 'when;n\n2023-01-01 00:00:01;1\n02/Jan/2023:00:00:00 +0000;1\n2023-01-03;1\n')
	assert_equal "$(paste -sd ' ' out)" 'n_sum 1 2 1'
	# What is neither is an error in its place, and what came before stays.
	for bad in x 2023-02-29 2023-01-01T25:00 '' 12:00; do
		run_pscan --reset-gap=1:2 -d ';' -f 2 < <(printf '1;1\n2;1\n%s;1\n' "$bad")
		assert_equal "$code $(paste -sd ' ' out) $err" "1 1 2 pscan: standard input: line 3, field 1: neither a number nor a time: \"$bad\" (see --reset-gap)"
	done
	for bad in 1 1: :5 1-3:1 1+2-3:1s 1:-1 1:x 1:5w 1:1e-19 1:inf; do
		run_pscan --reset-gap=$bad -f 2 table
		assert_equal "$bad: $code" "$bad: 2"
		assert_contains "$err" '--reset-gap'
	done
}

@test "an overflow in a segment names its place" {
	printf '%s\n' 2147483647 1 2147483647 1 >in
	run_pscan -t i32 --reset-every=1 in
	assert_equal "$code $(paste -sd ' ' out)" '0 2147483647 1 2147483647 1'
	run_pscan -t i32 --reset-every=3 in
	assert_equal "$code $err" '1 pscan: in: element 2: the sum does not fit i32 (see -t i32:i64, --overflow=wrap)'
	run_pscan -t i32 --reset-every=2 -e in
	assert_equal "$code $(paste -sd ' ' out)" '0 0 2147483647 0 2147483647'
}

@test "what does not go with resets is refused" {
	refuses 'needs -f' --reset-on=1
	refuses 'needs -f' --reset-gap=1:1
	refuses 'it cannot be combined with --include-initial' --reset-every=2 --include-initial
	refuses 'one field or column' --reset-at=1 --total -f 1,2
	refuses 'no number may be missing' --reset-every=2 --total -f 1,2 --missing=skip
	refuses '--reset-at: "300" is not a value of i8' --reset-at=300 -t i8
	refuses '--reset-at: "x" is not a value of num' --reset-at=x
	refuses '--reset-every' --reset-every=0
	refuses 'linrec takes 2' --reset-at=1 -op linrec -f 1,2
}

@test "keys and segments of many chunks go on from one to the next, by plain sums" {
	run "$PYTHON" "$TOOLS/many_chunks.py" 2026 "$(cases 40)"
	assert_equal "$output" "$(cases 40) cases, 0 wrong"
}

@test "thousands of keys in a chunk: their sums and totals, however they are shared between threads" {
	run "$PYTHON" "$TOOLS/key_slices.py" "$PSCAN" "$TMP"
	assert_equal "$output" "24 runs, 0 wrong"
}

# bats test_tags=long
@test "keys and segments of many chunks: more cases" {
	run "$PYTHON" "$TOOLS/many_chunks.py" 2027 "$(cases 160)"
	assert_equal "$output" "$(cases 160) cases, 0 wrong"
}

@test "where one of several totals ends, those of the segments before are there, each its own" {
	local window
	for window in '' --window=3; do
		run_pscan --csv -f n --reset-on=k -op and,sum,max --total $window < <(printf '%s\n' k,n a,1 a,2 b,1.5 b,2 c,3 d,4)
		assert_equal "$code $(cat out)" '1 a,0,3,2'
	done
	# After the end, segments of so many elements end elsewhere in the lane that ended: line 4 is the end.
	run_pscan -f 2,3 -g 1 --reset-every=2 --total -F %d \
		< <(printf '%s\n' 'b 1 1' 'b 2 2' 'b 3 3' 'b 0.5 4' 'b 5 5' 'a 0.5 6' 'a 7 7' 'b 8 8' 'a 9 9' 'a 10 10')
	assert_equal "$code $(cat out)" '1 b 3 3'
	assert_contains "$err" 'line 4, field 2: key "b": not an integer, which -F %d needs: "0.5"'
	# The first field ends in line 5000 and the second one, which has the earlier end, in line 4001.
	"$PYTHON" -c 'for i in range(1, 6001): print("a", "0.5" if i == 5000 else i, "0.5" if i == 4001 else -i)' >in
	run_pscan -f 2,3 -g 1 --reset-every=7 --total -F %d in
	"$PYTHON" -c 'for i in range(1, 3998, 7): print("a", sum(range(i, i + 7)), -sum(range(i, i + 7)))' >want
	assert_equal "$code" 1
	cmp out want
	run_pscan -f 2,3 -g 1 --reset-every=7 --total -op sum,max -F %d in
	"$PYTHON" -c 'for i in range(1, 3998, 7): print("a", sum(range(i, i + 7)), i + 6, -sum(range(i, i + 7)), -i)' >want
	cmp out want
}

@test "short segments beside long ones: results, totals and what does not fit, by Python's numbers" {
	run "$PYTHON" "$TOOLS/short_segments.py" 2026 "${LINES_CASES:-200}"
	assert_equal "$output" "${LINES_CASES:-200} cases, 0 wrong"
}

# bats test_tags=long
@test "short segments beside long ones: more cases" {
	run "$PYTHON" "$TOOLS/short_segments.py" 2027 1000
	assert_equal "$output" "1000 cases, 0 wrong"
}

@test "the greatest stays as it was written where later chunks have other decimals" {
	{ printf '%s\n' 3 2.50 && yes 1.25 | head -n 2000; } >in
	{ echo 3 && yes 3 | head -n 2001; } >want
	run_pscan --reset-every=5000 -op max --chunk-size=4K in
	assert_equal "$code $err" '0 '
	cmp out want
}

@test "what does not fit ends the stream in a segment that began in its chunk, too" {
	run_pscan -t i32 --reset-on=1 -f 2 < <(printf '%s\n' 'a 1' 'a 2' 'b 2000000000' 'b 1' 'c 3' 'c 2147483647' 'd 1')
	assert_equal "$code $(paste -sd ' ' out) $err" \
		'1 1 3 2000000000 2000000001 3 pscan: standard input: line 6, field 2: the sum does not fit i32 (see -t i32:i64, --overflow=wrap)'
}

@test "a sum that overflows among many plain lines ends the output before its line, and is named" {
	local chunk
	"$PYTHON" -c '
with open("in", "w") as lines, open("keyed", "w") as keyed, open("whole", "w") as whole:
    sums, total = {}, 0
    for i in range(900):
        key, value = f"k{i % 3}", 2147480000 if i == 500 else i
        lines.write(f"{key},{value},rest\n")
        sums[key] = sums.get(key, 0) + value
        total += value
        if i < 500:
            keyed.write(f"{key},{value},rest,{sums[key]}\n")
            whole.write(f"{key},{value},rest,{total}\n")'
	for chunk in 1K 4M; do
		run_pscan --csv -g 1 -f 2 -a -t i32 --chunk-size=$chunk in
		assert_equal "$code $err" '1 pscan: in: line 501, field 2: key "k2": the sum does not fit i32 (see -t i32:i64, --overflow=wrap)'
		cmp out keyed
		run_pscan --csv --reset-on=3 -f 2 -a -t i32 --chunk-size=$chunk in
		assert_equal "$code $err" '1 pscan: in: line 501, field 2: the sum does not fit i32 (see -t i32:i64, --overflow=wrap)'
		cmp out whole
	done
}

@test "a key's decimals go on at another scale in the next chunks" {
	awk 'BEGIN { for (i = 0; i < 60000; i++) print "k" i % 7 "," (i < 30000 ? "1.25" : "0.5") }' >in.csv
	awk -F, '{ s[$1] += $2 * 100; printf "%s,%d.%02d\n", $0, s[$1] / 100, s[$1] % 100 }' in.csv >want
	"$PSCAN" -T 1 --chunk-size=64K -d, -g 1 -f 2 -a in.csv >out
	cmp out want
}

@test "several results of keys in the records' order, of which one cannot go on so" {
	# The sum goes on at two decimals; the greatest, 7, has none.
	"$PYTHON" -c '
from decimal import Decimal
sums, most = {}, {}
with open("in.csv", "w") as lines, open("want", "w") as want:
    for i in range(60000):
        key, x, y = i % 7, Decimal("0.25" if i > 30000 else "7" if i % 2 else "1.25"), Decimal(i)
        for k, v in ((("x", key), x), (("y", key), y)):
            sums[k] = sums.get(k, 0) + v
            most[k] = v if k not in most or v > most[k] else most[k]
        print(f"k{key},{x},{y}", file=lines)
        results = (d[f, key] for f in "xy" for d in (sums, most))
        print(f"k{key},{x},{y}", *results, sep=",", file=want)'
	for threads in 1 2; do
		"$PSCAN" -T $threads --chunk-size=64K -d, -g 1 -f 2,3 -op sum,max -a in.csv >out
		cmp out want
	done
}

@test "segments of keys in the records' order: gaps in numbers and times, a seed, decimals that change, several results" {
	"$PYTHON" -c '
import random
from decimal import Decimal
r = random.Random(5)
clock, rows = 1700000000, []
for i in range(60000):
    clock += r.choice((0, 0, 1, 2, 9, 300))
    rows.append((clock, r.randrange(40), Decimal("1.5" if 30000 < i < 40000 else r.choice(("0.125", "7.250")))))
for name, part in (("seconds", 1), ("milliseconds", 1000), ("numbers", Decimal("0.25"))):
    with open(name, "w") as lines:
        for t, k, x in rows:
            print(t * part, f"k{k}", x, sep=",", file=lines)
    for seed in ("", "0.5"):
        last, sums, most = {}, {}, {}
        with open(name + seed + ".want", "w") as want:
            for t, k, x in rows:
                begins = k not in last or t - last[k] >= 60
                sums[k] = x + (Decimal(seed or 0) if begins else sums[k])
                before = (Decimal(seed) if seed else None) if begins else most[k]
                most[k] = x if before is None or x > before else before
                last[k] = t
                print(t * part, f"k{k}", x, sums[k], most[k], sep=",", file=want)'
	local case seed threads
	for case in 'seconds --reset-gap=1:60s' 'seconds --reset-gap=1:60' 'milliseconds --reset-gap=1:60s' 'numbers --reset-gap=1:15'; do
		for seed in '' 0.5; do
			for threads in 1 2; do
				# shellcheck disable=SC2086
				"$PSCAN" -T $threads --chunk-size=64K -d, -g 2 -f 3 -op sum,max ${case#* } ${seed:+--seed=$seed} -a ${case%% *} >out
				cmp out "${case%% *}$seed.want"
			done
		done
	done
	run_pscan -d, -g 2 -f 3 --reset-gap=1:60s -a < <(yes 1761955200,a,1 | head -n 90 && echo 1980010112,a,1)
	assert_equal "$code $(wc -l <out)" '1 90'
	assert_contains "$err" 'may be a date and time in digits, or a number of seconds'
}

@test "a result that does not fit among big-endian records with keys or resets ends the results there" {
	"$PYTHON" -c 'import struct, sys
sys.stdout.buffer.write(b"".join(struct.pack(">2i", i % 3, 2**30 if i == 7 else 2**30 - 1 if i == 4 else i) for i in range(12)))' >in
	# Key 1 has elements 1, 4 and 7: 1 + (2^30 - 1) + 2^30 is 2^31.
	for options in '-g 1' '--reset-every=100'; do
		case $options in
		-g*) wanted='0 1 2 3 1073741824 7 9' text='0 0 1 1 2 2 0 3 1 1073741824 2 7 0 9' ;;
		*) wanted='0 1 3 6 1073741829 1073741834 1073741840' text=$wanted ;;
		esac
		for types in i32be 'i32be:i32'; do
			# shellcheck disable=SC2086
			run_pscan --format=binary --output-format=text -c 2 -f 2 -t "$types" $options in
			assert_equal "$options $types: $code ${out//$'\n'/ }" "$options $types: 1 $text"
			assert_contains "$err" 'overflow'
		done
		# shellcheck disable=SC2086
		run_pscan --format=binary -c 2 -f 2 -t i32be $options in
		assert_equal "$options: $code $("$PYTHON" -c 'import struct
data = open("out", "rb").read()
print(*struct.unpack(f">{len(data) // 4}i", data))')" "$options: 1 $wanted"
	done
}
