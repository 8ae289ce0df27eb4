#!/usr/bin/env bats
# Every option as it is spelled, and what the command line refuses.
# shellcheck disable=SC2154 # code, out and err are set by run_pscan

load helper

setup() {
	export PSCAN_DEVICE=none
}

# scans INPUT EXPECTED OPTION...: exit 0, silence, and EXPECTED (on one line) from the words of INPUT.
scans() {
	local input=$1 expected=$2
	shift 2
	run_pscan "$@" < <(printf '%s\n' "$input")
	assert_scanned "$expected" "$@"
}

# refuses PART OPTION...: exit 2, nothing on standard output, and a message that holds PART.
refuses() {
	local part=$1
	shift
	run_pscan "$@" < <(printf '1 2\n')
	assert_equal "$* -> $code $out" "$* -> 2 "
	assert_equal "$(head -c 7 "$TMP/err")" "pscan: "
	assert_contains "$err" "$part"
}

# --- The operator

@test "-op has three spellings for every operator and sign" {
	local row operator sign expected spelling
	for row in 'sum + 6 9 14' 'prod * 6 18 90' 'max max 6 6 6' 'min min 6 3 3' 'and & 6 2 0' 'or | 6 7 7' 'xor ^ 6 5 0'; do
		read -r operator sign expected <<<"$row"
		for spelling in "$operator" "$sign"; do
			scans '6 3 5' "$expected" -op "$spelling"
			scans '6 3 5' "$expected" -op="$spelling"
			scans '6 3 5' "$expected" --op "$spelling"
			scans '6 3 5' "$expected" --op="$spelling"
		done
	done
}

@test "the operator is a sum unless -op says otherwise" {
	scans '6 3 5' '6 9 14'
}

@test "-op stands anywhere, behind operands too" {
	printf '6 3 5\n' >"$TMP/a"
	run_pscan -e "$TMP/a" -op max -t i32
	assert_equal "$code $out" $'0 -2147483648\n6\n6'
}

# bats test_tags=usual
@test "in POSIX's order, behind the first operand, -op is a file" {
	cd "$TMP"
	printf '6 3\n' >a
	printf '5\n' >./-op
	POSIXLY_CORRECT=1 run_pscan -e -op max -t i32 a -op
	assert_equal "$code $out" $'0 -2147483648\n6\n6'
}

@test "-op glued to its argument is refused with a hint" {
	refuses '-op max' -opmax
	refuses '-op max' -op+
	refuses '-op max' -opop
}

@test "a bundle of letters that ends in op is refused with a hint" {
	local bundle
	for bundle in -zop -eop -iop -ezop -qvop -hop; do
		refuses '-op max' "$bundle" max
		assert_contains "$err" "$bundle"
	done
	[ ! -e p ]
}

@test "a bundle that ends in o takes the next word as its file" {
	cd "$TMP"
	run_pscan -eo -op -t i32 < <(echo '6 3 5')
	assert_equal "$code $out" '0 '
	assert_equal "$(tr '\n' ' ' <./-op)" '0 6 9 '
}

@test "an option's argument that looks like -op stays an argument" {
	cd "$TMP"
	local spelling
	for spelling in '-o -op' '--output -op' '-o-op' '--output=-op'; do
		# shellcheck disable=SC2086 # words
		run_pscan $spelling -op max < <(echo '6 3 7')
		assert_equal "$spelling: $code $out$err" "$spelling: 0 "
		assert_equal "$spelling: $(tr '\n' ' ' <./-op)" "$spelling: 6 6 7 "
		rm ./-op
	done
	refuses '-op' -f -op
	refuses '"-op"' --missing -op
	refuses '"-op=max"' -t -op=max
}

@test "an abbreviated option's argument that looks like -op stays an argument" {
	refuses '"-op"' --inval -op
}

@test "behind -- -op is a file's name" {
	cd "$TMP"
	printf '6 3 7\n' >./-op
	printf '1 2\n' >./-opmax
	run_pscan -op max -- -op -opmax
	assert_equal "$code $err$out" $'0 6\n6\n7\n7\n7'
}

@test "-- ends the options" {
	cd "$TMP"
	printf '6 3 7\n' >./-e
	run_pscan -- -e
	assert_equal "$code $out" $'0 6\n9\n16'
}

