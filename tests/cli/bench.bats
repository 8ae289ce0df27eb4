#!/usr/bin/env bats
# The benchmarks, on inputs too small to measure anything: they check what they run, store rows and clean up.

load helper

BENCH=$ROOT/tests/bench

setup() {
	export BUILD=${BUILD:-$ROOT/build}
	[ -x "$BUILD/bench/read_file" ] || skip "the benchmarks' programs are not built"
	[ "$(stat -f -c %T /dev/shm)" = tmpfs ] || skip "/dev/shm is no tmpfs"
	TMPDIR=$(mktemp -d /dev/shm/pscan-bats-XXXXXX)
	export TMPDIR BENCH_SIZE=64K BENCH_ROUNDS=1 BENCH_RESULTS=$TMP/results PYTHONDONTWRITEBYTECODE=1
}

teardown() {
	case ${TMPDIR:-} in
	/dev/shm/pscan-bats-*) rm -rf "$TMPDIR" ;;
	esac
}

# Fails if a benchmark left its directory behind.
assert_cleaned() {
	assert_equal "$(ls "$TMPDIR")" ''
}

# A program in pscan's place, whose text is on standard input.
stand_in() {
	{
		echo '#!/bin/sh'
		cat
	} >"$TMP/pscan"
	chmod +x "$TMP/pscan"
	export REAL_PSCAN=$PSCAN PSCAN=$TMP/pscan
}

# groups GROUP...: the outputs of all their cases are right, and the rows are whole.
groups() {
	BENCH_GROUPS=$* "$PYTHON" "$BENCH/bench.py" >"$TMP/out"
	assert_contains "$(tail -n 1 "$TMP/out")" '0 failures'
	local group
	for group; do
		"$PYTHON" - "$TMP/results/$group.tsv" <<-'PYTHON'
			import sys
			header, *rows = [line.rstrip("\n").split("\t") for line in open(sys.argv[1])]
			assert header[:6] == "machine cores device driver date commit".split(), header
			assert rows and all(len(row) == len(header) and all(row) for row in rows), rows
			medians = [float(row[header.index("median")]) for row in rows]
			assert all(median > 0 for median in medians), medians
		PYTHON
	done
	assert_cleaned
}

@test "every case's output is right, and its row names machine, device, commit, median and peer" {
	groups cost memory expressions
}

# bats test_tags=long
@test "so is that of lanes, and of elements as they are" {
	groups lanes flat
}

@test "outputs of text are right too, exact, in f64, through gzip; rows that lack a peer say so" {
	BENCH_SIZE=1M BENCH_GROUPS=text "$PYTHON" "$BENCH/bench.py" >"$TMP/out"
	assert_contains "$(tail -n 1 "$TMP/out")" '0 failures'
	local skipped rows
	skipped=$(sed -n 's/^skipped: .*: //p' "$TMP/out" | tr ';' '\n' | grep -c . || true)
	rows=$(($(wc -l <"$TMP/results/text.tsv") - 1))
	assert_equal "$((skipped + rows))" 14
	[ "$rows" -ge 5 ]
	stand_in <<-'SH'
		"$REAL_PSCAN" "$@" | sed '5s/$/0/'
	SH
	! BENCH_SIZE=1M BENCH_GROUPS=text "$PYTHON" "$BENCH/bench.py" >"$TMP/out" || false
	assert_contains "$(grep '^integers as text: ' "$TMP/out")" 'wrong output between bytes 0 and'
	assert_cleaned
}

@test "outputs of everyday work are right, and a wrong digit in any of them is found" {
	groups everyday
	local rows
	rows=$(($(wc -l <"$TMP/results/everyday.tsv") - 1))
	[ "$rows" -ge 6 ]
	stand_in <<-'SH'
		"$REAL_PSCAN" "$@" | LC_ALL=C sed '9s/.$/x/'
	SH
	! BENCH_GROUPS=everyday "$PYTHON" "$BENCH/bench.py" >"$TMP/out" || false
	assert_equal "$(grep -c ': FAILED: .*: wrong ' "$TMP/out")" "$rows"
	assert_cleaned
}

@test "measuring the same again replaces its rows, and the table shows each case once" {
	for _ in 1 2; do
		BENCH_GROUPS=flat BENCH_COMMIT=first "$PYTHON" "$BENCH/bench.py" >/dev/null
	done
	assert_equal "$(wc -l <"$TMP/results/flat.tsv")" 4
	BENCH_GROUPS=flat BENCH_COMMIT=second "$PYTHON" "$BENCH/bench.py" >/dev/null
	assert_equal "$(wc -l <"$TMP/results/flat.tsv")" 7
	"$PYTHON" "$BENCH/table.py" "$TMP/results" >"$TMP/table"
	assert_equal "$(grep -c '^| time a byte' "$TMP/table")" 3
	assert_equal "$(grep -c '| second |$' "$TMP/table")" 3
}

@test "a wrong byte in the output fails the benchmark, and so does a failing command" {
	stand_in <<-'SH'
		"$REAL_PSCAN" "$@" | tr '\000' '\001'
	SH
	code=0
	BENCH_GROUPS=memory "$PYTHON" "$BENCH/bench.py" >"$TMP/out" || code=$?
	assert_equal "$code" 1
	assert_contains "$(cat "$TMP/out")" 'wrong output between bytes 0 and'
	stand_in <<-'SH'
		exit 3
	SH
	code=0
	BENCH_GROUPS=memory "$PYTHON" "$BENCH/bench.py" >"$TMP/out" || code=$?
	assert_equal "$code" 1
	assert_contains "$(cat "$TMP/out")" 'ended with 3'
	[ ! -e "$TMP/results" ]
	assert_cleaned
}

