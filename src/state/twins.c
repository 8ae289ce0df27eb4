/* Files with the same bytes that are all new in one run: each of them is read, as two logs may have the same lines. */
#include "base/message.h"
#include "state/inputs.h"
#include "state/match.h"
#include "io/input.h"

/* The bytes of a new file, inflated if it is compressed. */
struct content {
	uint64_t size, first, last;
};

static struct content content_of(const struct source_taken *t)
{
	if (t->is_whole && (t->inflated > 0 || !t->is_array))
		return (struct content){t->inflated - t->inflated_header, t->inflated_first, t->inflated_last};
	return (struct content){t->bytes - t->header, t->first, t->last};
}

/* Whether a file that this run has read was new to it, and had more than a header. (Of a compressed one it is not known
 * whether it had.) */
static bool is_new(const struct state_inputs *s, const struct options *o, const struct source_taken *t)
{
	return content_of(t).size > 0 && state_inputs_is_new(s, o, t->file) &&
	       (t->inflated > 0 || !state_match_in_header(o, o->files.names[t->file], t->bytes));
}

void state_inputs_warn_of_twins(const struct state_inputs *s, const struct options *o, const struct source *source)
{
	char name[MESSAGE_NAME_SIZE];
	size_t count;
	const struct source_taken *taken = source_taken_files(source, &count);
	for (size_t i = 1; i < count && o->state.alike != ALIKE_NEW; i++) {
		const struct content one = content_of(&taken[i]);
		size_t k = 0;
		for (; k < i; k++) {
			const struct content its = content_of(&taken[k]);
			if (its.size == one.size && its.first == one.first && its.last == one.last &&
			    is_new(s, o, &taken[k]))
				break;
		}
		if (k == i || !is_new(s, o, &taken[i]))
			continue;
		message_warning("--state: %s has the bytes of %s, and both count (if one is a copy: again from the "
				"state of before, without it; else --alike=new)",
				message_name(name, input_label(o->files.names[taken[i].file])),
				message_shown(input_label(o->files.names[taken[k].file])));
	}
}
