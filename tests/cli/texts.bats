#!/usr/bin/env bats
# shellcheck disable=SC2154,SC2030,SC2031 # code, out and err are set by run_pscan
# Texts as elements and results: count, first, last, lag and lag:N.

load helper

setup() {
	export PSCAN_DEVICE=none
	cd "$TMP" || return
}

# texts INPUT WANT OPTION...: the output's lines, joined by vertical bars.
texts() {
	run_pscan "${@:3}" < <(printf '%b' "$1")
	assert_equal "${*:3}: $code $err" "${*:3}: 0 "
	assert_equal "${*:3}: $(paste -sd '|' <<<"$out")" "${*:3}: $2"
}

# refused INPUT CODE MESSAGE OPTION...
refused() {
	run_pscan "${@:4}" < <(printf '%b' "$1")
	assert_equal "${*:4}: $code $err" "${*:4}: $2 pscan: $3"
}

@test "an empty field is filled with the text above it" {
	texts 'city,n\nBonn,1\n,2\n"a, b",3\n,4\n' 'city,n,city_last|Bonn,1,Bonn|,2,Bonn|"a, b",3,"a, b"|,4,"a, b"' \
		--csv -f city -op last --missing=hold -a
	texts 'city,n\nBonn,1\n,2\nUlm,3\n' 'city,n|Bonn,1|Bonn,2|Ulm,3' --csv -f city -op last --missing=hold --replace
	texts 'c\nBonn\n""\nUlm\n' 'filled|Bonn|Bonn|Ulm' --csv -f c -op last --missing=hold --as=filled
	texts 'x Bonn\nx -\nx -\nx -\n' 'Bonn|Bonn|Bonn|-' -f 2 -op last --missing=hold --fill-limit=2
	texts 'x\t-\nx\ta b\nx\t\n' $'x\t-\t-|x\ta b\ta b|x\t\ta b' --tsv --no-header -t text -f 2 -op last --missing=hold -a
	texts '{"c":"a\\u0062","n":1}\n{"n":2}\n{"c":null}\n' '{"c":"a\u0062","n":1,"c_last":"ab"}|{"n":2,"c_last":"ab"}|{"c":null,"c_last":"ab"}' \
		--json -f c -op last --missing=hold -a
	texts '{"c":{"a":[1]}}\n{"c":true}\n{"c":5}\n' '{"c_last":{"a":[1]}}|{"c_last":true}|{"c_last":5}' --json -f c -t text -op last
	texts 'c="a b" n=1\nn=2\nc= n=3\n' 'c="a b" n=1 c_last="a b"|n=2 c_last="a b"|c= n=3 c_last="a b"' --logfmt -f c -op last --missing=hold -a
	texts '1.2.3.4 - - [10/Oct/2000:13:55:36 -0700] "GET / HTTP/1.0" 200 -\n' '"GET / HTTP/1.0"' --log -f request -op last
	# The result before is that of another segment, of a key, or from the other end.
	texts 'a Bonn\nb -\na -\nb Ulm\nb -\n' 'a Bonn|b -|a Bonn|b Ulm|b Ulm' -f 2 -g 1 -op last --missing=hold
	texts 'a Bonn\nb -\nb Ulm\nb -\n' 'Bonn|-|Ulm|Ulm' -f 2 --reset-on=1 -op last --missing=hold
	texts 'Bonn\n-\nUlm\n-\n' 'Bonn|Ulm|Ulm|-' -f 1 -r -op last --missing=hold
}

@test "count, first, last and lag of texts, beside each other and distinct" {
	texts 'k a\nl b\nk c\nk a\n' 'k 1 a a - 1|l 1 b b - 1|k 2 a c a 2|k 3 a a c 2' -f 2 -g 1 -op count,first,last,lag,distinct
	texts 'k a\nl b\nk c\nk a\n' 'k 3 a a c 2|l 1 b b - 1' -f 2 -g 1 -op count,first,last,lag,distinct --total
	texts 'a\nb\n-\nd\n' 'a - -|b a -|- - -|d b b' -f 1 -op last,lag,lag:2 --missing=keep
	texts 'a\nb\nc\nd\n' 'a 1|a 2|b 2|c 2' -f 1 -op first,count --window=2
	texts 'a\nb\nc\n' 's s|s a|s b' -f 1 -op first,last -e --seed=s
	texts '{"c":"a"}\n{"c":"b"}\n' '{"c_last":"s\"5"}|{"c_last":"a"}' --json -f c -op last -e --seed='s"5'
	texts 'a b\nc d\n' 'x y|a b|c d' -f 1,2 -op last --include-initial --seed=x,y
	texts 'a b\nc 2\n' 'a a|b b|c c|2 2' -t text -op first,last --reset-every=1
	texts 'a 1\nb 2\n' 'a a 1 1|a b 1 2' -f 1,2 -op first,last
	texts '' '' -t text -op last
	texts '' '' -f 1 -op last -e --seed=s
	refused '1\n' 2 '--seed: not a number: "s" (see --help=seed)' -f 1 -op last -e --seed=s
	texts '' '-' -t text -op last --total
	texts '' '0' -t text -op count --total
	texts 'x\nNA\n' 'x|7' -f 1 -op last --missing=7
}

