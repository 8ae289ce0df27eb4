/* Between delimiters the counts decide, as the first rule that fits says:
 *
 *     equal                                   name i is field i
 *     "#" first, and one name more            "#" is no name, and name i is field i - 1
 *     more fields, and these are empty        delimiters end each record
 *     one field more                          the first field is a label without a name, and name i is field i + 1
 *     fewer fields                            the last fields are missing
 *     more fields                             refused
 *
 * Between blanks the first two hold as well, but equal counts may be an accident: a name of two words over as many
 * columns less one, and labels without a name before these (pandas, R). So it is if no name begins before the first field
 * ends, and each other field begins or ends together with a name. Then, and for any other counts, the columns on the
 * screen decide, name by name: it is over its own field, or over the next one where labels without a name come first. */
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

/* What fit adds where a name and a field begin or end together. */
#define FIT_ALIGNED (UINT64_MAX / 2)

/* How well a name fits a field: 0 where they share no column; more the more columns they share, and most if they
 * begin or end together. */
static uint64_t fit(const struct names_item *name, const struct names_item *field)
{
	const uint64_t begin = name->begin > field->begin ? name->begin : field->begin;
	const uint64_t end = name->end < field->end ? name->end : field->end;
	if (begin >= end)
		return 0;
	const bool is_aligned = name->begin == field->begin || name->end == field->end;
	return end - begin + (is_aligned ? FIT_ALIGNED : 0);
}

/* The number of the field under the name with this index, or 0. */
static uint64_t field_under(const struct names_item *names, size_t i, const struct names_item *fields,
			    size_t field_count)
{
	const uint64_t own = i < field_count ? fit(&names[i], &fields[i]) : 0;
	const uint64_t next = i + 1 < field_count ? fit(&names[i], &fields[i + 1]) : 0;
	if (own > 0)
		return own >= next ? i + 1 : 0;
	return next > 0 ? i + 2 : 0;
}

static void place_by_columns(const struct names_item *names, size_t name_count, const struct names_item *fields,
			     size_t field_count, uint64_t *numbers, struct names_shape *shape)
{
	size_t after_label = 0; /* names that are over the next field */
	for (size_t i = 0; i < name_count; i++) {
		numbers[i] = field_under(names, i, fields, field_count);
		after_label += numbers[i] == i + 2;
	}
	const size_t least = name_count + (after_label > 0);
	*shape = (struct names_shape){.name_count = name_count,
				      .least = field_count < least ? field_count : least,
				      .is_sure = name_count == field_count || after_label == 0 ||
						 after_label == name_count};
}

/* Whether the first field is a label without a name, and each other one is aligned with a name. */
static bool has_label_before(const struct names_item *names, size_t name_count, const struct names_item *fields,
			     size_t field_count)
{
	bool has = field_count > 1 && name_count > 1 && names[0].begin >= fields[0].end;
	for (size_t k = 1; k < field_count && has; k++) {
		bool is_aligned = false;
		for (size_t i = 0; i < name_count && !is_aligned; i++)
			is_aligned = fit(&names[i], &fields[k]) >= FIT_ALIGNED;
		has = is_aligned;
	}
	return has;
}

bool names_place(const struct names_item *names, size_t name_count, const struct names_item *fields, size_t field_count,
		 bool delimited, uint64_t *numbers, struct names_shape *shape)
{
	const bool has_hash = name_count == field_count + 1 && is_hash(&names[0]);
	uint64_t ended = delimited && field_count > name_count ? field_count - name_count : 0;
	for (size_t i = name_count; i < field_count; i++)
		ended = fields[i].size == 0 ? ended : 0;
	const bool has_label = delimited && field_count == name_count + 1 && ended == 0;
	const bool are_equal = name_count == field_count && !has_label_before(names, name_count, fields, field_count);
	if (!delimited && !are_equal && !has_hash) {
		place_by_columns(names, name_count, fields, field_count, numbers, shape);
		return true;
	}
	*shape = (struct names_shape){.name_count = name_count - has_hash, .ended = ended, .is_sure = true};
	if (delimited)
		shape->most = shape->name_count + ended + has_label;
	else
		shape->least = field_count;
	for (size_t i = 0; i < name_count; i++)
		numbers[i] = has_hash ? i : has_label ? i + 2 : i + 1;
	return !delimited || field_count <= shape->most;
}
