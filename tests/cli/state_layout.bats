#!/usr/bin/env bats
# The file of --state describes its own contents: tests/tools/state_file.py reads and writes it by this description
# alone.
# shellcheck disable=SC2154,SC2034 # code, out and err are set by run_pscan; PROLOGUE is python's

load helper

setup() {
	export PSCAN_DEVICE=none
	cd "$TMP" || return 1
}

PROLOGUE='
import os, sys
import state_file
'

@test "a state is read and written by its words; one of another layout, grid or order of bytes is refused by name" {
	"$PYTHON" "$TOOLS/state_layout.py" 1 40
}

# bats test_tags=long
@test "every layout that differs in a member is refused by name" {
	"$PYTHON" "$TOOLS/state_layout.py" 2 1
}

@test "what a file holds is what was scanned, by its own words" {
	printf 'a,1.5\nb,2\na,3\n' >in
	run_pscan -d, -g1 -f2 -op sum,count --state=state in
	assert_scanned 'a,1.5,1 b,2,1 a,4.5,2' 'three records'
	python 'head, scan = (s.values for s in state_file.read("state"))
assert (head["runs"], head["elements"], head["bytes"]) == (1, 3, 14), head
assert [(k["key"], k["lane1"]["last"], k["lane1"]["scale"], k["lane2"]["last"]) for k in scan["keys"]] == [(b"a", 45, 1, 2), (b"b", 2, 0, 1)], scan
cursor = scan["keys"][0]["lane1"]["cursor"][0]
assert cursor["carry"] == {"value": 45} and cursor["has_carry"] == 1, cursor'
	run_pscan -t f64 -op mean --state=mean <<<$'1\n2.5'
	assert_equal "$code" 0
	python 'import struct
lane = state_file.read("mean")[1].values["keys"][0]["lane1"]
bits = lambda x: struct.unpack("<Q", struct.pack("<d", x))[0]
cursor = lane["cursor"][0]
assert cursor["count"] == 2 and cursor["local_prefix"] == {"sum": bits(3.5), "count": 2}, cursor
assert lane["last"] == bits(1.75), lane'
}

@test "a state whose members another hand has written goes on from these" {
	run_pscan -t i64 -op max --state=state <<<7
	python 'sections = state_file.read("state")
lane = sections[1].values["keys"][0]["lane1"]
lane["cursor"][0]["local_prefix"]["value"] = 70
state_file.write("state", sections)'
	run_pscan -t i64 -op max --state=state <<<8
	assert_scanned '70' 'the greatest'
}

@test "an option's value that says no is not an option that was not given" {
	run_pscan --csv -f v --state=state <<<$'no,v\n1,2\n1,3'
	assert_scanned 'v_sum 2 5' 'without keys'
	cp state before
	run_pscan --csv -f v -g no --state=state <<<$'no,v\n1,2\n1,3'
	assert_equal "$code $out" '2 '
	assert_contains "$err" '"no -g" in the state, "-g no" now'
	cmp state before
}
