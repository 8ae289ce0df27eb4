/* The bytes are inflated once, from one known file's end to the next one's, and compared by the hashes there. A file
 * that begins with other bytes than all of them is left after its first 4 KiB. What a compressed file is that is not
 * known as it lies:
 *
 *   it has                 the known file              what may have happened            the file is
 *   --------------------   -------------------------   -------------------------------   ------------------------------
 *   all known bytes        is gone, was cut, or has    the known file was compressed     taken; at the known file's
 *                          more bytes now                                                inode another one may begin
 *   all known bytes        is as it was                it is a copy, or another log      taken, with a warning (with
 *                                                      with the same lines               --alike=new it is new)
 *   these, and more        any                         the known file had grown before   refused (new, with
 *                                                      it was compressed                 --alike=new)
 *   a part of these        is there                    it was compressed before that     in doubt
 *                                                      was read last, or began alike
 *   perhaps a part of      was cut, or is gone         it was compressed before that,    in doubt
 *   these                                              or began alike
 *   anything else          any                         it is new                         new
 */
#include "state/match.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/message.h"
#include "io/input.h"
#include "source/source.h"
#include "text/npy.h"

/* What was inflated so far. */
struct inflated {
	struct input *input;
	bool is_array;
	uint64_t header; /* bytes before those that are compared: of --skip-bytes, or of an array's header */
	struct source_ends ends;
	size_t header_size; /* of the first bytes, of the header lines */
	bool is_over; /* nothing more can be read */
	bool is_damaged; /* for the file is damaged there */
	bool lacks_memory; /* a message says so */
};

/* The known file that was found. */
struct match {
	const struct saved_input *known; /* or NULL */
	bool has_more; /* inflated bytes follow the known ones, or the file is damaged there */
	bool is_part; /* the file has only the first of the known bytes, or */
	bool is_unsure; /* it may have only these: they can no longer be compared */
	bool is_there; /* the known file is as it was */
};

/* Whether a problem has no text, because missing memory was reported already. */
static bool is_of_memory(const struct problem *problem)
{
	return problem->status == STATUS_SYSTEM && problem->text[0] == '\0';
}

/* Inflates up to a size, or to the end. */
static void inflate(struct inflated *f, uint64_t size)
{
	unsigned char block[SOURCE_END_SIZE];
	struct problem problem = {0};
	while (f->ends.size < size && !f->is_over) {
		const uint64_t left = size - f->ends.size;
		const size_t wanted = left < sizeof block ? (size_t)left : sizeof block;
		size_t got = 0;
		f->is_damaged = input_read(f->input, block, wanted, &got, &problem) != STATUS_OK;
		f->lacks_memory = f->is_damaged && is_of_memory(&problem);
		f->is_over = f->is_damaged || got == 0;
		source_ends_add(&f->ends, block, got);
	}
}

/* Passes over what is not compared. lines: of a header of text. */
static void pass_header(struct inflated *f, const struct state_known *known, const struct options *o, uint64_t lines)
{
	const unsigned char *block;
	size_t size;
	uint64_t passed;
	struct problem problem = {0};
	input_peek(f->input, false, &block, &size);
	for (size_t i = 0; i < known->count && !f->is_array; i++)
		f->is_array = state_is_array(&known->files[i]) && npy_begins(block, size);
	f->header = f->is_array ? npy_header_size(block, size) : o->numbers.skip_bytes;
	f->is_damaged = input_pass(f->input, f->header, &passed, &problem) != STATUS_OK;
	f->lacks_memory = f->is_damaged && is_of_memory(&problem);
	f->is_over = f->is_damaged || passed < f->header;
	inflate(f, SOURCE_END_SIZE);
	while (lines > 0 && f->header_size < f->ends.size)
		lines -= f->ends.first[f->header_size++] == '\n';
}

static size_t end_size(uint64_t bytes)
{
	return bytes < SOURCE_END_SIZE ? (size_t)bytes : SOURCE_END_SIZE;
}

