/* Gives each expression of a program its names with their types, and compiles it for the host or checks it for a
 * device. */
#include "scan/program_host.h"

#include <string.h>

#include "scan/program.h"

/* A name that an expression does not have. */
static const struct text_part no_name = {.text = "", .size = 0};

static struct expression_name name_of(const char *name, const struct type *type)
{
	return (struct expression_name){.name = {.text = name, .size = strlen(name)}, .type = type};
}

/* The names of an element's numbers, and those after them that `shown` says, at their places. Names of fields are for
 * --map alone: in --emit, a field called s, n or t would be taken for the result's name. */
static void set_names(const struct program *p, const struct type *acc, const struct type *shown,
		      struct expression_name *names)
{
	static const char *const numbers[PACKED_MAX] = {"x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7"};
	const struct type *count = &type_table[TYPE_U64];
	for (size_t i = 0; i < PROGRAM_INPUTS; i++)
		names[i] = (struct expression_name){.name = no_name, .type = count};
	for (size_t i = 0; i < p->op.inputs && (shown == NULL || p->names[0].size == 0); i++)
		names[i] = name_of(p->op.inputs == 1 && p->operands == 1 ? "x" : numbers[i], acc);
	for (size_t i = 0; i < p->op.inputs && shown == NULL; i++)
		names[i].name = p->names[i].size > 0 ? p->names[i] : names[i].name;
	names[PROGRAM_INDEX] = name_of("i", count);
	if (shown == NULL)
		return;
	names[PROGRAM_RESULT] = name_of("s", shown);
	names[PROGRAM_COUNT] = name_of("n", count);
	names[PROGRAM_TOTAL] = name_of("t", shown);
}

/* What is done with the expressions of a program. */
struct compilation {
	struct program *p;
	const struct type *acc;
	bool is_for_device; /* They are only checked: a device's compiler compiles them. */
	bool *can; /* Becomes false, with *why, if one is refused. */
	struct program_refusal *why;
};

static enum status compile(const struct compilation *c, const char *option, struct text_part text,
			   struct expression_terms terms, struct expression **e)
{
	struct expression_error *error = &c->why->error;
	*c->why = (struct program_refusal){.option = option, .text = text};
	terms.is_num = c->p->is_num;
	const enum status status = c->is_for_device ? expression_check_for_device(text.text, text.size, &terms, error)
						    : expression_new(text.text, text.size, &terms, e, error);
	*c->can = status == STATUS_OK;
	return status == STATUS_USAGE ? STATUS_OK : status;
}

static enum status compile_combine(const struct compilation *c)
{
	struct program *p = c->p;
	const struct expression_name names[] = {name_of("a", c->acc), name_of("b", c->acc)};
	const struct expression_terms terms = {.names = names, .name_count = 2, .type = c->acc};
	return compile(c, PROGRAM_FILE, (struct text_part){.text = p->text, .size = p->size}, terms, &p->host.combine);
}

static enum status compile_around(const struct compilation *c)
{
	struct program *p = c->p;
	struct expression_name names[PROGRAM_INPUTS];
	struct expression_terms terms = {.names = names, .name_count = PROGRAM_INPUTS, .type = c->acc};
	enum status status = STATUS_OK;
	set_names(p, c->acc, NULL, names);
	for (size_t i = 0; i < p->operands && p->maps[i].size > 0 && *c->can && status == STATUS_OK; i++)
		status = compile(c, PROGRAM_MAP, p->maps[i], terms, &p->host.maps[i]);
	if (p->emit == NULL || !*c->can || status != STATUS_OK)
		return status;
	set_names(p, c->acc, p->base != NULL ? operator_result(p->base, c->acc) : c->acc, names);
	terms.type = operator_result(&p->op, c->acc);
	return compile(c, PROGRAM_EMIT, (struct text_part){.text = p->emit, .size = strlen(p->emit)}, terms,
		       &p->host.emit);
}

/* Compiles or checks all expressions. */
static enum status compile_all(const struct compilation *c)
{
	enum status status = STATUS_OK;
	if (c->p->base == NULL && c->p->file == NULL)
		status = compile_combine(c);
	return status == STATUS_OK && *c->can ? compile_around(c) : status;
}

enum status program_compile_exact(const struct program *p, struct expression **exact)
{
	const struct type *wide = &type_table[TYPE_I128];
	const struct expression_name names[] = {name_of("a", wide), name_of("b", wide)};
	struct expression_error error;
	if (p->base != NULL || p->file != NULL)
		return STATUS_OK;
	const struct expression_terms terms = {.names = names, .name_count = 2, .type = wide};
	const enum status status = expression_new(p->text, p->size, &terms, exact, &error);
	return status == STATUS_USAGE ? STATUS_OK : status;
}

const char *program_host_why_bad(const struct program_host *host)
{
	bool divides = false;
	bool converts = false;
	expression_note_bad(host->combine, &divides, &converts);
	expression_note_bad(host->emit, &divides, &converts);
	for (size_t i = 0; i < PACKED_MAX; i++)
		expression_note_bad(host->maps[i], &divides, &converts);
	if (divides && converts)
		return "a division of integers by 0 (or of the least integer by -1), or a float that does not fit its "
		       "integer type";
	return divides ? "a division of integers by 0 (or of the least integer by -1)"
		       : "a float does not fit the integer type that it is converted to";
}

void program_host_free(struct program_host *host)
{
	memory_free(host->combine);
	memory_free(host->emit);
	for (size_t i = 0; i < PACKED_MAX; i++)
		memory_free(host->maps[i]);
	*host = (struct program_host){.acc = NULL};
}

enum status program_compile(struct program *p, const struct type *acc, bool *can, struct program_refusal *why)
{
	const struct compilation c = {.p = p, .acc = acc, .can = can, .why = why};
	*why = (struct program_refusal){.option = NULL};
	*can = p->file == NULL;
	program_host_free(&p->host);
	const enum status status = *can ? compile_all(&c) : STATUS_OK;
	if (status != STATUS_OK || !*can) {
		program_host_free(&p->host);
		return status;
	}
	p->host.acc = acc;
	return STATUS_OK;
}

enum status program_check_for_device(struct program *p, const struct type *acc, bool *can, struct program_refusal *why)
{
	const struct compilation c = {.p = p, .acc = acc, .is_for_device = true, .can = can, .why = why};
	*can = true;
	return compile_all(&c);
}
