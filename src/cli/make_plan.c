/* The first block decides between text and binary only where the options leave it open. */
#include "cli/make_plan.h"

#include <inttypes.h>
#include <string.h>

#include "base/message.h"
#include "cli/args_parts.h"
#include "cli/find_table.h"
#include "cli/plan_steps.h"
#include "device/engine.h"
#include "io/input.h"
#include "process/cpus.h"
#include "scan/program.h"
#include "stream/ring.h"
#include "source/source.h"
#include "text/line.h"
#include "text/npy.h"
#include "text/sniff.h"

/* Bytes of elements in a slot, unless --chunk-size says otherwise: a chunk and its results fit a second-level cache;
 * where many threads meet in the ring, chunks are larger so that they meet less often. (Measured: 256 KiB are best on 2
 * cores; on 16, 256 KiB gave 13 GB/s and 1 MiB 34.) Text has far fewer elements than bytes, but more bytes of
 * results. */
#define CHUNK_BYTES_PER_THREAD ((size_t)128 << 10)
#define CHUNK_BYTES_MIN ((size_t)256 << 10)
#define CHUNK_BYTES_MAX ((size_t)1 << 20)
#define TEXT_BYTES_PER_THREAD ((size_t)64 << 10)
#define TEXT_BYTES_MIN ((size_t)256 << 10)
#define TEXT_BYTES_MAX ((size_t)512 << 10)
/* Slots beyond those that the workers and the engine hold: one being filled, one being written, one waiting. */
#define SPARE_SLOTS 3
/* From this many threads on there is one more slot for every two of them: they end their chunks in another order than
 * that of the stream, so that more of them wait. (Measured on 16 cores: with 30 slots in place of 22, 0.84 to 0.95 of
 * the time.) */
#define MANY_THREADS 4

/* The name of a format that is neither text nor raw numbers, or NULL. */
static const char *find_foreign(const struct options *o, const unsigned char *block, size_t size)
{
	const char *foreign = o->numbers.is_sniffed ? sniff_foreign(block, size) : sniff_not_text(block, size);
	/* One layer of gzip is gone already. Where a type was named, these bytes or 16 bits each may be meant. */
	if (o->numbers.type == NULL && size >= 3 && memcmp(block, "\x1f\x8b\x08", 3) == 0)
		return "gzip in gzip: use gzip -dc F | pscan";
	return foreign != NULL ? foreign : sniff_wide_text(block, size, o->numbers.type != NULL);
}

static void refuse_as_text(const char *file, const unsigned char *block, size_t size)
{
	const unsigned char *control = sniff_control(block, size);
	if (control == NULL)
		message_error("%s: looks like text that is not UTF-8: --format=text, or iconv", file);
	else if (*control == '\x1a')
		message_error("%s: looks like text except for \\x1a in line %" PRIu64
			      " (the end of a DOS file? tr -d '\\032')",
			      file, line_count((const char *)block, (const char *)control) + 1);
	else
		message_error("%s: looks like text except for \\x%02x in line %" PRIu64
			      ": --format=text, or tr '\\%03o' ' '",
			      file, *control, line_count((const char *)block, (const char *)control) + 1, *control);
}

/* Refuses input whose format no option names, and which is neither text nor what it would be taken for: text in another
 * encoding or with a stray NUL, and numbers of another type. */
static enum status refuse_guess(const struct options *o, const struct plan_input *input)
{
	const unsigned char *block = input->block;
	const size_t size = input->size;
	const char *file = message_shown(input_label(o->files.names[0]));
	const bool is_f32 = o->numbers.type == NULL && !o->scan.has_types; /* if nothing else */
	const char *type = is_f32 ? sniff_type(block, size, input->is_counted ? input->bytes : size) : NULL;
	const bool is_f64 = type != NULL && strcmp(type, "float64") == 0;
	const bool may_be_text = o->numbers.type == NULL || texts_are_asked_for(o);
	if (may_be_text && !is_f64 && sniff_is_printable(block, size)) {
		refuse_as_text(file, block, size);
		return STATUS_USAGE;
	}
	if (type != NULL)
		return message_refuse("%s: looks like %s: -t %c%s (or -t f32, if it is float32)", file, type, type[0],
				      type + strlen(type) - 2);
	return STATUS_OK;
}

