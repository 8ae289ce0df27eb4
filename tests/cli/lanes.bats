#!/usr/bin/env bats
# shellcheck disable=SC2154 # code, out and err are set by run_pscan
# Records of several results: fields, columns, operators, and missing values among them.

load helper

setup() {
	export PSCAN_DEVICE=none
	cd "$TMP" || return
}

# refuses PART OPTION...: a usage error, nothing written, and one line that holds PART.
refuses() {
	local part=$1
	shift
	printf 'a b c\n1 2 3\n' >in
	run_pscan "$@" in
	assert_equal "$*: $code $out" "$*: 2 "
	assert_contains "$err" "$part"
	assert_equal "$*: $(wc -l <err)" "$*: 1"
}

# raw TYPE NUMBER...: the numbers as raw elements.
raw() {
	"$PYTHON" -c 'import sys, numpy as np
np.array([float(x) for x in sys.argv[2:]]).astype(sys.argv[1]).tofile(sys.stdout.buffer)' "$@"
}

# --- Fields and operators

@test "-f takes numbers, ranges and names, joined by commas, and adds when given again" {
	gives '1 2 3 4\n5 6 7 8\n' '2 4\n8 12\n' -f 2,4
	gives '1 2 3 4\n5 6 7 8\n' '2 3 4\n8 10 12\n' -f 2-4
	gives '1 2 3 4\n5 6 7 8\n' '3 4\n10 12\n' -f 3-
	gives '1 2 3 4\n5 6 7 8\n' '4 1\n12 6\n' -f 4 -f 1
	gives '1 2 3 4\n5 6 7 8\n' '4 1 2 4\n12 6 8 12\n' -f 4,1-2 --field=4
	gives 'a b c\n1 2 3\n' 'c_sum a_sum b_sum\n3 1 2\n' -f c,a -f 2
	# An open range ends with the header's last field, or the first record's.
	gives 'a;b;c\n1;2\n3;4;5\n' 'b_sum;c_sum\n2;\n6;5\n' -H -d ';' -f 2- --missing=skip
	gives '1;2\n3;4;5\n' '1;2\n4;6\n' -d ';' -f 1-
}

@test "the same field may be there twice" {
	gives '1 2\n5 6\n' '2 1 2\n8 6 8\n' -f 2,1,2
	gives '1 2\n5 6\n' '2 2 2 2\n8 6 8 6\n' -f 2,2 -op sum,max
	gives 'a b\n1 2\n' 'a b a_sum a_sum\n1 2 1 1\n' -H -f a,1 -a
}

@test "of many fields one that the header lacks is named" {
	printf 'a b c d e f g h i j\n1 2 3 4 5 6 7 8 9 10\n' >in
	run_pscan -D none -f nope,2,3,4,5,6,7,8,9,1 in
	assert_equal "$code" 1
	assert_equal "$out" ""
	assert_contains "$err" nope
}

@test "a value that is a header's name as a whole is that name" {
	gives 'a;1-2;b\n1;2;3\n' '1-2_sum\n2\n' -H -d ';' -f '"1-2"'
	gives '"a,b",c\n1,2\n3,4\n' '"a,b_sum"\n1\n4\n' --csv -f a,b
	gives '"a,b",c\n1,2\n3,4\n' '"a,b_sum",c_sum\n1,2\n4,6\n' --csv -f a,b -f c
	stops 'a,c\n1,2\n' 1 '' 'pscan: in: line 1: no field is called "b" (there are "a", "c")' --csv -f a,b
}

@test "a name may look like a range with too many ends" {
	gives '2020-01-02;b\n1;2\n' '2020-01-02_sum\n1\n' -H -d ';' -f 2020-01-02
}

