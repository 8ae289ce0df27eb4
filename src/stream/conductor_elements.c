/* The elements of a run: what they are, and how their segment reads them. */
#include <string.h>

#include "number/powers.h"
#include "stream/key_scans.h"

int128 segment_mantissa_at(const struct run_scan *r, size_t i)
{
	const struct slot_column *column = r->column;
	union value m;
	memcpy(&m, segment_element_at(r, i), column->step);
	if (!column->is_narrow)
		return decimal_value(&m, &type_table[TYPE_I128]);
	return m.i64 / (int64_t)power_of_ten_u64[column->scale - (segment_scale_at(r, i) & OWN_SCALE_MASK)];
}

struct written_element segment_element(const struct run_scan *r, size_t i)
{
	struct written_element e = {.own = segment_scale_at(r, i)};
	const bool is_float = (e.own & OWN_SCALE_FLOAT) != 0;
	const int128 m = is_float ? 0 : segment_mantissa_at(r, i);
	if (is_float)
		memcpy(&e.value, segment_element_at(r, i), sizeof e.value.f64);
	else
		e.value = decimal_wide(m);
	return e;
}

double written_element_f64(const struct written_element *e)
{
	if ((e->own & OWN_SCALE_FLOAT) != 0)
		return e->value.f64;
	if ((e->own & OWN_SCALE_NEGATIVE_ZERO) != 0)
		return -0.0;
	return decimal_to_f64(&e->value, &type_table[TYPE_I128], e->own & OWN_SCALE_MASK);
}

double segment_f64_at(const struct run_scan *r, size_t i)
{
	const struct written_element e = segment_element(r, i);
	return written_element_f64(&e);
}

const struct row *segment_row(const struct run_scan *r)
{
	const struct segment *g = r->segment;
	const struct row *row = &r->lane->rows[g->width];
	if (row->op->parameter != PARAMETER_SCALE)
		return row;
	r->work->row = *row;
	r->work->row.parameter = (double)power_of_ten_u64[g->scale];
	return &r->work->row;
}
