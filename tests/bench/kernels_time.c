/* The elements lie in pieces of one launch each, every piece in its own buffers, so that small launches find no more in
 * the device's caches than they would in the program. */
#include <stdio.h>
#include <string.h>

#include "kernels.h"
#include "base/memory.h"

#define LANES 3
/* How often the wall time with several launches under way goes over all the elements. */
#define PASSES 4

struct timed {
	struct runner *r;
	const struct timing *t;
	size_t piece_count;
	struct launch *pieces;
	unsigned char *totals, *prefixes; /* of one piece, for each channel */
	size_t states_bytes; /* of a piece */
	cl_command_queue profiled;
	cl_command_queue channels[LANES];
};

/* Seconds over all pieces. */
struct parts {
	double up_sweep, down_sweep, read, fold, write;
};

static bool make_piece(struct timed *d, struct launch *l, size_t first_byte)
{
	const size_t left = d->t->bytes - first_byte;
	const size_t bytes = left < d->t->launch_bytes ? left : d->t->launch_bytes;
	const unsigned char *in = d->t->in;
	l->count = (cl_uint)(bytes / d->r->row.in->size);
	l->in = runner_buffer(d->r, bytes);
	l->out = runner_buffer(d->r, bytes);
	l->states = runner_buffer(d->r, d->states_bytes);
	l->bad = runner_buffer(d->r, runner_tiles(l->count) * sizeof(cl_uint));
	return l->in != NULL && l->out != NULL && l->states != NULL && l->bad != NULL &&
	       runner_check(clEnqueueWriteBuffer(d->profiled, l->in, CL_TRUE, 0, bytes, in + first_byte, 0, NULL, NULL),
			    "clEnqueueWriteBuffer");
}

static void release(struct timed *d)
{
	for (size_t i = 0; i < d->piece_count && d->pieces != NULL; i++) {
		const cl_mem buffers[] = {d->pieces[i].in, d->pieces[i].out, d->pieces[i].states, d->pieces[i].bad};
		for (size_t j = 0; j < sizeof buffers / sizeof buffers[0]; j++) {
			if (buffers[j] != NULL)
				clReleaseMemObject(buffers[j]);
		}
	}
	for (size_t i = 0; i < LANES; i++) {
		if (d->channels[i] != NULL)
			clReleaseCommandQueue(d->channels[i]);
	}
	if (d->profiled != NULL)
		clReleaseCommandQueue(d->profiled);
	memory_free(d->pieces);
	memory_free(d->totals);
	memory_free(d->prefixes);
}

static bool prepare(struct timed *d)
{
	const struct timing *t = d->t;
	d->piece_count = (t->bytes + t->launch_bytes - 1) / t->launch_bytes;
	d->states_bytes = runner_tiles(t->launch_bytes / d->r->row.in->size) * d->r->row.code->state_size;
	d->pieces = memory_new(d->piece_count * sizeof *d->pieces);
	d->totals = memory_new(LANES * d->states_bytes);
	d->prefixes = memory_new(LANES * d->states_bytes);
	if (d->pieces == NULL || d->totals == NULL || d->prefixes == NULL)
		return false;
	memset(d->pieces, 0, d->piece_count * sizeof *d->pieces);
	d->profiled = runner_queue(d->r, true);
	if (d->profiled == NULL)
		return false;
	for (size_t i = 0; i < LANES; i++) {
		d->channels[i] = runner_queue(d->r, false);
		if (d->channels[i] == NULL)
			return false;
	}
	for (size_t i = 0; i < d->piece_count; i++) {
		if (!make_piece(d, &d->pieces[i], i * t->launch_bytes))
			return false;
	}
	return true;
}

/* One piece after the other, every command timed by the device, the fold by the host's clock. */
static bool run_apart(struct timed *d, struct parts *parts)
{
	union cursor cursor = {{0}};
	*parts = (struct parts){0};
	for (size_t i = 0; i < d->piece_count; i++) {
		const struct launch *l = &d->pieces[i];
		const size_t tiles = runner_tiles(l->count);
		const size_t bytes = tiles * d->r->row.code->state_size;
		cl_event up, read, write, down;
		if (!runner_begin_totals(d->r, d->profiled, l, &up) ||
		    !runner_check(
			    clEnqueueReadBuffer(d->profiled, l->states, CL_TRUE, 0, bytes, d->totals, 0, NULL, &read),
			    "clEnqueueReadBuffer"))
			return false;
		const double begin = bench_now();
		const bool has_carry = d->r->row.code->fold(&cursor, d->totals, tiles, d->prefixes);
		parts->fold += bench_now() - begin;
		if (!runner_check(clEnqueueWriteBuffer(d->profiled, l->states, CL_FALSE, 0, bytes, d->prefixes, 0, NULL,
						       &write),
				  "clEnqueueWriteBuffer") ||
		    !runner_begin_results(d->r, d->profiled, l, has_carry, &down) ||
		    !runner_check(clFinish(d->profiled), "clFinish"))
			return false;
		parts->up_sweep += runner_event_seconds(up);
		parts->read += runner_event_seconds(read);
		parts->write += runner_event_seconds(write);
		parts->down_sweep += runner_event_seconds(down);
	}
	return true;
}

