#!/usr/bin/env bats
# Devices that give wrong results or hang: --verify and PSCAN_DEVICE_TIMEOUT. The layer (tests/fault/opencl_layer.c)
# makes PoCL do it; the fault loops do it in every scenario (make check-faults).
# shellcheck disable=SC2154 # code, out and err are set by run_pscan
load helper

setup_file() {
	load helper
	cd "$BATS_FILE_TMPDIR" || return
	"$PYTHON" - <<'END'
import random
import struct
rng = random.Random(5)
values = [rng.randrange(-10**6, 10**6) for _ in range(200000)]
total = 0
with open("in", "wb") as numbers, open("right", "wb") as right:
    for value in values:
        total += value
        numbers.write(struct.pack("<i", value))
        right.write(struct.pack("<i", total))
END
	# Kernels are compiled before anybody counts seconds.
	PSCAN_MEMORY=copy "$PSCAN" -D cpu -t i32 --format=binary in | cmp - right
}

setup() {
	LAYER=${BUILD:-$ROOT/build}/fault/opencl_layer.so
	[ -e "$LAYER" ]
	cd "$TMP" || return
	ln -s "$BATS_FILE_TMPDIR/in" "$BATS_FILE_TMPDIR/right" .
}

# on_layer NAME=VALUE... -- ARGUMENT...: on PoCL that copies, as a device with memory of its own does.
on_layer() { layered PSCAN_MEMORY=copy "$@" -t i32 --format=binary in; }

is_prefix() { cmp -n "$(wc -c <out)" out right; }

# bats test_tags=long
@test "--verify finds a sound device sound, in both shapes and in place" {
	for shape in cpu gpu; do
		for memory in copy share; do
			for options in '-t i32' '-t f32' '-t f64 -op prod' '-t u8:u64 -e' '-t f32 -op max' '-t i16 -op xor' '-t f32:f64 --include-initial' \
				'-t f32 -c 2 -op linrec' '-t f32 -op ema:0.5' '-t f32 -op var' '-t f64 -op mean'; do
				# shellcheck disable=SC2086 # words
				PSCAN_SHAPE=$shape PSCAN_MEMORY=$memory run_pscan -D cpu --verify --format=binary $options --overflow=wrap \
					--chunk-size=64K in
				assert_equal "$shape $memory $options: $code $err" "$shape $memory $options: 0 "
				# shellcheck disable=SC2086
				"$PSCAN" -D none --format=binary $options --overflow=wrap in | cmp - out
			done
		done
	done
}

# bats test_tags=long
@test "the kernels of both shapes give what the host gives: partial tiles, odd places, NaN, an overflow" {
	"$PYTHON" - <<-'END'
		import random, struct
		rng = random.Random(8)
		sizes = {"a": 2730, "b": 20001, "c": 12288}
		for name, size in sizes.items():
		    open(name + "32", "wb").write(struct.pack("<%di" % size, *[rng.randrange(-9999, 9999) for _ in range(size)]))
		    floats = bytearray(struct.pack("<%df" % size, *[rng.uniform(-2, -1) for _ in range(size)]))
		    if name == "c": # infinity, then a NaN with a sign and a payload
		        floats[24000:24008] = bytes.fromhex("0000807f0100c0ff")
		    open(name + "float", "wb").write(floats)
		    # Three of these do not fit a byte.
		    open(name + "8", "wb").write(bytes(100 if i % 9000 == 2500 else 0 for i in range(size)))
	END
	local shape options code_right err_right
	for options in '-t i32 a32 b32 c32' '-t u8 a8 b8 c8' '-t f32 afloat bfloat cfloat' '-t f32 -op max afloat bfloat cfloat'; do
		# shellcheck disable=SC2086 # words
		run_pscan -D none --format=binary $options
		mv out right_out
		code_right=$code err_right=$err
		for shape in cpu gpu; do
			# shellcheck disable=SC2086
			PSCAN_SHAPE=$shape run_pscan -D cpu --verify --format=binary --chunk-size=64K $options
			assert_equal "$shape $options: $code $err" "$shape $options: $code_right $err_right"
			cmp out right_out
		done
	done
}

# bats test_tags=long
@test "a flipped bit in what a named device returns: the element is named, exit 4 after a correct prefix" {
	for chunk in 64K 1M; do
		found=0
		for number in $(seq 1 25); do
			on_layer FAULT_FLIP="$number" -- -D cpu --verify --chunk-size=$chunk
			grep -q '^flipped clEnqueueReadBuffer' log || continue
			found=$((found + 1))
			assert_equal "$chunk $number: $code $(wc -l <err)" "$chunk $number: 4 1"
			grep -qE '^pscan: device 0:0 \(.*\): (in: element [0-9]+: the (result|total of the tile) is not the host.s \(--verify\)|it reported an error at an element that does not exist)$' err
			is_prefix
			# The element lies behind what was written.
			element=$(sed -nE 's/.*element ([0-9]+):.*/\1/p' err)
			[ -z "$element" ] || [ "$element" -gt $(($(wc -c <out) / 4)) ]
			[ -z "$element" ] || [ "$element" -le 200000 ]
		done
		[ "$found" -ge 3 ]
	done
}

