#!/usr/bin/env bats
# Which column a name means: names that do not line up with the fields, ragged records, headers that are repeated.
# shellcheck disable=SC2154,SC2016 # code, out and err are set by run_pscan; dollars are data

load helper

setup() {
	export PSCAN_DEVICE=none
	cd "$TMP" || return
}

# total EXPECTED INPUT OPTION...: the total, whatever header comes before it, from a file, a pipe, and compressed.
total() {
	local expected=$1 input=$2
	shift 2
	# shellcheck disable=SC2059 # a format
	printf -- "$input" >in
	gzip -c in >in.gz
	run_pscan --total "$@" in
	assert_equal "$*: $code $err ${out##*$'\n'}" "$*: 0  $expected"
	run_pscan --total "$@" <in
	assert_equal "$*: $code $err ${out##*$'\n'}" "$*: 0  $expected"
	run_pscan --total "$@" in.gz
	assert_equal "$*: $code $err ${out##*$'\n'}" "$*: 0  $expected"
}

# refused INPUT MESSAGE OPTION...: exit 1 and the message, before any result.
refused() {
	local input=$1 message=$2
	shift 2
	# shellcheck disable=SC2059 # a format
	printf -- "$input" >in
	run_pscan "$@" in
	assert_equal "$*: $code $out $err" "$*: 1  $message"
}

# --- Names and fields

@test "labels without a name move the names between delimiters" {
	total 201 'v\tw\nr1\t100\t7\nr2\t101\t8\n' --tsv -f v
	total 15 'v\tw\nr1\t100\t7\nr2\t101\t8\n' --tsv -f w
	total 201 'v\tw\nr1\t100\t7\nr2\t101\t8\n' -f v
	total 201 'v,w\n"r,1",100,7\n"r2",101,8\n' --csv -f v
	total 201 '"v";"w"\n"r1";"100";7\n"r2";"101";8\n' --csv -d ';' -f v
	total 201 'v|w\nr1|100|7\nr2|101|8\n' -d '|' -f v
	gives 'v,w\nr1,100,7\nr2,101,8\n' 'v,w,v_sum\nr1,100,7,100\nr2,101,8,201\n' --csv -f v -a
	gives 'v,w\nr1,100,7\nr2,101,8\n' 'v,w,v_sum,w_sum\nr1,100,7,100,7\nr2,101,8,201,15\n' --csv -f v,w -a
	gives 'v,w\nr1,100,7\nr2,101,8\n' 'v,w\nr1,100,7\nr2,201,8\n' --csv -f v --replace
	gives 'v,w\nr1,100,7\nr2,101,8\n' 'v,t\nr1,100,7\nr2,101,15\n' --csv -f w --replace --as=t
	gives 'v,w\nr1,100,7\nr1,101,8\n' 'v,w,v_sum,w_sum\nr1,100,7,100,7\nr1,101,8,201,15\n' --csv -f v,3 -a
	gives 'v,w\na,100,7\nb,101,7\na,102,8\n' 'v_sum\n100\n201\n102\n' --csv -f v --reset-on=w
}

@test "a number that contains the delimiter, but has no quotes, is no label with a number after it" {
	local split='(the delimiter in a number without quotes? see -d)'
	local amounts='date,amount\nMonday,1,234\nTuesday,5,000\n'
	# By its name or its number, with a thousands mark or a decimal comma. Without them the rule for labels holds.
	refused "$amounts" "pscan: in: line 2 has 3 fields, the header 2 names $split" --csv -f amount --thousands=,
	refused "$amounts" "pscan: in: line 2 has 3 fields, the header 2 names $split" -f amount --thousands=, -a
	refused "$amounts" "pscan: in: line 2 has 3 fields, the header 2 names $split" --csv -f 2 --decimal=, --invalid=ignore
	refused "$amounts" "pscan: in: line 2 has 3 fields, the header 2 names $split" --csv -f -1 --decimal=, -T 1
	refused 'v;w\n1,5;2\n2,5;3\n' "pscan: in: line 2 has 2 fields, the header 1 name $split" --csv -f 1 --decimal=,
	refused 'v:w\n1:30:a\n' "pscan: in: line 2 has 3 fields, the header 2 names $split" --csv -d : -f v --accept=duration
	total 234 "$amounts" --csv -f amount
	# Further down, too.
	stops 'date,amount\nMonday,500\nTuesday,5,000\n' 1 'amount_sum\n500\n' \
		"pscan: in: line 3: 3 fields, the header has 2 names: \"Tuesday,5,000\" $split" --csv -f 2 --thousands=,
	stops 'Report\nx,y,500\nx,y,5,000\n' 1 '3_sum\n500\n' \
		"pscan: in: line 3: 4 fields, the first record has 3: \"x,y,5,000\" $split" --csv --header=1 -f 3 --thousands=,
	# Quotes around the chosen numbers show where these are. A title may stand in place of names.
	gives 'v,w\nr1,"1,23",7\nr2,5,8\n' 'v,w,v_sum\nr1,"1,23",7,"1,23"\nr2,5,8,"6,23"\n' --csv -f v --decimal=, -a
	gives 'v,w\nr1,7,"1,23"\nr2,8,5\n' 'w_sum\n"1,23"\n"6,23"\n' --csv -H -f 3 --decimal=,
	gives 'k,v\na,5,\nb,"1,500",\n' 'v_sum\n5\n1505\n' --csv -f v --thousands=,
	gives 'Report\nx,y,5\nx,y,"1,500"\n' '3_sum\n5\n1505\n' --csv --header=1 -f 3 --thousands=,
	gives '1,5\n2,5\n' '1\n3\n' --csv --no-header -f 1 --decimal=,
}

@test "without a header, too, a record with more fields than the first one is no number without quotes" {
	local split='(the delimiter in a number without quotes? see -d)'
	stops 'b,5\na,1,234\n' 1 '5\n' "pscan: in: line 2: 3 fields, the first record has 2: \"a,1,234\" $split" --csv --no-header -f 2 --thousands=,
	stops 'b,5\na,1,5\n' 1 '5\n' "pscan: in: line 2: 3 fields, the first record has 2: \"a,1,5\" $split" --csv --no-header -f -1 --decimal=,
	stops 'b:5\na:1:30\n' 1 '5\n' "pscan: in: line 2: 3 fields, the first record has 2: \"a:1:30\" $split" --csv --no-header -d : -f 2 --accept=duration
	stops '# x,1,2\n5\n1,234\n' 1 '# x,1,2\n5\n' "pscan: in: line 3: 2 fields, the first record has 1: \"1,234\" $split" --csv --no-header --comment='#' -f 1 --thousands=,
	run_pscan --csv --no-header -f 2 --thousands=, --invalid=warn --missing=skip -a < <(printf 'b,5\na,1,234\nc\nd,6\n')
	assert_equal "$code $out" $'0 b,5,5\na,1,234,\nc,\nd,6,11'
	assert_equal "$err" 'pscan: warning: standard input: line 2: 3 fields, the first record has 2: "a,1,234"'
	gives 'b,5\na,"1,234"\nc,\nd,6\n' '5\n1239\n1245\n' --csv --no-header -f 2 --thousands=, --missing=skip
	gives 'b,5\na,1,234\n' '5\n6\n' --csv --no-header -f 2
	# In a later chunk, among lines with quotes and long ones. The place is that of csv.reader.
	/usr/bin/python3 -c '
for i in range(4000):
    print(f"k{i},\"{i % 999 + 1},000\",x" if i % 3 else f"k{i},{i},{str(7) * (i * 77 % 100)}")
print("k,1,234,x")' >long
	run_pscan --csv --no-header -f 2 --thousands=, --chunk-size=4K -T 3 long
	assert_equal "$code $err" "1 pscan: long: line $(/usr/bin/python3 -c 'import csv
print(next(i for i, row in enumerate(csv.reader(open("long")), 1) if len(row) > 3))'): 4 fields, the first record has 3: \"k,1,234,x\" $split"
}

@test "labels without a name move the names between blanks" {
	local free='              total        used        free\nMem:           1000         200         800\nSwap:           500         100         400\n'
	total 300 "$free" -f used
	total 1500 "$free" -f total
	total 1200 "$free" -f free
	total 300 "${free//Mem: /Mém:}" -f used
	gives '   a  b\nx  1  2\ny  3  4\n' '   a  b a_sum\nx  1  2 1\ny  3  4 4\n' -f a -a
	gives '   a  b\nx  1  2\ny  3  4\n' '   a  b\nx  1  2\ny  3  6\n' -f b --replace
	gives '   a  b\nx  1  2\ny  3  4\n' 't\n1\n4\n' -f a --as=t
	gives '     CPU0 CPU1\nTIMER:  10   20\nNET_RX:   1    2\n' 'CPU1_sum\n20\n22\n' -f CPU1
	# A tab is as wide as a terminal makes it.
	gives '        aa b\nxy\t11 z\n' 'aa_sum\n11\n' -f aa
}

@test "a leading # is no name if there is one name more than fields" {
	total 300 '#fields\tts\tbytes\tdur\n1.0\t100\t7\n2.0\t200\t8\n' --tsv -f bytes
	total 300 '#Fields: ts bytes dur\n1.0 100 7\n2.0 200 8\n' -f bytes
	total 30 '# x y z\n1 10 100\n2 20 200\n' -f y
	total 30 '#,x,y\n1,10\n2,20\n' --csv -f y
	total 30 '# x,y\n1,10\n2,20\n' --csv -f y
	# With as many names as fields it is one.
	total 30 '# x y\n1 10 100\n2 20 200\n' -f x
	total 3 '#,x,y\n1,10,100\n2,20,200\n' --csv -f '#'
	total 30 '"#";x;y\n1;10;100\n2;20;200\n' --csv -d ';' -f x
	# In quotes it is one, too: these records lack the last field.
	total 30 '"#",x,y\n1,10\n2,20\n' --csv -f x
	gives '# x y\n1 10\n2 20\n' '# x y y_sum\n1 10 10\n2 20 30\n' -f y -a
	refused '# x y\n1 10\n2 20\n' 'pscan: in: line 2: no field is under the name "#" (choose the field by number: -f N)' -f '#'
}

@test "a delimiter that ends each record is no label" {
	total 6 'a,b\n1,2,\n3,4,\n' --csv -f b
	total 6 'a;b\n1;2;\n3;4;\n' -d ';' -f b
	total 6 'a,b,\n1,2\n3,4\n' --csv -f b
	total 6 'a,b,\n1,2,\n3,4,\n' --csv -f b
	# The results are under their names.
	gives 'a,b\n1,2,\n3,4,\n' 'a,b,,b_sum\n1,2,,2\n3,4,,6\n' --csv -f b -a
	gives 'a,b,\n1,2\n3,4\n' 'a,b,,b_sum\n1,2,,2\n3,4,,6\n' --csv -f b -a
	gives 'a|b\n1|2|\n3|4|\n' 'a|b||a_sum|a_max\n1|2||1|1\n3|4||4|3\n' -d '|' -f a -op sum,max -a
	# What is not empty there has no name.
	stops 'a,b\n1,2,\n3,4,5\n' 1 'a,b,,b_sum\n1,2,,2\n' 'pscan: in: line 3: 3 fields, the header has 2 names: "3,4,5" (see --invalid)' --csv -f b -a
}

@test "a line of hundreds of bytes has as many fields as the names, or is told" {
	local long
	long=$(printf 'y%.0s' {1..150})
	{ echo k,text,n && yes "a,\"$long,\",1" | head -n 90 && printf '%s\n' "a,$long,2" "a,$long,3,4" "a,$long,5" "a,$long,6"; } >in
	run_pscan --csv -f n -g k -a in
	assert_equal "$code $(sed 's/yy*/Y/' out | tail -n 2)" $'1 a,"Y,",1,90\na,Y,2,92'
	assert_contains "$err" 'line 93: 4 fields, the header has 3 names'
}

