#!/usr/bin/env bats
# The engine changes in mid-stream, and the output does not show where. The layer of tests/fault makes PoCL look like a
# GPU, delays its start and makes calls fail. A run in which the layer was not loaded proves nothing and fails.
# shellcheck disable=SC2154 # code, out and err are set by run_pscan

load helper

setup() {
	unset PSCAN_DEVICE PSCAN_SHAPE
	LAYER=${BUILD:-$ROOT/build}/fault/opencl_layer.so
	[ -e "$LAYER" ] || {
		echo "no $LAYER: make fault-layer" >&2
		return 1
	}
}

# Runs a suite of the hand-over driver; what was wrong is printed with the command that shows it.
nobody_sees() { "$PYTHON" "$TOOLS/handover.py" --layer "$LAYER" "$@"; }

oracle() { "$PYTHON" "$TOOLS/grid_oracle.py" "$@"; }

# random_floats COUNT: raw float32 of 1 to 2.
random_floats() {
	"$PYTHON" -c 'import sys, numpy as np
np.random.default_rng(5).uniform(1, 2, int(sys.argv[1])).astype("f4").tofile(sys.stdout.buffer)' "$1"
}

# Compiles the kernels for float sums in the GPU shape, so that a bring-up after this takes less than a second.
warm() {
	random_floats 10000 >"$TMP/warm"
	layered FAULT_LIE=gpu -- -D gpu "$TMP/warm"
}

# logged PATTERN: the layer has written such a line.
logged() { grep -qs "$1" "$TMP/log"; }

# in_two BYTES FILE PATTERN: the file with a pause after BYTES bytes, until the layer has written such a line.
in_two() {
	head -c "$1" "$2"
	wait_until logged "$3"
	sleep 0.3 # for what must not come then
	tail -c +$(($1 + 1)) "$2"
}

# until_logged BYTES FILE PATTERN COUNT: BYTES bytes of the file, and then, until the layer has written COUNT such
# lines or changed a bit, a piece of it over and over; at last the file. What was given is in given.
until_logged() {
	local piece lines
	piece=$(mktemp "$TMP/piece.XXXXXX")
	head -c 65536 "$2" >"$piece" # a device takes whole tiles alone
	{
		head -c "$1" "$2"
		while lines=$(grep -cs "$3" "$TMP/log") || true && [ "${lines:-0}" -lt "$4" ] && ! logged '^flipped '; do
			cat "$piece"
			sleep 0.1
		done
		cat "$2"
	} | tee "$TMP/given"
}

# The same until a device has chunks: five kernels are for its bring-up, three for each chunk.
until_taken() { until_logged "$1" "$2" '^call clEnqueueNDRangeKernel ' 14; }

# statistic NAME...: a value of the statistics on standard error, for instance: statistic chunks host.
statistic() {
	"$PYTHON" -c 'import json, sys
value = json.loads(open(sys.argv[1]).read().splitlines()[-1])
for name in sys.argv[2:]:
    value = value[name]
print(value)' "$TMP/err" "$@"
}

# calls NAME: how often the function was called.
calls() { grep -c "^call $1 " "$TMP/log" || true; }

# --- Hand-over ---

# bats test_tags=long
@test "every scan has the same bytes wherever the device takes over" {
	nobody_sees handover
}

@test "a stream that ends before the device is ready does not wait for it" {
	random_floats 20000 >"$TMP/in"
	layered FAULT_LIE=gpu FAULT_HANG=clCreateContext:1 -- --stats=json --chunk-size=16K < <(in_two 40000 "$TMP/in" '^hung clCreateContext')
	assert_equal "$code" 0
	assert_equal "$(statistic handover outcome)" late
	assert_equal "$(statistic chunks device)" 0
	cmp "$TMP/out" <(oracle "$TMP/in")
}

