#!/usr/bin/env bats
# --state and headers: the columns of every run are those of one run over all of it.
# shellcheck disable=SC2154,SC2086 # code, out and err are set by run_pscan; options are words

load helper

setup() {
	export PSCAN_DEVICE=none
	cd "$TMP" || return 1
}

# assert_rotated HEADER RECORDS RESULTS OPTION...: the log is a header alone at the first run, then it is rotated.
assert_rotated() {
	local header=$1 records=$2 results=$3
	shift 3
	rm -f log log.1 state
	printf '%b' "$header" >log
	run_pscan --state=state "$@" log
	assert_equal "$code $err" '0 '
	mv log log.1
	printf '%b' "$header$records" >log
	run_pscan --state=state "$@" log.1 log
	assert_equal "$* $code $err $(paste -s -d ' ' out)" "$* 0  $results"
}

@test "a log of which only the header was seen before it was rotated does not move its names to other fields" {
	assert_rotated 'x,y\n' 'a,1,2\nb,3,4\n' '2 6' --csv -f y
	assert_rotated 'x,y\n' 'a,1,2\nb,3,4\n' '1 4' --csv -f x
	assert_rotated '#Software: s\n#Fields:\tdate\tx\ty\n' 'd\t1\t2\nd\t3\t4\n' '2 6' --header=2 --tsv -f y
	assert_rotated '#s\n#fields\tx\ty\n#types\tn\tn\n' '1\t2\n3\t4\n' '1 4' --header=3 --header-names=2 --tsv -f x
	assert_rotated '#Fields: date x y\n' 'd 1 2\nd 3 4\n' '2 6' -H -f y
	assert_rotated '     total  used\n' 'Mem:   10     2\nMem:   30     4\n' '2 6' -H -f used
	assert_rotated 'x,y\n' '1,2,\n3,4,\n' '1,2,,2 3,4,,6' --csv -f y -a
	assert_rotated 'x,y\n' '1,2\n3,4\n' '2 6' --csv -f y
}

@test "a header that was found for fields by number is no record that two logs have in common" {
	assert_rotated 'x,y\n' 'a,2\nb,4\n' 'y_sum 2 6' --csv -f 2
	assert_rotated 'x\ty\n' 'a\t2\nb\t4\n' 'y_sum 2 6' --tsv -f -1
	assert_rotated 'x,y\n' 'a,2\nb,4\n' 'x,y,y_sum a,2,2 b,4,6' --csv -f 2 -a
	# The new log has a header alone, and the old one had records, too.
	rm -f state log.1
	printf 'x,y\na,2\n' >log
	run_pscan --csv -f 2 --state=state log
	assert_equal "$code $err $(paste -s -d ' ' out)" '0  y_sum 2'
	mv log log.1
	printf 'x,y\n' >log
	run_pscan -q --csv -f 2 --state=state log.1 log
	assert_equal "$code $err $out" '0  '
	printf 'b,4\n' >>log
	run_pscan --csv -f 2 --state=state log.1 log
	assert_equal "$code $err $out" '0  6'
	# Without a header, the lines are records.
	rm -f state log.1
	printf 'x,1\n' >log
	run_pscan --csv -f 2 --state=state log
	mv log log.1
	printf 'x,1\ny,2\n' >log
	run_pscan --csv -f 2 --state=state log.1 log
	assert_equal "$code $out" '2 '
	assert_contains "$err" 'log: it begins with the 4 bytes that were read from'
	# A header without a record, which an initial result comes after, and a line without a number.
	for case in 'x,y\n|b,1\n|y_sum 0|--csv -f 2 --include-initial' 'NA\n|1\n||--csv -f 1 --missing=skip'; do
		IFS='|' read -r header record wanted options <<<"$case"
		rm -f state log.1
		printf '%b' "$header" >log
		run_pscan $options --state=state log
		assert_equal "$options $code $(paste -s -d ' ' out)$err" "$options 0 $wanted"
		mv log log.1
		printf '%b' "$header$record" >log
		run_pscan $options --state=state log.1 log
		assert_equal "$options $code $out$err" "$options 0 1"
	done
	# Nor is a missing number a header that comes out as a record.
	rm -f state log.1
	printf 'NA\n' >log
	run_pscan --csv -f 1 --missing=keep --state=state log
	mv log log.1
	printf 'NA\n1\n' >log
	run_pscan --csv -f 1 --missing=keep --state=state log.1 log
	assert_equal "$code $out" '2 '
}

