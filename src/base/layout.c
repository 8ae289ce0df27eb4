/* Packing, unpacking and describing are the same walk over a layout's parts and members. */
#include "base/layout.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/message.h"

static const struct {
	const char *word;
	size_t size; /* Bytes of a packed number. 0: the size differs from value to value. */
} kinds[MEMBER_KINDS] = {
	[MEMBER_I8] = {"i8", 1},       [MEMBER_U8] = {"u8", 1},      [MEMBER_I16] = {"i16", 2},
	[MEMBER_U16] = {"u16", 2},     [MEMBER_I32] = {"i32", 4},    [MEMBER_U32] = {"u32", 4},
	[MEMBER_I64] = {"i64", 8},     [MEMBER_U64] = {"u64", 8},    [MEMBER_F32] = {"f32", 4},
	[MEMBER_F64] = {"f64", 8},     [MEMBER_I128] = {"i128", 16}, [MEMBER_VALUE] = {"value", 16},
	[MEMBER_COUNT] = {"count", 0}, [MEMBER_TEXT] = {"text", 0},
};

/* Copies a number of `size` bytes between memory, where it has the machine's byte order, and packed bytes. One of 16
 * bytes is two of 8. */
static void copy_number(unsigned char *to, const unsigned char *from, size_t size)
{
	const uint16_t one = 1;
	const bool is_little = *(const unsigned char *)&one == 1;
	const size_t part = size < 8 ? size : 8;
	for (size_t done = 0; done < size; done += part) {
		for (size_t i = 0; i < part; i++)
			to[done + i] = from[done + (is_little ? i : part - 1 - i)];
	}
}

/* Every NaN is packed as the canonical NaN. (Processors differ in the sign of their NaNs.) */
static const unsigned char *without_nan(enum member_kind kind, const unsigned char *at)
{
	static const uint32_t nan32 = UINT32_C(0x7fc00000);
	static const uint64_t nan64 = UINT64_C(0x7ff8000000000000);
	float narrow = 0;
	double wide = 0;
	if (kind == MEMBER_F32)
		memcpy(&narrow, at, sizeof narrow);
	if (kind == MEMBER_F64)
		memcpy(&wide, at, sizeof wide);
	return isnan(narrow) ? (const unsigned char *)&nan32 : isnan(wide) ? (const unsigned char *)&nan64 : at;
}

static void pack_member(struct pack *p, enum member_kind kind, const unsigned char *at)
{
	struct saved_text text;
	uint64_t count;
	if (kind == MEMBER_TEXT) {
		memcpy(&text, at, sizeof text);
		pack_text(p, text.data, text.size);
	} else if (kind == MEMBER_COUNT) {
		memcpy(&count, at, sizeof count);
		pack_count(p, count);
	} else {
		unsigned char *to = pack_room(p, kinds[kind].size);
		if (to != NULL)
			copy_number(to, without_nan(kind, at), kinds[kind].size);
	}
}

static void unpack_member(struct unpack *u, enum member_kind kind, unsigned char *at)
{
	struct saved_text text;
	if (kind == MEMBER_TEXT) {
		text.data = unpack_text(u, &text.size);
		memcpy(at, &text, sizeof text);
	} else if (kind == MEMBER_COUNT) {
		const uint64_t count = unpack_count(u);
		memcpy(at, &count, sizeof count);
	} else {
		const unsigned char *from = unpack_raw(u, kinds[kind].size);
		if (from != NULL)
			copy_number(at, from, kinds[kind].size);
		else
			memset(at, 0, kinds[kind].size);
	}
}

void layout_pack(struct pack *p, const struct layout *l, const void *object)
{
	for (const struct layout_part *part = l->parts; part < l->parts + l->part_count; part++) {
		const unsigned char *at = (const unsigned char *)object + part->offset;
		for (size_t i = 0; i < part->count; i++, at += part->step) {
			for (size_t m = 0; m < part->member_count; m++)
				pack_member(p, part->members[m].kind, at + part->members[m].offset);
		}
	}
}

void layout_unpack(struct unpack *u, const struct layout *l, void *object)
{
	for (const struct layout_part *part = l->parts; part < l->parts + l->part_count; part++) {
		unsigned char *at = (unsigned char *)object + part->offset;
		for (size_t i = 0; i < part->count; i++, at += part->step) {
			for (size_t m = 0; m < part->member_count; m++)
				unpack_member(u, part->members[m].kind, at + part->members[m].offset);
		}
	}
}

size_t layout_packed_size(const struct layout *l)
{
	size_t all = 0;
	for (const struct layout_part *part = l->parts; part < l->parts + l->part_count; part++) {
		size_t size = 0;
		for (size_t m = 0; m < part->member_count; m++)
			size += kinds[part->members[m].kind].size;
		all += part->count * size;
	}
	return all;
}

void layout_say(struct pack *p, const char *words)
{
	pack_raw(p, words, strlen(words));
}

void layout_say_number(struct pack *p, const char *before, uint64_t number, const char *after)
{
	char text[24];
	(void)snprintf(text, sizeof text, "%" PRIu64, number);
	layout_say(p, before);
	layout_say(p, text);
	layout_say(p, after);
}

static void describe_members(struct pack *p, const struct layout_part *part)
{
	for (const struct layout_member *m = part->members; m < part->members + part->member_count; m++) {
		layout_say(p, m > part->members ? ", " : "");
		layout_say(p, kinds[m->kind].word);
		layout_say(p, " ");
		pack_raw(p, m->name, m->name_size);
		if (m->number > 0)
			layout_say_number(p, ".", m->number, "");
	}
}

void layout_describe(struct pack *p, const struct layout *l)
{
	for (const struct layout_part *part = l->parts; part < l->parts + l->part_count; part++) {
		layout_say(p, part > l->parts ? ", " : "");
		layout_say(p, part->name != NULL ? "{" : "");
		describe_members(p, part);
		if (part->name == NULL)
			continue;
		layout_say(p, "} ");
		layout_say(p, part->name);
		if (part->count > 1)
			layout_say_number(p, "[", part->count, "]");
	}
}

/* Quotes the member of a description that the byte at `at` belongs to. Returns out. */
static const char *member_at(char out[MESSAGE_QUOTED_SIZE], const struct saved_text *words, size_t at)
{
	const char *text = words->size > 0 ? (const char *)words->data : "";
	/* If the descriptions differ at a comma, the member that only one of them has begins after the comma. */
	const size_t comma = at < words->size && text[at] == ',' ? 2 : 0;
	size_t begin = at + comma < words->size ? at + comma : words->size;
	size_t end = begin;
	while (begin > 0 && strchr("{(,:", text[begin - 1]) == NULL)
		begin--;
	while (end < words->size && strchr("})],:", text[end]) == NULL)
		end++;
	while (begin < end && text[begin] == ' ')
		begin++;
	return message_quote(out, text + begin, end - begin);
}

enum status layout_compare(const char *where, const struct saved_text *saved, const struct saved_text *own)
{
	size_t same = 0;
	char was[MESSAGE_QUOTED_SIZE];
	char is[MESSAGE_QUOTED_SIZE];
	while (same < saved->size && same < own->size && saved->data[same] == own->data[same])
		same++;
	if (same == saved->size && same == own->size)
		return STATUS_OK;
	return message_refuse("%s in another layout: %s in the state, %s now", where, member_at(was, saved, same),
			      member_at(is, own, same));
}
