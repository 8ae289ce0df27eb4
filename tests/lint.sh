#!/bin/sh
# Formatters and static checkers over the tree; exits non-zero if any finds something. BUILD holds generated sources.
# SHORT=1 leaves out clang-tidy, which takes longer than all others together.
# shellcheck disable=SC2317 # the functions are called by step
set -u
BUILD=${BUILD:-build}
failed=0

# step NAME COMMAND...: runs a checker and says what it found.
step() {
	name=$1
	shift
	if output=$("$@" 2>&1); then
		echo "lint: $name: clean"
	else
		echo "lint: $name:"
		printf '%s\n' "$output"
		failed=1
	fi
}

flags="-std=c11 -D_XOPEN_SOURCE=700 -DZLIB_CONST -Isrc -Ikernels -I$BUILD"
# As the Makefile finds them.
for library in ISAL:isa-l.h ZSTD:zstd.h XZ:lzma.h BZIP2:bzlib.h LZ4:lz4frame.h; do
	! gcc -E -include "${library#*:}" - </dev/null >/dev/null 2>&1 || flags="$flags -DPSCAN_${library%:*}"
done
# Without MPI's header the file that needs it cannot be looked at.
mpi=$(pkg-config --cflags ompi-c 2>/dev/null | sed 's/-I/-isystem /g')
flags="$flags $mpi"
left_out=src/mpi/comm.c
[ -z "$mpi" ] || left_out=none

format() {
	# kernels/ and the row templates are macro texts that the formatter does not understand.
	find src tests -name '*.[ch]' ! -path 'src/rows/rows*' ! -path src/rows/vector.h -exec clang-format --dry-run -Werror {} +
}

tidy() {
	# shellcheck disable=SC2086
	find src -name '*.c' ! -path 'src/rows/rows*' ! -path "$left_out" -print0 | xargs -0 -n 4 -P 2 sh -c 'clang-tidy --quiet "$@" -- '"$flags" sh
}

# gcc's own walk along the paths through each function, with what is inlined there.
analyzer() {
	# shellcheck disable=SC2016 # expanded by the inner shell
	find src -name '*.c' ! -path 'src/rows/rows_*' ! -path "$left_out" -print0 | xargs -0 -n 4 -P 2 sh -c 'for file; do
		gcc '"$flags"' -O1 -fanalyzer -Werror -S -o /dev/null "$file" || exit 255; done' sh
}

cpp_check() {
	# No other thread reads a directory stream of this program.
	# shellcheck disable=SC2046
	cppcheck --quiet --error-exitcode=1 --std=c11 --enable=warning,performance,portability --inline-suppr \
		--suppress=missingIncludeSystem --suppress=readdirCalled --library=posix -D_XOPEN_SOURCE=700 -Isrc -Ikernels -I"$BUILD" \
		$(find src -name '*.c' ! -path 'src/rows/rows*')
}