@test "an unknown operator is refused and the known ones are named" {
	refuses 'sum, prod, max, min, and, or, xor' -op total_of
	assert_contains "$err" '"total_of"'
	refuses '-op' -op=
	refuses '-op' -op ''
	refuses '-op: an operator is missing (see --list-operators)' -op sum,
	refuses '"maxx" is not an operator: perhaps max' -op maxx
}

@test "and, or, xor with a float accumulator are a usage error" {
	local operator
	for operator in and or xor; do
		refuses "$operator" -op "$operator" -t f32
		refuses "$operator" -op "$operator" -t f64
		refuses "$operator" -op "$operator" -t i32:f64
	done
	scans '6 3 5' '6 7 7' -op or -t f32:i32
}

# --- The scan

@test "-i is the inclusive scan, the default" {
	scans '6 3 5' '6 9 14'
	scans '6 3 5' '6 9 14' -i
	scans '6 3 5' '6 9 14' --inclusive
}

@test "-e is the exclusive scan" {
	scans '6 3 5' '0 6 9' -e
	scans '6 3 5' '0 6 9' --exclusive
}

@test "of -i and -e the last wins" {
	scans '6 3 5' '6 9 14' -e -i
	scans '6 3 5' '0 6 9' -i -e
	scans '6 3 5' '6 9 14' -ei
	scans '6 3 5' '0 6 9' --inclusive --exclusive
}

@test "result 0 of -e is the identity of operator and type" {
	local row operator type expected
	for row in 'sum i32 0' 'prod i32 1' 'max i8 -128' 'max u16 0' 'max i64 -9223372036854775808' 'max f32 -inf' \
		'min u8 255' 'min i32 2147483647' 'min f64 inf' 'and i32 -1' 'and u64 18446744073709551615' 'or i32 0' \
		'xor i32 0' 'sum f64 0' 'prod f32 1'; do
		read -r operator type expected <<<"$row"
		scans '5' "$expected" -e -op "$operator" -t "$type"
	done
}

@test "result 0 of -e is the seed where there is one" {
	scans '6 3 5' '100 106 109' -e --seed=100
}

@test "--include-initial gives the identity or seed and then the inclusive results" {
	scans '6 3 5' '0 6 9 14' --include-initial
	scans '6 3 5' '100 106 109 114' --include-initial --seed=100
	scans '' '0' --include-initial
}

@test "--include-initial with -e still gives n+1 results" {
	scans '6 3 5' '0 6 9 14' --include-initial -e
}

@test "--seed starts from its value" {
	scans '6 3 5' '16 19 24' --seed=10
	scans '6 3 5' '16 19 24' --seed 10
	scans '6 3 5' '1 4 9' --seed -5
	scans '6 3 5' '60 180 900' -op prod --seed 10
	scans '6 3 5' '6 6 6' -op max --seed 4
	scans '6 3 5' '0.25' --total -op prod -t f64 --seed 0.0027777777777777778
}

@test "the first element may take an exact seed past 64 bits" {
	scans '1' '9223372036854775808' --seed=9223372036854775807
	scans '-1 -1 0.5' '-9223372036854775809 -9223372036854775810 -9223372036854775809.5' --seed=-9223372036854775808
	scans '0 1' '9223372036854775807 9223372036854775808' --seed=9223372036854775807
}

@test "--seed is rounded to the accumulator's type" {
	# float32(16777217) is 16777216
	scans '0' '16777216' -t f32 --seed 16777217
	scans '0' '16777217' -t f32:f64 --seed 16777217
}

@test "--total gives the last inclusive result only" {
	scans '6 3 5' '14' --total
	scans '6 3 5' '14' --total -e
	scans '6 3 5' '24' --total --seed=10
}

@test "--total of no numbers is the seed or the identity" {
	scans '' '0' --total
	scans '' '10' --total --seed=10
	scans '' '-128' --total -op max -t i8
}

@test "--overflow=error, the default, stops at the first result that does not fit and names the remedies" {
	local option
	for option in '' --overflow=error; do
		# shellcheck disable=SC2086 # an option or none
		run_pscan -t i8 $option < <(echo '100 27 1 5')
		assert_equal "$code $out" $'1 100\n127'
		assert_contains "$err" 'element 3'
		assert_contains "$err" '-t i8:i64'
		assert_contains "$err" '--overflow=wrap'
	done
	run_pscan -t i64 < <(echo '9223372036854775807 1')
	assert_equal "$code $out" '1 9223372036854775807'
	assert_contains "$err" '-t i64:f64'
}

