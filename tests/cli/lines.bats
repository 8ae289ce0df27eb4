#!/usr/bin/env bats
# Lines with fields: headers, names, CSV, comments, and lines that are written with their results.
# shellcheck disable=SC2154 # code, out and err are set by run_pscan

load helper

setup() {
	export PSCAN_DEVICE=none
	cd "$TMP" || return
}

# --- -a and --replace

@test "-a gives each line its result as a new last field" {
	gives 'a 1\nb 2\nc 3\n' 'a 1 1\nb 2 3\nc 3 6\n' -f 2 -a
	gives 'a,1\nb,2\n' 'a,1,1\nb,2,3\n' -f 2 -d , --append
	gives 'a\t1\nb\t2\n' 'a\t1\t1\nb\t2\t3\n' -f 2 -d '\t' -a
	gives '  a   1  \n' '  a   1   1\n' -f 2 -a
}

@test "--replace puts the result in the field's place and leaves every other byte" {
	gives 'a  1\tx\nb  2\ty\n' 'a  1\tx\nb  3\ty\n' -f 2 --replace
	gives '10,5\n20,7\n' '10,5\n30,7\n' -f 1 -d , --replace
}

@test "--replace keeps the blanks around the field" {
	gives ' 1 ;x\n 2\t;y\n' ' 1 ;x\n 3\t;y\n' -f 1 -d ';' --replace
	gives 'a, 1 \r\nb,\t2\r\n' 'a, 1 \r\nb,\t3\r\n' -f 2 --csv --replace
	# Of a quoted field the quotes and what is in them go.
	gives '" 1 " ,x\n"2"  ,y\n' '1 ,x\n3  ,y\n' -f 1 --csv --replace
	gives 'x,  ,y\n' 'x,  7,y\n' -f 2 -d , --replace --missing=7
	gives 'a, n ,b\nx, 1 ,y\n' 'a, tot ,b\nx, 1 ,y\n' -f n -d , --replace --as=tot
	gives 'a,"n" ,b\nx,1,y\n' 'a,tot ,b\nx,1,y\n' -f n --csv --replace --as=tot
}

@test "a carriage return stays at the line's end" {
	gives 'a 1\r\nb 2\r\n' 'a 1 1\r\nb 2 3\r\n' -f 2 -a
	gives 'a,1\r\nb,2\r\n' 'a,1\r\nb,3\r\n' -f 2 -d , --replace
}

@test "a last line without newline gets one, and so does a file's last line before the next file" {
	gives 'a 1\nb 2' 'a 1 1\nb 2 3\n' -f 2 -a
	printf 'a 1' >one
	printf 'b 2' >two
	run_pscan -f 2 --replace one two
	assert_equal "$code $out" $'0 a 1\nb 3'
}

@test "a line without a number comes out with an empty new field, or unchanged" {
	gives 'a 1\nb -\nd\nc 2\n' 'a 1 1\nb - \nd \nc 2 3\n' -f 2 -a --missing=skip
	gives 'a 1\nb -\nd\nc 2\n' 'a 1\nb -\nd\nc 3\n' -f 2 --replace --missing=skip
	gives 'a 1\nb x\nc 2\n' 'a 1 1\nb x \nc 2 3\n' -f 2 -a --invalid=ignore
	gives 'a 1\nb NA\nc 2\n' 'a 1 1\nb NA NA\nc 2 3\n' -f 2 -a --missing=keep
	gives 'a 1\nb NA\nc 2\n' 'a 1\nb NA\nc 3\n' -f 2 --replace --missing=keep
}

@test "a line of nothing but blanks passes through, and is no record" {
	local cut lines
	for cut in '' '-d ,' --csv '-d ;' '-c 2'; do
		local d=' '
		case $cut in *';'*) d=';' ;; -d* | --csv) d=, ;; esac
		[[ $cut == -c* ]] || cut="$cut -f 2"
		# shellcheck disable=SC2086 # words
		for missing in fail skip keep zero -7; do
			[[ $cut == -c* ]] || gives "a${d}1\n\n \t \nb${d}2\n\r\n\n" '1\n3\n' $cut --missing=$missing
			gives "5${d}1\n\n \t \n6${d}2\n\r\n\n" "5${d}1${d}1\n\n \t \n6${d}2${d}3\n\r\n\n" \
				${cut/-c 2/-c 2 -f 2} -a --missing=$missing
			gives "5${d}1\n\n \t \n6${d}2\n\r\n\n" "5${d}1\n\n \t \n6${d}3\n\r\n\n" \
				${cut/-c 2/-c 2 -f 2} --replace --missing=$missing
		done
	done
	gives '\n1 2\n\n3 4\n' '1 2\n4 6\n' -c 2
	gives '\n\n1 2\n\n3 4\n ' '\n\n1 2 1 2\n\n3 4 4 6\n \n' -f 1- -a
	gives '\n\n' '' -f 1
	gives '\n \n' '\n \n' -f 1 -a
	gives '# c\n\n1\n' '# c\n\n1 1\n' -f 1 -a --comment=#
	# It takes no index, and -e does not shift it.
	gives 'a 1\n\nb 2\n' 'a 1 0\n\nb 2 1\n' -f 2 -a -e
	gives '1\n\n2\n' '1 1\n\n2 2\n' -f 1 -a -op count
	# Within quotes it is part of a field.
	gives '"a\n\nb",1\n\n"\n",2\n' '"a\n\nb",1,1\n\n"\n",2,3\n' --csv -f 2 -a
	# Delimiters are no blanks: such a line has fields.
	gives 'a\t1\n\t\n' 'a\t1\t1\n\t\t\n' -d '\t' -f 2 -a --missing=skip
	gives 'a 1\n \n' 'a 1 1\n  \n' -d ' ' -f 2 -a --missing=skip
	# The header's lines are as they stand.
	gives '\nx n\na 1\n' '\nx n n_sum\na 1 1\n' --header=2 -f n -a
}

