#!/usr/bin/env bats
# Numbers as people write them: --decimal, --thousands and --accept.
# shellcheck disable=SC2016,SC2154 # code, out and err are set by run_pscan

load helper

setup() {
	export PSCAN_DEVICE=none
	cd "$TMP" || return
}

# reads WANTED OPTION...: each line of the input, read with the options and written as the last number, is WANTED.
reads() {
	run_pscan -d '\t' -f 1 -op last "${@:2}"
	assert_equal "${*:2}: $code $err $(echo "$out" | paste -sd' ')" "${*:2}: 0  $1"
}

# rejects TOKEN OPTION...: it is not a number.
rejects() {
	run_pscan -d '\t' -f 1 "${@:2}" < <(printf '%s\n' "$1")
	assert_contains "$code $err" "1 pscan: standard input: line 1, field 1: not a number: "
}

# rejects_later TOKEN OPTION...: neither within other lines, where the commonest forms are read at once.
rejects_later() {
	run_pscan -d ';' -f 2 "${@:2}" < <(yes 'a;1' | head -n 50 && printf 'a;%s\n' "$1" && yes 'a;1' | head -n 50)
	assert_contains "$code $err" '1 pscan: standard input: line 51, field 2: not a number: '
}

@test "--thousands: groups of three, or as in India; anything else is no number" {
	printf '%s\n' 1,234 12,345,678 -1,234.5 +999,999 1234 12,34,567 1,23,45,678 7 1e3 .5 123, >in
	rejects 123, --thousands=,
	sed -i '$d' in
	reads '1234 12345678 -1234.5 999999 1234 1234567 12345678 7 1000 0.5' --thousands=, <in
	tr ,. ., <in >european
	reads '1234 12345678 -1234,5 999999 1234 1234567 12345678 7 1000 0,5' --thousands=. --decimal=, <european
	local mark
	for mark in "'" ' ' $'\xc2\xa0' $'\xe2\x80\xaf' $'\xe2\x80\x89'; do
		sed "s/,/$mark/g" in >marked
		[ "$mark" = "'" ] || mark=' '
		reads '1234 12345678 -1234.5 999999 1234 1234567 12345678 7 1000 0.5' "--thousands=$mark" <marked
	done
	reads '1234567' "--thousands='" < <(printf '1\xe2\x80\x99234\xe2\x80\x99567\n')
	local token
	for token in 1,23 0,125 1,2345 1234,567 1,234,56 12,34,5678 123,45,678 1,,234 ,123 '1,234,,' 1.5,000 1,234e2 00,123 1,23,4567 1,234,56,789 1,23,456,789; do
		rejects "$token" --thousands=,
	done
	# The mark before a number is not one of its digits.
	run_pscan -d ';' -f 2 -t f64 -op max --thousands=, --invalid=ignore < <(printf '3;5\n7;,137,023,632\n')
	assert_equal "$code $out" '0 5'
	run_pscan --csv -f 2 -t f64 --thousands=' ' --accept=money -op last < <(printf '3,5\n7,$ 676\n8,($ 846.5)\n9,$ 843 476 038.07\n')
	assert_equal "$code $out" $'0 5\n676\n-846.5\n843476038.07'
	# One mark in a number.
	rejects $'1\xc2\xa0234 567' "--thousands= "
	rejects $'1\xe2\x80\xaf234\xe2\x80\x89567' "--thousands= "
}

@test "--thousands of a space is refused where blanks separate fields" {
	local refusal="2  pscan: --thousands=' ' needs -d or --csv: blanks separate fields"
	run_pscan '--thousands= ' < <(printf '1 234\n5\n')
	assert_equal "$code $out $err" "$refusal"
	run_pscan '--thousands= ' -f 1 < <(printf '1 234\n5\n')
	assert_equal "$code $out $err" "$refusal"
	run_pscan '--thousands= ' -f n < <(printf 'k n\na 1 234\n')
	assert_equal "$code $out $err" "$refusal"
	# A no-break space does not separate fields, and the header's commas or tabs do.
	local mark=$'\xc2\xa0'
	run_pscan "--thousands=$mark" --total < <(printf '1\xc2\xa0234\n5\n')
	assert_equal "$code $out $err" '0 1239 '
	run_pscan '--thousands= ' -f n --total < <(printf 'k,n\na,1 234\nb,5\n')
	assert_equal "$code $out $err" '0 1239 '
	run_pscan '--thousands= ' --json -f n --total < <(printf '{"n": "1 234"}\n')
	assert_equal "$code $err" '0 '
}

