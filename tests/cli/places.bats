#!/usr/bin/env bats
# Odd places for output, for compiled kernels and for drivers: names that lead nowhere, and signals in the middle of a
# write.
# shellcheck disable=SC2154 # code, out and err are set by run_pscan

load helper

setup() {
	export PSCAN_DEVICE=none
	cd "$TMP" || return
}

# --- Output

# bats test_tags=usual
@test "-o with a name that leads nowhere is 3, says why and makes nothing" {
	ln -s loop loop
	ln -s a b && ln -s b a
	ln -s "$(printf 'x%.0s' {1..5000} | head -c 4000)" far
	local deep
	deep=$(printf 'd%.0s' {1..200})
	mkdir "$deep" && mv far "$deep"
	local name why
	while IFS='|' read -r name why; do
		run_pscan -o "$name" < <(seq 3)
		assert_equal "$why: $code $out" "$why: 3 "
		assert_contains "$err" "$why"
	done <<-ROWS
		loop|Too many levels of symbolic links
		a|Too many levels of symbolic links
		$(printf 'n%.0s' {1..5000})|File name too long
		$(printf 'n%.0s' {1..300})|File name too long
		$deep/far|File name too long
		/dev/fd/99999999999|No such file or directory
		/dev/fd/77|Bad file descriptor
		/dev/fd/1x|No such file or directory
	ROWS
	[ -z "$(find . -name '*.pscan-*')" ]
}

@test "-o follows relative and absolute links from the directory that they are in" {
	mkdir in there
	ln -s ../there/made in/relative
	ln -s beside in/near
	ln -s "$PWD/there/it" in/absolute
	ln -s plain here
	local link
	for link in in/relative in/near in/absolute here; do
		run_pscan -o "$link" < <(seq 3)
		assert_equal "$link $code $err" "$link 0 "
		[ -L "$link" ]
	done
	for link in there/made in/beside there/it plain; do
		[ ! -L "$link" ]
		assert_equal "$(tr '\n' ' ' <"$link")" '1 3 6 '
	done
}

