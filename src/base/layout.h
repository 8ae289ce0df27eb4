/* Structs as bytes, together with a description of these bytes in words. A layout lists the members of a struct in
 * memory. Structs are packed, unpacked and described (layout_describe) from this list alone, so a reader of the packed
 * bytes needs only their description.
 *
 * A description is a list of members, separated by ", ". A member is a type, a blank and a name. The types are:
 *
 *     i8 u8 i16 u16 i32 u32 i64 u64 f32 f64    a number, least significant byte first
 *     i128            a number of 16 bytes, least significant byte first
 *     value           16 bytes that hold a number of any type, least significant byte first, padded with zeros
 *     count           a number as pack_count writes it
 *     text            a count, followed by that number of bytes
 *     {MEMBERS}       a struct of these members
 *     (NAME N TYPE N TYPE ...)   the TYPE whose N is the value of the earlier member NAME
 *     sized TYPE      a count of bytes, followed by values of TYPE that fill these bytes
 *
 * A name may end in [N]: the member is an array of N. A name that ends in [] is an array whose count comes first. */
#ifndef PSCAN_BASE_LAYOUT_H
#define PSCAN_BASE_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#include "base/pack.h"

/* The first ten kinds have the values of enum type_id (number/type.h). */
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
	MEMBER_VALUE, /* two uint64_t in memory, the low one first */
	MEMBER_COUNT, /* a uint64_t in memory */
	MEMBER_TEXT, /* a struct saved_text in memory */
	MEMBER_KINDS
};

struct saved_text {
	const unsigned char *data; /* Borrowed. NULL if the text could not be read. */
	size_t size;
};

/* 16 bytes that hold a number of any type. */
struct saved_value {
	uint64_t lo, hi; /* The lower 8 bytes and the upper 8. */
};

struct layout_member {
	const char *name; /* Borrowed. */
	size_t name_size;
	size_t number; /* Number among members with the same name, from 1, described as NAME.NUMBER. 0: no number. */
	enum member_kind kind;
	size_t offset; /* Bytes from the beginning of the part's struct in memory. */
};

/* An array of structs, or one struct whose members are listed without a name around them. */
struct layout_part {
	const char *name; /* The array's name. NULL: one struct, described by its members alone. */
	const struct layout_member *members; /* Borrowed. */
	size_t member_count;
	size_t offset; /* Bytes from the beginning of the whole object in memory to the first struct. */
	size_t count; /* Number of structs in the array. */
	size_t step; /* Bytes from one struct to the next in memory. */
};

#define LAYOUT_PARTS_MAX 5

struct layout {
	struct layout_part parts[LAYOUT_PARTS_MAX];
	size_t part_count;
};

/* Appends the packed members of an object. A NaN of F32 or F64 is packed as the canonical NaN. Failures are recorded in
 * p->failed. */
void layout_pack(struct pack *p, const struct layout *l, const void *object);
/* Reads packed members into an object and changes nothing else in the object. Texts are borrowed from the packed bytes.
 * Failures are recorded in u->failed; members that could not be read are zero or empty. */
void layout_unpack(struct unpack *u, const struct layout *l, void *object);
/* Returns the bytes of a packed object. Not for layouts with members of the kinds COUNT or TEXT, whose packed size
 * depends on their value. */
size_t layout_packed_size(const struct layout *l);
/* Appends the description of a layout, without braces around the whole. Failures of this function and the next two are
 * recorded in p->failed. */
void layout_describe(struct pack *p, const struct layout *l);

/* Appends words to a description. */
void layout_say(struct pack *p, const char *words);
/* Appends `before`, a decimal number and `after` to a description. */
void layout_say_number(struct pack *p, const char *before, uint64_t number, const char *after);

/* Compares the description that came with saved bytes with this program's own description. STATUS_USAGE after a message
 * if the two differ. The message is `where`, " in another layout: ", and the first member that differs, from both
 * descriptions. where: words such as "--state: the scan is", with names already escaped (message_name). */
enum status layout_compare(const char *where, const struct saved_text *saved, const struct saved_text *own) MUST_CHECK;

/* RECORD(NAME, LIST) defines struct NAME and its layout, NAME_layout, from one list of members. LIST is a macro:
 * LIST(M, R) must expand to M(R, KIND, member) for each member. KIND is U8, U32, U64, COUNT, TEXT, VALUE or I128. */
#define FIELD_U8 uint8_t
#define FIELD_U32 uint32_t
#define FIELD_U64 uint64_t
#define FIELD_COUNT uint64_t
#define FIELD_TEXT struct saved_text
#define FIELD_VALUE struct saved_value
#define FIELD_I128 struct saved_value
#define RECORD_FIELD(record, kind, member) FIELD_##kind member;
#define RECORD_MEMBER(record, kind, member) \
	{#member, sizeof #member - 1, 0, MEMBER_##kind, offsetof(struct record, member)},
#define RECORD(NAME, LIST)                                                                   \
	struct NAME {                                                                        \
		LIST(RECORD_FIELD, NAME)                                                     \
	};                                                                                   \
	static const struct layout_member NAME##_members[] = {LIST(RECORD_MEMBER, NAME)};    \
	static const struct layout NAME##_layout = {                                         \
		.parts = {{.members = NAME##_members,                                        \
			   .member_count = sizeof NAME##_members / sizeof NAME##_members[0], \
			   .count = 1}},                                                     \
		.part_count = 1};

#endif
