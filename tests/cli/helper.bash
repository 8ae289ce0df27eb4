# Every bats file loads this. It sets the paths, and makes a CPU the device (PoCL) unless a test sets another one.
# shellcheck shell=bash disable=SC2034
ROOT=$(cd "${BASH_SOURCE[0]%/*}/../.." && pwd)
PSCAN=${PSCAN:-$ROOT/build/pscan}
PYTHON=${PYTHON:-/usr/bin/python3}
TOOLS=$ROOT/tests/tools
export PSCAN PYTHON TOOLS
export PYTHONPATH=$TOOLS
export PSCAN_DEVICE=${PSCAN_DEVICE:-cpu}
# Seconds without progress of a device. Only a device that hangs exceeds them.
export PSCAN_DEVICE_TIMEOUT=${PSCAN_DEVICE_TIMEOUT-1200}
export LC_ALL=C
TMP=$BATS_TEST_TMPDIR

# cases COUNT: prints how many random cases a test runs: COUNT divided by FEWER, rounded up, or COUNT if FEWER is not
# set. (sanitizers.sh sets it, because each case takes ten times as long there.)
cases() {
	echo $((($1 + ${FEWER:-1} - 1) / ${FEWER:-1}))
}

# wait_until COMMAND...: runs the command again and again until it succeeds. Fails after 20 minutes at the earliest.
wait_until() {
	local tries
	for ((tries = 0; tries < 60000; tries++)); do
		! "$@" || return 0
		sleep 0.02
	done
	echo "waited in vain: $*" >&2
	return 1
}

# has_lines FILE COUNT: succeeds if the file exists and has at least COUNT lines.
has_lines() {
	[ "$({ wc -l <"$1"; } 2>/dev/null || echo 0)" -ge "$2" ]
}

# Skips the test if PSCAN_DATA_DIR, the folder of the optional data, is not set. Otherwise sets DATA to this folder.
need_data() {
	[ -n "${PSCAN_DATA_DIR:-}" ] || skip "PSCAN_DATA_DIR is not set"
	DATA=$PSCAN_DATA_DIR
}

# For a test that needs a device: skips the test if the program is built without OpenCL, or if tests/host.sh runs it.
need_opencl() {
	[ -z "${WITHOUT_DEVICES:-}" ] || skip 'the host alone is tested'
	! "$PSCAN" --version | grep -qx 'OpenCL: no' || skip 'this build is without OpenCL'
}

# Skips the test if the program's byte order is not this machine's (make check-foreign), because the tools of the tests
# would read its raw numbers wrongly.
need_same_byte_order() {
	[ "$(echo 1 | "$PSCAN" -D none -t u16 --output-format=binary | od -An -tu2 | tr -d ' ')" = 1 ] || skip 'raw numbers are in the other byte order there'
}

# Prints the operators' names, from the table, in the form in which messages list them.
operator_list() {
	awk '
		/^#define OP / { name = $3 }
		/^#define OP_ABOUT/ { shown = $3 != "\"\"" }
		/^#define OP_PARAMETER 1/ { name = name ":A" }
		/^$/ && shown { printf "%s%s", separator, name; separator = ", "; shown = 0 }
		END { print "" }' "$ROOT/src/operators/operators.inc"
}

# assert_equal ACTUAL EXPECTED: fails and prints both texts if they differ.
assert_equal() {
	if [ "$1" != "$2" ]; then
		printf 'expected: %s\n  actual: %s\n' "$2" "$1" >&2
		return 1
	fi
}

# assert_contains TEXT PART: fails and prints both if the text does not contain the part.
assert_contains() {
	case $1 in
	*"$2"*) ;;
	*)
		printf 'not found: %s\n       in: %s\n' "$2" "$1" >&2
		return 1
		;;
	esac
}

# run_pscan ARGUMENT...: runs pscan. Sets code to its exit status, and out and err to what it wrote to standard output
# and standard error, without NUL bytes and newlines at the end. The files $TMP/out and $TMP/err have all bytes.
run_pscan() {
	code=0
	"$PSCAN" "$@" >"$TMP/out" 2>"$TMP/err" || code=$?
	# (bash leaves NUL bytes out and warns.)
	{
		out=$(<"$TMP/out")
		err=$(<"$TMP/err")
	} 2>/dev/null
}

# assert_scanned EXPECTED LABEL...: fails unless the last run_pscan ended with 0, wrote nothing to standard error, and
# printed EXPECTED, in which blanks stand for newlines. LABEL: words that a failure shows.
assert_scanned() {
	local expected=$1
	shift
	assert_equal "$*: $code $err" "$*: 0 "
	assert_equal "$*: ${out//$'\n'/ }" "$*: $expected"
}

