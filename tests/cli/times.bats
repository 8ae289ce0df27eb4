#!/usr/bin/env bats
# Units of time (-g time:day, --reset-on=time:month) and windows by time (--window=time:7d).
# shellcheck disable=SC2030,SC2031,SC2154,SC2059 # code, out and err are set by run_pscan

load helper

setup() {
	cd "$TMP" || return 1
}

# keys UNIT TIME...: the keys of a record at each time.
keys() {
	local unit=$1
	shift
	printf '%s;1\n' "$@" >in
	run_pscan -d ';' -g "1:$unit" -f 2 --total in
	assert_equal "$code $err" '0 '
	cut -d ';' -f 1 out | paste -sd ' '
}

@test "each unit of a time is what stands before the rest of it" {
	times=('2024-05-01 13:55:36' 2024-05-01T13:55:36.75Z '01/May/2024:13:55:36 +0200' 20240501135536 1714571736 1714571736789 '[2024-05-01 13:55:36,5]')
	for time in "${times[@]}"; do
		assert_equal "$time $(keys second "$time")" "$time 2024-05-01T13:55:36"
		assert_equal "$time $(keys minute "$time")" "$time 2024-05-01T13:55"
		assert_equal "$time $(keys hour "$time")" "$time 2024-05-01T13"
		assert_equal "$time $(keys day "$time")" "$time 2024-05-01"
		assert_equal "$time $(keys week "$time")" "$time 2024-W18"
		assert_equal "$time $(keys month "$time")" "$time 2024-05"
		assert_equal "$time $(keys year "$time")" "$time 2024"
	done
	assert_equal "$(keys day 20240501 20240502)" '2024-05-01 2024-05-02'
	assert_equal "$(keys day 0 -1 1714571736.5)" '1970-01-01 1969-12-31 2024-05-01'
	assert_equal "$(keys second -0.000000001 -1)" '1969-12-31T23:59:59'
	assert_equal "$(keys second 1714571736000000)$(keys minute 1714571736000000000)" 2024-05-01T13:55:362024-05-01T13:55
}

@test "bytes 0 are no date, with a date before them or without" {
	local before
	for before in '' '1970-01-01T10:00:00,1\n'; do
		run_pscan -d , -f 2 -g 1:day < <(printf "%b" "$before"'\0\0\0\0\0\0\0\0\0\0,2\n')
		assert_contains "$code $err" '1 pscan: standard input: line '
		assert_contains "$err" 'field 1: not a time: '
		run_pscan -d , -f 2 -g 1:hour < <(printf "%b" "$before"'\0\0\0\0\0\0\0\0\0\0T10:00:00,2\n')
		assert_contains "$err" 'field 1: not a time: '
	done
}

@test "leap days, ends of years, weeks of ISO 8601, second 60" {
	assert_equal "$(keys day 2024-02-29 2000-02-29 2024-12-31T23:59:60Z)" '2024-02-29 2000-02-29 2024-12-31'
	assert_equal "$(keys week 2024-12-29 2024-12-30 2025-01-01 2025-01-05 2025-01-06)" '2024-W52 2025-W01 2025-W02'
	assert_equal "$(keys week 2020-12-31 2021-01-03 2021-01-04 2016-01-03 2018-12-31)" '2020-W53 2021-W01 2015-W53 2019-W01'
	assert_equal "$(keys week 0001-01-01 9999-12-31)" '0001-W01 9999-W52'
	assert_equal "$(keys year -62135596800 1e10)" '0001 2286'
	assert_equal "$(keys minute 2016-12-31T18:59:60-05:00) $(keys minute 20150630235960)" '2016-12-31T18:59 2015-06-30T23:59'
	for time in 2024-01-01T10:00:60Z 2016-12-31T23:59:60+01:00 20150629235960; do
		run_pscan -g 1:minute -f 2 < <(echo "$time" 1)
		assert_equal "$code $err" "1 pscan: standard input: line 1, field 1: not a time: \"$time\" (see -g)"
	done
}

@test "a time counts as it is written, whatever its offset" {
	assert_equal "$(keys day 2024-05-01T00:30:00+02:00 2024-05-01T23:30:00-07:00)" 2024-05-01
	assert_equal "$(keys hour '31/Mar/2024:01:59:59 +0100' '31/Mar/2024:03:00:00 +0200')" '2024-03-31T01 2024-03-31T03'
	assert_equal "$(keys hour '2024-10-27T02:30:00+02:00' '2024-10-27T02:30:00+01:00')" 2024-10-27T02
}

