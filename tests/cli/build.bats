#!/usr/bin/env bats
# The Makefile and the runner of the tests.

load helper

# What this build was asked for is not for the makes of these tests, nor this bats's own directory for another bats.
clean() {
	env -i PATH="${PATH#"$BATS_LIBEXEC:"}" HOME="$TMP" LC_ALL=C "$@"
}

make_here() {
	clean make --no-print-directory -C "$ROOT" "$@"
}

# compiled OBJECT ARGUMENT...: the command that compiles it, without what every file gets.
compiled() {
	make_here -n V=1 BUILD="$TMP/build" "${@:2}" "$TMP/build/$1.o" | sed -n "s|^.* -I$TMP/build *\(.*\) -MMD -MP -c -o $TMP/build/$1.o .*|\1|p" | tr -s ' '
}

# A tree, in a directory with blanks and a quote, in which make takes everything for built; the program is a copy.
built_tree() {
	TREE="$TMP/a tree's place"
	mkdir -p "$TREE/build"
	cp -R "$ROOT/Makefile" "$ROOT/README.md" "$ROOT/GUIDE.md" "$ROOT/src" "$ROOT/kernels" "$ROOT/man" "$ROOT/samples" "$TREE"
	cd "$TREE" || return
	(cd src && find . -mindepth 1 -type d) | while read -r room; do mkdir "build/$room"; done
	clean make -s --touch all
	cp "$PSCAN" "${PSCAN%/*}/pscan.1" build
}

# installed DIRECTORY: its files and their modes.
installed() {
	(cd "$1" && find . -type f -printf '%m %P\n' | sort -k 2 | tr '\n' ' ')
}

@test "CFLAGS and CPPFLAGS of the user come in addition to what the code needs" {
	assert_equal "$(compiled cli/args)" '-O2 -g1 -O1 -ffp-contract=off'
	assert_equal "$(compiled text/line)" '-O2 -g1 -O3 -ffp-contract=off'
	assert_equal "$(compiled cli/args CFLAGS='-Os -g1' CPPFLAGS=-DX)" '-DX -Os -g1 -ffp-contract=off'
	assert_equal "$(compiled text/line CFLAGS=-Os)" '-Os -O3 -ffp-contract=off'
	assert_equal "$(compiled text/line CFLAGS=-Os SCAN_CFLAGS=-O1)" '-Os -O1 -ffp-contract=off'
	[ "$(uname -m)" = x86_64 ] || return 0
	local loops='-O2 -fvect-cost-model=dynamic' avx512='-mavx512f -mavx512bw -mavx512dq -mavx512vl'
	assert_equal "$(compiled rows/rows_v3_max CFLAGS=-O2)" "$loops -mavx2 -mbmi2 -mno-avx512f -DOPERATOR=max -DLEVEL=v3 -ffp-contract=off"
	assert_equal "$(compiled rows/rows_v4_max CFLAGS=-O2)" "$loops -mavx2 -mbmi2 $avx512 -DOPERATOR=max -DLEVEL=v4 -ffp-contract=off"
}

@test "LDFLAGS and LDLIBS of the user are linked with" {
	built_tree
	clean make -n V=1 -W src/main.c LDFLAGS='-Wl,-O1 -Lx' LDLIBS='-lx' >commands
	tail -n 1 commands | tr -s ' ' >link.txt
	grep -E -- '-pie -Wl,-z,relro,-z,now,-z,noexecstack -Wl,-z,stack-size=1048576 -Wl,-O1 -Lx -o build/pscan build/main\.o .* -lOpenCL -lz -lm -pthread( -l(isal|zstd|lzma|bz2|lz4))* -lx$' link.txt
}

@test "OPENCL=no leaves out the loader of drivers and the files that call it" {
	built_tree
	clean make -n V=1 OPENCL=no build/pscan | tail -n 1 | tr ' ' '\n' >words
	assert_equal "$(grep -E 'opencl|OpenCL' words | tr '\n' ' ')" 'build/device/no_opencl.o build/device/opencl_cache.o '
	clean make -n V=1 -W src/main.c build/pscan | tail -n 1 | tr ' ' '\n' >words
	assert_equal "$(grep -cxE -- '-lOpenCL|build/device/opencl_(channel|cursor|device|engine|program)\.o|build/device/no_opencl\.o' words)" 6
}

