/* The grid's own text for one operator (rows_facts.inc): tiles, cursors and windows of every row, and what Hillis and
 * Steele's scan takes of it. */
#include "rows/rows_facts.inc"

#include "rows/hillis.h"

#define HILLIS_STEELE 0
#define INPUTS OP_INPUTS
#define EMITS_INPUTS OP_EMITS_INPUTS
#define CONVERT(x) (x)
#define FITS(x) 1
#define SHAPE_GPU 0
#define GLOBAL
#define NODES
#define CHECK_OVERFLOW CHECKED
#include "names.h"
#include "grid.h"

_Static_assert(RUN == GRID_RUN && TILE == GRID_TILE, "one grid in the kernels and on the host");

/* States with an exponent, where it is 0 and numbers are up to 2^32 (2^256), or their inverses: their DISTANCE has none
 * of MIDDLE_BITS. */
#define HAS_EXPONENT (OP_EXPONENT && FACT(FACT_FLOAT, FACTS(ACC)))
#define DISTANCE(x) (PASTE2(ACC, _bits)(x) - PASTE2(MIDDLE_LEAST_OF_, ACC))
#define MIDDLE_BITS PASTE2(MIDDLE_BITS_OF_, ACC)
#define MIDDLE_LEAST_OF_f32 ((u32)95 << 23)
#define MIDDLE_BITS_OF_f32 ((u32)3 << 29)
#define MIDDLE_LEAST_OF_f64 ((u64)767 << 52)
#define MIDDLE_BITS_OF_f64 ((u64)3 << 61)

/* What all variants (rows.h) of a row have in common is its plain one's. */
#define CHECKED 0
#define EXCLUSIVE 0
#undef VARIANT
#define VARIANT _plain
#define ROW_TYPES (PLAIN_TYPES | CHECKED_TYPES)
#define ROW_TEMPLATE "rows/rows_tile.inc"
#include "rows/rows_each_type.inc"
#undef CHECKED
#undef EXCLUSIVE
#define VARIANT_TYPES UNCHECKED_TYPES
#define VARIANT_CHECKED_TYPES CHECKED_TYPES
#define VARIANT_EXCLUSIVE OP_EMITS_INPUTS
#define VARIANT_TEMPLATE "rows/rows_variant.inc"
#include "rows/rows_each_variant.inc"

/* Windows. The overflow check is that of exact decimals: results of narrower integers are found to fit where they are
 * made of exact ones (window.c). */
#define WINDOW_CHECKED_TYPES (CHECKED_TYPES & TYPES_WIDE)
/* Narrow integers are scanned in 64 bits, or by vectors. */
#define WINDOW_TYPES WITH_INTEGERS(PLAIN_TYPES, LONG_INTEGERS)
/* Whether combine is exactly associative, so that the grid's order gives the same bits as any other. */
#define IS_ANY_ORDER (((OP_ANY_ORDER) & (FACT(FACT_FLOAT, FACTS(ACC)) ? TYPES_FLOAT : TYPES_INTEGER)) != 0)
#define CHECKED 0
#define EXCLUSIVE 0
#define VARIANT _mirrored
#define ROW_TYPES (WINDOW_TYPES | WINDOW_CHECKED_TYPES)
#define ROW_TEMPLATE "rows/rows_suffixes.inc"
#include "rows/rows_each_type.inc"
#undef CHECKED
#undef EXCLUSIVE
#define VARIANT_TYPES WINDOW_TYPES
#define VARIANT_CHECKED_TYPES WINDOW_CHECKED_TYPES
#define VARIANT_EXCLUSIVE 0
#define VARIANT_TEMPLATE "rows/rows_window_blocks.inc"
#include "rows/rows_each_variant.inc"

#define ROW_CODE(P, S, variant, algorithm, size)                                                                      \
	{                                                                                                             \
		.state_size = sizeof(NAME(state, S)), .cursor_size = (size),                                          \
		.tiles = {PASTE2(NAME(algorithm##_totals, S), _plain), PASTE2(NAME(algorithm##_results, P), variant), \
			  PASTE2(NAME(algorithm##_segments, P), variant)},                                            \
		.fold = PASTE2(NAME(row_fold, S), _plain), .seed = PASTE2(NAME(row_seed, S), _plain),                 \
		.state = PASTE2(NAME(row_state, S), _plain), .emit = PASTE2(NAME(row_emit, S), _plain),               \
		.restart = PASTE2(NAME(row_restart, S), _plain), .push = PASTE2(NAME(algorithm##_push, P), variant)   \
	}
#define CURSOR_OF(S) struct PASTE2(NAME(cursor, S), _plain)
#define GRID_CODE(P, S, variant) ROW_CODE(P, S, variant, row, sizeof(CURSOR_OF(S)))
#define HILLIS_CODE(P, S, variant) ROW_CODE(P, S, variant, hillis, HILLIS_CURSOR_SIZE(CURSOR_OF(S), NAME(state, S)))
#define WINDOW_CODE(T, variant, unfit)                                                                                \
	{                                                                                                             \
		.state_size = sizeof(NAME(state, T)), .prefix_size = sizeof(struct PASTE2(NAME(cursor, T), variant)), \
		.push = PASTE2(NAME(window_push, T), variant),                                                        \
		.push_by_time = PASTE2(NAME(window_push_by_time, T), variant),                                        \
		.end_block = PASTE2(NAME(window_end_block, T), variant),                                              \
		.end_span = PASTE2(NAME(window_end_span, T), variant),                                                \
		.prefix = PASTE2(NAME(window_prefix, T), variant), .is_unfit = unfit,                                 \
		.combine = PASTE2(NAME(window_combine, T), variant), .emit = PASTE2(NAME(row_emit, T), _plain)        \
	}
const struct operator_grid PASTE2(operator_grid_, OP) = {
#define CODE_OF GRID_CODE
#define VARIANT_OF (const struct row_code[TYPE_COUNT])
	.grid =
		{
#include "rows/rows_variants.inc"
		},
#define CODE_OF HILLIS_CODE
#define VARIANT_OF (const struct row_code[TYPE_COUNT])
	.hillis =
		{
#include "rows/rows_variants.inc"
		},
	.windows =
		{
			[0] =
				(const struct window_code[TYPE_COUNT]){
#define ROW_TYPES WITH_INTEGERS(ALL_PLAIN_TYPES, TYPES_I64 + TYPES_U64)
#define CODE(T) WINDOW_CODE(PLAIN(T), _plain, NULL)
#include "rows/rows_table.inc"
				},
#if WINDOW_CHECKED_TYPES
			[1] =
				(const struct window_code[TYPE_COUNT]){
#define ROW_TYPES WINDOW_CHECKED_TYPES
#define CODE(T) WINDOW_CODE(T, _checked, PASTE2(NAME(window_is_unfit, T), _checked))
#include "rows/rows_table.inc"
				},
#endif
		},
};
