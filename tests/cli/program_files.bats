#!/usr/bin/env bats
# Operators of users: programs in files, compared with the same text compiled as C, with Python's integers and with
# numpy; --map and --emit.
# shellcheck disable=SC2154 # code, out and err are set by run_pscan
load helper

SAMPLES=$ROOT/samples

# shellcheck disable=SC2034 # python's, of the helper
setup() {
	cd "$TMP" || return
	PROLOGUE='
import math, os, random, struct, subprocess, sys
from fractions import Fraction
import numpy as np
'
	write_programs
}

@test "a program of 3 inputs and results of all types: as the same text compiled as C, in both shapes" {
	INPUTS=3 TREES=1 run "$PYTHON" "$TOOLS/program_cases.py" 5 "$TMP"
	assert_equal "$status ${lines[-1]}" '0 7 runs, 0 wrong'
}

# bats test_tags=long
@test "programs of 1 to 8 inputs and results of all types, states of 4 to 128 bytes: as the same text compiled as C" {
	run "$PYTHON" "$TOOLS/program_cases.py" 5 "$TMP"
	assert_equal "$status ${lines[-1]}" '0 48 runs, 0 wrong'
}

# bats test_tags=long
@test "sizes 0 to 8200 (make check-programs: every one): as the same text compiled as C" {
	run "$PYTHON" "$TOOLS/program_cases.py" 2 "$TMP" 199
	assert_equal "$status ${lines[-1]}" '0 896 runs, 0 wrong'
}

