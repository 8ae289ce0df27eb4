/* The OpenCL engine behind a watchdog. A separate thread makes all calls of the driver. If a call never returns, the
 * run loses the device but goes on. */
#ifndef PSCAN_DEVICE_WATCHDOG_H
#define PSCAN_DEVICE_WATCHDOG_H

#include "device/opencl_engine.h"

/* opencl_engine_open, with the same results and errors, for an engine whose driver calls are watched. Also returns
 * STATUS_SYSTEM if the thread cannot be started, after an error if need->spec is set, otherwise after a warning.
 *
 * The device is given up if no driver call returns for need->timeout_s seconds (0: no limit), during the opening or
 * later. A message is printed, unless a failure was reported before or the engine is being closed. The thread is left
 * in the driver. From then on every call that returns a status returns STATUS_DEVICE at once, `cancel` returns false,
 * and `close` frees nothing. The call in the driver may still write to its arguments' memory.
 *
 * A failure of `begin` may be returned later, by the next `begin`, `finish` or `run_cursor`. After a failure of one of
 * these three, later ones return its status, too. */
enum status watchdog_open(const struct engine_need *need, struct engine **engine) MUST_CHECK;

/* Whether a thread was left in a driver. The process must then end without freeing memory that the driver may use, and
 * without running exit handlers. Any thread. */
bool watchdog_is_stuck(void);

#endif
