/* Which calls of OpenCL fail, wait or lie, as the settings in the environment say (opencl_layer.c lists them). All
 * functions may be called from any thread. */
#ifndef TESTS_FAULTS_H
#define TESTS_FAULTS_H

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdbool.h>

/* What kind of call it is decides which rules it falls under. */
enum kind {
	KIND_QUERY, /* needs no living device */
	KIND_MAKE, /* makes something on the device */
	KIND_ENQUEUE,
	KIND_WAIT,
	KIND_RELEASE,
};

#define EACH_CALL(X)                                     \
	X(clGetPlatformIDs, KIND_QUERY)                  \
	X(clGetPlatformInfo, KIND_QUERY)                 \
	X(clGetDeviceIDs, KIND_QUERY)                    \
	X(clGetDeviceInfo, KIND_QUERY)                   \
	X(clCreateContext, KIND_MAKE)                    \
	X(clReleaseContext, KIND_RELEASE)                \
	X(clCreateCommandQueue, KIND_MAKE)               \
	X(clCreateCommandQueueWithProperties, KIND_MAKE) \
	X(clReleaseCommandQueue, KIND_RELEASE)           \
	X(clCreateBuffer, KIND_MAKE)                     \
	X(clCreateSubBuffer, KIND_MAKE)                  \
	X(clReleaseMemObject, KIND_RELEASE)              \
	X(clCreateProgramWithSource, KIND_MAKE)          \
	X(clCreateProgramWithBinary, KIND_MAKE)          \
	X(clBuildProgram, KIND_MAKE)                     \
	X(clGetProgramInfo, KIND_QUERY)                  \
	X(clGetProgramBuildInfo, KIND_QUERY)             \
	X(clReleaseProgram, KIND_RELEASE)                \
	X(clCreateKernel, KIND_MAKE)                     \
	X(clGetKernelWorkGroupInfo, KIND_QUERY)          \
	X(clSetKernelArg, KIND_QUERY)                    \
	X(clReleaseKernel, KIND_RELEASE)                 \
	X(clEnqueueNDRangeKernel, KIND_ENQUEUE)          \
	X(clEnqueueReadBuffer, KIND_ENQUEUE)             \
	X(clEnqueueWriteBuffer, KIND_ENQUEUE)            \
	X(clEnqueueCopyBuffer, KIND_ENQUEUE)             \
	X(clEnqueueFillBuffer, KIND_ENQUEUE)             \
	X(clEnqueueMapBuffer, KIND_ENQUEUE)              \
	X(clEnqueueUnmapMemObject, KIND_ENQUEUE)         \
	X(clEnqueueMarkerWithWaitList, KIND_ENQUEUE)     \
	X(clEnqueueBarrierWithWaitList, KIND_ENQUEUE)    \
	X(clFlush, KIND_MAKE)                            \
	X(clFinish, KIND_WAIT)                           \
	X(clWaitForEvents, KIND_WAIT)                    \
	X(clGetEventInfo, KIND_QUERY)                    \
	X(clGetEventProfilingInfo, KIND_QUERY)           \
	X(clSetEventCallback, KIND_MAKE)                 \
	X(clRetainEvent, KIND_QUERY)                     \
	X(clReleaseEvent, KIND_RELEASE)

#define CALL_NUMBER(name, kind) CALL_##name,
enum call { EACH_CALL(CALL_NUMBER) CALL_COUNT };

/* Reads the settings and opens the log. False: they make no sense. Call it first, once. */
bool faults_load(void);

/* Every call begins with this: it is counted, logged, and waits if it has to. Returns the code that it must answer, or
 * CL_SUCCESS; *late: the answer is to come by way of its queue. */
cl_int faults_begin_call(enum call call, bool *late);
/* Every call ends with this. */
void faults_end_call(enum call call);

/* What a program has to give back. */
enum object { OBJECT_CONTEXT, OBJECT_QUEUE, OBJECT_BUFFER, OBJECT_PROGRAM, OBJECT_KERNEL, OBJECT_EVENT, OBJECT_COUNT };
/* The program has one reference more (1) or less (-1). */
void faults_count_object(enum object object, int change);

/* The call downloads: whether a bit of what arrives is to be changed. */
bool faults_flips(enum call call, size_t size);

/* The call is to succeed without being passed on. */
bool faults_skips(enum call call);

/* From now on all waiting for the queue fails. */
void faults_mark_queue(cl_command_queue queue, cl_int code);
/* What waiting for the queue must answer, or CL_SUCCESS. */
cl_int faults_of_queue(cl_command_queue queue);
/* The queue is released. */
void faults_forget_queue(cl_command_queue queue);

/* Which lies are told. */
struct lies {
	bool gpu, no_fp64, no_denormals, no_rounding;
};
const struct lies *faults_lies(void);

/* The number in its platform of the device whose commands are meant, or -1: all are. */
int faults_device(void);

#endif
