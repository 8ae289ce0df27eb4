/* A known file *fits* if a file begins with the bytes that were taken of it, as far as their number and the hashes of
 * the first and last 4 KiB tell. A file's *own* known file is the one that its inode was seen with last. *Another* one
 * is of another inode, and fits with more bytes than the own one; where the own one does not fit, it may be an earlier
 * one of the same inode, too. It is *there* if its inode is found and still begins so; *cut* if it is found by its name
 * and does not; else *gone*. The file is its *copy* if it has no byte that the other one, which is there, has not.
 * (Any file fits where no bytes were taken: the own one *is empty* then.)
 *
 *   own       another                    what may have happened                             goes on after
 *   -------   ------------------------   ------------------------------------------------   -------------------------
 *   fits      none                       it has grown, was renamed, or is as it was         its own
 *   fits      is there, and it is no     it began as the other one did, and has grown: it   its own
 *             copy                       has other bytes
 *   is empty  is there, and it is no     the same; or its inode is used again, for a copy   in doubt
 *             copy                       to which somebody appended
 *   fits      otherwise                  it began as the other one did, and has grown; or   in doubt
 *                                        was overwritten by a copy of it (cp log log.1)
 *   fits not  none                       it was cut and written anew, or its inode is used  nothing: it is new
 *                                        again
 *   fits not  is cut, and was written    it was copied before the other one was cut         the other
 *   (or none  to since                   (copytruncate), over a known file or inode
 *   taken)
 *   fits not  otherwise                  it was overwritten by a copy; or it was cut, and   in doubt
 *                                        begins as the other one did
 *   unknown   none                       it is new                                          nothing
 *   unknown   it is a copy; or it is     it is a copy; or was moved, or copied before the   the other
 *             cut or gone                other one was cut
 *   unknown   is there, and it is no     it is a copy to which somebody appended, or began  in doubt
 *             copy                       as the other one did
 *   any       none, but it is a part     it was copied before that one was read last, or    in doubt
 *             of one that is there       begins as that one did
 *   any       none, but it may be a      it was copied before that one was cut, removed     in doubt
 *             part of one that is cut    or compressed, or begins as that one did
 *             or gone
 *
 * A run in doubt is refused, unless --alike says what such files are; but if a header alone was taken of the other one,
 * it does not matter. A file that is not known is taken for a copy with a warning (not with --alike=new), unless the
 * other one was cut after it was copied, or is gone and had its name, as where a file is replaced. A file whose bytes
 * are as they were seen is never in doubt. A file may be a part of one that is not there if it is shorter and no hash
 * of a beginning differs (source_hash_starts); what its own inode had before does not matter. */
#include "state/match.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "io/input.h"
#include "source/source.h"

/* The file that is looked at. */
struct look {
	const struct state_known *known;
	const struct options *o;
	const char *name;
	int fd;
	const struct stat *st;
	uint64_t header; /* bytes that `starts` leaves out; UINT64_MAX: there are no `starts` yet */
	struct source_starts starts;
};

/* The results for all known files. */
struct candidates {
	bool has_own; /* the inode is known, */
	struct state_found own; /* and this fits, */
	bool has_bytes; /* of which some were taken */
	struct state_found other; /* the one with most bytes */
	enum state_where where; /* of the other, or of one with the same bytes; what is there first */
	bool are_there; /* all that fit with more bytes than the own one */
	bool is_older; /* it is cut, and was written to after the file was */
};

uint64_t state_match_header(const struct options *o)
{
	return (!o->cut.finds_header || o->state.knows_header) && !o->cut.no_header ? o->text.header_lines : 0;
}

bool state_match_in_header(const struct options *o, const char *name, uint64_t size)
{
	const uint64_t lines = state_match_header(o);
	if (size == 0 || lines == 0)
		return size == 0;
	return size <= INPUT_BLOCK_SIZE && source_count_lines(name, size) <= lines;
}

bool state_match_is_header(const struct saved_input *known, const struct options *o, const char *name)
{
	return known->header == 0 && state_match_in_header(o, name, known->taken);
}

/* Whether one was written to before another was, or at once. */
static bool is_older(const struct stat *one, const struct stat *other)
{
	const struct timespec *a = &one->st_mtim;
	const struct timespec *b = &other->st_mtim;
	return a->tv_sec < b->tv_sec || (a->tv_sec == b->tv_sec && a->tv_nsec <= b->tv_nsec);
}

/* A known file fits with more bytes than the own one. */
static void weigh_other(const struct look *l, struct candidates *c, size_t which, uint64_t end)
{
	struct state_found_file place = state_look_for(l->known, which, l->o);
	if (state_is_begin_of(&place, &l->known->files[which], l->fd, l->st))
		c->other.copied = which;
	c->are_there = c->are_there && place.where == WHERE_THERE;
	if (c->other.known == SIZE_MAX || end > c->other.end || (end == c->other.end && place.where > c->where)) {
		c->other.known = which;
		c->other.end = end;
		c->where = place.where;
		c->is_older = place.where == WHERE_CUT && is_older(l->st, &place.st);
	}
	state_close_input(place.fd);
}

/* Whether the beginnings of the file are those of a known one. */
static bool has_starts_of(struct look *l, const struct saved_input *k)
{
	int error;
	const uint64_t size = (uint64_t)l->st->st_size;
	if (l->header != k->header && !source_read_starts(l->fd, k->header, size - k->header, &l->starts, &error))
		return false;
	l->header = k->header;
	return state_may_begin(k, &l->starts);
}

/* No known file of more bytes fits: it may be a part of one all the same. (Many files are gone, so they are not looked
 * for where their first bytes differ.) */
