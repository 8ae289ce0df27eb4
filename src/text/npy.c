/* A header's dictionary has three entries. So only the Python that these can need is read: strings without escapes,
 * True, False and tuples of numbers. Anything else is damage, or a type that pscan does not scan. */
#include "text/npy.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "number/parse.h"

#define MAGIC "\x93NUMPY"
#define MAGIC_SIZE (sizeof MAGIC - 1)
/* The magic and two bytes of version; then come two or four bytes of size, lowest first. */
#define VERSION_END (MAGIC_SIZE + 2)
#define VERSION_MAX 3
/* numpy's: where numbers begin, and what a first size may grow to, in digits. */
#define ALIGNMENT 64
#define GROWTH_DIGITS 21

static size_t size_bytes(const unsigned char *bytes)
{
	return bytes[MAGIC_SIZE] == 1 ? 2 : 4;
}

bool npy_may_begin(const unsigned char *bytes, size_t size)
{
	return memcmp(bytes, MAGIC, size < MAGIC_SIZE ? size : MAGIC_SIZE) == 0;
}

bool npy_begins(const unsigned char *bytes, size_t size)
{
	return size >= MAGIC_SIZE && npy_may_begin(bytes, size);
}

uint64_t npy_header_size(const unsigned char *bytes, size_t size)
{
	if (!npy_may_begin(bytes, size))
		return 0;
	if (size < VERSION_END)
		return VERSION_END;
	if (bytes[MAGIC_SIZE] < 1 || bytes[MAGIC_SIZE] > VERSION_MAX)
		return VERSION_END; /* what follows is not known */
	const size_t begin = VERSION_END + size_bytes(bytes);
	uint64_t text = 0;
	if (size < begin)
		return begin;
	for (size_t i = begin; i > VERSION_END; i--)
		text = text << 8 | bytes[i - 1];
	return begin + text;
}

bool npy_count(const struct npy_shape *shape, size_t first, size_t end, uint64_t limit, uint64_t *count)
{
	uint64_t product = 1;
	bool fits = true;
	for (size_t i = first; i < end; i++) {
		if (shape->sizes[i] == 0) {
			*count = 0;
			return true;
		}
		fits = fits && !__builtin_mul_overflow(product, shape->sizes[i], &product) && product < limit;
	}
	if (fits)
		*count = product;
	return fits;
}

/* The dictionary, and how far it was read. */
struct reader {
	const char *at, *end;
};

static void skip_blanks(struct reader *r)
{
	while (r->at < r->end && memchr(" \t\r\n", *r->at, 4) != NULL)
		r->at++;
}

static bool accept(struct reader *r, char c)
{
	skip_blanks(r);
	if (r->at == r->end || *r->at != c)
		return false;
	r->at++;
	return true;
}

static bool accept_word(struct reader *r, const char *word)
{
	const size_t size = strlen(word);
	skip_blanks(r);
	if ((size_t)(r->end - r->at) < size || memcmp(r->at, word, size) != 0)
		return false;
	r->at += size;
	return true;
}

static bool read_string(struct reader *r, const char **text, size_t *size)
{
	const char quote = accept(r, '\'') ? '\'' : '"';
	if (quote == '"' && !accept(r, '"'))
		return false;
	*text = r->at;
	while (r->at < r->end && *r->at != quote && *r->at != '\\' && *r->at != '\n')
		r->at++;
	*size = (size_t)(r->at - *text);
	return r->at < r->end && *r->at++ == quote;
}

/* A size, which Python 2 may have written as a long one. */
static bool read_size(struct reader *r, uint64_t *size)
{
	skip_blanks(r);
	const char *begin = r->at;
	while (r->at < r->end && *r->at >= '0' && *r->at <= '9')
		r->at++;
	union value value;
	if (r->at == begin ||
	    number_parse(begin, (size_t)(r->at - begin), &type_table[TYPE_U64], &value) != NUMBER_OK ||
	    value.u64 > INT64_MAX)
		return false;
	*size = value.u64;
	if (r->at < r->end && *r->at == 'L')
		r->at++;
	return true;
}

/* A tuple: one of one number has a comma. */
static bool read_shape(struct reader *r, struct npy_shape *shape)
{
	shape->count = 0;
	if (!accept(r, '('))
		return false;
	if (accept(r, ')'))
		return true;
	bool comma;
	do {
		if (shape->count == NPY_AXES_MAX || !read_size(r, &shape->sizes[shape->count++]))
			return false;
		comma = accept(r, ',');
		if (accept(r, ')'))
			return comma || shape->count > 1;
	} while (comma);
	return false;
}