/* (Of several files the first ones may be empty.) */
static enum status refuse_foreign(const struct options *o, const char *foreign)
{
	if (o->files.count != 1)
		return message_refuse("the input is %s", foreign);
	return message_refuse("%s: it is %s", message_shown(input_label(o->files.names[0])), foreign);
}

static enum status choose_format(struct plan *plan, const struct options *o, const struct plan_input *input)
{
	const unsigned char *block = input->block;
	const size_t size = input->size;
	/* Where options say that it is text its first line would be an error. */
	const bool is_looked_for =
		o->numbers.is_sniffed || (o->numbers.input == FORMAT_AUTO && o->text.tokens.invalid == INVALID_ABORT &&
					  !sniff_is_text(block, size));
	const char *foreign = is_looked_for ? find_foreign(o, block, size) : NULL;
	if (foreign != NULL)
		return refuse_foreign(o, foreign);
	plan->format.input = o->numbers.input == FORMAT_AUTO ? FORMAT_TEXT : o->numbers.input;
	if (o->numbers.is_sniffed && (size > 0 ? !sniff_is_text(block, size) : o->numbers.skip_bytes > 0))
		plan->format.input = FORMAT_BINARY;
	if (o->numbers.skip_bytes > 0 && o->numbers.is_sniffed &&
	    (plan->format.input == FORMAT_TEXT || npy_begins(block, size)))
		return message_refuse("--skip-bytes: what follows is %s: --format=binary if it is raw numbers",
				      plan->format.input == FORMAT_TEXT ? "text"
									: "an array (.npy), which has its own header");
	if (o->state.whole_lines && plan->format.input != FORMAT_TEXT)
		return message_refuse("--whole-lines is for text, which this input is not (see --format=text)");
	plan->found.is_guessed = o->numbers.is_sniffed && plan->format.input == FORMAT_BINARY;
	if (plan->found.is_guessed && refuse_guess(o, input) != STATUS_OK)
		return STATUS_USAGE;
	if (o->numbers.is_sniffed && plan->format.input == FORMAT_BINARY && o->numbers.type == NULL &&
	    !o->scan.has_types && sniff_is_unlike_f32(block, size))
		message_warning("%s: taken for raw binary float32 (see --format)",
				message_shown(input_label(o->files.names[0])));
	if (o->scan.has_texts && !texts_are_asked_for(o) && plan->format.input != FORMAT_TEXT)
		return message_refuse("-op distinct of binary input" ARGS_LATER);
	plan->format.output = o->numbers.output != FORMAT_AUTO ? o->numbers.output : plan->format.input;
	return STATUS_OK;
}

/* Whether what a rule is about can be no element. */
static bool may_lack(const struct missing_rule *rule)
{
	return rule->how == MISSING_SKIP || plan_comes_out(rule);
}

/* The totals of a segment's lanes are one line, so they must end at one record. */
static enum status check_resets(const struct plan *plan)
{
	const struct text_rules *t = &plan->format.text;
	const bool by_fields = t->reset_count > 0 || t->gap.given;
	const bool resets = by_fields || plan->resets.every > 0 || plan->resets.at != NULL;
	const bool is_text = plan->format.input == FORMAT_TEXT;
	/* (Raw records that are kept or held are counted, whatever they lack.) */
	const bool lacks_some =
		plan->field_count > 1 &&
		((by_fields && t->tokens.has_nan && may_lack(&t->tokens.nan)) ||
		 (is_text && (may_lack(&t->tokens.missing) || (t->tokens.has_nan && may_lack(&t->tokens.nan)) ||
			      t->tokens.invalid != INVALID_ABORT)));
	if (plan->resets.at != NULL && plan->lanes[0].op->inputs > 1)
		return message_refuse("--reset-at needs an operator of one number, but %s takes %zu",
				      plan->lanes[0].op->name, plan->lanes[0].op->inputs);
	if (plan->total && plan->resets.at != NULL && plan->field_count > 1)
		return message_refuse("--reset-at with --total is for one field or column (see -f)");
	if (plan->total && resets && lacks_some)
		return message_refuse("--total with segments of several fields: no number may be missing (see %s=fail)",
				      is_text ? "--missing" : "--nan");
	return STATUS_OK;
}

