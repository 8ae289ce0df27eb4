#!/usr/bin/env bats
# Output compressed with zstd; zstd's own tool reads it.
# shellcheck disable=SC2154 # code, out and err are set by run_pscan

load helper

setup() {
	export PSCAN_DEVICE=none
	cd "$TMP" || return
	"$PSCAN" --version | grep -qE '(^|, )zstd [0-9]' || case $BATS_TEST_DESCRIPTION in
	*'without the library'*) ;;
	*) skip 'this build has no zstd' ;;
	esac
	command -v zstd >/dev/null || skip 'no zstd'
}

@test "--zstd: the tool reads it, whatever the level, the size and the threads" {
	local size level threads
	for size in 0 1 300000; do
		seq "$size" >in
		"$PSCAN" in >plain
		for level in '' =1 =9 =22; do
			[ "$level" != =22 ] || [ "$size" -le 1 ] || continue
			for threads in 1 4; do
				run_pscan --zstd$level -T $threads in
				assert_equal "$size $level $threads: $code $err" "$size $level $threads: 0 "
				zstd -tq <out
				zstd -dqc <out | cmp - plain
				[ $threads = 1 ] || cmp out before
				cp out before
			done
		done
	done
}

@test "--zstd: each frame has its size and a checksum, and none at the end is empty" {
	head -c 3145728 /dev/zero >in
	"$PSCAN" -t u8 --zstd -o out.zst in
	zstd -lv out.zst >list 2>&1
	grep -q 'Number of files listed: 1' list || grep -q 'Frames: 3\|Zstandard Frames: 3' list
	grep -q 'Check: XXH64' list
	grep -q 'Decompressed Size: 3.00 MiB (3145728 B)' list
}

@test "--zstd: a bit that flips is noticed" {
	seq 1000 | "$PSCAN" --zstd >out.zst
	"$PYTHON" -c '
data = bytearray(open("out.zst", "rb").read())
data[len(data) // 2] ^= 4
open("bad.zst", "wb").write(data)'
	! zstd -tq bad.zst 2>/dev/null || false
	run_pscan bad.zst
	assert_equal "$code" 1
}

@test "--zstd: pscan reads it again, as numbers and as arrays" {
	seq 5 | "$PSCAN" --zstd | "$PSCAN" >out
	assert_equal "$(tr '\n' ' ' <out)" '1 4 10 20 35 '
	"$PYTHON" -c 'import numpy as np; np.save("a.npy", np.ones((3, 4), "i4"))'
	"$PSCAN" --zstd --axis=1 a.npy | "$PSCAN" --axis=0 >b.npy
	"$PYTHON" -c 'import numpy as np
assert np.array_equal(np.load("b.npy"), np.ones((3, 4), "i4").cumsum(axis=1).cumsum(axis=0))'
}

@test "of -z and --zstd the last one wins" {
	seq 3 | "$PSCAN" -z --zstd | zstd -dqc | cmp - <(printf '1\n3\n6\n')
	seq 3 | "$PSCAN" --zstd=19 -z | gzip -dc | cmp - <(printf '1\n3\n6\n')
	for level in 0 23 x ''; do
		run_pscan "--zstd=$level" </dev/null
		assert_equal "$level: $code $out" "$level: 2 "
		assert_contains "$err" 'a number from 1 to 22'
	done
}

@test "--zstd without the library is refused in one line" {
	! "$PSCAN" --version | grep -qE '(^|, )zstd [0-9]' || skip 'this build has zstd'
	run_pscan --zstd </dev/null
	assert_equal "$code $out" '2 '
	assert_contains "$err" '| zstd'
}
