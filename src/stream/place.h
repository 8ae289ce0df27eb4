/* A place of the stream, as messages and others who count know it. */
#ifndef PSCAN_STREAM_PLACE_H
#define PSCAN_STREAM_PLACE_H

#include <stdint.h>

/* What is before it. The arrays have one of each of the plan's fields, and are the caller's. */
struct place {
	uint64_t lines; /* of its file */
	uint64_t *elements; /* of its file */
	uint64_t *taken; /* elements of all files */
};

#endif
