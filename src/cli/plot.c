/* Connects a run with the pictures of plot/: names the curves, chooses the keys, and finds out what the terminal can
 * show. */
#include "cli/plot.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "cli/plan_steps.h"
#include "io/descriptor.h"
#include "io/new_file.h"
#include "number/parse.h"
#include "plot/picture.h"

/* Longer names are cut. */
#define NAME_LETTERS_MAX 40
#define NAME_SIZE 192
_Static_assert(NAME_SIZE > 4 * NAME_LETTERS_MAX + 4,
	       "room for a name of the longest letters, and what shows that it was cut");

/* The width of a line if it is not known otherwise. */
#define COLUMNS_USUAL 80

struct plot {
	size_t columns; /* results of a record */
	char names[CURVES_MAX][NAME_SIZE]; /* theirs */
	struct curves curves; /* with keys made in the end, */
	struct key_curves *key_curves; /* of these, else NULL, */
	struct bytes key_names[CURVES_MAX]; /* and of those that were chosen. Owned */
	const char *file; /* or NULL: the terminal */
	struct new_file svg;
};

/* What is drawn, and its names: those of keys and of results. */
struct named_curves {
	const char *names[CURVES_MAX];
	char texts[CURVES_MAX][2 * NAME_SIZE + 2];
	char note[128];
};

/* A name fit to be shown, and no longer than that. */
static void set_name(char out[NAME_SIZE], const char *name)
{
	size_t letters = 0;
	size_t size = 0;
	const char *shown = message_shown(name);
	for (; shown[size] != '\0'; size++) {
		const bool begins = ((unsigned char)shown[size] & 0xc0) != 0x80;
		if (begins && letters == NAME_LETTERS_MAX)
			break;
		letters += begins;
	}
	(void)snprintf(out, NAME_SIZE, "%.*s%s", (int)size, shown, shown[size] != '\0' ? "..." : "");
}

static enum status name_curve(const struct plan *plan, size_t i, const char **as, char out[NAME_SIZE])
{
	struct bytes name = {0};
	enum status status = plan_name_result(plan, i, as, &name);
	if (status == STATUS_OK)
		status = bytes_append(&name, "", 1);
	if (status == STATUS_OK)
		set_name(out, (const char *)name.data);
	bytes_free(&name);
	return status;
}

static void free_plot(struct plot *p)
{
	for (size_t i = 0; i < CURVES_MAX; i++)
		bytes_free(&p->key_names[i]);
	key_curves_free(p->key_curves);
	curves_free(&p->curves);
	memory_free(p);
}

enum status plot_open(const struct options *o, const struct plan *plan, struct plot **plot)
{
	const char *as = plan->format.text.output.as;
	const bool are_times = plan->format.text.along.given;
	enum status status = STATUS_OK;
	*plot = NULL;
	if (!o->reports.plots)
		return STATUS_OK;
	if (plan->result_count > CURVES_MAX)
		return message_refuse("--plot: %zu results of a record, but a picture has room for %d (see -f, -op)",
				      plan->result_count, CURVES_MAX);
	struct plot *p = memory_new(sizeof *p);
	if (p == NULL)
		return STATUS_SYSTEM;
	*p = (struct plot){.columns = plan->result_count, .file = o->reports.plot_file, .svg = {.fd = -1}};
	if (plan_has_keys(plan))
		p->key_curves = key_curves_new(p->columns, KEY_CURVES_BUDGET, are_times);
	if (plan_has_keys(plan) ? p->key_curves == NULL : curves_make(&p->curves, p->columns, are_times) != STATUS_OK)
		status = STATUS_SYSTEM;
	for (size_t i = 0; i < plan->result_count && status == STATUS_OK; i++)
		status = name_curve(plan, i, &as, p->names[i]);
	if (status == STATUS_OK && p->file != NULL)
		status = new_file_open(&p->svg, p->file, ENDING_PICTURE);
	if (status != STATUS_OK) {
		free_plot(p);
		return status;
	}
	*plot = p;
	return STATUS_OK;
}

void plot_set_parts(struct plot *p, struct pipeline_parts *parts)
{
	if (p == NULL)
		return;
	parts->curves = p->key_curves == NULL ? &p->curves : NULL;
	parts->key_curves = p->key_curves;
	parts->key_names = p->key_curves != NULL ? p->key_names : NULL;
}

const char *plot_temporary(const struct plot *p)
{
	return p != NULL ? new_file_temporary(&p->svg) : NULL;
}

/* The columns of the lines that are drawn: the terminal's, or without a terminal those of the environment. */
static size_t find_columns(void)
{
	const char *variable = getenv("COLUMNS");
	size_t columns = message_columns();
	union value v;
	if (columns == 0 && variable != NULL &&
	    number_parse(variable, strlen(variable), &type_table[TYPE_U16], &v) == NUMBER_OK && v.u16 > 0)
		columns = v.u16;
	if (columns == 0)
		columns = COLUMNS_USUAL;
	return columns < SCREEN_COLUMNS_MIN   ? SCREEN_COLUMNS_MIN
	       : columns > SCREEN_COLUMNS_MAX ? SCREEN_COLUMNS_MAX
					      : columns;
}

