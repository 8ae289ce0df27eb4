/* numpy's short names count bytes (i4, f8), pscan's count bits: i8 has eight bits here and eight bytes there. So short
 * names are numpy's only with numpy's order character before them. */
#include "number/type.h"

#include <string.h>

const struct type type_table[] = {
	[TYPE_I8] = {"i8", "int8", "char", TYPE_I8, KIND_SIGNED, 1},
	[TYPE_U8] = {"u8", "uint8", "uchar", TYPE_U8, KIND_UNSIGNED, 1},
	[TYPE_I16] = {"i16", "int16", "short", TYPE_I16, KIND_SIGNED, 2},
	[TYPE_U16] = {"u16", "uint16", "ushort", TYPE_U16, KIND_UNSIGNED, 2},
	[TYPE_I32] = {"i32", "int32", "int", TYPE_I32, KIND_SIGNED, 4},
	[TYPE_U32] = {"u32", "uint32", "uint", TYPE_U32, KIND_UNSIGNED, 4},
	[TYPE_I64] = {"i64", "int64", "long", TYPE_I64, KIND_SIGNED, 8},
	[TYPE_U64] = {"u64", "uint64", "ulong", TYPE_U64, KIND_UNSIGNED, 8},
	[TYPE_F32] = {"f32", "float32", "float", TYPE_F32, KIND_FLOAT, 4},
	[TYPE_F64] = {"f64", "float64", "double", TYPE_F64, KIND_FLOAT, 8},
	[TYPE_I128] = {"i128", NULL, NULL, TYPE_I128, KIND_SIGNED, 16},
};
_Static_assert(sizeof type_table / sizeof type_table[0] == TYPE_COUNT, "a row for every type");
_Static_assert(TYPE_U8 == TYPE_I8 + 1 && TYPE_U64 == TYPE_I64 + 1, "a signed type stands before its unsigned one");

static bool machine_is_little_endian(void)
{
	const uint16_t probe = 1;
	unsigned char first;
	memcpy(&first, &probe, 1);
	return first == 1;
}

static bool equals(const char *name, const char *text, size_t size)
{
	return strlen(name) == size && memcmp(name, text, size) == 0;
}

/* The letter of each kind in numpy's short names. */
static const char kinds[] = {[KIND_SIGNED] = 'i', [KIND_UNSIGNED] = 'u', [KIND_FLOAT] = 'f'};

static const struct type *numpy_short_name(const char *text, size_t size)
{
	if (size != 2)
		return NULL;
	for (int id = 0; id < TYPE_I128; id++) {
		const struct type *t = &type_table[id];
		if (text[0] == kinds[t->kind] && text[1] == (char)('0' + t->size))
			return t;
	}
	return NULL;
}

const struct type *type_parse(const char *text, size_t size, bool *ordered, bool *swapped)
{
	char order = '=';
	const bool prefixed = size > 0 && memchr("<>=|", text[0], 4) != NULL;
	if (prefixed) {
		order = text[0];
		text++;
		size--;
	} else if (size > 2 && text[size - 1] == 'e' && (text[size - 2] == 'l' || text[size - 2] == 'b')) {
		order = text[size - 2] == 'l' ? '<' : '>';
		size -= 2;
	}
	const struct type *found = prefixed ? numpy_short_name(text, size) : NULL;
	for (int id = 0; id < TYPE_I128 && found == NULL; id++) {
		const bool ours = !prefixed && equals(type_table[id].name, text, size);
		if (ours || equals(type_table[id].numpy_name, text, size))
			found = &type_table[id];
	}
	if (found == NULL)
		return NULL;
	*ordered = order == '<' || order == '>';
	*swapped = *ordered && (order == '<') != machine_is_little_endian();
	return found;
}

bool type_parse_pair(const char *text, struct named_type *in, struct named_type *acc)
{
	const size_t size = strcspn(text, ":");
	in->type = type_parse(text, size, &in->ordered, &in->swapped);
	*acc = *in;
	if (text[size] == ':')
		acc->type = type_parse(text + size + 1, strlen(text + size + 1), &acc->ordered, &acc->swapped);
	return in->type != NULL && acc->type != NULL;
}

void type_format_code(char out[TYPE_CODE_SIZE], const struct type *t, bool swapped)
{
	const bool is_little = machine_is_little_endian() != swapped;
	out[0] = t->size == 1 ? '|' : is_little ? '<' : '>';
	out[1] = kinds[t->kind];
	out[2] = (char)('0' + t->size);
	out[3] = '\0';
}

const struct type *type_long(const struct type *t)
{
	return t->kind == KIND_FLOAT || t->size >= 8 ? t : &type_table[t->kind == KIND_SIGNED ? TYPE_I64 : TYPE_U64];
}

const struct type *type_unsigned(const struct type *t)
{
	return t->kind == KIND_SIGNED && t->id != TYPE_I128 ? t + 1 : t;
}

uint64_t type_integer(const struct type *t, const union value *value)
{
	const unsigned shift = 64 - 8 * (unsigned)t->size;
	const uint64_t bits = t->size == 1   ? value->u8
			      : t->size == 2 ? value->u16
			      : t->size == 4 ? value->u32
					     : value->u64;
	return t->kind == KIND_SIGNED ? (uint64_t)((int64_t)(bits << shift) >> shift) : bits;
}

void type_put_integer(const struct type *t, uint64_t bits, union value *value)
{
	switch (t->size) {
	case 1:
		value->u8 = (uint8_t)bits;
		break;
	case 2:
		value->u16 = (uint16_t)bits;
		break;
	case 4:
		value->u32 = (uint32_t)bits;
		break;
	default:
		value->u64 = bits;
		break;
	}
}
