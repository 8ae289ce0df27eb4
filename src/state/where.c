/* A file is known by its inode, under whatever name it is now: a log that was renamed lies beside its old name. */
#include "state/where.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/message.h"
#include "io/input.h"

enum status state_input_failed(const char *name, int error)
{
	return message_fail("%s: %s", message_shown(input_label(name)),
			    error != 0 ? strerror(error) : input_shrunk_text);
}

bool state_has_inode(const struct saved_input *known, const struct stat *st)
{
	return known->device == (uint64_t)st->st_dev && known->inode == (uint64_t)st->st_ino;
}

size_t state_find_inode(const struct state_known *known, const struct stat *st)
{
	size_t i = known->count;
	while (i > 0 && !state_has_inode(&known->files[i - 1], st))
		i--;
	return i > 0 ? i - 1 : SIZE_MAX;
}

uint64_t state_body(const struct saved_input *known)
{
	return known->taken - known->header;
}

bool state_is_array(const struct saved_input *known)
{
	return known->whole != 0 && known->header > 0;
}

/* Bytes of a file's header, if it is as the known one. (An array's has another size where its shape has more
 * digits.) */
static uint64_t header_of(const struct saved_input *known, int fd)
{
	return state_is_array(known) ? source_array_header(fd) : known->header;
}

bool state_fits(const struct saved_input *known, int fd, const struct stat *st, uint64_t *end, int *error)
{
	uint64_t first;
	uint64_t last;
	const uint64_t header = header_of(known, fd);
	*error = 0;
	*end = header + state_body(known);
	/* (No array goes on after an empty one.) */
	if (state_is_array(known) && (header == 0 || (state_body(known) == 0 && (uint64_t)st->st_size > *end)))
		return false;
	return (uint64_t)st->st_size >= *end && source_hash_ends(fd, header, state_body(known), &first, &last, error) &&
	       first == known->first && last == known->last;
}

bool state_may_begin(const struct saved_input *known, const struct source_starts *starts)
{
	return starts->count > 0 && starts->count <= known->starts.size &&
	       memcmp(starts->hashes, known->starts.data, starts->count) == 0;
}

enum status state_open_input(const char *name, int *fd, struct stat *st)
{
	*fd = -1;
	/* (To open a FIFO is seen by its writer.) */
	if (!input_stat(name, st))
		return state_input_failed(name, errno);
	if (!S_ISREG(st->st_mode))
		return STATUS_OK;
	*fd = input_open_descriptor(name);
	return *fd >= 0 && fstat(*fd, st) == 0 ? STATUS_OK : state_input_failed(name, errno);
}

void state_close_input(int fd)
{
	if (fd > STDIN_FILENO)
		(void)close(fd);
}

static bool is_there(const struct saved_input *known, const struct state_found_file *place)
{
	uint64_t end;
	int error;
	return state_fits(known, place->fd, &place->st, &end, &error);
}

/* Opens the file of that name if it has the known one's inode. */
static bool open_if_it_is(const struct saved_input *known, const char *name, struct state_found_file *place)
{
	struct stat st;
	if (!input_stat(name, &st) || !S_ISREG(st.st_mode) || !state_has_inode(known, &st))
		return false;
	const int fd = input_open_descriptor(name);
	if (fd >= 0 && fstat(fd, &place->st) == 0 && state_has_inode(known, &place->st)) {
		place->fd = fd;
		return true;
	}
	state_close_input(fd);
	return false;
}

/* The same if it still begins so. */
static bool open_if_it_fits(const struct saved_input *known, const char *name, struct state_found_file *place)
{
	if (!open_if_it_is(known, name, place))
		return false;
	if (is_there(known, place)) {
		place->where = WHERE_THERE;
		return true;
	}
	state_close_input(place->fd);
	place->fd = -1;
	return false;
}

/* The same for the names in the directory of one. */
static void open_beside(const struct saved_input *known, char name[PATH_MAX], struct state_found_file *place)
{
	char *slash = strrchr(name, '/');
	const size_t length = slash != NULL ? (size_t)(slash - name) + 1 : 0;
	if (length == 0)
		return;
	slash[1] = '\0';
	DIR *directory = opendir(name);
	const struct dirent *entry;
	bool found = false;
	while (!found && directory != NULL && (entry = readdir(directory)) != NULL) {
		if ((uint64_t)entry->d_ino != known->inode)
			continue;
		(void)snprintf(name + length, PATH_MAX - length, "%s", entry->d_name);
		found = open_if_it_fits(known, name, place);
	}
	if (directory != NULL)
		(void)closedir(directory);
}

struct state_found_file state_look_for(const struct state_known *known, size_t which, const struct options *o)
{
	const struct saved_input *k = &known->files[which];
	struct state_found_file place = {.fd = -1, .where = WHERE_GONE};
	const struct stat own = {.st_dev = (dev_t)k->device, .st_ino = (ino_t)k->inode};
	char name[PATH_MAX];
	bool found = false;
	(void)snprintf(name, sizeof name, "%.*s", (int)(k->name.size < PATH_MAX ? k->name.size : 0),
		       (const char *)k->name.data);
	if (k->inode == 0 && input_stat(name, &place.st))
		place.where = WHERE_THERE;
	if (k->inode == 0 || state_find_inode(known, &own) != which)
		return place;
	if (open_if_it_is(k, name, &place)) {
		place.where = is_there(k, &place) ? WHERE_THERE : WHERE_CUT;
		return place;
	}
	/* (Where it has other bytes under another name its inode is used again.) */
	for (size_t i = 0; i < o->files.count && !found; i++)
		found = open_if_it_fits(k, o->files.names[i], &place);
	if (!found)
		open_beside(k, name, &place);
	return place;
}

bool state_begins(const struct state_found_file *place, const struct saved_input *known, uint64_t size, uint64_t first,
		  uint64_t last)
{
	uint64_t its_first = known->first;
	uint64_t its_last = known->last;
	int error;
	if (place->where != WHERE_THERE || (place->fd < 0 && size != state_body(known)))
		return false;
	if (place->fd >= 0) {
		const uint64_t header = header_of(known, place->fd);
		if (size > (uint64_t)place->st.st_size - header ||
		    !source_hash_ends(place->fd, header, size, &its_first, &its_last, &error))
			return false;
	}
	return its_first == first && its_last == last;
}

bool state_is_begin_of(const struct state_found_file *place, const struct saved_input *known, int fd,
		       const struct stat *st)
{
	uint64_t first;
	uint64_t last;
	int error;
	const uint64_t size = (uint64_t)st->st_size;
	const uint64_t header = header_of(known, fd);
	return place->where == WHERE_THERE && size >= header &&
	       source_hash_ends(fd, header, size - header, &first, &last, &error) &&
	       state_begins(place, known, size - header, first, last);
}
