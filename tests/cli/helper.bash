# Loaded by every bats file: where things are, and PoCL pinned unless a test says otherwise.
# shellcheck shell=bash disable=SC2034
ROOT=$(cd "${BASH_SOURCE[0]%/*}/../.." && pwd)
PSCAN=${PSCAN:-$ROOT/build/pscan}
PYTHON=${PYTHON:-/usr/bin/python3}
TOOLS=$ROOT/tests/tools
export PSCAN PYTHON TOOLS
export PYTHONPATH=$TOOLS
export PSCAN_DEVICE=${PSCAN_DEVICE:-cpu}
# A device that takes that long for one call hangs, however slow and busy the machine is.
export PSCAN_DEVICE_TIMEOUT=${PSCAN_DEVICE_TIMEOUT-1200}
export LC_ALL=C
TMP=$BATS_TEST_TMPDIR

# How many random cases a test runs: COUNT, or one in FEWER of them (sanitizers.sh, under which each takes ten times as
# long).
cases() {
	echo $((($1 + ${FEWER:-1} - 1) / ${FEWER:-1}))
}

# wait_until COMMAND...: until it succeeds, which it must some time.
wait_until() {
	local tries
	for ((tries = 0; tries < 60000; tries++)); do
		! "$@" || return 0
		sleep 0.02
	done
	echo "waited in vain: $*" >&2
	return 1
}

# has_lines FILE COUNT: the file is there and has COUNT lines or more.
has_lines() {
	[ "$({ wc -l <"$1"; } 2>/dev/null || echo 0)" -ge "$2" ]
}

# Skips the test unless the optional data is there.
need_data() {
	[ -n "${PSCAN_DATA_DIR:-}" ] || skip "PSCAN_DATA_DIR is not set"
	DATA=$PSCAN_DATA_DIR
}

# Skips the test, which needs a device, where the program is built without OpenCL, and in tests/host.sh.
need_opencl() {
	[ -z "${WITHOUT_DEVICES:-}" ] || skip 'the host alone is tested'
	! "$PSCAN" --version | grep -qx 'OpenCL: no' || skip 'this build is without OpenCL'
}

# Skips the test where the program has another byte order than this machine (make check-foreign): its raw numbers are
# not the tools'.
need_same_byte_order() {
	[ "$(echo 1 | "$PSCAN" -D none -t u16 --output-format=binary | od -An -tu2 | tr -d ' ')" = 1 ] || skip 'raw numbers are in the other byte order there'
}

# The operators' names as messages list them, from the table.
operator_list() {
	awk '
		/^#define OP / { name = $3 }
		/^#define OP_ABOUT/ { shown = $3 != "\"\"" }
		/^#define OP_PARAMETER 1/ { name = name ":A" }
		/^$/ && shown { printf "%s%s", separator, name; separator = ", "; shown = 0 }
		END { print "" }' "$ROOT/src/operators/operators.inc"
}

# Fails with both texts unless they are equal.
assert_equal() {
	if [ "$1" != "$2" ]; then
		printf 'expected: %s\n  actual: %s\n' "$2" "$1" >&2
		return 1
	fi
}

# Fails unless the text holds the part.
assert_contains() {
	case $1 in
	*"$2"*) ;;
	*)
		printf 'not found: %s\n       in: %s\n' "$2" "$1" >&2
		return 1
		;;
	esac
}

# Runs the rest of the arguments and leaves $out, $err (standard output and error) and $code.
run_pscan() {
	code=0
	"$PSCAN" "$@" >"$TMP/out" 2>"$TMP/err" || code=$?
	# (bash leaves zeros out, and says so.)
	{
		out=$(<"$TMP/out")
		err=$(<"$TMP/err")
	} 2>/dev/null
}

# assert_scanned EXPECTED LABEL...: the run was silent, ended with 0, and printed EXPECTED, its lines joined by blanks.
assert_scanned() {
	local expected=$1
	shift
	assert_equal "$*: $code $err" "$*: 0 "
	assert_equal "$*: ${out//$'\n'/ }" "$*: $expected"
}

# raw_integers COUNT: i32 of 0 to 999 over and over, raw. (Without numpy, which takes longer to start.)
raw_integers() {
	"$PYTHON" -c 'import struct, sys
count = int(sys.argv[1])
sys.stdout.buffer.write((struct.pack("=1000i", *range(1000)) * (count // 1000 + 1))[:4 * count])' "$1"
}

# Skips the test where strace is not to be had.
need_strace() {
	command -v strace >/dev/null || skip 'no strace'
	strace -o /dev/null true 2>/dev/null || skip 'strace may not trace'
}

# strace of a program that may be built with LeakSanitizer, which cannot work under it.
strace_pscan() {
	ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 strace "$@"
}

# python SCRIPT ARGUMENT...: runs the file's prologue and the script.
python() {
	"$PYTHON" -c "$PROLOGUE$1" "${@:2}"
}

# Runs pscan with the layer of tests/fault that $LAYER names; the rest as run_pscan. Under auto a device is brought up
# at once, unless PSCAN_AUTO says otherwise, and no device is tried first in a process that the layer would count too,
# unless PSCAN_TRIAL is on.
run_layered() {
	rm -f "$TMP/log"
	PSCAN_AUTO=${PSCAN_AUTO-eager} PSCAN_TRIAL=${PSCAN_TRIAL-off} OPENCL_LAYERS=$LAYER FAULT_LOG=$TMP/log PSCAN_SANDBOX_ALLOW=$TMP run_pscan "$@"
}

# layered NAME=VALUE... -- ARGUMENT...: the same with settings of the layer, which must have been loaded.
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

# hanging CALL NAME=VALUE... -- ARGUMENT...: as layered, where that call hangs and the watchdog has less patience than
# usual. On a slow machine it may lose it before that call, for another one: then it is given more. Leaves $patience in
# seconds.
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

# gives INPUT EXPECTED OPTION...: exit 0, silence, and exactly the bytes EXPECTED from INPUT (both printf formats).
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

# stops INPUT CODE EXPECTED MESSAGE OPTION...: EXPECTED comes out before the one line MESSAGE.
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

# Two programs that notice when something is not combined once and in order.
write_programs() {
	cat >affine.cl <<-'END'
		typedef struct { uint a, b; } state;
		state lift(uint a, uint b) { state s = {a, b}; return s; }
		state combine(state p, state q) { state s = {p.a * q.a, q.a * p.b + q.b}; return s; }
		uint emit(state s) { return s.b; }
		state identity(void) { state s = {1, 0}; return s; }
	END
	# Elements must be their own indices; what is combined must follow on.
	cat >intervals.cl <<-'END'
		typedef struct { ulong first, last; int good; } state;
		typedef struct { uchar good; ulong first, last; } interval;
		state lift(ulong x, ulong i) { state s = {x, x, x == i}; return s; }
		state combine(state a, state b) { state s = {a.first, b.last, a.good && b.good && a.last + 1 == b.first}; return s; }
		interval emit(state s, ulong i, ulong n) { interval r = {s.good && s.last == i && n == i + 1, s.first, s.last}; return r; }
	END
}

# bats notes the stack before every command, for half of a test's time; where a command fails is soon enough.
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

# compile ARGUMENT...: the C compiler that CC names, which may be words ("ccache gcc").
compile() {
	local words
	read -ra words <<<"${CC:-cc}"
	"${words[@]}" "$@"
}
