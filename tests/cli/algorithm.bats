#!/usr/bin/env bats
# --algorithm: each algorithm combines in its own order, and all agree where the order does not matter.
# shellcheck disable=SC2154 # code, out and err are set by run_pscan

load helper

# floats N...: N random floats of each type to in.N.TYPE, their running sum by a strict loop (numpy's cumsum) to
# right.N.TYPE.
floats() {
	"$PYTHON" - "$@" <<-'END'
		import sys
		import numpy as np
		for count in sys.argv[1:]:
		    for kind in "float32", "float64":
		        x = np.random.default_rng(5).random(int(count), dtype=np.float32).astype(kind)
		        x.tofile(f"in.{count}.{kind}")
		        np.cumsum(x, dtype=x.dtype).tofile(f"right.{count}.{kind}")
	END
}

setup() {
	cd "$TMP" || return 1
}

@test "sequential has the bits of numpy's cumsum, whatever the chunks" {
	floats 1 15 16 17 4095 4096 4097 70001 2000000
	for n in 1 15 16 17 4095 4096 4097 70001; do
		for type in float32 float64; do
			for size in 16K 256K; do
				"$PSCAN" -D none --format=binary -t "$type" --algorithm=sequential --chunk-size="$size" "in.$n.$type" >out
				cmp out "right.$n.$type"
			done
		done
	done
	# So many chunks that some are ready before their turn.
	"$PSCAN" -D none --format=binary -t f32 --algorithm=sequential --chunk-size=16K -T 8 in.2000000.float32 >out
	cmp out right.2000000.float32
}

@test "sequential has awk's digits on floats from text" {
	"$PYTHON" -c 'import random; random.seed(4); print(*(random.random() * 1000 for _ in range(5000)), sep="\n")' >in
	awk '{ s += $1; printf "%.17g\n", s }' in >awks
	"$PSCAN" -D none -t f64 --algorithm=sequential in >ours
	"$PYTHON" -c '
ours, awks = ([float(x) for x in open(name)] for name in ("ours", "awks"))
assert ours == awks and len(ours) == 5000'
}

@test "of several overflows sequential names the first" {
	run_pscan -D none -t i8 --algorithm=sequential < <(echo 100 20 100 100 100 100 100)
	assert_equal "$code ${out//$'\n'/ }" '1 100 120'
	assert_contains "$err" 'element 3:'
	"$PYTHON" -c 'open("bytes", "wb").write(bytes([100, 20] + 40 * [100]))'
	run_pscan -D none -t i8 --format=binary --algorithm=sequential bytes
	assert_equal "$code $(wc -c <out)" '1 2'
	assert_contains "$err" 'element 3:'
}

# bats test_tags=long
@test "the three agree on integers, maxima and minima, on host and device" {
	"$PYTHON" -c '
import numpy as np
x = np.random.default_rng(6).integers(-1000, 1000, 50001).astype(np.int32)
x.tofile("in")
np.cumsum(x.astype(np.int64)).tofile("sum")
np.maximum.accumulate(x).tofile("max")
x.astype(np.float32).tofile("in.f32")
np.minimum.accumulate(x.astype(np.float32)).tofile("min")'
	for algorithm in blelloch hillis-steele sequential; do
		for device in none cpu; do
			[ "$algorithm $device" != "sequential cpu" ] || continue
			set -- -D "$device" --format=binary --algorithm="$algorithm" --chunk-size=32K
			cmp <("$PSCAN" "$@" -t i32:i64 in) sum
			cmp <("$PSCAN" "$@" -t i32 -op max in) max
			cmp <("$PSCAN" "$@" -t f32 -op min in.f32) min
		done
	done
	cmp <(seq 1 99999 | "$PSCAN" -D none --algorithm=sequential) <(seq 1 99999 | "$PSCAN" -D none)
	cmp <(printf '%s\n' 0.1 0.25 1 1e3 2.5 | "$PSCAN" -D none --algorithm=sequential) \
		<(printf '%s\n' 0.1 0.25 1 1e3 2.5 | "$PSCAN" -D none)
}

