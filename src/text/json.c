/* A line is validated and its fields are found in one pass, without recursion: where a container is open its level
 * says what may follow, and which of the members within it are looked for. What a string holds is passed over sixteen
 * bytes at a time, up to one that means something: the quote, a backslash, a control or a byte beyond ASCII. */
#include "text/json.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "number/read_digits.h"
#include "text/line_parts.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* An object or an array that is not closed. */
struct level {
	const struct member *member; /* whose members these are, or NULL: none of them is looked for */
	const char *start;
	uint64_t number; /* the field that it is, or 0 */
	uint64_t index; /* of the next element of an array */
	bool is_array;
};

struct scan {
	const struct members *members;
	struct line *line;
	const char *end;
	struct field *found;
	struct json_names *names; /* those of the line before, or NULL */
	struct line_fault *fault;
};

/* At the line's end nothing more is said than that it is too early. */
static const char *fail(const struct scan *s, const char *at, const char *what)
{
	const bool ends = at >= s->end;
	*s->fault = (struct line_fault){.what = ends ? "JSON ends too early (one object per line? jq -c .)" : what,
					.at = ends ? s->end : at};
	return NULL;
}

static inline const char *skip_blanks(const char *p, const char *end)
{
	while (p < end && (unsigned char)*p <= ' ' && (*p == ' ' || *p == '\t' || *p == '\r'))
		p++;
	return p;
}

/* The next byte that is not simply one of a string; it may be after the end. */
static inline const char *skip_plain(const char *p, const char *end)
{
#ifdef __SSE2__
	for (; p < end; p += sizeof(__m128i)) {
		__m128i bytes;
		memcpy(&bytes, p, sizeof bytes);
		/* (As signed numbers those beyond ASCII are below the controls.) */
		const __m128i special = _mm_or_si128(_mm_cmplt_epi8(bytes, _mm_set1_epi8(' ')),
						     _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')),
								  _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'))));
		const unsigned bits = (unsigned)_mm_movemask_epi8(special);
		if (bits != 0)
			return p + __builtin_ctz(bits);
	}
#else
	while (p < end && *p != '"' && *p != '\\' && (unsigned char)*p >= ' ' && (unsigned char)*p < 0x80)
		p++;
#endif
	return p;
}

/* After the backslash at p and what belongs to it. */
static const char *pass_escape(const struct scan *s, const char *p)
{
	static const char wrong[] = "an escape that JSON does not have";
	if (p + 1 >= s->end)
		return fail(s, s->end, wrong);
	if (p[1] != 'u')
		return strchr("\"\\/bfnrt", p[1]) != NULL && p[1] != '\0' ? p + 2 : fail(s, p, wrong);
	for (int i = 2; i < 6; i++) {
		if (p + i >= s->end || !isxdigit((unsigned char)p[i]))
			return fail(s, p + i >= s->end ? s->end : p, wrong);
	}
	return p + 6;
}

/* Looks for special characters from p on in the string that begins after the quote at start. Returns its closing
 * quote. */
static const char *pass_special(const struct scan *s, const char *p, bool *escaped)
{
	while (p != NULL && p < s->end && *p != '"') {
		if (*p == '\\') {
			*escaped = true;
			p = pass_escape(s, p);
		} else if ((unsigned char)*p >= 0x80) {
			const size_t size = utf8_size(p, s->end);
			p = size > 0 ? p + size : fail(s, p, "invalid UTF-8 in JSON");
		} else {
			return fail(s, p, "a control character in a JSON string");
		}
		if (p != NULL && p < s->end && (*p & 0x80) == 0)
			p = skip_plain(p, s->end);
	}
	return p == NULL || p < s->end ? p : fail(s, s->end, "");
}

/* The closing quote of the string whose bytes begin at p. */
static inline const char *string_end(const struct scan *s, const char *p, bool *escaped)
{
	*escaped = false;
	p = skip_plain(p, s->end);
	return p < s->end && *p == '"' ? p : pass_special(s, p, escaped);
}

static inline bool is_digit(const char *p, const char *end)
{
	return p < end && *p >= '0' && *p <= '9';
}

/* (Those that digits_look finds after the end are not counted.) */
static const char *pass_digits(const struct scan *s, const char *p, const char *what)
{
	const char *start = p;
	unsigned others = 0;
	for (; p < s->end && others == 0; p += others == 0 ? 16 : __builtin_ctz(others))
		others = digits_look(p).digits ^ 0xffff;
	p = p < s->end ? p : s->end;
	return p > start ? p : fail(s, p, what);
}

static const char *number_end(const struct scan *s, const char *p)
{
	p += p < s->end && *p == '-';
	if (p < s->end && *p == '0' && is_digit(p + 1, s->end))
		return fail(s, p, "a JSON number with a leading zero");
	p = pass_digits(s, p, "not a JSON number");
	if (p != NULL && p < s->end && *p == '.')
		p = pass_digits(s, p + 1, "a JSON number without digits after its point");
	if (p != NULL && p < s->end && (*p == 'e' || *p == 'E')) {
		p += p + 1 < s->end && (p[1] == '+' || p[1] == '-') ? 2 : 1;
		p = pass_digits(s, p, "a JSON number without digits in its exponent");
	}
	return p;
}

const char *json_number_end(const char *p, const char *end, struct line_fault *fault)
{
	const struct scan s = {.end = end, .fault = fault};
	return number_end(&s, p);
}

static const char *word_end(const struct scan *s, const char *p)
{
	static const struct {
		const char *word;
		size_t size;
	} words[] = {{"null", 4}, {"true", 4}, {"false", 5}};
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		if ((size_t)(s->end - p) >= words[i].size && memcmp(p, words[i].word, words[i].size) == 0)
			return p + words[i].size;
	}
	return fail(s, p, "not a JSON value");
}