@test "an overflow inside the tree that no result has is no error" {
	scans '100 27 -100 -27 100' '100 127 27 0 100' -t i8
	scans '100 100' '0 100' -t i8 --seed=-100
}

@test "an overflow in the last element does not count under -e" {
	scans '100 27 1' '0 100 127' -e -t i8
	run_pscan -e -t i8 < <(echo '100 27 1 1')
	assert_equal "$code $out" $'1 0\n100\n127'
}

@test "under -e the last element that overflows is no error after a pause either" {
	run_pscan -e -t i8 < <(
		echo '100 100'
		sleep 0.3
	)
	assert_equal "$code $err $out" $'0  0\n100'
	run_pscan -e -t i8 < <(
		echo '100 100'
		sleep 0.3
		echo 0
	)
	assert_equal "$code $out" $'1 0\n100'
	assert_contains "$err" 'element 3: the sum does not fit i8'
}

# bats test_tags=long
@test "a float that does not fit an integer is shown as it is" {
	local text right
	# The shortest text of 2^31 in f32 is 2147483600, which fits.
	for text in 2147483647:2147483648 1e10:10000000000 -3e9:-3000000000 1e30:1e+30 inf:inf; do
		right=${text#*:}
		run_pscan -t f32:i32 <<<"1 ${text%%:*}"
		assert_equal "$code $out $err" "1 1 pscan: standard input: element 2: $right does not fit i32 (see -t)"
	done
}

@test "an element that cannot be converted is an error wherever it stands" {
	need_opencl
	local device option place
	for device in none cpu; do
		for option in '' -e --total '-e --total'; do
			for place in '-1' '3 -1' '3 -1 4'; do
				# shellcheck disable=SC2086 # options or none
				run_pscan -D $device -t i8:u8 $option < <(echo "$place")
				assert_equal "$device $option $place: $code" "$device $option $place: 1"
				assert_contains "$err" ': -1 does not fit u8 (see -t, --overflow=wrap)'
			done
			# shellcheck disable=SC2086 # options or none
			run_pscan -D $device -t f64:i32 --overflow=wrap $option < <(echo '1 nan')
			assert_equal "$device $option: $code" "$device $option: 1"
			assert_contains "$err" 'element 2: nan does not fit i32 (see -t)'
		done
	done
	run_pscan -e -t i8:u8 < <(echo '3 4 -1')
	assert_equal "$code $out" $'1 0\n3'
	scans '3 -1' '0 3' -e -t i8:u8 --overflow=wrap
	scans '-1 3' '0 255' -e -t i8:u8 --overflow=wrap
	# The sum is another matter.
	scans '200 100' '0 200' -e -t u8
	scans '200 100' '0 200' -e -t i16:u8
}

@test "--overflow=wrap is modulo 2^n" {
	scans '100 27 1 5' '100 127 -128 -123' -t i8 --overflow=wrap
	scans '200 55 1' '200 255 0' -t u8 --overflow wrap
	scans '2147483647 1' '2147483647 -2147483648' -t i32 --overflow=wrap
	scans '16 16 2' '16 0 0' -t u8 -op prod --overflow=wrap
	scans '300' '44' -t i32:u8 --overflow=wrap
}

# --- Numbers

@test "-t, --type= and --type name the element type" {
	scans '200 100' '200 44' -t u8 --overflow=wrap
	scans '200 100' '200 44' -tu8 --overflow=wrap
	scans '200 100' '200 44' --type=u8 --overflow=wrap
	scans '200 100' '200 44' --type u8 --overflow=wrap
	scans '200 100' '200 300' -t u8:i32
	scans '0.1 0.2' '0.1 0.30000000000000004' -t f64
	scans '0.10 0.20' '0.10 0.30' -t num
	scans '0.10 0.20' '0.10 0.30' -t dec
	scans '1.75 -2.5' '1 -1' -t f64:i32
}

@test "every type name reads and writes its own bytes" {
	"$PYTHON" - "$PSCAN" <<-'END'
		import struct
		import subprocess
		import sys
		short = {"i8": "b", "u8": "B", "i16": "h", "u16": "H", "i32": "i", "u32": "I", "i64": "q", "u64": "Q", "f32": "f",
		         "f64": "d"}
		kinds = {"i": "int", "u": "uint", "f": "float"}
		for name, code in short.items():
		    bits = int(name[1:])
		    numpy = f"{name[0]}{bits // 8}"
		    long = f"{kinds[name[0]]}{bits}"
		    spellings = {name: "=", long: "=", name + "le": "<", name + "be": ">", "<" + numpy: "<", ">" + numpy: ">"}
		    for spelling, order in spellings.items():
		        command = [sys.argv[1], "--format=binary", "-t", spelling]
		        done = subprocess.run(command, input=struct.pack(order + "4" + code, 1, 2, 3, 100), capture_output=True)
		        assert done.returncode == 0 and done.stderr == b"", (spelling, done)
		        assert done.stdout == struct.pack(order + "4" + code, 1, 3, 6, 106), (spelling, done.stdout)
	END
}

@test "a bad type is refused" {
	local type
	for type in '' foo i7 f16 i32: :i32 i32:foo i32:i64:i64 i32le:x I32x '<' '<i3' 'i32 '; do
		refuses '-t' --format=text -t "$type"
	done
}

@test "num is for text only" {
	refuses 'num' --format=binary -t num
}

@test "--format takes auto, text and binary" {
	scans '1 2' '1 3' --format=auto
	scans '1 2' '1 3' --format text
	run_pscan --format=binary --output-format=text -t u8 < <(printf '\001\002')
	assert_equal "$code $out" $'0 1\n3'
}

@test "--output-format takes text, binary and npy, not auto" {
	scans '1 2' '1 3' --output-format=text
	refuses 'text, binary or npy' --output-format=auto
}

@test "formats of later are refused as not supported yet" {
	refuses 'not supported yet' --format=json
}

# --- Lines

@test "-f and --field choose the field" {
	scans 'a 7' '7' -f 2
	scans 'a 7' '7' -f2
	scans 'a 7' '7' --field=2
	scans 'a 7' '7' --field 2
}

@test "-d and --delimiter choose the delimiter" {
	scans 'a;7' '7' -f 2 -d ';'
	scans 'a;7' '7' -f 2 '-d;'
	scans 'a;7' '7' -f 2 '--delimiter=;'
	scans 'a;7' '7' -f 2 --delimiter ';'
	scans $'a b\t7' '7' -f 2 -d '\t'
	scans $'a b\t7' '7' -f 2 -d $'\t'
	scans 'a  7' '7' -f 3 -d ' '
}

@test "--missing takes fail, skip, keep, zero and a number" {
	scans '1 NA 2' '1 3' --missing=skip
	scans '1 NA 2' '1 NA 3' --missing=keep
	scans '1 NA 2' '1 1 3' --missing=hold
	scans '1 NA 2' '1 1 3' --missing=zero
	scans '1 NA 2' '1 0 2' --missing -1
	run_pscan --missing=fail < <(echo '1 NA 2')
	assert_equal "$code $out" '1 1'
}

@test "--invalid takes abort, fail, warn and ignore" {
	scans '1 x 2' '1 3' --invalid=ignore
	run_pscan --invalid=warn < <(echo '1 x 2')
	assert_equal "$code $out" $'0 1\n3'
	run_pscan --invalid=fail < <(echo '1 x 2')
	assert_equal "$code $out" $'1 1\n3'
	run_pscan --invalid abort < <(echo '1 x 2')
	assert_equal "$code $out" '1 1'
}

@test "text options with binary input are a usage error" {
	refuses '--format=binary' -f 1 --format=binary
	refuses '--format=binary' --format=binary -f 1 -d ,
	refuses '--format=binary' --format=binary --missing=skip
	refuses '--format=binary' --format=binary --invalid=warn
}

# --- Files and running

@test "-z and --gzip compress the output" {
	local option
	for option in -z --gzip --gzip=1 --gzip=9 -ez; do
		run_pscan "$option" -i < <(echo '1 2')
		assert_equal "$option: $code $(gunzip -c "$TMP/out" | tr '\n' ' ')" "$option: 0 1 3 "
	done
}

@test "short options never take optional arguments" {
	refuses 'write --gzip=5' -z5
}

@test "-o and --output name the output" {
	local option
	cd "$TMP"
	for option in '-o f' -of '--output=f' '--output f' '-io f' -iof; do
		# shellcheck disable=SC2086 # words
		run_pscan $option < <(echo '1 2')
		assert_equal "$option: $code $out$err$(tr '\n' ' ' <f)" "$option: 0 1 3 "
		rm f
	done
}

@test "-o - is standard output" {
	scans '1 2' '1 3' -o -
}

@test "--no-mmap gives the same results" {
	seq 20000 >"$TMP/a"
	run_pscan --no-mmap --total "$TMP/a"
	assert_equal "$code $out" '0 200010000'
}

@test "-D and --device name the device" {
	local option
	for option in '-D none' -Dnone --device=none '--device none' '-D auto'; do
		# shellcheck disable=SC2086 # words
		scans '1 2' '1 3' $option
	done
}

@test "-D wins over PSCAN_DEVICE" {
	export PSCAN_DEVICE=no-such-device
	scans '1 2' '1 3' -D none
	run_pscan < <(echo '1 2')
	assert_equal "$code $out" '4 '
	export PSCAN_DEVICE=none
	run_pscan -D no-such-device < <(echo '1 2')
	assert_equal "$code $out" '4 '
}

@test "-D takes platform:device and a part of a name" {
	local index name
	run_pscan -l
	[ -n "$out" ] || skip "no OpenCL device"
	read -r index name _ <<<"$out"
	scans '1 2' '1 3' -D "$index"
	scans '1 2' '1 3' -D "${name:0:5}"
	scans '1 2' '1 3' -D "$(tr "[:lower:]" "[:upper:]" <<<"${name:0:5}")"
	scans '1 2' '1 3' -D "$(tr "[:upper:]" "[:lower:]" <<<"${name:0:5}")"
	run_pscan -D 99:99 < <(echo '1 2')
	assert_equal "$code $out" '4 '
}

@test "-l lists one line a device with type, memory, OpenCL version, fp64 and bit-exactness" {
	need_opencl
	local option
	for option in -l --list-devices; do
		run_pscan "$option"
		assert_equal "$code $err" '0 '
		[ -n "$out" ] || skip "no OpenCL device"
		if grep -vE '^[0-9]+:[0-9]+ .* (cpu|gpu|accelerator|other) .*[0-9] ?[KMG]i?B .*OpenCL [0-9.]+.*(fp64|-).*(bit-exact)' \
			"$TMP/out"; then
			false
		fi
	done
}

@test "--chunk-size takes bytes with K, M or G" {
	local size
	for size in 1 4096 32K 1M 16k; do
		case $size in
		*k) refuses '--chunk-size' --chunk-size="$size" ;;
		*) scans '1 2' '1 3' --chunk-size="$size" ;;
		esac
	done
	scans '1 2' '1 3' --chunk-size 32K
}