@test "--decimal: the mark of input and results, with -F, -a, --replace and quotes" {
	reads '1,5 -0,25 3 0,5 2,0 150' --decimal=, < <(printf '%s\n' 1,5 -0,25 3 ,5 2,0 1,5e2)
	rejects 1.5 --decimal=,
	rejects 1,5,5 --decimal=,
	run_pscan --decimal=, < <(echo 1 1.5)
	assert_equal "$code $out $err" '1 1 pscan: standard input: line 1: not a number: "1.5" (the decimal mark is a comma; see --decimal)'
	printf 'a;1,5\nb;2,25\n' >in
	gives "$(cat in)\n" 'a;1,5;1,5\nb;2,25;3,75\n' -d ';' -f 2 -a --decimal=,
	gives "$(cat in)\n" 'a;1,5\nb;3,75\n' -d ';' -f 2 --replace --decimal=,
	gives "$(cat in)\n" 'v. 1,50.\nv. 3,75.\n' -d ';' -f 2 -F 'v. %.2f.' --decimal=,
	gives "$(cat in)\n" '1,5\n3,75\n' -d ';' -f 2 -t f64 --decimal=,
	gives "$(cat in)\n" 'a;1,5\nb;2,25\n' -d ';' -g 1 -f 2 --total --decimal=,
	gives '"1,5",x\n"2,25",y\n' '"1,5",x,"1,5"\n"2,25",y,"3,75"\n' --csv -f 1 -a --decimal=,
	gives '"1,5",x\n"2,25",y\n' '"1,5",x\n"3,75",y\n' --csv -f 1 --replace --decimal=,
	gives 'x,"1,5" ,"z"\ny,"2,25",z\n' 'x,"1,5" ,"z"\ny,"3,75",z\n' --csv -f 2 --replace --decimal=,
	gives '"1,5",1.5\n' '"1,5"\n' --csv -f 1 --decimal=,
	# Two fields, and more than one result.
	gives '1,5;2\n0,5;3\n' '1,5;1,5;2;2\n2,0;1,5;5;3\n' -d ';' -f 1,2 -op sum,max --decimal=,
	# Options have points; so have JSON's numbers.
	gives '1,5\nNA\n' '3,0\n3,5\n' --decimal=, --seed=1.5 --missing=0.5
	gives '{"a":"1,5"}\n{"a":2.5}\n' '{"a":"1,5","a_sum":1.5}\n{"a":2.5,"a_sum":4.0}\n' --json -f a -a --decimal=,
	gives 't=1,5 u=2\nt=2,25\n' 't=1,5 u=2 t_sum=1,5\nt=2,25 t_sum=3,75\n' --logfmt -f t -a --decimal=,
	gives '1,5.2\n' '1,5\n' -d . -f 1 --decimal=,
	gives '1,5.2\n' '1,5.2.1,5\n' -d . -f 1 -a --decimal=,
}

@test "--accept=money: signs, letters, brackets, minus signs after amounts and U+2212" {
	# shellcheck disable=SC2016 # no variables
	printf '%s\n' '$5' '-$5' '$-5' '$ 5.50' '-$ 5.50' 5€ '5 €' '-5 €' 'USD 5' 'EUR5' '5 CHF' 'US$5' 'R$ 5' '(5)' '($5.50)' '$(5.50)' '(5) EUR' \
		'5-' '5.50- €' '5 €-' '−5' '−$5' '5−' '+5' '₹5' '¤5' '฿5' '5' '-5.0' $'5\xc2\xa0€' '1e3 USD' >in
	reads '5 -5 -5 5.50 -5.50 5 5 -5 5 5 5 5 5 -5 -5.50 -5.50 -5 -5 -5.50 -5 -5 -5 -5 5 5 5 5 5 -5.0 5 1000' --accept=money <in
	local token
	for token in '(5' '5)' '((5))' '(-5)' '-(5)' '-5-' '(5)-' '$5$' '$5 EUR' 'US 5' 'EURO 5' '5 eur' '5+' '$' '()' '5 5' '$5%' 5K '- -5' '$1,000' 12.5K '$12 EUR' 12EURO; do
		rejects "$token" --accept=money
		rejects_later "$token" --accept=money
	done
	# shellcheck disable=SC2016 # no variables
	reads '1234.50 -1234567 -1234.50' --accept=money --thousands=, < <(printf '%s\n' '$1,234.50' '(12,34,567)' '1,234.50-')
	reads '1234,50 -7,25 -1234,5 12 1234' --accept=money --decimal=, --thousands=. < <(printf '%s\n' '1.234,50 €' '7,25-' '(1.234,5 EUR)' $'12\xc2\xa0£' 1.234$)
	# Dashes in place of cents, beside a minus sign after the amount.
	yes $'5,-\n€ 12,--\n-3,–\n5-\n7,- €\n1.234,-' | head -60 >in
	for token in num f64; do
		reads "$(yes '5 12 -3 -5 7 1234' | head -10 | paste -sd' ')" -t "$token" --accept=money --decimal=, --thousands=. <in
	done
	for token in '5,---' ',-' '5,-,' '5,5-,'; do
		rejects "$token" --accept=money --decimal=,
	done
	# Three capital letters that are no currency: a multiple, a unit, a word for no number.
	for token in '1.5 MIO' '2 TSD' 'MRD 3' '7 PCT' 'NAN 5' '5 NAN' '1.5 INF' 'INF 5' '-5NAN' '5 SEC' '5 MIL' 'AAA 5' '5 ZZZ'; do
		rejects "$token" --accept=money
		rejects_later "$token" --accept=money
	done
	reads '2 3 4 5' --accept=money < <(printf '%s\n' '2 MXN' 'ITL 3' '4 NAD' 'INR 5')
	# What is no currency's amount is no name of a column either.
	for row in '5 KWH' '5 AAA' 'AAA 5' '(5 ABC)'; do
		run_pscan --csv -f 1 --accept=money --total < <(printf '%s\n' "$row" "$row" 6)
		assert_contains "$code $out$err" "1 pscan: standard input: line 1, field 1: not a number: \"$row\""
	done
	# Letters before a sign that may be a size, and a B that may be bytes or billions.
	# shellcheck disable=SC2016 # no variables
	for token in '250M€' '5K$' '5 MM$' 'G$7' 'B$ 1' 'T¥1' '1 K€'; do
		rejects "$token" --accept=money
		rejects_later "$token" --accept=money
	done
	# shellcheck disable=SC2016 # no variables
	for token in '$1.5B' '5KB€' 'EUR 2MB' '3B USD' '2GiB $'; do
		rejects "$token" --accept=money,size
	done
	# shellcheck disable=SC2016 # no variables
	reads '5000 300000000 2000000 4000 1024 512' --accept=money,size < <(printf '%s\n' '5K$' '$300M' '2MUSD' 'HK$4K' 1Ki€ 512B)
	run_pscan --csv -f 1 --accept=money < <(printf '%s\n' 'in EUR' '5 EUR' 'in EUR' 6)
	assert_equal "$code $out" $'0 in EUR_sum\n5\n11'
	run_pscan --csv -f 1 --accept=money --total < <(printf '%s\n' 'LUF 5' 'LUF 5' 'BYR 6')
	assert_equal "$code $out" '0 16'
	# With --accept, what only begins as an amount does may be a name.
	local kind option
	while IFS='|' read -r kind token; do
		for option in --invalid=abort --invalid=ignore; do
			run_pscan --tsv -f 2 --accept="$kind" --total $option < <(printf 'x\t%s\ny\t6\n' "$token")
			assert_equal "$code $out$err" '2 pscan: standard input: line 1 may be a header: say -H or --no-header'
		done
	done <<-'END'
		size|5 KiB
		size|5.5 GB
		money|$5.00 USD
		money|5.00 CR
		money|-€ 5k
		money|5 Euro
		duration|90 min
		time|2 Jan 2024
		time|2024-01-02 10:30 CET
		percent|5 pct
	END
	for kind in size money duration time percent; do
		run_pscan --csv -f 1 --accept="$kind" --total < <(printf '%s\n' 'in 5 days' 6)
		assert_equal "$code $out" '0 6'
	done
	# A text may begin so.
	run_pscan --csv -op last,count -f n --accept=money < <(printf 'n,v\n7-Eleven,$6\n1st Bank,$7\n')
	assert_equal "$code $out" $'0 n_last,n_count\n7-Eleven,1\n1st Bank,2'
	# Every word of three capital letters, before an amount and after one.
	"$PYTHON" - "$TOOLS" <<-'END'
		import itertools, string, sys
		sys.path.insert(0, sys.argv[1])
		from notation_model import CODES
		words = ["".join(w) for w in itertools.product(string.ascii_uppercase, repeat=3)]
		open("in", "w").writelines(f"{w};{w} 1\n{w};1 {w}\n" for w in words)
		open("wanted", "w").writelines(f"{w}\n{w}\n" for w in words if w in CODES)
	END
	run_pscan -d ';' -f 2 --accept=money --invalid=ignore --missing=skip -a <in
	assert_equal "$code $(grep -v ';$' <<<"$out" | cut -d ';' -f 1 | sort | uniq)" "0 $(uniq wanted)"
	assert_equal "$(grep -vc ';$' <<<"$out")" "$(wc -l <wanted)"
	# Words are what they were.
	run_pscan --accept=money -t f64 < <(printf 'inf\n')
	assert_equal "$code $out" '0 inf'
}

