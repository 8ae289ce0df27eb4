/* The directories in which drivers keep compiled kernels. */
#ifndef PSCAN_DEVICE_OPENCL_CACHE_H
#define PSCAN_DEVICE_OPENCL_CACHE_H

#include <stdbool.h>

/* The environment variables that name drivers' cache directories. PoCL's is the first. */
#define OPENCL_CACHE_COUNT 4
extern const char *const opencl_cache_variables[OPENCL_CACHE_COUNT];

/* Sets the environment variables that drivers read. Call it before the first OpenCL call and before any thread starts.
 *   POCL_CACHE_DIR becomes a directory for PoCL. If `others` (drivers other than PoCL's may be installed), the other
 *   opencl_cache_variables become directories for their drivers. A cache variable that is set and not empty stays, and
 *   its directory is made.
 *   TMPDIR becomes PoCL's directory, even if it was set. PATH becomes /usr/bin:/bin if it was not set.
 *   The directories are pocl, nvidia and so on below $XDG_CACHE_HOME/pscan or ~/.cache/pscan. If that cache does not
 *   belong to the user, is open to other users or has no room, a new private directory is used for this run, unless
 *   POCL_CACHE_DIR was set. (PoCL's own default may be /tmp/pocl, where another user could plant code.) If this fails,
 *   too, POCL_CACHE_DIR becomes a path that cannot exist, TMPDIR stays, PoCL shows no device, and -v prints why.
 *   If the program crashes, a PoCL directory that this function chose below the user's cache is marked and not used for
 *   an hour; pocl.1 and so on take its place. */
void opencl_cache_open(bool others);
/* Removes the private directory, if there is one, and PoCL's empty temporary files. If a signal ends the program, the
 * private directory is removed, too. */
void opencl_cache_close(void);

/* Removes files in PoCL's directory that a crash of the machine left incomplete. Call it before drivers are loaded. */
void opencl_cache_mend(void);

/* Whether POCL_CACHE_DIR is set but is not a directory. PoCL then shows no device. */
bool opencl_cache_is_useless(void);

/* The private directory of this run, or NULL. */
const char *opencl_cache_private(void);
/* PoCL's directory, if pscan chose it and it stays after this run. NULL if the user set it or it is private. */
const char *opencl_cache_kept(void);

/* Marks opencl_cache_kept, if it is not NULL, as if the program had crashed. Call it if a driver crashes a child
 * process. */
void opencl_cache_mark(void);

#endif
