/* Where drivers keep compiled kernels. */
#ifndef PSCAN_DEVICE_OPENCL_CACHE_H
#define PSCAN_DEVICE_OPENCL_CACHE_H

#include <stdbool.h>

/* What drivers that keep compiled kernels ask for their directory, PoCL first: environment variables. */
#define OPENCL_CACHE_COUNT 4
extern const char *const opencl_cache_variables[OPENCL_CACHE_COUNT];

/* Sets POCL_CACHE_DIR, and if there are others' drivers the variables of those, unless they are set: to pocl, nvidia
 * and so on below $XDG_CACHE_HOME/pscan or ~/.cache/pscan if those are (or can be made) directories of this user's own
 * that nobody else can enter, with room, else to ones in a fresh private directory that opencl_cache_close or a signal
 * removes. Drivers' temporary files go there too (TMPDIR). If the program crashes, PoCL's directory is marked and not
 * used for an hour: pocl.1 and so on are. PoCL's own default may be /tmp/pocl, where anybody could plant code. A PATH
 * that is not set gets the system's directories. Call it before the first OpenCL call and before any thread starts. */
void opencl_cache_open(bool others);
void opencl_cache_close(void);

/* Removes what a crash of the machine damaged in PoCL's directory. Call it before a driver looks there. */
void opencl_cache_mend(void);

/* Whether POCL_CACHE_DIR is set and no directory: PoCL shows no device then. */
bool opencl_cache_is_useless(void);

/* The private directory, or NULL. */
const char *opencl_cache_private(void);
/* The one directory of the program's own that stays, PoCL's, or NULL: it is the user's, or private. */
const char *opencl_cache_kept(void);

/* A driver crashed with the cache: as if the program had. */
void opencl_cache_mark(void);

#endif