@test "blank lines among many pass, whatever the chunks" {
	"$PYTHON" -c 'import random
rng = random.Random(5)
for i in range(60000):
    print(rng.choice(["", " ", "\t  ", f"{i} {rng.randint(-9, 99)}", f"x {i}", f"  y {i % 7} z"]))' >in
	awk '/[^ \t]/ { print $0, s += $2; next } { print }' in >right
	awk '/[^ \t]/ { print s += $2 }' in >totals
	local threads
	for threads in 1 4; do
		cmp <("$PSCAN" -T $threads --chunk-size=1 -f 2 -a in) right
		cmp <("$PSCAN" -T $threads --chunk-size=1 -f 2 in) totals
		# shellcheck disable=SC2002 # a pipe is the point
		cmp <(cat in | "$PSCAN" -T $threads -f 2 -a) right
	done
}

@test "--replace makes an absent field that has a value" {
	gives 'a,1,5\nb\n' 'a,1,5\nb,,5\n' -f 3 -d , --replace --missing=zero
	gives '1\n2\n' '1,,7\n2,,14\n' -f 3 --csv --replace --missing=7
}

@test "under runs of blanks an absent field cannot be replaced" {
	stops 'x\n' 1 '' 'pscan: in: line 1, field 3: not in the line, so nothing can be replaced: "x" (see --missing=skip)' \
		-f 3 --replace --missing=7
	stops 'a 1 5\nb  c \nd 2 6\n' 1 'a 1 5\n' \
		'pscan: in: line 2, field 3: not in the line, so nothing can be replaced: "b  c " (see --missing=skip)' \
		-f 3 --replace --missing=zero
	stops 'a 1\nx\n' 1 'a 1\n' 'pscan: in: line 2, field 2: not in the line, so nothing can be replaced: "x" (see --missing=skip)' \
		-f 2 --replace --missing=zero -t i32
	stops 'x\n' 1 '' 'pscan: in: line 1, field 3: the line has 1 field: "x" (see -f)' -f 3 --replace
	# A mark is there, and a line that has no result loses nothing.
	gives 'a 1 5\nb 2 -\n' 'a 1 5\nb 2 12\n' -f 3 --replace --missing=7
	gives 'x\n\na 1 5\n' 'x\n\na 1 5\n' -f 3 --replace --missing=skip
	gives 'x\n\na 1 5\n' 'x\n\na 1 5\n' -f 3 --replace --missing=keep
	# Elsewhere a result does not need the field.
	gives 'x\na 1 5\n' 'x 7\na 1 5 12\n' -f 3 -a --missing=7
	gives 'x\na 1 5\n' '7\n12\n' -f 3 --missing=7
}

@test "what is no element is not shifted by -e" {
	gives 'a 1\nb -\nc 2\nd 3\n' 'a 1 0\nb - \nc 2 1\nd 3 3\n' -e -f 2 -a --missing=skip
}

@test "exact decimals change their scale in the middle of lines" {
	gives 'a 1\nb 2.5\nc 1e3\nd 1\n' 'a 1 1\nb 2.5 3.5\nc 1e3 1003.5\nd 1 1004.5\n' -f 2 -a
}

@test "lines before an error come out with their results, the line with it does not" {
	stops 'a 1\nb 2\nc x\nd 4\n' 1 'a 1 1\nb 2 3\n' 'pscan: in: line 3, field 2: not a number: "x" (another field? see -f)' -f 2 -a
	stops 'a 100\nb 20\nc 20\nd 4\n' 1 'a 100\nb 120\n' \
		'pscan: in: line 3, field 2: the sum does not fit i8 (see -t i8:i64, --overflow=wrap)' -f 2 --replace -t i8
}

@test "options that do not go together are usage errors" {
	local row
	for row in '--replace' '-a --replace -f 1' '-a -f 1 --total' '-a -f 1 --include-initial' \
		'--replace -f 1 --output-format=binary' '--as=x -f 1 -a' '--as=x -H' '--csv' '-d ,' '-f 1 -a --format=binary' \
		'-H --format=binary' '--comment=# --format=binary' '-f 1,,2' '-f 3-1' '-f -x'; do
		# shellcheck disable=SC2086 # words
		run_pscan $row < <(echo 1)
		assert_equal "$row: $code $out" "$row: 2 "
		assert_equal "$row: $(wc -l <err)" "$row: 1"
	done
	run_pscan --csv -d '"' -f 1 < <(echo 1)
	assert_equal "$code $out" '2 '
	run_pscan --csv --comment='#"' -f 1 < <(echo 1)
	assert_equal "$code $out" '2 '
}

# --- Headers

@test "-H passes the header through, before results and with lines" {
	gives 'n\n1\n2\n' 'n\n1\n3\n' -H
	gives 'x n\na 1\nb 2\n' 'n_sum\n1\n3\n' -H -f 2
	gives 'x n\na 1\nb 2\n' 'total\n1\n3\n' -H -f 2 --as=total
	gives 'x n\na 1\nb 2\n' 'x n n_sum\na 1 1\nb 2 3\n' -H -f 2 -a
	gives 'x n\na 1\nb 2\n' 'x n\na 1\nb 3\n' -H -f 2 --replace
	gives 'x n\r\na 1\r\n' 'x n n_max\r\na 1 1\r\n' -H -f 2 -a -op max
	gives 'n' 'n\n' -H
	gives '' '' -H
}

