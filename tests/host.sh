#!/bin/sh
# The tests of the program PSCAN that need no further builds, no device and no network: for the Debian package, while it
# is built (SHORT=1: fewer) and after it is installed, and for programs of other machines (foreign.sh). BUILD is a
# directory for their files. TESTS, FILTER and TAGS are as in run.sh. --list prints the files of tests.
set -u
cd "$(dirname "$0")/.." || exit

files='tests/cli/frozen.bats tests/cli/lanes.bats tests/cli/missing.bats tests/cli/npy.bats'
# Those that ask for no device, but those of the man page, which is looked for beside the program.
[ -n "${SHORT:-}" ] ||
	files="tests/cli/frozen.bats $(grep -l '^	export PSCAN_DEVICE=none' tests/cli/*.bats | grep -v /documentation)"
[ "${1:-}" != --list ] || { echo "$files" && exit; }
: "${PSCAN:?the program to test}"
export WITHOUT_DEVICES=1
TESTS=${TESTS:-$files} TAGS=${TAGS:-!long} exec sh tests/run.sh
