#!/usr/bin/env bats
# Tests of the soak itself: it finds errors, keeps their inputs, and can repeat a run. (make soak is the real run.)

load helper

# soak ARGUMENT...: plays scenarios on the host; what is kept goes to $TMP.
soak() {
	unset PSCAN_DEVICE
	BUILD=$TMP "$PYTHON" "$ROOT/tests/soak/soak.py" --without-pocl --jobs 2 "$@" >"$TMP/log" 2>&1
}

@test "scenarios of a fixed seed pass, and are the same ones each time" {
	soak --seed 1 --count 12
	assert_contains "$(tail -n 1 "$TMP/log")" '12 passed, 0 failed'
	grep -v slowest "$TMP/log" >"$TMP/first"
	soak --seed 1 --count 12
	grep -v slowest "$TMP/log" | cmp - "$TMP/first"
}

@test "a program with one byte too many is found out; its scenarios are kept and can be repeated" {
	# shellcheck disable=SC2016 # expanded by the wrapper
	printf '#!/bin/sh\n"%s" "$@"\ncode=$?\nprintf x\nexit $code\n' "$PSCAN" >"$TMP/broken"
	chmod +x "$TMP/broken"
	status=0
	PSCAN=$TMP/broken soak --seed 1 --count 12 || status=$?
	assert_equal "$status" 1
	grep -q '^not ok' "$TMP/log"
	kept=$(find "$TMP/soak" -name 'seed-1-scenario-*' | head -n 1)
	for name in command report expected in0; do
		[ -e "$kept/$name" ]
	done
	status=0
	PSCAN=$TMP/broken soak --seed 1 --scenario "${kept##*-}" || status=$?
	assert_equal "$status" 1
	assert_contains "$(tail -n 1 "$TMP/log")" '0 passed, 1 failed'
	soak --seed 1 --scenario "${kept##*-}"
}