# raw_integers COUNT: writes COUNT raw i32: 0 to 999, again and again. (Without numpy, which takes longer to start.)
raw_integers() {
	"$PYTHON" -c 'import struct, sys
count = int(sys.argv[1])
sys.stdout.buffer.write((struct.pack("=1000i", *range(1000)) * (count // 1000 + 1))[:4 * count])' "$1"
}

# Skips the test if strace is not installed or may not trace.
need_strace() {
	command -v strace >/dev/null || skip 'no strace'
	strace -o /dev/null true 2>/dev/null || skip 'strace may not trace'
}

# strace_pscan ARGUMENT...: strace, for a program that may be built with LeakSanitizer. (That does not work under
# strace.)
strace_pscan() {
	ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 strace "$@"
}

# python SCRIPT ARGUMENT...: runs PROLOGUE, which the bats file sets, and then SCRIPT.
python() {
	"$PYTHON" -c "$PROLOGUE$1" "${@:2}"
}

# run_layered ARGUMENT...: run_pscan with the OpenCL layer LAYER (tests/fault). With -D auto a device is started at
# once, unless PSCAN_AUTO is set. No child process tries the device first, unless PSCAN_TRIAL is set: the layer would
# count the child's calls, too.
run_layered() {
	rm -f "$TMP/log"
	PSCAN_AUTO=${PSCAN_AUTO-eager} PSCAN_TRIAL=${PSCAN_TRIAL-off} OPENCL_LAYERS=$LAYER FAULT_LOG=$TMP/log PSCAN_SANDBOX_ALLOW=$TMP run_pscan "$@"
}

# layered NAME=VALUE... -- ARGUMENT...: run_layered with these settings of the layer. Fails if the layer was not loaded.
layered() {
	local settings=()
	while [ "$1" != -- ]; do
		settings+=("$1")
		shift
	done
	shift
	if [ ${#settings[@]} -gt 0 ]; then
		local "${settings[@]}"
		export "${settings[@]%%=*}"
	fi
	run_layered "$@"
	assert_equal "$(head -n 1 "$TMP/log")" loaded
}

# hanging CALL NAME=VALUE... -- ARGUMENT...: layered, with a call of the driver that hangs and a short timeout of the
# watchdog. On a slow machine the watchdog may give up the device in an earlier call. The run is then repeated with a
# longer timeout. Sets patience to the timeout of the last run, in seconds. Fails if no run reaches CALL.
hanging() {
	local call=$1
	shift
	for patience in 1 4 16 64 256; do
		PSCAN_DEVICE_TIMEOUT=$patience layered FAULT_HANG="$call" "$@"
		! grep -q '^hung' "$TMP/log" || return 0
	done
	echo "$call was never reached" >&2
	return 1
}

# gives INPUT EXPECTED OPTION...: runs pscan on INPUT. Fails unless pscan ends with 0, writes nothing to standard error
# and exactly the bytes EXPECTED to standard output. INPUT and EXPECTED are printf formats. The current directory must
# be $TMP.
gives() {
	local input=$1 expected=$2
	shift 2
	# shellcheck disable=SC2059 # formats
	printf -- "$input" >in
	# shellcheck disable=SC2059
	printf -- "$expected" >expected
	run_pscan "$@" in
	assert_equal "$input $*: $code $err" "$input $*: 0 "
	cmp out expected || {
		echo "$input $*:" >&2
		od -c out | head -n 20 >&2
		return 1
	}
}

# stops INPUT CODE EXPECTED MESSAGE OPTION...: runs pscan on INPUT. Fails unless pscan ends with CODE, writes exactly
# the bytes EXPECTED to standard output, and the line MESSAGE to standard error. INPUT and EXPECTED are printf formats.
# The current directory must be $TMP.
stops() {
	local input=$1 status=$2 expected=$3 message=$4
	shift 4
	# shellcheck disable=SC2059 # formats
	printf -- "$input" >in
	# shellcheck disable=SC2059
	printf -- "$expected" >expected
	run_pscan "$@" in
	assert_equal "$*: $code $err" "$*: $status $message"
	cmp out expected
}

# Writes two programs, affine.cl and intervals.cl. Their results are wrong if an element is not combined once and in
# order.
write_programs() {
	cat >affine.cl <<-'END'
		typedef struct { uint a, b; } state;
		state lift(uint a, uint b) { state s = {a, b}; return s; }
		state combine(state p, state q) { state s = {p.a * q.a, q.a * p.b + q.b}; return s; }
		uint emit(state s) { return s.b; }
		state identity(void) { state s = {1, 0}; return s; }
	END
	# Elements must equal their indices. A state may be combined only with one that begins directly after it.
	cat >intervals.cl <<-'END'
		typedef struct { ulong first, last; int good; } state;
		typedef struct { uchar good; ulong first, last; } interval;
		state lift(ulong x, ulong i) { state s = {x, x, x == i}; return s; }
		state combine(state a, state b) { state s = {a.first, b.last, a.good && b.good && a.last + 1 == b.first}; return s; }
		interval emit(state s, ulong i, ulong n) { interval r = {s.good && s.last == i && n == i + 1, s.first, s.last}; return r; }
	END
}

# bats records the stack before every command, which takes half of a test's time. Here it is recorded when a command
# fails.
if declare -F bats_debug_trap bats_check_status_from_trap bats_capture_stack_trace >/dev/null; then
	bats_debug_trap() {
		trap - DEBUG
	}
	bats_error_trap() {
		bats_check_status_from_trap
		[ -n "${BATS_DEBUG_LAST_STACK_TRACE_IS_VALID:-}" ] || bats_capture_stack_trace
		BATS_DEBUG_LAST_STACK_TRACE_IS_VALID=1
	}
fi

# compile ARGUMENT...: runs the C compiler that CC names. CC may consist of several words ("ccache gcc").
compile() {
	local words
	read -ra words <<<"${CC:-cc}"
	"${words[@]}" "$@"
}
