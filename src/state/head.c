/* The description is made from the layouts of the members, so it changes when a member does. A file with another
 * description is refused. */
#include "state/head.h"

#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/version.h"
#include "scan/row.h"

/* Between who wrote the file and the layout. */
#define ORDER ", least byte first: "

/* Appends this program's description of the section. */
static void describe(struct pack *p)
{
	layout_say(p, "pscan " PSCAN_VERSION);
	layout_say_number(p, ", grid ", GRID_VERSION, ORDER);
	layout_describe(p, &saved_counters_layout);
	layout_say(p, ", ");
	layout_describe(p, &saved_options_layout);
	layout_say(p, ", ");
	layout_describe(p, &saved_header_layout);
	layout_say(p, ", {");
	layout_describe(p, &saved_input_layout);
	layout_say(p, "} inputs[]");
}

void state_head_put(struct pack *p)
{
	struct pack words = {0};
	describe(&words);
	pack_text(p, words.bytes.data, words.bytes.size);
	p->failed = p->failed || words.failed;
	bytes_free(&words.bytes);
}

/* Returns the words up to a comma, and passes over the comma. */
static struct saved_text read_words(struct saved_text *words)
{
	const unsigned char *comma = words->size > 0 ? memchr(words->data, ',', words->size) : NULL;
	struct saved_text taken = *words;
	if (comma != NULL)
		taken.size = (size_t)(comma - words->data);
	/* With the blank after it. */
	const size_t passed = words->size - taken.size < 2 ? words->size : taken.size + 2;
	words->data += passed;
	words->size -= passed;
	return taken;
}

enum status state_head_read(struct unpack *u, const char *option, const char *name)
{
	struct pack own = {0};
	struct saved_text saved;
	enum status status;
	saved.data = unpack_text(u, &saved.size);
	describe(&own);
	if (own.failed || u->failed || saved.data == NULL) {
		bytes_free(&own.bytes);
		return own.failed ? STATUS_SYSTEM : STATUS_OK;
	}
	struct saved_text mine = {own.bytes.data, own.bytes.size};
	char where[MESSAGE_NAME_SIZE + MESSAGE_QUOTED_SIZE + 32];
	const struct saved_text program = read_words(&saved);
	(void)read_words(&mine);
	(void)snprintf(where, sizeof where, "%s: %s: %s wrote it", option, name,
		       message_quoted_part(program.data, program.size));
	const struct saved_text grid = read_words(&saved);
	const struct saved_text my_grid = read_words(&mine);
	if (grid.size != my_grid.size || memcmp(grid.data, my_grid.data, grid.size) != 0)
		status = message_refuse("%s for another grid: %s in the state, %s now", where,
					message_quoted_part(grid.data, grid.size),
					message_quoted_part(my_grid.data, my_grid.size));
	else
		status = layout_compare(where, &saved, &mine);
	bytes_free(&own.bytes);
	return status;
}
