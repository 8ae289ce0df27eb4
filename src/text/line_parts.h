/* What the files of line.h share. Nobody else includes this. */
#ifndef PSCAN_TEXT_LINE_PARTS_H
#define PSCAN_TEXT_LINE_PARTS_H

#include "text/line.h"

static inline bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static inline void set_absent(const struct line *line, uint64_t count, struct field *f)
{
	*f = (struct field){.start = line->end, .token = line->end, .absent = true, .absent_count = count};
}

/* line_blanks.c */

/* The field that begins after the blanks at p. False: there is none. */
bool line_next_by_blanks(const struct line *line, const char *p, struct field *f);
/* line_find_field between runs of blanks. */
void line_find_by_blanks(const struct line *line, uint64_t number, struct field *f);
/* The same of a short line's fields that were not passed. */
void line_find_in_short(const struct line *line, struct short_line *s, uint64_t number, struct field *f);

#endif
