#!/usr/bin/env bats
# Failures of the system around the program: disks fill up, files change or vanish while they are read, drivers and the
# cache of compiled kernels are broken, signals come at any moment. The output is right up to its end, the exit status
# reports the failure, and no file is left over. Every test names its device: there is no default here.
# shellcheck disable=SC2154 # code, out and err are set by run_pscan
# shellcheck disable=SC2030,SC2031 # every test is a subshell

load helper

setup() {
	unset PSCAN_DEVICE POCL_CACHE_DIR
	cd "$TMP" || return
	LAYER=${BUILD:-$ROOT/build}/fault/opencl_layer.so
	# Drivers, layers and caches of these tests lie where a sandbox would not look for them.
	export PSCAN_SANDBOX_ALLOW=$TMP:${LAYER%/*}
	# A cache that a driver crashed with is not used for an hour: not by these tests and not by others.
	export XDG_CACHE_HOME=$BATS_FILE_TMPDIR/cache
	mkdir -p "$XDG_CACHE_HOME"
	ulimit -c 0
}

# A python prologue: start(argument...) begins pscan with signals as a shell has them.
# shellcheck disable=SC2034 # python uses it
PROLOGUE='
import fcntl
import glob
import os
import random
import signal
import struct
import subprocess
import sys
import termios
import time

from running import PSCAN, default_signals, start, totals, wait_for


def content(name):
    """The bytes of a file."""
    with open(name, "rb") as file:
        return file.read()


def wait_until_still(reader):
    """Waits until nothing more comes into a pipe."""
    held, before = 0, -1
    while held != before:
        time.sleep(0.1)
        held, before = struct.unpack("i", fcntl.ioctl(reader, termios.FIONREAD, bytes(4)))[0], held


def raw_totals(count):
    """The running totals of raw_integers, as i32."""
    import numpy as np
    return np.cumsum(np.arange(count) % 1000, dtype=np.int32).tobytes()


'

# Makes in, of integers a line each, and right, their totals.
integers() {
	seq "$1" >in
	"$PYTHON" -c 'import itertools, sys
print(*itertools.accumulate(range(1, int(sys.argv[1]) + 1)), sep="\n")' "$1" >right
}

needs_cpu_device() {
	run_pscan -l
	case $out in *' cpu '*) ;; *) skip 'no CPU device' ;; esac
}

# Fails unless the file is there, shorter than the right one, and the beginning of it.
assert_prefix() {
	[ "$(wc -c <"$1")" -lt "$(wc -c <"$2")" ]
	cmp -n "$(wc -c <"$1")" "$1" "$2"
}

# on_small_disk SCRIPT: runs the shell script where ./small is a disk of 1 MB; its last command's status is in $status.
on_small_disk() {
	local enter
	mkdir -p small
	if unshare -m mount -t tmpfs -o size=1m none small 2>/dev/null; then
		enter=(unshare -m)
	elif unshare -rm mount -t tmpfs -o size=1m none small 2>/dev/null; then
		enter=(unshare -rm)
	else
		skip 'no file system may be mounted'
	fi
	status=0
	"${enter[@]}" bash -c "mount -t tmpfs -o size=1m none small || exit 99; $1" || status=$?
	[ "$status" -ne 99 ]
}

# --- Disks that fill up

# bats test_tags=long
@test "a disk that fills up under standard output ends with 3 after a correct prefix" {
	integers 300000
	raw_integers 1000000 >raw
	python 'sys.stdout.buffer.write(raw_totals(1000000))' >raw_right
	local options
	for options in '-D none in' '-D none -T 4 --chunk-size=32K in' '-D cpu -t i64 in' '-D none -t i32 raw' \
		'-D none -t i32 -T 4 --chunk-size=16K raw' '-D cpu -t i32 --chunk-size=64K raw'; do
		on_small_disk "'$PSCAN' $options >small/out 2>err; code=\$?; cp small/out out; exit \$code"
		assert_equal "$options: $status $(cat err)" "$options: 3 pscan: standard output: No space left on device"
		[ "$(wc -c <out)" -gt 500000 ]
		case $options in *raw) assert_prefix out raw_right ;; *) assert_prefix out right ;; esac
	done
}

@test "compressed output onto a disk that fills up ends with 3, and what is there inflates to a correct prefix" {
	"$PYTHON" -c 'import random
random.seed(1)
print(*[random.randrange(10**15) for _ in range(200000)], sep="\n")' >in
	"$PSCAN" -D none in >right
	on_small_disk "'$PSCAN' -D none -z in >small/out 2>err; code=\$?; cp small/out out; exit \$code"
	assert_equal "$status $(cat err)" '3 pscan: standard output: No space left on device'
	gunzip -c <out >inflated 2>/dev/null || true
	[ -s inflated ]
	assert_prefix inflated right
}

@test "-o onto a disk that fills up ends with 3 and leaves the old file and no temporary one" {
	integers 300000
	local options
	for options in '' '-T 4 --chunk-size=32K' '-t i64 --output-format=binary' '-z -t i64'; do
		on_small_disk "echo old >small/made; '$PSCAN' -D none $options -o small/made in 2>err; code=\$?
			ls -A small >names; cp small/made made; exit \$code"
		assert_equal "$options: $status $(cat err)" "$options: 3 pscan: small/made: No space left on device"
		assert_equal "$(cat names made)" $'made\nold'
	done
}

@test "a disk of temporary files that fills up ends with 3 where --emit has t, and nothing is written" {
	integers 300000
	on_small_disk "TMPDIR=small '$PSCAN' -D none --emit='s / t' < <(cat in) 2>err >out; code=\$?; ls -A small >names; exit \$code"
	assert_equal "$status $(cat err)" '3 pscan: standard input: its temporary copy in small: No space left on device'
	[ ! -s names ]
	[ ! -s out ]
	on_small_disk "TMPDIR=small '$PSCAN' -D none --reset-every=1 --emit='s / t' in 2>err >out; code=\$?
		ls -A small >names; exit \$code"
	assert_equal "$status $(cat err)" '3 pscan: small: a temporary file: No space left on device (see TMPDIR)'
	[ ! -s names ]
	[ ! -s out ]
}

@test "an input on a full disk is read like any other, and a trace that does not fit is 3" {
	integers 100000
	on_small_disk "head -c 2000000 /dev/zero >small/full 2>/dev/null; '$PSCAN' -D none --trace=small/trace in 2>err >out
		code=\$?; ls -A small >names; exit \$code"
	assert_equal "$status $(wc -l <err) $(cat names)" '3 1 full'
	assert_contains "$(cat err)" 'small/trace: No space left on device'
	cmp out right
}

@test "a file size limit cuts standard output to a correct prefix and is 3" {
	integers 100000
	raw_integers 100000 >raw
	python 'sys.stdout.buffer.write(raw_totals(100000))' >raw_right
	local options
	for options in 'in' '-T 4 --chunk-size=32K in' '-t i32 -T 4 --chunk-size=16K raw'; do
		status=0
		# shellcheck disable=SC2086 # words
		(
			ulimit -f 100
			exec "$PSCAN" -D none $options >out 2>err
		) || status=$?
		assert_equal "$options: $status $(cat err)" "$options: 3 pscan: standard output: File too large"
		case $options in *raw) assert_prefix out raw_right ;; *) assert_prefix out right ;; esac
	done
}

# --- Input that changes

# held SCRIPT OPTION...: pscan reads the file in, but only 4 KiB of its output are taken until the script's change() has
# changed the file; then the rest. The script's check(status, output, messages) looks at the whole.
held() {
	local script=$1
	shift
	python "
reader, writer = os.pipe()
original = content('in')
child = start('-D', 'none', *sys.argv[1:], 'in', stdout=writer)
os.close(writer)
output = os.read(reader, 4096)
wait_until_still(reader)
$script
change()
with open(reader, 'rb') as rest:
    output += rest.read()
messages = child.stderr.read().decode()
check(child.wait(1200), output, messages)
" "$@"
}

# Text and raw numbers, windows read by one and by several threads, small chunks so that the change falls in the middle.
each_way() {
	"$PYTHON" -c 'import sys
for i in range(300000):
    sys.stdout.write("%d\n" % (i % 1000))' >text
	raw_integers 600000 >raw
	local threads
	for threads in 1 4; do
		cp text in
		held "$1" -T "$threads" --chunk-size=32K
		cp text in
		held "$1" -T "$threads" --chunk-size=32K -f 1
		cp text in
		held "$1" -T "$threads" --chunk-size=32K --no-mmap
		cp raw in
		held "$1" -T "$threads" --chunk-size=32K -t i32 --overflow=wrap
	done
}

# What is right of the bytes that the file had.
RIGHT='
def right(data):
    """The totals of the numbers in data, in the form that they have."""
    import numpy as np
    if data[:2] == b"0\n":
        values = np.cumsum(np.array(data.split(), dtype=np.int64))
        return b"".join(b"%d\n" % value for value in values.tolist())
    return np.cumsum(np.frombuffer(data, dtype=np.int32), dtype=np.int32).tobytes()


'

# bats test_tags=long
@test "a file that becomes shorter while it is read is 3, named, after a correct prefix" {
	each_way "$RIGHT"'
def change():
    """Cuts the file in the middle of what pscan has read."""
    os.truncate("in", 50000)


def check(status, output, messages):
    """A prefix of the whole, and the reason."""
    assert (status, messages) == (3, "pscan: in: the file became shorter while it was read\n"), (status, messages)
    whole = right(original)
    assert 4096 <= len(output) < len(whole) and whole.startswith(output), (len(output), len(whole))
'
}

# bats test_tags=long
@test "a file that grows while it is read is read to its old end at least, and what comes of it is right" {
	each_way "$RIGHT"'
def change():
    """Appends what the file holds already."""
    with open("in", "ab") as file:
        file.write(original)


def check(status, output, messages):
    """The totals of the old file or of more of it."""
    assert (status, messages) == (0, ""), (status, messages)
    assert len(output) >= len(right(original)) and right(original * 2).startswith(output), len(output)
'
}

# bats test_tags=long
@test "a file that is removed or replaced while it is read is read to its end" {
	each_way "$RIGHT"'
def change():
    """Another file takes the name, a shorter one."""
    with open("other", "wb") as file:
        file.write(b"x\n")
    os.rename("other", "in")


def check(status, output, messages):
    """As if nothing had happened."""
    assert (status, messages, output) == (0, "", right(original)), (status, messages, len(output))
'
}

@test "a file that vanishes before its turn is 3, named, after the results of those before it" {
	python '
for options in (), ("-T", "4", "--chunk-size=1"), ("-f", "1"):
    for name in "first", "second":
        if os.path.exists(name):
            os.remove(name)
    os.mkfifo("first")
    with open("second", "w") as second:
        second.write("3\n")
    child = start("-D", "none", *options, "first", "second")
    with open("first", "wb", buffering=0) as first:
        first.write(b"1\n2\n")
        os.remove("second")
    output, messages = child.communicate(timeout=1200)
    assert child.returncode == 3 and output == b"1\n3\n", (options, child.returncode, output)
    assert messages == b"pscan: second: No such file or directory\n", messages
'
}

# needs_nobody: NOBODY runs a command as a user who owns nothing, OPEN is a directory that this user can enter.
needs_nobody() {
	[ "$(id -u)" = 0 ] || skip 'not root'
	command -v setpriv >/dev/null || skip 'no setpriv'
	NOBODY=(setpriv --reuid=65534 --regid=65534 --clear-groups)
	OPEN=$(mktemp -d)
	chmod 755 "$OPEN"
	"${NOBODY[@]}" "$PSCAN" -V >/dev/null || skip 'the program cannot be run by another user'
}

teardown() {
	find "$BATS_FILE_TMPDIR/cache" -name damaged -delete
	[ -z "${OPEN:-}" ] || rm -rf "$OPEN"
}

# bats test_tags=root
@test "a file that may not be read is 3 and named, first or second" {
	needs_nobody
	echo 1 2 >"$OPEN/readable"
	echo 3 >"$OPEN/locked"
	chmod 000 "$OPEN/locked"
	status=0
	"${NOBODY[@]}" "$PSCAN" -D none "$OPEN/locked" >out 2>err || status=$?
	assert_equal "$status $(cat out) $(cat err)" "3  pscan: $OPEN/locked: Permission denied"
	status=0
	"${NOBODY[@]}" "$PSCAN" -D none "$OPEN/readable" "$OPEN/locked" >out 2>err || status=$?
	assert_equal "$status $(tr '\n' ' ' <out) $(cat err)" "3 1 3  pscan: $OPEN/locked: Permission denied"
}

# bats test_tags=root
@test "what its user cannot reach needs no rule: the sandbox is entered" {
	needs_nobody
	case $(echo 1 | "$PSCAN" -v -D none 2>&1) in *'sandbox: entered'*) ;; *) skip 'no sandbox here' ;; esac
	mkdir -m 700 "$OPEN/closed"
	status=0
	PSCAN_SANDBOX_ALLOW=$OPEN/closed/below "${NOBODY[@]}" "$PSCAN" -v -D none - "$OPEN/closed/in" < <(echo 1) >out 2>err || status=$?
	assert_equal "$status $(cat out)" '3 1'
	assert_contains "$(cat err)" 'sandbox: entered'
	assert_contains "$(tail -n 1 err)" "pscan: $OPEN/closed/in: Permission denied"
}

# --- Drivers that are broken

# icd NAME LINE: a directory of one driver's name, for the loader.
icd() {
	mkdir -p "$1"
	printf '%s\n' "$2" >"$1/driver.icd"
}

@test "without drivers or with broken ones -D cpu is 4, auto is the host with a line at most, -l says that there is none" {
	integers 200000
	mkdir empty
	icd nameless ''
	icd missing /nonexistent/libdriver.so
	echo 'this is text' >text.so
	icd text "$TMP/text.so"
	head -c 100000 /dev/zero >zeros.so
	icd zeros "$TMP/zeros.so"
	mkdir -p unreadable/driver.icd
	icd other "$(ldd "$PSCAN" | awk '/libz/ { print $3 }')" # without clGetPlatformIDs
	local cases='empty nameless missing text zeros unreadable other' case
	if compile --version >/dev/null 2>&1; then
		echo 'void nowhere(void); __attribute__((constructor)) void f(void) { nowhere(); }' >unresolved.c
		compile -shared -fPIC -Wl,-z,now -o unresolved.so unresolved.c
		icd unresolved "$TMP/unresolved.so"
		echo 'int clGetPlatformIDs(unsigned n, void *p, unsigned *c) { (void)n; (void)p; (void)c; return -6; }
			void *clGetExtensionFunctionAddress(const char *name) { (void)name; return 0; }' >refuses.c
		compile -shared -fPIC -o refuses.so refuses.c
		icd refuses "$TMP/refuses.so"
		cases="$cases unresolved refuses"
	fi
	for case in $cases; do
		export OCL_ICD_VENDORS=$TMP/$case
		run_pscan -D cpu -t i64 in
		assert_equal "$case: $code $out" "$case: 4 "
		case $case in
		empty | nameless | unreadable | other | refuses) cause= ;;
		missing) cause='; /nonexistent/libdriver.so: cannot open shared object file: No such file or directory' ;;
		text) cause="; $TMP/text.so: file too short" ;;
		zeros) cause="; $TMP/zeros.so: invalid ELF header" ;;
		unresolved) cause="; $TMP/unresolved.so: undefined symbol: nowhere" ;;
		esac
		assert_equal "$case: $err" "$case: pscan: no OpenCL device \"cpu\" (see --list-devices)$cause"
		code=0
		seq 200000 | PSCAN_AUTO=eager "$PSCAN" -D auto -t i64 --chunk-size=32K >out 2>err || code=$?
		assert_equal "$case: $code" "$case: 0"
		[ "$(wc -l <err)" -le 1 ]
		cmp out right
		run_pscan -l
		assert_equal "$case: $code $out $err" "$case: 0  pscan: warning: no OpenCL device$cause"
	done
}

@test "a driver for which there are too few descriptors or too little memory is named with the cause" {
	needs_cpu_device
	[ -z "${ASAN_OPTIONS:-}" ] || skip 'a sanitizer needs memory'
	echo 1 >in
	run_pscan -D cpu -t i64 in # from here on nothing is compiled, for which a compiler would lack files, and say something else
	local limit named=0
	for limit in $(seq 6 20); do # what bats has open counts too
		code=0
		(ulimit -n "$limit" && exec "$PSCAN" --no-sandbox -D cpu -t i64 in) >out 2>err || code=$?
		[ "$code" -ne 0 ] || break
		assert_contains "$(cat err)" 'Too many open files'
		named=$((named + $(grep -c '^pscan: no OpenCL device "cpu" (see --list-devices); /.*: Too many open files$' err || true)))
	done
	[ "$named" -ge 1 ]
	code=0
	(ulimit -v 200000 && exec "$PSCAN" --no-sandbox -D cpu -t i64 in) >out 2>err || code=$?
	assert_equal "$code $(cat out)" '4 '
	assert_contains "$(cat err)" 'failed to map segment from shared object'
}

# bats test_tags=long
@test "runs on PoCL leave no empty files in the cache" {
	needs_cpu_device
	echo 1 2 3 >in
	mkdir own
	export XDG_CACHE_HOME=$TMP/own
	run_pscan -D cpu -t i64 in
	run_pscan -D cpu -t i64 in
	run_pscan -D cpu -t f64 in
	sleep 0.1
	run_pscan -l
	[ -n "$(find own -name '*.so')" ]
	[ "$(find own -name 'tempfile_*' -size 0 | wc -l)" -le 1 ] # of the last one
	# Nor in one that the user names.
	mkdir named
	for _ in 1 2 3; do
		POCL_CACHE_DIR=$TMP/named run_pscan -D cpu -t i64 in
		assert_equal "$code" 0
		sleep 0.1
	done
	POCL_CACHE_DIR=$TMP/named run_pscan -l
	[ "$(find named -name 'tempfile_*' -size 0 | wc -l)" -le 1 ]
}

@test "a broken driver beside a sound one is passed over" {
	needs_cpu_device
	integers 1000
	mkdir both
	cp /etc/OpenCL/vendors/pocl*.icd both/ || skip 'PoCL is not where Debian puts it'
	echo /nonexistent/libdriver.so >both/a.icd
	echo 'this is text' >text.so
	echo "$TMP/text.so" >both/z.icd
	OCL_ICD_VENDORS=$TMP/both run_pscan -D cpu -t i64 in
	assert_equal "$code $err" '0 '
	cmp out right
}

# --- The cache of compiled kernels

# Makes in, right, and cache with the kernels for it.
warm_cache() {
	needs_cpu_device
	[ -e in ] || integers 20000
	mkdir -p warm
	XDG_CACHE_HOME=$TMP/warm run_pscan -D cpu -t i64 in
	assert_equal "$code $err" '0 '
	cmp out right
	[ -n "$(find warm/pscan -name program.bc)" ]
	[ -n "$(find warm/pscan -name '*.so')" ]
}

# spoil NAME COMMAND: a fresh copy of the cache, in which the command is run for each file of the name.
spoil() {
	rm -rf cache
	cp -a warm cache
	find cache/pscan -name "$1" -type f -exec sh -c "$2" {} \;
	# What is new may still be made by another run.
	find cache/pscan -exec touch -d '1 hour ago' {} +
}

# scans_with_cache DEVICE: as it must be.
scans_with_cache() {
	XDG_CACHE_HOME=$TMP/cache run_pscan -D "$1" in
	assert_equal "$2: $code $err" "$2: 0 "
	cmp out right
}

# bats test_tags=long
@test "compiled kernels that are empty, cut, zeroed or of another kind are compiled again" {
	warm_cache
	local name damage
	# shellcheck disable=SC2016 # for the inner shell
	while read -r name damage; do
		spoil "$name" "$damage"
		scans_with_cache cpu "$name $damage"
		[ -n "$(find cache/pscan -name "$name" -type f -size +1k)" ]
	done <<'END'
program.bc : >"$0"
program.bc head -c "$(wc -c <"$0")" /dev/zero >zeros && cp zeros "$0"
*.so : >"$0"
*.so truncate -s 4096 "$0"
*.so truncate -s -1 "$0"
*.so rm "$0" && mkdir "$0" && : >"$0/file"
END
}

# bats test_tags=long
@test "a cache on which the driver aborts is not used again, and the abort leaves no temporary file" {
	warm_cache
	# shellcheck disable=SC2016 # for the inner shell
	spoil program.bc 'truncate -s 8000 "$0"'
	echo old >made
	code=0
	XDG_CACHE_HOME=$TMP/cache "$PSCAN" -D cpu -t i64 -o made in 2>err || code=$?
	[ "$code" -ne 0 ] || skip 'this driver does not abort'
	# The trial is remembered, so the abort is the program's.
	assert_equal "$code $(tail -n 1 err)" "4 pscan: a device's driver ended the program"
	assert_equal "$(cat made) $(find . -name '.pscan*')" 'old '
	[ -e cache/pscan/pocl/damaged ]
	# shellcheck disable=SC2016 # for the inner shell
	spoil program.bc 'truncate -s 8000 "$0"'
	rm cache/pscan/pocl/tried-*
	code=0
	XDG_CACHE_HOME=$TMP/cache "$PSCAN" -D cpu -t i64 -o made in 2>err || code=$?
	assert_equal "$code $(tail -n 1 err)" '4 pscan: device cpu: a driver crashed (signal 6)'
	assert_equal "$(cat made) $(find . -name '.pscan*')" 'old '
	[ -e cache/pscan/pocl/damaged ]
	scans_with_cache cpu again
	[ -n "$(find cache/pscan/pocl.1 -name '*.so')" ]
	# Later it is used again, without what was there then.
	find cache/pscan/pocl -exec touch -d '3 hours ago' {} +
	touch -d '2 hours ago' cache/pscan/pocl/damaged
	touch cache/pscan/pocl/new
	scans_with_cache cpu 'later'
	[ ! -e cache/pscan/pocl/damaged ]
	[ -e cache/pscan/pocl/new ]
	[ -z "$(find cache/pscan/pocl -type f ! -newer cache/pscan/pocl.1 ! -name new)" ]
	[ -n "$(find cache/pscan/pocl -name '*.so' -newer cache/pscan/pocl.1)" ]
}

# posing OPTION...: pscan with PoCL that poses as a GPU, which auto takes at once; its input comes from fd 0.
posing() {
	PSCAN_AUTO=eager OPENCL_LAYERS=$LAYER FAULT_LIE=gpu FAULT_LOG=$TMP/log timeout 1200 "$PSCAN" -D auto -t i64 "$@"
}

# Feeds in to the output, with a pause after half of it until the file err has the pattern.
in_halves() {
	head -n 10000 in
	wait_until grep -qs "$1" err
	tail -n +10001 in
}

# bats test_tags=long
@test "a driver that aborts costs auto one warning and no result, and the cache is not used again" {
	warm_cache
	[ -e "$LAYER" ]
	# The kernels in the shape for GPUs.
	mkdir -p cache
	OPENCL_LAYERS=$LAYER FAULT_LIE=gpu FAULT_LOG=$TMP/log XDG_CACHE_HOME=$TMP/cache run_pscan -D gpu -t i64 in
	assert_equal "$code $err" '0 '
	find cache -name program.bc -exec truncate -s 8000 {} +
	: >err
	export XDG_CACHE_HOME=$TMP/cache
	code=0
	in_halves 'the host goes on' | posing --chunk-size=32K >out 2>err || code=$?
	grep -q loaded log
	assert_equal "$code $(grep -c . <(grep '^pscan: warning: ' err))" '0 1'
	assert_contains "$(cat err)" "device auto: a driver crashed (signal 6); the host goes on"
	cmp out right
	[ -e cache/pscan/pocl/damaged ]
}

# bats test_tags=long
@test "what is no cache of one's own is not used, and not touched" {
	warm_cache
	local damage
	for damage in 'rm -rf cache/pscan/pocl; : >cache/pscan/pocl' \
		"mv cache/pscan/pocl x/; ln -s $TMP/x/pocl cache/pscan/pocl" 'chmod 750 cache/pscan/pocl; rm -r cache/pscan/pocl/*' 'chown 65534 cache/pscan' \
		'rm -rf cache; ln -s nowhere cache'; do
		case $damage in chown*) [ "$(id -u)" = 0 ] || continue ;; esac
		rm -rf cache x temporary
		mkdir x temporary
		cp -a warm cache
		eval "$damage"
		find cache x -newer right -printf '%p %m %u %s %l\n' 2>/dev/null | sort >before
		TMPDIR=$TMP/temporary scans_with_cache cpu "$damage"
		find cache x -newer right -printf '%p %m %u %s %l\n' 2>/dev/null | sort >after
		cmp before after
		assert_equal "$damage: $(ls -A temporary)" "$damage: "
	done
}

# bats test_tags=long
@test "no home, or one that is no directory or cannot be written to, is silent and leaves nothing behind" {
	needs_cpu_device
	integers 20000
	mkdir temporary
	: >file
	local setting
	for setting in -uHOME HOME=relative "HOME=$TMP/file" "HOME=/$(printf '%05000d' 0)"; do
		code=0
		env -uXDG_CACHE_HOME "$setting" TMPDIR="$TMP/temporary" "$PSCAN" -D cpu -t i64 in >out 2>err || code=$?
		assert_equal "$setting: $code $(cat err) $(ls -A temporary)" "$setting: 0  "
		cmp out right
	done
	[ ! -e relative ]
}

@test "a cache on a full disk is not used, and with no other place a named device is 4 with a message, auto the host" {
	needs_cpu_device
	[ -e "$LAYER" ]
	integers 20000
	on_small_disk "XDG_CACHE_HOME=$TMP/small '$PSCAN' -D cpu -t i64 in >out 2>err"
	assert_equal "$status $(cat err)" '0 '
	cmp out right
	: >err
	on_small_disk "XDG_CACHE_HOME=$TMP/small TMPDIR=$TMP/small '$PSCAN' -D cpu -t i64 -o made in 2>err
		code=\$?; ls -A small | grep -v '^pscan\$' >left; exit \$code"
	assert_equal "$status $(grep -c '^pscan: ' err) $(cat left) $(find . -name made -o -name '.pscan*')" '4 1  '
	: >err
	export -f in_halves posing wait_until
	export LAYER TMP
	on_small_disk "export XDG_CACHE_HOME=$TMP/small TMPDIR=$TMP/small
		set -o pipefail
		in_halves 'pscan: ' | posing --chunk-size=32K >out 2>err
		code=\$?; ls -A small | grep -v '^pscan\$' >left; exit \$code"
	assert_equal "$status $(grep -c '^pscan: ' err) $(cat left)" '0 1 '
	grep -q loaded log
	cmp out right
}

# bats test_tags=long
@test "eight cold starts at once on one empty cache are all right" {
	needs_cpu_device
	integers 20000
	mkdir cache
	export XDG_CACHE_HOME=$TMP/cache
	local runs=()
	for i in 0 1 2 3 4 5 6 7; do
		timeout 1200 "$PSCAN" -D cpu -t i64 in >"out$i" 2>"err$i" 3>&- &
		runs[i]=$!
	done
	for i in 0 1 2 3 4 5 6 7; do
		code=0
		wait "${runs[i]}" || code=$?
		assert_equal "$i: $code $(cat "err$i")" "$i: 0 "
		cmp "out$i" right
	done
}

# --- Signals

# bats test_tags=long
@test "SIGINT, SIGTERM and SIGHUP at any moment end the program at once, by that signal, with a prefix and nothing left" {
	needs_cpu_device
	raw_integers 4000000 >raw
	warm_cache
	python '
random.seed(20)
whole = raw_totals(4000000)
kinds = {
    "host, held input": ("-D", "none"),
    "PoCL, held input": ("-D", "cpu", "-t", "i64", "--chunk-size=64K"),
    "auto, held input": ("-D", "auto", "-t", "i64", "--chunk-size=64K"),
    "-o": ("-D", "none", "-T", "4", "--chunk-size=64K", "-o", "made"),
    "-o, PoCL": ("-D", "cpu", "-t", "i64", "-o", "made"),
    "in place": ("-D", "none", "-t", "i32", "-T", "4", "--chunk-size=16K", "raw"),
    "in place, PoCL": ("-D", "cpu", "-t", "i32", "--chunk-size=16K", "raw"),
    "unread output": ("-D", "none", "-t", "i32", "raw"),
}
with open("made", "w") as made:
    made.write("old\n")
killed = 0
for run in range(5 * len(kinds)):
    kind = list(kinds)[run % len(kinds)]
    number = random.choice((signal.SIGINT, signal.SIGTERM, signal.SIGHUP))
    in_place = kind.startswith("in place")
    out = open("out", "wb") if in_place else subprocess.PIPE
    child = start(*kinds[kind], stdout=out, env={**os.environ, "XDG_CACHE_HOME": os.path.abspath("warm")})
    if not in_place:
        child.stdin.write(b"1\n" * 20000)
    time.sleep(random.choice((0, 0.002, 0.01, 0.03)) if in_place else random.uniform(0, 0.12))
    child.send_signal(number)
    status = child.wait(1200)
    assert status == -number or status == 0 and in_place, (kind, number, status)
    killed += status == -number
    assert child.stderr.read() == b"", kind
    if in_place:
        output = content("out")
        assert len(output) % 4 == 0 and whole.startswith(output), (kind, number, len(output))
        assert status != 0 or output == whole
    assert content("made") == b"old\n" and glob.glob(".pscan*") == [], kind
    child.stdin.close()
    if not in_place:
        child.stdout.close()
assert killed >= 3 * len(kinds), killed
'
}

# driver ATTRIBUTE STATEMENT: a directory whose only driver executes it as it is loaded (constructor) or at the end
# (destructor), having made the file called.
driver() {
	[ -z "${ASAN_OPTIONS:-}" ] || skip 'a sanitizer ends the program in its own way'
	mkdir -p dying
	{
		printf '#include <%s.h>\n' fcntl signal stdlib sys/wait unistd
		printf '__attribute__((%s)) static void die(void) { (void)close(creat("called", 0600)); %s; }\n' "$1" "$2"
	} >dying/driver.c
	compile -shared -fPIC -o dying/driver.so dying/driver.c || skip 'no compiler'
	echo "$TMP/dying/driver.so" >dying/only.icd
	export OCL_ICD_VENDORS=$TMP/dying
	# The cache is marked after each.
	rm -rf own called && mkdir own && export XDG_CACHE_HOME=$TMP/own
}

# The file in, half of it when the driver has been called.
until_called() {
	head -n 10000 in
	wait_until [ -e called ]
	sleep 0.5 # for a driver's child to do what it does, if it can
	tail -n +10001 in
}

@test "a driver that ends the process while it is loaded is reported, and nothing is lost" {
	integers 20000
	export PSCAN_AUTO=eager
	local statement how
	for statement in 'exit(0)' 'exit(1)' '_exit(0)' 'abort()' 'signal(SIGABRT, SIG_DFL), abort()' 'raise(SIGSEGV)'; do
		driver constructor "$statement"
		case $statement in
		*abort*) how='crashed (signal 6)' ;;
		raise*) how='crashed (signal 11)' ;;
		*) how='ended the process that tried it' ;;
		esac
		run_pscan -D cpu -t i64 in
		assert_equal "$statement: $code $(wc -c <out) $(cat err)" "$statement: 4 0 pscan: device cpu: a driver $how"
		run_pscan -D cpu -t i64 -o made in
		assert_equal "$statement: $code $(find . -name made -o -name '.pscan*')" "$statement: 4 "
		: >err
		code=0
		in_halves 'pscan: ' | timeout 1200 "$PSCAN" -D auto -t i64 --chunk-size=32K >out 2>err || code=$?
		assert_equal "$statement: $code $(grep -c '^pscan: warning: ' err)" "$statement: 0 1"
		cmp out right
		run_pscan -l
		assert_equal "$statement: $code $out $err" "$statement: 4  pscan: cannot list the devices: a driver $how"
	done
	unset OCL_ICD_VENDORS
}

@test "a driver that hangs or crashes when the program ends changes nothing, and a hang ends in time" {
	echo 1 >in
	for statement in 'pause()' 'abort()' '*(volatile int *)1 = 1'; do
		driver destructor "$statement"
		# If a child lists the devices, the end of its driver is not waited for.
		run_pscan -l
		assert_equal "$statement: $code $out $err" "$statement: 0  pscan: warning: no OpenCL device"
		[ ! -e called ]
		for patience in 2 16 128; do
			SECONDS=0
			[ "$statement" != 'pause()' ] || export PSCAN_DEVICE_TIMEOUT=$patience
			PSCAN_TRIAL=off run_pscan -D cpu -t i64 in
			# A slow machine may need more before there is an end.
			[[ $err == *'no progress for '* ]] || break
		done
		assert_equal "$statement: $code $out $err" "$statement: 4  pscan: no OpenCL device \"cpu\" (see --list-devices)"
		[ -e called ]
		[ "$statement" != 'pause()' ] || [ $SECONDS -ge 1 ]
		unset PSCAN_DEVICE_TIMEOUT
	done
	unset OCL_ICD_VENDORS
}

@test "a child of a driver that crashes or exits settles nothing of its parent's and holds nothing up" {
	integers 20000
	export PSCAN_AUTO=eager
	for statement in '*(volatile int *)1 = 1' 'abort()' 'exit(127)'; do
		driver constructor "int status; if (fork() == 0) { $statement; } (void)wait(&status)"
		code=0
		until_called | timeout 1200 "$PSCAN" -D auto -t i64 --chunk-size=32K -o made 2>err || code=$?
		assert_equal "$statement: $code $(cat err)" "$statement: 0 "
		[ -e called ]
		cmp made right
		rm -r called own/pscan/pocl
		# Nobody keeps the pipe open.
		until_called | timeout 1200 "$PSCAN" -D auto -t i64 --chunk-size=32K | cmp - right
		[ -e called ]
		[ ! -e own/pscan/pocl/damaged ]
	done
	unset OCL_ICD_VENDORS
}

@test "a stream that ends while a driver is tried ends at once, and the child with it" {
	integers 20000
	driver constructor 'for (;;) pause()'
	code=0
	until_called | PSCAN_AUTO=eager "$PSCAN" -D auto -t i64 --chunk-size=32K >out 2>err || code=$?
	[ -e called ]
	assert_equal "$code $(cat err)" '0 '
	cmp out right
	# Its working directory tells the child from others'. (It need not have been waited for.)
	none_left() {
		local process
		for process in /proc/[0-9]*; do
			case $(readlink "$process/exe" 2>/dev/null) in
			"$PSCAN") [ "$(readlink "$process/cwd" 2>/dev/null)" != "$PWD" ] || return 1 ;;
			esac
		done
	}
	wait_until none_left
	unset OCL_ICD_VENDORS
}

@test "what a driver prints where results go is not among them" {
	needs_cpu_device
	integers 20000
	"$PSCAN" -D none in >right
	driver constructor '(void)!write(1, "NOISE\n", 6)'
	cp /etc/OpenCL/vendors/pocl*.icd dying/ || skip 'PoCL is not where Debian puts it'
	export PSCAN_SANDBOX_ALLOW=$TMP
	run_pscan -D cpu -t i64 in
	[ -e called ]
	assert_equal "$code $err" '0 '
	cmp out right
	local path
	for path in - /dev/stdout /dev/fd/1; do
		"$PSCAN" -D cpu -t i64 -o "$path" in | cmp - right
	done
	: >place
	"$PSCAN" -D cpu -t u8:u64 --format=binary --chunk-size=16K in 1<>place
	"$PSCAN" -D none -t u8:u64 --format=binary in | cmp - place
	unset OCL_ICD_VENDORS
}

@test "what a driver prints while it is tried is not among the results" {
	integers 20000
	driver constructor '(void)!write(1, "1\n", 2)'
	run_pscan -D cpu -t i64 in
	[ -e called ]
	assert_equal "$code $out" '4 '
	run_pscan -l
	assert_equal "$code $out" '0 '
	unset OCL_ICD_VENDORS
}

@test "a driver that damages the heap costs auto one warning" {
	integers 20000
	driver constructor 'char *volatile p = malloc(5000), *volatile q = malloc(5000); free(p); free(p); free(q)'
	code=0
	: >err
	in_halves 'the host goes on' | PSCAN_AUTO=eager timeout 1200 "$PSCAN" -D auto -t i64 --chunk-size=32K >out 2>err || code=$?
	[ -e called ]
	assert_equal "$code $(grep -c '^pscan: warning: ' err)" '0 1'
	cmp out right
	unset OCL_ICD_VENDORS
}

# dies OPTION...: pscan with a driver that takes the signals over and ends the process where $FAULT_DIE says.
dies() {
	rm -f log
	OPENCL_LAYERS=$LAYER FAULT_LIE=gpu FAULT_LOG=$TMP/log PSCAN_MEMORY=copy run_pscan "$@"
	grep -q "^died ${FAULT_DIE%%:*}" log
}

# bats test_tags=long
@test "a driver that ends the process while it lists, compiles or first scans is reported, and nothing is lost" {
	[ -z "${ASAN_OPTIONS:-}" ] || skip 'a sanitizer ends the program in its own way'
	needs_cpu_device
	[ -e "$LAYER" ]
	integers 20000
	echo old >made
	mkdir own
	export XDG_CACHE_HOME=$TMP/own
	local death
	for death in clGetPlatformIDs:1:abort clGetPlatformIDs:1:quit clGetDeviceInfo:4:crash clCreateContext:1:exit clBuildProgram:1:abort \
		clBuildProgram:1:exit clEnqueueNDRangeKernel:1:crash clWaitForEvents:1:abort clWaitForEvents:1:quit; do
		rm -f own/pscan/pocl/damaged own/pscan/pocl/tried-* # the kernels stay
		export FAULT_DIE=$death
		dies -D gpu -t i64 -o made in
		assert_equal "$death: $code $(grep -c . err) $(cat made) $(find . -name '.pscan*')" "$death: 4 1 old "
		assert_contains "$(cat err)" 'pscan: device gpu: a driver '
		: >err
		rm -f own/pscan/pocl/damaged
		PSCAN_AUTO=eager dies -D auto -t i64 --chunk-size=32K < <(in_halves 'the host goes on')
		assert_equal "$death: $code $(grep -vc '^pscan: warning: device auto: a driver .*; the host goes on$' err)" "$death: 0 0"
		cmp out right
		case $death in clGet*)
			dies -l
			assert_equal "$death: $code $out $(grep -c '^pscan: cannot list the devices: a driver ' err)" "$death: 4  1"
			;;
		esac
	done
}

# bats test_tags=long
@test "a driver that ends the program in mid-stream in spite of its trial leaves a correct prefix and no temporary file" {
	[ -z "${ASAN_OPTIONS:-}" ] || skip 'a sanitizer ends the program in its own way'
	needs_cpu_device
	[ -e "$LAYER" ]
	integers 200000
	echo old >made
	export PSCAN_TRIAL=off FAULT_DIE=clEnqueueNDRangeKernel:12:exit
	# The first chunks' results are written by then, however busy the machine is.
	first_written() {
		head -c 500000 in
		wait_until [ -s out ]
		tail -c +500001 in
	}
	dies -D gpu -t i64 --chunk-size=1M < <(first_written)
	assert_equal "$code $err" "4 pscan: a device's driver ended the program"
	[ -s out ]
	assert_prefix out right
	dies -D gpu -t i64 --chunk-size=1M -o made in
	assert_equal "$code $(cat made) $(find . -name '.pscan*')" '4 old '
}

# bats test_tags=root
@test "where PoCL aborts while its devices are listed, as without /sys, auto goes on and a named device is exit 4" {
	needs_cpu_device
	unshare -m mount -t tmpfs none /sys 2>/dev/null || skip 'no file system may be mounted'
	integers 20000
	# shellcheck disable=SC2016 # for the inner shell
	unshare -m bash -c 'mount -t tmpfs none /sys && exec "$0" -l >out 2>err' "$PSCAN" && code=0 || code=$?
	[ "$code" != 0 ] || skip 'this driver does without /sys'
	assert_equal "$code $(cat out) $(tail -n 1 err)" '4  pscan: cannot list the devices: a driver crashed (signal 6)'
	code=0
	# shellcheck disable=SC2016 # for the inner shell
	unshare -m bash -c 'mount -t tmpfs none /sys && exec "$0" -D cpu -t i64 in >out 2>err' "$PSCAN" || code=$?
	assert_equal "$code $(cat out) $(tail -n 1 err)" '4  pscan: device cpu: a driver crashed (signal 6)'
	code=0
	: >err
	export -f in_halves wait_until
	# shellcheck disable=SC2016 # for the inner shell
	unshare -m bash -c 'mount -t tmpfs none /sys && in_halves "the host goes on" | PSCAN_AUTO=eager OCL_ICD_VENDORS=/etc/OpenCL/vendors "$0" \
		-t i64 --chunk-size=32K >out 2>err' "$PSCAN" || code=$?
	assert_equal "$code $(grep '^pscan: ' err)" '0 pscan: warning: device auto: a driver crashed (signal 6); the host goes on'
	cmp out right
}

# bats test_tags=long
@test "what came back well from a trial is not tried again until a driver's file changes" {
	needs_cpu_device
	[ -e "$LAYER" ]
	integers 2000
	mkdir own vendors
	export XDG_CACHE_HOME=$TMP/own OCL_ICD_VENDORS=$TMP/vendors PSCAN_SANDBOX_ALLOW=$TMP:${LAYER%/*}
	cp /etc/OpenCL/vendors/pocl*.icd vendors/ || skip 'PoCL is not where Debian puts it'
	local tries=0
	# tried N: runs; there were N trials so far. Each process that loads drivers is one line in the log.
	tried() {
		rm -f log
		OPENCL_LAYERS=$LAYER FAULT_LOG=$TMP/log run_pscan -D cpu -t i64 "${@:2}" in
		assert_equal "$code $err" '0 '
		tries=$((tries + $(grep -c '^loaded' log) - 1))
		assert_equal "$*: $tries" "$*: $1"
	}
	tried 1
	tried 1 -op max
	tried 2 -D 0:0
	tried 2 -D 0:0
	tried 2
	touch -d '1 day ago' vendors/*.icd
	tried 3
	tried 3
	: >vendors/other.icd
	tried 4
	tried 4
	LD_PRELOAD='' tried 5
	rm own/pscan/pocl/tried-*
	tried 6
	for name in own/pscan/pocl/tried-*; do truncate -s 300 "$name"; done
	tried 7
	sed -i '$d' own/pscan/pocl/tried-*
	tried 8
}

@test "a trial that cannot be made is 3" {
	needs_cpu_device
	local faults=${LAYER%/*}/libc_faults.so
	[ -e "$faults" ] || skip 'no preloaded library (make check-faults)'
	echo 1 >in
	local case
	for case in fork:1:11 socketpair:1:24; do
		rm -f log
		XDG_CACHE_HOME=$TMP/own LD_PRELOAD=$faults FAULT_LIBC_LOG=$TMP/log FAULT_LIBC_FAIL=$case run_pscan -D cpu -t i64 in
		grep -q "^failed ${case%%:*} 1" log
		assert_equal "$case: $code $out $(grep -c '^pscan: cannot ' err)" "$case: 3  1"
	done
}

@test "whatever allocation fails while texts are counted, the end is 3 and one message" {
	local faults=${LAYER%/*}/libc_faults.so
	[ -e "$faults" ] || skip 'no preloaded library (make check-faults)'
	[ -z "${ASAN_OPTIONS:-}" ] || skip 'a sanitizer is loaded first'
	seq -f w%.0f 9000 >in
	# Allocation N fails, or all from N on. (Other threads may use up the last numbers.)
	FAULTS=$faults python '
import re
def attempt(fail):
    run = subprocess.run([PSCAN, "-D", "none", "-T", "2", "--chunk-size=64K", "-f", "1", "-op", "distinct", "in"], capture_output=True,
                         env={**os.environ, "LD_PRELOAD": os.environ["FAULTS"], "FAULT_LIBC_LOG": "log", "FAULT_LIBC_FAIL": fail})
    log = content("log")
    os.unlink("log")
    return run, log
run, log = attempt("aligned_alloc:1000000:12:once")
assert run.stdout == "".join(f"{i}\n" for i in range(1, 9001)).encode() and not run.stderr
count = int(re.search(b"count aligned_alloc ([0-9]+)", log).group(1))
for number in range(1, count * 3 // 4, 7):
    for mode in "once", "sticky":
        run, log = attempt(f"aligned_alloc:{number}:12:{mode}")
        assert b"failed" in log and run.returncode == 3 and run.stderr.count(b"\n") == 1, (number, mode, run.returncode, run.stderr)
'
}

@test "started with all signals blocked, a run on a device ends as any other" {
	[ -z "${ASAN_OPTIONS:-}" ] || skip 'a sanitizer needs signals'
	needs_cpu_device
	code=0
	python 'signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
done = subprocess.run([PSCAN, "-D", "cpu", "-t", "i64"], input=b"1\n2\n", stdout=subprocess.PIPE, timeout=1200)
assert (done.returncode, done.stdout) == (0, b"1\n3\n"), done'
}

@test "a shell sees 128 and the number of the signal" {
	# shellcheck disable=SC2016 # for the inner shell
	python '
for number in signal.SIGHUP, signal.SIGINT, signal.SIGTERM:
    shell = subprocess.Popen(["sh", "-c", "\"$PSCAN\" -D none -o made; echo $?"], preexec_fn=default_signals,
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    shell.stdin.write(b"1\n" * 10)
    shell.stdin.flush()
    wait_for(lambda: glob.glob(".pscan*"))
    child = int(content("/proc/%d/task/%d/children" % (shell.pid, shell.pid)).split()[0])
    os.kill(child, number)
    output = shell.stdout.read()
    assert output == b"%d\n" % (128 + number), (number, output)
    shell.stdin.close()
    assert shell.wait(1200) == 0 and glob.glob(".pscan*") == [] and not os.path.exists("made")
'
}

@test "an abort that somebody else sends marks no cache" {
	[ -z "${ASAN_OPTIONS:-}" ] || skip 'a sanitizer ends the program in its own way'
	needs_cpu_device
	XDG_CACHE_HOME=$TMP/own python '
import ctypes

os.mkdir("own")
for send in os.kill, lambda *to: ctypes.CDLL(None).sigqueue(*to, None):
    child = start("-D", "cpu", "-t", "i64", "-o", "made", stdin=subprocess.PIPE)
    child.stdin.write(b"1\n" * 10)
    wait_for(lambda: glob.glob(".pscan*") and os.path.exists("own/pscan/pocl"))
    send(child.pid, signal.SIGABRT)
    assert child.wait(1200) == -signal.SIGABRT
    assert glob.glob(".pscan*") == [] and not os.path.exists("own/pscan/pocl/damaged")
'
}

@test "every driver that is told where to keep kernels keeps them in the cache; a place of its own stays" {
	mkdir own
	XDG_CACHE_HOME=$TMP/own OCL_ICD_VENDORS=/etc/OpenCL/vendors MESA_SHADER_CACHE_DIR=$TMP/own/given/deep run_pscan -l
	assert_equal "$code" 0
	assert_equal "$(cd own && find . -type d -perm 700 | sort | head -n 6 | tr '\n' ' ')" \
		'./given ./given/deep ./pscan ./pscan/intel ./pscan/nvidia ./pscan/pocl '
	[ ! -e own/pscan/mesa ]
}

@test "a signal leaves no private cache behind, a crash neither" {
	needs_cpu_device
	integers 20000
	python '
os.mkdir("temporary")
environment = {**os.environ, "HOME": "/dev/null", "TMPDIR": os.path.abspath("temporary")}
environment.pop("XDG_CACHE_HOME", None)


def made():
    """How many files the cache holds."""
    return sum(len(files) for _, _, files in os.walk("temporary"))


# As soon as the directory is there, in the middle of the first compilation, and with the kernels in use.
for files, numbers in ((0, (signal.SIGTERM, signal.SIGHUP)), (1, (signal.SIGTERM, signal.SIGINT)), (4, (signal.SIGHUP, signal.SIGABRT))):
    for number in numbers:
        child = start("-D", "cpu", "-t", "i64", env=environment)
        child.stdin.write(content("in")[:60000])
        wait_for(lambda: os.listdir("temporary") and made() >= files)
        child.send_signal(number)
        assert child.wait(1200) == -number, (files, number, child.returncode)
        child.stdin.close(), child.stdout.close(), child.stderr.close()
        assert os.listdir("temporary") == [], (files, number, os.listdir("temporary"))
'
}

# --- Other rights

# needs_other_rights MODE: PRIVILEGED is a copy of the program with this mode, which belongs to nobody.
needs_other_rights() {
	needs_nobody
	PRIVILEGED=$OPEN/pscan
	cp "$PSCAN" "$PRIVILEGED"
	chown 65534:65534 "$PRIVILEGED"
	chmod "$1" "$PRIVILEGED"
	setpriv --reuid=65533 --regid=65533 --clear-groups "$PRIVILEGED" -V >/dev/null 2>err || [ $? = 2 ] ||
		skip 'the copy cannot be run by another user'
	# Where a file system or a sandbox ignores the mode there are no rights to refuse.
	cp "$(command -v id)" "$OPEN/id"
	chown 65534:65534 "$OPEN/id"
	chmod "$1" "$OPEN/id"
	[ "$(setpriv --reuid=65533 --regid=65533 --clear-groups "$OPEN/id" | grep -c '65534')" = 1 ] ||
		skip 'the mode gives no other rights here'
}

# bats test_tags=root
@test "run with the rights of another user or group the program refuses: 2, a message, nothing read or written" {
	local mode
	for mode in 4755 2755; do
		needs_other_rights "$mode"
		mkfifo "$OPEN/silent"
		for arguments in '' '-l' '-D none' "-o $OPEN/made" "$OPEN/silent"; do
			code=0
			# shellcheck disable=SC2086 # words
			echo 1 2 | timeout 1200 setpriv --reuid=65533 --regid=65533 --clear-groups "$PRIVILEGED" $arguments >out 2>err ||
				code=$?
			assert_equal "$mode $arguments: $code $(cat out) $(wc -l <err)" "$mode $arguments: 2  1"
			assert_contains "$(cat err)" 'pscan: '
			[ ! -e "$OPEN/made" ]
		done
		# Its own user and group may run it: nothing is gained.
		run=(setpriv --reuid=65534 --regid=65534 --clear-groups "$PRIVILEGED" -D none)
		assert_equal "$(echo 1 2 | "${run[@]}" | tr '\n' ' ')" '1 3 '
		rm -rf "$OPEN"
	done
}
