#define _GNU_SOURCE /* O_PATH, syscall */
/* A ruleset names the rights that are forbidden. Rules then allow some of them below directories. A path for which no
 * rule can be made (it does not exist, or is a pipe) needs none.
 *
 * The kernel's interface is newer than many systems' headers. So its numbers and structs are repeated here, from the
 * kernel's documentation (Documentation/userspace-api/landlock.rst). If the system call's number is not known, no
 * sandbox is entered. */
#include "process/sandbox.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/message.h"

/* Written before other threads start. */
static bool is_entered;

bool sandbox_denied(const char *path)
{
	return is_entered && errno == EACCES && access(path, R_OK) == 0; /* Landlock does not apply to access. */
}

bool sandbox_has_foreign_rights(void)
{
	return getuid() != geteuid() || getgid() != getegid();
}

#ifdef __linux__
#include <sys/syscall.h>
/* These numbers hold for all architectures except alpha and mips. */
#if !defined SYS_landlock_create_ruleset && !defined __alpha__ && !defined __mips__
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif
#endif

#ifdef SYS_landlock_create_ruleset
#include <sys/prctl.h>

#define ASK_VERSION 1u
#define RULE_PATH_BENEATH 1

#define EXECUTE (UINT64_C(1) << 0)
#define WRITE_FILE (UINT64_C(1) << 1)
#define READ_FILE (UINT64_C(1) << 2)
#define READ_DIR (UINT64_C(1) << 3)
#define REMOVE_DIR (UINT64_C(1) << 4)
#define REMOVE_FILE (UINT64_C(1) << 5)
#define MAKE_DIR (UINT64_C(1) << 7)
#define MAKE_REG (UINT64_C(1) << 8)
#define MAKE_ALL (UINT64_C(0x7f) << 6) /* devices, directories, files, sockets, FIFOs, symlinks */
#define REFER (UINT64_C(1) << 13) /* from version 2 */
#define TRUNCATE (UINT64_C(1) << 14) /* from version 3 */
#define OF_FILES (EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE) /* the rights that a file's own rule may give */
/* The rights below caches, where compilers make files and directories. */
#define OF_CACHES (OF_FILES | READ_DIR | REMOVE_DIR | REMOVE_FILE | MAKE_REG | MAKE_DIR | REFER)
#define EVERYTHING (OF_FILES | READ_DIR | REMOVE_DIR | REMOVE_FILE | MAKE_ALL | REFER)

#define NET_BIND_TCP (UINT64_C(1) << 0) /* from version 4 */
#define NET_CONNECT_TCP (UINT64_C(1) << 1)
#define SCOPE_ABSTRACT_SOCKETS (UINT64_C(1) << 0) /* from version 6 */
#define SCOPE_SIGNALS (UINT64_C(1) << 1)

struct ruleset_attributes {
	uint64_t handled_files;
	uint64_t handled_network;
	uint64_t scoped;
};

struct __attribute__((packed)) path_rule {
	uint64_t allowed;
	int32_t parent_fd;
};

struct ruleset {
	int fd;
	int error; /* Why a needed rule could not be made (errno). 0: all were made. */
	uint64_t handled; /* The rights to files that this kernel knows. */
};

/* Whether this process could not use the path anyway, so that it needs no rule. After any other error a rule may be
 * missing that a driver needs. */
static bool is_out_of_reach(const char *path, int error)
{
	return error == ENOENT || error == ENOTDIR || error == ELOOP || error == ENAMETOOLONG ||
	       (error == EACCES && access(path, F_OK) != 0 && errno == EACCES);
}

/* Allows the rights for everything below path if it is a directory, otherwise for the file path. */
static void allow(struct ruleset *r, const char *path, uint64_t rights)
{
	struct stat st;
	const int fd = open(path, O_PATH | O_CLOEXEC);
	if (fd < 0) {
		const int error = errno;
		if (!is_out_of_reach(path, error))
			r->error = error;
		return;
	}
	if (fstat(fd, &st) != 0) {
		r->error = errno;
	} else {
		const struct path_rule rule = {
			.allowed = rights & r->handled & (S_ISDIR(st.st_mode) ? UINT64_MAX : OF_FILES),
			.parent_fd = fd,
		};
		/* Pipes and the like (EBADFD) are in no directory and need no rule. */
		if (rule.allowed != 0 && syscall(SYS_landlock_add_rule, r->fd, RULE_PATH_BENEATH, &rule, 0u) != 0 &&
		    errno != EBADFD)
			r->error = errno;
	}
	(void)close(fd);
}

