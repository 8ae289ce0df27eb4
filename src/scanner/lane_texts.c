/* Texts as elements and results. The scan sees numbers of texts (u64) in their place. A number's upper half is the same
 * for all, so that the numbers that a scan still has are found among what it would save (lane_texts_sweep.c). Texts
 * that no scan has any more are forgotten: memory grows with the keys and windows, not with the stream. */
#include <string.h>

#include "base/message.h"
#include "number/decimal.h"
#include "number/parse.h"
#include "scanner/lane_texts.h"
#include "text/json.h"

/* The upper half of the numbers of texts. */
#define TEXT_TAG UINT32_C(0xa7e9c35b)

/* More bytes than this are looked through for what may be forgotten. */
#define LIMIT_MIN 65536
/* The most numbers in a row without a text in a state. (A forged one must not take up much memory.) */
#define GAP_MAX (UINT32_C(1) << 26)

struct kept_text {
	size_t at, size; /* Its bytes, in lane_texts.bytes. */
	uint32_t chunk; /* The number of the chunk that had it last, */
	uint32_t local; /* and its index in that chunk's column. */
	bool is_used; /* There is a text with this number. */
	bool is_marked; /* lane_texts_mark has found its number. */
};

/* The number that a text is, to compare it with others. */
struct text_value {
	double nearest;
	bool is_exact; /* `exact` is it, at the greatest scale. */
	int128 exact;
};

struct lane_texts {
	struct bytes texts; /* struct kept_text, by number */
	struct bytes values; /* struct text_value, by number, if `order` is not 0 */
	struct bytes token; /* what notation_read makes of a text */
	int order; /* as in struct plan_lane */
	const struct notation *notation; /* borrowed */
	struct bytes bytes; /* of these texts */
	struct bytes unused; /* uint32_t: numbers of texts that were forgotten */
	struct bytes numbers; /* uint64_t: the number of each text of the chunk */
	struct bytes seed; /* the seed, whose number is 0 and which is never forgotten; empty: there is none */
	bool has_seed;
	uint32_t chunk; /* the chunk that was numbered last */
	size_t limit; /* lane_texts_is_full: more bytes than these */
};

void lane_texts_free(struct lane_texts *t)
{
	if (t == NULL)
		return;
	bytes_free_all(&t->texts, &t->values, &t->token, &t->bytes, &t->unused, &t->numbers, &t->seed);
	memory_free(t);
}

static size_t text_count(const struct lane_texts *t)
{
	return t->texts.size / sizeof(struct kept_text);
}

static struct kept_text *text_at(const struct lane_texts *t, size_t index)
{
	return (struct kept_text *)(void *)t->texts.data + index;
}

/* The text with a number, or NULL. (A forged --state file may have any number.) */
static struct kept_text *find_text(const struct lane_texts *t, uint64_t number)
{
	const size_t index = (uint32_t)number;
	const bool is_there = number >> 32 == TEXT_TAG && index < text_count(t) && text_at(t, index)->is_used;
	return is_there ? text_at(t, index) : NULL;
}

static const struct text_value *value_at(const struct lane_texts *t, uint64_t number)
{
	return (const struct text_value *)(const void *)t->values.data + (uint32_t)number;
}

/* Notes what a text is as a number. (In JSON it has quotes.) */
static enum status put_value(struct lane_texts *t, size_t index, const char *text, size_t size)
{
	const size_t quote = size > 1 && *text == '"';
	const size_t end = (index + 1) * sizeof(struct text_value);
	struct text_value v = {0};
	struct decimal d;
	union value read;
	if (bytes_make(&t->token, size + NOTATION_GROWTH, 1) != STATUS_OK ||
	    (end > t->values.size && bytes_reserve(&t->values, end - t->values.size) != STATUS_OK))
		return STATUS_SYSTEM;
	const char *token = (const char *)t->token.data;
	const size_t token_size =
		notation_read(t->notation, text + quote, size - 2 * quote, (char *)t->token.data, NULL);
	if (number_parse(token, token_size, &type_table[TYPE_F64], &read) == NUMBER_OK)
		v.nearest = read.f64;
	v.is_exact = decimal_parse(token, token_size, &d) && !d.is_float &&
		     decimal_mantissa(&d, DECIMAL_SCALE_MAX, &type_table[TYPE_I128], &read);
	if (v.is_exact)
		v.exact = decimal_value(&read, &type_table[TYPE_I128]);
	memcpy(t->values.data + end - sizeof v, &v, sizeof v);
	t->values.size = end > t->values.size ? end : t->values.size;
	return STATUS_OK;
}

