#!/bin/sh
# Compares Mesa's rusticl on llvmpipe with the host, byte for byte, in both kernel shapes: a second OpenCL
# implementation with a compiler of its own. Installs nothing (make deps-rusticl does). RUSTICL: its library. FLOATS: as
# in tests/device.sh (default: what the device reports). BUILD holds the program and the fault layer.
set -u
build=$(cd "${BUILD:-build}" && pwd)
pscan=${PSCAN:-$build/pscan}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Only this implementation, so that its device is 0:0.
mkdir "$work/vendors"
echo "${RUSTICL:-libRusticlOpenCL.so.1}" >"$work/vendors/rusticl.icd"
export OCL_ICD_VENDORS="$work/vendors" RUSTICL_ENABLE=llvmpipe LP_NUM_THREADS=1
device=$("$pscan" --list-devices 2>"$work/err")
case $device in
0:0*llvmpipe*) echo "$device" ;;
*)
	cat "$work/err"
	echo "no rusticl with llvmpipe (make deps-rusticl)"
	echo "0 passed, 1 failed, 0 skipped"
	exit 1
	;;
esac

# waits: the device's results are there when clFinish says so.
waits() {
	seq 20000 >"$work/in"
	"$pscan" -D none -t i64 "$work/in" >"$work/host"
	for _ in 1 2 3 4 5; do
		"$pscan" -D 0:0 -t i64 "$work/in" 2>/dev/null | cmp -s - "$work/host" || return 1
	done
}

# In Mesa 22.3 clFinish does not wait for what clFlush sent off before. Without the flushes it does.
if ! waits; then
	export OPENCL_LAYERS="$build/fault/opencl_layer.so" FAULT_LOG="$work/log" PSCAN_SANDBOX_ALLOW="$work" FAULT_SKIP=clFlush
	if waits && [ -s "$work/log" ]; then
		echo "clFinish does not wait behind clFlush here: flushes are left out"
	else
		unset OPENCL_LAYERS
	fi
fi

case $device in
*no-fp64*not-bit-exact | *not-bit-exact) floats=none ;;
*no-fp64*) floats=f32 ;;
*) floats=all ;;
esac
FLOATS=${FLOATS:-$floats}
export FLOATS
# llvmpipe compiles every kernel anew, for seconds.
export LARGE="${LARGE:-262144}" TYPES="${TYPES:-u8 i16 i32 u64 f32}"
for shape in cpu gpu; do
	PSCAN_SHAPE=$shape BUILD=$build sh tests/device.sh 0:0 >"$work/totals.$shape" 2>&1 &
done
wait
status=0
for shape in cpu gpu; do
	echo "rusticl, $shape shape, floats compared: $FLOATS"
	cat "$work/totals.$shape"
	tail -n 1 "$work/totals.$shape" | grep -q '^[1-9][0-9]* passed, 0 failed' || status=1
done
cat "$work"/totals.* | awk '/passed, [0-9]+ failed/ { p += $1; f += $3; s += $5 }
	END { printf "%d passed, %d failed, %d skipped\n", p, f, s }'
exit $status
