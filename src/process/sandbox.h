/* From some point on, the process may only do what a scan needs: read its inputs, write its output and the drivers'
 * compiled kernels, load system libraries. By Linux's Landlock (man 7 landlock), for all programs that it starts as
 * well; elsewhere, and on kernels without it, nothing happens. */
#ifndef PSCAN_PROCESS_SANDBOX_H
#define PSCAN_PROCESS_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

struct sandbox {
	const char *const *inputs; /* "-" is none */
	size_t input_count;
	const char *temporary; /* to be renamed or removed in its directory, or NULL */
	const char *state, *picture, *trace; /* so are these */
	bool drivers; /* OpenCL may be used: its libraries, devices and caches */
	const char *const *cache_variables; /* of the environment, that name drivers' caches; count of them */
	size_t cache_variable_count;
	const char *private_cache; /* to be removed at the end, or NULL */
};

/* What is open stays open. Holds for this thread and those it starts: call it before any other one runs. The
 * environment variable PSCAN_SANDBOX_ALLOW (for tests, and for drivers that need more) names directories, separated by
 * colons, below which everything stays allowed. */
void sandbox_enter(const struct sandbox *s);

/* After open failed: whether for the sandbox alone, as with a file that has replaced the one that was there. */
bool sandbox_denied(const char *path);

/* Whether the program runs with more rights than whoever started it has. */
bool sandbox_has_foreign_rights(void);

#endif