@test "what a file that goes on is read by is its own header, which is the stream's, or the run ends" {
	printf 'x,y\n1,10\n' >a
	printf 'y,x\n20,2\n' >b
	for file in a b; do
		run_pscan --csv -f y --state=state $file
		assert_equal "$code $err" '0 '
	done
	cp state before
	printf '3,30\n' >>a
	printf '40,4\n' >>b
	run_pscan --csv -f y --state=state a b
	assert_equal "$code $err" '1 pscan: b: line 1: the header differs from that of the first file: "y,x"'
	cmp state before
	run_pscan --csv -f y --state=state b
	assert_equal "$code $(cat out)" '0 70' # 10 + 20 + 40
	run_pscan --csv -f y --state=state a
	assert_equal "$code $(cat out)" '0 100'
}

# assert_no_column HEADER RECORD OTHER-HEADER OPTION...: the second run sees that the header is another one.
assert_no_column() {
	local header=$1 record=$2 other=$3 words=$4
	shift 4
	rm -f state
	run_pscan --state=state "$@" < <(printf '%b' "$header$record")
	assert_equal "$* $code $err" "$* 0 "
	cp state before
	run_pscan --state=state "$@" < <(printf '%b' "$other$record")
	assert_equal "$* $code $err $(cat out)" "$* 1 pscan: standard input: line 1: the header has $words (--state) "
	cmp state before
}

@test "a field that was chosen by number has the name that it had in the runs before" {
	assert_no_column 'k,x,y\n' 'a,1,10\n' 'k,y,x\n' '"y" where earlier runs had "x"' -H -d, -f 2
	assert_no_column 'k,x,y\n' 'a,1,10\n' 'k,x,z\n' '"z" where earlier runs had "y"' --csv -f 2-
	assert_no_column 'k,x,y\n' 'a,1,10\n' 'k,x,z\n' '"z" where earlier runs had "y"' --csv -f -1
	assert_no_column 'k,x,y\n' 'a,1,10\n' 'l,x,y\n' '"l" where earlier runs had "k"' --csv -f x -g 1
	assert_no_column 'k,x,y\n' 'a,1,10\n' 'x,k,y\n' '"k" where earlier runs had "x"' --csv -f 3 --reset-on=2
	assert_no_column 'k,x,y\n' 'a,1,10\n' 'x,k,y\n' '"k" where earlier runs had "x"' --csv -f 3 --reset-gap=2:5
	assert_no_column 'k,"x\nz",y\n' 'a,1,10\n' 'k,"y",x\n' '"y" where earlier runs had "x z"' --csv -f 2
	assert_no_column 'x\n' '1\n' 'y\n' '"y" where earlier runs had "x"' -H
	# Names of records with a label, which are one field on.
	assert_no_column 'x,y\n' 'a,1,10\n' 'y,x\n' '"y" where earlier runs had "x"' --csv -f 2
	assert_no_column '#Fields: date x y\n' 'd 1 10\n' '#Fields: date y x\n' '"y" where earlier runs had "x"' -H -f 2
}