/* Reads the totals of launch number i, folds them and begins the results. */
static bool fold_in_flight(struct timed *d, size_t i, union cursor *cursor)
{
	const struct launch *l = &d->pieces[i % d->piece_count];
	const size_t channel = i % LANES;
	const size_t tiles = runner_tiles(l->count);
	const size_t bytes = tiles * d->r->row.code->state_size;
	unsigned char *totals = d->totals + channel * d->states_bytes;
	unsigned char *prefixes = d->prefixes + channel * d->states_bytes;
	if (!runner_check(
		    clEnqueueReadBuffer(d->channels[channel], l->states, CL_TRUE, 0, bytes, totals, 0, NULL, NULL),
		    "clEnqueueReadBuffer"))
		return false;
	const bool has_carry = d->r->row.code->fold(cursor, totals, tiles, prefixes);
	return runner_check(clEnqueueWriteBuffer(d->channels[channel], l->states, CL_FALSE, 0, bytes, prefixes, 0, NULL,
						 NULL),
			    "clEnqueueWriteBuffer") &&
	       runner_begin_results(d->r, d->channels[channel], l, has_carry, NULL) &&
	       runner_check(clFlush(d->channels[channel]), "clFlush");
}

/* PASSES times over all pieces, LANES launches under way; *seconds for one pass. With fewer pieces than channels some
 * share their buffers: the times are right, the results are not. */
static bool run_in_flight(struct timed *d, double *seconds)
{
	union cursor cursor = {{0}};
	const size_t count = PASSES * d->piece_count;
	size_t begun = 0;
	const double begin = bench_now();
	for (size_t i = 0; i < count; i++) {
		for (; begun < count && begun < i + LANES; begun++) {
			cl_command_queue channel = d->channels[begun % LANES];
			if (!runner_check(clFinish(channel), "clFinish") ||
			    !runner_begin_totals(d->r, channel, &d->pieces[begun % d->piece_count], NULL) ||
			    !runner_check(clFlush(channel), "clFlush"))
				return false;
		}
		if (!fold_in_flight(d, i, &cursor))
			return false;
	}
	for (size_t i = 0; i < LANES; i++) {
		if (!runner_check(clFinish(d->channels[i]), "clFinish"))
			return false;
	}
	*seconds = (bench_now() - begin) / PASSES;
	return true;
}

/* Whether the results that are on the device are the host's. */
static bool results_match(struct timed *d)
{
	const struct timing *t = d->t;
	unsigned char *out = t->out;
	memset(out, 0xa5, t->bytes);
	for (size_t i = 0; i < d->piece_count; i++) {
		const struct launch *l = &d->pieces[i];
		if (!runner_check(clEnqueueReadBuffer(d->profiled, l->out, CL_TRUE, 0, l->count * d->r->row.acc->size,
						      out + i * t->launch_bytes, 0, NULL, NULL),
				  "clEnqueueReadBuffer"))
			return false;
	}
	if (memcmp(out, t->expected, t->bytes) == 0)
		return true;
	(void)fprintf(stderr, "kernels: %s of %s: not the bits of the host\n", d->r->row.op->text, d->r->row.in->name);
	return false;
}

static void print_row(const struct timed *d, const char *what, double *seconds)
{
	const struct timing *t = d->t;
	const double median = bench_median(seconds, t->runs);
	bench_print_label(&t->label);
	(void)printf("%s\t%s\t%zu\t%s\t%.9f\t%.1f\n", d->r->row.op->text, d->r->row.in->name, t->launch_bytes, what,
		     median, (double)t->bytes / median * 1e-9);
	(void)fflush(stdout);
}

/* Every part's median, and those of the sums of a run. */
static void print_parts(const struct timed *d, const struct parts *parts)
{
	static const char *const names[] = {"up-sweep", "down-sweep",     "kernels", "totals-read",
					    "fold",     "prefixes-write", "all"};
	double seconds[BENCH_RUNS_MAX];
	for (size_t what = 0; what < sizeof names / sizeof names[0]; what++) {
		for (size_t i = 0; i < d->t->runs; i++) {
			const struct parts *p = &parts[i];
			const double kernels = p->up_sweep + p->down_sweep;
			const double values[] = {p->up_sweep,
						 p->down_sweep,
						 kernels,
						 p->read,
						 p->fold,
						 p->write,
						 kernels + p->read + p->fold + p->write};
			seconds[i] = values[what];
		}
		print_row(d, names[what], seconds);
	}
}

bool kernels_time(struct runner *r, const struct timing *t)
{
	struct timed d = {.r = r, .t = t};
	struct parts parts[BENCH_RUNS_MAX];
	double seconds[BENCH_RUNS_MAX];
	bool good = prepare(&d);
	for (size_t i = 0; i < 2 && good; i++)
		good = run_apart(&d, &parts[0]);
	for (size_t i = 0; i < t->runs && good; i++)
		good = run_apart(&d, &parts[i]);
	good = good && results_match(&d);
	if (good)
		print_parts(&d, parts);
	for (size_t i = 0; i < t->runs && good; i++)
		good = run_in_flight(&d, &seconds[i]);
	if (good)
		print_row(&d, "in-flight", seconds);
	release(&d);
	return good;
}
