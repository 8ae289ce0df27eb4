/* Reads options, makes a plan, runs it and returns the exit status. Only main ends the program normally. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/message.h"
#include "base/version.h"
#include "cli/args.h"
#include "cli/args_parts.h"
#include "cli/help.h"
#include "cli/make_plan.h"
#include "cli/plot.h"
#include "cli/read_twice.h"
#include "state/state.h"
#include "device/driver_trial.h"
#include "device/opencl_cache.h"
#include "device/opencl_engine.h"
#include "io/descriptor.h"
#include "io/filter.h"
#include "io/gzip.h"
#include "process/ending.h"
#include "process/sandbox.h"
#include "ranks.h"
#include "rows/level.h"
#include "stream/pipeline.h"

/* Whether descriptors 0, 1 and 2 were closed when the program started. */
static bool was_closed[3];

/* Opens /dev/null on closed descriptors 0 to 2, so that no other file is opened there (PoCL would). */
static enum status reserve_descriptors(void)
{
	for (int fd = 0; fd < 3; fd++) {
		if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF)
			continue;
		was_closed[fd] = true;
		if (open("/dev/null", fd == STDIN_FILENO ? O_RDONLY : O_WRONLY) != fd)
			return STATUS_SYSTEM;
	}
	return STATUS_OK;
}

/* Returns the descriptor that results are written to, or -1 if the output is a file that will be opened. */
static int output_descriptor(const struct options *o)
{
	if (o->output.file == NULL || strcmp(o->output.file, "-") == 0)
		return STDOUT_FILENO;
	return descriptor_of_path(o->output.file);
}

/* Checks that the user's descriptor exists, before one of pscan's takes its number. name: the user's word for it. */
static enum status check_descriptor(int fd, const char *name)
{
	static const char *const names[] = {"input", "output", "error"};
	if (fd < 0 || (fd <= 2 ? !was_closed[fd] : fcntl(fd, F_GETFD) >= 0))
		return STATUS_OK;
	if (fd <= 2)
		return message_fail("standard %s is closed", names[fd]);
	return message_fail("%s: %s", message_shown(name), strerror(EBADF));
}

static enum status check_descriptors(const struct options *o)
{
	for (size_t i = 0; i < o->files.count; i++) {
		const char *name = o->files.names[i];
		TRY(check_descriptor(strcmp(name, "-") == 0 ? STDIN_FILENO : descriptor_of_path(name), name));
	}
	if (o->reports.trace != NULL)
		TRY(check_descriptor(descriptor_of_path(o->reports.trace), o->reports.trace));
	return check_descriptor(output_descriptor(o), o->output.file);
}

/* Writes a text to standard output. STATUS_SYSTEM after a message. */
static enum status print(const struct bytes *text)
{
	struct sink *sink;
	TRY(check_descriptor(STDOUT_FILENO, "-"));
	TRY(sink_open(NULL, NULL, 0, &sink));
	const enum status status = sink_write(sink, text->data, text->size);
	const enum status closed = sink_close(sink, status == STATUS_OK);
	return status != STATUS_OK ? status : closed;
}

static enum status write_version(struct bytes *text)
{
	return bytes_format(text, "pscan %s\ngrid %d (runs of %d, tiles of %d)\n%s, %s\nOpenCL: %s\n", PSCAN_VERSION,
			    GRID_VERSION, GRID_RUN, GRID_TILE, gzip_library(), filter_libraries(),
			    opencl_engine_loader());
}

/* Prints the short help, because there is nothing to scan. */
static enum status tell_usage(void)
{
	struct bytes text = {0};
	enum status status = help_short(&text);
	if (status == STATUS_OK && message_is_on_terminal() && message_may_style())
		status = help_make_bold(&text);
	if (status == STATUS_OK)
		(void)message_bytes(text.data, text.size);
	bytes_free(&text);
	return STATUS_USAGE;
}

