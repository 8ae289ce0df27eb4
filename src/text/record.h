/* Where the input may be cut: after an element, a token or a line. */
#ifndef PSCAN_TEXT_RECORD_H
#define PSCAN_TEXT_RECORD_H

#include "text/line.h"
#include "text/quotes.h"
#include "text/rules.h"

/* How far a run of bytes that begins with a record was searched. All zero at first. */
struct record_search {
	size_t done; /* bytes that were searched; except in CSV they hold no end of a record */
	bool mid_line; /* set by the caller: the data begin within a line of numbers */
	size_t last; /* the end of the last record that ends within the limit, or 0 */
	size_t first; /* of the first that ends after it, or 0 */
	size_t line; /* CSV: where the line begins */
	struct quotes_place place; /* CSV: what the byte after done stands in */
};

/* Where to cut the `size` bytes of data: after the last record that ends within `limit` bytes. If none does, after the
 * first record; 0 if that one is not complete. A later call with more bytes of the same data and the same limit
 * continues where the search stopped. */
size_t record_cut(const struct record_format *format, struct record_search *search, const unsigned char *data,
		  size_t size, size_t limit);

/* Whether a cut can be found from the last bytes alone. */
bool record_ends_are_plain(const struct record_format *format);

/* Bytes of the byte order mark that data begins with: 3 or 0. */
size_t record_byte_order_mark(const unsigned char *data, size_t size);

/* How far a text was searched for its header and its first record. All zero at first. */
struct header_search {
	size_t done; /* bytes, whole lines */
	uint64_t lines; /* how many of these lines belong to the header */
	size_t last, last_size; /* where the last of these lines begins, and its bytes */
	bool is_closed; /* the line that was taken last has no open quote (CSV) */
	bool is_record; /* that line comes after the header, is not blank, and is not the header again */
};

/* Takes the text's next line that is no comment. whole: it must have its newline. False: there is no such line. */
bool record_next_line(const struct text_rules *rules, struct header_search *search, const unsigned char *data,
		      size_t size, bool whole, struct line *line);

/* The end of the text's header: rules->header_lines lines, not counting comments. 0: the data end before it. The search
 * continues where an earlier one with fewer bytes stopped. */
size_t record_header_end(const struct text_rules *rules, struct header_search *search, const unsigned char *data,
			 size_t size);

/* The end of the first record after the header, or of the header if no fields are chosen. 0: the data end before it.
 * The first record decides which field each name belongs to. */
size_t record_first_end(const struct text_rules *rules, struct header_search *search, const unsigned char *data,
			size_t size);

/* How many of the `size` bytes, which begin with a line, are complete lines. (A newline within the quotes of CSV does
 * not end a line.) */
size_t record_whole_lines(const struct text_rules *rules, const unsigned char *data, size_t size);

/* Whether a file with exactly this text has its header and no record. */
bool record_header_is_alone(const struct text_rules *rules, const unsigned char *data, size_t size);

#endif
