#!/usr/bin/env bats
# Lines that name their fields: --json and --logfmt.
# shellcheck disable=SC1091,SC2016,SC2154
load helper

setup() {
	export PSCAN_DEVICE=none
	cd "$TMP" || return
}

# gives INPUT EXPECTED OPTION...: printf's INPUT is scanned without a word, and EXPECTED (printf's, too) comes out.
gives() {
	# shellcheck disable=SC2059 # formats
	printf "$1" >"$TMP/in"
	# shellcheck disable=SC2059
	printf "$2" >"$TMP/expected"
	shift 2
	run_pscan "$@" "$TMP/in"
	assert_equal "$*: $code $err" "$*: 0 "
	cmp "$TMP/expected" "$TMP/out"
}

# fails INPUT OUTPUT MESSAGE OPTION...: bad data, after OUTPUT (its lines joined by blanks).
fails() {
	local input=$1 output=$2 message=$3
	shift 3
	# shellcheck disable=SC2059
	run_pscan "$@" < <(printf "$input")
	assert_equal "$*: $code ${out//$'\n'/ }" "$*: 1 $output"
	assert_equal "$err" "pscan: standard input: $message"
}

# refuses MESSAGE OPTION...: a usage error.
refuses() {
	local message=$1
	shift
	# The message begins with the option.
	local option=${message%%[:=, ]*}
	run_pscan "$@" </dev/null
	assert_equal "$*: $code $out $err" "$*: 2  pscan: $message (see --help=${option#--})"
}

# --- --json ---------------------------------------------------------------------------------------------------------

@test "members are found by name, path and pointer, and results are objects" {
	gives '{"a":1}\n{"a":2.5}\n' '{"a_sum":1}\n{"a_sum":3.5}\n' --json -f a
	gives '{"a":1,"b":{"c":[5,{"d":7}]}}\n' '{"a_sum":1,"a_max":1,"b.c.0_sum":5,"b.c.0_max":5,"/b/c/1/d_sum":7,"/b/c/1/d_max":7}\n' \
		--json -f a,b.c.0 -f /b/c/1/d -op sum,max
	# Names with dots, slashes and tildes, empty ones and such as are numbers.
	gives '{"a.b":1,"c/d":2,"e~f":3,"":{"":4},"5":6,"7-8":9}\n' \
		'{"/a.b_sum":1,"/c~1d_sum":2,"/e~0f_sum":3,"/a_sum":0,"///_sum":0,"5_sum":6,"7-8_sum":9}\n' \
		--json -f /a.b,/c~1d,/e~0f,/a,///,5,7-8 --missing=zero
	gives '{"":{"":4}}\n' '{"//_sum":4}\n' --json -f //
	# An index has no zero in front, and an object may have it as a name.
	gives '{"a":[1,2],"b":{"1":3}}\n' '{"a.1_sum":2,"a.01_sum":0,"b.1_sum":3}\n' --json -f a.1,a.01,b.1 --missing=0
}

@test "escapes in names and values mean the characters that they say" {
	gives '{"\\u0041":1}\n{"A":2}\n{"\\u0041\\u0041":5,"A":3}\n' '{"A_sum":1}\n{"A_sum":3}\n{"A_sum":6}\n' --json -f A
	gives '{"\\ud83d\\ude00\\u00e9\\/":1}\n' '{"😀é/_sum":1}\n' --json -f '😀é/'
	gives '{"a":"\\u0031\\u002e5"}\n{"a":"N\\/A"}\n{"a":"1"}\n' '{"a_sum":1.5}\n{"a_sum":2.5}\n' --json -f a --missing=skip
	gives '{"a\\"b":1}\n' '{"a\\"b_sum":1}\n' --json -f 'a"b'
}