# bats test_tags=long
@test "no flags make the levels of the host's rows empty" {
	[ "$(uname -m)" = x86_64 ] || skip "the levels are those of x86-64"
	local level
	make_here -s BUILD="$TMP/build" CFLAGS='-O0 -march=x86-64-v4' SCAN_CFLAGS=-O0 "$TMP"/build/rows/rows_{baseline,v3,v4}_sum.o
	for level in baseline v3 v4; do
		[ "$(nm "$TMP/build/rows/rows_${level}_sum.o" | grep -c ' [tT] ')" -gt 20 ]
	done
}

@test "make says a short line a file, V=1 the command, -s nothing" {
	built_tree
	rm build/process/cpus.o
	assert_equal "$(clean make build/process/cpus.o)" '  CC  src/process/cpus.c'
	rm build/process/cpus.o
	assert_equal "$(clean make V=1 build/process/cpus.o | sed 's/ .* -c / ... -c /')" 'gcc ... -c -o build/process/cpus.o src/process/cpus.c'
	rm build/process/cpus.o
	assert_equal "$(clean make -s build/process/cpus.o)" ''
}

# What install puts below share, with the modes that installed shows.
SHARED=$({
	printf '644 share/%s\n' bash-completion/completions/pscan doc/pscan/GUIDE.md doc/pscan/README.md fish/vendor_completions.d/pscan.fish zsh/site-functions/_pscan
	(cd "$ROOT/man" && printf '644 share/man/man1/%s\n' *.1 && printf '644 share/man/man7/%s\n' *.7)
	(cd "$ROOT/samples" && printf '644 share/doc/pscan/examples/%s\n' *)
} | sort -k 2 | tr '\n' ' ')

@test "install puts the files where prefix and DESTDIR say" {
	built_tree
	local stage="$TMP/the stage's"
	clean make install DESTDIR="$stage/1"
	assert_equal "$(installed "$stage/1")" "755 usr/local/bin/pscan ${SHARED//share\//usr/local/share/}"
	assert_equal "$(printf '1\n2\n' | "$stage/1/usr/local/bin/pscan" -D none --total)" 3
	grep -qxF ".It Cm xor No or Cm ^" "$stage/1/usr/local/share/man/man1/pscan.1"
	cmp build/pscan.bash "$stage/1/usr/local/share/bash-completion/completions/pscan"
	cmp README.md "$stage/1/usr/local/share/doc/pscan/README.md"
	cmp GUIDE.md "$stage/1/usr/local/share/doc/pscan/GUIDE.md"
	diff -r samples "$stage/1/usr/local/share/doc/pscan/examples"

	clean make install PREFIX="$stage/2"
	assert_equal "$(installed "$stage/2")" "755 bin/pscan $SHARED"
	clean make install prefix="$stage/3"
	assert_equal "$(installed "$stage/3")" "755 bin/pscan $SHARED"
}

# moved VARIABLE FROM TO: with the variable set to /x, the files below usr/FROM are below TO, the others where they
# were; uninstall finds all of them.
moved() {
	local stage="$TMP/the stage's/$1"
	clean make install DESTDIR="$stage" prefix=/usr "$1=/x"
	assert_equal "$1: $(installed "$stage")" \
		"$1: $(echo "755 bin/pscan $SHARED" | tr ' ' '\n' | grep . | paste -d ' ' - - | sed -E "s, , usr/,; s, usr/$2/, $3/," | sort -k 2 | tr '\n' ' ')"
	clean make uninstall DESTDIR="$stage" prefix=/usr "$1=/x" >/dev/null
	assert_equal "$1: $(installed "$stage")" "$1: "
}

