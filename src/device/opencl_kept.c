#include "device/opencl_kept.h"

enum status opencl_kept_lend(struct opencl_kept *kept, struct opencl_channel *l, size_t bytes)
{
	struct opencl_kept *k = kept;
	cl_int code;
	while (k->user != NULL)
		k++;
	if (k->memory != NULL && k->bytes < bytes) {
		clReleaseMemObject(k->memory);
		k->memory = NULL;
	}
	if (k->memory == NULL)
		k->memory = clCreateBuffer(l->context->handle, CL_MEM_READ_WRITE, bytes, NULL, &code);
	if (k->memory == NULL)
		return opencl_failed(l->context, "clCreateBuffer", code);
	k->bytes = bytes;
	k->user = l;
	l->kept = k->memory;
	return STATUS_OK;
}

void opencl_kept_take_back(struct opencl_kept *kept, struct opencl_channel *l)
{
	struct opencl_kept *k = kept;
	if (l->kept == NULL)
		return;
	while (k->user != l)
		k++;
	k->user = NULL;
	l->kept = NULL;
}
