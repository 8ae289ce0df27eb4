/* A number in a list of fields may also be a field's name. */
#include <inttypes.h>
#include <stdio.h>

#include "base/message.h"
#include "cli/find_table.h"
#include "cli/plan_steps.h"

enum status plan_check_place(const struct plan *plan, const struct first_lines *lines, const char *option,
			     const char *text, const struct field_item *item)
{
	const struct text_rules *rules = &plan->format.text;
	const bool has_header = plan->format.input == FORMAT_TEXT && rules->header_lines > 0;
	const uint64_t named = has_header ? find_named(rules, lines, text) : 0;
	if (named == 0)
		return STATUS_OK;
	const uint64_t count = line_count_fields(rules, &lines->first);
	const bool is_from_end = item != NULL && item->from_end > 0;
	const bool is_single = item != NULL && (is_from_end || item->first == item->last);
	const uint64_t number = !is_single                ? 0
				: !is_from_end            ? item->first
				: item->from_end <= count ? count + 1 - item->from_end
							  : 0;
	char place[64] = "each place by itself";
	if (number == named)
		return STATUS_OK;
	if (number > 0 && is_from_end)
		(void)snprintf(place, sizeof place, "%" PRIu64 " for the place", number);
	else if (number > 0)
		(void)snprintf(place, sizeof place, "%" PRIu64 "-%" PRIu64 " for the place", number, number);
	return message_refuse("%s %s is a place, and field %" PRIu64
			      " is called so: write '\"%s\"' for the name, or %s",
			      option, message_quoted(text), named, text, place);
}
