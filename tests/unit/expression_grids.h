/* expression_grid.h for OP and every type, and the table of_OP of them. No include guard, on purpose. */
#define ACC i8
#include "expression_grid.h"
#undef ACC
#define ACC u8
#include "expression_grid.h"
#undef ACC
#define ACC i16
#include "expression_grid.h"
#undef ACC
#define ACC u16
#include "expression_grid.h"
#undef ACC
#define ACC i32
#include "expression_grid.h"
#undef ACC
#define ACC u32
#include "expression_grid.h"
#undef ACC
#define ACC i64
#include "expression_grid.h"
#undef ACC
#define ACC u64
#include "expression_grid.h"
#undef ACC
#define ACC f32
#include "expression_grid.h"
#undef ACC
#define ACC f64
#include "expression_grid.h"
#undef ACC

#define OF(T, id) [id] = &PASTE4(of_grid_, OP, _, T)
static const struct of_grid *const PASTE2(grids_, OP)[TYPE_COUNT] = {
	OF(i8, TYPE_I8),   OF(u8, TYPE_U8),   OF(i16, TYPE_I16), OF(u16, TYPE_U16), OF(i32, TYPE_I32),
	OF(u32, TYPE_U32), OF(i64, TYPE_I64), OF(u64, TYPE_U64), OF(f32, TYPE_F32), OF(f64, TYPE_F64)};
#undef OF
#undef COMBINE
