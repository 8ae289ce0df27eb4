/* A program as the kernels want it (kernels/program.h): the user's text in the middle of what the host knows of it.
 * All names of the host's begin with pscan. */
#include <stdio.h>
#include <string.h>

#include "scan/program.h"
#include "language/side_by_side.h"

/* The text while it is written. After a failure nothing is appended any more. */
struct writer {
	const struct program *p;
	const struct type *acc;
	struct packed element; /* an element's numbers, as functions get them */
	struct bytes *text;
	enum status status;
};

static void put_bytes(struct writer *w, const char *text, size_t size)
{
	if (w->status == STATUS_OK)
		w->status = bytes_append(w->text, text, size);
}

#define put(w, ...) FORMAT_INTO(w, (w)->text, __VA_ARGS__)

/* Whether a token is an integer without a suffix. */
static bool is_plain_integer(const struct token *t)
{
	const bool is_hexadecimal = t->size > 1 && (t->text[1] == 'x' || t->text[1] == 'X');
	bool is = t->kind == TOKEN_NUMBER;
	for (size_t i = 0; i < t->size; i++)
		is = is && strchr(is_hexadecimal ? ".pPuUlL" : ".eEfFhHuUlL", t->text[i]) == NULL;
	return is;
}

/* An expression of the user's. Of num, integers are long, as on the host. */
static void put_users(struct writer *w, const char *text, size_t size)
{
	struct token_list list = {0};
	size_t done = 0;
	if (w->status == STATUS_OK && w->p->is_num)
		w->status = tokens_read(text, size, &list);
	for (size_t i = 0; i < tokens_count(&list); i++) {
		const struct token *t = &tokens_first(&list)[i];
		const size_t end = (size_t)(t->text + t->size - text);
		if (!is_plain_integer(t))
			continue;
		put_bytes(w, text + done, end - done);
		put(w, "L");
		done = end;
	}
	put_bytes(w, text + done, size - done);
	tokens_free(&list);
}

/* min and max of the user's expressions, with the host's bits (language/expression.h): a device's own may give either
 * argument if one is a NaN or both are zeros. Vectors are as wide as OpenCL C has them. */
static const char least_and_greatest[] =
	"#define PSCAN_OF(T) \\\n"
	"\tstatic inline T __attribute__((overloadable)) pscan_min(T x, T y) { return y < x ? y : x; } \\\n"
	"\tstatic inline T __attribute__((overloadable)) pscan_max(T x, T y) { return x < y ? y : x; }\n"
	"#define PSCAN_OF_WIDTHS(T) \\\n"
	"\tPSCAN_OF(T) PSCAN_OF(T##2) PSCAN_OF(T##3) PSCAN_OF(T##4) PSCAN_OF(T##8) PSCAN_OF(T##16)\n";

static bool calls_min_or_max(struct writer *w, const char *text, size_t size)
{
	static const char *const names[] = {"min", "max"};
	struct token_list list = {0};
	bool calls = false;
	if (w->status == STATUS_OK && text != NULL)
		w->status = tokens_read(text, size, &list);
	for (size_t i = 0; i < tokens_count(&list) && !calls; i++)
		calls = TOKEN_IS_AMONG(&tokens_first(&list)[i], names);
	tokens_free(&list);
	return calls;
}

/* Gives min and max these meanings, if an expression of the user's has them, until types.h ends them. */
static void put_min_and_max(struct writer *w)
{
	const struct program *p = w->p;
	bool calls = p->emit != NULL && calls_min_or_max(w, p->emit, strlen(p->emit));
	for (size_t i = 0; i < w->element.count && !calls; i++)
		calls = calls_min_or_max(w, p->maps[i].text, p->maps[i].size);
	if (p->base == NULL && p->file == NULL && !calls)
		calls = calls_min_or_max(w, p->text, p->size);
	if (!calls)
		return;
	put(w, "%s", least_and_greatest);
	for (size_t t = 0; t < TYPE_F64; t++)
		put(w, "PSCAN_OF_WIDTHS(%s)\n", type_table[t].opencl_name);
	put(w, "#ifdef cl_khr_fp64\nPSCAN_OF_WIDTHS(double)\n#endif\n"
	       "#undef min\n#undef max\n#define min pscan_min\n#define max pscan_max\n");
}

/* The type of a count that an expression of the user's has: of num it has a sign. */
static const struct type *count_type(const struct writer *w)
{
	return &type_table[w->p->is_num ? TYPE_I64 : TYPE_U64];
}

