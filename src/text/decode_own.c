/* Decimals at their own scales: narrow ones at one scale as long as that goes. */
#include "text/decode_private.h"

#include "number/powers.h"

/* Multiplies the elements of a narrow column. False: one of them does not fit, and none is changed. */
static bool multiply(struct column *k, int64_t factor)
{
	int64_t *m = (int64_t *)(void *)k->elements;
	int64_t least = 0;
	int64_t most = 0;
	int64_t unused;
	for (size_t i = 0; i < k->count; i++) {
		least = m[i] < least ? m[i] : least;
		most = m[i] > most ? m[i] : most;
	}
	if (__builtin_mul_overflow(least, factor, &unused) || __builtin_mul_overflow(most, factor, &unused))
		return false;
	for (size_t i = 0; i < k->count; i++)
		m[i] *= factor;
	return true;
}

bool decode_bring_together(struct column *k, unsigned scale, int64_t *mantissa)
{
	int64_t brought;
	if (scale < k->scale &&
	    !__builtin_mul_overflow(*mantissa, (int64_t)power_of_ten_u64[k->scale - scale], &brought)) {
		*mantissa = brought;
		return true;
	}
	if (scale > k->scale && multiply(k, (int64_t)power_of_ten_u64[scale - k->scale])) {
		k->scale = scale;
		return true;
	}
	decode_widen(k);
	return false;
}

void decode_widen(struct column *k)
{
	if (!k->is_narrow)
		return;
	k->is_narrow = false;
	k->step = k->reading.type->size;
	/* (Those of 128 bits take the place of those after them.) */
	for (size_t i = k->count; i-- > 0;) {
		const unsigned own = k->scales->data[i] & OWN_SCALE_MASK;
		int64_t m;
		memcpy(&m, k->elements + i * sizeof m, sizeof m);
		m /= (int64_t)power_of_ten_u64[k->scale - own];
		const union value wide = decimal_wide(m);
		memcpy(k->elements + i * k->step, &wide, sizeof wide.i128);
	}
}