@test "every operator of every field in order, joined by the delimiter, a blank under runs of blanks" {
	gives '1 9\n3 4\n' '1 1 9 9\n4 3 13 9\n' -f 1,2 -op sum,max
	gives '1 9\n3 4\n' '1 1 9 9\n4 3 13 9\n' -c 2 -op sum,max
	gives '1,9\n3,4\n' '1,1,9,9\n4,3,13,9\n' -d , -f 1-2 -op +,max
	gives '1 2\n3\n' '1 1\n3 2\n6 3\n' -op sum,max
	gives '5\n7\n' '5 1 5\n12 2 6\n' -op sum,count,mean
}

@test "each field has its own decimals, its own width and its own end of exactness" {
	gives '1;2\n0.25;2\n3;2\n' '1;2\n1.25;4\n4.25;6\n' -d ';' -f 1,2
	gives '9223372036854775807;1\n1;1\n0.5;1\n' '9223372036854775807;1\n9223372036854775808;2\n9223372036854775808.5;3\n' -d ';' -f 1,2
	gives 'inf;0.10\n1;0.20\n' 'inf;0.10\ninf;0.30\n' -d ';' -f 1,2
	gives '0.1;0.1\n1e-30;0.2\n0.2;0.3\n' '0.1;0.1\n0.1;0.3\n0.30000000000000004;0.6\n' -d ';' -f 1,2
}

@test "-e, --include-initial and --total are each lane's own" {
	gives '1 5\n- 6\n2 7\n' '0 -inf 0 -inf\n- - 5 5\n1 1 11 6\n' -e -f 1,2 -op sum,max --missing=skip
	gives '1 5\n- 6\n2 7\n' '0 0\n1 5\n- 11\n3 18\n' --include-initial -f 1,2 --missing=skip
	gives 'a b\n1 5\n2 7\n' 'a_sum b_sum\n0 0\n1 5\n3 12\n' --include-initial -f a,b
	gives '1 5\n- 6\n2 7\n' '3 2 18 7\n' --total -f 1,2 -op sum,max --missing=skip
	gives '1;5\n-;6\n' '1;;11;5\n' --total -d ';' -f 1,2 -op sum,lag --missing=skip
	gives 'a b\n' '0 -inf 0 -inf\n' --total -f a,b -op sum,max
}

@test "--seed is one for all, or one for each result" {
	gives '1 2\n3 4\n' '11 10 12 10\n14 10 16 10\n' -f 1,2 -op sum,max --seed=10
	gives '1 2\n3 4\n' '2 2 5 10\n5 3 9 10\n' -f 1,2 -op sum,max --seed=1,2,3,10
	gives '1 2\n3 4\n' '0.5 -3\n1.5 -1\n4.5 3\n' -f 1,2 --seed=0.5,-3 --include-initial
	refuses '--seed: 3 values for 2 results' -f 1,2 --seed=1,2,3
	refuses '--seed' -f 1,2 --seed=1,
	refuses '--seed: count does not take a start value' -f 1 -op sum,count --seed=1,2
}

@test "an operator needs what it needs among others too" {
	refuses '-e: range has no start value of its own' -f 1 -op sum,range -e
	refuses '-op' -f 1 -op sum,
	refuses '-op' -f 1 -op sum,nosuch
}

# --- Headers

@test "without -a and --replace the header line holds the results' names only" {
	gives 'x a b\nq 1 2\n' 'a_sum b_sum\n1 2\n' -H -f 2,3
	gives 'x a b\nq 1 2\n' 'b_sum b_max a_sum a_max\n2 2 1 1\n' -f b,a -op sum,max
	gives 'x,a,b\nq,1,2\n' 'a_ema:0.5,a_last\n1,1\n' -d , -f a -op ema:0.5,last
	gives '"x","a ""1"""\nq,1\n' '"a ""1""_sum"\n1\n' --csv -H -f 2
	gives 'title\na b\n1 2\n' 'title\na_sum b_sum\n1 2\n' --header=2 -c 2
	gives 'a\n1\n2\n' 'a\n1\n3\n' -H
	gives 'a\n1\n2\n' 'a\n1 1\n3 2\n' -H -op sum,max
	gives 'x a b\nq 1 2\n' 'x a b a_sum a_max b_sum b_max\nq 1 2 1 1 2 2\n' -f a,b -op sum,max -a
	gives 'x a b\nq 1 2\nr 3 4\n' 'x a b\nq 1 2\nr 4 6\n' -f a,b --replace
}

