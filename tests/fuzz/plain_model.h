/* What pipeline_fuzz.c asks of the program, and its model's state and output (plain_program.h is how it reads). */
#ifndef PSCAN_TESTS_FUZZ_PLAIN_MODEL_H
#define PSCAN_TESTS_FUZZ_PLAIN_MODEL_H

#include "number/decimal.h"
#include "number/write.h"
#include "plain_segments.h"
#include "program.h"

#define DATA_MAX ((size_t)1 << 16)

enum mode { MODE_BINARY, MODE_TEXT, MODE_NUM, MODE_DEC };

struct job {
	enum mode mode;
	const struct scan_operator *op;
	const struct type *in, *acc;
	bool exclusive, include_initial, total, wrap, in_swapped, out_swapped, other_format, zip_in, zip_out;
	size_t member_size; /* of gzip that is read; 0: one member */
	const char *comment; /* lines that begin so pass through; or NULL */
	const char *seed;
	bool by_lines; /* the first field is the number, the second one the key, the third one what resets go by */
	struct segments segments; /* what begins them */
	enum algorithm algorithm;
	enum missing missing;
	enum invalid invalid;
	char type_word[64], threads_word[16], chunk_word[32], op_word[16], seed_word[64], every_word[32],
		window_word[32];
	unsigned char data[DATA_MAX];
	size_t size;
	struct program_file files[PROGRAM_FILES_MAX]; /* of the data */
	size_t file_count;
	struct program program;
};

/* What should come out. */
struct model {
	const struct job *job;
	struct segments segments;
	struct segment *now; /* the element's */
	struct words key, on; /* of the record */
	bool lacks_field; /* the record, which must have it: what a file's first one lacks is a wrong field */
	struct cell initial;
	struct bytes out;
	bool ended;
	enum status status;
};

/* --- Output */

static bool writes_text(const struct job *job)
{
	return (job->mode == MODE_BINARY) == job->other_format;
}

static void put(struct model *m, const void *data, size_t size)
{
	REQUIRE(bytes_append(&m->out, data, size) == STATUS_OK, "no memory");
}

static void put_decimal(struct model *m, const struct cell *c)
{
	char digits[64];
	size_t at = sizeof digits;
	uwide rest = c->i < 0 ? 0 - (uwide)c->i : (uwide)c->i;
	digits[--at] = '\n';
	for (unsigned scale = c->scale; scale > c->shown; scale--)
		rest /= 10;
	for (unsigned place = 0; rest != 0 || place <= c->shown; place++, rest /= 10) {
		if (place == c->shown && place > 0)
			digits[--at] = '.';
		digits[--at] = (char)('0' + (int)(rest % 10));
	}
	if (c->i < 0)
		digits[--at] = '-';
	put(m, digits + at, sizeof digits - at);
}

static union value value_of(const struct type *t, const struct cell *c)
{
	union value v = {.u64 = 0};
	if (!c->is_float)
		memcpy(&v, &c->i, t->size); /* the low bytes */
	else if (t->size == 4 && isnan(c->d))
		v.u64 = 0x7fc00000;
	else if (t->size == 4)
		v.f32 = (float)c->d;
	else if (isnan(c->d))
		v.u64 = UINT64_C(0x7ff8000000000000);
	else
		v.f64 = c->d;
	return v;
}

static void put_cell(struct model *m, const struct cell *c)
{
	const struct job *job = m->job;
	const bool decimal = job->mode >= MODE_NUM;
	if (decimal && !c->is_float) {
		put_decimal(m, c);
		return;
	}
	const struct type *t = decimal ? &type_table[TYPE_F64] : job->acc;
	const union value v = value_of(t, c);
	unsigned char text[NUMBER_TEXT_MAX + 1];
	size_t size = t->size;
	if (writes_text(job)) {
		size = number_format((char *)text, t, &v);
		text[size++] = '\n';
	} else {
		for (size_t i = 0; i < size; i++)
			memcpy(text + (job->out_swapped ? size - 1 - i : i), (const unsigned char *)&v + i, 1);
	}
	put(m, text, size);
}

#endif