@test "a mark is what a string says, not how it is written" {
	local said
	for said in '\\n' '\\t' '\\r'; do
		fails "{\"a\":1}\n{\"a\":\"$said\"}\n" '{"a_sum":1}' "line 2, field \"a\": not a number: \"$said\" (another field? see -f)" --json -f a --missing=zero
		fails "a=1\na=\"$said\"\n" 1 "line 2, field \"a\": not a number: \"$said\" (another field? see -f)" --logfmt -f a --missing=zero
	done
	# Four texts, of which two say a newline, and two marks.
	gives '{"a":"\\n"}\n{"a":"\\u000a"}\n{"a":"\\\\N"}\n{"a":"\\u004eA"}\n{"a":"\\\\n "}\n{"a":"z"}\n' \
		'{"n":1,"d":1}\n{"n":2,"d":1}\n{"n":3,"d":2}\n{"n":4,"d":3}\n' --json -f a -t text -op count,distinct --as=n,d --missing=skip
	gives 'a="\\n"\na="\\\\N"\na=\\N\na=z\n' '1 1\n2 2\n' --logfmt -f a -t text -op count,distinct --missing=skip
	# Own marks, too.
	gives '{"a":"x\\n"}\n{"a":"x\\\\n"}\n{"a":"\\u0078\\\\n"}\n' '{"n":1}\n' --json -f a -t text -op count --as=n --missing=skip --missing-marks='x\n'
	gives 'a="x\\n"\na="x\\\\n"\na=x\\n\n' '1\n' --logfmt -f a -t text -op count --missing=skip --missing-marks='x\n'
	# The first record shows by what it says whether there are texts.
	gives '{"a":"\\n"}\n{"a":"z"}\n' '{"a_last":"\\n"}\n{"a_last":"z"}\n' --json -f a -op last
	gives '{"a":"\\u004eA"}\n{"a":1.50}\n' '{"a_last":1.50}\n' --json -f a -op last --missing=skip
	# A string is not the null of JSON.
	gives '{"a":"null"}\n{"a":null}\n{"a":"x"}\n' '{"a_last":"null"}\n' --json -f a -t text -op last --missing=skip --missing-marks=x
	fails '{"a":1}\n{"a":"null"}\n' '{"a_sum":1}' 'line 2, field "a": not a number: "null" (a missing number? see --missing-marks)' \
		--json -f a --missing=zero --missing-marks=x
	gives '{"a":"null"}\n{"a":"z"}\n' '{"a_last":"null"}\n{"a_last":"z"}\n' --json -f a -op last --missing-marks=x
}

@test "of members of one name the last one counts" {
	gives '{"a":1,"a":2}\n{"a":3,"\\u0061":null}\n{"a":5}\n' '{"a_sum":2}\n{"a_sum":7}\n' --json -f a --missing=skip
	gives '{"a":{"b":1},"a":{}}\n{"a":{"b":1},"a":3}\n{"a":{"b":1},"a":{"b":4}}\n' '{"a.b_sum":4}\n' --json -f a.b --missing=skip
	gives '{"a":1,"a":2}\n' '{"a":1,"a":3}\n' --json -f a --replace --seed=1
}

@test "-a adds members and every other byte stays" {
	gives '{"a":1}\r\n { "a" : 2 , "b" : [ { } ] }\t\n\n{}\n' \
		'{"a":1,"a_sum":1}\r\n { "a" : 2 , "b" : [ { } ],"a_sum":3 }\t\n\n{"a_sum":null}\n' --json -f a -a --missing=skip
	gives '{ }\n{"b":1}' '{"n":5 }\n{"b":1,"n":10}\n' --json -f a -a --missing=5 --as=n
	gives '\357\273\277{"a":1}\n' '\357\273\277{"a":1,"x, \\"y\\"":1}\n' --json -f a -a --as='x, "y"'
	gives '{"a":1}\n# no JSON\n{"a":2}\n' '{"a":1,"s":1,"m":1}\n# no JSON\n{"a":2,"s":3,"m":2}\n' --json -f a -a -op sum,max --as=s,m --comment='#'
}

@test "--replace puts numbers in the values' places, whatever their order" {
	gives '{"b":1,"a":10}\n{"a":20,"x":0,"b":"2"}\n' '{"b":1,"a":10}\n{"a":30,"x":0,"b":3}\n' --json -f a,b --replace
	gives '{"a":{"b":[7,8]}}\n{"a":{"b":[1, 2 ]}}\n{}\n' '{"a":{"b":[7,8]}}\n{"a":{"b":[1, 10 ]}}\n{}\n' --json -f a.b.1 --replace --missing=skip
	gives '{"a":5}\n{"a":null}\n{"a":"NA"}\n' '{"a":5}\n{"a":5}\n{"a":5}\n' --json -f a --replace --missing=hold
	fails '{"a":5}\n{"b":1}\n' '{"a":5}' 'line 2, field "a": not in the line, so nothing can be replaced: "{\"b\":1}" (see --missing=skip)' \
		--json -f a --replace --missing=zero
}