@test "a field is a text with -t text, or by the first record" {
	# Numbers are numbers: their own decimals, and no other tokens.
	texts '1e3\n+5\n007\n' '1000|5|7' -f 1 -op last
	texts '1e3\n+5\nx\n' '1e3|+5|x' -f 1 -op last -t text
	texts '1e3 +5' '1e3|+5' -op last -t text
	refused '1\nx\n' 1 'standard input: line 2, field 1: not a number: "x" (texts? see -t text)' -f 1 -op last
	refused '-\nx\n' 1 'standard input: line 2, field 1: not a number: "x" (texts? see -t text)' -f 1 -op last --missing=hold
	refused 'x\n' 1 'standard input: line 1, field 1: not a number: "x" (a header? see -H)' -f 1 -op last,sum
	refused 'x\n' 1 'standard input: line 1: not a number: "x" (texts? see -t text; a header? see -H)' -op last
	texts 'x\n1\ny\n2\n' '1|2' -f 1 -op last --invalid=ignore
	refused 'x\n' 1 'standard input: line 1, field 1: not a number: "x" (a header? see -H)' -f 1 -op last -t num
	# A header, or a row of units, that is taken for a record does not go unseen.
	refused 'k,n\na,1\n' 1 'standard input: line 2, field 2: a number among texts: "1" (a header? see -H; texts? see -t text)' -d, -f 2 -op lag
	refused 'n\nkg\n5\n' 1 'standard input: line 3, field 1: a number among texts: "5" (texts? see -t text)' -H -f n -op last
	refused '{"n":"kg"}\n{"n":5}\n' 1 'standard input: line 2, field "n": a number among texts: "5" (texts? see -t text)' --json -f n -op last
	refused 'a\n1:30\n' 1 'standard input: line 2, field 1: a number among texts: "1:30" (a header? see -H; texts? see -t text)' -f 1 -op last --accept=duration
	texts 'a\n1:30\n' 'a|1:30' -f 1 -op last
	# Each field by itself, wherever it stands: by name, label, from the end, in columns.
	texts '1 a x\n2.50 b y\n' '1 a x|2.50 b y' -f 1-3 -op last
	texts '   n c\nr1 1 a\nr2 2 b\n' 'n_lag c_lag|1 a' -H -f n,c -op lag
	texts '1 a\n2 b\n' 'a|b' -f -1 -op last
	texts 'a 1\nb 2\n' 'a 1|b 2' -c 2 -op last
	texts '# x\n\nb\n' '# x|b' --comment='#' -f 1 -op last
	texts '\xef\xbb\xbfc,n\nä,1\n' $'\xef\xbb\xbf''c,n,c_last|ä,1,ä' --csv -f c -op last -a
	printf 'c\n' >names
	printf 'c\nx\n' >in
	run_pscan --csv -f c -op last in names in
	assert_equal "$code $(paste -sd ' ' out)" '0 c_last x x'
	run_pscan -v -f 1,2 -op last,count < <(echo x 1)
	assert_contains "$err" 'types: numbers text, results text of last, u64 of count'
}

@test "the first record decides however it comes" {
	# In pieces: the header, then half of the record.
	run_pscan --csv -f c -op last,lag < <(printf 'n,c\n' && sleep 0.1 && printf '1,B' && sleep 0.1 && printf 'onn\n2,Ulm\n')
	assert_equal "$code $err $(paste -sd ' ' out)" '0  c_last,c_lag Bonn, Ulm,Bonn'
	run_pscan -f 1 -op last < <(printf 'B' && sleep 0.1 && printf 'onn\nUlm\n')
	assert_equal "$code $err $(paste -sd ' ' out)" '0  Bonn Ulm'
	# Line by line, where a reader waits for each result.
	mkfifo in
	"$PSCAN" -f 1 -op last <in >out 2>err &
	exec 4>in
	echo Bonn >&4
	wait_until has_lines out 1
	echo Ulm >&4
	wait_until has_lines out 2
	exec 4>&-
	wait $!
	assert_equal "$(paste -sd ' ' out)" 'Bonn Ulm'
}