@test "a field that was chosen by its name may be another one, and names that do not count may change" {
	run_pscan --csv -f x --state=state <<<$'k,x\na,1'
	run_pscan --csv -f x --state=state <<<$'x,y,k\n2,20,b'
	assert_equal "$code $(paste -s -d ' ' out)" '0 x_sum 3'
	run_pscan --csv -f 2 --state=numbers <<<$'k,x\na,1'
	run_pscan --csv -f 2 --state=numbers <<<$'l,x,y\nb,2,20'
	assert_equal "$code $(paste -s -d ' ' out)" '0 x_sum 3'
	assert_equal "$("$PSCAN" --show-state=numbers | grep '^names')" $'names\tx'
	# Records without a header, and runs without a record, change nothing.
	run_pscan --csv -f 2 --no-header --state=numbers <<<'c,3'
	run_pscan --csv -f 2 -H --state=numbers <<<'l,y'
	assert_equal "$code" 0
	assert_equal "$("$PSCAN" --show-state=numbers | grep '^names')" $'names\tx'
	run_pscan --csv -f 2 --state=numbers <<<$'k,y\na,1'
	assert_equal "$code" 1
	# The first column of records with a label has none; it is the first one, without.
	run_pscan --csv -f 1 --state=label <<<$'x,y\n1,2,3'
	assert_equal "$("$PSCAN" --show-state=label | grep '^names')" $'names\t'
	run_pscan --csv -f 1 --state=label <<<$'x,y\n1,2'
	assert_equal "$code $err" '1 pscan: standard input: line 1: the header has "x" where earlier runs had "" (--state)'
}

@test "a log of which only the header was seen goes on by its inode, beside a new one with that header" {
	printf 'k,v\n' >log
	run_pscan --csv -f v --state=state log
	printf 'a,1\n' >>log
	mv log log.1
	printf 'k,v\nb,2\n' >log
	run_pscan --csv -f v --state=state log.1 log
	assert_equal "$code $err $(paste -s -d ' ' out)" '0  1 3'
	printf 'c,4\n' >>log
	run_pscan -q --csv -f v --state=state log.1 log
	assert_equal "$code $err $(paste -s -d ' ' out)" '0  7'
	# The other way round, and with a header that is a part of the file's.
	rm state
	printf 'k,v\n' >log.1
	run_pscan --csv -f v --state=state log.1
	cp log.1 log
	printf 'd,8\n' >>log
	printf 'e,16\n' >>log.1
	run_pscan --csv -f v --state=state log log.1
	assert_equal "$code $err $(paste -s -d ' ' out)" '0  8 24'
}

@test "files that are all new in one run are read, whatever they have" {
	seq 2 >a
	cp a b
	run_pscan --state=state a b
	assert_equal "$code $err $(paste -s -d ' ' out)" '0 pscan: warning: --state: b has the bytes of a, and both count (if one is a copy: again from the state of before, without it; else --alike=new) 1 3 4 6'
	run_pscan -q --state=state a b
	assert_equal "$code $err $(cat out)" '0  '
}

