/* The reader of a program's declarations (language/declarations.h): bytes as they are, or words of a vocabulary, one a
 * byte. What it says must be within its promises, and may not depend on blanks, comments and line ends between the
 * words. */
#include <stdbool.h>

#include "base/message.h"
#include "fuzz.h"
#include "language/declarations.h"
#include "scan/row.h"
#include "language/side_by_side.h"

static const char *const words[] = {
	"typedef", "struct", "{", "}", "(", ")", "[", "]", ";", ",", "*", ":", "=", "state", "lift", "combine", "emit",
	"identity", "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float", "double", "unsigned",
	"signed", "void", "const", "static", "inline", "a", "b", "i", "n", "x", "3", "2", "128", "0x1", "return",
	"__attribute__", "double4", "point",
	/* Whole parts, so that good programs come about. */
	"typedef struct { double a; int b[3]; } state;", "typedef uint state;", "state lift(double x)",
	"state lift(int x, ulong i)", "state combine(state a, state b)", "double emit(state s)",
	"long emit(state s, double x, ulong n)", "{ return a; }", "typedef struct { char c; ulong d; } point;",
	"point emit(state s)", "state identity(void) { }", "{ for (int i = 0; i < 3; i++)", "a.x = b.x", "? a : b", "<",
	"==", "&&", "!", "%", "}", "carry", "carry_add", "typedef struct { double a; float b; } carry;",
	"typedef double carry;", "carry carry_first(state a)", "carry carry_add(carry a, state b)",
	"state carry_prefix(carry a)"};
#define WORDS (sizeof words / sizeof words[0])

/* What stands between words; none of it means anything. */
static const char *const gaps[] = {
	" ", "\n", "\t/* } ; */ ", " // ( {\n", " \\\n ", "\n#define M 3 /* ;\n */\n", "\n#pragma } \\\n {\n"};
#define GAPS (sizeof gaps / sizeof gaps[0])

#define TEXT_MAX 65536

/* The text that bytes are as words, with gaps of one kind or of many. */
static size_t write_words(const uint8_t *data, size_t size, bool many, char *text)
{
	size_t written = 0;
	for (size_t i = 0; i < size; i++) {
		const char *gap = many ? gaps[(data[i] / WORDS + i) % GAPS] : " ";
		const char *word = words[data[i] % WORDS];
		REQUIRE(written + strlen(word) + strlen(gap) < TEXT_MAX, "no room");
		written += (size_t)snprintf(text + written, TEXT_MAX - written, "%s%s", word, gap);
	}
	return written;
}

static size_t count_lines(const char *text, size_t size)
{
	size_t lines = 1;
	for (size_t i = 0; i < size; i++)
		lines += text[i] == '\n';
	return lines;
}

static bool within(const struct text_part *part, const char *text, size_t size)
{
	return part->size > 0 && part->text >= text && part->text + part->size <= text + size;
}

static void check_packed(const struct packed *p)
{
	size_t size = 0;
	REQUIRE(p->count >= 1 && p->count <= PACKED_MAX, "%zu numbers", p->count);
	for (size_t i = 0; i < p->count; i++) {
		REQUIRE(p->numbers[i].offset == size, "number %zu at %zu", i, p->numbers[i].offset);
		size += p->numbers[i].type->size;
	}
	REQUIRE(p->size == size, "%zu bytes", p->size);
}

static enum status read_text(const char *bytes, size_t size, struct declarations *d)
{
	struct text_error error;
	struct bytes copy = {0};
	bool written;
	char *text = fuzz_copy(bytes, size);
	const enum status status = declarations_read(text, size, d, &error);
	REQUIRE(status == STATUS_OK || status == STATUS_USAGE, "status %d", (int)status);
	if (status == STATUS_USAGE) {
		REQUIRE(error.why[0] != '\0' && strlen(error.why) < sizeof error.why, "no reason");
		REQUIRE(error.line <= count_lines(text, size), "line %lu", error.line);
	} else {
		REQUIRE(d->state.size >= 1 && d->state.size <= STATE_SIZE_MAX, "a state of %zu bytes", d->state.size);
		REQUIRE(d->carry.size <= STATE_SIZE_MAX, "a carry of %zu bytes", d->carry.size);
		check_packed(&d->element);
		check_packed(&d->results);
		REQUIRE(d->lift.count >= d->element.count && d->lift.count <= PARAMETERS_MAX, "%zu parameters",
			d->lift.count);
		REQUIRE(d->emit.count >= 1 && d->emit.kinds[0] == PARAMETER_STATE, "emit of %zu", d->emit.count);
		REQUIRE(within(&d->result_type, text, size), "the result's type is elsewhere");
		for (size_t i = 0; i < d->results.count && d->names_results; i++)
			REQUIRE(within(&d->result_names[i], text, size), "the name of result %zu is elsewhere", i);
		REQUIRE(side_by_side_write(text, size, &copy, &written) == STATUS_OK && written == (copy.size > 0),
			"%zu bytes side by side", copy.size);
	}
	bytes_free(&copy);
	free(text);
	return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char text[TEXT_MAX];
	struct declarations one;
	struct declarations other;
	const bool as_words = fuzz_choose(&data, &size) % 2 == 1;
	message_set_verbosity(VERBOSITY_QUIET);
	if (!as_words) {
		(void)read_text((const char *)data, size, &one);
		return 0;
	}
	if (size > 512)
		size = 512;
	const enum status status = read_text(text, write_words(data, size, false, text), &one);
	REQUIRE(status == read_text(text, write_words(data, size, true, text), &other), "gaps make a difference");
	if (status != STATUS_OK)
		return 0;
	REQUIRE(one.state.size == other.state.size && one.carry.size == other.carry.size &&
			one.has_identity == other.has_identity && one.names_results == other.names_results &&
			packed_is_same(&one.element, &other.element) && packed_is_same(&one.results, &other.results) &&
			one.lift.count == other.lift.count && one.emit.count == other.emit.count,
		"gaps make a difference to what is declared");
	return 0;
}
