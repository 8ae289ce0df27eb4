#define _GNU_SOURCE /* environ, memfd_create, pipe2 */
/* Several fields under several operators through the whole program (program.h): each line must come out with what each
 * lane gives by itself.
 *
 * First bytes: the fields, the operators, the lines, words, running, repeats. */
#include "program.h"

#define FIELDS_MAX 3
#define OPERATORS_MAX 3
#define DATA_MAX 60000

struct job {
	const char *fields[FIELDS_MAX];
	size_t field_count;
	const char *operators[OPERATORS_MAX];
	size_t operator_count;
	bool by_blanks;
	char delimiter;
	const char *words[16]; /* of every run */
	size_t word_count;
	unsigned running;
	char data[DATA_MAX + 1];
	size_t size;
};

static void add_word(struct job *job, const char *word)
{
	REQUIRE(job->word_count < sizeof job->words / sizeof job->words[0], "too many words");
	job->words[job->word_count++] = word;
}

static void draw(struct job *job, const uint8_t **data, size_t *size)
{
	static const char *const fields[] = {"1", "2", "3", "5", "2", "4", "1", "9"};
	static const char *const operators[] = {"sum", "max", "min", "last", "lag", "count", "mean", "delta"};
	static const char *const missing[] = {"--missing=fail", "--missing=skip", "--missing=keep", "--missing=1.5"};
	static const char *const invalid[] = {"--invalid=abort", "--invalid=ignore", "--invalid=ignore",
					      "--invalid=warn"};
	static const char *const types[] = {NULL, "-tf64", "-ti64", NULL};
	static const char *const delimiters[] = {NULL, "-d,", "-d;", NULL};
	const unsigned field = fuzz_choose(data, size);
	const unsigned op = fuzz_choose(data, size);
	const unsigned words = fuzz_choose(data, size);
	const unsigned more = fuzz_choose(data, size);
	job->running = fuzz_choose(data, size);
	job->field_count = 1 + (field & 3) % FIELDS_MAX;
	job->operator_count = 1 + (op & 3) % OPERATORS_MAX;
	for (size_t i = 0; i < FIELDS_MAX; i++)
		job->fields[i] = fields[(field >> (2 + i)) & 7];
	for (size_t i = 0; i < OPERATORS_MAX; i++)
		job->operators[i] = operators[(op >> (2 + i)) & 7];
	const char *delimiter = delimiters[more & 3];
	job->by_blanks = delimiter == NULL;
	job->delimiter = job->by_blanks ? ' ' : delimiter[2];
	if (delimiter != NULL)
		add_word(job, delimiter);
	add_word(job, (words & 131) == 130 ? "--missing=hold" : missing[words & 3]);
	add_word(job, invalid[words >> 2 & 3]);
	if (types[words >> 4 & 3] != NULL)
		add_word(job, types[words >> 4 & 3]);
	add_word(job, words & 64 ? "-e" : "-i");
	add_word(job, "--overflow=wrap");
	add_word(job, "-a");
}

/* The data, so often one after the other; a line's end is a newline alone. */
static void draw_lines(struct job *job, unsigned repeats, const uint8_t *data, size_t size)
{
	for (unsigned i = 0; i <= repeats && size > 0 && job->size + size <= DATA_MAX; i++) {
		memcpy(job->data + job->size, data, size);
		job->size += size;
	}
	for (size_t i = 0; i < job->size; i++) {
		if (job->data[i] == '\r')
			job->data[i] = '7';
	}
	if (job->size > 0 && job->data[job->size - 1] != '\n')
		job->data[job->size++] = '\n';
}

/* A run of the fields under the operators; the chunks are small, or as they are. */
static void run(const struct job *job, const char *fields, const char *operators, bool alone, struct program *p)
{
	static const char *const threads[] = {"-T1", "-T2", "-T3", "-T2"};
	memset(p, 0, offsetof(struct program, messages));
	program_word(p, "-Dnone");
	program_word(p, alone ? "-T1" : threads[job->running & 3]);
	if (!alone && (job->running & 4))
		program_word(p, "--chunk-size=1");
	program_word(p, "-f");
	program_word(p, fields);
	program_word(p, "--op");
	program_word(p, operators);
	for (size_t i = 0; i < job->word_count; i++)
		program_word(p, job->words[i]);
	p->file_count = 1;
	p->files[0] = (struct program_file){(const unsigned char *)job->data, job->size};
	p->by_pipe = !alone && (job->running & 8);
	p->pieces = (job->running >> 4) * 7919;
	program_run(p);
}

