# Writes the facts of operators/operators.inc as C's preprocessor wants them:
#     awk -v directory=DIRECTORY -f operator_facts.awk operators.inc
# to directory/OP.inc.new those of an operator, with defaults for those that its block leaves out, and to
# directory/every.inc.new those of all operators, one after the other, for operators/each_operator.inc.
/^$/ { operator = "" }
/^#define OP / { operator = operators[++operator_count] = $3 }
/^#define OP/ {
	name = $2
	sub(/\(.*/, "", name)
	if (!(name in known))
		names[++name_count] = name
	known[name]
	lines[operator, name] = $0
}
END {
	for (o = 1; o <= operator_count; o++) {
		facts = "#define OP_ID OPERATOR_" toupper(operators[o]) "\n"
		undone = "#undef OP_ID\n"
		for (n = 1; n <= name_count; n++) {
			key = (operators[o] SUBSEP names[n]) in lines ? operators[o] : ""
			if (!((key SUBSEP names[n]) in lines))
				continue
			facts = facts lines[key, names[n]] "\n"
			undone = undone "#undef " names[n] "\n"
		}
		printf "%s", facts > (directory "/" operators[o] ".inc.new")
		close(directory "/" operators[o] ".inc.new")
		printf "%s#include \"operators/each_operator.inc\"\n%s", facts, undone > (directory "/every.inc.new")
	}
}
