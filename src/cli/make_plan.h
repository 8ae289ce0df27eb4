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
	/* The block's first bytes that may be looked at: all, or with --whole-lines usually those of complete lines
	 * (source_whole_peeked). */
	size_t whole;
	const struct npy_array *array; /* The array that the files hold. NULL: they hold none. */
	bool is_unreadable; /* The first file cannot be read. Reading it will report why. */
	/* Fields of line 1 in the saved scan that this run continues (--state). 0: there is no such scan, or the number
	 * does not matter to it. */
	uint64_t line_fields;
	/* The fields that are texts in the saved scan (texts_put_list). NULL: there is no such scan, or it has read
	 * nothing that shows them. */
	const char *texts;
	/* The beginning of the first file that has a record, if fields may be texts (source_find_record). NULL: fields
	 * cannot be texts. */
	const unsigned char *record;
	size_t record_size; /* Bytes of it. */
	bool is_counted; /* `bytes` is known. */
	uint64_t bytes; /* Bytes of all files. */
};

/* Returns the number of worker threads that the options ask for. Call it only once in a run, because the number of
 * processors may change at any time. */
size_t plan_threads(const struct options *options);
/* Returns the number of slots (chunk/slot.h) for that many worker threads. */
size_t plan_slots(size_t threads);
/* Returns a source (source_new) of the options' files, from the file with index `first` on. The source stops when the
 * ring does (ring_stop_fd), and borrows the files' names. The caller ends the source with source_free. NULL after a
 * message; or, without a message, if ring is NULL. */
struct source *plan_source(const struct options *options, size_t first, const struct ring *ring);
/* Reads the source's first bytes and sets the members of *input to what they show, except line_fields and texts. *input
 * must be all zero. It borrows from the source up to the first source_fill. array: memory for input->array.
 * STATUS_DATA, STATUS_USAGE or STATUS_SYSTEM after a message; *input is then incomplete. */
enum status plan_look(const struct options *options, struct source *source, struct plan_input *input,
		      struct npy_array *array) MUST_CHECK;
/* Sets *plan from the options and the facts about the input, for `threads` worker threads. Call it once: operators of
 * options->scan.ops may become programs, which are then compiled. The plan borrows from the options. The caller ends
 * the plan with plan_free, also after a failure. STATUS_USAGE after a message if the options do not fit the input or
 * each other, STATUS_SYSTEM after a message if memory is missing. */
enum status plan_make(struct plan *plan, const struct options *options, size_t threads,
		      const struct plan_input *input) MUST_CHECK;

/* With -v, prints the format, the delimiter, the header and the types of the plan, whether options gave them or they
 * were found (tell_plan.c). "(found)" marks a header, or its absence, and a binary format that no option gave. JSON,
 * logfmt and --log have no line about a header. Call it only after plan_make has succeeded, and not if
 * input->is_unreadable. compression: the name of the input's compressed format, or NULL. */
void tell_plan(const struct plan *plan, const struct options *options, const struct plan_input *input,
	       const char *compression);
/* Frees the memory that the plan owns. The plan may be all zero. It is of no use afterwards. */
void plan_free(struct plan *plan);

#endif
