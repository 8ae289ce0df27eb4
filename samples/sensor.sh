#!/bin/sh
# Raw float32: a sensor sends the change since its last reading. The running sum gives the readings back, the running maximum
# holds the peak, and the greatest distance below the peak is the worst drop so far.
set -eu
export LC_ALL=C
pscan=${PSCAN:-pscan}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# 10000 changes in 64ths of a degree from a small generator, the same everywhere.
awk 'BEGIN {
	x = 12345
	for (i = 0; i < 10000; i++) {
		x = (x * 16807) % 2147483647
		printf "%.6f\n", (x % 33 - 16) / 64
	}
}' >"$work/changes"

"$pscan" -t f32 --seed=20 --output-format=binary "$work/changes" >"$work/readings.f32"
"$pscan" --format=binary -op max "$work/readings.f32" >"$work/peaks.f32"

# The values of a file, one a line.
values() {
	od -An -v -tf4 "$1" | tr -s ' ' '\n' | grep .
}

values "$work/readings.f32" >"$work/readings"
values "$work/peaks.f32" | paste "$work/readings" - | awk '{ printf "%.6f\n", $2 - $1 }' >"$work/drops"

echo "readings:   $(wc -c <"$work/readings.f32") bytes"
echo "last:       $(tail -n 1 "$work/readings") degrees"
echo "highest:    $("$pscan" --format=binary -op max --total --output-format=text "$work/readings.f32") degrees"
echo "lowest:     $("$pscan" --format=binary -op min --total --output-format=text "$work/readings.f32") degrees"
echo "worst drop: $("$pscan" -t f64 -op max --total "$work/drops") degrees"