@test "--as names all results" {
	gives 'a b\n1 2\n' 'x y\n1 2\n' -H -f 1,2 --as=x,y
	gives 'a,b\n1,2\n' 'x,"y""z"\n1,2\n' --csv -H -f 1,2 '--as=x,y"z'
	gives 'a b\n1 2\n' 'a b p q r s\n1 2 1 1 2 2\n' -f a,b -op sum,max -a --as=p,q,r,s
	gives 'a b c\n1 2 3\n' 'x b y\n1 2 3\n' -H -f 3,1 --replace --as=y,x
	gives 'a,b\n1,2\n' 'x,y\n1,2\n' --csv -H -f 1,2 --as=x,y
	refuses '--as: 1 names for 2 results' -H -f 1,2 --as=x
	refuses '--as: 3 names for 2 results' -H -f 1 -op sum,max --as=x,y,z
	refuses '--as' -f 1,2 --as=x,y
}

@test "--as names all results also where the delimiter is a comma" {
	gives 'a,b\n1,2\n' 'x,y\n1,2\n' -d , -H -f 1,2 --as=x,y
	gives 'a,b\n1,2\n' 'a,b,x,y\n1,2,1,2\n' -d , -f a,b -a --as=x,y
}

# --- Lines

@test "--replace puts each field's result in its place" {
	gives ' 1  2\tx\n3 4 y\n' ' 1  2\tx\n4 6 y\n' -f 2,1 --replace
	gives ' 1  2\tx\n3 4 y\n' ' 1  2\tx\n4 6 y\n' -f 1,2 --replace
	gives '"1", 2 ,x\n3,4,y\n' '1, 2 ,x\n4,6,y\n' --csv -f 1-2 --replace
	gives '1,2,3\n4\n' '1,2,3\n5,9,10\n' -d , -f 1-3 --replace --missing=7
	gives '1;5;NA\nx;6;2\n' '1;5;NA\nx;11;2\n' -d ';' -f 1-3 --replace --missing=keep --invalid=ignore
}

@test "with --replace a field without result stays" {
	gives '1;2\n3;4\n' '1;2\n2;2\n' -d ';' -f 1,2 -op delta --replace
	gives '1 2\n3 4\n' '1 2\n2 2\n' -f 1 -f 2 -op delta --replace
	gives '1 - x\ny 4 z\n' '1 - x\ny 4 z\n' -f 1,2 --replace --missing=skip --invalid=ignore
}

@test "under runs of blanks a kept mark that is empty is - among several results" {
	gives '4\n1 2\n' '4 -\n5 2\n' -f 1,2 --missing=keep
	gives '4\n1 2\n' '4 4 -\n1 2 5 2\n' -f 1,2 -a --missing=keep
}

@test "--replace gives a field one result" {
	refuses '--replace' -f 1 -op sum,max --replace
	refuses '--replace: a field is chosen twice' -f 1,1 --replace
	refuses '--replace: a field is chosen twice' -f 1-3 -f 2 --replace
	refuses '--replace: a field is chosen twice' -f a,b,a --replace
}

@test "a field that --replace has twice, once by its name, is refused" {
	printf 'a b c\n1 2 3\n' >in
	for fields in 1,a a,1 1-2,b; do
		run_pscan -H -f $fields --replace in
		assert_equal "$fields: $code $out" "$fields: 2 "
	done
}