/* Whether the bytes of the file, and of a known one, may be compared. */
static bool is_like(const struct inflated *f, const struct saved_input *k)
{
	return state_is_array(k) == f->is_array && (f->is_array || (k->whole == 0 && k->header == f->header)) &&
	       state_body(k) > f->header_size;
}

/* Whether the file may go on after a known one, as its first bytes say. */
static bool begins_as(const struct inflated *f, const struct saved_input *k)
{
	const size_t size = end_size(state_body(k));
	return is_like(f, k) && size <= f->ends.size && k->first == source_hash_end(f->ends.first, size);
}

/* Of the known files that it may go on after the one that ends next. */
static const struct saved_input *next_end(const struct inflated *f, const struct state_known *known)
{
	const struct saved_input *next = NULL;
	for (size_t i = 0; i < known->count; i++) {
		const struct saved_input *k = &known->files[i];
		if (state_body(k) > f->ends.size && (next == NULL || state_body(k) < state_body(next)) &&
		    begins_as(f, k))
			next = k;
	}
	return next;
}

/* The known file whose bytes the inflated ones begin with, the most of them, or NULL. */
static const struct saved_input *find(struct inflated *f, const struct state_known *known)
{
	const struct saved_input *found = NULL;
	const struct saved_input *next;
	for (size_t i = 0; i < known->count; i++) {
		const struct saved_input *k = &known->files[i];
		if (state_body(k) <= f->ends.size && (found == NULL || state_body(k) > state_body(found)) &&
		    begins_as(f, k))
			found = k;
	}
	while ((next = next_end(f, known)) != NULL) {
		inflate(f, state_body(next));
		if (f->ends.size < state_body(next))
			break;
		if (source_hash_end(f->ends.last, SOURCE_END_SIZE) == next->last)
			found = next;
	}
	return found;
}

/* What became of a known file. The later, the likelier it was compressed. */
enum fate { IS_AS_IT_WAS, HAS_GROWN, IS_GONE };

/* *st: of this file, which is no other one that has the bytes. */
static enum fate fate_of(const struct state_known *known, const struct saved_input *k, const struct options *o,
			 const struct stat *st)
{
	uint64_t end;
	int error;
	const struct state_found_file place = state_look_for(known, (size_t)(k - known->files), o);
	const bool is_own = place.where != WHERE_GONE && place.st.st_dev == st->st_dev && place.st.st_ino == st->st_ino;
	const bool is_there = place.where == WHERE_THERE && !is_own;
	const bool has_grown = is_there && place.fd >= 0 && state_fits(k, place.fd, &place.st, &end, &error) &&
			       (uint64_t)place.st.st_size > end;
	state_close_input(place.fd);
	return has_grown ? HAS_GROWN : is_there ? IS_AS_IT_WAS : IS_GONE;
}

/* All bytes of a known file were found. Of several with these bytes it is the likeliest, and the one seen last. */
static void choose(struct match *m, const struct state_known *known, const struct options *o, const struct stat *st)
{
	const struct saved_input *found = m->known;
	enum fate best = IS_AS_IT_WAS;
	for (size_t i = 0; i < known->count; i++) {
		const struct saved_input *k = &known->files[i];
		if (state_is_array(k) != state_is_array(found) || state_body(k) != state_body(found) ||
		    k->first != found->first || k->last != found->last)
			continue;
		const enum fate fate = fate_of(known, k, o, st);
		m->known = fate >= best ? k : m->known;
		best = fate >= best ? fate : best;
	}
	m->is_there = best == IS_AS_IT_WAS;
}

