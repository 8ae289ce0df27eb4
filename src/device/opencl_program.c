/* A program's text is a prelude of macros, which specialise the kernels for the row and the device, followed by the
 * kernels' texts, which the build embeds in pscan. Every row has a program of its own. */
#include "device/opencl_program.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/message.h"
#include "device/build_log.h"
#include "number/convert.h"
#include "scan/kernel_text.h"
#include "scan/program.h"

/* The widest element or result that the GPU shape stages in local memory. */
#define STAGED_SIZE_MAX 8

static bool wants_gpu_shape(const struct opencl_device *d)
{
	const char *forced = getenv("PSCAN_SHAPE");
	if (forced != NULL && strcmp(forced, "gpu") == 0)
		return true;
	if (forced != NULL && strcmp(forced, "cpu") == 0)
		return false;
	return (d->type & CL_DEVICE_TYPE_CPU) == 0 && d->work_group_max >= GRID_TILE / GRID_RUN;
}

size_t opencl_program_kept_bytes(const struct row *row, size_t elements)
{
	const size_t tiles = (elements + GRID_TILE - 1) / GRID_TILE;
	return tiles * (GRID_TILE + GRID_TILE / GRID_RUN) * row->code->state_size;
}

/* Whether a row's up-sweep should keep its values for the down-sweep, for chunks of `elements` elements. */
static bool should_keep(bool gpu_shape, const struct opencl_device *d, const struct row *row, size_t elements)
{
	const struct program *p = row->op->program;
	return gpu_shape && p != NULL && p->is_dear && !row->checked && row->algorithm == ALGORITHM_BLELLOCH &&
	       opencl_program_kept_bytes(row, elements) <= d->memory_bytes / (4 * ENGINE_DEVICE_DEPTH);
}

void opencl_program_open(struct opencl_program *p, const struct opencl_device *d)
{
	const bool gpu = wants_gpu_shape(d);
	/* On a CPU the host's fold costs less than another kernel. A carry may be of f64, with the host's bits. */
	*p = (struct opencl_program){.shape = {.gpu = gpu, .folds = gpu && d->fp64 && d->bit_exact}};
}

/* Copies the compiler's log to `log`, cut after size - 1 bytes. The log is empty if the driver does not give it. */
static void read_build_log(const struct opencl_program *p, const struct opencl_device *d, char *log, size_t size)
{
	size_t whole = 0;
	log[0] = '\0';
	if (clGetProgramBuildInfo(p->program, d->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &whole) != CL_SUCCESS || whole == 0)
		return;
	char *text = memory_new(whole);
	if (text == NULL)
		return;
	if (clGetProgramBuildInfo(p->program, d->id, CL_PROGRAM_BUILD_LOG, whole, text, NULL) == CL_SUCCESS)
		(void)snprintf(log, size, "%.*s", (int)(whole < size ? whole : size - 1), text);
	memory_free(text);
}

/* Whether a tile of values of `size` bytes and the tree fit the device's local memory, padding included (group.h). */
static bool stage_fits(const struct opencl_device *d, const struct row *row, size_t size)
{
	const bool fills_vectors = (size & (size - 1)) == 0;
	const size_t stage = (GRID_TILE + GRID_TILE / 16) * size;
	const size_t tree = (GRID_TILE / GRID_RUN + GRID_TILE / GRID_RUN / 32) * row->code->state_size;
	return fills_vectors && size <= STAGED_SIZE_MAX && stage + tree + sizeof(cl_ulong) <= d->local_bytes;
}

/* Writes the macros for kernels/row_begin.h. Returns as snprintf does. */
static int write_facts(const struct row *row, char *text, size_t size)
{
	static const char *const results[] = {
		[RESULT_SAME] = "SAME", [RESULT_COUNT] = "COUNT", [RESULT_FLOAT] = "FLOAT"};
	const struct program *p = row->op->program;
	const struct scan_operator *op = p != NULL ? p->base : row->op;
	text[0] = '\0';
	if (op == NULL)
		return 0;
	return snprintf(
		text, size,
		"#define OP_INPUTS %zu\n#define OP_EMITS_INPUTS %d\n#define OP_PARAMETER %d\n#define OP_RESULT %s\n",
		op->inputs, op->emits_inputs, (int)op->parameter, results[op->result]);
}