/* The field is not there, or no longer. */
static void forget(const struct scan *s, uint64_t begin, uint64_t end)
{
	for (uint64_t number = begin; number < end; number++)
		set_absent(s->line, 1, &s->found[number - 1]);
}

static inline void set_field(const struct scan *s, uint64_t number, const char *start, const char *stop, bool escaped)
{
	const bool quoted = *start == '"';
	s->found[number - 1] = (struct field){.start = start,
					      .size = (size_t)(stop - start),
					      .token = start + quoted,
					      .token_size = (size_t)(stop - start) - 2 * quoted,
					      .quoted = quoted,
					      .escaped = escaped};
}

/* The member of the level that a name with escapes means, if it is looked for. */
static const struct member *find_escaped(const struct scan *s, const struct member *within, const char *name,
					 size_t size)
{
	const struct member *first = s->members->members + within->first;
	for (size_t i = 0; i < within->count; i++) {
		if (json_says(name, size, first[i].name, first[i].size))
			return &first[i];
	}
	return NULL;
}

/* Reads the next element of an array. */
static const struct member *find_element(const struct scan *s, struct level *l)
{
	char name[24];
	if (l->member == NULL || !l->member->has_indices)
		return NULL;
	const int size = snprintf(name, sizeof name, "%llu", (unsigned long long)l->index++);
	return members_find(s->members, l->member, name, (size_t)size);
}

/* Reads a name and the colon after it. *member becomes the member with this name that is looked for. Returns where its
 * value begins. */
static inline const char *pass_name(const struct scan *s, const struct level *l, const char *p,
				    const struct member **member)
{
	bool escaped;
	if (p >= s->end || *p != '"')
		return fail(s, p, "a name in quotes is missing in JSON");
	const char *name = p + 1;
	p = string_end(s, name, &escaped);
	if (p == NULL)
		return NULL;
	const size_t size = (size_t)(p - name);
	if (l->member != NULL)
		*member = escaped ? find_escaped(s, l->member, name, size)
				  : members_find(s->members, l->member, name, size);
	p = skip_blanks(p + 1, s->end);
	if (p >= s->end || *p != ':')
		return fail(s, p, "a colon is missing in JSON");
	return skip_blanks(p + 1, s->end);
}

/* pass_name for the line's member of this number, from 0. It has mostly the name that the line before has there. */
static inline const char *pass_member_name(const struct scan *s, const struct level *l, size_t number, const char *p,
					   const struct member **member)
{
	if (s->names == NULL || number >= sizeof s->names->names / sizeof s->names->names[0])
		return pass_name(s, l, p, member);
	struct json_name *before = &s->names->names[number];
	if (before->size > 0 && (size_t)(s->end - p) > before->size && memory_is_same(p, before->text, before->size)) {
		*member = before->member;
		return skip_blanks(p + before->size, s->end);
	}
	const char *value = pass_name(s, l, p, member);
	before->size = 0;
	if (value != NULL && (size_t)(value - p) <= sizeof before->text) {
		before->size = (size_t)(value - p);
		memcpy(before->text, p, before->size);
		before->member = *member;
	}
	return value;
}