@test "--accept=percent and size, exactly, and in integer types what is an integer" {
	reads '12 12.5 -3 0.5 100 12' --accept=percent < <(printf '%s\n' 12% 12.5% '-3 %' .5% 100 $'12\xc2\xa0%')
	reads '12,5' --accept=percent --decimal=, < <(printf '%s\n' '12,5 %')
	reads '-12 5' --accept=percent,money < <(printf '%s\n' '(12%)' '5 EUR')
	rejects 12%% --accept=percent
	rejects %12 --accept=percent
	reads '10000 3000 1536 4000000 1073741824 1500 0.0125 5000000000000000000 1331.2 -2048 1 1234.5' --accept=size \
		< <(printf '%s\n' 10K 3k 1.5Ki 4.0M 1Gi 1.50K .0000125K 5E 1.3Ki -2Ki 1 1.2345K)
	local bytes
	bytes=$("$PYTHON" -c 'print(*(3 * 1024 ** p for p in range(1, 10)), *(3 * 1000 ** p for p in range(1, 11)))')
	reads "$bytes" --accept=size < <(printf '3%s\n' Ki Mi Gi Ti Pi Ei Zi Yi Ri K M G T P E Z Y R Q)
	# B is bytes, after a unit as well.
	reads '512 1500000 1572864 4000 -2048 0 0.5' --accept=size < <(printf '%s\n' 512B 1.5MB 1.5MiB 4kB -2KiB 0B .5B)
	reads '7000 8' --accept=size,money < <(printf '%s\n' 7KB '8 BRL')
	local token
	for token in 10KBB 10BK 10Bi 1e3B 10iB 10b B; do
		rejects "$token" --accept=size
	done
	rejects 1e3K --accept=size
	rejects 10Kii --accept=size
	reads '1024' --accept=size,money --invalid=ignore < <(printf 'EUR)3\n1ki\n')
	run_pscan --accept=size -t i32 < <(printf '10K 1.5Ki\n')
	assert_equal "$code $out" $'0 10000\n11536'
	run_pscan --accept=percent -t i64 < <(printf '12%%\n12.5%%\n')
	assert_equal "$code $out $err" '1 12 pscan: standard input: line 2: not an integer: "12.5%" (see -t)'
	run_pscan --accept=size -t i16 < <(printf '40K\n')
	assert_equal "$code $err" '1 pscan: standard input: line 1: out of the type'"'"'s range: "40K" (see -t)'
	# Longer tokens than most.
	local long
	long=$(printf '%0100d' 7 | tr 0 1)
	run_pscan --accept=money -op last -t f64 -F %.0f < <(printf '$%s\n' "$long")
	assert_equal "$code $out" "0 $("$PYTHON" -c 'import sys; print(int(float(sys.argv[1])))' "$long")"
}

