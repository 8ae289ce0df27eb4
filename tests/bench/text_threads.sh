#!/bin/sh
# text_threads.sh THREADS [GIGABYTES]: the running sum of text from tmpfs to /dev/null, with THREADS threads and with
# one, medians of 3 interleaved rounds, as rows of tab-separated values. COMMIT names the tree that was built.
set -eu
threads=$1
gigabytes=${2:-5}
work=$(mktemp -d -p /dev/shm)
trap 'rm -rf "$work"' EXIT
pscan=${BUILD:-build}/pscan

# seconds INPUT THREADS: of one run.
seconds() {
	begin=$(date +%s%N)
	"$pscan" -D none -T "$2" "$work/$1" >/dev/null
	end=$(date +%s%N)
	echo $((end - begin)) | awk '{ printf "%.3f\n", $1 / 1e9 }'
}

median() {
	sort -n "$1" | sed -n 2p
}

for input in integers decimals; do
	awk -v kind=$input 'BEGIN {
		srand(1)
		for (i = 0; i < 1000000; i++)
			if (kind == "integers") printf "%d\n", int(rand() * 100000)
			else printf "%.6f\n", rand() * 1000
	}' >"$work/part"
	copies=$((gigabytes * 1000000000 / $(wc -c <"$work/part")))
	for _ in $(seq "$copies"); do cat "$work/part"; done >"$work/$input"
	for _ in 1 2 3; do
		seconds $input 1 >>"$work/one"
		seconds $input "$threads" >>"$work/many"
	done
	printf '%s\t%s\t%s cores\t%s\t%s bytes\t%s s\t-T 1: %s s\t%s\n' "$(date +%F)" "${COMMIT:-unknown}" "$(nproc)" "$input as text, -T $threads" \
		"$(wc -c <"$work/$input")" "$(median "$work/many")" "$(median "$work/one")" \
		"$(echo "$(median "$work/one") $(median "$work/many")" | awk '{ printf "%.2f", $1 / $2 }')"
	rm "$work/one" "$work/many" "$work/$input"
done
