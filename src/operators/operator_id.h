/* The numbers of the operators, in the order of the table (operators.inc). */
#ifndef PSCAN_OPERATORS_OPERATOR_ID_H
#define PSCAN_OPERATORS_OPERATOR_ID_H

enum operator_id {
#define OPERATORS_AS_IDS
#include "operators/every.inc"
#undef OPERATORS_AS_IDS
	OPERATOR_ID_COUNT,
};

#endif
