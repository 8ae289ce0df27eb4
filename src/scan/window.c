/* window.h explains how windows are scanned. The loops over elements are in rows_window_walk.inc. */
#include "scan/window.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "number/convert.h"
#include "number/decimal.h"
#include "scan/layouts.h"
#include "rows/rows.h"
#include "scan/window_span.h"

/* Elements that are converted at a time, and the most numbers that one of the library's operators has. */
#define PIECE 1024
#define LIBRARY_INPUTS_MAX 2

/* The sum of this many numbers of 32 bits fits 64 bits. */
#define LENGTH_MAX_OF_LONG (UINT64_C(1) << 31)

struct window_row window_row_of(const struct row *row, uint64_t length)
{
	const bool is_wide = row->acc->size > 8;
	const bool widens = row->overflow_checked && !is_wide;
	const bool is_long = row->acc->size < 8 && row->op->id != OPERATOR_PROD && length <= LENGTH_MAX_OF_LONG;
	const struct type *type = !widens ? type_long(row->acc) : &type_table[is_long ? TYPE_I64 : TYPE_I128];
	const bool checked = row->overflow_checked && type->id == TYPE_I128;
	assert(row->op->program == NULL && row->algorithm == ALGORITHM_BLELLOCH && !row->exclusive);
	const struct window_code *code = &host_rows_grid(row->op->id)->windows[checked][type->id];
	const struct type *fast_type = widens ? type : row->acc;
	push_window *fast = checked ? NULL : host_rows_push_window(row->op->id, fast_type->id);
	return (struct window_row){.row = row,
				   .code = code,
				   .push = fast != NULL ? fast : code->push,
				   .type = fast != NULL ? fast_type : type};
}

void window_row_forget_vectors(struct window_row *row)
{
	if (row->combine != NULL)
		return;
	row->push = row->code->push;
	row->type = type_long(row->type);
}

void window_row_set_by_time(struct window_row *row)
{
	window_row_forget_vectors(row);
	row->push = row->code->push_by_time;
}

size_t window_size_max(const struct scan_operator *op)
{
	size_t size = 0;
	for (int i = 0; i < 4 * TYPE_COUNT; i++) {
		const enum operator_id id = i % 2 == 0 ? op->id : op->decimals;
		const struct window_code *codes = host_rows_grid(id)->windows[i / 2 / TYPE_COUNT];
		const size_t own = codes != NULL ? codes[i / 2 % TYPE_COUNT].prefix_size : 0;
		size = own > size ? own : size;
	}
	const size_t unit = _Alignof(struct window);
	return (sizeof(struct window) + size + unit - 1) / unit * unit;
}

/* How many states there are of elements. */
static uint64_t state_count(const struct window *w)
{
	return w->has_block ? w->length : w->place;
}

enum status window_reserve(struct window *w, const struct window_row *row, uint64_t count)
{
	if (w->span.is_given)
		return window_reserve_span(w, row->code->state_size, count) ? STATUS_OK : STATUS_SYSTEM;
	const uint64_t used = state_count(w);
	const uint64_t wanted = w->has_block || count > w->length - w->place ? w->length : w->place + count;
	/* Vectors of integers have numbers as states. */
	const bool is_number = row->push != row->code->push && row->type->kind != KIND_FLOAT;
	const size_t size = is_number ? row->type->size : row->code->state_size;
	const bool has_room =
		window_reserve_array(&w->states, &w->states_bytes, used, wanted, w->length, size) &&
		(!w->may_lack || window_reserve_array(&w->lacks, &w->lacks_bytes, used, wanted, w->length, 1)) &&
		(w->kept_size == 0 ||
		 window_reserve_array(&w->kept, &w->kept_bytes, used, wanted, w->length, w->kept_size));
	return has_room ? STATUS_OK : STATUS_SYSTEM;
}

void window_free(struct window *w)
{
	memory_free(w->states);
	memory_free(w->kept);
	memory_free(w->lacks);
	memory_free(w->span.suffixes);
	memory_free(w->span.times);
	w->states = w->kept = w->lacks = NULL;
	w->states_bytes = w->kept_bytes = w->lacks_bytes = 0;
	w->span = (struct window_span){.is_given = w->span.is_given};
}

