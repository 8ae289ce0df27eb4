/* The numbers of the element are converted again, one by one. If one does not fit, the message names it; if all fit,
 * the message is about the result. */
#include "scan/misfit_message.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "number/convert.h"
#include "number/write.h"
#include "scan/program.h"

struct problem misfit_describe(const struct row *row, const void *element, const char *file_name, bool is_text,
			       bool *must)
{
	const struct type *in = row->in;
	const struct type *acc = row->acc;
	struct problem p = {.status = STATUS_DATA, .fatal = true, .file_name = file_name};
	convert_function *convert = convert_find(in, acc);
	union value value = {0};
	union value converted;
	bool fits = true;
	for (size_t i = 0; i < row->element.count && fits && convert != NULL; i++) {
		memcpy(&value, (const unsigned char *)element + i * in->size, in->size);
		fits = convert(&value, 1, &converted) == SIZE_MAX;
	}
	*must = !fits;
	if (!fits) {
		char text[NUMBER_TEXT_MAX + 1];
		const double x = in->id == TYPE_F32 ? (double)value.f32 : value.f64;
		/* Of a large one the shortest text could be another number, which fits. */
		if (in->kind == KIND_FLOAT && fabs(x) >= 1e6 && fabs(x) < 1e21)
			(void)snprintf(text, sizeof text, "%.0f", x);
		else
			text[number_format(text, in, &value)] = '\0';
		(void)snprintf(p.text, sizeof p.text, "%s does not fit %s (see -t%s)", text, acc->name,
			       in->kind == KIND_FLOAT ? "" : ", --overflow=wrap");
		return p;
	}
	if (row->op->program != NULL) {
		(void)snprintf(p.text, sizeof p.text, "the expression has no value: %s",
			       program_host_why_bad(&row->op->program->host));
		return p;
	}
	(void)snprintf(p.text, sizeof p.text, "the %s does not fit %s (see %s-t %s:%s, --overflow=wrap)", row->op->name,
		       acc->name, is_text && acc->size == 8 ? "-t num, " : "", in->name, acc->size < 8 ? "i64" : "f64");
	return p;
}
