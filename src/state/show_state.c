/* --show-state: a state file as text. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "state/state.h"
#include "state/head.h"
#include "io/state_file.h"
#include "scan/layouts.h"
#include "scanner/saved_layout.h"
#include "text/header.h"
#include "text/result.h"

/* Appended at a time, at least. */
#define LINE_SIZE 160

/* The state that is read, and the text so far. */
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

static void show_inputs(struct show *s)
{
	const uint64_t count = unpack_count(&s->u);
	for (uint64_t i = 0; i < count && !s->u.failed; i++) {
		char line[LINE_SIZE];
		struct saved_input input;
		layout_unpack(&s->u, &saved_input_layout, &input);
		put_word(s, "input\t");
		put_quoted(s, input.name.data, input.name.size);
		(void)snprintf(line, sizeof line, "\t%" PRIu64 "\n", input.taken);
		put_word(s, line);
	}
}

static void show_names(struct show *s)
{
	struct saved_header header;
	layout_unpack(&s->u, &saved_header_layout, &header);
	put_word(s, "names");
	for (size_t i = 0, end; i < header.names.size; i = end + 1) {
		for (end = i; end < header.names.size && header.names.data[end] != '\n'; end++)
			;
		put_word(s, "\t");
		if (header_is_unknown(header.names.data + i, end - i))
			put_word(s, "-");
		else
			put_quoted(s, header.names.data + i, end - i);
	}
	put_word(s, "\n");
}

static void show_head(struct show *s)
{
	struct saved_counters counters;
	struct saved_options saved;
	layout_unpack(&s->u, &saved_counters_layout, &counters);
	put_number(s, "runs", counters.runs);
	put_number(s, "bytes", counters.bytes);
	put_number(s, "elements", counters.elements);
	layout_unpack(&s->u, &saved_options_layout, &saved);
	put_shown(s, saved.options.data, saved.options.size, "\t\n\\"); /* lines */
	put_word(s, saved.has_seed != 0 ? "--seed\t" : "--seed");
	put_quoted(s, saved.seed.data, saved.has_seed != 0 ? saved.seed.size : 0);
	put_word(s, "\n");
	show_names(s);
	show_inputs(s);
}

/* How the results of a lane are written that have no form of their own. */
struct shown_lane {
	struct packed results;
	bool is_packed;
	bool has_window, keeps; /* it has windows, which keep their elements */
	bool has_texts; /* its results are texts: */
	struct bytes texts; /* struct saved_kept_text, by number; owned */
};

static void show_packed(struct show *s, const struct shown_lane *l)
{
	size_t size;
	struct unpack u = {0};
	u.at = unpack_text(&s->u, &size);
	u.left = size;
	for (size_t k = 0; k < l->results.count && size == l->results.size; k++) {
		const struct type *type = l->results.numbers[k].type;
		const struct saved_value saved = {.lo = unpack_number(&u, type->size)};
		const struct result r = {.format.type = type, .value = saved_value_load(&saved, type->size)};
		put_word(s, "\t");
		put_result(s, &r);
	}
}

static int compare_texts(const void *a, const void *b)
{
	const uint32_t x = ((const struct saved_kept_text *)a)->number;
	const uint32_t y = ((const struct saved_kept_text *)b)->number;
	return (x > y) - (x < y);
}

/* The text of a lane with this number. */
static void show_text(struct show *s, const struct shown_lane *l, uint32_t number)
{
	const struct saved_kept_text wanted = {.number = number};
	const size_t count = l->texts.size / sizeof wanted;
	const struct saved_kept_text *found =
		count > 0 ? bsearch(&wanted, l->texts.data, count, sizeof wanted, compare_texts) : NULL;
	put_word(s, "\t");
	if (found != NULL)
		put_quoted(s, found->text.data, found->text.size);
}

static void show_segment(struct show *s, const struct shown_lane *l)
{
	struct unpack *u = &s->u;
	struct saved_segment saved;
	struct record_counts counts;
	struct saved_window window;
	size_t size;
	layout_unpack(u, &saved_segment_layout, &saved);
	layout_unpack(u, &record_counts_layout, &counts);
	const unsigned char form = saved.last_form;
	u->failed = u->failed || form > RESULT_FORM_ABSENT ||
		    (form < RESULT_FORM_LANE && (form & RESULT_FORM_SCALE) > DECIMAL_SCALE_MAX);
	const struct type *type = l->results.numbers[0].type;
	const union value last = saved_value_load(&saved.last, form == RESULT_FORM_LANE ? type->size : 16);
	const struct lane_results given = {
		.format.type = type, .results = &last, .step = sizeof last, .count = 1, .forms = &form};
	if (l->is_packed) {
		show_packed(s, l);
	} else if (l->has_texts && form == RESULT_FORM_LANE) {
		show_text(s, l, (uint32_t)last.u64);
	} else if (!u->failed) {
		const struct result r = result_of(&given, 0);
		put_word(s, "\t");
		put_result(s, &r);
	}
	if (l->has_window)
		layout_unpack(u, &saved_window_layout, &window);
	for (int i = 0; i < (l->has_window ? (l->keeps ? 3 : 2) : 1); i++)
		(void)unpack_text(u, &size);
}

