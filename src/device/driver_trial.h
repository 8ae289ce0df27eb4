/* Tries a driver in a child process before pscan itself loads it. A driver may crash, exit or hang while it is loaded,
 * lists its devices, compiles kernels or scans. The child does all of this first, and pscan loads the driver only if
 * the child succeeds. A success is remembered in the cache of compiled kernels (driver_memory.h) until one of the
 * driver's files changes, so a driver is not tried in every run. With the environment variable PSCAN_TRIAL=off (for
 * tests) driver_trial_run succeeds without a child. */
#ifndef PSCAN_DEVICE_DRIVER_TRIAL_H
#define PSCAN_DEVICE_DRIVER_TRIAL_H

#include "device/opencl_engine.h"

struct bytes;
struct driver_trial;

/* Makes a trial of the device that need->spec names: a scan of the row, or for a user's program a few pushes into a
 * cursor. *need and *row are copied; what they point to is borrowed until driver_trial_free. Forks the child, which
 * waits for driver_trial_run. There is no child if a success is remembered or PSCAN_TRIAL=off. Call it after
 * opencl_engine_prepare, in the sandbox, before any thread starts. The caller ends the trial with driver_trial_free.
 * NULL after a message if memory is missing or the child cannot be started. */
struct driver_trial *driver_trial_new(const struct engine_need *need, const struct row *row);

/* Runs a trial and waits for its end. Any thread; at most once for each trial.
 *   STATUS_OK      *found true: the device works. *found false: need->spec is NULL and no device exists. Without a
 *                  child nothing is tried: *found is then the remembered answer, or true with PSCAN_TRIAL=off.
 *   STATUS_DEVICE  The driver failed, or made no progress for need->timeout_s seconds (0: no limit) and was killed. A
 *                  message was printed, as a warning if need->spec is NULL. No message if the trial was cancelled.
 *   STATUS_USAGE   After a message: a user's program does not compile.
 *   STATUS_SYSTEM  After a message: memory is missing.
 * *found is defined for STATUS_OK only. */
enum status driver_trial_run(struct driver_trial *t, bool *found) MUST_CHECK;
/* Makes the driver_trial_run in which another thread is, or which it will call, return soon. Does nothing if the trial
 * has no child. t may be NULL. Any thread. */
void driver_trial_cancel(struct driver_trial *t);
/* Kills the child, if it still runs, and frees the trial. No thread may be in driver_trial_run. t may be NULL. */
void driver_trial_free(struct driver_trial *t);

/* Appends a line for each device to *text (opencl_engine_list). A child always makes the lines: it is killed after
 * timeout_s seconds without progress (0: no limit). Call it after opencl_engine_prepare, before any thread starts.
 * STATUS_DEVICE after a message if a driver failed, STATUS_SYSTEM after a message if memory or a process is missing. */
enum status driver_trial_list(unsigned timeout_s, struct bytes *text) MUST_CHECK;

#endif