@test "what is no element takes no index in its field; a record that has any result is a line" {
	gives '1 10\n- 20\n3 NA\nNA -\n5 50\n' '1 10\n- 30\n4 -\n9 80\n' -f 1,2 --missing=skip
	gives '1;10\n;20\n3;NA\nNA;\n5;50\n' '1;10\n;30\n4;\n9;80\n' -d ';' -f 1,2 --missing=skip
	gives '1;10\n;20\n3;NA\n5;50\n' '1;1;1;10\n;;2;30\n2;4;;\n3;9;3;80\n' -d ';' -f 1,2 -op count,sum --missing=skip
	gives '1 x\ny 20\n3 4\n' '1 -\n- 20\n4 24\n' -f 1,2 --invalid=ignore
	gives '1;2\n3;4\n' '1;2\n' -d ';' -f 1,2 -op lag
	gives '1 2\n3 4\n' '1 - 2 -\n4 1 6 2\n' -f 1,2 -op sum,lag
}

@test "a kept mark stands for each of its field's results" {
	gives '1 10\nNA 20\n3 null\n- NA\n' '1 1 10 10\nNA NA 30 20\n4 3 null null\n- - NA NA\n' -f 1,2 -op sum,max --missing=keep
	gives '1;10\n;20\n' '1;1;10;10\n;;30;20\n' -d ';' -f 1,2 -op sum,max --missing=keep
	gives '1 10\nNA 20\n' '1 10 1 10\nNA 20 NA 30\n' -f 1,2 -a --missing=keep
	gives 'x NA\n' '- NA\n' -f 1,2 --missing=keep --invalid=ignore
}

@test "with -a every line comes out, with its results" {
	gives '1 10\n- 20\nx -\n' '1 10 1 10\n- 20 - 30\nx - - -\n' -f 1,2 -a --missing=skip --invalid=ignore
	gives '1;10\n-;20\nx;-\n' '1;10;1;10\n-;20;;30\nx;-;;\n' -d ';' -f 1,2 -a --missing=skip --invalid=ignore
	gives '1;2\r\n3;4\r\n' '1;2;1;;2;\r\n3;4;4;1;6;2\r\n' -d ';' -f 1,2 -op sum,lag -a
	gives '1 x\n- y\n' '1 x 1\n- y \n' -f 1 -a --missing=skip
}

@test "--invalid=warn and fail name every field" {
	printf '1 x\ny 4\n' >in
	run_pscan -f 1,2 --invalid=warn in
	assert_equal "$code $out" $'0 1 -\n- 4'
	assert_contains "$err" 'in: line 1, field 2: not a number: "x"'
	assert_contains "$err" 'in: line 2, field 1: not a number: "y"'
	run_pscan -f 1,2 --invalid=fail in
	assert_equal "$code $out" $'1 1 -\n- 4'
}

@test "an empty input has no results, also where a range is open" {
	gives '' '' -f 1,2
	gives '' '' -f 1-
	gives '# 1 2\n' '# 1 2\n' -f 1- --comment=#
	gives '# x\n1 2\n' '# x\n1 2\n' -f 1- --comment=#
}

@test "--missing=VALUE is a number of every operator of the list" {
	gives '1\n-\n2\n' '1 1\n-2.50 -1.50\n2 0.50\n' -f 1 -op last,sum --missing=-2.50
	gives '1\n-\n2\n' '1 1\n-0.75 1\n0.625 1\n' -f 1 -op ema:0.5,first --missing=-2.50
}

# --- Columns

@test "-c takes every line as a record of its first fields" {
	gives '1 2\n3 4\n' '1 2\n4 6\n' -c 2
	stops '1 2\n3 4 y\n' 1 '1 2\n' 'pscan: in: line 2: more fields than columns: "3 4 y" (see -c)' -c 2
	gives '1,2,3\n4,5,6\n' '3,1\n9,5\n' -d , -c 3 -f 3,1
	gives '1,2,3\n4,5,6\n' '2,3\n7,9\n' -d , -c 3 -f 2-
	gives 'a b\n1 2\n' 'b_sum\n2\n' -c 2 -f b
	gives '1 2\n3 4\n' '1 2 1 2\n3 4 4 6\n' -c 2 -a
	gives '1\n2\n' '1\n3\n' -c 1
	refuses '-f: there are 2 columns' -c 2 -f 3
	refuses '-c: "0"' -c 0
	refuses '-c: "x"' -c x
}

