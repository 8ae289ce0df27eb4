#!/bin/sh
# Every measurement of a machine with a GPU, in about nine minutes at most, as files of tab-separated values. Usage:
# tests/bench/gpu.sh DIRECTORY, in a tree where `make bench` or `make bench-gpu` was run. Variables, with their
# defaults:
#
#     BUILD (build)        where the programs are          DEVICE (gpu)       --device of pscan
#     SHAPE ()             gpu forces that kernel shape    SCRATCH (/dev/shm) a tmpfs for twice the data
#     BLOCK (256M)         one block of the data           BLOCKS (32)        how many blocks
#     KERNEL_BYTES (256M)  data of the kernels             LAUNCHES (256M,64M,16M,8M,4M)
#     EXPONENT (28)        curves end at 2^EXPONENT        ROUNDS (5)         rounds of the pipeline cases; fewer if
#                                                                             time runs out
#     DATE, COMMIT         for the rows                    PARTS (all)        of check kernels cub curves pipeline bits
#                                                                             programs expensive gpus
#     PROGRAM_BYTES (512M) f64 of the programs' files
#     PROGRAM_ELEMENTS (512K,16M), PAIRS (256K,64M)        launches of the programs' kernels
#     POINT_SECONDS (0.25) the expensive operator's curves end after a point that takes longer
#     SEVERAL_BYTES (2G)   f64 that -D gpu and -D gpus scan (the part gpus, where there are several)
#
# For operators of users alone: PARTS='cub programs expensive', in three minutes. cub.tsv, programs.tsv, processes.tsv
# and expensive.tsv belong to tests/bench/results/h200, and tests/bench/gpu_table.py and pictures.py show them. A part
# leaves the files of the others as they are.
set -u
out=${1:?usage: tests/bench/gpu.sh DIRECTORY}
BUILD=${BUILD:-build}
DEVICE=${DEVICE:-gpu}
SHAPE=${SHAPE:-}
SCRATCH=${SCRATCH:-/dev/shm}
BLOCK=${BLOCK:-256M}
BLOCKS=${BLOCKS:-32}
KERNEL_BYTES=${KERNEL_BYTES:-256M}
LAUNCHES=${LAUNCHES:-256M,64M,16M,8M,4M}
EXPONENT=${EXPONENT:-28}
ROUNDS=${ROUNDS:-5}
DATE=${DATE:-$(date -u +%Y-%m-%d)}
COMMIT=${COMMIT:-$(git rev-parse --short HEAD 2>/dev/null || echo -)}
PARTS=${PARTS:-check kernels cub curves pipeline bits programs expensive gpus}
PROGRAM_BYTES=${PROGRAM_BYTES:-512M}
PROGRAM_ELEMENTS=${PROGRAM_ELEMENTS:-512K,16M}
PAIRS=${PAIRS:-256K,64M}
POINT_SECONDS=${POINT_SECONDS:-0.25}
SEVERAL_BYTES=${SEVERAL_BYTES:-2G}
# Seconds that each part may take; all of them together no more than LIMIT_SECONDS.
LIMIT_SECONDS=530
CHECK_SECONDS=90 KERNELS_SECONDS=60 CUB_SECONDS=40 CURVES_SECONDS=35 PIPELINE_SECONDS=110 BITS_SECONDS=50
PROGRAMS_SECONDS=40 PROCESSES_SECONDS=100 EXPENSIVE_SECONDS=75 GPUS_SECONDS=120