@test "an empty first day settles nothing, and an empty later one goes by the day before" {
	printf 'k,x,y\na,1,2\nb,4,5\n' >day
	: >empty
	: >later
	for options in '--csv -f 2-' '-H -d, -f 2-' '--csv -f 2- -g 1' '--csv -f x -g 2-'; do
		rm -f state
		for file in empty day; do
			run_pscan $options --state=state $file
			assert_equal "$options $file $code $err" "$options $file 0 "
		done
		cp out first
		assert_equal "$options $(cat first)" "$options $("$PSCAN" $options day)"
		run_pscan $options --state=state later
		assert_equal "$options $code $err $(cat out)" "$options 0  "
		run_pscan $options --state=state <day
		assert_equal "$options $code $err" "$options 0 pscan: warning: --state: all of these files were read in earlier runs: nothing to do"
		run_pscan $options --state=state < <(printf 'k,x\nc,1\n')
		assert_equal "$options $code" "$options 2"
	done
	# Totals: of no record, of a day, of none.
	rm state
	run_pscan --csv --no-header -f 2- --total --state=state empty
	run_pscan --csv --no-header -f 2- --total --state=state <<<$'a,1,2\nb,4,5'
	assert_equal "$code $(cat out)" '0 5,7'
	run_pscan --csv --no-header -f 2- --total --state=state later
	assert_equal "$code $(cat out)" '0 5,7'
	run_pscan --csv --no-header -f 2- --total --state=state <<<$'a,10,20'
	assert_equal "$code $(cat out)" '0 15,27'
	# Comments alone are no line, either.
	rm state
	run_pscan --csv -f 2- --comment='#' --state=state <<<'# c'
	run_pscan --csv -f 2- --comment='#' --state=state <<<'a,1,2'
	assert_equal "$code $(cat out)" '0 1,2'
	# Raw numbers and arrays, although the empty input was taken for text; but another operator is another scan.
	printf '\1\0\2\0' >numbers # 1 and 2 as int16
	for options in '-t i16:i64' '-t i16:i64 --overflow=wrap'; do
		rm -f state
		run_pscan $options --state=state empty
		run_pscan $options --output-format=text --state=state numbers
		assert_equal "$options $code $err $(paste -s -d ' ' out)" "$options 0  1 3"
	done
	rm state
	"$PYTHON" -c 'import numpy; numpy.save("a.npy", numpy.arange(6, dtype="i4").reshape(3, 2))'
	run_pscan --state=state empty
	run_pscan --output-format=text --state=state a.npy
	assert_equal "$code $err $(tr '\n' ' ' <out)" '0  0 1 3 6 10 15 '
	rm state
	run_pscan --csv -f 2- --state=state empty
	run_pscan --csv -f 2- -op max --state=state day
	assert_equal "$code" 2
	assert_contains "$err" '"-op sum" in the state, "-op max" now'
	# A seed is that of the first run.
	rm state
	run_pscan --csv -f 2- --seed=100 --state=state empty
	run_pscan --csv -f 2- --state=state day
	assert_equal "$code $(paste -s -d ' ' out)" '0 x_sum,y_sum 101,102 105,107'
}

# assert_left HEADER PART REST RESULTS OPTION...: a first run sees the header, a second one also a part of a line, a
# third one all of it.
assert_left() {
	local header=$1 part=$2 rest=$3 results=$4
	shift 4
	rm -f log state before
	printf '%b' "$header" >log
	run_pscan --whole-lines --state=state "$@" log
	assert_equal "$* $code $err" "$* 0 "
	"$PSCAN" --show-state=state | grep '^names' >before
	printf '%b' "$part" >>log
	run_pscan --whole-lines --state=state "$@" log
	assert_equal "$* $code $err $(cat out)" "$* 0  "
	"$PSCAN" --show-state=state | grep '^names' | cmp before
	printf '%b' "$rest" >>log
	run_pscan --whole-lines --state=state "$@" log
	assert_equal "$* $code $err $(tail -n +1 out | grep -v _sum)" "$* 0  $results"
}

@test "--whole-lines: an unfinished line tells no run what its header's names belong to" {
	assert_left 'x,y\n' 'lab,1' ',2\n' 1 --csv -f 2
	assert_left 'x,y\n' '1' ',2\n' 2 --csv -f 2
	assert_left 'x,y\n' '1,2,' '\n' 2 --csv -f y
	assert_left 'x,y\n' '"a\nb",1' ',2\n' 2 --csv -f y # the line 2 has an end, and the record has not
	assert_left 'x\ty\n' 'lab\t1' '\t2\n' 1 --tsv -f 2
	assert_left 'k1 v1 v2\n' 'a 5' ' 6\n' 5 -H -f 2
	assert_left 'k1 v1 v2\n' 'a' ' 5 6\n' 5 -f v1
	assert_left '     total  used\n' 'Mem:   1' '0     2\n' 2 -f used
	assert_left '# a b\n' '1' ' 2\n' 2 -H -f 2
	assert_left '#fields\ta\tb\n' '1' '\t2\n' 2 --tsv -f b
	assert_left 'x,y\n' 'lab,1,"a\nb' '"\n' 1 --csv -f 2 # up to the line end in quotes it has a field more, too
	assert_left '\xef\xbb\xbfx,y\n' 'lab,1' ',2\n' 1 --csv -f 2
	assert_left 'x,y,z\n' 'lab,1' ',2,3\n' '1,2' --csv -f 3 -g 2
	assert_left 'x\n' '1' '2\n' 12 -H
	# As one run that has all of it.
	run_pscan --csv -f y <<<$'x,y\nlab,1,2'
	assert_equal "$code $(paste -s -d ' ' out)" '0 y_sum 2'
}

