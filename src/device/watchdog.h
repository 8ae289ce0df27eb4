/* The OpenCL engine behind a watchdog: all calls of the driver are made by a thread of its own, so that one which never
 * returns costs the run its device and no more. */
#ifndef PSCAN_DEVICE_WATCHDOG_H
#define PSCAN_DEVICE_WATCHDOG_H

#include "device/opencl_engine.h"

/* As opencl_engine_open. If no call of the driver returns for need->timeout_s seconds, then or later, the device has
 * failed, after a message: all calls answer STATUS_DEVICE at once, and the thread is left behind. timeout_s 0: there is
 * no such limit. The calls of begin functions may fail in the finish functions only. */
enum status watchdog_open(const struct engine_need *need, struct engine **engine) MUST_CHECK;

/* Whether a thread was left behind in a driver: then the process must end without freeing what the driver may use, and
 * without running exit handlers. Any thread. */
bool watchdog_is_stuck(void);

#endif
