/* Which of the program's own calls of the C library fail, as the settings in the environment say, and what it has not
 * given back at its end (libc_calls.c lists the settings). All functions may be called from any thread. */
#ifndef TESTS_LIBC_RULES_H
#define TESTS_LIBC_RULES_H

#include <stdbool.h>
#include <stddef.h>

/* Calls that are made to fail. library_malloc is malloc or calloc as a library that decodes calls it for the program,
 * write_stderr a write of a message. */
#define EACH_LIBC_CALL(X)    \
	X(malloc)            \
	X(calloc)            \
	X(realloc)           \
	X(aligned_alloc)     \
	X(strdup)            \
	X(realpath)          \
	X(library_malloc)    \
	X(read)              \
	X(pread)             \
	X(write)             \
	X(pwrite)            \
	X(write_stderr)      \
	X(poll)              \
	X(lseek)             \
	X(ftruncate)         \
	X(fsync)             \
	X(flock)             \
	X(open)              \
	X(openat)            \
	X(fopen)             \
	X(fdopen)            \
	X(opendir)           \
	X(fdopendir)         \
	X(mkstemp)           \
	X(pipe)              \
	X(fcntl)             \
	X(close)             \
	X(fclose)            \
	X(dup)               \
	X(dup2)              \
	X(mmap)              \
	X(fstat)             \
	X(stat)              \
	X(lstat)             \
	X(access)            \
	X(faccessat)         \
	X(readlink)          \
	X(rename)            \
	X(mkdir)             \
	X(mkdtemp)           \
	X(fchmod)            \
	X(fchown)            \
	X(setenv)            \
	X(getrandom)         \
	X(sched_getaffinity) \
	X(pthread_create)    \
	X(fork)              \
	X(socketpair)        \
	X(syscall)           \
	X(prctl)

#define LIBC_CALL_NUMBER(name) LIBC_##name,
enum libc_call { EACH_LIBC_CALL(LIBC_CALL_NUMBER) LIBC_COUNT };

/* The function of that name behind this library's own. *function is a pointer to such a function. */
void libc_find_next(const char *name, void *function);

/* Whether the call, which returns to caller, is to fail; then errno is set. Calls of the program alone are counted. */
bool libc_fails(enum libc_call call, const void *caller);
/* The same of malloc and calloc, which a library that decodes may have called. */
bool libc_allocation_fails(enum libc_call call, const void *caller);
/* Whether this call is to be interrupted by a signal; then errno is set. */
bool libc_is_interrupted(const void *caller);
/* How much of size bytes is to be transferred. */
size_t libc_transfer_size(size_t size, const void *caller);

/* The program owns a new block, or NULL, and gives it back. Blocks of others are not noted. */
void libc_note_block(const void *block, const void *caller);
void libc_forget_block(const void *block);

#endif
