/* Vector code for one operator (rows_facts.inc) and one level of instruction sets, LEVEL: compiled once for every
 * operator that has some, and every level. Where it is not worth that, or compiled for another machine than the
 * level is for, it is empty. */
#include "rows/rows_facts.inc"

#include "rows/vector.h"

#ifndef LEVEL
#error "LEVEL must be defined as baseline, v3 or v4"
#endif
#define LEVEL_VECTOR_BYTES PASTE2(VECTOR_BYTES_OF_, LEVEL)
#define VECTOR_BYTES_OF_baseline 16
#define VECTOR_BYTES_OF_v3 32
#define VECTOR_BYTES_OF_v4 64

/* What has no vectors is done there. */
extern const struct operator_grid PASTE2(operator_grid_, OP);
#define GRID_ROWS PASTE2(operator_grid_, OP)

#ifdef __x86_64__
#define LEVEL_TYPES (LEVEL_VECTOR_BYTES == 16 ? OP_SSE_TYPES : LEVEL_VECTOR_BYTES == 64 ? OP_AVX512_TYPES : TYPES_ALL)
#else
#define LEVEL_TYPES TYPES_ALL
#endif
#define ANY_ORDER_TYPES ((OP_ANY_ORDER) & (LEVEL_TYPES))
#define IN_ORDER_TYPES ((OP_IN_ORDER) & (LEVEL_TYPES))
/* Shifts move vector elements of little-endian words; other machines keep the grid's own text. */
#if (LEVEL_TYPES) && VECTOR_BYTES == LEVEL_VECTOR_BYTES && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
/* The vector elements of a row: of integers their own, of floats the sorting keys of max and min. */
#define VELEM FACT(FACT_KEY, FACTS(ACC))
#define VELEM_BITS FACT(FACT_BITS, FACTS(ACC))
#define VELEM_IS_SIGNED FACT(FACT_SIGNED, FACTS(ACC))
#define TYPE_ID PASTE2(TYPE_ID_, ACC)
#define TYPE_ID_i8 TYPE_I8
#define TYPE_ID_u8 TYPE_U8
#define TYPE_ID_i16 TYPE_I16
#define TYPE_ID_u16 TYPE_U16
#define TYPE_ID_i32 TYPE_I32
#define TYPE_ID_u32 TYPE_U32
#define TYPE_ID_i64 TYPE_I64
#define TYPE_ID_u64 TYPE_U64
#define TYPE_ID_f32 TYPE_F32
#define TYPE_ID_f64 TYPE_F64

#define ROW_TYPES ANY_ORDER_TYPES
#define ROW_TEMPLATE "rows/rows_any_order.inc"
#include "rows/rows_each_type.inc"
#define ROW_TYPES IN_ORDER_TYPES
#if OP_EXPONENT
#define ROW_TEMPLATE "rows/rows_exponents.inc"
#else
#define ROW_TEMPLATE "rows/rows_in_order.inc"
#endif
#include "rows/rows_each_type.inc"

#define TILE_CODE(P, S, checked) {NAME(tile_totals, S), NAME(tile_results##checked, P), NAME(tile_segments##checked, P)}
#endif

const struct operator_level PASTE4(operator_level_, LEVEL, _, OP) = {
#ifdef TILE_CODE
	.tiles = {
		[0] = {
#define ROW_TYPES (ANY_ORDER_TYPES | IN_ORDER_TYPES)
#define CODE(T) TILE_CODE(PLAIN(T), PLAIN(T), )
#include "rows/rows_table.inc"
		},
#if ANY_ORDER_TYPES & CHECKED_TYPES
		[1] = {
#define ROW_TYPES (ANY_ORDER_TYPES & CHECKED_TYPES)
#define CODE(T) TILE_CODE(T, PLAIN(T), _checked)
#include "rows/rows_table.inc"
		},
#endif
	},
#endif
	.windows = {
#ifdef TILE_CODE
#define ROW_TYPES (ANY_ORDER_TYPES | IN_ORDER_TYPES)
#define CODE(T) NAME(window_push, PLAIN(T))
#include "rows/rows_table.inc"
#else
		NULL,
#endif
	},
};
