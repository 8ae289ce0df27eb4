#!/usr/bin/env bats
# Hostile programs of users, and absurd ones. Each works as it is written, or ends with a message of one line that has
# the place. None gets out of what it may write.
# shellcheck disable=SC2154,SC1003 # code, out and err are set by run_pscan; backslashes are meant
load helper

# shellcheck disable=SC2034 # python's, of the helper
setup() {
	cd "$TMP" || return
	PROLOGUE=''
	HEAD=$'typedef struct { double s; } state;\nstate lift(double x) { state s = {x}; return s; }\n'
	EMIT=$'double emit(state s) { return s.s; }\n'
	SUMS=()
	PROGRAM=$HEAD$'state combine(state a, state b) { a.s += b.s; return a; }\n'$EMIT
}

# combine BODY: bad.cl is the sum but for what combine does; it is on line 3.
combine() {
	printf '%sstate combine(state a, state b) { %s }\n%s' "$HEAD" "$1" "$EMIT" >bad.cl
}

# a_sum TEXT: a program of that text, which printf gives, is among those of are_sums.
a_sum() {
	SUMS+=("@sum${#SUMS[@]}.cl")
	# shellcheck disable=SC2059 # a format
	printf "$@" >"${SUMS[-1]#@}"
}

# are_sums: each of these programs is the sum. They are compiled by one process, which takes a third of the time.
are_sums() {
	local list
	list=$(IFS=, && echo "${SUMS[*]}")
	PSCAN_TRIAL=off run_pscan -op "$list" < <(seq 3)
	assert_equal "$code $err" '0 '
	assert_equal "$out" "$(for sum in 1 3 6; do printf "$sum%.0s " "${SUMS[@]}" | sed 's/ $//' && echo; done)"
}

# refused MESSAGE TEXT...: one of that text ends with 2 and the message, which follows the file's name.
refused() {
	# shellcheck disable=SC2059 # a format
	printf "${@:2}" >bad.cl
	run_pscan -op @bad.cl < <(seq 3)
	assert_equal "$code $err" "2 pscan: bad.cl$1"
	assert_equal "$out" ''
}

# write_macros: bad.cl defines names that our own text has.
write_macros() {
	printf '%s' "$PROGRAM" >bad.cl
	for macro in TILE 'NODE(x)' 'ROW(x)' STATE ACC ELEM GLOBAL CARRY OP RUN __global global __kernel kernel uint u32 f64 double int \
		void const static inline typedef for return true 'get_global_id(x)' 'barrier(x)' combine_ combine state lift emit \
		pscan_lift pscan_element x s i n r p; do
		echo "#define $macro nonsense 7" >>bad.cl
	done
}

# bats test_tags=long
@test "macros of a program mean nothing after it in the GPU shape, either" {
	write_macros
	PSCAN_SHAPE=gpu run_pscan -op @bad.cl < <(seq 3)
	assert_scanned '1 3 6' 'all macros, GPU shape'
}

@test "macros of a program, whatever their names, mean nothing after it" {
	write_macros
	run_pscan -op @bad.cl < <(seq 3)
	assert_scanned '1 3 6' 'all macros'
	# Before it they are the program's own.
	a_sum '#define TILE 3\n#define __global\n#define pscan_emit 7\n#define uint char\n%s' "$PROGRAM"
	refused ": 'pscan_state_is_as_declared' declared as an array with a negative size" '#define double float\n%s' "$PROGRAM"
	a_sum '%s#undef TILE\n#undef __OPENCL_C_VERSION__\n#undef cl_khr_fp64\n' "$PROGRAM"
	are_sums
}

@test "printf, which on a CPU would write among the results, is none of a program's functions" {
	print='printf("%%g\n", s.s);'
	refused ":3:45: use of undeclared identifier 'printf_would_write_among_the_results'" \
		'%sstate combine(state s, state b) { s.s += 1; %s return s; }\n%s' "$HEAD" "$print" "$EMIT"
	refused ": printf would write among the results: it stays forbidden" \
		'%s#undef printf\nstate combine(state s, state b) { %s return s; }\n%s' "$HEAD" "$print" "$EMIT"
	# Where a condition leaves it out, or it is something else, it does no harm.
	a_sum '%s#ifdef DEBUG\nvoid show(state s) { %s }\n#endif\n' "$PROGRAM" "$print"
	a_sum '#define printf(...)\n%svoid show(state s) { %s }\n' "$PROGRAM" "$print"
	are_sums
}