@test "-c takes binary records, column after column" {
	raw i4 1 10 2 20 3 30 >in
	run_pscan -t i32 --format=binary -c 2 in
	assert_equal "$code $(od -An -w8 -td4 out | tr -s ' ' | tr '\n' ';')" '0  1 10; 3 30; 6 60;'
	run_pscan -t i32 --format=binary -c 3 -f 3,1 -op sum,max in
	assert_equal "$code $(od -An -w16 -td4 out | tr -s ' ' | tr '\n' ';')" '0  2 2 1 1; 32 30 21 20;'
	run_pscan -t i32 --format=binary -c 2 -e in
	assert_equal "$code $(od -An -w8 -td4 out | tr -s ' ' | tr '\n' ';')" '0  0 0; 1 10; 3 30;'
	run_pscan -t i32 --format=binary -c 2 --total in
	assert_equal "$code $(od -An -w8 -td4 out | tr -s ' ' | tr '\n' ';')" '0  6 60;'
	run_pscan -t i32 --format=binary -c 2 --include-initial --seed=5,-5 in
	assert_equal "$code $(od -An -w8 -td4 out | tr -s ' ' | tr '\n' ';')" '0  5 -5; 6 5; 8 25; 11 55;'
	run_pscan -t i32 --format=binary -c 2 --output-format=text -op max,count in
	assert_equal "$code $out" $'0 1 1 10 1\n2 2 20 2\n3 3 30 3'
	# Results of several types, packed: a sum of 4 bytes and a count of 8.
	run_pscan -t i32be --format=binary -op sum,count <<<'abc'
	assert_equal "$code $(od -An -w12 -tx1 out)" '0  61 62 63 0a 00 00 00 00 00 00 00 01'
}

@test "of one column in binary there may be several results" {
	raw i4 1 2 3 >in
	run_pscan -t i32 --format=binary -c 1 -op sum,max in
	assert_equal "$code $(od -An -w8 -td4 out | tr -s ' ' | tr '\n' ';')" '0  1 1; 3 2; 6 3;'
	run_pscan -t i32 --format=binary -c 1 -f 1,1 in
	assert_equal "$code $(od -An -w8 -td4 out | tr -s ' ' | tr '\n' ';')" '0  1 1; 3 3; 6 6;'
}

@test "an absent result is NaN in binary" {
	printf '1 2\n- 4\n' >in
	run_pscan -f 1,2 --missing=skip -t f32 --output-format=binary in
	assert_equal "$code $(od -An -w8 -tx4 out | tr '\n' ';')" '0  3f800000 40000000; 7fc00000 40c00000;'
	raw f4 1 2 3 4 >in
	run_pscan --format=binary -c 2 -op lag in
	assert_equal "$code $(od -An -w8 -tx4 out | tr '\n' ';')" '0  7fc00000 7fc00000; 3f800000 40000000;'
}

@test "an absent result of a type that has no NaN is an error in binary" {
	printf '1 2\n- 4\n' >in
	run_pscan -f 1,2 --missing=skip -t i32 --output-format=binary in
	assert_equal "$code $(od -An -w8 -td4 out | tr -s ' ' | tr '\n' ';')" '1  1 2;'
}

# --- Errors