@test "null, absent members and strings that are marks are missing" {
	local line
	for line in '{"a":null}' '{"a":"NA"}' '{"a":""}'; do
		gives "{\"a\":1}\n$line\n{\"a\":2}\n" '{"a_sum":1}\n{"a_sum":3}\n' --json -f a --missing=skip
		gives "{\"a\":1}\n$line\n{\"a\":2}\n" '{"a_sum":1}\n{"a_sum":1}\n{"a_sum":3}\n' --json -f a --missing=hold
		gives "{\"a\":1}\n$line\n{\"a\":2}\n" "{\"a_sum\":1}\n{\"a_sum\":${line#*:}\n{\"a_sum\":3}\n" --json -f a --missing=keep
	done
	gives '{"b":1}\n{"a":2}\n' '{"a_sum":null}\n{"a_sum":2}\n' --json -f a --missing=keep
	gives '{"a":null}\n{"a":"?"}\n{"a":2}\n' '{"a_sum":2}\n' --json -f a --missing=skip --missing-marks='?'
	fails '{"a":1}\n{"a":null}\n' '{"a_sum":1}' 'line 2, field "a": missing: "null" (see --missing=skip, --missing=0)' --json -f a
	fails '{"a":1}\n{"b":2}\n' '{"a_sum":1}' 'line 2, field "a": not in the line: "{\"b\":2}" (see --missing)' --json -f a
	fails '{"b":2}\n' '' 'line 1, field "a": not in the line: "{\"b\":2}" (see -f, --missing)' --json -f a
}

@test "any other value is no number" {
	local value
	for value in true false '"x"' '[1]' '{"b":1}' '"1,5"'; do
		run_pscan --json -f a < <(printf '{"a":1}\n{"a":%s}\n' "$value")
		assert_equal "$code $out" '1 {"a_sum":1}'
		assert_contains "$err" 'line 2, field "a": not a number: "'
		gives "{\"a\":1}\n{\"a\":$value}\n{\"a\":2}\n" '{"a_sum":1}\n{"a_sum":3}\n' --json -f a --invalid=ignore
	done
	fails '{"a":1}\n{"a":2.5}\n' '{"a_sum":1}' 'line 2, field "a": not an integer: "2.5" (see -t)' --json -f a -t i32
	fails '{"a":1,"b":1}\n{"a":1,"b":9223372036854775807}\n' '{"a_sum":1,"b_sum":1}' \
		'line 2, field "b": the sum does not fit i64 (see -t num, -t i64:f64, --overflow=wrap)' --json -f a,b -t i64
}

@test "keys are what values say, of each kind for itself" {
	gives '{"k":"a","n":1}\n{"k":"\\u0061","n":2}\n{"k":"b","n":3}\n' '{"k":"a","n_sum":1}\n{"k":"a","n_sum":3}\n{"k":"b","n_sum":3}\n' --json -g k -f n
	gives '{"k":"a","n":1}\n{"k":"\\u0061","n":2}\n{"k":1,"n":3}\n{"k":"1","n":4}\n{"k":null,"n":5}\n{"n":6}\n{"k":true,"n":7}\n{"k":[1],"n":8}\n{"k":"x\\ud800\\n\\"","n":9}\n' \
		'{"k":"a","n_sum":3}\n{"k":1,"n_sum":3}\n{"k":"1","n_sum":4}\n{"k":null,"n_sum":5}\n{"n_sum":6}\n{"k":true,"n_sum":7}\n{"k":[1],"n_sum":8}\n{"k":"x\\ud800\\n\\"","n_sum":9}\n' \
		--json -g k -f n --total
	gives '{"k":"a","l":"x","n":1}\n{"l":"\\u0078","k":"a","n":2}\n{"k":"ax","l":"","n":3}\n' \
		'{"k":"a","l":"x","n_sum":3}\n{"k":"ax","l":"","n_sum":3}\n' --json -g k,l -f n --total
	gives '{"k":"a"}\n{"k":"b"}\n{"k":"a"}\n' '{"k":"a","count":2}\n{"k":"b","count":1}\n' --json -g k -op count --total
	fails '{"n":1}\n' '' 'line 1, field "k": not in the line: "{\"n\":1}" (see -g)' --json -g k -f n
	fails '{"k":"a","n":9223372036854775807}\n{"k":"a","n":1}\n' '{"k":"a","n_sum":9223372036854775807}' \
		'line 2, field "n": key "\"a\"": the sum does not fit i64 (see -t num, -t i64:f64, --overflow=wrap)' --json -g k -f n -t i64
}