@test "more fields than names are refused" {
	local hint='(choose the field by number: -f N)'
	refused 'a,b,c\n1,2,3,4,5\n' "pscan: in: line 2 has 5 fields, the header 3 names $hint" --csv -f c
	refused 'a;b;c\n1;2;3;4;5\n' "pscan: in: line 2 has 5 fields, the header 3 names $hint" -d ';' -f a
	refused 'a\n1\t2\t3\n' "pscan: in: line 2 has 3 fields, the header 1 name $hint" --tsv -f a -a
	refused '#x\na,b\n\n1,2,3,4\n' "pscan: in: line 4 has 4 fields, the header 2 names $hint" --csv -f a --comment='#' --replace
	refused 'k,v\na,1,2,\n' "pscan: in: line 2 has 4 fields, the header 2 names $hint" --csv -f 2 -g k
	gives 'k,v\na,1,,\nb,2\n' 'k,v,,,v_sum\na,1,,,1\nb,2,,,3\n' --csv -f v -a
	stops 'k,v\na,1,,\nb,2,3\n' 1 'v_sum\n1\n' 'pscan: in: line 3: 3 fields, the header has 2 names: "b,2,3" (see --invalid)' --csv -f v
	# By number any table is read.
	gives 'a,b,c\n1,2,3,4,5\n' '5_sum\n5\n' --csv -H -f 5
}

@test "names of two words are told by the columns on the screen" {
	local df='Filesystem     1024-blocks    Used Available Capacity Mounted on\n/dev/sda1          1000000  200000    800000      20%% /\ntmpfs                 4096      96      4000       3%% /run/lock dir\n'
	total 200096 "$df" -f Used
	total 804000 "$df" -f Available
	total 15700 'USER  PID   RSS COMMAND\nroot    1 11500 init splash quiet\nalice 812  4200 sh\n' -f RSS
	total 813 'USER  PID   RSS COMMAND\nroot    1 11500 init splash quiet\nalice 812  4200 sh\n' -f PID
	refused 'Mounted on  Used\n/home        200\n' 'pscan: in: line 2 has 2 fields, the header 3 names (choose the field by number: -f N)' -f Used
	refused 'aaaaa bb\n 1 234 5 6\n' 'pscan: in: line 2 has 4 fields, the header 2 names (choose the field by number: -f N)' -f aaaaa
}

@test "the columns on the screen are those that characters take: two, one or none" {
	total 20 '  売上高 利益\na    100   20\n' -f 利益
	total 20 '  売上高 利益\na    100   20\n' --format=text -f 利益
	total 3 '  e\314\201t\303\251 x\na   1 2\nb   2 2\n' -f $'e\xcc\x81t\xc3\xa9'
	total 30 '  🍎🍐 🚲\na   10  2\nb   20 30\n' -f 🍎🍐
	# (Bytes that are no UTF-8 take one each.)
	total 20 '  caf\351\351\351 n\na      20 3\n' --format=text -f $'caf\xe9\xe9\xe9'
	# Python knows how wide the characters of Unicode 3.2 are.
	"$PYTHON" - "$(cases 30)" <<-'END' || return
		import random, subprocess, sys, os, unicodedata as now
		old = now.ucd_3_2_0
		def width(c):
		    return 0 if now.category(c) in ("Mn", "Me") else 2 if now.east_asian_width(c) in "WF" else 1
		usable = [c for c in map(chr, range(0xa1, 0x30000)) if old.category(c) == now.category(c) and
		          old.category(c) in ("Lo", "Ll", "Mn", "Me", "So", "Nd") and old.east_asian_width(c) == now.east_asian_width(c)
		          and not 0x1160 <= ord(c) <= 0x11ff]
		kinds = [[c for c in usable if width(c) == w] for w in range(3)]
		assert min(map(len, kinds)) > 300
		random.seed(7)
		for case in range(int(sys.argv[1])):
		    names = ["".join(random.choice(random.choice(kinds)) for _ in range(random.randint(2, 25))) + c for c in "abc"]
		    fields = ["1", "22", "333"]
		    lines = [" " * 4, "row "]
		    for name, field in zip(names, fields):
		        columns = sum(map(width, name))
		        lines[0] += " " * max(1, 6 - columns) + name
		        lines[1] += " " * (max(6, columns + 1) - len(field)) + field
		    for name, field in zip(names, fields):
		        run = subprocess.run([os.environ["PSCAN"], "--total", "-f", '"' + name + '"'], input="\n".join(lines + [""]).encode(), capture_output=True)
		        assert run.stdout.decode() == field + "\n", (lines, name, run)
	END
}

@test "where labels have no name and a name has two words, equal counts of names and fields are an accident" {
	# As pandas and R print data frames.
	local pandas='   first name  value\n0         abc      5\n1           d     70\n'
	refused "$pandas" 'pscan: in: line 2: no field is under the name "first" (choose the field by number: -f N)' -f first
	total 75 "$pandas" -f value
	gives "$pandas" 'name value_sum\nabc 5\nd 70\n' -f value -g name
	local r='    value first name\n1       5        abc\n200    70          d\n'
	total 75 "$r" -f value
	refused "$r" 'pscan: in: line 2: no field is under the name "first" (choose the field by number: -f N)' -f first
	# A header that is not aligned with its table tells nothing: the counts do.
	total 13 'name value count\nalice 10 3\nbob 2000 10\n' -f count
	total 8 'a b c d\nalice 10 3 5\nbob 20 4 3\n' -f d
	total 2010 '        name value\nalice 10\nbob 2000\n' -f value
	total 3 '  PID TTY\n    1 ?\n    2 ?\n' -f PID
}

@test "equal counts are an accident under labels of two levels, too, and where a shifted name stands over a later field" {
	local two='     vol qty net wt dry wt\na 1    5   6      7      8\nb 2   50  60     70     80\n'
	total 55 "$two" -f vol
	total 66 "$two" -f qty
	refused "$two" 'pscan: in: line 2: no field is under the name "net" (choose the field by number: -f N)' -f net
	total 77 "$two" -H -f 5
	total 66 '     vol qty\na 1    5   6\nb 2   50  60\n' -f qty
	# Not all are aligned: what is over its own field is that, and nothing else is known.
	local ragged='     vol   net wt\n0     5    12\n1     6    13\n'
	refused "$ragged" 'pscan: in: line 2: no field is under the name "vol" (choose the field by number: -f N)' -f vol
	refused "$ragged" 'pscan: in: line 2: no field is under the name "net" (choose the field by number: -f N)' -f net
	# A column that is empty, and a last field of three words.
	local lsof='COMMAND  PID  TID  USER SIZE NAME\ninit       1       root   40 /x (deleted now)\n'
	total 1 "$lsof" -f PID
	refused "$lsof" 'pscan: in: line 2 has 7 fields, the header 6 names (choose the field by number: -f N)' -f SIZE
	refused "${lsof/ now/}" 'pscan: in: line 2: no field is under the name "SIZE" (choose the field by number: -f N)' -f SIZE
	# Names and fields that are not laid out on the screen, or not in the same way.
	total 6 'a b c\n123 5 6\n' -f c
	total 5 'x y z\n    4    5    6\n' -f y
	total 7 'id        n         total\n        1         7       123\n' -f n
}

@test "with a field more and single blanks alone nobody can tell labels from a last field of two words" {
	local hint='(choose the field by number: -f N)'
	refused 'v w\n1 100 7\n2 101 8\n' "pscan: in: line 2 has 3 fields, the header 2 names $hint" -f v
	refused 'n what\n1 b c\n' "pscan: in: line 2 has 3 fields, the header 2 names $hint" -f n
	total 3 'n  what\n1  b c\n2  d\n' -f n
	total 201 'v w\n1 100 7\n2 101 8\n' -H -f 2
	gives 'v w\n1 100 7\n' 'v_sum\n1\n' -H -f 1
}

@test "a record of a table with labels that lacks a cell is invalid" {
	stops '  v  w\na 1  2\nb    3\n' 1 'w_sum\n2\n' 'pscan: in: line 3: 2 fields, the first record has 3: "b    3" (-f -1 counts from the end; see --invalid)' -f w
	total 5 '  v  w\na 1  2\nb    3\n' -H -f -1
	stops '  v  w\na 1  2\nb    3\n' 1 'v_sum\n1\n' 'pscan: in: line 3: 2 fields, the first record has 3: "b    3" (see --invalid)' -f v
	run_pscan -f w --invalid=warn in
	assert_equal "$code $err" '0 pscan: warning: in: line 3: 2 fields, the first record has 3: "b    3"'
	gives '  v  w\na 1  2\nb    3\nc 4  5\n' 'w_sum\n2\n7\n' -f w --invalid=ignore
}

# --- Later records

@test "between blanks a record with a field fewer is invalid" {
	local table='time  am  name  x    y\n01:00 AM  all  1.5  5.5\nAverage:  all  2.5  8.5\n02:00 AM  all  1  2\n'
	stops "$table" 1 'x_sum\n1.5\n' 'pscan: in: line 3: 4 fields, the header has 5 names: "Average:  all  2.5  8.5" (-f -2 counts from the end; see --invalid)' -f x
	run_pscan -f x --invalid=warn in
	assert_equal "$code $out" $'0 x_sum\n1.5\n2.5'
	assert_equal "$err" 'pscan: warning: in: line 3: 4 fields, the header has 5 names: "Average:  all  2.5  8.5"'
	run_pscan -f x --invalid=fail in
	assert_equal "$code $out" $'1 x_sum\n1.5\n2.5'
	gives "$table" 'time  am  name  x    y x_sum y_sum\n01:00 AM  all  1.5  5.5 1.5 5.5\nAverage:  all  2.5  8.5 - -\n02:00 AM  all  1  2 2.5 7.5\n' -f x,y -a --invalid=ignore
	gives "$table" 'time  am  name  x    y\n01:00 AM  all  1.5  5.5\nAverage:  all  2.5  8.5\n02:00 AM  all  2.5  2\n' -f x --replace --invalid=ignore
	stops "$table" 1 'name y_sum\nall 5.5\n' 'pscan: in: line 3: 4 fields, the header has 5 names: "Average:  all  2.5  8.5" (see --invalid)' -f y -g name
	# More of them are words of the last one.
	total 6 'n what\n1 a\n2 b c\n3 d e f\n' -f n
	stops 'n what\n1 a\n2\n' 1 '' 'pscan: in: line 3: 1 field, the header has 2 names: "2" (see --invalid)' -f n --total
	# By number nothing is missing.
	gives 'n what\n1 a\n2\n' 'n_sum\n1\n3\n' -H -f 1
}

@test "between blanks a record may lack fields at its end, if the names are laid out and stand at the chosen ones" {
	local free='        total   used   free  cache\nMem:    15884   5432   1200   9252\nSwap:    2047     25   2022\n'
	gives "$free" 'used_sum\n5432\n5457\n' -f used
	stops "$free" 1 '        total   used   free  cache used_sum\nMem:    15884   5432   1200   9252 5432\n' 'pscan: in: line 3: 4 fields, the first record has 5: "Swap:    2047     25   2022" (see --invalid)' -f used -a
	gives "$free" '        total   used   free  cache\nMem:    15884   5432   1200   9252\nSwap:    2047     5457   2022\n' -f used --replace
	total 17931 "$free" -f total
	stops "$free" 1 'cache_sum\n9252\n' 'pscan: in: line 3: 4 fields, the first record has 5: "Swap:    2047     25   2022" (see --invalid)' -f cache
	stops "$free" 1 'used_sum cache_sum\n5432 9252\n' 'pscan: in: line 3: 4 fields, the first record has 5: "Swap:    2047     25   2022" (see --invalid)' -f used,cache
	gives "$free" 'used_sum\n5432\n25\n' -f used --reset-on=1
	# A cell is missing before the chosen one, which is not under its name, or not aligned with it.
	local gap='k     used   free\na        1      2\nb               3\n'
	stops "$gap" 1 'used_sum\n1\n' 'pscan: in: line 3: 2 fields, the header has 3 names: "b               3" (see --invalid)' -f used
	stops 'k     used   free\na        1      2\nb       3\n' 1 'used_sum\n1\n' 'pscan: in: line 3: 2 fields, the header has 3 names: "b       3" (see --invalid)' -f used
	# Names between single blanks tell nothing about columns.
	stops 'k v w\na 1 2\nb 3\n' 1 'v_sum\n1\n' 'pscan: in: line 3: 2 fields, the header has 3 names: "b 3" (see --invalid)' -f v
}