@test "the first record decides wherever it is" {
	# After lines longer than what is looked at otherwise, in a file and through a pipe.
	awk 'BEGIN { while (i++ < 9000) printf "x"; print ",t"; print "a,2024-05-01"; print "b,2024-05-02" }' >wide
	awk 'BEGIN { print "k,t"; while (i++ < 9000) printf "x"; print ",2024-05-01" }' >long
	printf 'k,t\n' >alone
	printf '# a\n\n' >remark
	printf 'x,2024-05-01' >unended
	: >empty
	# shellcheck disable=SC2086 # words
	for options in '--csv -f t' '--csv -H -f 2'; do
		for given in "cat wide" "gzip -c wide" "head -c 5000 wide; sleep 0.1; tail -c +5001 wide"; do
			run_pscan $options --accept=time -op last < <(eval "$given")
			assert_equal "$given: $code $err $(paste -sd ' ' out)" "$given: 0  t_last 2024-05-01 2024-05-02"
		done
		run_pscan $options --accept=time -op last,lag wide
		assert_equal "$options: $code $err $(paste -sd ' ' out)" "$options: 0  t_last,t_lag 2024-05-01, 2024-05-02,2024-05-01"
		run_pscan $options --accept=time -op last long
		assert_equal "$options: $code $err $(paste -sd ' ' out)" "$options: 0  t_last 2024-05-01"
		# In a later file, where those before it have a header alone.
		for files in 'alone long' 'empty alone alone long' 'alone empty long' 'alone.gz long' 'alone long.gz'; do
			gzip -c alone >alone.gz
			gzip -c long >long.gz
			run_pscan $options --accept=time -op last $files
			assert_equal "$files: $code $err $(paste -sd ' ' out)" "$files: 0  t_last 2024-05-01"
		done
	done
	run_pscan -d, -f 2 --comment='#' --accept=time -op last remark unended
	assert_equal "$code $err$(tail -n 1 out)" '0 2024-05-01'
	run_pscan --csv --no-header -f 2 --comment='#' --accept=time -op last remark unended
	assert_equal "$code $err$(tail -n 1 out)" '0 2024-05-01'
	run_pscan --csv -f k -op last alone long
	assert_equal "$code $err $(sed -n '1p;$s/x*/x/p' out)" $'0  k_last\nx'
	# What is not read from a pipe in advance, and what is wrong with a later file.
	run_pscan --csv -f t --accept=time -op last alone - < <(cat long)
	assert_equal "$code $err $(paste -sd ' ' out)" '0  t_last 1714521600'
	run_pscan --csv -f t --accept=time -op last alone missing
	assert_equal "$code $(paste -sd ' ' out) $err" '3 t_last pscan: missing: No such file or directory'
	# A last line without its end is left for a later run.
	printf 'x,2' >part
	run_pscan --state=state --whole-lines -d, -f 2 --accept=time -op last part
	assert_equal "$code $err$out" '0 '
	printf '024-05-01\n' >>part
	run_pscan --state=state --whole-lines -d, -f 2 --accept=time -op last part
	assert_equal "$code $err$out" '0 2024-05-01'
}

