# The operators that have vector code, of operators/operators.inc's.
/^#define OP / { name = $3 }
/^#define OP_(ANY_ORDER|IN_ORDER) / && name != last { print last = name }
/^$/ { last = name = "" }
