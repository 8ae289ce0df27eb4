/* Finds out from the first block of text what the options leave open: how lines are cut into fields, and whether the
 * first one is a header. */
#ifndef PSCAN_CLI_FIND_TABLE_H
#define PSCAN_CLI_FIND_TABLE_H

#include <stddef.h>

#include "base/status.h"
#include "stream/plan.h"
#include "text/line.h"

struct options;

/* Completes plan->format.text's cut, delimiter and header_lines. STATUS_USAGE after a message: it is not clear whether
 * there is a header, or no field was chosen. */
enum status find_table(struct plan *plan, const struct options *o, const unsigned char *block, size_t size) MUST_CHECK;

/* Sets *line to line 1: the header's line of names, or without a header the first line that is not blank, as far as the
 * block holds it. *whole: it holds its end. False: the line does not begin in the block. */
bool find_first_line(const struct text_rules *rules, const unsigned char *block, size_t size, struct line *line,
		     bool *whole);
/* The number of fields of the block's first line, or of its header's. 0: the block does not hold that line whole. */
uint64_t find_field_count(const struct text_rules *rules, const unsigned char *block, size_t size);
/* As find_field_count, for the first record after the header. */
uint64_t find_record_size(const struct text_rules *rules, const unsigned char *block, size_t size);
/* Sets *last to the last field to which a name of the header belongs, according to the first record (names_place). If
 * the block does not hold both, it is the last field of the block's first line. 0: the block does not hold that line
 * whole, or, if *name_count is above 0, the names do not line up with the record's *field_count fields. STATUS_SYSTEM
 * after a message: no memory. */
enum status find_last_field(const struct text_rules *rules, const unsigned char *block, size_t size, uint64_t *last,
			    uint64_t *field_count, uint64_t *name_count) MUST_CHECK;
/* Whether the header has a field of that name; false as well if the block does not hold its line of names whole. */
bool find_name(const struct text_rules *rules, const unsigned char *block, size_t size, const char *name);

#endif
