/* Each input is opened twice: first to find compressed ones that have the bytes of a known file (inflated.c), then the
 * others (match.c). After the run, what is known of each file is what this run has read or seen, or else what was known
 * before. */
#include "state/inputs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/message.h"
#include "state/match.h"
#include "io/input.h"

/* What an input is. */
struct state_seen {
	struct state_found found;
	uint64_t size; /* in bytes, then */
	bool is_told; /* what will be known of it if nothing is read: */
	struct saved_input told; /* without its name and, if has_starts, its `starts`, which are: */
	bool has_starts;
	struct source_starts starts;
};

/* Adds a known file. STATUS_SYSTEM after a message. */
static enum status know(struct state_inputs *s, const struct saved_input *input)
{
	const enum status status = bytes_append(&s->known_files, input, sizeof *input);
	s->known = (struct state_known){(const struct saved_input *)(const void *)s->known_files.data,
					s->known_files.size / sizeof *input};
	return status;
}

enum status state_inputs_read(struct state_inputs *s, struct unpack *u)
{
	enum status status = STATUS_OK;
	for (uint64_t i = unpack_count(u); i > 0 && !u->failed && status == STATUS_OK; i--) {
		struct saved_input input;
		layout_unpack(u, &saved_input_layout, &input);
		u->failed = u->failed || input.taken > INT64_MAX || input.header > input.taken || input.whole > 1 ||
			    input.starts.size != source_count_starts(state_body(&input));
		status = know(s, &input);
	}
	return status;
}

/* Whether the file was named before in this run. */
static bool is_named_before(const struct state_inputs *s, size_t count, const struct source_file *file)
{
	bool is = false;
	for (const struct source_file *f = s->files; f < s->files + count && !is; f++)
		is = f->is_regular && f->device == file->device && f->inode == file->inode;
	return is;
}

/* Returns the absolute name of an input. *names: char *, for free. */
static struct saved_text name_of(struct bytes *names, const char *name, enum status *status)
{
	char *whole = strcmp(name, "-") == 0 ? NULL : realpath(name, NULL);
	const char *shown = whole != NULL ? whole : name;
	if (whole != NULL && *status == STATUS_OK)
		*status = bytes_append(names, &whole, sizeof whole);
	return (struct saved_text){(const unsigned char *)shown, strlen(shown)};
}

static void free_names(struct bytes *names)
{
	for (size_t i = 0; i < names->size / sizeof(char *); i++)
		free(((char **)(void *)names->data)[i]);
	bytes_free(names);
}

/* The bytes of known file number `which` are now in the compressed file `name`. With its inode another file may begin:
 * what the inode had before these bytes says nothing of it. */
static enum status move_known(struct state_inputs *s, size_t which, const char *name)
{
	enum status status = STATUS_OK;
	struct saved_input *k = &((struct saved_input *)(void *)s->known_files.data)[which];
	const struct saved_input old = *k;
	const struct stat st = {.st_dev = (dev_t)k->device, .st_ino = (ino_t)k->inode};
	k->name = name_of(&s->names, name, &status);
	k->device = 0;
	k->inode = 0;
	const size_t before = old.inode != 0 ? state_find_inode(&s->known, &st) : SIZE_MAX;
	if (status != STATUS_OK || before == SIZE_MAX || before > which)
		return status;
	const uint64_t hash = source_hash_end((const unsigned char *)"", 0);
	return know(s,
		    &(struct saved_input){
			    .name = old.name, .device = old.device, .inode = old.inode, .first = hash, .last = hash});
}

/* Finds out whether an input that was not named before is compressed and has the bytes of a known file. */
static enum status find_inflated(struct state_inputs *s, const struct options *o, const char *name, int fd,
				 const struct stat *st, struct source_file *file)
{
	size_t found;
	bool is_moved;
	file->is_taken = is_named_before(s, (size_t)(file - s->files), file);
	if (file->is_taken)
		return STATUS_OK;
	const enum status status = state_match_inflated(&s->known, o, name, fd, st, &found, &is_moved);
	if (status != STATUS_OK || found == SIZE_MAX)
		return status;
	file->is_taken = true;
	return is_moved ? move_known(s, found, name) : STATUS_OK;
}