@test "each directory of GNU's is where its own variable says, below DESTDIR" {
	built_tree
	moved exec_prefix bin x/bin
	moved bindir bin x
	moved datarootdir share x
	moved datadir 'share/(bash-completion|fish|zsh)' 'x/\1'
	moved mandir share/man x
	moved man1dir share/man/man1 x
	moved man7dir share/man/man7 x
	moved docdir share/doc/pscan x
	moved bashcompletiondir share/bash-completion/completions x
	moved zshcompletiondir share/zsh/site-functions x
	moved fishcompletiondir share/fish/vendor_completions.d x
}

# The tree without what git knows of it and without what was built.
plain_tree() {
	mkdir -p "$1"
	(cd "$ROOT" && find . -mindepth 1 -maxdepth 1 ! -name .git ! -name 'build*' -exec cp -R -t "$1" {} +)
	find "$1" -name __pycache__ -prune -exec rm -r {} +
}

@test "dist without git packs every file of the tree and nothing that was built; the same tree gives the same bytes" {
	local tree="$TMP/a tree's place"
	plain_tree "$tree"
	mkdir -p "$tree/build" "$tree/out/asan" "$tree/tests/tools/__pycache__" "$tree/.git" "$TMP/unpacked" "$TMP/bin"
	touch "$tree"/{build/x,out/flags,out/asan/x,tests/tools/__pycache__/x,.git/x}
	# A checkout, and no git.
	find /bin/ /usr/bin/ -mindepth 1 ! -name git -exec ln -sft "$TMP/bin" {} +
	cd "$tree"
	clean env PATH="$TMP/bin" SOURCE_DATE_EPOCH=1000000000 make -s BUILD=made dist
	rm -r .git
	mv made "$TMP"
	tar -xzf "$TMP"/made/pscan-*.tar.gz -C "$TMP/unpacked"
	rm -r build out tests/tools/__pycache__
	assert_equal "$(ls "$TMP/unpacked")" "pscan-$(sed -n 's/.*PSCAN_VERSION "\(.*\)"/\1/p' src/base/version.h)"
	diff -r . "$TMP"/unpacked/pscan-*
	assert_equal "$(stat -c %Y "$TMP"/unpacked/pscan-*/Makefile)" 1000000000

	find . -type f -exec touch {} +
	chmod g+w Makefile
	clean env SOURCE_DATE_EPOCH=1000000000 make -s BUILD=again dist
	cmp "$TMP"/made/pscan-*.tar.gz again/pscan-*.tar.gz
}

@test "dist in a checkout packs what git has committed" {
	command -v git >/dev/null || skip 'there is no git'
	git -C "$ROOT" rev-parse HEAD >/dev/null 2>&1 || skip 'this is no checkout'
	make_here -s BUILD="$TMP/build" dist
	tar -tzf "$TMP"/build/pscan-*.tar.gz | sed -n 's,^[^/]*/\(.*[^/]\)$,\1,p' | sort >"$TMP/packed"
	git -C "$ROOT" ls-tree -r --name-only HEAD | sort | diff - "$TMP/packed"
}

@test "the Debian package has the program's version and its licence, and the change log begins with that version" {
	assert_equal "$(sed -n 's/^## //p' "$ROOT/CHANGELOG.md" | head -n 1)" "$("$PSCAN" --version | sed -n 's/^pscan //p')"
	assert_equal "$(sed -n '1s/^pscan (\(.*\)) .*/\1/p' "$ROOT/debian/changelog")" "$("$PSCAN" --version | sed -n 's/^pscan //p')"
	sed -n '5,$p' "$ROOT/LICENSE" | sed 's/^$/./; s/^/ /' >"$TMP/licence"
	sed -n '/^License: Expat$/,$p' "$ROOT/debian/copyright" | grep '^ ' | diff - "$TMP/licence"
}