@test "between blanks a record with a field more is invalid where a name is no longer over its field" {
	local hint='(a blank within a field? see --invalid)'
	from_end() { echo "(a blank within a field? -f -$1 counts from the end; see --invalid)"; }
	local df='Filesystem     1K-blocks    Used Available Mounted on\n/dev/sda1        1000000  200000    800000 /\n//srv/my share   2000000  300000   1700000 /mnt\n/dev/sdb1        1000000  400000    600000 /my disk\n'
	stops "$df" 1 'Used_sum\n200000\n' "pscan: in: line 3: field 3 is not under its name \"Used\": \"//srv/my share   2000000  300000   1700000 /mnt\" $(from_end 3)" -f Used
	head -n 3 in >three
	assert_equal "$("$PSCAN" -H -f -3 --total three | tail -n 1)" 500000
	run_pscan -f Used --invalid=warn three
	assert_equal "$code $err" '0 pscan: warning: three: line 3: field 3 is not under its name "Used": "//srv/my share   2000000  300000   1700000 /mnt"'
	gives "$df" 'Used_sum\n200000\n600000\n' -f Used --invalid=ignore
	stops "$df" 1 'Available 1K-blocks_sum\n' "pscan: in: line 3: field 4 is not under its name \"Available\": \"//srv/my share   2000000  300000   1700000 /mnt\" $hint" -f 2 -g Available --total
	local ps='USER  PID   RSS COMMAND\nroot    1 11500 init splash quiet\n'
	total 15700 "${ps}alice 812  4200 sh a b c d\n" -f RSS
	total 15700 "${ps}älice 812  4200 sh a b\n" -f RSS
	total 15700 "${ps}alice\t 812 4200 sh a\n" -f RSS
	stops "${ps}svc ac 812 4200 sh\n" 1 'RSS_sum\n11500\n' "pscan: in: line 3: field 3 is not under its name \"RSS\": \"svc ac 812 4200 sh\" $hint" -f RSS
	stops "${ps}a b   12  4200 sh\n" 1 'PID_sum\n1\n' "pscan: in: line 3: field 2 is not under its name \"PID\": \"a b   12  4200 sh\" $hint" -f PID
	# The first name has nothing before it.
	total 13 'n x what\n1 5 a\n12 60 b c\n' -f n
	stops 'n x what\n1 5 a\n12 60 b c\n' 1 'x_sum\n5\n' "pscan: in: line 3: field 2 is not under its name \"x\": \"12 60 b c\" $hint" -f x
	total 65 'n x what\n1 5 a\n12 60 b c\n' -H -f 2
	# The next field fits better.
	stops ' v  w  t\n10 20 x\n7 80 90 x\n' 1 'v_sum\n10\n' "pscan: in: line 3: field 1 is not under its name \"v\": \"7 80 90 x\" $hint" -f v
	# So it does where the name is over both: 8 ends where vvv does.
	stops ' vvv ww\n 100 20\n70 8 20\n' 1 'vvv_sum\n100\n' "pscan: in: line 3: field 1 is not under its name \"vvv\": \"70 8 20\" $(from_end 2)" -f vvv
}

@test "in a table in columns a record with as many fields is invalid where a name is over another field" {
	local hint='(a blank within a field? see --invalid)'
	local items='ITEM       PRICE QTY NOTE\npear         100   2 3\n'
	local line
	for line in 'wine 2019      7   9' 'win 2019       7   9' 'wine  20190101 7   9'; do
		stops "$items$line\n" 1 'PRICE_sum\n100\n' "pscan: in: line 3: field 2 is not under its name \"PRICE\": \"$line\" $hint" -f PRICE
	done
	gives "${items}wine 2019      7   9\nfig            5   1 1\n" 'PRICE_sum\n100\n105\n' -f PRICE --invalid=ignore
	line='               7   9 1 1'
	stops "$items$line\n" 1 'PRICE_sum\n100\n' "pscan: in: line 3: field 2 is not under its name \"PRICE\": \"$line\" $hint" -f PRICE
	line='ünïcödé-wïne 7   9 x'
	total 107 "$items$line\n" -f PRICE
	# After "#", and where the first record has more fields than names.
	line='  wine 2019      7   9'
	stops "# ITEM       PRICE QTY NOTE\n  pear         100   2 3\n$line\n" 1 'PRICE_sum\n100\n' "pscan: in: line 3: field 2 is not under its name \"PRICE\": \"$line\" $hint" -f PRICE
	line='pear           7   9 1 1'
	stops "ITEM       PRICE QTY NOTE\nred apple    100   2 3\n$line\n" 1 'PRICE_sum\n100\n' "pscan: in: line 3: field 3 is not under its name \"PRICE\": \"$line\" $hint" -f PRICE
	# The first record itself.
	refused 'USED RSS         TTY\n     2942502 11 22\n' 'pscan: in: line 2: no field is under the name "RSS" (choose the field by number: -f N)' -f RSS
	# Wide fields push the next ones, and so do wide names.
	total 6 'name  value x\nabc       1 2\nlongernamesxxx     2 4\n' -f x
	total 3 'name  value x\nabc       1 2\nlonger-name-x     2 4\n' -f value
	total 3 'name value\nabc 1\nlongername 2\n' -f value
	total 3 'id  temperature pressure\n1   1   5\n2   2   6\n' -f temperature
	total 8 ' a temperature pressure\n 1     3     5\n 2     5     6\n' -f temperature
}

@test "between delimiters a short record is padded under -a" {
	gives 'a,b,c\n1,2\n3,4,5\n' 'a,b,c,a_sum\n1,2,,1\n3,4,5,4\n' --csv -f a -a
	gives 'a,b,c\n1,2,3\n4\n5,6,7\n' 'a,b,c,a_sum,a_max\n1,2,3,1,1\n4,,,5,4\n5,6,7,10,5\n' --csv -f a -op sum,max -a
	gives 'a;b;c\n1;2;3\n4\n' 'a;b;c;a_sum\n1;2;3;1\n4;;;5\n' -d ';' -f a -a
	gives 'a\tb\tc\n1\t2\t3\n4\n' 'a\tb\tc\ta_sum\n1\t2\t3\t1\n4\t\t\t5\n' --tsv -f a -a
	gives 'v,w\nr,1,2\ns,3\n' 'v,w,v_sum\nr,1,2,1\ns,3,,4\n' --csv -f v -a
	gives '"a","b"\r\n"1","2"\r\n"3"\r\n' '"a","b","a_sum"\r\n"1","2",1\r\n"3",,4\r\n' --csv -f a -a
	gives 'a,b,c\n1,2,3\n4\n' 'a,b,c,b_sum\n1,2,3,2\n4,,,\n' --csv -f b -a --missing=skip
	gives 'a,b,c\n1,2,3\n4\n' 'a,b,c\n1,2,3\n4,2\n' --csv -f b --replace --missing=zero
	gives 'a,b,c\n1,2,3\n1\n' 'a_sum\n1\n2\n' --csv -f a
}

@test "between delimiters a record with more fields than names is invalid" {
	stops 'a,b\n1,2\n3,4,5\n6,7\n' 1 'a,b,a_sum\n1,2,1\n' 'pscan: in: line 3: 3 fields, the header has 2 names: "3,4,5" (see --invalid)' --csv -f a -a
	stops 'a,b\n1,2\n3,4,\n' 1 'a_sum\n1\n' 'pscan: in: line 3: 3 fields, the header has 2 names: "3,4," (see --invalid)' --csv -f a
	stops 'a|b\n1|2\n3|4|5\n' 1 '' 'pscan: in: line 3: 3 fields, the header has 2 names: "3|4|5" (see --invalid)' -d '|' -f a --total
	gives 'a,b\n1,2\n3,4,5\n6,7\n' 'a,b,a_sum\n1,2,1\n3,4,5,\n6,7,7\n' --csv -f a -a --invalid=ignore
	gives 'a,b\n1,"2\n2"\n3,4\n' 'a_sum\n1\n4\n' --csv -f a
	stops 'v,w\nr,1,2\ns,3,4,5\n' 1 'v_sum\n1\n' 'pscan: in: line 3: 4 fields, the first record has 3: "s,3,4,5" (see --invalid)' --csv -f v
	stops 'k,v\na,1\nb,2,3\n' 1 'k,v_sum\na,1\n' 'pscan: in: line 3: 3 fields, the header has 2 names: "b,2,3" (see --invalid)' --csv -f v -g 1
	# Among many lines, which are taken together.
	{
		echo a,b
		yes 1,2 | head -n 2000
		printf '3,4,5\n6,7\n'
	} >long
	run_pscan --csv -f a long
	assert_equal "$code $(wc -l <out) $err" '1 2001 pscan: long: line 2002: 3 fields, the header has 2 names: "3,4,5" (see --invalid)'
}

@test "a header that is repeated is no record and passes through" {
	gives 'a b\n1 2\na b\n3 4\n' 'b_sum\n2\n6\n' -f b
	gives 'a b\n1 2\na b\n3 4\n' 'a b b_sum\n1 2 2\na b\n3 4 6\n' -f b -a
	gives 'a,b\n1,2\na,b\n3,4\n' 'a,b\n1,2\na,b\n3,6\n' --csv -f b --replace
	gives 'a,b\r\n1,2\r\na,b\r\n3,4\r\n' 'a,b,b_sum\r\n1,2,2\r\na,b\r\n3,4,6\r\n' --csv -H -f 2 -a
	gives '"a b","c"\n1,2\n"a b","c"\n3,4\n' '"c_sum"\n2\n6\n' --csv -f c
	gives 'k,2020\nk,2020\n1,2\nk,2020\n3,4\n' '2020_sum\n2\n6\n' -d , -H -f 2
	gives 'one\ntwo v\nx 1\ntwo v\none 2\n' 'one\nv_sum\n1\n3\n' --header=2 -f v
	total 6 'a b\na b\n1 2\na b\n3 4\na b\n' -f b
	# Its first name begins with a line end.
	gives '"\nk",v\na,1\n"\nk",v\nb,2\n' '"\nk",count\na,1\nb,1\n' --csv -H -g 1 -op count --total
	gives '"\nk",5\na,1\n"\nk",5\nb,2\n' '"\nk",5,5_sum\na,1,1\n"\nk",5\nb,2,3\n' --csv -H -f 2 -a
	gives '"\r",v\na,1\n"\r",v\n"\nb",2\n' 'v_sum\n1\n3\n' --csv -H -f v
}