void window_begin(struct window *w, const struct window_row *row)
{
	*w = (struct window){.length = w->length,
			     .kept_size = w->kept_size,
			     .states = w->states,
			     .states_bytes = w->states_bytes,
			     .kept = w->kept,
			     .kept_bytes = w->kept_bytes,
			     .lacks = w->lacks,
			     .lacks_bytes = w->lacks_bytes,
			     .may_lack = w->may_lack,
			     .span = {.is_given = w->span.is_given,
				      .suffixes = w->span.suffixes,
				      .suffixes_bytes = w->span.suffixes_bytes,
				      .times = w->span.times,
				      .times_bytes = w->span.times_bytes}};
	memset(w->prefix, 0, row->code->prefix_size);
}

/* The upper half of an integer of 128 bits that has the value of one of 64 bits. */
static uint64_t upper_half(const struct type *t, uint64_t lower)
{
	return t->kind == KIND_SIGNED ? 0 - (lower >> 63) : 0;
}

/* Integers, at most a piece, as 128-bit ones. */
static void widen(const struct type *t, const unsigned char *in, size_t count, unsigned char *out)
{
	convert_function *to_long = convert_find(t, type_long(t));
	uint64_t longer[PIECE];
	if (to_long != NULL)
		(void)to_long(in, count, longer);
	else
		memcpy(longer, in, count * sizeof *longer);
	for (size_t i = 0; i < count; i++) {
		const union value v = {.i128 = {longer[i], upper_half(t, longer[i])}};
		memcpy(out + i * sizeof v, &v, sizeof v);
	}
}

/* The way back. Returns the index of the first one that does not fit, or SIZE_MAX. */
static size_t narrow(const struct type *t, const unsigned char *in, size_t count, unsigned char *out)
{
	convert_function *from_long = convert_find(type_long(t), t);
	uint64_t longer[PIECE];
	size_t fit = 0;
	for (; fit < count; fit++) {
		union value v;
		memcpy(&v, in + fit * sizeof v, sizeof v);
		longer[fit] = v.i128.lo;
		if (v.i128.hi != upper_half(t, v.i128.lo))
			break;
	}
	if (from_long == NULL)
		memcpy(out, longer, fit * sizeof *longer);
	const size_t unfit = from_long != NULL ? from_long(longer, fit, out) : SIZE_MAX;
	return unfit != SIZE_MAX || fit == count ? unfit : fit;
}

struct piece {
	_Alignas(64) unsigned char elements[LIBRARY_INPUTS_MAX * PIECE * sizeof(uint64_t)];
	_Alignas(64) unsigned char wide[PIECE * sizeof(union value)];
	_Alignas(64) unsigned char results[PIECE * sizeof(union value)];
};

static bool is_checked(const struct window_row *r)
{
	return r->row->overflow_checked && r->type->id == TYPE_I128;
}

/* Whether results are in the wider type. */
static bool is_brought_back(const struct window_row *r)
{
	return r->type != r->row->acc && r->row->op->result == RESULT_SAME;
}

/* They in the accumulator's. Returns the first that is to fit and does not, or SIZE_MAX. */
static size_t bring_back(const struct window_row *r, const unsigned char *results, size_t count, unsigned char *out)
{
	convert_function *from = r->type->id == TYPE_I128 ? NULL : convert_find(r->type, r->row->acc);
	const size_t unfit = from != NULL ? from(results, count, out) : narrow(r->row->acc, results, count, out);
	return r->row->overflow_checked ? unfit : SIZE_MAX;
}

/* Takes in count elements of the accumulator's type, at most a piece, in the wider type. */
static size_t push_wide(struct window *w, const struct window_row *r, const unsigned char *in, size_t count,
			struct piece *piece, unsigned char *out)
{
	const struct row *row = r->row;
	convert_function *to = r->type->id == TYPE_I128 ? NULL : convert_find(row->acc, r->type);
	if (to != NULL)
		(void)to(in, count, piece->wide);
	else
		widen(row->acc, in, count, piece->wide);
	if (!is_brought_back(r))
		return r->push(w, piece->wide, count, row->parameter, out);
	const size_t taken = r->push(w, piece->wide, count, row->parameter, piece->results);
	const size_t unfit = bring_back(r, piece->results, taken, out);
	return unfit < taken ? unfit : taken;
}

