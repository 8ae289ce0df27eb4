#!/usr/bin/env bats
# What the output has where a number is missing: nothing, the mark, or the result before it. Compared with a model that
# takes one number after the other, and with known answers.
# shellcheck disable=SC2154 # code, out and err are set by run_pscan

load helper

setup() {
	export PSCAN_DEVICE=none
	cd "$TMP" || return
}

# --- --missing=hold

@test "where a number is missing the result before it stands again, and before any the mark" {
	for type in dec f64; do
		gives 'NA 1 - 2 NA NA 3\n' 'NA\n1\n1\n3\n3\n3\n6\n' --missing=hold -t $type
	done
	gives 'NA\n-\n' 'NA\n-\n' --missing=hold
	gives '4 n/a 9 NA 2\n' '4\n4\n9\n9\n9\n' -op max --missing=hold -t i32
	gives '0.5 NA 0.25 NA\n' '0.5\n0.5\n0.75\n0.75\n' --missing=hold -t f64
	gives '5 nan 7\n' '5\n5\n12\n' --missing=hold
	gives '' '' --missing=hold
}

@test "a held result is the text before it, whatever decimals come later" {
	gives '1 NA 2.50 NA 3 NA 0.125 NA\n' '1\n1\n3.50\n3.50\n6.50\n6.50\n6.625\n6.625\n' --missing=hold
	gives '7 NA 0.25 NA 9.5 NA\n' '7\n7\n0.25\n0.25\n9.5\n9.5\n' --missing=hold -op last
	gives '9223372036854775807\nNA\n1\nNA\n' '9223372036854775807\n9223372036854775807\n9223372036854775808\n9223372036854775808\n' \
		--missing=hold
	gives '0.10 NA 1e-19 NA 0.2\n' '0.10\n0.10\n0.1\n0.1\n0.30000000000000004\n' --missing=hold
	gives '1 NA 2 NA\n' '1.00\n1.00\n3.00\n3.00\n' --missing=hold -F %.2f
}

@test "a total of windows counts the records without a number that a segment begins with" {
	# The blocks are of three records: NA 1.4 6.0, then -8.7 -7.6. Python: 6.0 + (-8.7 + -7.6)
	printf '1 p\nNA q\n1.4 q\n6.0 q\n-8.7 q\n-7.6 q\n' >in
	for how in keep hold; do
		run_pscan -t f64 -f 1 --missing=$how --window=3 --reset-on=2 --total in
		assert_equal "$how: $out" "$how: p 1"$'\n''q -10.299999999999997'
	done
}

@test "under -e a held result is what the next number would get" {
	# Floats are scanned without the records that lack a number, and exact decimals with them.
	for type in dec f64; do
		gives 'NA 1 NA NA 2.5 NA\n' '0\n0\n1\n1\n1\n3.5\n' --missing=hold -e -t $type
	done
	gives 'NA 1 NA 2 NA\n' '5\n5\n6\n6\n8\n' --missing=hold -e --seed=5
	gives 'NA 3 NA\n' '-inf\n-inf\n3\n' --missing=hold -e -op max
	# What the next number would not get is not there for a mark either.
	gives 'NA\n5\n-\n3\n-\n' '1\n1\n1\n' --missing=hold -e -op argmax
	gives 'a,NA\nb,5\nc,-\n' 'a,NA,\nb,5,\nc,-,1\n' --missing=hold -e -op argmax -d , -f 2 -a
	gives 'a,NA\nb,5\nc,-\n' 'a,NA\nb,5\nc,1\n' --missing=hold -e -op argmax -d , -f 2 --replace
	gives 'a,NA\nb,5\nc,-\n' ',0\n,0\n1,1\n' --missing=hold -e -op argmax,count -d , -f 2
	gives 'NA\n1\nNA\n2\nNA\n3\nNA\n' 'NA \n1 \nNA \n2 \nNA 3\n3 3\nNA 6\n' --missing=hold -e --min-count=2 -f 1 -a
	gives 'NA\n1\nNA\n2\nNA\n' '- 0\n- 0\n- 1\n- 1\n1 2\n' --missing=hold -e -op lag,count -f 1
	gives 'NA\n1\nNA\n2\nNA\n' 'NA NA\n1 \nNA NA\n2 3\nNA 3\n' --missing=hold --min-count=2 -f 1 -a
	# A result that is made of its number, too, is not known before that: it stands again.
	gives 'NA 7 NA 4 NA 9\n' 'NA\n2\n2\n5\n5\n0\n' --missing=hold -e -op drawdown --seed=9
}

# unfit INPUT OUTPUT OPTION...: the run ends at a result that does not fit i8.
unfit() {
	# shellcheck disable=SC2059 # formats
	run_pscan -t i8 -e --missing=hold "${@:3}" < <(printf -- "$1")
	assert_equal "$*: $code" "$*: 1"
	# shellcheck disable=SC2059
	assert_equal "$(cat out; echo .)" "$(printf -- "$2"; echo .)"
	assert_contains "$err" 'does not fit i8'
}

@test "under -e a result that only a missing number shows must fit, wherever the input was cut" {
	local option
	for option in -q --chunk-size=4K --reset-every=100 --window=9 --seed=0 -T1; do
		unfit '100 100 - 4\n' '0\n100\n' "$option"
	done
	unfit '100 100 - 4\n' '0 -128\n100 100\n' -op sum,max
	unfit 'a 100\na 100\na -\n' 'a 100 0\na 100 100\n' -f 2 -a
	unfit 'a 100\na 100\na -\n' 'a 0\na 100\n' -f 2 --replace
	unfit 'a 100\nb 100\na 100\nb -\na -\n' 'a 0\nb 0\na 100\nb 100\n' -g 1 -f 2
	unfit '100,1\n100,1\n,1\n' '0,0\n100,1\n' --csv --no-header -f 1,2
	# The result with the last number belongs to no element, and is not shown where a segment ends.
	gives '100 100\n' '0\n100\n' -t i8 -e --missing=hold
	gives '100 100 - 100 - -\n' '0\n100\n0\n0\n0\n0\n' -t i8 -e --missing=hold --reset-every=2
	gives '100 100 - 4\n' '0\n100\n-56\n-56\n' -t i8 -e --missing=hold --overflow=wrap
	"$PYTHON" -c 'import struct, sys; sys.stdout.buffer.write(struct.pack("<4d", 100, 100, float("nan"), 4))' >in
	run_pscan -t f64le:i8 -e --nan=hold --output-format=text in
	assert_equal "$code $(paste -sd ' ' out) $err" '1 0 100 pscan: in: element 3: the sum does not fit i8 (see -t f64:i64, --overflow=wrap)'
	for option in -q --window=3; do
		printf '100 100\n' | "$PSCAN" -t i8 -e --missing=hold --state="S$option" $option >/dev/null
		unfit '- 4\n' '' --state="S$option" $option
	done
}

@test "numbers of 128 bits and f64 of keys and segments stay what they are after a kept or held record" {
	gives '1000 -18446744073709551617 - -28446744073709551616 4\n' \
		'1000\n-18446744073709550617\n-18446744073709550617\n-46893488147419102233\n-46893488147419102229\n' --missing=hold --reset-every=9
	gives 'k 1e30\nk -\nk 1e30\nk 1e38\nk -\nk 1e38\n' \
		'k 1000000000000000000000000000000\nk -\nk 2000000000000000000000000000000\nk 100000002000000000000000000000000000000\nk -\nk 2.00000002e+38\n' \
		--missing=keep -g 1 -f 2
}

@test "the initial result is one before the first, and a total takes no notice" {
	gives 'NA 1 NA 2\n' '0\n0\n1\n1\n3\n' --missing=hold --include-initial
	for type in dec f64; do
		gives 'NA 1 NA 2\n' '10\n10\n11\n11\n13\n' --missing=hold --include-initial --seed=10 -t $type
		gives 'NA 1 NA 2\n' 'NA\n11\n11\n13\n' --missing=hold --seed=10 -t $type
	done
	gives 'NA 1 NA 2 NA\n' '3\n' --missing=hold --total
	gives 'NA\n' '0\n' --missing=hold --total
}

