# Puts the operators' table, as scan/operators.inc has it, into the man page in the place of the line that asks for it:
#     awk -f operators.awk operators.inc pscan.1
function unquoted() {
	sub(/^[^"]*"/, "")
	sub(/"$/, "")
	return $0
}
FNR == NR && /^#define OP_NAME / { name = unquoted() }
FNR == NR && /^#define OP_SYMBOL / { symbol = unquoted() }
FNR == NR && /^#define OP_ABOUT / { about = unquoted() }
FNR == NR && /^#define OP_PARAMETER 1/ { factor = ":A" }
FNR == NR && /^#include/ {
	sub(/\|/, "\\(ba", symbol)
	if (about != "")
		table = table ".It Cm " name factor (symbol == "" ? "" : " No or Cm " symbol) "\n" about "\n"
	symbol = factor = ""
}
FNR == NR { next }
/^\.\\" The operators\.$/ {
	printf "%s", table
	next
}
{ print }
