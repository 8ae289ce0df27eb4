#!/usr/bin/env bats
# The advice of a message works: the commonest mistakes, each followed by a run with the advice as it was given.
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
	advises '1 x\n' 'line 1: not a number: "x" (fields? see -f)'
	advises '1.5 2.25 x\n' 'line 1: not a number: "x" (fields? see -f)'
	advises '5 apples\n2 pears\n' 'line 1: not a number: "apples" (fields? see -f)'
	advises '1\n2 \tpears\n' 'line 2: not a number: "pears" (fields? see -f)'
	advises '1\nx\n' 'line 2: not a number: "x" (see --invalid)'
	advises 'n\nx\n' 'line 2: not a number: "x" (see --invalid)' -H
	gives '5 apples\n2 pears\n' '5\n7\n' -f 1
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

@test "sizes, percentages, money and other marks: the option that reads them; other units and dates: another field" {
	local token type want shown
	# Each hint is followed by the same run with the options that it names.
	while IFS='|' read -r token what options want; do
		shown=${options//=,/=\',\'} # as a shell takes it
		shown=${shown//=./=\'.\'}
		for type in num f64; do
			advises "1\n${token/\%/%%}\n" "line 2: not a number: \"$token\" ($what? see $shown)" -t $type
			eval "run_pscan -t $type -op last --total $options in"
			assert_equal "$code $out$err" "0 $want"
		done
		advises "x;1\nx;${token/\%/%%}\n" "line 2, field 2: not a number: \"$token\" ($what? see $shown)" -d ';' -f 2
	done <<-'END'
		10K|a size|--accept=size|10000
		-3Gi|a size|--accept=size|-3221225472
		2E|a size|--accept=size|2000000000000000000
		3GiB|a size|--accept=size|3221225472
		5%|a percentage|--accept=percent|5
		-0,5%|a percentage|--accept=percent --decimal=,|-0,5
		$5|money|--accept=money|5
		-$5|money|--accept=money|-5
		$-5|money|--accept=money|-5
		7€|money|--accept=money|7
		€7|money|--accept=money|7
		7EUR|money|--accept=money|7
		£1,200.5|money|--accept=money --thousands=,|1200.5
		1.200,5€|money|--accept=money --decimal=, --thousands=.|1200,5
		(20)|money|--accept=money|-20
		5-|money|--accept=money|-5
		−5|a minus sign of Unicode|--accept=money|-5
		3:15|a duration|--accept=duration|195
		10:30:00|a duration|--accept=duration|37800
		1'000'000.5|thousands|--thousands="'"|1000000.5
	END
	for token in 12ms 10kB/s 12s 5x; do
		advises "1\n$token\n" "line 2: not a number: \"$token\" (a unit)"
		advises "x 1\nx $token\n" "line 2, field 2: not a number: \"$token\" (a unit: another field? see -f)" -f 2
	done
	for token in 2024-01-01 2024-01-01T10:00:00 01/May/2024; do
		advises "d,v\n$token,1\n" "line 2, field 1: not a number: \"$token\" (a date: see --accept=time, or -f for another field)" --csv -f d
		gives "d,v\n$token,1\n" 'd_sum\n1\n' --csv -f d --accept=time --emit='s > 1e9'
		advises "1\n$token\n" "line 2: not a number: \"$token\" (a date? see --accept=time)"
	done
	advises 'x 1\nx 10:30:0\n' 'line 2, field 2: not a number: "10:30:0" (a time of day: another field? see -f)' -f 2
	advises '1\n10:3\n' 'line 2: not a number: "10:3" (a time of day)'
	# A name with digits is no money.
	advises '1\nABC123\n' 'line 2: not a number: "ABC123" (see --invalid)'
}

@test "values of other kinds are never left out: signs alone, dates of all countries, ranges, bounds, lists, addresses" {
	local row kind token
	while IFS='|' read -r kind row; do
		for token in $row; do
			advises "5\n$token\n" "line 2: not a number: \"${token/\%%/%}\" ($kind)"
			advises "x;5\nx;$token\n" "line 2, field 2: not a number: \"${token/\%%/%}\" ($kind: another field? see -f)" -d ';' -f 2
		done
	done <<-'END'
		money|$ € £ ¥
		a date|28.11.2026 11/28/2026 28/11/2026 2026/11/28 2026.11.28 28.11.26 2024-5-1 1.5.2024
		several numbers|1-5 1..5 1.5..2.5 1/2 -1:2.5 3x4 3×4 5±1 1–5 1-2-3 {1} {1:2} [1:2]
		an address|10.0.0.1 192.168.255.255
	END
	for token in '<5' '>-5' '~3.5' '>=2.5' ≤7 ≥7 ≈7; do
		advises "5\n$token\n" "line 2: not a number: \"$token\" (a limit, not a number; see --invalid)"
		advises "x;5\nx;$token\n" "line 2, field 2: not a number: \"$token\" (a limit, not a number: another field? see -f, --invalid)" -d ';' -f 2
	done
	advises '12 %%\n' 'line 1: not a number: "%" (a percentage? see --accept=percent)'
	advises 'x 12 %%\n' 'line 1, field 3: not a number: "%" (a percentage: another field? see -f)' -f 3
	advises '$ 5\n' 'line 1, field 1: not a number: "$" (money: another field? see -f)' -f 1
	gives '$ 5\n' '5\n' -f 2
	advises '5;[1,2]\n' 'line 1, field 2: not a number: "[1,2]" (several numbers: another field? see -f)' -d ';' -f 2
	advises '5\n[1,2]\n' "line 2: not a number: \"[1,2]\" (an array? jq -c '.[]')"
	# What nothing reads.
	for token in 13.13.2026 32.1.2026 1.2.3 1.. ..5 10.0.0.256 1.2.3.4.5 '<' '[1'; do
		run_pscan -f 1 --missing-marks=q < <(printf '5\n%s\n' "$token")
		assert_contains "$err" '(see --invalid)'
	done
}

@test "a row of units after the header: another field, or a line of the header" {
	local both='another field? see -f; a line of the header? see --header=N)'
	advises2() { # after the header
		# shellcheck disable=SC2059 # a format
		printf -- "$1" >in
		run_pscan "${@:3}" in
		assert_equal "$code $err" "1 pscan: in: $2"
	}
	advises2 'a,b\nkg,m\n1,2\n' "line 2, field 2: not a number: \"m\" ($both" --csv -f b
	gives 'a,b\nkg,m\n1,2\n' 'a,b\nm_sum\n2\n' --csv --header=2 -f 2
	advises2 'a\tb\n12s\t5n\n1\t2\n' "line 2, field 2: not a number: \"5n\" (a unit: $both" --tsv -f b
	# Not further on, where a number was before it.
	advises2 'a,b\n1,2\nkg,m\n' 'line 3, field 2: not a number: "m" (another field? see -f)' --csv -f b
	advises2 'a,b\n1,2\n3,5n\n' 'line 3, field 2: not a number: "5n" (a unit: another field? see -f)' --csv -f b
}

@test "what is a field elsewhere: the last one, all, a range" {
	advises 'a b c\n1 2 3\n' 'line 1: no field is called "NF": perhaps -1, the last field (there are "a", "b", "c")' -H -f NF
	gives 'a b c\n1 2 3\n' 'c_sum\n3\n' -H -f -1
	advises 'a b c\n1 2 3\n' 'line 1: no field is called "*": perhaps 1-, all fields (there are "a", "b", "c")' -f '*'
	advises 'a b c\n1 2 3\n' 'line 1: no field is called "all": perhaps 1-, all fields (there are "a", "b", "c")' -f all
	advises 'a b c\n1 2 3\n' 'line 1: no field is called "1:2": perhaps 1-2 (there are "a", "b", "c")' -f 1:2
	# A name that is near is nearer.
	advises 'al b\n1 2\n' 'line 1: no field is called "all": perhaps "al" (there are "al", "b")' -f all
}

@test "lines of another kind: what reads them" {
	advises 'time=1 a=2\n' 'line 1: not a number: "time=1" (see --logfmt)'
	gives 'time=1 a=2\n' '1\n' --logfmt -f time
	advises 'time=1 v=2\n' 'line 1: no field is called "v" (there are "time=1", "v=2": see --logfmt)' -f v
	advises '# c\n1\n' "line 1: not a number: \"#\" (a comment? see --comment='#')"
	gives '# c\n1\n' '# c\n1\n' '--comment=#'
	advises '[1,2,3]\n' "line 1: not a number: \"[1,2,3]\" (an array? jq -c '.[]')"
	advises '[{"l":1},{"l":2}]\n' "line 1, column 1: not a JSON object: \"[{\\\"l\\\":1},{\\\"l\\\":2}]\" (an array? jq -c '.[]')" --json -f l
	printf '{"l":1},\n{"l":2},\n' >in
	run_pscan --json -f l in
	assert_equal "$code $err" "1 pscan: in: line 1, column 8: more after a JSON object: \",\" (a comma after the object? sed 's/,\$//')"
	assert_equal "$(sed 's/,$//' in | "$PSCAN" --json -f l --total)" '{"l_sum":3}'
	advises '{"l":1}{"l":2}\n' 'line 1, column 8: more after a JSON object (one object per line? jq -c .): "{\"l\":2}"' --json -f l
	printf 'a,b\r1,2\r3,4\r' >in
	run_pscan --csv -f b in
	assert_equal "$code" 1
	assert_contains "$err" "lines that end in CR? tr '\r' '\n'"
	assert_equal "$(tr '\r' '\n' <in | "$PSCAN" --csv -f b --total | tail -n 1)" 6
	run_pscan --csv -f 2 in
	assert_contains "$code $err" "(lines that end in CR? tr '\r' '\n')"
	advises '1 2\n' 'line 1, field 2: the line has 1 field: "1 2" (blanks between fields? leave out --csv)' --csv -f 2
	gives '1 2\n' '2\n' -f 2
}

@test "hexadecimal numbers: -t" {
	advises '0x1F\n' 'line 1: not a number: "0x1F" (hexadecimal? see -t)'
	gives '0x1F\n' '31\n' -t u64
	advises '1\n0x1G\n' 'line 2: not a number: "0x1G" (see --invalid)'
}

@test "a decimal comma: --decimal" {
	local token
	for token in 1,05 -12,05 ,5 1234,00; do
		advises "$token\n" "line 1: not a number: \"$token\" (a decimal comma? see --decimal=',')"
		assert_equal "$("$PSCAN" --decimal=, in | tr , .)" "$("$PYTHON" -c 'import sys
from decimal import Decimal
print(Decimal(sys.argv[1].replace(",", ".")))' "$token")"
	done
	advises '1.234,00\n' 'line 1: not a number: "1.234,00" (a decimal comma? see --decimal='\'','\'' --thousands='\''.'\'')'
	assert_equal "$("$PSCAN" --decimal=, --thousands=. in)" 1234,00
	advises '1.234.567,5\n' 'line 1: not a number: "1.234.567,5" (a decimal comma? see --decimal='\'','\'' --thousands='\''.'\'')'
	# Other lines of the field have been read.
	advises 'x 1\nx 1,5\n' 'line 2, field 2: not a number: "1,5" (a decimal comma? see --decimal='\'','\'')' -f 2
	advises '1,5\n' 'line 1, field 1: not a number: "1,5" (a decimal comma? see --decimal='\'','\'')' -d ';' -f 1
}