/* What the entries say. */
struct entries {
	const char *type; /* as it is written: a string, */
	size_t type_size;
	bool is_structured; /* or something else, which is not read */
	bool fortran;
	struct npy_shape shape;
	bool has_type, has_order, has_shape;
};

static bool read_type(struct reader *r, struct entries *e)
{
	skip_blanks(r);
	e->type = r->at;
	e->is_structured = r->at < r->end && (*r->at == '[' || *r->at == '(');
	return e->is_structured || read_string(r, &e->type, &e->type_size);
}

static bool read_entry(struct reader *r, struct entries *e)
{
	const char *key;
	size_t size;
	bool *has;
	bool good;
	if (!read_string(r, &key, &size) || !accept(r, ':'))
		return false;
	if (size == 5 && memcmp(key, "descr", size) == 0) {
		has = &e->has_type;
		good = read_type(r, e);
	} else if (size == 13 && memcmp(key, "fortran_order", size) == 0) {
		has = &e->has_order;
		e->fortran = accept_word(r, "True");
		good = e->fortran || accept_word(r, "False");
	} else if (size == 5 && memcmp(key, "shape", size) == 0) {
		has = &e->has_shape;
		good = read_shape(r, &e->shape);
	} else {
		return false;
	}
	good = good && !*has;
	*has = true;
	return good;
}

/* False if it is not such a dictionary. If the type is not a string, nothing after it is read. */
static bool read_entries(struct reader *r, struct entries *e)
{
	if (!accept(r, '{'))
		return false;
	bool comma;
	do {
		if (!read_entry(r, e))
			return false;
		if (e->is_structured)
			return true;
		comma = accept(r, ',');
		if (accept(r, '}')) {
			skip_blanks(r);
			return r->at == r->end && e->has_type && e->has_order && e->has_shape;
		}
	} while (comma);
	return false;
}

/* Names of numpy types that pscan does not have, and how to convert them. */
static const struct {
	char kind;
	const char *name;
	const char *remedy; /* or NULL */
} strange_types[] = {
	{'c', "complex", "numpy.save(F, a.real.copy())"},
	{'f', "float", "numpy.save(F, a.astype('f8'))"},
	{'m', "timedelta", "numpy.save(F, a.view('i8'))"},
	{'M', "datetime", "numpy.save(F, a.view('i8'))"},
	{'O', "object", NULL},
	{'S', "string", NULL},
	{'U', "string", NULL},
	{'V', "void", NULL},
};

static enum status refuse_type(const struct entries *e, char problem[NPY_PROBLEM_SIZE])
{
	static const char wanted[] = "which is not one of i8 u8 i16 u16 i32 u32 i64 u64 f32 f64";
	const char kind = e->type_size > 1 ? e->type[e->type_size > 2 || strchr("<>|=", e->type[0]) != NULL] : '\0';
	for (size_t i = 0; i < sizeof strange_types / sizeof strange_types[0]; i++) {
		if (strange_types[i].kind != kind)
			continue;
		const char *remedy = strange_types[i].remedy;
		(void)snprintf(problem, NPY_PROBLEM_SIZE, "its type is %s (%s), %s%s%s",
			       message_quoted_part(e->type, e->type_size), strange_types[i].name, wanted,
			       remedy != NULL ? ": " : "", remedy != NULL ? remedy : "");
		return STATUS_USAGE;
	}
	(void)snprintf(problem, NPY_PROBLEM_SIZE, "its type is %s, %s", message_quoted_part(e->type, e->type_size),
		       wanted);
	return STATUS_USAGE;
}

/* numpy's short names mean bytes; without a byte order they would be read as pscan's, which mean bits. */
static const struct type *find_type(const struct entries *e, bool *swapped)
{
	char name[16] = "=";
	bool ordered;
	const bool has_order = e->type_size > 0 && strchr("<>|=", e->type[0]) != NULL;
	if (e->type_size + 2 > sizeof name)
		return NULL;
	memcpy(name + !has_order, e->type, e->type_size);
	if (strcmp(name + 1, "b1") == 0)
		name[1] = 'u'; /* a bool is a byte that is 0 or 1 */
	const struct type *type = type_parse(name, strlen(name), &ordered, swapped);
	*swapped = *swapped && type != NULL && type->size > 1;
	return type;
}

/* How many axes have more than one place: with less than two the order is the same. */
static size_t long_axes(const struct npy_shape *shape)
{
	size_t count = 0;
	for (size_t i = 0; i < shape->count; i++)
		count += shape->sizes[i] > 1;
	return count;
}

