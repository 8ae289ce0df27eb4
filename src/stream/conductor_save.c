/* The scan between two records as bytes, and the way back (cli/state.h says what they are). */
#include <string.h>

#include "base/message.h"
#include "stream/key_scans.h"

/* What is said of a segment, in one byte. */
#define SEGMENT_HAS_LAST 1
#define SEGMENT_IS_PAST 2
#define SEGMENT_HAS_OUTSIDE 4

static void pack_value(struct pack *p, const union value *v)
{
	pack_number(p, v->i128.lo, 8);
	pack_number(p, v->i128.hi, 8);
}

static union value unpack_value(struct unpack *u)
{
	const uint64_t low = unpack_number(u, 8);
	return (union value){.i128 = {low, unpack_number(u, 8)}};
}

static void pack_result(struct pack *p, const struct result *r)
{
	union value v = {0};
	memcpy(&v, &r->value, r->format.type->size);
	pack_number(p, r->format.type->id, 1);
	pack_number(p, r->format.decimal, 1);
	pack_number(p, r->format.scale, 1);
	pack_number(p, r->absent, 1);
	pack_value(p, &v);
}

static struct result unpack_result(struct unpack *u)
{
	struct result r = {.format.type = &type_table[unpack_number_to(u, 1, TYPE_COUNT - 1)]};
	r.format.decimal = unpack_number_to(u, 1, 1) != 0;
	r.format.scale = (unsigned)unpack_number_to(u, 1, DECIMAL_SCALE_MAX);
	r.absent = unpack_number_to(u, 1, 1) != 0;
	r.value = unpack_value(u);
	u->failed = u->failed || (r.format.decimal && r.format.type->id != TYPE_I64 && r.format.type->id != TYPE_I128);
	return r;
}

/* A lane of which there is one scan. */
static void pack_lane(struct pack *p, const struct conductor *c, size_t lane)
{
	const struct lane *l = &c->lanes[lane];
	const struct element_format *reading = &c->readings[lane];
	pack_number(p, reading->type->id, 1);
	pack_number(p, reading->decimal, 1);
	pack_number(p, reading->scale, 1);
	pack_count(p, l->submitted);
	pack_number(p, l->has_last, 1);
	pack_number(p, l->has_result, 1);
	pack_number(p, l->scale_before, 1);
	pack_number(p, l->row.results.count, 1);
	for (size_t i = 0; i < l->row.results.count; i++)
		pack_result(p, &l->last[i]);
	pack_number(p, l->pending.status, 1);
	pack_text(p, l->pending.text, strlen(l->pending.text));
	pack_text(p, l->cursor, l->row.code->cursor_size);
}

enum status conductor_unpack_lane(struct unpack *u, struct conductor *c, size_t lane)
{
	struct lane *l = &c->lanes[lane];
	struct element_format *reading = &c->readings[lane];
	const struct type *type = &type_table[unpack_number_to(u, 1, TYPE_COUNT - 1)];
	const bool is_decimal = unpack_number_to(u, 1, 1) != 0;
	const unsigned scale = (unsigned)unpack_number_to(u, 1, DECIMAL_SCALE_MAX);
	const bool has_width = type->id == TYPE_I64 || type->id == TYPE_I128;
	const bool fits = l->plan->decimal ? has_width ? is_decimal : !is_decimal && type->id == TYPE_F64
					   : !is_decimal && type == reading->type;
	size_t size;
	u->failed = u->failed || !fits;
	if (u->failed)
		return STATUS_OK;
	reading->type = type;
	reading->decimal = is_decimal;
	reading->scale = scale;
	const enum status status = conductor_set_row(c, lane);
	if (status != STATUS_OK)
		return status;
	l->submitted = unpack_count(u);
	l->has_last = unpack_number_to(u, 1, 1) != 0;
	l->has_result = unpack_number_to(u, 1, 1) != 0;
	/* (No element has more decimals than what is taken in.) */
	l->scale_before = (unsigned)unpack_number_to(u, 1, is_decimal ? scale : DECIMAL_SCALE_MAX);
	u->failed = u->failed || unpack_number(u, 1) != l->row.results.count;
	for (size_t i = 0; i < l->row.results.count && !u->failed; i++) {
		l->last[i] = unpack_result(u);
		u->failed =
			u->failed || (!l->plan->decimal && l->last[i].format.type != l->row.results.numbers[i].type);
	}
	const bool is_pending = unpack_number_to(u, 1, STATUS_DEVICE) != STATUS_OK;
	const unsigned char *text = unpack_text(u, &size);
	/* (It is said as it stands.) */
	for (size_t i = 0; i < size; i++)
		u->failed = u->failed || text[i] < ' ' || text[i] == 127;
	u->failed = u->failed || (is_pending && (size == 0 || size >= PROBLEM_TEXT_SIZE));
	if (is_pending && !u->failed) {
		l->pending = (struct problem){.status = STATUS_DATA, .fatal = true};
		memcpy(l->pending.text, text, size);
	}
	const unsigned char *cursor = unpack_text(u, &size);
	u->failed = u->failed || size != l->row.code->cursor_size;
	if (!u->failed)
		memcpy(l->cursor, cursor, size);
	return STATUS_OK;
}

