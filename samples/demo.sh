#!/bin/sh
# What `make demo` shows: real input of this machine, scanned on the OpenCL device that PSCAN_DEVICE names (PoCL). Only
# the decimals are scanned on the host. Every total is computed a second time with awk, and the two must agree. A picture
# is the end.
set -eu
pscan=$(command -v "${PSCAN:-pscan}") || {
	echo "${0##*/}: there is no ${PSCAN:-pscan} (see PSCAN in the environment)" >&2
	exit 1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

say() {
	printf '\n%s\n' "$*"
}

# agree NAME PSCAN'S AWK'S
agree() {
	if [ "$2" != "$3" ]; then
		echo "$1: pscan says $2, awk says $3" >&2
		exit 1
	fi
	echo "$1: $2 (awk agrees)"
}

say "The devices of this machine, and the one that scans:"
"$pscan" --list-devices
seq 10 | "$pscan" -t i64 -v >/dev/null

say "Running total of the sizes of all installed packages, in KiB; the last lines:"
dpkg-query -W -f '${Installed-Size} ${Package}\n' | awk 'NF == 2' >"$work/packages"
"$pscan" -t i64 -f 1 -a "$work/packages" | tail -n 3
agree "total" "$("$pscan" -t i64 -f 1 --total "$work/packages")" "$(awk '{ s += $1 } END { printf "%.0f\n", s }' "$work/packages")"

say "Where each line of this machine's licences ends, in bytes, from their lengths, gzipped and read back; the last lines:"
cat /usr/share/common-licenses/* >"$work/licences"
LC_ALL=C awk '{ print length($0) + 1 }' "$work/licences" | gzip >"$work/lengths.gz"
"$pscan" -t i64 "$work/lengths.gz" | tail -n 3
agree "end" "$("$pscan" -t i64 --total "$work/lengths.gz")" \
	"$(gzip -dc "$work/lengths.gz" | awk '{ s += $1 } END { printf "%.0f\n", s }')"

say "The first million bytes of the pscan program itself as numbers: 64-bit running sums of them, the last:"
head -c 1000000 "$pscan" >"$work/bytes"
"$pscan" -t u8:u64 --format=binary "$work/bytes" | tail -c 8 | od -An -tu8
agree "sum of bytes" "$("$pscan" -t u8:u64 --format=binary --output-format=text --total "$work/bytes")" \
	"$(od -An -v -tu1 "$work/bytes" | awk '{ for (i = 1; i <= NF; i++) s += $i } END { printf "%.0f\n", s }')"

say "Cents stay cents, on the host (exclusive: the balance before each booking):"
printf '100.10\n-0.20\n19.99\n-119.89\n' >"$work/bookings"
"$pscan" -e -a "$work/bookings"

say "The running total of the packages' sizes as a picture, in the order of their names:"
{ "$pscan" -t i64 -f 1 --plot "$work/packages" >/dev/null; } 2>&1
