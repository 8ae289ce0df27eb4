/* Runs pscan with many command lines in one process and one OpenCL context, so that their programs are in PoCL's cache
 * when tests want them. PoCL reads its library of functions once a context; a process for each program would read it
 * each time, which takes longer than the rest. The results are dropped.
 *
 *     compile_kernels <LINES
 *
 * A line has columns: the shape (cpu or gpu), the input (text; bytes; tiles or zeros: more bytes, for which the kernels
 * of whole tiles are compiled, too), and pscan's arguments, each a column. Exit status 1 if a command line failed
 * or needs no device.
 *
 * The linker puts this main before pscan's, and this clCreateContext before the library's. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORDS_MAX 32
/* Bytes of the inputs: multiples of many sizes of records. The second is more than a tile of those of 24 bytes. */
#define BYTES 1920
#define TILES_BYTES (64 * BYTES)

typedef void CL_CALLBACK on_error(const char *, const void *, size_t, void *);

int __real_main(int argc, char **argv);
int __wrap_main(int argc, char **argv);
cl_context __real_clCreateContext(const cl_context_properties *properties, cl_uint count, const cl_device_id *devices,
				  on_error *notify, void *data, cl_int *code);
cl_context __wrap_clCreateContext(const cl_context_properties *properties, cl_uint count, const cl_device_id *devices,
				  on_error *notify, void *data, cl_int *code);

/* Whether the line that runs asked for a context. One that does not compiles nothing, and closes the output that all
 * lines share. */
static bool has_context;

/* The first context, which is kept for all. */
cl_context __wrap_clCreateContext(const cl_context_properties *properties, cl_uint count, const cl_device_id *devices,
				  on_error *notify, void *data, cl_int *code)
{
	static cl_context kept;
	has_context = true;
	if (kept == NULL)
		kept = __real_clCreateContext(properties, count, devices, notify, data, code);
	if (kept != NULL)
		*code = clRetainContext(kept);
	return kept;
}

/* A file with an input: lines of eight numbers, or bytes. Only zeros has numbers that are 0, by which a program may
 * not divide. */
static FILE *input(const char *kind)
{
	FILE *file = tmpfile();
	if (file == NULL)
		exit(2);
	static char bytes[TILES_BYTES];
	memset(bytes, strcmp(kind, "zeros") == 0 ? 0 : 1, sizeof bytes);
	if (strcmp(kind, "text") == 0)
		(void)fputs("1 1 1 1 1 1 1 1\n2 2 2 2 2 2 2 2\n1 1 1 1 1 1 1 1\n", file);
	else
		(void)fwrite(bytes, 1, strcmp(kind, "bytes") == 0 ? BYTES : TILES_BYTES, file);
	if (fflush(file) != 0)
		exit(2);
	return file;
}

/* Runs pscan with the line's arguments. Returns its exit status. */
static int run(char *line)
{
	char name[] = "pscan";
	char without[] = "--no-sandbox"; /* Others would be in the first one's. */
	char *words[WORDS_MAX + 1] = {name, without};
	int count = 2;
	const char *shape = strtok(line, "\t");
	const char *kind = strtok(NULL, "\t");
	if (shape == NULL || kind == NULL)
		return 2;
	for (char *word = strtok(NULL, "\t"); word != NULL && count < WORDS_MAX; word = strtok(NULL, "\t"))
		words[count++] = word;
	FILE *in = input(kind);
	rewind(in);
	(void)dup2(fileno(in), STDIN_FILENO);
	(void)fclose(in);
	(void)setenv("PSCAN_SHAPE", shape, 1);
	optind = 0;
	const int status = __real_main(count, words);
	(void)alarm(0);
	return status;
}

int __wrap_main(int argc, char **argv)
{
	char *line = NULL;
	char *copy = NULL;
	size_t size = 0;
	int failed = 0;
	FILE *lines = fdopen(dup(STDIN_FILENO), "r");
	(void)argc;
	(void)argv;
	if (lines == NULL || freopen("/dev/null", "w", stdout) == NULL)
		return 2;
	(void)setenv("PSCAN_TRIAL", "off", 1);
	while (getline(&line, &size, lines) > 0) {
		line[strcspn(line, "\n")] = '\0';
		free(copy);
		copy = strdup(line);
		has_context = false;
		if (copy == NULL || run(line) != 0 || !has_context) {
			(void)fprintf(stderr, "compile_kernels: %s%s\n",
				      has_context ? "" : "nothing is compiled: ", copy != NULL ? copy : "no memory");
			failed = 1;
		}
	}
	free(copy);
	free(line);
	(void)fclose(lines);
	return failed;
}
