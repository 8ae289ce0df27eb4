/* A layer for the OpenCL loader (OPENCL_LAYERS=./opencl_layer.so) that makes calls fail, wait, or lie on demand.
 *
 * Settings are environment variables; several items are separated by commas. NAME is a function of the API or a class:
 * enqueue (all clEnqueue functions) or any. N counts the calls of NAME from 1.
 *
 *     FAULT_LOG=FILE             the proof (required): lines are appended to it
 *     FAULT_FAIL=NAME:N[:CODE[:MODE]]    the N-th call of NAME answers CODE (default -5, CL_OUT_OF_RESOURCES). MODE:
 *         once     (default) that call only
 *         sticky   that and every later call of NAME
 *         lost     that and from then on everything that a device must be there for
 *         late     enqueue functions only: the command is dropped but the call succeeds; every later wait for its
 *                  queue fails
 *     FAULT_DELAY=NAME:MS        every call of NAME begins with a pause of MS milliseconds
 *     FAULT_HOLD=NAME:FILE       every call of NAME waits until FILE exists (30 s at most)
 *     FAULT_HANG=NAME:N          the N-th call of NAME never returns
 *     FAULT_DIE=NAME:N:HOW       in the N-th call of NAME the driver takes the signals over and ends the process. HOW:
 *                                abort, exit (with 0), quit (_exit with 0) or crash
 *     FAULT_FLIP=N               one bit of what the N-th download brings is changed: a clEnqueueReadBuffer, or a
 *                                clEnqueueMapBuffer for reading
 *     FAULT_SKIP=NAME            clFlush or a clRelease function: every call succeeds without being passed on
 *     FAULT_LIE=WHAT             gpu (CPU devices say that they are GPUs), no-fp64, no-denormals, no-rounding (of f32
 *                                quotients and square roots)
 *     FAULT_DEVICE=D             enqueued commands count and fail only if they are for device D of their platform
 *                                (downloads and mappings: for any device)
 *
 * The log begins with "loaded" and has these lines, so that it tells the counts however the program ends:
 *
 *     call NAME N                a call began; before anything else happens to it
 *     done NAME N                one returned, after N had begun
 *     failed NAME N CODE         it is made to fail
 *     dropped NAME N             it is made to fail late
 *     holding NAME N             it has to wait for a file
 *     hung NAME N                it does not return
 *     died NAME N                it ends the process
 *     flipped NAME N SIZE        a bit in the middle of the SIZE bytes that it brought was changed
 *     overlap NAME N             it began while another thread was inside a call
 *     kept OBJECT 0 N            at the end the program had N references too many (or, below 0, too few)
 *     ended normally N           by exit, after N downloads
 *
 * With settings that make no sense the layer refuses to be loaded, and there is no log.
 *
 * Calls that give something back (release, finish, wait) are passed on before they fail: what the program does then
 * must not depend on what a real device would still be doing. */
#include "faults.h"

#include <CL/cl_icd.h>
#include <CL/cl_layer.h>
#include <stdlib.h>
#include <string.h>

/* Constant once the layer is loaded. */
static const struct _cl_icd_dispatch *next;
static struct _cl_icd_dispatch hooks;

static cl_int event_failure(cl_event event)
{
	cl_command_queue queue = NULL;
	if (next->clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof(cl_command_queue), &queue, NULL) != CL_SUCCESS)
		return CL_SUCCESS;
	return queue == NULL ? CL_SUCCESS : faults_of_queue(queue);
}

/* Whether commands of the queue are not looked at: it is another device's than the one that is meant. */
static bool is_left_alone(cl_command_queue queue)
{
	cl_device_id device;
	cl_platform_id platform;
	cl_device_id all[64];
	cl_uint count = 0;
	const int meant = faults_device();
	return meant >= 0 &&
	       next->clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, (void *)&device, NULL) ==
		       CL_SUCCESS &&
	       next->clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, (void *)&platform, NULL) ==
		       CL_SUCCESS &&
	       next->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 64, all, &count) == CL_SUCCESS &&
	       ((cl_uint)meant >= count || all[meant] != device);
}

