#!/usr/bin/env bats
# Behaviour in a pipeline: exit statuses, signals, descriptors, files, terminals, messages.
# shellcheck disable=SC2154 # code, out and err are set by run_pscan

load helper

setup() {
	export PSCAN_DEVICE=none
	cd "$TMP" || return
}

# totals FILE: the running totals of its words, a line each.
totals() {
	"$PYTHON" -c 'import itertools, sys
print(*itertools.accumulate(map(int, open(sys.argv[1]).read().split())), sep="\n")' "$1"
}

# A python prologue: start(option...) begins pscan with pipes; closes(child, data) gives it data and the end of input.
# shellcheck disable=SC2034 # python uses it
PROLOGUE='
import glob
import os
import select
import signal
import struct
import subprocess
import sys
import time

from running import LIMIT_S, PSCAN, default_signals, start, wait_for


def read_within(stream, size, seconds=LIMIT_S):
    """What stream gives until size bytes are there, or within the time."""
    data = b""
    end = time.monotonic() + seconds
    while len(data) < size and select.select([stream], [], [], max(0, end - time.monotonic()))[0]:
        piece = os.read(stream.fileno(), size - len(data))
        if not piece:
            break
        data += piece
    return data


'

# --- Exit statuses

@test "0: done" {
	run_pscan < <(echo 1 2)
	assert_equal "$code $out $err" $'0 1\n3 '
}

@test "1: the data was bad or damaged" {
	run_pscan < <(echo 1 x)
	assert_equal "$code" 1
	run_pscan -t i8 < <(echo 100 100)
	assert_equal "$code" 1
	run_pscan < <(printf '\001')
	assert_equal "$code" 1
}

@test "2: usage" {
	run_pscan --bogus
	assert_equal "$code" 2
}

@test "3: the system failed" {
	run_pscan "$TMP/none"
	assert_equal "$code" 3
}

# bats test_tags=usual
@test "4: the device failed and the user had named it, by -D or by PSCAN_DEVICE" {
	run_pscan -D no-such-device -t i64 < <(echo 1 2)
	assert_equal "$code $out" '4 '
	assert_equal "$err" 'pscan: no OpenCL device "no-such-device" (see --list-devices)'
	PSCAN_DEVICE=no-such-device run_pscan -t i64 < <(echo 1 2)
	assert_equal "$code $out" '4 '
	assert_contains "$err" 'no-such-device'
}

@test "-D gpu without a GPU is 4 with a clear error" {
	need_opencl
	run_pscan -l
	case $out in *' gpu '*) skip 'there is a GPU' ;; esac
	run_pscan -D gpu -t i64 < <(echo 1 2)
	assert_equal "$code $out" '4 '
	assert_equal "$err" 'pscan: no OpenCL device "gpu" (see --list-devices)'
	seq 100000 >in
	run_pscan -D gpu -t i64 -o made in
	assert_equal "$code $out" '4 '
	[ ! -e made ]
}

@test "-D gpu without a GPU fails on empty input too" {
	need_opencl
	run_pscan -l
	case $out in *' gpu '*) skip 'there is a GPU' ;; esac
	run_pscan -D gpu -t i64 </dev/null
	assert_equal "$code $out" '4 '
}

@test "without any OpenCL platform none and auto scan in silence" {
	seq 100000 >in
	totals in >right
	local device
	for device in none auto; do
		OCL_ICD_VENDORS=/nonexistent run_pscan -D "$device" --chunk-size=32K in
		assert_equal "$device: $code $err" "$device: 0 "
		cmp out right
	done
	PSCAN_DEVICE='' OCL_ICD_VENDORS=/nonexistent run_pscan in
	assert_equal "$code $err" '0 '
	cmp out right
}

@test "without any OpenCL platform -D cpu is 4" {
	need_opencl
	OCL_ICD_VENDORS=/nonexistent run_pscan -D cpu -t i64 < <(echo 1 2)
	assert_equal "$code $out" '4 '
	assert_equal "$err" 'pscan: no OpenCL device "cpu" (see --list-devices)'
}

@test "without any OpenCL platform -h, -V and -l work" {
	local option
	for option in -h -V -l; do
		OCL_ICD_VENDORS=/nonexistent run_pscan "$option"
		assert_equal "$option: $code" "$option: 0"
	done
}

@test "success is silent on every device" {
	need_opencl
	seq 50000 >in
	totals in >right
	local device
	for device in none cpu auto; do
		run_pscan -D "$device" --chunk-size=64K in
		assert_equal "$device: $code $err" "$device: 0 "
		cmp out right
	done
}

# as_nobody VARIABLE=VALUE...: scans on the CPU device as a user without a home, with this environment only.
as_nobody() {
	command -v setpriv >/dev/null || skip 'no setpriv'
	[ "$(id -u)" = 0 ] || skip 'not root'
	# The leaks that PoCL has are told from others by a file that this user may not be able to read.
	local user=(setpriv --reuid=65534 --regid=65534 --clear-groups
		env -i HOME=/nonexistent ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" "$@")
	"${user[@]}" "$PSCAN" -V >/dev/null || skip 'the program cannot be run by another user'
	run_pscan -l
	case $out in *' cpu '*) ;; *) skip 'no CPU device' ;; esac
	local before after
	before=$(find /tmp -maxdepth 1 \( -name pocl -o -user 65534 -name 'pscan-*' \) 2>/dev/null || true)
	seq 10000 >in
	totals in >right
	code=0
	"${user[@]}" "$PSCAN" -D cpu -t i64 <in >out 2>err || code=$?
	assert_equal "$code $(cat err)" '0 '
	cmp out right
	after=$(find /tmp -maxdepth 1 \( -name pocl -o -user 65534 -name 'pscan-*' \) 2>/dev/null || true)
	assert_equal "$after" "$before"
	[ ! -e /nonexistent ]
}

# bats test_tags=root
@test "without a writable home the device works, silently and without a shared cache" {
	as_nobody PATH=/usr/bin:/bin
}

# bats test_tags=root
@test "without PATH the device works too" {
	as_nobody
}

# --- SIGPIPE

@test "dying of SIGPIPE is 141 and silent" {
	need_opencl
	seq 200000 >in
	local status
	for options in '' '--chunk-size=32K -T 4' '-D cpu'; do
		# shellcheck disable=SC2086 # words
		status=$(
			env --default-signal=PIPE "$PSCAN" $options in 2>err | head -n 1 >first
			echo "${PIPESTATUS[0]}"
		)
		assert_equal "$options: $status $(cat first) $(cat err)" "$options: 141 1 "
	done
}

@test "dying of SIGPIPE with endless input is 141 and silent" {
	local status
	status=$(
		yes 1 | env --default-signal=PIPE timeout 1200 "$PSCAN" 2>err | head -n 1 >first
		echo "${PIPESTATUS[1]}"
	)
	assert_equal "$status $(cat first) $(cat err)" '141 1 '
}

@test "where SIGPIPE is ignored a closed pipe is a failed write" {
	seq 200000 >in
	local status
	status=$(
		env --ignore-signal=PIPE "$PSCAN" in 2>err | head -n 1 >first
		echo "${PIPESTATUS[0]}"
	)
	assert_equal "$status $(cat first)" '3 1'
	assert_equal "$(cat err)" 'pscan: standard output: Broken pipe'
}

@test "a failed write ends the program while its input is still held open" {
	python '
child = subprocess.Popen(["env", "--ignore-signal=PIPE", PSCAN], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE)
child.stdout.close()
child.stdin.write(b"1\n" * 30000)
child.stdin.flush()
assert child.wait(1200) == 3
assert child.stderr.read() == b"pscan: standard output: Broken pipe\n"
'
}

@test "bad data ends the program while its input is still held open" {
	python '
for options in (), ("--chunk-size=1", "-T", "4"):
    child = start(*options)
    child.stdin.write(b"1\n" * 30000 + b"bad\n")
    output = read_within(child.stdout, 10**6)
    assert child.wait(1200) == 1 and output.endswith(b"\n30000\n"), output[-50:]
'
}

