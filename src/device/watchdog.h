/* The OpenCL engine behind a watchdog. A separate thread makes all calls of the driver. If a call never returns, the
 * run loses the device but goes on. */
#ifndef PSCAN_DEVICE_WATCHDOG_H
#define PSCAN_DEVICE_WATCHDOG_H

#include "device/opencl_engine.h"

/* Opens an OpenCL engine as opencl_engine_open does, with its results and errors. If no driver call returns for
 * need->timeout_s seconds (0: no limit), during the opening or later, the device counts as failed: a message is
 * printed, every further call returns STATUS_DEVICE at once, and the thread is left in the driver. An error of a begin
 * call may be returned by the next finish call instead. */
enum status watchdog_open(const struct engine_need *need, struct engine **engine) MUST_CHECK;

/* Whether a thread was left in a driver. The process must then end without freeing memory that the driver may use, and
 * without running exit handlers. Any thread. */
bool watchdog_is_stuck(void);

#endif
