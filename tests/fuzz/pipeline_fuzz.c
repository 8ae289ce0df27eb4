#define _GNU_SOURCE /* environ, memfd_create, pipe2 */
/* The whole program on the host's engine (program.h) against a plain scan (plain_scan.h): numbers in binary, text and
 * exact decimals, keys, resets and windows, several files, a pipe that gives what it likes, gzip on either side, every
 * algorithm and number of threads. Output, status and the number of messages must be the plain scan's.
 *
 * First bytes: what is read, the operator, if asked for what makes segments and the window, the types, flags, the
 * seed, the algorithm, running, where from, how often the data are repeated, what is no number. */
#include <zlib.h>

#include "plain_program.h"

/* --- The program's side */

/* Appends a gzip member that holds the bytes; sized: it says its own size, as bgzip's do. */
static void put_member(struct bytes *out, const unsigned char *data, size_t size, bool sized)
{
	const size_t begin = out->size;
	unsigned char extra[] = {'B', 'C', 2, 0, 0, 0};
	gz_header header = {.extra = sized ? extra : Z_NULL, .extra_len = sizeof extra};
	z_stream z = {0};
	REQUIRE(deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK, "no memory");
	REQUIRE(deflateSetHeader(&z, &header) == Z_OK, "a header");
	const size_t room = deflateBound(&z, size);
	REQUIRE(bytes_reserve(out, room) == STATUS_OK, "no memory");
	z.next_in = data;
	z.avail_in = (uInt)size;
	z.next_out = out->data + begin;
	z.avail_out = (uInt)room;
	REQUIRE(deflate(&z, Z_FINISH) == Z_STREAM_END, "a member does not fit");
	out->size += room - z.avail_out;
	REQUIRE(deflateEnd(&z) == Z_OK, "zlib's state");
	const size_t least = out->size - begin - 1;
	if (sized) {
		out->data[begin + 16] = (unsigned char)least;
		out->data[begin + 17] = (unsigned char)(least >> 8);
	}
}

/* A file as gzip members, in memory that the caller frees. */
static struct program_file zipped(const struct program_file *f, size_t member_size)
{
	struct bytes out = {0};
	for (size_t at = 0; member_size > 0 && at < f->size; at += member_size)
		put_member(&out, f->data + at, f->size - at < member_size ? f->size - at : member_size, true);
	if (out.size == 0)
		put_member(&out, f->data, f->size, false);
	return (struct program_file){out.data, out.size};
}

/* The output, which is one whole member. */
static void inflate_output(struct bytes *output, size_t expected)
{
	struct bytes plain = {0};
	z_stream z = {0};
	REQUIRE(bytes_reserve(&plain, expected + 1) == STATUS_OK, "no memory");
	REQUIRE(inflateInit2(&z, 15 + 16) == Z_OK, "no memory");
	z.next_in = output->data;
	z.avail_in = (uInt)output->size;
	z.next_out = plain.data;
	z.avail_out = (uInt)(expected + 1);
	const int code = inflate(&z, Z_FINISH);
	REQUIRE(code == Z_STREAM_END && z.avail_in == 0, "%zu bytes are not one member of %zu: %d", output->size,
		expected, code);
	plain.size = expected + 1 - z.avail_out;
	REQUIRE(inflateEnd(&z) == Z_OK, "zlib's state");
	bytes_free(output);
	*output = plain;
}

static void check(struct job *job)
{
	struct model m = {.job = job};
	struct program *p = &job->program;
	scan_plainly(&m);
	for (size_t i = 0; i < job->file_count; i++)
		p->files[i] = job->zip_in ? zipped(&job->files[i], job->member_size) : job->files[i];
	p->file_count = job->file_count;
	program_run(p);
	REQUIRE(p->status == m.status, "status %d instead of %d: %s", (int)p->status, (int)m.status, p->messages.text);
	const bool tells = job->mode != MODE_BINARY && (job->invalid == INVALID_WARN || job->invalid == INVALID_FAIL);
	REQUIRE(tells || p->messages.lines == (m.status == STATUS_OK ? 0 : 1), "%zu messages: %s", p->messages.lines,
		p->messages.text);
	if (job->zip_out && (p->output.size > 0 || m.status != STATUS_USAGE))
		inflate_output(&p->output, m.out.size);
	size_t same = 0;
	while (same < p->output.size && same < m.out.size && p->output.data[same] == m.out.data[same])
		same++;
	REQUIRE(p->output.size == m.out.size && same == m.out.size,
		"%zu bytes instead of %zu, the same are %zu: \"%.*s\" instead of \"%.*s\"", p->output.size, m.out.size,
		same, (int)(p->output.size - same < 40 ? p->output.size - same : 40),
		p->output.data != NULL ? (const char *)p->output.data + same : "",
		(int)(m.out.size - same < 40 ? m.out.size - same : 40),
		m.out.data != NULL ? (const char *)m.out.data + same : "");
	for (size_t i = 0; i < job->file_count && job->zip_in; i++)
		memory_free(bytes_plain(p->files[i].data));
	bytes_free(&p->output);
	bytes_free(&m.out);
}