@test "--whole-lines: an unfinished line is no header, no record to count the fields of, and no file to go by" {
	printf '12,a' >part
	printf '1,2\n3,4\n' >rows
	printf 'a,b\n3,4\n' >named
	for name in part -; do
		run_pscan --csv -f 1,2 --whole-lines $name <part
		assert_equal "$name $code $out$err" "$name 0 "
		run_pscan --csv -f 1,2 --whole-lines $name rows <part
		assert_equal "$name $code $(paste -s -d ' ' out)$err" "$name 0 1,2 4,6"
		run_pscan --csv -f 2 --whole-lines $name named <part
		assert_equal "$name $code $(paste -s -d ' ' out)$err" "$name 0 b_sum 4"
	done
	run_pscan --csv -f 1,2 --whole-lines - rows < <(cat part)
	assert_equal "$code $(paste -s -d ' ' out)$err" '0 1,2 4,6'
	printf 'a b' >words
	run_pscan -f 3- --whole-lines words
	assert_equal "$code $out$err" '0 '
	printf '1 2\n3 4 5' >words
	run_pscan -f 2- --whole-lines words
	assert_equal "$code $out$err" '0 2'
	printf 'a b c\n1' >words
	run_pscan -H -f 2- --whole-lines words
	assert_equal "$code $out$err" '0 b_sum c_sum'
	# The last record of a later file that is a header alone.
	printf 'x,y\n' >alone
	printf 'x,y\nlab,1' >half
	run_pscan --csv -f y --whole-lines alone half
	assert_equal "$code $out$err" '0 y_sum'
	run_pscan --csv -f 2 --whole-lines half alone
	assert_equal "$code $out$err" '0 y_sum'
	printf 'x,y\nlab,1,2\n' >labels
	run_pscan --csv -f 2 --whole-lines half labels
	assert_equal "$code $(paste -s -d ' ' out)$err" '0 x_sum 1'
	printf 'x,y\nlab,1,2' >labels # as long as this record has no end, nothing says that line 1 lacks a name
	run_pscan --csv -f 2 --whole-lines alone labels
	assert_equal "$code $out$err" '0 y_sum'
	printf '12,"a\nb' >quotes
	run_pscan --csv -f 1,2 --whole-lines quotes
	assert_equal "$code $out$err" '0 '
	# A line that is longer than what is looked at first.
	"$PYTHON" -c 'print("1," + "a" * 200000, end="")' >long
	run_pscan --csv -f 1,2 --whole-lines long
	assert_equal "$code $out$err" '0 '
	"$PYTHON" -c 'print("a,b" * 60000); print("3,4")' >long
	run_pscan --csv -f 2 --whole-lines long
	assert_equal "$code ${out##*$'\n'}$err" '0 4'
	"$PYTHON" -c 'print("1," + "a" * 200000)' >long # (a file of which nothing is read is passed over)
	run_pscan --csv -f 1 --whole-lines long rows
	assert_equal "$code $(paste -s -d ' ' out)$err" '0 1 2 5'
	# A compressed file is whole, and what does not leave such lines reads them.
	gzip -k named part
	run_pscan --csv -f 1,2 --whole-lines part.gz
	assert_equal "$code $err" '2 pscan: part.gz: line 1 may be a header: say -H or --no-header'
	run_pscan --csv -f 1,2 part
	assert_equal "$code $err" '2 pscan: part: line 1 may be a header: say -H or --no-header'
}