@test "a header that is repeated is no record where all tokens are taken, either" {
	gives 'x 5\n1\nx 5\n2\n' 'x 5\n1\n3\n' -H
	gives 'x\n1\nx\n2\nx' 'x\n1\n3\n' -H
	gives 'x y\r\n1 2\r\nx y\r\n3\r\n' 'x y\r\n1\n3\n6\n' -H
	gives '9\n5 x\n1 2\n5 x\n5 5 6\n' '9\n5 x\n1 1\n2 3\n5 x\n5 8\n5 13\n6 19\n' --header=2 -a
	gives 'x\n#x\n1\nx\n0.5\n#\nx\n5.0\n' 'x\n#x\n1\n1.5\n#\n6.5\n' -H --comment='#'
	printf 'x\n1\n' >one
	printf 'x\n2\nx\n3\n' >two
	run_pscan -H one two
	assert_equal "$code $out$err" $'0 x\n1\n3\n6'
	# In chunks that end anywhere.
	"$PYTHON" - >random <<-'END'
		import random
		random.seed(5)
		lines = [random.choice(("x 8", " x  8", "8 7", "7", "78", "7 8 8")) for _ in range(150000)]
		print("\n".join(["x 8"] + lines))
		open("sums", "w").write("%d\n" % sum(int(t) for line in lines if "x" not in line for t in line.split()))
	END
	local size
	for size in 1 30000 100000; do
		run_pscan -H --total --chunk-size="$size" random
		assert_equal "$size: $code $out" "$size: 0 $(cat sums)"
	done
	run_pscan -H --total <random
	assert_equal "$code $out" "0 $(cat sums)"
}

@test "a later line that equals a header of numbers is a record" {
	gives '3\n1\n2\n3\n' '3\n1\n3\n6\n' -H
	gives '3\n1\n2\n3\n' '3\n1 1\n2 3\n3 6\n' -H -a
	gives '3\n1\n2\n3\n' '3\n6\n5\n3\n' -H --reverse
	gives '2 3\n1 2\n2 3\n' '3_sum\n2\n5\n' -H -f 2-2
	gives '2 3\n1 2\n2 3\n' '2 3 3_sum\n1 2 2\n2 3 5\n' -H -f 2-2 -a
	gives '2 3\n1 2\n2 3\n' '2 3\n1 2\n2 5\n' -H -f 2-2 --replace
	gives '2,3\n1,2\n2,3\n' '3_sum\n5\n3\n' --csv -H -f 2-2 --reverse
	gives '"2","3"\n1,2\n2,3\n"2","3"\n' '"2",s\n1,2\n2,3\n2,6\n' --csv -H -f 2-2 -g 1 --as=s
	gives 'x\n2\n3\n2\n3\nx\n' 'x\n2\n3\n2\n5\n' --header=3 --header-names=1 --invalid=ignore
	# Numbers are what the options call so.
	gives '1.234,5\n1\n1.234,5\n' '1.234,5\n1\n1235,5\n' -H --decimal=, --thousands=.
	gives '1.234,5\n1\n1.234,5\n' '1.234,5\n1\n' -H
	gives '5%% 2\n1 2\n5%% 2\n' 's\n1\n6\n' -H -f 1 --as=s --accept=percent
	printf '2,3\n1,2\n2,3\n' >one
	printf '2,3\n2,3\n4,4' >two
	run_pscan --csv -H -f 2-2 one two
	assert_equal "$code $out$err" $'0 3_sum\n2\n5\n8\n12'
	# It is the first record, too.
	printf '1,2\n1,2\n' >first
	printf '1,2\nr,1,2\n' >labels
	run_pscan --csv -H -f 2-2 first labels
	assert_equal "$code $out$err" $'0 2_sum\n2\n3'
	run_pscan --csv -H -f 2-2 --state=S one
	assert_equal "$code $out$err" $'0 3_sum\n2\n5'
	printf '2,3\n' >>one
	run_pscan --csv -H -f 2-2 --state=S one
	assert_equal "$code $out$err" '0 8'
}

@test "a repeated header may have a byte order mark before it, other quotes and other blanks" {
	local mark='\xef\xbb\xbf'
	gives "k,v\nx,1\n${mark}k,v\nx,2\n" 'k,count\nx,2\n' --csv -g k -op count --total
	gives "k,v\nx,1\n${mark}\"k\",v\n\"k\",\"v\"\n  k, v \nx,2\n" "k,v,v_sum\nx,1,1\n${mark}\"k\",v\n\"k\",\"v\"\n  k, v \nx,2,3\n" --csv -f v -a
	gives "\"k\",\"v\"\n\"x\",1\n${mark}\"k\",\"v\"\nk,v\n\"x\",2\n" '"k",count\nx,2\n' --csv -g k -op count --total
	gives "k;v\nx;1\n${mark}k;v\nx;2\n" 'k;v_distinct\nx;2\n' -d ';' -g k -f v -op distinct --total
	gives ",v\nx,1\n${mark},v\n\"\",v\nx,2\n" 'v_sum\n1\n3\n' --csv -f v
	gives '"k ""a""",v\nx,1\n"k ""a""","v"\nx,2\n' 'v_sum\n1\n3\n' --csv -f v
	gives "k v\nx 1\n${mark}k v\n  k   v\nk\tv \nx 2\n" 'k v v_sum\nx 1 1\n'"$mark"'k v\n  k   v\nk\tv \nx 2 3\n' -f v -a
	gives "k v\n1 2\n${mark}k v\n3\n" 'k v\n1\n3\n6\n' -H
	gives "k,v\r\nx,1\r\n${mark}k,v\r\nx,2\r\n" 'v_sum\n1\n3\n' --csv -f v
	printf 'k,v\nx,1\n' >one
	printf '\xef\xbb\xbf"k","v"\nx,2\n' >two
	gzip one two
	cat one.gz two.gz >both.gz
	run_pscan --csv -g k -op count --total both.gz
	assert_equal "$code $out$err" $'0 k,count\nx,2'
	# Other fields are no header, whatever is beside them.
	gives 'k,a b\nx,1\nk,ab\nk,"a b"\nk\n' 'k,count\nx,1\nk,2\n' --csv -g k -op count --total
	gives 'a 12\nx 1\na 1 2\n' 'a count\nx 1\na 1\n' -H -g 1 -op count --total
	gives 'k\tv\t\nx\t1\t\nk\tv\n' 'k\tcount\nx\t1\nk\t1\n' --tsv -g k -op count --total
	gives 'k,v\nx,1\n"k,v"\n' 'k,count\nx,1\n"k,v",1\n' --csv -g k -op count --total
	gives 'k;v\nx;1\n"k";v\n' 'k;count\nx;1\n"k";1\n' -d ';' -g k -op count --total -H
	# A mark before another line would be in its first field.
	stops "k,v\nx,1\n${mark}x,2\n" 1 'v_sum\n1\n' 'pscan: in: line 3: a byte order mark before the line: "\xef\xbb\xbfx,2" (joined files? sed '"'s/^\\xef\\xbb\\xbf//')" --csv -f v
	stops "x,1\n${mark}x,2\n" 1 '1\n' 'pscan: in: line 2: a byte order mark before the line: "\xef\xbb\xbfx,2" (joined files? sed '"'s/^\\xef\\xbb\\xbf//')" --csv -f 2
	# Among many lines, which are taken together.
	yes '"x","1"' | head -n 300 >some
	{ echo '"k","5"' && cat some && echo '"k","5"' && cat some; } >in
	run_pscan --csv -H -f 2 --total in
	assert_equal "$code $out $err" '0 600 '
	printf '\xef\xbb\xbfx,7\n' >>in
	run_pscan --csv -H -f 2 --total in
	assert_equal "$code ${err%%\"*}" '1 pscan: in: line 603: a byte order mark before the line: '
	cat some >>in
	run_pscan --csv -H -f 2 --total in
	assert_equal "$code ${err%%\"*}" '1 pscan: in: line 603: a byte order mark before the line: '
}

@test "names mean the same in several files, which have one header" {
	printf 'v,w\n' >one
	printf 'v,w\nr1,100,7\n' >two
	printf 'v,w\nv,w\nr2,101,8\n' >three
	run_pscan --csv -f v one two three
	assert_equal "$code $out$err" $'0 v_sum\n100\n201'
	run_pscan --csv -f w -a one one two three
	assert_equal "$code $out$err" $'0 v,w,w_sum\nr1,100,7,7\nv,w\nr2,101,8,15'
	cat one two three | "$PSCAN" --csv -f v --total >out
	assert_equal "$(tail -n 1 out)" 201
	# Each part of a stream that comes by and by is read so.
	(cat one; printf 'r1,100,7\n'; printf 'r2,101,8\n') | "$PSCAN" --csv -f v >out
	assert_equal "$(cat out)" $'v_sum\n100\n201'
}

@test "a later file with labels has them, too, where the last cell of its first record is empty" {
	printf 'x,y\na,1,2\nb,2,3\n' >one
	printf 'x,y\na,1,\nb,2,3\n' >two
	printf '"x","y"\n"1",1,2\n' >r1
	printf '"x","y"\n"1",4,\n' >r2
	run_pscan --csv -f x one two one
	assert_equal "$code $err $(paste -sd ' ' out)" '0  x_sum 1 3 4 6 7 9'
	run_pscan --csv -f y -a --missing=skip one two
	assert_equal "$code $err $(paste -sd ' ' out)" '0  x,y,y_sum a,1,2,2 b,2,3,5 a,1,, b,2,3,8'
	run_pscan --csv -f x r1 r2
	assert_equal "$code $err $(paste -sd ' ' out)" '0  "x_sum" 1 5'
	# What may be a record that a delimiter ends is not guessed, nor is one without a label.
	local record
	for record in '1,2,' '1,2'; do
		printf 'x,y\n%s\n' "$record" >two
		run_pscan --csv -f x one two
		assert_equal "$code $err" "1 pscan: two: line 2: the names belong to other fields than in the first file: \"$record\""
	done
	printf 'x,y\n1,2,\n' >two
	run_pscan --csv -f x two one
	assert_equal "$code $err" '1 pscan: one: line 2: the names belong to other fields than in the first file: "a,1,2"'
}

# --- Numbers and names

@test "a quoted name is always a name, and a number beyond the last field may be one" {
	local years='country,2019,2020\nA,1,2\nB,3,4\n'
	total 6 "$years" --csv -f '"2020"'
	total 6 "$years" --csv -H -f 2020
	total 4 "$years" --csv -f '"2019"'
	gives "$years" '2019_sum,2020_sum\n1,2\n4,6\n' --csv -f '"2019","2020"'
	gives "$years" 'country,2019,2020,2020_sum\nA,1,2,2\nB,3,4,6\n' --csv -H -f 2020 -a
	# Without a header it is not a name, and whether there is a header cannot be known.
	local in_doubt='pscan: in: line 1 may be a header: say -H or --no-header'
	stops "$years" 2 '' "$in_doubt" --csv -f 2020
	stops '5,10,1\n6,20,2\n7,30,3\n' 2 '' "$in_doubt" --csv -f 10
	stops '5\t10\n6\t20\n' 2 '' "$in_doubt" --tsv -f 10 -a
	stops '5,10,1\n6,20,2\n' 1 '' 'pscan: in: line 1, field 10: the line has 3 fields: "5,10,1" (see -f)' --csv -f 10 --no-header
	gives 'school,k,02\nA,5,20\nA,6,21\nB,6,21\n' 'school,02_sum\nA,41\nB,21\n' --csv -g school -f '"02"' --total
	gives 'k,1\na,2\nb,3\n' 'k,1_sum\na,2\nb,3\n' --csv -g k -f '"1"' --reset-on='"k"'
	total 5 'a b\t1\n2\t4\n3\t1\n' --tsv -f '"1"'
	total 5 '"a,b",c\n2,4\n3,1\n' --csv -f '"a,b"'
	gives '"a,b",c\n2,4\n3,1\n' '"a,b_sum",c_sum\n2,4\n5,5\n' --csv -f '"a,b",c'
	total 5 '"a ""b""",c\n2,4\n3,1\n' --csv -f '"a ""b"""'
	total 5 '   10  20\nx   1   2\ny   4   3\n' -f '"20"'
	# A number that is no name is a field's, and up to the last field always.
	total 9 '9,2\n4,8\n5,1\n' --csv -H -f 1
	stops "$years" 1 '' 'pscan: in: line 2, field 7: the line has 3 fields: "A,1,2" (see -f)' --csv -H -f 7 --total
	stops "$years" 1 '' 'pscan: in: line 1: no field is called "3" (there are "country", "2019", "2020")' --csv -f '"3"'
	run_pscan --csv -f '""' in
	assert_equal "$code $err" '2 pscan: -f: a field is missing (see --help=-f)'
}