/* Looks for a known file that begins, or may have begun, with all bytes of this one, which are more than a header. */
static void find_whole(struct match *m, const struct inflated *f, const struct state_known *known,
		       const struct options *o)
{
	const uint64_t size = f->ends.size;
	const uint64_t first = source_hash_end(f->ends.first, end_size(size));
	const uint64_t last = source_hash_end(f->ends.last, end_size(size));
	struct source_starts starts;
	source_hash_starts(f->ends.first, end_size(size), &starts);
	for (size_t i = 0; i < known->count && !m->is_part && size > f->header_size; i++) {
		const struct saved_input *k = &known->files[i];
		if (k->whole != 0 || !is_like(f, k) || state_body(k) <= size || !state_may_begin(k, &starts))
			continue;
		const struct state_found_file place = state_look_for(known, i, o);
		m->is_unsure = place.fd < 0 || place.where != WHERE_THERE;
		m->is_part = m->is_unsure || state_begins(&place, k, size, first, last);
		m->known = m->is_part ? k : NULL;
		state_close_input(place.fd);
	}
}

/* Says what the file is, if that needs to be said. */
static enum status say(const struct match *m, const char *name, uint64_t bytes)
{
	if (m->has_more)
		return message_refuse("%s: decompressed, it begins with the %" PRIu64
				      " bytes that were read from %s, and has more (leave it out, and read its rest "
				      "after byte %" PRIu64 " through a pipe; or --alike=new)",
				      message_shown(input_label(name)), bytes,
				      message_quoted_part(m->known->name.data, m->known->name.size), bytes);
	if (m->is_part)
		return state_match_refuse(
			name, m->is_unsure ? "decompressed, it may be the first" : "decompressed, it is the first",
			bytes, m->known, m->is_unsure, "them");
	if (m->is_there)
		state_match_warn(name, "decompressed, it is the", bytes, m->known, "them");
	return STATUS_OK;
}

/* Whether a file begins, as it lies, with the bytes of a known file. */
static bool is_known(const struct state_known *known, int fd, const struct stat *st)
{
	uint64_t end;
	int error;
	bool is = false;
	for (size_t i = 0; i < known->count && !is; i++)
		is = state_body(&known->files[i]) > 0 && state_fits(&known->files[i], fd, st, &end, &error);
	return is;
}

enum status state_match_inflated(const struct state_known *known, const struct options *o, const char *name, int fd,
				 const struct stat *st, size_t *found, bool *is_moved)
{
	struct inflated f = {0};
	struct match m = {0};
	struct problem problem = {0};
	const bool is_standard = strcmp(name, "-") == 0;
	const off_t place = is_standard ? lseek(STDIN_FILENO, 0, SEEK_CUR) : 0;
	*found = SIZE_MAX;
	if (known->count == 0 || place != 0)
		return STATUS_OK;
	if (input_open(name, true, &f.input, &problem) != STATUS_OK)
		return is_of_memory(&problem) ? STATUS_SYSTEM : STATUS_OK;
	if (!input_is_plain(f.input) && !is_known(known, fd, st)) {
		pass_header(&f, known, o, state_match_header(o));
		m.known = find(&f, known);
	}
	if (m.known != NULL) {
		inflate(&f, state_body(m.known) + 1);
		m.has_more = f.ends.size > state_body(m.known) || f.is_damaged;
	} else if (f.is_over && !f.is_damaged) {
		find_whole(&m, &f, known, o);
	}
	input_close(f.input);
	(void)(is_standard && lseek(STDIN_FILENO, place, SEEK_SET) < 0);
	if (f.lacks_memory)
		return STATUS_SYSTEM;
	if (m.known != NULL && !m.has_more && !m.is_part)
		choose(&m, known, o, st);
	if (m.known == NULL || (o->state.alike == ALIKE_NEW && (m.has_more || m.is_part || m.is_there)))
		return STATUS_OK;
	*found = (size_t)(m.known - known->files);
	*is_moved = !m.is_part && !m.is_there;
	return o->state.alike == ALIKE_COPY && !m.has_more
		       ? STATUS_OK
		       : say(&m, name, m.is_part ? f.header + f.ends.size : m.known->taken);
}
