/* A scan of numbers in memory by one of the program's engines, as the program itself would do it: chunk by chunk,
 * up-sweep, fold, down-sweep, several chunks under way. Every function that returns bool prints what failed, or the
 * engine did. */
#ifndef PSCAN_TESTS_SCANNER_H
#define PSCAN_TESTS_SCANNER_H

#include "device/engine.h"

#define SCANNER_CHANNELS 3

struct scanner {
	struct engine *engine;
	size_t channel_count;
	size_t chunk; /* elements */
	size_t tiles; /* of a chunk */
	struct row row;
	unsigned char *states; /* for every channel the totals and the prefixes of a chunk */
	struct lane_work works[SCANNER_CHANNELS];
	union cursor cursor;
};

/* What a scanner is for. */
struct scanner_need {
	const char *device; /* "none" or a SPEC of the program */
	size_t chunk; /* elements, at most; whole tiles, unless all there is is one chunk */
	size_t element_max; /* bytes of the largest element or result */
	bool profile; /* of a device: when it did what; then one chunk is under way at a time */
};

/* Opens a scanner; scanner_close is due whatever it returns. */
bool scanner_open(struct scanner *s, const struct scanner_need *need);
void scanner_close(struct scanner *s);

/* What the next scans compute. *row is copied; of a program only on a device. */
bool scanner_set_row(struct scanner *s, const struct row *row);

/* The same for a program of a file, with the types that it declares. p is borrowed until another row is set. */
bool scanner_set_program(struct scanner *s, const struct program *p);

/* Scans count elements from the beginning of a stream; of a program whole tiles, or less than one, which goes into the
 * cursor as it does at the end of a stream. spans, STAGE_COUNT of them, or NULL: when the device did the last chunk. */
bool scanner_scan(struct scanner *s, const void *in, size_t count, void *out, struct span *spans);

#endif