@test "--header=N passes N lines, and the last of them names the fields" {
	gives 'title\nx,n\na,1\n' 'title\nx,n,n_sum\na,1,1\n' --header=2 -f n -d , -a
	gives 'title\nx,n\na,1\n' 'title\nn_sum\n1\n' --header=2 -f 2 -d ,
	gives 'one\ntwo\n' 'one\ntwo\n' --header=5 -f 1
}

@test "input that ends within the header, in which a name was to be looked for, is an error" {
	local message="the input ends after 2 of the header's 3 lines (see --header)" file options
	stops 'a,b\n1,2\n' 1 'a,b\n1,2\n' "pscan: in: $message" -d , --header=3 -f a
	for options in '--csv -f zz' '-d , -f 1 -g b' '-d , -f 1 --reset-on=b -a' '--csv --header-names=1 -f b --replace'; do
		# shellcheck disable=SC2086 # options
		run_pscan --header=3 $options in
		assert_equal "$options: $code $(paste -sd ' ' out) $err" "$options: 1 a,b 1,2 pscan: in: $message"
	done
	gzip -c in >in.gz
	printf 'a,b' >first
	: >empty
	for file in - in.gz 'first in' 'in first empty'; do
		# shellcheck disable=SC2086 # files
		run_pscan --csv --header=3 -f zz $file <in
		assert_equal "$file: $code $(paste -sd ' ' out)" "$file: 1 a,b 1,2"
		assert_contains "$err" "$message"
	done
	# Of no line at all nothing is known; numbers need no header; and a file may go on that a state remembers.
	run_pscan --csv --header=3 -f zz empty empty
	assert_equal "$code $out$err" '0 '
	gives 'a,b\n1,2\n' 'a,b\n1,2\n' --csv --header=3 -f 2
	run_pscan --csv --header=3 -f zz --state=state in
	assert_equal "$code $err" '0 '
	printf '7,zz\n3,4\n' >>in
	run_pscan --csv --header=3 -f zz --state=state in
	assert_equal "$code $(tail -n 1 out)" '0 4'
}

@test "a header that a file ends within goes on in the next file, which begins with the same lines" {
	printf 'a,b' >short
	printf 'a,b\nu,v\n1,2\n' >whole
	printf 'a,c\nu,v\n1,2\n' >other
	: >empty
	run_pscan --csv --header=2 -f v short whole
	assert_equal "$code $err $out" $'0  a,b\nv_sum\n2'
	run_pscan --csv --header=2 -f v -a empty short short whole short whole
	assert_equal "$code $err $out" $'0  a,b\nu,v,v_sum\n1,2,2\n1,2,4'
	run_pscan --csv --header=2 -f v --replace --as=n short whole
	assert_equal "$code $err $out" $'0  a,b\nu,n\n1,2'
	run_pscan --csv --header=2 -f 2 --include-initial short whole
	assert_equal "$code $err $out" $'0  a,b\nv_sum\n0\n2'
	run_pscan --csv --header=2 -f v short other
	assert_equal "$code $out" '1 a,b'
	assert_equal "$err" 'pscan: other: line 1: the header differs from that of the first file: "a,c"'
	run_pscan --csv --header=3 -f 2 short whole short other
	assert_equal "$code $out" $'1 a,b\nu,v\n2_sum'
	assert_equal "$err" 'pscan: other: line 1: the header differs from that of the first file: "a,c"'
}

@test "results have their names where the first file ends after the line of names, but within the header" {
	printf 'a,b,c\n' >short
	printf 'a,b,c\nu1,u2,u3\n1,2,3\n' >whole
	local options='--csv --header=2 --header-names=1' files
	for files in 'short whole' 'short short whole' 'whole short'; do
		# shellcheck disable=SC2086 # words
		run_pscan $options -f b $files
		assert_equal "$files: $code $err $out" "$files: 0  "$'b_sum\nu1,u2,u3\n2'
		# shellcheck disable=SC2086
		run_pscan $options -f b -a $files
		assert_equal "$files: $code $err $out" "$files: 0  "$'a,b,c,b_sum\nu1,u2,u3\n1,2,3,2'
		# shellcheck disable=SC2086
		run_pscan $options -f b -g a --total $files
		assert_equal "$files: $code $err $out" "$files: 0  "$'a,b_sum\n1,2'
		# shellcheck disable=SC2086
		run_pscan $options -f 2 --replace --as=n $files
		assert_equal "$files: $code $err $out" "$files: 0  "$'a,n,c\nu1,u2,u3\n1,2,3'
	done
	printf 'h\n' >first
	printf 'h\na,b,c\n' >second
	printf 'h\na,b,c\nu\n1,2,3\n' >third
	run_pscan --csv --header=3 --header-names=2 -f b -a first second first third second third
	assert_equal "$code $err $out" $'0  h\na,b,c,b_sum\nu\n1,2,3,2\n1,2,3,4'
	run_pscan --csv --header=3 --header-names=2 -f 2 -a first second
	assert_equal "$code $err $out" $'0  h\na,b,c'
}

@test "a pause within a header's second line does not end it" {
	run_pscan --header=2 -f 2 -d , -a < <(
		printf 'title\nx,'
		sleep 0.2
		printf 'n\na,1\n'
	)
	assert_equal "$code $err $out" $'0  title\nx,n,n_sum\na,1,1'
}

@test "-f NAME finds the field that the header calls so" {
	gives 'day,bytes\n1,10\n2,20\n' 'bytes_sum\n10\n30\n' -f bytes -d ,
	gives 'day bytes\n1 10\n2 20\n' 'day bytes bytes_sum\n1 10 10\n2 20 30\n' -f bytes -a
	stops 'day bytes\n1 2\n' 1 '' 'pscan: in: line 1: no field is called "byte": perhaps "bytes" (there are "day", "bytes")' -f byte
	stops 'a\0b\n1\n' 1 '' 'pscan: in: line 1: no field is called "a" (there is "a\x00b")' -f a
	stops 'n,n\n1,2\n' 1 '' 'pscan: in: line 1: several fields are called "n": 1, 2 (choose one by its number)' -f n -d ,
	gives '' '' -f bytes
	# The name ends where it ends, whatever comes after it among the arguments.
	printf 'a\0b\n1\n' >b
	run_pscan -f a b
	assert_equal "$code $out$err" '1 pscan: b: line 1: no field is called "a" (there is "a\x00b")'
}

