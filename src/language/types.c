/* Structs are laid out as compilers do: each member is aligned, and a struct is aligned like its most aligned
 * member. */
#include "language/types.h"

#include <stdio.h>

#include "base/message.h"
#include "number/packed.h"

bool type_refuse(struct type_reader *r, unsigned long line, const char *why)
{
	r->error->line = line;
	(void)snprintf(r->error->why, sizeof r->error->why, "%s", why);
	return false;
}

bool type_expected(struct type_reader *r, const struct token *t, const char *what)
{
	const bool is_end = t == r->parser.end;
	r->error->line = t[is_end ? -1 : 0].line;
	if (parser_is_over_limit(what))
		return type_refuse(r, r->error->line, what);
	(void)snprintf(r->error->why, sizeof r->error->why, "expected %s%s%s", what, is_end ? "" : ", not ",
		       is_end ? "" : message_quoted_part(t->text, t->size));
	return false;
}

static const struct declared_type *find_type(const struct type_reader *r, const struct token *name, bool is_tag)
{
	const struct declared_type *types = (const struct declared_type *)(const void *)r->types.data;
	for (size_t i = r->types.size / sizeof *types; i > 0; i--) {
		if (types[i - 1].is_tag == is_tag && part_is(&types[i - 1].name, name))
			return &types[i - 1];
	}
	return NULL;
}

const struct type *type_of_word(const struct token *word)
{
	const struct type *found = NULL;
	for (int id = 0; id < TYPE_I128 && found == NULL; id++)
		found = token_is(word, type_table[id].opencl_name) ? &type_table[id] : NULL;
	return found;
}

/* The number's type that begins with the word t, or NULL. */
static const struct type *find_number(const struct parser *p, const struct token *t)
{
	const bool is_unsigned = token_is(t, "unsigned");
	if (!is_unsigned && !token_is(t, "signed"))
		return type_of_word(t);
	const struct type *of_next = t + 1 < p->end ? type_of_word(t + 1) : NULL;
	if (of_next == NULL || of_next->kind != KIND_SIGNED)
		of_next = &type_table[TYPE_I32];
	return is_unsigned ? type_unsigned(of_next) : of_next;
}

/* Computes an array's length: a product of numbers, or of macros that stand for one. */
static bool find_length(struct type_reader *r, const struct node *n, size_t *length)
{
	*length = 1;
	for (bool more = true; more;) {
		size_t factor = 0;
		more = n->kind == NODE_BINARY && token_is(n->token, "*");
		const struct node *right = more ? n->child->next : n;
		const struct macro *m = tokens_find_number(&r->list, right->token);
		const struct text_part digits = m != NULL ? m->number : token_part(right->token);
		if (!token_integer(digits.text, digits.size, &factor) || factor == 0)
			return type_expected(r, right->token, LENGTH_EXPECTED);
		*length = *length > DECLARED_MAX ? *length : *length * factor;
		n = n->child;
	}
	return true;
}

/* Sizes are not computed beyond this: a struct as large as this cannot be a state. */
#define SIZE_ENOUGH ((size_t)1 << 24)

/* Appends a member, which may be an array, to a struct. Its numbers have the member's name; if there are several, each
 * also has a number from 1. */
static bool add_member(struct type_reader *r, const struct node *member, const struct declared_type *type,
		       struct declared_type *of)
{
	struct declared_members *const to = &of->layout;
	const struct declared_members *const from = &type->layout;
	size_t count = 1;
	for (const struct node *n = member->child; n != NULL; n = n->next) {
		size_t length;
		if (!find_length(r, n->child, &length))
			return false;
		count = count < SIZE_ENOUGH ? count * length : count;
	}
	of->is_plain = of->is_plain && type->number != NULL && member->child == NULL && to->count < PACKED_MAX;
	to->alignment = from->alignment > to->alignment ? from->alignment : to->alignment;
	const size_t offset = (to->size + from->alignment - 1) / from->alignment * from->alignment;
	for (size_t i = 0; i < count * from->count && to->count < DECLARED_MAX; i++) {
		const struct layout_member *const m = &from->members[i % from->count];
		to->members[to->count++] =
			(struct layout_member){.name = member->token->text,
					       .name_size = member->token->size,
					       .number = count * from->count > 1 ? i + 1 : 0,
					       .kind = m->kind,
					       .offset = offset + i / from->count * from->size + m->offset};
	}
	if (to->size < SIZE_ENOUGH)
		to->size = offset + count * from->size;
	return true;
}

static bool find_layout(struct type_reader *r, const struct node *n, struct declared_type *type);

static bool find_struct(struct type_reader *r, const struct node *n, struct declared_type *type)
{
	*type = (struct declared_type){.is_plain = true, .layout = {.alignment = 1}};
	for (const struct node *d = n->child; d != NULL; d = d->next) {
		struct declared_type member;
		if (!find_layout(r, d->child, &member))
			return false;
		for (const struct node *m = d->child->next; m != NULL; m = m->next) {
			if (!add_member(r, m, &member, type))
				return false;
		}
	}
	type->layout.size =
		(type->layout.size + type->layout.alignment - 1) / type->layout.alignment * type->layout.alignment;
	if (token_is(n->token, "struct"))
		return true;
	type->is_tag = true;
	type->name = token_part(n->token);
	return type_add(r, type);
}

/* Finds the type of a tree of parse_type. */
static bool find_layout(struct type_reader *r, const struct node *n, struct declared_type *type)
{
	static const char value[] = "value";
	const struct type *number = n->kind == NODE_TYPE ? find_number(&r->parser, n->token) : NULL;
	if (n->child != NULL)
		return find_struct(r, n, type);
	if (number != NULL) {
		*type = (struct declared_type){.number = number,
					       .layout = {.count = 1, .size = number->size, .alignment = number->size}};
		type->layout.members[0] = (struct layout_member){
			.name = value, .name_size = sizeof value - 1, .kind = (enum member_kind)number->id};
		return true;
	}
	const bool is_tag = n->kind == NODE_STRUCT;
	const struct declared_type *found = find_type(r, n->token, is_tag);
	if (found == NULL)
		return type_expected(r, n->token + is_tag, is_tag ? MEMBERS_EXPECTED : TYPE_EXPECTED);
	*type = *found;
	return true;
}

bool type_read(struct type_reader *r, struct declared_type *type)
{
	const struct node *n = parse_type(&r->parser);
	if (n == NULL && r->parser.is_too_deep)
		return type_refuse(r, r->parser.failed->line, "too many nested structs");
	return n != NULL ? find_layout(r, n, type) : type_expected(r, r->parser.failed, r->parser.expected);
}

bool type_add(struct type_reader *r, const struct declared_type *type)
{
	return bytes_append(&r->types, type, sizeof *type) == STATUS_OK;
}

void type_reader_free(struct type_reader *r)
{
	tokens_free(&r->list);
	bytes_free(&r->types);
	parser_free(&r->parser);
}