@test "a header that may have years for names is in doubt, if the numbers below are not years" {
	local in_doubt='pscan: in: line 1: a header of numbers, or data? see -H and --no-header'
	local years='country,2020,2021\nA,1,2\nB,3,4\n'
	stops "$years" 2 '' "$in_doubt" --csv -f 2
	stops "$years" 2 '' "$in_doubt" --csv -f 2,-1 -a -g 1
	stops "$years" 2 '' "$in_doubt" --csv -f 2 -r
	stops "${years//,/\\t}" 2 '' "$in_doubt" --tsv -f 3 --total
	stops 'x,1800\nA,2101\n' 2 '' "$in_doubt" --csv -f 2
	stops 'x,2100\nA,1799\n' 2 '' "$in_doubt" --csv -f 2
	stops 'x,2019.0,2020.0\nA,5,6\n' 2 '' "$in_doubt" --csv -f 2
	stops '# none\n"country","2020"\n\nA,\n' 2 '' "$in_doubt" --csv -f 2 --comment=#
	stops 'country,2020\n' 2 '' "$in_doubt" --csv -f 2
	gives "$years" '2020_sum\n1\n4\n' --csv -f 2 -H
	gives "$years" '2020\n2021\n2024\n' --csv -f 2 --no-header
	# A column of years, one that is not of years, no words beside it, and fields that --csv does not cut.
	gives 'A,2020\nB,1999\n' '2020\n4019\n' --csv -f 2
	gives 'A,1799\nB,1\n' '1799\n1800\n' --csv -f 2
	gives 'A,2101\nB,1\n' '2101\n2102\n' --csv -f 2
	gives 'A,2020.5\nB,1\n' '2020.5\n2021.5\n' --csv -f 2
	gives '7,2020\n8,1\n' '2020\n2021\n' --csv -f 2
	gives 'A,2020,5\nB,1,6\n' '2020,5\n2021,11\n' --csv -f 2,3
	gives 'A,2020,5\nB,1,6\n' '2020\n2021\n' --csv -f 2
	gives 'k,5,A,2020\nk,6,B,1\n' '2020\n2021\n' --csv -f 4
	gives 'A,2020\nA,1\n' '2020\n2021\n' --csv -f 2
	gives 'A,x,2020\nB,x,1\n' '2020\n2021\n' --csv -f 3
	gives 'A,2020\nB,1\n' '2020\n2021\n' -d , -f 2
	# The first run with a record says what line 1 is.
	: >empty
	run_pscan --csv -f 2 --state=S empty
	assert_equal "$code $out$err" '0 '
	printf 'country,2020\nA,1\n' >in
	run_pscan --csv -f 2 --state=S in
	assert_equal "$code $out $err" "2  $in_doubt"
	printf 'A,2020\nB,1999\n' >in
	run_pscan --csv -f 2 --state=S in
	assert_equal "$code $out" $'0 2020\n4019'
	printf 'C,2000\nD,1\n' >new
	run_pscan --csv -f 2 --state=S new
	assert_equal "$code $out" $'0 6019\n6020'
}

@test "a header that may have months, days, counted columns or quoted numbers for names is in doubt, too" {
	local in_doubt='pscan: in: line 1: a header of numbers, or data? see -H and --no-header' header
	# Before records of amounts these are headers.
	for header in ',2019,2020' '"",2019,2020' '"","2019","2020"' 'k,20240101,20240102' 'k,202401,202402' ',202411,202512' ',0,1' '"",0,1' \
		'k,1850,1860' 'k,2019.0,2020.0' ',20231231,' 'k,"1","2"' 'k,"1",2' '"7","1","2"' 'k,202401.0,1 %%'; do
		stops "$header\nA,5.5,6\n" 2 '' "$in_doubt" --csv -f 2
		stops "$header\nA,5.5,6\n" 2 '' "$in_doubt" --csv -f 2 -g 1 -a
		gives "$header\nA,5.5,6\nB,1,2\n" 's\n5.5\n6.5\n' --csv -H -f 2-2 --as=s
	done
	stops '\t2019\t2020\nA\t5\t6\n' 2 '' "$in_doubt" --tsv -f 2,3
	stops '"";"2019"\nA;5\n' 2 '' "$in_doubt" --csv -d ';' -f 2
	stops ',0\nA,5\n' 2 '' "$in_doubt" --csv -f 2
	stops ',0,1\n' 2 '' "$in_doubt" --csv -f 2
	stops '"a","1"\n"A",5\n' 2 '' "$in_doubt" --csv -f 2
	# And these are records.
	local data
	for data in 'k,20241301' 'k,20240001' 'k,20240132' 'k,20240100' 'k,202413' 'k,202400' 'k,17991231' 'k,2019.5' 'k,02019' 'k,2101.0' \
		',1' ',0.0' ',5,6' ',0,2' ',1,2' '0,0,1' 'k,0,1' '"k",1' '0,"",1' 'k,-2019' '5,2019' '"5",2019'; do
		run_pscan --csv -f -1 --total < <(printf '%s\nA,5,6\n' "$data")
		assert_equal "$data: $code $err" "$data: 0 "
	done
	# So they are if the next record has such numbers or quotes, too, or an empty first field.
	gives 'k,20240101\nA,20231231\n' '20240101\n40471332\n' --csv -f 2
	gives 'k,202401\nA,202312\n' '202401\n404713\n' --csv -f 2
	stops 'k,202401\nA,2023\n' 2 '' "$in_doubt" --csv -f 2
	gives ',0,1\n,5,6\n' '0\n5\n' --csv -f 2
	gives ',2019\n,5\n' '2019\n2024\n' --csv -f 2
	gives 'k,"1"\nA,"5"\n' '1\n6\n' --csv -f 2
	gives 'k,"1"\nA,\n' '1\n1\n' --csv -f 2 --missing=zero
	gives 'k,"1",2\nA,5,"6"\n' '1,2\n6,8\n' --csv -f 2,3
	gives 'k,"1",2\nA,5,6\n' '1,2\n6,8\n' --csv -f 2,3
	stops 'k,2019,2020\nA,2018,5\n' 2 '' "$in_doubt" --csv -f 2,3
	# These quotes are needed.
	gives 'k,"1,234"\nA,500\n' '1234\n1734\n' --csv -f 2 --thousands=,
	gives 'k,"1,5"\nA,5\n' '"1,5"\n"6,5"\n' --csv -f 2 --decimal=,
}

@test "fields are counted from the last one" {
	gives 'a 1\nb x 2\n3\n' '1\n3\n6\n' -f -1
	gives 'a 1\nb x 2\n3\n' 'a 1 1\nb x 2 3\n3 6\n' -f -1 -a
	gives 'a 1 x\nb y 2 x\n' 'a 1 x\nb y 3 x\n' -f -2 --replace
	gives 'a,1,"x"\nb,"2,5",4\n' '1,\n,4\n' --csv --no-header -f -2,-1 --missing=skip --invalid=ignore
	total 6 'k,v,w\na,1,2\nb,3,4\n' --csv -f -1
	gives 'k,v,w\na,1,2\nb,3,4\n' 'v_sum,w_sum\n1,2\n4,6\n' --csv -H -f -2,-1
	gives 'k,v\na,1,2\nb,3,4\n' 'k,v,v_sum\na,1,2,2\nb,3,4,6\n' --csv -H -f -1 -a
	gives '1 a\n2 b c\n3 a\n' 'a 1\nc 2\na 4\n' -f 1 -g -1
	gives '1 a x\n2 a y\n3 a y\n' '1\n2\n5\n' -f 1 --reset-on=-1
	gives '1 2 3\n4 5 6\n' '3\n9\n' -c 3 -f -1
	gives '1 2\n3\n4 5\n' '1\n1\n5\n' -f -2 --missing=hold
	gives '127.0.0.1 - - [10/Oct/2000:13:55:36 -0700] "GET / HTTP/1.0" 200 2326\n' '2326\n' --log -f -1
	stops '1 2\n3\n' 1 '1\n' 'pscan: in: line 2: the line has 1 field: "3" (see --missing)' -f -2
	stops '1,2\n3\n' 1 '1,2\n' 'pscan: in: line 2: not in the line, so nothing can be replaced: "3" (see --missing=skip)' -d , -f -2 --replace --missing=zero
	printf '\1\0\2\0\3\0\4\0' >raw
	run_pscan --format=binary -t i16 -c 2 -f -1 --output-format=text raw
	assert_equal "$code $out" $'0 2\n6'
	run_pscan -f -1,2 --replace in
	assert_equal "$code $err" '2 pscan: --replace: 2 and -1 may be one field: count all fields from the end, or none (see -f)'
	run_pscan -f -0 in
	assert_equal "$code" 2
}

@test "a range that is open to the right goes to the last field that has a name, and fields from the end have their own names" {
	gives 'a,b,c\nl,1,2,3\n' 'a_sum,b_sum,c_sum\n1,2,3\n' --csv -H -f 2-
	gives 'a,b,c\nl,1,2,3\n' 'a,b,c,b_sum,c_sum\nl,1,2,3,2,3\n' --csv -f 3- -a
	gives 'a;b\n1;2;\n3;4;\n' 'a;b;;a_sum;b_sum\n1;2;;1;2\n3;4;;3;4\n' -d ';' -f 1- -a -g a
	gives 'a,b,c\n1,2\n' 'a_sum,b_sum,c_sum\n1,2,0\n' --csv -H -f 1- --missing=zero
	gives '# x y\n1 2\n3 4\n' 'x_sum y_sum\n1 2\n4 6\n' -H -f 1-
	gives '   a  b\nx  1  2\n' 'a_sum b_sum\n1 2\n' -H -f 2-
	gives '     vol qty\na 1    5   6\n' 'vol_sum qty_sum\n5 6\n' -H -f 3-
	gives 'n  used Mounted on\n1    20 3\n' 'n_sum used_sum Mounted_sum\n1 20 3\n' -H -f 1-
	gives 'PID RSS COMMAND\n  1   5 6 7\n' 'RSS_sum COMMAND_sum\n5 6\n' -H -f 2-
	gives 'a,b\n' 'b_sum\n' --csv -H -f 2-
	# The first record says so, however long it takes to come.
	run_pscan --csv -H -f 2- --comment='#' -a < <(printf 'a,b\n'; sleep 0.2; printf '\n#\nl,1,'; sleep 0.2; printf '2\nm,3,4\n')
	assert_equal "$code ${out//$'\n'/ } $err" '0 a,b,a_sum,b_sum  # l,1,2,1,2 m,3,4,4,6 '
	run_pscan --csv -f 2- < <(printf 'a,b\n'; sleep 0.2; printf 'l,1,2\n')
	assert_equal "$code ${out//$'\n'/ } $err" '0 a_sum,b_sum 1,2 '
	gives 'a,b\na,b\n#\nl,1,2\n' 'a_sum,b_sum\n#\n1,2\n' --csv -H -f 2- --comment='#' --header-names=1
	gives 'a,b\nu,v\nu,v\nl,1,2\n' 'a_sum,b_sum\nu,v\n1,2\n' --csv --header=2 -f 2- --header-names=1
	gives 'k,v\nr,a,1\n' 'k,v_sum\na,1\n' --csv -H -f 3- -g 2
	refuses() {
		run_pscan "${@:2}" in
		assert_equal "${*:2}: $code $out $err" "${*:2}: 2  pscan: $1"
	}
	printf 'a,b,c\n1,2,3,4,5\n' >in
	refuses '-f "1-": the first record has 5 fields, the header 3 names: give the number of the last field as well' --csv -H -f 1-
	printf 'v w\n1 2 3\n' >in
	refuses '-f "2-": the first record has 3 fields, the header 2 names: give the number of the last field as well' -H -f 2-
	printf 'a,b\n1,2\n' >in
	refuses '-f "3-": the first line has no such field' --csv -H -f 3-
	gives 'a,b,c\n1,2,3,\n' 'c_sum\n3\n' --csv -H -f -2
	gives 'a,b,c\n1,2,3,\n4,5,6,\n' 'a,b,c,,c_sum,b_sum\n1,2,3,,3,2\n4,5,6,,6,5\n' --csv -f -2,-3 -g a -a
	gives 'a,b,c\n1,2\n' 'b_sum\n2\n' --csv -H -f -1
	gives 'a,b\nl,1,2\n' 'a_sum\n1\n' --csv -H -f -2
	gives '# x y\n1 2\n' 'y_sum x_sum\n2 1\n' -H -f -1,-2
	gives 'PID RSS COMMAND\n  1   5 6 7\n' 'COMMAND_sum\n7\n' -H -f -1
}