# assert_unknown HEADER SHORT WHOLE OTHER NAME OPTION...: the first record of the first run does not tell the name of
# the last field.
assert_unknown() {
	local header=$1 short=$2 whole=$3 other=$4 name=$5
	shift 5
	rm -f state
	for record in "$short" "$whole" "$short"; do
		run_pscan --state=state "$@" < <(printf '%b' "$header$record")
		assert_equal "$* $code $err" "$* 0 "
		"$PSCAN" --show-state=state | grep '^names' >names
	done
	assert_equal "$(cut -f2- names)" "$name" # what was known stays
	cp state before
	run_pscan --state=state "$@" < <(printf '%b' "$other$whole")
	assert_equal "$* $code" "$* 1"
	cmp state before
}

@test "a log that was compressed has its header in its run, and the log after it has none" {
	for options in '--csv -f v -a' '-H -d, -f 2' '--csv -f v -op sum,max' '--csv -f v -g k --total'; do
		rm -f log* state
		printf 'k,v\na,1\nb,2\n' >log
		run_pscan $options --state=state log
		assert_equal "$options: $code" "$options: 0"
		mv log log.1
		printf 'k,v\nc,3\n' >log
		cp state before
		run_pscan $options --state=state log.1 log
		expected=$(cat out)
		[[ $options == *-g* || $expected != *v_* ]]
		for compress in gzip bzip2 xz; do
			cp before state
			$compress <log.1 >log.1.packed
			run_pscan $options --state=state log.1.packed log
			assert_equal "$options: $compress: $code" "$options: $compress: 0"
			assert_equal "$(cat out)" "$expected"
		done
	done
	# Its names are compared, too.
	printf 'k,w\nd,4\n' >log
	run_pscan -H -d, -f 2 --state=header log.1.packed
	run_pscan -H -d, -f 2 --state=header log.1.packed log
	assert_equal "$code $out" '1 '
}

@test "a name that the first record is too short for is not known, and is not compared" {
	assert_unknown 'k1 v1 v2\n' 'a 5\n' 'b 5 6\n' 'k1 v2 v1\n' v1 -H -f 2
	assert_unknown 'k1 v1 v2\n' 'a 5\n' 'b 5 6\n' 'k2 v1 v2\n' $'v1\tk1' -H -f 2 -g 1
	rm -f state
	run_pscan -H -f 2 --state=state < <(printf 'k1 v1 v2\na 5\n')
	assert_equal "$("$PSCAN" --show-state=state | grep '^names')" $'names\t-'
}

@test "a header without a record is left to the run that sees one, which tells the names of fields by number" {
	for case in 'x,y\n|lab,1,2\n|--csv -f 2 -a|x,y,x_sum lab,1,2,1' '# a b\n|1 2\n|-H -f 2 -a|# a b b_sum 1 2 2' \
		'x,y\n|1,2\n|--csv -f 2 -a|x,y,y_sum 1,2,2'; do
		IFS='|' read -r header record options wanted <<<"$case"
		rm -f state all
		printf '%b' "$header" >log
		run_pscan $options --state=state log
		assert_equal "$options $code $out$err" "$options 0 "
		printf '%b' "$record" >>log
		run_pscan $options --state=state log
		assert_equal "$options $code $(paste -s -d ' ' out)$err" "$options 0 $wanted"
	done
}