static void try_whole(struct look *l, struct candidates *c, size_t which)
{
	const uint64_t size = (uint64_t)l->st->st_size;
	const struct saved_input *k = &l->known->files[which];
	if (k->whole != 0 || k->taken <= size || size < k->header || !has_starts_of(l, k))
		return;
	struct state_found_file place = state_look_for(l->known, which, l->o);
	const bool is_part = state_is_begin_of(&place, k, l->fd, l->st);
	const bool is_unsure = place.fd < 0 || place.where != WHERE_THERE;
	if (is_part || (is_unsure && !state_has_inode(k, l->st)))
		c->other = (struct state_found){
			.known = which, .end = size, .is_part = true, .is_unsure = !is_part, .copied = SIZE_MAX};
	state_close_input(place.fd);
}

static enum status find(struct look *l, struct candidates *c)
{
	const size_t own = state_find_inode(l->known, l->st);
	uint64_t end;
	int error = 0;
	c->has_own = own != SIZE_MAX;
	if (c->has_own && state_fits(&l->known->files[own], l->fd, l->st, &end, &error)) {
		c->own.known = own;
		c->own.end = end;
		c->has_bytes = state_body(&l->known->files[own]) > 0;
	}
	for (size_t i = 0; i < l->known->count && error == 0; i++) {
		const struct saved_input *k = &l->known->files[i];
		if (i == own || state_body(k) == 0 || (c->own.known != SIZE_MAX && state_has_inode(k, l->st)) ||
		    !state_fits(k, l->fd, l->st, &end, &error) || end <= c->own.end)
			continue;
		weigh_other(l, c, i, end);
	}
	const bool is_as_it_was = c->own.known != SIZE_MAX && c->own.end == (uint64_t)l->st->st_size;
	const bool is_header = state_match_in_header(l->o, l->name, (uint64_t)l->st->st_size);
	for (size_t i = 0; i < l->known->count && error == 0 && !is_as_it_was && !is_header && !c->other.is_part; i++) {
		if (i != own)
			try_whole(l, c, i);
	}
	return error != 0 ? state_input_failed(l->name, error) : STATUS_OK;
}

/* Whether one can know what it is; *is_other: the other one. */
static bool is_known(const struct candidates *c, bool *is_other)
{
	const bool is_copy = c->other.copied != SIZE_MAX;
	*is_other = !c->has_bytes && (c->own.known == SIZE_MAX || c->where == WHERE_CUT);
	if (c->other.is_part)
		return false;
	if (!*is_other)
		return c->has_bytes && !is_copy && c->are_there;
	if (c->has_own)
		return !is_copy && c->is_older;
	return is_copy || c->where != WHERE_THERE;
}

enum status state_match_refuse(const char *name, const char *is, uint64_t bytes, const struct saved_input *known,
			       bool is_unsure, const char *of)
{
	return message_refuse(
		"%s: %s %" PRIu64 " bytes that were read from %s%s: a copy of %s, or another log that begins "
		"alike? (say --alike=copy or --alike=new)",
		message_shown(input_label(name)), is, bytes, message_quoted_part(known->name.data, known->name.size),
		is_unsure ? ", which can no longer be compared" : "", of);
}

/* Whether the known file had the file's name, and nothing else was seen of its inode since. */
static bool is_replaced(const struct look *l, const struct saved_input *known)
{
	const struct stat its = {.st_dev = (dev_t)known->device, .st_ino = (ino_t)known->inode};
	char *name = realpath(l->name, NULL);
	const bool is = name != NULL && strlen(name) == known->name.size &&
			memcmp(name, known->name.data, known->name.size) == 0 &&
			&l->known->files[state_find_inode(l->known, &its)] == known;
	free(name);
	return is;
}

void state_match_warn(const char *name, const char *is, uint64_t bytes, const struct saved_input *known, const char *of)
{
	message_warning("%s: %s %" PRIu64 " bytes that were read from %s, and is taken for a copy of %s (if it is not: "
			"again from the state of before, with --alike=new)",
			message_shown(input_label(name)), is, bytes,
			message_quoted_part(known->name.data, known->name.size), of);
}

enum status state_match(const struct state_known *known, const struct options *o, const char *name, int fd,
			const struct stat *st, struct state_found *found)
{
	struct look l = {.known = known, .o = o, .name = name, .fd = fd, .st = st, .header = UINT64_MAX};
	const struct state_found none = {.known = SIZE_MAX, .copied = SIZE_MAX};
	struct candidates c = {.own = none, .other = none, .are_there = true};
	bool is_other;
	TRY(find(&l, &c));
	*found = c.own;
	if (c.other.known == SIZE_MAX)
		return STATUS_OK;
	const bool is_doubtful = !is_known(&c, &is_other);
	const bool is_copy = c.other.copied != SIZE_MAX;
	if (!c.other.is_part && state_match_is_header(&known->files[c.other.known], o, name)) {
		*found = is_other ? c.other : c.own;
		return STATUS_OK;
	}
	if (is_doubtful && o->state.alike == ALIKE_UNKNOWN)
		return state_match_refuse(name, c.other.is_unsure ? "it may be the first" : "it begins with the",
					  c.other.end, &known->files[c.other.known], c.other.is_unsure,
					  c.other.is_unsure ? "them" : "it");
	const bool is_clear = c.is_older || (c.where == WHERE_GONE && is_replaced(&l, &known->files[c.other.known]));
	if (is_doubtful || (o->state.alike == ALIKE_NEW && (is_copy || !is_clear)))
		is_other = o->state.alike == ALIKE_COPY;
	*found = is_other ? c.other : c.own;
	found->is_cut = is_other && c.where == WHERE_CUT;
	if (is_other && !is_doubtful && o->state.alike != ALIKE_COPY && !is_clear)
		state_match_warn(name, "it begins with the", c.other.end, &known->files[c.other.known], "it");
	return STATUS_OK;
}