@test "scans begin anew where members change or times are apart" {
	gives '{"d":"m","n":1}\n{"n":2,"d":"\\u006d"}\n{"d":"t","n":3}\n' '{"n_sum":1}\n{"n_sum":3}\n{"n_sum":3}\n' --json --reset-on=d -f n
	gives '{"d":"m","n":1}\n{"n":2,"d":"\\u006d"}\n{"d":"t","n":3}\n' '{"d":"m","n_sum":3}\n{"d":"t","n_sum":3}\n' --json --reset-on=d -f n --total
	gives '{"t":"2024-01-01T00:00:00Z","n":1}\n{"t":"2024-01-01T00:29:59Z","n":2}\n{"t":"2024-01-01T00:59:59Z","n":4}\n' \
		'{"n_sum":1}\n{"n_sum":3}\n{"n_sum":4}\n' --json --reset-gap=t:30m -f n
	gives '{"t":{"s":1},"n":1}\n{"t":{"s":"5"},"n":2}\n{"t":{"s":15.5},"n":4}\n' '{"n_sum":1}\n{"n_sum":3}\n{"n_sum":4}\n' --json --reset-gap=t.s:10 -f n
}

@test "what is written is JSON: not finite, absent and formatted results" {
	gives '{"a":1e308}\n{"a":1e308}\n' '{"a_sum":1e+308}\n{"a_sum":null}\n' --json -f a -t f64
	gives '{"a":"inf"}\n{"a":"-inf"}\n' '{"a_sum":null,"a_std":null}\n{"a_sum":null,"a_std":null}\n' --json -f a -t f64 -op sum,std
	local format
	for format in %f %F %e %E %G %+F %09F '% G'; do
		gives '{"a":"inf"}\n{"a":"nan"}\n' '{"a_last":null}\n{"a_last":null}\n' --json -f a -t f64 -op last -F "$format"
		gives '{"a":"-inf"}\n' '{"a_last":null}\n' --json -f a -t f64 -op last -F "$format"
	done
	gives '{"a":1}\n{"a":3}\n' '{"a_sum":1,"a_lag":null}\n{"a_sum":4,"a_lag":1}\n' --json -f a -op sum,lag
	gives '{"a":1}\n{"a":3}\n' '{"a":1,"a_lag":null}\n{"a":3,"a_lag":1}\n' --json -f a -op lag -a
	gives '{"a":1}\n' '{"a_sum":1.00}\n' --json -f a -F %.2f
	gives '{"a":1}\n' '{"a_sum":"001"}\n' --json -f a -F %03d
	gives '{"a":1}\n' '{"a":1,"a_sum":"$1.0 \\"é\\""}\n' --json -f a -F '$%.1f "é"' -a
	gives '{"a":1}\n' '{"a":"+1"}\n' --json -f a -F %+d --replace
	gives '' '{"a_sum":0}\n' --json -f a --total
	gives '' '{"a_max":null}\n' --json -f a --total -op max
	gives '{"a":1}\n' '{"a_sum":0}\n{"a_sum":1}\n' --json -f a --include-initial
	gives '{"a":1}\n{"a":2}\n' '{"a_sum":0}\n{"a_sum":1}\n' --json -f a -e
	gives '{"a":1,"b":2}\n' '{"t":3}\n' --json -f a -f b --as=t -op linrec -t f64 --seed=1
}

@test "results of JSON as raw numbers" {
	need_same_byte_order
	gives '{"a":258}\n{"a":-1}\n' '\002\001\377\377' --json -f a -t i16 -op last --output-format=binary
}

@test "JSON is read as RFC 8259 has it, and what is wrong has its line and column" {
	run timeout 3600 "$PYTHON" "$TOOLS/json_cases.py" "$PSCAN"
	assert_equal "$status $output" "0 46 105"
}

@test "the files of JSONTestSuite are read as their names say" {
	need_data
	[ -d "$DATA/JSONTestSuite" ] || skip "no JSONTestSuite in PSCAN_DATA_DIR"
	"$PYTHON" "$TOOLS/json_suite.py" "$PSCAN" "$DATA/JSONTestSuite" >counts
	awk '$1 < 90 || $3 < 180 || $5 < 20 { exit 1 }' counts
}

