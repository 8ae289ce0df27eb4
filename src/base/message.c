/* A message is built in a local buffer and written with one write(2), so that the lines of several threads (and of the
 * other programs of a pipeline) do not mix. A standard error that is closed or full is nobody's reason to fail. */
#include "base/message.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Set before any thread starts, constant afterwards. */
static enum verbosity current_verbosity = VERBOSITY_NORMAL;

void message_set_verbosity(enum verbosity verbosity)
{
	current_verbosity = verbosity;
}

/* Standard error, also while nobody else's words come there. */
static atomic_int own_descriptor = STDERR_FILENO;

static void write_all(const char *text, size_t size)
{
	const int saved_errno = errno;
	while (size > 0) {
		const ssize_t written = write(atomic_load(&own_descriptor), text, size);
		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			break;
		text += written;
		size -= (size_t)written;
	}
	errno = saved_errno;
}

static void PRINTF_LIKE(2, 0) print_line(const char *kind, const char *format, va_list arguments)
{
	char line[2048];
	const int prefix = snprintf(line, sizeof line, "pscan: %s", kind);
	const int text = vsnprintf(line + prefix, sizeof line - (size_t)prefix - 1, format, arguments);
	size_t size = (size_t)prefix + (text > 0 ? (size_t)text : 0);
	if (size > sizeof line - 2)
		size = sizeof line - 2;
	line[size] = '\n';
	write_all(line, size + 1);
}

void message_error(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	print_line("", format, arguments);
	va_end(arguments);
}

void message_warning(const char *format, ...)
{
	if (current_verbosity < VERBOSITY_NORMAL)
		return;
	va_list arguments;
	va_start(arguments, format);
	print_line("warning: ", format, arguments);
	va_end(arguments);
}

void message_verbose(const char *format, ...)
{
	if (current_verbosity < VERBOSITY_VERBOSE)
		return;
	va_list arguments;
	va_start(arguments, format);
	print_line("", format, arguments);
	va_end(arguments);
}

bool message_goes_to(const struct stat *file)
{
	struct stat st;
	return fstat(atomic_load(&own_descriptor), &st) == 0 && st.st_dev == file->st_dev && st.st_ino == file->st_ino;
}

bool message_mute_others(void)
{
	int own = atomic_load(&own_descriptor);
	const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	/* Once for all: a message of another thread may be under way whenever the others are heard again. */
	if (null >= 0 && own == STDERR_FILENO) {
		own = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
		if (own >= 0)
			atomic_store(&own_descriptor, own);
	}
	const bool muted = null >= 0 && own >= 0;
	if (muted)
		(void)dup2(null, STDERR_FILENO);
	if (null >= 0)
		(void)close(null);
	return muted;
}

void message_unmute_others(bool muted)
{
	if (muted)
		(void)dup2(atomic_load(&own_descriptor), STDERR_FILENO);
}

void message_text(const char *text)
{
	write_all(text, strlen(text));
}

/* Whether a character steers the terminal or the direction of writing, cannot be seen, or looks like a blank. */
static bool steers(uint32_t character)
{
	static const struct {
		uint32_t first, last;
	} ranges[] = {
		{0x80, 0xa0},     {0x00ad, 0x00ad}, {0x034f, 0x034f},   {0x061c, 0x061c}, {0x115f, 0x1160},
		{0x1680, 0x1680}, {0x17b4, 0x17b5}, {0x180b, 0x180f},   {0x2000, 0x200f}, {0x2028, 0x202f},
		{0x205f, 0x206f}, {0x3000, 0x3000}, {0x3164, 0x3164},   {0xfe00, 0xfe0f}, {0xfeff, 0xfeff},
		{0xffa0, 0xffa0}, {0xfff0, 0xfffb}, {0xe0000, 0xe0fff},
	};
	for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
		if (character >= ranges[i].first && character <= ranges[i].last)
			return true;
	}
	return false;
}

/* The length of the well-formed UTF-8 character of two or more bytes at p, or 0. C1 controls count as ill-formed. */
static size_t utf8_length(const unsigned char *p, size_t size)
{
	size_t length;
	uint32_t character;
	if (p[0] >= 0xc2 && p[0] <= 0xdf) {
		length = 2;
		character = p[0] & 0x1fu;
	} else if (p[0] >= 0xe0 && p[0] <= 0xef) {
		length = 3;
		character = p[0] & 0x0fu;
	} else if (p[0] >= 0xf0 && p[0] <= 0xf4) {
		length = 4;
		character = p[0] & 0x07u;
	} else {
		return 0;
	}
	if (length > size)
		return 0;
	for (size_t i = 1; i < length; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		character = character << 6 | (p[i] & 0x3fu);
	}
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	const bool surrogate = character >= 0xd800 && character <= 0xdfff;
	return character < least[length] || character > 0x10ffff || surrogate || steers(character) ? 0 : length;
}

/* Escapes text into out, at most room bytes without a NUL; returns the bytes written, *used those read. */
static size_t escape(char *out, size_t room, const unsigned char *text, size_t size, bool quoted, size_t *used)
{
	size_t o = 0;
	size_t i = 0;
	while (i < size) {
		char piece[8];
		size_t read = 1;
		size_t length = utf8_length(text + i, size - i);
		if (length > 0) {
			memcpy(piece, text + i, length);
			read = length;
		} else if (quoted && (text[i] == '"' || text[i] == '\\')) {
			length = (size_t)snprintf(piece, sizeof piece, "\\%c", text[i]);
		} else if (text[i] >= 0x20 && text[i] < 0x7f) {
			piece[0] = (char)text[i];
			length = 1;
		} else {
			length = (size_t)snprintf(piece, sizeof piece, "\\x%02x", text[i]);
		}
		if (o + length > room)
			break;
		memcpy(out + o, piece, length);
		o += length;
		i += read;
	}
	*used = i;
	return o;
}

const char *message_quote(char out[MESSAGE_QUOTED_SIZE], const void *text, size_t size)
{
	size_t used;
	out[0] = '"';
	size_t o = 1 + escape(out + 1, MESSAGE_QUOTED_SIZE - 6, text, size, true, &used);
	if (used < size) {
		memcpy(out + o, "...", 3);
		o += 3;
	}
	out[o] = '"';
	out[o + 1] = '\0';
	return out;
}

const char *message_name(char out[MESSAGE_NAME_SIZE], const char *name)
{
	size_t used;
	const size_t size = escape(out, MESSAGE_NAME_SIZE - 1, (const unsigned char *)name, strlen(name), false, &used);
	out[size] = '\0';
	return out;
}
