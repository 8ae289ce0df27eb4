#!/bin/sh
# What every change must pass (.ci/run), in half an hour on two processors with nothing cached: the README's two
# commands, compilers and checkers, and a sample each of sanitizers, failing calls, MPI ranks and mutants. check_all.sh
# runs the rest.
set -u
. tests/steps.sh

step deps target deps-all deps-mpi
step gcc target -j2 all test-programs
step demo target demo
check_steps
# What is compiled for tests that run.sh does not start is compiled as there.
export POCL_EXTRA_BUILD_FLAGS="${POCL_EXTRA_BUILD_FLAGS--cl-opt-disable}"
# What clang has to say it says whatever it optimises.
step clang target -j2 CC=clang BUILD="$BUILD/clang" CFLAGS=-O0 SCAN_CFLAGS=-O0 GRID_CFLAGS=-O0 all
step lint target lint SHORT=1
step sanitizers target check-sanitizers SHORT=gate
step mpi target check-mpi SHORT=gate
step faults target check-faults SHORT=gate
[ ! -e tests/mutants/mutants.py ] || step mutants target check-mutants SHORT=gate

conclude