/* Writes all macros that the kernels need. Returns as snprintf does. */
static int write_prelude(struct kernel_shape shape, const struct opencl_device *d, const struct row *row, char *text,
			 size_t size)
{
	char fits[160] = "1";
	char facts[160];
	char parameter[64] = "";
	const bool stages_elements = shape.gpu && row->element.count == 1 && stage_fits(d, row, row->in->size);
	/* Exclusive results are not staged: a run's first result may need the elements of the run before it, which
	 * staging would overwrite. */
	const bool stages_results = shape.gpu && !row->exclusive && stage_fits(d, row, row->results.size);
	const bool has_types = program_has_types(row->op->program);
	const bool in_step = !shape.gpu && (d->type & CL_DEVICE_TYPE_CPU) != 0 && !row->exclusive &&
			     row->algorithm == ALGORITHM_BLELLOCH;
	if (row->in->id != TYPE_I128)
		convert_fits_text(row->in, row->acc, fits, sizeof fits);
	/* A number that does not fit is an error and gives no result, but its conversion must still be defined in C. */
	const bool guarded = row->in->kind == KIND_FLOAT && row->acc->kind != KIND_FLOAT;
	const char *conversion = row->in->id == row->acc->id ? "(x)"
				 : guarded                   ? "(FITS(x) ? (ACC)(x) : (ACC)0)"
							     : "((ACC)(x))";
	if (row->op->parameter != PARAMETER_NONE)
		(void)snprintf(parameter, sizeof parameter, ", %a%s",
			       row->acc->id == TYPE_F32 ? (double)(float)row->parameter : row->parameter,
			       row->acc->id == TYPE_F32 ? "f" : "");
	const int facts_size = write_facts(row, facts, sizeof facts);
	assert(facts_size >= 0 && (size_t)facts_size < sizeof facts);
	return snprintf(text, size,
			"#line 1 \"prelude\"\n%s#define OP %s\n#define ACC %s\n#define ELEM %s\n"
			"#define INPUTS %zu\n#define EMITS_INPUTS %d\n#define EXCLUSIVE %d\n"
			"#define FITS(x) (%s)\n#define CONVERT(x) %s\n"
			"#define CHECKED %d\n#define CHECK_OVERFLOW %d\n#define SHAPE_GPU %d\n#define KEEPS "
			"%d\n#define IN_STEP %d\n"
			"#define STAGES_ELEMENTS %d\n#define STAGES_RESULTS %d\n#define HILLIS_STEELE %d\n#define "
			"GLOBAL __global\n#define PARAMETER_ARGUMENT %s\n"
			"#define NODES %s\n#define CURSOR_SIZE %zu\n%s"
			"#ifndef SIDE_BY_SIDE\n#define SIDE_BY_SIDE 0\n#endif\n",
			d->fp64 ? "#define PSCAN_FP64\n" : "", row->op->text, row->acc->name,
			has_types ? "pscan_element" : row->in->name, has_types ? 1 : row->element.count,
			row->op->emits_inputs, row->exclusive, fits, conversion, row->checked, row->overflow_checked,
			shape.gpu, shape.keeps, in_step, stages_elements, stages_results,
			row->algorithm == ALGORITHM_HILLIS_STEELE, parameter, shape.gpu ? "__local" : "__private",
			row->code->cursor_size, facts);
}

static bool is_name(const char *name, const char *const *names, size_t count)
{
	bool is = false;
	for (size_t i = 0; i < count && !is; i++)
		is = strcmp(name, names[i]) == 0;
	return is;
}

/* Whether a row's program includes this file of kernels/. Some files are for users' programs only, some also for the
 * fold, some for operators of the table only. A file of the library is for the operator that it is named after. */
