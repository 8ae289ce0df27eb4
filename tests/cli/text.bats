#!/usr/bin/env bats
# Text input: tokens, fields, missing and invalid values, and messages that name the right place.
# shellcheck disable=SC2154 # code, out and err are set by run_pscan

load helper

setup() {
	export PSCAN_DEVICE=none
}

# scans INPUT EXPECTED OPTION...: exit 0, silence, and EXPECTED (lines joined by blanks) from INPUT, a printf format.
scans() {
	local input=$1 expected=$2
	shift 2
	# shellcheck disable=SC2059 # a format
	printf -- "$input" >"$TMP/in"
	run_pscan --format=text "$@" "$TMP/in"
	assert_scanned "$expected" "$input" "$@"
}

# fails INPUT EXPECTED MESSAGE OPTION...: exit 1, EXPECTED before the error, and exactly the one line MESSAGE about
# "in".
fails() {
	local input=$1 expected=$2 message=$3
	shift 3
	cd "$TMP" || return
	# shellcheck disable=SC2059 # a format
	printf -- "$input" >in
	run_pscan --format=text "$@" in
	assert_equal "$input $*: $code ${out//$'\n'/ }" "$input $*: 1 $expected"
	assert_equal "$input $*: $err" "$input $*: $message"
}

# --- Tokens

@test "without -f every white-space-separated token is a number and every result a line" {
	scans '1 2\n3\n' '1 3 6'
	scans '  1\t\t2 \n\n\n  3  \n' '1 3 6'
	scans '1\v2\f3\r4\n' '1 3 6 10'
}

@test "blank lines, white space alone and nothing at all give no results" {
	scans '' ''
	scans '\n' ''
	scans ' \t \n\n  ' ''
}

@test "a last line without newline counts" {
	scans '1\n2' '1 3'
	scans 'a 1\nb 2' '1 3' -f 2
	scans 'a,1\nb,2' '1 3' -f 2 -d ,
}

@test "CRLF line ends are accepted" {
	scans '1\r\n2\r\n' '1 3'
	scans 'a 1\r\nb 2\r\n' '1 3' -f 2
	scans 'a,1\r\nb,2\r\n' '1 3' -f 2 -d ,
	scans '1,a\r\n2,b\r' '1 3' -f 1 -d ,
	scans 'a,\r\nb,2\r\n' ' 2' -f 2 -d , --missing=keep
}

@test "a byte order mark at a file's start is accepted" {
	scans '\357\273\2771 2\n' '1 3'
	scans '\357\273\2771,5\n2,6\n' '1 3' -f 1 -d ,
	scans '\357\273\277' ''
	run_pscan <(printf '\357\273\2771\n') <(printf '\357\273\2772\n')
	assert_equal "$code $out$err" $'0 1\n3'
}

@test "a number next to the middle between two f32 is rounded once" {
	need_same_byte_order
	# strtof's bits are 41000001; by way of f64, which is that middle, they would be 41000002.
	local one=8.000001430511474
	run_pscan -t f32 -op max --output-format=binary < <(echo $one $one $one $one)
	assert_equal "$code $(od -An -tx4 "$TMP/out")" '0  41000001 41000001 41000001 41000001'
}

@test "a byte order mark elsewhere is no number" {
	fails '1\n\357\273\2772\n' '1' $'pscan: in: line 2: not a number: "\\xef\\xbb\\xbf2" (joined files? sed \'s/^\\xef\\xbb\\xbf//\')'
}

@test "a file's end ends its last line" {
	printf '1 2' >"$TMP/a"
	printf '3' >"$TMP/b"
	: >"$TMP/empty"
	run_pscan "$TMP/a" "$TMP/empty" - "$TMP/b" < <(printf '10')
	assert_equal "$code $err" '0 '
	assert_equal "$out" $'1\n3\n13\n16'
}

# --- Fields

@test "fields are separated by runs of blanks, leading ones ignored" {
	scans 'a 1 x\n  b   2 y\n\tc\t 3\n' '1 3 6' -f 2
	scans '1 a\n   2 b\n' '1 3' -f 1
	scans 'a 1 \n' '1' -f 2
}

@test "-d separates fields one by one" {
	scans 'a,1,x\n,2,\n,3\n' '1 3 6' -f 2 -d ,
	scans 'a b\t1\t\n\t2\n' '1 3' -f 2 -d '\t'
	scans '1;;3\n' '3' -f 3 -d ';'
	scans 'a::b:4\n' '4' -f 4 -d :
}

@test "blanks around a delimited number are no part of it" {
	scans 'a, 1 ,x\nb,\t2\n' '1 3' -f 2 -d ,
}

@test "a comma is no decimal point" {
	fails '1,5\n' '' 'pscan: in: line 1: not a number: "1,5" (fields? see --csv; a decimal comma? see --decimal='"','"')'
}

