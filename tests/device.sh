#!/bin/sh
# Compares a device's output byte for byte with the host's, for every operator and type, both byte orders, exact
# decimals and text, at sizes around tiles and chunks. Usage: tests/device.sh DEVICE. bats is not needed. BUILD holds
# the program. FLOATS: which scans with floats have the same bits on the device: all (default), f32 or none. LARGE: the
# size of large inputs. TYPES: the types with which every operator is tried (default: all). COMMON=no leaves out what
# does not depend on TYPES: conversions, text and the engine's own test.
set -u
device=${1:?usage: tests/device.sh DEVICE}
pscan=${PSCAN:-${BUILD:-build}/pscan}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
floats=${FLOATS:-all}
passed=0
failed=0
skipped=0

# comparable ARGUMENT...: the scan has no floats that the device cannot do. (A long product of decimals ends in f64.)
comparable() {
	case $floats$* in
	all*) true ;;
	*f64* | *mean* | *op[\ =]var\ * | *op[\ =]std\ * | *"prod $work/wide") false ;;
	none*f32*) false ;;
	esac
}

# alike OPERATOR EXPRESSION ARGUMENT...: what the host gives by the operator, the device gives by the expression that it
# is: the same output and the same exit code.
alike() {
	operator=$1
	expression=$2
	shift 2
	if ! comparable "$@"; then
		skipped=$((skipped + 1))
		return
	fi
	"$pscan" -D none ${operator:+--op="$operator"} "$@" >"$work/host" 2>"$work/host.err"
	host=$?
	"$pscan" -D "$device" ${expression:+--op="$expression"} "$@" >"$work/device" 2>"$work/device.err"
	code=$?
	if [ $host -eq $code ] && [ $host -le 1 ] && cmp -s "$work/host" "$work/device"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "not ok - $expression $* (exit $host and $code)"
		head -n 3 "$work/device.err"
	fi
}

# same ARGUMENT...: the same by both.
same() { alike '' '' "$@"; }

# size BYTES: a file of random bytes.
size() {
	head -c "$1" /dev/urandom >"$work/in.$1"
	echo "$work/in.$1"
}

large=${LARGE:-8388608}
pairs=$("$pscan" --list-operators | sed -n 's/^\([a-z]*\) .* a b -> .*/\1/p') # elements are two numbers
big=$(size $((large + large / 8 + 3)))
whole=$(size "$large")
small=$(size 40)
for op in $("$pscan" --list-operators | cut -d ' ' -f 1 | sed 's/:A$/:0.3/'); do
	# Without an identity -e needs a seed, and where the first result is absent an integer has no bytes for it.
	first=
	inputs=1
	case " $pairs " in *" $op "*) inputs=2 ;; esac
	columns=--columns=$inputs
	"$pscan" -D none --op="$op" "$columns" -e </dev/null >"$work/host" 2>&1 || first=--seed=1
	for type in ${TYPES:-i8 u8 i16 u16 i32 u32 i64 u64 f32 f64}; do
		"$pscan" -D none --op="$op" -t "$type" "$columns" --format=binary --seed=1 --total </dev/null >"$work/host" 2>&1 ||
			"$pscan" -D none --op="$op" -t "$type" "$columns" --format=binary --total </dev/null >"$work/host" 2>&1 ||
			continue # it has no such accumulator
		output=
		"$pscan" -D none --op="$op" -t "$type" "$columns" --format=binary </dev/null >"$work/host" 2>&1 || output=--output-format=text
		for file in "$small" "$whole" "$big"; do
			same --op="$op" -t "$type" "$columns" --overflow=wrap $output "$file"
		done
		same --op="$op" -t "${type}be" "$columns" -e $first --overflow=wrap --chunk-size=100K $output "$whole"
		same --op="$op" -t "$type" "$columns" $output "$whole" # stops at the first overflow
		# Columns of records, each a lane.
		case $type in
		u8 | i32 | f32 | f64)
			same --op="$op" -t "$type" -c $((2 * inputs)) --overflow=wrap $output "$whole"
			same --op="$op" -t "$type" -c $((7 * inputs)) -e $first --overflow=wrap $output "$big"
			;;
		esac
	done
done
for type in ${TYPES:-i8 u8 i16 u16 i32 u32 i64 u64 f32 f64}; do
	# Of floats an expression leaves the range, which prod does not.
	case $type in f*)
		same -op prod -t "$type" "$big"
		same -op prod -t "$type" --algorithm=hillis-steele "$whole"
		continue
		;;
	esac
	for file in "$small" "$whole" "$big"; do
		alike prod 'a*b' -t "$type" --overflow=wrap "$file"
	done
	alike prod 'a*b' -t "$type" --overflow=wrap -e --seed=3 --chunk-size=100K "$whole"
	alike prod 'a*b' -t "$type" --overflow=wrap -c 7 "$whole"
	alike prod 'a*b' -t "$type" --overflow=wrap --algorithm=hillis-steele "$whole"
done
# conclude: the totals, and the status.
conclude() {
	echo "$passed passed, $failed failed, $skipped skipped"
	[ $failed -eq 0 ]
	exit
}

[ "${COMMON:-yes}" = yes ] || conclude
alike first a+0*b -t i32:i64 "$whole"
for types in i32:i64 u8:f64 f32:f64 u8:u64 i16:i32 i64:f32 f64:f32 u32:i64 f64:i32 f32:u8; do
	same -t $types --overflow=wrap "$whole"
	same -t $types -e --seed=1 "$whole"
	same -t $types -op max "$whole"
done
awk 'BEGIN { srand(7); for (i = 0; i < 300000; i++) printf "%.*f\n", int(i / 50000), (rand() - 0.3) * 1e6 }' >"$work/decimals"
awk 'BEGIN { srand(8); for (i = 0; i < 200000; i++) printf "%d%d\n", 900000000 + rand() * 1e8, 100000000 + rand() * 1e8 }' >"$work/wide"
for op in $("$pscan" --list-operators | awk '/ x -> / && !/^(prod|and|or|xor|count|ema)/ { print $1 }'); do
	same -op "$op" "$work/decimals"
	case $op in
	arg* | mean | var | std) same -op "$op" --chunk-size=1M "$work/decimals" ;; # no seed
	*) same -op "$op" -e --seed=0.5 --chunk-size=1M "$work/decimals" ;;
	esac
	same -op "$op" "$work/wide"
	same -op "$op" -t f64 "$work/decimals"
done
same -op prod -t f64 "$work/decimals"
paste "$work/decimals" "$work/wide" | head -n 100000 >"$work/table"
for ops in sum,max mean,lag,sum; do
	same -f 1,2 -op $ops "$work/table"
	same -f 2,1 -op $ops -a --chunk-size=2M "$work/table"
	same -c 2 -op $ops -t f64 "$work/table"
	same -t f32 -c 3 -op $ops "$whole"
done
same -op xor "$work/wide"
same -op prod "$work/wide"
same -op count -e "$work/wide"
# The order of combination, elements of several numbers and several results of any types.
if [ ! -x "${BUILD:-build}/unit/engine_test" ]; then
	skipped=$((skipped + 1))
	echo "skipped - engine_test is not built"
elif "${BUILD:-build}/unit/engine_test" "$device" >"$work/order" 2>&1; then
	passed=$((passed + 1))
else
	failed=$((failed + 1))
	grep '^not ok' "$work/order"
fi
conclude