# --- Output that fails

@test "a file that cannot be opened is 3 and named, whichever of several it is" {
	seq 5 >"$TMP/in"
	run_pscan "$TMP/absent" "$TMP/in"
	assert_equal "$code" 3
	assert_equal "$out" ""
	assert_contains "$err" "$TMP/absent: No such file"
	run_pscan "$TMP/in" "$TMP/absent" "$TMP/in"
	assert_equal "$code" 3
	assert_equal "$(echo "$out" | tr '\n' ' ')" "1 3 6 10 15 "
	assert_contains "$err" "$TMP/absent: No such file"
}

@test "a full disk is 3 and named" {
	seq 100000 >in
	local options status
	for options in '' '--chunk-size=32K -T 4' '-z' '-f 1' '-t i64 --output-format=binary' '--total' '-o -'; do
		status=0
		# shellcheck disable=SC2086 # words
		"$PSCAN" $options in >/dev/full 2>err || status=$?
		assert_equal "$options: $status $(cat err)" "$options: 3 pscan: standard output: No space left on device"
	done
	status=0
	echo 1 | "$PSCAN" >/dev/full 2>err || status=$?
	assert_equal "$status $(cat err)" '3 pscan: standard output: No space left on device'
}

# bats test_tags=usual
@test "a full disk is 3 for -h, -V and -l too" {
	local option status
	for option in -h -V -l; do
		status=0
		"$PSCAN" "$option" >/dev/full 2>err || status=$?
		[ "$option $(cat err)" = '-l pscan: warning: no OpenCL device' ] && continue
		assert_equal "$option: $status $(cat err)" "$option: 3 pscan: standard output: No space left on device"
	done
}

@test "an output that cannot be written to is 3 and named" {
	: >r
	local status=0
	echo 1 | "$PSCAN" 1<r 2>err || status=$?
	assert_equal "$status $(cat err)" '3 pscan: standard output: Bad file descriptor'
}

@test "messages onto a full disk change nothing else" {
	local status=0
	echo 1 x 2 | "$PSCAN" --invalid=warn 2>/dev/full >out || status=$?
	assert_equal "$status $(tr '\n' ' ' <out)" '0 1 3 '
	echo 1 x 2 | "$PSCAN" 2>/dev/full >out || status=$?
	assert_equal "$status $(tr '\n' ' ' <out)" '1 1 '
}

@test "no results onto a full disk are no failure" {
	"$PSCAN" </dev/null >/dev/full
}

@test "a full disk leaves a named output alone" {
	echo old >made
	echo 1 2 x >in
	run_pscan -o /dev/full < <(echo 1)
	assert_equal "$code $err" '3 pscan: /dev/full: No space left on device'
	[ -c /dev/full ]
}

@test "a file size limit is a failed write: 3, a message, and no temporary file" {
	seq 100000 >in
	echo old >made
	local status=0
	(
		ulimit -f 1
		exec env --ignore-signal=XFSZ "$PSCAN" -o made in
	) 2>err || status=$?
	assert_equal "$status $(cat err)" '3 pscan: made: File too large'
	assert_equal "$(cat made) $(find . -name '.pscan*')" 'old '
}

@test "the signal of a file size limit leaves no temporary file either" {
	seq 100000 >in
	echo old >made
	local status=0
	(
		ulimit -f 1
		ulimit -c 0
		exec env --default-signal=XFSZ "$PSCAN" -o made in
	) 2>err || status=$?
	[ "$status" -ne 0 ]
	assert_equal "$(cat made) $(find . -name '.pscan*')" 'old '
}

# --- Processors that come and go

@test "processors that are taken away while the input is waited for change nothing" {
	cat >cpus.c <<-'END'
		#define _GNU_SOURCE
		#include <sched.h>
		#include <string.h>
		int sched_getaffinity(pid_t process, size_t size, cpu_set_t *mask)
		{
			static int calls;
			memset(mask, 0, size);
			for (int i = 0; i < (calls == 0 ? FIRST : LATER); i++)
				CPU_SET_S((size_t)i, size, mask);
			calls++;
			return process;
		}
	END
	"$PYTHON" -c '
import numpy as np
x = (np.arange(3000000) % 1000).astype(np.int64)
x.tofile("in")
np.cumsum(x).tofile("right")'
	local first
	for first in 32:1 1:32; do
		compile -shared -fPIC -DFIRST="${first%:*}" -DLATER="${first#*:}" -o cpus.so cpus.c || skip 'no compiler'
		status=0
		ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0 LD_PRELOAD=$PWD/cpus.so \
			"$PSCAN" -D none -t i64 --chunk-size=16K < <(cat in) >out 2>err || status=$?
		assert_equal "$first $status $(cat err)" "$first 0 "
		cmp out right
	done
}

# --- Interrupted and short system calls

# inject CALL RULE PATH COMMAND...: runs the command with strace's injection into calls on PATH; leaves $status.
inject() {
	need_strace
	local call=$1 rule=$2 path=$3
	shift 3
	status=0
	strace_pscan -f -o trace -P "$path" -e trace="$call" -e inject="$call:$rule" "$@" || status=$?
	grep -q INJECTED trace
}

@test "interrupted reads are taken up again" {
	seq 60000 >in
	totals in >right
	inject pread64 error=EINTR:when=1+2 "$TMP/in" "$PSCAN" --chunk-size=32K -T 2 in >out 2>err
	assert_equal "$status $(cat err)" '0 '
	cmp out right
	gzip <in >in.gz
	inject read error=EINTR:when=2 "$TMP/in.gz" "$PSCAN" in.gz >out 2>err
	assert_equal "$status $(cat err)" '0 '
	cmp out right
}

@test "interrupted reads from a pipe are taken up again" {
	seq 60000 >in
	totals in >right
	mkfifo fifo
	local error
	for error in EINTR EAGAIN; do
		cat in >fifo 3>&- &
		inject read error=$error:when=2+2 "$TMP/fifo" "$PSCAN" --chunk-size=32K fifo >out 2>err
		assert_equal "$error: $status $(cat err)" "$error: 0 "
		cmp out right
	done
}

@test "interrupted writes are taken up again" {
	seq 60000 >in
	totals in >right
	inject pwrite64 error=EINTR:when=1+2 "$TMP/out" "$PSCAN" --chunk-size=32K -T 2 in >out 2>err
	assert_equal "$status $(cat err)" '0 '
	cmp out right
	inject pwrite64 error=EINTR:when=1 "$TMP/out" "$PSCAN" --total in >out 2>err
	assert_equal "$status $(cat out)" '0 1800030000'
}

# bats test_tags=usual
@test "a read error is 3, named, and what was written is a prefix" {
	seq 60000 >in
	totals in >right
	inject pread64 error=EIO:when=3 "$TMP/in" "$PSCAN" --chunk-size=32K in >out 2>err
	assert_equal "$status $(cat err)" '3 pscan: in: Input/output error'
	cmp -n "$(wc -c <out)" out right
	inject pread64 error=EIO:when=3 "$TMP/in" "$PSCAN" --chunk-size=32K --total in >out 2>err
	assert_equal "$status $(cat out)" '3 '
}

@test "a write error in the middle is 3, named, and what was written is a prefix" {
	seq 60000 >in
	totals in >right
	inject pwrite64 error=ENOSPC:when=3 "$TMP/out" "$PSCAN" --chunk-size=32K -T 4 in >out 2>err
	assert_equal "$status $(cat err)" '3 pscan: standard output: No space left on device'
	[ -s out ]
	cmp -n "$(wc -c <out)" out right
}

# bats test_tags=usual
@test "an output that fails when it is closed is 3 and named" {
	inject close error=EIO:when=1 "$TMP/out" "$PSCAN" -D none <<<1 >out 2>err
	assert_equal "$status $(cat err)" '3 pscan: standard output: Input/output error'
}

