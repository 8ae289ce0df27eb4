/* Names become paths of segments. In the order of their paths those that begin alike stand together, so that each
 * member of the tree is a range of them, and the members within it are the ranges whose next segment is the same. */
#include "text/members.h"

#include <stdlib.h>
#include <string.h>

struct segment {
	const char *name;
	size_t size;
};

struct path {
	const struct segment *segments;
	size_t count;
	size_t index; /* among the names */
};

bool members_is_name(enum member_names kind, const char *name)
{
	bool is = true;
	for (const char *p = name; kind == NAMES_PATHS && *name == '/' && (p = strchr(p, '~')) != NULL; p++)
		is = is && (p[1] == '0' || p[1] == '1');
	return is;
}

/* Segments of a name. */
static size_t count_segments(enum member_names kind, const char *name)
{
	const bool is_pointer = kind == NAMES_PATHS && *name == '/';
	size_t count = is_pointer ? 0 : 1;
	for (const char *p = name; kind == NAMES_PATHS && *p != '\0'; p++)
		count += *p == (is_pointer ? '/' : '.');
	return count;
}

/* Cuts a name into its segments, whose bytes go to text. Returns how many bytes these are. */
static size_t cut_name(enum member_names kind, const char *name, struct segment *segments, char *text)
{
	const bool is_pointer = kind == NAMES_PATHS && *name == '/';
	const char separator = is_pointer ? '/' : '.';
	char *to = text;
	*segments = (struct segment){.name = text};
	for (const char *p = name + is_pointer; *p != '\0'; p++) {
		if (kind == NAMES_PATHS && *p == separator) {
			segments->size = (size_t)(to - segments->name);
			*++segments = (struct segment){.name = to};
			continue;
		}
		const bool is_escape = is_pointer && *p == '~';
		p += is_escape;
		*to++ = (char)(!is_escape ? *p : *p == '0' ? '~' : '/');
	}
	segments->size = (size_t)(to - segments->name);
	return (size_t)(to - text);
}

/* By size first, as members_find has them. */
static int compare_segments(const struct segment *a, const struct segment *b)
{
	if (a->size != b->size)
		return a->size < b->size ? -1 : 1;
	return memcmp(a->name, b->name, a->size);
}

static int compare_paths(const void *left, const void *right)
{
	const struct path *a = left;
	const struct path *b = right;
	int order = 0;
	for (size_t i = 0; order == 0 && i < a->count && i < b->count; i++)
		order = compare_segments(&a->segments[i], &b->segments[i]);
	return order != 0 ? order : (a->count > b->count) - (a->count < b->count);
}

/* Whether a segment may be the index of an array's element, as RFC 6901 writes it. */
static bool is_index(const struct segment *s)
{
	bool is = s->size > 0 && (s->size == 1 || s->name[0] != '0');
	for (size_t i = 0; i < s->size; i++)
		is = is && s->name[i] >= '0' && s->name[i] <= '9';
	return is;
}

/* Paths in their order, each once. */
struct paths {
	struct path *paths;
	size_t count;
};

/* Adds the members within one whose paths have this many segments. The numbers of its fields are the paths' places,
 * from 1. */
static void add_within(struct members *m, const struct paths *paths, size_t at, size_t depth)
{
	struct member *parent = &m->members[at];
	parent->first = m->count;
	size_t i = (size_t)parent->begin - 1;
	/* The member's own path is the first one. */
	if (paths->paths[i].count == depth)
		parent->number = ++i;
	while (i < parent->end - 1) {
		const struct segment *s = &paths->paths[i].segments[depth];
		struct member *child = &m->members[m->count++];
		*child = (struct member){.name = s->name, .size = s->size, .begin = i + 1};
		while (i < parent->end - 1 && compare_segments(s, &paths->paths[i].segments[depth]) == 0)
			i++;
		child->end = i + 1;
		parent->has_indices = parent->has_indices || is_index(s);
		parent->count++;
	}
}

/* The tree, level by level. */
static enum status grow(struct members *m, const struct paths *paths, size_t segment_count)
{
	m->members = memory_new((segment_count + 1) * sizeof *m->members);
	if (m->members == NULL)
		return STATUS_SYSTEM;
	m->members[0] = (struct member){.begin = 1, .end = paths->count + 1};
	m->count = 1;
	m->field_count = paths->count;
	for (size_t at = 0, depth = 0, level_end = 1; at < m->count; at++) {
		if (at == level_end) {
			depth++;
			level_end = m->count;
		}
		add_within(m, paths, at, depth);
	}
	return STATUS_OK;
}

/* Sorts the paths, tells the names' numbers and leaves each path once. */
static void sort_paths(struct paths *paths, uint64_t *numbers)
{
	struct path *p = paths->paths;
	const size_t count = paths->count;
	qsort(p, count, sizeof *p, compare_paths);
	paths->count = 0;
	for (size_t i = 0; i < count; i++) {
		if (paths->count == 0 || compare_paths(&p[paths->count - 1], &p[i]) != 0)
			p[paths->count++] = p[i];
		numbers[p[i].index] = paths->count;
	}
}

static enum member_names kind_of(enum member_names kind, const bool *are_whole, size_t i)
{
	return are_whole != NULL && are_whole[i] ? NAMES_WHOLE : kind;
}

enum status members_make(struct members *m, enum member_names kind, const char *const *names, const bool *are_whole,
			 size_t count, uint64_t *numbers)
{
	size_t text_size = 1;
	size_t segment_count = 0;
	enum status status = STATUS_SYSTEM;
	*m = (struct members){0};
	for (size_t i = 0; i < count; i++) {
		text_size += strlen(names[i]);
		segment_count += count_segments(kind_of(kind, are_whole, i), names[i]);
	}
	struct paths paths = {.paths = memory_new((count + 1) * sizeof *paths.paths), .count = count};
	struct segment *segments = memory_new((segment_count + 1) * sizeof *segments);
	m->text = memory_new(text_size);
	if (paths.paths == NULL || segments == NULL || m->text == NULL)
		goto out;
	struct segment *next = segments;
	char *text = m->text;
	for (size_t i = 0; i < count; i++) {
		const enum member_names own = kind_of(kind, are_whole, i);
		paths.paths[i] = (struct path){.segments = next, .count = count_segments(own, names[i]), .index = i};
		text += cut_name(own, names[i], next, text);
		next += paths.paths[i].count;
	}
	sort_paths(&paths, numbers);
	status = grow(m, &paths, segment_count);
out:
	memory_free(segments);
	memory_free(paths.paths);
	return status;
}

void members_free(struct members *m)
{
	memory_free(m->members);
	memory_free(m->text);
	*m = (struct members){0};
}
