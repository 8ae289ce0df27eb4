/* Every rank measures all files, so it can compute each rank's slice by itself. The ranks then compare their sizes. */
#include "mpi/share.h"

#include <string.h>
#include <sys/stat.h>

#include "base/message.h"
#include "cli/args.h"
#include "cli/args_value.h"
#include "io/bgzf.h"
#include "io/input.h"
#include "mpi/comm.h"
#include "scan/program.h"
#include "scanner/conductor.h"
#include "chunk/plan.h"
#include "source/source.h"

/* The advice that each refusal ends with. */
#define ADVICE "run pscan without mpirun; see LIMITS in man pscan-mpi"

/* Refuses an option or a combination, with a message. */
static enum status not_yet(const char *what)
{
	return message_refuse("%s with MPI: not supported yet (" ADVICE ")", what);
}

/* Whether a field of --reset-on has a unit of time. */
static bool has_unit(const struct options *o)
{
	const struct field_item *items = (const struct field_item *)(const void *)o->fields.reset_on.data;
	for (size_t i = 0; i < o->fields.reset_on.size / sizeof *items; i++)
		if (items[i].unit != UNIT_NONE)
			return true;
	return false;
}

enum status share_check_options(const struct options *o)
{
	struct stat st;
	const struct {
		bool given;
		const char *what;
	} refused[] = {
		{o->scan.window > 0, "--window"},
		{o->scan.has_windows, "lag:N and delta:N"},
		{o->scan.has_texts, "distinct"},
		{has_unit(o), "units of time"},
		{(o->text.tokens.notation.accept & ACCEPT_DURATION) != 0, "--accept=duration"},
		{(o->text.tokens.notation.accept & ACCEPT_TIME) != 0, "--accept=time"},
		{o->scan.uses_total, "t in --emit"},
		{o->scan.is_reversed, "--reverse"},
		{o->state.file != NULL, "--state"},
		{o->state.alike != ALIKE_UNKNOWN, "--alike"},
		{o->state.whole_lines, "--whole-lines"},
		{o->numbers.skip_bytes > 0, "--skip-bytes"},
		{o->output.compressor != NULL, "compressed output"},
		{o->reports.plots, "--plot"},
		{o->scan.algorithm == ALGORITHM_SEQUENTIAL, "--algorithm=sequential"},
		{o->run.check_associative, "--check-associative"},
		{o->run.verify, "--verify"},
		{o->reports.progress, "--progress"},
		{o->reports.trace != NULL, "--trace"},
	};
	for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
		if (refused[i].given)
			return not_yet(refused[i].what);
	}
	for (size_t i = 0; i < o->files.count; i++) {
		if (strcmp(o->files.names[i], "-") == 0)
			return args_usage("with MPI standard input cannot be read: name files");
		if (stat(o->files.names[i], &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
			return args_usage("%s: MPI needs a regular file that every rank can open",
					  message_shown(o->files.names[i]));
	}
	/* Without keys and segments --total is one line, which one rank can write to standard output. */
	const bool has_several = o->fields.keys.size > 0 || o->fields.reset_on.size > 0 || o->fields.gap.size > 0 ||
				 o->resets.every > 0 || o->resets.at != NULL;
	if ((!o->scan.total || has_several) && (o->output.file == NULL || strcmp(o->output.file, "-") == 0))
		return args_usage("with MPI results cannot go to standard output: name a file (-o)");
	return STATUS_OK;
}

/* Refuses plans that cannot be scanned when the elements before a slice must be counted first. */
static enum status check_counted(const struct plan *plan)
{
	if (plan->device.has_programs)
		return not_yet(plan->format.input == FORMAT_TEXT ? "operators of your own on text"
								 : "--nan=keep and hold with operators of your own");
	return STATUS_OK;
}

/* Refuses scans by key that cannot be joined (conductor_joins). */
static enum status check_keys(const struct plan *plan)
{
	const struct plan_lane *lane = conductor_unjoined(plan);
	if (plan->resets.every > 0 || text_resets_by_fields(&plan->format.text))
		return not_yet("-g and --reset-every, --reset-on or --reset-gap");
	if (plan->lacking.keeps_records)
		return not_yet("-g and --missing=keep or hold, or --nan=keep or hold");
	if (lane == NULL)
		return STATUS_OK;
	if (lane->op->program != NULL)
		return not_yet("-g and operators of your own");
	return message_refuse("-g and %s of %s with MPI: not supported yet, as slices cannot be joined exactly (" ADVICE
			      ")",
			      lane->name, lane->decimal ? "num" : lane->acc->name);
}

/* Refuses segmented plans that cannot be sliced. (A plan is also segmented if records without a number take indices or
 * show results.) */
static enum status check_segments(const struct plan *plan)
{
	const bool is_text = plan->format.input == FORMAT_TEXT;
	if (plan->resets.after_missing)
		return not_yet("--reset-at=missing");
	if (plan_has_keys(plan) && check_keys(plan) != STATUS_OK)
		return STATUS_USAGE;
	if (is_text && plan->lacking.keeps_records && plan->resets.every > 0)
		return not_yet("--missing=keep and hold with --reset-every");
	for (size_t i = 0; i < plan->lane_count; i++) {
		if (plan->lanes[i].op->program != NULL && plan->lanes[i].op->program->has_gaps)
			return not_yet("i in --map, --emit and programs when records without a number are written");
	}
	if (plan->device.has_programs && (plan->lacking.min_count > 0 || plan->lacking.fill_limit > 0))
		return not_yet("operators of your own and --min-count or --fill-limit");
	return STATUS_OK;
}

enum status share_check_plan(const struct plan *plan, bool is_empty)
{
	if (plan->has_texts)
		return not_yet("texts");
	if (plan->npy.writes && plan->npy.result.grows)
		return not_yet(".npy whose number of results is known only at the end");
	if (is_empty)
		return STATUS_OK;
	if (plan->device.is_pushed)
		return not_yet("-e with x or i in --emit");
	if (plan->is_segmented)
		return check_segments(plan);
	if (share_is_counted(plan))
		return check_counted(plan);
	/* A device can only give the totals of tiles that lie in one chunk. */
	return plan->device.has_programs && plan->sizes.chunk_elements % GRID_TILE > 0
		       ? not_yet("an operator of your own over so many columns that a chunk holds no whole tile")
		       : STATUS_OK;
}

/* Measures an npy file. *bytes: on entry the file's bytes, on return those of its array that are there. *header becomes
 * the bytes of its header. */
static void measure_array(const struct plan *plan, struct input *in, uint64_t *header, uint64_t *bytes, bool *sound)
{
	struct npy_array array;
	struct problem problem;
	const uint64_t there = *bytes;
	*bytes = 0;
	*sound = source_array_begin(in, &plan->npy.array, &array, header, &problem);
	if (!*sound)
		return;
	*bytes = array.elements * array.type->size;
	*sound = *bytes == there - *header;
	*bytes = *bytes < there - *header ? *bytes : there - *header;
}

/* Sets *bytes to the bytes of a file's records that can be read. *sound becomes whether these are all; if not, the rank
 * that reads the file will report why. STATUS_USAGE or STATUS_SYSTEM after a message. */
static enum status measure(const struct options *o, const struct plan *plan, const char *name, struct bgzf_index *index,
			   uint64_t *header, uint64_t *bytes, bool *sound)
{
	struct stat st;
	struct input *input;
	struct problem problem;
	*header = *bytes = 0;
	*sound = stat(name, &st) == 0 && !S_ISDIR(st.st_mode);
	if (!*sound)
		return STATUS_OK;
	*sound = input_open(name, o->numbers.is_raw, &input, &problem) == STATUS_OK;
	if (!*sound)
		return STATUS_OK;
	const bool known = input_known_bytes(input, bytes);
	const bool empty = st.st_size == 0;
	if (plan->npy.reads && known)
		measure_array(plan, input, header, bytes, sound);
	input_close(input);
	if (known || empty)
		return STATUS_OK;
	if (plan->npy.reads)
		return not_yet("compressed npy");
	const enum status status = bgzf_find_members(name, index, sound);
	*bytes = index->bytes;
	if (status != STATUS_OK || index->file_bytes > 0)
		return status;
	return message_refuse("%s: compressed input with MPI: not supported yet, but from bgzip (" ADVICE ")",
			      message_shown(name));
}

/* Compares the files' sizes with those that rank 0 sees. STATUS_SYSTEM after a message if they differ. */
static enum status compare(const struct options *o, const struct share_inputs *inputs)
{
	uint64_t count = inputs->count;
	size_t same = 0;
	comm_share(&count, sizeof count, 0);
	for (size_t i = 0; i < count; i++) {
		uint64_t records = i < inputs->count ? inputs->files[i].records : 0;
		comm_share(&records, sizeof records, 0);
		same += same == i && i < inputs->count && records == inputs->files[i].records;
	}
	if (same == count && same == inputs->count)
		return STATUS_OK;
	return message_fail("%s: rank %d sees another file than rank 0", message_shown(o->files.names[same]),
			    comm_rank());
}

/* Measures the files as this rank sees them. */
static enum status measure_all(const struct options *o, const struct plan *plan, struct share_inputs *inputs)
{
	const size_t record_size = share_record_size(plan);
	inputs->files = memory_zeros(o->files.count, sizeof *inputs->files);
	if (inputs->files == NULL)
		return STATUS_SYSTEM;
	bool ended = false;
	while (inputs->count < o->files.count && !ended) {
		const char *name = o->files.names[inputs->count];
		struct share_file *file = &inputs->files[inputs->count++];
		uint64_t bytes;
		bool sound;
		TRY(measure(o, plan, name, &file->index, &file->header, &bytes, &sound));
		file->records = bytes / record_size;
		inputs->records += file->records;
		ended = !sound || bytes % record_size > 0;
	}
	return STATUS_OK;
}

enum status share_measure(const struct options *o, const struct plan *plan, struct share_inputs *inputs)
{
	*inputs = (struct share_inputs){0};
	TRY(comm_agree(measure_all(o, plan, inputs)));
	return compare(o, inputs);
}

enum status share_check_inputs(const struct options *o, const struct plan *plan, const struct share_inputs *inputs)
{
	struct stat st;
	for (size_t i = 0; i < inputs->count; i++) {
		const struct share_file *file = &inputs->files[i];
		const bool is_last = i + 1 == inputs->count;
		const bool is_there = stat(o->files.names[i], &st) == 0;
		const uint64_t all = is_there ? (uint64_t)st.st_size : 0;
		const uint64_t size = all > file->header ? all - file->header : 0;
		const uint64_t now = size / share_record_size(plan);
		const struct bgzf_index *index = share_index_of(inputs, i);
		if (index != NULL ? is_there && (uint64_t)st.st_size == index->file_bytes
		    : is_last     ? now >= file->records
				  : now == file->records)
			continue;
		return message_fail("%s: the file changed while it was read", message_shown(o->files.names[i]));
	}
	return STATUS_OK;
}

const struct bgzf_index *share_index_of(const struct share_inputs *inputs, size_t file)
{
	return file < inputs->count && inputs->files[file].index.file_bytes > 0 ? &inputs->files[file].index : NULL;
}

void share_free_inputs(struct share_inputs *inputs)
{
	for (size_t i = 0; i < inputs->count; i++)
		bytes_free(&inputs->files[i].index.members);
	memory_free(inputs->files);
}

size_t share_find(const struct share_inputs *inputs, uint64_t record, uint64_t *before)
{
	size_t file = 0;
	*before = record;
	while (file + 1 < inputs->count && *before >= inputs->files[file].records)
		*before -= inputs->files[file++].records;
	if (*before > inputs->files[file].records || inputs->records == 0) {
		file = 0;
		*before = 0;
	}
	return file;
}

size_t share_record_size(const struct plan *plan)
{
	return plan->format.input == FORMAT_BINARY ? plan->format.record_size : 1;
}

bool share_is_counted(const struct plan *plan)
{
	const struct missing_rule *nan = &plan->format.text.tokens.nan;
	const bool leaves_out =
		plan->format.text.tokens.has_nan && (nan->how == MISSING_KEEP || nan->how == MISSING_HOLD);
	return plan->format.input == FORMAT_TEXT || (leaves_out && !plan->is_segmented);
}

bool share_resets_by_count(const struct plan *plan)
{
	return plan->resets.every > 0 && plan->resets.at == NULL && !text_resets_by_fields(&plan->format.text);
}

uint64_t share_begin(uint64_t records, uint64_t unit, int rank, int ranks)
{
	const uint64_t units = records / unit + (records % unit > 0);
	const uint64_t each = units / (uint64_t)ranks + (units % (uint64_t)ranks > 0);
	return each * (uint64_t)rank < units ? each * (uint64_t)rank * unit : records;
}