# raw_chunks [COUNT]: writes 64 chunks of 16 KiB of small integers as raw i32 to in, or so many integers, and their
# running sums to right.
raw_chunks() {
	raw_integers "${1:-262144}" >in
	"$PYTHON" -c 'import numpy as np
np.cumsum(np.fromfile("in", np.int32), dtype=np.int32).tofile("right")'
}

@test "a disk that fills up while results are written in place leaves a prefix without gaps" {
	raw_chunks
	for when in 1 2 5; do # writes of each thread; the others get ahead of one that fails
		rm -f out
		inject pwrite64 "error=ENOSPC:delay_enter=20000:when=$when+" "$TMP/out" "$PSCAN" -D none -t i32 --chunk-size=16K -T 4 in >out 2>err
		assert_equal "$status $(cat err)" '3 pscan: standard output: No space left on device'
		[ "$(wc -c <out)" -lt 1048576 ]
		cmp -n "$(wc -c <out)" out right
	done
}

@test "a signal cuts off what is written in place only when no thread writes any more" {
	need_strace
	[ -z "${TSAN_OPTIONS:-}" ] || skip 'ThreadSanitizer hands signals on when it likes'
	raw_chunks 16777216 # for six minutes
	: >out
	# Each thread's writes but the first one are late, and the program does not end at once after the cut.
	# shellcheck disable=SC2016 # expanded by the inner shell
	strace_pscan -f -o trace -P "$TMP/out" -e trace=pwrite64,ftruncate -e inject=pwrite64:delay_enter=400000:when=2+ \
		-e inject=ftruncate:delay_exit=1000000 \
		sh -c 'echo $$ >pid; exec "$0" -D none -t i32 --overflow=wrap --chunk-size=16K -T 4 in 2>err' "$PSCAN" >out 3>&- &
	local tracer=$!
	wait_until [ -s out ]
	kill -TERM "$(cat pid)"
	status=0
	wait "$tracer" || status=$?
	assert_equal "$status $(cat err)" '143 '
	grep -q 'ftruncate(' trace # whether there was a gap at that moment or not
	[ -s out ]
	[ "$(wc -c <out)" -lt 67108864 ]
	cmp -n "$(wc -c <out)" out right
}

# bats test_tags=usual
@test "a write in place that fails once is tried again in its turn" {
	raw_chunks
	# strace would count each thread's writes for itself, and the thread that tries again might fail as well.
	cat >write.c <<-'END'
		#define _XOPEN_SOURCE 700
		#include <errno.h>
		#include <stdatomic.h>
		#include <sys/uio.h>
		#include <unistd.h>
		ssize_t pwrite(int fd, const void *data, size_t size, off_t at)
		{
			static atomic_int calls;
			if (atomic_fetch_add(&calls, 1) + 1 == FAILING) {
				(void)!write(STDERR_FILENO, "failed\n", 7);
				errno = EIO;
				return -1;
			}
			if (lseek(fd, 0, SEEK_CUR) < 0)
				return -1;
			const struct iovec part = {(void *)data, size};
			return pwritev(fd, &part, 1, at);
		}
	END
	for failing in 1 2 9 64; do
		compile -D_DEFAULT_SOURCE -shared -fPIC -DFAILING=$failing -o write.so write.c || skip 'no compiler'
		rm -f out
		status=0
		ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0 LD_PRELOAD=$PWD/write.so \
			"$PSCAN" -D none -t i32 --chunk-size=16K -T 4 in >out 2>err || status=$?
		assert_equal "$failing $status $(cat err)" "$failing 0 failed"
		cmp out right
	done
}

@test "results written in place begin at the output's offset and leave it behind the last one" {
	raw_chunks
	{
		printf 'head\n'
		"$PSCAN" -D none -t i32 --chunk-size=16K -T 4 in
		"$PSCAN" -D none -t i32 --chunk-size=16K -T 4 --total in
		"$PSCAN" -D none -t i32 --chunk-size=16K -T 4 --include-initial in
		printf 'tail\n'
	} >out
	cmp out <(printf 'head\n' && cat right && tail -c 4 right && printf '\0\0\0\0' && cat right && printf 'tail\n')
}

@test "an output that is appended to, or has something behind its offset, is written in order" {
	raw_chunks
	printf 'head\n' >out
	"$PSCAN" -D none -t i32 --chunk-size=16K -T 4 in >>out
	cmp out <(printf 'head\n' && cat right)
	: >out
	"$PSCAN" -D none -t i32 --chunk-size=16K -T 4 in >>out
	cmp out right
	head -c 2000000 /dev/zero >out
	"$PSCAN" -D none -t i32 --chunk-size=16K -T 4 in 1<>out
	cmp out <(cat right && head -c $((2000000 - 1048576)) /dev/zero)
}

@test "an element that overflows cuts what was written in place behind it" {
	raw_chunks
	"$PYTHON" -c '
import numpy as np
x = np.fromfile("in", np.int32)
x[100000] = 2**31 - 1
x.tofile("in")'
	status=0
	"$PSCAN" -D none -t i32 --chunk-size=16K -T 4 in >out 2>err || status=$?
	assert_equal "$status $(cat err)" '1 pscan: in: element 100001: the sum does not fit i32 (see -t i32:i64, --overflow=wrap)'
	assert_equal "$(wc -c <out)" 400000
	cmp -n 400000 out right
}

@test "a file that becomes shorter while it is read is 3, named, and what was written is a prefix" {
	raw_chunks
	cat in in in in in in in in >long
	mkfifo pipe
	{
		"$PSCAN" -D none -t i32 --overflow=wrap --chunk-size=4K -T 1 long 2>err && echo 0 >code || echo $? >code
	} >pipe &
	local scan=$!
	# Far fewer results fit the pipe and the chunks under way: the rest of the file is yet to be read.
	{
		head -c 16384
		: >long
		cat
	} <pipe >out
	wait "$scan"
	assert_equal "$(cat code) $(cat err)" '3 pscan: long: the file became shorter while it was read'
	[ "$(wc -c <out)" -ge 16384 ]
	[ "$(wc -c <out)" -lt 1048576 ]
	cmp -n "$(wc -c <out)" out right
}

@test "short writes to a slow pipe lose nothing" {
	seq 100000 >in
	totals in >right
	"$PSCAN" in | {
		sleep 0.2
		dd bs=1000 status=none
	} >out
	cmp out right
}

@test "a non-blocking output loses nothing" {
	seq 100000 >in
	totals in >right
	python '
right = open("right", "rb").read()
for options in (), ("-z",), ("--chunk-size=32K", "-T", "4"):
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    child = start(*options, "in", stdout=writer)
    os.close(writer)
    time.sleep(0.1)
    with open(reader, "rb") as stream:
        output = stream.read()
    if options == ("-z",):
        import gzip
        output = gzip.decompress(output)
    assert child.wait() == 0 and output == right and child.stderr.read() == b"", (options, len(output))
'
}

@test "a non-blocking input loses nothing" {
	python '
reader, writer = os.pipe()
os.set_blocking(reader, False)
child = start(stdin=reader)
os.close(reader)
for piece in b"1", b"2 3", b"\n", b"4\n5", b"6":
    time.sleep(0.05)
    os.write(writer, piece)
os.close(writer)
assert child.communicate() == (b"12\n15\n19\n75\n", b"") and child.returncode == 0
'
}

# --- Closed descriptors

@test "closed descriptors that are not needed do not matter, in every combination" {
	need_opencl
	seq 3 >in
	local device input output errors
	for device in none cpu; do
		for input in '' '<&-'; do
			for output in '>out' '>&-'; do
				for errors in '2>err' '2>&-'; do
					rm -f made
					eval "$PSCAN -D $device -o made in $input $output $errors"
					assert_equal "$device $input $output $errors $(tr '\n' ' ' <made)" "$device $input $output $errors 1 3 6 "
				done
			done
		done
	done
}