/* Whether the locale's characters are UTF-8. (The program's own locale is C, for the sake of its numbers.) */
static bool locale_has_unicode(void)
{
	static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
	const char *locale = NULL;
	for (size_t i = 0; i < sizeof variables / sizeof variables[0] && locale == NULL; i++) {
		const char *value = getenv(variables[i]);
		if (value != NULL && value[0] != '\0')
			locale = value;
	}
	return locale != NULL && (strstr(locale, "UTF-8") != NULL || strstr(locale, "utf-8") != NULL ||
				  strstr(locale, "utf8") != NULL || strstr(locale, "UTF8") != NULL);
}

static enum status draw_file(struct plot *p, const struct picture *picture)
{
	struct bytes text = {0};
	enum status status = picture_as_svg(picture, &text);
	if (status == STATUS_OK && !descriptor_write(p->svg.fd, text.data, text.size, DESCRIPTOR_PLACE))
		status = message_fail("%s: %s", p->svg.name, strerror(errno));
	bytes_free(&text);
	return status;
}

static enum status draw_on_terminal(const struct picture *picture)
{
	const struct screen screen = {.columns = find_columns(),
				      .has_unicode = locale_has_unicode(),
				      .has_colours = message_is_on_terminal() && message_may_style()};
	struct bytes text = {0};
	enum status status = picture_for_terminal(picture, &screen, &text);
	/* (A message would get as far as the picture.) */
	if (status == STATUS_OK && !message_bytes(text.data, text.size))
		status = STATUS_SYSTEM;
	bytes_free(&text);
	return status;
}

/* A key's name, in which a NUL is shown as other control bytes are. */
static enum status name_key(struct bytes *key, char out[NAME_SIZE])
{
	struct bytes text = {0};
	enum status status = STATUS_OK;
	for (size_t i = 0; i < key->size && status == STATUS_OK; i++)
		status = key->data[i] == 0 ? bytes_append(&text, "\\x00", 4) : bytes_append(&text, &key->data[i], 1);
	if (status == STATUS_OK)
		status = bytes_append(&text, "", 1);
	if (status == STATUS_OK)
		set_name(out, key->size > 0 ? (const char *)text.data : "\"\"");
	bytes_free(&text);
	return status;
}

/* Makes the curves of the keys with most records. */
static enum status make_key_curves(struct plot *p, struct named_curves *named)
{
	uint32_t keys[CURVES_MAX];
	const size_t count = key_curves_choose(p->key_curves, keys);
	const uint64_t all = key_curves_keys(p->key_curves);
	char key[NAME_SIZE];
	if (count == 0) {
		(void)snprintf(named->texts[0], sizeof named->texts[0], "no keys");
		return curves_make(&p->curves, 1, false);
	}
	enum status status = key_curves_draw(p->key_curves, keys, count, &p->curves);
	for (size_t i = 0; i < p->curves.count && status == STATUS_OK; i++) {
		status = name_key(&p->key_names[i / p->columns], key);
		(void)snprintf(named->texts[i], sizeof named->texts[i], p->columns > 1 ? "%s: %s" : "%s", key,
			       p->names[i % p->columns]);
	}
	if (count < all)
		(void)snprintf(named->note, sizeof named->note, "(%zu of %" PRIu64 " keys)", count, all);
	return status;
}

static enum status draw(struct plot *p)
{
	struct named_curves named = {.note = ""};
	enum status status = STATUS_OK;
	if (p->key_curves != NULL)
		status = make_key_curves(p, &named);
	for (size_t i = 0; i < CURVES_MAX; i++)
		named.names[i] = p->key_curves != NULL ? named.texts[i] : p->names[i];
	const uint64_t timeless = p->curves.timeless;
	const size_t size = strlen(named.note);
	if (timeless > 0)
		(void)snprintf(named.note + size, sizeof named.note - size, "%s(%" PRIu64 " record%s without a time)",
			       size > 0 ? " " : "", timeless, timeless == 1 ? "" : "s");
	const struct picture picture = {.curves = &p->curves,
					.names = named.names,
					.is_of_keys = p->key_curves != NULL,
					.note = named.note[0] != '\0' ? named.note : NULL};
	TRY(status);
	return p->file != NULL ? draw_file(p, &picture) : draw_on_terminal(&picture);
}

enum status plot_close(struct plot *p, bool complete)
{
	enum status status = STATUS_OK;
	if (p == NULL)
		return STATUS_OK;
	if (complete)
		status = draw(p);
	if (p->file != NULL && complete && status == STATUS_OK)
		status = new_file_close(&p->svg, true);
	else if (p->file != NULL)
		new_file_abandon(&p->svg);
	free_plot(p);
	return status;
}
