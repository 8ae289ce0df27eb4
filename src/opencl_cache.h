/* Where PoCL keeps compiled kernels. */
#ifndef PSCAN_OPENCL_CACHE_H
#define PSCAN_OPENCL_CACHE_H

/* Sets POCL_CACHE_DIR, unless it is set: to $XDG_CACHE_HOME/pscan/pocl or ~/.cache/pscan/pocl if that is (or can be
 * made) a directory of this user's own that nobody else can enter, with room, else to a fresh private one that
 * opencl_cache_close or a signal removes. Damaged files are removed, and everything if the program crashes. PoCL's own default may be /tmp/pocl, where anybody could plant code. A PATH that is not set gets the
 * system's directories. Call it before the first OpenCL call and before any thread starts. */
void opencl_cache_open(void);
void opencl_cache_close(void);

#endif