@test "whole lines come out with the results held" {
	gives 'k NA\na 1\nb -\nc 2\nd\n' 'k NA NA\na 1 1\nb - 1\nc 2 3\nd 3\n' -f 2 -a --missing=hold
	gives 'k,\na,1\nb,\nc,2\nd\n' 'k,,\na,1,1\nb,,1\nc,2,3\nd,3\n' -d , -f 2 -a --missing=hold
	gives 'k NA x\na 1 x\nb  - x\nc 2 x\n' 'k NA x\na 1 x\nb  1 x\nc 3 x\n' -f 2 --replace --missing=hold
	gives 'k,\na, 1 \nb, NA \nc\n' 'k,\na, 1 \nb, 1 \nc,1\n' -d , -f 2 --replace --missing=hold
	gives 'h,v\r\nk,NA\r\na,1\r\nb,"null"\r\n' 'h,v,v_sum\r\nk,NA,NA\r\na,1,1\r\nb,"null",1\r\n' --csv -f v -a --missing=hold
	gives 'h,v\nk,NA\na,1\nb,"NA"\n' 'v_sum\nNA\n1\n1\n' --csv -f v --missing=hold
	gives '# x\na 1\n# y\nb -\n' '# x\na 1 1\n# y\nb - 1\n' -f 2 -a '--comment=#' --missing=hold
	stops 'a 1\nb\n' 1 'a 1\n' 'pscan: in: line 2, field 2: not in the line, so nothing can be replaced: "b" (see --missing=skip)' \
		-f 2 --replace --missing=hold
	# A mark that would be two fields, or begin one in quotes, stands in quotes.
	gives 'a;"not;known"\nb;1\n' 'a;"not;known";"not;known";"not;known"\nb;1;1;1\n' --csv -d ';' -f 2 -op sum,max -a --missing=hold \
		'--missing-marks=not;known'
}

@test "each field and each operator holds its own" {
	gives '1,NA\nNA,2\n3,-\n' '1,NA,1,NA\nNA,2,1,2\n3,-,4,2\n' -d , -f 1,2 -a --missing=hold
	gives '1 NA\nNA 2\n3 -\n' '1 NA\n1 2\n4 2\n' -f 1,2 --missing=hold
	gives 'NA\n4\nNA\n6\nNA\n' 'NA NA NA\n4 4 -\n4 4 NA\n10 4 4\n10 4 4\n' -f 1 -op sum,first,lag --missing=hold
	gives 'x 1\n- 2\n4 NA\n' 'x 1\n- 3\n4 3\n' -f 1,2 --replace --missing=hold --invalid=ignore
	# An element of two numbers is missing if one of them is.
	gives '1,2\nNA,3\n0.5,-\n2,1\n' '1,2,2\nNA,3,2\n0.5,-,2\n2,1,5\n' -d , -f 1,2 -op linrec -a --missing=hold
	gives '- 3\n1 2\n4 -\n' '-\n2\n2\n' -f 1,2 -op linrec --missing=hold
}

@test "all results of a program are held" {
	need_opencl
	cat >pair.cl <<-'END'
		typedef struct { double sum, greatest; } state;
		typedef struct { double mean, greatest; } result;
		state lift(double x) { state s = {x, x}; return s; }
		state combine(state a, state b) { state s = {a.sum + b.sum, fmax(a.greatest, b.greatest)}; return s; }
		result emit(state s, ulong n) { result r = {s.sum / n, s.greatest}; return r; }
	END
	export PSCAN_DEVICE=cpu
	gives 'a NA\nb 3\nc -\nd 1\ne NA\n' 'a NA NA NA\nb 3 3 3\nc - 3 3\nd 1 2 3\ne NA 2 3\n' -f 2 -op @pair.cl -a --missing=hold
	gives 'v\nNA\n3\n-\n1\n' 'mean greatest\nNA NA\n3 3\n3 3\n2 3\n' -f v -op @pair.cl --missing=hold
}

@test "what is held goes over the ends of chunks and of files" {
	"$PYTHON" - <<-'END'
		import itertools, os, random, subprocess
		random.seed(5)
		tokens = []
		for _ in range(60):
		    tokens += [f"{random.randrange(-99, 99)}" for _ in range(random.choice((0, 1, 3000)))]
		    tokens += ["NA"] * random.choice((1, 2, 5000))
		def model(exclusive):
		    total, shown, out = 0, None, []
		    for token in tokens:
		        if token != "NA":
		            before, total = total, total + int(token)
		            shown = before if exclusive else total
		        elif exclusive:
		            shown = total
		        out.append("NA" if shown is None else str(shown))
		    return out
		cuts = sorted(random.randrange(len(tokens)) for _ in range(3))
		names = []
		for begin, end in zip([0, *cuts], [*cuts, len(tokens)]):
		    names.append(f"part{begin}-{end}")
		    with open(names[-1], "w") as file:
		        file.writelines(f"x {token}\n" for token in tokens[begin:end])
		types = itertools.cycle(("num", "i64", "f32:f64", "i64"))
		for exclusive, lines, chunk in itertools.product((False, True), ("", "-a", "--replace"), ("4K", "64K", "2M")):
		    type = next(types)
		    options = [*(["-e"] if exclusive else []), *([lines] if lines else []), "-t", type, "--chunk-size=" + chunk, "-T3"]
		    done = subprocess.run([os.environ["PSCAN"], "-f", "2", "--missing=hold", *options, *names], capture_output=True, text=True)
		    assert (done.returncode, done.stderr) == (0, ""), done.stderr
		    held = model(exclusive)
		    if lines == "":
		        want = held
		    elif lines == "-a":
		        want = [f"x {token} {result}" for token, result in zip(tokens, held)]
		    else:
		        want = [f"x {result}" for result in held]
		    assert done.stdout.split("\n")[:-1] == want, options
	END
}

@test "fill-forward is last with hold, as awk does it" {
	seq 20000 | awk '{ print $1, ($1 * 7919 % 11 < 5 ? "" : $1 % 13 ".5") }' | sed 's/ /,/' >in
	awk -F, -v OFS=, '$2 != "" { last = $2 } { print $1, $2, last }' in >want
	run_pscan -d , -f 2 -op last -a --missing=hold in
	assert_equal "$code $err" '0 '
	cmp out want
}

# --- counts of records and of numbers

@test "windows, resets, indices and counts of records without numbers, by plain loops" {
	run "$PYTHON" "$TOOLS/missing_model.py" 2026 "$(cases 40)"
	assert_equal "$output" "$(cases 40) cases, 0 wrong"
}

# bats test_tags=long
@test "many windows, resets, indices and counts of records without numbers, by plain loops" {
	run "$PYTHON" "$TOOLS/missing_model.py" 32 5000
	assert_equal "$output" '5000 cases, 0 wrong'
}

@test "a kept or held record leaves a state of 128 bits as it is" {
	gives '9e18 9e18 NA 5\n' '9000000000000000000 0\n18000000000000000000 0\nNA NA\n18000000000000000005 0\n' -op sum,argmax --missing=keep
	"$PYTHON" - "$PSCAN" <<-'END'
		import decimal, random, subprocess, sys
		decimal.getcontext().prec = 60
		random.seed(1128)
		folds = {"sum": lambda a, b: a + b, "max": max, "min": min, "last": lambda a, b: b, "first": lambda a, b: a}
		for round in range(60):
		    numbers = [random.choice([decimal.Decimal(random.randint(-10**20, 10**20)).scaleb(-random.choice((0, 0, 9, 17))),
		                              decimal.Decimal(random.randint(-99, 99)), None]) for _ in range(30)]
		    operator = random.choice(list(folds))
		    options = random.choice((["-g", "1"], ["--reset-every=7"], ["--reset-on=1"], ["-op", operator + ",argmin"]))
		    hold = random.choice((False, True))
		    keys = [random.choice("ab") for _ in numbers]
		    lines = "".join(f"{k}\t{'' if n is None else format(n, 'f')}\n" for k, n in zip(keys, numbers))
		    want, states, last = [], {}, keys[0]
		    for i, (key, number) in enumerate(zip(keys, numbers)):
		        where = key if options[0] == "-g" else 0
		        if options[0] == "--reset-every=7" and i % 7 == 0 or options[0] == "--reset-on=1" and key != last:
		            states.clear()
		        last = key
		        if number is not None:
		            states[where] = folds[operator](states[where], number) if where in states else number
		        want.append(states.get(where) if number is not None or hold else None)
		    call = [sys.argv[1], "-d", "\t", "-f", "2", "--missing=" + ("hold" if hold else "keep"), "-op", operator] + options
		    done = subprocess.run(call, input=lines, capture_output=True, text=True, timeout=600)
		    assert (done.returncode, done.stderr) == (0, ""), (call, done.stderr)
		    got = [line.split("\t") for line in done.stdout.split("\n")[:-1]]
		    got = [g[1] if options[0] == "-g" else g[0] for g in got]
		    assert [None if g == "" else decimal.Decimal(g) for g in got] == want, (call, lines, done.stdout)
	END
}