@test "--stats says in words how the stream was handed over" {
	random_floats 200000 >"$TMP/in"
	warm
	layered FAULT_LIE=gpu PSCAN_MEMORY=copy -- --stats --chunk-size=16K < <(until_taken 400000 "$TMP/in")
	assert_equal "$code" 0
	grep -qE '^hand-over   (kept|returned), bring-up [0-9.]+ s, from chunk [0-9]+(, host [0-9.]+ GB/s, device [0-9.]+ GB/s)?$' "$TMP/err"
	grep -qE '^engine      device ' "$TMP/err"
	layered FAULT_LIE=gpu FAULT_FAIL=clCreateContext:1:-6 -- --stats --chunk-size=16K < <(in_two 400000 "$TMP/in" '^failed clCreateContext')
	assert_equal "$code" 0
	grep -qE '^engine      host' "$TMP/err"
	layered FAULT_LIE=gpu FAULT_HANG=clCreateContext:1 -- --stats --chunk-size=16K < <(in_two 40000 "$TMP/in" '^hung clCreateContext')
	assert_equal "$code" 0
	grep -qE '^hand-over   late, bring-up [0-9.]+ s$' "$TMP/err"
}

@test "a trace of a hand-over has every chunk once, in order, with its stages" {
	random_floats 200000 >"$TMP/in"
	warm
	layered FAULT_LIE=gpu PSCAN_MEMORY=copy -- --trace="$TMP/trace" --chunk-size=16K < <(until_taken 400000 "$TMP/in")
	assert_equal "$code" 0
	"$PYTHON" - "$TMP/trace" <<-'END'
		import json, sys
		trace = json.load(open(sys.argv[1]))
		events = [e for e in (trace["traceEvents"] if isinstance(trace, dict) else trace) if e["ph"] == "X"]
		names = {"read", "decode", "upload", "up-sweep", "fold", "down-sweep", "download", "encode", "write"}
		assert {e["name"] for e in events} <= names, {e["name"] for e in events} - names
		assert all(e["ts"] >= 0 and e["dur"] >= 0 for e in events)
		writes = [e["args"]["chunk"] for e in events if e["name"] == "write"]
		assert writes == sorted(set(writes)) and len(writes) >= 13, writes
		folds = [e["args"]["chunk"] for e in sorted(events, key=lambda e: e["ts"]) if e["name"] == "fold"]
		assert set(folds) == set(writes), (folds, writes)
		assert any(e["name"] == "upload" for e in events), "no chunk was uploaded"
	END
}

# bats test_tags=long
@test "on a device the upload of a chunk begins before the download of the one before it ends" {
	random_floats 2000000 >"$TMP/in"
	PSCAN_MEMORY=copy "$PSCAN" -D cpu --format=binary --chunk-size=256K --trace="$TMP/trace" "$TMP/in" >"$TMP/out"
	cmp "$TMP/out" <(oracle "$TMP/in")
	"$PYTHON" - "$TMP/trace" <<-'END'
		import json, sys
		events = json.load(open(sys.argv[1]))["traceEvents"]
		begin = {(e["name"], e["args"]["chunk"]): e["ts"] for e in events}
		end = {(e["name"], e["args"]["chunk"]): e["ts"] + e["dur"] for e in events}
		chunks = sorted({chunk for _, chunk in begin})
		assert len(chunks) == 31, chunks
		overlaps = [begin["upload", k + 1] < end["download", k] for k in chunks[:-1]]
		assert sum(overlaps) >= len(overlaps) / 4, overlaps  # a busy machine may keep the next chunk from being read
		for k in chunks:
		    for clock in ("read", "fold", "write"), ("upload", "up-sweep", "down-sweep", "download"):
		        order = [begin[stage, k] for stage in clock]
		        assert order == sorted(order), (k, order)
		    # The clocks are aligned as well as a busy machine lets read them.
		    order = [begin[stage, k] for stage in ("read", "upload", "up-sweep", "fold", "down-sweep", "download", "write")]
		    assert all(a <= b + 20000 for a, b in zip(order, order[1:])), (k, order)
	END
}

# --- Failing devices ---

# bats test_tags=long
@test "a device that fails in mid-stream leaves no trace in the output, one notice and exit 0" {
	nobody_sees failure
}

# bats test_tags=long
@test "a named device that fails in mid-stream is exit 4 after a correct prefix, and the call is named" {
	nobody_sees named-failure
}

@test "a bring-up that fails at any step leaves the stream on the host" {
	nobody_sees bring-up
}

@test "a named device whose bring-up fails at any step is exit 4" {
	nobody_sees named-bring-up
}

# bats test_tags=long
@test "whatever single call fails, the stream is whole, or a prefix where the device was named" {
	nobody_sees any-call
}