# A condition that is not the last of a list fails no test: each stands on a line of its own.
conditions() {
	! grep -nE '^	+(\[ .* \]|cmp .*|grep .*|assert_.*) && (\[ .* \]|cmp .*|grep .*|assert_.*)$' tests/cli/*.bats
}

shell_check() {
	find . -path ./build -prune -o \( -name '*.sh' -o -name '*.bash' -o -name '*.bats' -o -path './.ci/run' -o -path './debian/tests/host' -o -path './debian/tests/answers' \) -print0 |
		xargs -0 shellcheck -x
}

man_page() {
	for page in "$BUILD"/*.[17]; do
		mandoc -Tlint -Wwarning "$page" || return
		[ -z "$(groff -ww -mdoc -Tutf8 -z "$page" 2>&1)" ] || return
	done
}

# kernel OP ACC ELEM CHECKED SHAPE_GPU HILLIS_STEELE: compiles one specialisation for a generic device.
kernel() {
	staged=$5
	inputs=1
	emits=0
	[ "$1" = drawdown ] && emits=1
	[ "$1" = linrec ] && inputs=2 && staged=0
	[ "$2" = i128 ] && staged=0
	operators="kernels/library/common.h kernels/row_types.h kernels/row_begin.h kernels/library/of_type.h kernels/library/$1.h kernels/row_end.h"
	parameter=0
	result=SAME
	case $1 in
	ema) parameter=1 ;;
	mean_of*) parameter=2 && result=FLOAT ;;
	mean | std) result=FLOAT ;;
	count | argmin) result=COUNT ;;
	esac
	cursor=
	program=
	[ "$1" = program ] && operators='' && program='kernels/program.h'
	[ -z "${MAPPED:-}" ] || program='kernels/program.h'
	[ -z "$program" ] || cursor='kernels/cursor.h kernels/fold.cl kernels/cursor.cl'
	side=
	[ -z "$program" ] || side='kernels/kept.h kernels/side_by_side.h'
	{
		if [ "$1" = program ]; then
			echo 'typedef float state; typedef state pscan_result; typedef state pscan_seed;'
			echo 'static state combine(state a, state b) { return a * b; } static state identity(void) { return 1; }'
			echo 'static state pscan_lift(state x, ulong i) { return x + i; } static state pscan_begin(state x) { return x; }'
			echo 'static state pscan_emit(state s, state x, ulong i, ulong n) { return s + x + i + n; }'
			echo 'static state pscan_nothing(state x, ulong i) { return pscan_emit(identity(), x, i, 0); }'
			printf '#define PSCAN_ARGUMENTS(e) CONVERT(e)\n#define PSCAN_SEED_ARGUMENTS(e) (e)\n#define PSCAN_GIVES_NOTHING 1\n#define PSCAN_HAS_CARRY 0\n'
			echo '#define CURSOR_SIZE 2048'
			echo 'typedef float16 pscan_v_state; typedef uint pscan_v_word;'
			echo 'static pscan_v_state pscan_v_combine(pscan_v_state a, pscan_v_state b) { return a * b; }'
			printf '#define SIDE_BY_SIDE %s\n' "$((1 - $5))"
		elif [ -n "$program" ]; then
			echo '#define SIDE_BY_SIDE 0'
			printf '#define PSCAN_OF_TABLE 1\n#define PSCAN_INPUTS %s\n' "$inputs"
			echo 'typedef struct { double x0, x1; } pscan_seed; typedef double pscan_result;'
			printf '#define UNUSED __attribute__((unused))\n#define PSCAN_PARAMETERS double x0 UNUSED%s\n' "$([ "$inputs" = 1 ] || echo ', double x1 UNUSED')"
			printf '#define PSCAN_NAMES x0%s\n#define PSCAN_MAPPED PSCAN_NAMES\n' "$([ "$inputs" = 1 ] || echo ', x1')"
			printf '#define PSCAN_EMITTED\n#define PSCAN_SHOWN(r) (r)\n#define PSCAN_NOTHING 0\n#define PSCAN_GIVES_NOTHING 1\n#define PSCAN_HAS_CARRY 0\n'
			printf '#define PSCAN_SEED_ARGUMENTS(e) (e).x0%s\n' "$([ "$inputs" = 1 ] || echo ', (e).x1')"
			echo '#define CURSOR_SIZE 4096'
		fi
		printf '#define PSCAN_FP64\n#define OP %s\n#define ACC %s\n#define ELEM %s\n#define INPUTS %s\n#define EMITS_INPUTS %s\n#define EXCLUSIVE %s\n#define CHECKED %s\n#define CHECK_OVERFLOW %s\n' "$1" "$2" "$3" "$inputs" "$emits" "$((emits * $4))" "$4" "$4"
		printf '#define OP_INPUTS %s\n#define OP_EMITS_INPUTS %s\n#define OP_PARAMETER %s\n#define OP_RESULT %s\n' "$inputs" "$emits" "$parameter" "$result"
		printf '#define SHAPE_GPU %s\n#define KEEPS %s\n#define STAGES_ELEMENTS %s\n#define STAGES_RESULTS %s\n#define HILLIS_STEELE %s\n#define GLOBAL __global\n#define FITS(x) 1\n' "$5" "${KEEPS:-0}" "$staged" "$staged" "$6"
		if [ "$3" = "$2" ]; then echo '#define CONVERT(x) (x)'; else echo '#define CONVERT(x) ((ACC)(x))'; fi
		case $1$2 in
		ema*) echo '#define PARAMETER_ARGUMENT , 0x1p-2f' ;;
		mean_of*) echo '#define PARAMETER_ARGUMENT , 1e2' ;;
		*) echo '#define PARAMETER_ARGUMENT' ;;
		esac
		if [ "$5" = 1 ]; then echo '#define NODES __local'; else echo '#define NODES __private'; fi
		printf '#define IN_STEP %s\n' "$(((1 - $5) * (1 - emits * $4) * (1 - $6)))"
		# shellcheck disable=SC2086 # lists of names
		cat kernels/types.h kernels/names.h $operators $program kernels/grid.h kernels/group.h kernels/tile.h kernels/in_step.h \
			$side kernels/scan.cl $cursor
	} >"$BUILD/lint.cl"
	# A program uses one row of the table: the others are unused on purpose.
	clang -x cl -cl-std=CL1.2 --target=spir64 -Xclang -finclude-default-header -Wall -Wextra -Werror \
		-Wno-unused-function -fsyntax-only "$BUILD/lint.cl"
}

kernels() {
	for shape in 0 1; do
		for checked in 0 1; do
			kernel sum f32 f32 "$checked" "$shape" 0 && kernel max f64 f32 "$checked" "$shape" 0 &&
				kernel prod i64 i16 "$checked" "$shape" 0 && kernel sum i128 i128 "$checked" "$shape" 0 &&
				kernel sum f64 f64 "$checked" "$shape" 1 && kernel xor u8 u8 "$checked" "$shape" 0 &&
				kernel max i16 i16 "$checked" "$shape" 0 && kernel range f64 f64 "$checked" "$shape" 0 &&
				kernel drawdown f32 f32 "$checked" "$shape" 0 && kernel delta i16 i16 "$checked" "$shape" 0 &&
				kernel program f32 f32 "$checked" "$shape" 0 &&
				KEEPS=$((shape * (1 - checked))) kernel program f32 f32 "$checked" "$shape" 0 && kernel program f32 f32 "$checked" "$shape" 1 &&
				MAPPED=1 kernel sum f64 f32 "$checked" "$shape" 0 && MAPPED=1 kernel linrec f64 f64 "$checked" "$shape" 0 &&
				kernel mean f32 f32 "$checked" "$shape" 0 && kernel mean u64 u64 "$checked" "$shape" 0 &&
				kernel mean_of_decimals i64 i64 "$checked" "$shape" 0 && kernel ema f64 f64 "$checked" "$shape" 0 &&
				kernel linrec f64 f32 "$checked" "$shape" 0 &&
				kernel argmin f32 f32 "$checked" "$shape" 0 && kernel std f32 f32 "$checked" "$shape" 0 &&
				kernel count i8 i8 "$checked" "$shape" 0 && kernel range i128 i128 "$checked" "$shape" 0 || return 1
		done
	done
}

# allow PATTERN PATH...: only these files of src, and those in these rooms (room/), may match.
allow() {
	pattern=$1
	shift
	found=$(grep -rlE --include='*.[ch]' --include='*.inc' "$pattern" src | sed 's|src/||' | sort)
	for file in $found; do
		case " $* " in
		*" $file "* | *" ${file%/*}/ "*) ;;
		*)
			echo "src/$file: must not contain: $pattern"
			return 1
			;;
		esac
	done
}

# A room may include those below it, which come before it here (and what is in kernels/).
rooms() {
	below=
	for room in base process number plot language operators rows evaluate scan device text io chunk scanner source stream cli state mpi; do
		below="$below${below:+|}$room"
		if grep -nE '^#include "[a-z]+/' "src/$room"/* | grep -vE "#include \"($below|library)/"; then
			echo "src/$room: includes a room above it"
			return 1
		fi
	done
	[ "$(find src -mindepth 1 -maxdepth 1 ! -name tools | wc -l)" -eq "$(echo "main.c|alone.c|ranks.h|$below" | tr '|' '\n' | wc -l)" ]
}

# Files of more than 500 lines.
sizes() {
	! find src kernels -type f -exec wc -l {} + | awk '$1 > 500 && $2 != "total"' | grep .
}

# Lines of more than 120 columns; in tests only comments count.
widths() {
	find src kernels tests -type f \( -name '*.[ch]' -o -name '*.cl' -o -name '*.inc' -o -name '*.awk' -o -name '*.sh' \
		-o -name '*.bats' -o -name '*.bash' -o -name '*.py' \) -exec "${PYTHON:-python3}" tests/tools/widths.py {} +
}

# Faults of tests/mutants whose fragments or tests are there no more.
faults() {
	"${PYTHON:-python3}" tests/mutants/mutants.py --check
}

# Functions of more than 60 lines.
functions() {
	! find src -name '*.c' -exec awk '
		FNR == 1 { begin = 0 }
		/^\{/ { begin = FNR }
		/^\}/ && begin { if (FNR - begin - 1 > 60) print FILENAME ":" begin ": " FNR - begin - 1 " lines"; begin = 0 }' {} + |
		grep .
}

# Functions under the heading of another file.
headings() {
	"${PYTHON:-python3}" tests/tools/headings.py
}

# Structs of more than 24 fields whose comments give no reason.
fields() {
	"${PYTHON:-python3}" tests/tools/fields.py
}

# What of one file of src needs another, and is needed by it.
circles() {
	"${PYTHON:-python3}" tests/tools/circles.py "$BUILD"
}

layers() {
	rooms &&
		allow '#include <CL/' device/opencl.h &&
		allow '#include "device/opencl(_program|_channel)?[.]h"' device/ &&
		allow '#include <(zlib|isa-l|zstd|lzma|bzlib|lz4)' io/ &&
		allow '#include <pthread.h>' stream/ chunk/lent_results.h base/message.c device/watchdog.c &&
		allow '(^|[^_a-z])(_?exit|abort)\(' main.c process/ending.c device/driver_trial.c &&
		allow 'STDERR_FILENO|stderr' base/message.c io/descriptor.c &&
		allow 'STDOUT_FILENO' io/sink.c main.c device/driver_trial.c
}

step clang-format format
step layers layers
step kernels kernels
step circles circles
step sizes sizes
step functions functions
step headings headings
step widths widths
step fields fields
step faults faults
step man man_page
step shellcheck shell_check
step conditions conditions
step cppcheck cpp_check
[ -n "${SHORT:-}" ] || step clang-tidy tidy
step 'gcc -fanalyzer' analyzer
exit $failed
