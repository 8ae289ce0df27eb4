/* Drivers are foreign code: one may crash, exit or hang while it is loaded, lists its devices, compiles kernels or
 * scans. So a child process does all that first, and the program loads the driver only if the child came back well.
 * What came back well is remembered in the cache of compiled kernels, for as long as the driver's files stay the same,
 * so that a driver is tried once and not in every run. The environment variable PSCAN_TRIAL=off (for tests) leaves the
 * trial out. */
#ifndef PSCAN_DEVICE_DRIVER_TRIAL_H
#define PSCAN_DEVICE_DRIVER_TRIAL_H

#include "device/opencl_engine.h"

struct bytes;
struct driver_trial;

/* A trial of the device that the need names, with a scan of the row; of a user's program with what cursors do, for
 * only input with whole tiles needs more. Both are copied. The child waits until the trial is run: call it after
 * opencl_engine_prepare, in the sandbox and before any thread starts. NULL after a message: no child can be made. */
struct driver_trial *driver_trial_new(const struct engine_need *need, const struct row *row);

/* Runs it, on any thread, once. STATUS_OK: the device works; or, with *found false, there is none and need->spec is
 * NULL. STATUS_DEVICE after a message, or silently if it was cancelled. A child from which nothing is heard for
 * need->timeout_s seconds is killed. */
enum status driver_trial_run(struct driver_trial *t, bool *found) MUST_CHECK;
/* Ends one that may be running, on another thread. */
void driver_trial_cancel(struct driver_trial *t);
/* t may be NULL. Not while it runs. */
void driver_trial_free(struct driver_trial *t);

/* A line for each device (opencl_engine_list), made by a child that must answer within timeout_s seconds (0: whenever
 * it does), appended to the text. The same calls as for driver_trial_new come first. STATUS_DEVICE after a message. */
enum status driver_trial_list(unsigned timeout_s, struct bytes *text) MUST_CHECK;

#endif
