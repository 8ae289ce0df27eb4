/* Between delimiters the counts decide, as the first rule that fits says:
 *
 *     equal                                   name i is field i
 *     "#" first, and one name more            "#" is no name, and name i is field i - 1
 *     more fields, and these are empty        delimiters end each record
 *     one field more                          the first field is a label without a name, and name i is field i + 1
 *     fewer fields                            the last fields are missing
 *     more fields                             refused
 *
 * Between blanks the columns on the screen count as well.
 *
 *     Labels without a name stand before the first name (pandas, R), and each other field begins or ends together with
 *     a name of its own, until the last name has one: each name is the field that is aligned with it. Equal counts are
 *     an accident then: a name of two words over as many columns less one, and labels before these.
 *     "#" first, and one name more: as above.
 *     Equal counts: name i is field i, unless the screen shows that fields are shifted. Then a name that is not over
 *     its own field, or is over another one rather, has none. (Where a wide field or name pushes the next ones to the
 *     right, these are over others, which means nothing.)
 *     Any other counts: a name is its own field, which it is over, or the next one where that fits better and its own
 *     does not (a label without a name). With one field more, and a single blank between all names and all fields, such
 *     an overlap means nothing: the first field may be a label, or the last name may stand for two fields. */
#include "text/names.h"

#include <string.h>

static bool is_word(const struct names_item *item, const char *word)
{
	return !item->quoted && item->size == strlen(word) && memcmp(item->text, word, item->size) == 0;
}

static bool is_hash(const struct names_item *name)
{
	return is_word(name, "#") || is_word(name, "#fields") || is_word(name, "#Fields:");
}

uint64_t names_fit(const struct names_item *name, const struct names_item *field)
{
	const uint64_t begin = name->begin > field->begin ? name->begin : field->begin;
	const uint64_t end = name->end < field->end ? name->end : field->end;
	if (begin >= end)
		return 0;
	const bool is_aligned = name->begin == field->begin || name->end == field->end;
	return end - begin + (is_aligned ? NAMES_ALIGNED : 0);
}

void names_weigh(struct names_weight *w, const struct names_item *names, size_t index, uint64_t own, uint64_t number,
		 const struct names_item *field)
{
	const uint64_t fit = names_fit(&names[index], field);
	if (number == own) {
		w->own = fit;
		return;
	}
	if (number < own && number <= w->labels) {
		w->is_pushed = w->is_pushed || field->end >= names[0].begin;
	} else if (number < own && own <= index + 1) {
		const struct names_item *name = &names[index - (size_t)(own - number)]; /* the field's own one */
		w->is_pushed = w->is_pushed || (names_fit(name, field) > 0 && field->end >= name[1].begin);
	}
	const bool counts = number > own || !w->is_pushed;
	w->other = counts && fit > w->other ? fit : w->other;
}

/* A header and its first record. */
struct table {
	const struct names_item *names, *fields;
	size_t name_count, field_count;
};

/* How well the name with an index fits a field from its own index on; 0 as well where there is no such field. */
static uint64_t fit_after(const struct table *t, size_t i, size_t after)
{
	return i + after < t->field_count ? names_fit(&t->names[i], &t->fields[i + after]) : 0;
}

/* Whether some items of a line are further apart than one blank. */
static bool are_apart(const struct names_item *items, size_t count)
{
	bool are = false;
	for (size_t i = 1; i < count && !are; i++)
		are = items[i].begin > items[i - 1].end + 1;
	return are;
}

/* Whether the items of a line begin after a blank, or some are further apart than one blank: they are laid out. */
static bool is_padded(const struct names_item *items, size_t count)
{
	return (count > 0 && items[0].begin > 0) || are_apart(items, count);
}

/* How many fields end before the first name begins. */
static size_t count_labels(const struct table *t)
{
	size_t count = 0;
	while (count < t->field_count && t->name_count > 0 && t->fields[count].end <= t->names[0].begin)
		count++;
	return count;
}

