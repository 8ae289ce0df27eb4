#!/bin/sh
# Both kernel shapes in Oclgrind's simulator, with its checks for data races, uninitialised memory and API misuse. Its exit
# status says nothing: the log must be empty. The results must be the host's.
set -u
pscan=${PSCAN:-${BUILD:-build}/pscan}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# simulated SHAPE ARGUMENT...
simulated() {
	shape=$1
	shift
	: >"$work/log"
	"$pscan" -D none "$@" >"$work/host" 2>/dev/null
	PSCAN_SHAPE=$shape oclgrind --data-races --uninitialized --check-api --log "$work/log" \
		"$pscan" -D cpu "$@" >"$work/device" 2>"$work/err"
	if [ ! -s "$work/log" ] && cmp -s "$work/host" "$work/device" && ! grep -q 'pscan: device' "$work/err"; then
		passed=$((passed + 1))
		echo "ok - oclgrind, $shape shape: $*"
	else
		failed=$((failed + 1))
		echo "not ok - oclgrind, $shape shape: $*"
		head -n 12 "$work/log" "$work/err"
	fi
}

head -c 70001 /dev/zero | tr '\0' 'x' >"$work/bytes"
awk 'BEGIN { srand(3); for (i = 0; i < 5000; i++) printf "%d\n", rand() * 100000 - 30000 }' >"$work/integers"
awk 'BEGIN { for (i = 0; i < 700; i++) printf "%s\n", i == 300 ? "99999999999999999999.5" : i }' >"$work/decimals"
for shape in cpu gpu; do
	simulated "$shape" -t f32 --chunk-size=32K "$work/integers" --output-format=binary
	simulated "$shape" -t i32 -e "$work/integers"
	simulated "$shape" -t i32:i64 -op max "$work/integers"
	simulated "$shape" -t f64 -op min "$work/integers"
	simulated "$shape" -t u8 -op xor --format=binary --output-format=binary "$work/bytes"
	simulated "$shape" -t u8 --format=binary --output-format=binary "$work/bytes"
	simulated "$shape" "$work/decimals"
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
