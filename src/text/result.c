/* Results with one format are written many at once, by the functions of write.h and decimal.h for arrays. If their
 * texts need more than these functions can do, they are written one by one. */
#include "text/result.h"

#include <string.h>

#include "number/duration.h"
#include "number/notation.h"
#include "text/decode.h"
#include "text/json.h"
#include "text/line.h"
#include "text/logfmt.h"
#include "text/result_writers.h"

#define LINE_MAX_SIZE (NUMBER_TEXT_MAX + 1)
_Static_assert(DECIMAL_TEXT_MAX < LINE_MAX_SIZE, "room for a decimal and its newline");

size_t result_size_max(const struct record_format *format)
{
	const size_t size =
		format->number_format != NULL ? number_spec_size_max(format->number_format) + 1 : LINE_MAX_SIZE;
	/* (Of JSON any float may need them.) */
	if (format->text.cut == CUT_JSON)
		return JSON_NUMBER_SIZE(size) + format->label_max + WRITER_END_MAX;
	return (format->may_need_quotes ? 2 * size + 2 : size) + format->label_max;
}

/* Whether a number's text may have to be changed. */
static bool needs_quotes(const struct record_format *format, const struct result_format *f)
{
	return format->may_need_quotes || format->may_split ||
	       (format->text.cut == CUT_JSON && (f->is_duration || f->type->kind == KIND_FLOAT));
}

void result_set_mark(const struct record_format *format, void *numbers, size_t size)
{
	const char mark = format->text.tokens.notation.decimal;
	/* (JSON's numbers have points.) */
	if (mark != 0 && format->text.cut != CUT_JSON)
		line_replace(numbers, size, '.', mark);
}

size_t result_put_number(const struct record_format *format, const struct result_format *f, const union value *v,
			 unsigned char *out)
{
	const struct number_spec *spec = format->number_format;
	char *text = (char *)out;
	size_t size;
	if (spec != NULL) {
		size = number_spec_write(text, spec, f->type, f->decimal ? f->scale : 0, v);
		result_set_mark(format, text + spec->before_size, size - spec->before_size - spec->after_size);
	} else {
		size = f->decimal ? decimal_format(text, v, f->type, f->scale) : number_format(text, f->type, v);
		size = f->is_duration ? duration_of_number(text, size) : size;
		result_set_mark(format, text, size);
	}
	if (!needs_quotes(format, f))
		return size;
	return format->text.cut == CUT_JSON     ? json_put_number(text, size)
	       : format->text.cut == CUT_LOGFMT ? logfmt_quote(text, size)
	       : format->may_split              ? size
						: line_quote_field(&format->text, text, size);
}

bool result_splits(const struct record_format *format, const void *text, size_t size)
{
	return format->may_split && memchr(text, text_delimiter(&format->text), size) != NULL;
}

/* The format of the lane's results of a form. */
static struct result_format format_of(const struct lane_results *lane, unsigned char form)
{
	const bool is_float = form == RESULT_FORM_FLOAT;
	const bool is_wide = (form & RESULT_FORM_WIDE) != 0;
	if (form >= RESULT_FORM_LANE && !is_float)
		return lane->format;
	return (struct result_format){.type = &type_table[is_float  ? TYPE_F64
							  : is_wide ? TYPE_I128
								    : TYPE_I64],
				      .decimal = !is_float,
				      .scale = is_float ? 0 : form & RESULT_FORM_SCALE};
}

const struct held *result_mark(const struct lane_results *lane, size_t i, size_t *next)
{
	while (*next < lane->in_place_count && lane->in_place[*next].element < i)
		++*next;
	if (*next == lane->in_place_count || lane->in_place[*next].element != i)
		return NULL;
	const struct held *h = &lane->in_place[*next];
	/* (Of an exclusive scan, whose next element would have no result, nothing stands there.) */
	const bool stands = lane->forms != NULL && lane->forms[i] == RESULT_FORM_MARK;
	return h->is_absent || !lane->is_exclusive || stands ? h : NULL;
}

