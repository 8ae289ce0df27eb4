/* One message each for the format, the header and the types. */
#include "cli/make_plan.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/message.h"
#include "cli/args.h"
#include "cli/find_table.h"
#include "text/npy.h"

static void tell_text(const struct plan *plan, const struct options *o, const char *packed)
{
	static const char *const forms[] = {
		[CUT_BLANKS] = "fields between blanks",
		[CUT_DELIMITER] = "fields between delimiters",
		[CUT_CSV] = "CSV",
		[CUT_LOG] = "a log, fields between blanks",
		[CUT_LOGFMT] = "logfmt",
		[CUT_JSON] = "JSON, one object per line",
	};
	const struct text_rules *t = &plan->format.text;
	char quoted[MESSAGE_QUOTED_SIZE] = "";
	if (t->cut == CUT_DELIMITER || t->cut == CUT_CSV)
		message_quote(quoted, &t->delimiter, 1);
	const bool has_fields = t->field_count > 0 || o->fields.columns > 0;
	message_verbose("format: text, %s%s%s%s", has_fields ? forms[t->cut] : "each word a number",
			quoted[0] != '\0' ? ", delimiter " : "", quoted, packed);
}

/* The line that names the fields, as far as it is seen. */
static void tell_header(const struct plan *plan, const struct options *o, const struct plan_input *input)
{
	const struct text_rules *t = &plan->format.text;
	const char *how = o->cut.finds_header ? " (found)" : "";
	const struct line line = find_lines(t, input).first;
	if (t->header_lines == 0 || line.start == NULL) {
		message_verbose("header: none%s", how);
		return;
	}
	message_verbose("header: %" PRIu64 " line%s%s, names in line %" PRIu64 ": %s", t->header_lines,
			t->header_lines == 1 ? "" : "s", how, text_names_line(t),
			message_quoted_part(line.start, (size_t)(line.end - line.start)));
}

static const char *result_type(const struct plan *plan, const struct plan_lane *lane)
{
	const bool is_exact = lane->decimal && lane->op->result == RESULT_SAME;
	if (lane->gives_text)
		return "text";
	return is_exact ? plan->decimal_strict ? "dec" : "num" : operator_result(lane->op, lane->acc)->name;
}

/* The types of the first element's lanes, which have all operators. */
static void tell_types(const struct plan *plan)
{
	char results[256] = "";
	size_t used = 0;
	const struct plan_lane *first = &plan->lanes[0];
	for (size_t i = 0; i < plan->operator_count && used < sizeof results; i++) {
		const struct plan_lane *l = &plan->lanes[i];
		used += (size_t)snprintf(results + used, sizeof results - used, "%s%s of %s", i > 0 ? ", " : "",
					 result_type(plan, l),
					 l->op->program != NULL ? "an operator"
					 : l->order != 0        ? l->name
								: l->op->name);
	}
	if (first->numbers != NULL)
		message_verbose("types: the program's");
	else
		message_verbose("types: numbers %s, results %s",
				first->is_text         ? "text"
				: !first->decimal      ? first->in->name
				: plan->decimal_strict ? "dec"
						       : "num",
				results);
}

void tell_plan(const struct plan *plan, const struct options *o, const struct plan_input *input,
	       const char *compression)
{
	char packed[32] = "";
	char shape[NPY_SHAPE_SIZE];
	if (compression != NULL)
		(void)snprintf(packed, sizeof packed, ", in %s", compression);
	if (plan->format.input == FORMAT_TEXT) {
		tell_text(plan, o, packed);
		if (!text_names_fields(&plan->format.text) && !o->cut.log)
			tell_header(plan, o, input);
	} else if (plan->npy.reads) {
		message_verbose("format: npy of shape %s%s", npy_format_shape(shape, &input->array->shape), packed);
	} else {
		message_verbose("format: raw binary%s%s", plan->found.is_guessed ? " (found)" : "", packed);
	}
	tell_types(plan);
}