@test "keys, resets and totals by a unit: the header, whole lines, several keys" {
	csv='time,shop,n\n2024-05-01 10:00,a,1\n2024-05-31 11:00,b,2\n2024-05-31 12:00,a,3\n2024-06-01 00:00,a,4\n'
	gives "$csv" 'time_month,n_sum\n2024-05,1\n2024-05,3\n2024-05,6\n2024-06,4\n' --csv -g time:month -f n
	gives "$csv" 'time_month,shop,n_sum\n2024-05,a,4\n2024-05,b,2\n2024-06,a,4\n' --csv -g time:month,shop -f n --total
	gives "$csv" 'shop,time_month,n_sum\na,2024-05,4\nb,2024-05,2\na,2024-06,4\n' --csv -g shop -g time:month -f n --total
	gives "$csv" 'time,shop,n,n_sum\n2024-05-01 10:00,a,1,1\n2024-05-31 11:00,b,2,3\n2024-05-31 12:00,a,3,6\n2024-06-01 00:00,a,4,4\n' \
		--csv --reset-on=time:month -f n -a
	gives "$csv" 'time,shop,n\n2024-05-01 10:00,a,1\n2024-05-31 11:00,b,2\n2024-05-31 12:00,a,5\n2024-06-01 00:00,a,4\n' \
		--csv --reset-on=time:day -f n --replace
	gives "$csv" 'shop,time_day,n_sum\na,2024-05-01,1\na,2024-05-31,3\na,2024-06-01,4\nb,2024-05-31,2\n' \
		--csv -g shop --reset-on=time:day -f n --total
	gives "$csv" 'time_month,time_year,n_sum\n2024-05,2024,6\n2024-06,2024,4\n' --csv -g time:month,time:year -f n --total
	gives "${csv//,/\\t}" 'time_week\tn_sum\n2024-W18\t1\n2024-W22\t9\n' --tsv -g time:week -f n --total
	printf "$csv" | gzip >in.gz
	run_pscan --csv -g time:year -f n --total in.gz
	assert_equal "$(paste -sd ' ' out) $err" 'time_year,n_sum 2024,10 '
}

@test "date and time of day in two fields, fields by number, from the end, and between blanks" {
	gives '2024-05-01 10:59 5\n2024-05-01 11:00 6\n' '2024-05-01T10 5\n2024-05-01T11 6\n' -g 1+2:hour -f 3
	gives '2024-05-01 10:59 5\n2024-05-01 11:00 6\n' '5\n6\n' --reset-on=-3+-2:hour -f 3
	gives '2024-05-01 10:59 5\n2024-05-01 11:00 6\n' '2024-05 5\n2024-05 11\n' -g -3:month -f -1
	gives 'day clock n\n2024-05-01 10:59 5\n2024-05-01 11:00 6\n' 'n_sum\n5\n11\n' -H --reset-on=day+clock:day -f n
	gives 'day,clock,n\n2024-05-01,10:59,5\n2024-05-01,10:01,6\n' 'day_hour,n_sum\n2024-05-01T10,11\n' --csv -g day+clock:hour -f n --total
}

@test "JSON, logfmt and logs" {
	gives '{"t":"2024-05-01T10:00:00Z","n":1}\n{"t":"01\\/May\\/2024:11:00:00 +0000","n":2}\n{"n":3,"t":"2024-05-02"}\n' \
		'{"t_day":"2024-05-01","n_sum":3}\n{"t_day":"2024-05-02","n_sum":3}\n' --json -g t:day -f n --total
	gives '{"a":{"t":1714521600},"n":1}\n{"a":{"t":1714521601},"n":2}\n' '{"/a/t_day":"2024-05-01","n_sum":1}\n{"/a/t_day":"2024-05-01","n_sum":3}\n' \
		--json -g /a/t:day -f n
	gives '{"d":"2024-05-01","c":"10:00","n":1}\n' '{"d_hour":"2024-05-01T10","n_sum":1}\n' --json -g d+c:hour -f n
	gives '{"t:day":"x","n":1}\n' '{"t:day":"x","n_sum":1}\n' --json -g '"t:day"' -f n
	gives 't="2024-05-01 10:00:00" n=1\nn=2 t=2024-05-01T10:59:59Z\n' '2024-05-01T10 1\n2024-05-01T10 3\n' --logfmt -g t:hour -f n
	log='::1 - - [10/Oct/2000:13:55:36 -0700] "GET / HTTP/1.0" 200 5\n::1 - - [10/Oct/2000:14:00:00 -0700] "GET / HTTP/1.0" 200 7\n'
	gives "$log" '2000-10-10T13 5\n2000-10-10T14 7\n' --log -g time:hour -f bytes
	gives "$log" '2000-10-10 12\n' --log -g time:day -f bytes --total
	gives "$log" '2000-10-10 2\n' --log -g time:day -op count --total
	gives "$log" '2000-10-10T13:55 5\n2000-10-10T14:00 7\n' -g 4:minute -f -1
}