static __attribute__((noinline)) size_t push_in_pieces(struct window *w, const struct window_row *r,
						       const unsigned char *in, size_t count, unsigned char *out)
{
	const struct row *row = r->row;
	convert_function *convert = convert_find(row->in, row->acc);
	struct piece piece;
	assert(row->element.count <= LIBRARY_INPUTS_MAX);
	for (size_t first = 0; first < count; first += PIECE) {
		const unsigned char *elements = in + first * row->element.size;
		unsigned char *results = out + first * row->results.size;
		size_t most = count - first < PIECE ? count - first : PIECE;
		size_t fit = most;
		if (convert != NULL) {
			const size_t unfit = convert(elements, most * row->element.count, piece.elements);
			fit = row->checked && unfit != SIZE_MAX ? unfit / row->element.count : most;
			elements = piece.elements;
		}
		const size_t taken = r->type == row->acc ? r->push(w, elements, fit, row->parameter, results)
							 : push_wide(w, r, elements, fit, &piece, results);
		if (taken < most)
			return first + taken;
	}
	return count;
}

uint64_t window_gather(const struct window *w, unsigned char *states, size_t size)
{
	uint64_t to = w->length;
	for (uint64_t i = w->length; i-- > 0;) {
		if (window_has_number(w, i) && --to != i)
			memcpy(states + to * size, states + i * size, size);
	}
	return w->length - to;
}

void window_spread(struct window *w, unsigned char *states, size_t size, uint64_t numbers)
{
	const uint64_t from = w->spoilt_from;
	const uint64_t to = w->spoilt_to;
	uint64_t next = 0;
	w->suffix_end = 0;
	for (uint64_t i = 0; i < w->length; i++) {
		const uint64_t at = w->length - numbers + next;
		if (next < numbers && at != i)
			memcpy(states + i * size, states + at * size, size);
		if (!window_has_number(w, i))
			continue;
		w->suffix_end = i + 1;
		next++;
		/* (Both were indices among the numbers.) */
		w->spoilt_from = next == from ? i + 1 : w->spoilt_from;
		w->spoilt_to = next == to ? i + 1 : w->spoilt_to;
	}
}

/* Whether there is a number at a place that is counted from the beginning of the block before. The next elements all
 * are numbers. */
static bool was_number(const struct window *w, uint64_t place)
{
	if (place < w->length)
		return w->has_block && window_has_number(w, place);
	return place - w->length >= w->place || window_has_number(w, place - w->length);
}

void window_cover(const struct window *w, size_t count, uint64_t *covered)
{
	uint64_t before = w->covered;
	for (size_t i = 0; i < count; i++)
		covered[i] = before = before + 1 - was_number(w, w->place + i); /* the one that leaves the window */
}

bool window_begins_with_number(const struct window *w, size_t i)
{
	return was_number(w, w->place + i + 1);
}

/* Indices are counted from the window's first number: from the first of all. */
static inline void place_index(uint64_t taken, uint64_t covered, unsigned char *result)
{
	uint64_t index;
	memcpy(&index, result, sizeof index);
	index += taken - covered;
	memcpy(result, &index, sizeof index);
}

static bool is_of_places(const struct row *row)
{
	return row->op->id == OPERATOR_ARGMAX || row->op->id == OPERATOR_ARGMIN;
}

