/* The directories in which drivers keep compiled kernels. */
#ifndef PSCAN_DEVICE_OPENCL_CACHE_H
#define PSCAN_DEVICE_OPENCL_CACHE_H

#include <stdbool.h>

/* The environment variables that name drivers' cache directories. PoCL's is the first. */
#define OPENCL_CACHE_COUNT 4
extern const char *const opencl_cache_variables[OPENCL_CACHE_COUNT];

/* Sets the environment variables that drivers read. Call it before the first OpenCL call and before any thread starts.
 *     POCL_CACHE_DIR                     a directory for PoCL
 *     other opencl_cache_variables       directories for their drivers, if `others` (drivers other than PoCL's may be
 *                                        installed)
 *     TMPDIR                             PoCL's directory, even if TMPDIR was set
 *     PATH                               /usr/bin:/bin, if PATH was not set
 * A cache variable that is set and not empty stays, and its directory is made.
 *
 * The directories are pocl, nvidia and so on below the user's cache, $XDG_CACHE_HOME/pscan or ~/.cache/pscan. The
 * user's cache is not used if it does not belong to the user, is open to other users, or has no room. A new private
 * directory then takes its place for this run. (PoCL's own default may be /tmp/pocl, where another user could plant
 * code.) If POCL_CACHE_DIR was set, no private directory is made, and the variables of other drivers may stay unset.
 *
 * If the private directory cannot be made either, POCL_CACHE_DIR becomes a path that cannot exist. PoCL then shows no
 * device, TMPDIR stays, and -v prints why.
 *
 * If the program crashes, a PoCL directory that this function chose below the user's cache is marked. It is then not
 * used for an hour; pocl.1 and so on take its place. */
void opencl_cache_open(bool others);
/* Removes PoCL's empty temporary files, and the private directory if there is one. (A signal that ends the program
 * removes the private directory as well.) */
void opencl_cache_close(void);

/* Removes files in PoCL's directory that a crash of the machine left incomplete. Does nothing if the user set
 * POCL_CACHE_DIR, or if the directory is private. Call it before drivers are loaded. */
void opencl_cache_mend(void);

/* Whether POCL_CACHE_DIR is set but is not a directory. PoCL then shows no device. */
bool opencl_cache_is_useless(void);

/* Returns the private directory of this run, or NULL if it has not been made. */
const char *opencl_cache_private(void);
/* Returns PoCL's directory, if pscan chose it and it stays after this run. NULL if the user set it or it is private. */
const char *opencl_cache_kept(void);

/* Marks opencl_cache_kept, if it is not NULL, as if the program had crashed. Call it if a driver crashes a child
 * process. */
void opencl_cache_mark(void);

#endif