@test "a comma that may be between fields or a decimal one: --csv and --decimal" {
	local token type
	for token in 1,10 1,5 0,125 -12,50 1234,567 0,0; do
		for type in num f64 i32; do
			advises "$token\n" "line 1: not a number: \"$token\" (fields? see --csv; a decimal comma? see --decimal=',')" -t $type
		done
		advises "$token\n" "line 1, field 1: not a number: \"$token\" (fields? see --csv; a decimal comma? see --decimal=',')" -f 1
		gives "$token\n" "${token#*,}\n" --csv -f 2
	done
	advises 'n,m\n1,10\n' 'line 2: not a number: "1,10" (fields? see --csv; a decimal comma? see --decimal='\'','\'')' -H
	advises 'n,m\n1,10\n' 'line 2, field 1: not a number: "1,10" (fields? see --csv; a decimal comma? see --decimal='\'','\'')' -H -f 1
	gives 'n,m\n1,10\n' 'm_sum\n10\n' --csv -f m
	advises '1.234,56\n' 'line 1: not a number: "1.234,56" (fields? see --csv; a decimal comma? see --decimal='\'','\'' --thousands='\''.'\'')'
	advises '1,100\n' 'line 1: not a number: "1,100" (fields? see --csv; thousands? see --thousands='\'','\''; a decimal comma? see --decimal='\'','\'')'
	advises '123,456,789\n' 'line 1: not a number: "123,456,789" (fields? see --csv; thousands? see --thousands='\'','\'')'
	# Fields alone: no such number has a point before its comma, or a sign after it.
	for token in 1.5,2 1.5,2.5 1,-5; do
		advises "$token\n" "line 1: not a number: \"$token\" (fields? see --csv)"
	done
}