/* Notes what the next run will know of an input that is not read, and whether this differs from what is known now. */
static enum status tell(struct state_inputs *s, const char *name, int fd, const struct stat *st, bool is_taken,
			struct state_seen *seen)
{
	const bool goes_on = seen->found.known != SIZE_MAX;
	struct saved_input *told = &seen->told;
	seen->is_told = is_taken || st->st_size == 0;
	if (goes_on) {
		const struct saved_input *k = &s->known.files[seen->found.known];
		*told = *k;
		told->taken = seen->found.end;
		/* (Of a part of another file's bytes the hashes are its own.) */
		told->header = seen->found.is_part ? k->header : seen->found.end - state_body(k);
	} else if (seen->is_told) {
		*told = (struct saved_input){.taken = (uint64_t)st->st_size, .whole = is_taken};
	}
	int error;
	seen->has_starts = seen->is_told && (!goes_on || seen->found.is_part);
	if (seen->has_starts &&
	    (!source_hash_ends(fd, told->header, state_body(told), &told->first, &told->last, &error) ||
	     !source_read_starts(fd, told->header, state_body(told), &seen->starts, &error)))
		return state_input_failed(name, error);
	told->device = (uint64_t)st->st_dev;
	told->inode = (uint64_t)st->st_ino;
	const size_t last = state_find_inode(&s->known, st);
	const struct saved_input *k = &s->known.files[last != SIZE_MAX ? last : 0];
	s->has_changed = s->has_changed ||
			 (seen->is_told && (last == SIZE_MAX || k->taken != told->taken || k->first != told->first ||
					    k->last != told->last || k->whole != told->whole));
	return STATUS_OK;
}

/* Begins with one input, which is open. */
static enum status begin_file(struct state_inputs *s, const struct options *o, const char *name, int fd,
			      const struct stat *st, struct source_file *file)
{
	const off_t place = strcmp(name, "-") == 0 ? lseek(fd, 0, SEEK_CUR) : 0;
	file->is_regular = true;
	file->device = (uint64_t)st->st_dev;
	file->inode = (uint64_t)st->st_ino;
	file->begin = (uint64_t)place;
	return place < 0 ? state_input_failed(name, errno) : find_inflated(s, o, name, fd, st, file);
}

/* Looks at one input, which is open, when the bytes of all compressed ones are known. */
static enum status find_file(struct state_inputs *s, const struct options *o, size_t i, int fd, const struct stat *st)
{
	const char *name = o->files.names[i];
	struct source_file *file = &s->files[i];
	struct state_seen *seen = &s->seen[i];
	const uint64_t size = (uint64_t)st->st_size;
	enum status status = STATUS_OK;
	file->device = (uint64_t)st->st_dev;
	file->inode = (uint64_t)st->st_ino;
	seen->size = size;
	if (is_named_before(s, i, file))
		return STATUS_OK;
	if (!file->is_taken)
		status = state_match(&s->known, o, name, fd, st, &seen->found);
	s->has_taken = s->has_taken || file->is_taken;
	s->has_new = s->has_new || (!file->is_taken && seen->found.known == SIZE_MAX && size > file->begin);
	if (status == STATUS_OK && seen->found.known != SIZE_MAX) {
		const bool is_whole = s->known.files[seen->found.known].whole != 0;
		s->has_taken = s->has_taken || seen->found.end > 0;
		s->has_new = s->has_new || size > seen->found.end;
		file->passed = seen->found.end;
		file->is_taken = size <= seen->found.end;
		if (is_whole && !file->is_taken) {
			return message_refuse(
				"%s: it was read as a whole and has grown since (put what is new into a file of "
				"its own)",
				message_shown(input_label(name)));
		}
	}
	return status == STATUS_OK ? tell(s, name, fd, st, file->is_taken, seen) : status;
}

