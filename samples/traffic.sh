#!/bin/sh
# When was each tenth of the traffic served? Two gzipped logs are one stream. Requests without bytes ("-")
# keep their line.
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

# Each line with the bytes so far, compressed again; then also with their share of the total.
"$pscan" -f 3 --missing=keep -a -z "$work/1.log.gz" "$work/2.log.gz" >"$work/totals.gz"
"$pscan" -f 3 --missing=keep --emit='100 * s / t' -a "$work/totals.gz" >"$work/shares"
awk '$5 != "-" && $5 >= 10 * (tenth + 1) {
	tenth++
	printf "%3d%% by %s %s: %s bytes\n", 10 * tenth, $1, $2, $4
}' "$work/shares"
