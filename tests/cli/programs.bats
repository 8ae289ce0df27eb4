#!/usr/bin/env bats
# Operators of users: expressions, compared with Python's integers, and for floats with the grid written out in numpy.
# shellcheck disable=SC2154 # code, out and err are set by run_pscan
load helper

# Composition of affine maps of 32 bits, multiplier and constant in one u64: associative, not commutative.
AFFINE='((ulong)((uint)(a >> 32) * (uint)(b >> 32)) << 32) | ((uint)a * (uint)(b >> 32) + (uint)b)'

# shellcheck disable=SC2034 # python's, of the helper
setup() {
	cd "$TMP" || return
	PROLOGUE='
import operator, random, struct, sys
from itertools import accumulate
def affine(a, b):
    mask = 0xffffffff
    return ((a >> 32) * (b >> 32) & mask) << 32 | ((a & mask) * (b >> 32) + b & mask)
'
}

# as_python_has_it WAYS COUNT...: scans of COUNT elements. A way is a shape and a tree, which have kernels of their
# own.
as_python_has_it() {
	local ways=$1 count way
	shift
	python '
rng = random.Random(3)
for count in (1, 15, 16, 17, 4095, 4096, 4097, 20001):
    values = [rng.getrandbits(64) | 1 << 32 for _ in range(count)]
    open(f"in.{count}", "wb").write(struct.pack(f"<{count}Q", *values))
    open(f"inclusive.{count}", "wb").write(struct.pack(f"<{count}Q", *accumulate(values, affine)))
    before = list(accumulate(values, affine, initial=5 << 32 | 7))
    open(f"exclusive.{count}", "wb").write(struct.pack(f"<{count}Q", *before[:-1]))
    open(f"initial.{count}", "wb").write(struct.pack(f"<{count + 1}Q", *before))
'
	for count; do
		for way in $ways; do
			local algorithm=${way#*/}
			export PSCAN_SHAPE=${way%/*}
			"$PSCAN" --algorithm="$algorithm" -t u64 -op "$AFFINE" --format=binary "in.$count" | cmp - "inclusive.$count"
			"$PSCAN" --algorithm="$algorithm" -t u64 -op "$AFFINE" --format=binary -e --seed=21474836487 "in.$count" |
				cmp - "exclusive.$count"
			# shellcheck disable=SC2002 # a pipe is asked for
			cat "in.$count" | "$PSCAN" --algorithm="$algorithm" -t u64 -op "$AFFINE" --format=binary --chunk-size=32K \
				--include-initial --seed=21474836487 | cmp - "initial.$count"
		done
	done
}

@test "an expression is what python computes: in order, from file and pipe, in chunks, both shapes, both trees" {
	as_python_has_it 'cpu/blelloch gpu/hillis-steele' 1 20001
}

# bats test_tags=long
@test "an expression is what python computes, at the edges of runs and tiles" {
	as_python_has_it 'cpu/blelloch cpu/hillis-steele gpu/blelloch gpu/hillis-steele' 1 15 16 17 4095 4096 4097 20001
}

# Scans by expressions, each with types.
integer_types() {
	python '
rng = random.Random(4)
for size, letter in zip((8, 16, 32, 64), "bhiq"):
    for signed in (True, False):
        low, high = (-(1 << size - 1), (1 << size - 1) - 1) if signed else (0, (1 << size) - 1)
        values = [rng.randint(low, high) for _ in range(9000)]
        wrap = lambda x: (x - low) % (1 << size) + low
        name = ("i" if signed else "u") + str(size)
        code = "<9000" + (letter if signed else letter.upper())
        open(f"in.{name}", "wb").write(struct.pack(code, *values))
        open(f"xor.{name}", "wb").write(struct.pack(code, *accumulate(values, lambda a, b: wrap(a ^ b ^ 5))))
        open(f"max.{name}", "wb").write(struct.pack(code, *accumulate(values, max)))
'
	local way name expression types
	for way; do
		IFS=/ read -r name expression types <<<"$way"
		for type in $types; do
			"$PSCAN" -t "$type" --format=binary -op "$expression" "in.$type" | cmp - "$name.$type"
		done
	done
}

@test "integers: the expression's value is the accumulator's, modulo its size" {
	integer_types 'xor/a ^ b ^ 5/i8' 'max/a > b ? a : b/u32'
}

# bats test_tags=long
@test "every integer type with every expression" {
	integer_types 'xor/a ^ b ^ 5/u8 i16 u16 i32 u32 i64 u64' 'max/max(a, b)/i8 u8 i16 u16 i32 u32 i64 u64' \
		'max/a > b ? a : b/i8 u8 i16 u16 i32 i64 u64'
}

@test "an expression of floats has the grid's bits, in both shapes" {
	run "$PYTHON" "$TOOLS/grid_states.py" cpu expressions 'a + b - a*b' f32
	assert_equal "$status ${lines[-1]}" '0 8 runs, 0 wrong'
}

# bats test_tags=long
@test "expressions of floats have the grid's bits, in both shapes" {
	run "$PYTHON" "$TOOLS/grid_states.py" cpu expressions
	assert_equal "$status ${lines[-1]}" '0 48 runs, 0 wrong'
}

# picks TYPE EXPRESSION RESULTS: the host, then the device, of -0 0 nan -1 1, or of the numbers that follow for -op.
picks() {
	local device
	local how=(-op last --emit="$2")
	[ $# -eq 3 ] || how=(-op "$2")
	for device in none cpu; do
		run_pscan -q -D "$device" -t "$1" "${how[@]}" < <(printf '%s\n' "${@:4}" | grep . || printf '%s\n' -0 0 nan -1 1)
		assert_equal "$device $1 $2: $code $err${out//$'\n'/ }" "$device $1 $2: 0 $3"
	done
}

@test "min and max of floats give the first argument if neither is less, on the host and on a device" {
	picks f64 'min(s, 0.0)' '-0 0 nan -1 0'
	picks f64 'min(s, -0.0)' '-0 0 nan -1 -0'
	picks f32 'max(-0.0f, s)' '-0 -0 -0 -0 1'
	picks f64 'max(a, b)' '1 1 2' 1 nan 2
	run_pscan -q -D cpu -t f64 -op last --map='min(x, -0.0)' < <(printf '%s\n' -0 0 nan 1)
	assert_equal "$code $err${out//$'\n'/ }" '0 -0 0 nan -0'
	run_pscan -D cpu -t i32 -op last --map='max(min((char)x, (char)5), (char)-3)' < <(printf '%s\n' -9 4 9)
	assert_equal "$code $err${out//$'\n'/ }" '0 -3 4 5'
}

@test "text: numbers are f64 or of the type; fields, a header, other operators beside it, the total" {
	run_pscan -op 'a*b' < <(printf '0.1\n3\n')
	assert_scanned '0.1 0.30000000000000004' 'f64, not a decimal'
	run_pscan -t u64 -op "$AFFINE" --total < <(seq 4294967296 4294972295)
	assert_scanned "$(python 'print(list(accumulate(range(1 << 32, (1 << 32) + 5000), affine))[-1])')" affine
	run_pscan -H -f x,y -a -op 'a*10 + b,sum,max(a, b)' -t i32 < <(printf 'x y\n1 2\n3 4\n')
	assert_equal "$out" 'x y x_expr x_sum x_expr y_expr y_sum y_expr
1 2 1 1 1 2 2 2
3 4 13 4 3 24 6 4'
	run_pscan -t i32 -c 2 -op 'a*10 + b' < <(printf '1 2\n3 4\n5 6\n')
	assert_equal "$out" '1 2
13 24
135 246'
	# Decimals of one field change their row in mid-stream; the program of the other goes on.
	run_pscan -f 1,2 -op 'sum,a*b' < <(printf '1 1\n0.25 2\n1e300 3\n2 4\n')
	assert_equal "$code$err" 0
	assert_equal "$out" '1 1 1 1
1.25 0.25 3 2
1e+300 2.5e+299 6 6
1e+300 5e+299 10 24'
}

@test "elements that do not fit the accumulator are errors, after the results before them" {
	run_pscan -t u32:u8 -op 'a*b' < <(printf '5\n3\n400\n3\n')
	assert_equal "$code $out" "1 5
15"
	assert_equal "$err" 'pscan: standard input: element 3: 400 does not fit u8 (see -t, --overflow=wrap)'
	# 15 * 144 is 2160, 112 of a byte; thrice that is 336.
	run_pscan -t u32:u8 --overflow=wrap -op 'a*b' < <(printf '5\n3\n400\n3\n')
	assert_scanned '5 15 112 80' wraps
	run_pscan -t u8 -op 'a*b' < <(printf '16\n16\n')
	assert_scanned '16 0' 'results wrap'
}

@test "no input: nothing, or the seed" {
	run_pscan -op 'a*b' </dev/null
	assert_scanned '' nothing
	run_pscan -op 'a*b' --seed=3 --total </dev/null
	assert_scanned 3 'the seed'
	run_pscan -op 'a*b' -e < <(seq 3)
	assert_equal "$code $err" '2 pscan: -e: expr has no start value of its own (see --seed)'
}

# refused OPERATOR MESSAGE
refused() {
	run_pscan -op "$1" < <(seq 3)
	assert_equal "$code $err" "2 pscan: -op$2"
	assert_equal "$out" ''
}

@test "what is no expression is refused in one line, and names the place" {
	refused 'a*b; 1' ': "a*b; 1": ";" cannot be in an expression'
	refused 'a); b' ': "a); b": a bracket is closed that is not open'
	refused '(a[b)' ': "(a[b)": a bracket is closed that is not open'
	refused '(a*b' ': "(a*b": a bracket is not closed'
	refused 'a /* b */' ': "a /* b */": "/*" cannot be in an expression'
	refused $'a\n#include "b"' ': "a\x0a#include \"b\"": "#" cannot be in an expression'
	for text in '%:' '<%' '%>' '<:' ':>' '??'; do
		refused "a+b$text=c" ": \"a+b$text=c\": \"$text\" cannot be in an expression"
	done
	refused 'a+b, a+b+c' ":1:6: use of undeclared identifier 'c'"
	refused 'max(a*b, 1.0f)' ":1:1: call to 'pscan_max' is ambiguous"
	refused $'a +\n b + TILE' ":2:6: use of undeclared identifier 'TILE'"
	run_pscan -op 'a % b' < <(seq 3)
	assert_contains "$code $err" '2 pscan: -op:1:3: invalid operands'
	run_pscan -op "$(python 'print("(" * 10001 + "a*b" + ")" * 10001)')" </dev/null
	assert_equal "$code $err" '2 pscan: -op: "(...": more than 10000 nested brackets'
	refused summ ': "summ" is not an operator: perhaps sum (see --list-operators)'
	refused lnrec ': "lnrec" is not an operator: perhaps linrec (see --list-operators)'
	refused mx ': "mx" is not an operator: perhaps max (see --list-operators)'
	refused lineaarrec ": \"lineaarrec\" is not $(operator_list) (see --list-operators)"
	run_pscan -op "$(printf 'x%.0s' {1..99})" </dev/null
	assert_contains "$code $err" '" is not sum, prod, max, min, and'
	for text in 'x+y' 'a*2' 'max(a, 1)' '!b' 'a ? 1 : 2'; do
		refused "$text" ": \"$text\" is not an operator: an expression needs both a and b (see --help=op)"
	done
	refused @ ': @: a file'"'"'s name is missing (see --help=op)'
	touch here.cl
	refused here.cl ': "here.cl" is not an operator: perhaps @here.cl (see --help=op)'
	refused total ': "total" is not an operator: perhaps sum (see --list-operators)'
}

@test "what does not go with an operator of one's own says so" {
	export PSCAN_DEVICE=auto
	run_pscan -D none -op "@$ROOT/samples/mean_deviation.cl" < <(seq 3)
	assert_equal "$code $err" '2 pscan: -D none: an operator of your own needs a device (see --help=-D)'
	run_pscan -D none --algorithm=hillis-steele -op 'a*b' < <(seq 3)
	assert_equal "$code $err" '2 pscan: -D none: an operator of your own needs a device with --algorithm=hillis-steele (see --help=-D)'
	run_pscan --algorithm=sequential -op 'a*b' < <(seq 3)
	assert_equal "$code $err" "2 pscan: --algorithm=sequential is not for an operator of your own (see --help=algorithm)"
	run_pscan --verify -op 'a*b' < <(seq 3)
	assert_equal "$code $err" '2 pscan: --verify compares operators of the table, not one of your own (see --help=verify)'
	# Whatever makes an operator one's own: only others' results are checked.
	for arguments in '-op a*b' '--map=x+i' '-op sum,max --emit=s+x/1' "-op @$ROOT/samples/mean_deviation.cl"; do
		# shellcheck disable=SC2086 # several words
		run_pscan $arguments --overflow=wrap --overflow=error < <(seq 3)
		assert_equal "$arguments: $code $err" \
			"$arguments: 2 pscan: --overflow=error cannot check the results of an operator of your own (see --help=overflow)"
	done
	run_pscan --total --overflow=error --overflow=wrap -op 'a*b' < <(seq 3)
	assert_scanned 6 'the last one counts'
	run_pscan -t u8 --overflow=error -op 'sum,a*b' < <(printf '200\n200\n')
	assert_contains "$code $err" '1 pscan: standard input: element 2: the sum does not fit u8'
	run_pscan -t dec -op 'a*b/1' < <(seq 3)
	assert_equal "$code $err" '2 pscan: -t: "dec" is exact, but the operator is not'
}

@test "the device is the one named, else what there is; without one the message names a package" {
	printf 'typedef double state;\nstate lift(double x) { return x; }\nstate combine(state a, state b) { return a * b; }\ndouble emit(state s) { return s; }\n' >product.cl
	PSCAN_DEVICE=auto run_pscan -v -op @product.cl < <(seq 3)
	assert_equal "$code $out" '0 1
2
6'
	assert_contains "$err" 'device 0:0 ('
	OCL_ICD_VENDORS=/nonexistent PSCAN_DEVICE=auto run_pscan -op 'a*b' < <(seq 3)
	assert_equal "$code $out" '0 1
2
6'
	OCL_ICD_VENDORS=/nonexistent PSCAN_DEVICE=auto run_pscan -op @product.cl < <(seq 3)
	assert_equal "$code $out" '4 '
	assert_contains "$err" "no OpenCL device, which an operator of your own needs: install pocl-opencl-icd or a GPU's driver"
}

# Results of a program on a device that fails: inputs around a tile's edge, so that cursors are begun, folded and
# pushed.
in_trouble() {
	LAYER=${BUILD:-$ROOT/build}/fault/opencl_layer.so
	[ -e "$LAYER" ]
	python '
values = range(1 << 32, (1 << 32) + 9000)
open("in", "wb").write(struct.pack("<9000Q", *values))
open("right", "wb").write(struct.pack("<9000Q", *list(accumulate(values, affine, initial=7 << 32))[1:]))
'
}

# bats test_tags=long
@test "a call that fails anywhere under a program ends with 4, one line, and a prefix of the results" {
	in_trouble
	local call number
	local -i failed=0
	for call in clCreateProgramWithSource clBuildProgram clCreateKernel clCreateCommandQueue clCreateBuffer clSetKernelArg \
		clEnqueueWriteBuffer clEnqueueNDRangeKernel clEnqueueReadBuffer; do
		for ((number = 1; number < 60; number++)); do
			layered PSCAN_MEMORY=copy FAULT_FAIL=$call:$number -- -t u64 --format=binary -op "$AFFINE" --seed=30064771072 --chunk-size=32K in
			grep -q "^failed $call $number " log || break
			failed+=1
			assert_equal "$call $number: $code $(wc -l <err)" "$call $number: 4 1"
			cmp -n "$(wc -c <out)" out right
		done
		assert_equal "$call $number: $code $err" "$call $number: 0 "
		cmp out right
	done
	[ $failed -ge 40 ]
}

@test "a device that fails is status 4 whatever it computes of keys: seeds, their elements, triples that are tried" {
	in_trouble
	printf '%s\n' 'a 1' 'b 2.5' 'a 3' 'b 1' 'a 7' >table
	local way calls number
	local -a run=(-D cpu -g 1 -f 2 --total -op "@$ROOT/samples/mean_deviation.cl" table)
	for way in '' --check-associative; do
		layered -- "${run[@]}" ${way:+"$way"}
		assert_equal "$code $err" '0 '
		calls=$(grep -c '^call clEnqueueNDRangeKernel ' log)
		for ((number = 1; number <= calls; number++)); do
			layered FAULT_FAIL=clEnqueueNDRangeKernel:$number -- "${run[@]}" ${way:+"$way"}
			assert_equal "$way $number of $calls: $code $(wc -l <err)" "$way $number of $calls: 4 1"
		done
	done
}

@test "a compiler that crashes on a program, and a kernel that does not end: 4, one line" {
	[ -z "${ASAN_OPTIONS:-}" ] || skip 'a sanitizer ends the program in its own way'
	in_trouble
	mkdir -m 700 own
	layered PSCAN_TRIAL= XDG_CACHE_HOME="$TMP/own" FAULT_DIE=clBuildProgram:1:crash -- -t u64 -op "$AFFINE" in
	assert_equal "$code $out" '4 '
	assert_equal "$err" 'pscan: device cpu: a driver crashed (signal 11)'
	# So does one of several, whichever it is, that crashes when it runs. (The others' cache would be marked.)
	mkdir -m 700 another
	XDG_CACHE_HOME=$TMP/another run_pscan -t i32 -op 'sum,a*10 + b,(__builtin_trap(), a*10 + b)' < <(seq 3)
	assert_equal "$code $out" '4 '
	assert_contains "$err" 'pscan: device cpu: a driver crashed (signal '
	assert_equal "$(wc -l <err)" 1
	# The trial divides nothing by zero.
	run_pscan -q -t i32 -op 'a/b' < <(echo 100 5 2 10 | tr ' ' '\n')
	assert_scanned '100 20 10 1' divided
	for call in 2 4 9; do
		hanging clEnqueueReadBuffer:$call PSCAN_MEMORY=copy -- \
			-t u64 --format=binary -op "$AFFINE" --seed=30064771072 --chunk-size=32K in
		assert_equal "$code $(wc -l <err)" '4 1'
		assert_contains "$err" "no progress for $patience s (see PSCAN_DEVICE_TIMEOUT)"
		cmp -n "$(wc -c <out)" out right
	done
}

# tried TYPE...: a program of each is another one.
tried() {
	mkdir -m 700 own
	export XDG_CACHE_HOME=$TMP/own PSCAN_TRIAL=
	run_pscan -t u32 -op 'a*b % 7' < <(seq 3)
	assert_scanned '1 2 6' 'the first'
	run_pscan -t u32 -op 'a*b % 7' < <(seq 3)
	assert_equal "$code $(find own -name 'tried-*' | wc -l)" '0 1'
	local count=1 type
	for type; do
		count=$((count + 1))
		run_pscan -t "$type" -op 'a*b % 5' < <(seq 3)
		assert_equal "$code $(find own -name 'tried-*' | wc -l)" "0 $count"
	done
}

@test "a program that was not tried is tried, though the device was" {
	tried u32
}

# bats test_tags=long
@test "a program of another type is tried, too" {
	tried u32 i32
}