/* A number of a result: a NaN is the one that pscan writes (kernels/types.h), a device's own has any bits. */
static void put_number(struct writer *w, const struct type *t, const char *value)
{
	if (t->id == TYPE_F32)
		put(w, "%s != %s ? as_float(0x7fc00000u) : %s", value, value, value);
	else if (t->id == TYPE_F64)
		put(w, "%s != %s ? as_double(0x7ff8000000000000ul) : %s", value, value, value);
	else
		put(w, "%s", value);
}

/* The name of an element's number. */
static void put_input(struct writer *w, size_t i)
{
	if (w->element.count == 1)
		put(w, "x");
	else
		put(w, "x%zu", i);
}

/* An element's numbers, as parameters or as arguments. */
static void put_inputs(struct writer *w, bool with_types)
{
	for (size_t i = 0; i < w->element.count; i++) {
		put(w, "%s%s%s", i > 0 ? ", " : "", with_types ? w->element.numbers[i].type->opencl_name : "",
		    with_types ? " " : "");
		put_input(w, i);
	}
}

/* What lift gets for input i. */
static void put_mapped(struct writer *w, size_t i)
{
	if (w->p->maps[i].size == 0) {
		put_input(w, i);
		return;
	}
	put(w, "pscan_map%zu(", i);
	put_inputs(w, false);
	put(w, ", i)");
}

/* Begins a function of an element and further parameters, whose value is an expression of the user's. (The bracket
 * after the expression stands in its line: there a compiler reports what the expression lacks.) */
static void put_expression(struct writer *w, const char *head, bool is_emit, const struct type *t, const char *part,
			   struct text_part expression)
{
	const char *count = count_type(w)->opencl_name;
	put(w, "static inline %s %s", t->opencl_name, head);
	put_inputs(w, true);
	put(w, ", %s i", count);
	if (is_emit)
		put(w, ", %s n", count);
	put(w, ")\n{\n\tconst %s r = (%s)(\n#line 1 \"%s\"\n", t->opencl_name, t->opencl_name, part);
	put_users(w, expression.text, expression.size);
	put(w, ");\n#line 1 \"declarations\"\n\treturn ");
	put_number(w, t, "r");
	put(w, ";\n}\n");
}

/* --map and --emit, which give types out and shown of what the operator would give. */
static void put_around(struct writer *w, const struct type *out, const struct type *shown)
{
	const struct program *p = w->p;
	char head[64];
	if (p->base != NULL || p->file != NULL)
		put_min_and_max(w);
	for (size_t i = 0; i < w->element.count && p->maps[0].size > 0; i++) {
		(void)snprintf(head, sizeof head, "pscan_map%zu(", i);
		put_expression(w, head, false, w->element.numbers[i].type, PROGRAM_MAP, p->maps[i]);
	}
	if (p->emit == NULL)
		return;
	(void)snprintf(head, sizeof head, "pscan_shown(%s s, ",
		       (out->id == TYPE_U64 ? count_type(w) : out)->opencl_name);
	put_expression(w, head, true, shown, PROGRAM_EMIT,
		       (struct text_part){.text = p->emit, .size = strlen(p->emit)});
}

/* A type of several numbers without gaps: one that has none anyway needs no attribute, which costs on some devices. */
static void put_packed(struct writer *w, const struct packed *p, const char *name, char member)
{
	bool natural = true;
	if (p->count == 1) {
		put(w, "typedef %s %s;\n", p->numbers[0].type->opencl_name, name);
		return;
	}
	for (size_t i = 0; i < p->count; i++) {
		const size_t size = p->numbers[i].type->size;
		natural = natural && p->numbers[i].offset % size == 0 && p->size % size == 0;
	}
	put(w, "typedef struct %s{", natural ? "" : "__attribute__((packed)) ");
	for (size_t i = 0; i < p->count; i++)
		put(w, " %s %c%zu;", p->numbers[i].type->opencl_name, member, i);
	put(w, " } %s;\n", name);
}

/* A macro that takes an element apart. */
static void put_arguments(struct writer *w, const char *macro)
{
	put(w, "#define %s(e) ", macro);
	for (size_t i = 0; i < w->element.count && w->element.count > 1; i++)
		put(w, "%s(e).x%zu", i > 0 ? ", " : "", i);
	put(w, "%s\n", w->element.count > 1 ? "" : "(e)");
}

/* --- A file ------------------------------------------------------------------------------------------------------ */

