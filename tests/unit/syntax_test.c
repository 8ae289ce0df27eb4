/* The tree of an expression (language/syntax.h). Its values are compared with those that the compiler gives for the
 * same text. The parser refuses what it does not know. */
#include "language/syntax.h"

#include <stdint.h>
#include <stdlib.h>

#include "check.h"

#pragma GCC diagnostic ignored "-Wparentheses"

static bool is_type(const void *context, const struct token *word)
{
	(void)context;
	return token_is(word, "long");
}

struct text {
	struct token_list list;
	struct parser parser;
};

static void begin(struct text *t, const char *text)
{
	*t = (struct text){.parser = {.is_type = is_type}};
	if (tokens_read(text, strlen(text), &t->list) != STATUS_OK ||
	    parser_begin(&t->parser, tokens_first(&t->list), tokens_first(&t->list) + tokens_count(&t->list)) !=
		    STATUS_OK)
		exit(1);
}

static void end(struct text *t)
{
	tokens_free(&t->list);
	parser_free(&t->parser);
}

static int64_t value_of(const struct node *n);

static int64_t value_of_binary(const char *sign, size_t size, int64_t a, int64_t b)
{
	const char second = size > 1 ? sign[1] : '\0';
	switch (sign[0]) {
	case '*':
		return a * b;
	case '/':
		return a / b;
	case '%':
		return a % b;
	case '+':
		return a + b;
	case '-':
		return a - b;
	case '<':
		return second == '<' ? (int64_t)((uint64_t)a << b) : second == '=' ? a <= b : a < b;
	case '>':
		return second == '>' ? a >> b : second == '=' ? a >= b : a > b;
	case '=':
		return a == b;
	case '!':
		return a != b;
	case '&':
		return second == '&' ? a && b : a & b;
	case '|':
		return second == '|' ? a || b : a | b;
	default:
		return a ^ b;
	}
}

static int64_t value_of(const struct node *n)
{
	const int64_t first = n->child != NULL ? value_of(n->child) : strtoll(n->token->text, NULL, 10);
	if (n->kind == NODE_CHOICE)
		return value_of(first != 0 ? n->child->next : n->child->next->next);
	if (n->kind == NODE_BINARY)
		return value_of_binary(n->token->text, n->token->size, first, value_of(n->child->next));
	if (n->kind == NODE_PREFIX)
		return *n->token->text == '-'   ? -first
		       : *n->token->text == '!' ? !first
		       : *n->token->text == '~' ? ~first
						: first;
	return first;
}

#define CASE(...)                         \
	{                                 \
#__VA_ARGS__, __VA_ARGS__ \
	}

static void test_values(void)
{
	static const struct {
		const char *text;
		int64_t value;
	} cases[] = {
		CASE(7),
		CASE(1 + 2 * 3 - 4),
		CASE((1 + 2) * 3),
		CASE(100 / 7 / 2 * 3 % 5),
		CASE(10 - 4 - 3),
		CASE(1 << 2 + 3 >> 1),
		CASE(1 + 2 < 4 == 1),
		CASE(7 & 3 == 3),
		CASE(6 ^ 3 & 5 | 8),
		CASE(1 || 0 && 0),
		CASE(0 && 1 || 1),
		CASE(5 > 3 != 2 <= 1),
		CASE(5 >= 5 & 4 != 4 | 2),
		CASE(0   ? 1
		     : 0 ? 2
			 : 3),
		CASE(1 ? 0 ? 4 : 5 : 6),
		CASE(1 < 2 ? 3 + 4 : 5),
		CASE(-3 - -2),
		CASE(-2 * ~5 + !0),
		CASE(!1 + 1),
		CASE(- -7 - +-2),
		CASE((long)3 * 2 + (long)-1),
		CASE(((((8)))) - (2)),
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct text t;
		begin(&t, cases[i].text);
		const struct node *n = parse_expression(&t.parser);
		EXPECT(n != NULL && t.parser.next == t.parser.end && value_of(n) == cases[i].value,
		       "%s: %lld, not %lld", cases[i].text, n != NULL ? (long long)value_of(n) : 0,
		       (long long)cases[i].value);
		end(&t);
	}
	check_promise("operators bind as the compiler has them");
}

/* Writes a tree: each node as its token, with its children in brackets. */
static void write_tree(const struct node *n, struct bytes *text)
{
	bool good = bytes_format(text, "%.*s", (int)n->token->size, n->token->text) == STATUS_OK;
	for (const struct node *child = n->child; child != NULL && good; child = child->next) {
		good = bytes_append(text, child == n->child ? "(" : " ", 1) == STATUS_OK;
		write_tree(child, text);
	}
	if (n->child != NULL && good)
		good = bytes_append(text, ")", 1) == STATUS_OK;
	if (!good)
		exit(1);
}

