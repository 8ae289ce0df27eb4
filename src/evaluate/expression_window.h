/* Windows by count (scan/window.h) of a combine that is an expression of a and b, in the grid's order. Elements, states
 * and results are numbers of the expression's type. An element that needs, also for its window, a combination without a
 * value (evaluate/expression_scan.h) has a result that does not fit. The window is undefined from there on. */
#ifndef PSCAN_EVALUATE_EXPRESSION_WINDOW_H
#define PSCAN_EVALUATE_EXPRESSION_WINDOW_H

#include "evaluate/evaluate.h"
#include "rows/row_code.h"

/* Returns the bytes of the largest window (struct window with its prefix) of an expression, a multiple of the
 * alignment. */
size_t expression_window_size_max(void);

/* Returns the code for windows whose states have a type, that of the expression. `combine` of struct window_row must be
 * the combination. */
const struct window_code *expression_window_code(const struct type *type);

#endif