@test "what a failed device left of a chunk that was swept ahead is not taken for the host's" {
	random_floats 400000 >"$TMP/in"
	warm
	# (Chunks are decoded, and swept, while the host has the stream; the first ones that the device gets are such.)
	local n noticed=0
	for n in 3 4 5 6 7; do
		layered FAULT_LIE=gpu PSCAN_MEMORY=copy FAULT_FLIP=$n -- --verify --chunk-size=16K < <(until_taken 400000 "$TMP/in")
		assert_equal "$n: $code" "$n: 0"
		[[ $err != *'(--verify)'* ]] || noticed=$((noticed + 1))
		cmp "$TMP/out" <(oracle "$TMP/given")
	done
	[ $noticed -gt 0 ]
}

# The carry is on the device then: the host goes on with the last one that came back.
@test "a device that fails where it folds leaves no trace in the output" {
	random_floats 100000 >"$TMP/in"
	warm
	local n mode
	for n in 7 8 11 14 20; do
		for mode in once late; do
			layered FAULT_LIE=gpu PSCAN_MEMORY=copy FAULT_FAIL=clEnqueueNDRangeKernel:$n:-5:$mode -- -q --chunk-size=16K \
				< <(until_logged 200000 "$TMP/in" '^\(failed\|dropped\) clEnqueueNDRangeKernel' 1)
			grep -qE "^(failed|dropped) clEnqueueNDRangeKernel $n" "$TMP/log"
			assert_equal "$n $mode: $code $err" "$n $mode: 0 "
			cmp "$TMP/out" <(oracle "$TMP/given")
		done
	done
}

@test "with -q the notice of a failed device is not shown" {
	random_floats 100000 >"$TMP/in"
	warm
	layered FAULT_LIE=gpu PSCAN_SHAPE=cpu FAULT_FAIL=clEnqueueNDRangeKernel:3:-5:sticky -- -q --chunk-size=16K \
		< <(until_logged 200000 "$TMP/in" '^failed clEnqueueNDRangeKernel' 1)
	grep -q '^failed clEnqueueNDRangeKernel' "$TMP/log"
	assert_equal "$code" 0
	assert_equal "$err" ""
	cmp "$TMP/out" <(oracle "$TMP/given")
}

# --- When no device is wanted ---

@test "input of a single chunk starts neither OpenCL nor threads" {
	seq 1000 >"$TMP/in"
	FAULT_LIE=gpu run_layered "$TMP/in"
	assert_equal "$code" 0
	assert_equal "$(tail -n 1 "$TMP/out")" 500500
	[ ! -e "$TMP/log" ]
	run_layered <"$TMP/in"
	assert_equal "$(tail -n 1 "$TMP/out")" 500500
	[ ! -e "$TMP/log" ]
	need_strace
	strace_pscan -f -e trace=clone,clone3,vfork,fork -o "$TMP/strace" "$PSCAN" "$TMP/in" >/dev/null
	assert_equal "$(grep -c clone "$TMP/strace" || true)" 0
}

@test "-D none never loads OpenCL" {
	random_floats 100000 >"$TMP/in"
	FAULT_LIE=gpu run_layered -D none --chunk-size=16K "$TMP/in"
	assert_equal "$code" 0
	[ ! -e "$TMP/log" ]
}

# as_users OPTION...: pscan with a GPU there, as users run it: whether it is brought up is for it to say.
as_users() { FAULT_LIE=gpu PSCAN_AUTO='' run_layered --stats=json "$@"; }

# The run succeeded on the host, and OpenCL was not touched.
assert_untouched() {
	assert_equal "$code $(statistic handover outcome) $(statistic chunks device)" '0 none 0'
	[ "$(statistic chunks host)" -ge 2 ]
	[ ! -e "$TMP/log" ]
}

# bats test_tags=long
@test "a slow pipe loads no driver, however long it lasts" {
	as_users --line-buffered < <(for i in $(seq 12); do
		echo "$i"
		sleep 0.15
	done)
	assert_untouched
	assert_equal "$(head -n -1 "$TMP/err" | wc -l) $(tail -n 1 "$TMP/out")" '0 78'
	random_floats 100000 >"$TMP/in"
	as_users --chunk-size=16K < <(for part in 0 1 2 3; do
		tail -c +$((part * 100000 + 1)) "$TMP/in" | head -c 100000
		sleep 0.5
	done)
	assert_untouched
	cmp "$TMP/out" <(oracle "$TMP/in")
}