@test "-T and --threads take a number, 0 for all" {
	local option
	for option in '-T 0' -T3 '--threads=2' '--threads 1'; do
		# shellcheck disable=SC2086 # words
		scans '1 2' '1 3' $option
	done
}

@test "-q silences warnings, not errors" {
	run_pscan --invalid=warn < <(echo '1 x')
	assert_contains "$err" 'warning'
	local option
	for option in -q --quiet; do
		run_pscan "$option" --invalid=warn < <(echo '1 x 2')
		assert_equal "$code $out $err" $'0 1\n3 '
		run_pscan "$option" < <(echo '1 x 2')
		assert_equal "$code" 1
		assert_contains "$err" 'not a number'
	done
}

@test "-v says where exact decimals end" {
	local option
	for option in -v --verbose; do
		run_pscan "$option" < <(echo '1 2 1e-19')
		assert_equal "$code $out" $'0 1\n3\n3'
		assert_contains "$err" 'element 3'
		assert_contains "$err" 'f64'
	done
	scans '1 2 1e-19' '1 3 3'
}

# says LINE... -- OPTION...: with -v these are messages, whole lines.
says() {
	local lines=()
	while [ "$1" != -- ]; do
		lines+=("pscan: $1")
		shift
	done
	shift
	run_pscan -v -T 2 "$@"
	assert_equal "$*: $code" "$*: 0"
	local line
	for line in "${lines[@]}" 'pscan: engine: the host, 2 threads'; do
		grep -qxF -e "$line" "$TMP/err" || assert_equal "$err" "$line"
	done
	run_pscan -T 2 "$@"
	assert_equal "$*: $err" "$*: "
}

