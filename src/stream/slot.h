/* A slot is one chunk's buffers. It has exactly one owner at any moment: source, a worker, the conductor or the sink;
 * the ring passes it on. Its memory is allocated once, by the owner that first needs it, and used again for later
 * chunks; when a device takes the stream, slots go over to memory that the device reads and writes fastest. */
#ifndef PSCAN_STREAM_SLOT_H
#define PSCAN_STREAM_SLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/problem.h"
#include "base/timeline.h"
#include "device/engine.h"
#include "io/input.h"
#include "stream/plan.h"
#include "text/decode.h"
#include "text/encode.h"
#include "text/header.h"

struct slot {
	size_t channel; /* its number: which channel of an engine is its own. Constant */

	/* Where its elements and results are: memory of its own, or of an engine's channel. Changed by whoever
	 * has the slot. */
	size_t capacity; /* elements that fit: whole tiles (binary), or bytes of text */
	unsigned char *element_memory, *result_memory;
	bool elements_borrowed, results_borrowed;
	bool abandoned; /* a device that was given up may still use what it had; nothing is borrowed any more */
	bool elements_left; /* the elements' memory was changed for that reason */
	unsigned char
		*abandoned_memory[4]; /* of results, totals, carry-ins, elements: freed when the device is closed */

	/* The source's part: the bytes of one file that the chunk is made of. */
	const unsigned char *data;
	size_t size;
	struct input *input; /* data is still to be read from here (input_read_at), or NULL */
	uint64_t offset;
	struct bytes buffer; /* of text */
	const char *file_name; /* for messages */
	bool file_start; /* the first chunk of its file */
	const struct header *header; /* of the stream; read only, and only if some chunk's is whole */
	uint64_t field; /* of the lines, 0: every token is a number */
	uint64_t header_lines; /* at the start of the chunk */
	bool mid_line; /* the chunk begins within a line */
	bool header_whole; /* the file has as many as it should */
	uint64_t dropped_lines; /* of the header: an earlier file had them */
	bool last; /* no chunk follows */
	uint64_t bytes_left; /* of the file after the chunk, as far as that is known, else 0 */
	uint64_t number; /* of the chunk in the stream, from 0 */
	struct problem source_problem; /* to be reported after the chunk's results */

	/* The decoder's part. */
	unsigned version; /* of the reading that it was decoded with */
	unsigned char *elements; /* decoded.count of them */
	struct decoded decoded;
	struct bytes scales; /* of the elements, a byte each, or empty (struct decode_target) */
	struct bytes marks; /* struct mark */
	struct bytes edits; /* struct edit */
	size_t part_offset; /* of the bytes that were decoded last */
	bool has_byte_order_mark; /* before data */
	struct bytes warnings; /* struct warning, of all parts */

	/* The conductor's part. */
	size_t count; /* results of the chunk, or of its last part, to be written */
	uint64_t result_count; /* of all its parts */
	unsigned char *results; /* room for one result before */
	unsigned char *totals; /* of its tiles, and their carry-ins; state_capacity tiles of each */
	unsigned char *carry_ins;
	size_t state_capacity;
	bool totals_known; /* as if the chunk began at a tile's edge, by whoever decoded it */
	struct result_format format; /* of the results */
	size_t absent; /* struct encode_part's */
	unsigned scale_before; /* struct encode_part's */
	struct result before; /* the result before the chunk's first */
	bool has_initial; /* the stream begins with it, after the header */
	struct result initial;
	uint64_t lines; /* in the chunk */
	uint64_t line_base; /* of the file, before the chunk */
	struct problem problem; /* the conductor's, to be reported after the chunk's results */

	/* The encoder's part: bytes to write, in out or in results. */
	struct bytes out;
	const unsigned char *write_data; /* set by slot_encode */
	size_t write_size;
	uint64_t write_offset; /* in the output, if it is written in place */
	bool written; /* it is, without a failure */

	struct span spans[STAGE_COUNT];
	bool scanned_on_device;
};

/* The greatest size of an element or result in any row of the run: 16 bytes where exact decimals may widen. */
size_t slot_element_max(const struct plan *plan);

/* Uses an engine's memory for chunks of capacity elements from now on. The slot must be free. */
void slot_borrow_memory(struct slot *s, const struct channel_memory *memory, size_t capacity);
/* A device may still use the slot's memory: what it writes to is left to it until slot_free, the elements from the next
 * ones on. */
void slot_abandon_results(struct slot *s);
/* Allocates what is missing of the slot's memory for elements, or for results and states. STATUS_SYSTEM after a
 * message. */
enum status slot_need_elements(struct slot *s, const struct plan *plan) MUST_CHECK;
enum status slot_need_results(struct slot *s, const struct plan *plan) MUST_CHECK;
enum status slot_need_states(struct slot *s) MUST_CHECK;
/* Reads what the source left to be read. What goes wrong ends the chunk and becomes source_problem. STATUS_SYSTEM after
 * a message: no memory. */
enum status slot_load(struct slot *s, const struct plan *plan) MUST_CHECK;

/* Decodes the slot's bytes from offset on, as reading says: sets decoded, elements, marks and edits; appends to
 * warnings. limit is that of struct decode_target. STATUS_SYSTEM after a message. */
enum status slot_decode(struct slot *s, const struct plan *plan, const struct element_format *reading, size_t offset,
			size_t limit) MUST_CHECK;

/* Up-sweeps a decoded chunk of binary elements ahead of the conductor, if it is one: totals_known. STATUS_SYSTEM after
 * a message. */
enum status slot_scan_ahead(struct slot *s, const struct row *row) MUST_CHECK;

/* Encodes the slot's results, after what out already holds. STATUS_SYSTEM after a message. */
enum status slot_encode(struct slot *s, const struct plan *plan) MUST_CHECK;

void slot_free(struct slot *s);

#endif
