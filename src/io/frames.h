/* Reads files of frames with a codec. Like the format's own tool, accepts several frames, skippable frames and
 * padding. */
#ifndef PSCAN_IO_FRAMES_H
#define PSCAN_IO_FRAMES_H

#include "io/filter.h"

/* The functions open, close and read of struct filter (filter.h), for formats with a codec. The caller must
 * set the reader's `filter` before the first frames_read. */
struct filter_reader *frames_reader_new(void);
void frames_reader_free(struct filter_reader *r);
enum filter_outcome frames_read(struct filter_reader *r, struct flow *io, bool at_end, const char **what);

#endif
