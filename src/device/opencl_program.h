/* The kernels, specialised for a row and compiled for a device. Internal to the OpenCL engine.
 *
 * A program belongs to one engine; its calls come from one thread at a time, as the engine's do. */
#ifndef PSCAN_DEVICE_OPENCL_PROGRAM_H
#define PSCAN_DEVICE_OPENCL_PROGRAM_H

#include "base/memory.h"
#include "device/engine.h"
#include "device/opencl.h"
#include "scan/row.h"

/* Which of the kernels' forms is compiled. */
struct kernel_shape {
	bool gpu; /* a work-group a tile, else a work-item */
	/* the up-sweep keeps what it combines for the down-sweep (kernels/kept.h): both get memory for it */
	bool keeps;
};

struct opencl_program {
	struct kernel_shape shape;
	cl_program program; /* this and the kernels are owned; NULL: nothing is built */
	cl_kernel totals, results;
	cl_kernel take[CURSOR_CALLS]; /* one a cursor call; of rows of programs */
	/* Of a user's program in the CPU shape: the kernels of whole tiles, once these were asked for. */
	bool is_widened;
	cl_program wide; /* owned, or NULL: totals and results are program's */
};

/* Makes *p a program that is not built, of the shape that suits the device (or that PSCAN_SHAPE forces). Cannot
 * fail. */
void opencl_program_open(struct opencl_program *p, const struct opencl_device *d);

/* Builds the kernels for a row, for chunks of at most so many elements; nothing may be built in *p. A device that
 * cannot run the GPU shape gets the CPU shape, from then on. *c and *row are borrowed for the call; c->handle must
 * outlive what was built. STATUS_DEVICE, reported as opencl_failed says (--verbose prints the compiler's log),
 * STATUS_USAGE after a message if a user's program does not compile, or STATUS_SYSTEM after one: opencl_program_close
 * is still due. */
enum status opencl_program_build(struct opencl_program *p, struct opencl_context *c, const struct row *row,
				 size_t elements) MUST_CHECK;

/* Before the first whole tile of a user's program: its kernels are replaced by those that do runs side by side, if
 * there can be some (kernels/side_by_side.h). Kernels of it may be under way. STATUS_SYSTEM after a message. */
enum status opencl_program_widen(struct opencl_program *p, struct opencl_context *c, const struct row *row) MUST_CHECK;

/* Appends the text that is compiled: a user's program, everything that the kernels want defined (as names.h, grid.h,
 * group.h, tile.h, scan.cl and cursor.cl list it), and the kernels. STATUS_SYSTEM after a message. */
enum status opencl_program_source(struct kernel_shape shape, const struct opencl_device *d, const struct row *row,
				  struct bytes *source) MUST_CHECK;

/* Whether a row's kernels should keep what they combine, in chunks of so many elements; and the bytes that those
 * take. */
bool opencl_program_should_keep(bool gpu_shape, const struct opencl_device *d, const struct row *row, size_t elements);
size_t opencl_program_kept_bytes(const struct row *row, size_t elements);

/* Releases what was built, if anything; *p keeps its shape and can be built again. No kernel of it may be under way. */
void opencl_program_close(struct opencl_program *p);

#endif
