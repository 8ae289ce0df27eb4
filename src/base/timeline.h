/* When each stage of each chunk was worked on: what --stats adds up and --trace draws. */
#ifndef PSCAN_BASE_TIMELINE_H
#define PSCAN_BASE_TIMELINE_H

#include <stdint.h>

/* The stages of a chunk's life, in their order. Upload and download happen on devices with memory of their own. */
enum stage {
	STAGE_READ,
	STAGE_DECODE,
	STAGE_UPLOAD,
	STAGE_UP_SWEEP,
	STAGE_FOLD,
	STAGE_DOWN_SWEEP,
	STAGE_DOWNLOAD,
	STAGE_ENCODE,
	STAGE_WRITE,
	STAGE_COUNT,
};

extern const char *const stage_names[STAGE_COUNT];

/* Work on one stage of one chunk, in nanoseconds of timeline_now_ns. All zero: there was none. */
struct span {
	uint64_t begin_ns, end_ns; /* of the first and the last piece of work */
	uint64_t busy_ns; /* all pieces together */
	unsigned thread; /* who did the last, as timeline_thread says; TIMELINE_DEVICE: a device */
};

#define TIMELINE_DEVICE UINT32_MAX

/* The monotonic clock. */
uint64_t timeline_now_ns(void);

/* Names the calling thread by a small number; threads that never did are 0. */
void timeline_set_thread(unsigned thread);
unsigned timeline_thread(void);

/* Adds a piece of work that began at begin_ns and ends now, by the calling thread. */
void span_add(struct span *s, uint64_t begin_ns);

#endif