@test "field 100000 of a long line is found" {
	"$PYTHON" -c 'print(*range(1, 100001)); print(*range(2, 100002))' >"$TMP/in"
	run_pscan -f 100000 "$TMP/in"
	assert_equal "$code $out$err" $'0 100000\n200001'
	run_pscan -f 100001 "$TMP/in"
	assert_equal "$code $out" '1 '
	assert_contains "$err" 'in: line 1, field 100001: '
}

# --- Missing

@test "a missing field is an error that names line, field and --missing" {
	local mark
	for mark in '' '-' NA N/A null; do
		printf 'a,1\nb,%s\nc,3\n' "$mark" >"$TMP/in"
		run_pscan -f 2 -d , "$TMP/in"
		assert_equal "$mark: $code $out $(wc -l <"$TMP/err")" "$mark: 1 1 1"
		assert_contains "$err" "$TMP/in: line 2, field 2: "
		assert_contains "$err" '--missing'
	done
}

@test "an absent field is missing, a blank line is no record" {
	scans 'a 1\nb\n\nc 3\n' '1 4' -f 2 --missing=skip
	scans 'a,1\nb\n\nc,3\n' '1 4' -f 2 -d , --missing=skip
	scans 'a,1\nb\n\nc,3\n' '1 1 4' -f 2 -d , --missing=zero
	run_pscan -f 2 < <(printf 'a 1\nx\nb 2\n')
	assert_equal "$code $out" '1 1'
	assert_contains "$err" 'standard input: line 2, field 2: '
}

@test "--missing=skip makes a missing field no element" {
	scans 'a,1\nb,\nc,-\nd,NA\ne,N/A\nf,null\ng,3\n' '1 4' -f 2 -d , --missing=skip
	scans 'a,1\nb,NA\nc,3\nd,5\n' '0 1 4' -f 2 -d , --missing=skip -e
}

@test "--missing=keep gives the mark itself in the result's place" {
	scans 'a,1\nb,\nc,-\nd,NA\ne,N/A\nf,null\ng,3\n' '1  - NA N/A null 4' -f 2 -d , --missing=keep
}

@test "a kept mark takes no index and is not shifted by -e" {
	scans 'NA 1 NA NA 3 5 NA' 'NA 0 NA NA 1 4 NA' --missing=keep -e
	scans 'NA NA' 'NA NA' --missing=keep -e
	scans '1 2 NA 3 4 NA 5' '0 1 NA 3 6 NA 10' --missing=keep -e
}

@test "--missing=VALUE puts the number in its place" {
	scans 'a,1\nb,\nc,3\n' '1 11 14' -f 2 -d , --missing=10
	scans 'a,1\nb,-\nc,3\n' '1 0.5 3.5' -f 2 -d , --missing=-0.5
	scans '1 NA 3\n' '1 1 4' --missing=zero
	scans '1 NA 3\n' '1 1 4' --missing=0
	scans '1 NA 3\n' '1 3 6' --missing=2 -t i32
	scans '1 NA 3\n' '1 nan nan' --missing=nan
}

@test "marks are missing among white-space-separated tokens too" {
	scans '1 - NA N/A null 3\n' '1 4' --missing=skip
}

@test "the usual marks count in any case, and nan where the type is no float" {
	local mark type
	for mark in - NA na Na N/A n/a '#N/A' '#n/a' null NULL Null none None NIL nil '\\N' '\\n' nan NaN NAN; do
		for type in num dec i8 u64; do
			scans "1 $mark 3\n" '1 4' --missing=skip -t $type
			scans "a $mark\nb 3\n" '5 8' -f 2 --missing=5 -t $type
		done
		case $mark in
		[nN][aA][nN]) scans "1 $mark 3\n" '1 nan nan' --missing=skip -t f32 ;;
		*) scans "1 $mark 3\n" '1 4' --missing=skip -t f64 ;;
		esac
	done
	scans '1 NA 3\n' '1 NA 4' --missing=keep -t f64
}

@test "a NUL byte in a token makes it no mark" {
	fails '1 NA\0\n' '1' 'pscan: in: line 1: not a number: "NA\x00" (see --invalid)' --missing=skip
	fails '1 nan\0-\n' '1' 'pscan: in: line 1: not a number: "nan\x00-" (see --invalid)' --missing=skip
	fails '1 x\0-\n' '1' 'pscan: in: line 1: not a number: "x\x00-" (see --invalid)' --missing=skip --missing-marks=x
}

@test "a NaN is a missing number of num, with a sign and under every operator too" {
	fails '1 2 nan 3\n' '1 3' 'pscan: in: line 1: missing: "nan" (see --missing=skip, --missing=0, --nan)'
	fails '7\n-NaN\n' '7' 'pscan: in: line 2, field 1: missing: "-NaN" (see --missing=skip, --missing=0, --nan)' -op max -f 1
	scans '7\n+nan\n5\n' '7 7' -op max -f 1 --missing=skip
	scans '7\nNaN\n5\n' '7 nan 12 2' -op sum,var -f 1 --missing=skip
	scans '1.5 inf nan 3\n' '1.5 inf inf' --missing=skip
	scans '1 -nan 3\n' '1 4' -t i32 --missing=skip
}