/* Whether a record without a number may show a result that the lane's next number would get, and which may not fit. */
static bool may_hold_unfit(const struct plan *plan, const struct plan_lane *lane)
{
	const struct text_rules *t = &plan->format.text;
	const bool holds = t->tokens.missing.how == MISSING_HOLD || t->tokens.nan.how == MISSING_HOLD;
	return holds && lane->moves_results && plan->checked && !lane->decimal && lane->op->overflows &&
	       lane->acc->kind != KIND_FLOAT;
}

/* What must be scanned as keys and segments are, and what the decoder must tell of those. */
static void choose_segments(struct plan *plan)
{
	struct text_rules *t = &plan->format.text;
	const bool is_text = plan->format.input == FORMAT_TEXT;
	plan->lacking.keeps_records = (is_text && plan_comes_out(&t->tokens.missing)) ||
				      (t->tokens.has_nan && plan_comes_out(&t->tokens.nan));
	/* A record that comes out takes an index, whether it has a number or not. */
	for (size_t i = 0; i < plan->lane_count && plan->lacking.keeps_records; i++) {
		const enum operator_id id = plan->lanes[i].op->id;
		const struct program *program = plan->lanes[i].op->program;
		plan->is_segmented = plan->is_segmented || id == OPERATOR_ARGMAX || id == OPERATOR_ARGMIN ||
				     (program != NULL && program->has_gaps) || may_hold_unfit(plan, &plan->lanes[i]);
	}
	plan->is_segmented = plan->is_segmented || plan->lacking.min_count > 0 ||
			     (plan->lacking.keeps_records && (plan->lacking.fill_limit > 0 || plan->ends.plots));
	/* (What looks for texts of another kind looks at segments.) */
	plan->is_segmented = plan->is_segmented || plan_accepts_times(plan);
	for (size_t i = 0; i < plan->lane_count; i++)
		plan->is_segmented = plan->is_segmented || plan->lanes[i].decimal;
	/* (A line that begins with its key needs this key even if it has a mark for a result.) */
	t->records.are_all = t->reset_count > 0 || t->gap.given || (t->output.shown_keys > 0 && !plan->total);
}

static enum status check_number_format(const struct plan *plan)
{
	if (plan->format.number_format == NULL)
		return STATUS_OK;
	if (plan->format.output == FORMAT_BINARY)
		return message_refuse("-F formats text: it cannot be combined with binary output");
	for (size_t i = 0; i < plan->operator_count; i++) {
		const struct packed results = operator_results(plan->lanes[i].op, plan->lanes[i].acc);
		for (size_t k = 0; k < results.count; k++) {
			const struct type *out = results.numbers[k].type;
			if (number_spec_is_integer(plan->format.number_format) && out->kind == KIND_FLOAT)
				return message_refuse("-F: %%d is for integers, not for %s", out->name);
		}
	}
	return STATUS_OK;
}

static size_t chunk_bytes(size_t bytes, size_t least, size_t greatest)
{
	if (bytes < least)
		return least;
	return bytes < greatest ? bytes : greatest;
}