@test "deb builds what dist packs, beside the tree, with nothing of this make's, and fails where lintian does" {
	plain_tree "$TMP/tree"
	mkdir "$TMP/bin"
	# shellcheck disable=SC2016 # expanded by the scripts
	printf '#!/bin/sh\n%s\n' 'pwd && env | grep -E "^(MAKE|MFLAGS|BUILD)"; ls debian/rules; touch ../pscan.changes' >"$TMP/bin/dpkg-buildpackage"
	# shellcheck disable=SC2016
	printf '#!/bin/sh\n%s\n' 'echo "$*"; [ ! -e fails ]' >"$TMP/bin/lintian"
	printf '#!/bin/sh\n%s\n' '[ ! -e lacks ]' >"$TMP/bin/dpkg-checkbuilddeps"
	chmod +x "$TMP/bin/"*
	cd "$TMP/tree" || return
	clean env PATH="$TMP/bin:$PATH" make -s BUILD=out deb >"$TMP/said"
	assert_equal "$(sed 's/pscan-[0-9.]*$/pscan-N/' "$TMP/said" | tr '\n' ';')" \
		"$TMP/tree/out/deb/pscan-N;debian/rules;--allow-root --fail-on error,warning out/deb/pscan.changes;out/deb/pscan.changes;"
	diff -r "$ROOT/src" src
	touch fails
	code=0
	clean env PATH="$TMP/bin:$PATH" make -s BUILD=out deb >"$TMP/said" 2>&1 || code=$?
	assert_equal "$code" 2
	rm fails
	touch lacks
	code=0
	clean env PATH="$TMP/bin:$PATH" sh src/tools/deb.sh pscan 2>"$TMP/said" || code=$?
	assert_equal "$code $(cat "$TMP/said")" '1 make deb: packages are missing (make deps-deb installs what it needs)'
	code=0
	clean env PATH="$TMP/nothing" /bin/sh src/tools/deb.sh pscan 2>"$TMP/said" || code=$?
	assert_equal "$code $(cat "$TMP/said")" '1 make deb: there is no dpkg-buildpackage (make deps-deb installs what it needs)'
}

# A machine with one package, on which apt-get writes what it is called with.
fake_apt() {
	mkdir "$TMP/bin"
	# shellcheck disable=SC2016 # expanded by the scripts
	printf '#!/bin/sh\n%s\n' 'for p; do :; done; [ "$p" != here ] || echo "install ok installed"' >"$TMP/bin/dpkg-query"
	cat >"$TMP/bin/apt-get" <<-'END'
		#!/bin/sh
		echo "$*" >>"$LOG"
		case $* in
		*--assume-no*)
			echo '0 upgraded, 77 newly installed, 0 to remove and 3 not upgraded.'
			echo 'Need to get 141 MB of archives.'
			echo 'After this operation, 634 MB of additional disk space will be used.'
			exit 1
			;;
		*' install '*) echo 'Setting up one' && exit "$STATUS" ;;
		esac
	END
	printf '#!/bin/sh\n%s\n' 'echo 0' >"$TMP/bin/id"
	chmod +x "$TMP/bin/"*
}

@test "deps says how much it installs before it does, passes on what apt says, and installs only what is missing" {
	fake_apt
	local deps=(clean env PATH="$TMP/bin:$PATH" LOG="$TMP/log" STATUS=0)
	"${deps[@]}" sh "$ROOT/src/tools/deps.sh" one here two | grep -v "^  \.\.\. " >"$TMP/said"
	assert_equal "$(paste -s -d ';' "$TMP/said")" \
		'missing: one two;installing 77 packages with what they need, 141 MB to download, 634 MB on disk;Setting up one'
	assert_equal "$(tail -n 1 "$TMP/log")" '-q --no-install-recommends install -y one two'
	rm "$TMP/log"
	assert_equal "$("${deps[@]}" sh "$ROOT/src/tools/deps.sh" here)" ''
	[ ! -e "$TMP/log" ]
	code=0
	"${deps[@]}" STATUS=100 sh "$ROOT/src/tools/deps.sh" one >"$TMP/said" || code=$?
	assert_equal "$code" 100
}

