#!/usr/bin/env bats
# The bits of the output depend only on the input and the computation, not on the kind of input, the chunks, the threads
# or the engine. Memory is bounded, however long the input is.

load helper

# Kernels are compiled as they are for users.
unset POCL_EXTRA_BUILD_FLAGS

KINDS="f32 f64 num mixed text"
# One tile of 4-byte elements, 8-byte ones, then sizes that are no whole number of tiles, and more than all the input.
CHUNK_SIZES="1 16K 20000 32K 100K 1M"

# Inputs whose sizes divide neither a run nor a tile, short ones for slow writers, and what the oracle makes of them.
setup_file() {
	load helper
	"$PYTHON" - "$BATS_FILE_TMPDIR" <<-'END'
		import sys
		import numpy as np

		rng = np.random.default_rng(11)

		def wide(count):
		    return rng.standard_normal(count) * 10.0 ** rng.uniform(-6, 6, count)

		def write(name, data):
		    with open(f"{sys.argv[1]}/{name}", "wb") as file:
		        file.write(data)

		def lines(tokens):
		    """Up to four tokens a line; the last line has no end."""
		    ends = rng.choice(["\n", " ", "\n", "\t", "\n\n"], len(tokens))
		    return "".join(t + e for t, e in zip(tokens, ends)).rstrip().encode()

		def decimal(decimals, limit):
		    mantissa = str(rng.integers(-limit, limit)).rjust(decimals + 2, "0")
		    return (mantissa[:-decimals] + "." + mantissa[-decimals:]).replace(".-", "-.") if decimals else mantissa

		def plain_decimals(count):
		    return [decimal(int(rng.integers(1, 5)), 10 ** 9).replace("0-", "-") for _ in range(count)]

		def mixed(count):
		    """Exact decimals that grow: more places, then more than 64 bits, then none at all."""
		    tokens = []
		    for i in range(count):
		        part = 6 * i // count
		        limit = 2 ** 60 if part == 4 else 10 ** 9
		        tokens.append(str(rng.integers(-limit, limit)) + ("." + "5" * min(part, 4) if part else ""))
		    tokens[5 * count // 6] = "1.5e-19"
		    return tokens

		for name, count, small in (("f32", 30011, 4297), ("f64", 30011, 997), ("num", 20011, 997), ("mixed", 20011, 997),
		                           ("text", 20011, 597)):
		    make = {"f32": lambda n: wide(n).astype(np.float32).tobytes(), "f64": lambda n: wide(n).tobytes(),
		            "num": lambda n: lines(plain_decimals(n)), "mixed": lambda n: lines(mixed(n)),
		            "text": lambda n: lines([repr(x) for x in wide(n).tolist()])}[name]
		    write(name, make(count))
		    write("small-" + name, make(small))
	END
	local kind options
	for kind in $KINDS; do
		options_of "$kind"
		for size in "" small-; do
			# shellcheck disable=SC2086 # options are words
			"$PYTHON" "$TOOLS/grid_oracle.py" $options "$BATS_FILE_TMPDIR/$size$kind" |
				digest >"$BATS_FILE_TMPDIR/$size$kind.sha"
		done
	done
}

setup() { cd "$BATS_FILE_TMPDIR" || return; }

# Sets $options: those that name the computation, the same for pscan and for the oracle.
options_of() {
	case $1 in
	f32 | f64) options="-t ${1}le --format=binary" ;;
	num | mixed) options="--format=text" ;;
	text) options="-t f64 --format=text" ;;
	esac
}

digest() { sha256sum | cut -d ' ' -f 1; }

# Fails unless standard input is what the oracle says of the input $1; the rest tells how it was made.
is_right() {
	local input=$1
	shift
	assert_equal "$(digest)" "$(cat "$input.sha")" || {
		echo "input: $input, $*" >&2
		return 1
	}
}

# Scans every input, by name, with the options given.
each_kind_is_right() {
	local kind options
	for kind in $KINDS; do
		options_of "$kind"
		# shellcheck disable=SC2086
		"$PSCAN" $options "$@" "$kind" | is_right "$kind" "$@"
	done
}

# Writes a file in pieces of the sizes given, over and over, with a pause after each.
slowly() {
	"$PYTHON" -c '
import itertools, os, sys, time
with open(sys.argv[1], "rb") as file:
    for size in itertools.cycle(map(int, sys.argv[2:])):
        piece = file.read(size)
        if not piece:
            break
        os.write(1, piece)
        time.sleep(2e-5)
' "$@"
}

# Scans short inputs that come byte by byte, with the options given.
each_byte_is_right() {
	local kind options
	for kind in "${slow_kinds[@]}"; do
		options_of "$kind"
		# shellcheck disable=SC2086
		slowly "small-$kind" 1 | "$PSCAN" $options "$@" | is_right "small-$kind" "$@"
	done
}