static bool is_wanted(struct kernel_shape shape, const struct kernel_text *text, const struct row *row)
{
	static const char *const for_programs[] = {"program.h", "kept.h", "side_by_side.h", "cursor.cl"};
	static const char *const for_folds[] = {"cursor.h", "fold.cl"};
	static const char *const for_library[] = {"row_types.h", "row_begin.h", "row_end.h", KERNEL_LIBRARY "common.h",
						  KERNEL_LIBRARY "of_type.h"};
	const struct program *p = row->op->program;
	const bool of_table = p == NULL || p->base != NULL;
	const size_t folder = strlen(KERNEL_LIBRARY);
	const size_t size = strlen(row->op->text);
	if (is_name(text->name, for_programs, sizeof for_programs / sizeof for_programs[0]))
		return p != NULL;
	if (is_name(text->name, for_folds, sizeof for_folds / sizeof for_folds[0]))
		return p != NULL || shape.folds;
	if (is_name(text->name, for_library, sizeof for_library / sizeof for_library[0]))
		return of_table;
	if (strncmp(text->name, KERNEL_LIBRARY, folder) == 0)
		return of_table && strncmp(text->name + folder, row->op->text, size) == 0 &&
		       strcmp(text->name + folder + size, ".h") == 0;
	return true;
}

/* Users' programs may not call printf, which would write to standard output on a CPU. The compiler's message shows the
 * undefined name and so gives the reason. */
#define WITHOUT_PRINTF "#define printf printf_would_write_among_the_results\n"

/* Appends a user's program. It is the first text, so that no macro of the kernels is defined in it. */
static enum status append_program(const struct opencl_device *d, const struct row *row, struct bytes *source)
{
	const char *const rules = d->fp64 ? "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
					    "#pragma OPENCL FP_CONTRACT OFF\n" WITHOUT_PRINTF
					  : "#pragma OPENCL FP_CONTRACT OFF\n" WITHOUT_PRINTF;
	TRY(bytes_append(source, rules, strlen(rules)));
	return program_write(row->op->program, row->acc, source);
}

/* Appends the prelude and the kernels' texts. Each begins with a #line, so that a compiler's message names the file. */
static enum status append_kernels(struct kernel_shape shape, const struct opencl_device *d, const struct row *row,
				  struct bytes *source)
{
	char text[1536];
	const int size = write_prelude(shape, d, row, text, sizeof text);
	assert(size > 0 && (size_t)size < sizeof text);
	TRY(bytes_append(source, text, (size_t)size));
	for (size_t i = 0; i < kernel_text_count; i++) {
		if (!is_wanted(shape, &kernel_texts[i], row))
			continue;
		TRY(bytes_format(source, "#line 1 \"%s\"\n", kernel_texts[i].name));
		TRY(bytes_append(source, kernel_texts[i].text, kernel_texts[i].size));
	}
	return STATUS_OK;
}

enum status opencl_program_source(struct kernel_shape shape, const struct opencl_device *d, const struct row *row,
				  struct bytes *source)
{
	if (row->op->program != NULL)
		TRY(append_program(d, row, source));
	return append_kernels(shape, d, row, source);
}

/* Prints an error in a user's program in the form of compilers, FILE:LINE:COLUMN: WHY. Returns STATUS_USAGE. */
static enum status refuse_program(const struct program *p, const char *log, const struct bytes *source)
{
	const struct build_error e = build_log_read(log, (const char *)source->data, source->size);
	char text[MESSAGE_NAME_SIZE];
	(void)snprintf(text, sizeof text, "%.*s", (int)e.size, e.why);
	const char *shown = message_shown(e.size > 0 ? text : "the compiler does not say why it cannot compile it");
	const char *file = message_shown(e.part != NULL && strcmp(e.part, PROGRAM_FILE) != 0 ? e.part
					 : p->file != NULL                                   ? p->file
											     : PROGRAM_FILE);
	if (e.line > 0)
		return message_refuse("%s:%lu:%lu: %s", file, e.line, e.column, shown);
	return message_refuse("%s: %s", file, shown);
}