/* --- What is drawn */

/* Keys, what begins segments, and the window. */
static void draw_segments(struct job *job, const uint8_t **data, size_t *size)
{
	static const unsigned every[] = {0, 0, 0, 1, 2, 3, 16, 100};
	static const char *const at[] = {NULL, NULL, "--reset-at=0", "--reset-at=7"};
	static const unsigned lengths[] = {1, 2, 3, 7, 16, 17, 40, 300};
	struct program *p = &job->program;
	struct segments *s = &job->segments;
	const unsigned how = fuzz_choose(data, size);
	const unsigned window = fuzz_choose(data, size);
	const char *value = at[how >> 5 & 3];
	s->by_key = (how & 1) && job->mode != MODE_BINARY;
	s->by_word = (how & 2) && job->mode != MODE_BINARY;
	s->every = every[how >> 2 & 7];
	s->at = value != NULL ? strchr(value, '=') + 1 : NULL;
	/* Windows of exact decimals have a model in tests/tools/windows.py. */
	s->window = window < 128 && job->mode <= MODE_TEXT ? lengths[window & 7] : 0;
	job->by_lines = s->by_key || s->by_word;
	if (job->by_lines)
		program_word(p, "-f1");
	if (s->by_key)
		program_word(p, "-g2");
	if (s->by_word)
		program_word(p, "--reset-on=3");
	(void)snprintf(job->every_word, sizeof job->every_word, "--reset-every=%zu", s->every);
	if (s->every > 0)
		program_word(p, job->every_word);
	if (value != NULL)
		program_word(p, value);
	(void)snprintf(job->window_word, sizeof job->window_word, "--window=%zu", s->window);
	if (s->window > 0)
		program_word(p, job->window_word);
}

static void draw_types(struct job *job, const uint8_t **data, size_t *size)
{
	const unsigned in = fuzz_choose(data, size);
	const unsigned acc = fuzz_choose(data, size);
	job->in = &type_table[in % TYPE_I128];
	job->acc = acc < 128 ? job->in : &type_table[acc % TYPE_I128];
	if (job->op->bitwise && job->acc->kind == KIND_FLOAT)
		job->acc = &type_table[TYPE_I64];
	const bool orders = job->mode == MODE_BINARY;
	job->in_swapped = orders && (in & 128);
	job->out_swapped = orders && (job->acc == job->in || (acc & 64) ? job->in_swapped : acc & 32);
	const char *acc_order = !orders || (acc & 64) ? "" : job->out_swapped ? "be" : "le";
	if (job->mode >= MODE_NUM)
		(void)snprintf(job->type_word, sizeof job->type_word, "%s", job->mode == MODE_NUM ? "num" : "dec");
	else if (job->acc == job->in)
		(void)snprintf(job->type_word, sizeof job->type_word, "%s%s", job->in->name,
			       job->in_swapped ? "be" : "");
	else
		(void)snprintf(job->type_word, sizeof job->type_word, "%s%s:%s%s", job->in->name,
			       job->in_swapped ? "be" : "", job->acc->name, acc_order);
	program_word(&job->program, "-t");
	program_word(&job->program, job->type_word);
}

static void draw_scan(struct job *job, const uint8_t **data, size_t *size)
{
	static const char *const seeds[] = {"0",   "1",
					    "-2",  "0.25",
					    "100", "-0.0005",
					    "1e3", "9223372036854775807",
					    "nan", "-170141183460469231731687303715884105728",
					    "x",   "3.0"};
	static const char *const algorithms[] = {"blelloch", "hillis-steele", "sequential"};
	struct program *p = &job->program;
	const unsigned flags = fuzz_choose(data, size);
	const unsigned seed = fuzz_choose(data, size);
	const struct segments *s = &job->segments;
	const bool has_segments = s->by_key || segments_have_resets(s);
	const unsigned algorithm = s->window == 0 ? fuzz_choose(data, size) : (unsigned)ALGORITHM_BLELLOCH;
	job->include_initial = (flags & 3) == 3 && !has_segments;
	job->exclusive = (flags & 3) == 1;
	/* (What the total is of windows over nothing is left open.) */
	job->total = (flags & 3) != 3 && (flags & 12) == 4 && (s->window == 0 || has_segments);
	job->wrap = flags & 16;
	job->other_format = (flags & 32) && job->mode <= MODE_TEXT;
	job->zip_out = (flags & 192) == 64;
	if (job->exclusive)
		program_word(p, "-e");
	if (job->include_initial)
		program_word(p, "--include-initial");
	if (job->total)
		program_word(p, "--total");
	if (job->wrap)
		program_word(p, "--overflow=wrap");
	if (job->other_format)
		program_word(p, writes_text(job) ? "--output-format=text" : "--output-format=binary");
	if (job->zip_out)
		program_word(p, (flags & 16) ? "--gzip=6" : "-z");
	if (seed < 2 * sizeof seeds / sizeof seeds[0] && s->window == 0) {
		job->seed = seeds[seed / 2];
		(void)snprintf(job->seed_word, sizeof job->seed_word, "--seed=%s", job->seed);
		program_word(p, job->seed_word);
	}
	job->algorithm = (enum algorithm)(algorithm % 3);
	program_word(p, "--algorithm");
	program_word(p, algorithms[job->algorithm]);
}

