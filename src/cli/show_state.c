/* --show-state: a state file as text. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "cli/state.h"
#include "io/state_file.h"
#include "text/result.h"

/* Appended at a time, at least. */
#define LINE_SIZE 160

/* What is read, and the text so far. */
struct show {
	struct unpack u;
	struct pack text;
};

static void put_word(struct show *s, const char *word)
{
	pack_raw(&s->text, word, strlen(word));
}

static void put_number(struct show *s, const char *name, uint64_t number)
{
	char line[LINE_SIZE];
	(void)snprintf(line, sizeof line, "%s\t%" PRIu64 "\n", name, number);
	put_word(s, line);
}

/* Bytes of a file's, as far as they can be shown; kept: of others those that are. */
static void put_shown(struct show *s, const unsigned char *bytes, size_t size, const char *kept)
{
	static const char digits[] = "0123456789abcdef";
	for (size_t i = 0; i < size; i++) {
		const unsigned char c = bytes[i];
		const char code[4] = {'\\', 'x', digits[c >> 4], digits[c & 15]};
		if ((c < ' ' || c == '\\' || c == 127) && (c == '\0' || strchr(kept, c) == NULL))
			pack_raw(&s->text, code, sizeof code);
		else
			pack_raw(&s->text, &c, 1);
	}
}

static void put_quoted(struct show *s, const unsigned char *bytes, size_t size)
{
	put_shown(s, bytes, size, "");
}

static void put_result(struct show *s, const struct result *r)
{
	static const struct record_format plain = {.output = FORMAT_TEXT};
	unsigned char text[NUMBER_TEXT_MAX];
	const size_t size = r->absent ? 0 : result_put_number(&plain, &r->format, &r->value, text);
	pack_raw(&s->text, r->absent ? (const unsigned char *)"-" : text, r->absent ? 1 : size);
}

static union value take_value(struct unpack *u)
{
	const uint64_t low = unpack_number(u, 8);
	return (union value){.i128 = {low, unpack_number(u, 8)}};
}

static void show_inputs(struct show *s)
{
	const uint64_t count = unpack_count(&s->u);
	for (uint64_t i = 0; i < count && !s->u.failed; i++) {
		char line[LINE_SIZE];
		size_t size;
		const unsigned char *name = unpack_text(&s->u, &size);
		put_word(s, "input\t");
		put_quoted(s, name, size);
		const uint64_t bytes = unpack_count(&s->u);
		const uint64_t seconds = unpack_count(&s->u);
		(void)snprintf(line, sizeof line, "\t%" PRIu64 "\t%" PRIu64 ".%09" PRIu64 "\n", bytes, seconds,
			       unpack_count(&s->u) % 1000000000);
		put_word(s, line);
		(void)unpack_count(&s->u); /* where it was read from */
	}
}

static void show_lane(struct show *s)
{
	struct unpack *u = &s->u;
	size_t size;
	(void)unpack_raw(u, 3);
	(void)unpack_count(u);
	(void)unpack_raw(u, 3);
	put_word(s, "result");
	const uint64_t results = unpack_number(u, 1);
	for (uint64_t i = 0; i < results; i++) {
		struct result r = {.format.type = &type_table[unpack_number_to(u, 1, TYPE_COUNT - 1)]};
		r.format.decimal = unpack_number_to(u, 1, 1) != 0;
		r.format.scale = (unsigned)unpack_number_to(u, 1, DECIMAL_SCALE_MAX);
		r.absent = unpack_number_to(u, 1, 1) != 0;
		r.value = take_value(u);
		put_word(s, "\t");
		if (!u->failed)
			put_result(s, &r);
	}
	put_word(s, "\n");
	(void)unpack_number(u, 1);
	(void)unpack_text(u, &size); /* what does not fit */
	(void)unpack_text(u, &size); /* the cursor */
}

/* How the results of a lane are written that have no form of their own. */
struct shown_lane {
	struct packed results;
	bool is_packed;
};

static void show_packed(struct show *s, const struct shown_lane *l)
{
	size_t size;
	const unsigned char *last = unpack_text(&s->u, &size);
	for (size_t k = 0; k < l->results.count && size == l->results.size; k++) {
		struct result r = {.format.type = l->results.numbers[k].type};
		memcpy(&r.value, last + l->results.numbers[k].offset, r.format.type->size);
		put_word(s, "\t");
		put_result(s, &r);
	}
}