@test "-v says what was found: format, delimiter, header, types, engine" {
	need_same_byte_order
	cd "$TMP"
	printf '1 2\n' >plain
	printf 'k;v\na;1\n' >semicolons
	printf '\xef\xbb\xbfk,v\r\nkg,m\r\n1,2\r\n' >units.csv
	printf 'k,v\na,1\n' | gzip >found.csv.gz
	printf '{"v":1}\n' >json
	printf '\0\0\200\077' >floats
	echo 1 2 3 | "$PSCAN" -t i64 --output-format=npy >array.npy
	says 'format: text, each word a number' 'header: none' 'types: numbers num, results num of sum' -- plain
	says 'format: text, fields between blanks' 'types: numbers dec, results dec of max' -- -f 2 -t dec -op max plain
	says 'format: text, fields between delimiters, delimiter ";"' 'header: 1 line, names in line 1: "k;v"' \
		'types: numbers i32, results i64 of sum, f64 of mean, u64 of count' -- -d ';' -f v -t i32:i64 -op sum,mean,count semicolons
	says 'format: text, CSV, delimiter ","' 'header: 2 lines, names in line 1: "k,v"' -- \
		--csv --header=2 --header-names=1 -f v units.csv
	says 'format: text, CSV, delimiter ",", in gzip' 'header: 1 line (found), names in line 1: "k,v"' -- --csv -f 2 found.csv.gz
	says 'format: text, CSV, delimiter ","' -- -f v <(zcat found.csv.gz)
	says 'format: text, CSV, delimiter ","' 'header: none (found)' -- --csv -f 1 <(echo 1,2)
	says 'format: text, JSON, one object per line' -- --json -f v json
	says 'format: raw binary (found)' 'types: numbers f32, results f32 of sum' -- floats
	says 'format: raw binary' 'types: numbers u8, results u64 of sum' -- --format=binary -t u8:u64 floats
	says 'format: npy of shape (3,)' 'types: numbers i64, results i64 of sum' -- array.npy
}

