/* Where the input may be cut: after an element, a token or a line. */
#ifndef PSCAN_TEXT_RECORD_H
#define PSCAN_TEXT_RECORD_H

#include "text/line.h"
#include "text/quotes.h"
#include "text/rules.h"

/* The state of a search for a cut in data that begin with a record. All zero before the search. */
struct record_search {
	size_t done; /* Bytes that were searched. Except in CSV, no record ends in them. */
	bool mid_line; /* Set by the caller: the data begin within a line. Used if each token is a record. */
	size_t last; /* Bytes up to the end of the last record that ends within the limit. 0: not found yet. */
	size_t first; /* Bytes up to the end of the first record that ends after the limit. 0: not found yet. */
	size_t line; /* CSV: bytes before the current line. */
	struct quotes_state place; /* CSV: the state after the searched bytes. */
};

/* Returns the number of bytes to cut off the `size` bytes of data: up to the end of the last record that ends within
 * `limit` bytes. If none does, up to the end of the first record; a binary record must end within `limit` bytes. 0 if
 * no such record is complete. If each token is a record, but headers or comments pass as lines, the data are cut at the
 * end of a line if one ends within `limit` bytes. A later call with more bytes of these data and an equal limit
 * continues the search. */
size_t record_cut(const struct record_format *format, struct record_search *search, const unsigned char *data,
		  size_t size, size_t limit);

/* Whether a cut can be found by looking at the last bytes only. */
bool record_ends_are_plain(const struct record_format *format);

/* Returns the bytes of the byte order mark at the beginning of the data: 3 or 0. */
static inline size_t record_byte_order_mark(const void *data, size_t size)
{
	const unsigned char *bytes = data;
	return size >= 3 && bytes[0] == 0xef && bytes[1] == 0xbb && bytes[2] == 0xbf ? 3 : 0;
}

/* Returns the size of a header's last line, with which later lines are compared. 0 if all its fields are numbers,
 * because an equal line is then a record. */
size_t record_repeated_size(const struct text_rules *rules, const struct line *line);

/* Whether a line repeats a header's last line, the `size` bytes at `header`: the fields of the two lines are equal. The
 * line may begin with a byte order mark, and quotes and blanks around fields may differ. False if size is 0. */
bool record_repeats(const struct text_rules *rules, const struct line *line, const char *header, size_t size);

/* Which lines may repeat the header, or begin with a byte order mark: those whose first and last byte have a bit in
 * common. */
enum { ODD_HEADER = 1, ODD_MARKED = 2 };
struct odd_bytes {
	unsigned char first[256], last[256]; /* The bits of each byte: ODD_HEADER, ODD_MARKED. */
};

/* Sets *odd, which must be all zero, for a header's last line of `size` bytes (record_repeated_size). size 0: no line
 * repeats it. */
void record_look_at_header(const char *header, size_t size, struct odd_bytes *odd);

/* Whether a line may repeat the header or begin with a byte order mark. */
static inline bool record_may_be_odd(const struct odd_bytes *odd, const struct line *line)
{
	const unsigned char first = odd->first[(unsigned char)*line->start];
	return first != 0 && line->end > line->start && (first & odd->last[(unsigned char)line->end[-1]]) != 0;
}

/* The state of a search for a text's header and first record. All zero before the search. */
struct header_search {
	size_t done; /* Bytes that were searched: whole lines. */
	uint64_t lines; /* The number of header lines that were found. */
	size_t last, last_size; /* The last header line: bytes before it, and its bytes that later lines may repeat. */
	bool is_closed; /* The line taken last has no open quote (CSV). */
	bool is_record; /* The line taken last is after the header, is not blank, and does not repeat the header. */
};

/* Sets *line to the next line of `data`, from search->done on, that is not a comment, and moves *search past it. whole:
 * a line without its newline, or in CSV with an open quote, does not count. False if there is no such line; *line is
 * then undefined. A later call with more bytes of these data continues. */
bool record_next_line(const struct text_rules *rules, struct header_search *search, const unsigned char *data,
		      size_t size, bool whole, struct line *line);

/* Returns the bytes up to the end of the text's header: rules->header_lines lines, not counting comments. 0 if the data
 * end before the header's end, or if there is no header. A later call with more bytes continues the search. */
size_t record_header_end(const struct text_rules *rules, struct header_search *search, const unsigned char *data,
			 size_t size);

/* Returns the bytes up to the end of the first record after the header, or as record_header_end if no fields are
 * chosen. 0 if the data end before the record's end. A later call with more bytes continues the search. */
size_t record_first_end(const struct text_rules *rules, struct header_search *search, const unsigned char *data,
			size_t size);

/* Returns the number of bytes, of `size` bytes that begin with a line, that belong to complete lines. (In CSV a newline
 * within quotes does not end a line.) */
size_t record_whole_lines(const struct text_rules *rules, const unsigned char *data, size_t size);

/* Whether these `size` bytes, a whole file after its byte order mark, have all rules->header_lines lines of a header
 * (perhaps 0) and no record. Comments, blank lines and a repeated header are no records. */
bool record_header_is_alone(const struct text_rules *rules, const unsigned char *data, size_t size);

#endif