# shellcheck disable=SC1003 # a backslash at a text's end
# last LINE...: a program may end with each of these.
last() {
	local line
	for line; do
		a_sum '%s%s' "$PROGRAM" "$line"
	done
	are_sums
}

# bats test_tags=long
@test "more directives end with the program" {
	last '#pragma OPENCL EXTENSION cl_khr_fp64 : disable' '__constant int table[2] = {1, 2};' '#pragma OPENCL FP_CONTRACT ON' '#pragma pack(1)' '#pragma once' '#line 1 "declarations"' '??=define TILE 7' '??/' '\' \
		'// a comment \' '#' '#warning w' '_Pragma("OPENCL EXTENSION cl_khr_fp64 : disable")' '__asm__(".globl foo");' \
		'extern int puts(__constant char *);' 'typedef int tile;'
	refused ':1:2: unterminated conditional directive' '#ifdef X\n%s' "$PROGRAM"
	refused ':1: a comment is not closed' '/* to the end of all\n%s' "$PROGRAM"
	refused ":5:1: expected identifier or '('" "%s'" "$PROGRAM"
	refused ':5:5: program scope variable must reside in constant address space' '%sint counter = 0;' "$PROGRAM"
	refused ': attempt to use a poisoned identifier' '%s#pragma GCC poison get_global_id\n' "$PROGRAM"
}

@test "directives, and what does not end, end with the program" {
	last '#line 70 "elsewhere"' '#define A \' 'kernel void mine(global int *x) { x[0] = 1; }'
	refused ':5:2: unterminated conditional directive' '%s#if 0\n' "$PROGRAM"
	refused ':5:2: stop' '%s#error stop' "$PROGRAM"
	refused ':6: a comment is not closed' '%s\n /* to the end of all' "$PROGRAM"
	refused ':5: a bracket is closed that is not open' '%s}}}\n{' "$PROGRAM"
	refused ": conflicting types for 'scan_results'" '%s__kernel void scan_results(int x) {}\n' "$PROGRAM"
	# What our own text lacks then has no line of the program's.
	refused ": use of undeclared identifier 'as_double'" '%s#define as_double(x) 0\n#define A \' "$PROGRAM"
	combine 'goto out; return a;'
	run_pscan -op @bad.cl < <(seq 3)
	assert_equal "$code $err" "2 pscan: bad.cl:3:40: use of undeclared label 'out'"
	combine 'double foo(double); a.s += foo(b.s); return a;'
	run_pscan -op @bad.cl < <(seq 3)
	assert_equal "$code $err" '2 pscan: bad.cl: Cannot find symbol foo in kernel library'
}

@test "line ends, marks and bytes of all kinds: the line is the file's" {
	printf '%s' "$PROGRAM" | sed 's/$/\r/' | tee crlf.cl >bad.cl
	SUMS+=(@crlf.cl)
	printf '\r\n\r\nint f(int x) { return y; }\r\n' >>bad.cl
	run_pscan -op @bad.cl < <(seq 3)
	assert_equal "$code $err" "2 pscan: bad.cl:7:23: use of undeclared identifier 'y'"
	a_sum '\xef\xbb\xbf%s' "$PROGRAM"
	refused ":5:23: use of undeclared identifier 'y'" '\xef\xbb\xbf%sint f(int x) { return y; }' "$PROGRAM"
	a_sum '%s/* \xe9 \xc3\xa9 */\f\v' "$PROGRAM"
	are_sums
	refused ":5:1: expected identifier or '('" '%s\xe9' "$PROGRAM"
	refused ":7:23: use of undeclared identifier 'y'" '// a \\\n b\n%sint f(int x) { return y; }' "$PROGRAM"
	refused ":8:23: use of undeclared identifier 'y'" '%s#define A \\\n 3 \\\n 4\nint f(int x) { return y; }' "$PROGRAM"
	refused ":6:18: expected ')'" '%s\nint f(int x, int __FILE__) { return x; }' "$PROGRAM"
}

