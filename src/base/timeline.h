/* The times at which threads worked on each stage of each chunk, for --stats and --trace. */
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

/* The name of each stage, as --stats and --trace show it. */
extern const char *const stage_names[STAGE_COUNT];

/* The work on one stage of one chunk, perhaps in several pieces. Times are in nanoseconds of timeline_now_ns. All zero:
 * no work. */
struct span {
	uint64_t begin_ns, end_ns; /* The begin of the first piece and the end of the last. */
	uint64_t busy_ns; /* The sum of all pieces' durations. */
	unsigned thread; /* The thread that did the last piece (timeline_set_thread). TIMELINE_DEVICE: a device did. */
};

#define TIMELINE_DEVICE UINT32_MAX

/* Returns the time of the monotonic clock in nanoseconds. */
uint64_t timeline_now_ns(void);

/* Sets the calling thread's number, which is 0 until then. */
void timeline_set_thread(unsigned thread);

/* Adds to *s a piece of work that the calling thread began at begin_ns and ends now. One thread at a time for each
 * *s. */
void span_add(struct span *s, uint64_t begin_ns);

#endif
