#!/usr/bin/env bats
# -D gpus: chunks go to several devices in turn, and the output does not show which device had which. PoCL offers as
# many devices as POCL_DEVICES lists, and the layer of tests/fault makes them look like GPUs. FAULT_DEVICE chooses the
# device at which faults happen.
# shellcheck disable=SC2154 # code, out and err are set by run_pscan
load helper

setup_file() {
	load helper
	cd "$BATS_FILE_TMPDIR" || return
	# 20 chunks of 64 KiB and a part of a tile; their sums by numpy.
	"$PYTHON" - <<-'END'
		import numpy as np
		count = 20 * 16384 + 1234
		ints = np.random.default_rng(3).integers(-1000, 1000, count).astype("i4")
		ints.tofile("in")
		np.cumsum(ints, dtype="i4").tofile("right")
	END
}

setup() {
	need_opencl
	unset PSCAN_DEVICE PSCAN_SHAPE
	LAYER=${BUILD:-$ROOT/build}/fault/opencl_layer.so
	[ -e "$LAYER" ]
	export POCL_DEVICES='pthread pthread' FAULT_LIE=gpu
	cd "$TMP" || return
	ln -s "$BATS_FILE_TMPDIR/in" "$BATS_FILE_TMPDIR/right" .
}

# NAME=VALUE... on_gpus ARGUMENT...: with the layer on all of them, in small chunks.
on_gpus() { layered -- -D gpus --chunk-size=64K "$@"; }

# How many kernels the device of FAULT_DEVICE had in the run before.
kernels() { grep -c '^call clEnqueueNDRangeKernel ' "$TMP/log" || true; }

# agrees ARGUMENT...: the bytes, messages and code are the host's.
agrees() {
	run_pscan -D none "$@"
	mv out host
	local code_right=$code err_right=$err
	on_gpus "$@"
	assert_equal "$*: $code $err" "$*: $code_right $err_right"
	cmp out host
}

# bats test_tags=long
@test "every scan has the grid's bits on two GPUs, and on three" {
	nobody_sees() { "$PYTHON" "$TOOLS/handover.py" --layer "$LAYER" --named gpus "$@"; }
	nobody_sees named
	POCL_DEVICES='basic pthread pthread' nobody_sees named
}

# bats test_tags=long
@test "whatever call fails on one of two GPUs: exit 4 after a correct prefix, and the call is named" {
	"$PYTHON" "$TOOLS/handover.py" --layer "$LAYER" --named gpus named-failure named-bring-up any-call
}

@test "the GPUs have their chunks in turn, and --stats and -v name them all" {
	local device
	local kernels=(14 14 12) # 20 chunks with whole tiles, 2 sweeps
	for device in 0 1 2; do
		POCL_DEVICES='pthread pthread pthread' FAULT_DEVICE=$device PSCAN_MEMORY=copy on_gpus -T 6 -t i32 --format=binary --stats in
		assert_equal "$code" 0
		cmp out right
		assert_equal "$device: $(kernels)" "$device: ${kernels[device]}"
	done
	assert_equal "$(sed -n 's/^engine *device //p' err | grep -o '0:[0-9] ([a-z]*' | paste -s -d , -)" '0:0 (pthread,0:1 (pthread,0:2 (pthread'
	assert_contains "$err" 'chunks      0 on the host, 21 on the device'
	# However many there are, the statistics are whole.
	POCL_DEVICES="$(printf 'pthread %.0s' $(seq 9))" on_gpus -t i32 --format=binary --stats=json in
	assert_equal "$(echo "$err" | "$PYTHON" -c 'import json, sys; print(json.load(sys.stdin)["chunks"]["device"])')" 21
	POCL_DEVICES="$(printf 'pthread %.0s' $(seq 9))" on_gpus -t i32 --format=binary --stats in
	assert_equal "$(echo "$err" | grep -o '0:[0-9] (' | wc -l)" 9
	assert_contains "$err" 'chunks      0 on the host, 21 on the device'
	on_gpus -t i32 --format=binary -v in
	assert_equal "$(echo "$err" | sed -n 's/^pscan: engine: device \(0:[0-9]\) .*, GPU shape$/\1/p' | paste -s -d ' ' -)" '0:0 0:1'
}