/* The user's macros mean nothing after the user's text. */
static void put_undefinitions(struct writer *w)
{
	struct token_list list = {0};
	if (w->status == STATUS_OK)
		w->status = tokens_read(w->p->text, w->p->size, &list);
	const struct macro *macros = (const struct macro *)(const void *)list.macros.data;
	for (size_t i = 0; i < list.macros.size / sizeof *macros; i++)
		put(w, "#undef %.*s\n", (int)macros[i].name.size, macros[i].name.text);
	tokens_free(&list);
}

/* A call of one of the user's functions, with what it wants. */
static void put_call(struct writer *w, const char *name, const struct function_parameters *p, bool mapped)
{
	size_t input = 0;
	put(w, "%s(", name);
	for (size_t i = 0; i < p->count; i++) {
		put(w, "%s", i > 0 ? ", " : "");
		if (p->kinds[i] != PARAMETER_INPUT)
			put(w, "%s", p->kinds[i] == PARAMETER_STATE ? "s" : p->kinds[i] == PARAMETER_INDEX ? "i" : "n");
		else if (mapped)
			put_mapped(w, input++);
		else
			put_input(w, input++);
	}
	put(w, ")");
}

/* What emit gives, as the results that are written. */
static void put_results(struct writer *w)
{
	const struct declarations *d = &w->p->declared;
	put(w, "\tconst ");
	put_bytes(w, d->result_type.text, d->result_type.size);
	put(w, " r = ");
	put_call(w, "emit", &d->emit, true);
	put(w, ";\n\tpscan_result p;\n");
	for (size_t i = 0; i < d->results.count; i++) {
		char value[32];
		(void)snprintf(value, sizeof value, "v%zu", i);
		put(w, "\tconst %s %s = r%s", d->results.numbers[i].type->opencl_name, value,
		    d->names_results ? "." : "");
		put_bytes(w, d->result_names[i].text, d->result_names[i].size);
		put(w, ";\n");
		if (d->results.count > 1)
			put(w, "\tp.r%zu = ", i);
		else
			put(w, "\tp = ");
		if (w->p->emit != NULL) {
			put(w, "pscan_shown(%s, ", value);
			put_inputs(w, false);
			put(w, ", i, n)");
		} else {
			put_number(w, d->results.numbers[i].type, value);
		}
		put(w, ";\n");
	}
	put(w, "\treturn p;\n");
}

static void put_file(struct writer *w)
{
	const struct program *p = w->p;
	const struct declarations *d = &p->declared;
	put(w, "#line 1 \"" PROGRAM_FILE "\"\n");
	put_bytes(w, p->text, p->size);
	/* (A backslash at the text's end takes one line end away.) */
	put(w, "\n\n#line 1 \"declarations\"\n"
	       "#ifndef printf\n#error printf would write among the results: it stays forbidden\n#endif\n");
	put_undefinitions(w);
	put(w, "typedef char pscan_state_is_as_declared[sizeof(state) == %zu ? 1 : -1];\n", d->state.size);
	if (d->carry.size > 0)
		put(w, "typedef char pscan_carry_is_as_declared[sizeof(carry) == %zu ? 1 : -1];\n", d->carry.size);
	put_packed(w, &d->element, "pscan_element", 'x');
	put_packed(w, &d->results, "pscan_result", 'r');
	put_arguments(w, "PSCAN_ARGUMENTS");
	put_arguments(w, "PSCAN_SEED_ARGUMENTS");
	put(w, "typedef pscan_element pscan_seed;\n");
	put_around(w, d->results.numbers[0].type, d->results.numbers[0].type);
	put(w, "static inline state pscan_lift(");
	put_inputs(w, true);
	put(w, ", ulong i)\n{\n\treturn ");
	put_call(w, "lift", &d->lift, true);
	put(w, ";\n}\nstatic inline state pscan_begin(");
	put_inputs(w, true);
	put(w, ")\n{\n\tconst ulong i = 0;\n\treturn ");
	put_call(w, "lift", &d->lift, false);
	put(w, ";\n}\nstatic inline pscan_result pscan_emit(state s, ");
	put_inputs(w, true);
	put(w, ", ulong i, ulong n)\n{\n");
	put_results(w);
	put(w, "}\n");
	if (!d->has_identity)
		return;
	put(w, "static inline pscan_result pscan_nothing(");
	put_inputs(w, true);
	put(w, ", ulong i)\n{\n\treturn pscan_emit(identity(), ");
	put_inputs(w, false);
	put(w, ", i, 0);\n}\n");
}

/* --- An expression ----------------------------------------------------------------------------------------------- */