/* Allows the rights below the directory that contains path. */
static void allow_beside(struct ruleset *r, const char *path, uint64_t rights)
{
	char directory[PATH_MAX];
	const char *slash = strrchr(path, '/');
	if (slash == NULL)
		allow(r, ".", rights);
	else if (snprintf(directory, sizeof directory, "%.*s", (int)(slash - path) + 1, path) < (int)sizeof directory)
		allow(r, directory, rights);
}

/* Allows the rights for each path of a list that is separated by colons. list may be NULL. */
static void allow_list(struct ruleset *r, const char *list, uint64_t rights)
{
	char path[PATH_MAX];
	while (list != NULL && *list != '\0') {
		const size_t size = strcspn(list, ":");
		if (size > 0 && size < sizeof path) {
			memcpy(path, list, size);
			path[size] = '\0';
			allow(r, path, rights);
		}
		list += size + (list[size] == ':');
	}
}

/* Allows reading the inputs. An input is opened when its turn comes, and may be created only by then. */
static void allow_inputs(struct ruleset *r, const struct sandbox *s)
{
	struct stat st;
	for (size_t i = 0; i < s->input_count; i++) {
		if (strcmp(s->inputs[i], "-") == 0)
			continue;
		if (stat(s->inputs[i], &st) != 0)
			allow_beside(r, s->inputs[i], READ_FILE);
		else /* A directory can be opened, for the message that it is a directory. */
			allow(r, s->inputs[i], S_ISDIR(st.st_mode) ? READ_DIR : READ_FILE);
	}
}

/* Whether a name in /dev is that of a GPU: NVIDIA's (also Tegra's), ARM's, Qualcomm's. */
static bool is_numbered_device(const char *name)
{
	static const char *const starts[] = {"nvidia", "nvhost", "nvmap", "mali", "kgsl"};
	for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
		if (strncmp(name, starts[i], strlen(starts[i])) == 0)
			return true;
	}
	return false;
}

static void allow_devices(struct ruleset *r)
{
	static const char *const names[] = {"/dev/null", "/dev/zero", "/dev/full",  "/dev/random",   "/dev/urandom",
					    "/dev/dri",  "/dev/kfd",  "/dev/accel", "/dev/dma_heap", "/dev/dxg"};
	const uint64_t rights = READ_FILE | READ_DIR | WRITE_FILE;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		allow(r, names[i], rights);
	DIR *directory = opendir("/dev");
	if (directory == NULL)
		return;
	const struct dirent *entry;
	while ((entry = readdir(directory)) != NULL) {
		char path[PATH_MAX];
		if (is_numbered_device(entry->d_name) &&
		    snprintf(path, sizeof path, "/dev/%s", entry->d_name) < (int)sizeof path)
			allow(r, path, rights);
	}
	(void)closedir(directory);
}

/* Allows what OpenCL's loader, the drivers and their compilers consist of, read and write. */
static void allow_drivers(struct ruleset *r, const struct sandbox *s)
{
	static const char *const programs[] = {"/usr", "/lib", "/lib32", "/lib64", "/bin", "/opt", "/nix", "/gnu"};
	static const char *const settings[] = {"/etc/OpenCL", "/etc/ld.so.cache",   "/etc/ld.so.preload", "/etc/nvidia",
					       "/etc/passwd", "/etc/nsswitch.conf", "/etc/localtime",     "/proc",
					       "/sys",        "/run/opengl-driver"};
	static const char *const named[] = {"LD_LIBRARY_PATH",   "LD_PRELOAD",         "OCL_ICD_VENDORS",
					    "OCL_ICD_FILENAMES", "OPENCL_VENDOR_PATH", "OPENCL_LAYERS"};
	for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++)
		allow(r, programs[i], READ_FILE | READ_DIR | EXECUTE);
	for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
		allow(r, settings[i], READ_FILE | READ_DIR);
	for (size_t i = 0; i < sizeof named / sizeof named[0]; i++)
		allow_list(r, getenv(named[i]), READ_FILE | READ_DIR | EXECUTE);
	for (size_t i = 0; i < s->cache_variable_count; i++) {
		const char *cache = getenv(s->cache_variables[i]);
		if (cache != NULL)
			allow(r, cache, OF_CACHES);
	}
	if (s->private_cache != NULL) {
		allow(r, s->private_cache, OF_CACHES);
		allow_beside(r, s->private_cache, REMOVE_DIR);
	}
	allow(r, "/proc/self/task", READ_FILE | READ_DIR | WRITE_FILE); /* NVIDIA's driver names its threads there. */
	allow_devices(r);
}

