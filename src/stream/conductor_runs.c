/* Which key each record has, which records begin segments, and a column's elements brought together key by key. */
#include <string.h>

#include "stream/key_scans.h"

static void fetch_ahead(const struct keys *k, const struct record_key *keys, size_t i, size_t count)
{
	if (i + 3 * AHEAD < count)
		keys_fetch_place(k, keys[i + 3 * AHEAD].hash);
	if (i + 2 * AHEAD < count)
		keys_fetch_block(k, keys[i + 2 * AHEAD].hash);
	if (i + AHEAD < count)
		keys_fetch_bytes(k, keys[i + AHEAD].hash);
}

/* Whether a record begins segments of its key: what its resets go by is not what the key's record before has. */
static bool begins(const struct slot *s, struct key_resets *kept, size_t record)
{
	const struct record_key *resets = (const struct record_key *)(const void *)s->resets.data;
	const struct record_key *now = &resets[record];
	const bool is_first = kept->last == 0 && !kept->has_text;
	const void *text = kept->text.data;
	size_t size = kept->text.size;
	if (kept->last > 0) {
		text = key_scans_bytes(s, &resets[kept->last - 1]);
		size = resets[kept->last - 1].size;
	}
	kept->last = record + 1;
	return !is_first && (size != now->size || (size > 0 && memcmp(text, key_scans_bytes(s, now), size) != 0));
}

/* The same where its number or time is more than the gap greater. */
static bool leaves_gap(const struct slot *s, int128 gap, struct key_resets *kept, size_t record)
{
	const int128 *places = (const int128 *)(const void *)s->gaps.data;
	const int128 before = kept->place;
	int128 step;
	const bool is_first = !kept->has_place;
	kept->place = places[record];
	kept->has_place = true;
	if (is_first || kept->place <= before)
		return false;
	return __builtin_sub_overflow(kept->place, before, &step) || step > gap;
}

/* The key of a record, numbered; a new one begins, unless the record lacks all its elements: then it is no key's. */
static enum status number_key(const struct conductor *c, const struct slot *s, size_t record, bool lacks,
			      uint32_t *number)
{
	struct key_scans *k = c->keys;
	static const struct record_key none = {.bytes = ""};
	const struct record_key *keys = (const struct record_key *)(const void *)s->keys.data;
	const struct record_key *key = s->keys.size > 0 ? &keys[record] : &none;
	const uint32_t count = keys_count(k->keys);
	if (lacks) {
		if (!keys_look_up(k->keys, key->hash, key_scans_bytes(s, key), key->size, number))
			*number = NO_KEY;
		return STATUS_OK;
	}
	if (keys_find(k->keys, key->hash, key_scans_bytes(s, key), key->size, number) != STATUS_OK)
		return STATUS_SYSTEM;
	if (keys_count(k->keys) > count)
		key_scans_begin_key(c, *number);
	return STATUS_OK;
}

/* How many of its elements each record lacks. (In binary input all are there: some only take no part.) */
static enum status count_lacking(struct key_scans *k, const struct slot *s, bool is_text)
{
	const struct absence *absences = (const struct absence *)(const void *)s->absences.data;
	const size_t absence_count = s->absences.size / sizeof *absences;
	bool any = absence_count > 0;
	for (size_t i = 0; i < s->column_count && is_text; i++)
		any = any || s->columns[i].helds.size > 0;
	if (bytes_make(&k->lacking, any ? s->decoded.records : 0, sizeof(uint32_t)) != STATUS_OK)
		return STATUS_SYSTEM;
	if (!any)
		return STATUS_OK;
	k->lacking.size = s->decoded.records * sizeof(uint32_t);
	uint32_t *lacking = (uint32_t *)(void *)k->lacking.data;
	memset(lacking, 0, k->lacking.size);
	for (size_t i = 0; i < absence_count && absences[i].record < s->decoded.records; i++)
		lacking[absences[i].record]++;
	for (size_t i = 0; i < s->column_count && is_text; i++) {
		const struct held *helds = (const struct held *)(const void *)s->columns[i].helds.data;
		const bool is_first = i == 0 || s->columns[i].field != s->columns[i - 1].field;
		for (size_t j = 0; is_first && j < s->columns[i].helds.size / sizeof *helds; j++) {
			if (helds[j].record < s->decoded.records)
				lacking[helds[j].record]++;
		}
	}
	return STATUS_OK;
}