/* Bytes of what a window keeps of an element: the element, or its index. */
#define KEPT_SIZE 17
#define KEPT_INDEX_SIZE 8

static size_t kept_bytes(const struct window *w)
{
	return w->kept_size == 0 ? 0 : w->kept_size == sizeof(uint64_t) ? KEPT_INDEX_SIZE : KEPT_SIZE;
}

static void pack_kept(struct pack *p, const struct window *w, uint64_t i)
{
	const unsigned char *at = w->kept + i * w->kept_size;
	struct written_element e;
	uint64_t index;
	if (kept_bytes(w) == KEPT_INDEX_SIZE) {
		memcpy(&index, at, sizeof index);
		pack_number(p, index, KEPT_INDEX_SIZE);
		return;
	}
	memcpy(&e, at, sizeof e);
	pack_value(p, &e.value);
	pack_number(p, e.own, 1);
}

static void pack_window(struct pack *p, const struct window *w, const struct window_row *row)
{
	const uint64_t count = window_pack(p, w, row);
	const uint64_t kept = w->kept_size > 0 ? count : 0;
	pack_count(p, kept * kept_bytes(w));
	for (uint64_t i = 0; i < kept; i++)
		pack_kept(p, w, i);
}

static void unpack_kept(struct unpack *u, struct window *w, uint64_t i)
{
	unsigned char *at = w->kept + i * w->kept_size;
	if (kept_bytes(w) == KEPT_INDEX_SIZE) {
		const uint64_t index = unpack_number(u, KEPT_INDEX_SIZE);
		memcpy(at, &index, sizeof index);
		return;
	}
	struct written_element e = {.value = unpack_value(u)};
	e.own = (unsigned char)unpack_number(u, 1);
	u->failed = u->failed || (e.own & OWN_SCALE_MASK) > DECIMAL_SCALE_MAX;
	memcpy(at, &e, sizeof e);
}

static enum status unpack_window(struct unpack *u, struct window *w, const struct window_row *row)
{
	uint64_t count;
	const enum status status = window_unpack(u, w, row, &count);
	const uint64_t kept = w->kept_size > 0 ? count : 0;
	u->failed = u->failed || unpack_count(u) != kept * kept_bytes(w);
	for (uint64_t i = 0; i < kept && !u->failed; i++)
		unpack_kept(u, w, i);
	return status;
}

/* The width and the scale must be set when this is called. */
static size_t cursor_size(const struct key_lane *l, const struct segment *g)
{
	return l->rows[g->width].code->cursor_size;
}

static void pack_segment(struct pack *p, const struct conductor *c, size_t lane, uint32_t key)
{
	const struct key_lane *l = &c->keys->lanes[lane];
	struct segment *g = key_segment(c->keys, lane, key);
	pack_number(p,
		    (g->has_last ? SEGMENT_HAS_LAST : 0) | (g->is_past ? SEGMENT_IS_PAST : 0) |
			    (l->outside_size > 0 && g->outside != NULL ? SEGMENT_HAS_OUTSIDE : 0),
		    1);
	pack_number(p, g->width, 1);
	pack_number(p, g->scale, 1);
	pack_number(p, g->own_scale, 1);
	pack_number(p, g->last_form, 1);
	pack_value(p, &g->last);
	pack_count(p, g->begun);
	pack_count(p, g->count);
	pack_count(p, segment_passed(l, g));
	if (l->last_offset > 0)
		pack_text(p, segment_last(l, g), c->lanes[lane].row.results.size);
	if (c->plan->window > 0)
		pack_window(p, segment_window(g), &l->windows[g->width]);
	else
		pack_text(p, segment_cursor(l, g), cursor_size(l, g));
}