static void show_segment(struct show *s, const struct shown_lane *l, bool has_windows)
{
	struct unpack *u = &s->u;
	size_t size;
	(void)unpack_raw(u, 4);
	const unsigned char form = (unsigned char)unpack_number_to(u, 1, RESULT_FORM_ABSENT);
	u->failed = u->failed || (form < RESULT_FORM_LANE && (form & RESULT_FORM_SCALE) > DECIMAL_SCALE_MAX);
	const union value last = take_value(u);
	const struct lane_results given = {.format.type = l->results.numbers[0].type,
					   .results = &last,
					   .step = sizeof last,
					   .count = 1,
					   .forms = &form};
	for (int i = 0; i < 3; i++)
		(void)unpack_count(u);
	if (l->is_packed) {
		show_packed(s, l);
	} else if (!u->failed) {
		const struct result r = result_of(&given, 0);
		put_word(s, "\t");
		put_result(s, &r);
	}
	for (int i = 0; i < 2 && has_windows; i++)
		(void)unpack_count(u);
	(void)unpack_raw(u, has_windows ? 2 : 0);
	for (int i = 0; i < 2 && has_windows; i++)
		(void)unpack_count(u);
	for (int i = 0; i < (has_windows ? 3 : 1); i++)
		(void)unpack_text(u, &size);
}

static void show_keys(struct show *s, const struct shown_lane *lanes, size_t lane_count)
{
	struct unpack *u = &s->u;
	size_t size;
	const bool has_resets = unpack_number(u, 1) != 0;
	const bool has_windows = unpack_number(u, 1) != 0;
	const uint64_t count = unpack_number(u, 4);
	put_number(s, "keys", count);
	for (uint64_t i = 0; i < count && !u->failed && !s->text.failed; i++) {
		const unsigned char *key = unpack_text(u, &size);
		put_word(s, "key\t");
		put_quoted(s, key, size);
		if (has_resets) {
			(void)unpack_count(u);
			(void)unpack_raw(u, 17);
			(void)unpack_text(u, &size);
			(void)unpack_text(u, &size);
		}
		for (size_t j = 0; j < lane_count; j++)
			show_segment(s, &lanes[j], has_windows);
		put_word(s, "\n");
	}
}

static enum status show_scan(struct show *s)
{
	struct unpack *u = &s->u;
	(void)unpack_number(u, 1);
	const bool has_keys = unpack_number(u, 1) != 0;
	const size_t count = (size_t)unpack_number_to(u, 4, PLAN_LANES_MAX);
	for (size_t i = 0; i < count && !has_keys && !u->failed; i++)
		show_lane(s);
	if (!has_keys)
		return STATUS_OK;
	struct shown_lane *lanes = memory_new((count + 1) * sizeof *lanes);
	if (lanes == NULL)
		return STATUS_SYSTEM;
	for (size_t i = 0; i < count; i++) {
		lanes[i] = (struct shown_lane){0};
		const uint64_t results = unpack_number_to(u, 1, PACKED_MAX);
		u->failed = u->failed || results == 0;
		for (uint64_t k = 0; k < results; k++)
			packed_add(&lanes[i].results, &type_table[unpack_number_to(u, 1, TYPE_COUNT - 1)]);
		lanes[i].is_packed = unpack_number(u, 1) != 0;
	}
	if (!u->failed)
		show_keys(s, lanes, count);
	memory_free(lanes);
	return STATUS_OK;
}

enum status state_show(const char *path, struct bytes *text)
{
	struct state_file *file;
	struct show s = {0};
	size_t size;
	char name[MESSAGE_NAME_SIZE];
	enum status status = state_file_read(path, &file);
	if (status != STATUS_OK)
		return status;
	(void)state_file_content(file, &s.u);
	put_number(&s, "version", STATE_FILE_VERSION);
	put_number(&s, "runs", unpack_number(&s.u, 8));
	put_number(&s, "bytes", unpack_number(&s.u, 8));
	put_number(&s, "elements", unpack_number(&s.u, 8));
	(void)unpack_number(&s.u, 8); /* records */
	const unsigned char *scan = unpack_text(&s.u, &size);
	put_shown(&s, scan, size, "\t\n\\"); /* lines */
	const bool has_seed = unpack_number(&s.u, 1) != 0;
	const unsigned char *seed = unpack_text(&s.u, &size);
	put_word(&s, "--seed\t");
	put_quoted(&s, has_seed ? seed : (const unsigned char *)"no", has_seed ? size : 2);
	put_word(&s, "\n");
	show_inputs(&s);
	status = show_scan(&s);
	if (status == STATUS_OK && (s.u.failed || s.u.left > 0)) {
		message_error("--show-state: %s: it is damaged", message_name(name, path));
		status = STATUS_USAGE;
	}
	if (status == STATUS_OK && s.text.failed)
		status = STATUS_SYSTEM;
	state_file_free(file);
	if (status == STATUS_OK)
		*text = s.text.bytes;
	else
		bytes_free(&s.text.bytes);
	return status;
}