@test "a field whose whole name ends in a unit is that field; a unit may follow a name in quotes" {
	gives 'time:day,n\nx,1\nx,2\n' 'time:day,n_sum\nx,3\n' --csv -g time:day -f n --total
	gives 'time:day,k,n\nx,a,1\nx,a,2\n' 'k,time:day,n_sum\na,x,3\n' --csv -g k,time:day -f n --total
	gives 'a+b:day,n\nx,1\nx,2\n' 'a+b:day,n_sum\nx,3\n' --csv -g a+b:day -f n --total
	gives 'a+b,n\n2024-05-01,1\n2024-05-01,2\n' 'a+b_day,n_sum\n2024-05-01,3\n' --csv -g a+b:day -f n --total
	gives 'a:b,n\n2024-05-01,1\n2024-05-01,2\n' 'a:b_day,n_sum\n2024-05-01,3\n' --csv -g a:b:day -f n --total
	gives '"x,y",n\n2024-05-01,1\n2024-05-01,2\n' '"x,y_day",n,n_sum\n2024-05-01,1,1\n2024-05-01,2,2\n' --csv -g '"x,y":day,n' -f n
	gives '"d,d",c,n\n2024-05-01,10:00,1\n' '"d,d_hour",c,n_sum\n2024-05-01T10,10:00,1\n' --csv -g '"d,d"+"c":hour,c' -f n
	gives 'a,n\n2024-05-01,1\n' 'a_month,n_sum\n2024-05,1\n' --csv -g 'a:month' -f 2
}

