/* A shown program has one type, for its elements and for its accumulator. */
#include "cli/help.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "cli/args.h"
#include "scan/program.h"
#include "scan/shown_operators.h"

static enum status refuse_type(const char *type, const char *why)
{
	return message_refuse("--show-operator: -t %s: %s", message_quoted(type), why);
}

/* IN, or IN:ACC of twice the same. */
static enum status find_type(const char *text, const struct type **type)
{
	struct named_type in;
	struct named_type acc;
	const bool are_types = type_parse_pair(text, &in, &acc);
	if (strcmp(text, "num") == 0 || strcmp(text, "dec") == 0)
		return refuse_type(text, "a program needs a binary type such as f64");
	if (!are_types)
		return refuse_type(text, "expected one of i8 u8 i16 u16 i32 u32 i64 u64 f32 f64");
	if (in.type != acc.type)
		return refuse_type(text, "a program's elements are of the accumulator's type");
	if (in.swapped || acc.swapped)
		return refuse_type(text, "a program's elements have the machine's byte order");
	*type = in.type;
	return STATUS_OK;
}

/* The shortest decimal that is read as that number of the type. */
static void write_factor(const struct type *t, double factor, char digits[32])
{
	const double rounded = t->id == TYPE_F32 ? (double)(float)factor : factor;
	bool is_exact = false;
	for (int precision = 1; precision <= 17 && !is_exact; precision++) {
		(void)snprintf(digits, 32, "%.*g", precision, rounded);
		const double back = strtod(digits, NULL);
		is_exact = (t->id == TYPE_F32 ? (double)strtof(digits, NULL) : back) == rounded;
	}
}

static enum status write_program(const struct scan_operator *op, const struct type *acc, double factor,
				 struct bytes *text)
{
	char digits[32] = "";
	char name[48];
	const bool has_factor = op->parameter == PARAMETER_FACTOR;
	if (has_factor)
		write_factor(acc, factor, digits);
	(void)snprintf(name, sizeof name, "%s%s%s", op->name, has_factor ? ":" : "", digits);
	enum status status = bytes_format(
		text,
		"/* %s: %s.\n *\n"
		" * The operator of that name with elements of type %s, as a program: a start for one of your "
		"own.\n *\n"
		" *     pscan -t %s --show-operator=%s > p.cl\n"
		" *     pscan --format=binary -op @p.cl < %ss.%s\n *\n"
		" * gives what -t %s%s -op %s does%s. */\n\n",
		op->name, op->about, acc->opencl_name, acc->name, name, op->inputs > 1 ? "pair" : "number", acc->name,
		acc->name, op->inputs > 1 ? " -c 2" : "", name, acc->kind != KIND_FLOAT ? " with --overflow=wrap" : "");
	if (has_factor && status == STATUS_OK)
		status = bytes_format(text, "#define A %s%s%s\n\n", digits, strpbrk(digits, ".e") != NULL ? "" : ".0",
				      acc->id == TYPE_F32 ? "f" : "");
	const char *shown = shown_operators[op->id][acc->id];
	return status == STATUS_OK ? bytes_append(text, shown, strlen(shown)) : status;
}

enum status show_operator(const struct options *o, struct bytes *text)
{
	const struct scan_operator *op = o->shown.op;
	const struct type *acc = &type_table[TYPE_F64];
	if (o->numbers.type != NULL && find_type(o->numbers.type, &acc) != STATUS_OK)
		return STATUS_USAGE;
	if (op->of_texts)
		return message_refuse("--show-operator: %s is of texts, which no program takes", op->name);
	if (o->shown.lag > 0)
		return message_refuse("--show-operator: %s is of a window, for which there is no program",
				      o->shown.name);
	if (!operator_has(op, acc)) {
		const bool is_float = acc->kind == KIND_FLOAT;
		return message_refuse("--show-operator: %s needs %ss: name a type such as -t %s", op->name,
				      is_float ? "integer" : "float", is_float ? "i64" : "f64");
	}
	if (op->lacks_first && acc->kind != KIND_FLOAT)
		return message_refuse(
			"--show-operator: the first result of %s is absent, for which a program of integers has "
			"no value: name a type such as -t f64",
			op->name);
	if (!operator_takes_factor(op, acc, o->shown.factor))
		return message_refuse("--show-operator: %s: the number after its name rounds to 0 in %s", op->name,
				      acc->name);
	return write_program(op, acc, o->shown.factor, text);
}