# --- The way in ---

@test "a file and standard input from it give the same bits" {
	each_kind_is_right -D none
	for kind in $KINDS; do
		options_of "$kind"
		# shellcheck disable=SC2086,SC2094 # the input's name, and its scan's digest
		"$PSCAN" -D none $options - <"$kind" | is_right "$kind" "standard input"
	done
}

@test "a file that is read gives the bits of one that is mapped" {
	each_kind_is_right -D none --no-mmap
	each_kind_is_right -D none --no-mmap --chunk-size=16K
}

@test "a pipe gives the bits of a file" {
	for kind in $KINDS; do
		options_of "$kind"
		for size in 1 64K 4M; do
			# shellcheck disable=SC2086,SC2002 # a pipe is the point
			cat "$kind" | "$PSCAN" -D none $options --chunk-size="$size" | is_right "$kind" "a pipe, chunks of $size"
		done
	done
}

@test "short and uneven writes give the bits of a file" {
	for kind in $KINDS; do
		options_of "$kind"
		# shellcheck disable=SC2086
		slowly "$kind" 1 4095 7 333 16384 3 5000 | "$PSCAN" -D none $options --chunk-size=32K |
			is_right "$kind" "uneven writes"
	done
}

# bats test_tags=long
@test "a writer of single bytes gives the bits of a file on the host" {
	slow_kinds=(f32 f64 num mixed text)
	each_byte_is_right -D none
}

# bats test_tags=long
@test "a writer of single bytes gives the bits of a file on PoCL in the CPU shape" {
	need_opencl
	slow_kinds=(f32 mixed)
	PSCAN_SHAPE=cpu each_byte_is_right -D cpu
}

# bats test_tags=long
@test "a writer of single bytes gives the bits of a file on PoCL in the GPU shape" {
	need_opencl
	slow_kinds=(f32 mixed)
	PSCAN_SHAPE=gpu each_byte_is_right -D cpu
}