@test "commas between thousands: --thousands, and where they may be decimal commas both are named" {
	local token
	for token in 1,000,000 -12,045,678.90 1,000.5; do
		advises "$token\n" "line 1: not a number: \"$token\" (thousands? see --thousands=',')"
		assert_equal "$("$PSCAN" --thousands=, in)" "${token//,/}"
	done
	advises '1,000\n' 'line 1: not a number: "1,000" (thousands? see --thousands='\'','\''; a decimal comma? see --decimal='\'','\'')'
	advises '1,20,300\n' 'line 1: not a number: "1,20,300" (thousands? see --thousands='\'','\'')'
	advises '1_000\n' 'line 1: not a number: "1_000" (see --invalid)'
	advises '1\302\240000\n' "line 1: not a number: \"1\xc2\xa0000\" (thousands? see --thousands=\$'\xc2\xa0')"
	assert_equal "$("$PSCAN" --thousands=$'\xc2\xa0' in)" 1000
	advises '1\342\200\257000\n' "line 1: not a number: \"1\xe2\x80\xaf000\" (thousands? see --thousands=\$'\xc2\xa0')"
	advises '1 000\n' "line 1, field 1: not a number: \"1 000\" (thousands? see --thousands=' ')" -d ';' -f 1
	advises '1\302\24000\n' 'line 1: not a number: "1\xc2\xa000" (a blank of Unicode between digits)' --comment=#
}

@test "characters of Unicode that look like those of numbers, or are not seen, are named" {
	local row token shown hint
	while IFS='|' read -r token shown hint; do
		advises "1\n$token\n" "line 2: not a number: \"$shown\" ($hint)"
		advises "x;1\nx;$token\n" "line 2, field 2: not a number: \"$shown\" ($hint)" -d ';' -f 2
		advises "k,v\nx,$token\n" "line 2, field 2: not a number: \"$shown\" ($hint)" --csv -f v
	done <<-'END'
		\342\200\2232|–2|a dash, and no minus sign, before it
		\357\274\2152|－2|a dash, and no minus sign, before it
		\342\210\2222.5e3|−2.5e3|a minus sign of Unicode? see --accept=money
		2\302\240|2\xc2\xa0|a blank of Unicode beside it
		\302\2402|\xc2\xa02|a blank of Unicode beside it
		\342\200\257-2.5\343\200\200|\xe2\x80\xaf-2.5\xe3\x80\x80|a blank of Unicode beside it
		\302\240|\xc2\xa0|a blank of Unicode beside it
		2\302\2403|2\xc2\xa03|a blank of Unicode between digits
		2\342\200\213|2\xe2\x80\x8b|a character of Unicode that is not seen
		\342\200\2162|\xe2\x80\x8e2|a character of Unicode that is not seen
		\357\274\221\357\274\222|１２|digits that are not ASCII
		\331\241|١|digits that are not ASCII
		1\357\274\214000|1，000|a mark that is not ASCII
	END
	# Words, and what options read, have their own hints.
	advises '1\nfoo\342\200\213bar\n' 'line 2: not a number: "foo\xe2\x80\x8bbar" (see --invalid)'
	advises '1\n5\302\240%%\n' 'line 2: not a number: "5\xc2\xa0%" (a percentage? see --accept=percent)'
	advises '1\n1\342\200\2232\n' 'line 2: not a number: "1–2" (several numbers)'
	advises '1\n\342\210\222\n' 'line 2: not a number: "−" (a missing number? see --missing-marks)'
}

@test "a byte order mark in a later line, and the byte at the end of a DOS file: what removes it" {
	local joined="(joined files? sed 's/^\xef\xbb\xbf//')" dos="(the end of a DOS file? tr -d '\032')"
	advises '1\n\357\273\2772\n' "line 2: not a number: \"\xef\xbb\xbf2\" $joined"
	assert_equal "$(sed 's/^\xef\xbb\xbf//' in | "$PSCAN")" $'1\n3'
	advises '1\n2\357\273\2773\n' 'line 2: not a number: "2\xef\xbb\xbf3" (a byte order mark in it: files that were joined without a newline?)'
	advises '{"a":1}\n\357\273\277{"a":2}\n' "line 2, column 1: not a JSON object: \"\xef\xbb\xbf{\\\"a\\\":2}\" $joined" --json -f a
	advises '1\n2\32' "line 2: not a number: \"2\x1a\" $dos" --format=text
	advises '1\n\32' "line 2: not a number: \"\x1a\" $dos" --format=text
	assert_equal "$(tr -d '\032' <in | "$PSCAN")" 1
	advises 'x,1\n\32\n' "line 2, field 2: the line has 1 field: \"\x1a\" $dos" -d, -f 2
	advises 'k,v\nx,1\n\32' "line 3, field 2: the line has 1 field: \"\x1a\" $dos" --csv -f v
	advises 'k v\nx 1\n\32' "line 3: 1 field, the header has 2 names: \"\x1a\" $dos" -H -f v
	advises '{"a":1}\n\32\n' "line 2, column 1: not a JSON object: \"\x1a\" $dos" --json -f a
	advises 'a=1\n\32\n' "line 2, field \"a\": not in the line: \"\x1a\" $dos" --logfmt -f a
}

@test "vertical tabs and form feeds separate words, and no fields" {
	gives '1\v2\f3\n4 \v 5\n\f\n' '1\n3\n6\n10\n15\n'
	advises 'x 1\nx \f2\n' 'line 2, field 2: not a number: "\x0c2" (see --invalid)' -f 2
	advises 'x,1\nx,\v2\n' 'line 2, field 2: not a number: "\x0b2" (see --invalid)' --csv -f 2
}

@test "where a comma separates the fields, too, quotes tell which is which" {
	advises '"1,5"\n' 'line 1, field 1: not a number: "1,5" (a decimal comma? see --decimal='\'','\'')' --csv -f 1
	gives '"1,5"\n' '"1,5"\n' --csv -f 1 --decimal=,
	advises '"1,000"\n' 'line 1, field 1: not a number: "1,000" (thousands? see --thousands='\'','\''; a decimal comma? see --decimal='\'','\'')' \
		--csv -f 1
	gives '"1,000"\n' '1000\n' --csv -f 1 --thousands=,
	advises '"1,000,000"\n' 'line 1, field 1: not a number: "1,000,000" (thousands? see --thousands='\'','\'')' --csv -f 1
	advises '"1.234,56"\n' 'line 1, field 1: not a number: "1.234,56" (a decimal comma? see --decimal='\'','\'' --thousands='\''.'\'')' --csv -f 1
}

@test "several fields in one word: --csv or -d" {
	advises 'a,b\n1,2\n' 'line 1: not a number: "a,b" (fields? see --csv)'
	advises '1,2,3\n' 'line 1: not a number: "1,2,3" (fields? see --csv)'
	gives '1,2,3\n' '2\n' --csv -f 2
	advises 'a;1\n' "line 1: not a number: \"a;1\" (fields? see -d ';')"
	advises 'a|1\n' "line 1: not a number: \"a|1\" (fields? see -d '|')"
}

