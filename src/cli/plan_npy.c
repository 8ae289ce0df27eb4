/* Along its last axis an array is segments, each as long as the axis. Along its first axis it is records, and each
 * column of them is a lane. Along an axis between these it is records in segments. Without an axis it is its numbers,
 * one after the other. */
#include "cli/plan_steps.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "cli/args_value.h"

/* What does not go with an array, whatever its shape is. */
static enum status check_options(const struct options *o)
{
	if (o->fields.columns > 0)
		return args_usage("-c: an array has its own columns: see --axis");
	if (o->numbers.has_axis && o->resets.every > 0)
		return args_usage(
			"--axis begins a new scan where its axis begins: it cannot be combined with --reset-every");
	if (o->numbers.has_axis && o->resets.at != NULL)
		return args_usage(
			"--axis begins a new scan where its axis begins: it cannot be combined with --reset-at");
	for (size_t i = 0; i < o->scan.op_count; i++) {
		if (o->scan.ops[i].op->inputs == 1)
			continue;
		return message_refuse(
			"-op: %s takes %zu numbers, and an array has one at each place (see -c, --format=binary)",
			o->scan.ops[i].op->name, o->scan.ops[i].op->inputs);
	}
	return STATUS_OK;
}

/* Returns -t with the array's type as IN. Refuses another IN. NULL, and text that is not a type, stay unchanged. */
static enum status settle_type(const struct npy_array *array, struct options *o, char type[PLAN_NPY_TYPE_SIZE])
{
	char code[TYPE_CODE_SIZE];
	const char *given = o->numbers.type != NULL ? o->numbers.type : code;
	struct named_type in;
	struct named_type acc_type;
	type_format_code(code, array->type, array->swapped);
	const bool are_types = type_parse_pair(given, &in, &acc_type);
	/* (What is not a type is refused as it was given.) */
	if (o->scan.has_types || in.type == NULL)
		return STATUS_OK;
	if (in.type != array->type || (in.ordered && in.type->size > 1 && in.swapped != array->swapped))
		return message_refuse(
			"-t %s: the array's numbers are %s (%s): use that type, or only an accumulator (see -t "
			"%s:%s)",
			message_quoted(given), array->type->name, code, array->type->name,
			in.type != array->type ? in.type->name : "f64");
	const char *acc = given + strcspn(given, ":");
	if (!are_types)
		return STATUS_OK;
	if (strlen(code) + strlen(acc) < PLAN_NPY_TYPE_SIZE) {
		(void)snprintf(type, PLAN_NPY_TYPE_SIZE, "%s%s", code, acc);
		o->numbers.type = type;
	}
	return STATUS_OK;
}

/* The axis counted from the first one. */
static enum status find_axis(const struct options *o, const struct npy_shape *shape, size_t *axis)
{
	const int64_t count = (int64_t)shape->count;
	const int64_t found = o->numbers.axis < 0 ? o->numbers.axis + count : o->numbers.axis;
	if (found >= 0 && found < count) {
		*axis = (size_t)found;
		return STATUS_OK;
	}
	return args_usage("--axis=%" PRId64 ": the array has %zu ax%s", o->numbers.axis, shape->count,
			  shape->count == 1 ? "is" : "es");
}

/* The scans of an array: outer times one after the other, inner ones side by side, each of length numbers. */
struct layout {
	uint64_t outer, length, inner;
};

static struct layout lay_out(const struct npy_shape *shape, size_t axis)
{
	struct layout l = {.length = shape->sizes[axis]};
	/* (Where there are no numbers the products may be too large.) */
	if (!npy_count(shape, 0, axis, UINT64_MAX, &l.outer))
		l.outer = UINT64_MAX;
	if (!npy_count(shape, axis + 1, shape->count, UINT64_MAX, &l.inner))
		l.inner = UINT64_MAX;
	return l;
}

/* Whether there is a result before all others: one that was begun with once does not come again. */
static bool gives_initial(const struct options *o)
{
	return o->scan.include_initial && !o->state.goes_on;
}

static struct npy_shape without_axis(const struct npy_shape *shape, size_t axis)
{
	struct npy_shape rest = {.count = shape->count - 1};
	for (size_t i = 0; i < rest.count; i++)
		rest.sizes[i] = shape->sizes[i + (i >= axis)];
	return rest;
}