const void *result_text(const struct lane_results *lane, size_t i, size_t *size)
{
	uint64_t index;
	memcpy(&index, (const unsigned char *)lane->results + i * lane->step, sizeof index);
	const struct record_key *text = (const struct record_key *)(const void *)lane->texts->keys.data + index;
	/* (An index beyond them is of a damaged --state file.) */
	const bool is_there = index < grouper_count(lane->texts);
	*size = is_there ? text->size : 0;
	return is_there ? record_key_bytes(text, lane->text_bytes) : "";
}

struct result result_of(const struct lane_results *lane, size_t i)
{
	const unsigned char form = lane->forms != NULL ? lane->forms[i] : RESULT_FORM_LANE;
	struct result r = {.format = lane->format, .absent = result_is_absent(lane, i)};
	if (r.absent)
		return r;
	r.format = format_of(lane, form);
	r.format.is_duration = r.format.is_duration || i < lane->durations;
	memcpy(&r.value, (const unsigned char *)lane->results + i * lane->step, r.format.type->size);
	return r;
}

size_t result_alike(const struct record_format *format, const struct lane_results *lane, size_t first, size_t most,
		    struct result_format *f, bool *is_fast)
{
	const unsigned char form = lane->forms != NULL ? lane->forms[first] : RESULT_FORM_LANE;
	const bool are_durations = first < lane->durations;
	uint64_t eight;
	size_t count = 1;
	if (are_durations && most > lane->durations - first)
		most = lane->durations - first;
	*f = format_of(lane, form);
	/* (A mark may not be taken for a point that separates numbers.) */
	*is_fast = !result_is_absent(lane, first) && !are_durations && format->number_format == NULL &&
		   !needs_quotes(format, f) &&
		   (format->text.tokens.notation.decimal == 0 || text_delimiter(&format->text) != '.');
	if (first < lane->absent)
		return lane->absent - first < most ? lane->absent - first : most;
	if (lane->forms == NULL)
		return most;
	for (; most - count >= sizeof eight; count += sizeof eight) {
		memcpy(&eight, lane->forms + first + count, sizeof eight);
		if (eight != form * UINT64_C(0x0101010101010101))
			break;
	}
	while (count < most && lane->forms[first + count] == form)
		count++;
	return count;
}

void result_make_texts(const struct record_format *format, const struct lane_results *lane, size_t first, size_t block,
		       struct result_texts *made)
{
	const char lead = text_delimiter(&format->text);
	const unsigned char *results = (const unsigned char *)lane->results + first * lane->step;
	char *pool = (char *)made->pool;
	struct result_format f;
	size_t size = 0;
	bool is_fast;
	made->first = first;
	made->count = result_alike(format, lane, first, lane->count - first < block ? lane->count - first : block, &f,
				   &is_fast);
	if (is_fast) {
		if (f.decimal)
			decimal_format_texts(pool, lead, f.type, f.scale, results, lane->step, made->count,
					     made->texts);
		else
			number_format_texts(pool, lead, f.type, results, lane->step, made->count, made->texts);
		const struct number_text last = made->texts[made->count - 1];
		result_set_mark(format, pool, last.at + last.size);
		return;
	}
	for (size_t i = 0; i < made->count; i++) {
		const struct result r = result_of(lane, first + i);
		made->pool[size++] = (unsigned char)lead;
		made->texts[i] = (struct number_text){.at = (uint32_t)size, .size = RESULT_NONE};
		if (r.absent)
			continue;
		const size_t text_size = result_put_number(format, &r.format, &r.value, made->pool + size);
		if (result_splits(format, made->pool + size, text_size)) {
			made->pool[size + text_size] = '\0';
			made->count = i + 1;
			return;
		}
		made->texts[i].size = (uint32_t)text_size;
		size += text_size;
	}
}
