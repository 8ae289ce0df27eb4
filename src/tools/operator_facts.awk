# Writes the facts of each operator, as scan/operators.inc has them, to directory/OP.inc.new:
#     awk -v directory=DIRECTORY -f operator_facts.awk operators.inc
/^#define OP / {
	file = directory "/" $3 ".inc.new"
	printf "/* From scan/operators.inc. */\n" > file
}
/^#include/ {
	close(file)
	file = ""
}
file != "" { print > file }
