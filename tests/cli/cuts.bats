#!/usr/bin/env bats
# How lines are cut into fields: by tabs, with --tsv or because of the header, and as logs are.
# shellcheck disable=SC2154 # code, out and err are set by run_pscan

load helper

setup() {
	export PSCAN_DEVICE=none
	cd "$TMP" || return
}

# --- Tabs

@test "--tsv is -d '\\t' that finds the header" {
	local row
	for row in '-f 2' '-f 2 -a' '-f 3 -a --missing=skip' '-f 2 --replace' '-H -f n -a' '--csv -H -f n -a' '--csv -f 3- --missing=skip -H'; do
		printf 'x\tn\t\tm m\na\t1\t\t"3"\nb c\t2\t5\t4\n' >in
		# shellcheck disable=SC2086 # words
		run_pscan $row --invalid=ignore --missing=skip -d '\t' in
		cp out wanted
		assert_equal "$row: $code $err" "$row: 0 "
		case $row in *-H*) ;; *) row="$row --no-header" ;; esac
		# shellcheck disable=SC2086
		run_pscan $row --invalid=ignore --missing=skip --tsv in
		assert_equal "$row: $code $err" "$row: 0 "
		cmp out wanted
	done
	gives 'a b\t\t1\nc\t\t2\n' '1\n3\n' --tsv -f 3
	# The last of the two counts.
	gives 'a,1\n\t,2\n' '1\n3\n' --tsv -d , -f 2
	run_pscan --tsv < <(echo 1)
	assert_equal "$code $out$err" '2 pscan: standard input: --tsv needs -f; the columns are 1: pscan --tsv -f 1'
}

@test "a tab in the header cuts at tabs where a field is named: an empty one shifts no other" {
	gives 'a\tb\tc\n1\t\t3\n4\t5\t6\n' 'b_sum\n5\n' -f b --missing=skip
	gives 'a\tb\tc\n1\t\t3\n4\t5\t6\n' 'a\tb\tc\tc_sum\n1\t\t3\t3\n4\t5\t6\t9\n' -f c -a
	gives 'first name\tn\nA B\t2\n' 'first name\tn\tn_sum\nA B\t2\t2\n' -f n -a
	gives 'first name\tn\nA B\t2\n' 'n\n2\n' -f 2 -H --as=n --tsv
	gives 'a\tb\n1\t2\n' 'a_sum\tb_sum\n1\t2\n' -f a,b
	gives 'title\nx\tn\na\t\n\t7\n' 'title\nx\tn\tn_sum\na\t\t\n\t7\t7\n' --header=2 -f n -a --missing=skip
	gives '# a b\nx y\tn\nq\t7\n' '# a b\nx y\tn\tn_sum\nq\t7\t7\n' --comment=# -f n -a
	gives '\xef\xbb\xbfx y\tn\nq\t7\n' 'n_sum\n7\n' -f n
	gives 'x y\tn' 'n_sum\n' -f n
	gives 'a\tb\tc\n1\t\t3\n' '3\n' -f c --total
	# With the names of a range's first field, or several.
	gives 'a\tb\tc\n1\t\t3\n' 'a_sum\tb_sum\tc_sum\n1\t\t3\n' -f a,2- --missing=skip
}

@test "no tab counts where -d, --csv or --log says how lines are cut, or fields have numbers only" {
	gives 'a\tb,c\n1\t2,3\n' 'c_sum\n3\n' --csv -f c
	gives 'a\tb;c\n1\t2;3\n' 'c_sum\n3\n' -d ';' -f c
	gives 'a\tb c\n1\t2 3\n' 'c_sum\n3\n' -H -f 3
	gives '1\t2 3\n' '3\n' -f 3
	gives 'a\t- - [x] "y" 200 5\n' '5\n' --log -f bytes
	gives 'a b\n1 2\n' 'b_sum\n2\n' -f b
}

@test "the tab may come late: after a pause within the header, or in a long one" {
	run_pscan --header=2 -f n -a < <(
		printf 'title\n'
		sleep 0.2
		printf 'x '
		sleep 0.2
		printf 'y\tn\n'
		sleep 0.1
		printf 'a b\t7\n'
	)
	assert_equal "$code $err $out" $'0  title\nx y\tn\tn_sum\na b\t7\t7'
	"$PYTHON" -c '
print("\t".join(f"f {i}" for i in range(2000)))
print("\t".join(str(i) for i in range(2000)))' >in
	run_pscan -f 'f 1999' in
	assert_equal "$code $err $out" $'0  f 1999_sum\n1999'
}