@test "text loads no driver, nor does a file that a host scans sooner" {
	seq 400000 >"$TMP/in"
	as_users -T 1 "$TMP/in"
	assert_untouched
	assert_equal "$(tail -n 1 "$TMP/out")" 80000200000
	random_floats 1000000 >"$TMP/in"
	as_users -T 1 --chunk-size=16K "$TMP/in"
	assert_untouched
	cmp "$TMP/out" <(oracle "$TMP/in")
}

@test "a CPU device is not brought up under auto" {
	random_floats 100000 >"$TMP/in"
	run_layered --stats=json --chunk-size=16K < <(
		head -c 200000 "$TMP/in"
		sleep 1
		tail -c +200001 "$TMP/in"
	)
	assert_equal "$code $(statistic chunks device)" '0 0'
	[[ $(statistic handover outcome) =~ ^(none|late)$ ]] # the search for a GPU may not have ended
	[ ! -e "$TMP/log" ] || assert_equal "$(calls clCreateContext)" 0
	cmp "$TMP/out" <(oracle "$TMP/in")
}

# bats test_tags=long
@test "a long stream that waits for nothing but the scan has a device brought up" {
	truncate -s 1500M "$TMP/zeros"
	warm
	# On a machine that is busy with something else it may not be the scan that a stream waits for.
	for _ in 1 2 3; do
		as_users -T 1 --format=binary -t i8:i64 -op prod --total --output-format=text "$TMP/zeros"
		assert_equal "$code $(cat "$TMP/out")" '0 0'
		[ "$(statistic handover outcome)" = none ] || break
		[ "$(statistic chunks device)" -eq 0 ]
	done
	case $(statistic handover outcome) in
	late) [ "$(statistic chunks device)" -eq 0 ] ;;
	kept | returned) [ "$(statistic chunks device)" -gt 0 ] ;;
	*) false ;;
	esac
	grep -q '^loaded' "$TMP/log"
}

