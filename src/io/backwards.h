/* Blocks of bytes that are written later, the last one first. The blocks wait in a temporary file; a few of them wait
 * in memory. */
#ifndef PSCAN_IO_BACKWARDS_H
#define PSCAN_IO_BACKWARDS_H

#include <stddef.h>

#include "base/status.h"
#include "io/sink.h"

struct backwards;

/* Begins without blocks. Call it before the sandbox is entered. The caller frees it with backwards_free. NULL after a
 * message if memory is missing. If the temporary file cannot be made, backwards_add reports it when it needs the
 * file. */
struct backwards *backwards_new(void);
/* Frees the blocks and the file. b may be NULL. */
void backwards_free(struct backwards *b);
/* Adds a block; its bytes are copied. STATUS_SYSTEM after a message; only backwards_free may follow. */
enum status backwards_add(struct backwards *b, const void *data, size_t size) MUST_CHECK;
/* Writes all blocks to the sink, the last one first. Only backwards_free may follow. STATUS_SYSTEM after a message. */
enum status backwards_write(struct backwards *b, struct sink *sink) MUST_CHECK;

#endif