static void draw_running(struct job *job, const uint8_t **data, size_t *size)
{
	static const char *const levels[] = {NULL, "grid", "baseline", "v3"};
	static const enum missing hows[] = {MISSING_FAIL, MISSING_SKIP, MISSING_KEEP, MISSING_VALUE};
	static const char *const missing[] = {"fail", "skip", "keep", "7"};
	static const char *const invalid[] = {"abort", "fail", "warn", "ignore"};
	static char missing_word[32], invalid_word[32];
	struct program *p = &job->program;
	const unsigned running = fuzz_choose(data, size);
	const unsigned from = fuzz_choose(data, size);
	const unsigned words = fuzz_choose(data, size);
	(void)snprintf(job->threads_word, sizeof job->threads_word, "-T%u", 1 + running % 3);
	(void)snprintf(job->chunk_word, sizeof job->chunk_word, "--chunk-size=%u", 1 + (running >> 2 & 3) * 10000);
	program_word(p, job->threads_word);
	program_word(p, job->chunk_word);
	if ((running & 48) == 48)
		program_word(p, "--line-buffered");
	p->level = levels[running >> 6];
	job->file_count = 1 + (from & 3) % 3;
	job->zip_in = from & 4;
	job->member_size = (words & 16) ? 1000 + (words >> 5) * 5000 : 0;
	p->by_pipe = from & 8;
	p->by_append = from & 16;
	p->pieces = (from >> 5) * 7919;
	if (job->mode == MODE_BINARY)
		return;
	job->missing = hows[words & 3];
	job->invalid = (enum invalid)(words >> 2 & 3);
	const bool skips = job->missing == MISSING_KEEP && !writes_text(job);
	if (skips)
		job->missing = MISSING_SKIP;
	(void)snprintf(missing_word, sizeof missing_word, "--missing=%s", missing[skips ? 1 : words & 3]);
	(void)snprintf(invalid_word, sizeof invalid_word, "--invalid=%s", invalid[job->invalid]);
	program_word(p, missing_word);
	program_word(p, invalid_word);
}

/* The rest is the data, so often one after the other, cut into files. */
static void draw_files(struct job *job, unsigned repeats, const uint8_t *data, size_t size)
{
	job->size = 0;
	for (unsigned i = 0; i <= repeats && size > 0 && job->size + size <= DATA_MAX; i++) {
		memcpy(job->data + job->size, data, size);
		job->size += size;
	}
	for (size_t i = 0; i < job->file_count; i++) {
		const size_t begin = job->size * i / job->file_count;
		const size_t end = job->size * (i + 1) / job->file_count;
		job->files[i] = (struct program_file){job->data + begin, end - begin};
		/* What looks like gzip is taken for it. */
		job->zip_in = job->zip_in || (end - begin >= 2 && memcmp(job->data + begin, "\x1f\x8b", 2) == 0);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const comments[] = {NULL, "--comment=#", "--comment=##", "--comment=1"};
	static struct job job;
	memset(&job, 0, offsetof(struct job, data));
	memset(&job.program, 0, offsetof(struct program, messages));
	const unsigned mode = fuzz_choose(&data, &size);
	const unsigned op = fuzz_choose(&data, &size);
	job.mode = (enum mode)(mode & 3);
	job.op = &operator_table[op % (OPERATOR_XOR + 1)];
	program_word(&job.program, "-Dnone");
	program_word(&job.program, job.mode == MODE_BINARY ? "--format=binary" : "--format=text");
	(void)snprintf(job.op_word, sizeof job.op_word, "--op=%s", job.op->name);
	program_word(&job.program, job.op_word);
	if (mode & 16)
		draw_segments(&job, &data, &size);
	draw_types(&job, &data, &size);
	draw_scan(&job, &data, &size);
	draw_running(&job, &data, &size);
	if (job.mode != MODE_BINARY && writes_text(&job) && comments[mode >> 2 & 3] != NULL) {
		program_word(&job.program, comments[mode >> 2 & 3]);
		job.comment = strchr(comments[mode >> 2 & 3], '=') + 1;
	}
	draw_files(&job, fuzz_choose(&data, &size), data, size);
	check(&job);
	return 0;
}
