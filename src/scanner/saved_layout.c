/* The members that saved_layout.h lists, with their types and places. */
#include "scanner/saved_layout.h"

#include "scan/layouts.h"

union value saved_value_load(const struct saved_value *saved, size_t size)
{
	union value v = {.i128 = {saved->lo, saved->hi}};
	if (size == 1)
		v = (union value){.u8 = (uint8_t)saved->lo};
	else if (size == 2)
		v = (union value){.u16 = (uint16_t)saved->lo};
	else if (size == 4)
		v = (union value){.u32 = (uint32_t)saved->lo};
	return v;
}

static void describe(struct pack *p, const char *before, const struct layout *l, const char *after)
{
	layout_say(p, before);
	layout_describe(p, l);
	layout_say(p, after);
}

/* The description that is made. */
struct describer {
	struct pack *p;
	saved_sized *sized;
	const void *context;
};

/* False if the lane has no such member. */
static bool describe_sized(const struct describer *d, size_t lane, const char *what)
{
	const size_t before = d->p->bytes.size;
	layout_say(d->p, ", sized ");
	const bool has = d->sized(d->context, d->p, lane, what);
	if (has)
		layout_say(d->p, what);
	else
		d->p->bytes.size = before;
	return has;
}

static void describe_segment(const struct describer *d, size_t lane)
{
	describe(d->p, ", {", &saved_segment_layout, ", ");
	layout_describe(d->p, &record_counts_layout);
	(void)describe_sized(d, lane, "last_results");
	if (!describe_sized(d, lane, "cursor")) {
		describe(d->p, ", ", &saved_window_layout, "");
		(void)describe_sized(d, lane, "prefix");
		(void)describe_sized(d, lane, "states");
		(void)describe_sized(d, lane, "kept");
	}
	layout_say_number(d->p, "} lane", lane + 1, "");
}

void saved_describe(struct pack *p, size_t lane_count, bool has_resets, saved_sized *sized, const void *context)
{
	const struct describer d = {.p = p, .sized = sized, .context = context};
	describe(p, "", &saved_scan_layout, "");
	for (size_t i = 0; i < lane_count; i++) {
		describe(p, ", {", &saved_key_lane_layout, "} of_lane");
		layout_say_number(p, "", i + 1, "");
		if (sized(context, p, i, "texts"))
			describe(p, ", {", &saved_kept_text_layout, "} texts[]");
	}
	describe(p, ", ", &saved_keys_layout, ", {text key");
	if (has_resets)
		describe(p, ", {", &saved_resets_layout, "} resets");
	for (size_t i = 0; i < lane_count; i++)
		describe_segment(&d, i);
	layout_say(p, "} keys[]");
}

void saved_leave_out_sized(struct pack *p, const struct saved_text *words)
{
	static const char word[] = "sized ";
	const size_t size = sizeof word - 1;
	for (size_t i = 0; i < words->size;) {
		if (words->size - i < size || memcmp(words->data + i, word, size) != 0) {
			pack_raw(p, words->data + i++, 1);
			continue;
		}
		size_t depth = 0;
		layout_say(p, word);
		i += size;
		for (bool more = true; more && i < words->size; i++) {
			const unsigned char c = words->data[i];
			depth += c == '{' || c == '(';
			depth -= depth > 0 && (c == '}' || c == ')');
			more = depth > 0 || c != ' ';
		}
	}
}
