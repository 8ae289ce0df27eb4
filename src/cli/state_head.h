/* The part of a state's file before the scan, for state.c and show_state.c. */
#ifndef PSCAN_CLI_STATE_HEAD_H
#define PSCAN_CLI_STATE_HEAD_H

#include "base/layout.h"
#include "base/status.h"

/* Counters over all runs: runs, bytes of input, elements, records of binary input. */
#define SAVED_COUNTERS(M) M(U64, runs) M(U64, bytes) M(U64, elements) M(U64, records)
/* The options that define the scan: lines of NAME TAB VALUE, or of NAME alone if the option was not given, always with
 * the same names in the same order. Then whether there is a seed, and the seed. */
#define SAVED_OPTIONS(M) M(TEXT, options) M(U8, has_seed) M(TEXT, seed)
/* The names of the fields that were chosen by number, each with a newline, as text/header.h gives them. Then how many
 * fields line 1 has, if a range of fields has no end, or 0. */
#define SAVED_HEADER(M) M(TEXT, names) M(COUNT, line_fields)
/* A regular file that was seen: its name at that time; how many of its bytes were read (may be 0); how many of these
 * are a header that may be rewritten in place (an array's, or --skip-bytes); the hashes of the first and the last 4 KiB
 * of the others; and whether it was read as a whole, as compressed files and arrays are. */
#define SAVED_INPUT(M) \
	M(TEXT, name)  \
	M(U64, device) \
	M(U64, inode) M(COUNT, taken) M(COUNT, header) M(U64, first) M(U64, last) M(U8, whole)

#define RECORD_NAME struct saved_counters
struct saved_counters {
	SAVED_COUNTERS(RECORD_FIELD)
};
static const struct layout_member saved_counters_members[] = {SAVED_COUNTERS(RECORD_MEMBER)};
static const struct layout saved_counters_layout = RECORD_LAYOUT(saved_counters);
#undef RECORD_NAME
#define RECORD_NAME struct saved_options
struct saved_options {
	SAVED_OPTIONS(RECORD_FIELD)
};
static const struct layout_member saved_options_members[] = {SAVED_OPTIONS(RECORD_MEMBER)};
static const struct layout saved_options_layout = RECORD_LAYOUT(saved_options);
#undef RECORD_NAME
#define RECORD_NAME struct saved_header
struct saved_header {
	SAVED_HEADER(RECORD_FIELD)
};
static const struct layout_member saved_header_members[] = {SAVED_HEADER(RECORD_MEMBER)};
static const struct layout saved_header_layout = RECORD_LAYOUT(saved_header);
#undef RECORD_NAME
#define RECORD_NAME struct saved_input
struct saved_input {
	SAVED_INPUT(RECORD_FIELD)
};
static const struct layout_member saved_input_members[] = {SAVED_INPUT(RECORD_MEMBER)};
static const struct layout saved_input_layout = RECORD_LAYOUT(saved_input);
#undef RECORD_NAME

/* Appends the words that describe this part: which pscan wrote it, its grid, its byte order, and its layout. */
void state_head_describe(struct pack *p);
/* Reads the words. STATUS_USAGE after a message with the file's name: another grid, or another layout. u->failed
 * becomes true if there are no such words. */
enum status state_head_take(struct unpack *u, const char *name) MUST_CHECK;

#endif