# bats test_tags=long
@test "hillis-steele has the same bits on the host and in both shapes of the device, and its own" {
	floats 100001
	mv in.100001.float32 in
	"$PSCAN" -D none --format=binary --algorithm=hillis-steele in >host
	for shape in cpu gpu; do
		cmp <(PSCAN_SHAPE=$shape "$PSCAN" -D cpu --format=binary --algorithm=hillis-steele --chunk-size=64K in) host
	done
	status=0
	cmp -s <("$PSCAN" -D none --format=binary in) host || status=$?
	assert_equal "$status" 1
}

@test "sequential stays on the host: a named device is a usage error" {
	status=0
	echo 1 | "$PSCAN" -D cpu --algorithm=sequential >out 2>err || status=$?
	assert_equal "$status" 2
	assert_contains "$(cat err)" '-D none'
	assert_equal "$(echo 1 2 | PSCAN_DEVICE=auto "$PSCAN" --algorithm=sequential | tail -n 1)" 3
}

@test "an overflow is found at the same element by each" {
	"$PYTHON" -c '
import numpy as np
x = np.full(20000, 300000, np.int32)
x.tofile("in")'
	for algorithm in blelloch hillis-steele sequential; do
		status=0
		"$PSCAN" -D none --format=binary -t i32 --algorithm="$algorithm" --chunk-size=16K in >out 2>err || status=$?
		assert_equal "$status $(wc -c <out)" "1 $((7158 * 4))"
		assert_contains "$(cat err)" 'element 7159: the sum does not fit i32'
	done
}

@test "--stats tells elements, bytes and where they were scanned" {
	floats 100000
	mv in.100000.float32 in
	"$PSCAN" -D none --format=binary --chunk-size=64K --stats in 2>stats >out
	grep -qx 'elements    100000' stats
	grep -qx 'bytes in    400000' stats
	grep -qx 'bytes out   400000' stats
	grep -qx 'engine      host' stats
	grep -qx 'chunks      7 on the host, 0 on the device' stats
	"$PSCAN" -D cpu --format=binary --chunk-size=64K --stats=json in 2>stats >out
	"$PYTHON" -c '
import json
s = json.load(open("stats"))
assert (s["engine"], s["elements"], s["bytes_in"], s["bytes_out"]) == ("opencl", 100000, 400000, 400000), s
assert s["chunks"] == {"host": 0, "device": 7} and s["device"].startswith("0:0"), s
assert s["stages"]["read"]["bytes"] == 400000 and s["seconds"] > 0, s'
}

@test "a trace is there when it is whole: none of a run that failed before its first chunk" {
	mkdir here
	cd here
	seq 5 >in
	run_pscan -D none --trace=trace -o nowhere/out in
	assert_equal "$code $(ls)" '3 in'
	run_pscan -D 99:99 --trace=trace in
	assert_equal "$code $(ls)" '4 in'
	# Of a run that failed later there is what was done up to then.
	run_pscan -D none --trace=trace in nosuch
	assert_equal "$code $(ls)" $'3 in\ntrace'
	"$PYTHON" -c 'import json; assert json.load(open("trace"))["traceEvents"]'
	# An old one stays until there is another.
	echo old >trace
	run_pscan -D 99:99 --trace=trace in
	assert_equal "$code $(cat trace)" '4 old'
	run_pscan -D none --trace=trace in
	assert_equal "$code $(ls -A)" $'0 in\ntrace'
	"$PYTHON" -c 'import json; assert json.load(open("trace"))["traceEvents"]'
	run_pscan -D none --trace=/dev/null in
	assert_equal "$code" 0
}

@test "a trace that cannot be written is 3 before anything is scanned" {
	status=0
	echo 1 | "$PSCAN" -D none --trace=/nonexistent/trace >out 2>err || status=$?
	assert_equal "$status $(cat out)" '3 '
	assert_contains "$(cat err)" '/nonexistent/trace: cannot create a temporary file next to it: No such file or directory'
}
