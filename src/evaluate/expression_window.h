/* Windows (scan/window.h) of a combine that is an expression of a and b, in the grid's order. Elements, states and
 * results are numbers of the expression's type. Where an element or its window needs a combination without a value
 * (evaluate/expression_scan.h), it is as if the result did not fit; the window is undefined from there on. */
#ifndef PSCAN_EVALUATE_EXPRESSION_WINDOW_H
#define PSCAN_EVALUATE_EXPRESSION_WINDOW_H

#include "evaluate/evaluate.h"
#include "rows/row_code.h"

/* Makes the evaluator of a combine, for windows and for expression_scan.h: it has the memory that they need. e: an
 * expression of a and b, borrowed. NULL after a message if memory is missing. The caller frees it with
 * evaluator_free. */
struct evaluator *expression_combine_new(const struct expression *e);

/* Returns the bytes of the largest window of an expression, a multiple of the alignment. */
size_t expression_window_size_max(void);

/* Returns the code of the windows of states of a type. struct window_row must have the evaluator: see its `combine`. */
const struct window_code *expression_window_code(const struct type *type);

#endif
