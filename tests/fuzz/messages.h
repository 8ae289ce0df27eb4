/* Keeps what the program says on standard error from drowning the fuzzer's own lines, and looks at it: messages are
 * whole lines, "pscan: ...", in which nothing steers a terminal. */
#ifndef PSCAN_TESTS_FUZZ_MESSAGES_H
#define PSCAN_TESTS_FUZZ_MESSAGES_H

#include <stdbool.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"

/* clang's <sanitizer/common_interface_defs.h> */
void __sanitizer_set_report_fd(void *fd);

#define MESSAGES_MAX 65536

struct messages {
	char text[MESSAGES_MAX + 1]; /* the first of them */
	size_t size, lines;
};

static int messages_file = -1;
static int messages_stderr = -1; /* what standard error really is */

/* From here on standard error is a file. A sanitizer's report still goes where it should. */
static inline void messages_hide(void)
{
	if (messages_file < 0) {
		messages_file = memfd_create("messages", 0);
		messages_stderr = dup(STDERR_FILENO);
		REQUIRE(messages_file >= 0 && messages_stderr >= 0, "descriptors");
		__sanitizer_set_report_fd((void *)(intptr_t)messages_stderr);
	}
	REQUIRE(ftruncate(messages_file, 0) == 0 && lseek(messages_file, 0, SEEK_SET) == 0, "a file in memory");
	REQUIRE(dup2(messages_file, STDERR_FILENO) == STDERR_FILENO, "standard error");
}

/* Bytes beyond ASCII may be UTF-8. */
static inline bool messages_byte_is_fit(unsigned char byte)
{
	return byte >= 0x20 && byte != 0x7f;
}

/* Standard error is itself again; *m is what was said meanwhile. */
static inline void messages_show(struct messages *m)
{
	REQUIRE(dup2(messages_stderr, STDERR_FILENO) == STDERR_FILENO, "standard error");
	const ssize_t got = pread(messages_file, m->text, MESSAGES_MAX, 0);
	REQUIRE(got >= 0, "a file in memory");
	m->size = (size_t)got;
	m->text[m->size] = '\0';
	m->lines = 0;
	const bool whole = m->size < MESSAGES_MAX;
	REQUIRE(m->size == 0 || !whole || m->text[m->size - 1] == '\n', "a message without its end: %s", m->text);
	for (const char *p = m->text; *p != '\0';) {
		const size_t size = strcspn(p, "\n");
		REQUIRE(strncmp(p, "pscan: ", 7) == 0 || !whole, "a message: %.*s", (int)size, p);
		for (size_t i = 0; i < size; i++)
			REQUIRE(messages_byte_is_fit((unsigned char)p[i]), "byte %u in a message: %.*s",
				(unsigned char)p[i], (int)size, p);
		m->lines++;
		p += size + (p[size] == '\n');
	}
	REQUIRE(!whole || strlen(m->text) == m->size, "a NUL in a message: %s", m->text);
}

#endif
