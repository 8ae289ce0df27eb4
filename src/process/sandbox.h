/* Limits the process to what a scan needs: to read its inputs, write its output and the drivers' compiled kernels, and
 * load system libraries. Uses Linux's Landlock (man 7 landlock), which also limits programs that the process starts.
 * Does nothing on other systems, and on kernels without Landlock. */
#ifndef PSCAN_PROCESS_SANDBOX_H
#define PSCAN_PROCESS_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

/* What the process may use. Everything is borrowed until sandbox_enter returns. */
struct sandbox {
	const char *const *inputs; /* Names of input files. "-" (standard input) needs no right. */
	size_t input_count;
	const char *temporary; /* The output's temporary file, which is renamed or removed later, or NULL. */
	const char *state, *picture, *trace; /* Further temporary files that are renamed or removed later, or NULL. */
	bool drivers; /* OpenCL may be used: allows its libraries, devices and caches. */
	const char *const *cache_variables; /* Environment variables that name drivers' caches. */
	size_t cache_variable_count;
	const char *private_cache; /* A cache directory that is removed at the end. NULL: there is none. */
};

/* Enters the sandbox. If this is not possible, the program goes on without it, and -v prints why. Open files stay
 * usable. The sandbox holds for the calling thread and the threads that it starts, so call this before other threads
 * run. The environment variable PSCAN_SANDBOX_ALLOW (for tests, and for drivers that need more) lists files and
 * directories, separated by colons. These, and all files below them, can be used as without the sandbox. */
void sandbox_enter(const struct sandbox *s);

/* Call this right after open failed: it reads errno, and may change it. Returns whether only the sandbox has denied
 * reading the file, for instance because the file was replaced since the sandbox was entered. */
bool sandbox_denied(const char *path);

/* Whether the program runs with the rights of another user or group than the one that started it (setuid, setgid). */
bool sandbox_has_foreign_rights(void);

#endif
