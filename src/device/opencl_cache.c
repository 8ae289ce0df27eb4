#define _GNU_SOURCE /* syscall */
/* mkdir fails with EEXIST for anything that exists, so lstat checks afterwards that it is a directory and no link.
 *
 * PoCL trusts the files in its cache. A file that a crash of the machine left empty, or a full disk, makes PoCL abort
 * or exit in every later run. So damaged files are removed before PoCL reads them, and a full disk is not used. If the
 * program crashes nevertheless, it marks the directory, and later runs use another one. The directory itself stays,
 * because other runs may be using it. */
#include "device/opencl_cache.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/message.h"
#include "process/ending.h"

const char *const opencl_cache_variables[OPENCL_CACHE_COUNT] = {"POCL_CACHE_DIR", "CUDA_CACHE_PATH", "NEO_CACHE_DIR",
								"MESA_SHADER_CACHE_DIR"};
/* The directory of each variable's driver below the cache. */
static const char *const directory_names[OPENCL_CACHE_COUNT] = {"pocl", "nvidia", "intel", "mesa"};

/* The file that marks a directory after a crash, and the seconds for which a marked directory is not used. */
#define MARK_NAME "damaged"
#define MARKED_S (60 * 60)
#define DIRECTORIES_MAX 8
/* Seconds after its last change in which another process may still be writing a file. */
#define MAKING_S 60
#define TEMPORARY_S (60 * 60)
#define JUST_MADE_MS 20
/* Removing the private directory is repeated, because a driver's threads may still make files in it. */
#define REMOVE_TRIES 50
#define REMOVE_PAUSE_MS 2
/* The room that compiling a program may need. LLVM exits if the disk is full. */
#define ROOM_BYTES ((uint64_t)16 << 20)

/* The directory that pscan chose, or empty. These four are set before any thread starts. */
static char used_directory[PATH_MAX];
/* PoCL's directory, chosen by the user or by pscan, or empty. */
static char pocl_directory[PATH_MAX];
/* The name of the file that marks PoCL's directory after a crash. */
static char mark[PATH_MAX];
/* Whether used_directory is for this run only and is removed at its end. */
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

/* Whether a file has the content that its name promises, or is so new that another process may still be writing it.
 * Only PoCL's names are checked. PoCL's temporary files are not sound when they are old. */