# Only a cursor is not compared: the host goes on with its own.
# bats test_tags=long
@test "a flipped bit in what a device that folds returns is found, or is not used" {
	found=0
	for number in $(seq 1 20); do
		PSCAN_SHAPE=gpu on_layer FAULT_FLIP="$number" -- -D cpu --verify --chunk-size=64K
		assert_equal "$(grep -c '^flipped clEnqueueReadBuffer' log)" 1
		if [ "$code" -eq 4 ]; then
			found=$((found + 1))
			grep -qE '^pscan: device 0:0 \(.*\): (in: element [0-9]+: the result is not the host.s \(--verify\)|it reported an error at an element that does not exist)$' err
			is_prefix
		else
			assert_equal "$number: $code $err" "$number: 0 "
			cmp out right
		fi
	done
	[ "$found" -ge 5 ]
}

# bats test_tags=long
@test "a result that --verify names is the one that was changed" {
	local number size named found=0
	head -c 120004 in >first # the second file begins within a tile
	tail -c +120005 in >second
	for number in $(seq 1 31); do
		layered PSCAN_MEMORY=copy FAULT_FLIP="$number" -- -D cpu -t i32 --format=binary --verify --chunk-size=100K first second
		grep -q 'the result is not' err || continue
		size=$(sed -n 's/^flipped .* //p' log)
		[ "$size" -gt 1000 ] || continue # states, not results
		named=$(sed -nE 's/.* first: element ([0-9]+):.*/\1/p; s/.* second: element ([0-9]+):.*/30001+\1/p' err)
		# What is downloaded begins with a tile; the bit is in its middle.
		assert_equal "$number $named: $(((named - 1 - size / 2 / 4) % 4096))" "$number $named: 0"
		found=$((found + 1))
	done
	[ "$found" -ge 3 ]
}

# bats test_tags=long
@test "--verify sees that a device says another place of an overflow" {
	"$PYTHON" -c 'import sys; sys.stdout.buffer.write(bytes(250 if i == 100000 else 1 if i % 10000 == 0 else 0 for i in range(200000)))' >overflow
	run_pscan -D none -t u8 --format=binary overflow
	local number seen=0 right="$code $err"
	[[ $right == *'does not fit'* ]]
	for number in $(seq 1 25); do
		layered PSCAN_MEMORY=copy FAULT_FLIP="$number" -- -D cpu --chunk-size=256K --verify -t u8 --format=binary overflow
		if [[ $err == *'is not the host'* || $err == *'at an element that does not exist'* ]]; then seen=$((seen + 1)); else assert_equal "$number: $code $err" "$number: $right"; fi
	done
	[ $seen -ge 2 ]
}

# bats test_tags=long
@test "without --verify a flipped bit in a result goes unnoticed: the layer does flip" {
	wrong=0
	for number in $(seq 1 25); do
		on_layer FAULT_FLIP="$number" -- -D cpu --chunk-size=1M --overflow=wrap
		! grep -q '^flipped clEnqueueReadBuffer' log || [ "$code" -ne 0 ] || cmp -s out right || wrong=$((wrong + 1))
	done
	[ $wrong -gt 0 ]
}

# bats test_tags=long
@test "a hung call of a named device's driver is exit 4 in time, after a correct prefix" {
	written=0
	for call in clBuildProgram:1 clFlush:4 clWaitForEvents:5 clEnqueueNDRangeKernel:9; do
		SECONDS=0
		on_layer PSCAN_DEVICE_TIMEOUT=2 FAULT_HANG="$call" -- -D cpu --chunk-size=64K -o made
		assert_equal "$call: $code $(cat err)" "$call: 4 $(sed -n '/no progress for 2 s (see PSCAN_DEVICE_TIMEOUT)$/p' err)"
		[ "$(wc -l <err)" -eq 1 ]
		[ ! -e made ]
		[ -z "$(find . -name '.pscan*')" ]
		on_layer PSCAN_DEVICE_TIMEOUT=2 FAULT_HANG="$call" -- -D cpu --chunk-size=64K
		is_prefix
		written=$((written + $(wc -c <out)))
		[ $SECONDS -lt 20 ]
	done
	[ $written -gt 0 ]
}

@test "a device's name is told escaped and on one line, whatever its driver does" {
	for name in $'\e[31mX\nsecond line' "$(printf '%05000d' 0)"; do
		PSCAN_DEVICE_TIMEOUT=1 layered FAULT_HANG=clGetPlatformIDs:1 -- -D "$name" -t i32 in
		assert_equal "$code $(wc -l <err) $(tr -d '\n' <err | LC_ALL=C tr -d ' -~' | wc -c)" '4 1 0'
		assert_contains "$err" ': no progress for 1 s (see PSCAN_DEVICE_TIMEOUT)'
	done
}