# --- Help and version

@test "-h and --help go to standard output and exit 0" {
	local option
	for option in -h --help -eh; do
		run_pscan "$option"
		assert_equal "$code $err" '0 '
		assert_contains "$out" 'Usage: pscan [OPTION]... [FILE]...'
	done
	# Whatever follows -h: an option without its argument, an unknown one, and two that exclude each other.
	for option in '-h --state' '-h -op' '-h --nosuch' '-eh -D' '-h --total --include-initial' -help; do
		# shellcheck disable=SC2086 # some words
		run_pscan $option
		assert_equal "$option: $code $err ${out:0:12}" "$option: 0  Usage: pscan"
	done
}

@test "-h has no line that an 80-column terminal would break" {
	run_pscan -h
	assert_equal "$(awk 'length($0) > 80' "$TMP/out")" ''
}

@test "-h does not name the options for development" {
	run_pscan -h
	local word
	for word in --algorithm --verify --trace; do
		case $out in *"$word"*) false ;; esac
	done
}

# version_has PATTERN: a line of both spellings' output matches.
version_has() {
	local option
	for option in -V --version; do
		run_pscan "$option"
		assert_equal "$code $err" '0 '
		assert_equal "${out:0:6}" 'pscan '
		grep -qE "$1" "$TMP/out"
	done
}

@test "-V names the grid's version" {
	version_has '^grid [0-9]+'
}

@test "-V names the codec libraries with their versions" {
	version_has 'zlib.* [0-9]+\.[0-9]+'
	version_has '(zstd [0-9.]+|no zstd), (lz4 [0-9.]+|no lz4), (xz [0-9.]+|no xz), (bzip2 [0-9.]+|no bzip2)$'
}

@test "-V names the OpenCL loader" {
	version_has 'OpenCL.*[a-z]+'
}

# --- Refused

@test "a bad value is refused with the option and the value" {
	local row option value
	for row in --overflow=foo --overflow= --format=foo --format= --output-format=foo --missing=foo --missing= \
		--missing=1x --invalid=foo --invalid= --gzip=0 --gzip=10 --gzip=x --gzip= --gzip=-1 --gzip=1.5 \
		--chunk-size=0 --chunk-size=-1 --chunk-size= --chunk-size=K --chunk-size=1T --chunk-size=1.5M --chunk-size=0x10 --chunk-size=0X10 \
		--chunk-size=1KK --chunk-size=99999999999G --threads=-1 --threads=x --threads= --threads=99999999999999999999 \
		--field=0 --field=-x --field= --field=99999999999999999999999 --delimiter=ab --delimiter= \
		$'--delimiter=\n' --op=foo --type=foo; do
		option=${row%%=*}
		value=${row#*=}
		refuses '' "$row" --format=text
		case $option in
		--threads) assert_contains "$err" '-T' ;;
		--field) assert_contains "$err" '-f' ;;
		--delimiter) assert_contains "$err" '-d' ;;
		--op) assert_contains "$err" '-op' ;;
		--type) assert_contains "$err" '-t' ;;
		*) assert_contains "$err" "$option" ;;
		esac
		case $row in
		--delimiter=?*) ;; # a newline is escaped
		--chunk-size*) assert_contains "$err" "${value%[KMG]}" ;;
		*) assert_contains "$err" "$value" ;;
		esac
	done
}

