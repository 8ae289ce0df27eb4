#!/usr/bin/env bats
# The sandbox: when it is entered, and that it never disturbs normal use of pscan. tests/unit/sandbox_test.c tests what
# it forbids.
# shellcheck disable=SC2154,SC2094,SC2030,SC2031 # run_pscan sets variables; files are read twice on purpose; tests are subshells
load helper

setup() {
	cd "$TMP" || exit
	seq 30000 >numbers
	unset PSCAN_SANDBOX_ALLOW
}

# Skips the test where the kernel has no Landlock.
need_landlock() {
	run_pscan -v -D none numbers
	[[ $err == *"sandbox: entered"* ]] || skip "this kernel has no Landlock"
}

# Waits until a pscan -v that writes err has entered the sandbox.
wait_entered() { wait_until grep -q 'sandbox: entered' err; }

sum_of() { "$PYTHON" -c "n = $1; print(n * (n + 1) // 2)"; }

@test "the sandbox is entered before a driver is loaded" {
	need_landlock
	need_strace
	strace_pscan -f -e trace=landlock_restrict_self,openat -o calls "$PSCAN" -D cpu -t i64 numbers >out
	assert_equal "$(tail -n 1 out)" "$(sum_of 30000)"
	grep -n landlock_restrict_self calls | grep -q '= 0$'
	entered=$(grep -n landlock_restrict_self calls | cut -d : -f 1)
	loaded=$(grep -nE 'libpocl[^"]*".*= [0-9]+$' calls | head -n 1 | cut -d : -f 1)
	[ "$entered" -lt "$loaded" ]
}

@test "small input on the host is scanned in the sandbox too" {
	need_landlock
	need_strace
	strace_pscan -e trace=landlock_restrict_self -o calls "$PSCAN" -D none < <(seq 3) >out
	assert_equal "$(cat out)" "$(printf '1\n3\n6')"
	assert_equal "$(grep -c 'landlock_restrict_self.* = 0$' calls)" 1
}

@test "a driver in a place that the sandbox hides is told of, and found with --no-sandbox" {
	need_landlock
	library=$(sed -n 1p /etc/OpenCL/vendors/pocl.icd)
	[ "${library#/}" != "$library" ] || library=$(find /usr/lib* -name "$library" | head -n 1)
	[ -n "$library" ] || skip "there is no PoCL"
	mkdir elsewhere drivers
	cp "$library" elsewhere/libpocl.so
	ln -s "${library%/*}/pocl" elsewhere/pocl
	echo "$TMP/elsewhere/libpocl.so" >drivers/pocl.icd
	export OCL_ICD_VENDORS=$TMP/drivers/
	hint='the sandbox hides a driver (see --no-sandbox)'
	run_pscan -D cpu -t i64 numbers
	assert_equal "$code $err" "4 pscan: no OpenCL device \"cpu\" (see --list-devices); $hint"
	run_pscan -l
	assert_equal "$code $out $err" "0  pscan: warning: no OpenCL device; $hint"
	run_pscan -l --no-sandbox
	assert_equal "$code $(grep -c '^0:0 ' out) $err" "0 1 "
}

# Version 1 cannot allow what PoCL does in its cache, so there the sandbox is for the host's engine only.
# bats test_tags=long
@test "older versions of Landlock are used as far as they go" {
	need_landlock
	need_strace
	strace_pscan -f -e trace=landlock_create_ruleset -o calls "$PSCAN" -D none < <(echo 1)
	for version in $(seq "$(sed -n 's/.*CREATE_RULESET_VERSION) = //p' calls)"); do
		for device in none cpu; do
			rm -rf cache && mkdir cache
			code=0
			XDG_CACHE_HOME=$TMP/cache strace_pscan -f -X raw -e trace=landlock_create_ruleset,landlock_restrict_self -o calls \
				-e inject=landlock_create_ruleset:retval="$version":when=1 "$PSCAN" -D $device numbers >out 2>err || code=$?
			assert_equal "$version $device: $code $(tail -n 1 out) $(cat err)" "$version $device: 0 $(sum_of 30000) "
			entered=1
			[ "$version$device" != 1cpu ] || entered=0
			# The rights and the size of the structure that the kernel's documentation gives for the
			# version.
			case $version in 1) wanted='0x1fff 8' ;; 2) wanted='0x3fff 8' ;; 3) wanted='0x7fff 8' ;; 4 | 5) wanted='0x7fff 16' ;; *) wanted='0x7fff 24' ;; esac
			[ $entered = 1 ] || wanted=
			assert_equal "$version $device: $(sed -nE 's/.*handled_access_fs=(0x[0-9a-f]+).*}, ([0-9]+|0x[0-9a-f]+), (0|NULL)\) = .*/\1 \2/p' calls)" "$version $device: $wanted"
			assert_equal "$version $device: $(grep -c 'landlock_restrict_self.* = 0$' calls)" "$version $device: $entered"
		done
	done
}

