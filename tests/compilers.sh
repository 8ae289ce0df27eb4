#!/bin/sh
# The output has the same bits with every compiler. Builds the program with each of COMPILERS (default gcc and clang),
# at -O0 to -O3 and with optimisation by the linker (-flto), and checks each build's frozen vectors. Each build scans
# 768 KiB of numbers and 30000 lines in some 2000 ways on the host: the SHA-256 of all outputs must be that of the first
# build. A compiler that is not installed is skipped. JOBS (default 1) builds run at a time, with MAKE_JOBS (default 2)
# processes each. The builds are in $BUILD/compilers.
set -u
mkdir -p "${BUILD:-build}/compilers"
build=$(cd "${BUILD:-build}/compilers" && pwd)
PYTHON=${PYTHON:-/usr/bin/python3}
unset BUILD MAKEFLAGS MFLAGS MAKEOVERRIDES
export PYTHON LC_ALL=C

# A compiler, and what all objects are compiled and linked with (the fast rows are at -O3, where nobody says otherwise).
variants() {
	for compiler in ${COMPILERS:-gcc clang}; do
		for flags in -O0 -O1 -O2 -O3 '-O2 -flto'; do
			echo "$compiler $flags"
		done
	done
}

# results PROGRAM: of every operator and type, both orders of bytes, columns, windows, segments and keys; one stream of
# bytes.
results() {
	# shellcheck disable=SC2086 # several words
	"$1" --list-operators | cut -d ' ' -f 1 | sed 's/:A$/:0.3/' | while read -r operator; do
		for type in i8 u8be i16be u16 i32 u32be i64be u64 f32 f32be f64 f64be i32:f64 f64:f32; do
			for how in '' '-e --seed=3' '-c 6' --window=1000 --reset-every=37 --total; do
				"$1" -D none -T 1 -t $type --op="$operator" --overflow=wrap $how "$build/numbers"
				echo " $operator $type $how: $?"
			done
		done 2>/dev/null
		for how in -e '-g 1 -f 2 -a' '--reset-on=1 -f 2,3' '-f 3 -a --window=50' '-t f64 -f 3' '-t f32 -f 3 -a'; do
			"$1" -D none --op="$operator" $how "$build/lines"
			echo " $operator $how: $?"
		done 2>/dev/null
	done
}

# inspect COMPILER FLAGS: builds it, and leaves its sum and what the vectors said.
inspect() {
	compiler=$1
	flags=$2
	program=$build/$(echo "$compiler$flags" | tr -d ' ')
	make --no-print-directory -j "${MAKE_JOBS:-2}" BUILD="$program" CC="$compiler" CFLAGS="$flags" SCAN_CFLAGS="$flags" all >"$program.log" 2>&1 || {
		tail -n 5 "$program.log"
		return 1
	}
	PSCAN=$program/pscan "$PYTHON" tests/frozen/frozen.py check "$build/vectors" none >"$program.log" 2>&1 || {
		tail -n 5 "$program.log"
		return 1
	}
	results "$program/pscan" | sha256sum | cut -d ' ' -f 1 >"$program.sum"
}

if [ $# -eq 2 ]; then
	inspect "$1" "$2"
	exit
fi
rm -f "$build"/*.sum
mkdir -p "$build/vectors"
"$PYTHON" tests/frozen/frozen.py inputs "$build/vectors" || exit 1
"$PYTHON" -c 'import random
draw = random.Random(5)
for i in range(30000):
    number = draw.randrange(-300000, 700000)
    fraction = draw.randrange(-3000, 7000) * 10 ** (i % 5) + draw.randrange(10 ** (i % 5))
    print(f"k{draw.randrange(50) * draw.randrange(50) // 50} {number} {fraction / 10 ** (i % 5):.{i % 5}f}")' >"$build/lines"
"$PYTHON" -c 'import random, sys; sys.stdout.buffer.write(random.Random(7).randbytes(3 << 18))' >"$build/numbers"
# shellcheck disable=SC2016 # expanded by that shell
variants | BUILD=${build%/compilers} xargs -P "${JOBS:-1}" -L 1 sh -c 'compiler=$1 && shift && sh tests/compilers.sh "$compiler" "$*"' -
passed=0
failed=0
skipped=0
first=
for variant in $(variants | tr ' ' '_'); do
	compiler=${variant%%_*}
	program=$build/$(echo "$variant" | tr -d '_')
	if ! command -v "$compiler" >/dev/null; then
		skipped=$((skipped + 1))
		echo "skipped - $compiler is not here"
		continue
	fi
	sum=$(cat "$program.sum" 2>/dev/null)
	first=${first:-$sum}
	if [ -n "$sum" ] && [ "$sum" = "$first" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
	fi
	echo "${sum:-not built, or another vector} $(echo "$variant" | tr '_' ' ')"
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