@test "a run that has read no record decides nothing for the next one" {
	# later BEFORE AFTER WANT OPTION...: the output of both runs, and how the state names the field.
	later() {
		rm -f state
		printf '%b' "$1" >in
		run_pscan --state=state "${@:4}" in
		assert_equal "${*:4}: $code $err" "${*:4}: 0 "
		mv out first
		printf '%b' "$2" >>in
		run_pscan --state=state "${@:4}" in
		assert_equal "${*:4}: $code $err" "${*:4}: 0 "
		assert_equal "${*:4}: $(cat first out | paste -sd '|')" "${*:4}: $3"
	}
	local days='a,2024-05-01\nb,2024-05-02\n'
	later 'k,t\n' "$days" 'k,t,t_last,t_delta|a,2024-05-01,2024-05-01,|b,2024-05-02,2024-05-02,86400' --csv -f t --accept=time -op last,delta -a
	later 'k,t\n' "$days" 't_last|2024-05-01|2024-05-02' --csv -H -f 2 --accept=time -op last
	later 'k,t\n' "$days" 'k_last|a|b' --csv -f k -op last
	later 'k,t\n' "$days" 'k,k_last,k_count|a,a,1|b,b,1' --csv -f k -g k -op last,count
	later '# k\n' "$days" '# k|a,2024-05-01,2024-05-01|b,2024-05-02,2024-05-02' -d, -f 2 --comment='#' --accept=time -op last -a
	later 'k,t\n' 'a,5\nb,\n' 't_last|5|5' --csv -f t --accept=time -op last --missing=hold
	# A seed comes first, and once.
	later 'k,t\n' "$days" 't_last|2020-01-01|2024-05-01|2024-05-02' --csv -f t --accept=time -op last --include-initial --seed=2020-01-01
	later 'k,t\n' "$days" 'k_last|s|a|b' --csv -f k -op last --include-initial --seed=s
	later '' '2024-05-01\n' '2020-01-01|2024-05-01' -f 1 --accept=time -op last --include-initial --seed=2020-01-01
	later '' '2.5\n' '0|2.5' -f 1 -op sum --include-initial
	# A record without a text has decided.
	later 'NA\n' '2024-05-01\n' 'NA|1714521600' -f 1 --accept=time -op last --missing=keep
	later '5\n' '6\n' '5|6' -f 1 --accept=time -op last
	# So has one of a pipe after a header alone, which is not looked at before: it has seconds, as in one run.
	rm -f state
	printf 'k,t\n' >in
	run_pscan --state=state --csv -f t --accept=time -op last in - < <(printf 'k,t\na,2024-05-01\n')
	assert_equal "$code $err $(paste -sd ' ' out)" '0  t_last 1714521600'
	printf 'k,t\na,2024-05-02\n' >next
	run_pscan -q --state=state --csv -f t --accept=time -op last in next
	assert_equal "$code $err $(paste -sd ' ' out)" '0  1714608000'
	# A type that is given then is that of the scan.
	rm -f state
	printf 'k,t\n' >in
	run_pscan --state=state --csv -f t --accept=time -op last in
	run_pscan --show-state=state
	assert_contains "$out" $'\n-t\t?\ntexts\t?\n'
	printf '%b' "$days" >>in
	run_pscan --state=state --csv -f t --accept=time -op last -t num in
	assert_equal "$code $err $(paste -sd ' ' out)" '0  1714521600 1714608000'
}

@test "texts go on in a later run" {
	printf 'k,c\na,Bonn\nb,Ulm\n' >in
	run_pscan --state=state --csv -f c -g k -op first,lag,lag:1,last --missing=hold in
	assert_equal "$code $err $(paste -sd ' ' out)" '0  k,c_first,c_lag,c_lag:1,c_last a,Bonn,,,Bonn b,Ulm,,,Ulm'
	printf 'a,\nb,12\n' >>in
	run_pscan --state=state --csv -f c -g k -op first,lag,lag:1,last --missing=hold in
	assert_equal "$code $err" '1 pscan: in: line 5, field 2: a number among texts: "12" (texts? see -t text)'
	sed -i 's/12/Rom/' in
	run_pscan --state=state --csv -f c -g k -op first,lag,lag:1,last --missing=hold in
	assert_equal "$code $err $(paste -sd ' ' out)" '0  a,Bonn,,,Bonn b,Ulm,Ulm,Ulm,Rom'
	run_pscan --show-state=state
	assert_contains "$(paste -sd ' ' out)" $'texts\t1 '
	assert_equal "$(tail -n 2 out)" $'key\ta\tBonn\t-\t-\tBonn\nkey\tb\tUlm\tUlm\tUlm\tRom'
	run_pscan --state=state --csv -f c -g k -op first,lag,lag:1,last --missing=hold -t num in
	assert_equal "$code $err" '2 pscan: --state: state: it belongs to a scan with other options: "-t text" in the state, "-t num" now'
	# A first run of nothing decides nothing; a seed stays what it is.
	: >new
	run_pscan --state=other -f 1 -op first,last -e --seed=s new
	assert_equal "$code $err$out" '0 '
	printf 'x\n' >>new
	run_pscan --state=other -f 1 -op first,last -e --seed=s new
	assert_equal "$code $err$out" '0 s s'
	printf '%s\n' y z >>new
	run_pscan --state=other -f 1 -op first,last -e --seed=s new
	assert_equal "$code $err $(paste -sd ' ' out)" '0  s x s y'
}