/* Begins an enqueue. *pass: the command is to be passed on, else the code is the answer. */
static cl_int begin_enqueue(enum call call, cl_command_queue queue, bool blocking, cl_event *event, bool *pass)
{
	bool late;
	cl_int code = faults_begin_call(call, &late);
	*pass = false;
	if (code == CL_SUCCESS && blocking)
		code = faults_of_queue(queue);
	if (code == CL_SUCCESS) {
		*pass = true;
	} else if (late && !blocking) {
		faults_mark_queue(queue, code);
		code = event != NULL ? next->clEnqueueMarkerWithWaitList(queue, 0, NULL, event) : CL_SUCCESS;
	}
	return code;
}

/* --- The hooks
 * ------------------------------------------------------------------------------------------------------ */

/* A call that answers a code. */
#define HOOK_CODE(name, parameters, arguments)                        \
	static cl_int CL_API_CALL hook_##name parameters              \
	{                                                             \
		bool late;                                            \
		cl_int code = faults_begin_call(CALL_##name, &late);  \
		if (code == CL_SUCCESS && !faults_skips(CALL_##name)) \
			code = next->name arguments;                  \
		faults_end_call(CALL_##name);                         \
		return code;                                          \
	}

/* A call that gives an object back; it is passed on even if it is to fail. */
#define HOOK_RELEASE(name, object, parameters, arguments)                                          \
	static cl_int CL_API_CALL hook_##name parameters                                           \
	{                                                                                          \
		bool late;                                                                         \
		const cl_int failure = faults_begin_call(CALL_##name, &late);                      \
		const cl_int code = faults_skips(CALL_##name) ? CL_SUCCESS : next->name arguments; \
		if (code == CL_SUCCESS)                                                            \
			faults_count_object(object, -1);                                           \
		faults_end_call(CALL_##name);                                                      \
		return failure != CL_SUCCESS ? failure : code;                                     \
	}

/* A call that answers a handle; its last parameter is code_ret. */
#define HOOK_HANDLE(name, type, object, parameters, arguments)             \
	static type CL_API_CALL hook_##name parameters                     \
	{                                                                  \
		bool late;                                                 \
		type handle = NULL;                                        \
		const cl_int code = faults_begin_call(CALL_##name, &late); \
		if (code == CL_SUCCESS)                                    \
			handle = next->name arguments;                     \
		else if (code_ret != NULL)                                 \
			*code_ret = code;                                  \
		if (handle != NULL)                                        \
			faults_count_object(object, 1);                    \
		faults_end_call(CALL_##name);                              \
		return handle;                                             \
	}

/* A command; its parameters include queue and event. */
#define HOOK_ENQUEUE(name, blocking, parameters, arguments)                               \
	static cl_int CL_API_CALL hook_##name parameters                                  \
	{                                                                                 \
		bool pass = true;                                                         \
		const bool looks = !is_left_alone(queue);                                 \
		cl_int code = CL_SUCCESS;                                                 \
		if (looks)                                                                \
			code = begin_enqueue(CALL_##name, queue, blocking, event, &pass); \
		if (pass)                                                                 \
			code = next->name arguments;                                      \
		if (code == CL_SUCCESS && event != NULL)                                  \
			faults_count_object(OBJECT_EVENT, 1);                             \
		if (looks)                                                                \
			faults_end_call(CALL_##name);                                     \
		return code;                                                              \
	}

typedef void(CL_CALLBACK *context_notify)(const char *, const void *, size_t, void *);
typedef void(CL_CALLBACK *program_notify)(cl_program, void *);
typedef void(CL_CALLBACK *event_notify)(cl_event, cl_int, void *);

HOOK_CODE(clGetPlatformIDs, (cl_uint room, cl_platform_id *platforms, cl_uint *count), (room, platforms, count))
HOOK_CODE(clGetPlatformInfo,
	  (cl_platform_id platform, cl_platform_info what, size_t size, void *value, size_t *size_ret),
	  (platform, what, size, value, size_ret))
HOOK_HANDLE(clCreateContext, cl_context, OBJECT_CONTEXT,
	    (const cl_context_properties *properties, cl_uint count, const cl_device_id *devices, context_notify notify,
	     void *user, cl_int *code_ret),
	    (properties, count, devices, notify, user, code_ret))
HOOK_RELEASE(clReleaseContext, OBJECT_CONTEXT, (cl_context context), (context))
HOOK_HANDLE(clCreateCommandQueue, cl_command_queue, OBJECT_QUEUE,
	    (cl_context context, cl_device_id device, cl_command_queue_properties properties, cl_int *code_ret),
	    (context, device, properties, code_ret))
HOOK_HANDLE(clCreateCommandQueueWithProperties, cl_command_queue, OBJECT_QUEUE,
	    (cl_context context, cl_device_id device, const cl_queue_properties *properties, cl_int *code_ret),
	    (context, device, properties, code_ret))
HOOK_HANDLE(clCreateBuffer, cl_mem, OBJECT_BUFFER,
	    (cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *code_ret),
	    (context, flags, size, host, code_ret))
HOOK_HANDLE(clCreateSubBuffer, cl_mem, OBJECT_BUFFER,
	    (cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type, const void *info, cl_int *code_ret),
	    (buffer, flags, type, info, code_ret))
HOOK_RELEASE(clReleaseMemObject, OBJECT_BUFFER, (cl_mem buffer), (buffer))
HOOK_HANDLE(clCreateProgramWithSource, cl_program, OBJECT_PROGRAM,
	    (cl_context context, cl_uint count, const char **texts, const size_t *sizes, cl_int *code_ret),
	    (context, count, texts, sizes, code_ret))
HOOK_HANDLE(clCreateProgramWithBinary, cl_program, OBJECT_PROGRAM,
	    (cl_context context, cl_uint count, const cl_device_id *devices, const size_t *sizes,
	     const unsigned char **binaries, cl_int *codes, cl_int *code_ret),
	    (context, count, devices, sizes, binaries, codes, code_ret))
HOOK_CODE(clBuildProgram,
	  (cl_program program, cl_uint count, const cl_device_id *devices, const char *options, program_notify notify,
	   void *user),
	  (program, count, devices, options, notify, user))
HOOK_CODE(clGetProgramInfo, (cl_program program, cl_program_info what, size_t size, void *value, size_t *size_ret),
	  (program, what, size, value, size_ret))
HOOK_CODE(clGetProgramBuildInfo,
	  (cl_program program, cl_device_id device, cl_program_build_info what, size_t size, void *value,
	   size_t *size_ret),
	  (program, device, what, size, value, size_ret))
HOOK_RELEASE(clReleaseProgram, OBJECT_PROGRAM, (cl_program program), (program))
HOOK_HANDLE(clCreateKernel, cl_kernel, OBJECT_KERNEL, (cl_program program, const char *name, cl_int *code_ret),
	    (program, name, code_ret))
HOOK_CODE(clGetKernelWorkGroupInfo,
	  (cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what, size_t size, void *value,
	   size_t *size_ret),
	  (kernel, device, what, size, value, size_ret))
HOOK_CODE(clSetKernelArg, (cl_kernel kernel, cl_uint index, size_t size, const void *value),
	  (kernel, index, size, value))
HOOK_RELEASE(clReleaseKernel, OBJECT_KERNEL, (cl_kernel kernel), (kernel))
HOOK_ENQUEUE(clEnqueueNDRangeKernel, false,
	     (cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset, const size_t *global,
	      const size_t *local, cl_uint wait_count, const cl_event *wait, cl_event *event),
	     (queue, kernel, dimensions, offset, global, local, wait_count, wait, event))
HOOK_ENQUEUE(clEnqueueWriteBuffer, blocking == CL_TRUE,
	     (cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t size, const void *from,
	      cl_uint wait_count, const cl_event *wait, cl_event *event),
	     (queue, buffer, blocking, offset, size, from, wait_count, wait, event))
HOOK_ENQUEUE(clEnqueueCopyBuffer, false,
	     (cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset, size_t to_offset, size_t size,
	      cl_uint wait_count, const cl_event *wait, cl_event *event),
	     (queue, from, to, from_offset, to_offset, size, wait_count, wait, event))
HOOK_ENQUEUE(clEnqueueFillBuffer, false,
	     (cl_command_queue queue, cl_mem buffer, const void *pattern, size_t pattern_size, size_t offset,
	      size_t size, cl_uint wait_count, const cl_event *wait, cl_event *event),
	     (queue, buffer, pattern, pattern_size, offset, size, wait_count, wait, event))
HOOK_ENQUEUE(clEnqueueUnmapMemObject, false,
	     (cl_command_queue queue, cl_mem buffer, void *mapped, cl_uint wait_count, const cl_event *wait,
	      cl_event *event),
	     (queue, buffer, mapped, wait_count, wait, event))
HOOK_ENQUEUE(clEnqueueMarkerWithWaitList, false,
	     (cl_command_queue queue, cl_uint wait_count, const cl_event *wait, cl_event *event),
	     (queue, wait_count, wait, event))
HOOK_ENQUEUE(clEnqueueBarrierWithWaitList, false,
	     (cl_command_queue queue, cl_uint wait_count, const cl_event *wait, cl_event *event),
	     (queue, wait_count, wait, event))
HOOK_CODE(clFlush, (cl_command_queue queue), (queue))
HOOK_CODE(clGetEventProfilingInfo, (cl_event event, cl_profiling_info what, size_t size, void *value, size_t *size_ret),
	  (event, what, size, value, size_ret))
HOOK_RELEASE(clReleaseEvent, OBJECT_EVENT, (cl_event event), (event))

static cl_int CL_API_CALL hook_clRetainEvent(cl_event event)
{
	bool late;
	cl_int code = faults_begin_call(CALL_clRetainEvent, &late);
	if (code == CL_SUCCESS)
		code = next->clRetainEvent(event);
	if (code == CL_SUCCESS)
		faults_count_object(OBJECT_EVENT, 1);
	faults_end_call(CALL_clRetainEvent);
	return code;
}

/* Changes a bit in the middle of what a download brought, once it is there. */
static void flip(cl_command_queue queue, void *data, size_t size)
{
	if (next->clFinish(queue) == CL_SUCCESS)
		((unsigned char *)data)[size / 2] ^= 1;
}

static cl_int CL_API_CALL hook_clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
						   size_t offset, size_t size, void *to, cl_uint wait_count,
						   const cl_event *wait, cl_event *event)
{
	bool pass;
	cl_int code = begin_enqueue(CALL_clEnqueueReadBuffer, queue, blocking == CL_TRUE, event, &pass);
	const bool flips = faults_flips(CALL_clEnqueueReadBuffer, size);
	if (pass)
		code = next->clEnqueueReadBuffer(queue, buffer, blocking, offset, size, to, wait_count, wait, event);
	if (code == CL_SUCCESS && event != NULL)
		faults_count_object(OBJECT_EVENT, 1);
	if (pass && code == CL_SUCCESS && flips)
		flip(queue, to, size);
	faults_end_call(CALL_clEnqueueReadBuffer);
	return code;
}

/* A mapping must point somewhere, so one that fails late is passed on. */
static void *CL_API_CALL hook_clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
						 cl_map_flags flags, size_t offset, size_t size, cl_uint wait_count,
						 const cl_event *wait, cl_event *event, cl_int *code_ret)
{
	bool late;
	void *mapped = NULL;
	cl_int code = faults_begin_call(CALL_clEnqueueMapBuffer, &late);
	if (late && blocking == CL_FALSE) {
		faults_mark_queue(queue, code);
		code = CL_SUCCESS;
	}
	if (code == CL_SUCCESS && blocking == CL_TRUE)
		code = faults_of_queue(queue);
	if (code == CL_SUCCESS)
		mapped = next->clEnqueueMapBuffer(queue, buffer, blocking, flags, offset, size, wait_count, wait, event,
						  code_ret);
	else if (code_ret != NULL)
		*code_ret = code;
	if (mapped != NULL && event != NULL)
		faults_count_object(OBJECT_EVENT, 1);
	if ((flags & CL_MAP_READ) != 0 && faults_flips(CALL_clEnqueueMapBuffer, size) && mapped != NULL)
		flip(queue, mapped, size);
	faults_end_call(CALL_clEnqueueMapBuffer);
	return mapped;
}

static cl_int CL_API_CALL hook_clReleaseCommandQueue(cl_command_queue queue)
{
	bool late;
	const cl_int failure = faults_begin_call(CALL_clReleaseCommandQueue, &late);
	faults_forget_queue(queue);
	const cl_int code = next->clReleaseCommandQueue(queue);
	if (code == CL_SUCCESS)
		faults_count_object(OBJECT_QUEUE, -1);
	faults_end_call(CALL_clReleaseCommandQueue);
	return failure != CL_SUCCESS ? failure : code;
}

static cl_int CL_API_CALL hook_clFinish(cl_command_queue queue)
{
	bool late;
	cl_int failure = faults_begin_call(CALL_clFinish, &late);
	if (failure == CL_SUCCESS)
		failure = faults_of_queue(queue);
	const cl_int code = next->clFinish(queue);
	faults_end_call(CALL_clFinish);
	return failure != CL_SUCCESS ? failure : code;
}

static cl_int CL_API_CALL hook_clWaitForEvents(cl_uint count, const cl_event *events)
{
	bool late;
	cl_int failure = faults_begin_call(CALL_clWaitForEvents, &late);
	const cl_int code = next->clWaitForEvents(count, events);
	for (cl_uint i = 0; i < count && failure == CL_SUCCESS; i++) {
		if (event_failure(events[i]) != CL_SUCCESS)
			failure = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
	}
	faults_end_call(CALL_clWaitForEvents);
	return failure != CL_SUCCESS ? failure : code;
}

static cl_int CL_API_CALL hook_clGetEventInfo(cl_event event, cl_event_info what, size_t size, void *value,
					      size_t *size_ret)
{
	bool late;
	cl_int code = faults_begin_call(CALL_clGetEventInfo, &late);
	if (code == CL_SUCCESS)
		code = next->clGetEventInfo(event, what, size, value, size_ret);
	if (code == CL_SUCCESS && what == CL_EVENT_COMMAND_EXECUTION_STATUS && value != NULL) {
		const cl_int failure = event_failure(event);
		if (failure != CL_SUCCESS)
			*(cl_int *)value = failure;
	}
	faults_end_call(CALL_clGetEventInfo);
	return code;
}

/* The program's callback, which is to hear of a late failure. */
struct listener {
	event_notify notify;
	void *user;
	cl_int failure;
};

static void CL_CALLBACK tell_failure(cl_event event, cl_int status, void *context)
{
	struct listener *listener = context;
	(void)status;
	listener->notify(event, listener->failure, listener->user);
	free(listener);
}

static cl_int CL_API_CALL hook_clSetEventCallback(cl_event event, cl_int type, event_notify notify, void *user)
{
	bool late;
	cl_int code = faults_begin_call(CALL_clSetEventCallback, &late);
	const cl_int failure = event_failure(event);
	struct listener *listener = NULL;
	if (code == CL_SUCCESS && failure == CL_SUCCESS) {
		code = next->clSetEventCallback(event, type, notify, user);
	} else if (code == CL_SUCCESS) {
		listener = malloc(sizeof *listener);
		if (listener == NULL)
			abort();
		*listener = (struct listener){notify, user, failure};
		code = next->clSetEventCallback(event, CL_COMPLETE, tell_failure, listener);
		if (code != CL_SUCCESS)
			free(listener);
	}
	faults_end_call(CALL_clSetEventCallback);
	return code;
}

/* A CPU device that poses as a GPU is found as one, and not as a CPU. */
static cl_int CL_API_CALL hook_clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint room,
					      cl_device_id *devices, cl_uint *count)
{
	bool late;
	cl_int code = faults_begin_call(CALL_clGetDeviceIDs, &late);
	if (faults_lies()->gpu && type != CL_DEVICE_TYPE_ALL) {
		const cl_device_type true_type = type & ~(cl_device_type)(CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU);
		type = (type & CL_DEVICE_TYPE_GPU) != 0 ? true_type | CL_DEVICE_TYPE_CPU : true_type;
		if (type == 0 && code == CL_SUCCESS)
			code = CL_DEVICE_NOT_FOUND;
	}
	if (code == CL_SUCCESS)
		code = next->clGetDeviceIDs(platform, type, room, devices, count);
	faults_end_call(CALL_clGetDeviceIDs);
	return code;
}

static void lie(cl_device_info what, void *value)
{
	if (what == CL_DEVICE_TYPE && faults_lies()->gpu) {
		cl_device_type *type = value;
		if ((*type & CL_DEVICE_TYPE_CPU) != 0)
			*type = (*type & ~(cl_device_type)CL_DEVICE_TYPE_CPU) | CL_DEVICE_TYPE_GPU;
	} else if (what == CL_DEVICE_DOUBLE_FP_CONFIG && faults_lies()->no_fp64) {
		*(cl_device_fp_config *)value = 0;
	} else if ((what == CL_DEVICE_SINGLE_FP_CONFIG || what == CL_DEVICE_DOUBLE_FP_CONFIG) &&
		   faults_lies()->no_denormals) {
		*(cl_device_fp_config *)value &= ~(cl_device_fp_config)CL_FP_DENORM;
	} else if (what == CL_DEVICE_SINGLE_FP_CONFIG && faults_lies()->no_rounding) {
		*(cl_device_fp_config *)value &= ~(cl_device_fp_config)CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;
	}
}

static cl_int CL_API_CALL hook_clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void *value,
					       size_t *size_ret)
{
	bool late;
	cl_int code = faults_begin_call(CALL_clGetDeviceInfo, &late);
	if (code == CL_SUCCESS)
		code = next->clGetDeviceInfo(device, what, size, value, size_ret);
	if (code == CL_SUCCESS && value != NULL)
		lie(what, value);
	faults_end_call(CALL_clGetDeviceInfo);
	return code;
}

/* --- What the loader asks for
 * --------------------------------------------------------------------------------------- */

CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info what, size_t size, void *value, size_t *size_ret)
{
	static const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
	static const char name[] = "faults on demand";
	const void *answer = what == CL_LAYER_API_VERSION ? (const void *)&version : name;
	const size_t answer_size = what == CL_LAYER_API_VERSION ? sizeof version : sizeof name;
	if ((what != CL_LAYER_API_VERSION && what != CL_LAYER_NAME) || (value != NULL && size < answer_size))
		return CL_INVALID_VALUE;
	if (value != NULL)
		memcpy(value, answer, answer_size);
	if (size_ret != NULL)
		*size_ret = answer_size;
	return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint count, const cl_icd_dispatch *target, cl_uint *count_ret,
					    const cl_icd_dispatch **hooks_ret)
{
	if (count > sizeof hooks / sizeof(void *) || !faults_load())
		return CL_INVALID_VALUE;
	next = target;
	memcpy(&hooks, target, count * sizeof(void *));
#define SET_HOOK(name, kind) hooks.name = hook_##name;
	EACH_CALL(SET_HOOK)
	*count_ret = count;
	*hooks_ret = &hooks;
	return CL_SUCCESS;
}
