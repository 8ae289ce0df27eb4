#!/usr/bin/env bats
# What a message advises is what mends it: the commonest mistakes, and after each the advice as it was given.
# shellcheck disable=SC2154 # code, out and err are set by run_pscan

load helper

setup() {
	export PSCAN_DEVICE=none
	cd "$TMP" || return
}

# advises INPUT MESSAGE OPTION...: exit 1, and the one line MESSAGE after the file's name. (INPUT is a printf format.)
advises() {
	local input=$1 message=$2
	shift 2
	# shellcheck disable=SC2059 # a format
	printf -- "$input" >in
	run_pscan "$@" in
	assert_equal "$input $*: $code $err" "$input $*: 1 pscan: in: $message"
}

# refuses MESSAGE OPTION...: exit 2, nothing done, and the one line MESSAGE.
refuses() {
	local message=$1
	shift
	run_pscan "$@" < <(echo 1 2)
	assert_equal "$*: $code $out$err" "$*: 2 pscan: $message"
}

# --- What is no number

@test "a word in a file's first line: a header" {
	advises 'amount\n1\n' 'line 1: not a number: "amount" (a header? see -H)'
	gives 'amount\n1\n' 'amount\n1\n' -H
	advises 'x amount\na 1\n' 'line 1, field 2: not a number: "amount" (a header? see -H)' -f 2
	gives 'x amount\na 1\n' 'amount_sum\n1\n' -f 2 -H
	# Not where numbers are before it, in a later line, or after the header: -H would not read these.
	advises '1 x\n' 'line 1: not a number: "x" (see --invalid)'
	advises '1.5 2.25 x\n' 'line 1: not a number: "x" (see --invalid)'
	advises '1\nx\n' 'line 2: not a number: "x" (see --invalid)'
	advises 'n\nx\n' 'line 2: not a number: "x" (see --invalid)' -H
	advises '1 x\n' 'line 1, field 2: not a number: "x" (another field? see -f)' -f 1,2
	# Of each file.
	echo 1 >one
	echo x >two
	run_pscan one two
	assert_equal "$code $err" '1 pscan: two: line 1: not a number: "x" (a header? see -H)'
	# Not where a chunk begins.
	{ yes 1234567 | head -n 512; echo x; } >one
	run_pscan --chunk-size=1 one
	assert_equal "$code $err" '1 pscan: one: line 513: not a number: "x" (see --invalid)'
}

@test "quotes: --csv" {
	advises '"2"\n' 'line 1: not a number: "\"2\"" (see --csv)'
	advises 'a;"2"\n' 'line 1, field 2: not a number: "\"2\"" (see --csv)' -d ';' -f 2
	gives 'a;"2"\n' '2\n' -d ';' -f 2 --csv
	advises '1,"2" 3\n' 'line 1, field 1: not a number: "1,\"2\"" (see --csv)' -f 1
	# Blanks between fields: --log, which reads them.
	advises 'a "2"\n' 'line 1, field 2: not a number: "\"2\"" (see --log)' -f 2
	gives 'a "2"\n' '2\n' --log -f 2
}

@test "units: numfmt(1), whose numbers are read" {
	local token
	for token in 10K 4.0K 5%% 12ms -3GiB 10kB/s 7€ 1e; do
		advises "1\n$token\n" "line 2: not a number: \"${token/\%\%/%}\" (units? see numfmt(1))"
		advises "x 1\nx $token\n" "line 2, field 2: not a number: \"${token/\%\%/%}\" (units? see numfmt(1))" -f 2
	done
	# shellcheck disable=SC2016 # no variable
	advises '$5.00\n' 'line 1: not a number: "$5.00" (units? see numfmt(1))'
	assert_equal "$(printf '10K\n1M\n' | numfmt --from=iec | "$PSCAN" --total)" 1058816
}

@test "hexadecimal numbers: -t" {
	advises '0x1F\n' 'line 1: not a number: "0x1F" (hexadecimal? see -t)'
	gives '0x1F\n' '31\n' -t u64
	advises '1\n0x1G\n' 'line 2: not a number: "0x1G" (see --invalid)'
}

@test "a decimal comma: tr" {
	local token
	for token in 1,5 0,125 -12,50 ,5 1234,567; do
		advises "$token\n" "line 1: not a number: \"$token\" (a decimal comma? tr , .)"
		assert_equal "$(tr , . <in | "$PSCAN")" "$("$PYTHON" -c 'import sys
from decimal import Decimal
print(Decimal(sys.argv[1].replace(",", ".")))' "$token")"
	done
	advises '1.234,56\n' 'line 1: not a number: "1.234,56" (a decimal comma? tr -d . | tr , .)'
	assert_equal "$(tr -d . <in | tr , . | "$PSCAN")" 1234.56
}

