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

/* Compiles one expression. *can becomes false, with *why, if the host cannot. */
static enum status compile(const char *option, struct text_part text, const struct expression_name *names, size_t count,
			   const struct type *type, struct expression **e, bool *can, struct program_refusal *why)
{
	*why = (struct program_refusal){.option = option, .text = text};
	const enum status status = expression_new(text.text, text.size, names, count, type, e, &why->error);
	*can = status == STATUS_OK;
	return status == STATUS_USAGE ? STATUS_OK : status;
}

static enum status compile_combine(struct program *p, const struct type *acc, bool *can, struct program_refusal *why)
{
	const struct expression_name names[] = {name_of("a", acc), name_of("b", acc)};
	const struct text_part text = {.text = p->text, .size = p->size};
	return compile(PROGRAM_FILE, text, names, 2, acc, &p->host.combine, can, why);
}

static enum status compile_around(struct program *p, const struct type *acc, bool *can, struct program_refusal *why)
{
	struct expression_name names[PROGRAM_INPUTS];
	enum status status = STATUS_OK;
	set_names(p, acc, NULL, names);
	for (size_t i = 0; i < p->operands && p->maps[i].size > 0 && *can && status == STATUS_OK; i++)
		status = compile(PROGRAM_MAP, p->maps[i], names, PROGRAM_INPUTS, acc, &p->host.maps[i], can, why);
	if (p->emit == NULL || !*can || status != STATUS_OK)
		return status;
	const struct text_part emit = {.text = p->emit, .size = strlen(p->emit)};
	set_names(p, acc, p->base != NULL ? operator_result(p->base, acc) : acc, names);
	return compile(PROGRAM_EMIT, emit, names, PROGRAM_INPUTS, operator_result(&p->op, acc), &p->host.emit, can,
		       why);
}

enum status program_compile_exact(const struct program *p, struct expression **exact)
{
	const struct type *wide = &type_table[TYPE_I128];
	const struct expression_name names[] = {name_of("a", wide), name_of("b", wide)};
	struct expression_error error;
	if (p->base != NULL || p->file != NULL)
		return STATUS_OK;
	const enum status status = expression_new(p->text, p->size, names, 2, wide, exact, &error);
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
	*why = (struct program_refusal){.option = NULL};
	*can = p->file == NULL;
	enum status status = STATUS_OK;
	program_host_free(&p->host);
	if (*can && p->base == NULL)
		status = compile_combine(p, acc, can, why);
	if (status == STATUS_OK && *can)
		status = compile_around(p, acc, can, why);
	if (status != STATUS_OK || !*can) {
		program_host_free(&p->host);
		return status;
	}
	p->host.acc = acc;
	return STATUS_OK;
}