# --- Headers that are found

@test "--csv and --tsv find the header" {
	total 15 'date,host,bytes\n2026-01-01,a,10\n2026-01-02,b,5\n' --csv -f 3
	gives 'host,bytes\na,10\nb,5\n' 'bytes_sum\n10\n15\n' --csv -f 2
	gives 'host\tbytes\na\t10\nb\t5\n' 'host\tbytes\tbytes_sum\na\t10\t10\nb\t5\t15\n' --tsv -f 2 -a
	gives 'x;y\n1;2\n3;4\n' 'x;y\n1;2\n4;6\n' --csv -d ';' -f 1- --replace
	gives 'x,y\n1,2\n3,4\n' 'x_sum,y_sum\n1,2\n4,6\n' --csv -c 2
	gives '#c\nx,y\n1,2\n' '#c\nt\n2\n' --csv -f 2 --comment='#' --as=t
	gives ',v\na,1\n' '1_sum,v_sum\n,1\n' --csv -f 1,2 --invalid=ignore
	gives '"a\nb",v\n1,2\n' 'v_sum\n2\n' --csv -f 2
	# All numbers, or missing: data.
	gives '1,2\n3,4\n' '2\n6\n' --csv -f 2
	gives 'a,NA\nb,4\n' '4\n' --csv -f 2 --missing=skip
	gives '1,\n3,4\n' '1,\n4,4\n' --csv -f 1,2 --missing=skip
	gives '0x10,a\n0x01,b\n' '16\n17\n' --csv -f 1 -t u32
	stops '"$4,000"\n' 1 '' 'pscan: in: line 1, field 1: not a number: "$4,000" (money? see --accept=money --thousands='"','"')' --csv -f 1
	stops '2024-01-01\n' 1 '' 'pscan: in: line 1, field 1: not a number: "2024-01-01" (a date: see --accept=time, or -f for another field)' --csv -f 1
	stops '\342\202\2545\n6\n' 1 '' 'pscan: in: line 1, field 1: not a number: "€5" (money? see --accept=money)' --csv -f 1
	# What is said counts.
	gives '1,2\n3,4\n' '2_sum\n4\n' --csv -f 2 -H
	gives 'a,2\nb,4\n' '2\n6\n' --csv -f 2 --no-header
	gives 'a,2\nb,4\n' '2\n6\n' -d , -f 2
	# What cannot be known is not guessed.
	local row
	for row in '-f 2,3' '-f 2-' '-g 1 -op count'; do
		printf 'x,7,b\n1,2,3\n' >in
		# shellcheck disable=SC2086 # words
		run_pscan --csv $row in
		assert_equal "$row: $code $out $err" "$row: 2  pscan: in: line 1 may be a header: say -H or --no-header"
	done
	gives 'x,7,b\nx,2,3\n' 'x,1\nx,2\n' --csv -g 1 -op count --no-header
	run_pscan --no-header --csv -f x in
	assert_equal "$code $err" '2 pscan: --no-header: without a header fields have no names: choose them by number (see -f) (see --help=no-header)'
	# The first file says it for all.
	printf 'x,y\n1,2\n' >one
	printf 'x,y\n3,4\n' >two
	: >none
	run_pscan --csv -f 2 none one two
	assert_equal "$code $out$err" $'0 y_sum\n2\n6'
	run_pscan --csv -f 2 --as=t <two
	assert_equal "$code $out" $'0 t\n4'
	run_pscan --csv -f 2 --as=t < <(echo 1,2)
	assert_equal "$code $err" '2 pscan: --as names the results in a header, but line 1 is not a header (see -H)'
}

@test "a quoted name holds newlines and carriage returns, wherever names are read" {
	local break name
	for break in '\n' '\r\n' '\r'; do
		name="\"b${break}c"
		gives "a,$name\"\n1,2\n3,4\n" "a,$name\",${name}_sum\"\n1,2,2\n3,4,6\n" --csv -f 2 -a
		gives "a,$name\"\n1,2\n3,4\n" "a,$name\",${name}_sum\"\n1,2,2\n3,4,6\n" --csv -f 2 -a -H
		gives "a;$name\"\n1;2\n" "${name}_sum\"\n2\n" --csv -d ';' -f 2
		gives "$name\",a\n1,2\n" "${name}_sum\"\n1\n" --csv -f 1
		gives "$name\",a\n1,2\n" "$name\",a_sum\n1,2\n" --csv -f 2 -g 1
		gives "x,y\na,$name\"\n1,2\n" "x,y\na,$name\"\n1,2\n" --csv -f 2 --replace --header=2
		gives "a,$name\"\nm,kg\n1,2\n" "a,$name\",${name}_sum\"\nm,kg\n1,2,2\n" --csv -f 2 -a --header=2 --header-names=1
		# By what it says: as it stands, and within the quotes of CSV.
		gives "a,$name\"\n1,2\n" "${name}_sum\"\n2\n" --csv -f "$(printf %b "b${break}c")"
		gives "a,$name\"\n1,2\n" "${name}_sum\"\n2\n" --csv -f "$(printf %b "$name\"")"
		# Several files, and a run that goes on.
		printf %b "a,$name\"\n1,2\n" >first
		printf %b "a,$name\"\n3,4\n" >second
		printf %b "a,$name\",${name}_sum\"\n1,2,2\n3,4,6\n" >expected
		run_pscan --csv -f 2 -a first second
		assert_equal "$code $err" '0 '
		cmp out expected
		rm -f state
		run_pscan --csv -f 2 --total --state=state first
		assert_equal "$break: $code ${out##*$'\n'}" "$break: 0 2"
		run_pscan --csv -f 2 --total --state=state second
		assert_equal "$break: $code $err ${out##*$'\n'}" "$break: 0  6"
	done
	# A name with a carriage return is no reason to say that lines end in these; a file whose lines do end so has no
	# such name.
	stops 'a,"b\r\nc"\n1,2\n' 1 '' 'pscan: in: line 1: no field is called "v" (there are "a", "b\x0d\x0ac")' --csv -f v
	stops 'a,"b\r\nc"\n1,2\n' 1 '' 'pscan: in: line 1, field 2: not a number: "b\x0d\x0ac" (a header? see -H)' --csv -f 2 --no-header
	stops 'a,"b\r\nc"\n1\n' 1 '"b\r\nc_max"\n' 'pscan: in: line 3, field 2: the line has 1 field: "1" (see --missing)' --csv -H -f 2 -op max
	printf 'a,"b"\r1,2\r' >in
	run_pscan --csv -f 2 in
	assert_contains "$code $out $err" "1  pscan: in: line 1: a carriage return within the line: "
	# TSV has no quotes.
	stops 'a\t"b\nc"\n1\t2\n' 1 '"b_sum\n' 'pscan: in: line 2, field 2: the line has 1 field: "c\"" (quotes? see --csv)' --tsv -f 2
	gives 'a\t"b\nc"\n1\t2\n' '"b\nc_sum"\n2\n' --csv -d '\t' -f 2
}

@test "an empty line of CSV with one column is a missing number" {
	gives 'v\n1\n\n2\n' 'v_sum\n1\n1\n3\n' --csv -f v --missing=hold
	gives 'v\n1\n\n2\n' 'v_sum\n1\n1\n3\n' --csv -f 1 --missing=zero
	gives 'v\n1\n\n2\n' 'v,v_sum\n1,1\n,1\n2,3\n' --csv -f v --missing=hold -a
	gives 'v\n1\n\n2\n' 'v\n1\n1\n3\n' --csv -f v --missing=hold --replace
	gives '1\n  \n2\n' '1\n1\n3\n' --csv -f 1 --missing=zero
	gives '1\r\n\r\n2\r\n' '1\n1\n3\n' --csv -f 1 --missing=zero
	gives '#\nv\n#\n1\n\n2\n' '#\nv_sum\n#\n1\n\n3\n' --csv -f v --missing=keep --comment='#'
	stops 'v\n1\n\n2\n' 1 'v_sum\n1\n' 'pscan: in: line 3, field 1: empty or absent: "" (see --missing)' --csv -f v
	# The first value says that there is one column, whatever stands before it.
	gives '\n5\n7\n' '\n1\n2\n' --csv --no-header -f 1 --missing=keep -op argmax
	gives '\n\n5\n7\n' ',0\n,0\n5,5\n7,12\n' --csv -f 1 --missing=zero -a
	gives '\n\n5\n' '1_sum\n0\n5\n' --csv -H -f 1 --missing=zero
	gives 'u\n\nv\n\n5\n' 'u\n\nv_sum\n0\n5\n' --csv --header=3 -f 1 --missing=zero
	gives '\nu\n\n5\n' '1_sum\nu\n0\n5\n' --csv --header=2 --header-names=1 -f 1 --missing=zero
	gives '#\n\n#\n5\n' '#\n0\n#\n5\n' --csv --no-header -f 1 --missing=zero --comment='#'
	stops '\n5\n' 1 '' 'pscan: in: line 1, field 1: empty or absent: "" (see --missing)' --csv --no-header -f 1
	gives '\n5,6\n' '\n5,6,5\n' --csv --no-header -f 1 --missing=zero -a
	# Of more columns it is a blank line.
	gives 'v,w\n1,2\n\n2,3\n' 'v_sum\n1\n3\n' --csv -f v
	gives 'v\n1\n\n2\n' 'v_sum\n1\n3\n' -f v
}

@test "a name between commas finds --csv" {
	total 15 'date,host,bytes\n2026-01-01,a,10\n2026-01-02,b,5\n' -f bytes
	gives 'host,bytes\n"a,1",10\nb,5\n' 'host,bytes,bytes_sum\n"a,1",10,10\nb,5,15\n' -f bytes -a
	total 15 '"a, b", c\n10, 1\n5, 2\n' -f 'a, b'
	gives 'k,v\na,1\nb,2\na,3\n' 'k,v,v_sum\na,1,1\nb,2,2\na,3,4\n' -f 2 -g k -a
	gives 'k,2019\na,1\nb,2\n' '2019_sum\n1\n3\n' -f '"2019"'
	# Tabs before commas, blanks where no name stands between commas, and what is said.
	total 3 'a,b\tc\n1,5\t2\n3,7\t1\n' -f c
	total 3 'a,b c\n1,5 2\n3,7 1\n' -f c
	stops 'a,b\n1,2\n' 1 '' 'pscan: in: line 1: no field is called "b" (there is "a,b": see --csv)' -f b -d ';'
}