@test "--missing-marks takes the place of the usual marks" {
	scans 'a x\nb X\nc 3\nd \n' '4 8 11 15' -f 2 --missing-marks=y,x --missing=4
	fails '1 x NA\n' '1' 'pscan: in: line 1: not a number: "NA" (a missing number? see --missing-marks)' --missing-marks=x,y --missing=skip
	fails '1 -\n' '1' 'pscan: in: line 1: not a number: "-" (a missing number? see --missing-marks)' --missing-marks= --missing=skip
	scans 'a,1\nb,\nc,3\n' '1 4' -d , -f 2 --missing-marks= --missing=skip
	scans 'a;1\nb;not known\nc;3\n' '1 not known 4' -d ';' -f 2 '--missing-marks=not known' --missing=keep
	scans 'a,"?"\nb,3\n' '3' --csv -f 2 '--missing-marks=?' --missing=skip
	# The last list counts; a NaN is a mark of floats only where the list has it, and always one of decimals.
	scans '1 x 3\n' '1 4' --missing-marks=y --missing-marks=x --missing=skip
	scans '1 nan 3\n' '1 4' --missing-marks=x,NaN --missing=skip -t f64
	scans '1 nan 3\n' '1 nan nan' --missing-marks=x --missing=skip -t f64
	scans '1 nan 3\n' '1 4' --missing-marks=x --missing=skip
	fails '1 nan\n' '1' 'pscan: in: line 1: not an integer: "nan" (see -t)' --missing-marks=x --missing=skip -t i64
}

@test "a mark may be a number: as it is written it is missing" {
	local type
	for type in num i32 i64 f32 f64; do
		scans '1 -999 3 -99 999\n' '1 4 -95 904' --missing-marks=-999 --missing=skip -t $type
		scans 'a 1\nb -999\nc 9999\nd 3\n' '1 -999 9999 4' -f 2 --missing-marks=9999,-999 --missing=keep -t $type
		scans 'a,1,1\nb,-999,2\nc,3,-999\n' '1,1 -999,3 4,-999' -d, -f 2,3 --missing-marks=-999 --missing=keep -t $type
	done
	scans '1 -999.0 -999 3\n' '1 -998.0 -995.0' --missing-marks=-999 --missing=skip
	scans '5 0 7\n' '5 5 12' --missing-marks=0 --missing=zero
}

@test "random marks among numbers are what a model says, on every chunking" {
	"$PYTHON" - "$TMP" <<-'END'
		import random, subprocess, sys, os
		random.seed(11)
		tmp = sys.argv[1]
		usual = ["", "-", "NA", "N/A", "#N/A", "null", "none", "nil", "\\N", "nan"]
		for round in range(12):
		    own = random.random() < 0.5
		    marks = [""] + random.sample(["-99", "?", "x y", "n.a.", "8", "nan", "missing"], 3) if own else usual
		    csv = random.random() < 0.5
		    lines, expected, total = [], [], 0
		    for i in range(30000):
		        if random.random() < 0.2:
		            mark = "".join(random.choice((c.lower(), c.upper())) for c in random.choice(marks))
		            token = f'"{mark}"' if csv and random.random() < 0.5 else mark
		        else:
		            mark, token = None, str(random.randrange(-999, 999))
		            if token in marks:
		                mark = token
		        if mark is None:
		            total += int(token)
		        lines.append(f"{i},{token},z")
		        expected.append(str(total) if mark is None else mark)
		    with open(f"{tmp}/in", "w") as file:
		        file.write("\n".join(lines) + "\n")
		    options = ["--csv"] if csv else ["-d", ","]
		    if own:
		        options.append("--missing-marks=" + ",".join(marks))
		    for chunk in "4K", "64K", "1M":
		        done = subprocess.run([os.environ["PSCAN"], *options, "-f", "2", "--missing=keep", "-T2", "--chunk-size=" + chunk,
		                               f"{tmp}/in"], capture_output=True, text=True)
		        assert (done.returncode, done.stderr) == (0, ""), done.stderr
		        assert done.stdout.split("\n")[:-1] == expected, (options, chunk)
	END
}

@test "what looks like a mark but is none is no number" {
	local token
	fails '1 --\n' '1' 'pscan: in: line 1: not a number: "--" (a missing number? see --missing-marks)' --missing=skip
	for token in N-A NAN- nul nnil /N N/AA '#NA' nonee; do
		fails "1\n$token\n" '1' "pscan: in: line 2: not a number: \"$token\" (see --invalid)" --missing=skip
	done
}

