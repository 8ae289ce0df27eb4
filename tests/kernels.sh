#!/bin/sh
# Compiles the programs that tests/kernels.tsv lists for the bats files that are named (kernels.sh FILE...), before
# these run: many in one process, and as many processes as there are processors. What is listed costs the tests less
# time; nothing else depends on it. run.sh sets BUILD, PSCAN and the place of PoCL's cache.
set -u
compiler=$BUILD/tools/compile_kernels
root=$PWD
lines=$(for file; do echo "${file##*/}"; done |
	awk -F '\t' 'NR == FNR { wanted[$1] = 1; next } $1 in wanted' - tests/kernels.tsv | cut -f 2- | awk '!seen[$0]++')
[ -n "$lines" ] || exit 0
stamp=$XDG_CACHE_HOME/kernels-$({
	printf '%s\n' "$lines ${POCL_EXTRA_BUILD_FLAGS:-}"
	(cd "$BUILD" && cat kernel_text.o device/opencl_program.o scan/program.o)
} | cksum | tr ' ' -)
[ ! -e "$stamp" ] || exit 0
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
# Programs that tests write: FILE.bats/NAME.cl is the last one of that name in FILE.bats.
cd "$place" || exit 1
awk '
	FNR == 1 { folder = FILENAME; sub(/^.*\//, "", folder); name = "" }
	name == "" && /cat >[a-z]+\.cl <<-?.END.$/ {
		if (!made[folder]++)
			system("mkdir " folder)
		name = folder "/" substr($2, 2)
		printf "" >name
		next
	}
	name != "" && /^\t*END$/ { close(name); name = "" }
	name != "" { sub(/^\t+/, ""); print >name }' "$root"/tests/cli/helper.bash "$root"/tests/cli/*.bats
ln -s "$root/samples" .
# The operators that a program shows: shown/OPERATOR.TYPE.cl.
mkdir shown
printf '%s\n' "$lines" | grep -o '@shown/[^	,]*' | sort -u | while IFS=/. read -r _ operator type _; do
	"$PSCAN" -t "$type" --show-operator="$operator" >"shown/$operator.$type.cl"
done
count=$(printf '%s\n' "$lines" | wc -l)
processes=$(nproc)
[ "$processes" -le $((count / 4 + 1)) ] || processes=$((count / 4 + 1))
echo "  compiling kernels of $count command lines for the tests ..."
begin=$(date +%s)
for part in $(seq "$processes"); do
	{
		printf '%s\n' "$lines" | awk -v part="$part" -v of="$processes" 'NR % of == part - 1' |
			PSCAN_DEVICE_TIMEOUT=1200 "$compiler" ||
			echo failed >>failed
	} &
done
wait
echo "  compiled in $(($(date +%s) - begin)) s"
[ ! -e failed ] || exit 1
: >"$stamp"