@test "intervals meet in their order, with the index of every element, in both shapes and both trees, from a pipe" {
	python '
for n in (1, 16, 4097, 30001):
    np.arange(n, dtype="u8").tofile(f"in.{n}")
    out = np.zeros(n, np.dtype([("good", "u1"), ("first", "u8"), ("last", "u8")]))
    out["good"], out["last"] = 1, np.arange(n)
    out.tofile(f"out.{n}")
'
	for way in cpu/blelloch gpu/hillis-steele; do
		scan() { PSCAN_SHAPE=${way%/*} "$PSCAN" --algorithm="${way#*/}" --format=binary -op @intervals.cl "$@"; }
		for n in 1 16 4097 30001; do
			scan in.$n | cmp - out.$n
		done
		# shellcheck disable=SC2002 # a pipe is asked for
		cat in.30001 | scan --chunk-size=64K | cmp - out.30001
	done
	# One that is not its index, far into the stream.
	python 'a = np.arange(30001, dtype="u8"); a[20000] = 5; a.tofile("bad")'
	run_pscan --format=binary -op @intervals.cl bad
	assert_equal "$code $(od -An -v -tu1 -w17 out | awk '$1 == 0 { print NR; exit }')" '0 20001'
}

# side_by_side WHETHER ARGUMENT...: whether -v reports a vectorised combine in the CPU shape.
side_by_side() {
	local want=$1
	shift
	run_pscan -v "$@"
	assert_equal "$code $(echo "$err" | grep -o 'combine is .*vectorised')" "0 $want"
}

# bats test_tags=long
@test "runs side by side have the bits of one after the other: python's, whatever the size of the state" {
	# Products of matrices, which do not commute, of 3 and 9 numbers: the second is not kept between the sweeps.
	cat >three.cl <<-'END'
		#define P 65521
		typedef struct { uint a, b, c; } state; /* [a b; 0 c] */
		state lift(uint x, ulong i) { state s = {x % P, i % P, (x + 1) % P}; return s; }
		state combine(state p, state q) { state s = {p.a * q.a % P, (p.a * q.b % P + p.b * q.c % P) % P, p.c * q.c % P}; return s; }
		typedef struct { uint a, b, c, x; ulong i, n; } shown;
		shown emit(state s, uint x, ulong i, ulong n) { shown r = {s.a, s.b, s.c, x, i, n}; return r; }
		state identity(void) { state s = {1, 0, 1}; return s; }
	END
	cat >nine.cl <<-'END'
		typedef struct { ulong m[9]; } state;
		state lift(ulong x, ulong y)
		{
			state s = {{x, 1, y, 1, 0, x, y, 1, x + y}};
			return s;
		}
		state combine(state p, state q)
		{
			state s;
			for (int i = 0; i < 3; i++)
				for (int j = 0; j < 3; j++)
					s.m[3 * i + j] = (p.m[3 * i] * q.m[j] + p.m[3 * i + 1] * q.m[3 + j] + p.m[3 * i + 2] * q.m[6 + j]) % 1000003;
			return s;
		}
		ulong emit(state s) { return s.m[5]; }
		state identity(void) { state s = {{1, 0, 0, 0, 1, 0, 0, 0, 1}}; return s; }
	END
	python '
import functools
rng = np.random.default_rng(3)
def product(p, q, mod):
    return [[sum(a * b for a, b in zip(row, column)) % mod for column in zip(*q)] for row in p]
n = 13001
x = rng.integers(0, 65521, n, dtype="u4")
x.tofile("three.in")
shown = np.dtype([("a", "u4"), ("b", "u4"), ("c", "u4"), ("x", "u4"), ("i", "u8"), ("n", "u8")])
exclusive, s = [], [[1, 0], [0, 1]]
for i, v in enumerate(int(v) for v in x):
    exclusive.append((s[0][0], s[0][1], s[1][1], v, i, i))
    s = product(s, [[v % 65521, i % 65521], [0, (v + 1) % 65521]], 65521)
np.array(exclusive, shown).tofile("three.exclusive")
pairs = rng.integers(0, 1000, (n, 2), dtype="u8")
pairs.tofile("nine.in")
def lifted(a, b):
    return [[a, 1, b], [1, 0, a], [b, 1, a + b]]
s = lifted(5, 7)
inclusive, exclusive = [], []
for a, b in pairs.tolist():
    exclusive.append(s[1][2])
    s = product(s, lifted(a, b), 1000003)
    inclusive.append(s[1][2])
np.array(inclusive, "u8").tofile("nine.out")
np.array(exclusive, "u8").tofile("nine.exclusive")
'
	side_by_side 'combine is vectorised' --format=binary -e -op @three.cl three.in
	cmp out three.exclusive
	side_by_side 'combine is vectorised' --format=binary --seed=5,7 -op @nine.cl nine.in
	cmp out nine.out
	side_by_side 'combine is vectorised' --format=binary --seed=5,7 -e -op @nine.cl nine.in
	cmp out nine.exclusive
	# In chunks of some tiles, from a pipe.
	# shellcheck disable=SC2002 # a pipe is asked for
	cat nine.in | "$PSCAN" --format=binary --seed=5,7 --chunk-size=140K -op @nine.cl | cmp - nine.out
	# shellcheck disable=SC2002 # a pipe is asked for
	cat three.in | "$PSCAN" --format=binary -e --chunk-size=35K -op @three.cl | cmp - three.exclusive
	# Without a whole tile nothing is compiled for one.
	side_by_side '' --format=binary -e -op @three.cl < <(head -c 16380 three.in)
	cmp -n "$(wc -c <out)" out three.exclusive
}

# Sets what the tests of floats side by side share: inputs, and a comparison of the shapes.
floats_side_by_side() {
	python '
rng = np.random.default_rng(4)
rng.standard_normal(30001).tofile("f64")
rng.standard_normal(30001).astype("f4").tofile("f32")
rng.integers(0, 1 << 32, 30001, dtype="u8").tofile("u64")
'
	compare() {
		side_by_side "$1" "${@:2}"
		PSCAN_SHAPE=gpu "$PSCAN" "${@:2}" | cmp - out
	}
}

# bats test_tags=long
@test "more floats side by side have the bits of the other shape" {
	floats_side_by_side
	compare 'combine is vectorised' -t f64 -op 'sqrt(a*a + b*b)' f64
	compare 'combine is vectorised' -e --seed=3 -t u64 -op 'a*b % 1000003' u64
	compare 'combine is not vectorised' -t f64 -op 'a*b' f64
	# The operator that is for timing.
	compare 'combine is vectorised' --format=binary -op "@$SAMPLES/expensive.cl" f64
	python 'np.random.default_rng(6).random(5000).tofile("small")'
	"$PSCAN" --format=binary -op "@$SAMPLES/expensive.cl" small >results
	# Whatever it combines, it gives twice the fixed point of x x - x / 2 + 1 / 10 that it goes to.
	python 'assert abs(np.fromfile("results")[-1] - (1.5 - math.sqrt(1.85))) < 1e-12, np.fromfile("results")[-1]'
}

@test "floats side by side have the bits of the other shape; expressions; what is no C with vectors goes on its own" {
	floats_side_by_side
	compare 'combine is vectorised' -t f32 -op '(fabs(a) < b || b == 0) && a >= -1 ? a/3 : b*a' f32
	cat >branch.cl <<-'END'
		typedef struct { double least, greatest; } state;
		state lift(double x) { state s = {x, x}; return s; }
		state combine(state a, state b)
		{
			for (int i = 0; i < 1; i++) {
				if (b.least < a.least)
					a.least = b.least;
			}
			a.greatest = fabs(a.greatest) > fabs(b.greatest) ? a.greatest : b.greatest;
			return a;
		}
		double emit(state s) { return s.greatest - s.least; }
	END
	side_by_side 'combine is not vectorised' --format=binary -op @branch.cl f64
	python '
x = np.fromfile("f64")
furthest = np.maximum.accumulate(np.abs(x))
at = np.maximum.accumulate(np.where(np.abs(x) == furthest, np.arange(len(x)), 0))
assert (np.fromfile("out") == x[at] - np.minimum.accumulate(x)).all()'
	assert_equal "$(wc -l <err)" "$(grep -c '^pscan: ' err)"
}

# bats test_tags=long
@test "programs of + - * / have the grid's bits: in both shapes, from a file and a pipe, in chunks of any size" {
	run "$PYTHON" "$TOOLS/program_model.py" "$TMP"
	assert_equal "$status ${lines[-1]}" '0 224 runs, 0 wrong'
}

@test "inclusive, exclusive from the identity or a seed, the initial value, the total" {
	printf '2 1\n3 5\n4 7\n' >pairs
	run_pscan -f 1,2 -op @affine.cl pairs
	assert_scanned '1 8 39' inclusive
	run_pscan -f 1,2 -e -op @affine.cl pairs
	assert_scanned '0 1 8' exclusive
	run_pscan -f 1,2 -e --seed=9,10 -op @affine.cl pairs
	assert_scanned '10 21 68' 'exclusive, with a seed'
	run_pscan -f 1,2 --include-initial --seed=9,10 -op @affine.cl pairs
	assert_scanned '10 21 68 279' initial
	run_pscan -f 1,2 --include-initial -op @affine.cl pairs
	assert_scanned '0 1 8 39' 'the identity'
	run_pscan -f 1,2 --total -op @affine.cl pairs
	assert_scanned 39 total
	run_pscan -f 1,2 --total -op @affine.cl </dev/null
	assert_scanned 0 'the total of nothing'
	run_pscan -f 1,2 --seed=9 -op @affine.cl pairs
	assert_equal "$code $err" '2 pscan: --seed: 1 values: affine takes 2 for all results, or 2 for each'
	# One value is enough where it is for all operators, whatever their order.
	for list in linrec,@affine.cl @affine.cl,linrec; do
		run_pscan -f 1,2 --seed=9 -op $list pairs
		assert_equal "$code $err" '2 pscan: --seed: 1 values: affine takes 2 for all results, or 2 for each'
	done
	run_pscan -f 1,2 --seed=9 -op linrec,linrec --total < <(echo 2 1)
	assert_scanned '19 19' 'one value for linrec'
	run_pscan -f 1,2 --seed=9,x -op @affine.cl pairs
	assert_equal "$code $err" '2 pscan: --seed: "x" is not a value of u32 (see --help=seed)'
	run_pscan -e -op @intervals.cl </dev/null
	assert_equal "$code $err" '2 pscan: -e: intervals has no start value of its own (see --seed)'
}

# A way is a program, a shape and a tree.
takes_in_the_tiles() {
	local file shape tree way
	# What a tile gets says how many parts are before it; 128 bytes are the most.
	cat >carry.cl <<-'END'
		typedef struct { uint sum, parts; } state;
		typedef struct { ulong sums[15]; uint sum; ushort parts; } carry;
		typedef struct { uint sum, parts; } result;
		state lift(uint x) { state s = {x, 0}; return s; }
		state combine(state a, state b) { state s = {a.sum + b.sum, a.parts + b.parts}; return s; }
		result emit(state s) { result r = {s.sum, s.parts}; return r; }
		static inline carry carry_first(const state total)
		{
			carry c = {{total.sum}, total.sum, 1};
			return c;
		}
		carry carry_add(carry before, state total)
		{
			before.sums[before.parts % 15] += total.sum;
			before.sum += total.sum;
			before.parts++;
			return before;
		}
		state carry_prefix(carry c)
		{
			ulong sum = 0;
			for (int k = 0; k < 15; k++)
				sum += c.sums[k];
			state s = {(uint)sum == c.sum ? c.sum : 0, c.parts};
			return s;
		}
	END
	sed 's/typedef struct .* carry;/typedef ulong carry;/; /^static inline carry/,$d' carry.cl >number.cl
	cat >>number.cl <<-'END'
		carry carry_first(state total) { return (ulong)total.sum << 32 | 1; }
		carry carry_add(carry c, state total) { return (c & 0xffffffff00000000ul) + ((ulong)total.sum << 32) + ((c & 0xffffffff) + 1); }
		state carry_prefix(carry c) { state s = {(uint)(c >> 32), (uint)c}; return s; }
	END
	python '
n = 100001
x = np.random.default_rng(6).integers(0, 1 << 32, n, dtype="u4")
x.tofile("in")
def results(first, parts):
    sums = (first + np.cumsum(x, dtype="u8")).astype("u4")
    return np.stack([sums, (np.arange(n) // 4096 + parts).astype("u4")], 1)
results(0, 0).tofile("out")
results(77, 1).tofile("seeded")
before = np.concatenate(([[77, 0]], results(77, 1)[:-1])).astype("u4")
before.tofile("exclusive")
results(77, 1)[-1].tofile("total")
'
	for way; do
		read -r file shape tree <<<"$way"
		scan() { PSCAN_SHAPE=$shape "$PSCAN" --format=binary --algorithm="$tree" -op "@$file.cl" "$@"; }
		scan in | cmp - out
		# shellcheck disable=SC2002 # a pipe is asked for
		cat in | scan --chunk-size=16K | cmp - out
		scan --seed=77 in | cmp - seeded
		scan --seed=77 -e in | cmp - exclusive
		scan --seed=77 --total in | cmp - total
	done
}

@test "a carry takes in the tiles, and a seed before them, each once and in order, in both shapes and both trees" {
	takes_in_the_tiles 'carry cpu blelloch' 'carry gpu hillis-steele'
}

# bats test_tags=long
@test "a carry that is a number, and of bytes in the other trees" {
	takes_in_the_tiles 'number cpu blelloch' 'number cpu hillis-steele' 'number gpu blelloch' 'carry cpu hillis-steele' 'carry gpu blelloch'
}

@test "emit with inputs, index and count: what is before an element, of that element" {
	cat >show.cl <<-'END'
		typedef struct { long sum; } state;
		struct all { long sum, x; ulong i, n; };
		state lift(long x) { state s = {x}; return s; }
		state combine(state a, state b) { a.sum += b.sum; return a; }
		struct all emit(state s, long x, ulong i, ulong n) { struct all r = {s.sum, x, i, n}; return r; }
		state identity(void) { state s = {0}; return s; }
	END
	run_pscan -op @show.cl < <(printf '5\n7\n11\n')
	assert_scanned '5 5 0 1 12 7 1 2 23 11 2 3' inclusive
	run_pscan -e -op @show.cl < <(printf '5\n7\n11\n')
	assert_scanned '0 5 0 0 5 7 1 1 12 11 2 2' exclusive
	run_pscan -e --seed=100 -op @show.cl < <(printf '5\n7\n11\n')
	assert_scanned '100 5 0 0 105 7 1 1 112 11 2 2' 'exclusive, with a seed'
	python '
x = np.random.default_rng(1).integers(-99, 99, 30000)
x.tofile("in")
i = np.arange(30000)
np.stack([np.concatenate(([0], np.cumsum(x)[:-1])), x, i, i], 1).tofile("out")
'
	for shape in cpu gpu; do
		PSCAN_SHAPE=$shape "$PSCAN" --format=binary --chunk-size=100K -e -op @show.cl in | cmp - out
	done
}

# A way is a program, an algorithm and a shape.
exclusive_results() {
	local algorithm inclusive program way wanted
	LAYER=${BUILD:-$ROOT/build}/fault/opencl_layer.so
	[ -e "$LAYER" ]
	cat >cheap.cl <<-'END'
		typedef struct { double sum, decayed; } state;
		struct all { double sum, decayed, x; };
		state lift(double x) { state s = {x, x}; return s; }
		state combine(state a, state b)
		{
			state s = {a.sum + b.sum, a.decayed * 0.9990234375 + b.decayed};
			return s;
		}
		struct all emit(state s, double x) { struct all r = {s.sum, s.decayed, x}; return r; }
		state identity(void) { state s = {0, 0}; return s; }
	END
	# Single results may be staged.
	sed '/^struct all {/d; s/^struct all emit.*/double emit(state s, double x) { return x > 1e9 ? x : s.decayed; }/' cheap.cl >single.cl
	# Dear ones have kernels of their own on a GPU, and go side by side on a CPU.
	cat >dear.cl <<-'END'
		struct all { double sum, again, x; };
		typedef struct { double sum; } state;
		state lift(double x) { state s = {x}; return s; }
		state combine(state earlier, state later)
		{
			double a = earlier.sum;
			double b = later.sum;
			for (int i = 0; i < 2; i++) {
				a = a * 0.9990234375;
				b = b * 1.0;
			}
			state s = {a + b};
			return s;
		}
		struct all emit(state s, double x) { struct all r = {s.sum, s.sum, x}; return r; }
		state identity(void) { state s = {0}; return s; }
	END
	python 'np.random.default_rng(1).normal(0, 1, 20011).tofile("in")'
	scan() {
		if [ "$wanted" = gpu ]; then
			layered FAULT_LIE=gpu -- -D gpu -v --format=binary --algorithm="$algorithm" "$@" -op "@$program.cl" in
		else
			run_pscan -v --format=binary --algorithm="$algorithm" "$@" -op "@$program.cl" in
		fi
		assert_equal "$code $(grep -c "${wanted^^} shape" <<<"$err")" '0 1'
	}
	for way; do
		read -r program algorithm wanted <<<"$way"
		# Those of both shapes are the same.
		inclusive=$program.$algorithm
		if [ ! -e "$inclusive" ]; then
			scan
			mv out "$inclusive"
		fi
		scan --chunk-size=100K -e
		mv out exclusive
		if [ "$way" = 'dear blelloch cpu' ]; then
			assert_contains "$err" 'combine is vectorised'
		fi
		python '
x, before, after = np.fromfile("in"), np.fromfile(sys.argv[1]), np.fromfile("exclusive")
if len(before) == len(x):
    want = np.append(0, before[:-1])
else:
    want = np.column_stack([np.vstack([[0, 0], before.reshape(-1, 3)[:-1, :2]]), x])
    after = after.reshape(-1, 3)
assert (after.view("u8") == want.view("u8")).all(), np.nonzero((after != want).reshape(len(x), -1).any(1))[0][:9]
' "$inclusive" || return 1
	done
}

# bats test_tags=long
@test "exclusive results of an emit with inputs have the very bits of the inclusive ones before" {
	exclusive_results 'single hillis-steele cpu' 'dear blelloch gpu'
}

# bats test_tags=long
@test "the same by more programs, in the other tree and shape" {
	exclusive_results 'cheap blelloch cpu' 'cheap blelloch gpu' 'cheap hillis-steele cpu' 'cheap hillis-steele gpu' 'single blelloch cpu' 'single blelloch gpu' \
		'single hillis-steele gpu' 'dear blelloch cpu' 'dear hillis-steele cpu' 'dear hillis-steele gpu'
}

@test "fields, columns, several operators, headers; each result a field, named by its member" {
	cat >two.cl <<-'END'
		typedef struct { double a; } state;
		typedef struct { double twice; int part; } pair;
		state lift(double x) { state s = {x}; return s; }
		state combine(state a, state b) { a.a += b.a; return a; }
		pair emit(state s) { pair p = {2 * s.a, (int)(s.a / 2)}; return p; }
	END
	printf 'x y\n1 2\n3 4\n-5 6\n' >table
	run_pscan -H -f x -a -op @two.cl table
	assert_equal "$out" 'x y twice part
1 2 2 0
3 4 8 2
-5 6 -2 0'
	run_pscan -H -f x,y -op @two.cl,sum table
	assert_equal "$out" 'x_twice x_part x_sum y_twice y_part y_sum
2 0 1 4 1 2
8 2 4 12 3 6
-2 0 -1 24 6 12'
	run_pscan -H -f x,y -a --as=total -op @affine.cl <(printf 'x y\n2 1\n3 5\n')
	assert_equal "$out" 'x y total
2 1 1
3 5 8'
	run_pscan -H -f x,y -op @affine.cl <(printf 'x y\n2 1\n3 5\n')
	assert_equal "$out" 'x_affine
1
8'
	run_pscan -c 4 -op @affine.cl < <(printf '2 1 3 1\n3 5 4 7\n')
	assert_equal "$out" '1 1
8 11'
	run_pscan -H -f x -a --missing=keep -op @two.cl <(printf 'x\n1\nNA\n3\n')
	assert_equal "$code $out" '0 x twice part
1 2 0
NA NA NA
3 8 2'
	run_pscan -F %.2f -f x -H -op @two.cl table
	assert_contains "$code $out" '0 twice part
2.00 0.00'
}

@test "records of bytes are the inputs, packed; columns are so many at a time; results are packed" {
	cat >mixed.cl <<-'END'
		typedef struct { long sum; float last; } state;
		typedef struct { char c; long sum; float last; } out;
		state lift(char c, float f) { state s = {c, f}; return s; }
		state combine(state a, state b) { b.sum += a.sum; return b; }
		out emit(state s, char c, float f) { out o = {c, s.sum, s.last}; return o; }
	END
	python '
one = np.dtype([("c", "i1"), ("f", "f4")])
given = np.dtype([("c", "i1"), ("s", "i8"), ("f", "f4")])
rng = np.random.default_rng(2)
a, b = np.zeros(20000, one), np.zeros(20000, one)
for r in (a, b):
    r["c"], r["f"] = rng.integers(-128, 128, 20000), rng.random(20000)
def scanned(r):
    out = np.zeros(20000, given)
    out["c"], out["s"], out["f"] = r["c"], np.cumsum(r["c"], dtype="i8"), r["f"]
    return out
a.tofile("one")
scanned(a).tofile("one.out")
both = np.zeros(20000, np.dtype([("a", one), ("b", one)]))
both["a"], both["b"] = a, b
both.tofile("both")
out = np.zeros(20000, np.dtype([("a", given), ("b", given)]))
out["a"], out["b"] = scanned(a), scanned(b)
out.tofile("both.out")
scanned(b).tofile("second.out")
'
	for shape in cpu gpu; do
		PSCAN_SHAPE=$shape "$PSCAN" --format=binary -op @mixed.cl one | cmp - one.out
		PSCAN_SHAPE=$shape "$PSCAN" --format=binary -c 4 -op @mixed.cl both | cmp - both.out
		PSCAN_SHAPE=$shape "$PSCAN" --format=binary -c 4 -f 3,4 --chunk-size=50K -op @mixed.cl both | cmp - second.out
	done
	"$PSCAN" --format=binary -z -op @mixed.cl one | gzip -dc | cmp - one.out
	run_pscan --format=binary -c 4 -f 2,3 -op @mixed.cl both
	assert_equal "$code $err" '2 pscan: -f: column 2 has f32, and mixed takes i8 there'
	run_pscan --format=binary -c 3 -op @mixed.cl both
	assert_equal "$code $err" '2 pscan: -op: mixed needs 2 numbers of a record at a time, but 3 are chosen (see -f, -c)'
	run_pscan --format=binary -op @mixed.cl < <(head -c 12 one)
	assert_equal "$code $err" '1 pscan: standard input: byte 10: 2 bytes left over, a record needs 5'
	run_pscan -t f32 -op @mixed.cl one
	assert_equal "$code $err" '2 pscan: -t: "f32" cannot be combined with -op @FILE, which declares its types itself'
	run_pscan --format=binary -op @mixed.cl,sum one
	assert_equal "$code $err" '2 pscan: -op: mixed takes 2 numbers of a record, but sum takes 1'
	run_pscan -f 1,2 -op @mixed.cl < <(printf '1 2\n200 3\n')
	assert_equal "$code $out $err" "1 1 1 2 pscan: standard input: line 2, field 1: out of the type's range: \"200\" (see -op)"
}

@test "results of several numbers go to their places in a file that is written out of order" {
	python '
x = np.random.default_rng(4).integers(0, 1000, (20001, 2), dtype="u8")
x.tofile("in")
total = np.cumsum(x[:, 0])
np.stack([total, x[:, 1], total * 2], 1).tofile("expected")
one = np.dtype([("a", "u1"), ("b", "u4")])
out = np.zeros(20001, one)
out["a"], out["b"] = x[:, 1] % 256, total
out.tofile("packed")'
	cat >three.cl <<-'END'
		typedef struct { ulong total; } state;
		typedef struct { ulong total, y, twice; } shown;
		state lift(ulong x, ulong y) { state s = {x}; return s; }
		state combine(state a, state b) { a.total += b.total; return a; }
		shown emit(state s, ulong x, ulong y) { shown r = {s.total, y, 2 * s.total}; return r; }
	END
	sed 's/ulong total, y, twice;/uchar a; uint b;/; s/{s.total, y, 2 . s.total}/{y, s.total}/' three.cl >packed.cl
	for chunk in 1 100K 16M; do
		"$PSCAN" --format=binary --chunk-size=$chunk -op @three.cl in >out
		cmp out expected
		"$PSCAN" --format=binary --chunk-size=$chunk -op @packed.cl -o new in
		cmp new packed
	done
}

# declared MESSAGE TEXT...: a program of these lines is refused.
declared() {
	printf '%s\n' "${@:2}" >bad.cl
	run_pscan -op @bad.cl < <(seq 3)
	assert_equal "$code $err" "2 pscan: bad.cl$1"
	assert_equal "$out" ''
}

@test "what is declared otherwise is refused with its line and what was expected; a compiler's errors name the file's line" {
	local s='typedef struct { double s; } state;'
	local l='state lift(double x) { state s = {x}; return s; }'
	local c='state combine(state a, state b) { a.s += b.s; return a; }'
	local e='double emit(state s) { return s.s; }'
	declared ': there is no "typedef struct { ... } state;"' ''
	declared ': there is no function "state lift(inputs)"' "$s"
	declared ': there is no function "state combine(state earlier, state later)"' "$s" "$l"
	declared ': there is no function "emit(state s)"' "$s" "$l" "$c"
	declared ':1: expected "typedef struct { ... } state;" before the functions' "$l" "$s" "$c" "$e"
	declared ':2: the state has 136 bytes, more than 128' '' 'typedef struct { double s[17]; } state;' "$l" "$c" "$e"
	declared ":1: expected a member's name, not \"*\"" 'typedef struct { double *s; } state;'
	declared ':1: expected ; after a member, not ":"' 'typedef struct { int s : 3; } state;'
	declared ':1: expected a number above 0, or a macro that is one, not "N"' 'typedef struct { int s[N]; } state;'
	declared ':1: expected a number above 0, or a macro that is one, not "]"' 'typedef struct { int s[1 ? 2]; } state;'
	declared ':1: expected a number above 0, or a macro that is one, not ")"' 'typedef struct { int s[(a.)]; } state;'
	declared ':1: expected a type, char to double or a struct of them, not "double4"' 'typedef struct { double4 s; } state;'
	declared ':3: state is declared twice' "$s" '' "$s"
	declared ':2: expected a function of type state, not "double"' "$s" 'double lift(double x) {}'
	declared ":2: expected a number's type, char to double, not \"point\"" "$s typedef struct { int x; } point;" 'state lift(point p) {}'
	declared ":2: expected a parameter's name alone, not \"[\"" "$s" 'state lift(double x[2]) {}'
	declared ':2: more than 8 inputs' "$s" 'state lift(int a, int b, int c, int d, int e, int f, int g, int h, int j) {}'
	declared ':2: expected lift(inputs), 1 to 8 of them' "$s" 'state lift(ulong i) {}'
	declared ':3: expected combine(state earlier, state later)' "$s" "$l" 'state combine(state a) {}'
	declared ':4: expected emit(state s), or emit(state s, inputs)' "$s" "$l" "$c" 'double emit(double x) {}'
	declared ':4: the inputs of emit are not those of lift' "$s" "$l" "$c" 'double emit(state s, float x) {}'
	declared ':4: expected a result of one number, or of a struct of 1 to 8 numbers' "$s typedef struct { int x[2]; } two;" "$l" "$c" 'two emit(state s) {}'
	declared ':2: a bracket is not closed' "$s" 'state lift(double x) {'
	local k='typedef struct { double a, b; } carry;' f='carry carry_first(state total) {}'
	local a='carry carry_add(carry before, state total) {}' p='state carry_prefix(const carry before) {}'
	declared ':2: the carry lacks the function "carry carry_first(state total)"' "$s" "$k" "$l" "$c" "$e" "$a" "$p"
	declared ':2: the carry lacks the function "carry carry_add(carry before, state total)"' "$s" "$k" "$l" "$c" "$e" "$f" "$p"
	declared ':2: the carry lacks the function "state carry_prefix(carry before)"' "$s" 'typedef double carry;' "$f" "$a" "$l" "$c" "$e"
	declared ':2: expected "typedef struct { ... } carry;", after that of state, before its functions' "$s" "$f" "$k" "$l" "$c" "$e"
	declared ':2: expected "typedef struct { ... } carry;", after that of state, before its functions' "$k" "$f" "$s"
	declared ':2: the carry has 136 bytes, more than 128' "$s" 'typedef struct { double s[17]; } carry;'
	declared ':3: carry is declared twice' "$s" "$k" "$k"
	declared ':5: carry_first is declared twice' "$s" "$k" "$f" '' "$f"
	declared ':3: expected carry carry_first(state total)' "$s" "$k" 'state carry_first(state total) {}'
	declared ':3: expected carry carry_add(carry before, state total)' "$s" "$k" 'carry carry_add(state total, carry before) {}'
	declared ':3: expected carry carry_add(carry before, state total)' "$s" "$k" 'carry carry_add(carry before) {}'
	declared ':3: expected state carry_prefix(carry before)' "$s" "$k" 'state carry_prefix(carry *before) {}'
	declared ':3: expected state carry_prefix(carry before)' "$s" "$k" 'state carry_prefix(carry before, state total) {}'
	declared ':1: a bracket is closed that is not open' '}'
	declared ":6:1: use of undeclared identifier 'TILE'" "$s" "$l" "$c" 'double emit(state s) {' 'return s.s +' 'TILE; }'
	declared ":4:33: no member named 't' in 'state'" "$s" "$l" "$c" 'double emit(state s) { return s.t; }'
	run_pscan -op @nowhere.cl
	assert_equal "$code $err" '2 pscan: -op: nowhere.cl: No such file or directory'
	mkdir directory
	run_pscan -op @directory
	assert_equal "$code $err" '3 pscan: -op: directory: Is a directory'
	printf '%s\n\0' "$s$l$c$e" >zero.cl
	run_pscan -op @zero.cl
	assert_equal "$code $err" '2 pscan: zero.cl: it is not text: it has a zero byte'
	PSCAN_DEVICE=auto run_pscan -D none -op @affine.cl -f 1,2
	assert_equal "$code $err" '2 pscan: -D none: an operator of your own needs a device (see --help=-D)'
}

@test "comments, directives, attributes, typedefs and what else a program has beside them" {
	cat >odd.cl <<-'END'
		/* typedef struct { int no; } state; */
		// state lift(int no) \
		   still a comment
		#define WIDTH 3 /* a comment that goes
		   on */
		#define ROWS 2u
		#define SQUARE(x) ((x) * (x))
		#define f64 no
		#define TILE 7
		#pragma OPENCL EXTENSION cl_khr_fp64 : enable
		typedef unsigned int word, other;
		typedef enum { RED, GREEN } colour;
		__constant int table[4] = {1, 2, 3, (4)};
		struct __attribute__((aligned(4))) cell { unsigned char a; signed short b[WIDTH * ROWS], c; };
		typedef struct cell cell;
		typedef struct state state;
		static int helper(int x) { return x == '{' ? "}"[0] : x; }
		END
	sed -i '/typedef struct state state;/d' odd.cl
	cat >>odd.cl <<-'END'
		typedef struct tag { cell cells[2]; long int total; struct { float f; } inner; } state;
		__attribute__((always_inline)) static inline state lift(const unsigned int x, const ulong i)
		{
			state s;
			s.total = x + table[0] - 1 + helper(0);
			s.cells[1].b[5] = 1;
			s.inner.f = SQUARE(2);
			(void)i;
			return s;
		}
		state combine(const state a, const state b) { state s = a; s.total += b.total; s.cells[1].b[5] += b.cells[1].b[5]; return s; }
		typedef struct __attribute__((aligned)) { long total; short n; float f; } __attribute__((may_alias)) result;
		result emit(const state s) { result r = {s.total, s.cells[1].b[5], s.inner.f}; return r; }
	END
	run_pscan -op @odd.cl < <(seq 4)
	assert_scanned '1 1 4 3 2 4 6 3 4 10 4 4' odd
	# One that takes the gap at the state's end away.
	sed -i 's/^typedef struct tag/typedef struct __attribute__((packed)) tag/' odd.cl
	run_pscan -op @odd.cl < <(seq 4)
	assert_equal "$code $out $err" "2  pscan: odd.cl: 'pscan_state_is_as_declared' declared as an array with a negative size"
}

@test "a text that is large, or nested deep, or names what it should not, ends in results or in one line" {
	local s='typedef struct { double s; } state; state lift(double x) { state s = {x}; return s; }'
	local c='state combine(state a, state b) { a.s += b.s; return a; }' e='double emit(state s) { return s.s; }'
	{ echo "$s$c$e"; head -c 1000000 /dev/zero | tr '\0' ' '; } >large.cl
	run_pscan -op @large.cl < <(seq 3)
	assert_scanned '1 3 6' 'a megabyte'
	head -c 17000000 /dev/zero | tr '\0' ' ' >huge.cl
	run_pscan -op @huge.cl < <(seq 3)
	assert_equal "$code $err" '2 pscan: -op: huge.cl: a program has at most 16 MiB'
	python 'n = 10000; open("deep.cl", "w").write("typedef " + "struct {" * n + "int x;" + "} y;" * (n - 1) + "} state;")'
	run_pscan -op @deep.cl < <(seq 3)
	assert_equal "$code $err" '2 pscan: deep.cl:1: too many nested structs'
	# Lines after the user's text are not counted as the user's.
	echo "$s$c$e int after(int x) {" >open.cl
	run_pscan -op @open.cl < <(seq 3)
	assert_equal "$code $err" '2 pscan: open.cl:1: a bracket is not closed'
	words_and_lines 'kernel int float4' '#include "/etc/passwd"' '#error stop' 'int get_global_id(uint x) { return 0; }'
}

# words_and_lines WORDS LINE...: programs with a member of such a name, and with such a last line, end in results or in
# one line.
words_and_lines() {
	local s='typedef struct { double s; } state; state lift(double x) { state s = {x}; return s; }'
	local c='state combine(state a, state b) { a.s += b.s; return a; }' e='double emit(state s) { return s.s; }'
	for word in $1; do
		echo "typedef struct { double $word; } state; state lift(double x) { state s; s.$word = x; return s; } $c $e" >word.cl
		run_pscan -op @word.cl < <(seq 3)
		assert_equal "$word: $code $(wc -l <"$TMP/err")" "$word: 2 1"
	done
	for line in "${@:2}"; do
		printf '%s\n' "$s$c$e" "$line" >line.cl
		run_pscan -op @line.cl < <(seq 3)
		[ "$code" = 2 ] || assert_scanned '1 3 6' "$line"
		[ "$code" = 0 ] || assert_equal "$line: $(wc -l <"$TMP/err")" "$line: 1"
	done
}

# bats test_tags=long
@test "more words and lines that a program should not have end in results or in one line" {
	words_and_lines 'local while sizeof half __kernel global constant private if struct typedef sampler_t image2d_t event_t' '#include <no_such_file.h>' \
		'#line 7 "elsewhere"' '__kernel void scan_totals(int x) {}' '#if 1'
}

@test "the samples: recurrence, matrices, hash, parentheses, against python's numbers" {
	printf 'a,b\n0.5,1\n-2,3\n0.25,4\n' >pairs.csv
	run_pscan --csv -H -f a,b -a -op "@$SAMPLES/recurrence.cl" pairs.csv
	assert_equal "$out" 'a,b,a_recurrence
0.5,1,1
-2,3,1
0.25,4,4.25'
	run_pscan -c 4 --total -op "@$SAMPLES/fibonacci.cl" < <(yes 1 1 1 0 | head -n 4000)
	python '
a, b, rows = 0, 1, []
for _ in range(4000):
    a, b = b, (a + b) % 998244353
print(b, a, a, (b - a) % 998244353)' >expected
	assert_equal "$out" "$(cat expected)"
	python 'open("text", "wb").write(random.Random(4).randbytes(20000))'
	"$PSCAN" --format=binary -op "@$SAMPLES/polynomial_hash.cl" text >hashes
	"$PSCAN" --format=binary -op "@$SAMPLES/parentheses.cl" text >places
	python '
text = open("text", "rb").read()
h = depth = unmatched = 0
hashes, places = [], []
for byte in text:
    h = (h * 911382323 + byte + 1) % 2147483647
    hashes.append(h)
    if byte == ord("("):
        depth += 1
    elif byte == ord(")"):
        depth, unmatched = (depth - 1, unmatched) if depth else (0, unmatched + 1)
    places.append((depth, unmatched))
assert np.fromfile("hashes", "u8").tolist() == hashes
assert np.fromfile("places", "u4").reshape(-1, 2).tolist() == [list(p) for p in places]
'
}

@test "the samples of floats: state space, mean and deviation, log-sum-exp, against rationals and numpy" {
	python '
rng = np.random.default_rng(6)
x = 1e9 + rng.random(20000)
x.tofile("readings")
steps = rng.random((5000, 16, 3)).astype("f4")
steps.tofile("steps")
scores = rng.normal(0, 500, 5000)
scores.tofile("scores")
'
	"$PSCAN" --format=binary -op "@$SAMPLES/mean_deviation.cl" readings >statistics
	"$PSCAN" --format=binary -c 48 -op "@$SAMPLES/state_space.cl" steps >outputs
	"$PSCAN" --format=binary -op "@$SAMPLES/log_sum_exp.cl" scores >logs
	python '
x = [Fraction(v) for v in np.fromfile("readings")]
given = np.fromfile("statistics").reshape(-1, 2)
s = q = Fraction(0)
assert math.isnan(given[0, 1])
for n, v in enumerate(x, 1):
    s, q = s + v, q + v * v
    if n in (2, 16, 17, 4096, 4097, 20000):
        mean, variance = s / n, (q - s * s / n) / (n - 1)
        assert abs(Fraction(given[n - 1, 0]) - mean) <= mean / 2**50, n
        # Of data with a mean 10^9 times their spread.
        assert abs(Fraction(given[n - 1, 1])**2 - variance) <= variance / 10**5, (n, float(variance))
steps = np.fromfile("steps", "f4").reshape(5000, 16, 3).astype("f8")
h = np.zeros(16)
outputs = np.fromfile("outputs", "f4").reshape(5000, 16)
for step, out in zip(steps, outputs):
    h = step[:, 0] * h + step[:, 1]
    assert np.allclose(out, step[:, 2] * h, rtol=1e-4)
assert np.allclose(np.fromfile("logs"), np.logaddexp.accumulate(np.fromfile("scores")), rtol=1e-12)
'
}

@test "--map and --emit around operators of the table, expressions and programs" {
	run_pscan --map='x*x' --emit='sqrt(s / n)' < <(seq 4)
	assert_scanned '1 1.5811388300841898 2.160246899469287 2.7386127875258306' 'running RMS'
	# Integers, and the index.
	run_pscan -t i64 -op 'sum,a*b' --map='x + (long)i + 1' --emit='s - x' -e --seed=1 < <(printf '5\n6\n7\n')
	assert_equal "$out" '-4 -4
1 0
8 41'
	run_pscan -op lag --emit='x - s' -e < <(printf '5\n6\n8\n')
	assert_equal "$code $err" '2 pscan: --emit: lag has no result before the second element: with -e only s and n can be used'
	run_pscan -f 1,2 -op linrec --map='x0 * 2, x1 + i' < <(printf '1 2\n3 4\n5 6\n')
	assert_scanned '2 17 178' 'two inputs'
	run_pscan -f 1,2 -op "@$SAMPLES/recurrence.cl" --emit='s * 10 + i' < <(printf '1 2\n3 4\n')
	assert_scanned '20 101' 'a program'
}

# bats test_tags=long
@test "--map and --emit around more operators" {
	run_pscan -op argmax --emit='x - s' -e < <(printf '5\n6\n')
	assert_scanned 6 'the first is absent'
	run_pscan -t u8 --map='x * 2' --emit='s + 1' -e < <(printf '100\n100\n100\n')
	assert_scanned '1 201 145' 'integers wrap'
	run_pscan -t i32 --map='x * (int)i' -op sum,max,count < <(printf '5\n6\n7\n')
	assert_equal "$out" '0 0 1
6 6 2
20 14 3'
	run_pscan -op max,mean,argmax --emit='x - s' -e < <(printf '5\n6\n')
	assert_equal "$out" 'inf nan -
1 1 6'
	run_pscan -op lag --emit='x - s' < <(printf '5\n6\n8\n')
	assert_scanned '1 2' 'the first is absent'
	run_pscan -f 1,2 -op "linrec,@$SAMPLES/recurrence.cl" --map='x0 * 2, x1 + i' < <(printf '1 2\n3 4\n5 6\n')
	assert_equal "$out" '2 2
17 17
178 178'
}

# Each row: type, operator and shape.
under_map() {
	python '
x = np.random.default_rng(3).normal(size=30001)
x.tofile("f64")
x.astype("f4").tofile("f32")
(x * 1e6).astype("i4").tofile("i32")'
	for row; do
		read -r type op shape <<<"$row"
		"$PSCAN" -D none --format=binary --overflow=wrap -t "$type" -op "$op" "$type" >right
		PSCAN_SHAPE=$shape "$PSCAN" --format=binary -t "$type" -op "$op" --map=x --chunk-size=64K "$type" | cmp - right
	done
}

@test "operators of the table have their own bits under --map, in both shapes, whatever the chunks" {
	# Those whose carries are wider than their states.
	under_map 'f32 sum gpu'
	"$PSCAN" -D none --format=binary -e -t f64 f64 >right
	"$PSCAN" --format=binary -e -t f64 --map=x --emit=s f64 | cmp - right
}

# bats test_tags=long
@test "one of every kind has its own bits under --map" {
	under_map 'i32 argmin gpu' 'f32 sum cpu' 'f64 ema:0.25 cpu' 'f32 mean gpu' 'f64 mean gpu' 'f64 sum gpu' 'f64 mean cpu' 'f64 std gpu' 'f64 max gpu' 'i32 sum gpu' 'i32 drawdown cpu'
}

# shown OPERATORS TYPES RUNS: as programs they have the bits of the host's own; TREES=1: in one tree.
shown() {
	assert_equal "$("$PYTHON" "$TOOLS/shown_operators.py" "$TMP" "$1" "$2")" "$3 runs, 0 wrong"
}

@test "operators as they are shown have the bits of the host's own: carries, in both shapes" {
	export TREES=1
	shown sum f32 8
}

# bats test_tags=long
@test "more operators as they are shown have the bits of the host's own" {
	shown sum f32 9
	shown linrec f32 7
	shown argmin u16 4
	TREES=1 shown mean u16 4
	shown mean,ema:0.3 f32 15
	shown sum,mean f64 16
	shown max i8,f32 16
	shown std u16 5
}

# bats test_tags=long
@test "operators as they are shown have the bits of the host's own: every one, of an integer and of a float" {
	local operators
	operators=$("$PYTHON" -c "import sys; sys.path.insert(0, sys.argv[1]); import shown_operators; print(','.join(shown_operators.listed()))" "$TOOLS")
	"$PYTHON" "$TOOLS/shown_operators.py" "$TMP" "$operators" i16,f64 | tee ran
	grep -qxE '2[4-9][0-9] runs, 0 wrong' ran
}

# bats test_tags=long
@test "an operator as it is shown gives numpy's numbers, and of text the same results" {
	python '
x = np.random.default_rng(12).integers(-(1 << 31), 1 << 31, 20001, dtype="i4")
x.tofile("i32")
np.cumsum(x, dtype="i4").tofile("sum")
best = np.maximum.accumulate(x)
np.maximum.accumulate(np.where(x == best, np.arange(20001), 0) * np.r_[True, best[1:] > best[:-1]]).astype("u8").tofile("argmax")'
	for op in sum argmax; do
		"$PSCAN" -t i32 --show-operator=$op >$op.cl
		"$PSCAN" --format=binary -op @$op.cl i32 | cmp - $op
	done
	"$PSCAN" --show-operator=mean >mean.cl
	"$PSCAN" -op @mean.cl < <(printf '0.1\n0.2\n7\n') >out
	"$PSCAN" -t f64 -op mean < <(printf '0.1\n0.2\n7\n') | cmp - out
}

@test "what --show-operator cannot show is refused in one line" {
	# refused MESSAGE ARGUMENT...
	refused() {
		run_pscan "${@:2}"
		assert_equal "$code $out$err" "2 pscan: --show-operator: $1"
	}
	refused '"summ" is not an operator: perhaps sum (see --list-operators)' --show-operator=summ
	refused 'sum takes no parameter (see --help=show-operator)' --show-operator=sum:1
	refused 'and needs integers: name a type such as -t i64' --show-operator=and
	refused 'ema needs floats: name a type such as -t f64' --show-operator=ema:1 -t i8
	refused 'the first result of lag is absent, for which a program of integers has no value: name a type such as -t f64' -t u8 --show-operator=lag
	refused "-t \"f32:f64\": a program's elements are of the accumulator's type" -t f32:f64 --show-operator=sum
	refused "-t \"i32be\": a program's elements have the machine's byte order" -t i32be --show-operator=sum
	refused '-t "num": a program needs a binary type such as f64' -t num --show-operator=sum
	refused '-t "x": expected one of i8 u8 i16 u16 i32 u32 i64 u64 f32 f64' -t x --show-operator=sum
	run_pscan --show-operator=+ -t u8:u8
	assert_contains "$code $out" '0 /* sum: total (default).'
}

@test "where a result is of no elements, n is 0" {
	run_pscan --include-initial --emit='s / n' < <(seq 3)
	assert_scanned 'nan 1 1.5 2' '--include-initial'
	run_pscan -e --seed=5 --emit='s / n' < <(seq 3)
	assert_scanned 'inf 6 4' 'a seed is none'
	run_pscan --total --emit='s / n' </dev/null
	assert_scanned nan 'the total of nothing is 0 / 0'
}

@test "expressions of --map and --emit are refused with their place" {
	# option MESSAGE
	check() {
		run_pscan "$1" < <(seq 3)
		assert_equal "$code $err" "2 pscan: $2"
	}
	check '--map=x,x' '--map: 2 expressions for the 1 input of sum'
	check '--emit=' "--emit: '': an expression is missing"
	# What is missing at the end is missing after the last byte.
	check '--emit=s * n -' '--emit:1:8: expected expression'
	# The host does not evaluate i, so a device's compiler says what is wrong.
	check $'--map=x +\n i * cbrt(1, 2)' "--map:2:6: no matching function for call to '_cl_cbrt'"
	check '-op=a+b*' '-op:1:5: expected expression'
	check $'--emit=s + n +\n q' "--emit:2:2: use of undeclared identifier 'q'"
	run_pscan --emit=s -op "@$SAMPLES/mean_deviation.cl" < <(seq 3)
	assert_equal "$code $err" '2 pscan: --emit: mean_deviation gives 2 results'
	run_pscan --map=x -f 1,2 -op linrec < <(seq 3)
	assert_equal "$code $err" '2 pscan: --map: 1 expression for the 2 inputs of linrec'
	PSCAN_DEVICE=auto run_pscan -D none --map='x + cbrt(i)' < <(seq 3)
	assert_equal "$code $err" "2 pscan: -D none, but a device is needed, because:
pscan: --map: 'x + cbrt(i)': the host has no function of this name"
}

@test "names of results of any length are told apart, and whole in the header" {
	long=$(printf 'abcdefghij%.0s' $(seq 40))
	cat >long.cl <<-END
		typedef struct { double s; } state;
		typedef struct { double ${long}x, ${long}y; } both;
		state lift(double x) { state r = {x}; return r; }
		state combine(state a, state b) { state r = {a.s + b.s}; return r; }
		both emit(state s) { both r = {s.s, -s.s}; return r; }
	END
	run_pscan -H -f a -a -op @long.cl < <(printf 'a\n1\n2\n')
	assert_scanned "a ${long}x ${long}y 1 1 -1 2 3 -3" 'long names'
}

# called_after CASE...: FILE=NAME; a sum in that file has a result of that name.
called_after() {
	sum='typedef struct { double s; } state; state lift(double x) { state r = {x}; return r; }
state combine(state a, state b) { a.s += b.s; return a; } double emit(state s) { return s.s; }'
	printf 'a\n1\n' >column
	for case; do
		printf '%s\n' "$sum" >"${case%%=*}"
		run_pscan -H -f a -a -op "@${case%%=*}" column
		assert_equal "$code $err" '0 '
		assert_equal "$out" "a a_${case#*=}"$'\n1 1'
	done
}

# bats test_tags=long
@test "more results are called after their files" {
	called_after 'in it.cl=in_it' $'a\tb.cl=a_x09b' 'größe-2.cl=größe-2'
}

@test "a result that is called after its file has one word in the header, of whole characters, or --as" {
	called_after $'new\nline.cl=new_x0aline' 'a|b"c".cl=a_b_c_' $'x\xff.cl=x_xff' '.own.cl=.own.cl' \
		'ééééééééééééééééé.cl=ééééééééééééééé'
	printf '%s\n' "$sum" >a_k.cl
	printf 'ak2\n1k2\n' >lines
	run_pscan -H -d k -f 1 -a -op @a_k.cl lines
	assert_equal "$code $out $err" "2  pscan: -d: the result's name would not be one field of the header (see --as)"
	run_pscan -H -d k -f 1 -a --as=s -op @a_k.cl lines
	assert_scanned 'ak2ks 1k2k1' '--as'
	run_pscan -D none -H -d : -f 1 -a -op ema:0.5,sum <<<a:b
	assert_equal "$code $out $err" "2  pscan: -d: a result's name would not be one field of the header (see --as)"
	run_pscan -D none -H -d _ -f 1 -a <<<a_b
	assert_equal "$code $out $err" "2  pscan: -d: the result's name would not be one field of the header (see --as)"
	run_pscan -D none -H -d _ -f 1 --replace <<<a_b
	assert_scanned a_b 'no name is added'
}

@test "messages beside a program do not name -t, which it refuses" {
	printf '%s\n' 'typedef struct { short s; } state; state lift(short x) { state r = {x}; return r; }' \
		'state combine(state a, state b) { a.s += b.s; return a; } short emit(state s) { return s.s; }' >short.cl
	sed 's/short/double/g' short.cl >double.cl
	run_pscan -op @short.cl <<<70000
	assert_equal "$code $err" '1 pscan: standard input: line 1: out of the type'"'"'s range: "70000" (see -op)'
	run_pscan -op @short.cl <<<1.5
	assert_equal "$code $err" '1 pscan: standard input: line 1: not an integer: "1.5" (see -op)'
	run_pscan -op @short.cl,xor <<<0.5
	assert_contains "$code $err" '"0.5" (see -op)'
	run_pscan -op @double.cl,xor --format=binary </dev/null
	assert_equal "$code $err" '2 pscan: -op: xor needs integers, and the inputs of double are f64'
	run_pscan -op @short.cl,mean,ema:0.5 --format=binary </dev/null
	assert_equal "$code $err" '2 pscan: -op: ema needs floats, and the inputs of short are i16'
	run_pscan -op @double.cl,sum --output-format=binary < <(seq 3)
	assert_equal "$code $err" '2 pscan: --output-format=binary: sum gives exact decimals, which have no binary form, beside -op @FILE'
}

@test "--check-associative: triples of the first elements, combined both ways" {
	run_pscan --check-associative -op 'a - b' < <(seq 5)
	assert_equal "$code ${out//$'\n'/ }" '1 1 -1'
	assert_equal "$err" 'pscan: standard input: element 3: expr is not associative: with the two before it, (a b) c is -4, but a (b c) is 2'
	run_pscan --check-associative -t i32 -op 'sum,a*10 + b' < <(seq 3)
	assert_equal "$code $err" '1 pscan: standard input: element 3: expr is not associative: with the two before it, (a b) c is 123, but a (b c) is 33'
	run_pscan --check-associative -op 'a*b' < <(seq 5)
	assert_scanned '1 2 6 24 120' associative
	run_pscan --check-associative -f 1,2 -op @affine.cl < <(printf '2 1\n3 5\n4 7\n')
	assert_scanned '1 8 39' 'a program'
	# Floats that round: near enough, measured by what is met on the way.
	python 'np.savetxt("f64", np.random.default_rng(9).normal(size=3000) * 10.0 ** np.random.default_rng(8).integers(-6, 6, 3000), "%.17g")'
	run_pscan --check-associative -t f64 -op 'a + b' --total f64
	assert_equal "$code$err" 0
	run_pscan --check-associative -t f64 -op '(a + b) * 0.9999' --total f64
	assert_contains "$code $err" "1 pscan: f64: element 3: expr is not associative"
	run_pscan --check-associative -op "@$SAMPLES/mean_deviation.cl" --total f64
	assert_equal "$code$err" 0
	# What cancels is measured by what it was before: beside 1e10 a thousandth has few digits.
	run_pscan --check-associative --total -op 'a + b' < <(printf '%s\n' 1e10 -1e10 0.001)
	assert_scanned 0.001 cancelled
	# Far from the first elements nothing is tried, and one or two elements are too few.
	run_pscan --check-associative -op 'a - b' < <(seq 2)
	assert_scanned '1 -1' 'two elements'
	run_pscan --check-associative < <(seq 3)
	assert_scanned '1 3 6' 'an operator of the table'
}

# bats test_tags=long
@test "--check-associative: floats that round, of both sizes, as bytes" {
	python '
x = np.random.default_rng(9).normal(size=3000) * 10.0 ** np.random.default_rng(8).integers(-6, 6, 3000)
x.tofile("f64")
x.astype("f4").tofile("f32")'
	for type in f32 f64; do
		run_pscan --check-associative --format=binary --output-format=text -t $type -op 'a + b' --total $type
		assert_equal "$code$err" 0
		run_pscan --check-associative --format=binary --output-format=text -t $type -op '(a + b) * 0.9999f' --total $type
		assert_contains "$code $err" "1 pscan: $type: element 3: expr is not associative"
	done
}

# bats test_tags=long
@test "--check-associative: wherever the stream is cut, for every lane, with the true index and count" {
	# A triple over a pipe's pauses and over files, whose last element has no result any more.
	run_pscan --check-associative -op 'a - b' < <(for i in 1 2 3 4; do
		echo $i
		sleep 0.2
	done)
	assert_equal "$code ${out//$'\n'/ }" '1 1 -1'
	assert_equal "$err" 'pscan: standard input: element 3: expr is not associative: with the two before it, (a b) c is -4, but a (b c) is 2'
	printf '1\n' >f1
	printf '2\n3\n' >f2
	run_pscan --check-associative -op 'a - b' f1 f2
	assert_equal "$code ${out//$'\n'/ }" '1 1 -1'
	assert_equal "$err" 'pscan: f2: element 2: expr is not associative: with the two before it, (a b) c is -4, but a (b c) is 2'
	# A lane that has nothing in the first file, and one whose neighbours are exact decimals that get more of them.
	printf '1 NA\n2 NA\n3 NA\n' >f1
	printf '3 1\n4.5 2\n5 3\n6 4\n' >f2
	run_pscan --check-associative --missing=skip -f 2 -op 'a + b,a - b' f1 f2
	assert_equal "$code ${out//$'\n'/ }" '1 1 1 3 -1'
	assert_contains "$err" 'f2: line 3, field 2: expr is not associative: with the two before it, (a b) c is -4, but a (b c) is 2'
	run_pscan --check-associative --missing=skip -f 1 -op 'sum,a - b' f2
	assert_equal "$code ${out//$'\n'/ }" '1 3 3 7.5 -1.5'
	assert_contains "$err" 'f2: line 3, field 1: expr is not associative: with the two before it, (a b) c is -6.5, but a (b c) is 3.5'
	run_pscan --check-associative -f 1,2 -op 'a - b' f2
	assert_contains "$code $err" '1 pscan: f2: line 3, field 1: expr is not associative'
	# Past the first 1024 elements nothing is tried.
	python 'open("late", "w").write("0\n" * int(sys.argv[1]) + "0\n0\n1\n")' 1021
	run_pscan --check-associative -op 'a - b' late
	assert_contains "$code $err" '1 pscan: late: element 1024: expr is not associative'
	python 'open("late", "w").write("0\n" * int(sys.argv[1]) + "0\n0\n1\n")' 1022
	run_pscan --check-associative -op 'a - b' late
	assert_equal "$code $err" '0 '
	# What is told of index and count is true, or this would be a difference.
	cat >told.cl <<'END'
typedef struct { double sum, difference; ulong first, count; } state;
state lift(double x, ulong i) { state s = {x, x, i, 1}; return s; }
state combine(state a, state b)
{
	state s = {a.sum + b.sum, a.difference - b.difference, a.first, a.count + b.count};
	return s;
}
double emit(state s, double x, ulong i, ulong n)
{
	return n == s.count && x == i + 1 && i + 1 == s.first + s.count ? s.sum : s.difference;
}
END
	seq 3 >f1
	seq 4 9 >f2
	run_pscan --check-associative -op @told.cl f1 f2
	assert_scanned '1 3 6 10 15 21 28 36 45' 'index and count'
}

@test "without -D a reversed scan of a program, or of a function of a device, is that of the records in the reverse order" {
	local option operator
	python 'open("in", "w").writelines(f"{i * i % 257} {i % 3}\n" for i in range(9000))'
	tac in >turned
	"$PSCAN" --show-operator=count >count.cl
	for operator in @count.cl 'b + ldexp(a, 0)'; do
		for option in -q -g2 --reset-every=100 --seed=5 -a; do
			[ "$option" = --seed=5 ] && [ "$operator" = @count.cl ] && option=-e
			"$PSCAN" -D auto -q -r -f 1 -op "$operator" $option in >out
			assert_equal "$operator $option $(tac out | cmp - <("$PSCAN" -D cpu -q -f 1 -op "$operator" $option turned) && wc -l <out)" \
				"$operator $option 9000"
		done
	done
	run_pscan -D auto -r --emit='ldexp(s, 1)' < <(printf '%s\n' 1 2 3)
	assert_scanned '12 10 6'
	run_pscan -D auto -r --map='ldexp(x, 1)' < <(printf '%s\n' 1 2 3)
	assert_scanned '12 10 6'
	run_pscan -D auto -r --emit='x * 0.5' --algorithm=hillis-steele < <(printf '%s\n' 1 2 3)
	assert_scanned '0.5 1 1.5'
	run_pscan -D auto -r -op @count.cl < <(printf '%s\n' 1 x 3)
	assert_equal "$code $out$err" '1 pscan: standard input: line 2: not a number: "x" (see --invalid)'
}