/* Whether the bytes of one input are the first ones of another's. STATUS_SYSTEM after a message. */
static enum status is_begin(const char *name, const char *other, const struct saved_input *known, bool *is)
{
	struct stat st;
	struct state_found_file place = {.fd = -1, .where = WHERE_THERE};
	int fd;
	enum status status = state_open_input(name, &fd, &st);
	if (status == STATUS_OK)
		status = state_open_input(other, &place.fd, &place.st);
	*is = status == STATUS_OK && state_is_begin_of(&place, known, fd, &st);
	state_close_input(fd);
	state_close_input(place.fd);
	return status;
}

/* Whether new bytes of an input are another one's as well, of which as many or more were taken: they may be copies of
 * each other, and these bytes would count twice. */
static enum status is_copy(const struct state_inputs *s, const struct options *o, size_t i, size_t k, bool *is)
{
	const struct state_found *one = &s->seen[i].found;
	const struct state_found *other = &s->seen[k].found;
	const bool is_other_over = s->files[k].is_taken;
	/* (Of two that look as copies from before one file was cut the later one may have begun alike.) */
	const bool go_on_alike = one->known != SIZE_MAX && one->known == other->known &&
				 !state_match_is_header(&s->known.files[one->known], o, o->files.names[i]);
	*is = go_on_alike && one->is_cut && other->is_cut;
	if (*is || other->known == SIZE_MAX || other->end < one->end || s->files[i].is_taken ||
	    (is_other_over && other->end <= one->end))
		return STATUS_OK;
	*is = go_on_alike && !is_other_over;
	const struct saved_input *b = &s->known.files[other->known];
	if (*is || o->state.alike == ALIKE_NEW || state_body(b) == 0 ||
	    state_match_is_header(b, o, o->files.names[k]) ||
	    state_match_in_header(o, o->files.names[i], s->seen[i].size))
		return STATUS_OK;
	TRY(is_begin(o->files.names[i], o->files.names[k], b, is));
	if (*is || other->end > one->end)
		return STATUS_OK;
	return is_begin(o->files.names[k], o->files.names[i], b, is);
}

static enum status refuse_copies(const struct state_inputs *s, const struct options *o)
{
	char one[MESSAGE_NAME_SIZE];
	for (size_t i = 0; i < o->files.count; i++) {
		for (size_t k = 0; k < o->files.count; k++) {
			bool is = false;
			if (i != k)
				TRY(is_copy(s, o, i, k, &is));
			if (!is)
				continue;
			return message_refuse("%s and %s begin with the same bytes, which were read before%s "
					      "(if one is a copy, read it first, alone; else --alike=new)",
					      message_name(one, input_label(o->files.names[i < k ? i : k])),
					      message_shown(input_label(o->files.names[i < k ? k : i])),
					      s->files[i].is_taken || s->files[k].is_taken ? ""
											   : ", and both have more");
		}
	}
	return STATUS_OK;
}

/* Warns of the first regular file, if what was read before it came through pipes only. */
static void warn_of_pipe(const struct state_inputs *s, const struct options *o, const char *state, uint64_t bytes)
{
	size_t i = 0;
	while (i < o->files.count && !s->files[i].is_regular)
		i++;
	if (bytes > 0 && s->known.count == 0 && i < o->files.count)
		message_warning("%s has %" PRIu64 " bytes of a pipe; %s counts as new", state, bytes,
				message_shown(input_label(o->files.names[i])));
}