@test "a name is found with the blanks around it and without, the exact one first" {
	gives 'day, New_cases ,x\n1,10,y\n' 'day, New_cases ,x,New_cases_sum\n1,10,y,10\n' -f New_cases --csv -a
	gives 'day, New_cases ,x\n1,10,y\n' 'day, New_cases ,x,New_cases_sum\n1,10,y,10\n' -f ' New_cases ' -d , -a
	gives 'a, a,a \n1,2,4\n' 'a_sum\n1\n' -f a --csv
	gives 'a, a,a \n1,2,4\n' 'a_sum\n2\n' -f ' a' --csv
	gives '" a ",b\n1,2\n' '" a _sum"\n1\n' -f ' a ' --csv
	gives '" a ",b\n1,2\n' '" a _sum"\n1\n' -f a --csv
	stops 'b,a,b,a,b,b\n1\n' 1 '' 'pscan: in: line 1: several fields are called "b": 1, 3, 5, ... (choose one by its number)' -f b --csv
	stops ' a,a ,b\n1,2,3\n' 1 '' 'pscan: in: line 1: several fields are called "a": 1, 2 (choose one by its number)' -f a --csv
	stops ' a,b\n1,2\n' 1 '' 'pscan: in: line 1: no field is called "a ": perhaps "a" (there are "a", "b")' -f 'a ' --csv
}

@test "--as names the results" {
	gives 'x,n\na,1\n' 'x,n,total\na,1,1\n' -H -f 2 -d , -a --as=total
	gives 'x,n\na,1\n' 'x,total\na,1\n' -f n -d , --replace --as=total
	gives 'x,n\na,1\n' 'x,n,"a ""b"", c"\na,1,1\n' --csv -f n -a '--as=a "b", c'
	gives 'x,n\na,1\n' 'x,n,"a\rb"\na,1,1\n' --csv -f n -a $'--as=a\rb'
	gives 'x,n\na,1\n' 'x,n,"a\nb"\na,1,1\n' --csv -f n -a $'--as=a\nb'
}

@test "later files' equal headers are dropped, a different one is an error" {
	printf 'x n\na 1\n' >one
	printf 'x n\nb 2\n' >two
	printf 'x m\nc 3\n' >three
	run_pscan -H -f 2 one two
	assert_equal "$code $out" $'0 n_sum\n1\n3'
	run_pscan -f n -a one two
	assert_equal "$code $out" $'0 x n n_sum\na 1 1\nb 2 3'
	run_pscan -f n -a one three two
	assert_equal "$code $out" $'1 x n n_sum\na 1 1'
	assert_equal "$err" 'pscan: three: line 1: the header differs from that of the first file: "x m"'
	printf 'x n\r\nb 2\r\n' >two
	printf '\xef\xbb\xbfx n\nb 4\n' >four
	: >empty
	run_pscan -H -f 2 empty one two four
	assert_equal "$code $out" $'0 n_sum\n1\n3\n7'
}

@test "a byte order mark before the header stays, and is no part of a name" {
	gives '\xef\xbb\xbfn,x\n1,a\n' '\xef\xbb\xbfn,x,n_sum\n1,a,1\n' -f n -d , -a
	gives '\xef\xbb\xbf"n",x\n1,a\n' '\xef\xbb\xbf"n",x,"n_sum"\n1,a,1\n' -f n --csv -a
}

@test "a byte order mark comes out once, and alone makes no line" {
	gives '\xef\xbb\xbf1.5\n1e3\n' '\xef\xbb\xbf1.5 1.5\n1e3 1001.5\n' -f 1 -a
	gives '\xef\xbb\xbf' '' -f 1 -a --missing=skip
	printf '\xef\xbb\xbf1\n' >first
	printf '\xef\xbb\xbf2\n' >second
	cmp <("$PSCAN" -f 1 -a first second) <(printf '\xef\xbb\xbf1 1\n2 3\n')
}

@test "a chunk that begins within a line begins no comment, one that begins a line no file" {
	"$PYTHON" -c 'print("1" + " -1" * 20000)' >in
	seq 1 -1 -19999 >right
	local count
	for threads in 1 4; do
		cmp <("$PSCAN" -T $threads --chunk-size=1 --comment=- in) right
		cmp <("$PSCAN" -T $threads --chunk-size=1 --comment=- <in) right
		# shellcheck disable=SC2002 # a pipe is the point
		cmp <(cat in | "$PSCAN" -T $threads --chunk-size=1 --comment=-) right
	done
	# A byte order mark at a file's start only, not where one of its chunks begins.
	for count in 2048 4096 8192; do
		{
			yes 1 | head -n $count
			printf '\xef\xbb\xbf2\n'
		} >in
		run_pscan --chunk-size=1 in
		assert_equal "$count $code $(wc -l <out)" "$count 1 $count"
		assert_contains "$err" "line $((count + 1)):"
	done
}

@test "--include-initial comes behind the header" {
	gives '# c\nn\n1\n2\n' '# c\nn\n0\n1\n3\n' -H --comment=# --include-initial
	gives '1\n2\n' '0\n1\n3\n' --include-initial --format=text
	run_pscan -H --include-initial /dev/null in
	assert_equal "$code $out" $'0 1\n0\n2'
	gives '' '0\n' -H --include-initial
	gives 'n\n' 'n\n0\n' -H --include-initial
}