@test "--window=N is of the last N records, as pandas and SQL count them" {
	# pandas.Series(...).rolling(3, min_periods=1).sum(), where there is a number
	gives '1 NA NA 4 5 NA 7 8\n' '1\nNA\nNA\n4\n9\nNA\n12\n15\n' --window=3 --missing=keep
	gives '1 NA NA 4 5 NA 7 8\n' '1\n1\n1\n4\n9\n9\n12\n15\n' --window=3 --missing=hold
	# rolling(3, min_periods=2)
	gives '1 NA NA 4 5 NA 7 8\n' 'NA\nNA\n9\nNA\n12\n15\n' --window=3 --missing=keep --min-count=2
	# rolling(2, min_periods=1).sum().shift(1): ROWS BETWEEN 2 PRECEDING AND 1 PRECEDING
	gives '1 2 NA NA 5 6\n' '0 0\n1 1\nNA NA\nNA NA\n5 1\n' --window=2 --missing=keep -e -op sum,count
	gives '1 2 NA NA 5 6\n' '0\n1\n3\n2\n2\n5\n' --window=2 --missing=hold -e
	gives '3 NA 1 4 NA 2\n' '0\nNA\n0\n3\nNA\n3\n' --window=3 --missing=keep -op argmax
	gives '1 NA NA 4 5\n' '1\n5\n10\n' --window=3 --missing=skip
}

@test "under -e --min-count counts the numbers before an element, and not the element itself" {
	gives '1 2 3 4\n' '1\n3\n6\n' -e --min-count=1
	gives '3 1 4 1 5\n' '3\n-1\n' -e --min-count=3 -op drawdown --seed=0
	gives '3 1 4 1 5\n' '0\n3\n0\n' --min-count=3 -op drawdown --seed=0
	# What is held is the result before, which 7 does not have.
	gives 'NA 7 NA 4 NA 9\n' 'NA\nNA\n5\n5\n0\n' -e --min-count=1 -op drawdown --seed=9 --missing=hold
	printf '%s\n' 3 1 4 1 5 >in
	local op seed want
	for op in $(operator_list | sed 's/, linrec//; s/:A/:0.5/; s/,//g'); do
		case $op in
		count | distinct | mean | var | std | arg*) seed=() ;;
		*) seed=(--seed=0) ;;
		esac
		run_pscan -e -op "$op" "${seed[@]}" in
		want=$(tail -n 2 <<<"$out")
		run_pscan -e -op "$op" "${seed[@]}" --min-count=3 in
		assert_equal "$op: $code $out" "$op: 0 $want"
	done
	printf '%s %s\n' 1 2 1 3 2 1 1 1 >in
	run_pscan -e -f1,2 -op linrec --seed=0 --min-count=2 in
	assert_equal "$code $out" $'0 5\n11'
}

@test "under -e --min-count counts so for operators of one's own whose results depend on the element, too" {
	need_opencl
	gives '3 1 4 1 5\n' '-7\n-4\n' -D cpu -e --min-count=3 --emit='x - s'
	gives '3 1 4 1 5\n' '8\n9\n' -D cpu -e --min-count=3 --emit='s'
	gives '3 1 4 1 5\n' '-7\n-4\n' -D cpu -e --min-count=3 --emit='x - s' --missing=hold
	gives 'NA 7 NA 4 NA 9\n' 'NA\nNA\n-3\n-3\n-2\n' -D cpu -e --min-count=1 --emit='x - s' --missing=hold
}

@test "--min-count gives no result before it is of so many numbers" {
	gives '1 2 NA 3 4\n' '3\nNA\n6\n10\n' --min-count=2 --missing=keep
	gives '1 2 NA 3 4\n' 'NA\n6\n10\n' --min-count=3 --missing=hold
	gives 'a,1\na,2\nb,3\na,\nb,4\n' 'a,1,\na,2,3\nb,3,\na,,3\nb,4,7\n' --csv --no-header -g 1 -f 2 -a --min-count=2 --missing=hold
	gives '1 2 3\n' '-\n' --min-count=4 --total
	gives '' '-\n' --min-count=2 --total
	gives '' '- -\n' --min-count=2 --total -op sum,max
	local input
	for input in '' '\0\0\200\077'; do
		# shellcheck disable=SC2059
		assert_equal "$(printf "$input" | "$PSCAN" --format=binary -t f32le --min-count=2 --total | od -An -tx1)" ' 00 00 c0 7f'
	done
	# The number whose result does not fit is in the window of the next record.
	unfit '100 100 - 1\n' '-\n' --window=3 --min-count=2 --missing=keep -op sum
	run_pscan --min-count=0 <<<1
	assert_equal "$code" 2
	run_pscan --min-count=4 --window=3 <<<1
	assert_equal "$code $err" '2 pscan: --min-count is larger than the window: 3 numbers are the most'
	run_pscan --min-count=1 --include-initial <<<1
	assert_equal "$code $err" '2 pscan: --min-count cannot be combined with --include-initial, whose first result has no number'
	run_pscan --min-count=2 --format=binary -t i32 </dev/null
	assert_equal "$code $err" '2 pscan: --min-count: i32 has no value for a missing result of sum (see -t)'
	# One number is there in each window of integers, but not before the first one, and not in a total of no input.
	printf '1\0\0\0002\0\0\0003\0\0\0004\0\0\0' >four # 49 to 52
	for input in '--window=3:49 99 150 153' ':49 99 150 202' '--reset-every=2:49 99 51 103' '--window=2 -op max,count:49 1 50 2 51 2 52 2'; do
		# shellcheck disable=SC2086
		run_pscan --min-count=1 --format=binary --output-format=text -t i32 ${input%%:*} four
		assert_equal "$code $(paste -s -d ' ' out)$err" "0 ${input#*:}"
		# shellcheck disable=SC2086
		run_pscan --min-count=1 --format=binary -t i32 ${input%%:*} four
		assert_equal "$code $err" '0 '
		# shellcheck disable=SC2086
		"$PSCAN" --format=binary -t i32 ${input%%:*} four | cmp - out
	done
	assert_equal "$(printf '5 6\n7\n' | "$PSCAN" --min-count=1 --window=2 -t u8 --output-format=binary | od -An -tu1)" '   5  11  13'
	for input in -e --total '-e --window=3' '--window=3 --total'; do
		# shellcheck disable=SC2086
		run_pscan --min-count=1 --format=binary -t i32 $input four
		assert_equal "$input $code $err" "$input 2 pscan: --min-count: i32 has no value for a missing result of sum (see -t)"
	done
	run_pscan --min-count=1 --format=binary -t f32 --nan=keep -op argmax --window=3 four
	assert_equal "$code $out" '2 '
}

@test "--fill-limit ends what is held after so many records in a row" {
	gives 'NA 1 NA NA NA 2 NA\n' 'NA\n1\n1\n1\nNA\n3\n3\n' --missing=hold --fill-limit=2
	gives 'NA 1 NA NA NA 2 NA\n' '0\n0\n1\n1\nNA\n1\n3\n' --missing=hold --fill-limit=2 -e
	gives 'a,1\na,\nb,\na,\nb,2\n' 'a,1,1\na,,1\nb,,\na,,\nb,2,2\n' --csv --no-header -g 1 -f 2 -a --missing=hold --fill-limit=1
	run_pscan --fill-limit=1 --missing=keep <<<1
	assert_equal "$code $err" '2 pscan: --fill-limit works only with --missing=hold or --nan=hold'
}

@test "--reset-at=nan begins anew at a NaN, --reset-at=missing after a missing number" {
	gives '1 nan 2 3 nan 4\n' '1\nnan\n2\n5\nnan\n4\n' -t f64 --reset-at=nan --nan=keep
	gives '1 nan 2 3 nan 4\n' '0\nnan\n1\n2\nnan\n1\n' --reset-at=NaN --nan=hold -op argmax
	gives '1 nan 2 3 nan 4\n' '1\n3\n2\n' -t f64 -op count --reset-at=nan --nan=propagate --total
	gives '1 NA 2 3 NA NA 4\n' '1\nNA\n2\n5\nNA\nNA\n4\n' --reset-at=missing --missing=keep
	gives '1 NA 2 3 NA NA 4\n' '1\n1\n2\n5\n5\nNA\n4\n' --reset-at=missing --missing=hold
	gives '1 NA 2 3 NA NA 4\n' '1\n5\n0\n4\n' --reset-at=missing --missing=keep --total
	gives 'a 1\nb 1\na NA\nb 2\na 5\na 6\n' 'a 1\na 11\nb 3\n' -g 1 -f 2 --reset-at=missing --missing=keep --total
	run_pscan --reset-at=missing <<<1
	assert_equal "$code $err" '2 pscan: --reset-at=missing works only with --missing=keep or hold, or --nan=keep or hold'
	run_pscan --reset-at=nan --missing=skip <<<1
	assert_equal "$code $err" '2 pscan: --reset-at=nan: --missing removes every NaN (see --nan=keep, --nan=hold)'
	run_pscan --reset-at=nan -t f32 --nan=7 --format=text <<<1
	assert_equal "$code $err" '2 pscan: --reset-at=nan: --nan removes every NaN (see --nan=keep, --nan=hold)'
	gives '1 nan 2\n' '1\nnan\n2\n' --reset-at=nan -t f32 --missing=skip --nan=keep
}