/* Numbers the keys of the slot's records, and notes the segments that these begin. */
enum status key_scans_number(const struct conductor *c, const struct slot *s)
{
	struct key_scans *k = c->keys;
	const struct text_rules *rules = &c->plan->format.text;
	const struct record_key *keys = (const struct record_key *)(const void *)s->keys.data;
	const size_t count = s->decoded.records;
	const bool by_records = key_scans_resets_by_records(rules);
	if (count_lacking(k, s, c->plan->format.input == FORMAT_TEXT) != STATUS_OK ||
	    bytes_make(&k->numbers, count, sizeof(uint32_t)) != STATUS_OK ||
	    bytes_make(&k->begun, by_records ? count : 0, sizeof(uint64_t)) != STATUS_OK)
		return STATUS_SYSTEM;
	const uint32_t *lacking = k->lacking.size > 0 ? (const uint32_t *)(const void *)k->lacking.data : NULL;
	uint32_t *numbers = (uint32_t *)(void *)k->numbers.data;
	uint64_t *begun = (uint64_t *)(void *)k->begun.data;
	uint32_t only = 0; /* where there are no keys */
	if (rules->key_count == 0 && number_key(c, s, 0, false, &only) != STATUS_OK)
		return STATUS_SYSTEM;
	/* Of one key nobody asks for the numbers. */
	for (size_t i = 0; i < count && (rules->key_count > 0 || by_records); i++) {
		const bool lacks = lacking != NULL && lacking[i] == c->plan->field_count;
		if (rules->key_count > 0)
			fetch_ahead(k->keys, keys, i, count);
		numbers[i] = only;
		if (rules->key_count > 0 && number_key(c, s, i, lacks, &numbers[i]) != STATUS_OK)
			return STATUS_SYSTEM;
		if (!by_records || numbers[i] == NO_KEY)
			continue;
		struct key_resets *resets = ((struct head *)keys_block(k->keys, numbers[i]))->resets;
		const bool changes = rules->reset_count > 0 && begins(s, resets, i);
		const bool leaves = rules->has_gap && leaves_gap(s, rules->gap, resets, i);
		resets->begun += changes || leaves;
		resets->last_of_element = lacks ? resets->last_of_element : i + 1;
		begun[i] = resets->begun;
	}
	return STATUS_OK;
}

/* The records of a column's elements: those that do not lack one. */
static enum status find_records(struct key_scans *k, const struct slot *s, const struct slot_column *column)
{
	const struct absence *a = (const struct absence *)(const void *)s->absences.data;
	const struct absence *const end = s->absences.size > 0 ? a + s->absences.size / sizeof *a : a;
	const unsigned char *before = k->records.data;
	if (bytes_make(&k->records, s->decoded.records, sizeof(size_t)) != STATUS_OK)
		return STATUS_SYSTEM;
	size_t *records = (size_t *)(void *)k->records.data;
	size_t count = 0;
	/* (Where none is lacking, and was none, they are there already.) */
	const bool lacks_none = a == end;
	if (k->records.data != before)
		k->in_order = 0;
	for (size_t i = lacks_none ? k->in_order : 0; i < s->decoded.records && lacks_none; i++)
		records[i] = i;
	k->in_order = !lacks_none ? 0 : k->in_order > s->decoded.records ? k->in_order : s->decoded.records;
	for (size_t i = 0; i < s->decoded.records && !lacks_none; i++) {
		bool lacks = false;
		for (; a < end && a->record == i; a++)
			lacks = lacks || a->field == column->field;
		records[count] = i;
		count += !lacks;
	}
	return STATUS_OK;
}

/* All elements are the only key's. */
static enum status one_run(struct key_scans *k, const struct slot *s, const struct slot_column *column)
{
	const struct run run = {.count = column->count};
	k->runs.size = 0;
	if (find_records(k, s, column) != STATUS_OK)
		return STATUS_SYSTEM;
	return column->count == 0 ? STATUS_OK : bytes_append(&k->runs, &run, sizeof run);
}