@test "an interrupted benchmark removes its files and its processes" {
	local mark=7200.$BASHPID real=$PSCAN
	for case in 'INT ' 'TERM ' 'INT first' 'TERM first' 'TERM watched'; do
		read -r signal when <<<"$case"
		rm -f "$TMP/child"
		# (first: the signal comes while the benchmark still starts it.
		# watched: a process of the benchmark starts it.)
		stand_in <<-SH
			[ -z "${when/first/}" ] || tr '\0' ' ' <"/proc/\$PPID/cmdline" | grep -q peak_memory || exec "$real" "\$@"
			echo \$\$ >"$TMP/child"
			[ "$when" != first ] || kill -s $signal \$PPID
			exec sleep $mark
		SH
		BENCH_GROUPS=memory "$PYTHON" -c '
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])' "$BENCH/bench.py" >/dev/null 3>&- &
		bench=$!
		wait_until [ -s "$TMP/child" ]
		[ "$when" = first ] || kill -s "$signal" "$bench"
		code=0
		wait "$bench" || code=$?
		[ "$code" -ge 128 ]
		# (Its parent by now may not have waited for it, and another process may have its number.)
		has_ended() { ! tr '\0' ' ' <"/proc/$1/cmdline" 2>/dev/null | grep -qF "sleep $mark "; }
		wait_until has_ended "$(cat "$TMP/child")"
	done
	assert_cleaned
}

@test "the pictures hold a series for each device and the caption, and no path" {
	command -v gnuplot >/dev/null || skip "there is no gnuplot"
	mkdir "$TMP/results"
	{
		printf 'machine\tcores\tdevice\tdriver\tdate\tcommit\tchunk_bytes\tsize_bytes\trounds\tunit\tmedian\tmin\tmax\n'
		for device in host pthread-x; do
			printf 'A processor\t2\t%s\t-\t2001-02-03T04:05Z\tabc\t%s\t1\t1\tGB/s\t%s\t1\t1\n' \
				$device 65536 1 $device 131072 2
		done
	} >"$TMP/results/chunks.tsv"
	{
		printf 'machine\tdevice\tdate\tcommit\talgorithm\tn\tseconds\n'
		for n in 16 1024 65536; do
			printf 'A processor\t%s\t2001-02-03T04:05Z\tabc\t%s\t%s\t%s\n' \
				host naive $n 0.$n host blelloch $n 0.$n GPU blelloch $n 0.$n
		done
	} >"$TMP/results/curves.tsv"
	"$PYTHON" "$BENCH/pictures.py" "$TMP/results"
	chunks=$(cat "$TMP/results/chunks.svg")
	complexity=$(cat "$TMP/results/complexity.svg")
	assert_contains "$chunks" 'host, PoCL: A processor, 2 cores, commit abc, 2001-02-03'
	assert_contains "$complexity" 'Blelloch, GPU'
	assert_contains "$complexity" 'host, GPU: A processor, commit abc, 2001-02-03'
	for path in "$TMP" "$ROOT" /tmp/; do
		[ "${chunks##*"$path"*}" ]
		[ "${complexity##*"$path"*}" ]
	done
	cp "$TMP/results/chunks.svg" "$TMP/first.svg"
	"$PYTHON" "$BENCH/pictures.py" "$TMP/results"
	cmp "$TMP/first.svg" "$TMP/results/chunks.svg"
}

@test "what is written by hand to compare programs with gives their numbers" {
	"$PYTHON" - "$TMP" <<-'PYTHON'
		import struct, sys
		pairs = [((i % 7 - 3) / 4, (i * 37 % 101) / 8) for i in range(70001)]
		y, given = 0.0, []
		for a, b in pairs:
		    y = a * y + b
		    given.append(y)
		numbers = [i * 37 % 101 for i in range(70001)]
		total, sums = 0, []
		for x in numbers:
		    total += x
		    sums.append(float(total))
		residues = [i * 7919 % 1000002 + 1 for i in range(300001)]
		product, products = 1, []
		for x in residues:
		    product = product * x % 1000003
		    products.append(product)
		for name, values in (("residues", residues), ("products", products)):
		    with open(f"{sys.argv[1]}/{name}", "wb") as file:
		        file.write(struct.pack(f"<{len(values)}Q", *values))
		for name, values in (("pairs", [v for pair in pairs for v in pair]), ("y", given), ("numbers", numbers), ("sums", sums)):
		    with open(f"{sys.argv[1]}/{name}", "wb") as file:
		        file.write(struct.pack(f"<{len(values)}d", *values))
	PYTHON
	"$BUILD/bench/recurrence_peer" "$TMP/pairs" "$TMP/out"
	cmp "$TMP/y" "$TMP/out"
	"$BUILD/bench/modular_peer" "$TMP/residues" >"$TMP/out"
	cmp "$TMP/products" "$TMP/out"
	printf '\012\0\0\0\0\0\0\0\003' >"$TMP/cut"
	! "$BUILD/bench/modular_peer" "$TMP/cut" >/dev/null 2>&1 || false
	for form in openmp vectors; do
		for threads in 1 2 5; do
			OMP_NUM_THREADS=$threads "$BUILD/bench/expensive_peer" -i 0 "$form" "$TMP/numbers" "$TMP/out"
			cmp "$TMP/sums" "$TMP/out"
		done
	done
	head -c 65536 /dev/zero >"$TMP/zeros"
	"$BUILD/bench/expensive_peer" openmp "$TMP/zeros" "$TMP/out"
	"$BUILD/bench/expensive_peer" vectors "$TMP/zeros" "$TMP/out2"
	"$PSCAN" -D cpu --format=binary -op @"$ROOT/samples/expensive.cl" "$TMP/zeros" >"$TMP/right"
	cmp "$TMP/right" "$TMP/out"
	cmp "$TMP/right" "$TMP/out2"
}
