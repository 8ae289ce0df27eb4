#include "scan/window.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "number/convert.h"
#include "number/decimal.h"
#include "scan/layouts.h"
#include "scan/rows.h"

/* Elements that are converted at a time, and the most numbers that one of the library's operators has. */
#define PIECE 1024
#define LIBRARY_INPUTS_MAX 2

/* So many numbers of 32 bits have a sum of 64. */
#define LENGTH_MAX_OF_LONG (UINT64_C(1) << 31)

struct window_row window_row_of(const struct row *row, uint64_t length)
{
	const bool is_wide = row->acc->size > 8;
	const bool widens = row->overflow_checked && !is_wide;
	const bool is_long = row->acc->size < 8 && row->op->id != OPERATOR_PROD && length <= LENGTH_MAX_OF_LONG;
	const struct type *type = !widens ? row->acc : &type_table[is_long ? TYPE_I64 : TYPE_I128];
	const bool checked = row->overflow_checked && type->id == TYPE_I128;
	assert(row->op->program == NULL && row->algorithm == ALGORITHM_BLELLOCH && !row->exclusive);
	const struct window_code *code = &host_rows_grid(row->op->id)->windows[checked][type->id];
	return (struct window_row){.row = row,
				   .code = code,
				   .push = checked ? code->push : host_rows_push_window(row->op->id, type->id),
				   .type = type};
}

void window_row_forget_vectors(struct window_row *row)
{
	row->push = row->code->push;
}

size_t window_size_max(const struct scan_operator *op)
{
	size_t size = 0;
	for (int i = 0; i < 4 * TYPE_COUNT; i++) {
		const enum operator_id id = i % 2 == 0 ? op->id : op->decimals;
		const struct window_code *code = &host_rows_grid(id)->windows[i / 2 / TYPE_COUNT][i / 2 % TYPE_COUNT];
		size = code->prefix_size > size ? code->prefix_size : size;
	}
	const size_t unit = _Alignof(struct window);
	return (sizeof(struct window) + size + unit - 1) / unit * unit;
}

/* Gives an array, in which the first `count` things of `size` bytes are used, room for `wanted` of them, at most
 * `most`, and one more. Its capacity is in bytes: what the next segment keeps there may be larger. */
static bool reserve(unsigned char **array, size_t *capacity, uint64_t count, uint64_t wanted, uint64_t most,
		    size_t size)
{
	const uint64_t room = *capacity / size;
	if (wanted < room)
		return true;
	/* It doubles, as far as there are elements for it. */
	if (wanted < 2 * room)
		wanted = 2 * room < most ? 2 * room : most;
	unsigned char *grown = wanted < SIZE_MAX / size - 1 ? memory_try((size_t)(wanted + 1) * size) : NULL;
	if (grown == NULL)
		return false;
	if (count > 0)
		memcpy(grown, *array, (size_t)count * size);
	memory_free(*array);
	*array = grown;
	*capacity = (size_t)(wanted + 1) * size;
	return true;
}

/* How many states there are of elements. */
static uint64_t state_count(const struct window *w)
{
	return w->has_block ? w->length : w->place;
}

enum status window_reserve(struct window *w, const struct window_row *row, uint64_t count)
{
	const uint64_t used = state_count(w);
	const uint64_t wanted = w->has_block || count > w->length - w->place ? w->length : w->place + count;
	const size_t size = row->code->state_size;
	const bool has_room =
		reserve(&w->states, &w->states_bytes, used, wanted, w->length, size) &&
		(w->kept_size == 0 || reserve(&w->kept, &w->kept_bytes, used, wanted, w->length, w->kept_size));
	return has_room ? STATUS_OK : STATUS_SYSTEM;
}

void window_free(struct window *w)
{
	memory_free(w->states);
	memory_free(w->kept);
	w->states = w->kept = NULL;
	w->states_bytes = w->kept_bytes = 0;
}

void window_begin(struct window *w, const struct window_row *row)
{
	*w = (struct window){.length = w->length,
			     .kept_size = w->kept_size,
			     .states = w->states,
			     .states_bytes = w->states_bytes,
			     .kept = w->kept,
			     .kept_bytes = w->kept_bytes};
	memset(w->prefix, 0, row->code->prefix_size);
}

static int128 integer_at(const struct type *t, const unsigned char *at)
{
	union value v;
	memcpy(&v, at, t->size);
	switch (t->id) {
	case TYPE_I8:
		return v.i8;
	case TYPE_U8:
		return v.u8;
	case TYPE_I16:
		return v.i16;
	case TYPE_U16:
		return v.u16;
	case TYPE_I32:
		return v.i32;
	case TYPE_U32:
		return v.u32;
	case TYPE_U64:
		return v.u64;
	case TYPE_I64:
	case TYPE_I128:
	case TYPE_F32:
	case TYPE_F64:
	case TYPE_COUNT:
		break;
	}
	return decimal_value(&v, t);
}

/* Integers as 128-bit ones. */
static void widen(const struct type *t, const unsigned char *in, size_t count, unsigned char *out)
{
	for (size_t i = 0; i < count; i++) {
		const int128 x = integer_at(t, in + i * t->size);
		const union value v = {.i128 = {(uint64_t)x, (uint64_t)((uint128)x >> 64)}};
		memcpy(out + i * sizeof v, &v, sizeof v);
	}
}