/* The scans along an axis, as options, and the shape of what they give. */
static enum status settle_axis(struct plan *plan, const struct npy_array *array, struct options *o)
{
	size_t axis = 0;
	TRY(find_axis(o, &array->shape, &axis));
	struct layout l = lay_out(&array->shape, axis);
	struct npy_shape *shape = &plan->npy.result.shape;
	plan->npy.beside = without_axis(&array->shape, axis);
	*shape = o->scan.total ? plan->npy.beside : array->shape;
	if (gives_initial(o))
		shape->sizes[axis]++;
	if (o->scan.total && o->resets.at != NULL)
		return args_usage("--total with --reset-at: the number of totals along an axis can differ");
	if (o->state.file != NULL && l.outer > 1)
		return args_usage(
			"--state: along this axis scans end with the array: only those along --axis=0 go on in "
			"the next");
	if (o->scan.include_initial && l.outer > 1)
		return args_usage("--include-initial works on arrays only along --axis=0");
	/* Totals of no numbers, each of a lane of its own. */
	if (o->scan.total && l.length == 0) {
		if (__builtin_mul_overflow(l.outer, l.inner, &l.inner))
			l.inner = UINT64_MAX;
		l.outer = 1;
	}
	if (l.inner > PLAN_LANES_MAX)
		return message_refuse("--axis=%" PRId64 ": %" PRIu64 " scans side by side, at most %d are possible: "
				      "numpy.save(F, numpy.moveaxis(a, %zu, -1).copy()), then --axis=-1",
				      o->numbers.axis, l.inner, PLAN_LANES_MAX, axis);
	o->fields.columns = l.inner > 1 ? l.inner : 0;
	o->resets.every = l.outer > 1 ? l.length : 0;
	return STATUS_OK;
}

/* The shape of what one scan of all numbers gives. */
static void settle_flat(struct plan *plan, const struct npy_array *array, const struct options *o)
{
	struct npy_shape *shape = &plan->npy.result.shape;
	*shape = array->shape;
	if (gives_initial(o))
		*shape = (struct npy_shape){.count = 1, .sizes = {array->elements + 1}};
	if (!o->scan.total)
		return;
	*shape = (struct npy_shape){0};
	if (o->resets.every > 0)
		*shape = (struct npy_shape){
			.count = 1,
			.sizes = {array->elements / o->resets.every + (array->elements % o->resets.every > 0)}};
	/* (A segment may have begun in the array before.) */
	plan->npy.result.grows = o->resets.at != NULL || (o->resets.every > 0 && o->state.file != NULL);
	if (plan->npy.result.grows)
		*shape = (struct npy_shape){.count = 1, .sizes = {NPY_SIZE_UNKNOWN}};
}

/* No results: nothing is scanned, nor said of nothing. */
static void settle_nothing(struct options *o)
{
	o->fields.columns = 0;
	o->resets.every = 0;
	o->scan.total = false;
	o->scan.include_initial = false;
}

static enum status settle_array(struct plan *plan, const struct npy_array *array, struct options *o,
				char type[PLAN_NPY_TYPE_SIZE])
{
	uint64_t count;
	plan->npy.array = *array;
	TRY(check_options(o));
	TRY(settle_type(array, o, type));
	if (o->numbers.has_axis)
		TRY(settle_axis(plan, array, o));
	else
		settle_flat(plan, array, o);
	if (npy_count(&plan->npy.result.shape, 0, plan->npy.result.shape.count, UINT64_MAX, &count) && count == 0 &&
	    o->state.file == NULL)
		settle_nothing(o);
	o->numbers.input = FORMAT_BINARY;
	o->numbers.is_sniffed = false;
	return STATUS_OK;
}

enum status plan_npy_settle(struct plan *plan, const struct options *given, const struct plan_input *input,
			    struct options *settled, char type[PLAN_NPY_TYPE_SIZE])
{
	*settled = *given;
	plan->npy.reads = input->array != NULL;
	plan->npy.writes = given->numbers.output != FORMAT_AUTO ? given->numbers.output == FORMAT_NPY : plan->npy.reads;
	if (plan->npy.writes)
		settled->numbers.output = FORMAT_BINARY;
	if (plan->npy.reads)
		return settle_array(plan, input->array, settled, type);
	if (given->numbers.has_axis && !input->is_unreadable)
		return args_usage("--axis is for .npy files (see -c, --reset-every)");
	/* The first file cannot be read. Reading it reports why. */
	if (given->numbers.input == FORMAT_NPY)
		settled->numbers.input = FORMAT_BINARY;
	return STATUS_OK;
}

