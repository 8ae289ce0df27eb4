#include "scan/exact_scan.h"

#include "base/memory.h"
#include "scan/exact_number.h"

struct exact_scan {
	const struct expression *combine;
	double *floats; /* One for each slot of the expression. In the memory of the struct, as are `slots`. */
	struct exact_number slots[];
};

struct exact_scan *exact_scan_new(const struct expression *combine)
{
	const size_t slots = combine->slot_count;
	struct exact_scan *s =
		memory_new(sizeof *s + slots * (sizeof(struct exact_number) + sizeof(double)));
	if (s == NULL)
		return NULL;
	s->combine = combine;
	s->floats = (double *)(void *)(s->slots + slots);
	for (size_t k = 0; k < combine->constant_count; k++)
		s->slots[combine->input_count + k] = exact_number_of(&combine->constants[k]);
	return s;
}

void exact_scan_free(struct exact_scan *s)
{
	memory_free(s);
}

size_t exact_scan_push(struct exact_scan *s, struct exact_state *state, const struct exact_column *in, size_t first,
		       size_t count, union value *out, unsigned char *scales)
{
	struct exact_number x = {.mantissa = state->mantissa, .own = state->scale};
	for (size_t i = 0; i < count; i++) {
		const struct exact_number element = exact_number_at(in, first + i);
		if ((element.own & OWN_SCALE_FLOAT) != 0)
			return i;
		if (state->is_begun) {
			s->slots[0] = x;
			s->slots[1] = element;
			x = exact_number_evaluate(s->combine, s->slots, s->floats);
			if ((x.own & OWN_SCALE_FLOAT) != 0)
				return i;
		} else {
			x = element;
		}
		x.own &= OWN_SCALE_MASK;
		*state = (struct exact_state){.is_begun = true, .scale = x.own, .mantissa = x.mantissa};
		out[i] = decimal_wide(x.mantissa);
		scales[i] = x.own;
	}
	return count;
}