/* Brings the column's elements together key by key: the runs, in the order of their first elements. */
static enum status sort(struct key_scans *k, const struct slot *s, const struct slot_column *column)
{
	const size_t count = column->count;
	if (find_records(k, s, column) != STATUS_OK || bytes_make(&k->order, count, sizeof(size_t)) != STATUS_OK ||
	    bytes_make(&k->of_element, count, sizeof(size_t)) != STATUS_OK ||
	    bytes_make(&k->runs, count, sizeof(struct run)) != STATUS_OK)
		return STATUS_SYSTEM;
	const uint32_t *numbers = (const uint32_t *)(const void *)k->numbers.data;
	const size_t *records = (const size_t *)(const void *)k->records.data;
	size_t *order = (size_t *)(void *)k->order.data;
	size_t *of_element = (size_t *)(void *)k->of_element.data;
	struct run *runs = (struct run *)(void *)k->runs.data;
	size_t run_count = 0;
	k->batch++;
	for (size_t i = 0; i < count; i++) {
		const uint32_t key = numbers[records[i]];
		struct run_place *place =
			key == NO_KEY ? &k->nobody : &((struct head *)keys_block(k->keys, key))->place;
		if (place->batch != k->batch) {
			*place = (struct run_place){.batch = k->batch, .run = run_count};
			runs[run_count++] = (struct run){.key = key};
		}
		runs[place->run].count++;
		of_element[i] = place->run;
	}
	size_t first = 0;
	for (size_t i = 0; i < run_count; i++) {
		runs[i].first = first;
		first += runs[i].count;
		runs[i].count = 0;
	}
	for (size_t i = 0; i < count; i++) {
		struct run *run = &runs[of_element[i]];
		order[run->first + run->count++] = i;
	}
	k->runs.size = run_count * sizeof *runs;
	return STATUS_OK;
}

/* Which of a column's elements take no part. */
static enum status find_parts(struct key_scans *k, const struct slot_column *column)
{
	const struct held *helds = (const struct held *)(const void *)column->helds.data;
	const size_t count = column->helds.size / sizeof *helds;
	if (bytes_make(&k->parts, count > 0 ? column->count : 0, 1) != STATUS_OK)
		return STATUS_SYSTEM;
	if (count == 0)
		return STATUS_OK;
	k->parts.size = column->count;
	memset(k->parts.data, PART_TAKES, column->count);
	for (size_t i = 0; i < count && helds[i].element < column->count; i++)
		k->parts.data[helds[i].element] = helds[i].is_absent ? PART_IS_ABSENT : PART_HOLDS;
	return STATUS_OK;
}

enum status key_scans_sort(struct key_scans *k, const struct slot *s, const struct slot_column *column, bool has_keys)
{
	if (find_parts(k, column) != STATUS_OK)
		return STATUS_SYSTEM;
	return has_keys ? sort(k, s, column) : one_run(k, s, column);
}

static enum status keep_text(const struct slot *s, size_t record, struct bytes *text)
{
	const struct record_key *reset = (const struct record_key *)(const void *)s->resets.data + record;
	text->size = 0;
	return bytes_append(text, key_scans_bytes(s, reset), reset->size);
}

/* What a key's resets go by, of its last record in the slot, and what its segment's total is to be called. */
static enum status keep_texts(const struct slot *s, struct key_resets *kept, bool names)
{
	enum status status = keep_text(s, kept->last - 1, &kept->text);
	if (status == STATUS_OK && names && kept->last_of_element > 0)
		status = keep_text(s, kept->last_of_element - 1, &kept->name);
	kept->last = kept->last_of_element = 0;
	kept->has_text = true;
	return status;
}

/* The same of each key. */
enum status key_scans_keep(const struct conductor *c, const struct slot *s)
{
	struct key_scans *k = c->keys;
	const uint32_t *numbers = (const uint32_t *)(const void *)k->numbers.data;
	size_t first = 0;
	if (c->plan->format.text.key_count == 0 && s->resets.size > 0 && s->decoded.records > 0) {
		/* All records are of one key. */
		const struct head *only = keys_block(k->keys, 0);
		first = only->resets->last > 0 ? only->resets->last - 1 : s->decoded.records;
	}
	for (size_t i = first; i < s->decoded.records && s->resets.size > 0; i++) {
		struct head *head = numbers[i] != NO_KEY ? keys_block(k->keys, numbers[i]) : NULL;
		if (head == NULL || head->resets->last != i + 1)
			continue;
		if (keep_texts(s, head->resets, c->plan->total) != STATUS_OK)
			return STATUS_SYSTEM;
	}
	return STATUS_OK;
}