static enum status report_build_failure(const struct opencl_program *p, struct opencl_context *c, const struct row *row,
					const struct bytes *source, cl_int code)
{
	char log[1500];
	read_build_log(p, &c->device, log, sizeof log);
	message_verbose("build log: %s", message_shown(log));
	if (code == CL_BUILD_PROGRAM_FAILURE && row->op->program != NULL)
		return refuse_program(row->op->program, log, source);
	return opencl_failed(c, "clBuildProgram", code);
}

static enum status create_kernel(cl_program program, struct opencl_context *c, const char *name, cl_kernel *kernel)
{
	cl_int code;
	*kernel = clCreateKernel(program, name, &code);
	return *kernel != NULL ? STATUS_OK : opencl_failed(c, "clCreateKernel", code);
}

/* Creates the kernels of whole tiles. */
static enum status create_kernels(struct opencl_program *p, struct opencl_context *c, cl_program program)
{
	p->results = NULL;
	const enum status status = create_kernel(program, c, "scan_totals", &p->totals);
	return status == STATUS_OK ? create_kernel(program, c, "scan_results", &p->results) : status;
}

/* Compiles a program. quiet: keeps the compiler's own output off standard error, because a failure is expected here,
 * and the log has the whole output anyway. */
static cl_int build(cl_program program, const struct opencl_context *c, bool quiet)
{
	const char *options = c->device.divides_exactly ? "-cl-std=CL1.2 -w -cl-fp32-correctly-rounded-divide-sqrt"
							: "-cl-std=CL1.2 -w";
	const bool muted = quiet && message_mute_others();
	const cl_int code = clBuildProgram(program, 1, &c->device.id, options, NULL, NULL);
	message_unmute_others(muted);
	return code;
}

static enum status compile(struct opencl_program *p, struct opencl_context *c, const struct row *row,
			   const struct bytes *source)
{
	static const char *const calls[] = {[CURSOR_SEED] = "cursor_seed",
					    [CURSOR_FOLD] = "scan_fold",
					    [CURSOR_PUSH] = "cursor_push",
					    [CURSOR_PUSH_ALL] = "cursor_push",
					    [CURSOR_TRIPLES] = "cursor_triples"};
	cl_int code;
	const char *text = (const char *)source->data;
	p->program = clCreateProgramWithSource(c->handle, 1, &text, &source->size, &code);
	if (p->program == NULL)
		return opencl_failed(c, "clCreateProgramWithSource", code);
	code = build(p->program, c, c->is_trial);
	if (code != CL_SUCCESS)
		return report_build_failure(p, c, row, source, code);
	TRY(create_kernels(p, c, p->program));
	if (p->shape.folds)
		TRY(create_kernel(p->program, c, "scan_fold", &p->fold));
	for (size_t i = 0; i < CURSOR_CALLS && row->op->program != NULL; i++)
		TRY(create_kernel(p->program, c, calls[i], &p->calls[i]));
	return STATUS_OK;
}

/* Whether the device can run the built kernels in their shape. The GPU shape needs work-groups of 256 work-items. */
static bool shape_fits(const struct opencl_program *p, const struct opencl_device *d)
{
	size_t totals = 0;
	size_t results = 0;
	const size_t size = sizeof totals;
	if (!p->shape.gpu)
		return true;
	(void)clGetKernelWorkGroupInfo(p->totals, d->id, CL_KERNEL_WORK_GROUP_SIZE, size, &totals, NULL);
	(void)clGetKernelWorkGroupInfo(p->results, d->id, CL_KERNEL_WORK_GROUP_SIZE, size, &results, NULL);
	return totals >= GRID_TILE / GRID_RUN && results >= GRID_TILE / GRID_RUN;
}

/* Builds the row's program in the shape that *p has. */
static enum status assemble_and_compile(struct opencl_program *p, struct opencl_context *c, const struct row *row)
{
	struct bytes source = {0};
	enum status status = opencl_program_source(p->shape, &c->device, row, &source);
	if (status == STATUS_OK)
		status = compile(p, c, row, &source);
	bytes_free(&source);
	return status;
}