enum status state_inputs_find(struct state_inputs *s, const struct options *o, const char *state, uint64_t bytes)
{
	s->are_regular = true;
	s->files = memory_new(o->files.count * sizeof *s->files);
	s->seen = memory_new(o->files.count * sizeof *s->seen);
	enum status status = s->files != NULL && s->seen != NULL ? STATUS_OK : STATUS_SYSTEM;
	for (size_t i = 0; i < o->files.count && status == STATUS_OK; i++) {
		struct stat st;
		int fd;
		s->files[i] = (struct source_file){0};
		s->seen[i] = (struct state_seen){.found = {.known = SIZE_MAX, .copied = SIZE_MAX}};
		status = state_open_input(o->files.names[i], &fd, &st);
		if (status == STATUS_OK && fd >= 0)
			status = begin_file(s, o, o->files.names[i], fd, &st, &s->files[i]);
		state_close_input(fd);
		s->are_regular = s->are_regular && s->files[i].is_regular;
		s->has_new = s->has_new || !s->files[i].is_regular;
	}
	for (size_t i = 0; i < o->files.count && status == STATUS_OK; i++) {
		struct stat st;
		int fd;
		if (!s->files[i].is_regular)
			continue;
		status = state_open_input(o->files.names[i], &fd, &st);
		if (status == STATUS_OK && fd >= 0)
			status = find_file(s, o, i, fd, &st);
		state_close_input(fd);
	}
	TRY(status);
	TRY(refuse_copies(s, o));
	warn_of_pipe(s, o, state, bytes);
	return STATUS_OK;
}

static struct saved_text text_of(const struct source_starts *starts)
{
	return (struct saved_text){starts->hashes, starts->count};
}

/* The files that will be known, as far as this run has seen them. */
struct told {
	struct bytes inputs; /* struct saved_input */
	struct bytes names; /* char *: theirs, for free */
	struct bytes
		replaced; /* bool, for each known file: an input of this run continues it, so its bytes are known */
	enum status status; /* STATUS_SYSTEM after a message */
};

static void add(struct told *t, const struct saved_input *input)
{
	if (t->status == STATUS_OK)
		t->status = bytes_append(&t->inputs, input, sizeof *input);
}

/* What was read of a file. One that is there and had all its bytes, perhaps more, is known up to there as well; and so
 * are those of a compressed file, inflated, which has no inode. */
static void add_taken(struct told *t, const struct state_inputs *s, const struct source_taken *taken, const char *name)
{
	const struct state_seen *seen = &s->seen[taken->file];
	struct saved_input input = {.name = name_of(&t->names, name, &t->status),
				    .device = taken->device,
				    .inode = taken->inode,
				    .taken = taken->bytes,
				    .header = taken->header,
				    .first = taken->first,
				    .last = taken->last,
				    .starts = text_of(&taken->starts),
				    .whole = taken->is_whole};
	if (seen->found.copied != SIZE_MAX && seen->found.known != SIZE_MAX && taken->bytes == seen->size) {
		const struct saved_input *k = &s->known.files[seen->found.copied];
		struct saved_input copied = input;
		copied.name = k->name;
		copied.device = k->device;
		copied.inode = k->inode;
		((bool *)(void *)t->replaced.data)[seen->found.copied] = true;
		add(t, &copied);
	}
	add(t, &input);
	if (taken->inflated > 0) {
		input = (struct saved_input){.name = input.name,
					     .taken = taken->inflated,
					     .header = taken->inflated_header,
					     .first = taken->inflated_first,
					     .last = taken->inflated_last,
					     .starts = text_of(&taken->inflated_starts),
					     .whole = taken->is_array};
		add(t, &input);
	}
}

