/* The plan of a run. */
#ifndef PSCAN_CLI_MAKE_PLAN_H
#define PSCAN_CLI_MAKE_PLAN_H

#include <stddef.h>

#include "base/status.h"
#include "chunk/plan.h"

struct options;
struct ring;
struct source;

/* The facts about the input that are known before it is read. Everything is borrowed. */
struct plan_input {
	const unsigned char *block; /* The input's first bytes. */
	size_t size; /* Bytes of the block. */
	size_t whole; /* Bytes of the block that belong to complete lines. */
	const struct npy_array *array; /* The array that the files hold. NULL: they hold none. */
	bool is_unreadable; /* The input cannot be read. Reading it will report why. */
	uint64_t line_fields; /* Fields of line 1 in the saved scan that this run continues (--state), or 0. */
	/* The fields that are texts in that scan (texts_put_list). NULL: there is no such scan, or it has read no
	 * record. */
	const char *texts;
	/* The beginning of the first file that has a record, if fields may be texts (source_find_record). */
	const unsigned char *record;
	size_t record_size;
	bool is_counted; /* `bytes` is known. */
	uint64_t bytes; /* Bytes of the input. */
};

/* Returns the number of worker threads that the options ask for. Call it only once in a run, because the number of
 * processors may change at any time. */
size_t plan_threads(const struct options *options);
/* Returns the number of slots (chunk/slot.h) for that many worker threads. */
size_t plan_slots(size_t threads);
/* Returns a source (source_new) of the options' files, from file `first` on, which ring_stop_fd stops. NULL after a
 * message, or if ring is NULL. */
struct source *plan_source(const struct options *options, size_t first, const struct ring *ring);
/* Reads the source's first bytes and sets *input to what they show, but not line_fields. array: memory for
 * input->array. After a failure *input is not complete: STATUS_DATA, STATUS_USAGE or STATUS_SYSTEM after a message. */
enum status plan_look(const struct options *options, struct source *source, struct plan_input *input,
		      struct npy_array *array) MUST_CHECK;
/* Sets *plan from the options and the facts about the input, for `threads` worker threads. The plan borrows strings of
 * the options. The caller ends it with plan_free, also after a failure. STATUS_USAGE after a message if the options do
 * not fit the input or each other, STATUS_SYSTEM after a message if memory is missing. */
enum status plan_make(struct plan *plan, const struct options *options, size_t threads,
		      const struct plan_input *input) MUST_CHECK;

/* Prints the facts that the options left open, as they were found out: the format, the delimiter, the header and the
 * types (tell_plan.c). compression: the name of the input's compressed format, or NULL. Prints nothing without -v. */
void tell_plan(const struct plan *plan, const struct options *options, const struct plan_input *input,
	       const char *compression);
/* Frees the memory that the plan owns. */
void plan_free(struct plan *plan);

#endif
