#define _GNU_SOURCE /* getdents64 */
/* mkdir answers EEXIST for whatever is there, so the check comes after it, by lstat: a link is not followed.
 *
 * PoCL trusts what it finds in its cache: a file that a crash of the machine left empty, or a disk that is full, makes it
 * abort or exit, and would again in every later run. So damaged files are removed before PoCL looks, a full disk is not
 * used, and if the program crashes nevertheless, the cache goes with it. */
#include "opencl_cache.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "ending.h"
#include "message.h"

/* Of one program's compilation; LLVM exits where there is no room. */
#define ROOM_BYTES ((uint64_t)16 << 20)

/* The directory in use that is ours to remove, or empty, and whether it is for this run only. Set before any thread
 * starts. */
static char used_directory[PATH_MAX];
static bool is_private;

static bool own_directory(const char *path)
{
	struct stat st;
	if (mkdir(path, 0700) != 0 && errno != EEXIST)
		return false;
	return lstat(path, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid() && access(path, W_OK | X_OK) == 0;
}

static bool private_to_us(const char *path)
{
	struct stat st;
	return own_directory(path) && lstat(path, &st) == 0 && (st.st_mode & 077) == 0;
}

static bool join(char out[PATH_MAX], const char *directory, const char *name)
{
	const int size = snprintf(out, PATH_MAX, "%s/%s", directory, name);
	return size > 0 && size < PATH_MAX;
}

/* Whether a compiled kernel is a whole ELF file: its section headers come last. */
static bool is_whole_object(int fd, off_t size)
{
	Elf64_Ehdr header;
	return pread(fd, &header, sizeof header, 0) == (ssize_t)sizeof header &&
	       memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
	       (header.e_ident[EI_CLASS] != ELFCLASS64 ||
		(header.e_shoff <= (uint64_t)size &&
		 (uint64_t)size - header.e_shoff >= (uint64_t)header.e_shnum * header.e_shentsize));
}

static bool is_bitcode(int fd)
{
	static const unsigned char magic[] = {'B', 'C', 0xc0, 0xde};
	unsigned char first[sizeof magic];
	return pread(fd, first, sizeof first, 0) == (ssize_t)sizeof first && memcmp(first, magic, sizeof first) == 0;
}

static bool ends_with(const char *name, const char *end)
{
	const size_t size = strlen(name);
	return size >= strlen(end) && strcmp(name + size - strlen(end), end) == 0;
}

/* Whether the file is what its name says. Every other name may hold anything. */
static bool is_sound(int at, const char *name)
{
	struct stat st;
	const bool object = ends_with(name, ".so");
	if (!object && strcmp(name, "program.bc") != 0)
		return true;
	const int fd = openat(at, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return false;
	const bool sound = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
			   (object ? is_whole_object(fd, st.st_size) : is_bitcode(fd));
	(void)close(fd);
	return sound;
}

/* Removes what is below a directory: all of it, or only damaged files. Links are removed, not followed. Safe in a signal
 * handler. */
static void clean(int at, const char *path, bool all)
{
	_Alignas(struct dirent64) char entries[4096];
	const int fd = openat(at, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	ssize_t size = 0;
	if (fd < 0)
		return;
	while ((size = getdents64(fd, entries, sizeof entries)) > 0) {
		for (ssize_t next = 0; next < size;) {
			const struct dirent64 *entry = (const void *)(entries + next);
			const char *name = entry->d_name;
			next += entry->d_reclen;
			if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
				continue;
			const bool goes = all || !is_sound(fd, name);
			if (entry->d_type == DT_DIR || entry->d_type == DT_UNKNOWN)
				clean(fd, name, goes);
			if (goes && unlinkat(fd, name, 0) != 0)
				(void)unlinkat(fd, name, AT_REMOVEDIR);
		}
	}
	(void)close(fd);
}

/* A private cache never outlives the program, a shared one not its crash. Other threads may still make files. */
static void settle_cache(bool crashed)
{
	if (!is_private && !crashed)
		return;
	for (int tries = 0; tries < 3; tries++) {
		clean(AT_FDCWD, used_directory, true);
		if (!is_private || rmdir(used_directory) == 0 || errno != ENOTEMPTY)
			break;
	}
}

static bool has_room(const char *path)
{
	struct statvfs st;
	return statvfs(path, &st) != 0 || (uint64_t)st.f_bavail * st.f_frsize >= ROOM_BYTES;
}

/* The user's own directory for what pscan keeps, or false. */
static bool home_cache(char path[PATH_MAX])
{
	const char *cache_home = getenv("XDG_CACHE_HOME");
	const char *home = getenv("HOME");
	char base[PATH_MAX];
	if (cache_home != NULL && cache_home[0] == '/') {
		if (snprintf(base, sizeof base, "%s", cache_home) >= PATH_MAX)
			return false;
	} else if (home == NULL || home[0] != '/' || !join(base, home, ".cache")) {
		return false;
	}
	return own_directory(base) && join(path, base, "pscan") && private_to_us(path) && has_room(path);
}

/* A directory for this run, or false after a message. */
static bool make_private(char path[PATH_MAX])
{
	const char *temporary = getenv("TMPDIR");
	is_private = join(path, temporary != NULL && temporary[0] == '/' ? temporary : "/tmp", "pscan-XXXXXX") &&
		     mkdtemp(path) != NULL;
	if (!is_private)
		message_verbose("no place for compiled kernels: %s", strerror(errno));
	return is_private;
}

/* A directory of the cache, for a driver that reads its name from a variable. One that is set is the user's affair. */
static bool set_cache(const char *variable, const char *cache, const char *name)
{
	char path[PATH_MAX];
	return getenv(variable) != NULL ||
	       (join(path, cache, name) && private_to_us(path) && setenv(variable, path, 1) == 0);
}

static bool set_caches(const char *cache, bool others)
{
	return set_cache("POCL_CACHE_DIR", cache, "pocl") && (!others || set_cache("CUDA_CACHE_PATH", cache, "nvidia"));
}

void opencl_cache_open(bool others)
{
	char path[PATH_MAX];
	const char *given = getenv("POCL_CACHE_DIR");
	(void)setenv("PATH", "/usr/bin:/bin", 0); /* PoCL aborts if it does not find the linker */
	if (given != NULL)
		(void)mkdir(given, 0700); /* as PoCL would: the sandbox must know it */
	if (given != NULL && !others)
		return;
	if (!home_cache(path) || !set_caches(path, others)) {
		if (given != NULL || !make_private(path))
			return;
		(void)!set_caches(path, others);
	}
	if (given != NULL)
		return;
	if (is_private)
		memcpy(used_directory, path, sizeof path);
	else if (!join(used_directory, path, "pocl"))
		return;
	if (!is_private)
		clean(AT_FDCWD, used_directory, false);
	ending_set(ENDING_CACHE, settle_cache);
}

const char *opencl_cache_private(void)
{
	return is_private ? used_directory : NULL;
}

void opencl_cache_close(void)
{
	if (used_directory[0] == '\0')
		return;
	ending_set(ENDING_CACHE, NULL);
	settle_cache(false);
	used_directory[0] = '\0';
	is_private = false;
}
