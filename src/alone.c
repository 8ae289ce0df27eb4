/* The ordinary program is one process, so it has no ranks. */
#include "ranks.h"

#include <stddef.h>

const struct ranks *const ranks = NULL;