/* Writes the result, in r->type, of a suffix, which has that place in its block, and the prefix. NULL: no suffix. */
static enum window_passed emit_window(const struct window *w, const struct window_row *r, const unsigned char *suffix,
				      uint64_t at, void *result)
{
	static const union value none[LIBRARY_INPUTS_MAX];
	_Alignas(max_align_t) unsigned char prefix[STATE_SIZE_MAX], state[STATE_SIZE_MAX];
	const size_t size = r->code->state_size;
	const bool has_prefix = w->numbers > 0;
	if (suffix == NULL && !has_prefix)
		return WINDOW_IS_EMPTY;
	if (suffix != NULL)
		memcpy(state, suffix, size);
	if (has_prefix) {
		r->code->prefix(w, prefix);
		memcpy(state, prefix, size);
		if (suffix != NULL)
			r->code->combine(w, suffix, state);
	}
	if ((is_checked(r) || r->combine != NULL) &&
	    r->code->is_unfit(w, at, suffix, has_prefix ? prefix : NULL, w->is_spoilt, state))
		return WINDOW_DOES_NOT_FIT;
	/* (What emits inputs is never exclusive: its result is not asked for.) */
	if (r->code->emit != NULL)
		r->code->emit(state, none, r->row->parameter, result);
	else
		memcpy(result, state, size);
	return WINDOW_HAS_RESULT;
}

/* window_pass, with the result in r->type. One that does not fit leaves the window as it was. */
static enum window_passed pass_place(struct window *w, const struct window_row *r, void *result)
{
	const size_t size = r->code->state_size;
	const uint64_t place = w->place;
	const unsigned char *suffix = place + 1 < w->suffix_end ? w->states + (place + 1) * size : NULL;
	const enum window_passed passed =
		result != NULL ? emit_window(w, r, suffix, place + 1, result) : WINDOW_IS_EMPTY;
	if (passed == WINDOW_DOES_NOT_FIT)
		return passed;
	memset(w->states + place * size, 0, size);
	w->lacks[w->place++] = 1;
	w->count++;
	if (w->place == w->length)
		r->code->end_block(w);
	return passed;
}

/* Puts a result, which is in r->type, where a window has taken in numbers and covers the last of them. */
static enum window_passed put_passed(const struct window_row *r, const unsigned char *result, uint64_t taken,
				     uint64_t covered, void *out)
{
	if (is_brought_back(r))
		return bring_back(r, result, 1, out) == SIZE_MAX ? WINDOW_HAS_RESULT : WINDOW_DOES_NOT_FIT;
	memcpy(out, result, r->row->results.size);
	if (is_of_places(r->row))
		place_index(taken, covered, out);
	return WINDOW_HAS_RESULT;
}

enum window_passed window_pass(struct window *w, const struct window_row *r, void *out)
{
	const uint64_t leaving = w->has_block && window_has_number(w, w->place);
	w->combine = r->combine;
	_Alignas(max_align_t) unsigned char result[sizeof(union value)];
	const enum window_passed passed = pass_place(w, r, out != NULL ? result : NULL);
	const bool fits = passed != WINDOW_DOES_NOT_FIT;
	if (!fits && !is_brought_back(r))
		return passed;
	if (!fits)
		(void)pass_place(w, r, NULL);
	w->covered -= leaving;
	return passed == WINDOW_HAS_RESULT ? put_passed(r, result, w->taken, w->covered, out) : passed;
}

enum window_passed window_look_back(struct window *w, const struct window_row *r, uint64_t begin, void *out)
{
	const struct window_span *span = &w->span;
	_Alignas(max_align_t) unsigned char result[sizeof(union value)];
	if (begin > span->first)
		r->code->end_span(w, begin);
	const uint64_t at = span->suffix_count - (span->first - begin);
	const unsigned char *suffix = begin < span->first ? span->suffixes + at * r->code->state_size : NULL;
	const enum window_passed passed = emit_window(w, r, suffix, at, result);
	return passed == WINDOW_HAS_RESULT ? put_passed(r, result, w->taken, w->taken - begin, out) : passed;
}

size_t window_push(struct window *w, const struct window_row *r, const void *in, size_t count, const uint64_t *covered,
		   void *out)
{
	const struct row *row = r->row;
	const uint64_t before = w->count;
	w->combine = r->combine;
	const size_t taken = row->in == row->acc && r->type == row->acc ? r->push(w, in, count, row->parameter, out)
									: push_in_pieces(w, r, in, count, out);
	const bool are_places = is_of_places(row);
	for (size_t i = 0; i < taken && are_places; i++) {
		const uint64_t end = w->taken + i + 1;
		const uint64_t whole = end < w->length ? end : w->length;
		place_index(end, covered != NULL ? covered[i] : whole, (unsigned char *)out + i * sizeof(uint64_t));
	}
	/* (Those in a wider type, too, whose results do not fit.) */
	const size_t held = (size_t)(w->count - before);
	w->taken += held;
	if (covered != NULL && held > 0)
		w->covered = covered[held - 1];
	return taken;
}