@test "texts that no scan has are forgotten" {
	[ -z "${ASAN_OPTIONS:-}${TSAN_OPTIONS:-}" ] || skip 'memory is not measured under a sanitizer'
	"$PYTHON" - <<-'EOF'
		import os, resource, subprocess
		pscan = [os.environ["PSCAN"], "-T1", "-f", "2", "-t", "text"]
		def peak(options, count):
		    """The output's last line, and MiB."""
		    feed = subprocess.Popen(["awk", "-vOFS=\t", f"BEGIN {{ for (i = 0; i < {count}; i++) print i % 3, \"a text of some length that is never there again \" i }}"], stdout=subprocess.PIPE)
		    done = subprocess.run([*pscan, *options], stdin=feed.stdout, capture_output=True, check=True)
		    feed.wait()
		    return done.stdout.splitlines()[-1].decode(), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
		options = ["-d", "\t", "-g", "1", "-op", "first,lag,lag:2", "--total"]
		last, little = peak(options, 3000)
		assert last.endswith("again 2\ta text of some length that is never there again 2996\ta text of some length that is never there again 2993"), last
		last, much = peak(options, 600000)
		assert last.endswith("again 2\ta text of some length that is never there again 599996\ta text of some length that is never there again 599993"), last
		# All texts have 33 MiB, in each of three lanes.
		assert much < little + 40, (little, much)
	EOF
}

@test "first, last and lag of times are times as they were written" {
	local times='t,n\n2024-05-01 10:00,1\n,2\n02/May/2024,3e1\n2024-05-02T10:00:00.5+02:00,4\n'
	texts "$times" 't_first,t_last,t_lag,t_delta,n_first,n_last,n_lag,n_delta|2024-05-01 10:00,2024-05-01 10:00,,,1,1,,|2024-05-01 10:00,2024-05-01 10:00,,,1,2,1,1|2024-05-01 10:00,02/May/2024,2024-05-01 10:00,50400,1,30,2,28|2024-05-01 10:00,2024-05-02T10:00:00.5+02:00,02/May/2024,28800.5,1,4,30,-26' \
		--csv -f t,n --accept=time -op first,last,lag,delta --missing=hold
	texts "$times" 't,n,t_lag:2|2024-05-01 10:00,1,|,2,|02/May/2024,3e1,2024-05-01 10:00|2024-05-02T10:00:00.5+02:00,4,' --csv -f t --accept=time -op lag:2 --missing=hold --fill-limit=1 -a
	# Seconds, where a type or a format asks for numbers, or the first record has none.
	texts '2024-05-01\n' '1714521600' -f 1 --accept=time -op last -t num
	texts '2024-05-01\n' '1714521600.0' -f 1 --accept=time -op last -F %.1f
	texts '2024-05-01\nx\n2024-05-02\n' '2024-05-01 -|2024-05-02 2024-05-01' -f 1 --accept=time -op last,lag --invalid=ignore
	refused '2024-05-01\nx\n' 1 'standard input: line 2, field 1: not a number: "x" (texts? see -t text)' -f 1 --accept=time -op last
	refused '2024-05-01\n2024-02-30\n' 1 'standard input: line 2, field 1: not a number: "2024-02-30" (there is no such day)' -f 1 --accept=time -op last
	printf '2024-05-01\n' >in
	run_pscan --state=state -f 1 --accept=time -op last,delta in
	assert_equal "$code $err$out" '0 2024-05-01 -'
	printf '%s\n' 2024-05-02 x >>in
	run_pscan --state=state -f 1 --accept=time -op last,delta --invalid=ignore in
	assert_equal "$code $err$out" '0 2024-05-02 86400'
}

