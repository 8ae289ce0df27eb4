#!/usr/bin/env bats
# shellcheck disable=SC2154,SC2030,SC2031,SC2086 # code, out and err are set by run_pscan
# Windows: a result is of the last elements only.

load helper

setup() {
	export PSCAN_DEVICE=none
	cd "$TMP" || return
}

# windows WANT OPTION... <INPUT: the results, on one line.
windows() {
	run_pscan "${@:2}"
	assert_equal "$*: $code $err" "$*: 0 "
	assert_equal "$*: $(paste -sd ' ' out)" "$*: $1"
}

refuses() {
	run_pscan "${@:2}" < <(seq 3)
	assert_equal "$*: $code $out" "$*: 2 "
	assert_contains "$err" "$1"
}

@test "moving sums, means, maxima and products, awk's" {
	seq 1000 | awk '{ print $1 * 7919 % 1009 - 500 }' >in
	awk -v n=7 '{ x[NR] = $1; s = 0; p = 1; m = $1; l = 0
		for (i = NR; i > 0 && i > NR - n; i--) { s += x[i]; l++; if (x[i] > m) m = x[i]; if (i > NR - 3) p *= x[i] }
		print s, m, l, p }' in >want
	run_pscan --window=7 -op sum,max,count -c 1 in
	assert_equal "$code $err" '0 '
	cut -d ' ' -f 1-3 want | cmp - out
	run_pscan --window=3 -op prod in
	cut -d ' ' -f 4 want | cmp - out
	windows '1 2 3 5 7' --window=2 -op sum < <(printf '%s\n' 1 1 2 3 4)
	windows '1 1.5 2 3 4' --window=3 -op mean < <(seq 5)
	windows '0 1 3 6 9' --window=3 -e < <(seq 5)
	windows '0 1 3 6 9 12' --window=3 --include-initial < <(seq 5)
	windows '12' --window=3 --total < <(seq 5)
	windows '' --window=3 < <(printf '')
	windows '0 1 2 3 3' --window=3 -op count -e < <(seq 5)
}

@test "windows of integers of every type and of floats, by their definitions" {
	run "$PYTHON" "$TOOLS/windows.py" exact 2026 100
	assert_equal "$output" '100 cases, 0 wrong'
}

# bats test_tags=long
@test "many of them" {
	[ -z "${ASAN_OPTIONS-}${TSAN_OPTIONS-}" ] || skip 'too long under sanitizers'
	run "$PYTHON" "$TOOLS/windows.py" exact 7 2000
	assert_equal "$output" '2000 cases, 0 wrong'
	run "$PYTHON" "$TOOLS/windows.py" decimals 7 2000
	assert_equal "$output" '2000 cases, 0 wrong'
	run "$PYTHON" "$TOOLS/windows.py" segments 2026 600
	assert_equal "$output" '600 cases, 0 wrong'
	"$PYTHON" "$TOOLS/window_products.py" 40
}

@test "windows of exact decimals: the longest fraction so far, elements as they were written, f64 after the end" {
	run "$PYTHON" "$TOOLS/windows.py" decimals 2026 100
	assert_equal "$output" '100 cases, 0 wrong'
}

@test "after decimals of one scale f64 goes on with the blocks that there were: as where a state is saved, which has 128 bits" {
	"$PYTHON" -c 'import random
draw = random.Random(4)
for i in range(4000):
    print(f"k{draw.randrange(3)} {draw.randrange(-10**6, 10**6) / 100:.2f}" if i != 3000 else "k1 1e-19")' >in
	local options
	for options in '' '-g 1' '-op mean' '-op max -g 1'; do
		# shellcheck disable=SC2086
		run_pscan -f 2 --window=64 --chunk-size=4K $options in
		assert_equal "$code $err" '0 '
		mv out plain
		rm -f state
		# shellcheck disable=SC2086
		run_pscan -f 2 --window=64 --chunk-size=4K $options --state=state in
		assert_equal "$code $err" '0 '
		cmp out plain
	done
}

@test "segments of keys in the memory of those before them, which were f64 in the end" {
	run "$PYTHON" "$TOOLS/windows.py" segments 2026 60
	assert_equal "$output" '60 cases, 0 wrong'
	# 201 states of 8 bytes, then of 16.
	run_pscan --window=199 --reset-on=1 -f 2 --total < <(
		echo 'a 1e-19'
		yes 'a 1' | head -200
		yes 'b 1' | head -200
	)
	assert_equal "$code $err $(paste -sd ' ' out)" '0  a 199 b 199'
}