/* Reads a value other than an object or an array. Returns its end. */
static inline const char *pass_scalar(const struct scan *s, const char *p, const struct member *member)
{
	const char *start = p;
	bool escaped = false;
	if (p >= s->end)
		return fail(s, p, "");
	if (*p == '"') {
		p = string_end(s, p + 1, &escaped);
		p = p == NULL ? NULL : p + 1;
	} else if (*p == '-' || (*p >= '0' && *p <= '9')) {
		p = number_end(s, p);
	} else {
		p = word_end(s, p);
	}
	if (p != NULL && member != NULL && member->number != 0)
		set_field(s, member->number, start, p, escaped);
	return p;
}

/* Opens the container at p. member: the members that are looked for in it, or NULL. False: there are too many
 * containers within each other. */
static bool open_level(const struct scan *s, const char *p, const struct member *member, struct level *levels,
		       size_t *depth)
{
	if (*depth == JSON_DEPTH_MAX)
		return fail(s, p, "JSON more than 1024 levels deep") != NULL;
	_Static_assert(JSON_DEPTH_MAX == 1024, "the message says so");
	levels[(*depth)++] = (struct level){
		.member = member != NULL && member->count > 0 ? member : NULL,
		.start = p,
		.number = member != NULL ? member->number : 0,
		.is_array = *p == '[',
	};
	return true;
}

/* The object at p and all in it. Returns its end. */
static const char *pass_object(const struct scan *s, const char *p)
{
	struct level levels[JSON_DEPTH_MAX];
	size_t depth = 0;
	size_t member_count = 0; /* of the line's own members */
	bool opens = true; /* nothing is in the level yet */
	if (!open_level(s, p, s->members->members, levels, &depth))
		return NULL;
	s->line->tail = ++p;
	while (p != NULL) {
		struct level *l = &levels[depth - 1];
		const struct member *member = NULL;
		p = skip_blanks(p, s->end);
		const char c = p < s->end ? *p : '\0';
		if (c == (l->is_array ? ']' : '}')) {
			p++;
			if (l->number != 0)
				set_field(s, l->number, l->start, p, false);
			if (--depth == 0)
				return p;
			opens = false;
		} else {
			if (!opens && c != ',')
				return fail(s, p,
					    l->is_array ? "a comma or ] is missing in JSON"
							: "a comma or } is missing in JSON");
			p = opens ? p : skip_blanks(p + 1, s->end);
			if (l->is_array)
				member = find_element(s, l);
			else if (depth == 1)
				p = pass_member_name(s, l, member_count++, p, &member);
			else
				p = pass_name(s, l, p, &member);
			if (p == NULL)
				return NULL;
			/* One of that name that was before counts no more. */
			if (member != NULL && member->count > 0)
				forget(s, member->begin, member->end);
			opens = p < s->end && (*p == '{' || *p == '[');
			if (opens)
				p = open_level(s, p, member, levels, &depth) ? p + 1 : NULL;
			else
				p = pass_scalar(s, p, member);
		}
		if (!opens)
			s->line->tail = p;
	}
	return NULL;
}

bool json_find(const struct members *members, struct line *line, struct field *found, struct json_names *names,
	       struct line_fault *fault)
{
	const struct scan s = {
		.members = members, .line = line, .end = line->end, .found = found, .names = names, .fault = fault};
	const char *p = skip_blanks(line->start, line->end);
	forget(&s, 1, members->field_count + 1);
	line->tail = line->end;
	if (p == s.end || *p != '{')
		return fail(&s, p, "not a JSON object") != NULL;
	p = pass_object(&s, p);
	if (p == NULL)
		return false;
	p = skip_blanks(p, s.end);
	/* (A comma alone has a hint of its own.) */
	const char *more = p + 1 == s.end && *p == ',' ? "more after a JSON object"
						       : "more after a JSON object (one object per line? jq -c .)";
	return p == s.end || fail(&s, p, more) != NULL;
}