@test "max and min of times are times as they were written, the first of equal ones" {
	local times='k,t\na,2024-05-01 10:00\nb,\na,02/May/2024\nb,2024-05-02T10:00:00.5+02:00\na,2024-05-02\na,2024-05-01T08:00:00Z\nb,2024-05-02T08:00:00.25\na,2024-05-01\n'
	texts "$times" 't_max,t_min,t_range|2024-05-01 10:00,2024-05-01 10:00,0|,,|02/May/2024,2024-05-01 10:00,50400|2024-05-02T10:00:00.5+02:00,2024-05-01 10:00,79200.5|2024-05-02T10:00:00.5+02:00,2024-05-01 10:00,79200.5|2024-05-02T10:00:00.5+02:00,2024-05-01T08:00:00Z,86400.5|2024-05-02T10:00:00.5+02:00,2024-05-01T08:00:00Z,86400.50|2024-05-02T10:00:00.5+02:00,2024-05-01,115200.50' \
		--csv -f t --accept=time -op max,min,range --missing=keep
	texts "$times" 'k,t_max,t_min,t_count|a,02/May/2024,2024-05-01,5|b,2024-05-02T10:00:00.5+02:00,2024-05-02T08:00:00.25,2' --csv -f t -g k --accept=time -op max,min,count --missing=skip --total
	texts "$times" 't_max|2024-05-02|2024-05-02|2024-05-02|2024-05-02T10:00:00.5+02:00|2024-05-02T10:00:00.5+02:00|2024-05-02T10:00:00.5+02:00|2024-05-02T10:00:00.5+02:00|2024-05-02T10:00:00.5+02:00' --csv -f t --accept=time -op max --missing=hold --seed=2024-05-02
	texts '{"t":"2024-05-01"}\n{"t":"\\u0032024-04-01"}\n{"t":"1969-12-31"}\n' '{"t_max":"2024-05-01","t_min":"2024-05-01"}|{"t_max":"2024-05-01","t_min":"2024-04-01"}|{"t_max":"2024-05-01","t_min":"1969-12-31"}' --json -f t --accept=time -op max,min
	texts '{"t":"\\u0032024-05-01"}\n' '{"t_max":"2024-05-01"}' --json -f t --accept=time -op max
	# Nearer to each other than doubles are, and numbers for missing ones.
	texts '2024-05-01\n2024-05-01T00:00:00.000000001\n2024-05-01T00:00:00.000000002Z\n2024-05-01T00:00:00.0000000010\n' '2024-05-01|2024-05-01T00:00:00.000000001|2024-05-01T00:00:00.000000002Z|2024-05-01T00:00:00.000000002Z' -f 1 --accept=time -op max
	texts '2024-05-01\n100000000000000000000000.5\n2024-05-02\n' '2024-05-01|100000000000000000000000.5|100000000000000000000000.5' -f 1 --accept=time -op max --missing-marks=100000000000000000000000.5 --missing=100000000000000000000000.5
	texts '2024-05-02\n2024-05-01\n2024-05-01\n' '1714608000|1714608000|1714521600' -f 1 --accept=time -op max --window=2
	texts '2024-05-01\n' '1714521600' -f 1 --accept=time -op max -t num
	# Seconds where the initial result, which is no time, is written.
	texts '2024-05-01\n2024-05-03\n' '-inf|1714521600' -f 1 --accept=time -op max -e
	texts '2024-05-01\n2024-05-03\n' 'inf|1714521600|1714521600' -f 1 --accept=time -op min --include-initial
	texts '2024-05-01\n2024-05-03\n' '2024-05-02|2024-05-02' -f 1 --accept=time -op max -e --seed=2024-05-02
	refused '2024-05-01\n' 2 '--seed: "x" is no time, and the field has times' -f 1 --accept=time -op last --seed=x
	refused '2024-05-01\n' 2 '--seed: "2024-02-30" is no time, and the field has times' -f 1 --accept=time -op max --seed=2024-02-30
	refused 't\n2024-05-01\n' 2 '--seed: "5" is no time, and the field has times' --csv -f t --accept=time -op lag --seed=5
	run_pscan -v -f 1 --accept=time -op max,min < <(echo 2024-05-01)
	assert_contains "$err" 'types: numbers text, results text of max, text of min'
	printf '2024-05-01\n' >in
	run_pscan --state=state -f 1 --accept=time -op max,min in
	printf '%s\n' 01/May/2024 2024-04-30 2024-05-01T00:00 >>in
	run_pscan --state=state -f 1 --accept=time -op max,min in
	assert_equal "$code $err $(paste -sd '|' out)" '0  2024-05-01 2024-05-01|2024-05-01 2024-04-30|2024-05-01 2024-04-30'
}

@test "a seed is never forgotten" {
	# In a segment longer than a tile, of more bytes than are kept before texts are looked through.
	run_pscan -f 1 -op first,last --reset-every=15000 --chunk-size=4K -e --seed=s < <(seq -f "a_text_that_is_there_once_and_no_more_%.0f" 20000)
	assert_equal "$code $err $(sed -n '1p;2p;15000p;15001p;15002p' out | sed 's/[a-z_]*_//g' | paste -sd ' ')" '0  s s s 1 s 14999 s s s 15001'
}