@test "totals of keys are a whole table in each run, and results of records go on under the header of the first run" {
	# run_goes TOTALS RESULTS FILE...: a run of both kinds over these files.
	run_goes() {
		run_pscan --csv -g k -f v --total --state=totals "${@:3}"
		assert_equal "${*:3}: $code ${out//$'\n'/ } $err" "${*:3}: 0 $1 "
		run_pscan --csv -g k -f v -t i64 --state=results "${@:3}"
		assert_equal "${*:3}: $code ${out//$'\n'/ } $err" "${*:3}: 0 $2 "
	}
	printf 'k,v\na,1\nb,2\n' >log
	run_goes 'k,v_sum a,1 b,2' 'k,v_sum a,1 b,2' log
	printf 'a,4\nb,6\n' >>log
	run_goes 'k,v_sum a,5 b,8' 'a,5 b,8' log
	# A file that goes on, and one that is new; one that was taken, and one that is new; both go on.
	printf 'a,10\n' >>log
	printf 'k,v\nc,7\n' >new
	run_goes 'k,v_sum a,15 b,8 c,7' 'a,15 c,7' log new
	printf 'k,v\nc,1\n' >newer
	run_goes 'k,v_sum a,15 b,8 c,8' 'c,8' log newer
	printf 'a,100\n' >>log
	printf 'b,100\n' >>newer
	run_goes 'k,v_sum a,115 b,108 c,8' 'a,115 b,108' log newer
	# A new one first.
	printf 'k,v\nd,3\n' >first
	printf 'd,3\n' >>log
	run_pscan --csv -g k -f v --total --state=totals first log
	assert_equal "$code ${out//$'\n'/ }" '0 k,v_sum a,115 b,108 c,8 d,6'
	# In small chunks, and segments whose totals come as they end.
	rm totals
	printf 'k,d,v\na,1,1\n' >log
	run_pscan --csv -g k -f v --reset-on=d --total --state=totals --chunk-size=1 log
	printf 'a,1,2\na,2,5\n' >>log
	run_pscan --csv -g k -f v --reset-on=d --total --state=totals --chunk-size=1 log
	assert_equal "$code ${out//$'\n'/ } $err" '0 k,d,v_sum a,1,3 a,2,5 '
	# Without a header there are no names.
	printf 'a 1\n' >plain
	run_pscan -g 1 -f 2 --total --state=plain.state plain
	printf 'a 2\n' >>plain
	run_pscan -g 1 -f 2 --total --state=plain.state plain
	assert_equal "$code $out $err" '0 a 3 '
	# Nothing is written where nothing is done.
	run_pscan -g 1 -f 2 --total --state=plain.state plain
	assert_equal "$code $out" '0 '
}

@test "totals of keys have a header in runs that see none, or a header without a record" {
	local run options header wanted
	: >empty
	while IFS='|' read -r header wanted options; do
		rm -f state
		printf '%b' "$header" >header
		printf '%b' "${header}x,1\ny,2\n" >log
		for run in log empty - header other empty; do
			cp header other
			printf '\n' >>other
			eval "run_pscan $options --total --state=state $run" </dev/null
			assert_equal "$options $run: $code $(paste -s -d ' ' out)$err" "$options $run: 0 $wanted x,1 y,2"
		done
	done <<-'END'
		k,v\n|k,v_sum|--csv -f v -g k
		k,v\n|k,v_sum|--csv -H -f 2 -g 1
		k,v\n|k,v_sum|-d , -H -f 2 -g 1
		k,v\n|k,total|--csv -f 2 -g 1 --as=total
		"k ""q""","v,w"\n|"k ""q""","v,w_sum"|--csv -H -f 2 -g 1
		"k ""q""",v\n|"k ""q""",v_sum|--csv -f v -g 'k "q"'
		Z\nk,v\n|k,v_sum|--csv --header=2 -f 2 -g 1
	END
	# Between blanks, and of a key without a name.
	rm -f state label.state
	printf 'k v\nx 1\ny 2\n' >log
	printf 'v\nx,1\ny,2\n' >label
	for run in log empty; do
		run_pscan -H -f 2 -g 1 --total --state=state $run
		assert_equal "$run: $code ${out//$'\n'/ }$err" "$run: 0 k v_sum x 1 y 2"
	done
	for run in label empty; do
		run_pscan --csv -H -f 2 -g 1 --total --state=label.state $run
		assert_equal "$run: $code ${out//$'\n'/ }$err" "$run: 0 ,v_sum x,1 y,2"
	done
	# Without a header there is none, and results of records do not get one.
	rm -f state log
	printf 'x,1\ny,2\n' >log
	for run in log empty; do
		run_pscan --csv --no-header -f 2 -g 1 --total --state=state $run
		assert_equal "$run: $code ${out//$'\n'/ }$err" "$run: 0 x,1 y,2"
	done
	rm -f state
	printf 'k,v\nx,1\n' >log
	run_pscan --csv -f v -g k --state=state log
	run_pscan --csv -f v -g k --state=state empty
	assert_equal "$code $out$err" '0 '
}