@test "an absent total of a key or a segment of a type that has no NaN is an error in binary" {
	local every
	seq 7 >in
	"$PSCAN" -t i16 --output-format=binary -op last in >raw
	for every in 3 2; do
		run_pscan -t i16 --format=binary -op lag --total --reset-every=$every --output-format=binary raw
		assert_equal "$code $err" '1 pscan: raw: a segment of one element: there is no lag'
		assert_equal "$(stat -c %s out)" $((2 * (7 / every)))
		run_pscan -t i16 --format=binary -op lag --seed=9 --total --reset-every=$every raw
		assert_equal "$code $err $(od -An -v -td2 out | tr -s ' ' | tail -c 3)" '0   9'
	done
	run_pscan -t i16 --format=binary -op delta --total --reset-at=4 raw raw
	assert_equal "$code $err $(od -An -v -td2 out | tr -s ' ')" '0   1 1 1'
	run_pscan -t i16 --format=binary -op sum,delta --total --reset-at=1 raw <(head -c 2 raw) raw
	assert_equal "$code $err $(od -An -v -td2 out | tr -s ' ')" '1 pscan: raw: a segment of one element: there is no delta  28 1'
	run_pscan -t i16 --format=binary -op sum,delta --total --reset-at=2 raw
	assert_equal "$code $err $(stat -c %s out)" '1 pscan: raw: element 1: a segment of one element: there is no delta 0'
	printf '%s\n' 'a 1' 'b 5' 'b 7' 'c 3' 'a 9' >table
	run_pscan -t i32 -f 2 -g 1 -op delta --total --output-format=binary table
	assert_equal "$code $err $(od -An -v -td4 out | tr -s ' ')" '1 pscan: table: key "c": one element: there is no delta  8 2'
	run_pscan -t i32 -f 2 --reset-on=1 -op delta --total --output-format=binary table
	assert_equal "$code $err $(stat -c %s out)" '1 pscan: table: a segment of one element: there is no delta 0'
	run_pscan -t f32 -f 2 -g 1 -op delta --total --output-format=binary table
	assert_equal "$code $err $(od -An -v -tf4 out | tr -s ' ')" '0   8 2 nan'
}

@test "a list of fields that is none is refused" {
	local list
	for list in '' ',' '1,' ',1' '1,,2' 0 0-2 3-1 -x '1,-0' 4294967296000000 1-99999999; do
		refuses -f -f "$list"
	done
	for list in x a-b a,x; do
		printf 'a b c\n1 2 3\n' >in
		run_pscan -f "$list" in
		assert_equal "$list: $code $out" "$list: 1 "
		assert_contains "$err" 'no field is called'
	done
}

@test "-H and --comment are for text" {
	raw f4 1 2 >in
	for option in -H --comment=# --missing=skip -a --as=x; do
		run_pscan -c 2 --format=binary "$option" in
		assert_equal "$option: $code $out" "$option: 2 "
	done
}

@test "bytes left over of a record of columns" {
	raw i4 1 10 2 20 3 >in
	run_pscan -t i32 --format=binary -c 2 in
	assert_equal "$code $err" '1 pscan: in: byte 16: 4 bytes left over, a record needs 8'
	assert_equal "$(od -An -w8 -td4 out | tr -s ' ' | tr '\n' ';')" ' 1 10; 3 30;'
}

@test "a bad number names its line and field, and the records before it come out" {
	stops '1 2\n3 4\n5 x\n' 1 '1 2\n4 6\n' 'pscan: in: line 3, field 2: not a number: "x" (another field? see -f)' -f 1,2
	stops '1 2\n3 4\n5 x\n' 1 '1 2 1 2\n3 4 4 6\n' 'pscan: in: line 3, field 2: not a number: "x" (another field? see -f)' -c 2 -a
	stops '1,2\n3,\n' 1 '1,2\n' 'pscan: in: line 2, field 2: empty or absent: "" (see --missing)' -d , -f 1,2
}