@test "a line that is cut at a wrong delimiter: the option for the one that it has in all its length, which reads it" {
	local delimiter shown hint option
	while IFS=@ read -r delimiter shown hint option; do
		advises "1${delimiter}2\n3${delimiter}4\n" "line 1, field 1: not a number: \"1${shown}2\" ($hint)" --csv -f 1
		advises "1${delimiter}2\n3${delimiter}4\n" "line 1, field 2: the line has 1 field: \"1${shown}2\" ($hint)" --csv -f 2
		run_pscan --csv in
		assert_equal "$code $err" "2 pscan: in: --csv needs -f, and line 1 has another delimiter: \"1${shown}2\" ($hint)"
		advises "a${delimiter}b\n1${delimiter}2\n" "line 1: no field is called \"b\" (there is \"a${shown}b\": $hint)" --csv -f b
		advises "1${delimiter}2\n" "line 1, field 1: not a number: \"1${shown}2\" (${hint/--csv/-d})" -d : -f 1
		# shellcheck disable=SC2086 # words
		gives "1${delimiter}2\n3${delimiter}4\n" '2\n6\n' $option -f 2
	done <<-'END'
		;@;@see -d ';'@--csv -d ;
		|@|@see -d '|'@--csv -d |
		\t@\x09@see --tsv@--csv --tsv
		 @ @blanks between fields? leave out --csv@
	END
	# Commas in quotes are no delimiters; numbers between semicolons have decimal commas.
	advises '"1,5";2\n' "line 1, field 1: not a number: \"\\\"1,5\\\";2\" (see -d ';')" --csv -f 1
	advises '"1,5";"2,5"\n' "line 1, field 2: not a number: \"5\\\"\" (see -d ';')" --csv -f 2
	advises '1\t2\n' 'line 1, field 1: not a number: "1\x092" (see --tsv)' -d ';' -f 1
	advises '1 2\n' 'line 1, field 1: not a number: "1 2" (blanks between fields? leave out --tsv)' --tsv -f 1
	# -d and --tsv are named only where they were given.
	advises '1 2\n' 'line 1, field 1: not a number: "1 2" (blanks between fields? leave out -d)' -d '\t' -f 1
	local number='blanks between fields? with -H choose them by number'
	advises 'a b\tc\n1 2\t3\n' "line 1: no field is called \"b\" (there are \"a b\", \"c\": $number)" -f b
	advises 'a\tb\n1 2\n' "line 2, field 1: not a number: \"1 2\" ($number)" -f a
	advises 'a\tb\n1 2\n' "line 2, field 2: the line has 1 field: \"1 2\" ($number)" -f b
	advises 'a,b\n1 2\n' "line 2, field 2: the line has 1 field: \"1 2\" ($number)" -f b
	gives 'a b\tc\n1 2\t3\n' 'b_sum\n2\n' -H -f 2
	gives 'a,b\n1 2\n' '2_sum\n2\n' -H -f 2
	# What is only in one field is another thing.
	advises 'x,1;2\n' 'line 1, field 2: not a number: "1;2" (several numbers: another field? see -f)' --csv -f 2
	advises 'x,1|2\n' 'line 1, field 2: not a number: "1|2" (see --invalid)' --csv -f 2
	advises '"1;2",3\n' 'line 1, field 1: not a number: "1;2" (several numbers: another field? see -f)' --csv -f 1
	advises '1\nno 2\n' 'line 2, field 1: not a number: "no 2" (another field? see -f)' --csv -f 1
}

@test "what stands for no number elsewhere: --missing-marks, by which it is missing" {
	local token
	for token in '?' '??' . .. ... '*' -- --- _ '~' '<NA>' '(null)' '#DIV/0!' '#VALUE!' – —; do
		advises "$token\n" "line 1: not a number: \"$token\" (a missing number? see --missing-marks)"
		advises "x 1\nx $token\n" "line 2, field 2: not a number: \"$token\" (a missing number? see --missing-marks)" -f 2
		advises "x,1\nx,$token\n" "line 2, field 2: not a number: \"$token\" (a missing number? see --missing-marks)" --csv -f 2
		gives "x 1\nx $token\nx 2\n" '1\n3\n' -f 2 "--missing-marks=$token" --missing=skip
	done
	for token in n.a. ND missing Unknown undefined; do
		advises "1\n$token\n" "line 2: not a number: \"$token\" (a missing number? see --missing-marks)"
		advises "$token\n" "line 1: not a number: \"$token\" (a header? see -H)"
		gives "1\n$token\n2\n" '1\n3\n' "--missing-marks=$token" --missing=skip
	done
	# A list of marks takes the place of the usual ones, which are marks without it.
	for token in - NA n/a '#N/A' NULL None nil; do
		advises "1\n$token\n" "line 2: missing: \"$token\" (see --missing=skip, --missing=0)"
		advises "1\n$token\n" "line 2: not a number: \"$token\" (a missing number? see --missing-marks)" --missing-marks=x
	done
	advises '1\n-.\n' 'line 2: not a number: "-." (see --invalid)'
	advises '1\n\000\n' 'line 2: not a number: "\x00" (see --invalid)' --comment=#
}

@test "lines of JSON: jq(1), whose numbers are read" {
	local line
	for line in '{"a":1,"b":2.5}' '{"a": 1, "b": 2.5}' '{ "b": 2.5 }'; do
		printf '%s\n%s\n' "$line" "$line" >in
		for option in --format=text -f1 -f2 --csv\ -f1 -d:\ -f1; do
			# shellcheck disable=SC2086 # several words
			run_pscan $option in
			assert_equal "$code $out ${err% (*}" "1  ${err% (*}"
			assert_contains "$err" 'pscan: in: line 1'
			assert_equal "$option: ${err##* (}" "$option: JSON? see --json)"
		done
		assert_equal "$("$PSCAN" --json -f b --total in)" '{"b_sum":5.0}'
	done
	advises '1\n{"a":1}\n' 'line 2: not a number: "{\"a\":1}" (JSON? see --json)'
	advises '{\n' 'line 1: not a number: "{" (JSON? see --json)'
	advises '{"a":1}\n' 'line 1, field 2: the line has 1 field: "{\"a\":1}" (JSON? see --json)' -f 2
	advises '{"a":1}\n' 'line 1: no field is called "a" (there is "{\"a\":1}": JSON? see --json)' -f a
	advises '{"a":1,"b":2}\n' 'line 1: no field is called "b" (there are "{\"a\":1", "\"b\":2}": JSON? see --json)' --csv -f b
	# Braces alone are no JSON.
	advises '1\n{x}\n' 'line 2: not a number: "{x}" (see --invalid)'
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
	advises '1;2\n' "line 1, field 2: the line has 1 field: \"1;2\" (see -d ';')" --csv -f 2
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
	gives 'id,amount\n7,2\n' 'amount_sum\n2\n' -f amount
	gives 'id,amount\n7,2\n' 'amount_sum\n2\n' --csv -f amount
	advises 'id;amount\n' "line 1: no field is called \"amount\" (there is \"id;amount\": see -d ';')" --csv -f amount
	gives 'id;amount\n7;2\n' 'amount_sum\n2\n' -d ';' -f amount
	advises 'id\tamount\n' 'line 1: no field is called "amount" (there is "id\x09amount": see --tsv)' --csv -f amount
	advises 'a b,amount,c d\n' 'line 1: no field is called "amt" (there are "a", "b,amount,c", "d")' -f amt
	advises 'a b,d c\n' 'line 1: no field is called "amount" (there are "a", "b,d", "c")' -f amount
	advises 'a\033[1m,"b\302\240"\n' 'line 1: no field is called "x" (there are "a\x1b[1m", "b\xc2\xa0")' --csv -f x
}