static enum status show_saved(const struct options *o, struct bytes *text)
{
	const char *const inputs[] = {o->state.file};
	const struct sandbox sandbox = {.inputs = inputs, .input_count = 1};
	if (!o->run.no_sandbox)
		sandbox_enter(&sandbox);
	return state_show(o->state.file, text);
}

static enum status list_devices(const struct options *o, struct bytes *text)
{
	opencl_engine_prepare(true);
	const struct sandbox sandbox = {.drivers = true,
					.cache_variables = opencl_cache_variables,
					.cache_variable_count = OPENCL_CACHE_COUNT,
					.private_cache = opencl_cache_private()};
	if (!o->run.no_sandbox)
		sandbox_enter(&sandbox);
	const enum status status = driver_trial_list(o->run.device_timeout_s, text);
	opencl_engine_end();
	return status;
}

/* Appends what an action other than a scan prints. */
static enum status write_text(const struct options *o, struct bytes *text)
{
	switch (o->action) {
	case ACTION_HELP:
		return o->topic == NULL ? help_short(text) : help_about(o->topic, text);
	case ACTION_VERSION:
		return write_version(text);
	case ACTION_LIST_OPERATORS:
		return help_operators(text);
	case ACTION_SHOW_OPERATOR:
		return show_operator(o, text);
	case ACTION_SHOW_STATE:
		return show_saved(o, text);
	case ACTION_LIST_DEVICES:
		return list_devices(o, text);
	case ACTION_SCAN:
		break;
	}
	return STATUS_OK;
}

/* Does an action other than a scan. */
static enum status print_text(const struct options *o)
{
	struct bytes text = {0};
	enum status status = write_text(o, &text);
	if (status == STATUS_OK && o->action == ACTION_HELP && isatty(STDOUT_FILENO) && message_may_style())
		status = help_make_bold(&text);
	if (status == STATUS_OK)
		status = print(&text);
	bytes_free(&text);
	return status;
}

/* Refuses to write binary or compressed output to a terminal without -o. STATUS_USAGE after a message. */
static enum status check_terminal(const struct plan *plan, const struct options *o)
{
	const bool garbles = plan->format.output == FORMAT_BINARY || o->output.compressor != NULL;
	if (o->output.file != NULL || !garbles || !isatty(STDOUT_FILENO))
		return STATUS_OK;
	return message_refuse("%s is not written to a terminal (use -o - if you mean it)",
			      o->output.compressor != NULL ? "compressed output" : "binary output");
}

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Returns the name of an input that is this regular file, or NULL. */
static const char *input_that_is(const struct options *o, const struct stat *file)
{
	struct stat in;
	for (size_t i = 0; S_ISREG(file->st_mode) && i < o->files.count; i++) {
		if (input_stat(o->files.names[i], &in) && is_same(&in, file))
			return input_label(o->files.names[i]);
	}
	return NULL;
}

static enum status refuse(const char *name, const char *why)
{
	return message_refuse("%s: %s", message_shown(name), why);
}

/* Refuses a picture's file that is used otherwise, too. out: the output or NULL; named: the output has a name. */
static enum status check_plot(const struct options *o, const struct stat *out, bool named)
{
	struct stat file;
	const bool exists = stat(o->reports.plot_file, &file) == 0;
	const bool is_special = exists && !S_ISREG(file.st_mode); /* as /dev/null is: nothing is lost */
	if (strcmp(o->reports.plot_file, "-") == 0 || descriptor_of_path(o->reports.plot_file) >= 0 ||
	    (exists && input_that_is(o, &file) != NULL) ||
	    (exists && !is_special && out != NULL && is_same(&file, out)) ||
	    (named && !is_special && descriptor_same_place(o->output.file, o->reports.plot_file)) ||
	    (o->state.file != NULL && descriptor_same_place(o->state.file, o->reports.plot_file)) ||
	    (o->reports.trace != NULL && descriptor_same_place(o->reports.trace, o->reports.plot_file)))
		return refuse(o->reports.plot_file, "the picture needs a file of its own (see --plot)");
	return STATUS_OK;
}