@test "the demo installs what building takes, check what tests take besides, and check-all the tools" {
	local goal packages
	for goal in demo check check-all; do
		packages=$(make_here -n BUILD="$TMP/build" $goal 2>&1 | sed -n 's/^sh src.tools.deps.sh / /p')
		echo "$goal:$(for p in pocl-opencl-icd bats clang zsh valgrind; do case "$packages " in *" $p "*) echo " $p" ;; esac done | tr -d '\n')"
	done >"$TMP/installed"
	assert_equal "$(paste -s -d ';' "$TMP/installed")" \
		'demo: pocl-opencl-icd;check: pocl-opencl-icd bats;check-all: pocl-opencl-icd bats clang zsh valgrind'
}

@test "a command that says nothing is seen to be running, and its status is passed on" {
	code=0
	# shellcheck disable=SC2016 # expanded by the command
	clean env ALIVE_SECONDS=0.1 OUT="$TMP/out" sh "$ROOT/src/tools/alive.sh" sh -c \
		'until grep -qE "^  \.\.\. [0-9]+ s$" "$OUT"; do sleep 0.1; done; exit 5' >"$TMP/out" || code=$?
	assert_equal "$code" 5
}

@test "install uses INSTALL, INSTALL_PROGRAM and INSTALL_DATA; install-strip strips" {
	built_tree
	clean make install DESTDIR="$TMP/1" INSTALL='install -m 700'
	assert_equal "$(installed "$TMP/1/usr/local" | tr ' ' '\n' | grep -c '^700$')" 1
	clean make install DESTDIR="$TMP/2" INSTALL_PROGRAM='install -m 711' INSTALL_DATA='install -m 604'
	assert_equal "$(installed "$TMP/2/usr/local")" \
		"711 bin/pscan ${SHARED//644/604}"
	clean make install-strip DESTDIR="$TMP/3"
	assert_equal "$(nm "$TMP/3/usr/local/bin/pscan" 2>&1 | grep -c 'no symbols')" 1
	[ "$(nm build/pscan | wc -l)" -gt 100 ]
}

@test "install takes what was built, with whatever flags" {
	built_tree
	printf '#!/bin/sh\necho "built before"\n' >build/pscan
	clean make install DESTDIR="$TMP/1" CFLAGS=-O7
	assert_equal "$("$TMP/1/usr/local/bin/pscan")" 'built before'
}

@test "every target that the pages name is listed by make help" {
	make_here help >"$TMP/help"
	grep -ohE '`make [a-z][a-z-]*|^(    )?make [a-z][a-z-]*' "$ROOT/README.md" "$ROOT/GUIDE.md" "$ROOT/CONTRIBUTING.md" "$ROOT/tests/README.md" "$ROOT/tests/bench/README.md" | sed 's/.*make //' | sort -u >"$TMP/named"
	[ "$(wc -l <"$TMP/named")" -ge 10 ]
	while read -r target; do
		assert_equal "$target $(grep -cE "^  $target  " "$TMP/help")" "$target 1"
	done <"$TMP/named"
}

@test "the package's test of answers passes with this program, and fails where any answer is another" {
	run env PSCAN="$PSCAN" sh "$ROOT/debian/tests/answers"
	assert_equal "$status $output" '0 16 answers, 0 wrong'
	# Every answer is compared: a program that says nothing gives none.
	run env PSCAN=true sh "$ROOT/debian/tests/answers"
	assert_equal "$status $(tail -n 1 <<<"$output")" '1 16 answers, 16 wrong'
	# The one that is installed, if no other is named.
	mkdir "$TMP/bin"
	printf '#!/bin/sh\nexec "%s" "$@" | sed s/2.5/2.6/\n' "$PSCAN" >"$TMP/bin/pscan"
	chmod +x "$TMP/bin/pscan"
	run env -u PSCAN PATH="$TMP/bin:$PATH" sh "$ROOT/debian/tests/answers"
	assert_equal "$status $(tail -n 1 <<<"$output")" '1 16 answers, 2 wrong'
	assert_contains "$output" 'moving mean: pscan --window=2 -op mean digits'
	assert_equal "$(sed -n 's/^Tests: //p' "$ROOT/debian/tests/control" | paste -s -d ' ')" 'answers host'
}