@test "what is read so is a number for keys, resets, missing numbers, --map, types and the search for a header" {
	# shellcheck disable=SC2016 # no variables
	printf 'day,who,in,out\n1,a,"$1,000.50",$1\n1,b,,$2\n2,a,$3,"(1,000)"\n' >in
	set -- --accept=money --thousands=,
	gives "$(cat in)\n" 'day,who,in,out,in_sum\n1,a,"$1,000.50",$1,1000.50\n1,b,,$2,\n2,a,$3,"(1,000)",1003.50\n' --csv -f in -a --missing=keep "$@"
	gives "$(cat in)\n" 'who,out_sum\na,-999\nb,2\n' --csv -f out -g who --total "$@"
	gives "$(cat in)\n" 'sum\n999.50\n997.50\n2000.50\n' --csv --map='{in} - {out}' --missing=0 "$@"
	gives "$(cat in)\n" 'out_sum\n1\n3\n-1000\n' --csv -f out --reset-on=day "$@"
	# Line 1 is data where its number is one.
	gives '$5,a\n$6,b\n' '5\n11\n' --csv -f 1 "$@"
	gives 'USD 5,a\nUSD 6,b\n' '5\n11\n' --csv -f 1 "$@"
	gives '"$1,000"\nx\n"$2"\n' '1000\n1002\n' --csv -f 1 --invalid=ignore "$@"
	gives '$5 $6\n7\n' '5\n11\n18\n' "$@"
	gives '$1\n$2\n$5\n$3\n' '1\n3\n5\n8\n' --reset-at=5 "$@"
}

@test "one state file belongs to one way of writing numbers" {
	printf '1,5\n' >in
	run_pscan --state=S --decimal=, in
	assert_equal "$code $out" '0 1,5'
	printf '2,5\n' >>in
	run_pscan --state=S --decimal=, in
	assert_equal "$code $out" '0 4,0'
	run_pscan --state=S in
	assert_equal "$code $err" '2 pscan: --state: S: it belongs to a scan with other options: "--decimal=," in the state, "nothing" now'
}

@test "values that exclude each other, or that are none, are refused" {
	local message
	while IFS='|' read -r options message; do
		eval "run_pscan $options" < <(echo 1)
		assert_equal "$options: $code $err" "$options: 2 pscan: $message"
	done <<-'END'
		--decimal=x|--decimal: "x" is not a point or a comma (see --help=decimal)
		--decimal=|--decimal: "" is not a point or a comma (see --help=decimal)
		--thousands=_|--thousands: "_" is not a comma, a point, an apostrophe or a blank (see --help=thousands)
		--thousands=.|--thousands='.': the point is the decimal mark, too (see --decimal=',') (see --help=thousands)
		--thousands=, --decimal=,|--thousands=',': the comma is the decimal mark, too (see --help=thousands)
		--decimal=, -d , -f 1|--decimal=',': the comma is the delimiter, too (--csv has quotes) (see --help=decimal)
		--thousands=, -d , -f 1|--thousands=',': the comma is the delimiter, too (--csv has quotes) (see --help=thousands)
		--thousands=. --decimal=, -d . -f 1|--thousands='.': the point is the delimiter, too (--csv has quotes) (see --help=thousands)
		--thousands="'" -d "'" -f 1|--thousands="'": the apostrophe is the delimiter, too (--csv has quotes) (see --help=thousands)
		--thousands=" " -d " " -f 1|--thousands=' ': the blank is the delimiter, too (--csv has quotes) (see --help=thousands)
		--accept=time,duration -d : -f 1|--accept=duration: the colon is the delimiter, too (--csv has quotes) (see --help=accept)
		--accept=cash|--accept: "cash" is not a list of money, percent, size, duration and time (see --help=accept)
		--accept=money,|--accept: "money," is not a list of money, percent, size, duration and time (see --help=accept)
	END
}

@test "--accept=duration and time are seconds; all but the first number of a duration have two digits" {
	reads '195.0 3600.0 -30.0 93784.5 5415.0 7200.0 359999.0 90.0' --accept=duration -F %.1f \
		< <(printf '%s\n' 3:15 1:00:00 -0:30 1:02:03:04.5 +1:30:15 120:00 99:59:59 90)
	reads '93784' --accept=duration -F %d < <(printf '1:2:03:04\n')
	reads '60,5' --accept=duration --decimal=, -F %.1f < <(printf '1:00,5\n')
	local token
	for token in 1:2 1:60 1:02:3 24:61:00 :30 1: 1:00. 1:24:00:00 1:1:1:1:1 1:00:00:60 1:00:100 1:-30 1:30s --1:30; do
		rejects "$token" --accept=duration
	done
	reads '1714521600 1714557600.5 1714550400 -1.75' --accept=time -t num < <(printf '%s\n' 2024-05-01 \
		'2024-05-01 10:00:00.5' '01/May/2024:10:00:00 +0200' 1969-12-31T23:59:58.25Z)
	reads '1714521600 1709164800' --accept=time -t num < <(printf '%s\n' 20240501 20240229)
	reads '1714557600 1714557600.25 1714557600.5' --accept=time -t num < <(printf '%s\n' 20240501100000 20240501100000.25 20240501100000,5)
	reads '1714557600 1000000000 20240230' --accept=time -t num < <(printf '%s\n' 1714557600 1e9 20240230)
	reads '1483228800.5' --accept=time -t num < <(echo 2016-12-31T18:59:60.5-05:00)
	gives '2024-02-28\n2024-03-01\n2024-03-01T12:00\n' '172800\n43200\n' --accept=time -op delta
}

