/* Structs are packed, unpacked, described and compared (base/layout.h), and so are the cursors of all rows
 * (scan/layouts.h). */
#include <string.h>

#include "base/layout.h"
#include "base/message.h"
#include "check.h"
#include "scan/layouts.h"
#include "rows/rows.h"
#include "scan/row.h"

#define SAMPLE(M, R) M(R, U8, small) M(R, U32, middle) M(R, COUNT, many) M(R, TEXT, text) M(R, VALUE, value)
RECORD(sample, SAMPLE)

static bool is_text(const struct pack *p, const char *text)
{
	return p->bytes.size == strlen(text) && memcmp(p->bytes.data, text, p->bytes.size) == 0;
}

static void check_record(void)
{
	static const unsigned char wanted[] = {7,    4,    3,    2,    1,    0xac, 2, 2, 'h', 'i', 0x88, 0x77, 0x66,
					       0x55, 0x44, 0x33, 0x22, 0x11, 9,    0, 0, 0,   0,   0,    0,    0};
	const struct sample s = {.small = 7,
				 .middle = 0x01020304,
				 .many = 300,
				 .text = {(const unsigned char *)"hi", 2},
				 .value = {0x1122334455667788u, 9}};
	struct sample back;
	struct pack p = {0};
	struct pack words = {0};
	layout_pack(&p, &sample_layout, &s);
	EXPECT(p.bytes.size == sizeof wanted && memcmp(p.bytes.data, wanted, sizeof wanted) == 0, "%zu bytes",
	       p.bytes.size);
	struct unpack u = {.at = p.bytes.data, .left = p.bytes.size};
	layout_unpack(&u, &sample_layout, &back);
	EXPECT(!u.failed && u.left == 0 && back.small == 7 && back.middle == s.middle && back.many == 300 &&
		       back.text.size == 2 && memcmp(back.text.data, "hi", 2) == 0 && back.value.lo == s.value.lo &&
		       back.value.hi == 9,
	       "what comes back");
	for (size_t cut = 0; cut < sizeof wanted; cut++) {
		struct unpack part = {.at = p.bytes.data, .left = cut};
		layout_unpack(&part, &sample_layout, &back);
		EXPECT(part.failed, "%zu bytes of it", cut);
	}
	layout_describe(&words, &sample_layout);
	EXPECT(is_text(&words, "u8 small, u32 middle, count many, text text, value value"), "its words");
	bytes_free(&p.bytes);
	bytes_free(&words.bytes);
	check_promise("numbers are packed least byte first, whatever the machine's order");
}

static bool are_equal(const char *a, const char *b)
{
	const struct saved_text one = {(const unsigned char *)a, strlen(a)};
	const struct saved_text other = {(const unsigned char *)b, strlen(b)};
	return layout_compare("a test", &one, &other) == STATUS_OK;
}

static void check_words(void)
{
	EXPECT(are_equal("u8 a, u8 b", "u8 a, u8 b"), "the same words");
	EXPECT(!are_equal("u8 a, u8 b", "u8 b, u8 a"), "members in another order");
	EXPECT(!are_equal("u8 a", "u8 a, u8 b") && !are_equal("u8 a, u8 b", "u8 a"), "one more");
	EXPECT(!are_equal("u8 a", "u16 a"), "another type");
	EXPECT(!are_equal("", "u8 a") && !are_equal("u8 a", ""), "none");
	check_promise("words that are others are found");
}

/* Where the layout's last struct ends in memory, with the gap after it. */
static size_t end_of(const struct layout *l)
{
	const struct layout_part *last = &l->parts[l->part_count - 1];
	size_t alignment = sizeof(uint64_t);
	if (l->part_count == 2) { /* a sequential one */
		alignment = sizeof(uint32_t);
		for (size_t m = 0; m < last->member_count; m++) {
			struct layout alone = {.parts = {*last}, .part_count = 1};
			alone.parts[0].members = &last->members[m];
			alone.parts[0].member_count = 1;
			const size_t size = layout_packed_size(&alone) < 8 ? layout_packed_size(&alone) : 8;
			alignment = size > alignment ? size : alignment;
		}
	}
	return (last->offset + last->count * last->step + alignment - 1) / alignment * alignment;
}

static void check_cursor(const struct row *row, const char *name)
{
	static union cursor cursor, back;
	const struct layout l = layout_of_cursor(row);
	struct pack p = {0};
	const size_t size = row->code->cursor_size;
	EXPECT(end_of(&l) == size, "%s %s: %zu, not %zu bytes", row->op->name, name, end_of(&l), size);
	/* Every byte but those of gaps comes back. */
	memset(&cursor, 0, sizeof cursor);
	memset(&back, 0, sizeof back);
	for (size_t i = 0; i < size; i++)
		cursor.bytes[i] = (unsigned char)(i * 7 + 1);
	layout_pack(&p, &l, &cursor);
	EXPECT(p.bytes.size == layout_packed_size(&l) && p.bytes.size <= size, "%s %s: packed", row->op->name, name);
	struct unpack u = {.at = p.bytes.data, .left = p.bytes.size};
	layout_unpack(&u, &l, &back);
	size_t gaps = 0;
	for (size_t i = 0; i < size; i++)
		gaps += back.bytes[i] != cursor.bytes[i];
	EXPECT(!u.failed && u.left == 0 && gaps == size - p.bytes.size, "%s %s: %zu bytes differ", row->op->name, name,
	       gaps);
	bytes_free(&p.bytes);
}

static void check_rows(void)
{
	static const enum algorithm algorithms[] = {ALGORITHM_BLELLOCH, ALGORITHM_HILLIS_STEELE, ALGORITHM_SEQUENTIAL};
	size_t found = 0;
	for (int id = 0; id < OPERATOR_ID_COUNT; id++) {
		const struct scan_operator *op = &operator_table[id];
		for (int t = 0; t < TYPE_COUNT; t++) {
			const struct type *acc = &type_table[t];
			for (size_t a = 0; a < 3; a++) {
				struct row row;
				if (!operator_has(op, acc) ||
				    !row_find(&row, op, acc, acc, false, false, algorithms[a]))
					continue;
				check_cursor(&row, acc->name);
				row_forget_grid(&row);
				check_cursor(&row, acc->name);
				found++;
				if (a > 0)
					continue;
				struct window_row window = window_row_of(&row, 7);
				window_row_forget_vectors(&window);
				const struct layout prefix = layout_of_prefix(&window);
				const struct layout state = layout_of_state(&window);
				EXPECT(end_of(&prefix) == window.code->prefix_size, "%s %s: a window's prefix",
				       op->name, acc->name);
				EXPECT(state.parts[0].step == window.code->state_size, "%s %s: a window's state",
				       op->name, acc->name);
			}
		}
	}
	EXPECT(found > 400, "%zu rows", found);
	check_promise("every member of every row's cursor is packed, and none lies elsewhere than the layout says");
}

int main(void)
{
	check_record();
	check_words();
	check_rows();
	return check_done();
}
