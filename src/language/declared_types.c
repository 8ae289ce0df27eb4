#include "language/declared_types.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/message.h"

static const struct {
	const char *name;
	enum type_id id;
} number_names[] = {
	{"char", TYPE_I8},  {"uchar", TYPE_U8}, {"short", TYPE_I16}, {"ushort", TYPE_U16}, {"int", TYPE_I32},
	{"uint", TYPE_U32}, {"long", TYPE_I64}, {"ulong", TYPE_U64}, {"float", TYPE_F32},  {"double", TYPE_F64},
};
#define NUMBER_NAMES (sizeof number_names / sizeof number_names[0])

bool type_expected(struct type_reader *r, const struct tokens *t, const char *what)
{
	char quoted[MESSAGE_QUOTED_SIZE];
	const struct token *last = t->next < t->end ? t->next : t->end - 1;
	r->error->line = last->line;
	if (t->next < t->end)
		(void)snprintf(r->error->why, sizeof r->error->why, "expected %s, not %s", what,
			       message_quote(quoted, t->next->text, t->next->size));
	else
		(void)snprintf(r->error->why, sizeof r->error->why, "expected %s", what);
	return false;
}

bool type_refuse(struct type_reader *r, unsigned long line, const char *why)
{
	r->error->line = line;
	(void)snprintf(r->error->why, sizeof r->error->why, "%s", why);
	return false;
}

static const struct named_type *find_type(const struct type_reader *r, const struct token *name, bool is_tag)
{
	const struct named_type *types = (const struct named_type *)(const void *)r->types.data;
	for (size_t i = r->types.size / sizeof *types; i > 0; i--) {
		if (types[i - 1].is_tag == is_tag && part_is(&types[i - 1].name, name))
			return &types[i - 1];
	}
	return NULL;
}

/* Words that say nothing of a type. */
static bool is_qualifier(const struct token *t)
{
	static const char *const words[] = {"const",    "volatile", "static",  "inline",
					    "__inline", "extern",   "private", "__private"};
	return TOKEN_IS_AMONG(t, words);
}

void type_skip_qualifiers(struct tokens *t)
{
	while (t->next < t->end) {
		const struct token *after = NULL;
		if (next_is(t, "__attribute__") && t->next + 1 < t->end && token_is(t->next + 1, "("))
			after = token_after_bracket(t->next + 1, t->end);
		else if (is_qualifier(t->next))
			after = t->next + 1;
		if (after == NULL)
			return;
		t->next = after;
	}
}

static struct named_type number_type(enum type_id id)
{
	const struct type *t = &type_table[id];
	return (struct named_type){.number = t, .size = t->size, .alignment = t->size};
}

/* unsigned, signed, and the words after them. */
static bool take_signed(struct tokens *t, struct named_type *type)
{
	static const enum type_id ids[][2] = {
		{TYPE_I8, TYPE_U8}, {TYPE_I16, TYPE_U16}, {TYPE_I32, TYPE_U32}, {TYPE_I64, TYPE_U64}};
	static const char *const words[] = {"char", "short", "int", "long"};
	if (!next_is(t, "unsigned") && !next_is(t, "signed"))
		return false;
	const bool is_unsigned = token_is(t->next++, "unsigned");
	size_t which = 0;
	while (which < 4 && !next_is(t, words[which]))
		which++;
	t->next += which < 4;
	*type = number_type(ids[which < 4 ? which : 2][is_unsigned]);
	return true;
}

#define TYPE_EXPECTED "a type, char to double or a struct of them"

static bool take_struct(struct type_reader *r, struct tokens *t, struct named_type *type);

bool type_take(struct type_reader *r, struct tokens *t, struct named_type *type)
{
	type_skip_qualifiers(t);
	if (t->next == t->end || t->next->kind != TOKEN_WORD)
		return type_expected(r, t, TYPE_EXPECTED);
	if (token_is(t->next, "struct"))
		return take_struct(r, t, type);
	bool known = take_signed(t, type);
	for (size_t i = 0; i < NUMBER_NAMES && !known; i++) {
		if (!token_is(t->next, number_names[i].name))
			continue;
		*type = number_type(number_names[i].id);
		t->next++;
		known = true;
		/* "short int" and "long int". */
		if ((type->number->id == TYPE_I16 || type->number->id == TYPE_I64) && next_is(t, "int"))
			t->next++;
	}
	if (!known) {
		const struct named_type *found = find_type(r, t->next, false);
		if (found == NULL)
			return type_expected(r, t, TYPE_EXPECTED);
		*type = *found;
		t->next++;
	}
	type_skip_qualifiers(t);
	return true;
}

