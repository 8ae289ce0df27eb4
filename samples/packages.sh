#!/bin/sh
# Which packages fill the disk? The ten largest packages of a Debian system, the sum of their sizes so far (MiB), and
# its share of all packages.
set -eu
export LC_ALL=C
pscan=${PSCAN:-pscan}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if ! command -v dpkg-query >/dev/null; then
	echo "packages.sh: there is no dpkg-query here" >&2
	exit 1
fi
# Name and KiB, the largest first. A package without a size has an empty field. The second pscan appends the share.
# shellcheck disable=SC2016 # dpkg's own variables
dpkg-query -W -f '${Package}\t${Installed-Size}\n' | sort -t "$(printf '\t')" -k 2,2nr -k 1,1 |
	"$pscan" -d '\t' -f 2 --missing=zero -a |
	"$pscan" -d '\t' -f 2 --missing=zero --emit='100 * s / t' -a >"$work/shares"
awk -F '\t' 'NR <= 10 { printf "%-36s %8.1f %8.1f %5.1f%%\n", $1, $2 / 1024, $3 / 1024, $4 }' "$work/shares"
