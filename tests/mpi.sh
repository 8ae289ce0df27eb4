#!/bin/sh
# Scans by the ranks of MPI: random scans compared with the single program's, refused options, memory, and ranks that
# are killed. SHORT=1 takes three minutes, SHORT=gate one. PSCAN and PSCAN_MPI are the programs.
set -u
PYTHON=${PYTHON:-/usr/bin/python3}
export PSCAN PSCAN_MPI
failed=0
passed=0

# part COMMAND...: a test whose last line has its totals.
part() {
	output=$("$@" 2>&1)
	printf '%s\n' "$output"
	# shellcheck disable=SC2046 # two numbers
	set -- $(printf '%s\n' "$output" | sed -nE 's/^([0-9]+) passed, ([0-9]+) failed$/\1 \2/p')
	passed=$((passed + ${1:-0}))
	failed=$((failed + ${2:-1}))
}

if [ "${SHORT:-}" = gate ]; then
	part "$PYTHON" tests/tools/mpi_refused.py
	part "$PYTHON" tests/tools/mpi_cases.py 1 6
	part "$PYTHON" tests/tools/mpi_text.py 1 5
	part "$PYTHON" tests/tools/mpi_resets.py 1 6
	part "$PYTHON" tests/tools/mpi_keys.py 1 5
	part "$PYTHON" tests/tools/mpi_kills.py 1 3
elif [ -n "${SHORT:-}" ]; then
	part "$PYTHON" tests/tools/mpi_refused.py
	part "$PYTHON" tests/tools/mpi_cases.py 1 20
	part "$PYTHON" tests/tools/mpi_text.py 1 14
	part "$PYTHON" tests/tools/mpi_resets.py 1 20
	part "$PYTHON" tests/tools/mpi_keys.py 1 20
	part "$PYTHON" tests/tools/mpi_memory.py 2
	part "$PYTHON" tests/tools/mpi_kills.py 1 8
	part "$PYTHON" tests/tools/mpi_changes.py 1 4
else
	part "$PYTHON" tests/tools/mpi_refused.py
	part "$PYTHON" tests/tools/mpi_cases.py 2 800
	part "$PYTHON" tests/tools/mpi_text.py 2 800
	part "$PYTHON" tests/tools/mpi_resets.py 2 800
	part "$PYTHON" tests/tools/mpi_keys.py 2 800
	part "$PYTHON" tests/tools/mpi_memory.py
	part "$PYTHON" tests/tools/mpi_kills.py 2 100
	part "$PYTHON" tests/tools/mpi_changes.py 2 40
fi
# The ranks with AddressSanitizer and UndefinedBehaviorSanitizer, which end a program with 99. (What MPI leaks is its
# own.)
if [ -e "$(dirname "$PSCAN")/asan/pscan-mpi" ]; then
	PSCAN_MPI=$(dirname "$PSCAN")/asan/pscan-mpi
	ASAN_OPTIONS=exitcode=99:use_sigaltstack=0:detect_leaks=0
	UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
	export ASAN_OPTIONS UBSAN_OPTIONS
	few=$([ "${SHORT:-}" = gate ] || echo 16)
	part "$PYTHON" tests/tools/mpi_cases.py 3 "${few:-4}"
	part "$PYTHON" tests/tools/mpi_text.py 3 $((${few:-4} * 3 / 2))
	part "$PYTHON" tests/tools/mpi_resets.py 3 $((${few:-4} * 3 / 2))
	part "$PYTHON" tests/tools/mpi_keys.py 3 "${few:-4}"
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