uint64_t window_pack(struct pack *p, const struct window *w, const struct window_row *row)
{
	const size_t state_size = row->code->state_size;
	const struct saved_window saved = {.elements = w->count,
					   .place = w->place,
					   .has_block = w->has_block,
					   .numbers = w->numbers,
					   .taken = w->taken,
					   .covered = w->covered,
					   .suffix_end = w->suffix_end,
					   .lacks = {w->lacks, w->may_lack ? (size_t)state_count(w) : 0},
					   .is_spoilt = w->is_spoilt,
					   .spoilt_from = w->spoilt_from,
					   .spoilt_to = w->spoilt_to};
	const struct layout prefix = layout_of_prefix(row);
	const struct layout state = layout_of_state(row);
	assert(row->push == row->code->push);
	layout_pack(p, &saved_window_layout, &saved);
	pack_count(p, layout_packed_size(&prefix));
	layout_pack(p, &prefix, w->prefix);
	pack_count(p, state_count(w) * layout_packed_size(&state));
	for (uint64_t i = 0; i < state_count(w); i++)
		layout_pack(p, &state, w->states + i * state_size);
	return w->taken < w->length ? w->taken : w->length;
}

enum status window_unpack(struct unpack *u, struct window *w, const struct window_row *row, uint64_t *count)
{
	struct saved_window saved;
	const size_t state_size = row->code->state_size;
	const struct layout prefix = layout_of_prefix(row);
	const struct layout state = layout_of_state(row);
	const size_t packed_size = layout_packed_size(&state);
	assert(row->push == row->code->push);
	*count = 0;
	window_begin(w, row);
	layout_unpack(u, &saved_window_layout, &saved);
	const bool has_block = saved.has_block != 0;
	u->failed = u->failed || saved.has_block > 1 || saved.is_spoilt > 1 ||
		    saved.elements % w->length != saved.place || has_block != (saved.elements >= w->length) ||
		    saved.spoilt_from > w->length || saved.spoilt_to > w->length || saved.numbers > saved.place ||
		    saved.taken > saved.elements || saved.covered > saved.taken || saved.covered > w->length ||
		    saved.suffix_end > (has_block ? w->length : 0) ||
		    saved.lacks.size != (w->may_lack ? (has_block ? w->length : saved.place) : 0) ||
		    unpack_count(u) != layout_packed_size(&prefix);
	layout_unpack(u, &prefix, w->prefix);
	const uint64_t held = has_block ? w->length : saved.place;
	const uint64_t size = unpack_count(u);
	u->failed = u->failed || size > u->left || size / packed_size != held || size % packed_size != 0;
	if (u->failed)
		return STATUS_OK;
	if (window_reserve(w, row, held) != STATUS_OK) {
		memory_missing((size_t)held * state_size);
		return STATUS_SYSTEM;
	}
	if (held > 0)
		memset(w->states, 0, (size_t)held * state_size);
	for (uint64_t i = 0; i < held; i++)
		layout_unpack(u, &state, w->states + i * state_size);
	w->count = saved.elements;
	w->place = saved.place;
	w->has_block = has_block;
	w->numbers = saved.numbers;
	w->taken = saved.taken;
	w->covered = saved.covered;
	w->suffix_end = saved.suffix_end;
	for (uint64_t i = 0; i < saved.lacks.size; i++)
		w->lacks[i] = saved.lacks.data[i] != 0;
	w->is_spoilt = saved.is_spoilt != 0;
	w->spoilt_from = saved.spoilt_from;
	w->spoilt_to = saved.spoilt_to;
	*count = w->taken < w->length ? w->taken : w->length;
	return STATUS_OK;
}
