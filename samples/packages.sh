#!/bin/sh
# Which packages fill the disk? The ten largest installed packages of a Debian system with the running total of their sizes
# (MiB) and its share of everything: how concentrated the space is can be read off the last column.
set -eu
export LC_ALL=C
pscan=${PSCAN:-pscan}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if ! command -v dpkg-query >/dev/null; then
	echo "packages.sh: there is no dpkg-query here" >&2
	exit 1
fi
# Name and KiB, the largest first. A package without a size gives an empty field.
# shellcheck disable=SC2016 # dpkg's own variables
dpkg-query -W -f '${Package}\t${Installed-Size}\n' | sort -t "$(printf '\t')" -k 2,2nr -k 1,1 >"$work/sizes"

total=$("$pscan" -d '\t' -f 2 --missing=zero --total "$work/sizes")
"$pscan" -d '\t' -f 2 --missing=zero "$work/sizes" >"$work/running"

paste "$work/sizes" "$work/running" | head -n 10 |
	awk -F '\t' -v total="$total" '{ printf "%-36s %8.1f %8.1f %5.1f%%\n", $1, $2 / 1024, $3 / 1024, 100 * $3 / total }'