enum status plan_npy_check_types(struct plan *plan)
{
	const struct npy_array *array = &plan->npy.array;
	if (!plan->npy.reads)
		return STATUS_OK;
	/* What a program declares has no byte order of its own. */
	if (plan->format.text.types_declared) {
		plan->format.in_swapped = array->swapped;
		plan->format.out_swapped = array->swapped;
	}
	if (plan->format.in == array->type)
		return STATUS_OK;
	return message_refuse("-op: %s takes %s, and the array's numbers are %s", plan->lanes[0].op->name,
			      plan->format.in->name, array->type->name);
}

/* How many of the results before one have its name. */
static size_t count_before(const struct plan *plan, size_t result)
{
	size_t count = 0;
	for (size_t i = 0; i < result; i++)
		count += strcmp(plan->memory.names[i].text, plan->memory.names[result].text) == 0;
	return count;
}

/* One of several results of an element: a field of its record, whose names must differ. What could end a string of
 * Python's, or is more than ASCII, is left out of a name. */
static enum status put_member(const struct plan *plan, size_t result, const char *code, struct bytes *out)
{
	char name[128];
	const size_t before = count_before(plan, result);
	(void)snprintf(name, sizeof name, "%.100s", plan->memory.names[result].text);
	if (before > 0)
		(void)snprintf(name, sizeof name, "%.100s_%zu", plan->memory.names[result].text, before + 1);
	for (char *c = name; *c != '\0'; c++)
		*c = *c < ' ' || *c > '~' || *c == '\'' || *c == '\\' ? '_' : *c;
	return bytes_format(out, "%s('%s', '%s')", result > 0 ? ", " : "", name, code);
}

/* The type of an element's results: one, or a record of them. */
static enum status describe_type(struct plan *plan)
{
	struct bytes *out = &plan->npy.result.type;
	const bool several = plan->format.text.result_count > 1;
	size_t result = 0;
	enum status status = bytes_format(out, several ? "[" : "'");
	for (size_t i = 0; i < plan->operator_count; i++) {
		const struct packed results = operator_results(plan->lanes[i].op, plan->lanes[i].acc);
		plan->npy.result.element_size += results.size;
		for (size_t k = 0; k < results.count && status == STATUS_OK; k++) {
			char code[TYPE_CODE_SIZE];
			type_format_code(code, results.numbers[k].type, plan->format.out_swapped);
			status = several ? put_member(plan, result++, code, out) : bytes_format(out, "%s", code);
		}
	}
	/* (With its NUL.) */
	return status == STATUS_OK ? bytes_append(out, several ? "]" : "'", 2) : status;
}

/* The records of input that is not an array. Their number may not be known yet. */
static void describe_records(struct plan *plan, const struct plan_input *input)
{
	struct npy_shape *shape = &plan->npy.result.shape;
	const bool is_binary = plan->format.input == FORMAT_BINARY;
	if (!plan->total || plan->is_segmented) {
		shape->count = 1;
		plan->npy.result.grows = plan->total || !is_binary || !input->is_counted;
		shape->sizes[0] = plan->npy.result.grows
					  ? NPY_SIZE_UNKNOWN
					  : input->bytes / plan->format.record_size + plan->include_initial;
	}
	if (plan->field_count > 1)
		shape->sizes[shape->count++] = plan->field_count;
}

enum status plan_npy_describe(struct plan *plan, const struct plan_input *input)
{
	if (!plan->npy.writes)
		return STATUS_OK;
	const struct text_rules *t = &plan->format.text;
	if (plan->total && t->key_count + t->reset_count > 0)
		return args_usage("--total with %s writes lines with %s, which cannot be .npy",
				  t->key_count > 0 ? "-g" : "--reset-on", t->key_count > 0 ? "the keys" : "its fields");
	if (!plan->npy.reads)
		describe_records(plan, input);
	return describe_type(plan);
}
