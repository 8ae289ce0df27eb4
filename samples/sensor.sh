#!/bin/sh
# Raw float32 from pipe to pipe. A sensor sends the change since its last reading: the running sum gives the readings,
# and drawdown is how far a reading is below the greatest one so far.
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
}' | "$pscan" -t f32 --seed=20 --output-format=binary >"$work/readings.f32"

# total OPERATOR: its last result, as text. (Raw numbers are float32 unless -t says otherwise.)
total() {
	"$pscan" --format=binary -op "$1" --total --output-format=text
}

echo "readings:   $(wc -c <"$work/readings.f32") bytes"
echo "last:       $(total last <"$work/readings.f32") degrees"
echo "highest:    $(total max <"$work/readings.f32") degrees"
echo "lowest:     $(total min <"$work/readings.f32") degrees"
"$pscan" --format=binary -op drawdown "$work/readings.f32" >"$work/drops.f32"
echo "worst drop: $(total max <"$work/drops.f32") degrees"