pscan=$BUILD/pscan
bench=$BUILD/bench
mkdir -p "$out" || exit 1
work=$(mktemp -d "$SCRATCH/pscan-bench.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
log=$out/log
: >"$log"
[ -z "$SHAPE" ] || export PSCAN_SHAPE="$SHAPE"

# A driver without its entry in the list of OpenCL drivers, as in many containers.
vendors=/etc/OpenCL/vendors
if [ -e /dev/nvidiactl ] && ! grep -qs libnvidia-opencl "$vendors"/*.icd; then
	mkdir -p "$vendors" && echo libnvidia-opencl.so.1 >"$vendors/nvidia.icd"
fi

has_part() {
	case " $PARTS " in *" $1 "*) return 0 ;; *) return 1 ;; esac
}

# within SECONDS: the lesser of that and what is left to the whole script, at least 1
within() {
	passed "$begin_script" | awk -v most="$1" -v limit="$LIMIT_SECONDS" '{
		left = int(limit - $1); s = left < most ? left : most; print (s > 1 ? s : 1) }'
}

# limited SECONDS FILE COMMAND...: rows go to FILE; what fails or takes too long is told and the rest goes on.
limited() {
	seconds=$(within "$1")
	file=$out/$2
	shift 2
	timeout "$seconds" "$@" >>"$file" 2>>"$log" || echo "status $?: $*" | tee -a "$log" >&2
}

now() {
	date +%s.%N
}

# passed BEGIN: seconds since then
passed() {
	echo "$1 $(now)" | awk '{ printf "%.6f", $2 - $1 }'
}

label() {
	printf '%s\t%s\t%s\t%s' "$machine" "$device" "$DATE" "$COMMIT"
}

# once CASE ROUND COMMAND: one timed run of a shell command with $pscan, $in and $to; a row in the file $raw
once() {
	rm -f "$to"
	seconds=$(within 60)
	begin=$(now)
	if timeout "$seconds" sh -c "$3" 2>>"$log"; then
		printf '%s\t%s\t%s\t%s\t%s\n' "$(label)" "$1" "$bytes" "$2" "$(passed "$begin")" >>"$raw"
	else
		echo "status $?: $3" | tee -a "$log" >&2
	fi
}

# The cases of one round, the references beside what is compared with them.
# shellcheck disable=SC2016 # expanded by the inner shell
one_round() {
	once "cat, null" "$1" 'cat <"$in" | cat >/dev/null'
	for d in "$DEVICE" auto none; do
		once "-D $d, null" "$1" "\"\$pscan\" -t f32 -D $d <\"\$in\" >/dev/null"
	done
	once "-D none -T 1, null" "$1" '"$pscan" -t f32 -D none -T 1 <"$in" >/dev/null'
	once "cat, pipes" "$1" 'cat "$in" | cat | cat >/dev/null'
	for d in "$DEVICE" none; do
		once "-D $d, pipes" "$1" "cat \"\$in\" | \"\$pscan\" -t f32 -D $d | cat >/dev/null"
	done
	once "cat, file" "$1" 'cat <"$in" >"$to"'
	for d in "$DEVICE" auto none; do
		once "-D $d, file" "$1" "\"\$pscan\" -t f32 -D $d \"\$in\" >\"\$to\""
	done
	rm -f "$to"
}

# The medians of the raw rows, in their order, with bytes per second in 1e9 and the number of rounds.
medians() {
	awk -F '\t' -v OFS='\t' '
		{ key = $1 OFS $2 OFS $3 OFS $4 OFS $5 OFS $6; if (!(key in count)) order[++keys] = key
		  values[key, ++count[key]] = $8; size[key] = $6 }
		END { for (k = 1; k <= keys; k++) {
			key = order[k]; n = count[key]
			for (i = 2; i <= n; i++)
				for (j = i; j > 1 && values[key, j] + 0 < values[key, j - 1] + 0; j--) {
					t = values[key, j]; values[key, j] = values[key, j - 1]; values[key, j - 1] = t
				}
			m = n % 2 ? values[key, (n + 1) / 2] : (values[key, n / 2] + values[key, n / 2 + 1]) / 2
			printf "%s\t%.6f\t%.3f\t%d\n", key, m, size[key] / m / 1e9, n } }' "$1"
}

make_data() {
	"$bench/numbers" "$BLOCK" >"$work/block" || exit 1
	i=0
	while [ "$i" -lt "$BLOCKS" ]; do
		cat "$work/block"
		i=$((i + 1))
	done >"$in" || exit 1
	rm -f "$work/block"
	bytes=$(wc -c <"$in")
}

# rounds SECONDS ROUND: runs the command ROUND with the number of each round
rounds() {
	begin_all=$(now)
	round=1
	while [ "$round" -le "$ROUNDS" ]; do
		"$2" "$round"
		taken=$(passed "$begin_all")
		# Another round only if it would end in time.
		echo "$taken $round $1" | awk '{ exit !($1 * ($2 + 1) / $2 < $3) }' || break
		round=$((round + 1))
	done
}

run_pipeline() {
	raw=$out/pipeline.raw.tsv
	rm -f "$raw"
	rounds $PIPELINE_SECONDS one_round
	medians "$raw" >"$out/pipeline.tsv"
}

# The kernels of programs by themselves.
run_programs() {
	rm -f "$out/programs.tsv"
	for elements in $(echo "$PROGRAM_ELEMENTS" | tr , ' '); do
		limited $PROGRAMS_SECONDS programs.tsv "$bench/kernels" -D "$DEVICE" -f samples/expensive.cl -e "$elements" -d "$DATE" -g "$COMMIT"
	done
	for elements in $(echo "$PAIRS" | tr , ' '); do
		limited $PROGRAMS_SECONDS programs.tsv "$bench/kernels" -D "$DEVICE" -f samples/recurrence.cl -e "$elements" -d "$DATE" -g "$COMMIT"
	done
}

# Whole processes with programs beside those that one would write by hand.
# shellcheck disable=SC2016 # expanded by the inner shell
program_round() {
	once "expensive, -D $DEVICE, file" "$1" "\"\$pscan\" -D $DEVICE --format=binary -op @samples/expensive.cl \"\$in\" >\"\$to\""
	once "expensive, vectors, file" "$1" '"$bench/expensive_peer" vectors "$in" "$to"'
	once "expensive, openmp, file" "$1" '"$bench/expensive_peer" openmp "$in" "$to"'
	once "recurrence, -D $DEVICE, null" "$1" "\"\$pscan\" -D $DEVICE --format=binary -op @samples/recurrence.cl \"\$in\" >/dev/null"
	once "recurrence, -D none, null" "$1" '"$pscan" -D none -t f64 -c 2 -f 1,2 -op linrec "$in" >/dev/null'
	once "recurrence, loop, null" "$1" '"$bench/recurrence_peer" "$in" /dev/null'
}

# What a device costs before it scans: inputs of one chunk, with slots of that size; and how fast it is after that.
bring_up_round() {
	for chunk in 4M 16M; do
		head -c "$chunk" "$in" >"$work/chunk"
		bytes=$(wc -c <"$work/chunk")
		once "sum, -D $DEVICE --chunk-size=$chunk, one chunk" "$1" "\"\$pscan\" -t f32 -D $DEVICE --chunk-size=$chunk \"$work/chunk\" >/dev/null"
		bytes=$(wc -c <"$in")
		once "sum, -D $DEVICE --chunk-size=$chunk, all" "$1" "\"\$pscan\" -t f32 -D $DEVICE --chunk-size=$chunk \"\$in\" >/dev/null"
	done
	once "sum, -D none, all" "$1" "\"\$pscan\" -t f32 -D none \"\$in\" >/dev/null"
	once "sum, -D auto, all" "$1" "\"\$pscan\" -t f32 \"\$in\" >/dev/null"
}

run_processes() {
	raw=$out/processes.raw.tsv
	rm -f "$raw"
	"$bench/numbers" "$PROGRAM_BYTES" f64 >"$in"
	bytes=$(wc -c <"$in")
	# The first use of a device tries its driver and compiles.
	"$pscan" -D "$DEVICE" --format=binary -op @samples/expensive.cl "$in" >"$to" 2>>"$log"
	"$bench/expensive_peer" vectors "$in" "$work/by_hand" 2>>"$log"
	# Different orders of combination, and the same fixed point: all but the first few results.
	echo "expensive: $(cmp -l "$to" "$work/by_hand" | wc -l) bytes of $bytes differ from those of vectors" | tee -a "$log"
	rm -f "$work/by_hand"
	rounds $PROCESSES_SECONDS program_round
	# Twice the data of the pipeline, in the page cache.
	BLOCKS=$((2 * BLOCKS)) make_data
	"$pscan" -t f32 -D "$DEVICE" --chunk-size=16M --stats "$in" >/dev/null 2>"$out/stats.txt"
	rounds $PROCESSES_SECONDS bring_up_round
	medians "$raw" >"$out/processes.tsv"
}

# The outputs of host, device and OpenCL on the CPU (if there is one) must have one sum.
run_bits() {
	begin_bits=$(now)
	rm -f "$out/bits.tsv"
	for d in none "$DEVICE" cpu; do
		"$pscan" -D "$d" </dev/null >/dev/null 2>&1 || continue
		passed "$begin_bits" | awk -v s="$BITS_SECONDS" '{ exit !($1 < s) }' || break
		sum=$(timeout "$(within "$BITS_SECONDS")" sh -c "\"\$pscan\" -t f32 -D $d \"\$in\" | sha256sum" 2>>"$log" | cut -d ' ' -f 1)
		printf '%s\t%s\t%s\t%s\n' "$(label)" "-D $d" "$bytes" "$sum" >>"$out/bits.tsv"
	done
	if [ "$(cut -f 7 "$out/bits.tsv" | sort -u | wc -l)" -eq 1 ]; then echo "bits: one sum"; else echo "bits: DIFFERENT SUMS" >&2; fi
}

# An operator that is cheap, of elements that are dear: nothing but the fold of tile totals waits for anything.
write_dear_lift() {
	cat <<-'END'
		typedef struct { double x; } state;
		state lift(double x)
		{
			state s = {x};
			for (int i = 0; i < 2500; i++)
				s.x = s.x * s.x - 0.5 * s.x + 0.1;
			return s;
		}
		state combine(state earlier, state later)
		{
			state s = {earlier.x + later.x};
			return s;
		}
		double emit(state s) { return s.x; }
	END
}

# One GPU beside all of them, of the whole input and of its first chunk, which takes what bringing them up does.
several_round() {
	for case in "expensive -op @samples/expensive.cl" "lift -op @$work/lift.cl" "sum -t f64"; do
		for d in gpu gpus; do
			for part in chunk all; do
				file=$in
				[ $part = all ] || file=$work/chunk
				bytes=$(wc -c <"$file")
				once "${case%% *}, -D $d, $part" "$1" "\"\$pscan\" -D $d --format=binary ${case#* } \"$file\" >/dev/null"
			done
		done
	done
}

# Seconds of each case without those of its first chunk, and one GPU's in parts of those of all.
several_ratios() {
	awk -F '\t' '
		{ split($5, name, ", "); time[name[1], name[2], name[3]] = $7; cases[name[1]] }
		END { for (c in cases) {
			one = time[c, "-D gpu", "all"] - time[c, "-D gpu", "chunk"]
			all = time[c, "-D gpus", "all"] - time[c, "-D gpus", "chunk"]
			printf "%s: after bring-up -D gpu %.3f s, -D gpus %.3f s: %.2f times; bring-up %.3f s and %.3f s\n", c, one, all, one / all,
				time[c, "-D gpu", "chunk"], time[c, "-D gpus", "chunk"] } }' "$1"
}

run_several() {
	raw=$out/gpus.raw.tsv
	rm -f "$raw"
	"$bench/numbers" "$SEVERAL_BYTES" f64 >"$in" || exit 1
	head -c 4M "$in" >"$work/chunk"
	write_dear_lift >"$work/lift.cl"
	# The first use of a device tries its driver and compiles. The outputs must have one sum.
	for options in "-op @samples/expensive.cl" "-op @$work/lift.cl" "-t f64"; do
		for d in gpu gpus; do
			# shellcheck disable=SC2086 # words
			{ "$pscan" -D "$d" --format=binary $options "$in" 2>>"$log" || echo "$d failed"; } | sha256sum
		done | sort -u | wc -l | grep -qx 1 || echo "gpus: $options: DIFFERENT SUMS" >&2
	done
	"$pscan" -D gpus --format=binary -op @samples/expensive.cl --stats "$in" >/dev/null 2>"$out/gpus.txt"
	rounds $GPUS_SECONDS several_round
	medians "$raw" >"$out/gpus.tsv"
	several_ratios "$out/gpus.tsv" | tee -a "$out/gpus.txt"
}

begin_script=$(now)
in=$work/in
to=$work/out
export pscan in to bench
machine=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
device=$("$pscan" --list-devices 2>>"$log" | awk -F '  ' '$3 == "gpu" { exit } END { print $2 }')
{
	"$pscan" --version
	"$pscan" --list-devices
	lscpu
	nvidia-smi
} >"$out/machine.txt" 2>&1

if has_part check; then
	rm -f "$out/check.txt"
	limited $CHECK_SECONDS check.txt "$bench/kernels" -k -D "$DEVICE" ${SHAPE:+-s "$SHAPE"}
fi
if has_part kernels; then
	rm -f "$out/kernels.tsv"
	limited $KERNELS_SECONDS kernels.tsv "$bench/kernels" -D "$DEVICE" ${SHAPE:+-s "$SHAPE"} -n "$KERNEL_BYTES" \
		-p "$LAUNCHES" -d "$DATE" -g "$COMMIT"
fi
if has_part cub && [ -x "$bench/cub" ]; then
	rm -f "$out/cub.tsv"
	limited $CUB_SECONDS cub.tsv "$bench/cub" -d "$DATE" -g "$COMMIT"
fi
if has_part curves; then
	rm -f "$out/curves.tsv"
	limited $CURVES_SECONDS curves.tsv "$bench/curves" -D "$DEVICE" -m "$EXPONENT" -b 1 -d "$DATE" -g "$COMMIT"
	limited $CURVES_SECONDS curves.tsv "$bench/curves" -D none -m "$EXPONENT" -b 1 -l 0.3 -d "$DATE" -g "$COMMIT"
	limited $CURVES_SECONDS curves.tsv "$bench/curves" -D "$DEVICE" -c 16M -m "$EXPONENT" -b 1 -t i32 -d "$DATE" -g "$COMMIT"
fi
if has_part pipeline || has_part bits; then
	make_data
	has_part pipeline && run_pipeline
	has_part bits && run_bits
fi
if has_part programs; then
	run_programs
	run_processes
fi
if has_part expensive; then
	rm -f "$out/expensive.tsv"
	limited $EXPENSIVE_SECONDS expensive.tsv "$bench/expensive" -D "$DEVICE" -m 26 -l "$POINT_SECONDS" -d "$DATE" -g "$COMMIT"
	limited $EXPENSIVE_SECONDS expensive.tsv "$bench/expensive" -l "$POINT_SECONDS" -d "$DATE" -g "$COMMIT"
fi
if has_part gpus && [ "$("$pscan" --list-devices 2>>"$log" | awk -F '  ' '$3 == "gpu"' | wc -l)" -ge 2 ]; then
	run_several
fi
echo "all parts took $(passed "$begin_script") s; the rows are in $out"