@test "a name that no field of a log has: the names that there are" {
	local names='host, ident, user, time, request, status, bytes, referer or agent'
	refuses "--log: -f: \"byte\" is not $names (see --help=log)" --log -f byte
	refuses "--log: -g: \"Host\" is not $names (see --help=log)" --log -f bytes -g Host
	refuses "--log: --reset-gap: \"date\" is not $names (see --help=log)" --log -f bytes --reset-gap=date:30m
}

@test "names that do not stand over fields are refused, and by number there is no doubt" {
	local refused='line 2 has 3 fields, the header 4 names (choose the field by number: -f N)'
	advises 'host response time size\na 12 345\n' "$refused" -f time
	advises 'host response time size\na 12 345\n' "$refused" -f size
	advises 'n a k z\n1 22 333\n' "$refused" -f n -g k
	gives 'host response time size\na 12 345\n' 'time_sum\n345\n' -f 3 -H
	gives 'host\tresponse time\tsize\na\t12\t345\n' 'response time_sum\n12\n' -f 'response time'
}

@test "tables whose last field or last name has blanks are read in silence" {
	gives 'USER  PID   RSS COMMAND\nroot    1 11500 init\nalice 812  4200 sh -l\n' 'RSS_sum\n11500\n15700\n' -f RSS
	gives 'Filesystem 1024-blocks  Used Available Capacity Mounted on\nudev           3991084     0   3991084       0%% /dev\ntmpfs           803944  1804    802140       1%% /run\n' \
		'Used_sum\n0\n1804\n' -f Used
	gives 'a  bb c\n111 2 3 4\n' 'bb_sum\n2\n' -f bb
	gives 'a bb c\n111 2 3\n' 'bb_sum\n2\n' -f bb
	df -P / >in
	run_pscan -f Used --total in
	assert_equal "$code $out $err" "0 $(awk 'NR > 1 { s += $3 } END { printf "%.0f", s }' in) "
}

