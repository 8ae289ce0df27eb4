# Fills the manual's marks with facts from operators/operators.inc: the table of operators, and a sentence on their
# identities.
function unquoted(    text) {
	text = $0
	gsub(/^[^"]*"|"$/, "", text)
	return text
}

# "NAMES, and NAME" as arguments of .Cm: those after the first line are a line of their own.
function listed(names,    n, word, i, text) {
	n = split(names, word, " ")
	text = ".Cm " word[1]
	for (i = 2; i < n; i++)
		text = text " , " word[i]
	return n > 1 ? text "\nand\n.Cm " word[n] : text
}

FNR == NR && /^#define OP / { name = $3 }
FNR == NR && /^#define OP_SYMBOL / { symbol = unquoted() }
FNR == NR && /^#define OP_ABOUT / { about = unquoted() }
FNR == NR && /^#define OP_PARAMETER 1/ { factor = ":A" }
FNR == NR && /^#define OP_IDENTITY / { identity = $3 }
FNR == NR && /^$/ {
	sub(/\|/, "\\(ba", symbol)
	if (about != "") {
		table = table ".It Cm " name factor (symbol == "" ? "" : " No or Cm " symbol) "\n" about "\n"
		have[identity] = have[identity] " " name
	}
	symbol = factor = identity = ""
}
FNR == NR { next }
/^\.\\" The operators\.$/ {
	printf "%s", table
	next
}
/^\.\\" The identities\.$/ {
	count = split("ZERO ONE ONES LEAST GREATEST NOT_A_NUMBER ABSENT", kind, " ")
	split("0|1|all ones|the least value of the type|the greatest value of the type|nan|an absent result", value,
		"|")
	print "The identity is"
	for (i = 1; i <= count; i++)
		print value[i] " for\n" listed(have[kind[i]]) (i < count ? " ," : " .")
	next
}
{ print }