@test "--total writes the total and nothing else" {
	gives 'n\n1\n2\n' '3\n' -H --total
	gives '#x\n1\n2\n' '3\n' --comment=# --total
}

@test "a header as long as several chunks is one" {
	"$PYTHON" -c '
print(",".join(f"f{i}" for i in range(20000)))
for i in range(1, 4): print(",".join(str(i) for _ in range(20000)))' >in
	run_pscan --chunk-size=4K -f f19999 -d , in
	assert_equal "$code $(tail -n 3 out | tr '\n' ' ')" '0 1 3 6 '
	assert_equal "$(head -n 1 out)" f19999_sum
	run_pscan --chunk-size=4K -f f19999 -d , -a in
	assert_equal "$(head -n 1 out | md5sum)" "$(head -n 1 in | sed 's/$/,f19999_sum/' | md5sum)"
	# Of many lines.
	seq -f 'name%g 1' 3000 >header
	{
		cat header
		seq 5
	} >in
	{
		sed '$s/ .*/_sum/' header
		seq 5 | awk '{ print total += $1 }'
	} >right
	run_pscan --chunk-size=4K --header=3000 -f 1 in
	assert_equal "$code $err" '0 '
	cmp out right
}

@test "a header is waited for on a slow pipe" {
	run_pscan -f n -a < <(
		printf 'x'
		sleep 0.1
		printf ' n\na 1'
		sleep 0.1
		printf '\nb 2\n'
	)
	assert_equal "$code $out" $'0 x n n_sum\na 1 1\nb 2 3'
}

# --- Comments

@test "--comment passes lines that begin so, and only those" {
	gives '# a 1\n1 2 # 3\n#4\n5\n' '# a 1\n1\n3\n6\n#4\n11\n' --comment=# --invalid=ignore
	gives '// x\na 1\n/ 2\n' '// x\na 1 1\n/ 2 3\n' --comment=// -f 2 -a
	gives ' # 7\n' '7\n' --comment=# -f 2
	gives '#c\r\n1\n' '#c\r\n1\n' --comment=#
	gives '#only' '#only\n' --comment=#
}

@test "a token that begins like a comment is none, also where the numbers change their form" {
	gives '2 -1.5\n3\n-4\n' '2\n0.5\n3.5\n-4\n' --comment=-
	gives '2 1e3 -1\n-2 5\n' '2\n1002\n1001\n-2 5\n' --comment=-
}

@test "a line of numbers longer than a chunk is scanned with comments about, a comment longer than one passes" {
	need_opencl
	"$PYTHON" -c '
print("#" + "1 " * 30000)
print("1 " * 30000 + "-3")
print("-4 #5")
print("#" * 5000)
print("2")' >in
	"$PYTHON" -c '
print("#" + "1 " * 30000)
for i in range(1, 30001): print(i)
for x in (29997, 29993): print(x)
print("#" * 5000)
print("29995")' >right
	for options in '--chunk-size=4K' '--chunk-size=4K -T 3' '' '-D cpu --chunk-size=4K'; do
		# shellcheck disable=SC2086 # words
		run_pscan --comment=# --invalid=ignore $options in
		assert_equal "$options: $code" "$options: 0"
		cmp out right
		# shellcheck disable=SC2086 # words
		run_pscan --comment=# --invalid=ignore $options < <(cat in)
		cmp out right
	done
	# Every chunk but the first begins with what would be a comment if it began a line.
	"$PYTHON" -c '
print("2 " + "-1 " * 30000)' >in
	for input in in <(cat in); do
		run_pscan --comment=- --chunk-size=4K "$input"
		assert_equal "$code $(tail -n 1 out | head -c 20) $(wc -l <out)" '0 -29998 30001'
	done
}

@test "comments before and within a header do not count" {
	gives '# made today\nx n\n# units\na 1\n' '# made today\nx n n_sum\n# units\na 1 1\n' --comment=# -f n -a
	printf '# one\nx n\na 1\n' >one
	printf '# two\nx n\nb 2\n' >two
	run_pscan --comment=# -f n one two
	assert_equal "$code $out" $'0 # one\nn_sum\n1\n# two\n3'
}

# --- CSV

@test "--csv honours quotes, delimiters and newlines in them" {
	gives 'a,"1"\n"b,c","2"\n"d\ne",3\n' 'a,"1",1\n"b,c","2",3\n"d\ne",3,6\n' --csv -f 2 -a
	gives '"x ""y"", z",5\n,6\n' '5\n11\n' --csv -f 2
	gives '"a\r\nb",1\r\nc,2\r\n' '"a\r\nb",1,1\r\nc,2,3\r\n' --csv -f 2 -a
	gives '"1";2\n"3";4\n' '"1";2\n"3";6\n' --csv -d ';' -f 2 --replace
	gives '"1",x\n"2",y\n' '1,x\n3,y\n' --csv -f 1 --replace
}

@test "a quote within a field is a character like others" {
	gives '5" disk,1\n"a"b"c,d",2\n' '1\n' --csv -f 2 --invalid=ignore
	gives "it's \"so\",1\n2\",3\n" '1\n4\n' --csv -f 2
}

@test "a quoted name is found by what it says" {
	gives '"day ""1""","n"\n1,2\n' '"day ""1""","n","day ""1""_sum"\n1,2,1\n' --csv -f 'day "1"' -a
}