@test "integers and float64 where nobody said what they are: -t" {
	# data CODE VALUES: raw numbers, by Python's names.
	data() {
		"$PYTHON" -c 'import random, struct, sys
random = random.Random(5)
values = list(eval(sys.argv[2]))
sys.stdout.buffer.write(struct.pack("=%d%s" % (len(values), sys.argv[1]), *values))' "$1" "$2" >in
	}
	# taken HINT: what is said of them.
	taken() {
		run_pscan -o /dev/null in
		assert_equal "$code $err" "0 ${1:+pscan: warning: in: taken for raw binary float32 ($1)}"
	}
	# refused TYPE OPTION: integers that as float32 would be unlikely numbers.
	refused() {
		run_pscan -o /dev/null in
		assert_equal "$code $out$err" "2 pscan: in: looks like $1: -t $2 (or -t f32, if it is float32)"
		run_pscan -t f32 -o /dev/null in
		assert_equal "$code $err" '0 '
	}
	data q 'range(1, 1000)'
	refused int64 i64
	run_pscan -t i64 --output-format=text --total in
	assert_equal "$code $out $err" '0 499500 '
	for values in '[1]' '(random.randrange(-1000, 1000) for i in range(600))' '(1700000000000 + i for i in range(100))' \
		'(i % 3 for i in range(99))'; do
		data q "$values"
		refused int64 i64
	done
	for values in 'range(1, 1000)' '[5]' '(random.randrange(-1000, 1000) for i in range(600))' '(i * 1000 for i in range(900))'; do
		data i "$values"
		refused int32 i32
	done
	# Of whole numbers, halves and quarters the low half is 0.
	for values in '(random.gauss(0, 10) for i in range(500))' '(i / 100 for i in range(1, 200))' 'range(1000)' '[1, 2, 3]' \
		'range(0, 1000001, 250)' '(i % 2 for i in range(900))' '(i / 4 for i in range(900))' '(1700000000 + i for i in range(90))' \
		'(1700000000000 + i for i in range(90))' '[0.1] * 10' '(i / 10 for i in range(10))' '[1, float("nan"), 3]'; do
		data d "$values"
		refused float64 f64
	done
	run_pscan -t f64 --output-format=text --total in
	assert_equal "$code $out $err" '0 nan '
	# Complex numbers without a real part may be either, if they are neither very small nor great.
	data f '(random.uniform(1, 10) if i % 2 else 0 for i in range(900))'
	refused float64 f64
	data f '(random.gauss(0, 1e-4) if i % 2 else 0 for i in range(900))'
	taken ''
	# No type is named whose size does not divide the file's.
	data i '[1, 2, 3]'
	refused int32 i32
	data i '[-250, -1] * 512 + [-250]'
	refused int32 i32
	# NaNs in every second place, NaNs of x86, zeros, also with the least of all numbers among them, or with ones.
	for values in '(float("nan") if i % 2 else i for i in range(900))' '[0] * 900' '(1e-45 if i == 40 else 0 for i in range(900))' \
		'(10.0 ** random.randint(-14, 14) for i in range(900))' '[0, 1, 0, 1]' '(i > 450 for i in range(900))'; do
		data f "$values"
		taken ''
	done
	data I '(0xffc00000 for i in range(900))'
	taken ''
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

@test "a long option with one dash, whatever its letters are by themselves" {
	local name
	for name in csv tsv json log logfmt total header header=2 missing=skip nan; do
		refuses "unknown option \"-${name%=*}\": perhaps --${name%=*} (see --help)" "-$name"
	done
	refuses 'unknown option "-csv": perhaps --csv (see --help)' -e -csv -f 1
	# As an argument it is one.
	run_pscan --comment -csv -f 1 < <(printf -- '-csv\n5\n')
	assert_equal "$code $out$err" $'0 -csv\n5'
}

@test "an unknown unit of time: the units; more than two fields" {
	local units='the units are second, minute, hour, day, week, month or year (there are "d", "v")'
	printf 'd v\n2024-05-01 3\n' >in
	local unit
	for unit in d:quarter d:hours 1:decade 1+2:century; do
		for option in -g --reset-on; do
			run_pscan "$option" "$unit" -f v in
			assert_equal "$code $out $err" "1  pscan: in: line 1: no field is called \"$unit\": $units"
		done
	done
	run_pscan -g x:quarter -f v in
	assert_equal "$code $err" '1 pscan: in: line 1: no field is called "x:quarter" (there are "d", "v")'
	refuses '-g: a time has one field, or two as DATE+TIME: "1+2+3" (see --help=-g)' -g 1+2+3:hour -f v
	refuses '--reset-gap: a time has one field, or two as DATE+TIME: "1+2+3" (see --help=reset-gap)' --reset-gap=1+2+3:4s -f v
}

@test "an unknown option: the one that is spelled almost so" {
	refuses 'unknown option "--exlusive": perhaps --exclusive (see --help)' --exlusive
	refuses 'unknown option "--tpye": perhaps --type (see --help)' --tpye=i32
	refuses 'unknown option "--CSV": perhaps --csv (see --help)' --CSV
	refuses 'unknown option "--frobnicate" (see --help)' --frobnicate
	refuses 'unknown option "-x" (see --help)' -ex
	# The name of the program ends in n, too.
	refuses 'unknown option "-nan": perhaps --nan (see --help)' -nan
	refuses 'unknown option "-x" (see --help)' --append -xe
	refuses 'unknown option "-:" (see --help)' -:
	# Of two that are as near it is the one that begins alike.
	refuses 'unknown option "--axs": perhaps --axis (see --help)' --axs=1
}

@test "values that are nearly an option's: the value that is meant" {
	local row word name
	for row in times:time Date:time datetime:time currency:money mony:money %:percent percents:percent units:size durtion:duration; do
		word=${row%:*} name=${row#*:}
		refuses "--accept: \"$word\" is not known: perhaps $name (see --help=accept)" --accept="$word"
		refuses "--accept: \"$word\" is not known: perhaps $name (see --help=accept)" --accept="duration,$word"
		run_pscan --accept="$name" <<<1
		assert_equal "$code $out" '0 1'
	done
	refuses '--accept: "money,xyz" is not a list of money, percent, size, duration and time (see --help=accept)' --accept=money,xyz
	for word in tab TAB '\\t' '\x09'; do
		refuses "-d: \"${word//\\/\\\\}\" is not one character (see --tsv) (see --help=-d)" -d "$word"
	done
	refuses '-d: "comma" is not one character (-d , or --csv) (see --help=-d)' -d comma
	refuses "-d: \"Pipe\" is not one character (-d '|') (see --help=-d)" -d Pipe
	refuses "-d: \"semicolon\" is not one character (-d ';') (see --help=-d)" -d semicolon
	refuses '-d: "space" is not one character (without -d runs of blanks separate fields) (see --help=-d)' -d space
	refuses '-d: ",," is not one character (see --help=-d)' -d ,,
	for word in 7days 1w 90min 7D 1h30m; do
		refuses "--window: \"$word\" is neither a number nor a span of time: --window=time:N with s, m, h or d after N (see --help=window)" --window="$word"
	done
	for word in 3.5 -3 1_000 '' three; do
		refuses "--window: \"$word\" is not a number from 1 to 18446744073709551615 (see --help=window)" --window="$word"
	done
	refuses '-op: "cnt" is not an operator: perhaps count (see --list-operators)' -op cnt
}

@test "an ambiguous option: the candidates" {
	refuses 'ambiguous option "--in": --inclusive, --include-initial, --invalid (see --help)' --in
	refuses 'ambiguous option "--he": --header, --header-names, --help (see --help)' --he=1
}

@test "a number after -z or -H: the long option that takes it" {
	refuses '-z takes no number: write --gzip=9 (see --help=-z)' -z9
	refuses '-H takes no number: write --header=2 (see --help=-H)' -f 1 -aH2
	gives 'a\nb\n1\n' 'a\nb\n1\n' --header=2
	refuses 'unknown option "-9" (see --help)' -z9x
	refuses 'unknown option "-9" (see --help)' -e9
	refuses 'unknown option "-9" (see --help)' -9
}

@test "a value of an option that takes none is refused, and the option is named" {
	refuses '"--csv" takes no value (see --help=csv)' --csv=1
	refuses '"--append" takes no value (see --help=append)' --append=1
}

@test "an operator's name in capitals, in other words, or spelled almost so is understood as a mistake" {
	local word name
	while read -r word name; do
		refuses "-op: \"$word\" is not an operator: perhaps $name (see --list-operators)" -op "$word"
		refuses "--show-operator: \"$word\" is not an operator: perhaps $name (see --list-operators)" --show-operator="$word"
	done <<-'END'
		MAX max
		summ sum
		total sum
		avg mean
		average mean
		averge mean
		maximum max
		minimum min
		product prod
		stddev std
		variance var
		diff delta
		ewma ema:A
	END
	refuses '-op: "avg" is not an operator: perhaps mean (see --list-operators)' -op max,avg
	# What there is not is not called by another's name.
	refuses '-op: "median" is not a prefix scan: see datamash(1), Miller (see --list-operators)' -op median
	refuses "-op: \"frobnicate\" is not $(operator_list) (see --list-operators)" -op frobnicate
}

@test "options and operators of awk, cut, sort, Miller, xan, datamash, pandas and SQL: pscan's own is named" {
	local word advice
	# Kept apart from the program's table.
	while IFS='|' read -r word advice; do
		refuses "unknown option \"${word%%=*}\": perhaps $advice (see --help)" "$word"
	done <<-'END'
		--sum|-op sum
		--cumsum|-op sum
		--cumprod|-op prod
		--max|-op max
		--min|-op min
		--mean|-op mean
		--average|-op mean
		--count|-op count
		--stddev|-op std
		--median|not a prefix scan: see datamash(1), Miller
		--ewma|-op ema:A
		--shift|-op lag
		--lead|write -r -op lag
		--locf|write -op last --missing=hold
		--stddev_pop|-op std (of a sample)
		--var_pop|-op var (of a sample)
		--var_samp|-op var
		--corr|see datamash(1), Miller
		--group-by=1|-g LIST
		--groupby=1|-g LIST
		--partition-by=1|-g LIST
		--key=1|-g LIST
		--sep=,|-d C
		--separator=,|-d C
		--field-separator=,|-d C
		--fs=,|-d C
		--fields=1|-f LIST
		--select=1|-f LIST
		--usecols=1|-f LIST
		--window-size=3|--window=N
		--rolling=3|--window=N
		--last|--total, or -op last
		--start=5|--seed=V
		--init=5|--seed=V
		--skip=1|--header=N, or --skip-bytes=N of raw binary
		--skiprows=1|--header=N
		--jobs=4|-T N
		--parallel=4|-T N
		--precision=2|-F %.2f
		--fillna=0|--missing=V
		--ffill|--missing=hold
		--dropna|--missing=skip
		--na-values=x|--missing-marks=LIST
		--icsv|--csv
		--dtype=i4|-t TYPE
		--full|-a
		--order-by=1|sort(1) before pscan
		--where=x|awk(1) before pscan
		-k|-g LIST
		-w|--window=N
		-j|-T N
		-max|-op max
		-sum|-op sum
	END
	while IFS='|' read -r word advice; do
		refuses "-op: \"$word\" is $advice (see --list-operators)" -op "$word"
	done <<-'END'
		rsum|not an operator: perhaps sum
		multiply|not an operator: perhaps prod
		cummax|not an operator: perhaps max
		cummin|not an operator: perhaps min
		n|not an operator: perhaps count
		row_number|not an operator: perhaps count
		cumcount|not an operator: perhaps count
		sstdev|not an operator: perhaps std
		svar|not an operator: perhaps var
		ewm|not an operator: perhaps ema:A
		idxmax|not an operator: perhaps argmax
		which.min|not an operator: perhaps argmin
		first_value|not an operator: perhaps first
		shift_lag|not an operator: perhaps lag
		rank|not a prefix scan: see datamash(1), Miller
		percentile|not a prefix scan: see datamash(1), Miller
		quantile|not a prefix scan: see datamash(1), Miller
		p95|not a prefix scan: see datamash(1), Miller
		mode|not a prefix scan: see datamash(1), Miller
		sort|not a prefix scan: see sort(1)
		nunique|not an operator: perhaps distinct
		lead|not an operator: write -r -op lag
		ratio|not an operator: write -op lag --emit='x / s'
		pct_change|not an operator: write -op lag --emit='x / s - 1'
		ffill|not an operator: write -op last --missing=hold
		locf|not an operator: write -op last --missing=hold
		stddev_pop|not an operator: perhaps std (of a sample)
		pstdev|not an operator: perhaps std (of a sample)
		var_pop|not an operator: perhaps var (of a sample)
		stddev_samp|not an operator: perhaps std
		var_samp|not an operator: perhaps var
		corr|not an operator: see datamash(1), Miller
		covar_pop|not an operator: see datamash(1), Miller
	END
	refuses 'unknown option "-s": perhaps -d C (see --help)' -s,
	refuses '-H does not take a value this way: write --header=0 (see --help=-H)' -H=0
	refuses '-H does not take a value this way: write --header=\x01 (see --help=-H)' $'-H=\001'
	refuses '-t: "double" is not a type: perhaps f64' -t double
	refuses '-t: "int" is not a type: perhaps i32 or i64' -t int
	refuses '-t: "INT" is not a type: perhaps i32 or i64' -t INT
	refuses '-t: "I32" is not a type: perhaps i32' -t I32
	refuses '-t: "Num" is not a type: perhaps num' -t Num
	refuses '-t: "uint8_t:int64_t" is not a type: perhaps uint8:int64' -t uint8_t:int64_t
	refuses '-t: "i32,i64" is not a type: perhaps i32:i64' -t i32,i64
	refuses '-t: "date" is not a type: perhaps --accept=time' -t date
	refuses '-t: "num:i64" is not a type: num takes no accumulator (perhaps -t num)' -t num:i64
	refuses '-t: "dec:f64" is not a type: dec takes no accumulator (perhaps -t dec)' -t dec:f64
	refuses '-t: "int_t" is not a type (num dec text i8 u8 i16 u16 i32 u32 i64 u64 f32 f64, IN or IN:ACC)' -t int_t
	refuses '-t: "," is not a type (-d is for delimiters)' -t ,
	refuses '-t: "4" is not a type (-T is for threads)' -t 4
	refuses '--format=csv: write --csv (see --help=format)' --format=csv
}

@test "a short name within another word is not what is meant" {
	for word in ormn Torr xxor; do
		run_pscan -op "$word" <<<1
		assert_equal "$word: $code" "$word: 2"
		[[ $err != *'perhaps or '* ]]
	done
	printf 'ab b\n1 2\n' >in
	run_pscan -H -f a in
	assert_equal "$code $err" '1 pscan: in: line 1: no field is called "a" (there are "ab", "b")'
}

@test "a word of --accept is a topic of the help" {
	run_pscan --help=accept
	cp out accept
	for word in money percent size duration time --size; do
		run_pscan --help="$word"
		assert_equal "$word: $code $err" "$word: 0 "
		cmp out accept
	done
	run_pscan --help=sizes
	assert_equal "$code" 2
}

@test "keys and resets without numbers: -f, which only counting lines does without" {
	local needs='needs -f, the field of the numbers (only -op count works without)'
	refuses "-g $needs (see --help=-g)" -g 1
	refuses "-g $needs (see --help=-g)" -g 1 -op count,sum
	refuses "--reset-on $needs (see --help=reset-on)" --reset-on=1
	refuses "--reset-gap $needs (see --help=reset-gap)" --reset-gap=1:5 -op max
}

@test "what is reserved is in LIMITS" {
	refuses '--exact: not supported yet (see LIMITS in man pscan)' --exact
	refuses '--format=json: not supported yet (see LIMITS in man pscan)' --format=json
}

@test "an empty seed is said to be empty" {
	refuses '--seed: the value is missing' --seed=
}

@test "a sum of text past 64 bits: exact decimals before floats" {
	advises '9223372036854775807\n1\n' 'element 2: the sum does not fit i64 (see -t num, -t i64:f64, --overflow=wrap)' -t i64
	gives '9223372036854775807\n1\n' '9223372036854775807\n9223372036854775808\n'
	"$PYTHON" -c 'import struct, sys
sys.stdout.buffer.write(struct.pack("<qq", 2**63 - 1, 1))' >in
	run_pscan -t i64 in
	assert_equal "$code $err" '1 pscan: in: element 2: the sum does not fit i64 (see -t i64:f64, --overflow=wrap)'
}

@test "a file whose lines end in carriage returns alone is refused, whatever fields are chosen; those in quotes and before newlines are data" {
	while IFS='|' read -r text options; do
		printf %b "$text" >in
		# shellcheck disable=SC2086 # some words
		run_pscan $options in
		assert_equal "$text $options: $code $out" "$text $options: 1 "
		assert_contains "$err" "a carriage return within the line: \""
		assert_contains "$err" "(lines that end in CR? tr '\r' '\n')"
	done <<-'END'
		a 1\rb 2\rc 3\r|-f -1
		a 1\rb 2\rc 3\r|-f 2 -a
		a 1\rb 2\rc 3|-op count -g 1
		1 2\r3 4\r5 6\r|-f 1
		1,2\r3,4\r5,6\r|--csv -f 1
		1,2\r3,4\r5,6\r|-d, -f 1 --replace
		1,2\r3,4\r5,6\r|--csv -H -f 1
		k,v\r1,2\r3,4\r|--csv -f k
		k,v\n1,2\r3,4\r|--csv -f k
		k,v\n1,2\r3,4\r|--csv -f k -a
		1,"2"\r3,"4"\r|--csv -f 1
		1 2\r3 4\r|-c 2
		a=1 b=2\ra=3 b=4\r|--logfmt -f a
	END
	# The second file as well, and what is longer than a chunk.
	printf '1,2\n' >first
	printf '3,4\r5,6\r' >in
	run_pscan --csv -f 1 first in
	assert_equal "$code $out" '1 1'
	assert_contains "$err" 'in: line 1: a carriage return within the line: "3,4\x0d5,6"'
	seq -f '%.0f,1' 400000 | tr '\n' '\r' >in
	run_pscan --csv -f 1 in
	assert_equal "$code $out" '1 '
	gives '1,"2\r3",4' '1\n' --csv -f 1
	gives '1,2\r\n3,4\r\n' '1\n4\n' --csv -f 1
	gives '1,2\r' '1\n' --csv -f 1
	gives '1,2\n3,4\r' '1\n4\n' --csv -f 1
	gives '1 x\ry\n2 z' '1\n3\n' -f 1
	gives '1\r2\r' '1\n3\n'
}

@test "where line 1 is longer than what is looked at first, what cannot be known is asked for" {
	"$PYTHON" -c 'print(",".join(f"name{i}" for i in range(1, 1501))); print(",".join(map(str, range(1500))))' >wide
	for options in --csv '--csv -H'; do
		# shellcheck disable=SC2086
		run_pscan $options -f 1400- wide
		assert_equal "$code $out$err" '2 pscan: -f "1400-": the first line is longer than 4096 bytes: give the number of the last field as well'
	done
	run_pscan --csv -f 1400 wide
	assert_equal "$code $out$err" '1 pscan: wide: line 1, field 1400: not a number: "name1400" (a header? see -H)'
	run_pscan --csv -H -f 1400-1401 wide
	assert_equal "$code $out$err" $'0 name1400_sum,name1401_sum\n1399,1400'
	run_pscan --csv -f name1400 wide
	assert_equal "$code $out$err" $'0 name1400_sum\n1399'
	run_pscan --csv -f 2 wide
	assert_equal "$code $out$err" $'0 name2_sum\n1'
	run_pscan -f 5- < <(printf '1 2\n')
	assert_equal "$code $out$err" '2 pscan: -f "5-": the first line has no such field'
}

@test "a file that -f or -g has taken for a field is named where the input is a terminal" {
	printf 'k,v\n1,2\n' >l.csv
	warns() {
		"$PYTHON" -c '
import os, pty, subprocess, sys
master, slave = pty.openpty()
os.write(master, b"l.csv,v\n1,2\n" + b"\4")
run = subprocess.run(sys.argv[1:], stdin=slave, capture_output=True, timeout=60)
sys.stdout.buffer.write(run.stderr)' "$PSCAN" "$@"
	}
	local what='there is a file of that name, but the input is the terminal'
	assert_equal "$(warns --csv -f v -g l.csv)" "pscan: warning: -g \"l.csv\": $what"
	assert_equal "$(warns --csv -f l.csv)" "pscan: warning: -f \"l.csv\": $what"
	assert_equal "$(warns --csv -f v)$(warns --csv -f l.csv -q)$(warns --csv -f v -g k l.csv)" ''
	run_pscan --csv -f l.csv < <(printf 'l.csv\n1\n')
	assert_equal "$code $err" '0 '
}

@test "words for operators that take texts: -t text" {
	advises 'a b a\n' 'line 1: not a number: "a" (texts? see -t text; a header? see -H)' -op count
	gives 'a b a\n' '1\n2\n3\n' -op count -t text
	advises '1\na\n' 'line 2: not a number: "a" (texts? see -t text)' -op first,last
	gives '1\na\n' '1,1\n1,a\n' -op first,last -t text --csv -f 1 --no-header
	# Not where -t text would be refused.
	advises 'a\n' 'line 1: not a number: "a" (a header? see -H)' -op count,sum
	advises 'a\n' 'line 1: not a number: "a" (a header? see -H)' -op count -t i64
	advises 'a\n' 'line 1: not a number: "a" (a header? see -H)' -op count --map=x+1
}

@test "a zero before a thousands mark" {
	local rule='(with thousands marks a number does not begin with 0; see --thousands, --decimal)'
	advises '0,123\n' "line 1: not a number: \"0,123\" $rule" --thousands=,
	gives '0,123\n' '0,123\n' --decimal=,
	advises '1,23\n' 'line 1: not a number: "1,23" (between thousands marks there are three digits; see --thousands)' --thousands=,
}

@test "compact times with T or Z: without these they are read" {
	local time plain
	for time in 20240501T135536Z 20240501T135536 20240501135536Z 20240501T135536.250Z; do
		plain=${time//[TZ]/}
		advises "$time\n" "line 1: not a number: \"$time\" (a time: see --accept=time; a compact time is read without T and Z)"
		advises "$time\n" "line 1: not a number: \"$time\" (a compact time is read without T and Z)" --accept=time
		advises "$time 1\n" "line 1, field 1: not a time: \"$time\" (a compact time is read without T and Z; see -g)" -g 1:day -f 2
		advises "$time 1\n" "line 1, field 1: neither a number nor a time: \"$time\" (a compact time is read without T and Z; see --reset-gap)" \
			--reset-gap=1:5s -f 2
		assert_equal "$("$PSCAN" --accept=time <<<"$plain")" "$(date -u -d '2024-05-01 13:55:36' +%s)$([ "${time%%.*}" = "$time" ] || echo .25)"
	done
	advises '20240501T135560Z\n' 'line 1: not a number: "20240501T135560Z" (see --invalid)' --accept=time
}