/* Whether a text comes before another one: it is greater, or less, as the lane's order is. */
static bool is_beyond(const struct lane_texts *t, uint64_t number, uint64_t other)
{
	const struct text_value *a = value_at(t, t->order > 0 ? number : other);
	const struct text_value *b = value_at(t, t->order > 0 ? other : number);
	return a->nearest > b->nearest ||
	       (a->nearest == b->nearest && a->is_exact && b->is_exact && a->exact > b->exact);
}

/* Puts a text at a number that no text has, up to the next one. */
static enum status put_text(struct lane_texts *t, size_t index, const void *bytes, size_t size, uint32_t local)
{
	const struct kept_text text = {
		.at = t->bytes.size, .size = size, .chunk = t->chunk, .local = local, .is_used = true};
	if (bytes_append(&t->bytes, bytes, size) != STATUS_OK ||
	    (t->order != 0 && put_value(t, index, bytes, size) != STATUS_OK))
		return STATUS_SYSTEM;
	if (index == text_count(t))
		return bytes_append(&t->texts, &text, sizeof text);
	*text_at(t, index) = text;
	return STATUS_OK;
}

enum status lane_texts_begin(const struct conductor *c, size_t lane)
{
	const char *seed = c->plan->lanes[lane].seed;
	struct lane_texts *t = memory_new(sizeof *t);
	c->keys->kept[lane] = t;
	if (t == NULL)
		return STATUS_SYSTEM;
	*t = (struct lane_texts){.has_seed = seed != NULL,
				 .limit = LIMIT_MIN,
				 .order = c->plan->lanes[lane].order,
				 .notation = &c->plan->format.text.tokens.notation};
	if (seed == NULL)
		return STATUS_OK;
	const enum status status = c->plan->format.text.cut == CUT_JSON
					   ? json_append_value(&t->seed, seed, strlen(seed))
					   : bytes_append(&t->seed, seed, strlen(seed));
	return status == STATUS_OK ? put_text(t, 0, t->seed.data, t->seed.size, 0) : status;
}

uint64_t lane_texts_seed(void)
{
	return (uint64_t)TEXT_TAG << 32;
}

enum status lane_texts_number(const struct conductor *c, const struct slot *s, size_t lane)
{
	const struct slot_column *column = &s->columns[s->lanes[lane].column];
	const struct record_key *keys = (const struct record_key *)(const void *)column->texts.keys.data;
	const size_t count = grouper_count(&column->texts);
	struct lane_texts *t = c->keys->kept[lane];
	t->chunk++;
	TRY(bytes_make(&t->numbers, count, sizeof(uint64_t)));
	uint64_t *numbers = (uint64_t *)(void *)t->numbers.data;
	for (size_t i = 0; i < count; i++) {
		const size_t left = t->unused.size / sizeof(uint32_t);
		const size_t index =
			left > 0 ? ((const uint32_t *)(const void *)t->unused.data)[left - 1] : text_count(t);
		if (index > UINT32_MAX) {
			memory_missing_for(text_count(t), "texts of keys and windows");
			return STATUS_SYSTEM;
		}
		TRY(put_text(t, index, record_key_bytes(&keys[i], &s->keyed.key_bytes), keys[i].size, (uint32_t)i));
		t->unused.size -= left > 0 ? sizeof(uint32_t) : 0;
		numbers[i] = (uint64_t)TEXT_TAG << 32 | index;
	}
	return STATUS_OK;
}

void lane_texts_get(const struct run_scan *r, uint64_t *elements)
{
	const struct lane_texts *t = r->c->keys->kept[r->lane - r->c->lanes];
	const uint64_t *numbers = (const uint64_t *)(const void *)t->numbers.data;
	for (size_t i = 0; i < r->count; i++) {
		uint64_t of_chunk;
		memcpy(&of_chunk, segment_element_at(r, i), sizeof of_chunk);
		elements[i] = numbers[of_chunk];
	}
	uint64_t best = r->segment->has_last ? r->segment->last.u64 : elements[0];
	for (size_t i = 0; i < r->count && t->order != 0; i++) {
		best = find_text(t, best) == NULL || is_beyond(t, elements[i], best) ? elements[i] : best;
		elements[i] = best;
	}
}

void lane_texts_result(const struct conductor *c, size_t lane, struct result *r)
{
	const struct lane_texts *t = c->keys->kept[lane];
	const struct kept_text *text = find_text(t, r->value.u64);
	const bool is_seed = t->has_seed && text != NULL && text == text_at(t, 0);
	r->text = text == NULL ? "" : (const char *)(is_seed ? t->seed.data : t->bytes.data + text->at);
	r->text_size = text != NULL ? text->size : 0;
}

/* Adds a text of an earlier chunk to those of the slot's column. */
static enum status carry(const struct lane_texts *t, struct kept_text *text, struct slot *s, struct slot_column *column)
{
	const struct record_key key = {.is_copied = true, .at = s->keyed.key_bytes.size, .size = text->size};
	text->chunk = t->chunk;
	text->local = (uint32_t)grouper_count(&column->texts);
	TRY(bytes_append(&s->keyed.key_bytes, t->bytes.data + text->at, text->size));
	return bytes_append(&column->texts.keys, &key, sizeof key);
}

