/* Structs as bytes that describe themselves. A layout lists the members of a struct in memory; from this list alone
 * they are packed, unpacked, and described in words, so that the bytes and the words are all that a reader needs
 * (layout_describe).
 *
 * The words are members, separated by ", ", each a type, a blank and a name:
 *
 *     i8 u8 i16 u16 i32 u32 i64 u64 f32 f64    a number, its least byte first
 *     i128, value     16 bytes: the same; of a value narrower than that the rest is zero
 *     count           pack_count's
 *     text            a count, and that number of bytes
 *     {MEMBERS}       these members
 *     (NAME N TYPE N TYPE ...)   one of these types: that after the number that the member NAME before it has
 *     sized TYPE      a count of bytes, and such things, one after the other, in these bytes
 *
 * [N] after a name: there are N of them; []: their count comes first. */
#ifndef PSCAN_BASE_LAYOUT_H
#define PSCAN_BASE_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#include "base/pack.h"

/* (Numbers are numbered as in number/type.h.) */
enum member_kind {
	MEMBER_I8,
	MEMBER_U8,
	MEMBER_I16,
	MEMBER_U16,
	MEMBER_I32,
	MEMBER_U32,
	MEMBER_I64,
	MEMBER_U64,
	MEMBER_F32,
	MEMBER_F64,
	MEMBER_I128, /* two uint64_t in memory, the low one first */
	MEMBER_VALUE, /* the same */
	MEMBER_COUNT, /* a uint64_t in memory */
	MEMBER_TEXT, /* a struct saved_text in memory */
	MEMBER_KINDS
};

struct saved_text {
	const unsigned char *data; /* borrowed */
	size_t size;
};

struct saved_value {
	uint64_t lo, hi;
};

struct layout_member {
	const char *name; /* borrowed */
	size_t name_size;
	size_t number; /* 0, or the member is the so manieth of its name: shown as NAME.NUMBER */
	enum member_kind kind;
	size_t offset; /* in memory, in bytes */
};

/* Some members, or structs of them in a row. */
struct layout_part {
	const char *name; /* of the structs; NULL: the members stand for themselves */
	const struct layout_member *members; /* borrowed */
	size_t member_count;
	size_t offset; /* in memory, in bytes */
	size_t count; /* of structs, */
	size_t step; /* bytes from one to the next in memory */
};

#define LAYOUT_PARTS_MAX 5

struct layout {
	struct layout_part parts[LAYOUT_PARTS_MAX];
	size_t part_count;
};

/* Appends an object in memory. */
void layout_pack(struct pack *p, const struct layout *l, const void *object);
/* The way back: sets the members, and nothing else. */
void layout_unpack(struct unpack *u, const struct layout *l, void *object);
/* Bytes of an object that is packed: of numbers alone. */
size_t layout_packed_size(const struct layout *l);
/* Appends the words that describe it, without the braces around them. */
void layout_describe(struct pack *p, const struct layout *l);

/* Appends some words. */
void layout_say(struct pack *p, const char *words);
void layout_say_number(struct pack *p, const char *before, uint64_t number, const char *after);

/* Whether the words of some bytes are a program's own. STATUS_USAGE after a message, which begins with where they
 * are from and names the first member that is another. */
enum status layout_compare(const char *where, const struct saved_text *saved, const struct saved_text *own) MUST_CHECK;

/* A struct and its layout are made of a list of M(KIND, member): RECORD_FIELD makes the fields, RECORD_MEMBER the
 * members of the struct RECORD_NAME, RECORD_LAYOUT(NAME) the layout of NAME_members. */
#define FIELD_U8 uint8_t
#define FIELD_U32 uint32_t
#define FIELD_U64 uint64_t
#define FIELD_COUNT uint64_t
#define FIELD_TEXT struct saved_text
#define FIELD_VALUE struct saved_value
#define FIELD_I128 struct saved_value
#define RECORD_FIELD(kind, member) FIELD_##kind member;
#define RECORD_MEMBER(kind, member) {#member, sizeof #member - 1, 0, MEMBER_##kind, offsetof(RECORD_NAME, member)},
#define RECORD_LAYOUT(NAME)                                                                  \
	{                                                                                    \
		.parts = {{.members = NAME##_members,                                        \
			   .member_count = sizeof NAME##_members / sizeof NAME##_members[0], \
			   .count = 1}},                                                     \
		.part_count = 1                                                              \
	}

#endif