static bool is_sound(int at, const char *name)
{
	struct stat st;
	const bool object = ends_with(name, ".so");
	const bool temporary = strncmp(name, "tempfile_", 9) == 0 || strncmp(name, "dep-", 4) == 0;
	if (!object && !temporary && strcmp(name, "program.bc") != 0)
		return true;
	if (fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
	    st.st_mtime > time(NULL) - (temporary ? TEMPORARY_S : MAKING_S))
		return true;
	if (temporary)
		return false;
	const int fd = openat(at, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return false;
	const bool sound = S_ISREG(st.st_mode) && (object ? is_whole_object(fd, st.st_size) : is_bitcode(fd));
	(void)close(fd);
	return sound;
}

/* An entry as the system call getdents64 returns it. The C library's readdir is not safe in a signal handler. */
struct entry {
	uint64_t inode;
	int64_t offset;
	uint16_t size;
	unsigned char type;
	char name[];
};

#define NOTHING ((time_t)0)
#define EVERYTHING ((time_t)INT64_MAX)

static bool changed_before(int at, const char *name, time_t until)
{
	struct stat st;
	return until == EVERYTHING ||
	       (until != NOTHING && fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && st.st_mtime < until);
}

/* Removes everything below a directory that was changed before `until`, and all damaged files. The mark stays, unless
 * `until` is EVERYTHING. Links are removed, not followed. Safe in a signal handler. */
static void clean(int at, const char *path, time_t until)
{
	_Alignas(struct entry) char entries[4096];
	const int fd = openat(at, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	ssize_t size = 0;
	if (fd < 0)
		return;
	while ((size = syscall(SYS_getdents64, fd, entries, sizeof entries)) > 0) {
		for (ssize_t next = 0; next < size;) {
			const struct entry *entry = (const void *)(entries + next);
			const char *name = entry->name;
			next += entry->size;
			if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
				continue;
			if (until != EVERYTHING && strcmp(name, MARK_NAME) == 0)
				continue;
			const bool damaged = !is_sound(fd, name);
			const bool goes = damaged || changed_before(fd, name, until);
			if (entry->type == DT_DIR || entry->type == DT_UNKNOWN)
				clean(fd, name, damaged ? EVERYTHING : until);
			if (goes && unlinkat(fd, name, 0) != 0)
				(void)unlinkat(fd, name, AT_REMOVEDIR);
		}
	}
	(void)close(fd);
}

/* Removes a private cache. Marks a shared one if the program crashed. Other threads may still be making files. */
static void clean_up_cache(bool crashed)
{
	if (crashed)
		opencl_cache_mark();
	for (int tries = 0; tries < REMOVE_TRIES && is_private; tries++) {
		clean(AT_FDCWD, used_directory, EVERYTHING);
		if (rmdir(used_directory) == 0 || errno != ENOTEMPTY)
			break;
		(void)poll(NULL, 0, REMOVE_PAUSE_MS);
	}
}

/* Whether a run crashed with the directory within the last hour. An older mark is removed, after the files that the
 * crashed run and earlier ones have left. Newer files stay, as other runs may have made them. */
static bool is_marked(const char *path)
{
	struct stat st;
	char name[PATH_MAX];
	if (!join(name, path, MARK_NAME) || stat(name, &st) != 0)
		return false;
	if (st.st_mtime > time(NULL) - MARKED_S)
		return true;
	clean(AT_FDCWD, path, st.st_mtime + MAKING_S);
	(void)unlink(name);
	return false;
}

/* Chooses PoCL's directory in a cache: the first one that is not marked. */
static bool choose_pocl(char path[PATH_MAX], const char *cache)
{
	char name[16] = "pocl";
	for (int i = 1; i <= DIRECTORIES_MAX; i++) {
		if (!join(path, cache, name) || !private_to_us(path))
			return false;
		if (!is_marked(path))
			return true;
		(void)snprintf(name, sizeof name, "pocl.%d", i);
	}
	return false;
}

/* Makes a directory and its missing parents, as far as this is allowed. */
static void make_directories(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		(void)mkdir(path, 0700);
		*slash = '/';
	}
	(void)mkdir(path, 0700);
}

static bool has_room(const char *path)
{
	struct statvfs st;
	return statvfs(path, &st) != 0 || (uint64_t)st.f_bavail * st.f_frsize >= ROOM_BYTES;
}

/* Sets path to pscan's cache in the user's home. False if the directory cannot be used. */
static bool home_cache(char path[PATH_MAX])
{
	const char *cache_home = getenv("XDG_CACHE_HOME");
	const char *home = getenv("HOME");
	char base[PATH_MAX];
	if (cache_home != NULL && cache_home[0] == '/') {
		if (snprintf(base, sizeof base, "%s", cache_home) >= PATH_MAX)
			return false;
		make_directories(base);
	} else if (home == NULL || home[0] != '/' || !join(base, home, ".cache")) {
		return false;
	}
	return own_directory(base) && join(path, base, "pscan") && private_to_us(path) && has_room(path);
}

/* Makes a private directory for this run. False after a message. */
static bool make_private(char path[PATH_MAX])
{
	const char *temporary = getenv("TMPDIR");
	ending_hold();
	is_private = join(path, temporary != NULL && temporary[0] == '/' ? temporary : "/tmp", "pscan-XXXXXX") &&
		     mkdtemp(path) != NULL;
	if (is_private) {
		memcpy(used_directory, path, PATH_MAX);
		ending_set(ENDING_CACHE, clean_up_cache);
	} else {
		message_verbose("no place for compiled kernels: %s", strerror(errno));
	}
	ending_release();
	return is_private;
}

/* Returns the directory that the user set in a variable, or NULL. Makes the directory now instead of leaving this to
 * the driver, because the sandbox allows existing directories only. */
static const char *given_cache(const char *variable)
{
	const char *given = getenv(variable);
	char path[PATH_MAX];
	if (given == NULL || given[0] == '\0' || strlen(given) >= sizeof path)
		return NULL;
	memcpy(path, given, strlen(given) + 1);
	make_directories(path);
	return given;
}

/* Sets the variables of drivers other than PoCL, unless the user has set them. */
static void set_others(const char *cache)
{
	char path[PATH_MAX];
	for (size_t i = 1; i < OPENCL_CACHE_COUNT; i++) {
		const char *variable = opencl_cache_variables[i];
		if (given_cache(variable) == NULL && join(path, cache, directory_names[i]) && private_to_us(path))
			(void)setenv(variable, path, 1);
	}
}

/* PoCL's directory if no directory can be used. It cannot be made, which keeps PoCL from using its default. */
#define NO_PLACE "/dev/null/pocl"

/* Chooses the cache and PoCL's directory in it. False after a message. */
static bool choose_cache(char cache[PATH_MAX], char path[PATH_MAX])
{
	return (home_cache(cache) && choose_pocl(path, cache)) || (make_private(cache) && choose_pocl(path, cache));
}

void opencl_cache_open(bool others)
{
	char cache[PATH_MAX];
	char path[PATH_MAX];
	const char *given = given_cache("POCL_CACHE_DIR");
	(void)setenv("PATH", "/usr/bin:/bin", 0); /* PoCL aborts if it does not find the linker */
	if (given != NULL) {
		(void)snprintf(pocl_directory, sizeof pocl_directory, "%s", given);
		(void)setenv("TMPDIR", given, 1); /* compilers' temporary files: the sandbox leaves no other place */
		if (others && home_cache(cache))
			set_others(cache);
		return;
	}
	if (!choose_cache(cache, path)) {
		(void)setenv("POCL_CACHE_DIR", NO_PLACE, 1);
		return;
	}
	(void)setenv("POCL_CACHE_DIR", path, 1);
	(void)setenv("TMPDIR", path, 1);
	if (others)
		set_others(cache);
	if (is_private || !join(mark, path, MARK_NAME))
		return;
	memcpy(used_directory, path, sizeof path);
	memcpy(pocl_directory, path, sizeof path);
	ending_set(ENDING_CACHE, clean_up_cache);
}

bool opencl_cache_is_useless(void)
{
	const char *path = getenv("POCL_CACHE_DIR");
	struct stat st;
	return path != NULL && (stat(path, &st) != 0 || !S_ISDIR(st.st_mode));
}

void opencl_cache_mend(void)
{
	if (used_directory[0] != '\0' && !is_private)
		clean(AT_FDCWD, used_directory, NOTHING);
}

const char *opencl_cache_private(void)
{
	return is_private ? used_directory : NULL;
}

const char *opencl_cache_kept(void)
{
	return used_directory[0] != '\0' && !is_private ? used_directory : NULL;
}

void opencl_cache_mark(void)
{
	if (opencl_cache_kept() != NULL)
		(void)close(open(mark, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
}

/* Removes the empty files "tempfile_XXXXXX" that PoCL makes in every run and never uses. One that is a few milliseconds
 * old stays, because another process may be about to write to it. */
static void remove_empty_files(void)
{
	DIR *directory = pocl_directory[0] != '\0' ? opendir(pocl_directory) : NULL;
	struct timespec now = {0};
	if (directory == NULL)
		return;
	(void)clock_gettime(CLOCK_REALTIME, &now);
	const struct dirent *entry;
	while ((entry = readdir(directory)) != NULL) {
		const char *name = entry->d_name;
		struct stat st;
		if (strncmp(name, "tempfile_", 9) != 0 || strlen(name) != 15 ||
		    fstatat(dirfd(directory), name, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(st.st_mode) ||
		    st.st_size > 0)
			continue;
		const int64_t age_ms =
			(int64_t)(now.tv_sec - st.st_mtim.tv_sec) * 1000 + (now.tv_nsec - st.st_mtim.tv_nsec) / 1000000;
		if (age_ms >= JUST_MADE_MS)
			(void)unlinkat(dirfd(directory), name, 0);
	}
	(void)closedir(directory);
}

void opencl_cache_close(void)
{
	remove_empty_files();
	if (used_directory[0] == '\0')
		return;
	ending_set(ENDING_CACHE, NULL);
	clean_up_cache(false);
}