@test "missing fields in late chunks keep their lines, on every chunking" {
	"$PYTHON" - "$TMP" <<-'END'
		import sys
		total, results = 0, []
		with open(sys.argv[1] + "/in", "w") as lines:
		    for i in range(30000):
		        missing = i % 7 == 3 or 8000 < i < 20000
		        total += 0 if missing else i
		        lines.write(f"x{i} {'NA' if missing else i} end\n")
		        results.append("NA" if missing else str(total))
		with open(sys.argv[1] + "/right", "w") as right:
		    right.write("\n".join(results) + "\n")
	END
	local options
	for options in '' '--chunk-size=32K -T 4' '--chunk-size=1 -T 1' '--no-mmap --chunk-size=32K -T 3'; do
		# shellcheck disable=SC2086 # words
		run_pscan -f 2 --missing=keep $options "$TMP/in"
		assert_equal "$code $err" '0 '
		cmp "$TMP/out" "$TMP/right"
		# shellcheck disable=SC2086 # words
		run_pscan -f 2 --missing=skip $options "$TMP/in"
		assert_equal "$code $err" '0 '
		grep -v NA "$TMP/right" | cmp - "$TMP/out"
	done
}

# --- Invalid

@test "--invalid=abort, the default, stops at the first token that is no number" {
	fails '1 2 x 3\n' '1 3' 'pscan: in: line 1: not a number: "x" (fields? see -f)'
	fails '1 2 x 3\n' '1 3' 'pscan: in: line 1: not a number: "x" (fields? see -f)' --invalid=abort
	fails 'a 1\nb 2\nc 1.2.3\nd 4\n' '1 3' 'pscan: in: line 3, field 2: not a number: "1.2.3" (see --invalid)' -f 2
}

@test "--invalid=fail carries on and exits 1" {
	printf '1 x\n2\n' >"$TMP/in"
	run_pscan --invalid=fail "$TMP/in"
	assert_equal "$code $out" $'1 1\n3'
	assert_contains "$err" 'in: line 1: not a number: "x"'
}

@test "-q leaves out warnings, but not what makes the exit status 1" {
	printf '1 x\n2\n' >"$TMP/in"
	run_pscan -q --invalid=fail "$TMP/in"
	assert_equal "$code ${out//$'\n'/ } $err" "1 1 3 pscan: warning: $TMP/in: line 1: not a number: \"x\""
	run_pscan -q --invalid=warn "$TMP/in"
	assert_equal "$code ${out//$'\n'/ } $err" '0 1 3 '
	run_pscan -q --invalid=ignore < <(gzip <"$TMP/in" && echo more)
	assert_equal "$code ${out//$'\n'/ } ${err%%: byte *}" '1 1 3 pscan: warning: standard input'
	assert_contains "$("$PSCAN" --help=-q)" 'only errors, and warnings with exit status 1'
}

@test "--invalid=warn carries on with a warning and exits 0" {
	printf 'a 1\nb x\nc 2\n' >"$TMP/in"
	run_pscan --invalid=warn -f 2 "$TMP/in"
	assert_equal "$code $out" $'0 1\n3'
	assert_equal "$err" "pscan: warning: $TMP/in: line 2, field 2: not a number: \"x\""
}

@test "each warning stays where exact decimals change twice among them" {
	printf '1 x 1.5 900000000000000000.0 900000000000000000.0 y\n2 z 99999999999999999999999 w 1e5 v\n' >"$TMP/in"
	run_pscan --invalid=warn "$TMP/in"
	assert_equal "$code" 0
	assert_equal "$err" "$(for row in '1 x' '1 y' '2 z' '2 w' '2 v'; do
		echo "pscan: warning: $TMP/in: line ${row% *}: not a number: \"${row#* }\""
	done)"
	assert_equal "$(head -n 5 "$TMP/out" | paste -sd ' ')" \
		'1 2.5 900000000000000002.5 1800000000000000002.5 1800000000000000004.5'
}

@test "--invalid=ignore carries on in silence" {
	scans '1 x 2 y\n' '1 3' --invalid=ignore
	scans 'a 1\nb x\nc 2\n' '0 1' --invalid=ignore -f 2 -e
}

@test "--invalid is not about missing fields, nor --missing about invalid ones" {
	fails '1 x\n' '1' 'pscan: in: line 1: not a number: "x" (fields? see -f)' --missing=skip
	run_pscan --invalid=ignore < <(echo '1 NA 2')
	assert_equal "$code $out" '1 1'
	assert_contains "$err" '--missing'
}

@test "a number past its type's range is an error whatever --invalid says" {
	run_pscan -t i8 --invalid=ignore < <(echo '1 300 2')
	assert_equal "$code $out" '1 1'
	assert_contains "$err" 'standard input: line 1: '
	assert_contains "$err" '"300"'
	assert_contains "$err" '-t'
}

@test "--total with --invalid=fail gives the total and exits 1" {
	run_pscan --total --invalid=fail < <(echo '1 x 2')
	assert_equal "$code $out" '1 3'
}