/* Returns the rights that a kernel with this version of Landlock can forbid. */
static uint64_t known_rights(long version)
{
	uint64_t rights = EVERYTHING;
	if (version < 2)
		rights &= ~REFER;
	if (version < 3)
		rights &= ~TRUNCATE;
	return rights;
}

static int new_ruleset(long version, uint64_t rights)
{
	const struct ruleset_attributes attributes = {
		.handled_files = rights,
		.handled_network = NET_BIND_TCP | NET_CONNECT_TCP,
		.scoped = SCOPE_ABSTRACT_SOCKETS | SCOPE_SIGNALS,
	};
	const size_t size = version < 4   ? offsetof(struct ruleset_attributes, handled_network)
			    : version < 6 ? offsetof(struct ruleset_attributes, scoped)
					  : sizeof attributes;
	return (int)syscall(SYS_landlock_create_ruleset, &attributes, size, 0u);
}

/* Whether a path leads through a process's directory in /proc, where the kernel lets no sandboxed process go. */
static bool is_of_process(const char *path)
{
	return path != NULL && strncmp(path, "/proc/", 6) == 0 && path[6] >= '0' && path[6] <= '9';
}

static bool goes_through_processes(const struct sandbox *s)
{
	for (size_t i = 0; i < s->input_count; i++) {
		if (is_of_process(s->inputs[i]))
			return true;
	}
	return is_of_process(s->temporary) || is_of_process(s->state) || is_of_process(s->picture) ||
	       is_of_process(s->trace);
}

/* Returns why OpenCL would not work in this kernel's sandbox, or NULL if it would. */
static const char *harms_drivers(long version)
{
	/* Before version 2 no file can be renamed from one directory to another, as PoCL does in its cache. */
	if (version < 2)
		return "this Landlock is too old for drivers";
	/* NVIDIA's driver lets a setuid program make its devices when it is used for the first time. */
	if (access("/proc/driver/nvidia/version", F_OK) == 0 && access("/dev/nvidia-uvm", F_OK) != 0 &&
	    access("/usr/bin/nvidia-modprobe", X_OK) == 0)
		return "NVIDIA's driver has yet to make its devices";
	return NULL;
}

void sandbox_enter(const struct sandbox *s)
{
	const long version = syscall(SYS_landlock_create_ruleset, NULL, (size_t)0, ASK_VERSION);
	const char *harm = version < 1 ? strerror(errno) : s->drivers ? harms_drivers(version) : NULL;
	if (goes_through_processes(s))
		harm = "a path leads through another process";
	struct ruleset r = {.handled = known_rights(version)};
	r.fd = harm == NULL ? new_ruleset(version, r.handled) : -1;
	if (r.fd < 0) {
		message_verbose("sandbox: not entered: %s", harm != NULL ? harm : strerror(errno));
		return;
	}
	allow_inputs(&r, s);
	const char *const replaced[] = {s->temporary, s->state, s->picture, s->trace};
	for (size_t i = 0; i < sizeof replaced / sizeof replaced[0]; i++) {
		if (replaced[i] != NULL)
			allow_beside(&r, replaced[i], REMOVE_FILE | MAKE_REG);
	}
	if (s->drivers)
		allow_drivers(&r, s);
	allow_list(&r, getenv("PSCAN_SANDBOX_ALLOW"), EVERYTHING);
	if (r.error == 0 &&
	    (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || syscall(SYS_landlock_restrict_self, r.fd, 0u) != 0))
		r.error = errno;
	is_entered = r.error == 0;
	if (is_entered)
		message_verbose("sandbox: entered%s", s->drivers ? ", with drivers" : "");
	else
		message_verbose("sandbox: not entered: %s", strerror(r.error));
	(void)close(r.fd);
}

#else

void sandbox_enter(const struct sandbox *s)
{
	(void)s;
}

#endif