@test "lines that are no objects: a message, a warning or nothing" {
	fails '{"a":1}\n{"a":2,}\n' '{"a_sum":1}' 'line 2, column 8: a name in quotes is missing in JSON: "}"' --json -f a
	fails '{"a":1}\n{"é":"\\x"}\n' '{"a_sum":1}' 'line 2, column 7: an escape that JSON does not have: "\\x\"}"' --json -f a
	fails '{\n"a":1}\n' '' 'line 1, column 2: JSON ends too early (one object per line? jq -c .): "{"' --json -f a
	run_pscan --json -f a,b --invalid=warn < <(printf '{"a":1,"b":2}\n[]\n12\n{"a":3,"b":4}\n')
	assert_equal "$code ${out//$'\n'/ }" '0 {"a_sum":1,"b_sum":2} {"a_sum":4,"b_sum":6}'
	assert_equal "$err" 'pscan: warning: standard input: line 2, column 1: not a JSON object: "[]"
pscan: warning: standard input: line 3, column 1: not a JSON object: "12"'
	run_pscan --json -f a --invalid=fail -a < <(printf '{"a":1}\n{"a":x}\n{"a":3}\n')
	assert_equal "$code ${out//$'\n'/ }" '1 {"a":1,"a_sum":1} {"a":x} {"a":3,"a_sum":4}'
	assert_equal "$err" 'pscan: warning: standard input: line 2, column 6: not a JSON value: "x}"'
	gives '{"k":"a","n":1}\nnull\n{"k":"a","n":2}\n' '{"k":"a","count":2}\n' --json -g k -op count --total --invalid=ignore
}

@test "1024 levels are enough, and no more are taken" {
	"$PYTHON" -c 'print("{\"a\":" + "[" * 1023 + "]" * 1023 + ",\"b\":1}\n{\"b\":2,\"a\":" + "[" * 1024 + "]" * 1024 + "}")' >in
	run_pscan --json -f b in
	assert_equal "$code $out" '1 {"b_sum":1}'
	assert_contains "$err" 'line 2, column 1035: JSON more than 1024 levels deep: "['
	"$PYTHON" -c 'print("{\"a\":" + "[" * 1000000)' >in
	run_pscan --json -f b in
	assert_equal "$code" 1
	assert_contains "$err" 'column 1029: JSON more than 1024 levels deep'
	# Paths may be as deep.
	"$PYTHON" -c 'print("{\"a\":" * 1024 + "7" + "}" * 1024)' >in
	run_pscan --json -f "$("$PYTHON" -c 'print("/a" * 1024)')" --as=n in
	assert_equal "$code $out" '0 {"n":7}'
}

@test "the names of the line before help only where they stand again" {
	local long=a_name_that_is_longer_than_those_that_are_kept
	printf '%s\n' '{"a":1,"b":2,"c":3}' '{"a":1,"c":5,"b":7}' '{"b":4,"a":1}' '{"a": 1,"b" :2 , "c": 9}' '{"a":1,"b":  6}' \
		'{"b\u0062":0,"\u0062":8}' '{"b\u0062":0,"\u0062":10}' '{"b":{"b":3},"a":1}' "{\"$long\":1,\"b\":1}" \
		"{\"${long}_b\":1,\"b\":2}" '{"a":1,"b":1}' '{"a": 1,"b": 5}' >in
	assert_equal "$("$PSCAN" --json -f b --missing=skip --invalid=ignore in | tr -dc '0-9\n' | paste -sd ' ')" '2 9 13 15 21 29 39 40 42 43 48'
	assert_equal "$("$PSCAN" --json -f b.b,a,c --missing=zero in | tr -dc '0-9,\n' | tail -n 1)" 3,8,17
	run_pscan --json -f b < <(printf '%s\n' '{"a":1,"b":2}' '{"a":1,"b"2}')
	assert_equal "$code $out" '1 {"b_sum":2}'
	assert_contains "$err" 'a colon is missing in JSON'
}

@test "random lines of JSON are scanned as Python scans them" {
	run timeout 3600 "$PYTHON" "$TOOLS/json_lines.py" "$PSCAN" 1 "$(cases 150)"
	assert_equal "$status $output" "0 $(cases 150)"
}

# bats test_tags=long
@test "many random lines of JSON are scanned as Python scans them" {
	run timeout 1500 "$PYTHON" "$TOOLS/json_lines.py" "$PSCAN" 2 2000
	assert_equal "$status $output" "0 2000"
}

@test "many fields are found among many members" {
	"$PYTHON" - <<-'END' >in
		import json
		for line in range(50):
		    print(json.dumps({f"f{i}": {"x": i * line} for i in range(line % 2 * 300, 300 + line % 2 * 300)}))
	END
	run_pscan --json --missing=skip -f "$("$PYTHON" -c 'print(",".join(f"f{i}.x" for i in range(0, 600, 7)))')" --total in
	"$PYTHON" - <<-'END' >expected
		import json
		print(json.dumps({f"f{i}.x_sum": sum(i * line for line in range(50) if (i >= 300) == (line % 2 == 1)) for i in range(0, 600, 7)},
		                 separators=(",", ":")))
	END
	assert_equal "$code $err" "0 "
	cmp expected "$TMP/out"
}

