# Writes the shells' completions of pscan's options, from the rows of src/cli/options.inc.
#
#     awk -f completions.awk -v shell=zsh src/cli/options.inc
#     awk -f completions.awk -v shell=bash src/cli/options.inc man/pscan.bash    fills in @options@ and @values@
#
# A row is OPTION(TOPIC, "-t IN, --type=IN", "what it means", "words that it may be", reader), with NULL for no words.

# The text in the shell's single quotes.
function quoted(text) {
	if (shell == "fish")
		gsub(/\\/, "\\\\", text)
	gsub(/'/, shell == "fish" ? "\\'" : "'\\''", text)
	return "'" text "'"
}

# Takes a line: sets letter, name, kind (no, required or optional), meaning, values, is_file.
function take(line, strings, spelling) {
	split(line, strings, /",[ \t]*"|",[ \t]*NULL|"/)
	spelling = strings[2]
	meaning = strings[3]
	values = strings[4] ~ /^[a-z0-9]/ ? strings[4] : ""
	gsub(/\\\\/, "\\", meaning)
	if (spelling ~ /TOPIC/)
		values = topics
	letter = spelling ~ /^-[a-zA-Z][ ,]/ ? substr(spelling, 2, 1) : ""
	if (!match(spelling, /--[a-z-]+/))
		return 0
	name = substr(spelling, RSTART + 2, RLENGTH - 2)
	spelling = substr(spelling, RSTART + RLENGTH)
	kind = spelling ~ /^\[=/ ? "optional" : spelling ~ /^=/ ? "required" : "no"
	is_file = spelling ~ /FILE\]?$/
	return 1
}

# What zsh does for the argument: words, the program's operators or files.
function zsh_action() {
	if (name == "op" || name == "show-operator")
		return "operator:_pscan_operators"
	return values != "" ? "value:(" values ")" : is_file ? "file:_files" : "value: "
}

function zsh(    what) {
	what = "[" meaning "]"
	gsub(/:/, "\\:", what)
	if (kind == "required") {
		print "\t" quoted("--" name "=" what ":" zsh_action()) " \\"
		if (letter != "")
			print "\t" quoted("-" letter "+" what ":" zsh_action()) " \\"
		if (name == "op")
			print "\t" quoted("-op" what ":" zsh_action()) " \\"
	} else {
		print "\t" quoted("--" name (kind == "optional" ? "=-" : "") what \
			(kind == "optional" ? "::" zsh_action() : "")) " \\"
		if (letter != "")
			print "\t" quoted("-" letter what) " \\"
	}
}

function fish(    line) {
	# An argument that may be lacking is one of the long option only, after an =: fish has no word for that.
	line = "complete -c pscan -l " name (name == "op" ? " -o op" : "") (letter == "" ? "" : " -s " letter)
	if (name == "op" || name == "show-operator")
		line = line " -x -a '(__pscan_operators)'"
	else if (kind == "required")
		line = line (is_file ? " -r -F" : " -x") (values == "" ? "" : " -a " quoted(values))
	print line " -d " quoted(meaning)
}

BEGIN {
	words = ""
	cases = ""
	if (shell == "zsh") {
		print "#compdef pscan"
		print "_pscan_operators() {"
		print "\tlocal -a operators"
		print "\toperators=(${${(f)\"$(pscan --list-operators 2>/dev/null)\"}%% *})"
		print "\tcompadd -- ${operators%:A}"
		print "}"
		print "_arguments -s \\"
	} else if (shell == "fish") {
		print "function __pscan_operators"
		print "\tpscan --list-operators 2>/dev/null | string replace -r '(:A)? .*' ''"
		print "end"
	}
}

# The topics, which are --help's words.
FILENAME ~ /options\.inc$/ && /^TOPIC\(/ {
	split($0, parts, "\"")
	topics = topics (topics == "" ? "" : " ") parts[2]
}

FILENAME ~ /options\.inc$/ {
	if (/^OPTION\(/ || line != "")
		line = line $0
	if (line == "" || line !~ /\)$/)
		next
	if (!take(line))
		name = ""
	else if (shell == "zsh")
		zsh()
	else if (shell == "fish")
		fish()
	else {
		words = words " --" name (kind == "required" ? "=" : "") (kind == "optional" ? " --" name "=" : "")
		if (values != "")
			cases = cases "\t" (letter == "" || kind != "required" ? "" : "-" letter " | ") "--" name \
				") echo " values " ;;\n"
	}
	line = ""
	next
}

# The template of bash's.
/@values@/ { printf "%s", cases; next }
{ sub(/@options@/, "-op" words); print }

END {
	if (shell == "zsh")
		print "\t'*:file:_files'"
}