static enum status refuse_loop(const char *file)
{
	const char *shown = message_shown(file);
	if (strcmp(file, input_label("-")) == 0)
		return message_refuse(
			"standard output is the file of standard input (to replace it: pscan -o FILE FILE)");
	return message_refuse("standard output is the input file %s (to replace it: -o %s)", shown, shown);
}

/* Refuses files that are used twice: an input that is also the output would never end, and a trace would empty it. An
 * empty file as the only input is allowed, because it has ended before anything is written. */
static enum status check_loops(const struct options *o)
{
	struct stat out;
	struct stat trace;
	const int descriptor = output_descriptor(o);
	const bool has_out = (descriptor >= 0 ? fstat(descriptor, &out) : stat(o->output.file, &out)) == 0;
	if (descriptor >= 0 && has_out && (out.st_size > 0 || o->files.count > 1)) {
		const char *name = input_that_is(o, &out);
		if (name != NULL)
			return refuse_loop(name);
	}
	if (o->state.file != NULL &&
	    ((descriptor < 0 && descriptor_same_place(o->output.file, o->state.file)) ||
	     (o->reports.trace != NULL && descriptor_same_place(o->reports.trace, o->state.file))))
		return refuse(o->state.file, "the state is also the output or the trace");
	if (o->reports.plot_file != NULL && check_plot(o, has_out ? &out : NULL, descriptor < 0) != STATUS_OK)
		return STATUS_USAGE;
	if (o->reports.trace == NULL)
		return STATUS_OK;
	const bool has_trace = stat(o->reports.trace, &trace) == 0;
	if ((has_trace && input_that_is(o, &trace) != NULL) ||
	    (has_trace && has_out ? S_ISREG(out.st_mode) && is_same(&out, &trace)
				  : descriptor < 0 && descriptor_same_place(o->output.file, o->reports.trace)))
		return refuse(o->reports.trace, "the trace is also the input or the output");
	return STATUS_OK;
}

/* Prints --stats, if the user asked for them. */
static enum status report(const struct options *o, const struct stats *stats)
{
	struct bytes text = {0};
	if (o->reports.stats == STATS_NONE)
		return STATUS_OK;
	const enum status status = stats_report(stats, o->reports.stats, &text);
	if (status == STATUS_OK)
		(void)message_bytes(text.data, text.size);
	bytes_free(&text);
	return status;
}

/* Runs the pipeline. state: or NULL. *stats becomes what the state is kept with. outcome->complete becomes false if the
 * output cannot be closed. */
static enum status scan_to_sink(struct pipeline_parts *parts, const struct options *o, const struct state *state,
				struct plot *plot, struct read_twice *twice, struct stats *stats,
				struct pipeline_outcome *outcome)
{
	*stats = (struct stats){.begin_ns = timeline_now_ns()};
	enum status status = STATUS_OK;
	TRY(check_terminal(parts->plan, o));
	TRY(sink_open(o->output.file, o->output.compressor, o->output.level, &parts->sink));
	plot_set_parts(plot, parts);
	if (o->reports.trace != NULL)
		status = trace_open(o->reports.trace, stats->begin_ns, &parts->trace);
	parts->has_sandbox = !o->run.no_sandbox;
	parts->sandbox = (struct sandbox){
		.inputs = (const char *const *)o->files.names,
		.input_count = o->files.count,
		.temporary = sink_temporary(parts->sink),
		.state = state_temporary(state),
		.picture = plot_temporary(plot),
		.trace = trace_temporary(parts->trace),
		.cache_variables = opencl_cache_variables,
		.cache_variable_count = OPENCL_CACHE_COUNT,
	};
	if (status == STATUS_OK)
		status = read_twice_first(twice, o, parts, &outcome->busy);
	if (status == STATUS_OK)
		status = pipeline_run(parts, stats, outcome);
	if (outcome->complete && read_twice_check(twice) != STATUS_OK) {
		outcome->complete = false;
		status = STATUS_SYSTEM;
	}
	const enum status finished = sink_finish(parts->sink);
	stats->compressed_in = source_compressed_bytes(parts->source);
	stats->compressed_out = sink_compressed_bytes(parts->sink);
	const enum status closed = sink_close(parts->sink, outcome->complete && finished == STATUS_OK);
	outcome->complete = outcome->complete && closed == STATUS_OK;
	/* (If the output could not be closed, that is said, and nothing else.) */
	enum status traced = STATUS_OK;
	if (finished == STATUS_OK && closed != STATUS_OK)
		trace_abandon(parts->trace);
	else
		traced = trace_close(parts->trace, status != STATUS_OK || closed != STATUS_OK);
	const enum status reported = report(o, stats);
	if (closed != STATUS_OK)
		return closed;
	if (status != STATUS_OK)
		return status;
	return traced != STATUS_OK ? traced : reported;
}

