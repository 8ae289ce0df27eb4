#define _GNU_SOURCE /* sched_getaffinity, syscall */
/* A library to be preloaded (LD_PRELOAD=./libc_faults.so) that makes the program's own calls of the C library fail on
 * demand. Calls that come from other libraries, from drivers and from the dynamic loader are passed on untouched.
 *
 * Settings are environment variables:
 *
 *     FAULT_LIBC_LOG=FILE                      the proof (required): lines are appended to it
 *     FAULT_LIBC_FAIL=NAME:N:ERRNO[:sticky]    the N-th call of NAME (libc_rules.h lists them), counted from 1, fails
 *                                              with that number; sticky: every later one too
 *     FAULT_LIBC_EINTR=K                       every K-th of all reads, writes and polls is interrupted
 *     FAULT_LIBC_SHORT=1                       all reads and writes transfer less than they could
 *
 * The log begins with "loaded" and has these lines:
 *
 *     failed NAME N ERRNO    a call was made to fail
 *     count NAME N           how many calls there were        (this and the following: when the program ends by exit)
 *     block CALLER           a block that the program, at that offset, allocated and did not free
 *     descriptor TARGET FD   one that is open
 *     interrupted N          how many calls were interrupted
 *     shortened N            how many calls transferred less than asked
 *     end
 *
 * close and fclose do what they are for before they fail, as they do in reality. */
#include "libc_rules.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define CALLER __builtin_return_address(0)

