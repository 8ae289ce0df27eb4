#!/usr/bin/env bats
# A state of one machine goes on on another one. `make check-foreign` runs this with the program of a machine of the other byte order;
# here both programs are the same.

load helper

@test "a state that one machine has written goes on on another, and back, bit for bit" {
	"$PYTHON" "$TOOLS/state_machines.py"
}