@test "segments without a number have the total of none where a count or a number begins them, in text and binary" {
	local option want
	"$PYTHON" -c 'import struct, sys; n = float("nan"); sys.stdout.buffer.write(struct.pack("<8d", 1, n, n, n, 5, n, 2, n))' >raw
	for option in every=2:1,0,5,2 at=missing:1,0,0,5,2 at=5:1,7 at=nan:1,0,0,5,2,0; do
		want=${option#*:}
		gives '1 nan nan nan 5 nan 2 nan\n' "${want//,/\\n}\n" "--reset-${option%:*}" --total --nan=keep
		run_pscan -t f64le --format=binary --output-format=text --nan=keep "--reset-${option%:*}" --total raw
		assert_equal "$option $code $err $(paste -sd , out)" "$option 0  $want"
	done
	# Keys, and what other fields begin, have a line for their numbers, in the order of these.
	gives '1 -\n1 4\n2 -\n2 -\n3 -\n1 7\n2 3\n' '1 11\n2 3\n' -g 1 -f 2 --missing=keep --total
	gives '1 -\n1 4\n2 -\n2 -\n3 -\n1 7\n2 3\n' '1 4\n1 7\n2 3\n' --reset-on=1 -f 2 --missing=keep --total
	"$PYTHON" -c 'import struct, sys; n = float("nan"); sys.stdout.buffer.write(struct.pack("<16d", 3, n, 1, n, 1, 4, 2, n, 2, n, 3, n, 1, 7, 2, 3))' >raw
	run_pscan -t f64le --format=binary --output-format=text --nan=keep -c 2 -g 1 -f 2 --total raw
	assert_equal "$code $err $(paste -sd , out)" '0  1 11,2 3'
	run_pscan -t f64le --format=binary --output-format=text --nan=keep -c 2 --reset-on=1 -f 2 --total raw
	assert_equal "$code $err $(paste -sd , out)" '0  1 4,1 7,2 3'
}

@test "segments without a number have the total of none beside --reset-every and --reset-at, whatever else begins them" {
	local size
	for size in 1 1M; do
		gives '0 1\n100 -\n200 3\n300 NA\n' '1\n0\n3\n0\n' -f 2 --missing=keep --total --reset-every=1 --reset-gap=1:5 --chunk-size=$size
		# By hand: a's two, b's two, the third of b, c, d.
		for option in --reset-every=2 --reset-at=9; do
			gives 'a 1\na -\nb -\nb -\nc 3\nc -\nd -\n' 'a 1\nb 0\nc 3\nd 0\n' -f 2 --missing=hold --total --reset-on=1 $option --chunk-size=$size
			gives 'a 1\na -\nb -\nb -\nc 3\nc -\nd -\n' 'a 1\nc 3\n' -f 2 --missing=skip --total --reset-on=1 $option --chunk-size=$size
		done
		gives 'k a -\nl a 1\nk b -\nl a 5\nk b 2\n' 'k a 0\nl a 6\nk b 2\n' -g 1 -f 3 --missing=keep --total --reset-on=2 --reset-every=9 \
			--chunk-size=$size
	done
	"$PYTHON" -c 'import struct, sys; n = float("nan"); sys.stdout.buffer.write(struct.pack("<8d", 0, 1, 100, n, 200, 3, 300, n))' >raw
	run_pscan -t f64le --format=binary --output-format=text --nan=keep -c 2 -f 2 --reset-gap=1:5 --reset-every=1 --total raw
	assert_equal "$code $err $(paste -sd , out)" '0  1,0,3,0'
	# Where nothing comes out there is no segment, and without resets the total of no numbers.
	gives '-\n-\n' '0\n' -f 1 --missing=skip --total
	gives '-\n-\n' '' -f 1 --missing=skip --total --reset-every=1
	gives '' '' -f 1 --total --reset-every=1
}

@test "a segment's total comes at the first number after it, whatever lines without a number are between" {
	local how size
	# By hand: x's first segment has the number 1, and the line at 100 ends it; y has a segment that ends at 200.
	for how in skip keep hold; do
		for size in 1 1M; do
			gives 'x 0 1\ny 0 5\nx 100 -\ny 200 6\nx 101 2\n' 'y 5\nx 1\nx 2\ny 6\n' -g 1 -f 3 --reset-gap=2:50 --missing=$how --total \
				--chunk-size=$size
		done
	done
}

@test "every record of a key gives a line where --missing=hold finds nothing before it" {
	gives 'a,\na,\nb,1\na,2\nb,\n' 'a,\na,\nb,1\na,2\nb,1\n' --csv --no-header -g 1 -f 2 --missing=hold
	gives '{"k":"a"}\n{"k":"a","v":3}\n' '{"k":"a","v_sum":null}\n{"k":"a","v_sum":3}\n' --json -g k -f v --missing=hold
	gives 'k=a\nk=a v=1\n' 'a \na 1\n' --logfmt -g k -f v --missing=hold
}

# --- --missing=keep

@test "a number at which a scan begins anew is the first of its segment under --total, whatever was kept before it" {
	gives '3 0 3\n3 2 NA\n3 3 0\n' '3 0\n3 NA\n3 0\n' -g 1 -f 3 --reset-gap=2:2 --reset-at=0 --missing=hold -op argmax
	gives '3 0 3\n3 2 NA\n3 3 0\n' '3 0\n3 -\n3 0\n' -g 1 -f 3 --reset-gap=2:2 --reset-at=0 --missing=hold -op argmax --total
	gives '3 0 3\n3 2 NA\n3 3 7\n' '0\n-\n0\n' -f 3 --reset-gap=2:2 --reset-at=missing --missing=keep -op argmax --total
	gives '3 0 3\n3 2 NA\n3 3 7\n' '0\n1\n' -f 3 --reset-gap=2:2 --missing=keep -op argmax --total
}

@test "with -a kept marks keep each field's results in their columns" {
	gives '1,NA,x\n-,2,y\n3,,z\nNA,-,w\n' '1,NA,x,1,NA\n-,2,y,-,2\n3,,z,4,\nNA,-,w,NA,-\n' -d , -f 1,2 -a --missing=keep
	gives '1 NA\n- 2\nN/A n/a\n4 4\n' '1 NA 1 1 NA NA\n- 2 - - 2 2\nN/A n/a N/A N/A n/a n/a\n4 4 5 4 6 4\n' -f 1,2 -op sum,max -a \
		--missing=keep
	# Every line has as many fields as any other, whatever is missing.
	"$PYTHON" -c '
import random
random.seed(3)
for i in range(30000):
    print(";".join(random.choice(("", "NA", "null", "5", "-7", "2.25")) for _ in range(4)))' >in
	for chunk in 4K 64K 1M; do
		run_pscan -d ';' -f 1-4 -op sum,count -a --missing=keep --chunk-size=$chunk in
		assert_equal "$chunk $code $err" "$chunk 0 "
		awk -F ';' 'NF != 12 { bad++ }
			{ for (i = 1; i <= 4; i++) {
				if ($i ~ /^[-0-9]/) { n[i]++; ok = $(3 + 2 * i + 1) == n[i] } else ok = $(3 + 2 * i) == $i && $(4 + 2 * i) == $i
				bad += !ok
			} }
			END { exit bad != 0 }' out
	done
}

@test "kept marks and held results go to text only" {
	for how in keep hold; do
		run_pscan --missing=$how -t f64 --output-format=binary < <(echo 1)
		assert_equal "$code $err" "2 pscan: --missing=$how writes text: it cannot be combined with --output-format=binary"
	done
}

# --- --nan

@test "a NaN among floats is itself, or what --nan says" {
	local type
	for type in f32 f64 f32:f64; do
		gives '1 nan 2\n' '1\nnan\nnan\n' -t $type
		gives '1 nan 2\n' '1\nnan\nnan\n' -t $type --nan=propagate --missing=skip
		gives '1 nan 2\n' '1\n3\n' -t $type --nan=skip
		gives '1 NaN -nan +NAN 2\n' '1\nNaN\n-nan\n+NAN\n3\n' -t $type --nan=keep
		gives 'nan 1 NaN 2\n' 'nan\n1\n1\n3\n' -t $type --nan=hold
		gives '1 nan 2\n' '1\n1\n3\n' -t $type --nan=zero
		gives '1 nan 2\n' '1\n0.5\n2.5\n' -t $type --nan=-0.5
		gives '1 nan 2\n' '1\nnan\nnan\n' -t $type --nan=nan
		stops '1 nan 2\n' 1 '1\n' 'pscan: in: line 1: a NaN: "nan" (see --nan)' -t $type --nan=fail
		stops 'a 1\nb -NaN\n' 1 '1\n' 'pscan: in: line 2, field 2: a NaN: "-NaN" (see --nan)' -t $type -f 2 --nan=fail --missing=skip
	done
}

@test "of exact decimals a NaN is missing, but where --nan is given that counts" {
	stops '1 nan 2\n' 1 '1\n' 'pscan: in: line 1: missing: "nan" (see --missing=skip, --missing=0, --nan)'
	gives '1 nan 2\n' '1\n3\n' --missing=skip
	gives '1 nan NA 2.50\n' '1\nNA\n3.50\n' --missing=keep --nan=skip
	gives '1 nan NA 2.50\n' '1\n1\n3.50\n' --missing=skip --nan=hold
	gives '0.5 nan 2\n' '0.5\nnan\nnan\n' --nan=propagate
	gives '0.5 nan 2\n' '0.5\n0.75\n2.75\n' --nan=0.25
	# Also where decimals have become floats, and under operators that are of floats.
	gives '0.5 inf nan -1\n' '0.5\ninf\ninf\n' --missing=skip
	gives '0.5 inf nan -1\n' '0.5\ninf\nnan\nnan\n' --nan=propagate
	gives '1\nnan\n3\n' '1 nan\nnan nan\n4 2\n' -f 1 -op sum,var --nan=keep
	stops '1 nan 2\n' 1 '1\n' 'pscan: in: line 1: a NaN: "nan" (see --nan)' --nan=fail --missing=skip -t dec
}

@test "of integers a NaN is a mark, but where --nan is given that counts" {
	stops '1 nan 2\n' 1 '1\n' 'pscan: in: line 1: missing: "nan" (see --missing=skip, --missing=0, --nan)' -t i32
	gives '1 nan 2\n' '1\n3\n' -t u8 --missing=skip
	gives '1 nan NA 2\n' '1\n1\n6\n8\n' -t i64 --missing=5 --nan=hold
	gives '1 nan 2\n' '1\n3\n' -t i64 --missing=skip --nan=propagate
}

@test "--nan works on lines and fields as --missing does" {
	gives 'a,nan,1\nb,2,NaN\nc,-,nan\nd,3,4\n' 'a,nan,1,nan,1\nb,2,NaN,2,1\nc,-,nan,-,1\nd,3,4,5,5\n' -d , -f 2,3 -a -t f64 --nan=hold \
		--missing=keep
	gives 'a nan x\nb 2 x\nc NaN x\n' 'a nan x\nb 2 x\nc 2 x\n' -f 2 --replace -t f32 --nan=hold
	gives 'v\nnan\n"NaN"\n2\n' 'v,v_max\nnan,nan\n"NaN",NaN\n2,2\n' --csv -f v -a -op max -t f64 --nan=keep
	# The list of marks says what is missing, --nan what a NaN is.
	gives '1 nan 2\n' '1\n3\n' -t f64 --missing-marks=nan --missing=skip
	gives '1 nan 2\n' '1\n1\n3\n' -t f64 --missing-marks=nan --missing=skip --nan=hold
}

@test "the commonest file of a sensor: NaN, - and empty fields, a running maximum" {
	printf 't1,20.5\nt2,NaN\nt3,21.25\nt4,-\nt5,\nt6,19\nt7,nan\n' >in
	run_pscan -d , -f 2 -op max -a --missing=keep in
	assert_equal "$code $out" $'0 t1,20.5,20.5\nt2,NaN,NaN\nt3,21.25,21.25\nt4,-,-\nt5,,\nt6,19,21.25\nt7,nan,nan'
	run_pscan -d , -f 2 -op max -a --missing=hold in
	assert_equal "$code $out" $'0 t1,20.5,20.5\nt2,NaN,20.5\nt3,21.25,21.25\nt4,-,21.25\nt5,,21.25\nt6,19,21.25\nt7,nan,21.25'
}

@test "random numbers with marks and NaNs are what numpy says, on every chunking" {
	"$PYTHON" - <<-'END'
		import itertools, os, random, subprocess
		import numpy as np
		random.seed(8)
		tokens = []
		while len(tokens) < 15000:
		    kind = random.random()
		    tokens += ["nan"] * random.randrange(9) if kind < 0.1 else ["NA"] if kind < 0.2 else [str(random.randrange(-50, 50))]
		with open("in", "w") as file:
		    file.write("\n".join(tokens) + "\n")
		def expected(nan, missing, op):
		    values, places, out = [], [], []
		    rules = [nan if t == "nan" else missing if t == "NA" else "number" for t in tokens]
		    for token, rule in zip(tokens, rules):
		        if rule not in ("skip", "keep", "hold"):
		            values.append(float(rule if rule not in ("number", "propagate") else token))
		    results = (np.cumsum(values) if op == "sum" else np.maximum.accumulate(values)).tolist()
		    texts = iter(["nan" if r != r else str(int(r)) for r in results])
		    last = None
		    for token, rule in zip(tokens, rules):
		        if rule == "skip":
		            continue
		        if rule in ("keep", "hold"):
		            out.append(token if rule == "keep" or last is None else last)
		            continue
		        last = next(texts)
		        out.append(last)
		    return out
		ways = ("skip", "keep", "hold", "7")
		for nan, missing, op in itertools.product(("propagate", *ways), ways, ("sum", "max")):
		    type, chunk = random.choice(("f64", "num", "f32:f64")), random.choice(("4K", "16K", "1M"))
		    done = subprocess.run([os.environ["PSCAN"], "-op", op, "-t", type, "--nan=" + nan, "--missing=" + missing,
		                           "--chunk-size=" + chunk, "-T2", "in"], capture_output=True, text=True)
		    assert (done.returncode, done.stderr) == (0, ""), done.stderr
		    assert done.stdout.split("\n")[:-1] == expected(nan, missing, op), (nan, missing, op, type, chunk)
	END
}

@test "values of --nan that are none, or none of the type, are refused" {
	local value
	for value in '' x Skip 1x zeros; do
		run_pscan "--nan=$value" </dev/null
		assert_equal "$code $err" "2 pscan: --nan: \"$value\" is not propagate, fail, skip, keep, hold, zero or a number (see --help=nan)"
	done
	run_pscan --missing=propagate </dev/null
	assert_equal "$code $err" '2 pscan: --missing: "propagate" is not fail, skip, keep, hold, zero or a number (see --help=missing)'
	run_pscan --nan=1.5 -t i32 --format=text </dev/null
	assert_equal "$code $err" '2 pscan: --nan: "1.5" is not a value of i32'
	run_pscan --nan=hold -t f64 --format=text --output-format=binary </dev/null
	assert_equal "$code $err" '2 pscan: --nan=hold writes text: it cannot be combined with --output-format=binary'
}

# --- --nan of binary input

# floats TYPE NUMBER...: raw ones.
floats() {
	"$PYTHON" -c 'import sys, numpy as np
np.array([float(x) for x in sys.argv[2:]], sys.argv[1]).tofile(sys.stdout.buffer)' "$@"
}

# reads EXPECTED OPTION...: what the binary file "in" gives as text, its lines joined by blanks.
reads() {
	local expected=$1
	shift
	run_pscan --format=binary --output-format=text "$@" in
	assert_equal "$*: $code $err" "$*: 0 "
	assert_equal "$*: ${out//$'\n'/ }" "$*: $expected"
}

@test "a kept or held NaN among raw floats is no part of the scan, and has a result" {
	need_same_byte_order
	floats f4 nan 1 nan nan 2 3 nan >in
	reads 'nan nan nan nan nan nan nan' --nan=propagate
	reads 'nan 1 nan nan 3 6 nan' --nan=keep
	reads 'nan 1 1 1 3 6 6' --nan=hold
	reads '5 6 11 16 18 21 26' --nan=5
	reads '0 1 1 1 3 6 6' --nan=zero
	reads 'nan 0 nan nan 1 3 nan' --nan=keep -e
	reads '0 0 1 1 1 3 6' --nan=hold -e
	reads '0 0 1 1 1 3 6 6' --nan=hold --include-initial
	reads '6' --nan=hold --total
	reads 'nan 1 nan nan 2 3 nan' --nan=keep -op count
	reads 'nan nan 1 1 1 1 1 1 1.5 2 2 3 2 3' --nan=hold -op mean,max
	floats f8 1 nan nan 2 3 4 nan nan >in
	reads '1 nan nan 2 4 6 nan nan' -t f64 -c 2 --nan=keep
	reads '1 nan 1 2 4 6 4 6' -t f64 -c 2 --nan=hold
	reads 'nan 1 nan 2 nan 2 6 4 6 nan nan nan' -t f64 -c 2 -f 2,1,2 --nan=keep
	reads 'nan nan 4 4' -t f64 -c 2 -op linrec --nan=hold
	reads '1 3 13 14' -t f64 -c 2 -op linrec --nan=1
}

@test "in binary a total that is absent is NaN in floats and an error in integers, with resets and without" {
	local op how options
	printf '\0\0\300\177\0\0\300\177' >nans
	for op in last first range lag delta mean var; do
		for how in keep hold; do
			for options in '' -e --reset-every=2 --reset-at=nan --window=2 --min-count=1; do
				# shellcheck disable=SC2086 # words
				run_pscan -t f32 --format=binary --nan=$how --total -op $op $options nans
				local total=' 0000c07f'
				# Each NaN begins anew, and each is a segment.
				[ "$options" != --reset-at=nan ] || total=' 0000c07f 0000c07f'
				assert_equal "$op $how $options: $code $err $(od -An -v -w4 -tx1 out | tr -d ' \n' | sed 's/......../ &/g')" \
					"$op $how $options: 0  $total"
			done
		done
	done
	# What has an identity has a total of no numbers, and one of some columns may be absent alone.
	run_pscan -t f32 --format=binary --nan=keep --total -op last,min,sum nans
	assert_equal "$code $err $(od -An -tx1 out | tr -d ' ')" '0  0000c07f0000807f00000000'
	run_pscan -t f64 --format=binary --total -op last,sum </dev/null
	assert_equal "$code $err $(od -An -tx1 out | tr -d ' ')" '0  000000000000f87f0000000000000000'
	run_pscan -t f32:i32 --format=binary --total -op last </dev/null
	assert_equal "$code $out $err" '1  pscan: standard input: no elements: there is no last'
	run_pscan -t f32 --format=binary --output-format=text --nan=keep --total -op last nans
	assert_equal "$code $out $err" '0 - '
}

@test "in binary what stands for a NaN is the canonical one, or the bytes before" {
	need_same_byte_order
	local order
	for order in '' be; do
		"$PYTHON" -c 'import sys, numpy as np
np.array([0xffc00001, 0x3f800000, 0x7f800001], "<>"[len(sys.argv) - 1] + "u4").tofile(sys.stdout.buffer)' $order >in
		run_pscan -t f32$order --nan=keep --output-format=binary in
		assert_equal "$code $(od -An -v -tx1 out | tr -d ' \n')" \
			"0 $([ -n "$order" ] && echo 7fc000003f8000007fc00000 || echo 0000c07f0000803f0000c07f)"
		run_pscan -t f32$order --nan=hold --output-format=binary in
		assert_equal "$code $(od -An -v -tx1 out | tr -d ' \n')" \
			"0 $([ -n "$order" ] && echo 7fc000003f8000003f800000 || echo 0000c07f0000803f0000803f)"
	done
}

@test "--nan=fail names the first NaN, and what is before it comes out" {
	need_same_byte_order
	"$PYTHON" -c 'import numpy as np
a = np.ones(50000, "f8"); a[41234] = np.nan; a[45003] = np.nan; a.tofile("in")'
	for chunk in 4K 64K 1M; do
		run_pscan -t f64 --nan=fail --chunk-size=$chunk -T 3 --output-format=text in
		assert_equal "$code $err" '1 pscan: in: element 41235: a NaN (see --nan)'
		cmp out <(seq 41234)
		run_pscan -t f64 --nan=fail -c 4 --chunk-size=$chunk in
		assert_equal "$code $err" '1 pscan: in: field 3: element 10309: a NaN (see --nan)'
		assert_equal "$(stat -c %s out)" $((10308 * 32))
		run_pscan -t f64 --nan=fail -c 20 --chunk-size=$chunk -e -o result in
		assert_equal "$code $err" '1 pscan: in: field 15: element 2062: a NaN (see --nan)'
		[ ! -e result ]
	done
	# Of several files each counts by itself.
	floats f4 1 2 3 >one
	floats f4 4 nan >two
	run_pscan --format=binary --nan=fail --output-format=text one two
	assert_equal "$code $out $err" $'1 1\n3\n6\n10 pscan: two: element 2: a NaN (see --nan)'
	# What does not fit is named by its place in the file.
	floats f4 nan 1 nan 3e9 >one
	run_pscan -t f32:i32 --nan=hold --output-format=text one
	assert_equal "$code $out $err" $'1 nan\n1\n1 pscan: one: element 4: 3000000000 does not fit i32 (see -t)'
	run_pscan -t f32:i32 -c 2 --nan=hold --output-format=text one
	assert_equal "$code $out $err" '1 nan 1 pscan: one: field 2: element 2: 3000000000 does not fit i32 (see -t)'
}

@test "kept, held and replaced NaNs have the bits of the grid of the other numbers on every engine and chunking" {
	need_opencl
	"$PYTHON" - <<-'END'
		import itertools, os, random, subprocess
		import numpy as np
		from grid_oracle import inclusive
		random.seed(4)
		generator = np.random.default_rng(4)
		def expected(values, op, acc, nan):
		    there = ~np.isnan(values)
		    if nan not in ("keep", "hold"):
		        return inclusive(op, np.where(there, values, values.dtype.type(nan)).astype(acc), None)
		    results = inclusive(op, values[there].astype(acc), None)
		    out = np.full(len(values), np.nan, acc)
		    if nan == "keep":
		        out[there] = results
		        return out
		    places = np.cumsum(there) - 1
		    out[places >= 0] = results[places[places >= 0]]
		    return out
		# LeakSanitizer itself crashes now and then where a driver's threads come and go.
		no_leaks = {"ASAN_OPTIONS": os.environ["ASAN_OPTIONS"] + ":detect_leaks=0"} if "ASAN_OPTIONS" in os.environ else {}
		engines = [("none", "")] * 3 + [("cpu", "cpu"), ("cpu", "gpu")]
		for number, (nan, columns) in enumerate(itertools.product(("keep", "hold", "-0.1"), (1, 1, 2, 3, 20))):
		    kind, acc = random.choice((("f4", "f4"), ("f8", "f8"), ("f4", "f8")))
		    is_long = number in (0, 5)
		    count, share = (100003, 0.001) if is_long else (random.choice((5000, 30011)), random.choice((0.001, 0.3, 0.9)))
		    table = (generator.standard_normal((count, columns)) * 100).astype(kind)
		    table[generator.random(table.shape) < share] = np.nan
		    table[8192:12500, 0] = np.nan
		    table.tofile("in")
		    op = random.choice(("sum", "sum", "max", "prod"))
		    want = np.array([expected(table[:, c], op, acc, nan) for c in range(columns)]).T
		    names = {"f4": "f32", "f8": "f64"}
		    # Each on PoCL has programs of its own.
		    for device, shape in engines[:2] + {0: engines[3:], 8: engines[3:4], 14: engines[4:]}.get(number, []):
		        options = ["-D", device, "-op", op, "-t", f"{names[kind]}:{names[acc]}", "--nan=" + nan, "--format=binary",
		                   "--chunk-size=" + ("100K" if is_long else random.choice(("4K", "32K", "200K", "4M"))), "-T", random.choice("123")]
		        options += ["-c", str(columns)] if columns > 1 else []
		        with open("in", "rb") as file:
		            done = subprocess.run([os.environ["PSCAN"], *options], stdin=file, capture_output=True,
		                                  env=dict(os.environ, PSCAN_SHAPE=shape, **no_leaks))
		        assert (done.returncode, done.stderr) == (0, b""), (done.stderr, options)
		        got = np.frombuffer(done.stdout, acc).reshape(-1, columns)
		        assert got.shape == want.shape, (options, got.shape)
		        assert got.tobytes() == want.astype(acc).tobytes(), (options, np.argwhere((got != want) & ~np.isnan(want))[:5])
	END
}

@test "what --nan cannot do among binary elements is refused, and integers have no NaN" {
	need_same_byte_order
	floats f4 1 2 >in
	run_pscan --format=binary --nan=skip in
	assert_equal "$code $err" \
		'2 pscan: --nan=skip is for text: every binary element has a result (see --nan=keep, hold)'
	# It takes its index.
	floats f8 nan 3 nan 1 5 5 nan 6 >doubles
	run_pscan --format=binary -t f64 --nan=keep -op argmax,argmin --output-format=text doubles
	assert_equal "$(paste -sd , out)" 'nan nan,1 1,nan nan,1 3,4 3,4 3,nan nan,7 3'
	run_pscan --format=binary -t f64 --nan=hold -op argmax --output-format=text doubles
	assert_equal "$(paste -sd ' ' out)" 'nan 1 1 1 4 4 4 7'
	run_pscan --format=binary -t f64 --nan=keep -op argmax,argmin --window=2 --output-format=text doubles
	assert_equal "$(paste -sd , out)" 'nan nan,1 1,nan nan,3 3,4 3,4 4,nan nan,7 7'
	run_pscan --format=binary -t f64 --nan=hold -op argmin --window=2 --reset-every=5 --output-format=text doubles
	assert_equal "$(paste -sd ' ' out)" 'nan 1 1 3 3 0 0 2'
	head -c 32 doubles >first
	tail -c +33 doubles >in
	run_pscan --format=binary -t f64 --nan=hold -op argmax --window=3 --output-format=text --state=indices first
	assert_equal "$code $(paste -sd ' ' out)" '0 nan 1 1 1'
	run_pscan --format=binary -t f64 --nan=hold -op argmax --window=3 --output-format=text --state=indices in
	assert_equal "$code $(paste -sd ' ' out)" '0 4 4 4 7'
	run_pscan --format=binary -t f64 --nan=hold -op argmin --window=3 --output-format=text doubles
	assert_equal "$code $(paste -sd ' ' out)" '0 nan 1 1 3 3 3 3 5'
	rm indices
	run_pscan --format=binary -t f64 --nan=hold -op argmin --window=3 --output-format=text --state=indices first
	run_pscan --format=binary -t f64 --nan=hold -op argmin --window=3 --output-format=text --state=indices in
	assert_equal "$code $(paste -sd ' ' out)" '0 3 3 3 5'
	floats f4 1 2 >in
	run_pscan --format=binary --nan=keep -op count in
	assert_equal "$code $err" '2 pscan: --nan=keep: u64 has no value for a missing result of count (see -t, --nan=fail)'
	run_pscan --format=binary --nan=1e99 in
	assert_equal "$code $err" '2 pscan: --nan: "1e99" is not a value of f32'
	for nan in keep hold fail 1.5 propagate; do
		run_pscan -t i32 --format=binary --nan=$nan -op argmax --output-format=text in
		assert_equal "$code $err" '0 '
	done
}

# bats test_tags=long
@test "kept and held NaNs under operators of users, and under argmax and argmin in windows, by plain loops and as text" {
	need_same_byte_order
	need_opencl
	floats f8 nan 3 nan 1 5 5 nan 6 >in
	reads 'nan 3 nan 4 9 14 nan 20' -D cpu -t f64 -op 'a + b' --nan=keep
	reads 'nan 10 10 11 16 21 21 27' -D cpu -t f64 -op 'a + b' --seed=7 --nan=hold
	reads '7 7 10 10 11 16 21 21' -D cpu -t f64 -op 'a + b' --seed=7 -e --nan=hold
	reads 'nan 1 nan 4 0 1 nan 4' -D cpu -t f64 --map=i --nan=keep --reset-every=4
	gives '1 NA NA 2 NA\n' 'NA\nNA\n3\n3\n' -D cpu -t f64 -op 'a + b' --missing=hold --min-count=2
	gives '1 NA NA 2 NA\n' '1\n1\nNA\n3\n3\n' -D cpu -t f64 -op 'a + b' --missing=hold --fill-limit=1
	gives '1 nan 2 3 NA 4\n' '1\nnan\n2\n5\nNA\n9\n' -D cpu -t f64 -op 'a + b' --missing=keep --nan=keep --reset-at=nan
	# Of segments of nothing but NaNs there is no total, of several results none.
	floats f8 1 2 nan nan 3 nan >in
	printf '%s\n' 'typedef struct { double low, high; } state;' 'state lift(double x) { state s = {x, x}; return s; }' \
		'state combine(state a, state b) { state s = {fmin(a.low, b.low), fmax(a.high, b.high)}; return s; }' \
		'state emit(state s) { return s; }' >extremes.cl
	for nan in keep hold; do
		run_pscan -D cpu --format=binary -op @extremes.cl --nan=$nan --total --reset-every=2 in
		assert_equal "$code $err $(od -An -v -w16 -tf8 out | tr -s ' ' | tr '\n' ,)" '0   1 2, nan nan, 3 3,'
	done
	run_pscan -D cpu --format=binary -op @extremes.cl --nan=keep in
	assert_equal "$code $err $(od -An -v -w16 -tf8 out | tr -s ' ' | tr '\n' ,)" '0   1 1, 1 2, nan nan, nan nan, 1 3, nan nan,'
	run_pscan -D cpu --format=binary -op @extremes.cl --nan=keep --reset-every=3 in
	assert_equal "$code $err $(od -An -v -w16 -tf8 out | tr -s ' ' | tr '\n' ,)" '0   1 1, 1 2, nan nan, nan nan, 3 3, nan nan,'
	floats f8 nan 3 nan 1 5 5 nan 6 >in
	printf '%s\n' 'typedef long state;' 'state lift(double x) { return (long)x; }' 'state combine(state a, state b) { return a + b; }' \
		'long emit(state s) { return s; }' >whole.cl
	run_pscan -D cpu --format=binary -op @whole.cl --nan=keep in
	assert_equal "$code $err" '2 pscan: --nan=keep: i64 has no value for a missing result of whole (see -t, --nan=fail)'
	sed -i 's/double low, high/double low; long high/; s/{x, x}/{x, (long)x}/; s/fmax(a.high, b.high)/max(a.high, b.high)/' extremes.cl
	run_pscan -D cpu --format=binary -op @extremes.cl --nan=hold in
	assert_equal "$code $err" '2 pscan: --nan=hold: i64 has no value for a missing result of extremes (see -t, --nan=fail)'
	run "$PYTHON" "$TOOLS/binary_nans.py" 2026 2
	assert_equal "$output" '2 cases, 0 wrong'
}

@test "i of --map, --emit and programs is the index among the records that come out, n the count of numbers" {
	need_opencl
	cat >places.cl <<-'END'
		typedef struct { double sum; ulong last; } state;
		state lift(double x, ulong i) { state s = {x, i}; return s; }
		state combine(state a, state b) { state s = {a.sum + b.sum, b.last}; return s; }
		double emit(state s, double x, ulong i, ulong n) { return s.sum * 1e6 + s.last * 1e4 + i * 100 + n; }
	END
	"$PYTHON" - "$PSCAN" <<-'END'
		import random, struct, subprocess, sys
		draw = random.Random(5)
		def scan(records, how, every, give):
		    out, state = [], None
		    for x in records:
		        if state is None or every and state["count"] == every:
		            state = {"count": 0, "n": 0, "sum": 0, "mapped": 0, "last": None}
		        i, state["count"] = state["count"], state["count"] + 1
		        if x is not None:
		            state["n"] += 1
		            state["sum"] += x
		            state["mapped"] += x * i
		            state["last"] = give(state, x, i)
		        out.append(None if how == "keep" and x is None else state["last"])
		    return out
		programs = [(["-op", "sum", "--map=x*i"], lambda s, x, i: s["mapped"]),
		            (["-op", "max,sum", "--emit=s*0 + i*1000 + n"], lambda s, x, i: i * 1000 + s["n"]),
		            (["-op", "@places.cl"], lambda s, x, i: s["sum"] * 1e6 + i * 1e4 + i * 100 + s["n"])]
		for options, give in programs:
		    for how, every, keys in [("keep", 0, 1), ("hold", 5, 2)]:
		        records = [(draw.randrange(keys), draw.randint(-5, 9) if draw.random() < 0.6 else None) for _ in range(300)]
		        of_keys = [iter(scan([x for k, x in records if k == key], how, every, give)) for key in range(keys)]
		        wanted = [next(of_keys[k]) for k, _ in records]
		        more = ["--reset-every=%d" % every] * (every > 0)
		        types = [] if "@places.cl" in options else ["-t", "f64"]
		        columns = 2 if "max,sum" in options else 1
		        text = "".join("%d %s\n" % (k, "-" if x is None else x) for k, x in records)
		        run = [sys.argv[1], "-D", "cpu", *options, *types, *more]
		        got = subprocess.run([*run, "-f2", "-g1", "--missing=" + how, "--chunk-size=1K", "-a"], input=text.encode(), capture_output=True)
		        lines = [line.split()[2:] for line in got.stdout.decode().splitlines()]
		        lines = [["0" if r == "-0" else r for r in line] for line in lines]
		        want = [["-" if w is None else str(int(w))] * columns for w in wanted]
		        assert lines == want, (options, how, every, keys, got.stderr, [p for p in zip(lines, want) if p[0] != p[1]][:3])
		        if keys == 1 and columns == 1:
		            data = struct.pack("<300d", *(float("nan") if x is None else x for _, x in records))
		            got = subprocess.run([*run, "--format=binary", "--nan=" + how], input=data, capture_output=True)
		            results = struct.unpack("<300d", got.stdout)
		            assert all(r == w or (w is None and r != r) for r, w in zip(results, wanted)), (options, how, got.stderr)
	END
	# A run goes on where the one before has counted.
	printf '%s\n' 1 - 2 - >in
	"$PSCAN" -D cpu -op sum '--map=x*i' -t f64 --missing=keep --state=S in >/dev/null
	assert_equal "$(printf '%s\n' - 1 | "$PSCAN" -D cpu -op sum '--map=x*i' -t f64 --missing=keep --state=S | tr '\n' ' ')" '- 9 '
}

# Runs pscan with the arguments from the second on, and `in`. It must refuse what the first one says.
refused() {
	local what=$1
	shift
	run_pscan "$@" in
	assert_equal "$*: $code $err" "$*: 2 pscan: $what: not supported yet (see LIMITS in man pscan)"
}

@test "indices in --emit and --map count kept and held records, or are refused where these are compiled" {
	need_same_byte_order
	local how options op
	# Apart from the operator: the greatest is always the latest number, the least the first one.
	for options in -q --window=2; do
		gives '5\nNA\n6\nNA\n9\n' '0\nNA\n2\nNA\n4\n' --missing=keep $options -op argmax --emit=s
		gives '5\nNA\n6\nNA\n9\n' '0\n0\n4\n4\n8\n' --missing=hold $options -op argmax --emit='2*s'
		gives '5\nNA\n6\nNA\n9\n' '0\nNA\n4\nNA\n8\n' --missing=keep $options -op argmax --emit=s+i
		gives '5\nNA\n6\nNA\n9\n' '0\nNA\n2\nNA\n4\n' --missing=keep $options -op argmin --map=-x -f 1
	done
	gives '5\nNA\n6\nNA\n9\n' 'NA\n0\nNA\n4\n' --missing=keep -op argmax --emit='2*s' -e
	gives '5\nNA\n6\nNA\n9\n' '0\nNA\n2\nNA\n4\n' --missing=keep -op argmin --map=-x -t i64
	# As a part of it, whatever else is asked for.
	printf '5\nNA\n6\nNA\n9\n' >in
	for op in argmax argmin; do
		for how in keep hold; do
			for options in '-t f64' '-t i64' '-t f64 --window=2' '-t i32 -e' '-t f32 -r' '-t f64 --reset-every=2' \
				'-t i64 --min-count=2' '-t u8 --total'; do
				# shellcheck disable=SC2086 # options are words
				refused "-op $op with --missing=$how and a compiled --emit" --missing=$how -op $op --emit=s $options
			done
			refused "-op $op with --missing=$how and a compiled --emit" --missing=$how --window=2 -op $op -t i64 --emit='2*s'
			refused "-op $op with --nan=$how and a compiled --emit" --nan=$how -op sum,$op -t f64 --emit=s --missing=skip
			refused "-op $op with --missing=$how and a compiled --map" --missing=$how -op $op --map='-x+0*i' -f 1
		done
		refused "-op $op with --missing=hold and a compiled --emit" --missing=hold --window=2 -op $op --emit=i
	done
	floats f8 5 nan 6 nan 9 >in
	for options in -q --window=2 --reset-every=3; do
		refused "-op argmax with --nan=keep and a compiled --emit" --format=binary -t f64 --output-format=text \
			--nan=keep -op argmax --emit=s $options
		refused "-op argmin with --nan=hold and a compiled --map" --format=binary -t f64 --output-format=text \
			--nan=hold -op argmin --map=-x $options
	done
	# Without such records all have the same indices: 5 6 9.
	gives '5\nNA\n6\nNA\n9\n' '0\n2\n4\n' --missing=skip -op argmax -t f64 --emit='2*s'
	gives '5\nNA\n6\nNA\n9\n' '0\n1\n2\n' --missing=skip -op argmin --map='-x+0*i' -f 1
}

@test "on devices indices in --emit and --map count kept and held records, or are refused where these are compiled" {
	need_opencl
	local options
	gives '5\nNA\n6\nNA\n9\n' '0\nNA\n2\nNA\n4\n' --missing=keep -op argmax --emit=s -D cpu
	for options in --emit=s+i '--emit=s -t f64' '--emit=s -t i64 --algorithm=hillis-steele' '--emit=s -t u8 -e'; do
		# shellcheck disable=SC2086 # options are words
		refused '-op argmax with --missing=keep and a compiled --emit' -D cpu --missing=keep -op argmax $options
	done
	refused '-op argmin with --nan=hold and a compiled --map' -D cpu --nan=hold -t f64 -op argmin --map='-x+0*i'
	# As a program of its own it counts the numbers.
	"$PSCAN" -t i64 --show-operator=argmax >argmax.cl
	gives '5\nNA\n6\nNA\n9\n' '0\nNA\n1\nNA\n2\n' --missing=keep -op @argmax.cl -D cpu
}

# bats test_tags=long
@test "kept and held NaNs under more operators of users, by plain loops" {
	run "$PYTHON" "$TOOLS/binary_nans.py" 2026 42
	assert_equal "$output" '42 cases, 0 wrong'
}

@test "what is held before the first number is the initial value where that comes out, in windows too" {
	local option
	for option in -q --window=2; do
		gives '-\n3\n-\n' '0\n0\n3\n3\n' --include-initial --missing=hold $option
	done
	gives '-\n3\n-\n' '7\n7\n10\n10\n' --include-initial --missing=hold --fill-limit=2 -D cpu -t i64 --seed=7 -op a+b
}

@test "after a kept record an exclusive window's result is of the numbers and the scale before it" {
	assert_equal "$(printf '%s\n' - 3 - 2 | "$PSCAN" -D none -e -op argmax --missing=keep --window=9 | tr '\n' ' ')" '- - 1 '
	assert_equal "$(printf '%s\n' 1 - 9 | "$PSCAN" -D none -e -op delta --missing=keep --window=5 | tr '\n' ' ')" '- '
	# A run begins with a missing number; the sum has the decimals of the run before.
	printf '.75\n' | "$PSCAN" -D none -op mean -e --window=2 --missing=keep --state=S >/dev/null
	printf '%s\n' - 4 | "$PSCAN" -D none -op mean -e --window=2 --missing=keep --state=S >out
	assert_equal "$(tail -n 1 out)" 0.75
}

@test "nothing is read behind an option's number, even where the memory of the arguments ends" {
	ln -s "$PSCAN" p
	printf '%s\n' 1 - 2.5 >in
	printf '%s\n' '{"t":"a"}' '{"t":null}' >in.json
	# (The last argument, and behind it only the name of the program.)
	at_the_end() {
		local want=$1
		shift
		assert_equal "$*: $(env -i ./p --no-sandbox -D none "$@" | paste -s -d ' ')" "$*: $want"
	}
	at_the_end '1 6 8.5' in --missing=5
	at_the_end '1 1 3.5' in --missing=0
	at_the_end '1 6 8.5' -f 1 in --missing=5
	at_the_end '{"t_last":"a"} {"t_last":7}' --json -f t -t text -op last in.json --missing=7
	at_the_end '{"t_lag":7} {"t_lag":7}' --json -f t -t text -op lag --missing=hold in.json --seed=7
}

@test "under -e, --fill-limit writes marks and changes no other result of a window without numbers" {
	input='1\n2\n4\nNA\nNA\nNA\nNA\n8\n'
	gives "$input" '0\n1\n3\n6\n4\n4\n4\n4\n' -e --window=2 --missing=hold -f 1
	gives "$input" '0\n1\n3\n6\nNA\nNA\nNA\n4\n' -e --window=2 --missing=hold --fill-limit=1 -f 1
}