/* Appends what a lane's line has after the input's. *at is where it begins, and becomes where the next one does. Under
 * runs of blanks nothing is a mark among several. */
static void add_result(const struct job *job, const struct bytes *lane, const char *line, size_t size, size_t *at,
		       struct bytes *out)
{
	const unsigned char *start = lane->data + *at;
	const unsigned char *end = memchr(start, '\n', lane->size - *at);
	REQUIRE(end != NULL && (size_t)(end - start) >= size && memcmp(start, line, size) == 0, "a lane lacks a line");
	const size_t added = (size_t)(end - start) - size;
	const char blanks[] = {job->delimiter == ' ' && !job->by_blanks ? '\t' : ' ',
			       job->delimiter == '\t' && !job->by_blanks ? ' ' : '\t', '\0'};
	REQUIRE((added > 0) == (strspn(line, blanks) < size), "a blank line that is a record, or another that is none");
	const bool nothing = job->by_blanks && added == 1 && job->field_count * job->operator_count > 1;
	REQUIRE(bytes_append(out, start + size, added) == STATUS_OK, "memory");
	REQUIRE(!nothing || bytes_append(out, "-", 1) == STATUS_OK, "memory");
	*at += size + added + 1;
}

static void check(struct job *job)
{
	static struct program all, alone;
	struct bytes lanes[FIELDS_MAX * OPERATORS_MAX] = {{0}};
	size_t at[FIELDS_MAX * OPERATORS_MAX] = {0};
	char fields[64] = "", operators[64] = "";
	bool good = true;
	size_t count = 0;
	for (size_t f = 0; f < job->field_count; f++)
		(void)strcat(strcat(fields, f > 0 ? "," : ""), job->fields[f]);
	for (size_t o = 0; o < job->operator_count; o++)
		(void)strcat(strcat(operators, o > 0 ? "," : ""), job->operators[o]);
	run(job, fields, operators, false, &all);
	for (size_t f = 0; f < job->field_count; f++) {
		for (size_t o = 0; o < job->operator_count; o++) {
			run(job, job->fields[f], job->operators[o], true, &alone);
			good = good && alone.status == STATUS_OK;
			lanes[count++] = alone.output;
		}
	}
	REQUIRE(good == (all.status == STATUS_OK), "status %d: %s%s", (int)all.status, all.messages.text,
		alone.messages.text);
	struct bytes out = {0};
	for (const char *line = job->data; good && line < job->data + job->size;) {
		const size_t size = strcspn(line, "\n");
		REQUIRE(bytes_append(&out, line, size) == STATUS_OK, "memory");
		for (size_t i = 0; i < count; i++)
			add_result(job, &lanes[i], line, size, &at[i], &out);
		REQUIRE(bytes_append(&out, "\n", 1) == STATUS_OK, "memory");
		line += size + 1;
	}
	REQUIRE(!good || (all.output.size == out.size &&
			  (out.size == 0 || memcmp(all.output.data, out.data, out.size) == 0)),
		"not what the lanes give: \"%.*s\" instead of \"%.*s\"", (int)all.output.size,
		(const char *)all.output.data, (int)out.size, (const char *)out.data);
	for (size_t i = 0; i < count; i++)
		bytes_free(&lanes[i]);
	bytes_free(&out);
	bytes_free(&all.output);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct job job;
	memset(&job, 0, sizeof job);
	draw(&job, &data, &size);
	const unsigned repeats = fuzz_choose(&data, &size);
	draw_lines(&job, repeats, data, size);
	const bool is_special =
		job.size >= 2 && (memcmp(job.data, "\x1f\x8b", 2) == 0 || memcmp(job.data, "\xef\xbb", 2) == 0);
	if (!is_special && memchr(job.data, '\0', job.size) == NULL)
		check(&job);
	return 0;
}
