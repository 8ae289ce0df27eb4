#define _GNU_SOURCE /* environ, memfd_create, pipe2 */
/* CSV through the whole program (program.h): headers, names, quotes, comments, lines dropped, appended to and edited,
 * against a plain reading that takes the files record by record and writes what should come out.
 *
 * First bytes: the lines, the field, the header and comments, words, running, where from, repeats. */
#include "plain_table.h"

/* --- What is drawn */

static void draw_lines(struct job *job, const uint8_t **data, size_t *size)
{
	static const char delimiters[] = ",;\t| ";
	static const char *const delimiter_words[] = {"-d,", "-d;", "-d\\t", "-d|", "-d "};
	static const char *const fields[] = {"-f1", "-f2", "-f3", "-f5", "-fb", "-fa \"b\"", "-fsize", "-f4"};
	static const char *const names[] = {"--as=total", "--as=a \"b\"", "--as=x;y"};
	static const char *const headers[] = {NULL, "-H", "--header=1", "--header=2"};
	static const char *const comments[] = {NULL, "--comment=#", "--comment=##", "--comment=a"};
	struct program *p = &job->program;
	const unsigned lines = fuzz_choose(data, size);
	const unsigned field = fuzz_choose(data, size);
	const unsigned header = fuzz_choose(data, size);
	const unsigned delimiter = (lines >> 4) % 5;
	job->csv = (lines & 12) != 12;
	job->lines = (enum lines)((lines & 3) % 3);
	job->delimiter = delimiters[delimiter];
	if (job->csv)
		program_word(p, "--csv");
	program_word(p, delimiter_words[delimiter]);
	const char *word = fields[field & 7];
	program_word(p, word);
	job->field = word[2] >= '0' && word[2] <= '9' ? (unsigned)(word[2] - '0') : 0;
	job->name = job->field == 0 ? word + 2 : NULL;
	job->header_lines = (header & 3) < 2 ? header & 3 : (header & 3) - 1;
	if (headers[header & 3] != NULL)
		program_word(p, headers[header & 3]);
	else if (job->csv && job->name == NULL)
		program_word(p, "--no-header");
	if (job->name != NULL && job->header_lines == 0)
		job->header_lines = 1;
	word = comments[header >> 2 & 3];
	if (word != NULL) {
		program_word(p, word);
		job->comment = strchr(word, '=') + 1;
	}
	if (job->lines != LINES_DROPPED)
		program_word(p, job->lines == LINES_APPENDED ? "-a" : "--replace");
	word = names[field >> 3 & 1 ? 0 : 1 + (field >> 4 & 1)];
	if (job->header_lines == 0 || (field & 32) || (!job->csv && strchr(word, job->delimiter) != NULL))
		return;
	program_word(p, word);
	job->as = word + 5;
}

static void draw_rest(struct job *job, const uint8_t **data, size_t *size)
{
	static const enum missing hows[] = {MISSING_FAIL, MISSING_SKIP, MISSING_KEEP, MISSING_VALUE};
	static const char *const missing[] = {"--missing=fail", "--missing=skip", "--missing=keep", "--missing=7"};
	static const char *const invalid[] = {"--invalid=abort", "--invalid=fail", "--invalid=warn",
					      "--invalid=ignore"};
	static const char *const threads[] = {"-T1", "-T2", "-T3", "-T2"};
	static const char *const operators[] = {"sum", "max", "min", "sum"};
	struct program *p = &job->program;
	const unsigned words = fuzz_choose(data, size);
	const unsigned running = fuzz_choose(data, size);
	const unsigned from = fuzz_choose(data, size);
	job->missing = hows[words & 3];
	job->invalid = (enum invalid)(words >> 2 & 3);
	job->op = operator_find(operators[words >> 4 & 3]);
	job->exclusive = words & 64;
	program_word(p, missing[words & 3]);
	program_word(p, invalid[job->invalid]);
	program_word(p, "--op");
	program_word(p, job->op->name);
	program_word(p, job->exclusive ? "-e" : "-i");
	program_word(p, threads[running & 3]);
	if ((running & 12) == 12)
		program_word(p, "--line-buffered");
	p->by_pipe = from & 1;
	p->by_append = from & 2;
	p->file_count = 1 + (from >> 2 & 3) % 3;
	p->pieces = (from >> 5) * 7919;
}

/* The data, so often one after the other. With several files each has all of them, or a part. */
static void draw_files(struct job *job, unsigned repeats, const uint8_t *data, size_t size)
{
	struct program *p = &job->program;
	const bool parts = repeats & 1;
	for (unsigned i = 0; i <= repeats && size > 0 && job->size + size <= DATA_MAX; i++) {
		memcpy(job->data + job->size, data, size);
		job->size += size;
	}
	for (size_t i = 0; i < p->file_count; i++) {
		const size_t begin = parts ? job->size * i / p->file_count : 0;
		const size_t end = parts ? job->size * (i + 1) / p->file_count : job->size;
		p->files[i] = (struct program_file){(unsigned char *)job->data + begin, end - begin};
	}
}

