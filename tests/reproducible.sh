#!/bin/sh
# Builds the tree a second time, in a directory of another name and depth, at another time, with other settings of the
# user. That program and the one in BUILD must be equal to the byte. SHORT=1 takes from BUILD the objects that take
# longest to compile.
set -u
build=${BUILD:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
other=$work/another/directory/with-a-longer-name
mkdir -p "$other"
cp -R Makefile src kernels man "$other"
find "$other/src" -type f -exec touch {} +
objects=$(cd "$build" && pwd)
# MAKEFLAGS would hand on this build's variables.
unset BUILD MAKEFLAGS MFLAGS MAKEOVERRIDES
if [ -n "${SHORT:-}" ]; then
	(cd "$other" && make -s build/elsewhere/flags build/elsewhere/operators/made BUILD=build/elsewhere && mkdir -p build/elsewhere/scan &&
		cp "$objects"/rows/rows_*.o build/elsewhere/rows) >"$work/log" 2>&1 || { cat "$work/log" && exit 1; }
fi
(cd "$other" && umask 077 && TZ=Pacific/Auckland LC_ALL=C.UTF-8 make -j2 all BUILD=build/elsewhere) >"$work/log" 2>&1 ||
	{ tail -n 20 "$work/log" && exit 1; }
sha256sum "$build/pscan" "$other/build/elsewhere/pscan" | cut -d ' ' -f 1
if cmp "$build/pscan" "$other/build/elsewhere/pscan"; then
	echo '1 passed, 0 failed'
else
	echo '0 passed, 1 failed'
	exit 1
fi
