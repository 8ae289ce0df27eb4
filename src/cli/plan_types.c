/* What the numbers are: exact decimals, one type for all, or what programs say. */
#include "cli/plan_steps.h"

#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/word.h"
#include "scan/program.h"

static enum status bad_type(const char *text, const char *why)
{
	return message_refuse("-t: %s %s", message_quoted(text), why);
}

/* Types in capitals, as C calls them (int32_t), or with a comma between them: sets `other` to what to write instead.
 * False: they are no types. */
static bool respell(const char *text, size_t size, char other[32])
{
	size_t used = 0;
	struct named_type in;
	struct named_type acc;
	for (size_t i = 0; i < size && used + 1 < 32; i++) {
		const bool is_capital = text[i] >= 'A' && text[i] <= 'Z';
		if (strncmp(text + i, "_t", 2) == 0 && strchr(":,", text[i + 2]) != NULL)
			i++;
		else
			other[used++] = text[i] == ',' ? ':' : (char)(is_capital ? text[i] - 'A' + 'a' : text[i]);
	}
	other[used] = '\0';
	return size < 32 && strcmp(other, text) != 0 && type_parse_pair(other, &in, &acc);
}

/* Names of types in other programs, and values of other options that are not types. */
static enum status no_type(const char *text)
{
	static const struct {
		const char *words, *type;
	} types[] = {
		{"int", "i32 or i64"},
		{"integer long", "i64"},
		{"short", "i16"},
		{"byte bool", "u8"},
		{"char", "i8"},
		{"unsigned", "u32"},
		{"float single", "f32"},
		{"real double", "f64"},
		{"num number auto", "num"},
		{"dec decimal", "dec"},
		{"text texts txt str string", "text"},
		{"time date datetime timestamp", "--accept=time"},
	};
	char other[32];
	const size_t size = strlen(text);
	const char *type = NULL;
	const char *quoted = message_quoted(text);
	for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
		if (word_is_listed(text, size, types[i].words))
			type = types[i].type;
	}
	if (type == NULL && respell(text, size, other))
		type = other;
	if (type != NULL)
		return message_refuse("-t: %s is not a type: perhaps %s", quoted, type);
	if (strncmp(text, "num:", 4) == 0 || strncmp(text, "dec:", 4) == 0)
		return message_refuse("-t: %s is not a type: %.3s takes no accumulator (perhaps -t %.3s)", quoted, text,
				      text);
	if (strlen(text) == 1 && text[0] >= '0' && text[0] <= '9')
		return bad_type(text, "is not a type (-T is for threads)");
	if (strcmp(text, "\\t") == 0 || (strlen(text) == 1 && strchr(",;|:\t", text[0]) != NULL))
		return bad_type(text, "is not a type (-d is for delimiters)");
	return bad_type(text, "is not a type (num dec text i8 u8 i16 u16 i32 u32 i64 u64 f32 f64, IN or IN:ACC)");
}

/* num and dec. */
static enum status choose_decimal(struct plan *plan, bool strict)
{
	const char *name = strict ? "dec" : "num";
	const char *format = plan->npy.writes ? "npy" : "binary";
	if (plan->format.input == FORMAT_BINARY)
		return bad_type(name, "is for text; binary input needs a type such as f64");
	plan->decimal_strict = strict;
	plan->format.in = &type_table[TYPE_I64];
	plan->format.text.exact = true;
	for (size_t i = 0; i < plan->lane_count; i++) {
		struct plan_lane *l = &plan->lanes[i];
		l->decimal = operator_has_decimals(l->op) && (plan->map.field_count == 0 || plan->map.is_exact);
		l->in = l->acc = &type_table[l->decimal ? TYPE_I64 : TYPE_F64];
		if (strict && !l->decimal && !l->is_text)
			return bad_type(name, "is exact, but the operator is not");
		if (!l->decimal && !operator_has(l->op, l->acc) && !l->op->of_texts)
			return message_refuse("%s needs integers, not %s", l->op->name, l->acc->name);
		if (l->decimal && plan->format.output == FORMAT_BINARY && plan->format.text.types_declared)
			return message_refuse("--output-format=%s: %s gives exact decimals, which have no binary form, "
					      "beside -op @FILE",
					      format, l->op->name);
		if (l->decimal && plan->format.output == FORMAT_BINARY && l->op->result == RESULT_COUNT)
			return message_refuse("--output-format=%s: name the elements' type, such as -t f64 (results of "
					      "%s are u64)",
					      format, l->op->name);
		if (l->decimal && plan->format.output == FORMAT_BINARY)
			return message_refuse("exact decimals have no binary form: name a type for --output-format=%s, "
					      "such as -t f64",
					      format);
	}
	return STATUS_OK;
}