@test "commas between thousands: tr -d, and where they may be decimal commas both are named" {
	local token
	for token in 1,000,000 -12,345,678.90 1,000.5; do
		advises "$token\n" "line 1: not a number: \"$token\" (thousands? tr -d ,)"
		assert_equal "$(tr -d , <in | "$PSCAN")" "${token//,/}"
	done
	advises '1,000\n' 'line 1: not a number: "1,000" (thousands: tr -d , or a decimal comma: tr , .)'
	for token in 1_000 "1'000'000.5"; do
		advises "$token\n" "line 1: not a number: \"$token\" (thousands? see tr(1))"
	done
	advises '1\302\240000\n' 'line 1: not a number: "1\xc2\xa0000" (thousands? see sed(1))'
	advises '1\342\200\257000\n' 'line 1: not a number: "1\xe2\x80\xaf000" (thousands? see sed(1))'
	advises '1 000\n' 'line 1, field 1: not a number: "1 000" (thousands? see tr(1))' -d ';' -f 1
	advises '1\302\24000\n' 'line 1: not a number: "1\xc2\xa000" (see --invalid)' --comment=#
}

@test "where a comma separates the fields no tr is named, which would change these" {
	local token
	for token in 1,5 1,000 1,000,000 1.234,56; do
		advises "\"$token\"\n" "line 1, field 1: not a number: \"$token\" (a comma in a number? see NUMBERS in man pscan)" \
			--csv -f 1
	done
}

@test "several fields in one word: --csv or -d" {
	advises 'a,b\n1,2\n' 'line 1: not a number: "a,b" (fields? see --csv)'
	advises '1,2,3\n' 'line 1: not a number: "1,2,3" (fields? see --csv)'
	gives '1,2,3\n' '2\n' --csv -f 2
	advises 'a;1\n' 'line 1: not a number: "a;1" (fields? see -d)'
	advises 'a|1\n' 'line 1: not a number: "a|1" (fields? see -d)'
}

@test "another word with -f: another field; and what is neither: --invalid" {
	advises '1 2\nx 3\n' 'line 2, field 1: not a number: "x" (another field? see -f)' -f 1
	advises '1 2\nx 3\n' 'line 2, field 1: not a number: "x" (another field? see -f)' -c 2
	advises '1 2\n1.2.3 3\n' 'line 2, field 1: not a number: "1.2.3" (see --invalid)' -f 1
	advises '1\n--5\n' 'line 2: not a number: "--5" (see --invalid)'
}

# --- Fields

@test "a field that no line has: how many there are, and -f; one that later lines lack: --missing" {
	advises '1 2\n' 'line 1, field 9: the line has 2 fields: "1 2" (see -f)' -f 9
	advises '1 2\n' 'line 1, field 3: the line has 2 fields: "1 2" (see -f)' -f 1,3
	advises 'x y\n1\n' 'line 2, field 2: the line has 1 field: "1" (see -f)' -H -f 2
	advises '1 2\n3\n' 'line 2, field 2: the line has 1 field: "3" (see --missing)' -f 2
	advises '1;2\n3\n' 'line 2, field 2: the line has 1 field: "3" (see --missing)' -d ';' -f 2
	advises '1,2\n' 'line 1, field 2: the line has 1 field: "1,2" (see --csv)' -f 2
	gives '1,2\n' '2\n' --csv -f 2
	advises '1;2\n' 'line 1, field 2: the line has 1 field: "1;2" (see -d)' --csv -f 2
	gives '1;2\n' '2\n' --csv -d ';' -f 2
	advises '1\t2\n' 'line 1, field 2: the line has 1 field: "1\x092" (see --tsv)' --csv -f 2
	gives '1\t2\n' '2\n' --csv --tsv -f 2
	advises 'a [1, 2] 3\n' 'line 1, field 4: the line has 3 fields: "a [1, 2] 3" (see -f)' --log -f 4
	advises '1,2\n' 'line 1, field 3: the line has 1 field: "1,2" (see -f)' -f 3
	# An empty field is there.
	advises '1,\n' 'line 1, field 2: empty or absent: "" (see --missing)' --csv -f 2
}