@test "a signal does not wait for a driver that hangs" {
	for number in 2 15; do
		echo old >made
		rm -f log
		OPENCL_LAYERS=$LAYER FAULT_LOG=$TMP/log PSCAN_SANDBOX_ALLOW=$TMP FAULT_HANG=clFlush:4 PSCAN_MEMORY=copy PSCAN_DEVICE_TIMEOUT=0 \
			"$PYTHON" - $number <<'END'
import os
import sys
from running import start, wait_for

child = start("-D", "cpu", "-t", "i32", "--format=binary", "--chunk-size=64K", "-o", "made", "in")
wait_for(lambda: os.path.exists("log") and "hung clFlush" in open("log").read())
child.send_signal(int(sys.argv[1]))
assert child.wait(1200) == -int(sys.argv[1]), child.returncode
END
		assert_equal "$(cat made) $(find . -name '.pscan*')" 'old '
	done
}

@test "a driver that hangs while devices are listed is exit 4 in time" {
	for call in clGetPlatformIDs:1 clGetDeviceIDs:1 clGetDeviceInfo:3; do
		hanging "$call" -- -l
		grep -q "^hung ${call%:*}" log
		assert_equal "$call: $code $out $err" \
			"$call: 4  pscan: cannot list the devices: no progress for $patience s (see PSCAN_DEVICE_TIMEOUT)"
	done
}

@test "a loader that fails is told of where devices are listed" {
	layered FAULT_FAIL=clGetPlatformIDs:1:-6 -- -l
	assert_equal "$code $out $err" '4  pscan: no OpenCL device: clGetPlatformIDs: CL_OUT_OF_HOST_MEMORY'
}

@test "one failure is told once, though the driver hangs behind it" {
	hanging clFinish:1 PSCAN_MEMORY=copy FAULT_FAIL=clWaitForEvents:1 -- -D cpu --chunk-size=64K -t i32 --format=binary in
	grep -q '^hung clFinish' log
	assert_equal "$code $(wc -l <err)" '4 1'
	assert_contains "$(cat err)" clWaitForEvents
}

# bats test_tags=long
@test "the time that the program is stopped does not count as a device's" {
	OPENCL_LAYERS=$LAYER FAULT_LOG=$TMP/log PSCAN_SANDBOX_ALLOW=$TMP FAULT_DELAY=clFlush:500 PSCAN_DEVICE_TIMEOUT=2 "$PYTHON" - <<'END'
import os
import signal
import time
from running import start, wait_for


def is_held():
    """Whether a call is under way that takes its time."""
    if not os.path.exists("log"):
        return False
    with open("log") as log:
        lines = [line.split()[:2] for line in log]
    return lines.count(["call", "clFlush"]) > lines.count(["done", "clFlush"])


child = start("-D", "cpu", "-t", "i32", "--format=binary", "--chunk-size=256K", "in", stdout=open("out", "wb"))
wait_for(is_held)
child.send_signal(signal.SIGSTOP)
assert is_held() and child.poll() is None
time.sleep(2.6)
child.send_signal(signal.SIGCONT)
assert child.wait(1200) == 0, (child.returncode, child.stderr.read())
END
	cmp out right
}

@test "a driver that hangs when everything is done costs time, and nothing else" {
	hanging clReleaseContext:1 PSCAN_MEMORY=copy -- -D cpu --chunk-size=64K -t i32 --format=binary in
	grep -q '^hung clReleaseContext' log
	assert_equal "$code $(cat err)" '0 '
	cmp out right
}

@test "PSCAN_DEVICE_TIMEOUT of 0 is never" {
	for value in '' 0 1000000; do
		PSCAN_DEVICE_TIMEOUT=$value run_pscan -D cpu < <(seq 3)
		assert_equal "$value: $code $out" "$value: 0 $(printf '1\n3\n6')"
	done
}

@test "a device that was named must exist, also where the host scans" {
	local row
	for row in '-f 2' '-f 2 -g 1' '-f 2 --reset-every=2' '-f 2 --window=2' '-f 2 -op argmax' '-f 2 -g 1 --emit=s/n' \
		'-f 2 -t f64 -g 1 -op mean' '-f 1 -op last' '-f 1 -op distinct' '-f 1 -op lag' '-f 2 -g 1 --reverse' '-f 2 -t f64'; do
		# shellcheck disable=SC2086 # words
		run_pscan -D nonesuch $row < <(printf 'a 1\nb 2\na 5\n')
		assert_equal "$row: $code $out $err" "$row: 4  pscan: no OpenCL device \"nonesuch\" (see --list-devices)"
		# shellcheck disable=SC2086
		run_pscan -D none $row < <(printf 'a 1\nb 2\na 5\n')
		cp out wanted
		# shellcheck disable=SC2086
		run_pscan -D cpu $row < <(printf 'a 1\nb 2\na 5\n')
		assert_equal "$row: $code $err" "$row: 0 "
		cmp out wanted
	done
}
