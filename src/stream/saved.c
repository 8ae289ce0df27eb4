#include "stream/saved.h"

#include "scan/layouts.h"

static void describe(struct pack *p, const char *before, const struct layout *l, const char *after)
{
	layout_say(p, before);
	layout_describe(p, l);
	layout_say(p, after);
}

/* What describe_sized needs. */
struct describer {
	struct pack *p;
	const struct saved_shape *shape;
	saved_sized *sized;
	const void *context;
	bool known; /* all types so far are known */
};

static void describe_sized(struct describer *d, size_t lane, const char *what)
{
	layout_say(d->p, ", sized ");
	d->known = d->sized(d->context, d->p, lane, what) && d->known;
	layout_say(d->p, what);
}

static void describe_segment(struct describer *d, size_t lane)
{
	describe(d->p, ", {", &saved_segment_layout, "");
	if (d->shape->lanes[lane].is_packed)
		describe_sized(d, lane, "last_results");
	if (d->shape->has_windows) {
		describe(d->p, ", ", &saved_window_layout, "");
		describe_sized(d, lane, "prefix");
		describe_sized(d, lane, "states");
	} else {
		describe_sized(d, lane, "cursor");
	}
	if (d->shape->lanes[lane].keeps)
		describe_sized(d, lane, "kept");
	layout_say_number(d->p, "} lane", lane + 1, "");
}

static void describe_keys(struct describer *d)
{
	const size_t count = d->shape->lane_count;
	for (size_t i = 0; i < count; i++) {
		describe(d->p, ", {", &saved_key_lane_layout, "} of_lane");
		layout_say_number(d->p, "", i + 1, "");
	}
	describe(d->p, ", ", &saved_keys_layout, ", {text key");
	if (d->shape->has_resets)
		describe(d->p, ", {", &saved_resets_layout, "} resets");
	for (size_t i = 0; i < count; i++)
		describe_segment(d, i);
	layout_say(d->p, "} keys[]");
}

bool saved_describe(struct pack *p, const struct saved_shape *shape, saved_sized *sized, const void *context)
{
	struct describer d = {.p = p, .shape = shape, .sized = sized, .context = context, .known = true};
	describe(p, "", &saved_scan_layout, "");
	describe_keys(&d);
	return d.known && !p->failed;
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