/* The record is what the programs say, and all lanes are of it. */
static enum status choose_record(struct plan *plan, const struct plan_lane *first)
{
	const struct packed element = operator_element(first->op, NULL);
	for (size_t i = 0; i < plan->lane_count; i++) {
		struct plan_lane *l = &plan->lanes[i];
		const struct packed own = operator_element(l->op, element.numbers[0].type);
		if (!packed_is_same(&element, &own))
			return message_refuse("-op: the inputs of %s and %s have different types", first->op->name,
					      l->op->name);
		l->in = l->acc = element.numbers[0].type;
		if (!operator_has(l->op, l->acc))
			return message_refuse("-op: %s needs %ss, and the inputs of %s are %s", l->op->name,
					      l->acc->kind == KIND_FLOAT ? "integer" : "float", first->op->name,
					      l->acc->name);
	}
	plan->format.in = element.numbers[0].type;
	const struct text_rules *t = &plan->format.text;
	for (size_t i = 0; i < t->field_count; i++) {
		const struct type *has = element.numbers[(t->numbers[i] - 1) % element.count].type;
		if (has == element.numbers[i % element.count].type)
			continue;
		return message_refuse("-f: column %zu has %s, and %s takes %s there", (size_t)t->numbers[i], has->name,
				      first->op->name, element.numbers[i % element.count].type->name);
	}
	return STATUS_OK;
}

/* Where programs say what their inputs are. Of text every lane reads as it will. */
static enum status choose_declared(struct plan *plan, const struct plan_lane *first, const char *text)
{
	if (text != NULL)
		return bad_type(text, "cannot be combined with -op @FILE, which declares its types itself");
	plan->format.text.types_declared = true;
	if (plan->format.input == FORMAT_BINARY)
		return choose_record(plan, first);
	TRY(choose_decimal(plan, false));
	plan->format.text.exact = false;
	for (size_t i = 0; i < plan->lane_count; i++) {
		struct plan_lane *l = &plan->lanes[i];
		if (!program_has_types(l->op->program)) {
			plan->format.text.exact = true;
			continue;
		}
		l->numbers =
			packed_is_uniform(&l->op->program->declared.element) ? NULL : &l->op->program->declared.element;
		l->in = l->acc = l->op->program->declared.element.numbers[0].type;
	}
	return STATUS_OK;
}

static enum status choose_types(struct plan *plan, const char *text)
{
	struct named_type in;
	struct named_type acc;
	for (size_t i = 0; i < plan->operator_count; i++) {
		if (program_has_types(plan->lanes[i].op->program))
			return choose_declared(plan, &plan->lanes[i], text);
	}
	if (text == NULL && plan->format.input == FORMAT_TEXT)
		return choose_decimal(plan, false);
	if (text == NULL)
		text = "f32";
	if (strcmp(text, "num") == 0 || strcmp(text, "dec") == 0)
		return choose_decimal(plan, strcmp(text, "dec") == 0);
	if (!type_parse_pair(text, &in, &acc))
		return no_type(text);
	plan->format.in = in.type;
	plan->format.in_swapped = in.swapped;
	plan->format.out_swapped = acc.ordered ? acc.swapped : in.swapped;
	for (size_t i = 0; i < plan->lane_count; i++) {
		struct plan_lane *l = &plan->lanes[i];
		l->in = plan->format.in;
		l->acc = acc.type;
		if (operator_has(l->op, acc.type) || l->op->of_texts)
			continue;
		const bool is_float = acc.type->kind == KIND_FLOAT;
		return message_refuse("%s needs %ss: name %s accumulator, such as -t %s:%s", l->op->name,
				      is_float ? "integer" : "float", is_float ? "an integer" : "a float",
				      plan->format.in->name, is_float ? "i64" : "f64");
	}
	return STATUS_OK;
}

enum status plan_choose_types(struct plan *plan, const char *text)
{
	const bool is_type = text != NULL && strcmp(text, "text") != 0;
	enum status status = choose_types(plan, is_type ? text : NULL);
	/* Texts are numbers of texts, whatever the type. */
	for (size_t i = 0; i < plan->lane_count && status == STATUS_OK; i++) {
		struct plan_lane *l = &plan->lanes[i];
		if (!l->is_text)
			continue;
		l->in = l->acc = &type_table[TYPE_U64];
		l->decimal = false;
		l->numbers = NULL;
	}
	for (size_t i = 0; i < plan->lane_count && status == STATUS_OK; i++) {
		const struct plan_lane *l = &plan->lanes[i];
		if (operator_takes_factor(l->op, l->acc, l->factor))
			continue;
		return message_refuse("-op: %s: the number after its name rounds to 0 in %s", l->op->name,
				      l->acc->name);
	}
	return status;
}