/* A product of numbers, or of macros that stand for one. */
static bool take_length(struct type_reader *r, struct tokens *t, size_t *length)
{
	static const char what[] = "a number above 0, or a macro that is one";
	*length = 1;
	for (bool more = true; more; more = next_is(t, "*") && t->next++ != NULL) {
		size_t factor = 0;
		if (t->next == t->end)
			return type_expected(r, t, what);
		const struct token *number = t->next;
		const struct macro *m = tokens_find_number(&r->list, number);
		const struct text_part digits = m != NULL ? m->number : token_part(number);
		if (!token_integer(digits.text, digits.size, &factor) || factor == 0)
			return type_expected(r, t, what);
		t->next++;
		*length = *length > DECLARED_MAX ? *length : *length * factor;
	}
	return true;
}

/* So large a struct is no state: sizes stop to grow there. */
#define SIZE_ENOUGH ((size_t)1 << 24)

/* Notes the numbers of a member, which is an array of a type. Those of more than one have a number each. */
static void note_numbers(struct named_type *of, const struct token *name, const struct named_type *type, size_t count,
			 size_t offset)
{
	const size_t each = type->number != NULL ? 1 : type->number_count;
	for (size_t i = 0; i < count && of->number_count < DECLARED_MAX; i++) {
		for (size_t k = 0; k < each && of->number_count < DECLARED_MAX; k++) {
			const bool is_number = type->number != NULL;
			of->numbers[of->number_count++] = (struct layout_member){
				.name = name->text,
				.name_size = name->size,
				.number = count * each > 1 ? i * each + k + 1 : 0,
				.kind = is_number ? (enum member_kind)type->number->id : type->numbers[k].kind,
				.offset = offset + i * type->size + (is_number ? 0 : type->numbers[k].offset)};
		}
	}
}

/* One name of a member's declaration, with its lengths. */
static bool take_member(struct type_reader *r, struct tokens *t, const struct named_type *type, struct named_type *of)
{
	size_t count = 1;
	if (t->next == t->end || t->next->kind != TOKEN_WORD)
		return type_expected(r, t, "a member's name");
	const struct token *name = t->next++;
	while (next_is(t, "[")) {
		size_t length;
		t->next++;
		if (!take_length(r, t, &length))
			return false;
		if (!next_is(t, "]"))
			return type_expected(r, t, "]");
		t->next++;
		of->is_plain = false;
		count = count < SIZE_ENOUGH ? count * length : count;
	}
	if (type->number == NULL || of->member_count == PACKED_MAX)
		of->is_plain = false;
	if (of->is_plain) {
		of->names[of->member_count] = (struct text_part){.text = name->text, .size = name->size};
		of->types[of->member_count] = type->number;
	}
	of->member_count++;
	of->alignment = type->alignment > of->alignment ? type->alignment : of->alignment;
	const size_t offset = (of->size + type->alignment - 1) / type->alignment * type->alignment;
	note_numbers(of, name, type, count, offset);
	if (of->size < SIZE_ENOUGH)
		of->size = offset + count * type->size;
	return true;
}

/* { members } */
static bool take_members(struct type_reader *r, struct tokens *t, struct named_type *type)
{
	*type = (struct named_type){.alignment = 1, .is_plain = true};
	t->next++;
	while (!next_is(t, "}")) {
		struct named_type member = {0};
		if (!type_take(r, t, &member))
			return false;
		for (bool more = true; more; more = next_is(t, ",") && t->next++ != NULL) {
			if (!take_member(r, t, &member, type))
				return false;
		}
		if (!next_is(t, ";"))
			return type_expected(r, t, "; after a member");
		t->next++;
	}
	if (type->member_count == 0)
		return type_expected(r, t, "a member");
	t->next++;
	type_skip_qualifiers(t);
	type->size = (type->size + type->alignment - 1) / type->alignment * type->alignment;
	return true;
}

bool type_add(struct type_reader *r, const struct named_type *type)
{
	return bytes_append(&r->types, type, sizeof *type) == STATUS_OK;
}

#define STRUCT_DEPTH_MAX 64

/* struct TAG, struct { ... } or struct TAG { ... }, which declares it. */
static bool take_struct(struct type_reader *r, struct tokens *t, struct named_type *type)
{
	const struct token *tag = NULL;
	t->next++;
	type_skip_qualifiers(t);
	if (t->next < t->end && t->next->kind == TOKEN_WORD)
		tag = t->next++;
	if (next_is(t, "{")) {
		if (r->depth == STRUCT_DEPTH_MAX)
			return type_refuse(r, t->next->line, "too many structs within each other");
		r->depth++;
		const bool taken = take_members(r, t, type);
		r->depth--;
		if (!taken)
			return false;
		if (tag == NULL)
			return true;
		struct named_type tagged = *type;
		tagged.is_tag = true;
		tagged.name = (struct text_part){.text = tag->text, .size = tag->size};
		return type_add(r, &tagged);
	}
	const struct named_type *found = tag != NULL ? find_type(r, tag, true) : NULL;
	if (found == NULL)
		return type_expected(r, t, "{ and the struct's members");
	*type = *found;
	return true;
}
void type_reader_free(struct type_reader *r)
{
	tokens_free(&r->list);
	bytes_free(&r->types);
}
