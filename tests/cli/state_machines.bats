#!/usr/bin/env bats
# A state of one machine is continued on another one. `make check-foreign` runs this with the program of a machine of
# the other byte order; here both programs are the same.
# shellcheck disable=SC2154 # code is set by run_pscan

load helper

# shellcheck disable=SC2034 # PROLOGUE is python's
PROLOGUE=

@test "a state that one machine has written goes on on another, and back, bit for bit" {
	"$PYTHON" "$TOOLS/state_machines.py"
}

@test "the bits of a NaN are those of one machine, whichever sign another one gives it" {
	cd "$TMP" || return 1
	for type in f32 f64; do
		run_pscan -D none -t $type --state=${type}nan <<<$'1\ninf\n-inf'
		assert_equal "$code" 0
	done
	python 'import state_file
for kind, bits in (("f32", 0x7fc00000), ("f64", 0x7ff8000000000000)):
    assert state_file.read(kind + "nan")[1].values["keys"][0]["lane1"]["cursor"][0]["local_prefix"]["value"] == bits, kind'
}
