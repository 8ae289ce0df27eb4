/* The first section of a state file, before the scan: its description, and its members. */
#ifndef PSCAN_CLI_STATE_HEAD_H
#define PSCAN_CLI_STATE_HEAD_H

#include "base/layout.h"
#include "base/status.h"

/* Counters over all runs of the scan. bytes: of input. records: of binary input; 0 for text. */
#define SAVED_COUNTERS(M) M(U64, runs) M(U64, bytes) M(U64, elements) M(U64, records)
/* The options that define the scan, and the seed with which it began. `options` has a line NAME TAB VALUE for each
 * option, or NAME alone if the option was not given. Every file has the lines of all these options, in one order. */
#define SAVED_OPTIONS(M) M(TEXT, options) M(U8, has_seed) M(TEXT, seed)
/* names: the header's names of the chosen fields, each with a newline, as header_put_names (text/header.h) writes them.
 * line_fields: the number of fields of line 1 if a range of fields has no end, otherwise 0. */
#define SAVED_HEADER(M) M(TEXT, names) M(COUNT, line_fields)
/* A regular file that was seen, or the inflated bytes of a compressed one (inode 0).
 *   name     its absolute name when it was seen
 *   taken    bytes of it that were read, from its beginning on; may be 0
 *   header   bytes of these that may be rewritten in place: an array's header, or those of --skip-bytes
 *   first    the hash of the first 4 KiB of the taken bytes after the header, or of all if they are fewer
 *   last     the hash of the last 4 KiB of these bytes, or of all if they are fewer
 *   whole    1: the file was read as a whole, as compressed files and arrays are; it must not grow */
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

/* Appends this program's description of the section: version, grid, byte order and layout (state.h). Failures are
 * recorded in p->failed. */
void state_head_describe(struct pack *p);
/* Reads the description that a file has and compares it with this program's own. name: the file's, for messages.
 * STATUS_USAGE after a message if the grid or the layout differs, STATUS_SYSTEM after a message if memory is missing.
 * u->failed becomes true, without a message, if the bytes are not a description. */
enum status state_head_take(struct unpack *u, const char *name) MUST_CHECK;

#endif