@test "lines of JSON come from gzip and several files, and go on as they come" {
	printf '{"a":1}\n{"a":2}' | gzip >one.gz
	printf '\357\273\277{"a":3}\n' >two
	run_pscan --json -f a one.gz two
	assert_scanned '{"a_sum":1} {"a_sum":3} {"a_sum":6}' files
	run_pscan --json -f a one.gz - two < <(echo '{"a":x}')
	assert_equal "$code ${out//$'\n'/ }" '1 {"a_sum":1} {"a_sum":3}'
	assert_equal "$err" 'pscan: standard input: line 1, column 6: not a JSON value: "x}"'
	mkfifo pipe
	"$PSCAN" --json -f a <pipe >got &
	exec 9>pipe
	printf '{"a":1}\n{"a":2}\n' >&9
	wait_until has_lines got 2
	exec 9>&-
	wait $!
	assert_equal "$(paste -s -d ' ' got)" '{"a_sum":1} {"a_sum":3}'
}

@test "what --json and --logfmt do not go with is refused" {
	local option
	for option in --json --logfmt; do
		run_pscan $option </dev/null
		assert_equal "$code $out$err" "2 pscan: $option needs -f, the field of the numbers (see --help=-f)"
		refuses "$option has no header (its fields have names already): it cannot be combined with -H" $option -f a -H
		refuses "$option has its own delimiters: it cannot be combined with --csv, --tsv or -d" $option -f a --csv
		refuses "$option has its own delimiters: it cannot be combined with --csv, --tsv or -d" $option -f a -d,
		refuses "$option: choose its fields by name, not with -c (see -f)" $option -c 2
		refuses "--log, --logfmt and --json exclude each other" $option -f bytes --log
		refuses "-f: a field is missing" $option -f a,
		run_pscan $option -f a --format=binary </dev/null
		assert_equal "$code" 2
		run_pscan $option -f a,a --replace </dev/null
		assert_equal "$code $err" "2 pscan: --replace: a field is chosen twice (see -f)"
	done
	run_pscan --json -f a.b,/a/b --replace </dev/null
	assert_equal "$code $err" "2 pscan: --replace: a field is chosen twice (see -f)"
	refuses "--log, --logfmt and --json exclude each other" --json --logfmt -f a
	refuses '-f: "/a~2": in a JSON pointer (RFC 6901) write ~0 for ~ and ~1 for /' --json -f /a~2
	refuses '-g: "/~": in a JSON pointer (RFC 6901) write ~0 for ~ and ~1 for /' --json -f a -g /~
	refuses '--as names the results of --json, or of --logfmt with -a' --json -f a --replace --as=x
	refuses '--as names the results of --json, or of --logfmt with -a' --logfmt -f a --as=x
	run_pscan --json -f a,b --as=x </dev/null
	assert_equal "$code $err" "2 pscan: --as: 1 names for 2 results"
}

# --- --logfmt -------------------------------------------------------------------------------------------------------

@test "fields of logfmt are found by their keys" {
	gives 'a=1 b="x y" n=2\nn=3 a=5\n' '1 2\n6 5\n' --logfmt -f a,n
	gives 'a="1" \t b\na=2 b=7\n' '1\n3\n' --logfmt -f a
	gives 'a.b=1 /a=2 5=3\n' '1 2 3\n' --logfmt -f a.b,/a,5
	gives 'm="a=5 \\" a=6" a=1\n' '1\n' --logfmt -f a
	gives 'a=1 m="\\" a=6 \\""\n' '1\n' --logfmt -f a
	gives 'a=1 a=2\n' '2\n' --logfmt -f a
	gives 'url=/x?a=5 a=1\n' '1\n' --logfmt -f a
	gives 'a=1\nb=1\na=\na\na=""\na=-\na=2\n' '1\n3\n' --logfmt -f a --missing=skip
}