static void test_trees(void)
{
	static const struct {
		const char *text, *tree; /* NULL: it is refused */
	} cases[] = {
		{"a.x = b.y[2].z++;", "=(x(a) ++(z([(y(b) 2))))"},
		{"x += f() + g(1, h(y));", "+=(x +(f g(1 h(y))))"},
		{"a = b = c;", "=(a =(b c))"},
		{"x = 1e-5 - .5f;", "=(x -(1e-5 .5f))"},
		{"const double x = 1, y[2] = {x, 3};", "double(double x(1) y([(2) {(x 3)))"},
		{"unsigned long int_of;", "long(unsigned int_of)"},
		{"struct point { int x, y[2]; } p;", "}(point(int(int x y([(2)))) p)"},
		{"if (x < 1) return; else { y--; ; }", "if(<(x 1) return {(--(y) ;))"},
		{"for (int i = 0; i < 3; i++, j += 2) break;", "for(int(int i(0)) ;(<(i 3)) ;(++(i) +=(j 2)) break)"},
		{"for (;;) continue;", "for(( ; ; continue)"},
		{"do x = 1; while (x == 2);", "do(=(x 1) ==(x 2))"},
		{"while (1) if (x) if (y) z = 1; else z = 2;", "while(1 if(x if(y =(z 1) =(z 2))))"},
		{"x = *y;", NULL},
		{"x = &y;", NULL},
		{"x = y->z;", NULL},
		{"x = (y, z);", NULL},
		{"x = y ?: z;", NULL},
		{"x = sizeof y;", NULL},
		{"x = (long){3};", NULL},
		{"x = 'c';", NULL},
		{"goto end", NULL},
		{"switch (x) { case 1: ; }", NULL},
		{"x = 1", NULL},
		{"x = (1;", NULL},
		{"x = 1 +;", NULL},
		{"if x) y = 1;", NULL},
		{"{ x = 1;", NULL},
		{"f(1, );", NULL},
		{"", NULL},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct text t;
		struct bytes tree = {0};
		begin(&t, cases[i].text);
		const struct node *n = parse_statement(&t.parser);
		if (n != NULL && t.parser.next == t.parser.end)
			write_tree(n, &tree);
		if (bytes_append(&tree, "", 1) != STATUS_OK)
			exit(1);
		EXPECT(strcmp((const char *)tree.data, cases[i].tree != NULL ? cases[i].tree : "") == 0, "%s: %s",
		       cases[i].text, (const char *)tree.data);
		bytes_free(&tree);
		end(&t);
	}
	check_promise("statements have the trees that C says, and what is not known is refused");
}

/* The parser is used again for each text, as its users do. */
static void test_failures(void)
{
	static const struct {
		const char *text;
		size_t failed; /* the index of the token; SIZE_MAX: the text is understood */
		const char *expected;
	} cases[] = {
		{"x = 1", 3, ";"},
		{"x = 1 y = 2;", 3, ";"},
		{"break", 1, ";"},
		{"x : y = 1;", 1, ";"},
		{"x = 1;", SIZE_MAX, NULL},
		{"switch (x) { case 1: ; }", 4, ";"},
		{"do x = 1; until (x);", 5, "while"},
		{"do x = 1; while x;", 6, "("},
		{"if x) y = 1;", 1, "("},
		{"while (x y = 1;", 3, ")"},
		{"for x;;) y = 1;", 1, "("},
		{"x = y[1;", 5, "]"},
		{"x = y.;", 4, "a member's name"},
		{"x = y ? 1;", 5, ":"},
		{"goto x;", SIZE_MAX, NULL},
	};
	struct parser p = {.is_type = is_type};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct token_list list = {0};
		if (tokens_read(cases[i].text, strlen(cases[i].text), &list) != STATUS_OK ||
		    parser_begin(&p, tokens_first(&list), tokens_first(&list) + tokens_count(&list)) != STATUS_OK)
			exit(1);
		const bool is = parse_statement(&p) != NULL;
		const size_t failed = p.failed != NULL ? (size_t)(p.failed - tokens_first(&list)) : SIZE_MAX;
		EXPECT(is == (cases[i].expected == NULL) && failed == cases[i].failed, "%s: %zu", cases[i].text,
		       failed);
		EXPECT(is || (p.expected != NULL && strcmp(p.expected, cases[i].expected) == 0), "%s", cases[i].text);
		tokens_free(&list);
	}
	parser_free(&p);
	check_promise("a statement that is refused has the token that was not understood, and what was expected");
}

/* Brackets, signs and assignments within each other, more than a thread's stack has room for. */
static void test_depth(void)
{
	static const char *const parts[] = {"(", "-", "!", "a=", "f(", "a[", "1?1:"};
	static char text[500000];
	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
		const size_t size = strlen(parts[i]);
		struct text t;
		memset(text, 0, sizeof text);
		for (size_t k = 0; k + size < sizeof text; k += size)
			memcpy(text + k, parts[i], size);
		begin(&t, text);
		EXPECT(parse_expression(&t.parser) == NULL && t.parser.expected != NULL, "%s", parts[i]);
		end(&t);
	}
	check_promise("an expression that is nested a hundred thousand times is refused");
}

int main(void)
{
	test_depth();
	test_failures();
	test_values();
	test_trees();
	return check_done();
}