/* The way back. Returns the index of the first one that does not fit, or SIZE_MAX. */
static size_t narrow(const struct type *t, const unsigned char *in, size_t count, unsigned char *out)
{
	for (size_t i = 0; i < count; i++) {
		union value v;
		const int128 x = integer_at(&type_table[TYPE_I128], in + i * sizeof v);
		type_put_integer(t, (uint64_t)x, &v);
		memcpy(out + i * t->size, &v, t->size);
		if (integer_at(t, out + i * t->size) != x)
			return i;
	}
	return SIZE_MAX;
}

struct piece {
	_Alignas(64) unsigned char elements[LIBRARY_INPUTS_MAX * PIECE * sizeof(uint64_t)];
	_Alignas(64) unsigned char wide[PIECE * sizeof(union value)];
	_Alignas(64) unsigned char results[PIECE * sizeof(union value)];
};

/* Takes in count elements of the accumulator's type, at most a piece, in the wider type. */
static size_t push_wide(struct window *w, const struct window_row *r, const unsigned char *in, size_t count,
			struct piece *piece, unsigned char *out)
{
	const struct row *row = r->row;
	convert_function *to = r->type->id == TYPE_I128 ? NULL : convert_find(row->acc, r->type);
	convert_function *from = r->type->id == TYPE_I128 ? NULL : convert_find(r->type, row->acc);
	if (to != NULL)
		(void)to(in, count, piece->wide);
	else
		widen(row->acc, in, count, piece->wide);
	const size_t taken = r->push(w, piece->wide, count, row->parameter, piece->results);
	const size_t unfit =
		from != NULL ? from(piece->results, taken, out) : narrow(row->acc, piece->results, taken, out);
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

size_t window_push(struct window *w, const struct window_row *r, const void *in, size_t count, void *out)
{
	const struct row *row = r->row;
	const uint64_t before = w->count;
	const bool is_place = row->op->id == OPERATOR_ARGMAX || row->op->id == OPERATOR_ARGMIN;
	const size_t taken = row->in == row->acc && r->type == row->acc ? r->push(w, in, count, row->parameter, out)
									: push_in_pieces(w, r, in, count, out);
	/* From the window's beginning: from the first element. */
	for (size_t i = 0; i < taken && is_place; i++) {
		const uint64_t end = before + i + 1;
		uint64_t index;
		memcpy(&index, (unsigned char *)out + i * sizeof index, sizeof index);
		index += end > w->length ? end - w->length : 0;
		memcpy((unsigned char *)out + i * sizeof index, &index, sizeof index);
	}
	return taken;
}

/* A state of one row in another. False: it has none. */
static bool bring_state(const struct window_row *from, const struct window_row *to, window_bring *bring,
			const void *context, const unsigned char *state, unsigned char *brought)
{
	const size_t count = from->row->op->scaled_members;
	const size_t size = from->type->size;
	unsigned char before[STATE_SIZE_MAX] = {0};
	union value members[SCALED_MEMBERS_MAX] = {{0}};
	union value others[SCALED_MEMBERS_MAX] = {{0}};
	memcpy(before, state, from->code->state_size);
	for (size_t m = 0; m < count; m++)
		memcpy(&members[m], before + m * size, size);
	if (!bring(context, members, others))
		return false;
	to->code->state(others, before + count * size, to->row->parameter, brought);
	return true;
}

bool window_change(struct window *w, const struct window_row *from, const struct window_row *to, window_bring *bring,
		   const void *context)
{
	const uint64_t count = w->has_block ? w->length : w->place;
	_Alignas(max_align_t) unsigned char prefix[STATE_SIZE_MAX];
	_Alignas(max_align_t) unsigned char state[STATE_SIZE_MAX];
	assert(to->code->state_size <= from->code->state_size && from->push == from->code->push &&
	       to->push == to->code->push);
	if (w->place > 0) {
		from->code->prefix(w, state);
		if (!bring_state(from, to, bring, context, state, prefix))
			return false;
	}
	/* First to see whether all can be. */
	for (uint64_t i = 0; i < count; i++) {
		if (!bring_state(from, to, bring, context, w->states + i * from->code->state_size, state))
			return false;
	}
	for (uint64_t i = 0; i < count; i++)
		(void)bring_state(from, to, bring, context, w->states + i * from->code->state_size,
				  w->states + i * to->code->state_size);
	if (w->place > 0)
		to->code->restart(w, prefix);
	return true;
}

uint64_t window_pack(struct pack *p, const struct window *w, const struct window_row *row)
{
	const size_t state_size = row->code->state_size;
	const struct saved_window saved = {.elements = w->count,
					   .place = w->place,
					   .has_block = w->has_block,
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
	return state_count(w);
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
		    saved.spoilt_from > w->length || saved.spoilt_to > w->length ||
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
	w->is_spoilt = saved.is_spoilt != 0;
	w->spoilt_from = saved.spoilt_from;
	w->spoilt_to = saved.spoilt_to;
	*count = held;
	return STATUS_OK;
}