# bats test_tags=long
@test "the bits of floats: the grid of the block, and its mirror image over the block before" {
	[ -z "${ASAN_OPTIONS-}${TSAN_OPTIONS-}" ] || skip 'too long under sanitizers'
	run "$PYTHON" "$TOOLS/windows.py" grid
	assert_equal "$output" '240 runs, 0 wrong'
}

@test "an overflow is judged by the window, not by what is in between" {
	# In the second block the prefix and the suffix before it leave the type, the windows do not.
	windows '9223372036854775807 9223372036854775806 9223372036854775805 9223372036854775805' --window=3 -t i64 \
		< <(printf '%s\n' 9223372036854775807 -1 -1 9223372036854775807)
	run_pscan --window=2 -t i8 < <(printf '%s\n' 100 -100 100 27 1)
	assert_equal "$code $(paste -sd ' ' out)" '0 100 0 0 127 28'
	run_pscan --window=2 -t i8 < <(printf '%s\n' 1 100 -100 100 28 1)
	assert_equal "$code $(paste -sd ' ' out) $err" \
		'1 1 101 0 0 pscan: standard input: element 5: the sum does not fit i8 (see -t i8:i64, --overflow=wrap)'
	windows '1 101 0 0 -128 29' --window=2 -t i8 --overflow=wrap < <(printf '%s\n' 1 100 -100 100 28 1)
	run_pscan --window=2 -t i64 < <(printf '%s\n' 9223372036854775807 -1 2 9223372036854775806)
	assert_equal "$code $(paste -sd ' ' out)" '1 9223372036854775807 9223372036854775806 1'
	# In 64 bits 2^64 would be 0.
	run_pscan --window=4 -op prod -t i32 < <(printf '%s\n' 0 65536 65536 65536 65536)
	assert_equal "$code $(paste -sd ' ' out)" '1 0 0 0 0'
}

@test "a product of 0 is exact, whatever was lost before, and of nothing else; modulo 2^128 these would be 0" {
	local big=18446744073709551616
	run_pscan -t dec --window=4 -op prod < <(printf '%s\n' $big 0 $big 3 $big)
	assert_equal "$code $(paste -sd ' ' out)" "0 $big 0 0 0 0"
	# A suffix of the block before.
	run_pscan -t dec --window=4 -op prod < <(printf '%s\n' 0 $big 1 $big 7)
	assert_equal "$code $(paste -sd ' ' out)" '1 0 0 0 0'
	assert_contains "$err" 'cannot stay exact: "7"'
	run_pscan -t dec --window=4 -op prod < <(printf '%s\n' 0 0 $big $big 7 8)
	assert_equal "$code $(paste -sd ' ' out)" '1 0 0 0 0 0'
	assert_contains "$err" 'cannot stay exact: "8"'
	# The prefix of the block.
	run_pscan -t dec --window=4 -op prod < <(printf '%s\n' 1 1 0 1 $big $big 1)
	assert_equal "$code $(paste -sd ' ' out)" '1 1 1 0 0 0 0'
	run_pscan -t dec --window=4 -op prod < <(printf '%s\n' 1 1 1 0 $big $big 0 5 6 7)
	assert_equal "$code $(paste -sd ' ' out)" '0 1 1 1 0 0 0 0 0 0 0'
}

@test "exactness ends where the window's elements cannot have the token's decimals, or their sum 128 bits" {
	local most=170141183460469231731687303715884105727
	windows "$most 1.7014118346046923e+38 1.5 3.5" --window=2 < <(printf '%s\n' $most 0.5 1 2.5)
	windows "$most 1.7014118346046923e+38 3" --window=2 < <(printf '%s\n' $most 1 2)
	# Where a run of the grid begins, and within one.
	local count
	for count in 15 16 17 32; do
		"$PYTHON" -c 'import sys
count, most = int(sys.argv[1]), 2**127 - 1
each = most // count
for i in range(count + 4):
    total = each * (i + 1)
    print(each, total if i < count else format(float(each * count) + sum([float(each)] * (i - count + 1)), ".17g"))' $count >both
		run_pscan --window=1000 < <(cut -d ' ' -f 1 both)
		assert_equal "$code $(head -n $count out)" "0 $(cut -d ' ' -f 2 both | head -n $count)"
		"$PYTHON" - <<-'END'
			got = [float(x) for x in open("out")]
			want = [float(line.split()[1]) for line in open("both")]
			assert len(got) == len(want) and all(abs(g - w) <= 1e-12 * w for g, w in zip(got, want)), (got, want)
		END
		# All are the same number: so are their means.
		run_pscan --window=1000 -op mean < <(cut -d ' ' -f 1 both)
		"$PYTHON" - <<-'END'
			each = float(open("both").readline().split()[0])
			got = [float(x) for x in open("out")]
			assert got and all(abs(g - each) <= 1e-12 * each for g in got), (got, each)
		END
	done
}

