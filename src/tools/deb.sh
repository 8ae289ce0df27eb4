#!/bin/sh
# Makes the Debian packages of the tree NAME that `make dist` packs, in $BUILD/deb: the tree itself is not touched.
# lintian must find nothing. The same tree gives the same packages (SOURCE_DATE_EPOCH is the changelog's date).
# DEB_BUILD_OPTIONS and DEB_BUILD_PROFILES are as everywhere in Debian: nocheck leaves out the tests.
set -eu
name=$1
BUILD=${BUILD:-build}
needed() {
	echo "make deb: $1 (make deps-deb installs what it needs)" >&2
	exit 1
}
for tool in dpkg-buildpackage lintian; do
	command -v $tool >/dev/null || needed "there is no $tool"
done
dpkg-checkbuilddeps || needed 'packages are missing'
deb=$BUILD/deb
sh "$(dirname "$0")/dist.sh" "$name"
rm -rf "$deb"
mkdir -p "$deb"
tar -xzf "$BUILD/$name.tar.gz" -C "$deb"
(
	# What this make was given is not for the package's.
	unset BUILD MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL
	cd "$deb/$name"
	dpkg-buildpackage -us -uc
)
rm -rf "${deb:?}/$name"
lintian --allow-root --fail-on error,warning "$deb"/*.changes
ls -d "$deb"/*