@test "damage within the header is told as it is, once" {
	"$PYTHON" -c '
import gzip, os
text = "x y\tn\n".join(os.urandom(20).hex() for _ in range(400))
with open("damaged.gz", "wb") as file:
    data = bytearray(gzip.compress(text.encode()))
    data[len(data) - 8] ^= 1  # the checksum
    file.write(data)'
	run_pscan --header=900 -f n damaged.gz
	assert_equal "$code $(wc -l <err)" '1 1'
	assert_contains "$err" 'damaged gzip data: incorrect data check'
	run_pscan --header=900 -f n < <(cat damaged.gz)
	assert_contains "$err" 'damaged gzip data: '
	# So short that it is damaged before the first bytes are judged.
	printf 'a b\tn' | gzip -c | head -c 20 >cut.gz
	run_pscan -f n cut.gz
	assert_equal "$code $(wc -l <err)" '1 1'
	assert_contains "$err" 'damaged gzip data: '
}

@test "a column of a table with empty cells is what python's csv finds, by its name alone" {
	"$PYTHON" - <<-'END'
		import csv
		import random
		rng = random.Random(3)
		names = ["time of day", "n", "note", "m"]
		with open("in", "w") as table:
		    table.write("\t".join(names) + "\n")
		    for _ in range(3000):
		        table.write("\t".join(rng.choice(["", "", str(rng.randint(-9, 99))]) if i % 2 else rng.choice(["", "x y"])
		                              for i in range(4)) + "\n")
		for name in "n", "m":
		    total = 0
		    with open("in", newline="") as table, open(f"{name}.right", "w") as right:
		        for row in csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE):
		            if row[name]:
		                total += int(row[name])
		                right.write(f"{total}\n")
	END
	for name in n m; do
		cmp <("$PSCAN" -f $name --missing=skip in | tail -n +2) $name.right
	done
}

# --- Logs

# Combined Log Format, with what shifts fields elsewhere.
a_log() {
	cat <<-'END'
		192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a b HTTP/1.0" 200 100 "http://x.example/" "Mozilla/4.08 [en] (Win98)"
		192.0.2.2 - frank [10/Oct/2000:13:55:37 -0700] "-" 408 - "-" "-"
		192.0.2.3 - "a b" [10/Oct/2000:13:55:38 -0700] "GET /\"quoted\" HTTP/1.0" 404 20 "" "\\"
	END
}

@test "--log: what stands in quotes or brackets is one field, and fields have names" {
	a_log >in
	run_pscan --log -f bytes --missing=skip in
	assert_equal "$code $err $out" $'0  100\n120'
	local name number=0
	for name in host ident user time request status bytes referer agent; do
		number=$((number + 1))
		run_pscan --log -f $name --missing=keep --invalid=ignore in
		cp out wanted
		run_pscan --log -f $number --missing=keep --invalid=ignore in
		cmp out wanted
	done
	run_pscan --log -f status,7 --missing=keep in
	assert_equal "$code $err $out" $'0  200 100\n608 -\n1012 120'
	run_pscan --log -f 6-7 --missing=zero --total in
	assert_equal "$code $err $out" '0  1012 120'
	# Whole lines.
	run_pscan --log -f bytes --missing=zero -a in
	assert_equal "$code $err" '0 '
	a_log | awk '{ s += NR == 1 ? 100 : NR == 3 ? 20 : 0; print $0, s }' | cmp - out
	run_pscan --log -f bytes --missing=zero --replace in
	assert_equal "$code $err" '0 '
	a_log | sed '1s/ 200 100 / 200 100 /; 2s/ 408 - / 408 100 /; 3s/ 404 20 / 404 120 /' | cmp - out
}