static void put_combine(struct writer *w)
{
	put_min_and_max(w);
	put(w,
	    "typedef %s state;\n"
	    "static state combine(state a, state b)\n{\n\treturn (state)(\n#line 1 \"" PROGRAM_FILE "\"\n",
	    w->acc->opencl_name);
	put_users(w, w->p->text, w->p->size);
	put(w, ");\n}\n#line 1 \"declarations\"\n"
	       "typedef state pscan_result;\n"
	       "typedef state pscan_seed;\n"
	       "#define PSCAN_ARGUMENTS(e) CONVERT(e)\n"
	       "#define PSCAN_SEED_ARGUMENTS(e) (e)\n");
	put_around(w, w->acc, w->acc);
	put(w, "static inline state pscan_lift(state x, ulong i)\n{\n\treturn ");
	put_mapped(w, 0);
	put(w, ";\n}\nstatic inline state pscan_begin(state x)\n{\n\treturn x;\n}\n"
	       "static inline pscan_result pscan_emit(state s, state x, ulong i, ulong n)\n{\n\treturn ");
	if (w->p->emit != NULL)
		put(w, "pscan_shown(s, x, i, n)");
	else
		put_number(w, w->acc, "s");
	put(w, ";\n}\n");
}

/* --- An operator of the table ------------------------------------------------------------------------------------ */

/* A value, by its bits. */
static void put_value(struct writer *w, const struct type *t, const union value *v)
{
	uint64_t bits = 0;
	memcpy(&bits, v, t->size);
	if (t->id == TYPE_F64)
		put(w, "as_double(0x%llxul)", (unsigned long long)bits);
	else if (t->id == TYPE_F32)
		put(w, "as_float(0x%llxu)", (unsigned long long)bits);
	else
		put(w, "(%s)0x%llxul", t->opencl_name, (unsigned long long)bits);
}

static void put_around_table(struct writer *w)
{
	const struct program *p = w->p;
	const struct type *out = operator_result(p->base, w->acc);
	const struct type *shown = operator_result(&p->op, w->acc);
	union value nothing;
	put(w, "#define PSCAN_OF_TABLE 1\n#define PSCAN_INPUTS %zu\n", p->op.inputs);
	put_packed(w, &w->element, "pscan_seed", 'x');
	put_arguments(w, "PSCAN_SEED_ARGUMENTS");
	put(w, "typedef %s pscan_result;\n", shown->opencl_name);
	put_around(w, out, shown);
	put(w, "#define PSCAN_PARAMETERS ");
	put_inputs(w, true);
	put(w, "\n#define PSCAN_NAMES ");
	put_inputs(w, false);
	put(w, "\n#define PSCAN_MAPPED ");
	for (size_t i = 0; i < w->element.count; i++) {
		put(w, "%s", i > 0 ? ", " : "");
		put_mapped(w, i);
	}
	put(w, "\n#define PSCAN_EMITTED %s\n#define PSCAN_SHOWN(r) ", p->base->emits_inputs ? ", PSCAN_MAPPED" : "");
	put(w, "%s\n", p->emit != NULL ? "pscan_shown(r, PSCAN_NAMES, i, n)" : "(r)");
	if (!row_identity(p->base, out, &nothing))
		return;
	put(w, "#define PSCAN_NOTHING ");
	put_value(w, out, &nothing);
	put(w, "\n");
}

enum status program_write(const struct program *p, const struct type *acc, struct bytes *text)
{
	struct writer w = {.p = p, .acc = acc, .element = operator_element(&p->op, acc), .text = text};
	if (p->base != NULL)
		put_around_table(&w);
	else if (p->file != NULL)
		put_file(&w);
	else
		put_combine(&w);
	put(&w, "#define PSCAN_GIVES_NOTHING %d\n#define PSCAN_HAS_CARRY %d\n", p->op.identity == IDENTITY_OWN,
	    p->declared.carry.size > 0);
	if (p->has_gaps)
		put(&w, "#define PSCAN_HAS_GAPS 1\n");
	return w.status;
}

enum status program_write_side_by_side(const struct program *p, const struct type *acc, struct bytes *text,
				       bool *written)
{
	struct bytes expression = {0};
	struct writer w = {.p = p, .acc = acc, .text = &expression};
	*written = false;
	if (p->base != NULL)
		return STATUS_OK;
	if (p->file != NULL)
		return side_by_side_write(p->text, p->size, text, written);
	put(&w, "typedef %s state;\nstate combine(state a, state b)\n{\n\treturn (state)(\n", acc->opencl_name);
	put_users(&w, p->text, p->size);
	put(&w, "\n);\n}\n");
	if (w.status == STATUS_OK)
		w.status = side_by_side_write((const char *)expression.data, expression.size, text, written);
	bytes_free(&expression);
	return w.status;
}