# bats test_tags=long
@test "static builds one file that needs no library, and says what is missing" {
	run clean env PATH="$TMP/nothing" /bin/sh "$ROOT/src/tools/static.sh" "$TMP/root"
	assert_equal "$status $output" '1 make static: there is no musl-gcc (make deps-static installs what it needs)'
	command -v musl-gcc >/dev/null || skip 'no musl-gcc'
	make_here -s -j2 BUILD="$TMP/build" CFLAGS=-O0 SCAN_CFLAGS=-O0 GRID_CFLAGS=-O0 static
	run ldd "$TMP/build/static/pscan"
	assert_contains "$output" 'not a dynamic executable'
	# Nothing of this machine is needed but the kernel.
	printf 'a 1\nb 2\na 3\n' | gzip >in.gz
	assert_equal "$(env -i "$TMP/build/static/pscan" -g 1 -f 2 in.gz | paste -s -d ' ')" 'a 1 b 2 a 4'
	assert_contains "$(env -i "$TMP/build/static/pscan" -V)" 'OpenCL: no'
}

# bats test_tags=long
@test "what dist packs is built, tested and installed without git, in a directory with blanks" {
	local tree="$TMP/a tree's place"
	plain_tree "$TMP/plain"
	(cd "$TMP/plain" && clean make -s dist)
	mkdir "$tree"
	tar -xzf "$TMP"/plain/build/pscan-*.tar.gz -C "$tree" --strip-components=1
	cd "$tree"
	clean make -j2 CFLAGS='-O1 -g' SCAN_CFLAGS=-O1 all build/unit/row_test build/unit/args_test fault-layer
	clean env BUILD=build TAGS='!long' TESTS='row_test args_test tests/cli/corners.bats tests/cli/devices.bats' sh tests/run.sh >log || {
		cat log
		return 1
	}
	tail -n 1 log | grep -E '^[1-9][0-9]* passed, 0 failed, [0-9]+ skipped$'
	clean make install DESTDIR="$tree/x y" CFLAGS='-O1 -g' SCAN_CFLAGS=-O1
	assert_equal "$(seq 4 | "$tree/x y/usr/local/bin/pscan" -D none | tr '\n' ' ')" '1 3 6 10 '
}

# Tests for the runner: an own file and an own unit test.
runner_tests() {
	mkdir -p "$TMP/build/unit"
	# Were they written as they are, bats would take them for tests of this file.
	sed 's/^TEST/@test/; s/^# TAGS/# bats test_tags/' >"$TMP/some.bats" <<'END'
TEST "good" { true; }
TEST "bad" { echo "why it is bad"; false; }
TEST "left out" { skip "for a reason"; }
# TAGS=long
TEST "slow" { true; }
END
	printf '#!/bin/sh\n%s\n' "$1" >"$TMP/build/unit/own_test"
	chmod +x "$TMP/build/unit/own_test"
}

run_tests() {
	code=0
	clean env BUILD="$TMP/build" TESTS="own_test $TMP/some.bats" "$@" sh "$ROOT/tests/run.sh" >"$TMP/out" 2>&1 || code=$?
	totals=$(tail -n 1 "$TMP/out")
}

@test "the runner shows failures and a line a file, and counts what was passed, failed and skipped" {
	runner_tests 'echo "ok 1 - own"; echo "ok 2 - no # skip nowhere"; echo 1..2'
	run_tests
	assert_equal "$code $totals" '1 3 passed, 1 failed, 2 skipped'
	grep -q '^some.bats: not ok 2 bad' "$TMP/out"
	grep -q '^some.bats: # why it is bad' "$TMP/out"
	grep -qE '^  some.bats +2 passed, 1 failed, 1 skipped, [0-9]+ s$' "$TMP/out"
	grep -qE '^  own_test +1 passed, 0 failed, 1 skipped, [0-9]+ s$' "$TMP/out"
	grep -q '^failed: some.bats: bad' "$TMP/out"
	run_tests FILTER='good|slow'
	assert_equal "$code $totals" '0 3 passed, 0 failed, 1 skipped'
	run_tests FILTER='good|slow' TAGS='!long'
	assert_equal "$code $totals" '0 2 passed, 0 failed, 1 skipped'
	run_tests TAGS=long
	assert_equal "$code $totals" '0 2 passed, 0 failed, 1 skipped'
}