@test "warnings in late chunks name each line once, in order, on every chunking" {
	"$PYTHON" - "$TMP" <<-'END'
		import sys
		total, results, warnings = 0, [], []
		with open(sys.argv[1] + "/in", "w") as lines:
		    for i in range(1, 30001):
		        if i % 997 == 0:
		            warnings.append(f'pscan: warning: in: line {i}, field 2: not a number: "bad{i}"')
		            lines.write(f"x bad{i}\n")
		            continue
		        # The scale grows and 64 bits end on the way: chunks are decoded again.
		        token = "1.5" if i == 9000 else str(2**62) if i in (15000, 15001, 15002) else str(i)
		        total += 15 if i == 9000 else 10 * int(token)
		        lines.write(f"x {token}\n")
		        results.append(str(total // 10) if i < 9000 else f"{total // 10}.{total % 10}")
		with open(sys.argv[1] + "/right", "w") as right:
		    right.write("\n".join(results) + "\n")
		with open(sys.argv[1] + "/warnings", "w") as right:
		    right.write("\n".join(warnings) + "\n")
	END
	cd "$TMP"
	local options
	for options in '' '--chunk-size=32K -T 4' '--chunk-size=1 -T 1' '--no-mmap --chunk-size=64K -T 2'; do
		# shellcheck disable=SC2086 # words
		run_pscan -f 2 --invalid=warn $options in
		assert_equal "$options: $code" "$options: 0"
		cmp out right
		cmp err warnings
	done
}

# --- Places in messages

# late_error COUNT OPTION...: COUNT good lines, then a bad one; the message names it, and all before it is there.
late_error() {
	local count=$1
	shift
	cd "$TMP" || return
	seq "$count" | sed 's/^/a b /' >in
	printf 'a b 1.2.3\nc d 5\n' >>in
	seq 20000 | sed 's/^/a b /' >>in
	seq "$count" | awk '{ printf "%.0f\n", s += $1 }' >right
	local source
	for source in file pipe; do
		if [ "$source" = file ]; then
			run_pscan -f 3 "$@" in
			assert_equal "$err" \
				"pscan: in: line $((count + 1)), field 3: not a number: \"1.2.3\" (see --invalid)"
		else
			run_pscan -f 3 "$@" < <(cat in)
			assert_equal "$err" \
				"pscan: standard input: line $((count + 1)), field 3: not a number: \"1.2.3\" (see --invalid)"
		fi
		assert_equal "$code" 1
		cmp out right
	done
}

@test "an error in a late chunk names its line and field, everything before it is written" {
	late_error 40000 --chunk-size=32K -T 4
}

@test "an error in a late chunk names its line and field with one thread" {
	late_error 12345 --chunk-size=32K -T 1
}

@test "an error in a late chunk names its line and field on a device" {
	need_opencl
	late_error 40000 --chunk-size=32K -T 4 -D cpu
}

@test "an error on the first line of a chunk's worth of lines names it" {
	# 8-byte lines; the chunk of text is as many bytes as it has elements, 4096.
	local n
	for n in 511 512 513 1024; do
		"$PYTHON" -c "print('0000001\n' * $n + 'x')" >"$TMP/in"
		run_pscan --chunk-size=32K -T 4 "$TMP/in"
		assert_equal "$n: $code $(wc -l <"$TMP/out")" "$n: 1 $n"
		assert_equal "$n: ${err#*in: }" "$n: line $((n + 1)): not a number: \"x\" (see --invalid)"
	done
}

@test "an error among many tokens a line names its line" {
	"$PYTHON" -c 'print("\n".join(" ".join(["1"] * 10) for _ in range(5000))); print(" 1 1\n\n1 2 oops 3")' >"$TMP/in"
	run_pscan --chunk-size=32K -T 4 "$TMP/in"
	assert_equal "$code $(wc -l <"$TMP/out")" '1 50004'
	assert_equal "${err#*in: }" 'line 5003: not a number: "oops" (fields? see -f)'
}

@test "line numbers count empty lines" {
	fails '\n\n1\n\n\nx\n' '1' 'pscan: in: line 6: not a number: "x" (see --invalid)'
	run_pscan -f 1 --missing=skip < <(printf '\n\n1\n\n\nx\n')
	assert_contains "$err" 'line 6, field 1: not a number: "x"'
}

@test "many empty lines in a row are all counted" {
	"$PYTHON" -c 'print("1" + "\n" * 100000 + "oops")' >"$TMP/in"
	run_pscan --format=text "$TMP/in"
	assert_equal "$code $out" '1 1'
	assert_contains "$err" ': line 100001: not a number: "oops"'
}

@test "line numbers restart with every file" {
	seq 3000 >"$TMP/a"
	printf '1\n2' >"$TMP/b"
	printf '5\n6\noops\n7\n' >"$TMP/c"
	local options
	for options in '' '--chunk-size=1 -T 4'; do
		# shellcheck disable=SC2086 # words
		run_pscan $options "$TMP/a" "$TMP/b" "$TMP/c"
		assert_equal "$code $(wc -l <"$TMP/out")" '1 3004'
		assert_equal "$(tail -n 1 "$TMP/out")" $((3000 * 3001 / 2 + 14))
		assert_equal "$err" "pscan: $TMP/c: line 3: not a number: \"oops\" (see --invalid)"
	done
}

@test "element numbers restart with every file" {
	printf '100\n' >"$TMP/a"
	printf '20\n7\n1\n1\n' >"$TMP/b"
	run_pscan -t i8 "$TMP/a" "$TMP/b"
	assert_equal "$code $out" $'1 100\n120\n127'
	assert_contains "$err" "$TMP/b: element 3: "
}

@test "an overflow in a late chunk names its element" {
	"$PYTHON" -c 'print("1\n" * 40000 + "2147483647\n" + "1\n" * 30000)' >"$TMP/in"
	run_pscan -t i32 --chunk-size=32K -T 4 "$TMP/in"
	assert_equal "$code $(wc -l <"$TMP/out") $(tail -n 1 "$TMP/out")" '1 40000 40000'
	assert_contains "$err" "$TMP/in: element 40001: "
	run_pscan -t i32 -e --chunk-size=32K -T 4 "$TMP/in"
	assert_equal "$code $(wc -l <"$TMP/out") $(tail -n 1 "$TMP/out")" '1 40001 40000'
	assert_contains "$err" "$TMP/in: element 40002: "
	# Lines of three bytes: chunks do not end where tiles do.
	sed 's/^1$/01/' "$TMP/in" >"$TMP/wide"
	run_pscan -t i32 --chunk-size=32K -T 4 "$TMP/wide"
	assert_equal "$code $(wc -l <"$TMP/out") $(tail -n 1 "$TMP/out")" '1 40000 40000'
	assert_contains "$err" "$TMP/wide: element 40001: "
	# In a tile after the rest of one.
	run_pscan -t i32 --chunk-size=128K -T 4 "$TMP/wide"
	assert_equal "$code $(wc -l <"$TMP/out") $(tail -n 1 "$TMP/out")" '1 40000 40000'
	assert_contains "$err" "$TMP/wide: element 40001: "
}

@test "the first of several errors in the stream is the one that is told" {
	"$PYTHON" -c 'print("1\n" * 30000 + "bad1\n" + "1\n" * 3000 + "bad2\n" + "1\n" * 9000 + "bad3\n")' >"$TMP/in"
	run_pscan --chunk-size=32K -T 4 "$TMP/in"
	assert_equal "$code $(wc -l <"$TMP/out")" '1 30000'
	assert_equal "$err" "pscan: $TMP/in: line 30001: not a number: \"bad1\" (see --invalid)"
}

# --- Long lines and tokens

@test "a line longer than a chunk is one line" {
	"$PYTHON" - "$TMP/in" <<-'END'
		import sys
		with open(sys.argv[1], "w") as lines:
		    for i in range(1, 6):
		        lines.write(f"{i} {'x' * 100000} {10 * i}\n")
		    lines.write(f"6 {'y' * 300000} 60")
	END
	local options
	for options in '' '--chunk-size=1 -T 4' '--chunk-size=1 -T 1 --no-mmap'; do
		# shellcheck disable=SC2086 # words
		run_pscan -f 3 $options "$TMP/in"
		assert_equal "$options: $code $err ${out//$'\n'/ }" "$options: 0  10 30 60 100 150 210"
		# shellcheck disable=SC2086 # words
		run_pscan -f 1 $options < <(cat "$TMP/in")
		assert_equal "$options: $code $err ${out//$'\n'/ }" "$options: 0  1 3 6 10 15 21"
	done
}

@test "any mixture of white space gives the same results on every chunking" {
	"$PYTHON" - "$TMP" <<-'END'
		import itertools
		import random
		import sys
		random.seed(1)
		values = [random.randrange(-10**random.randrange(1, 12), 10**11) for _ in range(20000)]
		blanks = [" ", "\n", "\t", "  ", "\r\n", "\n\n", " \n ", "\v", "\f"]
		with open(sys.argv[1] + "/in", "w", newline="") as text:
		    text.write("".join(f"{value}{random.choice(blanks)}" for value in values))
		with open(sys.argv[1] + "/right", "w") as right:
		    right.write("".join(f"{total}\n" for total in itertools.accumulate(values)))
	END
	local options
	for options in '' '--chunk-size=1 -T 4' '--chunk-size=32K -T 4 --no-mmap' '--chunk-size=64K -T 1'; do
		# shellcheck disable=SC2086 # words
		run_pscan $options "$TMP/in"
		assert_equal "$options: $code $err" "$options: 0 "
		cmp "$TMP/out" "$TMP/right"
		# shellcheck disable=SC2086 # words
		run_pscan $options < <(cat "$TMP/in")
		assert_equal "$options: $code $err" "$options: 0 "
		cmp "$TMP/out" "$TMP/right"
	done
}

@test "white space longer than a chunk is white space" {
	"$PYTHON" -c 'print(1, " " * 100000, 2, "\n" * 100000, 3, "\t" * 50000)' >"$TMP/in"
	run_pscan --chunk-size=1 -T 4 "$TMP/in"
	assert_equal "$code $err ${out//$'\n'/ }" '0  1 3 6'
	printf 'x\n' >>"$TMP/in"
	run_pscan --chunk-size=1 -T 4 "$TMP/in"
	assert_contains "$err" 'line 100002: not a number: "x"'
}

@test "a token longer than a chunk is one token" {
	"$PYTHON" -c 'print("1 " + "0" * 100000 + "7 2." + "0" * 100000 + " " + "0" * 99999 + "1e0")' >"$TMP/in"
	local type
	for type in f64 f32; do
		run_pscan -t "$type" --chunk-size=1 -T 4 "$TMP/in"
		assert_equal "$type: $code $err ${out//$'\n'/ }" "$type: 0  1 8 10 11"
	done
	# An exact decimal has up to 18 digits after the point.
	run_pscan --chunk-size=1 -T 4 "$TMP/in"
	assert_equal "$code $err ${out//$'\n'/ }" "0  1 8 10.$(printf %018d 0) 11.$(printf %018d 0)"
	run_pscan -t i32 --chunk-size=1 < <("$PYTHON" -c 'print("1 " + "0" * 100000 + "7")')
	assert_equal "$code $err ${out//$'\n'/ }" '0  1 8'
}

@test "a long token's digits all count" {
	# Half way between 1 and the next double, and one digit above it, 60000 places behind.
	"$PYTHON" -c 'h = "1.00000000000000011102230246251565404236316680908203125"; print(h + "0" * 60000, h + "0" * 60000 + "1")' \
		>"$TMP/in"
	run_pscan -t f64 -op max "$TMP/in"
	assert_equal "$code $out" $'0 1\n1.0000000000000002'
}

@test "a long bad token is quoted in part, on one short line" {
	"$PYTHON" -c 'print("1\n" + "x" * 1000000)' >"$TMP/in"
	run_pscan "$TMP/in"
	assert_equal "$code $out $(wc -l <"$TMP/err")" '1 1 1'
	assert_contains "$err" 'line 2: not a number: "xxxx'
	[ ${#err} -lt 1000 ]
}

# --- Numbers as text

@test "a NUL byte is no number and no end" {
	fails '1\n2\0003\n4\n' '1' 'pscan: in: line 2: not a number: "2\x003" (see --invalid)'
	fails '1\n\000\n4\n' '1' 'pscan: in: line 2: not a number: "\x00" (see --invalid)'
	fails 'a,1\nb,2\000\n' '1' 'pscan: in: line 2, field 2: not a number: "2\x00" (see --invalid)' -f 2 -d ,
}

@test "every accepted form of a number is read" {
	"$PYTHON" - "$PSCAN" <<-'END'
		import subprocess
		import sys
		forms = {"7": "7", "+7": "7", "-7": "-7", ".5": "0.5", "5.": "5", "1e2": "100", "1E2": "100", "1e+2": "100",
		         "1e-2": "0.01", "007": "7", "-.5": "-0.5", "+5.e1": "50", "inf": "inf", "-inf": "-inf", "INF": "inf",
		         "+Infinity": "inf", "infinity": "inf", "nan": "nan", "NaN": "nan", "NAN": "nan", "-0": "-0", "-0.0": "-0"}
		for form, right in forms.items():
		    for kind in ("f64", "f32"):
		        done = subprocess.run([sys.argv[1], "-t", kind], input=form.encode(), capture_output=True)
		        assert done.returncode == 0, (form, kind, done)
		        assert done.stdout.decode() == right + "\n", (form, kind, done)
	END
}

@test "what is no number is refused, whatever the type" {
	"$PYTHON" - "$PSCAN" <<-'END'
		import subprocess
		import sys
		forms = ["1e", "1e+", "1_000", "1,5", "--5", "+-5", "++5", ".", "+", "e5", ".e5", "1.2.3", "0x", "x10", "5x", "0b1",
		         "infinit", "in", "nanx", "nan(1)", "1e5.5", "5-", "½", "٣", "$5", "5%", "1'000", "#", '"5"']
		for form in forms:
		    for kind in ("num", "f64", "f32", "i32", "u64"):
		        command = [sys.argv[1], "--format=text", "-t", kind]
		        done = subprocess.run(command, input=b"1\n" + form.encode() + b"\n2\n", capture_output=True)
		        assert done.returncode == 1, (form, kind, done)
		        assert done.stdout == b"1\n", (form, kind, done)
		        assert b"standard input: line 2: not a number: \"" in done.stderr, (form, kind, done)
	END
}

@test "integer types take hexadecimal" {
	scans '0x10 0XfF -0x1 +0x1\n' '16 271 270 271' -t i32
	scans '0xffffffffffffffff\n' '18446744073709551615' -t u64
	scans '-0x8000000000000000\n' '-9223372036854775808' -t i64
	scans '0x00000000000000000000001\n' '1' -t u8
}

@test "float types take no hexadecimal" {
	fails '0x10\n' '' 'pscan: in: line 1: not a number: "0x10" (hexadecimal? see -t)' -t f64
	fails '0x1p3\n' '' 'pscan: in: line 1: not a number: "0x1p3" (see --invalid)' -t f32
}

@test "integer types take no fraction and no exponent" {
	local token
	for token in 1.5 1e3 1. nan inf; do
		run_pscan -t i32 < <(echo "1 $token")
		assert_equal "$token: $code $out" "$token: 1 1"
		assert_contains "$err" "line 1: "
		assert_contains "$err" "\"$token\""
	done
}

@test "integers are read to the ends of their type and not past them" {
	"$PYTHON" - "$PSCAN" <<-'END'
		import subprocess
		import sys
		for bits in (8, 16, 32, 64):
		    for kind, least, greatest in (("i", -2**(bits - 1), 2**(bits - 1) - 1), ("u", 0, 2**bits - 1)):
		        command = [sys.argv[1], "--format=text", "-t", f"{kind}{bits}", "-op", "max"]
		        for value in (least, greatest, greatest // 3):
		            for text in (str(value), f"{'-' if value < 0 else ''}{abs(value):#x}"):
		                done = subprocess.run(command, input=text.encode(), capture_output=True)
		                assert (done.returncode, done.stdout, done.stderr) == (0, b"%d\n" % value, b""), (text, done)
		        for value in (least - 1, greatest + 1, 10 * greatest, 2**64, -2**64, 10**40):
		            for text in (str(value), f"{'-' if value < 0 else ''}{abs(value):#x}"):
		                done = subprocess.run(command, input=text.encode(), capture_output=True)
		                assert (done.returncode, done.stdout) == (1, b""), (text, done)
		                assert b'standard input: line 1: ' in done.stderr and text.encode() in done.stderr, (text, done)
	END
}

@test "a finite literal that rounds to infinity is an error, inf is not" {
	local row token type
	for row in '1e39 f32' '3.4028236e38 f32' '-1e39 f32' '1e309 f64' '1.7976931348623159e308 f64' '-1e999999999999 f64' \
		'1e309 num'; do
		token=${row% *} type=${row#* }
		run_pscan -t "$type" < <(echo "$token")
		assert_equal "$row: $code $out" "$row: 1 "
		assert_contains "$err" "line 1: "
		assert_contains "$err" "\"$token\""
	done
	scans '3.4028235e38 -inf\n' '3.4028235e+38 -inf' -t f32
	scans '1.7976931348623157e308\n' '1.7976931348623157e+308' -t f64
}

@test "underflow gives a denormal or zero" {
	scans '1e-45 \n' '1e-45' -t f32
	scans '1e-46\n' '0' -t f32
	scans '5e-324\n' '5e-324' -t f64
	scans '1e-400\n' '0' -t f64
	scans '1e-999999999999999999999\n' '0' -t f64
}

@test "f32 is parsed with one rounding" {
	# Just above the middle of two floats; through double it would fall on the even one below.
	scans '1.00000005960464477539062500000000001\n' '1.0000001' -t f32
}

@test "the locale does not matter" {
	locale -a 2>/dev/null | grep -qx de_DE.utf8 || skip 'no locale with a decimal comma'
	LC_ALL=de_DE.utf8 scans '0.5 1.25\n' '0.5 1.75' -t f64
}

# --- Ends of the stream between marks

@test "marks of --missing=keep behind an overflow are not reached" {
	run_pscan -D none -t i8 -f 1 --missing=keep < <(printf '100\n100\nNA\n5\n')
	assert_equal "$code $out" '1 100'
	run_pscan -D none -e -t i8 -f 1 --missing=keep < <(printf '100\n100\n1\nNA\n5\nNA\n')
	assert_equal "$code $out" $'1 0\n100'
}

@test "marks of --missing=keep before an overflow are written" {
	run_pscan -D none -t i8 -f 1 --missing=keep < <(printf 'NA\n100\nNA\n100\nNA\n')
	assert_equal "$code $out" $'1 NA\n100\nNA'
}

@test "warnings behind the end of the stream are the same whatever the chunks" {
	local whole pieces
	run_pscan -D none -e -t i8 --invalid=warn < <(printf '127\n1\nx\n5\ny\n')
	whole="$code $out $err"
	run_pscan -D none -e -t i8 --invalid=warn < <(
		printf '127\n1\n'
		sleep 0.3
		printf 'x\n5\ny\n'
	)
	pieces="$code $out $err"
	assert_equal "$pieces" "$whole"
	assert_contains "$whole" 'line 3'
	assert_equal "${whole%%pscan:*}" $'1 0\n127 '
}