@test "with --csv a result that needs quotes has them" {
	gives 'a,1\nb,2\n' 'a,1,"1,""x"\nb,2,"3,""x"\n' --csv -f 2 -a '-F%d,"x'
	gives 'a,1\nb,2\n' 'a,"1,x"\nb,"3,x"\n' --csv -f 2 --replace '-F%d,x'
	gives 'a,1\nb,2\n' '"1,x"\n"3,x"\n' --csv -f 2 '-F%d,x'
	gives 'a,1\nb,2\n' '"0,x"\n"1,x"\n' -e --csv -f 2 '-F%d,x'
	gives 'a,1\nb,2\n' '"3,x"\n' --total --csv -f 2 '-F%d,x'
	gives 'a,1\n' 'a,1,"x\n1"\n' --csv -f 2 -a $'-Fx\n%d'
	gives 'a,1\nb,2\n' 'a,1,1;x\nb,2,3;x\n' --csv -f 2 -a '-F%d;x'
	gives 'a;1\n' 'a;1;"1;x"\n' --csv -d ';' -f 2 -a '-F%d;x'
	gives 'a;1\n' 'a;1;1,x\n' --csv -d ';' -f 2 -a '-F%d,x'
	# A delimiter that is in numbers.
	gives 'a."1.5"\nb.2\n' 'a."1.5"."1.5"\nb.2."3.5"\n' --csv -d . -f 2 -a
	gives 'a."1.5"\nb.2\n' '"1.5"\n"3.5"\n' --csv -d . -f 2
	gives 'a-"-"\n' 'a-"-"-"-"\n' --csv -d - -f 2 -a --missing=keep
	# Without --csv quotes have no meaning.
	gives 'a,1\n' 'a,1,1,"x\n' -d , -f 2 -a '-F%d,"x'
	"$PYTHON" - "$PSCAN" <<-'END'
		import csv, io, subprocess, sys
		rows = [["a,b", "1"], ['c"', "2"], ["", "-7"]]
		made = io.StringIO()
		csv.writer(made, lineterminator="\n").writerows(rows)
		for literal in ['"', ',', '""', 'x,"y"', '\r', '\n', ' ', '"\n"']:
		    done = subprocess.run([sys.argv[1], "--csv", "-f2", "-a", "-F" + literal + "%.2f" + literal],
		                          input=made.getvalue().encode(), capture_output=True, check=True)
		    back = list(csv.reader(io.StringIO(done.stdout.decode(), newline="")))
		    assert back == [row + [f"{literal}{total:.2f}{literal}"] for row, total in zip(rows, [1, 3, -4])], (literal, back)
	END
}

@test "an empty quoted field is missing" {
	gives 'a,""\nb,2\n' '2\n' --csv -f 2 --missing=skip
}

@test "a quote that is not closed is an error that names its line" {
	stops 'a,1\nb,2\n"c,3\nd,4\n' 1 '1\n3\n' 'pscan: in: line 3: a quoted field is not closed: "\"c,3\x0ad,4\x0a"' \
		--csv -f 2
	stops '"n\n1\n' 1 '' 'pscan: in: line 1: a quoted field is not closed: "\"n\x0a1\x0a"' --csv -f n
}

@test "a byte order mark does not hide that a quote is not closed" {
	stops '\xef\xbb\xbf"a,7\nb,1\n' 1 '' 'pscan: in: line 1: a quoted field is not closed: "\"a,7\x0ab,1\x0a"' --csv -f 2
}

@test "blanks behind a quoted field are no part of it" {
	gives '"1" ,x\n"2"\t,y\n' '"1" ,x,1\n"2"\t,y,3\n' --csv -f 1 -a
	gives '"a" ,b\n1,2\n' '"a" ,b,"a_sum"\n1,2,1\n' --csv -f a -a
}

@test "a field far beyond the line's end costs no more than its delimiters" {
	run_pscan -d , -f 3000000 --replace --missing=zero < <(echo 1)
	assert_equal "$code $(wc -c <out) $(tail -c 4 out)" '0 3000002 ,,0'
}

@test "a name that would be several fields is refused" {
	local name
	for name in $'a\nb' 'a,b'; do
		run_pscan -d , -H -f 1 -a "--as=$name" < <(echo 1)
		assert_equal "$code $out" '2 '
	done
	run_pscan -H -f 1 -a '--as=a b' < <(echo 1)
	assert_equal "$code $out" '2 '
}

@test "lines are counted within quotes too" {
	stops '"a\n\nb",1\n"c\nd",x\n' 1 '1\n' 'pscan: in: line 4, field 2: not a number: "x" (another field? see -f)' --csv -f 2
}

@test "quotes in comments open nothing" {
	gives '#"open\na,1\n# x,"y\nb,2\n' '#"open\n1\n# x,"y\n3\n' --csv -f 2 --comment=#
}

@test "a record far longer than a chunk is one" {
	"$PYTHON" -c '
big = "x,\n\"\"" * 300000
for i in range(1, 4): print(f"\"{big}\",{i}")' >in
	run_pscan --csv -f 2 --chunk-size=4K in
	assert_equal "$code $out" $'0 1\n3\n6'
	run_pscan --csv -f 2 -a --chunk-size=4K in
	"$PYTHON" -c '
big = "x,\n\"\"" * 300000
for i, s in enumerate([1, 3, 6]): print(f"\"{big}\",{i + 1},{s}")' | cmp - out
	"$PSCAN" --csv -f 2 --chunk-size=4K >out < <(cat in)
	assert_equal "$(tr '\n' ' ' <out)" '1 3 6 '
}

# --- All of it

# bats test_tags=long
@test "random lines, options and chunks give what Python says" {
	run timeout 3600 "$PYTHON" "$TOOLS/lines.py" "$PSCAN" 1 "$(cases 400)"
	assert_equal "$status $output" "0 $(cases 400) cases"
}

@test "lines of all kinds among plain ones: random tables with keys and resets, by Python's integers" {
	run timeout 3600 "$PYTHON" "$TOOLS/plain_lines.py" 1 "$(cases 150)"
	assert_equal "$status $output" "0 $(cases 150)"
}