@test "an overflow in one lane of several names the field and the line, and the records before it come out" {
	stops '1 100\n- -\n- 20\n5 20\n6 4\n' 1 '1 100\n- 120\n' \
		'pscan: in: line 4, field 2: the sum does not fit i8 (see -t i8:i64, --overflow=wrap)' -f 1,2 -t i8 --missing=skip
	stops '1 100\n4 20\n5 20\n6 4\n' 1 '1 100 1 100\n4 20 5 120\n' \
		'pscan: in: line 3, field 2: the sum does not fit i8 (see -t i8:i64, --overflow=wrap)' -c 2 -t i8 -a
	stops '100 100\n20 20\n20 20\n6 4\n' 1 '100 100\n120 120\n' \
		'pscan: in: line 3, field 1: the sum does not fit i8 (see -t i8:i64, --overflow=wrap)' -f 1,2 -t i8
	# With -e it is the next element's result that does not fit, if there is one.
	stops '1 100\n4 20\n5 20\n6 4\n' 1 '0 0\n1 100\n5 120\n' \
		'pscan: in: line 4, field 2: the sum does not fit i8 (see -t i8:i64, --overflow=wrap)' -f 1,2 -t i8 -e
	gives '1 100\n4 20\n5 20\n' '0 0\n1 100\n5 120\n' -f 1,2 -t i8 -e
	raw i1 1 100 4 20 5 20 6 4 >in
	run_pscan -t i8 --format=binary -c 2 in
	assert_equal "$code $err" '1 pscan: in: field 2: element 3: the sum does not fit i8 (see -t i8:i64, --overflow=wrap)'
	assert_equal "$(od -An -td1 out | tr -s ' ')" ' 1 100 5 120'
	run_pscan -t i8 --format=binary -c 2 --total in
	assert_equal "$code $(wc -c <out)" '1 0'
}

@test "an overflow in a record of many columns is found" {
	"$PYTHON" -c 'import numpy as np
a = np.ones((300, 40), "i1"); a[:, 33] = 0; a[0, 33] = 100; a[150, 33] = 100; a[100:, :33] = a[100:, 34:35] = 0
a[100:, 35:] = 0; a.tofile("in")'
	run_pscan -t i8 --format=binary -c 40 in
	assert_equal "$code $err" '1 pscan: in: field 34: element 151: the sum does not fit i8 (see -t i8:i64, --overflow=wrap)'
	assert_equal "$(wc -c <out)" 6000
	run_pscan -t i8 --format=binary -c 40 -e in
	assert_equal "$code $(wc -c <out)" '1 6040'
}

@test "a lane of floats goes on in its grid where others change" {
	# The third field's sum leaves 64 bits, the second one's decimals grow.
	"$PYTHON" - >in <<-'END'
		import random
		random.seed(4)
		for i in range(30000):
		    print(f"{random.random():.17f}e0 {random.randrange(1000)}" + ("" if i < 17000 else ".5" if i < 21000 else ".25")
		          + f" {9 * 10 ** 14 + i}")
	END
	"$PSCAN" -f 1 -op sum,mean in >floats
	"$PSCAN" -f 2 in >decimals
	"$PSCAN" -f 3 in >large
	"$PSCAN" -f 1-3 -op sum,mean in >both
	# In chunks that hold whole tiles.
	"$PSCAN" -f 1-3 -op sum,mean --chunk-size=4M in | cmp - both
	"$PSCAN" -f 1-3 -op sum,mean --chunk-size=32M in | cmp - both
	cut -d ' ' -f 1,2 both | cmp - floats
	cut -d ' ' -f 3 both | cmp - decimals
	cut -d ' ' -f 5 both | cmp - large
	"$PYTHON" - >totals <<-'END'
		from fractions import Fraction
		rows = [line.split() for line in open("in")]
		print(f"{float(sum(Fraction(r[1]) for r in rows)):.2f}", sum(int(r[2]) for r in rows))
	END
	tail -n 1 both | cut -d ' ' -f 3,5 | cmp - totals
}

@test "of twelve columns of text one may be chosen by its name" {
	gives 'a b c d e f g h i j k l\n1 2 3 4 5 6 7 8 9 10 11 12\n' \
		'a_sum b_sum c_sum d_sum e_sum f_sum g_sum h_sum i_sum j_sum k_sum l_sum\n1 2 3 4 5 6 7 8 9 10 11 12\n' \
		-c 12 -f a,2,3,4,5,6,7,8,9,10,11,12
}