@test "several binary files are one stream" {
	for kind in f32 f64; do
		options_of "$kind"
		# Cut inside runs and tiles, with an empty file between.
		size=${kind#f}
		split -b $((1237 * size / 8)) "$kind" "$TMP/$kind."
		: >"$TMP/$kind.aa-empty"
		for mmap in "" --no-mmap; do
			# shellcheck disable=SC2086
			"$PSCAN" -D none $options $mmap --chunk-size=16K "$TMP/$kind".* | is_right "$kind" "several files $mmap"
		done
	done
}

@test "several text files are one stream of tokens, and a file's end ends its last line" {
	for kind in num mixed text; do
		options_of "$kind"
		{
			tr -s ' \t\n' '\n' <"$kind"
			echo
		} | split -l 1237 - "$TMP/$kind."
		for file in "$TMP/$kind".*; do
			truncate -s -1 "$file" # without the last newline
		done
		truncate -s 0 "$TMP/$kind.aa-empty"
		for size in 1 64K 4M; do
			# shellcheck disable=SC2086
			"$PSCAN" -D none $options --chunk-size=$size "$TMP/$kind".* | is_right "$kind" "several files, chunks of $size"
		done
	done
}

@test "standard input among the files has its place in the stream" {
	options_of f32
	head -c 40000 f32 >"$TMP/head"
	tail -c +80001 f32 >"$TMP/tail"
	# shellcheck disable=SC2086
	tail -c +40001 f32 | head -c 40000 | "$PSCAN" -D none $options "$TMP/head" - "$TMP/tail" | is_right f32 "head - tail"
}

# --- Chunks, threads, engines ---

@test "the chunk size does not change the bits" {
	for size in $CHUNK_SIZES; do
		each_kind_is_right -D none --chunk-size="$size"
	done
}

@test "the number of threads does not change the bits" {
	for threads in 1 2 3 4; do
		each_kind_is_right -D none -T "$threads" --chunk-size=1
		each_kind_is_right -D none -T "$threads" --chunk-size=64K
	done
}

@test "the same run twenty times gives the same bits" {
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		options_of mixed
		# shellcheck disable=SC2086
		"$PSCAN" -D none $options -T 4 --chunk-size=1 mixed | is_right mixed "again"
	done
}

@test "PoCL in the CPU shape gives the host's bits, whatever the chunks and threads" {
	need_opencl
	for size in 1 100K; do
		PSCAN_SHAPE=cpu each_kind_is_right -D cpu --chunk-size="$size" -T 3
	done
}

@test "PoCL in the GPU shape gives the host's bits, whatever the chunks and threads" {
	need_opencl
	for size in 1 100K; do
		PSCAN_SHAPE=gpu each_kind_is_right -D cpu --chunk-size="$size" -T 3
	done
}

# bats test_tags=long
@test "PoCL gives the host's bits in chunks that end between tiles" {
	need_opencl
	local shape
	for shape in cpu gpu; do
		PSCAN_SHAPE=$shape each_kind_is_right -D cpu --chunk-size=20000 -T 3
	done
}

@test "PoCL gives the host's bits from a pipe" {
	need_opencl
	for shape in cpu gpu; do
		for kind in $KINDS; do
			options_of "$kind"
			# shellcheck disable=SC2086
			slowly "$kind" 5000 17000 3 | PSCAN_SHAPE=$shape "$PSCAN" -D cpu $options --chunk-size=16K |
				is_right "$kind" "a pipe, $shape shape"
		done
	done
}

@test "PSCAN_SHAPE names the shape that the kernels have" {
	need_opencl
	for shape in cpu gpu; do
		PSCAN_SHAPE=$shape "$PSCAN" -v -D cpu -t f32 --format=binary f32 2>"$TMP/err" >"$TMP/out"
		assert_contains "$(cat "$TMP/err")" "${shape^^} shape"
	done
}

# --- Long inputs ---

# One sparse file for all of them: most of the time goes into giving it pages.
long_file() { echo "$BATS_FILE_TMPDIR/long"; }

# Makes that file $1 bytes long: zeros, and ones at the places that follow.
make_long() {
	local file marks size=$1
	file=$(long_file)
	marks=$file.marks
	shift
	touch "$marks"
	while read -r place; do
		printf '\0' | dd of="$file" bs=1 seek="$place" conv=notrunc status=none
	done <"$marks"
	truncate -s "$size" "$file"
	: >"$marks"
	for place in "$@"; do
		echo "$place" >>"$marks"
		printf '\1' | dd of="$file" bs=1 seek="$place" conv=notrunc status=none
	done
}

# bats test_tags=long
@test "memory does not grow with the input: 8 GiB need as little as 256 MiB" {
	make_long 8G
	truncate -s 256M "$TMP/short"
	"$PYTHON" - "$PSCAN" "$TMP/short" "$(long_file)" <<-'END'
		import resource
		import subprocess
		import sys

		def peak_mib(path):
		    """The largest peak of all the children so far."""
		    subprocess.run([sys.argv[1], "-D", "none", "--format=binary", "-t", "u64", "-op", "or", path],
		                   stdout=subprocess.DEVNULL, check=True)
		    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024

		short = peak_mib(sys.argv[2])
		long = peak_mib(sys.argv[3])
		print(f"{short:.1f} MiB, then {long:.1f} MiB")
		sys.exit(long - short > 32)
	END
}

# Fails unless standard input is $2 bytes, each of them $1 plus the number of the places $3.. up to it.
counts_places() {
	"$PYTHON" -c '
import sys
import numpy as np

value, size, *places = map(int, sys.argv[1:])
edges = [*places, size]
position = 0
while block := sys.stdin.buffer.read(1 << 22):
    rest = np.frombuffer(block, np.uint8)
    while len(rest):
        if edges and position == edges[0]:
            edges.pop(0)
            value += 1
        part = rest[:min(len(rest), (edges[0] if edges else size) - position)]
        if not len(part):
            sys.exit(f"more than {size} results")
        if (part != value).any():
            sys.exit(f"a wrong result near {position}: {part[part != value][0]}, not {value}")
        position += len(part)
        rest = rest[len(part):]
if position != size:
    sys.exit(f"{position} results, not {size}")
' "$@"
}

# bats test_tags=long
@test "past 2^32 elements every result is right" {
	size=$(((1 << 32) + 10000))
	places=(0 4095 $(((1 << 32) - 1)) $((1 << 32)) $(((1 << 32) + 4097)))
	make_long $size "${places[@]}"
	"$PSCAN" -D none -t u8 --format=binary --overflow=wrap --seed=7 "$(long_file)" | counts_places 7 $size "${places[@]}"
}

# bats test_tags=long
@test "past 2^32 elements the total is right" {
	size=$(((1 << 32) + 10000))
	make_long $size 5 $((size - 1))
	assert_equal "$("$PSCAN" -D none -t u8 --format=binary --output-format=text --overflow=wrap --seed=250 --total \
		"$(long_file)")" 252
}

# bats test_tags=long
@test "an overflow past 2^32 elements is named, and all before it is written" {
	place=$(((1 << 32) + 4100))
	make_long $(((1 << 32) + 10000)) 77 "$place"
	{
		"$PSCAN" -D none -t u8 --format=binary --seed=254 "$(long_file)" 2>"$TMP/err" || echo $? >"$TMP/code"
	} | counts_places 254 "$place" 77
	assert_equal "$(cat "$TMP/code")" 1
	assert_contains "$(cat "$TMP/err")" "element $((place + 1)):"
}
