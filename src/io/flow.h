/* Bytes that are read from one buffer and put out into another, both from the front on. */
#ifndef PSCAN_IO_FLOW_H
#define PSCAN_IO_FLOW_H

#include <stddef.h>

/* The rest of both buffers. Borrowed. */
struct flow {
	const unsigned char *in; /* The bytes that were not read yet. */
	size_t in_size;
	unsigned char *out; /* The room that was not filled yet. */
	size_t out_size;
};

/* Moves *f past `used` bytes of input and `made` bytes of output. */
static inline void flow_move(struct flow *f, size_t used, size_t made)
{
	f->in += used;
	f->in_size -= used;
	f->out += made;
	f->out_size -= made;
}

#endif
