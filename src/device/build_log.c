/* Compilers write an error's place before the word "error" or after it, and name the source in different ways. */
#include "device/build_log.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scan/program.h"

#define LINE_DIRECTIVE "#line 1 \""
#define ERROR "error: "

/* Finds ":LINE:COLUMN:" in a line of `size` bytes, and sets e->line and e->column. Returns where it begins, or NULL.
 * *after is the text that follows. clang may put " <Spelling=MACRO'S PLACE>" before the last colon. */
static const char *find_numbers(const char *line, size_t size, struct build_error *e, const char **after)
{
	for (const char *p = line; p < line + size; p++) {
		char *end;
		if (p[0] != ':' || p[1] < '1' || p[1] > '9')
			continue;
		e->line = strtoul(p + 1, &end, 10);
		e->column = 0;
		if (end[0] == ':' && end[1] >= '1' && end[1] <= '9')
			e->column = strtoul(end + 1, &end, 10);
		const bool is_spelled = strncmp(end, " <Spelling=", strlen(" <Spelling=")) == 0;
		const char *spelling = is_spelled ? strstr(end, ">:") : NULL;
		/* A file's name in the brackets may itself contain ">:". */
		while (spelling != NULL && (spelling[-1] < '0' || spelling[-1] > '9'))
			spelling = strstr(spelling + 1, ">:");
		const char *last = spelling != NULL ? spelling + 1 : end;
		*after = last + 1;
		if (e->column > 0 && last < line + size && last[0] == ':')
			return p;
	}
	e->line = e->column = 0;
	return NULL;
}

static size_t count_lines(const char *from, const char *to)
{
	size_t count = 0;
	for (; from < to; from++)
		count += *from == '\n';
	return count;
}

/* The names that #line gives to the texts that users wrote. */
static const char *const parts[] = {PROGRAM_FILE, PROGRAM_MAP, PROGRAM_EMIT};
#define PART_COUNT (sizeof parts / sizeof parts[0])

/* Converts a line number of the whole source to one within a part. 0: the line is not in the part. */
static unsigned long line_of_part(unsigned long line, const char *part, const char *source, size_t size)
{
	static const char end[] = LINE_DIRECTIVE;
	char begin[32];
	const char *text = NULL;
	const char *after = source + size;
	const size_t begin_size = (size_t)snprintf(begin, sizeof begin, LINE_DIRECTIVE "%s\"\n", part);
	for (const char *p = source; p + begin_size < source + size && after == source + size; p++) {
		if (text == NULL && memcmp(p, begin, begin_size) == 0)
			text = p + begin_size;
		else if (text != NULL && p >= text && memcmp(p, end, strlen(end)) == 0)
			after = p;
	}
	if (text == NULL)
		return 0;
	const size_t before = count_lines(source, text);
	return line > before && line <= before + count_lines(text, after) ? line - before : 0;
}

/* Converts e->line from a line of the whole source to one of the part that contains the line, and sets e->part. Sets
 * both to 0 and NULL if no part does. */
static void find_part(struct build_error *e, const char *source, size_t size)
{
	const unsigned long line = e->line;
	e->line = 0;
	for (size_t i = 0; i < PART_COUNT && e->line == 0; i++) {
		e->part = parts[i];
		e->line = line_of_part(line, parts[i], source, size);
	}
	if (e->line == 0)
		e->part = NULL;
}

/* Whether a #line of the source names this file. */
static bool is_named(const char *name, size_t name_size, const char *source, size_t size)
{
	const size_t directive = strlen(LINE_DIRECTIVE);
	for (const char *p = source; p + directive + name_size < source + size; p++) {
		if (memcmp(p, LINE_DIRECTIVE, directive) == 0 && memcmp(p + directive, name, name_size) == 0 &&
		    p[directive + name_size] == '"')
			return true;
	}
	return false;
}

/* Whether the source includes this file. The name may have a directory in front that the include does not have. */
static bool is_included(const char *name, size_t name_size, const char *source, size_t size)
{
	for (const char *p = source; p < source + size; p++) {
		const char end = *p == '<' ? '>' : '"';
		if (*p != '<' && *p != '"')
			continue;
		const char *after = memchr(p + 1, end, (size_t)(source + size - p) - 1);
		const size_t included = after != NULL ? (size_t)(after - p) - 1 : 0;
		if (included > 0 && included <= name_size && memcmp(p + 1, name + name_size - included, included) == 0)
			return true;
	}
	return false;
}

/* The first line of a log that has no error line. A first line that is only a heading is skipped. */
static struct build_error first_line(const char *log)
{
	size_t size = strcspn(log, "\n");
	const char *next = log + size + (log[size] != '\0');
	if (size > 1 && (log[size - 1] == ':' || (log[size - 1] == ' ' && log[size - 2] == ':')) && *next != '\0') {
		log = next;
		size = strcspn(log, "\n");
	}
	return (struct build_error){.why = log, .size = size};
}

struct build_error build_log_read(const char *log, const char *source, size_t source_size)
{
	struct build_error e = first_line(log);
	const char *error = strstr(log, ERROR);
	if (error == NULL)
		return e;
	const char *line = error;
	while (line > log && line[-1] != '\n')
		line--;
	const char *after = NULL;
	const char *numbers = find_numbers(line, strcspn(line, "\n"), &e, &after);
	const bool is_after = numbers != NULL && numbers > error;
	const char *name = is_after ? error + strlen(ERROR) : line;
	e.why = is_after ? after : error + strlen(ERROR);
	e.why += strspn(e.why, " ");
	e.size = strcspn(e.why, "\n");
	const size_t name_size = numbers != NULL ? (size_t)(numbers - name) : 0;
	for (size_t i = 0; i < PART_COUNT; i++) {
		if (name_size == strlen(parts[i]) && memcmp(name, parts[i], name_size) == 0)
			e.part = parts[i];
	}
	if (numbers == NULL || e.part != NULL)
		return e;
	if (is_named(name, name_size, source, source_size) || is_included(name, name_size, source, source_size))
		e.line = 0;
	else
		find_part(&e, source, source_size);
	return e;
}