@test "windows whose parts leave 128 bits go on in f64 with what they hold" {
	windows '0 0 0 -7.000000000000001e+50' --window=3 -op prod < <(printf '%s\n' 0 1e30 1e20 -7)
	windows '-100000000000000000000000000000000000000 0 100000000000000000000000000000000000000 2e+38' --window=3 < <(printf '%s\n' -1e38 1e38 1e38 0)
	local zeros=00000000000000000000000000000000000000
	# After a record without a number a window is of fewer: that may be what does not fit, or fits.
	windows "0 -1$zeros 0 1$zeros 2e+38 1e+38 5 5" -e --window=3 --missing=hold < <(printf '%s\n' -1e38 1e38 1e38 NA 5 NA NA NA)
	windows "1 1 100000000000000000000 100000000000000000000 2" -e -op prod --window=2 --missing=hold < <(printf '%s\n' 1 1e20 NA 2 1)
	# Exact rationals, each case a key's.
	python3 - <<-'END' "$PSCAN"
		import random, subprocess, sys
		from decimal import Decimal, getcontext
		from fractions import Fraction
		from math import prod
		getcontext().prec = 2000
		draw = random.Random(8)
		operators = {"sum": sum, "prod": prod, "mean": lambda w: sum(w) / len(w), "range": lambda w: max(w) - min(w),
		             "drawdown": lambda w: max(w) - w[-1]}
		for operator, window in [(o, w) for o in operators for w in (2, 3, 7)]:
		    lines, wants, zero = [], [], int(operator == "prod")
		    exclusive = operator in ("sum", "prod") and window != 2
		    for key in range(40):
		        size = draw.choice((2**31, 2**63, 2**64, 10**20, 10**30, 2**126, 2**127 - 4))
		        missing = draw.choice((0, 0.3))
		        elements = []
		        for i in range(draw.randint(1, 60)):
		            x = draw.choice((0, 1, -1, draw.randint(-9, 9), draw.choice((1, -1)) * (size - draw.randint(0, 3)), size // 3))
		            elements.append(None if draw.random() < missing else x)
		        shown = zero
		        for i, x in enumerate(elements):
		            lines.append(f"{key} {'NA' if x is None else x}")
		            of = [Fraction(y) for y in elements[max(0, i + 1 - window):i + 1] if y is not None]
		            result = operators[operator](of) if of else None
		            before, shown = shown, result if exclusive and of or x is not None else shown
		            give = before if exclusive else shown if any(y is not None for y in elements[:i + 1]) else "NA"
		            wants.append((key, give, max(abs(y or 0) for y in elements)))
		    options = ["-e"] * exclusive + ["--window=%d" % window, "--missing=hold", "-op", operator, "-g1", "-f2"]
		    got = subprocess.run([sys.argv[1], *options], input="\n".join(lines) + "\n", capture_output=True, text=True)
		    results = got.stdout.splitlines()
		    assert (got.returncode, got.stderr, len(results)) == (0, "", len(wants)), (options, got.stderr, len(results), len(wants))
		    for line, (key, want, most) in zip(results, wants):
		        k, result = line.split()
		        if isinstance(want, str) or result == "NA":
		            assert (int(k), result) == (key, want), (options, line, want)
		            continue
		        exact, fits = Fraction(Decimal(result)) if "inf" not in result else Fraction(10)**400, "e" not in result
		        room = abs(want) / 10**13 if operator in ("prod", "mean") and not (operator == "mean" and most * window >= 2**127) else most * window / 10**13
		        near = abs(exact - want) <= room or (abs(want) > 10**308 and "inf" in result)
		        assert int(k) == key and (exact == want or near and (most * window >= 2**127 or operator in ("prod", "mean"))), (options, line, float(want))
	END
}

@test "with keys windows grow as elements come" {
	awk 'BEGIN { for (i = 1; i <= 9000; i++) print "k" i % 2, i }' >in
	awk '{ s[$1] += $2; x[$1, ++n[$1]] = $2; if (n[$1] > 3000) s[$1] -= x[$1, n[$1] - 3000]; print $1, s[$1] }' in >want
	run_pscan -g 1 -f 2 --window=3000 --chunk-size=4K in
	assert_equal "$code $err" '0 '
	cmp want out
}

@test "windows of keys, columns and segments, and of a pipe that pauses, at every level of instructions" {
	local cpu n options
	awk 'BEGIN { for (i = 1; i <= 9000; i++) print "k" i * i % 7, i * 7919 % 1009 - 500, i % 11 }' >in
	for n in 1 3 127 128 129 700; do
		for cpu in grid baseline v3 v4; do
			for options in '-g 1 -f 2,3 -op max,sum -t i64 --overflow=wrap' '-g 1 -f 2 -op min -t f64 -e' \
				'-f 2,3 -op xor -t i16 --reset-every=1000' '-f 2 -op max -t f32 --reset-at=7' '-f 3 -t u16'; do
				# shellcheck disable=SC2086 # the options are words
				PSCAN_CPU=$cpu run_pscan $options --window=$n --chunk-size=4K in
				assert_equal "$options $n $cpu: $code $err" "$options $n $cpu: 0 "
				cat out >>"$cpu.out"
			done
			{ head -n 1000 in; sleep 0.01; sed -n 1001p in; sleep 0.01; tail -n +1002 in; } |
				PSCAN_CPU=$cpu "$PSCAN" -f 2 -op max -t i64 --window=$n >>"$cpu.out"
		done
	done
	for cpu in baseline v3 v4; do
		cmp grid.out $cpu.out
	done
}

@test "keys, columns, resets, missing numbers and lines, each with its own windows" {
	printf '%s\n' 'a 1' 'b 10' 'a 2' 'a -' 'a 3' 'b 20' 'b 30' >in
	windows 'a 1 1 b 10 10 a 2 3 a - - a 3 3 b 20 30 b 30 50' --window=2 -g 1 -f 2 -a --missing=keep in
	windows 'a 5 b 50' --window=2 -g 1 -f 2 --missing=skip --total in
	windows '1 3 5 4 9 11 7 15 17' --window=2 --reset-every=3 < <(seq 9)
	windows '1 3 5 0 5 11' --window=2 --reset-at=0 < <(printf '%s\n' 1 2 3 0 5 6)
	windows '1 10 3 30 5 50' --window=2 -c 2 < <(printf '1 10\n2 20\n3 30\n')
	run_pscan --csv -f x -a --window=2 -op mean < <(printf 'x,y\n1,a\n2,b\n4,c\n')
	assert_equal "$(cat out)" $'x,y,x_mean\n1,a,1\n2,b,1.5\n4,c,3'
	"$PYTHON" -c 'import sys, array; array.array("i", [1, -1, 2, -2, 4, -4]).tofile(sys.stdout.buffer)' >bin
	run_pscan --format=binary --output-format=text -t i32 -c 2 --window=2 bin
	assert_equal "$(paste -sd ' ' out)" '1 -1 3 -3 6 -6'
}

@test "a result does not wait for its block's end" {
	mkfifo pipe
	"$PSCAN" --window=1000 <pipe >out &
	exec 5>pipe
	printf '1\n2\n' >&5
	wait_until grep -qx 3 out
	printf '3\n' >&5
	wait_until grep -qx 6 out
	exec 5>&-
	wait $!
	assert_equal "$(paste -sd ' ' out)" '1 3 6'
}

@test "windows of a hundred million elements, and larger than any memory" {
	seq 100000 >in
	windows '5000050000' --window=100000000 --total in
	windows '99901' --window=100 -op first --total in
	ASAN_OPTIONS=${ASAN_OPTIONS-}:allocator_may_return_null=1 run_pscan --window=1000000000000000 in
	assert_equal "$code $out $err" '3  pscan: out of memory: 1000000000000000 elements of a window'
	# With keys it grows with the elements.
	windows 'x 6' --window=1000000000000000 -g 1 -f 2 --total < <(printf 'x 1\nx 2\nx 3\n')
}

@test "a device that is named leaves windows to the host, and -v says so" {
	need_opencl
	unset PSCAN_DEVICE
	run_pscan -v -D cpu --window=2 < <(seq 3)
	assert_equal "$code $(paste -sd ' ' out)" '0 1 3 5'
	assert_contains "$err" 'keys, resets, windows and exact decimals are scanned on the host'
}

@test "what windows do not go with" {
	refuses '--window cannot be combined with --seed: a window has only its own elements' --window=3 --seed=1
	refuses 'not supported yet' -D cpu --window=3 -op 'a+b'
	refuses 'not supported yet' -D cpu --window=3 --map='x*i'
	refuses 'only with --algorithm=blelloch' --window=3 --algorithm=sequential
	refuses 'a window by time needs its field: --window=time:5m (see --help=window)' --window=5m
	local value
	for value in 0 -1 x '' 1.5 18446744073709551616; do
		refuses '--window' --window="$value"
	done
}

# bats test_tags=long
@test "where memory for windows of keys ends, what came out is right, and the keys are counted" {
	local limit
	[ -z "${ASAN_OPTIONS:-}${TSAN_OPTIONS:-}" ] || skip 'a sanitizer takes all addresses'
	awk 'BEGIN { for (i = 0; i < 1500000; i++) print "k" i % 40, i }' >in
	cp in want
	for limit in 150000 200000 250000 300000; do
		(ulimit -v $limit && "$PSCAN" -D none -T 1 -g 1 -f 2 -op max --window=100000000 in) >out 2>>messages && code=0 || code=$?
		assert_equal "$limit: $code" "$limit: 3"
		cmp out <(head -n "$(wc -l <out)" want)
	done
	assert_contains "$(cat messages)" 'pscan: out of memory: 40 keys with windows'
}

@test "under -e the first record has the identity, and a later one whose window has no number no result" {
	windows '0 1 3' -e --window=2 < <(seq 3)
	windows 'a 0 b 0 a 1' -e --window=2 -g 1 -f 2 < <(printf '%s\n' 'a 1' 'b 7' 'a 2')
	windows 'NA NA 5 ' -e --window=3 --missing=keep -f 1 -a < <(printf '%s\n' NA 5)
	windows '1 0 NA 1 NA 1 5 1' -e --window=2 --missing=hold -f 1 -a < <(printf '%s\n' 1 NA NA 5)
}

@test "memory that lag:N lacks is called by its name" {
	[ -z "${ASAN_OPTIONS:-}${TSAN_OPTIONS:-}" ] || skip 'memory is not measured under a sanitizer'
	run_pscan -op lag:99999999999 </dev/null
	assert_equal "$code $err" '3 pscan: out of memory: 100000000000 elements, which lag:99999999999 keeps'
}

@test "windows of products of powers of two are exact near the ends of the range of plain products, over them, and far from 1" {
	"$PYTHON" "$TOOLS/window_products.py" 12
}

@test "lag:N and delta:N look N records back, each operator in its own way, in every scan of its own" {
	gives() { # INPUT OUTPUT OPTION...
		run_pscan -a -d ' ' -f 2 "${@:3}" < <(printf '%s\n' $1 | tr , ' ')
		assert_equal "$code $(sed 's,^[^ ]* [^ ]* ,,' out | paste -sd ,) $err" "0 $2 "
	}
	gives 'a,1 a,4 a,9 a,16 a,25' ',,1,4,9' -op lag:2
	gives 'a,1 a,4 a,9 a,16 a,25' ',3,5,7,9' -op delta:1
	gives 'a,1 a,4 a,9 a,16 a,25' '1  ,5  ,14 1 ,30 4 15,55 9 21' -op sum,lag:2,delta:3
	gives 'a,1 b,4 a,9 b,16 a,25' ',,,,1' -op lag:2 -g 1
	gives 'a,1 b,4 a,9 b,16 b,25' ',,,,9' -op delta:1 --reset-on=1
	gives 'a,1 a,4 a,9 a,16 a,25' ',3,,7,' -op delta:1 --reset-every=2
	# Elements as they were written; differences with the longest fraction so far.
	gives 'a,1.50 a,4 a,9.0 a,16 a,25.125' ' , ,1.50 7.50,4 12.00,9.0 16.125' -op lag:2,delta:2
	# A record without a number is counted, so what is absent stays where it belongs.
	gives 'a,1 a,NA a,9 a,16 a,25' ',NA,1,,9' -op lag:2 --missing=keep
	gives 'a,1 a,2 a,NA a,16 a,25' ',1,1,,9' -op delta:1 --missing=hold
	gives 'a,1 a,NA a,9 a,16 a,25' ',,,1,9' -op lag:2 --missing=skip
	gives 'a,1 a,4 a,9 a,16 a,25' '1 ,2.5 ,6.5 1,12.5 4,20.5 9' --window=2 -op mean,lag:2
	run_pscan -op lag:2,delta:1 --total < <(seq 5)
	assert_equal "$code $(cat out)" '0 3 1'
	run_pscan -op lag:9 --total < <(seq 5)
	assert_equal "$code $(cat out)" '0 -'
	run_pscan -t f32 --output-format=binary -op lag:1 < <(seq 2)
	assert_equal "$code $(od -An -tx4 out)" '0  7fc00000 3f800000'
	run_pscan -t i8 -op delta:2 < <(printf '%s\n' -100 0 100)
	assert_equal "$code $(cat out)" '1 '
	assert_contains "$err" 'element 3: the delta does not fit i8'
	run_pscan -op lag:2 --state="$TMP/state" < <(seq 3)
	run_pscan -op lag:2 --state="$TMP/state" < <(seq 4 5)
	assert_equal "$code $(paste -sd ' ' out)" '0 2 3'
	run_pscan -op lag:3 --state="$TMP/state" < <(seq 4 5)
	assert_equal "$code" 2
}

@test "--min-count of lag:N and delta:N counts the numbers of the scan" {
	local options
	for options in '' --window=10; do # By hand: 5 - 2.
		windows '- - 3 12' -f 1 --missing=keep -op delta:3,sum --min-count=4 $options < <(printf '1\n2\n-\n4\n5\n')
	done
	windows '2 10 3 15' -op lag:2,sum --min-count=4 < <(seq 5)
	windows '1 6 2 9 3 12' -op lag:2,sum --min-count=3 --window=3 < <(seq 5)
	windows '4 5 6' -op lag:2 --min-count=4 --emit=n < <(seq 6)
	run_pscan -op lag:2,lag --min-count=4 --window=3 < <(seq 3)
	assert_equal "$code $err" '2 pscan: --min-count is larger than the window: 3 numbers are the most'
}

@test "what lag:N and delta:N do not do is refused" {
	refused() { # MESSAGE OPTION...
		run_pscan "${@:2}" < <(seq 3)
		assert_equal "$code $err" "2 pscan: $1"
	}
	refused '-op lag:2 with -e: not supported yet (see LIMITS in man pscan)' -op lag:2 -e
	refused '-op delta:2 with --include-initial: not supported yet (see LIMITS in man pscan)' -op delta:2 --include-initial
	refused '-op lag:2 with --seed: not supported yet (see LIMITS in man pscan)' -op lag:2 --seed=1
	refused '-op lag:2 with --algorithm: not supported yet (see LIMITS in man pscan)' -op lag:2 --algorithm=sequential
	refused 'lag:1: the first result is missing, and i8 has no value for that (see --output-format=text)' -op lag:1 -t i8 --output-format=binary
	refused 'lag: the first result is missing, and i8 has no value for that (see --output-format=text)' -op lag -t i8 --window=2 --output-format=binary
	refused '-e: last has no start value of its own' -e -op last --window=2
	refused '--show-operator: lag:2 is of a window, for which there is no program' --show-operator=lag:2
	refused '-op: "lag:0" is not an operator with a whole number from 1 on, as in lag:12 (see --help=op)' -op lag:0
	refused '-op: "delta:x" is not an operator with a whole number from 1 on, as in lag:12 (see --help=op)' -op delta:x
	run_pscan -t f32 --format=binary --map='x * 2' -op lag:2 < <(printf 'abcdefgh')
	assert_equal "$code $err" '2 pscan: -op lag:2 with --map: not supported yet (see LIMITS in man pscan)'
}

@test "lag:N and delta:N of random tables are what a model makes of them" {
	run "$PYTHON" "$TOOLS/lag_model.py" 2026 "$(cases 150)"
	assert_equal "$output" "$(cases 150) cases, 0 wrong"
}

# bats test_tags=long
@test "lag:N and delta:N of random tables are what a model makes of them, many" {
	run "$PYTHON" "$TOOLS/lag_model.py" 7 20000
	assert_equal "$output" '20000 cases, 0 wrong'
}
