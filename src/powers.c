#include "powers.h"

const struct power power_table[] = {
#include "powers.inc"
};