@test "a text stands in quotes where a reader would take it for something else; a seed that has none is refused" {
	texts '"#a",b\n' '"#a",b' --csv --no-header -f 1,2 -op last --comment='#'
	texts '"#a",b\n' '"#a",b|"#a",b' --csv --no-header -f 1,2 -op last --comment='#' --include-initial --seed=$'#a,b'
	texts '"#a",b\n' '"#a",1' --csv --no-header -g 1 -op count --comment='#'
	texts 'a "b c"\n' '"#"|"b c"' --log -f 2 -op last --include-initial --comment='#' --seed='#'
	texts 'a\n' $'"x\ty"' --csv -d '\t' --no-header -f 1 -op last -e --seed=$'x\ty'
	texts 'a\n' '"x|y"' --csv --no-header -f 1 -op last -e --seed=$'x\ny'
	texts 'c=a\n' '"x\t=\ny"' --logfmt -f c -op last -e --seed=$'x\t=\ny'
	texts '{"c":"a"}\n' '{"c_last":"#x\ty"}' --json -f c -op last -e --seed=$'#x\ty' --comment='#'
	refused 'a\n' 2 '--seed: "x\x09y" has a delimiter or a newline (only --csv has quotes)' --tsv --no-header -f 1 -op last -e --seed=$'x\ty'
	refused 'a\n' 2 '--seed: "x;y" has a delimiter or a newline (only --csv has quotes)' -d ';' -f 1 -op last -e --seed='x;y'
	refused 'a\n' 2 '--seed: "x\x0d" has a delimiter or a newline (only --csv has quotes)' -f 1 -op last -e --seed=$'x\r'
	refused 'a\n' 2 '--seed: "x\x0ay" has a delimiter or a newline (only --csv has quotes)' --log -f 1 -op last -e --seed=$'x\ny'
	refused 'a\n' 2 '--seed: "x\"y" has a quote, which ends a field of --log' --log -f 1 -op last -e --seed='x"y'
	refused 'a\n' 2 '--seed: "x y" has a blank, which separates fields (see --csv)' -f 1 -op last -e --seed='x y'
	refused 'a\n' 2 '--seed: "#y" begins like a comment (see --comment)' -f 1 -op last -e --seed='#y' --comment='#'
	refused 'a\n' 2 '--seed: "#y" begins like a comment (see --comment)' -d, -f 1 -op last -e --seed='#y' --comment='#' --replace
	refused 'c=a\n' 2 '--seed: "#y" begins like a comment (see --comment)' --logfmt -f c -op last -e --seed='#y' --comment='#'
	# Where it does not begin the line.
	texts 'c=a\n' 'c=a c_last=#y' --logfmt -f c -op last -e --seed='#y' --comment='#' -a
	texts 'b a\n' 'b a #y' -f 2 -op last -e --seed='#y' --comment='#' -a
	texts 'b a\n' 'b #y' -f 2 -op last -e --seed='#y' --comment='#' --replace
	texts 'b a\n' 'b #y' -f 2 -g 1 -op last -e --seed='#y' --comment='#'
	texts 'b a\n' 'x #y' -f 1,2 -op last -e --seed='x,#y' --comment='#'
	texts 'b a\n' '#y' -f 2 -op last -e --seed='#y' --comment='##'
}

@test "a mixed field is an error beside distinct, too" {
	refused 'a\n1\n' 1 'standard input: line 2, field 1: a number among texts: "1" (a header? see -H; texts? see -t text)' -f 1 -op distinct,last
	refused 'a\n1\n' 1 'standard input: line 2, field 1: a number among texts: "1" (a header? see -H; texts? see -t text)' -f 1 -op last,distinct
	texts 'a\n1\na\n' '1 a 1|2 1 2|2 a 3' -f 1 -op distinct,last,count -t text
	texts 'a\n1\n1\n' '1|2|2' -f 1 -op distinct
}