@test "a closed standard input is 3 where it is to be read, in every combination" {
	local output errors status
	for output in '>out' '>&-' '>out -o made'; do
		for errors in '2>err' '2>&-'; do
			status=0
			eval "$PSCAN <&- $output $errors" || status=$?
			assert_equal "$output $errors $status" "$output $errors 3"
			[ ! -s out ]
			[ ! -e made ]
		done
	done
	run_pscan <&-
	assert_equal "$err" 'pscan: standard input is closed'
}

@test "a closed standard output is 3 where it is to be written, in every combination" {
	need_opencl
	seq 3 >in
	local device input errors status
	for device in none cpu; do
		for input in '<in' 'in <&-' '- <in'; do
			for errors in '2>err' '2>&-'; do
				status=0
				eval "$PSCAN -D $device $input >&- $errors" || status=$?
				assert_equal "$device $input $errors $status" "$device $input $errors 3"
			done
		done
	done
	assert_equal "$(cat err)" 'pscan: standard output is closed'
	local option
	for option in -h -V; do
		status=0
		"$PSCAN" "$option" >&- 2>err || status=$?
		assert_equal "$option $status $(cat err)" "$option 3 pscan: standard output is closed"
	done
}

@test "a descriptor that is named by its path is that descriptor: closed, appended to, or the input itself" {
	seq 3 >in
	local path status
	ln -s /dev/stdout link
	ln -s link link2
	ln -s /dev/fd descriptors
	for path in descriptors/1 //dev/./fd/1 /dev/stdout /dev/fd/1 /proc/self/fd/1 /proc/thread-self/fd/1 link2; do
		status=0
		"$PSCAN" -o "$path" in >&- 2>err || status=$?
		assert_equal "$path $status $(cat err)" "$path 3 pscan: standard output is closed"
		printf 'old\n' >log
		{ "$PSCAN" -o "$path" in && echo end; } >>log
		assert_equal "$path $(tr '\n' ' ' <log)" "$path old 1 3 6 end "
		cp in loop
		status=0
		# shellcheck disable=SC2094 # that is the point
		"$PSCAN" -o "$path" loop >>loop 2>err || status=$?
		assert_equal "$path $status $(cat err)" "$path 2 pscan: standard output is the input file loop (to replace it: -o loop)"
		cmp in loop
	done
	for path in /dev/stdin /dev/fd/0 /proc/self/fd/0; do
		status=0
		"$PSCAN" "$path" <&- >out 2>err || status=$?
		assert_equal "$path $status $(cat err)" "$path 3 pscan: standard input is closed"
	done
	# To the system this is no descriptor's name.
	status=0
	"$PSCAN" -o /dev/fd/03 in 3>out 2>err || status=$?
	assert_equal "$status $(wc -c <out)" '3 0'
	printf 'old\n' >log
	{ "$PSCAN" -o /dev/stderr in && echo end >&2; } 2>>log
	assert_equal "$(tr '\n' ' ' <log)" 'old 1 3 6 end '
}

@test "with standard error closed no message goes anywhere else" {
	echo 1 2 x >in
	local status=0
	"$PSCAN" in 2>&- >out || status=$?
	assert_equal "$status $(tr '\n' ' ' <out)" '1 1 3 '
	status=0
	"$PSCAN" --invalid=warn -o made in 2>&- || status=$?
	assert_equal "$status $(tr '\n' ' ' <made) $(cat in)" '0 1 3  1 2 x'
}

# --- Terminals

# on_terminal COMMAND: runs the shell command on a terminal; leaves $status and, without CRs, the file screen.
on_terminal() {
	command -v script >/dev/null || skip 'no script'
	script -qec true /dev/null </dev/null >/dev/null 2>&1 || skip 'no terminal can be made'
	status=0
	timeout 1200 script -qec "$1" /dev/null </dev/null >screen.raw || status=$?
	tr -d '\r' <screen.raw >screen
}

@test "started on a terminal with no input: the short help, exit 2" {
	"$PSCAN" -h >help
	NO_COLOR=1 on_terminal "'$PSCAN'"
	assert_equal "$status" 2
	cmp screen help
	on_terminal "'$PSCAN' >out 2>err"
	assert_equal "$status $(cat out screen)" '2 '
	cmp err help
}

@test "text results go to a terminal" {
	on_terminal "echo 1 2 | '$PSCAN'"
	assert_equal "$status $(cat screen)" $'0 1\n3'
}

@test "binary results are not written to a terminal unless -o - asks for them" {
	head -c 4 /dev/zero | tr '\0' A >in
	on_terminal "'$PSCAN' --format=binary -t u8 --overflow=wrap -op max in"
	assert_equal "$status $(wc -l <screen)" '2 1'
	assert_contains "$(cat screen)" '-o -'
	on_terminal "'$PSCAN' --format=binary -t u8 -op max -o - in"
	assert_equal "$status $(cat screen)" '0 AAAA'
	on_terminal "'$PSCAN' --format=binary -t u8 -op max -o made in"
	assert_equal "$status $(cat screen made)" '0 AAAA'
	on_terminal "'$PSCAN' --format=binary -t u8 -op max --output-format=text in"
	assert_equal "$status $(head -n 1 screen)" '0 65'
}

@test "gzip is not written to a terminal unless -o - asks for it" {
	echo 1 2 >in
	on_terminal "'$PSCAN' -z in"
	assert_equal "$status $(wc -l <screen)" '2 1'
	assert_contains "$(cat screen)" '-o -'
	on_terminal "'$PSCAN' -z -o - in"
	assert_equal "$status" 0
	assert_equal "$(head -c 2 screen.raw | od -An -tx1)" ' 1f 8b'
	on_terminal "'$PSCAN' -z in >made.gz"
	assert_equal "$status $(gunzip -c <made.gz | tr '\n' ' ')" '0 1 3 '
}

@test "a pipe is no terminal" {
	on_terminal "echo 1 2 | '$PSCAN' -z | gunzip"
	assert_equal "$status $(cat screen)" $'0 1\n3'
}

# --- Offsets

@test "input is read from the descriptor's offset and left at the end" {
	seq 20000 >in
	local options
	for options in '' '--no-mmap' '--chunk-size=32K -T 4' '--chunk-size=32K --no-mmap'; do
		{
			dd bs=13893 count=1 status=none of=/dev/null
			# shellcheck disable=SC2086 # words
			"$PSCAN" $options >out
			cat >rest
		} <in
		# 13893 bytes are the lines up to 3000.
		seq 3001 20000 >later
		totals later | cmp - out
		assert_equal "$options: $(cat rest)" "$options: "
	done
}

@test "raw numbers are read from the descriptor's offset and left at the end" {
	need_opencl
	python 'sys.stdout.buffer.write(struct.pack("<30000i", *range(30000)))' >in
	python '
import itertools
sys.stdout.buffer.write(struct.pack("<29500q", *itertools.accumulate(range(500, 30000))))' >right
	local options
	for options in '' '--no-mmap' '--chunk-size=32K -T 4' '-D cpu'; do
		{
			dd bs=2000 count=1 status=none of=/dev/null
			# shellcheck disable=SC2086 # words
			"$PSCAN" -t i32le:i64le --format=binary $options >out
			cat >rest
		} <in
		cmp out right
		assert_equal "$options: $(wc -c <rest)" "$options: 0"
	done
}

@test "gzip is read from the descriptor's offset and left at the end" {
	{
		printf '0123456789'
		seq 5 | gzip
	} >in
	{
		dd bs=10 count=1 status=none of=/dev/null
		"$PSCAN" >out
		cat >rest
	} <in
	assert_equal "$(tr '\n' ' ' <out)$(wc -c <rest)" '1 3 6 10 15 0'
}

@test "a small file is left at its end too" {
	echo 1 2 3 >in
	{
		dd bs=2 count=1 status=none of=/dev/null
		"$PSCAN" >out
		cat >rest
	} <in
	assert_equal "$(tr '\n' ' ' <out)$(cat rest)" '2 5 '
	{
		cat >/dev/null
		"$PSCAN" --total >out
	} <in
	assert_equal "$(cat out)" 0
}