static void release_kernel(cl_kernel kernel)
{
	if (kernel != NULL)
		clReleaseKernel(kernel);
}

void opencl_program_close(struct opencl_program *p)
{
	release_kernel(p->results);
	release_kernel(p->totals);
	release_kernel(p->fold);
	for (size_t i = 0; i < CURSOR_CALLS; i++)
		release_kernel(p->calls[i]);
	if (p->program != NULL)
		clReleaseProgram(p->program);
	if (p->wide != NULL)
		clReleaseProgram(p->wide);
	*p = (struct opencl_program){.shape = p->shape};
}

enum status opencl_program_build(struct opencl_program *p, struct opencl_context *c, const struct row *row,
				 size_t elements)
{
	const size_t trees = row->algorithm == ALGORITHM_HILLIS_STEELE ? 2 : 1;
	const size_t nodes = GRID_TILE / GRID_RUN + GRID_TILE / GRID_RUN / 32;
	const bool has_more_states = row_tile_size(row) > row->code->state_size;
	/* Large states do not fit local memory. On a CPU, which has this shape in tests only, LLVM 15 crashes on some
	 * kernels with three states a tile. */
	if ((has_more_states && (c->device.type & CL_DEVICE_TYPE_CPU) != 0) ||
	    trees * nodes * row->code->state_size + sizeof(cl_ulong) > c->device.local_bytes)
		p->shape.gpu = false;
	p->shape.keeps = should_keep(p->shape.gpu, &c->device, row, elements);
	enum status status = assemble_and_compile(p, c, row);
	if (status == STATUS_OK && !shape_fits(p, &c->device)) {
		opencl_program_close(p);
		p->shape.gpu = p->shape.keeps = false;
		status = assemble_and_compile(p, c, row);
	}
	return status;
}

static void tell_side_by_side(const struct opencl_context *c, bool they_go)
{
	message_verbose("device %s: combine is %svectorised", c->label, they_go ? "" : "not ");
}

/* Builds the kernels of whole tiles from a source and puts them in place of p's. Changes nothing if the source does not
 * compile: a user's program may be valid for numbers but not for vectors. */
static enum status create_wide(struct opencl_program *p, struct opencl_context *c, const struct bytes *source)
{
	cl_int code;
	const char *text = (const char *)source->data;
	p->wide = clCreateProgramWithSource(c->handle, 1, &text, &source->size, &code);
	if (p->wide == NULL)
		return opencl_failed(c, "clCreateProgramWithSource", code);
	code = build(p->wide, c, true);
	if (code != CL_SUCCESS && code != CL_BUILD_PROGRAM_FAILURE)
		return opencl_failed(c, "clBuildProgram", code);
	tell_side_by_side(c, code == CL_SUCCESS);
	if (code != CL_SUCCESS)
		return STATUS_OK;
	clReleaseKernel(p->totals);
	clReleaseKernel(p->results);
	return create_kernels(p, c, p->wide);
}

enum status opencl_program_widen(struct opencl_program *p, struct opencl_context *c, const struct row *row)
{
	static const char defined[] = "#define SIDE_BY_SIDE 1\n";
	struct bytes source = {0};
	bool written = false;
	p->is_widened = true;
	if (p->shape.gpu)
		return STATUS_OK;
	if (row->checked || row->algorithm != ALGORITHM_BLELLOCH) {
		tell_side_by_side(c, false);
		return STATUS_OK;
	}
	enum status status = append_program(&c->device, row, &source);
	if (status == STATUS_OK)
		status = program_write_side_by_side(row->op->program, row->acc, &source, &written);
	if (status == STATUS_OK)
		status = bytes_append(&source, defined, strlen(defined));
	if (status == STATUS_OK)
		status = append_kernels(p->shape, &c->device, row, &source);
	if (status == STATUS_OK && written)
		status = create_wide(p, c, &source);
	else if (status == STATUS_OK)
		tell_side_by_side(c, false);
	bytes_free(&source);
	return status;
}