@test "where one operator of a field does not take a value none does" {
	local operators
	for operators in distinct,sum,count sum,count,distinct count,distinct,sum; do
		run_pscan -f 1 -op "$operators" --invalid=ignore < <(printf '%s\n' 1 x 3 y y 1)
		assert_equal "$operators: $code $err $(tail -n 1 out | tr ' ' '\n' | sort -n | paste -sd ' ')" "$operators: 0  2 3 5"
	done
	run_pscan -f 1 -op distinct,sum --invalid=warn < <(printf '%s\n' 1 x 3)
	assert_equal "$code $err $(paste -sd '|' out)" '0 pscan: warning: standard input: line 2, field 1: not a number: "x" 1 1|2 4'
	run_pscan -f 1 -op distinct,sum --invalid=fail < <(printf '%s\n' 1 x 3)
	assert_equal "$code $(paste -sd '|' out)" '1 1 1|2 4'
	run_pscan -f 1 -g 2 -op distinct,sum --invalid=ignore < <(printf '%s\n' '1 a' 'x b' '3 a' 'x a' '1 b')
	assert_equal "$code $err $(paste -sd '|' out)" '0  a 1 1|a 2 4|b 1 1'
}

@test "what texts do not do is refused" {
	for option in --map=x --emit=s --reset-at=1 --plot --algorithm=sequential; do
		refused 'a\n' 2 "-t text with ${option%%=*}: not supported yet (see LIMITS in man pscan)" -t text -op last "$option"
	done
	refused 'a\n' 2 '-t text with --output-format=binary: not supported yet (see LIMITS in man pscan)' -t text -op last --output-format=binary
	refused '1 a\n' 2 '--window by time with last of texts: not supported yet (see LIMITS in man pscan)' -f 2 -op last --window=1:3
	refused '1 a\n' 2 '--window by time with first of texts: not supported yet (see LIMITS in man pscan)' -t text -f 2 -op count,first --window=1:3
	refused '1 a\n' 2 '--window by time with last of texts: not supported yet (see LIMITS in man pscan)' -f 1,2 -g 2 -op last --window=1:3
	refused 'a\n' 2 '-t text: sum is of numbers (count, distinct, first, lag and last take texts)' -t text -op last,sum
	refused 'a\n' 2 '-F formats numbers, and the results are texts' -t text -op last -F %.2f
	texts 'a\nb\n' 'a 001|b 002' -f 1 -op last,count -F %03d
	refused 'a\n' 2 '-t: "string" is not a type: perhaps text' -t string -op last
	refused 'a\0' 2 '-t text is for text, which this input is not (see --format)' -t text -op last --format=binary
	refused 'a,b\n' 2 'standard input: line 1 may be a header: say -H or --no-header' --csv -f 1 -t text -op last
	refused 'a\n' 2 '--seed: count does not take a start value' -t text -op count --seed=1
}

@test "under --csv only a number below a word shows that the word is a name" {
	local in_doubt='standard input: line 1 may be a header: say -H or --no-header'
	local op
	for op in count first last lag count,last; do
		refused 'a,x\nb,y\n' 2 "$in_doubt" --csv -f 2 -op "$op"
		refused 'a\tx\nb\t\n' 2 "$in_doubt" --tsv -f 2 -op "$op" --missing=hold
		refused 'a,x\n' 2 "$in_doubt" --csv -f 2 -op "$op"
	done
	refused 'a,x\nb,y\n' 2 "$in_doubt" --csv -f 1,2 -op first -r
	texts 'a,x\nb,y\n' 'x|y' --csv --no-header -f 2 -op last
	texts 'a,x\nb,y\n' 'x_last|y' --csv -H -f 2 -op last
	texts 'a,x\nb,y\n' 'x_last|y' --csv -f x -op last
	texts 'a,x\nb,5\n' 'x_count|1' --csv -f 2 -op count
	texts 'a,x\nb,5\n' 'a_first,x_first|b,5' --csv -f 1,2 -op first
	# With other operators the field has numbers.
	texts 'a,x\nb,y\n' 'x_count,x_max' --csv -f 2 -op count,max --invalid=ignore
	# A saved scan knows its header.
	printf 'a,x\nb,5\n' >first
	printf 'a,x\nc,NA\nd,6\n' >second
	run_pscan --csv -f 2 -op count --missing=skip --state=S first
	assert_equal "$code $out $err" $'0 x_count\n1 '
	run_pscan --csv -f 2 -op count --missing=skip --state=S second
	assert_equal "$code $out $err" $'0 x_count\n2 '
}

@test "texts of random tables are those of lists" {
	run "$PYTHON" "$TOOLS/texts_model.py" 2026 "$(cases 300)"
	assert_equal "$output" "$(cases 300) cases, 0 wrong"
}

# bats test_tags=long
@test "texts of random tables are those of lists, many" {
	run "$PYTHON" "$TOOLS/texts_model.py" 7 20000
	assert_equal "$output" '20000 cases, 0 wrong'
}