@test "-a appends a key and a value, --replace puts a result in a value's place" {
	gives 'a=1 b="x y"\r\nb=2  a="5" \n' 'a=1 b="x y" a_sum=1\r\nb=2  a="5"  a_sum=6\n' --logfmt -f a -a
	gives 'a=1\nb=1\n' 'a=1 s=1 m=1\nb=1 s= m=\n' --logfmt -f a -a -op sum,max --as=s,m --missing=skip
	gives 'a=1 t\nb=1\na="-" x\n' 'a=1 t a_sum=1\nb=1 a_sum=\na="-" x a_sum="-"\n' --logfmt -f a -a --missing=keep
	gives 'a=1 t\na="2" x\nx=1 a=3\n' 'a=1 t\na=3 x\nx=1 a=6\n' --logfmt -f a --replace
	gives 'b=1 a=10\na=20 b=2\n' 'b=1 a=10\na=30 b=3\n' --logfmt -f a,b --replace
	# A key without an equals sign gets one with its result.
	gives 'n=1 a x=2\na\na=\na="" c\n' 'n=1 a=5 x=2\na=10\na=15\na=20 c\n' --logfmt -f a --missing=5 --replace
	gives 'a n=1\nn=1 a=4\n a n\n' 'a=5 n=1\nn=2 a=9\n a=14 n=7\n' --logfmt -f a,n --missing=5 --replace
	gives 'a n=1\nn=1 a=4\n a x\n' 'a n=1\nn=1 a=4\n a=4 x\n' --logfmt -f a --missing=hold --replace
	gives 'a n=1\nn=1 a=4\n a x\n' 'a n=1\nn=1 a=4\n a x\n' --logfmt -f a --missing=keep --replace
	gives 'a=1\n' 'a=1 a_sum="1 s"\n' --logfmt -f a -a -F '%d s'
}

@test "keys of logfmt are what values say" {
	gives 'k="a b" n=1\nn=2 k="a b"\nk=c n=3\nn=4\nk="c" n=5\nk="x\\"\\n" n=6\n' '"a b" 3\nc 8\n"" 4\n"x\\"\\n" 6\n' --logfmt -g k -f n --total
	# An empty key, which a line may also lack, is not the key "-". What is written reads back as that key.
	local keyed='k=a n=0\nk=- n=1\nk= n=2\nk="-" n=4\nn=8\nk="" n=16\nk="\\"\\"" n=32\n'
	gives "$keyed" 'a 0\n- 5\n"" 26\n"\\"\\"" 32\n' --logfmt -g k -f n --total
	gives "$keyed" 'a 0\n- 1\n"" 2\n- 4\n"" 24\n"\\"\\"" 32\n' --logfmt --reset-on=k -f n --total
	gives "$keyed" 'a 0\n- 1\n"" 2\n- 5\n"" 10\n"" 26\n"\\"\\"" 32\n' --logfmt -g k -f n
	gives 'a 0\n- 5\n"" 26\n' 'a 0\n- 5\n"" 26\n' --log -f 2 -g 1 --total
	gives 'h=a\nh=b\nh=a\n' 'a 2\nb 1\n' --logfmt -g h -op count --total
	gives 't=2024-01-01T00:00:00Z n=1\nt="2024-01-01T00:00:09Z" n=2\n' '1\n2\n' --logfmt --reset-gap=t:8s -f n
}

@test "what is no logfmt is named" {
	fails 'a=1\nx a="2\n' 1 'line 2, column 3: a quoted value is not closed in logfmt: "a=\"2"' --logfmt -f a
	fails 'a=1\na="2"x b\n' 1 'line 2, column 6: a blank is missing after a quoted value in logfmt: "x b"' --logfmt -f a
	fails 'a=1\nx =2\n' 1 'line 2, column 3: a key is missing in logfmt: "=2"' --logfmt -f a
	fails 'a=1\na=x\n' 1 'line 2, field "a": not a number: "x" (another field? see -f)' --logfmt -f a
	gives 'a=1\na="2\na=3\n' 'a=1 a_sum=1\na="2\na=3 a_sum=4\n' --logfmt -f a -a --invalid=ignore
}

