/* Bytes that are read from one buffer and put out into another, both from the front on. */
#ifndef PSCAN_IO_FLOW_H
#define PSCAN_IO_FLOW_H

#include <stddef.h>

/* What is left of both buffers; borrowed. */
struct flow {
	const unsigned char *in;
	size_t in_size;
	unsigned char *out;
	size_t out_size;
};

static inline void flow_move(struct flow *f, size_t used, size_t made)
{
	f->in += used;
	f->in_size -= used;
	f->out += made;
	f->out_size -= made;
}

#endif
