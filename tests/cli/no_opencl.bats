#!/usr/bin/env bats
# A program that is built without OpenCL (make OPENCL=no): the host scans, and an option that asks for a device is
# refused with the reason. make check-foreign builds such programs.
# shellcheck disable=SC2154 # code, out and err are set by run_pscan

load helper

setup() {
	export PSCAN_DEVICE=
	"$PSCAN" --version | grep -qx 'OpenCL: no' || skip 'this build has OpenCL'
	cd "$TMP" || return
	seq 5 >in
}

@test "without OpenCL the host scans, in silence, whatever is not a device's name" {
	for device in auto none; do
		run_pscan -D "$device" in
		assert_scanned '1 3 6 10 15' -D "$device"
	done
	PSCAN_AUTO=eager run_pscan --chunk-size=1 -t i64 in
	assert_scanned '1 3 6 10 15' 'PSCAN_AUTO=eager'
}

@test "without OpenCL a device that is named is exit 4, and so is a program of the user's own" {
	run_pscan -D gpu -t i64 in
	assert_equal "$code $out $err" '4  pscan: no OpenCL device "gpu": this build is without OpenCL'
	PSCAN_DEVICE=cpu run_pscan -t i64 in
	assert_equal "$code $out $err" '4  pscan: no OpenCL device "cpu": this build is without OpenCL'
	# The host has expressions itself.
	run_pscan -t i64 -op 'a*b % 7' in
	assert_scanned '1 2 6 3 1' 'an expression'
	printf 'typedef int state;\nstate lift(int x) { return x; }\nstate combine(state a, state b) { return a * b %% 7; }\nint emit(state s) { return s; }\n' >own.cl
	run_pscan -op @own.cl in
	assert_equal "$code $out $err" '4  pscan: no OpenCL device, which an operator of your own needs: this build is without OpenCL'
}

@test "without OpenCL the list of devices is empty, with a warning" {
	run_pscan --list-devices
	assert_equal "$code $out $err" '0  pscan: warning: no OpenCL device: this build is without OpenCL'
}
