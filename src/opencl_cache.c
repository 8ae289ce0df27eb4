/* mkdir answers EEXIST for whatever is there, so the check comes after it, by lstat: a link is not followed. */
#include "opencl_cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"

/* The directory to remove at the end, or empty. Conductor's thread only. */
static char private_directory[PATH_MAX];

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
	return own_directory(base) && join(path, base, "pscan") && private_to_us(path);
}

/* A directory for this run, or false after a message. */
static bool make_private(char path[PATH_MAX])
{
	const char *temporary = getenv("TMPDIR");
	if (!join(path, temporary != NULL && temporary[0] == '/' ? temporary : "/tmp", "pscan-XXXXXX") ||
	    mkdtemp(path) == NULL) {
		message_verbose("no place for compiled kernels: %s", strerror(errno));
		return false;
	}
	memcpy(private_directory, path, PATH_MAX);
	return true;
}

/* A directory of the cache for a driver that reads its name from a variable. One that is set is the user's affair. */
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
	if (home_cache(path) && set_caches(path, others))
		return;
	if (given == NULL && make_private(path))
		(void)!set_caches(path, others);
}

const char *opencl_cache_private(void)
{
	return private_directory[0] != '\0' ? private_directory : NULL;
}

/* Empties and removes a directory below the open one at; links are removed, not followed. */
static void remove_tree(int at, const char *name)
{
	const int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *directory = fd < 0 ? NULL : fdopendir(fd);
	if (directory == NULL) {
		if (fd >= 0)
			close(fd);
		return;
	}
	const struct dirent *entry;
	/* Nobody else reads this directory stream. */
	/* cppcheck-suppress readdirCalled */
	while ((entry = readdir(directory)) != NULL) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		if (unlinkat(fd, entry->d_name, 0) != 0)
			remove_tree(fd, entry->d_name);
	}
	closedir(directory);
	(void)unlinkat(at, name, AT_REMOVEDIR);
}

void opencl_cache_close(void)
{
	if (private_directory[0] == '\0')
		return;
	remove_tree(AT_FDCWD, private_directory);
	private_directory[0] = '\0';
}