/* Gives each name the field that is aligned with it, or 0. False: some field after the labels, and not after that of
 * the last name, is aligned with no name, or with one that has another field already. */
static bool place_by_alignment(const struct table *t, size_t labels, uint64_t *numbers)
{
	bool are_aligned = labels < t->field_count;
	memset(numbers, 0, t->name_count * sizeof *numbers);
	for (size_t k = labels; k < t->field_count && are_aligned && numbers[t->name_count - 1] == 0; k++) {
		are_aligned = false;
		for (size_t i = 0; i < t->name_count; i++) {
			if (names_fit(&t->names[i], &t->fields[k]) < NAMES_ALIGNED)
				continue;
			if (numbers[i] > 0)
				return false;
			numbers[i] = k + 1;
			are_aligned = true;
		}
	}
	return are_aligned;
}

/* Whether one of the first `count` names is too wide for its column and pushes the next name to the right. */
static bool are_names_pushed(const struct table *t, size_t count)
{
	bool are = false;
	for (size_t i = 0; i < count && i + 1 < t->name_count && i + 1 < t->field_count && !are; i++)
		are = fit_after(t, i, 0) > 0 && t->names[i].end >= t->fields[i + 1].begin &&
		      t->names[i + 1].begin == t->names[i].end + 1;
	return are;
}

/* Whether a name is over another field than the one with its own index. */
static bool is_elsewhere(const struct table *t, size_t i)
{
	struct names_weight w = {0};
	const size_t count = are_names_pushed(t, i) ? i + 1 : t->field_count;
	for (size_t k = 0; k < count && k < t->field_count; k++)
		names_weigh(&w, t->names, i, i + 1, k + 1, &t->fields[k]);
	return names_is_elsewhere(&w, false);
}

/* Notes whether a first record with as many fields as names shows that the table is in columns: where both lines are
 * laid out, each name is over its field, and pushes no other; where one is, each is aligned with it. */
static void look_at_columns(const struct table *t, struct names_shape *shape)
{
	const bool are_laid_out = are_apart(t->names, t->name_count) && are_apart(t->fields, t->field_count);
	const bool is_one = is_padded(t->names, t->name_count) || is_padded(t->fields, t->field_count);
	uint64_t least = UINT64_MAX;
	for (size_t i = 0; i < t->name_count; i++) {
		const uint64_t fit = fit_after(t, i, 0);
		least = fit < least ? fit : least;
	}
	shape->is_aligned = is_one && least >= NAMES_ALIGNED;
	shape->is_lined_up = shape->is_aligned || (are_laid_out && least > 0 && !are_names_pushed(t, t->name_count));
}

/* Whether the screen contradicts equal counts of names and fields: it shows some name over another field than its own.
 * (Lines that are not laid out show nothing.) */
static bool are_shifted(const struct table *t, size_t labels, bool are_aligned, const uint64_t *aligned)
{
	bool are = false;
	if (!is_padded(t->names, t->name_count) || !is_padded(t->fields, t->field_count))
		return false;
	for (size_t i = 0; i < t->name_count && labels == 0 && are_aligned; i++)
		are = are || aligned[i] != i + 1;
	for (size_t i = 0; i < t->name_count && !are; i++)
		are = is_elsewhere(t, i);
	for (size_t i = 0; i < t->name_count && labels > 0; i++) {
		bool has_later = false;
		for (size_t after = 1; i + after < t->field_count && !has_later; after++)
			has_later = fit_after(t, i, after) > 0;
		are = are || (has_later && fit_after(t, i, 0) == 0);
	}
	return are;
}

/* Gives each name the number of its own field, or of the next one if it may be that; 0 where it is over neither.
 * Returns how many names got the next one. */
