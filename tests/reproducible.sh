#!/bin/sh
# Builds the tree in two directories of different names and depths, at different times, with different users' settings; the
# programs must be the same to the byte.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
first=$work/a
second=$work/another/directory/with-a-longer-name
mkdir -p "$first" "$second"
for directory in "$first" "$second"; do
	cp -R Makefile src kernels "$directory"
done
# MAKEFLAGS would hand on this build's variables.
unset MAKEFLAGS MFLAGS MAKEOVERRIDES
(cd "$first" && make -j2 all) >"$work/log" 2>&1 || { tail -n 20 "$work/log" && exit 1; }
touch "$second"/src/*
(cd "$second" && umask 077 && TZ=Pacific/Auckland LC_ALL=C.UTF-8 make -j2 all BUILD=build/elsewhere) >"$work/log" 2>&1 ||
	{ tail -n 20 "$work/log" && exit 1; }
sha256sum "$first/build/pscan" "$second/build/elsewhere/pscan" | cut -d ' ' -f 1
if cmp "$first/build/pscan" "$second/build/elsewhere/pscan"; then
	echo '1 passed, 0 failed'
else
	echo '0 passed, 1 failed'
	exit 1
fi
