#!/usr/bin/env bats
# tests/frozen: fixed inputs, and the checksums that their output must have in every release. PSCAN_FROZEN_DEVICES names
# more devices on which every row is run, as -D takes them.

load helper

# Kernels are compiled as they are for users.
unset POCL_EXTRA_BUILD_FLAGS

FROZEN=$ROOT/tests/frozen/frozen.py

setup_file() {
	"$PYTHON" "$FROZEN" inputs "$BATS_FILE_TMPDIR"
}

# Compares every row on these devices; a difference is printed with the command that shows it.
is_unchanged_on() { "$PYTHON" "$FROZEN" check "$BATS_FILE_TMPDIR" "$@"; }

@test "the table is of the program's grid" {
	assert_equal "$("$PYTHON" "$FROZEN" grid)" "$("$PSCAN" --version | awk '$1 == "grid" { print $2 }')"
}

@test "the table has every operator with every type" {
	rows=$("$PYTHON" "$FROZEN" rows)
	[ "$(wc -l <<<"$rows")" -ge 100 ]
	for op in sum prod max min and or xor; do
		for type in i8 u8 i16 u16 i32 u32 i64 u64 f32 f64; do
			case $op$type in andf* | orf* | xorf*) continue ;; esac
			grep -qE "^$op $type(be)?\$" <<<"$rows" || {
				echo "no row for $op $type" >&2
				return 1
			}
		done
	done
}

@test "not a bit of the frozen vectors has changed on the host" {
	is_unchanged_on none
}

# bats test_tags=long
@test "not a bit of the frozen vectors has changed on PoCL in the CPU shape" {
	is_unchanged_on cpu:cpu
}

# bats test_tags=long
@test "not a bit of the frozen vectors has changed on PoCL in the GPU shape" {
	is_unchanged_on cpu:gpu
}

@test "not a bit of the frozen vectors has changed on the devices that are named" {
	[ -n "${PSCAN_FROZEN_DEVICES:-}" ] || skip 'PSCAN_FROZEN_DEVICES is not set'
	# shellcheck disable=SC2086 # one word a device
	is_unchanged_on $PSCAN_FROZEN_DEVICES
}