static void choose_sizes(struct plan *plan, const struct options *o, size_t threads)
{
	plan->sizes.thread_count = threads;
	plan->sizes.slot_count = plan_slots(threads);
	const size_t record = plan->format.input == FORMAT_BINARY ? plan->format.record_size : 1;
	/* With larger chunks the work for each key of a chunk is done less often. One thread does it while others wait.
	 * (Measured.) */
	const size_t larger = plan->format.text.key_count > 0 ? 2 : 1;
	size_t elements =
		chunk_bytes(threads * TEXT_BYTES_PER_THREAD, larger * TEXT_BYTES_MIN, larger * TEXT_BYTES_MAX);
	if (plan->format.input == FORMAT_BINARY)
		elements = chunk_bytes(threads * CHUNK_BYTES_PER_THREAD, CHUNK_BYTES_MIN, CHUNK_BYTES_MAX) / record;
	/* With larger chunks the work for each column of a chunk is done for more records at once. (Measured.) */
	if (plan->by_cursors)
		elements *= 2;
	/* For text: how many bytes of elements, in their first type. */
	const size_t stored = plan->format.input == FORMAT_BINARY ? record : plan->format.in->size;
	if (o->run.chunk_bytes != 0)
		elements = (o->run.chunk_bytes + stored - 1) / stored;
	const size_t tiles = (elements + GRID_TILE - 1) / GRID_TILE;
	plan->sizes.chunk_elements = elements < PLAN_CHUNK_ELEMENTS_MAX ? tiles * GRID_TILE : PLAN_CHUNK_ELEMENTS_MAX;
	/* Of many columns a chunk is less than a tile. */
	if (elements < GRID_TILE && record > plan->element.size)
		plan->sizes.chunk_elements = elements > 0 ? elements : 1;
	plan->sizes.chunk_fixed = o->run.chunk_bytes != 0;
}

size_t plan_threads(const struct options *o)
{
	return o->run.threads != 0 ? (size_t)o->run.threads : cpus_available();
}

size_t plan_slots(size_t threads)
{
	const size_t waiting = threads < MANY_THREADS ? 0 : threads / 2;
	const size_t slots = threads + waiting + ENGINE_DEVICE_DEPTH + SPARE_SLOTS;
	return slots < PLAN_SLOTS_MAX ? slots : PLAN_SLOTS_MAX;
}

/* Whether numbers can hold it. */
static bool is_in_numbers(char c, char decimal)
{
	return (c >= '0' && c <= '9') || c == ':' || c == decimal || strchr("-+.einfa", c) != NULL;
}

static bool may_need_quotes(const struct record_format *format)
{
	const bool has_format = format->number_format != NULL;
	return format->text.cut == CUT_CSV
		       ? has_format || is_in_numbers(format->text.delimiter, format->text.tokens.notation.decimal)
		       : text_names_fields(&format->text) && has_format;
}

/* Whether a number's text may contain the delimiter of a line with other fields, where nothing is quoted. */
static bool may_split(const struct plan *plan)
{
	const struct text_rules *t = &plan->format.text;
	const bool has_fields =
		t->output.lines != LINES_DROPPED || plan->result_count > 1 || t->key_count + t->reset_count > 0;
	return plan->format.output == FORMAT_TEXT && t->cut == CUT_DELIMITER && has_fields &&
	       is_in_numbers(t->delimiter, t->tokens.notation.decimal);
}

/* Refuses a delimiter that the texts of times contain, which are written as keys and as fields of resets. */
static enum status check_shown_times(const struct plan *plan)
{
	static const struct time_parts any = {.year = 2024, .month = 1, .day = 1};
	const struct text_rules *t = &plan->format.text;
	const bool shows = t->cut == CUT_DELIMITER && t->output.lines == LINES_DROPPED &&
			   plan->format.output == FORMAT_TEXT && (plan->total || t->key_count > 0);
	char text[CALENDAR_TEXT_MAX];
	for (size_t i = t->field_count; shows && i < t->field_count + t->key_count + t->reset_count; i++) {
		const enum calendar_unit unit = t->fields[i].unit;
		if (unit == UNIT_NONE || memchr(text, t->delimiter, calendar_write(unit, &any, text)) == NULL)
			continue;
		return message_refuse("-d %c: times to the %s contain it (--csv has quotes)", t->delimiter,
				      calendar_unit_name(unit));
	}
	return STATUS_OK;
}