@test "what is no time, another clock, or has no time of day is said" {
	# says MESSAGE OPTIONS LINE...
	says() {
		printf '%s\n' "${@:3}" >in
		# shellcheck disable=SC2086 # options
		run_pscan -d , $2 -f 2 in
		assert_equal "$code $err" "1 pscan: in: line $(($# - 2)), field 1: $1"
		assert_equal "$(wc -l <out)" $(($# - 3))
	}
	says 'not a time: "x" (see -g)' '-g 1:day' 2024-05-01,1 x,1
	says 'not a time: "" (see --reset-on)' '--reset-on=1:day' 2024-05-01,1 ,1
	says 'not a time: "2023-02-29" (see -g)' '-g 1:year' 2023-02-29,1
	says 'not a time: "2023-02-28T24:00:00" (see -g)' '-g 1:year' 2023-02-28T23:00:00,1 2023-02-28T24:00:00,1
	says 'not a time: "2023-02-28T23:60:00" (see -g)' '-g 1:year' 2023-02-28T23:00:00,1 2023-02-28T23:60:00,1
	says 'not a time: "2023-02-28T23:00:61" (see -g)' '-g 1:year' 2023-02-28T23:00:00,1 2023-02-28T23:00:61,1
	says 'not a time: "-62135596801" (see -g)' '-g 1:year' -62135596801,1
	says '"2024-05-01" has no time of day (two fields? -g 1+2:hour)' '-g 1:hour' 2024-05-01T10:00:00,1 2024-05-01,1
	says '"20240501" has no time of day (two fields? --reset-on=1+2:second)' '--reset-on=1:second' 20240501,1
	says '-g: "1714521600000" is in milliseconds, and the first value is in seconds' '-g 1:day' 1714521600,1 1714521600000,1
	says '--reset-on: "1714521600" is in seconds, and the first value is a date' '--reset-on=1:day' 2024-05-01T10:00:00,1 1714521600,1
	says '"2024050110" may be a date and time in digits, or a number of seconds (write 2024-05-01 12:30)' '-g 1:day' 2024050110,1
	says '"20240501.0" may be a date in digits, or a number (write 2024-05-01)' '-g 1:day' 20240501.0,1
	says 'a time zone that is not UTC, GMT, Z or an offset such as +01:00: "2024-05-01 10:00 CET"' '-g 1:day' '2024-05-01 10:00 CET,1'
	run_pscan --csv -g time:day -f n < <(printf 'time,n\n2024-05-01,1\n,2\n')
	assert_equal "$code $err" '1 pscan: standard input: line 3, field 1: not a time: "" (see -g)'
	run_pscan --json -g t:hour -f n < <(echo '{"t":"2024-05-01","n":1}')
	assert_equal "$code $err" '1 pscan: standard input: line 1, field "t": "2024-05-01" has no time of day, which -g ...:hour needs'
	run_pscan --json -g t:hour -f n < <(echo '{"n":1}')
	assert_equal "$code $err" '1 pscan: standard input: line 1, field "t": not in the line: "{\"n\":1}" (see -g)'
	run_pscan -g 2-3:day -f 1 < <(echo 1 2 3)
	assert_equal "$code $err" '2 pscan: -g: "2-3:day" is not one field or two (see --help=-g)'
	run_pscan --csv -f 2 --reset-gap=1-2:3 < <(echo 1,2)
	assert_equal "$code $err" '2 pscan: --reset-gap: "1-2" is not one field or two (see --help=reset-gap)'
	run_pscan --format=binary -c 2 -g 1:day -f 2 </dev/zero
	assert_equal "$code $err" '2 pscan: -g 1:day: units of time of binary columns: not supported yet (see LIMITS in man pscan)'
	run_pscan --csv -g time:quarter -f n < <(printf 'time,n\n2024-05-01,1\n')
	[ "$code" -gt 0 ]
}

@test "a first number that may be a year, a month, a time of day or ticks is refused; one further down is a number" {
	local part='the value may be a year, a month or a time of day, or seconds (write 2024-05-01 12:30, or leave out the unit)'
	local ticks='the value may be ticks of Windows or .NET, or nanoseconds (write 2024-05-01 12:30)'
	# first MESSAGE OPTION TIME...: each is refused as the first value.
	first() {
		for time in "${@:3}"; do
			run_pscan "$2" -f 2 < <(printf '%s 1\n%s 1\n' "$time" "$time")
			assert_equal "$time: $code $out$err" "$time: 1 pscan: standard input: line 1, field 1: ${2%%[ =]*}: $1"
		done
	}
	first "$part" --reset-on=1:year 1000 1850.042 1900 2024 +2024 2.024e3 2199 2999 100001 202410 202412.5 299912 0930 00 093000 007 -0930
	first "$part" --reset-on=1:hour 2359 0001
	first "$ticks" --reset-gap=1:30s 120000000000000000 133485408000000000 139999999999999999 620000000000000000 638400000000000000 659999999999999999
	first "$ticks" --window=1:30s 133485408000000000
	first "$ticks" --reset-on=1:day 133485408000000000
	run_pscan -g 1:year -f 2 --total < <(printf '2024 1\n2025 1\n')
	assert_equal "$code $out$err" "1 pscan: standard input: line 1, field 1: -g: $part"
	# Elapsed seconds: only the first one may be in doubt, in whatever chunk or file the others are.
	assert_equal "$(keys hour 0 12.5 3600 1950 7200 202410)" '1970-01-01T00 1970-01-01T01 1970-01-01T02 1970-01-03T08'
	assert_equal "$(keys hour 999 3000 100000 100013 299913 0930)" '1970-01-01T00 1970-01-02T03 1970-01-04T11'
	assert_equal "$(keys year -2024 -202410 0.5)" '1969 1970'
	for time in 999 3000 100000 100013 202400 299913; do
		assert_equal "$time: $(keys year "$time")" "$time: 1970"
	done
	echo 0.25 1 >zero
	for time in 1950 202410 0930; do
		echo "$time 1" >next
		run_pscan --chunk-size=1 -g 1:year -f 2 --total zero next
		assert_equal "$code $out$err" '0 1970 2'
		rm -f S
		run_pscan --state=S -g 1:year -f 2 zero
		run_pscan --state=S -g 1:year -f 2 next
		assert_equal "$code $out$err" '0 1970 2'
	done
	echo 119999999999999999 1 >early
	echo 133485408000000000 1 >later
	run_pscan --chunk-size=1 --reset-gap=1:30s -f 2 early later
	assert_equal "$code $err$(paste -sd ' ' <<<"$out")" '0 1 1'
	run_pscan --chunk-size=1 --reset-gap=1:30s -f 2 zero later
	assert_equal "$code $err" '1 pscan: later: line 1, field 1: --reset-gap: the value is in nanoseconds, and the first value is in seconds'
	# A clock without a calendar has no years, and a length without a unit no ticks.
	gives '1950 1\n1970 1\n2024 1\n' '1\n2\n1\n' --reset-gap=1:30s -f 2
	gives '0930 1\n0931 1\n' '1\n2\n' --window=1:30s -f 2
	gives '133485408000000000 1\n133485408000000001 1\n' '1\n2\n' --reset-gap=1:2 -f 2
	perl -e 'print pack("q<*", 133485408000000000, 1, 133485408000000001, 1)' >in.bin
	run_pscan --format=binary -t i64 -c 2 --reset-gap=1:30s -f 2 --output-format=text in.bin
	assert_equal "$code $out" '1 '
	assert_contains "$err" "--reset-gap: $ticks"
}

@test "one clock in each field, also where chunks or runs of --state end between two" {
	echo 1714521600 >first
	echo 1714521600000 >second
	run_pscan -g 1:day -f 1 --total first second
	assert_equal "$code $err" '1 pscan: second: line 1, field 1: -g: the value is in milliseconds, and the first value is in seconds'
	run_pscan --reset-on=1:year -f 1 --total first second
	assert_equal "$code $err" '1 pscan: second: line 1, field 1: --reset-on: the value is in milliseconds, and the first value is in seconds'
	printf '%s\n' '2024-05-01 1714521600' '2024-05-02 1714521601' >both
	run_pscan --chunk-size=1 -g 1:day,2:second -f 2 both
	assert_equal "$(cut -d ' ' -f 1,2 out | paste -sd ' ')" '2024-05-01 2024-05-01T00:00:00 2024-05-02 2024-05-01T00:00:01'
	run_pscan --state=S -g 1:day -f 2 < <(echo 1714521600 1)
	run_pscan --state=S -g 1:day -f 2 < <(echo 1714521601 2)
	assert_equal "$(cat out)$err" '2024-05-01 3'
	run_pscan --state=S -g 1:day -f 2 < <(echo 1714521601000 2)
	assert_equal "$code $err" '1 pscan: standard input: line 1, field 1: -g: the value is in milliseconds, and the first value is in seconds'
	run_pscan --state=S -g 1:month -f 2 < <(echo 1714521601 2)
	assert_equal "$code" 2
}

@test "units of time by a model: every cut, keys, resets, totals, chunks of any size" {
	run "$PYTHON" "$TOOLS/units_model.py" 2026 "$(cases 200)"
	assert_equal "$output" "$(cases 200) cases, 0 wrong"
}

# bats test_tags=long
@test "the same, a hundred thousand of them" {
	[ -z "${ASAN_OPTIONS-}${TSAN_OPTIONS-}" ] || skip 'too long under sanitizers'
	run "$PYTHON" "$TOOLS/units_model.py" 7 100000
	assert_equal "$output" '100000 cases, 0 wrong'
}

csv='time,k,n\n2024-02-28T23:30:00,a,1\n2024-02-29T00:15:00,b,5\n2024-02-29T00:29:59.9,a,2.5\n2024-02-29T00:30:00,a,4\n2024-03-01T00:30:00,b,3\n'

@test "a window by time holds the records less than N before its own" {
	gives "$csv" 'n_sum,n_max,n_count\n1,1,1\n6,5,2\n8.5,5,3\n11.5,5,3\n3.0,3,1\n' --csv --window=time:1h -f n -op sum,max,count
	gives "$csv" 'n_first,n_last,n_lag\n1,1,\n5,5,\n2.5,2.5,\n2.5,4,2.5\n3,3,\n' --csv --window=time:1d -f n -op first,last,lag --reset-on=k
	gives "$csv" 'k,n_sum\na,1\nb,5\na,3.5\na,6.5\nb,3\n' --csv --window=time:1h -g k -f n
	gives "$csv" 'k,n_sum\na,1\nb,5\na,3.5\na,7.5\nb,8\n' --csv --window=time:2d -g k -f n
	gives "$csv" 'n_min\n1\n1\n1\n2.5\n3\n' --csv --window=time:60m -f n -op min
	gives "$csv" 'n_mean\n1\n3\n2.8333333333333335\n3.8333333333333335\n3\n' --csv --window=time:1h -f n -op mean -t f64
	gives "$csv" 'n_argmax\n0\n1\n1\n1\n4\n' --csv --window=time:0.999h -f n -op argmax
	gives "$csv" 'n_sum\n6\n8.5\n11.5\n' --csv --window=time:1h -f n --min-count=2
	gives "$csv" 'a,1\nb,5\na,6.5\nb,3\n' --csv --window=time:1h -f n --total --reset-on=k
}

@test "windows of times that stand still, of any number, of records between blanks, of logs and of JSON" {
	gives '1 1\n1 2\n1 3\n2 4\n2.5 5\n' '1\n3\n6\n10\n9\n' --window=1:1.5 -f 2
	gives '-5 1\n-4 2\n0 3\n' '1\n3\n3\n' --window=1:2 -f 2
	gives '2024-05-01 10:00 1\n2024-05-01 10:29 2\n2024-05-01 10:30 3\n' '1\n3\n5\n' --window=1+2:30m -f 3
	gives '{"n":1,"t":1714521600}\n{"t":1714525199,"n":2}\n{"t":1714525200,"n":3}\n' '{"n_sum":1}\n{"n_sum":3}\n{"n_sum":5}\n' --json --window=t:1h -f n
	gives 't=2024-05-01T10:00:00Z n=1\nn=2 t="2024-05-01 12:00:00+02:00"\n' '1\n3\n' --logfmt --window=t:1s -f n
	log='::1 - - [10/Oct/2000:13:55:36 -0700] "GET / HTTP/1.0" 200 5\n::1 - - [10/Oct/2000:22:00:00 +0100] "GET / HTTP/1.0" 200 7\n'
	gives "$log" '5\n12\n' --log --window=time:5m -f bytes
	gives "$log" '5\n7\n' --log --window=time:4m -f bytes
	gives "$log" '1\n2\n' --log --window=time:1d -op count
	printf "$csv" | gzip >in.gz
	run_pscan --csv --window=time:1h -f n in.gz
	assert_equal "$(paste -sd ' ' out) $err" 'n_sum 1 6 8.5 11.5 3.0 '
	perl -e 'print pack("d<*", 1, 10, 2, 20, 5, 40)' >in.bin
	run_pscan --format=binary -t f64 -c 2 --window=1:2 -f 2 --output-format=text in.bin
	assert_equal "$(paste -sd ' ' out) $err" '10 30 40 '
}

@test "exclusive windows by time, and records without a number" {
	gives "$csv" 'n_sum,n_max,n_count\n0,-inf,0\n1,1,1\n6,5,2\n7.5,5,2\n0,-inf,0\n' --csv --window=time:1h -f n -op sum,max,count -e
	gives "$csv" '3.0\n' --csv --window=time:1h -f n -e --total
	gives "$csv" 'n_lag\n1\n5\n' --csv --window=time:1h -f n -op lag -e
	lacks='t,n\n1,1\n2,\n3,3\n4,NA\n9,5\n'
	gives "$lacks" 't,n,n_sum\n1,1,1\n2,,\n3,3,4\n4,NA,\n9,5,5\n' --csv --window=t:3 -f n -a --missing=skip
	gives "$lacks" 't,n,n_sum\n1,1,1\n2,,\n3,3,4\n4,NA,NA\n9,5,5\n' --csv --window=t:3 -f n -a --missing=keep
	gives "$lacks" 't,n,n_sum\n1,1,1\n2,,1\n3,3,4\n4,NA,4\n9,5,5\n' --csv --window=t:3 -f n -a --missing=hold
	gives "$lacks" 't,n,n_sum\n1,1,0\n2,,\n3,3,1\n4,NA,NA\n9,5,0\n' --csv --window=t:3 -f n -a --missing=keep -e
	gives "$lacks" 't,n,n_argmax\n1,1,0\n2,,\n3,3,2\n4,NA,NA\n9,5,4\n' --csv --window=t:3 -f n -a --missing=keep -op argmax
}

@test "what a window by time cannot be is said" {
	falls() {
		assert_equal "$code $err" "1 pscan: in: line $1: --window: the time is before that of an earlier line$2 (sort them by time)"
	}
	printf '1 a 1\n3 b 2\n2 a 3\n3 a 4\n1 b 5\n' >in
	run_pscan --window=1:2 -f 3 in
	falls '3, field 1' ''
	assert_equal "$(paste -sd ' ' out)" '1 2'
	run_pscan --window=1:2 -g 2 -f 3 in
	falls '5, field 1' ' with the same key'
	assert_equal "$(paste -sd ' ' out)" 'a 1 b 2 a 4 a 7'
	run_pscan --window=1:2 -g 2 --reset-on=1 -f 3 -t i64 in
	assert_equal "$code $(paste -sd ' ' out) $err" '0 a 1 b 2 a 3 a 4 b 5 '
	for options in '--window=t:0' '--window=t:0s' '--window=t:-1' '--window=t:' '--window=:5' '--window=t:5w' '--window=t' '--window=1-2:5'; do
		run_pscan -f 2 $options in
		assert_equal "$code" 2
		assert_contains "$err" --window
	done
	refuses() {
		run_pscan -f 3 --window=1:2 "$@" in
		assert_equal "$code" 2
		assert_contains "$err" 'not supported yet (see LIMITS in man pscan)'
	}
	refuses --state=S
	refuses -e --missing=hold
	refuses -op a+b
	run_pscan --window=1:2 in
	assert_equal "$code $err" '2 pscan: --window=FIELD:N needs -f, the field of the numbers (only -op count works without) (see --help=window)'
	run_pscan --csv --window=t:1h -f n < <(printf 't,n\n2024-05-01,1\n')
	assert_equal "$code $err" '1 pscan: standard input: line 2, field 1: "2024-05-01" has no time of day (two fields? --window=1+2:1h)'
	# Without a unit a length is seconds: the message gives the window that is meant.
	run_pscan --csv --window=t:7 -f n < <(printf 't,n\n2024-05-01,1\n')
	assert_equal "$code $err" '1 pscan: standard input: line 2, field 1: "2024-05-01" has no time of day (7 is seconds; days? 7d; two fields? --window=1+2:7)'
	run_pscan --json --window=t:7 -f n < <(echo '{"t":"2024-05-01","n":1}')
	assert_equal "$code $err" '1 pscan: standard input: line 1, field "t": "2024-05-01" has no time of day, which --window=...:7 needs (7 is seconds; days? 7d)'
	gives 't,n\n2024-05-01,1\n2024-05-08,2\n2024-05-09,4\n' 'n_sum\n1\n2\n6\n' --csv --window=t:7d -f n
	run_pscan --csv --window=t:1h -f n < <(printf 't,n\nx,1\n')
	assert_equal "$code $err" '1 pscan: standard input: line 2, field 1: neither a number nor a time: "x" (see --window)'
	run_pscan --csv --window=t:1h -f n < <(printf 't,n\n1714521600,1\n1714521600000,1\n')
	assert_equal "$code $err" '1 pscan: standard input: line 3, field 1: --window: "1714521600000" is in milliseconds, and the first value is in seconds'
	run_pscan --csv --window=u:1h -f n < <(printf 't,n\n1714521600,1\n')
	assert_equal "$code" 1
	assert_contains "$err" 'no field is called "u"'
}

@test "windows by time by a model: keys, resets, missing numbers, exclusive ones; the bits of floats; times that fall" {
	for what in 'tables 60' 'order 40' 'bits 12'; do
		# shellcheck disable=SC2086 # two words
		set -- $what
		run "$PYTHON" "$TOOLS/windows_by_time.py" "$1" 2026 "$(cases "$2")"
		assert_equal "$1: $output" "$1: $(cases "$2") cases, 0 wrong"
	done
}

# bats test_tags=long
@test "the same, thousands of them" {
	[ -z "${ASAN_OPTIONS-}${TSAN_OPTIONS-}" ] || skip 'too long under sanitizers'
	for what in tables bits order; do
		run "$PYTHON" "$TOOLS/windows_by_time.py" $what 7 10000
		assert_equal "$what $output" "$what 10000 cases, 0 wrong"
	done
}
