/* Reads files of frames with a codec. Like the format's own tool, accepts several frames, skippable frames and
 * padding. */
#ifndef PSCAN_IO_FRAMES_H
#define PSCAN_IO_FRAMES_H

#include "io/filter.h"

/* The functions open, close, used, is_within and read of struct filter (filter.h), for formats with a codec. The caller
 * must set the reader's `filter` before the first frames_read. */
struct filter_reader *frames_reader_new(void);
void frames_reader_free(struct filter_reader *r);
uint64_t frames_reader_used(const struct filter_reader *r);
bool frames_reader_is_within(const struct filter_reader *r, uint64_t *begin);
enum filter_outcome frames_read(struct filter_reader *r, struct flow *io, bool at_end, uint64_t *offset,
				const char **what);

#endif