@test "records of many columns have the bits that each column has for itself" {
	"$PYTHON" -c 'import sys, numpy as np
r = np.random.default_rng(7)
r.standard_normal((10000, 20)).astype("f4").tofile("f32")
r.integers(-1000, 1000, (10000, 20)).astype("i4").tofile("i32")'
	local args
	for args in '-t f32' '-t f32 -e -op max' '-t f32 -op prod --seed=2' '-t i32 -e --seed=-5' '-t i32:i32 -op min' '-t f64 -op sum'; do
		# shellcheck disable=SC2086 # words
		set -- $args
		file=${2%:*}
		[ "$file" != f64 ] || file=f32
		tail -c +1 "$file" | "$PSCAN" "$@" --format=binary -c 20 --chunk-size=100K >all
		"$PSCAN" "$@" --format=binary -c 20 "$file" | cmp - all
		"$PYTHON" - "$@" <<-'END'
			import os, subprocess, sys
			import numpy as np
			args = sys.argv[1:]
			name, _, _ = args[1].partition(":")
			source = np.fromfile("f32" if name == "f64" else name, {"f32": "f4", "f64": "f8", "i32": "i4"}[name])
			source = source.reshape(-1, 20)
			got = np.fromfile("all", source.dtype).reshape(-1, 20)
			for k in range(20):
			    alone = subprocess.run([os.environ["PSCAN"], "--format=binary", *args], input=source[:, k].tobytes(),
			                           stdout=subprocess.PIPE, check=True).stdout
			    assert alone == got[:, k].tobytes(), (args, k)
		END
	done
}

@test "records of a few columns have the bits that each column has for itself" {
	"$PYTHON" - <<-'END'
		import os, subprocess, time
		import numpy as np
		r = np.random.default_rng(8)
		for dtype, size in (("i1", "i8"), ("u2", "u16"), ("f4", "f32"), ("f8", "f64")):
		    for columns in (2, 3, 4, 5):
		        source = (r.standard_normal((9001, columns)) * 100).astype(dtype)
		        options = ["-t", size, "--format=binary", "--overflow=wrap"]
		        for more in ([], ["-e"], ["-op", "max,sum"], ["-op", "mean" if size[0] == "f" else "xor", "-e"]):
		            def scan(data, *args):
		                return subprocess.run([os.environ["PSCAN"], *options, *more, *args], input=data,
		                                      stdout=subprocess.PIPE, check=True).stdout
		            ops = 2 if more and more[-1] == "max,sum" else 1
		            got = np.frombuffer(scan(source.tobytes(), "-c", str(columns)), dtype).reshape(-1, columns * ops)
		            again = scan(source.tobytes(), "-c", str(columns), "--chunk-size=50K", "-T", "3")
		            assert again == got.tobytes(), (size, columns, more)
		            late = subprocess.Popen([os.environ["PSCAN"], *options, *more, "-c", str(columns)],
		                                    stdin=subprocess.PIPE, stdout=subprocess.PIPE)
		            late.stdin.write(source[:2500].tobytes())
		            late.stdin.flush()
		            time.sleep(0.05)  # a chunk that ends in a tile
		            assert late.communicate(source[2500:].tobytes())[0] == got.tobytes(), (size, columns, more, "late")
		            for k in range(columns):
		                alone = scan(source[:, k].tobytes())
		                assert alone == got[:, ops * k:ops * k + ops].tobytes(), (size, columns, more, k)
		            chosen = scan(source.tobytes(), "-c", str(columns), "-f", f"{columns},1")
		            picked = np.concatenate([got[:, ops * (columns - 1):], got[:, :ops]], axis=1)
		            assert chosen == picked.tobytes(), (size, columns, more)
	END
}

# --- All of it

# bats test_tags=many
@test "random tables and records give what their lanes give on the host" {
	ONE_IN=8 run timeout 3600 "$PYTHON" "$TOOLS/lanes.py" host
	echo "$output"
	[ "$status" -eq 0 ]
}

# bats test_tags=long,many
@test "more random tables and records give what their lanes give on the host" {
	run "$PYTHON" "$TOOLS/lanes.py" host
	echo "$output"
	[ "$status" -eq 0 ]
}