@test "the runner says how far the files are that run" {
	# shellcheck disable=SC2016 # expanded by the test
	runner_tests 'echo "ok 1 - own"; until grep -qE " s: .*own_test 1 of [?]" "$OUT"; do sleep 0.1; done; echo "ok 2 - own"; echo 1..2'
	run_tests FILTER=good PROGRESS_SECONDS=0.1 OUT="$TMP/out"
	assert_equal "$code $totals" '0 3 passed, 0 failed, 0 skipped'
}

@test "make test runs the files and the tests that T and F name, of long ones none but with LONG=1" {
	built_tree
	clean make -s build/flags
	clean make -s --touch all
	mkdir -p tests/cli
	cp "$ROOT/tests/run.sh" tests
	runner_tests :
	cp "$TMP/some.bats" tests/cli
	for named in some some.bats tests/cli/some.bats; do
		clean make --no-print-directory test T=$named F='good|slow' >"$TMP/out"
		grep -q '^some.bats: ok 1 good' "$TMP/out"
		assert_equal "$named: $(tail -n 1 "$TMP/out")" "$named: 1 passed, 0 failed, 0 skipped"
	done
	assert_equal "$(clean make test T=some F='good|slow' LONG=1 | tail -n 1)" '2 passed, 0 failed, 0 skipped'
	ended=0
	clean make test T=some F='slow' >"$TMP/out" || ended=$?
	assert_equal "$ended $(tail -n 2 "$TMP/out" | paste -s -d ';')" '2 no test matches FILTER=slow TAGS=!long;0 passed, 0 failed, 0 skipped'
	ended=0
	clean make test T=none 2>"$TMP/out" || ended=$?
	assert_equal "$ended" 2
	assert_contains "$(cat "$TMP/out")" 'T=none: there is no tests/cli/none.bats and no tests/unit/none_test.c'
}

# bats test_tags=long
@test "each line of tests/kernels.tsv names a file of tests and can be compiled" {
	need_opencl
	[ -x "$BUILD/tools/compile_kernels" ] || skip 'there is no compile_kernels'
	cd "$ROOT"
	local name
	while read -r name _; do
		[ -e "tests/cli/$name" ]
	done < <(sed '/^#/d' tests/kernels.tsv)
	mkdir -m 700 "$TMP/own"
	POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable XDG_CACHE_HOME=$TMP/own sh tests/kernels.sh tests/cli/*.bats >"$TMP/log" 2>&1 || {
		cat "$TMP/log"
		return 1
	}
	[ "$(find "$TMP/own" -name program.bc | wc -l)" -gt 40 ]
	# A line that cannot be compiled is shown.
	mkdir -p "$TMP/tree/tests/cli" "$TMP/tree/samples"
	cp tests/kernels.sh "$TMP/tree/tests"
	cp tests/cli/helper.bash tests/cli/bits.bats "$TMP/tree/tests/cli"
	printf 'bits.bats\tcpu\ttext\t-op\ta + \n' >"$TMP/tree/tests/kernels.tsv"
	cd "$TMP/tree"
	run env XDG_CACHE_HOME="$TMP/own" sh tests/kernels.sh tests/cli/bits.bats
	assert_equal "$status ${lines[2]}" $'1 compile_kernels: cpu\ttext\t-op\ta + '
}

# needed T: what `make test` builds for it.
needed() {
	make_here -n BUILD="$TMP/b" test T="$1" 2>&1 | sed -n "s|$TMP/b/|/|g; s/^sh src.tools.alive.sh .* -j[0-9]* *//p" | tr -s ' ' | sed 's/ $//'
}