@test "what looks like a time and is none: there is no such day, its zone, its order" {
	# says TOKEN HINT
	says() {
		run_pscan -d '\t' -f 1 --accept=time "${@:3}" < <(printf '2024-01-01\n%s\n' "$1")
		assert_equal "$code $err" "1 pscan: standard input: line 2, field 1: not a number: \"$1\" ($2)"
	}
	says 2024-02-30 'there is no such day'
	says 2024-13-01T10:00 'there is no such day'
	says 31/Apr/2024:10:00:00 'there is no such day'
	says 2024-01-01T10:00:60Z 'second 60 is only at the end of June or December in UTC'
	says '2024-01-01 10:00:00 EST' 'a time zone that is not UTC, GMT, Z or an offset such as +01:00'
	says 2024-01-01T25:00 'times of day are read as hh:mm or hh:mm:ss'
	for token in 01/02/2024 '01/02/2024 10:00' 2024/01/02 1.2.2024 2024-1-5; do
		says "$token" 'dates are read as YYYY-MM-DD'
	done
	says 10:00 'a time of day without a date; a duration? see --accept=duration'
	for token in 10:3 '10:00:00 EST'; do
		says "$token" 'a time of day without a date'
	done
	# Without times all is as it was.
	run_pscan -f 1 < <(echo 2024-02-30)
	assert_equal "$err" 'pscan: standard input: line 1, field 1: not a number: "2024-02-30" (a date: another field? see -f)'
}