@test "--no-sandbox gives up nothing" {
	need_strace
	strace_pscan -f -e trace=landlock_create_ruleset,landlock_restrict_self,prctl -o calls \
		"$PSCAN" --no-sandbox -D none --chunk-size=64K numbers >out
	assert_equal "$(tail -n 1 out)" "$(sum_of 30000)"
	assert_equal "$(grep -c 'landlock\|NO_NEW_PRIVS' calls)" 0
}

@test "a kernel without Landlock, or that refuses, changes nothing" {
	need_strace
	for call in landlock_create_ruleset landlock_add_rule landlock_restrict_self; do
		for error in ENOSYS EOPNOTSUPP EPERM; do
			strace_pscan -f -e trace=$call -e inject=$call:error=$error -o calls \
				"$PSCAN" -D none --chunk-size=64K -o result numbers 2>err
			assert_equal "$call $error: $(tail -n 1 result)$(cat err)" "$call $error: $(sum_of 30000)"
		done
		strace_pscan -f -e trace=$call -e inject=$call:error=EPERM -o calls "$PSCAN" -v -D none numbers >out 2>err
		assert_contains "$(cat err)" 'sandbox: not entered: Operation not permitted'
	done
}

@test "a state is shown in the sandbox: it is opened after that was entered" {
	need_landlock
	need_strace
	"$PSCAN" -D none --state=state numbers >/dev/null
	ln -s state link
	for name in state link "$TMP/state"; do
		run_pscan -v --show-state="$name"
		assert_equal "$code $err" '0 pscan: sandbox: entered'
		"$PSCAN" --no-sandbox --show-state="$name" | cmp - out
	done
	strace_pscan -f -e trace=openat,landlock_restrict_self -o calls "$PSCAN" --show-state=state >/dev/null
	assert_equal "$(grep -v O_PATH calls | grep -oE 'landlock_restrict_self|"state", O_RDONLY' | paste -s -d ' ' -)" \
		'landlock_restrict_self "state", O_RDONLY'
	run_pscan --show-state=nosuch
	assert_equal "$code $err" "3 pscan: --show-state: nosuch: No such file or directory"
}

@test "a place that nobody can come to keeps nothing from the sandbox" {
	need_landlock
	ln -s loop loop
	long=$(printf '%0300d' 0)
	for place in /nowhere/at/all "$TMP/numbers/below" "$TMP/loop/below" "$TMP/$long" "$TMP/$long/below"; do
		PSCAN_SANDBOX_ALLOW=$place run_pscan -v -D none numbers
		assert_equal "$place: $code $(grep sandbox: <<<"$err")" "$place: 0 pscan: sandbox: entered"
	done
}

# bats test_tags=long
@test "kernels are compiled in the sandbox, in both shapes, and give the same bytes" {
	need_landlock
	for shape in cpu gpu; do
		for cache in "$TMP/cache" "$TMP/given/deep/er"; do
			rm -rf cache given && mkdir cache
			[ "$cache" = "$TMP/cache" ] || export POCL_CACHE_DIR=$cache
			PSCAN_SHAPE=$shape XDG_CACHE_HOME=$TMP/cache run_pscan -D cpu -t f64 numbers
			assert_equal "$shape $code: $(tail -n 1 out)$err" "$shape 0: $(sum_of 30000)"
			find "$cache" -name '*.so' | grep -q .
			unset POCL_CACHE_DIR
		done
	done
}

@test "the private cache of a user without a home is used and removed in the sandbox" {
	need_landlock
	mkdir scratch
	env -i HOME=/nonexistent PSCAN_DEVICE_TIMEOUT=1200 ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" TMPDIR="$TMP/scratch" "$PSCAN" -D cpu -t f32 numbers >out 2>err
	assert_equal "$(tail -n 1 out | cut -c 1-5) $(cat err)" "45001 "
	assert_equal "$(ls -A scratch)" ""
}

# Only the first input's first chunk is read before it: each kind also comes second.
@test "inputs of every kind are read in the sandbox" {
	need_landlock
	mkfifo fifo
	ln -s numbers link
	cat numbers >fifo &
	run_pscan --chunk-size=64K -D none --total numbers ./link "$TMP/numbers" fifo - <numbers
	assert_equal "$code $out $err" "0 $("$PYTHON" -c 'print(5 * 30000 * 30001 // 2)') "
	gzip -k numbers
	twice=$("$PYTHON" -c 'print(30000 * 30001)')
	for second in /dev/stdin numbers.gz "$TMP/link"; do
		run_pscan -D none --total --chunk-size=64K numbers "$second" <numbers
		assert_equal "$second: $code $out $err" "$second: 0 $twice "
		run_pscan -D none --total --chunk-size=64K "$second" <numbers
		assert_equal "$second: $code $out $err" "$second: 0 $(sum_of 30000) "
	done
	run_pscan -D none --total --chunk-size=64K <(cat numbers) <(cat numbers)
	assert_equal "$code $out $err" "0 $twice "
	tail -n +1 numbers | "$PSCAN" -D none --total --chunk-size=64K /dev/fd/0 >out
	assert_equal "$(cat out)" "$(sum_of 30000)"
}

