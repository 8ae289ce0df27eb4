/* A worker reads a chunk from a file that has become shorter since the source saw it. */
#include "chunk/slot.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/args.h"
#include "check.h"
#include "io/input.h"
#include "cli/make_plan.h"

static struct options o; /* a plan borrows from it */

/* The plan of a command line with one argument. */
static bool make(struct plan *plan, char *argument)
{
	static char program[] = "pscan";
	char *arguments[] = {program, argument, NULL};
	optind = 0; /* begins anew */
	return args_parse(2, arguments, &o) == STATUS_OK &&
	       plan_make(plan, &o, 1, &(struct plan_input){.block = (const unsigned char *)"", .size = 1}) == STATUS_OK;
}

static void free_plan(struct plan *plan)
{
	plan_free(plan);
	bytes_free(&o.scan.operators);
	bytes_free(&o.fields.numbers);
}

/* Loads wanted bytes of a file that holds only size of them, and expects whole ones. */
static void loads(char *argument, const char *bytes, size_t size, size_t wanted, size_t whole)
{
	static char name[] = "/tmp/slot_test.XXXXXX";
	struct plan plan;
	struct slot s = {0};
	struct problem problem;
	struct input *input = NULL;
	memcpy(name + strlen(name) - 6, "XXXXXX", 6);
	const int fd = mkstemp(name);
	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size || !make(&plan, argument) ||
	    input_open(name, true, &input, &problem) != STATUS_OK) {
		EXPECT(false, "%s: no input", argument);
		return;
	}
	EXPECT(slot_prepare(&s, &plan) == STATUS_OK, "%s: no lanes", argument);
	s.capacity = plan.sizes.chunk_elements;
	s.in.size = wanted;
	s.in.input = input;
	EXPECT(slot_load(&s, &plan) == STATUS_OK, "%s: not loaded", argument);
	EXPECT(s.in.size == whole && memcmp(s.in.data, bytes, whole) == 0, "%s: %zu bytes", argument, s.in.size);
	EXPECT(s.in.last == (wanted > size), "%s: last %d", argument, s.in.last);
	if (wanted > size)
		EXPECT(s.in.source_problem.status == STATUS_SYSTEM && s.in.source_problem.fatal &&
			       strcmp(s.in.source_problem.text, input_shrunk_text) == 0,
		       "%s: status %d, %s", argument, (int)s.in.source_problem.status, s.in.source_problem.text);
	else
		EXPECT(s.in.source_problem.status == STATUS_OK, "%s: %s", argument, s.in.source_problem.text);
	EXPECT(s.in.input == NULL, "%s: the input is held", argument);
	slot_free(&s);
	free_plan(&plan);
	(void)close(fd);
	(void)unlink(name);
}

int main(void)
{
	static char text[] = "--format=text", binary[] = "-ti32";
	loads(text, "12 3\n45\n6", 9, 9, 9);
	loads(binary, "abcdefgh", 8, 8, 8);
	check_promise("a window of a file is read whole");
	loads(text, "12 3\n45\n6", 9, 20, 8);
	loads(text, "12 3\n", 5, 20, 5);
	loads(text, "", 0, 20, 0);
	loads(binary, "abcdefghij", 10, 16, 8);
	check_promise(
		"what is left of a file that became shorter is read up to its last whole record, and ends the stream");
	return check_done();
}
