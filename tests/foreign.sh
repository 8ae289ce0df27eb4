#!/bin/sh
# Tests the program, without devices, on other processors that qemu emulates: s390x, which is big-endian, and aarch64;
# and a program linked statically with musl, which this machine runs itself. Each is built in $BUILD/foreign/MACHINE
# without OpenCL, with the compression libraries that Debian has for it: apt-get fetches these into a directory there
# and does not install them. The tests themselves run on this machine, which is little-endian. NATIVE is this machine's
# program, which takes turns with the other one at a state (state_machines.bats). Left out are tests tagged `many`,
# which run the program thousands of times, and tests tagged `usual`, which need another build. MACHINES: which to test.
# SHORT=1: some tests, on s390x only. `make check-foreign` installs the compilers.
set -u
mkdir -p "${BUILD:-build}"
build=$(cd "${BUILD:-build}" && pwd)/foreign
MACHINES=${MACHINES:-${SHORT:+s390x}}
MACHINES=${MACHINES:-s390x aarch64 musl}

# Debian's name for the architecture of a machine.
debian_name() {
	case $1 in
	aarch64) echo arm64 ;;
	*) echo "$1" ;;
	esac
}

# fetch MACHINE: unpacks the libraries below its directory, once. apt-get's state is kept there too, not in this
# system's.
fetch() {
	[ ! -e "$build/$1/fetched" ] || return 0
	state=$build/$1/apt
	architecture=$(debian_name "$1")
	mkdir -p "$state/lists/partial" "$state/cache/archives/partial" "$state/packages" "$build/$1/root" && : >"$state/status" || return
	(
		cd "$state/packages" || exit
		set -- -qq -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" -o Dir::State="$state" \
			-o Dir::State::status="$state/status" -o Dir::Cache="$state/cache" -o APT::Sandbox::User="$(id -un)"
		apt-get "$@" update && apt-get "$@" download zlib1g-dev libzstd-dev liblzma-dev libbz2-dev liblz4-dev
	) || return
	for package in "$state"/packages/*.deb; do
		dpkg -x "$package" "$build/$1/root" || return
	done
	rm -r "$state"
	touch "$build/$1/fetched"
}

# make_program MACHINE: and $build/MACHINE/run, which runs it here. The grid's own text takes a compiler longer than all
# the rest.
make_program() {
	machine=$1
	set -- SCAN_CFLAGS=-O1 GRID_CFLAGS=-O0
	case $machine in
	musl)
		set -- "$@" STATIC="$build/musl" static
		command=
		;;
	*)
		include=$build/$machine/root/usr/include
		set -- "$@" BUILD="$build/$machine" OPENCL=no ISAL=no CC_FOR_BUILD=gcc CC="$machine-linux-gnu-gcc" \
			CPPFLAGS="-I$include -I$include/$machine-linux-gnu" LDFLAGS="-L$build/$machine/root/usr/lib/$machine-linux-gnu" all
		command="qemu-$machine-static -L /usr/$machine-linux-gnu"
		;;
	esac
	make --no-print-directory -s -j2 "$@" || return
	if [ "$machine" = musl ] && ldd "$build/musl/pscan" >/dev/null 2>&1; then
		echo "musl: the program is not static"
		return 1
	fi
	printf '#!/bin/sh\nexec %s %s "$@"\n' "$command" "$build/$machine/pscan" >"$build/$machine/run" && chmod +x "$build/$machine/run"
}

# tests_of MACHINE: the files of tests that mean something there.
tests_of() {
	if [ -n "${SHORT:-}" ]; then
		echo tests/cli/frozen.bats tests/cli/no_opencl.bats tests/cli/npy.bats tests/cli/state_machines.bats
	elif [ "$1" = musl ]; then
		echo tests/cli/no_opencl.bats "$(sh tests/host.sh --list)"
	else
		for name in frozen bits no_opencl text gzip decimal json lines missing npy state state_machines; do
			echo "tests/cli/$name.bats"
		done
	fi
}

passed=0
failed=0
skipped=0
for machine in $MACHINES; do
	mkdir -p "$build/$machine/tests"
	echo "-- $machine"
	if [ "$machine" != musl ] && ! fetch "$machine"; then
		echo "skipped: Debian's libraries for $machine cannot be fetched"
		skipped=$((skipped + 1))
		continue
	fi
	if make_program "$machine"; then
		file "$build/$machine/pscan" 2>/dev/null | cut -d , -f 1,2,4
		TESTS=${TESTS:-$(tests_of "$machine")} BUILD=$build/$machine/tests PSCAN=$build/$machine/run NATIVE=${build%/foreign}/pscan TAGS='!long,!many,!usual' \
			sh tests/host.sh >"$build/$machine/log" 2>&1
		cat "$build/$machine/log"
	else
		echo "$machine: no program" | tee "$build/$machine/log"
	fi
	# shellcheck disable=SC2046 # three numbers
	set -- $(sed -nE 's/^([0-9]+) passed, ([0-9]+) failed, ([0-9]+) skipped$/\1 \2 \3/p' "$build/$machine/log" | tail -n 1)
	passed=$((passed + ${1:-0}))
	failed=$((failed + ${2:-1}))
	skipped=$((skipped + ${3:-0}))
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ $((passed + skipped)) -gt 0 ]