WORDS='auto break case char const continue default do double else enum extern float for goto if inline int long register
	restrict return short signed sizeof static struct switch typedef union unsigned void volatile while bool half uchar ushort
	uint ulong size_t ptrdiff_t intptr_t uintptr_t char2 uchar3 short4 ushort8 int16 uint2 long3 ulong4 float8 double16 half2
	image1d_t image2d_t image3d_t image2d_array_t sampler_t event_t __global global __local local __constant constant
	__private private __kernel kernel __read_only read_only __write_only write_only __read_write read_write uniform pipe
	__attribute__ __asm__ asm typeof __typeof__ __inline _Bool _Complex _Static_assert _Generic _Alignas _Atomic _Noreturn
	_Thread_local true false NULL NAN INFINITY M_PI CLK_LOCAL_MEM_FENCE __FILE__ __LINE__ __OPENCL_VERSION__ complex quad
	imaginary generic __generic vec_step as_float convert_int'

# bats test_tags=long
@test "every word of OpenCL C as a name: a name, or refused where it stands" {
	local word refusals=0
	for word in $WORDS; do
		printf '%sdouble helper(double %s)\n{\n\tdouble y = 1;\n\treturn %s * y;\n}\n%s%s' "$HEAD" "$word" "$word" \
			$'state combine(state a, state b) { a.s += helper(b.s); return a; }\n' "$EMIT" >word.cl
		run_pscan -op @word.cl < <(seq 3)
		if [ "$code" = 0 ]; then
			assert_scanned '1 3 6' "$word"
		else
			[[ $err =~ ^'pscan: word.cl:'[368]':'[0-9]+': '[^:] ]] || assert_equal "$word: $err" 'a place'
			assert_equal "$word: $code $(wc -l <err)" "$word: 2 1"
			refusals=$((refusals + 1))
		fi
	done
	[ $refusals -gt 60 ]
}

# bats test_tags=long
@test "ten thousand brackets, a megabyte of text, of macros and of one expression" {
	python 'import sys
head, emit = sys.argv[1:]
def write(name, body, more=""):
    open(name, "w").write(head + more + "state combine(state a, state b) { " + body + " return a; }\n" + emit)
write("parentheses.cl", "a.s += " + "(" * 10000 + "b.s" + ")" * 10000 + ";")
write("braces.cl", "{" * 10000 + "a.s += b.s;" + "}" * 10000)
write("shallow.cl", "a.s += " + "(" * 200 + "b.s" + ")" * 200 + ";")
write("comment.cl", "a.s += b.s;", "/*" + "x" * 1000000 + "*/")
write("macros.cl", "a.s += b.s;", "".join(f"#define A{i} {i}\n" for i in range(60000)))
write("expression.cl", "a.s += b.s" + " + 0.0" * 150000 + ";")' "$HEAD" "$EMIT"
	for name in parentheses braces; do
		run_pscan -op @$name.cl < <(seq 3)
		assert_equal "$code ${err%%:3:*} ${err##*: }" "2 pscan: $name.cl bracket nesting level exceeded maximum of 256"
	done
	for name in shallow comment macros; do
		run_pscan -op @$name.cl < <(seq 3)
		assert_scanned '1 3 6' $name
	done
	# A compiler may have no stack for it.
	run_pscan -op @expression.cl < <(seq 3)
	if [ "$code" = 0 ]; then
		assert_scanned '1 3 6' expression
	else
		assert_equal "$code $(wc -l <err)" '4 1'
	fi
}