# bats test_tags=long
@test "a device that is slower than the host gives the stream back" {
	random_floats 8000000 >"$TMP/in"
	warm
	layered FAULT_LIE=gpu FAULT_DELAY=clFlush:20 PSCAN_MEMORY=copy -- --stats=json --chunk-size=64K < <(until_taken 1000000 "$TMP/in")
	assert_equal "$code $(statistic handover outcome)" '0 returned'
	[ "$("$PYTHON" -c 'import json, sys
h = json.loads(open(sys.argv[1]).read().splitlines()[-1])["handover"]
print(h["device_rate"] < h["host_rate"])' "$TMP/err")" = True ]
	cmp "$TMP/out" <(oracle "$TMP/given")
}

# --- Programs ---

@test "kernels for lanes of the same row are built once, and once for each row where the lanes' rows differ" {
	for ((i = 0; i < 9000; i++)); do echo "$i 1 2"; done >"$TMP/in"
	layered -- -D cpu -t i32 -f 1,2,3,1 "$TMP/in"
	assert_equal "$code $(tail -n 1 "$TMP/out")" '0 40495500 9000 18000 40495500'
	assert_equal "$(calls clBuildProgram)" 1
	# Two rows of each field.
	for ((i = 0; i < 20000; i++)); do echo "$i 1 2"; done >"$TMP/in"
	sed -i '8000s/.*/1e-19 1.125 2/' "$TMP/in"
	layered -- -D cpu -t f64 -f 1,2,3 -op sum,max "$TMP/in"
	assert_equal "$code" 0
	"$PSCAN" -D none -t f64 -f 1,2,3 -op sum,max "$TMP/in" | cmp - "$TMP/out"
	assert_equal "$(calls clBuildProgram)" 2
}

# --- Devices that cannot have the same bits ---

@test "a GPU without fp64 leaves f64 to the host; named, it is exit 4" {
	random_floats 100000 >"$TMP/in"
	layered FAULT_LIE=gpu,no-fp64 -- -t f32:f64 --chunk-size=16K < <(in_two 200000 "$TMP/in" '^done clGetDeviceInfo')
	assert_equal "$code" 0
	assert_equal "$(calls clEnqueueNDRangeKernel)" 0
	cmp "$TMP/out" <(oracle -t f32:f64 "$TMP/in")
	layered FAULT_LIE=gpu,no-fp64 -- -D gpu -t f32:f64 --chunk-size=16K "$TMP/in"
	assert_equal "$code" 4
	assert_contains "$err" f64
}

@test "a GPU without denormals, or that rounds quotients otherwise, leaves floats to the host" {
	random_floats 100000 >"$TMP/in"
	local lie
	for lie in no-denormals no-rounding; do
		layered FAULT_LIE=gpu,$lie -- --chunk-size=16K < <(in_two 200000 "$TMP/in" '^done clGetDeviceInfo')
		assert_equal "$lie: $code" "$lie: 0"
		assert_equal "$(calls clEnqueueNDRangeKernel)" 0
		layered FAULT_LIE=gpu,$lie -- -l
		assert_contains "$out" not-bit-exact
		assert_contains "$out" '  gpu  '
	done
}

# --- The layer itself ---

@test "a layer that makes no sense of its settings is not loaded" {
	for setting in FAULT_FAIL=clFinsih:1 FAULT_FAIL=clFinish FAULT_FAIL=clFinish:0 FAULT_FAIL=clFinish:1:-5:never \
		FAULT_FAIL=clFinish:1:-5:late FAULT_FAIL=clFinish:1:-5:once:more FAULT_DELAY=clFinish:x FAULT_LIE=tpu; do
		rm -f "$TMP/log"
		env "$setting" OPENCL_LAYERS="$LAYER" FAULT_LOG="$TMP/log" PSCAN_SANDBOX_ALLOW="$TMP" "$PSCAN" -l >/dev/null
		[ ! -e "$TMP/log" ]
	done
}

@test "a call fails as often as the layer is told, early or late" {
	random_floats 20000 >"$TMP/in"
	while read -r failure mark; do
		layered FAULT_LIE=gpu FAULT_FAIL="$failure" -- -D gpu --chunk-size=16K "$TMP/in"
		assert_equal "$failure $code" "$failure 4"
		grep -q "^$mark" "$TMP/log"
		[ ! -s "$TMP/out" ] || cmp -n "$(stat -c %s "$TMP/out")" "$TMP/out" <(oracle "$TMP/in")
	done <<-END
		clBuildProgram:1:-11 failed clBuildProgram 1 -11
		clEnqueueNDRangeKernel:2:-5:sticky failed clEnqueueNDRangeKernel 2 -5
		clEnqueueNDRangeKernel:2:-36:late dropped clEnqueueNDRangeKernel 2
		clEnqueueWriteBuffer:1:-36:lost failed clEnqueueWriteBuffer 1 -36
		enqueue:4 failed clEnqueue
		any:15 failed cl
	END
}

@test "one bit of a download is changed where the layer is told, and objects are given back" {
	random_floats 20000 >"$TMP/in"
	for memory in copy share; do
		layered PSCAN_MEMORY=$memory -- -D cpu --chunk-size=16K "$TMP/in"
		assert_equal "$code" 0
		assert_equal "$(grep -c '^kept' "$TMP/log" || true)" 0
		downloads=$(sed -n 's/^ended normally //p' "$TMP/log")
		cp "$TMP/out" "$TMP/right"
		# Some downloads bring nothing that matters.
		for ((n = downloads, changed = 0; n > 0 && changed == 0; n--)); do
			layered PSCAN_MEMORY=$memory FAULT_FLIP=$n -- -D cpu --chunk-size=16K "$TMP/in"
			assert_equal "$(grep -c '^flipped' "$TMP/log")" 1
			changed=$(cmp -l "$TMP/out" "$TMP/right" | wc -l)
		done
		assert_equal "$changed" 1
	done
}

@test "a call hangs where the layer is told" {
	seq 20000 >"$TMP/in"
	PSCAN_DEVICE_TIMEOUT=0 OPENCL_LAYERS=$LAYER FAULT_LOG=$TMP/log PSCAN_SANDBOX_ALLOW=$TMP FAULT_HANG=clWaitForEvents:2 \
		timeout -s KILL 1200 "$PSCAN" -D cpu -t i64 "$TMP/in" >/dev/null 3>&- &
	local job=$!
	wait_until logged '^hung clWaitForEvents 2'
	sleep 0.3
	kill -0 "$job"
	pkill -KILL -P "$job"
	assert_equal "$(grep -c '^done clWaitForEvents' "$TMP/log")" 1
}

@test "a slow call is as late as the layer is told" {
	start=$(date +%s%N)
	layered FAULT_DELAY=clGetPlatformIDs:300 -- -l
	[ $(($(date +%s%N) - start)) -ge 300000000 ]
}