@test "--log: quotes are escaped by a backslash, and what is not closed ends with the line" {
	gives '"a \\" b" 1\n"\\\\" 2\n"\\\\\\" c" 3\n' '1\n3\n6\n' --log -f 2
	gives '[a\\] 1\n[b \\"] 2\n' '1\n3\n' --log -f 2
	gives '[a "b] 1\n[a [b] 2\n"a [b" 3\n' '1\n3\n6\n' --log -f 2
	gives 'a "b 1\nx 2\n' '2\n' --log -f 2 --invalid=ignore
	gives 'a "b 1  \nx 2\n' 'a "b 1   \nx 2 2\n' --log -f 2 --invalid=ignore -a
	gives 'a [b 1\nx 2\n' '2\n' --log -f 2 --invalid=ignore
	stops 'a 1\nb "1\n' 1 '1\n' 'pscan: in: line 2, field 2: not a number: "\"1" (see --invalid)' --log -f 2
	# What follows at once belongs to the field, and within one quotes and brackets are characters.
	gives '"a"b 1\n[a]b 2\na"b c 3\n' '1\n3\n' --log -f 2 --invalid=ignore
	gives 'a"b c" 3\n' '3\n' --log -f 3
	stops 'a b c\n' 1 '' 'pscan: in: line 1, field 7: the line has 3 fields: "a b c" (see -f)' --log -f 7
	stops 'a "1"2\n' 1 '' 'pscan: in: line 1, field 2: not a number: "\"1\"2" (see --invalid)' --log -f 2
	stops 'a [1]2\n' 1 '' 'pscan: in: line 1, field 2: not a number: "[1]2" (see --invalid)' --log -f 2
	# A number in quotes or brackets is one; a result stands there without them.
	gives 'a "1" b\nc [2]\n' 'a 1 b\nc 3\n' --log -f 2 --replace
	gives 'a " 1 " b\nc "3\t"\n' '1\n4\n' --log -f 2
	gives 'a ""\nb 2\n' 'a "" \nb 2 2\n' --log -f 2 -a --missing=skip
	gives ' \ta\t"b c" 1\r\n\n' ' \ta\t"b c" 1 1\r\n\n' --log -f 3 -a
	gives '# "c\na 1\n' '# "c\n1\n' --log -f 2 --comment=#
}

@test "--log goes with no other cut and no header, and its names are its own" {
	local row
	for row in '--log --csv -f 1' '--log -d , -f 1' '--tsv --log -f 1' '--log -H -f 1' '--log --header=2 -f 1' '--log' \
		'--log -f 1 --as=x' '--log -f 1 --format=binary'; do
		# shellcheck disable=SC2086 # words
		run_pscan $row < <(echo 1)
		assert_equal "$row: $code $out" "$row: 2 "
		assert_equal "$row: $(wc -l <err)" "$row: 1"
	done
	run_pscan --log -f bites < <(echo 1)
	assert_equal "$code $err" \
		'2 pscan: --log: -f: "bites" is not host, ident, user, time, request, status, bytes, referer or agent (see --help=log)'
}

@test "where quotes of a log stand in a field, --log is named" {
	a_log >in
	run_pscan -f 9 --missing=zero in
	assert_equal "$code $err" '1 pscan: in: line 1, field 9: not a number: "HTTP/1.0\"" (see --log)'
	run_pscan -f 6 in
	assert_equal "$code $err" '1 pscan: in: line 1, field 6: not a number: "\"GET" (see --log)'
	run_pscan --log -f bytes --missing=zero in
	assert_equal "$code $err" '0 '
}

# bats test_tags=long
@test "random log lines give what regular expressions find" {
	run timeout 3600 "$PYTHON" "$TOOLS/logs.py" "$PSCAN" 1 "$(cases 200)"
	assert_equal "$status $output" "0 $(cases 200) cases"
}

@test "some random log lines give what regular expressions find" {
	run timeout 3600 "$PYTHON" "$TOOLS/logs.py" "$PSCAN" 2 20
	assert_equal "$status $output" '0 20 cases'
}

@test "bytes of a real log by --log are what a regular expression finds" {
	need_data
	gzip -dc "$DATA/logs/elastic_apache_logs.log.gz" >log
	"$PYTHON" - <<-'END'
		import re
		line = re.compile(r'(\S+) (\S+) (\S+) \[([^]]*)\] "((?:[^"\\]|\\.)*)" (\S+) (\S+)')
		names = "host ident user time request status bytes".split()
		totals = dict.fromkeys(names, 0)
		with open("log", encoding="utf-8", newline="\n") as log, open("bytes", "w") as right:
		    for text in log:
		        fields = dict(zip(names, line.match(text).groups()))
		        if fields["bytes"] != "-":
		            totals["bytes"] += int(fields["bytes"])
		        totals["status"] += int(fields["status"])
		        right.write(f"{totals['status']} {totals['bytes']}\n")
	END
	cmp <("$PSCAN" --log -f status,bytes --missing=zero log) bytes
	cmp <("$PSCAN" --log -f status,bytes --missing=zero -a log) <(paste -d ' ' log bytes)
	cmp <("$PSCAN" --log -f bytes --missing=zero --replace log | "$PSCAN" --log -f 7 -op last) <(cut -d ' ' -f 2 bytes)
}