static enum status say(char problem[NPY_PROBLEM_SIZE], enum status status, const char *text)
{
	(void)snprintf(problem, NPY_PROBLEM_SIZE, "%s", text);
	return status;
}

enum status npy_read_header(const unsigned char *bytes, size_t size, struct npy_array *array,
			    char problem[NPY_PROBLEM_SIZE])
{
	if (!npy_begins(bytes, size))
		return say(problem, STATUS_DATA, "not an .npy file");
	if (size < VERSION_END || bytes[MAGIC_SIZE] < 1 || bytes[MAGIC_SIZE] > VERSION_MAX) {
		(void)snprintf(problem, NPY_PROBLEM_SIZE, "unknown version %u.%u of .npy (1 to 3 are known)",
			       size > MAGIC_SIZE ? bytes[MAGIC_SIZE] : 0U,
			       size > MAGIC_SIZE + 1 ? bytes[MAGIC_SIZE + 1] : 0U);
		return size < VERSION_END ? say(problem, STATUS_DATA, "the .npy header is cut off") : STATUS_DATA;
	}
	if (npy_header_size(bytes, size) != size)
		return say(problem, STATUS_DATA, "the .npy header is cut off");
	struct entries e = {0};
	const char *text = (const char *)bytes;
	struct reader r = {.at = text + VERSION_END + size_bytes(bytes), .end = text + size};
	if (!read_entries(&r, &e))
		return say(problem, STATUS_DATA, "the .npy header is damaged");
	if (e.is_structured)
		return say(problem, STATUS_USAGE, "its elements are records with names: numpy.save(F, a['NAME'])");
	struct npy_array a = {.shape = e.shape};
	a.type = find_type(&e, &a.swapped);
	if (a.type == NULL)
		return refuse_type(&e, problem);
	if (e.fortran && long_axes(&e.shape) > 1)
		return say(problem, STATUS_USAGE, "it is in Fortran order: numpy.save(F, numpy.ascontiguousarray(a))");
	if (!npy_count(&e.shape, 0, e.shape.count, INT64_MAX / a.type->size, &a.elements))
		return say(problem, STATUS_DATA, "the .npy header is damaged: its shape has more than 2^63 bytes");
	*array = a;
	return STATUS_OK;
}

const char *npy_format_shape(char out[NPY_SHAPE_SIZE], const struct npy_shape *shape)
{
	size_t size = (size_t)snprintf(out, NPY_SHAPE_SIZE, "(");
	for (size_t i = 0; i < shape->count; i++)
		size += (size_t)snprintf(out + size, NPY_SHAPE_SIZE - size, "%s%" PRIu64, i > 0 ? ", " : "",
					 shape->sizes[i]);
	(void)snprintf(out + size, NPY_SHAPE_SIZE - size, shape->count == 1 ? ",)" : ")");
	return out;
}

enum status npy_put_header(struct bytes *out, const char *type, const struct npy_shape *shape)
{
	static const char pattern[] = "{'descr': %s, 'fortran_order': False, 'shape': %s, }";
	char sizes[NPY_SHAPE_SIZE];
	(void)npy_format_shape(sizes, shape);
	const size_t text = sizeof pattern + strlen(type) + strlen(sizes);
	/* Numpy leaves them for the first size to grow. */
	const size_t spaces =
		shape->count == 0 ? 0 : GROWTH_DIGITS - (size_t)snprintf(NULL, 0, "%" PRIu64, shape->sizes[0]);
	TRY(bytes_reserve(out, VERSION_END + 4 + text + spaces + ALIGNMENT + 1));
	const size_t length = strlen(type) + strlen(sizes) + sizeof pattern - 1 - 2 * strlen("%s") + spaces + 1;
	/* The second version is for what two bytes cannot count. */
	const size_t size_size = VERSION_END + 2 + length + ALIGNMENT > UINT16_MAX ? 4 : 2;
	const size_t begin = VERSION_END + size_size;
	const size_t padding = ALIGNMENT - (begin + length) % ALIGNMENT;
	unsigned char *to = out->data + out->size;
	memcpy(to, MAGIC, MAGIC_SIZE);
	to[MAGIC_SIZE] = size_size == 2 ? 1 : 2;
	to[MAGIC_SIZE + 1] = 0;
	for (size_t i = 0; i < size_size; i++)
		to[VERSION_END + i] = (unsigned char)((length + padding) >> 8 * i);
	const size_t written = (size_t)snprintf((char *)to + begin, text, pattern, type, sizes);
	memset(to + begin + written, ' ', spaces + padding);
	to[begin + length + padding - 1] = '\n';
	out->size += begin + length + padding;
	return STATUS_OK;
}