@test "what is wrong with an input is told as without the sandbox" {
	mkdir directory
	for file in missing directory nowhere/missing; do
		run_pscan -D none numbers $file
		with="$code $err"
		run_pscan -D none --no-sandbox numbers $file
		assert_equal "$with" "$code $err"
		assert_equal "$code" 3
	done
}

@test "an input that comes to be after the start is read" {
	need_landlock
	mkfifo first
	"$PSCAN" -v -D none --total first late >out 2>err &
	pid=$!
	exec 9>first
	cat numbers >&9
	wait_entered
	echo 5 >late
	exec 9>&-
	wait $pid
	assert_equal "$(cat out)" "$(($(sum_of 30000) + 5))"
}

@test "an input that is replaced by another file after the start is 3 and named, with the way out, after the first one's results" {
	need_landlock
	mkfifo first
	for options in '' --no-sandbox; do
		echo 5 >second
		# shellcheck disable=SC2086 # perhaps none
		"$PSCAN" -v -D none $options first second >out 2>err &
		pid=$!
		exec 9>first
		cat numbers >&9
		[ -n "$options" ] || wait_entered
		echo 7 >new
		mv new second
		exec 9>&-
		code=0
		wait $pid || code=$?
		head -n 30000 out | tail -n 1 | grep -qx "$(sum_of 30000)"
		if [ -z "$options" ]; then
			assert_equal "$code $(tail -n 1 err)" "3 pscan: second: was created or replaced after pscan had started (see --no-sandbox)"
		else
			assert_equal "$code $(tail -n 1 out)" "0 $(($(sum_of 30000) + 7))"
		fi
	done
}

@test "paths through another process are read and written, without the sandbox" {
	sleep 7200 3>&- &
	pid=$!
	run_pscan -D none --total numbers "/proc/$pid/cwd/numbers" "/proc/$pid/root$TMP/numbers"
	[ "$code $out" = "0 $("$PYTHON" -c 'print(3 * 30000 * 30001 // 2)')" ] || wrong="$code $out $err"
	run_pscan -D none --chunk-size=64K -o "/proc/$pid/cwd/result" numbers
	kill $pid
	assert_equal "${wrong:-} $code $err $(tail -n 1 result)" " 0  $(sum_of 30000)"
	assert_equal "$(find . -name '.pscan*')" ""
}

@test "outputs of every kind are written in the sandbox" {
	need_landlock
	mkdir directory
	ln -s directory/target link
	echo old >directory/target
	for name in result ./result2 directory/new link "$TMP/absolute" /dev/null; do
		run_pscan -D none --chunk-size=64K -o "$name" numbers
		assert_equal "$name: $code $err" "$name: 0 "
		[ "$name" = /dev/null ] || assert_equal "$name: $(tail -n 1 "$name")" "$name: $(sum_of 30000)"
	done
	[ -L link ]
	assert_equal "$(find . -name '.pscan*')" ""
	run_pscan -D none --chunk-size=64K --trace=trace.json -o traced numbers
	assert_equal "$code $err $(head -c 1 trace.json)" "0  {"
	# An error removes the temporary file.
	run_pscan -D none --chunk-size=64K -o failed numbers missing
	assert_equal "$code $(find . -name '.pscan*' -o -name failed)" "3 "
}

# bats test_tags=root
@test "a program that is setuid or setgid refuses to run" {
	[ -z "${ASAN_OPTIONS:-}" ] || skip "a sanitizer reads the environment that such a program does not get"
	[ "$(id -u)" -eq 0 ] || skip "only root can make a program setuid for another user"
	for mode in u+s g+s; do
		cp "$PSCAN" program
		chown $(($(id -u) + 1)):$(($(id -g) + 1)) program
		chmod 0755 program && chmod $mode program
		code=0
		seq 3 | ./program >out 2>err || code=$?
		assert_equal "$mode: $code $(cat out err)" "$mode: 2 pscan: must not run setuid or setgid"
	done
}

@test "the program is hardened" {
	command -v readelf >/dev/null || skip "there is no readelf"
	if nm "$PSCAN" | grep -qE '__[atu]b?san_init|__asan|__tsan'; then skip "a sanitizer build is exempt"; fi
	readelf -hW "$PSCAN" | grep -qE 'Type: +DYN'
	readelf -dW "$PSCAN" | grep -q 'Flags: NOW.*PIE'
	readelf -lW "$PSCAN" | grep -q GNU_RELRO
	readelf -lW "$PSCAN" | grep GNU_STACK | grep -qv RWE
	nm -D "$PSCAN" | grep -q __stack_chk_fail
	# Indirect branches land on these; the mark that the kernel asks for is up to the system's start files.
	[ "$(uname -m)" != x86_64 ] || [ "$(objdump -d "$PSCAN" | grep -c endbr64)" -gt 100 ]
	nm -D "$PSCAN" | grep -qE '__(snprintf|memcpy|vsnprintf|memset)_chk'
}