/* Whether there is such a width of the lane's, and such a form of a result. */
static bool is_possible(const struct conductor *c, size_t lane, const struct segment *g)
{
	const struct plan_lane *l = c->lanes[lane].plan;
	const bool is_exact = g->last_form < RESULT_FORM_LANE;
	if (!l->decimal)
		return g->width == WIDTH_NARROW && g->last_form >= RESULT_FORM_LANE &&
		       g->last_form <= RESULT_FORM_ABSENT;
	return g->width < WIDTH_COUNT && (g->width != WIDTH_FLOAT || !l->op->bitwise) &&
	       g->scale <= DECIMAL_SCALE_MAX &&
	       g->own_scale <= (g->width == WIDTH_FLOAT ? DECIMAL_SCALE_MAX : g->scale) &&
	       (is_exact ? (g->last_form & RESULT_FORM_SCALE) <= DECIMAL_SCALE_MAX
			 : g->last_form <= RESULT_FORM_ABSENT);
}

/* The key has begun. */
static enum status unpack_segment(struct unpack *u, const struct conductor *c, size_t lane, uint32_t key)
{
	const struct key_lane *l = &c->keys->lanes[lane];
	struct segment *g = key_segment(c->keys, lane, key);
	const unsigned flags = (unsigned)unpack_number(u, 1);
	size_t size;
	g->has_last = (flags & SEGMENT_HAS_LAST) != 0;
	g->is_past = (flags & SEGMENT_IS_PAST) != 0;
	g->width = (unsigned char)unpack_number(u, 1);
	g->scale = (unsigned char)unpack_number(u, 1);
	g->own_scale = (unsigned char)unpack_number(u, 1);
	g->last_form = (unsigned char)unpack_number(u, 1);
	g->last = unpack_value(u);
	g->begun = unpack_count(u);
	g->count = unpack_count(u);
	const uint64_t passed = unpack_count(u);
	if (l->outside_size == 0)
		g->passed = passed;
	u->failed = u->failed || !is_possible(c, lane, g);
	if (u->failed) {
		g->width = WIDTH_NARROW; /* nothing goes on from here */
		return STATUS_OK;
	}
	if (l->outside_size > 0 && (flags & SEGMENT_HAS_OUTSIDE) != 0 && g->outside == NULL) {
		g->outside = keys_room(c->keys->keys, l->outside_size);
		if (g->outside == NULL)
			return STATUS_SYSTEM;
		memset(g->outside, 0, l->outside_size);
	}
	if (l->last_offset > 0) {
		const unsigned char *last = unpack_text(u, &size);
		u->failed = u->failed || size != c->lanes[lane].row.results.size;
		if (!u->failed)
			memcpy(segment_last(l, g), last, size);
	}
	if (c->plan->window > 0)
		return u->failed ? STATUS_OK : unpack_window(u, segment_window(g), &l->windows[g->width]);
	const unsigned char *cursor = unpack_text(u, &size);
	u->failed = u->failed || size != cursor_size(l, g) || (l->is_outside[g->width] && g->outside == NULL);
	if (!u->failed)
		memcpy(segment_cursor(l, g), cursor, size);
	return STATUS_OK;
}

static void pack_resets(struct pack *p, const struct key_resets *r)
{
	pack_count(p, r->begun);
	pack_number(p, r->is_known, 1);
	pack_number(p, (uint64_t)r->place, 8);
	pack_number(p, (uint64_t)((uint128)r->place >> 64), 8);
	pack_text(p, r->text.data, r->text.size);
	pack_text(p, r->name.data, r->name.size);
}

static enum status unpack_resets(struct unpack *u, struct key_resets *r)
{
	size_t size;
	r->begun = unpack_count(u);
	r->is_known = unpack_number_to(u, 1, 1) != 0;
	const uint64_t low = unpack_number(u, 8);
	r->place = (int128)((uint128)unpack_number(u, 8) << 64 | low);
	const unsigned char *text = unpack_text(u, &size);
	if (bytes_append(&r->text, text, size) != STATUS_OK)
		return STATUS_SYSTEM;
	text = unpack_text(u, &size);
	return bytes_append(&r->name, text, size);
}

/* So many keys show what each takes, about. */
#define FIRST_KEYS 64

static void pack_keys(struct pack *p, const struct conductor *c)
{
	const struct key_scans *k = c->keys;
	pack_number(p, keys_count(k->keys), 4);
	const uint32_t count = keys_count(k->keys);
	const size_t begun = p->bytes.size;
	for (uint32_t i = 0; i < count && !p->failed; i++) {
		size_t size;
		const unsigned char *bytes = keys_bytes(k->keys, i, &size);
		/* What others take is known by then, so that no growing copies all that is there over and over. */
		if (i == FIRST_KEYS)
			pack_expect(p, (p->bytes.size - begun) / FIRST_KEYS * (count - FIRST_KEYS));
		pack_text(p, bytes, size);
		if (k->head_size > 0)
			pack_resets(p, key_resets_of(k, i));
		for (size_t j = 0; j < c->lane_count; j++)
			pack_segment(p, c, j, i);
	}
}