@test "a signal while results are written in place leaves a prefix without gaps" {
	"$PYTHON" - "$PSCAN" <<-'END'
		import os, signal, subprocess, sys, time
		for number in signal.SIGTERM, signal.SIGINT, signal.SIGHUP:
		    def reset():
		        signal.signal(number, signal.SIG_DFL)
		    with open("out", "wb") as out:
		        child = subprocess.Popen([sys.argv[1], "-t", "u8:u64", "--format=binary", "--chunk-size=16K", "-T", "3"],
		                                 stdin=subprocess.PIPE, stdout=out, bufsize=0, preexec_fn=reset)
		        given = 0
		        while os.stat("out").st_size < 2000000:
		            given += child.stdin.write(b"\1" * 50000)
		        child.send_signal(number)
		        assert child.wait(1200) == -number, child.returncode
		    data = open("out", "rb").read()
		    assert len(data) % 8 == 0 and 1000000 < len(data) <= 8 * given, len(data)
		    assert data == b"".join(n.to_bytes(8, sys.byteorder) for n in range(1, len(data) // 8 + 1)), number
	END
}

@test "output that has grown behind the descriptor is written to in order" {
	printf 'longer than what comes' >grown
	"$PSCAN" < <(seq 3) 1<>grown
	assert_equal "$(cat grown)" $'1\n3\n6\n than what comes'
}

@test "results and messages may go to one file" {
	{ seq 5000; echo oops; } >in
	"$PSCAN" --chunk-size=4K in >log 2>&1 || true
	assert_equal "$(head -n 5000 log | cksum)" "$(seq 5000 | awk '{ print s += $1 }' | cksum)"
	assert_equal "$(tail -n +5001 log)" "pscan: in: line 5001: not a number: \"oops\" (see --invalid)"
	{ seq 5000; echo oops; seq 3; } | "$PSCAN" --invalid=warn --chunk-size=4K - >log 2>&1
	assert_equal "$(grep -v warning log | cksum)" "$(seq 5000 | awk '{ print s += $1 } END { print s + 1; print s + 3; print s + 6 }' | cksum)"
	assert_equal "$(grep -c 'warning.*oops' log)" 1
	"$PSCAN" --bogus >log 2>&1 || true
	assert_contains "$(cat log)" bogus
}

# --- Compiled kernels

# A directory that cannot be made; PoCL makes any other.
setup_file() {
	: >"$BATS_FILE_TMPDIR/file"
	export NOWHERE=$BATS_FILE_TMPDIR/file/below
}

# made_below SETTING...: lists devices with that environment and tells what directories that left below base.
made_below() {
	rm -rf base && mkdir base
	env -u XDG_CACHE_HOME -u POCL_CACHE_DIR -u HOME "$@" "$PSCAN" -l >out 2>err || return
	(cd base && find . -mindepth 1 -type d | sort | tr '\n' ' ')
}

# bats test_tags=usual
@test "compiled kernels go below XDG_CACHE_HOME, else HOME, if those are absolute" {
	assert_equal "$(made_below XDG_CACHE_HOME="$PWD/base" HOME="$NOWHERE")" './pscan ./pscan/pocl '
	assert_equal "$(made_below XDG_CACHE_HOME="$PWD/base/a/b")" './a ./a/b ./a/b/pscan ./a/b/pscan/pocl '
	assert_equal "$(made_below HOME="$PWD/base")" './.cache ./.cache/pscan ./.cache/pscan/pocl '
	assert_equal "$(made_below XDG_CACHE_HOME=base HOME="$PWD/base")" './.cache ./.cache/pscan ./.cache/pscan/pocl '
	mkdir -p base
	assert_equal "$(made_below XDG_CACHE_HOME=base HOME=base)" ''
	assert_equal "$(made_below HOME="$PWD/base/none")" ''
	assert_equal "$(made_below TMPDIR="$PWD/base")" ''
}

@test "a cache of others, a link or a file is not used; a place of its own is, and is gone in the end" {
	need_opencl
	local kind
	mkdir home elsewhere
	for kind in open link file; do
		rm -rf home/.cache && mkdir home/.cache
		case $kind in
		open) mkdir -m 755 home/.cache/pscan ;;
		link) ln -s "$PWD/elsewhere" home/.cache/pscan ;;
		file) : >home/.cache/pscan ;;
		esac
		rm -rf temporary && mkdir temporary
		env -u XDG_CACHE_HOME -u POCL_CACHE_DIR HOME="$PWD/home" TMPDIR="$PWD/temporary" "$PSCAN" -l >out 2>err
		assert_equal "$kind $(cat err)" "$kind "
		assert_contains "$(cat out)" ' cpu '
		[ -z "$(find home/.cache/pscan elsewhere temporary -mindepth 1 -print)" ]
	done
	long=/$(printf 'x%.0s' {1..5000})
	env -u POCL_CACHE_DIR XDG_CACHE_HOME="$long" TMPDIR="$PWD/temporary" "$PSCAN" -l >out 2>err
	assert_contains "$(cat out)" ' cpu '
	env -u POCL_CACHE_DIR -u XDG_CACHE_HOME HOME="$long" TMPDIR="$PWD/temporary" "$PSCAN" -l >out 2>err
	assert_contains "$(cat out)" ' cpu '
	[ -z "$(find temporary -mindepth 1 -print)" ]
}

@test "a POCL_CACHE_DIR that cannot be made is named where there is no device" {
	case $("$PSCAN" -l) in *' cpu '*) ;; *) skip 'no CPU device' ;; esac
	local vendors=${OCL_ICD_VENDORS:-/etc/OpenCL/vendors}
	[ "$(find "$vendors" -name '*.icd' | wc -l)" = 1 ] || skip 'drivers other than PoCL'
	POCL_CACHE_DIR=$NOWHERE run_pscan -D cpu -t i64 < <(echo 1)
	assert_equal "$code $err" \
		'4 pscan: no OpenCL device "cpu" (see --list-devices); no kernels can be kept (see POCL_CACHE_DIR)'
}

@test "where there is no place for compiled kernels, -v says so" {
	need_opencl
	seq 3 >in
	env -u XDG_CACHE_HOME -u POCL_CACHE_DIR HOME="$NOWHERE" TMPDIR="$NOWHERE" "$PSCAN" -v -D cpu -t i64 in >out 2>err || true
	assert_contains "$(cat err)" 'no place for compiled kernels: '
}
