/* The first error in build logs of users' programs. The logs are such as PoCL and NVIDIA's driver write, which count
 * lines in different ways. */
#include "device/build_log.h"

#include <stdio.h>
#include <string.h>

#include "check.h"
#include "base/memory.h"
#include "scan/program.h"

/* The user's text is the source's lines 4 and 5. */
static const char source[] =
	"one\ntwo\n#line 1 \"-op\"\na +\n b + c\n);\n#line 1 \"prelude\"\nmore\n#line 1 \"tile.h\"\n";

static void expect(const char *what, const char *log, unsigned long line, unsigned long column, const char *why)
{
	const struct build_error e = build_log_read(log, source, strlen(source));
	EXPECT(e.line == line && (line == 0 || e.column == column), "%s: line %lu, column %lu", what, e.line, e.column);
	EXPECT(e.size == strlen(why) && memcmp(e.why, why, e.size) == 0, "%s: %.*s", what, (int)e.size, e.why);
}

static void places(void)
{
	expect("pocl", "error: -op:2:6: use of undeclared 'c'\nmore: error: x\n", 2, 6, "use of undeclared 'c'");
	expect("clang", "warning: w\n-op:2:6: error: use of undeclared 'c'\n b + c\n", 2, 6, "use of undeclared 'c'");
	expect("a macro's", "error: -op:1:4 <Spelling=/usr/x.h:138:24>: call to 'm' is ambiguous\n", 1, 4,
	       "call to 'm' is ambiguous");
	expect("a macro's that the compiler has", "error: -op:1:4 <Spelling=<scratch space>:9:1>: expected ')'\n", 1, 4,
	       "expected ')'");
	expect("a macro's, cut off", "error: -op:1:4 <Spelling=/usr/x.h\nmore>: x\n", 0, 0,
	       "-op:1:4 <Spelling=/usr/x.h");
	expect("the whole source", "<kernel>:5:6: error: use of undeclared 'c'\n b + c\n", 2, 6,
	       "use of undeclared 'c'");
	expect("its first line", "<kernel>:4:1: error: x", 1, 1, "x");
	expect("before it", "<kernel>:3:1: error: x", 0, 0, "x");
	expect("well before it", "<kernel>:1:1: error: x", 0, 0, "x");
	expect("after it", "<kernel>:7:1: error: x", 0, 0, "x");
	expect("a file of the kernels", "tile.h:5:6: error: x: y\n", 0, 0, "x: y");
	expect("the prelude", "error: prelude:5:6: x\n", 0, 0, "x");
	EXPECT(build_log_read("<kernel>:3:1: error: x", source, strlen(source)).part == NULL, "before it: in no part");
	check_promise("a place is one of the user's text, whoever counts the lines");
}

/* What is in a file that the text includes. */
static void included(void)
{
	static const char including[] = "#line 1 \"-op\"\n#include \"a/b.h\"\n#include <c.h>\nd\n#line 1 \"tile.h\"\n";
	static const struct {
		const char *log;
		unsigned long line;
	} logs[] = {{"a/b.h:3:1: error: x", 0},
		    {"./a/b.h:3:1: error: x", 0},
		    {"/usr/c.h:3:1: error: x", 0},
		    {"/usr/d.h:3:1: error: x", 2},
		    {"b.h:3:1: error: x", 2}};
	for (size_t i = 0; i < sizeof logs / sizeof logs[0]; i++) {
		const struct build_error e = build_log_read(logs[i].log, including, strlen(including));
		EXPECT(e.line == logs[i].line && (e.part == NULL) == (e.line == 0), "%s: line %lu", logs[i].log,
		       e.line);
	}
	check_promise("a line of an included file is none of the text's");
}

static void no_places(void)
{
	expect("a heading", "Error(s) while linking: \nno symbol foo\nmore\n", 0, 0, "no symbol foo");
	expect("a heading alone", "Error(s) while linking:", 0, 0, "Error(s) while linking:");
	expect("no numbers", "error: out of registers\n", 0, 0, "out of registers");
	expect("numbers of other things", "f:1: error: a ? b:2:3\n", 0, 0, "a ? b:2:3");
	expect("no error", "something\nelse", 0, 0, "something");
	expect("nothing", "", 0, 0, "");
	expect("no place for it", "-op:0:3: error: x", 0, 0, "x");
	expect("a large line", "<kernel>:99999999999999999999:1: error: x", 0, 0, "x");
	check_promise("a log without a place has a reason");
}

/* What a program's own text is in the whole source. */
static void of_a_program(void)
{
	struct program *p;
	struct bytes text = {0};
	EXPECT(program_new("a\n* b", &p) == STATUS_OK && program_write(p, &type_table[TYPE_U8], &text) == STATUS_OK,
	       "a program");
	EXPECT(bytes_append(&text, "#line 1 \"prelude\"\n", 17) == STATUS_OK, "the rest");
	const char *begin = strstr((const char *)text.data, "a\n* b");
	size_t line = 1;
	for (const char *c = (const char *)text.data; c < begin; c++)
		line += *c == '\n';
	char log[64];
	(void)snprintf(log, sizeof log, "src:%zu:3: error: x", line + 1);
	const struct build_error e = build_log_read(log, (const char *)text.data, text.size);
	EXPECT(e.line == 2 && e.column == 3, "%zu is line %lu", line + 1, e.line);
	bytes_free(&text);
	program_free(p);
	check_promise("a program's text is found in its source");
}

int main(void)
{
	places();
	included();
	no_places();
	of_a_program();
	return check_done();
}