/* Begins to show or answer how far the run is. NULL after a message. */
static struct progress *begin_progress(const struct options *o)
{
	struct stat out;
	const int descriptor = output_descriptor(o);
	const bool has_out = (descriptor >= 0 ? fstat(descriptor, &out) : stat(o->output.file, &out)) == 0;
	return progress_new(o->files.names, o->files.count,
			    o->reports.progress ? progress_form(has_out ? &out : NULL) : PROGRESS_ASKED);
}

/* Looks at the first input, makes the plan and begins the state. */
static enum status look_and_plan(struct options *o, struct state *state, struct source *source, size_t threads,
				 struct plan *plan)
{
	struct plan_input input = {0};
	struct npy_array array;
	TRY(plan_look(o, source, &input, &array));
	if (input.size == 0)
		TRY(state_settle_empty(state, o));
	state_tell(state, &input);
	const enum status status = plan_make(plan, o, threads, &input);
	if (status == STATUS_OK && !input.is_unreadable)
		tell_plan(plan, o, &input, source_compression(source));
	return status == STATUS_OK ? state_begin(state, o, plan, source) : status;
}

/* The device that scans, as -D names devices. */
static const char *choose_device(const struct plan *plan, const struct options *o)
{
	const bool on_host = plan->is_segmented && !plan->device.is_needed;
	const bool is_named = strcmp(o->run.device, "auto") != 0 && strcmp(o->run.device, "none") != 0;
	if (on_host && is_named)
		message_verbose("keys, resets, windows and exact decimals are scanned on the host");
	/* (In a reversed scan no device takes over from the host.) */
	const bool stays_on_host = (on_host && !is_named) || plan->emit.uses_total ||
				   (plan->is_reversed && !is_named && !plan->device.is_needed);
	return stays_on_host ? "none" : o->run.device;
}

/* Makes the plan and scans. state: the state that the scan continues and is kept in, or NULL. *busy becomes whether a
 * driver's call has not returned; no exit handler may then run. */
