/* The kernels, specialised for a row and compiled for a device. Internal to the OpenCL engine.
 *
 * A program belongs to one engine. Only one thread at a time may call these functions. */
#ifndef PSCAN_DEVICE_OPENCL_PROGRAM_H
#define PSCAN_DEVICE_OPENCL_PROGRAM_H

#include "base/memory.h"
#include "device/engine.h"
#include "device/opencl.h"
#include "scan/row.h"

/* The form in which the kernels are compiled. */
struct kernel_shape {
	bool gpu; /* A work-group scans a tile. Otherwise a work-item does (the CPU shape). */
	bool keeps; /* The up-sweep keeps its values for the down-sweep, in memory that both get (kernels/kept.h). */
	bool folds; /* With the kernel that folds the tiles' totals (kernels/fold.cl). */
};

struct opencl_program {
	struct kernel_shape shape;
	cl_program program; /* Owned, like the kernels. NULL: nothing is built. */
	cl_kernel totals, results;
	cl_kernel fold; /* NULL unless the shape folds. */
	cl_kernel calls[CURSOR_CALLS]; /* The kernels of cursor calls. NULL unless the row is a user's program. */
	bool is_widened; /* opencl_program_widen was called. */
	/* The program of `totals` and `results`, if these do several runs side by side. Not used if it did not compile.
	 * Owned. May be NULL. */
	cl_program wide;
};

/* Makes *p a program that is not built, with the shape that suits the device or that PSCAN_SHAPE forces. */
void opencl_program_open(struct opencl_program *p, const struct opencl_device *d);

/* Builds the kernels for a row and for chunks of at most `elements` elements. *p must not be built. If the device
 * cannot run this row in the GPU shape, *p gets the CPU shape for good, also for later rows. *c and *row are borrowed
 * for the call. STATUS_DEVICE after opencl_failed (-v also prints the compiler's log). STATUS_USAGE after a message if
 * a user's program does not compile. STATUS_SYSTEM after a message if memory is missing. After a failure the caller
 * must still call opencl_program_close. */
enum status opencl_program_build(struct opencl_program *p, struct opencl_context *c, const struct row *row,
				 size_t elements) MUST_CHECK;

/* For a user's program: if *p has the CPU shape, replaces `totals` and `results` by kernels that do several runs side
 * by side (kernels/side_by_side.h), if these compile; otherwise they stay. Call it once, before the first whole tile.
 * Kernels of cursor calls may be under way. STATUS_DEVICE after opencl_failed; STATUS_SYSTEM after a message if memory
 * is missing. */
enum status opencl_program_widen(struct opencl_program *p, struct opencl_context *c, const struct row *row) MUST_CHECK;

/* Appends to *source the OpenCL C that is compiled for a row: a user's program, the macros that the kernels need
 * (names.h, grid.h, group.h, tile.h, scan.cl, fold.cl and cursor.cl list these macros), and the kernels. STATUS_SYSTEM
 * after a message if memory is missing. */
enum status opencl_program_source(struct kernel_shape shape, const struct opencl_device *d, const struct row *row,
				  struct bytes *source) MUST_CHECK;
/* Returns the bytes of device memory for the kept values of a chunk of `elements` elements. */
size_t opencl_program_kept_bytes(const struct row *row, size_t elements);

/* Releases everything that was built. *p keeps its shape and can be built again. No kernel of *p may be under way. */
void opencl_program_close(struct opencl_program *p);

#endif