/* One input. */
static void add_input(struct told *t, const struct state_inputs *s, const struct options *o, size_t file,
		      const struct source *source)
{
	const struct state_seen *seen = &s->seen[file];
	const struct saved_input *k = seen->found.known != SIZE_MAX ? &s->known.files[seen->found.known] : NULL;
	size_t count = 0;
	const struct source_taken *taken = source != NULL ? source_taken_files(source, &count) : NULL;
	size_t i = 0;
	while (i < count && taken[i].file != file)
		i++;
	if (i < count) {
		add_taken(t, s, &taken[i], o->files.names[file]);
	} else if (seen->is_told) {
		struct saved_input input = seen->told;
		if (seen->has_starts)
			input.starts = text_of(&seen->starts);
		input.name = name_of(&t->names, o->files.names[file], &t->status);
		add(t, &input);
	} else {
		return;
	}
	if (k != NULL && k->device == s->files[file].device && k->inode == s->files[file].inode)
		((bool *)(void *)t->replaced.data)[seen->found.known] = true;
}

static bool has_bytes_of(const struct saved_input *a, const struct saved_input *b)
{
	return a->taken == b->taken && a->header == b->header && a->first == b->first && a->last == b->last &&
	       a->whole == b->whole;
}

/* Whether what an inode had before is known by another file's bytes as well; what was inflated, by those of a file that
 * this run has seen. */
static bool is_known_again(const struct state_known *known, size_t which, const struct told *t)
{
	const struct saved_input *k = &known->files[which];
	const struct saved_input *now = (const struct saved_input *)(const void *)t->inputs.data;
	const size_t count = t->inputs.size / sizeof *now;
	bool is_past = k->inode == 0;
	bool is_again = state_body(k) == 0;
	for (size_t i = which + 1; i < known->count + count; i++) {
		const struct saved_input *other = i < known->count ? &known->files[i] : &now[i - known->count];
		is_past = is_past || (other->device == k->device && other->inode == k->inode);
		is_again = is_again ||
			   (has_bytes_of(k, other) && (k->inode != 0 || other->inode == 0 || i >= known->count));
	}
	return is_past && is_again;
}

void state_inputs_save(const struct state_inputs *s, struct pack *p, const struct options *o,
		       const struct source *source)
{
	struct told t = {.status = STATUS_OK};
	struct pack files = {0};
	uint64_t kept = 0;
	t.status = bytes_reserve(&t.replaced, s->known.count + 1);
	if (t.status == STATUS_OK)
		memset(t.replaced.data, 0, s->known.count + 1);
	for (size_t i = 0; i < o->files.count && t.status == STATUS_OK; i++)
		add_input(&t, s, o, i, source);
	for (size_t i = 0; i < s->known.count && t.status == STATUS_OK; i++) {
		if (((const bool *)(const void *)t.replaced.data)[i] || is_known_again(&s->known, i, &t))
			continue;
		layout_pack(&files, &saved_input_layout, &s->known.files[i]);
		kept++;
	}
	const struct saved_input *now = (const struct saved_input *)(const void *)t.inputs.data;
	for (size_t i = 0; i < t.inputs.size / sizeof *now && t.status == STATUS_OK; i++, kept++)
		layout_pack(&files, &saved_input_layout, &now[i]);
	pack_count(p, kept);
	pack_raw(p, files.bytes.data, files.bytes.size);
	p->failed = p->failed || files.failed || t.status != STATUS_OK;
	bytes_free(&files.bytes);
	bytes_free(&t.inputs);
	free_names(&t.names);
	bytes_free(&t.replaced);
}

bool state_inputs_is_new(const struct state_inputs *s, const struct options *o, size_t input)
{
	const size_t known = s->seen[input].found.known;
	return known == SIZE_MAX || state_match_is_header(&s->known.files[known], o, o->files.names[input]);
}

bool state_inputs_have_array(const struct state_inputs *s)
{
	bool have = false;
	for (size_t i = 0; i < s->known.count && !have; i++)
		have = state_is_array(&s->known.files[i]);
	return have;
}

void state_inputs_free(struct state_inputs *s)
{
	bytes_free(&s->known_files);
	free_names(&s->names);
	memory_free(s->files);
	memory_free(s->seen);
}
