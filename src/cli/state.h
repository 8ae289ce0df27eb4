/* --state: a scan that begins where another one ended. The file (io/state_file.h) holds
 *
 *     u64     runs so far
 *     u64     bytes of input, u64 elements, u64 records of binary input, of all of them
 *     text    the options that say what the scan is: lines NAME TAB VALUE, always the same names in the same order
 *     u8      whether there is a seed; text: what it is
 *     count   how many inputs of the last run that did not have only empty files were regular files, 0 if not all were:
 *               text name, count size, count seconds, count nanoseconds of the last change, count place from which it was read
 *     ...     the scan:
 *               u8      whether results have begun
 *               u8      whether it is scans by key, segment or window
 *               u32     lanes: results of a record, but for programs of several
 *
 *     Of a plain scan each lane is
 *
 *               u8      type, u8 whether it is exact decimals, u8 their scale: of what is taken in
 *               count   elements since the grid began
 *               u8      whether there was an element or a seed, u8 whether a result was given, u8 the decimals of the last element
 *               u8      results, each:  u8 type, u8 whether it is an exact decimal, u8 its scale, u8 whether there is none, 16 bytes
 *               u8      not 0: a result does not fit, which counts if an element follows; text: what is said then
 *               text    the cursor (kernels/cursor.h), as the program has it in memory
 *
 *     and of others
 *
 *               of each lane:  u8 results, u8 the type of each, u8 whether they lie packed
 *               u8      whether resets go by records, u8 whether there are windows
 *               u32     keys, each a text, in the order in which they came:
 *                 if resets go by records:  count segments, u8 whether there was a record, 16 bytes its place, text, text: what
 *                 its resets go by, of the last record and of the last one with an element
 *                 of each lane:
 *                   u8    1: there was an element or a seed, 2: the last result does not fit, 4: there is room for a wide cursor
 *                   u8    0: of 64 bits or as the type says, 1: of 128 bits, 2: f64;  u8 scale;  u8 decimals of the last element
 *                   u8    the form of the last result (text/result.h), 16 bytes: the result
 *                   count segments begun, count elements, count elements that took no part
 *                   text  if results lie packed: the last ones
 *                   text  the cursor; or of a window (scan/window.h) count elements, count place in its block, u8 whether there is a
 *                         block before, u8 whether the prefix is not exact, count, count from where to where suffixes are not exact,
 *                         text the prefix's cursor, text states of elements, text elements as they were written, 17 bytes each
 *
 * where a count is as pack_count has it, a text is a count and so many bytes, and types are numbered as in number/type.h. What the
 * program has in memory is that of a machine whose words begin with their least byte: others cannot keep a state yet. */
#ifndef PSCAN_CLI_STATE_H
#define PSCAN_CLI_STATE_H

#include <stdbool.h>

#include "base/pack.h"
#include "base/status.h"
#include "cli/args.h"
#include "stream/plan.h"
#include "stream/stats.h"

struct state;

/* Takes the options' file, if one was named (else *state is NULL). From then on the seed is the one that the scan began with.
 * STATUS_USAGE after a message: it is no state, damaged, newer, or in use. */
enum status state_open(struct options *o, struct state **state) MUST_CHECK;
void state_free(struct state *s);

/* Whether there is a scan that is gone on from, of raw numbers. */
bool state_is_binary(const struct state *s);
/* Whether the inputs are the files of the last run, unchanged. */
bool state_has_inputs(const struct state *s);
/* Whether all inputs are regular files: what is interrupted there is done again as a whole. */
bool state_is_of_files(const struct state *s);
/* For the sandbox: what is to be renamed. */
const char *state_temporary(const struct state *s);

/* The plan is made. STATUS_USAGE after a message: the file is of another scan. */
enum status state_begin(struct state *s, const struct options *o, const struct plan *plan) MUST_CHECK;
/* Records of binary input before this run. */
uint64_t state_records(const struct state *s);
/* What the scan goes on from, or NULL; and where what it comes to goes. */
const struct unpack *state_saved(const struct state *s);
struct pack *state_next(struct state *s);

/* The run is over, its output complete, and there were so many records of binary input in all: the file is what state_next has. */
enum status state_keep(struct state *s, const struct stats *stats, uint64_t records) MUST_CHECK;

/* What a file holds, as text. STATUS_USAGE after a message: it is no state. */
enum status state_show(const char *path, struct bytes *text) MUST_CHECK;

#endif