static void show_keys(struct show *s, const struct shown_lane *lanes, size_t lane_count, struct saved_keys *keys)
{
	struct unpack *u = &s->u;
	size_t size;
	layout_unpack(u, &saved_keys_layout, keys);
	const uint64_t count = unpack_count(u);
	const bool is_one = keys->is_one != 0;
	if (!is_one)
		put_number(s, "keys", count);
	for (uint64_t i = 0; i < count && !u->failed && !s->text.failed; i++) {
		struct saved_resets resets;
		const unsigned char *key = unpack_text(u, &size);
		put_word(s, is_one ? "result" : "key\t");
		put_quoted(s, key, size);
		if (keys->has_resets != 0)
			layout_unpack(u, &saved_resets_layout, &resets);
		for (size_t j = 0; j < lane_count; j++) {
			put_word(s, is_one && j > 0 ? "\nresult" : "");
			show_segment(s, &lanes[j]);
		}
		put_word(s, "\n");
	}
}

/* Of each lane how its results are written. */
static enum status unpack_key_lane(struct unpack *u, struct shown_lane *l)
{
	struct saved_key_lane saved;
	layout_unpack(u, &saved_key_lane_layout, &saved);
	*l = (struct shown_lane){.is_packed = saved.is_packed != 0,
				 .has_window = saved.has_window != 0,
				 .keeps = saved.keeps != 0,
				 .has_texts = saved.has_texts != 0};
	u->failed = u->failed || saved.result_types.size == 0 || saved.result_types.size > PACKED_MAX;
	for (size_t k = 0; k < saved.result_types.size && !u->failed; k++) {
		u->failed = saved.result_types.data[k] >= TYPE_COUNT;
		packed_add(&l->results, &type_table[u->failed ? 0 : saved.result_types.data[k]]);
	}
	const uint64_t count = l->has_texts && !u->failed ? unpack_count(u) : 0;
	enum status status = STATUS_OK;
	for (uint64_t i = 0; i < count && !u->failed && status == STATUS_OK; i++) {
		struct saved_kept_text text;
		layout_unpack(u, &saved_kept_text_layout, &text);
		status = bytes_append(&l->texts, &text, sizeof text);
	}
	return status;
}

/* Says which members with a size a lane has, without their types, which are not shown. */
static bool describe_shown(const void *context, struct pack *p, size_t lane, const char *what)
{
	const struct shown_lane *l = (const struct shown_lane *)context + lane;
	(void)p;
	if (what[0] == 't')
		return l->has_texts;
	return what[0] == 'k' ? l->keeps : what[0] == 'l' ? l->is_packed : what[0] == 'c' ? !l->has_window : true;
}

/* Whether the scan's words are those for what was read as it was. */
static enum status compare_words(const struct saved_text *words, const struct shown_lane *lanes, size_t lane_count,
				 const struct saved_keys *keys, const char *name)
{
	struct pack own = {0};
	struct pack known = {0};
	char where[MESSAGE_NAME_SIZE + 32];
	(void)snprintf(where, sizeof where, "--show-state: %s: the scan is", name);
	saved_leave_out_sized(&known, words);
	saved_describe(&own, lane_count, keys->has_resets != 0, describe_shown, lanes);
	enum status status = own.failed || known.failed ? STATUS_SYSTEM : STATUS_OK;
	const struct saved_text a = {known.bytes.data, known.bytes.size};
	const struct saved_text b = {own.bytes.data, own.bytes.size};
	if (status == STATUS_OK)
		status = layout_compare(where, &a, &b);
	bytes_free(&own.bytes);
	bytes_free(&known.bytes);
	return status;
}

static enum status show_scan(struct show *s, const char *name)
{
	struct unpack *u = &s->u;
	struct saved_scan scan;
	struct saved_keys keys;
	struct saved_text words;
	words.data = unpack_text(u, &words.size);
	layout_unpack(u, &saved_scan_layout, &scan);
	u->failed = u->failed || scan.lanes > PLAN_LANES_MAX;
	const size_t count = u->failed ? 0 : scan.lanes;
	struct shown_lane *lanes = memory_new((count + 1) * sizeof *lanes);
	enum status status = lanes != NULL ? STATUS_OK : STATUS_SYSTEM;
	size_t taken = 0;
	while (taken < count && status == STATUS_OK && !u->failed)
		status = unpack_key_lane(u, &lanes[taken++]);
	if (status == STATUS_OK && !u->failed)
		show_keys(s, lanes, count, &keys);
	if (status == STATUS_OK && !u->failed)
		status = compare_words(&words, lanes, count, &keys, name);
	for (size_t i = 0; i < taken; i++)
		bytes_free(&lanes[i].texts);
	memory_free(lanes);
	return status;
}

enum status state_show(const char *path, struct bytes *text)
{
	struct state_file *file;
	struct show s = {0};
	char name[MESSAGE_NAME_SIZE];
	TRY(state_file_open(path, false, &file));
	(void)state_file_content(file, &s.u);
	put_number(&s, "version", STATE_FILE_VERSION);
	enum status status = state_head_read(&s.u, "--show-state", message_name(name, path));
	if (status == STATUS_OK) {
		show_head(&s);
		status = show_scan(&s, name);
	}
	if (status == STATUS_OK && (s.u.failed || s.u.left > 0))
		status = message_refuse("--show-state: %s: it is damaged", message_name(name, path));
	if (status == STATUS_OK && s.text.failed)
		status = STATUS_SYSTEM;
	state_file_free(file);
	if (status == STATUS_OK)
		*text = s.text.bytes;
	else
		bytes_free(&s.text.bytes);
	return status;
}
