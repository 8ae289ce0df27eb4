#!/bin/sh
# Compares --device=auto with -D none, and with -D gpu where there is one: files of f32 in SCRATCH (a tmpfs, or a
# directory that the page cache holds) are scanned to /dev/null, one after the other in each round. Prints a row for
# each size: medians in seconds, and auto over the faster of the others. Usage: tests/bench/auto.sh [SIZE...] (default
# 256M 2G 16G; K, M, G as for head -c)
set -u
BUILD=${BUILD:-build}
SCRATCH=${SCRATCH:-/dev/shm}
ROUNDS=${ROUNDS:-7}
pscan=$BUILD/pscan
[ $# -gt 0 ] || set -- 256M 2G 16G
work=$(mktemp -d "$SCRATCH/pscan-auto.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

devices='none auto'
if "$pscan" -l 2>/dev/null | grep -q '  gpu  '; then devices='none gpu auto'; fi

# median FILE: of numbers, a line each
median() {
	sort -n "$1" | awk '{ x[NR] = $1 } END { print NR % 2 ? x[(NR + 1) / 2] : (x[NR / 2] + x[NR / 2 + 1]) / 2 }'
}

echo "$(uname -n), $(nproc) CPUs, $(date -u +%Y-%m-%d), commit ${COMMIT:-$(git rev-parse --short HEAD 2>/dev/null || echo -)}, $ROUNDS rounds"
"$pscan" -l 2>/dev/null
for size; do
	# The same 16 MiB of random numbers from 1 to 2 over and over.
	"${PYTHON:-python3}" -c 'import random, struct, sys
units = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
size = int(sys.argv[1][:-1]) * units[sys.argv[1][-1]]
rng = random.Random(1)
block = struct.pack("<4194304f", *(rng.uniform(1, 2) for _ in range(4194304)))
while size > 0:
    size -= sys.stdout.buffer.write(block[:size])' "$size" >"$work/in"
	round=0
	while [ "$round" -lt "$ROUNDS" ]; do
		for device in $devices; do
			begin=$(date +%s.%N)
			"$pscan" -D "$device" --stats "$work/in" 2>"$work/stats" >/dev/null || exit 1
			echo "$begin $(date +%s.%N)" | awk '{ printf "%.4f\n", $2 - $1 }' >>"$work/$device.$size"
		done
		round=$((round + 1))
	done
	printf '%s' "$size"
	for device in $devices; do printf '  %s %s s' "$device" "$(median "$work/$device.$size")"; done
	others=$(for device in $devices; do [ "$device" = auto ] || median "$work/$device.$size"; done | sort -n | head -n 1)
	echo "  auto/faster $(echo "$(median "$work/auto.$size") $others" | awk '{ printf "%.3f", $1 / $2 }')  ($(grep -h '^hand-over\|^engine' "$work/stats" | tr -s ' ' | tr '\n' ';'))"
	rm "$work/in"
done