/* Declares next, the function of that name behind this one. A race only looks it up twice. */
#define FIND_NEXT(name)                                \
	static __typeof__(name) *_Atomic known_##name; \
	__typeof__(name) *next = known_##name;         \
	do {                                           \
		if (next == NULL) {                    \
			libc_find_next(#name, &next);  \
			known_##name = next;           \
		}                                      \
	} while (0)

/* A call that fails without having done anything. */
#define HOOK(name, type, parameters, arguments, failure) \
	type name parameters                             \
	{                                                \
		FIND_NEXT(name);                         \
		if (libc_fails(LIBC_##name, CALLER))     \
			return failure;                  \
		return next arguments;                   \
	}

/* --- Memory --- */

void *malloc(size_t size)
{
	FIND_NEXT(malloc);
	void *const block = libc_allocation_fails(LIBC_malloc, CALLER) ? NULL : next(size);
	libc_note_block(block, CALLER);
	return block;
}

void *calloc(size_t count, size_t size)
{
	FIND_NEXT(calloc);
	void *const block = libc_allocation_fails(LIBC_calloc, CALLER) ? NULL : next(count, size);
	libc_note_block(block, CALLER);
	return block;
}

/* A call that answers a block. */
#define HOOK_BLOCK(name, type, parameters, arguments)                                       \
	type name parameters                                                                \
	{                                                                                   \
		FIND_NEXT(name);                                                            \
		type const block = libc_fails(LIBC_##name, CALLER) ? NULL : next arguments; \
		libc_note_block(block, CALLER);                                             \
		return block;                                                               \
	}

HOOK_BLOCK(aligned_alloc, void *, (size_t alignment, size_t size), (alignment, size))
HOOK_BLOCK(strdup, char *, (const char *text), (text))

static char *resolve_path(const char *path, char *resolved, const void *caller)
{
	FIND_NEXT(realpath);
	char *const found = libc_fails(LIBC_realpath, caller) ? NULL : next(path, resolved);
	if (resolved == NULL)
		libc_note_block(found, caller);
	return found;
}

char *realpath(const char *path, char *resolved)
{
	return resolve_path(path, resolved, CALLER);
}

void *realloc(void *old, size_t size)
{
	FIND_NEXT(realloc);
	if (libc_fails(LIBC_realloc, CALLER))
		return NULL;
	libc_forget_block(old);
	void *const block = next(old, size);
	libc_note_block(block, CALLER);
	return block;
}

void free(void *block)
{
	FIND_NEXT(free);
	libc_forget_block(block);
	next(block);
}

/* --- Transfers --- */

static ssize_t read_some(int fd, void *to, size_t size, const void *caller)
{
	FIND_NEXT(read);
	if (libc_fails(LIBC_read, caller) || libc_is_interrupted(caller))
		return -1;
	return next(fd, to, libc_transfer_size(size, caller));
}

static ssize_t read_some_at(int fd, void *to, size_t size, off_t offset, const void *caller)
{
	FIND_NEXT(pread);
	if (libc_fails(LIBC_pread, caller) || libc_is_interrupted(caller))
		return -1;
	return next(fd, to, libc_transfer_size(size, caller), offset);
}

static int wait_for_some(struct pollfd *fds, nfds_t count, int milliseconds, const void *caller)
{
	FIND_NEXT(poll);
	if (libc_fails(LIBC_poll, caller) || libc_is_interrupted(caller))
		return -1;
	return next(fds, count, milliseconds);
}

ssize_t read(int fd, void *to, size_t size)
{
	return read_some(fd, to, size, CALLER);
}

ssize_t pread(int fd, void *to, size_t size, off_t offset)
{
	return read_some_at(fd, to, size, offset, CALLER);
}

int poll(struct pollfd *fds, nfds_t count, int milliseconds)
{
	return wait_for_some(fds, count, milliseconds, CALLER);
}

static struct stat error_file;

__attribute__((constructor)) static void note_error_file(void)
{
	(void)fstat(STDERR_FILENO, &error_file);
}

/* Standard error, or the descriptor that messages go to while it is a library's. */
static bool is_for_messages(int fd)
{
	struct stat s;
	return fd == STDERR_FILENO || (fd != STDOUT_FILENO && fstat(fd, &s) == 0 && s.st_dev == error_file.st_dev &&
				       s.st_ino == error_file.st_ino);
}

ssize_t write(int fd, const void *from, size_t size)
{
	FIND_NEXT(write);
	if (libc_fails(is_for_messages(fd) ? LIBC_write_stderr : LIBC_write, CALLER) || libc_is_interrupted(CALLER))
		return -1;
	return next(fd, from, libc_transfer_size(size, CALLER));
}

ssize_t pwrite(int fd, const void *from, size_t size, off_t offset)
{
	FIND_NEXT(pwrite);
	if (libc_fails(LIBC_pwrite, CALLER) || libc_is_interrupted(CALLER))
		return -1;
	return next(fd, from, libc_transfer_size(size, CALLER), offset);
}

/* --- Files and descriptors --- */

static int open_file(const char *path, int flags, mode_t mode, const void *caller)
{
	FIND_NEXT(open);
	return libc_fails(LIBC_open, caller) ? -1 : next(path, flags, mode);
}

static int open_file_at(int directory, const char *path, int flags, mode_t mode, const void *caller)
{
	FIND_NEXT(openat);
	return libc_fails(LIBC_openat, caller) ? -1 : next(directory, path, flags, mode);
}

/* The argument that follows the flags only where a file may be made. */
static mode_t mode_argument(int flags, va_list arguments)
{
	return (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
}

int open(const char *path, int flags, ...)
{
	va_list arguments;
	va_start(arguments, flags);
	const mode_t mode = mode_argument(flags, arguments);
	va_end(arguments);
	return open_file(path, flags, mode, CALLER);
}

int openat(int directory, const char *path, int flags, ...)
{
	va_list arguments;
	va_start(arguments, flags);
	const mode_t mode = mode_argument(flags, arguments);
	va_end(arguments);
	return open_file_at(directory, path, flags, mode, CALLER);
}

int fcntl(int fd, int command, ...)
{
	FIND_NEXT(fcntl);
	va_list arguments;
	va_start(arguments, command);
	void *const argument = va_arg(arguments, void *);
	va_end(arguments);
	return libc_fails(LIBC_fcntl, CALLER) ? -1 : next(fd, command, argument);
}

/* A call that gives something back: it does so and then fails. */
#define HOOK_PASSED(name, type, parameters, arguments, failure) \
	type name parameters                                    \
	{                                                       \
		FIND_NEXT(name);                                \
		const type answer = next arguments;             \
		if (libc_fails(LIBC_##name, CALLER))            \
			return failure;                         \
		return answer;                                  \
	}

HOOK_PASSED(close, int, (int fd), (fd), -1)
HOOK_PASSED(fclose, int, (FILE * file), (file), EOF)
HOOK(lseek, off_t, (int fd, off_t offset, int whence), (fd, offset, whence), -1)
HOOK(ftruncate, int, (int fd, off_t size), (fd, size), -1)
HOOK(fsync, int, (int fd), (fd), -1)
HOOK(flock, int, (int fd, int operation), (fd, operation), -1)
HOOK(fopen, FILE *, (const char *path, const char *mode), (path, mode), NULL)
HOOK(fdopen, FILE *, (int fd, const char *mode), (fd, mode), NULL)
HOOK(opendir, DIR *, (const char *path), (path), NULL)
HOOK(fdopendir, DIR *, (int fd), (fd), NULL)
HOOK(mkstemp, int, (char *path), (path), -1)
HOOK(pipe, int, (int ends[2]), (ends), -1)
HOOK(dup, int, (int fd), (fd), -1)
HOOK(dup2, int, (int fd, int to), (fd, to), -1)
HOOK(mmap, void *, (void *at, size_t size, int protection, int flags, int fd, off_t offset),
     (at, size, protection, flags, fd, offset), MAP_FAILED)
HOOK(fstat, int, (int fd, struct stat *st), (fd, st), -1)
HOOK(stat, int, (const char *path, struct stat *st), (path, st), -1)
HOOK(lstat, int, (const char *path, struct stat *st), (path, st), -1)
HOOK(access, int, (const char *path, int mode), (path, mode), -1)
HOOK(faccessat, int, (int directory, const char *path, int mode, int flags), (directory, path, mode, flags), -1)
HOOK(readlink, ssize_t, (const char *path, char *target, size_t size), (path, target, size), -1)
HOOK(rename, int, (const char *from, const char *to), (from, to), -1)
HOOK(mkdir, int, (const char *path, mode_t mode), (path, mode), -1)
HOOK(mkdtemp, char *, (char *path), (path), NULL)
HOOK(fchmod, int, (int fd, mode_t mode), (fd, mode), -1)
HOOK(fchown, int, (int fd, uid_t user, gid_t group), (fd, user, group), -1)

/* --- The rest --- */

HOOK(setenv, int, (const char *name, const char *value, int replace), (name, value, replace), -1)
HOOK(getrandom, ssize_t, (void *bytes, size_t size, unsigned flags), (bytes, size, flags), -1)
HOOK(sched_getaffinity, int, (pid_t process, size_t size, cpu_set_t *set), (process, size, set), -1)
HOOK(fork, pid_t, (void), (), -1)
HOOK(socketpair, int, (int domain, int type, int protocol, int ends[2]), (domain, type, protocol, ends), -1)
HOOK(pthread_create, int, (pthread_t * thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument),
     (thread, attributes, run, argument), errno)

long syscall(long number, ...)
{
	FIND_NEXT(syscall);
	va_list arguments;
	va_start(arguments, number);
	long a[6];
	for (size_t i = 0; i < 6; i++)
		a[i] = va_arg(arguments, long);
	va_end(arguments);
	return libc_fails(LIBC_syscall, CALLER) ? -1 : next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

int prctl(int option, ...);
int prctl(int option, ...)
{
	FIND_NEXT(prctl);
	va_list arguments;
	va_start(arguments, option);
	unsigned long a[4];
	for (size_t i = 0; i < 4; i++)
		a[i] = va_arg(arguments, unsigned long);
	va_end(arguments);
	return libc_fails(LIBC_prctl, CALLER) ? -1 : next(option, a[0], a[1], a[2], a[3]);
}

/* --- What a build with _FORTIFY_SOURCE calls instead --- */

/* The names are the C library's. NOLINTBEGIN(bugprone-reserved-identifier) */
ssize_t __read_chk(int fd, void *to, size_t size, size_t room);
ssize_t __pread_chk(int fd, void *to, size_t size, off_t offset, size_t room);
int __poll_chk(struct pollfd *fds, nfds_t count, int milliseconds, size_t room);
char *__realpath_chk(const char *path, char *resolved, size_t room);
ssize_t __readlink_chk(const char *path, char *target, size_t size, size_t room);
int __open_2(const char *path, int flags);
int __openat_2(int directory, const char *path, int flags);

ssize_t __read_chk(int fd, void *to, size_t size, size_t room)
{
	(void)room;
	return read_some(fd, to, size, CALLER);
}

ssize_t __pread_chk(int fd, void *to, size_t size, off_t offset, size_t room)
{
	(void)room;
	return read_some_at(fd, to, size, offset, CALLER);
}

int __poll_chk(struct pollfd *fds, nfds_t count, int milliseconds, size_t room)
{
	(void)room;
	return wait_for_some(fds, count, milliseconds, CALLER);
}

char *__realpath_chk(const char *path, char *resolved, size_t room)
{
	(void)room;
	return resolve_path(path, resolved, CALLER);
}

ssize_t __readlink_chk(const char *path, char *target, size_t size, size_t room)
{
	FIND_NEXT(readlink);
	(void)room;
	return libc_fails(LIBC_readlink, CALLER) ? -1 : next(path, target, size);
}

int __open_2(const char *path, int flags)
{
	return open_file(path, flags, 0, CALLER);
}

int __openat_2(int directory, const char *path, int flags)
{
	return open_file_at(directory, path, flags, 0, CALLER);
}
/* NOLINTEND(bugprone-reserved-identifier) */