enum status lane_texts_show(const struct conductor *c, struct slot *s, size_t lane)
{
	const struct lane_texts *t = c->keys->kept[lane];
	struct slot_lane *l = &s->lanes[lane];
	struct slot_column *column = &s->columns[l->column];
	const size_t step = conductor_result_step(&c->lanes[lane].row, l);
	for (size_t i = 0; i < column->count; i++) {
		unsigned char *at = l->results + i * step;
		uint64_t number;
		if (l->forms.size > 0 && l->forms.data[i] >= RESULT_FORM_ABSENT)
			continue;
		memcpy(&number, at, sizeof number);
		struct kept_text *text = find_text(t, number);
		if (text != NULL && text->chunk != t->chunk && carry(t, text, s, column) != STATUS_OK)
			return STATUS_SYSTEM;
		number = text != NULL ? text->local : UINT64_MAX;
		memcpy(at, &number, sizeof number);
	}
	return STATUS_OK;
}

bool lane_texts_is_full(const struct lane_texts *t)
{
	return t->bytes.size + t->texts.size > t->limit;
}

void lane_texts_mark(struct lane_texts *t, const unsigned char *packed, size_t size)
{
	for (size_t i = 0; i + sizeof(uint64_t) <= size; i++) {
		uint64_t number = 0;
		if (packed[i + 7] != TEXT_TAG >> 24)
			continue;
		for (size_t k = 0; k < sizeof number; k++)
			number |= (uint64_t)packed[i + k] << 8 * k;
		struct kept_text *text = find_text(t, number);
		if (text != NULL)
			text->is_marked = true;
	}
}

enum status lane_texts_sweep(struct lane_texts *t, size_t looked)
{
	struct bytes kept = {0};
	bool is_last = true; /* no text has a greater number */
	t->unused.size = 0;
	/* (Backwards, so that the least number is given next.) */
	for (size_t i = text_count(t); i-- > 0;) {
		struct kept_text *text = text_at(t, i);
		const uint32_t index = (uint32_t)i;
		const bool is_kept = text->is_used && (text->is_marked || (t->has_seed && i == 0));
		is_last = is_last && !is_kept;
		const size_t at = kept.size;
		enum status status = STATUS_OK;
		if (is_kept)
			status = bytes_append(&kept, t->bytes.data + text->at, text->size);
		else if (is_last)
			t->texts.size -= sizeof *text;
		else
			status = bytes_append(&t->unused, &index, sizeof index);
		*text = (struct kept_text){.at = at, .size = text->size, .is_used = is_kept};
		if (status != STATUS_OK) {
			bytes_free(&kept);
			return STATUS_SYSTEM;
		}
	}
	bytes_free(&t->bytes);
	t->bytes = kept;
	const size_t left = kept.size + t->texts.size;
	const size_t more = left > looked ? left : looked;
	t->limit = left + more > LIMIT_MIN ? left + more : LIMIT_MIN;
	return STATUS_OK;
}

void lane_texts_pack(struct pack *p, const struct lane_texts *t)
{
	size_t count = 0;
	for (size_t i = 0; i < text_count(t); i++)
		count += text_at(t, i)->is_used;
	pack_count(p, count);
	for (size_t i = 0; i < text_count(t); i++) {
		const struct kept_text *text = text_at(t, i);
		const struct saved_kept_text saved = {.number = (uint32_t)i,
						      .text = {t->bytes.data + text->at, text->size}};
		if (text->is_used)
			layout_pack(p, &saved_kept_text_layout, &saved);
	}
}

enum status lane_texts_unpack(struct unpack *u, struct lane_texts *t)
{
	const struct kept_text none = {.is_used = false};
	const uint64_t count = unpack_count(u);
	t->texts.size = t->bytes.size = t->unused.size = 0;
	for (uint64_t i = 0; i < count && !u->failed; i++) {
		struct saved_kept_text saved;
		layout_unpack(u, &saved_kept_text_layout, &saved);
		u->failed = u->failed || saved.number < text_count(t) || saved.number - text_count(t) > GAP_MAX;
		for (uint32_t k = (uint32_t)text_count(t); k < saved.number && !u->failed; k++) {
			TRY(bytes_append(&t->unused, &k, sizeof k));
			TRY(bytes_append(&t->texts, &none, sizeof none));
		}
		if (!u->failed && put_text(t, saved.number, saved.text.data, saved.text.size, 0) != STATUS_OK)
			return STATUS_SYSTEM;
	}
	u->failed = u->failed || (t->has_seed && find_text(t, lane_texts_seed()) == NULL);
	return STATUS_OK;
}