@test "a seed that is no value of the accumulator is a usage error, whatever the input" {
	local row
	for row in 'x f64' '1.5 i32' '300 u8' '-1 u64' '1e39 f32' ' f64' '1x num'; do
		refuses '--seed' --seed="${row% *}" -t "${row##* }" --format=text
		run_pscan --seed="${row% *}" -t "${row##* }" --format=text </dev/null
		assert_equal "$row: $code $out" "$row: 2 "
	done
}

@test "a --missing value that does not fit the type is a usage error" {
	refuses '--missing' --missing=1.5 -t i32
	refuses '--missing' --missing=300 -t u8
	refuses '--missing' --missing=1e999 --format=text
}

@test "an unknown option is refused and named, with a hint to the help" {
	refuses '--bogus' --bogus
	assert_contains "$err" '--help'
	refuses '"-x"' -x
	refuses '"-x"' -ex
	refuses '--total' --total=3
}

@test "an option without its argument is refused and named" {
	local option
	for option in -t -f -d -o -D -T; do
		refuses "\"$option\"" "$option"
	done
	for option in --seed --overflow --format --output-format --missing --invalid --chunk-size; do
		refuses "$option" "$option"
	done
	# Of an option with a letter that may be named.
	for option in --type --field --delimiter --output --device --threads; do
		refuses 'needs an argument' "$option"
	done
	refuses 'op' -op
	refuses 'op' --op
}

@test "what is reserved is refused as not supported yet" {
	local option
	for option in --exact --diff; do
		# shellcheck disable=SC2086 # words
		refuses 'not supported yet' $option
	done
}

@test "a bundle with op= in it is refused, no file is made" {
	run_pscan -eop=max < <(echo 1)
	assert_equal "$code" 2
	assert_contains "$err" '-op max'
	[ ! -e 'p=max' ]
}

@test "-o without a name is refused" {
	run_pscan -o '' < <(echo 1)
	assert_equal "$code $out" '2 '
}

# --- Invalid values

@test "values that are missing or none of the words are refused" {
	refuses "--trace: a file's name is missing" --trace=
	refuses '-D: a device is missing' -D ''
	local value
	for value in '' K 0x10 1X; do
		refuses '--chunk-size' --chunk-size="$value"
	done
	for value in '' 0x1 0X1 : /; do
		refuses '--header: ' --header="$value"
	done
	refuses '--algorithm: "bogus" is not blelloch, hillis-steele or sequential' --algorithm=bogus
	refuses '--stats: "xml" is not json' --stats=xml
	for value in '' ab $'\n' $'\r'; do
		refuses '-d: ' -f 1 -d "$value"
	done
	for value in '' $'#\n' "$(printf '#%.0s' {1..1001})"; do
		refuses '--comment: ' -f 1 --comment="$value"
	done
	refuses '--total and --include-initial exclude each other' --total --include-initial
	refuses '-a writes lines of text: it cannot be combined with --output-format=binary' -f 1 -a --output-format=binary
}

@test "of an option that is given twice the last counts; a second -f, -g, --reset-on, -op or --accept adds to the list" {
	twice() { # WANT OPTION...: the lines of the results, joined by commas
		assert_equal "${*:2}: $(printf 'a x 1 10%%\na y 2 5\na x 4 1Ki\nb x 8 2\n' | "$PSCAN" "${@:2}" | paste -s -d , -)" "${*:2}: $1"
	}
	twice 9,11,15,23 -f 3 --seed=1 --seed=8
	twice 1,2,4,8 -f 3 --window=3 --window=1
	twice 0,1,3,7 -f 3 -i -e
	twice '1 1,3 2,7 4,15 8' -f 3 -op sum -op max
	twice '1 1,3 3,7 7,15 15' -f 3 -f 3
	twice 'a x 1,a y 2,a x 5,b x 8' -g 1 -g 2 -f 3
	twice 'a x 5,a y 2,b x 8' -g 1 --by=2 -f 3 --total
	twice 1,2,4,8 --reset-on=1 --reset-on=2 -f 3
	twice 10,15,1039,1041 -f 4 --accept=percent --accept=size
}