/* A byte order mark that comes out and what is taken for gzip are told elsewhere. */
static bool is_special(const struct program *p)
{
	for (size_t i = 0; i < p->file_count; i++) {
		const struct program_file *f = &p->files[i];
		if (f->size >= 2 &&
		    (memcmp(f->data, "\x1f\x8b", 2) == 0 || (i == 0 && memcmp(f->data, "\xef\xbb", 2) == 0)))
			return true;
	}
	return false;
}

/* Whether the first line of CSV that is not blank, the header's last line or one after it, has one field. */
static bool has_one_column(const struct job *job)
{
	const struct program *p = &job->program;
	const struct model m = {.job = job};
	size_t file = 0;
	while (file + 1 < p->file_count && p->files[file].size == 0)
		file++;
	const struct program_file *f = &p->files[file];
	unsigned left = job->header_lines;
	for (size_t at = 0; at < f->size && job->csv;) {
		const struct record r = read_record(job, f, at);
		at = r.next;
		left -= left > 0 && !r.comment;
		if (left == 0 && !r.comment && !is_blank_line(&m, f, &r))
			return !r.open && r.field_count == 1;
	}
	return false;
}

/* A number beyond the last field of the header and of the first record is the header's name, if that has it. */
static void name_number(struct job *job)
{
	static const char *const digits[] = {"0", "1", "2", "3", "4", "5"};
	const struct program *p = &job->program;
	struct model m = {.job = job, .one_column = has_one_column(job)};
	size_t file = 0, count = 0, in_record = 0;
	while (file + 1 < p->file_count && p->files[file].size == 0)
		file++;
	const struct program_file *f = &p->files[file];
	unsigned left = job->header_lines;
	bool has = false;
	for (size_t at = 0; at < f->size && in_record == 0;) {
		const struct record r = read_record(job, f, at);
		at = r.next;
		if (r.comment || r.open || (left == 0 && is_blank_line(&m, f, &r)))
			continue;
		in_record = left == 0 ? r.field_count : 0;
		left -= left > 0;
		count = left == 0 && in_record == 0 ? r.field_count : count;
		for (size_t i = 0; i < r.field_count && left == 0 && in_record == 0; i++)
			has = has || is_called(job, f, r.fields[i], digits[job->field], false);
	}
	if (has && job->field > count && job->field > in_record) {
		job->name = digits[job->field];
		job->field = 0;
	}
}

static void check(struct job *job)
{
	if (job->name == NULL && job->header_lines > 0)
		name_number(job);
	struct model m = {.job = job, .field = job->field, .in_header = job->field};
	struct program *p = &job->program;
	m.one_column = has_one_column(job);
	for (size_t i = 0; i < p->file_count && !m.ended; i++)
		scan_file(&m, &p->files[i]);
	/* The input ends within the header, in which a name is to be looked for. */
	if (!m.ended && job->name != NULL && m.header_count > 0 && m.header_count < job->header_lines)
		stop(&m);
	program_run(p);
	size_t same = 0;
	while (same < p->output.size && same < m.out.size && p->output.data[same] == m.out.data[same])
		same++;
	REQUIRE(p->output.size == m.out.size && same == m.out.size,
		"%zu bytes instead of %zu, the same are %zu: \"%.40s\" instead of \"%.*s\": %s", p->output.size,
		m.out.size, same, p->output.data + same, (int)(m.out.size - same < 40 ? m.out.size - same : 40),
		m.out.data != NULL ? (const char *)m.out.data + same : "", p->messages.text);
	REQUIRE(p->status == m.status, "status %d instead of %d: %s", (int)p->status, (int)m.status, p->messages.text);
	REQUIRE(p->messages.lines == (m.ended ? 1 : 0) || job->invalid == INVALID_FAIL || job->invalid == INVALID_WARN,
		"%zu messages: %s", p->messages.lines, p->messages.text);
	bytes_free(&p->output);
	bytes_free(&m.out);
	bytes_free(&m.header);
	bytes_free(&m.name);
	bytes_free(&m.last_line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct job job;
	memset(&job, 0, offsetof(struct job, data));
	job.size = 0;
	memset(&job.program, 0, offsetof(struct program, messages));
	program_word(&job.program, "-Dnone");
	program_word(&job.program, "--chunk-size=1");
	program_word(&job.program, "--format=text");
	program_word(&job.program, "-ti64");
	program_word(&job.program, "--overflow=wrap");
	draw_lines(&job, &data, &size);
	draw_rest(&job, &data, &size);
	const unsigned repeats = fuzz_choose(&data, &size);
	draw_files(&job, repeats, data, size);
	if (!is_special(&job.program))
		check(&job);
	return 0;
}
