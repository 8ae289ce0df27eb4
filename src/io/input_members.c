/* Compressed files that are read from any byte on: from the beginning of its member, which is inflated for nothing. */
#include "io/bgzf.h"
#include "io/input.h"

enum status input_skip_members(struct input *in, const struct bgzf_index *index, uint64_t bytes,
			       struct problem *problem)
{
	unsigned char nothing[INPUT_BLOCK_SIZE];
	uint64_t skip;
	enum status status = STATUS_OK;
	size_t got = 1;
	input_go_to_member(in, bgzf_member_of(index, bytes, &skip));
	for (; skip > 0 && got > 0 && status == STATUS_OK; skip -= got)
		status = input_read(in, nothing, skip < sizeof nothing ? (size_t)skip : sizeof nothing, &got, problem);
	return status;
}