@test "the first value of a field decides whether it has numbers or times, and which, wherever the others are" {
	# Of each kind a record, its name in a message, and what it is as a number.
	kinds=(5 'a number' 5 2024-05-01 'a date' 1714521600 20240501 'a date in digits' 1714521600
		20240501100000 'a date and time in digits' 1714557600)
	for ((first = 0; first < ${#kinds[@]}; first += 3)); do
		for ((next = 0; next < ${#kinds[@]}; next += 3)); do
			[ "$next" -ne "$first" ] || continue
			local is="is ${kinds[next + 1]}, and the first value is ${kinds[first + 1]}"
			printf 'k,v\nx,-\na,%s\n' "${kinds[first]}" >one
			printf 'k,v\nx,-\na,%s\n' "${kinds[next]}" >two
			{ cat one && tail -n 2 two; } >both
			for type in num f64; do
				run_pscan --csv --accept=time -f v --missing=skip -t "$type" both
				assert_equal "$code $(paste -sd ' ' <<<"$out")" "1 v_sum ${kinds[first + 2]}"
				assert_equal "$err" "pscan: both: line 5, field 2: --accept=time: \"${kinds[next]}\" $is"
			done
			for options in '' '-t f64' '-g k' '-a' '-op last' '-op last,delta' '--chunk-size=1' '--invalid=ignore' '-op a+b' '--map=x'; do
				# shellcheck disable=SC2086 # options
				run_pscan --csv --accept=time -f v --missing=skip $options one two
				assert_equal "$options: $code $err" "$options: 1 pscan: two: line 3, field 2: --accept=time: the value $is"
			done
			# So it does in a later run, and a run without a value forgets nothing.
			rm -f state
			run_pscan --state=state --accept=time -f 1 -t num -op last < <(echo "${kinds[first]}")
			run_pscan --state=state --accept=time -f 1 -t num -op last --missing=skip </dev/null
			run_pscan --state=state --accept=time -f 1 -t num -op last < <(echo "${kinds[next]}")
			assert_equal "$code $out$err" "1 pscan: standard input: line 1, field 1: --accept=time: the value $is"
		done
	done
}

@test "each field has its kind; words for no number, numbers for missing ones and texts have none" {
	gives 'a,b\n1,2024-01-01\n2,2024-01-02\n' 'a_delta,b_delta\n1,86400\n' --csv --accept=time -f a,b -op delta
	gives '{"a":20240105}\n{"a":7}\n' '{"a_sum":20240105}\n{"a_sum":20240112}\n' --json --accept=time -f a
	gives '2024-01-01\n\ninf\n2024-01-02\n' '1704067200\ninf\ninf\n' --accept=time -t f64
	gives '2024-01-01,a\n,a\n2024-01-02,a\n' '1704067200\n1704067200\n1704153600\n' -d, -f 1 --accept=time -op max --missing=0 -t num
	gives '2024-01-01\n5\n20240101\n' '1\n2\n3\n' --accept=time -f 1 -op distinct
	# A token that is no number decides nothing.
	gives '5.5\n2024-01-01\n' '1704067200\n' --accept=time -f 1 -t i64 --invalid=ignore
	gives '2024-01-01\n5.5\n2024-01-02\n' '1\n2\n' --accept=time -f 1 -t i64 --invalid=ignore -op count
	for type in num f64; do
		run_pscan --json --accept=time -f a -t "$type" < <(printf '{"a":"2024-01-01"}\n{"a":20240102}\n')
		assert_equal "$code $out" '1 {"a_sum":1704067200}'
	done
	assert_equal "$code $err" '1 pscan: standard input: line 2, field "a": --accept=time: "20240102" is a number, and the first value is a date'
	run_pscan --csv --accept=time --map='b - a' < <(printf 'a,b\n2024-01-01,2024-01-02\n2024-01-01,7\n')
	assert_equal "$code $err" '1 pscan: standard input: line 3, field 2: --accept=time: "7" is a number, and the first value is a date'
	run_pscan --accept=time --chunk-size=1 < <(printf '2024-01-01\n20240102\n')
	assert_equal "$code $out" '1 1704067200'
	run_pscan -r --accept=time -f 1 < <(printf '2024-01-01\n20240102\n20240103\n')
	assert_equal "$code $err" '1 pscan: standard input: line 2, field 1: --accept=time: "20240102" is a date in digits, and the first value is a date'
}

@test "random tokens in random notations, tables, types and operators are what a model reads" {
	run "$PYTHON" "$TOOLS/notation_model.py" 2026 "$(cases 100)"
	assert_equal "$output" "$(cases 100) cases, 0 wrong"
}

# bats test_tags=long
@test "many random tokens are what a model reads" {
	run "$PYTHON" "$TOOLS/notation_model.py" 7 20000
	assert_equal "$output" '20000 cases, 0 wrong'
}

@test "results of durations are durations as long as all numbers of the field are, wherever chunks end" {
	printf 'a;3:15;1\nb;1:00:00;2\na;-0:30;3\n' >in
	gives "$(cat in)\n" 'a;3:15;1;0:03:15\nb;1:00:00;2;1:03:15\na;-0:30;3;1:02:45\n' -d ';' -f 2 -a --accept=duration
	gives "$(cat in)\n" 'a;0:03:15;1\nb;1:03:15;2\na;1:02:45;3\n' -d ';' -f 2 --replace --accept=duration
	gives "$(cat in)\n" '0:03:15;1\n1:03:15;3\n1:02:45;6\n' -d ';' -f 2,3 --accept=duration
	gives "$(cat in)\n" '0:00:00\n0:03:15\n1:03:15\n' -d ';' -f 2 -e --accept=duration
	gives "$(cat in)\n" 'a;0:02:45\nb;1:00:00\n' -d ';' -f 2 -g 1 --total --accept=duration
	gives "$(cat in)\n" '1:02:45\n' -d ';' -f 2 --total --accept=duration
	gives "$(cat in)\n" '0:03:15;0:03:15;;1;0:03:15;0\n1:00:00;1:00:00;0:56:45;2;0:31:37.5;1\n-0:00:30;1:00:00;-1:00:30;3;0:20:55;1\n' \
		-d ';' -f 2 -op last,max,delta,count,mean,argmax --accept=duration --missing=skip -t num
	gives "$(cat in)\n" '0.05\n1.05\n1.05\n' -d ';' -f 2 -F %.2f --emit='s / 3600' --accept=duration
	gives "$(cat in)\n" '195.0\n3795.0\n3765.0\n' -d ';' -f 2 -F %.1f --accept=duration
	gives "$(cat in)\n" '0:03:15\n1:03:15\n1:02:45\n' -d ';' -f 2 -t f64 --accept=duration
	gives '{"a":"1:30"}\n{"a":"2:00"}\n' '{"a":"1:30","a_sum":"0:01:30"}\n{"a":"2:00","a_sum":"0:03:30"}\n' --json -f a -a --accept=duration
	gives '1:00,5\n0:30\n' '0:01:00,5\n0:01:30,5\n' --accept=duration --decimal=,
	gives '1:30:2:00\n' '1\n' --csv -d : -f 1 --accept=duration
	gives '"1:30":x\n"2:00":y\n' '"0:01:30"\n"0:03:30"\n' --csv -d : -f 1 --accept=duration --no-header
	gives '99:59:59\n0:01\n' '99:59:59\n100:00:00\n' --accept=duration
	# From the first number on that is none they are seconds; what stands in for missing ones is neither.
	local size rows='3:15\nNA\n4:00\n90\n1:00\n'
	for size in 1 8 1M; do
		gives "$rows" '0:03:15\n0:03:22\n0:07:22\n532\n592\n' --accept=duration --missing=7 --chunk-size=$size
		gives "$rows" '0:03:15\nNA\n0:07:15\n525\n585\n' --accept=duration --missing=keep --chunk-size=$size -f 1
		gives "$rows" '585\n' --accept=duration --missing=skip --total --chunk-size=$size
		gives "$rows" '0:07:15\n150\n' --accept=duration --missing=skip --total --reset-at=90 --chunk-size=$size
		gives 'a 1:00\na 2:00\nb 3:00\nb 4\nc 1:00\n' 'a 0:03:00\nb 184\nc 60\n' --accept=duration -f 2 --reset-on=1 --total --chunk-size=$size
	done
	gives 'NA\n' '0\n' --accept=duration --missing=skip --total
	{ yes 1:00 | head -n 2000 && echo 90 && yes 1:00 | head -n 2000; } >long
	run_pscan --accept=duration --chunk-size=64 long
	assert_equal "$code $(sed -n '2000p;2001p;$p' <<<"$out" | paste -sd' ')" '0 33:20:00 120090 240090'
	gives "1:00\n2:00\n" "180\n120\n" --accept=duration --reverse
	# A run of --state has its own.
	printf '1:00\n' >one
	run_pscan --state=S --accept=duration one
	assert_equal "$code $out" '0 0:01:00'
	printf '5\n' >>one
	run_pscan --state=S --accept=duration one
	assert_equal "$code $out" '0 65'
	printf '1:00\n' >>one
	run_pscan --state=S --accept=duration one
	assert_equal "$code $out" '0 0:02:05'
}

@test "--decimal and --thousands: numbers of --window, --reset-gap, --plot-time and units of time have these marks, too" {
	printf '%s\n' '1.234;5' '1.235;5' >in
	gives "$(cat in)\n" '5;1234\n5;1235\n' -d ';' --decimal=, --thousands=. --reset-gap=1:1 -f 2,1
	gives "$(cat in)\n" '5\n5\n' -d ';' --decimal=, --thousands=. --window=1:1 -f 2
	gives "$(cat in)\n" '5\n10\n' -d ';' --window=1:1 -f 2
	# Further down in the input, where the commonest forms are read at once.
	gives '%064d;1.234;5\n%064d;1.235;5\n%064d;1.236;5\n' '5\n5\n5\n' -d ';' --decimal=, --thousands=. --reset-gap=2:1 -f 3
	local day
	for day in 1.714.557.600 1.714.557.600,5 1714557600 1.714.557.600.000; do
		gives "$day;5\n" '2024-05-01;5\n' -d ';' --decimal=, --thousands=. -g 1:day -f 2
	done
	gives '1,5;5\n2,25;5\n2,5;5\n' '5\n10\n10\n' -d ';' --decimal=, --window=1:1 -f 2
	gives '1,5;5\n2,25;5\n3,25;5\n' '5\n10\n5\n' -d ';' --decimal=, --reset-gap=1:1 -f 2
	gives '1,000;5\n1,001;5\n' '5\n5\n' -d ';' --thousands=, --reset-gap=1:1 -f 2
	gives '1,5e1;5\n15,9;5\n' '5\n10\n' -d ';' --decimal=, --reset-gap=1:1 -f 2
	local option
	for option in --window=1:1 --reset-gap=1:1 --reset-gap=1:1s; do
		run_pscan -d ';' --decimal=, "$option" -f 2 < <(echo '1.5;5')
		assert_equal "$code $out $err" "1  pscan: standard input: line 1, field 1: neither a number nor a time: \"1.5\" (see ${option%%=*})"
	done
	run_pscan -d ';' --decimal=, -g 1:day -f 2 < <(echo '1.5;5')
	assert_equal "$code $out $err" '1  pscan: standard input: line 1, field 1: not a time: "1.5" (see -g)'
	# A date in digits that has marks is doubted as any other that is written as a number.
	run_pscan -d ";" --decimal=, --thousands=. -g 1:day -f 2 < <(echo "20.240.501;5")
	assert_contains "$code $err" '1 pscan: standard input: line 1, field 1: "20.240.501" may be a date in digits, or a number'
	# Dates and times stay as they are.
	gives '2024-05-01T10:00:00.5;5\n2024-05-01T10:00:01,5;5\n' '5\n5\n' -d ';' --decimal=, --thousands=. --reset-gap=1:1s -f 2
	gives '20240501100000.5;5\n20240501100001,5;5\n' '5\n5\n' -d ';' --decimal=, --thousands=. --reset-gap=1:1s -f 2
	# JSON numbers have points; strings have the marks.
	gives '{"t":1.5,"n":1}\n{"t":"2,4","n":1}\n{"t":"2,5","n":1}\n' '{"n_sum":1}\n{"n_sum":2}\n{"n_sum":2}\n' --json --decimal=, --window=t:1 -f n
	run_pscan --json --decimal=, --window=t:1 -f n < <(echo '{"t":"1.5","n":1}')
	assert_contains "$code $err" '1 pscan: standard input: line 1, field "t": neither a number nor a time: "1.5"'
}

@test "sizes and durations of any length are read as they are written; what their type cannot hold is an error" {
	"$PYTHON" -c '
import random
from decimal import Decimal, getcontext
getcontext().prec = 200
random.seed(5)
units = "KMGTPEZYRQ"
sizes, lengths = [], []
for i in range(300):
    digits = str(random.randrange(10 ** random.randrange(1, 30)))
    decimals = random.choice(["", ".", "." + str(random.randrange(10 ** random.randrange(1, 12)))])
    power = random.randrange(1, 11)
    sizes.append((random.choice(["", "-"]) + digits + decimals, power))
    parts = [random.randrange(24), random.randrange(60), random.randrange(60)][random.randrange(3):]
    lengths.append((digits, parts, random.choice(["", ".25"])))
with open("sizes", "w") as f, open("sizes.wanted", "w") as w:
    for number, power in sizes:
        print(number + units[power - 1] + "i", file=f)
        print("%.6e" % float(Decimal(number) * 1024 ** power), file=w)
with open("lengths", "w") as f, open("lengths.wanted", "w") as w:
    for digits, parts, fraction in lengths:
        print(":".join([digits] + ["%02d" % p for p in parts]) + fraction, file=f)
        seconds, factor = 0, 1
        for limit, p in zip([60, 60, 24], parts[::-1]):
            seconds, factor = seconds + p * factor, factor * limit
        print("%.6e" % float(Decimal(seconds + int(digits) * factor) + Decimal(fraction or 0)), file=w)
'
	run_pscan --accept=size -t f64 -op last -F %.6e sizes
	assert_equal "$code $err" '0 '
	cmp out sizes.wanted
	run_pscan --accept=duration -t f64 -op last -F %.6e lengths
	assert_equal "$code $err" '0 '
	cmp out lengths.wanted
	reads '1024.000001024 0.512 1.024' --accept=size -t num < <(printf '%s\n' 1.000000001Ki .0005Ki .001Ki)
	reads '99999999999999999:59:59 99999999999999999999999:00:01.50 0:00:00' --accept=duration -t num < <(printf '%s\n' 99999999999999999:59:59 99999999999999999999999:00:01.50 000000000000000000000:00)
	local invalid
	for invalid in abort fail warn ignore; do
		run_pscan --accept=size -t i64 "--invalid=$invalid" < <(echo 900000000Qi)
		assert_equal "$code $out $err" "1  pscan: standard input: line 1: out of the type's range: \"900000000Qi\" (see -t)"
		run_pscan --accept=size -t f32 "--invalid=$invalid" < <(echo 900000000Qi)
		assert_equal "$code $out $err" "1  pscan: standard input: line 1: too large for a float: \"900000000Qi\" (see -t)"
		run_pscan --accept=duration -t i64 "--invalid=$invalid" < <(echo 99999999999999999:59:59)
		assert_equal "$code $out $err" "1  pscan: standard input: line 1: out of the type's range: \"99999999999999999:59:59\" (see -t)"
	done
}

@test "a second has up to 18 decimals; more that are not zeros are an error wherever times are read" {
	gives '2024-05-01T10:00:00.0000000001;5\n2024-05-01T10:00:01.0000000002;5\n' '1.0000000001\n' -d ';' -f 1 --accept=time -op delta
	reads '-1.876543210987654322 1714557601.000000000000000001' --accept=time -t num \
		< <(printf '%s\n' 1969-12-31T23:59:58.123456789012345678 2024-05-01T10:00:01.0000000000000000010000)
	# A tenth of a nanosecond less than the gap, and just the gap.
	gives '2024-05-01T10:00:00.0000000002;5\n2024-05-01T10:00:01.0000000001;5\n2024-05-01T10:00:02.0000000001;5\n' '5\n10\n5\n' -d ';' -f 2 --reset-gap=1:1s
	gives '20240501100000.0000000002;5\n20240501100001.0000000001;5\n20240501100002.0000000001;5\n' '5\n10\n5\n' -d ';' -f 2 --window=1:1s
	local time fine=1234567890123456789
	for time in 2024-05-01T10:00:00 20240501100000 01/May/2024:10:00:00 '2024-05-01 10:00:00'; do
		run_pscan -d ';' -f 1 --accept=time < <(echo "$time.$fine")
		assert_equal "$code $out $err" "1  pscan: standard input: line 1, field 1: not a number: \"$time.$fine\" (a second has at most 18 decimals)"
		run_pscan -d ';' -f 2 --reset-gap=1:1s < <(echo "$time,$fine;5")
		assert_equal "$code $out $err" "1  pscan: standard input: line 1, field 1: a second has at most 18 decimals: \"$time,$fine\" (see --reset-gap)"
		run_pscan -d ';' -f 2 --window=1:1s < <(echo "$time.$fine;5")
		assert_equal "$code $out $err" "1  pscan: standard input: line 1, field 1: a second has at most 18 decimals: \"$time.$fine\" (see --window)"
		run_pscan -d ';' -f 2 -g 1:second < <(echo "$time.$fine;5")
		assert_equal "$code $out $err" "1  pscan: standard input: line 1, field 1: a second has at most 18 decimals: \"$time.$fine\" (see -g)"
		gives "$time.${fine%?}000;5\n" '2024-05-01T10:00:00;5\n' -d ';' -f 2 -g 1:second
		# Nor is it a name or a text.
		run_pscan --csv -f 1 --accept=time < <(echo "$time.$fine" && echo 20240501100002)
		assert_contains "$code $out$err" '1 pscan: standard input: line 1, field 1: not a number: '
		run_pscan --json -f t -op last --accept=time < <(echo "{\"t\":\"$time.$fine\"}")
		assert_contains "$code $out$err" '1 pscan: standard input: line 1, field "t": not a number: '
	done
}

@test "a unit of size in the field after its number is an error, and a B or a word is not" {
	local unit field
	for unit in k K M G T P E Z Y R Q Ki Mi GiB kB MB; do
		stops "a 1\nb 5 $unit x\n" 1 '1\n' \
			"pscan: in: line 2, field 2: the number's unit is another field: \"5 $unit\" (join them: sed 's/ $unit/$unit/')" -f 2 --accept=size
		# As advised.
		assert_equal "$(sed "s/ $unit/$unit/" in | "$PSCAN" -f 2 --accept=size --total)" \
			"$(printf 'a 1\nb 5%s\n' "$unit" | "$PSCAN" -f 2 --accept=size --total)"
	done
	stops 'n u m\n1 K 2\n' 1 'm_sum n_sum\n' "pscan: in: line 2, field 1: the number's unit is another field: \"1 K\" (join them: sed 's/ K/K/')" \
		-f m,n --accept=size
	for field in B x KX KiBs i 5; do
		gives "a 5 $field\nb 6K K\n" '5\n6005\n' -f 2 --accept=size
	done
	gives 'a 5 K\n' '5\n' -f 2
	gives 'a 5 K\n' '5\n' -f 2 --accept=money
	gives 'a\t5\tK\n' '5\n' -f 2 --accept=size --tsv
}
