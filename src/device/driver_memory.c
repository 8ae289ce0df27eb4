/* The file is text. Its head is the question: version, device, row, and the environment that drivers are chosen by. A
 * line follows for each file in the directory that lists drivers, and for each file that /proc/self/maps shows as
 * mapped for execution, pscan itself included. A replaced file has another size or time, so the trial is repeated. */
#include "device/driver_memory.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/version.h"
#include "device/opencl_cache.h"
#include "device/opencl_engine.h"
#include "scan/program.h"

#define SIZE_MAX_BYTES ((size_t)1 << 20)
#define LINE_MAX_BYTES (PATH_MAX + 64)
#define END_FOUND "found\n"
#define END_NONE "none\n"

static const char *const environment[] = {"OCL_ICD_VENDORS", "OCL_ICD_FILENAMES", "OPENCL_VENDOR_PATH", "OPENCL_LAYERS",
					  "LD_LIBRARY_PATH", "LD_PRELOAD",        "PSCAN_SHAPE",        "PSCAN_MEMORY"};

static enum status append_text(struct bytes *to, const char *text)
{
	return bytes_append(to, text, strlen(text));
}

/* Appends the line NAME=VALUE, or NAME alone if value is NULL. */
static enum status append_setting(struct bytes *to, const char *name, const char *value)
{
	return bytes_format(to, "%s%s%s\n", name, value != NULL ? "=" : "", value != NULL ? value : "");
}

enum status driver_memory_ask(const char *spec, const struct row *row, struct bytes *question)
{
	char text[160];
	(void)snprintf(text, sizeof text, "%s %s %s %d %d %d %d %a", row->op->text, row->in->name, row->acc->name,
		       row->checked, row->overflow_checked, row->exclusive, (int)row->algorithm, row->parameter);
	TRY(append_setting(question, "pscan", PSCAN_VERSION));
	TRY(append_setting(question, "device", spec));
	if (spec == NULL || row->op->program != NULL)
		TRY(append_setting(question, "row", text));
	if (row->op->program != NULL)
		TRY(program_write(row->op->program, row->acc, question));
	for (size_t i = 0; i < sizeof environment / sizeof environment[0]; i++)
		TRY(append_setting(question, environment[i], getenv(environment[i])));
	return STATUS_OK;
}

/* Makes a line with the size, time and name of a file. False if the file is missing or a character device, or if its
 * name does not fit a line. */
static bool describe(const char *path, char line[LINE_MAX_BYTES])
{
	struct stat st;
	return stat(path, &st) == 0 && !S_ISCHR(st.st_mode) && strchr(path, '\n') == NULL &&
	       snprintf(line, LINE_MAX_BYTES, "%jd %jd.%09ld %s\n", (intmax_t)st.st_size, (intmax_t)st.st_mtim.tv_sec,
			st.st_mtim.tv_nsec, path) < LINE_MAX_BYTES;
}

static enum status append_file(struct bytes *to, const char *path)
{
	char line[LINE_MAX_BYTES];
	return describe(path, line) ? append_text(to, line) : STATUS_SYSTEM;
}

/* Appends a line for the directory that lists drivers, and one for each file in it. */
static enum status append_vendors(struct bytes *to)
{
	const char *vendors = opencl_engine_vendors();
	DIR *directory = opendir(vendors);
	if (directory == NULL)
		return STATUS_OK;
	enum status status = append_file(to, vendors);
	const struct dirent *entry;
	while (status == STATUS_OK && (entry = readdir(directory)) != NULL) {
		char path[PATH_MAX];
		const int size = snprintf(path, sizeof path, "%s/%s", vendors, entry->d_name);
		if (entry->d_name[0] != '.' && size < (int)sizeof path)
			status = append_file(to, path);
	}
	(void)closedir(directory);
	return status;
}

/* Appends a line for each file that is mapped for execution, except kernels in the cache, which come and go. */
static enum status append_mapped(struct bytes *to, const char *cache)
{
	char line[LINE_MAX_BYTES];
	char file[LINE_MAX_BYTES];
	char before[LINE_MAX_BYTES] = "";
	FILE *maps = fopen("/proc/self/maps", "re");
	if (maps == NULL)
		return STATUS_SYSTEM;
	enum status status = STATUS_OK;
	while (status == STATUS_OK && fgets(line, sizeof line, maps) != NULL) {
		char *path = strchr(line, '/');
		const char *rights = strchr(line, ' ');
		if (path == NULL || rights == NULL || rights[3] != 'x')
			continue;
		path[strcspn(path, "\n")] = '\0';
		if (strncmp(path, cache, strlen(cache)) == 0 || strcmp(path, before) == 0)
			continue;
		memcpy(before, path, strlen(path) + 1);
		/* Mapped devices and files that were deleted get no line. */
		if (describe(path, file))
			status = append_text(to, file);
	}
	(void)fclose(maps);
	return status;
}

/* Sets path to the file for a question. False if there is no cache that outlives this run. */
static bool memory_path(char path[PATH_MAX], const struct bytes *question)
{
	const char *cache = opencl_cache_kept();
	uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
	for (size_t i = 0; i < question->size; i++)
		hash = (hash ^ question->data[i]) * UINT64_C(0x100000001b3);
	return cache != NULL && snprintf(path, PATH_MAX, "%s/tried-%016" PRIx64, cache, hash) < PATH_MAX;
}

/* Whether every further line describes its file as it is now. If so, *found becomes the trial's answer. */
static bool is_unchanged(FILE *file, bool *found)
{
	char line[LINE_MAX_BYTES];
	char now[LINE_MAX_BYTES];
	while (fgets(line, sizeof line, file) != NULL) {
		*found = strcmp(line, END_FOUND) == 0;
		if (*found || strcmp(line, END_NONE) == 0)
			return true;
		line[strcspn(line, "\n")] = '\0';
		const char *path = strchr(line, '/');
		if (path == NULL || !describe(path, now) || strncmp(now, line, strlen(line)) != 0)
			return false;
	}
	return false;
}

bool driver_memory_has(const struct bytes *question, bool *found)
{
	char path[PATH_MAX];
	FILE *file = memory_path(path, question) ? fopen(path, "re") : NULL;
	unsigned char *start = file != NULL ? memory_new(question->size) : NULL;
	const bool has = start != NULL && fread(start, 1, question->size, file) == question->size &&
			 memcmp(start, question->data, question->size) == 0 && is_unchanged(file, found);
	memory_free(start);
	if (file != NULL)
		(void)fclose(file);
	return has;
}

/* Writes a file atomically: under another name first, which is then renamed. */
static void write_file(const char *path, const struct bytes *text)
{
	char temporary[PATH_MAX];
	if (snprintf(temporary, sizeof temporary, "%s.%ld", path, (long)getpid()) >= (int)sizeof temporary)
		return;
	const int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	const bool written = write(fd, text->data, text->size) == (ssize_t)text->size;
	const bool closed = close(fd) == 0;
	if (!written || !closed || rename(temporary, path) != 0)
		(void)unlink(temporary);
}

void driver_memory_keep(const struct bytes *question, bool found)
{
	struct bytes text = {0};
	char path[PATH_MAX];
	if (memory_path(path, question) && bytes_append(&text, question->data, question->size) == STATUS_OK &&
	    append_vendors(&text) == STATUS_OK && append_mapped(&text, opencl_cache_kept()) == STATUS_OK &&
	    append_text(&text, found ? END_FOUND : END_NONE) == STATUS_OK && text.size < SIZE_MAX_BYTES)
		write_file(path, &text);
	bytes_free(&text);
}