@test "bytes of a real table are found by their name though cells are empty" {
	need_data
	gzip -dc "$DATA/logs/nasa_19950801_7col.tsv.gz" >table
	awk -F '\t' 'NR > 1 && $7 != "" && $7 != "-" { printf "%.0f\n", s += $7 }' table >right
	# (Its records end with two tabs.)
	cmp <("$PSCAN" -f bytes --missing=skip table | tail -n +2) right
}

@test "--log: a line whose fields are not where their names say is an error, or passed over" {
	good='1.1.1.1 - bob [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 30'
	local bad column wrong
	local bracket='4 is a time in brackets' quote='5 is a request in quotes' status='6 is a status of three digits'
	while IFS='|' read -r column wrong bad; do
		printf '%s\n' "$good" "$bad" "$good" >in
		run_pscan --log -f bytes in
		assert_equal "$bad: $code $(cat out)" "$bad: 1 30"
		local shown=${bad:column - 1}
		local message="in: line 2, column $column: not the Common Log Format, whose field $wrong: \"${shown//\"/\\\"}\""
		assert_equal "$err" "pscan: $message (see -f, --invalid)"
		run_pscan --log -f bytes --invalid=ignore in
		assert_equal "$code $(paste -sd ' ' out)" '0 30 60'
		# One warning a line, however many fields are chosen, which says the same.
		run_pscan --log -f bytes,status --invalid=warn -a in
		assert_equal "$code $(awk '{ print $NF }' out | paste -sd ' ') $err" "0 200 - 400 pscan: warning: $message"
		run_pscan --log -f bytes --invalid=fail in
		assert_equal "$code $err" "1 pscan: warning: $message"
	done <<-END
		26|$bracket|example.com:80 $good
		15|$bracket|1.1.1.1 - bob smith [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 30
		13|$bracket|1.1.1.1 - - 17/May/2015:10:05:03 "GET /a HTTP/1.1" 200 30
		11|$bracket|not a log line at all with seven
		44|$quote|1.1.1.1 - bob [17/May/2015:10:05:03 +0000] "GET /"a b" HTTP/1.1" 200 30
		52|$status|1.1.1.1 - bob [17/May/2015:10:05:03 +0000] "GET /" b HTTP/1.1" 200 30
		52|$status|1.1.1.1 - bob [17/May/2015:10:05:03 +0000] "GET /" 2000 30
		15|$bracket|1.1.1.1 - bob [17/May/2015:10:05:03 +0000 "GET /" 200 30
	END
	# A status may be in quotes, or unknown.
	printf '%s\n' "$good" "${good/ 200/ -}" "${good/ 200/ \"404\"}" >in
	run_pscan --log -f bytes --missing=zero --total -g status in
	assert_equal "$code $err $(paste -sd , out)" '0  200 30,- 30,404 30'
	# By their numbers they are wherever they are.
	run_pscan --log -f 8 < <(echo "example.com:80 $good")
	assert_equal "$code $(cat out)" '0 30'
}

@test "--log: a line that ends too early is not a request" {
	local good='1.1.1.1 - bob [17/May/2015:10:05:03 +0000] "GET /" 200 30' wrong short name message
	local time='4 is a time in brackets' request='5 is a request in quotes' status='6 is a status of three digits'
	while IFS='|' read -r wrong name short; do
		printf '%s\n' "$good" "$short" "$good" >in
		message="in: line 2, column $((${#short} + 1)): not the Common Log Format, whose field $wrong: \"${short//\"/\\\"}\""
		run_pscan --log -f "$name" --missing=zero -op count in
		assert_equal "$short: $code $(paste -sd ' ' out)" "$short: 1 1"
		assert_contains "$err" "pscan: $message (see -f, --invalid)"
		run_pscan --log -f "$name" --missing=zero --invalid=warn -op count in
		assert_equal "$code $(paste -sd ' ' out) $err" "0 1 2 pscan: warning: $message"
		run_pscan --log -g host -op count --invalid=ignore --total <(cat in) <(cut -d ' ' -f 1-3 in)
		assert_equal "$code $(cat out) $err" "0 1.1.1.1 $([ "$name" = bytes ] && echo 3 || echo 2) "
		# The first line, too.
		run_pscan --log -f "$name" --invalid=ignore -op count --total <(tail -n 2 in)
		assert_equal "$code $(cat out) $err" '0 1 '
	done <<-END
		$time|status|==> b.log <==
		$time|status|1
		$time|status|1.1.1.1 - bob
		$request|status|1.1.1.1 - bob [17/May/2015:10:05:03 +0000]
		$status|status|1.1.1.1 - bob [17/May/2015:10:05:03 +0000] "GET /"
		7 is a number of bytes or -|bytes|1.1.1.1 - bob [17/May/2015:10:05:03 +0000] "GET /" 200
	END
	# What such a line may be is named.
	stops '# c\n' 1 '' "pscan: in: line 1, column 4: not the Common Log Format, whose field $time: \"# c\" (a comment? see --comment='#')" \
		--log -g host -op count
	stops '{"a":1}\n' 1 '' "pscan: in: line 1, column 8: not the Common Log Format, whose field $time: \"{\\\"a\\\":1}\" (JSON? see --json)" \
		--log -g host -op count
	gives "# c\n$good\n" '# c\n30\n' --log -f bytes --comment=#
	# By number it is what it is.
	gives 'a\nb\na\n' 'a 2\nb 1\n' --log -g 1 -op count --total
}

@test "--log: bytes, referer and agent are not their neighbours" {
	local start='h - - [17/May/2015:10:05:03 +0000] "GET /" 200' good line names name what after shown
	local -A wanted=([bytes]='Common Log Format, whose field 7 is a number of bytes or -'
		[referer]='Combined Log Format, whose field 8 is a referer in quotes'
		[agent]='Combined Log Format, whose field 9 is an agent in quotes')
	good="$start 5 \"r\" \"a\""
	while IFS='|' read -r names what after shown; do
		line="$start $after$shown"
		for name in $names; do
			run_pscan --log -g "$name" -op count --total < <(printf '%s\n' "$line")
			assert_equal "$name $line: $code $(cat out)" "$name $line: 1 "
			assert_equal "$err" "pscan: standard input: line 1, column $((${#start} + ${#after} + 2)): not the ${wanted[$what]}: \"${shown//\"/\\\"}\" (see -f, --invalid)"
			run_pscan --log -g "$name" -op count --total --invalid=ignore < <(printf '%s\n' "$line" "$good")
			assert_equal "$code $(awk '{ print $NF }' out) $err" '0 1 '
		done
		# Names before it read the line, and so do numbers.
		run_pscan --log -g host,status -op count --total < <(printf '%s\n' "$line")
		assert_equal "$code $(cat out) $err" '0 h 200 1 '
		run_pscan --log -f 7 --missing=zero -op count < <(printf '%s\n' "$line")
		assert_equal "$code $(cat out) $err" "0 1 "
	done <<-END
		referer agent|referer|512 |0.003 "http://ref/" "Mozilla"
		referer agent|referer|5 |0.003
		referer agent|referer|5 |- "http://ref/" "Mozilla"
		bytes referer agent|bytes||0.003 512 "http://ref/" "Mozilla"
		bytes referer agent|bytes||-5 "http://ref/" "Mozilla"
		agent|agent|- "http://ref/" |0.003
		agent|agent|- "http://ref/" |"Mozilla
	END
	# The Common Log Format ends before the referer.
	printf '%s\n' "$good" "$start -" "$start 7 \"r\"" >in
	run_pscan --log -t text -f referer,agent -op count --missing=skip in
	assert_equal "$code $(paste -sd , out) $err" '0 1 1,2 - '
	run_pscan --log -t text -f host,status,bytes,agent -op last -e --seed=- <(printf '%s\n' "$good" "$good")
	assert_equal "$code $(tail -n 1 out) $err" '0 h 200 5 a '
	run_pscan --log -t text -f host,agent -op last <(printf '%s\n' "$good")
	assert_equal "$code $(cat out) $err" '0 h a '
	run_pscan --log -f bytes --missing=zero --total -g agent in
	assert_equal "$code $(paste -sd , out) $err" '0 a 5,"" 7 '
}