/* Columns from which on they are scanned a record after the other, in vectors of columns. (Measured.) */
#define MANY_COLUMNS 12

static bool is_by_cursors(const struct plan *plan, const struct options *o)
{
	const uint64_t *numbers = plan->format.text.numbers; /* NULL: a field of text has a name */
	bool all_in_order =
		numbers != NULL && plan->field_count == o->fields.columns && o->fields.columns >= MANY_COLUMNS;
	for (size_t i = 0; all_in_order && i < plan->field_count; i++)
		all_in_order = numbers[i] == i + 1;
	const struct plan_lane *l = &plan->lanes[0];
	struct row row;
	return all_in_order && !plan->is_segmented && l->op->inputs == 1 && plan->format.input == FORMAT_BINARY &&
	       plan->format.output == FORMAT_BINARY && plan->operator_count == 1 && l->in == l->acc &&
	       row_find(&row, l->op, l->in, l->acc, plan->checked, false, plan->algorithm) && row.push_records != NULL;
}

/* What combines: puts --map and --emit that are parts of programs around the operators, and chooses the lanes. */
static enum status choose_operators(struct plan *plan, struct options *o)
{
	const bool maps = o->scan.map != NULL && plan->map.field_count == 0;
	const bool is_apart = plan->emit.is_late || plan->emit.is_by_element;
	const bool emits = plan_emit_may_be_late(o) && !is_apart;
	const struct text_part *names = NULL;
	const size_t inputs = maps ? plan_map_inputs(plan, o, &names) : 0;
	if (maps || emits)
		TRY(args_settle_operators(o, maps, o->scan.emit != NULL && !is_apart, inputs, names));
	return plan_choose_lanes(plan, o);
}

/* What is read, and by which operators it is scanned. */
static enum status choose_scans(struct plan *plan, struct options *o, const struct plan_input *input)
{
	TRY(choose_format(plan, o, input));
	TRY(plan_check_marks(plan));
	TRY(find_table(plan, o, input));
	plan->format.may_need_quotes = may_need_quotes(&plan->format);
	TRY(plan_choose_fields(plan, o, input));
	TRY(plan_choose_exact(plan, o));
	TRY(plan_choose_emit(plan, o));
	TRY(choose_operators(plan, o));
	plan->format.may_split = may_split(plan);
	TRY(texts_choose(plan, o, input));
	TRY(plan_choose_types(plan, o->numbers.type));
	return plan_compile_map(plan);
}

/* Completes and checks the lanes, whose types are chosen. */
static enum status settle_lanes(struct plan *plan, const struct options *o)
{
	const struct scan_operator *op;
	TRY(plan_npy_check_types(plan));
	TRY(plan_check_names(plan));
	TRY(check_shown_times(plan));
	TRY(plan_check_replaced(plan));
	plan->format.text.records.need_all =
		plan->format.output == FORMAT_BINARY && plan_integer_result(plan, &op) != NULL;
	TRY(plan_exclusive_lanes(plan, &o->scan));
	TRY(plan_choose_programs(plan, o));
	TRY(check_number_format(plan));
	TRY(check_resets(plan));
	return plan_check_stand_ins(plan);
}