# --- Writing

@test "--line-buffered writes each line for itself" {
	need_strace
	seq 100 >in
	strace_pscan -f -e trace=write -o trace "$PSCAN" --line-buffered in | cat >out
	cmp out <(seq 100 | awk '{ print s += $1 }')
	assert_equal "$(grep -c 'write(1, ' trace)" 100
	# A byte of binary is no end of a line.
	head -c 100 /dev/zero | tr '\0' '\n' >in
	strace_pscan -f -e trace=write -o trace "$PSCAN" --line-buffered -t u8 -op max --format=binary in | cat >out
	cmp in out
	assert_equal "$(grep -c 'write(1, ' trace)" 1
}

@test "a live input's results are out before its next line comes" {
	run timeout 1200 "$PYTHON" -c '
import subprocess, sys
for options in ([], ["--line-buffered"], ["-a"]):
    p = subprocess.Popen([sys.argv[1], "-f", "3", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    total = 0
    for i in range(1, 40):
        line = b"x y %d" % i
        p.stdin.write(line + b"\n")
        total += i
        want = b"%d\n" % total if "-a" not in options else line + b" %d\n" % total
        got = p.stdout.read(1000)
        assert got == want, (options, got, want)
    p.stdin.close()
    assert p.wait() == 0
' "$PSCAN"
	assert_equal "$status $output" '0 '
}

@test "with --line-buffered no line waits for a pause" {
	need_strace
	strace_pscan -f -e trace=poll -o trace "$PYTHON" -c '
import subprocess, sys
p = subprocess.Popen([sys.argv[1], "--line-buffered", "--format=text"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
for i in range(100):
    p.stdin.write(b"1\n")
    assert p.stdout.read(100) == b"%d\n" % (i + 1)
p.stdin.close()
assert p.wait() == 0
' "$PSCAN"
	# The first line may be all that there is.
	[ "$(grep -c '(Timeout)' trace)" -le 1 ]
	[ "$(grep -c poll trace)" -ge 100 ]
}

@test "newlines in quotes end no chunk of a file" {
	"$PYTHON" -c '
for i in range(2000): print("\"a" + "\n" * (1 + i % 59) + "\",1")' >in
	# In the longer chunks it is not the last 4 KiB that say where a record ends.
	for size in 4K 64K 128K; do
		run_pscan --csv -f 2 --chunk-size=$size -T 3 in
		assert_equal "$size $code $err" "$size 0 "
		cmp out <(seq 2000)
	done
}

@test "threads that look for records at the same time find the same ones" {
	# The sums of the numbers that were written. A cell may be longer than some chunks. Quotes within a cell without
	# quotes, and those in comments, are ordinary characters. Every other table has comments.
	"$PYTHON" - <<-'END'
		import itertools, random
		for seed in range(8):
		    rng = random.Random(seed)
		    def cell():
		        text = "".join(rng.choices(["a", "b c", ",", "\n", '"', "\n#\"", '",', '"\n'], k=rng.choice((0, 1, 3, 9))))
		        text *= rng.choice((1,) * 60 + (40, 400))
		        plain = rng.random() < 0.4
		        return ("x" + text.replace(",", "").replace("\n", "")) if plain else '"' + text.replace('"', '""') + '"'
		    numbers = [rng.randrange(1000) for _ in range(3000)]
		    with open(f"in{seed}", "w", encoding="ascii") as table:
		        table.write("text,n,more\n")
		        for number in numbers:
		            if seed % 2 and rng.random() < 0.1:
		                table.write('# "a ' + rng.choice(('"', "", ',"')) + "\n")
		            table.write(f"{cell()},{rng.choice(('%d', chr(34) + '%d' + chr(34))) % number},{cell()}\n")
		    with open(f"wanted{seed}", "w", encoding="ascii") as sums:
		        sums.writelines(f"{total}\n" for total in itertools.accumulate(numbers))
	END
	local seed size threads comment
	for seed in 0 1 2 3 4 5 6 7; do
		comment=()
		((seed % 2)) && comment=(--comment='#')
		for size in 4K 64K 256K; do
			for threads in 1 3; do
				run_pscan --csv -f n "${comment[@]}" --chunk-size="$size" -T "$threads" "in$seed"
				assert_equal "$seed $size $threads $code $err" "$seed $size $threads 0 "
				cmp <(grep '^[0-9]' out) "wanted$seed"
			done
		done
	done
}

@test "a header or a record may be longer than all chunks that are read at a time" {
	local size threads
	# After such a header many whole records are left of what was read.
	"$PYTHON" -c 'print("n" * 65999 + "\n" + "1\n" * 300000, end="")' >header
	# A record of 3 MB, and a quote that nothing closes.
	"$PYTHON" -c '
rows = "1,x\n" * 50000
print("n,t\n" + rows + "1,\"" + "y\n" * 1500000 + "\"\n" + rows, end="")' >record
	"$PYTHON" -c 'print("n,t\n" + "1,x\n" * 50000 + "1,\"y\n" + "1,x\n" * 500000, end="")' >open
	for size in 4K 64K 512K; do
		for threads in 1 3; do
			run_pscan --csv -f 1 --header --chunk-size="$size" -T "$threads" header
			assert_equal "$size $threads $code $err" "$size $threads 0 "
			cmp <(tail -n +2 out) <(seq 300000)
			run_pscan --csv -f n --chunk-size="$size" -T "$threads" record
			assert_equal "$size $threads $code $err" "$size $threads 0 "
			cmp <(tail -n +2 out) <(seq 100001)
			run_pscan --csv -f n -a --chunk-size="$size" -T "$threads" open
			assert_equal "$size $threads $code ${err%%: \"*} $(tail -n 1 out)" "$size $threads 1 pscan: open: line 50002: a quoted field is not closed 1,x,50000"
		done
	done
}

@test "with --comment and no field a file's last line needs no newline" {
	printf '1 2' >"$TMP/a"
	printf '#\n3\n4 5 ' >"$TMP/b"
	code=0
	out=$(timeout 1200 "$PSCAN" -D none --comment='#' "$TMP/a" "$TMP/b" | tr '\n' ' ') || code=$?
	assert_equal "$code $out" '0 1 3 # 6 10 15 '
}

@test "fields of lines of every length are found" {
	# awk finds them, too: in lines of 1 to 150 bytes, so that fields lie on each side of words and at their edges.
	"$PYTHON" - >lines <<-'END'
		import random
		random.seed(12)
		for size in range(1, 151):
		    for _ in range(20):
		        line = ""
		        while len(line) < size:
		            line += random.choice([" ", "\t", "  ", " \t "]) + str(random.randrange(10 ** random.randrange(1, 9)))
		        print(line[:size] if random.randrange(2) else line[1:size + 1])
	END
	local f
	for f in 1 2 3 6 11; do
		"$PSCAN" -f "$f" --missing=skip lines >got
		awk -v f="$f" 'f <= NF { printf "%.0f\n", s += $f }' lines >wanted
		cmp got wanted
	done
	"$PSCAN" -f 5,2,9 -a --missing=0 lines | awk 'NF { print $(NF - 2), $(NF - 1), $NF }' >got
	awk 'NF { printf "%.0f %.0f %.0f\n", a += NF < 5 ? 0 : $5, b += NF < 2 ? 0 : $2, c += NF < 9 ? 0 : $9 }' lines >wanted
	cmp got wanted
}

# With commas no result contains the delimiter. The same columns come out of other delimiters, up to the first line one
# of whose results contains that.
@test "a result that contains the delimiter ends the run with an error, wherever it would be a field" {
	python '
import random
from running import run
random.seed(3)
modes = ["-a"], ["--replace"], ["-g", "1"], ["-g", "1", "--total"], ["--reset-on=1", "--total"], ["-f", "1"], ["-r", "-a"], ["-t", "f64", "-a"]
for delimiter in ".-ei7;":
    for round in range(2):
        rows = [[str(random.choice([1, 2, 3])), str(random.choice([10, 20, 60]))] for _ in range([4, 3000][round])]
        for mode in modes:
            for what in ["-op", "mean"], ["--map=-x"], ["--map=x*1e300", "-t", "f64"], ["-op", "sum"], ["-op", "lag"]:
                if "-t" in what and "-t" in mode or "--replace" in mode and "-f" in mode:
                    continue
                options = ["-f", "2", *mode, *what, "--chunk-size=4K"]
                status, plain, messages = run("".join(",".join(row) + "\n" for row in rows).encode(), "-d", ",", *options)
                assert (status, messages) == (0, ""), (options, messages)
                added = 2 if "-f" in mode else 1
                lines = [line.split(",") for line in plain.decode().splitlines()]
                bad = [i for i, line in enumerate(lines) if any(delimiter in field for field in line[-added:])]
                good = lines[:bad[0]] if bad else lines
                want = "".join(delimiter.join(line) + "\n" for line in good)
                status, output, messages = run("".join(delimiter.join(row) + "\n" for row in rows).encode(), "-d", delimiter, *options)
                case = (delimiter, options, rows[:4], messages, output[:80])
                if not bad:
                    assert (status, messages, output.decode()) == (0, "", want), case
                    continue
                assert status == 1 and messages.count("\n") == 1 and "(--csv has quotes)" in messages, case
                if "-r" in mode:
                    # Of the chunk in which the scan meets such a result first, the first one in the text.
                    assert output == b"", case
                    bad = [int(messages.split("line ")[1].split(":")[0]) - 1]
                else:
                    assert output.decode() == want, case
                field = next(f for f in lines[bad[0]][-added:] if delimiter in f)
                assert f"a result contains the delimiter: \"{field}\" (" in messages, (case, field)
                if "-a" in mode or "--replace" in mode:
                    assert f": line {bad[0] + 1}: " in messages, case
'
}

@test "results alone in their lines may contain the delimiter, and CSV quotes them" {
	gives 'a.1\nb.2\n' '1\n1.5\n' -d . -f 2 -op mean
	gives 'a.1\nb.2\n' 'a.1.1\nb.2."1.5"\n' --csv -d . -f 2 -op mean -a
	gives 'a.1\nb.2\n' '1.5\n' -d . -f 2 -op mean --total
	gives 'a;1\nb;2\n' 'a;1;1;EUR\nb;2;3;EUR\n' -d ';' -f 2 -a -F '%.0f;EUR'
}

@test "a delimiter that the texts of times contain is refused where these are written" {
	stops 'x-20240501-5\n' 2 '' 'pscan: -d -: times to the day contain it (--csv has quotes)' -d - -f 3 -g 2:day --total
	stops 'x-20240501-5\n' 2 '' 'pscan: -d -: times to the month contain it (--csv has quotes)' -d - -f 3 --reset-on=2:month --total
	stops 'x:20240501:5\n' 2 '' 'pscan: -d :: times to the minute contain it (--csv has quotes)' -d : -f 3 -g 2:minute
	gives 'x-20240501-5\n' '2024-5\n' -d - -f 3 -g 2:year
	gives 'x:20240501:5\n' '2024-05-01:5\n' -d : -f 3 -g 2:day
	gives 'x-20240501-5\n' 'x-20240501-5-5\n' -d - -f 3 -g 2:day -a
	gives 'x-20240501-5\n' '5\n' -d - -f 3 --reset-on=2:month
}
