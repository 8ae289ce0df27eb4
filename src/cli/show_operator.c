/* Programs have types of their own, which are one type here: that of the elements and of the accumulator. */
#include "cli/show_operator.h"

#include <string.h>

#include "base/message.h"
#include "scan/library.h"

static enum status refuse_type(const char *type, const char *why)
{
	char quoted[MESSAGE_QUOTED_SIZE];
	message_error("--show-operator: -t %s: %s", message_quote(quoted, type, strlen(type)), why);
	return STATUS_USAGE;
}

/* IN, or IN:ACC of twice the same. */
static enum status find_type(const char *text, const struct type **acc)
{
	bool ordered;
	bool swapped;
	bool acc_swapped;
	const char *colon = strchr(text, ':');
	const size_t size = colon != NULL ? (size_t)(colon - text) : strlen(text);
	const struct type *in = type_parse(text, size, &ordered, &swapped);
	*acc = colon == NULL ? in : type_parse(colon + 1, strlen(colon + 1), &ordered, &acc_swapped);
	if (strcmp(text, "num") == 0 || strcmp(text, "dec") == 0)
		return refuse_type(text, "a program has binary numbers: name one such as f64");
	if (in == NULL || *acc == NULL)
		return refuse_type(text, "expected one of i8 u8 i16 u16 i32 u32 i64 u64 f32 f64");
	if (in != *acc)
		return refuse_type(text, "a program's elements are of the accumulator's type");
	if (swapped || (colon != NULL && acc_swapped))
		return refuse_type(text, "a program's elements have the machine's byte order");
	return STATUS_OK;
}

enum status show_operator(const struct options *o, struct bytes *text)
{
	const struct scan_operator *op = o->shown.op;
	const struct type *acc = &type_table[TYPE_F64];
	if (o->type != NULL && find_type(o->type, &acc) != STATUS_OK)
		return STATUS_USAGE;
	if (!operator_has(op, acc)) {
		const bool is_float = acc->kind == KIND_FLOAT;
		message_error("--show-operator: %s needs %ss: name a type such as -t %s", op->name,
			      is_float ? "integer" : "float", is_float ? "i64" : "f64");
		return STATUS_USAGE;
	}
	if (op->lacks_first && acc->kind != KIND_FLOAT) {
		message_error("--show-operator: the first result of %s is absent, for which a program of integers has "
			      "no value: name a type such as -t f64",
			      op->name);
		return STATUS_USAGE;
	}
	if (!operator_takes_factor(op, acc, o->shown.factor)) {
		message_error("--show-operator: %s: the number after its name is 0 in %s", op->name, acc->name);
		return STATUS_USAGE;
	}
	return library_write(op, acc, o->shown.factor, text);
}