/* A key's place in the table is fetched so many keys ahead. */
#define FETCHED 16

static enum status unpack_keys(struct unpack *u, struct conductor *c)
{
	struct key_scans *k = c->keys;
	const bool has_keys = c->plan->format.text.key_count > 0;
	const uint32_t count = (uint32_t)unpack_number_to(u, 4, has_keys ? NO_KEY - 1 : 1);
	/* No key takes less than a byte. */
	enum status status = keys_expect(k->keys, count < u->left ? count : (uint32_t)u->left);
	uint64_t hashes[FETCHED];
	uint32_t placed = 0;
	for (uint32_t i = 0; i < count && status == STATUS_OK && !u->failed; i++) {
		size_t size;
		const unsigned char *bytes = unpack_text(u, &size);
		if (u->failed)
			break;
		hashes[i % FETCHED] = has_keys ? hash_bytes(&c->plan->hash_key, bytes, size) : 0;
		status = keys_append(k->keys, hashes[i % FETCHED], bytes, size);
		if (status != STATUS_OK)
			break;
		key_scans_begin_key(c, i);
		if (k->head_size > 0)
			status = unpack_resets(u, key_resets_of(k, i));
		for (size_t j = 0; j < c->lane_count && status == STATUS_OK && !u->failed; j++)
			status = unpack_segment(u, c, j, i);
		while (placed <= i && (i == count - 1 || i - placed == FETCHED - 1)) {
			/* One that is not placed is there twice. */
			u->failed = u->failed || !keys_place(k->keys, hashes[placed % FETCHED], placed);
			placed++;
		}
	}
	return status;
}

void conductor_save(const struct conductor *c, struct pack *p)
{
	pack_number(p, c->started, 1);
	pack_number(p, c->keys != NULL, 1);
	pack_number(p, c->lane_count, 4);
	for (size_t i = 0; i < c->lane_count && c->keys == NULL; i++)
		pack_lane(p, c, i);
	if (c->keys == NULL)
		return;
	/* What --show-state needs to know of each lane: how results without a form of their own are written. */
	for (size_t i = 0; i < c->lane_count; i++) {
		const struct packed *results = &c->lanes[i].row.results;
		pack_number(p, results->count, 1);
		for (size_t k = 0; k < results->count; k++)
			pack_number(p, results->numbers[k].type->id, 1);
		pack_number(p, c->keys->lanes[i].last_offset > 0, 1);
	}
	pack_number(p, c->keys->head_size > 0, 1);
	pack_number(p, c->keys->has_windows, 1);
	pack_keys(p, c);
}

static enum status unpack_all(struct unpack *u, struct conductor *c)
{
	enum status status = STATUS_OK;
	c->started = unpack_number_to(u, 1, 1) != 0;
	const bool has_keys = unpack_number_to(u, 1, 1) != 0;
	u->failed = u->failed || has_keys != (c->keys != NULL) || unpack_number(u, 4) != c->lane_count;
	for (size_t i = 0; i < c->lane_count && !has_keys && status == STATUS_OK && !u->failed; i++)
		status = conductor_unpack_lane(u, c, i);
	if (!has_keys || u->failed)
		return status;
	for (size_t i = 0; i < c->lane_count && !u->failed; i++) {
		const struct packed *results = &c->lanes[i].row.results;
		u->failed = u->failed || unpack_number(u, 1) != results->count;
		for (size_t k = 0; k < results->count; k++)
			(void)unpack_number_to(u, 1, TYPE_COUNT - 1);
		u->failed = u->failed || (unpack_number(u, 1) != 0) != (c->keys->lanes[i].last_offset > 0);
	}
	u->failed = u->failed || (unpack_number(u, 1) != 0) != (c->keys->head_size > 0);
	u->failed = u->failed || (unpack_number(u, 1) != 0) != c->keys->has_windows;
	return u->failed ? STATUS_OK : unpack_keys(u, c);
}

enum status conductor_load(struct conductor *c, const struct unpack *saved)
{
	struct unpack u = *saved;
	const enum status status = unpack_all(&u, c);
	if (status == STATUS_OK && (u.failed || u.left > 0)) {
		message_error("--state: what the file holds is no state of this scan");
		return STATUS_USAGE;
	}
	return status;
}
