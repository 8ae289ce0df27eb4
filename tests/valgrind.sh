#!/bin/sh
# The host's tests, and some scans on PoCL, under Valgrind's memcheck: uninitialised values, and accesses and system
# calls outside of any block. A finding is shown and ends the program with status 99, which no test expects. BUILD holds
# the program (make check-valgrind). SHORT=1 takes only a few files of tests, and leaves out PoCL, whose compiler needs
# minutes there. Valgrind does not know AVX-512: rows of that level are not tested here.
set -u
root=$(pwd)
build=$(cd "${BUILD:-build}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/log"
# Nothing is fast.
export PSCAN_DEVICE_TIMEOUT=0
# Else PoCL's hwloc tells the user that it cannot ask Valgrind's processor.
export HWLOC_COMPONENTS=-x86

# The program as the tests run it. Valgrind 3.19 does not know Landlock.
cat >"$work/pscan" <<END_OF_SCRIPT
#!/bin/sh
exec valgrind --quiet --error-exitcode=99 --log-file=$work/log/%p --suppressions=$root/tests/valgrind.supp $build/pscan --no-sandbox "\$@"
END_OF_SCRIPT
chmod +x "$work/pscan"

# Tests that cannot be as they are under Valgrind, which is fifty times slower, has memory and descriptors of its own,
# knows no long double of more than 64 bits, needs /proc, and is started with one more option.
left_out="$root/tests/valgrind_left_out.txt"

files=$(grep -l '^	export PSCAN_DEVICE=none' tests/cli/*.bats)
[ -z "${SHORT:-}" ] || files=tests/cli/corners.bats
mkdir "$work/build"
TESTS="$files" BUILD=$work/build PSCAN=$work/pscan sh tests/run.sh >"$work/suite" 2>&1
passed=$(grep -E '^ok ' "$work/build/check.tap" | grep -vc '# skip')
skipped=$(grep -cE '^ok .*# skip' "$work/build/check.tap")
grep -E '^not ok' "$work/build/check.tap" | sed 's/^not ok [0-9]* //' >"$work/not_ok"
grep -vxFf "$left_out" "$work/not_ok" >"$work/wrong"
failed=$(wc -l <"$work/wrong")
while read -r name; do
	grep -F -A 12 "$name" "$work/build/check.tap"
done <"$work/wrong"
echo "not counted: $(grep -cxFf "$left_out" "$work/not_ok") tests that cannot be under Valgrind"

# scans EXPECTED ARGUMENT...
scans() {
	expected=$1
	shift
	timeout 1500 "$work/pscan" "$@" >"$work/out" 2>"$work/err"
	code=$?
	if [ $code -eq 0 ] && cmp "$work/out" "$expected" >>"$work/err" 2>&1; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "not ok - Valgrind (exit $code): $*"
		head -n 20 "$work/err"
	fi
}

awk 'BEGIN { for (i = 1; i <= 9001; i++) print i % 1000 }' >"$work/text"
awk '{ printf "%d\n", s += $1 }' "$work/text" >"$work/sums"
gzip -k "$work/text"
shapes='cpu gpu'
[ -z "${SHORT:-}" ] || shapes=
for shape in $shapes; do
	export PSCAN_SHAPE="$shape"
	scans "$work/sums" -D cpu -t i64 -T 3 --chunk-size=16K "$work/text"
	scans "$work/sums" -D cpu -T 3 --chunk-size=16K -t i32 "$work/text.gz"
	PSCAN_MEMORY=copy scans "$work/sums" -D cpu -t f64 "$work/text"
done

for log in "$work"/log/*; do
	grep -q '^==' "$log" || continue # tests that close descriptors may write elsewhere
	failed=$((failed + 1))
	echo "not ok - Valgrind found:"
	head -n 40 "$log"
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
