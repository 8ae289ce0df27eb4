/* A slot is one chunk's buffers. It has exactly one owner at any moment: source, a worker, the conductor or the sink; the
 * ring passes it on. Its memory is allocated once, by the owner that first needs it, and used again for later chunks. */
#ifndef PSCAN_SLOT_H
#define PSCAN_SLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decode.h"
#include "encode.h"
#include "memory.h"
#include "plan.h"
#include "problem.h"

struct slot {
	size_t lane; /* its number: which lane of an engine is its own. Constant */

	/* The source's part: the bytes of one file that the chunk is made of. */
	const unsigned char *data; /* in buffer or in map */
	size_t size;
	struct bytes buffer;
	void *map; /* a mapped window of the file, or NULL */
	size_t map_size;
	const char *file_name; /* for messages */
	bool file_start; /* the first chunk of its file */
	bool last; /* no chunk follows */
	struct problem source_problem; /* to be told after the chunk's results */

	/* The decoder's part. */
	unsigned version; /* of the reading that it was decoded with */
	unsigned char *elements; /* the chunk's own elements; before them there is room for a tile, unless borrowed */
	bool elements_borrowed; /* they are the source's bytes: read only, no room before */
	unsigned char *element_memory;
	struct decoded decoded;
	struct bytes marks; /* struct mark */
	struct bytes warnings; /* struct warning, of all parts */

	/* The conductor's part. */
	size_t head; /* elements before the chunk's own that are scanned again (conductor.c) */
	size_t count; /* results of the chunk's own elements to be written */
	unsigned char *results; /* head + count of them; room for one result before */
	unsigned char *result_memory;
	unsigned char *totals; /* of its tiles, and their carry-ins */
	unsigned char *carry_ins;
	struct result_format format; /* of the results */
	struct result before; /* the result before the chunk's first */
	uint64_t lines; /* in the chunk */
	uint64_t line_base; /* of the file, before the chunk */
	struct problem problem; /* the conductor's, to be told after the chunk's results */

	/* The encoder's part: bytes to write, in out or in results. */
	struct bytes out;
	const unsigned char *write_data; /* set by slot_encode */
	size_t write_size;
};

/* The greatest size of an element or result in any row of the run: 16 bytes where exact decimals may widen. */
size_t slot_element_max(const struct plan *plan);

/* Allocates what is missing of the slot's memory for elements, or for results and states. STATUS_SYSTEM after a message. */
enum status slot_need_elements(struct slot *s, const struct plan *plan) MUST_CHECK;
enum status slot_need_results(struct slot *s, const struct plan *plan) MUST_CHECK;

/* Decodes the slot's bytes from offset on, as reading says: sets decoded, elements and marks; appends to warnings.
 * first and limit are those of struct decode_target. STATUS_SYSTEM after a message. */
enum status slot_decode(struct slot *s, const struct plan *plan, const struct reading *reading, size_t offset,
			const union value *first, size_t limit) MUST_CHECK;

/* Copies borrowed elements to the slot's own memory (slot_need_elements first), where there is room for a tile before. */
void slot_own_elements(struct slot *s, const struct plan *plan);

/* Encodes the slot's results, behind what out already holds. STATUS_SYSTEM after a message. */
enum status slot_encode(struct slot *s, const struct plan *plan) MUST_CHECK;

void slot_free(struct slot *s);

#endif