@test "results go to the descriptor's offset, what stands around them stays" {
	seq 20000 >in
	totals in >right
	local options
	for options in '' '--chunk-size=32K -T 4' '-t i64 --output-format=binary'; do
		{
			printf 'before\n'
			# shellcheck disable=SC2086 # words
			"$PSCAN" $options in
			printf 'after\n'
		} >out
		[ "$options" != '-t i64 --output-format=binary' ] || continue
		{
			printf 'before\n'
			cat right
			printf 'after\n'
		} | cmp - out
	done
	assert_equal "$(wc -c <out) $(head -c 7 out) $(tail -c 6 out)" $'160013 before after'
}

@test "an output opened without truncation keeps what lies behind" {
	printf 'xxxxxxxxxxxxxxxx\n' >out
	{
		printf 'ab'
		"$PSCAN" < <(echo 1 2)
	} 1<>out
	assert_equal "$(cat out)" $'ab1\n3\nxxxxxxxxxx'
}

@test "an O_APPEND output is only ever appended to" {
	seq 20000 >in
	totals in >right
	local options
	for options in '' '--chunk-size=32K -T 4'; do
		echo old >out
		# shellcheck disable=SC2086 # words
		"$PSCAN" $options in >>out
		{
			echo old
			cat right
		} | cmp - out
	done
	# What others append in the meantime stays.
	: >shared
	mkfifo fifo
	"$PSCAN" -t u8 --format=binary fifo >>shared 3>&- &
	exec 7>fifo
	printf '\001' >&7
	wait_until [ -s shared ]
	printf other >>shared
	printf '\001' >&7
	exec 7>&-
	wait $!
	assert_equal "$(od -An -c shared | tr -d ' ')" '001other002'
	printf '\001\001' >bytes
	"$PSCAN" -t u8 --format=binary bytes >>out
	"$PSCAN" -t u8 --format=binary bytes >>out
	assert_equal "$(tail -c 4 out | od -An -tx1)" ' 01 02 01 02'
}

# --- -o

@test "-o may name an input" {
	echo 1 2 3 >in
	run_pscan -o in in
	assert_equal "$code $err$out$(tr '\n' ' ' <in)" '0 1 3 6 '
	# shellcheck disable=SC2094 # that is the point
	run_pscan -o in <in
	assert_equal "$code $err$out$(tr '\n' ' ' <in)" '0 1 4 10 '
	seq 50000 >in
	totals in >right
	run_pscan --chunk-size=32K -T 4 -o in in
	assert_equal "$code $err" '0 '
	cmp in right
}

@test "a descriptor that was closed is no descriptor of the program's own, whatever its number" {
	seq 3 >in
	local fd
	for fd in 3 4 5 6 7 8 9 10; do
		for options in "-o /dev/fd/$fd in" "/dev/fd/$fd" "--trace=/dev/fd/$fd in"; do
			status=0
			# shellcheck disable=SC2086 # words
			(
				eval "exec $fd>&-"
				exec "$PSCAN" $options >out 2>err
			) || status=$?
			assert_equal "$options: $status $(cat out err)" "$options: 3 pscan: /dev/fd/$fd: Bad file descriptor"
		done
	done
}

# needs_namespaces OPTION: unshare works here, and the program without a /proc that tells of it.
needs_namespaces() {
	[ -z "${ASAN_OPTIONS:-}${TSAN_OPTIONS:-}" ] || skip 'a sanitizer needs /proc'
	unshare "$1" true 2>/dev/null || skip 'no namespace may be made'
}

# bats test_tags=root
@test "a descriptor's name is known where /proc is another namespace's" {
	needs_namespaces -pf
	seq 3 >in
	local name
	for name in /dev/stdout /dev/fd/1 /proc/self/fd/1 //dev/fd/1; do
		echo head >log
		unshare -pf "$PSCAN" -o "$name" in >>log
		assert_equal "$name $(tr '\n' ' ' <log)" "$name head 1 3 6 "
	done
}

# bats test_tags=root
@test "a descriptor's name is known where there is no /proc" {
	needs_namespaces -m
	seq 3 >in
	echo head >log
	# shellcheck disable=SC2016 # for the inner shell
	unshare -m sh -c 'mount -t tmpfs none /proc && exec "$PSCAN" -o /dev/stdout in' >>log
	assert_equal "$(tr '\n' ' ' <log)" "head 1 3 6 "
}

@test "an output and a trace that both cannot be written are one message" {
	echo 1 >in
	status=0
	"$PSCAN" --trace=/dev/full in >/dev/full 2>err || status=$?
	assert_equal "$status $(cat err)" '3 pscan: standard output: No space left on device'
	run_pscan --trace=/dev/full in
	assert_equal "$code $out $(wc -l <err)" '3 1 1'
}

@test "a trace is no input and no output, by whatever name, empty or not" {
	seq 3 >in
	local file options
	: >empty
	cp in full
	ln -s full link
	ln -s new dangling
	for options in '--trace=./new -o new in' '--trace=dangling -o new in' '--trace=new -o dangling in' '--trace=empty empty' '--trace=empty in empty' '--trace=full link' '--trace=./full -o link in' \
		'--trace=new -o new in' '--trace=/dev/stdout in' '--trace=out in'; do
		file=${options#--trace=}
		status=0
		# shellcheck disable=SC2086 # words
		"$PSCAN" $options >out 2>err || status=$?
		assert_equal "$options: $status $(cat out err)" "$options: 2 pscan: ${file%% *}: the trace is also the input or the output"
		cmp in full
		[ ! -e new ]
		[ ! -s empty ]
	done
	mkdir other
	run_pscan --trace=other/in in
	assert_equal "$code $err" '0 '
	[ -s other/in ]
	run_pscan --trace=other/made -o made in
	assert_equal "$code $err $(paste -sd ' ' <made)" '0  1 3 6'
	[ -s other/made ]
}

# bats test_tags=usual
@test "-o goes through as many links as the kernel does" {
	local i
	echo old >link0
	for i in $(seq 41); do ln -s "link$((i - 1))" "link$i"; done
	run_pscan -o link40 < <(echo 1 2)
	assert_equal "$code $err $(tr '\n' ' ' <link0)" '0  1 3 '
	run_pscan -o link41 < <(echo 3 4)
	assert_equal "$code $err $(tr '\n' ' ' <link0)" '3 pscan: link41: Too many levels of symbolic links 1 3 '
}

@test "-o onto a symlink replaces the target and keeps the link" {
	mkdir d
	echo old >d/target
	ln -s d/target link
	run_pscan -o link < <(echo 1 2)
	assert_equal "$code $err" '0 '
	assert_equal "$(readlink link) $(tr '\n' ' ' <d/target)" 'd/target 1 3 '
	ln -s link link2
	run_pscan -o link2 < <(echo 3 4)
	assert_equal "$(readlink link2) $(readlink link) $(tr '\n' ' ' <d/target)" 'link d/target 3 7 '
	assert_equal "$(find . -name '.pscan*')" ''
}

@test "-o onto a dangling symlink makes its target and keeps the link" {
	mkdir d
	ln -s d/target link
	run_pscan -o link < <(echo 1 2)
	assert_equal "$code $err" '0 '
	assert_equal "$(readlink link)" d/target
	assert_equal "$(tr '\n' ' ' <d/target)" '1 3 '
}

# bats test_tags=root
@test "-o keeps the mode of a file that was there, but not what made its old content setuid" {
	local mode
	for mode in 600 640 755 444 4711 2755; do
		rm -f made
		echo old >made
		chmod "$mode" made
		[ -w made ] || continue # nobody but root may write mode 444
		# Where anybody else writes, the system takes these bits away.
		case $mode in ????) [ "$(id -u)" = 0 ] || continue ;; esac
		run_pscan -o made < <(echo 1 2)
		assert_equal "$code $(stat -c %a made) $(tr '\n' ' ' <made)" "0 ${mode: -3} 1 3 "
	done
}