enum status plan_make(struct plan *plan, const struct options *given, size_t threads, const struct plan_input *input)
{
	struct options settled;
	struct options *const o = &settled;
	char type[PLAN_NPY_TYPE_SIZE];
	*plan = (struct plan){
		.format = {.text = given->text,
			   .number_format = given->numbers.has_format ? &given->numbers.format : NULL},
		.algorithm = given->scan.algorithm,
		.device.verify = given->run.verify,
		.device.check_associative = given->run.check_associative,
		.device.warns_of_grouping =
			!given->run.check_associative && given->reports.verbosity != VERBOSITY_QUIET,
		.device.is_pushed = given->scan.algorithm == ALGORITHM_SEQUENTIAL,
		.checked = given->scan.overflow != OVERFLOW_WRAP,
		.ends.is_saved = given->state.file != NULL,
		.sizes.line_buffered = given->output.line_buffered,
		.ends.plots = given->reports.plots,
	};
	TRY(plan_npy_settle(plan, given, input, &settled, type));
	plan->include_initial = o->scan.include_initial; /* n+1 results: the initial one, then the inclusive ones */
	plan->total = o->scan.total;
	plan->is_reversed = o->scan.is_reversed;
	TRY(choose_scans(plan, o, input));
	TRY(settle_lanes(plan, o));
	/* (-c's columns are divided among elements of several numbers.) */
	plan->element = operator_element(plan->lanes[0].op, plan->format.in);
	plan->format.record_size = o->fields.columns > 0 ? plan->element.size * o->fields.columns / plan->element.count
							 : plan->element.size;
	TRY(plan_check_binary_nan(plan));
	choose_segments(plan);
	TRY(plan_check_places(plan));
	TRY(plan_check_counts(plan));
	plan->by_cursors = !plan_leaves_out_nans(plan) && is_by_cursors(plan, o);
	choose_sizes(plan, o, threads);
	return plan_npy_describe(plan, input);
}

struct source *plan_source(const struct options *o, size_t first, const struct ring *ring)
{
	if (ring == NULL)
		return NULL;
	const struct source_rules rules = {.stop_fd = ring_stop_fd(ring),
					   .may_be_elements = o->numbers.is_raw,
					   .whole_lines = o->state.whole_lines,
					   .skipped = o->numbers.skip_bytes};
	return source_new(o->files.names + first, o->files.count - first, &rules);
}

enum status plan_look(const struct options *o, struct source *source, struct plan_input *input, struct npy_array *array)
{
	/* The first block is not needed where the options decide between text and binary. */
	const bool is_open = o->numbers.input == FORMAT_AUTO && !o->numbers.is_text && !o->numbers.has_format;
	const bool must_be_array = o->numbers.input == FORMAT_NPY;
	bool is_array = false;
	source_peek(source, is_open, &o->text, &input->block, &input->size);
	if (must_be_array || (o->numbers.is_sniffed && o->numbers.skip_bytes == 0))
		TRY(source_peek_array(source, must_be_array, array, &is_array));
	input->array = is_array ? array : NULL;
	input->whole = source_whole_peeked(source, &o->text);
	input->is_unreadable = source_cannot_begin(source);
	input->is_counted = source_known_bytes(source, &input->bytes);
	const bool is_text = o->numbers.input == FORMAT_TEXT ||
			     (o->numbers.input == FORMAT_AUTO && sniff_is_text(input->block, input->size));
	if (!is_text || (!o->text.tokens.may_be_texts && !texts_may_be_times(o)))
		return STATUS_OK;
	struct text_rules rules = o->text;
	rules.header_lines = o->cut.no_header ? 0 : rules.header_lines;
	return source_find_record(source, &rules, &input->block, &input->record, &input->record_size);
}

void plan_free(struct plan *plan)
{
	memory_free(plan->lanes);
	plan_free_map(&plan->map);
	memory_free(plan->emit.exact);
	memory_free(plan->emit.floats);
	memory_free(plan->memory.names);
	memory_free(plan->memory.labels);
	members_free(&plan->memory.members);
	bytes_free(&plan->memory.label_text);
	bytes_free(&plan->memory.fields);
	bytes_free(&plan->memory.clocks);
	bytes_free(&plan->memory.numbers);
	bytes_free(&plan->memory.seeds);
	bytes_free(&plan->npy.result.type);
}