@test "-D gpu is the first one, and so is what auto takes for a program" {
	local device
	local -A operators=([gpu]='-t i32 -op a+b' [auto]='-op @sum.cl')
	printf 'typedef int state;\nstate lift(int x) { return x; }\nstate combine(state a, state b) { return a + b; }\nint emit(state s) { return s; }\n' >sum.cl
	for device in gpu auto; do
		# shellcheck disable=SC2086 # several words
		layered -- -D $device --stats=json --format=binary --overflow=wrap ${operators[$device]} in
		assert_equal "$code $(echo "$err" | grep -o '0:[0-9] (' | paste -s -d ' ' -)" '0 0:0 ('
		cmp out right
	done
}

@test "one GPU is that one; none is exit 4, as for -D gpu; PSCAN_DEVICE=gpus is the same" {
	POCL_DEVICES=pthread on_gpus -t i32 --format=binary --stats=json in
	assert_equal "$code" 0
	cmp out right
	assert_equal "$(echo "$err" | grep -o '"device":"[^ ]* (pthread' | head -n 1)" '"device":"0:0 (pthread'
	PSCAN_DEVICE=gpus layered POCL_DEVICES='pthread pthread' -- --stats=json -t i32 --format=binary in
	assert_equal "$code $(echo "$err" | grep -o '0:[0-9] (pthread' | paste -s -d ' ' -)" '0 0:0 (pthread 0:1 (pthread'
	cmp out right
	layered FAULT_LIE=no-denormals -- -D gpus -t i32 --format=binary in
	assert_equal "$code $err" '4 pscan: no OpenCL device "gpus" (see --list-devices)'
	on_gpus -t i32 --format=binary /dev/null
	assert_equal "$code $out $err" '0  '
}

# any_chunk SIZE...: sums of SIZE elements, from files and pipes, into files and pipes, are numpy's.
any_chunk() {
	local size chunk
	for size; do
		head -c $((4 * size)) in >some
		head -c $((4 * size)) right >wanted
		for chunk in 1 64K 100K 1M; do
			layered -- -D gpus --chunk-size=$chunk -t i32 --format=binary some
			assert_equal "$size $chunk: $code $err" "$size $chunk: 0 "
			cmp out wanted
			assert_equal "$(grep '^kept' log)" '' # everything is given back
		done
		# shellcheck disable=SC2002 # a pipe is asked for
		cat some | run_layered -D gpus --chunk-size=64K -t i32 --format=binary
		cmp out wanted
		run_layered -D gpus --chunk-size=64K -T 1 -t i32 --format=binary -o made some
		cmp made wanted
		rm made
	done
}

@test "any size and chunk, from files and pipes, into files and pipes: numpy's sums" {
	any_chunk 4097 300001
}

# bats test_tags=long
@test "more sizes, in any chunk: numpy's sums" {
	any_chunk 1 4095 4096 16383 16384 16385 40000
}

# bats test_tags=long
@test "more types and operators: as the host" {
	local options
	for options in '-t f64 -op prod' '-t u8:u64 -e' '-t f32 -op var' '-t u16:u64 -c 3' '-t u32 -op argmax' '-t f64 -op ema:0.5' \
		'-t i16:i64 -op max --seed=7' '-t i8 -op xor --total' '-t f64 -op mean' '-t f32 -c 2 -op linrec' '-t f32 --algorithm=hillis-steele'; do
		# shellcheck disable=SC2086 # words
		agrees --format=binary $options in
	done
}

# make_table: a CSV file "table" of keys, integers, and decimals with more and more places, some missing.
make_table() {
	"$PYTHON" - <<-'END'
		import random
		rng = random.Random(6)
		with open("table", "w") as f:
		    f.write("key,a,b\n")
		    for i in range(60000):
		        b = rng.choice(["", f"{rng.randrange(10**6)}.{rng.randrange(10 ** (1 + i // 12000))}"]) if i % 9 == 0 else rng.randrange(999)
		        f.write(f"k{rng.randrange(9)},{rng.randrange(-50, 99)},{b}\n")
	END
}

# bats test_tags=long
@test "more options of fields: as the host" {
	local options
	make_table
	for options in '-t f64 -f b -e --seed=1' '-t i64 -f a --total'; do
		# shellcheck disable=SC2086 # words
		agrees --csv -H --missing=skip $options table
	done
}

@test "types, operators, seeds, exclusive scans, totals, columns and fields: as the host" {
	local options
	for options in '-t f32:f64 -e' '-t u8:u64 --include-initial --seed=7' '-t i16:i64 -c 2 -op sum,max --total'; do
		# shellcheck disable=SC2086 # words
		agrees --format=binary $options in
	done
	make_table
	agrees --csv -H --missing=skip -t f64 -f b,a -op sum,max -a table
	cut -d , -f 2 table | tail -n +2 >column
	agrees -t i64 column
	awk '{ total += $1; print total }' column | cmp - out
	# Keys are the host's.
	run_layered -D gpus -v --csv -H -f a -g key table
	assert_equal "$code $(echo "$err" | grep -c 'keys, resets, windows and exact decimals are scanned on the host')" '0 1'
}

@test "an overflow and what is no number are found at their elements, whichever GPU has them" {
	local place
	for place in 5 40000 330000 330001; do
		"$PYTHON" - "$place" <<-'END'
			import sys
			import numpy as np
			a = np.zeros(340000, "i4")
			a[0] = 2**31 - 1
			a[int(sys.argv[1]) - 1] = 1
			a.tofile("over")
			a[1:].tofile("under")
		END
		on_gpus -t i32 --format=binary over
		assert_equal "$place: $code $(wc -c <out)" "$place: 1 $((4 * (place - 1)))"
		assert_contains "$err" "over: element $place:"
		assert_equal "$(wc -l <err)" 1
		on_gpus -t i32 --format=binary --overflow=wrap over
		assert_equal "$code $err" '0 '
		cmp -n $((4 * (place - 1))) out <("$PYTHON" -c "import sys; sys.stdout.buffer.write(bytes.fromhex('ffffff7f') * ($place - 1))")
	done
	seq 50000 | sed '30001s/.*/x/' >words
	agrees -t i64 words
	assert_contains "$err" 'words: line 30001'
	assert_equal "$(tail -n 1 out)" 450015000
}

# programs_combine NAME...: programs on the devices of POCL_DEVICES.
programs_combine() {
	write_programs
	"$PYTHON" - <<-'END'
		import numpy as np
		n = 100001
		np.arange(n, dtype="u8").tofile("in.intervals")
		out = np.zeros(n, np.dtype([("good", "u1"), ("first", "u8"), ("last", "u8")]))
		out["good"], out["last"] = 1, np.arange(n)
		out.tofile("out.intervals")
		pairs = np.random.default_rng(4).integers(0, 2**32, (n, 2), dtype="u4")
		pairs.tofile("in.affine")
		y, results = 0, []
		for a, b in pairs.tolist():
		    y = (a * y + b) % 2**32
		    results.append(y)
		np.array(results, "u4").tofile("out.affine")
	END
	local name
	for name; do
		on_gpus --format=binary -op "@$name.cl" "in.$name"
		assert_equal "$name: $code $err" "$name: 0 "
		cmp out "out.$name"
	done
}

@test "programs combine every element once, in order, on three GPUs" {
	POCL_DEVICES='pthread pthread pthread' programs_combine intervals
	on_gpus -t i32 --format=binary --overflow=wrap -op 'a + b' --emit='s * 2 + i' in
	"$PYTHON" -c 'import numpy as np
right = np.fromfile("right", "i4")
(right * 2 + np.arange(len(right), dtype="i4")).astype("i4").tofile("wanted")'
	cmp out wanted
}

# bats test_tags=long
@test "programs combine every element once, in order, on two GPUs, and on three of two kinds" {
	programs_combine intervals affine
	POCL_DEVICES='basic pthread pthread' programs_combine intervals affine
}

@test "what fails on the second GPU is exit 4, one line that names it, after a correct prefix" {
	local failure
	for failure in clEnqueueNDRangeKernel:1 clEnqueueNDRangeKernel:6 clEnqueueWriteBuffer:5:-5:sticky clEnqueueNDRangeKernel:3:-36:late; do
		FAULT_DEVICE=1 FAULT_FAIL=$failure PSCAN_MEMORY=copy on_gpus -t i32 --format=binary in
		assert_equal "$failure: $code $(wc -l <err)" "$failure: 4 1"
		assert_contains "$err" 'pscan: device 0:1 (pthread'
		cmp -n "$(wc -c <out)" out right
	done
	# While they are brought up: the first one's context is given back.
	FAULT_FAIL=clCreateContext:2:-6 on_gpus -t i32 --format=binary in
	assert_equal "$code $out $(wc -l <err)" '4  1'
	assert_contains "$err" 'pscan: device 0:1 (pthread'
	assert_equal "$(grep '^kept' log)" ''
	FAULT_LIE=gpu,no-fp64 on_gpus -t f64 --format=binary in
	assert_equal "$code $out $(wc -l <err)" '4  1'
	assert_contains "$err" ': it has no f64'
}

@test "a GPU that hangs is named by the watchdog, and the others do not wait for it" {
	FAULT_DEVICE=1 hanging clEnqueueNDRangeKernel:4 -- -D gpus --chunk-size=64K -t i32 --format=binary in
	assert_equal "$code $(wc -l <err)" '4 1'
	assert_contains "$err" 'pscan: device 0:1 (pthread'
	assert_contains "$err" "no progress for $patience s (see PSCAN_DEVICE_TIMEOUT)"
	cmp -n "$(wc -c <out)" out right
	hanging clCreateContext:2 -- -D gpus --chunk-size=64K -t i32 --format=binary in
	assert_equal "$code $out $err" "4  pscan: device gpus: no progress for $patience s (see PSCAN_DEVICE_TIMEOUT)"
}

@test "the trial scans on every GPU: a driver that crashes on the second one ends only its child" {
	export XDG_CACHE_HOME=$TMP/cache
	PSCAN_TRIAL='' on_gpus -t i32 --format=binary in
	assert_equal "$code $err" '0 '
	cmp out right
	find cache -name 'tried-*' -delete
	PSCAN_TRIAL='' FAULT_DEVICE=1 FAULT_DIE=clEnqueueNDRangeKernel:1:abort on_gpus -t i32 --format=binary in
	assert_equal "$code $out $err" '4  pscan: device gpus: a driver crashed (signal 6)'
}

@test "a stream through two GPUs takes no more memory than a short one" {
	peak() {
		"$PYTHON" -c 'import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], stdin=sys.stdin, stdout=subprocess.DEVNULL).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss if code == 0 else 0)' "$PSCAN" -D gpus --chunk-size=256K -t i64 --format=binary
	}
	export OPENCL_LAYERS=$LAYER FAULT_LOG=$TMP/log PSCAN_TRIAL=off PSCAN_SANDBOX_ALLOW=$TMP PSCAN_MEMORY=copy
	local short long
	short=$(head -c 8M /dev/zero | peak)
	long=$(head -c 200M /dev/zero | peak)
	[ "$short" -gt 0 ]
	[ "$long" -gt 0 ]
	[ "$long" -lt $((short + 20000)) ]
}