@test "make test builds what the tests need and no more" {
	assert_equal "$(needed operators)" 'all'
	assert_equal "$(needed row)" '/unit/row_test'
	assert_equal "$(needed 'keys keys_test')" 'all /unit/keys_test'
	assert_equal "$(needed documentation)" 'all fault-layer kernel-compiler'
	assert_equal "$(needed faults)" 'all fault-layer /fault/libc_faults.so'
	assert_equal "$(needed bench)" 'all bench-programs'
}

@test "a test that ends before its plan, badly or never is a failure" {
	runner_tests 'echo "ok 1 - own"; kill -9 $$'
	run_tests FILTER=good
	assert_equal "$code $totals" '1 2 passed, 1 failed, 0 skipped'
	runner_tests 'echo "ok 1 - own"; echo 1..2'
	run_tests FILTER=good
	assert_equal "$code $totals" '1 2 passed, 1 failed, 0 skipped'
	runner_tests 'echo "ok 1 - own"; echo 1..1; exit 3'
	run_tests FILTER=good
	assert_equal "$code $totals" '1 2 passed, 1 failed, 0 skipped'
	# Alone, for others need that long on a busy machine; and its own words may come too late there.
	runner_tests 'echo "ok 1 - own"; echo 1..1; sleep 7200'
	run_tests TESTS=own_test FILE_TIMEOUT=2
	[[ $totals =~ ^[01]\ passed,\ 1\ failed,\ 0\ skipped$ ]]
	assert_equal "$code" 1
	grep -q '^not ok - own_test ended with 124 after' "$TMP/out"
}

# Runs a copy of a script of steps, with a make of which lint fails, check-zlib and check-mutants fail with tests, and
# the rest is well.
run_steps() {
	local bin
	bin=$(mktemp -d) # where another user may go
	mkdir -p "$TMP/tree/tests/mutants"
	touch "$TMP/tree/tests/mutants/mutants.py"
	cp "$ROOT/tests/$1" "$ROOT/tests/steps.sh" "$TMP/tree/tests"
	cp -R "$ROOT/tests/cli" "$TMP/tree/tests"
	cd "$TMP/tree" || return
	# shellcheck disable=SC2016 # expanded by run.sh
	echo 'echo "tags: $TAGS"; echo "5 passed, 0 failed, 1 skipped"' >tests/run.sh
	cat >"$bin/make" <<'END'
#!/bin/sh
for target; do
	case $target in check* | lint | demo) break ;; esac
done
echo "make $target as $(id -u)"
case $target in
check) echo '3 passed, 0 failed, 1 skipped' ;;
check-zlib | check-mutants) echo '4 passed, 2 failed' && exit 1 ;;
lint) exit 1 ;;
esac
END
	chmod 755 "$bin" "$bin/make"
	code=0
	clean env PATH="$bin:$PATH" sh "tests/$1" >"$TMP/out" 2>&1 || code=$?
	rm -r "$bin"
	grep -q '^== lint: FAILED after' "$TMP/out"
	grep -q '^== sanitizers: passed in' "$TMP/out"
	assert_equal "$(cat build/ci/totals)" "$(tail -n 1 "$TMP/out")"
}

@test "check-all and the gate add up what their steps say, go on after a failure, and check as an ordinary user too" {
	local passed=3 skipped=1
	if [ "$(id -u)" -eq 0 ]; then
		passed=8 skipped=2 # with the tests for root
	fi
	# lint counts 1, of the others each its 2 and 1.
	run_steps check_all.sh
	assert_equal "$code $(tail -n 1 "$TMP/out")" "1 $((passed + 8)) passed, 7 failed, $skipped skipped"
	run_steps gate.sh
	assert_equal "$code $(tail -n 1 "$TMP/out")" "1 $((passed + 4)) passed, 4 failed, $skipped skipped"
	if [ "$(id -u)" -eq 0 ]; then
		grep -q '^tags: root,!long$' "$TMP/out"
		assert_equal "$(grep -c '^make check as 65534$' "$TMP/out")" 1
	fi
}