@test "without -f the columns are listed, with a command to copy" {
	# lists INPUT MESSAGE OPTION...
	lists() {
		# shellcheck disable=SC2059 # a format
		printf -- "$1" >in
		run_pscan "${@:3}" in
		assert_equal "$*: $code $out $err" "$*: 2  pscan: in: $2"
	}
	lists 'date,host,bytes\n2026-01-01,a,10\n' '--csv needs -f; the columns are "date", "host", "bytes": pscan --csv -f bytes in' --csv
	lists 'date\tbytes\thost\n2026-01-01\t1\ta\n' '--tsv needs -f; the columns are "date", "bytes", "host": pscan --tsv -f bytes in' --tsv
	lists 'date;b c\nx;1\n' "--csv -d ';' needs -f; the columns are \"date\", \"b c\": pscan --csv -d ';' -f '\"b c\"' in" --csv -d ';'
	lists '1,2\n' '--csv needs -f; the columns are 1, 2: pscan --csv -f 2 in' --csv
	lists 'x,2020,y\nA,1,2\n' '--csv needs -f; the columns are "x", "2020", "y": pscan --csv -H -f 3 in (or --no-header)' --csv
	lists 'a|b\n1|2\n' "-d '|' needs -f; the columns are 1, 2: pscan -d '|' -f 2 in" -d '|'
	lists '{"a":{"x":1},"n":2,"s":"t: u"}\n' '--json needs -f; the columns are "a", "n", "s": pscan --json -f n in' --json
	lists 'at=info n=12 s="a b=3" t=x\n' '--logfmt needs -f; the columns are "at", "n", "s", "t": pscan --logfmt -f n in' --logfmt
	# Names belong to the fields that -f finds by them.
	lists 'a,b\nx,1,y\n' '--csv needs -f; the columns are "a", "b": pscan --csv -f a in' --csv
	lists '#,a,b\n1,y\n' '--csv needs -f; the columns are "a", "b": pscan --csv -f a in' --csv
	run_pscan --log in
	assert_equal "$code" 2
	assert_contains "$err" 'pscan --log -f bytes in'
	run_pscan --csv <in
	assert_equal "$code" 2
	run_pscan --csv /dev/null
	assert_equal "$code $err" '2 pscan: --csv needs -f, the field of the numbers (see --help=-f)'
}

# --- Names in what is written

@test "--header-names names another line of the header" {
	gives 'v,w\nkg,m\n1,2\n3,4\n' 'w_sum\nkg,m\n2\n6\n' --csv --header=2 --header-names=1 -f w
	gives 'v,w\nkg,m\n1,2\n3,4\n' 'v,w,v_sum\nkg,m\n1,2,1\n3,4,4\n' --csv --header=2 --header-names=1 -f v -a
	gives 'title\nv w\nkg m\n1 2\n3 4\n' 'title\nv t\nkg m\n1 2\n3 6\n' --header=3 --header-names=2 -f w --replace --as=t
	total 6 '# id\nv\tw\n5n\t5n\n1\t2\n3\t4\n' --tsv --header=3 --header-names=2 -f w
	stops 'v,w\nkg,m\n1,2\n' 1 '' 'pscan: in: line 1: no field is called "m" (there are "v", "w")' --csv --header=2 --header-names=1 -f m
	run_pscan --csv --header-names=2 -f v in
	assert_equal "$code $err" '2 pscan: --header-names: the header has no line 2 (see --help=header-names)'
}

@test "totals of keys have a header where there is one" {
	gives 'k,v\na,1\nb,2\na,3\n' 'k,v_sum\na,4\nb,2\n' --csv -f v -g k --total
	gives 'k v w\na 1 x\nb 2 y\n' 'w k t\nx a 1\ny b 2\n' -f v -g 3,k --total --as=t
	gives 'k,v\na,1\na,2\n' 'k,v_sum,v_max\na,3,2\n' --csv -H -f 2 -g 1 --total -op sum,max
	gives 'k,d,v\na,1,5\na,2,6\n' 'k,d,v_sum\na,1,5\na,2,6\n' --csv -f v -g k --reset-on=d --total
	gives 'title\nk,v\na,1\n' 'k,v_sum\na,1\n' -d , --header=2 -f v -g k --total
	gives 'a,1\nb,2\na,3\n' 'a,4\nb,2\n' --csv --no-header -f 2 -g 1 --total
	# What was written can be read again.
	printf 'k,v\na,1\nb,2\na,3\n' | "$PSCAN" --csv -f v -g k --total | "$PSCAN" --csv -f v_sum --total >out
	assert_equal "$(cat out)" 6
}

@test "-a without -f gives each token its result" {
	gives '1\n2\n3\n' '1 1\n2 3\n3 6\n' -a
	gives ' 1  2\n\n\t3' '1 1\n2 3\n3 6\n' -a
	gives '1 2\r\n3\r\n' '1 1 1\n2 3 2\n3 6 3\n' -a -op sum,max
	gives '1 NA 2\n' '1 1\nNA NA\n2 3\n' -a --missing=keep
	gives '1 NA 2\n' '1 1\nNA 1\n2 3\n' -a --missing=hold
	gives '1 NA 2\n' '1 1\nNA \n2 3\n' -a --missing=skip
	gives 'n\n#x\n1 2\n#y\n3\n' 'n\n#x\n1 1\n2 3\n#y\n3 6\n' -a -H --comment='#'
	gives '1.5 2\n' '1.5 0\n2 1.5\n' -a -e
	seq 20000 | "$PSCAN" -a --chunk-size=1 -T 3 >out
	seq 20000 | awk '{ s += $1; print $1, s }' | cmp - out
	run_pscan -a --total in
	assert_equal "$code" 2
}

@test "-e --total needs no identity, and -op may be given several times" {
	gives '4\n5\n' '4\n' -e --total -op first
	gives '4\n5\n' '9\n' -e --total
	gives '4\n5\n' '9 5 4\n' --total -op sum -op max,min
	gives '4\n5\n' '9 5\n' --total --ops=sum --op max
	gives 'k,v\na,4\na,5\n' 'k,v_first\na,4\n' --csv -e --total -op first -f v -g k
	gives '4\n5\n6\n' '9\n6\n' -e --total --reset-every=2
}

@test "a key that JSON lacks is left out of the totals, and null stays" {
	gives '{"k":null,"v":5}\n{"v":7}\n' '{"k":null,"v_sum":5}\n{"v_sum":7}\n' --json -g k -f v --total
	gives '{"a":1,"b":2,"v":5}\n{"b":"x","v":7}\n{"v":1}\n' '{"a":1,"b":2,"v_sum":5}\n{"b":"x","v_sum":7}\n{"v_sum":1}\n' --json -g a,b -f v --total
	gives '{"d":1,"v":5}\n{"v":7}\n' '{"d":1,"v_sum":5}\n{"v_sum":7}\n' --json --reset-on=d -f v --total
}

@test "-o with an operator's name warns, for a new file alone" {
	run_pscan -o mean < <(seq 3)
	assert_equal "$code $err" '0 pscan: warning: -o: writes to a file called "mean" (-op mean?)'
	assert_equal "$(cat mean)" $'1\n3\n6'
	run_pscan -o mean < <(seq 3)
	assert_equal "$code $err" '0 '
	run_pscan -o ./max < <(seq 3)
	assert_equal "$code $err" '0 '
	run_pscan -q -o max2 < <(seq 3)
	assert_equal "$code $err" '0 '
}

@test "names in a file that has grown are those of its first record: labels, #, how many fields" {
	local row
	# Options, what the file has, what it has got, and what comes of that.
	for row in '--csv -f b|a,b\nl,7,8\n|m,1,2\n|10' \
		'-f b|   a  b\nx  7  8\n|y  1  2\n|10' \
		'--csv -g a -f b|a,b\nl,7,8\n|m,1,2\n|1,2' \
		'--csv -f 3 -g a -H|a,b\nl,7,8\n|m,1,2\n|1,2' \
		'-f b|# a b\n7 8\n|1 2\n|10' \
		'--tsv -f b|#fields\ta\tb\n7\t8\n|1\t2\n|10' \
		'--csv -f b|a,b\n|l,1,2\n|2'; do
		IFS='|' read -r options has got wanted <<<"$row"
		rm -f state
		# shellcheck disable=SC2059
		printf "$has" >grown
		# shellcheck disable=SC2086
		run_pscan $options --state=state grown
		assert_equal "$row: $code" "$row: 0"
		# shellcheck disable=SC2059
		printf "$got" >>grown
		# shellcheck disable=SC2086
		run_pscan $options --state=state grown
		assert_equal "$row: $code $(tail -n 1 out)" "$row: 0 $wanted"
	done
	printf 'a,b\n7,8\n' >wide
	run_pscan --csv -f b --state=widths wide
	assert_equal "$code" 0
	printf '1,2,3\n' >>wide
	run_pscan --csv -f b --state=widths wide
	assert_equal "$code $err" '1 pscan: wide: line 3: 3 fields, the header has 2 names: "1,2,3" (see --invalid)'
}

@test "where a file has its fields elsewhere than the first one, names are not those" {
	printf 'a,b\nx,3,4\n' >labels
	printf 'a,b\n1,2\n' >none
	run_pscan --csv -f a labels none
	assert_equal "$code $(paste -sd ' ' out)" '1 a_sum 3'
	assert_equal "$err" 'pscan: none: line 2: the names belong to other fields than in the first file: "1,2"'
	run_pscan --csv -f a labels labels
	assert_equal "$code $(paste -sd ' ' out)" '0 a_sum 3 6'
	printf '  a  b\nx 1  2\n' >labels
	printf '  a  b\n3  4\n' >none
	run_pscan -f a labels none
	assert_equal "$code $err" '1 pscan: none: line 2: the names belong to other fields than in the first file: "3  4"'
}

@test "a state goes on with the columns of each file's own header" {
	printf 'v,w\nr1,100,7\n' >one
	printf 'v,w\nr2,101,8\n' >two
	"$PSCAN" --csv -f v --state=s one >/dev/null
	run_pscan --csv -f v --state=s two
	assert_equal "$code $out" $'0 v_sum\n201'
	printf 'v,w,x,y\nr3,1\n' >three
	run_pscan --csv -f v --state=s three
	assert_equal "$code" 1
	printf 'v,w\n1,2,3,4\n' >four
	run_pscan --csv -f v --state=s four
	assert_equal "$code $err" '1 pscan: four: line 2 has 4 fields, the header 2 names (choose the field by number: -f N)'
}

@test "random tables by names: what the rules of the manual say, read once more" {
	run "$PYTHON" "$TOOLS/names_model.py" 2026 "$(cases 200)"
	assert_equal "$output" "$(cases 200) cases, 0 wrong"
}

# bats test_tags=long
@test "the same, a hundred thousand of them" {
	[ -z "${ASAN_OPTIONS:-}${TSAN_OPTIONS:-}" ] || skip 'a sanitizer sees the ones above'
	run "$PYTHON" "$TOOLS/names_model.py" 1 100000
	assert_equal "$output" '100000 cases, 0 wrong'
}