@test "-o leaves a file alone that one may not write" {
	echo old >made
	chmod 444 made
	[ ! -w made ] || skip "root may write every file"
	run_pscan -o made < <(echo 1 2)
	assert_equal "$code $(stat -c %a made) $(cat made) $err" "3 444 old pscan: made: Permission denied"
	assert_equal "$(find . -type f | sort | tr '\n' ' ')" './err ./made ./out '
}

@test "-o gives a new file the mode of any new file" {
	local mask
	for mask in 022 077 027; do
		rm -f made plain
		umask "$mask"
		: >plain
		run_pscan -o made < <(echo 1 2)
		assert_equal "$mask $code $(stat -c %a made)" "$mask 0 $(stat -c %a plain)"
	done
}

@test "-o shows nothing until it is complete" {
	python '
child = start("-o", "made")
child.stdin.write(b"1 2\n")
wait_for(lambda: glob.glob(".pscan*"))
assert not os.path.exists("made")
child.communicate(b"3\n")
assert child.returncode == 0 and open("made").read() == "1\n3\n6\n"
assert glob.glob(".*") == []
'
}

@test "-o leaves the old file and no temporary one when the data is bad" {
	echo old >made
	local input
	for input in '1 x' '1 - 2'; do
		run_pscan -o made < <(echo "$input")
		assert_equal "$input $code $(cat made) $(find . -name '.pscan*')" "$input 1 old "
	done
	run_pscan -o new < <(echo 1 x)
	assert_equal "$code" 1
	[ ! -e new ]
	seq 50000 >in
	echo x >>in
	run_pscan -o made --chunk-size=32K -T 4 in
	assert_equal "$code $(cat made) $(find . -name '.pscan*')" '1 old '
}

# traced RULE... -- COMMAND...: runs the command with strace, which shows the paths of descriptors; leaves $status, and
# in calls what was called for the output, a line each.
traced() {
	need_strace
	local rules=()
	while [ "$1" != -- ]; do
		rules+=(-e "$1")
		shift
	done
	shift
	status=0
	strace_pscan -f -y -o trace -e trace=fsync,rename,fchown "${rules[@]}" "$@" || status=$?
	sed -nE 's/^[0-9]+ +//; s/^(fsync|rename)\((.*)\) += (.*)/\1 \2 \3/p' trace |
		sed -E "s/\\.pscan-[A-Za-z0-9]{6}/TEMPORARY/g; s/[0-9]+<([^>]*)>/\\1/g; s|$(pwd -P)/?||g" >calls
}

@test "-o is on the disk before it has its name, and its directory after that" {
	echo old >made
	mkdir sub
	seq 50000 >in
	totals in >right
	traced -- "$PSCAN" -o made in
	assert_equal "$status $(cat calls)" '0 fsync TEMPORARY 0
rename "TEMPORARY", "made" 0
fsync  0'
	cmp made right
	traced -- "$PSCAN" -o sub/new in
	assert_equal "$status $(cat calls)" '0 fsync sub/TEMPORARY 0
rename "sub/TEMPORARY", "sub/new" 0
fsync sub 0'
	cmp sub/new right
	# What the shell opened, and what is no file, is not synced.
	traced -- "$PSCAN" in >out
	assert_equal "$status $(cat calls)" '0 '
	traced -- "$PSCAN" -o /dev/null in
	assert_equal "$status $(cat calls)" '0 '
	traced -- "$PSCAN" -o made <<<'1 x' 2>err
	assert_equal "$status $(cat calls)" '1 '
}

# bats test_tags=usual
@test "-o that cannot be brought to the disk is 3, and the old file stays" {
	seq 50000 >in
	totals in >right
	local error text
	for error in EIO ENOSPC EDQUOT; do
		echo old >made
		traced "inject=fsync:error=$error:when=1" -- "$PSCAN" -D none -o made in 2>err
		text=$("$PYTHON" -c "import errno, os; print(os.strerror(errno.$error))")
		assert_equal "$status $(cat err) $(cat made) $(find . -name '.pscan*')" "3 pscan: made: $text old "
	done
	# The new one is there by then.
	traced inject=fsync:error=EIO:when=2 -- "$PSCAN" -D none -T 1 -o made in 2>err
	assert_equal "$status $(cat err)" '3 pscan: made: it was written, but its directory could not be synced: Input/output error'
	cmp made right
}

@test "-o on what cannot be synced is written all the same" {
	seq 50000 >in
	totals in >right
	local error
	for error in EINVAL EROFS EOPNOTSUPP; do
		rm -f made
		traced "inject=fsync:error=$error" -- "$PSCAN" -D none -o made in 2>err
		assert_equal "$error $status $(cat err)" "$error 0 "
		assert_equal "$(grep -c INJECTED trace)" 2
		cmp made right
	done
}

@test "-o of another owner's file is not setuid" {
	echo old >made
	chmod 4755 made
	traced inject=fchown:error=EPERM -- "$PSCAN" -D none -o made <<<1 2>err
	assert_equal "$status $(cat err) $(cat made) $(stat -c %a made)" '0  1 755'
}

@test "-o keeps the results of --invalid=fail" {
	run_pscan -o made --invalid=fail < <(echo 1 x 2)
	assert_equal "$code $(tr '\n' ' ' <made)" '1 1 3 '
}

@test "-o leaves the old file and no temporary one on SIGTERM, SIGINT and SIGHUP" {
	python '
open("made", "w").write("old\n")
for options in (), ("--chunk-size=1", "-T", "4"):
    for number in signal.SIGTERM, signal.SIGINT, signal.SIGHUP:
        child = start("-o", "made", *options)
        child.stdin.write(b"1\n" * 20000)
        wait_for(lambda: glob.glob(".pscan*"))
        child.send_signal(number)
        assert child.wait(1200) == -number, (number, child.returncode)
        assert glob.glob(".pscan*") == [] and open("made").read() == "old\n"
        assert child.stderr.read() == b""
'
}

@test "an ignored SIGHUP stays ignored" {
	python '
child = subprocess.Popen(["env", "--ignore-signal=HUP", PSCAN, "-o", "made"], stdin=subprocess.PIPE)
child.stdin.write(b"1\n2\n")
child.stdin.flush()
wait_for(lambda: glob.glob(".pscan*"))
child.send_signal(signal.SIGHUP)
time.sleep(0.1)
child.communicate(b"3\n")
assert child.returncode == 0 and open("made").read() == "1\n3\n6\n"
'
}

@test "-o /dev/null is written to and stays" {
	seq 10000 >in
	run_pscan -o /dev/null in
	assert_equal "$code $out$err" '0 '
	[ -c /dev/null ]
	assert_equal "$(find /dev -maxdepth 1 -name '.pscan*')" ''
}

@test "-o onto a FIFO is written to and stays" {
	mkfifo fifo
	cat fifo >got 3>&- &
	local reader=$!
	run_pscan -o fifo < <(echo 1 2)
	wait "$reader"
	assert_equal "$code $err$(tr '\n' ' ' <got)" '0 1 3 '
	[ -p fifo ]
}

@test "-o where it cannot be made is 3 and named" {
	run_pscan -o nowhere/made < <(echo 1 2)
	assert_equal "$code $out" '3 '
	assert_contains "$err" 'pscan: nowhere/made: '
	mkdir d
	run_pscan -o d < <(echo 1 2)
	assert_equal "$code $out" '3 '
	assert_equal "$err" 'pscan: d: Is a directory'
	assert_equal "$(find . -name '.pscan*')" ''
}

@test "an empty scan makes an empty -o file" {
	echo old >made
	run_pscan -o made </dev/null
	assert_equal "$code $(wc -c <made)" '0 0'
}

# --- Input that fails

@test "a missing input file is 3 and named" {
	run_pscan none
	assert_equal "$code $out" '3 '
	assert_equal "$err" 'pscan: none: No such file or directory'
}

