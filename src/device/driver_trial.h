/* Tries a driver in a child process before pscan itself loads it. A driver may crash, exit or hang while it is loaded,
 * lists its devices, compiles kernels or scans. The child does all of this first, and pscan loads the driver only if
 * the child succeeds. A success is remembered in the cache of compiled kernels until one of the driver's files changes,
 * so a driver is not tried in every run. The environment variable PSCAN_TRIAL=off (for tests) disables trials. */
#ifndef PSCAN_DEVICE_DRIVER_TRIAL_H
#define PSCAN_DEVICE_DRIVER_TRIAL_H

#include "device/opencl_engine.h"

struct bytes;
struct driver_trial;

/* Makes a trial of the device that need->spec names: a scan of the row, or for a user's program a few pushes into a
 * cursor. Both arguments are copied. Forks the child, which waits for driver_trial_run; no child is needed if the
 * answer is remembered or trials are disabled. Call it after opencl_engine_prepare, in the sandbox, before any thread
 * starts. The caller owns the trial and ends it with driver_trial_free. NULL after a message if memory or a process is
 * missing. */
struct driver_trial *driver_trial_new(const struct engine_need *need, const struct row *row);

/* Runs a trial and waits for its end. STATUS_OK if the device works (*found is true), or if need->spec is NULL and no
 * device exists (*found is false). STATUS_DEVICE after a message if the driver failed, without a message if the trial
 * was cancelled. STATUS_USAGE after a message if a user's program does not compile, STATUS_SYSTEM after one if memory
 * is missing. A child that makes no progress for need->timeout_s seconds is killed. Any thread; once a trial. */
enum status driver_trial_run(struct driver_trial *t, bool *found) MUST_CHECK;
/* Makes driver_trial_run return soon, which another thread may be in. t may be NULL. Any thread. */
void driver_trial_cancel(struct driver_trial *t);
/* Kills the child and frees the trial, which must not be running. t may be NULL. */
void driver_trial_free(struct driver_trial *t);

/* Appends a line for each device (opencl_engine_list) to *text. A child makes the lines. It is killed after timeout_s
 * seconds without progress (0: never). Call it where driver_trial_new may be called. STATUS_DEVICE or STATUS_SYSTEM
 * after a message. */
enum status driver_trial_list(unsigned timeout_s, struct bytes *text) MUST_CHECK;

#endif