static size_t place_by_columns(const struct table *t, bool may_be_next, uint64_t *numbers)
{
	size_t nexts = 0;
	for (size_t i = 0; i < t->name_count; i++) {
		const uint64_t own = fit_after(t, i, 0);
		const uint64_t next = fit_after(t, i, 1);
		const bool is_next = own == 0 && next > 0 && may_be_next;
		numbers[i] = is_next ? i + 2 : own > 0 && own >= next ? i + 1 : 0;
		nexts += is_next;
	}
	return nexts;
}

/* Between blanks, but for a leading "#". */
static void place_between_blanks(const struct table *t, uint64_t *numbers, struct names_shape *shape)
{
	const size_t labels = count_labels(t);
	const bool are_equal = t->name_count == t->field_count;
	const bool are_aligned = t->name_count > 0 && place_by_alignment(t, labels, numbers);
	*shape = (struct names_shape){.name_count = t->name_count,
				      .field_count = t->field_count,
				      .is_laid_out = is_padded(t->names, t->name_count),
				      .is_lined_up = are_apart(t->fields, t->field_count),
				      .is_aligned = are_aligned && labels > 0,
				      .labels = labels,
				      .is_sure = true};
	if (are_equal && labels == 0)
		look_at_columns(t, shape);
	if (are_aligned && labels > 0) {
		for (size_t i = 0; i < t->name_count; i++)
			shape->least = numbers[i] > shape->least ? numbers[i] : shape->least;
		return;
	}
	size_t nexts = 0;
	const bool is_shifted = are_equal && are_shifted(t, labels, are_aligned, numbers);
	const bool says_nothing = t->field_count == t->name_count + 1 && !is_padded(t->names, t->name_count) &&
				  !is_padded(t->fields, t->field_count);
	for (size_t i = 0; i < t->name_count; i++)
		numbers[i] = says_nothing ? 0 : i + 1;
	if (!says_nothing && (!are_equal || is_shifted))
		nexts = place_by_columns(t, !are_equal, numbers);
	for (size_t i = 0; i < t->name_count && is_shifted; i++)
		numbers[i] = is_elsewhere(t, i) ? 0 : numbers[i];
	/* (Labels as wide as the first name, where it is not aligned, push what follows them.) */
	for (size_t i = 0; i < t->name_count && nexts > 0; i++)
		shape->is_lined_up = shape->is_lined_up &&
				     (numbers[i] == 0 || fit_after(t, i, (size_t)numbers[i] - 1 - i) >= NAMES_ALIGNED);
	shape->is_sure = !says_nothing && !is_shifted && (nexts == 0 || nexts == t->name_count);
	const size_t least = t->name_count + (nexts > 0);
	shape->least = t->field_count < least ? t->field_count : least;
}

bool names_place(const struct names_item *names, size_t name_count, const struct names_item *fields, size_t field_count,
		 bool delimited, uint64_t *numbers, struct names_shape *shape)
{
	const bool has_hash = name_count == field_count + 1 && is_hash(&names[0]);
	uint64_t ended = delimited && field_count > name_count ? field_count - name_count : 0;
	for (size_t i = name_count; i < field_count; i++)
		ended = fields[i].size == 0 ? ended : 0;
	const bool has_label = delimited && field_count == name_count + 1 && ended == 0;
	if (!delimited && !has_hash) {
		const struct table t = {
			.names = names, .fields = fields, .name_count = name_count, .field_count = field_count};
		place_between_blanks(&t, numbers, shape);
		return true;
	}
	*shape = (struct names_shape){
		.name_count = name_count - has_hash, .field_count = field_count, .ended = ended, .is_sure = true};
	const struct table t = {.names = names + has_hash,
				.fields = fields,
				.name_count = name_count - has_hash,
				.field_count = field_count};
	if (delimited)
		shape->most = shape->name_count + ended + has_label;
	else
		shape->least = field_count;
	if (!delimited)
		look_at_columns(&t, shape);
	for (size_t i = 0; i < name_count; i++)
		numbers[i] = has_hash ? i : has_label ? i + 2 : i + 1;
	return !delimited || field_count <= shape->most;
}