@test "a missing later file is 3, the results before it are written" {
	echo 1 2 >in
	run_pscan in none in
	assert_equal "$code $out" $'3 1\n3'
	assert_equal "$err" 'pscan: none: No such file or directory'
}

@test "a directory is no input: 3 and named" {
	mkdir d
	run_pscan d
	assert_equal "$code $out" '3 '
	assert_equal "$err" 'pscan: d: Is a directory'
	run_pscan <d
	assert_equal "$code $out" '3 '
	assert_equal "$err" 'pscan: standard input: Is a directory'
}

# bats test_tags=usual
@test "an input that cannot be read from is 3 and named" {
	local status=0
	"$PSCAN" 0>w 2>err || status=$?
	assert_equal "$status $(cat err)" '3 pscan: standard input: Bad file descriptor'
	mkfifo first
	seq 3 >first 3>&- &
	inject read error=EIO:when=1 "$TMP/first" "$PSCAN" first >out 2>err
	assert_equal "$status $(cat out err)" '3 pscan: first: Input/output error'
	seq 3 >first 3>&- &
	inject read error=EIO:when=2 "$TMP/first" "$PSCAN" first >out 2>err
	assert_equal "$status $(cat out err)" $'3 1\n3\n6\npscan: first: Input/output error'
}

@test "a regular file that says it is empty is read to its end" {
	local file=/proc/sys/kernel/ngroups_max
	[ -r "$file" ] || skip "no $file"
	run_pscan "$file" --seed=1
	assert_equal "$code $err $out" "0  $(($(cat "$file") + 1))"
	# More than one read gives.
	run_pscan -H --invalid=ignore -f 2 --missing=skip /proc/self/smaps
	assert_equal "$code $err" '0 '
	[ "$(wc -l <out)" -gt 200 ]
}

@test "one file may be named twice, standard input too" {
	echo 1 2 >in
	run_pscan in - in - < <(echo 3)
	assert_equal "$code $err ${out//$'\n'/ }" '0  1 3 6 7 9'
}

@test "bad data in the middle of several chunks: everything before it is written, then exit 1" {
	need_opencl
	{
		seq 40000
		echo oops
		seq 40000
	} >in
	seq 40000 >good
	totals good >right
	local options
	for options in '' '--chunk-size=32K -T 4' '--chunk-size=32K -T 1 --no-mmap' '-D cpu --chunk-size=32K'; do
		# shellcheck disable=SC2086 # words
		run_pscan $options in
		assert_equal "$options: $code $err" "$options: 1 pscan: in: line 40001: not a number: \"oops\" (see --invalid)"
		cmp out right
		# shellcheck disable=SC2086 # words
		run_pscan $options < <(cat in)
		assert_equal "$options: $code" "$options: 1"
		cmp out right
	done
}

@test "--total prints nothing on a fatal error" {
	printf '1 2 x' >bad
	printf '1 2' >good
	printf '12345' >left
	local arguments
	for arguments in bad 'good none' 'good bad' '--include-initial=x' '-t u8 --seed=255 good' '--format=binary left'; do
		# shellcheck disable=SC2086 # words
		run_pscan --total $arguments
		assert_equal "$arguments: $out" "$arguments: "
		[ "$code" -ne 0 ]
	done
	{
		seq 40000
		echo x
	} >bad
	run_pscan --total --chunk-size=32K -T 4 bad
	assert_equal "$code $out" '1 '
}

# --- Live

@test "the first result appears within a second while the writer still holds the pipe open" {
	python '
cases = {(): (b"5\n", b"5\n"), ("-f", "2"): (b"a 5\n", b"5\n"), ("-e",): (b"5\n", b"0\n"), ("--seed=1",): (b"5\n", b"6\n"),
         ("--include-initial",): (b"5\n", b"0\n5\n"), ("--missing=keep",): (b"NA 5 NA\n", b"NA\n5\nNA\n"),
         ("-t", "i32", "--output-format=binary"): (b"5\n", struct.pack("i", 5)), ("-T", "1"): (b"5 6\n", b"5\n11\n"),
         ("--invalid=ignore",): (b"5 x\n", b"5\n"), ("-D", "auto"): (b"5\n", b"5\n")}
children = [(start(*options), options) for options in cases]
for child, options in children:
    given, right = cases[options]
    child.stdin.write(given)
    assert read_within(child.stdout, len(right)) == right, options
for child, options in children:
    assert child.communicate() == (b"", b"") and child.returncode == 0, options
'
}

@test "each pause gives the results so far, bits and all" {
	python '
child = start("-t", "f32")
for i in range(1, 40):
    child.stdin.write(b"%d.5\n" % i)
    right = b"%g\n" % (i * (i + 1) / 2 + i / 2)
    assert read_within(child.stdout, len(right)) == right, i
child.stdin.close()
assert child.wait(1200) == 0
'
}

@test "pauses change no result" {
	python '
import random
random.seed(1)
values = [random.uniform(-1, 1) for _ in range(9000)]
text = "".join("%r\n" % value for value in values).encode()
for options in ("-t", "f32"), ("-t", "f64", "-e"):
    whole = subprocess.run([PSCAN, *options], input=text, capture_output=True).stdout
    child = start(*options)
    output = b""
    for at in range(0, len(text), 19001):
        child.stdin.write(text[at:at + 19001])
        output += read_within(child.stdout, 10**6, 0.05)
    rest, _ = child.communicate()
    assert output + rest == whole and whole.count(b"\n") == 9000
'
}

# in_pieces OPTIONS PIECES RIGHT (python tuples): each piece, then a pause; what each lets out.
in_pieces() {
	python "
child = start(*$1)
for piece, right in zip($2, $3):
    child.stdin.write(piece)
    assert read_within(child.stdout, len(right)) == right, piece
    assert read_within(child.stdout, 1, 0.1) == b'', piece
assert child.communicate() == (b'', b'') and child.returncode == 0
"
}