@test "-a may be given twice, and with --output-format=text" {
	scans $'1\n2' '1 1 2 3' -f 1 -a -a -d ' '
	run_pscan -f 1 -a -a --output-format=text < <(printf '1\n2\n')
	assert_equal "$code $out" $'0 1 1\n2 3'
}

@test "in a bundle -op is refused, and a file's name may begin with p" {
	refuses '-op and its operator are two words' -eop
	refuses '-op and its operator are two words' -eop=max
	cd "$TMP" || return
	run_pscan -eopx < <(printf '1 2\n')
	assert_equal "$code $out" '0 '
	assert_equal "$(cat px)" $'0\n1'
}

@test "PSCAN_DEVICE_TIMEOUT is a number of seconds" {
	for value in x -1 1.5 1e3 10000000; do
		PSCAN_DEVICE_TIMEOUT=$value run_pscan -D none < <(seq 3)
		assert_equal "$value: $code" "$value: 2"
		assert_contains "$err" PSCAN_DEVICE_TIMEOUT
	done
	for value in '' 0 1 1000000; do
		PSCAN_DEVICE_TIMEOUT=$value run_pscan -D none < <(seq 3)
		assert_equal "$value: $code $out" "$value: 0 $(printf '1\n3\n6')"
	done
}

# --- The environment

@test "a variable that says nothing is refused with what is allowed" {
	local row name value allowed option refused
	for row in 'PSCAN_SHAPE|wide|cpu or gpu' 'PSCAN_SHAPE|GPU|cpu or gpu' 'PSCAN_MEMORY|none|copy or share' \
		'PSCAN_AUTO|lazy|eager' 'PSCAN_TRIAL|on|off' 'PSCAN_CPU|v5|baseline, v3 or v4' 'PSCAN_DEVICE_TIMEOUT|soon|a number from 0 to 1000000'; do
		IFS='|' read -r name value allowed <<<"$row"
		for option in --total --version --help; do
			refused=0
			env "$name=$value" "$PSCAN" "$option" >"$TMP/out" 2>"$TMP/err" < <(echo 1) || refused=$?
			assert_equal "$refused $(cat "$TMP/out")$(cat "$TMP/err")" \
				"2 pscan: $name: \"$value\" is not $allowed (see --help)"
		done
	done
}

@test "a variable that is empty or says something is taken" {
	local row
	# LeakSanitizer looks into /proc, which some of these close.
	export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0"
	for row in PSCAN_SHAPE=cpu PSCAN_SHAPE=gpu PSCAN_MEMORY=copy PSCAN_MEMORY=share PSCAN_AUTO=eager PSCAN_TRIAL=off PSCAN_CPU=baseline PSCAN_CPU=v3 PSCAN_CPU=v4 \
		PSCAN_DEVICE_TIMEOUT=9 PSCAN_SHAPE= PSCAN_MEMORY= PSCAN_CPU= PSCAN_DEVICE_TIMEOUT= PSCAN_SANDBOX_ALLOW= \
		PSCAN_SANDBOX_ALLOW=/nonesuch:; do
		assert_equal "$row: $(env "$row" "$PSCAN" 2>&1 < <(echo 1 2) | paste -sd ' ')" "$row: 1 3"
	done
}

@test "an option is suggested only if it is near; messages of --seed and --chunk-size say where help is" {
	run_pscan --limit=5 </dev/null
	assert_equal "$code $err" '2 pscan: unknown option "--limit" (see --help)'
	run_pscan --emti=5 </dev/null
	assert_equal "$code $err" '2 pscan: unknown option "--emti": perhaps --emit (see --help)'
	run_pscan --xemit=5 </dev/null
	assert_equal "$code $err" '2 pscan: unknown option "--xemit": perhaps --emit (see --help)'
	run_pscan --seed=x </dev/null
	assert_equal "$code $err" '2 pscan: --seed: not a number: "x" (see --help=seed)'
	run_pscan -t i32 --seed=x </dev/null
	assert_equal "$code $err" '2 pscan: --seed: "x" is not a value of i32 (see --help=seed)'
	run_pscan --chunk-size=1T </dev/null
	assert_equal "$code $err" '2 pscan: --chunk-size: "1T" is not a size from 1 to 64G, such as 64K or 4M (see --help=chunk-size)'
}