static enum status scan(struct options *o, struct state *state, bool *busy)
{
	struct plan plan = {0};
	struct ring *ring = NULL;
	struct progress *progress = NULL;
	struct read_twice *twice = NULL;
	enum status status = STATUS_OK;
	progress = begin_progress(o);
	if (progress == NULL)
		return STATUS_SYSTEM;
	const size_t threads = plan_threads(o); /* Does not wait for the first bytes, which may take long to come. */
	ring = ring_new(plan_slots(threads));
	/* Files are not read in part for a state, as the next run would read them again from their beginning. */
	if (ring != NULL && !state_is_of_files(state))
		ending_defer(ring_end_fd(ring));
	struct source *source = plan_source(o, 0, ring);
	struct backwards *backwards = o->scan.is_reversed && source != NULL ? backwards_new() : NULL;
	status = source == NULL ? STATUS_SYSTEM : read_twice_begin(o, source, &twice);
	if (status == STATUS_OK && o->scan.is_reversed)
		status = backwards == NULL ? STATUS_SYSTEM : source_read_backwards(source);
	if (status == STATUS_OK)
		status = look_and_plan(o, state, source, threads, &plan);
	const bool is_done = status == STATUS_OK && state_has_read_all(state);
	if (is_done) {
		message_warning("--state: all of these files were read in earlier runs: nothing to do");
		status = state_keep_inputs(state);
	}
	struct pipeline_parts parts = {.plan = &plan,
				       .ring = ring,
				       .source = source,
				       .backwards = backwards,
				       .progress = progress,
				       .device = status == STATUS_OK ? choose_device(&plan, o) : "none",
				       .device_timeout_s = o->run.device_timeout_s,
				       .part.is_begun = o->state.goes_on};
	state_set_parts(state, &parts);
	struct plot *plot = NULL;
	struct pipeline_outcome outcome = {0};
	struct stats stats;
	if (status == STATUS_OK && !is_done)
		status = plot_open(o, &plan, &plot);
	if (status == STATUS_OK && !is_done)
		status = scan_to_sink(&parts, o, state, plot, twice, &stats, &outcome);
	progress_free(progress, parts.sink != NULL);
	const enum status drawn = plot_close(plot, outcome.complete);
	status = drawn != STATUS_OK ? drawn : status;
	/* Only a run that ends with exit status 0 keeps the state, when its results are complete in their place. */
	if (status == STATUS_OK && !is_done)
		status = state_keep(state, &stats, parts.source);
	*busy = outcome.busy;
	if (*busy)
		return status;
	source_free(parts.source);
	ring_free(parts.ring);
	read_twice_free(twice);
	backwards_free(backwards);
	plan_free(&plan);
	return status;
}

/* Warns if -o names a file like an operator, which may be a misspelt -op. */
static void warn_of_output(const struct options *o)
{
	if (o->output.file != NULL && operator_find(o->output.file) != NULL && access(o->output.file, F_OK) != 0)
		message_warning("-o: writes to a file called \"%s\" (-op %s?)", message_shown(o->output.file),
				o->output.file);
}

/* Checks files, opens the state if there is one, and scans; or scans together with other ranks. */
static enum status scan_with_state(struct options *o, bool *busy)
{
	struct state *state;
	if (ranks == NULL || ranks->is_first())
		warn_of_output(o);
	enum status status = check_descriptors(o);
	if (status == STATUS_OK)
		status = check_loops(o);
	if (ranks != NULL)
		return ranks->scan(o, status);
	TRY(status);
	TRY(state_open(o, &state));
	status = scan(o, state, busy);
	if (!*busy)
		state_free(state);
	if (status == STATUS_OK)
		ending_end_deferred();
	return status;
}

/* Does what the command line says. Returns the exit status. */
static int run(int argc, char **argv)
{
	static struct options options; /* Valid until the program ends, as threads may still use it. */
	bool busy = false;
	enum status status = STATUS_OK;
	if (sandbox_has_foreign_rights())
		return (int)message_refuse("must not run setuid or setgid");
	status = args_parse(argc, argv, &options);
	if (status != STATUS_OK)
		return (int)status;
	message_set_verbosity(options.reports.verbosity);
	/* A file that grows past its limit is an error to report, not a reason to die. */
	(void)signal(SIGXFSZ, SIG_IGN);
	if (ranks != NULL && options.action != ACTION_SCAN && !ranks->is_first())
		return (int)STATUS_OK;
	if (options.action == ACTION_SCAN && argc == 1 && isatty(STDIN_FILENO))
		return (int)tell_usage();
	args_fields_warn_of_files(&options);
	status = options.action == ACTION_SCAN ? scan_with_state(&options, &busy) : print_text(&options);
	if (busy) {
		opencl_engine_end();
		_exit((int)status);
	}
	ending_leave((int)status, options.run.device_timeout_s);
	return (int)status;
}

int main(int argc, char **argv)
{
	const enum status status = reserve_descriptors();
	ending_prepare();
	level_keep();
	if (status != STATUS_OK)
		return (int)status;
	if (ranks == NULL)
		return run(argc, argv);
	ranks->begin(&argc, &argv);
	return ranks->end(run(argc, argv));
}
