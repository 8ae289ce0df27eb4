/* opencl_engine.h in a build without OpenCL (make OPENCL=no), in place of the files opencl_*.c. No device is found, so
 * the host scans. Operators of the user's own that need a device are refused. */
#include "device/opencl_engine.h"

#include <string.h>

#include "base/memory.h"
#include "base/message.h"

enum status opencl_engine_open(const struct engine_need *need, struct engine **engine)
{
	*engine = NULL;
	if (need->spec == NULL)
		return STATUS_OK;
	const char *name = message_quoted(need->spec);
	if (strcmp(need->spec, "auto") == 0)
		message_error("no OpenCL device, which an operator of your own needs%s", opencl_engine_hint());
	else
		message_error("no OpenCL device %s%s", name, opencl_engine_hint());
	return STATUS_DEVICE;
}

void opencl_engine_prepare(bool named)
{
	(void)named;
}

void opencl_engine_end(void)
{
}

bool opencl_engine_may_have_gpu(void)
{
	return false;
}

/* /dev/null is not a directory, so no driver is listed there. */
const char *opencl_engine_vendors(void)
{
	return "/dev/null";
}

const char *opencl_engine_hint(void)
{
	return ": this build is without OpenCL";
}

const char *opencl_engine_loader(void)
{
	return "no";
}

enum status opencl_engine_list(struct bytes *text)
{
	(void)text;
	message_warning("no OpenCL device%s", opencl_engine_hint());
	return STATUS_OK;
}