@test "random lines of logfmt are cut as a regular expression cuts them" {
	"$PYTHON" - "$PSCAN" <<-'END'
		import random, re, subprocess, sys
		from decimal import Decimal
		rng = random.Random(3)
		pair = re.compile(r'([^ \t=]+)(?:=("(?:[^"\\]|\\.)*"(?=[ \t]|$)|(?!")[^ \t]*))?(?:[ \t]+|$)')
		values = ["", "1", "-2.5", '"3"', '"a=4"', '"x \\" a=5 "', "x=y", '"\\\\"', '"é"']
		for case in range(60):
		    lines, want, total, decimals = [], [], Decimal(0), 0
		    for _ in range(rng.choice([1, 30, 300])):
		        pairs = [rng.choice(["a", "a", "b", "ab", "msg", "c"]) + rng.choice(["", *["=" + value for value in values * 3]])
		                 for _ in range(rng.randint(1, 7))]
		        lines.append(rng.choice(["", " "]) + rng.choice([" ", "  ", "\t"]).join(pairs) + rng.choice(["", " "]))
		        rest, value = lines[-1].lstrip(" \t"), ""
		        while rest:
		            match = pair.match(rest)
		            value = (match[2] or "").strip('"') if match[1] == "a" else value
		            rest = rest[match.end():]
		        if not re.fullmatch(r"-?[0-9.]+", value):
		            want.append(lines[-1] + " t=")
		            continue
		        total += Decimal(value)
		        decimals = max(decimals, -Decimal(value).as_tuple().exponent)
		        want.append(lines[-1] + f" t={total:.{decimals}f}")
		    done = subprocess.run([sys.argv[1], "--logfmt", "-f", "a", "-a", "--as=t", "--missing=skip", "--invalid=ignore",
		                           f"-T{rng.randint(1, 4)}", "--chunk-size=1"],
		                          input="".join(line + "\n" for line in lines).encode(), capture_output=True)
		    assert done.returncode == 0 and not done.stderr, done
		    got = done.stdout.decode().splitlines()
		    assert got == want, [pair for pair in zip(got, want) if pair[0] != pair[1]][:2]
	END
}

@test "a key that a record does not have is left out of its result, and null is a value" {
	gives '{"k":null,"v":5}\n{"v":7}\n{"k":"","v":1}\n' '{"k":null,"v_sum":5}\n{"v_sum":7}\n{"k":"","v_sum":1}\n' --json -g k -f v --total
	gives '{"k":null,"j":2,"v":5}\n{"v":7,"j":1}\n{"v":2,"j":1}\n' '{"k":null,"j":2,"v_sum":5}\n{"j":1,"v_sum":9}\n' --json -g k,j -f v --total
}

@test "a name in quotes is that of a member, whatever is in it; so it is with logfmt and --reset-gap" {
	local both='{"a.b":1,"a":{"b":5}}\n{"a.b":2,"a":{"b":6}}\n'
	gives "$both" '{"a.b_sum":1}\n{"a.b_sum":3}\n' --json -f '"a.b"'
	gives "$both" '{"a.b_sum":5}\n{"a.b_sum":11}\n' --json -f a.b
	gives "$both" '{"x":1,"y":5}\n{"x":3,"y":11}\n' --json -f '"a.b",a.b' --as=x,y
	gives "$both" '{"a.b":1,"a":{"b":5}}\n{"a.b":3,"a":{"b":11}}\n' --json -f '"a.b",a.b' --replace
	gives "$both" '{"a.b":1,"n":1}\n{"a.b":2,"n":1}\n' --json -op count -g '"a.b"' --as=n
	gives '{"/x":1,"x":5}\n' '{"/x_sum":1}\n' --json -f '"/x"'
	gives '{"a,b":1,"\\"q":2}\n' '{"a,b_sum":1,"\\"q_sum":2}\n' --json -f '"a,b","""q"'
	gives '{"x":1}\n' '{"x_sum":1}\n' --json -f '"x"'
	gives '{"\\"x":1}\n' '{"\\"x_sum":1}\n' --json -f '"x'
	gives '{"a.b":1,"v":5}\n{"a.b":2,"v":6}\n{"a.b":9,"v":7}\n' '{"n":5}\n{"n":11}\n{"n":7}\n' --json -f v --as=n --reset-gap='"a.b":5'
	gives 'a=1 b.c=2\n' '2\n' --logfmt -f '"b.c"'
	gives 'a+b,n\n1,5\n2,6\n9,7\n' 'n_sum\n5\n11\n7\n' --csv --reset-gap='"a+b":2' -f n
	gives 'd+,t:,n\n2024-01-01,10:00,5\n2024-01-01,10:20,6\n2024-01-01,10:50,7\n' 'n_sum\n5\n11\n7\n' --csv --reset-gap='"d+"+"t:":30m' -f n
	run_pscan --json -f '"a.b"' < <(printf '{"a":{"b":5}}\n')
	assert_equal "$code $err" '1 pscan: standard input: line 1, field "a.b": not in the line: "{\"a\":{\"b\":5}}" (see -f, --missing)'
}

@test "a word that is no number is no header of what names its fields" {
	run_pscan --json -f a < <(echo '{"a":true}')
	assert_equal "$code $err" '1 pscan: standard input: line 1, field "a": not a number: "true" (another field? see -f)'
	run_pscan --logfmt -f a < <(echo 'a=foo')
	assert_equal "$code $err" '1 pscan: standard input: line 1, field "a": not a number: "foo" (another field? see -f)'
}