@test "a name that no field has: the names, one that is like it, and what would cut the header" {
	advises 'id name Amount\n' 'line 1: no field is called "amount": perhaps "Amount" (there are "id", "name", "Amount")' -f amount
	advises 'id,amount\n' 'line 1: no field is called "amnt": perhaps "amount" (there are "id", "amount")' --csv -f amnt
	advises 'a b c\n' 'line 1: no field is called "x" (there are "a", "b", "c")' -f x
	advises '\n' 'line 1: no field is called "x" (there is none)' -f x
	advises 'id,amount\n' 'line 1: no field is called "amount" (there is "id,amount": see --csv)' -f amount
	gives 'id,amount\n7,2\n' 'amount_sum\n2\n' --csv -f amount
	advises 'id;amount\n' 'line 1: no field is called "amount" (there is "id;amount": see -d)' --csv -f amount
	gives 'id;amount\n7;2\n' 'amount_sum\n2\n' -d ';' -f amount
	advises 'id\tamount\n' 'line 1: no field is called "amount" (there is "id\x09amount": see --tsv)' --csv -f amount
	advises 'a b,amount,c d\n' 'line 1: no field is called "amount" (there are "a", "b,amount,c", "d": see --csv)' -f amount
	advises 'a b,d c\n' 'line 1: no field is called "amount" (there are "a", "b,d", "c")' -f amount
	advises 'a\033[1m,"b\302\240"\n' 'line 1: no field is called "x" (there are "a\x1b[1m", "b\xc2\xa0")' --csv -f x
}

@test "of very many names some are listed, in one line" {
	seq -s ' ' 1000 >in
	run_pscan -f x in
	assert_equal "$code $(wc -l <err)" '1 1'
	assert_contains "$err" '"1", "2", "3"'
	assert_equal "${err: -7}" '", ...)'
	[ "${#err}" -le 400 ]
	# One of them is very long, one is like it.
	printf '%0500d,%s\n' 0 amount >in
	run_pscan --csv -f amuont in
	assert_contains "$err" ': perhaps "amount" (there are "0000'
	[ "${#err}" -le 500 ]
}

# --- The command line

@test "an unknown option: the one that is spelled almost so" {
	refuses 'unknown option "--exlusive": perhaps --exclusive (see --help)' --exlusive
	refuses 'unknown option "--tpye": perhaps --type (see --help)' --tpye=i32
	refuses 'unknown option "--CSV": perhaps --csv (see --help)' --CSV
	refuses 'unknown option "--frobnicate" (see --help)' --frobnicate
	refuses 'unknown option "-x" (see --help)' -ex
	refuses 'unknown option "-x" (see --help)' --append -xe
	refuses 'unknown option "-:" (see --help)' -:
}

@test "an ambiguous option: the candidates" {
	refuses 'ambiguous option "--in": --inclusive, --include-initial, --invalid (see --help)' --in
	refuses 'ambiguous option "--he": --header, --help (see --help)' --he=1
}

@test "a number after -z or -H: the long option that takes it" {
	refuses '-z takes no number: write --gzip=9 (see --help)' -z9
	refuses '-H takes no number: write --header=2 (see --help)' -f 1 -aH2
	gives 'a\nb\n1\n' 'a\nb\n1\n' --header=2
	refuses 'unknown option "-9" (see --help)' -z9x
	refuses 'unknown option "-9" (see --help)' -e9
	refuses 'unknown option "-9" (see --help)' -9
}

@test "a value of an option that takes none is refused, and the option is named" {
	refuses '"--csv" takes no value (see --help)' --csv=1
	refuses '"--append" takes no value (see --help)' --append=1
}

@test "an operator's name in capitals is understood as a mistake" {
	refuses '-op: "MAX" is no operator: perhaps max (see --help)' -op MAX
}

@test "what is reserved is in LIMITS" {
	refuses '--reverse: not yet (see LIMITS in man pscan)' --reverse
	refuses '-r: not yet (see LIMITS in man pscan)' -r
	refuses '--format=json: not yet (see LIMITS in man pscan)' --format=json
}

@test "an empty seed is said to be empty" {
	refuses '--seed: it is empty' --seed=
}

@test "a sum of text past 64 bits: exact decimals before floats" {
	advises '9223372036854775807\n1\n' 'element 2: the sum does not fit i64 (see -t num, -t i64:f64, --overflow=wrap)' -t i64
	gives '9223372036854775807\n1\n' '9223372036854775807\n9223372036854775808\n'
	"$PYTHON" -c 'import struct, sys
sys.stdout.buffer.write(struct.pack("<qq", 2**63 - 1, 1))' >in
	run_pscan -t i64 in
	assert_equal "$code $err" '1 pscan: in: element 2: the sum does not fit i64 (see -t i64:f64, --overflow=wrap)'
}