@test "pauses in raw numbers change no bit" {
	python '
import random
random.seed(2)
data = struct.pack("30000f", *[random.uniform(-1, 1) for _ in range(30000)])
whole = subprocess.run([PSCAN, "-t", "f32", "--format=binary"], input=data, capture_output=True).stdout
child = start("-t", "f32", "--format=binary")
output = b""
for at in range(0, len(data), 20003):
    piece = data[at:at + 20003]
    child.stdin.write(piece)
    output += read_within(child.stdout, (at + len(piece)) // 4 * 4 - len(output))
rest, _ = child.communicate()
assert output == whole and len(whole) == 120000 and rest == b""
'
}

@test "a pause inside a number waits for the rest of it" {
	in_pieces '()' '(b"1\n", b"2", b"3\n")' '(b"1\n", b"", b"24\n")'
}

@test "a pause inside a line lets out the lines before it" {
	in_pieces '("-f", "1")' '(b"1 a\n2", b"3 b\n")' '(b"1\n", b"24\n")'
}

@test "a pause inside the first line of later ones lets out the lines before it" {
	in_pieces '("-f", "1")' '(b"1 a\n", b"2 b\n3", b"4 c\n")' '(b"1\n", b"3\n", b"37\n")'
}

@test "a pause in raw numbers lets out the whole ones, the format being given" {
	in_pieces '("-t", "u16le", "--format=binary")' '(b"\1\0\2", b"\1\3\0")' '(b"\1\0", b"\3\1\6\1")'
}

@test "a pause in late raw numbers lets out the whole ones" {
	in_pieces '("-t", "u16le")' '(b"\1\0" + bytes(4094) + b"\2", b"\1")' '(b"\1\0" * 2048, b"\3\1")'
}

@test "a pause in gzip input gives the results so far" {
	python '
import zlib
packer = zlib.compressobj(6, zlib.DEFLATED, 31)
child = start()
child.stdin.write(packer.compress(b"5\n") + packer.flush(zlib.Z_SYNC_FLUSH))
assert read_within(child.stdout, 2) == b"5\n"
child.stdin.write(packer.compress(b"6\n") + packer.flush(zlib.Z_SYNC_FLUSH))
assert read_within(child.stdout, 3) == b"11\n"
assert child.communicate(packer.flush()) == (b"", b"") and child.returncode == 0
'
}

@test "a pause lets results out to a FIFO of -o too" {
	mkfifo fifo
	python '
child = start("-o", "fifo")
child.stdin.write(b"5\n")
with open("fifo", "rb", buffering=0) as results:
    assert read_within(results, 2) == b"5\n"
    child.communicate(b"6\n")
    assert results.read() == b"11\n"
'
}

@test "--total waits for the end" {
	python '
child = start("--total")
child.stdin.write(b"5\n")
assert read_within(child.stdout, 2, 0.2) == b""
assert child.communicate(b"6\n") == (b"11\n", b"")
'
}

# --- Messages

# Asserts that the messages of hostile runs are single lines without anything that steers a terminal.
CLEAN='
def check(done, *context):
    """No control, no C1 control, no text direction mark, no ill-formed UTF-8 in a message."""
    text = done.stderr.decode("utf-8")
    lines = text.splitlines()
    assert done.returncode in (1, 2, 3, 4) and text.startswith("pscan: ") and text.endswith("\n"), (context, done)
    assert text.count("\n") == 1 or lines[1:] == ["Try \x27pscan --help\x27."], (context, done)
    for c in text.replace("\n", ""):
        steers = ord(c) < 32 or 0x7f <= ord(c) < 0xa0 or 0x202a <= ord(c) <= 0x202e or 0x2066 <= ord(c) <= 0x2069
        assert not steers, (context, done)


'

@test "input text in messages cannot steer a terminal" {
	python "$CLEAN"'
hostile = [b"\x1b[31m", b"\x1b]0;title\x07", b"\x07", b"\x08\x08", b"\x7f", b"\xc2\x9b31m", b"\xe2\x80\xae", b"\xff\xfe",
           b"\xc3", b"\x00", b"\"quoted\"", b"back\\slash", b"\xe2\x81\xa6", b"%s%n%d", b"a" * 5000 + b"\x1b"]
for token in hostile:
    for options in (), ("-f", "1"), ("-t", "i32"), ("--invalid=fail",):
        done = subprocess.run([PSCAN, "--format=text", *options], input=b"1\n" + token + b"\n", capture_output=True)
        check(done, token, options)
        assert done.stdout == b"1\n" and b"line 2" in done.stderr, (token, done)
'
}

@test "input text in messages is quoted and escaped so that it can be told" {
	run_pscan --format=text < <(printf 'a"b\\c\033[1m\n')
	assert_equal "$err" 'pscan: standard input: line 1: not a number: "a\"b\\c\x1b[1m" (see --csv)'
	run_pscan --format=text < <(printf 'größer\n')
	assert_equal "$err" 'pscan: standard input: line 1: not a number: "größer" (a header? see -H)'
}

@test "file names in messages cannot steer a terminal" {
	python "$CLEAN"'
for name in b"\x1b[31m", b"new\nline", b"\xc2\x9b31m", b"\xff", b"\xe2\x80\xae", b"%s%n", b"n" * 200:
    check(subprocess.run([PSCAN, name], capture_output=True), name)
    check(subprocess.run([PSCAN, "-o", b"nowhere/" + name], input=b"1", capture_output=True), name)
    with open(name, "wb") as bad:
        bad.write(b"bad\n")
    check(subprocess.run([PSCAN, name], capture_output=True), name)
    os.remove(name)
'
}

@test "arguments in messages cannot steer a terminal" {
	python "$CLEAN"'
options = ["--op", "--seed", "--overflow", "--format", "--output-format", "--type", "--missing", "--invalid", "--gzip", "--device",
           "--chunk-size", "--threads", "--delimiter"]
for value in b"\x1b[31m", b"new\nline", b"\xc2\x9b31m", b"\xff", b"\xe2\x80\xae":
    for option in options:
        done = subprocess.run([PSCAN, option.encode() + b"=" + value], input=b"1 2", capture_output=True)
        check(done, option, value)
    for word in b"-" + value, b"--" + value, b"-op" + value, b"-op=" + value, b"--total=" + value:
        check(subprocess.run([PSCAN, word], input=b"1 2", capture_output=True), word)
    done = subprocess.run([PSCAN], input=b"1 2", env={**os.environb, b"PSCAN_DEVICE": value}, capture_output=True)
    check(done, value)
'
}

@test "a field name in a message cannot steer a terminal" {
	python "$CLEAN"'
for value in b"\x1b[31m", b"new\nline", b"\xc2\x9b31m", b"\xff":
    check(subprocess.run([PSCAN, "-f", value], input=b"1 2", capture_output=True), value)
'
}

@test "a message is one line" {
	echo 1 2 x >bad
	seq 1000 | gzip | head -c 100 >cut.gz
	printf '12345' >left
	local arguments
	for arguments in bad '-t i8 --seed=127 bad' none cut.gz '--format=binary left' '-o nowhere/made bad' '-D no-such-device bad'; do
		# shellcheck disable=SC2086 # words
		run_pscan $arguments
		assert_equal "$arguments: $(wc -l <err)" "$arguments: 1"
		assert_equal "$arguments: $(head -c 7 err)" "$arguments: pscan: "
		[ "$code" -ne 0 ]
	done
}

# --- Files that are no plain files

@test "an error ends the run even if a later file is a FIFO without a writer" {
	# Long enough for the FIFO to have its turn before the error is found.
	{
		seq 300000
		echo x
	} >in
	mkfifo silent
	code=0
	timeout 1200 "$PSCAN" -D none in silent >out 2>err || code=$?
	assert_equal "$code $(tail -n 1 out)" '1 45000150000'
}

@test "-o /dev/stdout and /dev/fd/N write to the descriptor and keep what is around" {
	local path
	for path in /dev/stdout /dev/fd/1 /proc/self/fd/1; do
		{
			echo head
			seq 3 | "$PSCAN" -D none -o "$path"
			echo tail
		} >around
		assert_equal "$path $(tr '\n' ' ' <around)" "$path head 1 3 6 tail "
	done
}

# bats test_tags=root
@test "-o onto a file that may not be written is 3 and leaves it" {
	[ "$(id -u)" = 0 ] || skip 'not root'
	command -v setpriv >/dev/null || skip 'no setpriv'
	mkdir -m 777 open
	echo old >open/file
	chmod 444 open/file
	code=0
	seq 3 | setpriv --reuid=65534 --regid=65534 --clear-groups "$PSCAN" -D none -o open/file 2>err || code=$?
	[ "$code" != 126 ] && [ "$code" != 127 ] || skip 'the program cannot be run by another user'
	assert_equal "$code $(cat open/file) $(find open -name '.pscan*')" '3 old '
}

@test "a usage error that shows only with the input consumes none of it" {
	printf '1\n2\n3\n' >in
	{
		"$PSCAN" --missing=1.5 -t i32 2>/dev/null || true
		cat >rest
	} <in
	cmp in rest
}

@test "one end of a terminal's input ends it, also if nothing was before it" {
	run "$PYTHON" - "$PSCAN" <<-'END'
		import os, pty, subprocess, sys
		for text in (b"", b"1\n2\n"):
		    for options in ("-f1", "--csv --no-header -f1", "--total -"):
		        master, slave = pty.openpty()
		        with subprocess.Popen([sys.argv[1], *options.split()], stdin=slave, stdout=subprocess.PIPE) as run:
		            os.write(master, text + b"\x04")
		            out = run.communicate(timeout=60)[0]
		        print(options, out.decode().split())
	END
	assert_equal "$status $(paste -sd '|' <<<"$output")" \
		"0 -f1 []|--csv --no-header -f1 []|--total - ['0']|-f1 ['1', '3']|--csv --no-header -f1 ['1', '3']|--total - ['3']"
}