@test "lines of results begin with their keys" {
	gives 'k,v\na,1\nb,2\na,3\n' 'k,v_sum\na,1\nb,2\na,4\n' --csv -f v -g k
	gives 'k v w\na 1 x\nb 2 y\na 3 x\n' 'w k v_sum v_max\nx a 1 1\ny b 2 2\nx a 4 3\n' -f v -g w,1 -op sum,max
	gives '"a ""b""",1\n"c,d",2\n' '"a ""b""",1\n"c,d",2\n' --csv --no-header -f 2 -g 1
	gives 'a;1\n;2\na;3\n' 'a;1\n;2\na;4\n' -d ';' -f 2 -g 1
	gives '{"k":"a\\u0062","v":1}\n{"k":null,"v":2}\n{"v":3}\n' '{"k":"ab","v_sum":1}\n{"k":null,"v_sum":2}\n{"v_sum":3}\n' --json -f v -g k
	gives 'k=a v=1\nk="b c" v=2\n' 'a 1\n"b c" 2\n' --logfmt -f v -g k
	# Lines that have a mark for a result, and those that have none.
	gives 'a 1\nb NA\na NA\nb 2\n' 'a 1\nb NA\na NA\nb 2\n' -f 2 -g 1 --missing=keep
	gives 'a 1\nb NA\na NA\nb 2\n' 'a 1\nb NA\na 1\nb 2\n' -f 2 -g 1 --missing=hold
	gives 'a 1\nb NA\na 5\nb x\n' 'a 1\na 6\n' -f 2 -g 1 --missing=skip --invalid=ignore
	gives 'a 1 NA\nb NA NA\na 3 4\n' 'a 1 -\na 4 4\n' -f 2,3 -g 1 --missing=skip
	gives '#c\nk v\n#d\na 1\n' '#c\nk v_sum\n#d\na 1\n' -f v -g k --comment='#'
	gives 'a 1\na 2\nb 3\n' 'a 0\na 1\nb 0\n' -f 2 -g 1 -e --line-buffered
	awk 'BEGIN { for (i = 1; i <= 20000; i++) print "k" i * 7919 % 97, i, i % 13 }' >many
	run_pscan -f 2,3 -g 1 --chunk-size=1 -T 3 many
	awk '{ s[$1] += $2; t[$1] += $3; print $1, s[$1], t[$1] }' many | cmp - out
	# With the lines, and as bytes, nothing is before them.
	gives 'a 1\nb 2\n' 'a 1 1\nb 2 2\n' -f 2 -g 1 -a
	run_pscan -f 2 -g 1 -t i32 --output-format=binary < <(printf 'a 1\nb 2\n')
	assert_equal "$(od -An -td4 out | tr -s ' ')" ' 1 2'
}

@test "results of fields by number have the names that belong to these: after labels, after #, and between blanks" {
	local csv='v,w\nr,1,2\ns,3,4\n' blanks='  v  w\nr 1  2\ns 3  4\n'
	gives "$csv" 'v_sum\n1\n4\n' --csv -H -f 2
	gives "$csv" 'v,w,v_sum\nr,1,2,1\ns,3,4,4\n' --csv -H -f 2 -a
	gives "$csv" 'Z,w\nr,1,2\ns,4,4\n' --csv -H -f 2 --replace --as=Z
	gives "$csv" 'v,w_sum\n1,2\n3,4\n' --csv -f 3 -g v
	gives "$csv" ',v_sum\nr,1\ns,3\n' --csv -H -f 2 -g 1 --total
	gives "$csv" 'w_sum\n2\n6\n' --csv -H -f -1
	gives "$blanks" 'v_sum w_sum\n1 2\n4 6\n' -H -f 2,3
	gives "$blanks" 'v_sum w_sum\n1 2\n4 6\n' -f v,3
	gives '#fields\ta\tb\n1\t2\n' '#fields\ta\tb\tb_sum\n1\t2\t2\n' --tsv -H -f 2 -a
	gives '# a b\n1 2\n3 4\n' 'b_sum\n2\n6\n' -H -f 2
	gives '  v  w\n5 1  2\n6 3  4\n' '1_sum\n5\n11\n' -H -f 1
	# What has no name is called by its number.
	gives 'k1 v1 v2\na 5\n' '2_sum\n5\n' -H -f 2
	gives 'a,b\n1,2\n' '5_sum,-4_sum\n' -H -d, -f 5,-4 --missing=skip
	gives ',b\n1,2\n' '1_sum,b_sum\n1,2\n' --csv -H -f 1,2
	gives '    value first name\n1       5        abc\n' 'value_sum\n5\n' -H -f 2
	gives 'host response time size\na 12 345\n' 'time_sum\n345\n' -H -f 3
	# As before: what no rule tells.
	gives 'a,b,c\n1,2,3,4,5\n' 'b_sum\n2\n' --csv -H -f 2
	gives 'a,b\n1,2\n' 'b_sum\n2\n' --csv -H -f 2
}

@test "where the first file is a header alone, a later one's first record says what is under its names" {
	printf 'a,b\n' >alone
	printf 'a,b\n1,2,\n3,4,\n' >ended
	printf 'a,b\nr,1,2\n' >labels
	later() {
		run_pscan --csv "${@:2}"
		assert_equal "${*:2}: $code ${out//$'\n'/ }$err" "${*:2}: 0 $1"
	}
	# The results are under their names.
	later 'a,b,,a_sum 1,2,,1 3,4,,4' -f a -a alone ended
	later 'a,b,,a_sum 1,2,,1 3,4,,4' -f a -a alone alone ended
	later 'a,b,a_sum r,1,2,1' -f a -a alone labels
	later 'a_sum 1' -H -f 2 alone labels
	later 'a,b_sum 1,2' -H -f b -g 2 alone labels
	later 'a_sum' -f a alone
	later 'a_sum' -f a alone alone
	# What is wrong with a later file is said of that one.
	printf 'a,c\n1,2\n' >other
	run_pscan --csv -f a alone other
	assert_equal "$code $out" '1 a_sum'
	assert_contains "$err" 'other: line 1: the header differs from that of the first file: "a,c"'
	# A file whose only record has no newline tells it itself.
	printf 'a,b\nl,1,2' >unended
	printf 'a,b\n1,2\n' >plain
	later 'a_sum 1 3' -H -f 2 unended plain
	later 'a_sum 1' -H -f 2 alone unended
	run_pscan --csv -f a unended plain
	assert_equal "$code $(paste -sd ' ' out)" '1 a_sum 1'
	printf 'a,b' >alone
	later 'a_sum 1' -H -f 2 alone labels
	printf 'a,b\n#c' >alone
	later 'a_sum #c 1' -H -f 2 --comment='#' alone labels
	printf 'a,b\na,b\n\n' >alone
	later 'a_sum 1' -H -f 2 alone labels
	# A header of two lines, of which the first file has one.
	printf '#\n' >one
	printf '#\na,b\n1,2,\n' >two
	run_pscan --csv --header=2 -f a -a one two
	assert_equal "$code ${out//$'\n'/ }$err" '0 # a,b,,a_sum 1,2,,1'
}

@test "fields by number have the names that the first record tells, whichever file has it; without a record those of their places" {
	printf 'v,w\n' >alone
	printf 'v,w\nr,1,2\n' >labels
	printf 'v,w\n5,2\n' >plain
	local options without with
	# Field 2 is w where there is no record, and v under labels.
	# shellcheck disable=SC2086,SC2094 # words
	while IFS='|' read -r options without with; do
		run_pscan --csv -H $options alone
		assert_equal "$options: $code ${out//$'\n'/ } $err" "$options: 0 $without "
		cmp out <(printf 'v,w\n' | "$PSCAN" --csv -H $options)
		cmp out <({ printf 'v,'; sleep 0.1; printf 'w\n'; sleep 0.1; } | "$PSCAN" --csv -H $options)
		cmp out <("$PSCAN" --csv -H $options alone alone)
		cmp out <(gzip <alone | "$PSCAN" --csv -H $options)
		run_pscan --csv -H $options labels
		assert_equal "$options: $code ${out//$'\n'/ } $err" "$options: 0 $with "
		cmp out <({ printf 'v,w\n'; sleep 0.1; printf 'r,'; sleep 0.1; printf '1,2\n'; } | "$PSCAN" --csv -H $options)
		cmp out <("$PSCAN" --csv -H $options alone labels)
		cmp out <("$PSCAN" --csv -H $options - alone labels <alone)
	done <<-'END'
		-f 2|w_sum|v_sum 1
		-f 2 --include-initial|w_sum 0|v_sum 0 1
		-f 2 -a|v,w,w_sum|v,w,v_sum r,1,2,1
		-f 2 --replace --as=z|v,z|z,w r,1,2
		-f 2 -g 1 --total|v,w_sum|,v_sum r,1
		-f 2 -g 1|v,w_sum|,v_sum r,1
		-f -1|w_sum|w_sum 2
		-f -1 --include-initial|w_sum 0|w_sum 0 2
		-f 3|3_sum|w_sum 2
		-f 1 --missing-marks=r --missing=zero|v_sum|1_sum 0
		-f 2,3 -op max|w_max,3_max|v_max,w_max 1,2
	END
	# Field 2 of a pipe that follows a header alone is not looked at before the header comes out.
	run_pscan --csv -H -f 2 alone - <labels
	assert_equal "$code ${out//$'\n'/ }" '0 w_sum 1'
	# The first record decides for those of later files.
	run_pscan --csv -H -f 2 alone plain labels
	assert_equal "$code ${out//$'\n'/ }" '0 w_sum 2 3'
}

@test "a name that no file has is said of the first, though it has no newline at its end and another follows" {
	printf 'b c\n1 2' >m
	run_pscan -g a -op count m m
	assert_equal "$code $out $err" '1  pscan: m: line 1: no field is called "a" (there are "b", "c")'
	run_pscan -f a -g b m m
	assert_equal "$code $out $err" '1  pscan: m: line 1: no field is called "a" (there are "b", "c")'
	run_pscan -f c -g b --total m m
	assert_equal "$code $out" '0 b c_sum
1 4'
}

@test "numbers and ranges are places in every list; one that is also another field's name is an error" {
	table='t,-2,-1,0\n5,6,7,8\n'
	local list option
	for list in -1 -1,-2 t,-1 -1,t -2; do
		for option in -f -g --reset-on; do
			run_pscan --csv -H -op count "$option" "$list" < <(printf '%b' "$table")
			assert_equal "$list $option: $code $out" "$list $option: 2 "
			assert_contains "$err" "pscan: $option \"-"
			assert_contains "$err" " is a place, and field "
		done
	done
	run_pscan --csv -H -f -1 < <(printf '%b' "$table")
	assert_equal "$err" "pscan: -f \"-1\" is a place, and field 3 is called so: write '\"-1\"' for the name, or 4 for the place"
	gives "$table" '-1_sum\n7\n' --csv -H -f '"-1"'
	gives "$table" '0_sum\n8\n' --csv -H -f 4
	gives "$table" 't_sum\n5\n' --csv -H -f -4
	table='t,2,1,0\n5,6,7,8\n'
	run_pscan --csv -H -f 1 < <(printf '%b' "$table")
	assert_equal "$code $out $err" "2  pscan: -f \"1\" is a place, and field 3 is called so: write '\"1\"' for the name, or 1-1 for the place"
	gives "$table" 't_sum\n5\n' --csv -H -f 1-1
	gives "$table" '1_sum\n7\n' --csv -H -f '"1"'
	gives "$table" '2_sum\n6\n' --csv -H -f 2
	for option in --window=1:1 --reset-gap=1:1; do
		run_pscan --csv -H -f 2 "$option" < <(printf '%b' "$table")
		assert_equal "$code $out" '2 '
		assert_contains "$err" "pscan: ${option%%=*} \"1\" is a place, and field 3 is called so"
	done
	# A range, and a list in quotes in the header.
	run_pscan --csv -H -f 1-2 < <(printf 'age,x,1-2\n5,6,7\n')
	assert_equal "$code $out $err" "2  pscan: -f \"1-2\" is a place, and field 3 is called so: write '\"1-2\"' for the name, or each place by itself"
	run_pscan --csv -H -f 1,2 < <(printf 'age,x,"1,2"\n5,6,7\n')
	assert_equal "$code $out $err" "2  pscan: -f \"1,2\" is a place, and field 3 is called so: write '\"1,2\"' for the name, or each place by itself"
	# A number beyond the last field is a name, and a field may be called by its own number.
	gives 't,2019\n5,6\n' '2019_sum\n6\n' --csv -H -f 2019
	gives '1,2\n5,6\n' '1_sum,2_sum\n5,6\n' --csv -H -f 1,-1
}
