/* The first section of a state file, before the scan: its description, and its members. */
#ifndef PSCAN_STATE_HEAD_H
#define PSCAN_STATE_HEAD_H

#include "base/layout.h"
#include "base/status.h"

/* Counters over all runs of the scan. bytes: of input. records: of binary input; 0 for text. */
#define SAVED_COUNTERS(M, R) M(R, U64, runs) M(R, U64, bytes) M(R, U64, elements) M(R, U64, records)
/* The options that define the scan, and the seed with which it began. `options` has a line NAME TAB VALUE for each
 * option, or NAME alone if the option was not given. The lines are in one order, so that they can be compared. */
#define SAVED_OPTIONS(M, R) M(R, TEXT, options) M(R, U8, has_seed) M(R, TEXT, seed)
/* What earlier runs have found in the first lines of the input.
 *   names         what header_put_names (text/header.h) has appended: the header's names of the chosen fields, each
 *                 with a newline; an empty name for a field that was chosen by its name; a NUL byte for an unknown
 *                 name. If no field is chosen, the header's line of names. Empty: no header was read
 *   line_fields   if a range of fields has no end: the number of the table's last field, as find_last_field
 *                 (cli/find_table.h) finds it. Otherwise, or if no line was read yet, 0 */
#define SAVED_HEADER(M, R) M(R, TEXT, names) M(R, COUNT, line_fields)
/* A regular file that was seen, or the inflated bytes of a compressed one (inode 0). If a file is compressed after it
 * was seen, its bytes become those of the compressed one.
 *   name     its absolute name when it was seen
 *   taken    bytes of it that were read, from its beginning on; may be 0
 *   header   bytes of these that may be rewritten in place: an array's header, or those of --skip-bytes
 *   first    the hash of the first 4 KiB of the taken bytes after the header, or of all if they are fewer
 *   last     the hash of the last 4 KiB of these bytes, or of all if they are fewer
 *   starts   hashes of beginnings of these bytes, a byte for each (source_hash_starts): a shorter file for which one
 *            of them differs cannot be a part of these bytes
 *   whole    1: the file was read as a whole, as compressed files and arrays are; it must not grow */
#define SAVED_INPUT(M, R) \
	M(R, TEXT, name)  \
	M(R, U64, device) \
	M(R, U64, inode)  \
	M(R, COUNT, taken) M(R, COUNT, header) M(R, U64, first) M(R, U64, last) M(R, TEXT, starts) M(R, U8, whole)

RECORD(saved_counters, SAVED_COUNTERS)
RECORD(saved_options, SAVED_OPTIONS)
RECORD(saved_header, SAVED_HEADER)
RECORD(saved_input, SAVED_INPUT)

/* Appends this program's description of the section, a text: version, grid, byte order and layout (state.h). Failures
 * are recorded in p->failed. */
void state_head_put(struct pack *p);
/* Reads the description that a state file begins with, and compares it with this program's own, except for the version
 * of pscan. option: "--state" or "--show-state", and name: the file's from message_name, for messages. STATUS_USAGE
 * after a message if the grid or the layout differs, STATUS_SYSTEM after a message if memory is missing. If the bytes
 * end within the description, u->failed becomes true and STATUS_OK is returned, without a message. */
enum status state_head_read(struct unpack *u, const char *option, const char *name) MUST_CHECK;

#endif
