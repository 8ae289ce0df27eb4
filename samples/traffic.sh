#!/bin/sh
# Compressed in, compressed out: two gzipped logs are one stream, and the running total of the bytes served is kept beside
# them. Requests that served nothing ("-") keep their line. When was each tenth of the traffic served?
set -eu
export LC_ALL=C
pscan=${PSCAN:-pscan}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# log DAY: 1440 requests, one a minute.
log() {
	awk -v day="$1" 'BEGIN {
		x = 4711 + day
		for (minute = 0; minute < 1440; minute++) {
			x = (x * 16807) % 2147483647
			bytes = x % 20 == 0 ? "-" : x % 1000000
			printf "day%d %02d:%02d %s\n", day, minute / 60, minute % 60, bytes
		}
	}'
}
log 1 | gzip >"$work/1.log.gz"
log 2 | gzip >"$work/2.log.gz"

"$pscan" -f 3 --missing=keep -z "$work/1.log.gz" "$work/2.log.gz" >"$work/totals.gz"
total=$("$pscan" -f 3 --missing=skip --total "$work/1.log.gz" "$work/2.log.gz")

gzip -dc "$work/1.log.gz" "$work/2.log.gz" >"$work/log"
gzip -dc "$work/totals.gz" | paste -d ' ' "$work/log" - |
	awk -v total="$total" '$4 != "-" && $4 * 10 >= total * (tenth + 1) {
		tenth++
		printf "%3d%% by %s %s: %s bytes\n", tenth * 10, $1, $2, $4
	}'
