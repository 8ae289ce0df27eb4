/* The bytes of a compressed file. Its filter inflates them one after the other; if it is gzip whose members contain
 * their sizes (BGZF), a pool does. Such a file can be read from any byte on: from the beginning of the byte's member,
 * whose earlier bytes are inflated and dropped. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "io/bgzf.h"
#include "io/input_private.h"

static enum status filter_problem(struct problem *problem, const struct frames *reader, enum filter_outcome outcome,
				  const char *what)
{
	char damage[32];
	char doubt[64] = "";
	const char *name = reader->filter->name;
	const bool damaged = outcome == FILTER_DAMAGED;
	const bool fatal = damaged || outcome == FILTER_REFUSED;
	if (outcome == FILTER_NO_MEMORY)
		return input_fail_for_memory(problem);
	(void)snprintf(damage, sizeof damage, "damaged %s data: ", name);
	if (damaged && reader->unchecked > 0)
		(void)snprintf(doubt, sizeof doubt, " (the data from byte %" PRIu64 " on may be wrong)", reader->begin);
	(void)problem_set(problem, STATUS_DATA, "byte %" PRIu64 " of the compressed file: %s%s%s", reader->offset,
			  damaged ? damage : "", what, doubt);
	problem->fatal = fatal;
	return fatal ? STATUS_DATA : STATUS_OK;
}

void input_share(struct input *in, const struct pool *pool)
{
	if (in->filter == NULL || !in->may_be_bgzf)
		return;
	if (pool == NULL) {
		bgzf_free(in->bgzf);
		in->bgzf = NULL;
	}
	in->pool = pool;
	in->filter->pauses = pool != NULL;
}

/* Reads what follows as BGZF, if it is. */
static enum status begin_bgzf(struct input *in, struct problem *problem)
{
	if (!in->may_be_bgzf || in->pool == NULL || !frames_is_between(in->filter))
		return STATUS_OK;
	const off_t at = lseek(in->fd, 0, SEEK_CUR) - (off_t)(in->raw_end - in->raw_next);
	if (at < 0)
		return STATUS_OK;
	in->bgzf_begin = (uint64_t)at;
	in->bgzf = bgzf_new(in->fd, in->bgzf_begin, in->pool);
	return in->bgzf != NULL ? STATUS_OK : input_fail_for_memory(problem);
}

/* The gzip filter continues after the part that was read as BGZF. */
static enum status end_bgzf(struct input *in, struct problem *problem)
{
	const uint64_t used = input_compressed_bytes(in);
	const off_t next = (off_t)bgzf_offset(in->bgzf);
	bgzf_free(in->bgzf);
	in->bgzf = NULL;
	in->may_be_bgzf = false;
	in->raw_next = 0;
	in->raw_end = 0;
	in->raw_ended = false;
	in->filter->offset = used;
	in->filter->pauses = false;
	if (lseek(in->fd, next, SEEK_SET) < 0)
		return problem_set(problem, STATUS_SYSTEM, "%s", strerror(errno));
	return STATUS_OK;
}

uint64_t input_compressed_bytes(const struct input *in)
{
	const uint64_t used = in->filter != NULL ? in->filter->offset : 0;
	return in->bgzf == NULL ? used : used + bgzf_offset(in->bgzf) - in->bgzf_begin;
}

enum status input_read_inflated(struct input *in, unsigned char *buffer, size_t size, size_t *got,
				struct problem *problem)
{
	*got = 0;
	while (!in->filter_ended && !in->stopped) {
		const char *what;
		enum status status = in->bgzf == NULL ? begin_bgzf(in, problem) : STATUS_OK;
		if (in->bgzf != NULL) {
			*got = bgzf_read(in->bgzf, buffer, size);
			if (*got > 0)
				return STATUS_OK;
			status = bgzf_lacks_memory(in->bgzf) ? input_fail_for_memory(problem) : end_bgzf(in, problem);
		}
		TRY(status);
		struct flow io = {in->raw + in->raw_next, in->raw_end - in->raw_next, buffer, size};
		const enum filter_outcome outcome = frames_read(in->filter, &io, in->raw_ended, &what);
		in->raw_next = in->raw_end - io.in_size;
		*got = size - io.out_size;
		if (outcome != FILTER_MORE) {
			in->filter_ended = true;
			return outcome == FILTER_END ? STATUS_OK : filter_problem(problem, in->filter, outcome, what);
		}
		if (*got > 0)
			break;
		/* Only now: what was inflated must not wait for more input. */
		if (in->raw_next == in->raw_end && !in->raw_ended)
			TRY(input_fill_raw(in, 1, problem));
	}
	return STATUS_OK;
}

void input_go_to_member(struct input *in, uint64_t offset)
{
	(void)lseek(in->fd, (off_t)offset, SEEK_SET);
	in->raw_next = in->raw_end = 0;
	in->raw_ended = false;
	in->filter->offset = offset;
}