# bats test_tags=long
@test "what does not end, and stores and loads anywhere: 4, one line" {
	[ -z "${ASAN_OPTIONS:-}" ] || skip 'a sanitizer ends the program in its own way'
	# The cache of a driver that crashed is marked: others have another one.
	mkdir -m 700 own
	export XDG_CACHE_HOME=$TMP/own PSCAN_DEVICE_TIMEOUT=2
	for body in 'while (a.s == a.s) ; return a;' 'volatile int k = 1; while (k) ; return a;' 'return combine(a, b);'; do
		combine "$body"
		run_pscan -op @bad.cl < <(seq 3)
		assert_equal "$body: $code $err" "$body: 4 pscan: device cpu: no progress for 2 s (see PSCAN_DEVICE_TIMEOUT)"
		assert_equal "$out" ''
	done
	unset PSCAN_DEVICE_TIMEOUT
	for body in '*(volatile int *)8 = 1; return a;' 'a.s += *(volatile int *)8; return a;' '__builtin_trap(); return a;' \
		'double t[4]; for (int i = 0; i < 1000000; i++) ((volatile double *)t)[i] = i; return a;'; do
		combine "$body"
		run_pscan -op @bad.cl < <(seq 3)
		assert_contains "$body: $code $err" "$body: 4 pscan: device cpu: a driver crashed (signal "
		assert_equal "$(wc -l <err)" 1
		assert_equal "$out" ''
	done
	# Integers divided by zero have any value, or end it.
	combine 'volatile int zero = 0; a.s = 1 / zero; return a;'
	run_pscan -op @bad.cl < <(seq 3)
	case $code in
	0) assert_equal "$err $(wc -l <out)" ' 3' ;;
	*) assert_equal "$code $(wc -l <err)" '4 1' ;;
	esac
	# One function of a program may call another, but not the same one for ever.
	printf '%sint f(int x) { return x > 0 ? f(x - 1) + 1 : 0; }\n%s' "$HEAD" \
		$'state combine(state a, state b) { a.s += b.s + f(3); return a; }\n'"$EMIT" >bad.cl
	run_pscan -op @bad.cl < <(seq 3)
	assert_scanned '1 6 12' recursion
}

@test "a program includes what the sandbox lets it read, and no more; a line of that file is none of its own" {
	unset PSCAN_SANDBOX_ALLOW
	run_pscan -v -D none <<<1
	[[ $err == *"sandbox: entered"* ]] || skip "this kernel has no Landlock"
	printf '\n\n\nint f(int x) { return y; }\n' >other.h
	for name in "$TMP/other.h" other.h; do
		printf '%s#include "%s"\n' "$PROGRAM" "$name" >bad.cl
		run_pscan -op @bad.cl < <(seq 3)
		assert_equal "$code $(wc -l <err)" '2 1'
		assert_contains "$err" 'pscan: bad.cl:5:10: cannot open file '
		assert_contains "$err" 'other.h'"': Permission denied"
		# The fourth line of the other file is not the fourth of this one.
		run_pscan --no-sandbox -op @bad.cl < <(seq 3)
		assert_equal "$code $err" "2 pscan: bad.cl: use of undeclared identifier 'y'"
	done
	# Drivers read it, and so may their compiler; of its text nothing is shown.
	printf '%s#include "/etc/passwd"\n' "$PROGRAM" >bad.cl
	run_pscan -op @bad.cl < <(seq 3)
	assert_equal "$code $(wc -l <err)" '2 1'
	[[ $err != *root* ]]
	assert_contains "$err" 'pscan: bad.cl: '
	refused ":5:10: 'no_such_file.h' file not found" '%s#include <no_such_file.h>\n' "$PROGRAM"
}

@test "a program that calls the system writes no file where the sandbox does not let it" {
	unset PSCAN_SANDBOX_ALLOW
	[ "$(uname -m)" = x86_64 ] || skip 'the program is in x86-64'
	run_pscan -v -D none <<<1
	[[ $err == *"sandbox: entered"* ]] || skip "this kernel has no Landlock"
	mkdir elsewhere
	cat >system.cl <<-END
		typedef struct { long s; } state;
		state lift(long x) { state s = {x}; return s; }
		state combine(state a, state b) { a.s += b.s; return a; }
		__constant char path[] = "$TMP/elsewhere/made";
		long emit(state s)
		{
			long r = 2; /* open */
			char name[sizeof path];
			for (int i = 0; i < (int)sizeof path; i++)
				name[i] = path[i];
			__asm__ volatile("syscall" : "+a"(r) : "D"(name), "S"(0101), "d"(0600) : "rcx", "r11", "memory");
			return r < 0 ? r : 0;
		}
	END
	run_pscan -op @system.cl < <(echo 1)
	assert_scanned -13 'permission denied'
	[ ! -e elsewhere/made ]
	echo before >elsewhere/made
	run_pscan -op @system.cl < <(echo 1)
	assert_scanned -13 'permission denied'
	assert_equal "$(cat elsewhere/made)" before
	rm elsewhere/made
	run_pscan --no-sandbox -op @system.cl < <(echo 1)
	assert_scanned 0 'without the sandbox'
	[ -e elsewhere/made ]
}
