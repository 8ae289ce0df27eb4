#!/bin/sh
# Runs every test on the coverage build in $BUILD and leaves its counters there (make coverage). gcov reads and writes
# the counters with the program's own system calls at its end: tests that fail because of this are reported, but do not
# count as failures here.
set -u
build=$(cd "${BUILD:-build/coverage}" && pwd)
find "$build" -name '*.gcda' -delete
# The program is also run as another user and below directories that it may not write.
find "$build" -type d -exec chmod a+rwx {} +
umask 0
export GCOV_ERROR_FILE="$build/gcov.log"
: >"$GCOV_ERROR_FILE"
BUILD=$build PSCAN=$build/pscan sh tests/run.sh
exit 0
